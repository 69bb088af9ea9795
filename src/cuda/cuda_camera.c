// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Depth images on a GPU. The rays of all pixels are computed once on the CPU and stay on the GPU; of each frame only its
// pixels are sent. A kernel makes points of them and leaves out those on the robot itself (depth_unproject.h), and the trees
// are asked about these where they are, on the same stream.

#include "cuda/cuda_camera.h"

#include "cuda/cuda_trees.h"
#include "cuda/depth_frame.h"
#include "cuda/host_answer.h"

#include "base/block.h"
#include "base/cookie.h"
#include "math/round.h"
#include "tree/cloud/cloud_view.h"
#include "whisker/detail/device.h"

#include <string.h>

#define MOST_OWN_CAPACITY (1 << 20)
#define DEFAULT_OWN_CAPACITY 1024

struct wkCudaCamera {
    wkCuda* cuda;
    wkCamera camera;
    wkPixelRequest request;
    char* memory;         // of the device: everything below
    wkSlope* rays;        // of all pixels
    wkPixelPoint* points; // of a frame
    char* pixels;         // of a frame that comes from the host
    wkDeviceOwn* own;     // spheres of the robot itself
    wkOwnCounts* counts;
    int32_t ownCapacity;
    bool isClear;           // the counts are
    uint32_t serial;        // of the last frame without points on the robot itself
    char* pinned;           // of the host: everything below
    wkAnswerWord* answer;   // WK_OWN_WORDS
    wkSphere3d* placed;     // spheres of the robot itself
    wkDeviceOwn* pinnedOwn; // the same, as they are sent
};

wkCudaCameraDef wkDefaultCudaCameraDef(void)
{
    wkCudaCameraDef def = {.cookie = WK_COOKIE(wkCudaCameraDef),
                           .camera = wkDefaultCamera(),
                           .pixels = wkDefaultPixelRequest(),
                           .ownCapacity = DEFAULT_OWN_CAPACITY};
    return def;
}

static uint64_t pixelCountOf(const wkCamera* camera)
{
    return (uint64_t)camera->width * (uint64_t)camera->height;
}

static wkResult checkDef(const wkCudaCameraDef* def)
{
    if (!WK_HAS_COOKIE(def, wkCudaCameraDef)) {
        return WK_FAIL_COOKIE(def, wkCudaCameraDef);
    }
    if (def->cuda == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda camera: cuda is NULL");
    }
    if (def->ownCapacity < 0 || def->ownCapacity > MOST_OWN_CAPACITY) {
        return wkFailCuda(wk_errorRange, "cuda camera: ownCapacity is %d, must be 0 to %d",
                          (int)def->ownCapacity, MOST_OWN_CAPACITY);
    }
    wkResult result = wkCamera_Check(&def->camera);
    return result == wk_ok ? wkPixelRequest_Check(&def->pixels) : result;
}

static wkResult allocate(wkCudaCamera* made)
{
    uint64_t pixelCount = pixelCountOf(&made->camera), ownCount = (uint64_t)made->ownCapacity;
    uint64_t byteCount = 0, pinnedBytes = 0;
    uint64_t rays = wkReserve(&byteCount, pixelCount * sizeof(wkSlope));
    uint64_t points = wkReserve(&byteCount, pixelCount * sizeof(wkPixelPoint));
    uint64_t pixels = wkReserve(&byteCount, pixelCount * sizeof(float));
    uint64_t own = wkReserve(&byteCount, ownCount * sizeof(wkDeviceOwn));
    uint64_t counts = wkReserve(&byteCount, sizeof(wkOwnCounts));
    uint64_t answer = wkReserve(&pinnedBytes, WK_OWN_WORDS * sizeof(wkAnswerWord));
    uint64_t placed = wkReserve(&pinnedBytes, ownCount * sizeof(wkSphere3d));
    uint64_t pinnedOwn = wkReserve(&pinnedBytes, ownCount * sizeof(wkDeviceOwn));
    wkResult result = wkAllocateCuda(byteCount, pinnedBytes, &made->memory, &made->pinned);
    if (result == wk_ok) {
        made->rays = (wkSlope*)(made->memory + rays);
        made->points = (wkPixelPoint*)(made->memory + points);
        made->pixels = made->memory + pixels;
        made->own = (wkDeviceOwn*)(made->memory + own);
        made->counts = (wkOwnCounts*)(made->memory + counts);
        made->answer = (wkAnswerWord*)(void*)(made->pinned + answer);
        made->placed = (wkSphere3d*)(made->pinned + placed);
        made->pinnedOwn = (wkDeviceOwn*)(made->pinned + pinnedOwn);
        memset(made->answer, 0, WK_OWN_WORDS * sizeof *made->answer); // no frame has this serial
    }
    return result;
}

