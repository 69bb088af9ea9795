// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Branch and bound over the joint values between two bodies. In the middle of a box of values the
// bodies are as far apart as they are; nowhere in the box are they nearer to each other by more than the
// motion bound. That bound follows robot/motion.h: the joints change one after the other, from a fixed
// place outward, and a body goes no further than the chord of the rotation at its distance from the
// axis, in the middle of the box. The fixed place may be any of the rigid groups between the bodies; the
// one with the least bound is taken.

#include "geom/convex.h"
#include "math/angle.h"
#include "robot/chain.h"
#include "whisker/query.h"

// Metres of motion within a box below which halving it further leads nowhere: the bodies are as near.
#define LEAST_MOTION 2e-5

// What rounding can do to a bound, in metres, and as a share of the lengths and angles in it.
#define BOUND_SLACK 1e-9
#define BOUND_ROUNDING 1e-12

// Shorter arcs are as good as their chords.
#define LONG_ARC 0.5

// Every so many boxes the search ends when it would take this many times the budget, were the boxes that
// are left like those before.
#define HOPE_BOXES 1024
#define HOPE_FACTOR 8.0

// What a test of meshes costs, where one of convex shapes costs 1.
#define MESH_COST 16

#define CORNER_COUNT 8

// A body as bounds see it: the vertices of a box and a sphere around it.
typedef struct boundedBody {
    wkVec3d corners[CORNER_COUNT];
    wkVec3d center;
    double radius;
} boundedBody;

typedef struct chainSearch {
    const wkChainPair* pair;
    const wkShape* convexA; // the bodies, or hulls around them; NULL: there is none
    const wkShape* convexB;
    bool isExact; // the convex shapes are the bodies
    wkPlacedChain placed;
    boundedBody a;
    boundedBody b;
    double bound;                      // motion in the box at hand
    double shares[WK_CHAIN_VARIABLES]; // what each variable adds to it
    int32_t* budget;
    double provenShare; // of all joint values
} chainSearch;

// A convex shape that can only be larger than the body.
static const wkShape* convexOf(const wkCrewMember* member)
{
    const wkShape* convex = wkConvexAround(member);
    bool isSafe = convex == &member->shape || (convex != NULL && convex->padding >= 0.0);
    return isSafe ? convex : NULL;
}

static boundedBody boundBody(const wkCrewMember* member, const wkShape* convex, const wkPose* pose)
{
    boundedBody body;
    for (int i = 0; i < CORNER_COUNT; ++i) {
        wkVec3d sign = wkVec(i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0);
        wkVec3d corner = wkAdd(member->middle, wkMulVec(sign, member->half));
        body.corners[i] = wkAdd(pose->position, wkRotateByUnit(pose->rotation, corner));
    }
    wkTwoBalls spheres = {member->middle, wkLength(member->half), 0.0};
    if (convex != NULL) {
        spheres = wkConvexTable[convex->type].ball(convex);
        spheres.radius += wkPositive(wkShapeRadius(convex));
    }
    body.center = wkAdd(pose->position, wkRotateByUnit(pose->rotation, spheres.center));
    body.radius = spheres.radius;
    return body;
}

// How far the sphere around a body reaches from an axis.
static double sphereLever(const boundedBody* body, wkVec3d origin, wkVec3d axis)
{
    return wkLength(wkCross(axis, wkSub(body->center, origin))) + body->radius;
}

// And how far the box around it does.
static double boxLever(const boundedBody* body, wkVec3d origin, wkVec3d axis)
{
    double square = 0.0;
    for (int i = 0; i < CORNER_COUNT; ++i) {
        wkVec3d across = wkCross(axis, wkSub(body->corners[i], origin));
        square = wkMaxD(square, wkDot(across, across));
    }
    return sqrt(square);
}

// Length of the chord of a rotation at distance one.
static double chordOf(double angle)
{
    if (angle < LONG_ARC) {
        return angle;
    }
    double sine = 1.0, cosine = 0.0;
    wkSinCos(0.5 * wkMinD(angle, WK_PI), &sine, &cosine);
    return wkMinD(angle, 2.0 * sine * (1.0 + BOUND_ROUNDING));
}

