// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Descents to a configuration in which two bodies touch, along the gradient of their distance. Steps would
// lead to contact if the distance were linear, and are shortened where the distance grows. Hulls are
// followed first, which is faster than following meshes.

#include "base/random.h"
#include "robot/chain.h"
#include "whisker/query.h"

#define STEP_COUNT 24
// Number of times that a step is halved when it brings the bodies further apart.
#define HALVING_COUNT 5
// A descent ends when a step reduces the distance by less than this share.
#define LEAST_PROGRESS 1e-3
// Steps aim this much beyond contact, in metres, to find a contact.
#define BEYOND_CONTACT 1e-4

typedef struct descent {
    const wkChainPair* pair;
    const wkShape* a;
    const wkShape* b;
    double values[WK_CHAIN_VARIABLES];
    double gradient[WK_CHAIN_VARIABLES];
    wkPlacedChain placed;
    wkDistanceResult closest;
} descent;

static double measure(descent* d, const double* values)
{
    wkPlaceChain(d->pair, values, &d->placed);
    d->closest = wkDistance(d->a, d->placed.poseA, d->b, d->placed.poseB, NULL);
    return d->closest.distance;
}

// Sets the derivative of the distance for each variable, from the closest points; 0 where a limit blocks it.
static double setGradient(descent* d)
{
    const wkChain* chain = d->pair->chain;
    double square = 0.0;
    for (int32_t i = 0; i < chain->variableCount; ++i) {
        d->gradient[i] = 0.0;
    }
    for (int32_t k = 0; k < chain->jointCount; ++k) {
        const wkRigidGroup* rigidGroup = &chain->robot->rigidGroups[chain->joints[k]];
        bool carriesA = k < chain->countOfA;
        wkVec3d axis = wkChainAxis(d->pair, &d->placed, k);
        wkVec3d point = carriesA ? d->closest.pointA : d->closest.pointB;
        wkVec3d arm = wkSub(point, d->placed.poses[k].position);
        wkVec3d rate = rigidGroup->type == wk_jointPrismatic ? axis : wkCross(axis, arm);
        double change = rigidGroup->factor * wkDot(d->closest.normal, rate);
        d->gradient[chain->slots[k]] += carriesA ? -change : change;
    }
    for (int32_t i = 0; i < chain->variableCount; ++i) {
        bool isStopped = (d->gradient[i] > 0.0 && d->values[i] <= chain->lower[i]) ||
                         (d->gradient[i] < 0.0 && d->values[i] >= chain->upper[i]);
        d->gradient[i] = isStopped ? 0.0 : d->gradient[i];
        square += d->gradient[i] * d->gradient[i];
    }
    return square;
}

// Makes a step downhill; the values stay unchanged when no step comes nearer.
// @return the new distance
static double step(descent* d, double distance, double square)
{
    const wkChain* chain = d->pair->chain;
    double length = (wkPositive(distance - d->pair->margin) + BEYOND_CONTACT) / square;
    double values[WK_CHAIN_VARIABLES];
    for (int halving = 0; halving < HALVING_COUNT; ++halving) {
        for (int32_t i = 0; i < chain->variableCount; ++i) {
            values[i] =
                wkClamp(d->values[i] - length * d->gradient[i], chain->lower[i], chain->upper[i]);
        }
        double next = measure(d, values);
        if (next < distance) {
            for (int32_t i = 0; i < chain->variableCount; ++i) {
                d->values[i] = values[i];
            }
            return next;
        }
        length *= 0.5;
    }
    return distance;
}

// Follows two shapes until they touch or come no nearer.
static bool descend(descent* d, const wkShape* a, const wkShape* b)
{
    d->a = a;
    d->b = b;
    double distance = measure(d, d->values);
    for (int i = 0; i < STEP_COUNT && distance > d->pair->margin; ++i) {
        double square = setGradient(d);
        if (!(square > 0.0)) {
            return false;
        }
        double next = step(d, distance, square);
        if (!(next < distance - LEAST_PROGRESS * (distance - d->pair->margin))) {
            return next <= d->pair->margin;
        }
        distance = next;
    }
    return distance <= d->pair->margin;
}

static void drawStart(descent* d, uint64_t* seed)
{
    const wkChain* chain = d->pair->chain;
    for (int32_t i = 0; i < chain->variableCount; ++i) {
        double share = wkNextShare(seed);
        d->values[i] = (1.0 - share) * chain->lower[i] + share * chain->upper[i];
    }
}

bool wkDescendChain(const wkChainPair* pair, uint64_t seed, int32_t startCount)
{
    const wkCollisionBody *a = pair->a, *b = pair->b;
    const wkShape *hullA = wkConvexAround(a), *hullB = wkConvexAround(b);
    bool hasHulls = hullA != NULL && hullB != NULL;
    descent d;
    d.pair = pair;
    for (int32_t i = 0; i < startCount; ++i) {
        drawStart(&d, &seed);
        if (hasHulls && !descend(&d, hullA, hullB)) {
            continue;
        }
        bool isExact = hullA == &a->shape && hullB == &b->shape;
        if (isExact || descend(&d, &a->shape, &b->shape)) {
            // with the test that checks use
            wkStatus status;
            wkPlaceChain(pair, d.values, &d.placed);
            if (wkCollideBodies(a, d.placed.poseA, b, d.placed.poseB, pair->margin, &status)) {
                return true;
            }
        }
    }
    return false;
}
