// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Clouds in the memory of a GPU, with a hierarchy of the boxes of their points and memory for a search. The library checks
// arguments, orders the clouds and makes the result; kernels find the nearest pair (device_centers.h).

#include "cuda/cuda_cloud.h"

#include "cuda/device_centers.h"
#include "cuda/host_answer.h"

#include "base/block.h"
#include "base/cookie.h"
#include "math/round.h"
#include "query/cloud/center_search.h"
#include "whisker/detail/device.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// Up to this many pairs the exhaustive method is chosen. A guess: at 6e12 pairs per second it takes as long as the
// launches of the other one. To be measured on a GPU.
#define EXHAUSTIVE_PAIRS ((int64_t)1 << 26)

// Blocks of threads for each multiprocessor, of kernels whose blocks keep a pair each.
#define BLOCKS_EACH 8

struct wkCudaCloud {
    wkCuda* cuda;
    const wkCloud* cloud; // of the host; borrowed
    wkDeviceCloud onDevice;
    wkVec3d middle; // of the box of all points
    double reach;   // not less than the distance of a point from the middle
    int32_t blockCount;
    char* memory; // of the device: the cloud, and the scratch of searches with it as B
    wkCenterScratch scratch;
    wkAnswerWord* answer; // of searches with it as B, on the host: WK_CENTER_WORDS
    uint32_t serial;      // of the last of these
    cudaStream_t stream;
};

wkCudaCloudDef wkDefaultCudaCloudDef(void)
{
    wkCudaCloudDef def = {.cookie = WK_COOKIE(wkCudaCloudDef)};
    return def;
}

static wkResult checkDef(const wkCudaCloudDef* def)
{
    if (!WK_HAS_COOKIE(def, wkCudaCloudDef)) {
        return WK_FAIL_COOKIE(def, wkCudaCloudDef);
    }
    if (def->cuda == NULL || def->cloud == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda cloud: %s is NULL",
                          def->cuda == NULL ? "cuda" : "cloud");
    }
    return wk_ok;
}

// Finds the middle and the reach of the points.
static void measure(wkCudaCloud* made)
{
    const wkCloud* cloud = made->cloud;
    if (cloud->pointCount == 0) {
        return;
    }
    wkVec3d lower = wkCloudPosition(cloud, 0), upper = lower;
    for (int32_t i = 1; i < cloud->pointCount; ++i) {
        wkVec3d p = wkCloudPosition(cloud, i);
        lower = wkMin(lower, p);
        upper = wkMax(upper, p);
    }
    made->middle = wkScale(0.5, wkAdd(lower, upper));
    double most = 0.0;
    for (int32_t i = 0; i < cloud->pointCount; ++i) {
        double square = wkCenterSquare(made->middle, wkCloudPosition(cloud, i));
        most = square > most ? square : most;
    }
    made->reach = sqrt(most) * (1.0 + 1e-6);
}

// Plans the levels of the hierarchy: slots of the lowest one are groups, and each node is a slot of the next.
// @return the number of nodes
static int32_t planLevels(wkDeviceCloud* cloud)
{
    int32_t nodeCount = 0, count = WK_GROUP_COUNT(cloud->pointCount);
    while (count > 0) {
        int32_t nodes = WK_GROUP_COUNT(count);
        cloud->counts[cloud->levelCount] = count;
        cloud->firsts[cloud->levelCount++] = nodeCount;
        nodeCount += nodes;
        count = nodes > 1 ? nodes : 0;
    }
    return nodeCount;
}

