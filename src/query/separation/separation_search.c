// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Along one direction the bodies are moved on until they are apart, and back by the gap that is left. A step outward is
// no longer than it must be: chords of both bodies through a common point overlap until the translation is as long as
// both, and signed distances of clouds change by no more than the translation. Where such a step is short, a stride is
// made, which may pass over a gap but does not end at a pose that is not separated: every pose is measured.

#include "query/separation/separation_search.h"

// The angle between two points of a spiral that covers the sphere evenly, and a prime.
#define GOLDEN_ANGLE 2.399963229728653
#define SPIRAL_STEP 61

// Ways are followed up to this multiple of the shortest one: others may become the shortest when they are refined.
#define FOLLOWED 1.2

// Kept directions differ by more than this cosine tells.
#define NEARLY_PARALLEL 0.97

// Angles by which a direction is turned, in radians.
#define FIRST_ANGLE 0.4
#define LAST_ANGLE 0.004

// A local move looks for gaps from this share of the length on, and is worth it below the other one.
#define LOCAL_START 0.8
#define LOCAL_GAIN 0.999

// Gaps that may be left while ways are compared, and while they are refined, as shares of the length.
#define ROUGH_GAP 0.05
#define FINE_GAP 5e-4

// Moves towards the normal of the contact, for each kept direction.
#define MAX_PROJECTIONS 12

// The steps along a chord, each as long as the point is deep, and the share of the length that ends them.
#define MAX_CHORD_STEPS 24
#define CHORD_ROUNDING 1e-3

// The slope of the gap along a direction below which steps back are as long as the gap.
#define LEAST_SLOPE 0.05

static wkPose movedPose(const wkSeparationSearch* s, wkVec3d translation)
{
    wkPose moved = s->poseB;
    moved.position = wkAdd(moved.position, translation);
    return moved;
}

wkDistanceResult wkSeparationMeasure(wkSeparationSearch* s, wkVec3d translation)
{
    wkDistanceRequest request = wkDefaultDistanceRequest();
    request.isSigned = s->hasTrueDepth;
    s->queriesLeft -= 1;
    return wkDistance(s->a, s->poseA, s->b, movedPose(s, translation), &request);
}

static bool hasAnswer(const wkDistanceResult* r)
{
    return r->status != wk_statusInvalid && r->status != wk_statusUnbounded;
}

// Length of the part of a body from one of its points along a unit direction, or less.
static double followChord(const wkSeparationSearch* s, const wkShape* body, wkPose pose,
                          wkVec3d point, wkVec3d direction)
{
    double length = 0.0;
    for (int i = 0; i < MAX_CHORD_STEPS && length < s->furthest; ++i) {
        double depth =
            -wkShape_PointDistance(body, pose, wkMulAdd(point, length, direction)) - s->tolerance;
        if (!(depth > CHORD_ROUNDING * length)) {
            break;
        }
        length += depth;
    }
    return length;
}

// The length of a step outward from a pose at which the bodies touch or are nearer than the margin.
static double stepOut(const wkSeparationSearch* s, wkVec3d direction, double length,
                      const wkDistanceResult* r)
{
    double beyond = s->margin + 0.5 * s->tolerance;
    if (s->hasTrueDepth || r->distance > 0.0) {
        return beyond - r->distance;
    }
    wkPose moved = movedPose(s, wkScale(length, direction));
    double chord = followChord(s, s->a, s->poseA, r->pointA, direction) +
                   followChord(s, s->b, moved, r->pointA, wkNeg(direction));
    double stride = s->stride * wkMinD(s->kept[0].length, s->furthest);
    return wkMaxD(stride, chord) + beyond;
}

