// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Separates convex pieces of two parts by planes, in lanes. The normal of a plane starts along the line between the
// pieces. Where the pieces overlap along it, it is reflected at the plane that is perpendicular to the line between
// their farthest points. A lane is proven when the gap along a normal is larger than all that pieces extend
// beyond their vertices; how the normal was found does not matter. Inline, for SIMD files.

#include "batch/block_kernel.h"
#include "batch/self_kernel.h"
#include "batch/self_pieces.h"

// Normals that are tried for two pieces.
#define WK_NORMAL_COUNT 7
// Pieces that overlap by more than this many metres along a normal, after the first ones, are given up.
#define WK_SURE_NORMALS 3
#define WK_DEEP_OVERLAP 0.02f
// Normals are unit vectors up to rounding: longer ones prove nothing, and gaps have to be larger by this
// factor.
#define WK_MOST_NORMAL 1.001f

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
    const float *x = pieces->x, *y = pieces->y, *z = pieces->z;
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
    wkVecW sum = wkMulVecF(frame->x, wkGatherF(pieces->x, index));
    sum = wkAddVecF(sum, wkMulVecF(frame->y, wkGatherF(pieces->y, index)));
    return wkAddVecF(sum, wkMulVecF(frame->z, wkGatherF(pieces->z, index)));
}

// A part in lanes.
typedef struct wkPiecesW {
    const wkPartPieces* pieces;
    const wkFrameW* frame;
} wkPiecesW;

// Returns the lanes in which a plane separates two pieces.
// @param way from one to the other: where the search for a normal starts
WK_FORCE_FN unsigned wkSeparatePieces(const wkPiecesW* a, const wkConvexPiece* pieceA,
                                      const wkPiecesW* b, const wkConvexPiece* pieceB, wkVecW way,
                                      float margin, unsigned lanes)
{
    wkFloatW most = wkSplatF(WK_MOST_NORMAL);
    wkFloatW least = wkSplatF((pieceA->inflation + pieceB->inflation + margin) * WK_MOST_NORMAL);
    wkVecW between = wkSubVecF(b->frame->origin, a->frame->origin);
    wkVecW normal = wkUnitF(way);
    unsigned apart = 0;
    for (int i = 0; i < WK_NORMAL_COUNT; ++i) {
        wkVecW against = wkMulVecF(normal, wkSplatF(-1.0f));
        wkSupportW supportA = wkFindSupport(a->pieces, pieceA, wkInFrame(a->frame, normal));
        wkSupportW supportB = wkFindSupport(b->pieces, pieceB, wkInFrame(b->frame, against));
        wkFloatW gap = wkSubF(wkDotF(normal, between), wkAddF(supportA.reach, supportB.reach));
        apart |= wkGreaterBitsF(gap, least) & wkGreaterBitsF(most, wkDotF(normal, normal));
        if (i >= WK_SURE_NORMALS) {
            lanes &= apart | wkGreaterBitsF(gap, wkSplatF(-WK_DEEP_OVERLAP));
        }
        if ((lanes & ~apart) == 0 || i + 1 == WK_NORMAL_COUNT) {
            break;
        }
        wkVecW line =
            wkSubVecF(wkAddVecF(between, wkPlaceSupport(b->pieces, b->frame, supportB.vertex)),
                      wkPlaceSupport(a->pieces, a->frame, supportA.vertex));
        line = wkSubVecF(line, wkMulVecF(normal, least)); // between the inflated pieces
        wkFloatW share = wkDivF(wkDotF(line, normal), wkDotF(line, line));
        wkVecW reflected = wkSubVecF(normal, wkMulVecF(line, wkAddF(share, share)));
        if (i % 3 == 2) {
            reflected = wkUnitF(wkAddVecF(reflected, normal));
        }
        normal = reflected;
    }
    return apart & lanes;
}

// Returns the lanes in which all pieces of two parts are proven apart.
WK_APART_FN unsigned wkArePiecesApart(const wkPiecesW* a, const wkPiecesW* b, float margin,
                                      unsigned lanes)
{
    for (int32_t i = 0; i < a->pieces->count && lanes != 0; ++i) {
        const wkConvexPiece* pieceA = &a->pieces->pieces[i];
        wkVecW centerA = wkPlacePoint(a->frame, 7, pieceA->x, pieceA->y, pieceA->z);
        for (int32_t k = 0; k < b->pieces->count && lanes != 0; ++k) {
            const wkConvexPiece* pieceB = &b->pieces->pieces[k];
            wkVecW centerB = wkPlacePoint(b->frame, 7, pieceB->x, pieceB->y, pieceB->z);
            wkFloatW overlap =
                wkOverlap(centerA, centerB, pieceA->radius + pieceB->radius, wkSplatF(margin));
            unsigned near = wkOverlapBits(overlap) & lanes;
            if (near != 0) {
                unsigned apart = wkSeparatePieces(a, pieceA, b, pieceB, wkSubVecF(centerB, centerA),
                                                  margin, near);
                lanes &= ~(near & ~apart);
            }
        }
    }
    return lanes;
}
