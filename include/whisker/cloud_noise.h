// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file cloud_noise.h
/// Probability that a noisy point cloud touches a body: bounds that hold for every dependence between the
/// points. See docs/noisy_clouds.md.
///
/// The true position of each point is normally distributed about the measured one, with the same standard
/// deviation in all directions. Its radius is not random.

#include "whisker/cloud.h"
#include "whisker/query.h"

/// Reliability of the bounds of a probability. Zeroed memory is no result.
typedef enum wkNoiseStatus {
    wk_noiseNone = 0,    ///< not computed; no function returns it
    wk_noiseBounded = 1, ///< the bounds hold
    wk_noiseEmpty = 2,   ///< a body is empty, so that the probability is 0
    wk_noiseStopped = 3, ///< the bounds hold; `maxWork` was reached, and `upper` is 1
    wk_noiseInvalid = 4, ///< invalid shapes, poses or request: lower is 0, upper is 1
} wkNoiseStatus;

/// Lower-case name: "none", "bounded", "empty", "stopped", "invalid"; "none" for any other number.
WK_API const char* wkNoiseStatusName(wkNoiseStatus status);

/// Options of a query about noisy clouds. Start from `wkDefaultNoiseRequest()`.
typedef struct wkNoiseRequest {
    uint32_t cookie;   ///< set by wkDefaultNoiseRequest()
    double deviationA; ///< default 0; standard deviation in metres of the points of A, where A is a
                       ///< cloud whose points have none of their own
    double deviationB; ///< the same for B
    double margin;     ///< touching means signed distance <= margin; default 0, any sign
    double tolerance;  ///< default 1e-4, 1e-12 to 1: probability that points which are far away may
                       ///< add to `upper` without being examined
    int32_t refinementCount; ///< default 256, 0 to 4096: distances that may be computed to narrow
                             ///< the bounds of one point; 32 points are narrowed at most
    int64_t maxWork; ///< default 2^22: nodes of the clouds that are examined at most, seconds
} wkNoiseRequest;

/// The defaults above.
WK_API wkNoiseRequest wkDefaultNoiseRequest(void);

/// Bounds of the probability that a noisy cloud touches a body. Probabilities below 1e-290 count as 0.
typedef struct wkNoiseResult {
    wkNoiseStatus status;    ///< reliability of the bounds
    double lower;            ///< the probability is not less, whether points depend on each other
                             ///< or not: that of the most probable point
    double upper;            ///< the probability is not more, in the same sense: the sum over all
    double independentLower; ///< where points are independent, the probability is not less
    double independentUpper; ///< where points are independent, the probability is not more
    int64_t partA;          ///< index of the most probable point of A, where A is a cloud; -1: none
    int64_t partB;          ///< the same for B
    double partLower;       ///< bounds of the probability of that point, or of that pair of points
    double partUpper;       ///< the upper one
    int64_t evaluatedCount; ///< points, or pairs of points, whose probability was computed
    int64_t prunedCount;    ///< points, or pairs, that were bounded together with their neighbours
} wkNoiseResult;

/// Bounds the probability that two shapes touch, as wkCollide defines it, of which at least one is a cloud with
/// noise. Where both are clouds, both may be noisy: errors of A must be independent of those of B then.
///
/// Reads its arguments only and allocates nothing. The bounds are rigorous, rounding included. They meet, up to
/// rounding, for one point and a sphere, half-space, plane or box (without rounding); see docs/noisy_clouds.md for other bodies.
/// @param request NULL means `wkDefaultNoiseRequest()`
/// @return always filled; wk_noiseInvalid also when none of the shapes is a cloud, for a deviation of one that is
///         none, and for a noisy cloud that was thinned or whose duplicates were merged (`mergedCount` of its info):
///         bounds would not hold. A cloud of points that wkCloudFilter thinned needs `mergedCount` of wkCloudDef for that
WK_API wkNoiseResult wkCollisionProbability(const wkShape* a, wkPose poseA, const wkShape* b,
                                            wkPose poseB, const wkNoiseRequest* request);
