// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The nearest points of two clouds by the walk over their hierarchies. Boxes of nodes contain spheres, so their distances
// are lower bounds of those of the centres, too.

#include "query/cloud/center_search.h"

#include "query/tree/distance_walk.h"

typedef struct centerWalk {
    wkTreesWalk walk; // first: the walk passes it to the leaves
    wkCenterSearch* search;
} centerWalk;

static void lowerLimit(centerWalk* walk)
{
    walk->walk.pairs.limit = wkWalkLimit(sqrt(walk->search->square), walk->walk.slack);
}

static wkStep compareLeaves(wkPairWalk* pairs, wkLink linkA, wkLink linkB)
{
    centerWalk* walk = (centerWalk*)pairs;
    wkCenterSearch* search = walk->search;
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
    lowerLimit(walk);
    return wk_stepOn;
}

static double reachOf(const wkCloud* cloud)
{
    return wkMaxD(wkMaxAbs(cloud->bounds.lower), wkMaxAbs(cloud->bounds.upper));
}

void wkSearchCentersByHierarchy(wkCenterSearch* search)
{
    double reach = reachOf(search->a) + reachOf(search->b) + wkMaxAbs(search->bInA.position);
    centerWalk walk = {
        .walk = {.pairs = {.a = wkCloudTree(search->a),
                           .b = wkCloudTree(search->b),
                           .leaf = compareLeaves},
                 .bInA = search->bInA,
                 .slack = wkWalkSlack(reach),
                 .isNearest = true},
        .search = search,
    };
    lowerLimit(&walk);
    wkWalkTrees(&walk.walk);
}
