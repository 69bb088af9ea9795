// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// What is no robot is refused, with its line; and no text, however broken, does harm.

#include "urdf_kit.h"

#include "whisker/detail/counts.h"

#include <stdlib.h>

typedef struct badText {
    const char* text;
    wkResult result;
    const char* words;
} badText;

#define TWO LINK("a") LINK("b")

// clang-format off
static const badText badUrdfs[] = {
    {"",                                            wk_errorParse, "urdf:1: XML: no element found"},
    {"hello",                                       wk_errorParse, "urdf:1: XML: "},
    {"<robot name='r'>\n<link name='a'></robot>",   wk_errorParse, "urdf:2: XML: mismatched tag"},
    {"<robot name='r' name='s'/>",                  wk_errorParse, "duplicate attribute"},
    {"<?xml version='1.0' encoding='EBCDIC'?><r/>", wk_errorParse, "urdf:1: XML: unknown encoding"},
    {"<robot name='r'>\n<link name='\xff\xfe'/></robot>", wk_errorParse, "urdf:2: XML: not well-formed"},
    {"<!DOCTYPE r [\n<!ENTITY a 'b'>]><robot name='&a;'/>", wk_errorParse, "urdf:2: entities are not read"},
    {"<robot name='&none;'/>",                      wk_errorParse, "undefined entity"},
    {"\n<sdf/>",                                    wk_errorParse, "urdf:2: the root is <sdf>"},
    {"<robot><link name='a'/></robot>",             wk_errorParse, "urdf:1: robot \"\": attribute name is missing"},
    {"<robot name='r'></robot>",                    wk_errorParse, "robot \"r\": it has no links"},
    {ROBOT("<link/>"),                              wk_errorParse, "urdf:2: link \"\": attribute name is missing"},
    {ROBOT("<link name=''/>"),                      wk_errorParse, "attribute name is empty"},
    {ROBOT(LINK("a") "\n" LINK("a")),               wk_errorParse, "urdf:4: link \"a\": line 2 has a link of that name"},
    {ROBOT(TWO "<joint type='fixed'><parent link='a'/><child link='b'/></joint>"), wk_errorParse, "urdf:4: joint \"\": attribute name"},
    {ROBOT(TWO "<joint name='j'><parent link='a'/><child link='b'/></joint>"), wk_errorParse, "attribute type is missing"},
    {ROBOT(TWO JOINT("j", "screw", "a", "b", "")),  wk_errorParse, "type \"screw\" is none of revolute"},
    {ROBOT(TWO JOINT("j", "fixed", "c", "b", "")),  wk_errorParse, "urdf:4: <parent> of joint \"j\": there is no link \"c\""},
    {ROBOT(TWO JOINT("j", "fixed", "a", "c", "")),  wk_errorParse, "<child> of joint \"j\": there is no link \"c\""},
    {ROBOT(TWO "<joint name='j' type='fixed'><child link='b'/></joint>"), wk_errorParse, "joint \"j\": it has no <parent>"},
    {ROBOT(TWO "<joint name='j' type='fixed'><parent link='b'/></joint>"), wk_errorParse, "joint \"j\": it has no <child>"},
    {ROBOT(TWO "<joint name='j' type='fixed'><parent link='a'/><child/></joint>"), wk_errorParse, "<child> of joint \"j\": attribute link is missing"},
    {ROBOT(TWO JOINT("j", "revolute", "a", "b", "")), wk_errorParse, "urdf:4: joint \"j\": a revolute joint needs a <limit>"},
    {ROBOT(TWO JOINT("j", "prismatic", "a", "b", "")), wk_errorParse, "a prismatic joint needs a <limit>"},
    {ROBOT(TWO JOINT("j", "revolute", "a", "b", "\n<limit lower='2' upper='1'/>")), wk_errorParse, "urdf:5: <limit> of joint \"j\": lower limit 2 and upper limit 1 leave no interval"},
    {ROBOT(TWO JOINT("j", "revolute", "a", "b", "<limit lower='nan'/>")), wk_errorParse, "lower: \"nan\" is not a finite number"},
    {ROBOT(TWO JOINT("j", "revolute", "a", "b", "<limit lower='inf' upper='inf'/>")), wk_errorParse, "leave no interval"},
    {ROBOT(TWO JOINT("j", "revolute", "a", "b", "<limit lower='-0,5'/>")), wk_errorParse, "lower: \"-0,5\" is not a number"},
    {ROBOT(TWO JOINT("j", "continuous", "a", "b", "<axis xyz='0 0 0'/>")), wk_errorParse, "<axis> of joint \"j\": xyz: an axis of length 0"},
    {ROBOT(TWO JOINT("j", "continuous", "a", "b", "<axis xyz='0 1'/>")), wk_errorParse, "xyz: 2 numbers instead of 3"},
    {ROBOT(TWO JOINT("j", "continuous", "a", "b", "<axis xyz='0 1 0 1'/>")), wk_errorParse, "xyz: 4 numbers instead of 3"},
    {ROBOT(TWO JOINT("j", "fixed", "a", "b", "<origin xyz='1 2 inf'/>")), wk_errorParse, "xyz: \"inf\" is not a finite number"},
    {ROBOT(TWO JOINT("j", "fixed", "a", "b", "<origin rpy='1 2 x'/>")), wk_errorParse, "rpy: \"x\" is not a number"},
    {ROBOT(TWO JOINT("j", "fixed", "a", "b", "<origin quat_xyzw='0 0 0 0'/>")), wk_errorParse, "its numbers give no pose"},
    {ROBOT(TWO JOINT("j", "continuous", "a", "b", "<mimic/>")), wk_errorParse, "<mimic> of joint \"j\": attribute joint is missing"},
    {ROBOT(TWO JOINT("j", "continuous", "a", "b", "<mimic joint='k'/>")), wk_errorParse, "there is no joint \"k\""},
    {ROBOT(TWO JOINT("j", "continuous", "a", "b", "<mimic joint='j'/>")), wk_errorParse, "in a circle"},
    {ROBOT(TWO JOINT("j", "floating", "a", "b", "<mimic joint='j'/>")), wk_errorParse, "a floating joint cannot follow"},
    {ROBOT(TWO LINK("c") JOINT("j", "continuous", "a", "b", "<mimic joint='k'/>") JOINT("k", "fixed", "a", "c", "")), wk_errorParse, "\"k\" is fixed: there is nothing to follow"},
    {ROBOT(TWO LINK("c") JOINT("j", "continuous", "a", "b", "<mimic joint='k'/>") JOINT("k", "continuous", "a", "c", "<mimic joint='j'/>")), wk_errorParse, "<mimic> of joint \"j\": joints follow each other in a circle"},
    {ROBOT(TWO),                                    wk_errorParse, "urdf:3: link \"b\": no joint carries it, nor link \"a\" (line 2): two roots"},
    {ROBOT(TWO LINK("c") JOINT("j", "fixed", "a", "b", "") JOINT("j", "fixed", "a", "c", "")), wk_errorParse, "urdf:6: joint \"j\": line 5 has a joint of that name"},
    {ROBOT(TWO JOINT("j", "fixed", "a", "b", "") JOINT("k", "fixed", "a", "b", "")), wk_errorParse, "urdf:5: joint \"k\": joint \"j\" (line 4) carries link \"b\" already"},
    {ROBOT(TWO JOINT("j", "fixed", "a", "b", "") JOINT("k", "fixed", "b", "a", "")), wk_errorParse, "joints go round from link \"a\" back to it"},
    {ROBOT(LINK("a") JOINT("j", "fixed", "a", "a", "")), wk_errorParse, "joints go round from link \"a\""},
    {ROBOT(LINK("r") TWO JOINT("j", "fixed", "a", "b", "") JOINT("k", "fixed", "b", "a", "")), wk_errorParse, "joints go round"},
    {ROBOT(BODY("a", "<cone radius='1'/>")),        wk_errorUnsupported, "urdf:2: <geometry> of link \"a\": <cone> is none of box"},
    {ROBOT(BODY("a", "<box/>")),                    wk_errorParse, "<box> of link \"a\": attribute size is missing"},
    {ROBOT(BODY("a", "<box size='1 -1 1'/>")),      wk_errorParse, "<box> of link \"a\": "},
    {ROBOT(BODY("a", "<box size='1 1e70 1'/>")),    wk_errorParse, "<box> of link \"a\": "},
    {ROBOT(BODY("a", "<sphere radius=''/>")),       wk_errorParse, "attribute radius is empty"},
    {ROBOT(BODY("a", "<sphere radius='1 2'/>")),    wk_errorParse, "radius: 2 numbers instead of 1"},
    {ROBOT(BODY("a", "<cylinder radius='1'/>")),    wk_errorParse, "attribute length is missing"},
    {ROBOT(BODY("a", "<mesh/>")),                   wk_errorParse, "attribute filename is missing"},
    {ROBOT(BODY("a", "<mesh filename='a.stl' scale='1 0 1'/>")), wk_errorParse, "<mesh> of link \"a\": scale: 1 0 1 leaves nothing"},
    {ROBOT(BODY("a", "\n<mesh filename='none/at all.stl'/>")), wk_errorFile, "urdf:3: <mesh> of link \"a\": no file \"none/at all.stl\" in . and above"},
    {ROBOT(BODY("a", "<mesh filename='/none/at all.stl'/>")), wk_errorFile, "no file \"/none/at all.stl\""},
    {ROBOT(BODY("a", "<mesh filename='package://none/x.stl'/>")), wk_errorFile, "with and without \"none\""},
    {ROBOT(BODY("a", "<mesh filename='https://x.org/x.stl'/>")), wk_errorUnsupported, "none of package://, file:// and a path"},
    {ROBOT("<xacro:property name='x' value='1'/>"), wk_errorUnsupported, "urdf:2: <xacro:property> is xacro, not URDF; expand it first: xacro urdf -o urdf.urdf"},
};

