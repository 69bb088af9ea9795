// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rays of a scan and the cells that they cross: frames, ranges, first borders, steps. They are traversed as in Amanatides
// and Woo, "A Fast Voxel Traversal Algorithm for Ray Tracing" (1987).
//
// A map must hold the same numbers as OctoMap's, so a ray has to cross exactly the same cells. Points are
// floats, and which operation is done in single and which in double precision is part of the result: each
// function here states it where it is not obvious.

#include "base/compiler.h"
#include "tree/octree/octree_key.h"

#include <float.h>
#include <math.h>

#define WK_KEY_MIDDLE (1 << (WK_OCTREE_DEPTH - 1)) // key of the cell above the origin of the map
#define WK_KEY_COUNT (1 << WK_OCTREE_DEPTH)        // keys along an axis

// Origin and range of the rays of a scan.
typedef struct wkGridRaySource {
    double resolution;
    double cellsPerMetre;
    float rotation[4]; // x, y, z, w; of the frame of the points
    float shift[3];    // translation of the same
    bool isMoved;      // false: the frame is the map's own
    float origin[3];   // in the map
    int32_t originKey[3];
    double maxRange;
} wkGridRaySource;

// A ray during the traversal. Lengths are measured along the ray.
typedef struct wkGridRay {
    double next[3]; // to the next border of cells across each axis
    double pace[3]; // from one border to the following one
    int32_t step[3];
    double length;
    int32_t end[3]; // key of the last cell, which the ray does not cross
} wkGridRay;

// Key of a coordinate. @return false when it is not finite or outside
WK_FN bool wkKeyOfCoordinate(const wkGridRaySource* source, float coordinate, int32_t* key)
{
    double cells = source->cellsPerMetre * (double)coordinate;
    if (!(cells >= -WK_KEY_MIDDLE && cells < WK_KEY_MIDDLE)) {
        return false;
    }
    int32_t whole = (int32_t)cells;
    *key = whole - (whole > cells) + WK_KEY_MIDDLE;
    return true;
}

WK_FN bool wkKeyOfPoint(const wkGridRaySource* source, const float point[3], int32_t key[3])
{
    return wkKeyOfCoordinate(source, point[0], &key[0]) &&
           wkKeyOfCoordinate(source, point[1], &key[1]) &&
           wkKeyOfCoordinate(source, point[2], &key[2]);
}

WK_FN double wkMiddleOfKey(const wkGridRaySource* source, int32_t key)
{
    return (key - WK_KEY_MIDDLE + 0.5) * source->resolution;
}

// Product of two quaternions, all in single precision and in this order of terms.
WK_FORCE_FN void wkMultiplyFloats(const float a[4], const float b[4], float product[4])
{
    product[0] = a[1] * b[2] - b[1] * a[2] + a[3] * b[0] + b[3] * a[0];
    product[1] = a[2] * b[0] - b[2] * a[0] + a[3] * b[1] + b[3] * a[1];
    product[2] = a[0] * b[1] - b[0] * a[1] + a[3] * b[2] + b[3] * a[2];
    product[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

WK_FORCE_FN void wkMoveFloats(const float q[4], const float shift[3], float* x, float* y, float* z)
{
    const float inverse[4] = {-q[0], -q[1], -q[2], q[3]};
    const float asQuaternion[4] = {*x, *y, *z, 0.0f};
    float half[4], rotated[4];
    wkMultiplyFloats(q, asQuaternion, half);
    wkMultiplyFloats(half, inverse, rotated);
    *x = rotated[0] + shift[0];
    *y = rotated[1] + shift[1];
    *z = rotated[2] + shift[2];
}

// Transforms a point of the scan into the map.
WK_FN void wkMovePoint(const wkGridRaySource* source, const float point[3], float moved[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        moved[axis] = point[axis];
    }
    wkMoveFloats(source->rotation, source->shift, &moved[0], &moved[1], &moved[2]);
}

WK_FN bool wkIsSameCell(const int32_t a[3], const int32_t b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

// Length of a vector: squares and their sum in single precision, the root in double.
WK_FN double wkWayLength(const float v[3])
{
    float squared = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    return sqrt((double)squared);
}

// Whether a ray that ends at `point` is longer than the range; if so `point` becomes the end of the
// range.
WK_FN bool wkCutGridRay(const wkGridRaySource* source, float point[3])
{
    const float* origin = source->origin;
    const float way[3] = {point[0] - origin[0], point[1] - origin[1], point[2] - origin[2]};
    double length = wkWayLength(way);
    if (length <= source->maxRange) {
        return false;
    }
    float divisor = (float)length, range = (float)source->maxRange;
    for (int axis = 0; axis < 3; ++axis) {
        point[axis] = origin[axis] + way[axis] / divisor * range;
    }
    return true;
}

// The direction is a float, values derived from it are doubles.
WK_FN void wkStartAlong(const wkGridRaySource* source, wkGridRay* gridRay, int axis,
                        float direction)
{
    gridRay->step[axis] = (direction > 0.0f) - (direction < 0.0f);
    if (gridRay->step[axis] == 0) {
        gridRay->next[axis] = DBL_MAX;
        gridRay->pace[axis] = DBL_MAX;
        return;
    }
    double border = wkMiddleOfKey(source, source->originKey[axis]) +
                    (double)(float)(gridRay->step[axis] * source->resolution * 0.5);
    gridRay->next[axis] = (border - (double)source->origin[axis]) / (double)direction;
    gridRay->pace[axis] = source->resolution / (double)fabsf(direction);
}

// Starts a ray that ends in the cell of `end`, about to leave the cell of the origin.
// @return false when it does not leave it
WK_FN bool wkStartGridRay(const wkGridRaySource* source, const float end[3], wkGridRay* gridRay)
{
    const float* origin = source->origin;
    const float way[3] = {end[0] - origin[0], end[1] - origin[1], end[2] - origin[2]};
    float length = (float)wkWayLength(way);

    // a ray too short for a length has no direction either, even across a border
    if (!wkKeyOfPoint(source, end, gridRay->end) || length == 0.0f ||
        wkIsSameCell(gridRay->end, source->originKey)) {
        return false;
    }
    gridRay->length = (double)length;
    for (int axis = 0; axis < 3; ++axis) {
        wkStartAlong(source, gridRay, axis, way[axis] / length);
    }
    return true;
}

// Steps to the next cell. Returns the axis of the step.
WK_FN int wkStepGridRay(wkGridRay* gridRay)
{
    // of equally distant borders, the one across the last axis
    int axis = gridRay->next[0] < gridRay->next[1] ? 0 : 1;
    axis = gridRay->next[axis] < gridRay->next[2] ? axis : 2;
    gridRay->next[axis] += gridRay->pace[axis];
    return axis;
}

// Whether the next border is beyond the end, for a ray that rounding led past its last cell.
WK_FN bool wkIsBeyondEnd(const wkGridRay* gridRay)
{
    return gridRay->next[0] > gridRay->length && gridRay->next[1] > gridRay->length &&
           gridRay->next[2] > gridRay->length;
}
