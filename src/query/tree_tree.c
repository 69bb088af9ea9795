// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Two hierarchies of triangles. At the leaves each pair is moved to the first corner of A's triangle,
// so that what is computed about it is in proportion to its size and not to that of the meshes.

#include "query/tree_query.h"

#include "base/lanes.h"
#include "query/question.h"
#include "query/triangle_lanes.h"

#include <string.h>

WK_DEFINE_LANES(const wkTriangleLanes, wkTriangleLanes)

// A triangle in the frame of A.
typedef struct triangle {
    wkVec3d corners[3];
    wkVec3d lower;
    wkVec3d upper;
    int32_t item;
} triangle;

// Pairs that wait until eight of them can be looked at together.
typedef struct batch {
    wkTriangleBatch lanes;
    const triangle* a[WK_BATCH];
    const triangle* b[WK_BATCH];
    int count;
} batch;

typedef struct treesWalk {
    wkPairWalk base;
    const wkTreeQuestion* question;
    wkTreeAnswer* answer;
    const wkTriangleLanes* lanes;
    bool isVerdict; // gaps are enough
    const wkPairRow* row;
    wkQuestion pair;
    wkShape a;
    wkShape b;
    wkPose place; // of both
    double radii; // of the balls around both cores
    batch batch;
} treesWalk;

// How far apart the cores of two triangles may be to matter still. Bounds know nothing of depths.
static double reachOf(const treesWalk* walk)
{
    return wkPositive(wkReachOf(walk->question, walk->answer) + walk->radii);
}

static void loadTriangles(const wkTreeView* view, wkLink link, const wkFrame* frame,
                          triangle* triangles)
{
    int32_t first = wkLeafFirst(link), count = wkLeafCount(link);
    for (int32_t i = 0; i < count; ++i) {
        triangle* t = &triangles[i];
        view->corners(view->source, first + i, t->corners);
        for (int k = 0; k < 3 && frame != NULL; ++k) {
            t->corners[k] = wkFramePoint(frame, t->corners[k]);
        }
        t->lower = wkMin(wkMin(t->corners[0], t->corners[1]), t->corners[2]);
        t->upper = wkMax(wkMax(t->corners[0], t->corners[1]), t->corners[2]);
        t->item = first + i;
    }
}

// Whether the boxes of two triangles are further apart than the root of `limit`.
static bool areFar(const triangle* a, const triangle* b, double limit)
{
    wkVec3d gap = wkMax(wkSub(b->lower, a->upper), wkSub(a->lower, b->upper));
    gap = wkVec(wkPositive(gap.x), wkPositive(gap.y), wkPositive(gap.z));
    return wkDot(gap, gap) > limit;
}

// The pair in full, moved to the first corner of A's triangle.
static wkStep visitPair(treesWalk* walk, const triangle* a, const triangle* b)
{
    const wkTreeQuestion* q = walk->question;
    wkVec3d origin = a->corners[0];
    for (int i = 0; i < 3; ++i) {
        walk->a.triangle.points[i] = wkSub(a->corners[i], origin);
        walk->b.triangle.points[i] = wkSub(b->corners[i], origin);
    }
    walk->pair.cutoff = wkReachOf(q, walk->answer) + q->slack;
    wkDistanceResult found;
    wkAnswerPair(walk->row, &walk->pair, &found);
    if (q->isCommon) {
        wkAnswerUnsigned(&walk->pair, &found);
    }
    found.pointA = wkAdd(found.pointA, origin);
    found.pointB = wkAdd(found.pointB, origin);
    found.partA = a->item;
    found.partB = b->item;
    ++walk->answer->visitCount;
    return wkTakeAnswer(q, &found, walk->answer);
}

static void putInLane(treesWalk* walk, const triangle* a, const triangle* b)
{
    batch* w = &walk->batch;
    int lane = w->count++;
    w->a[lane] = a;
    w->b[lane] = b;
    wkVec3d origin = a->corners[0];
    for (int i = 0; i < 3; ++i) {
        wkVec3d cornerA = wkSub(a->corners[i], origin), cornerB = wkSub(b->corners[i], origin);
        w->lanes.a[i][0][lane] = (float)cornerA.x;
        w->lanes.a[i][1][lane] = (float)cornerA.y;
        w->lanes.a[i][2][lane] = (float)cornerA.z;
        w->lanes.b[i][0][lane] = (float)cornerB.x;
        w->lanes.b[i][1][lane] = (float)cornerB.y;
        w->lanes.b[i][2][lane] = (float)cornerB.z;
    }
}

