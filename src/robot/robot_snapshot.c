// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Snapshots of robot scenes; see base/snapshots.h. Objects, rules and body sets are shared with the scene;
// readers never access their reference counts.

#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "robot/robot_scene_impl.h"

#include <string.h>

// Releases the data that a snapshot shares with the scene.
static void dropShared(wkRobotScene* snapshot)
{
    for (int32_t i = 0; i < snapshot->objectCount; ++i) {
        wkRobotThing_Drop(snapshot->table.objects[i].thing);
        wkObjectHulls_Drop(snapshot->table.objects[i].hulls);
    }
    snapshot->objectCount = 0;
    snapshot->holdCount = 0;
    wkSharedRules_Drop(snapshot->rules);
    snapshot->rules = NULL;
    wkSharedBodySet_Drop(snapshot->bodySet);
    snapshot->bodySet = NULL;
}

static wkResult createLike(const wkRobotScene* scene, wkRobotScene** out)
{
    wkRobotScene* copy = (wkRobotScene*)wkAlloc(sizeof *copy);
    if (copy == NULL) {
        return wkFail(wk_errorMemory, "wkRobotScene_Publish: no memory");
    }
    memset(copy, 0, sizeof *copy);
    wkSnapshots_Init(&copy->snapshots);
    copy->robot = scene->robot;
    copy->ruleWordCount = scene->ruleWordCount;
    wkResult result = wkScene_CreateLike(scene->world, &copy->world);
    if (result != wk_ok) {
        wkFree(copy, sizeof *copy);
        return result;
    }
    *out = copy;
    return wk_ok;
}

static void shareWith(const wkRobotScene* scene, wkRobotScene* copy)
{
    int32_t count = scene->objectCount;
    size_t ruleBytes = (size_t)count * 2 * (size_t)scene->ruleWordCount * sizeof(uint64_t);
    if (count > 0) {
        memcpy(copy->table.objects, scene->table.objects, (size_t)count * sizeof(wkRobotObject));
        memcpy(copy->table.rules, scene->table.rules, ruleBytes);
    }
    if (scene->slotCapacity > 0) {
        size_t slotCount = (size_t)wkScene_SlotCount(scene->world);
        memcpy(copy->slots, scene->slots, slotCount * sizeof *scene->slots);
    }
    for (int32_t i = 0; i < count; ++i) {
        const wkRobotObject* object = &scene->table.objects[i];
        ++object->thing->holderCount;
        if (object->hulls != NULL) {
            ++object->hulls->holderCount;
        }
    }
    for (int32_t i = 0; i < scene->holdCount; ++i) {
        copy->holds[i] = scene->holds[i];
        copy->holds[i].touchLinks = NULL;
        copy->holds[i].touchLinkCount = 0;
    }
    copy->objectCount = count;
    copy->holdCount = scene->holdCount;
    copy->version = scene->version;
    copy->largestSafetyDistance = scene->largestSafetyDistance;
    copy->rules = scene->rules;
    ++copy->rules->holderCount;
    copy->bodySet = scene->bodySet;
    ++copy->bodySet->holderCount;
    wkIndexNames(copy);
}

static wkResult copyInto(const wkRobotScene* scene, wkRobotScene* copy)
{
    dropShared(copy);
    wkResult result = wkScene_CopyInto(scene->world, copy->world);
    result = result == wk_ok ? wkRobotScene_Reserve(copy, scene->table.capacity, 0) : result;
    if (result == wk_ok) {
        shareWith(scene, copy);
    }
    return result;
}

static void dropIdle(void* content)
{
    dropShared((wkRobotScene*)content);
}

static void destroyCopy(void* content)
{
    wkRobotScene_Destroy((wkRobotScene*)content);
}

wkResult wkRobotScene_Publish(wkRobotScene* scene)
{
    wkResult result = wkCheckWriter(scene, "wkRobotScene_Publish");
    if (result != wk_ok) {
        return result;
    }
    wkScene_Update(scene->world);
    wkSnapshot* slotIndex = wkSnapshots_Take(&scene->snapshots);
    if (slotIndex == NULL) {
        return wkFail(wk_errorMemory, "wkRobotScene_Publish: no memory");
    }
    wkRobotScene* copy = (wkRobotScene*)slotIndex->content;
    result = copy == NULL ? createLike(scene, &copy) : wk_ok;
    slotIndex->content = copy;
    result = result == wk_ok ? copyInto(scene, copy) : result;
    if (result != wk_ok) {
        return result;
    }
    copy->self = slotIndex;
    wkSnapshots_Publish(&scene->snapshots, slotIndex, destroyCopy);
    // shapes that only released snapshots had are not in use any more: see `release` of objects
    wkSnapshots_VisitIdle(&scene->snapshots, dropIdle);
    return wk_ok;
}

const wkRobotScene* wkRobotScene_Acquire(const wkRobotScene* scene)
{
    return scene == NULL ? NULL : (const wkRobotScene*)wkSnapshots_Acquire(&scene->snapshots);
}

void wkRobotScene_Release(const wkRobotScene* snapshot)
{
    if (snapshot != NULL && snapshot->self != NULL) {
        bool isLeft = wkSnapshot_Leave(snapshot->self);
        WK_ASSERT(isLeft);
    }
}

void wkRobotScene_DestroySnapshots(wkRobotScene* scene)
{
    wkSnapshots_Free(&scene->snapshots, destroyCopy);
}
