// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "gpu_trees.h"

#include "cuda_runtime_api.h"

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

pointsCase* drawOnGpu(wkRng* rng, double reach, double gap, gpuTrees* gpu)
{
    pointsCase* c = sharedCase();
    drawCase(c, rng, reach, gap);
    openGpuTrees(c, gpu);
    return c;
}

void closeGpuTrees(gpuTrees* gpu)
{
    wkCudaTrees_Destroy(gpu->trees);
    wkCuda_Destroy(gpu->cuda);
    assert_int_equal(emulatedByteCount(), 0);
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
