// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Prints a number for the answers of each query about clouds, to be compared between instruction sets (check_isa.sh):
// kernels only bound what points can do, and doubles decide, so that every bit is the same.

#include "noise_kit.h"

#include "whisker/center_distance.h"

#define POINTS 600

// A query adds its answer about a cloud and a body to the hash.
typedef void answerFcn(const wkShape* cloud, const wkShape* body, wkPose pose, uint64_t* hash);

static void addToHash(uint64_t* hash, const void* bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        *hash = (*hash ^ ((const unsigned char*)bytes)[i]) * 0x100000001b3u;
    }
}

static void addNumber(uint64_t* hash, double number)
{
    addToHash(hash, &number, sizeof number);
}

static void addPoint(uint64_t* hash, wkVec3d point)
{
    addNumber(hash, point.x);
    addNumber(hash, point.y);
    addNumber(hash, point.z);
}

static void answerCollide(const wkShape* cloud, const wkShape* body, wkPose pose, uint64_t* hash)
{
    for (int i = 0; i < 3; i++) {
        wkCollideRequest request = wkDefaultCollideRequest();
        request.margin = 0.02 * (i - 1);
        addNumber(hash, wkCollide(cloud, wkIdentityPose(), body, pose, &request).isTouching);
    }
}

static void answerContacts(const wkShape* cloud, const wkShape* body, wkPose pose, uint64_t* hash)
{
    wkContact contacts[64];
    wkCollideRequest request = wkDefaultCollideRequest();
    request.margin = 0.05;
    request.contacts = contacts;
    request.contactCapacity = 64;
    wkCollideResult result = wkCollide(cloud, wkIdentityPose(), body, pose, &request);
    addNumber(hash, result.contactCount);
    for (int32_t i = 0; i < result.contactCount; i++) {
        addNumber(hash, contacts[i].depth);
        addPoint(hash, contacts[i].point);
    }
}

static void answerDistance(const wkShape* cloud, const wkShape* body, wkPose pose, uint64_t* hash)
{
    wkDistanceResult result = wkDistance(cloud, wkIdentityPose(), body, pose, NULL);
    addNumber(hash, result.distance);
    addPoint(hash, result.pointA);
    addPoint(hash, result.pointB);
}

static void answerCenters(const wkShape* cloud, const wkShape* body, wkPose pose, uint64_t* hash)
{
    for (int i = 0; body->type == wk_shapeCloud && i <= wk_centersHierarchy; i++) {
        wkCenterRequest request = wkDefaultCenterRequest();
        request.method = (wkCenterMethod)i;
        wkCenterResult result =
            wkCenterDistance(cloud->cloud, wkIdentityPose(), body->cloud, pose, &request);
        addNumber(hash, result.distance);
        addPoint(hash, result.pointA);
        addPoint(hash, result.pointB);
    }
}

static void answerProbability(const wkShape* cloud, const wkShape* body, wkPose pose,
                              uint64_t* hash)
{
    wkNoiseResult result = wkCollisionProbability(cloud, wkIdentityPose(), body, pose, NULL);
    addNumber(hash, result.lower);
    addNumber(hash, result.upper);
    addNumber(hash, result.independentLower);
    addNumber(hash, result.independentUpper);
    addNumber(hash, (double)result.partA);
    addNumber(hash, (double)result.evaluatedCount);
    addNumber(hash, (double)result.prunedCount);
}

static const struct {
    const char* name;
    answerFcn* answer;
} queries[] = {
    {"collide", answerCollide}, {"contacts", answerContacts},       {"distance", answerDistance},
    {"centers", answerCenters}, {"probability", answerProbability},
};

enum {
    queryCount = sizeof queries / sizeof queries[0]
};

// A cloud on a shell about the origin, of which some points touch bodies that are there.
static wkCloud* drawCloud(wkRng* rng)
{
    static noisePoint points[POINTS];
    for (int i = 0; i < POINTS; i++) {
        wkVec3d at = wkScale(wkRngRange(rng, 0.3, 1.5), wkRngDirection(rng));
        points[i] =
            (noisePoint){(float)at.x, (float)at.y, (float)at.z, wkRngChance(rng, 2) ? 0.0f : 0.02f,
                         (float)wkRngLogRange(rng, 1e-3, 3e-2)};
    }
    return noiseCloud(points, POINTS);
}

int main(void)
{
    noiseBodies bodies;
    noiseBodies_Create(&bodies);
    wkRng rng = wkMakeRng(UNIT_SEED);
    uint64_t hashes[queryCount];
    for (int k = 0; k < queryCount; k++) {
        hashes[k] = 0xcbf29ce484222325u;
    }
    for (int n = 0; n < WK_CASES(4) * (WK_SCENE_TYPE_COUNT + kindCount); n++) {
        wkCloud* cloud = drawCloud(&rng);
        wkShape shape = wkMakeCloud(cloud), body = noiseBody(&bodies, &rng, n);
        wkPose pose = {wkScale(wkRngRange(&rng, 0.0, 1.0), wkRngDirection(&rng)),
                       wkRngRotation(&rng)};
        for (int k = 0; k < queryCount; k++) {
            queries[k].answer(&shape, &body, pose, &hashes[k]);
        }
        wkCloud_Destroy(cloud);
    }
    noiseBodies_Destroy(&bodies);
    for (int k = 0; k < queryCount; k++) {
        printf("%s %016llx%s", queries[k].name, (unsigned long long)hashes[k],
               k + 1 < queryCount ? ", " : "\n");
    }
    return 0;
}
