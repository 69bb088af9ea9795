// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A capsule and a box. Apart, the squared distance along the segment is convex and piecewise quadratic, with
// breaks where the segment crosses the planes of the faces. Overlapping, six axes determine the depth: faces
// of box + segment are those of the box, or are spanned by an edge and the segment.

#include "solve/closed_form/capsule_pair.h"

// Distances below this share of the scale have lost too many digits to define a direction.
#define WK_SHORT_GAP 1e-3

// Smaller components of the axis count as zero and must not be divided by.
#define WK_LEAST_SLOPE 1e-30

// Where the segment's line enters and leaves the slab of each axis.
typedef struct slabs {
    wkVec3d enter;
    wkVec3d leave;
} slabs;

static slabs crossSlabs(wkVec3d half, const wkSegment* s)
{
    wkVec3d c = s->center, u = s->axis;
    double inverseX = 1.0 / copysign(wkMaxD(fabs(u.x), WK_LEAST_SLOPE), u.x);
    double inverseY = 1.0 / copysign(wkMaxD(fabs(u.y), WK_LEAST_SLOPE), u.y);
    double inverseZ = 1.0 / copysign(wkMaxD(fabs(u.z), WK_LEAST_SLOPE), u.z);
    double x = -c.x * inverseX, y = -c.y * inverseY, z = -c.z * inverseZ;
    wkVec3d reach =
        wkVec(half.x * fabs(inverseX), half.y * fabs(inverseY), half.z * fabs(inverseZ));
    slabs result = {wkVec(x - reach.x, y - reach.y, z - reach.z),
                    wkVec(x + reach.x, y + reach.y, z + reach.z)};
    return result;
}

// Returns how far a point lies beyond the box: zero along the axes where it is inside.
WK_FN wkVec3d beyondBox(wkVec3d half, wkVec3d point)
{
    return wkSub(point, wkMax(wkMin(point, half), wkNeg(half)));
}

// A part of the segment without breaks that contains the minimum.
typedef struct range {
    double low;
    double high;
} range;

// The slope of half the squared distance increases along the segment: its sign at a break determines on which
// side the minimum lies.
WK_FN void narrow(wkVec3d half, const wkSegment* s, double along, range* r)
{
    double slope = wkDot(s->axis, beyondBox(half, wkSegmentPoint(s, along)));
    r->low = slope < 0.0 && along > r->low ? along : r->low;
    r->high = slope >= 0.0 && along < r->high ? along : r->high;
}

// Returns where the segment is closest to the box; the middle of the part where it is equally close.
static double closestAlong(wkVec3d half, const wkSegment* s, const slabs* slab)
{
    range r = {-s->half, s->half};
    narrow(half, s, slab->enter.x, &r);
    narrow(half, s, slab->enter.y, &r);
    narrow(half, s, slab->enter.z, &r);
    narrow(half, s, slab->leave.x, &r);
    narrow(half, s, slab->leave.y, &r);
    narrow(half, s, slab->leave.z, &r);
    r.low = wkMinD(r.low, s->half);
    r.high = wkMaxD(r.high, -s->half);

    // between breaks the same faces count: the slope is linear, determined at the middle
    double middle = 0.5 * (r.low + r.high);
    wkVec3d gap = beyondBox(half, wkSegmentPoint(s, middle));
    wkVec3d u = wkVec(gap.x != 0.0 ? s->axis.x : 0.0, gap.y != 0.0 ? s->axis.y : 0.0,
                      gap.z != 0.0 ? s->axis.z : 0.0);
    double bend = wkDot(u, u);
    double along = bend > 0.0 ? middle - wkDot(u, gap) / bend : middle;
    return wkClamp(along, r.low, r.high);
}

// Returns the distance that a normal proves: no point of the segment is nearer to the box.
static double provenBy(wkVec3d half, const wkSegment* s, wkVec3d normal)
{
    return wkDot(normal, s->center) - wkDot(wkAbs(normal), half) -
           s->half * fabs(wkDot(normal, s->axis));
}

// Returns the direction of a short gap inside the segment, unaffected by rounding: across the segment, and
// across the edge when there is one.
static wkVec3d directionAcross(wkVec3d gap, wkVec3d axis)
{
    wkVec3d edge =
        wkVec(gap.x == 0.0 ? 1.0 : 0.0, gap.y == 0.0 ? 1.0 : 0.0, gap.z == 0.0 ? 1.0 : 0.0);
    bool isEdge = edge.x + edge.y + edge.z == 1.0;
    wkVec3d across = isEdge ? wkCross(edge, axis) : wkMulSub(gap, wkDot(gap, axis), axis);
    return wkDot(across, gap) < 0.0 ? wkNeg(across) : across;
}

