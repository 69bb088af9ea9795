// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Shared by the depths of a box and a round core: the pair in the frame of the box, and the list of ways out.

#include "solve/closed_form/closed_form_list.h"
#include "solve/closed_form/cyclic.h"
#include "solve/core_support.h"
#include "solve/depth_list/depth_list.h"
#include "solve/depth_list/depth_points.h"
#include "solve/depth_list/depth_rim.h"
#include "solve/gjk/gjk.h"
#include "solve/manifold.h"

// Cores count as apart by more than the cutoff when they are by this share of wkPair.scale: the error of the
// general solver.
#define WK_DEPTH_APART 1e-6

// Sizes, as shares of wkPair.scale, that are comparable.
#define WK_DEPTH_COMPARABLE 1e-4

// The pair in the frame of the box, mirrored so that the round core's axis has no negative coordinate.
// Coordinates are cyclic, see cyclic.h.
typedef struct wkBoxView {
    double half[5];
    double axis[5];
    double center[5];
    double sine[5];    // between the axis and each edge
    double inverse[5]; // of the sine; zero when the sine is
    double
        projectedX[3]; // the axis projected along the edge k, unit, along the axes k + 1 and k + 2
    double projectedY[3];
    wkVec3d mirror; // 1 or -1
    double radius;
    double halfLength;
    double sideAlong; // the normal of the core's side, along the axis and across it
    double sideAcross;
} wkBoxView;

typedef enum wkWayKind {
    wk_wayFlat,       // one of the next three, not yet determined which
    wk_wayFace,       // a face and the core's point
    wk_wayCap,        // a vertex and the core's flat end
    wk_wayEdgeSide,   // an edge and a line of the side
    wk_wayVertexSide, // a vertex and the side
    wk_wayEdgeRim,    // an edge and a rim
} wkWayKind;

// The shortest way out so far; `k` is the edge or the face of the box that is involved.
typedef struct wkWayOut {
    double depth;
    wkWayKind kind;
    int k;
    wkVec3d normal;
} wkWayOut;

// Normals across an edge where the side of a cone replaces its rim.
typedef struct wkEdgeCut {
    bool exists;
    double x[2], y[2]; // along the axes k + 1 and k + 2; the first is nearer to k + 2
} wkEdgeCut;

WK_FN double wkLeastOf(const double* values, int count)
{
    double least = values[0];
    for (int i = 1; i < count; ++i) {
        least = wkMinD(least, values[i]);
    }
    return least;
}

// Returns the index of a value that is among them.
WK_FN int wkIndexOf(const double* values, int count, double value)
{
    int i = 0;
    while (i < count - 1 && values[i] != value) {
        i += 1;
    }
    return i;
}

WK_FN double wkInverseOf(double length)
{
    return length > 0.0 ? 1.0 / length : 0.0;
}

// Cylinders and cones store their sizes at the same offset.
WK_FN void wkViewFromBox(const wkPair* pair, wkVec3d axis, wkBoxView* s)
{
    s->mirror = wkVec(copysign(1.0, axis.x), copysign(1.0, axis.y), copysign(1.0, axis.z));
    wkVec3d square = wkMulVec(axis, axis);
    wkVec3d sine =
        wkVec(sqrt(square.y + square.z), sqrt(square.z + square.x), sqrt(square.x + square.y));
    wkSpread(pair->a->box.half, s->half);
    wkSpread(wkAbs(axis), s->axis);
    wkSpread(wkMulVec(s->mirror, pair->bInA.position), s->center);
    wkSpread(sine, s->sine);
    wkSpread(wkVec(wkInverseOf(sine.x), wkInverseOf(sine.y), wkInverseOf(sine.z)), s->inverse);
    for (int k = 0; k < 3; ++k) {
        s->projectedX[k] = s->sine[k] > 0.0 ? s->axis[k + 1] * s->inverse[k] : 1.0;
        s->projectedY[k] = s->axis[k + 2] * s->inverse[k];
    }
    s->radius = pair->b->cylinder.radius;
    s->halfLength = pair->b->cylinder.halfLength;
    s->sideAlong = 0.0;
    s->sideAcross = 1.0;
}

