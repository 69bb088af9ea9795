// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A robot before a depth camera. See marshall_case.h.

#include "batch/marshall_case.h"

#include "robot/robot_case.h"

#include "../tests/scenes/rng.h"

#include "whisker/io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPHERE_COUNT 209 // as in the paper
#define POSE_SEED 61u
#define ROOM_SEED 67u
#define PATH_CAPACITY 1024

#define HEAD_TILT 1.0 // radians down
#define THINGS 30     // half of them boxes, half of them spheres

// Things hang and stand in front of the robot, at the reach of its arms. The floor is low: wheels
// that touch it would decide every pose.
static const wkAabb thingsIn = {{0.55, -1.3, 0.3}, {1.5, 1.3, 1.7}};
static const wkAabb room = {{-4.5, -3.0, -0.6}, {3.0, 3.0, 2.6}};
static const wkVec3d behindRobot = {-4.0, 0.0, 0.9};

static wkResult loadRobot(wkRobot** robot)
{
    char urdf[PATH_CAPACITY], srdf[PATH_CAPACITY];
    wkRobotDataPath("pr2/pr2.urdf", urdf, PATH_CAPACITY);
    wkRobotDataPath("pr2/pr2_disabled_pairs.srdf", srdf, PATH_CAPACITY);
    wkRobotLoadDef options = wkDefaultRobotLoadDef();
    options.srdf = srdf;
    wkResult result = wkRobot_Load(urdf, &options, NULL, robot);
    return result == wk_ok ? result : wkRobot_CreateBuiltIn(robot);
}

static wkResult fit(wkMarshallCase* made)
{
    wkSphereFitDef def = wkDefaultSphereFitDef();
    def.count = SPHERE_COUNT;
    return wkSphereModel_Fit(made->robot, &def, &made->spheres);
}

// Only the arms move; the head looks down at them.
static void drawPoses(wkMarshallCase* made)
{
    uint64_t seed = POSE_SEED;
    int32_t arms = wkRobot_FindGroup(made->robot, "arms");
    wkGroupInfo group =
        wkRobot_Group(made->robot, arms >= 0 ? arms : wkRobot_FindGroup(made->robot, "arm"));
    int32_t tilt = wkRobot_FindVariable(made->robot, "head_tilt_joint");
    double* random = &made->poses[made->count * made->variableCount];
    for (int i = 0; i < made->count; i++) {
        double* q = &made->poses[i * made->variableCount];
        wkRobot_DefaultConfiguration(made->robot, q);
        if (tilt >= 0) {
            q[tilt] = HEAD_TILT;
        }
        wkRobot_RandomConfiguration(made->robot, &seed, random);
        for (int k = 0; k < group.variableCount; k++) {
            q[group.variables[k]] = random[group.variables[k]];
        }
    }
}

bool wkMarshallCase_Open(wkMarshallCase* made, int count)
{
    memset(made, 0, sizeof *made);
    if (loadRobot(&made->robot) != wk_ok) {
        return false;
    }
    made->count = count;
    made->variableCount = wkRobot_Info(made->robot).variableCount;
    made->camera = wkDefaultCamera();
    size_t pixels = (size_t)made->camera.width * (size_t)made->camera.height;
    size_t doubles = ((size_t)count + 1) * (size_t)made->variableCount; // one more to draw into
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.robot = made->robot;
    made->poses = (double*)calloc(doubles, sizeof(double));
    made->depths = (float*)calloc(pixels, sizeof(float));
    made->isFree = (bool*)calloc((size_t)count, sizeof(bool));
    if (made->poses == NULL || made->depths == NULL || made->isFree == NULL ||
        wkRobotScene_Create(&def, &made->scene) != wk_ok || fit(made) != wk_ok ||
        wkDepthMap_Create(made->camera.width, made->camera.height, &made->map) != wk_ok) {
        wkMarshallCase_Close(made);
        return false;
    }
    drawPoses(made);
    return true;
}

void wkMarshallCase_Close(wkMarshallCase* made)
{
    wkDepthMap_Destroy(made->map);
    wkSphereModel_Destroy(made->spheres);
    wkRobotScene_Destroy(made->scene);
    wkRobot_Destroy(made->robot);
    free(made->poses);
    free(made->depths);
    free(made->isFree);
    memset(made, 0, sizeof *made);
}

static bool add(wkScene* scene, wkShape shape, wkPose pose)
{
    wkObjectDef def = wkDefaultObjectDef();
    def.shape = shape;
    def.pose = pose;
    wkObjectId id;
    return wkScene_Add(scene, &def, &id) == wk_ok;
}

static bool addWalls(wkScene* scene)
{
    return add(scene, wkMakeHalfspace((wkVec3d){0.0, 0.0, 1.0}, room.lower.z), wkIdentityPose()) &&
           add(scene, wkMakeHalfspace((wkVec3d){0.0, 0.0, -1.0}, -room.upper.z),
               wkIdentityPose()) &&
           add(scene, wkMakeHalfspace((wkVec3d){0.0, 1.0, 0.0}, room.lower.y), wkIdentityPose()) &&
           add(scene, wkMakeHalfspace((wkVec3d){0.0, -1.0, 0.0}, -room.upper.y),
               wkIdentityPose()) &&
           add(scene, wkMakeHalfspace((wkVec3d){-1.0, 0.0, 0.0}, -room.upper.x), wkIdentityPose());
}

