// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Internals of a scene. Objects occupy slots of parallel arrays; an id is a slot index and its generation.
// An object whose box leaves the one stored in the broad phase goes on the waiting list; queries
// test the objects of that list one by one until the next update.

#include "base/snapshots.h"
#include "scene/broad.h"
#include "scene/candidates.h"

// Box and filter of an object, which candidates are tested by, in half a cache line. An empty mesh or map
// has no filter bits here, because its box would still overlap an unbounded one.
typedef struct wkObjectRow {
    float lower[3];
    uint32_t category;
    float upper[3];
    uint32_t mask;
} wkObjectRow;

// Pose and bounds of an object; two cache lines.
typedef struct wkObjectBody {
    wkPose pose;
    wkAabb around; // bounds at that rotation, relative to the position
    void* user;
    uint32_t category; // as the caller gave them
    uint32_t mask;
    void* unused;
} wkObjectBody;

_Static_assert(sizeof(wkObjectBody) == 128 || sizeof(void*) != 8, "bodies share no cache line");

typedef struct wkObjectSlot {
    uint64_t stamp;      // of the last change of its shape; no other shape of the scene has it
    uint32_t generation; // of the object in the slot, or of the next one
    int32_t waiting;     // index in the waiting list; -1: not in it
    int32_t next;  // of a free slot: the next free one, -1 after the last; else WK_SLOT_IN_USE
    int32_t mark;  // its index among the marks; -1: its geometry never changes
    bool isPlaced; // the broad phase has a box of it
    bool isEmpty;  // an empty mesh or map
} wkObjectSlot;

#define WK_SLOT_IN_USE (-2)

// An object whose geometry can change, and the version of it that its bounds were computed from.
typedef struct wkSceneMark {
    wkContentMark content;
    int32_t slotIndex;
} wkSceneMark;

// All arrays by slot, in one allocation of `byteCount`.
typedef struct wkObjectTable {
    void* memory;
    size_t byteCount;
    int32_t capacity;
    wkObjectRow* rows;
    wkObjectBody* bodies;
    wkShape* shapes;
    wkExtent* extents; // of the shapes
    wkObjectSlot* slots;
    wkFloatBox* fat;    // boxes stored in the broad phase, where `isPlaced`
    int32_t* waiting;   // slots of waiting objects
    wkDynLeaf* items;   // scratch for an update
    wkSceneMark* marks; // not by slot: `markCount` of them side by side
} wkObjectTable;

struct wkScene {
    wkSceneDef def;
    const wkBroadRow* row;
    void* broad;
    wkObjectTable table;
    int32_t slotCount; // slots ever used
    int32_t objectCount;
    int32_t waitingCount;
    int32_t markCount;
    int64_t changeCount;  // since the last update
    uint64_t stampCount;  // stamps given to shapes so far
    int32_t freeSlot;     // first free slot, -1: none
    int32_t lastFreeSlot; // slots are reused as late as possible
    wkSnapshots snapshots;
    wkSnapshot* self; // of a snapshot: its own entry
};

// Creates, destroys and copies tables.
wkResult wkObjectTable_Create(int32_t capacity, wkObjectTable* table);
void wkObjectTable_Destroy(wkObjectTable* table);
void wkObjectTable_Copy(const wkObjectTable* from, int32_t slotCount, int32_t markCount,
                        wkObjectTable* into);

// Validates the definition of an object; the error message names what is not valid.
wkResult wkCheckObject(const wkObjectDef* def);

// Ensures capacity for that many objects.
wkResult wkScene_Reserve(wkScene* scene, int32_t capacity);

// Puts an object on the waiting list, if it is not on it already.
void wkScene_Enlist(wkScene* scene, int32_t slotIndex);

// The same if its box has left the one stored in the broad phase; then updates when the list is long.
void wkScene_Watch(wkScene* scene, int32_t slotIndex);
void wkScene_UpdateWhenLong(wkScene* scene, bool isNew);

// Removes an object from the waiting list and from the broad phase.
void wkScene_Forget(wkScene* scene, int32_t slotIndex);

// Marks the current geometry of an object, whose shape is set; or removes its mark.
void wkScene_Mark(wkScene* scene, int32_t slotIndex);
void wkScene_Unmark(wkScene* scene, int32_t slotIndex);

// Writes the message about a stale mark.
// @return false
bool wkReportStale(const wkScene* scene, const wkSceneMark* mark, const char* caller);

// Whether the bounds of all objects match their current geometry: one comparison for each object whose
// geometry can change. Otherwise writes a message, and queries return `invalid`.
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
    wkObjectId id = {(uint64_t)scene->table.slots[slotIndex].generation << 32 |
                     (uint32_t)slotIndex};
    return id;
}

// The box of an object in world coordinates.
WK_FN wkAabb wkBoxInWorld(const wkScene* scene, int32_t slotIndex)
{
    const wkObjectRow* row = &scene->table.rows[slotIndex];
    wkVec3d origin = scene->def.origin;
    wkAabb box = {
        wkAdd(origin, wkVec((double)row->lower[0], (double)row->lower[1], (double)row->lower[2])),
        wkAdd(origin, wkVec((double)row->upper[0], (double)row->upper[1], (double)row->upper[2]))};
    return box;
}

// Slot of an object; -1: no such object.
WK_FN int32_t wkSlotOfId(const wkScene* scene, wkObjectId id)
{
    uint32_t slotIndex = (uint32_t)id.bits;
    if (slotIndex >= (uint32_t)scene->slotCount) {
        return -1;
    }
    const wkObjectSlot* slot = &scene->table.slots[slotIndex];
    bool isHere = slot->next == WK_SLOT_IN_USE && slot->generation == (uint32_t)(id.bits >> 32);
    return isHere ? (int32_t)slotIndex : -1;
}

// Slot of an object; -1 with an error message that states why there is none.
int32_t wkFindSlot(const wkScene* scene, wkObjectId id, const char* caller);

WK_FN wkFloatBox wkBoxOfRow(const wkObjectRow* row)
{
    wkFloatBox box = {{row->lower[0], row->lower[1], row->lower[2]},
                      {row->upper[0], row->upper[1], row->upper[2]}};
    return box;
}
