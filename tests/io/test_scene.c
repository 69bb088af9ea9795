// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Scenes through assimp: units, up axes and the places of nodes; without it, clear words.

#include "io_kit.h"

#include <math.h>
#include <string.h>

// One triangle (0 0 0), (1 0 0), (0 2 3) under a node, with what the scene says about itself.
static void makeDae(wkBytes* bytes, const char* asset, const char* node)
{
    wkBytes_Print(
        bytes,
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
        "<COLLADA xmlns=\"http://www.collada.org/2005/11/COLLADASchema\" version=\"1.4.1\">\n"
        "<asset><created>2020-01-01T00:00:00</created>"
        "<modified>2020-01-01T00:00:00</modified>%s</asset>\n"
        "<library_geometries><geometry id=\"g\" name=\"g\"><mesh>\n"
        "<source id=\"p\"><float_array id=\"pa\" count=\"9\">0 0 0 1 0 0 0 2 3</float_array>\n"
        "<technique_common><accessor source=\"#pa\" count=\"3\" stride=\"3\">"
        "<param name=\"X\" type=\"float\"/><param name=\"Y\" type=\"float\"/>"
        "<param name=\"Z\" type=\"float\"/></accessor></technique_common></source>\n"
        "<vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>\n"
        "<triangles count=\"1\"><input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>"
        "<p>0 1 2</p></triangles></mesh></geometry></library_geometries>\n"
        "<library_visual_scenes><visual_scene id=\"s\"><node id=\"n\">%s"
        "<instance_geometry url=\"#g\"/></node></visual_scene></library_visual_scenes>\n"
        "<scene><instance_visual_scene url=\"#s\"/></scene></COLLADA>\n",
        asset, node);
}

typedef struct sceneCase {
    const char* asset;
    const char* node;
    bool ignoresUpAxis;
    wkVec3d second; // where (1 0 0) comes to
    wkVec3d third;  // where (0 2 3) comes to
} sceneCase;

#define Y_UP "<up_axis>Y_UP</up_axis>"
#define Z_UP "<up_axis>Z_UP</up_axis>"
#define X_UP "<up_axis>X_UP</up_axis>"
#define CM "<unit meter=\"0.01\" name=\"centimeter\"/>"

// clang-format off
static const sceneCase sceneCases[] = {
    {Z_UP,    "", false, {1, 0, 0},    {0, 2, 3}},
    {Y_UP,    "", false, {1, 0, 0},    {0, -3, 2}},
    {X_UP,    "", false, {0, 0, 1},    {-2, -3, 0}},
    {"",      "", false, {1, 0, 0},    {0, -3, 2}},
    {Y_UP,    "", true,  {1, 0, 0},    {0, 2, 3}},
    {CM Z_UP, "", false, {0.01, 0, 0}, {0, 0.02, 0.03}},
    {Z_UP, "<translate>10 20 30</translate>", false, {11, 20, 30}, {10, 22, 33}},
    {Z_UP, "<scale>2 2 2</scale><translate>1 0 0</translate>", false, {4, 0, 0}, {2, 4, 6}},
    {CM Z_UP, "<translate>100 0 0</translate>", false, {1.01, 0, 0}, {1, 0.02, 0.03}},
};
// clang-format on

static void checkPosition(const char* what, wkVec3d is, wkVec3d should)
{
    double off = fabs(is.x - should.x) + fabs(is.y - should.y) + fabs(is.z - should.z);
    if (!(off < 1e-5)) {
        fail_msg("%s: (%g, %g, %g) instead of (%g, %g, %g)", what, is.x, is.y, is.z, should.x,
                 should.y, should.z);
    }
}

static void scenes_are_in_metres_with_z_up(void** state)
{
    (void)state;
    if (!wkReadsFormat("dae")) {
        skip();
    }
    for (size_t i = 0; i < sizeof sceneCases / sizeof sceneCases[0]; i++) {
        const sceneCase* row = &sceneCases[i];
        wkBytes bytes = {0};
        makeDae(&bytes, row->asset, row->node);
        const char* path = wkTestPath("scene.dae");
        wkWriteFile(path, bytes.data, bytes.count);
        wkLoadDef options = wkDefaultLoadDef();
        options.ignoresUpAxis = row->ignoresUpAxis;
        wkMeshData* data = wkMustLoad(path, &options, NULL);
        assert_int_equal(data->triangleCount, 1);
        checkPosition(row->asset, data->vertices[data->triangles[1]], row->second);
        checkPosition(row->asset, data->vertices[data->triangles[2]], row->third);
        wkMeshData_Destroy(data);
        wkBytes_Free(&bytes);
        wkRemoveFiles();
    }
    assert_int_equal(wkGetByteCount(), 0);
}

// A node that mirrors would turn its triangles inside out.
static void mirrored_nodes_keep_outside_outside(void** state)
{
    (void)state;
    if (!wkReadsFormat("dae")) {
        skip();
    }
    wkBytes bytes = {0};
    makeDae(&bytes, Z_UP, "<scale>-1 1 1</scale>");
    wkMeshData* data = wkMustParse(bytes.data, bytes.count, "dae", NULL, NULL);
    wkVec3d should = {-1.0, 0.0, 0.0};
    checkPosition("mirror", data->vertices[data->triangles[2]], should);
    wkMeshData_Destroy(data);
    wkBytes_Free(&bytes);
}

