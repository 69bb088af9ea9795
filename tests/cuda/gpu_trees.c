// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "gpu_trees.h"

#include "cuda_runtime_api.h"
#include "memory/failing.h"

#define MOST_CALLS 200
#define MOST_ALLOCATIONS 10

wkResult tryGpuTrees(const pointsCase* c, gpuTrees* gpu)
{
    wkCudaDef def = wkDefaultCudaDef();
    wkCudaTreesDef treesDef = wkDefaultCudaTreesDef();
    const wkSphereTree* trees[TREES];
    for (int i = 0; i < TREES; i++) {
        trees[i] = c->trees[i].tree;
    }
    *gpu = (gpuTrees){NULL, NULL};
    wkResult result = wkCuda_Create(&def, &gpu->cuda);
    treesDef.cuda = gpu->cuda;
    treesDef.trees = trees;
    treesDef.treeCount = TREES;
    treesDef.pointBytes = (size_t)1 << 20;
    return result == wk_ok ? wkCudaTrees_Create(&treesDef, &gpu->trees) : result;
}

void openGpuTrees(const pointsCase* c, gpuTrees* gpu)
{
    assert_int_equal(tryGpuTrees(c, gpu), wk_ok);
}

void closeGpuTrees(gpuTrees* gpu)
{
    wkCudaTrees_Destroy(gpu->trees);
    wkCuda_Destroy(gpu->cuda);
    assert_int_equal(emulatedByteCount(), 0);
}

void* copyToGpu(const void* bytes, size_t byteCount)
{
    void* memory = NULL;
    assert_int_equal(cudaMalloc(&memory, byteCount > 0 ? byteCount : 1), cudaSuccess);
    assert_int_equal(cudaMemcpyAsync(memory, bytes, byteCount, cudaMemcpyHostToDevice, 0),
                     cudaSuccess);
    assert_int_equal(cudaStreamSynchronize(0), cudaSuccess);
    return memory;
}

void compareTreeResults(const wkSphereTreeResult* found, const wkSphereTreeResult* expected)
{
    for (int i = 0; i < TREES; i++) {
        assert_int_equal(found[i].verdict, expected[i].verdict);
        assert_memory_equal(&found[i].lower, &expected[i].lower, sizeof(double));
        assert_memory_equal(&found[i].upper, &expected[i].upper, sizeof(double));
        assert_int_equal(found[i].point, expected[i].point);
        assert_int_equal(found[i].sphere, expected[i].sphere);
        assert_int_equal(found[i].outer, expected[i].outer);
        assert_int_equal(found[i].outerPoint, expected[i].outerPoint);
    }
}

static void failCalls(storyFcn* story, void* context)
{
    // an illegal address, a lost GPU, no memory
    const int errors[] = {700, 999, 2};
    for (int kind = 0; kind < 3; kind++) {
        wkResult result = wk_errorDevice, expected = kind == 2 ? wk_errorMemory : wk_errorDevice;
        for (int call = 0; result != wk_ok; call++) {
            assert_true(call < MOST_CALLS);
            emulatedFailCall(call, errors[kind], kind == 1);
            result = story(context);
            assert_true(result == wk_ok || result == expected);
            assert_int_equal(emulatedByteCount(), 0);
        }
        emulatedFailCall(-1, 0, 0);
    }
}

static void failAllocations(storyFcn* story, void* context)
{
    failing counter = {.failAt = 0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &counter};
    wkSetAllocator(&allocator);
    wkResult result = wk_errorMemory;
    for (long at = 0; result != wk_ok; at++) {
        assert_true(at < MOST_ALLOCATIONS);
        counter = (failing){.failAt = at};
        result = story(context);
        assert_true(result == wk_ok || result == wk_errorMemory);
        assert_int_equal(counter.allocatedBytes, 0);
        assert_int_equal(emulatedByteCount(), 0);
    }
    wkSetAllocator(NULL);
}

void failEverywhere(storyFcn* story, void* context)
{
    failCalls(story, context);
    failAllocations(story, context);
}
