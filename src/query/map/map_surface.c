// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A map against a surface whose hierarchy has boxes. The closest pair of a cell and a triangle is
// searched in both hierarchies at once; where contacts are requested, each cell searches for the triangle
// closest to it. Either way a cell and a triangle are evaluated by the pair table, in the frame of the
// map.

#include "query/map/map_surface.h"

#include "query/map/cell_triangle.h"
#include "query/pair/question.h"
#include "query/tree/tree_query.h"

typedef struct surfaceWalk {
    wkMapTreeWalk base;
    const wkBodyQuestion* question;
    wkBodyAnswer* answer;
    wkSurfaceAsk* ask;
    double radii; // sum of the sphere radii around both cores
} surfaceWalk;

static void prepareAsk(const wkBodyQuestion* q, wkSurfaceAsk* ask)
{
    bool isVerdict = wkIsVerdict(q);
    ask->cell = wkPartOfType(q->b, wk_shapeBox);
    ask->triangle = wkPartOfType(q->a, wk_shapeTriangle);
    ask->cellPose = ask->trianglePose = (wkPose){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}};
    ask->pair =
        wkQuestionOfParts(q, &ask->cell, &ask->cellPose, &ask->triangle, &ask->trianglePose);
    ask->pair.wantsPoints = !isVerdict;
    ask->radii = ask->pair.radiusA + ask->pair.radiusB;
    // cores that share points are then near enough
    ask->isVerdict = isVerdict && ask->pair.touching + ask->radii >= 0.0;
    ask->isReady = true;
}

static void setCell(const wkOctree* octree, const wkCube* cube, wkSurfaceAsk* ask)
{
    double half = wkCubeHalf(octree, cube);
    ask->cell.box.half = wkVec(half, half, half);
    ask->cellPose.position = wkCubeCenter(octree, cube);
}

// Whether the cell and the box around the triangle, both relative to the cell's center, are further
// apart than `reach`.
static bool isFar(const wkSurfaceAsk* ask, const wkVec3d faceVertices[3], double reach)
{
    wkVec3d lower = wkMin(wkMin(faceVertices[0], faceVertices[1]), faceVertices[2]);
    wkVec3d upper = wkMax(wkMax(faceVertices[0], faceVertices[1]), faceVertices[2]);
    wkVec3d half = ask->cell.box.half;
    wkVec3d gap = wkMax(wkSub(lower, half), wkSub(wkNeg(half), upper));
    gap = wkMax(gap, wkVec(0.0, 0.0, 0.0));
    double size = half.x + wkMaxAbs(lower) + wkMaxAbs(upper);
    double limit = wkPositive(reach) + 1e-9 * size;
    return wkDot(gap, gap) > limit * limit;
}

// Evaluates the cell and one triangle, both relative to the cell's center; the triangle comes first in
// the result.
// @return false when it is further away than `reach`
static bool askTriangle(wkSurfaceAsk* ask, const wkBodyQuestion* q, int32_t item, double reach,
                        wkDistanceResult* found)
{
    wkVec3d middle = ask->cellPose.position;
    wkVec3d* faceVertices = ask->triangle.triangle.points;
    wkViewTriangleVertices(&q->viewA, item, faceVertices);
    for (int k = 0; k < 3; ++k) {
        faceVertices[k] = wkSub(wkFramePoint(&q->aInB, faceVertices[k]), middle);
    }
    if (isFar(ask, faceVertices, reach + ask->radii)) {
        return false;
    }
    if (ask->isVerdict) {
        wkCellSide side = wkClassifyCell(ask->cell.box.half.x, faceVertices, reach + ask->radii);
        *found = (wkDistanceResult){.distance = -ask->radii};
        if (side != wk_cellUnsure) {
            return side == wk_cellOverlaps;
        }
    }
    ask->pair.cutoff = reach;
    ask->cellPose.position = wkVec(0.0, 0.0, 0.0);
    const wkPairRow* row = &wkPairTable[wk_shapeBox][wk_shapeTriangle];
    if (q->isCommon) {
        wkAnswerPairUnsigned(row, &ask->pair, found);
    } else {
        wkAnswerPair(row, &ask->pair, found);
    }
    ask->cellPose.position = middle;
    *found = wkSwapAnswer(*found);
    found->pointA = wkAdd(found->pointA, middle);
    found->pointB = wkAdd(found->pointB, middle);
    found->partA = wkPartOf(&q->viewA, item);
    return true;
}

