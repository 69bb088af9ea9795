// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Files of spheres: what is written comes back bit by bit, every form that others write is understood, and
// what is wrong is refused with its place.

#include "../memory/failing.h"
#include "sphere_kit.h"

#include <float.h>
#include <math.h>

// A robot whose links have names that files have to take care of.
static const char* const linkNames[] = {
    "a", "b \"quoted\" \\ & <c>", "d\xc3\xa9j\xc3\xa0\tvu", "e: [f, g] # h", "- 1", "i"};

#define LINK_COUNT ((int32_t)(sizeof linkNames / sizeof linkNames[0]))

// A chain with every kind of joint, one of which follows another.
static wkRobot* makeRobot(void)
{
    static const wkJointType types[] = {wk_jointRevolute, wk_jointRevolute, wk_jointPrismatic,
                                        wk_jointPlanar, wk_jointFixed};
    static const char* const jointNames[] = {"j0", "j1", "j2", "j3", "j4"};
    wkJointDef joints[LINK_COUNT - 1];
    for (int32_t i = 0; i < LINK_COUNT - 1; i++) {
        wkVec3d position = {0.1 * i, -0.3, 1.0 / 3.0}, axis = {0.6, 0.0, 0.8};
        joints[i] = wkDefaultJointDef();
        joints[i].name = jointNames[i];
        joints[i].type = types[i];
        joints[i].parent = linkNames[i];
        joints[i].child = linkNames[i + 1];
        // pitches of a quarter turn on both sides, where roll and yaw are one
        joints[i].origin =
            wkMakePoseRpy(position, 0.3 * i, 1.5707963267948966 * (i - 2) / 2.0, -2.0);
        joints[i].axis = axis;
        joints[i].lower = -1.0 / 3.0;
        joints[i].upper = 2.0;
    }
    joints[1].mimic = jointNames[0];
    joints[1].mimicFactor = -0.7;
    joints[1].mimicOffset = 0.1;
    joints[1].lower = -3.0;
    joints[1].upper = 3.0;
    wkRobotDef def = wkDefaultRobotDef();
    def.name = "r & \"s\"";
    def.links = linkNames;
    def.linkCount = LINK_COUNT;
    def.joints = joints;
    def.jointCount = LINK_COUNT - 1;
    wkRobot* robot = NULL;
    if (wkRobot_Create(&def, &robot) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return robot;
}

// Numbers that lose something when they are printed carelessly.
static wkSphereModel* makeModel(const wkRobot* robot)
{
    static const wkLinkSphere spheres[] = {
        {0, {{0.1, -0.0, 1.0 / 3.0}, 0.1 + 0.2}},
        {0, {{5e-324, 1e-5, -1e-300}, 0.0}},
        {1, {{123456789.123456789, 1e59, -1.0}, DBL_MIN}},
        {2, {{0.0, 0.0, 0.0}, 1e22}},
        {3, {{1e-7, 2e-7, 3e-7}, 4e-7}},
        {4, {{1.0, 2.0, 3.0}, 4.0}},
    };
    wkSphereModel* model = NULL;
    assert_int_equal(wkSphereModel_Create(robot, spheres, 6, &model), wk_ok);
    return model;
}

static const char* const formats[] = {"json", "yaml", "yml", "urdf"};

static void what_is_written_comes_back_bit_by_bit(void** state)
{
    (void)state;
    wkRobot* robot = makeRobot();
    wkSphereModel* model = makeModel(robot);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        char name[32];
        snprintf(name, sizeof name, "spheres.%s", formats[i]);
        const char* path = wkTestPath(name);
        wkSphereLoadInfo report;
        wkSphereLoadDef options = wkDefaultSphereLoadDef();
        wkSphereModel* other = NULL;
        assert_int_equal(wkSphereModel_Save(path, model), wk_ok);
        wkResult result = wkSphereModel_Load(path, robot, &options, &report, &other);
        if (result == wk_errorUnsupported) {
            continue;
        }
        if (result != wk_ok) {
            fail_msg("%s", wkGetLastError());
        }
        expectSameSpheres(model, other);
        assert_string_equal(report.warning, "");
        assert_string_equal(report.format, i == 2 ? "yaml" : formats[i]);
        assert_false(report.isCovering);
        assert_true(isinf(report.protrusion));
        wkSphereModel_Destroy(other);
    }
    wkSphereModel_Destroy(model);
    wkRobot_Destroy(robot);
    wkRemoveFiles();
    assert_int_equal(wkGetByteCount(), 0);
}

