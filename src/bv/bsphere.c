// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Spheres. The smallest sphere around points is determined by at most four support points. Starting from one
// point, the furthest point is added to the support points until no point is outside.

#include "bv/volume_rows.h"

typedef struct wkSphereVolume {
    float center[3];
    float radius;
} wkSphereVolume;

_Static_assert(sizeof(wkSphereVolume) == WK_SPHERE_BYTES, "the table knows the size");

// Passes over the points. Most sets need at most five; after the last pass the sphere grows around the rest.
#define MAX_PASSES 16

// A sphere is the smallest when no point lies outside by more than this share of its squared radius.
#define DONE_SHARE 1e-6

// A sphere and its support points.
typedef struct restingSphere {
    wkVec3d center;
    double radiusSquared;
    int count;
    wkVec3d points[4];
} restingSphere;

// Solves a symmetric system of up to three equations; a pivot that is too small leaves its unknown at 0.
static void solve(double m[3][3], double right[3], int count)
{
    for (int i = 0; i < count; ++i) {
        double pivot = m[i][i];
        double inverse = pivot > 0.0 ? 1.0 / pivot : 0.0;
        for (int k = i + 1; k < count; ++k) {
            double factor = m[k][i] * inverse;
            for (int j = i; j < count; ++j) {
                m[k][j] -= factor * m[i][j];
            }
            right[k] -= factor * right[i];
        }
        right[i] *= inverse;
        for (int j = i + 1; j < count; ++j) {
            m[i][j] *= inverse;
        }
    }
    for (int i = count - 1; i >= 0; --i) {
        for (int j = i + 1; j < count; ++j) {
            right[i] -= m[i][j] * right[j];
        }
    }
}

// Returns the sphere with all points on its surface and its centre in their affine hull.
static restingSphere sphereThrough(const wkVec3d* points, int count)
{
    restingSphere sphere = {points[0], 0.0, count, {points[0]}};
    double m[3][3] = {{0.0}}, right[3] = {0.0};
    for (int i = 1; i < count; ++i) {
        sphere.points[i] = points[i];
        wkVec3d edge = wkSub(points[i], points[0]);
        for (int j = 1; j < count; ++j) {
            m[i - 1][j - 1] = wkDot(edge, wkSub(points[j], points[0]));
        }
        right[i - 1] = 0.5 * wkLengthSquared(edge);
    }
    solve(m, right, count - 1);
    wkVec3d toCenter = wkVec(0.0, 0.0, 0.0);
    for (int i = 1; i < count; ++i) {
        toCenter = wkMulAdd(toCenter, right[i - 1], wkSub(points[i], points[0]));
    }
    sphere.center = wkAdd(points[0], toCenter);
    sphere.radiusSquared = wkLengthSquared(toCenter);
    return sphere;
}

static bool holdsAll(const restingSphere* sphere, const wkVec3d* points, int count)
{
    for (int i = 0; i < count; ++i) {
        double away = wkLengthSquared(wkSub(points[i], sphere->center));
        if (!(away <= sphere->radiusSquared * (1.0 + DONE_SHARE))) {
            return false;
        }
    }
    return true;
}

// Returns the smallest sphere around the support points and one more point, which becomes one of them.
static restingSphere growSphere(const restingSphere* sphere, wkVec3d point)
{
    wkVec3d all[5] = {point};
    for (int i = 0; i < sphere->count; ++i) {
        all[i + 1] = sphere->points[i];
    }
    restingSphere best = *sphere;
    best.radiusSquared = INFINITY;
    for (int subset = 0; subset < 1 << sphere->count; ++subset) {
        wkVec3d chosen[5] = {point};
        int count = 1;
        for (int i = 0; i < sphere->count; ++i) {
            chosen[count] = sphere->points[i];
            count += subset >> i & 1;
        }
        if (count > 4) {
            continue;
        }
        restingSphere candidate = sphereThrough(chosen, count);
        if (candidate.radiusSquared < best.radiusSquared &&
            holdsAll(&candidate, all, sphere->count + 1)) {
            best = candidate;
        }
    }
    return best;
}

