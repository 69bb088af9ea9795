// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Newton's method on the sphere of directions, with kinks as an active set.

#include "solve/global_depth/support_descent.h"

#define WK_DESCENT_STEPS 24

// Radians: the longest step, the step after which no further one matters, and the distance from a kink within
// which its multiplier is evaluated.
#define WK_DESCENT_MAX_STEP 0.5
#define WK_DESCENT_LAST_STEP 3e-6
#define WK_DESCENT_ON_KINK 1e-5

// Determinant over squared trace below which a second derivative is singular.
#define WK_DESCENT_FLAT 1e-12

// Gradient over trace below which a curve of equal heights may be near.
#define WK_DESCENT_BESIDE 0.03

// Cosine of the angle to a disc's axis within which the axis is tried, and the angle at which the search
// continues beside it.
#define WK_DESCENT_AT_AXIS 0.9995
#define WK_DESCENT_TILT 0.1

// A kink closer to zero than this share of the scale has no side of its own.
#define WK_DESCENT_SIDE 1e-9

// The sum of all terms may deviate by this share of the scale from the direction it should be along, and be
// shorter by this than the height.
#define WK_DESCENT_REST 1e-10
#define WK_DESCENT_MET 1e-13

// The support sum at one direction. Tangent vectors are pairs of coordinates along u and v.
typedef struct state {
    const wkSupportSum* supportSum;
    wkVec3d d, u, v;
    int active[2];
    int activeCount;
    bool isActive[WK_SUPPORT_SUM_KINKS];
    double multiplier[WK_SUPPORT_SUM_KINKS];
    double kink[WK_SUPPORT_SUM_KINKS];   // value inside the bars ...
    double slopeU[WK_SUPPORT_SUM_KINKS]; // ... and its derivative
    double slopeV[WK_SUPPORT_SUM_KINKS];
    wkVec3d supportA, supportB;
    double height, gradU, gradV;
    double uu, uv, vv; // second derivative on the sphere
    double reach;      // longest step (radians)
} state;

typedef struct tangent {
    double u, v;
} tangent;

static int kinkOfRound(int round)
{
    return WK_SUPPORT_SUM_EDGES + round;
}

// A kink that was just released keeps its side until it is clearly on one.
static void setMultiplier(state* s, int k)
{
    if (!s->isActive[k] && fabs(s->kink[k]) > WK_DESCENT_SIDE * s->supportSum->scale) {
        s->multiplier[k] = s->kink[k] < 0.0 ? -1.0 : 1.0;
    }
}

static void addSupport(state* s, bool isOfB, double share, wkVec3d point)
{
    wkVec3d* sum = isOfB ? &s->supportB : &s->supportA;
    *sum = wkMulAdd(*sum, share, point);
}

static void addEdgeTerm(state* s, int k)
{
    wkVec3d edge = s->supportSum->edge[k];
    s->kink[k] = wkDot(edge, s->d);
    s->slopeU[k] = wkDot(edge, s->u), s->slopeV[k] = wkDot(edge, s->v);
    setMultiplier(s, k);
    addSupport(s, s->supportSum->isEdgeOfB[k], s->multiplier[k], edge);
}

static void addRoundTerm(state* s, int i)
{
    const wkRoundTerm* round = &s->supportSum->round[i];
    wkVec3d q = wkMulSV(&round->matrix, s->d);
    double reach = sqrt(wkMaxD(wkDot(s->d, q), 0.0));
    double inverse = reach > 0.0 ? 1.0 / reach : 0.0;
    wkVec3d point = wkScale(inverse, q);
    double pu = wkDot(point, s->u), pv = wkDot(point, s->v), share = 1.0;
    if (round->isCone) {
        int k = kinkOfRound(i);
        s->kink[k] = 0.5 * reach - wkDot(round->apex, s->d);
        s->slopeU[k] = 0.5 * pu - wkDot(round->apex, s->u);
        s->slopeV[k] = 0.5 * pv - wkDot(round->apex, s->v);
        setMultiplier(s, k);
        share = 0.5 + 0.5 * s->multiplier[k];
        addSupport(s, round->isOfB, -s->multiplier[k], round->apex);
    }
    addSupport(s, round->isOfB, share, point);
    wkVec3d mu = wkMulSV(&round->matrix, s->u), mv = wkMulSV(&round->matrix, s->v);
    double bend = share * inverse;
    s->uu += bend * (wkDot(s->u, mu) - pu * pu);
    s->uv += bend * (wkDot(s->u, mv) - pu * pv);
    s->vv += bend * (wkDot(s->v, mv) - pv * pv);
}

