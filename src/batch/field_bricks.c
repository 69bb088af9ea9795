// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Computes the cells of a block from the objects near it: bounds select the objects for each brick, then for
// each of its eight parts, and then the planes of the cells of a part are fitted. An object whose lower bound
// exceeds the upper bound of another one everywhere does not matter.

#include "batch/field_bricks.h"

#include "base/memory.h"

#include <float.h>
#include <math.h>
#include <string.h>

// Objects near a block or a brick.
typedef struct objectList {
    const int32_t* objects;
    int32_t count;
} objectList;

// Scratch for building a block, in one piece of memory.
typedef struct blockScratch {
    wkEightPlane* planes;  // tangents of boxes near a brick or a part of it
    wkEightBounds* bounds; // bounds of other objects near a brick, for each of its parts
    wkFieldEntry* lists;   // of the bricks, each with the capacity for all bodies
    wkFieldEntry* entries; // of all bricks
    int32_t* boxes;        // near a brick
    int32_t* others;       // near a brick
    int32_t* slotIndices;  // indices of both in the list of the brick, boxes first
    int32_t* here;         // boxes near each part of the brick
    uint8_t* masks;        // parts in which they matter, boxes first
    size_t byteCount;
} blockScratch;

static bool takeScratch(int32_t bodyCount, blockScratch* scratch)
{
    size_t n = (size_t)bodyCount, parts = n * WK_FIELD_PARTS;
    scratch->byteCount = n * (sizeof *scratch->planes + sizeof *scratch->bounds) +
                         (2 * parts + (3 + WK_FIELD_EIGHT) * n) * sizeof(uint32_t) + n;
    scratch->planes = (wkEightPlane*)wkAlloc(scratch->byteCount);
    if (scratch->planes == NULL) {
        return false;
    }
    scratch->bounds = (wkEightBounds*)&scratch->planes[n];
    scratch->lists = (wkFieldEntry*)&scratch->bounds[n];
    scratch->entries = &scratch->lists[parts];
    scratch->boxes = (int32_t*)&scratch->entries[parts];
    scratch->others = &scratch->boxes[n];
    scratch->slotIndices = &scratch->others[n];
    scratch->here = &scratch->slotIndices[n];
    scratch->masks = (uint8_t*)&scratch->here[WK_FIELD_EIGHT * n];
    return true;
}

bool wkCellOfBrick(const wkLayerBuild* build, int32_t block, int brick, int32_t cell[3])
{
    const int32_t* blocks = build->blocks;
    const int32_t first[3] = {block % blocks[0], block / blocks[0] % blocks[1],
                              block / (blocks[0] * blocks[1])};
    const int32_t within[3] = {brick % WK_FIELD_SPLIT, brick / WK_FIELD_SPLIT % WK_FIELD_SPLIT,
                               brick / (WK_FIELD_SPLIT * WK_FIELD_SPLIT)};
    bool isInside = true;
    for (int axis = 0; axis < 3; ++axis) {
        cell[axis] = first[axis] * WK_BLOCK_CELLS + within[axis] * WK_FIELD_SPLIT;
        isInside = isInside && cell[axis] < build->layer->grid.count[axis];
    }
    return isInside;
}

// Returns eight cubes of `cells` cells along each axis, from a cell on.
static wkFieldCubes cubesAt(const wkLayerBuild* build, const int32_t cell[3], int32_t cells)
{
    const wkFieldGrid* grid = &build->layer->grid;
    wkFieldCubes cubes;
    cubes.cells = cells;
    cubes.edge = grid->size * (float)cells;
    cubes.half = 0.5f * cubes.edge + build->wider;
    for (int axis = 0; axis < 3; ++axis) {
        cubes.cell[axis] = cell[axis];
        cubes.center[axis] = grid->lower[axis] + grid->size * (float)(cell[axis] + cells);
    }
    return cubes;
}

// Returns whether an object applies to every side of the layer, so that its upper bounds hold for all.
static bool isCertain(const wkLayerBuild* build, int32_t object)
{
    return build->field->objects[object].rule < 0 || !build->layer->isMixed;
}

WK_FORCE_FN void lessen(float* least, const float* values, int count)
{
    for (int i = 0; i < count; ++i) {
        least[i] = values[i] < least[i] ? values[i] : least[i];
    }
}

WK_FORCE_FN void fillFloats(float* values, float value, int count)
{
    for (int i = 0; i < count; ++i) {
        values[i] = value;
    }
}

// Returns the bits of a slope, which is a whole number.
static uint32_t slopeBits(float slope, int shift)
{
    return ((uint32_t)(int32_t)slope & 63u) << shift;
}

