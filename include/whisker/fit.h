// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file fit.h
/// Spheres that cover a shape: no point of its surface or inside of it is outside all of them, and none of
/// them sticks out further than a bound that is told. See docs/sphere_models.md.

#include "whisker/shape.h"

/// How a shape is covered. Start from `wkDefaultFitDef()`.
typedef struct wkFitDef {
    int32_t count;    ///< spheres at most; 0 (default): as many as `accuracy` takes
    double accuracy;  ///< metres that spheres may stick out, where no count is given; default 0.02
    int32_t maxCount; ///< spheres at most, whatever the accuracy takes; default 1024
    const wkParallel* parallel; ///< threads to use; NULL (default): the calling one
    wkProgressFcn* progress;    ///< told about progress, and may cancel; NULL (default): nobody is
    void* progressContext;      ///< passed to it
    uint32_t cookie;            ///< set by wkDefaultFitDef()
} wkFitDef;

/// The defaults above.
WK_API wkFitDef wkDefaultFitDef(void);

/// How well spheres stand for a shape.
typedef struct wkFitReport {
    int32_t sphereCount; ///< how many spheres
    double coverage; ///< share of the surface that is proven to be inside a sphere; 1: all of it
    double
        gap; ///< how far a point of the shape is from the nearest sphere at most, proven; 0: it is
             ///< covered, on the surface and inside
    double
        protrusion; ///< how far a point of a sphere is outside the shape at most, proven; infinity:
                    ///< not measured
    double area;    ///< of the surface, in square metres, as it is measured: with triangles
} wkFitReport;

/// Covers a shape with spheres, in its frame, its padding included. Padding below zero leaves less to cover, or
/// nothing; how far something is outside of the rest is what queries say. Meshes that are not closed are not
/// made thinner by it. Spheres come out as they are, capsules as spheres along their axis. The same shape gives the same spheres on every machine and with any number of
/// threads. Watertight meshes and all other solids are covered throughout: what is small and deep
/// inside of one is inside a sphere. Meshes that are neither watertight nor solid are their surface.
/// @param def NULL means `wkDefaultFitDef()`
/// @param spheres room for `capacity` of them; at least 1. Where an accuracy takes more than there is room, or
///        than maxCount, they stick out further: the report says how far
/// @param count how many there are
/// @param report NULL: not wanted
/// @return wk_errorArgument, wk_errorRange, wk_errorNotFinite naming the field; wk_errorUnsupported for a
///         shape without end, and for maps; wk_errorMemory; wk_errorCancelled. An empty mesh has no spheres
WK_API wkResult wkFitSpheres(const wkShape* shape, const wkFitDef* def, wkSphere3d* spheres,
                             int32_t capacity, int32_t* count, wkFitReport* report);

/// How well given spheres stand for a shape.
/// @param tolerance metres that the protrusion may be above the truth, unless that takes too long; > 0.
///        Infinity: the protrusion is not measured, which takes most of the time
/// @return as wkFitSpheres
WK_API wkResult wkMeasureSpheres(const wkShape* shape, const wkSphere3d* spheres, int32_t count,
                                 double tolerance, wkFitReport* report);
