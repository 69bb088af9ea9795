// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A cloud and a solid: the sphere that reaches deepest. Depth changes no faster than a point moves, so the distance of
// the middle of a box from the surface bounds the depth of every point in it. Nodes outside the bounds of the solid are
// ruled out eight at a time.

#include "query/solid/solid_points_search.h"

#include "query/solid/solid_trees.h"
#include "query/tree/nearest.h"

// Rounding of the bounds of depths, relative to the coordinates.
#define DEPTH_ROUNDING 1e-12

// A node of the cloud that is left to open.
typedef struct entry {
    wkSlot slot;
    double bound; // no sphere below has its centre inside and reaches deeper
} entry;

static wkStep stopAtLeaf(wkSlotWalk* walk, wkLink link)
{
    (void)link;
    walk->limit = -1.0f; // says that the walk has come here
    return wk_stepStop;
}

static void beginSearch(const wkBodyQuestion* q, wkPointSearch* s)
{
    wkAabb bounds = q->viewB.bounds;
    wkVec3d center = wkMiddle(bounds.lower, bounds.upper);
    wkVec3d half = wkScale(0.5, wkSub(bounds.upper, bounds.lower));
    double reach = q->viewA.reach + q->viewB.reach + wkMaxAbs(q->bInA.position);
    float slack = wkWalkSlack(reach);
    *s = (wkPointSearch){
        .question = q,
        .solid = wkTreeShapeRowOf(q->b),
        .aFromB = wkRotationFromFrame(&q->bInA),
        .solidBox = {{(float)center.x, (float)center.y, (float)center.z},
                     {(float)half.x, (float)half.y, (float)half.z}},
        .limit = wkWalkLimit(0.0, slack),
        .boxWalk = {.slots = {.tree = q->viewB.tree, .leaf = stopAtLeaf},
                    .treeInBox = q->bInA,
                    .slack = slack},
        .slack = DEPTH_ROUNDING * reach + q->slack,
        .size = wkLength(half),
        .item = -1,
    };
}

bool wkIsNearSurface(wkPointSearch* s, const wkObb* box)
{
    s->boxWalk.center = box->frame.position;
    s->boxWalk.half = box->half;
    s->boxWalk.slots.limit = s->limit;
    wkWalkTree(&s->boxWalk);
    return s->boxWalk.slots.limit < 0.0f;
}

// Depth of a point of the solid's frame; minus infinity where it is outside or not as deep as `least`. Inside tests
// take less time than distances, and any triangle that is nearer than `least` ends the search for the nearest.
static double depthOf(const wkPointSearch* s, wkVec3d local, double least)
{
    if (!wkSearchContains(s, local)) {
        return -INFINITY;
    }
    double distance = wkNearestFrom(&s->question->viewB, local, least).distance;
    return distance >= least ? distance : -INFINITY;
}

// What a sphere must reach to matter.
static double leastDepth(const wkPointSearch* s)
{
    return s->item >= 0 ? s->deepest - s->slack : 0.0;
}

// Upper bound of what spheres in a slot reach whose centres are inside; minus infinity: they do not matter. The
// centre of a sphere is further from the sides of the box than its radius, so half the diagonal covers both.
static double boundSlot(wkPointSearch* s, wkSlot slot)
{
    const wkBodyQuestion* q = s->question;
    wkObb box = wkSlotBox(&q->viewA.tree, slot);
    double radius = wkLength(box.half) * (1.0 + 1e-9) + s->slack;
    if (radius > s->size) {
        return INFINITY; // larger than the solid: nearly always both inside and outside
    }
    double least = leastDepth(s) - radius;
    double depth = depthOf(s, wkFrameLocal(&q->bInA, box.frame.position), least);
    if (depth == -INFINITY && least <= 0.0 && wkIsNearSurface(s, &box)) {
        depth = 0.0; // the middle is outside, points may be inside
    }
    return depth + radius;
}

