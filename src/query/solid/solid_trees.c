// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Two hierarchies, one or both of them solid. While no triangles touch, each connected piece of one is
// inside the other or outside. Where triangles touch, the depth is that of the deepest vertex: depth
// changes no faster than a point moves, so a sphere around many vertices bounds them all.

#include "query/solid/solid_trees.h"

#include "query/tree/nearest.h"
#include "tree/bvh/slot_box.h"

// An inner body and an outer one.
typedef struct nesting {
    const wkTreeView* inner;
    const wkTreeView* outer;
    const wkTreeShapeRow* outerRow;
    wkFrame innerInA;
    wkFrame outerInA;
    bool isAInner;
} nesting;

static nesting nestingOf(const wkBodyQuestion* q, bool isAInner)
{
    wkFrame identity = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, {0.0, 0.0, 0.0}};
    nesting n = {
        .inner = isAInner ? &q->viewA : &q->viewB,
        .outer = isAInner ? &q->viewB : &q->viewA,
        .outerRow = wkTreeShapeRowOf(isAInner ? q->b : q->a),
        .innerInA = isAInner ? identity : q->bInA,
        .outerInA = isAInner ? q->bInA : identity,
        .isAInner = isAInner,
    };
    return n;
}

// Whether the outer body contains a point in the frame of A.
static bool contains(const nesting* n, wkVec3d point)
{
    return n->outerRow->contains(n->outer->source, wkFrameLocal(&n->outerInA, point));
}

// Rounding bound of the ends of a box, relative to the coordinates.
#define BOX_ROUNDING 1e-12

// Whether bounds allow all of the inner body to be inside the outer one. It reaches both ends of its own
// bounds along each of their axes, so these ends must be within the outer bounds.
static bool mayBeWithin(const nesting* n)
{
    wkAabb inner = n->inner->bounds, outer = n->outer->bounds;
    wkVec3d half = wkScale(0.5, wkSub(inner.upper, inner.lower));
    wkVec3d outerHalf = wkScale(0.5, wkSub(outer.upper, outer.lower));
    wkVec3d middle = wkFramePoint(&n->innerInA, wkMiddle(inner.lower, inner.upper));
    wkVec3d way = wkSub(wkFrameLocal(&n->outerInA, middle), wkMiddle(outer.lower, outer.upper));
    double slack = BOX_ROUNDING * (n->inner->reach + n->outer->reach + wkMaxAbs(middle) +
                                   wkMaxAbs(n->innerInA.position) + wkMaxAbs(n->outerInA.position));
    const wkVec3d axes[3] = {n->innerInA.rotation.x, n->innerInA.rotation.y,
                             n->innerInA.rotation.z};
    const double halves[3] = {half.x, half.y, half.z};
    for (int k = 0; k < 3; ++k) {
        wkVec3d axis = wkMulTMV(&n->outerInA.rotation, axes[k]);
        double boxCapacity = wkDot(outerHalf, wkAbs(axis)) - fabs(wkDot(way, axis));
        if (halves[k] > boxCapacity + slack) {
            return false;
        }
    }
    return true;
}

// A vertex of the inner body in the frame of the outer one; one of their two frames is that of A.
static wkVec3d vertexInOuter(const nesting* n, wkVec3d vertex)
{
    return n->isAInner ? wkFrameLocal(&n->outerInA, vertex) : wkFramePoint(&n->innerInA, vertex);
}

static bool isWithin(const wkAabb* box, wkVec3d p)
{
    return p.x >= box->lower.x && p.x <= box->upper.x && p.y >= box->lower.y &&
           p.y <= box->upper.y && p.z >= box->lower.z && p.z <= box->upper.z;
}

// Finds a piece of the inner body that starts inside the outer one. A body of one piece that is not inside
// as a whole is entirely outside, as long as no triangles touch.
static bool findPiece(const nesting* n, wkVec3d* point)
{
    int32_t count = n->outer->isSolid ? n->inner->componentCount : 0;
    if (count == 1 && !mayBeWithin(n)) {
        return false;
    }
    for (int32_t i = 0; i < count; ++i) {
        wkVec3d faceVertices[3];
        wkViewTriangleVertices(n->inner, n->inner->components[i], faceVertices);
        wkVec3d local = vertexInOuter(n, faceVertices[0]);
        if (isWithin(&n->outer->bounds, local) && n->outerRow->contains(n->outer->source, local)) {
            *point = wkFramePoint(&n->innerInA, faceVertices[0]);
            return true;
        }
    }
    return false;
}

// A point of the inner body in the outer one, and the nearest point of the surface.
typedef struct depth {
    double depth;
    wkVec3d inside; // in the frame of A
    wkVec3d exit;
    int32_t innerItem;
    int32_t outerItem;
} depth;

