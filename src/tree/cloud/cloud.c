// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Point clouds: how one is made, and its figures.

#include "base/assert.h"
#include "base/cookie.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/thread_pool.h"
#include "math/vec.h"
#include "tree/cloud/cloud_build.h"

#include <inttypes.h>

// Two entries for each point: less than its share of nodes and groups.
#define SCRATCH_BYTES 16
_Static_assert(SCRATCH_BYTES == 2 * sizeof(wkCurveEntry),
               "entries are moved from one array to another");

// Cubes of this size still have integers as coordinates wherever floats can be.
#define LEAST_SPACING 1e-6

wkCloudDef wkDefaultCloudDef(void)
{
    wkCloudDef def = {
        .cookie = WK_COOKIE(wkCloudDef),
        .points = wkMakeCloudView(NULL, 0),
        .maxRounding = 1e-4,
    };
    return def;
}

static wkResult checkDef(const wkCloudDef* def)
{
    if (!WK_HAS_COOKIE(def, wkCloudDef)) {
        return WK_FAIL_COOKIE(def, wkCloudDef);
    }
    const wkNamedNumber numbers[] = {
        {"origin.x", def->origin.x, -WK_CLOUD_REACH, WK_CLOUD_REACH},
        {"origin.y", def->origin.y, -WK_CLOUD_REACH, WK_CLOUD_REACH},
        {"origin.z", def->origin.z, -WK_CLOUD_REACH, WK_CLOUD_REACH},
        {"radius", def->radius, 0.0, WK_CLOUD_REACH},
        {"spacing", def->spacing, 0.0, WK_CLOUD_REACH},
        // with more, cubes of a metre could not be told apart
        {"maxRounding", def->maxRounding, 0.0, 1.0},
        {"mergedCount", (double)def->mergedCount, 0.0, WK_TREE_MAX_ITEMS},
    };
    wkResult result = wkCheckNumbers("cloud", numbers, sizeof numbers / sizeof numbers[0]);
    if (result == wk_ok && def->spacing > 0.0 && def->spacing < LEAST_SPACING) {
        result = wkFail(wk_errorRange, "cloud: spacing is %g, must be 0 or %g and more",
                        def->spacing, LEAST_SPACING);
    }
    return result;
}

// Everything that is needed until the cloud is complete.
typedef struct making {
    const wkCloudDef* def;
    const wkParallel* parallel;
    wkCloudLayout view;
    wkCloudSource source;
    wkSourceFigures figures;
    double rounding;        // of the caller's points
    int32_t notFiniteCount; // of them
    wkCloudPoints thinned;
    wkSourceFigures thinnedFigures;
    wkCloudOrder order;
} making;

static wkCloudSource sourceOfView(const wkCloudDef* def, const wkCloudLayout* view)
{
    bool hasOrigin = wkMaxAbs(def->origin) > 0.0;
    wkCloudSource source = {
        .stride = view->stride,
        .count = view->count,
        .origin = {def->origin.x, def->origin.y, def->origin.z},
        .isDouble = view->isDouble,
        .isExact = !view->isDouble && !hasOrigin,
        .radii =
            view->radiusOffset >= 0 && view->count > 0 ? view->data + view->radiusOffset : NULL,
        .addedRadius = def->radius,
    };
    for (int axis = 0; axis < 3 && view->count > 0; ++axis) {
        source.axes[axis] = view->data + view->offsets[axis];
    }
    return source;
}

static wkCloudSource sourceOfArrays(const wkCloudPoints* points)
{
    wkCloudSource source = {
        .axes = {(const char*)points->x, (const char*)points->y, (const char*)points->z},
        .stride = sizeof(float),
        .count = points->count,
        .isExact = true,
        .radii = (const char*)points->radii,
        .ids = points->ids,
    };
    return source;
}

// Replaces the source by fewer points.
static bool thin(making* m)
{
    if (!wkReadCloudPoints(&m->source, m->figures.all.finiteCount, &m->thinned) ||
        !wkThinCloudPoints(m->def, &m->thinned)) {
        return false;
    }
    m->source = sourceOfArrays(&m->thinned);
    return wkMeasureThinned(&m->source, m->parallel, &m->thinnedFigures);
}

static wkCloud layOut(const making* m)
{
    const wkCloudDef* def = m->def;
    wkCloud cloud = {
        .magic = WK_CLOUD_MAGIC,
        .version = WK_CLOUD_VERSION,
        .headerBytes = sizeof(wkCloud),
        .pointCount = m->order.count,
        .notFiniteCount = m->notFiniteCount,
        .mergedCount = def->mergedCount + m->thinned.mergedCount,
        .hasRadii = m->source.radii != NULL || def->points.radiusOffset >= 0,
        .hasDeviations = def->points.deviationOffset >= 0,
        .hasNormals = def->points.normalOffset >= 0,
        .radius = def->radius + m->rounding,
        .rounding = m->rounding,
        .origin = def->origin,
    };
    wkCloudLevels levels = wkPlanCloudLevels(cloud.pointCount);
    cloud.nodeCount = levels.nodeCount;
    cloud.depth = wkCloudDepth(&levels, cloud.pointCount);
    uint64_t count = (uint64_t)cloud.pointCount, bytes = sizeof cloud;
    cloud.nodeOffset = wkReserve(&bytes, (uint64_t)cloud.nodeCount * sizeof(wkBoxNode));
    cloud.groupOffset = wkReserve(&bytes, WK_GROUP_COUNT(count) * sizeof(wkPointGroup));
    cloud.idOffset = wkReserve(&bytes, count * sizeof(int32_t));
    cloud.radiusOffset = cloud.hasRadii ? wkReserve(&bytes, count * sizeof(float)) : 0;
    cloud.deviationOffset = cloud.hasDeviations ? wkReserve(&bytes, count * sizeof(float)) : 0;
    cloud.normalOffset = cloud.hasNormals ? wkReserve(&bytes, 3 * count * sizeof(float)) : 0;
    cloud.byteCount = (bytes + 63u) & ~(uint64_t)63u;
    return cloud;
}

