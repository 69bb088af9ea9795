// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Loads clouds from untrusted blocks: as mesh_block.c does, every count, offset, number and link is checked.

#include "base/checksum.h"
#include "base/error.h"
#include "base/memory.h"
#include "math/vec.h"
#include "tree/bvh/tree_check.h"
#include "tree/cloud/cloud_impl.h"

#include <string.h>

static uint64_t checksumOf(const wkCloud* cloud)
{
    size_t start = offsetof(wkCloud, checksum) + sizeof cloud->checksum;
    return wkChecksum((const char*)cloud + start, (size_t)cloud->byteCount - start);
}

void wkSealCloud(wkCloud* cloud)
{
    cloud->checksum = checksumOf(cloud);
}

const void* wkCloud_Block(const wkCloud* cloud)
{
    return cloud;
}

static wkResult refuse(const char* reason)
{
    return wkFail(wk_errorParse, "cloud block: %s", reason);
}

// Checks that the block is a cloud of this format, and complete.
static wkResult checkIdentity(const wkCloud* cloud, size_t byteCount)
{
    if (byteCount < sizeof *cloud) {
        return refuse("shorter than its header");
    }
    if (cloud->magic == __builtin_bswap64(WK_CLOUD_MAGIC)) {
        return wkFail(wk_errorUnsupported, "cloud block: from a machine with another byte order");
    }
    if (cloud->magic != WK_CLOUD_MAGIC) {
        return refuse("not a cloud");
    }
    if (cloud->version != WK_CLOUD_VERSION || cloud->headerBytes != sizeof *cloud) {
        return wkFail(wk_errorUnsupported, "cloud block: version %u, this library has %u",
                      (unsigned)cloud->version, (unsigned)WK_CLOUD_VERSION);
    }
    if (cloud->byteCount < sizeof *cloud || cloud->byteCount > byteCount) {
        return wkFail(wk_errorParse, "cloud block: %llu bytes, but %llu are given",
                      (unsigned long long)cloud->byteCount, (unsigned long long)byteCount);
    }
    return cloud->checksum == checksumOf(cloud) ? wk_ok : refuse("damaged, by its checksum");
}

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
    int32_t depth;
    if (cloud->nodeCount != wkPlanCloudNodes(cloud->pointCount, &depth) || cloud->depth != depth) {
        return refuse("nodes or depth out of range");
    }
    if (cloud->hasRadii > 1 || cloud->hasDeviations > 1 || cloud->hasNormals > 1 ||
        cloud->hasRadii != (cloud->radiusOffset != 0) ||
        cloud->hasDeviations != (cloud->deviationOffset != 0) ||
        cloud->hasNormals != (cloud->normalOffset != 0)) {
        return refuse("a flag contradicts an offset");
    }
    bool isFinite = isSize(cloud->radius) && isSize(cloud->rounding) && isSize(cloud->maxRadius) &&
                    isSize(cloud->maxDeviation) && wkMaxAbs(cloud->origin) <= WK_CLOUD_REACH;
    return isFinite ? wk_ok : refuse("a size is out of range");
}

// Whether an array is behind the header, aligned, and before the end.
static bool isArray(const wkCloud* cloud, uint64_t offset, uint64_t count, uint64_t elementBytes)
{
    return offset % 64 == 0 && offset >= sizeof *cloud && offset <= cloud->byteCount &&
           count * elementBytes <= cloud->byteCount - offset;
}

static wkResult checkArrays(const wkCloud* cloud)
{
    uint64_t count = (uint64_t)cloud->pointCount;
    bool areValid =
        isArray(cloud, cloud->nodeOffset, (uint64_t)cloud->nodeCount, sizeof(wkBoxNode)) &&
        isArray(cloud, cloud->groupOffset, WK_GROUP_COUNT(count), sizeof(wkPointGroup)) &&
        isArray(cloud, cloud->idOffset, count, sizeof(int32_t)) &&
        (!cloud->hasRadii || isArray(cloud, cloud->radiusOffset, count, sizeof(float))) &&
        (!cloud->hasDeviations || isArray(cloud, cloud->deviationOffset, count, sizeof(float))) &&
        (!cloud->hasNormals || isArray(cloud, cloud->normalOffset, count, 3 * sizeof(float)));
    return areValid ? wk_ok : refuse("an array is outside of the block");
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

static wkResult checkPoints(const wkCloud* cloud)
{
    for (int32_t i = 0; i < cloud->pointCount; ++i) {
        if (!(wkMaxAbs(wkCloudPosition(cloud, i)) <= WK_CLOUD_REACH)) {
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
    bool hasBounds = cloud->pointCount == 0 ||
                     (wkIsFiniteVec(cloud->bounds.lower) && wkIsFiniteVec(cloud->bounds.upper));
    return hasBounds ? wk_ok : refuse("bounds are not finite");
}

static wkResult checkNodes(const wkCloud* cloud)
{
    wkTree tree = wkCloudTree(cloud);
    bool isValid;
    if (!wkCheckTree(&tree, cloud->pointCount, cloud->depth, &isValid)) {
        return wkFail(wk_errorMemory, "cloud block: no memory for %d nodes", (int)cloud->nodeCount);
    }
    return isValid ? wk_ok : refuse("the hierarchy is broken");
}

static wkResult checkBlock(const wkCloud* cloud, size_t byteCount)
{
    wkResult result = checkIdentity(cloud, byteCount);
    result = result == wk_ok ? checkHeader(cloud) : result;
    result = result == wk_ok ? checkArrays(cloud) : result;
    result = result == wk_ok ? checkPoints(cloud) : result;
    return result == wk_ok ? checkNodes(cloud) : result;
}

wkResult wkCloud_FromBlock(const void* block, size_t byteCount, wkCloud** cloud)
{
    *cloud = NULL;
    if (block == NULL) {
        return wkFail(wk_errorArgument, "cloud block: is NULL");
    }
    // bytes after the block itself are ignored; shorter ones are refused below
    wkCloud header;
    bool hasHeader = byteCount >= sizeof header;
    if (hasHeader) {
        memcpy(&header, block, sizeof header);
        byteCount = header.byteCount < byteCount ? (size_t)header.byteCount : byteCount;
    }
    if (!hasHeader || byteCount < sizeof header) {
        return refuse("shorter than its header");
    }
    wkCloud* copy = wkAlloc(byteCount);
    if (copy == NULL) {
        return wkFail(wk_errorMemory, "cloud block: no memory for %zu bytes", byteCount);
    }
    memcpy(copy, block, byteCount);
    wkResult result = checkBlock(copy, byteCount);
    if (result != wk_ok) {
        wkFree(copy, byteCount);
        return result;
    }
    *cloud = copy;
    return wk_ok;
}

wkResult wkCloud_MapBlock(const void* block, size_t byteCount, const wkCloud** cloud)
{
    *cloud = NULL;
    if (block == NULL || (uintptr_t)block % 64 != 0) {
        return wkFail(wk_errorArgument, "cloud block: %s",
                      block == NULL ? "is NULL" : "is not aligned to 64 bytes");
    }
    wkResult result = checkBlock(block, byteCount);
    *cloud = result == wk_ok ? block : NULL;
    return result;
}
