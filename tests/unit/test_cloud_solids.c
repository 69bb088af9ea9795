// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Clouds and meshes of every kind, solid or not, nested, open, inverted: answers are those of the points, asked one
// by one.

#include "solid_sets.h"
#include "unit_kit.h"

#include "whisker/cloud.h"
#include "whisker/query.h"

#define SOLID_SIZE 12
#define MAX_POINTS 300
#define PADDING_COUNT 3

// Where the points are.
typedef enum layoutKind {
    layoutAround,  // inside and outside
    layoutOutside, // further from the surface than any radius
    layoutOne,     // one of those is inside
    layoutCluster, // near each other, all inside where the solid has depth
    layoutSurface, // on vertices, edges and triangles
    layoutCount
} layoutKind;

typedef enum radiusKind {
    radiusZero,
    radiusSame,
    radiusOwn,
    radiusCount
} radiusKind;

typedef struct points {
    float numbers[MAX_POINTS][4]; // x, y, z, radius, in the frame of the cloud
    int32_t count;
    wkPose inSolid; // the frame of the cloud in that of the solid
} points;

// A point in the frame of the solid.
static wkVec3d pointOf(const points* p, int32_t i)
{
    wkVec3d own =
        wkVec((double)p->numbers[i][0], (double)p->numbers[i][1], (double)p->numbers[i][2]);
    return wkTransformPoint(p->inSolid, own);
}

static wkVec3d drawNear(wkRng* rng, double size)
{
    return wkVec(wkRngRange(rng, -size, size), wkRngRange(rng, -size, size),
                 wkRngRange(rng, -size, size));
}

// A vertex, the middle of an edge or of a triangle.
static wkVec3d drawOnSurface(wkRng* rng, const meshSet* set)
{
    const int32_t* t = set->triangles + 3 * (size_t)wkRngBelow(rng, set->triangleCount);
    wkVec3d a = set->vertices[t[0]], b = set->vertices[t[1]], c = set->vertices[t[2]];
    int kind = wkRngBelow(rng, 3);
    wkVec3d edge = wkScale(0.5, wkAdd(a, b));
    return kind == 0 ? a : kind == 1 ? edge : wkMulAdd(wkScale(0.5, edge), 0.5, c);
}

// Draws a point that the layout may have as its next one.
static wkVec3d drawPoint(wkRng* rng, const meshSet* set, layoutKind layout, const points* p)
{
    if (layout == layoutSurface) {
        return drawOnSurface(rng, set);
    }
    bool isNext = layout == layoutCluster && p->count > 0;
    return isNext ? wkAdd(pointOf(p, 0), drawNear(rng, 0.01)) : drawNear(rng, 1.8);
}

// Whether a point at that distance from the surface belongs to the layout.
static bool isWanted(layoutKind layout, double distance, int32_t index)
{
    bool isOutside = distance > 0.06, isDeep = distance < -0.03;
    return layout == layoutOutside   ? isOutside
           : layout == layoutOne     ? (index == 0 ? isDeep : isOutside)
           : layout == layoutCluster ? index > 0 || isDeep
                                     : true;
}

static void drawPoints(wkRng* rng, const wkShape* solid, const meshSet* set, layoutKind layout,
                       radiusKind radius, points* p)
{
    p->count = 0;
    wkPose solidInCloud = wkInvPose(p->inSolid);
    int32_t count = layout == layoutSurface ? 40 : MAX_POINTS;
    for (int tries = 0; p->count < count && tries < 20 * count; ++tries) {
        wkVec3d at = drawPoint(rng, set, layout, p);
        double distance = wkShape_PointDistance(solid, wkIdentityPose(), at);
        if (!isWanted(layout, distance, p->count)) {
            continue;
        }
        float* to = p->numbers[p->count++];
        wkVec3d moved = wkTransformPoint(solidInCloud, at);
        to[0] = (float)moved.x;
        to[1] = (float)moved.y;
        to[2] = (float)moved.z;
        double own[radiusCount] = {0.0, 0.02, wkRngRange(rng, 0.0, 0.05)};
        to[3] = (float)own[radius];
    }
}

