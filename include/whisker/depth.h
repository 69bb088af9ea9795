// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file depth.h
/// Depth maps: check whether spheres are in space that depth cameras observed to be free.
///
/// A `wkDepthMap` is made from a depth image, once per frame, and checks a sphere in nanoseconds. The verdict
/// "free" is a proof: the sphere with its padding is entirely in the view and in front of all observed
/// surfaces, for any depth errors within the given noise. See docs/depth_images.md.

#include "whisker/depth_image.h"

/// Verdict of a camera about a sphere. Zeroed memory is never free. From wk_depthFree on, the highest value
/// wins, for the parts of a sphere and for the spheres of a robot.
typedef enum wkDepthVerdict {
    wk_depthUnchecked = 0,  ///< not checked: no answer was computed; count it as touching
    wk_depthFree = 1,       ///< proven free
    wk_depthUnobserved = 2, ///< partly outside of the view, or where nothing was measured
    wk_depthOccluded = 3,   ///< partly behind an observed surface
    wk_depthHit = 4,        ///< touches an observed surface, within its thickness
} wkDepthVerdict;

/// Lower-case name: "unchecked", "free", "unobserved", "occluded", "hit"; "invalid" for any other number.
WK_API const char* wkDepthVerdictName(wkDepthVerdict verdict);

/// Range and error bounds of measured depths, in metres. Start from `wkDefaultDepthMapDef()`.
typedef struct wkDepthMapDef {
    uint32_t cookie;    ///< set by wkDefaultDepthMapDef()
    double minDepth;    ///< nearer pixels count as not measured; default 0
    double maxDepth;    ///< further pixels are free up to here, unobserved beyond; default infinity
    double noise;       ///< constant part of the largest depth error; default 0.001
    double noiseSquare; ///< quadratic part: error <= noise + noiseSquare * depth^2; default 0.003
    double thickness;   ///< depth behind an observed surface that counts as hit; default 0.05
    double padding;     ///< added to the radius of every sphere; default 0
} wkDepthMapDef;

/// The defaults above.
WK_API wkDepthMapDef wkDefaultDepthMapDef(void);

/// How pixels that show the robot itself are treated.
typedef enum wkMaskRule {
    wk_maskShadow = 0, ///< space in front of the robot is free, space behind it is unobserved
    wk_maskRemove = 1, ///< the whole pixel is unobserved
} wkMaskRule;

/// Spheres of the robot and its attached objects at the time when the image was taken.
typedef struct wkDepthMask {
    const wkSphere3d* spheres; ///< in the world
    int32_t count;             ///< 0: nothing is masked
    double padding;  ///< metres: a pixel whose point is this near to a sphere shows the robot
    wkMaskRule rule; ///< wk_maskShadow in a zeroed mask
} wkDepthMask;

/// A depth image prepared for checks.
typedef struct wkDepthMap wkDepthMap;

/// Creates a map for images up to a size; all space is unobserved.
/// @param map set to NULL on failure
/// @return wk_errorArgument, wk_errorRange (sizes from 1 to 16384), wk_errorMemory
WK_API wkResult wkDepthMap_Create(int32_t maxWidth, int32_t maxHeight, wkDepthMap** map);

/// Releases a map; NULL is fine.
WK_API void wkDepthMap_Destroy(wkDepthMap* map);

/// Replaces the image of a map; its pixels are not needed afterwards. Allocates nothing. Images of distorted
/// lenses are rectified conservatively: a free verdict stays a proof.
/// @param def NULL means `wkDefaultDepthMapDef()`
/// @param mask NULL: none
/// @return wk_errorArgument, wk_errorRange, wk_errorNotFinite naming the field: the map is unchanged
WK_API wkResult wkDepthMap_Update(wkDepthMap* map, const wkDepthImage* image,
                                  const wkDepthMapDef* def, const wkDepthMask* mask);

/// Properties of a map.
typedef struct wkDepthMapInfo {
    wkCamera camera;       ///< as rectified: without distortion
    wkPose pose;           ///< of the camera in the world
    wkDepthMapDef def;     ///< as given
    int32_t measuredCount; ///< pixels with a depth
    int32_t maskedCount;   ///< pixels that show the robot itself
    size_t byteCount;      ///< memory in use
} wkDepthMapInfo;

/// Returns the properties; zeros for NULL.
WK_API wkDepthMapInfo wkDepthMap_Info(const wkDepthMap* map);

/// Algorithms to check spheres. All give the same verdicts.
typedef enum wkDepthMethod {
    wk_depthByPyramid = 0, ///< minimum depths of windows of doubling size; the fastest
    wk_depthByLines = 1,   ///< line by line, each pixel once
    wk_depthByPixels = 2,  ///< every pixel of every sphere
} wkDepthMethod;

/// Lower-case name: "pyramid", "lines", "pixels".
WK_API const char* wkDepthMethodName(wkDepthMethod method);

/// Checks spheres against depth maps. A sphere is free when at least one camera proves it free; otherwise it
/// gets the highest verdict of all cameras. Allocates nothing.
/// @param maps one map per camera; with none, all spheres are unobserved
/// @param spheres in the world; one that is not finite or has a negative radius is unobserved
/// @param verdicts one per sphere; NULL: not wanted, and the search ends at the first hit
/// @return the worst verdict; wk_depthUnchecked when there are no spheres
WK_API wkDepthVerdict wkDepthMap_CheckSpheres(const wkDepthMap* const* maps, int32_t mapCount,
                                              const wkSphere3d* spheres, int32_t count,
                                              wkDepthMethod method, wkDepthVerdict* verdicts);

/// The observed point nearest to a set of spheres.
typedef struct wkDepthClearanceResult {
    double
        distance; ///< from the sphere to the surface at a pixel, less noise and padding; <= 0: the
                  ///< sphere touches; the cutoff when nothing is nearer
    int32_t sphere; ///< index of the sphere; -1: nothing is within the cutoff
    int32_t map;    ///< index of the map
    int32_t u, v;   ///< the pixel, in the rectified image
    wkVec3d point;  ///< the observed point, in the world
    wkVec3d normal; ///< unit, from the point to the sphere
} wkDepthClearanceResult;

/// Finds the observed point nearest to a set of spheres, such as those of a link. Occluded and unobserved
/// space is ignored: wkDepthMap_CheckSpheres checks it. Allocates nothing.
/// @param maps one map per camera; with none, the distance is the cutoff
/// @param spheres in the world; for one that is not finite or has a negative radius the distance is NaN, and
///        `sphere` its index
/// @param cutoff maximum distance to search; > 0, infinity: no limit
WK_API wkDepthClearanceResult wkDepthMap_Clearance(const wkDepthMap* const* maps, int32_t mapCount,
                                                   const wkSphere3d* spheres, int32_t count,
                                                   double cutoff);