static void expectSamePoses(const wkRobot* a, const wkRobot* b)
{
    wkRobotInfo info = wkRobot_Info(a);
    assert_int_equal(info.variableCount, wkRobot_Info(b).variableCount);
    double q[16];
    wkPose posesA[32], posesB[32];
    uint64_t seed = 7;
    for (int round = 0; round < 20; round++) {
        wkRobot_RandomConfiguration(a, &seed, q);
        assert_int_equal(wkRobot_FindBeyondLimits(b, q, 1e-9), -1);
        wkRobot_LinkPoses(a, wkIdentityPose(), q, posesA);
        wkRobot_LinkPoses(b, wkIdentityPose(), q, posesB);
        for (int32_t i = 0; i < info.linkCount; i++) {
            wkVec3d point = {1.0, 2.0, 3.0};
            wkVec3d pointA = wkTransformPoint(posesA[i], point);
            wkVec3d pointB = wkTransformPoint(posesB[i], point);
            assert_true(fabs(pointA.x - pointB.x) < 1e-12 && fabs(pointA.y - pointB.y) < 1e-12 &&
                        fabs(pointA.z - pointB.z) < 1e-12);
        }
    }
}

static void a_robot_written_as_spheres_moves_as_before(void** state)
{
    (void)state;
    if (!readsSphereFormat("urdf")) {
        skip();
    }
    wkRobot* robots[2] = {makeRobot(), NULL};
    assert_int_equal(wkRobot_CreateBuiltIn(&robots[1]), wk_ok);
    for (int i = 0; i < 2; i++) {
        const char* path = wkTestPath("robot.urdf");
        wkSphereModel *model = NULL, *again = NULL;
        wkLinkSphere sphere = {1, {{0.25, 0.5, -0.125}, 0.75}};
        wkRobot* other = NULL;
        assert_int_equal(wkSphereModel_Create(robots[i], &sphere, 1, &model), wk_ok);
        assert_int_equal(wkSphereModel_Save(path, model), wk_ok);
        if (wkRobot_Load(path, NULL, NULL, &other) != wk_ok) {
            fail_msg("%s", wkGetLastError());
        }
        expectSamePoses(robots[i], other);
        assert_int_equal(wkRobot_Info(other).bodyCount, 1);

        // the robot that was written takes the spheres back just as well
        assert_int_equal(wkSphereModel_Load(path, other, NULL, NULL, &again), wk_ok);
        expectSameSpheres(model, again);
        wkSphereModel_Destroy(again);
        wkSphereModel_Destroy(model);
        wkRobot_Destroy(other);
        wkRobot_Destroy(robots[i]);
    }
    wkRemoveFiles();
    assert_int_equal(wkGetByteCount(), 0);
}

// Three links in a row, each a metre above the one before.
static wkRobot* makeStack(void)
{
    static const char* const links[] = {"base", "arm", "hand"};
    wkJointDef joints[2] = {wkDefaultJointDef(), wkDefaultJointDef()};
    for (int i = 0; i < 2; i++) {
        joints[i].name = links[i + 1];
        joints[i].parent = links[i];
        joints[i].child = links[i + 1];
        joints[i].type = wk_jointContinuous;
        joints[i].origin = wkMakePose(0.0, 0.0, 1.0);
    }
    wkRobotDef def = wkDefaultRobotDef();
    def.name = "stack";
    def.links = links;
    def.linkCount = 3;
    def.joints = joints;
    def.jointCount = 2;
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_Create(&def, &robot), wk_ok);
    return robot;
}

#define JOINT(name, type, parent, child, xyz)                                                      \
    "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child        \
    "'/><origin xyz='" xyz "'/></joint>"
#define SPHERE(xyz, radius)                                                                        \
    "<collision><origin xyz='" xyz "'/><geometry><sphere radius='" radius                          \
    "'/></geometry></collision>"

