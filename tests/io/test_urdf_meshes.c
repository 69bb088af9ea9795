// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Meshes of robots: where they are looked for, what stands for them, and that each is read once.

#define _POSIX_C_SOURCE 200809L // mkdtemp, setenv, chdir

#include "../memory/failing.h"
#include "urdf_kit.h"

#include "whisker/detail/counts.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// Two tetrahedra that share no vertex; the first is at the origin, the other 3 m along x.
static const char twoParts[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
                               "v 3 0 0\nv 4 0 0\nv 3 1 0\nv 3 0 1\n"
                               "v 9 9 9\n"
                               "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
                               "f 5 7 6\nf 5 6 8\nf 6 7 8\nf 7 5 8\n";

static char root[64];

// A path below the folder of this test.
static const char* below(const char* path)
{
    static char paths[4][256];
    static int next;
    char* text = paths[next++ % 4];
    snprintf(text, sizeof paths[0], "%s/%s", root, path);
    return text;
}

static void makeFile(const char* path, const char* text)
{
    char full[256];
    snprintf(full, sizeof full, "%s", below(path));
    for (char* slash = strchr(full + strlen(root) + 1, '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(full, 0700);
        *slash = '/';
    }
    wkWriteFile(full, text, strlen(text));
}

static int makeRoot(void** state)
{
    (void)state;
    const char* folder = getenv("TMPDIR");
    snprintf(root, sizeof root, "%s/whisker_urdf_XXXXXX", folder != NULL ? folder : "/tmp");
    unsetenv("ROS_PACKAGE_PATH");
    unsetenv("AMENT_PREFIX_PATH");
    return mkdtemp(root) != NULL ? 0 : -1;
}

static int removeRoot(void** state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    return system(command); // NOLINT(cert-env33-c): a folder that the test has made
}

static wkResult load(const char* path, const wkRobotLoadDef* options, wkRobotLoadInfo* info,
                     wkRobot** robot)
{
    return wkRobot_Load(below(path), options, info, robot);
}

static wkRobot* mustLoad(const char* path, const wkRobotLoadDef* options, wkRobotLoadInfo* info)
{
    wkRobot* robot = NULL;
    wkRobotLoadDef own = options != NULL ? *options : wkDefaultRobotLoadDef();
    own.allowsEmpty = true;
    if (load(path, &own, info, &robot) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return robot;
}

static void makeRobot(const char* path, const char* meshes)
{
    char text[1024];
    snprintf(text, sizeof text, "<robot name='r'>\n<link name='a'>%s</link></robot>", meshes);
    makeFile(path, text);
}

#define MESH(file, scale)                                                                          \
    "<collision><geometry><mesh filename='" file "'" scale "/></geometry></collision>"

static void meshes_are_found_by_every_name(void** state)
{
    (void)state;
    makeFile("found/pkg/meshes/x.obj", twoParts);
    makeFile("elsewhere/other/meshes/y.obj", twoParts);
    makeFile("prefix/share/shared/z.obj", twoParts);
    char absolute[512];
    snprintf(absolute, sizeof absolute,
             "<collision><geometry><mesh filename='file://%s'/></geometry></collision>",
             below("found/pkg/meshes/x.obj"));
    const char* const names[] = {
        MESH("meshes/x.obj", ""),
        MESH("./meshes/x.obj", ""),
        MESH("package://pkg/meshes/x.obj", ""),       // the folder is the package
        MESH("package://found/pkg/meshes/x.obj", ""), // a package above
        MESH("package://anything/meshes/x.obj", ""),  // no folder has that name
        MESH("model://pkg/meshes/x.obj", ""),
        MESH("package://mapped/y.obj", ""),
        MESH("package://other/meshes/y.obj", ""),
        MESH("package://shared/z.obj", ""),
        absolute,
    };
    char mapped[256];
    snprintf(mapped, sizeof mapped, "%s", below("elsewhere/other/meshes"));
    wkRobotPackage package = {"mapped", mapped};
    wkRobotLoadDef options = wkDefaultRobotLoadDef();
    options.packages = &package;
    options.packageCount = 1;
    char paths[512];
    snprintf(paths, sizeof paths, "/none::%s:", below("elsewhere"));
    setenv("ROS_PACKAGE_PATH", paths, 1);
    setenv("AMENT_PREFIX_PATH", below("prefix"), 1);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        makeRobot("found/pkg/robot.urdf", names[i]);
        makeRobot("found/pkg/deep/er/robot.urdf", names[i]);
        wkRobot_Destroy(mustLoad("found/pkg/robot.urdf", &options, NULL));
        wkRobot_Destroy(mustLoad("found/pkg/deep/er/robot.urdf", &options, NULL));
    }
    setenv("ROS_PACKAGE_PATH", below("elsewhere/other"), 1); // a package itself
    makeRobot("found/pkg/robot.urdf", MESH("package://other/meshes/y.obj", ""));
    wkRobot_Destroy(mustLoad("found/pkg/robot.urdf", NULL, NULL));
    unsetenv("ROS_PACKAGE_PATH");
    unsetenv("AMENT_PREFIX_PATH");
    wkRobot* robot = NULL;
    assert_int_equal(load("found/pkg/robot.urdf", NULL, NULL, &robot), wk_errorFile);
    assert_non_null(strstr(wkGetLastError(), "robot.urdf:2: <mesh> of link \"a\""));
    assert_non_null(strstr(wkGetLastError(), "ROS_PACKAGE_PATH (not set)"));
}

// The folder with the name of the package wins over one that merely has such a file.
static void the_package_wins_over_other_folders(void** state)
{
    (void)state;
    makeFile("wins/near/meshes/x.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    makeFile("wins/pkg/meshes/x.obj", twoParts);
    makeRobot("wins/near/robot.urdf", MESH("package://pkg/meshes/x.obj", ""));
    wkRobot* robot = mustLoad("wins/near/robot.urdf", NULL, NULL);
    assert_int_equal(wkRobot_Info(robot).triangleCount, 8);
    wkRobot_Destroy(robot);
}

static void names_start_at_the_current_folder(void** state)
{
    (void)state;
    makeFile("here/meshes/x.obj", twoParts);
    makeRobot("here/robot.urdf", MESH("meshes/x.obj", ""));
    makeFile("here/in/it", "");
    char old[1024];
    assert_non_null(getcwd(old, sizeof old));
    assert_int_equal(chdir(below("here/in")), 0);
    static const char urdf[] = ROBOT(BODY("a", "<mesh filename='meshes/x.obj'/>"));
    wkRobot_Destroy(mustParse(urdf, NULL, NULL, NULL)); // in the folder above
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_Load("../robot.urdf", NULL, NULL, &robot), wk_ok);
    wkRobot_Destroy(robot);
    assert_int_equal(chdir(below("here")), 0);
    assert_int_equal(wkRobot_Load("robot.urdf", NULL, NULL, &robot), wk_ok);
    wkRobot_Destroy(robot);
    assert_int_equal(chdir(old), 0);
}

static void equal_meshes_are_read_once(void** state)
{
    (void)state;
    makeFile("once/x.obj", twoParts);
    makeRobot("once/robot.urdf", MESH("x.obj", "") MESH("x.obj", " scale='1 1 1'") MESH(
                                     "package://once/x.obj", "") MESH("x.obj", " scale='-1 1 1'"));
    wkRobotLoadInfo report;
    wkRobotLoadDef options = wkDefaultRobotLoadDef();
    wkRobot* robot = mustLoad("once/robot.urdf", &options, &report);
    assert_int_equal(report.meshCount, 2);
    assert_int_equal(report.triangleCount, 16);
    assert_int_equal(wkRobot_Info(robot).triangleCount, 32);
    assert_ptr_equal(wkRobot_Body(robot, 0).shape->mesh, wkRobot_Body(robot, 2).shape->mesh);

    // a mirrored mesh is not turned inside out
    wkMeshInfo mirrored = wkMesh_Info(wkRobot_Body(robot, 3).shape->mesh);
    expectNear(mirrored.bounds.lower.x, -4);
    expectNear(mirrored.volumeInside, 1.0 / 3.0);
    wkRobot_Destroy(robot);
    assert_int_equal(wkGetByteCount(), 0);
}

static void modes_give_solid_surface_hull_or_pieces(void** state)
{
    (void)state;
    makeFile("modes/x.obj", twoParts);
    makeRobot("modes/robot.urdf", MESH("x.obj", " scale='2 2 2'"));
    static const struct {
        wkRobotMeshMode mode;
        int32_t bodyCount;
        wkShapeType type;
        double volume;
    } rows[] = {
        {wk_robotMeshSolid, 1, wk_shapeMesh, 8.0 / 3.0},
        {wk_robotMeshSurface, 1, wk_shapeMesh, 8.0 / 3.0},
        {wk_robotMeshHull, 1, wk_shapeHull, 8.0 * (1.0 / 6.0 + 1.5)},
        {wk_robotMeshPieces, 2, wk_shapeHull, 8.0 / 6.0},
    };
    wkRobotLoadDef options = wkDefaultRobotLoadDef();
    options.padding = 0.25;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        wkRobotMeshMode found = wk_robotMeshSolid;
        assert_int_equal(wkRobotMeshModeFromName(wkRobotMeshModeName(rows[i].mode), &found), wk_ok);
        assert_int_equal(found, rows[i].mode);
        options.mode = rows[i].mode;
        wkRobot* robot = mustLoad("modes/robot.urdf", &options, NULL);
        assert_int_equal(wkRobot_Info(robot).bodyCount, rows[i].bodyCount);
        wkBodyInfo body = bodyOf(robot, "a");
        assert_int_equal(body.shape->type, rows[i].type);
        expectNear(wkShape_Mass(body.shape).volume, rows[i].volume);
        expectNear(body.shape->padding, 0.25);
        assert_int_equal(body.shape->type == wk_shapeMesh && wkMesh_Info(body.shape->mesh).isSolid,
                         rows[i].mode == wk_robotMeshSolid);
        wkRobot_Destroy(robot);
    }
    assert_int_equal(wk_robotMeshSolid, 0); // memory of zeros asks for the safe one
    assert_int_equal(wkDefaultRobotLoadDef().mode, wk_robotMeshSolid);
    wkRobotMeshMode kept = wk_robotMeshHull;
    assert_int_equal(wkRobotMeshModeFromName("sphere", &kept), wk_errorArgument);
    assert_int_equal(kept, wk_robotMeshHull);
    assert_int_equal(wkGetByteCount(), 0);
}

// A .whisker file says of itself whether it is solid; a robot says what it wants.
static void files_with_a_hierarchy_are_as_solid_as_asked(void** state)
{
    (void)state;
    makeFile("block/x.obj", twoParts);
    makeRobot("block/robot.urdf", MESH("x.whisker", ""));
    for (int isSolid = 0; isSolid < 2; isSolid++) {
        wkMesh* mesh = NULL;
        wkLoadDef how = wkDefaultLoadDef();
        how.isSolid = isSolid != 0;
        assert_int_equal(wkMesh_Load(below("block/x.obj"), &how, NULL, &mesh), wk_ok);
        assert_int_equal(wkMesh_Save(below("block/x.whisker"), mesh), wk_ok);
        wkMesh_Destroy(mesh);
        for (int mode = wk_robotMeshSolid; mode <= wk_robotMeshSurface; mode++) {
            wkRobotLoadDef options = wkDefaultRobotLoadDef();
            options.mode = (wkRobotMeshMode)mode;
            wkRobot* robot = mustLoad("block/robot.urdf", &options, NULL);
            assert_int_equal(wkMesh_Info(bodyOf(robot, "a").shape->mesh).isSolid,
                             mode == wk_robotMeshSolid);
            wkRobot_Destroy(robot);
        }
    }
    assert_int_equal(wkGetByteCount(), 0);
}

// Lines that a function of the caller receives.
typedef struct warnings {
    int count;
    char lines[8][1024];
} warnings;

static void keepWarning(const char* message, void* context)
{
    warnings* kept = context;
    assert_true(kept->count < 8);
    snprintf(kept->lines[kept->count++], sizeof kept->lines[0], "%s", message);
}

static void doubts_name_link_and_file(void** state)
{
    (void)state;
    makeFile("doubt/closed.obj", twoParts);
    makeFile("doubt/open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n");
    makeFile("doubt/robot.urdf",
             ROBOT("<link name='a'>" MESH("closed.obj", "") MESH("open.obj", "") "</link>" LINK("b")
                       JOINT("j", "fixed", "a", "b", "")));
    static const int expected[WK_ROBOT_MESH_MODE_COUNT] = {[wk_robotMeshSolid] = 1};
    for (int mode = 0; mode < WK_ROBOT_MESH_MODE_COUNT; mode++) {
        warnings kept = {0};
        wkRobotLoadInfo report;
        wkRobotLoadDef options = wkDefaultRobotLoadDef();
        options.mode = (wkRobotMeshMode)mode;
        options.warn = keepWarning;
        options.warnContext = &kept;
        wkRobot_Destroy(mustLoad("doubt/robot.urdf", &options, &report));
        // that of link b, which has no shape, comes last
        assert_int_equal(kept.count, expected[mode] + 1);
        assert_int_equal(report.warningCount, kept.count);
        assert_non_null(strstr(kept.lines[kept.count - 1], "1 of 2 links"));
        assert_non_null(strstr(kept.lines[kept.count - 1], ": b"));
        if (expected[mode] > 0) {
            assert_non_null(strstr(kept.lines[0], "link \"a\": "));
            assert_non_null(strstr(kept.lines[0], "open.obj: the mesh is not watertight"));
        }
    }
}

// Two cubes side by side with triangles that are missing or face the wrong way, too many to tell what is inside.
static const char contradictory[] =
    "v 1 1 2\nv 1 1 0\nv 3 1 0\nv 1 -1 0\nv -1 1 0\nv -1 1 2\nv 1 -1 2\nv 3 -1 0\n"
    "v 3 -1 2\nv 3 1 2\nv -1 -1 2\nv -1 -1 0\nf 1 2 3\nf 2 4 5\nf 1 6 7\nf 3 8 9\n"
    "f 1 10 9\nf 11 7 4\nf 3 10 1\nf 4 2 7\nf 1 7 2\nf 12 5 4\nf 2 1 7\nf 11 7 6\n"
    "f 2 4 8\nf 1 2 6\nf 9 10 3\nf 8 3 2\nf 12 11 5\nf 7 4 2\nf 8 4 7\nf 7 9 8\n"
    "f 12 4 11\nf 5 6 2\n";

static void meshes_taken_as_their_hulls_are_named(void** state)
{
    (void)state;
    makeFile("hulls/mess.obj", contradictory);
    makeFile("hulls/robot.urdf", ROBOT("<link name='a'>" MESH("mess.obj", "") "</link>"));
    warnings kept = {0};
    wkRobotLoadDef options = wkDefaultRobotLoadDef();
    options.warn = keepWarning;
    options.warnContext = &kept;
    wkRobot_Destroy(mustLoad("hulls/robot.urdf", &options, NULL));
    assert_int_equal(kept.count, 2);
    assert_non_null(strstr(kept.lines[1], "link \"a\": "));
    assert_non_null(strstr(kept.lines[1], "mess.obj: triangles contradict each other"));
    assert_non_null(strstr(kept.lines[1], "convex hulls: 1"));
}

static void robots_without_shapes_are_refused_unless_asked_for(void** state)
{
    (void)state;
    static const char bare[] = ROBOT(LINK("a"));
    static const char visualOnly[] =
        ROBOT("<link name='a'><visual><geometry><sphere radius='1'/></geometry></visual></link>");
    expectRefused(bare, NULL, wk_errorArgument, "no link has a collision shape");
    expectRefused(visualOnly, NULL, wk_errorArgument, "--visual");
    wkRobotLoadDef options = wkDefaultRobotLoadDef();
    options.usesVisual = true;
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_Parse(visualOnly, strlen(visualOnly), NULL, 0, &options, NULL, &robot),
                     wk_ok);
    assert_int_equal(wkRobot_Info(robot).bodyCount, 1);
    wkRobot_Destroy(robot);

    // those that are asked for get no scene unless that is asked for, too
    for (int i = 0; i < 2; i++) {
        options = wkDefaultRobotLoadDef();
        options.allowsEmpty = i == 0;
        options.skipsMeshes = i == 1;
        assert_int_equal(wkRobot_Parse(bare, strlen(bare), NULL, 0, &options, NULL, &robot), wk_ok);
        wkRobotSceneDef def = wkDefaultRobotSceneDef();
        def.robot = robot;
        wkRobotScene* scene = NULL;
        assert_int_equal(wkRobotScene_Create(&def, &scene), wk_errorArgument);
        assert_null(scene);
        def.allowsEmpty = true;
        assert_int_equal(wkRobotScene_Create(&def, &scene), wk_ok);
        wkRobotScene_Destroy(scene);
        wkRobot_Destroy(robot);
    }
    assert_int_equal(wkGetByteCount(), 0);
}

