// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Checks a robot against a depth image: 17_depth_image [depth.png camera.txt robot.urdf]
// Without files it renders and saves an image of a cupboard first, and checks the built-in robot.

#include "whisker/io.h"
#include "whisker/whisker.h"

#include <stdio.h>
#include <stdlib.h>

#define IMAGE_FILE "17_depth_image.png"
#define CAMERA_FILE "17_depth_image.txt"

static wkResult addBox(wkScene* scene, wkVec3d size, wkPose pose)
{
    wkObjectDef def = wkDefaultObjectDef();
    wkObjectId id = wk_nullObjectId;
    def.shape = wkMakeBox(size.x, size.y, size.z);
    def.pose = pose;
    return wkScene_Add(scene, &def, &id);
}

// What a camera of the kind of a Kinect sees of a cupboard in front of a wall, beside the robot.
static wkResult simulate(void)
{
    wkScene* scene = NULL;
    wkDepthImage image = wkDefaultDepthImage();
    wkDepthNoise noise = wkDefaultDepthNoise();
    float* depths = malloc(sizeof *depths * 640 * 480);
    noise.dropShare = 0.0; // a sphere that covers a pixel without a depth is not proven free
    image.pixels = depths;
    image.type = wk_depthFloat;
    image.scale = 1.0;
    image.pose = wkMakePoseRpy((wkVec3d){0.5, -2.8, 0.9}, -1.5707963267948966, 0.0, 0.0);
    wkResult result = wkScene_Create(NULL, &scene);
    if (result == wk_ok) {
        addBox(scene, (wkVec3d){6.0, 0.1, 5.0}, wkMakePose(0.0, 1.5, 1.0));
        addBox(scene, (wkVec3d){0.5, 0.6, 1.2}, wkMakePose(0.75, 0.1, 0.6));
        result = wkScene_RenderDepth(scene, &image.camera, image.pose, &noise, NULL, NULL, depths);
    }
    result = result == wk_ok ? wkDepthImage_Save(IMAGE_FILE, &image, 0.001) : result;
    image.scale = 0.001;
    result = result == wk_ok ? wkDepthImage_SaveCamera(CAMERA_FILE, &image) : result;
    wkScene_Destroy(scene);
    free(depths);
    return result;
}

static wkResult loadImage(const char* path, const char* cameraPath, wkDepthMap** map)
{
    wkDepthImage image = wkDefaultDepthImage();
    wkDepthData* data = NULL;
    wkResult result = wkDepthImage_LoadCamera(cameraPath, &image);
    result = result == wk_ok ? wkDepthData_LoadFor(path, &image.camera, &data) : result;
    result = result == wk_ok ? wkDepthMap_Create(data->width, data->height, map) : result;
    if (result == wk_ok) {
        image.camera.width = data->width; // a file may leave the size to the pixels
        image.camera.height = data->height;
        image.pixels = data->pixels;
        result = wkDepthMap_Update(*map, &image, NULL, NULL);
    }
    wkDepthData_Destroy(data);
    return result;
}

// Checks random configurations and prints the first one of each verdict: the worst of its spheres decides.
static void check(const wkSphereModel* model, const wkDepthMap* map)
{
    const wkRobot* robot = wkSphereModel_Info(model).robot;
    int32_t count = wkSphereModel_Info(model).sphereCount;
    double* q = calloc((size_t)wkRobot_Info(robot).variableCount + 1, sizeof *q);
    wkSphere3d* spheres = malloc(sizeof *spheres * (size_t)count);
    wkDepthVerdict* verdicts = malloc(sizeof *verdicts * (size_t)count);
    int shown[wk_depthHit + 1] = {0};
    uint64_t seed = 2;
    for (int i = 0; i < 1000; i++) {
        int sums[wk_depthHit + 1] = {0};
        wkRobot_RandomConfiguration(robot, &seed, q);
        wkSphereModel_PlaceLinks(model, wkIdentityPose(), q, spheres);
        wkDepthVerdict worst =
            wkDepthMap_CheckSpheres(&map, 1, spheres, count, wk_depthByPyramid, verdicts);
        for (int32_t k = 0; k < count; k++) {
            sums[verdicts[k]]++;
        }
        if (shown[worst]++ == 0) {
            printf(
                "configuration %2d: %-8s (%d spheres free, %d unobserved, %d occluded, %d hit)\n",
                i, wkDepthVerdictName(worst), sums[wk_depthFree], sums[wk_depthUnobserved],
                sums[wk_depthOccluded], sums[wk_depthHit]);
        }
    }
    free(q);
    free(spheres);
    free(verdicts);
}

int main(int argc, char** argv)
{
    bool hasFiles = argc == 4;
    wkDepthMap* map = NULL;
    wkRobot* robot = NULL;
    wkSphereModel* model = NULL;
    wkSphereFitDef fit = wkDefaultSphereFitDef();
    fit.count = 150;
    wkResult result = hasFiles ? wkRobot_Load(argv[3], NULL, NULL, &robot) : simulate();
    result = result == wk_ok && !hasFiles ? wkRobot_CreateBuiltIn(&robot) : result;
    result = result == wk_ok ? wkSphereModel_Fit(robot, &fit, &model) : result;
    if (result == wk_ok) {
        result = loadImage(hasFiles ? argv[1] : IMAGE_FILE, hasFiles ? argv[2] : CAMERA_FILE, &map);
    }
    if (result == wk_ok) {
        printf("%d of the pixels were measured\n", wkDepthMap_Info(map).measuredCount);
        check(model, map);
    } else {
        printf("%s\n", wkGetLastError());
    }
    wkDepthMap_Destroy(map);
    wkSphereModel_Destroy(model);
    wkRobot_Destroy(robot);
    return result == wk_ok ? 0 : 1;
}
