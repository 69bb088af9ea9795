// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Motions along uniform cubic B-splines, as FCL has them (Pan, Chitta and Manocha, ICRA 2012): one spline of
// positions and one of rotation vectors.

#include "base/error.h"
#include "geom/check.h"
#include "query/cast/motion_row.h"

// Longer rotation vectors leave too few digits for the angle.
#define MAX_ANGLE 1e6

// A piece of the spline and the parameter in it.
typedef struct piece {
    const wkSplineControl* controls; // four of them
    double u;                        // 0 to 1
    double count;                    // of all pieces: the derivative of the parameter
} piece;

static wkResult checkVector(int32_t index, const char* field, wkVec3d v, double limit)
{
    if (!isfinite(v.x) || !isfinite(v.y) || !isfinite(v.z)) {
        return wkFail(wk_errorNotFinite,
                      "spline motion: controls[%d].%s is (%g %g %g), must be finite", (int)index,
                      field, v.x, v.y, v.z);
    }
    if (!(wkMaxAbs(v) <= limit)) {
        return wkFail(wk_errorRange,
                      "spline motion: controls[%d].%s is (%g %g %g), must be within %g", (int)index,
                      field, v.x, v.y, v.z, limit);
    }
    return wk_ok;
}

wkResult wkSplineCheck(const wkBodyMotion* motion)
{
    const wkSplinePath* path = &motion->spline;
    if (path->controls == NULL) {
        return wkFail(wk_errorArgument, "spline motion: controls is NULL, expected an array");
    }
    if (path->count < 4) {
        return wkFail(wk_errorRange, "spline motion: count is %d, must be at least 4",
                      (int)path->count);
    }
    wkResult result = wk_ok;
    for (int32_t i = 0; i < path->count && result == wk_ok; ++i) {
        result = checkVector(i, "position", path->controls[i].position, WK_MAX_LENGTH);
        if (result == wk_ok) {
            result = checkVector(i, "rotation", path->controls[i].rotation, MAX_ANGLE);
        }
    }
    return result;
}

void wkSplinePrepare(wkPreparedMotion* prepared)
{
    const wkSplinePath* path = &prepared->motion->spline;
    double largest = 0.0, angle = 0.0;
    for (int32_t i = 0; i < path->count; ++i) {
        largest = wkMaxD(largest, wkSumAbs(path->controls[i].position));
        angle = wkMaxD(angle, wkSumAbs(path->controls[i].rotation));
    }
    prepared->positionRounding = WK_POSITION_ROUNDING * largest;
    prepared->angleRounding = WK_ANGLE_ROUNDING * (1.0 + angle);
}

static piece pieceAt(const wkPreparedMotion* prepared, double t, int32_t index)
{
    const wkSplinePath* path = &prepared->motion->spline;
    double count = (double)(path->count - 3);
    piece p = {path->controls + index, wkClamp(t * count - (double)index, 0.0, 1.0), count};
    return p;
}

static int32_t pieceIndex(const wkPreparedMotion* prepared, double t)
{
    int32_t count = prepared->motion->spline.count - 3;
    int32_t index = (int32_t)(t * (double)count);
    return index < count ? index : count - 1;
}

static wkVec3d controlAt(const piece* p, int index, bool isRotation)
{
    return isRotation ? p->controls[index].rotation : p->controls[index].position;
}

static wkVec3d combine(const piece* p, bool isRotation, double w0, double w1, double w2, double w3)
{
    wkVec3d sum = wkScale(w0, controlAt(p, 0, isRotation));
    sum = wkMulAdd(sum, w1, controlAt(p, 1, isRotation));
    sum = wkMulAdd(sum, w2, controlAt(p, 2, isRotation));
    return wkMulAdd(sum, w3, controlAt(p, 3, isRotation));
}

// The curve, with the weights of a uniform cubic B-spline.
static wkVec3d valueOf(const piece* p, bool isRotation)
{
    double u = p->u, v = 1.0 - u, sixth = 1.0 / 6.0;
    return combine(p, isRotation, sixth * v * v * v, sixth * (4.0 + 3.0 * u * u * (u - 2.0)),
                   sixth * (4.0 + 3.0 * v * v * (v - 2.0)), sixth * u * u * u);
}