// Evaluates the spheres of a leaf.
static void visitLeaf(wkPointSearch* s, const entry* top)
{
    const wkBodyQuestion* q = s->question;
    wkLink link = wkTreeLink(&q->viewA.tree, top->slot);
    wkObb box = wkSlotBox(&q->viewA.tree, top->slot);
    double depth = top->bound - wkLength(box.half); // of the middle of the box, or more
    int32_t first = wkLeafFirst(link), end = first + wkLeafCount(link);
    for (int32_t i = first; i < end; ++i) {
        wkVec3d point = wkSearchedPoint(s, i);
        double radius = wkSearchedRadius(s, i), least = leastDepth(s) - radius;
        if (depth + wkLength(wkSub(point, box.frame.position)) + s->slack < least) {
            continue;
        }
        ++s->visitCount;
        double found = depthOf(s, wkFrameLocal(&q->bInA, point), wkMaxD(least, 0.0));
        double reach = found + radius;
        bool isFirst = reach == s->deepest && s->item >= 0 &&
                       wkPartOf(&q->viewA, i) < wkPartOf(&q->viewA, s->item);
        if (found >= 0.0 && (s->item < 0 || reach > s->deepest || isFirst)) {
            s->deepest = reach;
            s->item = i;
        }
    }
}

// Finds the sphere that reaches deepest of those whose centres are inside, the likeliest nodes first.
static void findDeepest(wkPointSearch* s)
{
    const wkTree* tree = &s->question->viewA.tree;
    entry stack[WK_TREE_MAX_DEPTH * (WK_TREE_WIDTH - 1) + WK_TREE_WIDTH];
    int count = 0;
    stack[count++] = (entry){0, INFINITY};
    while (count > 0) {
        entry top = stack[--count];
        wkLink link = wkTreeLink(tree, top.slot);
        if (top.bound < leastDepth(s)) {
            continue;
        }
        if (wkIsLeaf(link)) {
            visitLeaf(s, &top);
            continue;
        }
        int start = count;
        for (unsigned mask = wkFindNearSlots(s, link); mask != 0; mask &= mask - 1) {
            wkSlot slot = link * WK_TREE_WIDTH + (wkSlot)__builtin_ctz(mask);
            double bound = boundSlot(s, slot);
            if (bound >= leastDepth(s)) {
                int k = count++;
                for (; k > start && stack[k - 1].bound > bound; --k) {
                    stack[k] = stack[k - 1];
                }
                stack[k] = (entry){slot, bound};
            }
        }
    }
}

// Searches for a sphere that is closer to the surface than the result so far, inside or outside.
static void searchSurface(const wkBodyQuestion* q, wkBodyAnswer* answer)
{
    wkBodyQuestion closer = *q;
    wkBodyAnswer found;
    closer.cutoff = wkMinD(q->cutoff, answer->closest.distance);
    wkSearchSurfaces(&closer, &found);
    answer->visitCount += found.visitCount;
    if (found.closest.distance < answer->closest.distance) {
        answer->closest = found.closest;
    }
}

// The deepest sphere, or the closest one where no centre is inside.
static void searchSigned(const wkBodyQuestion* q, wkBodyAnswer* answer)
{
    *answer = wkNoAnswer();
    wkPointSearch s;
    beginSearch(q, &s);
    findDeepest(&s);
    answer->visitCount = s.visitCount;
    if (s.item >= 0) {
        wkAskSunkenItem(q, s.item, answer);
    }
    // a sphere with its centre outside reaches no deeper than its radius
    double radii = wkShapeRadius(q->a) + wkShapeRadius(q->b) + q->viewA.pointRadius;
    if (!(answer->closest.distance + radii + 2.0 * s.slack < 0.0)) {
        searchSurface(q, answer);
    }
}

void wkSearchSolidPoints(const wkBodyQuestion* q, wkBodyAnswer* answer)
{
    if (q->isSigned) {
        searchSigned(q, answer);
        return;
    }
    wkSearchSurfaces(q, answer);
    double radii = wkShapeRadius(q->a) + wkShapeRadius(q->b);
    bool isTouching = answer->closest.distance + (q->slack + radii) <= 0.0;
    if (isTouching || answer->closest.distance <= q->enough) {
        return;
    }
    // no sphere is closer, but by the tolerance; a verdict knows no more than that it was not enough
    double known = q->isCommon ? wkMinD(answer->closest.distance, q->cutoff) : q->enough;
    wkPointSearch s;
    beginSearch(q, &s);
    wkFindInside(&s, known - q->tolerance + radii - 2.0 * s.slack);
    answer->visitCount += s.visitCount;
    if (s.item >= 0 && q->isCommon) {
        wkAnswerCommon(wkSearchedPoint(&s, s.item), answer);
    } else if (s.item >= 0) {
        answer->closest.distance = -radii - q->slack; // only this depth is requested
    }
}
