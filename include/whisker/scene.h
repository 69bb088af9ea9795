// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file scene.h
/// Many objects at once: which of them touch, which are closest, what is in the way of a ray.
///
/// A scene keeps objects (a shape, a pose, filter bits, a pointer of yours) under ids, and a broad
/// phase that finds the few pairs worth a closer look. It is written by one thread. Queries read
/// only: they allocate nothing, lock nothing, and any number of threads may ask while nobody writes.
/// To ask while somebody writes, see wkScene_Publish.
///
/// Every query is right at once after every change of the scene. `wkScene_Update` after a round of changes
/// makes queries fast again; forgetting it costs time and nothing else.
///
/// A map or a builder's mesh that has changed since its object got it may reach beyond the bounds that the
/// scene knows. Until `wkScene_SetShape` tells the scene, queries answer wk_statusInvalid (touching,
/// distance minus infinity, ray hit), visits return wk_errorState, and wkGetLastError() names the object.
///
/// Bounds are boxes of floats, rounded outward, relative to `wkSceneDef.origin`.

#include "whisker/query.h"

/// A scene.
typedef struct wkScene wkScene;

/// Names an object of a scene; 0: none. Ids of removed objects are not used again.
typedef uint64_t wkObjectId;

/// How pairs are found. Answers do not depend on the choice, times do: see docs/scenes.md.
typedef enum wkBroadPhase {
    wk_broadTree = 0,       ///< a dynamic tree of boxes: the default, good at everything
    wk_broadSweep = 1,      ///< sweep and prune: sorted along one axis
    wk_broadGrid = 2,       ///< a hashed grid with a level for each size of objects
    wk_broadBrute = 3,      ///< every pair: for few objects, and to check the others
    wk_broadPhaseCount = 4, ///< number of values, not a broad phase
} wkBroadPhase;

/// Lower-case name: "tree", "sweep", "grid", "brute".
WK_API const char* wkBroadPhaseName(wkBroadPhase broadPhase);

/// Broad phase with that name; wk_broadPhaseCount when there is none.
WK_API wkBroadPhase wkBroadPhaseFromName(const char* name);

/// How a scene is made. Start from `wkDefaultSceneDef()`.
typedef struct wkSceneDef {
    wkBroadPhase broadPhase; ///< default wk_broadTree
    double slack;     ///< how far an object may move before the broad phase hears of it, as a share
                      ///< of its size, from 0 to 1; default 0.05
    wkVec3d origin;   ///< a point near the objects, for those far from zero; default 0
    int32_t capacity; ///< objects to make room for at once; more may come; default 0
    uint8_t tag;      ///< scenes with different tags do not take each other's ids; default 0
    uint32_t cookie;  ///< set by wkDefaultSceneDef()
} wkSceneDef;

/// The defaults above.
WK_API wkSceneDef wkDefaultSceneDef(void);

/// An empty scene.
/// @param def NULL means `wkDefaultSceneDef()`
/// @param scene set to NULL on failure
/// @return wk_errorRange or wk_errorNotFinite naming the field, wk_errorMemory, wk_errorArgument
WK_API wkResult wkScene_Create(const wkSceneDef* def, wkScene** scene);

/// Releases a scene and its snapshots, none of which may be in use any more; NULL is fine.
WK_API void wkScene_Destroy(wkScene* scene);

/// An object of a scene. Start from `wkDefaultObjectDef()`.
typedef struct wkObjectDef {
    wkShape shape;     ///< a hull, mesh or map that it borrows must live as long as the object
    wkPose pose;       ///< default identity; positions up to 1e60
    uint32_t category; ///< what the object is, as bits of your choice; default 1
    uint32_t mask;     ///< what it meets: pairs count when each one's category has a bit in the
                       ///< other one's mask; default all bits
    void* user;        ///< yours; default NULL
    uint32_t cookie;   ///< set by wkDefaultObjectDef()
} wkObjectDef;

/// The defaults above, without a shape.
WK_API wkObjectDef wkDefaultObjectDef(void);

/// Adds an object.
/// @param id 0 on failure
/// @return wk_errorNotFinite, wk_errorRange or wk_errorArgument naming what is wrong with the
///         shape or pose, wk_errorMemory; the scene is as it was then
WK_API wkResult wkScene_Add(wkScene* scene, const wkObjectDef* def, wkObjectId* id);

/// Adds many objects, all of them or none, and builds the broad phase with care: faster than one by
/// one.
/// @param ids room for `count` of them; NULL: not wanted
WK_API wkResult wkScene_AddMany(wkScene* scene, const wkObjectDef* defs, int32_t count,
                                wkObjectId* ids);

