// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A hash table by cube. It does not grow: once it is full, further distances are not cached.

#include "fit/out_cache.h"

#include "base/memory.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

#define ENTRY_BITS 16
#define ENTRY_COUNT (1 << ENTRY_BITS)
#define MOST_ENTRIES (ENTRY_COUNT / 4 * 3)
#define LEVEL_SHIFT 64 // levels may be negative: cubes larger than the surface
#define INDEX_BITS 18  // of a lattice coordinate, which may be negative, too
#define INDEX_LIMIT (1 << (INDEX_BITS - 1))

void wkOutCache_Create(const wkFitSurface* surface, wkOutCache* cache)
{
    *cache = (wkOutCache){surface, wkAlloc(ENTRY_COUNT * sizeof(wkOutEntry)), 0};
    if (cache->entries != NULL) {
        memset(cache->entries, 0, ENTRY_COUNT * sizeof(wkOutEntry));
    }
}

void wkOutCache_Destroy(wkOutCache* cache)
{
    wkFree(cache->entries, ENTRY_COUNT * sizeof(wkOutEntry));
    memset(cache, 0, sizeof *cache);
}

// A surface that is a single point has cubes of nonzero size, too.
double wkOutCube_Edge(const wkFitSurface* surface, int32_t level)
{
    return ldexp(surface->extent > 0.0 ? surface->extent : 1.0, -level);
}

wkVec3d wkOutCube_Middle(const wkFitSurface* surface, const wkOutCube* cube)
{
    wkVec3d position = wkVec((double)cube->x + 0.5, (double)cube->y + 0.5, (double)cube->z + 0.5);
    return wkMulAdd(surface->bounds.lower, wkOutCube_Edge(surface, cube->level), position);
}

// Returns 0 for cubes that are too far out or too small for a key.
static uint64_t keyOf(const wkOutCube* cube)
{
    const int64_t indices[3] = {cube->x, cube->y, cube->z};
    int64_t level = cube->level;
    uint64_t key = (uint64_t)(level + LEVEL_SHIFT);
    for (int i = 0; i < 3; ++i) {
        if (indices[i] < -INDEX_LIMIT || indices[i] >= INDEX_LIMIT) {
            return 0;
        }
        key = key << INDEX_BITS | (uint64_t)(indices[i] + INDEX_LIMIT);
    }
    return key;
}

// Returns the entry of a cube, or an empty one for it; NULL: the table is full.
static wkOutEntry* findEntry(wkOutCache* cache, uint64_t key)
{
    if (cache->entries == NULL || key == 0) {
        return NULL;
    }
    uint64_t slot = key * 0x9e3779b97f4a7c15u >> (64 - ENTRY_BITS);
    while (cache->entries[slot].key != 0 && cache->entries[slot].key != key) {
        slot = (slot + 1) % ENTRY_COUNT;
    }
    wkOutEntry* entry = &cache->entries[slot];
    return entry->key == key || cache->count < MOST_ENTRIES ? entry : NULL;
}

double wkOutCache_Distance(wkOutCache* cache, const wkOutCube* cube)
{
    const wkFitSurface* surface = cache->surface;
    uint64_t key = keyOf(cube);
    wkOutEntry* entry = findEntry(cache, key);
    bool isKnown = entry != NULL && entry->key != 0;
    if (isKnown) {
        return entry->distance;
    }
    double distance = wkFitSurface_Distance(surface, wkOutCube_Middle(surface, cube));
    if (entry != NULL) {
        cache->count++;
        *entry = (wkOutEntry){key, distance};
    }
    return distance;
}
