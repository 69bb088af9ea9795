// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Oriented boxes, stored in 40 bytes.

#include "bv/obb.h"

#include "bv/volume_rows.h"

// Squared sine between edges that count as parallel: a longer divisor reduces the gap along their cross
// product, and the faces bound it instead.
#define PARALLEL_SQUARED 1e-8

// A gap of at least this share of the distance between two points of the boxes is accepted.
#define CLOSE_ENOUGH 0.9

typedef struct wkObbVolume {
    wkPackedQuat packedQuat;
    wkBoxPart box;
} wkObbVolume;

_Static_assert(sizeof(wkObbVolume) == WK_OBB_BYTES, "the table knows the size");

wkBoxPart wkMakeBoxPart(const wkExtents* extents, const wkMat3d* axes)
{
    wkVec3d middle = wkMiddle(extents->lower, extents->upper);
    wkBoxPart part;
    wkNearestFloats(wkAdd(extents->origin, wkMulMV(axes, middle)), part.center);

    // distances of both ends from the stored centre
    wkVec3d center = wkMulTMV(axes, wkSub(wkVecFromFloats(part.center), extents->origin));
    wkVec3d half = wkMax(wkSub(extents->upper, center), wkSub(center, extents->lower));
    double slack = WK_VOLUME_SLACK * (wkSumAbs(half) + wkSumAbs(center));
    part.half[0] = wkRoundUp(half.x + slack);
    part.half[1] = wkRoundUp(half.y + slack);
    part.half[2] = wkRoundUp(half.z + slack);
    return part;
}

void wkObbVertices(const wkObb* box, wkVec3d vertices[8])
{
    for (int i = 0; i < 8; ++i) {
        wkVec3d local =
            wkVec(i & 1 ? box->half.x : -box->half.x, i & 2 ? box->half.y : -box->half.y,
                  i & 4 ? box->half.z : -box->half.z);
        vertices[i] = wkFramePoint(&box->frame, local);
    }
}

void wkFitObb(const wkVec3d* points, int32_t count, const wkMat3d* axes, void* volume)
{
    wkObbVolume* obb = volume;
    wkSpheres spheres = wkPointSpheres(points, count);
    obb->packedQuat = wkMakePackedQuat(axes);
    wkMat3d rotated = wkPackedQuatAxes(obb->packedQuat);
    wkExtents extents = wkMeasureExtents(&spheres, &rotated);
    obb->box = wkMakeBoxPart(&extents, &rotated);
}

wkObb wkBoxOfObb(const void* volume)
{
    const wkObbVolume* obb = volume;
    wkMat3d axes = wkPackedQuatAxes(obb->packedQuat);
    return wkBoxPartObb(&obb->box, &axes);
}

// Half of the surface of a box.
static double surface(const wkBoxPart* box)
{
    wkVec3d half = wkVecFromFloats(box->half);
    return half.x * half.y + half.y * half.z + half.z * half.x;
}

void wkMergeObb(const void* a, const void* b, void* merged)
{
    wkObb boxes[2] = {wkBoxOfObb(a), wkBoxOfObb(b)};
    wkVec3d vertices[16];
    wkObbVertices(&boxes[0], vertices);
    wkObbVertices(&boxes[1], vertices + 8);
    double reach = wkMaxD(wkSumAbs(boxes[0].frame.position) + wkSumAbs(boxes[0].half),
                          wkSumAbs(boxes[1].frame.position) + wkSumAbs(boxes[1].half));
    double slack = WK_VOLUME_SLACK * reach;
    wkSpheres spheres = {vertices, 16, 16, {slack, slack}};

    // choose the smallest box along the axes of either, or those of all vertices
    wkMat3d spread = wkSpreadAxes(vertices, 16);
    const wkPackedQuat rotations[3] = {((const wkObbVolume*)a)->packedQuat,
                                       ((const wkObbVolume*)b)->packedQuat,
                                       wkMakePackedQuat(&spread)};
    wkObbVolume best = {0};
    for (int i = 0; i < 3; ++i) {
        wkMat3d axes = wkPackedQuatAxes(rotations[i]);
        wkExtents extents = wkMeasureExtents(&spheres, &axes);
        wkObbVolume candidate = {rotations[i], wkMakeBoxPart(&extents, &axes)};
        if (i == 0 || surface(&candidate.box) < surface(&best.box)) {
            best = candidate;
        }
    }
    *(wkObbVolume*)merged = best;
}

double wkSizeOfObb(const void* volume)
{
    return 2.0 * wkMaxAbs(wkVecFromFloats(((const wkObbVolume*)volume)->box.half));
}