static void scale_of_a_link_applies_to_meshes(void** state)
{
    (void)state;
    makeFile("scale/x.obj", twoParts);
    makeRobot("scale/robot.urdf", MESH("x.obj", " scale='1 2 3'"));
    wkRobotLinkDef own = {"a", 0.0, 0.5, wk_robotMeshSurface};
    wkRobotLoadDef options = wkDefaultRobotLoadDef();
    options.links = &own;
    options.linkCount = 1;
    wkRobot* robot = mustLoad("scale/robot.urdf", &options, NULL);
    wkAabb bounds = wkMesh_Info(bodyOf(robot, "a").shape->mesh).bounds;
    expectVector(bounds.upper, 2, 1, 1.5);
    wkRobot_Destroy(robot);
}

static void meshes_may_be_left_out(void** state)
{
    (void)state;
    // nor is what is left taken for all of it
    static const char urdf[] = ROBOT("<link name='a'>" MESH(
        "none.stl", "") "<collision><geometry><sphere radius='1'/></geometry></collision></link>");
    wkRobotLoadDef options = wkDefaultRobotLoadDef();
    options.skipsMeshes = true;
    wkRobot* robot = mustParse(urdf, NULL, &options, NULL);
    assert_int_equal(wkRobot_Info(robot).bodyCount, 0);
    wkRobot_Destroy(robot);
}

