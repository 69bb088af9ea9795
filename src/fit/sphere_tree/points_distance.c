// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The distance of points from sphere trees: an interval by inner and outer spheres, and a number where the bodies of a
// tree are asked, which happens for points inside outer spheres alone.

#include "fit/sphere_tree/points_query.h"

#include "base/error.h"
#include "whisker/query.h"

#include <string.h>

const char* wkSphereVerdictName(wkSphereVerdict verdict)
{
    static const char* const names[] = {
        [wk_sphereUndecided] = "undecided",
        [wk_sphereFree] = "free",
        [wk_sphereCollision] = "collision",
    };
    bool isKnown = (unsigned)verdict < sizeof names / sizeof names[0];
    return isKnown ? names[verdict] : "none";
}

// The rounding of a result in doubles.
static double slackOf(const wkPointsQuery* q, const wkPlacedSphereTree* placed, double distance)
{
    double size = wkMaxAbs(placed->pose.position) + wkMaxAbs(q->pose.position) +
                  placed->tree->around.radius + wkMaxAbs(placed->tree->around.center);
    return WK_TREE_SLACK * (size + fabs(distance) + q->request.radius);
}

wkSphereVerdict wkSphereVerdictOf(const wkSphereTreeResult* result, double margin)
{
    if (result->upper <= margin) {
        return wk_sphereCollision;
    }
    return result->lower > margin ? wk_sphereFree : wk_sphereUndecided;
}

static wkSphereTreeResult resultOf(const wkPointsQuery* q, const wkPlacedSphereTree* placed,
                                   const wkScanBest* inner, const wkScanBest* outer)
{
    wkSphereTreeResult result = wkUndecided();
    if (placed->tree == NULL) {
        return result;
    }
    if (inner->point != WK_SCAN_NONE) {
        result.upper = inner->distance + slackOf(q, placed, inner->distance);
        result.point = inner->point;
        result.sphere = inner->sphere;
    }
    double lower = outer->distance;
    if (outer->point != WK_SCAN_NONE) {
        result.outerPoint = outer->point;
        result.outer = outer->sphere;
    }
    result.lower = wkMaxD(lower - slackOf(q, placed, lower), 0.0);
    return result;
}

// The bodies of a tree decide: the distance of the nearest point to the nearest of them.
static double measureBodies(const wkScanTarget* target, wkVec3d point)
{
    const wkPlacedSphereTree* placed = target->placed;
    double least = INFINITY;
    for (int32_t i = 0; i < placed->bodyCount; ++i) {
        wkPointResult one =
            wkShape_ClosestPoint(placed->bodies[i].shape, placed->bodies[i].pose, point, INFINITY);
        bool isValid = one.status != wk_statusInvalid;
        least = wkMinD(least, isValid ? one.distance : -WK_SCAN_REACH);
    }
    return least;
}

static double roundingOfBodies(const wkPointsQuery* q, const wkPlacedSphereTree* placed,
                               double distance)
{
    return 1e4 * slackOf(q, placed, distance); // as docs/precision.md has it: 1e-9
}

// Bounds the outer scan by what inner spheres have found, and lets bodies decide about points in outer spheres.
static void makeExact(wkPointsScan* scan, const wkPlacedSphereTree* trees, int32_t count,
                      const wkSphereTreeResult* results)
{
    for (int32_t i = 0; i < count; ++i) {
        int32_t inner = i * WK_SPHERE_KIND_COUNT + wk_spheresInner;
        int32_t outer = i * WK_SPHERE_KIND_COUNT + wk_spheresOuter;
        scan->radii[inner] = -INFINITY;
        scan->targets[outer].exact = measureBodies;
        if (trees[i].bodies == NULL) {
            scan->radii[outer] = -INFINITY;
        } else if (results[i].upper < (double)atomic_load(&scan->bounds[outer])) {
            atomic_store(&scan->bounds[outer], wkRoundUp(wkMaxD(results[i].upper, 0.0)));
        }
    }
}

static bool hasBodies(const wkPlacedSphereTree* trees, int32_t count)
{
    bool has = false;
    for (int32_t i = 0; i < count; ++i) {
        has |= trees[i].tree != NULL && trees[i].bodies != NULL;
    }
    return has;
}

// Inner spheres are inside the bodies that a tree was made of, so that no point is further from these. Bodies of another
// link, or a list that misses some, would make it free.
static wkResult checkBodies(int32_t tree, double distance, double slack, double upper)
{
    return !(distance - slack > upper)
               ? wk_ok
               : wkFail(wk_errorArgument,
                        "sphere trees: tree %d: its bodies are %g m from the points, and its inner "
                        "spheres %g m at most: they are not the bodies that it was made of",
                        (int)tree, distance, upper);
}

// Asks the bodies of trees that have them.
static wkResult decide(const wkPointsQuery* q, const wkPlacedSphereTree* trees, int32_t count,
                       double bound, wkSphereTreeResult* results)
{
    wkPointsScan scan;
    wkScanRow rows[WK_SCAN_TASKS];
    wkMakeScan(q, trees, count, bound, &scan);
    makeExact(&scan, trees, count, results);
    wkResult result = wkScanAll(&scan, q->request.parallel, bound, rows);
    for (int32_t i = 0; i < count; ++i) {
        if (trees[i].tree == NULL || trees[i].bodies == NULL) {
            continue;
        }
        const wkScanBest* best = &rows[0][i * WK_SPHERE_KIND_COUNT + wk_spheresOuter];
        bool isFound = best->point != WK_SCAN_NONE;
        double slack = roundingOfBodies(q, &trees[i], best->distance);
        if (result == wk_ok) {
            int32_t tree = (int32_t)(&trees[i] - q->trees);
            result = checkBodies(tree, best->distance, slack, results[i].upper);
        }
        results[i] = (wkSphereTreeResult){
            .lower = wkMaxD(best->distance - slack, 0.0),
            .upper = isFound ? best->distance + slack : INFINITY,
            .point = isFound ? best->point : -1,
            .sphere = -1,
            .outer = -1,
            .outerPoint = isFound ? best->point : -1,
        };
    }
    return result;
}

