// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Worlds of MoveIt and SDF: what files say arrives, what is wrong or not understood is refused with its
// place and name, and no cut, no wrong byte and no missing memory does harm.

#include "../memory/failing.h"
#include "io_kit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static wkResult parse(const char* text, size_t length, const char* format, wkWorldData** world)
{
    wkWorldLoadDef options = wkDefaultWorldLoadDef();
    options.format = format;
    options.name = "w";
    options.folder = "/nowhere";
    return wkWorldData_Parse(text, length, &options, world);
}

// Builds may lack expat or libyaml.
static bool reads(const char* format)
{
    wkWorldData* world = NULL;
    wkResult result = parse("<", 1, format, &world);
    assert_null(world);
    return result != wk_errorUnsupported;
}

static wkWorldData* mustParse(const char* text, const char* format)
{
    wkWorldData* world = NULL;
    if (parse(text, strlen(text), format, &world) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return world;
}

// A box of 1 x 2 x 3 at (1, 2, 3.5), turned by a quarter about z, and a sphere, in all formats.
#define QUARTER "0 0 0.7071067811865476 0.7071067811865476"
#define QUARTER_LIST "[0, 0, 0.7071067811865476, 0.7071067811865476]"
static const struct {
    const char* format;
    const char* text;
} sameWorlds[] = {
    {"scene", "(noname)+\n* my box\n1\nbox\n1 2 3\n1 2 3.5\n" QUARTER "\n0 0 0 0\n"
              "* sphere\n1\nsphere\n0.25\n0 0 2\n0 0 0 1\n0 0 0 0\n.\n"},
    {"scene",
     "a\n* my box\n1 2 3\n" QUARTER "\n1\nbox\n1 2 3\n0 0 0.5\n0 0 0 1\n0 0 0 0\n1\ntip\n"
     "0 0 0\n0 0 0 1\n* sphere\n0 0 0\n0 0 0 1\n1\nsphere\n0.25\n0 0 2\n0 0 0 1\n0 0 0 0\n0\n"
     ".\n"},
    {"yaml", "world:\n  collision_objects:\n  - id: my box\n    primitives:\n"
             "    - {type: box, dimensions: [1, 2, 3]}\n    primitive_poses:\n"
             "    - {position: [1, 2, 3.5], orientation: " QUARTER_LIST "}\n  - id: sphere\n"
             "    header: {frame_id: up}\n    primitives: [{type: 2, dimensions: [0.25]}]\n"
             "fixed_frame_transforms:\n- child_frame_id: up\n"
             "  transform: {translation: {x: 0, y: 0, z: 2}, rotation: [0, 0, 0, 1]}\n"},
    {"sdf", "<sdf version='1.7'><world name='w'><frame name='f'><pose>0 0 0.5 0 0 0</pose></frame>"
            "<model name='my box'><pose relative_to='f'>1 2 0 0 0 90</pose></model></world></sdf>"},
    {"sdf",
     "<sdf version='1.7'><world name='w'><frame name='f'><pose>1 2 3 0 0 0</pose></frame>"
     "<model name='my box'><static>true</static><pose relative_to='f' degrees='true'>0 0 0 0 0 "
     "90</pose><link name='a'/><link name='b'><pose relative_to='a'>0 0 .25 0 0 0</pose>"
     "<collision name='c'><pose>0 0 .25 0 0 0</pose><geometry><box><size>1 2 3</size></box>"
     "</geometry></collision></link></model><model name='sphere'><pose>0 0 2 0 0 0</pose>"
     "<link name='l'><collision name='c'><geometry><sphere><radius>0.25</radius></sphere>"
     "</geometry></collision></link></model></world></sdf>"},
};

static void expectNear(wkVec3d is, double x, double y, double z)
{
    if (fabs(is.x - x) + fabs(is.y - y) + fabs(is.z - z) > 1e-12) {
        fail_msg("(%g, %g, %g) instead of (%g, %g, %g)", is.x, is.y, is.z, x, y, z);
    }
}

static void one_world_in_all_formats(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sameWorlds / sizeof sameWorlds[0]; i++) {
        if (i == 3 || !reads(sameWorlds[i].format)) {
            continue; // that one has no shapes
        }
        wkWorldData* world = mustParse(sameWorlds[i].text, NULL);
        assert_string_equal(world->format, sameWorlds[i].format);
        assert_int_equal(world->objectCount, 2);
        const wkWorldObject* box = &world->objects[0];
        assert_string_equal(box->name, "my box");
        assert_int_equal(box->shapes[0].type, wk_shapeBox);
        wkPose pose = wkMulPose(box->pose, box->poses[0]);
        expectNear(pose.position, 1.0, 2.0, 3.5);
        expectNear(wkRotateVector(pose, (wkVec3d){1.0, 0.0, 0.0}), 0.0, 1.0, 0.0);
        const wkWorldObject* sphere = &world->objects[1];
        assert_string_equal(sphere->name, "sphere");
        assert_int_equal(sphere->shapes[0].type, wk_shapeSphere);
        expectNear(wkMulPose(sphere->pose, sphere->poses[0]).position, 0.0, 0.0, 2.0);
        wkWorldData_Destroy(world);
    }
    assert_true(wkGetByteCount() == 0);
}

