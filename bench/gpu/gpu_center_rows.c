// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// gpu/exhaustive/<points> and gpu/hierarchy/<points>: milliseconds on the wall for the least distance between the
// points of a robot and those of its cell, which are on the GPU (Kaldestad, Hovland and Anisi 2012), beside the same
// method on one thread of the CPU, whose result must be the same to the bit.

#include "gpu/gpu_rows.h"

#include "clouds/workcell.h"
#include "gpu/gpu_timing.h"
#include "measure.h"

static const struct {
    int count;
    double most[2]; // milliseconds on an H200: exhaustive, by hierarchy; 0: none is asked for
    double paper;   // milliseconds that the paper had on its graphics card; 0: none
} sizes[] = {
    {WK_WORKCELL_SMALL, {0.0, 0.0}, 0.0},
    {WK_WORKCELL_LARGE, {3.0, 0.3}, 25300.0},
};

static const struct {
    const char* name;
    wkCenterMethod method;
} methods[] = {
    {"exhaustive", wk_centersExhaustive},
    {"hierarchy", wk_centersHierarchy},
};

typedef struct centersOnGpu {
    wkCudaCloud* a;
    wkCudaCloud* b;
    wkCenterRequest request;
    wkCenterResult expected;
} centersOnGpu;

static long passGpuCenters(void* context)
{
    const centersOnGpu* c = (const centersOnGpu*)context;
    wkCenterResult found =
        wkCudaCloud_CenterDistance(c->a, wkIdentityPose(), c->b, wkIdentityPose(), &c->request);
    bool isSame = found.status == wk_statusExact && found.distance == c->expected.distance;
    return isSame ? 0 : 1;
}

static wkCudaCloud* copyCloud(wkCuda* cuda, const wkCloud* cloud)
{
    wkCudaCloudDef def = wkDefaultCudaCloudDef();
    wkCudaCloud* copy = NULL;
    def.cuda = cuda;
    def.cloud = cloud;
    if (wkCudaCloud_Create(&def, &copy) != wk_ok) {
        fprintf(stderr, "gpu/exhaustive: left out: %s\n", wkGetLastError());
    }
    return copy;
}

static void runMethod(wkBench* bench, int size, int method, const char* name, const wkCloud* a,
                      const wkCloud* b, centersOnGpu* c)
{
    c->request = wkDefaultCenterRequest();
    c->request.method = methods[method].method;
    double start = wkBenchNow();
    c->expected = wkCenterDistance(a, wkIdentityPose(), b, wkIdentityPose(), &c->request);
    wkBenchRow row = {.n = 1,
                      .most = sizes[size].most[method],
                      .paper = method == 0 ? sizes[size].paper : 0.0,
                      .theirs = 1e-6 * (wkBenchNow() - start)};
    snprintf(row.name, sizeof row.name, "%s", name);
    wkTimeOnGpu(&row, passGpuCenters, c);
    wkBench_Emit(bench, &row);
}

static void runSize(wkBench* bench, wkCuda* cuda, int size, const char* const names[2],
                    const bool wants[2])
{
    wkWorkcell cell;
    if (!wkWorkcell_Open(&cell)) {
        return;
    }
    wkCloud* a = wkWorkcell_Cloud(cell.robotPoints, WK_WORKCELL_ROBOT);
    wkCloud* b = wkWorkcell_Cloud(cell.cellPoints, sizes[size].count);
    centersOnGpu c = {.a = NULL};
    if (a != NULL && b != NULL) {
        c.a = copyCloud(cuda, a);
        c.b = copyCloud(cuda, b);
    }
    for (int i = 0; i < 2 && c.a != NULL && c.b != NULL; i++) {
        if (wants[i]) {
            runMethod(bench, size, i, names[i], a, b, &c);
        }
    }
    wkCudaCloud_Destroy(c.a);
    wkCudaCloud_Destroy(c.b);
    wkCloud_Destroy(a);
    wkCloud_Destroy(b);
    wkWorkcell_Close(&cell);
}

void wkRunGpuCenterRows(wkBench* bench, wkCuda* cuda)
{
    for (int size = 0; size < 2; size++) {
        char names[2][WK_ROW_NAME_CAPACITY];
        bool wants[2];
        for (int i = 0; i < 2; i++) {
            snprintf(names[i], sizeof names[i], "gpu/%s/%dx%d", methods[i].name, WK_WORKCELL_ROBOT,
                     sizes[size].count);
            wants[i] = wkBench_Wants(bench, names[i]);
        }
        if (cuda != NULL && (wants[0] || wants[1])) {
            const char* const both[2] = {names[0], names[1]};
            runSize(bench, cuda, size, both, wants);
        }
    }
}
