// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Bounds on the distance of objects from cubes: of boxes by SIMD, of maps by the distances of each cell, of
// all others by distances from points.

#include "batch/field_build.h"

#include "base/isa_table.h"
#include "geom/convex.h"
#include "math/round.h"
#include "whisker/query.h"

#include <float.h>
#include <string.h>

WK_DEFINE_LANES(const wkFieldLanes, wkFieldLanes)

// Half the diagonal of a cube of edge 2.
#define SQRT3 1.7320508075688774

static void boundShape(const wkField* field, int32_t object, const wkFieldCubes* cubes,
                       wkEightBounds* bounds)
{
    const wkFieldObject* o = &field->objects[object];
    wkShape copy;
    const wkShape* shape = wkField_ShapeOf(field, object, &copy);
    wkPose pose = *wkField_PoseOf(field, object);
    double around = SQRT3 * (double)cubes->half + o->slack;
    for (int i = 0; i < WK_FIELD_EIGHT; ++i) {
        const int at[3] = {i % 2, i / 2 % 2, i / 4};
        double point[3];
        for (int axis = 0; axis < 3; ++axis) {
            point[axis] =
                (double)cubes->center[axis] + ((double)at[axis] - 0.5) * (double)cubes->edge;
        }
        wkVec3d inWorld = wkAdd(field->origin, wkVec(point[0], point[1], point[2]));
        wkPointResult closest = wkShape_ClosestPoint(shape, pose, inWorld, field->reach + around);
        // a distance beyond the cutoff is no upper bound
        bool isExact = closest.status == wk_statusExact || closest.status == wk_statusNotWatertight;
        bounds->lower[i] = wkRoundDown(closest.distance - around);
        bounds->upper[i] = isExact ? wkRoundUp(closest.distance + around) : FLT_MAX;
    }
}

// Combines the distances of all cells of a cube.
static void boundByCells(const wkFieldGrid* grid, float step, const uint16_t* cells,
                         const int32_t first[3], int32_t edge, float* lower, float* upper)
{
    int least = WK_FIELD_FAR, most = 0;
    for (int32_t z = first[2]; z < first[2] + edge && z < grid->count[2]; ++z) {
        for (int32_t y = first[1]; y < first[1] + edge && y < grid->count[1]; ++y) {
            size_t row = (size_t)grid->count[0] * ((size_t)y + (size_t)grid->count[1] * (size_t)z);
            for (int32_t x = first[0]; x < first[0] + edge && x < grid->count[0]; ++x) {
                int low = cells[row + (size_t)x] & 0xff, high = cells[row + (size_t)x] >> 8;
                least = low < least ? low : least;
                most = high > most ? high : most;
            }
        }
    }
    *lower = least == WK_FIELD_FAR ? FLT_MAX : (float)least * step;
    *upper = most == WK_FIELD_FAR ? FLT_MAX : (float)most * step;
}

static void boundMap(const wkField* field, const wkFieldMap* map, const wkFieldCubes* cubes,
                     wkEightBounds* bounds)
{
    for (int i = 0; i < WK_FIELD_EIGHT; ++i) {
        const int32_t first[3] = {cubes->cell[0] + i % 2 * cubes->cells,
                                  cubes->cell[1] + i / 2 % 2 * cubes->cells,
                                  cubes->cell[2] + i / 4 * cubes->cells};
        boundByCells(&field->layers[0].grid, field->step, map->cells, first, cubes->cells,
                     &bounds->lower[i], &bounds->upper[i]);
    }
}

void wkField_BoundByEight(const wkField* field, int32_t object, const wkFieldCubes* cubes,
                          wkEightBounds* bounds)
{
    const wkFieldObject* o = &field->objects[object];
    if (o->map >= 0 && field->maps[o->map].cells != NULL) {
        boundMap(field, &field->maps[o->map], cubes, bounds);
    } else {
        boundShape(field, object, cubes, bounds);
    }
}
