// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The cells of a map as bytes, in the order and with the bits of OctoMap's files: from the root down,
// each cube before its content. Cubes are read recursively, at most sixteen deep.

#include "base/error.h"
#include "tree/octree/octree_impl.h"
#include "tree/octree/octree_pool.h"

#include <string.h>

// Meaning of the two bits of a child in the short code.
enum {
    CHILD_UNKNOWN = 0,
    CHILD_FREE = 1,
    CHILD_OCCUPIED = 2,
    CHILD_MIXED = 3
};

// Bytes of one cube: the bits of its eight children; its log-odds and a bit for each child.
#define SHORT_BYTES 2
#define FULL_BYTES 5

// The lower bit of each child of the short code.
#define EVEN_BITS 0x5555u

static uint32_t loadWord(const uint8_t* at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void storeWord(uint8_t* at, uint32_t word)
{
    for (int i = 0; i < 4; ++i) {
        at[i] = (uint8_t)(word >> 8 * i);
    }
}

// Reading.

typedef struct reader {
    wkOctree* octree;
    const uint8_t* bytes;
    size_t byteCount;
    size_t done;       // bytes read
    int64_t cubeCount; // cubes read, mixed ones included
    float quads[256][4];
} reader;

static wkResult failEarly(const reader* r)
{
    return wkFail(wk_errorParse, "cells: byte %zu: they end here, in the middle of the map",
                  r->byteCount);
}

static wkResult failDeep(const reader* r)
{
    return wkFail(wk_errorParse, "cells: byte %zu: a cube below single cells, at depth %d", r->done,
                  WK_OCTREE_DEPTH + 1);
}

static wkResult failMemory(void)
{
    return wkFail(wk_errorMemory, "cells: no memory for more of them");
}

// Summary of the children of a cube while they are read: all that the block above needs. Loading it back
// from memory that was just written in pieces would stall.
typedef struct gathering {
    float lowest;
    float highest; // below all others: no child is known
    wkOctreeLink below;
    bool hasUnknown;
} gathering;

static gathering startGathering(bool hasUnknown)
{
    gathering g = {INFINITY, -INFINITY, 0, hasUnknown};
    return g;
}

static void gatherValue(gathering* g, float value)
{
    g->lowest = value < g->lowest ? value : g->lowest;
    g->highest = value > g->highest ? value : g->highest;
}

static void gatherChild(gathering* g, wkOctreeChild child)
{
    g->hasUnknown = g->hasUnknown || isnan(child.value);
    g->below |= child.link;
    gatherValue(g, child.value);
}

// Makes the cube of these children. Frees its block when they are all equal.
static wkOctreeChild closeCube(wkOctree* octree, wkOctreeLink link, int depth, const gathering* g)
{
    bool isUnknown = g->highest < g->lowest;
    bool isUniform = g->below == 0 && !g->hasUnknown && g->lowest == g->highest;
    wkOctreeChild cube = {isUnknown ? NAN : g->highest, 0};
    if (isUnknown || isUniform) {
        wkOctreeDropBlock(octree, link, depth);
        return cube;
    }
    cube.link = (link & WK_OCTREE_SLOT) | (g->below & WK_OCTREE_HAS_UNKNOWN);
    cube.link |= g->hasUnknown ? WK_OCTREE_HAS_UNKNOWN : 0;
    return cube;
}

// Links of a block that the map owns; NULL for single cells.
static wkOctreeLink* linksOf(wkOctree* octree, wkOctreeLink link, int depth)
{
    return depth == WK_OCTREE_DEPTH - 1 ? NULL : wkOctreeOwnBlock(octree, link)->links;
}

typedef wkResult readFcn(reader* r, int depth, wkOctreeChild* cube);

// Reads a cube with children, in the short code.
static wkResult readShort(reader* r, int depth, wkOctreeChild* cube)
{
    if (depth == WK_OCTREE_DEPTH) {
        return failDeep(r);
    }
    if (r->byteCount - r->done < SHORT_BYTES) {
        return failEarly(r);
    }
    unsigned bits = (unsigned)r->bytes[r->done] | (unsigned)r->bytes[r->done + 1] << 8;
    r->done += SHORT_BYTES;
    wkOctreeLink link = wkOctreeTakeBlock(r->octree, depth, NAN);
    if (link == 0) {
        return failMemory();
    }

    // children by their state, a bit for each at twice its index
    unsigned low = bits & EVEN_BITS, high = bits >> 1 & EVEN_BITS;
    unsigned known = low | high, mixed = low & high;
    r->cubeCount += __builtin_popcount(known);
    gathering g = startGathering(known != EVEN_BITS);
    if ((low & ~high) != 0) {
        gatherValue(&g, r->octree->lowest);
    }
    if ((high & ~low) != 0) {
        gatherValue(&g, r->octree->highest);
    }
    float* values = wkOctreeOwnValues(r->octree, link, depth);
    memcpy(values, r->quads[bits & 255], sizeof r->quads[0]);
    memcpy(values + 4, r->quads[bits >> 8], sizeof r->quads[0]);

    for (wkOctreeLink* links = linksOf(r->octree, link, depth); mixed != 0; mixed &= mixed - 1) {
        int i = __builtin_ctz(mixed) / 2;
        wkOctreeChild child = {NAN, 0};
        wkResult result = readShort(r, depth + 1, &child);
        if (result != wk_ok) {
            return result; // cubes read so far are released with the map
        }
        values[i] = child.value;
        links[i] = child.link;
        gatherChild(&g, child);
    }
    *cube = closeCube(r->octree, link, depth, &g);
    return wk_ok;
}

// Reads the log-odds of a cube and the mask of its children, in the full code.
static wkResult readHead(reader* r, float* value, unsigned* mask)
{
    if (r->byteCount - r->done < FULL_BYTES) {
        return failEarly(r);
    }
    uint32_t word = loadWord(r->bytes + r->done);
    *mask = r->bytes[r->done + 4];
    memcpy(value, &word, sizeof *value);
    if (!isfinite(*value)) {
        return wkFail(wk_errorNotFinite, "cells: byte %zu: log-odds that are not finite", r->done);
    }
    r->done += FULL_BYTES;
    ++r->cubeCount;
    return wk_ok;
}

// Reads the children of a cube, in the full code.
static wkResult readChildren(reader* r, int depth, unsigned mask, wkOctreeChild* cube)
{
    if (depth == WK_OCTREE_DEPTH) {
        return failDeep(r);
    }
    wkOctreeLink link = wkOctreeTakeBlock(r->octree, depth, NAN);
    if (link == 0) {
        return failMemory();
    }
    gathering g = startGathering(mask != 255);
    float* values = wkOctreeOwnValues(r->octree, link, depth);
    wkOctreeLink* links = linksOf(r->octree, link, depth);
    for (; mask != 0; mask &= mask - 1) {
        int i = __builtin_ctz(mask);
        unsigned childMask = 0;
        wkOctreeChild child = {NAN, 0};
        wkResult result = readHead(r, &child.value, &childMask);
        if (result == wk_ok && childMask != 0) {
            result = readChildren(r, depth + 1, childMask, &child);
        }
        if (result != wk_ok) {
            return result; // cubes read so far are released with the map
        }
        values[i] = child.value;
        if (child.link != 0) {
            links[i] = child.link;
        }
        gatherChild(&g, child);
    }
    *cube = closeCube(r->octree, link, depth, &g);
    return wk_ok;
}

static wkResult readFull(reader* r, int depth, wkOctreeChild* cube)
{
    unsigned mask = 0;
    cube->link = 0;
    wkResult result = readHead(r, &cube->value, &mask);
    return result == wk_ok && mask != 0 ? readChildren(r, depth, mask, cube) : result;
}

// Fills the table of the values of four children, for each byte of the short code.
static void fillQuads(reader* r)
{
    const float valueOf[] = {
        [CHILD_UNKNOWN] = NAN,
        [CHILD_FREE] = r->octree->lowest,
        [CHILD_OCCUPIED] = r->octree->highest,
        [CHILD_MIXED] = NAN,
    };
    for (unsigned byte = 0; byte < 256; ++byte) {
        for (unsigned i = 0; i < 4; ++i) {
            r->quads[byte][i] = valueOf[byte >> 2 * i & 3];
        }
    }
}

// Writing.

typedef struct writer {
    const wkOctree* octree;
    uint8_t* bytes; // NULL: only counts
    size_t byteCount;
    int64_t cubeCount;
} writer;

typedef void writeFcn(writer* w, int depth, wkOctreeChild cube);

static uint8_t* takeBytes(writer* w, size_t byteCount)
{
    uint8_t* at = w->bytes != NULL ? w->bytes + w->byteCount : NULL;
    w->byteCount += byteCount;
    return at;
}

static unsigned stateOf(const wkOctree* octree, wkOctreeChild child)
{
    if (child.link != 0) {
        return CHILD_MIXED;
    }
    if (isnan(child.value)) {
        return CHILD_UNKNOWN;
    }
    return child.value >= octree->occupied ? CHILD_OCCUPIED : CHILD_FREE;
}

// Returns a child of a cube that may be uniform.
static wkOctreeChild childOf(const wkOctree* octree, wkOctreeChild cube, int depth, int i)
{
    return cube.link != 0 ? wkOctreeChildAt(octree, cube.link, depth, i) : cube;
}

static void writeShort(writer* w, int depth, wkOctreeChild cube)
{
    uint8_t* at = takeBytes(w, SHORT_BYTES);
    unsigned bits = 0;
    for (int i = 0; i < 8; ++i) {
        unsigned state = stateOf(w->octree, childOf(w->octree, cube, depth, i));
        bits |= state << 2 * i;
        w->cubeCount += state != CHILD_UNKNOWN;
    }
    if (at != NULL) {
        at[0] = (uint8_t)bits;
        at[1] = (uint8_t)(bits >> 8);
    }
    for (int i = 0; i < 8; ++i) {
        wkOctreeChild child = childOf(w->octree, cube, depth, i);
        if (child.link != 0) {
            writeShort(w, depth + 1, child);
        }
    }
}

static void writeFull(writer* w, int depth, wkOctreeChild cube)
{
    uint8_t* at = takeBytes(w, FULL_BYTES);
    ++w->cubeCount;
    unsigned mask = 0;
    for (int i = 0; i < 8 && cube.link != 0; ++i) {
        float value = wkOctreeValues(w->octree, cube.link, depth)[i];
        mask |= (unsigned)!isnan(value) << i;
    }
    if (at != NULL) {
        uint32_t word;
        memcpy(&word, &cube.value, sizeof word);
        storeWord(at, word);
        at[4] = (uint8_t)mask;
    }
    for (; mask != 0; mask &= mask - 1) {
        writeFull(w, depth + 1, wkOctreeChildAt(w->octree, cube.link, depth, __builtin_ctz(mask)));
    }
}

// One row per code.
typedef struct codeRow {
    readFcn* read;
    writeFcn* write;
    int64_t rootCount; // cubes counted for the root itself, for which the short code has no bits
} codeRow;

static const codeRow rows[] = {
    [wk_octreeCodeShort] = {readShort, writeShort, 1},
    [wk_octreeCodeFull] = {readFull, writeFull, 0},
};

static const codeRow* rowOf(wkOctreeCode code)
{
    return (unsigned)code <= (unsigned)wk_octreeCodeFull ? &rows[code] : NULL;
}

wkResult wkOctree_Decode(const wkOctreeDef* def, wkOctreeCode code, const void* bytes,
                         size_t byteCount, wkOctreeCodeInfo* info, wkOctree** octree)
{
    if (octree == NULL || (bytes == NULL && byteCount > 0) || rowOf(code) == NULL) {
        return wkFail(wk_errorArgument, "cells: octree or bytes is NULL, or there is no such code");
    }
    wkResult result = wkOctree_Create(def, octree);
    if (result != wk_ok) {
        return result;
    }
    reader r = {.octree = *octree, .bytes = bytes, .byteCount = byteCount};
    fillQuads(&r);
    if (byteCount > 0) { // an empty map has no root
        wkOctreeChild root = {NAN, 0};
        result = rowOf(code)->read(&r, 0, &root);
        (*octree)->rootValue = root.value;
        (*octree)->rootLink = root.link;
        r.cubeCount += rowOf(code)->rootCount;
        ++(*octree)->version;
    }
    if (result == wk_ok) {
        wkOctreeBuildEntryGrid(*octree);
    }
    if (result != wk_ok) {
        wkOctree_Destroy(*octree);
        *octree = NULL;
        return result;
    }
    if (info != NULL) {
        *info = (wkOctreeCodeInfo){r.done, r.cubeCount};
    }
    return wk_ok;
}

wkOctreeCodeInfo wkOctree_Encode(const wkOctree* octree, wkOctreeCode code, void* bytes)
{
    wkOctreeCodeInfo info = {0, 0};
    const codeRow* row = rowOf(code);
    if (octree == NULL || row == NULL || isnan(octree->rootValue)) {
        return info;
    }
    writer w = {octree, bytes, 0, row->rootCount};
    wkOctreeChild root = {octree->rootValue, octree->rootLink};
    row->write(&w, 0, root);
    info = (wkOctreeCodeInfo){w.byteCount, w.cubeCount};
    return info;
}
