// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Sphere trees in the memory of a GPU. The block of each tree is copied as it is; for a query, the library places the
// hierarchies among the points (points_query.h), their addresses are exchanged for those on the GPU, and a kernel finds
// the nearest pairs, or marks the inner spheres that points touch (point_scan.h). Places go to the kernel as its
// parameters and answers come back through memory of the host: a query whose points are on the GPU is one launch.

#include "cuda/cuda_trees.h"

#include "cuda/host_answer.h"
#include "cuda/point_feed.h"
#include "cuda/point_scan.h"

#include "base/block.h"
#include "base/cookie.h"
#include "fit/sphere_tree/points_query.h"
#include "whisker/detail/device.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// Groups of trees, each of which is a scan of its own.
#define MAX_GROUPS 8
#define MAX_TREES (MAX_GROUPS * WK_DEVICE_TREES)
#define LEAST_POINT_BYTES ((size_t)1 << 20)
#define DEFAULT_POINT_BYTES ((size_t)64 << 20)

struct wkCudaTrees {
    wkCuda* cuda;
    int32_t treeCount;
    int32_t blockCount;
    uint64_t treeOffsets[MAX_TREES];              // of their blocks in the memory of the device
    uint64_t treeSums[MAX_TREES];                 // checksums of their blocks; 0: nothing is there
    int32_t longAxes[MAX_TREES];                  // of the cylinders around their spheres
    float radii[MAX_TREES][WK_SPHERE_KIND_COUNT]; // of these
    int64_t firstInner[MAX_TREES]; // index of their first inner sphere among those of all trees
    int64_t innerCount;            // inner spheres of all trees
    char* memory;                  // of the device: everything below, and slots for points
    size_t byteCount;
    wkScanState* states; // on the device: of each group
    wkScanBest* finds;   //
    uint8_t* touched;    // a byte for each inner sphere
    wkAnswerWord* words; // pinned: of each group, WK_SCAN_WORDS
    uint8_t* pinnedTouched;
    uint32_t serial; // of the last query
    bool isClear;    // the states are
    wkPointFeed feed;
    wkScanBest best[MAX_TREES * WK_SPHERE_KIND_COUNT]; // of the query that runs
    wkDeviceScan scans[MAX_GROUPS];
    wkScanAnswer answers[MAX_GROUPS];
    const wkPlacedSphereTree* placed;
    const wkSphereTreeRequest* request; // of the caller; NULL: the default
    bool isMarking;                     // spheres are marked
    bool isOnDevice;                    // the points are
};

wkCudaTreesDef wkDefaultCudaTreesDef(void)
{
    wkCudaTreesDef def = {.cookie = WK_COOKIE(wkCudaTreesDef), .pointBytes = DEFAULT_POINT_BYTES};
    return def;
}

static wkResult checkDef(const wkCudaTreesDef* def)
{
    if (!WK_HAS_COOKIE(def, wkCudaTreesDef)) {
        return WK_FAIL_COOKIE(def, wkCudaTreesDef);
    }
    if (def->cuda == NULL || def->trees == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda trees: %s is NULL",
                          def->cuda == NULL ? "cuda" : "trees");
    }
    if (def->treeCount < 1 || def->treeCount > MAX_TREES) {
        return wkFailCuda(wk_errorRange, "cuda trees: treeCount is %d, must be 1 to %d",
                          (int)def->treeCount, MAX_TREES);
    }
    if (def->pointBytes < LEAST_POINT_BYTES || def->pointBytes > SIZE_MAX / 4) {
        return wkFailCuda(wk_errorRange, "cuda trees: pointBytes is %zu, must be %zu or more",
                          def->pointBytes, LEAST_POINT_BYTES);
    }
    return wk_ok;
}

// What tells one tree from another.
static uint64_t sumOf(const wkSphereTree* tree)
{
    return tree != NULL ? tree->checksum | 1u : 0;
}

// Where arrays are in the memory of the device.
typedef struct layout {
    uint64_t states, finds, touched, points, byteCount;
} layout;

static int32_t groupCountOf(const wkCudaTrees* trees)
{
    return (trees->treeCount - 1) / WK_DEVICE_TREES + 1;
}

