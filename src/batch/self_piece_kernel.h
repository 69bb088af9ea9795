// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Separates convex pieces of two parts by planes, in lanes. The normal of a plane starts along the line between the
// pieces, and the next ones are those of GJK. A lane is proven when the gap along a normal is larger than all that
// pieces extend beyond their vertices; how the normal was found does not matter. Lanes hold configurations; all of
// them go through the same vertices. Inline, for SIMD files.

#include "batch/block_kernel.h"
#include "batch/self_kernel.h"
#include "batch/self_table.h"

#include <math.h>

WK_FORCE_FN wkFloatW wkDotF(wkVecW a, wkVecW b)
{
    return wkAddF(wkAddF(wkMulF(a.x, b.x), wkMulF(a.y, b.y)), wkMulF(a.z, b.z));
}

WK_FORCE_FN wkVecW wkUnitF(wkVecW v)
{
    return wkMulVecF(v, wkDivF(wkSplatF(1.0f), wkSqrtF(wkDotF(v, v))));
}

// The components of a vector along the axes of a frame.
WK_FORCE_FN wkVecW wkInFrame(const wkFrameW* frame, wkVecW v)
{
    wkVecW local = {wkDotF(frame->x, v), wkDotF(frame->y, v), wkDotF(frame->z, v)};
    return local;
}

// The farthest vertex of a piece along a direction, in lanes.
typedef struct wkSupportW {
    wkFloatW reach;
    wkFloatW vertex;
} wkSupportW;

WK_FORCE_FN wkSupportW wkFindSupport(const wkPartPieces* pieces, const wkConvexPiece* piece,
                                     wkVecW along)
{
    const float *x = wkPieceVertices(pieces, 0), *y = wkPieceVertices(pieces, 1),
                *z = wkPieceVertices(pieces, 2);
    wkSupportW support = {wkSplatF(-1e30f), wkSplatF((float)piece->first)};
    for (int32_t i = piece->first; i < piece->end; ++i) {
        wkFloatW reach =
            wkAddF(wkAddF(wkMulF(wkSplatF(x[i]), along.x), wkMulF(wkSplatF(y[i]), along.y)),
                   wkMulF(wkSplatF(z[i]), along.z));
        support.vertex = wkSelectGreaterF(reach, support.reach, wkSplatF((float)i), support.vertex);
        support.reach = wkMaxF(support.reach, reach);
    }
    return support;
}

WK_FORCE_FN wkFloatW wkGatherF(const float* base, wkIntW index)
{
    return wkFloatOfBitsI(wkGatherI((const int32_t*)(const void*)base, index));
}

// Places the vertices of a support relative to the origin of their frame.
WK_FORCE_FN wkVecW wkPlaceSupport(const wkPartPieces* pieces, const wkFrameW* frame,
                                  wkFloatW vertex)
{
    wkIntW index = wkTruncateF(vertex);
    wkVecW sum = wkMulVecF(frame->x, wkGatherF(wkPieceVertices(pieces, 0), index));
    sum = wkAddVecF(sum, wkMulVecF(frame->y, wkGatherF(wkPieceVertices(pieces, 1), index)));
    return wkAddVecF(sum, wkMulVecF(frame->z, wkGatherF(wkPieceVertices(pieces, 2), index)));
}

// A part in lanes.
typedef struct wkPiecesW {
    const wkPartPieces* pieces;
    const wkFrameW* frame;
} wkPiecesW;

// Cosines between the axes of two frames, without signs.
typedef struct wkCosinesW {
    wkVecW rows[3]; // of an axis of the first frame with those of the second
} wkCosinesW;

WK_FORCE_FN wkVecW wkAbsVecF(wkVecW v)
{
    wkVecW positive = {wkAbsF(v.x), wkAbsF(v.y), wkAbsF(v.z)};
    return positive;
}

WK_FORCE_FN wkCosinesW wkFindCosines(const wkFrameW* a, const wkFrameW* b)
{
    wkCosinesW cosines = {{wkAbsVecF(wkInFrame(b, a->x)), wkAbsVecF(wkInFrame(b, a->y)),
                           wkAbsVecF(wkInFrame(b, a->z))}};
    return cosines;
}

