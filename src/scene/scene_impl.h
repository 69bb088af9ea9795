// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A scene in memory. Objects have places in parallel arrays; an id is a place and how many objects
// had it before. An object whose box leaves the one that the broad phase knows goes on a list of
// those waiting, and is looked at one by one until the next update.

#include "base/snapshots.h"
#include "scene/broad.h"
#include "scene/extent.h"
#include "tree/content.h"

// Box and filter together: what a candidate is judged by, in half a cache line. An empty mesh or map
// has no bits in its filter here, as no box would keep it from meeting one without end.
typedef struct wkObjectRow {
    float lower[3];
    uint32_t category;
    float upper[3];
    uint32_t mask;
} wkObjectRow;

// Where the object is; two cache lines.
typedef struct wkObjectBody {
    wkPose pose;
    wkAabb around; // bounds with that rotation, relative to the position
    void* user;
    uint32_t category; // as the caller gave them
    uint32_t mask;
    void* unused;
} wkObjectBody;

_Static_assert(sizeof(wkObjectBody) == 128 || sizeof(void*) != 8, "bodies share no cache line");

typedef struct wkObjectSlot {
    uint32_t generation; // of the object here, or of the next one
    int32_t waiting;     // its place in the list of those waiting; -1: not in it
    int32_t next;        // of a free place: the next free one, -1 after the last; else IN_USE
    int32_t mark;        // its index among the marks; -1: its geometry never changes
    bool isPlaced;       // the broad phase knows a box of it
    bool isEmpty;        // a mesh or map without anything in it
} wkObjectSlot;

#define WK_SLOT_IN_USE (-2)

// An object whose geometry can change, and what it was when its bounds were computed.
typedef struct wkSceneMark {
    wkContentMark content;
    int32_t slotIndex;
} wkSceneMark;

// Everything by place, in one allocation of `byteCount`.
typedef struct wkObjectTable {
    void* memory;
    size_t byteCount;
    int32_t capacity;
    wkObjectRow* rows;
    wkObjectBody* bodies;
    wkShape* shapes;
    wkExtent* extents; // of the shapes
    wkObjectSlot* slots;
    wkFloatBox* fat;    // what the broad phase knows, where it knows one
    int32_t* waiting;   // places of objects that wait
    wkDynLeaf* items;   // spare room for an update
    wkSceneMark* marks; // not by place: `markCount` of them side by side
} wkObjectTable;

struct wkScene {
    wkSceneDef def;
    const wkBroadRow* row;
    void* broad;
    wkObjectTable table;
    int32_t slotCount; // places ever used
    int32_t objectCount;
    int32_t waitingCount;
    int32_t markCount;
    int64_t changeCount;  // since the last update
    int32_t freeSlot;     // first of the free ones, -1: none
    int32_t lastFreeSlot; // places are used again as late as possible
    wkSnapshots snapshots;
    wkSnapshot* self; // of a snapshot: its own place
};

// Tables: arrays with room for more, and back.
wkResult wkObjectTable_Create(int32_t capacity, wkObjectTable* table);
void wkObjectTable_Destroy(wkObjectTable* table);
void wkObjectTable_Copy(const wkObjectTable* from, int32_t slotCount, int32_t markCount,
                        wkObjectTable* into);

// Whether anything about an object is not valid, and what.
wkResult wkCheckObject(const wkObjectDef* def);

// Room for so many objects.
wkResult wkScene_Reserve(wkScene* scene, int32_t capacity);

// A scene with the same parameters, and its content in that.
wkResult wkScene_CreateLike(const wkScene* scene, wkScene** copy);
wkResult wkScene_CopyInto(const wkScene* scene, wkScene* into);

// Puts an object on the list of those waiting, where it may be already.
void wkScene_Enlist(wkScene* scene, int32_t slotIndex);

// The same when its box left the one that the broad phase knows; a list that is long is worked off.
void wkScene_Watch(wkScene* scene, int32_t slotIndex);
void wkScene_UpdateWhenLong(wkScene* scene, bool isNew);

// Takes an object from the list and from the broad phase.
void wkScene_Forget(wkScene* scene, int32_t slotIndex);

// Marks the geometry of an object, whose shape is set, as it is now; or forgets its mark.
void wkScene_Mark(wkScene* scene, int32_t slotIndex);
void wkScene_Unmark(wkScene* scene, int32_t slotIndex);

// The same with a mark that was made earlier: other data computed then is still in use.
void wkScene_MarkAs(wkScene* scene, int32_t slotIndex, wkContentMark mark);

// Writes the message about a mark that is stale.
// @return false
bool wkReportStale(const wkScene* scene, const wkSceneMark* mark, const char* caller);

// Whether the bounds of all objects are those of their geometry as it is now: one comparison for each
// object whose geometry can change. Otherwise writes a message and queries answer `invalid`.
WK_FN bool wkIsFreshScene(const wkScene* scene, const char* caller)
{
    for (int32_t i = 0; i < scene->markCount; ++i) {
        if (WK_UNLIKELY(wkIsMarkStale(&scene->table.marks[i].content))) {
            return wkReportStale(scene, &scene->table.marks[i], caller);
        }
    }
    return true;
}

void wkScene_DestroySnapshots(wkScene* scene);

WK_FN wkObjectId wkIdOfSlot(const wkScene* scene, int32_t slotIndex)
{
    return (uint64_t)scene->table.slots[slotIndex].generation << 32 | (uint32_t)slotIndex;
}

// The box of an object in the world.
WK_FN wkAabb wkBoxInWorld(const wkScene* scene, int32_t slotIndex)
{
    const wkObjectRow* row = &scene->table.rows[slotIndex];
    wkVec3d origin = scene->def.origin;
    wkAabb box = {
        wkAdd(origin, wkVec((double)row->lower[0], (double)row->lower[1], (double)row->lower[2])),
        wkAdd(origin, wkVec((double)row->upper[0], (double)row->upper[1], (double)row->upper[2]))};
    return box;
}

// Place of an object; -1: no such object.
WK_FN int32_t wkSlotOfId(const wkScene* scene, wkObjectId id)
{
    uint32_t slotIndex = (uint32_t)id;
    if (slotIndex >= (uint32_t)scene->slotCount) {
        return -1;
    }
    const wkObjectSlot* slot = &scene->table.slots[slotIndex];
    bool isHere = slot->next == WK_SLOT_IN_USE && slot->generation == (uint32_t)(id >> 32);
    return isHere ? (int32_t)slotIndex : -1;
}

// Place of an object; -1 with words about why there is none.
int32_t wkFindSlot(const wkScene* scene, wkObjectId id, const char* caller);

WK_FN wkFloatBox wkBoxOfRow(const wkObjectRow* row)
{
    wkFloatBox box = {{row->lower[0], row->lower[1], row->lower[2]},
                      {row->upper[0], row->upper[1], row->upper[2]}};
    return box;
}
