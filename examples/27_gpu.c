// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A frame of raw points against two links, on a GPU where there is one and on the CPU otherwise: the results are the
// same.

#include <stdio.h>
#include <whisker/cuda.h>
#include <whisker/query.h>

#define POINTS 10000

// A wall of points, 1 m in front of the robot.
static void see(float points[POINTS][3])
{
    for (int i = 0; i < POINTS; i++) {
        points[i][0] = 1.0f;
        points[i][1] = 0.01f * (float)(i % 100) - 0.5f;
        points[i][2] = 0.01f * (float)(i / 100);
    }
}

int main(void)
{
    // once: spheres in and around the links
    wkShape shapes[2] = {wkMakeCapsule(0.06, 0.4), wkMakeBox(0.2, 0.1, 0.1)};
    wkSphereTree* trees[2] = {NULL, NULL};
    wkPlacedSphereTree placed[2];
    for (int i = 0; i < 2; i++) {
        wkSphereTreeBody body = {&shapes[i], wkIdentityPose()};
        wkSphereTreeDef def = wkDefaultSphereTreeDef();
        def.bodies = &body;
        def.bodyCount = 1;
        if (wkSphereTree_Create(&def, &trees[i]) != wk_ok) {
            printf("%s\n", wkGetLastError());
            return 1;
        }
        placed[i] = (wkPlacedSphereTree){.tree = trees[i], .pose = wkMakePose(0.4 * i, 0.0, 0.5)};
    }

    // once: a GPU with these trees in its memory
    wkCudaDef cudaDef = wkDefaultCudaDef();
    wkCudaTreesDef treesDef = wkDefaultCudaTreesDef();
    wkCudaTrees* onGpu = NULL;
    treesDef.trees = (const wkSphereTree* const*)trees;
    treesDef.treeCount = 2;
    if (wkCuda_Create(&cudaDef, &treesDef.cuda) != wk_ok ||
        wkCudaTrees_Create(&treesDef, &onGpu) != wk_ok) {
        fprintf(stderr, "on the CPU: %s\n", wkGetLastError());
    }

    // for every frame
    static float points[POINTS][3];
    see(points);
    wkCloudView frame = wkMakeCloudView(points, POINTS);
    wkSphereTreeResult results[2];
    wkResult result =
        onGpu != NULL
            ? wkCudaTrees_PointDistances(onGpu, placed, 2, &frame, wk_memoryHost, wkIdentityPose(),
                                         NULL, results)
            : wkPlacedSphereTree_PointDistances(placed, 2, &frame, wkIdentityPose(), NULL, results);
    for (int i = 0; i < 2 && result == wk_ok; i++) {
        printf("link %d: %s, %.3f to %.3f m from point %lld\n", i,
               wkSphereVerdictName(results[i].verdict), results[i].lower, results[i].upper,
               (long long)results[i].point);
    }

    wkCudaTrees_Destroy(onGpu);
    wkCuda_Destroy(treesDef.cuda);
    wkSphereTree_Destroy(trees[0]);
    wkSphereTree_Destroy(trees[1]);
    return result == wk_ok ? 0 : 1;
}
