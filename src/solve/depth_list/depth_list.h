// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Penetration depth in closed form, for pairs of cores whose ways out can be listed.
//
// The depth is the radius of the largest sphere about the origin inside B - A. Where that sphere meets the
// surface, the surface has a tangent plane. So only smooth pieces of the surface of B - A compete, and each
// piece is formed by two features of the cores: a face and a vertex, two edges, an edge and a rim, ... The
// normal of a flat piece is known from its features; along a piece that is curved one way, the depth is a
// function of one angle. Every direction gives an upper bound of the depth, so a needless candidate costs
// only time.

#include "solve/pair.h"

#include "whisker/detail/counts.h"

// Computes the depth of two cores that overlap, with its normal and points; `iterations` is not set.
// @return false when the cores only touch, or the points do not match the normal: the general solver
//         decides then
typedef bool wkDepthFcn(const wkPair* pair, wkSolution* solution);

wkDepthFcn wkDepthSegmentHull;
wkDepthFcn wkDepthBoxCylinder;
wkDepthFcn wkDepthBoxCone;
wkDepthFcn wkDepthBoxEllipsoid;
wkDepthFcn wkDepthBoxTriangle;
wkDepthFcn wkDepthBoxHull;
wkDepthFcn wkDepthRound;
wkDepthFcn wkDepthCylinderEllipsoid;
wkDepthFcn wkDepthCylinderHull;
wkDepthFcn wkDepthConeHull;
wkDepthFcn wkDepthEllipsoidHull;
wkDepthFcn wkDepthHullHull;

// For cores that are sums of edges, discs, cones and ellipsoids; see global_depth.c.
wkDepthFcn wkGlobalDepth;

// Improves a depth of curved cores that is only a bound: finds the shortest way out near it, or at least
// points that match each other.
void wkImproveUnproven(const wkPair* pair, wkSolution* solution);

// By wkShapeType, typeA <= typeB; NULL where only the general solver exists.
extern wkDepthFcn* const wkDepthTable[WK_CONVEX_TYPE_COUNT][WK_CONVEX_TYPE_COUNT];

WK_FN bool wkDepthByFeatures(const wkPair* pair, wkSolution* solution)
{
    wkDepthFcn* depth = wkDepthTable[pair->a->type][pair->b->type];
    return depth != NULL && depth(pair, solution);
}
