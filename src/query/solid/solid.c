// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A convex shape and a solid. As long as no triangle touches the shape's core, the core is entirely inside
// or entirely outside, and one point decides which. A shape inside leaves the solid through the nearest
// point of the surface.

#include "query/solid/solid.h"

#include "query/solid/solid_deep.h"
#include "query/solid/solid_points.h"
#include "query/solid/solid_trees.h"
#include "query/tree/nearest.h"

static double radiiOf(const wkBodyQuestion* q)
{
    return wkShapeRadius(q->a) + wkShapeRadius(q->b);
}

// Depth of a point of A in B.
static wkSunken sink(const wkBodyQuestion* q, wkVec3d point)
{
    wkSunken sunken = {point, point, 0.0};
    wkVec3d local = wkFrameLocal(&q->bInA, point);
    if (wkTreeShapeRowOf(q->b)->contains(q->viewB.source, local)) {
        wkNearest nearest = wkNearestOfTree(&q->viewB, local, INFINITY);
        sunken.exit = wkFramePoint(&q->bInA, nearest.point);
        sunken.depth = nearest.distance;
    }
    return sunken;
}

// Sets the result: the lowest point of the core moves along the way, by the distance from the surface.
static void pushAlong(const wkOutward* outward, wkSolidExit exit, wkDistanceResult* found)
{
    found->distance = exit.distance;
    found->normal = wkNeg(exit.way);
    found->pointA = wkMulSub(exit.lowest, outward->radiusShape, exit.way);
    found->pointB = wkMulAdd(found->pointA, exit.distance, found->normal);
}

// Finds the shortest way out of the solid's bounds along their axes: the solid ends where they do, so no depth is
// larger.
static wkSolidExit findBoundsExit(const wkOutward* outward)
{
    const wkBodyQuestion* q = outward->question;
    const wkAabb* box = &q->viewB.bounds;
    const wkMat3d* axes = &q->bInA.rotation;
    const wkVec3d ways[6] = {axes->x,        axes->y,        axes->z,
                             wkNeg(axes->x), wkNeg(axes->y), wkNeg(axes->z)};
    const double sides[6] = {box->upper.x,  box->upper.y,  box->upper.z,
                             -box->lower.x, -box->lower.y, -box->lower.z};
    double radii = outward->radiusShape + outward->radiusTree;
    double scale = wkMaxAbs(q->bInA.position) + wkMaxAbs(box->lower) + wkMaxAbs(box->upper);
    wkSolidExit best = {.distance = -INFINITY};
    for (int i = 0; i < 6; ++i) {
        wkVec3d lowest = outward->row->support(q->a, wkNeg(ways[i]));
        double top = wkDot(ways[i], q->bInA.position) + sides[i];
        double slack = WK_ROUNDING * (scale + wkMaxAbs(lowest) + fabs(radii));
        double distance = wkDot(ways[i], lowest) - top - radii - slack;
        if (distance > best.distance) {
            best = (wkSolidExit){lowest, ways[i], distance};
        }
    }
    return best;
}

// The way out through the plane of a triangle, or out of the bounds where that is shorter.
static wkSolidExit findExit(wkOutward* outward, wkSolidExit plane)
{
    if (isnan(outward->bounds.distance)) {
        outward->bounds = findBoundsExit(outward);
    }
    return outward->bounds.distance > plane.distance ? outward->bounds : plane;
}

// Height of a hairline triangle, relative to its length.
#define HAIRLINE 1e-4

static bool isHairline(const wkVec3d faceVertices[3], wkVec3d cross)
{
    double longest = 0.0;
    for (int i = 0; i < 3; ++i) {
        wkVec3d edge = wkSub(faceVertices[(i + 1) % 3], faceVertices[i]);
        longest = wkMaxD(longest, wkLengthSquared(edge));
    }
    return !(wkLength(cross) > HAIRLINE * longest);
}

