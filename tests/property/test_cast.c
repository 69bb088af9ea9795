// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Casts of all pairs of convex shapes with motions of all kinds, against verdicts at many instants.

#include "cast_check.h"
#include "whisker/whisker.h"

typedef void makeFcn(wkRng* rng, const wkShapeBank* bank, wkShapeType a, wkShapeType b,
                     wkMovingPair* pair);
typedef void checkFcn(wkMovingPair* pair, uint64_t state);

// Checks random pairs of all ordered pairs of types.
static void forAllPairsOf(makeFcn* make, checkFcn* check, int count)
{
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int a = 1; a <= WK_SCENE_TYPE_COUNT; a++) {
        for (int b = 1; b <= WK_SCENE_TYPE_COUNT; b++) {
            for (int i = 0; i < wkKitCases(count); i++) {
                wkMovingPair pair;
                uint64_t state = rng.state;
                make(&rng, wkKitBank(), (wkShapeType)a, (wkShapeType)b, &pair);
                check(&pair, state);
            }
        }
    }
}

static void forAllPairs(checkFcn* check, int count)
{
    forAllPairsOf(wkMakeMovingPair, check, count);
}

static int boundCount, castCount;

static void checkInstants(wkMovingPair* pair, uint64_t state)
{
    wkCastResult r = castPair(pair);
    checkCast(pair, &r, 100, state);
    boundCount += r.status == wk_statusBound;
    castCount++;
}

static void casts_agree_with_all_instants(void** state)
{
    (void)state;
    boundCount = castCount = 0;
    forAllPairs(checkInstants, 40);

    // the limit of iterations is met where the gap of a motion without known accelerations stays tiny
    assert_true(boundCount <= 1 + castCount / 1000);
}

static void close_casts_agree_with_all_instants(void** state)
{
    (void)state;
    boundCount = castCount = 0;
    forAllPairsOf(wkMakeCloseMovingPair, checkInstants, 30);

    // bodies without thickness touch for too short a time
    assert_true(boundCount <= 5 + castCount / 50);
}

static wkCastResult castSwapped(const wkMovingPair* pair)
{
    wkCastRequest request = wkDefaultCastRequest();
    request.margin = pair->margin;
    return wkCast(&pair->b, &pair->motionB.motion, &pair->a, &pair->motionA.motion, &request);
}

// Fails when two casts of the same bodies differ by more than their brackets.
static void checkSame(const wkMovingPair* pair, uint64_t state, const wkCastResult* a,
                      const wkCastResult* b)
{
    bool isDecided = a->status != wk_statusBound && b->status != wk_statusBound;
    bool isSame = a->isTouching == b->isTouching && fabs(a->time - b->time) <= 2e-6;
    if (isDecided && !isSame) {
        printMovingPair(pair, state);
        fail_msg("touching %d from %.17g, and %d from %.17g", (int)a->isTouching, a->time,
                 (int)b->isTouching, b->time);
    }
}

static void checkOrder(wkMovingPair* pair, uint64_t state)
{
    wkCastResult a = castPair(pair), b = castSwapped(pair);
    checkSame(pair, state, &a, &b);
}

static void order_makes_no_difference(void** state)
{
    (void)state;
    forAllPairs(checkOrder, 10);
}

// Wraps a motion: the same poses in another frame of the world, or backwards.
typedef struct wrapping {
    const wkBodyMotion* motion;
    wkPose frame;
    bool isBackwards;
} wrapping;

static wkPose wrappedPoseAt(double t, void* context)
{
    const wrapping* w = (const wrapping*)context;
    return wkMulPose(w->frame, wkBodyMotion_PoseAt(w->motion, w->isBackwards ? 1.0 - t : t));
}

// A linear or screw motion as a function with its own rates.
static wkBodyMotion wrap(const wkSceneMotion* scene, wrapping* w)
{
    wkVec3d way = wkSceneSub(scene->swing.end.position, scene->swing.start.position);
    double length = 1.5708 * wkSceneLength(way) + 1e-12, angle = 3.1416;
    wkBodyMotion motion = wkMakeFunctionMotion(wrappedPoseAt, w, length, angle);
    motion.function.maxAcceleration = length * angle;
    motion.function.maxAngularAcceleration = 0.0;
    return motion;
}

static wkCastResult castWrapped(const wkMovingPair* pair, wkPose frame, bool isBackwards)
{
    wkCastRequest request = wkDefaultCastRequest();
    request.margin = pair->margin;
    wrapping a = {&pair->motionA.motion, frame, isBackwards};
    wrapping b = {&pair->motionB.motion, frame, isBackwards};
    wkBodyMotion motionA = wrap(&pair->motionA, &a), motionB = wrap(&pair->motionB, &b);
    return wkCast(&pair->a, &motionA, &pair->b, &motionB, &request);
}

