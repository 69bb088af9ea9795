// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Loads configurations into the scratch of a program: variables, sines and cosines, and which lanes are
// invalid or beyond the limits of the kernels. Lanes hold configurations. Inline, for SIMD files.

#include "batch/angle_kernel.h"
#include "batch/scratch_kernel.h"
#include "math/angle.h"

// Consecutive configurations of a block: lanes beyond the last one repeat it.
typedef struct wkStatesW {
    const double* rows;
    int count; // from 1 to WK_FLOAT_LANES
} wkStatesW;

// Lanes of a block that the kernels cannot process.
typedef struct wkLoadedStates {
    unsigned invalid; // a variable is not finite, or a quaternion is zero
    unsigned
        beyond; // a length is longer than the radii of spheres allow: needs the double-precision path
} wkLoadedStates;

WK_FORCE_FN const double* wkStateOfLane(const wkProgram* program, wkStatesW states, int lane)
{
    int row = lane < states.count ? lane : states.count - 1;
    return states.rows + (ptrdiff_t)row * program->variableCount;
}

// Loads variables one by one: for a block that is not full, or rows too short to be read by fours.
WK_APART_FN void wkLoadSlowly(const wkProgram* program, wkStatesW states, float* scratch)
{
    float* values = scratch + (ptrdiff_t)program->valuesAt * WK_FLOAT_LANES;
    for (int lane = 0; lane < WK_FLOAT_LANES; ++lane) {
        const double* q = wkStateOfLane(program, states, lane);
        for (int32_t k = 0; k < program->variableCount; ++k) {
            values[k * WK_FLOAT_LANES + lane] = (float)q[k];
        }
    }
}

// Loads the variables of a block into the scratch.
WK_FORCE_FN void wkLoadVariables(const wkProgram* program, wkStatesW states, float* scratch)
{
    int32_t count = program->variableCount;
    if (WK_UNLIKELY(count < 4 || states.count < WK_FLOAT_LANES)) {
        wkLoadSlowly(program, states, scratch);
        return;
    }
    // the last four overlap those before
    for (int32_t first = 0; first < count; first += 4) {
        int32_t at = first + 4 <= count ? first : count - 4;
        wkFloatW columns[4];
        wkLoadColumnsF(states.rows + at, (size_t)count, columns);
        for (int k = 0; k < 4; ++k) {
            wkSetScratchAt(scratch, program->valuesAt + at + k, columns[k]);
        }
    }
}

WK_FORCE_FN wkFloatW wkAngleOf(const wkProgram* program, const wkJointAngle* rotation,
                               const float* scratch)
{
    wkFloatW value = wkScratchAt(scratch, program->valuesAt + rotation->variable);
    return wkMulAddF(wkSplatF(rotation->offset), wkSplatF(rotation->factor), value);
}

// Computes lanes with an angle that is too large, one by one in double.
WK_RARE_FN void wkRotateScalar(const wkProgram* program, wkStatesW states, float* scratch)
{
    for (int32_t i = 0; i < program->rotationCount; ++i) {
        const wkJointAngle* rotation = &program->rotations[i];
        float* sines = scratch + (ptrdiff_t)(program->sinesAt + 2 * i) * WK_FLOAT_LANES;
        wkFloatW size = wkAbsF(wkAngleOf(program, rotation, scratch));
        unsigned lanes = wkNotAboveBitsF(wkSplatF((float)WK_LANE_ANGLE), size);
        for (; lanes != 0; lanes &= lanes - 1) {
            int lane = __builtin_ctz(lanes);
            double value = wkStateOfLane(program, states, lane)[rotation->variable];
            double sine = 0.0, cosine = 1.0;
            // bit for bit the angle of the kinematics of the robot
            wkSinCos(rotation->exactFactor * value + rotation->exactOffset, &sine, &cosine);
            sines[lane] = (float)(sine * rotation->shiftCosine + cosine * rotation->shiftSine);
            sines[WK_FLOAT_LANES + lane] =
                (float)(cosine * rotation->shiftCosine - sine * rotation->shiftSine);
        }
    }
}

// Computes sine and cosine of all rotations.
WK_FORCE_FN void wkRotateStates(const wkProgram* program, wkStatesW states,
                                const wkInvariantW* invariant, float* scratch)
{
    wkIntW largest = wkSplatI(0), noSign = wkSplatI(INT32_MAX);
    for (int32_t i = 0; i < program->rotationCount; ++i) {
        if (invariant != NULL && invariant->rotations[i]) {
            wkCopyInvariant(invariant, program->sinesAt + 2 * i, 2, scratch);
            continue;
        }
        wkFloatW angle = wkAngleOf(program, &program->rotations[i], scratch), sine, cosine;
        // compared as integers, floats without sign keep their order, with NaN above all
        largest = wkMaxI(largest, wkAndI(wkBitsOfF(angle), noSign));
        wkSinCosF(angle, &sine, &cosine);
        wkSetScratchAt(scratch, program->sinesAt + 2 * i, sine);
        wkSetScratchAt(scratch, program->sinesAt + 2 * i + 1, cosine);
    }
    wkIntW limit = wkBitsOfF(wkSplatF((float)WK_LANE_ANGLE));
    if (WK_UNLIKELY(wkGreaterBitsI(largest, limit) != 0)) {
        wkRotateScalar(program, states, scratch);
    }
}

