// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Known answers of URDF: every type of joint and shape, what is optional, and what is skipped.

#include "urdf_kit.h"

static void every_type_of_joint_is_read(void** state)
{
    (void)state;
    static const char urdf[] =
        ROBOT(LINK("base") LINK("a") LINK("b") LINK("c") LINK("d") LINK("e") LINK("f")
                  JOINT("revolute", "revolute", "base", "a",
                        "<origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/><axis xyz='0 0 2'/>"
                        "<limit lower='-1' upper='2.5' effort='1' velocity='1'/>")
                      JOINT("continuous", "continuous", "base", "b", "<axis xyz='0 3 4'/>")
                          JOINT("prismatic", "prismatic", "base", "c", "<limit upper='.5'/>")
                              JOINT("fixed", "fixed", "base", "d", "<axis xyz='0 0 0'/>")
                                  JOINT("planar", "planar", "base", "e", "")
                                      JOINT("floating", "floating", "base", "f", ""));
    wkRobot* robot = mustParse(urdf, NULL, NULL, NULL);
    static const struct {
        const char* name;
        int32_t variableCount;
        wkVec3d axis;
        double lower, upper;
    } rows[] = {
        {"revolute", 1, {0, 0, 1}, -1, 2.5},
        {"continuous", 1, {0, 0.6, 0.8}, -INFINITY, INFINITY},
        {"prismatic", 1, {1, 0, 0}, 0, 0.5},
        {"fixed", 0, {0, 0, 1}, 0, 0},
        {"planar", 3, {0, 0, 1}, -INFINITY, INFINITY},
        {"floating", 7, {0, 0, 1}, -INFINITY, INFINITY},
    };
    int32_t variableCount = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        wkJointInfo joint = jointOf(robot, rows[i].name);
        assert_string_equal(wkJointTypeName(joint.type), rows[i].name);
        assert_int_equal(joint.variableCount, rows[i].variableCount);
        expectVector(joint.axis, rows[i].axis.x, rows[i].axis.y, rows[i].axis.z);
        variableCount += joint.variableCount;
        if (joint.variableCount > 0 && joint.type != wk_jointFloating) {
            wkVariableInfo variable = wkRobot_Variable(robot, joint.firstVariable);
            assert_true(variable.lower == rows[i].lower && variable.upper == rows[i].upper);
        }
    }
    wkJointInfo turned = jointOf(robot, "revolute");
    expectVector(turned.origin.position, 1, 2, 3);
    wkVec3d x = {1.0, 0.0, 0.0};
    expectVector(wkRotateVector(turned.origin, x), 0, 1, 0);
    assert_int_equal(wkRobot_Info(robot).variableCount, variableCount);
    assert_string_equal(wkRobot_Info(robot).name, "r");
    wkRobot_Destroy(robot);
    assert_int_equal(wkGetByteCount(), 0);
}

// Files without a known velocity often have 0, which would be a joint that never moves.
static void velocities_are_read_where_they_are_known(void** state)
{
    (void)state;
    static const char urdf[] =
        ROBOT(LINK("base") LINK("a") LINK("b") LINK("c")
                  JOINT("known", "revolute", "base", "a", "<limit upper='1' velocity='2.5'/>")
                      JOINT("zero", "prismatic", "base", "b", "<limit upper='1' velocity='0'/>")
                          JOINT("continuous", "continuous", "base", "c", "<limit velocity='3'/>"));
    wkRobot* robot = mustParse(urdf, NULL, NULL, NULL);
    assert_true(wkRobot_Variable(robot, wkRobot_FindVariable(robot, "known")).velocity == 2.5);
    assert_true(wkRobot_Variable(robot, wkRobot_FindVariable(robot, "zero")).velocity == INFINITY);
    assert_true(wkRobot_Variable(robot, wkRobot_FindVariable(robot, "continuous")).velocity == 3.0);
    wkRobot_Destroy(robot);
}

static void joints_follow_others(void** state)
{
    (void)state;
    static const char urdf[] = ROBOT(
        LINK("base") LINK("a") LINK("b") LINK("c") JOINT("first", "prismatic", "base", "a",
                                                         "<limit lower='0' upper='1'/>")
            JOINT("second", "prismatic", "base", "b",
                  "<mimic joint='first' multiplier='-2' offset='.5'/><limit lower='-9' upper='9'/>")
                JOINT("third", "continuous", "base", "c", "<mimic joint='first'/>"));
    wkRobot* robot = mustParse(urdf, NULL, NULL, NULL);
    assert_int_equal(wkRobot_Info(robot).variableCount, 1);
    wkJointInfo second = jointOf(robot, "second"), third = jointOf(robot, "third");
    assert_int_equal(second.mimic, wkRobot_FindJoint(robot, "first"));
    expectNear(second.mimicFactor, -2);
    expectNear(second.mimicOffset, 0.5);
    expectNear(third.mimicFactor, 1);
    expectNear(third.mimicOffset, 0);
    wkRobot_Destroy(robot);
}

