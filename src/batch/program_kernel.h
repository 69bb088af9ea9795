// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Programs in lanes, for callers that are not lane files themselves.

#include "base/cpu.h"
#include "batch/batch_contacts.h"

// Rooms side by side, each for as many configurations as there are lanes.
#define WK_PROGRAM_SCRATCHES 4

typedef struct wkProgramLanes {
    int32_t laneCount;

    // The constant part of all rooms. The size of each is `scratchCount` times `laneCount` floats, aligned
    // to 64 bytes.
    void (*start)(const wkProgram* program, float* scratches);

    // All spheres of as many configurations as the rooms hold, or fewer: x, y, z of each sphere of the
    // program at `spheresAt` of a room, each a vector of lanes.
    // @param odd for each room, lanes whose configuration is not finite or beyond what lanes are for
    void (*placeSpheres)(const wkProgram* program, const double* states, int32_t count,
                         float* scratches, unsigned* odd);

    // Lanes in which the robot touches itself.
    // @param contacts for a margin not below this one; NULL: all spheres can touch
    // @param margin touching means a distance not above, rounding included
    // @param odd lanes whose configuration is not finite or beyond what lanes are for
    unsigned (*touchSelf)(const wkProgram* program, const wkContacts* contacts,
                          const double* states, int32_t count, float margin, unsigned* odd,
                          float* scratch);
} wkProgramLanes;

const wkProgramLanes* wkProgramLanesOf(wkIsa isa);
const wkProgramLanes* wkProgramLanesOfMachine(void);
