// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Snapshots of robot scenes: one writer, many readers, nobody waits, as in scene/snapshot.c. Things,
// rules and crews are shared with the scene; readers never look at their counts.

#include "base/error.h"
#include "base/memory.h"
#include "robot/robot_scene.h"

#include <string.h>

// Places beyond these give their memory back while nobody reads them.
#define KEPT_COUNT 3

static bool isIdle(const wkRobotScene* scene, wkRobotSnapshot* place)
{
    return place != atomic_load(&scene->published) && atomic_load(&place->readerCount) == 0;
}

static wkRobotSnapshot* findIdle(const wkRobotScene* scene)
{
    wkRobotSnapshot* idle = NULL;
    for (wkRobotSnapshot* s = scene->snapshots; s != NULL; s = s->next) {
        // one that has its memory already
        bool isBetter = idle == NULL || (idle->scene == NULL && s->scene != NULL);
        idle = isBetter && isIdle(scene, s) ? s : idle;
    }
    return idle;
}

static wkRobotSnapshot* addPlace(wkRobotScene* scene)
{
    wkRobotSnapshot* place = (wkRobotSnapshot*)wkAlloc(sizeof *place);
    if (place != NULL) {
        atomic_init(&place->readerCount, 0);
        place->scene = NULL;
        place->next = scene->snapshots;
        scene->snapshots = place;
    }
    return place;
}

// Gives up what a snapshot shares with the scene.
static void dropShared(wkRobotScene* snapshot)
{
    for (int32_t i = 0; i < snapshot->objectCount; ++i) {
        wkRobotThing_Drop(snapshot->table.objects[i].thing);
    }
    snapshot->objectCount = 0;
    snapshot->holdCount = 0;
    wkSharedRules_Drop(snapshot->rules);
    snapshot->rules = NULL;
    wkSharedCrew_Drop(snapshot->crew);
    snapshot->crew = NULL;
}

// Gives back what a rush of readers has left behind.
static void releaseSurplus(wkRobotScene* scene)
{
    int filledCount = 0;
    for (wkRobotSnapshot* s = scene->snapshots; s != NULL; s = s->next) {
        filledCount += s->scene != NULL ? 1 : 0;
        if (filledCount > KEPT_COUNT && s->scene != NULL && isIdle(scene, s)) {
            wkRobotScene_Destroy(s->scene);
            s->scene = NULL;
            --filledCount;
        }
    }
}

static wkResult createLike(const wkRobotScene* scene, wkRobotScene** out)
{
    wkRobotScene* copy = (wkRobotScene*)wkAlloc(sizeof *copy);
    if (copy == NULL) {
        return wkFail(wk_errorMemory, "wkRobotScene_Publish: no memory");
    }
    memset(copy, 0, sizeof *copy);
    atomic_init(&copy->published, NULL);
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
    if (scene->placeCapacity > 0) {
        memcpy(copy->places, scene->places,
               (size_t)scene->world->placeCount * sizeof *scene->places);
    }
    for (int32_t i = 0; i < count; ++i) {
        ++scene->table.objects[i].thing->holderCount;
    }
    for (int32_t i = 0; i < scene->holdCount; ++i) {
        copy->holds[i] = scene->holds[i];
        copy->holds[i].touchLinks = NULL;
        copy->holds[i].touchLinkCount = 0;
    }
    copy->objectCount = count;
    copy->holdCount = scene->holdCount;
    copy->rules = scene->rules;
    ++copy->rules->holderCount;
    copy->crew = scene->crew;
    ++copy->crew->holderCount;
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

wkResult wkRobotScene_Publish(wkRobotScene* scene)
{
    wkResult result = wkCheckWriter(scene, "wkRobotScene_Publish");
    if (result != wk_ok) {
        return result;
    }
    wkScene_Update(scene->world);
    wkRobotSnapshot* place = findIdle(scene);
    place = place != NULL ? place : addPlace(scene);
    if (place == NULL) {
        return wkFail(wk_errorMemory, "wkRobotScene_Publish: no memory");
    }
    if (place->scene == NULL) {
        result = createLike(scene, &place->scene);
    }
    result = result == wk_ok ? copyInto(scene, place->scene) : result;
    if (result != wk_ok) {
        return result;
    }
    place->scene->self = place;
    atomic_store(&scene->published, place);
    releaseSurplus(scene);
    return wk_ok;
}

const wkRobotScene* wkRobotScene_Acquire(const wkRobotScene* scene)
{
    // the count is no part of what the caller sees of the scene
    wkRobotScene* source = (wkRobotScene*)scene;
    while (source != NULL) {
        wkRobotSnapshot* place = atomic_load(&source->published);
        if (place == NULL) {
            return NULL;
        }
        atomic_fetch_add(&place->readerCount, 1);
        if (atomic_load(&source->published) == place) {
            return place->scene;
        }
        atomic_fetch_sub(&place->readerCount, 1);
    }
    return NULL;
}

void wkRobotScene_Release(const wkRobotScene* snapshot)
{
    if (snapshot != NULL && snapshot->self != NULL) {
        atomic_fetch_sub(&snapshot->self->readerCount, 1);
    }
}

void wkRobotScene_DestroySnapshots(wkRobotScene* scene)
{
    while (scene->snapshots != NULL) {
        wkRobotSnapshot* place = scene->snapshots;
        scene->snapshots = place->next;
        wkRobotScene_Destroy(place->scene);
        wkFree(place, sizeof *place);
    }
}
