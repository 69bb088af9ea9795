// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Pieces of an edge of a hull and a curve that projects to an ellipse along the edge: the rim of a disc, or
// an ellipsoid. Their normals are the arc between the normals of the edge's two faces.

#include "solve/depth_list/depth_rim.h"

// The plane across an edge, and the ellipse in it.
typedef struct wkArcView {
    wkVec3d from;        // an end of the edge, relative to the middle of the body
    wkVec3d x, y;        // unit, along the half axes
    double radius;       // the longer half axis, along x
    double cosine, sine; // the shorter one is cosine * radius; sine belongs to the same angle
    double rise;         // the middle of the ellipse, along y
} wkArcView;

typedef struct wkArcPiece {
    wkVec3d normal;
    double depth;
} wkArcPiece;

// Returns true when the chord of an arc is nearer than `best`: no point of the arc is nearer than its chord
// or one of its ends. With p and q these ends, and m and n the normals there, the products give both the
// distance of the chord and its length, up to the sine of the angle between m and n.
WK_FORCE_FN bool wkIsChordNear(double pm, double pn, double qm, double qn, double cosine,
                               double best)
{
    double reach = pm * qn - pn * qm, m = pm - qm, n = pn - qn;
    double squared = m * m + n * n - 2.0 * cosine * m * n;
    return !(reach > 0.0 && reach * reach >= best * best * squared);
}

// Finds the lowest normal between two slopes x / y, on the half plane where `sign` * y is positive.
WK_FN bool wkHalfArcPiece(const wkArcView* v, double sign, double low, double high, wkArcPiece* out)
{
    wkVec3d y = wkScale(sign, v->y);
    wkRimView view = {v->radius, v->cosine, v->sine, -wkDot(v->from, v->x),
                      -(wkDot(v->from, y) + sign * v->rise)};
    double start = low == -INFINITY   ? high - 1.0
                   : high == INFINITY ? low + 1.0
                                      : 0.5 * (low + high);
    double t;
    if (!wkRimNormal(view, low, high, start, &t)) {
        return false;
    }
    double scale = 1.0 / sqrt(1.0 + t * t);
    double reach = v->radius * sqrt(t * t + v->cosine * v->cosine);
    out->normal = wkMulAdd(wkScale(scale * t, v->x), scale, y);
    out->depth = scale * (reach - t * view.px - view.py);
    return true;
}

// Returns the slope x / y of a normal on the half plane where y is positive.
WK_FN double wkArcSlope(double x, double y)
{
    return y > 0.0 ? x / y : copysign(INFINITY, x);
}

// Finds the lowest normals between two: none, one, or one on either side of x.
WK_FN int wkFindArcPieces(const wkArcView* v, wkVec3d first, wkVec3d second, wkArcPiece out[2])
{
    double x0 = wkDot(first, v->x), y0 = wkDot(first, v->y);
    double x1 = wkDot(second, v->x), y1 = wkDot(second, v->y);
    if (y0 * y1 < 0.0) {
        // through the normal along x or against it, whichever lies between
        double side = copysign(INFINITY, x0 * fabs(y1) + x1 * fabs(y0));
        double t0 = wkArcSlope(x0, fabs(y0)), t1 = wkArcSlope(x1, fabs(y1));
        int count = wkHalfArcPiece(v, copysign(1.0, y0), wkMinD(t0, side), wkMaxD(t0, side), out);
        return count + wkHalfArcPiece(v, copysign(1.0, y1), wkMinD(t1, side), wkMaxD(t1, side),
                                      out + count);
    }
    double sign = y0 + y1 < 0.0 ? -1.0 : 1.0;
    double t0 = wkArcSlope(x0, sign * y0), t1 = wkArcSlope(x1, sign * y1);
    return wkHalfArcPiece(v, sign, wkMinD(t0, t1), wkMaxD(t0, t1), out);
}