static double speedOf(const piece* p, bool isRotation)
{
    double u = p->u, v = 1.0 - u;
    wkVec3d d0 = wkSub(controlAt(p, 1, isRotation), controlAt(p, 0, isRotation));
    wkVec3d d1 = wkSub(controlAt(p, 2, isRotation), controlAt(p, 1, isRotation));
    wkVec3d d2 = wkSub(controlAt(p, 3, isRotation), controlAt(p, 2, isRotation));
    wkVec3d sum = wkScale(0.5 * v * v, d0);
    sum = wkMulAdd(sum, 0.5 + u * v, d1);
    return p->count * wkLength(wkMulAdd(sum, 0.5 * u * u, d2));
}

static double accelerationOf(const piece* p, bool isRotation)
{
    double u = p->u, v = 1.0 - u;
    wkVec3d d0 = wkSub(controlAt(p, 1, isRotation), controlAt(p, 0, isRotation));
    wkVec3d d1 = wkSub(controlAt(p, 2, isRotation), controlAt(p, 1, isRotation));
    wkVec3d d2 = wkSub(controlAt(p, 3, isRotation), controlAt(p, 2, isRotation));
    wkVec3d sum = wkMulAdd(wkScale(v, wkSub(d1, d0)), u, wkSub(d2, d1));
    return p->count * p->count * wkLength(sum);
}

wkPose wkSplinePoseAt(const wkPreparedMotion* prepared, double t)
{
    piece p = pieceAt(prepared, t, pieceIndex(prepared, t));
    wkVec3d rotation = valueOf(&p, true);
    wkPose pose = {valueOf(&p, false), wkMakeQuat(rotation, wkLength(rotation))};
    return pose;
}

double wkSplineNextKnot(const wkPreparedMotion* prepared, double t)
{
    double count = (double)(prepared->motion->spline.count - 3);
    for (int32_t index = pieceIndex(prepared, t); (double)index < count; ++index) {
        double knot = (double)index / count;
        if (knot > t) {
            return knot;
        }
    }
    return 1.0;
}

// Bounds of one curve in an interval of its piece. The second derivative is linear, so its largest length is
// at an end; the first is within that, times the way to the nearer end, of one of its ends.
static void boundRates(const piece* p0, const piece* p1, bool isRotation, double* speed,
                       double* acceleration)
{
    double change = wkMaxD(accelerationOf(p0, isRotation), accelerationOf(p1, isRotation));
    double width = (p1->u - p0->u) / p0->count;
    double ends = 0.5 * (speedOf(p0, isRotation) + speedOf(p1, isRotation));

    // differences of nearly equal controls lose digits
    double size = wkSumAbs(controlAt(p0, 0, isRotation)) + wkSumAbs(controlAt(p0, 1, isRotation)) +
                  wkSumAbs(controlAt(p0, 2, isRotation)) + wkSumAbs(controlAt(p0, 3, isRotation));
    double slack = WK_POSITION_ROUNDING * size * p0->count;
    *acceleration = change * (1.0 + WK_RATE_ROUNDING) + slack * p0->count;
    *speed = (ends + 0.5 * change * width) * (1.0 + WK_RATE_ROUNDING) + slack;
}

// With the rotation vector w, the angular velocity is J w' where J averages the rotations exp(s w) over s from 0
// to 1, so |J| <= 1, and J changes at most by half of |w'|: |angular acceleration| <= |w''| + |w'|^2 / 2.
wkMotionRates wkSplineRates(const wkPreparedMotion* prepared, double t0, double t1)
{
    int32_t index = pieceIndex(prepared, 0.5 * (t0 + t1));
    piece p0 = pieceAt(prepared, t0, index), p1 = pieceAt(prepared, t1, index);
    wkMotionRates rates;
    boundRates(&p0, &p1, false, &rates.speed, &rates.acceleration);
    boundRates(&p0, &p1, true, &rates.angularSpeed, &rates.angularAcceleration);
    rates.angularAcceleration += 0.5 * rates.angularSpeed * rates.angularSpeed;
    return rates;
}
