// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Depth images on a GPU. The rays of all pixels are computed once on the CPU and stay on the GPU; of each frame only its
// pixels are sent. A kernel makes points of them (depth_unproject.h), and the trees are asked about these where they are,
// on the same stream.

#include "cuda/cuda_camera.h"

#include "cuda/cuda_trees.h"
#include "cuda/depth_frame.h"

#include "base/block.h"
#include "base/cookie.h"
#include "whisker/detail/device.h"

#include <inttypes.h>
#include <stdio.h>

struct wkCudaCamera {
    wkCuda* cuda;
    wkCamera camera;
    wkPixelRequest request;
    char* memory;         // of the device: everything below
    wkSlope* rays;        // of all pixels
    wkPixelPoint* points; // of a frame
    char* pixels;         // of a frame that comes from the host
};

wkCudaCameraDef wkDefaultCudaCameraDef(void)
{
    wkCudaCameraDef def = {.cookie = WK_COOKIE(wkCudaCameraDef),
                           .camera = wkDefaultCamera(),
                           .pixels = wkDefaultPixelRequest()};
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
    wkResult result = wkCamera_Check(&def->camera);
    return result == wk_ok ? wkPixelRequest_Check(&def->pixels) : result;
}

static wkResult allocate(wkCudaCamera* made)
{
    uint64_t pixelCount = pixelCountOf(&made->camera), byteCount = 0;
    uint64_t rays = wkReserve(&byteCount, pixelCount * sizeof(wkSlope));
    uint64_t points = wkReserve(&byteCount, pixelCount * sizeof(wkPixelPoint));
    uint64_t pixels = wkReserve(&byteCount, pixelCount * sizeof(float));
    void* memory = NULL;
    char words[100];
    snprintf(words, sizeof words, "allocating %" PRIu64 " bytes on the GPU", byteCount);
    wkResult result = wkTakeCudaError(cudaMalloc(&memory, (size_t)byteCount), words);
    if (result == wk_ok) {
        made->memory = (char*)memory;
        made->rays = (wkSlope*)(made->memory + rays);
        made->points = (wkPixelPoint*)(made->memory + points);
        made->pixels = made->memory + pixels;
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
    *made = (wkCudaCamera){.cuda = def->cuda, .camera = def->camera, .request = def->pixels};
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
    if (camera == NULL || image == NULL || (unsigned)memory > wk_memoryDevice) {
        return wkFailCuda(wk_errorArgument, "cuda camera: camera or image is NULL, or memory is %d",
                          (int)memory);
    }
    return wkCheckFrame("cuda camera", &camera->camera, image);
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

wkResult wkCudaCamera_DepthDistances(wkCudaCamera* camera, wkCudaTrees* trees,
                                     const wkPlacedSphereTree* placed, int32_t placedCount,
                                     const wkDepthImage* image, wkCudaMemory memory,
                                     const wkSphereTreeRequest* request,
                                     wkSphereTreeResult* results)
{
    wkResult result = checkTrees(camera, trees, image, memory);
    if (result != wk_ok) {
        wkForgetTrees(results, placedCount);
        return result;
    }
    wkDeviceDepth depth = wkDepthOfCamera(camera, image);
    cudaStream_t stream = wkStreamOfTrees(trees);
    result = wkUnproject(camera, &depth, memory, stream);
    if (result == wk_ok) {
        wkCloudView points = wkMakeCloudView((const float*)depth.points,
                                             (int64_t)depth.columnCount * depth.rowCount);
        result = wkCudaTrees_PointDistances(trees, placed, placedCount, &points, wk_memoryDevice,
                                            image->pose, request, results);
    }
    if (result != wk_ok) {
        cudaStreamSynchronize(stream); // nothing reads the image any more
        wkForgetTrees(results, placedCount);
        return result;
    }
    for (int32_t i = 0; i < placedCount; ++i) {
        results[i].point = pixelOf(&depth, results[i].point);
        results[i].outerPoint = pixelOf(&depth, results[i].outerPoint);
    }
    return wk_ok;
}