// Transforms into the mirrored frame or back.
WK_FN void wkMirrorSolution(const wkBoxView* s, wkSolution* solution)
{
    solution->normal = wkMulVec(s->mirror, solution->normal);
    solution->pointA = wkMulVec(s->mirror, solution->pointA);
    solution->pointB = wkMulVec(s->mirror, solution->pointB);
}

WK_FN wkVec3d wkVertexAlong(const wkBoxView* s, wkVec3d n)
{
    return wkVertexOfBox(wkGather(s->half), n);
}

// Returns false where an edge or a face of the box is as far along `n` as its vertex, up to `off`.
WK_FN bool wkIsOneVertex(const wkBoxView* s, wkVec3d n, double off)
{
    wkVec3d rise = wkMulVec(wkAbs(n), wkGather(s->half));
    return wkMinD(rise.x, wkMinD(rise.y, rise.z)) > off;
}

// Returns the part of `v` across the axis: in two passes, because the rest may be much shorter than the
// removed part.
WK_FN wkVec3d wkAcrossAxis(wkVec3d v, wkVec3d axis)
{
    wkVec3d across = wkMulSub(v, wkDot(axis, v), axis);
    return wkMulSub(across, wkDot(axis, across), axis);
}

WK_FN double* wkCoordinate(wkVec3d* v, int k)
{
    return k == 0 ? &v->x : k == 1 ? &v->y : &v->z;
}

// Returns where on an edge of the box a way out through it meets the other body: the coordinate along the
// edge, which is k of the way; `middle` is the middle of the edge.
typedef double wkOnEdgeFcn(const wkBoxView* s, const wkWayOut* way, wkVec3d n, wkVec3d middle);

// Computes the points of a way out through a vertex or an edge of the box.
// @return false when a cap touches more of the box than a vertex
WK_FORCE_FN bool wkPlaceOnVertex(wkOnEdgeFcn* onEdge, const wkBoxView* s, const wkWayOut* way,
                                 double off, wkSolution* out)
{
    wkVec3d n = out->normal;
    out->pointA = wkVertexAlong(s, n);
    if (way->kind == wk_wayCap && !wkIsOneVertex(s, n, off)) {
        return false;
    }
    if (way->kind == wk_wayEdgeSide) {
        double* pointK = wkCoordinate(&out->pointA, way->k);
        *pointK = 0.0;
        *pointK = onEdge(s, way, n, out->pointA);
    }
    out->pointB = wkMulSub(out->pointA, way->depth, n);
    return true;
}

// An arc of the ellipse that a rim projects to along the edge k, about a vertex of the rectangle that the box
// projects to; coordinates along the axes k + 1 and k + 2. No point of it is nearer to the origin than its
// chord or one of its ends. Its normals lie in one quarter: 0 is between the axes k + 1 and k + 2, the others
// follow around.
typedef struct wkRimArc {
    int quarter;
    double vertexX, vertexY;
    double fromX, fromY;
    double toX, toY;
} wkRimArc;

// Returns true when the chord of an arc is nearer to (x, y) than `depth`.
WK_FORCE_FN bool wkIsRimArcNear(const wkRimArc* arc, double x, double y, double depth)
{
    double dx = arc->toX - arc->fromX, dy = arc->toY - arc->fromY;
    double reach = (arc->vertexX + arc->fromX - x) * dy - (arc->vertexY + arc->fromY - y) * dx;
    return reach <= 0.0 || reach * reach <= depth * depth * (dx * dx + dy * dy);
}

