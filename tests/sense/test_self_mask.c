// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A robot in a room that sees itself: its own pixels are taken out, exactly these, and what is behind them
// is neither free nor an obstacle.

#include "../unit/unit_kit.h"

#include "math/vec.h"
#include "scenes/rng.h"
#include "sense/depth_fill.h"
#include "whisker/depth.h"
#include "whisker/sphere_model.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH 96
#define HEIGHT 72
#define PIXELS (WIDTH * HEIGHT)
#define PADDING 0.01
#define MAX_SPHERES 4000

// The robot, its spheres, and a room that it stands in.
typedef struct stage {
    wkRobot* robot;
    wkRobotState* state;
    wkSphereModel* model;
    wkScene* scene;
    wkSphere3d spheres[MAX_SPHERES];
    int32_t sphereCount;
    float depths[PIXELS];
    float others[PIXELS]; // the same without what the robot is
    wkDepthImage image;
    wkDepthMap* map;
} stage;

static void addToScene(wkScene* scene, wkShape shape, wkPose pose, void* user)
{
    wkObjectDef def = wkDefaultObjectDef();
    wkObjectId id = wk_nullObjectId;
    def.shape = shape;
    def.pose = pose;
    def.user = user;
    assert_int_equal(wkScene_Add(scene, &def, &id), wk_ok);
}

static void addRoom(wkScene* scene)
{
    addToScene(scene, wkMakeBox(12.0, 12.0, 0.1), wkMakePose(0.0, 0.0, -0.25), NULL);
    addToScene(scene, wkMakeBox(0.1, 12.0, 4.0), wkMakePose(3.0, 0.0, 1.5), NULL);
    addToScene(scene, wkMakeBox(0.1, 12.0, 4.0), wkMakePose(-2.5, 0.0, 1.5), NULL);
    addToScene(scene, wkMakeBox(0.7, 1.2, 0.05), wkMakePose(1.1, 0.0, 0.5), NULL);
}

// Covering a robot takes a while: all tests share one.
static wkRobot* robot;
static wkSphereModel* model;

static int coverRobot(void** state)
{
    (void)state;
    wkSphereFitDef fit = wkDefaultSphereFitDef();
    fit.count = 120;
    return wkRobot_CreateBuiltIn(&robot) != wk_ok ||
           wkSphereModel_Fit(robot, &fit, &model) != wk_ok;
}

static int forgetRobot(void** state)
{
    (void)state;
    wkSphereModel_Destroy(model);
    wkRobot_Destroy(robot);
    return 0;
}

static stage* makeStage(bool hasCapacity)
{
    stage* s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->robot = robot;
    s->model = model;
    assert_int_equal(wkRobotState_Create(s->robot, &s->state), wk_ok);
    assert_int_equal(wkScene_Create(NULL, &s->scene), wk_ok);
    assert_int_equal(wkDepthMap_Create(WIDTH, HEIGHT, &s->map), wk_ok);
    s->sphereCount = wkSphereModel_Info(s->model).sphereCount;
    assert_true(s->sphereCount <= MAX_SPHERES && wkSphereModel_Info(s->model).isCovering);
    if (hasCapacity) {
        addRoom(s->scene);
    }
    s->image = wkDefaultDepthImage();
    s->image.camera.width = WIDTH;
    s->image.camera.height = HEIGHT;
    s->image.camera.fx = s->image.camera.fy = 72.0;
    s->image.camera.cx = 0.5 * (WIDTH - 1);
    s->image.camera.cy = 0.5 * (HEIGHT - 1);
    s->image.type = wk_depthFloat;
    s->image.scale = 1.0;
    s->image.pixels = s->depths;
    return s;
}

static void freeStage(stage* s)
{
    wkDepthMap_Destroy(s->map);
    wkScene_Destroy(s->scene);
    wkRobotState_Destroy(s->state);
    free(s);
}