/// Adds the cells of a map as boxes, an object for each, all of them or none: for maps that are asked
/// thousands of times before they change, see docs/strategies.md. Where unknown space is not free,
/// its cells are among them, and six half-spaces for what lies beyond the map; which cells are
/// unknown is not told any more. Nothing is borrowed: the map may change or go afterwards.
/// @param def the map is its shape; everything else holds for each box
/// @param count objects added, in the order of `wkOctree_Cells`; NULL: not wanted
/// @return as wkScene_AddMany; wk_errorArgument also when the shape is no map
WK_API wkResult wkScene_AddCells(wkScene* scene, const wkObjectDef* def, int32_t* count);

/// Removes an object.
/// @return wk_errorArgument when there is no such object (any more), as below
WK_API wkResult wkScene_Remove(wkScene* scene, wkObjectId id);

/// Puts an object elsewhere, near or far.
/// @return wk_errorArgument: no such object; wk_errorNotFinite, wk_errorRange: the pose
WK_API wkResult wkScene_Move(wkScene* scene, wkObjectId id, wkPose pose);

/// Gives an object another shape. Also call it when a map or mesh that the object borrows has
/// changed, for the scene to learn its new bounds: queries are not valid before.
WK_API wkResult wkScene_SetShape(wkScene* scene, wkObjectId id, const wkShape* shape);

/// Gives an object other filter bits.
WK_API wkResult wkScene_SetFilter(wkScene* scene, wkObjectId id, uint32_t category, uint32_t mask);

/// Brings the broad phase up to date with what was added, moved and changed. Happens by itself when
/// much has piled up.
WK_API void wkScene_Update(wkScene* scene);

/// True when the id names an object of the scene.
WK_API bool wkScene_Has(const wkScene* scene, wkObjectId id);

/// What an object is now.
WK_API wkResult wkScene_Get(const wkScene* scene, wkObjectId id, wkObjectDef* def);

/// Number of objects.
WK_API int32_t wkScene_Count(const wkScene* scene);

/// The object after another one, to go over all of them: 0 gives the first, 0 comes after the last.
WK_API wkObjectId wkScene_Next(const wkScene* scene, wkObjectId previous);

/// Figures of a scene.
typedef struct wkSceneStats {
    int32_t objectCount;  ///< all objects
    int32_t waitingCount; ///< those that the next update has to do with
    size_t byteCount;     ///< memory in use, without snapshots
} wkSceneStats;

/// Counts what is there.
WK_API wkSceneStats wkScene_Stats(const wkScene* scene);

/// Receives pairs. `a` belongs to what was asked about first, 0 for a shape or box that is in no
/// scene; of pairs within one scene each comes once.
/// @return false to stop
typedef bool wkPairFcn(wkObjectId a, wkObjectId b, void* context);

/// A pair that touches.
typedef struct wkSceneHit {
    wkObjectId a;      ///< 0 for a shape that is in no scene
    wkObjectId b;      ///< the other one
    wkContact contact; ///< the deepest one; all zero unless contacts were asked for
    wkStatus status;   ///< how far to trust it
} wkSceneHit;

/// What a query should find. Start from `wkDefaultSceneRequest()`.
typedef struct wkSceneRequest {
    double margin;      ///< touching means signed distance <= margin; visits take bounds that are
                        ///< no further apart; default 0
    double cutoff;      ///< distances: what is further away is not looked for; default infinity
    bool isSigned;      ///< distances: default true, the deepest pair when some overlap; false: the
                        ///< first pair that overlaps answers 0, faster
    uint32_t category;  ///< of the shape, box or ray that asks; default all bits
    uint32_t mask;      ///< of the same; default all bits
    wkPairFcn* accepts; ///< asked about pairs whose bounds meet: false leaves one out; default NULL
    void* context;      ///< passed to `accepts`
    wkSceneHit* hits;   ///< room for hitCapacity pairs; default NULL: whether any pair touches
    int32_t hitCapacity; ///< size of `hits`; the search ends when it is full
    bool wantsContacts;  ///< default false: pairs alone, faster
    uint32_t cookie;     ///< set by wkDefaultSceneRequest()
} wkSceneRequest;

/// The defaults above.
WK_API wkSceneRequest wkDefaultSceneRequest(void);

// Candidates: pairs whose bounds meet and whose filters agree. Whether they touch is for the caller
// to ask. A request of NULL means `wkDefaultSceneRequest()` in all that follows.

/// Visits the pairs of objects of a scene whose bounds meet. Empty meshes and maps meet nothing.
/// @return wk_ok, also when the visit was stopped; wk_errorArgument; wk_errorState: a map or mesh has
///         changed without wkScene_SetShape, as for all visits
WK_API wkResult wkScene_VisitPairs(const wkScene* scene, const wkSceneRequest* request,
                                   wkPairFcn* fcn, void* context);

/// Visits the objects whose bounds meet a box, such as the `wkShape_Bounds` of a shape, as pairs of
/// 0 and the object.
WK_API wkResult wkScene_VisitBox(const wkScene* scene, wkAabb box, const wkSceneRequest* request,
                                 wkPairFcn* fcn, void* context);