// Forms in which others say the same: one sphere on the arm, two on the hand.
static const struct {
    const char* format;
    const char* text;
} forms[] = {
    {"json", "{\"collision_spheres\": {\"arm\": [{\"radius\": 0.5, \"center\": [1, 2, 3]}],\n"
             "\"hand\": [{\"center\": [0, 0, 0], \"radius\": 1},"
             " {\"center\": [-1e0, 0.0E+1, 2], \"radius\": 0}]}}"},
    {"json",
     "\xef\xbb\xbf {\"a\\u0062\\ud83d\\ude00\": null, \"kinematics\": {\"collision_spheres\": {"
     "\"base\": [], \"a\\u0072m\": [{\"radius\": 0.5, \"center\": [1, 2, 3], \"x\": [[{}]]}],"
     "\"hand\": [{\"center\": [0, 0, 0], \"radius\": 1},"
     "{\"center\": [9, 9, 9], \"radius\": -10},"
     " {\"center\": [-1, 0, 2], \"radius\": 0}]}}}"},
    {"yaml",
     "# words\nrobot_cfg:\n  kinematics:\n    collision_sphere_buffer: 0.25\n"
     "    collision_spheres:\n      arm:\n      - \"center\": [1.0, 2.0, 3.0]\n"
     "        \"radius\": 0.25 # less\n      hand:\n        - {center: [0, 0, 0], radius: 0.75}\n"
     "        - center:\n            - -1\n            - 0\n            - 2.\n"
     "          radius: -0.0\n      base:\n"},
    {"yaml",
     "collision_sphere_buffer: {hand: -0.5}\ncollision_spheres: {hand: [{center: [0, 0, 0], "
     "radius: 1.5}, {center: [-1, 0, 2], radius: 0.5}], arm: [{center: [1, 2, 3], radius: .5}]}"},
    {"yaml",
     "robot_collision_model:\n  spheres_models:\n    - link_name: arm\n      auto: false\n"
     "      spheres:\n        - { name: s0, x: 1.0, y: 2, z: 3, radius: 0.5, priority: 4 }\n"
     "#       - { name: s1 }\n    - link_name: hand\n      spheres:\n"
     "        - {x: 0, y: 0, z: 0, radius: 1}\n        - {x: -1, y: 0, z: 2, radius: 0}\n"},
    {"urdf", "<?xml version='1.0'?><robot name='other'><link name='base'/><link name='arm'>" SPHERE(
                 "1 2 3", "0.5") "</link><link name='hand'>" SPHERE("0 0 0", "1")
                 SPHERE("-1 0 2", "0") "</link>" JOINT("x", "revolute", "arm", "hand",
                                                       "0 0 1.00001") "</robot>"},
    // the cap is no link of the robot, but fixed to one
    // clang-format off
    {"urdf",
     "<robot name='stack'>"
     "<link name='arm'>" SPHERE("1 2 3", "0.5") "</link>"
     "<link name='hand'>" SPHERE("0 0 0", "1") "</link>"
     "<link name='cap'>" SPHERE("0 0 0.5", "0") "</link>"
     JOINT("c", "fixed", "hand", "cap", "-1 0 1.5")
     "</robot>"},
    // clang-format on
};

static void expectForm(const wkSphereModel* model, bool hasBuffer)
{
    static const double expected[3][4] = {{1, 2, 3, 0.5}, {0, 0, 0, 1}, {-1, 0, 2, 0}};
    assert_int_equal(wkSphereModel_Info(model).sphereCount, 3);
    for (int32_t i = 0; i < 3; i++) {
        wkLinkSphere sphere = wkSphereModel_Sphere(model, i);
        assert_int_equal(sphere.link, i == 0 ? 1 : 2);
        assert_true(sphere.sphere.center.x == expected[i][0] &&
                    sphere.sphere.center.y == expected[i][1] &&
                    sphere.sphere.center.z == expected[i][2]);
        assert_true(sphere.sphere.radius == expected[i][3] + (hasBuffer && i == 2 ? 0.25 : 0.0));
    }
}

static void every_form_means_the_same(void** state)
{
    (void)state;
    wkRobot* robot = makeStack();
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        for (int isNamed = 0; isNamed < 2; isNamed++) {
            wkSphereModel* model = NULL;
            wkSphereLoadInfo report;
            wkSphereLoadDef options = wkDefaultSphereLoadDef();
            options.format = isNamed != 0 ? forms[i].format : NULL;
            if (!readsSphereFormat(forms[i].format)) {
                continue;
            }
            // a mark of UTF-8 hides what a file starts with
            if (forms[i].text[0] == '\xef' && isNamed == 0) {
                continue;
            }
            if (wkSphereModel_Parse(forms[i].text, strlen(forms[i].text), robot, &options, &report,
                                    &model) != wk_ok) {
                fail_msg("form %zu: %s", i, wkGetLastError());
            }
            expectForm(model, i == 2);
            assert_string_equal(report.format, forms[i].format);
            assert_int_equal(report.disabledSphereCount, i == 1 ? 1 : 0);
            wkSphereModel_Destroy(model);
        }
    }
    wkRobot_Destroy(robot);
    assert_int_equal(wkGetByteCount(), 0);
}

