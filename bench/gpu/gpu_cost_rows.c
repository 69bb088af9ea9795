// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// gpu/costs/*: from how many items on the GPU is faster than one thread of the CPU, with data in pinned memory of the host;
// -1: from none. gpu/costs/states and gpu/costs/points are those of the built-in robot, panda those of
// gpu/batch/panda/100-boxes/host, ist those of gpu/ist/300k; gpu/costs/centers/<points>: points of the other cloud.
// gpu/costs/predicted/<sizes>: milliseconds that are predicted for a way, to be compared with gpu/exhaustive and
// gpu/hierarchy; with the way that is chosen. gpu/costs/copy: milliseconds for a copy of 100,000 points.

#include "gpu/gpu_rows.h"

#include "batch/batch_case.h"
#include "clouds/sphere_tree_case.h"
#include "clouds/workcell.h"

#include <math.h>
#include <string.h>

#define STATES (1 << 19)

// As in gpu/batch and gpu/ist.
#define CELL_SIZE 0.014
#define WIDTH 640
#define HEIGHT 480

static void emitCrossing(wkBench* bench, const char* name, const wkCpuGpuCost* cost)
{
    double crossing = wkCpuGpuCost_Crossing(cost);
    char lines[128];
    snprintf(lines, sizeof lines, "cpu %.3g us + %.4g ns each, gpu %.3g us + %.4g ns each",
             1e6 * cost->cpu.fixed, 1e9 * cost->cpu.each, 1e6 * cost->gpu.fixed,
             1e9 * cost->gpu.each);
    wkBenchRow row = {.unit = "items", .variant = lines, .n = 1};
    row.ours = isfinite(crossing) ? crossing : -1.0;
    snprintf(row.name, sizeof row.name, "%s", name);
    wkBench_Emit(bench, &row);
}

static void leaveOut(const char* name)
{
    fprintf(stderr, "%s: left out: %s\n", name, wkGetLastError());
}

static void runRobot(wkBench* bench, wkCuda* cuda)
{
    const char* const names[2] = {"gpu/costs/states", "gpu/costs/points"};
    bool wants[2] = {wkBench_Wants(bench, names[0]), wkBench_Wants(bench, names[1])};
    wkCudaRobotCosts costs;
    if (cuda == NULL || !(wants[0] || wants[1])) {
        return;
    }
    if (wkCuda_MeasureRobotCosts(cuda, NULL, &costs) != wk_ok) {
        leaveOut("gpu/costs");
        return;
    }
    const wkCpuGpuCost* both[2] = {&costs.states, &costs.points};
    for (int i = 0; i < 2; i++) {
        if (wants[i]) {
            emitCrossing(bench, names[i], both[i]);
        }
    }
}

// @return false: something failed, as wkGetLastError() says
static bool measurePanda(wkCuda* cuda, const wkBatchBenchCase* made, wkCpuGpuCost* cost)
{
    wkBatchDef def = wkBatchCase_Def(made);
    def.exactness = wk_exactnessSpheres;
    def.checksSelf = false;
    def.cellSize = CELL_SIZE;
    wkCudaBatchDef onGpuDef = wkDefaultCudaBatchDef();
    wkBatch* batch = NULL;
    wkCudaBatch* onGpu = NULL;
    void* pinned = NULL;
    size_t byteCount = (size_t)STATES * (size_t)made->variableCount * sizeof(double);
    bool isMade = wkBatch_Create(&def, &batch) == wk_ok;
    onGpuDef.cuda = cuda;
    onGpuDef.batch = batch;
    isMade = isMade && wkCudaBatch_Create(&onGpuDef, &onGpu) == wk_ok &&
             wkCuda_AllocatePinned(cuda, byteCount, &pinned) == wk_ok;
    if (isMade) {
        memcpy(pinned, made->states, byteCount);
        isMade =
            wkCudaBatch_MeasureCosts(onGpu, (const double*)pinned, STATES, NULL, cost) == wk_ok;
    }
    wkCuda_ReleasePinned(cuda, pinned);
    wkCudaBatch_Destroy(onGpu);
    wkBatch_Destroy(batch);
    return isMade;
}

static void runPanda(wkBench* bench, wkCuda* cuda)
{
    const char* name = "gpu/costs/panda";
    wkBatchBenchCase made;
    wkCpuGpuCost cost;
    if (!wkBench_Wants(bench, name) || cuda == NULL) {
        return;
    }
    if (!wkBatchCase_Open(&made, wk_batchBoxes100, STATES, 1)) {
        leaveOut(name);
        return;
    }
    wkBatchCase_DrawStates(&made);
    if (measurePanda(cuda, &made, &cost)) {
        emitCrossing(bench, name, &cost);
    } else {
        leaveOut(name);
    }
    wkBatchCase_Close(&made);
}

