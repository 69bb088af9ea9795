// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A hierarchy of points against one of triangles or of points. Eight points of a leaf are bounded at a time against
// each item of the other leaf, in the frame of the points; pairs that may matter are evaluated by the pair table,
// the nearest first.

#include "query/tree/item_pair.h"
#include "query/tree/leaf_points_kernel.h"
#include "query/tree/tree_pairs.h"

// The square of the length of an edge; squares of smaller ones, and of the inverse, are not normal numbers.
#define LEAST_SQUARE 1e-16f

// Rounding of reaches and of the limit that they are added to.
#define REACH_MARGIN (1.0 + 1e-5)

typedef struct pointsWalk {
    wkItemSearch base;
    const wkLeafPointLanes* lanes;
    bool isPointsB;                       // the points in lanes are those of B
    bool hasTriangles;                    // on the other side
    double pointRadii;                    // largest radii of points, of both sides
    wkLink linkA;                         // leaf of A that is loaded, where B has the points
    wkPointTriangle items[WK_TREE_WIDTH]; // of the other side; a point is the first vertex
    float reaches[WK_TREE_WIDTH];         // length of the longest edge from the first vertex
    unsigned isPrepared;                  // a bit for each triangle
} pointsWalk;

static void storeVec(wkVec3d v, float to[3])
{
    to[0] = (float)v.x;
    to[1] = (float)v.y;
    to[2] = (float)v.z;
}

static float dotOf(const float a[3], const float b[3])
{
    return (a[0] * b[0] + a[1] * b[1]) + a[2] * b[2];
}

void wkPreparePointTriangle(wkPointTriangle* t)
{
    float longest = 0.0f;
    for (int i = 0; i < 3; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            t->edges[i][axis] = t->vertices[(i + 1) % 3][axis] - t->vertices[i][axis];
        }
        float square = dotOf(t->edges[i], t->edges[i]);
        t->inverses[i] = square > 1e-37f ? 1.0f / square : 0.0f;
        longest = square > longest ? square : longest;
    }
    const float *a = t->edges[0], *b = t->edges[1];
    float normal[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                       a[0] * b[1] - a[1] * b[0]};
    float length = sqrtf(dotOf(normal, normal));
    bool isInRange = longest > LEAST_SQUARE && longest < 1.0f / LEAST_SQUARE;
    t->isSliver = !isInRange || !(length > WK_SLIVER_SHARE * longest);
    t->longest = sqrtf(longest);
    t->height = isInRange ? length / t->longest : t->longest;
    for (int axis = 0; axis < 3; ++axis) {
        t->normal[axis] = t->isSliver ? 0.0f : normal[axis] / length;
    }
}

// Loads the items of the side without lanes into the frame of the points.
static void loadItems(pointsWalk* walk, wkLink link)
{
    const wkBodyQuestion* q = walk->base.question;
    const wkTreeView* view = walk->isPointsB ? &q->viewA : &q->viewB;
    int32_t first = wkLeafFirst(link), count = wkLeafCount(link);
    for (int32_t i = 0; i < count; ++i) {
        wkVec3d vertices[3] = {{0.0, 0.0, 0.0}};
        if (walk->hasTriangles) {
            wkViewTriangleVertices(view, first + i, vertices);
        } else {
            const wkPointGroup* group = &view->groups[first / WK_TREE_WIDTH];
            vertices[0] = wkVec((double)group->x[i], (double)group->y[i], (double)group->z[i]);
        }
        for (int k = 0; k < (walk->hasTriangles ? 3 : 1); ++k) {
            wkVec3d moved = walk->isPointsB ? wkFrameLocal(&q->bInA, vertices[k])
                                            : wkFramePoint(&q->bInA, vertices[k]);
            storeVec(moved, walk->items[i].vertices[k]);
        }
        wkVec3d toB = wkSub(vertices[1], vertices[0]), toC = wkSub(vertices[2], vertices[0]);
        double square = wkMaxD(wkDot(toB, toB), wkDot(toC, toC));
        walk->reaches[i] = walk->hasTriangles ? (float)(sqrt(square) * REACH_MARGIN) : 0.0f;
    }
    walk->isPrepared = 0;
}

// Largest bound of a pair that may matter.
static float pairLimit(const pointsWalk* walk)
{
    const wkItemSearch* search = &walk->base;
    double reach = wkReachOf(search->question, search->answer) + search->question->slack;
    double radii = search->radiusA + search->radiusB + walk->pointRadii;
    return wkRoundUp(reach + radii + (double)search->walk.slack);
}

static wkStep visitPair(wkItemSearch* search, int32_t indexA, int32_t indexB)
{
    const wkBodyQuestion* q = search->question;
    wkItem a, b;
    wkLoadItem(&q->viewA, q->a, indexA, &a);
    wkLoadItemOfB(q, indexB, &b);
    wkDistanceResult found;
    wkAskItemPair(q, &a, &b, wkReachOf(q, search->answer) + q->slack, &found);
    found.partA = indexA;
    found.partB = indexB;
    ++search->answer->visitCount;
    return wkTakeAnswer(q, &found, search->answer);
}

