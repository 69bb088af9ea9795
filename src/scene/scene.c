// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Creates, copies and destroys scenes; checks their parameters.

#include "scene/scene_impl.h"

#include "base/cookie.h"
#include "base/error.h"
#include "base/memory.h"

#include "math/within.h"
#include "whisker/detail/counts.h"

#include <string.h>

#define LEAST_CAPACITY 64
// For positions and origins; the same limit as for the coordinates of shapes.
#define LARGEST_COORDINATE 1e60

wkSceneDef wkDefaultSceneDef(void)
{
    wkSceneDef def = {.broadPhase = wk_broadTree, .slack = 0.05, .cookie = WK_COOKIE(wkSceneDef)};
    return def;
}

static wkResult checkDef(const wkSceneDef* def)
{
    if (!WK_HAS_COOKIE(def, wkSceneDef)) {
        return WK_FAIL_COOKIE(def, wkSceneDef);
    }
    if ((unsigned)def->broadPhase >= (unsigned)WK_BROAD_PHASE_COUNT) {
        return wkFail(wk_errorRange, "scene: broadPhase is %d, must be 0 to %d",
                      (int)def->broadPhase, (int)WK_BROAD_PHASE_COUNT - 1);
    }
    if (!wkIsFiniteVec(def->origin) || def->slack != def->slack) {
        return wkFail(wk_errorNotFinite, "scene: origin or slack is not finite");
    }
    if (!(def->slack >= 0.0 && def->slack <= 1.0)) {
        return wkFail(wk_errorRange, "scene: slack is %g, must be 0 to 1", def->slack);
    }
    if (!wkIsVecWithin(def->origin, LARGEST_COORDINATE)) {
        return wkFail(wk_errorRange, "scene: origin is beyond %g", LARGEST_COORDINATE);
    }
    if (def->capacity < 0) {
        return wkFail(wk_errorRange, "scene: capacity is %d, must be >= 0", (int)def->capacity);
    }
    return wk_ok;
}

static size_t rounded(size_t byteCount)
{
    return (byteCount + 63) / 64 * 64;
}

// Takes a part of a memory block.
static void* take(char** cursor, size_t byteCount)
{
    void* part = *cursor;
    *cursor += rounded(byteCount);
    return part;
}

wkResult wkObjectTable_Create(int32_t capacity, wkObjectTable* table)
{
    size_t n = (size_t)capacity;
    memset(table, 0, sizeof *table);
    size_t byteCount = rounded(n * sizeof *table->rows) + rounded(n * sizeof *table->bodies) +
                       rounded(n * sizeof *table->shapes) + rounded(n * sizeof *table->extents) +
                       rounded(n * sizeof *table->slots) + rounded(n * sizeof *table->fat) +
                       rounded(n * sizeof *table->waiting) + rounded(n * sizeof *table->items) +
                       rounded(n * sizeof *table->marks);
    if (n == 0) {
        return wk_ok;
    }
    char* cursor = (char*)wkAlloc(byteCount);
    if (cursor == NULL) {
        return wkFail(wk_errorMemory, "scene: no memory for %d objects", (int)capacity);
    }
    table->memory = cursor;
    table->byteCount = byteCount;
    table->capacity = capacity;
    table->rows = (wkObjectRow*)take(&cursor, n * sizeof *table->rows);
    table->bodies = (wkObjectBody*)take(&cursor, n * sizeof *table->bodies);
    table->shapes = (wkShape*)take(&cursor, n * sizeof *table->shapes);
    table->slots = (wkObjectSlot*)take(&cursor, n * sizeof *table->slots);
    table->fat = (wkFloatBox*)take(&cursor, n * sizeof *table->fat);
    table->waiting = (int32_t*)take(&cursor, n * sizeof *table->waiting);
    table->items = (wkDynLeaf*)take(&cursor, n * sizeof *table->items);
    table->extents = (wkExtent*)take(&cursor, n * sizeof *table->extents);
    table->marks = (wkSceneMark*)take(&cursor, n * sizeof *table->marks);
    return wk_ok;
}

void wkObjectTable_Destroy(wkObjectTable* table)
{
    wkFree(table->memory, table->byteCount);
}