// Finds the normal on an arc where the rim about (x, y) is shallowest, among those that point along the axis
// (`along` 1) or against it (-1).
WK_FN bool wkArcNormal(const wkBoxView* s, int k, const wkRimArc* arc, double x, double y,
                       double along, wkVec3d* normal)
{
    double xx = -s->projectedY[k], xy = s->projectedX[k];
    double yx = along * xy, yy = -along * xx;
    double dx = arc->toX - arc->fromX, dy = arc->toY - arc->fromY;
    double px = x - arc->vertexX, py = y - arc->vertexY;
    wkRimView rim = {s->radius, s->axis[k], s->sine[k], px * xx + py * xy, px * yx + py * yy};

    // slopes of the normals at the ends of the quarter, or across the axis
    double flat = s->projectedY[k] / s->projectedX[k], steep = s->projectedX[k] / s->projectedY[k];
    double firstEnd = along > 0.0 ? flat : steep, secondEnd = along > 0.0 ? steep : flat;
    double low = arc->quarter == 1 ? secondEnd : arc->quarter == 3 ? -INFINITY : -firstEnd;
    double high = arc->quarter == 1 ? INFINITY : arc->quarter == 3 ? -firstEnd : secondEnd;

    // the chord's normal is a good guess
    double chordX = dy * xx - dx * xy, chordY = dy * yx - dx * yy;
    double t;
    if (!wkRimNormal(rim, low, high, chordY > 0.0 ? chordX / chordY : 0.0, &t)) {
        return false;
    }
    double scale = 1.0 / sqrt(1.0 + t * t);
    *normal = wkAlongAxes(k, 0.0, scale * (t * xx + yx), scale * (t * xy + yy));
    return true;
}

// State of the search for the way out.
#define WK_FLAT_CAPACITY 13
typedef struct wkBoxSearch {
    wkBoxView view;
    int flatCount;
    double flat[WK_FLAT_CAPACITY]; // depths of the flat pieces
    double spare[3];               // cylinders: see listFlat
    wkEdgeCut cuts[3];             // cones
    wkWayOut best;
} wkBoxSearch;

// Functions that differ between round cores.
typedef struct wkRoundRule {
    // lists the flat pieces, of which the least deep is the best so far
    void (*start)(const wkPair* pair, wkBoxSearch* search);
    // lists the curved pieces
    void (*finish)(wkBoxSearch* search);
    // determines which of the flat pieces the best one is
    void (*nameFlat)(wkBoxSearch* search);
    // computes where the features of a way out meet; false where more than a point of them does, within `off`
    bool (*placeWitness)(const wkBoxView* s, const wkWayOut* way, double off, wkSolution* out);
    // true for points of the round core, up to `off`
    bool (*contains)(const wkBoxView* s, wkVec3d point, double off);
} wkRoundRule;

WK_FORCE_FN bool wkAreInMirrored(wkRoundRule rule, const wkBoxView* s, const wkSolution* solution,
                                 double off)
{
    return wkIsInBox(wkGather(s->half), solution->pointA, off) &&
           rule.contains(s, solution->pointB, off);
}

// Uses the middle of the contact of faces and edges that are nearly parallel.
WK_FN void wkPlaceRoughly(const wkPair* pair, wkSolution* out)
{
    wkCorePoint points[WK_MANIFOLD_CAPACITY];
    int count = wkFaceContacts(pair, out, WK_DEPTH_ROUGH * pair->scale, points);
    wkVec3d sum = wkVec(0.0, 0.0, 0.0);
    for (int i = 0; i < count; ++i) {
        sum = wkMulAdd(sum, 1.0 / count, points[i].pointA);
    }
    out->pointA = sum;
    out->pointB = wkMulAdd(sum, out->distance, out->normal);
}

// Computes the points where features meet in more than a point: by clipping, or approximately.
WK_FORCE_FN bool wkPlaceFlat(wkRoundRule rule, const wkPair* pair, const wkBoxSearch* search,
                             wkSolution* out)
{
    const wkBoxView* s = &search->view;
    double off = WK_DEPTH_OFF * pair->scale, rough = WK_DEPTH_ROUGH * pair->scale;
    wkPlaceWitness(pair, out);
    wkMirrorSolution(s, out);
    bool isPlaced =
        wkAreInMirrored(rule, s, out, off) ||
        (rule.placeWitness(s, &search->best, off, out) && wkAreInMirrored(rule, s, out, rough));
    wkMirrorSolution(s, out);
    if (!isPlaced) {
        wkPlaceRoughly(pair, out);
        wkMirrorSolution(s, out);
        isPlaced = wkAreInMirrored(rule, s, out, rough);
        wkMirrorSolution(s, out);
    }
    return isPlaced;
}

