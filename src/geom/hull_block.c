// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A finished builder becomes one block: header, coordinates, loops and links; planes come later.

#include "geom/hull_builder.h"
#include "geom/hull_impl.h"

#include "base/error.h"
#include "base/memory.h"
#include "geom/hull_cells.h"
#include "geom/hull_seed.h"

#include <string.h>

// Arrays start at a cache line, as SIMD kernels require.
static uint64_t alignUp(uint64_t offset)
{
    return (offset + 63) & ~(uint64_t)63;
}

// Assigns the new index of every used point, in the order of the points; -1 for the others.
static int32_t numberVertices(const wkHullBuilder* builder, int32_t* numbers)
{
    memset(numbers, 0xff, (size_t)builder->pointCount * sizeof *numbers);
    for (int32_t i = 0; i < builder->vertexCount; ++i) {
        numbers[builder->vertices[i]] = 0;
    }
    int32_t count = 0;
    for (int32_t i = 0; i < builder->pointCount; ++i) {
        if (numbers[i] == 0) {
            numbers[i] = count++;
        }
    }
    return count;
}

static uint64_t take(uint64_t* end, uint64_t count, uint64_t size)
{
    uint64_t offset = *end;
    *end = alignUp(offset + count * size);
    return offset;
}

// Fills in a header with counts and offsets; returns the bytes needed, which may not fit in 32 bits.
static uint64_t layOut(const wkHullBuilder* builder, int32_t vertexCount, wkHull* header)
{
    uint64_t vertices = builder->faceCount > 0 ? (uint64_t)builder->vertexCount : 0;
    uint64_t links = builder->faceCount > 0 ? vertices : vertexCount == 2 ? 2 : 0;
    uint64_t padded = ((uint64_t)vertexCount + WK_HULL_LANES - 1) / WK_HULL_LANES * WK_HULL_LANES;
    uint64_t faces = (uint64_t)builder->faceCount;
    uint64_t paddedFaces = (faces + WK_HULL_LANES - 1) / WK_HULL_LANES * WK_HULL_LANES;
    uint64_t end = alignUp(sizeof(wkHull));
    memset(header, 0, sizeof *header);
    header->vertexCount = vertexCount;
    header->paddedCount = (int32_t)padded;
    header->faceCount = builder->faceCount;
    header->paddedFaceCount = (int32_t)paddedFaces;
    header->edgeCount = (int32_t)(vertices / 2);
    header->xOffset = (uint32_t)take(&end, padded, sizeof(double));
    header->yOffset = (uint32_t)take(&end, padded, sizeof(double));
    header->zOffset = (uint32_t)take(&end, padded, sizeof(double));
    header->planeOffset = (uint32_t)take(&end, faces, sizeof(wkHullPlane));
    header->faceLaneOffset = (uint32_t)take(&end, 4 * paddedFaces, sizeof(double));
    header->edgeOffset = (uint32_t)take(&end, vertices / 2, sizeof(wkHullEdge));
    header->faceStartOffset = (uint32_t)take(&end, faces + 1, sizeof(int32_t));
    header->vertexOffset = (uint32_t)take(&end, vertices, sizeof(int32_t));
    header->linkStartOffset = (uint32_t)take(&end, (uint64_t)vertexCount + 1, sizeof(int32_t));
    header->linkOffset = (uint32_t)take(&end, links, sizeof(int32_t));
    if (vertexCount >= WK_HULL_CLIMB_COUNT) {
        header->seedOffset = (uint32_t)take(&end, WK_HULL_SEED_COUNT, sizeof(int32_t));
    }
    if (vertexCount >= WK_HULL_CELLS_FROM && vertexCount <= WK_HULL_CELLS_TO) {
        header->cellOffset = (uint32_t)take(&end, WK_HULL_CELL_COUNT, sizeof(uint32_t));
    }
    header->byteCount = (uint32_t)end;
    return end;
}

// Writable counterpart of the accessors in hull_impl.h.
static void* at(wkHull* hull, uint32_t offset)
{
    return (char*)hull + offset;
}

static void writeVertices(wkHull* hull, const wkHullBuilder* builder, const int32_t* numbers)
{
    double* x = at(hull, hull->xOffset);
    double* y = at(hull, hull->yOffset);
    double* z = at(hull, hull->zOffset);
    for (int32_t i = 0; i < builder->pointCount; ++i) {
        if (numbers[i] >= 0) {
            x[numbers[i]] = builder->points[i].x;
            y[numbers[i]] = builder->points[i].y;
            z[numbers[i]] = builder->points[i].z;
        }
    }
    for (int32_t i = hull->vertexCount; i < hull->paddedCount; ++i) {
        x[i] = x[0];
        y[i] = y[0];
        z[i] = z[0];
    }
}

