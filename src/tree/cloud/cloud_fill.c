// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Writes the arrays of a cloud in slices of points, with the nodes above them while they are in the cache.

#include "base/checksum.h"
#include "math/round.h"
#include "math/vec.h"
#include "tree/cloud/cloud_build.h"

#include <string.h>

// Points ahead whose memory is fetched early: the order of the curve is not that of the caller's memory.
#define AHEAD 64

// Levels whose nodes each belong to one slice.
#define SLICE_LEVELS 3
_Static_assert(WK_CLOUD_SLICE == 1 << (3 * (SLICE_LEVELS + 1)),
               "a node of eight slots for eight below");

typedef struct filling {
    const wkCloudSource* source;
    const wkCloudView* view;
    int64_t viewStride;
    const wkCloudOrder* order;
    wkCloudLevels levels;
    wkCloud* cloud;
} filling;

typedef struct slice {
    int32_t first;
    int32_t end;
} slice;

static slice sliceOf(const wkCloud* cloud, int32_t index)
{
    slice s = {index * WK_CLOUD_SLICE, (index + 1) * WK_CLOUD_SLICE};
    s.end = s.end < cloud->pointCount ? s.end : cloud->pointCount;
    return s;
}

WK_FORCE_FN void writePoint(wkPointGroup* groups, int32_t rank, const float position[3])
{
    wkPointGroup* group = &groups[rank / WK_TREE_WIDTH];
    group->x[rank % WK_TREE_WIDTH] = position[0];
    group->y[rank % WK_TREE_WIDTH] = position[1];
    group->z[rank % WK_TREE_WIDTH] = position[2];
}

static void writePoints(const filling* f, slice s)
{
    const wkCloudSource* source = f->source;
    wkPointGroup* groups = (wkPointGroup*)((char*)f->cloud + f->cloud->groupOffset);
    const int32_t* indices = wkCloudIds(f->cloud);
    float position[3] = {0.0f, 0.0f, 0.0f};
    for (int32_t rank = s.first; rank < s.end; ++rank) {
        int64_t ahead = indices[rank + AHEAD < s.end ? rank + AHEAD : rank];
        __builtin_prefetch(source->axes[0] + ahead * source->stride);
        wkReadSourcePoint(source, indices[rank], position);
        writePoint(groups, rank, position);
    }
    for (int32_t rank = s.end; rank % WK_TREE_WIDTH != 0; ++rank) { // repeats the last point
        writePoint(groups, rank, position);
    }
}

static void writeRadii(const filling* f, slice s)
{
    const wkCloudSource* source = f->source;
    const int32_t* indices = wkCloudIds(f->cloud);
    float* radii = (float*)((char*)f->cloud + f->cloud->radiusOffset);
    for (int32_t rank = s.first; rank < s.end && source->radii != NULL; ++rank) {
        double own = (double)wkFloatAt(source->radii + indices[rank] * source->stride);
        radii[rank] = wkRoundUp((double)wkRoundUp(own + source->addedRadius) + f->cloud->rounding);
    }
}

// Replaces indices of the source by those of the caller.
static void writeIds(const filling* f, slice s)
{
    int32_t* ids = (int32_t*)((char*)f->cloud + f->cloud->idOffset);
    for (int32_t rank = s.first; rank < s.end && f->source->ids != NULL; ++rank) {
        ids[rank] = f->source->ids[ids[rank]];
    }
}

// Copies floats of every point from the caller's memory.
static void copyFloats(const filling* f, slice s, int32_t offset, uint64_t to, size_t floats)
{
    const int32_t* ids = wkCloudIds(f->cloud);
    char* numbers = (char*)f->cloud + to;
    for (int32_t rank = s.first; rank < s.end && offset >= 0; ++rank) {
        const char* from = (const char*)f->view->data + ids[rank] * f->viewStride + offset;
        memcpy(numbers + (size_t)rank * floats * sizeof(float), from, floats * sizeof(float));
    }
}

// Makes the nodes of a level above the points of a slice.
static void fillNodes(const filling* f, int level, slice s)
{
    wkBoxNode* nodes = (wkBoxNode*)((char*)f->cloud + f->cloud->nodeOffset);
    const int64_t pointsPerNode = (int64_t)1 << (3 * (level + 2));
    for (int64_t node = s.first / pointsPerNode; node * pointsPerNode < s.end; ++node) {
        wkMakeCloudNode(f->cloud, &f->levels, level, (int32_t)node,
                        &nodes[f->levels.firsts[level] + node]);
    }
}

static void fillSlice(void* context, int32_t index)
{
    const filling* f = context;
    slice s = sliceOf(f->cloud, index);
    writePoints(f, s);
    writeRadii(f, s);
    writeIds(f, s);
    copyFloats(f, s, f->view->deviationOffset, f->cloud->deviationOffset, 1);
    copyFloats(f, s, f->view->normalOffset, f->cloud->normalOffset, 3);
    f->order->sliceSums[index] = wkSliceChecksum(f->cloud, index);
    for (int level = 0; level < SLICE_LEVELS && level < f->levels.levelCount; ++level) {
        fillNodes(f, level, s);
    }
}