static const char goodUrdf[] =
    ROBOT(LINK("a") LINK("b") LINK("c") JOINT("j", "continuous", "a", "b", "")
          JOINT("k", "floating", "b", "c", ""));

static const badText badSrdfs[] = {
    {"",                                               wk_errorParse, "srdf:1: XML: no element"},
    {"<group/>",                                       wk_errorParse, "srdf:1: the root is <group>"},
    {ROBOT("<group/>"),                                wk_errorParse, "srdf:2: group \"\": attribute name"},
    {ROBOT("<group name='g'/>\n<group name='g'/>"),    wk_errorParse, "srdf:3: group \"g\": line 2 has a group of that name"},
    {ROBOT("<group name='g'><group name='g'/></group>"), wk_errorParse, "<group> of group \"g\": group \"g\" holds itself"},
    {ROBOT("<group name='g'><group name='h'/></group><group name='h'><group name='g'/></group>"), wk_errorParse, "holds itself"},
    {ROBOT("<group name='g'><chain base_link='a'/></group>"), wk_errorParse, "<chain> of group \"g\": attribute tip_link"},
    {ROBOT("<group name='g'><link/></group>"),         wk_errorParse, "<link> of group \"g\": attribute name"},
    {ROBOT("<group_state/>"),                          wk_errorParse, "attribute name"},
    {ROBOT("<group_state name='s'><joint name='j'/></group_state>"), wk_errorParse, "<joint> of group_state \"s\": attribute value"},
    {ROBOT("<group_state name='s'><joint name='j' value='1 2'/></group_state>"), wk_errorParse, "value: 2 numbers instead of 1"},
    {ROBOT("<group_state name='s'><joint name='k' value='1 2'/></group_state>"), wk_errorParse, "value: 2 numbers instead of 7"},
    {ROBOT("<group_state name='s'/>\n<group_state name='s'/>"), wk_errorParse, "srdf:3: group_state \"s\": group \"\" has a state of that name"},
    {ROBOT("<end_effector name='e' parent_link='a'/>"), wk_errorParse, "end_effector \"e\": attribute group"},
    {ROBOT("<virtual_joint/>"),                        wk_errorParse, "virtual_joint \"\": attribute name"},
    {ROBOT("<disable_collisions link1='a'/>"),         wk_errorParse, "disable_collisions \"\": attribute link2"},
};
// clang-format on

