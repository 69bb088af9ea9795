// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Bounding volumes, all kinds alike: nothing is left outside, no bound is above the truth, and both
// hold to the last bit, so they are checked in long double against the floats that are stored.

#include "exact_volume.h"
#include "unit_kit.h"

#include "bv/volume.h"
#include "whisker/detail/counts.h"
#include "whisker/query.h"

#include <float.h>

#define MAX_POINTS 60

// A set of points of one body, and the axes and volume fitted around them.
typedef struct wkFitted {
    wkVec3d points[MAX_POINTS];
    int32_t count;
    _Alignas(8) char volume[WK_VOLUME_BYTES];
} wkFitted;

typedef enum wkSetKind {
    wk_setSphere,
    wk_setBox,
    wk_setPlate,
    wk_setNeedle,
    wk_setFlat,
    wk_setLine,
    wk_setSame,
    wk_setOne,
    wk_setTiny,
    wk_setVanishing,
    wk_setHuge,
    wk_setFar,
    wk_setKindCount,
} wkSetKind;

// What the points of a set are multiplied with and how far they are moved.
typedef struct wkSetRow {
    wkVec3d stretch;
    double scale;
    double offset;
    int32_t count;
} wkSetRow;

// clang-format off
static const wkSetRow setTable[wk_setKindCount] = {
    //                   stretch            scale   offset count
    [wk_setSphere]      = {{1.0, 1.0, 1.0},   1.0,    3.0,   30},
    [wk_setBox]       = {{1.0, 0.7, 0.4},   1.0,    3.0,   30},
    [wk_setPlate]     = {{1.0, 0.7, 1e-9},  1.0,    3.0,   30},
    [wk_setNeedle]    = {{1.0, 1e-3, 1e-6}, 1.0,    3.0,   30},
    [wk_setFlat]      = {{1.0, 0.7, 0.0},   1.0,    3.0,   30},
    [wk_setLine]      = {{1.0, 0.0, 0.0},   1.0,    3.0,   30},
    [wk_setSame]      = {{0.0, 0.0, 0.0},   1.0,    3.0,   30},
    [wk_setOne]       = {{1.0, 1.0, 1.0},   1.0,    3.0,   1},
    [wk_setTiny]      = {{1.0, 0.7, 0.4},   1e-30,  0.0,   30},
    [wk_setVanishing] = {{1.0, 0.7, 0.4},   1e-300, 0.0,   30},
    [wk_setHuge]      = {{1.0, 0.7, 0.4},   1e15,   0.0,   30},
    [wk_setFar]       = {{1.0, 0.7, 0.4},   1.0,    1e12,  30},
};
// clang-format on

static wkVec3d inCube(wkRng* rng)
{
    return wkVec(wkRngRange(rng, -1.0, 1.0), wkRngRange(rng, -1.0, 1.0),
                 wkRngRange(rng, -1.0, 1.0));
}

static void fillSet(wkRng* rng, wkSetKind kind, wkFitted* set)
{
    const wkSetRow* row = &setTable[kind];
    bool isRotated = !wkRngChance(rng, 4);
    wkMat3d turn = wkMatFromQuat(isRotated ? wkRngRotation(rng) : wkRngRightAngles(rng));
    wkVec3d offset = wkScale(wkRngRange(rng, 0.0, row->offset), wkRngDirection(rng));
    set->count = row->count;
    for (int32_t i = 0; i < set->count; ++i) {
        wkVec3d p = kind == wk_setSphere ? wkRngDirection(rng) : inCube(rng);
        p = wkScale(row->scale, wkMulVec(row->stretch, p));
        set->points[i] = wkAdd(wkMulMV(&turn, p), offset);
    }
}

static void fitSet(wkVolumeKind kind, wkFitted* set)
{
    wkMat3d axes = wkFitAxes(set->points, set->count);
    wkVolumeTable[kind].fit(set->points, set->count, &axes, set->volume);
}

