// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A capsule and a cylinder. Contacts away from the ends of the segment depend on the shadow (projection) of
// the cylinder along the segment: two equal ellipses and the strip between them. Inside, the ways out are a
// cap, the side, and across the segment past a rim. No other part of cylinder + segment is smooth, and the
// largest sphere inside a body touches it at smooth points only.

#include "solve/closed_form/shadow.h"

// Makes the shadow, oriented so that the line is above the middle; y is then measured from the middle of the
// rim.
static wkShadow makeShadow(const wkShape* shape, const wkSegment* s)
{
    wkShadow f = wkMakeShadow(s, shape->cylinder.radius);
    f.signY = f.y < 0.0 ? -1.0 : 1.0;
    f.y = fabs(f.y) - shape->cylinder.halfLength * f.sine;
    return f;
}

// Contact with the rim at a normal in the shadow; the distance is the one that this normal proves.
static void touchRim(const wkShape* shape, const wkSegment* s, const wkShadow* f, wkPlaneVec n,
                     wkSegmentGap* out)
{
    double radius = shape->cylinder.radius, half = shape->cylinder.halfLength;
    out->normal = wkLiftShadow(f, s, n);
    wkRadial toRim = wkRadialOf(out->normal);
    out->point = wkVec(radius * toRim.x, radius * toRim.y, f->signY * half);
    out->along = wkSegmentBeside(s, out->point);
    out->distance = n.x * f->x + n.y * f->y - wkEllipseReach(&f->rim, n);
}

// Contact with the straight side, where it is level with the segment's line; in the middle of the common part
// when the segment is parallel.
static void touchSide(const wkShape* shape, const wkSegment* s, const wkShadow* f,
                      wkSegmentGap* out)
{
    double radius = shape->cylinder.radius, half = shape->cylinder.halfLength;
    double level = f->signY * (f->y + half * f->sine);
    double low = wkMaxD(s->center.z - s->half, -half), high = wkMinD(s->center.z + s->half, half);
    double z = wkClamp(f->sine > 0.0 ? level / f->sine : 0.5 * (low + high), -half, half);
    out->normal = wkScale(f->signX, f->across);
    out->point = wkMulAdd(wkVec(0.0, 0.0, z), radius, out->normal);
    out->along = wkSegmentBeside(s, out->point);
    out->distance = f->x - radius;
}

// Finds a point of the segment in the cylinder, if there is one.
static bool findCommonPoint(const wkShape* shape, const wkSegment* s, const wkShadow* f,
                            wkSegmentGap* out)
{
    double radius = shape->cylinder.radius, half = shape->cylinder.halfLength;
    wkShadowInterval side = wkIntervalWithin(s, f, radius),
                     caps = wkIntervalBetween(s, -half, half);
    double low = wkMaxD(wkMaxD(side.low, caps.low), -s->half);
    double high = wkMinD(wkMinD(side.high, caps.high), s->half);
    out->distance = 0.0;
    out->along = 0.5 * (low + high);
    out->point = wkSegmentPoint(s, out->along);
    out->normal = wkVec(0.0, 0.0, 1.0);
    return low <= high && f->x <= radius;
}

// The way out through a cap, at the end of the segment or at its last point below the cap.
static void leaveByCap(const wkShape* shape, const wkSegment* s, const wkShadow* f, double spare,
                       wkSegmentGap* out)
{
    double half = shape->cylinder.halfLength, side = copysign(1.0, s->center.z);
    out->normal = wkVec(0.0, 0.0, side);
    double end = wkSegmentBack(s, out->normal);
    out->along = wkSegmentIn(s, wkIntervalWithin(s, f, shape->cylinder.radius + spare), end);
    out->point = wkSegmentPoint(s, out->along);
    out->point.z = side * half;
    out->distance = fabs(s->center.z) - half - s->half * fabs(s->axis.z);
}

// The way out through the side: from the point of the segment nearest the axis.
static void leaveBySide(const wkShape* shape, const wkSegment* s, const wkShadow* f, double spare,
                        wkSegmentGap* out)
{
    double radius = shape->cylinder.radius, half = shape->cylinder.halfLength;
    double along = -wkDot(f->ahead, s->center) / wkMaxD(f->sine, WK_SHADOW_LEAST_SLOPE);
    out->along = wkClamp(along, -s->half, s->half);
    wkRadial outward = wkRadialOf(wkSegmentPoint(s, out->along));
    bool isAcross = fabs(along) < s->half || outward.radius <= spare;
    out->normal = isAcross ? wkScale(f->signX, f->across) : wkVec(outward.x, outward.y, 0.0);
    out->distance = (isAcross ? f->x : outward.radius) - radius;

    // level with the cylinder, when the segment runs along it
    out->along = wkSegmentIn(s, wkIntervalBetween(s, -half - spare, half + spare), out->along);
    double z = wkClamp(wkSegmentPoint(s, out->along).z, -half, half);
    out->point = wkMulAdd(wkVec(0.0, 0.0, z), radius, out->normal);
}

// Finds the shortest way out. Cap and side are preferred to a rim that wins by rounding only.
static void answerDepth(const wkShape* shape, const wkSegment* s, const wkShadow* f,
                        double rounding, wkSegmentGap* out)
{
    wkSegmentGap other;
    leaveByCap(shape, s, f, rounding, out);
    leaveBySide(shape, s, f, rounding, &other);
    if (other.distance > out->distance) {
        *out = other;
    }
    wkPlaneVec n;
    bool isBeside = f->y > 0.0;
    if (isBeside) {
        n = wkEllipseNormal(&f->rim, f->x, f->y);
    } else if (!wkEllipseOtherNormal(&f->rim, f->x, -f->y, &n)) {
        return;
    }
    touchRim(shape, s, f, n, &other);
    if (other.distance > out->distance + rounding) {
        *out = other;
    }
}

static bool solveCylinder(const wkShape* shape, const wkSegment* s, const wkSegmentGoal* goal,
                          wkSegmentGap* out)
{
    if (wkIsAnsweredByEnds(wkProjectCylinder, shape, s, goal, out)) {
        return true;
    }
    wkShadow f = makeShadow(shape, s);
    if (!goal->wantsDepth && findCommonPoint(shape, s, &f, out)) {
        return true;
    }
    if (f.y > 0.0) {
        touchRim(shape, s, &f, wkEllipseNormal(&f.rim, f.x, f.y), out);
    } else {
        touchSide(shape, s, &f, out);
    }
    if (out->distance <= 0.0) {
        if (!goal->wantsDepth) {
            return false;
        }
        answerDepth(shape, s, &f, WK_ROUNDING * goal->scale, out);
    }
    return wkIsValidGap(s, goal, out);
}

static wkSegmentSpheres spheresOfCylinder(const wkShape* shape)
{
    double radius = shape->cylinder.radius, half = shape->cylinder.halfLength;
    wkSegmentSpheres spheres = {sqrt(radius * radius + half * half), wkMinD(radius, half)};
    return spheres;
}

WK_FORCE_FN void answerCapsuleCylinder(const wkQuestion* q, wkDistanceResult* out)
{
    const wkSegmentRule rule = {wkIsValidCylinder, spheresOfCylinder, solveCylinder,
                                wkGjkSegmentCylinder};
    wkAnswerSegment(rule, q, out);
}

// wkClosestCapsuleCylinder, wkTouchCapsuleCylinder
WK_DEFINE_CLOSEST(CapsuleCylinder)
// wkGapCapsuleCylinder
WK_DEFINE_GAP(CapsuleCylinder)
