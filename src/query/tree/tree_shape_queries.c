// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A convex shape against a hierarchy of triangles. The walk sees the shape's core as a box in the shape's
// own frame; triangles are transformed into that frame and evaluated by the pair table.

#include "query/tree/tree_query.h"

#include "query/pair/question.h"
#include "query/solid/solid.h"

typedef struct shapeWalk {
    wkBoxWalk base;
    const wkBodyQuestion* question;
    wkBodyAnswer* answer;
    const wkPairRow* row;
    wkQuestion pair;
    wkShape triangle;
    bool isTriangleFirst; // in the order of the pair table
    wkPose identity;      // of both: the frame of the shape
    double radii;         // sum of the sphere radii around both cores
    wkOutward outward;
    bool isPushed;     // out of a solid
    bool isSolved;     // by a general solver: planes of triangles cull first
    double planeSlack; // by how much such a plane must exceed what matters
} shapeWalk;

// Rounding of a plane's gap and of the solver's results, relative to the coordinates.
#define PLANE_ROUNDING 1e-9

// Largest distance of the shape and a triangle that still matters. A shape pushed out of a solid may be
// deeper in it than in the triangle.
static double reachOf(const shapeWalk* walk)
{
    double reach = wkReachOf(walk->question, walk->answer);
    return walk->isPushed ? wkMaxD(reach, -walk->radii) : reach;
}

// Whether the plane of a triangle proves that the triangle's result does not matter. The shape is no closer to
// the triangle than to the plane, and leaves the triangle by leaving the plane to either side, a solid by
// leaving it outwards. Some triangle of those that touch the core must be evaluated before depths are compared:
// it shows that the core is not entirely inside or outside.
static bool isCulledByPlane(const shapeWalk* walk, const wkVec3d faceVertices[3])
{
    const wkBodyQuestion* q = walk->question;
    const wkOutward* outward = &walk->outward;
    wkVec3d cross =
        wkCross(wkSub(faceVertices[1], faceVertices[0]), wkSub(faceVertices[2], faceVertices[0]));
    if (!(wkMaxAbs(cross) > 0.0)) {
        return false;
    }
    wkVec3d out = wkNormalizeOr(q->viewB.isInverted ? wkNeg(cross) : cross, wkVec(0.0, 0.0, 0.0));
    double heights[3] = {wkDot(out, faceVertices[0]), wkDot(out, faceVertices[1]),
                         wkDot(out, faceVertices[2])};
    double top = wkMaxD(wkMaxD(heights[0], heights[1]), heights[2]);
    double bottom = wkMinD(wkMinD(heights[0], heights[1]), heights[2]);
    double above = wkDot(out, outward->row->support(q->a, wkNeg(out))) - top;
    double below = bottom - wkDot(out, outward->row->support(q->a, out));
    double gap = below > 0.0 || !walk->isPushed ? wkMaxD(above, below) : above;
    double best = walk->answer->closest.distance + q->slack, reach = wkReachOf(q, walk->answer);
    double least = best + walk->radii <= 0.0 ? reach : wkMaxD(reach, -walk->radii);
    return gap - walk->radii - q->slack > least + walk->planeSlack;
}

