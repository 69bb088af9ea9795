// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file scene.h
/// Scenes of many objects: finds pairs that touch, closest pairs, and hits of rays.
///
/// A scene has objects (a shape, a pose, filter bits, a user pointer), named by ids (id.h), and a broad phase that
/// finds candidate pairs. It is written by one thread. Queries only read: they allocate nothing, lock
/// nothing, and any number of threads may query while no thread writes. To query while another thread
/// writes, see wkScene_Publish.
///
/// Queries are correct immediately after every change of the scene. `wkScene_Update` after a series of
/// changes makes queries fast again; without it they are slower, not wrong.
///
/// A borrowed map or builder's mesh that has changed may exceed the bounds stored in the scene. Until
/// `wkScene_SetShape` is called, queries return wk_statusInvalid (touching, distance minus infinity, ray
/// hit), visits return wk_errorState, and wkGetLastError() names the object.
///
/// Bounds are boxes of floats, rounded outward, relative to `wkSceneDef.origin`.

#include "whisker/id.h"
#include "whisker/query.h"

/// A scene.
typedef struct wkScene wkScene;

/// Broad-phase algorithms. The choice affects the speed of queries, not their results: see docs/scenes.md.
typedef enum wkBroadPhase {
    wk_broadTree = 0,  ///< a dynamic tree of boxes: the default, good in all cases
    wk_broadSweep = 1, ///< sweep and prune: sorted along one axis
    wk_broadGrid = 2,  ///< a hashed grid with a level for each size of objects
    wk_broadBrute = 3, ///< every pair: for few objects, and as a reference in tests
} wkBroadPhase;

/// Lower-case name: "tree", "sweep", "grid", "brute".
WK_API const char* wkBroadPhaseName(wkBroadPhase broadPhase);

/// Finds the value with a name.
/// @param broadPhase unchanged on failure
/// @return wk_errorArgument when there is none
WK_API wkResult wkBroadPhaseFromName(const char* name, wkBroadPhase* broadPhase);

/// Definition of a scene. Start from `wkDefaultSceneDef()`.
typedef struct wkSceneDef {
    uint32_t cookie;         ///< set by wkDefaultSceneDef()
    wkBroadPhase broadPhase; ///< default wk_broadTree
    double slack;   ///< margin of broad-phase boxes: motion of an object that needs no update, as a
                    ///< share of its size, from 0 to 1; default 0.05
    wkVec3d origin; ///< a point near the objects, for objects far from zero; default 0
    int32_t capacity; ///< initial capacity in objects, not a limit; default 0
    uint8_t tag;      ///< scenes with different tags reject each other's ids; default 0
} wkSceneDef;

/// The defaults above.
WK_API wkSceneDef wkDefaultSceneDef(void);

/// Creates an empty scene.
/// @param def NULL means `wkDefaultSceneDef()`
/// @param scene set to NULL on failure
/// @return wk_errorRange or wk_errorNotFinite naming the field, wk_errorMemory, wk_errorArgument
WK_API wkResult wkScene_Create(const wkSceneDef* def, wkScene** scene);

/// Releases a scene and its snapshots, none of which may be in use; NULL is fine.
WK_API void wkScene_Destroy(wkScene* scene);

/// An object of a scene. Start from `wkDefaultObjectDef()`.
typedef struct wkObjectDef {
    uint32_t cookie;   ///< set by wkDefaultObjectDef()
    wkShape shape;     ///< a hull, mesh or map that it borrows must live as long as the object
    wkPose pose;       ///< default identity; positions up to 1e60
    uint32_t category; ///< category bits of the object; default 1
    uint32_t mask;     ///< categories it collides with: a pair is checked when the category of each
                       ///< has a bit in the mask of the other; default all bits
    void* user;        ///< data of the program; default NULL
} wkObjectDef;

/// The defaults above, without a shape.
WK_API wkObjectDef wkDefaultObjectDef(void);

/// Adds an object.
/// @param id set to wk_nullObjectId on failure
/// @return wk_errorNotFinite, wk_errorRange or wk_errorArgument naming the invalid field of the shape or
///         pose, wk_errorMemory; on failure the scene is unchanged
WK_API wkResult wkScene_Add(wkScene* scene, const wkObjectDef* def, wkObjectId* id);

/// Adds many objects, all of them or none, and builds a good broad phase: faster than one by one.
/// @param ids array of `count`; NULL: not wanted
WK_API wkResult wkScene_AddMany(wkScene* scene, const wkObjectDef* defs, int32_t count,
                                wkObjectId* ids);

/// Adds the cells of a map as boxes, one object each, all of them or none: for maps that are queried
/// thousands of times before they change, see docs/strategies.md. If unknown space is not free, its cells
/// are added too, and six half-spaces for the space beyond the map; results do not distinguish unknown
/// cells. Nothing is borrowed: the map may change or be destroyed afterwards.
/// @param def its shape is the map; its other fields apply to each box
/// @param count objects added, in the order of `wkOctree_Cells`; NULL: not wanted
/// @return as wkScene_AddMany; wk_errorArgument also when the shape is no map
WK_API wkResult wkScene_AddCells(wkScene* scene, const wkObjectDef* def, int32_t* count);