// The largest gap between two boxes along their axes.
// @param way from the center of one to that of the other
WK_FORCE_FN wkFloatW wkBoxGap(const wkFrameW* a, const wkPieceBox* boxA, const wkFrameW* b,
                              const wkPieceBox* boxB, const wkCosinesW* cosines, wkVecW way)
{
    wkVecW halfA = {wkSplatF(boxA->half[0]), wkSplatF(boxA->half[1]), wkSplatF(boxA->half[2])};
    wkVecW halfB = {wkSplatF(boxB->half[0]), wkSplatF(boxB->half[1]), wkSplatF(boxB->half[2])};
    wkVecW reachB = {wkDotF(cosines->rows[0], halfB), wkDotF(cosines->rows[1], halfB),
                     wkDotF(cosines->rows[2], halfB)};
    wkVecW reachA = wkAddVecF(
        wkAddVecF(wkMulVecF(cosines->rows[0], halfA.x), wkMulVecF(cosines->rows[1], halfA.y)),
        wkMulVecF(cosines->rows[2], halfA.z));
    wkVecW ofA = wkSubVecF(wkAbsVecF(wkInFrame(a, way)), wkAddVecF(halfA, reachB));
    wkVecW ofB = wkSubVecF(wkAbsVecF(wkInFrame(b, way)), wkAddVecF(halfB, reachA));
    wkFloatW gapA = wkMaxF(wkMaxF(ofA.x, ofA.y), ofA.z);
    return wkMaxF(wkMaxF(wkMaxF(gapA, ofB.x), ofB.y), ofB.z);
}

// Returns the lanes in which two boxes are not proven to be further apart than all that there is beyond them.
WK_FORCE_FN unsigned wkNearBoxes(const wkFrameW* a, const wkPieceBox* boxA, const wkFrameW* b,
                                 const wkPieceBox* boxB, const wkCosinesW* cosines, float beyond)
{
    wkVecW centerA = wkPlacePoint(a, 7, boxA->x, boxA->y, boxA->z);
    wkVecW centerB = wkPlacePoint(b, 7, boxB->x, boxB->y, boxB->z);
    wkFloatW gap = wkBoxGap(a, boxA, b, boxB, cosines, wkSubVecF(centerB, centerA));
    return ~wkGreaterBitsF(gap, wkSplatF(beyond * WK_MOST_NORMAL));
}

// Up to three differences of points of two pieces, and the nearest point to the origin between them: that of GJK.
// Fewer points than three are repeated.
typedef struct wkSimplexW {
    wkVecW points[3];
    wkVecW nearest;
    wkFloatW square; // of its distance
} wkSimplexW;

WK_FORCE_FN wkVecW wkCrossF(wkVecW a, wkVecW b)
{
    wkVecW cross = {wkSubF(wkMulF(a.y, b.z), wkMulF(a.z, b.y)),
                    wkSubF(wkMulF(a.z, b.x), wkMulF(a.x, b.z)),
                    wkSubF(wkMulF(a.x, b.y), wkMulF(a.y, b.x))};
    return cross;
}

// Returns one vector where a number is larger than another one, and else the other vector.
WK_FORCE_FN wkVecW wkSelectVecF(wkFloatW a, wkFloatW b, wkVecW chosen, wkVecW other)
{
    wkVecW selected = {wkSelectGreaterF(a, b, chosen.x, other.x),
                       wkSelectGreaterF(a, b, chosen.y, other.y),
                       wkSelectGreaterF(a, b, chosen.z, other.z)};
    return selected;
}

// Keeps the nearer of a simplex and the edge between two points.
WK_FORCE_FN void wkTryEdge(wkVecW a, wkVecW b, wkSimplexW* best)
{
    wkVecW along = wkSubVecF(b, a);
    wkFloatW square = wkMaxF(wkDotF(along, along), wkSplatF(WK_LEAST_SQUARE));
    wkFloatW share = wkDivF(wkSubF(wkSplatF(0.0f), wkDotF(a, along)), square);
    share = wkMinF(wkMaxF(share, wkSplatF(0.0f)), wkSplatF(1.0f));
    wkVecW point = wkAddVecF(a, wkMulVecF(along, share));
    wkFloatW distance = wkDotF(point, point), before = best->square;
    best->points[0] = wkSelectVecF(before, distance, a, best->points[0]);
    best->points[1] = wkSelectVecF(before, distance, b, best->points[1]);
    best->points[2] = wkSelectVecF(before, distance, b, best->points[2]);
    best->nearest = wkSelectVecF(before, distance, point, best->nearest);
    best->square = wkMinF(before, distance);
}