// Moves the robot, and the bodies of it that are in the scene: all but those of the camera itself.
static void pose(stage* s, uint64_t* seed, bool isHeadDown)
{
    double q[32] = {0};
    assert_true(wkRobot_Info(s->robot).variableCount <= 32);
    wkRobot_RandomConfiguration(s->robot, seed, q);
    if (isHeadDown) {
        q[1] = 0.0;
        q[2] = 0.9;
    }
    assert_int_equal(wkRobotState_Set(s->state, wkMakePose(0.1, -0.05, 0.0), q), wk_ok);
    for (wkObjectId id = wkScene_Next(s->scene, wk_nullObjectId), next; !wkObjectId_IsNull(id);
         id = next) {
        wkObjectDef def;
        next = wkScene_Next(s->scene, id);
        assert_int_equal(wkScene_Get(s->scene, id, &def), wk_ok);
        if (def.user == s->robot) {
            assert_int_equal(wkScene_Remove(s->scene, id), wk_ok);
        }
    }
    for (int32_t i = 0; i < wkRobot_Info(s->robot).bodyCount; i++) {
        wkBodyInfo body = wkRobot_Body(s->robot, i);
        if (strstr(wkRobot_Link(s->robot, body.link).name, "camera") == NULL) {
            addToScene(s->scene, *body.shape, wkRobotState_BodyPose(s->state, i), s->robot);
        }
    }
}

// From the head, and from aside.
static void check(stage* s, bool isFromHead, const wkDepthNoise* noise)
{
    int32_t head = wkRobot_FindLink(s->robot, "head_camera");
    s->image.pose = isFromHead ? wkRobotState_LinkPose(s->state, head)
                               : wkMakePoseRpy((wkVec3d){2.2, 0.3, 1.4}, -2.0, 0.0, 1.6);
    const wkCamera* camera = &s->image.camera;
    assert_int_equal(
        wkScene_RenderDepth(s->scene, camera, s->image.pose, noise, NULL, NULL, s->depths), wk_ok);
    assert_int_equal(
        wkScene_RenderDepth(s->scene, camera, s->image.pose, NULL, s->robot, NULL, s->others),
        wk_ok);
}

static wkDepthMapDef trustOf(const wkDepthNoise* noise)
{
    wkDepthMapDef trust = wkDefaultDepthMapDef();
    trust.noise = 1e-4;
    trust.noiseSquare = noise != NULL ? 6.0 * noise->noise + 0.6 * noise->disparityStep : 0.0;
    trust.thickness = 0.02;
    return trust;
}

// The way that every user goes: two lines for the mask.
static void update(stage* s, const wkDepthNoise* noise)
{
    wkDepthMapDef trust = trustOf(noise);
    wkSphereModel_PlaceState(s->model, s->state, s->spheres);
    wkDepthMask mask = {s->spheres, s->sphereCount, PADDING, wk_maskShadow};
    assert_int_equal(wkDepthMap_Update(s->map, &s->image, &trust, &mask), wk_ok);
}

// How far the point of a pixel is from the nearest sphere of the robot.
static double gapToSpheres(const stage* s, int u, int v, double depth)
{
    wkVec3d unprojected = wkScale(depth, wkCamera_Unproject(&s->image.camera, u, v));
    wkVec3d point = wkTransformPoint(s->image.pose, unprojected);
    double nearest = INFINITY;
    for (int32_t i = 0; i < s->sphereCount; i++) {
        nearest =
            fmin(nearest, wkLength(wkSub(point, s->spheres[i].center)) - s->spheres[i].radius);
    }
    return nearest;
}

