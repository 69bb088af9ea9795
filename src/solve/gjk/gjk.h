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
#include "solve/depth_list/depth_list.h"
#include "solve/gjk/epa.h"
#include "solve/gjk/gjk_double_double.h"
#include "solve/gjk/simplex.h"
#include "solve/newton/newton_distance.h"
#include "solve/newton/refine_contact.h"
#include "solve/pair.h"

typedef struct wkGjkRule {
    wkSupportFcn* supportA;
    wkSupportFcn* supportB;
    bool isPolytope; // both cores: the loop ends at a vertex found before
} wkGjkRule;

// Step limit, after which the answer is given as a bound. Random pairs need 4 to 12 steps, the worst known
// ones under 50.
#define WK_GJK_MAX_ITERATIONS 128

// Gap between the bounds, as a share of wkPair.scale, at which curved pairs have converged.
#define WK_GJK_CURVED_GAP 1e-11

// The same for polytopes: the size of rounding errors.
#define WK_GJK_POLYTOPE_GAP 1e-15

// Number of vertices of the last simplex that a cache keeps: a triangle.
#define WK_CACHE_VERTICES 3

// Bounds this close (share of wkPair.scale) have converged.
#define WK_GJK_MET 1e-12

// Curved pairs try Newton's method when the gap falls below this share of |v|, and again at each power.
#define WK_GJK_REFINE 0.1

// Steps before wkNewtonDistance is called where a bound may suffice: one step separates most cores.
#define WK_GJK_FIRST_STEPS 1

// Below this share of wkPair.scale v has lost too many digits to define a direction.
#define WK_GJK_NEAR 1e-2

// Returns the point of B - A furthest along -direction.
WK_FORCE_FN wkCsoPoint wkGjkSupport(wkGjkRule rule, const wkPair* pair, wkVec3d direction,
                                    int32_t hint[2])
{
    wkVec3d directionB = wkNeg(wkMulTMV(&pair->bInA.rotation, direction));
    wkVec3d a = rule.supportA(pair->a, direction, &hint[0]);
    wkVec3d b = wkMulMV(&pair->bInA.rotation, rule.supportB(pair->b, directionB, &hint[1]));
    wkCsoPoint point = wkMakeCsoPoint(pair, a, b);
    point.hintA = hint[0], point.hintB = hint[1];
    return point;
}

