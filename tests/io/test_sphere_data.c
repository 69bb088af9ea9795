// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Spheres that others have placed on robots: all sets load for the robots they are made for, and survive a
// trip through each of our formats. WHISKER_DATA names the folder; without it the tests are skipped.

#include "sphere_kit.h"

static const struct {
    const char* robot;
    const char* spheres;
    int32_t sphereCount, links;
    bool ignoresFrames; // its fingers are half closed
} sets[] = {
    {"panda/panda", "curobo/franka.yml", 61, 11, false},
    {"panda/panda", "robometrics/franka_spheres.yml", 61, 11, false},
    {"panda/panda", "vamp/panda_spherized.urdf", 59, 11, false},
    {"fetch/fetch", "vamp/fetch_spherized.urdf", 111, 15, false},
    {"fetch/fetch", "foam/fetch_spherized.urdf", 136, 15, false},
    {"fetch/fetch", "foam/fetch_spherized_1.urdf", 17, 15, false},
    {"fetch/fetch", "foam/fetch_spherized_6.urdf", 101, 15, false},
    {"fetch/fetch", "foam/fetch_spherized_8.urdf", 134, 15, true},
    {"pr2/pr2", "smpl/collision_model_pr2.yaml", 65, 19, false},
    {"ur5_robotiq85/ur5_robotiq85", "vamp/ur5_spherized.urdf", 40, 17, false},
};

#define SET_COUNT (sizeof sets / sizeof sets[0])

static wkRobot* loadRobot(const char* name)
{
    char path[1024];
    wkRobot* robot = NULL;
    wkRobotLoadDef options = wkDefaultRobotLoadDef();
    options.skipsMeshes = true;
    snprintf(path, sizeof path, "%s/robots/%s.urdf", wkDataFolder(), name);
    if (wkRobot_Load(path, &options, NULL, &robot) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return robot;
}

static void tripThroughFormats(const wkRobot* robot, const wkSphereModel* model)
{
    static const char* const names[] = {"set.json", "set.yml", "set.urdf"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char* path = wkTestPath(names[i]);
        wkSphereModel* again = NULL;
        assert_int_equal(wkSphereModel_Save(path, model), wk_ok);
        if (wkSphereModel_Load(path, robot, NULL, NULL, &again) != wk_ok) {
            fail_msg("%s", wkGetLastError());
        }
        expectSameSpheres(model, again);
        wkSphereModel_Destroy(again);
    }
}

static void every_set_loads_for_its_robot(void** state)
{
    (void)state;
    wkSkipWithoutData("spheres");
    if (!readsSphereFormat("yaml")) {
        print_message("libyaml is missing: sets in YAML are not read\n");
        skip();
    }
    for (size_t i = 0; i < SET_COUNT; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/spheres/%s", wkDataFolder(), sets[i].spheres);
        wkRobot* robot = loadRobot(sets[i].robot);
        wkSphereModel* model = NULL;
        wkSphereLoadDef options = wkDefaultSphereLoadDef();
        options.ignoresFrames = sets[i].ignoresFrames;
        if (wkSphereModel_Load(path, robot, &options, NULL, &model) != wk_ok) {
            fail_msg("%s", wkGetLastError());
        }
        wkSphereModelInfo info = wkSphereModel_Info(model);
        if (info.sphereCount != sets[i].sphereCount || info.linkCount != sets[i].links) {
            fail_msg("%s: %d spheres on %d links", path, (int)info.sphereCount,
                     (int)info.linkCount);
        }
        tripThroughFormats(robot, model);
        wkSphereModel_Destroy(model);
        wkRobot_Destroy(robot);
    }
    wkRemoveFiles();
    assert_int_equal(wkGetByteCount(), 0);
}

// Fingers that are five centimetres off would leave the real ones bare.
static void a_set_for_other_joints_is_refused(void** state)
{
    (void)state;
    wkSkipWithoutData("spheres");
    char path[1024];
    snprintf(path, sizeof path, "%s/spheres/foam/fetch_spherized_8.urdf", wkDataFolder());
    wkRobot* robot = loadRobot("fetch/fetch");
    wkSphereModel* model = NULL;
    assert_int_equal(wkSphereModel_Load(path, robot, NULL, NULL, &model), wk_errorParse);
    assert_non_null(strstr(wkGetLastError(), "fetch_spherized_8.urdf:1013: joint "
                                             "\"r_gripper_finger_joint\": link "));
    wkRobot_Destroy(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_set_loads_for_its_robot),
        cmocka_unit_test(a_set_for_other_joints_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