static wkStep visitTriangle(surfaceWalk* walk, const wkCube* cube, int32_t item)
{
    const wkBodyQuestion* q = walk->question;
    if (!walk->ask->isReady) {
        prepareAsk(q, walk->ask);
    }
    setCell(walk->base.view.octree, cube, walk->ask);
    wkDistanceResult found;
    if (!askTriangle(walk->ask, q, item, wkMapReach(q, walk->answer) + q->slack, &found)) {
        return wk_stepOn;
    }
    found.partB = wkCubeId(cube);
    bool isReported = cube->isUnknown && q->b->map.unknown == wk_unknownReported;
    wkStep step = wkTakeCell(q, &found, isReported, walk->answer);
    walk->base.reach = wkMapReach(q, walk->answer) + walk->radii + q->slack;
    return step;
}

// A walk of one triangle against a cube of cells: as a flat box, whose bounds are tight.
typedef struct triangleWalk {
    wkMapWalk base;
    surfaceWalk* surface;
    int32_t item;
    wkMat3d axes;
} triangleWalk;

static wkStep visitCell(wkMapWalk* base, const wkCube* cube)
{
    triangleWalk* walk = (triangleWalk*)base;
    wkStep step = visitTriangle(walk->surface, cube, walk->item);
    base->reach = walk->surface->base.reach;
    return step;
}

// A box along the longest edge of a triangle and its normal.
static wkMapBody bodyOfTriangle(const wkVec3d faceVertices[3], wkMat3d* axes)
{
    wkVec3d ab = wkSub(faceVertices[1], faceVertices[0]),
            bc = wkSub(faceVertices[2], faceVertices[1]);
    wkVec3d ca = wkSub(faceVertices[0], faceVertices[2]);
    wkVec3d edge = wkDot(ab, ab) > wkDot(bc, bc) ? ab : bc;
    edge = wkDot(ca, ca) > wkDot(edge, edge) ? ca : edge;
    wkMapBody body = {.axes = axes};
    axes->x = wkNormalizeOr(edge, wkVec(1.0, 0.0, 0.0));
    wkVec3d across = wkPerpendicular(axes->x);
    wkVec3d normal = wkNormalizeOr(wkCross(ab, bc), across);
    normal = wkMulSub(normal, wkDot(normal, axes->x), axes->x);
    axes->z = wkNormalizeOr(normal, across);
    axes->y = wkCross(axes->z, axes->x);
    wkVec3d lower = wkVec(INFINITY, INFINITY, INFINITY), upper = wkNeg(lower);
    for (int k = 0; k < 3; ++k) {
        wkVec3d local = wkMulTMV(axes, faceVertices[k]);
        lower = wkMin(lower, local);
        upper = wkMax(upper, local);
    }
    body.center = wkMulMV(axes, wkMiddle(lower, upper));
    body.half = wkScale(0.5, wkSub(upper, lower));
    return body;
}

