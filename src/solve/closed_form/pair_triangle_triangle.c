// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Two triangles. Their planes and the cross products of their edges give all faces that the difference of
// both can have: the largest gap along them decides contact and is the depth. Apart, the closest points are
// on two edges, or are a vertex and a point inside the other triangle. Undecided cases, and triangles that
// are nearly a segment, are left to the general solver.

#include "solve/closed_form/closed_form_list.h"

// Gaps shorter than this share of the scale have lost too many digits to define a direction.
#define WK_SHORT_GAP 1e-3

// Edges are parallel below the first squared sine, and nearly parallel below the second: there the general
// solver is more accurate.
#define WK_EDGE_PARALLEL 1e-26
#define WK_EDGE_DOUBTFUL 1e-6

// A triangle whose squared sine at its longest edge is smaller counts as a segment, and one with shorter
// edges (share of the scale) as a point.
#define WK_FLAT_TRIANGLE 1e-8
#define WK_SMALL_TRIANGLE 1e-3

// A normal proves the distance up to this share of the scale.
#define WK_PROVEN 4e-13

// A triangle in the frame of A.
typedef struct triangle {
    wkVec3d vertices[3];
    wkVec3d edges[3]; // from vertex i to the next
    double squares[3];
    double inverses[3]; // of the squares
    wkVec3d normal;     // not unit
    double normalSquared;
} triangle;

// The gap of two triangles along an axis, and the features that touch there.
typedef struct axisGap {
    double gap;
    wkVec3d normal; // unit, from A to B
    int edgeA;      // -1: the plane of one of them
    int edgeB;
    bool isPlaneOfA;
} axisGap;

static const int next[3] = {1, 2, 0};
static const int last[3] = {2, 0, 1};

// @return false when it is nearly a segment or a point
static bool finishTriangle(triangle* t, double scale)
{
    double longest = 0.0;
    for (int i = 0; i < 3; ++i) {
        t->edges[i] = wkSub(t->vertices[next[i]], t->vertices[i]);
        t->squares[i] = wkDot(t->edges[i], t->edges[i]);
        t->inverses[i] = 1.0 / t->squares[i];
        longest = wkMaxD(longest, t->squares[i]);
    }
    t->normal = wkCross(t->edges[0], t->edges[1]);
    t->normalSquared = wkDot(t->normal, t->normal);
    double least = WK_SMALL_TRIANGLE * scale;
    return t->normalSquared > WK_FLAT_TRIANGLE * longest * longest && longest > least * least;
}

// Returns the gap between the plane of `t` and another triangle on either side of it; `isAbove` receives the
// side.
static double gapToPlane(const triangle* t, const triangle* other, bool* isAbove)
{
    double h0 = wkDot(t->normal, wkSub(other->vertices[0], t->vertices[0]));
    double h1 = wkDot(t->normal, wkSub(other->vertices[1], t->vertices[0]));
    double h2 = wkDot(t->normal, wkSub(other->vertices[2], t->vertices[0]));
    double low = wkMinD(h0, wkMinD(h1, h2)), high = wkMaxD(h0, wkMaxD(h1, h2));
    *isAbove = low > -high;
    return wkMaxD(low, -high);
}

static void testPlane(const triangle* t, const triangle* other, bool isPlaneOfA, axisGap* best)
{
    bool isAbove;
    double gap = gapToPlane(t, other, &isAbove), scale = 1.0 / sqrt(t->normalSquared);
    if (scale * gap > best->gap) {
        best->gap = scale * gap;
        best->normal = wkScale(isAbove == isPlaneOfA ? scale : -scale, t->normal);
        best->edgeA = best->edgeB = -1;
        best->isPlaneOfA = isPlaneOfA;
    }
}

// Tests the cross product of an edge of A with one of B. Both ends of an edge have the same height along it.
// @return false when the edges are nearly parallel
static bool testEdges(const triangle* a, const triangle* b, int i, int j, axisGap* best)
{
    wkVec3d axis = wkCross(a->edges[i], b->edges[j]);
    double square = wkDot(axis, axis), limit = a->squares[i] * b->squares[j];
    if (!(square > WK_EDGE_DOUBTFUL * limit)) {
        return square <= WK_EDGE_PARALLEL * limit;
    }
    double endA = -wkDot(axis, a->edges[last[i]]);
    double startB = wkDot(axis, wkSub(b->vertices[j], a->vertices[i]));
    double endB = startB - wkDot(axis, b->edges[last[j]]);
    double ahead = wkMinD(startB, endB) - wkMaxD(0.0, endA);
    double behind = wkMinD(0.0, endA) - wkMaxD(startB, endB);
    double gap = wkMaxD(ahead, behind);

    // only an axis that beats the best one is worth its square root
    if (gap > 0.0 || gap * gap < best->gap * best->gap * square) {
        double scale = 1.0 / sqrt(square);
        if (scale * gap > best->gap) {
            best->gap = scale * gap;
            best->normal = wkScale(ahead > behind ? scale : -scale, axis);
            best->edgeA = i;
            best->edgeB = j;
        }
    }
    return true;
}