static void broken_and_empty_meshes_are_named(void** state)
{
    (void)state;
    makeFile("bad/broken.obj", "v 0 0 0\nf 1 2 3\n");
    makeFile("bad/empty.obj", "# nothing\n");
    for (int mode = 0; mode < WK_ROBOT_MESH_MODE_COUNT; mode++) {
        wkRobotLoadInfo report;
        wkRobotLoadDef options = wkDefaultRobotLoadDef();
        wkParallel threads = {NULL, NULL, 3};
        options.mode = (wkRobotMeshMode)mode;
        options.parallel = &threads;
        wkRobot* robot = NULL;
        makeRobot("bad/robot.urdf", MESH("empty.obj", ""));
        assert_int_equal(load("bad/robot.urdf", &options, NULL, &robot), wk_errorArgument);
        assert_non_null(strstr(wkGetLastError(), "<mesh> of link \"a\": "));
        assert_non_null(strstr(wkGetLastError(), "empty.obj: the mesh has 0 vertices and no tri"));
        options.allowsEmpty = true;
        makeRobot("bad/robot.urdf", MESH("empty.obj", "") MESH("broken.obj", ""));
        assert_int_equal(load("bad/robot.urdf", &options, NULL, &robot), wk_errorParse);
        assert_non_null(strstr(wkGetLastError(), "<mesh> of link \"a\": "));
        assert_non_null(strstr(wkGetLastError(), "broken.obj:2: "));
        makeRobot("bad/robot.urdf", MESH("empty.obj", ""));
        robot = mustLoad("bad/robot.urdf", &options, &report);
        assert_int_equal(wkRobot_Info(robot).bodyCount, 0);
        assert_non_null(strstr(report.warning, "empty.obj: "));
        wkRobot_Destroy(robot);
    }
    assert_int_equal(wkGetByteCount(), 0);
}