static wkFitted makeFitted(wkRng* rng, wkVolumeKind kind, wkSetKind setKind)
{
    wkFitted set;
    memset(&set, 0, sizeof set);
    fillSet(rng, setKind, &set);
    fitSet(kind, &set);
    if (wkRngChance(rng, 4)) {
        // a rule of the user's own may choose any axes
        wkMat3d axes = wkMatFromQuat(wkRngRotation(rng));
        wkVolumeTable[kind].fit(set.points, set.count, &axes, set.volume);
    }
    return set;
}

// Scale of the numbers in a set.
static double reachOf(const wkFitted* set)
{
    double reach = 0.0;
    for (int32_t i = 0; i < set->count; ++i) {
        reach = wkMaxD(reach, wkMaxAbs(set->points[i]));
    }
    return reach;
}

// What is expected of each kind.
typedef struct wkKindRow {
    bool (*isIn)(const void* volume, wkVec3d point);
    double leastShare; // of the true distance of turned boxes far apart
} wkKindRow;

// clang-format off
static const wkKindRow kindTable[WK_VOLUME_KIND_COUNT] = {
    [wk_volumeAabb]   = {isInAabb,   0.80},
    [wk_volumeObb]    = {isInObb,    0.90},
    [wk_volumeRss]    = {isInRss,    0.92},
    [wk_volumeObbRss] = {isInObbRss, 0.95},
    [wk_volumeKdop16] = {isInKdop16, 0.80},
    [wk_volumeKdop18] = {isInKdop18, 0.80},
    [wk_volumeKdop24] = {isInKdop24, 0.80},
    [wk_volumeSphere] = {isInSphere,   0.60},
};
// clang-format on

#define FOR_EACH_KIND(kind)                                                                        \
    for (wkVolumeKind kind = wk_volumeAabb; kind < WK_VOLUME_KIND_COUNT; ++kind)
#define FOR_EACH_SET(setKind)                                                                      \
    for (wkSetKind setKind = wk_setSphere; setKind < wk_setKindCount; ++setKind)

static void expectAllIn(wkVolumeKind kind, int setKind, const void* volume, const wkFitted* set)
{
    for (int32_t i = 0; i < set->count; ++i) {
        if (!kindTable[kind].isIn(volume, set->points[i])) {
            fail_msg("%s, set %d: point %d (%.17g %.17g %.17g) is outside",
                     wkVolumeTable[kind].name, setKind, i, set->points[i].x, set->points[i].y,
                     set->points[i].z);
        }
    }
}

static void fit_leaves_no_point_outside(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    FOR_EACH_KIND(kind)
    {
        FOR_EACH_SET(setKind)
        {
            for (int i = 0; i < 200; ++i) {
                wkFitted set = makeFitted(&rng, kind, setKind);
                expectAllIn(kind, (int)setKind, set.volume, &set);
            }
        }
    }
}

static void box_is_around_the_volume(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 1);
    FOR_EACH_KIND(kind)
    {
        FOR_EACH_SET(setKind)
        {
            for (int i = 0; i < 50; ++i) {
                wkFitted set = makeFitted(&rng, kind, setKind);
                wkObb box = wkVolumeTable[kind].box(set.volume);
                double size = wkVolumeTable[kind].size(set.volume);
                assert_true(size >= 0.0 && size >= 2.0 * wkMaxAbs(box.half) * (1.0 - 1e-6));
                double slack = 1e-15 * (reachOf(&set) + wkMaxAbs(box.half));
                for (int32_t k = 0; k < set.count; ++k) {
                    wkVec3d local = wkAbs(wkFrameLocal(&box.frame, set.points[k]));
                    wkVec3d beyond = wkSub(local, box.half);
                    assert_true(beyond.x <= slack && beyond.y <= slack && beyond.z <= slack);
                }
            }
        }
    }
}