// Returns the largest gap along a cross product of edges, squared. `r` and `absolute` are rows of the
// rotation of B in A and their magnitudes.
static double edgeGapSquared(const double r[3][3], const double absolute[3][3], const double p[3],
                             const double halfA[3], const double halfB[3], double slack)
{
    double best = 0.0;
    for (int i = 0; i < 3; ++i) {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            double reach = halfA[i1] * absolute[i2][j] + halfA[i2] * absolute[i1][j] +
                           halfB[j1] * absolute[i][j2] + halfB[j2] * absolute[i][j1];
            double between = fabs(p[i2] * r[i1][j] - p[i1] * r[i2][j]);
            // slack before the division, so that it is scaled with the gap
            double gap = wkPositive(between - reach - slack);
            double lengthSquared = r[i1][j] * r[i1][j] + r[i2][j] * r[i2][j];
            double squared = gap * gap / wkMaxD(lengthSquared, PARALLEL_SQUARED);
            best = wkMaxD(best, squared);
        }
    }
    return best;
}

static double positiveLengthSquared(wkVec3d v)
{
    return wkLengthSquared(wkVec(wkPositive(v.x), wkPositive(v.y), wkPositive(v.z)));
}

// Returns the largest gap along a face normal or a cross product of edges. The gaps along the three normals
// of a box are coordinates of one vector.
static double axesGap(const wkFrame* bInA, wkVec3d halfA, wkVec3d halfB, double slack)
{
    const wkMat3d* m = &bInA->rotation;
    wkMat3d absolute = {wkAbs(m->x), wkAbs(m->y), wkAbs(m->z)};
    wkVec3d p = bInA->position;
    wkVec3d gapA = wkSub(wkAbs(p), wkAdd(halfA, wkMulMV(&absolute, halfB)));
    wkVec3d gapB = wkSub(wkAbs(wkMulTMV(m, p)), wkAdd(halfB, wkMulTMV(&absolute, halfA)));
    double faces = wkMaxD(positiveLengthSquared(gapA), positiveLengthSquared(gapB));

    const double rows[3][3] = {
        {m->x.x, m->y.x, m->z.x}, {m->x.y, m->y.y, m->z.y}, {m->x.z, m->y.z, m->z.z}};
    const double magnitudes[3][3] = {{absolute.x.x, absolute.y.x, absolute.z.x},
                                     {absolute.x.y, absolute.y.y, absolute.z.y},
                                     {absolute.x.z, absolute.y.z, absolute.z.z}};
    const double position[3] = {p.x, p.y, p.z};
    const double a[3] = {halfA.x, halfA.y, halfA.z}, b[3] = {halfB.x, halfB.y, halfB.z};
    double edges = edgeGapSquared(rows, magnitudes, position, a, b, slack);
    return sqrt(wkMaxD(faces, edges));
}

static wkVec3d clampToBox(wkVec3d point, wkVec3d half)
{
    return wkMin(wkMax(point, wkNeg(half)), half);
}

double wkBoxGap(const wkFrame* bInA, wkVec3d halfA, wkVec3d halfB)
{
    const wkMat3d* m = &bInA->rotation;
    wkVec3d p = bInA->position;
    double slack = WK_VOLUME_SLACK * (wkSumAbs(p) + wkSumAbs(halfA) + wkSumAbs(halfB));

    // from the centre of B to A, to B and back: two points that are often the closest ones
    wkVec3d local = clampToBox(wkMulTMV(m, wkSub(clampToBox(p, halfA), p)), halfB);
    wkVec3d onB = wkAdd(p, wkMulMV(m, local));
    wkVec3d line = wkSub(onB, clampToBox(onB, halfA));
    double squared = wkLengthSquared(line);
    if (!(squared > slack * slack)) {
        return 0.0;
    }
    double reach = wkDot(halfA, wkAbs(line)) + wkDot(halfB, wkAbs(wkMulTMV(m, line)));
    double along = wkDot(line, p) - reach;
    double gap = along / sqrt(squared);
    if (along < CLOSE_ENOUGH * squared) {
        gap = wkMaxD(gap, axesGap(bInA, halfA, halfB, slack));
    }
    return wkPositive(gap - slack);
}

double wkObbDistance(const wkFrame* bInA, const wkObb* a, const wkObb* b)
{
    wkFrame between = wkFrameBetween(bInA, &a->frame.rotation, a->frame.position,
                                     &b->frame.rotation, b->frame.position);
    // rounding error of the difference of far positions
    double lost = WK_VOLUME_SLACK * (wkSumAbs(bInA->position) + wkSumAbs(a->frame.position) +
                                     wkSumAbs(b->frame.position));
    return wkPositive(wkBoxGap(&between, a->half, b->half) - lost);
}

double wkGapObb(const wkFrame* bInA, const void* a, const void* b)
{
    wkObb boxA = wkBoxOfObb(a), boxB = wkBoxOfObb(b);
    return wkObbDistance(bInA, &boxA, &boxB);
}
