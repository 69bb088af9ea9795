// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Loads sphere trees from untrusted blocks: as cloud_block.c does, every count, offset, number and link is checked.
// The nodes of a block must be those that its spheres give, so none of them can be too small.

#include "base/checksum.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/saved_block.h"
#include "fit/sphere_tree/sphere_tree_impl.h"
#include "math/within.h"

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

static wkResult checkContent(const void* block);

static const wkSavedKind savedKind = {
    .name = "sphere tree",
    .article = "a",
    .magic = WK_SPHERE_TREE_MAGIC,
    .version = WK_SPHERE_TREE_VERSION,
    .headerBytes = sizeof(wkSphereTree),
    .check = checkContent,
};

static bool isSize(double number)
{
    return number >= 0.0 && number <= 1e48; // a volume of WK_SPHERE_REACH cubed
}

static wkResult checkHeader(const wkSphereTree* tree)
{
    bool isFinite = isSize(tree->volume) && isSize(tree->innerVolume) &&
                    (isSize(tree->protrusion) || tree->protrusion == INFINITY) &&
                    wkIsVecWithin(tree->around.center, 4.0 * WK_SPHERE_REACH) &&
                    isSize(tree->around.radius) && tree->isWatertight <= 1;
    return isFinite ? wk_ok : refuse("a size is out of range");
}

static wkResult checkArrays(const wkSphereTree* tree)
{
    for (int kind = 0; kind < WK_SPHERE_KIND_COUNT; ++kind) {
        const wkSphereSet* set = &tree->sets[kind];
        if (set->count < 0 || set->count > 1 << 30 || set->padding != 0 ||
            set->nodeCount != wkPlanSphereNodes(set->count)) {
            return refuse("spheres or nodes out of range");
        }
        if (!wkIsSavedArray(&savedKind, tree, set->sphereOffset, (uint64_t)set->count,
                            sizeof(wkSphereF)) ||
            !wkIsSavedArray(&savedKind, tree, set->nodeOffset, (uint64_t)set->nodeCount,
                            sizeof(wkSphereNode))) {
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
        if (!wkIsVecWithin(center, 4.0 * WK_SPHERE_REACH) ||
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

static wkResult checkContent(const void* block)
{
    const wkSphereTree* tree = (const wkSphereTree*)block;
    bool isWhole = tree->checksum == checksumOf(tree);
    wkResult result = isWhole ? checkHeader(tree) : refuse("damaged, by its checksum");
    result = result == wk_ok ? checkArrays(tree) : result;
    for (int kind = 0; kind < WK_SPHERE_KIND_COUNT && result == wk_ok; ++kind) {
        result = checkSpheres(tree, (wkSphereKind)kind);
        result = result == wk_ok ? checkNodes(tree, (wkSphereKind)kind) : result;
    }
    return result;
}

wkResult wkSphereTree_FromBlock(const void* block, size_t byteCount, wkSphereTree** tree)
{
    void* object = NULL;
    wkResult result = wkCopySavedBlock(&savedKind, block, byteCount, &object);
    *tree = (wkSphereTree*)object;
    return result;
}

wkResult wkSphereTree_MapBlock(const void* block, size_t byteCount, const wkSphereTree** tree)
{
    wkResult result = wkCheckMappedBlock(&savedKind, block, byteCount);
    *tree = result == wk_ok ? (const wkSphereTree*)block : NULL;
    return result;
}
