// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Two moving bodies at an instant, and bounds in an interval. Along a direction n(s) that changes linearly, each
// point p(s) of a body has a gap n(s).p(s) whose second derivative is bounded by C = 2 |n'| |p'| + |p''|. So the
// gap of the bodies is nowhere lower than the line between the gaps at both ends, less C / 2 (s - s0) (s1 - s):
// the minimum over all points of such functions. As |n| <= 1, the distance is not lower than the gap. A
// distance itself changes no faster than the bodies move, which bounds it for all bodies.

#include "query/cast/cast_track.h"

#include "geom/convex.h"
#include "query/pair/shape_class.h"
#include "solve/pair.h"

// Instants are proven free up to this share of the way to the first one that is not.
#define ROOT_SHARE (1.0 - 1e-9)

// Share by which the square of a change of directions may be too large.
#define CHANGE_ROUNDING 1e-6

// Speeds of the bodies relative to each other in an interval.
typedef struct relativeRates {
    double width;
    wkMotionRates a;
    wkMotionRates b;
    double speed;        // of the origin of B relative to that of A
    double acceleration; // of the same
    double apart;        // largest distance between the two
    double slack;        // what rounding may add to a gap
} relativeRates;

static bool isConvexType(const wkShape* shape)
{
    return wkShapeClassOf(shape)->kind == wk_kindConvex;
}

static bool isFlat(const wkShape* shape)
{
    return isConvexType(shape) && !wkConvexRowOf(shape)->isBounded;
}

// Whether the space below a flat shape is outside of it, too.
static bool isTwoSided(const wkShape* shape)
{
    double below = shape->halfspace.offset - (1.0 + fabs(shape->halfspace.offset));
    wkVec3d point = wkScale(below, shape->halfspace.normal);
    return wkConvexRowOf(shape)->project(shape, point).distance > 0.0;
}

// Returns the largest distance of a core from the origin of its frame.
static double reachOf(const wkShape* shape)
{
    if (isConvexType(shape)) {
        const wkConvexRow* row = wkConvexRowOf(shape);
        wkInnerOuterSpheres sphere = row->sphere(shape);
        double reach = wkLength(sphere.center) + sphere.radius;
        return row->isBounded ? reach * (1.0 + WK_RATE_ROUNDING) : INFINITY;
    }
    wkShape core = *shape;
    core.rounding = core.padding = 0.0;
    wkAabb box = wkShape_Bounds(&core, wkIdentityPose());
    wkVec3d far = wkMax(wkAbs(box.lower), wkAbs(box.upper));
    bool isEmpty = box.lower.x > box.upper.x;
    double reach = wkLength(far) * (1.0 + WK_RATE_ROUNDING);
    return isEmpty ? 0.0 : reach;
}

// Returns the length of a shape that enters the unit of rounding.
static double sizeOf(const wkShape* shape, double reach)
{
    return isFlat(shape) ? fabs(shape->halfspace.offset) : (isfinite(reach) ? reach : 0.0);
}

// Returns the way of the origin of B from the start to the end, seen from A, where there are tracks.
static wkVec3d wayOfB(const wkCastPair* pair)
{
    const wkPreparedMotion *a = &pair->motionA, *b = &pair->motionB;
    return wkSub(wkAdd(b->along, b->chord), wkAdd(a->along, a->chord));
}