// Computes normal and distance of a short gap: those of the gap, or of the features that it joins when these
// prove more.
static void alignGap(wkVec3d half, const wkSegment* s, wkVec3d gap, wkSegmentGap* out)
{
    wkVec3d along = wkNormalizeOr(gap, wkVec(0.0, 0.0, 1.0));
    wkVec3d across = wkNormalizeOr(directionAcross(gap, s->axis), along);
    bool isAcross =
        fabs(out->along) < s->half && provenBy(half, s, across) > provenBy(half, s, along);
    out->normal = isAcross ? across : along;
    out->distance = wkDot(out->normal, gap);
}

static void answerApart(wkVec3d half, const wkSegment* s, double along, double scale,
                        wkSegmentGap* out)
{
    wkVec3d point = wkSegmentPoint(s, along);
    wkVec3d gap = beyondBox(half, point);
    out->along = along;
    out->point = wkMax(wkMin(point, half), wkNeg(half));
    out->distance = wkLength(gap);
    if (WK_LIKELY(out->distance > WK_SHORT_GAP * scale)) {
        out->normal = wkScale(1.0 / out->distance, gap);
    } else {
        alignGap(half, s, gap, out);
    }
}

// Returns where the segment is deepest below a face: at its end, or where it runs along the face, at the last
// point above it. `spare` keeps rounding from pushing the segment off the face.
static double deepestAlong(wkVec3d half, const wkSegment* s, wkVec3d face, double spare)
{
    double end = wkSegmentBack(s, face);
    wkVec3d open =
        wkVec(face.x != 0.0 ? INFINITY : half.x + spare, face.y != 0.0 ? INFINITY : half.y + spare,
              face.z != 0.0 ? INFINITY : half.z + spare);
    wkVec3d far = wkAbs(wkSegmentPoint(s, end));
    if (WK_LIKELY(far.x <= open.x && far.y <= open.y && far.z <= open.z)) {
        return end;
    }
    slabs slab = crossSlabs(open, s);
    double low = wkMaxD(wkMaxD(slab.enter.x, slab.enter.y), slab.enter.z);
    double high = wkMinD(wkMinD(slab.leave.x, slab.leave.y), slab.leave.z);
    return wkClamp(wkClamp(end, low, high), -s->half, s->half);
}

static void leaveByFace(wkVec3d half, const wkSegment* s, wkVec3d face, double depth, double spare,
                        wkSegmentGap* out)
{
    out->along = deepestAlong(half, s, face, spare);
    wkVec3d point = wkMax(wkMin(wkSegmentPoint(s, out->along), half), wkNeg(half));
    out->distance = -depth;
    out->normal = face;
    out->point = wkVec(face.x != 0.0 ? copysign(half.x, face.x) : point.x,
                       face.y != 0.0 ? copysign(half.y, face.y) : point.y,
                       face.z != 0.0 ? copysign(half.z, face.z) : point.z);
}

// Computes the way out past an edge along `edge`, perpendicular to it and to the segment.
static void leaveByEdge(wkVec3d half, const wkSegment* s, wkVec3d edge, wkSegmentGap* out)
{
    wkVec3d across = wkCross(edge, s->axis), c = s->center;
    wkVec3d normal = wkNormalizeOr(across, wkPerpendicular(edge));
    normal = wkDot(normal, c) < 0.0 ? wkNeg(normal) : normal;
    wkVec3d vertex =
        wkVec(copysign(half.x, normal.x), copysign(half.y, normal.y), copysign(half.z, normal.z));
    wkVec3d inPlane = wkMulSub(s->axis, wkDot(s->axis, edge), edge);
    wkVec3d toVertex = wkSub(vertex, c);
    double along = wkDot(inPlane, toVertex) / wkMaxD(wkDot(inPlane, inPlane), 1e-300);
    out->distance = wkDot(normal, c) - wkDot(wkAbs(normal), half);
    out->along = wkClamp(along, -s->half, s->half);
    out->normal = normal;
    wkVec3d beside = wkMax(wkMin(wkSegmentPoint(s, out->along), half), wkNeg(half));
    out->point = wkVec(edge.x != 0.0 ? beside.x : vertex.x, edge.y != 0.0 ? beside.y : vertex.y,
                       edge.z != 0.0 ? beside.z : vertex.z);
}

