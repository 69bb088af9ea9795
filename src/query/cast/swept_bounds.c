// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Boxes around moving shapes: those at some instants, enlarged by how far a point can be from where it is at the nearest one.

#include "query/cast/motion_row.h"
#include "query/pair/shape_class.h"
#include "whisker/cast.h"

// Instants of a motion without knots.
#define INSTANTS 16

static wkAabb everywhere(void)
{
    wkAabb all = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    return all;
}

// Returns how far a point of the shape can be from where it is in the middle of an interval without knots.
static double wayOf(const wkPreparedMotion* motion, double from, double to, double reach)
{
    wkMotionRates rates = motion->row->rates(motion, from, to);
    double way = (rates.speed + rates.angularSpeed * reach) * 0.5 * (to - from);
    double rounding = 2.0 * (motion->positionRounding + motion->angleRounding * reach);
    return way * (1.0 + WK_RATE_ROUNDING) + rounding;
}

wkAabb wkShape_SweptBounds(const wkShape* shape, const wkBodyMotion* motion)
{
    if (!wkIsValidShape(shape) || wkBodyMotion_Check(motion) != wk_ok) {
        return everywhere();
    }
    // bounds of a body that is thinner than a negative padding would be those of nothing
    wkShape body = *shape;
    body.padding = wkMaxD(body.padding, 0.0);
    wkAabb fixed = wkShape_Bounds(&body, wkIdentityPose());
    if (fixed.lower.x > fixed.upper.x) {
        return fixed; // nothing is in an empty mesh
    }
    double reach = wkLength(wkMax(wkAbs(fixed.lower), wkAbs(fixed.upper)));
    wkPreparedMotion prepared;
    wkPrepareMotion(motion, &prepared);
    wkAabb box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    double t = 0.0;
    while (t < 1.0) {
        double end = wkMinD(wkMotionNextKnot(&prepared, t), t + 1.0 / INSTANTS);
        end = wkMinD(end, 1.0);
        wkAabb here = wkShape_Bounds(&body, wkMotionPoseAt(&prepared, 0.5 * (t + end)));
        double way = wayOf(&prepared, t, end, reach);
        // also for unbounded shapes, and where a function returns a pose that is not valid
        if (!(way < INFINITY) || !(wkSumAbs(here.lower) + wkSumAbs(here.upper) < INFINITY)) {
            return everywhere();
        }
        wkVec3d grown = {way, way, way};
        box.lower = wkMin(box.lower, wkSub(here.lower, grown));
        box.upper = wkMax(box.upper, wkAdd(here.upper, grown));
        t = end;
    }
    return box;
}