// Evaluates all terms at d, except the disc that lies flat.
static void evaluate(state* s, int flatDisc)
{
    const wkSupportSum* supportSum = s->supportSum;
    wkTangents(s->d, &s->u, &s->v);
    s->supportA = s->supportB = wkVec(0.0, 0.0, 0.0);
    s->uu = s->uv = s->vv = 0.0;
    for (int k = 0; k < supportSum->edgeCount; ++k) {
        addEdgeTerm(s, k);
    }
    for (int i = 0; i < supportSum->roundCount; ++i) {
        if (i != flatDisc) {
            addRoundTerm(s, i);
        }
    }
    wkVec3d sum = wkAdd(supportSum->way, wkAdd(s->supportA, s->supportB));
    s->height = wkDot(sum, s->d);
    s->gradU = wkDot(sum, s->u), s->gradV = wkDot(sum, s->v);
    s->uu -= s->height, s->vv -= s->height;
}

static tangent bend(const state* s, tangent x)
{
    tangent y = {s->uu * x.u + s->uv * x.v, s->uv * x.u + s->vv * x.v};
    return y;
}

// Returns the downhill step where no kink is active. Over a saddle or a hilltop the step has the largest
// length. But the sum may be constant along a curve: beside it the second derivative along the curve is about
// the gradient's size, of either sign, and Newton's step is taken across the curve only.
static tangent stepFree(const state* s)
{
    double det = s->uu * s->vv - s->uv * s->uv, trace = s->uu + s->vv;
    double length = sqrt(s->gradU * s->gradU + s->gradV * s->gradV);
    bool isNearCurve = length < WK_DESCENT_BESIDE * trace &&
                       fabs(det) <= (WK_DESCENT_FLAT * trace + 2.0 * length) * trace;
    if (!isNearCurve && trace > 0.0 && det > 0.0) {
        tangent x = {(s->uv * s->gradV - s->vv * s->gradU) / det,
                     (s->uv * s->gradU - s->uu * s->gradV) / det};
        return x;
    }
    double longest = length > 0.0 ? s->reach / length : 0.0;
    double scale = isNearCurve ? wkMinD(longest, 1.0 / trace) : longest;
    tangent x = {-scale * s->gradU, -scale * s->gradV};
    return x;
}

// Returns the step along one kink and back onto it; sets the multiplier that cancels the gradient.
static tangent stepOnKink(state* s)
{
    int k = s->active[0];
    double su = s->slopeU[k], sv = s->slopeV[k], squared = su * su + sv * sv;
    double inverse = squared > 0.0 ? 1.0 / squared : 0.0;
    tangent back = {-s->kink[k] * inverse * su, -s->kink[k] * inverse * sv};
    tangent bent = bend(s, back), across = {-sv, su};
    tangent rotated = bend(s, across);
    double slope = (s->gradU + bent.u) * across.u + (s->gradV + bent.v) * across.v;
    double curvature = rotated.u * across.u + rotated.v * across.v;
    double limit = s->reach * sqrt(inverse);
    double t =
        curvature > 0.0 ? wkClamp(-slope / curvature, -limit, limit) : -copysign(limit, slope);
    tangent x = {back.u + t * across.u, back.v + t * across.v};
    tangent change = bend(s, x);
    s->multiplier[k] -= ((s->gradU + change.u) * su + (s->gradV + change.v) * sv) * inverse;
    return x;
}

// Returns the step to the crossing of two kinks, with their multipliers.
static tangent stepToCrossing(state* s)
{
    int j = s->active[0], k = s->active[1];
    double ju = s->slopeU[j], jv = s->slopeV[j], ku = s->slopeU[k], kv = s->slopeV[k];
    double det = ju * kv - jv * ku, inverse = det != 0.0 ? 1.0 / det : 0.0;
    tangent x = {inverse * (s->kink[k] * jv - s->kink[j] * kv),
                 inverse * (s->kink[j] * ku - s->kink[k] * ju)};
    tangent change = bend(s, x);
    double gu = s->gradU + change.u, gv = s->gradV + change.v;
    s->multiplier[j] -= inverse * (gu * kv - gv * ku);
    s->multiplier[k] -= inverse * (gv * ju - gu * jv);
    return x;
}

