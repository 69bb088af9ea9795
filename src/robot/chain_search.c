// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Branch and bound over the joint values between two bodies. Nowhere in a box of values are the bodies
// nearer to each other than in its middle by more than the motion bound.

#include "robot/chain_bound.h"
#include "whisker/query.h"

// Metres of motion within a box below which it is not halved further: the bodies are that near.
#define LEAST_MOTION 2e-5

// After every HOPE_BOXES boxes the search ends if it would take more than the factor below times the budget,
// extrapolated from the boxes so far.
#define HOPE_BOXES 1024
#define HOPE_FACTOR 8.0

// Cost of a test of meshes, where a test of convex shapes costs 1.
#define MESH_COST 16

typedef struct chainSearch {
    wkChainBound bound; // of the current box
    bool isExact;       // the convex shapes are the bodies
    int32_t* budget;
    double provenShare; // of all joint values
} chainSearch;

// Tests whether the bodies themselves are further apart than the bound, or touch.
static wkChainVerdict testBodies(const chainSearch* s, double reach)
{
    const wkChainPair* pair = s->bound.pair;
    wkCollideRequest request = wkDefaultCollideRequest();
    request.margin = reach;
    *s->budget -= MESH_COST;
    if (!wkCollide(&pair->a->shape, s->bound.placed.poseA, &pair->b->shape, s->bound.placed.poseB,
                   &request)
             .isTouching) {
        return wk_chainApart;
    }
    wkStatus status;
    bool isTouching = wkCollideBodies(pair->a, s->bound.placed.poseA, pair->b,
                                      s->bound.placed.poseB, pair->margin, &status);
    return isTouching ? wk_chainTouching : wk_chainOpen;
}

// Classifies a box by its middle.
static wkChainVerdict examine(chainSearch* s, const wkChainBox* box)
{
    wkBoundChain(&s->bound, box);
    --*s->budget;
    double reach = s->bound.bound + s->bound.pair->margin;
    double apart = wkLength(wkSub(s->bound.a.center, s->bound.b.center)) -
                   (s->bound.a.radius + s->bound.b.radius);
    if (apart > reach) {
        return wk_chainApart;
    }
    if (s->bound.convexA == NULL || s->bound.convexB == NULL) {
        return testBodies(s, reach);
    }
    wkDistanceRequest request = wkDefaultDistanceRequest();
    request.cutoff = wkPositive(reach);
    double distance = wkDistance(s->bound.convexA, s->bound.placed.poseA, s->bound.convexB,
                                 s->bound.placed.poseB, &request)
                          .distance;
    if (distance > reach) {
        return wk_chainApart;
    }
    // hulls that are apart by less than the bound may be proven apart in smaller boxes
    bool isNear = distance <= s->bound.pair->margin;
    return !isNear ? wk_chainOpen : s->isExact ? wk_chainTouching : testBodies(s, reach);
}

static bool hasEnd(const wkCollisionBody* collisionBody)
{
    return wkSumAbs(collisionBody->half) < INFINITY;
}

static wkChainBox wholeBox(const wkChain* chain)
{
    wkChainBox box;
    box.share = 1.0;
    for (int32_t i = 0; i < chain->variableCount; ++i) {
        box.middle[i] = 0.5 * (chain->lower[i] + chain->upper[i]);
        box.half[i] = 0.5 * (chain->upper[i] - chain->lower[i]) * (1.0 + WK_CHAIN_ROUNDING);
    }
    return box;
}

static int32_t widestOf(const chainSearch* s)
{
    int32_t widest = 0;
    for (int32_t i = 1; i < s->bound.pair->chain->variableCount; ++i) {
        widest = s->bound.shares[i] > s->bound.shares[widest] ? i : widest;
    }
    return widest;
}

// Halves the box at the top of the stack into two.
static void halve(const chainSearch* s, wkChainBox* box, wkChainBox* other)
{
    int32_t widest = widestOf(s);
    *other = *box;
    // slightly more than half, so that rounding leaves no gap between the two
    double half = 0.5 * box->half[widest], middle = box->middle[widest];
    box->half[widest] = other->half[widest] = half * (1.0 + WK_CHAIN_ROUNDING);
    box->middle[widest] = middle - half;
    other->middle[widest] = middle + half;
    box->share = other->share = 0.5 * box->share;
}

// Returns whether the budget is likely to suffice.
static bool isHopeful(const chainSearch* s, int32_t boxCount, int32_t budget)
{
    return boxCount % HOPE_BOXES != 0 ||
           (double)boxCount < HOPE_FACTOR * (double)budget * s->provenShare;
}

wkChainVerdict wkSearchChain(const wkChainPair* pair, int32_t* budget)
{
    chainSearch s = {.budget = budget};
    s.bound.pair = pair;
    s.bound.convexA = wkSafeConvexAround(pair->a);
    s.bound.convexB = wkSafeConvexAround(pair->b);
    s.isExact = s.bound.convexA == &pair->a->shape && s.bound.convexB == &pair->b->shape;
    wkChainBox* stack = pair->stack;
    if (!hasEnd(pair->a) || !hasEnd(pair->b)) {
        return wk_chainOpen;
    }
    int32_t count = 1, boxCount = 0, whole = *budget;
    stack[0] = wholeBox(pair->chain);
    while (count > 0) {
        wkChainBox* box = &stack[count - 1];
        if (*budget <= 0 || !isHopeful(&s, ++boxCount, whole)) {
            return wk_chainOpen;
        }
        wkChainVerdict verdict = examine(&s, box);
        if (verdict == wk_chainTouching) {
            return verdict;
        }
        if (verdict == wk_chainApart) {
            s.provenShare += box->share;
            --count;
            continue;
        }
        if (!(s.bound.bound > LEAST_MOTION && s.bound.bound < INFINITY) ||
            count == WK_CHAIN_BOXES) {
            return wk_chainOpen;
        }
        halve(&s, box, &stack[count++]);
    }
    return wk_chainApart;
}
