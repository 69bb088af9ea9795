// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Blocks of a map: pages that copies share, allocating and freeing blocks.

#include "tree/octree/octree_pool.h"

#include "base/memory.h"

#include <string.h>

#define FIRST_CAPACITY 8
#define NONE (-1)

// Bytes of the two arrays of a pool.
static size_t listBytes(int32_t capacity)
{
    return (size_t)capacity * sizeof(void*);
}

static size_t noteBytes(int32_t capacity)
{
    return (size_t)capacity * sizeof(wkOctreeNote);
}

static wkOctreePage* newPage(void)
{
    wkOctreePage* page = wkAlloc(sizeof *page);
    if (page != NULL) {
        atomic_init(&page->ownerCount, 1);
    }
    return page;
}

// The last owner releases the page, after all accesses by others.
static void leavePage(wkOctreePage* page)
{
    if (page != NULL &&
        atomic_fetch_sub_explicit(&page->ownerCount, 1, memory_order_acq_rel) == 1) {
        wkFree(page, sizeof *page);
    }
}

wkOctreePage* wkOctreeOwnPage(wkOctreePool* pool, uint32_t pageIndex)
{
    wkOctreePage* shared = pool->pages[pageIndex];
    wkOctreePage* own = newPage();
    if (own != NULL) {
        memcpy(own->blocks, shared->blocks, sizeof own->blocks);
        pool->pages[pageIndex] = own;
        leavePage(shared);
    }
    return own;
}

static bool setCapacity(wkOctreePool* pool, int32_t capacity)
{
    wkOctreePage** pages = wkAlloc(listBytes(capacity));
    wkOctreeNote* notes = wkAlloc(noteBytes(capacity));
    if (pages == NULL || notes == NULL) {
        wkFree(pages, listBytes(capacity));
        wkFree(notes, noteBytes(capacity));
        return false;
    }
    if (pool->pageCount > 0) {
        memcpy(pages, pool->pages, listBytes(pool->pageCount));
        memcpy(notes, pool->notes, noteBytes(pool->pageCount));
    }
    wkFree(pool->pages, listBytes(pool->pageCapacity));
    wkFree(pool->notes, noteBytes(pool->pageCapacity));
    pool->pages = pages;
    pool->notes = notes;
    pool->pageCapacity = capacity;
    return true;
}

// Appends a page with free blocks, without memory yet.
static bool addPage(wkOctreePool* pool)
{
    const int32_t maxPages = (int32_t)((WK_OCTREE_SLOT + 1u) / (uint32_t)pool->blocksPerPage);
    if (pool->pageCount == maxPages) {
        return false;
    }
    if (pool->pageCount == pool->pageCapacity) {
        int32_t capacity = pool->pageCapacity > 0 ? 2 * pool->pageCapacity : FIRST_CAPACITY;
        if (!setCapacity(pool, capacity)) {
            return false;
        }
    }
    int32_t index = pool->pageCount++;
    wkOctreeNote* note = &pool->notes[index];
    memset(note, 0, sizeof *note);
    note->used[0] = index == 0; // index 0 means none
    note->next = NONE;
    pool->pages[index] = NULL;
    pool->roomy = index;
    return true;
}

static int32_t capacityOf(const wkOctreePool* pool, int32_t pageIndex)
{
    return pool->blocksPerPage - (pageIndex == 0);
}

// Sets the first bit that is not set.
static int takeBit(uint64_t* used)
{
    int word = 0;
    while (used[word] == UINT64_MAX) {
        ++word;
    }
    int bit = __builtin_ctzll(~used[word]);
    used[word] |= (uint64_t)1 << bit;
    return 64 * word + bit;
}

// Index of a block that the map owns now, or 0.
static uint32_t takeSlot(wkOctreePool* pool)
{
    if (pool->roomy == NONE && !addPage(pool)) {
        return 0;
    }
    int32_t index = pool->roomy;
    if (pool->pages[index] == NULL) {
        pool->pages[index] = newPage();
    }
    if (pool->pages[index] == NULL || wkOctreePageToWrite(pool, (uint32_t)index) == NULL) {
        return 0;
    }
    wkOctreeNote* note = &pool->notes[index];
    int slot = takeBit(note->used);
    if (++note->usedCount == capacityOf(pool, index)) {
        pool->roomy = note->next;
    }
    return (uint32_t)(index * pool->blocksPerPage + slot);
}

