// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Inserts scans: from points to the cells that rays cross and hit, then into the map.

#include "tree/octree/octree_scan.h"
#include "base/cookie.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/range.h"
#include "math/frame.h"
#include "whisker/detail/device.h"

#include <float.h>
#include <string.h>

wkScan wkDefaultScan(void)
{
    wkScan scan = {
        .frame = {.rotation = {0.0, 0.0, 0.0, 1.0}},
        .maxRange = INFINITY,
        .decay = 1.0,
        .cookie = WK_COOKIE(wkScan),
    };
    return scan;
}

static void addReport(wkScanInfo* sum, const wkScanInfo* part)
{
    sum->usedCount += part->usedCount;
    sum->notFiniteCount += part->notFiniteCount;
    sum->outsideCount += part->outsideCount;
    sum->farCount += part->farCount;
}

static void widen(wkScanSlice* sum, const wkScanSlice* s)
{
    for (int axis = 0; axis < 3; ++axis) {
        int32_t low = s->lowest[axis], high = s->highest[axis];
        sum->lowest[axis] = low < sum->lowest[axis] ? low : sum->lowest[axis];
        sum->highest[axis] = high > sum->highest[axis] ? high : sum->highest[axis];
    }
}

// Combines all slices: key range of the ends and the origin, and the report about the points.
static wkScanSlice sumSlices(const wkScanJob* j)
{
    const int32_t* origin = j->source.originKey;
    wkScanSlice sum = {.lowest = {origin[0], origin[1], origin[2]},
                       .highest = {origin[0], origin[1], origin[2]}};
    for (int32_t i = 0; i < j->sliceCount; ++i) {
        const wkScanSlice* s = &j->slices[i];
        if (s->endCount > 0) {
            widen(&sum, s);
            sum.endCount += s->endCount;
        }
        addReport(&sum.report, &s->report);
    }
    return sum;
}

static bool mergeScan(wkOctree* octree, wkScanJob* j, wkScanInfo* report)
{
    wkTakePoints(j);
    wkScanSlice sum = sumSlices(j);
    wkBrickList list = {.keys = NULL};
    if (!wkTraceEnds(j, &sum, &list)) {
        return false;
    }
    wkSortKeys(j->keys, j->keys + j->keyCapacity, list.count);
    list.keys = j->keys;
    const wkMergeRule rule = {j->scan->decay, j->scan->averageWeight};
    *report = sum.report;
    return wkMergeBricks(octree, &list, &rule, &report->freeCount, &report->occupiedCount);
}

// Capacity of the slices for ends and points.
static size_t capacityFor(const wkScanJob* j)
{
    return (size_t)j->sliceCount * WK_POINTS_PER_SLICE;
}

// Points are ends when each has its own ray, or when a range limits rays that leave the map.
static bool keepsPoints(const wkScanJob* j)
{
    return j->scan->isExact || isfinite(j->scan->maxRange);
}

static bool allocateJob(wkScanJob* j)
{
    size_t count = capacityFor(j);
    j->ends = wkAlloc(count * sizeof *j->ends);
    j->slices = wkAlloc((size_t)j->sliceCount * sizeof *j->slices);
    if (keepsPoints(j)) {
        j->kept = wkAlloc(3 * count * sizeof *j->kept);
    }
    if (j->ends == NULL || j->slices == NULL || (keepsPoints(j) && j->kept == NULL)) {
        return false;
    }
    for (int32_t i = 0; i < j->sliceCount; ++i) {
        wkScanSlice start = {.first = i * WK_POINTS_PER_SLICE,
                             .lowest = {INT32_MAX, INT32_MAX, INT32_MAX},
                             .highest = {-1, -1, -1}};
        j->slices[i] = start;
    }
    return true;
}

static void freeJob(wkScanJob* j)
{
    size_t count = capacityFor(j);
    wkFree(j->ends, count * sizeof *j->ends);
    wkFree(j->slices, (size_t)j->sliceCount * sizeof *j->slices);
    wkFree(j->kept, 3 * count * sizeof *j->kept);
    wkFree(j->keys, wkKeyBytes(j));
    wkFreeGrid(&j->grid);
    wkFreeBrickTable(&j->table);
}

