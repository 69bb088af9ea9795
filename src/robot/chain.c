// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Which joints lie between two rigid groups, what their limits are, and where they place two bodies.

#include "robot/chain.h"

#include "math/angle.h"

// Configurations at a limit may be off by rounding.
#define LIMIT_SLACK 1e-6

static bool isRotation(const wkMover* mover)
{
    return mover->type == wk_jointRevolute || mover->type == wk_jointContinuous;
}

// The joints on both sides up to where these meet. Parents have lower numbers: the higher one climbs.
static bool findJoints(wkChain* chain, int32_t a, int32_t b)
{
    const wkMover* movers = chain->robot->movers;
    int32_t ofB[WK_CHAIN_JOINTS], countOfB = 0;
    while (a != b) {
        int32_t* higher = a > b ? &a : &b;
        const wkMover* mover = &movers[*higher];
        if (chain->countOfA + countOfB == WK_CHAIN_JOINTS ||
            !(isRotation(mover) || mover->type == wk_jointPrismatic)) {
            return false;
        }
        if (a > b) {
            chain->joints[chain->countOfA++] = a;
        } else {
            ofB[countOfB++] = b;
        }
        *higher = mover->parent;
    }
    chain->jointCount = chain->countOfA;
    while (countOfB > 0) {
        chain->joints[chain->jointCount++] = ofB[--countOfB];
    }
    return true;
}

// Which of the chain's variables that one is; it joins them.
// @return -1: there are too many
static int32_t slotOf(wkChain* chain, int32_t variable)
{
    for (int32_t i = 0; i < chain->variableCount; ++i) {
        if (chain->variables[i] == variable) {
            return i;
        }
    }
    if (chain->variableCount == WK_CHAIN_VARIABLES) {
        return -1;
    }
    chain->variables[chain->variableCount] = variable;
    return chain->variableCount++;
}

// Whether all joints that follow a variable stand the same after a whole turn of it.
static bool doWholeTurns(const wkChain* chain, int32_t slot)
{
    for (int32_t k = 0; k < chain->jointCount; ++k) {
        const wkMover* mover = &chain->robot->movers[chain->joints[k]];
        bool isSame = isRotation(mover) && mover->factor == rint(mover->factor);
        if (chain->slots[k] == slot && !isSame) {
            return false;
        }
    }
    return true;
}

static bool setLimits(wkChain* chain, int32_t slot)
{
    const wkVariableInfo* info = &chain->robot->variables[chain->variables[slot]];
    double lower = info->lower - LIMIT_SLACK * (1.0 + fabs(info->lower));
    double upper = info->upper + LIMIT_SLACK * (1.0 + fabs(info->upper));
    bool isTurn = doWholeTurns(chain, slot);
    bool isBounded = upper - lower < INFINITY;
    bool isWhole = isTurn && !(upper - lower < 2.0 * WK_PI);
    chain->isWhole[slot] = isWhole;
    chain->lower[slot] = isWhole ? -WK_PI : lower;
    chain->upper[slot] = isWhole ? WK_PI : upper;
    return isWhole || isBounded;
}

bool wkChain_Find(const wkRobot* robot, int32_t moverA, int32_t moverB, wkChain* chain)
{
    chain->robot = robot;
    chain->jointCount = chain->countOfA = chain->variableCount = 0;
    if (!findJoints(chain, moverA, moverB)) {
        return false;
    }
    for (int32_t k = 0; k < chain->jointCount; ++k) {
        chain->slots[k] = slotOf(chain, robot->movers[chain->joints[k]].variable);
        if (chain->slots[k] < 0) {
            return false;
        }
    }
    for (int32_t i = 0; i < chain->variableCount; ++i) {
        if (!setLimits(chain, i)) {
            return false;
        }
    }
    return true;
}

static wkPose poseAfter(const wkPose* before, const wkMover* mover, const double* q)
{
    wkPose inParent = wkPlaceJoint(mover, q);
    return wkMulUnitPose(before, &inParent);
}

void wkPlaceChain(const wkChainPair* pair, const double* values, wkPlacedChain* placed)
{
    const wkChain* chain = pair->chain;
    const wkMover* movers = chain->robot->movers;
    for (int32_t i = 0; i < chain->variableCount; ++i) {
        pair->q[chain->variables[i]] = values[i];
    }
    wkPose pose = wkIdentityPose();
    for (int32_t k = chain->countOfA - 1; k >= 0; --k) {
        pose = poseAfter(&pose, &movers[chain->joints[k]], pair->q);
        placed->poses[k] = pose;
    }
    placed->poseA = wkMulUnitPose(&pose, &pair->a->inMover);
    pose = wkIdentityPose();
    for (int32_t k = chain->countOfA; k < chain->jointCount; ++k) {
        pose = poseAfter(&pose, &movers[chain->joints[k]], pair->q);
        placed->poses[k] = pose;
    }
    placed->poseB = wkMulUnitPose(&pose, &pair->b->inMover);
}

wkVec3d wkChainAxis(const wkChainPair* pair, const wkPlacedChain* placed, int32_t joint)
{
    const wkMover* mover = &pair->chain->robot->movers[pair->chain->joints[joint]];
    return wkRotateByUnit(placed->poses[joint].rotation, mover->axis);
}
