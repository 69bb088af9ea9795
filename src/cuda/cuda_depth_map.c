// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Depth maps in the memory of a GPU. The library checks frames and lays the map out; of each frame only its pixels are
// sent, and kernels fill the map (device_depth_map.h). Spheres of the host are sent in pieces while others are checked.

#include "cuda/depth_frame.h"
#include "cuda/device_depth_map.h"
#include "cuda/point_feed.h"

#include "base/block.h"
#include "base/cookie.h"
#include "whisker/detail/device.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LEAST_SPHERE_BYTES ((size_t)1 << 20)
#define DEFAULT_SPHERE_BYTES ((size_t)64 << 20)
#define DEFAULT_MASK_CAPACITY 1024
#define MOST_MASK_CAPACITY (1 << 20)
#define MOST_SPHERES (1 << 20)

// Sets whose verdicts are read at once.
#define SETS_AT_ONCE ((int64_t)1 << 20)

struct wkCudaDepthMap {
    wkCuda* cuda;
    wkCamera camera; // of images
    int32_t maskCapacity;
    int32_t blockCount;      // that search
    bool hasImage;           // else all space is unobserved
    wkDepthMap map;          // its arrays are on the device
    char* memory;            // of the device: everything below, and slots for spheres
    void* pixels;            // of a frame that comes from the host
    wkSourcePixels* sources; // of a distorted lens
    wkOwnSphere* own;        //
    uint8_t* verdicts;       // of SETS_AT_ONCE sets
    wkOpenSet* queue;        //
    uint32_t* counts;        // WK_SET_COUNTS
    wkOwnSphere* pinnedOwn;  // on the host
    wkPointFeed feed;
    wkDeviceSets sets; // of the query that runs
};

wkCudaDepthMapDef wkDefaultCudaDepthMapDef(void)
{
    wkCudaDepthMapDef def = {.cookie = WK_COOKIE(wkCudaDepthMapDef),
                             .camera = wkDefaultCamera(),
                             .maskCapacity = DEFAULT_MASK_CAPACITY,
                             .sphereBytes = DEFAULT_SPHERE_BYTES};
    return def;
}

static wkResult checkDef(const wkCudaDepthMapDef* def)
{
    if (!WK_HAS_COOKIE(def, wkCudaDepthMapDef)) {
        return WK_FAIL_COOKIE(def, wkCudaDepthMapDef);
    }
    if (def->cuda == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda depth map: cuda is NULL");
    }
    if (def->maskCapacity < 0 || def->maskCapacity > MOST_MASK_CAPACITY) {
        return wkFailCuda(wk_errorRange, "cuda depth map: maskCapacity is %d, must be 0 to %d",
                          (int)def->maskCapacity, MOST_MASK_CAPACITY);
    }
    if (def->sphereBytes < LEAST_SPHERE_BYTES || def->sphereBytes > SIZE_MAX / 4) {
        return wkFailCuda(wk_errorRange, "cuda depth map: sphereBytes is %zu, must be %zu or more",
                          def->sphereBytes, LEAST_SPHERE_BYTES);
    }
    return wkCamera_Check(&def->camera);
}

// Where arrays are in the memory of the device.
typedef struct layout {
    uint64_t map, pixels, sources, own, verdicts, queue, counts, spheres, byteCount;
} layout;

static layout planMemory(const wkCudaDepthMapDef* def, wkCudaDepthMap* made)
{
    const wkCamera* camera = &def->camera;
    uint64_t pixelCount = (uint64_t)camera->width * (uint64_t)camera->height;
    uint64_t sourceCount = camera->distortion != wk_distortionNone ? pixelCount : 0;
    layout plan = {.byteCount = 0};
    plan.map = wkReserve(&plan.byteCount,
                         wkDepthMap_LayOut(&made->map, camera->width, camera->height, NULL));
    plan.pixels = wkReserve(&plan.byteCount, pixelCount * sizeof(float));
    plan.sources = wkReserve(&plan.byteCount, sourceCount * sizeof(wkSourcePixels));
    plan.own = wkReserve(&plan.byteCount, (uint64_t)def->maskCapacity * sizeof(wkOwnSphere));
    plan.verdicts = wkReserve(&plan.byteCount, SETS_AT_ONCE);
    plan.queue = wkReserve(&plan.byteCount, SETS_AT_ONCE * sizeof(wkOpenSet));
    plan.counts = wkReserve(&plan.byteCount, WK_SET_COUNTS * sizeof(uint32_t));
    made->feed.slotBytes = def->sphereBytes / WK_FEED_SLOTS / 64 * 64;
    plan.spheres = wkReserve(&plan.byteCount, WK_FEED_SLOTS * made->feed.slotBytes);
    return plan;
}

