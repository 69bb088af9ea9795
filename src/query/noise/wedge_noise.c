// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The probability that a noisy point touches a convex body near one of its edges. The signed distance of a convex body is
// above its tangent at every position, so that what touches is in a half-space for each of them. Two of these, on both sides
// of an edge, make a wedge, whose probability is an integral over one coordinate: bounded by a sum over slabs.

#include "query/noise/point_noise.h"

// Distance of the positions from the point, in deviations.
#define TANGENT_STEP 2.0

// Slabs of the sum, down to this coordinate. Half-spaces that are more alike are one.
#define SLABS 64
#define LOWEST (-6.5)
#define LEAST_SINE 0.05

// Positions z, in deviations from the point, with normal . z <= height.
typedef struct halfspace {
    wkVec3d normal;
    double height;
} halfspace;

// The half-space that holds what touches, by the tangent at a position.
static halfspace tangentAt(const wkNoiseBody* body, const wkNoisyPoint* point, wkVec3d from)
{
    double sigma = point->deviation;
    wkVec3d position = wkMulAdd(point->position, sigma, from);
    wkPointResult closest = wkNoiseDistance(body, position, INFINITY);
    double excess = (closest.distance - point->reach - point->slack) / sigma;
    halfspace tangent = {closest.normal, wkDot(closest.normal, from) - excess + 1e-9};
    return tangent;
}

// Upper bound of the probability of both half-spaces: over slabs of the first coordinate, with the wider end of the second.
static double inBoth(halfspace a, halfspace b)
{
    double cosine = wkDot(a.normal, b.normal), sine = sqrt(wkPositive(1.0 - cosine * cosine));
    if (sine < LEAST_SINE || !(a.height > LOWEST)) {
        return 1.0;
    }
    double width = (wkMinD(a.height, -LOWEST) - LOWEST) / SLABS, sum = wkNormalTail(-LOWEST);
    double lower = LOWEST, lowerEnd = (b.height - cosine * lower) / sine;
    for (int i = 0; i < SLABS; ++i) {
        double upper = LOWEST + (i + 1) * width, upperEnd = (b.height - cosine * upper) / sine;
        double across = wkNormalTail(-wkMaxD(lowerEnd, upperEnd));
        sum += wkSlabProbability(lower, upper).upper * across;
        lower = upper;
        lowerEnd = upperEnd;
    }
    // beyond the last slab there is only what a half-space higher than that has
    sum += a.height > -LOWEST ? wkNormalTail(-LOWEST) : 0.0;
    return (1.0 + WK_TAIL_ERROR) * sum;
}

double wkWedgeNoise(const wkNoiseBody* body, const wkNoisyPoint* point, wkVec3d across)
{
    halfspace ahead = tangentAt(body, point, wkScale(TANGENT_STEP, across));
    halfspace behind = tangentAt(body, point, wkScale(-TANGENT_STEP, across));
    return inBoth(ahead, behind);
}
