// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Memory of the objects of a robot scene: the table of all objects, and the block of each.

#include "robot/robot_scene_impl.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

#define LEAST_CAPACITY 16

static size_t rounded(size_t byteCount)
{
    return (byteCount + 63) / 64 * 64;
}

// Hands out a part of a block.
static void* take(char** cursor, size_t byteCount)
{
    void* part = *cursor;
    *cursor += rounded(byteCount);
    return part;
}

wkResult wkRobotObjectTable_Create(int32_t capacity, int32_t ruleWordCount,
                                   wkRobotObjectTable* table)
{
    size_t n = (size_t)capacity;
    size_t objectBytes = n * sizeof *table->objects;
    size_t slotBytes = wkNameSlotCount(capacity) * sizeof *table->slots;
    size_t ruleBytes = n * 2 * (size_t)ruleWordCount * sizeof *table->rules;
    memset(table, 0, sizeof *table);
    size_t byteCount = rounded(objectBytes) + rounded(slotBytes) + rounded(ruleBytes);
    char* cursor = (char*)wkAlloc(byteCount);
    if (cursor == NULL) {
        return wkFail(wk_errorMemory, "robot scene: no memory for %d objects", (int)capacity);
    }
    memset(cursor, 0, byteCount);
    table->memory = cursor;
    table->byteCount = byteCount;
    table->capacity = capacity;
    table->objects = (wkRobotObject*)take(&cursor, objectBytes);
    table->slots = (int32_t*)take(&cursor, slotBytes);
    table->rules = (uint64_t*)take(&cursor, ruleBytes);
    return wk_ok;
}

void wkRobotObjectTable_Free(wkRobotObjectTable* table)
{
    wkFree(table->memory, table->byteCount);
}

void wkIndexNames(wkRobotScene* scene)
{
    wkRobotObjectTable* table = &scene->table;
    wkNames_Begin(&scene->names, table->objects, sizeof *table->objects, table->capacity,
                  table->slots);
    for (int32_t i = 0; i < scene->objectCount; ++i) {
        (void)wkNames_Add(&scene->names, i);
    }
}

static wkResult reserveObjects(wkRobotScene* scene, int32_t count)
{
    wkRobotObjectTable* old = &scene->table;
    if (count <= old->capacity && old->capacity > 0) {
        return wk_ok;
    }
    int32_t doubled = old->capacity <= INT32_MAX / 4 ? 2 * old->capacity : INT32_MAX / 2;
    int32_t least = doubled > LEAST_CAPACITY ? doubled : LEAST_CAPACITY;
    wkRobotObjectTable table;
    wkResult result =
        wkRobotObjectTable_Create(count > least ? count : least, scene->ruleWordCount, &table);
    if (result != wk_ok) {
        return result;
    }
    size_t n = (size_t)scene->objectCount;
    if (n > 0) {
        memcpy(table.objects, old->objects, n * sizeof *table.objects);
        memcpy(table.rules, old->rules, n * 2 * (size_t)scene->ruleWordCount * sizeof *table.rules);
    }
    wkRobotObjectTable_Free(old);
    scene->table = table;
    wkIndexNames(scene);
    return wk_ok;
}

static wkResult reserveSlots(wkRobotScene* scene)
{
    int32_t capacity = wkScene_SlotCapacity(scene->world);
    if (capacity <= scene->slotCapacity) {
        return wk_ok;
    }
    wkRobotSlot* slots = (wkRobotSlot*)wkAlloc((size_t)capacity * sizeof *slots);
    if (slots == NULL) {
        return wkFail(wk_errorMemory, "robot scene: no memory for %d shapes", (int)capacity);
    }
    if (scene->slotCapacity > 0) {
        memcpy(slots, scene->slots, (size_t)scene->slotCapacity * sizeof *slots);
    }
    wkFree(scene->slots, (size_t)scene->slotCapacity * sizeof *slots);
    scene->slots = slots;
    scene->slotCapacity = capacity;
    return wk_ok;
}

wkResult wkRobotScene_Reserve(wkRobotScene* scene, int32_t objectCount, int32_t shapeCount)
{
    wkResult result = reserveObjects(scene, objectCount);
    result = result == wk_ok ? wkScene_ReserveMore(scene->world, shapeCount) : result;
    return result == wk_ok ? reserveSlots(scene) : result;
}

void wkRobotThing_Drop(wkRobotThing* thing)
{
    if (thing == NULL || --thing->holderCount > 0) {
        return;
    }
    if (thing->release != NULL) {
        thing->release(thing->releaseContext);
    }
    wkFree(thing, thing->byteCount);
}

static const char* copyText(char** cursor, const char* text)
{
    char* copy = (char*)take(cursor, strlen(text) + 1);
    memcpy(copy, text, strlen(text) + 1);
    return copy;
}

wkResult wkRobotThing_Create(const wkRobotObjectDef* def, wkRobotThing** out)
{
    size_t n = (size_t)def->shapeCount;
    size_t byteCount = rounded(sizeof(wkRobotThing)) + rounded(strlen(def->name) + 1) +
                       rounded(strlen(def->category) + 1) + rounded(n * sizeof(wkShape)) +
                       rounded(n * sizeof(wkPose)) + rounded(n * sizeof(wkObjectId)) +
                       rounded(n * sizeof(wkContentMark));
    char* cursor = (char*)wkAlloc(byteCount);
    if (cursor == NULL) {
        return wkFail(wk_errorMemory, "robot scene: no memory for object %s", def->name);
    }
    memset(cursor, 0, byteCount);
    wkRobotThing* thing = (wkRobotThing*)take(&cursor, sizeof *thing);
    thing->holderCount = 1;
    thing->byteCount = byteCount;
    thing->name = copyText(&cursor, def->name);
    thing->category = copyText(&cursor, def->category);
    thing->shapes = (wkShape*)take(&cursor, n * sizeof(wkShape));
    thing->poses = (wkPose*)take(&cursor, n * sizeof(wkPose));
    thing->ids = (wkObjectId*)take(&cursor, n * sizeof(wkObjectId));
    thing->marks = (wkContentMark*)take(&cursor, n * sizeof(wkContentMark));
    thing->shapeCount = def->shapeCount;
    thing->user = def->user;
    thing->release = def->release;
    thing->releaseContext = def->releaseContext;
    for (int32_t i = 0; i < def->shapeCount; ++i) {
        thing->shapes[i] = def->shapes[i];
        thing->poses[i] = def->poses != NULL ? def->poses[i] : wkIdentityPose();
    }
    *out = thing;
    return wk_ok;
}