static void activate(state* s, int k)
{
    s->active[s->activeCount++] = k;
    s->isActive[k] = true;
    s->multiplier[k] = 0.0;
}

static void release(state* s, int slot)
{
    int k = s->active[slot];
    s->isActive[k] = false;
    s->multiplier[k] = s->multiplier[k] < 0.0 ? -1.0 : 1.0;
    s->activeCount -= 1;
    s->active[slot] = s->active[s->activeCount];
}

// Releases the kink whose multiplier is furthest outside [-1, 1], if any.
static bool releaseWorst(state* s)
{
    int worst = -1;
    double most = 1.0;
    for (int i = 0; i < s->activeCount; ++i) {
        double size = fabs(s->multiplier[s->active[i]]);
        if (size > most) {
            most = size;
            worst = i;
        }
    }
    if (worst >= 0) {
        release(s, worst);
    }
    return worst >= 0;
}

static double kinkAt(const wkSupportSum* supportSum, int k, wkVec3d d)
{
    if (k < WK_SUPPORT_SUM_EDGES) {
        return wkDot(supportSum->edge[k], d);
    }
    const wkRoundTerm* round = &supportSum->round[k - WK_SUPPORT_SUM_EDGES];
    double reach = sqrt(wkMaxD(wkDot(d, wkMulSV(&round->matrix, d)), 0.0));
    return 0.5 * reach - wkDot(round->apex, d);
}

static bool hasKink(const wkSupportSum* supportSum, int k)
{
    return k < WK_SUPPORT_SUM_EDGES ? k < supportSum->edgeCount
                                    : k - WK_SUPPORT_SUM_EDGES < supportSum->roundCount &&
                                          supportSum->round[k - WK_SUPPORT_SUM_EDGES].isCone;
}

// Returns the first kink between d and d + x, and the share of x that leads to it.
static int findPassedKink(const state* s, wkVec3d end, double* share)
{
    int first = -1;
    *share = 1.0;
    const wkSupportSum* supportSum = s->supportSum;
    int kinks = supportSum->isSymmetric ? supportSum->edgeCount : WK_SUPPORT_SUM_KINKS;
    for (int k = 0; k < kinks; ++k) {
        if (!hasKink(supportSum, k) || s->isActive[k]) {
            continue;
        }
        double after = kinkAt(supportSum, k, end), before = s->kink[k];
        bool isPassed = after * s->multiplier[k] < 0.0;
        double at = isPassed ? before / (before - after) : 1.0;
        if (at < *share) {
            *share = at;
            first = k;
        }
    }
    return first;
}

static wkVec3d moved(const state* s, tangent x, double share)
{
    wkVec3d end = wkMulAdd(wkMulAdd(s->d, share * x.u, s->u), share * x.v, s->v);
    return wkScale(1.0 / wkLength(end), end);
}

static tangent findStep(state* s)
{
    tangent x = s->activeCount == 0   ? stepFree(s)
                : s->activeCount == 1 ? stepOnKink(s)
                                      : stepToCrossing(s);
    double length = sqrt(x.u * x.u + x.v * x.v);
    if (length > s->reach) {
        x.u *= s->reach / length;
        x.v *= s->reach / length;
    }
    return x;
}

