// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file query.h
/// Do these touch, how far apart are they, where does this ray meet it: for every pair of shapes.
///
/// Queries read their arguments only: they allocate nothing, lock nothing and may be called from
/// any number of threads on the same shapes. There is one notion of touching: for every pair, order
/// and margin, `wkCollide` says what `wkDistance(...).distance <= margin` says.
///
/// Answers err on the safe side. A distance is never above the truth: what rounding or an iteration
/// could not settle is subtracted (see docs/precision.md).

#include "whisker/height_field.h"
#include "whisker/hull.h"
#include "whisker/mesh.h"

/// How far an answer can be trusted. Memory of zeros is no answer.
typedef enum wkStatus {
    wk_statusNone = 0,      ///< no answer was computed; no function returns it
    wk_statusExact = 1,     ///< to the precision stated in docs/precision.md
    wk_statusBound = 2,     ///< a safe lower bound: past the cutoff, or at the limit of a solver
    wk_statusUnbounded = 3, ///< overlapping without end (two half-spaces): no translation separates
    wk_statusInvalid = 4, ///< the shapes or poses are not valid: touching, distance minus infinity
    wk_statusLocal = 5, ///< overlapping, and a body is not convex: depth of the deepest contact, in
                        ///< a solid that of the lowest points below the triangles that are touched;
                        ///< to separate them may take more
    wk_statusNotWatertight = 6, ///< exact, for a solid mesh that is not watertight: lids close it
    wk_statusUnknown =
        7, ///< unknown cells of a map decided, under wk_unknownReported: touching them
           ///< and no occupied cell, or closest to them
} wkStatus;

/// Lower-case name: "none", "exact", "bound", "unbounded", "invalid", "local", "not watertight", "unknown"; "none"
/// for any other number too.
WK_API const char* wkStatusName(wkStatus status);

/// Distance reported when no translation separates a pair: finite, and deeper than any world.
#define WK_UNBOUNDED_DISTANCE (-1e30)

/// Remembers where a pair was closest, to start the next query on the same pair from there. All
/// zero is an empty cache. Belongs to the caller, one per pair; answers do not depend on it beyond
/// the stated precision.
typedef struct wkPairCache {
    wkVec3d direction;  ///< last normal, in the frame of the pair; zero: empty
    int32_t count;      ///< vertices in use below, for two hulls
    int32_t vertexA[3]; ///< where the hulls were closest
    int32_t vertexB[3]; ///< where the hulls were closest
} wkPairCache;

/// Remembers where the walk over two hierarchies turned back, to start the next query on the same
/// pair of meshes from there: see docs/walk.md. Belongs to the caller, one per pair; answers do not
/// depend on it.
typedef struct wkFront wkFront;

/// An empty front with room for `capacity` pairs of nodes (16 bytes each); 0: a usual number. One
/// that needs more starts from the roots.
WK_API wkResult wkFront_Create(int32_t capacity, wkFront** front);

/// Releases a front; NULL is fine.
WK_API void wkFront_Destroy(wkFront* front);

/// Forgets everything.
WK_API void wkFront_Clear(wkFront* front);

/// Pairs of nodes kept from the last query; 0: the next one starts from the roots.
WK_API int32_t wkFront_Count(const wkFront* front);

/// What a distance query should find. Start from `wkDefaultDistanceRequest()`.
typedef struct wkDistanceRequest {
    double cutoff;    ///< stop as soon as the distance is known to exceed it; default infinity
    double tolerance; ///< metres the answer may lie below the truth; default 0: as exact as it gets
    bool isSigned;    ///< default true; false: overlapping pairs answer 0, faster
    wkPairCache* cache; ///< read and written when not NULL
    wkFront* front;     ///< for two meshes: read and written when not NULL
    uint32_t cookie;    ///< set by wkDefaultDistanceRequest()
} wkDistanceRequest;

/// The usual request: signed, exact, no cutoff.
WK_API wkDistanceRequest wkDefaultDistanceRequest(void);

/// Where two shapes are closest, or deepest in each other. World frame; every number is finite
/// unless the status is wk_statusInvalid.
typedef struct wkDistanceResult {
    double distance;    ///< positive apart, negative by the penetration depth when overlapping
    wkVec3d pointA;     ///< on the surface of A; with isSigned false and an overlap: a common point
    wkVec3d pointB;     ///< on the surface of B; pointB - pointA = distance * normal
    wkVec3d normal;     ///< unit, from A to B: moving B by -distance * normal makes them touch
    wkStatus status;    ///< how far to trust it
    int32_t iterations; ///< steps of an iterative solver, triangles looked at; 0 without either
    int64_t partA;      ///< the triangle of a mesh or height field, or the cell of an octree, that
                        ///< pointA is on; -1: none
    int64_t partB;      ///< the same for pointB
} wkDistanceResult;

/// Signed distance between two shapes.
///
/// @param request NULL means `wkDefaultDistanceRequest()`
/// @return always filled; see wkDistanceResult and wkStatus
WK_API wkDistanceResult wkDistance(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB,
                                   const wkDistanceRequest* request);

