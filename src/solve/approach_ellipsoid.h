// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// An ellipsoid against a core with feet, or against another ellipsoid. The unknown is the direction x
// between the closest points. With E the matrix of the squared radii, an ellipsoid's support along x
// is h(x) = E x / sqrt(x.E x), and its derivative J = (E - h h^T) / sqrt(x.E x) has x in its kernel.
// The way w between two points that belong to x must come out along x. To first order w changes by -K
// y when x becomes y, with K x = 0, hence w - K y = y (w.x / x.x) at the solution: one linear system,
// (x.x K + w.x) y = w up to the length of y, which does not matter.

#include "solve/approach_proof.h"
#include "solve/foot.h"

typedef struct wkEllipsoidRule {
    wkFootFcn* footA;
    wkProofRule proof;
} wkEllipsoidRule;

// Steps before GJK is asked instead; three or four are usual.
#define WK_ELLIPSOID_PASSES 8

// Squared sine of the angle between w and x at which a proof is worth it, and at which x may be the
// normal.
#define WK_ELLIPSOID_PROOF 1e-11
#define WK_ELLIPSOID_SAME 1e-13

// Columns of a matrix that need not turn anything.
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

// An ellipsoid's support along a direction, and its derivative times the direction's square.
typedef struct wkEllipsoidJet {
    wkVec3d h;
    wkMat3d j;
} wkEllipsoidJet;

WK_FORCE_FN wkEllipsoidJet wkMakeEllipsoidJet(const wkMat3d* squares, wkVec3d x, double xx)
{
    wkVec3d ex = wkMulMV(squares, x);
    double scale = 1.0 / sqrt(wkDot(x, ex));
    wkEllipsoidJet jet;
    jet.h = wkScale(scale, ex);
    double f = xx * scale;
    jet.j.x = wkScale(f, wkMulSub(squares->x, jet.h.x, jet.h));
    jet.j.y = wkScale(f, wkMulSub(squares->y, jet.h.y, jet.h));
    jet.j.z = wkScale(f, wkMulSub(squares->z, jet.h.z, jet.h));
    return jet;
}

// Solves (m + shift) y = w by Cramer's rule; returns the determinant.
WK_FORCE_FN double wkSolveShifted(wkMat3d m, double shift, wkVec3d w, wkVec3d* y)
{
    m.x.x += shift, m.y.y += shift, m.z.z += shift;
    wkVec3d yz = wkCross(m.y, m.z);
    double determinant = wkDot(m.x, yz);
    wkVec3d products =
        wkVec(wkDot(w, yz), wkDot(w, wkCross(m.z, m.x)), wkDot(w, wkCross(m.x, m.y)));
    *y = wkScale(1.0 / determinant, products);
    return determinant;
}

// A core with feet and an ellipsoid: b is the support along -x, a its foot.
WK_FORCE_FN wkMeeting wkApproachEllipsoid(wkEllipsoidRule rule, const wkPair* pair, double gap,
                                          wkSolution* out)
{
    wkVec3d center = pair->bInA.position, b = center;
    wkMat3d squares = wkMatOfSquares(&pair->bInA.rotation, pair->b->ellipsoid.radii);
    wkFoot onA = rule.footA(pair->a, b);
    wkVec3d x = wkSub(b, onA.point);
    double nearest = INFINITY;
    for (int pass = 1; pass <= WK_ELLIPSOID_PASSES && !(onA.depth > 0.0); ++pass) {
        double xx = wkDot(x, x);
        wkEllipsoidJet jet = wkMakeEllipsoidJet(&squares, x, xx);
        b = wkSub(center, jet.h);
        onA = rule.footA(pair->a, b);
        wkVec3d w = wkSub(b, onA.point);
        double ww = wkDot(w, w), wx = wkDot(w, x);
        if (ww * xx - wx * wx <= WK_ELLIPSOID_PROOF * ww * xx &&
            wkProveApart(rule.proof, pair, onA.point, b, gap, out)) {
            out->iterations = pass;
            return wk_meetingApart;
        }

        // b moves by -J y, and the foot goes along by its share
        wkVec3d along0 = wkScale(onA.give[0], onA.along[0]);
        wkVec3d along1 = wkScale(onA.give[1], onA.along[1]);
        wkVec3d j0 = wkMulMV(&jet.j, onA.along[0]), j1 = wkMulMV(&jet.j, onA.along[1]);
        wkMat3d k = {
            wkMulSub(wkMulSub(jet.j.x, j0.x, along0), j1.x, along1),
            wkMulSub(wkMulSub(jet.j.y, j0.y, along0), j1.y, along1),
            wkMulSub(wkMulSub(jet.j.z, j0.z, along0), j1.z, along1),
        };
        wkVec3d y;
        double determinant = wkSolveShifted(k, wx, w, &y);
        bool isStep = wx > 0.0 && determinant > 0.0 && ww <= nearest;
        x = isStep ? wkScale(wx, y) : w;
        nearest = ww;
    }
    return onA.depth > 0.0 ? wkMeetInside(pair, b, onA.depth, out) : wk_meetingUnknown;
}