static wkResult checkPoints(const wkPointsView* points)
{
    if (points->count < 0 || (points->points == NULL && points->count > 0)) {
        return wkFail(wk_errorArgument, "scan: %d points at %p", (int)points->count,
                      (const void*)points->points);
    }
    if (points->stride != 0 && (points->stride < 12 || points->stride % 4 != 0)) {
        return wkFail(wk_errorRange,
                      "scan: points.stride is %d, must be 0 or a multiple of 4 from 12",
                      (int)points->stride);
    }
    return wk_ok;
}

static wkResult checkScan(const wkScan* scan)
{
    if (!WK_HAS_COOKIE(scan, wkScan)) {
        return WK_FAIL_COOKIE(scan, wkScan);
    }
    wkVec3d shift = scan->frame.position;
    const wkNamedNumber numbers[] = {
        {"origin.x", scan->origin.x, -FLT_MAX, FLT_MAX},
        {"origin.y", scan->origin.y, -FLT_MAX, FLT_MAX},
        {"origin.z", scan->origin.z, -FLT_MAX, FLT_MAX},
        {"frame.position.x", shift.x, -FLT_MAX, FLT_MAX},
        {"frame.position.y", shift.y, -FLT_MAX, FLT_MAX},
        {"frame.position.z", shift.z, -FLT_MAX, FLT_MAX},
        {"maxRange", scan->maxRange, DBL_MIN, INFINITY},
        {"decay", scan->decay, 0.0, 1.0},
        {"averageWeight", scan->averageWeight, 0.0, 1.0},
    };
    wkResult result = wkCheckNumbers("scan", numbers, sizeof numbers / sizeof numbers[0]);
    if (result != wk_ok) {
        return result;
    }
    if (!wkIsValidRotation(scan->frame.rotation)) {
        return wkFail(wk_errorRange, "scan: frame.rotation is no rotation");
    }
    return checkPoints(&scan->points);
}

// Floats of unit length are kept to the last bit.
static wkQuat unitRotation(wkQuat q)
{
    bool isUnit = fabs(wkQuatLengthSquared(q) - 1.0) < 1e-6;
    return isUnit ? q : wkNormalizeQuat(q);
}

// First rounds numbers to floats where OctoMap has floats.
static wkResult makeSource(const wkOctree* octree, const wkScan* scan, wkGridRaySource* source)
{
    wkVec3d shift = scan->frame.position;
    wkQuat sensorRotation = unitRotation(scan->frame.rotation);
    wkGridRaySource made = {
        .resolution = octree->def.resolution,
        .cellsPerMetre = 1.0 / octree->def.resolution,
        .rotation = {(float)sensorRotation.x, (float)sensorRotation.y, (float)sensorRotation.z,
                     (float)sensorRotation.w},
        .shift = {(float)shift.x, (float)shift.y, (float)shift.z},
        .isMoved = shift.x != 0.0 || shift.y != 0.0 || shift.z != 0.0 || sensorRotation.x != 0.0 ||
                   sensorRotation.y != 0.0 || sensorRotation.z != 0.0 || sensorRotation.w != 1.0,
        .maxRange = scan->maxRange,
    };
    const float origin[3] = {(float)scan->origin.x, (float)scan->origin.y, (float)scan->origin.z};
    memcpy(made.origin, origin, sizeof origin);
    if (made.isMoved) {
        wkMovePoint(&made, origin, made.origin);
    }
    *source = made;
    if (!wkKeyOfPoint(&made, made.origin, source->originKey)) {
        return wkFail(wk_errorRange, "scan: its origin is at (%g, %g, %g), outside the map",
                      (double)made.origin[0], (double)made.origin[1], (double)made.origin[2]);
    }
    return wk_ok;
}

// Reads points of an array, piece by piece.
static int32_t readArray(const void* context, int32_t number, wkPiece* piece)
{
    const wkPointsView* view = (const wkPointsView*)context;
    size_t step = (size_t)(view->stride > 0 ? view->stride : 12) / sizeof(float);
    int32_t first = number * WK_POINTS_PER_PIECE, left = view->count - first;
    int32_t count = left < WK_POINTS_PER_PIECE ? left : WK_POINTS_PER_PIECE;
    const float* from = &view->points[(size_t)first * step];
    for (int32_t i = 0; i < count; ++i, from += step) {
        piece->x[i] = from[0];
        piece->y[i] = from[1];
        piece->z[i] = from[2];
    }
    return count;
}