/// Removes an object.
/// @return wk_errorArgument when no object has the id, as below
WK_API wkResult wkScene_Remove(wkScene* scene, wkObjectId id);

/// Sets the pose of an object.
/// @return wk_errorArgument: no such object; wk_errorNotFinite, wk_errorRange: the pose
WK_API wkResult wkScene_Move(wkScene* scene, wkObjectId id, wkPose pose);

/// Sets the shape of an object. Also call it when a map or mesh that the object borrows has changed, to
/// update its bounds: until then queries are not valid.
/// @return wk_errorArgument: no such object; and as wkShape_Check: the object is unchanged
WK_API wkResult wkScene_SetShape(wkScene* scene, wkObjectId id, const wkShape* shape);

/// Sets the filter bits of an object.
/// @return wk_errorArgument: no such object
WK_API wkResult wkScene_SetFilter(wkScene* scene, wkObjectId id, uint32_t category, uint32_t mask);

/// Updates the broad phase after objects were added, moved or changed. Happens automatically after many
/// changes.
WK_API void wkScene_Update(wkScene* scene);

/// True when the id names an object of the scene.
WK_API bool wkScene_Has(const wkScene* scene, wkObjectId id);

/// Returns the current definition of an object.
/// @param def unchanged on failure
/// @return wk_errorArgument: no such object
WK_API wkResult wkScene_Get(const wkScene* scene, wkObjectId id, wkObjectDef* def);

/// Number of objects.
WK_API int32_t wkScene_Count(const wkScene* scene);

/// Returns the id after another one, to iterate over all objects: wk_nullObjectId gives the first, the last
/// gives wk_nullObjectId.
WK_API wkObjectId wkScene_Next(const wkScene* scene, wkObjectId previous);

/// Statistics of a scene.
typedef struct wkSceneInfo {
    int32_t objectCount;  ///< all objects
    int32_t waitingCount; ///< objects that the next update will process
    size_t byteCount;     ///< memory in use, without snapshots
} wkSceneInfo;

/// Returns the statistics.
WK_API wkSceneInfo wkScene_Info(const wkScene* scene);

/// Receives pairs. `a` is of the first argument of the query, null for a shape or box that is in no scene.
/// Each pair within one scene is reported once.
/// @return false to stop
typedef bool wkPairFcn(wkObjectId a, wkObjectId b, void* context);

/// A pair that touches.
typedef struct wkSceneHit {
    wkObjectId a;      ///< null for a shape that is in no scene
    wkObjectId b;      ///< the other object
    wkContact contact; ///< the deepest one; all zero without wantsContacts
    wkStatus status;   ///< reliability of the result
} wkSceneHit;

/// Options of a query. Start from `wkDefaultSceneRequest()`.
typedef struct wkSceneRequest {
    uint32_t cookie; ///< set by wkDefaultSceneRequest()
    double margin;   ///< touching means signed distance <= margin; visits report bounds at most
                     ///< this far apart; default 0
    double cutoff;   ///< distances: maximum distance to search; default infinity
    bool isSigned;   ///< distances: default true, the deepest pair when some overlap; false: stops
                     ///< at the first overlapping pair with distance 0, faster
    uint32_t category;    ///< of the shape, box or ray of the query; default all bits
    uint32_t mask;        ///< of the shape, box or ray of the query; default all bits
    wkPairFcn* accepts;   ///< called for candidate pairs: false skips the pair; default NULL
    void* acceptsContext; ///< passed to `accepts`
    wkSceneHit* hits;     ///< buffer of hitCapacity pairs; default NULL: whether any pair touches
    int32_t hitCapacity;  ///< size of `hits`, default 0; the search ends when it is full
    bool wantsContacts;   ///< default false: pairs alone, faster
} wkSceneRequest;

/// The defaults above.
WK_API wkSceneRequest wkDefaultSceneRequest(void);

// Visits report candidates: pairs whose bounds overlap and whose filters agree. The caller checks whether
// they touch. A request of NULL means `wkDefaultSceneRequest()` in all functions below.

/// Visits the pairs of objects of a scene whose bounds overlap. Empty meshes and maps overlap nothing.
/// @return wk_ok, also when the visit was stopped; wk_errorArgument; wk_errorState: a map or mesh has
///         changed without wkScene_SetShape, as for all visits
WK_API wkResult wkScene_VisitPairs(const wkScene* scene, const wkSceneRequest* request,
                                   wkPairFcn* fcn, void* context);

/// Visits the objects whose bounds overlap a box, such as the `wkShape_Bounds` of a shape, as pairs of
/// wk_nullObjectId and the object.
WK_API wkResult wkScene_VisitBox(const wkScene* scene, wkAabb box, const wkSceneRequest* request,
                                 wkPairFcn* fcn, void* context);