// Answers with the shortest way out.
WK_FORCE_FN bool wkAnswerWayOut(wkRoundRule rule, const wkPair* pair, wkBoxSearch* search,
                                wkSolution* out)
{
    const wkBoxView* s = &search->view;
    const wkWayOut* best = &search->best;
    if (!(best->depth > WK_VERDICT_BAND * pair->scale)) {
        return false;
    }
    if (best->kind == wk_wayFlat) {
        rule.nameFlat(search);
    }
    double off = WK_DEPTH_OFF * pair->scale;
    out->distance = -best->depth;
    out->normal = best->normal;
    out->status = wk_statusExact;
    bool isPlaced = rule.placeWitness(s, best, off, out) && wkAreInMirrored(rule, s, out, off);
    wkMirrorSolution(s, out);
    return WK_LIKELY(isPlaced) || wkPlaceFlat(rule, pair, search, out);
}

// A flat piece has the origin outside: its normal proves the distance of the cores.
WK_FORCE_FN void wkAnswerApart(wkRoundRule rule, const wkPair* pair, wkBoxSearch* search,
                               wkSolution* out)
{
    rule.nameFlat(search);
    wkVec3d n = wkMulVec(search->view.mirror, search->best.normal);
    wkCoreSupport support = wkMakeCoreSupport(pair);
    wkCsoPoint point = wkCoreSupportAlong(&support, pair, wkNeg(n));
    // a bound of the distance, and of the general solver's result
    out->distance = -search->best.depth - 0.5 * WK_DEPTH_APART * pair->scale;
    out->normal = n;
    out->pointA = point.a;
    out->pointB = wkAdd(point.a, point.w);
    out->status = wk_statusBound;
}

// Returns true when the cores certainly overlap: a point of one, known up to WK_DEPTH_OFF, is twice as far
// inside the other.
WK_FORCE_FN bool wkIsOverlapSure(wkRoundRule rule, const wkPair* pair, const wkBoxView* s,
                                 const wkSolution* solution)
{
    double off = -2.0 * WK_DEPTH_OFF * pair->scale;
    return wkIsDeep(pair) || wkIsInBox(pair->a->box.half, solution->pointB, off) ||
           rule.contains(s, wkMulVec(s->mirror, solution->pointA), off);
}

// Runs the whole search. `limit` is the distance beyond which a bound suffices; negative infinity means that
// the cores are known to overlap.
// @return true when the solution is filled
WK_FORCE_FN bool wkFindWayOut(wkRoundRule rule, const wkPair* pair, double limit, wkSolution* out)
{
    wkBoxSearch search;
    rule.start(pair, &search);
    bool isOverlap = limit == -INFINITY;
    if (!isOverlap && -search.best.depth > limit) {
        wkAnswerApart(rule, pair, &search, out);
        return true;
    }
    rule.finish(&search);
    return wkAnswerWayOut(rule, pair, &search, out) &&
           (isOverlap || wkIsOverlapSure(rule, pair, &search.view, out));
}

// Bodies of very different sizes have depths with few digits: all queries about them must get the same ones,
// those of the general solver.
WK_FN bool wkAreComparable(const wkPair* pair)
{
    double sizeA = wkMaxAbs(pair->a->box.half);
    double sizeB = wkMaxD(pair->b->cylinder.radius, pair->b->cylinder.halfLength);
    return wkMinD(sizeA, sizeB) > WK_DEPTH_COMPARABLE * pair->scale;
}

// Contacts: first the flat pieces, which usually show that cores are apart, then the depth, which usually
// shows a common point. The rest, and distances, are left to the general solver. The depth of cores that
// overlap is the same either way.
WK_FORCE_FN void wkSolveContact(bool find(const wkPair*, double, wkSolution*), wkSolveFcn* gjk,
                                const wkPair* pair, const wkGoal* goal, wkSolution* out)
{
    double limit = goal->cutoff + WK_DEPTH_APART * pair->scale;
    bool isContact = goal->wantsDepth && goal->touching == -INFINITY && limit < INFINITY;
    if (isContact && wkAreComparable(pair) && find(pair, limit, out)) {
        out->iterations = 0;
        wkRememberNormal(out->normal, goal->cache);
        return;
    }
    gjk(pair, goal, out);
}
