// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Newton's method on the direction sphere. GJK and EPA approach a curved contact by ever smaller chords. The
// separation s(n) = min n.b - max n.a, though, is a smooth function of the normal wherever the same features
// stay in touch, with gradient v(n) = b - a and second derivative -(Ja + Jb) - s, J being the derivative of a
// support point. Its maximum is the signed distance.

#include "solve/newton/refine_contact.h"

#include "solve/closed_form/segment_pair.h"
#include "solve/core_support.h"
#include "solve/feature.h"

// Newton steps; each about doubles the digits of a guess that has two or three.
#define WK_REFINE_STEPS 8

// Slopes below this share of wkPair.scale count as zero: the contact may be the same all around.
#define WK_REFINE_FLAT 1e-13

// Axes with a smaller sine are parallel.
#define WK_REFINE_PARALLEL 1e-7
#define WK_REFINE_PARALLEL_SQUARED (WK_REFINE_PARALLEL * WK_REFINE_PARALLEL)

// A step longer than this (radians) means that the guess was not near a contact.
#define WK_REFINE_MAX_STEP 0.7

// A cap further than 15 degrees from the guess may be the wrong feature.
#define WK_REFINE_SIGN_COSINE 0.966

// Points further than this share of wkPair.scale from the line along the normal are not a contact.
#define WK_REFINE_OFF 1e-7

// The step (radians) after which the result is checked, and the one after which no further step matters.
#define WK_REFINE_LAST_STEP 5e-5
#define WK_REFINE_FINEST_STEP 1e-7

// The pair at one normal.
typedef struct contactState {
    const wkPair* pair;
    wkFeature a; // axes in the frame of A, the rest in the cores' own frames
    wkFeature b;
    wkVec3d vertexA; // a touching vertex, in the frame of A; for polytopes
    wkVec3d vertexB;
    wkVec3d n;
    wkVec3d v; // b - a of the supports
    double separation;
    double uu, uv, vv; // Ja + Jb between the tangents
} contactState;

static wkVec3d intoB(const wkPair* pair, wkVec3d direction)
{
    return wkMulTMV(&pair->bInA.rotation, direction);
}

// Evaluates the supports at n, and their derivatives along the tangents u and v. A polytope's vertex does not
// move.
static void evaluate(contactState* s, wkVec3d u, wkVec3d v)
{
    const wkPair* pair = s->pair;
    const wkFeatureRow* rowA = &wkFeatureTable[pair->a->type];
    const wkFeatureRow* rowB = &wkFeatureTable[pair->b->type];
    wkJet a = {.point = s->vertexA}, b = {.point = s->vertexB};
    if (rowA->jet != NULL) {
        a = rowA->jet(pair->a, s->n, u, v);
    }
    if (rowB->jet != NULL) {
        b = rowB->jet(pair->b, wkNeg(intoB(pair, s->n)), intoB(pair, u), intoB(pair, v));
        b.point = wkFramePoint(&pair->bInA, b.point);
    }
    s->v = wkSub(b.point, a.point);
    s->separation = wkDot(s->n, s->v);
    s->uu = a.uu + b.uu, s->uv = a.uv + b.uv, s->vv = a.vv + b.vv;
}

static void classify(const wkPair* pair, const wkContactGuess* guess, contactState* s)
{
    wkVec3d onA[4], onB[4];
    for (int i = 0; i < guess->count; ++i) {
        onA[i] = guess->point[i].a;
        onB[i] = intoB(pair, guess->point[i].b);
    }
    s->pair = pair;
    s->n = guess->normal;
    s->vertexA = guess->point[0].a;
    s->vertexB = wkAdd(guess->point[0].b, pair->bInA.position);
    s->a = wkFeatureTable[pair->a->type].classify(pair->a, onA, guess->weight, guess->count, s->n);
    s->b = wkFeatureTable[pair->b->type].classify(pair->b, onB, guess->weight, guess->count,
                                                  wkNeg(intoB(pair, s->n)));
    s->b.axis = wkNeg(wkMulMV(&pair->bInA.rotation, s->b.axis));
}