/// Visits the objects whose bounds overlap those of an object, as pairs of that object and another.
WK_API wkResult wkScene_VisitObject(const wkScene* scene, wkObjectId id,
                                    const wkSceneRequest* request, wkPairFcn* fcn, void* context);

/// Visits the pairs of an object of A and an object of B whose bounds overlap. Both share the world
/// frame; a scene with itself gives its pairs, each once.
WK_API wkResult wkScene_VisitScene(const wkScene* a, const wkScene* b,
                                   const wkSceneRequest* request, wkPairFcn* fcn, void* context);

/// Result of a collision query.
typedef struct wkSceneCollideResult {
    bool isTouching;   ///< a pair touches; true also when the status is wk_statusInvalid
    int32_t hitCount;  ///< pairs in the buffer, in no particular order
    wkObjectId a;      ///< of the first pair found; null: none, or a shape that is in no scene
    wkObjectId b;      ///< of the first pair found; null: none
    int64_t pairCount; ///< pairs tested in the narrow phase
    wkStatus status;   ///< wk_statusInvalid when an argument was not valid, or a map or mesh has
                       ///< changed without wkScene_SetShape; else of the first pair
} wkSceneCollideResult;

/// Finds the objects of a scene that touch each other.
WK_API wkSceneCollideResult wkScene_CollidePairs(const wkScene* scene,
                                                 const wkSceneRequest* request);

/// Finds the objects that a shape touches. Point and normal are those of `wkCollide` of the shape and
/// the object.
WK_API wkSceneCollideResult wkScene_CollideShape(const wkScene* scene, const wkShape* shape,
                                                 wkPose pose, const wkSceneRequest* request);

/// Finds the other objects that an object touches.
WK_API wkSceneCollideResult wkScene_CollideObject(const wkScene* scene, wkObjectId id,
                                                  const wkSceneRequest* request);

/// Finds the pairs of an object of A and an object of B that touch.
WK_API wkSceneCollideResult wkScene_CollideScene(const wkScene* a, const wkScene* b,
                                                 const wkSceneRequest* request);

/// The closest pair.
typedef struct wkSceneDistanceResult {
    wkObjectId a;             ///< null: none, or a shape that is in no scene
    wkObjectId b;             ///< null: no pair is within the cutoff
    wkDistanceResult closest; ///< of that pair; without one the distance is the cutoff, with
                              ///< wk_statusBound; minus infinity with wk_statusInvalid for bad
                              ///< arguments or geometry that has changed
    int64_t pairCount;        ///< pairs tested in the narrow phase
} wkSceneDistanceResult;

/// Finds the closest, or deepest penetrating, pair of objects of a scene.
WK_API wkSceneDistanceResult wkScene_DistancePairs(const wkScene* scene,
                                                   const wkSceneRequest* request);

/// Finds the object closest to a shape.
WK_API wkSceneDistanceResult wkScene_DistanceShape(const wkScene* scene, const wkShape* shape,
                                                   wkPose pose, const wkSceneRequest* request);

/// Finds the other object closest to an object.
WK_API wkSceneDistanceResult wkScene_DistanceObject(const wkScene* scene, wkObjectId id,
                                                    const wkSceneRequest* request);

/// Finds the closest pair of an object of A and an object of B.
WK_API wkSceneDistanceResult wkScene_DistanceScene(const wkScene* a, const wkScene* b,
                                                   const wkSceneRequest* request);

/// The first hit of a ray.
typedef struct wkSceneRayResult {
    wkObjectId id;   ///< of the object that is hit; null: none
    wkRayResult hit; ///< as for `wkShape_RayCast` of that object
} wkSceneRayResult;

/// Finds the first object on a ray.
WK_API wkSceneRayResult wkScene_RayCast(const wkScene* scene, wkRay ray,
                                        const wkSceneRequest* request);

/// Checks whether a ray hits any object.
/// @return true also when the ray is not valid, or when a map or mesh has changed
WK_API bool wkScene_RayHits(const wkScene* scene, wkRay ray, const wkSceneRequest* request);

/// Publishes a snapshot of the scene for other threads: updates the scene and copies it into the memory
/// of released snapshots. Call it on the writing thread.
/// @return wk_errorMemory: the last snapshot stays
WK_API wkResult wkScene_Publish(wkScene* scene);

/// Returns the last snapshot, which never changes; from any thread, without waiting. Release it with
/// wkScene_Release; its objects have the ids of the scene.
/// @return NULL when nothing was published
WK_API const wkScene* wkScene_Acquire(const wkScene* scene);

/// Releases a snapshot, once for each wkScene_Acquire; NULL is fine. Its memory is reused after the last
/// release. A release of a snapshot that is not acquired fails an assert in debug builds and is ignored
/// in others.
WK_API void wkScene_Release(const wkScene* snapshot);