// The middle of the box around the spheres of both kinds, in floats.
static void findMiddle(const wkSphereTree* tree, float middle[3])
{
    const wkSphereSet *inner = &tree->sets[wk_spheresInner], *outer = &tree->sets[wk_spheresOuter];
    for (int axis = 0; axis < 3; ++axis) {
        double lower = wkMinD((double)inner->lower[axis], (double)outer->lower[axis]);
        double upper = wkMaxD((double)inner->upper[axis], (double)outer->upper[axis]);
        middle[axis] = lower <= upper ? (float)(0.5 * (lower + upper)) : 0.0f;
    }
}

// The radius of the cylinder about an axis, through the middle, that holds the spheres of a kind.
static double cylinderRadius(const wkSphereTree* tree, wkSphereKind kind, const float middle[3],
                             int32_t axis)
{
    const wkSphereF* spheres = wkSpheresOf(tree, kind);
    double most = 0.0;
    for (int32_t i = 0; i < tree->sets[kind].count; ++i) {
        double from[3] = {(double)spheres[i].x - (double)middle[0],
                          (double)spheres[i].y - (double)middle[1],
                          (double)spheres[i].z - (double)middle[2]};
        double u = from[(axis + 1) % 3], v = from[(axis + 2) % 3];
        most = wkMaxD(most, sqrt(u * u + v * v) + (double)spheres[i].radius);
    }
    return most;
}

// Finds the axis whose cylinder has the least volume.
static void findCylinder(wkCudaTrees* trees, int32_t index, const wkSphereTree* tree)
{
    float middle[3];
    double least = INFINITY;
    findMiddle(tree, middle);
    for (int32_t axis = 0; axis < 3; ++axis) {
        double inner = cylinderRadius(tree, wk_spheresInner, middle, axis);
        double outer = cylinderRadius(tree, wk_spheresOuter, middle, axis);
        const wkSphereSet* set = &tree->sets[wk_spheresOuter];
        double volume = outer * outer * ((double)set->upper[axis] - (double)set->lower[axis]);
        if (axis == 0 || volume < least) {
            least = volume;
            trees->longAxes[index] = axis;
            trees->radii[index][wk_spheresInner] = wkRoundUp(inner * (1.0 + WK_TREE_SLACK));
            trees->radii[index][wk_spheresOuter] = wkRoundUp(outer * (1.0 + WK_TREE_SLACK));
        }
    }
}

static layout planMemory(const wkCudaTreesDef* def, wkCudaTrees* trees)
{
    layout plan = {.byteCount = 0};
    for (int32_t i = 0; i < def->treeCount; ++i) {
        trees->treeSums[i] = sumOf(def->trees[i]);
        uint64_t bytes = def->trees[i] != NULL ? def->trees[i]->byteCount : 0;
        trees->treeOffsets[i] = wkReserve(&plan.byteCount, bytes);
        trees->firstInner[i] = trees->innerCount;
        if (def->trees[i] != NULL) {
            findCylinder(trees, i, def->trees[i]);
        }
        trees->innerCount += def->trees[i] != NULL ? def->trees[i]->sets[wk_spheresInner].count : 0;
    }
    plan.states = wkReserve(&plan.byteCount, (uint64_t)groupCountOf(trees) * sizeof(wkScanState));
    plan.finds = wkReserve(&plan.byteCount,
                           (uint64_t)trees->blockCount * WK_DEVICE_TARGETS * sizeof(wkScanBest));
    plan.touched = wkReserve(&plan.byteCount, (uint64_t)trees->innerCount);
    trees->feed.slotBytes = def->pointBytes / WK_FEED_SLOTS / 64 * 64;
    plan.points = wkReserve(&plan.byteCount, WK_FEED_SLOTS * trees->feed.slotBytes);
    return plan;
}

static wkResult allocate(const layout* plan, wkCudaTrees* trees)
{
    void *memory = NULL, *pinned = NULL;
    uint64_t pinnedBytes = 0;
    uint64_t wordBytes = (uint64_t)groupCountOf(trees) * WK_SCAN_WORDS * sizeof(wkAnswerWord);
    wkReserve(&pinnedBytes, wordBytes);
    uint64_t touchedOffset = wkReserve(&pinnedBytes, (uint64_t)trees->innerCount);
    char words[100];
    snprintf(words, sizeof words, "allocating %" PRIu64 " bytes on the GPU", plan->byteCount);
    wkResult result = wkTakeCudaError(cudaMalloc(&memory, (size_t)plan->byteCount), words);
    trees->memory = (char*)memory;
    trees->byteCount = (size_t)plan->byteCount;
    if (result == wk_ok) {
        result = wkTakeCudaError(cudaMallocHost(&pinned, (size_t)pinnedBytes),
                                 "allocating pinned memory");
    }
    trees->words = (wkAnswerWord*)pinned;
    if (result == wk_ok) {
        memset(trees->words, 0, (size_t)wordBytes); // no query has this serial
        trees->pinnedTouched = (uint8_t*)pinned + touchedOffset;
        trees->states = (wkScanState*)(trees->memory + plan->states);
        trees->finds = (wkScanBest*)(trees->memory + plan->finds);
        trees->touched = (uint8_t*)(trees->memory + plan->touched);
        trees->feed.memory = trees->memory + plan->points;
    }
    return result;
}