// Writes the eight cells of a part.
static void writeCells(const wkLayerBuild* build, const int32_t cell[3], const wkFittedPlane* plane)
{
    const wkFieldGrid* grid = &build->layer->grid;
    float perStep = 1.0f / grid->step, perGap = 1.0f / grid->gapStep, halfEdge = 0.5f * grid->slope;
    uint32_t words[WK_FIELD_EIGHT];
    for (int i = 0; i < WK_FIELD_EIGHT; ++i) {
        float x = plane->slope[0][i], y = plane->slope[1][i], z = plane->slope[2][i];
        // at the first vertex, less the rounding of positions in the cell
        float raised = grid->bias - halfEdge * (x + y + z);
        float vertex = plane->lower[i] + raised - build->wider;
        int steps = wkStepsBelow(vertex, perStep, WK_FIELD_FAR);
        float gap = plane->upper[i] + raised + build->wider - (float)steps * grid->step;
        uint32_t slopes = slopeBits(x, 14) | slopeBits(y, 20) | slopeBits(z, 26);
        // a plane with a value below 0 at the first vertex becomes flat
        bool isDeep = !(vertex > 0.0f);
        float flat = plane->most[i] + grid->bias + build->wider;
        uint32_t gaps = (uint32_t)wkStepsAbove(isDeep ? flat : gap, perGap, WK_FIELD_NONE) << 8;
        words[i] = isDeep ? gaps : gaps | slopes | (uint32_t)steps;
    }
    for (int i = 0; i < WK_FIELD_EIGHT; i += 2) {
        size_t at = wkCellAt(grid, cell[0], cell[1] + i / 2 % 2, cell[2] + i / 4);
        build->words[at] = words[i];
        build->words[at + 1] = words[i + 1];
    }
}

// Objects near a brick: boxes that no side may touch, and all others.
typedef struct brickObjects {
    int32_t boxCount;
    int32_t otherCount;
    int32_t counts[WK_FIELD_EIGHT]; // of boxes near each part
    uint16_t masks[WK_FIELD_EIGHT]; // mask of their entries
} brickObjects;

// Lowers the bounds of the cells of a part by an object; `whole` has the bounds of the whole part.
static void lessenByOther(const wkLayerBuild* build, int32_t object, const wkFieldCubes* cubes,
                          const wkEightBounds* whole, int part, wkEightBounds* least)
{
    const wkField* field = build->field;
    wkEightBounds bounds;
    if (field->objects[object].isBox) {
        build->lanes->boundBoxes(field->boxes, &object, 1, cubes, &bounds);
    } else if (field->objects[object].isFine) {
        wkField_BoundByEight(field, object, cubes, &bounds);
    } else {
        fillFloats(bounds.lower, whole->lower[part], WK_FIELD_EIGHT);
        fillFloats(bounds.upper, whole->upper[part], WK_FIELD_EIGHT);
    }
    lessen(least->lower, bounds.lower, WK_FIELD_EIGHT);
    if (isCertain(build, object)) {
        lessen(least->upper, bounds.upper, WK_FIELD_EIGHT);
    }
}

static unsigned bitOfEntry(int32_t slotIndex)
{
    return 1u << (slotIndex < WK_FIELD_MASKED ? slotIndex : WK_FIELD_MASKED);
}

// Assigns the boxes near a brick to its parts.
static void sortBoxes(brickObjects* nearby, const blockScratch* scratch)
{
    memset(nearby->counts, 0, sizeof nearby->counts);
    memset(nearby->masks, 0, sizeof nearby->masks);
    for (int32_t i = 0; i < nearby->boxCount; ++i) {
        unsigned bit = bitOfEntry(scratch->slotIndices[i]);
        for (unsigned mask = scratch->masks[i]; mask != 0; mask &= mask - 1) {
            int part = __builtin_ctz(mask);
            scratch->here[part * nearby->boxCount + nearby->counts[part]++] = scratch->boxes[i];
            nearby->masks[part] = (uint16_t)(nearby->masks[part] | bit);
        }
    }
}

// Fills the cells of a part of a brick. @return mask of the objects that matter
static uint16_t fillPart(const wkLayerBuild* build, const int32_t cell[3], int part,
                         const brickObjects* nearby, const blockScratch* scratch)
{
    wkFieldCubes cubes = cubesAt(build, cell, 1);
    wkEightBounds least;
    fillFloats(least.lower, FLT_MAX, WK_FIELD_EIGHT);
    fillFloats(least.upper, FLT_MAX, WK_FIELD_EIGHT);
    unsigned mask = nearby->masks[part];
    for (int32_t i = 0; i < nearby->otherCount; ++i) {
        int32_t k = nearby->boxCount + i;
        if (((unsigned)scratch->masks[k] >> part & 1u) != 0) {
            mask |= bitOfEntry(scratch->slotIndices[k]);
            lessenByOther(build, scratch->others[i], &cubes, &scratch->bounds[i], part, &least);
        }
    }
    if (mask != 0) {
        const int32_t* boxes = &scratch->here[part * nearby->boxCount];
        wkFittedPlane fitted;
        build->lanes->planeBoxes(build->field->boxes, boxes, nearby->counts[part], &cubes,
                                 scratch->planes);
        build->lanes->fitPlanes(scratch->planes, nearby->counts[part], cubes.half, &least, &fitted);
        writeCells(build, cell, &fitted);
    }
    return (uint16_t)mask;
}

