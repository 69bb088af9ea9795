// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Checks the arguments of queries about points, places trees among the points, and runs scans on threads. A sample of
// the points gives bounds of the distances first; then tasks scan slices of the cloud.

#include "fit/sphere_tree/points_query.h"

#include "base/cookie.h"
#include "base/error.h"
#include "base/parallel.h"
#include "base/range.h"
#include "math/within.h"
#include "whisker/detail/library.h"

#include <inttypes.h>
#include <string.h>

#define SAMPLE_COUNT 2048

// Points of the first guess of a distance.
#define GUESS_COUNT 64

// Points that are worth a task.
#define TASK_POINTS 16384

wkSphereTreeRequest wkDefaultSphereTreeRequest(void)
{
    wkSphereTreeRequest request = {.cookie = WK_COOKIE(wkSphereTreeRequest),
                                   .maxDistance = INFINITY};
    return request;
}

bool wkIsTreePose(wkPose pose)
{
    return wkIsValidRotation(pose.rotation) && wkIsVecWithin(pose.position, WK_SPHERE_REACH);
}

static wkResult checkTrees(const wkPlacedSphereTree* trees, int32_t treeCount)
{
    if (treeCount < 0 || (treeCount > 0 && trees == NULL)) {
        return wkFail(wk_errorArgument, "sphere trees: treeCount is %d, trees is %s",
                      (int)treeCount, trees == NULL ? "NULL" : "given");
    }
    for (int32_t i = 0; i < treeCount; ++i) {
        if (!wkIsTreePose(trees[i].pose)) {
            return wkFail(wk_errorNotFinite, "sphere trees: the pose of tree %d is not valid",
                          (int)i);
        }
        // bodies decide where they are given: none of them would leave nothing to be near to
        if (trees[i].bodyCount < 0 || (trees[i].bodyCount > 0) != (trees[i].bodies != NULL)) {
            return wkFail(wk_errorArgument, "sphere trees: tree %d: bodyCount is %d, bodies is %s",
                          (int)i, (int)trees[i].bodyCount,
                          trees[i].bodies == NULL ? "NULL" : "given");
        }
    }
    return wk_ok;
}

wkResult wkCheckSphereTreeRequest(const wkSphereTreeRequest* request)
{
    if (!WK_HAS_COOKIE(request, wkSphereTreeRequest)) {
        return WK_FAIL_COOKIE(request, wkSphereTreeRequest);
    }
    const wkNamedNumber numbers[] = {
        {"maxDistance", request->maxDistance, 0.0, INFINITY},
        {"margin", request->margin, 0.0, WK_SCAN_REACH},
        {"radius", request->radius, 0.0, WK_SCAN_REACH},
    };
    return wkCheckNumbers("sphere trees", numbers, sizeof numbers / sizeof numbers[0]);
}

// Looks for a finite point, which is among the first ones in most frames.
static wkResult checkFinite(const wkCloudLayout* layout, const wkSphereTreeRequest* request)
{
    bool isFound = request->allowsEmpty;
    for (int64_t i = 0; i < layout->count && !isFound; ++i) {
        isFound = wkIsFiniteVec(wkScanPosition(layout, i));
    }
    return isFound ? wk_ok
                   : wkFail(wk_errorArgument,
                            "sphere trees: none of %" PRId64
                            " points is finite; allowsEmpty takes that",
                            layout->count);
}

wkResult wkPreparePoints(const wkPointScanner* scanner, const wkPlacedSphereTree* trees,
                         int32_t treeCount, const wkCloudView* points, wkPose pose,
                         const wkSphereTreeRequest* request, wkPointsQuery* q)
{
    bool isReadable = scanner == NULL || !scanner->hasOwnPoints;
    *q = (wkPointsQuery){.trees = trees, .treeCount = treeCount, .pose = pose, .scanner = scanner};
    q->request = request != NULL ? *request : wkDefaultSphereTreeRequest();
    wkResult result = wkCheckSphereTreeRequest(&q->request);
    result = result == wk_ok ? checkTrees(trees, treeCount) : result;
    if (result == wk_ok && points == NULL) {
        result = wkFail(wk_errorArgument, "sphere trees: points is NULL");
    }
    result = result == wk_ok ? wkCloudView_LayOut(points, &q->layout) : result;
    result = result == wk_ok && isReadable ? checkFinite(&q->layout, &q->request) : result;
    if (result == wk_ok && !wkIsTreePose(pose)) {
        result = wkFail(wk_errorNotFinite, "sphere trees: the pose of the points is not valid");
    }
    return result;
}