static bool hasTwoPoses(const wkSceneMotion* scene)
{
    return scene->motion.kind == wk_bodyMotionLinear || scene->motion.kind == wk_bodyMotionScrew;
}

static void checkFrame(wkMovingPair* pair, uint64_t state)
{
    if (hasTwoPoses(&pair->motionA) && hasTwoPoses(&pair->motionB)) {
        wkRng rng = wkMakeRng(state);
        wkPose frame = {wkSceneScale(wkRngDirection(&rng), 10.0), wkRngRotation(&rng)};
        wkCastResult a = castPair(pair), b = castWrapped(pair, frame, false);
        checkSame(pair, state, &a, &b);
    }
}

static void frame_of_the_world_makes_no_difference(void** state)
{
    (void)state;
    forAllPairs(checkFrame, 30);
}

static void checkBackwards(wkMovingPair* pair, uint64_t state)
{
    if (hasTwoPoses(&pair->motionA) && hasTwoPoses(&pair->motionB)) {
        wkCastResult a = castPair(pair), b = castWrapped(pair, wkIdentityPose(), true);
        bool isDecided = a.status != wk_statusBound && b.status != wk_statusBound;
        if (isDecided && a.isTouching != b.isTouching) {
            printMovingPair(pair, state);
            fail_msg("touching %d, backwards %d", (int)a.isTouching, (int)b.isTouching);
        }

        // backwards the last contact is the first: it is no earlier than the first one
        if (isDecided && a.isTouching && !(1.0 - b.time >= a.time)) {
            printMovingPair(pair, state);
            fail_msg("first contact at %.17g, last one at %.17g", a.time, 1.0 - b.time);
        }
    }
}

static void backwards_is_as_free(void** state)
{
    (void)state;
    forAllPairs(checkBackwards, 30);
}

static void checkMargin(wkMovingPair* pair, uint64_t state)
{
    wkCastResult a = castPair(pair);
    pair->margin += 0.05;
    wkCastResult b = castPair(pair);
    bool isDecided = a.status != wk_statusBound && b.status != wk_statusBound;
    bool isEarlier = b.time <= a.time + 1e-6 && (b.isTouching || !a.isTouching);
    if (isDecided && !isEarlier) {
        printMovingPair(pair, state);
        fail_msg("contact at %.17g, with a larger margin at %.17g", a.time, b.time);
    }
}

static void larger_margins_touch_earlier(void** state)
{
    (void)state;
    forAllPairs(checkMargin, 10);
}

// Few iterations give an earlier time, a larger tolerance one that is earlier by no more than it.
static void checkLimits(wkMovingPair* pair, uint64_t state)
{
    wkCastRequest request = wkDefaultCastRequest();
    request.margin = pair->margin;
    wkCastResult whole = castPair(pair);
    request.maxIterations = 3;
    wkCastResult few =
        wkCast(&pair->a, &pair->motionA.motion, &pair->b, &pair->motionB.motion, &request);
    bool isLater = few.time > whole.time + 1e-6 && whole.status != wk_statusBound;
    bool isMany = few.iterations > 5;
    if (isLater || isMany ||
        (whole.isTouching && !few.isTouching && whole.status != wk_statusBound)) {
        printMovingPair(pair, state);
        fail_msg("free until %.17g with 3 queries, %.17g with all", few.time, whole.time);
    }
    request = wkDefaultCastRequest();
    request.margin = pair->margin;
    request.tolerance = 0.01;
    wkCastResult coarse =
        wkCast(&pair->a, &pair->motionA.motion, &pair->b, &pair->motionB.motion, &request);
    bool isDecided = coarse.status != wk_statusBound && whole.status != wk_statusBound;
    bool isNear = coarse.isTouching == whole.isTouching && coarse.time <= whole.time + 2e-6 &&
                  coarse.time >= whole.time - 0.01 - 1e-6;
    if (isDecided && !isNear) {
        printMovingPair(pair, state);
        fail_msg("contact at %.17g, with a tolerance of 0.01 at %.17g", whole.time, coarse.time);
    }
}

static void limits_are_on_the_safe_side(void** state)
{
    (void)state;
    forAllPairs(checkLimits, 10);
}

