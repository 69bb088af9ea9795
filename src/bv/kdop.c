// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Polytopes with fixed normals (Klosowski, Held, Mitchell, Sowizral, Zikan 1998): an interval along
// each of 8, 9 or 12 directions, of which the first three are the axes.

#include "bv/rows.h"

#define MAX_DIRECTIONS 12

// An interval along each direction.
typedef struct slab {
    float lower, upper;
} slab;

_Static_assert(8 * sizeof(slab) == WK_KDOP16_BYTES, "the table knows the size");
_Static_assert(9 * sizeof(slab) == WK_KDOP18_BYTES, "the table knows the size");
_Static_assert(12 * sizeof(slab) == WK_KDOP24_BYTES, "the table knows the size");

// Not of unit length: sums and differences of coordinates are all it takes. Diagonals of one plane
// stand together, at right angles to each other and to the axis named below.
static const wkVec3d directions[MAX_DIRECTIONS] = {
    {1.0, 0.0, 0.0},  {0.0, 1.0, 0.0},  {0.0, 0.0, 1.0},  {1.0, 1.0, 0.0},
    {1.0, -1.0, 0.0}, {1.0, 0.0, 1.0},  {1.0, 0.0, -1.0}, {0.0, 1.0, 1.0},
    {0.0, 1.0, -1.0}, {1.0, 1.0, -1.0}, {1.0, -1.0, 1.0}, {-1.0, 1.0, 1.0},
};

static const double lengthsSquared[MAX_DIRECTIONS] = {1.0, 1.0, 1.0, 2.0, 2.0, 2.0,
                                                      2.0, 2.0, 2.0, 3.0, 3.0, 3.0};

static void fit(const wkVec3d* points, int32_t count, slab* slabs, int directionCount)
{
    for (int k = 0; k < directionCount; ++k) {
        double lower = INFINITY, upper = -INFINITY, largest = 0.0;
        for (int32_t i = 0; i < count; ++i) {
            double along = wkDot(directions[k], points[i]);
            lower = wkMinD(lower, along);
            upper = wkMaxD(upper, along);
            largest = wkMaxD(largest, wkMaxAbs(points[i]));
        }
        // coordinates are exact, their sums are not
        double slack = k < 3 ? 0.0 : WK_VOLUME_SLACK * largest;
        slabs[k].lower = wkRoundDown(lower - slack);
        slabs[k].upper = wkRoundUp(upper + slack);
    }
}

static void merge(const slab* a, const slab* b, slab* merged, int directionCount)
{
    for (int k = 0; k < directionCount; ++k) {
        merged[k].lower = fminf(a[k].lower, b[k].lower);
        merged[k].upper = fmaxf(a[k].upper, b[k].upper);
    }
}

