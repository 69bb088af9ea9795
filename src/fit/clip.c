// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Cells of a triangle: see clip.h.

#include "fit/clip.h"

// Tolerance beyond a plane within which points belong to a sphere, as a share of the largest squared length:
// far above the rounding error, so that every point is in some cell.
#define BEYOND 1e-13

// A sphere relative to a vertex of the triangle.
typedef struct localSphere {
    wkVec3d center;
    double power;  // squared distance minus squared radius
    double square; // their sum
} localSphere;

static localSphere makeLocal(wkSphere3d sphere, wkVec3d origin)
{
    wkVec3d center = wkSub(sphere.center, origin);
    double distance = wkLengthSquared(center), radius = sphere.radius * sphere.radius;
    localSphere local = {center, distance - radius, distance + radius};
    return local;
}

// Computes, for each point of a cell, the difference of its powers to the two spheres; up to 0 the point
// stays. The difference is linear along edges. Returns how many points stay.
static int preferOther(const localSphere* sphere, const localSphere* other, double size,
                       wkVec3d origin, const wkClipCell* cell, double preferences[WK_CLIP_POINTS])
{
    wkVec3d slope = wkScale(2.0, wkSub(other->center, sphere->center));
    double square = wkMaxD(wkMaxD(sphere->square, other->square), size);
    double offset = sphere->power - other->power - BEYOND * square;
    int stayCount = 0;
    for (int i = 0; i < cell->count; ++i) {
        preferences[i] = wkDot(slope, wkSub(cell->points[i], origin)) + offset;
        stayCount += preferences[i] <= 0.0;
    }
    return stayCount;
}

// Keeps the part of a cell that stays. Returns false when the capacity is too small.
static bool clipCell(const double preferences[WK_CLIP_POINTS], wkClipCell* cell)
{
    wkClipCell whole = *cell;
    cell->count = 0;
    for (int i = 0; i < whole.count; ++i) {
        if (cell->count + 2 > WK_CLIP_POINTS) {
            return false;
        }
        int next = i + 1 < whole.count ? i + 1 : 0;
        wkVec3d a = whole.points[i], b = whole.points[next];
        double atA = preferences[i], atB = preferences[next];
        if (atA <= 0.0) {
            cell->points[cell->count++] = a;
        }
        if ((atA <= 0.0) != (atB <= 0.0)) {
            cell->points[cell->count++] = wkMulAdd(a, atA / (atA - atB), wkSub(b, a));
        }
    }
    return true;
}

static bool makeCell(const localSphere* spheres, int count, int index, double size, wkVec3d origin,
                     wkClipCell* cell)
{
    for (int i = 0; i < count && cell->count > 0; ++i) {
        double preferences[WK_CLIP_POINTS];
        int stayCount =
            i == index ? cell->count
                       : preferOther(&spheres[index], &spheres[i], size, origin, cell, preferences);
        if (stayCount == 0) {
            cell->count = 0;
        } else if (stayCount < cell->count && !clipCell(preferences, cell)) {
            return false;
        }
    }
    return true;
}

bool wkClipTriangle(const wkVec3d faceVertices[3], const wkSphere3d* spheres, int count,
                    wkClipCell* cells)
{
    localSphere local[WK_CLIP_SPHERES];
    wkVec3d origin = faceVertices[0];
    double size = wkMaxD(wkLengthSquared(wkSub(faceVertices[1], origin)),
                         wkLengthSquared(wkSub(faceVertices[2], origin)));
    for (int i = 0; i < count; ++i) {
        local[i] = makeLocal(spheres[i], origin);
    }
    for (int i = 0; i < count; ++i) {
        cells[i].count = 3;
        for (int k = 0; k < 3; ++k) {
            cells[i].points[k] = faceVertices[k];
        }
        if (!makeCell(local, count, i, size, origin, &cells[i])) {
            return false;
        }
    }
    return true;
}
