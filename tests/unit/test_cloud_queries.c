// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Queries about clouds of every awkward kind: answers are those of the points, asked one by one.

#include "unit_kit.h"

#include "whisker/cloud.h"
#include "whisker/query.h"

#include <float.h>

#define MAX_POINTS 700
#define CONTACTS 16

// Where the points are.
typedef enum layoutKind {
    layoutVolume,
    layoutEqual,
    layoutLine,
    layoutPlane,
    layoutClusters,
    layoutCount
} layoutKind;

// What radii they have.
typedef enum radiusKind {
    radiusZero,
    radiusSame,
    radiusOwn,
    radiusHuge,
    radiusCount
} radiusKind;

typedef struct points {
    double numbers[MAX_POINTS][3];
    float radii[MAX_POINTS];
    int32_t count;
} points;

static void drawPoints(wkRng* rng, layoutKind layout, radiusKind radius, int32_t count,
                       double origin, points* p)
{
    static const int dimensions[layoutCount] = {3, 0, 1, 2, 3};
    p->count = count;
    for (int32_t i = 0; i < count; i++) {
        double size = layout == layoutClusters ? (i % 5 == 0 ? 1.0 : 1e-4) : 1.0;
        for (int k = 0; k < 3; k++) {
            double offset = k < dimensions[layout] ? wkRngRange(rng, -size, size) : 0.25;
            // a multiple of 2^-12, which floats and doubles hold with and without the origin
            p->numbers[i][k] = origin + floor(offset * 4096.0) / 4096.0;
        }
        double own[radiusCount] = {0.0, 0.02, i % 9 == 0 ? 0.3 : wkRngRange(rng, 0.0, 0.05), 1e4};
        p->radii[i] = (float)own[radius];
    }
}

static wkCloud* makeCloud(const points* p, double origin)
{
    static char bytes[MAX_POINTS][28]; // nothing is aligned
    for (int32_t i = 0; i < p->count; i++) {
        memcpy(bytes[i], p->numbers[i], sizeof p->numbers[i]);
        memcpy(bytes[i] + 24, &p->radii[i], sizeof p->radii[i]);
    }
    wkCloudDef def = wkDefaultCloudDef();
    def.allowsEmpty = true;
    def.points = wkMakeCloudView(bytes, p->count);
    def.points.isDouble = true;
    def.points.radiusOffset = 24;
    def.origin = wkVec(origin, origin, origin);
    wkCloud* cloud = NULL;
    if (wkCloud_Create(&def, &cloud) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return cloud;
}

// Each point as a sphere, one by one.
typedef struct truth {
    double distance;
    double closest; // from a position
    double hit;     // along a ray
    int touchingCount;

} truth;

static truth askPoints(const points* p, const wkShape* shape, wkPose pose, wkRay ray)
{
    truth t = {INFINITY, INFINITY, INFINITY, 0};
    for (int32_t i = 0; i < p->count; i++) {
        wkShape sphere = wkMakeSphere((double)p->radii[i]);
        wkPose at = wkMakePose(p->numbers[i][0], p->numbers[i][1], p->numbers[i][2]);
        double distance = wkDistance(shape, pose, &sphere, at, NULL).distance;
        t.distance = fmin(t.distance, distance);
        t.touchingCount += distance <= 0.0;
        t.closest = fmin(t.closest, wkShape_PointDistance(&sphere, at, ray.origin));
        wkRayResult hit = wkShape_RayCast(&sphere, at, ray);
        t.hit = hit.isHit ? fmin(t.hit, hit.distance) : t.hit;
    }
    return t;
}

static void expectNear(const char* what, double found, double expected, double tolerance)
{
    // nothing is at the largest distance that there is
    bool isSame = found == expected || (found == DBL_MAX && expected == INFINITY) ||
                  fabs(found - expected) <= tolerance;
    if (!isSame) {
        fail_msg("%s: %.17g, expected %.17g", what, found, expected);
    }
}

static void checkContacts(const wkShape* shape, wkPose pose, const wkShape* cloud, wkPose at,
                          const truth* t, double tolerance)
{
    wkContact contacts[CONTACTS];
    wkCollideRequest request = wkDefaultCollideRequest();
    request.contacts = contacts;
    request.contactCapacity = CONTACTS;
    wkCollideResult found = wkCollide(shape, pose, cloud, at, &request);
    int expected = t->touchingCount < CONTACTS ? t->touchingCount : CONTACTS;
    bool isClear = fabs(t->distance) > tolerance;
    if (isClear) {
        assert_int_equal(found.isTouching, t->distance <= 0.0);
        assert_true(expected == 0 || found.contactCount > 0);
    }
    if (found.contactCount > 0) {
        expectNear("the deepest contact", -contacts[0].depth, t->distance, tolerance);
    }
    for (int i = 1; i < found.contactCount; i++) {
        assert_true(contacts[i].depth <= contacts[i - 1].depth);
        assert_true(contacts[i].partB >= 0);
    }
}

static void checkCloud(wkRng* rng, const wkShapeBank* bank, const points* p, double origin)
{
    wkCloud* cloud = makeCloud(p, origin);
    wkShape body = wkMakeCloud(cloud);
    wkPose at = wkMakePose(origin, origin, origin);
    for (int n = 0; n < 12; n++) {
        wkShape shape = wkRandomShape(rng, bank, (wkShapeType)(1 + n % 10), 0.4);
        wkVec3d direction = wkRngDirection(rng);
        wkPose pose = {wkAdd(at.position, wkScale(wkRngRange(rng, 0.0, 2.0), direction)),
                       wkRngRotation(rng)};
        wkRay ray = {wkAdd(at.position, wkScale(3.0, wkRngDirection(rng))), wkRngDirection(rng),
                     9.0};
        truth t = askPoints(p, &shape, pose, ray);
        // depths of general convex pairs are found iteratively, and far from zero doubles have fewer digits
        double tolerance = 3e-6 + 1e-8 * (origin + (p->count > 0 ? (double)p->radii[0] : 0.0));
        wkDistanceResult d = wkDistance(&shape, pose, &body, at, NULL);
        expectNear("distance", d.distance, t.distance, tolerance);
        expectNear("distance, swapped", wkDistance(&body, at, &shape, pose, NULL).distance,
                   t.distance, tolerance);
        assert_true(p->count == 0 || (d.partB >= 0 && d.partB < p->count));
        checkContacts(&shape, pose, &body, at, &t, tolerance);
        wkPointResult closest = wkShape_ClosestPoint(&body, at, ray.origin, INFINITY);
        expectNear("closest point", closest.distance, t.closest, tolerance);
        wkRayResult hit = wkShape_RayCast(&body, at, ray);
        expectNear("ray", hit.isHit ? hit.distance : INFINITY, t.hit, 1e-6 + 1e-8 * origin);
    }
    wkCloud_Destroy(cloud);
}

static void answers_are_those_of_the_points(void** state)
{
    (void)state;
    static const int32_t counts[] = {0, 1, 8, 9, 65, MAX_POINTS};
    wkRng rng = wkMakeRng(UNIT_SEED);
    wkShapeBank bank;
    wkShapeBank_Create(&bank, UNIT_SEED);
    for (int layout = 0; layout < layoutCount; layout++) {
        for (int radius = 0; radius < radiusCount; radius++) {
            for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
                static points p;
                double origin = i % 2 == 1 ? 1e6 : 0.0;
                drawPoints(&rng, (layoutKind)layout, (radiusKind)radius, counts[i], origin, &p);
                checkCloud(&rng, &bank, &p, origin);
            }
        }
    }
    wkShapeBank_Destroy(&bank);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_the_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