static wkCloud* makeCloud(const points* p)
{
    wkCloudDef def = wkDefaultCloudDef();
    def.points = wkMakeCloudView(p->numbers, p->count);
    def.points.stride = sizeof p->numbers[0];
    def.points.radiusOffset = 12;
    def.allowsEmpty = true;
    wkCloud* cloud = NULL;
    if (wkCloud_Create(&def, &cloud) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return cloud;
}

// The least distance of a sphere from the solid; both without padding.
static double askPoints(const points* p, const wkShape* solid, double* second)
{
    wkShape bare = *solid;
    bare.padding = 0.0;
    double least = INFINITY;
    *second = INFINITY;
    for (int32_t i = 0; i < p->count; ++i) {
        double distance = wkShape_PointDistance(&bare, wkIdentityPose(), pointOf(p, i)) -
                          (double)p->numbers[i][3];
        if (distance < least) {
            *second = least;
            least = distance;
        } else {
            *second = fmin(*second, distance);
        }
    }
    return least;
}

static void checkVerdicts(const wkShape* cloud, wkPose poseCloud, const wkShape* solid,
                          wkPose poseSolid, double distance, const char* name)
{
    static const double margins[] = {0.0, 0.01, 0.3, -0.01, -0.1};
    for (size_t i = 0; i < sizeof margins / sizeof margins[0]; ++i) {
        wkCollideRequest request = wkDefaultCollideRequest();
        request.margin = margins[i];
        bool isTouching = wkCollide(cloud, poseCloud, solid, poseSolid, &request).isTouching;
        bool isSwapped = wkCollide(solid, poseSolid, cloud, poseCloud, &request).isTouching;
        assert_int_equal(isTouching, isSwapped);
        if (fabs(distance - margins[i]) > 1e-9 && isTouching != (distance <= margins[i])) {
            fail_msg("%s: margin %g, distance %.17g: %s", name, margins[i], distance,
                     isTouching ? "touching" : "free");
        }
    }
}

static void checkDistances(const wkShape* cloud, wkPose poseCloud, const wkShape* solid,
                           wkPose poseSolid, double distance, double second, const points* p,
                           const char* name)
{
    wkDistanceRequest request = wkDefaultDistanceRequest();
    request.isSigned = false;
    wkDistanceResult plain = wkDistance(cloud, poseCloud, solid, poseSolid, &request);
    wkDistanceResult deep = wkDistance(cloud, poseCloud, solid, poseSolid, NULL);
    if (fabs(deep.distance - distance) > 1e-8) {
        fail_msg("%s: distance %.17g, expected %.17g", name, deep.distance, distance);
    }
    if (fabs(plain.distance - fmax(distance, 0.0)) > 1e-8) {
        fail_msg("%s: unsigned distance %.17g, expected %.17g", name, plain.distance, distance);
    }
    assert_true(deep.partA >= 0 && deep.partA < p->count);
    if (second - distance > 1e-6) { // one point alone can be the answer
        wkShape bare = *solid;
        bare.padding = 0.0;
        double own =
            wkShape_PointDistance(&bare, wkIdentityPose(), pointOf(p, (int32_t)deep.partA)) -
            (double)p->numbers[deep.partA][3] - (cloud->padding + solid->padding);
        assert_true(fabs(own - distance) < 1e-8);
    }
}

static wkPose drawPose(wkRng* rng)
{
    wkPose pose = {drawNear(rng, 3.0), wkRngRotation(rng)};
    return pose;
}

static void checkMesh(wkRng* rng, const solidSetRow* row, wkVolumeKind kind, bool isSolid)
{
    static points p;
    meshSet set = row->make(SOLID_SIZE);
    wkMeshDef def = defOfSet(&set);
    def.isSolid = isSolid;
    def.volume = kind;
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    for (int n = 0; n < layoutCount * radiusCount; ++n) {
        wkShape solid = wkMakeMesh(mesh);
        // half of the clouds have the pose of the solid, so that points are exactly where they are drawn
        p.inSolid = wkRngBelow(rng, 2) == 0 ? wkIdentityPose() : drawPose(rng);
        drawPoints(rng, &solid, &set, (layoutKind)(n % layoutCount), (radiusKind)(n / layoutCount),
                   &p);
        wkCloud* cloud = makeCloud(&p);
        wkShape body = wkMakeCloud(cloud);
        double second, distance = askPoints(&p, &solid, &second);
        static const double paddings[PADDING_COUNT][2] = {{0.0, 0.0}, {0.02, 0.01}, {-0.03, 0.005}};
        const double* padding = paddings[(n + n / layoutCount) % PADDING_COUNT];
        body.padding = padding[0];
        solid.padding = padding[1];
        distance -= padding[0] + padding[1];
        second -= padding[0] + padding[1];
        wkPose poseSolid = drawPose(rng), poseCloud = wkMulPose(poseSolid, p.inSolid);
        if (p.count > 0) {
            checkVerdicts(&body, poseCloud, &solid, poseSolid, distance, row->name);
            checkDistances(&body, poseCloud, &solid, poseSolid, distance, second, &p, row->name);
        }
        wkCloud_Destroy(cloud);
    }
    wkMesh_Destroy(mesh);
    freeSet(&set);
}

static void answers_are_those_of_the_points(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int i = 0; i < SOLID_SET_COUNT; ++i) {
        wkVolumeKind kind = i % 3 == 2 ? wk_volumeObb : wk_volumeAabb;
        checkMesh(&rng, &solidSets[i], kind, true);
        checkMesh(&rng, &solidSets[i], kind, false);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_the_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