static wkStep visitTriangles(wkSlotWalk* slots, wkLink link)
{
    shapeWalk* walk = (shapeWalk*)slots;
    const wkBodyQuestion* q = walk->question;
    int32_t first = wkLeafFirst(link), end = first + wkLeafCount(link);
    for (int32_t item = first; item < end; ++item) {
        wkVec3d faceVertices[3];
        wkViewTriangleVertices(&q->viewB, item, faceVertices);
        for (int i = 0; i < 3; ++i) {
            faceVertices[i] = wkFramePoint(&q->bInA, faceVertices[i]);
            walk->triangle.triangle.points[i] = faceVertices[i];
        }
        if (walk->isSolved && isCulledByPlane(walk, faceVertices)) {
            ++walk->answer->visitCount;
            continue;
        }
        walk->pair.cutoff = reachOf(walk) + q->slack;
        wkDistanceResult found;
        if (q->isCommon) {
            wkAnswerPairUnsigned(walk->row, &walk->pair, &found);
        } else {
            wkAnswerPair(walk->row, &walk->pair, &found);
        }
        if (walk->isTriangleFirst) {
            found = wkSwapAnswer(found);
        }
        if (walk->isPushed) {
            walk->outward.known =
                q->contacts == NULL ? walk->answer->closest.distance : (double)INFINITY;
            bool isLid = wkPartOf(&q->viewB, item) >= q->viewB.givenCount;
            wkPushOutward(&walk->outward, faceVertices, isLid, &found);
        }
        found.partA = -1;
        found.partB = item;
        ++walk->answer->visitCount;
        if (wkTakeAnswer(q, &found, walk->answer) == wk_stepStop) {
            return wk_stepStop;
        }
    }
    slots->limit = wkWalkLimit(wkReachOf(q, walk->answer) + walk->radii, walk->base.slack);
    return wk_stepOn;
}

// Prepares the query for the shape and one triangle, both in the frame of the shape.
static void preparePair(shapeWalk* walk)
{
    const wkBodyQuestion* q = walk->question;
    walk->triangle = wkPartOfType(q->b, wk_shapeTriangle);
    walk->identity = (wkPose){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}};
    walk->isTriangleFirst = q->a->type > wk_shapeTriangle;
    walk->row = wkConvexPairRowOf(q->a, &walk->triangle);
    walk->pair =
        wkQuestionOfParts(q, walk->isTriangleFirst ? &walk->triangle : q->a, &walk->identity,
                          walk->isTriangleFirst ? q->a : &walk->triangle, &walk->identity);
    walk->radii = walk->pair.radiusA + walk->pair.radiusB;
    walk->outward = (wkOutward){
        .question = q,
        .row = wkConvexRowOf(q->a),
        .radiusShape = wkShapeRadius(q->a),
        .radiusTree = wkShapeRadius(q->b),
        .lowest = {.point = {NAN, NAN, NAN}},
        .bounds = {.distance = NAN},
    };
    walk->isSolved = walk->row->closest == NULL && q->isSigned && walk->outward.row->isBounded;
    walk->isPushed = q->viewB.isSolid && q->viewB.hull == NULL && q->isSigned &&
                     walk->outward.row->isBounded && q->a->type != wk_shapeSphere;
}

double wkPrepareBoxWalk(const wkBodyQuestion* q, const wkBodyAnswer* answer, wkBoxWalk* base)
{
    const wkConvexRow* row = wkConvexRowOf(q->a);
    double radiusA = wkShapeRadius(q->a), radiusB = wkShapeRadius(q->b);
    base->slots.tree = q->viewB.tree;
    base->treeInBox = q->bInA;
    base->isFlat = !row->isBounded;
    base->isBothSided = q->a->type == wk_shapePlane;
    double reach = q->viewB.reach + wkMaxAbs(q->bInA.position);
    if (row->isBounded) {
        wkFrame identity = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, {0.0, 0.0, 0.0}};
        wkAabb box = row->bounds(q->a, &identity);
        base->center = wkMiddle(box.lower, box.upper);
        base->half = wkScale(0.5, wkSub(box.upper, box.lower));
        reach += wkMaxAbs(base->center) + wkMaxAbs(base->half);
    } else {
        base->center = row->project(q->a, wkVec(0.0, 0.0, 0.0)).point;
        base->half = q->a->halfspace.normal;
    }
    reach += fabs(radiusA) + fabs(radiusB);
    base->slack = wkWalkSlack(reach);
    base->slots.limit = wkWalkLimit(wkReachOf(q, answer) + (radiusA + radiusB), base->slack);
    return reach;
}

void wkSearchShape(const wkBodyQuestion* q, wkBodyAnswer* answer)
{
    shapeWalk walk;
    walk.question = q;
    walk.answer = answer;
    preparePair(&walk);
    walk.planeSlack = PLANE_ROUNDING * wkPrepareBoxWalk(q, answer, &walk.base);
    walk.base.slots.leaf = visitTriangles;
    wkWalkTree(&walk.base);
}
