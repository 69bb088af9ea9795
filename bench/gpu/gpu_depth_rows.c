// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// gpu/depth-frame: milliseconds on the wall from a depth image of 640 x 480 integers in pinned memory to the distance of
// each link, beside the same on one thread of the CPU, whose results must be the same to the bit. gpu/depth-frame/self: the
// same with a camera that sees the robot, whose points are left out by the outer spheres of its links and a padding of 2 cm.

#include "gpu/gpu_rows.h"

#include "clouds/sphere_tree_case.h"
#include "gpu/gpu_timing.h"
#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST 0.060

typedef struct depthOnGpu {
    wkSphereTreeCase task;
    wkCuda* cuda;
    wkCudaTrees* trees;
    wkCudaCamera* camera;
    void* pinned;
    wkDepthImage image;
    float* points;   // of the CPU
    int32_t* pixels; // of these
    wkSphereTreeResult expected[WK_IST_LINKS];
    wkCloudFilter* filter; // of the CPU; NULL: no point is left out
    wkSphere3d* own;
    wkFilterStep self;
    int64_t ownCount; // points that the CPU leaves out
} depthOnGpu;

// A wavy wall. Between the camera and the arm it is 0.1 to 0.7 m in front of its tip.
static void seeWall(const wkCamera* camera, double middle, uint16_t* pixels)
{
    for (int v = 0; v < camera->height; v++) {
        for (int u = 0; u < camera->width; u++) {
            double depth = middle + 0.3 * sin(0.02 * u) * cos(0.03 * v);
            pixels[v * camera->width + u] = (uint16_t)(u % 37 == 0 ? 0.0 : 1000.0 * depth);
        }
    }
}

// Puts the outer spheres of all links into the image.
static void seeSpheres(const depthOnGpu* d, uint16_t* pixels)
{
    const wkCamera* camera = &d->image.camera;
    for (int32_t i = 0; i < d->self.self.robot.sphereCount; i++) {
        wkVec3d c = wkTransformPoint(wkInvPose(d->image.pose), d->own[i].center);
        double radius = d->own[i].radius;
        for (int k = 0; k < camera->width * camera->height; k++) {
            double x = (k % camera->width - camera->cx) / camera->fx;
            double y = (k / camera->width - camera->cy) / camera->fy;
            double square = x * x + y * y + 1.0, along = x * c.x + y * c.y + c.z;
            double apart = c.x * c.x + c.y * c.y + c.z * c.z - radius * radius;
            double root = along * along - square * apart;
            double depth = root > 0.0 ? (along - sqrt(root)) / square : 0.0;
            if (depth > 0.1 && 1000.0 * depth < pixels[k]) {
                pixels[k] = (uint16_t)(1000.0 * depth);
            }
        }
    }
}

// Takes the outer spheres of all links as the robot itself.
static bool openSelf(depthOnGpu* d)
{
    int32_t count = 0;
    for (int i = 0; i < WK_IST_LINKS; i++) {
        count += wkSphereTree_Info(d->task.trees[i]).outerCount;
    }
    d->own = malloc((size_t)count * sizeof *d->own);
    if (d->own == NULL || wkCloudFilter_Create(&d->filter) != wk_ok) {
        return false;
    }
    count = 0;
    for (int i = 0; i < WK_IST_LINKS; i++) {
        for (int32_t k = 0; k < wkSphereTree_Info(d->task.trees[i]).outerCount; k++) {
            wkSphere3d sphere = wkSphereTree_OuterSphere(d->task.trees[i], k);
            sphere.center = wkTransformPoint(d->task.placed[i].pose, sphere.center);
            d->own[count++] = sphere;
        }
    }
    wkFilterRobot robot = {.spheres = d->own, .sphereCount = count};
    d->self = wkMakeSelfFilter(robot, 0.02);
    return true;
}

static bool openDepth(wkCuda* cuda, bool hasSelf, depthOnGpu* d)
{
    memset(d, 0, sizeof *d);
    d->cuda = cuda;
    if (!wkSphereTreeCase_Open(&d->task)) {
        return false;
    }
    d->image = wkDefaultDepthImage();
    // in front of the arm, looking at it: z of the camera is -x of the room
    d->image.pose = wkMakePose(1.3, 0.0, 0.8);
    d->image.pose.rotation = (wkQuat){0.5, -0.5, -0.5, 0.5};
    const wkSphereTree* trees[WK_IST_LINKS];
    for (int i = 0; i < WK_IST_LINKS; i++) {
        trees[i] = d->task.trees[i];
    }
    wkCudaTreesDef def = wkDefaultCudaTreesDef();
    def.cuda = cuda;
    def.trees = trees;
    def.treeCount = WK_IST_LINKS;
    wkCudaCameraDef cameraDef = wkDefaultCudaCameraDef();
    cameraDef.cuda = cuda;
    cameraDef.ownCapacity = 1 << 16;
    size_t count = (size_t)d->image.camera.width * (size_t)d->image.camera.height;
    d->points = malloc(3 * count * sizeof *d->points);
    d->pixels = malloc(count * sizeof *d->pixels);
    bool isOpen = d->points != NULL && d->pixels != NULL && (!hasSelf || openSelf(d)) &&
                  wkCudaTrees_Create(&def, &d->trees) == wk_ok &&
                  wkCudaCamera_Create(&cameraDef, &d->camera) == wk_ok &&
                  wkCuda_AllocatePinned(cuda, count * sizeof(uint16_t), &d->pinned) == wk_ok;
    if (isOpen) {
        seeWall(&d->image.camera, hasSelf ? 3.4 : 1.9, (uint16_t*)d->pinned);
        seeSpheres(d, (uint16_t*)d->pinned);
        d->image.pixels = d->pinned;
        d->image.scale = 0.001;
    } else {
        fprintf(stderr, "gpu/depth-frame: left out: %s\n", wkGetLastError());
    }
    return isOpen;
}

