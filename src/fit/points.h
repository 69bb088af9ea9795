// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Points with one length each. A grid keeps at most one point per cell.

#include "fit/fit_kernel.h"

typedef struct wkFitPoints {
    double *x, *y, *z;
    double* length; // one per point; its meaning is up to the caller
    wkVec3d* normals;
    double* ranks;
    int32_t count, capacity;
    int32_t* table; // hash of a cell to the index of its point; -1: none
    int32_t tableSize;
    wkVec3d origin;
    double cell; // edge of a cell
    void* memory;
    size_t byteCount;
} wkFitPoints;

// Allocates for `capacity` points. Returns false when out of memory.
bool wkFitPoints_Create(int32_t capacity, wkFitPoints* points);
void wkFitPoints_Destroy(wkFitPoints* points);

// Removes all points and sets a new cell size.
void wkFitPoints_Clear(wkFitPoints* points, wkVec3d origin, double cell);

// Returns the first `count` points for SIMD kernels.
WK_FN wkPointLanes wkFitPoints_Lanes(const wkFitPoints* points)
{
    wkPointLanes lanes = {points->x, points->y, points->z, points->count};
    return lanes;
}

WK_FN wkVec3d wkFitPoints_At(const wkFitPoints* points, int32_t index)
{
    return wkVec(points->x[index], points->y[index], points->z[index]);
}

// A point to be added.
typedef struct wkFitPoint {
    wkVec3d position;
    wkVec3d normal;
    double length;
    double rank; // in a cell that has a point already, the one with the higher rank stays
} wkFitPoint;

// Adds a point, or replaces the one in its cell. Returns false when full.
bool wkFitPoints_Offer(wkFitPoints* points, const wkFitPoint* point);

// Adds a point even if its cell has one. Returns false when full.
bool wkFitPoints_Add(wkFitPoints* points, const wkFitPoint* point);
