// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The walk over a noisy cloud. The distance of a body from the centre of a box bounds that from everything in the
// box: one distance for each node decides whether its points matter.

#include "query/noise/noise_walk.h"

#include "solve/pair.h"

// Nodes with fewer points use the largest deviation among these instead of that of the cloud.
#define LOCAL_COUNT 4096

typedef struct pointRange {
    int32_t first;
    int32_t count;
} pointRange;

// Points below a link: nodes hold neighbours in the order of the cloud, and empty slots come last.
static pointRange rangeOf(const wkTree* tree, wkLink link)
{
    wkLink first = link, last = link;
    while (!wkIsLeaf(first)) {
        first = wkTreeLinks(tree, first)[0];
    }
    while (!wkIsLeaf(last)) {
        const wkLink* links = wkTreeLinks(tree, last);
        int slot = WK_TREE_WIDTH - 1;
        while (links[slot] == WK_LINK_EMPTY) {
            --slot;
        }
        last = links[slot];
    }
    pointRange range = {wkLeafFirst(first), 0};
    range.count = wkLeafFirst(last) + wkLeafCount(last) - range.first;
    return range;
}

double wkNoiseDeviation(const wkNoiseWalk* walk, int32_t rank)
{
    const wkCloud* cloud = walk->cloud->cloud;
    const float* deviations = wkCloudFloats(cloud, cloud->deviationOffset);
    return deviations != NULL ? (double)deviations[rank] : walk->deviation;
}

// The deviation of a point relative to the body.
static double combined(const wkNoiseWalk* walk, double own)
{
    return walk->variance > 0.0 ? sqrt(own * own + walk->variance) : own;
}

static double largestDeviation(const wkNoiseWalk* walk, pointRange range)
{
    const wkCloud* cloud = walk->cloud->cloud;
    const float* deviations = wkCloudFloats(cloud, cloud->deviationOffset);
    double largest = deviations == NULL ? walk->deviation : cloud->maxDeviation;
    if (deviations != NULL && range.count <= LOCAL_COUNT) {
        float found = 0.0f;
        for (int32_t i = range.first; i < range.first + range.count; ++i) {
            found = deviations[i] > found ? deviations[i] : found;
        }
        largest = (double)found;
    }
    return combined(walk, largest);
}

static double slackOf(const wkNoiseWalk* walk, wkVec3d position)
{
    const wkNoiseBody* body = walk->body;
    double frame = wkMaxAbs(walk->cloudInBody.position);
    return 4.0 * WK_ROUNDING *
           (wkMaxAbs(position) + frame + body->coreReach + fabs(body->radius) + fabs(walk->margin));
}

// Whether the points in a slot are far enough away to be bounded together.
static bool prune(wkNoiseWalk* walk, const wkTree* tree, const wkBoxNode* node, int slot)
{
    wkVec3d lower = wkVec((double)node->lower[0][slot], (double)node->lower[1][slot],
                          (double)node->lower[2][slot]);
    wkVec3d upper = wkVec((double)node->upper[0][slot], (double)node->upper[1][slot],
                          (double)node->upper[2][slot]);
    double half = 0.5 * wkLength(wkSub(upper, lower));
    wkVec3d center = wkFramePoint(&walk->cloudInBody, wkMiddle(lower, upper));
    pointRange range = rangeOf(tree, node->links[slot]);
    double deviation = largestDeviation(walk, range);
    double slack = slackOf(walk, center) + WK_ROUNDING * half;
    double clear = walk->margin + wkShapeRadius(walk->cloud) + walk->cutoff * deviation;
    double cutoff = half + wkPositive(clear) + slack;
    double distance = wkNoiseDistance(walk->body, center, 1.01 * cutoff).distance;

    // all spheres of the points are in the box, so that their radii count already where it is outside
    double outside = distance - half - slack;
    if (!(outside > wkPositive(clear))) {
        return false;
    }
    double excess = outside - walk->margin - wkShapeRadius(walk->cloud);
    double tail = deviation > 0.0 ? wkNoiseTail(walk->body, excess / deviation) : 0.0;
    walk->pruned += (double)range.count * walk->eventsEach * tail;
    walk->prunedCount += range.count;
    return true;
}

static wkStep visitLeaf(wkNoiseWalk* walk, wkLink link)
{
    const wkCloud* cloud = walk->cloud->cloud;
    int32_t first = wkLeafFirst(link), end = first + wkLeafCount(link);
    for (int32_t rank = first; rank < end; ++rank) {
        wkNoisyPoint point = {
            .position = wkFramePoint(&walk->cloudInBody, wkCloudPosition(cloud, rank)),
            .deviation = combined(walk, wkNoiseDeviation(walk, rank)),
            .reach = walk->margin + wkShapeRadius(walk->cloud) + wkCloudRadius(cloud, rank),
        };
        point.slack = slackOf(walk, point.position) + WK_ROUNDING * fabs(point.reach);
        if (walk->leaf(walk, rank, &point) == wk_stepStop) {
            return wk_stepStop;
        }
    }
    return wk_stepOn;
}

void wkWalkNoise(wkNoiseWalk* walk)
{
    wkTree tree = wkCloudTree(walk->cloud->cloud);
    wkLink stack[WK_TREE_MAX_DEPTH * (WK_TREE_WIDTH - 1) + WK_TREE_WIDTH];
    int count = 0;
    stack[count++] = 0; // the stem
    while (count > 0) {
        wkLink link = stack[--count];
        if (--*walk->workLeft < 0) {
            walk->isStopped = true;
            return;
        }
        if (wkIsLeaf(link)) {
            if (visitLeaf(walk, link) == wk_stepStop) {
                return;
            }
            continue;
        }
        const wkBoxNode* node = wkTreeBoxes(&tree, link);
        for (int slot = WK_TREE_WIDTH - 1; slot >= 0; --slot) {
            if (node->links[slot] != WK_LINK_EMPTY && !prune(walk, &tree, node, slot)) {
                stack[count++] = node->links[slot];
            }
        }
    }
}

double wkNoiseCutoff(const wkNoiseBody* body, double chanceCount, double tolerance)
{
    // tails fall so fast that a coarse step costs little
    const double step = 0.125, furthest = 38.0;
    double cutoff = 0.0;
    while (cutoff < furthest && chanceCount * wkNoiseTail(body, cutoff) > tolerance) {
        cutoff += step;
    }
    return cutoff;
}
