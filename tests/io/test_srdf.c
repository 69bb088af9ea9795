// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Known answers of SRDF, and that what is saved is read back the same.

#include "urdf_kit.h"

#include "whisker/allowed.h"

#include <stdlib.h>

// A torso with two arms of two links and a hand each; the left hand has two fingers.
static const char urdf[] = ROBOT(
    LINK("base") LINK("torso") LINK("l1") LINK("l2") LINK("hand") LINK("f1") LINK("f2") LINK("r1")
        LINK("r2") JOINT("lift", "prismatic", "base", "torso", "<limit upper='1'/>")
            JOINT("jl1", "continuous", "torso", "l1", "") JOINT("jl2", "continuous", "l1", "l2", "")
                JOINT("wrist", "fixed", "l2", "hand", "")
                    JOINT("jf1", "prismatic", "hand", "f1", "<limit upper='1'/>") JOINT(
                        "jf2", "prismatic", "hand", "f2", "<mimic joint='jf1'/><limit upper='1'/>")
                        JOINT("jr1", "floating", "torso", "r1", "")
                            JOINT("jr2", "planar", "r1", "r2", ""));

// "a b c" of the names of a group's joints with variables, or of its links.
static void nameVariables(const wkRobot* robot, wkGroupInfo group, char* words, size_t capacity)
{
    words[0] = '\0';
    for (int32_t i = 0; i < group.variableCount; i++) {
        size_t length = strlen(words);
        snprintf(words + length, capacity - length, "%s%s", i > 0 ? " " : "",
                 wkRobot_Variable(robot, group.variables[i]).name);
    }
}

static void nameLinks(const wkRobot* robot, wkGroupInfo group, char* words, size_t capacity)
{
    words[0] = '\0';
    for (int32_t i = 0; i < group.linkCount; i++) {
        size_t length = strlen(words);
        snprintf(words + length, capacity - length, "%s%s", i > 0 ? " " : "",
                 wkRobot_Link(robot, group.links[i]).name);
    }
}

static const struct {
    const char* members;
    const char* variables;
    const char* links;
} groups[] = {
    {"", "", ""},
    {"<joint name='lift'/>", "lift", "torso"},
    {"<link name='l2'/>", "jl2", "l2"},
    {"<link name='base'/>", "", "base"},
    {"<link name='f2'/>", "", "f2"},
    {"<chain base_link='torso' tip_link='hand'/>", "jl1 jl2", "l1 l2 hand"},
    {"<chain base_link='base' tip_link='f1'/>", "lift jl1 jl2 jf1", "torso l1 l2 hand f1"},
    {"<chain base_link='torso' tip_link='torso'/>", "", ""},
    {"<chain base_link='f1' tip_link='l1'/>", "jl2 jf1", "l2 hand f1"},
    {"<chain base_link='f1' tip_link='f2'/>", "jf1", "f1 f2"},
    {"<joint name='jl2'/><joint name='jl1'/><joint name='jl2'/>", "jl1 jl2", "l1 l2"},
    {"<group name='other'/><link name='torso'/>", "lift jl1", "torso l1"},
    {"<link name='absent'/><joint name='none'/><group name='none'/><joint name='jl1'/>", "jl1",
     "l1"},
    {"<chain base_link='absent' tip_link='hand'/>", "", ""},
    {"<joint name='world'/>", "", ""},
};

static void groups_have_what_their_members_bring(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        char srdf[512], words[256];
        snprintf(srdf, sizeof srdf,
                 "<robot name='r'><group name='g'>%s</group><group name='other'>"
                 "<joint name='jl1'/></group><virtual_joint name='world' type='planar' "
                 "parent_frame='odom' child_link='base'/></robot>",
                 groups[i].members);
        wkRobot* robot = mustParse(urdf, srdf, NULL, NULL);
        wkGroupInfo group = wkRobot_Group(robot, wkRobot_FindGroup(robot, "g"));
        nameVariables(robot, group, words, sizeof words);
        assert_string_equal(words, groups[i].variables);
        nameLinks(robot, group, words, sizeof words);
        assert_string_equal(words, groups[i].links);
        wkRobot_Destroy(robot);
    }
}