static wkScene* furnish(void)
{
    wkScene* scene = NULL;
    bool isMade = wkScene_Create(NULL, &scene) == wk_ok && addWalls(scene);
    wkRng rng = wkMakeRng(ROOM_SEED);
    for (int i = 0; i < THINGS && isMade; i++) {
        wkPose pose = {{wkRngRange(&rng, thingsIn.lower.x, thingsIn.upper.x),
                        wkRngRange(&rng, thingsIn.lower.y, thingsIn.upper.y),
                        wkRngRange(&rng, thingsIn.lower.z, thingsIn.upper.z)},
                       wkRngRotation(&rng)};
        double x = wkRngRange(&rng, 0.1, 0.4), y = wkRngRange(&rng, 0.1, 0.4);
        wkShape box = wkMakeBox(x, y, wkRngRange(&rng, 0.1, 0.4));
        isMade = add(scene, i % 2 == 0 ? box : wkMakeSphere(0.5 * x), pose);
    }
    if (!isMade) {
        wkScene_Destroy(scene);
        return NULL;
    }
    wkScene_Update(scene);
    return scene;
}

// Where the camera on the head is, in all poses.
static wkPose headCamera(const wkMarshallCase* made)
{
    int32_t link = wkRobot_FindLink(made->robot, "head_mount_kinect_ir_optical_frame");
    link = link >= 0 ? link : wkRobot_FindLink(made->robot, "head_camera");
    int32_t linkCount = wkRobot_Info(made->robot).linkCount;
    wkPose* links = (wkPose*)calloc((size_t)linkCount, sizeof *links);
    wkPose pose = wkIdentityPose();
    if (links != NULL && link >= 0) {
        wkRobot_LinkPoses(made->robot, wkIdentityPose(), made->poses, links);
        pose = links[link];
    }
    free(links);
    return pose;
}

static wkPose cameraOf(const wkMarshallCase* made, wkMarshallView view)
{
    const double quarter = 1.57079632679489662;
    return view == wk_viewWhole ? wkMakePoseRpy(behindRobot, -quarter, 0.0, -quarter)
                                : headCamera(made);
}

bool wkMarshallCase_Render(wkMarshallCase* made, wkMarshallView view)
{
    wkScene* scene = furnish();
    wkDepthNoise noise = wkDefaultDepthNoise();
    made->isStrict = view == wk_viewWhole;
    made->cameraPose = cameraOf(made, view);
    made->image = wkDefaultDepthImage();
    made->image.camera = made->camera;
    made->image.pose = made->cameraPose;
    made->image.pixels = made->depths;
    made->image.type = wk_depthFloat;
    made->image.scale = 1.0;
    bool isTaken = scene != NULL &&
                   wkScene_RenderDepth(scene, &made->camera, made->cameraPose,
                                       view == wk_viewNoise ? &noise : NULL, NULL, NULL,
                                       made->depths) == wk_ok &&
                   wkDepthMap_Update(made->map, &made->image, NULL, NULL) == wk_ok;
    wkScene_Destroy(scene);
    wkSphere3d* spheres =
        (wkSphere3d*)calloc((size_t)wkSphereModel_Info(made->spheres).sphereCount, sizeof *spheres);
    isTaken = isTaken && spheres != NULL;
    for (int i = 0; i < made->count && isTaken; i++) {
        made->isFree[i] = wkMarshallCase_IsFree(made, i, wk_depthByPixels, 0.0, spheres);
    }
    free(spheres);
    return isTaken;
}

wkBatchDef wkMarshallCase_Def(const wkMarshallCase* made)
{
    wkBatchDef def = wkDefaultBatchDef();
    def.scene = made->scene;
    def.spheres = made->spheres;
    def.depthMaps = (const wkDepthMap* const*)&made->map;
    def.depthMapCount = 1;
    def.unobservedIsFree = !made->isStrict;
    def.checksLimits = false;
    def.checksSelf = false;
    def.checksWorld = false;
    return def;
}

bool wkMarshallCase_IsFree(const wkMarshallCase* made, int pose, wkDepthMethod method,
                           double growth, wkSphere3d* spheres)
{
    const wkDepthMap* map = made->map;
    int32_t count = wkSphereModel_Info(made->spheres).sphereCount;
    wkSphereModel_PlaceLinks(made->spheres, wkIdentityPose(),
                             &made->poses[pose * made->variableCount], spheres);
    for (int32_t i = 0; i < count; i++) {
        spheres[i].radius += growth;
    }
    wkDepthVerdict worst = wkDepthMap_CheckSpheres(&map, 1, spheres, count, method, NULL);
    return made->isStrict ? worst == wk_depthFree : worst <= wk_depthUnobserved;
}
