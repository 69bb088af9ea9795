// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// gpu/frame-to-verdict: milliseconds on the wall from a depth image of 640 x 480 integers in pinned memory to verdicts of
// 100,000 configurations of a Panda of 59 spheres, in pinned memory: the pixels become points, those on the robot itself are
// left out, a clearance field of 256^3 cells is made of the others, and every configuration is checked, pairs of spheres
// included. The configurations are on the GPU already. Beside the CPU on one thread: points, a cloud, a refresh, and the same
// check. A verdict is wrong that is free, where the CPU finds a contact.

#include "gpu/gpu_rows.h"

#include "batch/cloud_case.h"
#include "gpu/gpu_timing.h"
#include "measure.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define STATES 100000
#define WIDTH 640
#define HEIGHT 480
#define RADIUS 0.0025 // of points
#define REACH 0.15    // the largest sphere
#define PADDING 0.03  // around the robot itself
#define MOST 0.6

// The CPU leaves out no less than the GPU.
#define OWN_BAND 1e-4

typedef struct frameOnGpu {
    wkBatchCloudCase made;
    wkBatch* batch; // without points
    wkBatch* withCloud;
    wkCuda* cuda;
    wkCudaBatch* onGpu;
    wkCudaCamera* camera;
    wkCudaField* field;
    wkDepthImage image;
    wkSphere3d own[WK_BATCH_SPHERES]; // where the robot is
    uint16_t* pinned;
    void* states;
    uint8_t* verdicts;
    uint8_t* expected;
} frameOnGpu;

// A wavy wall and what stands in front of it, across the space that the arm moves in.
static void seeWall(uint16_t* pixels)
{
    for (int v = 0; v < HEIGHT; v++) {
        for (int u = 0; u < WIDTH; u++) {
            double depth = 0.75 + 0.1 * sin(0.02 * u) * cos(0.03 * v);
            depth = u % 160 < 20 && v > 200 ? 0.5 : depth;
            pixels[v * WIDTH + u] = (uint16_t)(u % 37 == 0 ? 0.0 : 1000.0 * depth);
        }
    }
}

static bool isOwn(const frameOnGpu* f, wkVec3d p)
{
    bool isInside = false;
    for (int i = 0; i < f->made.robot.peer.bodyCount; i++) {
        const wkSphere3d* s = &f->own[i];
        double x = p.x - s->center.x, y = p.y - s->center.y, z = p.z - s->center.z;
        double radius = s->radius + PADDING + OWN_BAND;
        isInside = isInside || x * x + y * y + z * z <= radius * radius;
    }
    return isInside;
}

// The points of the image that are not on the robot, in the world.
static void takePoints(frameOnGpu* f)
{
    float* points = f->made.points;
    int count = wkDepthImage_Points(&f->image, NULL, points, NULL, WIDTH * HEIGHT), kept = 0;
    for (int i = 0; i < count; i++) {
        wkVec3d local = {points[3 * i], points[3 * i + 1], points[3 * i + 2]};
        wkVec3d p = wkTransformPoint(f->image.pose, local);
        if (!isOwn(f, p)) {
            points[3 * kept] = (float)p.x;
            points[3 * kept + 1] = (float)p.y;
            points[3 * kept + 2] = (float)p.z;
            kept++;
        }
    }
    f->made.pointCount = kept;
}

static void passCpuFrame(void* context)
{
    frameOnGpu* f = (frameOnGpu*)context;
    takePoints(f);
    if (!wkBatchCloudCase_Renew(&f->made) || wkBatch_Refresh(f->withCloud) != wk_ok ||
        wkBatch_CheckStates(f->withCloud, NULL, f->made.robot.states, STATES, f->expected) !=
            wk_ok) {
        fprintf(stderr, "gpu/frame-to-verdict: %s\n", wkGetLastError());
        memset(f->expected, wk_verdictWorld, STATES);
    }
}

static long passGpuFrame(void* context)
{
    frameOnGpu* f = (frameOnGpu*)context;
    wkCudaFrame frame = wkDefaultCudaFrame();
    frame.field = f->field;
    frame.camera = f->camera;
    frame.image = &f->image;
    frame.points.radius = RADIUS;
    frame.points.ownSpheres = f->own;
    frame.points.ownCount = f->made.robot.peer.bodyCount;
    frame.points.ownPadding = PADDING;
    wkCudaStatesRequest request = wkDefaultCudaStatesRequest();
    request.statesIn = wk_memoryDevice;
    wkResult result =
        wkCudaBatch_CheckFrame(f->onGpu, &frame, f->states, STATES, &request, f->verdicts);
    return result == wk_ok ? 0 : 1;
}