void wkPrepareCastPair(const wkShape* a, const wkBodyMotion* motionA, const wkShape* b,
                       const wkBodyMotion* motionB, const wkCastRequest* request, wkCastPair* pair)
{
    bool isSwapped = isFlat(b) && !isFlat(a);
    pair->isSwapped = isSwapped;
    pair->a = isSwapped ? b : a;
    pair->b = isSwapped ? a : b;
    wkPrepareMotion(isSwapped ? motionB : motionA, &pair->motionA);
    wkPrepareMotion(isSwapped ? motionA : motionB, &pair->motionB);
    pair->reachA = reachOf(pair->a);
    pair->reachB = reachOf(pair->b);
    double radiusA = wkShapeRadius(pair->a), radiusB = wkShapeRadius(pair->b);
    pair->radii = radiusA + radiusB;
    pair->margin = request->margin;
    pair->isConvex = isConvexType(a) && isConvexType(b);
    double overlap = wkMaxD(0.0, -pair->radii);
    pair->proofMargin = pair->isConvex ? pair->margin : wkMaxD(pair->margin, overlap);
    pair->size = sizeOf(pair->a, pair->reachA) + sizeOf(pair->b, pair->reachB) + fabs(radiusA) +
                 fabs(radiusB) + fabs(pair->margin);
    pair->isFlatA = isFlat(pair->a);
    pair->isTwoSidedA = pair->isFlatA && isTwoSided(pair->a);
    pair->isDirectional = pair->isConvex && !isFlat(pair->b);
    pair->arePolytopes =
        pair->isConvex && wkConvexRowOf(pair->a)->isPolytope && wkConvexRowOf(pair->b)->isPolytope;
    pair->cache = request->cache;

    const wkPreparedMotion *motionOfA = &pair->motionA, *motionOfB = &pair->motionB;
    pair->hasTracks =
        pair->isDirectional && !pair->isFlatA && motionOfA->isUniform && motionOfB->isUniform;
    bool areStraight = motionOfA->rates.acceleration == 0.0 && motionOfB->rates.acceleration == 0.0;
    double way = wkLength(wayOfB(pair)) * (1.0 + WK_RATE_ROUNDING);
    pair->speed = areStraight ? way : motionOfA->rates.speed + motionOfB->rates.speed;
}

// How far a motion is from its chord in the middle of the time is at most an eighth of its acceleration.
#define BULGE 0.125

// What the sum of the radii is enlarged by, for the rounding of the times at which the spheres meet.
#define MEETING_SLACK 1e-9
#define MEETING_ROUNDING 1e-13

bool wkSpheresMeet(const wkCastPair* pair, double* first, double* last)
{
    const wkPreparedMotion *a = &pair->motionA, *b = &pair->motionB;
    wkVec3d start = wkSub(b->startPosition, a->startPosition);
    wkVec3d way = wayOfB(pair);
    double bulge = BULGE * (a->rates.acceleration + b->rates.acceleration);
    double reach = pair->reachA + pair->reachB + pair->radii + pair->margin + bulge;
    double largest = wkSumAbs(a->startPosition) + wkSumAbs(b->startPosition) + pair->speed;
    reach += MEETING_SLACK * (pair->size + fabs(reach)) + MEETING_ROUNDING * largest;
    double square = wkDot(way, way), middle = -wkDot(start, way) / square;
    *first = 0.0;
    if (!(square > 0.0)) {
        return !(wkLength(start) > reach);
    }
    wkVec3d nearest = wkMulAdd(start, middle, way);
    double inside = reach * reach - wkDot(nearest, nearest);
    if (reach < 0.0 || inside < 0.0) {
        return false;
    }
    double half = sqrt(inside / square);
    if (half == half) {
        *first = wkMaxD(0.0, middle - half);
        *last = wkMinD(*last, middle + half);
    }
    return *first <= *last;
}

bool wkPlaceSample(const wkCastPair* pair, double t, wkCastSample* sample)
{
    sample->t = t;
    sample->poseA = wkMotionPoseAt(&pair->motionA, t);
    sample->poseB = wkMotionPoseAt(&pair->motionB, t);
    sample->apart = wkSub(sample->poseB.position, sample->poseA.position);
    sample->isMeasured = false;
    sample->isTouching = false;
    return wkAreValidPoses(&sample->poseA, &sample->poseB);
}

// Poses that a function returns are compared with its bounds; other motions keep theirs.
static bool isWithinSpeed(const wkPreparedMotion* motion, double time, const wkPose* from,
                          const wkPose* to)
{
    if (motion->motion->kind != wk_bodyMotionFunction) {
        return true;
    }
    double slack = 4.0 * motion->positionRounding, slackAngle = 4.0 * motion->angleRounding;
    wkRotationWay way = wkWayBetween(from->rotation, to->rotation);
    double length = wkLength(wkSub(to->position, from->position));
    return length <= motion->rates.speed * time * (1.0 + 1e-9) + slack &&
           2.0 * way.halfAngle <= motion->rates.angularSpeed * time * (1.0 + 1e-9) + slackAngle;
}

bool wkAreWithinSpeeds(const wkCastPair* pair, const wkCastSample* from, const wkCastSample* to)
{
    double time = fabs(to->t - from->t);
    return isWithinSpeed(&pair->motionA, time, &from->poseA, &to->poseA) &&
           isWithinSpeed(&pair->motionB, time, &from->poseB, &to->poseB);
}