static void checkPixels(const stage* s, const wkDepthMapDef* trust, int* ownCount)
{
    int32_t maskedCount = 0;
    for (int v = 0; v < HEIGHT; v++) {
        for (int u = 0; u < WIDTH; u++) {
            int pixel = v * WIDTH + u;
            double depth = (double)s->depths[pixel];
            bool isMeasured = !isnan(depth);
            bool isOwn = isMeasured && isnan(s->others[pixel]);
            bool isKept = s->map->surfaceEnd[v * s->map->pitch + u] != WK_NO_SURFACE;
            *ownCount += isOwn;
            maskedCount += isMeasured && !isKept;
            // what is the robot's is gone, and nothing that is further from it than told
            assert_false(isOwn && isKept);
            if (isMeasured && !isKept) {
                // a depth that may be off lets its pixel go where it might be the robot's
                double slack = 1.6 * (trust->noise + trust->noiseSquare * depth * depth);
                assert_true(gapToSpheres(s, u, v, depth) <= PADDING + slack);
            } else if (isMeasured) {
                assert_true(gapToSpheres(s, u, v, depth) >= PADDING - 1e-6);
            }
        }
    }
    assert_int_equal(wkDepthMap_Info(s->map).maskedCount, maskedCount);
}

static void own_pixels_are_lost_and_no_others(void** state)
{
    (void)state;
    stage* s = makeStage(true);
    uint64_t seed = 5;
    int ownCount = 0;
    const wkDepthNoise noise = {.cookie = wkDefaultDepthNoise().cookie,
                                .noise = 0.0012,
                                .disparityStep = 0.0028,
                                .maxDepth = 8.0,
                                .seed = 4};
    for (int i = 0; i < 8; i++) {
        const wkDepthNoise* used = i % 4 < 2 ? NULL : &noise;
        pose(s, &seed, i % 2 == 0);
        check(s, i % 2 == 0, used);
        update(s, used);
        wkDepthMapDef trust = trustOf(used);
        checkPixels(s, &trust, &ownCount);
    }
    assert_true(ownCount > PIXELS / 4);
    freeStage(s);
}

// Without a room all that is seen is the robot: whatever is asked, it is no obstacle.
static void a_robot_alone_is_no_obstacle(void** state)
{
    (void)state;
    stage* s = makeStage(false);
    uint64_t seed = 6;
    wkRng rng = wkMakeRng(6);
    int freeCount = 0, unobservedCount = 0;
    for (int i = 0; i < 6; i++) {
        pose(s, &seed, i % 2 == 0);
        check(s, i % 2 == 0, NULL);
        update(s, NULL);
        for (int k = 0; k < 3000; k++) {
            int u = wkRngBelow(&rng, WIDTH), v = wkRngBelow(&rng, HEIGHT);
            double depth = wkRngRange(&rng, 0.05, 4.0);
            wkVec3d unprojected = wkScale(depth, wkCamera_Unproject(&s->image.camera, u, v));
            wkSphere3d sphere = {wkTransformPoint(s->image.pose, unprojected),
                                 wkRngRange(&rng, 0.0, 0.2)};
            const wkDepthMap* map = s->map;
            wkDepthVerdict verdict =
                wkDepthMap_CheckSpheres(&map, 1, &sphere, 1, wk_depthByPyramid, NULL);
            assert_true(verdict == wk_depthFree || verdict == wk_depthUnobserved);
            freeCount += verdict == wk_depthFree;
            unobservedCount += verdict == wk_depthUnobserved;
        }
    }
    assert_true(freeCount > 10 && unobservedCount > 1000);
    freeStage(s);
}