// Keeps the nearer of a simplex and the inside of a triangle.
// @param ab, bc, ca cross products of its vertices
WK_FORCE_FN void wkTryTriangle(const wkVecW* vertices, wkVecW ab, wkVecW bc, wkVecW ca,
                               wkSimplexW* best)
{
    wkVecW normal = wkAddVecF(wkAddVecF(ab, bc), ca);
    wkFloatW square = wkMaxF(wkDotF(normal, normal), wkSplatF(WK_LEAST_SQUARE));
    wkFloatW inside = wkMinF(wkMinF(wkDotF(normal, ab), wkDotF(normal, bc)), wkDotF(normal, ca));
    wkVecW point = wkMulVecF(normal, wkDivF(wkDotF(normal, vertices[0]), square));
    // outside, it is farther than everything
    wkFloatW distance =
        wkSelectGreaterF(inside, wkSplatF(0.0f), wkDotF(point, point), wkSplatF(INFINITY));
    wkFloatW before = best->square;
    for (int i = 0; i < 3; ++i) {
        best->points[i] = wkSelectVecF(before, distance, vertices[i], best->points[i]);
    }
    best->nearest = wkSelectVecF(before, distance, point, best->nearest);
    best->square = wkMinF(before, distance);
}

// Adds a point to a simplex: the nearest point is on an edge or a triangle with the new point.
WK_FORCE_FN void wkExtendSimplex(wkSimplexW* simplex, wkVecW added)
{
    wkVecW a = simplex->points[0], b = simplex->points[1], c = simplex->points[2];
    wkVecW addedA = wkCrossF(added, a), addedB = wkCrossF(added, b), addedC = wkCrossF(added, c);
    wkVecW aAdded = wkMulVecF(addedA, wkSplatF(-1.0f)), bAdded = wkMulVecF(addedB, wkSplatF(-1.0f)),
           cAdded = wkMulVecF(addedC, wkSplatF(-1.0f));
    wkVecW abAdded[3] = {a, b, added}, bcAdded[3] = {b, c, added}, caAdded[3] = {c, a, added};
    simplex->square = wkSplatF(INFINITY);
    wkTryEdge(a, added, simplex);
    wkTryEdge(b, added, simplex);
    wkTryEdge(c, added, simplex);
    wkTryTriangle(abAdded, wkCrossF(a, b), bAdded, addedA, simplex);
    wkTryTriangle(bcAdded, wkCrossF(b, c), cAdded, addedB, simplex);
    wkTryTriangle(caAdded, wkCrossF(c, a), aAdded, addedC, simplex);
}

// Returns the lanes in which a plane separates two pieces.
// @param way from one to the other: where the search for a normal starts
WK_FORCE_FN unsigned wkSeparatePieces(const wkPiecesW* a, const wkConvexPiece* pieceA,
                                      const wkPiecesW* b, const wkConvexPiece* pieceB, wkVecW way,
                                      float margin, unsigned lanes)
{
    wkFloatW most = wkSplatF(WK_MOST_NORMAL);
    float beyond = (pieceA->inflation + pieceB->inflation + margin) * WK_MOST_NORMAL;
    wkFloatW least = wkSplatF(beyond);
    wkVecW between = wkSubVecF(b->frame->origin, a->frame->origin);
    wkVecW normal = wkUnitF(way);
    wkSimplexW simplex = {{way, way, way}, way, wkSplatF(0.0f)};
    unsigned apart = 0;
    for (int i = 0; i < WK_NORMAL_COUNT; ++i) {
        wkVecW against = wkMulVecF(normal, wkSplatF(-1.0f));
        wkSupportW supportA = wkFindSupport(a->pieces, pieceA, wkInFrame(a->frame, normal));
        wkSupportW supportB = wkFindSupport(b->pieces, pieceB, wkInFrame(b->frame, against));
        wkFloatW gap = wkSubF(wkDotF(normal, between), wkAddF(supportA.reach, supportB.reach));
        apart |= wkGreaterBitsF(gap, least) & wkGreaterBitsF(most, wkDotF(normal, normal));
        if ((lanes & ~apart) == 0 || i + 1 == WK_NORMAL_COUNT) {
            break;
        }
        wkVecW added =
            wkSubVecF(wkAddVecF(between, wkPlaceSupport(b->pieces, b->frame, supportB.vertex)),
                      wkPlaceSupport(a->pieces, a->frame, supportA.vertex));
        if (i == 0) {
            wkSimplexW first = {{added, added, added}, added, wkDotF(added, added)};
            simplex = first;
        } else {
            wkExtendSimplex(&simplex, added);
        }
        // no farther apart than these points
        lanes &= apart | wkGreaterBitsF(simplex.square, wkSplatF(beyond * beyond));
        if ((lanes & ~apart) == 0) {
            break;
        }
        normal = wkUnitF(simplex.nearest);
    }
    return apart & lanes;
}

