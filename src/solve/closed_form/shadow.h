// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The shadow of a body of revolution about z: its projection along a segment, onto the plane across it. A rim
// becomes an ellipse, the segment's line a point.

#include "geom/project.h"
#include "solve/closed_form/capsule_pair.h"
#include "solve/closed_form/ellipse.h"

// Smaller slopes count as zero and must not be divided by.
#define WK_SHADOW_LEAST_SLOPE 1e-30

// The plane has the axes `across`, which is horizontal, and (-axis.z ahead, sine), which points up; `ahead`
// is the horizontal direction of the segment. Both may be reversed by a sign.
typedef struct wkShadow {
    wkVec3d across;
    wkVec3d ahead;
    double sine; // of the angle between the segment and z
    double signX, signY;
    wkEllipse rim;
    double x, y; // of the segment's line; x is not negative
} wkShadow;

WK_FN wkShadow wkMakeShadow(const wkSegment* s, double rimRadius)
{
    wkRadial ahead = wkRadialOf(s->axis);
    wkShadow f;
    f.sine = ahead.radius;
    f.across = wkVec(ahead.y, -ahead.x, 0.0);
    f.ahead = wkVec(ahead.x, ahead.y, 0.0);
    f.rim.x = rimRadius;
    f.rim.y = rimRadius * wkMaxD(fabs(s->axis.z), WK_ELLIPSE_FLAT);
    f.rim.excess = rimRadius * rimRadius * (f.sine * f.sine);
    double x = wkDot(f.across, s->center);
    f.signX = x < 0.0 ? -1.0 : 1.0;
    f.signY = 1.0;
    f.x = fabs(x);
    f.y = f.sine * s->center.z - s->axis.z * wkDot(f.ahead, s->center);
    return f;
}

// Maps a direction in the plane back to the frame of the body.
WK_FN wkVec3d wkLiftShadow(const wkShadow* f, const wkSegment* s, wkPlaneVec n)
{
    double x = f->signX * n.x, y = f->signY * n.y;
    wkVec3d lifted = wkMulSub(wkScale(x, f->across), y * s->axis.z, f->ahead);
    lifted.z = y * f->sine;
    return lifted;
}

// Returns where the segment's line is closest to a point.
WK_FN double wkSegmentBeside(const wkSegment* s, wkVec3d point)
{
    return wkClamp(wkDot(s->axis, wkSub(point, s->center)), -s->half, s->half);
}

// Part of a line.
typedef struct wkShadowInterval {
    double low;
    double high;
} wkShadowInterval;

// Between two horizontal planes.
WK_FN wkShadowInterval wkIntervalBetween(const wkSegment* s, double bottom, double top)
{
    double slope = copysign(wkMaxD(fabs(s->axis.z), WK_SHADOW_LEAST_SLOPE), s->axis.z);
    double middle = (0.5 * (bottom + top) - s->center.z) / slope;
    double half = 0.5 * (top - bottom) / fabs(slope);
    wkShadowInterval interval = {middle - half, middle + half};
    return interval;
}

// In an infinite cylinder about z.
WK_FN wkShadowInterval wkIntervalWithin(const wkSegment* s, const wkShadow* f, double radius)
{
    double slope = wkMaxD(f->sine, WK_SHADOW_LEAST_SLOPE);
    double middle = -wkDot(f->ahead, s->center) / slope;
    double half = sqrt(wkMaxD((radius - f->x) * (radius + f->x), 0.0)) / slope;
    wkShadowInterval interval = {middle - half, middle + half};
    return interval;
}

// Clamps a position on the segment's line to an interval, then to the segment.
WK_FN double wkSegmentIn(const wkSegment* s, wkShadowInterval interval, double along)
{
    return wkClamp(wkClamp(along, interval.low, interval.high), -s->half, s->half);
}