static void dropSlot(wkOctreePool* pool, uint32_t slot)
{
    int32_t index = (int32_t)(slot / (uint32_t)pool->blocksPerPage);
    uint32_t block = slot % (uint32_t)pool->blocksPerPage;
    wkOctreeNote* note = &pool->notes[index];
    note->used[block / 64] &= ~((uint64_t)1 << block % 64);
    if (note->usedCount-- == capacityOf(pool, index)) {
        note->next = pool->roomy;
        pool->roomy = index;
    }
    if (note->usedCount == 0) {
        leavePage(pool->pages[index]);
        pool->pages[index] = NULL;
    }
}

wkOctreeLink wkOctreeTakeBlock(wkOctree* octree, int depth, float value)
{
    bool isLeaves = depth == WK_OCTREE_DEPTH - 1;
    uint32_t slot = takeSlot(isLeaves ? &octree->leaves : &octree->blocks);
    if (slot == 0) {
        return 0;
    }
    float* values = wkOctreeOwnValues(octree, slot, depth);
    for (int i = 0; i < 8; ++i) {
        values[i] = value;
    }
    if (!isLeaves) {
        memset(wkOctreeOwnBlock(octree, slot)->links, 0, 8 * sizeof(wkOctreeLink));
    }
    return isnan(value) ? slot | WK_OCTREE_HAS_UNKNOWN : slot;
}

void wkOctreeDropBlock(wkOctree* octree, wkOctreeLink link, int depth)
{
    bool isLeaves = depth == WK_OCTREE_DEPTH - 1;
    dropSlot(isLeaves ? &octree->leaves : &octree->blocks, link & WK_OCTREE_SLOT);
}

void wkOctreeDropTree(wkOctree* octree, wkOctreeLink link, int depth)
{
    if (link == 0) {
        return;
    }
    if (depth < WK_OCTREE_DEPTH - 1) {
        // the page may be freed with its last block, not before the block itself is freed
        const wkOctreeLink* links = wkOctreeBlockAt(octree, link)->links;
        for (int i = 0; i < 8; ++i) {
            wkOctreeDropTree(octree, links[i], depth + 1);
        }
    }
    wkOctreeDropBlock(octree, link, depth);
}

void wkOctreePoolInit(wkOctreePool* pool, int32_t blocksPerPage)
{
    wkOctreePool empty = {.blocksPerPage = blocksPerPage, .roomy = NONE};
    *pool = empty;
}

void wkOctreePoolClear(wkOctreePool* pool)
{
    for (int32_t i = 0; i < pool->pageCount; ++i) {
        leavePage(pool->pages[i]);
    }
    wkFree(pool->pages, listBytes(pool->pageCapacity));
    wkFree(pool->notes, noteBytes(pool->pageCapacity));
    wkOctreePoolInit(pool, pool->blocksPerPage);
}

bool wkOctreePoolShare(const wkOctreePool* pool, wkOctreePool* copy)
{
    wkOctreePoolInit(copy, pool->blocksPerPage);
    if (pool->pageCount == 0) {
        return true;
    }
    if (!setCapacity(copy, pool->pageCount)) {
        return false;
    }
    memcpy(copy->pages, pool->pages, listBytes(pool->pageCount));
    memcpy(copy->notes, pool->notes, noteBytes(pool->pageCount));
    copy->pageCount = pool->pageCount;
    copy->roomy = pool->roomy;
    for (int32_t i = 0; i < pool->pageCount; ++i) {
        if (pool->pages[i] != NULL) {
            atomic_fetch_add_explicit(&pool->pages[i]->ownerCount, 1, memory_order_relaxed);
        }
    }
    return true;
}

size_t wkOctreePoolBytes(const wkOctreePool* pool)
{
    size_t bytes = listBytes(pool->pageCapacity) + noteBytes(pool->pageCapacity);
    for (int32_t i = 0; i < pool->pageCount; ++i) {
        bytes += pool->pages[i] != NULL ? sizeof(wkOctreePage) : 0;
    }
    return bytes;
}
