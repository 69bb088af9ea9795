// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Prepares rays: frames, ranges, first borders. They are traversed as in Amanatides and Woo, "A
// Fast Voxel Traversal Algorithm for Ray Tracing" (1987).

#include "tree/octree/octree_ray.h"

#include <float.h>
#include <string.h>

// Product of two quaternions, all in single precision and in this order of terms.
WK_FORCE_FN void multiply(const float a[4], const float b[4], float product[4])
{
    product[0] = a[1] * b[2] - b[1] * a[2] + a[3] * b[0] + b[3] * a[0];
    product[1] = a[2] * b[0] - b[2] * a[0] + a[3] * b[1] + b[3] * a[1];
    product[2] = a[0] * b[1] - b[0] * a[1] + a[3] * b[2] + b[3] * a[2];
    product[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

WK_FORCE_FN void move(const float q[4], const float shift[3], float* x, float* y, float* z)
{
    const float inverse[4] = {-q[0], -q[1], -q[2], q[3]};
    const float asQuaternion[4] = {*x, *y, *z, 0.0f};
    float half[4], rotated[4];
    multiply(q, asQuaternion, half);
    multiply(half, inverse, rotated);
    *x = rotated[0] + shift[0];
    *y = rotated[1] + shift[1];
    *z = rotated[2] + shift[2];
}

void wkMovePoint(const wkGridRaySource* source, const float point[3], float moved[3])
{
    memmove(moved, point, 3 * sizeof *moved);
    move(source->rotation, source->shift, &moved[0], &moved[1], &moved[2]);
}

void wkMovePiece(const wkGridRaySource* source, wkPiece* piece, int32_t count)
{
    // local copies: the compiler then knows that no store changes them
    const float q[4] = {source->rotation[0], source->rotation[1], source->rotation[2],
                        source->rotation[3]};
    const float shift[3] = {source->shift[0], source->shift[1], source->shift[2]};
    for (int32_t i = 0; i < count; ++i) {
        move(q, shift, &piece->x[i], &piece->y[i], &piece->z[i]);
    }
}

// Length of a vector: squares and their sum in single precision, the root in double.
static double lengthOf(const float v[3])
{
    float squared = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    return sqrt((double)squared);
}

bool wkCutGridRay(const wkGridRaySource* source, float point[3])
{
    const float* origin = source->origin;
    const float way[3] = {point[0] - origin[0], point[1] - origin[1], point[2] - origin[2]};
    double length = lengthOf(way);
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
static void startAlong(const wkGridRaySource* source, wkGridRay* gridRay, int axis, float direction)
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

bool wkStartGridRay(const wkGridRaySource* source, const float end[3], wkGridRay* gridRay)
{
    const float* origin = source->origin;
    const float way[3] = {end[0] - origin[0], end[1] - origin[1], end[2] - origin[2]};
    float length = (float)lengthOf(way);

    // a ray too short for a length has no direction either, even across a border
    if (!wkKeyOfPoint(source, end, gridRay->end) || length == 0.0f ||
        memcmp(gridRay->end, source->originKey, sizeof gridRay->end) == 0) {
        return false;
    }
    gridRay->length = (double)length;
    for (int axis = 0; axis < 3; ++axis) {
        startAlong(source, gridRay, axis, way[axis] / length);
    }
    return true;
}
