// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// wkHull_Create: checks the definition and calls the steps of hull_builder.h in order.

#include "base/cookie.h"
#include "base/error.h"
#include "geom/check.h"
#include "geom/hull_builder.h"
#include "geom/hull_impl.h"

#include <float.h>

// Points that were meant to lie in one plane leave it by the rounding of their coordinates, a few units in
// the last place of the largest.
#define ROUNDING_SHARE (16.0 * DBL_EPSILON)

// Below this length squares underflow; a smaller point set is a point.
#define SMALLEST_LENGTH 1e-100

wkHullDef wkDefaultHullDef(void)
{
    wkHullDef def = {.cookie = WK_COOKIE(wkHullDef)};
    return def;
}

static wkResult checkDef(const wkHullDef* def)
{
    if (!WK_HAS_COOKIE(def, wkHullDef)) {
        return WK_FAIL_COOKIE(def, wkHullDef);
    }
    if (def->points == NULL) {
        return wkFail(wk_errorArgument, "hull: points is NULL");
    }
    if (def->pointCount < 1) {
        return wkFail(wk_errorRange, "hull: pointCount is %d, must be >= 1", (int)def->pointCount);
    }
    if (def->faceCount < 0) {
        return wkFail(wk_errorRange, "hull: faceCount is %d, must be >= 0", (int)def->faceCount);
    }
    bool hasFaces = def->faceCount > 0;
    if (hasFaces != (def->faceSizes != NULL) || hasFaces != (def->faceIndices != NULL)) {
        return wkFail(wk_errorArgument, "hull: faceSizes, faceIndices and faceCount go together");
    }
    for (int32_t i = 0; i < def->pointCount; ++i) {
        wkVec3d p = def->points[i];
        if (!(isfinite(p.x) && isfinite(p.y) && isfinite(p.z))) {
            return wkFail(wk_errorNotFinite, "hull: point %d is (%g, %g, %g)", (int)i, p.x, p.y,
                          p.z);
        }
        if (!wkIsValidPoint(p)) {
            return wkFail(wk_errorRange, "hull: point %d is (%g, %g, %g), beyond %g", (int)i, p.x,
                          p.y, p.z, WK_MAX_LENGTH);
        }
    }
    return wk_ok;
}

static wkHullBuilder startBuilder(const wkHullDef* def)
{
    wkVec3d lower = def->points[0], upper = def->points[0];
    for (int32_t i = 1; i < def->pointCount; ++i) {
        lower = wkMin(lower, def->points[i]);
        upper = wkMax(upper, def->points[i]);
    }
    double largest = wkMaxD(wkMaxAbs(lower), wkMaxAbs(upper));
    wkHullBuilder builder = {
        .points = def->points,
        .pointCount = def->pointCount,
        .center = wkScale(0.5, wkAdd(lower, upper)),
        .extent = wkMaxAbs(wkSub(upper, lower)),
        .tolerance = wkMaxD(ROUNDING_SHARE * largest, SMALLEST_LENGTH),
    };
    return builder;
}

wkResult wkBuilderFromPoints(const wkHullDef* def, wkHullBuilder* builder, int* rank)
{
    *builder = startBuilder(def);
    wkHullAxes axes = wkFindHullAxes(builder);
    *rank = axes.rank;
    if (axes.rank < 3) {
        return wkBuilderFlat(builder, &axes);
    }
    wkResult result = wkBuilderQhull(builder, &axes);
    return result == wk_ok ? wkBuilderMerge(builder) : result;
}

static wkResult builderFromFaces(const wkHullDef* def, wkHullBuilder* builder)
{
    *builder = startBuilder(def);
    wkResult result = wkBuilderGiven(builder, def);
    return result == wk_ok ? wkBuilderMerge(builder) : result;
}

static wkResult finishHull(const wkHullBuilder* builder, wkHull** hull)
{
    wkHullEdges edges = {0};
    wkResult result = builder->faceCount > 0 ? wkFindHullEdges(builder, &edges) : wk_ok;
    if (result == wk_ok) {
        result = wkHullFromBuilder(builder, hull);
    }
    if (result == wk_ok) {
        wkWriteHullPlanes(builder, &edges, *hull);
        wkMeasureHull(builder, &edges, *hull);
        wkFitHullSpheres(builder, *hull);
        wkWriteHullCells(*hull);
    }
    wkReleaseHullEdges(&edges);
    return result;
}

wkResult wkHull_Create(const wkHullDef* def, wkHull** hull)
{
    if (hull == NULL) {
        return wkFail(wk_errorArgument, "hull: the output pointer is NULL");
    }
    *hull = NULL;
    wkResult result = checkDef(def);
    if (result != wk_ok) {
        return result;
    }

    wkHullBuilder builder;
    int rank;
    result = def->faceCount > 0 ? builderFromFaces(def, &builder)
                                : wkBuilderFromPoints(def, &builder, &rank);
    if (result == wk_ok) {
        result = finishHull(&builder, hull);
    }
    wkBuilderRelease(&builder);
    return result;
}
