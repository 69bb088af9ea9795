// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A hierarchy of shapes and a solid. The search over items has found what is near the surface; items that
// do not touch a triangle may still be inside. Depth changes no faster than a point moves, so the depth of
// the center of a volume bounds that of every item in it: volumes outside the solid are left out, and so
// are those in which no item can be deeper than the deepest so far.

#include "query/solid/solid.h"
#include "query/solid/solid_trees.h"
#include "query/tree/item_pair.h"
#include "query/tree/nearest.h"
#include "tree/bvh/slot_box.h"

#include <float.h>
#include <string.h>

// Whether B contains a point of A's frame.
static bool contains(const wkBodyQuestion* q, wkVec3d point)
{
    wkVec3d local = wkFrameLocal(&q->bInA, point);
    wkVec3d inside = wkMin(wkMax(local, q->viewB.bounds.lower), q->viewB.bounds.upper);
    bool isInBox = inside.x == local.x && inside.y == local.y && inside.z == local.z;
    return isInBox && wkTreeShapeRowOf(q->b)->contains(q->viewB.source, local);
}

// Returns the relative pose of B to an item of A.
static wkFrame frameInItem(const wkBodyQuestion* q, const wkItem* item)
{
    wkFrame own = wkFrameFromPose(item->pose);
    const wkMat3d* m = &q->bInA.rotation;
    wkFrame frame = {{wkMulTMV(&own.rotation, m->x), wkMulTMV(&own.rotation, m->y),
                      wkMulTMV(&own.rotation, m->z)},
                     wkFrameLocal(&own, q->bInA.position)};
    return frame;
}

void wkAskSunkenItem(const wkBodyQuestion* q, int32_t index, wkBodyAnswer* answer)
{
    wkItem item;
    wkLoadItem(&q->viewA, q->a, index, &item);
    wkPose pose = wkMulPose(*q->poseA, item.pose);
    wkBodyQuestion one = *q;
    one.a = &item.shape;
    memset(&one.viewA, 0, sizeof one.viewA);
    one.poseA = &pose;
    one.bInA = frameInItem(q, &item);
    one.cutoff = INFINITY;
    one.enough = -INFINITY;
    one.tolerance = 0.0;
    one.contacts = NULL;
    wkBodyAnswer found;
    wkSearchSolids(&one, &found);
    answer->visitCount += found.visitCount;
    wkDistanceResult* closest = &found.closest;
    double cores = closest->distance + wkShapeRadius(&item.shape) + wkShapeRadius(q->b);
    // an item outside of the solid is as far away as the search over items has found: here it is rounded in
    // another frame, and a verdict would differ from the distance
    if (!(closest->distance < DBL_MAX) || cores > q->slack) {
        return;
    }
    wkFrame frame = wkFrameFromPose(item.pose);
    closest->distance += q->slack; // which was subtracted, and will be again
    closest->pointA = wkFramePoint(&frame, closest->pointA);
    closest->pointB = wkFramePoint(&frame, closest->pointB);
    closest->normal = wkMulMV(&frame.rotation, closest->normal);
    closest->partA = index;
    wkTakeAnswer(q, closest, answer);
}

// What a search over the volumes of A does at its leaves.
typedef struct sunkenSearch {
    const wkBodyQuestion* question;
    wkBodyAnswer* answer;
    bool isAny;     // an item inside suffices
    bool isFound;   // there is one
    wkVec3d inside; // a point of it
    double radii;   // of the spheres around the items and around B
} sunkenSearch;

// Depth of the items, without the spheres around them, that still matters.
static double leastDepth(const sunkenSearch* s)
{
    bool wantsAll = s->isAny || s->question->contacts != NULL;
    return wantsAll ? 0.0 : wkMaxD(0.0, -(s->answer->closest.distance + s->radii));
}

static void visitLeaf(sunkenSearch* s, wkLink link)
{
    int32_t first = wkLeafFirst(link), end = first + wkLeafCount(link);
    for (int32_t index = first; index < end && !s->isFound; ++index) {
        if (!s->isAny) {
            wkAskSunkenItem(s->question, index, s->answer);
            continue;
        }
        wkItem item;
        wkViewItem(&s->question->viewA, index, &item);
        wkFrame frame = wkFrameFromPose(item.pose);
        s->inside = wkFramePoint(&frame, wkPointOfCore(&item.shape));
        s->isFound = contains(s->question, s->inside);
    }
}

// Upper bound of the depth of the items in a slot of A; negative: all of them are outside.
static double boundDepth(const wkBodyQuestion* q, wkSlot slot)
{
    wkObb box = wkSlotBox(&q->viewA.tree, slot);
    wkVec3d center = box.frame.position;
    double radius = wkLength(box.half) * (1.0 + 1e-9);
    wkVec3d local = wkFrameLocal(&q->bInA, center);
    wkVec3d inBounds = wkMin(wkMax(local, q->viewB.bounds.lower), q->viewB.bounds.upper);
    if (wkLength(wkSub(local, inBounds)) > radius + q->slack) {
        return -1.0;
    }
    bool isInside = contains(q, center);
    wkNearest nearest = wkNearestOfTree(&q->viewB, local, isInside ? INFINITY : radius + q->slack);
    double depth = isInside ? nearest.distance : -nearest.distance;
    // an item leaves through the point of the surface nearest to it, by its own width more; a sphere by its radius,
    // which is part of the box
    double width = q->viewA.groups != NULL ? 0.0 : 2.0 * radius;
    return depth + radius + q->slack < 0.0 ? -1.0 : depth + radius + width + q->slack;
}

static void searchVolumes(sunkenSearch* s)
{
    typedef struct entry {
        wkLink link;
        double bound;
    } entry;
    const wkTree* tree = &s->question->viewA.tree;
    entry stack[WK_TREE_MAX_DEPTH * (WK_TREE_WIDTH - 1) + WK_TREE_WIDTH];
    int count = 0;
    stack[count++] = (entry){0, INFINITY};
    while (count > 0 && !s->isFound) {
        entry top = stack[--count];
        if (top.bound < leastDepth(s)) {
            continue;
        }
        if (wkIsLeaf(top.link)) {
            visitLeaf(s, top.link);
            continue;
        }
        const wkLink* links = wkTreeLinks(tree, top.link);
        int start = count;
        for (uint32_t i = 0; i < WK_TREE_WIDTH && links[i] != WK_LINK_EMPTY; ++i) {
            double bound = boundDepth(s->question, top.link * WK_TREE_WIDTH + i);
            if (bound >= leastDepth(s)) {
                int k = count++;
                for (; k > start && stack[k - 1].bound > bound; --k) {
                    stack[k] = stack[k - 1];
                }
                stack[k] = (entry){links[i], bound};
            }
        }
    }
}

void wkSettleItems(const wkBodyQuestion* q, wkBodyAnswer* answer)
{
    double radii = wkShapeRadius(q->a) + wkShapeRadius(q->b);
    bool isTouching = answer->closest.distance + (q->slack + radii) <= 0.0;
    if (answer->closest.distance <= q->enough || (isTouching && !q->isSigned)) {
        return;
    }
    sunkenSearch s = {.question = q, .answer = answer, .isAny = !q->isSigned, .radii = radii};
    searchVolumes(&s);
    if (!s.isFound) {
        return;
    }
    if (q->isCommon) {
        wkAnswerCommon(s.inside, answer);
    } else {
        answer->closest.distance = -radii - q->slack; // only this depth is requested
    }
}