// Moves B back from a pose at which it is apart, to where little is left of the gap.
// @param touching a shorter length at which the bodies are not apart
static void stepBack(wkSeparationSearch* s, double touching, double gap, double enough,
                     wkSeparationWay* way)
{
    bool isBold = true;
    while (gap > enough && way->length - touching > s->tolerance && s->queriesLeft > 0) {
        // the plane between the bodies, were they convex, or the distance, which never lies
        double safe = gap - 0.5 * s->tolerance, slope = wkDot(way->normal, way->direction);
        double bold = slope > LEAST_SLOPE && slope < 1.0 ? safe / slope : safe;
        double half = 0.5 * (way->length - touching);
        double step = isBold ? wkMinD(bold, 2.0 * half - 0.5 * s->tolerance) : half;
        step = wkMaxD(step, safe);
        double length = way->length - step;
        wkDistanceResult r = wkSeparationMeasure(s, wkScale(length, way->direction));
        isBold = hasAnswer(&r) && r.distance > s->margin;
        if (isBold) {
            *way = (wkSeparationWay){length, way->direction, r.normal};
            gap = r.distance - s->margin;
        } else if (step > safe) {
            touching = length;
        } else {
            break; // rounding
        }
    }
}

// Adds a way to those that are kept. Of nearly parallel ones, the shorter one is.
static bool keepWay(wkSeparationSearch* s, const wkSeparationWay* way)
{
    int to = WK_SEPARATION_KEPT - 1;
    for (int i = WK_SEPARATION_KEPT - 1; i >= 0; --i) {
        bool isSame = s->kept[i].length < INFINITY &&
                      wkDot(s->kept[i].direction, way->direction) > NEARLY_PARALLEL;
        to = isSame ? i : to;
    }
    if (!(way->length < s->kept[to].length)) {
        return false;
    }
    for (; to > 0 && way->length < s->kept[to - 1].length; --to) {
        s->kept[to] = s->kept[to - 1];
    }
    s->kept[to] = *way;
    return to == 0;
}

// Steps back from where the bodies are apart, and keeps the way.
static bool keepApart(wkSeparationSearch* s, double length, wkVec3d direction, double touching,
                      const wkDistanceResult* r)
{
    wkSeparationWay way = {length, direction, r->normal};
    double enough = wkMaxD(s->tolerance, s->roughGap * length);
    stepBack(s, touching, r->distance - s->margin, enough, &way);
    return keepWay(s, &way);
}

bool wkSeparationTry(wkSeparationSearch* s, wkVec3d direction, double from)
{
    double length = from, touching = 0.0;
    double limit = wkMinD(FOLLOWED * s->kept[0].length, s->furthest);
    while (s->queriesLeft > 0 && length < limit) {
        wkDistanceResult r = wkSeparationMeasure(s, wkScale(length, direction));
        if (!hasAnswer(&r)) {
            return false;
        }
        if (r.distance > s->margin) {
            return keepApart(s, length, direction, touching, &r);
        }
        touching = length;
        length += stepOut(s, direction, length, &r);
    }
    return false;
}

// Length of the translation along a direction that separates the convex hulls, rounded up.
static double separateHulls(const wkSeparationSearch* s, wkVec3d direction)
{
    wkVec3d front = wkShape_Support(s->a, s->poseA, direction);
    wkVec3d back = wkShape_Support(s->b, s->poseB, wkNeg(direction));
    double rounding = 1e-14 * (wkMaxAbs(front) + wkMaxAbs(back));
    return wkDot(direction, wkSub(front, back)) + s->margin + rounding + 0.5 * s->tolerance;
}

void wkSeparationTryHulls(wkSeparationSearch* s, const wkVec3d* directions, int count)
{
    double best = INFINITY;
    wkVec3d direction = wkVec(0.0, 0.0, 1.0);
    for (int i = 0; i < count; ++i) {
        double length = separateHulls(s, directions[i]);
        direction = length < best ? directions[i] : direction;
        best = wkMinD(best, length);
    }
    if (best > 0.0 && best < s->furthest && s->queriesLeft > 0) {
        wkDistanceResult r = wkSeparationMeasure(s, wkScale(best, direction));
        if (hasAnswer(&r) && r.distance > s->margin) { // always, if both have a hull
            keepApart(s, best, direction, 0.0, &r);
        }
    }
}

