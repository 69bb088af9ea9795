// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Polytopes with fixed normals (Klosowski, Held, Mitchell, Sowizral, Zikan 1998): an interval along
// each of 8, 9 or 12 directions, of which the first three are the axes.

#include "bv/volume_rows.h"

#define MAX_DIRECTIONS 12

// An interval along each direction.
typedef struct slab {
    float lower, upper;
} slab;

_Static_assert(8 * sizeof(slab) == WK_KDOP16_BYTES, "the table knows the size");
_Static_assert(9 * sizeof(slab) == WK_KDOP18_BYTES, "the table knows the size");
_Static_assert(12 * sizeof(slab) == WK_KDOP24_BYTES, "the table knows the size");

// Squared lengths of the directions: sums and differences of coordinates, not of unit length.
static const double lengthsSquared[MAX_DIRECTIONS] = {1.0, 1.0, 1.0, 2.0, 2.0, 2.0,
                                                      2.0, 2.0, 2.0, 3.0, 3.0, 3.0};

// Computes coordinates along all directions. The two diagonals of a plane are adjacent: together with the
// axis across it they are mutually perpendicular.
WK_FORCE_FN void project(wkVec3d v, double along[MAX_DIRECTIONS])
{
    along[0] = v.x;
    along[1] = v.y;
    along[2] = v.z;
    along[3] = v.x + v.y;
    along[4] = v.x - v.y;
    along[5] = v.x + v.z;
    along[6] = v.x - v.z;
    along[7] = v.y + v.z;
    along[8] = v.y - v.z;
    along[9] = v.x + v.y - v.z;
    along[10] = v.x - v.y + v.z;
    along[11] = v.y - v.x + v.z;
}

WK_FORCE_FN void fit(const wkVec3d* points, int32_t count, slab* slabs, int directionCount)
{
    double lower[MAX_DIRECTIONS], upper[MAX_DIRECTIONS];
    project(points[0], lower);
    project(points[0], upper);
    for (int32_t i = 1; i < count; ++i) {
        double along[MAX_DIRECTIONS];
        project(points[i], along);
        for (int k = 0; k < directionCount; ++k) {
            lower[k] = wkMinD(lower[k], along[k]);
            upper[k] = wkMaxD(upper[k], along[k]);
        }
    }
    // coordinates are exact, their sums are not
    wkVec3d vertex = wkMax(wkAbs(wkVec(lower[0], lower[1], lower[2])),
                           wkAbs(wkVec(upper[0], upper[1], upper[2])));
    for (int k = 0; k < directionCount; ++k) {
        double slack = k < 3 ? 0.0 : WK_VOLUME_SLACK * wkSumAbs(vertex);
        slabs[k].lower = wkRoundDown(lower[k] - slack);
        slabs[k].upper = wkRoundUp(upper[k] + slack);
    }
}

WK_FORCE_FN void merge(const slab* a, const slab* b, slab* merged, int directionCount)
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

// Returns the squared gap between two polytopes with parallel axes: along each direction, and along the three
// directions of each orthogonal frame among them.
WK_FORCE_FN double unturnedGapSquared(wkVec3d position, const slab* a, const slab* b,
                                      int directionCount, double slack)
{
    double along[MAX_DIRECTIONS], squares[MAX_DIRECTIONS] = {0.0}, best = 0.0;
    project(position, along);
    for (int k = 0; k < directionCount; ++k) {
        double gap = wkMaxD((double)a[k].lower - ((double)b[k].upper + along[k]),
                            ((double)b[k].lower + along[k]) - (double)a[k].upper);
        gap = wkPositive(gap - slack);
        squares[k] = gap * gap / lengthsSquared[k];
        best = wkMaxD(best, squares[k]);
    }
    double axes = squares[0] + squares[1] + squares[2];
    double aboutX = squares[7] + squares[8] + squares[0];
    double aboutY = squares[5] + squares[6] + squares[1];
    double aboutZ = squares[3] + squares[4] + squares[2];
    return wkMaxD(wkMaxD(best, axes), wkMaxD(aboutX, wkMaxD(aboutY, aboutZ)));
}

// Returns the squared gap between a polytope and a box at pose `frame`, along the polytope's diagonals.
WK_FORCE_FN double diagonalGapSquared(const slab* slabs, int directionCount, const wkFrame* frame,
                                      wkVec3d half, double slack)
{
    double center[MAX_DIRECTIONS], x[MAX_DIRECTIONS], y[MAX_DIRECTIONS], z[MAX_DIRECTIONS];
    project(frame->position, center);
    project(frame->rotation.x, x);
    project(frame->rotation.y, y);
    project(frame->rotation.z, z);
    double best = 0.0;
    for (int k = 3; k < directionCount; ++k) {
        double reach = half.x * fabs(x[k]) + half.y * fabs(y[k]) + half.z * fabs(z[k]) + slack;
        double beside =
            wkMaxD((double)slabs[k].lower - center[k], center[k] - (double)slabs[k].upper);
        double gap = wkPositive(beside - reach);
        best = wkMaxD(best, gap * gap / lengthsSquared[k]);
    }
    return best;
}

// Where the axes are not parallel, compares each polytope with the box around the other one.
WK_FORCE_FN double distance(const wkFrame* bInA, const slab* a, const slab* b, int directionCount)
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

// wkFitKdop16, wkMergeKdop16, wkGapKdop16, wkBoxOfKdop16, wkSizeOfKdop16
DEFINE_KDOP(Kdop16, 8)
// wkFitKdop18, wkMergeKdop18, wkGapKdop18, wkBoxOfKdop18, wkSizeOfKdop18
DEFINE_KDOP(Kdop18, 9)
// wkFitKdop24, wkMergeKdop24, wkGapKdop24, wkBoxOfKdop24, wkSizeOfKdop24
DEFINE_KDOP(Kdop24, 12)
