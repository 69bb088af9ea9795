// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A capsule and a cone. Contacts away from the ends of the segment depend on the shadow (projection) of the
// cone along the segment: the ellipse of the base, the point of the apex, and tangents from one to the other.
// Inside, the ways out are the base, the side, and across the segment past the rim. No other part of cone +
// segment is smooth, and the largest sphere inside a body touches it at smooth points only.

#include "solve/closed_form/shadow.h"

// Steps of the search for a common point; more are taken for cores that nearly touch.
#define WK_CONE_MAX_STEPS 6

// A cone with the normal of its side, (out, up) in the plane through the axis, and its shadow: y is measured
// from the middle of the base.
typedef struct cone {
    const wkShape* shape;
    const wkSegment* s;
    double radius;
    double half;
    double out;
    double up;
    wkShadow f;
    double apexY;
} cone;

static cone makeCone(const wkShape* shape, const wkSegment* s)
{
    cone c = {.shape = shape, .s = s};
    c.radius = shape->cone.radius, c.half = shape->cone.halfLength;
    double slant = sqrt(4.0 * c.half * c.half + c.radius * c.radius);
    c.out = 2.0 * c.half / slant;
    c.up = c.radius / slant;
    c.f = wkMakeShadow(s, c.radius);
    c.f.y += c.half * c.f.sine;
    c.apexY = 2.0 * c.half * c.f.sine;
    return c;
}

// Returns the distance that a unit normal proves.
static double provenBy(const cone* c, wkVec3d n)
{
    double across = sqrt(n.x * n.x + n.y * n.y);
    double reach = wkMaxD(c->half * n.z, c->radius * across - c->half * n.z);
    return wkDot(n, c->s->center) - reach - c->s->half * fabs(wkDot(n, c->s->axis));
}

// Computes the normal of the tangent through the apex; returns false when the apex lies in the ellipse.
static bool hasTangent(const cone* c, wkPlaneVec* n)
{
    if (!(c->up < c->f.sine)) {
        return false;
    }
    n->y = c->up / c->f.sine;
    n->x = sqrt((1.0 - n->y) * (1.0 + n->y));
    return true;
}

// Returns where the projection of the segment's line lies on the tangent: 0 at the apex, 1 at the rim.
static double alongTangent(const cone* c, wkPlaneVec n)
{
    double perOut = c->radius / c->out, flat = c->f.rim.y / wkMaxD(c->radius, 1e-300);
    double rimX = perOut * n.x, rimY = perOut * flat * flat * n.y;
    double length = rimX * n.y - (rimY - c->apexY) * n.x;
    return (c->f.x * n.y - (c->f.y - c->apexY) * n.x) / wkMaxD(length, 1e-300);
}

static void touchRim(const cone* c, wkPlaneVec n, wkSegmentGap* out)
{
    out->normal = wkLiftShadow(&c->f, c->s, n);
    wkRadial toRim = wkRadialOf(out->normal);
    out->point = wkVec(c->radius * toRim.x, c->radius * toRim.y, -c->half);
    out->along = wkSegmentBeside(c->s, out->point);
    double reach = wkMaxD(wkEllipseReach(&c->f.rim, n), n.y * c->apexY);
    out->distance = n.x * c->f.x + n.y * c->f.y - reach;
}

// Contact with the line of the side that is a tangent in the shadow, at `share` of it from the apex.
static void touchLine(const cone* c, wkPlaneVec n, double share, wkSegmentGap* out)
{
    out->normal = wkLiftShadow(&c->f, c->s, n);
    wkRadial toRim = wkRadialOf(out->normal);
    double inside = wkClamp(share, 0.0, 1.0), across = inside * c->radius;
    out->point = wkVec(across * toRim.x, across * toRim.y, c->half * (1.0 - 2.0 * inside));
    out->along = wkSegmentBeside(c->s, out->point);
    out->distance = n.x * c->f.x + n.y * (c->f.y - c->apexY);
}

// Finds where the segment's line is closest to the cone when it passes beside it; else a distance <= 0.
static void touchBeside(const cone* c, wkSegmentGap* out)
{
    const wkShadow* f = &c->f;
    wkPlaneVec n;
    if (hasTangent(c, &n)) {
        double share = alongTangent(c, n);
        if (share < 0.0) {
            n = wkPlaneUnit(f->x, f->y - c->apexY);
            touchLine(c, n, 0.0, out);
            return;
        }
        if (share <= 1.0 && n.x * f->x + n.y * (f->y - c->apexY) > 0.0) {
            touchLine(c, n, share, out);
            return;
        }
    }
    n = wkEllipseNormal(&f->rim, f->x, fabs(f->y));
    n.y = f->y < 0.0 ? -n.y : n.y;
    touchRim(c, n, out);
}