// Makes results of the nearest pairs, and lets bodies decide.
// @param best pairs of each tree: inner spheres, outer spheres
static wkResult conclude(const wkPointsQuery* q, const wkPlacedSphereTree* trees, int32_t count,
                         double bound, const wkScanBest* best, wkSphereTreeResult* results)
{
    wkResult result = wk_ok;
    for (int32_t i = 0; i < count; ++i) {
        const wkScanBest* pair = &best[(size_t)i * WK_SPHERE_KIND_COUNT];
        results[i] = resultOf(q, &trees[i], &pair[wk_spheresInner], &pair[wk_spheresOuter]);
    }
    if (hasBodies(trees, count)) {
        result = decide(q, trees, count, bound, results);
    }
    for (int32_t i = 0; i < count; ++i) {
        results[i].verdict = trees[i].tree != NULL
                                 ? wkSphereVerdictOf(&results[i], q->request.margin)
                                 : wk_sphereUndecided;
    }
    return result;
}

// Finds the nearest pairs of some of the trees on the threads of the CPU.
static wkResult scanOnCpu(const wkPointsQuery* q, const wkPlacedSphereTree* trees, int32_t count,
                          double bound, wkScanRow best)
{
    wkPointsScan scan;
    wkScanRow rows[WK_SCAN_TASKS];
    wkMakeScan(q, trees, count, bound, &scan);
    wkGuessBounds(&scan);
    wkResult result = wkScanAll(&scan, q->request.parallel, bound, rows);
    memcpy(best, rows[0], sizeof rows[0]);
    return result;
}

static int32_t groupSize(const wkPointsQuery* q, int32_t first)
{
    return q->treeCount - first < WK_SCAN_TREES ? q->treeCount - first : WK_SCAN_TREES;
}

// Finds the nearest pairs of all trees on a device, which gets them group by group.
static wkResult scanOnDevice(const wkPointsQuery* q, double bound, wkScanBest* best)
{
    wkResult result = wk_ok;
    for (int32_t i = 0; i < q->treeCount && result == wk_ok; i += WK_SCAN_TREES) {
        wkPointsScan scan;
        wkMakeScan(q, q->trees + i, groupSize(q, i), bound, &scan);
        result = q->scanner->add(q->scanner->device, &scan, i);
    }
    return result == wk_ok ? q->scanner->run(q->scanner->device, bound, best) : result;
}

static double boundOf(const wkPointsQuery* q)
{
    return wkMinD(q->request.maxDistance, WK_SCAN_REACH);
}

static wkResult answer(const wkPointsQuery* q, wkSphereTreeResult* results)
{
    wkResult result = wk_ok;
    for (int32_t i = 0; i < q->treeCount && result == wk_ok; i += WK_SCAN_TREES) {
        wkScanRow best;
        result = scanOnCpu(q, q->trees + i, groupSize(q, i), boundOf(q), best);
        if (result == wk_ok) {
            result = conclude(q, q->trees + i, groupSize(q, i), boundOf(q), best, results + i);
        }
    }
    return result;
}

static void forget(int32_t treeCount, wkSphereTreeResult* results)
{
    for (int32_t i = 0; i < treeCount; ++i) {
        results[i] = wkUndecided();
    }
}

wkResult wkPlacedSphereTree_PointDistances(const wkPlacedSphereTree* trees, int32_t treeCount,
                                           const wkCloudView* points, wkPose pose,
                                           const wkSphereTreeRequest* request,
                                           wkSphereTreeResult* results)
{
    wkPointsQuery q;
    wkResult result = wkPreparePoints(NULL, trees, treeCount, points, pose, request, &q);
    result = result == wk_ok ? answer(&q, results) : result;
    if (result != wk_ok) {
        forget(treeCount, results);
    }
    return result;
}

wkResult wkPointScanner_Distances(const wkPointScanner* scanner, const wkPlacedSphereTree* trees,
                                  int32_t treeCount, const wkCloudView* points, wkPose pose,
                                  const wkSphereTreeRequest* request, wkScanBest* best,
                                  wkSphereTreeResult* results)
{
    wkPointsQuery q;
    wkResult result = wkPreparePoints(scanner, trees, treeCount, points, pose, request, &q);
    if (result == wk_ok && scanner->hasOwnPoints && hasBodies(trees, treeCount)) {
        result = wkFail(wk_errorUnsupported, "sphere trees: bodies decide on the CPU, which cannot "
                                             "read points in the memory of a device");
    }
    result = result == wk_ok ? scanOnDevice(&q, boundOf(&q), best) : result;
    for (int32_t i = 0; i < treeCount && result == wk_ok; i += WK_SCAN_TREES) {
        result = conclude(&q, trees + i, groupSize(&q, i), boundOf(&q),
                          best + (size_t)i * WK_SPHERE_KIND_COUNT, results + i);
    }
    if (result != wk_ok) {
        forget(treeCount, results);
    }
    return result;
}