void wkPushOutward(wkOutward* outward, const wkVec3d faceVertices[3], bool isLid,
                   wkDistanceResult* found)
{
    const wkBodyQuestion* q = outward->question;
    double radii = outward->radiusShape + outward->radiusTree;
    if (!(found->distance + radii <= 0.0)) {
        return; // the cores are apart
    }
    wkVec3d cross =
        wkCross(wkSub(faceVertices[1], faceVertices[0]), wkSub(faceVertices[2], faceVertices[0]));
    if (isLid && radii >= 0.0 && isHairline(faceVertices, cross)) {
        found->distance = -radii;
        found->pointB = wkMulAdd(found->pointA, found->distance, found->normal);
        return;
    }
    wkVec3d out = wkNormalizeOr(q->viewB.isInverted ? wkNeg(cross) : cross, wkVec(0.0, 0.0, 0.0));
    wkVec3d lowest = outward->row->support(q->a, wkNeg(out));
    wkSolidExit plane = {lowest, out, -wkDot(out, wkSub(faceVertices[0], lowest)) - radii};
    wkSolidExit exit = findExit(outward, plane);
    if (wkDot(found->normal, out) > 0.0) {
        // no way out of the triangle is shorter than the shortest
        exit.distance = wkMinD(exit.distance, found->distance);
        pushAlong(outward, exit, found);
        return;
    }
    if (!(exit.distance < found->distance) || exit.distance - q->slack > outward->known) {
        return; // straight out already, no plane, or not deep enough to matter
    }
    wkSunken* s = &outward->lowest;
    if (!(s->point.x == lowest.x && s->point.y == lowest.y && s->point.z == lowest.z)) {
        *s = sink(q, lowest);
    }
    double aside = -s->depth - radii;
    if (aside <= exit.distance) {
        pushAlong(outward, exit, found);
    } else if (aside < found->distance) {
        exit = (wkSolidExit){lowest, wkNormalizeOr(wkSub(s->exit, lowest), out), aside};
        pushAlong(outward, exit, found);
    }
}

wkVec3d wkPointOfCore(const wkShape* shape)
{
    const wkConvexRow* row = wkConvexRowOf(shape);
    wkInnerOuterSpheres sphere = row->sphere(shape);
    return sphere.innerRadius > 0.0 ? sphere.center : row->support(shape, wkVec(1.0, 0.0, 0.0));
}

void wkSearchFully(const wkBodyQuestion* q, wkBodyAnswer* answer)
{
    wkBodyQuestion full = *q;
    full.cutoff = INFINITY;
    full.enough = -INFINITY;
    full.tolerance = 0.0;
    full.isSigned = true;
    full.isCommon = false;
    full.contacts = NULL;
    full.front = NULL;
    wkSearchSurfaces(&full, answer);
}

// Replaces all previous results.
static void answerAnew(const wkBodyQuestion* q, const wkDistanceResult* found, wkBodyAnswer* answer)
{
    answer->closest.distance = INFINITY;
    answer->contactCount = 0;
    wkTakeAnswer(q, found, answer);
}

// Moves a shape that is inside straight to the nearest point of the surface, until all of it is outside.
static void leaveSolid(const wkBodyQuestion* q, wkBodyAnswer* answer)
{
    wkBodyAnswer nearest;
    wkSearchFully(q, &nearest);
    answer->visitCount += nearest.visitCount;
    wkDistanceResult found = nearest.closest;
    double radiusA = wkShapeRadius(q->a), radiusB = wkShapeRadius(q->b);
    wkVec3d way = found.normal, exit = wkMulAdd(found.pointB, radiusB, way);
    wkVec3d last = wkConvexRowOf(q->a)->support(q->a, wkNeg(way));
    double depth = wkDot(way, wkSub(exit, last));
    double scale = wkMaxAbs(exit) + wkMaxAbs(last) + fabs(radiusA) + fabs(radiusB);
    found.distance = -depth - (radiusA + radiusB) - WK_ROUNDING * scale;
    found.normal = wkNeg(way);
    found.pointA = wkMulSub(last, radiusA, way);
    found.pointB = wkMulAdd(found.pointA, found.distance, found.normal);
    answerAnew(q, &found, answer);
}

void wkAnswerCommon(wkVec3d point, wkBodyAnswer* answer)
{
    answer->closest.distance = 0.0;
    answer->closest.pointA = point;
    answer->closest.pointB = point;
    answer->closest.normal = wkVec(0.0, 0.0, 1.0);
}

static wkShape hullOf(const wkShape* shape, const wkTreeView* view)
{
    wkShape hull = *shape;
    hull.type = wk_shapeHull;
    hull.hull = view->hull;
    return hull;
}

// Finds the triangle nearest to a point in the frame of A.
static int32_t itemAt(const wkTreeView* view, const wkFrame* frame, wkVec3d point)
{
    return wkNearestOfTree(view, wkFrameLocal(frame, point), INFINITY).item;
}

void wkAnswerByHulls(const wkBodyQuestion* q, wkBodyAnswer* answer)
{
    bool isTree = wkIsTreeType(q->a->type);
    wkShape a = isTree ? hullOf(q->a, &q->viewA) : *q->a, b = hullOf(q->b, &q->viewB);
    wkDistanceResult found = wkDistance(&a, *q->poseA, &b, *q->poseB, NULL);
    wkFrame frame = wkFrameFromPose(*q->poseA);
    wkFrame identity = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, {0.0, 0.0, 0.0}};
    found.normal = wkMulTMV(&frame.rotation, found.normal);
    found.pointA = wkFrameLocal(&frame, found.pointA);
    found.pointB = wkFrameLocal(&frame, found.pointB);
    found.partA = isTree ? itemAt(&q->viewA, &identity, found.pointA) : -1;
    found.partB = itemAt(&q->viewB, &q->bInA, found.pointB);

    // a triangle is no deeper than the hull that it is part of, and an inner body overlaps
    double least = wkMinD(answer->closest.distance + q->slack, -radiiOf(q));
    found.distance = wkMinD(found.distance, least);
    answer->closest.distance = INFINITY;
    wkTakeAnswer(q, &found, answer);
}