// Computes the depth of the segment by the nearest of the planes that bound box + segment. Edges must win by
// more than rounding: an edge along the segment has the normal of a face, and its points are not determined.
static void answerDepth(wkVec3d half, const wkSegment* s, double rounding, wkSegmentGap* out)
{
    static const wkVec3d axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    wkVec3d c = s->center, u = s->axis, a = wkAbs(u), far = wkAbs(c);
    wkVec3d depth = wkSub(wkMulAdd(half, s->half, a), far);
    int best = depth.y < depth.x ? 1 : 0;
    double least = wkMinD(depth.x, depth.y);
    best = depth.z < least ? 2 : best;
    least = wkMinD(depth.z, least);

    // twice the area of the shadow's sides against the axis, not yet divided by their lengths
    wkVec3d cross = wkAbs(wkCross(c, u));
    wkVec3d edges =
        wkVec(half.y * a.z + half.z * a.y - cross.x, half.z * a.x + half.x * a.z - cross.y,
              half.x * a.y + half.y * a.x - cross.z);
    wkVec3d length = wkVec(sqrt(a.y * a.y + a.z * a.z), sqrt(a.z * a.z + a.x * a.x),
                           sqrt(a.x * a.x + a.y * a.y));
    double depthOfFace = least;
    bool isEdge = false;
    least -= rounding;
    if (edges.x < least * length.x) {
        best = 0, least = edges.x / length.x, isEdge = true;
    }
    if (edges.y < least * length.y) {
        best = 1, least = edges.y / length.y, isEdge = true;
    }
    if (edges.z < least * length.z) {
        best = 2, isEdge = true;
    }
    if (isEdge) {
        leaveByEdge(half, s, axes[best], out);
    } else {
        wkVec3d face =
            wkVec(best == 0 ? copysign(1.0, c.x) : 0.0, best == 1 ? copysign(1.0, c.y) : 0.0,
                  best == 2 ? copysign(1.0, c.z) : 0.0);
        leaveByFace(half, s, face, depthOfFace, rounding, out);
    }
}

// Returns true when a point lies in the box by more than rounding.
WK_FORCE_FN bool isClearOf(wkVec3d half, wkVec3d point, const wkSegmentGoal* goal)
{
    wkVec3d inside = wkSub(half, wkAbs(point));
    return wkMinD(wkMinD(inside.x, inside.y), inside.z) > WK_VERDICT_BAND * goal->scale;
}

// Next to touching the signed distance decides, even when no sign is requested: `out` is unchanged unless the
// cores are apart.
static bool settleBySign(const wkShape* box, const wkSegment* s, const wkSegmentGoal* goal,
                         wkSegmentGap* out);

static bool solveBox(const wkShape* box, const wkSegment* s, const wkSegmentGoal* goal,
                     wkSegmentGap* out)
{
    wkVec3d half = box->box.half;
    wkVec3d apart = wkSub(wkAbs(s->center), wkMulAdd(half, s->half, wkAbs(s->axis)));
    double beyond = wkMaxD(wkMaxD(apart.x, apart.y), apart.z);
    out->distance = beyond;
    if (beyond > goal->free) {
        return true;
    }
    slabs slab = crossSlabs(half, s);
    double low = wkMaxD(wkMaxD(slab.enter.x, slab.enter.y), wkMaxD(slab.enter.z, -s->half));
    double high = wkMinD(wkMinD(slab.leave.x, slab.leave.y), wkMinD(slab.leave.z, s->half));
    if (low <= high && !goal->wantsDepth) {
        wkSegmentGap common = {0.0, 0.5 * (low + high), {0.0, 0.0, 0.0}, {0.0, 0.0, 1.0}};
        common.point = wkSegmentPoint(s, common.along);
        *out = common;
        return WK_LIKELY(isClearOf(half, common.point, goal)) || settleBySign(box, s, goal, out);
    }
    bool isApart = false;
    if (low > high) {
        answerApart(half, s, closestAlong(half, s, &slab), goal->scale, out);
        isApart = out->distance > WK_ROUNDING * goal->scale;
    }
    if (!isApart && goal->wantsDepth) {
        answerDepth(half, s, WK_ROUNDING * goal->scale, out);
    }
    return isApart || goal->wantsDepth || settleBySign(box, s, goal, out);
}

// The same with a depth.
WK_RARE_FN bool settleBySign(const wkShape* box, const wkSegment* s, const wkSegmentGoal* goal,
                             wkSegmentGap* out)
{
    wkSegmentGoal inFull = *goal;
    inFull.wantsDepth = true;
    wkSegmentGap full;
    solveBox(box, s, &inFull, &full);
    if (full.distance > 0.0) {
        *out = full;
    }
    return true;
}

static wkSegmentSpheres spheresOfBox(const wkShape* box)
{
    wkVec3d half = box->box.half;
    wkSegmentSpheres spheres = {wkLength(half), wkMinD(wkMinD(half.x, half.y), half.z)};
    return spheres;
}

WK_FORCE_FN void answerCapsuleBox(const wkQuestion* q, wkDistanceResult* out)
{
    const wkSegmentRule rule = {wkIsValidBox, spheresOfBox, solveBox, wkGjkSegmentBox};
    wkAnswerSegment(rule, q, out);
}

// wkClosestCapsuleBox, wkTouchCapsuleBox
WK_DEFINE_CLOSEST(CapsuleBox)
// wkGapCapsuleBox
WK_DEFINE_GAP(CapsuleBox)