// Finds the largest gap, or one above `limit`.
// @return false when it is uncertain
static bool findGap(const triangle* a, const triangle* b, double limit, axisGap* best)
{
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            if (!testEdges(a, b, i, j, best)) {
                return false;
            }
            if (best->gap > limit) {
                return true;
            }
        }
    }
    return true;
}

// Returns true when a point of the plane lies in the triangle.
static bool isInside(const triangle* t, wkVec3d point)
{
    double least = INFINITY;
    for (int i = 0; i < 3; ++i) {
        wkVec3d inward = wkCross(t->normal, t->edges[i]);
        least = wkMinD(least, wkDot(inward, wkSub(point, t->vertices[i])));
    }
    return least >= 0.0;
}

static wkVec3d furthest(const triangle* t, wkVec3d direction)
{
    double d0 = wkDot(t->vertices[0], direction), d1 = wkDot(t->vertices[1], direction);
    double d2 = wkDot(t->vertices[2], direction);
    int best = d1 > d0 ? 1 : 0;
    return t->vertices[d2 > wkMaxD(d0, d1) ? 2 : best];
}

// Computes the points that touch once the overlap is removed.
// @return false when other features touch there
static bool answerOverlap(const triangle* a, const triangle* b, const axisGap* best,
                          wkSolution* out)
{
    out->distance = best->gap;
    out->normal = best->normal;
    if (best->edgeA >= 0) {
        wkVec3d edgeA = a->edges[best->edgeA], edgeB = b->edges[best->edgeB];
        wkVec3d startA = a->vertices[best->edgeA], startB = b->vertices[best->edgeB];
        wkVec3d axis = wkCross(edgeA, edgeB), between = wkSub(startB, startA);
        double inverse = 1.0 / wkDot(axis, axis);
        double s = inverse * wkDot(wkCross(between, edgeB), axis);
        double t = inverse * wkDot(wkCross(between, edgeA), axis);
        out->pointA = wkMulAdd(startA, s, edgeA);
        out->pointB = wkMulAdd(startB, t, edgeB);
        double reached = wkDot(wkSub(out->pointB, out->pointA), best->normal);
        return s >= 0.0 && s <= 1.0 && t >= 0.0 && t <= 1.0 &&
               fabs(reached - best->gap) <= 1e-6 * fabs(best->gap);
    }
    if (best->isPlaneOfA) {
        out->pointB = furthest(b, wkNeg(best->normal));
        out->pointA = wkMulSub(out->pointB, best->gap, best->normal);
        return isInside(a, out->pointA);
    }
    out->pointA = furthest(a, best->normal);
    out->pointB = wkMulAdd(out->pointA, best->gap, best->normal);
    return isInside(b, out->pointB);
}

// Finds a point of an edge of `from` inside `to`.
static bool findPiercing(const triangle* from, const triangle* to, wkVec3d* point)
{
    for (int i = 0; i < 3; ++i) {
        double start = wkDot(to->normal, wkSub(from->vertices[i], to->vertices[0]));
        double end = wkDot(to->normal, wkSub(from->vertices[next[i]], to->vertices[0]));
        if ((start > 0.0) != (end > 0.0)) {
            *point = wkMulAdd(from->vertices[i], start / (start - end), from->edges[i]);
            if (isInside(to, *point)) {
                return true;
            }
        }
    }
    return false;
}

// Two points, the vector from that of A to that of B, and its square.
typedef struct closest {
    double square;
    wkVec3d gap;
    wkVec3d pointA;
} closest;

// Finds the closest points of an edge of A and one of B (Ericson 2005, section 5.1.9). Where they are
// parallel any start is valid.
static void tryEdges(const triangle* a, const triangle* b, int i, int j, closest* best)
{
    wkVec3d edgeA = a->edges[i], edgeB = b->edges[j];
    wkVec3d between = wkSub(b->vertices[j], a->vertices[i]);
    double squareA = a->squares[i], squareB = b->squares[j], dot = wkDot(edgeA, edgeB);
    double alongA = wkDot(edgeA, between), alongB = wkDot(edgeB, between);
    double scale = squareA * squareB - dot * dot;
    bool isSkew = scale > 1e-12 * squareA * squareB;
    double s = (alongA * squareB - dot * alongB) / (isSkew ? scale : 1.0);
    double t = wkClamp((dot * wkClamp(s, 0.0, 1.0) - alongB) * b->inverses[j], 0.0, 1.0);
    s = wkClamp((dot * t + alongA) * a->inverses[i], 0.0, 1.0);
    wkVec3d gap = wkAdd(between, wkMulSub(wkScale(t, edgeB), s, edgeA));
    double square = wkDot(gap, gap);
    if (square < best->square) {
        best->square = square;
        best->gap = gap;
        best->pointA = wkMulAdd(a->vertices[i], s, edgeA);
    }
}

