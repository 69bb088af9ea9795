// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Triangles in bunches, and boxes around them.

#include "fit/near.h"

#include "base/lanes.h"
#include "base/memory.h"

#include <string.h>

WK_DEFINE_LANES(wkFindNearFcn, wkFindNear)

static int32_t roomFor(int32_t boxes)
{
    return (boxes + WK_CROWD - 1) / WK_CROWD * WK_CROWD;
}

// Empty boxes, in memory that the boxes after them start behind.
static double* placeBoxes(int32_t count, double* memory, wkNearBoxes* boxes)
{
    int32_t room = roomFor(count);
    boxes->count = count;
    for (int i = 0; i < 6; ++i) {
        boxes->bounds[i] = memory;
        for (int32_t k = 0; k < room; ++k) {
            *memory++ = i < 3 ? INFINITY : -INFINITY;
        }
    }
    return memory;
}

bool wkNearSet_Create(int32_t triangleCount, wkNearSet* set)
{
    *set = (wkNearSet){.triangleCount = triangleCount};
    int32_t bunches = (triangleCount + WK_BUNCH - 1) / WK_BUNCH;
    int32_t crowds = (bunches + WK_CROWD - 1) / WK_CROWD;
    set->byteCount = (size_t)bunches * sizeof(wkBunch) +
                     6 * (size_t)(roomFor(bunches) + roomFor(crowds)) * sizeof(double);
    set->memory = wkAlloc(set->byteCount);
    if (set->memory == NULL) {
        return false;
    }
    set->bunches = set->memory;
    double* next = placeBoxes(bunches, (double*)(set->bunches + bunches), &set->boxes);
    placeBoxes(crowds, next, &set->crowds);
    return true;
}

void wkNearSet_Destroy(wkNearSet* set)
{
    wkFree(set->memory, set->byteCount);
    memset(set, 0, sizeof *set);
}

static double inverseOf(wkVec3d v)
{
    double square = wkLengthSquared(v);
    return square > 1e-300 ? 1.0 / square : 0.0;
}

static void setCorner(double corner[3][WK_BUNCH], int slot, wkVec3d v)
{
    corner[0][slot] = v.x;
    corner[1][slot] = v.y;
    corner[2][slot] = v.z;
}

static void setSlot(wkBunch* bunch, int slot, const wkVec3d p[3])
{
    wkVec3d ab = wkSub(p[1], p[0]), bc = wkSub(p[2], p[1]), ca = wkSub(p[0], p[2]);
    wkVec3d normal = wkCross(ab, wkNeg(ca));
    setCorner(bunch->a, slot, p[0]);
    setCorner(bunch->b, slot, p[1]);
    setCorner(bunch->c, slot, p[2]);
    setCorner(bunch->normal, slot, normal);
    bunch->inverseAB[slot] = inverseOf(ab);
    bunch->inverseBC[slot] = inverseOf(bc);
    bunch->inverseCA[slot] = inverseOf(ca);
    bunch->inverseNormal[slot] = inverseOf(normal);
}

static void growBox(wkNearBoxes* boxes, int32_t index, const wkVec3d corners[3])
{
    for (int k = 0; k < 3; ++k) {
        for (int axis = 0; axis < 3; ++axis) {
            double* lower = &boxes->bounds[axis][index];
            double* upper = &boxes->bounds[3 + axis][index];
            *lower = wkMinD(*lower, wkAlongAxis(&corners[k], axis));
            *upper = wkMaxD(*upper, wkAlongAxis(&corners[k], axis));
        }
    }
}

void wkNearSet_SetTriangle(wkNearSet* set, int32_t index, const wkVec3d corners[3])
{
    int32_t bunch = index / WK_BUNCH;
    growBox(&set->boxes, bunch, corners);
    growBox(&set->crowds, bunch / WK_CROWD, corners);
    // the last one is repeated up to the end of the bunch
    for (int slot = index % WK_BUNCH; slot < WK_BUNCH; ++slot) {
        setSlot(&set->bunches[bunch], slot, corners);
    }
}
