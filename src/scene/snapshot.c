// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Snapshots of scenes: copies that other threads read; see base/snapshots.h.

#include "base/assert.h"
#include "base/error.h"
#include "scene/scene_impl.h"

static void destroyCopy(void* content)
{
    wkScene_Destroy((wkScene*)content);
}

wkResult wkScene_Publish(wkScene* scene)
{
    if (scene == NULL || scene->self != NULL) {
        return wkFail(wk_errorArgument, "wkScene_Publish: scene is NULL or a snapshot");
    }
    wkScene_Update(scene);
    wkSnapshot* slotIndex = wkSnapshots_Take(&scene->snapshots);
    if (slotIndex == NULL) {
        return wkFail(wk_errorMemory, "wkScene_Publish: no memory");
    }
    wkScene* copy = (wkScene*)slotIndex->content;
    wkResult result = copy == NULL ? wkScene_CreateLike(scene, &copy) : wk_ok;
    slotIndex->content = copy;
    result = result == wk_ok ? wkScene_CopyInto(scene, copy) : result;
    if (result != wk_ok) {
        return result;
    }
    copy->self = slotIndex;
    wkSnapshots_Publish(&scene->snapshots, slotIndex, destroyCopy);
    return wk_ok;
}

const wkScene* wkScene_Acquire(const wkScene* scene)
{
    return (const wkScene*)wkSnapshots_Acquire(&scene->snapshots);
}

void wkScene_Release(const wkScene* snapshot)
{
    if (snapshot != NULL && snapshot->self != NULL) {
        bool isLeft = wkSnapshot_Leave(snapshot->self);
        WK_ASSERT(isLeft);
    }
}

void wkScene_DestroySnapshots(wkScene* scene)
{
    wkSnapshots_Free(&scene->snapshots, destroyCopy);
}
