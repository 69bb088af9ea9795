// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// An ellipsoid against a core with surface points, or against another ellipsoid. The unknown is the direction
// x between the closest points. With E the matrix of the squared radii, an ellipsoid's support along x is
// h(x) = E x / sqrt(x.E x), and its derivative J = (E - h h^T) / sqrt(x.E x) has x in its kernel. The vector
// w between the two points for x must be along x. To first order w changes by -K y when x becomes y, with K x
// = 0, hence w - K y = y (w.x / x.x) at the solution: one linear system, (x.x K + w.x) y = w up to the length
// of y, which does not matter.

#include "solve/newton/newton_proof.h"
#include "solve/newton/surface_point.h"

typedef struct wkEllipsoidRule {
    wkSurfacePointFcn* surfacePointA;
    wkProofRule proof;
} wkEllipsoidRule;

// Steps before GJK is used instead; three or four are typical.
#define WK_ELLIPSOID_PASSES 8

// From this step on a step that leads away ends the search: the cores overlap, or x oscillates.
#define WK_ELLIPSOID_PATIENCE 2

// Squared sine of the angle between w and x at which a proof is attempted, and at which x may be the normal.
#define WK_ELLIPSOID_PROOF 1e-10
#define WK_ELLIPSOID_SAME 1e-13

static const wkMat3d wkAxes = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};

// An ellipsoid thinner than this share of its length has lost too many digits in E.
#define WK_ELLIPSOID_THIN 1e-5

WK_FN bool wkIsThin(wkVec3d radii)
{
    double thinnest = wkMinD(wkMinD(radii.x, radii.y), radii.z);
    return !(thinnest > WK_ELLIPSOID_THIN * wkMaxAbs(radii));
}

// Returns E, with the axes as columns. Proofs compute supports from the radii, which lose no digits.
WK_FN wkMat3d wkMatOfSquares(const wkMat3d* axes, wkVec3d radii)
{
    wkVec3d x = wkScale(radii.x, axes->x), y = wkScale(radii.y, axes->y);
    wkVec3d z = wkScale(radii.z, axes->z);
    wkMat3d m = {
        wkMulAdd(wkMulAdd(wkScale(x.x, x), y.x, y), z.x, z),
        wkMulAdd(wkMulAdd(wkScale(x.y, x), y.y, y), z.y, z),
        wkMulAdd(wkMulAdd(wkScale(x.z, x), y.z, y), z.z, z),
    };
    return m;
}

// Returns a lower bound of the depth of a point in the ellipsoid's own frame: the ellipsoid through it is
// smaller by a share. Not positive outside, nor where a radius is zero.
WK_FN double wkEllipsoidDepth(wkVec3d radii, wkVec3d point)
{
    double share = wkLength(wkVec(point.x / radii.x, point.y / radii.y, point.z / radii.z));
    return share < 1.0 ? (1.0 - share) * wkMinD(wkMinD(radii.x, radii.y), radii.z) : 0.0;
}

// An ellipsoid's support along x, and x.x / sqrt(x.E x).
typedef struct wkEllipsoidSupport {
    wkVec3d h;
    double scale;
} wkEllipsoidSupport;

WK_FORCE_FN wkEllipsoidSupport wkMakeEllipsoidSupport(const wkMat3d* squares, wkVec3d x, double xx)
{
    wkVec3d ex = wkMulMV(squares, x);
    double scale = 1.0 / sqrt(wkDot(x, ex));
    wkEllipsoidSupport support = {wkScale(scale, ex), scale * xx};
    return support;
}

// Returns x.x times the derivative of a support. While x is not near yet, the matrix that maps x to the
// support is used instead, which is more robust.
WK_FORCE_FN wkMat3d wkEllipsoidSlope(const wkMat3d* squares, const wkEllipsoidSupport* support,
                                     bool isNear)
{
    wkVec3d h = support->h, bent = wkScale(isNear ? 1.0 : 0.0, h);
    wkMat3d slope = {wkScale(support->scale, wkMulSub(squares->x, bent.x, h)),
                     wkScale(support->scale, wkMulSub(squares->y, bent.y, h)),
                     wkScale(support->scale, wkMulSub(squares->z, bent.z, h))};
    return slope;
}