static void fillUpperNodes(const filling* f)
{
    wkBoxNode* nodes = (wkBoxNode*)((char*)f->cloud + f->cloud->nodeOffset);
    slice all = {0, f->cloud->pointCount};
    for (int level = SLICE_LEVELS; level < f->levels.levelCount; ++level) {
        fillNodes(f, level, all);
    }
    wkMakeCloudStem(f->cloud, &f->levels, &nodes[0]);
    f->cloud->bounds = wkCloudStemBounds(&nodes[0]);
}

static double findMaxDeviation(const wkCloud* cloud)
{
    const float* deviations = wkCloudFloats(cloud, cloud->deviationOffset);
    float largest = 0.0f;
    for (int32_t rank = 0; rank < cloud->pointCount && deviations != NULL; ++rank) {
        largest = deviations[rank] > largest ? deviations[rank] : largest;
    }
    return (double)largest;
}

double wkFindMaxRadius(const wkCloud* cloud)
{
    const float* radii = wkCloudFloats(cloud, cloud->radiusOffset);
    double largest = cloud->pointCount > 0 && radii == NULL ? cloud->radius : 0.0;
    for (int32_t i = 0; i < cloud->pointCount && radii != NULL; ++i) {
        largest = wkMaxD(largest, (double)radii[i]);
    }
    return largest;
}

int wkFindCloudGaps(const wkCloud* cloud, uint64_t gaps[WK_CLOUD_GAPS][2])
{
    uint64_t count = (uint64_t)cloud->pointCount;
    const uint64_t arrays[WK_CLOUD_GAPS][2] = {
        {0, sizeof *cloud},
        {cloud->nodeOffset, (uint64_t)cloud->nodeCount * sizeof(wkBoxNode)},
        {cloud->groupOffset, WK_GROUP_COUNT(count) * sizeof(wkPointGroup)},
        {cloud->idOffset, count * sizeof(int32_t)},
        {cloud->radiusOffset, count * sizeof(float)},
        {cloud->deviationOffset, count * sizeof(float)},
        {cloud->normalOffset, 3 * count * sizeof(float)},
    };
    int found = 0;
    for (int i = 0; i < WK_CLOUD_GAPS; ++i) {
        if (i == 0 || arrays[i][0] != 0) {
            gaps[found][0] = arrays[i][0] + arrays[i][1];
            uint64_t end = (gaps[found][0] + 63u) & ~(uint64_t)63u;
            gaps[found++][1] = end < cloud->byteCount ? end : cloud->byteCount;
        }
    }
    return found;
}

static void clearGaps(wkCloud* cloud)
{
    uint64_t gaps[WK_CLOUD_GAPS][2];
    int count = wkFindCloudGaps(cloud, gaps);
    for (int i = 0; i < count; ++i) {
        memset((char*)cloud + gaps[i][0], 0, (size_t)(gaps[i][1] - gaps[i][0]));
    }
}

void wkFillCloud(const wkCloudDef* def, int64_t viewStride, const wkCloudSource* source,
                 const wkCloudOrder* order, const wkParallel* parallel, wkCloud* cloud)
{
    filling f = {source, &def->points, viewStride, order, wkPlanCloudLevels(cloud->pointCount),
                 cloud};
    wkRunTasks(parallel, fillSlice, &f, WK_SLICE_COUNT(cloud->pointCount));
    fillUpperNodes(&f);
    cloud->maxRadius = wkFindMaxRadius(cloud);
    cloud->maxDeviation = findMaxDeviation(cloud);
    clearGaps(cloud);
    cloud->checksum = wkCloudChecksum(cloud, order->sliceSums);
}

// Checksum of the elements of an array that belong to a slice; 0: there is no array.
static uint64_t checksumOfPart(const wkCloud* cloud, uint64_t offset, slice s, size_t elementBytes)
{
    const char* bytes = (const char*)cloud + offset + (size_t)s.first * elementBytes;
    return offset != 0 ? wkChecksum(bytes, (size_t)(s.end - s.first) * elementBytes) : 0;
}

uint64_t wkSliceChecksum(const wkCloud* cloud, int32_t index)
{
    slice s = sliceOf(cloud, index), groups = {s.first / WK_TREE_WIDTH, WK_GROUP_COUNT(s.end)};
    const uint64_t sums[] = {
        checksumOfPart(cloud, cloud->groupOffset, groups, sizeof(wkPointGroup)),
        checksumOfPart(cloud, cloud->idOffset, s, sizeof(int32_t)),
        checksumOfPart(cloud, cloud->radiusOffset, s, sizeof(float)),
        checksumOfPart(cloud, cloud->deviationOffset, s, sizeof(float)),
        checksumOfPart(cloud, cloud->normalOffset, s, 3 * sizeof(float)),
    };
    return wkChecksum(sums, sizeof sums);
}

uint64_t wkCloudChecksum(const wkCloud* cloud, const uint64_t* sliceSums)
{
    size_t start = offsetof(wkCloud, checksum) + sizeof cloud->checksum;
    uint64_t sum = wkChecksum((const char*)cloud + start, sizeof *cloud - start);
    for (int32_t i = 0; i < WK_SLICE_COUNT(cloud->pointCount); ++i) {
        const uint64_t both[] = {sum, sliceSums != NULL ? sliceSums[i] : wkSliceChecksum(cloud, i)};
        sum = wkChecksum(both, sizeof both);
    }
    return sum;
}
