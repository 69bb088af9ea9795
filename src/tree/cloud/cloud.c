// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Point clouds: how one is made, and its figures.

#include "base/cookie.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/range.h"
#include "math/round.h"
#include "math/vec.h"
#include "tree/cloud/cloud_impl.h"

#include <string.h>

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
    };
    wkResult result = wkCheckNumbers("cloud", numbers, sizeof numbers / sizeof numbers[0]);
    if (result == wk_ok && def->spacing > 0.0 && def->spacing < LEAST_SPACING) {
        result = wkFail(wk_errorRange, "cloud: spacing is %g, must be 0 or %g and more",
                        def->spacing, LEAST_SPACING);
    }
    return result;
}

static wkCloud layOut(const wkCloudDef* def, const wkCloudPoints* points)
{
    wkCloud cloud = {
        .magic = WK_CLOUD_MAGIC,
        .version = WK_CLOUD_VERSION,
        .headerBytes = sizeof(wkCloud),
        .pointCount = points->count,
        .notFiniteCount = points->notFiniteCount,
        .mergedCount = points->mergedCount,
        .hasRadii = points->radii != NULL,
        .hasDeviations = def->points.deviationOffset >= 0,
        .hasNormals = def->points.normalOffset >= 0,
        .radius = def->radius + points->rounding,
        .rounding = points->rounding,
        .origin = def->origin,
    };
    cloud.nodeCount = wkPlanCloudNodes(points->count, &cloud.depth);
    uint64_t count = (uint64_t)points->count, bytes = sizeof cloud;
    cloud.nodeOffset = wkReserve(&bytes, (uint64_t)cloud.nodeCount * sizeof(wkBoxNode));
    cloud.groupOffset = wkReserve(&bytes, WK_GROUP_COUNT(count) * sizeof(wkPointGroup));
    cloud.idOffset = wkReserve(&bytes, count * sizeof(int32_t));
    cloud.radiusOffset = cloud.hasRadii ? wkReserve(&bytes, count * sizeof(float)) : 0;
    cloud.deviationOffset = cloud.hasDeviations ? wkReserve(&bytes, count * sizeof(float)) : 0;
    cloud.normalOffset = cloud.hasNormals ? wkReserve(&bytes, 3 * count * sizeof(float)) : 0;
    cloud.byteCount = (bytes + 63u) & ~(uint64_t)63u;
    return cloud;
}

static void writeGroups(wkCloud* cloud, const wkCloudPoints* points, const int32_t* order)
{
    wkPointGroup* groups = (wkPointGroup*)((char*)cloud + cloud->groupOffset);
    for (int32_t first = 0; first < cloud->pointCount; first += WK_TREE_WIDTH) {
        wkPointGroup* group = &groups[first / WK_TREE_WIDTH];
        for (int slot = 0; slot < WK_TREE_WIDTH; ++slot) {
            int32_t rank = first + slot < cloud->pointCount ? first + slot : cloud->pointCount - 1;
            group->x[slot] = points->x[order[rank]];
            group->y[slot] = points->y[order[rank]];
            group->z[slot] = points->z[order[rank]];
        }
    }
}

static void writeIds(wkCloud* cloud, const wkCloudPoints* points, const int32_t* order)
{
    int32_t* ids = (int32_t*)((char*)cloud + cloud->idOffset);
    for (int32_t rank = 0; rank < cloud->pointCount; ++rank) {
        ids[rank] = points->ids[order[rank]];
    }
}

static void writeRadii(wkCloud* cloud, const wkCloudPoints* points, const int32_t* order)
{
    cloud->maxRadius = cloud->pointCount > 0 ? cloud->radius : 0.0;
    if (points->radii == NULL) {
        return;
    }
    float* radii = (float*)((char*)cloud + cloud->radiusOffset);
    cloud->maxRadius = 0.0;
    for (int32_t rank = 0; rank < cloud->pointCount; ++rank) {
        radii[rank] = wkRoundUp((double)points->radii[order[rank]] + cloud->rounding);
        cloud->maxRadius = wkMaxD(cloud->maxRadius, (double)radii[rank]);
    }
}

// Copies floats of every point from the caller's memory.
static void copyFloats(wkCloud* cloud, const char* data, int64_t stride, int32_t offset,
                       uint64_t to, size_t floats)
{
    if (offset < 0) {
        return;
    }
    const int32_t* ids = wkCloudIds(cloud);
    char* numbers = (char*)cloud + to;
    for (int32_t rank = 0; rank < cloud->pointCount; ++rank) {
        const char* from = data + ids[rank] * stride + offset;
        memcpy(numbers + (size_t)rank * floats * sizeof(float), from, floats * sizeof(float));
    }
}

// Largest standard deviation of a point.
static void findMaxDeviation(wkCloud* cloud)
{
    const float* deviations = wkCloudFloats(cloud, cloud->deviationOffset);
    float largest = 0.0f;
    for (int32_t rank = 0; rank < cloud->pointCount && deviations != NULL; ++rank) {
        largest = deviations[rank] > largest ? deviations[rank] : largest;
    }
    cloud->maxDeviation = (double)largest;
}

static void fill(wkCloud* cloud, const wkCloudDef* def, const wkCloudPoints* points,
                 const int32_t* order)
{
    const wkCloudView* view = &def->points;
    writeGroups(cloud, points, order);
    writeIds(cloud, points, order);
    writeRadii(cloud, points, order);
    const char* data = (const char*)view->data;
    copyFloats(cloud, data, points->stride, view->deviationOffset, cloud->deviationOffset, 1);
    copyFloats(cloud, data, points->stride, view->normalOffset, cloud->normalOffset, 3);
    findMaxDeviation(cloud);
    wkBuildCloudNodes(cloud);
    wkSealCloud(cloud);
}

static wkResult build(const wkCloudDef* def, wkCloudPoints* points, wkCloud** cloud)
{
    bool isThinned = def->spacing > 0.0 || def->mergesDuplicates;
    bool hasMemory = !isThinned || wkThinCloudPoints(def, points);
    size_t orderBytes = ((size_t)points->count + 1) * sizeof(int32_t);
    int32_t* order = hasMemory ? wkAlloc(orderBytes) : NULL;
    wkCloud header = layOut(def, points);
    wkCloud* made = NULL;
    if (order != NULL && wkOrderCloudPoints(points, order)) {
        made = wkAlloc((size_t)header.byteCount);
    }
    if (made != NULL) {
        memset((char*)made, 0, (size_t)header.nodeOffset);
        *made = header;
        fill(made, def, points, order);
    }
    wkFree(order, order != NULL ? orderBytes : 0);
    *cloud = made;
    return made != NULL
               ? wk_ok
               : wkFail(wk_errorMemory, "cloud: no memory for %d points", (int)points->count);
}

wkResult wkCloud_Create(const wkCloudDef* def, wkCloud** cloud)
{
    *cloud = NULL;
    wkResult result = checkDef(def);
    if (result != wk_ok) {
        return result;
    }
    wkCloudPoints points;
    result = wkReadCloudPoints(def, &points);
    if (result == wk_ok) {
        result = build(def, &points, cloud);
    }
    wkFreeCloudPoints(&points);
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