// Returns how far a core reaches along a unit direction of the world, from the origin of its frame.
static double reachAlong(const wkShape* shape, const wkPose* pose, wkVec3d direction)
{
    wkMat3d rotation = wkMatFromQuat(wkTameQuat(pose->rotation));
    wkVec3d local = wkMulTMV(&rotation, direction);
    return wkDot(local, wkConvexRowOf(shape)->support(shape, local));
}

// Sets the gap of the cores along the normal of a sample, which faces B from a plane.
static void setAlong(const wkCastPair* pair, wkCastSample* sample)
{
    if (!pair->isDirectional) {
        sample->along = -INFINITY;
        return;
    }
    double reachA = 0.0;
    sample->side = 1.0;
    if (pair->isFlatA) {
        wkMat3d rotation = wkMatFromQuat(wkTameQuat(sample->poseA.rotation));
        wkVec3d up = wkMulMV(&rotation, pair->a->halfspace.normal);
        bool isBelow = pair->isTwoSidedA && wkDot(up, sample->normal) < 0.0;
        sample->side = isBelow ? -1.0 : 1.0;
        sample->normal = wkScale(sample->side, up);
        reachA = sample->side * pair->a->halfspace.offset;
    } else {
        reachA = reachAlong(pair->a, &sample->poseA, sample->normal);
    }
    double reachB = reachAlong(pair->b, &sample->poseB, wkNeg(sample->normal));
    sample->along = wkDot(sample->normal, sample->apart) - reachA - reachB;
}

bool wkMeasureSample(const wkCastPair* pair, wkCastSample* sample, wkCastTrack* track)
{
    wkDistanceRequest request = wkDefaultDistanceRequest();
    request.isSigned = pair->margin < 0.0;
    request.cache = pair->cache;
    sample->closest = wkDistance(pair->a, sample->poseA, pair->b, sample->poseB, &request);
    if (request.cache != NULL && !(sample->closest.distance > pair->margin)) {
        // a warm start may round otherwise than the query that has to agree
        request.cache = NULL;
        sample->closest = wkDistance(pair->a, sample->poseA, pair->b, sample->poseB, &request);
    }
    if (sample->closest.status == wk_statusInvalid) {
        return false;
    }
    sample->isMeasured = true;
    sample->isTouching = !(sample->closest.distance > pair->margin);
    sample->gap = sample->closest.distance;
    sample->normal = wkNormalizeOr(sample->closest.normal, wkVec(0.0, 0.0, 1.0));
    if (!pair->hasTracks) {
        setAlong(pair, sample);
    } else if (!sample->isTouching) {
        wkMakeTrack(pair, sample->normal, track);
        sample->along = wkTrackGap(pair, track, sample->t);
    }
    return true;
}

void wkCarryNormal(const wkCastPair* pair, const wkCastSample* from, const wkCastTrack* track,
                   wkCastSample* sample)
{
    sample->normal = from->normal;
    if (pair->hasTracks) {
        sample->along = wkTrackGap(pair, track, sample->t);
        sample->gap = sample->along - pair->radii;
        return;
    }
    if (pair->isFlatA) {
        // fixed to the plane: what faced the body keeps facing it
        wkMat3d was = wkMatFromQuat(wkTameQuat(from->poseA.rotation));
        wkMat3d is = wkMatFromQuat(wkTameQuat(sample->poseA.rotation));
        sample->normal = wkMulMV(&is, wkMulTMV(&was, from->normal));
    }
    setAlong(pair, sample);
    sample->gap = sample->along - pair->radii;
}

// A product that is zero where one factor is, also when the other is infinite.
static double times(double a, double b)
{
    return a > 0.0 && b > 0.0 ? a * b : 0.0;
}