// Objects without shapes are left out, and that is said.
static void nothing_is_lost_in_silence(void** state)
{
    (void)state;
    if (!reads("sdf")) {
        skip();
    }
    wkWorldData* world = mustParse(sameWorlds[3].text, NULL);
    assert_int_equal(world->objectCount, 0);
    assert_non_null(strstr(world->warning, "my box has no collision shapes"));
    wkWorldData_Destroy(world);
    world = mustParse("<sdf version='1.6'><model name='m'><link name='l'><visual name='v'/></link>"
                      "</model></sdf>",
                      NULL);
    assert_int_equal(world->warningCount, 2);
    assert_non_null(strstr(world->warning, "link \"l\" has visuals and no collision"));
    wkWorldData_Destroy(world);
}

// Keeps whether a warning names the gap that was closed.
static void keepGap(const char* words, void* context)
{
    *(bool*)context |= strstr(words, "gaps of up to ") != NULL;
}

// A tetrahedron whose faces have vertices of their own, one of them a little aside.
static void closed_gaps_are_said(void** state)
{
    (void)state;
    char text[800];
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text,
                 "a\n* b\n1\nmesh\n12 4\n0 0 0\n0 1 0\n1 0 0\n0 0 0\n1 0 0\n0 0 1\n"
                 "0 0 0\n0 0 1\n0 1 0\n1 0 0\n0 1 0\n0 0 %s\n0 1 2\n3 4 5\n6 7 8\n9 10 11\n"
                 "0 0 0\n0 0 0 1\n0 0 0 0\n.\n",
                 i == 0 ? "1" : "1.000004");
        bool isSaid = false;
        wkWorldLoadDef options = wkDefaultWorldLoadDef();
        options.format = "scene";
        options.warn = keepGap;
        options.warnContext = &isSaid;
        wkWorldData* world = NULL;
        assert_int_equal(wkWorldData_Parse(text, strlen(text), &options, &world), wk_ok);
        assert_int_equal(isSaid, i == 1);
        wkWorldData_Destroy(world);
    }
}

static void rules_reach_the_scene(void** state)
{
    (void)state;
    static const char text[] =
        "allowed_collision_matrix:\n  entry_names: [base_link, a, torso_link]\n"
        "  entry_values: [[false, true, false], {enabled: [true, false, false]},"
        " [false, false, false]]\n"
        "world: {collision_objects: [{id: a, primitives: [{type: sphere, "
        "dimensions: [0.1]}]}]}\n";
    if (!reads("yaml")) {
        skip();
    }
    wkWorldData* world = mustParse(text, NULL);
    assert_int_equal(world->ruleCount, 3);
    assert_true(world->rules[0].isAllowed && !world->rules[1].isAllowed);
    wkRobot* robot = NULL;
    wkRobotScene* scene = NULL;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.robot = robot;
    assert_int_equal(wkRobotScene_Create(&def, &scene), wk_ok);
    assert_int_equal(wkWorldData_AddTo(world, scene), wk_ok);
    const wkAllowed* allowed = wkRobotScene_Allowed(scene);
    assert_int_equal(wkAllowed_Get(allowed, "base_link", "a", NULL, NULL), wk_ruleAllowed);
    assert_int_equal(wkAllowed_Get(allowed, "base_link", "torso_link", NULL, NULL), wk_ruleChecked);
    assert_int_equal(wkRobotScene_Count(scene), 1);
    // the name is taken: nothing is added
    assert_int_equal(wkWorldData_AddTo(world, scene), wk_errorArgument);
    assert_int_equal(wkRobotScene_Count(scene), 1);
    assert_int_equal(wkWorldData_AddTo(NULL, scene), wk_errorArgument);
    wkRobotScene_Destroy(scene);
    wkRobot_Destroy(robot);
    wkWorldData_Destroy(world);
}

