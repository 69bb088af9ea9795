// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Contact manifolds by clipping (Sutherland and Hodgman 1974): projected along the normal, the face of B is
// clipped by the edges of the face of A; the remaining polygon touches.

#include "solve/manifold.h"

#include "solve/core_support.h"

// Faces this close to the normal meet flat: one degree, so that a slightly tilted stack keeps its vertices.
#define WK_FLAT_COSINE 0.99985

static void faceOfA(const wkPair* pair, wkVec3d normal, double cosine, wkFace* face)
{
    wkConvexTable[pair->a->type].face(pair->a, normal, cosine, face);
}

static void faceOfB(const wkPair* pair, wkVec3d normal, double cosine, wkFace* face)
{
    wkVec3d local = wkNeg(wkMulTMV(&pair->bInA.rotation, normal));
    wkConvexTable[pair->b->type].face(pair->b, local, cosine, face);
    for (int i = 0; i < face->count; ++i) {
        face->points[i] = wkFramePoint(&pair->bInA, face->points[i]);
    }
}

// Keeps the part of a polygon or segment where `side . (x - base) <= 0`.
static int clip(const wkVec3d* in, int count, wkVec3d base, wkVec3d side, wkVec3d* out)
{
    int kept = 0;
    int edgeCount = count > 2 ? count : count - 1;
    double height = wkDot(side, wkSub(in[0], base));
    if (count == 2 && height <= 0.0) {
        out[kept++] = in[0];
    }
    for (int i = 0; i < edgeCount; ++i) {
        wkVec3d next = in[(i + 1) % count];
        double nextHeight = wkDot(side, wkSub(next, base));
        bool isCut = (height <= 0.0) != (nextHeight <= 0.0);
        if (isCut && kept < WK_MANIFOLD_CAPACITY) {
            out[kept++] = wkLerp(in[i], next, height / (height - nextHeight));
        }
        if (nextHeight <= 0.0 && kept < WK_MANIFOLD_CAPACITY) {
            out[kept++] = next;
        }
        height = nextHeight;
    }
    return kept;
}

// Clips `points` by the sides of `window`, both projected along `normal`; a window of two points is a strip
// across its ends.
static int clipToWindow(const wkFace* window, wkVec3d normal, wkVec3d* points, int count)
{
    wkVec3d other[WK_MANIFOLD_CAPACITY];
    if (window->count == 2) {
        wkVec3d edge = wkSub(window->points[1], window->points[0]);
        wkVec3d along = wkMulSub(edge, wkDot(edge, normal), normal);
        count = clip(points, count, window->points[1], along, other);
        return count > 0 ? clip(other, count, window->points[0], wkNeg(along), points) : 0;
    }

    // orientation of the window as viewed along the normal, so that sides point outward
    wkVec3d area = wkVec(0.0, 0.0, 0.0);
    for (int i = 1; i + 1 < window->count; ++i) {
        area = wkAdd(area, wkCross(wkSub(window->points[i], window->points[0]),
                                   wkSub(window->points[i + 1], window->points[0])));
    }
    double sign = wkDot(area, normal) < 0.0 ? -1.0 : 1.0;
    for (int i = 0; i < window->count && count > 0; ++i) {
        wkVec3d from = window->points[i], to = window->points[(i + 1) % window->count];
        wkVec3d side = wkScale(sign, wkCross(wkSub(to, from), normal));
        count = clip(points, count, from, side, other);
        for (int k = 0; k < count; ++k) {
            points[k] = other[k];
        }
    }
    return count;
}

// Returns the plane normal of a face, or for an edge the one across it nearest to `normal`.
static wkVec3d planeOfFace(const wkFace* face, wkVec3d normal)
{
    if (face->count == 2) {
        wkVec3d along = wkSub(face->points[1], face->points[0]);
        double lengthSquared = wkDot(along, along);
        double share = lengthSquared > 0.0 ? wkDot(normal, along) / lengthSquared : 0.0;
        return wkMulSub(normal, share, along);
    }
    wkVec3d best = wkVec(0.0, 0.0, 0.0);
    for (int i = 1; i + 1 < face->count; ++i) {
        best = wkAdd(best, wkCross(wkSub(face->points[i], face->points[0]),
                                   wkSub(face->points[i + 1], face->points[0])));
    }
    return wkNormalizeOr(best, normal);
}

// Returns how far `point` is from the plane through `base`, measured along `normal`.
static double heightAlong(wkVec3d base, wkVec3d plane, wkVec3d normal, wkVec3d point)
{
    double slope = wkDot(plane, normal);
    return fabs(slope) > 0.1 ? wkDot(plane, wkSub(base, point)) / slope : 0.0;
}

// Returns the vector from `point` to the line of an edge.
static wkVec3d asideOfEdge(const wkFace* edge, wkVec3d point)
{
    wkVec3d along = wkSub(edge->points[1], edge->points[0]);
    wkVec3d start = wkSub(edge->points[0], point);
    double share = wkDot(start, along) / wkDot(along, along);
    return wkMulSub(start, share, along);
}

// Returns true when two edges are parallel, so that they touch along a line.
static bool areParallel(const wkFace* a, const wkFace* b)
{
    wkVec3d alongA = wkSub(a->points[1], a->points[0]), alongB = wkSub(b->points[1], b->points[0]);
    wkVec3d across = wkCross(alongA, alongB);
    return wkDot(across, across) < 1e-4 * wkDot(alongA, alongA) * wkDot(alongB, alongB);
}

// Keeps a contact that is deep enough.
static int keepPoint(wkVec3d pointA, double depth, double aside, double shallowest,
                     wkCorePoint* points, int kept)
{
    if (depth >= shallowest) {
        points[kept].pointA = pointA;
        points[kept].depth = depth;
        points[kept].aside = aside;
        kept += 1;
    }
    return kept;
}