static wkResult failMemory(const making* m, uint64_t byteCount)
{
    return wkFail(wk_errorMemory, "cloud: no memory for %" PRId64 " points, %" PRIu64 " MB",
                  m->view.count, byteCount / 1000000);
}

// Makes the cloud of points that have been checked.
static wkResult build(making* m, wkCloud** cloud)
{
    bool isThinned = m->def->spacing > 0.0 || m->def->mergesDuplicates;
    if (isThinned && !thin(m)) {
        return failMemory(m, m->thinned.byteCount);
    }
    const wkSourceFigures* figures = isThinned ? &m->thinnedFigures : &m->figures;
    if (!wkPlanCloudOrder(figures, m->source.count, &m->order)) {
        return failMemory(m, m->order.byteCount);
    }
    wkCloud header = layOut(m);
    wkCloud* made = wkAlloc((size_t)header.byteCount);
    if (made == NULL) {
        return failMemory(m, header.byteCount);
    }
    *made = header;
    // nodes and groups are written when the order is known
    WK_ASSERT(header.idOffset - header.nodeOffset >= SCRATCH_BYTES * (uint64_t)header.pointCount);
    wkCurveEntry* scratch = (wkCurveEntry*)((char*)made + header.nodeOffset);
    int32_t* indices = (int32_t*)((char*)made + header.idOffset);
    wkOrderCloudPoints(&m->source, figures, m->parallel, &m->order, scratch, indices);
    wkFillCloud(m->def, m->view.stride, &m->source, &m->order, m->parallel, made);
    *cloud = made;
    return wk_ok;
}

// Nothing would ever touch a cloud without points, such as that of a covered lens.
static wkResult checkFinite(const making* m)
{
    return m->figures.all.finiteCount > 0 || m->def->allowsEmpty
               ? wk_ok
               : wkFail(wk_errorArgument,
                        "cloud: none of %" PRId64 " points is finite; allowsEmpty takes that",
                        m->view.count);
}

static wkResult makeCloud(making* m, wkCloud** cloud)
{
    m->source = sourceOfView(m->def, &m->view);
    wkResult result = wkMeasureSource(m->def, &m->source, m->parallel, &m->figures);
    m->rounding = m->figures.rounding;
    m->notFiniteCount = (int32_t)m->view.count - m->figures.all.finiteCount;
    result = result == wk_ok ? checkFinite(m) : result;
    result = result == wk_ok ? build(m, cloud) : result;
    wkFreeCloudOrder(&m->order);
    wkFreeSourceFigures(&m->thinnedFigures);
    wkFreeCloudPoints(&m->thinned);
    wkFreeSourceFigures(&m->figures);
    return result;
}

wkResult wkCloud_Create(const wkCloudDef* def, wkCloud** cloud)
{
    *cloud = NULL;
    making m = {.def = def};
    wkResult result = checkDef(def);
    result = result == wk_ok ? wkCloudView_LayOut(&def->points, &m.view) : result;
    if (result != wk_ok) {
        return result;
    }
    // threads of the library are started once, for all loops
    int32_t chunks = WK_CHUNK_COUNT(m.view.count), threads = wkCountThreads(def->parallel);
    bool hasPool = def->parallel != NULL && def->parallel->run == NULL && threads > 1 && chunks > 1;
    if (!hasPool) {
        m.parallel = chunks > 1 ? def->parallel : NULL;
        return makeCloud(&m, cloud);
    }
    wkThreadPool pool;
    wkThreadPool_Start(&pool, threads < chunks ? threads : chunks);
    wkParallel parallel = wkThreadPool_Parallel(&pool);
    m.parallel = &parallel;
    result = makeCloud(&m, cloud);
    wkThreadPool_Stop(&pool);
    return result;
}

void wkCloud_Destroy(wkCloud* cloud)
{
    if (cloud != NULL) {
        wkFree(cloud, (size_t)cloud->byteCount);
    }
}

wkCloudInfo wkCloud_Info(const wkCloud* cloud)
{
    wkCloudInfo info = {
        .pointCount = cloud->pointCount,
        .notFiniteCount = cloud->notFiniteCount,
        .mergedCount = cloud->mergedCount,
        .hasRadii = cloud->hasRadii != 0,
        .hasDeviations = cloud->hasDeviations != 0,
        .hasNormals = cloud->hasNormals != 0,
        .rounding = cloud->rounding,
        .maxRadius = cloud->maxRadius,
        .maxDeviation = cloud->maxDeviation,
        .origin = cloud->origin,
        .bounds = cloud->bounds,
        .byteCount = (size_t)cloud->byteCount,
    };
    return info;
}

wkCloudPoint wkCloud_Point(const wkCloud* cloud, int32_t rank)
{
    const float* deviations = wkCloudFloats(cloud, cloud->deviationOffset);
    const float* normals = wkCloudFloats(cloud, cloud->normalOffset);
    wkCloudPoint point = {
        .position = wkCloudPosition(cloud, rank),
        .radius = wkCloudRadius(cloud, rank),
        .deviation = deviations != NULL ? (double)deviations[rank] : 0.0,
        .index = wkCloudIds(cloud)[rank],
    };
    if (normals != NULL) {
        const float* normal = normals + 3 * (size_t)rank;
        point.normal = wkVec((double)normal[0], (double)normal[1], (double)normal[2]);
    }
    return point;
}