// A joint as bounds see it.
typedef struct boundedJoint {
    wkVec3d origin;
    wkVec3d axis;
    double change; // metres, or the chord of the rotation at distance one
    double leverA; // 1 for prismatic joints
    double leverB;
    bool isPrismatic;
} boundedJoint;

static boundedJoint boundJoint(const chainSearch* s, const wkChainBox* box, int32_t joint)
{
    const wkChain* chain = s->pair->chain;
    const wkMover* mover = &chain->robot->movers[chain->joints[joint]];
    double change = fabs(mover->factor) * box->half[chain->slots[joint]];
    boundedJoint bounded = {.change = change, .leverA = 1.0, .leverB = 1.0};
    bounded.isPrismatic = mover->type == wk_jointPrismatic;
    if (!bounded.isPrismatic) {
        bounded.origin = s->placed.poses[joint].position;
        bounded.axis = wkChainAxis(s->pair, &s->placed, joint);
        bounded.change = chordOf(change);
        bounded.leverA = sphereLever(&s->a, bounded.origin, bounded.axis);
        bounded.leverB = sphereLever(&s->b, bounded.origin, bounded.axis);
    }
    return bounded;
}

// Lengths that rounding is a share of.
static double sizeOf(const chainSearch* s, const wkChainBox* box)
{
    double length = wkMaxAbs(s->a.center) + s->a.radius + wkMaxAbs(s->b.center) + s->b.radius;
    double largest = 1.0;
    for (int32_t k = 0; k < s->pair->chain->jointCount; ++k) {
        length = wkMaxD(length, wkMaxAbs(s->placed.poses[k].position));
    }
    for (int32_t i = 0; i < s->pair->chain->variableCount; ++i) {
        largest = wkMaxD(largest, fabs(box->middle[i]) + box->half[i]);
    }
    return length * largest * (1.0 + s->pair->chain->jointCount);
}

// The place in the chain that is best taken for fixed: the joints before it move A, those behind it B.
static int32_t fixedPlace(const boundedJoint* joints, int32_t count)
{
    double sum = 0.0, least = 0.0;
    int32_t fixed = 0;
    for (int32_t k = 0; k < count; ++k) {
        sum += joints[k].change * (joints[k].leverA - joints[k].leverB);
        if (sum < least) {
            least = sum;
            fixed = k + 1;
        }
    }
    return fixed;
}

// Sets the motion bound and the shares of the variables in it.
static void boundMotion(chainSearch* s, const wkChainBox* box)
{
    const wkChain* chain = s->pair->chain;
    boundedJoint joints[WK_CHAIN_JOINTS];
    for (int32_t k = 0; k < chain->jointCount; ++k) {
        joints[k] = boundJoint(s, box, k);
    }
    int32_t fixed = fixedPlace(joints, chain->jointCount);
    s->bound = 0.0;
    for (int32_t i = 0; i < chain->variableCount; ++i) {
        s->shares[i] = 0.0;
    }
    for (int32_t k = 0; k < chain->jointCount; ++k) {
        const boundedJoint* joint = &joints[k];
        const boundedBody* body = k < fixed ? &s->a : &s->b;
        double lever = k < fixed ? joint->leverA : joint->leverB;
        if (!joint->isPrismatic) {
            lever = wkMinD(lever, boxLever(body, joint->origin, joint->axis));
        }
        s->shares[chain->slots[k]] += joint->change * lever;
        s->bound += joint->change * lever;
    }
    s->bound += BOUND_SLACK + BOUND_ROUNDING * (s->bound + sizeOf(s, box));
}

