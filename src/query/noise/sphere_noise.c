// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The probability that a noisy point touches a body, between two spheres. The signed distance of any position is the
// radius of a sphere that is all inside or all outside of the body. On the normal through the closest point these spheres
// meet the surface there, and the larger they are, the more they are like the half-space that a smooth surface is
// to a point near it.

#include "query/noise/point_noise.h"

// Distance of the first centre from the point, in deviations, and of the last one.
#define FIRST_STEP 2.0
#define LAST_STEP 300.0

// A sphere that has less than this share of the radius that it would have on the normal has passed the axis of the
// body, or of the gap beside it.
#define LEAST_GROWTH 0.5

// Bounds of touching from the sphere about a position on the normal, `step` deviations from the point.
static wkProbability fromSphere(const wkNoiseBody* body, const wkNoisyPoint* point, wkVec3d normal,
                                double step, double* radius)
{
    double sigma = point->deviation;
    wkVec3d center = wkMulAdd(point->position, step * sigma, normal);
    double distance = wkNoiseDistance(body, center, INFINITY).distance - point->reach;
    double slack = point->slack + 1e-9 * sigma;
    wkProbability p = {0.0, 1.0};
    *radius = (fabs(distance) - slack) / sigma;
    if (!(*radius > 0.0) || !(*radius < 1e9)) {
        return p;
    }
    wkProbability inside = wkSphereProbability(fabs(step), *radius);
    if (distance < 0.0) {
        p.lower = inside.lower;
    } else {
        p.upper = wkMinD(1.0, 1.0 - inside.lower + WK_TAIL_ERROR);
    }
    return p;
}

wkProbability wkBoundSphereNoise(const wkNoiseBody* body, const wkNoisyPoint* point,
                                 const wkPointResult* closest, double factor, wkProbability known)
{
    double away = (closest->distance - point->reach) / point->deviation;
    for (int side = -1; side <= 1; side += 2) {
        if (side == 1 && body->isConvex) {
            continue; // the half-space at the closest point is better than every sphere
        }
        double step = FIRST_STEP;
        while (step <= LAST_STEP) {
            double radius, offset = side * (step + fabs(away));
            wkProbability p = fromSphere(body, point, closest->normal, offset, &radius);
            known.lower = wkMaxD(known.lower, p.lower);
            known.upper = wkMinD(known.upper, p.upper);
            if (radius < LEAST_GROWTH * fabs(offset + away)) {
                break;
            }
            step *= factor;
        }
    }
    return known;
}
