// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Depths by features: no direction leads out of an overlap sooner, and the points are where the
// depth says. Every pair of the table that lists its ways out is looked at; directions are tried by
// brute force.

#include "unit.h"

#include "geom/hull.h"
#include "solve/core_support.h"
#include "solve/depth.h"

#define CASE_COUNT 1500
#define DIRECTION_COUNT 400
#define START_COUNT 6

// What rounding may do, as a share of wkPair.scale, and what points may be off by where rounding
// decides which features touch.
#define ROUNDING 1e-14
#define POINTS_OFF 3e-7

// How far B must move along the unit normal to be out of A.
static double depthAlong(const wkPair* pair, wkVec3d normal)
{
    wkCoreSupport support = wkMakeCoreSupport(pair);
    wkVec3d out = wkNeg(normal);
    return wkDot(out, wkCoreSupportAlong(&support, pair, out).w);
}

static wkPair makePair(const wkShape* a, const wkShape* b, wkQuat rotation, wkVec3d position)
{
    wkBall ballA = wkConvexTable[a->type].ball(a), ballB = wkConvexTable[b->type].ball(b);
    wkPair pair = {.a = a, .b = b, .bInA = {wkMatFromQuat(rotation), position}};
    pair.centers = wkSub(wkFramePoint(&pair.bInA, ballB.center), ballA.center);
    pair.inner = ballA.innerRadius + ballB.innerRadius;
    pair.scale = wkMaxAbs(position) + wkMaxAbs(ballA.center) + wkMaxAbs(ballB.center) +
                 ballA.radius + ballB.radius;
    return pair;
}

// Concentric, on an axis or anywhere, as far as the bodies overlap; turned freely, by right angles,
// or by all but right angles.
static wkPair placeOverlapping(wkRng* rng, const wkShape* a, const wkShape* b)
{
    wkQuat turn = wkRngChance(rng, 3) ? wkRngRightAngles(rng) : wkRngRotation(rng);
    if (wkRngChance(rng, 4)) {
        turn = wkRngRightAngles(rng);
        turn.x += wkRngLogRange(rng, 1e-16, 1e-2);
        turn.y -= wkRngLogRange(rng, 1e-16, 1e-2);
    }
    wkPair pair = makePair(a, b, turn, wkVec(0.0, 0.0, 0.0));
    wkVec3d direction = wkRngDirection(rng);
    direction = wkRngChance(rng, 4) ? wkVec(0.0, wkRngSign(rng), 0.0) : direction;
    double share = wkRngChance(rng, 4) ? wkRngLogRange(rng, 1e-16, 1e-2) : wkRngUnit(rng);
    double reach = wkMaxD(depthAlong(&pair, direction), 0.0);
    return makePair(a, b, turn, wkScale(share * reach, direction));
}

// Steps across the normal, shorter each time that none helps.
static double walkDown(wkRng* rng, const wkPair* pair, wkVec3d normal)
{
    double depth = depthAlong(pair, normal);
    for (double step = 0.1; step > 1e-7;) {
        wkVec3d side = wkCross(normal, wkRngDirection(rng));
        wkVec3d next[2] = {wkMulAdd(normal, step, side), wkMulSub(normal, step, side)};
        bool isBetter = false;
        for (int i = 0; i < 2; ++i) {
            wkVec3d unit = wkNormalizeOr(next[i], normal);
            double nextDepth = depthAlong(pair, unit);
            if (nextDepth < depth) {
                normal = unit, depth = nextDepth, isBetter = true;
            }
        }
        step *= isBetter ? 1.5 : 0.7;
    }
    return depth;
}

// An upper bound of the depth by trying many directions.
static double searchDepth(wkRng* rng, const wkPair* pair)
{
    double best = INFINITY;
    for (int start = 0; start < START_COUNT; ++start) {
        wkVec3d nearest = wkVec(0.0, 0.0, 1.0);
        double least = INFINITY;
        for (int i = 0; i < DIRECTION_COUNT / START_COUNT; ++i) {
            wkVec3d direction = wkRngDirection(rng);
            double depth = depthAlong(pair, direction);
            nearest = depth < least ? direction : nearest;
            least = wkMinD(least, depth);
        }
        best = wkMinD(best, walkDown(rng, pair, nearest));
    }
    return best;
}