static void merge_holds_both(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 2);
    FOR_EACH_KIND(kind)
    {
        FOR_EACH_SET(setA)
        {
            FOR_EACH_SET(setB)
            {
                for (int i = 0; i < 10; ++i) {
                    wkFitted a = makeFitted(&rng, kind, setA), b = makeFitted(&rng, kind, setB);
                    _Alignas(8) char merged[WK_VOLUME_BYTES], again[WK_VOLUME_BYTES];
                    wkVolumeTable[kind].merge(a.volume, b.volume, merged);
                    expectAllIn(kind, (int)setA, merged, &a);
                    expectAllIn(kind, (int)setB, merged, &b);
                    // into one of the two
                    memcpy(again, a.volume, sizeof again);
                    wkVolumeTable[kind].merge(again, b.volume, again);
                    assert_memory_equal(again, merged, wkVolumeTable[kind].byteCount);
                }
            }
        }
    }
}

static wkPose randomPose(wkRng* rng, double distance)
{
    bool isRotated = !wkRngChance(rng, 3);
    wkPose pose = {wkScale(distance, wkRngDirection(rng)),
                   isRotated ? wkRngRotation(rng) : wkRngRightAngles(rng)};
    return pose;
}

static wkFrame randomFrame(wkRng* rng, double distance)
{
    return wkFrameFromPose(randomPose(rng, distance));
}

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

// Vertices of a box about the origin.
static wkFitted boxVertices(wkVolumeKind kind, wkVec3d half)
{
    static const int32_t triangles[12][3] = {{0, 1, 3}, {0, 3, 2}, {4, 5, 7}, {4, 7, 6},
                                             {0, 1, 5}, {0, 5, 4}, {2, 3, 7}, {2, 7, 6},
                                             {0, 2, 6}, {0, 6, 4}, {1, 3, 7}, {1, 7, 5}};
    wkFitted set;
    memset(&set, 0, sizeof set);
    set.count = 36;
    for (int32_t i = 0; i < set.count; ++i) {
        int vertex = triangles[i / 3][i % 3];
        set.points[i] = wkVec(vertex & 1 ? half.x : -half.x, vertex & 2 ? half.y : -half.y,
                              vertex & 4 ? half.z : -half.z);
    }
    fitSet(kind, &set);
    return set;
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

static void boxes_fit_boxes(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 6);
    for (int i = 0; i < 100; ++i) {
        wkVec3d half = wkVec(1.0, wkRngRange(&rng, 0.4, 0.8), wkRngRange(&rng, 0.05, 0.3));
        wkFitted set = boxVertices(wk_volumeObb, half);
        wkFrame frame = randomFrame(&rng, 10.0);
        for (int32_t k = 0; k < set.count; ++k) {
            set.points[k] = wkFramePoint(&frame, set.points[k]);
        }
        fitSet(wk_volumeObb, &set);
        wkObb box = wkVolumeTable[wk_volumeObb].box(set.volume);
        assertNear(box.half.x * box.half.y * box.half.z, half.x * half.y * half.z, 1e-4);
    }
}

static void spheres_are_the_smallest(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 7);
    for (int i = 0; i < 100; ++i) {
        // a sphere through the vertices of a box, with points inside it
        wkFitted set = boxVertices(wk_volumeSphere, wkVec(1.0, 2.0, 3.0));
        for (int32_t k = set.count; k < MAX_POINTS; ++k) {
            set.points[k] = wkScale(3.5 * wkRngUnit(&rng), wkRngDirection(&rng));
        }
        set.count = MAX_POINTS;
        fitSet(wk_volumeSphere, &set);
        assertNear(wkVolumeTable[wk_volumeSphere].size(set.volume), 2.0 * sqrt(14.0), 1e-4);
    }
}

