// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file element_cast.h
/// The first time of contact of two moving elements of meshes: a vertex and a face, or two edges.
///
/// Every point moves linearly from its position at t = 0 to its position at t = 1, independently of the others,
/// so that elements may stretch and bend out of shape. A contact is never missed, whatever the finite
/// coordinates; "no contact" is a proof for every instant. See docs/deforming_meshes.md.

#include "whisker/query.h"

/// Pairs of elements of which two moving triangles first touch.
typedef enum wkElementKind {
    wk_elementVertexFace = 0, ///< points: vertex, then the three vertices of the face
    wk_elementEdgeEdge = 1,   ///< points: the two ends of edge A, then those of edge B
} wkElementKind;

/// Name as in `whisker ask`: "vertex-face", "edge-edge".
WK_API const char* wkElementKindName(wkElementKind kind);

/// Finds the value with a name.
/// @param kind unchanged on failure
/// @return wk_errorArgument when there is none
WK_API wkResult wkElementKindFromName(const char* name, wkElementKind* kind);

/// Options of an element cast. Start from `wkDefaultElementCastRequest()`.
typedef struct wkElementCastRequest {
    uint32_t cookie; ///< set by wkDefaultElementCastRequest()
    double
        tolerance; ///< metres: elements that come this close may be reported as touching; default 1e-6,
                   ///< >= 0. Below 1e-13 of the size of the elements it has no effect
    int32_t maxIterations; ///< most cells of (t, u, w) to be examined, at least 1; default 2000
} wkElementCastRequest;

/// The default request: a tolerance of 1e-6 m.
WK_API wkElementCastRequest wkDefaultElementCastRequest(void);

/// Result of an element cast. Distance, points and normal are those at `time`; zero when there is no contact and
/// when the input is not valid.
typedef struct wkElementCastResult {
    bool
        isTouching; ///< false: proven free at every instant from 0 to 1. True when they touch, when they come
    ///< within the tolerance, when that could not be decided, and when the input is not valid
    wkStatus
        status; ///< wk_statusExact: at `time` the elements are within the tolerance, or there is no contact;
    ///< wk_statusBound: iterations did not suffice, and `time` is earlier; wk_statusInvalid
    double
        time; ///< free before it, and never later than the first contact: 0 for invalid input, 1 when
              ///< there is no contact
    double
        touchingBy; ///< proven: elements touch at some time up to it; infinity: there is no proof, as for a
                    ///< contact with a boundary of an element, or one within the tolerance only
    double distance;    ///< between the points
    wkVec3d pointA;     ///< on the vertex or edge A
    wkVec3d pointB;     ///< on the face or edge B
    wkVec3d normal;     ///< unit, from A to B
    int32_t iterations; ///< cells that were examined
} wkElementCastResult;

/// Finds the first time at which two moving elements touch.
///
/// Elements without area or length are valid. Allocates nothing; safe from any number of threads.
/// @param start the points at t = 0, in the order of wkElementKind
/// @param end the points at t = 1
/// @param request NULL means `wkDefaultElementCastRequest()`
/// @return always filled. A coordinate that is not finite, or an invalid kind or request, gives touching at time 0
///         with wk_statusInvalid
WK_API wkElementCastResult wkCastElements(wkElementKind kind, const wkVec3d start[4],
                                          const wkVec3d end[4],
                                          const wkElementCastRequest* request);
