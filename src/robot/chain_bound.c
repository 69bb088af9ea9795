// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Bounds how far two bodies move towards each other within a box of joint values. The bound follows
// robot/motion.h: the joints change one after the other, from a fixed rigid group outward, and a body moves
// no further than the chord of the rotation at its distance from the axis, in the middle of the box. Any
// of the rigid groups between the bodies may be the fixed one; the one with the least bound is taken.

#include "robot/chain_bound.h"

#include "geom/convex.h"
#include "math/angle.h"

// Rounding error of a bound, in metres, and relative to the lengths and angles in it.
#define BOUND_SLACK 1e-9
#define BOUND_ROUNDING WK_CHAIN_ROUNDING

// Shorter arcs are used in place of their chords.
#define LONG_ARC 0.5

const wkShape* wkSafeConvexAround(const wkCollisionBody* collisionBody)
{
    const wkShape* convex = wkConvexAround(collisionBody);
    bool isSafe = convex == &collisionBody->shape || (convex != NULL && convex->padding >= 0.0);
    return isSafe ? convex : NULL;
}

static wkBoundedBody boundBody(const wkCollisionBody* collisionBody, const wkShape* convex,
                               const wkPose* pose)
{
    wkBoundedBody body;
    for (int i = 0; i < WK_BOX_VERTICES; ++i) {
        wkVec3d sign = wkVec(i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0);
        wkVec3d vertex = wkAdd(collisionBody->middle, wkMulVec(sign, collisionBody->half));
        body.vertices[i] = wkAdd(pose->position, wkRotateByUnit(pose->rotation, vertex));
    }
    wkInnerOuterSpheres spheres = {collisionBody->middle, wkLength(collisionBody->half), 0.0};
    if (convex != NULL) {
        spheres = wkConvexTable[convex->type].sphere(convex);
        spheres.radius += wkPositive(wkShapeRadius(convex));
    }
    body.center = wkAdd(pose->position, wkRotateByUnit(pose->rotation, spheres.center));
    body.radius = spheres.radius;
    return body;
}

// Returns how far the sphere around a body reaches from an axis.
static double sphereLever(const wkBoundedBody* body, wkVec3d origin, wkVec3d axis)
{
    return wkLength(wkCross(axis, wkSub(body->center, origin))) + body->radius;
}

// Returns how far the box around a body reaches from an axis.
static double boxLever(const wkBoundedBody* body, wkVec3d origin, wkVec3d axis)
{
    double square = 0.0;
    for (int i = 0; i < WK_BOX_VERTICES; ++i) {
        wkVec3d across = wkCross(axis, wkSub(body->vertices[i], origin));
        square = wkMaxD(square, wkDot(across, across));
    }
    return sqrt(square);
}

// Returns the length of the chord of a rotation at distance 1.
static double chordOf(double angle)
{
    if (angle < LONG_ARC) {
        return angle;
    }
    double sine = 1.0, cosine = 0.0;
    wkSinCos(0.5 * wkMinD(angle, WK_PI), &sine, &cosine);
    return wkMinD(angle, 2.0 * sine * (1.0 + BOUND_ROUNDING));
}

// The quantities of a joint that bounds need.
typedef struct boundedJoint {
    wkVec3d origin;
    wkVec3d axis;
    double change; // metres, or the chord of the rotation at distance 1
    double leverA; // 1 for prismatic joints
    double leverB;
    bool isPrismatic;
} boundedJoint;

static boundedJoint boundJoint(const wkChainBound* s, const wkChainBox* box, int32_t joint)
{
    const wkChain* chain = s->pair->chain;
    const wkRigidGroup* rigidGroup = &chain->robot->rigidGroups[chain->joints[joint]];
    double change = fabs(rigidGroup->factor) * box->half[chain->slots[joint]];
    boundedJoint bounded = {.change = change, .leverA = 1.0, .leverB = 1.0};
    bounded.isPrismatic = rigidGroup->type == wk_jointPrismatic;
    if (!bounded.isPrismatic) {
        bounded.origin = s->placed.poses[joint].position;
        bounded.axis = wkChainAxis(s->pair, &s->placed, joint);
        bounded.change = chordOf(change);
        bounded.leverA = sphereLever(&s->a, bounded.origin, bounded.axis);
        bounded.leverB = sphereLever(&s->b, bounded.origin, bounded.axis);
    }
    return bounded;
}

// Returns the lengths that rounding is relative to.
static double sizeOf(const wkChainBound* s, const wkChainBox* box)
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

// Returns the best fixed position in the chain: the joints before it move A, those behind it B.
static int32_t fixedIndex(const boundedJoint* joints, int32_t count)
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

// Sets the motion bound and the contributions of the variables.
static void boundMotion(wkChainBound* s, const wkChainBox* box)
{
    const wkChain* chain = s->pair->chain;
    boundedJoint joints[WK_CHAIN_JOINTS];
    for (int32_t k = 0; k < chain->jointCount; ++k) {
        joints[k] = boundJoint(s, box, k);
    }
    int32_t fixed = fixedIndex(joints, chain->jointCount);
    s->bound = 0.0;
    for (int32_t i = 0; i < chain->variableCount; ++i) {
        s->shares[i] = 0.0;
    }
    for (int32_t k = 0; k < chain->jointCount; ++k) {
        const boundedJoint* joint = &joints[k];
        const wkBoundedBody* body = k < fixed ? &s->a : &s->b;
        double lever = k < fixed ? joint->leverA : joint->leverB;
        if (!joint->isPrismatic) {
            lever = wkMinD(lever, boxLever(body, joint->origin, joint->axis));
        }
        s->shares[chain->slots[k]] += joint->change * lever;
        s->bound += joint->change * lever;
    }
    s->bound += BOUND_SLACK + BOUND_ROUNDING * (s->bound + sizeOf(s, box));
}

void wkBoundChain(wkChainBound* s, const wkChainBox* box)
{
    wkPlaceChain(s->pair, box->middle, &s->placed);
    s->a = boundBody(s->pair->a, s->convexA, &s->placed.poseA);
    s->b = boundBody(s->pair->b, s->convexB, &s->placed.poseB);
    boundMotion(s, box);
}
