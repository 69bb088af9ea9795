// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Every form that a format allows gives the same tetrahedron or square.

#include "io_kit.h"

#include <math.h>
#include <string.h>

static const wkVec3d vertices[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int32_t faces[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};

// The triangles of the tetrahedron, wherever its vertices are in the array.
static void checkTetrahedron(const wkMeshData* data, const char* what)
{
    if (data->triangleCount != 4) {
        fail_msg("%s: %d triangles", what, data->triangleCount);
    }
    for (int i = 0; i < 12; i++) {
        wkVec3d is = data->vertices[data->triangles[i]], should = vertices[faces[i]];
        if (is.x != should.x || is.y != should.y || is.z != should.z) {
            fail_msg("%s: vertex %d is (%g, %g, %g)", what, i, is.x, is.y, is.z);
        }
    }
}

typedef struct textCase {
    const char* what;
    const char* format;
    const char* text;
    int vertexCount;
} textCase;

#define OBJ_VERTICES "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"

// clang-format off
static const textCase tetrahedra[] = {
    {"obj", "obj", OBJ_VERTICES "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n", 4},
    {"obj, texture", "obj", OBJ_VERTICES "vt 0 0\nf 1/1 3/1 2/1\nf 1/1 2/1 4/1\nf 2/1 3/1 4/1\nf 3/1 1/1 4/1\n", 4},
    {"obj, normals", "obj", OBJ_VERTICES "vn 0 0 1\nf 1//1 3//1 2//1\nf 1//1 2//1 4//1\nf 2//1 3//1 4//1\nf 3//1 1//1 4//1\n", 4},
    {"obj, both", "obj", OBJ_VERTICES "f 1/1/1 3/1/1 2/1/1\nf 1/1/1 2/1/1 4/1/1\nf 2/-1/-1 3/1/1 4/1/1\nf 3/1/1 1/1/1 4/1/1\n", 4},
    {"obj, negative", "obj", OBJ_VERTICES "f -4 -2 -3\nf -4 -3 -1\nf -3 -2 -1\nf -2 -4 -1\n", 4},
    {"obj, comments", "obj", "# v 9 9 9\n\n" OBJ_VERTICES "#f 1 2 3\nf 1 3 2 # here\nf 1 2 4#x\n  f 2 3 4\n\tf\t3 1 4", 4},
    {"obj, continued", "obj", "v 0 \\\n 0 0\nv 1 0\\\r\n 0\nv 0 1 0\nv 0 0 1\nf 1 3 \\\n2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n", 4},
    {"obj, comment with backslash", "obj", "# C:\\\n" OBJ_VERTICES "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n", 4},
    {"obj, skipped line continued", "obj", OBJ_VERTICES "usemtl a\\\nf 9 9 9\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n", 4},
    {"obj, crlf", "obj", "v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nv 0 0 1\r\nf 1 3 2\r\nf 1 2 4\r\nf 2 3 4\r\nf 3 1 4\r\n", 4},
    {"obj, weight and colour", "obj", "v 0 0 0 1\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n", 4},
    {"obj, faces first", "obj", "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n" OBJ_VERTICES, 4},
    {"obj, other statements", "obj", "6540 2180\nmtllib a.mtl\no thing\ng part\ns off\n" OBJ_VERTICES "l 1 2\np 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n", 4},
    {"stl", NULL, "solid x\n"
        "facet normal 0 0 -1\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\nendloop\nendfacet\n"
        "facet normal nan nan nan\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendloop\nendfacet\n"
        "facet normal 1 1 1\nouter loop\nvertex 1 0 0\nvertex 0 1e0 0\nvertex 0 -0.0 1\nendloop\nendfacet\n"
        "facet normal -1 0 0\nouter loop\nvertex 0 1 0\nvertex 0 0 0\nvertex 0 0 1.0\nendloop\nendfacet\n"
        "endsolid x\n", 4},
    {"stl, upper case, crlf, two solids", NULL, "  SOLID\r\n"
        "FACET NORMAL 0 0 -1\r\nOUTER LOOP\r\nVERTEX 0 0 0\r\nVERTEX 0 1 0\r\nVERTEX 1 0 0\r\nENDLOOP\r\nENDFACET\r\n"
        "facet normal 0 -1 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 1\nendloop\nendfacet\n"
        "endsolid\nsolid second part\n"
        "facet normal 1 1 1\nouter loop\nvertex 1 0 0\nvertex 0 1 0\nvertex 0 0 1\nendloop\nendfacet\n"
        "facet normal -1 0 0\nouter loop\nvertex 0 1 0\nvertex 0 0 0\nvertex 0 0 1\nendloop\nendfacet\n"
        "endsolid second part", 4},
    {"ply", NULL, "ply\nformat ascii 1.0\ncomment x\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
        "element face 4\nproperty list uchar int vertex_indices\nend_header\n"
        "0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 2 0 3\n", 4},
    {"ply, strange order", NULL, "ply\r\nformat ascii 1.0\r\nobj_info x\r\nelement camera 1\r\nproperty int a\r\nproperty list uchar float b\r\n"
        "element face 4\r\nproperty uchar red\r\nproperty list short uint32 vertex_index\r\nproperty list uchar int other\r\n"
        "element vertex 4\r\nproperty double z\r\nproperty uchar red\r\nproperty double x\r\nproperty list int8 int8 w\r\nproperty int16 y\r\nend_header\r\n"
        "7 2 0.5 1.5\r\n0 3 0 2 1 0\r\n1 3 0 1 3 1 5\r\n2 3 1 2 3 0\r\n3 3 2 0 3 2 1 1\r\n"
        "0 9 0 0 0\r\n0 9 1 1 5 0\r\n0 9 0 0 1\r\n1 9 0 2 5 5 0", 4},
};
// clang-format on

static void every_form_of_text_is_read(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof tetrahedra / sizeof tetrahedra[0]; i++) {
        const textCase* row = &tetrahedra[i];
        wkMeshData* data = wkMustParse(row->text, strlen(row->text), row->format, NULL, NULL);
        checkTetrahedron(data, row->what);
        assert_int_equal(data->vertexCount, row->vertexCount);
        wkMeshData_Destroy(data);
    }
    assert_int_equal(wkGetByteCount(), 0);
}