// The up axis of a dae is not looked at, as in ROS.
static void scenes_keep_their_axes(void** state)
{
    (void)state;
    if (!wkReadsFormat("dae")) {
        printf("skipped: this build reads no dae\n");
        skip();
    }
    makeFile("dae/x.dae",
             "<?xml version='1.0'?><COLLADA xmlns='http://www.collada.org/2005/11/COLLADASchema' "
             "version='1.4.1'><asset><unit name='meter' meter='1'/><up_axis>Y_UP</up_axis></asset>"
             "<library_geometries><geometry id='g'><mesh><source id='p'><float_array id='f' "
             "count='9'>0 0 0 1 0 0 0 0 2</float_array><technique_common><accessor source='#f' "
             "count='3' stride='3'><param name='X' type='float'/><param name='Y' type='float'/>"
             "<param name='Z' type='float'/></accessor></technique_common></source><vertices "
             "id='v'><input semantic='POSITION' source='#p'/></vertices><triangles count='1'>"
             "<input semantic='VERTEX' source='#v' offset='0'/><p>0 1 2</p></triangles></mesh>"
             "</geometry></library_geometries><library_visual_scenes><visual_scene id='s'><node>"
             "<instance_geometry url='#g'/></node></visual_scene></library_visual_scenes><scene>"
             "<instance_visual_scene url='#s'/></scene></COLLADA>");
    makeRobot("dae/robot.urdf", MESH("x.dae", ""));
    wkRobot* robot = mustLoad("dae/robot.urdf", NULL, NULL);
    expectVector(wkMesh_Info(bodyOf(robot, "a").shape->mesh).bounds.upper, 1, 0, 2);
    wkRobot_Destroy(robot);
}

