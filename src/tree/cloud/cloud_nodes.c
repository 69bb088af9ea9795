// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The hierarchy of a cloud, from the leaves up. A level is an array of nodes; the highest level, one node, comes
// first, behind the stem. Nodes depend on nothing but points and radii, so that a block is checked by computing
// them again.

#include "math/round.h"
#include "math/vec.h"
#include "tree/cloud/cloud_impl.h"
#include "tree/cloud/cloud_kernel.h"

#include <string.h>

wkCloudLevels wkPlanCloudLevels(int32_t pointCount)
{
    wkCloudLevels levels = {.levelCount = 0, .nodeCount = 1};
    for (int32_t below = WK_GROUP_COUNT(pointCount); below > 1;) {
        below = WK_GROUP_COUNT(below);
        levels.counts[levels.levelCount++] = below;
    }
    for (int level = levels.levelCount - 1; level >= 0; --level) {
        levels.firsts[level] = levels.nodeCount;
        levels.nodeCount += levels.counts[level];
    }
    return levels;
}

// The largest radius of each of the groups from `first` on.
static void findRadii(const wkCloud* cloud, int32_t first, int count, float radii[WK_TREE_WIDTH])
{
    const float* own = wkCloudFloats(cloud, cloud->radiusOffset);
    for (int k = 0; k < count; ++k) {
        radii[k] = own != NULL ? 0.0f : wkRoundUp(cloud->radius);
        int32_t start = (first + k) * WK_TREE_WIDTH, left = cloud->pointCount - start;
        for (int32_t i = 0; own != NULL && i < (left < WK_TREE_WIDTH ? left : WK_TREE_WIDTH); ++i) {
            radii[k] = own[start + i] > radii[k] ? own[start + i] : radii[k];
        }
    }
}

// The coordinates of a group: boxes without size.
static wkBoxEnds endsOf(const wkPointGroup* group)
{
    _Static_assert(sizeof *group == 3 * sizeof group->x, "x, y and z are side by side");
    return &group->x;
}

static void clearSlots(wkBoxNode* node, int first)
{
    for (int slot = first; slot < WK_TREE_WIDTH; ++slot) {
        node->links[slot] = WK_LINK_EMPTY;
        for (int axis = 0; axis < 3; ++axis) {
            node->lower[axis][slot] = WK_FAR_AWAY;
            node->upper[axis][slot] = WK_FAR_AWAY;
        }
    }
}

static wkLink leafOf(const wkCloud* cloud, int32_t group)
{
    int32_t first = group * WK_TREE_WIDTH, left = cloud->pointCount - first;
    return wkMakeLeaf(first, left < WK_TREE_WIDTH ? left : WK_TREE_WIDTH);
}

// Makes a node of consecutive groups.
static void joinGroups(const wkCloud* cloud, int32_t first, int count, wkBoxNode* node)
{
    _Alignas(32) float radii[WK_TREE_WIDTH] = {0.0f};
    wkBoxEnds points[WK_TREE_WIDTH];
    findRadii(cloud, first, count, radii);
    for (int k = 0; k < WK_TREE_WIDTH; ++k) { // slots behind the last are cleared after
        points[k] = endsOf(&wkCloudGroups(cloud)[first + (k < count ? k : 0)]);
        node->links[k] = leafOf(cloud, first + k);
    }
    wkCloudLanesOfMachine()->joinBoxes(points, points, radii, node);
}

// Repeats the first box of a node in its empty slots.
static void fillSlots(wkBoxNode* node)
{
    for (int i = 0; i < WK_TREE_WIDTH; ++i) {
        for (int axis = 0; axis < 3 && node->links[i] == WK_LINK_EMPTY; ++axis) {
            node->lower[axis][i] = node->lower[axis][0];
            node->upper[axis][i] = node->upper[axis][0];
        }
    }
}

// Makes a node of consecutive nodes. None but the last of them has empty slots.
static void joinNodes(const wkCloud* cloud, int32_t first, int count, wkBoxNode* node)
{
    static const _Alignas(32) float radii[WK_TREE_WIDTH] = {0.0f};
    const wkBoxNode* below = &wkCloudNodes(cloud)[first];
    _Alignas(32) wkBoxNode last = below[count - 1];
    fillSlots(&last);
    wkBoxEnds lower[WK_TREE_WIDTH], upper[WK_TREE_WIDTH];
    for (int k = 0; k < WK_TREE_WIDTH; ++k) {
        const wkBoxNode* child = k < count - 1 ? &below[k] : &last;
        lower[k] = child->lower;
        upper[k] = child->upper;
        node->links[k] = (wkLink)(first + k);
    }
    wkCloudLanesOfMachine()->joinBoxes(lower, upper, radii, node);
}

// Makes a node of consecutive elements of the level below.
static void makeNode(const wkCloud* cloud, const wkCloudLevels* levels, int level, int32_t first,
                     int count, wkBoxNode* node)
{
    if (level == 0 && count > 0) {
        joinGroups(cloud, first, count, node);
    } else if (count > 0) {
        joinNodes(cloud, levels->firsts[level - 1] + first, count, node);
    }
    clearSlots(node, count);
}

void wkMakeCloudNode(const wkCloud* cloud, const wkCloudLevels* levels, int level, int32_t index,
                     wkBoxNode* node)
{
    int32_t elements = level == 0 ? WK_GROUP_COUNT(cloud->pointCount) : levels->counts[level - 1];
    int32_t first = index * WK_TREE_WIDTH, left = elements - first;
    makeNode(cloud, levels, level, first, left < WK_TREE_WIDTH ? (int)left : WK_TREE_WIDTH, node);
}

void wkMakeCloudStem(const wkCloud* cloud, const wkCloudLevels* levels, wkBoxNode* node)
{
    // one element of the highest level, which is a leaf where there is no level
    makeNode(cloud, levels, levels->levelCount, 0, cloud->pointCount > 0 ? 1 : 0, node);
}

wkAabb wkCloudStemBounds(const wkBoxNode* stem)
{
    wkAabb bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    if (stem->links[0] != WK_LINK_EMPTY) {
        bounds.lower =
            wkVec((double)stem->lower[0][0], (double)stem->lower[1][0], (double)stem->lower[2][0]);
        bounds.upper =
            wkVec((double)stem->upper[0][0], (double)stem->upper[1][0], (double)stem->upper[2][0]);
    }
    return bounds;
}
