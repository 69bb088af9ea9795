// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// batch/panda/fk/<states>: nanoseconds for each configuration of the Panda to place its 59 spheres,
// in lanes as checks have them, with the best instruction set and with AVX2. `elsewhere` is what
// code that was generated for this one robot took on a 2.8 GHz core with AVX2. Every sphere is
// compared with the kinematics of the robot in double.

#include "batch/batch_fk_rows.h"
#include "batch/batch_case.h"
#include "measure.h"
#include "race.h"

#include "batch/program_kernel.h"

#include "whisker/detail/library.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STATE_COUNT 8192
#define MAX_SPHERES 128
#define ELSEWHERE 39.0
#define WIDE_FACTOR 1.8 // with lanes wider than those of AVX2

typedef struct fkSide {
    const wkBatchBenchCase* made;
    const wkProgram* program;
    const wkProgramLanes* lanes;
    float* scratches;
    unsigned odd; // lanes that were not placed
} fkSide;

// Configurations that are placed at a time.
static int blockSize(const fkSide* side)
{
    return (int)side->lanes->laneCount * WK_PROGRAM_SCRATCHES;
}

static void placeBlock(fkSide* side, int first)
{
    const double* states = &side->made->states[first * side->made->variableCount];
    unsigned odd[WK_PROGRAM_SCRATCHES] = {0};
    side->lanes->placeSpheres(side->program, states, blockSize(side), side->scratches, odd);
    for (int i = 0; i < WK_PROGRAM_SCRATCHES; i++) {
        side->odd |= odd[i];
    }
}

static void passBlocks(void* context)
{
    fkSide* side = (fkSide*)context;
    for (int i = 0; i < STATE_COUNT; i += blockSize(side)) {
        placeBlock(side, i);
    }
}

// Spheres of a configuration of the block that do not contain the sphere that they stand for.
static long countWrongSpheres(const fkSide* side, int number, const wkSphere3d* truth)
{
    long wrong = 0;
    const wkProgram* program = side->program;
    int lane = number % side->lanes->laneCount, block = number / side->lanes->laneCount;
    const float* spheres = &side->scratches[block * program->scratchCount * side->lanes->laneCount];
    for (int i = 0; i < program->sphereCount; i++) {
        const float* at = &spheres[(program->spheresAt + 3 * i) * side->lanes->laneCount + lane];
        const wkSphere3d* sphere = &truth[program->numbers[i]];
        double x = (double)at[0] + program->origin.x - sphere->center.x;
        double y = (double)at[side->lanes->laneCount] + program->origin.y - sphere->center.y;
        double z = (double)at[2 * side->lanes->laneCount] + program->origin.z - sphere->center.z;
        double reach = sqrt(x * x + y * y + z * z) + sphere->radius;
        wrong += reach <= (double)program->radius[i] ? 0 : 1;
    }
    return wrong;
}

static long countWrong(fkSide* side)
{
    long wrong = side->odd != 0 ? 1 : 0;
    wkSphere3d truth[MAX_SPHERES];
    for (int i = 0; i < STATE_COUNT; i++) {
        int number = i % blockSize(side);
        if (number == 0) {
            placeBlock(side, i);
        }
        wkSphereModel_PlaceLinks(side->made->spheres, wkIdentityPose(),
                                 &side->made->states[i * side->made->variableCount], truth);
        wrong += countWrongSpheres(side, number, truth);
    }
    return wrong;
}

static void runLanes(wkBench* bench, const char* name, fkSide* fk)
{
    size_t floats = (size_t)fk->program->scratchCount * (size_t)blockSize(fk);
    fk->scratches = (float*)wkAllocate(floats * sizeof(float));
    if (fk->scratches == NULL) {
        bench->wrongCount++;
        return;
    }
    fk->lanes->start(fk->program, fk->scratches);
    wkBenchSide side;
    memset(&side, 0, sizeof side);
    side.pass = passBlocks;
    side.context = fk;
    wkMeasure(&side, 1, STATE_COUNT, bench->blockCount);
    wkBenchRow row = wkRaceRow(name, &side, STATE_COUNT, bench->blockCount);
    row.wrong = countWrong(fk);
    row.paper = ELSEWHERE;
    row.most = fk->lanes->laneCount > 8 ? ELSEWHERE / WIDE_FACTOR : ELSEWHERE;
    wkBench_Emit(bench, &row);
    wkRelease(fk->scratches, floats * sizeof(float));
}

static void runStates(wkBench* bench, const wkBatchBenchCase* made, const wkProgram* program,
                      const char* states)
{
    for (int i = 0; i < 2; i++) {
        const wkIsa isa = i == 0 ? wkGetIsa() : wk_isaAvx2;
        char name[WK_ROW_NAME_CAPACITY];
        snprintf(name, sizeof name, "batch/panda/fk/%s%s", states, i == 0 ? "" : "/avx2");
        bool isOther = i == 0 || (wkHasIsa(isa) && wkGetIsa() != isa);
        if (isOther && wkBench_Wants(bench, name)) {
            fkSide fk = {made, program, wkProgramLanesOf(isa), NULL, 0};
            runLanes(bench, name, &fk);
        }
    }
}

void wkRunBatchFkRows(wkBench* bench)
{
    static const char* const names[] = {"random", "motion"};
    wkBatchBenchCase made;
    wkProgram* program = NULL;
    wkAttachedSpheres none = {0};
    bool wantsAny = false;
    for (int i = 0; i < 2; i++) {
        char name[WK_ROW_NAME_CAPACITY];
        snprintf(name, sizeof name, "batch/panda/fk/%s", names[i]);
        wantsAny = wantsAny || bench->isListing || wkBench_IsSelected(bench, name);
        snprintf(name, sizeof name, "batch/panda/fk/%s/avx2", names[i]);
        wantsAny = wantsAny || wkBench_IsSelected(bench, name);
    }
    if (!wantsAny) {
        return;
    }
    if (!wkBatchCase_Open(&made, wk_batchAlone, STATE_COUNT, 1)) {
        fprintf(stderr, "batch/panda/fk: left out: %s\n", wkGetLastError());
        return;
    }
    if (wkProgram_Create(made.scene, made.spheres, &none, wkIdentityPose(), &program) == wk_ok) {
        wkBatchCase_DrawStates(&made);
        runStates(bench, &made, program, names[0]);
        wkBatchCase_DrawMotions(&made);
        runStates(bench, &made, program, names[1]);
    } else {
        bench->wrongCount++;
    }
    wkProgram_Destroy(program);
    wkBatchCase_Close(&made);
}
