// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Loads sphere trees from untrusted blocks: as cloud_block.c does, every count, offset, number and link is checked.
// The nodes of a block must be those that its spheres give, so none of them can be too small.

#include "base/checksum.h"
#include "base/error.h"
#include "base/memory.h"
#include "fit/sphere_tree/sphere_tree_impl.h"

#include <string.h>

static uint64_t checksumOf(const wkSphereTree* tree)
{
    size_t start = offsetof(wkSphereTree, checksum) + sizeof tree->checksum;
    return wkChecksum((const char*)tree + start, (size_t)tree->byteCount - start);
}

void wkSealSphereTree(wkSphereTree* tree)
{
    tree->checksum = checksumOf(tree);
}

const void* wkSphereTree_Block(const wkSphereTree* tree)
{
    return tree;
}

static wkResult refuse(const char* reason)
{
    return wkFail(wk_errorParse, "sphere tree block: %s", reason);
}

// Checks that the block is a sphere tree of this format, and complete.
static wkResult checkIdentity(const wkSphereTree* tree, size_t byteCount)
{
    if (byteCount < sizeof *tree) {
        return refuse("shorter than its header");
    }
    if (tree->magic == __builtin_bswap64(WK_SPHERE_TREE_MAGIC)) {
        return wkFail(wk_errorUnsupported,
                      "sphere tree block: from a machine with another byte order");
    }
    if (tree->magic != WK_SPHERE_TREE_MAGIC) {
        return refuse("not a sphere tree");
    }
    if (tree->version != WK_SPHERE_TREE_VERSION || tree->headerBytes != sizeof *tree) {
        return wkFail(wk_errorUnsupported, "sphere tree block: version %u, this library has %u",
                      (unsigned)tree->version, (unsigned)WK_SPHERE_TREE_VERSION);
    }
    if (tree->byteCount < sizeof *tree || tree->byteCount > byteCount) {
        return wkFail(wk_errorParse, "sphere tree block: %llu bytes, but %llu are given",
                      (unsigned long long)tree->byteCount, (unsigned long long)byteCount);
    }
    return tree->checksum == checksumOf(tree) ? wk_ok : refuse("damaged, by its checksum");
}

static bool isSize(double number)
{
    return number >= 0.0 && number <= 1e48; // a volume of WK_SPHERE_REACH cubed
}

static wkResult checkHeader(const wkSphereTree* tree)
{
    bool isFinite = isSize(tree->volume) && isSize(tree->innerVolume) &&
                    (isSize(tree->protrusion) || tree->protrusion == INFINITY) &&
                    wkMaxAbs(tree->around.center) <= 4.0 * WK_SPHERE_REACH &&
                    isSize(tree->around.radius) && tree->isWatertight <= 1;
    return isFinite ? wk_ok : refuse("a size is out of range");
}

// Whether an array is behind the header, aligned, and before the end.
static bool isArray(const wkSphereTree* tree, uint64_t offset, uint64_t count,
                    uint64_t elementBytes)
{
    return offset % 64 == 0 && offset >= sizeof *tree && offset <= tree->byteCount &&
           count * elementBytes <= tree->byteCount - offset;
}

static wkResult checkArrays(const wkSphereTree* tree)
{
    for (int kind = 0; kind < WK_SPHERE_KIND_COUNT; ++kind) {
        const wkSphereSet* set = &tree->sets[kind];
        if (set->count < 0 || set->count > 1 << 30 || set->padding != 0 ||
            set->nodeCount != wkPlanSphereNodes(set->count)) {
            return refuse("spheres or nodes out of range");
        }
        if (!isArray(tree, set->sphereOffset, (uint64_t)set->count, sizeof(wkSphereF)) ||
            !isArray(tree, set->nodeOffset, (uint64_t)set->nodeCount, sizeof(wkSphereNode))) {
            return refuse("an array is outside of the block");
        }
    }
    return wk_ok;
}

static wkResult checkSpheres(const wkSphereTree* tree, wkSphereKind kind)
{
    const wkSphereF* spheres = wkSpheresOf(tree, kind);
    for (int32_t i = 0; i < tree->sets[kind].count; ++i) {
        wkVec3d center = wkCenterOfSphere(&spheres[i]);
        double radius = (double)spheres[i].radius;
        if (!(wkMaxAbs(center) <= 4.0 * WK_SPHERE_REACH) ||
            !(radius >= 0.0 && radius <= 4.0 * WK_SPHERE_REACH)) {
            return refuse("a sphere is out of range");
        }
    }
    return wk_ok;
}

// Builds the nodes again and compares them: building is deterministic.
static wkResult checkNodes(const wkSphereTree* tree, wkSphereKind kind)
{
    const wkSphereSet* set = &tree->sets[kind];
    size_t byteCount = (size_t)set->nodeCount * sizeof(wkSphereNode);
    wkSphereNode* nodes = wkAlloc(byteCount);
    wkSphereSet bounds = *set;
    if (nodes == NULL || !wkBuildSphereNodes(wkSpheresOf(tree, kind), set->count, nodes, &bounds)) {
        wkFree(nodes, byteCount);
        return wkFail(wk_errorMemory, "sphere tree block: no memory for %d nodes",
                      (int)set->nodeCount);
    }
    bool isSame = memcmp(nodes, wkSphereNodesOf(tree, kind), byteCount) == 0 &&
                  memcmp(&bounds, set, sizeof bounds) == 0;
    wkFree(nodes, byteCount);
    return isSame ? wk_ok : refuse("the hierarchy is broken");
}

static wkResult checkBlock(const wkSphereTree* tree, size_t byteCount)
{
    wkResult result = checkIdentity(tree, byteCount);
    result = result == wk_ok ? checkHeader(tree) : result;
    result = result == wk_ok ? checkArrays(tree) : result;
    for (int kind = 0; kind < WK_SPHERE_KIND_COUNT && result == wk_ok; ++kind) {
        result = checkSpheres(tree, (wkSphereKind)kind);
        result = result == wk_ok ? checkNodes(tree, (wkSphereKind)kind) : result;
    }
    return result;
}

wkResult wkSphereTree_FromBlock(const void* block, size_t byteCount, wkSphereTree** tree)
{
    *tree = NULL;
    if (block == NULL) {
        return wkFail(wk_errorArgument, "sphere tree block: is NULL");
    }
    // bytes after the block itself are ignored; shorter ones are refused below
    wkSphereTree header;
    bool hasHeader = byteCount >= sizeof header;
    if (hasHeader) {
        memcpy(&header, block, sizeof header);
        byteCount = header.byteCount < byteCount ? (size_t)header.byteCount : byteCount;
    }
    if (!hasHeader || byteCount < sizeof header) {
        return refuse("shorter than its header");
    }
    wkSphereTree* copy = wkAlloc(byteCount);
    if (copy == NULL) {
        return wkFail(wk_errorMemory, "sphere tree block: no memory for %zu bytes", byteCount);
    }
    memcpy((char*)copy, block, byteCount);
    wkResult result = checkBlock(copy, byteCount);
    if (result != wk_ok) {
        wkFree(copy, byteCount);
        return result;
    }
    *tree = copy;
    return wk_ok;
}

wkResult wkSphereTree_MapBlock(const void* block, size_t byteCount, const wkSphereTree** tree)
{
    *tree = NULL;
    if (block == NULL || (uintptr_t)block % 64 != 0) {
        return wkFail(wk_errorArgument, "sphere tree block: %s",
                      block == NULL ? "is NULL" : "is not aligned to 64 bytes");
    }
    wkResult result = checkBlock(block, byteCount);
    *tree = result == wk_ok ? block : NULL;
    return result;
}
