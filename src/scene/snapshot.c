// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// One writer, many readers, nobody waits. A snapshot is a copy of the scene with a count of its
// readers. Places for snapshots are made by the writer and stay until the scene is destroyed, so a
// reader may touch the count of any of them at any time. The writer fills one that is not published
// and has no readers, then publishes it.
//
// A reader announces itself first and then looks whether the snapshot is still the published one. If
// so, the writer will see the announcement before it takes the place again; if not, the reader has
// looked at nothing but the count, and goes on to the newer one.

#include "base/assert.h"
#include "base/error.h"
#include "base/memory.h"
#include "scene/scene.h"

#include <string.h>

// Places beyond these give their memory back while nobody reads them.
#define KEPT_COUNT 3

static wkSnapshot* findIdle(wkScene* scene)
{
    const wkSnapshot* published = atomic_load(&scene->published);
    wkSnapshot* idle = NULL;
    for (wkSnapshot* s = scene->snapshots; s != NULL; s = s->next) {
        bool isIdle = s != published && atomic_load(&s->readerCount) == 0;
        // one that has its memory already
        bool isBetter = idle == NULL || (idle->scene == NULL && s->scene != NULL);
        idle = isIdle && isBetter ? s : idle;
    }
    return idle;
}

static wkSnapshot* addPlace(wkScene* scene)
{
    wkSnapshot* place = (wkSnapshot*)wkAlloc(sizeof *place);
    if (place != NULL) {
        atomic_init(&place->readerCount, 0);
        place->scene = NULL;
        place->next = scene->snapshots;
        scene->snapshots = place;
    }
    return place;
}

// Gives back what a rush of readers has left behind.
static void releaseSurplus(wkScene* scene)
{
    const wkSnapshot* published = atomic_load(&scene->published);
    int filledCount = 0;
    for (wkSnapshot* s = scene->snapshots; s != NULL; s = s->next) {
        filledCount += s->scene != NULL ? 1 : 0;
        bool isIdle = s != published && atomic_load(&s->readerCount) == 0;
        if (filledCount > KEPT_COUNT && isIdle && s->scene != NULL) {
            wkScene_Destroy(s->scene);
            s->scene = NULL;
            --filledCount;
        }
    }
}

wkResult wkScene_Publish(wkScene* scene)
{
    if (scene == NULL || scene->self != NULL) {
        return wkFail(wk_errorArgument, "wkScene_Publish: scene is NULL or a snapshot");
    }
    wkScene_Update(scene);
    wkSnapshot* place = findIdle(scene);
    place = place != NULL ? place : addPlace(scene);
    if (place == NULL) {
        return wkFail(wk_errorMemory, "wkScene_Publish: no memory");
    }
    wkResult result = wk_ok;
    if (place->scene == NULL) {
        result = wkScene_CreateLike(scene, &place->scene);
    }
    result = result == wk_ok ? wkScene_CopyInto(scene, place->scene) : result;
    if (result != wk_ok) {
        return result;
    }
    place->scene->self = place;
    atomic_store(&scene->published, place);
    releaseSurplus(scene);
    return wk_ok;
}

// One reader less. The count stays at zero when there was none: below it, a later reader would go
// unnoticed. @return false then
static bool leave(wkSnapshot* place)
{
    int count = atomic_load(&place->readerCount);
    while (count > 0 && !atomic_compare_exchange_weak(&place->readerCount, &count, count - 1)) {
    }
    return count > 0;
}

const wkScene* wkScene_Acquire(const wkScene* scene)
{
    // the count is no part of what the caller sees of the scene
    wkScene* source = (wkScene*)scene;
    for (;;) {
        wkSnapshot* place = atomic_load(&source->published);
        if (place == NULL) {
            return NULL;
        }
        atomic_fetch_add(&place->readerCount, 1);
        if (atomic_load(&source->published) == place) {
            return place->scene;
        }
        leave(place);
    }
}

void wkScene_Release(const wkScene* snapshot)
{
    if (snapshot != NULL && snapshot->self != NULL) {
        bool isLeft = leave(snapshot->self);
        WK_ASSERT(isLeft);
    }
}

void wkScene_DestroySnapshots(wkScene* scene)
{
    while (scene->snapshots != NULL) {
        wkSnapshot* place = scene->snapshots;
        scene->snapshots = place->next;
        wkScene_Destroy(place->scene);
        wkFree(place, sizeof *place);
    }
}
