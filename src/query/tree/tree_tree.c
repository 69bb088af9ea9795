// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Two hierarchies of triangles. At the leaves each pair is translated to the first vertex of A's triangle,
// so that rounding is in proportion to its size and not to that of the meshes.

#include "query/tree/tree_pairs.h"

#include "base/isa_table.h"
#include "query/pair/question.h"
#include "query/tree/triangle_kernel.h"
#include "simd/quad.h"

#include <string.h>

WK_DEFINE_LANES(const wkTriangleLanes, wkTriangleLanes)

// A triangle of a leaf, relative to the leaf's origin: enough to cull pairs that cannot matter.
typedef struct triangle {
    wkQuad lower; // the fourth values are unused
    wkQuad upper;
    float faceVertices[3][3];
    int32_t item;
} triangle;

// Pairs queued until eight of them can be evaluated together.
typedef struct batch {
    wkTriangleBatch lanes;
    int32_t a[WK_BATCH];
    int32_t b[WK_BATCH];
    int count;
} batch;

typedef struct treesWalk {
    wkItemSearch base;
    const wkTriangleLanes* lanes;
    const wkPairRow* row;
    wkQuestion pair;
    wkShape a;
    wkShape b;
    wkPose identity; // of both
    double radii;    // sum of the sphere radii around both cores
    batch batch;
    wkLink linkA; // leaf of A that is loaded
    wkVec3d origin;
    triangle trianglesA[WK_TREE_WIDTH];
} treesWalk;

// Vertices of a triangle in the frame of A; `frame` is that of its tree, NULL when it is A's.
WK_FORCE_FN void verticesInA(const wkTreeView* view, const wkFrame* frame, int32_t item,
                             wkVec3d faceVertices[3])
{
    wkViewTriangleVertices(view, item, faceVertices);
    for (int k = 0; k < 3 && frame != NULL; ++k) {
        faceVertices[k] = wkFramePoint(frame, faceVertices[k]);
    }
}

WK_FORCE_FN void loadTriangles(const wkTreeView* view, const wkFrame* frame, wkLink link,
                               wkVec3d origin, triangle* triangles)
{
    int32_t first = wkLeafFirst(link), count = wkLeafCount(link);
    for (int32_t i = 0; i < count; ++i) {
        triangle* t = &triangles[i];
        wkVec3d faceVertices[3];
        verticesInA(view, frame, first + i, faceVertices);
        wkQuad quads[3];
        for (int k = 0; k < 3; ++k) {
            wkVec3d local = wkSub(faceVertices[k], origin);
            t->faceVertices[k][0] = (float)local.x;
            t->faceVertices[k][1] = (float)local.y;
            t->faceVertices[k][2] = (float)local.z;
            quads[k] =
                (wkQuad){t->faceVertices[k][0], t->faceVertices[k][1], t->faceVertices[k][2], 0.0f};
        }
        t->lower = wkMinQuad(wkMinQuad(quads[0], quads[1]), quads[2]);
        t->upper = wkMaxQuad(wkMaxQuad(quads[0], quads[1]), quads[2]);
        t->item = first + i;
    }
}

// Whether the boxes of two triangles are further apart than the root of `limit`.
static bool areFar(const triangle* a, const triangle* b, float limit)
{
    wkQuad gap = wkMaxQuad(b->lower - a->upper, a->lower - b->upper);
    gap = wkMaxQuad(gap, wkQuadOf(0.0f));
    gap *= gap;
    return gap[0] + gap[1] + gap[2] > limit;
}

// Evaluates the pair in full, translated to the first vertex of A's triangle.
static wkStep visitPair(wkItemSearch* search, int32_t itemA, int32_t itemB)
{
    treesWalk* walk = (treesWalk*)search;
    const wkBodyQuestion* q = walk->base.question;
    wkVec3d *a = walk->a.triangle.points, *b = walk->b.triangle.points;
    verticesInA(&q->viewA, NULL, itemA, a);
    verticesInA(&q->viewB, &q->bInA, itemB, b);
    wkVec3d origin = a[0];
    for (int i = 0; i < 3; ++i) {
        a[i] = wkSub(a[i], origin);
        b[i] = wkSub(b[i], origin);
    }
    // whether cores touch is decided before depths are compared
    double reach = wkReachOf(q, walk->base.answer), best = walk->base.answer->closest.distance;
    bool isTouching = best + (q->slack + walk->radii) <= 0.0;
    walk->pair.cutoff = (isTouching ? reach : wkMaxD(reach, -walk->radii)) + q->slack;
    wkDistanceResult found;
    wkAnswerPair(walk->row, &walk->pair, &found);
    if (q->isCommon) {
        wkAnswerUnsigned(&walk->pair, &found);
    }
    found.pointA = wkAdd(found.pointA, origin);
    found.pointB = wkAdd(found.pointB, origin);
    found.partA = itemA;
    found.partB = itemB;
    ++walk->base.answer->visitCount;
    return wkTakeAnswer(q, &found, walk->base.answer);
}

