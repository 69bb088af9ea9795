// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Depths without the expanding polytope: no direction leads out of an overlap sooner, and the points
// are where the depth says. Every pair of the table is looked at; directions are tried by brute
// force.

#include "unit_kit.h"

#include "solve/core_support.h"
#include "solve/depth_list/depth_hull.h"
#include "solve/depth_list/depth_list.h"

#include "whisker/detail/counts.h"

#define CASE_COUNT WK_CASES(2000)
#define DIRECTION_COUNT 160
#define START_COUNT 4
#define STEP_COUNT 400

// Shares of wkPair.scale: what rounding may do to a depth; what a cover may be off by, and what is
// not worth another minimum of two rims; what points may be off by where rounding decides which
// features touch.
#define ROUNDING 1e-14
#define COVER_OFF 1e-12
#define RIMS_OFF 1e-10
#define POINTS_OFF 3e-7

#define PI 3.14159265358979323846

// How far B must move along the unit normal to be out of A.
static double depthAlong(const wkPair* pair, wkVec3d normal)
{
    return wkDepthAlong(pair, wkNeg(normal));
}

static wkPair makePair(const wkShape* a, const wkShape* b, wkQuat rotation, wkVec3d position)
{
    wkInnerOuterSpheres sphereA = wkConvexTable[a->type].sphere(a),
                        sphereB = wkConvexTable[b->type].sphere(b);
    wkPair pair = {.a = a, .b = b, .bInA = {wkMatFromQuat(rotation), position}};
    pair.centers = wkSub(wkFramePoint(&pair.bInA, sphereB.center), sphereA.center);
    pair.inner = sphereA.innerRadius + sphereB.innerRadius;
    pair.scale = wkMaxAbs(position) + wkMaxAbs(sphereA.center) + wkMaxAbs(sphereB.center) +
                 sphereA.radius + sphereB.radius;
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
    double step = 0.1;
    for (int i = 0; i < STEP_COUNT && step > 1e-7; ++i) {
        wkVec3d side = wkCross(normal, wkRngDirection(rng));
        wkVec3d next[2] = {wkMulAdd(normal, step, side), wkMulSub(normal, step, side)};
        bool isBetter = false;
        for (int k = 0; k < 2; ++k) {
            wkVec3d unit = wkNormalizeOr(next[k], normal);
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
    assertVecNear(wkMulSub(s->pointB, s->distance, s->normal), s->pointA, off);
    wkVec3d localB = wkFrameLocal(&pair->bInA, s->pointB);
    assertNear(wkConvexTable[pair->a->type].project(pair->a, s->pointA).distance, 0.0, off);
    assertNear(wkConvexTable[pair->b->type].project(pair->b, localB).distance, 0.0, off);
}

static void checkSolution(const wkPair* pair, const wkSolution* s, double truth, double off)
{
    double depth = -s->distance;
    UNIT_CHECK(depth <= truth + off, pair->b, "type %d: the depth is %.17g, but there is %.17g",
               (int)pair->a->type, depth, truth);
    UNIT_CHECK(fabs(wkLength(s->normal) - 1.0) <= 1e-14, pair->b, "the normal is %.17g long",
               wkLength(s->normal));
    assertNear(depthAlong(pair, s->normal), depth, ROUNDING * pair->scale);
    checkPoints(pair, s);
}

// Large hulls and those without an inside are left to the general method.
static bool isListed(const wkShape* shape)
{
    return shape->type != wk_shapeHull || wkIsListedHull(shape->hull);
}

static void checkPair(wkRng* rng, const wkShapeBank* bank, wkShapeType typeA, wkShapeType typeB)
{
    wkDepthFcn* findDepth = wkDepthTable[typeA][typeB];
    double off = findDepth == wkGlobalDepth ? COVER_OFF : ROUNDING;
    off = findDepth == wkDepthRound ? RIMS_OFF : off;
    int answered = 0, asked = 0;
    for (int i = 0; i < CASE_COUNT; ++i) {
        wkShape a = unitShape(rng, bank, typeA, i % 3);
        wkShape b = unitShape(rng, bank, typeB, i % 5 % 3);
        wkPair pair = placeOverlapping(rng, &a, &b);
        double truth = isListed(&a) && isListed(&b) ? searchDepth(rng, &pair) : 0.0;
        if (!(truth > 1e-6 * pair.scale)) {
            continue;
        }
        wkSolution s;
        asked += 1;
        if (findDepth(&pair, &s)) {
            answered += 1;
            checkSolution(&pair, &s, truth, off * pair.scale);
        }
    }
    // features that lie along each other all but exactly are left to the general method, and so are
    // thin bodies, of which covers like fewer
    assert_true(answered > (findDepth == wkGlobalDepth ? 0.7 : 0.8) * asked);
}

static void no_direction_leads_out_sooner(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    wkShapeBank bank;
    wkShapeBank_Create(&bank, UNIT_SEED);
    for (int a = 0; a < WK_CONVEX_TYPE_COUNT; ++a) {
        for (int b = 0; b < WK_CONVEX_TYPE_COUNT; ++b) {
            if (wkDepthTable[a][b] != NULL) {
                checkPair(&rng, &bank, (wkShapeType)a, (wkShapeType)b);
            }
        }
    }
    wkShapeBank_Destroy(&bank);
}

// A prism (share 1) or a pyramid (share 0) over a regular polygon of radius r, 0.8 high.
static wkHull* makeUpright(int sides, double r, double share)
{
    wkVec3d points[2 * 16];
    for (int i = 0; i < sides; ++i) {
        double angle = 2.0 * PI * i / sides, x = r * cos(angle), y = r * sin(angle);
        points[i] = wkVec(x, y, -0.4);
        points[sides + i] = wkVec(share * x, share * y, 0.4);
    }
    wkHullDef def = wkDefaultHullDef();
    def.points = points;
    def.pointCount = 2 * sides;
    wkHull* hull;
    assert_int_equal(wkHull_Create(&def, &hull), wk_ok);
    return hull;
}

// An edge along the axis of a cone, which sees its rim as a circle.
static void edge_along_the_axis_leads_out(void** state)
{
    (void)state;
    wkHull* prism = makeUpright(16, 0.4, 1.0);
    wkShape cone = wkMakeCone(0.5, 0.6), hull = wkMakeHull(prism);
    wkQuat none = {0.0, 0.0, 0.0, 1.0};
    wkPair pair = makePair(&cone, &hull, none, wkVec(0.645, 0.0, 0.0));
    wkSolution s;
    assert_true(wkDepthConeHull(&pair, &s));
    assertNear(s.distance, -0.255, 1e-14);
    wkHull_Destroy(prism);
}

// An edge of a face that is level with the cap of a cylinder.
static void edge_of_a_level_face_leads_out(void** state)
{
    (void)state;
    wkHull* pyramid = makeUpright(5, 0.5, 0.0);
    wkShape cylinder = wkMakeCylinder(0.22, 0.73), hull = wkMakeHull(pyramid);
    wkQuat overRotated = {1.0, 0.0, 0.0, 0.0};
    double side = 0.5 * cos(0.2 * PI);
    wkPair pair = makePair(&cylinder, &hull, overRotated, wkVec(side - 0.002, 0.2278, -0.1026));
    wkSolution s;
    assert_true(wkDepthCylinderHull(&pair, &s));
    assertNear(s.distance, -0.222, 1e-14);
    wkHull_Destroy(pyramid);
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
        cmocka_unit_test(edge_along_the_axis_leads_out),
        cmocka_unit_test(edge_of_a_level_face_leads_out),
        cmocka_unit_test(bodies_that_no_more_than_touch_are_left_alone),
    };
    return cmocka_run_group_tests_name("depths", tests, NULL, NULL);
}
