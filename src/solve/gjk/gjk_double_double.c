// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// GJK in double-double precision, see simplex_double_double.h. Support points are treated as exact; the
// result is as accurate as they are.

#include "solve/gjk/gjk_double_double.h"

#include "solve/depth_list/depth_list.h"
#include "solve/gjk/epa.h"
#include "solve/gjk/simplex_double_double.h"

#define WK_DD_MAX_ITERATIONS 128

// Gap between the bounds at which the distance has converged, in units of the scale.
#define WK_DD_GAP 5e-16

// Bounds this close have converged, in the same units.
#define WK_DD_MET 1e-13

// Cores this close touch, in the same units.
#define WK_DD_TOUCHING 1e-24

typedef struct search {
    const wkPair* pair;
    wkCoreSupport support;
    double unit; // a power of two about 1 / scale
    wkDdSimplex s;
    wkDdVec v;
} search;

// b - a plus the vector between the frames, part by part.
static wkDoubleDouble between(double a, double b, double position, double unit)
{
    wkDoubleDouble minusA = {-unit * a, 0.0};
    return wkDdAdd(wkDdSum(unit * b, unit * position), minusA);
}

static wkDdPoint supportAlong(search* s, wkVec3d direction)
{
    wkVec3d p = s->pair->bInA.position;
    wkDdPoint fine = {.point = wkCoreSupportAlong(&s->support, s->pair, direction)};
    wkVec3d a = fine.point.a, b = fine.point.b;
    fine.w.x = between(a.x, b.x, p.x, s->unit);
    fine.w.y = between(a.y, b.y, p.y, s->unit);
    fine.w.z = between(a.z, b.z, p.z, s->unit);
    return fine;
}

static bool isKnown(const wkDdSimplex* s, const wkDdPoint* next)
{
    for (int i = 0; i < s->count; ++i) {
        wkDdVec gap = wkDdVecSub(s->point[i].w, next->w);
        if (gap.x.high == 0.0 && gap.y.high == 0.0 && gap.z.high == 0.0) {
            return true;
        }
    }
    return false;
}

// Computes the weights of the origin in a tetrahedron that contains it.
static void weighTetrahedron(wkDdSimplex* s)
{
    wkDdVec start = s->point[0].w, e[3];
    for (int i = 0; i < 3; ++i) {
        e[i] = wkDdVecSub(s->point[i + 1].w, start);
    }
    wkDoubleDouble volume = wkDdDot(e[0], wkDdCross(e[1], e[2])), rest = {1.0, 0.0};
    for (int i = 0; i < 3; ++i) {
        wkDdVec across = wkDdCross(e[(i + 1) % 3], e[(i + 2) % 3]);
        s->weight[i + 1] = wkDdDiv(wkDdNeg(wkDdDot(start, across)), volume);
        rest = wkDdSub(rest, s->weight[i + 1]);
    }
    s->weight[0] = rest;
}

static wkVec3d weighedPointA(const wkDdSimplex* s)
{
    wkVec3d start = s->point[0].point.a, point = start;
    for (int i = 1; i < s->count; ++i) {
        point = wkMulAdd(point, s->weight[i].high, wkSub(s->point[i].point.a, start));
    }
    return point;
}

static wkVec3d unitOf(wkDdVec v)
{
    return wkNormalizeOr(wkCoarse(v), wkVec(0.0, 0.0, 1.0));
}

static void answer(double distance, wkVec3d pointA, wkVec3d gap, wkVec3d normal, wkStatus status,
                   wkSolution* out)
{
    out->distance = distance;
    out->pointA = pointA;
    out->pointB = wkAdd(pointA, gap);
    out->normal = normal;
    out->status = status;
}

// Answers for cores that are apart, closest at v.
static void answerApart(search* s, double length, wkSolution* out)
{
    wkVec3d normal = unitOf(s->v);
    wkDdPoint support = supportAlong(s, wkNeg(normal));
    double lower = wkDdDot(wkDdVecOf(normal), support.w).high;
    double scale = 1.0 / s->unit;
    wkStatus status = length - lower <= WK_DD_MET ? wk_statusExact : wk_statusBound;
    answer(scale * wkMinD(lower, length), weighedPointA(&s->s), wkScale(scale, wkCoarse(s->v)),
           normal, status, out);
}

static void answerOverlap(search* s, const wkGoal* goal, wkSolution* out)
{
    wkDdSimplex* fine = &s->s;
    if (!goal->wantsDepth || goal->touching >= 0.0) {
        if (fine->count == 4) {
            weighTetrahedron(fine);
        }
        answer(0.0, weighedPointA(fine), wkVec(0.0, 0.0, 0.0),
               wkNormalizeOr(s->pair->centers, wkVec(0.0, 0.0, 1.0)), wk_statusExact, out);
        return;
    }
    wkSimplex simplex = {.count = fine->count};
    for (int i = 0; i < fine->count; ++i) {
        simplex.point[i] = fine->point[i].point;
        simplex.weight[i] = fine->weight[i].high;
    }
    wkGoal full = {.cutoff = INFINITY, .touching = -INFINITY, .wantsDepth = true};
    wkSolveOverlap(s->pair, &full, &simplex, out);
    out->distance = wkMinD(out->distance, 0.0);
}

// @return false when the cores overlap
static bool findClosest(search* s, const wkGoal* goal, wkSolution* out)
{
    double band = WK_VERDICT_BAND * s->pair->scale;
    double scale = 1.0 / s->unit;
    wkDoubleDouble length = {INFINITY, 0.0};
    for (int i = 0; i < WK_DD_MAX_ITERATIONS; ++i) {
        wkVec3d normal = unitOf(s->v);
        wkDdPoint next = supportAlong(s, wkNeg(normal));
        double lower = wkDdDot(wkDdVecOf(normal), next.w).high;
        out->iterations += 1;
        if (scale * lower > wkMaxD(goal->cutoff, 0.0) + band) {
            answer(scale * lower, next.point.a, next.point.w, normal, wk_statusBound, out);
            return true;
        }
        if (length.high - lower <= WK_DD_GAP || isKnown(&s->s, &next)) {
            break;
        }
        s->s.point[s->s.count++] = next;
        s->v = wkDdClosest(&s->s);
        wkDoubleDouble shorter = wkDdRoot(wkDdDot(s->v, s->v));
        if (s->s.count == 4 || !(shorter.high > WK_DD_TOUCHING)) {
            return false;
        }
        if (scale * shorter.high <= goal->touching - band) {
            answer(scale * shorter.high, weighedPointA(&s->s), wkScale(scale, wkCoarse(s->v)),
                   unitOf(s->v), wk_statusBound, out);
            return true;
        }
        bool isStuck = length.high < INFINITY && !(wkDdSub(shorter, length).high < 0.0);
        length = shorter;
        if (isStuck) {
            break;
        }
    }
    answerApart(s, length.high, out);
    return true;
}

void wkSolveFinely(const wkPair* pair, const wkGoal* goal, wkSolution* out)
{
    wkPair fine = *pair;
    fine.isFine = true;
    search s = {.pair = &fine, .support = wkMakeCoreSupport(pair)};
    s.unit = ldexp(1.0, -ilogb(pair->scale));
    s.v = wkDdVecOf(pair->centers);
    out->iterations = 0;
    if (!findClosest(&s, goal, out)) {
        answerOverlap(&s, goal, out);
    }
    if (goal->cache != NULL) {
        goal->cache->direction = out->normal;
        goal->cache->count = 0;
    }
}