static wkResult copyRays(wkCudaCamera* made)
{
    size_t bytes = (size_t)pixelCountOf(&made->camera) * sizeof(wkSlope);
    double* rays = (double*)wkAllocate(bytes);
    if (rays == NULL) {
        return wkFailCuda(wk_errorMemory, "cuda camera: no memory");
    }
    wkResult result = wkCamera_Rays(&made->camera, rays);
    if (result == wk_ok) {
        cudaError_t error = cudaMemcpyAsync(made->rays, rays, bytes, cudaMemcpyHostToDevice, 0);
        cudaError_t done = cudaStreamSynchronize(0); // the copy may read until then
        result = wkTakeCudaError(error == cudaSuccess ? done : error, "copying rays to the GPU");
    }
    wkRelease(rays, bytes);
    return result;
}

wkResult wkCudaCamera_Create(const wkCudaCameraDef* def, wkCudaCamera** camera)
{
    if (camera == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda camera: the pointer for the camera is NULL");
    }
    *camera = NULL;
    wkResult result = checkDef(def);
    result = result == wk_ok ? wkUseCuda(def->cuda) : result;
    if (result != wk_ok) {
        return result;
    }
    wkCudaCamera* made = (wkCudaCamera*)wkAllocate(sizeof *made);
    if (made == NULL) {
        return wkFailCuda(wk_errorMemory, "cuda camera: no memory");
    }
    *made = (wkCudaCamera){.cuda = def->cuda,
                           .camera = def->camera,
                           .request = def->pixels,
                           .ownCapacity = def->ownCapacity};
    result = allocate(made);
    result = result == wk_ok ? copyRays(made) : result;
    if (result != wk_ok) {
        wkCudaCamera_Destroy(made);
        return result;
    }
    *camera = made;
    return wk_ok;
}

void wkCudaCamera_Destroy(wkCudaCamera* camera)
{
    if (camera == NULL) {
        return;
    }
    cudaSetDevice(camera->cuda->info.device);
    if (camera->pinned != NULL) {
        cudaFreeHost(camera->pinned);
    }
    if (camera->memory != NULL) {
        cudaFree(camera->memory);
    }
    wkRelease(camera, sizeof *camera);
}

int32_t wkDeviceOfCamera(const wkCudaCamera* camera)
{
    return camera->cuda->info.device;
}

wkResult wkCheckCameraImage(const wkCudaCamera* camera, const wkDepthImage* image,
                            wkCudaMemory memory)
{
    if (camera == NULL || image == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda camera: %s is NULL",
                          camera == NULL ? "camera" : "image");
    }
    wkResult result = wkCheckCudaMemory("cuda camera: memory", memory);
    result = result == wk_ok ? wkCheckFrame("cuda camera", &camera->camera, image) : result;
    return result == wk_ok
               ? wkCheckCudaNumbers(camera->cuda, "cuda camera: pixels", memory, image->pixels, 1)
               : result;
}

static int32_t divideUp(int32_t a, int32_t b)
{
    return (a - 1) / b + 1;
}

wkDeviceDepth wkDepthOfCamera(const wkCudaCamera* camera, const wkDepthImage* image)
{
    wkDeviceDepth depth = {
        .image = *image,
        .request = camera->request,
        .rays = camera->rays,
        .columnCount = divideUp(image->camera.width, camera->request.step),
        .rowCount = divideUp(image->camera.height, camera->request.step),
        .points = camera->points,
    };
    return depth;
}

wkResult wkUnproject(const wkCudaCamera* camera, wkDeviceDepth* depth, wkCudaMemory memory,
                     cudaStream_t stream)
{
    wkResult result = wkUseCuda(camera->cuda);
    if (result == wk_ok && memory == wk_memoryHost) {
        result = wkSendFrame(&depth->image, camera->pixels, stream);
    }
    return result == wk_ok
               ? wkTakeCudaError(wkLaunchUnproject(depth, stream), "making points of pixels")
               : result;
}