static void made_axes_are_orthonormal(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 8);
    wkVec3d directions[2] = {{0.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
    wkMat3d axes;
    assert_false(wkMakeAxes(directions, &axes));
    directions[0] = wkVec(0.0, 2.0, 0.0);
    assert_false(wkMakeAxes(directions, &axes));
    directions[0] = wkVec(NAN, 2.0, 0.0);
    assert_false(wkMakeAxes(directions, &axes));
    directions[0] = wkVec(INFINITY, 2.0, 0.0);
    assert_false(wkMakeAxes(directions, &axes));
    directions[0] = wkVec(0.0, 0.0, 1.0);
    directions[1] = wkVec(NAN, 0.0, 0.0);
    assert_false(wkMakeAxes(directions, &axes));
    for (int i = 0; i < 1000; ++i) {
        directions[0] = wkScale(wkRngLogRange(&rng, 1e-200, 1e200), wkRngDirection(&rng));
        directions[1] = wkScale(wkRngLogRange(&rng, 1e-200, 1e200), wkRngDirection(&rng));
        assert_true(wkMakeAxes(directions, &axes));
        assertNear(wkLength(axes.x), 1.0, 1e-15);
        assertNear(wkLength(axes.y), 1.0, 1e-15);
        assertNear(wkDot(axes.x, axes.y), 0.0, 1e-15);
        assertVecNear(wkCross(axes.x, axes.y), axes.z, 1e-15);
    }
}

static void floats_are_next_to_their_doubles(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 9);
    for (int i = 0; i < 100000; ++i) {
        double value = wkRngSign(&rng) * wkRngLogRange(&rng, 1e-60, 1e38);
        float down = wkRoundDown(value), up = wkRoundUp(value);
        assert_true((double)down <= value && value <= (double)up);
        double apart = (double)up - (double)down;
        assert_true(apart <= 4.0 * (double)FLT_EPSILON * fabs(value) + 2.0 * (double)FLT_MIN);
    }
    assert_true(wkRoundDown(0.0) == 0.0f && wkRoundUp(0.0) == 0.0f);
    assert_true(wkRoundUp(1e-300) > 0.0f && wkRoundDown(-1e-300) < 0.0f);
    assert_true(wkRoundUp(-1e-300) == 0.0f && wkRoundDown(1e-300) == 0.0f);
    assert_true(wkRoundUp(1.5) == 1.5f && wkRoundDown(-1.5) == -1.5f);
}

static void names_lead_back_to_kinds(void** state)
{
    (void)state;
    FOR_EACH_KIND(kind)
    {
        wkVolumeKind found = wk_volumeAabb;
        assert_int_equal(wkVolumeKindFromName(wkVolumeKindName(kind), &found), wk_ok);
        assert_int_equal(found, kind);
        assert_true(wkVolumeTable[kind].byteCount <= WK_VOLUME_BYTES);
    }
    wkVolumeKind kept = wk_volumeAabb;
    assert_int_equal(wkVolumeKindFromName("sphere", &kept), wk_ok);
    assert_int_equal(kept, wk_volumeSphere);
    assert_int_equal(wkVolumeKindFromName("cube", &kept), wk_errorArgument);
    assert_int_equal(wkVolumeKindFromName(NULL, &kept), wk_errorArgument);
    assert_int_equal(kept, wk_volumeSphere);
    assert_string_equal(wkVolumeKindName(WK_VOLUME_KIND_COUNT), "none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fit_leaves_no_point_outside),
        cmocka_unit_test(box_is_around_the_volume),
        cmocka_unit_test(merge_holds_both),
        cmocka_unit_test(bound_is_never_above_the_distance),
        cmocka_unit_test(bound_is_zero_where_points_meet),
        cmocka_unit_test(bound_is_tight_for_boxes_far_apart),
        cmocka_unit_test(bound_is_the_distance_of_rectangles),
        cmocka_unit_test(bound_of_close_plates_is_not_above_their_distance),
        cmocka_unit_test(boxes_of_all_kinds_bound_each_other),
        cmocka_unit_test(boxes_fit_boxes),
        cmocka_unit_test(spheres_are_the_smallest),
        cmocka_unit_test(made_axes_are_orthonormal),
        cmocka_unit_test(floats_are_next_to_their_doubles),
        cmocka_unit_test(names_lead_back_to_kinds),
    };
    return cmocka_run_group_tests_name("volume", tests, NULL, NULL);
}
