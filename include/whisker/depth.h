// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file depth.h
/// Is a sphere in space that a depth camera has seen to be free?
///
/// A `wkDepthMap` is made from a depth image, once for each frame, and answers in nanoseconds. Free is a
/// proof: the sphere, with its padding, is wholly inside the view and in front of everything seen, however
/// wrong the depths are within the noise that is told. See docs/depth_images.md.

#include "whisker/depth_image.h"

/// What a camera says about a sphere. Memory of zeros is never free. From free on, later values beat
/// earlier ones, for parts of a sphere and for the spheres of a robot.
typedef enum wkDepthVerdict {
    wk_depthUnchecked = 0,    ///< not checked: no answer was computed; count it as touching
    wk_depthFree = 1,         ///< proven free
    wk_depthUnobserved = 2,   ///< part of it is outside of the view, or where nothing was measured
    wk_depthOccluded = 3,     ///< part of it is behind something seen
    wk_depthHit = 4,          ///< it touches a surface that was seen, within its thickness
    wk_depthVerdictCount = 5, ///< number of values, not a verdict
} wkDepthVerdict;

/// Lower-case name: "unchecked", "free", "unobserved", "occluded", "hit"; "invalid" for any other number.
WK_API const char* wkDepthVerdictName(wkDepthVerdict verdict);

/// How far depths are trusted. Start from `wkDefaultDepthTrust()`.
typedef struct wkDepthTrust {
    double minDepth; ///< nearer pixels count as not measured; default 0
    double maxDepth; ///< further ones are free up to here and not known beyond; default infinity
    double noise;    ///< metres that a depth may be off, at any distance; default 0.001
    double
        noiseSquare; ///< and for each square metre of depth: noise + noiseSquare * depth^2; default
                     ///< 0.003
    double thickness; ///< of what is seen: metres behind the surface that count as it; default 0.05
    double padding;   ///< metres around every sphere; default 0
} wkDepthTrust;

/// The defaults above.
WK_API wkDepthTrust wkDefaultDepthTrust(void);

/// What becomes of pixels that show the robot itself.
typedef enum wkMaskRule {
    wk_maskShadow = 0, ///< free up to there, and nothing is known behind
    wk_maskRemove = 1, ///< nothing is known at all
} wkMaskRule;

/// The robot's own spheres, and those of what it holds, as they were when the image was taken.
typedef struct wkDepthMask {
    const wkSphere3d* spheres; ///< in the world
    int32_t count;             ///< 0: nothing is masked
    double padding;  ///< metres: a pixel is the robot's own when it ends this near to a sphere
    wkMaskRule rule; ///< wk_maskShadow in a mask of zeros
} wkDepthMask;

/// A depth image ready to be asked.
typedef struct wkDepthMap wkDepthMap;

/// A map for images of up to that size, in which nothing is seen yet.
/// @param map set to NULL on failure
/// @return wk_errorArgument, wk_errorRange (sizes from 1 to 16384), wk_errorMemory
WK_API wkResult wkDepthMap_Create(int32_t maxWidth, int32_t maxHeight, wkDepthMap** map);

/// Releases a map; NULL is fine.
WK_API void wkDepthMap_Destroy(wkDepthMap* map);

/// Takes in another image; its pixels are not needed afterwards. Allocates nothing. Images of lenses that
/// bend are straightened on the way, such that no proof is lost.
/// @param trust NULL means `wkDefaultDepthTrust()`
/// @param mask NULL: none
/// @return wk_errorArgument, wk_errorRange, wk_errorNotFinite naming the field: the map is as it was
WK_API wkResult wkDepthMap_Update(wkDepthMap* map, const wkDepthImage* image,
                                  const wkDepthTrust* trust, const wkDepthMask* mask);

/// Figures of a map.
typedef struct wkDepthMapInfo {
    wkCamera camera;       ///< as straightened: without distortion
    wkPose pose;           ///< of the camera in the world
    wkDepthTrust trust;    ///< as given
    int32_t measuredCount; ///< pixels with a depth
    int32_t maskedCount;   ///< pixels that show the robot itself
    size_t byteCount;      ///< memory
} wkDepthMapInfo;

/// The figures; zeros for NULL.
WK_API wkDepthMapInfo wkDepthMap_Info(const wkDepthMap* map);

/// How spheres are looked at. All give the same verdicts.
typedef enum wkDepthMethod {
    wk_depthByPyramid = 0,   ///< least depths around pixels, at sizes that double; the fastest
    wk_depthByLines = 1,     ///< line by line, no pixel twice
    wk_depthByPixels = 2,    ///< every pixel of every sphere
    wk_depthMethodCount = 3, ///< number of values, not a method
} wkDepthMethod;

/// Lower-case name: "pyramid", "lines", "pixels".
WK_API const char* wkDepthMethodName(wkDepthMethod method);

/// What cameras say about spheres. A sphere is free when any camera proves it; otherwise the worst that a
/// camera says counts. Allocates nothing.
/// @param maps several cameras, or one; none: all is unobserved
/// @param spheres in the world; one that is not finite or has a negative radius is unobserved
/// @param verdicts room for one of each sphere; NULL: not wanted, and the search ends at the first hit
/// @return the worst verdict; wk_depthUnchecked when there are no spheres
WK_API wkDepthVerdict wkCheckDepth(const wkDepthMap* const* maps, int32_t mapCount,
                                   const wkSphere3d* spheres, int32_t count, wkDepthMethod method,
                                   wkDepthVerdict* verdicts);

/// The nearest thing that was seen.
typedef struct wkDepthClearance {
    double
        distance; ///< from the sphere to the surface at a pixel, noise and padding taken off; not above
                  ///< 0: it touches; the cutoff when nothing is nearer
    int32_t sphere; ///< number of the sphere; -1: nothing is within the cutoff
    int32_t map;    ///< number of the camera
    int32_t u, v;   ///< the pixel, of the straightened image
    wkVec3d point;  ///< what it sees, in the world
    wkVec3d normal; ///< unit, from there to the sphere
} wkDepthClearance;

/// What is nearest to any of some spheres, such as those of a link, of all that was seen. What is behind
/// surfaces or outside of the views does not count: ask wkCheckDepth about that. Allocates nothing.
/// @param maps several cameras, or one; none: the cutoff
/// @param spheres in the world; one that is not finite or has a negative radius: the distance is NaN, and
///        `sphere` its number
/// @param cutoff further away nothing is looked for; > 0, infinity: no limit
WK_API wkDepthClearance wkDepthClearanceOf(const wkDepthMap* const* maps, int32_t mapCount,
                                           const wkSphere3d* spheres, int32_t count, double cutoff);