// Returns how far the vertices of a part reach along a direction.
WK_FORCE_FN wkFloatW wkReachOfPart(const wkPiecesW* part, wkVecW along)
{
    wkConvexPiece all = {.first = 0, .end = part->pieces->vertexCount};
    return wkFindSupport(part->pieces, &all, wkInFrame(part->frame, along)).reach;
}

// Returns the lanes in which the plane of a pair separates all pieces of two parts.
WK_FORCE_FN unsigned wkSeparateByPlane(const wkPairPlane* plane, const wkPiecesW* a,
                                       const wkPiecesW* b, float margin)
{
    const wkFrameW* frame = plane->side == 0 ? a->frame : b->frame;
    wkVecW normal = wkMulVecF(frame->x, wkSplatF(plane->x));
    normal = wkAddVecF(normal, wkMulVecF(frame->y, wkSplatF(plane->y)));
    normal = wkAddVecF(normal, wkMulVecF(frame->z, wkSplatF(plane->z)));
    wkFloatW reach = plane->side == 0 ? wkReachOfPart(b, wkMulVecF(normal, wkSplatF(-1.0f)))
                                      : wkReachOfPart(a, normal);
    wkVecW between = wkSubVecF(b->frame->origin, a->frame->origin);
    wkFloatW gap = wkSubF(wkDotF(normal, between), wkAddF(reach, wkSplatF(plane->reach)));
    float beyond = (a->pieces->inflation + b->pieces->inflation + margin) * WK_MOST_NORMAL;
    return wkGreaterBitsF(gap, wkSplatF(beyond)) &
           wkGreaterBitsF(wkSplatF(WK_MOST_NORMAL), wkDotF(normal, normal));
}

// Returns the lanes in which all pieces of two parts are proven apart.
WK_APART_FN unsigned wkArePiecesApart(const wkPiecesW* a, const wkPiecesW* b,
                                      const wkCosinesW* cosines, float margin, unsigned lanes)
{
    for (int32_t i = 0; i < a->pieces->count && lanes != 0; ++i) {
        const wkConvexPiece* pieceA = &wkConvexPieces(a->pieces)[i];
        wkVecW centerA = wkPlacePoint(a->frame, 7, pieceA->x, pieceA->y, pieceA->z);
        for (int32_t k = 0; k < b->pieces->count && lanes != 0; ++k) {
            const wkConvexPiece* pieceB = &wkConvexPieces(b->pieces)[k];
            wkVecW centerB = wkPlacePoint(b->frame, 7, pieceB->x, pieceB->y, pieceB->z);
            wkFloatW overlap =
                wkOverlap(centerA, centerB, pieceA->radius + pieceB->radius, wkSplatF(margin));
            unsigned open = wkOverlapBits(overlap) & lanes;
            if (open != 0) {
                open &= wkNearBoxes(a->frame, &pieceA->box, b->frame, &pieceB->box, cosines,
                                    pieceA->inflation + pieceB->inflation + margin);
            }
            if (open != 0) {
                unsigned apart = wkSeparatePieces(a, pieceA, b, pieceB, wkSubVecF(centerB, centerA),
                                                  margin, open);
                lanes &= ~(open & ~apart);
            }
        }
    }
    return lanes;
}
