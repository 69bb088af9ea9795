// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Points as coordinate arrays, found by the hash of their cell.

#include "fit/points.h"

#include "base/memory.h"

#include <string.h>

bool wkFitPoints_Create(int32_t capacity, wkFitPoints* points)
{
    memset(points, 0, sizeof *points);
    int32_t tableSize = 64;
    while (tableSize < 2 * capacity) {
        tableSize *= 2;
    }
    size_t roundedCapacity = (size_t)wkRoundToGroup(capacity);
    points->byteCount = roundedCapacity * (5 * sizeof(double) + sizeof(wkVec3d)) +
                        (size_t)tableSize * sizeof(int32_t);
    points->memory = wkAlloc(points->byteCount);
    if (points->memory == NULL) {
        return false;
    }
    points->x = points->memory;
    points->y = points->x + roundedCapacity;
    points->z = points->y + roundedCapacity;
    points->length = points->z + roundedCapacity;
    points->ranks = points->length + roundedCapacity;
    points->normals = (wkVec3d*)(points->ranks + roundedCapacity);
    points->table = (int32_t*)(points->normals + roundedCapacity);
    points->tableSize = tableSize;
    points->capacity = capacity;
    memset(points->x, 0, roundedCapacity * 3 * sizeof(double)); // kernels read the padding
    wkFitPoints_Clear(points, wkVec(0.0, 0.0, 0.0), 1.0);
    return true;
}

void wkFitPoints_Destroy(wkFitPoints* points)
{
    wkFree(points->memory, points->byteCount);
    memset(points, 0, sizeof *points);
}

void wkFitPoints_Clear(wkFitPoints* points, wkVec3d origin, double cell)
{
    points->count = 0;
    points->origin = origin;
    points->cell = cell > 0.0 ? cell : 1.0;
    memset(points->table, 0xff, (size_t)points->tableSize * sizeof(int32_t));
}

typedef struct cellKey {
    int64_t x, y, z;
} cellKey;

static cellKey keyOf(const wkFitPoints* points, wkVec3d position)
{
    wkVec3d p = wkScale(1.0 / points->cell, wkSub(position, points->origin));
    // far beyond any cell index in use
    double limit = 1e15;
    cellKey key = {(int64_t)floor(wkClamp(p.x, -limit, limit)),
                   (int64_t)floor(wkClamp(p.y, -limit, limit)),
                   (int64_t)floor(wkClamp(p.z, -limit, limit))};
    return key;
}

static uint64_t hashOf(cellKey key)
{
    uint64_t h = (uint64_t)key.x * 0x9e3779b97f4a7c15u + (uint64_t)key.y * 0xc2b2ae3d27d4eb4fu +
                 (uint64_t)key.z * 0x165667b19e3779f9u;
    return h ^ (h >> 29);
}

static void setPoint(wkFitPoints* points, int32_t index, const wkFitPoint* point)
{
    points->x[index] = point->position.x;
    points->y[index] = point->position.y;
    points->z[index] = point->position.z;
    points->length[index] = point->length;
    points->normals[index] = point->normal;
    points->ranks[index] = point->rank;
}

bool wkFitPoints_Add(wkFitPoints* points, const wkFitPoint* point)
{
    if (points->count == points->capacity) {
        return false;
    }
    setPoint(points, points->count++, point);
    return true;
}

bool wkFitPoints_Offer(wkFitPoints* points, const wkFitPoint* point)
{
    cellKey key = keyOf(points, point->position);
    uint64_t mask = (uint64_t)points->tableSize - 1;
    uint64_t slot = hashOf(key) & mask;
    while (points->table[slot] >= 0) {
        int32_t index = points->table[slot];
        wkVec3d other = wkFitPoints_At(points, index);
        cellKey otherKey = keyOf(points, other);
        if (otherKey.x == key.x && otherKey.y == key.y && otherKey.z == key.z) {
            if (point->rank > points->ranks[index]) {
                setPoint(points, index, point);
            }
            return true;
        }
        slot = (slot + 1) & mask;
    }
    if (!wkFitPoints_Add(points, point)) {
        return false;
    }
    points->table[slot] = points->count - 1;
    return true;
}
