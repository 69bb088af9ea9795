// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Boxes of eight members from the poses of their movers, and one box against eight others.

#include "math/round.h"
#include "robot/crew_lanes.h"
#include "simd/eight.h"

// Boxes that reach further are taken to be without end: beyond, floats could run over.
#define FAR 1e30f
// What a box can be off by for each metre between it and the origin: four roundings.
#define FAR_SLACK 0x1p-22f

// Columns: where the axes go.
typedef struct wideTurn {
    wkEight at[3][3];
} wideTurn;

WK_FORCE_FN wkEight twice(wkEight a)
{
    return wkAdd8(a, a);
}

WK_FORCE_FN wideTurn turnOf(wkEight x, wkEight y, wkEight z, wkEight w)
{
    wkEight xx = wkMul8(x, x), yy = wkMul8(y, y), zz = wkMul8(z, z);
    wkEight xy = wkMul8(x, y), xz = wkMul8(x, z), yz = wkMul8(y, z);
    wkEight wx = wkMul8(w, x), wy = wkMul8(w, y), wz = wkMul8(w, z);
    wkEight one = wkSplat8(1.0f);
    wideTurn turn = {
        {{wkSub8(one, twice(wkAdd8(yy, zz))), twice(wkAdd8(xy, wz)), twice(wkSub8(xz, wy))},
         {twice(wkSub8(xy, wz)), wkSub8(one, twice(wkAdd8(xx, zz))), twice(wkAdd8(yz, wx))},
         {twice(wkAdd8(xz, wy)), twice(wkSub8(yz, wx)), wkSub8(one, twice(wkAdd8(xx, yy)))}}};
    return turn;
}

// Component `axis` of a vector that is turned.
WK_FORCE_FN wkEight turned(const wideTurn* turn, int axis, wkEight x, wkEight y, wkEight z)
{
    return wkAdd8(wkAdd8(wkMul8(turn->at[0][axis], x), wkMul8(turn->at[1][axis], y)),
                  wkMul8(turn->at[2][axis], z));
}

WK_FORCE_FN void placeGroup(const wkCrewGroup* group, const wkMoverLanes* movers, int32_t lane,
                            wkPlaced* placed, int32_t place)
{
    wideTurn turn =
        turnOf(wkLoad8(&movers->rotation[0][lane]), wkLoad8(&movers->rotation[1][lane]),
               wkLoad8(&movers->rotation[2][lane]), wkLoad8(&movers->rotation[3][lane]));
    wkEight slack = wkAdd8(wkLoad8(group->slack), wkLoad8(&movers->slack[lane]));
    wkEight far = wkSplat8(FAR), none = wkSplat8(INFINITY), unending = wkSplat8(-INFINITY);
    for (int axis = 0; axis < 3; ++axis) {
        wkEight middle = turned(&turn, axis, wkLoad8(group->middle[0]), wkLoad8(group->middle[1]),
                                wkLoad8(group->middle[2]));
        middle = wkAdd8(middle, wkLoad8(&movers->position[axis][lane]));
        wkEight half = slack;
        for (int side = 0; side < 3; ++side) {
            wkEight along = turned(&turn, axis, wkLoad8(group->turn[side][0]),
                                   wkLoad8(group->turn[side][1]), wkLoad8(group->turn[side][2]));
            half = wkAdd8(half, wkMul8(wkAbs8(along), wkLoad8(group->half[side])));
        }
        wkEight away = wkAbs8(middle);
        half = wkAdd8(half, wkMul8(away, wkSplat8(FAR_SLACK)));
        wkEight end = wkAdd8(away, half);
        wkStore8(&placed->lower[axis][place],
                 wkPickGreater8(far, end, wkSub8(middle, half), unending));
        wkStore8(&placed->upper[axis][place], wkPickGreater8(far, end, wkAdd8(middle, half), none));
    }
}

static void place(const wkCrewGroup* groups, const wkMoverLanes* movers, int32_t firstGroup,
                  int32_t groupCount, wkPlaced* placed)
{
    for (int32_t i = 0; i < groupCount; ++i) {
        int32_t group = firstGroup + i;
        placeGroup(&groups[group], movers, i * WK_BODY_LANES, placed, group * WK_BODY_LANES);
    }
}

// A box in front of eight others.
typedef struct wideBox {
    wkEight lower[3];
    wkEight upper[3];
} wideBox;

WK_FORCE_FN wideBox widenOne(const wkPlaced* placed, int32_t i)
{
    wideBox wide;
    for (int axis = 0; axis < 3; ++axis) {
        wide.lower[axis] = wkSplat8(placed->lower[axis][i]);
        wide.upper[axis] = wkSplat8(placed->upper[axis][i]);
    }
    return wide;
}

// How far eight boxes are away along an axis; negative where they overlap.
WK_FORCE_FN wkEight apartAlong(const wideBox* one, const wkPlaced* placed, int32_t first, int axis)
{
    return wkMax8(wkSub8(one->lower[axis], wkLoad8(&placed->upper[axis][first])),
                  wkSub8(wkLoad8(&placed->lower[axis][first]), one->upper[axis]));
}