static wkResult allocate(wkCudaCloud* made)
{
    uint64_t points = (uint64_t)made->onDevice.pointCount;
    uint64_t groups = WK_GROUP_COUNT(points), byteCount = 0;
    uint64_t nodes = (uint64_t)planLevels(&made->onDevice);
    uint64_t groupOffset = wkReserve(&byteCount, groups * sizeof(wkPointGroup));
    uint64_t nodeOffset = wkReserve(&byteCount, nodes * sizeof(wkCenterNode));
    uint64_t stateOffset = wkReserve(&byteCount, sizeof(wkCenterState));
    uint64_t localOffset = wkReserve(&byteCount, groups * sizeof(wkPointGroup));
    uint64_t lowOffset = wkReserve(&byteCount, points * sizeof(uint32_t));
    uint64_t queueOffset = wkReserve(&byteCount, points * sizeof(int32_t));
    uint64_t bestOffset = wkReserve(&byteCount, (uint64_t)made->blockCount * sizeof(wkCenterPair));
    _Static_assert(sizeof(wkPointGroup) >= sizeof(wkCenterBox), "a box for each group fits there");
    size_t wordBytes = WK_CENTER_WORDS * sizeof(wkAnswerWord);
    char words[100];
    snprintf(words, sizeof words, "allocating %" PRIu64 " bytes on the GPU", byteCount);
    void *memory = NULL, *pinned = NULL;
    wkResult result = wkTakeCudaError(cudaMalloc(&memory, (size_t)byteCount), words);
    if (result != wk_ok) {
        return result;
    }
    made->memory = (char*)memory;
    made->onDevice.groups = (const wkPointGroup*)(made->memory + groupOffset);
    made->onDevice.nodes = (wkCenterNode*)(made->memory + nodeOffset);
    made->scratch = (wkCenterScratch){
        .state = (wkCenterState*)(made->memory + stateOffset),
        .locals = (float*)(made->memory + localOffset),
        .lows = (uint32_t*)(made->memory + lowOffset),
        .boxes = (wkCenterBox*)(made->memory + localOffset),
        .queue = (int32_t*)(made->memory + queueOffset),
        .bests = (wkCenterPair*)(made->memory + bestOffset),
    };
    result = wkTakeCudaError(cudaMallocHost(&pinned, wordBytes), "allocating pinned memory");
    made->answer = (wkAnswerWord*)pinned;
    if (result == wk_ok) {
        memset(made->answer, 0, wordBytes); // no search has this serial
    }
    return result;
}

// Copies the points, and computes the boxes.
static wkResult fill(wkCudaCloud* made)
{
    cudaError_t error = cudaStreamCreateWithFlags(&made->stream, cudaStreamNonBlocking);
    if (error == cudaSuccess) {
        size_t bytes = (size_t)WK_GROUP_COUNT(made->cloud->pointCount) * sizeof(wkPointGroup);
        error = cudaMemcpyAsync((void*)made->onDevice.groups, wkCloudGroups(made->cloud), bytes,
                                cudaMemcpyHostToDevice, made->stream);
    }
    for (int32_t i = 0; i < made->onDevice.levelCount && error == cudaSuccess; ++i) {
        error = wkLaunchCenterBoxes(&made->onDevice, i, made->stream);
    }
    error = error == cudaSuccess ? cudaStreamSynchronize(made->stream) : error;
    return wkTakeCudaError(error, "copying a cloud to the GPU");
}

wkResult wkCudaCloud_Create(const wkCudaCloudDef* def, wkCudaCloud** cloud)
{
    if (cloud == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda cloud: the pointer for the cloud is NULL");
    }
    *cloud = NULL;
    wkResult result = checkDef(def);
    result = result == wk_ok ? wkUseCuda(def->cuda) : result;
    if (result != wk_ok) {
        return result;
    }
    wkCudaCloud* made = (wkCudaCloud*)wkAllocate(sizeof *made);
    if (made == NULL) {
        return wkFailCuda(wk_errorMemory, "cuda cloud: no memory");
    }
    memset(made, 0, sizeof *made);
    made->cuda = def->cuda;
    made->cloud = def->cloud;
    made->onDevice.pointCount = def->cloud->pointCount;
    made->blockCount = def->cuda->info.multiprocessorCount * BLOCKS_EACH;
    measure(made);
    result = allocate(made);
    result = result == wk_ok ? fill(made) : result;
    if (result != wk_ok) {
        wkCudaCloud_Destroy(made);
        return result;
    }
    *cloud = made;
    return wk_ok;
}

void wkCudaCloud_Destroy(wkCudaCloud* cloud)
{
    if (cloud == NULL) {
        return;
    }
    cudaSetDevice(cloud->cuda->info.device);
    if (cloud->stream != NULL) {
        cudaStreamDestroy(cloud->stream);
    }
    if (cloud->answer != NULL) {
        cudaFreeHost(cloud->answer);
    }
    if (cloud->memory != NULL) {
        cudaFree(cloud->memory);
    }
    wkRelease(cloud, sizeof *cloud);
}