static relativeRates ratesBetween(const wkCastPair* pair, const wkCastSample* from,
                                  const wkCastSample* to)
{
    relativeRates r;
    const wkPreparedMotion *a = &pair->motionA, *b = &pair->motionB;
    r.width = to->t - from->t;
    r.a = a->row->rates(a, from->t, to->t);
    r.b = b->row->rates(b, from->t, to->t);
    r.acceleration = r.a.acceleration + r.b.acceleration;
    double rounding = 2.0 * (a->positionRounding + b->positionRounding);

    // the mean velocity of two bodies that move together is small; others are near it
    double way = wkLength(wkSub(to->apart, from->apart)) * (1.0 + WK_RATE_ROUNDING) + rounding;
    double mean = way / r.width + 0.5 * r.acceleration * r.width;
    r.speed = wkMinD(mean, r.a.speed + r.b.speed);
    r.apart = wkMaxD(wkLength(from->apart), wkLength(to->apart)) + r.speed * r.width;

    double turned = times(a->angleRounding, wkMinD(pair->reachA, r.apart + pair->reachB)) +
                    times(b->angleRounding, wkMinD(pair->reachB, r.apart + pair->reachA));
    r.slack = 4.0 * WK_ROUNDING * (r.apart + pair->size) + rounding + 2.0 * turned;
    return r;
}

// The same where there are tracks.
static relativeRates ratesOnTrack(const wkCastPair* pair, const wkCastSample* from, double width)
{
    relativeRates r;
    const wkPreparedMotion *a = &pair->motionA, *b = &pair->motionB;
    r.width = width;
    r.a = a->rates;
    r.b = b->rates;
    r.acceleration = r.a.acceleration + r.b.acceleration;
    r.speed = pair->speed;
    r.apart = wkLength(from->apart) + r.speed * width;

    // poses are rounded in one way, tracks in another
    double rounding = 2.0 * (a->positionRounding + b->positionRounding);
    double turned = a->angleRounding * pair->reachA + b->angleRounding * pair->reachB;
    r.slack = 2.0 * (4.0 * WK_ROUNDING * (r.apart + pair->size) + rounding + 2.0 * turned);
    return r;
}

// Returns how fast the distance can change: seen from the world, from A, or from B.
static double distanceSpeed(const wkCastPair* pair, const relativeRates* r)
{
    double turnA = times(r->a.angularSpeed, pair->reachA);
    double turnB = times(r->b.angularSpeed, pair->reachB);
    double aboutA = times(r->a.angularSpeed, r->apart + pair->reachB);
    double aboutB = times(r->b.angularSpeed, r->apart + pair->reachA);
    return r->speed + wkMinD(turnA + turnB, wkMinD(aboutA + turnB, turnA + aboutB));
}

// Returns a bound of the acceleration of any point of B relative to any of A along a fixed direction: seen from
// the world, or from A where A is a plane, whose normal rotates with it.
static double gapAcceleration(const wkCastPair* pair, const relativeRates* r)
{
    double wA = r->a.angularSpeed, wB = r->b.angularSpeed;
    double turnA = r->a.angularAcceleration + wA * wA;
    double turnB = r->b.angularAcceleration + wB * wB;
    double bend = r->acceleration + times(turnB, pair->reachB);
    if (!pair->isFlatA) {
        return bend + times(turnA, pair->reachA);
    }
    double speedB = r->speed + wB * pair->reachB;
    return bend + 2.0 * times(wA, speedB) + times(turnA, r->apart + pair->reachB);
}

// Returns the share x of an interval before which c + (d - k) x + k x^2 is positive; 1 when it is so everywhere.
// `c` is the value at the start, c + d
// that at the end, and k >= 0; rounding of the sums is taken off.
static double firstRoot(double c, double d, double k)
{
    c -= WK_POSITION_ROUNDING * (fabs(d) + k);
    if (!(c > 0.0) || !(k < INFINITY)) {
        return 0.0;
    }
    double b = d - k, square = b * b - 4.0 * k * c;
    if (b >= 0.0 || square < 0.0) {
        return 1.0;
    }
    double root = 2.0 * c / (sqrt(square) - b);
    return root > 1.0 && c + d > 0.0 ? 1.0 : wkClamp(root, 0.0, 1.0) * ROOT_SHARE;
}

static wkCastBound boundOf(const wkCastSample* from, const wkCastSample* to, double share,
                           double shareBack)
{
    bool isFree = share >= 1.0 || shareBack >= 1.0;
    double width = to->t - from->t;
    wkCastBound bound = {isFree ? to->t : from->t + share * width,
                         isFree ? from->t : to->t - shareBack * width, false, INFINITY};
    return bound;
}

