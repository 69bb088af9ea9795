// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Bounds on the distance of two bounding volumes: never above the truth, and tight where they can be.

#include "volume_kit.h"

static wkFrame inverse(const wkFrame* frame)
{
    const wkMat3d* r = &frame->rotation;
    wkFrame back = {{wkVec(r->x.x, r->y.x, r->z.x), wkVec(r->x.y, r->y.y, r->z.y),
                     wkVec(r->x.z, r->y.z, r->z.z)},
                    wkNeg(wkMulTMV(r, frame->position))};
    return back;
}

// Smallest distance between a point of A and one of B, some of them between two points of a set.
static double sampledDistance(wkRng* rng, const wkFitted* a, const wkFitted* b, const wkFrame* bInA)
{
    double best = INFINITY;
    for (int32_t i = 0; i < a->count; ++i) {
        for (int32_t k = 0; k < b->count; ++k) {
            wkVec3d p = wkLerp(a->points[i], a->points[wkRngBelow(rng, a->count)],
                               wkRngChance(rng, 2) ? wkRngUnit(rng) : 0.0);
            wkVec3d q = wkLerp(b->points[k], b->points[wkRngBelow(rng, b->count)],
                               wkRngChance(rng, 2) ? wkRngUnit(rng) : 0.0);
            best = wkMinD(best, wkLength(wkSub(wkFramePoint(bInA, q), p)));
        }
    }
    return best;
}

static void bound_is_never_above_the_distance(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 3);
    FOR_EACH_KIND(kind)
    {
        const wkVolumeRow* row = &wkVolumeTable[kind];
        FOR_EACH_SET(setA)
        {
            FOR_EACH_SET(setB)
            {
                for (int i = 0; i < 20; ++i) {
                    wkFitted a = makeFitted(&rng, kind, setA), b = makeFitted(&rng, kind, setB);
                    double size = reachOf(&a) + reachOf(&b);
                    wkFrame bInA = randomFrame(&rng, size * wkRngLogRange(&rng, 0.1, 100.0));
                    wkFrame aInB = inverse(&bInA);
                    double bound = row->distance(&bInA, a.volume, b.volume);
                    double back = row->distance(&aInB, b.volume, a.volume);
                    double truth = sampledDistance(&rng, &a, &b, &bInA);
                    double slack = 1e-15 * (size + wkMaxAbs(bInA.position));
                    if (!(bound >= 0.0 && bound <= truth + slack && back <= truth + slack)) {
                        fail_msg("%s, sets %d and %d: bounds %.17g and %.17g, distance %.17g",
                                 row->name, (int)setA, (int)setB, bound, back, truth);
                    }
                }
            }
        }
    }
}

static void bound_is_zero_where_points_meet(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 4);
    FOR_EACH_KIND(kind)
    {
        FOR_EACH_SET(setA)
        {
            FOR_EACH_SET(setB)
            {
                for (int i = 0; i < 20; ++i) {
                    wkFitted a = makeFitted(&rng, kind, setA), b = makeFitted(&rng, kind, setB);
                    wkFrame bInA = randomFrame(&rng, 0.0);
                    wkVec3d meeting = a.points[wkRngBelow(&rng, a.count)];
                    wkVec3d other = b.points[wkRngBelow(&rng, b.count)];
                    bInA.position = wkSub(meeting, wkMulMV(&bInA.rotation, other));
                    double bound = wkVolumeTable[kind].distance(&bInA, a.volume, b.volume);
                    assertNear(bound, 0.0, 1e-15 * (reachOf(&a) + reachOf(&b)));
                }
            }
        }
    }
}

static double boxDistance(wkPose bInA, wkVec3d halfA, wkVec3d halfB)
{
    wkShape a = wkMakeBox(2.0 * halfA.x, 2.0 * halfA.y, 2.0 * halfA.z);
    wkShape b = wkMakeBox(2.0 * halfB.x, 2.0 * halfB.y, 2.0 * halfB.z);
    return wkPositive(wkDistance(&a, wkIdentityPose(), &b, bInA, NULL).distance);
}

static void bound_is_tight_for_boxes_far_apart(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 5);
    FOR_EACH_KIND(kind)
    {
        for (int i = 0; i < 500; ++i) {
            wkVec3d halfA = wkVec(1.0, wkRngRange(&rng, 0.3, 1.0), wkRngRange(&rng, 0.05, 0.3));
            wkVec3d halfB = wkVec(1.0, wkRngRange(&rng, 0.3, 1.0), wkRngRange(&rng, 0.05, 0.3));
            wkFitted a = boxVertices(kind, halfA), b = boxVertices(kind, halfB);
            wkPose pose = randomPose(&rng, 8.0);
            wkFrame bInA = wkFrameFromPose(pose);
            double truth = boxDistance(pose, halfA, halfB);
            double bound = wkVolumeTable[kind].distance(&bInA, a.volume, b.volume);
            if (!(bound >= kindTable[kind].leastShare * truth)) {
                fail_msg("%s: bound %g, distance %g", wkVolumeTable[kind].name, bound, truth);
            }
        }
    }
}

