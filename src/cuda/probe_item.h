// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the probe computes: with fused multiply-adds or an inexact square root, its last digits would differ.

#include "math/vec.h"

#include <stdint.h>

WK_FN double wkProbeValue(int32_t index)
{
    wkVec3d v = wkVec(0.1 * index, 1.0 / (index + 3.0), 1e-3 * index * index);
    return wkLength(v) + wkDot(v, wkVec(0.3, -0.7, 0.9));
}
