// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Two parts of a robot in one configuration, by their convex pieces: the operations of self_piece_kernel.h and
// self_bundle_kernel.h on one number in place of lanes, in the same order, so that the verdicts are the same. Nothing
// may be fused; divisions and square roots are rounded as IEEE 754 says. The common subset of C, C++ and CUDA.

#include "batch/self_spheres_item.h"

#include <math.h>

WK_FN float wkDot3f(wkVec3f a, wkVec3f b)
{
    return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

WK_FN wkVec3f wkUnit3f(wkVec3f v)
{
    return wkMul3f(v, 1.0f / sqrtf(wkDot3f(v, v)));
}

WK_FN wkVec3f wkCross3f(wkVec3f a, wkVec3f b)
{
    return wkMakeVec3f(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

WK_FN wkVec3f wkAbs3f(wkVec3f v)
{
    return wkMakeVec3f(fabsf(v.x), fabsf(v.y), fabsf(v.z));
}

// NaN as the first number gives the second one.
WK_FN float wkLesserOf(float a, float b)
{
    return a < b ? a : b;
}

WK_FN float wkGreaterOf(float a, float b)
{
    return a > b ? a : b;
}

// The components of a vector along the axes of a frame.
WK_FN wkVec3f wkInItemFrame(const wkItemFrame* frame, wkVec3f v)
{
    return wkMakeVec3f(wkDot3f(frame->x, v), wkDot3f(frame->y, v), wkDot3f(frame->z, v));
}

// A direction or point given by components along the axes of a frame, without its origin.
WK_FN wkVec3f wkFromItemFrame(const wkItemFrame* frame, float x, float y, float z)
{
    wkVec3f sum = wkAdd3f(wkMul3f(frame->x, x), wkMul3f(frame->y, y));
    return wkAdd3f(sum, wkMul3f(frame->z, z));
}

// Cosines between the axes of two frames, without signs.
typedef struct wkItemCosines {
    wkVec3f x, y, z; // of an axis of the first frame with those of the second
} wkItemCosines;

WK_FN wkItemCosines wkFindItemCosines(const wkPairFrames* frames)
{
    wkItemCosines cosines = {wkAbs3f(wkInItemFrame(&frames->b, frames->a.x)),
                             wkAbs3f(wkInItemFrame(&frames->b, frames->a.y)),
                             wkAbs3f(wkInItemFrame(&frames->b, frames->a.z))};
    return cosines;
}

// Returns the largest gap between two boxes along their axes.
// @param way from the center of one to that of the other
WK_FN float wkItemBoxGap(const wkPairFrames* frames, const wkPieceBox* boxA, const wkPieceBox* boxB,
                         const wkItemCosines* cosines, wkVec3f way)
{
    wkVec3f halfA = wkMakeVec3f(boxA->half[0], boxA->half[1], boxA->half[2]);
    wkVec3f halfB = wkMakeVec3f(boxB->half[0], boxB->half[1], boxB->half[2]);
    wkVec3f reachB = wkMakeVec3f(wkDot3f(cosines->x, halfB), wkDot3f(cosines->y, halfB),
                                 wkDot3f(cosines->z, halfB));
    wkVec3f reachA = wkAdd3f(wkMul3f(cosines->x, halfA.x), wkMul3f(cosines->y, halfA.y));
    reachA = wkAdd3f(reachA, wkMul3f(cosines->z, halfA.z));
    wkVec3f ofA = wkSub3f(wkAbs3f(wkInItemFrame(&frames->a, way)), wkAdd3f(halfA, reachB));
    wkVec3f ofB = wkSub3f(wkAbs3f(wkInItemFrame(&frames->b, way)), wkAdd3f(halfB, reachA));
    float gapA = wkGreaterOf(wkGreaterOf(ofA.x, ofA.y), ofA.z);
    return wkGreaterOf(wkGreaterOf(wkGreaterOf(gapA, ofB.x), ofB.y), ofB.z);
}

// Returns whether two boxes are not proven to be further apart than all that there is beyond them.
WK_FN bool wkAreItemBoxesNear(const wkPairFrames* frames, const wkPieceBox* boxA,
                              const wkPieceBox* boxB, const wkItemCosines* cosines, float beyond)
{
    wkVec3f centerA = wkPlaceItemPoint(&frames->a, boxA->x, boxA->y, boxA->z);
    wkVec3f centerB = wkPlaceItemPoint(&frames->b, boxB->x, boxB->y, boxB->z);
    float gap = wkItemBoxGap(frames, boxA, boxB, cosines, wkSub3f(centerB, centerA));
    return !(gap > beyond * WK_MOST_NORMAL);
}

// The farthest of some vertices along a direction.
typedef struct wkItemSupport {
    float reach;
    int32_t vertex;
} wkItemSupport;

WK_FN wkItemSupport wkFindItemSupport(const wkPartPieces* pieces, int32_t first, int32_t end,
                                      wkVec3f along)
{
    const float* x = wkPieceVertices(pieces, 0);
    const float* y = wkPieceVertices(pieces, 1);
    const float* z = wkPieceVertices(pieces, 2);
    wkItemSupport support = {-1e30f, first};
    WK_KEEP_LOOP
    for (int32_t i = first; i < end; ++i) {
        float reach = (x[i] * along.x + y[i] * along.y) + z[i] * along.z;
        support.vertex = reach > support.reach ? i : support.vertex;
        support.reach = wkGreaterOf(support.reach, reach);
    }
    return support;
}

// Places a vertex relative to the origin of its frame.
WK_FN wkVec3f wkPlaceItemVertex(const wkPartPieces* pieces, const wkItemFrame* frame,
                                int32_t vertex)
{
    return wkFromItemFrame(frame, wkPieceVertices(pieces, 0)[vertex],
                           wkPieceVertices(pieces, 1)[vertex], wkPieceVertices(pieces, 2)[vertex]);
}

// Up to three differences of points of two pieces, and the nearest point to the origin between them: that of GJK.
// Fewer points than three are repeated.
typedef struct wkItemSimplex {
    wkVec3f points[3];
    wkVec3f nearest;
    float square; // of its distance
} wkItemSimplex;

// Keeps the nearer of a simplex and a candidate.
WK_FN void wkTryItemPoint(wkVec3f a, wkVec3f b, wkVec3f c, wkVec3f nearest, float square,
                          wkItemSimplex* best)
{
    if (best->square > square) {
        best->points[0] = a;
        best->points[1] = b;
        best->points[2] = c;
        best->nearest = nearest;
    }
    best->square = wkLesserOf(best->square, square);
}

// Keeps the nearer of a simplex and the edge between two points.
WK_FN void wkTryItemEdge(wkVec3f a, wkVec3f b, wkItemSimplex* best)
{
    wkVec3f along = wkSub3f(b, a);
    float square = wkGreaterOf(wkDot3f(along, along), WK_LEAST_SQUARE);
    float share = (0.0f - wkDot3f(a, along)) / square;
    share = wkLesserOf(wkGreaterOf(share, 0.0f), 1.0f);
    wkVec3f point = wkAdd3f(a, wkMul3f(along, share));
    wkTryItemPoint(a, b, b, point, wkDot3f(point, point), best);
}

// Keeps the nearer of a simplex and the inside of a triangle.
// @param ab, bc, ca cross products of its vertices
WK_FN void wkTryItemTriangle(wkVec3f a, wkVec3f b, wkVec3f c, wkVec3f ab, wkVec3f bc, wkVec3f ca,
                             wkItemSimplex* best)
{
    wkVec3f normal = wkAdd3f(wkAdd3f(ab, bc), ca);
    float square = wkGreaterOf(wkDot3f(normal, normal), WK_LEAST_SQUARE);
    float inside =
        wkLesserOf(wkLesserOf(wkDot3f(normal, ab), wkDot3f(normal, bc)), wkDot3f(normal, ca));
    if (inside > 0.0f) {
        wkVec3f point = wkMul3f(normal, wkDot3f(normal, a) / square);
        wkTryItemPoint(a, b, c, point, wkDot3f(point, point), best);
    }
}

// Adds a point to a simplex: the nearest point is on an edge or a triangle with the new point.
WK_FN void wkExtendItemSimplex(wkItemSimplex* simplex, wkVec3f added)
{
    wkVec3f a = simplex->points[0], b = simplex->points[1], c = simplex->points[2];
    wkVec3f addedA = wkCross3f(added, a), addedB = wkCross3f(added, b);
    wkVec3f addedC = wkCross3f(added, c);
    simplex->square = INFINITY;
    wkTryItemEdge(a, added, simplex);
    wkTryItemEdge(b, added, simplex);
    wkTryItemEdge(c, added, simplex);
    wkTryItemTriangle(a, b, added, wkCross3f(a, b), wkMul3f(addedB, -1.0f), addedA, simplex);
    wkTryItemTriangle(b, c, added, wkCross3f(b, c), wkMul3f(addedC, -1.0f), addedB, simplex);
    wkTryItemTriangle(c, a, added, wkCross3f(c, a), wkMul3f(addedA, -1.0f), addedC, simplex);
}

// The pieces of two parts.
typedef struct wkPairPieces {
    const wkPartPieces *a, *b;
} wkPairPieces;

// Returns whether a plane separates two pieces.
// @param way from one to the other: where the search for a normal starts
WK_FN bool wkAreItemPiecesApart(const wkPairFrames* frames, wkPairPieces parts,
                                const wkConvexPiece* pieceA, const wkConvexPiece* pieceB,
                                wkVec3f way, float margin)
{
    float beyond = (pieceA->inflation + pieceB->inflation + margin) * WK_MOST_NORMAL;
    wkVec3f between = wkSub3f(frames->b.origin, frames->a.origin);
    wkVec3f normal = wkUnit3f(way);
    wkItemSimplex simplex = {{way, way, way}, way, 0.0f};
    WK_KEEP_LOOP
    for (int i = 0; i < WK_NORMAL_COUNT; ++i) {
        wkVec3f against = wkMul3f(normal, -1.0f);
        wkItemSupport a = wkFindItemSupport(parts.a, pieceA->first, pieceA->end,
                                            wkInItemFrame(&frames->a, normal));
        wkItemSupport b = wkFindItemSupport(parts.b, pieceB->first, pieceB->end,
                                            wkInItemFrame(&frames->b, against));
        float gap = wkDot3f(normal, between) - (a.reach + b.reach);
        if (gap > beyond && WK_MOST_NORMAL > wkDot3f(normal, normal)) {
            return true;
        }
        wkVec3f added = wkAdd3f(between, wkPlaceItemVertex(parts.b, &frames->b, b.vertex));
        added = wkSub3f(added, wkPlaceItemVertex(parts.a, &frames->a, a.vertex));
        if (i == 0) {
            simplex.points[0] = simplex.points[1] = simplex.points[2] = added;
            simplex.nearest = added;
            simplex.square = wkDot3f(added, added);
        } else {
            wkExtendItemSimplex(&simplex, added);
        }
        // no farther apart than these points
        if (!(simplex.square > beyond * beyond)) {
            return false;
        }
        normal = wkUnit3f(simplex.nearest);
    }
    return false;
}

// Returns whether the plane of a pair separates all pieces of two parts.
WK_FN bool wkAreItemPartsSeparated(const wkPairPlane* plane, const wkPairFrames* frames,
                                   wkPairPieces parts, float margin)
{
    const wkItemFrame* frame = plane->side == 0 ? &frames->a : &frames->b;
    wkVec3f normal = wkFromItemFrame(frame, plane->x, plane->y, plane->z);
    const wkPartPieces* other = plane->side == 0 ? parts.b : parts.a;
    const wkItemFrame* otherFrame = plane->side == 0 ? &frames->b : &frames->a;
    wkVec3f along = plane->side == 0 ? wkMul3f(normal, -1.0f) : normal;
    float reach =
        wkFindItemSupport(other, 0, other->vertexCount, wkInItemFrame(otherFrame, along)).reach;
    wkVec3f between = wkSub3f(frames->b.origin, frames->a.origin);
    float gap = wkDot3f(normal, between) - (reach + plane->reach);
    float beyond = (parts.a->inflation + parts.b->inflation + margin) * WK_MOST_NORMAL;
    return gap > beyond && WK_MOST_NORMAL > wkDot3f(normal, normal);
}

// Returns whether all pieces of two parts are proven apart.
WK_FN bool wkAreAllItemPiecesApart(const wkPairFrames* frames, wkPairPieces parts,
                                   const wkItemCosines* cosines, float margin)
{
    WK_KEEP_LOOP
    for (int32_t i = 0; i < parts.a->count; ++i) {
        const wkConvexPiece* pieceA = &wkConvexPieces(parts.a)[i];
        wkVec3f centerA = wkPlaceItemPoint(&frames->a, pieceA->x, pieceA->y, pieceA->z);
        WK_KEEP_LOOP
        for (int32_t k = 0; k < parts.b->count; ++k) {
            const wkConvexPiece* pieceB = &wkConvexPieces(parts.b)[k];
            wkVec3f centerB = wkPlaceItemPoint(&frames->b, pieceB->x, pieceB->y, pieceB->z);
            if (wkDoSpheresTouch(centerA, centerB, pieceA->radius + pieceB->radius, margin) &&
                wkAreItemBoxesNear(frames, &pieceA->box, &pieceB->box, cosines,
                                   pieceA->inflation + pieceB->inflation + margin) &&
                !wkAreItemPiecesApart(frames, parts, pieceA, pieceB, wkSub3f(centerB, centerA),
                                      margin)) {
                return false;
            }
        }
    }
    return true;
}

// Returns whether spheres inside the bodies of two parts overlap.
WK_FN bool wkSelfItem_OverlapInside(const wkSelfItem* item, int32_t pair,
                                    const wkPairFrames* frames)
{
    const wkInnerPairs* inner = &item->tables->inner[pair];
    WK_KEEP_LOOP
    for (int32_t i = 0; i < inner->count; ++i) {
        int32_t a = inner->spheres[i][0], b = inner->spheres[i][1];
        if (wkDoSpheresTouch(wkPlaceItemSphere(item->program, &frames->a, a),
                             wkPlaceItemSphere(item->program, &frames->b, b),
                             item->innerRadii[a] + item->innerRadii[b], item->margin)) {
            return true;
        }
    }
    return false;
}

// Returns whether a pair that uses convex pieces counts as touching, without the boxes of its bundle.
// @param cosines of the frames
WK_FN bool wkSelfItem_TouchPieces(const wkSelfItem* item, int32_t pair, const wkPairFrames* frames,
                                  const wkItemCosines* cosines)
{
    wkPartPair both = item->program->pairs[pair];
    wkPairPieces parts = {wkPiecesOfPair(item->tables, pair, 0, both.a),
                          wkPiecesOfPair(item->tables, pair, 1, both.b)};
    if (!wkAreItemBoxesNear(frames, &parts.a->box, &parts.b->box, cosines,
                            parts.a->inflation + parts.b->inflation + item->margin)) {
        return false;
    }
    if (wkSelfItem_OverlapInside(item, pair, frames)) {
        return true;
    }
    const wkPairPlane* plane = &item->tables->planes[pair];
    return !(plane->isUsed && wkAreItemPartsSeparated(plane, frames, parts, item->margin)) &&
           !wkAreAllItemPiecesApart(frames, parts, cosines, item->margin);
}

// Returns whether the boxes of a bundle are not proven apart.
// @param frames of the rigid groups of the bundle
WK_FN bool wkSelfItem_IsBundleNear(const wkSelfItem* item, const wkPairBundle* bundle,
                                   const wkPairFrames* frames, const wkItemCosines* cosines)
{
    const wkPieceBox *boxA = &bundle->boxes[0], *boxB = &bundle->boxes[1];
    wkVec3f centerA = wkPlaceItemPoint(&frames->a, boxA->x, boxA->y, boxA->z);
    wkVec3f centerB = wkPlaceItemPoint(&frames->b, boxB->x, boxB->y, boxB->z);
    return wkDoSpheresTouch(centerA, centerB, bundle->radius, item->margin) &&
           wkAreItemBoxesNear(frames, boxA, boxB, cosines, bundle->inflation + item->margin);
}

// Returns whether a pair of a bundle counts as touching.
WK_FN bool wkSelfItem_TouchBundle(const wkSelfItem* item, const wkPairBundle* bundle,
                                  const wkPairFrames* frames)
{
    wkItemCosines cosines = wkFindItemCosines(frames);
    if (!wkSelfItem_IsBundleNear(item, bundle, frames, &cosines)) {
        return false;
    }
    WK_KEEP_LOOP
    for (int32_t i = 0; i < bundle->count; ++i) {
        int32_t pair = item->tables->bundlePairs[bundle->first + i];
        if (wkSelfItem_TouchPieces(item, pair, frames, &cosines)) {
            return true;
        }
    }
    return false;
}
