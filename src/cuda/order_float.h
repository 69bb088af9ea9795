// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Floats as integers of the same order, for which there are atomic operations and reductions of warps. C, C++ and CUDA.

#include "base/compiler.h"

#include <stdint.h>
#include <string.h>

// Maps floats to integers of the same order.
WK_FN uint32_t wkOrderFloat(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

WK_FN float wkFloatOfOrder(uint32_t order)
{
    uint32_t bits = (order & 0x80000000u) != 0 ? order & 0x7fffffffu : ~order;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