static wkResult checkTrees(const wkCudaCamera* camera, const wkCudaTrees* trees,
                           const wkDepthImage* image, wkCudaMemory memory)
{
    if (trees == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda camera: trees are NULL");
    }
    wkResult result = wkCheckCameraImage(camera, image, memory);
    if (result == wk_ok && wkDeviceOfTrees(trees) != camera->cuda->info.device) {
        return wkFailCuda(wk_errorArgument,
                          "cuda camera: the trees are on GPU %d, the camera on %d",
                          (int)wkDeviceOfTrees(trees), (int)camera->cuda->info.device);
    }
    return result;
}

// Replaces the index of a point by that of its pixel.
static int64_t pixelOf(const wkDeviceDepth* depth, int64_t point)
{
    int64_t row = point / depth->columnCount, column = point % depth->columnCount;
    int64_t pixel = row * depth->image.camera.width + column;
    return point >= 0 ? pixel * depth->request.step : point;
}

// Checks a filter of the robot itself as wkCloudFilter_Run does, and refuses by name what the GPU does not do.
static wkResult checkSelf(const wkCudaCamera* camera, const wkFilterStep* step, wkPose pose)
{
    wkFilterRequest request = wkDefaultFilterRequest();
    wkCloudLayout layout;
    request.points = wkMakeCloudView(camera->points, 1); // which are not read
    request.pose = pose;
    request.steps = step;
    request.stepCount = 1;
    wkResult result = wkFilterRequest_LayOut(&request, &layout);
    const wkSelfFilter* self = &step->self;
    const char* problem = self->robot.bodyCount > 0         ? "bodies of the robot"
                          : self->ownRule != wk_selfRemove  ? "an ownRule that keeps points"
                          : self->shadowRule != wk_selfKeep ? "a shadowRule other than keep"
                                                            : NULL;
    if (result == wk_ok && problem != NULL) {
        return wkFailCuda(wk_errorUnsupported, "cuda camera: self: %s: on the CPU alone", problem);
    }
    if (result == wk_ok && self->robot.sphereCount > camera->ownCapacity) {
        return wkFailCuda(wk_errorRange, "cuda camera: self: %d spheres, ownCapacity is %d",
                          (int)self->robot.sphereCount, (int)camera->ownCapacity);
    }
    return result;
}

// Sets the sphere that floats are compared with: a box of points that is not near to it has no point in the sphere.
static wkDeviceOwn ownOf(const wkSphere3d* sphere)
{
    const wkVec3d* c = &sphere->center;
    wkVec3d stored = wkVec(wkNearestFloat(c->x), wkNearestFloat(c->y), wkNearestFloat(c->z));
    // lengths of floats are off by less than a part in 2^20, and squares of lengths below 1e-18 may be no normal floats
    double reach = (sphere->radius + wkLength(wkSub(stored, *c))) * (1.0 + 0x1p-18) + 1e-18;
    return (wkDeviceOwn){*sphere, (float)stored.x, (float)stored.y, (float)stored.z,
                         wkRoundUp(reach * reach)};
}

// Submits the spheres of the robot itself.
static wkResult sendOwn(wkCudaCamera* camera, const wkFilterStep* step, wkPose pose,
                        wkDeviceDepth* depth, cudaStream_t stream)
{
    wkPointItem item;
    wkFilterStep_Place(step, pose, wkVec(0.0, 0.0, 0.0), camera->placed, &item);
    for (int32_t i = 0; i < item.sphereCount; ++i) {
        camera->pinnedOwn[i] = ownOf(&item.spheres[i]);
    }
    depth->own = camera->own;
    depth->ownCount = item.sphereCount;
    depth->counts = camera->counts;
    depth->answer = camera->answer;
    depth->serial = ++camera->serial;
    cudaError_t error = cudaSuccess;
    if (!camera->isClear) {
        error = cudaMemsetAsync(camera->counts, 0, sizeof *camera->counts, stream);
    }
    camera->isClear = false; // until the answer is there
    if (error == cudaSuccess && item.sphereCount > 0) {
        error = cudaMemcpyAsync(camera->own, camera->pinnedOwn,
                                (size_t)item.sphereCount * sizeof *camera->own,
                                cudaMemcpyHostToDevice, stream);
    }
    return wkTakeCudaError(error, "sending spheres of the robot itself");
}

