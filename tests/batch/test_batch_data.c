// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Robots of others that are made of spheres, among boxes and before a camera: no collision is missed in
// hundreds of thousands of configurations, and none is made up beyond what floats may do.

#include "../data_files.h"
#include "batch_kit.h"

#include "whisker/detail/counts.h"

#include <math.h>

#define STATE_COUNT WK_CASES(25000)
#define OBSERVED_COUNT WK_CASES(1500)
#define BOX_COUNT 60

static const char* const files[] = {
    "spheres/vamp/panda_spherized.urdf",
    "spheres/vamp/ur5_spherized.urdf",
    "spheres/vamp/fetch_spherized.urdf",
};

// The spheres of a description as spheres.
static wkSphereModel* spheresOf(const wkRobot* robot)
{
    int32_t count = wkRobot_Info(robot).bodyCount;
    wkLinkSphere* spheres = (wkLinkSphere*)calloc((size_t)count + 1, sizeof *spheres);
    assert_non_null(spheres);
    for (int32_t i = 0; i < count; ++i) {
        wkBodyInfo body = wkRobot_Body(robot, i);
        assert_int_equal(body.shape->type, wk_shapeSphere);
        spheres[i].link = body.link;
        spheres[i].sphere.center = body.pose.position;
        spheres[i].sphere.radius = body.shape->sphere.radius + body.shape->rounding;
    }
    wkSphereModel* model = NULL;
    assert_int_equal(wkSphereModel_Create(robot, spheres, count, &model), wk_ok);
    free(spheres);
    return model;
}

static wkRobotScene* makeScene(const wkRobot* robot, uint64_t seed)
{
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.robot = robot;
    wkRobotScene* scene;
    assert_int_equal(wkRobotScene_Create(&def, &scene), wk_ok);
    wkRng rng = wkMakeRng(seed);
    for (int i = 0; i < BOX_COUNT; ++i) {
        char name[16];
        snprintf(name, sizeof name, "box%d", i);
        wkShape box = wkMakeBox(wkRngRange(&rng, 0.05, 0.2), wkRngRange(&rng, 0.05, 0.2),
                                wkRngRange(&rng, 0.05, 0.2));
        double away = wkRngRange(&rng, 0.5, 1.3), turn = wkRngRange(&rng, -3.0, 3.0);
        wkRobotObjectDef object = wkDefaultRobotObjectDef();
        object.name = name;
        object.shapes = &box;
        object.shapeCount = 1;
        object.pose = wkMakePose(away * cos(turn), away * sin(turn), wkRngRange(&rng, 0.0, 1.4));
        object.pose.rotation = wkRngRotation(&rng);
        assert_int_equal(wkRobotScene_Add(scene, &object), wk_ok);
    }
    return scene;
}

static void compare(const wkBatchDef* def, const double* rows, int32_t count,
                    int32_t counts[WK_VERDICT_COUNT])
{
    int32_t length = wkRobot_Info(wkRobotScene_Robot(def->scene)).variableCount;
    uint8_t* verdicts = (uint8_t*)malloc((size_t)count);
    assert_non_null(verdicts);
    wkBatch* batch = wkCreateBatch(def);
    wkPlainBatch plain = wkMakePlainBatch(def);
    assert_int_equal(wkBatch_CheckStates(batch, NULL, rows, count, verdicts), wk_ok);
    for (int32_t i = 0; i < count; ++i) {
        wkPlainDistances distances =
            wkPlainDistancesOf(&plain, rows + (size_t)i * (size_t)length, WK_BATCH_BAND);
        const char* fault = wkFindFault(def, &distances, (wkVerdict)verdicts[i], WK_BATCH_BAND);
        if (fault != NULL) {
            fail_msg("row %d is called %s, but %s (self %g, world %g, depth %d, %d)", (int)i,
                     wkVerdictName((wkVerdict)verdicts[i]), fault, distances.self, distances.world,
                     (int)distances.depth, (int)distances.depthOfLarger);
        }
        ++counts[verdicts[i]];
    }
    wkFreePlainBatch(&plain);
    wkBatch_Destroy(batch);
    free(verdicts);
}