static void checkPoints(const wkPair* pair, const wkSolution* s)
{
    double off = POINTS_OFF * pair->scale;
    wkVec3d localB = wkFrameLocal(&pair->bInA, s->pointB);
    assertVecNear(wkMulSub(s->pointB, s->distance, s->normal), s->pointA, off);
    assertNear(wkConvexTable[pair->a->type].project(pair->a, s->pointA).distance, 0.0, off);
    assertNear(wkConvexTable[pair->b->type].project(pair->b, localB).distance, 0.0, off);
}

// Large hulls and those without an inside are left to the general method.
static bool isListed(const wkShape* shape)
{
    return shape->type != wk_shapeHull ||
           (shape->hull->innerRadius > 0.0 && shape->hull->vertexCount <= 128);
}

static void checkPair(wkRng* rng, const wkShapeBank* bank, wkShapeType typeA, wkShapeType typeB)
{
    int answered = 0, asked = 0;
    for (int i = 0; i < CASE_COUNT; ++i) {
        wkShape a = unitShape(rng, bank, typeA, i % 3);
        wkShape b = unitShape(rng, bank, typeB, i % 5 % 3);
        wkPair pair = placeOverlapping(rng, &a, &b);
        double truth = searchDepth(rng, &pair);
        if (!(truth > 1e-6 * pair.scale) || !isListed(&a) || !isListed(&b)) {
            continue;
        }
        wkSolution s;
        asked += 1;
        if (!wkDepthTable[typeA][typeB](&pair, &s)) {
            continue;
        }
        answered += 1;
        double rounding = ROUNDING * pair.scale;
        UNIT_CHECK(-s.distance <= truth + rounding, &b, "case %d: depth %.17g, but there is %.17g",
                   i, -s.distance, truth);
        UNIT_CHECK(fabs(wkLength(s.normal) - 1.0) <= 1e-14, &b,
                   "case %d of %d-%d: the normal is %.17g long", i, (int)typeA, (int)typeB,
                   wkLength(s.normal));
        assertNear(depthAlong(&pair, s.normal), -s.distance, rounding);
        checkPoints(&pair, &s);
    }
    // features that lie along each other all but exactly are left to the general method, and so are
    // large hulls and thin ones
    assert_true(answered > (typeB == wk_shapeHull ? 0.8 : 0.9) * asked);
}

static void no_direction_leads_out_sooner(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    wkShapeBank bank;
    wkShapeBank_Create(&bank, UNIT_SEED);
    for (int a = 0; a < wk_shapeTypeCount; ++a) {
        for (int b = 0; b < wk_shapeTypeCount; ++b) {
            if (wkDepthTable[a][b] != NULL && wkDepthTable[a][b] != wkDepthByCover) {
                checkPair(&rng, &bank, (wkShapeType)a, (wkShapeType)b);
            }
        }
    }
    wkShapeBank_Destroy(&bank);
}

static void bodies_that_no_more_than_touch_are_left_alone(void** state)
{
    (void)state;
    wkShape box = wkMakeBox(0.5, 0.5, 0.5), cylinder = wkMakeCylinder(0.25, 0.5);
    wkQuat none = {0.0, 0.0, 0.0, 1.0};
    wkPair pair = makePair(&box, &cylinder, none, wkVec(0.5, 0.0, 0.0));
    wkSolution s;
    assert_false(wkDepthTable[wk_shapeBox][wk_shapeCylinder](&pair, &s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_direction_leads_out_sooner),
        cmocka_unit_test(bodies_that_no_more_than_touch_are_left_alone),
    };
    return cmocka_run_group_tests_name("depths by features", tests, NULL, NULL);
}
