// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Programs run by SIMD: positions of all spheres, and self-collision. Lanes hold configurations.

#include "batch/program_kernel.h"
#include "batch/self_kernel.h"

static void start(const wkProgram* program, float* scratches)
{
    for (int i = 0; i < WK_PROGRAM_SCRATCHES; ++i) {
        wkStartScratch(program, scratches + (ptrdiff_t)i * program->scratchCount * WK_FLOAT_LANES);
    }
}

static unsigned loadAndPlaceSpheres(const wkProgram* program, const double* states, int32_t count,
                                    float* scratch)
{
    wkStatesW block = {states, count};
    wkLoadedStates loaded = wkLoadStates(program, block, scratch);
    wkPlaceFrames(program, NULL, scratch);
    return loaded.invalid | loaded.beyond;
}

static void placeSpheres(const wkProgram* program, const double* states, int32_t count,
                         float* scratches, unsigned* odd)
{
    ptrdiff_t pitch = (ptrdiff_t)program->scratchCount * WK_FLOAT_LANES;
    wkScratchesW all = {scratches, pitch, (count + WK_FLOAT_LANES - 1) / WK_FLOAT_LANES};
    for (int i = 0; i < all.count; ++i) {
        int32_t left = count - i * WK_FLOAT_LANES;
        const double* rows = states + (ptrdiff_t)i * WK_FLOAT_LANES * program->variableCount;
        wkStatesW block = {rows, left < WK_FLOAT_LANES ? left : WK_FLOAT_LANES};
        wkLoadedStates loaded = wkLoadStates(program, block, scratches + i * pitch);
        odd[i] = loaded.invalid | loaded.beyond;
    }
    wkPlaceAllFrames(program, all);
    for (int32_t i = 0; i < program->partCount; ++i) {
        wkPlaceAllSpheres(program, i, all);
    }
}

static unsigned touchSelf(const wkProgram* program, const wkContacts* contacts,
                          const double* states, int32_t count, float margin, unsigned* odd,
                          float* scratch)
{
    *odd = loadAndPlaceSpheres(program, states, count, scratch);
    unsigned all = WK_ALL_FLOAT_LANES >> (WK_FLOAT_LANES - count);
    wkSelfQuestion ask = {contacts, margin, NULL, all & ~*odd, wkBeyondLimits(program, scratch)};
    return wkTouchSelf(program, &ask, scratch);
}

extern const wkProgramLanes WK_KERNEL(wkProgramLanes);
const wkProgramLanes WK_KERNEL(wkProgramLanes) = {WK_FLOAT_LANES, start, placeSpheres, touchSelf};
