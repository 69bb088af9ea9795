// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Bounds of the probability that one noisy point touches a body: that the signed distance of its true position
// is at most `reach`. All in the frame of the body, in metres.

#include "math/gaussian.h"
#include "query/pair/shape_class.h"

// A body as seen by noisy points.
typedef struct wkNoiseBody {
    const wkShape* shape;
    const wkShapeClass* kind;
    bool isConvex;    // so are all sets of points within a signed distance
    double radius;    // rounding and padding, and the radius of spheres and capsules
    double coreReach; // largest coordinate of its surface
    wkAabb bounds;    // infinite where it is unbounded
} wkNoiseBody;

typedef struct wkNoisyPoint {
    wkVec3d position;
    double deviation;
    double reach; // radius and margin
    double slack; // by which rounding can change a signed distance
} wkNoisyPoint;

wkNoiseBody wkMakeNoiseBody(const wkShape* shape);

// Signed distance and normal of a point, exact up to `cutoff`.
wkPointResult wkNoiseDistance(const wkNoiseBody* body, wkVec3d position, double cutoff);

// Returns an upper bound of the probability that a point whose distance exceeds its reach by this number of
// deviations touches a body.
double wkNoiseTail(const wkNoiseBody* body, double deviations);

// Bounds the probability from one distance, or in closed form. Points that are further than `cutoff` deviations
// from touching get the bound of that distance.
wkProbability wkBoundPointNoise(const wkNoiseBody* body, const wkNoisyPoint* point, double cutoff);

// Narrows the bounds with up to `count` further distances.
wkProbability wkRefinePointNoise(const wkNoiseBody* body, const wkNoisyPoint* point,
                                 wkProbability known, int32_t count);

// Narrows the bounds of a point near a hierarchy of triangles; those of others stay.
// @param closest signed distance and normal of the point
wkProbability wkBoundSlabNoise(const wkNoiseBody* body, const wkNoisyPoint* point,
                               const wkPointResult* closest, wkProbability known);

// Narrows the bounds by spheres inside and outside of a body, each larger than the one before by a factor.
wkProbability wkBoundSphereNoise(const wkNoiseBody* body, const wkNoisyPoint* point,
                                 const wkPointResult* closest, double factor, wkProbability known);

// Returns an upper bound for a convex body with an edge near the point, where `across` is a unit vector across the edge and
// the normal.
double wkWedgeNoise(const wkNoiseBody* body, const wkNoisyPoint* point, wkVec3d across);