// Tests the vertices of `other` above the triangle for one that is closer than the best so far.
static void tryVertices(const triangle* t, const triangle* other, bool isPlaneOfA, closest* best)
{
    double inverse = 1.0 / t->normalSquared;
    for (int i = 0; i < 3; ++i) {
        wkVec3d vertex = other->vertices[i];
        double height = wkDot(t->normal, wkSub(vertex, t->vertices[0]));
        double square = height * height * inverse;
        if (square < best->square) {
            wkVec3d up = wkScale(height * inverse, t->normal), surfacePoint = wkSub(vertex, up);
            if (isInside(t, surfacePoint)) {
                best->square = square;
                best->gap = isPlaneOfA ? up : wkNeg(up);
                best->pointA = isPlaneOfA ? surfacePoint : vertex;
            }
        }
    }
}

static closest findClosest(const triangle* a, const triangle* b)
{
    closest best = {.square = INFINITY};
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            tryEdges(a, b, i, j, &best);
        }
    }
    tryVertices(a, b, true, &best);
    tryVertices(b, a, false, &best);
    return best;
}

// Features that are equally close up to rounding may tilt the gap: the normal must prove it.
// @return false when it does not, or when the gap is too short
static bool answerApart(const triangle* a, const triangle* b, double scale, wkSolution* out)
{
    closest best = findClosest(a, b);
    out->distance = sqrt(best.square);
    out->pointA = best.pointA;
    out->pointB = wkAdd(best.pointA, best.gap);
    out->normal = wkScale(1.0 / out->distance, best.gap);
    wkVec3d endA = furthest(a, out->normal), endB = furthest(b, wkNeg(out->normal));
    double proven = wkDot(out->normal, wkSub(endB, endA));
    return out->distance > WK_SHORT_GAP * scale && out->distance - proven <= WK_PROVEN * scale;
}

static bool answerCommon(const triangle* a, const triangle* b, wkSolution* out)
{
    out->distance = 0.0;
    out->normal = wkScale(1.0 / sqrt(a->normalSquared), a->normal);
    bool isFound = findPiercing(b, a, &out->pointA) || findPiercing(a, b, &out->pointA);
    out->pointB = out->pointA;
    return isFound;
}

// @return false when the general solver is needed
static bool solveTriangles(const wkPair* pair, const wkGoal* goal, wkSolution* out)
{
    triangle a, b;
    for (int i = 0; i < 3; ++i) {
        a.vertices[i] = pair->a->triangle.points[i];
        b.vertices[i] = wkFramePoint(&pair->bInA, pair->b->triangle.points[i]);
    }
    if (!finishTriangle(&a, pair->scale) || !finishTriangle(&b, pair->scale)) {
        return false;
    }
    double band = WK_VERDICT_BAND * pair->scale, limit = goal->cutoff + band;
    axisGap best = {.gap = -INFINITY};
    testPlane(&a, &b, true, &best);
    testPlane(&b, &a, false, &best);

    // a separating plane suffices when the distance must be computed anyway
    bool isApart = best.gap > band;
    bool isEnough = best.gap > limit || (isApart && limit == INFINITY);
    if (!isEnough && !findGap(&a, &b, limit, &best) && !isApart) {
        return false;
    }
    bool isBeyond = best.gap > limit, isOverlap = best.gap < -band;
    if (isBeyond || (isOverlap && best.gap <= goal->touching - band)) {
        out->distance = best.gap;
        out->normal = best.normal;
        out->pointA = furthest(&a, best.normal);
        out->pointB = wkMulAdd(out->pointA, best.gap, best.normal);
        out->status = isBeyond ? wk_statusBound : wk_statusExact;
        return true;
    }
    if (isOverlap) {
        return goal->wantsDepth ? answerOverlap(&a, &b, &best, out) : answerCommon(&a, &b, out);
    }
    return best.gap > band && answerApart(&a, &b, pair->scale, out);
}

void wkSolveTriangleTriangle(const wkPair* pair, const wkGoal* goal, wkSolution* out)
{
    out->status = wk_statusExact;
    out->iterations = 0;
    if (!solveTriangles(pair, goal, out)) {
        wkGjkTriangleTriangle(pair, goal, out);
    }
}