// Moves n to the circle of a feature.
static bool snapToCircle(const wkFeature* feature, wkVec3d* n)
{
    wkVec3d across = wkMulSub(*n, wkDot(*n, feature->axis), feature->axis);
    double length = wkLength(across);
    double radius = sqrt(1.0 - feature->latitude * feature->latitude);
    if (!(length > 1e-6)) {
        return false;
    }
    *n = wkMulAdd(wkScale(feature->latitude, feature->axis), radius / length, across);
    return true;
}

// Returns true when two circles are the same, as for parallel cylinders.
static bool areOneCircle(const wkFeature* a, const wkFeature* b)
{
    wkVec3d across = wkCross(a->axis, b->axis);
    double sign = wkDot(a->axis, b->axis) < 0.0 ? -1.0 : 1.0;
    return wkDot(across, across) < WK_REFINE_PARALLEL_SQUARED &&
           fabs(a->latitude - sign * b->latitude) < WK_REFINE_PARALLEL;
}

// Moves n to the nearer crossing of two circles.
static bool snapToCrossing(const wkFeature* a, const wkFeature* b, wkVec3d* n)
{
    wkVec3d across = wkCross(a->axis, b->axis);
    double sineSquared = wkDot(across, across), cosine = wkDot(a->axis, b->axis);
    if (!(sineSquared > WK_REFINE_PARALLEL_SQUARED)) {
        return false;
    }
    double shareA = (a->latitude - b->latitude * cosine) / sineSquared;
    double shareB = (b->latitude - a->latitude * cosine) / sineSquared;
    wkVec3d base = wkMulAdd(wkScale(shareA, a->axis), shareB, b->axis);
    double restSquared = 1.0 - wkDot(base, base);
    if (!(restSquared >= 0.0)) {
        return false;
    }
    double height = sqrt(restSquared / sineSquared);
    *n = wkMulAdd(base, wkDot(across, *n) < 0.0 ? -height : height, across);
    return true;
}

// Takes one step along the circle through n about `axis`; returns its angle, negative when there is none.
static double stepOnCircle(contactState* s, const wkFeature* circle)
{
    wkVec3d across = wkMulSub(s->n, circle->latitude, circle->axis);
    double radius = sqrt(1.0 - circle->latitude * circle->latitude);
    wkVec3d tangent = wkScale(1.0 / radius, wkCross(circle->axis, s->n));
    evaluate(s, tangent, across);
    double slope = radius * wkDot(s->v, tangent);
    double bend = radius * radius * s->uu + wkDot(s->v, across);
    if (fabs(slope) <= WK_REFINE_FLAT * s->pair->scale) {
        return 0.0;
    }
    double angle = slope / bend;
    if (!(bend > 0.0) || !(fabs(angle) < WK_REFINE_MAX_STEP)) {
        return -1.0;
    }
    // a step along the tangent, projected back onto the circle
    wkVec3d rotated = wkMulAdd(across, radius * angle, tangent);
    double scale = radius / wkLength(rotated);
    s->n = wkMulAdd(wkScale(circle->latitude, circle->axis), scale, rotated);
    return fabs(angle);
}

// Takes one step over the sphere.
static double stepOnSphere(contactState* s)
{
    wkVec3d u, v;
    wkTangents(s->n, &u, &v);
    evaluate(s, u, v);
    double uu = s->uu + s->separation, vv = s->vv + s->separation, uv = s->uv;
    double gu = wkDot(s->v, u), gv = wkDot(s->v, v);
    if (wkMaxD(fabs(gu), fabs(gv)) <= WK_REFINE_FLAT * s->pair->scale) {
        return 0.0;
    }
    double determinant = uu * vv - uv * uv;
    if (!(determinant > 0.0) || !(uu > 0.0)) {
        return -1.0;
    }
    double du = (vv * gu - uv * gv) / determinant, dv = (uu * gv - uv * gu) / determinant;
    double angle = sqrt(du * du + dv * dv);
    if (!(angle < WK_REFINE_MAX_STEP)) {
        return -1.0;
    }
    wkVec3d n = wkMulAdd(wkMulAdd(s->n, du, u), dv, v);
    s->n = wkScale(1.0 / wkLength(n), n);
    return angle;
}

