// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file fit.h
/// Sphere fitting: covers a shape with spheres. Each point of the shape, on its surface or inside, is in a
/// sphere, and the spheres protrude at most by a reported bound. See docs/sphere_models.md.

#include "whisker/shape.h"

/// Options of a fit. Start from `wkDefaultFitDef()`.
typedef struct wkFitDef {
    uint32_t cookie;  ///< set by wkDefaultFitDef()
    int32_t count;    ///< maximum number of spheres; 0 (default): as many as `accuracy` needs
    double accuracy;  ///< largest protrusion in metres, when `count` is 0; default 0.02
    int32_t maxCount; ///< maximum number of spheres for any accuracy; default 1024
    const wkParallel* parallel; ///< threads to use; NULL (default): the calling one
    wkProgressFcn* progress;    ///< reports progress and may cancel; NULL (default): none
    void* progressContext;      ///< passed to `progress`
} wkFitDef;

/// The defaults above.
WK_API wkFitDef wkDefaultFitDef(void);

/// Proven quality of a sphere fit.
typedef struct wkFitInfo {
    int32_t sphereCount; ///< number of spheres
    double coverage;   ///< share of the surface that is proven to be inside a sphere; 1: all of it
    double gap;        ///< proven upper bound of the distance from points of the shape to the
                       ///< nearest sphere; 0: covered, on the surface and inside
    double protrusion; ///< proven upper bound of the distance from points of the spheres to the
                       ///< shape; infinity: not measured
    double area;       ///< of the tessellated surface, in square metres
} wkFitInfo;

/// Covers a shape, including its padding, with spheres in its frame. Negative padding leaves a smaller body
/// to cover, or none; its protrusion is measured with the signed distance of queries. Meshes that are not
/// watertight do not become thinner. A sphere gives itself, a capsule gives spheres along its axis. The same
/// shape gives the same spheres on every machine and with any number of threads. Watertight meshes and other
/// solids are covered throughout their volume; meshes that are neither watertight nor solid, on the surface.
/// @param def NULL means `wkDefaultFitDef()`
/// @param spheres array of `capacity`, at least 1. When an accuracy needs more spheres than `capacity` or
///        maxCount, the spheres protrude further: see `info`
/// @param count number of spheres
/// @param info NULL: not wanted
/// @return wk_errorArgument, wk_errorRange, wk_errorNotFinite naming the field; wk_errorUnsupported for
///         unbounded shapes and maps; wk_errorMemory; wk_errorCancelled. An empty mesh has no spheres
WK_API wkResult wkShape_FitSpheres(const wkShape* shape, const wkFitDef* def, wkSphere3d* spheres,
                                   int32_t capacity, int32_t* count, wkFitInfo* info);

/// Measures how well given spheres fit a shape.
/// @param tolerance metres by which the protrusion may exceed the exact value, unless that takes too long;
///        > 0. Infinity: the protrusion, which takes most of the time, is not measured
/// @return as wkShape_FitSpheres
WK_API wkResult wkShape_MeasureSpheres(const wkShape* shape, const wkSphere3d* spheres,
                                       int32_t count, double tolerance, wkFitInfo* info);
