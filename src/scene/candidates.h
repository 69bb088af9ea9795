// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What other layers use of a scene's internals: boxes in, candidate objects out. Objects that wait for the
// next update of the broad phase are candidates like all others. An object is named by its slot index, which
// it keeps until it is removed.

#include "bv/float_box.h"
#include "query/pair/content_mark.h"
#include "query/pair/shape_extent.h"
#include "whisker/detail/counts.h"
#include "whisker/scene.h"

// An object that a search found.
typedef struct wkCandidate {
    int32_t slotIndex;
    wkFloatBox box; // its bounds, relative to the origin of the scene
} wkCandidate;

// @return false to stop the search
typedef bool wkCandidateVisitFcn(const wkCandidate* candidate, void* context);

// Finds the objects whose bounds meet a box relative to the origin of the scene, each once, and possibly some
// others.
// @return false when the search was stopped
bool wkScene_VisitCandidates(const wkScene* scene, const wkFloatBox* box, wkCandidateVisitFcn* fcn,
                             void* context);

// Whether bounds limit the penetration depth of a shape; depths of other shapes are local.
WK_FN bool wkIsConvex(const wkShape* shape)
{
    return (unsigned)shape->type < WK_CONVEX_TYPE_COUNT;
}

// A search for the nearest objects, whose limits the visitor may lower.
typedef struct wkNearSearch {
    // Objects whose bounds are further from the box are culled.
    double limit;
    // The signed distance of interest: below zero, convex objects whose bounds overlap the box by less are
    // culled as well, if the source is convex.
    double depthLimit;
    bool isConvex; // the source
    wkCandidateVisitFcn* fcn;
    void* context;
} wkNearSearch;

// Culls objects further away than a signed distance from now on.
WK_FN void wkLimitNearSearch(wkNearSearch* search, double distance)
{
    search->limit = wkMaxD(distance, 0.0);
    search->depthLimit = distance;
}

// Finds the objects near a box of the world, nearest first where the broad phase can order them; some broad
// phases report an object more than once.
// @return false when the search was stopped
bool wkScene_VisitNear(const wkScene* scene, const wkAabb* box, wkNearSearch* search);

// An object, by its slot index. The pointers are valid until the scene is changed.
typedef struct wkSceneObject {
    const wkShape* shape;   // NULL: there is no object in the slot
    const wkPose* pose;     // in the world
    const wkExtent* extent; // of the shape
    const wkAabb* around;   // bounds at its rotation, relative to its position
    bool isEmpty;           // an empty mesh or map
} wkSceneObject;

// Returns the slot index of an object that is in its scene.
WK_FN int32_t wkSlotInId(wkObjectId id)
{
    return (int32_t)(uint32_t)id.bits;
}

wkSceneObject wkScene_ObjectAt(const wkScene* scene, int32_t slotIndex);

// Returns the bounds of an object, relative to the origin of the scene.
wkFloatBox wkScene_BoxAt(const wkScene* scene, int32_t slotIndex);

// Returns the same bounds in the world.
wkAabb wkScene_WorldBoxAt(const wkScene* scene, int32_t slotIndex);

// Returns a number that changes with the shape of an object, and that no other shape of the scene ever has.
uint64_t wkScene_StampAt(const wkScene* scene, int32_t slotIndex);

// Slot indices are below this count.
int32_t wkScene_SlotCount(const wkScene* scene);
bool wkScene_HasObjects(const wkScene* scene);
wkVec3d wkScene_Origin(const wkScene* scene);

// Returns the slot index of an object whose geometry has changed since its bounds were computed; -1: none.
int32_t wkScene_FindStale(const wkScene* scene);

// Returns whether an object has the mark of geometry that is out of date.
bool wkScene_IsOutOfDate(const wkScene* scene, int32_t slotIndex);

// For scenes inside other objects.

// Creates a scene with the same parameters; copies the content of a scene into it.
wkResult wkScene_CreateLike(const wkScene* scene, wkScene** copy);
wkResult wkScene_CopyInto(const wkScene* scene, wkScene* into);

// Ensures capacity for that many objects more.
wkResult wkScene_ReserveMore(wkScene* scene, int32_t count);

// Slot indices are below this capacity until the next reservation.
int32_t wkScene_SlotCapacity(const wkScene* scene);

// Marks the geometry of an object with an earlier mark, when other data computed at that time is in use.
void wkScene_MarkAs(wkScene* scene, int32_t slotIndex, wkContentMark mark);

void wkScene_SetUserAt(wkScene* scene, int32_t slotIndex, void* user);
