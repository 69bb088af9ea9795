// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Let e be the angle from a stationary direction n, t the unit tangent along the displacement, s = sin e. A
// round term with support point p at n is exactly
//
//     sqrt(l^2 + g s^2)   with   l = p.d  and  g = t.G t,  G = M - p p^T,
//
// that is l + g s^2 / (l + sqrt(l^2 + g s^2)), and l is at most L = p.n + |p across n| s. A term at its kink,
// with multiplier m and slope k across n, exceeds m k.d by at least (1 - |m|) |k.t| s. All points sum to
// height * n, so that
//
//     h(d) >= height cos e + s^2 t.S t,
//     S = sum G / (L + sqrt(L^2 + trace(G) s^2)) + sum (1 - |m|) / (|k| s) k k^T,
//
// where |k.t| >= (k.t)^2 / |k| made the kinks quadratic, and S only grows when s falls. The cap is valid when
// the smaller eigenvalue of S, evaluated at its rim, reaches (height cos e - floor) / -s^2.

#include "solve/global_depth/direction_cap.h"

// Sine and cosine of the angles tested, largest first, and the index of the first test.
#define WK_CAP_TRIES 14
#define WK_CAP_FIRST_TRY 4
static const double tries[WK_CAP_TRIES][2] = {
    {0.963558185, 0.267498829}, {0.912763940, 0.408487441}, {0.841470985, 0.540302306},
    {0.770738879, 0.637151144}, {0.696135239, 0.717910670}, {0.620985987, 0.783821666},
    {0.548023937, 0.836462650}, {0.479425539, 0.877582562}, {0.407760453, 0.913088940},
    {0.333487092, 0.942754666}, {0.257080552, 0.966389978}, {0.179029573, 0.983843693},
    {0.099833417, 0.995004165}, {0.049979169, 0.998750260}};

// Share of a cone's kink that is used, in units of the amount needed; it is taken from the disc.
#define WK_CAP_KINK_SHARE 2.0

// A 2 by 2 symmetric matrix between tangents.
typedef struct wkBend {
    double uu, uv, vv;
} wkBend;

static void addSquare(wkBend* sum, double share, double u, double v)
{
    sum->uu += share * u * u;
    sum->uv += share * u * v;
    sum->vv += share * v * v;
}

// A cone's kink: the contribution of both sides, and the part of it that belongs to the disc.
typedef struct coneParts {
    double slack;  // 1 - |m|
    double whole;  // share of the disc in the sum
    double length; // |k|
    double u, v;   // k / |k|
} coneParts;

// Quantities that do not depend on the angle.
typedef struct capParts {
    int roundCount;
    double reach[WK_SUPPORT_SUM_ROUNDS];  // p.n
    double across[WK_SUPPORT_SUM_ROUNDS]; // |p across n|
    wkBend round[WK_SUPPORT_SUM_ROUNDS];  // G
    coneParts cone[WK_SUPPORT_SUM_ROUNDS];
    wkBend kinks; // sum (1 - |m|) / |k| k k^T, of edges and the flat disc
} capParts;

static void addEdgeKink(capParts* parts, double multiplier, double u, double v)
{
    double length = sqrt(u * u + v * v), rest = 1.0 - fabs(multiplier);
    if (length > 0.0 && rest > 0.0) {
        addSquare(&parts->kinks, rest / length, u, v);
    }
}

static coneParts findCone(const wkStationary* at, const wkRoundTerm* round, int kink, double u,
                          double v)
{
    coneParts cone = {0.0, 1.0, 0.0, 0.0, 0.0};
    if (round->isCone) {
        double multiplier = at->multiplier[kink];
        cone.whole = 0.5 + 0.5 * multiplier;
        cone.length = sqrt(u * u + v * v);
        double inverse = cone.length > 0.0 ? 1.0 / cone.length : 0.0;
        cone.slack = at->isAtKink[kink] ? wkMaxD(1.0 - fabs(multiplier), 0.0) : 0.0;
        cone.u = inverse * u, cone.v = inverse * v;
    }
    return cone;
}