static void a_xacro_is_refused_with_its_command(void** state)
{
    (void)state;
    makeFile("xacro/arm.urdf.xacro",
             "<robot name='r' xmlns:xacro='x'>\n<link name='${n}'/></robot>");
    makeFile("xacro/plain.xacro", "<robot name='r'><link name='a'/></robot>");
    char expected[512];
    snprintf(expected, sizeof expected, "xacro %s/xacro/arm.urdf.xacro -o %s/xacro/arm.urdf", root,
             root);
    wkRobot* robot = NULL;
    assert_int_equal(load("xacro/arm.urdf.xacro", NULL, NULL, &robot), wk_errorUnsupported);
    assert_non_null(strstr(wkGetLastError(), expected));
    wkRobot_Destroy(mustLoad("xacro/plain.xacro", NULL, NULL));
}

static void loading_survives_every_failure_of_memory(void** state)
{
    (void)state;
    makeFile("memory/x.obj", twoParts);
    makeRobot("memory/robot.urdf", MESH("x.obj", "") MESH("x.obj", " scale='2 2 2'"));
    makeFile("memory/robot.srdf",
             ROBOT("<group name='g'><link name='a'/></group><group_state name='s' group='g'/>"
                   "<end_effector name='e' parent_link='a' group='g'/>"
                   "<virtual_joint name='v' type='floating' parent_frame='w' child_link='a'/>"
                   "<disable_collisions link1='a' link2='b'/>"));
    failing counted = {0, -1, 0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &counted};
    wkSetAllocator(&allocator);
    wkRobotLoadDef options = wkDefaultRobotLoadDef();
    char srdf[256];
    snprintf(srdf, sizeof srdf, "%s", below("memory/robot.srdf"));
    options.srdf = srdf;
    options.addsVirtualJoint = true;
    for (int mode = 0; mode < WK_ROBOT_MESH_MODE_COUNT; mode++) {
        options.mode = (wkRobotMeshMode)mode;
        wkResult result = wk_errorMemory;
        long n = 0;
        for (; result != wk_ok; n++) {
            counted.callCount = 0;
            counted.failAt = n;
            wkRobot* robot = NULL;
            result = load("memory/robot.urdf", &options, NULL, &robot);
            assert_int_equal(result == wk_ok, robot != NULL);
            assert_true(result == wk_ok || result == wk_errorMemory);
            wkRobot_Destroy(robot);
            assert_int_equal(wkGetByteCount(), 0);
        }
        assert_true(n > 20);
    }
    wkSetAllocator(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_are_found_by_every_name),
        cmocka_unit_test(the_package_wins_over_other_folders),
        cmocka_unit_test(names_start_at_the_current_folder),
        cmocka_unit_test(equal_meshes_are_read_once),
        cmocka_unit_test(modes_give_solid_surface_hull_or_pieces),
        cmocka_unit_test(files_with_a_hierarchy_are_as_solid_as_asked),
        cmocka_unit_test(doubts_name_link_and_file),
        cmocka_unit_test(meshes_taken_as_their_hulls_are_named),
        cmocka_unit_test(robots_without_shapes_are_refused_unless_asked_for),
        cmocka_unit_test(scale_of_a_link_applies_to_meshes),
        cmocka_unit_test(meshes_may_be_left_out),
        cmocka_unit_test(broken_and_empty_meshes_are_named),
        cmocka_unit_test(scenes_keep_their_axes),
        cmocka_unit_test(a_xacro_is_refused_with_its_command),
        cmocka_unit_test(loading_survives_every_failure_of_memory),
    };
    return cmocka_run_group_tests_name("io.urdf_meshes", tests, makeRoot, removeRoot);
}