static void no_collision_of_robots_of_others_is_missed(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; ++i) {
        wkRobot* robot = wkLoadDataRobot(files[i], NULL);
        if (robot == NULL) {
            continue;
        }
        wkSphereModel* model = spheresOf(robot);
        wkRobotScene* scene = makeScene(robot, 5 + i);
        double* rows = wkRandomRows(robot, 8, STATE_COUNT);
        wkBatchDef def = wkDefaultBatchDef();
        def.exactness = wk_exactnessSpheres; // the plain way knows spheres alone
        def.scene = scene;
        def.spheres = model;
        // links that always touch would hide what is around them
        int32_t counts[WK_VERDICT_COUNT] = {0};
        for (int k = 0; k < 2; ++k) {
            def.checksSelf = k == 0;
            compare(&def, rows, STATE_COUNT, counts);
        }
        print_message("%s: free %d, self %d, world %d\n", files[i], (int)counts[wk_verdictFree],
                      (int)counts[wk_verdictSelf], (int)counts[wk_verdictWorld]);
        free(rows);
        wkRobotScene_Destroy(scene);
        wkSphereModel_Destroy(model);
        wkRobot_Destroy(robot);
    }
}

// The built-in robot before a camera that sees boxes and a wall.
static void what_a_camera_sees_is_not_missed(void** state)
{
    (void)state;
    wkRobot* robot;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    wkSphereModel* model = wkSpheresOnBodies(robot, 0.6);
    wkRobotScene* scene = makeScene(robot, 3);
    static float pixels[120 * 160];
    wkRng rng = wkMakeRng(12);
    for (int i = 0; i < 120 * 160; ++i) {
        bool isNear = i % 160 > 90 && i / 160 > 40;
        pixels[i] = wkRngUnit(&rng) < 0.0005 ? 0.0f : isNear ? 2.0f : 4.0f;
    }
    wkDepthImage image = wkDefaultDepthImage();
    image.camera.width = 160;
    image.camera.height = 120;
    image.camera.fx = image.camera.fy = 60.0;
    image.camera.cx = 79.5;
    image.camera.cy = 59.5;
    image.pixels = pixels;
    image.type = wk_depthFloat;
    image.scale = 1.0;
    // looks along x from behind, y of the image down
    image.pose = wkMakePose(-2.0, 0.0, 0.9);
    wkQuat optical = {-0.5, 0.5, -0.5, 0.5};
    image.pose.rotation = optical;
    wkDepthMap* map;
    assert_int_equal(wkDepthMap_Create(160, 120, &map), wk_ok);
    assert_int_equal(wkDepthMap_Update(map, &image, NULL, NULL), wk_ok);
    const wkDepthMap* maps[1] = {map};
    wkBatchDef def = wkDefaultBatchDef();
    def.exactness = wk_exactnessSpheres; // the plain way knows spheres alone
    def.scene = scene;
    def.spheres = model;
    def.depthMaps = maps;
    def.depthMapCount = 1;
    def.checksWorld = false;
    double* rows = wkRandomRows(robot, 8, OBSERVED_COUNT);
    int32_t counts[WK_VERDICT_COUNT] = {0};
    for (int policy = 0; policy < 4; ++policy) {
        def.occludedIsFree = (policy & 1) != 0;
        def.unobservedIsFree = (policy & 2) != 0;
        compare(&def, rows, OBSERVED_COUNT, counts);
    }
    print_message("seen: free %d, self %d, world %d, unknown %d\n", (int)counts[wk_verdictFree],
                  (int)counts[wk_verdictSelf], (int)counts[wk_verdictWorld],
                  (int)counts[wk_verdictUnknown]);
    assert_true(counts[wk_verdictWorld] > 20 && counts[wk_verdictFree] > 20);
    free(rows);
    wkDepthMap_Destroy(map);
    wkRobotScene_Destroy(scene);
    wkSphereModel_Destroy(model);
    wkRobot_Destroy(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_collision_of_robots_of_others_is_missed),
        cmocka_unit_test(what_a_camera_sees_is_not_missed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