static void states_set_all_variables_of_their_joints(void** state)
{
    (void)state;
    static const char srdf[] =
        ROBOT("<group name='g'><joint name='lift'/></group>"
              "<group_state name='home' group='g'><joint name='jr2' value='1 2 3'/>"
              "<joint name='lift' value=' 0.5 '/><joint name='wrist' value='7'/>"
              "<joint name='jf2' value='8'/><joint name='gone' value='9'/>"
              "<joint name='jr1' value='1 2 3 0 0 0 1'/></group_state>"
              "<group_state name='home' group='gone'/>"
              "<group_state name='home'><joint name='jl1' value='-1'/></group_state>");
    wkRobotLoadInfo report;
    wkRobotLoadDef options = wkDefaultRobotLoadDef();
    wkRobot* robot = mustParse(urdf, srdf, &options, &report);
    assert_int_equal(wkRobot_Info(robot).stateCount, 2);
    double q[64];
    wkRobot_DefaultConfiguration(robot, q);
    int32_t home = wkRobot_FindNamedState(robot, wkRobot_FindGroup(robot, "g"), "home");
    assert_int_equal(wkRobot_ApplyNamedState(robot, home, q), wk_ok);
    expectNear(q[wkRobot_FindVariable(robot, "lift")], 0.5);
    int32_t planar = jointOf(robot, "jr2").firstVariable;
    expectNear(q[planar], 1);
    expectNear(q[planar + 2], 3);
    int32_t floating = jointOf(robot, "jr1").firstVariable;
    expectNear(q[floating + 1], 2);
    expectNear(q[floating + 6], 1);
    assert_int_equal(report.warningCount, 3); // the joint and the group that are gone; no shapes
    assert_non_null(strstr(report.warning, "\"gone\""));
    wkRobot_Destroy(robot);
}

static void end_effectors_name_group_and_link(void** state)
{
    (void)state;
    static const char srdf[] =
        ROBOT("<group name='arm'/><group name='grip'/>"
              "<end_effector name='e' parent_link='hand' group='grip' parent_group='arm'/>"
              "<end_effector name='f' parent_link='hand' group='grip'/>"
              "<end_effector name='g' parent_link='none' group='grip'/>"
              "<end_effector name='h' parent_link='hand' group='none'/>");
    wkRobot* robot = mustParse(urdf, srdf, NULL, NULL);
    assert_int_equal(wkRobot_Info(robot).endEffectorCount, 2);
    wkEndEffectorInfo endEffector = wkRobot_EndEffector(robot, 0);
    assert_string_equal(endEffector.name, "e");
    assert_int_equal(endEffector.group, wkRobot_FindGroup(robot, "grip"));
    assert_int_equal(endEffector.parentGroup, wkRobot_FindGroup(robot, "arm"));
    assert_int_equal(endEffector.parentLink, wkRobot_FindLink(robot, "hand"));
    assert_int_equal(wkRobot_EndEffector(robot, 1).parentGroup, -1);
    wkRobot_Destroy(robot);
}

static bool isDisabled(const wkRobot* robot, const char* nameA, const char* nameB)
{
    int32_t a = wkRobot_FindLink(robot, nameA), b = wkRobot_FindLink(robot, nameB);
    for (int32_t i = 0; i < wkRobot_Info(robot).disabledPairCount; i++) {
        wkDisabledPairInfo pair = wkRobot_DisabledPair(robot, i);
        if ((pair.linkA == a && pair.linkB == b) || (pair.linkA == b && pair.linkB == a)) {
            return true;
        }
    }
    return false;
}

static void pairs_are_disabled_once(void** state)
{
    (void)state;
    static const char srdf[] =
        ROBOT("<disable_collisions link1='l1' link2='base' reason='Never'/>"
              "<disable_collisions link1='base' link2='l1' reason='Always'/>"
              "<disable_collisions link1='base' link2='torso'/>"
              "<disable_collisions link1='base' link2='absent'/>"
              "<disable_collisions link1='absent' link2='none'/>"
              "<disable_collisions link1='base' link2='base'/>"
              "<disable_default_collisions link='hand'/><disable_default_collisions link='absent'/>"
              "<enable_collisions link1='r2' link2='hand'/>"
              "<enable_collisions link1='base' link2='torso'/>");
    wkRobotLoadInfo report;
    wkRobotLoadDef options = wkDefaultRobotLoadDef();
    wkRobot* robot = mustParse(urdf, srdf, &options, &report);
    assert_int_equal(report.unknownPairCount, 2);
    assert_int_equal(wkRobot_Info(robot).disabledPairCount, 2 + 7);
    assert_string_equal(wkRobot_DisabledPair(robot, 0).reason, "Never");
    assert_true(isDisabled(robot, "base", "torso")); // by name: no default that may be taken back
    assert_true(isDisabled(robot, "hand", "l1"));
    assert_false(isDisabled(robot, "hand", "r2"));
    assert_false(isDisabled(robot, "r1", "r2"));
    wkRobot_Destroy(robot);
}

