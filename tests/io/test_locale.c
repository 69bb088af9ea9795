// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Files and messages are the same in a program with a decimal comma: every format is written under
// both locales and read back, and texts of all readers are read under both.

#define _XOPEN_SOURCE 700 // mkdtemp, setenv

#include "comma_locale.h"
#include "io_kit.h"

#include <string.h>

// What is written.
typedef struct things {
    wkMeshData mesh;
    wkPointData points;
    wkOctree* map;
    wkRobot* robot;
    wkSphereModel* spheres;
    wkDepthImage image;
} things;

static void makeThings(things* t)
{
    static wkVec3d vertices[3] = {{0.1, 0.25, -1.5e-7}, {1.0 / 3.0, 2.0, 0.0}, {0.0, 1e21, 0.7}};
    static int32_t triangles[3] = {0, 1, 2};
    static float points[6] = {0.1f, 0.2f, 0.3f, 1.5f, -2.5f, 1e-9f};
    memset(t, 0, sizeof *t);
    t->mesh = (wkMeshData){vertices, 3, triangles, 1};
    t->points = (wkPointData){.points = points, .count = 2, .width = 2, .height = 1};
    t->points.hasSensor = true;
    t->points.sensor = wkMakePoseRpy((wkVec3d){0.1, 0.2, 0.3}, 0.4, 0.5, 0.6);
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = 0.05;
    assert_int_equal(wkOctree_Create(&def, &t->map), wk_ok);
    wkAabb box = {{0.0, 0.0, 0.0}, {0.3, 0.2, 0.1}};
    assert_int_equal(wkOctree_FillBox(t->map, box, 0.85f), wk_ok);
    assert_int_equal(wkRobot_CreateBuiltIn(&t->robot), wk_ok);
    wkSphereFitDef fit = wkDefaultSphereFitDef();
    fit.accuracy = 0.2;
    assert_int_equal(wkSphereModel_Fit(t->robot, &fit, &t->spheres), wk_ok);
    t->image.camera = wkDefaultCamera();
    t->image.camera.distortion = wk_distortionBrown;
    t->image.camera.coefficients[0] = 0.0125;
    t->image.scale = 0.001;
    t->image.pose = wkMakePoseRpy((wkVec3d){0.1, 0.2, 0.3}, 0.4, 0.5, 0.6);
}

static void freeThings(things* t)
{
    wkSphereModel_Destroy(t->spheres);
    wkRobot_Destroy(t->robot);
    wkOctree_Destroy(t->map);
}

static wkResult saveMesh(const char* path, const things* t)
{
    return wkMeshData_Save(path, &t->mesh);
}

static wkResult savePoints(const char* path, const things* t)
{
    return wkPointData_Save(path, &t->points);
}

static wkResult saveMap(const char* path, const things* t)
{
    return wkOctree_Save(path, t->map);
}

static wkResult saveSpheres(const char* path, const things* t)
{
    return wkSphereModel_Save(path, t->spheres);
}

static wkResult saveCamera(const char* path, const things* t)
{
    return wkDepthImage_SaveCamera(path, &t->image);
}

static wkResult saveSrdf(const char* path, const things* t)
{
    return wkRobot_SaveSrdf(path, t->robot, NULL);
}

// Reads a file and puts what it holds in place of what was there.
static wkResult loadMesh(const char* path, things* t, things* back)
{
    (void)t;
    wkMeshData* data = NULL;
    wkResult result = wkMeshData_Load(path, NULL, NULL, &data);
    if (result == wk_ok) {
        static wkVec3d vertices[3];
        static int32_t triangles[3];
        assert_int_equal(data->vertexCount, 3);
        memcpy(vertices, data->vertices, sizeof vertices);
        memcpy(triangles, data->triangles, sizeof triangles);
        back->mesh = (wkMeshData){vertices, 3, triangles, 1};
    }
    wkMeshData_Destroy(data);
    return result;
}

static wkResult loadPoints(const char* path, things* t, things* back)
{
    (void)t;
    wkPointData* data = NULL;
    wkResult result = wkPointData_Load(path, NULL, NULL, &data);
    if (result == wk_ok) {
        static float points[6];
        assert_int_equal(data->count, 2);
        memcpy(points, data->points, sizeof points);
        back->points = *data;
        back->points.points = points;
    }
    wkPointData_Destroy(data);
    return result;
}

static wkResult loadMap(const char* path, things* t, things* back)
{
    (void)t;
    wkResult result = wkOctree_Load(path, &back->map);
    assert_true(result != wk_ok || wkOctree_Def(back->map).resolution == 0.05);
    return result;
}

static wkResult loadSpheres(const char* path, things* t, things* back)
{
    return wkSphereModel_Load(path, t->robot, NULL, NULL, &back->spheres);
}