static wkBytes makeBinaryStl(const char* header, size_t tail)
{
    wkBytes bytes = {0};
    char head[80] = {0};
    memcpy(head, header, strlen(header));
    wkBytes_Add(&bytes, head, sizeof head);
    wkBytes_AddNumber(&bytes, 4, 4, false);
    for (int i = 0; i < 12; i++) {
        for (int k = 0; i % 3 == 0 && k < 3; k++) {
            wkBytes_AddFloat(&bytes, NAN, false);
        }
        wkVec3d v = vertices[faces[i]];
        wkBytes_AddFloat(&bytes, (float)v.x, false);
        wkBytes_AddFloat(&bytes, (float)v.y, false);
        wkBytes_AddFloat(&bytes, (float)v.z, false);
        if (i % 3 == 2) {
            wkBytes_AddNumber(&bytes, 0xffff, 2, false);
        }
    }
    for (size_t i = 0; i < tail; i++) {
        wkBytes_AddNumber(&bytes, 0, 1, false);
    }
    return bytes;
}

static void binary_stl_may_start_with_solid(void** state)
{
    (void)state;
    static const struct {
        const char* header;
        const char* format;
        size_t tail;
    } rows[] = {{"", NULL, 0},
                {"solid part", NULL, 0},
                {"solid\nfacet normal 0 0 0", NULL, 0},
                {"solid part", "stl", 7},
                {"", "stl", 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        wkBytes bytes = makeBinaryStl(rows[i].header, rows[i].tail);
        wkLoadInfo report;
        wkLoadDef options = wkDefaultLoadDef();
        wkMeshData* data = wkMustParse(bytes.data, bytes.count, rows[i].format, &options, &report);
        checkTetrahedron(data, rows[i].header);
        assert_int_equal(data->vertexCount, 4);
        assert_string_equal(report.format, "stl");
        assert_int_equal(strstr(report.warning, "after the last") != NULL, rows[i].tail > 0);
        wkMeshData_Destroy(data);
        wkBytes_Free(&bytes);
    }
}

static void welding_is_exact_and_can_be_left_out(void** state)
{
    (void)state;
    wkBytes bytes = makeBinaryStl("", 0);
    wkLoadDef options = wkDefaultLoadDef();
    options.keepsVertices = true;
    wkMeshData* data = wkMustParse(bytes.data, bytes.count, "stl", &options, NULL);
    checkTetrahedron(data, "kept");
    assert_int_equal(data->vertexCount, 12);
    wkMeshData_Destroy(data);

    // one vertex moved by a single bit is another vertex
    bytes.data[84 + 12] = 1;
    data = wkMustParse(bytes.data, bytes.count, "stl", NULL, NULL);
    assert_int_equal(data->vertexCount, 5);
    wkMeshData_Destroy(data);
    wkBytes_Free(&bytes);
}

static const char* const integerTypes[] = {"char",   "int8",   "uchar", "uint8", "short", "int16",
                                           "ushort", "uint16", "int",   "int32", "uint",  "uint32"};
static const int integerBytes[] = {1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4};

// Tetrahedron with coordinates, counts and indices of the given types, and things in between.
static wkBytes makeBinaryPly(bool isBig, const char* real, int countType, int indexType,
                             bool hasExtras)
{
    wkBytes bytes = {0};
    wkBytes_Print(&bytes, "ply\nformat binary_%s_endian 1.0\n", isBig ? "big" : "little");
    wkBytes_Print(&bytes, "%s",
                  hasExtras ? "element junk 3\nproperty short a\nproperty double b\n"
                              "element lists 2\nproperty list uchar short c\n"
                            : "");
    wkBytes_Print(&bytes, "element vertex 4\nproperty %s x\n%sproperty %s y\nproperty %s z\n", real,
                  hasExtras ? "property uchar red\n" : "", real, real);
    wkBytes_Print(&bytes, "element face 4\n%sproperty list %s %s vertex_indices\nend_header\n",
                  hasExtras ? "property float quality\n" : "", integerTypes[countType],
                  integerTypes[indexType]);
    for (int i = 0; hasExtras && i < 3; i++) {
        wkBytes_AddNumber(&bytes, 1, 2, isBig);
        wkBytes_AddDouble(&bytes, NAN, isBig);
    }
    for (int i = 0; hasExtras && i < 2; i++) {
        wkBytes_AddNumber(&bytes, 2, 1, isBig);
        wkBytes_AddNumber(&bytes, 0xffffffff, 4, isBig);
    }
    for (int i = 0; i < 4; i++) {
        double coordinates[3] = {vertices[i].x, vertices[i].y, vertices[i].z};
        for (int k = 0; k < 3; k++) {
            if (strcmp(real, "float") == 0) {
                wkBytes_AddFloat(&bytes, (float)coordinates[k], isBig);
            } else if (strcmp(real, "double") == 0) {
                wkBytes_AddDouble(&bytes, coordinates[k], isBig);
            } else {
                wkBytes_AddNumber(&bytes, (uint64_t)coordinates[k], 2, isBig);
            }
            if (hasExtras && k == 0) {
                wkBytes_AddNumber(&bytes, 200, 1, isBig);
            }
        }
    }
    for (int i = 0; i < 4; i++) {
        if (hasExtras) {
            wkBytes_AddFloat(&bytes, 0.5f, isBig);
        }
        wkBytes_AddNumber(&bytes, 3, integerBytes[countType], isBig);
        for (int k = 0; k < 3; k++) {
            wkBytes_AddNumber(&bytes, (uint64_t)faces[3 * i + k], integerBytes[indexType], isBig);
        }
    }
    return bytes;
}

static void every_type_of_binary_ply_is_read(void** state)
{
    (void)state;
    static const char* const reals[] = {"float", "double", "short", "float32", "float64"};
    for (int i = 0; i < 2 * 3 * 12 * 12 * 2; i++) {
        const char* real = reals[i / 2 % 3];
        wkBytes bytes = makeBinaryPly(i % 2 == 1, real, i / 6 % 12, i / 72 % 12, i / 864 == 1);
        wkMeshData* data = wkMustParse(bytes.data, bytes.count, NULL, NULL, NULL);
        checkTetrahedron(data, real);
        assert_int_equal(data->vertexCount, 4);
        wkMeshData_Destroy(data);

        // every byte less is one too few
        for (size_t less = 1; less < 60; less++) {
            assert_int_equal(
                wkMeshData_Parse(bytes.data, bytes.count - less, NULL, NULL, NULL, &data),
                wk_errorParse);
            assert_null(data);
        }
        wkBytes_Free(&bytes);
    }
}

static void polygons_become_fans(void** state)
{
    (void)state;
    static const char* const texts[] = {
        "v 0 0 0\nv 2 0 0\nv 3 1 0\nv 1 2 0\nv 0 1 0\nf 1 2 3 4 5\n",
        "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty "
        "float "
        "z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
        "0 0 0 2 0 0 3 1 0 1 2 0 0 1 0 5 0 1 2 3 4"};
    static const int32_t fan[9] = {0, 1, 2, 0, 2, 3, 0, 3, 4};
    for (int i = 0; i < 2; i++) {
        wkMeshData* data =
            wkMustParse(texts[i], strlen(texts[i]), i == 0 ? "obj" : NULL, NULL, NULL);
        assert_int_equal(data->triangleCount, 3);
        assert_memory_equal(data->triangles, fan, sizeof fan);
        wkMeshData_Destroy(data);
    }
}

static void strips_become_triangles(void** state)
{
    (void)state;
    static const char text[] =
        "ply\nformat ascii 1.0\nelement vertex 5\nproperty float x\nproperty float y\nproperty "
        "float "
        "z\nelement tristrips 1\nproperty list int int vertex_indices\nend_header\n"
        "0 0 0 1 0 0 0 1 0 1 1 0 0 2 0 9 0 1 2 3 4 -1 4 3 2";
    static const int32_t triangles[12] = {0, 1, 2, 2, 1, 3, 2, 3, 4, 4, 3, 2};
    wkMeshData* data = wkMustParse(text, sizeof text - 1, NULL, NULL, NULL);
    assert_int_equal(data->triangleCount, 4);
    assert_memory_equal(data->triangles, triangles, sizeof triangles);
    wkMeshData_Destroy(data);
}

static void scale_acts_on_axes_and_mirrors_rotation_triangles(void** state)
{
    (void)state;
    const char* text = tetrahedra[0].text;
    wkLoadDef options = wkDefaultLoadDef();
    wkLoadInfo report;
    options.scale.x = 2.0;
    options.scale.y = -3.0;
    options.scale.z = 0.5;
    wkMeshData* data = wkMustParse(text, strlen(text), "obj", &options, &report);
    assert_true(data->vertices[1].x == 2.0 && data->vertices[2].y == -3.0 &&
                data->vertices[3].z == 0.5);
    assert_true(report.bounds.lower.y == -3.0 && report.bounds.upper.x == 2.0);
    static const int32_t turned[3] = {0, 1, 2};
    assert_memory_equal(data->triangles, turned, sizeof turned);
    wkMeshData_Destroy(data);
}

static void sizes_of_other_units_are_warned_of(void** state)
{
    (void)state;
    static const struct {
        double scale;
        const char* words;
    } rows[] = {{1.0, ""}, {99.0, ""}, {101.0, "large"}, {0.0011, ""}, {0.0009, "small"}};
    const char* text = tetrahedra[0].text;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        wkLoadInfo report;
        wkLoadDef options = wkDefaultLoadDef();
        options.scale.x = options.scale.y = options.scale.z = rows[i].scale;
        wkMeshData_Destroy(wkMustParse(text, strlen(text), "obj", &options, &report));
        assert_non_null(strstr(report.warning, rows[i].words));
        assert_int_equal(report.warning[0] == '\0', rows[i].words[0] == '\0');
    }
}