// The result when the inner body moves along `way` by the depth of `d`.
static wkDistanceResult answerOf(const wkBodyQuestion* q, const nesting* n, const depth* d,
                                 wkVec3d way)
{
    double radiusA = wkShapeRadius(q->a), radiusB = wkShapeRadius(q->b);
    double scale = wkMaxAbs(d->inside) + wkMaxAbs(d->exit) + fabs(radiusA) + fabs(radiusB);
    wkDistanceResult found = {
        .distance = -d->depth - (radiusA + radiusB) - WK_ROUNDING * scale,
        .normal = n->isAInner ? wkNeg(way) : way,
        .status = wk_statusExact,
        .partA = n->isAInner ? d->innerItem : d->outerItem,
        .partB = n->isAInner ? d->outerItem : d->innerItem,
    };
    wkVec3d interval = wkScale(found.distance, found.normal);
    if (n->isAInner) {
        found.pointA = wkMulAdd(d->inside, radiusA, found.normal);
        found.pointB = wkAdd(found.pointA, interval);
    } else {
        found.pointB = wkMulSub(d->inside, radiusB, found.normal);
        found.pointA = wkSub(found.pointB, interval);
    }
    return found;
}

// No triangles touch, and `piece` is a point of the inner body in the outer one: moves it straight to the
// nearest point of the surface, until all of the inner body is outside.
static void leaveSolid(const wkBodyQuestion* q, const nesting* n, wkVec3d piece,
                       wkBodyAnswer* answer)
{
    wkBodyAnswer nearest;
    wkSearchFully(q, &nearest);
    const wkDistanceResult* c = &nearest.closest;
    wkVec3d onA = wkMulSub(c->pointA, wkShapeRadius(q->a), c->normal);
    wkVec3d onB = wkMulAdd(c->pointB, wkShapeRadius(q->b), c->normal);
    wkVec3d inside = n->isAInner ? onA : onB, exit = n->isAInner ? onB : onA;
    int32_t exitItem = wkItemOfPart(n->isAInner ? c->partB : c->partA);
    if (!contains(n, inside)) {
        // another piece is closer, outside
        wkNearest other = wkNearestOfTree(n->outer, wkFrameLocal(&n->outerInA, piece), INFINITY);
        inside = piece;
        exit = wkFramePoint(&n->outerInA, other.point);
        exitItem = other.item;
    }
    wkVec3d way = wkNormalizeOr(wkSub(exit, inside), c->normal);
    wkNearest lowest = wkLowestOfTree(n->inner, &n->innerInA, way);
    depth d = {wkDot(way, exit) - lowest.distance, lowest.point, exit, lowest.item, exitItem};
    wkDistanceResult found = answerOf(q, n, &d, way);
    answer->visitCount += nearest.visitCount;
    answer->closest.distance = INFINITY;
    answer->contactCount = 0;
    wkTakeAnswer(q, &found, answer);
}

// Upper bound of the depths in the outer body of all points of a box about `local`, where `reach` is the box's
// extent along the axes of the outer body.
static double boundByBox(const nesting* n, wkVec3d local, wkVec3d reach)
{
    const wkAabb* outer = &n->outer->bounds;
    wkVec3d half = wkScale(0.5, wkSub(outer->upper, outer->lower));
    wkVec3d aside = wkAbs(wkSub(local, wkMiddle(outer->lower, outer->upper)));
    wkVec3d within = wkSub(half, wkMax(wkSub(aside, reach), wkVec(0.0, 0.0, 0.0)));
    return wkMinD(wkMinD(within.x, within.y), within.z) +
           BOX_ROUNDING * (n->outer->reach + wkMaxAbs(local));
}

// Depth of a point of the outer body's frame in that body, negative outside; minus infinity when it is below
// `least`.
static double depthOf(const nesting* n, wkVec3d local, double least, wkNearest* nearest)
{
    if (least > 0.0) {
        // the distance to the surface bounds the depth and takes less time than the inside test
        *nearest = wkNearestFrom(n->outer, local, least);
        bool isDeep = nearest->distance >= least && n->outerRow->contains(n->outer->source, local);
        return isDeep ? nearest->distance : -INFINITY;
    }
    bool isInside = n->outerRow->contains(n->outer->source, local);
    *nearest = wkNearestOfTree(n->outer, local, isInside ? INFINITY : -least);
    return isInside ? nearest->distance : -nearest->distance;
}

// Of vertices equally deep, the one whose triangle is first in the caller's order counts, so that the
// result does not depend on the order of the walk.
static bool isDeeper(const nesting* n, double found, int32_t item, const depth* deepest)
{
    return found > deepest->depth ||
           (found == deepest->depth &&
            wkPartOf(n->inner, item) < wkPartOf(n->inner, deepest->innerItem));
}