// The same triangle as glTF, whose y is up: data in the text itself.
static void gltf_is_rotated_to_z_up(void** state)
{
    (void)state;
    if (!wkReadsFormat("gltf")) {
        skip();
    }
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
        "\"nodes\":[{\"mesh\":0,\"translation\":[0,0,5]}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
        "\"buffers\":[{\"byteLength\":36,\"uri\":\"data:application/octet-stream;base64,"
        "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAAEAAAEBA\"}],"
        "\"bufferViews\":[{\"buffer\":0,\"byteOffset\":0,\"byteLength\":36}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","
        "\"min\":[0,0,0],\"max\":[1,2,3]}]}";
    wkMeshData* data = wkMustParse(text, sizeof text - 1, "gltf", NULL, NULL);
    assert_int_equal(data->triangleCount, 1);
    wkVec3d second = {1.0, -5.0, 0.0}, third = {0.0, -8.0, 2.0};
    checkPosition("gltf", data->vertices[data->triangles[1]], second);
    checkPosition("gltf", data->vertices[data->triangles[2]], third);
    wkMeshData_Destroy(data);
}

// Units of FBX are centimetres times a factor, and its up axis has a number.
static void fbx_is_rotated_and_scaled(void** state)
{
    (void)state;
    if (!wkReadsFormat("fbx")) {
        skip();
    }
    static const struct {
        int upAxis;
        double unit;
        wkVec3d third; // where (0 2 3) comes to
    } rows[] = {
        {2, 100.0, {0.0, 2.0, 3.0}}, {1, 1.0, {0.0, -0.03, 0.02}}, {2, 2.5, {0.0, 0.05, 0.075}}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        wkBytes bytes = {0};
        wkBytes_Print(&bytes,
                      "; FBX 7.4.0 project file\nFBXHeaderExtension: {\n FBXVersion: 7400\n}\n"
                      "GlobalSettings: {\n Properties70: {\n"
                      "  P: \"UpAxis\", \"int\", \"Integer\", \"\",%d\n"
                      "  P: \"UnitScaleFactor\", \"double\", \"Number\", \"\",%g\n }\n}\n"
                      "Objects: {\n Geometry: 1, \"Geometry::g\", \"Mesh\" {\n"
                      "  Vertices: *9 {\n   a: 0,0,0,1,0,0,0,2,3\n  }\n"
                      "  PolygonVertexIndex: *3 {\n   a: 0,1,-3\n  }\n }\n"
                      " Model: 2, \"Model::m\", \"Mesh\" {\n }\n}\n"
                      "Connections: {\n C: \"OO\",2,0\n C: \"OO\",1,2\n}\n",
                      rows[i].upAxis, rows[i].unit);
        wkMeshData* data = wkMustParse(bytes.data, bytes.count, "fbx", NULL, NULL);
        assert_int_equal(data->triangleCount, 1);
        checkPosition("fbx", data->vertices[data->triangles[2]], rows[i].third);
        wkMeshData_Destroy(data);
        wkBytes_Free(&bytes);
    }
}

// Formats without a row of their own, by their extension.
static void whatever_else_assimp_reads_is_read(void** state)
{
    (void)state;
    static const char off[] = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 2 3\n3 0 1 2\n";
    const char* path = wkTestPath("other.off");
    wkWriteFile(path, off, sizeof off - 1);
    wkLoadInfo report;
    wkLoadDef options = wkDefaultLoadDef();
    wkMeshData* data = NULL;
    wkResult result = wkMeshData_Load(path, &options, &report, &data);
    assert_int_equal(result, wkReadsFormat("dae") ? wk_ok : wk_errorUnsupported);
    if (result == wk_ok) {
        wkVec3d third = {0.0, 2.0, 3.0};
        checkPosition("off", data->vertices[data->triangles[2]], third);
        assert_string_equal(report.format, "off");
    }
    wkMeshData_Destroy(data);
    wkRemoveFiles();
}

static void broken_scenes_are_refused(void** state)
{
    (void)state;
    static const char* const names[] = {"dae", "gltf", "glb", "fbx"};
    static const char text[] = "<COLLADA><broken";
    for (int i = 0; i < 4; i++) {
        wkMeshData* data = NULL;
        wkResult result = wkMeshData_Parse(text, sizeof text - 1, names[i], NULL, NULL, &data);
        assert_int_equal(result, wkReadsFormat(names[i]) ? wk_errorParse : wk_errorUnsupported);
        assert_non_null(strstr(wkGetLastError(), names[i]));
        assert_null(data);
    }
    assert_int_equal(wkGetByteCount(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scenes_are_in_metres_with_z_up),
        cmocka_unit_test(mirrored_nodes_keep_outside_outside),
        cmocka_unit_test(gltf_is_rotated_to_z_up),
        cmocka_unit_test(fbx_is_rotated_and_scaled),
        cmocka_unit_test(whatever_else_assimp_reads_is_read),
        cmocka_unit_test(broken_scenes_are_refused),
    };
    return cmocka_run_group_tests_name("io.scene", tests, NULL, NULL);
}
