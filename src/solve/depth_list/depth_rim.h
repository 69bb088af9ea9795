// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Finds where a rim is shallowest against a straight edge. Projected along the edge, the rim of a disc is an
// ellipse with half axes `radius` across the disc's axis and `cosine` * radius along it, `cosine` and `sine`
// belonging to the angle between edge and axis. With x and y along these half axes and the edge at p from the
// middle of the ellipse, the depth along the unit normal (t, 1) / sqrt(1 + t t) is
//
//     f(t) = (radius sqrt(t t + cosine cosine) - t p.x - p.y) / sqrt(1 + t t),
//
// whose slope has the sign of
//
//     g(t) = radius sine sine t / sqrt(t t + cosine cosine) + p.y t - p.x.
//
// g(0) = -p.x, and g is concave for t > 0 (convex for t < 0, the mirror image). So f has at most one minimum
// on the whole half circle of normals: it lies on the side of p.x, where g rises through zero. Newton's
// method on a rising concave function approaches the zero from the left without ever passing it; from the
// right, the first step leads to the left.

#include "math/vec.h"

// Limit of Newton steps. Each doubles the digits of a good start; four are typical.
#define WK_RIM_STEPS 40

// After a step smaller than this share of the scale on which g bends no further step matters.
#define WK_RIM_LAST_STEP 1e-8

typedef struct wkRimView {
    double radius;
    double cosine; // not negative
    double sine;
    double px, py;
} wkRimView;

// Finds the minimum of f between the slopes `low` and `high`, which may be infinite; `start` is a guess
// between them.
// @return false when there is none inside
WK_FN bool wkRimNormal(wkRimView view, double low, double high, double start, double* slope)
{
    // mirrored so that the minimum has t > 0
    bool isMirrored = view.px < 0.0;
    double px = fabs(view.px);
    double first = wkMaxD(isMirrored ? -high : low, 0.0);
    double last = isMirrored ? -low : high;
    double t = wkMaxD(isMirrored ? -start : start, first);
    t = t < last ? t : first;
    double bend = view.cosine * view.cosine, lift = view.radius * view.sine * view.sine;
    for (int step = 0; step < WK_RIM_STEPS; ++step) {
        double square = t * t + bend;
        double length = sqrt(square);
        double g = lift * t / length + view.py * t - px;
        double rise = lift * bend / (square * length) + view.py;
        if (!(rise > 0.0)) {
            // g falls from here on: a rising zero, if any, lies on the left
            if (step > 0 || t <= first) {
                return false;
            }
            t = first;
            continue;
        }
        double next = t - g / rise;
        if ((g > 0.0 && t <= first) || !(next <= last)) {
            return false;
        }
        next = wkMaxD(next, first);
        bool isLast = fabs(next - t) <= WK_RIM_LAST_STEP * length;
        t = next;
        if (isLast) {
            *slope = isMirrored ? -t : t;
            return true;
        }
    }
    return false;
}