// A rectangle searched for by itself: near contact too the bound is the distance.
static void bound_is_the_distance_of_rectangles(void** state)
{
    (void)state;
    static const wkVolumeKind kinds[3] = {wk_volumeObb, wk_volumeRss, wk_volumeObbRss};
    wkRng rng = wkMakeRng(UNIT_SEED + 10);
    for (int i = 0; i < 3000; ++i) {
        wkVolumeKind kind = kinds[i % 3];
        wkVec3d halfA = wkVec(1.0, wkRngRange(&rng, 0.0, 1.0), 0.0);
        wkVec3d halfB = wkVec(1.0, wkRngRange(&rng, 0.0, 1.0), 0.0);
        wkFitted a = boxVertices(kind, halfA), b = boxVertices(kind, halfB);
        wkPose pose = randomPose(&rng, wkRngRange(&rng, 0.1, 4.0));
        wkFrame bInA = wkFrameFromPose(pose), aInB = inverse(&bInA);
        double truth = boxDistance(pose, halfA, halfB);
        double bound = wkVolumeTable[kind].distance(&bInA, a.volume, b.volume);
        double back = wkVolumeTable[kind].distance(&aInB, b.volume, a.volume);
        double least = (kind == wk_volumeObb ? 0.7 : 0.98) * truth - 1e-6;
        if (!(bound <= truth + 1e-14 && wkMinD(bound, back) >= least)) {
            fail_msg("%s: bounds %g and %g, distance %g", wkVolumeTable[kind].name, bound, back,
                     truth);
        }
    }
}

// A plate above a larger one, closer than rounding can turn a direction and nearly parallel: the
// lowest vertex is the nearest, and its height is known.
static void bound_of_close_plates_is_not_above_their_distance(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 11);
    FOR_EACH_KIND(kind)
    {
        wkFitted a = boxVertices(kind, wkVec(2.0, 2.0, 0.0));
        wkFitted b = boxVertices(kind, wkVec(1.0, 0.5, 0.0));
        for (int i = 0; i < 2000; ++i) {
            double angle = wkRngRange(&rng, 0.0, 7.0), tilt = wkRngLogRange(&rng, 1e-17, 1e-2);
            wkQuat turn = {sin(angle) * tilt, cos(angle) * tilt, wkRngRange(&rng, 0.0, 0.1), 1.0};
            wkFrame bInA = {wkMatFromQuat(turn), {0.3, -0.2, wkRngLogRange(&rng, 1e-14, 1e-2)}};
            long double lowest = 1.0L;
            for (int32_t k = 0; k < b.count; ++k) {
                lowest = fminl(lowest, (long double)bInA.rotation.x.z * b.points[k].x +
                                           (long double)bInA.rotation.y.z * b.points[k].y +
                                           bInA.position.z);
            }
            double bound = wkVolumeTable[kind].distance(&bInA, a.volume, b.volume);
            wkFrame aInB = inverse(&bInA);
            double back = wkVolumeTable[kind].distance(&aInB, b.volume, a.volume);
            assert_true(bound <= fmaxl(lowest, 0.0L));
            assert_true(back <= fmaxl(lowest, 0.0L));
        }
    }
}

static void boxes_of_all_kinds_bound_each_other(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 12);
    FOR_EACH_KIND(kindA)
    {
        FOR_EACH_KIND(kindB)
        {
            for (int i = 0; i < 100; ++i) {
                wkFitted a = makeFitted(&rng, kindA, wk_setBox);
                wkFitted b = makeFitted(&rng, kindB, wk_setNeedle);
                wkFrame bInA = randomFrame(&rng, wkRngRange(&rng, 0.0, 12.0));
                wkObb boxA = wkVolumeTable[kindA].box(a.volume);
                wkObb boxB = wkVolumeTable[kindB].box(b.volume);
                double truth = sampledDistance(&rng, &a, &b, &bInA);
                assert_true(wkObbDistance(&bInA, &boxA, &boxB) <= truth + 1e-14);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bound_is_never_above_the_distance),
        cmocka_unit_test(bound_is_zero_where_points_meet),
        cmocka_unit_test(bound_is_tight_for_boxes_far_apart),
        cmocka_unit_test(bound_is_the_distance_of_rectangles),
        cmocka_unit_test(bound_of_close_plates_is_not_above_their_distance),
        cmocka_unit_test(boxes_of_all_kinds_bound_each_other),
    };
    return cmocka_run_group_tests_name("volume_bounds", tests, NULL, NULL);
}
