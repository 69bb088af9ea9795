// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Loads clouds from untrusted blocks: as mesh_block.c does, every count, offset, number and link is checked.

#include "base/error.h"
#include "base/memory.h"
#include "base/saved_block.h"
#include "math/vec.h"
#include "math/within.h"
#include "tree/cloud/cloud_impl.h"

#include <string.h>

const void* wkCloud_Block(const wkCloud* cloud)
{
    return cloud;
}

static wkResult refuse(const char* reason)
{
    return wkFail(wk_errorParse, "cloud block: %s", reason);
}

static wkResult checkContent(const void* block);

static const wkSavedKind savedKind = {
    .name = "cloud",
    .article = "a",
    .magic = WK_CLOUD_MAGIC,
    .version = WK_CLOUD_VERSION,
    .headerBytes = sizeof(wkCloud),
    .check = checkContent,
};

static bool isSize(double number)
{
    return number >= 0.0 && number <= 4.0 * WK_CLOUD_REACH;
}

static wkResult checkHeader(const wkCloud* cloud)
{
    if (cloud->pointCount < 0 || cloud->pointCount > WK_TREE_MAX_ITEMS ||
        cloud->notFiniteCount < 0 || cloud->mergedCount < 0) {
        return refuse("points out of range");
    }
    wkCloudLevels levels = wkPlanCloudLevels(cloud->pointCount);
    if (cloud->nodeCount != levels.nodeCount ||
        cloud->depth != wkCloudDepth(&levels, cloud->pointCount)) {
        return refuse("nodes or depth out of range");
    }
    if (cloud->hasRadii > 1 || cloud->hasDeviations > 1 || cloud->hasNormals > 1 ||
        cloud->hasRadii != (cloud->radiusOffset != 0) ||
        cloud->hasDeviations != (cloud->deviationOffset != 0) ||
        cloud->hasNormals != (cloud->normalOffset != 0)) {
        return refuse("a flag contradicts an offset");
    }
    bool isFinite = isSize(cloud->radius) && isSize(cloud->rounding) && isSize(cloud->maxRadius) &&
                    isSize(cloud->maxDeviation) && wkIsVecWithin(cloud->origin, WK_CLOUD_REACH);
    return isFinite ? wk_ok : refuse("a size is out of range");
}

static wkResult checkArrays(const wkCloud* cloud)
{
    uint64_t count = (uint64_t)cloud->pointCount;
    bool areValid =
        wkIsSavedArray(&savedKind, cloud, cloud->nodeOffset, (uint64_t)cloud->nodeCount,
                       sizeof(wkBoxNode)) &&
        wkIsSavedArray(&savedKind, cloud, cloud->groupOffset, WK_GROUP_COUNT(count),
                       sizeof(wkPointGroup)) &&
        wkIsSavedArray(&savedKind, cloud, cloud->idOffset, count, sizeof(int32_t)) &&
        (!cloud->hasRadii ||
         wkIsSavedArray(&savedKind, cloud, cloud->radiusOffset, count, sizeof(float))) &&
        (!cloud->hasDeviations ||
         wkIsSavedArray(&savedKind, cloud, cloud->deviationOffset, count, sizeof(float))) &&
        (!cloud->hasNormals ||
         wkIsSavedArray(&savedKind, cloud, cloud->normalOffset, count, 3 * sizeof(float)));
    return areValid ? wk_ok : refuse("an array is outside of the block");
}

void wkSealCloud(wkCloud* cloud)
{
    // with arrays outside of the block there is nothing to read
    bool isReadable = checkHeader(cloud) == wk_ok && checkArrays(cloud) == wk_ok;
    cloud->checksum = isReadable ? wkCloudChecksum(cloud, NULL) : 0;
}

// Whether all are sizes up to the largest one; there may be none.
static bool areSizes(const float* numbers, int32_t count, double largest)
{
    for (int32_t i = 0; i < count && numbers != NULL; ++i) {
        if (!isSize((double)numbers[i]) || (double)numbers[i] > largest) {
            return false;
        }
    }
    return true;
}