// Along the axis on which they are furthest apart.
WK_FORCE_FN wkEight apart(const wideBox* one, const wkPlaced* placed, int32_t first)
{
    wkEight x = apartAlong(one, placed, first, 0), y = apartAlong(one, placed, first, 1);
    return wkMax8(wkMax8(x, y), apartAlong(one, placed, first, 2));
}

// Lengths whose squares are still floats; a gap that is longer counts as one of these.
#define LONGEST 1e18f
// More than squares, their sum and its root can be off by.
#define GAP_ROUNDING 0x1p-20f

WK_FORCE_FN wkEight gapOf(const wideBox* one, const wkPlaced* placed, int32_t first)
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

// How far members may be apart for one to reach another: for each of the eight from `first` on.
WK_FORCE_FN wkEight reachOf(const wkCrew* crew, double margin, const float* reach, int32_t a,
                            int32_t first)
{
    if (reach == NULL) {
        return wkSplat8(wkRoundUp(margin));
    }
    _Alignas(32) float others[WK_BODY_LANES];
    for (int32_t i = 0; i < WK_BODY_LANES; ++i) {
        others[i] = first + i < crew->count ? reach[first + i] : 0.0f;
    }
    wkEight sum = wkAdd8(wkSplat8(wkRoundUp(margin + (double)reach[a])), wkLoad8(others));
    return wkAdd8(sum, wkMul8(wkAbs8(sum), wkSplat8(0x1p-23f)));
}

// What a search looks for.
typedef struct pairRule {
    bool isNear; // gaps within `limit`; otherwise boxes that meet
    double margin;
    const float* reach;
    float limit;
} pairRule;

WK_FORCE_FN int32_t lookAtEight(const wkCrew* crew, const wkPlaced* placed, pairRule rule,
                                const wideBox* one, int32_t a, int32_t first, unsigned wanted,
                                wkCrewPair* pairs)
{
    _Alignas(32) float gaps[WK_BODY_LANES];
    wkEight gap = rule.isNear ? gapOf(one, placed, first) : apart(one, placed, first);
    wkEight limit =
        rule.isNear ? wkSplat8(rule.limit) : reachOf(crew, rule.margin, rule.reach, a, first);
    unsigned lanes = wkNotAbove8(gap, limit) & wanted;
    int32_t count = 0;
    if (lanes != 0) {
        wkStore8(gaps, gap);
    }
    for (; lanes != 0; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        wkCrewPair* pair = &pairs[count++];
        pair->gap = gaps[lane];
        pair->a = a;
        pair->b = first + lane;
    }
    return count;
}

// The bits of a word that stand for members from `first` on.
WK_FORCE_FN uint64_t bitsFrom(int32_t first, int32_t word)
{
    int32_t skipped = first - 64 * word;
    return skipped <= 0 ? ~UINT64_C(0) : ~UINT64_C(0) << skipped;
}

WK_FORCE_FN int32_t search(const wkCrew* crew, const wkPlaced* placed, pairRule rule,
                           wkCrewCursor* cursor, wkCrewPair* pairs, int32_t capacity)
{
    int32_t count = 0;
    for (; cursor->a < crew->count; ++cursor->a, cursor->b = 0) {
        int32_t a = cursor->a, start = cursor->b > a ? cursor->b : a + 1;
        const uint64_t* row = &crew->checked[(size_t)a * (size_t)crew->wordCount];
        wideBox one = widenOne(placed, a);
        for (int32_t word = start / 64; word < crew->wordCount; ++word) {
            uint64_t bits = row[word] & bitsFrom(start, word);
            while (bits != 0) {
                int shift = __builtin_ctzll(bits) & ~7;
                if (count > capacity - WK_CREW_LOOK) {
                    cursor->b = 64 * word + shift;
                    return count;
                }
                unsigned wanted = (unsigned)(bits >> shift) & 0xffu;
                bits &= ~(UINT64_C(0xff) << shift);
                count += lookAtEight(crew, placed, rule, &one, a, 64 * word + shift, wanted,
                                     &pairs[count]);
            }
        }
    }
    return count;
}

static int32_t findMeeting(const wkCrew* crew, const wkPlaced* placed, double margin,
                           const float* reach, wkCrewCursor* cursor, wkCrewPair* pairs,
                           int32_t capacity)
{
    // two ways, so that the usual one has no reaches to think of
    if (reach == NULL) {
        pairRule rule = {false, margin, NULL, 0.0f};
        return search(crew, placed, rule, cursor, pairs, capacity);
    }
    pairRule rule = {false, margin, reach, 0.0f};
    return search(crew, placed, rule, cursor, pairs, capacity);
}

static int32_t findNear(const wkCrew* crew, const wkPlaced* placed, float limit,
                        wkCrewCursor* cursor, wkCrewPair* pairs, int32_t capacity)
{
    pairRule rule = {true, 0.0, NULL, limit};
    return search(crew, placed, rule, cursor, pairs, capacity);
}

extern const wkCrewLanes WK_LANE(wkCrewLanes);
const wkCrewLanes WK_LANE(wkCrewLanes) = {place, findMeeting, findNear};