static void claims_of_a_file_are_reported_and_not_believed(void** state)
{
    (void)state;
    static const char text[] =
        "{\"robot\": \"other\", \"covering\": true, \"protrusion\": 0.125, "
        "\"collision_spheres\": {\"arm\": [], \"leg\": [{\"center\": [0, 0, 0], "
        "\"radius\": 1}], \"tail\": null}}";
    wkRobot* robot = makeStack();
    wkSphereModel* model = NULL;
    wkSphereLoadInfo report;
    wkSphereLoadDef options = wkDefaultSphereLoadDef();
    options.skipsUnknownLinks = true;
    assert_int_equal(wkSphereModel_Parse(text, strlen(text), robot, &options, &report, &model),
                     wk_ok);
    assert_true(report.isCovering && report.protrusion == 0.125);
    assert_int_equal(report.unknownLinkCount, 2);
    assert_non_null(strstr(report.warning, "spheres:1: robot: it is for \"other\""));
    wkSphereModelInfo info = wkSphereModel_Info(model);
    assert_int_equal(info.sphereCount, 0);
    assert_false(info.isCovering);
    wkSphereModel_Destroy(model);
    wkRobot_Destroy(robot);
}

static const struct {
    const char* format;
    const char* text;
    wkResult result;
    const char* words;
} refused[] = {
    {"json", "", wk_errorParse, "spheres:1: JSON: a value is expected"},
    {"json", "{}", wk_errorParse, "neither collision_spheres nor spheres_models"},
    {"json", "{} {}", wk_errorParse, "something follows the end"},
    {"json", "{\"a\": 1,}", wk_errorParse, "a key in quotes is expected"},
    {"json", "{\n\"a\" 1}", wk_errorParse, "spheres:2: JSON: a colon"},
    {"json", "{\"a\": 1 \"b\": 2}", wk_errorParse, "a map needs , or }"},
    {"json", "[1 2]", wk_errorParse, "a list needs , or ]"},
    {"json", "[1,", wk_errorParse, "a value is expected"},
    {"json", "[+1]", wk_errorParse, "a value is expected"},
    {"json", "[01]", wk_errorParse, "a list needs"},
    {"json", "[.5]", wk_errorParse, "a value is expected"},
    {"json", "[1.]", wk_errorParse, "a value is expected"},
    {"json", "[NaN]", wk_errorParse, "a value is expected"},
    {"json", "[\"a\n\"]", wk_errorParse, "not closed in its line"},
    {"json", "[\"a", wk_errorParse, "not closed"},
    {"json", "[\"\\x\"]", wk_errorParse, "after \\"},
    {"json", "[\"\\ud800\"]", wk_errorParse, "after \\"},
    {"json", "[\"\\udc00\"]", wk_errorParse, "after \\"},
    {"json", "[\"\\u00g0\"]", wk_errorParse, "after \\"},
    {"json", "[\"\\u0000\"]", wk_errorParse, "a zero in it"},
    {"json", "{\"a\": 1,\n \"a\": 2}", wk_errorParse,
     "spheres:2: key \"a\" is there already, in line 1"},
    {"json", "{\"collision_spheres\": {\"leg\": []}}", wk_errorParse,
     "spheres:1: robot \"stack\" has no link \"leg\""},
    {"json", "{\"collision_spheres\":\n{\"arm\":\n{}}}", wk_errorParse,
     "spheres:3: collision_spheres.arm: it is a map, not a list"},
    {"json", "{\"collision_spheres\": \"other.yml\"}", wk_errorUnsupported, "in another file"},
    {"json", "{\"collision_spheres\": []}", wk_errorParse, "it is a list, not a map"},
    {"json", "{\"collision_spheres\": {\"arm\": [{\"radius\": 1}]}}", wk_errorParse,
     "collision_spheres.arm[0]: center is missing"},
    {"json", "{\"collision_spheres\": {\"arm\": [{\"center\": [1, 2], \"radius\": 1}]}}",
     wk_errorParse, "collision_spheres.arm[0].center: 2 numbers instead of 3"},
    {"json", "{\"collision_spheres\": {\"arm\": [{\"center\": [1, 2, 3]},\n{}]}}", wk_errorParse,
     "arm[0]: radius is missing"},
    {"json", "{\"collision_spheres\": {\"arm\": [{\"center\": [1, 2, \"3\"], \"radius\": 1}]}}",
     wk_errorParse, "arm[0].center[2]: \"3\" is not a number"},
    {"json", "{\"collision_spheres\": {\"arm\": [{\"center\": [1, 2, 1e999], \"radius\": 1}]}}",
     wk_errorNotFinite, "arm[0].center[2]: \"1e999\" is not a finite number"},
    {"json", "{\"collision_spheres\": {\"arm\": [{\"center\": [1, 2, 1e99], \"radius\": 1}]}}",
     wk_errorRange, "spheres: sphere model: spheres[0]"},
    {"json", "{\"covering\": 1, \"collision_spheres\": {}}", wk_errorParse,
     "covering: it is neither"},
    {"json", "{\"proof\": \"12\", \"collision_spheres\": {}}", wk_errorParse,
     "proof: expected a digest"},
    {"yaml", "collision_spheres: {arm: [{center: [1, 2, 3], radius: x}]}", wk_errorParse,
     "collision_spheres.arm[0].radius: \"x\" is not a number"},
    {"yaml", "a: 1\n b: 2\n", wk_errorParse, "spheres:2: YAML: "},
    {"yaml", "a: 1\nb: *c\n", wk_errorParse, "spheres:2: YAML: no anchor &c stands before"},
    {"yaml", "a: &b [1, *b]\n", wk_errorParse, "spheres:1: YAML: *b stands for a part of itself"},
    {"yaml", "a: &b [1]\n*b : 2\n", wk_errorParse, "spheres:2: YAML: a key is a list or a map"},
    {"yaml", "a: &b 1\nc: {<<: *b}\n", wk_errorParse, "<< stands for a map or a list of maps"},
    {"yaml",
     "a: &a [1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\n"
     "c: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c]\n"
     "e: &e [*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e]\n"
     "g: [*f,*f,*f,*f,*f,*f,*f,*f]\n",
     wk_errorParse, "spheres:6: YAML: aliases stand for too many values"},
    {"yaml", "a: 1\n---\nb: 2\n", wk_errorParse, "a second document follows"},
    {"yaml", "? [a]\n: 1\n", wk_errorParse, "a key is a list or a map"},
    {"yaml", "a: 1\nb: 2\na: 3\n", wk_errorParse,
     "spheres:3: key \"a\" is there already, in line 1"},
    {"yaml", "", wk_errorParse, "neither collision_spheres nor"},
    {"yaml",
     "collision_sphere_buffer: -2\ncollision_spheres: {arm: [{center: [0, 0, 0], radius: 1}]}",
     wk_errorRange, "radius: radius -1 is negative"},
    {"yaml", "spheres_models:\n- {link_name: arm, auto: true, spheres: []}", wk_errorUnsupported,
     "spheres:2: spheres_models[0].auto"},
    {"yaml", "spheres_models:\n- {link_name: arm, spheres: []}\n- {link_name: arm, spheres: []}",
     wk_errorParse, "spheres:3: link \"arm\" is there already"},
    {"yaml", "spheres_models:\n- {link_name: arm, spheres: [{x: 0, y: 0, radius: 1}]}",
     wk_errorParse, "spheres_models[0].spheres[0]: z is missing"},
    {"yaml", "spheres_models:\n- {link_name: arm, spheres: [{x: 0, y: 0, z: 0, radius: -1}]}",
     wk_errorRange, "is negative"},
    {"urdf", "<robot name='r'>\n<link name='leg'>" SPHERE("0 0 0", "1") "</link></robot>",
     wk_errorParse, "spheres:2: robot \"stack\" has no link \"leg\""},
    {"urdf",
     "<robot name='r'><link name='arm'><collision><geometry>\n<box size='1 1 1'/></geometry>"
     "</collision></link></robot>",
     wk_errorUnsupported, "<box> is no sphere"},
    {"urdf", "<robot name='r'><link name='arm'>" SPHERE("0 0 0", "-1") "</link></robot>",
     wk_errorRange, "radius: -1 is negative"},
    {"urdf", "<robot name='r'><link name='arm'>" SPHERE("0 0", "1") "</link></robot>",
     wk_errorParse, "xyz: 2 numbers instead of 3"},
    {"urdf",
     "<robot name='r'><link name='hand'>" SPHERE("0 0 0", "1") "</link>\n" JOINT(
         "x", "revolute", "arm", "hand", "0 0 1.01") "</robot>",
     wk_errorParse, "spheres:2: joint \"x\": link \"hand\" is not where the robot has it"},
    {"urdf",
     "<robot name='r'><link name='leg'>" SPHERE("0 0 0", "1") "</link>" JOINT(
         "x", "revolute", "arm", "leg", "0 0 1") "</robot>",
     wk_errorParse, "has no link \"leg\""},
    {"urdf",
     "<robot name='r'><link name='leg'>" SPHERE("0 0 0", "1") "</link>" JOINT(
         "x", "fixed", "leg", "leg", "0 0 1") "</robot>",
     wk_errorParse, "has no link \"leg\""},
    {"urdf", "<spheres/>", wk_errorParse, "the root is <spheres>"},
    {"xml", "", wk_errorUnsupported, "format \"xml\" is none of json, yaml, urdf"},
};