// Solves (m + shift) y = w by Cramer's rule.
WK_FORCE_FN wkVec3d wkSolveShifted(wkMat3d m, double shift, wkVec3d w)
{
    m.x.x += shift, m.y.y += shift, m.z.z += shift;
    wkVec3d yz = wkCross(m.y, m.z), zx = wkCross(m.z, m.x), xy = wkCross(m.x, m.y);
    return wkScale(1.0 / wkDot(m.x, yz), wkVec(wkDot(w, yz), wkDot(w, zx), wkDot(w, xy)));
}

// Returns the part of a displacement that a surface point does not follow.
WK_FORCE_FN wkVec3d wkSurfacePointLags(const wkSurfacePoint* surfacePoint, wkVec3d way)
{
    wkVec3d rest = wkMulSub(way, surfacePoint->give[0] * wkDot(surfacePoint->along[0], way),
                            surfacePoint->along[0]);
    return wkMulSub(rest, surfacePoint->give[1] * wkDot(surfacePoint->along[1], way),
                    surfacePoint->along[1]);
}

// Returns the next x for an ellipsoid and a core with a surface point.
WK_FORCE_FN wkVec3d wkEllipsoidStep(const wkMat3d* squares, const wkEllipsoidSupport* support,
                                    const wkSurfacePoint* surfacePoint, wkVec3d w, double shift,
                                    bool isNear)
{
    wkMat3d slope = wkEllipsoidSlope(squares, support, isNear);
    wkMat3d k = {wkSurfacePointLags(surfacePoint, slope.x),
                 wkSurfacePointLags(surfacePoint, slope.y),
                 wkSurfacePointLags(surfacePoint, slope.z)};
    wkVec3d whole = wkAdd(w, wkSurfacePointLags(surfacePoint, support->h));
    return wkSolveShifted(k, shift, isNear ? w : whole);
}

// A core with surface points and an ellipsoid: b is the support along -x, a its surface point.
WK_FORCE_FN wkMeeting wkNewtonEllipsoid(wkEllipsoidRule rule, const wkPair* pair, double gap,
                                        wkSolution* out)
{
    wkVec3d center = pair->bInA.position, b = center;
    wkMat3d squares = wkMatOfSquares(&pair->bInA.rotation, pair->b->ellipsoid.radii);
    wkSurfacePoint onA = rule.surfacePointA(pair->a, b);
    wkVec3d x = wkSub(b, onA.point);
    double nearest = 0.0;
    if (wkIsThin(pair->b->ellipsoid.radii)) {
        return wk_meetingUnknown;
    }
    for (int pass = 1; pass <= WK_ELLIPSOID_PASSES && !(onA.depth > 0.0); ++pass) {
        double xx = wkDot(x, x);
        wkEllipsoidSupport support = wkMakeEllipsoidSupport(&squares, x, xx);
        b = wkSub(center, support.h);
        onA = rule.surfacePointA(pair->a, b);
        wkVec3d w = wkSub(b, onA.point);
        double ww = wkDot(w, w), wx = wkDot(w, x);
        if (ww * xx - wx * wx <= WK_ELLIPSOID_PROOF * ww * xx &&
            wkProveApart(rule.proof, pair, onA.point, b, gap, pass, out) == wk_meetingApart) {
            return wk_meetingApart;
        }
        bool isNearer = ww <= nearest && wx > 0.0;
        if (!isNearer && pass > WK_ELLIPSOID_PATIENCE && !(onA.depth > 0.0)) {
            wkVec3d inB = wkFrameLocal(&pair->bInA, onA.point);
            double depth = wkEllipsoidDepth(pair->b->ellipsoid.radii, inB);
            return wkMeetInside(pair, onA.point, depth, out);
        }
        x = wkScale(xx, wkEllipsoidStep(&squares, &support, &onA, w, wkMaxD(wx, 0.0), isNearer));
        nearest = ww;
    }
    return onA.depth > 0.0 ? wkMeetInside(pair, b, onA.depth, out) : wk_meetingUnknown;
}