// Evaluates all cells of a cube that may be smaller than the triangle.
static void walkBelow(surfaceWalk* walk, const wkCube* cube, int32_t item)
{
    wkVec3d faceVertices[3];
    wkViewTriangleVertices(&walk->question->viewA, item, faceVertices);
    for (int k = 0; k < 3; ++k) {
        faceVertices[k] = wkFramePoint(&walk->question->aInB, faceVertices[k]);
    }
    wkCubes start;
    start.count = 1;
    start.cubes[0] = *cube;
    start.cubes[0].bound = -INFINITY; // rounded for the whole tree, not for this triangle
    triangleWalk below = {.surface = walk, .item = item};
    below.base.view = walk->base.view;
    below.base.body = bodyOfTriangle(faceVertices, &below.axes);
    below.base.start = &start;
    below.base.reach = walk->base.reach;
    below.base.leaf = visitCell;
    wkWalkMap(&below.base);
}

static wkStep visitLeaf(wkMapTreeWalk* base, const wkCube* cube, wkLink link)
{
    surfaceWalk* walk = (surfaceWalk*)base;
    int32_t first = wkLeafFirst(link), end = first + wkLeafCount(link);
    for (int32_t item = first; item < end; ++item) {
        if (cube->link == 0) {
            visitTriangle(walk, cube, item);
        } else {
            walkBelow(walk, cube, item);
        }
        if (walk->answer->closest.distance <= walk->question->enough) {
            return wk_stepStop;
        }
    }
    return wk_stepOn;
}

void wkSearchSurface(const wkBodyQuestion* q, wkSurfaceAsk* ask, wkBodyAnswer* answer)
{
    surfaceWalk walk = {.question = q, .answer = answer, .ask = ask};
    walk.radii = wkShapeRadius(q->a) + wkShapeRadius(q->b);
    walk.base.view = q->cellsB;
    walk.base.tree = &q->viewA.tree;
    walk.base.treeInMap = &q->aInB;
    walk.base.treeReach = q->viewA.reach;
    walk.base.start = q->nearB;
    walk.base.isVerdict = wkIsVerdict(q);
    walk.base.reach = wkMapReach(q, answer) + walk.radii + q->slack;
    walk.base.leaf = visitLeaf;
    wkWalkMapTree(&walk.base);
}

// A walk for the triangle closest to one cell.
typedef struct cellWalk {
    wkBoxWalk base;
    const wkBodyQuestion* question;
    wkSurfaceAsk* ask;
    double reach;
    wkDistanceResult* found;
} cellWalk;

static wkStep visitTriangles(wkBoxWalk* base, wkLink link)
{
    cellWalk* walk = (cellWalk*)base;
    int32_t first = wkLeafFirst(link), end = first + wkLeafCount(link);
    for (int32_t item = first; item < end; ++item) {
        wkDistanceResult next;
        double reach = wkMinD(walk->reach, walk->found->distance);
        if (askTriangle(walk->ask, walk->question, item, reach, &next) &&
            next.distance < walk->found->distance) {
            *walk->found = next;
        }
    }
    double reach = wkMinD(walk->reach, walk->found->distance) + walk->ask->radii;
    base->limit = wkWalkLimit(reach, base->slack);
    return wk_stepOn;
}

void wkAskSurface(wkSurfaceAsk* ask, const wkBodyQuestion* q, wkVec3d half, wkVec3d center,
                  double reach, wkDistanceResult* found)
{
    if (!ask->isReady) {
        prepareAsk(q, ask);
    }
    ask->cell.box.half = half;
    ask->cellPose.position = center;
    cellWalk walk = {.question = q, .ask = ask, .reach = reach, .found = found};
    *found = (wkDistanceResult){.distance = INFINITY};
    walk.base.tree = q->viewA.tree;
    walk.base.treeInBox = q->aInB; // the box is in the frame of the map
    walk.base.center = center;
    walk.base.half = half;
    walk.base.slack = wkWalkSlack(q->viewA.reach + wkMaxAbs(q->aInB.position) + wkMaxAbs(center) +
                                  half.x + fabs(ask->pair.radiusA) + fabs(ask->pair.radiusB));
    walk.base.limit = wkWalkLimit(reach + ask->radii, walk.base.slack);
    walk.base.leaf = visitTriangles;
    wkWalkTree(&walk.base);
}
