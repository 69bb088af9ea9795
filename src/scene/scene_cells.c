// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Adds the cells of a map as separate objects: the first strategy of the paper on octrees (ICRA
// 2013), which converts every sensor frame to boxes and builds a broad phase from them.

#include "base/error.h"
#include "base/memory.h"
#include "query/map/map_query.h"
#include "scene/scene_impl.h"

#define SIDE_COUNT 6 // of the space beyond a map

static wkCellIterator cellsOf(const wkMapShape* map)
{
    wkCellRequest filter = wkDefaultCellRequest();
    filter.wantsFree = false;
    filter.wantsUnknown = map->unknown != wk_unknownFree;
    filter.occupiedProbability = map->occupiedProbability;
    return wkOctree_Cells(map->octree, &filter);
}

static int64_t countCells(const wkMapShape* map)
{
    wkCellIterator iterator = cellsOf(map);
    wkCell cell;
    int64_t count = 0;
    while (wkCellIterator_Next(&iterator, &cell)) {
        ++count;
    }
    return count;
}

static void fillCells(const wkObjectDef* def, wkObjectDef* objects)
{
    const wkShape* map = &def->shape;
    wkCellIterator iterator = cellsOf(&map->map);
    wkCell cell;
    while (wkCellIterator_Next(&iterator, &cell)) {
        *objects = *def;
        objects->shape = wkMakeBox(cell.size, cell.size, cell.size);
        objects->shape.rounding = map->rounding;
        objects->shape.padding = map->padding;
        objects->pose.position = wkTransformPoint(def->pose, cell.center);
        ++objects;
    }
}

static void fillBeyond(const wkObjectDef* def, wkObjectDef* objects)
{
    for (int side = 0; side < SIDE_COUNT; ++side) {
        objects[side] = *def;
        objects[side].shape = wkBeyondMap(&def->shape, side);
    }
}

static wkResult addCells(wkScene* scene, const wkObjectDef* def, int32_t* count)
{
    bool isEndless = def->shape.map.unknown != wk_unknownFree;
    int64_t cellCount = countCells(&def->shape.map);
    int64_t objectCount = cellCount + (isEndless ? SIDE_COUNT : 0);
    if (objectCount > INT32_MAX / 2) {
        return wkFail(wk_errorRange, "cells: %lld of them are too many", (long long)objectCount);
    }
    if (objectCount == 0) {
        return wk_ok;
    }
    size_t byteCount = sizeof(wkObjectDef) * (size_t)objectCount;
    wkObjectDef* objects = (wkObjectDef*)wkAlloc(byteCount);
    if (objects == NULL) {
        return wkFail(wk_errorMemory, "cells: no memory for %zu bytes", byteCount);
    }
    fillCells(def, objects);
    if (isEndless) {
        fillBeyond(def, objects + cellCount);
    }
    wkResult result = wkScene_AddMany(scene, objects, (int32_t)objectCount, NULL);
    wkFree(objects, byteCount);
    if (result == wk_ok) {
        *count = (int32_t)objectCount;
    }
    return result;
}

wkResult wkScene_AddCells(wkScene* scene, const wkObjectDef* def, int32_t* count)
{
    int32_t added = 0;
    wkResult result = wkCheckObject(def);
    if (scene == NULL) {
        result = wkFail(wk_errorArgument, "cells: scene is NULL");
    } else if (result == wk_ok && !wkIsMapType(def->shape.type)) {
        result = wkFail(wk_errorArgument, "cells: the shape is no map");
    }
    result = result == wk_ok ? addCells(scene, def, &added) : result;
    if (count != NULL) {
        *count = added;
    }
    return result;
}
