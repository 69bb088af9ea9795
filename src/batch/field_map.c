// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The bits of a map that a field stores.

#include "batch/field_map.h"

#include "base/error.h"
#include "base/memory.h"
#include "batch/field_build.h"
#include "batch/field_map_boxes.h"
#include "batch/field_map_cells.h"
#include "batch/field_map_item.h"
#include "geom/convex.h"
#include "query/pair/shape_class.h"

#include <string.h>

// Maximum number of bits of a map: finer maps are queried as shapes.
#define MOST_BITS (INT64_C(1) << 27)

// Rounding of a position in a map, in cells of the map.
#define POSITION_ROUNDING 1e-6

// Sets the bits from one to another, both included.
static void setBits(uint64_t* row, int32_t from, int32_t to)
{
    for (int32_t word = from / 64; word <= to / 64; ++word) {
        uint64_t low = word == from / 64 ? ~UINT64_C(0) << (from % 64) : ~UINT64_C(0);
        uint64_t high = word == to / 64 ? ~UINT64_C(0) >> (63 - to % 64) : ~UINT64_C(0);
        row[word] |= low & high;
    }
}

// Stores the part of a cube that is in the region.
static void keepCube(const wkFieldMap* map, const wkMapCube* cube, uint64_t* bits)
{
    int32_t from[3], to[3];
    for (int axis = 0; axis < 3; ++axis) {
        from[axis] = cube->lower[axis] - map->lower[axis];
        to[axis] = from[axis] + cube->edge - 1;
        from[axis] = from[axis] > 0 ? from[axis] : 0;
        to[axis] = to[axis] < map->count[axis] ? to[axis] : map->count[axis] - 1;
        if (from[axis] > to[axis]) {
            return;
        }
    }
    for (int32_t z = from[2]; z <= to[2]; ++z) {
        for (int32_t y = from[1]; y <= to[1]; ++y) {
            setBits(&bits[wkFieldMap_RowAt(map, y, z)], from[0], to[0]);
        }
    }
}

// Chooses the box of cells of the map that contains the region and all space within reach of it.
static bool chooseCells(wkFieldMap* map, const wkFieldRegion* region, double reach)
{
    const wkMat3d* m = &map->frame.rotation;
    wkVec3d middle = wkFrameLocal(&map->frame, region->middle);
    wkVec3d half = wkScale(0.5, wkSub(region->box.upper, region->box.lower));
    const wkVec3d axes[3] = {m->x, m->y, m->z};
    double bits = 1.0;
    for (int axis = 0; axis < 3; ++axis) {
        double wide = wkDot(wkAbs(axes[axis]), half) + reach;
        double lower = floor((wkAlongAxis(&middle, axis) - wide) * map->perMetre) - 1.0;
        double upper = floor((wkAlongAxis(&middle, axis) + wide) * map->perMetre) + 1.0;
        // a map has no cells beyond these indices
        if (!(lower >= -32768.0 && upper < 32768.0)) {
            return false;
        }
        map->lower[axis] = (int32_t)lower;
        map->count[axis] = (int32_t)(upper - lower) + 1;
        bits *= (double)map->count[axis];
    }
    map->rowWords = (map->count[0] + 63) / 64;
    return bits <= (double)MOST_BITS;
}

// Sets the frame of a map and the range of cells to store.
// @return false when the map is to be queried as a shape
static bool placeMap(const wkField* field, int32_t object, const wkFieldRegion* region,
                     wkFieldMap* map)
{
    wkShape copy;
    const wkShape* shape = wkField_ShapeOf(field, object, &copy);
    const wkPose* pose = wkField_PoseOf(field, object);
    double resolution = wkOctree_Def(shape->map.octree).resolution, sphere = wkShapeRadius(shape);
    map->frame = wkFrameFromPose(*pose);
    map->frame.position = wkSub(pose->position, field->origin);
    map->perMetre = 1.0 / resolution;
    map->sphere =
        sphere * map->perMetre + POSITION_ROUNDING + field->objects[object].slack * map->perMetre;
    return chooseCells(map, region, field->reach + fabs(sphere)) &&
           field->objects[object].slack * map->perMetre < POSITION_ROUNDING;
}

// Stores the cells of a map that count as obstacles.
static void keepCells(wkFieldMap* map, const wkShape* shape)
{
    wkMapCubes cubes = wkMapCubes_Start(map, shape);
    wkMapCube cube;
    while (wkMapCubes_Next(&cubes, &cube)) {
        bool isKnown = !cube.isUnknown || map->unknown == NULL;
        keepCube(map, &cube, isKnown ? map->occupied : map->unknown);
    }
}

static wkResult takeBits(const wkField* field, int32_t object, wkFieldMap* map)
{
    wkShape copy;
    const wkShape* shape = wkField_ShapeOf(field, object, &copy);
    bool hasUnknown = shape->map.unknown == wk_unknownReported;
    map->byteCount = (size_t)map->rowWords * (size_t)map->count[1] * (size_t)map->count[2] *
                     sizeof *map->occupied;
    map->occupied = (uint64_t*)wkAlloc(map->byteCount);
    map->unknown = hasUnknown ? (uint64_t*)wkAlloc(map->byteCount) : NULL;
    if (map->occupied == NULL || (hasUnknown && map->unknown == NULL)) {
        return wkFail(wk_errorMemory, "field: no memory for a map");
    }
    memset(map->occupied, 0, map->byteCount);
    if (hasUnknown) {
        memset(map->unknown, 0, map->byteCount);
    }
    keepCells(map, shape);
    return wk_ok;
}