static void every_shape_is_read(void** state)
{
    (void)state;
    static const char urdf[] =
        "<robot name='r'><link name='base'>"
        "<collision name='first'><origin xyz='1 0 0'/><geometry><box size='1 2 3'/></geometry>"
        "</collision>"
        "<collision><geometry><cylinder radius='.5' length='2'/></geometry></collision>"
        "<collision><geometry><sphere radius='0.25'/></geometry></collision>"
        "<collision><geometry><capsule radius='1' length='3'/></geometry></collision>"
        "</link></robot>";
    wkRobot* robot = mustParse(urdf, NULL, NULL, NULL);
    assert_int_equal(wkRobot_Info(robot).bodyCount, 4);
    wkBodyInfo box = wkRobot_Body(robot, 0), cylinder = wkRobot_Body(robot, 1);
    wkBodyInfo sphere = wkRobot_Body(robot, 2), capsule = wkRobot_Body(robot, 3);
    assert_int_equal(box.shape->type, wk_shapeBox);
    expectVector(box.shape->box.half, 0.5, 1, 1.5);
    expectVector(box.pose.position, 1, 0, 0);
    assert_string_equal(box.name, "first");
    assert_int_equal(cylinder.shape->type, wk_shapeCylinder);
    expectNear(cylinder.shape->cylinder.radius, 0.5);
    expectNear(cylinder.shape->cylinder.halfLength, 1);
    assert_string_equal(cylinder.name, "");
    assert_int_equal(sphere.shape->type, wk_shapeSphere);
    expectNear(sphere.shape->sphere.radius, 0.25);
    assert_int_equal(capsule.shape->type, wk_shapeCapsule);
    expectNear(capsule.shape->capsule.halfLength, 1.5);
    wkRobot_Destroy(robot);
}

static void padding_and_scale_are_those_of_the_link(void** state)
{
    (void)state;
    static const char urdf[] = ROBOT(BODY("base", "<box size='2 2 2'/>") BODY(
        "a", "<cylinder radius='1' length='2'/>") JOINT("j", "fixed", "base", "a", ""));
    wkRobotLinkDef own = {"a", 0.02, 0.5, wk_robotMeshHull};
    wkRobotLoadDef options = wkDefaultRobotLoadDef();
    options.padding = 0.01;
    options.scale = 2.0;
    options.links = &own;
    options.linkCount = 1;
    wkRobot* robot = mustParse(urdf, NULL, &options, NULL);
    const wkShape* box = bodyOf(robot, "base").shape;
    const wkShape* cylinder = bodyOf(robot, "a").shape;
    expectVector(box->box.half, 2, 2, 2);
    expectNear(box->padding, 0.01);
    expectNear(cylinder->cylinder.radius, 0.5);
    expectNear(cylinder->cylinder.halfLength, 0.5);
    expectNear(cylinder->padding, 0.02);
    wkRobot_Destroy(robot);
}

static void visual_shapes_stand_in_where_asked(void** state)
{
    (void)state;
    static const char urdf[] =
        "<robot name='r'>"
        "<link name='both'><visual><geometry><box size='1 1 1'/></geometry></visual>"
        "<collision><geometry><sphere radius='1'/></geometry></collision></link>"
        "<link name='seen'><visual><geometry><sphere radius='1'/></geometry></visual></link>"
        "<joint name='j' type='fixed'><parent link='both'/><child link='seen'/></joint></robot>";
    wkRobotLoadDef options = wkDefaultRobotLoadDef();
    for (int usesVisual = 0; usesVisual < 2; usesVisual++) {
        options.usesVisual = usesVisual != 0;
        wkRobot* robot = mustParse(urdf, NULL, &options, NULL);
        assert_int_equal(wkRobot_Info(robot).bodyCount, 1 + usesVisual);
        assert_int_equal(bodyOf(robot, "both").shape->type, wk_shapeSphere);
        wkRobot_Destroy(robot);
    }
}

// Files as others write them.
static const char* const oddTexts[] = {
    "\xef\xbb\xbf<?xml version='1.0' encoding='UTF-8'?><robot name='r'><link "
    "name='\xc3\xa4'/></robot>",
    "\n\n  <?xml version='1.0'?>\n<robot name='r'><link name='a'/></robot>\n\n",
    "<!-- first --><robot name='r'><!-- a -- b --><link name='a'/></robot>",
    "<robot name='r'><link name='a'/><![CDATA[ <link name='b'/> ]]></robot>",
    "<?xml version='1.0' encoding='ISO-8859-1'?><robot name='r'><link name='\xe4'/></robot>",
    "<!DOCTYPE robot><robot name='r' xmlns:xacro='http://ros.org/wiki/xacro'><link "
    "name='a'/></robot>",
    "<robot name='r' version='1.0'><link name='a' type='x'><inertial><mass value='nan'/></inertial>"
    "<contact/><self_collision_checking/></link><material name='red'/><gazebo reference='a'>"
    "<joint/></gazebo><transmission name='t'><joint name='none'/></transmission><sensor/>"
    "<something><link/></something></robot>",
    "<robot name='r'><link name='a'><collision><origin xyz='  1. .5\t+1e-3  ' /><geometry>"
    "<box size=' 1 1\n1 '/></geometry></collision></link></robot>",
    "<robot name='r'><link name='a'><collision><origin rpy='0 0 0'/><geometry><blob/>"
    "<sphere radius='1'/></geometry></collision></link></robot>",
};