static void addRoundParts(capParts* parts, const wkSupportSum* sum, const wkStationary* at, int i,
                          wkVec3d u, wkVec3d v)
{
    const wkRoundTerm* round = &sum->round[i];
    if (i == at->disc) {
        // |share + disc| exceeds its part of the sum by rest * s
        double rest = wkMaxD(at->discRest, 0.0);
        parts->kinks.uu += rest, parts->kinks.vv += rest;
        return;
    }
    wkVec3d n = at->direction, q = wkMulSV(&round->matrix, n);
    double reach = sqrt(wkMaxD(wkDot(n, q), 0.0));
    double inverse = reach > 0.0 ? 1.0 / reach : 0.0;
    double pu = inverse * wkDot(q, u), pv = inverse * wkDot(q, v);
    wkVec3d mu = wkMulSV(&round->matrix, u), mv = wkMulSV(&round->matrix, v);
    int slot = parts->roundCount, kink = WK_SUPPORT_SUM_EDGES + i;
    parts->reach[slot] = reach;
    parts->across[slot] = sqrt(pu * pu + pv * pv);
    parts->round[slot].uu = wkDot(u, mu) - pu * pu;
    parts->round[slot].uv = wkDot(u, mv) - pu * pv;
    parts->round[slot].vv = wkDot(v, mv) - pv * pv;
    parts->cone[slot] = findCone(at, round, kink, 0.5 * pu - wkDot(round->apex, u),
                                 0.5 * pv - wkDot(round->apex, v));
    parts->roundCount += reach > 0.0;
}

static void findParts(const wkSupportSum* sum, const wkStationary* at, capParts* parts)
{
    wkVec3d u, v;
    wkTangents(at->direction, &u, &v);
    parts->roundCount = 0;
    parts->kinks.uu = parts->kinks.uv = parts->kinks.vv = 0.0;
    for (int k = 0; k < sum->edgeCount; ++k) {
        if (at->isAtKink[k]) {
            addEdgeKink(parts, at->multiplier[k], wkDot(sum->edge[k], u), wkDot(sum->edge[k], v));
        }
    }
    for (int i = 0; i < sum->roundCount; ++i) {
        addRoundParts(parts, sum, at, i, u, v);
    }
}

// Returns the smaller eigenvalue of S, where `needed` is the value it should reach.
static double leastBend(const capParts* parts, double s, double needed)
{
    double inverse = 1.0 / s;
    wkBend sum = {inverse * parts->kinks.uu, inverse * parts->kinks.uv, inverse * parts->kinks.vv};
    for (int i = 0; i < parts->roundCount; ++i) {
        const wkBend* g = &parts->round[i];
        const coneParts* cone = &parts->cone[i];
        double limit = parts->reach[i] + parts->across[i] * s;
        double trace = wkMaxD(g->uu + g->vv, 0.0);
        double kink = inverse * cone->slack * cone->length;
        double used = kink > WK_CAP_KINK_SHARE * needed ? WK_CAP_KINK_SHARE * needed / kink : 1.0;
        addSquare(&sum, used * kink, cone->u, cone->v);
        double whole = cone->whole - 0.5 * used * cone->slack;
        double share = whole / (limit + sqrt(limit * limit + trace * s * s));
        sum.uu += share * g->uu, sum.uv += share * g->uv, sum.vv += share * g->vv;
    }
    double half = 0.5 * (sum.uu - sum.vv);
    return 0.5 * (sum.uu + sum.vv) - sqrt(half * half + sum.uv * sum.uv);
}

static bool holds(const capParts* parts, const wkStationary* at, double floor, int i)
{
    double s = tries[i][0], c = tries[i][1];
    double needed = (floor - at->height * c) / (s * s);
    return leastBend(parts, s, needed) >= needed;
}

wkDirectionCap wkMakeDirectionCap(const wkSupportSum* sum, const wkStationary* at, double floor)
{
    capParts parts = {.roundCount = 0};
    findParts(sum, at, &parts);
    wkDirectionCap cap = {at->direction, 2.0};
    int i = WK_CAP_FIRST_TRY;
    if (holds(&parts, at, floor, i)) {
        while (i > 0 && holds(&parts, at, floor, i - 1)) {
            i -= 1;
        }
    } else {
        do {
            i += 1;
        } while (i < WK_CAP_TRIES && !holds(&parts, at, floor, i));
    }
    cap.cosine = i < WK_CAP_TRIES ? tries[i][1] : 2.0;
    return cap;
}