/// A point where two shapes touch or overlap.
typedef struct wkContact {
    wkVec3d point;  ///< midway between the two surfaces
    wkVec3d normal; ///< unit, from A to B, the same for all contacts of a pair of convex shapes
    double depth;   ///< positive inside; the first contact has the penetration depth
    int64_t partA;  ///< the triangle of a mesh or height field, or the cell of an octree, that is
                    ///< touched; -1: none
    int64_t partB;  ///< the same for B
} wkContact;

/// What a collision query should find. Start from `wkDefaultCollideRequest()`.
typedef struct wkCollideRequest {
    double margin;       ///< touching means signed distance <= margin; default 0, any sign
    wkPairCache* cache;  ///< read and written when not NULL
    wkContact* contacts; ///< room for contactCapacity contacts; NULL: yes or no only, much faster
    int32_t contactCapacity; ///< size of `contacts`
    bool stopsWhenFull;      ///< meshes: the first contacts found do; default false: the deepest
    wkFront* front;          ///< for two meshes, without contacts: read and written when not NULL
    uint32_t cookie;         ///< set by wkDefaultCollideRequest()
} wkCollideRequest;

/// The usual request: margin 0, yes or no.
WK_API wkCollideRequest wkDefaultCollideRequest(void);

/// Answer of a collision query.
typedef struct wkCollideResult {
    bool isTouching; ///< signed distance <= margin; true when the status is wk_statusInvalid
    wkStatus status; ///< how far to trust it
    int32_t
        contactCount;   ///< contacts found, deepest first; 0 when free or none were asked for; the
                        ///< rest of the buffer may have been written to
    int32_t iterations; ///< steps of an iterative solver; 0 without one
} wkCollideResult;

/// Do two shapes touch?
///
/// With a buffer for contacts it is filled: one for a point, two or three for an edge, three to
/// WK_MAX_CONTACTS for a face, in the order of depth. Meshes and height fields give one contact for
/// each triangle that touches the other shape, or each pair of triangles.
/// @param request NULL means `wkDefaultCollideRequest()`
WK_API wkCollideResult wkCollide(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB,
                                 const wkCollideRequest* request);

/// Most contacts that one pair of convex shapes gives.
#define WK_MAX_CONTACTS 16

/// Smallest translation of B that separates two overlapping shapes.
typedef struct wkPenetrationResult {
    double depth;        ///< > 0 when overlapping, 0 when apart; -WK_UNBOUNDED_DISTANCE without end
    wkVec3d translation; ///< moves B until the two just touch; zero when apart
    wkVec3d pointA;      ///< deepest point on A
    wkVec3d pointB;      ///< deepest point on B
    wkStatus status;     ///< how far to trust it
} wkPenetrationResult;

/// Penetration depth and minimum translation: wkDistance in other words.
WK_API wkPenetrationResult wkPenetration(const wkShape* a, wkPose poseA, const wkShape* b,
                                         wkPose poseB);

/// A half-line, or a part of it.
typedef struct wkRay {
    wkVec3d origin;     ///< start, in the world
    wkVec3d direction;  ///< any length but zero; only the direction counts
    double maxDistance; ///< metres along it; infinity for all of it
} wkRay;

/// Where a ray meets a shape.
typedef struct wkRayResult {
    bool isHit;      ///< true also when the status is wk_statusInvalid
    wkStatus status; ///< wk_statusExact, wk_statusNotWatertight or wk_statusInvalid
    double distance; ///< metres from the origin; 0 when it starts inside
    wkVec3d point;   ///< on the surface, or the origin when it starts inside
    wkVec3d normal;  ///< unit, outward; faces the ray for planes, triangles and surfaces
    int64_t part;    ///< the triangle of a mesh or height field, or cell of an octree; -1: none
} wkRayResult;

/// First point of a shape (with rounding and padding) on a ray.
///
/// No ray slips between two triangles of a mesh that share an edge or a vertex. Triangles without
/// area, and those that a ray runs along, are met where it is in line with them to the last digit.
/// When several triangles are as near, the one with the lowest index is named.
WK_API wkRayResult wkRayCast(const wkShape* shape, wkPose pose, wkRay ray);

/// Does a ray meet a shape at all? Faster than wkRayCast for meshes and height fields.
/// @return true also when the input is not valid
WK_API bool wkRayHits(const wkShape* shape, wkPose pose, wkRay ray);

/// Where a point is closest to the surface of a shape.
typedef struct wkPointResult {
    double distance; ///< negative inside; infinite for an empty mesh
    wkVec3d point;   ///< the closest point of the surface, padding included
    wkVec3d normal;  ///< unit, out of the shape: point + distance * normal is the asked point
    wkStatus status; ///< wk_statusExact, wk_statusNotWatertight or wk_statusInvalid
    int64_t part;    ///< the triangle of a mesh or height field, or cell of an octree; -1: none
} wkPointResult;

/// Closest point of a shape's surface to a point in the world. When several triangles of a mesh are
/// as near, the one with the lowest index is named.
/// @param cutoff further away, a lower bound with wk_statusBound may be given; infinity: exact
WK_API wkPointResult wkClosestPoint(const wkShape* shape, wkPose pose, wkVec3d point,
                                    double cutoff);

/// How a pair is answered, for documents and tests: "closed form", "GJK, EPA" ..., see
/// docs/pair_matrix.md; "none" when one of them is no shape.
WK_API const char* wkPairMethodName(wkShapeType a, wkShapeType b);