static wkVec3d roundVec(wkVec3d v)
{
    return wkVec(wkNearestFloat(v.x), wkNearestFloat(v.y), wkNearestFloat(v.z));
}

// The pose of a tree in the frame of the points.
static wkFrame frameOf(const wkPointsQuery* q, const wkPlacedSphereTree* placed)
{
    wkMat3d worldFromPoints;
    return wkRelativeFrame(&q->pose, &placed->pose, &worldFromPoints);
}

// The middle of the trees, so that numbers near them are small.
static wkVec3d originOf(const wkPointsQuery* q, const wkPlacedSphereTree* trees, int32_t count)
{
    wkAabb bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int32_t i = 0; i < count; ++i) {
        if (trees[i].tree != NULL) {
            wkFrame frame = frameOf(q, &trees[i]);
            wkVec3d center = wkFramePoint(&frame, trees[i].tree->around.center);
            bounds.lower = wkMin(bounds.lower, center);
            bounds.upper = wkMax(bounds.upper, center);
        }
    }
    bool isAny = bounds.lower.x <= bounds.upper.x;
    return isAny ? roundVec(wkMiddle(bounds.lower, bounds.upper)) : wkVec(0.0, 0.0, 0.0);
}

static void setRoot(wkPointsScan* scan, int32_t index, wkVec3d center, double radius, double size)
{
    wkVec3d stored = roundVec(center);
    scan->x[index] = (float)stored.x;
    scan->y[index] = (float)stored.y;
    scan->z[index] = (float)stored.z;
    scan->radii[index] = wkRoundUp(radius + wkLength(wkSub(stored, center)));
    scan->sizes[index] = wkRoundUp(size);
}

static void setTarget(wkPointsScan* scan, int32_t index, const wkPlacedSphereTree* placed,
                      wkSphereKind kind, const wkFrame* frame)
{
    const wkSphereSet* set = &placed->tree->sets[kind];
    wkVec3d start = wkSub(frame->position, scan->origin);
    const wkVec3d* columns[3] = {&frame->rotation.x, &frame->rotation.y, &frame->rotation.z};
    wkScanTarget* target = &scan->targets[index];
    *target = (wkScanTarget){
        .at = {.nodes = wkSphereNodesOf(placed->tree, kind),
               .spheres = wkSpheresOf(placed->tree, kind),
               .set = set,
               .frame = *frame,
               .start = {(float)start.x, (float)start.y, (float)start.z}},
        .placed = placed,
    };
    for (int axis = 0; axis < 3; ++axis) {
        target->at.rows[axis][0] = (float)columns[axis]->x;
        target->at.rows[axis][1] = (float)columns[axis]->y;
        target->at.rows[axis][2] = (float)columns[axis]->z;
    }
    wkVec3d center = wkCenterOfSphere(&set->around);
    wkVec3d moved = wkAdd(wkMulMV(&frame->rotation, center), start);
    double size = wkMaxAbs(start) + (double)set->reach;
    setRoot(scan, index, moved, (double)set->around.radius, size);
}

