// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file query.h
/// Collision, distance, penetration and ray queries for every pair of shapes.
///
/// Queries only read their arguments: they allocate nothing, lock nothing and may be called from any
/// number of threads on the same shapes. Touching is defined once: for every pair, order and margin,
/// `wkCollide` reports contact if and only if `wkDistance(...).distance <= margin`.
///
/// Results are conservative. A distance is never above the exact value: the error bounds of rounding and
/// of iterations are subtracted (see docs/precision.md).

#include "whisker/detail/values.h"
#include "whisker/height_field.h"
#include "whisker/hull.h"
#include "whisker/mesh.h"

/// Reliability of a result. Zeroed memory is no result.
typedef enum wkStatus {
    wk_statusNone = 0,      ///< not computed; no function returns it
    wk_statusExact = 1,     ///< to the precision stated in docs/precision.md
    wk_statusBound = 2,     ///< a lower bound: past the cutoff, or at the limit of a solver
    wk_statusUnbounded = 3, ///< unbounded overlap (two half-spaces): no translation separates
    wk_statusInvalid = 4,   ///< invalid shapes or poses: touching, distance minus infinity
    wk_statusLocal = 5, ///< overlapping, and a body is not convex: depth of the deepest contact, in
                        ///< a solid that of the lowest points below the touched triangles;
                        ///< separation may need a longer translation
    wk_statusNotWatertight = 6, ///< exact, for a solid mesh that is not watertight: lids close it
    wk_statusUnknown = 7, ///< unknown cells of a map decided, under wk_unknownReported: they are
                          ///< touched and no occupied cell is, or they are closest
} wkStatus;

/// Lower-case name: "none", "exact", "bound", "unbounded", "invalid", "local", "not watertight",
/// "unknown"; "none" for any other number.
WK_API const char* wkStatusName(wkStatus status);

/// Distance reported when no translation separates a pair: finite, and deeper than any real overlap.
#define WK_UNBOUNDED_DISTANCE (-1e30)

// Warm start for a pair, wkPairCache of detail/values.h: stores where the pair was closest, so that the next
// query starts there. All zeros is an empty cache. Belongs to the caller, one per pair; results do not depend
// on it beyond the stated precision.

/// Warm start for two meshes: stores the pairs of nodes at which the walk over both hierarchies ended, so
/// that the next query starts there: see docs/walk.md. Belongs to the caller, one per pair; results do
/// not depend on it.
typedef struct wkFront wkFront;

/// Creates an empty front for `capacity` pairs of nodes (16 bytes each); 0: a default number. A query
/// that needs more starts from the roots.
WK_API wkResult wkFront_Create(int32_t capacity, wkFront** front);

/// Releases a front; NULL is fine.
WK_API void wkFront_Destroy(wkFront* front);

/// Makes a front empty.
WK_API void wkFront_Clear(wkFront* front);

/// Pairs of nodes kept from the last query; 0: the next one starts from the roots.
WK_API int32_t wkFront_Count(const wkFront* front);

/// Options of a distance query. Start from `wkDefaultDistanceRequest()`.
typedef struct wkDistanceRequest {
    uint32_t cookie;    ///< set by wkDefaultDistanceRequest()
    double cutoff;      ///< stop as soon as the distance is known to exceed it; default infinity
    double tolerance;   ///< metres by which the result may be too small; default 0: full precision
    bool isSigned;      ///< default true; false: overlapping pairs have distance 0, faster
    wkPairCache* cache; ///< warm start, read and written; NULL (default): none
    wkFront* front;     ///< warm start of two meshes, read and written; NULL (default): none
} wkDistanceRequest;

/// The default request: signed, exact, no cutoff.
WK_API wkDistanceRequest wkDefaultDistanceRequest(void);

/// Distance and witness points of two shapes. World frame; every number is finite unless the status is
/// wk_statusInvalid.
typedef struct wkDistanceResult {
    double distance;    ///< positive apart, negative by the penetration depth when overlapping
    wkVec3d pointA;     ///< on the surface of A; with isSigned false and an overlap: a common point
    wkVec3d pointB;     ///< on the surface of B; pointB - pointA = distance * normal
    wkVec3d normal;     ///< unit, from A to B: moving B by -distance * normal makes them touch
    wkStatus status;    ///< reliability of the result
    int32_t iterations; ///< steps of an iterative solver, or triangles tested; 0 without either
    int64_t partA;      ///< the triangle of a mesh or height field, or the cell of an octree
                        ///< (wkCellId_FromBits), that pointA is on; -1: none
    int64_t partB;      ///< the same for pointB
} wkDistanceResult;

/// Computes the signed distance between two shapes.
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
    int64_t partA;  ///< the triangle of a mesh or height field, or the cell of an octree
                    ///< (wkCellId_FromBits), that is touched; -1: none
    int64_t partB;  ///< the same for B
} wkContact;