// A box in the hand is as much the robot's own as the hand.
static void what_is_attached_is_masked_too(void** state)
{
    (void)state;
    stage* s = makeStage(true);
    uint64_t seed = 9;
    wkRobotScene* scene = NULL;
    wkSphereModel* holding = NULL;
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.robot = s->robot;
    assert_int_equal(wkRobotScene_Create(&def, &scene), wk_ok);
    pose(s, &seed, false);
    wkPose endEffector = wkRobotState_LinkPose(s->state, wkRobot_FindLink(s->robot, "grasp_frame"));
    wkShape box = wkMakeBox(0.3, 0.2, 0.25);
    wkRobotObjectDef object = wkDefaultRobotObjectDef();
    object.name = "box";
    object.shapes = &box;
    object.shapeCount = 1;
    object.pose = endEffector;
    assert_int_equal(wkRobotScene_Add(scene, &object), wk_ok);
    assert_int_equal(wkSphereModel_Hold(s->model, scene, NULL, &holding), wk_ok);
    assert_int_equal(wkSphereModel_Info(holding).sphereCount, s->sphereCount);
    wkSphereModel_Destroy(holding);
    assert_int_equal(wkRobotScene_Attach(scene, s->state, "box", "gripper_link", NULL, 0), wk_ok);
    assert_int_equal(wkSphereModel_Hold(s->model, scene, NULL, &holding), wk_ok);
    assert_true(wkSphereModel_Info(holding).isCovering);
    assert_true(wkSphereModel_Info(holding).sphereCount > s->sphereCount);

    // elsewhere, and seen from aside
    pose(s, &seed, false);
    endEffector = wkRobotState_LinkPose(s->state, wkRobot_FindLink(s->robot, "grasp_frame"));
    addToScene(s->scene, box, endEffector, s->robot);
    check(s, false, NULL);
    int ownCount = 0;
    s->model = holding;
    s->sphereCount = wkSphereModel_Info(holding).sphereCount;
    assert_true(s->sphereCount <= MAX_SPHERES);
    update(s, NULL);
    wkDepthMapDef trust = trustOf(NULL);
    checkPixels(s, &trust, &ownCount);
    assert_true(ownCount > 100);
    wkSphereModel_Destroy(holding);
    assert_int_equal(wkSphereModel_Hold(NULL, scene, NULL, &holding), wk_errorArgument);
    wkRobotScene_Destroy(scene);
    freeStage(s);
}

// Behind the robot nothing is known; in front of it all is free; without a mask it is an obstacle.
static void shadows_are_not_known(void** state)
{
    (void)state;
    stage* s = makeStage(true);
    uint64_t seed = 7;
    int shadowCount = 0;
    pose(s, &seed, false);
    check(s, false, NULL);
    for (int isMasked = 0; isMasked < 2; isMasked++) {
        wkDepthMapDef trust = trustOf(NULL);
        update(s, NULL);
        if (isMasked == 0) {
            assert_int_equal(wkDepthMap_Update(s->map, &s->image, &trust, NULL), wk_ok);
        }
        const wkDepthMap* map = s->map;
        for (int pixel = 0; pixel < PIXELS; pixel++) {
            int u = pixel % WIDTH, v = pixel / WIDTH;
            double depth = (double)s->depths[pixel];
            if (u < 3 || v < 3 || u >= WIDTH - 3 || v >= HEIGHT - 3 || isnan(depth) ||
                !isnan(s->others[pixel])) {
                continue;
            }
            wkVec3d slope = wkCamera_Unproject(&s->image.camera, u, v);
            wkVec3d behind = wkTransformPoint(s->image.pose, wkScale(depth + 0.3, slope));
            wkVec3d before = wkTransformPoint(s->image.pose, wkScale(0.5 * depth, slope));
            wkVec3d there = wkTransformPoint(s->image.pose, wkScale(depth, slope));
            wkSphere3d spheres[3] = {{behind, 0.005}, {before, 0.005}, {there, 0.005}};
            wkDepthVerdict verdicts[3];
            wkDepthMap_CheckSpheres(&map, 1, spheres, 3, wk_depthByPixels, verdicts);
            shadowCount += verdicts[0] == wk_depthUnobserved;
            assert_true(verdicts[0] != wk_depthFree && verdicts[1] == wk_depthFree);
            assert_true(isMasked != 0 || verdicts[2] == wk_depthHit);
            assert_true(isMasked == 0 || verdicts[2] != wk_depthFree);
        }
    }
    assert_true(shadowCount > 100);
    freeStage(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(own_pixels_are_lost_and_no_others),
        cmocka_unit_test(a_robot_alone_is_no_obstacle),
        cmocka_unit_test(what_is_attached_is_masked_too),
        cmocka_unit_test(shadows_are_not_known),
    };
    return cmocka_run_group_tests_name("sense.self_mask", tests, coverRobot, forgetRobot);
}
