// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// gpu/kaldestad/table<n>/<robot+cell>/<method>: milliseconds on the wall for the work of kaldestad/table<n>/<robot+cell> on a
// GPU, which has the clouds, or the cells of both octrees, beside the same method on one thread of the CPU, whose distance
// must be the same to the bit. "elsewhere" is the paper's time on its graphics card.

#include "gpu/gpu_rows.h"

#include "clouds/paper_tables.h"
#include "gpu/gpu_timing.h"
#include "measure.h"

#define METHOD_COUNT 2

static const wkCenterMethod methods[METHOD_COUNT] = {wk_centersExhaustive, wk_centersHierarchy};

// What a row compares.
typedef struct tableOnGpu {
    wkCloud *a, *b;
    wkCudaCloud *onGpuA, *onGpuB;
    wkCenterRequest request;
    wkCenterResult expected;
} tableOnGpu;

static wkCudaCloud* copyCloud(wkCuda* cuda, const wkCloud* cloud)
{
    wkCudaCloudDef def = wkDefaultCudaCloudDef();
    wkCudaCloud* copy = NULL;
    def.cuda = cuda;
    def.cloud = cloud;
    if (cloud == NULL || wkCudaCloud_Create(&def, &copy) != wk_ok) {
        fprintf(stderr, "gpu/kaldestad: left out: %s\n", wkGetLastError());
    }
    return copy;
}

static long passTable(void* context)
{
    const tableOnGpu* t = (const tableOnGpu*)context;
    wkCenterResult found = wkCudaCloud_CenterDistance(t->onGpuA, wkIdentityPose(), t->onGpuB,
                                                      wkIdentityPose(), &t->request);
    return found.status == wk_statusExact && found.distance == t->expected.distance ? 0 : 1;
}

static void runMethod(wkBench* bench, tableOnGpu* t, const char* name, wkCenterMethod method,
                      double paperSeconds)
{
    t->request = wkDefaultCenterRequest();
    t->request.method = method;
    double start = wkBenchNow();
    t->expected = wkCenterDistance(t->a, wkIdentityPose(), t->b, wkIdentityPose(), &t->request);
    char elements[64];
    snprintf(elements, sizeof elements, "%d x %d", (int)wkCloud_Info(t->a).pointCount,
             (int)wkCloud_Info(t->b).pointCount);
    wkBenchRow row = {.n = 1,
                      .paper = 1e3 * paperSeconds,
                      .variant = elements,
                      .theirs = 1e-6 * (wkBenchNow() - start)};
    snprintf(row.name, sizeof row.name, "%s", name);
    wkTimeOnGpu(&row, passTable, t);
    wkBench_Emit(bench, &row);
}

static void nameRow(char name[WK_ROW_NAME_CAPACITY], int table, int row, int method)
{
    snprintf(name, WK_ROW_NAME_CAPACITY, "gpu/kaldestad/table%d/%s/%s", table + 1,
             wkPaperTables[row].name, wkCenterMethodName(methods[method]));
}

static void runRow(wkBench* bench, wkCuda* cuda, const wkWorkcell* cell, int table, int row)
{
    const wkPaperRow* paper = &wkPaperTables[row];
    int count = table == 0 ? WK_WORKCELL_SMALL : WK_WORKCELL_LARGE;
    tableOnGpu t = {.a = wkPaperElements(cell->robotPoints, WK_WORKCELL_ROBOT, paper->robotCell),
                    .b = wkPaperElements(cell->cellPoints, count, paper->cellCell)};
    t.onGpuA = copyCloud(cuda, t.a);
    t.onGpuB = copyCloud(cuda, t.b);
    for (int i = 0; i < METHOD_COUNT && t.onGpuA != NULL && t.onGpuB != NULL; i++) {
        char name[WK_ROW_NAME_CAPACITY];
        nameRow(name, table, row, i);
        if (wkBench_IsSelected(bench, name)) {
            runMethod(bench, &t, name, methods[i], paper->cuda[table]);
        }
    }
    wkCudaCloud_Destroy(t.onGpuA);
    wkCudaCloud_Destroy(t.onGpuB);
    wkCloud_Destroy(t.a);
    wkCloud_Destroy(t.b);
}

void wkRunGpuTableRows(wkBench* bench, wkCuda* cuda)
{
    wkWorkcell cell;
    bool isOpen = false, hasFailed = cuda == NULL;
    for (int i = 0; i < 2 * WK_PAPER_ROWS; i++) {
        int table = i / WK_PAPER_ROWS, row = i % WK_PAPER_ROWS;
        bool isWanted = false;
        for (int k = 0; k < METHOD_COUNT; k++) {
            char name[WK_ROW_NAME_CAPACITY];
            nameRow(name, table, row, k);
            isWanted = wkBench_Wants(bench, name) || isWanted;
        }
        if (isWanted && !isOpen && !hasFailed) {
            isOpen = wkWorkcell_Open(&cell);
            hasFailed = !isOpen;
        }
        if (isWanted && isOpen) {
            runRow(bench, cuda, &cell, table, row);
        }
    }
    if (isOpen) {
        wkWorkcell_Close(&cell);
    }
}