// Moves n to the best normal that the features allow, up to a last step of `lastAngle`.
static bool improve(contactState* s, double lastAngle)
{
    bool isCircleA = s->a.kind == wk_featureCircle, isCircleB = s->b.kind == wk_featureCircle;
    if (s->a.kind == wk_featureFixed || s->b.kind == wk_featureFixed) {
        s->n = s->a.kind == wk_featureFixed ? s->a.axis : s->b.axis;
        return true;
    }
    if (isCircleA && isCircleB && !areOneCircle(&s->a, &s->b)) {
        return snapToCrossing(&s->a, &s->b, &s->n);
    }
    const wkFeature* circle = isCircleA ? &s->a : &s->b;
    if ((isCircleA || isCircleB) && !snapToCircle(circle, &s->n)) {
        return false;
    }
    for (int step = 0; step < WK_REFINE_STEPS; ++step) {
        double angle = isCircleA || isCircleB ? stepOnCircle(s, circle) : stepOnSphere(s);
        if (angle < 0.0) {
            return false;
        }
        // convergence is quadratic: the remaining error is about the square of the last step
        if (angle < lastAngle) {
            return true;
        }
    }
    return false;
}

// Returns the touching line of a core; a point when the normal is free.
static void touchingLine(const wkShape* shape, const wkFeature* feature, wkVec3d n, wkVec3d support,
                         wkVec3d ends[2])
{
    ends[0] = ends[1] = support;
    if (feature->kind == wk_featureCircle) {
        wkFeatureTable[shape->type].line(shape, feature, n, ends);
    }
}

// Computes the closest points of two lines or points, from the supports at n.
static void placeOnLines(const contactState* s, const wkCsoPoint* support, wkVec3d* pointA,
                         wkVec3d* pointB)
{
    const wkPair* pair = s->pair;
    *pointA = support->a;
    *pointB = wkAdd(support->a, support->w);
    if (s->a.kind == wk_featureFree && s->b.kind == wk_featureFree) {
        return;
    }
    wkVec3d a[2], b[2], supportB = wkFrameLocal(&pair->bInA, *pointB);
    touchingLine(pair->a, &s->a, s->n, support->a, a);
    touchingLine(pair->b, &s->b, wkNeg(intoB(pair, s->n)), supportB, b);
    b[0] = wkFramePoint(&pair->bInA, b[0]), b[1] = wkFramePoint(&pair->bInA, b[1]);
    wkClosestOnSegments(a, b, pointA, pointB);
}

// On a face the other core's support decides, when its projection lies in the face.
static bool placeOnFace(const contactState* s, const wkCsoPoint* support, double gap,
                        wkVec3d* pointA, wkVec3d* pointB)
{
    const wkPair* pair = s->pair;
    wkVec3d supportB = wkAdd(support->a, support->w);
    if (s->a.kind == wk_featureFixed) {
        *pointB = supportB;
        *pointA = wkMulSub(supportB, s->separation, s->n);
        if (wkFeatureTable[pair->a->type].contains(pair->a, &s->a, *pointA, gap)) {
            return true;
        }
    }
    if (s->b.kind == wk_featureFixed) {
        *pointA = support->a;
        *pointB = wkMulAdd(support->a, s->separation, s->n);
        wkFeature local = s->b;
        local.axis = intoB(pair, s->b.axis);
        wkVec3d inB = wkFrameLocal(&pair->bInA, *pointB);
        return wkFeatureTable[pair->b->type].contains(pair->b, &local, inB, gap);
    }
    return false;
}

// Where flat pieces meet: uses the guess's own points.
static void placeAsGuessed(const wkContactGuess* guess, wkVec3d* pointA, wkVec3d* pointB)
{
    wkVec3d a = wkVec(0.0, 0.0, 0.0), w = a;
    for (int i = 0; i < guess->count; ++i) {
        a = wkMulAdd(a, guess->weight[i], guess->point[i].a);
        w = wkMulAdd(w, guess->weight[i], guess->point[i].w);
    }
    *pointA = a;
    *pointB = wkAdd(a, w);
}