static wkObb boxOf(const slab* slabs)
{
    wkVec3d lower = wkVec((double)slabs[0].lower, (double)slabs[1].lower, (double)slabs[2].lower);
    wkVec3d upper = wkVec((double)slabs[0].upper, (double)slabs[1].upper, (double)slabs[2].upper);
    wkVec3d center = wkMiddle(lower, upper);
    wkObb obb = {{{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, center},
                 wkMax(wkSub(upper, center), wkSub(center, lower))};
    return obb;
}

// Gap between an interval and what extends by `reach` about `center`; negative when they overlap.
static double slabGap(const slab* s, double center, double reach)
{
    return wkMaxD((double)s->lower - center, center - (double)s->upper) - reach;
}

// Squared gap between two polytopes that are not turned against each other: along each direction,
// and along the three directions of each frame they contain.
static double unturnedGapSquared(wkVec3d position, const slab* a, const slab* b, int directionCount,
                                 double slack)
{
    double squares[MAX_DIRECTIONS] = {0.0}, best = 0.0;
    for (int k = 0; k < directionCount; ++k) {
        double along = wkDot(directions[k], position);
        double gap = wkMaxD((double)a[k].lower - ((double)b[k].upper + along),
                            ((double)b[k].lower + along) - (double)a[k].upper);
        gap = wkPositive(gap - slack);
        squares[k] = gap * gap / lengthsSquared[k];
        best = wkMaxD(best, squares[k]);
    }
    double axes = squares[0] + squares[1] + squares[2];
    double aboutZ = squares[3] + squares[4] + squares[2];
    double aboutY = squares[5] + squares[6] + squares[1];
    double aboutX = squares[7] + squares[0] + (directionCount > 8 ? squares[8] : 0.0);
    return wkMaxD(wkMaxD(best, axes), wkMaxD(aboutZ, wkMaxD(aboutY, aboutX)));
}

// Squared gap between a polytope and a box that stands at `frame`, along the diagonals of the
// former.
static double diagonalGapSquared(const slab* slabs, int directionCount, const wkFrame* frame,
                                 wkVec3d half, double slack)
{
    double best = 0.0;
    for (int k = 3; k < directionCount; ++k) {
        double center = wkDot(directions[k], frame->position);
        double reach = wkDot(half, wkAbs(wkMulTMV(&frame->rotation, directions[k])));
        double gap = wkPositive(slabGap(&slabs[k], center, reach) - slack);
        best = wkMaxD(best, gap * gap / lengthsSquared[k]);
    }
    return best;
}

// Where the box of B stands in A, and where that of A stands in B.
static double distance(const wkFrame* bInA, const slab* a, const slab* b, int directionCount)
{
    wkObb boxA = boxOf(a), boxB = boxOf(b);
    double slack = WK_VOLUME_SLACK *
                   (wkSumAbs(bInA->position) + wkSumAbs(boxA.frame.position) +
                    wkSumAbs(boxB.frame.position) + wkSumAbs(boxA.half) + wkSumAbs(boxB.half));
    if (wkIsUnturned(bInA)) {
        return wkPositive(sqrt(unturnedGapSquared(bInA->position, a, b, directionCount, slack)) -
                          slack);
    }
    const wkMat3d* r = &bInA->rotation;
    wkFrame boxBInA = {*r, wkFramePoint(bInA, boxB.frame.position)};
    wkFrame boxAInB = {{wkVec(r->x.x, r->y.x, r->z.x), wkVec(r->x.y, r->y.y, r->z.y),
                        wkVec(r->x.z, r->y.z, r->z.z)},
                       wkFrameLocal(bInA, boxA.frame.position)};
    double byA = diagonalGapSquared(a, directionCount, &boxBInA, boxB.half, slack);
    double byB = diagonalGapSquared(b, directionCount, &boxAInB, boxA.half, slack);
    return wkMaxD(sqrt(wkMaxD(byA, byB)), wkObbDistance(bInA, &boxA, &boxB));
}

#define DEFINE_KDOP(NAME, DIRECTION_COUNT)                                                         \
    void wkFit##NAME(const wkVec3d* points, int32_t count, const wkMat3d* axes, void* volume)      \
    {                                                                                              \
        (void)axes;                                                                                \
        fit(points, count, volume, DIRECTION_COUNT);                                               \
    }                                                                                              \
    void wkMerge##NAME(const void* a, const void* b, void* merged)                                 \
    {                                                                                              \
        merge(a, b, merged, DIRECTION_COUNT);                                                      \
    }                                                                                              \
    double wkGap##NAME(const wkFrame* bInA, const void* a, const void* b)                          \
    {                                                                                              \
        return distance(bInA, a, b, DIRECTION_COUNT);                                              \
    }                                                                                              \
    wkObb wkBoxOf##NAME(const void* volume)                                                        \
    {                                                                                              \
        return boxOf(volume);                                                                      \
    }                                                                                              \
    double wkSizeOf##NAME(const void* volume)                                                      \
    {                                                                                              \
        return 2.0 * wkMaxAbs(boxOf(volume).half);                                                 \
    }

DEFINE_KDOP(Kdop16, 8)
DEFINE_KDOP(Kdop18, 9)
DEFINE_KDOP(Kdop24, 12)
