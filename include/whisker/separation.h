// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file separation.h
/// Penetration depth of bodies that are not convex: a translation that separates them, and a lower bound for all
/// others. See docs/queries.md.

#include "whisker/cloud.h"
#include "whisker/query.h"

/// Options of a separation. Start from `wkDefaultSeparationRequest()`.
typedef struct wkSeparationRequest {
    uint32_t cookie;    ///< set by wkDefaultSeparationRequest()
    wkVec3d direction;  ///< of the translation of B, any length; default 0: the shortest of many
    double margin;      ///< the bodies are to be further apart than that; default 0, >= 0
    double tolerance;   ///< metres that may be left beyond the margin; default 1e-5, from 1e-9
    int32_t maxQueries; ///< default 2000: distances that are computed at most, 1 to 1000000
} wkSeparationRequest;

/// The defaults above.
WK_API wkSeparationRequest wkDefaultSeparationRequest(void);

/// A translation that separates two bodies, and a bound for all others.
typedef struct wkSeparationResult {
    wkStatus status; ///< wk_statusExact: no translation is shorter by more than the tolerance, or
                     ///< the bodies are apart; wk_statusBound: a shorter one may exist, but none
                     ///< below `lower`; wk_statusUnbounded: none was found; wk_statusInvalid
    double depth;    ///< length of `translation`; 0 when apart; infinite when none was found
    double lower;    ///< no shorter translation separates, proven
    wkVec3d
        translation; ///< of B: with its position moved by that, wkCollide with the margin says free
    int64_t partA;   ///< deepest point, triangle or cell of A; -1: none
    int64_t partB;   ///< the same for B
    int32_t queryCount; ///< distances that were computed
} wkSeparationResult;

/// Finds a short translation of B that separates two bodies.
///
/// For convex bodies it is that of wkPenetration, the shortest one, lengthened by rounding until the bodies are apart.
/// For others, wkPenetration has the depth of the deepest contact, and moving by it may leave the bodies overlapping. This
/// query searches over directions: the translation separates, which is checked at the moved pose, and is short, which is
/// not proven. The bodies are separated there and may meet on the way. Bounded bodies are always separated when
/// `maxQueries` is at least 2 and no direction is given. Reads its arguments only and allocates nothing.
/// @param request NULL means `wkDefaultSeparationRequest()`
/// @return always filled
WK_API wkSeparationResult wkSeparation(const wkShape* a, wkPose poseA, const wkShape* b,
                                       wkPose poseB, const wkSeparationRequest* request);
