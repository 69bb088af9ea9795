// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A capsule and an ellipsoid. A line that misses the ellipsoid is closest where its projection to the plane
// across it is closest to the ellipsoid's shadow, an ellipse; when that lies beyond an end, the end is
// closest. A segment inside leaves past an end or across itself: minima of the way out over all directions
// are minima of a point's distance, from an end to the ellipsoid or in the shadow, and each of these has at
// most two (see ellipse.h).

#include "geom/project.h"
#include "solve/closed_form/capsule_pair.h"
#include "solve/closed_form/ellipse.h"

// Radii are enlarged to at least this share of the longest: about rounding, and conservative.
#define WK_FLATTEST_ELLIPSOID 1e-14

// Computes the distance that a unit normal proves, and the points where it does.
static void touchAlong(wkVec3d radii, const wkSegment* s, wkVec3d normal, wkSegmentGap* out)
{
    wkVec3d scaled = wkMulVec(radii, normal);
    double reach = wkLength(scaled), slope = wkDot(normal, s->axis);
    out->normal = normal;
    out->point = wkScale(1.0 / reach, wkMulVec(radii, scaled));
    out->distance = wkDot(normal, s->center) - reach - s->half * fabs(slope);
}

// Returns the point of the segment closest to the contact point, for normals across it.
static double alongOf(const wkSegment* s, wkVec3d point)
{
    return wkDot(s->axis, wkSub(point, s->center));
}

// The ellipsoid's shadow along the segment, and the point that the segment's line projects to in its plane.
typedef struct shadow {
    wkVec3d longAxis; // of the ellipse, towards the point
    wkVec3d shortAxis;
    wkEllipse ellipse;
    double x, y; // of the point, not negative
} shadow;

static shadow makeShadow(wkVec3d radii, const wkSegment* s)
{
    // the shadow's matrix between two tangents, and its eigenvectors
    wkVec3d first, second, squares = wkMulVec(radii, radii), u = s->axis;
    wkTangents(u, &first, &second);
    double aa = wkDot(squares, wkMulVec(first, first));
    double ab = wkDot(squares, wkMulVec(first, second));
    double bb = wkDot(squares, wkMulVec(second, second));
    double half = 0.5 * (aa - bb), root = sqrt(half * half + ab * ab);
    wkPlaneVec sign = half >= 0.0 ? wkPlaneUnit(half + root, ab) : wkPlaneUnit(ab, root - half);

    // the determinant as a sum of squares keeps the digits of a short radius
    double yz = radii.y * radii.z * u.x, zx = radii.z * radii.x * u.y, xy = radii.x * radii.y * u.z;
    double largest = sqrt(0.5 * (aa + bb) + root);
    shadow f;
    f.ellipse.x = largest;
    f.ellipse.y = sqrt(yz * yz + zx * zx + xy * xy) / largest;
    f.ellipse.excess = 2.0 * root;
    f.longAxis = wkMulAdd(wkScale(sign.x, first), sign.y, second);
    f.shortAxis = wkMulSub(wkScale(sign.x, second), sign.y, first);
    double x = wkDot(f.longAxis, s->center), y = wkDot(f.shortAxis, s->center);
    f.longAxis = x < 0.0 ? wkNeg(f.longAxis) : f.longAxis;
    f.shortAxis = y < 0.0 ? wkNeg(f.shortAxis) : f.shortAxis;
    f.x = fabs(x), f.y = fabs(y);
    return f;
}

static wkVec3d liftNormal(const shadow* f, double x, double y)
{
    return wkNormalizeOr(wkMulAdd(wkScale(x, f->longAxis), y, f->shortAxis), f->shortAxis);
}

// Keeps a way out past an end when it is shorter.
static void keepEnd(wkVec3d radii, const wkSegment* s, double end, wkSegmentGap* best)
{
    wkVec3d normal;
    wkSegmentGap gap;
    if (wkEllipsoidOtherNormal(radii, wkSegmentPoint(s, end), &normal)) {
        touchAlong(radii, s, normal, &gap);
        gap.along = end;
        *best = gap.distance > best->distance ? gap : *best;
    }
}

// The same across the segment.
static void keepAcross(wkVec3d radii, const wkSegment* s, wkVec3d normal, wkSegmentGap* best)
{
    wkSegmentGap gap;
    touchAlong(radii, s, normal, &gap);
    gap.along = wkClamp(alongOf(s, gap.point), -s->half, s->half);
    *best = gap.distance > best->distance ? gap : *best;
}

// Finds the shortest way out when that of neither end is: the remaining candidates.
static void answerDepth(wkVec3d radii, const wkSegment* s, wkSegmentGap* out)
{
    shadow f = makeShadow(radii, s);
    wkPlaneVec n = wkEllipseNormal(&f.ellipse, f.x, f.y);
    out->distance = -INFINITY;
    keepAcross(radii, s, liftNormal(&f, n.x, n.y), out);
    if (wkEllipseOtherNormal(&f.ellipse, f.x, f.y, &n)) {
        keepAcross(radii, s, liftNormal(&f, n.x, -n.y), out);
    }
    keepEnd(radii, s, -s->half, out);
    keepEnd(radii, s, s->half, out);
}

// The part of the segment's line in the ellipsoid.
typedef struct chord {
    double middle;
    double half; // negative: the line misses
} chord;