static wkResult loadCamera(const char* path, things* t, things* back)
{
    (void)t;
    return wkDepthImage_LoadCamera(path, &back->image);
}

// SRDF is read with a URDF only, and STL keeps floats: what is written is compared, and that is all.
static const struct {
    const char* name;
    wkResult (*save)(const char* path, const things* t);
    wkResult (*load)(const char* path, things* t, things* back);
} formats[] = {
    {"a.obj", saveMesh, loadMesh},
    {"a.ply", saveMesh, loadMesh},
    {"a.stl", saveMesh, NULL},
    {"a.pcd", savePoints, loadPoints},
    {"a.npy", savePoints, loadPoints},
    {"b.ply", savePoints, loadPoints},
    {"a.bt", saveMap, loadMap},
    {"a.ot", saveMap, loadMap},
    {"a.json", saveSpheres, loadSpheres},
    {"a.yml", saveSpheres, loadSpheres},
    {"spheres.urdf", saveSpheres, loadSpheres},
    {"a.txt", saveCamera, loadCamera},
    {"a.srdf", saveSrdf, NULL},
};

static wkBytes saveBytes(size_t row, const char* path, const things* t)
{
    if (formats[row].save(path, t) != wk_ok) {
        fail_msg("%s: %s", formats[row].name, wkGetLastError());
    }
    return wkReadFile(path);
}

static void expectSameBytes(const char* what, wkBytes* a, wkBytes* b)
{
    if (a->count != b->count || (a->count > 0 && memcmp(a->data, b->data, a->count) != 0)) {
        fail_msg("%s: %zu bytes, then %zu others: %.*s", what, a->count, b->count,
                 (int)(b->count < 300 ? b->count : 300), (const char*)b->data);
    }
    wkBytes_Free(b);
}

// Reads what was written, and writes it again.
static wkBytes copyBytes(size_t row, const char* path, things* t)
{
    things back = *t;
    back.map = NULL;
    back.spheres = NULL;
    if (formats[row].load(path, t, &back) != wk_ok) {
        fail_msg("%s: %s", formats[row].name, wkGetLastError());
    }
    wkBytes bytes = saveBytes(row, path, &back);
    wkOctree_Destroy(back.map);
    wkSphereModel_Destroy(back.spheres);
    return bytes;
}

// Written, read and written again under both locales: the same bytes.
static void tryFormat(size_t row, const char* path, things* t)
{
    wkBytes bytes[2][2] = {{{0}}};
    for (int locale = 0; locale < 2; locale++) {
        if (locale == 1 && !wkEnterCommaLocale()) {
            skip();
        }
        bytes[locale][0] = saveBytes(row, path, t);
        if (formats[row].load != NULL) {
            bytes[locale][1] = copyBytes(row, path, t);
        }
    }
    wkLeaveCommaLocale();
    for (int i = 0; i < 2; i++) {
        expectSameBytes(formats[row].name, &bytes[0][i], &bytes[1][i]);
        wkBytes_Free(&bytes[0][i]);
    }
}

static void files_are_the_same(void** state)
{
    (void)state;
    things t;
    makeThings(&t);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        const char* path = wkTestPath(formats[i].name);
        wkSphereModel* model = NULL;
        assert_int_equal(formats[i].save(path, &t), wk_ok);
        bool isSpheres = formats[i].load == loadSpheres; // which not every build reads
        wkResult result = isSpheres ? wkSphereModel_Load(path, t.robot, NULL, NULL, &model) : wk_ok;
        wkSphereModel_Destroy(model);
        if (result != wk_errorUnsupported) {
            tryFormat(i, path, &t);
        }
    }
    freeThings(&t);
    wkRemoveFiles();
}