/// Options of a collision query. Start from `wkDefaultCollideRequest()`.
typedef struct wkCollideRequest {
    uint32_t cookie;     ///< set by wkDefaultCollideRequest()
    double margin;       ///< touching means signed distance <= margin; default 0, any sign
    wkPairCache* cache;  ///< warm start, read and written; NULL (default): none
    wkContact* contacts; ///< buffer of contactCapacity contacts; NULL (default): yes or no only,
                         ///< much faster
    int32_t contactCapacity; ///< size of `contacts`; default 0
    bool stopsWhenFull;      ///< meshes: true: the first contacts found; default false: the deepest
    wkFront* front;          ///< warm start of two meshes, without contacts; NULL (default): none
} wkCollideRequest;

/// The default request: margin 0, yes or no.
WK_API wkCollideRequest wkDefaultCollideRequest(void);

/// Result of a collision query.
typedef struct wkCollideResult {
    bool isTouching; ///< signed distance <= margin; true when the status is wk_statusInvalid
    wkStatus status; ///< reliability of the result
    int32_t
        contactCount; ///< contacts found, deepest first; 0 when free or without a buffer; the rest
                      ///< of the buffer may have been written to
    int32_t iterations; ///< steps of an iterative solver; 0 without one
} wkCollideResult;

/// Checks whether two shapes touch.
///
/// Fills the buffer for contacts, if any, deepest first: one contact for a point, two or three for an
/// edge, three to WK_MAX_CONTACTS for a face. Meshes and height fields give one contact for each triangle
/// that touches the other shape, or each pair of triangles.
/// @param request NULL means `wkDefaultCollideRequest()`
WK_API wkCollideResult wkCollide(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB,
                                 const wkCollideRequest* request);

/// Maximum number of contacts of a pair of convex shapes.
#define WK_MAX_CONTACTS 16

/// Smallest translation of B that separates two overlapping shapes.
typedef struct wkPenetrationResult {
    double depth; ///< > 0 when overlapping, 0 when apart; -WK_UNBOUNDED_DISTANCE if unbounded
    wkVec3d translation; ///< moves B until the two just touch; zero when apart
    wkVec3d pointA;      ///< deepest point on A
    wkVec3d pointB;      ///< deepest point on B
    wkStatus status;     ///< reliability of the result
} wkPenetrationResult;

/// Computes the penetration depth and minimum translation from wkDistance.
WK_API wkPenetrationResult wkPenetration(const wkShape* a, wkPose poseA, const wkShape* b,
                                         wkPose poseB);

/// A ray of limited or infinite length.
typedef struct wkRay {
    wkVec3d origin;     ///< start, in the world
    wkVec3d direction;  ///< any length but zero; only the direction counts
    double maxDistance; ///< length in metres; may be infinity
} wkRay;

/// The first hit of a ray on a shape.
typedef struct wkRayResult {
    bool isHit;      ///< true also when the status is wk_statusInvalid
    wkStatus status; ///< wk_statusExact, wk_statusNotWatertight or wk_statusInvalid
    double distance; ///< metres from the origin; 0 when the ray starts inside
    wkVec3d point;   ///< on the surface, or the origin when the ray starts inside
    wkVec3d normal;  ///< unit, outward; faces the ray for planes, triangles and surfaces
    int64_t part;    ///< the triangle of a mesh or height field, or cell of an octree; -1: none
} wkRayResult;

/// Finds the first point of a shape (with rounding and padding) on a ray.
///
/// No ray passes between two triangles of a mesh that share an edge or a vertex. Triangles without area,
/// and triangles that contain the direction of the ray, are hit only when exactly in line with it. Of
/// several triangles at the same distance, the one with the lowest index is reported.
WK_API wkRayResult wkShape_RayCast(const wkShape* shape, wkPose pose, wkRay ray);

/// Checks whether a ray hits a shape. Faster than wkShape_RayCast for meshes and height fields.
/// @return true also when the input is not valid
WK_API bool wkShape_RayHits(const wkShape* shape, wkPose pose, wkRay ray);

/// The point on the surface of a shape closest to a given point.
typedef struct wkPointResult {
    double distance; ///< negative inside; infinite for an empty mesh
    wkVec3d point;   ///< the closest point of the surface, padding included
    wkVec3d normal;  ///< unit, out of the shape: point + distance * normal is the given point
    wkStatus status; ///< wk_statusExact, wk_statusNotWatertight or wk_statusInvalid
    int64_t part;    ///< the triangle of a mesh or height field, or cell of an octree; -1: none
} wkPointResult;

/// Finds the point of a shape's surface closest to a point in the world. Of several triangles at the
/// same distance, the one with the lowest index is reported.
/// @param cutoff beyond it, a lower bound with wk_statusBound may be returned; infinity: exact
WK_API wkPointResult wkShape_ClosestPoint(const wkShape* shape, wkPose pose, wkVec3d point,
                                          double cutoff);

/// Name of the method for a pair of types, for documents and tests: "closed form", "GJK, EPA" ..., see
/// docs/pair_matrix.md; "none" when one of them is no shape.
WK_API const char* wkPairMethodName(wkShapeType a, wkShapeType b);
