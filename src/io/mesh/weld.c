// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Merges vertices at exactly the same position, with an open-addressing hash table of the vertices so far.

#include "io/file/format.h"

#include "whisker/detail/library.h"

#include <string.h>

// Unindexed closed meshes repeat each vertex about six times, so a table with a third of them is half empty.
#define VERTICES_PER_SLOT 3

// Marks a free slot of the table.
#define FREE_SLOT (-1)

typedef struct weldTable {
    int32_t* slots;   // indices of vertices
    size_t slotCount; // a power of two
} weldTable;

static bool createTable(weldTable* table, size_t atLeast)
{
    table->slotCount = 64;
    while (table->slotCount < atLeast) {
        table->slotCount *= 2;
    }
    table->slots = wkAllocate(table->slotCount * sizeof(int32_t));
    if (table->slots != NULL) {
        memset(table->slots, 0xff, table->slotCount * sizeof(int32_t));
    }
    return table->slots != NULL;
}

static void destroyTable(weldTable* table)
{
    wkRelease(table->slots, table->slotCount * sizeof(int32_t));
}

static uint64_t bitsOf(double value)
{
    // -0 and +0 are the same position
    double same = value + 0.0;
    uint64_t bits;
    memcpy(&bits, &same, sizeof bits);
    return bits;
}

static size_t hashOf(wkVec3d v)
{
    // odd factors carry every bit upwards, and the shift brings the mixed bits down again
    uint64_t hash = bitsOf(v.x) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ (hash >> 29) ^ bitsOf(v.y)) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ (hash >> 31) ^ bitsOf(v.z)) * 0x94d049bb133111ebu;
    return (size_t)(hash ^ (hash >> 32));
}

// Returns the slot of the vertex at this position, or the free slot for it.
static int32_t* findSlot(const weldTable* table, const wkVec3d* vertices, wkVec3d v)
{
    size_t mask = table->slotCount - 1;
    for (size_t slot = hashOf(v) & mask;; slot = (slot + 1) & mask) {
        int32_t index = table->slots[slot];
        if (index == FREE_SLOT ||
            (vertices[index].x == v.x && vertices[index].y == v.y && vertices[index].z == v.z)) {
            return &table->slots[slot];
        }
    }
}

static bool growTable(weldTable* table, const wkVec3d* vertices, int32_t count)
{
    weldTable larger;
    if (!createTable(&larger, 2 * table->slotCount)) {
        return false;
    }
    for (int32_t i = 0; i < count; i++) {
        *findSlot(&larger, vertices, vertices[i]) = i;
    }
    destroyTable(table);
    *table = larger;
    return true;
}

// Moves the vertices that stay to the front and fills `newIndex`. Returns their number, or -1 when out of
// memory.
static int32_t keepFirst(weldTable* table, wkVec3d* vertices, int32_t count, int32_t* newIndex)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t* slot = findSlot(table, vertices, vertices[i]);
        if (*slot == FREE_SLOT) {
            *slot = kept;
            vertices[kept++] = vertices[i];
            newIndex[i] = kept - 1;
            if ((size_t)kept * 2 > table->slotCount && !growTable(table, vertices, kept)) {
                return -1;
            }
        } else {
            newIndex[i] = *slot;
        }
    }
    return kept;
}

wkResult wkIoWeld(wkIoBuilder* builder, const wkIoSource* source)
{
    wkMeshData* data = &builder->data;
    size_t count = (size_t)data->vertexCount, mapBytes = count * sizeof(int32_t);
    if (count == 0) {
        return wk_ok;
    }
    weldTable table = {NULL, 0};
    int32_t kept = -1;
    int32_t* newIndex = wkAllocate(mapBytes);
    if (newIndex != NULL && createTable(&table, count / VERTICES_PER_SLOT)) {
        kept = keepFirst(&table, data->vertices, data->vertexCount, newIndex);
        destroyTable(&table);
    }
    if (kept >= 0) {
        for (size_t i = 0; i < 3 * (size_t)data->triangleCount; i++) {
            data->triangles[i] = newIndex[data->triangles[i]];
        }
        data->vertexCount = kept;
    }
    wkRelease(newIndex, mapBytes);
    return kept >= 0
               ? wk_ok
               : wkIoFail(source->name, wk_errorMemory, "no memory to weld %zu vertices", count);
}