static void broken_texts_are_refused_and_say_where(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof badUrdfs / sizeof badUrdfs[0]; i++) {
        expectRefused(badUrdfs[i].text, NULL, badUrdfs[i].result, badUrdfs[i].words);
    }
    for (size_t i = 0; i < sizeof badSrdfs / sizeof badSrdfs[0]; i++) {
        expectRefused(goodUrdf, badSrdfs[i].text, badSrdfs[i].result, badSrdfs[i].words);
    }
}

static void deep_nesting_is_refused(void** state)
{
    (void)state;
    wkBytes text = {0};
    wkBytes_Print(&text, "<robot name='r'><link name='a'/>");
    for (int i = 0; i < 50000; i++) {
        wkBytes_Print(&text, "<x>");
    }
    wkBytes_Add(&text, "", 1);
    expectRefused((const char*)text.data, NULL, wk_errorParse, "nested too deep");
    wkBytes_Free(&text);
}

// Would expand to a thousand million words.
static void bombs_of_entities_are_refused(void** state)
{
    (void)state;
    wkBytes text = {0};
    wkBytes_Print(&text, "<?xml version='1.0'?><!DOCTYPE r [<!ENTITY e0 'ha'>");
    for (int i = 1; i < 10; i++) {
        wkBytes_Print(&text, "<!ENTITY e%d '&e%d;&e%d;&e%d;&e%d;&e%d;&e%d;&e%d;&e%d;'>", i, i - 1,
                      i - 1, i - 1, i - 1, i - 1, i - 1, i - 1, i - 1);
    }
    wkBytes_Print(&text, "]><robot name='&e9;'/>");
    wkBytes_Add(&text, "", 1);
    expectRefused((const char*)text.data, NULL, wk_errorParse, "entities are not read");
    wkBytes_Free(&text);
}

