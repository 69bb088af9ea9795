// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Distances by approach: the plane across the points proves them, common points are common, and ordinary
// bodies are answered nearly always. GJK answers the rest, so nothing else would notice a miss.

#include "unit_kit.h"

#include "solve/core_support.h"
#include "solve/newton/newton_distance.h"

#define CASE_COUNT 3000

// Shares of wkPair.scale: gap that is asked for, what rounding may do, and what a thin ellipsoid loses.
#define GAP 1e-11
#define ROUNDING 3e-15
#define POINTS_OFF 1e-9

static const wkShapeType curvedPairs[][2] = {
    {wk_shapeBox, wk_shapeCylinder},        {wk_shapeBox, wk_shapeCone},
    {wk_shapeBox, wk_shapeEllipsoid},       {wk_shapeCylinder, wk_shapeCylinder},
    {wk_shapeCylinder, wk_shapeCone},       {wk_shapeCylinder, wk_shapeEllipsoid},
    {wk_shapeCylinder, wk_shapeHull},       {wk_shapeCone, wk_shapeCone},
    {wk_shapeCone, wk_shapeEllipsoid},      {wk_shapeCone, wk_shapeHull},
    {wk_shapeEllipsoid, wk_shapeEllipsoid}, {wk_shapeEllipsoid, wk_shapeHull},
};
#define PAIR_COUNT (sizeof curvedPairs / sizeof curvedPairs[0])

// Apart by up to twice their size, or overlapping.
static wkPair placeSomewhere(wkRng* rng, const wkShape* a, const wkShape* b)
{
    wkInnerOuterSpheres sphereA = wkConvexTable[a->type].sphere(a),
                        sphereB = wkConvexTable[b->type].sphere(b);
    double reach =
        wkMaxAbs(sphereA.center) + wkMaxAbs(sphereB.center) + sphereA.radius + sphereB.radius;
    wkQuat turn = wkRngChance(rng, 4) ? wkRngRightAngles(rng) : wkRngRotation(rng);
    wkVec3d position = wkScale(2.0 * reach * wkRngUnit(rng), wkRngDirection(rng));
    wkPair pair = {.a = a, .b = b, .bInA = {wkMatFromQuat(turn), position}};
    pair.centers = wkSub(wkFramePoint(&pair.bInA, sphereB.center), sphereA.center);
    pair.inner = sphereA.innerRadius + sphereB.innerRadius;
    pair.scale = wkMaxAbs(position) + reach;
    return pair;
}

// Signed distances of a point to both cores.
static void measure(const wkPair* pair, wkVec3d pointA, wkVec3d pointB, double* fromA,
                    double* fromB)
{
    wkVec3d localB = wkFrameLocal(&pair->bInA, pointB);
    *fromA = wkConvexTable[pair->a->type].project(pair->a, pointA).distance;
    *fromB = wkConvexTable[pair->b->type].project(pair->b, localB).distance;
}

static void checkApart(const wkPair* pair, const wkSolution* s, int i)
{
    wkCoreSupport support = wkMakeCoreSupport(pair);
    double apart = wkDot(s->normal, wkCoreSupportAlong(&support, pair, wkNeg(s->normal)).w);
    double length = wkLength(wkSub(s->pointB, s->pointA)), fromA, fromB;
    UNIT_CHECK(s->distance <= apart + ROUNDING * pair->scale, pair->b,
               "case %d: distance %.17g, the plane proves %.17g", i, s->distance, apart);
    UNIT_CHECK(length - s->distance <= (GAP + ROUNDING) * pair->scale, pair->b,
               "case %d: distance %.17g, points %.17g apart", i, s->distance, length);
    measure(pair, s->pointA, s->pointB, &fromA, &fromB);
    assertNear(fromA, 0.0, POINTS_OFF * pair->scale);
    assertNear(fromB, 0.0, POINTS_OFF * pair->scale);
    assertNear(wkLength(s->normal), 1.0, 1e-14);
}

static void checkOverlapping(const wkPair* pair, const wkSolution* s, int i)
{
    double fromA, fromB;
    measure(pair, s->pointA, s->pointA, &fromA, &fromB);
    UNIT_CHECK(wkMaxD(fromA, fromB) <= POINTS_OFF * pair->scale, pair->b,
               "case %d: the common point is %g from A and %g from B", i, fromA, fromB);
}

static void checkPair(wkRng* rng, const wkShapeBank* bank, const wkShapeType types[2])
{
    int answered = 0, asked = 0;
    for (int i = 0; i < CASE_COUNT; ++i) {
        int kind = i % UNIT_KIND_COUNT;
        wkShape a = unitShape(rng, bank, types[0], kind), b = unitShape(rng, bank, types[1], kind);
        wkPair pair = placeSomewhere(rng, &a, &b);
        wkSolution s;
        wkMeeting meeting = wkNewtonDistance(&pair, GAP * pair.scale, &s);
        if (meeting == wk_meetingApart) {
            checkApart(&pair, &s, i);
        } else if (meeting == wk_meetingOverlapping) {
            checkOverlapping(&pair, &s, i);
        }
        asked += kind == 0;
        answered += kind == 0 && meeting != wk_meetingUnknown;
    }
    UNIT_CHECK(answered > 0.9 * asked, &(wkShape){.type = types[1]}, "%d of %d answered", answered,
               asked);
}

static void answers_are_proven(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    wkShapeBank bank;
    wkShapeBank_Create(&bank, UNIT_SEED);
    for (size_t i = 0; i < PAIR_COUNT; ++i) {
        checkPair(&rng, &bank, curvedPairs[i]);
    }
    wkShapeBank_Destroy(&bank);
}

static void hulls_without_faces_have_no_inside(void** state)
{
    (void)state;
    wkVec3d points[2] = {{-0.3, 0.1, 0.2}, {0.4, 0.1, 0.2}};
    wkHullDef def = wkDefaultHullDef();
    def.points = points, def.pointCount = 2;
    wkHull* hull;
    assert_int_equal(wkHull_Create(&def, &hull), wk_ok);
    wkShape cylinder = wkMakeCylinder(0.5, 1.0), segment = wkMakeHull(hull);
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int i = 0; i < CASE_COUNT; ++i) {
        wkPair pair = placeSomewhere(&rng, &cylinder, &segment);
        wkSolution s;
        if (wkNewtonDistance(&pair, GAP * pair.scale, &s) == wk_meetingOverlapping) {
            checkOverlapping(&pair, &s, i);
        }
    }
    wkHull_Destroy(hull);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_proven),
        cmocka_unit_test(hulls_without_faces_have_no_inside),
    };
    return cmocka_run_group_tests_name("distances by approach", tests, NULL, NULL);
}
