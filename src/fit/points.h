// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Points with a length each, of which a grid of cells keeps at most one per cell.

#include "fit/fit_kernel.h"

typedef struct wkFitPoints {
    double *x, *y, *z;
    double* length; // that goes with each point, whatever it means
    wkVec3d* normals;
    double* ranks;
    int32_t count, capacity;
    int32_t* table; // by hash of the cell: the point in it; -1: none
    int32_t tableSize;
    wkVec3d origin;
    double cell; // edge of a cell
    void* memory;
    size_t byteCount;
} wkFitPoints;

// Room for `capacity` points. False: no memory.
bool wkFitPoints_Create(int32_t capacity, wkFitPoints* points);
void wkFitPoints_Destroy(wkFitPoints* points);

// Forgets all points. Cells are empty again and of another size.
void wkFitPoints_Clear(wkFitPoints* points, wkVec3d origin, double cell);

// The first `count` points for lane code.
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

// Adds a point, or replaces the one of its cell. False: full.
bool wkFitPoints_Offer(wkFitPoints* points, const wkFitPoint* point);

// Adds a point, whatever its cell has. False: full.
bool wkFitPoints_Add(wkFitPoints* points, const wkFitPoint* point);