static wkResult copyTrees(const wkCudaTreesDef* def, wkCudaTrees* trees)
{
    cudaError_t error = cudaSuccess;
    for (int32_t i = 0; i < trees->treeCount && error == cudaSuccess; ++i) {
        if (def->trees[i] != NULL) {
            error = cudaMemcpyAsync(trees->memory + trees->treeOffsets[i], def->trees[i],
                                    (size_t)def->trees[i]->byteCount, cudaMemcpyHostToDevice,
                                    trees->feed.kernels);
        }
    }
    if (error == cudaSuccess) {
        // kernels copy pairs with their padding
        size_t bytes = (size_t)((char*)trees->touched - (char*)trees->states);
        error = cudaMemsetAsync(trees->states, 0, bytes, trees->feed.kernels);
    }
    error = error == cudaSuccess ? cudaStreamSynchronize(trees->feed.kernels) : error;
    return wkTakeCudaError(error, "copying trees to the GPU");
}

wkResult wkCudaTrees_Create(const wkCudaTreesDef* def, wkCudaTrees** trees)
{
    if (trees == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda trees: the pointer for the trees is NULL");
    }
    *trees = NULL;
    wkResult result = checkDef(def);
    result = result == wk_ok ? wkUseCuda(def->cuda) : result;
    if (result != wk_ok) {
        return result;
    }
    wkCudaTrees* made = (wkCudaTrees*)wkAllocate(sizeof *made);
    if (made == NULL) {
        return wkFailCuda(wk_errorMemory, "cuda trees: no memory");
    }
    memset(made, 0, sizeof *made);
    made->cuda = def->cuda;
    made->treeCount = def->treeCount;
    made->blockCount = def->cuda->info.multiprocessorCount * WK_SCAN_BLOCKS_EACH;
    layout plan = planMemory(def, made);
    result = allocate(&plan, made);
    result = result == wk_ok ? wkPointFeed_Open(&made->feed) : result;
    result = result == wk_ok ? copyTrees(def, made) : result;
    if (result != wk_ok) {
        wkCudaTrees_Destroy(made);
        return result;
    }
    *trees = made;
    return wk_ok;
}

void wkCudaTrees_Destroy(wkCudaTrees* trees)
{
    if (trees == NULL) {
        return;
    }
    cudaSetDevice(trees->cuda->info.device);
    wkPointFeed_Close(&trees->feed);
    if (trees->words != NULL) {
        cudaFreeHost(trees->words);
    }
    if (trees->memory != NULL) {
        cudaFree(trees->memory);
    }
    wkRelease(trees, sizeof *trees);
}

cudaStream_t wkStreamOfTrees(const wkCudaTrees* trees)
{
    return trees->feed.kernels;
}

int32_t wkDeviceOfTrees(const wkCudaTrees* trees)
{
    return trees->cuda->info.device;
}

void wkForgetTrees(wkSphereTreeResult* results, int32_t count)
{
    for (int32_t i = 0; i < count && results != NULL; ++i) {
        results[i] = (wkSphereTreeResult){
            .upper = (double)INFINITY, .point = -1, .sphere = -1, .outer = -1, .outerPoint = -1};
    }
}

// The address on the device of a part of the block of a tree.
static const void* onDevice(const wkCudaTrees* trees, int32_t tree, const void* part)
{
    return trees->memory + trees->treeOffsets[tree] +
           ((const char*)part - (const char*)trees->placed[tree].tree);
}

// Sets what is around the spheres of a kind, relative to the middle of the box around all.
static wkDeviceBounds boundsOf(const wkSphereSet* set, const wkDeviceTree* tree, float radius)
{
    wkDeviceBounds bounds = {.radius = radius};
    for (int i = 0; i < 3; ++i) {
        double upper = (double)set->upper[tree->axes[i]] - (double)tree->middle[i];
        double lower = (double)tree->middle[i] - (double)set->lower[tree->axes[i]];
        bounds.half[i] = set->count > 0 ? wkRoundUp(wkMaxD(upper, lower)) : -INFINITY;
    }
    return bounds;
}