// Contacts of A's face with an unbounded surface: all its vertices.
static int contactsOnSurface(const wkFace* a, const wkSolution* solution, double shallowest,
                             wkCorePoint* points)
{
    int kept = 0;
    for (int i = 0; i < a->count; ++i) {
        double depth = wkDot(solution->normal, wkSub(a->points[i], solution->pointB));
        kept = keepPoint(a->points[i], depth, 0.0, shallowest, points, kept);
    }
    return kept;
}

// Two parallel edges: the ends of their common part. Edges that are not exactly parallel cross at one point
// and miss each other elsewhere: contacts lie midway there too.
static int contactsOfEdges(const wkFace* a, const wkFace* b, wkVec3d normal, double shallowest,
                           wkCorePoint* points)
{
    wkVec3d cut[WK_MANIFOLD_CAPACITY] = {b->points[0], b->points[1]};
    int count = clipToWindow(a, normal, cut, 2);
    wkVec3d plane = planeOfFace(a, normal);
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        double depth = heightAlong(a->points[0], plane, normal, cut[i]);
        wkVec3d over = wkMulAdd(cut[i], depth, normal);
        wkVec3d aside = wkScale(0.5, asideOfEdge(a, over));
        kept = keepPoint(wkAdd(over, aside), depth, wkLength(aside), shallowest, points, kept);
    }
    return kept;
}

// Contacts of two faces, or of a face and an edge.
static int contactsOfFaces(const wkFace* a, const wkFace* b, wkVec3d normal, double shallowest,
                           wkCorePoint* points)
{
    // clip the smaller feature by the window of the larger: a segment has no interior to clip with
    bool isCutA = a->count == 2;
    const wkFace* window = isCutA ? b : a;
    const wkFace* subject = isCutA ? a : b;
    wkVec3d cut[WK_MANIFOLD_CAPACITY];
    int count = subject->count;
    for (int i = 0; i < count; ++i) {
        cut[i] = subject->points[i];
    }
    count = clipToWindow(window, normal, cut, count);

    wkVec3d plane = planeOfFace(window, normal);
    int kept = 0;
    for (int i = 0; i < count; ++i) {
        double height = heightAlong(window->points[0], plane, normal, cut[i]);
        wkVec3d pointA = isCutA ? cut[i] : wkMulAdd(cut[i], height, normal);
        kept = keepPoint(pointA, isCutA ? -height : height, 0.0, shallowest, points, kept);
    }
    return kept;
}

int wkFaceContacts(const wkPair* pair, const wkSolution* solution, double depthRange,
                   wkCorePoint* points)
{
    wkVec3d normal = solution->normal;
    double shallowest = -solution->distance - depthRange;
    wkFace a, b;
    faceOfA(pair, normal, WK_FLAT_COSINE, &a);
    if (a.count < 2) {
        return 0;
    }
    if (!wkConvexTable[pair->b->type].isBounded) {
        return contactsOnSurface(&a, solution, shallowest, points);
    }
    faceOfB(pair, normal, WK_FLAT_COSINE, &b);
    if (b.count < 2) {
        return 0;
    }
    if (a.count > 2 || b.count > 2) {
        return contactsOfFaces(&a, &b, normal, shallowest, points);
    }
    return areParallel(&a, &b) ? contactsOfEdges(&a, &b, normal, shallowest, points) : 0;
}

// Uses the middle of the contact area: it is on both faces, because both are convex.
static bool placeOnFaces(const wkPair* pair, wkSolution* solution)
{
    wkCorePoint points[WK_MANIFOLD_CAPACITY];
    int count = wkFaceContacts(pair, solution, INFINITY, points);
    if (count == 0) {
        return false;
    }
    wkVec3d sum = wkVec(0.0, 0.0, 0.0);
    double nearest = WK_ROUNDING * pair->scale;
    int summed = 0;
    for (int i = 0; i < count; ++i) {
        if (points[i].depth >= -solution->distance - nearest) {
            sum = wkAdd(sum, points[i].pointA);
            summed += 1;
        }
    }
    if (summed == 0) {
        return false;
    }
    solution->pointA = wkScale(1.0 / summed, sum);
    return true;
}

// Returns the point where two edges cross, projected along the normal.
static wkVec3d crossingPoint(const wkFace* a, const wkFace* b, wkVec3d normal)
{
    wkVec3d alongA = wkSub(a->points[1], a->points[0]), alongB = wkSub(b->points[1], b->points[0]);
    wkVec3d side = wkCross(alongB, normal);
    double slope = wkDot(side, alongA);
    double t = slope != 0.0 ? wkDot(side, wkSub(b->points[0], a->points[0])) / slope : 0.5;
    return wkMulAdd(a->points[0], wkClamp(t, 0.0, 1.0), alongA);
}

void wkPlaceWitness(const wkPair* pair, wkSolution* solution)
{
    // features within rounding of the normal; a vertex is sufficient by itself
    const double exactCosine = 1.0 - 1e-15;
    wkVec3d normal = solution->normal;
    wkFace a, b;
    faceOfA(pair, normal, exactCosine, &a);
    faceOfB(pair, normal, exactCosine, &b);
    if (b.count == 1) {
        solution->pointA = wkMulSub(b.points[0], solution->distance, normal);
    } else if (a.count == 1) {
        solution->pointA = a.points[0];
    } else if (a.count == 2 && b.count == 2 && !areParallel(&a, &b)) {
        solution->pointA = crossingPoint(&a, &b, normal);
    } else if (!placeOnFaces(pair, solution)) {
        solution->pointA = a.points[0];
    }
    solution->pointB = wkMulAdd(solution->pointA, solution->distance, normal);
}