static void putInLane(batch* w, const triangle* a, const triangle* b)
{
    int lane = w->count++;
    w->a[lane] = a->item;
    w->b[lane] = b->item;
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            w->lanes.a[i][k][lane] = a->faceVertices[i][k];
            w->lanes.b[i][k][lane] = b->faceVertices[i][k];
        }
    }
}

// Evaluates the pairs of the batch that may matter, the nearest first.
static wkStep visitBatch(treesWalk* walk)
{
    batch* w = &walk->batch;
    _Alignas(32) float bounds[WK_BATCH];
    if (walk->base.isVerdict) {
        walk->lanes->boundGaps(&w->lanes, bounds);
    } else {
        walk->lanes->boundDistances(&w->lanes, bounds);
    }
    double slack = walk->base.question->slack;
    int order[WK_BATCH], count = 0;
    for (int i = 0; i < w->count; ++i) {
        if (!((double)bounds[i] > wkPairReach(&walk->base) + slack)) {
            int k = count++;
            for (; k > 0 && bounds[order[k - 1]] > bounds[i]; --k) {
                order[k] = order[k - 1];
            }
            order[k] = i;
        }
    }
    w->count = 0;
    for (int k = 0; k < count; ++k) {
        int i = order[k];
        if (!((double)bounds[i] > wkPairReach(&walk->base) + slack) &&
            visitPair(&walk->base, w->a[i], w->b[i]) == wk_stepStop) {
            return wk_stepStop;
        }
    }
    wkLowerLimit(&walk->base);
    return wk_stepOn;
}

static wkStep visitPairs(wkPairWalk* pairs, wkLink linkA, wkLink linkB)
{
    treesWalk* walk = (treesWalk*)pairs;
    const wkBodyQuestion* q = walk->base.question;
    triangle *a = walk->trianglesA, b[WK_TREE_WIDTH];
    if (linkA != walk->linkA) { // mostly the same as last time
        wkVec3d faceVertices[3];
        wkViewTriangleVertices(&q->viewA, wkLeafFirst(linkA), faceVertices);
        walk->origin = faceVertices[0];
        loadTriangles(&q->viewA, NULL, linkA, walk->origin, a);
        walk->linkA = linkA;
    }
    loadTriangles(&q->viewB, &q->bInA, linkB, walk->origin, b);
    int32_t countA = wkLeafCount(linkA), countB = wkLeafCount(linkB);
    for (int32_t i = 0; i < countA; ++i) {
        for (int32_t j = 0; j < countB; ++j) {
            if (areFar(&a[i], &b[j], pairs->limit)) {
                continue;
            }
            putInLane(&walk->batch, &a[i], &b[j]);
            if (walk->batch.count == WK_BATCH && visitBatch(walk) == wk_stepStop) {
                return wk_stepStop;
            }
        }
    }
    return wk_stepOn;
}

static void preparePair(treesWalk* walk)
{
    const wkBodyQuestion* q = walk->base.question;
    walk->a = wkPartOfType(q->a, wk_shapeTriangle);
    walk->b = wkPartOfType(q->b, wk_shapeTriangle);
    walk->identity = (wkPose){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}};
    walk->row = &wkPairTable[wk_shapeTriangle][wk_shapeTriangle];
    walk->pair = wkQuestionOfParts(q, &walk->a, &walk->identity, &walk->b, &walk->identity);
    walk->radii = walk->pair.radiusA + walk->pair.radiusB;
}

static void visitRest(wkItemSearch* search)
{
    treesWalk* walk = (treesWalk*)search;
    if (walk->batch.count > 0) {
        visitBatch(walk);
    }
}

void wkSearchTrees(const wkBodyQuestion* q, wkBodyAnswer* answer)
{
    treesWalk walk;
    wkBeginItemSearch(q, answer, &walk.base);
    walk.base.visit = visitPair;
    walk.base.finish = visitRest;
    walk.base.walk.pairs.leaf = visitPairs;
    walk.lanes = wkTriangleLanesOfMachine();
    memset(&walk.batch, 0, sizeof walk.batch);
    walk.linkA = WK_LINK_EMPTY;
    preparePair(&walk);
    wkRunItemSearch(&walk.base);
}