void wkMakeScan(const wkPointsQuery* q, const wkPlacedSphereTree* trees, int32_t count,
                double bound, wkPointsScan* scan)
{
    memset(scan, 0, sizeof *scan);
    scan->layout = q->layout;
    scan->radius = q->request.radius;
    scan->origin = originOf(q, trees, count);
    scan->targetCount = count * WK_SPHERE_KIND_COUNT;
    atomic_init(&scan->badPoint, WK_SCAN_NONE);
    for (int32_t i = 0; i < WK_SCAN_TARGETS; ++i) {
        atomic_init(&scan->bounds[i], wkRoundUp(bound));
        scan->radii[i] = -INFINITY; // nothing is near
    }
    for (int32_t i = 0; i < count; ++i) {
        if (trees[i].tree != NULL) {
            wkFrame frame = frameOf(q, &trees[i]);
            for (int kind = 0; kind < WK_SPHERE_KIND_COUNT; ++kind) {
                setTarget(scan, i * WK_SPHERE_KIND_COUNT + kind, &trees[i], (wkSphereKind)kind,
                          &frame);
            }
        }
    }
}

void wkGuessBounds(wkPointsScan* scan)
{
    const wkCloudLayout* layout = &scan->layout;
    int64_t step = layout->count / GUESS_COUNT + 1;
    for (int32_t k = 0; k < scan->targetCount; ++k) {
        const wkScanTarget* target = &scan->targets[k];
        double least = INFINITY;
        bool hasSpheres = target->at.set != NULL && target->at.set->count > 0;
        for (int64_t i = 0; i < layout->count && hasSpheres; i += step) {
            wkVec3d local = wkFrameLocal(&target->at.frame, wkScanPosition(layout, i));
            // a point that is not finite is no guess
            least = wkMinD(wkDistanceToSphere(&target->at.spheres[0], local), least);
        }
        // the rounding of the guess must not leave out the pair itself
        float guess = wkRoundUp(wkMaxD(least, 0.0) * (1.0 + WK_TREE_SLACK));
        if (guess < atomic_load(&scan->bounds[k])) {
            atomic_store(&scan->bounds[k], guess);
        }
    }
}

static void clearRow(wkScanBest* row, double distance)
{
    for (int32_t i = 0; i < WK_SCAN_TARGETS; ++i) {
        row[i] = (wkScanBest){distance, WK_SCAN_NONE, 0};
    }
}

typedef struct scanTask {
    wkPointsScan* scan;
    wkScanRow* rows; // one for each task
    int64_t slice;   // points of a task
} scanTask;

static void scanSlice(void* context, int32_t index)
{
    const scanTask* task = context;
    int64_t first = index * task->slice, end = first + task->slice;
    end = end < task->scan->layout.count ? end : task->scan->layout.count;
    wkScanPointsOfMachine()(task->scan, first, end, 1, task->rows[index]);
}

static wkResult checkScan(const wkPointsScan* scan)
{
    int64_t bad = atomic_load(&scan->badPoint);
    return bad == WK_SCAN_NONE
               ? wk_ok
               : wkFail(wk_errorRange,
                        "sphere trees: the radius of point %" PRId64 " is not 0 or more and finite",
                        bad);
}

wkResult wkScanAll(wkPointsScan* scan, const wkParallel* parallel, double bound, wkScanRow* rows)
{
    int64_t count = scan->layout.count, tasks = (count + TASK_POINTS - 1) / TASK_POINTS;
    tasks = tasks < WK_SCAN_TASKS ? tasks : WK_SCAN_TASKS;
    tasks = tasks > 0 && parallel != NULL ? tasks : 1;
    scanTask task = {scan, rows,
                     ((count + tasks - 1) / tasks + WK_SCAN_BLOCK - 1) / WK_SCAN_BLOCK *
                         WK_SCAN_BLOCK};
    for (int64_t i = 0; i < tasks; ++i) {
        clearRow(rows[i], bound);
    }
    if (count > 4 * SAMPLE_COUNT) {
        wkScanPointsOfMachine()(scan, 0, count, count / SAMPLE_COUNT, rows[0]);
    }
    wkRunTasks(parallel, scanSlice, &task, (int32_t)tasks);
    for (int64_t i = 1; i < tasks; ++i) {
        for (int32_t k = 0; k < WK_SCAN_TARGETS; ++k) {
            rows[0][k] = wkIsBetterPair(&rows[i][k], &rows[0][k]) ? rows[i][k] : rows[0][k];
        }
    }
    return checkScan(scan);
}
