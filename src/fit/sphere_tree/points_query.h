// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What all queries about points and sphere trees share.

#include "fit/sphere_tree/points_scan.h"
#include "whisker/detail/device.h"

// Trees that are scanned at once: inner and outer spheres of each.
#define WK_SCAN_TREES (WK_SCAN_TARGETS / WK_SPHERE_KIND_COUNT)

// Most tasks of a scan.
#define WK_SCAN_TASKS 24

// The best pairs that a task has found.
typedef wkScanBest wkScanRow[WK_SCAN_TARGETS];

// The arguments of a query, checked.
typedef struct wkPointsQuery {
    const wkPlacedSphereTree* trees;
    int32_t treeCount;
    wkCloudLayout layout;
    wkPose pose; // of the points
    wkSphereTreeRequest request;
    const wkPointScanner* scanner; // compares the points; NULL: the threads of the CPU
} wkPointsQuery;

bool wkIsTreePose(wkPose pose);

// @return wk_errorArgument, wk_errorRange naming the field
wkResult wkCheckSphereTreeRequest(const wkSphereTreeRequest* request);

// @return as wkPlacedSphereTree_PointDistances
wkResult wkPreparePoints(const wkPointScanner* scanner, const wkPlacedSphereTree* trees,
                         int32_t treeCount, const wkCloudView* points, wkPose pose,
                         const wkSphereTreeRequest* request, wkPointsQuery* q);

// Prepares the scan of at most WK_SCAN_TREES trees: inner spheres first, then outer ones, of each.
// @param bound pairs that are further do not matter
void wkMakeScan(const wkPointsQuery* q, const wkPlacedSphereTree* trees, int32_t count,
                double bound, wkPointsScan* scan);

// Lowers the bounds of a scan to distances of a few points from the first sphere of each hierarchy: the first walks are
// then short. Not for scans that mark spheres or ask bodies.
void wkGuessBounds(wkPointsScan* scan);

// Scans all points.
// @param rows array of WK_SCAN_TASKS; the first gets the result
// @return wk_errorRange: a radius is not valid
wkResult wkScanAll(wkPointsScan* scan, const wkParallel* parallel, double bound, wkScanRow* rows);

// What bounds prove.
wkSphereVerdict wkSphereVerdictOf(const wkSphereTreeResult* result, double margin);

// Rounding of poses and distances in doubles, relative to the largest number that occurs.
#define WK_TREE_SLACK 1e-13

// Nothing is known.
WK_FN wkSphereTreeResult wkUndecided(void)
{
    wkSphereTreeResult result = {wk_sphereUndecided, 0.0, (double)INFINITY, -1, -1, -1, -1};
    return result;
}
