// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Rays of a scan and the cells that they cross.
//
// A map must hold the same numbers as OctoMap's, so a ray has to cross exactly the same cells. Points are
// floats, and which operation is done in single and which in double precision is part of the result: each
// function here states it where it is not obvious.

#include "base/compiler.h"
#include "tree/octree/octree_impl.h"

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

#define WK_POINTS_PER_PIECE 512

// Points of a scan that are processed together.
typedef struct wkPiece {
    float x[WK_POINTS_PER_PIECE];
    float y[WK_POINTS_PER_PIECE];
    float z[WK_POINTS_PER_PIECE];
} wkPiece;

// Transforms a point of the scan into the map.
void wkMovePoint(const wkGridRaySource* source, const float point[3], float moved[3]);

// Transforms all points of a piece into the map.
void wkMovePiece(const wkGridRaySource* source, wkPiece* piece, int32_t count);

// Whether a ray that ends at `point` is longer than the range; if so `point` becomes the end of the
// range.
bool wkCutGridRay(const wkGridRaySource* source, float point[3]);

// Starts a ray that ends in the cell of `end`, about to leave the cell of the origin.
// @return false when it does not leave it
bool wkStartGridRay(const wkGridRaySource* source, const float end[3], wkGridRay* gridRay);

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
