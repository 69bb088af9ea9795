// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Finds the joints between two rigid groups and their limits, and computes the poses of two bodies.

#include "robot/chain.h"

#include "math/angle.h"

// Tolerance for configurations at a limit, in case of rounding.
#define LIMIT_SLACK 1e-6

static bool isRotation(const wkRigidGroup* rigidGroup)
{
    return rigidGroup->type == wk_jointRevolute || rigidGroup->type == wk_jointContinuous;
}

// Finds the joints up to the common ancestor. Parents have lower numbers: the higher side climbs.
static bool findJoints(wkChain* chain, int32_t a, int32_t b)
{
    const wkRigidGroup* rigidGroups = chain->robot->rigidGroups;
    int32_t ofB[WK_CHAIN_JOINTS], countOfB = 0;
    while (a != b) {
        int32_t* higher = a > b ? &a : &b;
        const wkRigidGroup* rigidGroup = &rigidGroups[*higher];
        if (chain->countOfA + countOfB == WK_CHAIN_JOINTS ||
            !(isRotation(rigidGroup) || rigidGroup->type == wk_jointPrismatic)) {
            return false;
        }
        if (a > b) {
            chain->joints[chain->countOfA++] = a;
        } else {
            ofB[countOfB++] = b;
        }
        *higher = rigidGroup->parent;
    }
    chain->jointCount = chain->countOfA;
    while (countOfB > 0) {
        chain->joints[chain->jointCount++] = ofB[--countOfB];
    }
    return true;
}

// Returns the index of a variable in the chain, and adds it when it is new.
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

// Returns whether all joints that follow a variable have the same pose after a full revolution of it.
static bool areFullRevolutions(const wkChain* chain, int32_t slot)
{
    for (int32_t k = 0; k < chain->jointCount; ++k) {
        const wkRigidGroup* rigidGroup = &chain->robot->rigidGroups[chain->joints[k]];
        bool isSame = isRotation(rigidGroup) && rigidGroup->factor == rint(rigidGroup->factor);
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
    bool isRevolute = areFullRevolutions(chain, slot);
    bool isBounded = upper - lower < INFINITY;
    bool isWhole = isRevolute && !(upper - lower < 2.0 * WK_PI);
    chain->isWhole[slot] = isWhole;
    chain->lower[slot] = isWhole ? -WK_PI : lower;
    chain->upper[slot] = isWhole ? WK_PI : upper;
    return isWhole || isBounded;
}

bool wkChain_Find(const wkRobot* robot, int32_t rigidGroupA, int32_t rigidGroupB, wkChain* chain)
{
    chain->robot = robot;
    chain->jointCount = chain->countOfA = chain->variableCount = 0;
    if (!findJoints(chain, rigidGroupA, rigidGroupB)) {
        return false;
    }
    for (int32_t k = 0; k < chain->jointCount; ++k) {
        chain->slots[k] = slotOf(chain, robot->rigidGroups[chain->joints[k]].variable);
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

static wkPose poseAfter(const wkPose* before, const wkRigidGroup* rigidGroup, const double* q)
{
    wkPose inParent = wkPlaceJoint(rigidGroup, q);
    return wkMulUnitPose(before, &inParent);
}

void wkPlaceChain(const wkChainPair* pair, const double* values, wkPlacedChain* placed)
{
    const wkChain* chain = pair->chain;
    const wkRigidGroup* rigidGroups = chain->robot->rigidGroups;
    for (int32_t i = 0; i < chain->variableCount; ++i) {
        pair->q[chain->variables[i]] = values[i];
    }
    wkPose pose = wkIdentityPose();
    for (int32_t k = chain->countOfA - 1; k >= 0; --k) {
        pose = poseAfter(&pose, &rigidGroups[chain->joints[k]], pair->q);
        placed->poses[k] = pose;
    }
    placed->poseA = wkMulUnitPose(&pose, &pair->a->inRigidGroup);
    pose = wkIdentityPose();
    for (int32_t k = chain->countOfA; k < chain->jointCount; ++k) {
        pose = poseAfter(&pose, &rigidGroups[chain->joints[k]], pair->q);
        placed->poses[k] = pose;
    }
    placed->poseB = wkMulUnitPose(&pose, &pair->b->inRigidGroup);
}

wkVec3d wkChainAxis(const wkChainPair* pair, const wkPlacedChain* placed, int32_t joint)
{
    const wkRigidGroup* rigidGroup = &pair->chain->robot->rigidGroups[pair->chain->joints[joint]];
    return wkRotateByUnit(placed->poses[joint].rotation, rigidGroup->axis);
}