void wkSeparationTryAll(wkSeparationSearch* s, const wkMat3d* axes, int count, double from,
                        double enough)
{
    for (int i = 0; i < count && s->kept[0].length > enough && s->queriesLeft > 0; ++i) {
        // points of a spiral on the sphere, each far away from the one before
        int k = (int)((int64_t)i * SPIRAL_STEP % count);
        double z = 1.0 - (2.0 * k + 1.0) / count, radius = sqrt(1.0 - z * z);
        wkVec3d point = wkVec(radius * cos(GOLDEN_ANGLE * k), radius * sin(GOLDEN_ANGLE * k), z);
        wkSeparationTry(s, wkMulMV(axes, point), from * wkMinD(s->kept[0].length, s->furthest));
    }
}

// Finds a shorter way near another one.
static bool tryNear(wkSeparationSearch* s, wkVec3d direction, double from, wkSeparationWay* way)
{
    double limit = LOCAL_GAIN * way->length, length = wkMinD(from, limit), touching = 0.0;
    while (s->queriesLeft > 0 && length <= limit) {
        wkDistanceResult r = wkSeparationMeasure(s, wkScale(length, direction));
        if (!hasAnswer(&r)) {
            return false;
        }
        if (r.distance > s->margin) {
            *way = (wkSeparationWay){length, direction, r.normal};
            double enough = wkMaxD(s->tolerance, FINE_GAP * length);
            stepBack(s, touching, r.distance - s->margin, enough, way);
            return true;
        }
        touching = length;
        length += stepOut(s, direction, length, &r);
    }
    return false;
}

// Projects the end of a way onto the plane of the contact: to the point of the plane nearest to the start.
static bool project(wkSeparationSearch* s, wkSeparationWay* way)
{
    double slope = wkDot(way->normal, way->direction);
    if (!(slope > LEAST_SLOPE) || slope > 0.999999) {
        return false;
    }
    return tryNear(s, way->normal, slope * way->length, way);
}

static void turn(wkSeparationSearch* s, wkSeparationWay* way, double enough)
{
    double angle = FIRST_ANGLE;
    while (angle > LAST_ANGLE && way->length > enough && s->queriesLeft > 0) {
        wkVec3d u, v, center = way->direction;
        wkTangents(center, &u, &v);
        bool isBetter = false;
        for (int k = 0; k < 4 && !isBetter; ++k) {
            wkVec3d aside = wkScale(k % 2 == 0 ? angle : -angle, k < 2 ? u : v);
            wkVec3d direction = wkNormalizeOr(wkAdd(center, aside), center);
            isBetter = tryNear(s, direction, LOCAL_START * way->length, way);
        }
        angle = isBetter ? angle : 0.5 * angle;
    }
}

void wkSeparationFinish(wkSeparationSearch* s)
{
    wkSeparationWay* way = &s->kept[0];
    if (way->length < INFINITY && s->queriesLeft > 0) {
        wkDistanceResult r = wkSeparationMeasure(s, wkScale(way->length, way->direction));
        stepBack(s, 0.0, r.distance - s->margin, s->tolerance, way);
    }
}

void wkSeparationRefine(wkSeparationSearch* s, double enough)
{
    wkSeparationWay best = s->kept[0];
    for (int i = 0; i < WK_SEPARATION_KEPT; ++i) {
        wkSeparationWay way = s->kept[i];
        for (int k = 0; k < MAX_PROJECTIONS && way.length < INFINITY && project(s, &way); ++k) {
        }
        if (way.length < INFINITY) {
            turn(s, &way, enough);
        }
        best = way.length < best.length ? way : best;
    }
    for (int i = 0; i < WK_SEPARATION_KEPT; ++i) {
        s->kept[i] = i == 0 ? best : (wkSeparationWay){.length = INFINITY};
    }
}