// Sets the axes, and how points are placed along them.
static void placeAxes(const wkPlacedSpheres* at, const float middle[3], int32_t longAxis,
                      wkVec3d origin, wkDeviceTree* tree)
{
    wkVec3d start = wkSub(at->frame.position, origin);
    const wkMat3d* rotation = &at->frame.rotation;
    const wkVec3d* columns[3] = {&rotation->x, &rotation->y, &rotation->z};
    for (int i = 0; i < 3; ++i) {
        int32_t axis = (longAxis + 1 + i) % 3;
        tree->axes[i] = axis;
        tree->middle[i] = middle[axis];
        tree->shift[i] = (float)(-wkDot(*columns[axis], start) - (double)middle[axis]);
        memcpy(tree->rows[i], at->rows[axis], sizeof tree->rows[i]);
    }
}

static void placeTree(const wkCudaTrees* trees, const wkPointsScan* scan, int32_t first,
                      int32_t index, wkDeviceTree* tree)
{
    memset(tree, 0, sizeof *tree);
    const wkScanTarget* targets = &scan->targets[(size_t)index * WK_SPHERE_KIND_COUNT];
    if (targets[0].at.set == NULL) {
        return; // there is no tree
    }
    int32_t number = first + index;
    float middle[3];
    findMiddle(trees->placed[number].tree, middle);
    tree->frame = targets[0].at.frame;
    tree->touched = trees->touched + trees->firstInner[number];
    placeAxes(&targets[0].at, middle, trees->longAxes[number], scan->origin, tree);
    for (int kind = 0; kind < WK_SPHERE_KIND_COUNT; ++kind) {
        const wkPlacedSpheres* at = &targets[kind].at;
        tree->kinds[kind] = (wkDeviceSpheres){
            .nodes = (const wkSphereNode*)onDevice(trees, number, at->nodes),
            .spheres = (const wkSphereF*)onDevice(trees, number, at->spheres),
            .bounds = boundsOf(at->set, tree, trees->radii[number][kind]),
        };
    }
    tree->bounds = tree->kinds[0].bounds;
    const wkDeviceBounds* other = &tree->kinds[1].bounds;
    tree->bounds.radius = other->radius > tree->bounds.radius ? other->radius : tree->bounds.radius;
    for (int i = 0; i < 3; ++i) {
        float half = tree->bounds.half[i];
        tree->bounds.half[i] = other->half[i] > half ? other->half[i] : half;
    }
}

static wkResult addTargets(void* device, const wkPointsScan* from, int32_t first)
{
    _Static_assert(WK_DEVICE_TREES == WK_SCAN_TARGETS / WK_SPHERE_KIND_COUNT,
                   "the library adds the trees of a group at once");
    wkCudaTrees* trees = (wkCudaTrees*)device;
    int32_t group = first / WK_DEVICE_TREES;
    wkDeviceScan* scan = &trees->scans[group];
    scan->layout = from->layout;
    scan->radius = from->radius;
    scan->origin[0] = (float)from->origin.x; // which has the digits of floats
    scan->origin[1] = (float)from->origin.y;
    scan->origin[2] = (float)from->origin.z;
    scan->size = 0.0f;
    scan->treeCount = from->targetCount / WK_SPHERE_KIND_COUNT;
    scan->blockCount = trees->blockCount;
    scan->state = &trees->states[group];
    scan->finds = trees->finds;
    scan->answer = trees->words + (size_t)group * WK_SCAN_WORDS;
    for (int32_t i = 0; i < from->targetCount; ++i) {
        scan->size = from->sizes[i] > scan->size ? from->sizes[i] : scan->size;
    }
    for (int32_t i = 0; i < scan->treeCount; ++i) {
        placeTree(trees, from, first, i, &scan->trees[i]);
    }
    return wk_ok;
}

static wkResult scanPiece(void* context, const wkCloudLayout* points, int64_t first)
{
    wkCudaTrees* trees = (wkCudaTrees*)context;
    cudaStream_t stream = trees->feed.kernels;
    cudaError_t error = cudaSuccess;
    for (int32_t i = 0; i < groupCountOf(trees) && error == cudaSuccess; ++i) {
        wkDeviceScan scan = trees->scans[i];
        scan.isLast = first + points->count == scan.layout.count;
        scan.layout = *points;
        scan.firstPoint = first;
        scan.isAligned = wkIsAligned(points);
        error = trees->isMarking ? wkLaunchMark(&scan, stream) : wkLaunchScan(&scan, stream);
    }
    return wkTakeCudaError(error,
                           trees->isMarking ? "marking spheres" : "comparing points with spheres");
}