static void errors_are_refused_with_their_line(void** state)
{
    (void)state;
    wkRobot* robot = makeStack();
    size_t before = wkGetByteCount();
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        int nothing;
        wkSphereModel* model = (wkSphereModel*)(void*)&nothing;
        wkSphereLoadDef options = wkDefaultSphereLoadDef();
        options.format = refused[i].format;
        if (strcmp(refused[i].format, "xml") != 0 && !readsSphereFormat(refused[i].format)) {
            continue;
        }
        wkResult result = wkSphereModel_Parse(refused[i].text, strlen(refused[i].text), robot,
                                              &options, NULL, &model);
        if (result != refused[i].result || model != NULL ||
            strstr(wkGetLastError(), refused[i].words) == NULL) {
            fail_msg("%s instead of %s with \"%s\": %s\n%s", wkResultName(result),
                     wkResultName(refused[i].result), refused[i].words, wkGetLastError(),
                     refused[i].text);
        }
        assert_int_equal(wkGetByteCount(), before);
    }
    wkRobot_Destroy(robot);
}

static void depth_has_an_end(void** state)
{
    (void)state;
    char text[201];
    memset(text, '[', 200);
    text[200] = '\0';
    wkRobot* robot = makeStack();
    for (int i = 0; i < 2; i++) {
        wkSphereModel* model = NULL;
        wkSphereLoadDef options = wkDefaultSphereLoadDef();
        options.format = formats[i];
        wkResult result = wkSphereModel_Parse(text, 200, robot, &options, NULL, &model);
        assert_true(result == wk_errorUnsupported ||
                    strstr(wkGetLastError(), "nested too deep") != NULL);
    }
    wkRobot_Destroy(robot);
}