static void visitVertices(const nesting* n, wkLink link, depth* deepest)
{
    int32_t first = wkLeafFirst(link), end = first + wkLeafCount(link);
    for (int32_t item = first; item < end; ++item) {
        wkVec3d faceVertices[3];
        wkViewTriangleVertices(n->inner, item, faceVertices);
        for (int k = 0; k < 3; ++k) {
            wkVec3d point = wkFramePoint(&n->innerInA, faceVertices[k]);
            wkVec3d local = wkFrameLocal(&n->outerInA, point);
            if (boundByBox(n, local, wkVec(0.0, 0.0, 0.0)) < deepest->depth) {
                continue;
            }
            wkNearest nearest;
            double found = depthOf(n, local, deepest->depth, &nearest);
            if (isDeeper(n, found, item, deepest)) {
                *deepest = (depth){found, point, wkFramePoint(&n->outerInA, nearest.point), item,
                                   nearest.item};
            }
        }
    }
}

// Upper bound of the depth of the vertices in a slot of the inner body.
static double boundDepth(const nesting* n, wkSlot slot, double least)
{
    wkObb box = wkSlotBox(&n->inner->tree, slot);
    double radius = wkLength(box.half) * (1.0 + 1e-9);
    wkVec3d local = vertexInOuter(n, box.frame.position);
    double bound = boundByBox(n, local, wkVec(radius, radius, radius));
    if (!(bound >= least)) {
        return bound;
    }
    wkNearest nearest;
    return wkMinD(bound, depthOf(n, local, least - radius, &nearest) + radius);
}

// Raises `deepest` to the deepest vertex of the inner body, the likeliest slots first.
static void findDeepest(const nesting* n, depth* deepest)
{
    typedef struct entry {
        wkLink link;
        double bound;
    } entry;
    entry stack[WK_TREE_MAX_DEPTH * (WK_TREE_WIDTH - 1) + WK_TREE_WIDTH];
    int count = 0;
    stack[count++] = (entry){0, INFINITY};
    while (count > 0) {
        entry top = stack[--count];
        if (!(top.bound >= deepest->depth)) {
            continue;
        }
        if (wkIsLeaf(top.link)) {
            visitVertices(n, top.link, deepest);
            continue;
        }
        const wkLink* links = wkTreeLinks(&n->inner->tree, top.link);
        int start = count;
        for (uint32_t i = 0; i < WK_TREE_WIDTH && links[i] != WK_LINK_EMPTY; ++i) {
            double bound = boundDepth(n, top.link * WK_TREE_WIDTH + i, deepest->depth);
            if (bound >= deepest->depth) {
                int k = count++;
                for (; k > start && stack[k - 1].bound > bound; --k) {
                    stack[k] = stack[k - 1];
                }
                stack[k] = (entry){links[i], bound};
            }
        }
    }
}

// Triangles touch: also considers the deepest vertex of one body in the other, if it is deeper.
static void addDeepest(const wkBodyQuestion* q, wkBodyAnswer* answer)
{
    double radii = wkShapeRadius(q->a) + wkShapeRadius(q->b);
    double least = wkMaxD(0.0, -(wkMinD(answer->closest.distance, q->cutoff) + radii));
    wkVec3d back = wkNormalizeOr(answer->closest.normal, wkVec(0.0, 0.0, 1.0));
    wkDistanceResult found = answer->closest;
    bool isFound = false;
    for (int i = 0; i < 2; ++i) {
        nesting n = nestingOf(q, i == 0);
        depth deepest = {.depth = least};
        if (n.outer->isSolid) {
            findDeepest(&n, &deepest);
        }
        if (deepest.depth > least) {
            wkVec3d way = wkNormalizeOr(wkSub(deepest.exit, deepest.inside), back);
            found = answerOf(q, &n, &deepest, way);
            least = deepest.depth;
            isFound = true;
        }
    }
    if (isFound) {
        wkTakeAnswer(q, &found, answer);
    }
}

// No triangles touch: checks whether a piece of one body is in the other.
static void settleApart(const wkBodyQuestion* q, bool areConvex, wkBodyAnswer* answer)
{
    wkVec3d point;
    nesting n = nestingOf(q, true);
    if (!findPiece(&n, &point)) {
        n = nestingOf(q, false);
        if (!findPiece(&n, &point)) {
            return;
        }
    }
    if (!q->isSigned && !q->isCommon) {
        double radii = wkShapeRadius(q->a) + wkShapeRadius(q->b);
        answer->closest.distance = -radii - q->slack;
    } else if (q->isCommon) {
        wkAnswerCommon(point, answer);
    } else if (areConvex) {
        answer->contactCount = 0;
        wkAnswerByHulls(q, answer);
    } else {
        leaveSolid(q, &n, point, answer);
    }
}

void wkSettleTrees(const wkBodyQuestion* q, wkBodyAnswer* answer)
{
    double radii = wkShapeRadius(q->a) + wkShapeRadius(q->b);
    bool isTouching = answer->closest.distance + (q->slack + radii) <= 0.0;
    if (answer->closest.distance <= q->enough || (isTouching && !q->isSigned)) {
        return;
    }
    bool areConvex = q->viewA.hull != NULL && q->viewB.hull != NULL;
    answer->isExact = areConvex;
    if (!isTouching) {
        settleApart(q, areConvex, answer);
    } else if (areConvex) {
        wkAnswerByHulls(q, answer);
    } else {
        addDeepest(q, answer);
    }
}