// Computes bounds of objects that are not boxes for the parts of a brick. Beyond the limit nothing matters.
static void boundOthers(const wkLayerBuild* build, const wkFieldCubes* cubes,
                        const brickObjects* nearby, const blockScratch* scratch, float* limit)
{
    const wkField* field = build->field;
    for (int32_t i = 0; i < nearby->otherCount; ++i) {
        int32_t object = scratch->others[i];
        if (field->objects[object].isBox) {
            build->lanes->boundBoxes(field->boxes, &object, 1, cubes, &scratch->bounds[i]);
        } else {
            wkField_BoundByEight(field, object, cubes, &scratch->bounds[i]);
        }
        if (isCertain(build, object)) {
            lessen(limit, scratch->bounds[i].upper, WK_FIELD_EIGHT);
        }
    }
}

// Selects the cubes, of eight, in which the boxes and other objects near them matter.
static void selectCubes(const wkLayerBuild* build, const wkFieldCubes* cubes,
                        const brickObjects* nearby, const blockScratch* scratch)
{
    _Alignas(32) float limit[WK_FIELD_EIGHT];
    fillFloats(limit, (float)build->field->reach, WK_FIELD_EIGHT);
    boundOthers(build, cubes, nearby, scratch, limit);
    build->lanes->planeBoxes(build->field->boxes, scratch->boxes, nearby->boxCount, cubes,
                             scratch->planes);
    build->lanes->selectParts(scratch->planes, nearby->boxCount, cubes->half, limit,
                              scratch->masks);
    for (int32_t i = 0; i < nearby->otherCount; ++i) {
        unsigned mask = 0;
        for (int part = 0; part < WK_FIELD_EIGHT; ++part) {
            // a bound below zero does not bound the depth
            bool needsScalar = scratch->bounds[i].lower[part] > fmaxf(limit[part], 0.0f);
            mask |= (unsigned)!needsScalar << part;
        }
        scratch->masks[nearby->boxCount + i] = (uint8_t)mask;
    }
}

// Selects objects for the parts of a brick, and fills the cells of each.
static void fillBrick(const wkLayerBuild* build, const int32_t cell[3], brickObjects* nearby,
                      const blockScratch* scratch, wkFieldBrick* brick)
{
    wkFieldCubes cubes = cubesAt(build, cell, 2);
    selectCubes(build, &cubes, nearby, scratch);
    sortBoxes(nearby, scratch);
    for (int part = 0; part < WK_FIELD_EIGHT; ++part) {
        const int32_t first[3] = {cell[0] + part % 2 * 2, cell[1] + part / 2 % 2 * 2,
                                  cell[2] + part / 4 * 2};
        brick->masks[part] = fillPart(build, first, part, nearby, scratch);
    }
}

// Adds an object to the lists of the bricks in which it matters, of eight from `first` on.
static void enlist(const wkLayerBuild* build, int32_t object, unsigned mask, const float* lower,
                   int first, int32_t capacity, const blockScratch* scratch, int32_t* counts)
{
    float perStep = 1.0f / build->field->step;
    for (; mask != 0; mask &= mask - 1) {
        int part = __builtin_ctz(mask);
        int brick = first + part % 2 + WK_FIELD_SPLIT * (part / 2 % 2) +
                    WK_FIELD_SPLIT * WK_FIELD_SPLIT * (part / 4);
        int steps = wkStepsBelow(lower[part], perStep, WK_FIELD_FAR);
        scratch->lists[(size_t)brick * (size_t)capacity + (size_t)counts[brick]++] =
            (wkFieldEntry)object << 8 | (wkFieldEntry)steps;
    }
}