// Whether the bodies themselves are further apart than the bound, or touch.
static wkChainVerdict testBodies(const chainSearch* s, double reach)
{
    const wkChainPair* pair = s->pair;
    wkCollideRequest request = wkDefaultCollideRequest();
    request.margin = reach;
    *s->budget -= MESH_COST;
    if (!wkCollide(&pair->a->shape, s->placed.poseA, &pair->b->shape, s->placed.poseB, &request)
             .isTouching) {
        return wk_chainApart;
    }
    wkStatus status;
    bool isTouching =
        wkTouchMembers(pair->a, s->placed.poseA, pair->b, s->placed.poseB, pair->margin, &status);
    return isTouching ? wk_chainTouching : wk_chainOpen;
}

// What is known about a box from its middle.
static wkChainVerdict examine(chainSearch* s, const wkChainBox* box)
{
    wkPlaceChain(s->pair, box->middle, &s->placed);
    s->a = boundBody(s->pair->a, s->convexA, &s->placed.poseA);
    s->b = boundBody(s->pair->b, s->convexB, &s->placed.poseB);
    boundMotion(s, box);
    --*s->budget;
    double reach = s->bound + s->pair->margin;
    double apart = wkLength(wkSub(s->a.center, s->b.center)) - (s->a.radius + s->b.radius);
    if (apart > reach) {
        return wk_chainApart;
    }
    if (s->convexA == NULL || s->convexB == NULL) {
        return testBodies(s, reach);
    }
    wkDistanceRequest request = wkDefaultDistanceRequest();
    request.cutoff = wkPositive(reach);
    double distance =
        wkDistance(s->convexA, s->placed.poseA, s->convexB, s->placed.poseB, &request).distance;
    if (distance > reach) {
        return wk_chainApart;
    }
    // hulls that are apart are told from each other in smaller boxes
    bool isNear = distance <= s->pair->margin;
    return !isNear ? wk_chainOpen : s->isExact ? wk_chainTouching : testBodies(s, reach);
}

static bool hasEnd(const wkCrewMember* member)
{
    return wkSumAbs(member->half) < INFINITY;
}

static wkChainBox wholeBox(const wkChain* chain)
{
    wkChainBox box;
    box.share = 1.0;
    for (int32_t i = 0; i < chain->variableCount; ++i) {
        box.middle[i] = 0.5 * (chain->lower[i] + chain->upper[i]);
        box.half[i] = 0.5 * (chain->upper[i] - chain->lower[i]) * (1.0 + BOUND_ROUNDING);
    }
    return box;
}

static int32_t widestOf(const chainSearch* s)
{
    int32_t widest = 0;
    for (int32_t i = 1; i < s->pair->chain->variableCount; ++i) {
        widest = s->shares[i] > s->shares[widest] ? i : widest;
    }
    return widest;
}

// Halves the box at the top of the stack into two.
static void halve(const chainSearch* s, wkChainBox* box, wkChainBox* other)
{
    int32_t widest = widestOf(s);
    *other = *box;
    // a little more than half, so that rounding leaves nothing between the two
    double half = 0.5 * box->half[widest], middle = box->middle[widest];
    box->half[widest] = other->half[widest] = half * (1.0 + BOUND_ROUNDING);
    box->middle[widest] = middle - half;
    other->middle[widest] = middle + half;
    box->share = other->share = 0.5 * box->share;
}

// Whether the budget is likely to last.
static bool isHopeful(const chainSearch* s, int32_t boxCount, int32_t budget)
{
    return boxCount % HOPE_BOXES != 0 ||
           (double)boxCount < HOPE_FACTOR * (double)budget * s->provenShare;
}

wkChainVerdict wkSearchChain(const wkChainPair* pair, int32_t* budget)
{
    chainSearch s = {
        .pair = pair, .convexA = convexOf(pair->a), .convexB = convexOf(pair->b), .budget = budget};
    s.isExact = s.convexA == &pair->a->shape && s.convexB == &pair->b->shape;
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
        if (!(s.bound > LEAST_MOTION && s.bound < INFINITY) || count == WK_CHAIN_BOXES) {
            return wk_chainOpen;
        }
        halve(&s, box, &stack[count++]);
    }
    return wk_chainApart;
}
