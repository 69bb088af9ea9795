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

static int32_t groupSize(const wkPointsQuery* q, int32_t first)
{
    return q->treeCount - first < WK_SCAN_TREES ? q->treeCount - first : WK_SCAN_TREES;
}

// Prepares a scan of the inner spheres of some trees.
static void makeInnerScan(const wkPointsQuery* q, int32_t first, wkPointsScan* scan)
{
    int32_t count = groupSize(q, first);
    wkMakeScan(q, q->trees + first, count, 0.0, scan);
    for (int32_t i = 0; i < count; ++i) {
        scan->radii[i * WK_SPHERE_KIND_COUNT + wk_spheresOuter] = -INFINITY;
    }
}

// Marks the spheres of all trees on the threads of the CPU.
static wkResult markOnCpu(const wkPointsQuery* q, uint8_t* touched)
{
    wkResult result = wk_ok;
    for (int32_t first = 0; first < q->treeCount && result == wk_ok; first += WK_SCAN_TREES) {
        wkPointsScan scan;
        wkScanRow rows[WK_SCAN_TASKS];
        makeInnerScan(q, first, &scan);
        for (int32_t i = 0; i < groupSize(q, first); ++i) {
            scan.targets[i * WK_SPHERE_KIND_COUNT + wk_spheresInner].touched = touched;
            touched += innerCountOf(&q->trees[first + i]);
        }
        result = wkScanAll(&scan, q->request.parallel, 0.0, rows);
    }
    return result;
}

static wkResult markOnDevice(const wkPointsQuery* q, uint8_t* touched)
{
    wkResult result = wk_ok;
    for (int32_t first = 0; first < q->treeCount && result == wk_ok; first += WK_SCAN_TREES) {
        wkPointsScan scan;
        makeInnerScan(q, first, &scan);
        result = q->scanner->add(q->scanner->device, &scan, first);
    }
    return result == wk_ok ? q->scanner->mark(q->scanner->device, touched) : result;
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

wkResult wkPointScanner_Volumes(const wkPointScanner* scanner, const wkPlacedSphereTree* trees,
                                int32_t treeCount, const wkCloudView* points, wkPose pose,
                                const wkSphereTreeRequest* request, uint8_t* touched,
                                int64_t touchedCapacity, double* volumes)
{
    wkPointsQuery q;
    wkResult result = wkPreparePoints(scanner, trees, treeCount, points, pose, request, &q);
    result = result == wk_ok ? clear(&q, touched, touchedCapacity) : result;
    if (result == wk_ok) {
        result = scanner != NULL ? markOnDevice(&q, touched) : markOnCpu(&q, touched);
    }
    for (int32_t i = 0; i < treeCount; ++i) {
        volumes[i] = result == wk_ok ? sumTouched(&trees[i], touched) : (double)NAN;
        touched += result == wk_ok ? innerCountOf(&trees[i]) : 0;
    }
    return result;
}

wkResult wkPlacedSphereTree_PointVolumes(const wkPlacedSphereTree* trees, int32_t treeCount,
                                         const wkCloudView* points, wkPose pose,
                                         const wkSphereTreeRequest* request, uint8_t* touched,
                                         int64_t touchedCapacity, double* volumes)
{
    return wkPointScanner_Volumes(NULL, trees, treeCount, points, pose, request, touched,
                                  touchedCapacity, volumes);
}
