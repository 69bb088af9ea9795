// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Leaves points out whose spheres the sphere of another point covers: of each cube of a grid one is kept, the
// nearest to the middle, with a radius that reaches over all others. Points at the same position are the same with
// cubes of no size.

#include "base/memory.h"
#include "base/sort.h"
#include "math/round.h"
#include "math/vec.h"
#include "tree/cloud/cloud_build.h"

#include <string.h>

static wkVec3d positionOf(const wkCloudPoints* points, int32_t index)
{
    return wkVec((double)points->x[index], (double)points->y[index], (double)points->z[index]);
}

// Mixes three words into a number that differs where any of them does, but for rare collisions.
static uint64_t mixWords(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t sum = (a * 0x9e3779b97f4a7c15u ^ b) * 0xff51afd7ed558ccdu;
    sum = (sum ^ sum >> 32 ^ c) * 0xc4ceb9fe1a85ec53u;
    return sum ^ sum >> 29;
}

static uint64_t bitsOf(float number)
{
    uint32_t bits;
    float positive = number + 0.0f; // -0 and 0 are one position
    memcpy(&bits, &positive, sizeof bits);
    return bits;
}

typedef struct cube {
    int64_t x;
    int64_t y;
    int64_t z;
} cube;

static cube cubeOf(wkVec3d position, double spacing)
{
    cube c = {(int64_t)floor(position.x / spacing), (int64_t)floor(position.y / spacing),
              (int64_t)floor(position.z / spacing)};
    return c;
}

// Whether two points are in one cube, or at one position.
static bool isAlike(const wkCloudPoints* points, double spacing, int32_t a, int32_t b)
{
    wkVec3d first = positionOf(points, a), second = positionOf(points, b);
    if (!(spacing > 0.0)) {
        return first.x == second.x && first.y == second.y && first.z == second.z;
    }
    cube c = cubeOf(first, spacing), d = cubeOf(second, spacing);
    return c.x == d.x && c.y == d.y && c.z == d.z;
}

static uint64_t keyOf(const wkCloudPoints* points, double spacing, int32_t index)
{
    if (!(spacing > 0.0)) {
        return mixWords(bitsOf(points->x[index]), bitsOf(points->y[index]),
                        bitsOf(points->z[index]));
    }
    cube c = cubeOf(positionOf(points, index), spacing);
    return mixWords((uint64_t)c.x, (uint64_t)c.y, (uint64_t)c.z);
}

// The point of a run that is kept: the nearest to the middle of the cube, the first of several.
static int32_t chooseKept(const wkCloudPoints* points, double spacing, const wkSortKey* run,
                          int32_t count)
{
    int32_t kept = (int32_t)run[0].value;
    if (!(spacing > 0.0) || count == 1) {
        return kept;
    }
    cube c = cubeOf(positionOf(points, kept), spacing);
    wkVec3d middle = wkVec(((double)c.x + 0.5) * spacing, ((double)c.y + 0.5) * spacing,
                           ((double)c.z + 0.5) * spacing);
    double least = INFINITY;
    for (int32_t i = 0; i < count; ++i) {
        wkVec3d from = wkSub(positionOf(points, (int32_t)run[i].value), middle);
        double squared = wkDot(from, from);
        if (squared < least) {
            least = squared;
            kept = (int32_t)run[i].value;
        }
    }
    return kept;
}

// Radius of a sphere about the kept point that covers those of all points of a run.
static float radiusOver(const wkCloudPoints* points, int32_t kept, const wkSortKey* run,
                        int32_t count)
{
    wkVec3d center = positionOf(points, kept);
    double radius = (double)points->radii[kept];
    for (int32_t i = 0; i < count; ++i) {
        int32_t other = (int32_t)run[i].value;
        double distance = wkLength(wkSub(positionOf(points, other), center));
        radius = wkMaxD(radius, distance * (1.0 + 1e-15) + (double)points->radii[other]);
    }
    return wkRoundUp(radius);
}

// Number of points at the start of sorted keys that are like the first. Another cube with the same key, by
// collision, ends the run: it is kept apart, which is as good.
static int32_t runLength(const wkCloudPoints* points, double spacing, const wkSortKey* keys,
                         int32_t left)
{
    int32_t count = 1;
    while (count < left && keys[count].key == keys[0].key &&
           isAlike(points, spacing, (int32_t)keys[0].value, (int32_t)keys[count].value)) {
        ++count;
    }
    return count;
}

// Moves the kept points to the front, in their order; the others have a negative radius.
static void compact(wkCloudPoints* points)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < points->count; ++i) {
        if (points->radii[i] >= 0.0f) {
            points->x[kept] = points->x[i];
            points->y[kept] = points->y[i];
            points->z[kept] = points->z[i];
            points->ids[kept] = points->ids[i];
            points->radii[kept++] = points->radii[i];
        }
    }
    points->mergedCount += points->count - kept;
    points->count = kept;
}

bool wkThinCloudPoints(const wkCloudDef* def, wkCloudPoints* points)
{
    size_t count = (size_t)points->count, byteCount = 2 * (count + 1) * sizeof(wkSortKey);
    wkSortKey* keys = wkAlloc(byteCount);
    if (keys == NULL) {
        return false;
    }
    for (int32_t i = 0; i < points->count; ++i) {
        keys[i].key = keyOf(points, def->spacing, i);
        keys[i].value = i;
    }
    wkSortKeys(keys, keys + count, points->count);
    for (int32_t first = 0, length; first < points->count; first += length) {
        const wkSortKey* run = keys + first;
        length = runLength(points, def->spacing, run, points->count - first);
        int32_t kept = chooseKept(points, def->spacing, run, length);
        float radius = radiusOver(points, kept, run, length);
        for (int32_t i = 0; i < length; ++i) {
            points->radii[run[i].value] = -1.0f;
        }
        points->radii[kept] = radius;
    }
    compact(points);
    wkFree(keys, byteCount);
    return true;
}