// Reads how many points are on the robot itself, which the kernel that made the points has written before the last one ended.
// @param allowsEmpty false: refuses an image of which no point is left
static wkResult readOwn(wkCudaCamera* camera, bool allowsEmpty, cudaStream_t stream,
                        int64_t* ownCount)
{
    wkOwnAnswer answer;
    wkResult result = wkTakeCudaError(
        wkWaitForAnswer(stream, camera->answer, WK_OWN_WORDS, camera->serial, &answer),
        "making points of pixels");
    camera->isClear = result == wk_ok;
    if (result == wk_ok && answer.left == 0 && !allowsEmpty) {
        return wkFailCuda(wk_errorArgument,
                          "cuda camera: no finite point of the image is left, %u are on the robot "
                          "itself; allowsEmpty takes that",
                          (unsigned)answer.own);
    }
    if (result == wk_ok) {
        *ownCount = answer.own;
    }
    return result;
}

// A frame and what is asked about it.
typedef struct depthQuery {
    wkCudaTrees* trees;
    const wkPlacedSphereTree* placed;
    int32_t placedCount;
    const wkDepthImage* image;
    wkCudaMemory memory;
    wkSphereTreeRequest request;
    const wkFilterStep* self; // NULL: no point is left out
} depthQuery;

// Submits everything, and waits for it.
static wkResult runQuery(wkCudaCamera* camera, const depthQuery* q, wkDeviceDepth* depth,
                         wkSphereTreeResult* results, int64_t* ownCount)
{
    cudaStream_t stream = wkStreamOfTrees(q->trees);
    wkPose pose = q->image->pose;
    wkSphereTreeRequest request = q->request;
    wkResult result = wkUseCuda(camera->cuda);
    if (result == wk_ok && q->self != NULL) {
        request.allowsEmpty = true; // counts tell
        result = sendOwn(camera, q->self, pose, depth, stream);
    }
    result = result == wk_ok ? wkUnproject(camera, depth, q->memory, stream) : result;
    if (result == wk_ok) {
        wkCloudView points = wkMakeCloudView((const float*)depth->points,
                                             (int64_t)depth->columnCount * depth->rowCount);
        result = wkCudaTrees_PointDistances(q->trees, q->placed, q->placedCount, &points,
                                            wk_memoryDevice, pose, &request, results);
    }
    if (result == wk_ok && q->self != NULL) {
        result = readOwn(camera, q->request.allowsEmpty, stream, ownCount);
    }
    if (result != wk_ok) {
        cudaStreamSynchronize(stream); // nothing reads the image any more
    }
    return result;
}

static wkResult answerQuery(wkCudaCamera* camera, const depthQuery* q, wkSphereTreeResult* results,
                            int64_t* ownCount)
{
    wkResult result = checkTrees(camera, q->trees, q->image, q->memory);
    if (result == wk_ok && q->self != NULL) {
        result = checkSelf(camera, q->self, q->image->pose);
    }
    wkDeviceDepth depth;
    if (result == wk_ok) {
        depth = wkDepthOfCamera(camera, q->image);
        result = runQuery(camera, q, &depth, results, ownCount);
    }
    if (result != wk_ok) {
        wkForgetTrees(results, q->placedCount);
        return result;
    }
    for (int32_t i = 0; i < q->placedCount; ++i) {
        results[i].point = pixelOf(&depth, results[i].point);
        results[i].outerPoint = pixelOf(&depth, results[i].outerPoint);
    }
    return wk_ok;
}

wkResult wkCudaCamera_DepthDistances(wkCudaCamera* camera, wkCudaTrees* trees,
                                     const wkPlacedSphereTree* placed, int32_t placedCount,
                                     const wkDepthImage* image, wkCudaMemory memory,
                                     const wkSphereTreeRequest* request,
                                     wkSphereTreeResult* results)
{
    return wkCudaCamera_FilteredDistances(camera, trees, placed, placedCount, image, memory, NULL,
                                          request, results, NULL);
}

wkResult wkCudaCamera_FilteredDistances(wkCudaCamera* camera, wkCudaTrees* trees,
                                        const wkPlacedSphereTree* placed, int32_t placedCount,
                                        const wkDepthImage* image, wkCudaMemory memory,
                                        const wkSelfFilter* self,
                                        const wkSphereTreeRequest* request,
                                        wkSphereTreeResult* results, int64_t* ownCount)
{
    wkFilterStep step = {.type = wk_filterSelf};
    depthQuery query = {.trees = trees,
                        .placed = placed,
                        .placedCount = placedCount,
                        .image = image,
                        .memory = memory,
                        .request = request != NULL ? *request : wkDefaultSphereTreeRequest()};
    if (self != NULL) {
        step.self = *self;
        query.self = &step;
    }
    int64_t found = 0;
    wkResult result = answerQuery(camera, &query, results, &found);
    if (ownCount != NULL) {
        *ownCount = found;
    }
    return result;
}
