// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Ray casts for shapes without a closed form, and helpers that closed forms share.

#include "geom/convex.h"

WK_FN wkRayHit wkRayMiss(void)
{
    wkRayHit miss = {false, 0.0, {0.0, 0.0, 0.0}};
    return miss;
}

// The part of a line that lies in a convex set; empty when enter > exit.
typedef struct wkRayInterval {
    double enter, exit;
} wkRayInterval;

// Returns where |origin + t direction| <= half. Along a face, rounding favours the hit.
WK_FN wkRayInterval wkSlabInterval(double origin, double direction, double half)
{
    wkRayInterval interval = {-INFINITY, INFINITY};
    if (direction != 0.0) {
        interval.enter = (-copysign(half, direction) - origin) / direction;
        interval.exit = (copysign(half, direction) - origin) / direction;
    } else if (fabs(origin) > half + 4e-16 * (half + fabs(origin))) {
        interval.enter = INFINITY;
    }
    return interval;
}

// Returns where the line through (x, y) along (directionX, directionY) is within `radius` of the origin. The
// closest approach is computed first: its distance keeps its digits when the line starts far away.
WK_FN wkRayInterval wkDiscInterval(double x, double y, double directionX, double directionY,
                                   double radius)
{
    wkRayInterval interval = {-INFINITY, INFINITY};
    double square = directionX * directionX + directionY * directionY;
    if (square > 1e-280) {
        double speed = sqrt(square);
        double nearest = fabs(x * directionY - y * directionX) / speed;
        double halfChord = sqrt(wkMaxD((radius - nearest) * (radius + nearest), 0.0)) / speed;
        double middle = -(x * directionX + y * directionY) / square;
        interval.enter = nearest <= radius ? middle - halfChord : INFINITY;
        interval.exit = middle + halfChord;
    } else if (x * x + y * y > radius * radius) {
        interval.enter = INFINITY;
    }
    return interval;
}

// Returns the outward normal, in x and y, where such a line enters the disc. Computed from the line rather
// than from the rounded point: it faces the line even when the disc is nearly a point.
WK_FN wkVec3d wkDiscNormal(double x, double y, double directionX, double directionY, double radius)
{
    wkVec3d along = wkNormalizeOr(wkVec(directionX, directionY, 0.0), wkVec(-1.0, 0.0, 0.0));
    double aside = x * along.y - y * along.x;
    double share = radius > 0.0 ? wkClamp(aside / radius, -1.0, 1.0) : 0.0;
    double facing = sqrt((1.0 - share) * (1.0 + share));
    return wkVec(share * along.y - facing * along.x, -share * along.x - facing * along.y, 0.0);
}

// Returns true when the intersection of two intervals holds a point at or after the start of the ray. A line
// through an edge must not pass between two faces, so rounding favours the hit.
WK_FN bool wkIsHitInterval(wkRayInterval interval, double scale)
{
    return interval.exit >= 0.0 && interval.enter < INFINITY &&
           interval.enter <= interval.exit + 4e-16 * (scale + fabs(interval.enter));
}

// Returns the first point where the signed distance to the core falls to `radius`. The distance is convex
// along the ray, so Newton's method never passes that point; the origin is outside.
wkRayHit wkCastByProjection(const wkShape* shape, double radius, wkVec3d origin, wkVec3d direction,
                            double maxDistance);