static wkResult allocate(const layout* plan, wkCudaDepthMap* made)
{
    void *memory = NULL, *pinned = NULL;
    size_t ownBytes = (size_t)made->maskCapacity * sizeof(wkOwnSphere);
    char words[100];
    snprintf(words, sizeof words, "allocating %" PRIu64 " bytes on the GPU", plan->byteCount);
    wkResult result = wkTakeCudaError(cudaMalloc(&memory, (size_t)plan->byteCount), words);
    made->memory = (char*)memory;
    if (result == wk_ok && ownBytes > 0) {
        result = wkTakeCudaError(cudaMallocHost(&pinned, ownBytes), "allocating pinned memory");
    }
    made->pinnedOwn = (wkOwnSphere*)pinned;
    if (result == wk_ok) {
        wkDepthMap_LayOut(&made->map, made->camera.width, made->camera.height,
                          made->memory + plan->map);
        made->pixels = made->memory + plan->pixels;
        made->sources = (wkSourcePixels*)(made->memory + plan->sources);
        made->own = (wkOwnSphere*)(made->memory + plan->own);
        made->verdicts = (uint8_t*)(made->memory + plan->verdicts);
        made->queue = (wkOpenSet*)(void*)(made->memory + plan->queue);
        made->counts = (uint32_t*)(void*)(made->memory + plan->counts);
        made->feed.memory = made->memory + plan->spheres;
    }
    return result;
}

// Computes which pixels of a distorted image each pixel of the map stands for.
static wkResult copySources(wkCudaDepthMap* made)
{
    if (made->camera.distortion == wk_distortionNone) {
        return wk_ok;
    }
    size_t bytes =
        (size_t)made->camera.width * (size_t)made->camera.height * sizeof(wkSourcePixels);
    wkSourcePixels* sources = (wkSourcePixels*)wkAllocate(bytes);
    if (sources == NULL) {
        return wkFailCuda(wk_errorMemory, "cuda depth map: no memory");
    }
    wkResult result = wkCamera_Sources(&made->camera, sources);
    if (result == wk_ok) {
        cudaStream_t stream = made->feed.kernels;
        cudaError_t error =
            cudaMemcpyAsync(made->sources, sources, bytes, cudaMemcpyHostToDevice, stream);
        cudaError_t done = cudaStreamSynchronize(stream); // the copy may read until then
        result = wkTakeCudaError(error == cudaSuccess ? done : error, "copying pixels of a lens");
    }
    wkRelease(sources, bytes);
    return result;
}

wkResult wkCudaDepthMap_Create(const wkCudaDepthMapDef* def, wkCudaDepthMap** map)
{
    if (map == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda depth map: the pointer for the map is NULL");
    }
    *map = NULL;
    wkResult result = checkDef(def);
    result = result == wk_ok ? wkUseCuda(def->cuda) : result;
    if (result != wk_ok) {
        return result;
    }
    wkCudaDepthMap* made = (wkCudaDepthMap*)wkAllocate(sizeof *made);
    if (made == NULL) {
        return wkFailCuda(wk_errorMemory, "cuda depth map: no memory");
    }
    memset(made, 0, sizeof *made);
    made->cuda = def->cuda;
    made->camera = def->camera;
    made->maskCapacity = def->maskCapacity;
    made->blockCount = def->cuda->info.multiprocessorCount * WK_SEARCH_BLOCKS_EACH;
    layout plan = planMemory(def, made);
    result = allocate(&plan, made);
    result = result == wk_ok ? wkPointFeed_Open(&made->feed) : result;
    result = result == wk_ok ? copySources(made) : result;
    if (result != wk_ok) {
        wkCudaDepthMap_Destroy(made);
        return result;
    }
    *map = made;
    return wk_ok;
}

void wkCudaDepthMap_Destroy(wkCudaDepthMap* map)
{
    if (map == NULL) {
        return;
    }
    cudaSetDevice(map->cuda->info.device);
    wkPointFeed_Close(&map->feed);
    if (map->pinnedOwn != NULL) {
        cudaFreeHost(map->pinnedOwn);
    }
    if (map->memory != NULL) {
        cudaFree(map->memory);
    }
    wkRelease(map, sizeof *map);
}