// A plane rotates while a small sphere passes near its axis: seen from the plane, the sphere is on a curve that
// bends with the product of both speeds.
static void rotating_planes_miss_no_sphere_near_their_axis(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int i = 0; i < wkKitCases(10000); i++) {
        uint64_t before = rng.state;
        wkMovingPair pair = {.margin = 0.0};
        pair.a = wkMakePlane(wkRngDirection(&rng), 0.0);
        pair.b = wkMakeSphere(wkRngRange(&rng, 1e-4, 1e-2));
        wkPose start = {{0.0, 0.0, 0.0}, wkRngRotation(&rng)}, end = start;
        end.rotation = wkRngRotation(&rng);
        pair.motionA.motion = wkMakeLinearMotion(start, end);
        wkVec3d way = wkSceneScale(wkRngDirection(&rng), wkRngLogRange(&rng, 0.1, 10.0));
        wkVec3d from = wkSceneScale(wkRngDirection(&rng), wkRngLogRange(&rng, 1e-2, 1.0));
        wkPose startB = {from, wkIdentityPose().rotation};
        wkPose endB = {wkSceneAdd(from, way), wkIdentityPose().rotation};
        pair.motionB.motion = wkMakeLinearMotion(startB, endB);
        wkCastResult r = castPair(&pair);
        checkCast(&pair, &r, 40, before);
    }
}

// Moves A away, to where B is, or about; B to where A is, or not at all.
static wkPose randomEnd(wkRng* rng, wkPose from, wkPose other, double scale)
{
    wkPose end = wkRngChance(rng, 2) ? from : other;
    end.rotation = wkRngChance(rng, 2) ? from.rotation : wkRngRotation(rng);
    wkVec3d aside = wkSceneScale(wkRngDirection(rng), scale * wkRngLogRange(rng, 1e-6, 3.0));
    end.position = wkRngChance(rng, 2) ? end.position : wkSceneAdd(end.position, aside);
    return end;
}

static wkBodyMotion randomEnds(wkRng* rng, wkPose start, wkPose end)
{
    wkQuat q = start.rotation;
    double length = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    start.rotation = fabs(length - 1.0) < 1e-6 ? q : wkMulPose(wkIdentityPose(), start).rotation;
    end.rotation = wkMulPose(wkIdentityPose(), end).rotation;
    return wkRngChance(rng, 2) ? wkMakeLinearMotion(start, end) : wkMakeScrewMotion(start, end);
}

// Difficult scenes: what starts near, parallel, huge, tiny or far from the origin moves on.
static bool castsAreSafe(const wkScenePair* scene, uint64_t seed, wkMessage* message)
{
    wkRng rng = wkMakeRng(seed);
    double scale = wkPairScale(scene);
    wkPose endA = randomEnd(&rng, scene->poseA, scene->poseB, scale);
    wkPose endB = randomEnd(&rng, scene->poseB, scene->poseA, scale);
    wkMovingPair pair = {.a = scene->a, .b = scene->b, .margin = 0.0};
    pair.motionA.motion = randomEnds(&rng, scene->poseA, endA);
    pair.motionB.motion = randomEnds(&rng, scene->poseB, endB);
    wkCastResult r = castPair(&pair);
    if (r.status == wk_statusInvalid || r.iterations > 1010) {
        return wkBroken(message, "%s after %d queries", wkStatusName(r.status), (int)r.iterations);
    }
    bool isBracket = r.touchingBy - r.time <= 1e-6 && wkMovingPair_TouchesAt(&pair, r.touchingBy);
    if (r.status == wk_statusExact && r.isTouching && !isBracket) {
        return wkBroken(message, "bracket from %.17g to %.17g", r.time, r.touchingBy);
    }
    for (int i = 0; i < 30 && r.time > 0.0; i++) {
        double t = r.time * (i % 2 == 0 ? i / 30.0 : wkRngUnit(&rng));
        double distance = wkMovingPair_DistanceAt(&pair, t).distance;
        if (distance <= -CAST_PRECISION * scale) {
            return wkBroken(message, "distance %.17g at %.17g, free until %.17g", distance, t,
                            r.time);
        }
    }
    return true;
}

static void difficult_casts_are_safe(void** state)
{
    (void)state;
    wkCheckLaw("difficult_casts_are_safe", castsAreSafe, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(casts_agree_with_all_instants),
        cmocka_unit_test(close_casts_agree_with_all_instants),
        cmocka_unit_test(order_makes_no_difference),
        cmocka_unit_test(frame_of_the_world_makes_no_difference),
        cmocka_unit_test(backwards_is_as_free),
        cmocka_unit_test(larger_margins_touch_earlier),
        cmocka_unit_test(limits_are_on_the_safe_side),
        cmocka_unit_test(rotating_planes_miss_no_sphere_near_their_axis),
        cmocka_unit_test(difficult_casts_are_safe),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    wkKitEnd();
    return failures;
}