static int32_t furthest(const wkVec3d* points, int32_t count, wkVec3d center)
{
    int32_t best = 0;
    double bestSquared = -1.0;
    for (int32_t i = 0; i < count; ++i) {
        double away = wkLengthSquared(wkSub(points[i], center));
        if (away > bestSquared) {
            bestSquared = away;
            best = i;
        }
    }
    return best;
}

static wkVec3d smallestSphereCenter(const wkVec3d* points, int32_t count)
{
    restingSphere sphere = sphereThrough(points, 1);
    for (int pass = 0; pass < MAX_PASSES; ++pass) {
        wkVec3d point = points[furthest(points, count, sphere.center)];
        if (holdsAll(&sphere, &point, 1)) {
            break;
        }
        restingSphere grown = growSphere(&sphere, point);
        if (!(grown.radiusSquared < INFINITY)) {
            break;
        }
        sphere = grown;
    }
    return sphere.center;
}

// Returns the distance of the furthest point. Where squares underflow the range of double, far below the
// range of floats, the largest coordinate is used instead.
static double reachFrom(const wkVec3d* points, int32_t count, wkVec3d center)
{
    double squared = 0.0, coordinate = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        wkVec3d away = wkSub(points[i], center);
        squared = wkMaxD(squared, wkLengthSquared(away));
        coordinate = wkMaxD(coordinate, wkMaxAbs(away));
    }
    return wkMaxD(sqrt(squared), coordinate);
}

void wkFitSphere(const wkVec3d* points, int32_t count, const wkMat3d* axes, void* volume)
{
    (void)axes;
    wkSphereVolume* sphere = volume;
    wkNearestFloats(smallestSphereCenter(points, count), sphere->center);
    double radius = reachFrom(points, count, wkVecFromFloats(sphere->center));
    sphere->radius = wkRoundUp(radius * (1.0 + WK_VOLUME_SLACK));
}

void wkMergeSphere(const void* a, const void* b, void* merged)
{
    const wkSphereVolume* first = a;
    const wkSphereVolume* second = b;
    double radiusA = (double)first->radius, radiusB = (double)second->radius;
    wkVec3d centerA = wkVecFromFloats(first->center), centerB = wkVecFromFloats(second->center);
    wkVec3d between = wkSub(centerB, centerA);
    double length = wkLength(between);
    if (length + radiusB <= radiusA || length + radiusA <= radiusB) {
        *(wkSphereVolume*)merged = radiusA >= radiusB ? *first : *second;
        return;
    }
    // midway between the two ends of the line through both spheres
    double along = 0.5 * (length + radiusB - radiusA) / length;
    wkSphereVolume sphere;
    wkNearestFloats(wkMulAdd(centerA, along, between), sphere.center);
    wkVec3d center = wkVecFromFloats(sphere.center);
    double radius = wkMaxD(wkLength(wkSub(centerA, center)) + radiusA,
                           wkLength(wkSub(centerB, center)) + radiusB);
    sphere.radius = wkRoundUp(radius * (1.0 + WK_VOLUME_SLACK));
    *(wkSphereVolume*)merged = sphere;
}

wkObb wkBoxOfSphere(const void* volume)
{
    const wkSphereVolume* sphere = volume;
    double radius = (double)sphere->radius;
    wkObb obb = {
        {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, wkVecFromFloats(sphere->center)},
        {radius, radius, radius}};
    return obb;
}

double wkSizeOfSphere(const void* volume)
{
    return 2.0 * (double)((const wkSphereVolume*)volume)->radius;
}

double wkGapSphere(const wkFrame* bInA, const void* a, const void* b)
{
    const wkSphereVolume* first = a;
    const wkSphereVolume* second = b;
    wkVec3d centerA = wkVecFromFloats(first->center), centerB = wkVecFromFloats(second->center);
    double radii = (double)first->radius + (double)second->radius;
    double away = wkLength(wkSub(wkFramePoint(bInA, centerB), centerA));
    double size = wkSumAbs(bInA->position) + wkSumAbs(centerA) + wkSumAbs(centerB) + radii;
    return wkPositive(away - radii - WK_VOLUME_SLACK * size);
}
