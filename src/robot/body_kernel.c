// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Computes boxes of eight bodies from the poses of their rigid groups, and tests one box against eight.

#include "robot/body_kernel.h"
#include "math/round.h"
#include "simd/eight.h"

// Boxes that reach further count as unbounded: beyond, floats could overflow.
#define FAR 1e30f
// Error of a box for each metre between it and the origin: four roundings.
#define FAR_SLACK 0x1p-22f

// Columns: the rotated axes.
typedef struct wideRotation {
    wkEight at[3][3];
} wideRotation;

WK_FORCE_FN wkEight twice(wkEight a)
{
    return wkAdd8(a, a);
}

WK_FORCE_FN wideRotation rotationOf(wkEight x, wkEight y, wkEight z, wkEight w)
{
    wkEight xx = wkMul8(x, x), yy = wkMul8(y, y), zz = wkMul8(z, z);
    wkEight xy = wkMul8(x, y), xz = wkMul8(x, z), yz = wkMul8(y, z);
    wkEight wx = wkMul8(w, x), wy = wkMul8(w, y), wz = wkMul8(w, z);
    wkEight one = wkSplat8(1.0f);
    wideRotation axes = {
        {{wkSub8(one, twice(wkAdd8(yy, zz))), twice(wkAdd8(xy, wz)), twice(wkSub8(xz, wy))},
         {twice(wkSub8(xy, wz)), wkSub8(one, twice(wkAdd8(xx, zz))), twice(wkAdd8(yz, wx))},
         {twice(wkAdd8(xz, wy)), twice(wkSub8(yz, wx)), wkSub8(one, twice(wkAdd8(xx, yy)))}}};
    return axes;
}

// Returns component `axis` of a rotated vector.
WK_FORCE_FN wkEight rotated(const wideRotation* axes, int axis, wkEight x, wkEight y, wkEight z)
{
    return wkAdd8(wkAdd8(wkMul8(axes->at[0][axis], x), wkMul8(axes->at[1][axis], y)),
                  wkMul8(axes->at[2][axis], z));
}

WK_FORCE_FN void placeGroup(const wkBodyLanes* group, const wkRigidGroupLanes* rigidGroups,
                            int32_t lane, wkBodyBoxes* placed, int32_t firstLane)
{
    wideRotation axes = rotationOf(
        wkLoad8(&rigidGroups->rotation[0][lane]), wkLoad8(&rigidGroups->rotation[1][lane]),
        wkLoad8(&rigidGroups->rotation[2][lane]), wkLoad8(&rigidGroups->rotation[3][lane]));
    wkEight slack = wkAdd8(wkLoad8(group->slack), wkLoad8(&rigidGroups->slack[lane]));
    wkEight far = wkSplat8(FAR), none = wkSplat8(INFINITY), unending = wkSplat8(-INFINITY);
    for (int axis = 0; axis < 3; ++axis) {
        wkEight middle = rotated(&axes, axis, wkLoad8(group->middle[0]), wkLoad8(group->middle[1]),
                                 wkLoad8(group->middle[2]));
        middle = wkAdd8(middle, wkLoad8(&rigidGroups->position[axis][lane]));
        wkEight half = slack;
        for (int side = 0; side < 3; ++side) {
            wkEight along = rotated(&axes, axis, wkLoad8(group->axes[side][0]),
                                    wkLoad8(group->axes[side][1]), wkLoad8(group->axes[side][2]));
            half = wkAdd8(half, wkMul8(wkAbs8(along), wkLoad8(group->half[side])));
        }
        wkEight away = wkAbs8(middle);
        half = wkAdd8(half, wkMul8(away, wkSplat8(FAR_SLACK)));
        wkEight end = wkAdd8(away, half);
        wkStore8(&placed->lower[axis][firstLane],
                 wkPickGreater8(far, end, wkSub8(middle, half), unending));
        wkStore8(&placed->upper[axis][firstLane],
                 wkPickGreater8(far, end, wkAdd8(middle, half), none));
    }
}

static void firstLane(const wkBodyLanes* groups, const wkRigidGroupLanes* rigidGroups,
                      int32_t firstGroup, int32_t groupCount, wkBodyBoxes* placed)
{
    for (int32_t i = 0; i < groupCount; ++i) {
        int32_t group = firstGroup + i;
        placeGroup(&groups[group], rigidGroups, i * WK_BODY_LANES, placed, group * WK_BODY_LANES);
    }
}

// One box in all lanes, to be compared with eight others.
typedef struct wideBox {
    wkEight lower[3];
    wkEight upper[3];
} wideBox;

WK_FORCE_FN wideBox widenOne(const wkBodyBoxes* placed, int32_t i)
{
    wideBox wide;
    for (int axis = 0; axis < 3; ++axis) {
        wide.lower[axis] = wkSplat8(placed->lower[axis][i]);
        wide.upper[axis] = wkSplat8(placed->upper[axis][i]);
    }
    return wide;
}

// Returns the gaps to eight boxes along an axis; negative where they overlap.
WK_FORCE_FN wkEight apartAlong(const wideBox* one, const wkBodyBoxes* placed, int32_t first,
                               int axis)
{
    return wkMax8(wkSub8(one->lower[axis], wkLoad8(&placed->upper[axis][first])),
                  wkSub8(wkLoad8(&placed->lower[axis][first]), one->upper[axis]));
}

// Returns the gaps along the axis on which the boxes are furthest apart.
WK_FORCE_FN wkEight apart(const wideBox* one, const wkBodyBoxes* placed, int32_t first)
{
    wkEight x = apartAlong(one, placed, first, 0), y = apartAlong(one, placed, first, 1);
    return wkMax8(wkMax8(x, y), apartAlong(one, placed, first, 2));
}

