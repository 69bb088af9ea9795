// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// GJK (Gilbert, Johnson, Keerthi 1988) on two cores: one force-inlined body that takes a rule, so
// that each pair of cores gets a loop with its own support functions inside.
//
// The set is B - A in the frame of A; v is its point nearest the origin, so v points from A to B.
// Every support point w along -v proves the lower bound v.w / |v|, and |v| itself is an upper
// bound: the two decide early exits and the end.

#include "solve/core_support.h"
#include "solve/epa.h"
#include "solve/pair.h"
#include "solve/polish.h"
#include "solve/simplex.h"

typedef struct wkGjkRule {
    wkSupportFcn* supportA;
    wkSupportFcn* supportB;
    bool isPolytope; // both: the loop ends at a vertex seen before
} wkGjkRule;

// Steps before the answer is given as a bound. Random pairs need 4 to 12,
// the worst known ones under 50.
#define WK_GJK_MAX_ITERATIONS 128

// Gap between the bounds, as a share of wkPair.scale, at which curved pairs are done.
#define WK_GJK_CURVED_GAP 1e-11

// The same for polytopes: what rounding leaves.
#define WK_GJK_POLYTOPE_GAP 1e-15

// Cores this close (share of wkPair.scale) touch when nothing proves that they do not.
#define WK_GJK_TOUCHING 1e-6

// Bounds this close (share of wkPair.scale) have met.
#define WK_GJK_MET 1e-12

// Curved pairs try Newton's method when the gap falls below this share of
// |v|, and again at each power.
#define WK_GJK_POLISH 0.05

// Below this share of wkPair.scale v has lost too many digits to be a direction.
#define WK_GJK_NEAR 1e-2

// Point of B - A furthest along -direction.
WK_FORCE_FN wkCsoPoint wkGjkSupport(wkGjkRule rule, const wkPair* pair, wkVec3d direction,
                                    int32_t hint[2])
{
    wkVec3d directionB = wkNeg(wkMulTMV(&pair->bInA.rotation, direction));
    wkVec3d a = rule.supportA(pair->a, direction, &hint[0]);
    wkVec3d b = wkMulMV(&pair->bInA.rotation, rule.supportB(pair->b, directionB, &hint[1]));
    return wkMakeCsoPoint(pair, a, b);
}

// Normal of the simplex's own geometry: of its plane, or across its edge, turned towards v.
WK_FN wkVec3d wkSimplexNormal(const wkSimplex* s, wkVec3d v, wkVec3d fallback)
{
    wkVec3d across = v;
    if (s->count == 2) {
        wkVec3d edge = wkCsoEdge(&s->point[0], &s->point[1]);
        double lengthSquared = wkDot(edge, edge);
        across = wkMulSub(v, wkDot(v, edge) / lengthSquared, edge);
        across = wkMulSub(across, wkDot(across, edge) / lengthSquared, edge);
    } else if (s->count == 3) {
        across = wkCross(wkCsoEdge(&s->point[0], &s->point[1]), wkCsoEdge(&s->point[0], &s->point[2]));
        across = wkDot(across, v) < 0.0 ? wkNeg(across) : across;
    }
    return wkNormalizeOr(across, fallback);
}

WK_FN bool wkSimplexHas(const wkSimplex* s, wkVec3d w)
{
    for (int i = 0; i < s->count; ++i) {
        wkVec3d known = s->point[i].w;
        if (known.x == w.x && known.y == w.y && known.z == w.z) {
            return true;
        }
    }
    return false;
}

// Separated cores: the best lower bound that v and the simplex give. False when it does not meet
// |v| because the cores touch within rounding.
WK_FORCE_FN bool wkGjkFinish(wkGjkRule rule, const wkPair* pair, const wkGoal* goal,
                             const wkSimplex* s, wkVec3d v, double lower, int32_t hint[2],
                             wkSolution* out)
{
    double length = wkLength(v);
    wkVec3d normal = wkNormalizeOr(v, wkVec(0.0, 0.0, 1.0));
    if (length <= WK_GJK_NEAR * pair->scale) {
        wkVec3d refined = wkSimplexNormal(s, v, normal);
        double bound = wkDot(refined, wkGjkSupport(rule, pair, refined, hint).w);
        if (bound > lower) {
            lower = bound;
            normal = refined;
        }
    }
    double allowed = goal->tolerance + WK_GJK_MET * pair->scale;
    if (length - lower > allowed) {
        // v has too few digits to prove its length: the features themselves may
        wkContactGuess guess = {s->count, s->point, s->weight, normal};
        if (wkPolish(pair, &guess, true, allowed, out)) {
            return true;
        }
    }
    out->distance = wkMinD(lower, length);
    out->pointA = wkSimplexPointA(s);
    out->pointB = wkAdd(out->pointA, v);
    out->normal = normal;
    bool isMet = length - lower <= goal->tolerance + WK_VERDICT_BAND * pair->scale;
    out->status = isMet ? wk_statusExact : wk_statusBound;
    return isMet || length > WK_GJK_TOUCHING * pair->scale;
}

