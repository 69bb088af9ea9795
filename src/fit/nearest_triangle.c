// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Construction of the bunches of triangles and of their boxes.

#include "fit/nearest_triangle.h"

#include "base/isa_table.h"
#include "base/memory.h"

#include <string.h>

WK_DEFINE_LANES(wkFindNearestTriangleFcn, wkFindNearestTriangle)

static int32_t capacityFor(int32_t boxes)
{
    return (boxes + WK_CROWD - 1) / WK_CROWD * WK_CROWD;
}

// Makes empty boxes in `memory`; returns the memory behind them.
static double* placeBoxes(int32_t count, double* memory, wkTriangleBoxes* boxes)
{
    int32_t roundedCapacity = capacityFor(count);
    boxes->count = count;
    for (int i = 0; i < 6; ++i) {
        boxes->bounds[i] = memory;
        for (int32_t k = 0; k < roundedCapacity; ++k) {
            *memory++ = i < 3 ? INFINITY : -INFINITY;
        }
    }
    return memory;
}

bool wkTriangleSet_Create(int32_t triangleCount, wkTriangleSet* set)
{
    *set = (wkTriangleSet){.triangleCount = triangleCount};
    int32_t bunches = (triangleCount + WK_BUNCH - 1) / WK_BUNCH;
    int32_t crowds = (bunches + WK_CROWD - 1) / WK_CROWD;
    set->byteCount = (size_t)bunches * sizeof(wkBunch) +
                     6 * (size_t)(capacityFor(bunches) + capacityFor(crowds)) * sizeof(double);
    set->memory = wkAlloc(set->byteCount);
    if (set->memory == NULL) {
        return false;
    }
    set->bunches = set->memory;
    double* next = placeBoxes(bunches, (double*)(set->bunches + bunches), &set->boxes);
    placeBoxes(crowds, next, &set->crowds);
    return true;
}

void wkTriangleSet_Destroy(wkTriangleSet* set)
{
    wkFree(set->memory, set->byteCount);
    memset(set, 0, sizeof *set);
}

static double inverseOf(wkVec3d v)
{
    double square = wkLengthSquared(v);
    return square > 1e-300 ? 1.0 / square : 0.0;
}

static void setVertex(double vertex[3][WK_BUNCH], int slot, wkVec3d v)
{
    vertex[0][slot] = v.x;
    vertex[1][slot] = v.y;
    vertex[2][slot] = v.z;
}

static void setSlot(wkBunch* bunch, int slot, const wkVec3d p[3])
{
    wkVec3d ab = wkSub(p[1], p[0]), bc = wkSub(p[2], p[1]), ca = wkSub(p[0], p[2]);
    wkVec3d normal = wkCross(ab, wkNeg(ca));
    setVertex(bunch->a, slot, p[0]);
    setVertex(bunch->b, slot, p[1]);
    setVertex(bunch->c, slot, p[2]);
    setVertex(bunch->normal, slot, normal);
    bunch->inverseAB[slot] = inverseOf(ab);
    bunch->inverseBC[slot] = inverseOf(bc);
    bunch->inverseCA[slot] = inverseOf(ca);
    bunch->inverseNormal[slot] = inverseOf(normal);
}

static void growBox(wkTriangleBoxes* boxes, int32_t index, const wkVec3d faceVertices[3])
{
    for (int k = 0; k < 3; ++k) {
        for (int axis = 0; axis < 3; ++axis) {
            double* lower = &boxes->bounds[axis][index];
            double* upper = &boxes->bounds[3 + axis][index];
            *lower = wkMinD(*lower, wkAlongAxis(&faceVertices[k], axis));
            *upper = wkMaxD(*upper, wkAlongAxis(&faceVertices[k], axis));
        }
    }
}

void wkTriangleSet_SetTriangle(wkTriangleSet* set, int32_t index, const wkVec3d faceVertices[3])
{
    int32_t bunch = index / WK_BUNCH;
    growBox(&set->boxes, bunch, faceVertices);
    growBox(&set->crowds, bunch / WK_CROWD, faceVertices);
    // the last triangle pads the bunch
    for (int slot = index % WK_BUNCH; slot < WK_BUNCH; ++slot) {
        setSlot(&set->bunches[bunch], slot, faceVertices);
    }
}