// Largest length whose square is a finite float; longer gaps are clamped to it.
#define LONGEST 1e18f
// Bound on the rounding of squares, their sum and its root.
#define GAP_ROUNDING 0x1p-20f

WK_FORCE_FN wkEight gapOf(const wideBox* one, const wkBodyBoxes* placed, int32_t first)
{
    wkEight zero = wkSplat8(0.0f), most = wkSplat8(-INFINITY), square = zero;
    for (int axis = 0; axis < 3; ++axis) {
        wkEight along = apartAlong(one, placed, first, axis);
        most = wkMax8(most, along);
        wkEight gap = wkMin8(wkMax8(along, zero), wkSplat8(LONGEST));
        square = wkAdd8(square, wkMul8(gap, gap));
    }
    wkEight distance = wkMul8(wkSqrt8(square), wkSplat8(1.0f - GAP_ROUNDING));
    wkEight depth = wkMul8(most, wkSplat8(1.0f + GAP_ROUNDING));
    return wkPickGreater8(most, zero, distance, depth);
}

// Returns, for each of the eight bodies from `first` on, the gap up to which the pair is in reach.
WK_FORCE_FN wkEight reachOf(const wkBodySet* bodySet, double margin, const float* reach, int32_t a,
                            int32_t first)
{
    if (reach == NULL) {
        return wkSplat8(wkRoundUp(margin));
    }
    _Alignas(32) float others[WK_BODY_LANES];
    for (int32_t i = 0; i < WK_BODY_LANES; ++i) {
        others[i] = first + i < bodySet->count ? reach[first + i] : 0.0f;
    }
    wkEight sum = wkAdd8(wkSplat8(wkRoundUp(margin + (double)reach[a])), wkLoad8(others));
    return wkAdd8(sum, wkMul8(wkAbs8(sum), wkSplat8(0x1p-23f)));
}

// Criterion of a search.
typedef struct pairRule {
    bool isNear; // gaps within `limit`; otherwise boxes that meet
    double margin;
    const float* reach;
    float limit;
} pairRule;

WK_FORCE_FN int32_t checkEight(const wkBodySet* bodySet, const wkBodyBoxes* placed, pairRule rule,
                               const wideBox* one, int32_t a, int32_t first, unsigned wanted,
                               wkBodyPair* pairs)
{
    _Alignas(32) float gaps[WK_BODY_LANES];
    wkEight gap = rule.isNear ? gapOf(one, placed, first) : apart(one, placed, first);
    wkEight limit =
        rule.isNear ? wkSplat8(rule.limit) : reachOf(bodySet, rule.margin, rule.reach, a, first);
    unsigned lanes = wkNotAbove8(gap, limit) & wanted;
    int32_t count = 0;
    if (lanes != 0) {
        wkStore8(gaps, gap);
    }
    for (; lanes != 0; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        wkBodyPair* pair = &pairs[count++];
        pair->gap = gaps[lane];
        pair->a = a;
        pair->b = first + lane;
    }
    return count;
}

// Returns the bits of a word that stand for bodies from `first` on.
WK_FORCE_FN uint64_t bitsFrom(int32_t first, int32_t word)
{
    int32_t skipped = first - 64 * word;
    return skipped <= 0 ? ~UINT64_C(0) : ~UINT64_C(0) << skipped;
}

WK_FORCE_FN int32_t search(const wkBodySet* bodySet, const wkBodyBoxes* placed, pairRule rule,
                           wkBodyPairCursor* cursor, wkBodyPair* pairs, int32_t capacity)
{
    int32_t count = 0;
    for (; cursor->a < bodySet->count; ++cursor->a, cursor->b = 0) {
        int32_t a = cursor->a, start = cursor->b > a ? cursor->b : a + 1;
        const uint64_t* row = &bodySet->checked[(size_t)a * (size_t)bodySet->wordCount];
        wideBox one = widenOne(placed, a);
        for (int32_t word = start / 64; word < bodySet->wordCount; ++word) {
            uint64_t bits = row[word] & bitsFrom(start, word);
            while (bits != 0) {
                int shift = __builtin_ctzll(bits) & ~7;
                if (count > capacity - WK_BODY_PAIRS_PER_STEP) {
                    cursor->b = 64 * word + shift;
                    return count;
                }
                unsigned wanted = (unsigned)(bits >> shift) & 0xffu;
                bits &= ~(UINT64_C(0xff) << shift);
                count += checkEight(bodySet, placed, rule, &one, a, 64 * word + shift, wanted,
                                    &pairs[count]);
            }
        }
    }
    return count;
}

static int32_t findMeeting(const wkBodySet* bodySet, const wkBodyBoxes* placed, double margin,
                           const float* reach, wkBodyPairCursor* cursor, wkBodyPair* pairs,
                           int32_t capacity)
{
    // two calls, so that the common case is compiled without reaches
    if (reach == NULL) {
        pairRule rule = {false, margin, NULL, 0.0f};
        return search(bodySet, placed, rule, cursor, pairs, capacity);
    }
    pairRule rule = {false, margin, reach, 0.0f};
    return search(bodySet, placed, rule, cursor, pairs, capacity);
}

static int32_t findNear(const wkBodySet* bodySet, const wkBodyBoxes* placed, float limit,
                        wkBodyPairCursor* cursor, wkBodyPair* pairs, int32_t capacity)
{
    pairRule rule = {true, 0.0, NULL, limit};
    return search(bodySet, placed, rule, cursor, pairs, capacity);
}

extern const wkBodyKernels WK_KERNEL(wkBodyKernels);
const wkBodyKernels WK_KERNEL(wkBodyKernels) = {firstLane, findMeeting, findNear};