#define OBJECT "world:\n  collision_objects:\n  - id: a\n    "
#define LINK(text)                                                                                 \
    "<sdf version='1.7'><world name='w'><model name='m'>\n<link name='l'>" text                    \
    "</link></model></world></sdf>"
#define GEOMETRY(text) LINK("<collision name='c'><geometry>\n" text "</geometry></collision>")

static const struct {
    const char* format;
    const char* text;
    wkResult result;
    const char* words;
} bad[] = {
    {"scene", "a\n* b\n1\nbox\n1 2 x\n", wk_errorParse, "w:5: box: \"x\" is not a finite number"},
    {"scene", "a\n* b\n1\nbox\n1 2\n", wk_errorParse, "box: the file ends here"},
    {"scene", "a\n* b\n1\ntorus\n1 2\n", wk_errorUnsupported, "w:4: \"torus\" is none of box"},
    {"scene", "a\n* b\n1\nbox\n1 2 -3\n0 0 0\n0 0 0 1\n0 0 0 0\n.\n", wk_errorRange, "w:4: "},
    {"scene", "a\n* b\n1\nbox\n1 2 3\n0 0 0\n0 0 0 2\n0 0 0 0\n.\n", wk_errorRange,
     "w:6: the quaternion is not of length 1"},
    {"scene", "a\n* b\n1\nmesh\n1 1000000\n0 0 0\n", wk_errorParse,
     "w:5: mesh: triangles: 1e+06 is no number"},
    {"scene", "a\n* b\n1\nmesh\n3 1\n0 0 0\n1 0 0\n0 1 0\n0 1 3\n", wk_errorParse,
     "w:9: mesh: 3 is not the index of one of 3 vertices"},
    {"scene", "a\n* b\n1.5\n", wk_errorParse, "w:3: shapes: 1.5 is no number"},
    {"scene", "a\n*\n1\n", wk_errorParse, "an object has no name"},
    {"scene", "a\n* b\n0\n", wk_errorParse, "the file ends before the point"},
    {"scene", "a\n* b\n0\nbox\n", wk_errorParse, "w:4: \"box\" is neither * nor ."},
    {"yaml", "objects: []\n", wk_errorUnsupported,
     "w:1: objects: this member of a planning scene is not supported"},
    {"yaml", "name: a\n", wk_errorParse, "world is missing"},
    {"yaml", OBJECT "primitives: [{type: torus, dimensions: [1]}]\n", wk_errorUnsupported,
     "collision_objects[0].primitives[0].type: \"torus\" is none of box"},
    {"yaml", OBJECT "primitives: [{type: box, dimensions: [1, 2]}]\n", wk_errorParse,
     "2 numbers, expected 3"},
    {"yaml", OBJECT "primitives: [{type: sphere, dimensions: [-1]}]\n", wk_errorRange, "w:4: "},
    {"yaml", OBJECT "primitves: []\n", wk_errorUnsupported,
     "primitves: this member of a collision object is not supported"},
    {"yaml", OBJECT "operation: 1\n", wk_errorUnsupported, "operation: only 0"},
    {"yaml", OBJECT "header: {frame_id: camera}\n", wk_errorUnsupported, "\"camera\" is neither"},
    {"yaml", OBJECT "meshes: [{resource: 'package://a/b.stl'}]\n", wk_errorFile, "no file"},
    {"yaml",
     OBJECT "primitives: [{type: sphere, dimensions: [1]}]\n    primitive_poses: [{}, {}]\n",
     wk_errorParse, "2 poses for 1 primitives"},
    {"yaml", "world: {octomap: {octomap: {data: [1, 2]}}}\n", wk_errorUnsupported,
     "world.octomap.octomap.data: it is not read"},
    {"yaml", "world: {}\nrobot_state: {attached_collision_objects: [{link_name: a}]}\n",
     wk_errorUnsupported, "w:2: robot_state.attached_collision_objects: it is not read"},
    {"yaml", "world: {}\nlink_padding: [{link_name: a, padding: 0.1}]\n", wk_errorUnsupported,
     "padding is 0.1"},
    {"yaml",
     "world: {}\nallowed_collision_matrix: {entry_names: [a, b], entry_values: [[false, true], "
     "[false, false]]}\n",
     wk_errorParse, "row 2 and column 2 of the matrix differ"},
    {"yaml", "world: {}\nallowed_collision_matrix: {entry_names: [a], entry_values: []}\n",
     wk_errorParse, "0 rows for 1 names"},
    {"sdf", "<robot name='r'/>", wk_errorUnsupported, "w:1: the root is <robot>, not <sdf>"},
    {"sdf", "<sdf version='1.7'/>", wk_errorUnsupported, "0 worlds and 0 models"},
    {"sdf", "<sdf><world name='w'>\n<actor name='a'/></world></sdf>", wk_errorUnsupported,
     "w:2: <actor>"},
    {"sdf", "<sdf><world name='w'>\n<state world_name='w'/></world></sdf>", wk_errorUnsupported,
     "poses of a saved simulation"},
    {"sdf", LINK("<pose>1 2 3</pose>"), wk_errorParse, "text: 3 numbers instead of 6"},
    {"sdf", LINK("<pose relative_to='x'>0 0 0 0 0 0</pose>"), wk_errorUnsupported,
     "no frame \"x\" is in the same model"},
    {"sdf", LINK("<pose relative_to='l'>0 0 0 0 0 0</pose>"), wk_errorUnsupported, "never end"},
    {"sdf", LINK("<collision name='c'/>"), wk_errorParse, "<geometry> is missing"},
    {"sdf", LINK("<colision name='c'/>"), wk_errorUnsupported, "<colision>"},
    {"sdf", GEOMETRY("<heightmap/>"), wk_errorUnsupported, "<heightmap> is none of box"},
    {"sdf", GEOMETRY("<box/>"), wk_errorParse, "w:3: <box> of world \"w\": <size> is missing"},
    {"sdf", GEOMETRY("<box><size>1 1 -1</size></box>"), wk_errorRange, "w:3: "},
    {"sdf", GEOMETRY("<sphere><radius>x</radius></sphere>"), wk_errorParse,
     "\"x\" is not a number"},
    {"sdf", GEOMETRY("<mesh><uri>model://a/b.stl</uri></mesh>"), wk_errorFile, "no file"},
    {"sdf", GEOMETRY("<mesh><uri>a.stl</uri><submesh/></mesh>"), wk_errorUnsupported, "<submesh>"},
    {"sdf", "<sdf><world name='w'>\n<include><uri>model://sun</uri></include></world></sdf>",
     wk_errorFile, "w:2: <uri> of world \"w\": no file \"model://sun/model.sdf\""},
    {"sdf", "<sdf><world name='w'><include><uri>https://a/b</uri></include></world></sdf>",
     wk_errorUnsupported, "is none of package://"},
    {NULL, "", wk_errorParse, "it is empty"},
    {"json", "{}", wk_errorArgument, "format \"json\" is none of sdf, scene, yaml"},
};