// Groups of groups of groups, each of which has all links; and every pair by default.
static void large_products_are_refused(void** state)
{
    (void)state;
    const int count = 3000;
    wkBytes urdf = {0}, srdf = {0};
    wkBytes_Print(&urdf, "<robot name='r'><link name='root'/>");
    wkBytes_Print(&srdf, "<robot name='r'>");
    for (int i = 0; i < count; i++) {
        wkBytes_Print(&urdf,
                      "<link name='l%d'/><joint name='j%d' type='fixed'>"
                      "<parent link='root'/><child link='l%d'/></joint>",
                      i, i, i);
        wkBytes_Print(&srdf, "<disable_default_collisions link='l%d'/>", i);
    }
    wkBytes_Print(&urdf, "</robot>");
    wkBytes_Print(&srdf, "</robot>");
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_Parse((const char*)urdf.data, urdf.count, (const char*)srdf.data,
                                   srdf.count, NULL, NULL, &robot),
                     wk_errorRange);
    srdf.count = 0;
    wkBytes_Print(&srdf, "<robot name='r'>");
    for (int i = 0; i < 6 * count; i++) {
        wkBytes_Print(&srdf, "<group name='g%d'><group name='g%d'/></group>", i, i + 1);
    }
    wkBytes_Print(&srdf, "</robot>");
    assert_int_equal(wkRobot_Parse((const char*)urdf.data, urdf.count, (const char*)srdf.data,
                                   srdf.count, NULL, NULL, &robot),
                     wk_errorRange);
    assert_non_null(strstr(wkGetLastError(), "too many times"));
    assert_int_equal(wkGetByteCount(), 0);
    wkBytes_Free(&urdf);
    wkBytes_Free(&srdf);
}

static const char fullUrdf[] =
    ROBOT(BODY("a", "<box size='1 2 3'/>") BODY("b", "<sphere radius='1'/>") LINK("c") JOINT(
        "j", "revolute", "a", "b", "<origin xyz='1 2 3' rpy='1 2 3'/><limit lower='-1' upper='1'/>")
              JOINT("k", "prismatic", "b", "c",
                    "<axis xyz='0 1 0'/><mimic joint='j'/><limit upper='1'/>"));

static const char fullSrdf[] = ROBOT(
    "<group name='g'><chain base_link='a' tip_link='c'/></group><group name='h'><link name='b'/>"
    "<joint name='k'/><group name='g'/></group><group_state name='s' group='g'>"
    "<joint name='j' value='.5'/></group_state><end_effector name='e' parent_link='b' group='h'"
    " parent_group='g'/><virtual_joint name='v' type='planar' parent_frame='w' child_link='a'/>"
    "<disable_collisions link1='a' link2='b' reason='Adjacent'/>");

// Whatever is parsed is a robot, or is refused with words; and nothing is left behind.
static void parseAnything(const char* urdf, size_t urdfCount, const char* srdf, size_t srdfCount)
{
    wkRobotLoadDef options = wkDefaultRobotLoadDef();
    options.skipsMeshes = true;
    wkRobot* robot = NULL;
    wkResult result = wkRobot_Parse(urdf, urdfCount, srdf, srdfCount, &options, NULL, &robot);
    assert_int_equal(result == wk_ok, robot != NULL);
    assert_true(result == wk_ok || wkGetLastError()[0] != '\0');
    wkRobot_Destroy(robot);
    assert_int_equal(wkGetByteCount(), 0);
}

// Copies to the heap, so that a read behind the end is seen.
static void parseCopies(const char* urdf, size_t urdfCount, const char* srdf, size_t srdfCount)
{
    char* urdfCopy = malloc(urdfCount + 1);
    char* srdfCopy = malloc(srdfCount + 1);
    assert_non_null(urdfCopy);
    assert_non_null(srdfCopy);
    memcpy(urdfCopy + 1, urdf, urdfCount);
    memcpy(srdfCopy + 1, srdf, srdfCount);
    parseAnything(urdfCopy + 1, urdfCount, srdfCopy + 1, srdfCount);
    free(urdfCopy);
    free(srdfCopy);
}