// @return false: something failed, as wkGetLastError() says
static bool measureTrees(wkCuda* cuda, const wkSphereTreeCase* c, wkCpuGpuCost* cost)
{
    wkCudaTreesDef def = wkDefaultCudaTreesDef();
    wkCudaTrees* trees = NULL;
    void* pinned = NULL;
    size_t byteCount = 3 * (size_t)c->pointCount * sizeof *c->points;
    def.cuda = cuda;
    def.trees = (const wkSphereTree* const*)c->trees;
    def.treeCount = WK_IST_LINKS;
    bool isMade = wkCudaTrees_Create(&def, &trees) == wk_ok &&
                  wkCuda_AllocatePinned(cuda, byteCount, &pinned) == wk_ok;
    if (isMade) {
        memcpy(pinned, c->points, byteCount);
        wkCloudView points = wkMakeCloudView(pinned, c->pointCount);
        isMade = wkCudaTrees_MeasureCosts(trees, c->placed, WK_IST_LINKS, &points, wkIdentityPose(),
                                          NULL, NULL, cost) == wk_ok;
    }
    wkCuda_ReleasePinned(cuda, pinned);
    wkCudaTrees_Destroy(trees);
    return isMade;
}

static void runTrees(wkBench* bench, wkCuda* cuda)
{
    const char* name = "gpu/costs/ist";
    wkSphereTreeCase c;
    wkCpuGpuCost cost;
    if (!wkBench_Wants(bench, name) || cuda == NULL || !wkSphereTreeCase_Open(&c)) {
        return;
    }
    if (wkSphereTreeCase_See(&c, WIDTH, HEIGHT) && measureTrees(cuda, &c, &cost)) {
        emitCrossing(bench, name, &cost);
    } else {
        leaveOut(name);
    }
    wkSphereTreeCase_Close(&c);
}

static const int32_t crossings[] = {100, 1000, 10000, 100000};
static const int32_t predicted[] = {WK_WORKCELL_SMALL, WK_WORKCELL_LARGE};

#define CROSSING_COUNT ((int)(sizeof crossings / sizeof crossings[0]))
#define PREDICTED_COUNT ((int)(sizeof predicted / sizeof predicted[0]) * WK_CENTER_WAYS)
#define CENTER_ROWS (CROSSING_COUNT + PREDICTED_COUNT + 1)

// Names of all rows of clouds: crossings, predictions, and the copy.
static void nameCenterRow(int index, char name[WK_ROW_NAME_CAPACITY])
{
    int prediction = index - CROSSING_COUNT;
    if (index < CROSSING_COUNT) {
        snprintf(name, WK_ROW_NAME_CAPACITY, "gpu/costs/centers/%d", (int)crossings[index]);
    } else if (prediction < PREDICTED_COUNT) {
        snprintf(name, WK_ROW_NAME_CAPACITY, "gpu/costs/predicted/%dx%d/%s", WK_WORKCELL_ROBOT,
                 (int)predicted[prediction / WK_CENTER_WAYS],
                 wkCenterWayName((wkCenterWay)(prediction % WK_CENTER_WAYS)));
        name[strcspn(name, " ")] = '/'; // "cpu exhaustive"
    } else {
        snprintf(name, WK_ROW_NAME_CAPACITY, "gpu/costs/copy");
    }
}

static void emitCenterRow(wkBench* bench, const wkCudaCosts* costs, int index)
{
    wkBenchRow row = {.unit = "ms", .n = 1};
    nameCenterRow(index, row.name);
    int prediction = index - CROSSING_COUNT;
    if (index < CROSSING_COUNT) {
        row.unit = "points";
        row.ours = (double)wkCudaCosts_CenterCrossing(costs, crossings[index]);
    } else if (prediction < PREDICTED_COUNT) {
        wkCenterWork work = {WK_WORKCELL_ROBOT, predicted[prediction / WK_CENTER_WAYS], true, true,
                             1};
        wkCenterChoice choice = wkCudaCosts_ChooseCenters(costs, &work);
        row.ours = 1e3 * choice.seconds[prediction % WK_CENTER_WAYS];
        row.variant = wkCenterWayName(choice.way);
    } else {
        row.ours = 1e3 * wkWorkCost_Seconds(&costs->copy, 1e5);
    }
    wkBench_Emit(bench, &row);
}

static void runCenters(wkBench* bench, wkCuda* cuda)
{
    bool wants[CENTER_ROWS], wantsAny = false;
    for (int i = 0; i < CENTER_ROWS; i++) {
        char name[WK_ROW_NAME_CAPACITY];
        nameCenterRow(i, name);
        wants[i] = wkBench_Wants(bench, name);
        wantsAny = wantsAny || wants[i];
    }
    wkCudaCosts costs;
    if (cuda == NULL || !wantsAny) {
        return;
    }
    if (wkCuda_MeasureCosts(cuda, NULL, &costs) != wk_ok) {
        leaveOut("gpu/costs/centers");
        return;
    }
    for (int i = 0; i < CENTER_ROWS; i++) {
        if (wants[i]) {
            emitCenterRow(bench, &costs, i);
        }
    }
}

void wkRunGpuCostRows(wkBench* bench, wkCuda* cuda)
{
    runRobot(bench, cuda);
    runPanda(bench, cuda);
    runTrees(bench, cuda);
    runCenters(bench, cuda);
}