// The lower bound that v proves.
WK_FORCE_FN double wkGjkLower(wkGjkRule rule, const wkPair* pair, wkVec3d v, int32_t hint[2])
{
    return wkDot(v, wkGjkSupport(rule, pair, v, hint).w) / wkLength(v);
}

// A verdict or a cutoff was reached: a bound and a pair of points that is good enough.
WK_FN void wkGjkStop(double bound, wkVec3d pointA, wkVec3d v, wkSolution* out)
{
    out->distance = bound;
    out->pointA = pointA;
    out->pointB = wkAdd(pointA, v);
    out->normal = wkNormalizeOr(v, wkVec(0.0, 0.0, 1.0));
    out->status = wk_statusBound;
}

WK_FORCE_FN void wkGjk(wkGjkRule rule, const wkPair* pair, const wkGoal* goal, wkSolution* out)
{
    const double band = WK_VERDICT_BAND * pair->scale;
    const double gap = wkMaxD(
        goal->tolerance, (rule.isPolytope ? WK_GJK_POLYTOPE_GAP : WK_GJK_CURVED_GAP) * pair->scale);
    const double gapSquared = gap * gap;
    const double limit = goal->cutoff + band;
    const double limitSquared = limit > 0.0 ? limit * limit : 0.0;
    const double hit = goal->touching - band;
    const double hitSquared = hit > 0.0 ? hit * hit : -1.0;
    const double zero = WK_ROUNDING * pair->scale;

    wkPairCache* cache = goal->cache;
    int32_t hint[2] = {0, 0};
    wkVec3d v = pair->centers;
    if (cache != NULL && wkDot(cache->direction, cache->direction) > 0.0) {
        v = cache->direction;
        hint[0] = cache->hintA, hint[1] = cache->hintB;
    }
    if (!(wkDot(v, v) > 0.0)) {
        v = wkVec(1.0, 0.0, 0.0);
    }

    wkSimplex s;
    s.count = 0;
    double vv = wkDot(v, v);
    double polishAt = WK_GJK_POLISH;
    bool isFirst = true, isOverlapping = false, isTouching = false;
    int iteration = 0;
    for (; iteration < WK_GJK_MAX_ITERATIONS; ++iteration) {
        wkCsoPoint next = wkGjkSupport(rule, pair, v, hint);
        double vw = wkDot(v, next.w);
        if (vw > 0.0 && vw * vw > limitSquared * vv) {
            wkGjkStop(vw / sqrt(vv), next.a, next.w, out);
            out->normal = wkNormalizeOr(v, out->normal);
            break;
        }
        if (!isFirst) {
            double drop = vv - vw;
            if (drop <= 0.0 || drop * drop <= gapSquared * vv || wkSimplexHas(&s, next.w)) {
                isTouching = !wkGjkFinish(rule, pair, goal, &s, v, vw / sqrt(vv), hint, out);
                break;
            }
            if (!rule.isPolytope && drop <= polishAt * vv) {
                polishAt *= WK_GJK_POLISH;
                wkContactGuess guess = {s.count, s.point, s.weight, wkScale(1.0 / sqrt(vv), v)};
                if (wkPolish(pair, &guess, true, gap, out)) {
                    break;
                }
            }
        }
        isFirst = false;

        s.point[s.count] = next;
        s.count += 1;
        v = s.count == 1   ? wkSimplexClosest1(&s)
            : s.count == 2 ? wkSimplexClosest2(&s)
            : s.count == 3 ? wkSimplexClosest3(&s)
                           : wkSimplexClosest4(&s);
        double before = vv;
        vv = wkDot(v, v);
        if (s.count == 4 || !(vv > zero * zero)) {
            isOverlapping = true;
            break;
        }
        if (s.count > 1 && !(vv < before)) {
            // rounding keeps v from getting shorter: the bounds have met as far as they will
            double lower = wkGjkLower(rule, pair, v, hint);
            isTouching = !wkGjkFinish(rule, pair, goal, &s, v, lower, hint, out);
            break;
        }
        if (vv <= hitSquared) {
            wkGjkStop(sqrt(vv), wkSimplexPointA(&s), v, out);
            break;
        }
    }

    out->iterations = iteration + 1;
    if (cache != NULL) {
        cache->direction = isOverlapping ? pair->centers : v;
        cache->hintA = hint[0], cache->hintB = hint[1];
    }
    if (isOverlapping) {
        wkSolveOverlap(pair, goal, &s, out);
        if (cache != NULL) {
            cache->direction = out->normal;
        }
    } else if (iteration == WK_GJK_MAX_ITERATIONS) {
        double lower = wkGjkLower(rule, pair, v, hint);
        isTouching = !wkGjkFinish(rule, pair, goal, &s, v, lower, hint, out);
    }
    if (isTouching) {
        wkGoal exact = *goal;
        exact.wantsDepth = true;
        wkSolveOverlap(pair, &exact, &s, out);
    }
}
