// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Bounds of the centres below two slots: the boxes of the hierarchy, less the radius of the spheres. The rounding of
// the smaller boxes is covered by the slack of the walk, like that of the bounds.

#include "query/cloud/center_walk_kernel.h"

#include "query/tree/box_bounds.h"

typedef struct centerQuery {
    const wkCenterWalk* walk;
    wkFloatRotation aFromB;
    wkFloatRotation bFromA;
} centerQuery;

WK_FORCE_FN wkCenteredBox shrunkBox(const wkTree* tree, wkSlot slot, float radius)
{
    wkCenteredBox box = wkBoxInSlot(tree, slot);
    for (int k = 0; k < 3; ++k) {
        box.half[k] = box.half[k] > radius ? box.half[k] - radius : 0.0f;
    }
    return box;
}

// The boxes of a node, none beyond its own centre.
WK_FORCE_FN void shrinkNode(const wkBoxNode* node, float radius, wkBoxNode* shrunk)
{
    wkEight by = wkSplat8(radius), middle = wkSplat8(0.5f);
    for (int k = 0; k < 3; ++k) {
        wkEight lower = wkLoad8(node->lower[k]), upper = wkLoad8(node->upper[k]);
        wkEight center = wkMul8(middle, wkAdd8(lower, upper));
        wkStore8(shrunk->lower[k], wkMin8(wkAdd8(lower, by), center));
        wkStore8(shrunk->upper[k], wkMax8(wkSub8(upper, by), center));
    }
}

WK_FORCE_FN bool opensLargerA(const void* query, wkSlot a, wkSlot b)
{
    const wkCenterWalk* walk = ((const centerQuery*)query)->walk;
    wkCenteredBox boxA = shrunkBox(&walk->trees.pairs.a, a, walk->radiusA);
    wkCenteredBox boxB = shrunkBox(&walk->trees.pairs.b, b, walk->radiusB);
    return boxA.half[0] + boxA.half[1] + boxA.half[2] > boxB.half[0] + boxB.half[1] + boxB.half[2];
}

WK_FORCE_FN unsigned boundCenters(const void* query, bool opensA, wkSlot slot, uint32_t node,
                                  wkBounds* bounds)
{
    const centerQuery* q = (const centerQuery*)query;
    const wkPairWalk* pairs = &q->walk->trees.pairs;
    float radiusA = q->walk->radiusA, radiusB = q->walk->radiusB;
    wkCenteredBox single =
        opensA ? shrunkBox(&pairs->b, slot, radiusB) : shrunkBox(&pairs->a, slot, radiusA);
    _Alignas(32) wkBoxNode shrunk;
    shrinkNode(wkTreeBoxes(opensA ? &pairs->a : &pairs->b, node), opensA ? radiusA : radiusB,
               &shrunk);
    return wkBoundBoxes(opensA ? &q->aFromB : &q->bFromA, &single, &shrunk, pairs->limit, bounds);
}

WK_APART_FN wkStep walkCentersDown(wkPairWalk* walk, const void* query, wkSlotPair start)
{
    wkPairRule rule = {opensLargerA, boundCenters};
    return wkWalkDown(walk, query, rule, start);
}

wkWalkCentersFcn WK_KERNEL(wkWalkCenters);
void WK_KERNEL(wkWalkCenters)(wkCenterWalk* walk)
{
    wkFrame aInB = wkInverseFrame(&walk->trees.bInA);
    centerQuery query = {walk, wkRotationFromFrame(&walk->trees.bInA), wkRotationFromFrame(&aInB)};
    wkPairRule rule = {opensLargerA, boundCenters};
    wkWalkNearest(&walk->trees.pairs, &query, rule, walkCentersDown);
}
