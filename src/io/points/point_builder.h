// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Builder of point clouds.

#include "io/file/format.h"
#include "io/text/number.h"

#include <math.h>

// One coordinate of all points in a binary file: a strided column of numbers.
typedef struct wkIoColumn {
    const uint8_t* first;
    size_t stride; // bytes between consecutive numbers
    wkIoNumber type;
} wkIoColumn;

// Reads the points of a source with a row of the table, and finishes them.
// @param cloud NULL on failure
wkResult wkIoCloud_Read(const wkIoSource* source, const wkIoFormat* format, wkIoCloud** cloud);
void wkIoCloud_Destroy(wkIoCloud* cloud);

// Reserves capacity for `count` in all. The caller has compared the count with the bytes of the file.
wkResult wkIoCloud_Reserve(wkIoCloud* cloud, const wkIoSource* source, uint64_t count);

// Appends all points of a binary file, within the reserved capacity; x, y and z are columns.
void wkIoCloud_AddColumns(wkIoCloud* cloud, const wkIoColumn columns[3], size_t count, bool isBig);

// Stores a coordinate as a float, and the largest distance by which that moved one along its axis.
WK_FN void wkIoCloud_Store(double coordinate, float* stored, double* axisRounding)
{
    *stored = (float)coordinate;
    double moved = fabs((double)*stored - coordinate);
    // not finite coordinates move by NaN, and those that floats do not hold are left out later
    *axisRounding = moved > *axisRounding && moved < INFINITY ? moved : *axisRounding;
}

// Stores a point of the file relative to the origin, within the reserved capacity.
void wkIoCloud_Put(wkIoCloud* cloud, size_t index, const double coordinates[3]);

// Appends a point.
WK_FN wkResult wkIoCloud_Add(wkIoCloud* cloud, const wkIoSource* source,
                             const double coordinates[3])
{
    size_t count = (size_t)cloud->data.count;
    if (WK_UNLIKELY(count == cloud->capacity)) {
        wkResult result = wkIoCloud_Reserve(cloud, source, 2 * (uint64_t)count + 64);
        if (result != wk_ok) {
            return result;
        }
    }
    wkIoCloud_Put(cloud, count, coordinates);
    cloud->data.count++;
    return wk_ok;
}

// Warns about bytes after the last point.
void wkIoCloud_WarnOfRest(wkIoCloud* cloud, size_t byteCount);