static chord crossEllipsoid(wkVec3d radii, const wkSegment* s)
{
    wkVec3d inverse = wkVec(1.0 / radii.x, 1.0 / radii.y, 1.0 / radii.z);
    wkVec3d u = wkMulVec(s->axis, inverse), c = wkMulVec(s->center, inverse);
    double uu = wkDot(u, u), square = uu - wkLengthSquared(wkCross(c, u));
    chord h = {-wkDot(c, u) / uu, square >= 0.0 ? sqrt(square) / uu : -1.0};
    return h;
}

// The segment's line misses the ellipsoid. It is closest near the middle of the chord that it would have in a
// larger ellipsoid: when that lies beyond an end, the end is tried first.
static void solveBeside(const wkShape* shape, const wkSegment* s, const wkSegmentGoal* goal,
                        double middle, wkSegmentGap* out)
{
    double tried = wkClamp(middle, -s->half, s->half);
    bool isTried = fabs(middle) >= s->half;
    if (isTried && wkIsAnsweredByEnd(wkProjectEllipsoid, shape, s, goal, tried, out)) {
        return;
    }
    shadow f = makeShadow(shape->ellipsoid.radii, s);
    wkPlaneVec n = wkEllipseNormal(&f.ellipse, f.x, f.y);
    touchAlong(shape->ellipsoid.radii, s, liftNormal(&f, n.x, n.y), out);
    double along = alongOf(s, out->point);
    out->along = wkClamp(along, -s->half, s->half);
    bool isBeyond = out->along != along && !(isTried && out->along == tried);
    if (isBeyond && !(out->distance > goal->free)) {
        wkIsAnsweredByEnd(wkProjectEllipsoid, shape, s, goal, out->along, out);
    }
}

// The line crosses the ellipsoid: beside the segment, where the nearer end is closest, or within it.
static void solveCrossing(const wkShape* shape, const wkSegment* s, const wkSegmentGoal* goal,
                          chord h, wkSegmentGap* out)
{
    double low = wkMaxD(h.middle - h.half, -s->half), high = wkMinD(h.middle + h.half, s->half);
    double nearer = h.middle > 0.0 ? s->half : -s->half;
    if (low > high) {
        wkIsAnsweredByEnd(wkProjectEllipsoid, shape, s, goal, nearer, out);
        return;
    }
    if (!goal->wantsDepth) {
        out->distance = 0.0;
        out->along = 0.5 * (low + high);
        out->point = wkSegmentPoint(s, out->along);
        out->normal = wkVec(0.0, 0.0, 1.0);
        return;
    }

    // an end inside may be as deep as the whole segment
    bool isInside = fabs(nearer - h.middle) <= h.half,
         isOtherInside = fabs(nearer + h.middle) <= h.half;
    if ((isInside && wkIsAnsweredByEnd(wkProjectEllipsoid, shape, s, goal, nearer, out)) ||
        (isOtherInside && wkIsAnsweredByEnd(wkProjectEllipsoid, shape, s, goal, -nearer, out))) {
        return;
    }
    answerDepth(shape->ellipsoid.radii, s, out);
    if (out->distance > -WK_SEGMENT_OFF * goal->scale) {
        // nearly flat: the normal does not determine the position, and all positions are equally deep
        out->distance = wkMinD(out->distance, 0.0);
        out->along = 0.5 * (low + high);
        out->point = wkSegmentPoint(s, out->along);
    }
}

static bool solveRound(const wkShape* shape, const wkSegment* s, const wkSegmentGoal* goal,
                       wkSegmentGap* out)
{
    chord h = crossEllipsoid(shape->ellipsoid.radii, s);
    if (h.half >= 0.0) {
        solveCrossing(shape, s, goal, h, out);
    } else {
        solveBeside(shape, s, goal, h.middle, out);
    }
    return out->distance > goal->free || wkIsValidGap(s, goal, out);
}

static bool solveEllipsoid(const wkShape* shape, const wkSegment* s, const wkSegmentGoal* goal,
                           wkSegmentGap* out)
{
    wkVec3d radii = shape->ellipsoid.radii;
    double shortest = wkMinD(wkMinD(radii.x, radii.y), radii.z);
    double longest = wkMaxD(wkMaxD(radii.x, radii.y), radii.z);
    double least = WK_FLATTEST_ELLIPSOID * longest;
    if (WK_LIKELY(shortest > least)) {
        return solveRound(shape, s, goal, out);
    }
    wkShape thicker = *shape;
    thicker.ellipsoid.radii = wkMax(radii, wkVec(least, least, least));
    return least > WK_ELLIPSOID_FLAT_RADIUS && solveRound(&thicker, s, goal, out);
}

static wkSegmentSpheres spheresOfEllipsoid(const wkShape* shape)
{
    wkVec3d radii = shape->ellipsoid.radii;
    wkSegmentSpheres spheres = {wkMaxAbs(radii), wkMinD(wkMinD(radii.x, radii.y), radii.z)};
    return spheres;
}

WK_FORCE_FN void answerCapsuleEllipsoid(const wkQuestion* q, wkDistanceResult* out)
{
    const wkSegmentRule rule = {wkIsValidEllipsoid, spheresOfEllipsoid, solveEllipsoid,
                                wkGjkSegmentEllipsoid};
    wkAnswerSegment(rule, q, out);
}

// wkClosestCapsuleEllipsoid, wkTouchCapsuleEllipsoid
WK_DEFINE_CLOSEST(CapsuleEllipsoid)
// wkGapCapsuleEllipsoid
WK_DEFINE_GAP(CapsuleEllipsoid)