static bool finish(state* s, int disc, wkStationary* out)
{
    const wkSupportSum* supportSum = s->supportSum;
    evaluate(s, disc);
    double rest = sqrt(s->gradU * s->gradU + s->gradV * s->gradV);
    out->disc = disc;
    out->discRest = 0.0;
    if (disc >= 0) {
        // the disc supplies the rest of the sum, from inside its rim
        const wkRoundTerm* round = &supportSum->round[disc];
        wkVec3d share = wkMulSub(wkScale(-s->gradU, s->u), s->gradV, s->v);
        wkVec3d* sum = round->isOfB ? &s->supportB : &s->supportA;
        *sum = wkAdd(*sum, share);
        if (round->isCone) {
            *sum = wkSub(*sum, round->apex);
            s->height -= wkDot(round->apex, s->d);
        }
        out->discRest = round->radius - rest;
        rest = wkMinD(out->discRest, 0.0);
    }
    out->direction = s->d;
    out->supportA = s->supportA;
    out->supportB = s->supportB;
    for (int k = 0; k < WK_SUPPORT_SUM_KINKS; ++k) {
        out->multiplier[k] = hasKink(supportSum, k) ? s->multiplier[k] : 0.0;
        out->isAtKink[k] = s->isActive[k];
    }
    // active kinks may not be met exactly: the height of the direction decides
    out->height = wkSupportSum_Height(supportSum, s->d);
    return fabs(rest) <= WK_DESCENT_REST * supportSum->scale &&
           fabs(out->height - s->height) <= WK_DESCENT_MET * supportSum->scale;
}

// Returns the disc whose axis is near d; -1: none.
static int findNearDisc(const state* s)
{
    const wkSupportSum* supportSum = s->supportSum;
    for (int i = 0; i < supportSum->roundCount; ++i) {
        const wkRoundTerm* round = &supportSum->round[i];
        double along = wkDot(round->axis, s->d);
        if (round->radius > 0.0 && (round->isCone ? -along : fabs(along)) > WK_DESCENT_AT_AXIS) {
            return i;
        }
    }
    return -1;
}

// Sets d to the axis of a disc, whose flat side balances the rest of the gradient; or, where that exceeds the
// disc's radius, some way downhill from it.
static bool settleOnDisc(state* s, int disc)
{
    const wkRoundTerm* round = &s->supportSum->round[disc];
    s->d = wkDot(round->axis, s->d) < 0.0 ? wkNeg(round->axis) : round->axis;
    while (s->activeCount > 0) {
        release(s, 0);
    }
    evaluate(s, disc);
    double rest = sqrt(s->gradU * s->gradU + s->gradV * s->gradV);
    if (rest < round->radius) {
        return true;
    }
    tangent away = {-WK_DESCENT_TILT * s->gradU / rest, -WK_DESCENT_TILT * s->gradV / rest};
    s->d = moved(s, away, 1.0);
    return false;
}

static void begin(state* s, const wkSupportSum* supportSum, const wkDescentStart* start)
{
    s->supportSum = supportSum;
    s->d = start->direction;
    s->activeCount = 0;
    s->reach = WK_DESCENT_MAX_STEP;
    for (int k = 0; k < WK_SUPPORT_SUM_KINKS; ++k) {
        s->isActive[k] = false;
        s->multiplier[k] = 1.0;
    }
    for (int i = 0; i < 2; ++i) {
        if (start->edges[i] >= 0) {
            activate(s, start->edges[i]);
        }
    }
}

// Moves d along x, or to the first kink on the way; returns false where three kinks would meet.
static bool advance(state* s, tangent x)
{
    double share;
    wkVec3d end = moved(s, x, 1.0);
    int passed = findPassedKink(s, end, &share);
    if (passed < 0) {
        s->d = end;
        return true;
    }
    if (s->activeCount == 2) {
        return false;
    }
    s->d = moved(s, x, share);
    activate(s, passed);
    return true;
}

bool wkDescend(const wkSupportSum* supportSum, const wkDescentStart* start, wkStationary* out)
{
    state s;
    begin(&s, supportSum, start);
    double before = INFINITY;
    for (int step = 0; step < WK_DESCENT_STEPS; ++step) {
        int disc = findNearDisc(&s);
        if (disc >= 0 && settleOnDisc(&s, disc)) {
            return finish(&s, disc, out);
        }
        evaluate(&s, -1);
        s.reach *= s.height > before + WK_DESCENT_SIDE * supportSum->scale ? 0.4 : 1.0;
        before = s.height;
        tangent x = findStep(&s);
        double length = sqrt(x.u * x.u + x.v * x.v);
        if (length < WK_DESCENT_ON_KINK && releaseWorst(&s)) {
            continue;
        }
        int attached = s.activeCount;
        if (!advance(&s, x)) {
            return false;
        }
        if (length < WK_DESCENT_LAST_STEP && s.activeCount == attached && finish(&s, -1, out)) {
            return true;
        }
    }
    return false;
}