// Returns the normal of the simplex's own geometry: of its plane, or across its edge, oriented towards v.
WK_FN wkVec3d wkSimplexNormal(const wkSimplex* s, wkVec3d v, wkVec3d fallback)
{
    wkVec3d across = v;
    if (s->count == 2) {
        wkVec3d edge = wkCsoEdge(&s->point[0], &s->point[1]);
        double lengthSquared = wkDot(edge, edge);
        across = wkMulSub(v, wkDot(v, edge) / lengthSquared, edge);
        across = wkMulSub(across, wkDot(across, edge) / lengthSquared, edge);
    } else if (s->count == 3) {
        across =
            wkCross(wkCsoEdge(&s->point[0], &s->point[1]), wkCsoEdge(&s->point[0], &s->point[2]));
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

// State of the loop.
typedef struct wkGjkState {
    wkSimplex s;
    wkVec3d v; // closest point of the simplex; before the first point, the start direction
    double vv;
    int32_t hint[2]; // last support vertices of hulls
    wkVec3d bestV;   // the v that proved the largest bound ...
    double bestVw;   // ... which is bestVw / |bestV|
    double bestVv;
    bool mayUseNewton; // curved, and wkNewtonDistance has not been called yet
} wkGjkState;

// Squares of the distances at which the loop may stop.
typedef struct wkGjkLimits {
    double freeSquared;     // stops when the lower bound is above it
    double touchingSquared; // stops when the upper bound is below it; -1: none
    double zeroSquared;     // v shorter than this is zero
    double gap;             // between the bounds
    double gapSquared;
} wkGjkLimits;

WK_FORCE_FN wkGjkLimits wkMakeGjkLimits(wkGjkRule rule, const wkPair* pair, const wkGoal* goal)
{
    double band = WK_VERDICT_BAND * pair->scale;
    double free = wkMaxD(goal->cutoff + band, 0.0), touching = goal->touching - band;
    double zero = WK_ROUNDING * pair->scale;
    double share = rule.isPolytope ? WK_GJK_POLYTOPE_GAP : WK_GJK_CURVED_GAP;
    double gap = wkMaxD(goal->tolerance, share * pair->scale);
    wkGjkLimits limits = {free * free, touching > 0.0 ? touching * touching : -1.0, zero * zero,
                          gap, gap * gap};
    return limits;
}

typedef enum wkGjkEnd {
    wk_gjkNone,        // continue
    wk_gjkAnswered,    // the solution is filled
    wk_gjkOverlapping, // the simplex contains the origin
    wk_gjkUnclear,     // the bounds do not converge: double precision is not sufficient
} wkGjkEnd;

// Separated cores: the best of the lower bounds of v, of the loop and of the simplex should meet |v|, and the
// length of the weighted point.
WK_FORCE_FN wkGjkEnd wkGjkFinish(wkGjkRule rule, const wkPair* pair, const wkGoal* goal,
                                 wkGjkState* state, double lower, wkSolution* out)
{
    const wkSimplex* s = &state->s;
    wkVec3d v = state->v;
    double length = wkMaxD(sqrt(state->vv), wkLength(wkSimplexPoint(s)));
    double best = state->bestVw / sqrt(state->bestVv);
    wkVec3d normal = wkNormalizeOr(v, wkVec(0.0, 0.0, 1.0));
    if (best > lower + WK_ROUNDING * pair->scale) {
        lower = best;
        normal = wkNormalizeOr(state->bestV, normal);
    }
    double allowed = goal->tolerance + WK_GJK_MET * pair->scale;
    if (length <= WK_GJK_NEAR * pair->scale || length - lower > allowed) {
        // v has too few digits to define a direction: the simplex's own geometry has more
        wkVec3d refined = wkSimplexNormal(s, v, normal);
        double bound = wkDot(refined, wkGjkSupport(rule, pair, refined, state->hint).w);
        if (bound > lower) {
            lower = bound;
            normal = refined;
        }
    }
    if (length - lower > allowed) {
        wkContactGuess guess = {s->count, s->point, s->weight, normal};
        bool isRefined = !rule.isPolytope && wkRefineContact(pair, &guess, true, allowed, out);
        return isRefined ? wk_gjkAnswered : wk_gjkUnclear;
    }
    out->distance = wkMinD(lower, length);
    out->pointA = wkSimplexPointA(s);
    out->pointB = wkAdd(out->pointA, v);
    out->normal = normal;
    out->status = wk_statusExact;
    return wk_gjkAnswered;
}

// Fills in the answer when a verdict or a cutoff was reached: a bound and a sufficient pair of points.
WK_FN void wkGjkStop(double bound, wkVec3d pointA, wkVec3d v, wkVec3d normal, wkSolution* out)
{
    out->distance = bound;
    out->pointA = pointA;
    out->pointB = wkAdd(pointA, v);
    out->normal = normal;
    out->status = wk_statusBound;
}

WK_FN wkVec3d wkSimplexClosest(wkSimplex* s)
{
    return s->count == 1   ? wkSimplexClosest1(s)
           : s->count == 2 ? wkSimplexClosest2(s)
           : s->count == 3 ? wkSimplexClosest3(s)
                           : wkSimplexClosest4(s);
}

// Returns true when the cache names vertices that both hulls have: whatever pair it came from, they are
// points of these two.
WK_FN bool wkCacheFits(const wkPairCache* cache, const wkPair* pair)
{
    bool fits = cache->count >= 1 && cache->count <= WK_CACHE_VERTICES;
    for (int i = 0; fits && i < cache->count; ++i) {
        fits = (uint32_t)cache->vertexA[i] < (uint32_t)pair->a->hull->vertexCount &&
               (uint32_t)cache->vertexB[i] < (uint32_t)pair->b->hull->vertexCount;
    }
    return fits;
}

// Cold: starts towards the middle of B. Warm: starts along the last normal; two hulls start from the last
// simplex.
WK_FORCE_FN void wkGjkStart(wkGjkRule rule, const wkPair* pair, const wkPairCache* cache,
                            bool isApproached, wkGjkState* state)
{
    state->s.count = 0;
    state->hint[0] = state->hint[1] = 0;
    state->v = pair->centers;
    state->bestVw = -INFINITY;
    state->bestVv = 1.0;
    state->mayUseNewton = !rule.isPolytope && !isApproached;
    if (cache != NULL) {
        wkVec3d direction = cache->direction;
        bool isUsable = wkDot(direction, direction) > 0.0 && wkIsFiniteVec(direction);
        state->v = isUsable ? direction : state->v;
        bool areHulls = rule.supportA == wkSupportHull && rule.supportB == wkSupportHull;
        if (areHulls && wkCacheFits(cache, pair)) {
            for (int i = 0; i < cache->count; ++i) {
                wkVec3d a = wkHullVertex(pair->a->hull, cache->vertexA[i]);
                wkVec3d b = wkHullVertex(pair->b->hull, cache->vertexB[i]);
                wkCsoPoint point = wkMakeCsoPoint(pair, a, wkMulMV(&pair->bInA.rotation, b));
                point.hintA = cache->vertexA[i], point.hintB = cache->vertexB[i];
                state->s.point[i] = point;
            }
            state->s.count = cache->count;
            state->hint[0] = cache->vertexA[0], state->hint[1] = cache->vertexB[0];
            state->v = wkSimplexClosest(&state->s);
        }
    }
    state->vv = wkDot(state->v, state->v);
    if (!(state->vv > 0.0) && state->s.count == 0) {
        state->v = wkVec(1.0, 0.0, 0.0);
        state->vv = 1.0;
    }
}

WK_FN void wkRememberNormal(wkVec3d normal, wkPairCache* cache)
{
    if (cache != NULL) {
        cache->direction = normal;
        cache->count = 0;
    }
}

WK_FN void wkGjkRemember(const wkGjkState* state, wkVec3d normal, wkPairCache* cache)
{
    cache->direction = normal;
    cache->count = state->s.count < WK_CACHE_VERTICES ? state->s.count : WK_CACHE_VERTICES;
    for (int i = 0; i < cache->count; ++i) {
        cache->vertexA[i] = state->s.point[i].hintA;
        cache->vertexB[i] = state->s.point[i].hintB;
    }
}

// Returns the lower bound that v proves.
WK_FORCE_FN double wkGjkLower(wkGjkRule rule, const wkPair* pair, wkGjkState* state)
{
    wkCsoPoint support = wkGjkSupport(rule, pair, state->v, state->hint);
    return wkDot(state->v, support.w) / sqrt(state->vv);
}

// Gives the same answer as a full distance query; returns false when there is none.
WK_FN bool wkGjkAfterNewton(const wkPair* pair, double gap, wkGjkState* state, wkSolution* out)
{
    bool isAsked = state->mayUseNewton;
    state->mayUseNewton = false;
    return isAsked && wkNewtonDistance(pair, gap, out) == wk_meetingApart;
}

// Ends the loop when v cannot become shorter.
WK_FORCE_FN wkGjkEnd wkGjkConclude(wkGjkRule rule, const wkPair* pair, const wkGoal* goal,
                                   const wkGjkLimits* limits, wkGjkState* state, double lower,
                                   wkSolution* out)
{
    if (!rule.isPolytope && wkGjkAfterNewton(pair, limits->gap, state, out)) {
        return wk_gjkAnswered;
    }
    return wkGjkFinish(rule, pair, goal, state, lower, out);
}

// Returns true when the weighted point of a simplex is as near as its v.
WK_FN bool wkIsWithin(const wkSimplex* s, double squared)
{
    wkVec3d point = wkSimplexPoint(s);
    return wkDot(point, point) <= squared;
}

// Computes one support, its two bounds, and the next v.
WK_FORCE_FN wkGjkEnd wkGjkStep(wkGjkRule rule, const wkPair* pair, const wkGoal* goal,
                               const wkGjkLimits* limits, double* refineAt, wkGjkState* state,
                               wkSolution* out)
{
    wkSimplex* s = &state->s;
    wkCsoPoint next = wkGjkSupport(rule, pair, state->v, state->hint);
    double vv = state->vv, vw = wkDot(state->v, next.w);
    if (vw > 0.0 && vw * vw > limits->freeSquared * vv) {
        wkGjkStop(vw / sqrt(vv), next.a, next.w, wkNormalizeOr(state->v, next.w), out);
        return wk_gjkAnswered;
    }

    // the best lower bound so far: compared as vw |vw| / vv, without roots
    if (vw * fabs(vw) * state->bestVv > state->bestVw * fabs(state->bestVw) * vv ||
        state->bestVw == -INFINITY) {
        state->bestV = state->v;
        state->bestVw = vw;
        state->bestVv = vv;
    }
    if (s->count > 0) {
        double drop = vv - vw;
        if (drop <= 0.0 || drop * drop <= limits->gapSquared * vv || wkSimplexHas(s, next.w)) {
            return wkGjkConclude(rule, pair, goal, limits, state, vw / sqrt(vv), out);
        }
        if (!rule.isPolytope && drop <= *refineAt * vv) {
            *refineAt *= WK_GJK_REFINE;
            wkContactGuess guess = {s->count, s->point, s->weight,
                                    wkScale(1.0 / sqrt(vv), state->v)};
            if (wkGjkAfterNewton(pair, limits->gap, state, out) ||
                wkRefineContact(pair, &guess, true, limits->gap, out)) {
                return wk_gjkAnswered;
            }
        }
    }

    s->point[s->count++] = next;
    state->v = wkSimplexClosest(s);
    state->vv = wkDot(state->v, state->v);
    if (s->count == 4 || !(state->vv > limits->zeroSquared)) {
        return wk_gjkOverlapping;
    }
    if (s->count > 1 && !(state->vv < vv)) {
        // rounding keeps v from getting shorter: the bounds are as close as they get, unless v only rotated,
        // as next to a vertex, where its length does not show its rotation
        double lower = wkGjkLower(rule, pair, state);
        double best = state->bestVw / sqrt(state->bestVv);
        if (!(lower > best + WK_GJK_MET * pair->scale)) {
            return wkGjkConclude(rule, pair, goal, limits, state, lower, out);
        }
    }
    if (state->vv <= limits->touchingSquared && wkIsWithin(s, limits->touchingSquared)) {
        wkGjkStop(sqrt(state->vv), wkSimplexPointA(s), state->v,
                  wkNormalizeOr(state->v, wkVec(0.0, 0.0, 1.0)), out);
        return wk_gjkAnswered;
    }
    return wk_gjkNone;
}

// The origin is in the simplex, or so near that only a depth decides: cores that only touch may be apart by a
// few digits of rounding.
WK_FN void wkGjkOverlap(bool isPolytope, const wkPair* pair, const wkGoal* goal, wkSimplex* s,
                        wkSolution* out)
{
    // a common point needs only a verdict at zero: most tetrahedra decide it by themselves
    wkSimplex copy = *s;
    wkGoal depth = *goal;
    depth.wantsDepth = true;
    depth.touching = goal->wantsDepth ? goal->touching : 0.0;
    wkSolveOverlap(pair, &depth, &copy, out);
    if (isPolytope && out->distance > -WK_VERDICT_BAND * pair->scale) {
        wkSolveFinely(pair, goal, out);
    } else if (!goal->wantsDepth && !(out->distance > 0.0)) {
        wkSolveOverlap(pair, goal, s, out);
    }
}

// Answers without a simplex, as for most curved pairs. Cores that overlap clearly touch at any margin that is
// not negative; otherwise their depth, or a common point, is computed.
WK_FN bool wkGjkIsSpared(const wkPair* pair, const wkGoal* goal, wkSolution* out)
{
    double gap = wkMaxD(goal->tolerance, WK_GJK_CURVED_GAP * pair->scale);
    wkMeeting meeting = wkNewtonDistance(pair, gap, out);
    if (meeting != wk_meetingOverlapping) {
        return meeting == wk_meetingApart;
    }
    out->iterations = 0;
    bool isVerdict = goal->touching >= 0.0;
    if (goal->wantsDepth && !isVerdict) {
        return wkDepthByFeatures(pair, out);
    }
    wkGjkStop(isVerdict ? -WK_VERDICT_BAND * pair->scale : 0.0, out->pointA, wkVec(0.0, 0.0, 0.0),
              wkNormalizeOr(pair->centers, wkVec(0.0, 0.0, 1.0)), out);
    out->status = isVerdict ? wk_statusBound : wk_statusExact;
    return true;
}

// The loop. `isApproached` means that wkNewtonDistance was called already.
WK_FORCE_FN wkGjkEnd wkGjkSearch(wkGjkRule rule, const wkPair* pair, const wkGoal* goal,
                                 bool isApproached, wkGjkState* state, wkSolution* out)
{
    wkGjkLimits limits = wkMakeGjkLimits(rule, pair, goal);
    wkGjkStart(rule, pair, goal->cache, isApproached, state);

    double refineAt = WK_GJK_REFINE;
    int iteration = 0;
    bool isInside = state->s.count > 0 && !(state->vv > limits.zeroSquared);
    wkGjkEnd end = isInside ? wk_gjkOverlapping : wk_gjkNone;
    while (end == wk_gjkNone && iteration < WK_GJK_MAX_ITERATIONS) {
        end = wkGjkStep(rule, pair, goal, &limits, &refineAt, state, out);
        iteration += 1;
        if (end == wk_gjkNone && iteration == WK_GJK_FIRST_STEPS && state->mayUseNewton &&
            wkDoesDecide(pair)) {
            state->mayUseNewton = false;
            end = wkGjkIsSpared(pair, goal, out) ? wk_gjkAnswered : wk_gjkNone;
        }
    }
    if (end == wk_gjkNone) {
        double lower = wkGjkLower(rule, pair, state);
        end = wkGjkConclude(rule, pair, goal, &limits, state, lower, out);
    }
    out->iterations = iteration;
    return end;
}

WK_FORCE_FN void wkGjk(wkGjkRule rule, const wkPair* pair, const wkGoal* goal, wkSolution* out)
{
    if (goal->wantsDepth && goal->touching == -INFINITY && wkIsDeep(pair) &&
        wkSolveDeep(pair, goal, out)) {
        wkRememberNormal(out->normal, goal->cache);
        return;
    }
    bool isInFull = !rule.isPolytope && goal->cutoff == INFINITY;
    if (isInFull && wkGjkIsSpared(pair, goal, out)) {
        wkRememberNormal(out->normal, goal->cache);
        return;
    }
    wkGjkState state;
    wkGjkEnd end = wkGjkSearch(rule, pair, goal, isInFull, &state, out);
    if (end == wk_gjkOverlapping) {
        wkGjkOverlap(rule.isPolytope, pair, goal, &state.s, out);
    } else if (end == wk_gjkUnclear) {
        wkSolveFinely(pair, goal, out);
    }
    if (goal->cache != NULL) {
        wkGjkRemember(&state, out->normal, goal->cache);
    }
}