// Lists the bodies near each brick of a block that bounds do not rule out.
static void listBodies(const wkLayerBuild* build, int32_t block, const objectList* bodies,
                       const blockScratch* scratch, int32_t counts[WK_FIELD_PARTS])
{
    // boxes without rules come first among objects
    brickObjects nearby;
    memset(&nearby, 0, sizeof nearby);
    memset(counts, 0, WK_FIELD_PARTS * sizeof *counts);
    for (int32_t i = 0; i < bodies->count; ++i) {
        bool isPlain = bodies->objects[i] < build->field->plainCount;
        int32_t* list = isPlain ? scratch->boxes : scratch->others;
        list[isPlain ? nearby.boxCount++ : nearby.otherCount++] = bodies->objects[i];
    }
    for (int group = 0; group < WK_FIELD_EIGHT; ++group) {
        int first = group % 2 * 2 + WK_FIELD_SPLIT * (group / 2 % 2 * 2) +
                    WK_FIELD_SPLIT * WK_FIELD_SPLIT * (group / 4 * 2);
        int32_t cell[3];
        (void)wkCellOfBrick(build, block, first, cell);
        wkFieldCubes cubes = cubesAt(build, cell, WK_FIELD_SPLIT);
        selectCubes(build, &cubes, &nearby, scratch);
        for (int32_t i = 0; i < nearby.boxCount; ++i) {
            enlist(build, scratch->boxes[i], scratch->masks[i], scratch->planes[i].lowest, first,
                   bodies->count, scratch, counts);
        }
        for (int32_t i = 0; i < nearby.otherCount; ++i) {
            enlist(build, scratch->others[i], scratch->masks[nearby.boxCount + i],
                   scratch->bounds[i].lower, first, bodies->count, scratch, counts);
        }
    }
}

// Sorts a list by distance.
static void sortList(wkFieldEntry* list, int32_t count)
{
    for (int32_t i = 1; i < count; ++i) {
        wkFieldEntry entry = list[i];
        int32_t k = i;
        for (; k > 0 && (list[k - 1] & 0xffu) > (entry & 0xffu); --k) {
            list[k] = list[k - 1];
        }
        list[k] = entry;
    }
}

// Splits a list into boxes and other objects.
static brickObjects takeList(const wkLayerBuild* build, const wkFieldEntry* list, int32_t count,
                             const blockScratch* scratch)
{
    brickObjects nearby;
    memset(&nearby, 0, sizeof nearby);
    for (int32_t i = 0; i < count; ++i) {
        int32_t object = (int32_t)(list[i] >> 8);
        if (object < build->field->plainCount) {
            scratch->slotIndices[nearby.boxCount] = i;
            scratch->boxes[nearby.boxCount++] = object;
        }
    }
    for (int32_t i = 0; i < count && nearby.boxCount + nearby.otherCount < count; ++i) {
        int32_t object = (int32_t)(list[i] >> 8);
        if (object >= build->field->plainCount) {
            scratch->slotIndices[nearby.boxCount + nearby.otherCount] = i;
            scratch->others[nearby.otherCount++] = object;
        }
    }
    return nearby;
}

// Builds the bricks of a block, with entries numbered from the first of the block.
// @return number of entries
static size_t makeBricks(const wkLayerBuild* build, int32_t block, const objectList* bodies,
                         const blockScratch* scratch)
{
    int32_t cell[3], counts[WK_FIELD_PARTS];
    listBodies(build, block, bodies, scratch, counts);
    size_t entryCount = 0;
    for (int b = 0; b < WK_FIELD_PARTS; ++b) {
        if (counts[b] == 0 || !wkCellOfBrick(build, block, b, cell)) {
            continue;
        }
        wkFieldEntry* list = &scratch->entries[entryCount];
        memcpy(list, &scratch->lists[(size_t)b * (size_t)bodies->count],
               (size_t)counts[b] * sizeof *list);
        sortList(list, counts[b]);
        brickObjects nearby = takeList(build, list, counts[b], scratch);
        wkFieldBrick* brick = wkBrickAt(build->layer, cell);
        brick->first = (uint32_t)entryCount;
        brick->count = (uint32_t)counts[b];
        entryCount += (size_t)counts[b];
        fillBrick(build, cell, &nearby, scratch, brick);
    }
    return entryCount;
}

void wkMakeBlock(void* context, int32_t block)
{
    const wkLayerBuild* build = (const wkLayerBuild*)context;
    wkBlockEntries* made = &build->made[block];
    objectList bodies = {&build->bodies[build->starts[block]],
                         build->starts[block + 1] - build->starts[block]};
    blockScratch scratch;
    if (bodies.count == 0) {
        return;
    }
    made->hasFailed = !takeScratch(bodies.count, &scratch);
    if (made->hasFailed) {
        return;
    }
    made->count = makeBricks(build, block, &bodies, &scratch);
    if (made->count > 0) {
        made->entries = (wkFieldEntry*)wkAlloc(made->count * sizeof *made->entries);
        made->hasFailed = made->entries == NULL;
    }
    if (made->entries != NULL) {
        memcpy(made->entries, scratch.entries, made->count * sizeof *made->entries);
    }
    wkFree(scratch.planes, scratch.byteCount);
}