// Finds a point of the segment in the cone, if there is one. The signed distance along the segment is convex:
// the tangents at two of its points are below it and cross near its minimum.
static bool findCommonPoint(const cone* c, double rounding, wkSegmentGap* out)
{
    const wkSegment* s = c->s;
    wkProjection low = wkProjectCone(c->shape, wkSegmentPoint(s, -s->half));
    wkProjection high = wkProjectCone(c->shape, wkSegmentPoint(s, s->half));
    double from = -s->half, to = s->half;
    for (int i = 0; i < WK_CONE_MAX_STEPS; ++i) {
        double down = -wkDot(low.normal, s->axis), rise = wkDot(high.normal, s->axis);
        double step = (low.distance - high.distance + rise * (to - from)) / (down + rise);
        double along = wkClamp(from + step, from, to);
        if (!(low.distance - down * step <= rounding)) {
            return false;
        }
        wkVec3d point = wkSegmentPoint(s, along);
        wkProjection p = wkProjectCone(c->shape, point);
        if (p.distance <= rounding) {
            wkSegmentGap common = {0.0, along, point, p.normal};
            *out = common;
            return true;
        }
        bool isDown = wkDot(p.normal, s->axis) < 0.0;
        low = isDown ? p : low, high = isDown ? high : p;
        from = isDown ? along : from, to = isDown ? to : along;
    }
    return false;
}

static void keepLonger(wkSegmentGap gap, double margin, wkSegmentGap* best)
{
    if (gap.distance > best->distance + margin) {
        *best = gap;
    }
}

// The way out through the base, at the end of the segment or at its last point above the base.
static void leaveByBase(const cone* c, double spare, wkSegmentGap* out)
{
    out->normal = wkVec(0.0, 0.0, -1.0);
    out->distance = provenBy(c, out->normal);
    wkShadowInterval above = wkIntervalWithin(c->s, &c->f, c->radius + spare);
    out->along = wkSegmentIn(c->s, above, wkSegmentBack(c->s, out->normal));
    out->point = wkSegmentPoint(c->s, out->along);
    out->point.z = -c->half;
}

// The way out through the side past one end.
static wkSegmentGap leaveBySide(const cone* c, double end, double spare)
{
    wkRadial outward = wkRadialOf(wkSegmentPoint(c->s, end));
    wkSegmentGap gap;
    gap.normal = wkVec(c->out * outward.x, c->out * outward.y, c->up);
    gap.distance = provenBy(c, gap.normal);

    // a segment along the side may reach beyond it
    double lift = gap.distance * c->up;
    wkShadowInterval level =
        wkIntervalBetween(c->s, lift - c->half - spare, lift + c->half + spare);
    gap.along = wkSegmentIn(c->s, level, end);
    gap.point = wkMulSub(wkSegmentPoint(c->s, gap.along), gap.distance, gap.normal);
    return gap;
}

// Finds the shortest way out. Base and side are preferred to a rim that wins by rounding only. On the circle
// of the side's normals a way out is shortest where it is for one end, or where both ends are equally deep.
static void answerDepth(const cone* c, double rounding, wkSegmentGap* out)
{
    leaveByBase(c, rounding, out);
    keepLonger(leaveBySide(c, -c->s->half, rounding), 0.0, out);
    keepLonger(leaveBySide(c, c->s->half, rounding), 0.0, out);
    wkPlaneVec n;
    wkSegmentGap gap;
    if (hasTangent(c, &n)) {
        touchLine(c, n, alongTangent(c, n), &gap);
        keepLonger(gap, rounding, out);
    }
    double sign = c->f.y < 0.0 ? -1.0 : 1.0, y = fabs(c->f.y);
    n = wkEllipseNormal(&c->f.rim, c->f.x, y);
    n.y = sign * n.y;
    touchRim(c, n, &gap);
    keepLonger(gap, rounding, out);
    if (wkEllipseOtherNormal(&c->f.rim, c->f.x, y, &n)) {
        n.y = -sign * n.y;
        touchRim(c, n, &gap);
        keepLonger(gap, rounding, out);
    }
}

static bool solveCone(const wkShape* shape, const wkSegment* s, const wkSegmentGoal* goal,
                      wkSegmentGap* out)
{
    if (wkIsAnsweredByEnds(wkProjectCone, shape, s, goal, out)) {
        return true;
    }
    cone c = makeCone(shape, s);
    if (!(c.radius + c.half > WK_ELLIPSOID_FLAT_RADIUS)) {
        return false;
    }
    double rounding = WK_ROUNDING * goal->scale;
    if (!goal->wantsDepth && findCommonPoint(&c, 0.25 * rounding, out)) {
        return true;
    }
    touchBeside(&c, out);
    double off = 0.0;
    if (out->distance <= 0.0) {
        if (!goal->wantsDepth) {
            return false;
        }
        answerDepth(&c, rounding, out);
        off = wkProjectCone(shape, out->point).distance;
    }
    return fabs(off) <= WK_SEGMENT_OFF * goal->scale && wkIsValidGap(s, goal, out);
}

// The spheres lie about the origin, halfway up the axis.
static wkSegmentSpheres spheresOfCone(const wkShape* shape)
{
    double radius = shape->cone.radius, half = shape->cone.halfLength;
    double slant = sqrt(4.0 * half * half + radius * radius);
    wkSegmentSpheres spheres = {sqrt(radius * radius + half * half),
                                slant > 0.0 ? half * (radius / slant) : 0.0};
    return spheres;
}

WK_FORCE_FN void answerCapsuleCone(const wkQuestion* q, wkDistanceResult* out)
{
    const wkSegmentRule rule = {wkIsValidCone, spheresOfCone, solveCone, wkGjkSegmentCone};
    wkAnswerSegment(rule, q, out);
}

// wkClosestCapsuleCone, wkTouchCapsuleCone
WK_DEFINE_CLOSEST(CapsuleCone)
// wkGapCapsuleCone
WK_DEFINE_GAP(CapsuleCone)
