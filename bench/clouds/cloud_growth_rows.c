// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// cloud/growth/<query>/<points>: the same room with more and more points, and the same bodies in it. Then the
// exponent p of the fit time = c * points^p; a hierarchy that halves what is left has one near 0. The room is without
// noise: with it, all points of a wall within the noise of the nearest one count, whose number grows with all.

#include "bench.h"
#include "clouds/room_points.h"
#include "measure.h"

#include "../tests/scenes/room_scene.h"

#include "whisker/query.h"

#include <math.h>
#include <string.h>

#define POSE_COUNT 200
#define BLOCK_COUNT 5
#define CHECKED_COUNT 10 // positions whose answers are compared with those of all points
#define RAY_LENGTH 10.0
#define SPHERE_RADIUS 0.03

#define SIZE_COUNT 7
static const struct {
    const char* name;
    int32_t count;
    bool isQuick;
} sizes[SIZE_COUNT] = {
    {"10k", 10000, true},  {"30k", 30000, true},   {"100k", 100000, true},   {"300k", 300000, true},
    {"1M", 1000000, true}, {"3M", 3000000, false}, {"10M", 10000000, false},
};

// What is asked about a sphere at each position.
typedef enum growthQuery {
    growthCollide,
    growthDistance,
    growthClosest,
    growthRay,
    growthCount
} growthQuery;

static const char* const queryNames[growthCount] = {"collide", "distance", "closest", "ray"};

typedef struct growthCase {
    const wkCloud* cloud;
    growthQuery query;
    wkVec3d positions[POSE_COUNT];
    wkVec3d directions[POSE_COUNT];
    double answers[POSE_COUNT];
} growthCase;

static double ask(const growthCase* c, const wkShape* cloud, int i)
{
    wkShape sphere = wkMakeSphere(SPHERE_RADIUS);
    wkPose pose = wkMakePose(c->positions[i].x, c->positions[i].y, c->positions[i].z);
    wkPose identity = wkIdentityPose();
    switch (c->query) {
    case growthCollide:
        return wkCollide(&sphere, pose, cloud, identity, NULL).isTouching ? 0.0 : 1.0;
    case growthDistance:
        return wkDistance(&sphere, pose, cloud, identity, NULL).distance;
    case growthClosest:
        return wkShape_ClosestPoint(cloud, identity, c->positions[i], INFINITY).distance;
    default:
        break;
    }
    wkRay ray = {c->positions[i], c->directions[i], RAY_LENGTH};
    wkRayResult hit = wkShape_RayCast(cloud, identity, ray);
    return hit.isHit ? hit.distance : INFINITY;
}

static void pass(void* context)
{
    growthCase* c = context;
    wkShape cloud = wkMakeCloud(c->cloud);
    for (int i = 0; i < POSE_COUNT; i++) {
        c->answers[i] = ask(c, &cloud, i);
    }
}

// Distance along a ray of unit direction to the first sphere, of all; infinite: it hits none.
static double castAtAll(const wkRoomPoints* room, double radius, wkVec3d origin, wkVec3d direction)
{
    double first = INFINITY;
    for (int32_t i = 0; i < room->count; i++) {
        const float* p = room->points + 3 * (size_t)i;
        double x = (double)p[0] - origin.x, y = (double)p[1] - origin.y,
               z = (double)p[2] - origin.z;
        double along = x * direction.x + y * direction.y + z * direction.z;
        double beyond = x * x + y * y + z * z - radius * radius; // 0 or less: the origin is inside
        double root = along * along - beyond;
        if (beyond <= 0.0) {
            return 0.0;
        }
        if (along > 0.0 && root >= 0.0) {
            first = fmin(first, along - sqrt(root));
        }
    }
    return first <= RAY_LENGTH ? first : INFINITY;
}

static bool isWrong(const growthCase* c, const wkRoomPoints* room, double radius, int i)
{
    double answer = c->answers[i];
    if (c->query == growthRay) {
        double truth = castAtAll(room, radius, c->positions[i], c->directions[i]);
        return truth != answer && !(fabs(truth - answer) <= 1e-6);
    }
    double truth = wkRoomPoints_Nearest(room, c->positions[i]) - radius;
    truth -= c->query == growthClosest ? 0.0 : SPHERE_RADIUS;
    return c->query == growthCollide ? (truth <= 0.0) != (answer <= 0.0)
                                     : !(fabs(truth - answer) <= 1e-6);
}

// Compares the answers at the first positions with those of all points.
static long countWrong(const growthCase* c, const wkRoomPoints* room, double radius)
{
    long wrong = 0;
    for (int i = 0; i < CHECKED_COUNT; i++) {
        wrong += isWrong(c, room, radius, i) ? 1 : 0;
    }
    return wrong;
}