static bool openBatches(frameOnGpu* f)
{
    wkBatchDef def = wkBatchCase_Def(&f->made.robot);
    def.exactness = wk_exactnessSpheres;
    wkCudaBatchDef onGpu = wkDefaultCudaBatchDef();
    bool isOpen = wkBatch_Create(&def, &f->withCloud) == wk_ok;
    def.checksWorld = false;
    isOpen = isOpen && wkBatch_Create(&def, &f->batch) == wk_ok;
    onGpu.cuda = f->cuda;
    onGpu.batch = f->batch;
    // the robot of the batch has no world: a change of the scene does not concern it
    return isOpen && wkCudaBatch_Create(&onGpu, &f->onGpu) == wk_ok;
}

static bool openGpu(frameOnGpu* f)
{
    size_t bytes = (size_t)STATES * (size_t)f->made.robot.variableCount * sizeof(double);
    wkCudaCameraDef camera = wkDefaultCudaCameraDef();
    camera.cuda = f->cuda;
    wkCudaFieldDef field = wkDefaultCudaFieldDef();
    field.cuda = f->cuda;
    field.region = (wkAabb){{-0.95, -0.95, -0.55}, {0.95, 0.95, 1.35}};
    field.reach = REACH;
    field.pointCapacity = WIDTH * HEIGHT;
    field.ownCapacity = WK_BATCH_SPHERES;
    f->image = wkDefaultDepthImage();
    // in front of the arm, looking at it: z of the camera is -x of the room
    f->image.pose = wkMakePose(1.3, 0.0, 0.6);
    f->image.pose.rotation = (wkQuat){0.5, -0.5, -0.5, 0.5};
    bool isOpen =
        wkCudaCamera_Create(&camera, &f->camera) == wk_ok &&
        wkCudaField_Create(&field, &f->field) == wk_ok &&
        wkCuda_AllocatePinned(f->cuda, WIDTH * HEIGHT * sizeof(uint16_t), (void**)&f->pinned) ==
            wk_ok &&
        wkCuda_AllocatePinned(f->cuda, STATES, (void**)&f->verdicts) == wk_ok &&
        cudaMalloc(&f->states, bytes) == cudaSuccess &&
        cudaMemcpy(f->states, f->made.robot.states, bytes, cudaMemcpyHostToDevice) == cudaSuccess;
    if (isOpen) {
        seeWall(f->pinned);
        f->image.pixels = f->pinned;
    }
    return isOpen;
}

static bool openFrame(wkCuda* cuda, frameOnGpu* f)
{
    memset(f, 0, sizeof *f);
    f->cuda = cuda;
    if (!wkBatchCloudCase_Open(&f->made, WIDTH * HEIGHT, STATES)) {
        return false;
    }
    wkBatchCase_DrawStates(&f->made.robot);
    wkBatchCase_PlaceSpheres(&f->made.robot, f->made.robot.states, f->own);
    f->made.radius = RADIUS;
    f->expected = (uint8_t*)malloc(STATES);
    return f->expected != NULL && openGpu(f);
}

static void closeFrame(frameOnGpu* f)
{
    cudaFree(f->states);
    wkCuda_ReleasePinned(f->cuda, f->pinned);
    wkCuda_ReleasePinned(f->cuda, f->verdicts);
    wkCudaField_Destroy(f->field);
    wkCudaCamera_Destroy(f->camera);
    wkCudaBatch_Destroy(f->onGpu);
    wkBatch_Destroy(f->batch);
    wkBatch_Destroy(f->withCloud);
    free(f->expected);
    wkBatchCloudCase_Close(&f->made);
}

static void runFrame(wkBench* bench, const char* name, frameOnGpu* f)
{
    wkBenchSide cpu = {.pass = passCpuFrame, .context = f};
    wkMeasure(&cpu, 1, 1, bench->blockCount);
    // the scene is as it stays
    wkBenchRow row = {.n = STATES, .most = MOST, .theirs = 1e-6 * cpu.median};
    snprintf(row.name, sizeof row.name, "%s", name);
    if (wkBatch_Refresh(f->batch) != wk_ok || wkCudaBatch_Refresh(f->onGpu) != wk_ok) {
        row.wrong++;
    }
    wkTimeOnGpu(&row, passGpuFrame, f);
    long freeCount = 0, early = 0;
    for (int i = 0; i < STATES; i++) {
        bool isFree = f->verdicts[i] == wk_verdictFree,
             isExpected = f->expected[i] == wk_verdictFree;
        row.wrong += isFree && !isExpected ? 1 : 0;
        early += !isFree && isExpected ? 1 : 0;
        freeCount += isFree;
    }
    wkBench_Emit(bench, &row);
    printf("# %d points, %.1f %% free, %ld touch on the GPU alone\n", f->made.pointCount,
           100.0 * (double)freeCount / STATES, early);
}

void wkRunGpuFrameRows(wkBench* bench, wkCuda* cuda)
{
    const char* name = "gpu/frame-to-verdict";
    if (!wkBench_Wants(bench, name) || cuda == NULL) {
        return;
    }
    frameOnGpu f;
    if (openFrame(cuda, &f) && openBatches(&f)) {
        runFrame(bench, name, &f);
    } else {
        fprintf(stderr, "%s: left out: %s\n", name, wkGetLastError());
    }
    closeFrame(&f);
}