// Pairs of two leaves with their bounds.
typedef struct candidates {
    _Alignas(32) float bounds[WK_TREE_WIDTH][WK_TREE_WIDTH]; // of each item, and each point
    unsigned masks[WK_TREE_WIDTH];
    unsigned any; // a bit for each item with points left
} candidates;

// Bounds the points against an item; first against a sphere around a triangle, which rules out most of them.
static unsigned boundItem(pointsWalk* walk, int32_t i, const wkPointGroup* group, float limit,
                          float bounds[WK_TREE_WIDTH])
{
    wkPointTriangle* item = &walk->items[i];
    unsigned mask =
        walk->lanes->boundPoint(item->vertices[0], group, limit + walk->reaches[i], bounds);
    if (mask == 0 || !walk->hasTriangles) {
        return mask;
    }
    if ((walk->isPrepared >> i & 1u) == 0) {
        wkPreparePointTriangle(item);
        walk->isPrepared |= 1u << i;
    }
    return walk->lanes->boundTriangle(item, group, limit, bounds);
}

static void boundPairs(pointsWalk* walk, const wkPointGroup* group, unsigned filled, int32_t count,
                       candidates* c)
{
    float limit = pairLimit(walk);
    c->any = 0;
    for (int32_t i = 0; i < count; ++i) {
        c->masks[i] = boundItem(walk, i, group, limit, c->bounds[i]) & filled;
        c->any |= (c->masks[i] != 0 ? 1u : 0u) << i;
    }
}

// Takes the nearest candidate; false: none is left.
static bool takeNearest(candidates* c, int* item, int* point)
{
    float least = INFINITY;
    bool isFound = false;
    for (unsigned rows = c->any; rows != 0; rows &= rows - 1) {
        int i = __builtin_ctz(rows);
        for (unsigned slots = c->masks[i]; slots != 0; slots &= slots - 1) {
            int k = __builtin_ctz(slots);
            if (!isFound || c->bounds[i][k] < least) {
                least = c->bounds[i][k];
                *item = i;
                *point = k;
                isFound = true;
            }
        }
    }
    if (isFound) {
        c->masks[*item] &= ~(1u << *point);
        c->any &= c->masks[*item] != 0 ? ~0u : ~(1u << *item);
    }
    return isFound;
}

static wkStep visitPairs(wkPairWalk* pairs, wkLink linkA, wkLink linkB)
{
    pointsWalk* walk = (pointsWalk*)pairs;
    const wkBodyQuestion* q = walk->base.question;
    wkLink points = walk->isPointsB ? linkB : linkA, items = walk->isPointsB ? linkA : linkB;
    if (!walk->isPointsB || linkA != walk->linkA) { // mostly the same as last time
        loadItems(walk, items);
        walk->linkA = linkA;
    }
    const wkTreeView* view = walk->isPointsB ? &q->viewB : &q->viewA;
    candidates c;
    boundPairs(walk, &view->groups[wkLeafFirst(points) / WK_TREE_WIDTH],
               (2u << (wkLeafCount(points) - 1)) - 1u, wkLeafCount(items), &c);
    if (c.any == 0) {
        return wk_stepOn;
    }
    for (int i, k; takeNearest(&c, &i, &k);) {
        if (c.bounds[i][k] > pairLimit(walk)) {
            break;
        }
        int32_t item = wkLeafFirst(items) + i, point = wkLeafFirst(points) + k;
        if (visitPair(&walk->base, walk->isPointsB ? item : point,
                      walk->isPointsB ? point : item) == wk_stepStop) {
            return wk_stepStop;
        }
    }
    wkLowerLimit(&walk->base);
    return wk_stepOn;
}

bool wkCanSearchTreePoints(const wkBodyQuestion* q)
{
    bool isKnownA = q->viewA.groups != NULL || q->viewA.item == NULL;
    bool isKnownB = q->viewB.groups != NULL || q->viewB.item == NULL;
    return isKnownA && isKnownB && (q->viewA.groups != NULL || q->viewB.groups != NULL);
}

void wkSearchTreePoints(const wkBodyQuestion* q, wkBodyAnswer* answer)
{
    pointsWalk walk;
    wkBeginItemSearch(q, answer, &walk.base);
    walk.base.visit = visitPair;
    walk.base.finish = NULL;
    walk.base.walk.pairs.leaf = visitPairs;
    walk.lanes = wkLeafPointLanesOfMachine();
    walk.isPointsB = q->viewB.groups != NULL;
    walk.hasTriangles = (walk.isPointsB ? q->viewA.groups : q->viewB.groups) == NULL;
    walk.pointRadii = (q->viewA.groups != NULL ? q->viewA.pointRadius : 0.0) +
                      (q->viewB.groups != NULL ? q->viewB.pointRadius : 0.0);
    walk.linkA = WK_LINK_EMPTY;
    wkRunItemSearch(&walk.base);
}
