// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file separation.h
/// Penetration depth of point clouds: a translation that takes all points out of a body. See
/// docs/point_clouds.md.

#include "whisker/cloud.h"
#include "whisker/query.h"

/// Options of a separation. Start from `wkDefaultSeparationRequest()`.
typedef struct wkSeparationRequest {
    uint32_t cookie;    ///< set by wkDefaultSeparationRequest()
    wkVec3d direction;  ///< of the translation of B, any length; default 0: the shortest of many
    double tolerance;   ///< metres that may be left between the bodies; default 1e-5, from 1e-9
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
    double lower;    ///< no shorter translation separates: the depth of the deepest point
    wkVec3d translation; ///< of B: afterwards the bodies are apart by at most the tolerance
    int64_t partA;       ///< deepest point, triangle or cell of A; -1: none
    int64_t partB;       ///< the same for B
    int32_t queryCount;  ///< distances that were computed
} wkSeparationResult;

/// Finds a short translation of B that separates two bodies of which at least one is a cloud.
///
/// wkPenetration has the depth of the deepest point alone, which is `lower` here; moving the cloud by it may leave
/// others inside, or move them in. Reads its arguments only and allocates nothing.
/// @param request NULL means `wkDefaultSeparationRequest()`
/// @return always filled; wk_statusInvalid also when none of the shapes is a cloud
WK_API wkSeparationResult wkSeparation(const wkShape* a, wkPose poseA, const wkShape* b,
                                       wkPose poseB, const wkSeparationRequest* request);
