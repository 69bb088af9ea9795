// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Spheres along a segment that protrude by p have the radius R + p. The first and last centers are p away
// from the ends, where they just contain the round ends; neighbours meet on the lateral surface.

#include "fit/fit_segment.h"

#define HALVINGS 60

// Added to p for rounding, as a share of all lengths: as much as for other spheres, see prove.c.
#define ROUNDING 1e-8

bool wkFitSegment_Find(const wkFitBody* body, wkFitSegment* segment)
{
    const wkShape* shape = body->shape;
    double half = 0.0, radius = shape->rounding + shape->padding;
    if (shape->type == wk_shapeSphere) {
        radius += shape->sphere.radius;
    } else if (shape->type == wk_shapeCapsule) {
        radius += shape->capsule.radius;
        half = shape->capsule.halfLength;
    } else {
        return false;
    }
    segment->radius = radius;
    segment->ends[0] = wkTransformPoint(body->pose, wkVec(0.0, 0.0, -half));
    segment->ends[1] = wkTransformPoint(body->pose, wkVec(0.0, 0.0, half));
    return radius >= 0.0;
}

static double lengthOf(const wkFitSegment* segment)
{
    return wkLength(wkSub(segment->ends[1], segment->ends[0]));
}

// Returns the length of a segment that `count` spheres cover.
static double coveredLength(double radius, double protrusion, int32_t count)
{
    double half = sqrt(protrusion * (2.0 * radius + protrusion));
    return 2.0 * protrusion + 2.0 * (count - 1) * half;
}

double wkFitSegment_Protrusion(const wkFitSegment* segment, int32_t count)
{
    double length = lengthOf(segment);
    double lower = 0.0, upper = 0.5 * length;
    for (int i = 0; i < HALVINGS && count > 1; ++i) {
        double middle = 0.5 * (lower + upper);
        if (coveredLength(segment->radius, middle, count) >= length) {
            upper = middle;
        } else {
            lower = middle;
        }
    }
    return upper;
}

int32_t wkFitSegment_CountAt(const wkFitSegment* segment, double protrusion, int32_t most)
{
    int32_t lower = 0, upper = most + 1;
    double length = lengthOf(segment);
    while (upper - lower > 1) {
        int32_t middle = lower + (upper - lower) / 2;
        bool isEnough = coveredLength(segment->radius, wkPositive(protrusion), middle) >= length;
        upper = isEnough ? middle : upper;
        lower = isEnough ? lower : middle;
    }
    return upper;
}

int32_t wkFitSegment_Cover(const wkFitSegment* segment, int32_t count, double* protrusion,
                           wkSphere3d* spheres)
{
    double length = lengthOf(segment);
    count = length > 0.0 ? count : 1;
    double p = wkFitSegment_Protrusion(segment, count);
    double reach = wkMaxAbs(segment->ends[0]) + length + segment->radius;
    double slack = length > 0.0 ? ROUNDING * reach : 0.0;
    for (int32_t i = 0; i < count; ++i) {
        double along = count > 1 ? p + (length - 2.0 * p) * i / (count - 1) : 0.5 * length;
        double share = length > 0.0 ? along / length : 0.0;
        spheres[i].center = wkLerp(segment->ends[0], segment->ends[1], share);
        spheres[i].radius = segment->radius + p + slack;
    }
    *protrusion = p + slack;
    return count;
}
