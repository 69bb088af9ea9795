// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The hierarchy of a cloud, from the leaves up. A level is an array of nodes; the highest level, one node, comes
// first, behind the stem.

#include "math/round.h"
#include "math/vec.h"
#include "tree/cloud/cloud_impl.h"

// 2^28 points have 2^25 leaves, and eight of a level are one of the next.
#define MAX_LEVELS 9

typedef struct plan {
    int levelCount;             // 0: no more than one leaf, which the stem holds
    int32_t counts[MAX_LEVELS]; // nodes of each level, from the lowest up
    int32_t firsts[MAX_LEVELS]; // their first node
    int32_t nodeCount;
} plan;

static plan planLevels(int32_t pointCount)
{
    plan p = {.levelCount = 0, .nodeCount = 1};
    for (int32_t below = WK_GROUP_COUNT(pointCount); below > 1;) {
        below = WK_GROUP_COUNT(below);
        p.counts[p.levelCount++] = below;
    }
    for (int level = p.levelCount - 1; level >= 0; --level) {
        p.firsts[level] = p.nodeCount;
        p.nodeCount += p.counts[level];
    }
    return p;
}

int32_t wkPlanCloudNodes(int32_t pointCount, int32_t* depth)
{
    plan p = planLevels(pointCount);
    *depth = pointCount > 0 ? p.levelCount + 1 : 0;
    return p.nodeCount;
}

typedef struct floatBox {
    float lower[3];
    float upper[3];
} floatBox;

// Rounds the ends of an interval of floats, widened by a radius, outward.
static void widen(float* lower, float* upper, double radius)
{
    *lower = wkRoundDown((double)*lower - radius);
    *upper = wkRoundUp((double)*upper + radius);
}

static floatBox boxOfGroup(const wkCloud* cloud, int32_t index)
{
    const wkPointGroup* group = &wkCloudGroups(cloud)[index];
    const float* from[3] = {group->x, group->y, group->z};
    const float* radii = wkCloudFloats(cloud, cloud->radiusOffset);
    float radius = wkRoundUp(cloud->radius);
    if (radii != NULL) {
        int32_t end = (index + 1) * WK_TREE_WIDTH;
        end = end < cloud->pointCount ? end : cloud->pointCount;
        radius = 0.0f;
        for (int32_t i = index * WK_TREE_WIDTH; i < end; ++i) {
            radius = radii[i] > radius ? radii[i] : radius;
        }
    }
    floatBox box;
    for (int axis = 0; axis < 3; ++axis) {
        float lower = from[axis][0], upper = from[axis][0];
        for (int i = 1; i < WK_TREE_WIDTH; ++i) {
            lower = from[axis][i] < lower ? from[axis][i] : lower;
            upper = from[axis][i] > upper ? from[axis][i] : upper;
        }
        widen(&lower, &upper, (double)radius);
        box.lower[axis] = lower;
        box.upper[axis] = upper;
    }
    return box;
}

static floatBox boxOfNode(const wkBoxNode* node)
{
    floatBox box;
    for (int axis = 0; axis < 3; ++axis) {
        box.lower[axis] = node->lower[axis][0];
        box.upper[axis] = node->upper[axis][0];
        for (int i = 1; i < WK_TREE_WIDTH && node->links[i] != WK_LINK_EMPTY; ++i) {
            box.lower[axis] =
                node->lower[axis][i] < box.lower[axis] ? node->lower[axis][i] : box.lower[axis];
            box.upper[axis] =
                node->upper[axis][i] > box.upper[axis] ? node->upper[axis][i] : box.upper[axis];
        }
    }
    return box;
}

static void setSlot(wkBoxNode* node, int slot, wkLink link, const floatBox* box)
{
    node->links[slot] = link;
    for (int axis = 0; axis < 3; ++axis) {
        node->lower[axis][slot] = box->lower[axis];
        node->upper[axis][slot] = box->upper[axis];
    }
}

static void clearSlots(wkBoxNode* node, int first)
{
    const floatBox nowhere = {{WK_FAR_AWAY, WK_FAR_AWAY, WK_FAR_AWAY},
                              {WK_FAR_AWAY, WK_FAR_AWAY, WK_FAR_AWAY}};
    for (int slot = first; slot < WK_TREE_WIDTH; ++slot) {
        setSlot(node, slot, WK_LINK_EMPTY, &nowhere);
    }
}

static wkLink leafOf(const wkCloud* cloud, int32_t group)
{
    int32_t first = group * WK_TREE_WIDTH, left = cloud->pointCount - first;
    return wkMakeLeaf(first, left < WK_TREE_WIDTH ? left : WK_TREE_WIDTH);
}

// Fills a level whose nodes hold the elements of the level below: leaves, for the lowest.
static void fillLevel(const wkCloud* cloud, const plan* p, int level, wkBoxNode* nodes)
{
    int32_t elements = level == 0 ? WK_GROUP_COUNT(cloud->pointCount) : p->counts[level - 1];
    for (int32_t i = 0; i < p->counts[level]; ++i) {
        wkBoxNode* node = &nodes[p->firsts[level] + i];
        int32_t first = i * WK_TREE_WIDTH, left = elements - first;
        int count = left < WK_TREE_WIDTH ? (int)left : WK_TREE_WIDTH;
        for (int slot = 0; slot < count; ++slot) {
            int32_t element = first + slot;
            int32_t below = level == 0 ? 0 : p->firsts[level - 1] + element;
            floatBox box = level == 0 ? boxOfGroup(cloud, element) : boxOfNode(&nodes[below]);
            setSlot(node, slot, level == 0 ? leafOf(cloud, element) : (wkLink)below, &box);
        }
        clearSlots(node, count);
    }
}

void wkBuildCloudNodes(wkCloud* cloud)
{
    plan p = planLevels(cloud->pointCount);
    wkBoxNode* nodes = (wkBoxNode*)((char*)cloud + cloud->nodeOffset);
    clearSlots(&nodes[0], 0);
    if (cloud->pointCount == 0) {
        cloud->bounds.lower = wkVec(INFINITY, INFINITY, INFINITY);
        cloud->bounds.upper = wkVec(-INFINITY, -INFINITY, -INFINITY);
        return;
    }
    for (int level = 0; level < p.levelCount; ++level) {
        fillLevel(cloud, &p, level, nodes);
    }
    floatBox box = p.levelCount == 0 ? boxOfGroup(cloud, 0) : boxOfNode(&nodes[1]);
    setSlot(&nodes[0], 0, p.levelCount == 0 ? leafOf(cloud, 0) : 1, &box);
    cloud->bounds.lower = wkVec((double)box.lower[0], (double)box.lower[1], (double)box.lower[2]);
    cloud->bounds.upper = wkVec((double)box.upper[0], (double)box.upper[1], (double)box.upper[2]);
}