/// Visits the objects whose bounds meet those of an object, as pairs of that object and another.
WK_API wkResult wkScene_VisitObject(const wkScene* scene, wkObjectId id,
                                    const wkSceneRequest* request, wkPairFcn* fcn, void* context);

/// Visits the pairs of an object of A and one of B. Both stand in the same world; a scene with
/// itself gives its pairs, each once.
WK_API wkResult wkScene_VisitScene(const wkScene* a, const wkScene* b,
                                   const wkSceneRequest* request, wkPairFcn* fcn, void* context);

/// Which pairs touch.
typedef struct wkSceneCollideResult {
    bool isTouching;   ///< a pair touches; true also when the status is wk_statusInvalid
    int32_t hitCount;  ///< pairs in the buffer, in no particular order
    wkObjectId a;      ///< of the first pair found; 0: none, or a shape that is in no scene
    wkObjectId b;      ///< of the same; 0: none
    int64_t pairCount; ///< pairs that were looked at closely
    wkStatus status;   ///< wk_statusInvalid when an argument was not valid, or a map or mesh has
                       ///< changed without wkScene_SetShape; else of the first pair
} wkSceneCollideResult;

/// Which objects of a scene touch each other?
WK_API wkSceneCollideResult wkScene_CollidePairs(const wkScene* scene,
                                                 const wkSceneRequest* request);

/// Which objects does a shape touch? Point and normal are as for `wkCollide` of the shape and the
/// object.
WK_API wkSceneCollideResult wkScene_CollideShape(const wkScene* scene, const wkShape* shape,
                                                 wkPose pose, const wkSceneRequest* request);

/// Which other objects does an object touch?
WK_API wkSceneCollideResult wkScene_CollideObject(const wkScene* scene, wkObjectId id,
                                                  const wkSceneRequest* request);

/// Which objects of A touch which ones of B?
WK_API wkSceneCollideResult wkScene_CollideScene(const wkScene* a, const wkScene* b,
                                                 const wkSceneRequest* request);

/// The closest pair.
typedef struct wkSceneDistanceResult {
    wkObjectId a;             ///< 0: none, or a shape that is in no scene
    wkObjectId b;             ///< 0: no pair is within the cutoff
    wkDistanceResult closest; ///< of that pair; without one the distance is the cutoff, with
                              ///< wk_statusBound; minus infinity with wk_statusInvalid for bad
                              ///< arguments or geometry that has changed
    int64_t pairCount;        ///< pairs that were looked at closely
} wkSceneDistanceResult;

/// Which two objects of a scene are closest, or deepest in each other?
WK_API wkSceneDistanceResult wkScene_DistancePairs(const wkScene* scene,
                                                   const wkSceneRequest* request);

/// Which object is closest to a shape?
WK_API wkSceneDistanceResult wkScene_DistanceShape(const wkScene* scene, const wkShape* shape,
                                                   wkPose pose, const wkSceneRequest* request);

/// Which other object is closest to an object?
WK_API wkSceneDistanceResult wkScene_DistanceObject(const wkScene* scene, wkObjectId id,
                                                    const wkSceneRequest* request);

/// Which object of A and which one of B are closest?
WK_API wkSceneDistanceResult wkScene_DistanceScene(const wkScene* a, const wkScene* b,
                                                   const wkSceneRequest* request);

/// What a ray meets first.
typedef struct wkSceneRayResult {
    wkObjectId id;   ///< 0: nothing
    wkRayResult hit; ///< as for `wkRayCast` of that object
} wkSceneRayResult;

/// First object on a ray.
WK_API wkSceneRayResult wkScene_RayCast(const wkScene* scene, wkRay ray,
                                        const wkSceneRequest* request);

/// Is any object on a ray?
/// @return true also when the ray is not valid, or when a map or mesh has changed
WK_API bool wkScene_RayHits(const wkScene* scene, wkRay ray, const wkSceneRequest* request);

/// Makes the scene as it is now available to other threads: an update, then a copy in memory that
/// earlier ones have left. Call it on the thread that writes.
/// @return wk_errorMemory: the last snapshot stays
WK_API wkResult wkScene_Publish(wkScene* scene);

/// The last snapshot, which never changes; from any thread, without waiting. Give it back with
/// wkScene_Release; its objects have the ids of the scene.
/// @return NULL when nothing was published
WK_API const wkScene* wkScene_Acquire(const wkScene* scene);

/// Gives a snapshot back, once for each wkScene_Acquire; NULL is fine. Its memory is used again when
/// nobody has it. One release too many, of a snapshot that nobody has, meets an assert in debug
/// builds and is ignored in others.
WK_API void wkScene_Release(const wkScene* snapshot);
