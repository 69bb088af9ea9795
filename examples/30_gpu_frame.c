// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// From a frame of a depth camera to verdicts: an arm is lowered before a camera that sees a wall, on a GPU in one submission
// where there is one, and on the CPU otherwise.

#include <stdio.h>
#include <whisker/cuda.h>

#define WIDTH 640
#define HEIGHT 480
#define COUNT 6
#define RADIUS 0.005 // of points: more than the way to the next one

static uint16_t pixels[WIDTH * HEIGHT];
static float points[WIDTH * HEIGHT][3];

// A camera 1.5 m in front of the robot, looking at it, and a wall between the two.
static wkDepthImage takeImage(void)
{
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        pixels[i] = 650; // millimetres
    }
    wkDepthImage image = wkDefaultDepthImage();
    image.camera.fx = image.camera.fy = 500.0;
    image.pixels = pixels;
    image.pose = wkMakePose(1.5, 0.0, 0.7);
    image.pose.rotation = (wkQuat){0.5, -0.5, -0.5, 0.5};
    return image;
}

// By the GPU: pixels in, verdicts out.
static wkResult checkOnGpu(wkCuda* cuda, const wkBatch* batch, const wkDepthImage* image,
                           const double* rows, uint8_t* verdicts)
{
    // once
    wkCudaBatchDef batchDef = wkDefaultCudaBatchDef();
    wkCudaCameraDef cameraDef = wkDefaultCudaCameraDef();
    wkCudaFieldDef fieldDef = wkDefaultCudaFieldDef();
    wkCudaBatch* onGpu = NULL;
    wkCudaFrame frame = wkDefaultCudaFrame();
    wkCudaCamera* camera = NULL;
    batchDef.cuda = cameraDef.cuda = fieldDef.cuda = cuda;
    batchDef.batch = batch;
    cameraDef.camera = image->camera;
    fieldDef.region = (wkAabb){{-1.5, -1.5, -0.5}, {1.5, 1.5, 2.0}};
    fieldDef.cellSize = 0.05;
    fieldDef.reach = 0.6;
    wkResult result = wkCudaBatch_Create(&batchDef, &onGpu);
    result = result == wk_ok ? wkCudaCamera_Create(&cameraDef, &camera) : result;
    result = result == wk_ok ? wkCudaField_Create(&fieldDef, &frame.field) : result;

    // for every frame
    frame.camera = camera;
    frame.image = image;
    frame.points.radius = RADIUS;
    if (result == wk_ok) {
        result = wkCudaBatch_CheckFrame(onGpu, &frame, rows, COUNT, NULL, verdicts);
    }
    wkCudaField_Destroy(frame.field);
    wkCudaCamera_Destroy(camera);
    wkCudaBatch_Destroy(onGpu);
    return result;
}

// By the CPU: the points become an object of the scene.
static wkResult checkOnCpu(wkRobotScene* scene, wkBatch* batch, const wkDepthImage* image,
                           const double* rows, uint8_t* verdicts)
{
    int count = wkDepthImage_Points(image, NULL, points[0], NULL, WIDTH * HEIGHT);
    wkCloudDef def = wkDefaultCloudDef();
    def.points = wkMakeCloudView(points, count);
    def.radius = RADIUS;
    wkCloud* cloud = NULL;
    wkResult result = wkCloud_Create(&def, &cloud);
    wkShape shape = wkMakeCloud(cloud);
    wkRobotObjectDef object = wkDefaultRobotObjectDef();
    object.name = "frame";
    object.shapes = &shape;
    object.shapeCount = 1;
    object.pose = image->pose;
    result = result == wk_ok ? wkRobotScene_Add(scene, &object) : result;
    result = result == wk_ok ? wkBatch_Refresh(batch) : result;
    result = result == wk_ok ? wkBatch_CheckStates(batch, NULL, rows, COUNT, verdicts) : result;
    wkRobotScene_Remove(scene, object.name);
    wkCloud_Destroy(cloud);
    return result;
}

int main(void)
{
    wkRobot* robot = NULL;
    wkRobotScene* scene = NULL;
    wkRobotSceneDef sceneDef = wkDefaultRobotSceneDef();
    wkBatchDef batchDef = wkDefaultBatchDef();
    wkBatch* batch = NULL;
    wkCudaDef cudaDef = wkDefaultCudaDef();
    wkCuda* cuda = NULL;
    wkResult result = wkRobot_CreateBuiltIn(&robot);
    sceneDef.robot = robot;
    result = result == wk_ok ? wkRobotScene_Create(&sceneDef, &scene) : result;
    batchDef.scene = scene;
    result = result == wk_ok ? wkBatch_Create(&batchDef, &batch) : result;
    wkDepthImage image = takeImage();
    double rows[COUNT][11] = {{0.0}};
    int lift = wkRobot_FindVariable(robot, "shoulder_lift_joint");
    for (int i = 0; i < COUNT; i++) {
        rows[i][lift] = 0.28 * (COUNT - 1 - i); // from hanging down to stretched out
    }
    uint8_t verdicts[COUNT] = {wk_verdictUnchecked};
    if (result == wk_ok && wkCuda_Create(&cudaDef, &cuda) == wk_ok) {
        result = checkOnGpu(cuda, batch, &image, rows[0], verdicts);
    } else if (result == wk_ok) {
        fprintf(stderr, "on the CPU: %s\n", wkGetLastError());
        result = checkOnCpu(scene, batch, &image, rows[0], verdicts);
    }
    for (int i = 0; i < COUNT && result == wk_ok; i++) {
        printf("lift %.2f: %s\n", rows[i][lift], wkVerdictName((wkVerdict)verdicts[i]));
    }
    wkCuda_Destroy(cuda);
    wkBatch_Destroy(batch);
    wkRobotScene_Destroy(scene);
    wkRobot_Destroy(robot);
    return result == wk_ok ? 0 : 1;
}
