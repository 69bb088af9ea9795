// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file cast.h
/// The first time of contact of two moving bodies.
///
/// A cast brackets the first contact: up to `time` the bodies are proven free, at `touchingBy` they touch.
/// "No contact" is a proof for every instant, not for a number of samples. See docs/casts.md.

#include "whisker/body_motion.h"
#include "whisker/query.h"

/// Options of a cast. Start from `wkDefaultCastRequest()`.
typedef struct wkCastRequest {
    uint32_t cookie;       ///< set by wkDefaultCastRequest()
    double margin;         ///< touching means signed distance <= margin; default 0, any sign
    double tolerance;      ///< width of the bracket, in units of t; default 1e-6, >= 0
    double until;          ///< later contacts are not looked for: a time > 0, at most 1 (default)
    int32_t maxIterations; ///< most distance queries, at least 1; default 1000
    wkPairCache* cache;    ///< warm start, read and written; NULL (default): none
} wkCastRequest;

/// The default request: margin 0, a bracket of 1e-6.
WK_API wkCastRequest wkDefaultCastRequest(void);

/// Result of a cast. Distance, points and normal are those of the bodies at `time`, in the world; zero when
/// there is no contact.
typedef struct wkCastResult {
    bool
        isTouching; ///< false: proven free at every instant from 0 to `until`. True when they touch, when that
    ///< could not be decided (`touchingBy` is infinite), and when the input is not valid
    wkStatus
        status; ///< wk_statusExact: the bracket is no wider than the tolerance, or there is no contact;
                ///< wk_statusBound: iterations or digits did not suffice, and `time` is earlier;
                ///< wk_statusNotWatertight, wk_statusUnknown: exact, see wkStatus; wk_statusInvalid
    double
        time; ///< free before it, and never later than the first contact: 0 for bodies that touch at the
              ///< start and for invalid input, `until` of the request when there is no contact
    double
        touchingBy; ///< wkCollide with the margin says touching at this time; infinity: no such time was
                    ///< found
    double distance;    ///< signed distance at `time`
    wkVec3d pointA;     ///< on the surface of A
    wkVec3d pointB;     ///< on the surface of B
    wkVec3d normal;     ///< unit, from A to B
    int32_t iterations; ///< distance queries
} wkCastResult;

/// Finds the first time at which two moving bodies touch.
///
/// For two convex shapes, the gap along a direction that follows the closest points is bounded in whole
/// intervals by the accelerations of the motions; grazing contacts end in tens of distance queries. For
/// meshes, height fields, maps and clouds, steps are as long as the distance and the speed allow. There,
/// bodies are not proven free while they overlap, whatever a negative margin or padding says.
/// Allocates nothing; any number of threads may share the same shapes and motions.
/// @param request NULL means `wkDefaultCastRequest()`
/// @return always filled. An invalid shape, motion or request gives touching at time 0 with wk_statusInvalid,
///         and so does a function whose poses are further apart than its bounds allow
WK_API wkCastResult wkCast(const wkShape* a, const wkBodyMotion* motionA, const wkShape* b,
                           const wkBodyMotion* motionB, const wkCastRequest* request);

/// Returns a box that holds a shape at every instant of a motion; conservative, as `wkShape_Bounds` is. Negative
/// padding counts as none.
/// @return an infinite box for an unbounded shape; also when the shape or the motion is not valid
WK_API wkAabb wkShape_SweptBounds(const wkShape* shape, const wkBodyMotion* motion);