static void writeFaces(wkHull* hull, const wkHullBuilder* builder, const int32_t* numbers)
{
    int32_t* starts = at(hull, hull->faceStartOffset);
    int32_t* vertices = at(hull, hull->vertexOffset);
    starts[0] = 0;
    for (int32_t face = 0; face < builder->faceCount; ++face) {
        starts[face + 1] = builder->faceStarts[face + 1];
        for (int32_t i = starts[face]; i < starts[face + 1]; ++i) {
            vertices[i] = numbers[builder->vertices[i]];
        }
    }
}

// Every edge occurs once in each direction in the loops: the successors of a vertex are its neighbours.
static void writeLinks(wkHull* hull)
{
    int32_t* linkStarts = at(hull, hull->linkStartOffset);
    int32_t* links = at(hull, hull->linkOffset);
    memset(linkStarts, 0, ((size_t)hull->vertexCount + 1) * sizeof *linkStarts);
    if (hull->faceCount == 0) {
        for (int32_t i = 0; hull->vertexCount == 2 && i < 2; ++i) {
            linkStarts[i + 1] = i + 1;
            links[i] = 1 - i;
        }
        return;
    }

    // counting sort by start vertex; each slot of linkStarts ends up where the next vertex begins
    const int32_t* starts = wkHullFaceStarts(hull);
    const int32_t* vertices = wkHullVertices(hull);
    for (int32_t i = 0; i < starts[hull->faceCount]; ++i) {
        ++linkStarts[vertices[i]];
    }
    for (int32_t i = 0, sum = 0; i <= hull->vertexCount; ++i) {
        int32_t count = linkStarts[i];
        linkStarts[i] = sum;
        sum += count;
    }
    for (int32_t face = 0; face < hull->faceCount; ++face) {
        for (int32_t i = starts[face]; i < starts[face + 1]; ++i) {
            int32_t next = i + 1 < starts[face + 1] ? i + 1 : starts[face];
            links[linkStarts[vertices[i]]++] = vertices[next];
        }
    }
    for (int32_t i = hull->vertexCount; i > 0; --i) {
        linkStarts[i] = linkStarts[i - 1];
    }
    linkStarts[0] = 0;
}

// Each seed is found by climbing from the previous one; later seeds are vertex 0 until then.
static void writeSeeds(wkHull* hull)
{
    int32_t* seeds = at(hull, hull->seedOffset);
    for (int32_t cell = 0; hull->seedOffset != 0 && cell < WK_HULL_SEED_COUNT; ++cell) {
        seeds[cell] =
            wkHullSupport(hull, wkHullSeedDirection(cell), cell > 0 ? seeds[cell - 1] : 0);
    }
}

wkResult wkHullFromBuilder(const wkHullBuilder* builder, wkHull** hull)
{
    size_t numberBytes = (size_t)builder->pointCount * sizeof(int32_t);
    int32_t* numbers = wkAlloc(numberBytes);
    if (numbers == NULL) {
        return wkFail(wk_errorMemory, "hull: no memory for %d points", (int)builder->pointCount);
    }
    wkResult result = wk_ok;
    wkHull header;
    uint64_t byteCount = layOut(builder, numberVertices(builder, numbers), &header);
    if (byteCount > UINT32_MAX) {
        result =
            wkFail(wk_errorRange, "hull: %d vertices do not fit in 4 GiB", (int)header.vertexCount);
        goto cleanup;
    }
    *hull = wkAlloc((size_t)byteCount);
    if (*hull == NULL) {
        result = wkFail(wk_errorMemory, "hull: no memory for %d vertices", (int)header.vertexCount);
        goto cleanup;
    }

    // gaps between the arrays are zero, so that equal hulls are equal bytes
    memset(*hull, 0, (size_t)byteCount);
    **hull = header;
    if (header.cellOffset != 0) {
        // until the cells are known, supports must search without them
        memset(at(*hull, header.cellOffset), 0xff, WK_HULL_CELL_COUNT * sizeof(uint32_t));
    }
    writeVertices(*hull, builder, numbers);
    writeFaces(*hull, builder, numbers);
    writeLinks(*hull);
    writeSeeds(*hull);

cleanup:
    wkFree(numbers, numberBytes);
    return result;
}
