// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file center_distance.h
/// The least distance between the points of two clouds: of their centres, whatever their radii. See
/// docs/obstacle_detection.md.

#include "whisker/cloud.h"
#include "whisker/query.h"

/// How the nearest pair of points is found. All methods give the same distance, to the bit.
typedef enum wkCenterMethod {
    wk_centersChosen = 0,     ///< the one of the others that is faster for the numbers of points
    wk_centersExhaustive = 1, ///< every point of one cloud against every point of the other, in
                              ///< SIMD lanes
    wk_centersHierarchy = 2,  ///< by the hierarchies of the clouds
} wkCenterMethod;

/// Lower-case name: "chosen", "exhaustive", "hierarchy"; "none" for any other number.
WK_API const char* wkCenterMethodName(wkCenterMethod method);

/// Options of a centre distance. Start from `wkDefaultCenterRequest()`.
typedef struct wkCenterRequest {
    uint32_t cookie;            ///< set by wkDefaultCenterRequest()
    wkCenterMethod method;      ///< default wk_centersChosen
    double cutoff;              ///< pairs further apart do not count; 0 or more; default infinity
    const wkParallel* parallel; ///< threads of the exhaustive method, same result with any; NULL
                                ///< (default): the calling one
} wkCenterRequest;

/// The defaults above.
WK_API wkCenterRequest wkDefaultCenterRequest(void);

/// The nearest points of two clouds.
typedef struct wkCenterResult {
    double distance; ///< metres, as computed in double precision; the cutoff when no pair is within
                     ///< it; minus infinity when the status is wk_statusInvalid
    int32_t rankA; ///< of the point of A, see wkCloud_Point; -1: none. Of several pairs at the same
                   ///< distance one is reported
    int32_t rankB; ///< of the point of B; -1: none
    wkVec3d pointA;        ///< the point of A in the world; 0: none
    wkVec3d pointB;        ///< the point of B in the world; 0: none
    wkCenterMethod method; ///< how it was found
    wkStatus status; ///< wk_statusExact; wk_statusBound: no pair within the cutoff, or an empty
                     ///< cloud; wk_statusInvalid: a cloud, pose or request is not valid
} wkCenterResult;

/// Computes the least distance between the points of two clouds. Radii do not count: where they should,
/// use wkDistance.
///
/// The result does not depend on the order of the clouds, the method or the instruction set; which of
/// several nearest pairs is reported may depend on the method, not on threads. Threads of the exhaustive method share
/// blocks of 768 points of the cloud with fewer points.
/// @param request NULL means `wkDefaultCenterRequest()`
WK_API wkCenterResult wkCenterDistance(const wkCloud* a, wkPose poseA, const wkCloud* b,
                                       wkPose poseB, const wkCenterRequest* request);
