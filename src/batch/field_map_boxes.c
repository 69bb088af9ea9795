// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Covers the cells of a map with boxes, one after the other: each begins with the first cell that is not
// covered, and grows along x, then y, then z as far as cells go, whether they are covered already or not.

#include "batch/field_map_boxes.h"

#include "base/error.h"
#include "base/memory.h"
#include "geom/convex.h"

#include <string.h>

wkResult wkMapBoxes_Create(wkMapBoxes* boxes)
{
    boxes->count = 0;
    boxes->boxes = (wkFieldBox*)wkAlloc(WK_MOST_MAP_BOXES * sizeof *boxes->boxes);
    boxes->objects = (int32_t*)wkAlloc(WK_MOST_MAP_BOXES * sizeof *boxes->objects);
    bool isMade = boxes->boxes != NULL && boxes->objects != NULL;
    return isMade ? wk_ok : wkFail(wk_errorMemory, "field: no memory for the boxes of maps");
}

void wkMapBoxes_Destroy(wkMapBoxes* boxes)
{
    wkFree(boxes->objects, WK_MOST_MAP_BOXES * sizeof *boxes->objects);
    wkFree(boxes->boxes, WK_MOST_MAP_BOXES * sizeof *boxes->boxes);
}

// A box of cells of a map: from the first to the last, both included.
typedef struct cellBox {
    int32_t from[3];
    int32_t to[3];
} cellBox;

static size_t rowOf(const wkFieldMap* map, int32_t y, int32_t z)
{
    return ((size_t)z * (size_t)map->count[1] + (size_t)y) * (size_t)map->rowWords;
}

static bool isSet(const uint64_t* row, int32_t x)
{
    return (row[x / 64] >> (x % 64) & 1u) != 0;
}

// Returns the bits of a word between two indices of the row.
static uint64_t maskOf(int32_t word, int32_t from, int32_t to)
{
    uint64_t low = word == from / 64 ? ~UINT64_C(0) << (from % 64) : ~UINT64_C(0);
    uint64_t high = word == to / 64 ? ~UINT64_C(0) >> (63 - to % 64) : ~UINT64_C(0);
    return low & high;
}

static bool isRowFull(const uint64_t* row, int32_t from, int32_t to)
{
    for (int32_t word = from / 64; word <= to / 64; ++word) {
        if ((~row[word] & maskOf(word, from, to)) != 0) {
            return false;
        }
    }
    return true;
}

static bool isLayerFull(const wkFieldMap* map, const cellBox* box, int32_t z)
{
    for (int32_t y = box->from[1]; y <= box->to[1]; ++y) {
        if (!isRowFull(&map->occupied[rowOf(map, y, z)], box->from[0], box->to[0])) {
            return false;
        }
    }
    return true;
}

static cellBox growBox(const wkFieldMap* map, int32_t x, int32_t y, int32_t z)
{
    cellBox box = {{x, y, z}, {x, y, z}};
    const uint64_t* row = &map->occupied[rowOf(map, y, z)];
    while (box.from[0] > 0 && isSet(row, box.from[0] - 1)) {
        --box.from[0];
    }
    while (box.to[0] + 1 < map->count[0] && isSet(row, box.to[0] + 1)) {
        ++box.to[0];
    }
    while (box.to[1] + 1 < map->count[1] &&
           isRowFull(&map->occupied[rowOf(map, box.to[1] + 1, z)], box.from[0], box.to[0])) {
        ++box.to[1];
    }
    while (box.to[2] + 1 < map->count[2] && isLayerFull(map, &box, box.to[2] + 1)) {
        ++box.to[2];
    }
    return box;
}

static void clearBox(const wkFieldMap* map, const cellBox* box, uint64_t* left)
{
    for (int32_t z = box->from[2]; z <= box->to[2]; ++z) {
        for (int32_t y = box->from[1]; y <= box->to[1]; ++y) {
            uint64_t* row = &left[rowOf(map, y, z)];
            for (int32_t word = box->from[0] / 64; word <= box->to[0] / 64; ++word) {
                row[word] &= ~maskOf(word, box->from[0], box->to[0]);
            }
        }
    }
}

