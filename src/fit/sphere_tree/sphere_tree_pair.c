// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Two sphere trees: their distance as an interval, and the volume that their inner spheres share. A walk over pairs of
// slots in the frame of A, nearest first; the larger of the two is replaced by what it bounds.

#include "fit/sphere_tree/points_query.h"
#include "fit/sphere_tree/sphere_volume.h"
#include "math/frame.h"

// A slot of a node: what it bounds, and the sphere around it in the frame of A.
typedef struct slotOf {
    uint32_t link;
    wkVec3d center;
    double radius;
} slotOf;

typedef struct slotPair {
    slotOf a, b;
    double distance;
} slotPair;

typedef struct pairWalk {
    const wkSphereNode* nodesA;
    const wkSphereNode* nodesB;
    wkFrame frame; // of B in A
    double bound;  // pairs that are further do not matter
    bool isSum;    // adds volumes; the bound stays
    double volume;
    int32_t sphereA, sphereB; // of the nearest pair; -1: none
} pairWalk;

#define STACK_SIZE (2 * WK_SPHERE_MAX_DEPTH * WK_SPHERE_WIDTH)

static slotOf slotA(const pairWalk* w, uint32_t node, int slot)
{
    const wkSphereNode* n = &w->nodesA[node];
    wkVec3d center = {(double)n->x[slot], (double)n->y[slot], (double)n->z[slot]};
    slotOf found = {n->link[slot], center, (double)n->radius[slot]};
    return found;
}

static slotOf slotB(const pairWalk* w, uint32_t node, int slot)
{
    const wkSphereNode* n = &w->nodesB[node];
    wkVec3d center = {(double)n->x[slot], (double)n->y[slot], (double)n->z[slot]};
    slotOf found = {n->link[slot], wkFramePoint(&w->frame, center), (double)n->radius[slot]};
    return found;
}

static slotPair makePair(slotOf a, slotOf b)
{
    double distance = wkLength(wkSub(b.center, a.center)) - a.radius - b.radius;
    slotPair pair = {a, b, distance};
    return pair;
}

// Whether the bound leaves a pair out. Rounding must not leave out an equal one with lower indices.
static bool isFar(const pairWalk* w, double distance)
{
    return distance > w->bound + (w->isSum ? 0.0 : WK_TREE_SLACK * fabs(w->bound));
}

static void usePair(pairWalk* w, const slotPair* pair)
{
    int32_t a = (int32_t)(pair->a.link & ~WK_SPHERE_LEAF);
    int32_t b = (int32_t)(pair->b.link & ~WK_SPHERE_LEAF);
    if (w->isSum) {
        double apart = wkLength(wkSub(pair->b.center, pair->a.center));
        w->volume += wkLensVolume(pair->a.radius, pair->b.radius, apart);
        return;
    }
    bool isFirst = a < w->sphereA || (a == w->sphereA && b < w->sphereB);
    if (pair->distance < w->bound || (pair->distance == w->bound && (w->sphereA < 0 || isFirst))) {
        w->bound = pair->distance;
        w->sphereA = a;
        w->sphereB = b;
    }
}

// Puts a pair on the stack, the nearest on top of those from `first` on.
static int push(slotPair* stack, int first, int count, slotPair pair)
{
    int at = count;
    for (; at > first && stack[at - 1].distance < pair.distance; --at) {
        stack[at] = stack[at - 1];
    }
    stack[at] = pair;
    return count + 1;
}

// Replaces a pair by those of the slots below the larger sphere.
static int expand(const pairWalk* w, slotPair* stack, int count, const slotPair* pair)
{
    bool isSphereA = wkIsSphereSlot(pair->a.link), isSphereB = wkIsSphereSlot(pair->b.link);
    bool isA = !isSphereA && (isSphereB || pair->a.radius >= pair->b.radius);
    int first = count;
    for (int slot = 0; slot < WK_SPHERE_WIDTH; ++slot) {
        slotOf below = isA ? slotA(w, pair->a.link, slot) : slotB(w, pair->b.link, slot);
        if (below.link != WK_SPHERE_EMPTY) {
            slotPair next = makePair(isA ? below : pair->a, isA ? pair->b : below);
            count = isFar(w, next.distance) ? count : push(stack, first, count, next);
        }
    }
    return count;
}