// Waits for what kernels write to the host.
static wkResult readAnswers(wkCudaTrees* trees)
{
    cudaStream_t stream = trees->feed.kernels;
    cudaError_t error = cudaSuccess;
    if (trees->isMarking) {
        error = cudaMemcpyAsync(trees->pinnedTouched, trees->touched, (size_t)trees->innerCount,
                                cudaMemcpyDeviceToHost, stream);
        error = error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
    }
    for (int32_t i = 0; i < groupCountOf(trees) && error == cudaSuccess; ++i) {
        error = wkWaitForAnswer(stream, trees->scans[i].answer, WK_SCAN_WORDS, trees->serial,
                                &trees->answers[i]);
    }
    return wkTakeCudaError(error, "reading results");
}

// All groups have seen the same points.
static wkResult checkAnswer(const wkCudaTrees* trees)
{
    const wkScanAnswer* answer = &trees->answers[0];
    if (answer->badPoint != WK_SCAN_NO_BAD_POINT) {
        return wkFailCuda(wk_errorRange,
                          "sphere trees: the radius of point %llu is not 0 or more and finite",
                          answer->badPoint);
    }
    bool allowsEmpty = trees->request != NULL && trees->request->allowsEmpty;
    if (answer->hasFinite == 0 && !allowsEmpty) {
        return wkFailCuda(wk_errorArgument,
                          "sphere trees: none of %" PRId64
                          " points is finite; allowsEmpty takes that",
                          trees->scans[0].layout.count);
    }
    return wk_ok;
}

// Clears what kernels write, where those of the last query have not.
static wkResult beginScan(wkCudaTrees* trees, double bound)
{
    cudaStream_t stream = trees->feed.kernels;
    ++trees->serial;
    for (int32_t i = 0; i < groupCountOf(trees); ++i) {
        trees->scans[i].bound = bound;
        trees->scans[i].serial = trees->serial;
    }
    cudaError_t error = cudaSuccess;
    if (!trees->isClear) {
        error = wkLaunchScanClear(trees->states, groupCountOf(trees), stream);
    }
    if (error == cudaSuccess && trees->isMarking) {
        error = cudaMemsetAsync(trees->touched, 0, (size_t)trees->innerCount, stream);
    }
    trees->isClear = false; // until the answer is there
    return wkTakeCudaError(error, "placing trees");
}

static wkResult scanPoints(wkCudaTrees* trees, double bound)
{
    const wkCloudLayout* points = &trees->scans[0].layout;
    wkResult result = beginScan(trees, bound);
    if (result == wk_ok) {
        result = trees->isOnDevice ? scanPiece(trees, points, 0)
                                   : wkPointFeed_Run(&trees->feed, points, scanPiece, trees);
    }
    result = result == wk_ok ? readAnswers(trees) : result;
    if (result != wk_ok) {
        cudaStreamSynchronize(trees->feed.kernels); // nothing runs when the next query begins
        cudaStreamSynchronize(trees->feed.copies);
        return result;
    }
    trees->isClear = true;
    return checkAnswer(trees);
}

// Nothing is found where there are no points.
static wkResult scanNothing(wkCudaTrees* trees)
{
    for (int32_t i = 0; i < groupCountOf(trees); ++i) {
        wkScanAnswer* answer = &trees->answers[i];
        answer->badPoint = WK_SCAN_NO_BAD_POINT;
        answer->hasFinite = 0;
        for (int32_t k = 0; k < WK_DEVICE_TARGETS; ++k) {
            answer->best[k].point = WK_SCAN_NONE;
        }
    }
    memset(trees->pinnedTouched, 0, (size_t)trees->innerCount);
    return checkAnswer(trees);
}

static wkResult scanAll(wkCudaTrees* trees, double bound)
{
    return trees->scans[0].layout.count > 0 ? scanPoints(trees, bound) : scanNothing(trees);
}