static void closeDepth(depthOnGpu* d)
{
    wkCuda_ReleasePinned(d->cuda, d->pinned);
    wkCudaCamera_Destroy(d->camera);
    wkCudaTrees_Destroy(d->trees);
    wkSphereTreeCase_Close(&d->task);
    wkCloudFilter_Destroy(d->filter);
    free(d->points);
    free(d->pixels);
    free(d->own);
}

// Leaves out the points on the robot itself. Returns how many are left.
static int32_t filterOnCpu(depthOnGpu* d, int32_t count)
{
    wkFilterRequest request = wkDefaultFilterRequest();
    wkFilterResult result;
    request.points = wkMakeCloudView(d->points, count);
    request.pose = d->image.pose;
    request.steps = &d->self;
    request.stepCount = 1;
    wkCloudFilter_Run(d->filter, &request, &result);
    d->ownCount = result.steps[0].removedCount;
    for (int32_t i = 0; i < result.keptCount; i++) {
        memmove(&d->points[3 * i], &d->points[3 * result.kept[i]], 3 * sizeof *d->points);
        d->pixels[i] = d->pixels[result.kept[i]];
    }
    return result.keptCount;
}

// The same on the CPU: points, then their distances.
static void passCpuDepth(void* context)
{
    depthOnGpu* d = (depthOnGpu*)context;
    int32_t capacity = d->image.camera.width * d->image.camera.height;
    int32_t count = wkDepthImage_Points(&d->image, NULL, d->points, d->pixels, capacity);
    count = d->filter != NULL ? filterOnCpu(d, count) : count;
    wkCloudView view = wkMakeCloudView(d->points, count);
    wkPlacedSphereTree_PointDistances(d->task.placed, WK_IST_LINKS, &view, d->image.pose, NULL,
                                      d->expected);
}

static long passGpuDepth(void* context)
{
    depthOnGpu* d = (depthOnGpu*)context;
    wkSphereTreeResult found[WK_IST_LINKS];
    const wkSelfFilter* self = d->filter != NULL ? &d->self.self : NULL;
    int64_t ownCount = 0;
    if (wkCudaCamera_FilteredDistances(d->camera, d->trees, d->task.placed, WK_IST_LINKS, &d->image,
                                       wk_memoryHost, self, NULL, found, &ownCount) != wk_ok) {
        return 1;
    }
    long wrong = ownCount != d->ownCount;
    for (int i = 0; i < WK_IST_LINKS; i++) {
        const wkSphereTreeResult* e = &d->expected[i];
        bool isSame = found[i].lower == e->lower && found[i].upper == e->upper &&
                      found[i].verdict == e->verdict && e->point >= 0 &&
                      found[i].point == d->pixels[e->point];
        wrong += isSame ? 0 : 1;
    }
    return wrong;
}

static void runRow(wkBench* bench, wkCuda* cuda, const char* name, bool hasSelf)
{
    if (!wkBench_Wants(bench, name) || cuda == NULL) {
        return;
    }
    depthOnGpu d;
    if (openDepth(cuda, hasSelf, &d)) {
        wkBenchSide cpu = {.pass = passCpuDepth, .context = &d};
        wkMeasure(&cpu, 1, 1, bench->blockCount);
        wkBenchRow row = {.n = 1, .most = MOST, .theirs = 1e-6 * cpu.median};
        snprintf(row.name, sizeof row.name, "%s", name);
        wkTimeOnGpu(&row, passGpuDepth, &d);
        if (hasSelf) {
            fprintf(stderr, "%s: %d spheres, %d points left out\n", name,
                    (int)d.self.self.robot.sphereCount, (int)d.ownCount);
        }
        wkBench_Emit(bench, &row);
    }
    closeDepth(&d);
}

void wkRunGpuDepthRows(wkBench* bench, wkCuda* cuda)
{
    runRow(bench, cuda, "gpu/depth-frame", false);
    runRow(bench, cuda, "gpu/depth-frame/self", true);
}