// Texts with the number 0.5 as the first coordinate of the first vertex or point.
static const struct {
    const char* format;
    bool isMesh;
    const char* text;
} texts[] = {
    {"stl", true,
     "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0.5 0 0\nvertex 1 0.25 0\nvertex 0 1 0\n"
     "endloop\nendfacet\nendsolid a\n"},
    {"obj", true, "v 0.5 0 0\nv 1 0.25 0\nv 0 1 0\nf 1 2 3\n"},
    {"ply", true,
     "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
     "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
     "0.5 0 0\n1 0.25 0\n0 1 0\n3 0 1 2\n"},
    {"off", true, "OFF\n3 1 0\n0.5 0 0\n1 0.25 0\n0 1 0\n3 0 1 2\n"},
    {"dae", true,
     "<?xml version=\"1.0\"?><COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" "
     "version=\"1.4.1\"><asset><unit meter=\"1\"/><up_axis>Z_UP</up_axis></asset>"
     "<library_geometries><geometry id=\"g\"><mesh><source id=\"s\"><float_array id=\"f\" "
     "count=\"9\">0.5 0 0 1 0.25 0 0 1 0</float_array><technique_common><accessor source=\"#f\" "
     "count=\"3\" stride=\"3\"><param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/>"
     "<param name=\"Z\" type=\"float\"/></accessor></technique_common></source><vertices id=\"v\">"
     "<input semantic=\"POSITION\" source=\"#s\"/></vertices><triangles count=\"1\"><input "
     "semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/><p>0 1 2</p></triangles></mesh></geometry>"
     "</library_geometries><library_visual_scenes><visual_scene id=\"w\"><node><instance_geometry "
     "url=\"#g\"/></node></visual_scene></library_visual_scenes><scene><instance_visual_scene "
     "url=\"#w\"/></scene></COLLADA>\n"},
    {"pcd", false,
     "VERSION 0.7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\nWIDTH 1\nHEIGHT 1\n"
     "VIEWPOINT 0.5 0 0 1 0 0 0\nPOINTS 1\nDATA ascii\n0.5 0.25 1.5\n"},
    {"csv", false, "x,y,z\n0.5,0.25,1.5\n"},
    {"vtk", false,
     "# vtk DataFile Version 3.0\na\nASCII\nDATASET POLYDATA\nPOINTS 1 float\n0.5 0.25 1.5\n"},
};

static void readTexts(void)
{
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        wkMeshData* mesh = NULL;
        wkPointData* points = NULL;
        size_t length = strlen(texts[i].text);
        wkResult result =
            texts[i].isMesh
                ? wkMeshData_Parse(texts[i].text, length, texts[i].format, NULL, NULL, &mesh)
                : wkPointData_Parse(texts[i].text, length, texts[i].format, NULL, NULL, &points);
        if (result != wk_ok && result != wk_errorUnsupported) {
            fail_msg("%s: %s", texts[i].format, wkGetLastError());
        }
        assert_true(mesh == NULL || mesh->vertices[0].x == 0.5);
        assert_true(points == NULL || points->points[0] == 0.5f);
        wkMeshData_Destroy(mesh);
        wkPointData_Destroy(points);
    }
}

static void readOthers(void)
{
    static const char table[] = "a,b\n0.5,1.25e-3\n";
    static const char urdf[] =
        "<robot name='r'><link name='a'><collision><geometry><sphere radius='0.5'/></geometry>"
        "</collision></link><link name='b'/><joint name='j' type='revolute'>"
        "<parent link='a'/><child link='b'/><origin xyz='0.5 0 0'/>"
        "<limit lower='-1.5' upper='1.5' effort='1' velocity='1'/></joint></robot>";
    wkTableData* data = NULL;
    assert_int_equal(wkTableData_Parse(table, sizeof table - 1, &data), wk_ok);
    assert_true(data->values[0] == 0.5 && data->values[1] == 1.25e-3);
    wkTableData_Destroy(data);
    wkRobot* robot = NULL;
    wkResult result = wkRobot_Parse(urdf, sizeof urdf - 1, NULL, 0, NULL, NULL, &robot);
    assert_true(result == wk_ok || result == wk_errorUnsupported);
    assert_true(robot == NULL || wkRobot_Variable(robot, 0).upper == 1.5);
    wkRobot_Destroy(robot);
}

static void texts_are_read_the_same(void** state)
{
    (void)state;
    readTexts();
    readOthers();
    if (!wkEnterCommaLocale()) {
        skip();
    }
    readTexts();
    readOthers();
    wkLeaveCommaLocale();
}

static void messages_are_the_same(void** state)
{
    (void)state;
    if (!wkEnterCommaLocale()) {
        skip();
    }
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = -0.5;
    wkOctree* map = NULL;
    assert_int_not_equal(wkOctree_Create(&def, &map), wk_ok);
    assert_non_null(strstr(wkGetLastError(), "-0.5"));
    static const char camera[] = "width 4\nheight 4\nfx 1\nfy 1\ndepth_units_m -0.5\n";
    wkDepthImage image;
    assert_int_not_equal(wkDepthImage_ParseCamera(camera, sizeof camera - 1, &image), wk_ok);
    assert_non_null(strstr(wkGetLastError(), "-0.5"));
    assert_true(wkHasComma()); // the program's locale is as it was
    wkLeaveCommaLocale();
}

// What a program with a decimal comma has written is refused: it was another number.
static void commas_are_refused(void** state)
{
    (void)state;
    static const char map[] = "# Octomap OcTree binary file\nid OcTree\nsize 0\nres 1,5\ndata\n";
    wkOctree* octree = NULL;
    assert_int_equal(wkOctree_Parse(map, sizeof map - 1, &octree), wk_errorParse);
    assert_non_null(strstr(wkGetLastError(), "res \"1,5\""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_the_same),
        cmocka_unit_test(texts_are_read_the_same),
        cmocka_unit_test(messages_are_the_same),
        cmocka_unit_test(commas_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
