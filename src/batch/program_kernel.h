// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Programs run by SIMD, for callers that are not SIMD files themselves.

#include "base/cpu.h"
#include "batch/batch_contacts.h"

// Number of scratches, each for as many configurations as there are lanes.
#define WK_PROGRAM_SCRATCHES 4

typedef struct wkProgramLanes {
    int32_t laneCount;

    // Fills the constant part of all scratches. The size of each is `scratchCount` times `laneCount` floats,
    // aligned to 64 bytes.
    void (*start)(const wkProgram* program, float* scratches);

    // Places all spheres of at most as many configurations as the scratches hold: x, y, z of each sphere of
    // the program at `spheresAt` of a scratch, each a vector of lanes.
    // @param odd for each scratch, lanes whose configuration is not finite or needs the double-precision path
    void (*placeSpheres)(const wkProgram* program, const double* states, int32_t count,
                         float* scratches, unsigned* odd);

    // Returns lanes in which the robot touches itself.
    // @param contacts for at least this margin; NULL: all spheres can touch
    // @param margin touching means distance <= margin, rounding included
    // @param odd lanes whose configuration is not finite or needs the double-precision path
    unsigned (*touchSelf)(const wkProgram* program, const wkContacts* contacts,
                          const double* states, int32_t count, float margin, unsigned* odd,
                          float* scratch);
} wkProgramLanes;

const wkProgramLanes* wkProgramLanesOf(wkIsa isa);
const wkProgramLanes* wkProgramLanesOfMachine(void);