static void texts_of_every_length_do_no_harm(void** state)
{
    (void)state;
    size_t urdfCount = strlen(fullUrdf), srdfCount = strlen(fullSrdf);
    wkRobot_Destroy(mustParse(fullUrdf, fullSrdf, NULL, NULL));
    for (size_t count = 0; count < urdfCount; count++) {
        parseCopies(fullUrdf, count, fullSrdf, srdfCount);
    }
    for (size_t count = 0; count < srdfCount; count++) {
        parseCopies(fullUrdf, urdfCount, fullSrdf, count);
    }
}

static void spoilt_bytes_do_no_harm(void** state)
{
    (void)state;
    static const char others[] = "\0<>\"'= /a9-.&\xff";
    char urdf[sizeof fullUrdf], srdf[sizeof fullSrdf];
    memcpy(urdf, fullUrdf, sizeof urdf);
    memcpy(srdf, fullSrdf, sizeof srdf);
    for (size_t at = 0; at + 1 < sizeof urdf; at++) {
        for (size_t i = 0; i + 1 < sizeof others; i++) {
            urdf[at] = others[i];
            parseAnything(urdf, sizeof urdf - 1, NULL, 0);
        }
        urdf[at] = fullUrdf[at];
    }
    for (size_t at = 0; at + 1 < sizeof srdf; at++) {
        for (size_t i = 0; i + 1 < sizeof others; i++) {
            srdf[at] = others[i];
            parseAnything(fullUrdf, sizeof fullUrdf - 1, srdf, sizeof srdf - 1);
        }
        srdf[at] = fullSrdf[at];
    }
}

static void bad_options_are_refused(void** state)
{
    (void)state;
    wkRobot* robot = NULL;
    wkRobotLinkDef link = {"absent", 0.0, 1.0, wk_robotMeshSurface};
    wkRobotPackage package = {"p", NULL};
    const wkRobotLoadDef plain = wkDefaultRobotLoadDef();
    wkRobotLoadDef rows[9];
    static const wkResult expected[9] = {wk_errorArgument, wk_errorRange,    wk_errorRange,
                                         wk_errorRange,    wk_errorRange,    wk_errorArgument,
                                         wk_errorArgument, wk_errorArgument, wk_errorArgument};
    for (int i = 0; i < 9; i++) {
        rows[i] = plain;
    }
    rows[0].cookie = 0;
    rows[1].scale = 0.0;
    rows[2].padding = NAN;
    rows[3].scale = INFINITY;
    rows[4].mode = WK_ROBOT_MESH_MODE_COUNT;
    rows[5].linkCount = 1;
    rows[6].links = &link;
    rows[6].linkCount = 1;
    rows[7].packages = &package;
    rows[7].packageCount = 1;
    rows[8].addsVirtualJoint = true;
    for (int i = 0; i < 9; i++) {
        wkResult result =
            wkRobot_Parse(goodUrdf, strlen(goodUrdf), NULL, 0, &rows[i], NULL, &robot);
        if (result != expected[i]) {
            fail_msg("row %d: %s", i, wkGetLastError());
        }
        assert_null(robot);
    }
    assert_int_equal(wkRobot_Parse(NULL, 0, NULL, 0, NULL, NULL, &robot), wk_errorArgument);
    assert_int_equal(wkRobot_Load(NULL, NULL, NULL, &robot), wk_errorArgument);
    assert_int_equal(wkRobot_Load("/none.urdf", NULL, NULL, &robot), wk_errorFile);
    assert_int_equal(wkRobot_Load("/tmp", NULL, NULL, &robot), wk_errorFile);
    assert_int_equal(wkRobot_SaveSrdf(NULL, NULL, NULL), wk_errorArgument);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_texts_are_refused_and_say_where),
        cmocka_unit_test(deep_nesting_is_refused),
        cmocka_unit_test(bombs_of_entities_are_refused),
        cmocka_unit_test(large_products_are_refused),
        cmocka_unit_test(texts_of_every_length_do_no_harm),
        cmocka_unit_test(spoilt_bytes_do_no_harm),
        cmocka_unit_test(bad_options_are_refused),
    };
    return cmocka_run_group_tests_name("io.urdf_hostile", tests, NULL, NULL);
}