void wkObjectTable_Copy(const wkObjectTable* from, int32_t slotCount, int32_t markCount,
                        wkObjectTable* into)
{
    size_t n = (size_t)slotCount;
    if (n == 0) {
        return;
    }
    memcpy(into->rows, from->rows, n * sizeof *from->rows);
    memcpy(into->bodies, from->bodies, n * sizeof *from->bodies);
    memcpy(into->shapes, from->shapes, n * sizeof *from->shapes);
    memcpy(into->extents, from->extents, n * sizeof *from->extents);
    memcpy(into->slots, from->slots, n * sizeof *from->slots);
    memcpy(into->fat, from->fat, n * sizeof *from->fat);
    memcpy(into->waiting, from->waiting, n * sizeof *from->waiting);
    memcpy(into->marks, from->marks, (size_t)markCount * sizeof *from->marks);
}

wkResult wkScene_Reserve(wkScene* scene, int32_t capacity)
{
    int32_t old = scene->table.capacity;
    if (capacity <= old) {
        return wk_ok;
    }
    int32_t doubled = old <= INT32_MAX / 2 ? 2 * old : INT32_MAX;
    int32_t least = doubled > LEAST_CAPACITY ? doubled : LEAST_CAPACITY;
    capacity = capacity > least ? capacity : least;
    wkObjectTable table;
    wkResult result = wkObjectTable_Create(capacity, &table);
    result = result == wk_ok ? scene->row->reserve(scene->broad, capacity) : result;
    if (result != wk_ok) {
        wkObjectTable_Destroy(&table);
        return result;
    }
    wkObjectTable_Copy(&scene->table, scene->slotCount, scene->markCount, &table);
    wkObjectTable_Destroy(&scene->table);
    scene->table = table;
    return wk_ok;
}

// Creates a scene from validated parameters.
static wkResult createScene(const wkSceneDef* def, wkScene** result)
{
    wkScene* scene = (wkScene*)wkAlloc(sizeof *scene);
    if (scene == NULL) {
        return wkFail(wk_errorMemory, "scene: no memory");
    }
    memset(scene, 0, sizeof *scene);
    wkSnapshots_Init(&scene->snapshots);
    scene->def = *def;
    scene->row = wkBroadTable[def->broadPhase];
    scene->freeSlot = -1;
    scene->lastFreeSlot = -1;
    wkResult error = scene->row->create(&scene->broad);
    error = error == wk_ok ? wkScene_Reserve(scene, def->capacity) : error;
    if (error != wk_ok) {
        wkScene_Destroy(scene);
        return error;
    }
    *result = scene;
    return wk_ok;
}

wkResult wkScene_Create(const wkSceneDef* def, wkScene** scene)
{
    if (scene == NULL) {
        return wkFail(wk_errorArgument, "scene: scene is NULL");
    }
    *scene = NULL;
    wkSceneDef defaultDef = wkDefaultSceneDef();
    def = def != NULL ? def : &defaultDef;
    wkResult result = checkDef(def);
    return result == wk_ok ? createScene(def, scene) : result;
}

void wkScene_Destroy(wkScene* scene)
{
    if (scene == NULL) {
        return;
    }
    wkScene_DestroySnapshots(scene);
    scene->row->destroy(scene->broad);
    wkObjectTable_Destroy(&scene->table);
    wkFree(scene, sizeof *scene);
}

wkResult wkScene_CreateLike(const wkScene* scene, wkScene** copy)
{
    wkSceneDef def = scene->def;
    def.capacity = 0;
    return createScene(&def, copy);
}

wkResult wkScene_CopyInto(const wkScene* scene, wkScene* into)
{
    // the same capacity, so that copies of a growing scene do not grow each time
    wkResult result = wkScene_Reserve(into, scene->table.capacity);
    result = result == wk_ok ? scene->row->copy(scene->broad, into->broad) : result;
    if (result != wk_ok) {
        return result;
    }
    wkObjectTable_Copy(&scene->table, scene->slotCount, scene->markCount, &into->table);
    into->slotCount = scene->slotCount;
    into->objectCount = scene->objectCount;
    into->waitingCount = scene->waitingCount;
    into->markCount = scene->markCount;
    into->stampCount = scene->stampCount;
    into->freeSlot = scene->freeSlot;
    into->lastFreeSlot = scene->lastFreeSlot;
    return wk_ok;
}

wkSceneInfo wkScene_Info(const wkScene* scene)
{
    wkSceneInfo stats = {scene->objectCount, scene->waitingCount,
                         sizeof *scene + scene->table.byteCount +
                             scene->row->byteCount(scene->broad)};
    return stats;
}