static wkResult checkUpdate(const wkCudaDepthMap* map, const wkDepthImage* image,
                            wkCudaMemory memory, const wkDepthMask* mask)
{
    if (map == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda depth map: map is NULL");
    }
    wkResult result = wkCheckCudaMemory("cuda depth map: memory", memory);
    result = result == wk_ok ? wkCheckFrame("cuda depth map", &map->camera, image) : result;
    if (result == wk_ok) {
        result = wkCheckCudaNumbers(map->cuda, "cuda depth map: pixels", memory, image->pixels, 1);
    }
    if (result == wk_ok && mask != NULL && mask->count > map->maskCapacity) {
        return wkFailCuda(wk_errorRange,
                          "cuda depth map: the mask has %d spheres, maskCapacity is %d",
                          (int)mask->count, (int)map->maskCapacity);
    }
    return result;
}

// Submits what fills the map.
static wkResult submitFrame(wkCudaDepthMap* map, wkDeviceFrame* frame, wkCudaMemory memory)
{
    cudaStream_t stream = map->feed.kernels;
    wkResult result =
        memory == wk_memoryHost ? wkSendFrame(&frame->image, map->pixels, stream) : wk_ok;
    if (result == wk_ok && frame->ownCount > 0) {
        size_t bytes = (size_t)frame->ownCount * sizeof(wkOwnSphere);
        result = wkTakeCudaError(
            cudaMemcpyAsync(map->own, map->pinnedOwn, bytes, cudaMemcpyHostToDevice, stream),
            "sending spheres of the robot");
    }
    if (result != wk_ok) {
        return result;
    }
    cudaError_t error = wkLaunchProvePixels(frame, stream);
    error = error == cudaSuccess ? wkLaunchHalveTiles(&frame->map, stream) : error;
    error = error == cudaSuccess ? wkLaunchHalveRest(&frame->map, stream) : error;
    error = error == cudaSuccess ? wkLaunchSpread(&frame->map, stream) : error;
    return wkTakeCudaError(error, "filling a depth map");
}

wkResult wkCudaDepthMap_Update(wkCudaDepthMap* map, const wkDepthImage* image, wkCudaMemory memory,
                               const wkDepthMapDef* def, const wkDepthMask* mask)
{
    wkResult result = checkUpdate(map, image, memory, mask);
    if (result != wk_ok) {
        return result;
    }
    wkDeviceFrame frame = {
        .map = map->map, .image = *image, .sources = map->sources, .own = map->own};
    result = wkDepthMap_Aim(&frame.map, image, def, mask);
    result = result == wk_ok ? wkUseCuda(map->cuda) : result;
    if (result != wk_ok) {
        return result;
    }
    frame.recipe = wkMakeDepthRecipe(&frame.map.def, image->scale);
    if (mask != NULL) {
        frame.ownCount = mask->count;
        frame.rule = mask->rule;
    }
    for (int32_t i = 0; i < frame.ownCount; ++i) {
        map->pinnedOwn[i] = wkMakeOwnSphere(&frame.map, mask, i);
    }
    map->hasImage = false; // until all of the new one is there
    result = submitFrame(map, &frame, memory);
    // nothing reads the image any more
    wkResult done =
        wkTakeCudaError(cudaStreamSynchronize(map->feed.kernels), "filling a depth map");
    result = result == wk_ok ? done : result;
    if (result == wk_ok) {
        map->map = frame.map;
        map->hasImage = true;
    }
    return result;
}

static wkResult checkSets(const wkCudaDepthMap* map, const float* spheres, wkCudaMemory memory,
                          int32_t sphereCount, int64_t setCount, wkDepthVerdict stopAt)
{
    if (map == NULL || (spheres == NULL && sphereCount > 0 && setCount > 0)) {
        return wkFailCuda(wk_errorArgument, "cuda depth map: %s NULL",
                          map == NULL ? "map is" : "spheres are");
    }
    wkResult result = wkCheckCudaMemory("cuda depth map: memory", memory);
    if (result != wk_ok) {
        return result;
    }
    if (sphereCount < 0 || sphereCount > MOST_SPHERES || setCount < 0) {
        return wkFailCuda(wk_errorRange,
                          "cuda depth map: %" PRId64 " sets of %d spheres, sphereCount must be 0 "
                          "to %d, setCount 0 or more",
                          setCount, (int)sphereCount, MOST_SPHERES);
    }
    if (stopAt < wk_depthUnobserved || stopAt > wk_depthHit) {
        return wkFailCuda(wk_errorArgument, "cuda depth map: stopAt is %d, must be %d to %d",
                          (int)stopAt, (int)wk_depthUnobserved, (int)wk_depthHit);
    }
    size_t setBytes = (size_t)sphereCount * sizeof(wkViewSphere);
    if (memory == wk_memoryHost && setBytes > map->feed.slotBytes) {
        return wkFailCuda(wk_errorRange,
                          "cuda depth map: a set has %zu bytes, sphereBytes has space for %zu",
                          setBytes, map->feed.slotBytes);
    }
    return wkCheckCudaNumbers(map->cuda, "cuda depth map: spheres", memory, spheres,
                              sizeof(wkViewSphere));
}

