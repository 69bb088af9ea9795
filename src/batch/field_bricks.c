// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// From the objects in front of a block to what its cells hold: bounds tell which of them matter for
// which brick, then for which of its eight parts, and then what the cells of a part are. An object that
// is further away everywhere than another one can be does not matter.

#include "batch/field_bricks.h"

#include "base/memory.h"

#include <float.h>
#include <string.h>

// Objects in front of a block or a brick.
typedef struct crowd {
    const int32_t* objects;
    int32_t count;
} crowd;

// What a block needs while it is made, in one piece of memory.
typedef struct blockRoom {
    float* lower;          // of each member, from each brick
    wkFieldEntry* entries; // of all bricks
    wkEightBounds* near;   // of each object near a brick, from each of its parts
    wkEightPlane* planes;  // of boxes near a part
    int32_t* objects;      // near a brick
    int32_t* here;         // boxes near a part of it
    size_t byteCount;
} blockRoom;

static bool takeRoom(int32_t memberCount, blockRoom* room)
{
    size_t n = (size_t)memberCount, parts = n * WK_FIELD_PARTS;
    room->byteCount =
        n * (sizeof *room->near + sizeof *room->planes) + (2 * parts + 2 * n) * sizeof(float);
    room->near = (wkEightBounds*)wkAlloc(room->byteCount);
    if (room->near == NULL) {
        return false;
    }
    room->planes = (wkEightPlane*)&room->near[n];
    room->lower = (float*)&room->planes[n];
    room->entries = (wkFieldEntry*)&room->lower[parts];
    room->objects = (int32_t*)&room->entries[parts];
    room->here = &room->objects[n];
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

// Cubes that begin with a cell, so many along each axis.
static wkFieldCubes cubesAt(const wkLayerBuild* build, const int32_t cell[3], int32_t cells,
                            int32_t along)
{
    const wkFieldGrid* grid = &build->layer->grid;
    wkFieldCubes cubes;
    cubes.cells = cells;
    cubes.edge = grid->size * (float)cells;
    cubes.half = 0.5f * cubes.edge + build->wider;
    for (int axis = 0; axis < 3; ++axis) {
        cubes.cell[axis] = cell[axis];
        cubes.center[axis] =
            grid->lower[axis] + grid->size * ((float)cell[axis] + 0.5f * (float)(cells * along));
    }
    return cubes;
}

// Whether who is near enough touches an object, whichever side of the layer it is.
static bool isCertain(const wkLayerBuild* build, int32_t object)
{
    const wkFieldObject* o = &build->field->objects[object];
    return o->isCertain && (o->rule < 0 || !build->layer->isMixed);
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

// Bits of a slope, which is a whole number.
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
        // at the first corner; what rounding may do to places in the cell is taken off
        float raised = grid->bias - halfEdge * (x + y + z);
        float corner = plane->lower[i] + raised - build->wider;
        int steps = wkStepsBelow(corner, perStep, WK_FIELD_FAR);
        float gap = plane->upper[i] + raised + build->wider - (float)steps * grid->step;
        uint32_t slopes = slopeBits(x, 14) | slopeBits(y, 20) | slopeBits(z, 26);
        // a plane that would begin below the lowest is flat
        bool isDeep = !(corner > 0.0f);
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

// Whether an object is a box that every side must stay away from.
static bool isPlain(const wkLayerBuild* build, int32_t object)
{
    return object < build->field->plainCount;
}

// Takes an object into what is known of the cells of a part, whose own bounds are `whole`.
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

// Looks at the cells of a part of a brick. Of what is further than `limit` from it nothing matters.
// @return which objects matter
static uint16_t fillPart(const wkLayerBuild* build, const int32_t cell[3], int part,
                         const crowd* near, const blockRoom* room, float limit)
{
    wkFieldCubes cubes = cubesAt(build, cell, 1, 2);
    wkEightBounds least;
    fillFloats(least.lower, FLT_MAX, WK_FIELD_EIGHT);
    fillFloats(least.upper, FLT_MAX, WK_FIELD_EIGHT);
    unsigned mask = 0;
    int32_t boxCount = 0;
    for (int32_t i = 0; i < near->count; ++i) {
        if (room->near[i].lower[part] > limit) {
            continue;
        }
        mask |= 1u << (i < WK_FIELD_MASKED ? i : WK_FIELD_MASKED);
        if (WK_LIKELY(isPlain(build, near->objects[i]))) {
            room->here[boxCount++] = near->objects[i];
        } else {
            lessenByOther(build, near->objects[i], &cubes, &room->near[i], part, &least);
        }
    }
    if (mask != 0) {
        wkFittedPlane fitted;
        build->lanes->planeBoxes(build->field->boxes, room->here, boxCount, &cubes, room->planes);
        build->lanes->fitPlanes(room->planes, boxCount, cubes.half, &least, &fitted);
        writeCells(build, cell, &fitted);
    }
    return (uint16_t)mask;
}

// Bounds of the objects near a brick from its parts.
static void boundNear(const wkLayerBuild* build, const int32_t cell[3], const crowd* near,
                      const blockRoom* room)
{
    const wkField* field = build->field;
    wkFieldCubes cubes = cubesAt(build, cell, 2, 2);
    build->lanes->boundBoxes(field->boxes, near->objects, near->count, &cubes, room->near);
    for (int32_t i = 0; i < near->count; ++i) {
        if (!isPlain(build, near->objects[i]) && !field->objects[near->objects[i]].isBox) {
            wkField_BoundByEight(field, near->objects[i], &cubes, &room->near[i]);
        }
    }
}

// Looks at the parts of a brick, and then at the cells of each.
static void fillBrick(const wkLayerBuild* build, const int32_t cell[3], const crowd* near,
                      const blockRoom* room, wkFieldBrick* brick)
{
    boundNear(build, cell, near, room);
    float limit[WK_FIELD_EIGHT];
    fillFloats(limit, (float)build->field->reach, WK_FIELD_EIGHT);
    for (int32_t i = 0; i < near->count; ++i) {
        if (isCertain(build, near->objects[i])) {
            lessen(limit, room->near[i].upper, WK_FIELD_EIGHT);
        }
    }
    for (int part = 0; part < WK_FIELD_EIGHT; ++part) {
        const int32_t first[3] = {cell[0] + part % 2 * 2, cell[1] + part / 2 % 2 * 2,
                                  cell[2] + part / 4 * 2};
        brick->masks[part] = fillPart(build, first, part, near, room, limit[part]);
    }
}

// Puts an object among those near a brick, the nearest first.
static void enlist(wkFieldEntry* entries, int32_t* objects, int32_t count, int32_t object,
                   int steps)
{
    int32_t k = count;
    for (; k > 0 && (int)(entries[k - 1] & 0xffu) > steps; --k) {
        entries[k] = entries[k - 1];
        objects[k] = objects[k - 1];
    }
    entries[k] = (wkFieldEntry)object << 8 | (wkFieldEntry)steps;
    objects[k] = object;
}

// Bounds of all members from the bricks of a block. Further than `limit` nothing matters.
static void boundMembers(const wkLayerBuild* build, const int32_t first[3], const crowd* members,
                         const blockRoom* room, float* limit)
{
    wkFieldCubes cubes = cubesAt(build, first, WK_FIELD_SPLIT, WK_FIELD_SPLIT);
    wkFieldBounds bounds;
    fillFloats(limit, (float)build->field->reach, WK_FIELD_PARTS);
    for (int32_t i = 0; i < members->count; ++i) {
        wkField_Bound(build->field, members->objects[i], &cubes, &bounds);
        memcpy(&room->lower[(size_t)i * WK_FIELD_PARTS], bounds.lower, sizeof bounds.lower);
        if (isCertain(build, members->objects[i])) {
            lessen(limit, bounds.upper, WK_FIELD_PARTS);
        }
    }
}

// Makes the bricks of a block, whose entries count from the first of the block.
// @return number of entries
static size_t makeBricks(const wkLayerBuild* build, int32_t block, const crowd* members,
                         const blockRoom* room)
{
    float perStep = 1.0f / build->field->step, limit[WK_FIELD_PARTS];
    int32_t cell[3];
    (void)wkCellOfBrick(build, block, 0, cell);
    boundMembers(build, cell, members, room, limit);
    size_t entryCount = 0;
    for (int b = 0; b < WK_FIELD_PARTS; ++b) {
        if (!wkCellOfBrick(build, block, b, cell)) {
            continue;
        }
        crowd near = {room->objects, 0};
        for (int32_t i = 0; i < members->count; ++i) {
            float lower = room->lower[(size_t)i * WK_FIELD_PARTS + (size_t)b];
            if (lower <= limit[b]) {
                enlist(&room->entries[entryCount], room->objects, near.count++, members->objects[i],
                       wkStepsBelow(lower, perStep, WK_FIELD_FAR));
            }
        }
        wkFieldBrick* brick = wkBrickAt(build->layer, cell);
        brick->first = (uint32_t)entryCount;
        brick->count = (uint32_t)near.count;
        entryCount += (size_t)near.count;
        if (near.count > 0) {
            fillBrick(build, cell, &near, room, brick);
        }
    }
    return entryCount;
}

void wkMakeBlock(void* context, int32_t block)
{
    const wkLayerBuild* build = (const wkLayerBuild*)context;
    wkBlockEntries* made = &build->made[block];
    crowd members = {&build->members[build->starts[block]],
                     build->starts[block + 1] - build->starts[block]};
    blockRoom room;
    if (members.count == 0) {
        return;
    }
    made->hasFailed = !takeRoom(members.count, &room);
    if (made->hasFailed) {
        return;
    }
    made->count = makeBricks(build, block, &members, &room);
    if (made->count > 0) {
        made->entries = (wkFieldEntry*)wkAlloc(made->count * sizeof *made->entries);
        made->hasFailed = made->entries == NULL;
    }
    if (made->entries != NULL) {
        memcpy(made->entries, room.entries, made->count * sizeof *made->entries);
    }
    wkFree(room.near, room.byteCount);
}
