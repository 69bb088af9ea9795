// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Where the distance from a point to the surface of an ellipsoid has its minima. These are at most
// two: the closest point and perhaps one more, on the other side of the middle plane across the
// shortest axis (Martinez 1994 on trust regions). See project_ellipsoid.h for the equation; at the
// second minimum s is negative, but above that of the middle radius.

#include "geom/project_ellipsoid.h"
#include "solve/pair.h"

// Thinner ones, as a share of their size, are left to the general method.
#define WK_ELLIPSOID_THIN 1e-4

// Newton's steps to the second minimum.
#define WK_ELLIPSOID_OTHER_STEPS 30

// Scales whose fourth powers are in the range of double.
#define WK_DEPTH_SMALLEST 1e-60
#define WK_DEPTH_LARGEST 1e60

// False when squares would lose the digits of the ellipsoid B, or leave the range of double.
WK_FN bool wkIsEllipsoidSafe(const wkPair* pair)
{
    wkVec3d r = pair->b->ellipsoid.radii;
    bool isThick = wkMinD(wkMinD(r.x, r.y), r.z) > WK_ELLIPSOID_THIN * wkMaxAbs(r);
    return isThick && pair->scale > WK_DEPTH_SMALLEST && pair->scale < WK_DEPTH_LARGEST;
}

// Radius of a ball that is a summand of the ellipsoid: its smallest radius of curvature.
WK_FN double wkEllipsoidRoundness(const wkShape* shape)
{
    wkVec3d r = shape->ellipsoid.radii;
    double least = wkMinD(wkMinD(r.x, r.y), r.z);
    return least * least / wkMaxAbs(r);
}

// n in the frame of the ellipsoid B, times the radii: its length is how far that reaches.
WK_FN wkVec3d wkEllipsoidStretch(const wkPair* pair, wkVec3d n)
{
    return wkMulVec(pair->b->ellipsoid.radii, wkMulTMV(&pair->bInA.rotation, n));
}

// The solution for a known normal and depth, with the ellipsoid B.
WK_FN void wkEllipsoidDeepest(const wkPair* pair, wkVec3d normal, double depth, wkSolution* out)
{
    wkVec3d n = wkEllipsoidStretch(pair, normal);
    wkVec3d deepest = wkScale(1.0 / wkLength(n), wkMulVec(pair->b->ellipsoid.radii, n));
    out->distance = -depth;
    out->normal = normal;
    out->status = wk_statusExact;
    out->pointB = wkSub(pair->bInA.position, wkMulMV(&pair->bInA.rotation, deepest));
    out->pointA = wkMulAdd(out->pointB, depth, normal);
}

// The second minimum: |q| = 1 where q_0 = ap_0 / r and q_i = ap_i / (e_i - r) for 0 < r < e_i, with
// 0 the shortest axis. 1 / |q| is concave: Newton's method from the left ends at the first root,
// which is the minimum, or finds that there is none. `ap` >= 0.
WK_FN bool wkEllipsoidOtherRoot(double ap0, double ap1, double ap2, double e1, double e2,
                                double* root)
{
    if (!(ap0 + ap1 < e1) || !(ap0 + ap2 < e2)) {
        return false;
    }
    double r = ap0;
    for (int i = 0; i < WK_ELLIPSOID_OTHER_STEPS; ++i) {
        double rest1 = e1 - r, rest2 = e2 - r;
        double w0 = 1.0 / r, w1 = 1.0 / rest1, w2 = 1.0 / rest2;
        double q0 = ap0 * w0, q1 = ap1 * w1, q2 = ap2 * w2;
        double square = q0 * q0 + q1 * q1 + q2 * q2;
        double slope = q0 * q0 * w0 - q1 * q1 * w1 - q2 * q2 * w2;
        if (!(rest1 > 0.0) || !(rest2 > 0.0) || !(slope > 0.0)) {
            return false;
        }
        double step = (sqrt(square) - 1.0) * square / slope;
        r += step;
        if (!(step > 1e-14 * r)) {
            break;
        }
    }
    *root = r;
    return r < wkMinD(e1, e2);
}

// Unit outward normals at the minima, the closest point's first; radii are not thin.
// @return how many there are
WK_FN int wkEllipsoidMinima(const wkShape* shape, wkVec3d point, wkVec3d normals[2])
{
    wkVec3d radii = shape->ellipsoid.radii, ap = wkAbs(wkMulVec(radii, point));
    double shortest = wkMinD(wkMinD(radii.x, radii.y), radii.z);
    bool isX = radii.x == shortest, isY = !isX && radii.y == shortest, isZ = !isX && !isY;
    wkVec3d n = wkProjectEllipsoid(shape, point).normal;
    normals[0] = n;
    double ap0 = isX ? ap.x : isY ? ap.y : ap.z;
    if (ap0 <= WK_ELLIPSOID_CENTRED_RATIO * shortest * shortest) {
        // mirror images of each other, or one in the middle plane
        normals[1] = wkVec(isX ? -n.x : n.x, isY ? -n.y : n.y, isZ ? -n.z : n.z);
        return 2;
    }
    wkVec3d e = wkVec((radii.x - shortest) * (radii.x + shortest),
                      (radii.y - shortest) * (radii.y + shortest),
                      (radii.z - shortest) * (radii.z + shortest));
    double r;
    if (!wkEllipsoidOtherRoot(ap0, isX ? ap.y : ap.x, isZ ? ap.y : ap.z, isX ? e.y : e.x,
                              isZ ? e.y : e.z, &r)) {
        return 1;
    }
    wkVec3d g = wkVec(point.x / (e.x - r), point.y / (e.y - r), point.z / (e.z - r));
    normals[1] = wkScale(1.0 / wkLength(g), g);
    return 2;
}