// A sphere that is nowhere would never touch anything.
static void spheres_that_are_not_finite_are_refused(void** state)
{
    (void)state;
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    for (int field = 0; field < 4; field++) {
        wkLinkSphere sphere = {.link = 0, .sphere = {{0.1, 0.2, 0.3}, 0.1}};
        double* const fields[] = {&sphere.sphere.center.x, &sphere.sphere.center.y,
                                  &sphere.sphere.center.z, &sphere.sphere.radius};
        *fields[field] = NAN;
        wkSphereModel* model = NULL;
        assert_int_equal(wkSphereModel_Create(robot, &sphere, 1, &model), wk_errorNotFinite);
        assert_null(model);
    }
    wkRobot_Destroy(robot);
}

static void missing_arguments_are_reported(void** state)
{
    (void)state;
    wkRobot* robot = makeStack();
    wkSphereModel* model = NULL;
    wkSphereLoadDef zero = {0};
    assert_int_equal(wkSphereModel_Load(NULL, robot, NULL, NULL, &model), wk_errorArgument);
    assert_int_equal(wkSphereModel_Load("x.json", NULL, NULL, NULL, &model), wk_errorArgument);
    assert_int_equal(wkSphereModel_Load("x.json", robot, NULL, NULL, NULL), wk_errorArgument);
    assert_int_equal(wkSphereModel_Load("x.json", robot, &zero, NULL, &model), wk_errorArgument);
    assert_int_equal(wkSphereModel_Parse(NULL, 1, robot, NULL, NULL, &model), wk_errorArgument);
    assert_int_equal(wkSphereModel_Load("/nowhere/x.json", robot, NULL, NULL, &model),
                     wk_errorFile);
    assert_int_equal(wkSphereModel_Save("x.json", NULL), wk_errorArgument);
    assert_int_equal(wkSphereModel_Create(robot, NULL, 0, &model), wk_ok);
    assert_int_equal(wkSphereModel_Save("x.txt", model), wk_errorUnsupported);
    assert_int_equal(wkSphereModel_Save("/nowhere/x.json", model), wk_errorFile);
    wkSphereModel_Destroy(model);
    wkRobot_Destroy(robot);
}