// Evaluates the supports and the points at n: returns true when they agree on the distance.
static bool isProven(contactState* s, const wkContactGuess* guess, bool isApart, double gap,
                     wkSolution* out)
{
    const wkPair* pair = s->pair;
    s->n = wkNormalizeOr(s->n, guess->normal);
    wkCoreSupport cores = wkMakeCoreSupport(pair);
    wkCsoPoint support = wkCoreSupportAlong(&cores, pair, wkNeg(s->n));
    s->separation = wkDot(s->n, support.w);
    bool isFace = s->a.kind == wk_featureFixed || s->b.kind == wk_featureFixed;
    if (!isFace) {
        placeOnLines(s, &support, &out->pointA, &out->pointB);
    } else if (!placeOnFace(s, &support, gap, &out->pointA, &out->pointB)) {
        placeAsGuessed(guess, &out->pointA, &out->pointB);
    }

    // the support proves one bound, the points the other
    wkVec3d between = wkSub(out->pointB, out->pointA);
    wkVec3d off = wkMulSub(between, s->separation, s->n);
    double size = isApart ? s->separation : -s->separation;
    out->distance = s->separation;
    out->normal = s->n;
    out->status = wk_statusExact;
    return wkLength(between) - size <= gap && wkMaxAbs(off) <= WK_REFINE_OFF * pair->scale;
}

// A vertex of a polytope separated from a curved core: the projection of the vertex is the contact.
static bool isVertexOnCurve(const contactState* s)
{
    bool isCurvedA = wkFeatureTable[s->pair->a->type].jet != NULL;
    bool isCurvedB = wkFeatureTable[s->pair->b->type].jet != NULL;
    const wkFeature* polytope = isCurvedA ? &s->b : &s->a;
    return isCurvedA != isCurvedB && polytope->kind == wk_featureFree;
}

static bool proveVertex(const contactState* s, double gap, wkSolution* out)
{
    const wkPair* pair = s->pair;
    wkProjection p;
    if (wkFeatureTable[pair->b->type].jet != NULL) {
        p = wkConvexTable[pair->b->type].project(pair->b, wkFrameLocal(&pair->bInA, s->vertexA));
        out->normal = wkNeg(wkMulMV(&pair->bInA.rotation, p.normal));
        out->pointA = s->vertexA;
        out->pointB = wkFramePoint(&pair->bInA, p.point);
    } else {
        p = wkConvexTable[pair->a->type].project(pair->a, s->vertexB);
        out->normal = p.normal;
        out->pointA = p.point;
        out->pointB = s->vertexB;
    }
    wkCoreSupport cores = wkMakeCoreSupport(pair);
    out->distance = wkDot(out->normal, wkCoreSupportAlong(&cores, pair, wkNeg(out->normal)).w);
    out->status = wk_statusExact;
    return p.distance > 0.0 && p.distance - out->distance <= gap;
}

// Improves the normal for the current features: a few steps first, which is usually enough.
static bool refineFeatures(contactState* s, const wkContactGuess* guess, bool isApart, double gap,
                           wkSolution* out)
{
    if (!improve(s, WK_REFINE_LAST_STEP)) {
        return false;
    }
    if (isProven(s, guess, isApart, gap, out)) {
        return true;
    }
    bool isIterative = s->a.kind != wk_featureFixed && s->b.kind != wk_featureFixed;
    return isIterative && improve(s, WK_REFINE_FINEST_STEP) &&
           isProven(s, guess, isApart, gap, out);
}

bool wkRefineContact(const wkPair* pair, const wkContactGuess* guess, bool isApart, double gap,
                     wkSolution* out)
{
    contactState s;
    classify(pair, guess, &s);
    if (isApart && isVertexOnCurve(&s)) {
        return proveVertex(&s, gap, out);
    }
    bool mayBeRim = s.a.mayBeRim || s.b.mayBeRim;
    bool isDone = refineFeatures(&s, guess, isApart, gap, out);
    if (!mayBeRim || (isDone && wkDot(s.n, guess->normal) > WK_REFINE_SIGN_COSINE)) {
        return isDone;
    }

    // points around a cap may instead lie along its rim
    s.n = guess->normal;
    s.a.kind = s.a.mayBeRim ? wk_featureFree : s.a.kind;
    s.b.kind = s.b.mayBeRim ? wk_featureFree : s.b.kind;
    wkSolution rim = {.iterations = 0};
    if (refineFeatures(&s, guess, isApart, gap, &rim)) {
        *out = rim;
        return true;
    }
    return isDone;
}