static wkResult runScan(void* device, double bound, wkScanBest* best)
{
    wkCudaTrees* trees = (wkCudaTrees*)device;
    trees->isMarking = false;
    wkResult result = scanAll(trees, bound);
    for (int32_t i = 0; i < trees->treeCount * WK_SPHERE_KIND_COUNT && result == wk_ok; ++i) {
        best[i] = trees->answers[i / WK_DEVICE_TARGETS].best[i % WK_DEVICE_TARGETS];
        if (best[i].point == WK_SCAN_NONE) {
            best[i] = (wkScanBest){bound, WK_SCAN_NONE, 0};
        }
    }
    return result;
}

static wkResult markSpheres(void* device, uint8_t* touched)
{
    wkCudaTrees* trees = (wkCudaTrees*)device;
    trees->isMarking = true;
    wkResult result = scanAll(trees, 0.0);
    if (result == wk_ok && trees->innerCount > 0) {
        memcpy(touched, trees->pinnedTouched, (size_t)trees->innerCount);
    }
    return result;
}

static wkResult checkPlaced(const wkCudaTrees* trees, const wkPlacedSphereTree* placed,
                            int32_t placedCount, const wkCloudView* points, wkCudaMemory memory)
{
    if (trees == NULL || placed == NULL || points == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda trees: %s NULL",
                          trees == NULL    ? "trees are"
                          : placed == NULL ? "placed trees are"
                                           : "points are");
    }
    wkResult result = wkCheckCudaMemory("cuda trees: memory", memory);
    if (result != wk_ok) {
        return result;
    }
    if (placedCount != trees->treeCount) {
        return wkFailCuda(wk_errorArgument, "cuda trees: placedCount is %d, there are %d trees",
                          (int)placedCount, (int)trees->treeCount);
    }
    for (int32_t i = 0; i < placedCount; ++i) {
        if (sumOf(placed[i].tree) != trees->treeSums[i]) {
            return wkFailCuda(wk_errorArgument,
                              "cuda trees: tree %d is not the one that was copied to the GPU",
                              (int)i);
        }
    }
    return wk_ok;
}

// Checks the arguments of a query and keeps what its callbacks need.
// @param results of the caller
static wkResult beginQuery(wkCudaTrees* trees, const wkPlacedSphereTree* placed,
                           int32_t placedCount, const wkCloudView* points, wkCudaMemory memory,
                           const wkSphereTreeRequest* request, const void* results,
                           wkPointScanner* scanner)
{
    wkResult result = checkPlaced(trees, placed, placedCount, points, memory);
    if (result == wk_ok && results == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda trees: results are NULL");
    }
    if (result == wk_ok && points->count > 0) {
        result = wkCheckCudaNumbers(trees->cuda, "cuda trees: points", memory, points->data, 1);
    }
    result = result == wk_ok ? wkUseCuda(trees->cuda) : result;
    if (result == wk_ok) {
        trees->scans[0].layout.count = 0; // where the library adds no trees
        trees->isOnDevice = memory == wk_memoryDevice;
        trees->placed = placed;
        trees->request = request;
        *scanner = (wkPointScanner){addTargets, runScan, markSpheres, trees, trees->isOnDevice};
    }
    return result;
}

wkResult wkCudaTrees_PointDistances(wkCudaTrees* trees, const wkPlacedSphereTree* placed,
                                    int32_t placedCount, const wkCloudView* points,
                                    wkCudaMemory memory, wkPose pose,
                                    const wkSphereTreeRequest* request, wkSphereTreeResult* results)
{
    wkPointScanner scanner;
    wkResult result =
        beginQuery(trees, placed, placedCount, points, memory, request, results, &scanner);
    if (result != wk_ok) {
        wkForgetTrees(results, placedCount);
        return result;
    }
    return wkPointScanner_Distances(&scanner, placed, placedCount, points, pose, request,
                                    trees->best, results);
}

wkResult wkCudaTrees_PointVolumes(wkCudaTrees* trees, const wkPlacedSphereTree* placed,
                                  int32_t placedCount, const wkCloudView* points,
                                  wkCudaMemory memory, wkPose pose,
                                  const wkSphereTreeRequest* request, uint8_t* touched,
                                  int64_t touchedCapacity, double* volumes)
{
    wkPointScanner scanner;
    wkResult result =
        beginQuery(trees, placed, placedCount, points, memory, request, volumes, &scanner);
    if (result != wk_ok) {
        for (int32_t i = 0; i < placedCount && volumes != NULL; ++i) {
            volumes[i] = (double)NAN;
        }
        return result;
    }
    return wkPointScanner_Volumes(&scanner, placed, placedCount, points, pose, request, touched,
                                  touchedCapacity, volumes);
}