static void settleShape(const wkBodyQuestion* q, wkBodyAnswer* answer)
{
    double radii = radiiOf(q);
    bool isAcross = answer->closest.distance + (q->slack + radii) <= 0.0;
    if (isAcross && q->isSigned && q->viewB.hull != NULL) {
        wkAnswerByHulls(q, answer);
        return;
    }
    if (isAcross || answer->closest.distance <= q->enough) {
        return;
    }
    wkVec3d point = wkPointOfCore(q->a);
    if (!wkTreeShapeRowOf(q->b)->contains(q->viewB.source, wkFrameLocal(&q->bInA, point))) {
        return;
    }
    if (!q->isSigned && !q->isCommon) {
        answer->closest.distance = -radii - q->slack; // only this depth is requested
        return;
    }
    if (q->isCommon) {
        wkAnswerCommon(point, answer);
    } else if (q->viewB.hull != NULL) {
        answer->contactCount = 0;
        wkAnswerByHulls(q, answer);
    } else {
        leaveSolid(q, answer);
    }
}

// A plane and a bounded solid: the solid leaves to the nearer side.
static void searchPlane(const wkBodyQuestion* q, wkBodyAnswer* answer)
{
    wkShape sides[2] = {*q->a, *q->a};
    sides[0].type = wk_shapeHalfspace;
    sides[1].type = wk_shapeHalfspace;
    sides[1].halfspace.normal = wkNeg(sides[1].halfspace.normal);
    sides[1].halfspace.offset = -sides[1].halfspace.offset;
    wkBodyQuestion side = *q;
    double distances[2];
    for (int i = 0; i < 2; ++i) {
        side.a = &sides[i];
        side.contacts = NULL;
        wkSearchSurfaces(&side, answer);
        distances[i] = answer->closest.distance;
    }
    if (q->isCommon && distances[0] <= 0.0 && distances[1] <= 0.0) {
        wkSearchSurfaces(q, answer); // for a point of the plane itself
        return;
    }
    side.contacts = q->contacts;
    side.a = &sides[distances[0] < distances[1] ? 1 : 0];
    wkSearchSurfaces(&side, answer);
}

// Bodies with negative margins, or a half-space: the depth decides whether they share a point, and where.
static void searchForCommon(const wkBodyQuestion* q, wkBodyAnswer* answer)
{
    wkBodyQuestion deep = *q;
    deep.enough = -INFINITY;
    deep.isSigned = true;
    deep.isCommon = false;
    wkSearchSolids(&deep, answer);
    if (answer->closest.distance <= 0.0) {
        wkAnswerCommon(answer->closest.pointB, answer);
    }
}

// Whether bodies with negative margins are apart by the depths of triangles and vertices alone, which does not
// decide about other points of the cores. Items of a hierarchy of shapes were queried one by one.
static bool mayShareDepth(const wkBodyQuestion* q, const wkBodyAnswer* answer)
{
    double distance = answer->closest.distance;
    return q->isSigned && !answer->isExact && q->viewA.item == NULL && distance > 0.0 &&
           distance + (q->slack + radiiOf(q)) <= 0.0;
}

void wkSearchSolids(const wkBodyQuestion* q, wkBodyAnswer* answer)
{
    if (q->isCommon && (radiiOf(q) < 0.0 || q->a->type == wk_shapeHalfspace)) {
        searchForCommon(q, answer);
        return;
    }
    if (q->a->type == wk_shapePlane) {
        searchPlane(q, answer);
        answer->isExact = true;
        return;
    }
    if (wkAreSolidPoints(q)) {
        wkSearchSolidPoints(q, answer);
        return;
    }
    wkSearchSurfaces(q, answer);
    if (wkIsTreeType(q->a->type)) {
        (q->viewA.item != NULL ? wkSettleItems : wkSettleTrees)(q, answer);
    } else if (q->a->type == wk_shapeHalfspace) {
        answer->isExact = true; // the deepest vertex, inside or not
    } else {
        settleShape(q, answer);
        answer->isExact = q->a->type == wk_shapeSphere || q->viewB.hull != NULL;
    }
    if (mayShareDepth(q, answer)) {
        wkProveApart(q, answer);
    }
}