// Checks that the largest radius is that of the points.
static wkResult checkRadii(const wkCloud* cloud)
{
    return cloud->maxRadius == wkFindMaxRadius(cloud)
               ? wk_ok
               : refuse("the largest radius is not that of the points");
}

static wkResult checkPoints(const wkCloud* cloud)
{
    for (int32_t i = 0; i < cloud->pointCount; ++i) {
        if (!wkIsVecWithin(wkCloudPosition(cloud, i), WK_CLOUD_REACH)) {
            return refuse("a point is out of range");
        }
        if (wkCloudIds(cloud)[i] < 0) {
            return refuse("an index is negative");
        }
    }
    bool areValid =
        areSizes(wkCloudFloats(cloud, cloud->radiusOffset), cloud->pointCount, cloud->maxRadius) &&
        areSizes(wkCloudFloats(cloud, cloud->deviationOffset), cloud->pointCount,
                 cloud->maxDeviation);
    if (!areValid) {
        return refuse("a radius or a standard deviation is out of range");
    }
    return checkRadii(cloud);
}

static bool isSameNode(const wkBoxNode* a, const wkBoxNode* b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

// Checks that the nodes are those of the points, by computing them again from the leaves up.
static wkResult checkNodes(const wkCloud* cloud)
{
    wkCloudLevels levels = wkPlanCloudLevels(cloud->pointCount);
    const wkBoxNode* nodes = wkCloudNodes(cloud);
    bool isSame = true;
    _Alignas(32) wkBoxNode node;
    for (int level = 0; level < levels.levelCount; ++level) {
        for (int32_t i = 0; i < levels.counts[level] && isSame; ++i) {
            wkMakeCloudNode(cloud, &levels, level, i, &node);
            isSame = isSameNode(&node, &nodes[levels.firsts[level] + i]);
        }
    }
    if (isSame) {
        wkMakeCloudStem(cloud, &levels, &node);
        wkAabb bounds = wkCloudStemBounds(&node);
        isSame =
            isSameNode(&node, &nodes[0]) && memcmp(&bounds, &cloud->bounds, sizeof bounds) == 0;
    }
    return isSame ? wk_ok : refuse("nodes or bounds are not those of the points");
}

static bool areGapsEmpty(const wkCloud* cloud)
{
    uint64_t gaps[WK_CLOUD_GAPS][2];
    int count = wkFindCloudGaps(cloud, gaps);
    for (int i = 0; i < count; ++i) {
        for (uint64_t at = gaps[i][0]; at < gaps[i][1]; ++at) {
            if (((const char*)cloud)[at] != 0) {
                return false;
            }
        }
    }
    return true;
}

static wkResult checkContent(const void* block)
{
    const wkCloud* cloud = (const wkCloud*)block;
    wkResult result = checkHeader(cloud);
    result = result == wk_ok ? checkArrays(cloud) : result;
    if (result == wk_ok && cloud->checksum != wkCloudChecksum(cloud, NULL)) {
        return refuse("damaged, by its checksum");
    }
    if (result == wk_ok && !areGapsEmpty(cloud)) {
        return refuse("bytes between arrays are not 0");
    }
    result = result == wk_ok ? checkPoints(cloud) : result;
    return result == wk_ok ? checkNodes(cloud) : result;
}

wkResult wkCloud_FromBlock(const void* block, size_t byteCount, wkCloud** cloud)
{
    void* object = NULL;
    wkResult result = wkCopySavedBlock(&savedKind, block, byteCount, &object);
    *cloud = (wkCloud*)object;
    return result;
}

wkResult wkCloud_MapBlock(const void* block, size_t byteCount, const wkCloud** cloud)
{
    wkResult result = wkCheckMappedBlock(&savedKind, block, byteCount);
    *cloud = result == wk_ok ? (const wkCloud*)block : NULL;
    return result;
}