// Positions 5 to 15 cm from surfaces, where a robot works, the same at all sizes. Further away, the number of points
// that are nearly as near as the nearest grows with their density, whatever the hierarchy.
static void drawQuestions(growthCase* c)
{
    wkRng rng = wkMakeRng(13);
    wkRoomPoints room = wkMakeCleanRoomPoints(4096);
    wkVec3d eye = wkMakeRoomView().eye;
    for (int i = 0; i < POSE_COUNT && room.points != NULL; i++) {
        const float* p = room.points + 3 * (size_t)wkRngBelow(&rng, room.count);
        wkVec3d ray = {(double)p[0] - eye.x, (double)p[1] - eye.y, (double)p[2] - eye.z};
        double length = sqrt(ray.x * ray.x + ray.y * ray.y + ray.z * ray.z);
        double share = 1.0 - wkRngRange(&rng, 0.05, 0.15) / length;
        c->positions[i] =
            (wkVec3d){eye.x + share * ray.x, eye.y + share * ray.y, eye.z + share * ray.z};
        c->directions[i] = wkRngDirection(&rng);
    }
    wkRoomPoints_Free(&room);
}

static void emitExponent(wkBench* bench, const char* name, const double* times, int count)
{
    double sumX = 0.0, sumY = 0.0, sumXX = 0.0, sumXY = 0.0;
    for (int i = 0; i < count; i++) {
        double x = log(sizes[i].count), y = log(times[i]);
        sumX += x;
        sumY += y;
        sumXX += x * x;
        sumXY += x * y;
    }
    wkBenchRow row = {.unit = "exponent", .n = count};
    memcpy(row.name, name, sizeof row.name);
    row.ours = (count * sumXY - sumX * sumY) / (count * sumXX - sumX * sumX);
    wkBench_Emit(bench, &row);
}

// Measures all queries at one size.
static void runSize(wkBench* bench, int size, double times[growthCount][SIZE_COUNT])
{
    // spheres just reach each other: the room has no holes that a ray could pass
    double radius = 4.0 / sqrt(sizes[size].count);
    wkRoomPoints room = wkMakeCleanRoomPoints(sizes[size].count);
    wkCloud* cloud = room.points != NULL ? wkMakeRoomCloud(&room, radius) : NULL;
    for (int q = 0; q < growthCount && cloud != NULL; q++) {
        growthCase c = {.cloud = cloud, .query = (growthQuery)q};
        drawQuestions(&c);
        wkBenchSide side = {.pass = pass, .context = &c};
        wkMeasure(&side, 1, POSE_COUNT, BLOCK_COUNT);
        wkBenchRow row = {.unit = "ns", .n = POSE_COUNT, .ours = side.median};
        row.spread = wkBlockSpread(&side, BLOCK_COUNT);
        row.wrong = countWrong(&c, &room, radius);
        snprintf(row.name, sizeof row.name, "cloud/growth/%s/%s", queryNames[q], sizes[size].name);
        times[q][size] = side.median;
        if (wkBench_IsSelected(bench, row.name)) {
            wkBench_Emit(bench, &row);
        }
    }
    wkCloud_Destroy(cloud);
    wkRoomPoints_Free(&room);
}

void wkRunCloudGrowthRows(wkBench* bench)
{
    double times[growthCount][SIZE_COUNT] = {{0.0}};
    bool isWanted[SIZE_COUNT] = {false}, hasExponent[growthCount], isAnyExponent = false;
    int count = 0;
    char names[growthCount][WK_ROW_NAME_CAPACITY];
    for (int q = 0; q < growthCount; q++) {
        snprintf(names[q], sizeof names[q], "cloud/growth/%s", queryNames[q]);
        hasExponent[q] = wkBench_Wants(bench, names[q]);
        isAnyExponent = isAnyExponent || hasExponent[q];
    }
    for (int i = 0; i < SIZE_COUNT && (sizes[i].isQuick || wkBench_IsFull(bench)); i++, count++) {
        for (int q = 0; q < growthCount; q++) {
            char name[WK_ROW_NAME_CAPACITY];
            snprintf(name, sizeof name, "cloud/growth/%s/%s", queryNames[q], sizes[i].name);
            isWanted[i] = wkBench_Wants(bench, name) || isWanted[i];
        }
        if (isWanted[i] || isAnyExponent) {
            runSize(bench, i, times);
        }
    }
    for (int q = 0; q < growthCount; q++) {
        if (hasExponent[q] && times[q][count - 1] > 0.0) {
            emitExponent(bench, names[q], times[q], count);
        }
    }
}