static void loading_survives_a_failing_allocator(void** state)
{
    (void)state;
    failing counted = {0, -1, 0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &counted};
    wkSetAllocator(&allocator);
    wkRobot* robot = makeStack();
    size_t before = wkGetByteCount();
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        wkSphereLoadDef options = wkDefaultSphereLoadDef();
        options.format = forms[i].format;
        counted.failAt = -1;
        if (!readsSphereFormat(forms[i].format)) {
            continue;
        }
        wkResult result = wk_errorMemory;
        int n = 0;
        for (; result == wk_errorMemory; n++) {
            wkSphereModel* model = NULL;
            counted.callCount = 0;
            counted.failAt = n;
            result = wkSphereModel_Parse(forms[i].text, strlen(forms[i].text), robot, &options,
                                         NULL, &model);
            assert_true((result == wk_ok) == (model != NULL));
            wkSphereModel_Destroy(model);
            assert_int_equal(wkGetByteCount(), before);
        }
        assert_int_equal(result, wk_ok);
        assert_true(n >= 3);
    }
    counted.failAt = -1;
    wkRobot_Destroy(robot);
    wkSetAllocator(NULL);
}

// Anchors and aliases, of values, lists and maps, and maps that take over keys of others.
static void aliases_stand_for_what_they_mark(void** state)
{
    (void)state;
    static const char* const files[2] = {
        "size: &size 0.25\nplaces:\n  - &up [0, 0, 0.5]\nstandard: &standard {radius: 0.125}\n"
        "collision_spheres:\n  a: &list\n  - {center: *up, radius: *size}\n"
        "  - {<<: *standard, center: [1, 2, 3]}\n"
        "  - {<<: [{radius: 7}, *standard], center: *up, radius: 0.75}\n  i: *list\n",
        "collision_spheres:\n  a:\n  - {center: [0, 0, 0.5], radius: 0.25}\n"
        "  - {center: [1, 2, 3], radius: 0.125}\n  - {center: [0, 0, 0.5], radius: 0.75}\n"
        "  i:\n  - {center: [0, 0, 0.5], radius: 0.25}\n"
        "  - {center: [1, 2, 3], radius: 0.125}\n  - {center: [0, 0, 0.5], radius: 0.75}\n"};
    if (!readsSphereFormat("yaml")) {
        skip();
    }
    wkRobot* robot = makeRobot();
    wkSphereModel* models[2] = {NULL, NULL};
    wkSphereLoadDef options = wkDefaultSphereLoadDef();
    options.format = "yaml";
    for (int i = 0; i < 2; i++) {
        if (wkSphereModel_Parse(files[i], strlen(files[i]), robot, &options, NULL, &models[i]) !=
            wk_ok) {
            fail_msg("%s", wkGetLastError());
        }
    }
    expectSameSpheres(models[0], models[1]);
    wkSphereModel_Destroy(models[0]);
    wkSphereModel_Destroy(models[1]);
    wkRobot_Destroy(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aliases_stand_for_what_they_mark),
        cmocka_unit_test(what_is_written_comes_back_bit_by_bit),
        cmocka_unit_test(a_robot_written_as_spheres_moves_as_before),
        cmocka_unit_test(every_form_means_the_same),
        cmocka_unit_test(claims_of_a_file_are_reported_and_not_believed),
        cmocka_unit_test(errors_are_refused_with_their_line),
        cmocka_unit_test(depth_has_an_end),
        cmocka_unit_test(spheres_that_are_not_finite_are_refused),
        cmocka_unit_test(missing_arguments_are_reported),
        cmocka_unit_test(loading_survives_a_failing_allocator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
