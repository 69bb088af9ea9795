// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Positions of an arm of three spheres against a depth image, on a GPU where there is one and on the CPU otherwise: the
// verdicts are the same.

#include <stdio.h>
#include <whisker/cuda.h>

#define WIDTH 640
#define HEIGHT 480
#define SPHERES 3
#define SETS 4

// The arm, in front of a camera at the origin that looks along z.
static void placeArm(float x, float z, float arm[SPHERES][4])
{
    for (int i = 0; i < SPHERES; i++) {
        arm[i][0] = x + 0.1f * (float)i;
        arm[i][1] = 0.0f;
        arm[i][2] = z;
        arm[i][3] = 0.06f; // radius
    }
}

// Verdicts by the GPU, for all sets at once.
static wkResult checkOnGpu(wkCudaDepthMap* map, const wkDepthImage* image,
                           float sets[SETS][SPHERES][4], uint8_t verdicts[SETS])
{
    wkResult result = wkCudaDepthMap_Update(map, image, wk_memoryHost, NULL, NULL);
    return result != wk_ok ? result
                           : wkCudaDepthMap_CheckSets(map, sets[0][0], wk_memoryHost, SPHERES, SETS,
                                                      wk_depthHit, verdicts);
}

// The same by the CPU, one set after the other.
static wkResult checkOnCpu(const wkDepthImage* image, float sets[SETS][SPHERES][4],
                           uint8_t verdicts[SETS])
{
    wkDepthMap* map = NULL;
    wkResult result = wkDepthMap_Create(WIDTH, HEIGHT, &map);
    if (result == wk_ok) {
        result = wkDepthMap_Update(map, image, NULL, NULL);
    }
    for (int i = 0; i < SETS && result == wk_ok; i++) {
        wkSphere3d spheres[SPHERES];
        for (int k = 0; k < SPHERES; k++) {
            const float* s = sets[i][k];
            spheres[k] = (wkSphere3d){{s[0], s[1], s[2]}, s[3]};
        }
        const wkDepthMap* maps[1] = {map};
        verdicts[i] =
            (uint8_t)wkDepthMap_CheckSpheres(maps, 1, spheres, SPHERES, wk_depthByPyramid, NULL);
    }
    wkDepthMap_Destroy(map);
    return result;
}

int main(void)
{
    // once: a GPU with memory for the map
    wkCudaDef cudaDef = wkDefaultCudaDef();
    wkCudaDepthMapDef mapDef = wkDefaultCudaDepthMapDef(); // 640 x 480 pixels
    wkCudaDepthMap* onGpu = NULL;
    if (wkCuda_Create(&cudaDef, &mapDef.cuda) != wk_ok ||
        wkCudaDepthMap_Create(&mapDef, &onGpu) != wk_ok) {
        fprintf(stderr, "on the CPU: %s\n", wkGetLastError());
    }

    // for every frame: here, a wall at 2 m
    static uint16_t pixels[WIDTH * HEIGHT];
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        pixels[i] = 2000; // millimetres
    }
    wkDepthImage image = wkDefaultDepthImage();
    image.pixels = pixels;

    float sets[SETS][SPHERES][4];
    placeArm(0.0f, 1.0f, sets[0]); // in front of the wall
    placeArm(0.0f, 2.0f, sets[1]); // in the wall
    placeArm(0.0f, 2.5f, sets[2]); // behind the wall
    placeArm(1.5f, 1.0f, sets[3]); // beside the view of the camera
    uint8_t verdicts[SETS] = {wk_depthUnchecked};
    wkResult result = onGpu != NULL ? checkOnGpu(onGpu, &image, sets, verdicts)
                                    : checkOnCpu(&image, sets, verdicts);
    for (int i = 0; i < SETS && result == wk_ok; i++) {
        printf("position %d: %s\n", i, wkDepthVerdictName((wkDepthVerdict)verdicts[i]));
    }
    if (result != wk_ok) {
        fprintf(stderr, "%s\n", wkGetLastError());
    }

    wkCudaDepthMap_Destroy(onGpu);
    wkCuda_Destroy(mapDef.cuda);
    return result == wk_ok ? 0 : 1;
}