// Computes matrices of quaternions, one by one in double.
WK_RARE_FN void wkSetGivens(const wkProgram* program, wkStatesW states, float* scratch)
{
    for (int32_t i = 0; i < program->givenCount; ++i) {
        float* numbers = scratch + (ptrdiff_t)(program->givensAt + 9 * i) * WK_FLOAT_LANES;
        for (int lane = 0; lane < WK_FLOAT_LANES; ++lane) {
            const double* q = wkStateOfLane(program, states, lane) + program->givens[i];
            wkQuat quat = {q[0], q[1], q[2], q[3]};
            wkMat3d rotation = wkMatFromQuat(wkNormalizeQuat(quat));
            const wkVec3d* columns[3] = {&rotation.x, &rotation.y, &rotation.z};
            for (int k = 0; k < 9; ++k) {
                numbers[k * WK_FLOAT_LANES + lane] = (float)wkAlongAxis(columns[k / 3], k % 3);
            }
        }
    }
}

// Of lanes that are not finite as floats, returns those that are not finite as doubles either.
WK_RARE_FN unsigned wkFindNotFinite(const wkProgram* program, wkStatesW states, unsigned lanes)
{
    unsigned found = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        const double* q = wkStateOfLane(program, states, lane);
        for (int32_t i = 0; i < program->variableCount; ++i) {
            found |= (fabs(q[i]) < INFINITY ? 0u : 1u) << lane;
        }
    }
    return found;
}

WK_FORCE_FN wkLoadedStates wkClassifyStates(const wkProgram* program, wkStatesW states,
                                            const float* scratch)
{
    wkLoadedStates loaded = {0, 0};
    // infinity and NaN times zero are NaN, and stay so in a sum
    wkFloatW zero = wkSplatF(0.0f), sum = zero;
    for (int32_t i = 0; i < program->variableCount; ++i) {
        sum = wkMulAddF(sum, wkScratchAt(scratch, program->valuesAt + i), zero);
    }
    unsigned odd = wkNotAboveBitsF(wkSplatF(1.0f), sum);
    if (WK_UNLIKELY(odd != 0)) {
        loaded.invalid = wkFindNotFinite(program, states, odd);
    }
    for (int32_t i = 0; i < program->lengthCount; ++i) {
        const wkLengthLimit* length = &program->lengths[i];
        wkFloatW size = wkAbsF(wkScratchAt(scratch, program->valuesAt + length->variable));
        loaded.beyond |= wkNotAboveBitsF(wkSplatF(length->limit), size);
    }
    for (int32_t i = 0; i < program->givenCount; ++i) {
        // a quaternion that is not valid has a matrix of NaN
        wkFloatW number = wkScratchAt(scratch, program->givensAt + 9 * i);
        loaded.invalid |= wkNotAboveBitsF(wkSplatF(2.0f), number);
    }
    loaded.beyond = (program->isHuge ? WK_ALL_FLOAT_LANES : loaded.beyond) & ~loaded.invalid;
    return loaded;
}

// Returns lanes with a variable beyond its limits by more than the rounding of floats.
WK_FORCE_FN unsigned wkBeyondLimits(const wkProgram* program, const float* scratch)
{
    wkFloatW most = wkSplatF(-1.0f);
    for (int32_t i = 0; i < program->variableCount; ++i) {
        wkFloatW value = wkScratchAt(scratch, program->valuesAt + i);
        wkFloatW below = wkSubF(wkSplatF(program->limits[2 * i]), value);
        wkFloatW above = wkSubF(value, wkSplatF(program->limits[2 * i + 1]));
        most = wkMaxF(wkMaxF(below, above), most);
    }
    return wkGreaterBitsF(most, wkSplatF(0.0f));
}

// Computes sines, cosines and matrices from the variables in the scratch.
// @param invariant NULL: nothing is known to be the same in all blocks
WK_FORCE_FN wkLoadedStates wkTakeStates(const wkProgram* program, wkStatesW states,
                                        const wkInvariantW* invariant, float* scratch)
{
    wkRotateStates(program, states, invariant, scratch);
    if (WK_UNLIKELY(program->givenCount > 0)) {
        wkSetGivens(program, states, scratch);
    }
    return wkClassifyStates(program, states, scratch);
}

WK_FORCE_FN wkLoadedStates wkLoadStates(const wkProgram* program, wkStatesW states, float* scratch)
{
    wkLoadVariables(program, states, scratch);
    return wkTakeStates(program, states, NULL, scratch);
}
