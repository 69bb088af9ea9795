// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Ellipses in the plane: local minima of the distance from a point to the curve. There are at most two,
// inside as outside: the closest point, on the point's side of the long axis, and possibly one more on the
// other side (Martinez 1994 on trust regions).

#include "geom/project_ellipsoid.h"

// Short radii below this share of the long one have no effect, but must not be divided by.
#define WK_ELLIPSE_FLAT 1e-18

// Newton steps to the second minimum; 12 was the largest number observed.
#define WK_ELLIPSE_MAX_STEPS 30

typedef struct wkPlaneVec {
    double x, y;
} wkPlaneVec;

// Radii along x and y, the first at least as long.
typedef struct wkEllipse {
    double x, y;
    double excess; // x^2 - y^2
} wkEllipse;

// Returns the unit vector; +x for a vector of zero length.
WK_FN wkPlaneVec wkPlaneUnit(double x, double y)
{
    double square = x * x + y * y, scale = 1.0 / sqrt(square);
    wkPlaneVec v = {1.0, 0.0};
    if (WK_LIKELY(square > 1e-280)) {
        v.x = scale * x, v.y = scale * y;
    }
    return v;
}

// Returns how far the ellipse reaches along a direction.
WK_FN double wkEllipseReach(const wkEllipse* e, wkPlaneVec n)
{
    double x = e->x * n.x, y = e->y * n.y;
    return sqrt(x * x + y * y);
}

// Solves (ax / (s + excess))^2 + (by / s)^2 = 1 for s > 0, by > 0: wkEllipsoidRoot with two terms.
WK_FN double wkEllipseRoot(double ax, double by, double excess)
{
    double s = wkMaxD(wkMaxD(ax - excess, by), sqrt(ax * ax + by * by) - excess);
    for (int i = 0; i < WK_ELLIPSE_MAX_STEPS; ++i) {
        double far = s + excess, inverse = 1.0 / (s * far);
        double wx = s * inverse, wy = far * inverse, qx = ax * wx, qy = by * wy;
        double xx = qx * qx, yy = qy * qy, sum = xx + yy;
        double slope = xx * wx + yy * wy, bend = xx * wx * wx + yy * wy * wy;
        double beyond = sqrt(sum) - 1.0;
        double rest = slope * slope - 1.5 * beyond * (sum * bend - slope * slope);
        double step = beyond * sum * slope / wkMaxD(rest, 0.25 * slope * slope);
        s = wkMaxD(s + step, by);
        if (!(fabs(step) > 1e-5 * s)) {
            break;
        }
    }
    return s;
}

// Returns the unit normal at the closest point to (x, y), all coordinates >= 0; see project_ellipsoid.h.
WK_FN wkPlaneVec wkEllipseNormal(const wkEllipse* e, double x, double y)
{
    double ax = e->x * x, by = e->y * y;
    if (e->x <= WK_ELLIPSOID_FLAT_RADIUS) {
        return wkPlaneUnit(x, y);
    }
    if (y <= WK_ELLIPSE_FLAT * e->y) {
        // on the long axis: its end, or both sides where it bends less
        double share = ax < e->excess ? ax / e->excess : 1.0;
        return share < 1.0 ? wkPlaneUnit(share * e->y, e->x * sqrt(1.0 - share * share))
                           : wkPlaneUnit(1.0, 0.0);
    }
    double s = wkEllipseRoot(ax, by, e->excess);
    return wkPlaneUnit(x * s, y * (s + e->excess));
}

// The same for the other minimum, across the long axis: the normal has the opposite sign of y. Minima solve
// |q| = 1, q = (ax / (excess - s), by / s), and 1 / |q| is concave: Newton's method from the left converges
// to the first root, which is the minimum, or finds that there is none.
// @return false when there is none
WK_FN bool wkEllipseOtherNormal(const wkEllipse* e, double x, double y, wkPlaneVec* normal)
{
    double ax = e->x * x, by = e->y * y, s = by;
    if (!(ax + by < e->excess)) {
        return false;
    }
    if (y <= WK_ELLIPSE_FLAT * e->y) {
        *normal = wkEllipseNormal(e, x, 0.0);
        return true;
    }
    for (int i = 0; i < WK_ELLIPSE_MAX_STEPS; ++i) {
        double rest = e->excess - s;
        double qx = ax / rest, qy = by / s;
        double square = qx * qx + qy * qy, slope = qy * qy / s - qx * qx / rest;
        if (!(rest > 0.0) || !(slope > 0.0)) {
            return false;
        }
        double step = (sqrt(square) - 1.0) * square / slope;
        s += step;
        if (!(step > 1e-14 * s)) {
            break;
        }
    }
    if (!(s < e->excess)) {
        return false;
    }
    *normal = wkPlaneUnit(x * s, y * (e->excess - s));
    return true;
}

// The same for the distance from a point to an ellipsoid, across the middle plane of the shortest
// axis; the first minimum is that of wkProjectEllipsoid.
// @return false when there is none
WK_FN bool wkEllipsoidOtherNormal(wkVec3d radii, wkVec3d point, wkVec3d* normal)
{
    double shortest = wkMinD(wkMinD(radii.x, radii.y), radii.z);
    bool isX = radii.x == shortest, isY = !isX && radii.y == shortest, isZ = !isX && !isY;
    wkVec3d e = wkVec(isX ? 0.0 : (radii.x - shortest) * (radii.x + shortest),
                      isY ? 0.0 : (radii.y - shortest) * (radii.y + shortest),
                      isZ ? 0.0 : (radii.z - shortest) * (radii.z + shortest));
    double limit = wkMinD(isX ? e.y : e.x, isZ ? e.y : e.z);
    wkVec3d ap = wkAbs(wkMulVec(radii, point));
    double s = isX ? ap.x : isY ? ap.y : ap.z;
    if (s <= WK_ELLIPSOID_CENTRED_RATIO * shortest * shortest) {
        // both ends of the shortest axis are equally near: take the one opposite to the projection's
        wkProjection p;
        double side = isX ? -point.x : isY ? -point.y : -point.z;
        bool isFound = limit > 0.0 && wkProjectFromMiddle(radii, point, e, side, &p);
        *normal = isFound ? p.normal : *normal;
        return isFound;
    }
    for (int i = 0; i < WK_ELLIPSE_MAX_STEPS; ++i) {
        if (!(s < limit)) {
            return false;
        }
        wkVec3d w = wkVec(1.0 / (e.x - s), 1.0 / (e.y - s), 1.0 / (e.z - s));
        wkVec3d q = wkMulVec(ap, w);
        double square = wkDot(q, q), slope = -wkDot(wkMulVec(q, q), w);
        if (!(slope > 0.0)) {
            return false;
        }
        double step = (sqrt(square) - 1.0) * square / slope;
        s += step;
        if (!(step > 1e-14 * s)) {
            break;
        }
    }
    wkVec3d n = wkVec(point.x / (e.x - s), point.y / (e.y - s), point.z / (e.z - s));
    *normal = wkNormalizeOr(n, wkVec(0.0, 0.0, 1.0));
    return s < limit;
}