static bool makeBox(const wkField* field, const wkFieldRegion* region, int32_t object,
                    const wkFieldMap* map, const cellBox* cells, wkFieldBox* box)
{
    double edge = 1.0 / map->perMetre, lower[3], upper[3];
    for (int axis = 0; axis < 3; ++axis) {
        lower[axis] = edge * (double)(map->lower[axis] + cells->from[axis]);
        upper[axis] = edge * (double)(map->lower[axis] + cells->to[axis] + 1);
    }
    wkShape copy;
    double sphere =
        wkShapeRadius(wkField_ShapeOf(field, object, &copy)) + field->objects[object].slack;
    return wkField_MakeBox(field, region, &map->frame, lower, upper, sphere, box);
}

// Covers the remaining cells. @return false when there are too many boxes
static bool coverCells(wkMapBoxes* boxes, const wkField* field, const wkFieldRegion* region,
                       int32_t object, const wkFieldMap* map, uint64_t* left)
{
    size_t wordCount = map->byteCount / sizeof *left;
    for (size_t word = 0; word < wordCount; ++word) {
        while (left[word] != 0) {
            size_t row = word / (size_t)map->rowWords;
            int32_t x = (int32_t)(word % (size_t)map->rowWords) * 64 + __builtin_ctzll(left[word]);
            int32_t y = (int32_t)(row % (size_t)map->count[1]);
            cellBox cells = growBox(map, x, y, (int32_t)(row / (size_t)map->count[1]));
            clearBox(map, &cells, left);
            if (boxes->count == WK_MOST_MAP_BOXES ||
                !makeBox(field, region, object, map, &cells, &boxes->boxes[boxes->count])) {
                return false;
            }
            boxes->objects[boxes->count++] = object;
        }
    }
    return true;
}

wkResult wkMapBoxes_Add(wkMapBoxes* boxes, const wkField* field, const wkFieldRegion* region,
                        int32_t object, const wkFieldMap* map, bool* isDone)
{
    int32_t before = boxes->count;
    uint64_t* left = (uint64_t*)wkAlloc(map->byteCount);
    if (left == NULL) {
        return wkFail(wk_errorMemory, "field: no memory for a map");
    }
    memcpy(left, map->occupied, map->byteCount);
    *isDone = coverCells(boxes, field, region, object, map, left);
    boxes->count = *isDone ? boxes->count : before;
    wkFree(left, map->byteCount);
    return wk_ok;
}

// Returns the object for a box of a map.
static wkFieldObject objectOfBox(const wkField* field, int32_t map)
{
    wkFieldObject object = field->objects[map];
    object.map = -1;
    object.isBox = object.isPiece = object.isFine = true;
    return object;
}

static bool isCovered(const wkField* field, int32_t object)
{
    int32_t map = field->objects[object].map;
    return map >= 0 && field->maps[map].isCovered;
}

wkResult wkField_TakeMapBoxes(wkField* field, const wkMapBoxes* boxes)
{
    int32_t capacity = field->objectCapacity + boxes->count, count = field->plainCount;
    wkFieldObject* objects = (wkFieldObject*)wkAlloc(((size_t)capacity + 1) * sizeof *objects);
    wkFieldBox* all = (wkFieldBox*)wkAlloc(((size_t)capacity + 1) * sizeof *all);
    if (objects == NULL || all == NULL) {
        wkFree(objects, ((size_t)capacity + 1) * sizeof *objects);
        wkFree(all, ((size_t)capacity + 1) * sizeof *all);
        return wkFail(wk_errorMemory, "field: no memory for %d objects", (int)capacity);
    }
    memcpy(objects, field->objects, (size_t)count * sizeof *objects);
    memcpy(all, field->boxes, (size_t)count * sizeof *all);
    for (int32_t i = 0; i < boxes->count; ++i, ++count) {
        objects[count] = objectOfBox(field, boxes->objects[i]);
        all[count] = boxes->boxes[i];
    }
    int32_t plainCount = count;
    for (int32_t i = field->plainCount; i < field->objectCount; ++i) {
        if (!isCovered(field, i)) {
            objects[count] = field->objects[i];
            all[count++] = field->boxes[i];
        }
    }
    wkField_FreeObjects(field);
    field->objects = objects;
    field->boxes = all;
    field->plainCount = plainCount;
    field->objectCount = count;
    field->objectCapacity = capacity;
    return wk_ok;
}