static void what_is_wrong_is_named(void** state)
{
    (void)state;
    int wrongCount = 0;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        if (bad[i].format != NULL && !reads(bad[i].format)) {
            continue;
        }
        wkWorldData* world = NULL;
        wkResult result = parse(bad[i].text, strlen(bad[i].text), bad[i].format, &world);
        assert_null(world);
        if (result != bad[i].result || strstr(wkGetLastError(), bad[i].words) == NULL) {
            print_error("%s\n%d: %s\ninstead of %d: %s\n", bad[i].text, (int)result,
                        wkGetLastError(), (int)bad[i].result, bad[i].words);
            wrongCount++;
        }
    }
    assert_int_equal(wrongCount, 0);
    assert_true(wkGetByteCount() == 0);
}

// A file that is cut off anywhere, or has a wrong byte, does no harm.
static void cuts_and_wrong_bytes_do_no_harm(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sameWorlds / sizeof sameWorlds[0]; i++) {
        size_t length = strlen(sameWorlds[i].text);
        char* text = malloc(length + 1);
        memcpy(text, sameWorlds[i].text, length + 1);
        for (size_t at = 0; at < length; at++) {
            wkWorldData* world = NULL;
            parse(text, at, sameWorlds[i].format, &world);
            wkWorldData_Destroy(world);
            world = NULL;
            text[at] = (char)(text[at] ^ 0x11);
            parse(text, length, sameWorlds[i].format, &world);
            wkWorldData_Destroy(world);
            text[at] = (char)(text[at] ^ 0x11);
        }
        free(text);
    }
    assert_true(wkGetByteCount() == 0);
}