// Computes the distances of the cells of the grid from a map.
static wkResult spreadMap(const wkField* field, int32_t object, const wkFieldGrid* grid,
                          wkFieldMap* map)
{
    wkShape copy;
    const wkShape* shape = wkField_ShapeOf(field, object, &copy);
    wkMapMarks marks;
    wkResult result = wkMapMarks_Create(field, grid, wkShapeRadius(shape), &marks);
    if (result == wk_ok) {
        wkMapCubes cubes = wkMapCubes_Start(map, shape);
        wkMapCube cube;
        while (wkMapCubes_Next(&cubes, &cube)) {
            wkMapMarks_Add(&marks, map, &cube, cube.isUnknown && map->unknown != NULL);
        }
        result = wkMapMarks_Spread(&marks, grid, map);
    }
    wkMapMarks_Destroy(&marks);
    return result;
}

static wkResult takeMap(wkField* field, int32_t object, const wkFieldRegion* region,
                        const wkFieldGrid* grid, wkMapBoxes* boxes)
{
    wkFieldObject* o = &field->objects[object];
    wkFieldMap* map = &field->maps[o->map];
    if (!placeMap(field, object, region, map)) {
        map->isAsked = true;
        return wk_ok;
    }
    wkResult result = takeBits(field, object, map);
    bool isPlain = o->rule < 0 && !map->isAsked && map->unknown == NULL;
    if (result == wk_ok && isPlain) {
        result = wkMapBoxes_Add(boxes, field, region, object, map, &map->isCovered);
    }
    if (map->isCovered) {
        wkFree(map->occupied, map->byteCount);
        map->occupied = NULL;
        map->byteCount = 0;
    }
    if (result == wk_ok && !map->isCovered) {
        result = spreadMap(field, object, grid, map);
        o->isFine = result == wk_ok;
    }
    return result;
}

// Numbers the maps among the objects.
static wkResult listMaps(wkField* field)
{
    int32_t count = 0;
    for (int32_t i = 0; i < field->objectCount; ++i) {
        wkShape copy;
        bool isMap = wkShapeClassOf(wkField_ShapeOf(field, i, &copy))->kind == wk_kindMap;
        field->objects[i].map = isMap ? count++ : -1;
    }
    field->maps = count > 0 ? (wkFieldMap*)wkAlloc((size_t)count * sizeof *field->maps) : NULL;
    if (count > 0 && field->maps == NULL) {
        return wkFail(wk_errorMemory, "field: no memory for %d maps", (int)count);
    }
    if (count > 0) {
        memset(field->maps, 0, (size_t)count * sizeof *field->maps);
    }
    field->mapCount = count;
    return wk_ok;
}

wkResult wkField_TakeMaps(wkField* field, const wkFieldRegion* region, const wkFieldGrid* grid)
{
    wkResult result = listMaps(field);
    if (result != wk_ok || field->mapCount == 0) {
        return result;
    }
    wkMapBoxes boxes;
    result = wkMapBoxes_Create(&boxes);
    for (int32_t i = 0; i < field->objectCount && result == wk_ok; ++i) {
        if (field->objects[i].map >= 0) {
            result = takeMap(field, i, region, grid, &boxes);
        }
    }
    result = result == wk_ok ? wkField_TakeMapBoxes(field, &boxes) : result;
    wkMapBoxes_Destroy(&boxes);
    return result;
}

void wkField_DropMapCells(wkField* field)
{
    for (int32_t i = 0; i < field->mapCount; ++i) {
        wkFree(field->maps[i].cells, field->maps[i].cellBytes);
        field->maps[i].cells = NULL;
    }
}

// Reserves words for bits.
// @return the first of them; -1 when there are no bits
static int64_t placeBits(const uint64_t* bits, size_t byteCount, int64_t* wordCount)
{
    int64_t at = bits != NULL ? *wordCount : -1;
    *wordCount += bits != NULL ? (int64_t)(byteCount / sizeof *bits) : 0;
    return at;
}

wkResult wkField_PlaceMapBits(wkField* field)
{
    int64_t wordCount = 0;
    for (int32_t i = 0; i < field->mapCount; ++i) {
        wkFieldMap* map = &field->maps[i];
        map->occupiedAt = placeBits(map->occupied, map->byteCount, &wordCount);
        map->unknownAt = placeBits(map->unknown, map->byteCount, &wordCount);
    }
    if (wordCount > INT32_MAX) {
        return wkFail(wk_errorMemory, "field: too many cells of maps");
    }
    field->mapWordCount = (int32_t)wordCount;
    return wk_ok;
}

void wkField_MoveMapBits(wkField* field, const wkFieldMap* built)
{
    for (int32_t i = 0; i < field->mapCount; ++i) {
        wkFieldMap* map = &field->maps[i];
        if (map->occupiedAt >= 0) {
            memcpy(field->mapBits + map->occupiedAt, built[i].occupied, map->byteCount);
        }
        if (map->unknownAt >= 0) {
            memcpy(field->mapBits + map->unknownAt, built[i].unknown, map->byteCount);
        }
        map->occupied = map->unknown = NULL;
    }
}

void wkField_FreeMaps(wkField* field)
{
    wkField_DropMapCells(field);
    for (int32_t i = 0; i < field->mapCount; ++i) {
        wkFree(field->maps[i].occupied, field->maps[i].byteCount);
        wkFree(field->maps[i].unknown, field->maps[i].byteCount);
    }
    wkFree(field->maps, (size_t)field->mapCount * sizeof *field->maps);
}