// Looks at the pairs of the batch that may matter, the nearest first.
static wkStep visitBatch(treesWalk* walk)
{
    batch* w = &walk->batch;
    _Alignas(32) float bounds[WK_BATCH];
    if (walk->isVerdict) {
        walk->lanes->boundGaps(&w->lanes, bounds);
    } else {
        walk->lanes->boundDistances(&w->lanes, bounds);
    }
    double slack = walk->question->slack;
    int order[WK_BATCH], count = 0;
    for (int i = 0; i < w->count; ++i) {
        if (!((double)bounds[i] > reachOf(walk) + slack)) {
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
        if (!((double)bounds[i] > reachOf(walk) + slack) &&
            visitPair(walk, w->a[i], w->b[i]) == wk_stepStop) {
            return wk_stepStop;
        }
    }
    walk->base.limit = wkWalkLimit(reachOf(walk), walk->base.slack);
    return wk_stepOn;
}

static wkStep visitPairs(wkPairWalk* base, wkLink linkA, wkLink linkB)
{
    treesWalk* walk = (treesWalk*)base;
    const wkTreeQuestion* q = walk->question;
    triangle a[WK_TREE_WIDTH], b[WK_TREE_WIDTH];
    loadTriangles(&q->viewA, linkA, NULL, a);
    loadTriangles(&q->viewB, linkB, &q->bInA, b);
    int32_t countA = wkLeafCount(linkA), countB = wkLeafCount(linkB);
    for (int32_t i = 0; i < countA; ++i) {
        for (int32_t j = 0; j < countB; ++j) {
            if (areFar(&a[i], &b[j], (double)base->limit)) {
                continue;
            }
            putInLane(walk, &a[i], &b[j]);
            if (walk->batch.count == WK_BATCH && visitBatch(walk) == wk_stepStop) {
                return wk_stepStop;
            }
        }
    }
    return walk->batch.count > 0 ? visitBatch(walk) : wk_stepOn;
}

static void preparePair(treesWalk* walk)
{
    const wkTreeQuestion* q = walk->question;
    walk->a =
        (wkShape){.type = wk_shapeTriangle, .rounding = q->a->rounding, .padding = q->a->padding};
    walk->b =
        (wkShape){.type = wk_shapeTriangle, .rounding = q->b->rounding, .padding = q->b->padding};
    walk->place = (wkPose){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}};
    walk->row = &wkPairTable[wk_shapeTriangle][wk_shapeTriangle];
    walk->pair = (wkQuestion){
        .a = &walk->a,
        .b = &walk->b,
        .poseA = &walk->place,
        .poseB = &walk->place,
        .radiusA = wkShapeRadius(&walk->a),
        .radiusB = wkShapeRadius(&walk->b),
        .touching = q->enough > -INFINITY && !q->isSigned ? q->enough + q->slack : -INFINITY,
        .isSigned = q->isSigned,
        .wantsPoints = true,
        .isThorough = true,
    };
    walk->radii = walk->pair.radiusA + walk->pair.radiusB;
}

void wkSearchTrees(const wkTreeQuestion* q, wkTreeAnswer* answer)
{
    treesWalk walk;
    walk.question = q;
    walk.answer = answer;
    walk.lanes = wkTriangleLanesOfMachine();
    walk.isVerdict = q->contacts != NULL || (!q->isCommon && !q->isSigned);
    memset(&walk.batch, 0, sizeof walk.batch);
    preparePair(&walk);
    wkPairWalk* base = &walk.base;
    base->a = q->viewA.tree;
    base->b = q->viewB.tree;
    base->bInA = q->bInA;
    base->slack = wkWalkSlack(q->viewA.reach + q->viewB.reach + wkMaxAbs(q->bInA.position));
    base->limit = wkWalkLimit(wkReachOf(q, answer) + walk.radii, base->slack);
    base->isNearestFirst = true;
    base->leaf = visitPairs;
    wkWalkTrees(base);
}