// A step of a search.
typedef cudaError_t launchFcn(const wkDeviceCenters* centers, cudaStream_t stream);

#define MAX_LAUNCHES 6

static launchFcn* const launches[][MAX_LAUNCHES] = {
    [wk_centersExhaustive] = {wkLaunchCentersMove, wkLaunchCentersCompare, wkLaunchCentersPick,
                              wkLaunchCentersDecide, wkLaunchCentersReduce},
    [wk_centersHierarchy] = {wkLaunchCentersClear, wkLaunchCentersGuess, wkLaunchCentersCull,
                             wkLaunchCentersWalk, wkLaunchCentersReduce},
};

// The clouds of a query, and whether it failed.
typedef struct cloudPair {
    wkCudaCloud* a;
    wkCudaCloud* b;
    wkResult result;
} cloudPair;

static wkResult findCenters(void* device, const wkCenterSearch* search, wkCenterMethod method,
                            wkCenterPair* pair)
{
    cloudPair* clouds = (cloudPair*)device;
    bool isSwapped = clouds->a->cloud != search->a;
    const wkCudaCloud* a = isSwapped ? clouds->b : clouds->a;
    wkCudaCloud* b = isSwapped ? clouds->a : clouds->b;
    wkDeviceCenters centers = {
        .a = a->onDevice,
        .b = b->onDevice,
        .bInA = search->bInA,
        .origin = {a->middle.x, a->middle.y, a->middle.z},
        .reach = a->reach,
        .cutoffSquare = pair->square,
        .blockCount = b->blockCount,
        .serial = ++b->serial,
        .answer = b->answer,
        .scratch = b->scratch,
    };
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < MAX_LAUNCHES && error == cudaSuccess; ++i) {
        launchFcn* launch = launches[method][i];
        error = launch != NULL ? launch(&centers, b->stream) : cudaSuccess;
    }
    wkCenterPair found;
    if (error == cudaSuccess) {
        error = wkWaitForAnswer(b->stream, b->answer, WK_CENTER_WORDS, centers.serial, &found);
    }
    if (error != cudaSuccess) {
        cudaStreamSynchronize(b->stream); // nothing runs when the next query begins
    } else if (found.rankA != WK_CENTER_NONE) {
        *pair = found;
    }
    clouds->result = wkTakeCudaError(error, "comparing the points of clouds");
    return clouds->result;
}

wkResult wkCheckCudaClouds(const wkCudaCloud* a, const wkCudaCloud* b)
{
    if (a == NULL || b == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda cloud: %s is NULL", a == NULL ? "a" : "b");
    }
    int32_t deviceA = a->cuda->info.device, deviceB = b->cuda->info.device;
    return deviceA == deviceB
               ? wk_ok
               : wkFailCuda(wk_errorArgument, "cuda cloud: a is on GPU %d, b on GPU %d",
                            (int)deviceA, (int)deviceB);
}

const wkCloud* wkCloudOfHost(const wkCudaCloud* cloud)
{
    return cloud->cloud;
}

wkCenterResult wkFindCudaCenters(wkCudaCloud* a, wkPose poseA, wkCudaCloud* b, wkPose poseB,
                                 const wkCenterRequest* request, wkResult* failure)
{
    *failure = wkCheckCudaClouds(a, b);
    *failure = *failure == wk_ok ? wkUseCuda(a->cuda) : *failure;
    if (*failure != wk_ok) {
        return (wkCenterResult){
            .distance = (double)-INFINITY, .rankA = -1, .rankB = -1, .status = wk_statusInvalid};
    }
    cloudPair clouds = {a, b, wk_ok};
    wkCenterSearcher searcher = {findCenters, &clouds, EXHAUSTIVE_PAIRS};
    wkCenterResult found =
        wkCenterSearcher_Distance(&searcher, a->cloud, poseA, b->cloud, poseB, request);
    *failure = clouds.result;
    return found;
}

wkCenterResult wkCudaCloud_CenterDistance(wkCudaCloud* a, wkPose poseA, wkCudaCloud* b,
                                          wkPose poseB, const wkCenterRequest* request)
{
    wkResult failure = wk_ok;
    return wkFindCudaCenters(a, poseA, b, poseB, request, &failure);
}