static void walkPairs(pairWalk* w, const wkSphereSet* a, const wkSphereSet* b)
{
    if (a->count == 0 || b->count == 0) {
        return;
    }
    slotPair stack[STACK_SIZE];
    slotOf rootA = {0, {0.0, 0.0, 0.0}, INFINITY}, rootB = {0, {0.0, 0.0, 0.0}, INFINITY};
    int count = 0;
    stack[count++] = (slotPair){rootA, rootB, -INFINITY};
    while (count > 0) {
        slotPair pair = stack[--count];
        if (isFar(w, pair.distance)) {
            continue;
        }
        if (wkIsSphereSlot(pair.a.link) && wkIsSphereSlot(pair.b.link)) {
            usePair(w, &pair);
        } else {
            count = expand(w, stack, count, &pair);
        }
    }
}

static pairWalk makeWalk(const wkPlacedSphereTree* a, const wkPlacedSphereTree* b,
                         wkSphereKind kind, double bound)
{
    wkMat3d worldFromA;
    pairWalk w = {
        .nodesA = wkSphereNodesOf(a->tree, kind),
        .nodesB = wkSphereNodesOf(b->tree, kind),
        .frame = wkRelativeFrame(&a->pose, &b->pose, &worldFromA),
        .bound = bound,
        .sphereA = -1,
        .sphereB = -1,
    };
    return w;
}

static bool isPlaced(const wkPlacedSphereTree* placed)
{
    return placed != NULL && placed->tree != NULL && wkIsTreePose(placed->pose);
}

static double slackOf(const wkPlacedSphereTree* a, const wkPlacedSphereTree* b, double distance)
{
    double size = wkMaxAbs(a->pose.position) + wkMaxAbs(b->pose.position) + a->tree->around.radius +
                  b->tree->around.radius + wkMaxAbs(a->tree->around.center) +
                  wkMaxAbs(b->tree->around.center);
    return WK_TREE_SLACK * (size + fabs(distance));
}

wkSphereTreeResult wkDistanceOfSphereTrees(const wkPlacedSphereTree* a, const wkPlacedSphereTree* b,
                                           const wkSphereTreeRequest* request)
{
    wkSphereTreeRequest used = request != NULL ? *request : wkDefaultSphereTreeRequest();
    wkSphereTreeResult result = wkUndecided();
    if (!isPlaced(a) || !isPlaced(b) || wkCheckSphereTreeRequest(&used) != wk_ok) {
        return result;
    }
    double bound = wkMinD(used.maxDistance, WK_SCAN_REACH);
    pairWalk inner = makeWalk(a, b, wk_spheresInner, bound);
    walkPairs(&inner, &a->tree->sets[wk_spheresInner], &b->tree->sets[wk_spheresInner]);
    if (inner.sphereA >= 0) {
        result.upper = inner.bound + slackOf(a, b, inner.bound);
        result.sphere = inner.sphereA;
        result.point = inner.sphereB;
    }
    pairWalk outer = makeWalk(a, b, wk_spheresOuter, bound);
    walkPairs(&outer, &a->tree->sets[wk_spheresOuter], &b->tree->sets[wk_spheresOuter]);
    result.outer = outer.sphereA;
    result.outerPoint = outer.sphereB;
    result.lower = wkMaxD(outer.bound - slackOf(a, b, outer.bound), 0.0);
    result.verdict = wkSphereVerdictOf(&result, used.margin);
    return result;
}

double wkPenetrationVolume(const wkPlacedSphereTree* a, const wkPlacedSphereTree* b)
{
    if (!isPlaced(a) || !isPlaced(b)) {
        return (double)NAN;
    }
    pairWalk w = makeWalk(a, b, wk_spheresInner, 0.0);
    w.isSum = true;
    walkPairs(&w, &a->tree->sets[wk_spheresInner], &b->tree->sets[wk_spheresInner]);
    return w.volume;
}
