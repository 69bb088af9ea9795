// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The walks over trees of boxes: one box against the eight of a node at a time.

#include "query/tree/box_kernel.h"
#include "query/tree/box_bounds.h"
#include "query/tree/front.h"

typedef struct treesQuery {
    const wkTreesWalk* walk;
    wkFloatRotation aFromB;
    wkFloatRotation bFromA;
} treesQuery;

WK_FORCE_FN float extent(const wkTree* tree, wkSlot slot)
{
    wkCenteredBox b = wkBoxInSlot(tree, slot);
    return b.half[0] + b.half[1] + b.half[2];
}

WK_FORCE_FN bool opensLargerA(const void* query, wkSlot a, wkSlot b)
{
    const wkPairWalk* walk = &((const treesQuery*)query)->walk->pairs;
    return extent(&walk->a, a) > extent(&walk->b, b);
}

// Rounding of squared distances of points.
#define SQUARE_ROUNDING 1e-6f

// Of some slots of a node of B, those with a point of a leaf of A within the limit. Spheres around eight points are
// further from most boxes than the box around them.
WK_APART_FN unsigned keepNearPoints(const treesQuery* q, wkLink leaf, const wkBoxNode* node,
                                    unsigned mask)
{
    const wkPointGroup* group = &q->walk->groups[wkLeafFirst(leaf) / WK_TREE_WIDTH];
    wkEight given[3] = {wkLoad8(group->x), wkLoad8(group->y), wkLoad8(group->z)}, p[3];
    for (int k = 0; k < 3; ++k) {
        const float* r = q->bFromA.rotation[k];
        p[k] = wkAdd8(wkMul8(wkSplat8(r[0]), given[0]), wkMul8(wkSplat8(r[1]), given[1]));
        p[k] = wkAdd8(p[k], wkMul8(wkSplat8(r[2]), given[2]));
        p[k] = wkAdd8(p[k], wkSplat8(q->bFromA.position[k]));
    }
    float reach = sqrtf(q->walk->pairs.limit) + q->walk->pointRadius;
    wkEight limit = wkSplat8(reach * reach * (1.0f + SQUARE_ROUNDING));
    unsigned kept = 0;
    for (; mask != 0; mask &= mask - 1) {
        int slot = __builtin_ctz(mask);
        wkEight gaps[3];
        for (int k = 0; k < 3; ++k) {
            gaps[k] = wkMax8(wkSub8(wkSplat8(node->lower[k][slot]), p[k]),
                             wkSub8(p[k], wkSplat8(node->upper[k][slot])));
        }
        unsigned near = wkNotAbove8(wkSumOfGaps(gaps[0], gaps[1], gaps[2]), limit);
        kept |= (near != 0 ? 1u : 0u) << slot;
    }
    return kept;
}

WK_FORCE_FN unsigned boundSlots(const void* query, bool opensA, wkSlot slot, uint32_t node,
                                wkBounds* bounds)
{
    const treesQuery* q = (const treesQuery*)query;
    const wkTree* opened = opensA ? &q->walk->pairs.a : &q->walk->pairs.b;
    const wkTree* closed = opensA ? &q->walk->pairs.b : &q->walk->pairs.a;
    wkCenteredBox single = wkBoxInSlot(closed, slot);
    unsigned mask = wkBoundBoxes(opensA ? &q->aFromB : &q->bFromA, &single,
                                 wkTreeBoxes(opened, node), q->walk->pairs.limit, bounds);
    if (!opensA && q->walk->groups != NULL && mask != 0) {
        wkLink link = wkTreeLink(closed, slot);
        mask = wkIsLeaf(link) ? keepNearPoints(q, link, wkTreeBoxes(opened, node), mask) : mask;
    }
    return mask;
}

WK_APART_FN wkStep walkBoxesDown(wkPairWalk* walk, const void* query, wkSlotPair start)
{
    wkPairRule rule = {opensLargerA, boundSlots};
    return wkWalkDown(walk, query, rule, start);
}

WK_APART_FN void walkBoxesFront(wkTreesWalk* walk, const void* query)
{
    wkPairRule rule = {opensLargerA, boundSlots};
    wkWalkFront(walk, query, rule);
}

static void walkTrees(wkTreesWalk* walk)
{
    wkFrame aInB = wkInverseFrame(&walk->bInA);
    treesQuery query = {walk, wkRotationFromFrame(&walk->bInA), wkRotationFromFrame(&aInB)};
    wkPairRule rule = {opensLargerA, boundSlots};
    if (walk->front != NULL) {
        walkBoxesFront(walk, &query);
    } else if (walk->isNearest) {
        wkWalkNearest(&walk->pairs, &query, rule, walkBoxesDown);
    } else {
        walkBoxesDown(&walk->pairs, &query, wkStems);
    }
}

typedef struct treeQuery {
    const wkBoxWalk* walk;
    wkFloatRotation treeFromBox;
    wkCenteredBox single;
} treeQuery;

WK_FORCE_FN unsigned boundNode(const void* query, uint32_t node, wkBounds* bounds)
{
    const treeQuery* q = (const treeQuery*)query;
    return wkBoundBoxes(&q->treeFromBox, &q->single, wkTreeBoxes(&q->walk->slots.tree, node),
                        q->walk->slots.limit, bounds);
}

static void walkTree(wkBoxWalk* walk)
{
    wkFrame boxInTree = wkInverseFrame(&walk->treeInBox);
    treeQuery query = {
        walk,
        wkRotationFromFrame(&boxInTree),
        {{(float)walk->center.x, (float)walk->center.y, (float)walk->center.z},
         {(float)walk->half.x, (float)walk->half.y, (float)walk->half.z}},
    };
    wkSlotRule rule = {boundNode};
    wkWalkSlots(&walk->slots, &query, rule);
}

extern const wkBoxLanes WK_KERNEL(wkBoxLanes);
const wkBoxLanes WK_KERNEL(wkBoxLanes) = {walkTrees, walkTree};