// Bounds by speeds alone.
static wkCastBound boundBySpeed(const wkCastPair* pair, const relativeRates* r,
                                const wkCastSample* from, const wkCastSample* to)
{
    double limit = pair->proofMargin + r->slack, way = distanceSpeed(pair, r) * r->width;
    double before = from->gap - limit, after = to->isMeasured ? to->gap - limit : -INFINITY;
    if (!(before > 0.0)) {
        return boundOf(from, to, 0.0, 0.0);
    }
    if (before > way || before + after > way * (1.0 + WK_RATE_ROUNDING)) {
        return boundOf(from, to, 1.0, 1.0);
    }
    return boundOf(from, to, before / way * ROOT_SHARE, wkPositive(after) / way * ROOT_SHARE);
}

// The better ends of two bounds.
static wkCastBound joinBounds(wkCastBound a, wkCastBound b, double end)
{
    a.free = wkMaxD(a.free, b.free);
    a.freeAgain = wkMinD(a.freeAgain, b.freeAgain);
    a.free = a.freeAgain <= a.free ? end : a.free;
    return a;
}

// Bounds by gaps along a direction, with `bend` the bound C of their second derivatives. A direction that changes linearly by
// `change`, between unit ends, is shorter than 1 in between: a share x of the way from one end, its length is at most
// 1 - change^2 / 2 x (1 - x), and radii and margin count that much less.
static wkCastBound boundByGaps(const wkCastPair* pair, const relativeRates* r, double bend,
                               double change, const wkCastSample* from, const wkCastSample* to)
{
    double limit = pair->margin + pair->radii + r->slack, shortened = 0.5 * change * change;
    double k = 0.5 * bend * (1.0 + WK_RATE_ROUNDING) * r->width * r->width;
    if (limit < 0.0) {
        limit *= sqrt(wkPositive(1.0 - 0.5 * shortened)); // the least length
    } else {
        k = wkPositive(k - limit * shortened * (1.0 - CHANGE_ROUNDING));
    }
    double c = from->along - limit, d = to->along - from->along;
    double share = firstRoot(c, d, k), back = firstRoot(c + d, -d, k);
    wkCastBound bound = boundOf(from, to, share, back);
    bound.isApproaching = c + d <= 0.0;
    bound.root = d < 0.0 ? from->t - c / d * r->width : INFINITY;
    return bound;
}

wkCastBound wkBoundAlongNormal(const wkCastPair* pair, const wkCastSample* from,
                               const wkCastSample* to)
{
    relativeRates r = ratesBetween(pair, from, to);
    wkCastBound bound = boundBySpeed(pair, &r, from, to);
    if (pair->isDirectional) {
        wkCastBound gaps = boundByGaps(pair, &r, gapAcceleration(pair, &r), 0.0, from, to);
        bound = joinBounds(gaps, bound, to->t);
    }
    return bound;
}

wkCastBound wkBoundOnTrack(const wkCastPair* pair, const wkCastSample* from,
                           const wkCastTrack* track, double until)
{
    relativeRates r = ratesOnTrack(pair, from, until - from->t);
    wkCastSample to;
    to.t = until;
    to.isMeasured = false;
    to.gap = -INFINITY;
    to.along = wkTrackGap(pair, track, until);
    wkCastBound bound = boundBySpeed(pair, &r, from, &to);
    wkCastBound gaps = boundByGaps(pair, &r, gapAcceleration(pair, &r), 0.0, from, &to);
    return joinBounds(gaps, bound, until);
}

wkCastBound wkBoundBetween(const wkCastPair* pair, const wkCastSample* from, const wkCastSample* to)
{
    relativeRates r = ratesBetween(pair, from, to);
    wkCastBound bound = boundBySpeed(pair, &r, from, to);
    if (!pair->isDirectional || (pair->isFlatA && from->side != to->side)) {
        return bound; // B has passed through a plane
    }
    double bend = gapAcceleration(pair, &r), change = 0.0;
    if (!pair->isFlatA) {
        change = wkLength(wkSub(to->normal, from->normal)) + WK_ROUNDING;
        double speed = r.speed + r.a.angularSpeed * pair->reachA + r.b.angularSpeed * pair->reachB;
        bend += 2.0 * change / r.width * speed;
    }
    return joinBounds(boundByGaps(pair, &r, bend, change, from, to), bound, to->t);
}