static void no_memory_is_no_harm(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sameWorlds / sizeof sameWorlds[0]; i++) {
        if (!reads(sameWorlds[i].format)) {
            continue;
        }
        failing f = {0, -1, 0};
        wkAllocator allocator = {allocateOrFail, releaseCounted, &f};
        wkSetAllocator(&allocator);
        bool isOver = false;
        for (long n = 0; !isOver; n++) {
            wkWorldData* world = NULL;
            f.callCount = 0;
            f.failAt = n;
            wkResult result =
                parse(sameWorlds[i].text, strlen(sameWorlds[i].text), sameWorlds[i].format, &world);
            isOver = f.callCount <= n;
            assert_int_equal(result, isOver ? wk_ok : wk_errorMemory);
            wkWorldData_Destroy(world);
            assert_true(f.allocatedBytes == 0);
        }
        wkSetAllocator(NULL);
    }
}

// Meshes of files beside the world, once for each scale, and models of included files.
static void files_beside_are_found(void** state)
{
    (void)state;
    static const char mesh[] =
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    const char* meshPath = wkTestPath("tetrahedron.obj");
    const char* modelPath = wkTestPath("model_a.sdf");
    const char* worldPath = wkTestPath("world.sdf");
    wkWriteFile(meshPath, mesh, sizeof mesh - 1);
    const char* meshName = strrchr(meshPath, '/') + 1;
    const char* modelName = strrchr(modelPath, '/') + 1;
    char model[800], world[800];
    int length =
        snprintf(model, sizeof model,
                 "<sdf version='1.6'><model name='a'><pose>9 9 9 0 0 0</pose><link name='l'>"
                 "<collision name='c'><geometry><mesh><uri>%s</uri></mesh></geometry>"
                 "</collision><collision name='d'><geometry><mesh><uri>%s</uri>"
                 "<scale>2 2 2</scale></mesh></geometry></collision></link></model></sdf>",
                 meshName, meshName);
    wkWriteFile(modelPath, model, (size_t)length);
    length = snprintf(world, sizeof world,
                      "<sdf version='1.6'><world name='w'><include><uri>%s</uri><name>first</name>"
                      "<pose>1 0 0 0 0 0</pose><static>1</static></include><include><uri>%s</uri>"
                      "</include></world></sdf>",
                      modelName, modelName);
    wkWriteFile(worldPath, world, (size_t)length);
    if (!reads("sdf")) {
        skip();
    }
    wkWorldData* data = NULL;
    if (wkWorldData_Load(worldPath, NULL, &data) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    assert_int_equal(data->objectCount, 2);
    assert_string_equal(data->objects[0].name, "first");
    assert_string_equal(data->objects[1].name, "a");
    assert_true(!data->objects[0].isMovable && data->objects[1].isMovable);
    expectNear(data->objects[0].pose.position, 1.0, 0.0, 0.0);
    expectNear(data->objects[1].pose.position, 9.0, 9.0, 9.0);
    assert_int_equal(data->objects[0].shapeCount, 2);
    assert_ptr_equal(data->objects[0].shapes[0].mesh, data->objects[1].shapes[0].mesh);
    assert_true(data->objects[0].shapes[0].mesh != data->objects[0].shapes[1].mesh);
    wkWorldData_Destroy(data);
    assert_int_equal(wkWorldData_Load("no such file.sdf", NULL, &data), wk_errorFile);
    assert_int_equal(wkWorldData_Load(NULL, NULL, &data), wk_errorArgument);
    wkRemoveFiles();
    assert_true(wkGetByteCount() == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_world_in_all_formats),
        cmocka_unit_test(nothing_is_lost_in_silence),
        cmocka_unit_test(closed_gaps_are_said),
        cmocka_unit_test(rules_reach_the_scene),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(cuts_and_wrong_bytes_do_no_harm),
        cmocka_unit_test(no_memory_is_no_harm),
        cmocka_unit_test(files_beside_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
