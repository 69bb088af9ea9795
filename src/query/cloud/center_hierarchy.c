// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The nearest points of two clouds by the walk over their hierarchies.

#include "query/cloud/center_search.h"

#include "base/isa_table.h"
#include "query/cloud/center_walk_kernel.h"

WK_DEFINE_LANES(wkWalkCentersFcn, wkWalkCenters)

typedef struct leafWalk {
    wkCenterWalk walk; // first: the walk passes it to the leaves
    wkCenterSearch* search;
} leafWalk;

static void lowerLimit(leafWalk* leaves)
{
    wkTreesWalk* trees = &leaves->walk.trees;
    trees->pairs.limit = wkWalkLimit(sqrt(leaves->search->pair.square), trees->slack);
}

static wkStep compareLeaves(wkPairWalk* pairs, wkLink linkA, wkLink linkB)
{
    leafWalk* leaves = (leafWalk*)pairs;
    wkCenterSearch* search = leaves->search;
    int32_t firstA = wkLeafFirst(linkA), countA = wkLeafCount(linkA);
    int32_t firstB = wkLeafFirst(linkB), countB = wkLeafCount(linkB);
    wkVec3d b[WK_TREE_WIDTH];
    for (int32_t k = 0; k < countB; ++k) {
        b[k] = wkCenterOfB(search, firstB + k);
    }
    for (int32_t i = 0; i < countA; ++i) {
        wkVec3d a = wkCloudPosition(search->a, firstA + i);
        for (int32_t k = 0; k < countB; ++k) {
            wkTakeCenters(search, firstA + i, firstB + k, wkCenterSquare(a, b[k]));
        }
    }
    lowerLimit(leaves);
    return wkAreCentersEqual(search) ? wk_stepStop : wk_stepOn;
}

static double reachOf(const wkCloud* cloud)
{
    return wkMaxD(wkMaxAbs(cloud->bounds.lower), wkMaxAbs(cloud->bounds.upper));
}

// The radius that all spheres have, rounded down.
static float commonRadius(const wkCloud* cloud)
{
    return cloud->hasRadii ? 0.0f : wkRoundDown(cloud->radius);
}

void wkSearchCentersByHierarchy(wkCenterSearch* search)
{
    double reach = reachOf(search->a) + reachOf(search->b) + wkMaxAbs(search->bInA.position);
    leafWalk leaves = {
        .walk = {.trees = {.pairs = {.a = wkCloudTree(search->a),
                                     .b = wkCloudTree(search->b),
                                     .leaf = compareLeaves},
                           .bInA = search->bInA,
                           .slack = wkWalkSlack(reach),
                           .isNearest = true},
                 .radiusA = commonRadius(search->a),
                 .radiusB = commonRadius(search->b)},
        .search = search,
    };
    lowerLimit(&leaves);
    wkWalkCentersOfMachine()(&leaves.walk);
}
