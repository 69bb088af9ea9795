// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The cells of a map as bytes, in the order and with the bits of OctoMap's files: from the root
// down, each cube before what is in it. Cubes are read one inside the other, sixteen deep at most.

#include "base/error.h"
#include "tree/octree.h"
#include "tree/octree_pool.h"

#include <string.h>

// What two bits say of a child in the short code.
enum {
    CHILD_UNKNOWN = 0,
    CHILD_FREE = 1,
    CHILD_OCCUPIED = 2,
    CHILD_MIXED = 3
};

// Bytes that one cube takes: the bits of its eight children; its log-odds and a bit for each child.
#define SHORT_BYTES 2
#define FULL_BYTES 5

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
    int64_t cubeCount; // cubes met, mixed ones included
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

typedef wkResult readFcn(reader* r, int depth, wkOctreeChild* cube);

// Reads the children that `mask` names into a block for a cube, and folds it.
static wkResult readMixed(reader* r, int depth, unsigned mask, readFcn* read, wkOctreeLink link,
                          wkOctreeChild* cube)
{
    for (; mask != 0; mask &= mask - 1) {
        wkOctreeChild child = {NAN, 0};
        wkResult result = read(r, depth + 1, &child);
        if (result != wk_ok) {
            return result; // what was read so far is released with the map
        }
        wkOctreeSetChild(r->octree, link, depth, __builtin_ctz(mask), child);
    }
    *cube = wkOctreeFold(r->octree, link, depth);
    return wk_ok;
}

// A cube with children, in the short code.
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
    const float valueOf[] = {
        [CHILD_UNKNOWN] = NAN,
        [CHILD_FREE] = r->octree->lowest,
        [CHILD_OCCUPIED] = r->octree->highest,
        [CHILD_MIXED] = NAN,
    };
    float* values = wkOctreeOwnValues(r->octree, link, depth);
    unsigned mixed = 0;
    for (int i = 0; i < 8; ++i) {
        unsigned state = bits >> 2 * i & 3;
        values[i] = valueOf[state];
        r->cubeCount += state != CHILD_UNKNOWN;
        mixed |= (unsigned)(state == CHILD_MIXED) << i;
    }
    return readMixed(r, depth, mixed, readShort, link, cube);
}

// Any cube, in the full code.
static wkResult readFull(reader* r, int depth, wkOctreeChild* cube)
{
    if (depth > WK_OCTREE_DEPTH) {
        return failDeep(r);
    }
    if (r->byteCount - r->done < FULL_BYTES) {
        return failEarly(r);
    }
    uint32_t word = loadWord(r->bytes + r->done);
    unsigned mask = r->bytes[r->done + 4];
    float value;
    memcpy(&value, &word, sizeof value);
    if (!isfinite(value)) {
        return wkFail(wk_errorNotFinite, "cells: byte %zu: log-odds that are not finite", r->done);
    }
    r->done += FULL_BYTES;
    ++r->cubeCount;
    *cube = (wkOctreeChild){value, 0};
    if (mask == 0) {
        return wk_ok;
    }
    if (depth == WK_OCTREE_DEPTH) {
        return failDeep(r);
    }
    wkOctreeLink link = wkOctreeTakeBlock(r->octree, depth, NAN);
    return link == 0 ? failMemory() : readMixed(r, depth, mask, readFull, link, cube);
}

// Writing.

typedef struct writer {
    const wkOctree* octree;
    uint8_t* bytes; // NULL: counts alone
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

// Child of a cube that may be alike all over.
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
    int64_t
        rootCount; // cubes that the root itself counts for, which the short code has no bits for
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
    reader r = {*octree, bytes, byteCount, 0, 0};
    if (byteCount > 0) { // an empty map has no root
        wkOctreeChild root = {NAN, 0};
        result = rowOf(code)->read(&r, 0, &root);
        (*octree)->rootValue = root.value;
        (*octree)->rootLink = root.link;
        r.cubeCount += rowOf(code)->rootCount;
        ++(*octree)->version;
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