static void odd_files_are_read(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof oddTexts / sizeof oddTexts[0]; i++) {
        const char* text = oddTexts[i];
        wkRobot* robot = NULL;
        if (strstr(text, "a -- b") != NULL) {
            // two dashes in a comment are not XML
            assert_int_equal(wkRobot_Parse(text, strlen(text), NULL, 0, NULL, NULL, &robot),
                             wk_errorParse);
            continue;
        }
        robot = mustParse(text, NULL, NULL, NULL);
        assert_int_equal(wkRobot_Info(robot).linkCount, 1);
        const char* name = wkRobot_Link(robot, 0).name;
        assert_true(strcmp(name, "a") == 0 || strcmp(name, "\xc3\xa4") == 0);
        wkRobot_Destroy(robot);
    }
}

static void numbers_are_read_in_all_their_forms(void** state)
{
    (void)state;
    wkRobot* robot = mustParse(oddTexts[7], NULL, NULL, NULL);
    expectVector(bodyOf(robot, "a").pose.position, 1, 0.5, 0.001);
    wkRobot_Destroy(robot);
    static const char turned[] =
        "<robot name='r'><link name='a'><collision><origin quat_xyzw='0 0 2 0'/><geometry>"
        "<sphere radius='1'/></geometry></collision></link></robot>";
    robot = mustParse(turned, NULL, NULL, NULL);
    wkVec3d x = {1.0, 0.0, 0.0};
    expectVector(wkRotateVector(bodyOf(robot, "a").pose, x), -1, 0, 0);
    wkRobot_Destroy(robot);
}

static void limits_may_be_infinite(void** state)
{
    (void)state;
    static const char urdf[] = ROBOT(
        LINK("a") LINK("b") JOINT("j", "revolute", "a", "b", "<limit lower='-inf' upper='inf'/>"));
    wkRobot* robot = mustParse(urdf, NULL, NULL, NULL);
    assert_true(wkRobot_Variable(robot, 0).lower == -INFINITY);
    assert_true(wkRobot_Variable(robot, 0).upper == INFINITY);
    wkRobot_Destroy(robot);
}

static void collisions_without_geometry_are_reported(void** state)
{
    (void)state;
    static const char urdf[] = "<robot name='r'>\n<link name='a'>\n<collision/>\n"
                               "<collision><geometry/></collision></link></robot>";
    wkRobotLoadInfo report;
    wkRobotLoadDef options = wkDefaultRobotLoadDef();
    wkRobot* robot = mustParse(urdf, NULL, &options, &report);
    assert_int_equal(wkRobot_Info(robot).bodyCount, 0);
    assert_int_equal(report.warningCount, 3); // and that the link has no shape
    assert_non_null(strstr(report.warning, "urdf:3: <collision>"));
    assert_true(report.seconds >= 0.0 && report.seconds < 60.0);
    wkRobot_Destroy(robot);
}

// What has shrunk to nothing touches nothing: a robot without its shapes would be free everywhere.
static void paddings_leave_something(void** state)
{
    (void)state;
    static const char urdf[] = ROBOT(BODY("arm", "<box size=\"0.2 0.2 0.4\"/>"));
    wkRobot* robot = NULL;
    wkRobotLoadDef options = wkDefaultRobotLoadDef();
    options.padding = -0.05;
    assert_int_equal(wkRobot_Parse(urdf, sizeof urdf - 1, NULL, 0, &options, NULL, &robot), wk_ok);
    wkRobot_Destroy(robot);
    options.padding = -0.15;
    assert_int_equal(wkRobot_Parse(urdf, sizeof urdf - 1, NULL, 0, &options, NULL, &robot),
                     wk_errorRange);
    assert_null(robot);
    assert_non_null(strstr(wkGetLastError(), "-0.15 m leaves nothing of a shape of link \"arm\""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_of_joint_is_read),
        cmocka_unit_test(velocities_are_read_where_they_are_known),
        cmocka_unit_test(joints_follow_others),
        cmocka_unit_test(every_shape_is_read),
        cmocka_unit_test(padding_and_scale_are_those_of_the_link),
        cmocka_unit_test(paddings_leave_something),
        cmocka_unit_test(visual_shapes_stand_in_where_asked),
        cmocka_unit_test(odd_files_are_read),
        cmocka_unit_test(numbers_are_read_in_all_their_forms),
        cmocka_unit_test(limits_may_be_infinite),
        cmocka_unit_test(collisions_without_geometry_are_reported),
    };
    return cmocka_run_group_tests_name("io.urdf", tests, NULL, NULL);
}