// Submits the checks of sets that are in the memory of the device.
static wkResult checkPiece(void* context, const wkCloudLayout* piece, int64_t first)
{
    wkCudaDepthMap* map = (wkCudaDepthMap*)context;
    cudaStream_t stream = map->feed.kernels;
    wkDeviceSets* sets = &map->sets;
    sets->spheres = (const wkViewSphere*)piece->data;
    sets->setCount = (int32_t)piece->count;
    sets->verdicts = map->verdicts + first;
    cudaError_t error =
        cudaMemsetAsync(map->counts, 0, WK_SET_COUNTS * sizeof *map->counts, stream);
    error = error == cudaSuccess ? wkLaunchProveSets(sets, stream) : error;
    error = error == cudaSuccess ? wkLaunchSearchSets(sets, stream) : error;
    return wkTakeCudaError(error, "checking spheres");
}

// Checks no more than SETS_AT_ONCE sets, and reads their verdicts.
static wkResult checkSome(wkCudaDepthMap* map, const wkCloudLayout* sets, wkCudaMemory memory,
                          uint8_t* verdicts)
{
    wkResult result = memory == wk_memoryDevice
                          ? checkPiece(map, sets, 0)
                          : wkPointFeed_Run(&map->feed, sets, checkPiece, map);
    if (result == wk_ok) {
        result = wkTakeCudaError(cudaMemcpyAsync(verdicts, map->verdicts, (size_t)sets->count,
                                                 cudaMemcpyDeviceToHost, map->feed.kernels),
                                 "reading verdicts");
    }
    // nothing runs when the next ones begin
    wkResult done = wkTakeCudaError(cudaStreamSynchronize(map->feed.kernels), "checking spheres");
    if (result != wk_ok || done != wk_ok) {
        cudaStreamSynchronize(map->feed.copies);
    }
    return result == wk_ok ? done : result;
}

wkResult wkCudaDepthMap_CheckSets(wkCudaDepthMap* map, const float* spheres, wkCudaMemory memory,
                                  int32_t sphereCount, int64_t setCount, wkDepthVerdict stopAt,
                                  uint8_t* verdicts)
{
    size_t verdictCount = setCount > 0 ? (size_t)setCount : 0;
    if (verdicts == NULL && verdictCount > 0) {
        return wkFailCuda(wk_errorArgument, "cuda depth map: verdicts are NULL");
    }
    if (verdictCount > 0) {
        memset(verdicts, wk_depthUnchecked, verdictCount);
    }
    wkResult result = checkSets(map, spheres, memory, sphereCount, setCount, stopAt);
    if (result != wk_ok || sphereCount == 0 || verdictCount == 0) {
        return result;
    }
    if (!map->hasImage) {
        memset(verdicts, wk_depthUnobserved, verdictCount);
        return wk_ok;
    }
    result = wkUseCuda(map->cuda);
    map->sets = (wkDeviceSets){.map = map->map,
                               .camera = wkMakeWorldCamera(&map->map.frame),
                               .sphereCount = sphereCount,
                               .blockCount = map->blockCount,
                               .stopAt = stopAt,
                               .queue = map->queue,
                               .counts = map->counts};
    int64_t setBytes = (int64_t)sphereCount * (int64_t)sizeof(wkViewSphere);
    for (int64_t first = 0; first < setCount && result == wk_ok; first += SETS_AT_ONCE) {
        int64_t left = setCount - first;
        wkCloudLayout sets = {.data = (const char*)spheres + first * setBytes,
                              .count = left < SETS_AT_ONCE ? left : SETS_AT_ONCE,
                              .stride = setBytes,
                              .pointBytes = setBytes};
        result = checkSome(map, &sets, memory, verdicts + first);
    }
    if (result != wk_ok) {
        memset(verdicts, wk_depthUnchecked, verdictCount);
    }
    return result;
}
