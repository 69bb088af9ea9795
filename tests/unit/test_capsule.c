// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Capsules against cores with closed forms of their own: apart, the general method finds the same
// distance; overlapping, no direction leads out sooner, the sphere's or those across the segment.

#include "unit_kit.h"

#include "solve/closed_form/closed_form_list.h"
#include "solve/pair_frame.h"
#include "whisker/query.h"

#define CASE_COUNT 2000
#define DIRECTION_COUNT 300
#define ROUND_COUNT 200

// Closed forms are exact to rounding, the general method on curved pairs is not.
#define CLOSED_OFF 1e-12
#define GENERAL_OFF 1e-6

typedef struct capsulePair {
    wkShapeType type;
    wkSolveFcn* general;
} capsulePair;

static const capsulePair pairs[] = {
    {wk_shapeBox, wkGjkSegmentBox},
    {wk_shapeCylinder, wkGjkSegmentCylinder},
    {wk_shapeCone, wkGjkSegmentCone},
    {wk_shapeEllipsoid, wkGjkSegmentEllipsoid},
};

// A segment and a core in its own frame.
typedef struct scene {
    wkShape capsule;
    wkShape core;
    wkPose pose; // of the capsule
    wkVec3d axis;
    double scale;
} scene;

static scene makeScene(wkRng* rng, wkShapeType type, double reach)
{
    scene s = {.capsule = wkMakeCapsule(0.0, wkRngLogRange(rng, 0.01, 4.0))};
    double x = wkRngLogRange(rng, 0.01, 1.0), y = wkRngLogRange(rng, 0.01, 1.0),
           z = wkRngLogRange(rng, 0.01, 1.0);
    s.core = type == wk_shapeBox        ? wkMakeBox(2.0 * x, 2.0 * y, 2.0 * z)
             : type == wk_shapeCylinder ? wkMakeCylinder(x, 2.0 * z)
             : type == wk_shapeCone     ? wkMakeCone(x, 2.0 * z)
                                        : wkMakeEllipsoid(x, y, z);
    s.pose.rotation = wkRngChance(rng, 4) ? wkRngRightAngles(rng) : wkRngRotation(rng);
    s.axis = wkAxisZFromQuat(s.pose.rotation);

    // some point of the segment within `reach` of the middle
    double share = wkRngChance(rng, 4) ? wkRngLogRange(rng, 1e-9, 1.0) : 1.0;
    double along = s.capsule.capsule.halfLength * wkRngRange(rng, -1.0, 1.0);
    wkVec3d point = wkVec(share * reach * x * wkRngRange(rng, -1.0, 1.0),
                          share * reach * y * wkRngRange(rng, -1.0, 1.0),
                          share * reach * z * wkRngRange(rng, -1.0, 1.0));
    s.pose.position = wkMulAdd(point, along, s.axis);
    s.scale = wkMaxAbs(s.pose.position) + s.capsule.capsule.halfLength + x + y + z;
    return s;
}

static wkDistanceResult ask(const scene* s)
{
    wkPose origin = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}};
    return wkDistance(&s->capsule, s->pose, &s->core, origin, NULL);
}

// How far the segment must move along a unit normal to be out of the core.
static double depthAlong(const scene* s, wkVec3d n)
{
    double reach = wkDot(n, wkConvexTable[s->core.type].support(&s->core, n));
    double half = s->capsule.capsule.halfLength;
    return reach - wkDot(n, s->pose.position) + half * fabs(wkDot(n, s->axis));
}

// Steps across the normal, and across the segment when `axis` is given, shorter when none helps.
static double walkDown(wkRng* rng, const scene* s, wkVec3d n, const wkVec3d* axis)
{
    double depth = depthAlong(s, n);
    for (double step = 0.1; step > 1e-8;) {
        wkVec3d side = wkCross(n, axis != NULL ? *axis : wkRngDirection(rng));
        bool isBetter = false;
        for (int sign = -1; sign <= 1; sign += 2) {
            wkVec3d next = wkNormalizeOr(wkMulAdd(n, sign * step, side), n);
            double nextDepth = depthAlong(s, next);
            if (nextDepth < depth) {
                n = next, depth = nextDepth, isBetter = true;
            }
        }
        step *= isBetter ? 1.5 : 0.6;
    }
    return depth;
}

static double searchDepth(wkRng* rng, const scene* s)
{
    double least = INFINITY, leastAcross = INFINITY;
    wkVec3d nearest = wkVec(0.0, 0.0, 1.0), u, v;
    wkTangents(s->axis, &u, &v);
    wkVec3d nearestAcross = u;
    for (int i = 0; i < DIRECTION_COUNT; ++i) {
        wkVec3d n = wkRngDirection(rng);
        double depth = depthAlong(s, n);
        nearest = depth < least ? n : nearest;
        least = wkMinD(least, depth);
    }
    for (int i = 0; i < ROUND_COUNT; ++i) {
        double angle = 6.283185307179586 * i / ROUND_COUNT;
        wkVec3d n = wkMulAdd(wkScale(cos(angle), u), sin(angle), v);
        double depth = depthAlong(s, n);
        nearestAcross = depth < leastAcross ? n : nearestAcross;
        leastAcross = wkMinD(leastAcross, depth);
    }
    return wkMinD(walkDown(rng, s, nearest, NULL), walkDown(rng, s, nearestAcross, &s->axis));
}

static void no_direction_leads_out_sooner(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int i = 0; i < CASE_COUNT; ++i) {
        scene s = makeScene(&rng, pairs[i % 4].type, 1.0);
        wkDistanceResult r = ask(&s);
        double off = CLOSED_OFF * s.scale, depth = searchDepth(&rng, &s);
        if (r.distance <= 0.0) {
            UNIT_CHECK(-r.distance <= depth + off, &s.core, "case %d: depth %.17g, there is %.17g",
                       i, -r.distance, depth);
        }
        // the normal proves the distance, which is that of the points
        assertNear(-depthAlong(&s, wkNeg(r.normal)), r.distance, off);
        assertVecNear(wkMulAdd(r.pointA, r.distance, r.normal), r.pointB, 1e-9 * s.scale);
    }
}

static void the_general_method_agrees(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    wkPose origin = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}};
    for (int i = 0; i < CASE_COUNT; ++i) {
        scene s = makeScene(&rng, pairs[i % 4].type, 3.0);
        wkQuestion q = {.a = &s.capsule,
                        .b = &s.core,
                        .poseA = &s.pose,
                        .poseB = &origin,
                        .cutoff = INFINITY,
                        .touching = -INFINITY,
                        .isSigned = true,
                        .wantsPoints = true};
        wkDistanceResult general;
        wkAnswerBySolving(&q, pairs[i % 4].general, &general);
        double distance = ask(&s).distance;
        UNIT_CHECK(fabs(distance - general.distance) <= GENERAL_OFF * s.scale, &s.core,
                   "case %d: distance %.17g, in general %.17g", i, distance, general.distance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_direction_leads_out_sooner),
        cmocka_unit_test(the_general_method_agrees),
    };
    return cmocka_run_group_tests_name("capsules", tests, NULL, NULL);
}