static void files_without_triangles_are_warned_of(void** state)
{
    (void)state;
    static const char text[] =
        "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty "
        "float y\nproperty float z\nend_header\n1 2 3\n";
    wkLoadInfo report;
    wkLoadDef options = wkDefaultLoadDef();
    wkMeshData* data = wkMustParse(text, sizeof text - 1, NULL, &options, &report);
    assert_int_equal(data->vertexCount, 1);
    assert_int_equal(data->triangleCount, 0);
    assert_non_null(strstr(report.warning, "no triangles"));
    wkMeshData_Destroy(data);
    wkMeshData_Destroy(wkMustParse("", 0, "obj", NULL, NULL));
    wkMeshData_Destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_of_text_is_read),
        cmocka_unit_test(binary_stl_may_start_with_solid),
        cmocka_unit_test(welding_is_exact_and_can_be_left_out),
        cmocka_unit_test(every_type_of_binary_ply_is_read),
        cmocka_unit_test(polygons_become_fans),
        cmocka_unit_test(strips_become_triangles),
        cmocka_unit_test(scale_acts_on_axes_and_mirrors_rotation_triangles),
        cmocka_unit_test(sizes_of_other_units_are_warned_of),
        cmocka_unit_test(files_without_triangles_are_warned_of),
    };
    return cmocka_run_group_tests_name("io.readers", tests, NULL, NULL);
}