static wkResult insert(wkOctree* octree, const wkScan* scan, const wkPointSource* points,
                       wkScanInfo* report)
{
    int32_t sliceCount = (points->pieceCount + WK_PIECES_PER_SLICE - 1) / WK_PIECES_PER_SLICE;
    wkScanJob j = {
        .scan = scan,
        .points = points,
        .sliceCount = sliceCount > 0 ? sliceCount : 1, // a scan may have no points
    };
    wkResult result = makeSource(octree, scan, &j.source);
    if (result != wk_ok) {
        return result;
    }
    wkScanInfo counts = {0};
    bool isDone = allocateJob(&j) && mergeScan(octree, &j, &counts);
    freeJob(&j);
    if (!isDone) {
        return wkFail(wk_errorMemory, "scan: no memory for its cells");
    }
    if (report != NULL) {
        *report = counts;
    }
    return wk_ok;
}

// The same for the points of the scan itself.
static wkResult insertArray(wkOctree* octree, const wkScan* scan, wkScanInfo* report)
{
    wkResult result = checkScan(scan);
    if (result != wk_ok) {
        return result;
    }
    const wkPointSource points = {
        .read = readArray,
        .context = &scan->points,
        .pieceCount = (int32_t)(((int64_t)scan->points.count + WK_POINTS_PER_PIECE - 1) /
                                WK_POINTS_PER_PIECE),
    };
    return insert(octree, scan, &points, report);
}

// Ends a series of insertions: keeps all of them, or none.
static wkResult keepOrPutBack(wkOctree* octree, wkOctree* before, wkResult result)
{
    if (result == wk_ok) {
        wkOctree_Destroy(before);
    } else if (before != NULL) {
        wkOctreePutBack(octree, before);
    }
    return result;
}

wkResult wkOctree_InsertMany(wkOctree* octree, const wkScan* scans, int32_t count,
                             wkScanInfo* infos)
{
    if (octree == NULL || count < 0 || (scans == NULL && count > 0)) {
        return wkFail(wk_errorArgument, "scan: the map is NULL, or there are no %d scans",
                      (int)count);
    }
    wkOctree* before = NULL;
    wkResult result = wkOctree_Copy(octree, &before);
    for (int32_t i = 0; i < count && result == wk_ok; ++i) {
        result = insertArray(octree, &scans[i], infos != NULL ? &infos[i] : NULL);
    }
    return keepOrPutBack(octree, before, result);
}

wkResult wkOctree_Insert(wkOctree* octree, const wkScan* scan, wkScanInfo* info)
{
    return wkOctree_InsertMany(octree, scan, 1, info);
}

wkResult wkInsertScan(wkOctree* octree, const wkScan* scan, const wkPointSource* points,
                      wkScanInfo* report)
{
    wkResult result = checkScan(scan);
    wkOctree* before = NULL;
    if (result == wk_ok) {
        result = wkOctree_Copy(octree, &before);
    }
    if (result == wk_ok) {
        result = insert(octree, scan, points, report);
    }
    return keepOrPutBack(octree, before, result);
}

// Takes bricks that a device has found.
static wkResult mergeTraced(wkOctree* octree, const wkScanTracer* tracer, const wkScan* scan,
                            wkScanInfo* report)
{
    wkGridRaySource source;
    wkBrickList list = {.keys = NULL};
    wkResult result = makeSource(octree, scan, &source);
    result = result == wk_ok ? tracer->trace(tracer->device, &source, scan, report, &list) : result;
    const wkMergeRule rule = {scan->decay, scan->averageWeight};
    if (result == wk_ok &&
        !wkMergeBricks(octree, &list, &rule, &report->freeCount, &report->occupiedCount)) {
        result = wkFail(wk_errorMemory, "scan: no memory for its cells");
    }
    return result;
}

wkResult wkScanTracer_Insert(const wkScanTracer* tracer, wkOctree* octree, const wkScan* scan,
                             wkScanInfo* info)
{
    if (octree == NULL || scan == NULL) {
        return wkFail(wk_errorArgument, "scan: the %s is NULL", octree == NULL ? "map" : "scan");
    }
    wkOctree* before = NULL;
    wkScanInfo counts = {0};
    wkResult result = checkScan(scan);
    result = result == wk_ok ? wkOctree_Copy(octree, &before) : result;
    result = result == wk_ok ? mergeTraced(octree, tracer, scan, &counts) : result;
    if (result == wk_ok && info != NULL) {
        *info = counts;
    }
    return keepOrPutBack(octree, before, result);
}
