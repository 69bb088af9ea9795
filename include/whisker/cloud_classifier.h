// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file cloud_classifier.h
/// A smooth surface that separates two noisy point clouds, and an estimate of the probability that they
/// collide: that a point is on the wrong side of it. See docs/noisy_clouds.md.
///
/// This is robust classification: a support vector machine whose points have uncertainty. It is an estimate for
/// clouds that are samples of surfaces, which may collide between their points. For bounds of the
/// probability that the points themselves touch, use `wkCollisionProbability`.

#include "whisker/cloud.h"

/// A separating surface. Immutable: any number of threads may evaluate it.
typedef struct wkCloudClassifier wkCloudClassifier;

/// What a classifier is made of. Start from `wkDefaultCloudClassifierDef()`.
typedef struct wkCloudClassifierDef {
    uint32_t cookie;   ///< set by wkDefaultCloudClassifierDef()
    const wkCloud* a;  ///< first cloud, read while the classifier is made
    const wkCloud* b;  ///< second cloud
    wkPose poseA;      ///< of the first cloud in the world; default identity
    wkPose poseB;      ///< of the second cloud
    double deviationA; ///< default 0; standard deviation of points of A without one of their own
    double deviationB; ///< the same for B
    double width;   ///< metres over which the surface bends; default 0: from the size of the clouds
                    ///< where they are near each other
    double penalty; ///< of points on the wrong side, 1e-3 to 1e9; default 1e4: very few
    double tolerance;      ///< by which the solution may be wrong, 1e-6 to 0.5; default 1e-3
    int32_t maxPoints;     ///< points that are classified, half of each cloud, those nearest to the
                           ///< other one; 2 to 4096, default 512
    int32_t maxIterations; ///< steps of the solver at most, from 1; default 200000
} wkCloudClassifierDef;

/// The defaults above.
WK_API wkCloudClassifierDef wkDefaultCloudClassifierDef(void);

/// Separates two clouds. The points with a larger deviation keep a larger distance from the surface.
/// @return wk_errorArgument for a cloud that is missing or empty, wk_errorRange and wk_errorNotFinite naming the field,
///         wk_errorMemory
WK_API wkResult wkCloudClassifier_Create(const wkCloudClassifierDef* def,
                                         wkCloudClassifier** classifier);

/// Destroys a classifier; NULL is allowed.
WK_API void wkCloudClassifier_Destroy(wkCloudClassifier* classifier);

/// Figures of a classifier.
typedef struct wkCloudClassifierInfo {
    double probability;   ///< estimate: some point is on the wrong side, its sphere included, where
                          ///< noise is independent
    double likeliest;     ///< the same for the most probable point alone
    int64_t partA;        ///< index of the most probable point of A
    int64_t partB;        ///< the same for B
    int32_t pointCount;   ///< points that were classified
    int32_t supportCount; ///< of these, points that define the surface
    int32_t wrongCount;   ///< of these, points whose measured position is on the wrong side
    int32_t iterationCount; ///< steps of the solver
    bool isConverged; ///< false: maxIterations ended the solver; the surface is not the best one
    double width;     ///< as given or chosen
} wkCloudClassifierInfo;

/// Returns the figures.
WK_API wkCloudClassifierInfo wkCloudClassifier_Info(const wkCloudClassifier* classifier);

/// The separating surface as seen from a point.
typedef struct wkClassifierValue {
    double value;    ///< 0 on the surface, positive on the side of A
    double distance; ///< estimated signed distance from the surface, in metres
    wkVec3d normal;  ///< unit, in the world: in which direction the value grows; 0 far away
} wkClassifierValue;

/// Evaluates the surface at a point of the world.
WK_API wkClassifierValue wkCloudClassifier_Evaluate(const wkCloudClassifier* classifier,
                                                    wkVec3d point);
