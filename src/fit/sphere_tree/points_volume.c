// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The penetration volume of points: the inner spheres that points touch are marked, then summed in their order, so
// that the sum does not depend on threads.

#include "base/error.h"
#include "fit/sphere_tree/points_query.h"
#include "fit/sphere_tree/sphere_volume.h"

#include <inttypes.h>
#include <string.h>

static int32_t innerCountOf(const wkPlacedSphereTree* placed)
{
    return placed->tree != NULL ? placed->tree->sets[wk_spheresInner].count : 0;
}

// Marks the spheres of some trees.
static wkResult mark(const wkPointsQuery* q, const wkPlacedSphereTree* trees, int32_t count,
                     uint8_t* touched)
{
    wkPointsScan scan;
    wkScanRow rows[WK_SCAN_TASKS];
    wkMakeScan(q, trees, count, 0.0, &scan);
    for (int32_t i = 0; i < count; ++i) {
        scan.targets[i * WK_SPHERE_KIND_COUNT + wk_spheresInner].touched = touched;
        scan.radii[i * WK_SPHERE_KIND_COUNT + wk_spheresOuter] = -INFINITY;
        touched += innerCountOf(&trees[i]);
    }
    return wkScanAll(&scan, q->request.parallel, 0.0, rows);
}

static double sumTouched(const wkPlacedSphereTree* placed, const uint8_t* touched)
{
    double volume = 0.0;
    for (int32_t i = 0; i < innerCountOf(placed); ++i) {
        double radius = (double)wkSpheresOf(placed->tree, wk_spheresInner)[i].radius;
        volume += touched[i] != 0 ? wkSphereVolume(radius) : 0.0;
    }
    return volume;
}

// Clears the marks of all trees.
static wkResult clear(const wkPointsQuery* q, uint8_t* touched, int64_t capacity)
{
    int64_t needed = 0;
    for (int32_t i = 0; i < q->treeCount; ++i) {
        needed += innerCountOf(&q->trees[i]);
    }
    if (needed > capacity || (needed > 0 && touched == NULL)) {
        return wkFail(wk_errorArgument,
                      "sphere trees: touchedCapacity is %" PRId64 ", the trees have %" PRId64
                      " inner spheres",
                      touched == NULL ? 0 : capacity, needed);
    }
    if (needed > 0) {
        memset(touched, 0, (size_t)needed);
    }
    return wk_ok;
}

wkResult wkPlacedSphereTree_PointVolumes(const wkPlacedSphereTree* trees, int32_t treeCount,
                                         const wkCloudView* points, wkPose pose,
                                         const wkSphereTreeRequest* request, uint8_t* touched,
                                         int64_t touchedCapacity, double* volumes)
{
    wkPointsQuery q;
    wkResult result = wkPreparePoints(NULL, trees, treeCount, points, pose, request, &q);
    result = result == wk_ok ? clear(&q, touched, touchedCapacity) : result;
    uint8_t* next = touched;
    for (int32_t i = 0; i < treeCount; i += WK_SCAN_TREES) {
        int32_t count = treeCount - i < WK_SCAN_TREES ? treeCount - i : WK_SCAN_TREES;
        result = result == wk_ok ? mark(&q, trees + i, count, next) : result;
        for (int32_t k = i; k < i + count; ++k) {
            volumes[k] = result == wk_ok ? sumTouched(&trees[k], next) : (double)NAN;
            next += result == wk_ok ? innerCountOf(&trees[k]) : 0;
        }
    }
    return result;
}
