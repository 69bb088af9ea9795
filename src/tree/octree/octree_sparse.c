// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A growing table of bricks with open addressing; a ray looks up a brick when it enters it.

#include "tree/octree/octree_sparse.h"

#include "base/memory.h"

#include <string.h>

#define FIRST_CAPACITY 1024
#define LARGEST_CAPACITY (1 << 29)
#define GOLDEN 0x9e3779b97f4a7c15u // 2^64 over the golden ratio: spreads neighbours

static size_t bricksBytes(int32_t capacity)
{
    return (size_t)capacity * sizeof(wkScanBrick);
}

static size_t namesBytes(int32_t capacity)
{
    return (size_t)capacity * sizeof(wkSortKey);
}

static size_t slotsBytes(int32_t capacity)
{
    return 2 * (size_t)capacity * sizeof(int32_t);
}

static bool allocate(wkBrickTable* table, int32_t capacity)
{
    wkBrickTable made = {.capacity = capacity};
    made.bricks = wkAlloc(bricksBytes(capacity));
    made.names = wkAlloc(namesBytes(capacity));
    made.slots = wkAlloc(slotsBytes(capacity));
    *table = made;
    if (made.bricks == NULL || made.names == NULL || made.slots == NULL) {
        wkFreeBrickTable(table);
        return false;
    }
    memset(made.slots, 0, slotsBytes(capacity));
    return true;
}

bool wkMakeBrickTable(wkBrickTable* table)
{
    return allocate(table, FIRST_CAPACITY);
}

void wkFreeBrickTable(wkBrickTable* table)
{
    wkFree(table->bricks, bricksBytes(table->capacity));
    wkFree(table->names, namesBytes(table->capacity));
    wkFree(table->slots, slotsBytes(table->capacity));
    wkBrickTable none = {0};
    *table = none;
}

// The slot that has the name, or the free one for it.
static int32_t* findSlot(const wkBrickTable* table, uint64_t name)
{
    uint32_t mask = 2 * (uint32_t)table->capacity - 1;
    uint32_t slot = (uint32_t)(name * GOLDEN >> 32) & mask;
    while (table->slots[slot] != 0 && table->names[table->slots[slot] - 1].key != name) {
        slot = (slot + 1) & mask;
    }
    return &table->slots[slot];
}

static bool grow(wkBrickTable* table)
{
    wkBrickTable larger = {0};
    if (table->capacity == LARGEST_CAPACITY || !allocate(&larger, 2 * table->capacity)) {
        return false;
    }
    memcpy(larger.bricks, table->bricks, bricksBytes(table->count));
    memcpy(larger.names, table->names, namesBytes(table->count));
    larger.count = table->count;
    for (int32_t i = 0; i < table->count; ++i) {
        *findSlot(&larger, larger.names[i].key) = i + 1;
    }
    wkFreeBrickTable(table);
    *table = larger;
    return true;
}

// The brick of a cell, created when there is none. @return NULL when out of memory
static wkScanBrick* brickOf(wkBrickTable* table, const int32_t key[3])
{
    wkCellKey entry = {(uint16_t)(key[0] >> WK_BRICK_BITS), (uint16_t)(key[1] >> WK_BRICK_BITS),
                       (uint16_t)(key[2] >> WK_BRICK_BITS)};
    uint64_t name = wkMortonOfKey(entry);
    int32_t* slot = findSlot(table, name);
    if (*slot != 0) {
        return &table->bricks[*slot - 1];
    }
    if (table->count == table->capacity) {
        if (!grow(table)) {
            return NULL;
        }
        slot = findSlot(table, name);
    }
    int32_t index = table->count++;
    *slot = index + 1;
    table->names[index].key = name;
    table->names[index].value = index;
    memset(&table->bricks[index], 0, sizeof table->bricks[index]);
    return &table->bricks[index];
}

// Index of a cell in its brick: the lowest bits of its key, interleaved.
static unsigned cellOf(const int32_t key[3])
{
    static const uint16_t spread[WK_BRICK_SIZE] = {0, 1, 8, 9, 64, 65, 72, 73};
    const int32_t low = WK_BRICK_SIZE - 1;
    return spread[key[0] & low] | (unsigned)spread[key[1] & low] << 1 |
           (unsigned)spread[key[2] & low] << 2;
}

static void setBit(uint64_t words[8], unsigned cell)
{
    words[cell / 64] |= (uint64_t)1 << cell % 64;
}

bool wkHitInBricks(wkBrickTable* table, const int32_t key[3], bool* isNew)
{
    wkScanBrick* brick = brickOf(table, key);
    if (brick == NULL) {
        return false;
    }
    unsigned cell = cellOf(key);
    *isNew = (brick->hit[cell / 64] >> cell % 64 & 1) == 0;
    setBit(brick->hit, cell);
    return true;
}

void wkUnhitInBricks(wkBrickTable* table, const int32_t key[3])
{
    unsigned cell = cellOf(key);
    brickOf(table, key)->hit[cell / 64] &= ~((uint64_t)1 << cell % 64);
}

bool wkTraceInBricks(wkBrickTable* table, const wkGridRaySource* source, wkGridRay* gridRay)
{
    int32_t key[3] = {source->originKey[0], source->originKey[1], source->originKey[2]};
    wkScanBrick* brick = brickOf(table, key);
    while (brick != NULL) {
        setBit(brick->crossed, cellOf(key));
        int axis = wkStepGridRay(gridRay);
        int32_t before = key[axis];
        key[axis] += gridRay->step[axis];
        bool isOutside = key[axis] < 0 || key[axis] >= WK_KEY_COUNT;
        if (isOutside || wkIsSameCell(key, gridRay->end) || wkIsBeyondEnd(gridRay)) {
            return true;
        }
        if ((before ^ key[axis]) >= WK_BRICK_SIZE) {
            brick = brickOf(table, key);
        }
    }
    return false;
}

bool wkReadTableBrick(const void* source, int64_t value, wkScanBrick* brick)
{
    const wkBrickTable* table = (const wkBrickTable*)source;
    *brick = table->bricks[value];
    return true;
}
