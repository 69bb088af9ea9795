// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One motion, for kernels: what robot/interpolate.c, batch/batch_certify.c and batch/batch_steps.c compute about its ends,
// by the same operations in the same order. Nothing may be fused. The common subset of C, C++ and CUDA.

#include "cuda/device_motions.h"
#include "math/vec.h"

// As in wkRobotScene_Check.
#define WK_ITEM_LIMIT_SLACK 1e-9
// As in robot/motion_bound.c.
#define WK_ITEM_BOUND_ROUNDING 1e-12
// As in batch/batch_certify.c.
#define WK_ITEM_LEAST_RATE 1e-20f
#define WK_ITEM_RATE_SHARE 1.0000005f

// As wkShortestAngle, without the tables that its header has for the host.
WK_FN double wkItemShortestAngle(double angle)
{
    const double pi = 3.14159265358979323846;
    return angle - 2.0 * pi * rint(angle * (0.5 / pi));
}

// The ends of a motion.
typedef struct wkItemWay {
    wkItemRow from, to;
} wkItemWay;

WK_FN wkItemRow wkItemRowAt(wkItemRow first, int64_t index, int32_t length)
{
    wkItemRow row = {first.doubles != NULL ? first.doubles + index * length : NULL,
                     first.doubles != NULL ? NULL : first.floats + index * length};
    return row;
}

// Returns the value of a variable at a time, as wkRobot_Interpolate does.
WK_FN double wkItemBetween(wkItemWay way, const wkDeviceVariable* variable, int32_t index, double t)
{
    double a = wkItemNumber(way.from, index), b = wkItemNumber(way.to, index);
    if (variable->isContinuous) {
        double change = b - a, rotation = wkItemShortestAngle(change);
        b = rotation == change ? b : a + rotation;
    }
    double value = a + t * (b - a);
    double kept = wkClamp(value, wkMinD(a, b), wkMaxD(a, b));
    value = t >= 0.0 && t < 1.0 ? kept : value;
    return t == 1.0 ? b : value;
}

// Returns the change of a variable on the way.
WK_FN double wkItemChange(wkItemWay way, const wkDeviceVariable* variables, int32_t index)
{
    double change = wkItemNumber(way.to, index) - wkItemNumber(way.from, index);
    return variables[index].isContinuous ? wkItemShortestAngle(change) : change;
}

// Returns whether a variable of an end is beyond its limits.
WK_FN bool wkIsEndBeyond(wkItemRow end, const wkDeviceVariable* variables, int32_t count)
{
    bool isBeyond = false;
    for (int32_t i = 0; i < count; ++i) {
        double value = wkItemNumber(end, i);
        isBeyond = isBeyond || value < variables[i].lower - WK_ITEM_LIMIT_SLACK ||
                   value > variables[i].upper + WK_ITEM_LIMIT_SLACK;
    }
    return isBeyond;
}

WK_FN bool wkIsEndFinite(wkItemRow end, int32_t count)
{
    bool isFinite = true;
    for (int32_t i = 0; i < count; ++i) {
        isFinite = isFinite && wkItemNumber(end, i) * 0.0 == 0.0;
    }
    return isFinite;
}

// What the ends of a motion alone decide.
typedef struct wkEndsVerdict {
    uint8_t verdict; // wk_verdictUnchecked: nothing
    uint8_t time;
} wkEndsVerdict;

WK_FN wkEndsVerdict wkCheckItemEnds(wkItemWay way, const wkDeviceVariable* variables, int32_t count,
                                    bool checksLimits)
{
    wkEndsVerdict ends = {wk_verdictUnchecked, 0};
    bool isFinite[2] = {wkIsEndFinite(way.from, count), wkIsEndFinite(way.to, count)};
    if (!isFinite[0] || !isFinite[1]) {
        ends.verdict = wk_verdictInvalid;
        ends.time = isFinite[0] ? 1 : 0;
    } else if (checksLimits) {
        bool isBeyond[2] = {wkIsEndBeyond(way.from, variables, count),
                            wkIsEndBeyond(way.to, variables, count)};
        ends.verdict = isBeyond[0] || isBeyond[1] ? wk_verdictLimits : wk_verdictUnchecked;
        ends.time = isBeyond[0] || !isBeyond[1] ? 0 : 1;
    }
    return ends;
}

// Motion of a rigid group against the one that carries it, on the whole way.
typedef struct wkItemRate {
    float rotation; // with the sign of its direction
    float translation;
} wkItemRate;

// Rounds a rate up.
WK_FN float wkRoundItemRate(double rate)
{
    float isMoving = rate > 0.0 ? 1.0f : 0.0f;
    return (float)rate * WK_ITEM_RATE_SHARE + isMoving * WK_ITEM_LEAST_RATE;
}

WK_FN wkItemRate wkItemRateOf(wkItemWay way, const wkDeviceVariable* variables,
                              const wkDeviceJoint* joint)
{
    int32_t v = joint->variable;
    double angle = 0.0, translation = 0.0, direction;
    if (joint->type == wk_jointPlanar) {
        double x = fabs(wkItemChange(way, variables, v));
        double y = fabs(wkItemChange(way, variables, v + 1));
        translation = sqrt(x * x + y * y);
        direction = wkItemChange(way, variables, v + 2);
        angle = fabs(direction);
    } else {
        direction = wkItemChange(way, variables, v);
        double change = fabs(joint->factor) * fabs(direction);
        bool isPrismatic = joint->type == wk_jointPrismatic;
        translation = isPrismatic ? change : 0.0;
        angle = isPrismatic ? 0.0 : change;
        direction = direction * joint->factor;
    }
    float rotation = wkRoundItemRate(angle * (1.0 + WK_ITEM_BOUND_ROUNDING));
    wkItemRate rate = {copysignf(rotation, (float)direction),
                       wkRoundItemRate(translation * (1.0 + WK_ITEM_BOUND_ROUNDING))};
    return rate;
}

// An interval of a motion. All are exact.
typedef struct wkItemInterval {
    double middle, half;
} wkItemInterval;

// Returns how often the whole motion is halved for an interval that is not an end.
WK_FN int wkItemLevel(uint32_t node)
{
#if defined(__CUDA_ARCH__)
    return 31 - __clz((int)node);
#else
    return 31 - __builtin_clz(node);
#endif
}

WK_FN wkItemInterval wkItemIntervalOf(uint32_t node)
{
    wkItemInterval interval = {node == WK_NODE_LAST ? 1.0 : 0.0, 0.0};
    if (node < WK_NODE_FIRST) {
        int level = wkItemLevel(node);
        interval.half = 0.5 / (double)(1u << level);
        interval.middle = (double)(2 * (node - (1u << level)) + 1) * interval.half;
    }
    return interval;
}

// Returns the change of the variable that changes most, as wkRobot_ConfigurationDistance does.
WK_FN double wkItemDistance(wkItemWay way, const wkDeviceVariable* variables, int32_t count)
{
    double largest = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        double change = wkItemChange(way, variables, i);
        // NaN is kept
        largest = fabs(change) > largest || change != change ? fabs(change) : largest;
    }
    return largest;
}

// Returns the number with its lowest bits in reverse order.
WK_FN int32_t wkReverseBits(int32_t number, int32_t bitCount)
{
    int32_t result = 0;
    for (int32_t i = 0; i < bitCount; ++i) {
        result = result << 1 | (number >> i & 1);
    }
    return result;
}
