// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The support function of B - A as a sum of simple terms, in the frame of A:
//
//     h(d) = way.d + sum |edge.d| + sum round(d)
//
// `edge` is half an edge: a capsule's core has one, a box three, a cylinder one. A round term is sqrt(d.M d),
// of an ellipsoid or of a disc. A cone is a disc that its apex may replace: max(r - apex.d, apex.d) with r
// its disc's term, which is r/2 + |r/2 - apex.d|.
//
// The absolute values are the kinks of h. Its smallest value over all unit directions is the
// penetration depth.

#include "solve/pair.h"

#define WK_SUPPORT_SUM_EDGES 6
#define WK_SUPPORT_SUM_ROUNDS 2
#define WK_SUPPORT_SUM_KINKS (WK_SUPPORT_SUM_EDGES + WK_SUPPORT_SUM_ROUNDS)

// A height of up to this many times the roundness may still lead to a minimum below it.
#define WK_SUPPORT_SUM_SHALLOW 1.3

// A symmetric matrix.
typedef struct wkSym3d {
    double xx, yy, zz, xy, xz, yz;
} wkSym3d;

WK_FN wkVec3d wkMulSV(const wkSym3d* m, wkVec3d v)
{
    return wkVec(m->xx * v.x + m->xy * v.y + m->xz * v.z, m->xy * v.x + m->yy * v.y + m->yz * v.z,
                 m->xz * v.x + m->yz * v.y + m->zz * v.z);
}

// Returns the sum of squares[i] times the projector on axis i.
WK_FN wkSym3d wkSumOfSquares(const wkMat3d* axes, wkVec3d squares)
{
    wkVec3d x = wkScale(squares.x, axes->x), y = wkScale(squares.y, axes->y),
            z = wkScale(squares.z, axes->z);
    wkSym3d m = {x.x * axes->x.x + y.x * axes->y.x + z.x * axes->z.x,
                 x.y * axes->x.y + y.y * axes->y.y + z.y * axes->z.y,
                 x.z * axes->x.z + y.z * axes->y.z + z.z * axes->z.z,
                 x.x * axes->x.y + y.x * axes->y.y + z.x * axes->z.y,
                 x.x * axes->x.z + y.x * axes->y.z + z.x * axes->z.z,
                 x.y * axes->x.z + y.y * axes->y.z + z.y * axes->z.z};
    return m;
}

typedef struct wkRoundTerm {
    wkSym3d matrix;
    double radius; // of a disc; 0 for ellipsoids
    wkVec3d axis;  // unit normal of a disc, towards a cone's apex
    wkVec3d apex;  // of a cone, from its middle; zero for the others
    bool isCone;
    bool isOfB;
} wkRoundTerm;

typedef struct wkSupportSum {
    wkVec3d way;
    double scale; // of the pair
    int edgeCount;
    int roundCount;
    double roundness; // radius of a sphere that is a Minkowski summand of B - A
    bool isSymmetric; // except for `way`: no cones
    bool isValid;     // no term is too thin
    wkVec3d edge[WK_SUPPORT_SUM_EDGES];
    double edgeLength[WK_SUPPORT_SUM_EDGES];
    bool isEdgeOfB[WK_SUPPORT_SUM_EDGES];
    wkRoundTerm round[WK_SUPPORT_SUM_ROUNDS];
} wkSupportSum;

// @return false when one of the cores is not a sum of such terms, or too thin
bool wkMakeSupportSum(const wkPair* pair, wkSupportSum* supportSum);

// Returns h(d).
double wkSupportSum_Height(const wkSupportSum* supportSum, wkVec3d d);
