// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What tests see of the functions of lanes: all of them by number, on arrays.

#include "base/cpu.h"

#include <stddef.h>
#include <stdint.h>

// Lanes of the widest row.
#define LANE_CAPACITY 16

// Numbers that go into a function: those of one line side by side.
typedef struct laneInput {
    _Alignas(64) float f[4][LANE_CAPACITY];
    int32_t i[4][LANE_CAPACITY];
    int32_t counts[LANE_CAPACITY]; // from 0 to 31
    int32_t index[LANE_CAPACITY];  // into the tables
    int32_t words[256];
    float numbers[256];
    int16_t shorts[257];
    double rows[LANE_CAPACITY][6];
} laneInput;

// What comes out: numbers by their bits, or bits of lanes.
typedef struct laneOutput {
    _Alignas(64) int32_t words[4][LANE_CAPACITY];
    unsigned bits;
} laneOutput;

typedef void laneOpFcn(const laneInput* in, laneOutput* out);

typedef struct laneOps {
    int laneCount;
    int opCount;
    const char* const* names;
    laneOpFcn* const* fcns;
} laneOps;

const laneOps* laneOpsOf(wkIsa isa);