static void virtual_joints_move_the_root_where_asked(void** state)
{
    (void)state;
    static const char srdf[] =
        ROBOT("<virtual_joint name='other' type='fixed' parent_frame='x' child_link='l1'/>"
              "<virtual_joint name='world' type='planar' parent_frame='odom' child_link='base'/>"
              "<group name='g'><joint name='world'/></group>"
              "<group_state name='s' group='g'><joint name='world' value='1 2 3'/></group_state>");
    wkRobotLoadDef options = wkDefaultRobotLoadDef();
    wkRobot* robot = mustParse(urdf, srdf, &options, NULL);
    int32_t variableCount = wkRobot_Info(robot).variableCount;
    assert_int_equal(wkRobot_FindJoint(robot, "world"), -1);
    wkRobot_Destroy(robot);
    options.addsVirtualJoint = true;
    robot = mustParse(urdf, srdf, &options, NULL);
    assert_int_equal(wkRobot_Info(robot).variableCount, variableCount + 3);
    assert_string_equal(wkRobot_Link(robot, 0).name, "odom");
    assert_string_equal(wkRobot_Variable(robot, 0).name, "world/x");
    assert_int_equal(wkRobot_Group(robot, 0).variableCount, 3);
    double q[64];
    wkRobot_DefaultConfiguration(robot, q);
    assert_int_equal(wkRobot_ApplyNamedState(robot, 0, q), wk_ok);
    wkPose poses[16];
    wkRobot_LinkPoses(robot, wkIdentityPose(), q, poses);
    expectVector(poses[wkRobot_FindLink(robot, "base")].position, 1, 2, 0);
    wkRobot_Destroy(robot);

    static const char* const refused[][2] = {
        {ROBOT(""), "no virtual joint carries the root link \"base\""},
        {ROBOT("<virtual_joint name='w' type='sphere' parent_frame='o' child_link='base'/>"),
         "type \"sphere\" is none of fixed"},
        {ROBOT("<virtual_joint name='w' type='fixed' parent_frame='l1' child_link='base'/>"),
         "has a link \"l1\" or a joint of that name"},
        {ROBOT("<virtual_joint name='lift' type='fixed' parent_frame='o' child_link='base'/>"),
         "or a joint of that name"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        const char* text = refused[i][0];
        assert_int_equal(
            wkRobot_Parse(urdf, strlen(urdf), text, strlen(text), &options, NULL, &robot),
            wk_errorParse);
        assert_non_null(strstr(wkGetLastError(), refused[i][1]));
    }
}

static void another_robot_is_reported(void** state)
{
    (void)state;
    wkRobotLoadInfo report;
    wkRobotLoadDef options = wkDefaultRobotLoadDef();
    wkRobot_Destroy(mustParse(urdf, "<robot name='s'/>", &options, &report));
    assert_int_equal(report.warningCount, 2); // and that links have no shapes
    assert_non_null(strstr(report.warning, "describes \"r\""));
    wkRobot_Destroy(mustParse(urdf, "<robot name='r'/>", &options, &report));
    assert_int_equal(report.warningCount, 1);
    assert_non_null(strstr(report.warning, "links have no collision shape"));
}

static void expectSameNumbers(const int32_t* a, int32_t aCount, const int32_t* b, int32_t bCount)
{
    assert_int_equal(aCount, bCount);
    assert_memory_equal(a, b, (size_t)aCount * sizeof *a);
}

static void expectSame(const wkRobot* a, const wkRobot* b)
{
    wkRobotInfo info = wkRobot_Info(a), other = wkRobot_Info(b);
    assert_int_equal(info.groupCount, other.groupCount);
    assert_int_equal(info.stateCount, other.stateCount);
    assert_int_equal(info.endEffectorCount, other.endEffectorCount);
    assert_int_equal(info.disabledPairCount, other.disabledPairCount);
    for (int32_t i = 0; i < info.groupCount; i++) {
        wkGroupInfo g = wkRobot_Group(a, i), h = wkRobot_Group(b, i);
        assert_string_equal(g.name, h.name);
        expectSameNumbers(g.variables, g.variableCount, h.variables, h.variableCount);
        expectSameNumbers(g.links, g.linkCount, h.links, h.linkCount);
    }
    for (int32_t i = 0; i < info.stateCount; i++) {
        wkNamedStateInfo s = wkRobot_NamedState(a, i), t = wkRobot_NamedState(b, i);
        assert_string_equal(s.name, t.name);
        assert_int_equal(s.group, t.group);
        expectSameNumbers(s.variables, s.count, t.variables, t.count);
        assert_memory_equal(s.values, t.values, (size_t)s.count * sizeof *s.values);
    }
    for (int32_t i = 0; i < info.endEffectorCount; i++) {
        wkEndEffectorInfo e = wkRobot_EndEffector(a, i), f = wkRobot_EndEffector(b, i);
        assert_string_equal(e.name, f.name);
        assert_true(e.group == f.group && e.parentLink == f.parentLink &&
                    e.parentGroup == f.parentGroup);
    }
    for (int32_t i = 0; i < info.disabledPairCount; i++) {
        wkDisabledPairInfo p = wkRobot_DisabledPair(a, i), q = wkRobot_DisabledPair(b, i);
        assert_true(p.linkA == q.linkA && p.linkB == q.linkB);
        assert_string_equal(p.reason, q.reason);
    }
}

static wkRobot* loadWith(const char* text, const char* srdfPath)
{
    const char* path = wkTestPath("saved.urdf");
    wkWriteFile(path, text, strlen(text));
    wkRobotLoadDef options = wkDefaultRobotLoadDef();
    options.srdf = srdfPath;
    options.allowsEmpty = true;
    wkRobot* robot = NULL;
    if (wkRobot_Load(path, &options, NULL, &robot) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return robot;
}

static void what_is_saved_is_read_back(void** state)
{
    (void)state;
    static const char srdf[] = ROBOT(
        "<group name='arm &amp; &quot;hand&quot;'><chain base_link='base' tip_link='f2'/></group>"
        "<group name='none'/><group name='root'><link name='base'/></group>"
        "<group_state name='&lt;a&gt;' group='none'><joint name='lift' value='0.1'/>"
        "<joint name='jr2' value='1e-300 -0.30000000000000004 3'/></group_state>"
        "<group_state name='all'><joint name='jl2' value='2'/></group_state>"
        "<end_effector name='e' parent_link='hand' group='none' parent_group='root'/>"
        "<end_effector name='f' parent_link='hand' group='none'/>"
        "<disable_collisions link1='base' link2='l1' reason='Never'/>"
        "<disable_collisions link1='base' link2='torso'/>");
    wkRobot* robot = mustParse(urdf, srdf, NULL, NULL);
    const char* path = wkTestPath("saved.srdf");
    assert_int_equal(wkRobot_SaveSrdf(path, robot, NULL), wk_ok);
    wkRobot* again = loadWith(urdf, path);
    expectSame(robot, again);
    wkRobot_Destroy(again);
    assert_int_equal(wkRobot_SaveSrdf("/none/at/all.srdf", robot, NULL), wk_errorFile);
    wkRobot_Destroy(robot);
    wkRemoveFiles();
    assert_int_equal(wkGetByteCount(), 0);
}

static void sampled_pairs_are_saved(void** state)
{
    (void)state;
    wkRobot* robot = mustParse(urdf, NULL, NULL, NULL);
    size_t count = (size_t)wkRobot_Info(robot).linkCount;
    wkAllowedReason* reasons = calloc(count * count, sizeof *reasons);
    assert_non_null(reasons);
    reasons[0 * count + 2] = reasons[2 * count + 0] = wk_reasonNever;
    reasons[3 * count + 4] = reasons[4 * count + 3] = wk_reasonAdjacent;
    reasons[1 * count + 4] = reasons[4 * count + 1] = wk_reasonProven;
    const char* path = wkTestPath("sampled.srdf");
    assert_int_equal(wkRobot_SaveSrdf(path, robot, reasons), wk_ok);
    wkRobot* again = loadWith(urdf, path);
    assert_int_equal(wkRobot_Info(again).disabledPairCount, 3);
    wkDisabledPairInfo pair = wkRobot_DisabledPair(again, 0);
    assert_true(pair.linkA == 0 && pair.linkB == 2);
    assert_string_equal(pair.reason, "Never");
    assert_string_equal(wkRobot_DisabledPair(again, 1).reason, "Never");
    assert_string_equal(wkRobot_DisabledPair(again, 2).reason, "Adjacent");
    char text[2048] = "";
    FILE* file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(text, 1, sizeof text - 1, file) > 0);
    fclose(file);
    assert_non_null(strstr(text, "reason=\"Never\" evidence=\"sampled\""));
    assert_non_null(strstr(text, "reason=\"Never\" evidence=\"proven\""));
    assert_non_null(strstr(text, "reason=\"Adjacent\"/>"));
    wkRobot_Destroy(again);
    wkRobot_Destroy(robot);
    free(reasons);
    wkRemoveFiles();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups_have_what_their_members_bring),
        cmocka_unit_test(states_set_all_variables_of_their_joints),
        cmocka_unit_test(end_effectors_name_group_and_link),
        cmocka_unit_test(pairs_are_disabled_once),
        cmocka_unit_test(virtual_joints_move_the_root_where_asked),
        cmocka_unit_test(another_robot_is_reported),
        cmocka_unit_test(what_is_saved_is_read_back),
        cmocka_unit_test(sampled_pairs_are_saved),
    };
    return cmocka_run_group_tests_name("io.srdf", tests, NULL, NULL);
}
