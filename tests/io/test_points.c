// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Points from files: every form that a format allows gives the same points, what is saved comes back
// to the bit, and what a sensor has missed stays missing.

#include "io_kit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define POINT_COUNT 4

static const float expected[3 * POINT_COUNT] = {1, 2, 3, -4, 5, 6, 7, -8, 9, 0, 100, -100};

static wkPointData* mustParse(const void* bytes, size_t count, const char* format,
                              const wkLoadDef* options, wkLoadInfo* info)
{
    wkPointData* data = NULL;
    if (wkPointData_Parse(bytes, count, format, options, info, &data) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return data;
}

static void checkPoints(const wkPointData* data, const char* what)
{
    if (data->count != POINT_COUNT || memcmp(data->points, expected, sizeof expected) != 0) {
        fail_msg("%s: %d points, not those that are expected", what, data->count);
    }
    assert_int_equal((int64_t)data->width * data->height, data->count);
}

#define PLY_HEAD "ply\nformat ascii 1.0\n"
#define PLY_XYZ "element vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
#define PCD_FIELDS "VERSION .7\nFIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\n"
#define ROWS "1 2 3\n-4 5 6\n7 -8 9\n0 100 -100\n"

// clang-format off
static const struct { const char* what; const char* format; const char* text; } texts[] = {
    {"pcd", NULL, "# .PCD v.7\n" PCD_FIELDS "WIDTH 4\nHEIGHT 1\nVIEWPOINT 0 0 0 1 0 0 0\nPOINTS 4\nDATA ascii\n" ROWS},
    {"pcd, image", NULL, PCD_FIELDS "WIDTH 2\nHEIGHT 2\nPOINTS 4\nDATA ascii\n" ROWS},
    {"pcd, old", NULL, "COLUMNS x y z\nPOINTS 4\nDATA ascii\n" ROWS},
    {"pcd, no points", NULL, PCD_FIELDS "WIDTH 4\nHEIGHT 1\nDATA ascii\n" ROWS},
    {"pcd, crlf", "pcd", "VERSION .7\r\nFIELDS x y z\r\nSIZE 4 4 4\r\nTYPE F F F\r\nCOUNT 1 1 1\r\nWIDTH 4\r\nHEIGHT 1\r\nPOINTS 4\r\nDATA ascii\r\n1 2 3\r\n-4 5 6\r\n7 -8 9\r\n0 100 -100\r\n"},
    {"pcd, other fields", NULL, "FIELDS rgb z _ x y\nSIZE 4 8 1 4 2\nTYPE U F U F I\nCOUNT 1 1 3 1 1\nWIDTH 4\nHEIGHT 1\nPOINTS 4\nDATA ascii\n"
        "77 3 0 0 0 1 2\n\n77 6 0 0 0 -4.0 5\n-nan 9 0 0 0 7e0 -8\n77 -100 a b c 0 1e2"},
    {"ply", NULL, PLY_HEAD PLY_XYZ "end_header\n" ROWS},
    {"ply, faces behind", NULL, PLY_HEAD PLY_XYZ "element face 1\nproperty list uchar int vertex_indices\nend_header\n" ROWS "3 0 1 77\n"},
    {"ply, faces in front", NULL, PLY_HEAD "element face 1\nproperty list uchar int vertex_indices\n" PLY_XYZ "end_header\n3 0 1 77\n" ROWS},
    {"csv", "csv", "1,2,3\n-4,5,6\n7,-8,9\n0,100,-100"},
    {"csv, names", "csv", "t, Y ,\"z\",X\n0,2,3,1\n0, 5 , 6 ,-4\n,-8,9,7\n0,100,-100,0\n"},
    {"csv, semicolons", "csv", "# a comment\nx;y;z\n\n1;2;3\n-4;5;6\n7;-8;9;8\n0;100;-100\n"},
    {"xyz", "xyz", "1 2 3 255\n  -4\t5   6\n7 -8 9\r\n0 100 -100\n"},
    {"vtk", NULL, "# vtk DataFile Version 3.0\nPOINTS 9 float\nASCII\nDATASET POLYDATA\nPOINTS 4 float\n1 2 3 -4 5 6\n7 -8 9 0 100 -100\nVERTICES 4 8\n"},
    {"vtk, grid", NULL, "# vtk DataFile Version 2.0\ntitle\nascii\nDATASET STRUCTURED_GRID\nDIMENSIONS 4 1 1\nPOINTS 4 double\n" ROWS},
};
// clang-format on

static void every_form_of_text_is_read(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        wkLoadDef options = wkDefaultLoadDef();
        wkLoadInfo report;
        wkPointData* data =
            mustParse(texts[i].text, strlen(texts[i].text), texts[i].format, &options, &report);
        checkPoints(data, texts[i].what);
        assert_int_equal(report.notFiniteCount, 0);
        assert_string_equal(report.warning, "");
        assert_true(report.bounds.lower.x == -4.0 && report.bounds.upper.y == 100.0);
        wkPointData_Destroy(data);
    }
    assert_int_equal(wkGetByteCount(), 0);
}

// Types of numbers: as PCD, NPY, PLY and VTK call them; NULL: not in this format.
static const struct numberType {
    char kind;
    int size;
    const char* npy;
    const char* ply;
    const char* vtk;
} types[] = {
    {'F', 4, "f4", "float", "float"},       {'F', 8, "f8", "double", "double"},
    {'I', 1, "i1", "char", NULL},           {'I', 2, "i2", "short", "short"},
    {'I', 4, "i4", "int", "int"},           {'I', 8, "i8", NULL, "long"},
    {'U', 1, "u1", "uchar", NULL},          {'U', 2, "u2", "ushort", NULL},
    {'U', 4, "u4", "uint", "unsigned_int"}, {'U', 8, "u8", NULL, NULL},
};

#define TYPE_COUNT (sizeof types / sizeof types[0])

// Without a sign, negative numbers are left out.
static float expectedAs(const struct numberType* type, size_t i)
{
    return type->kind == 'U' && expected[i] < 0.0f ? 0.0f : expected[i];
}

static void addNumber(wkBytes* bytes, const struct numberType* type, float value, bool isBig)
{
    if (type->kind != 'F') {
        wkBytes_AddNumber(bytes, (uint64_t)(int64_t)value, type->size, isBig);
    } else if (type->size == 4) {
        wkBytes_AddFloat(bytes, value, isBig);
    } else {
        wkBytes_AddDouble(bytes, (double)value, isBig);
    }
}

static void checkTyped(wkBytes* bytes, const struct numberType* type, const char* format)
{
    wkPointData* data = mustParse(bytes->data, bytes->count, NULL, NULL, NULL);
    assert_int_equal(data->count, POINT_COUNT);
    for (size_t i = 0; i < 3 * POINT_COUNT; i++) {
        if (data->points[i] != expectedAs(type, i)) {
            fail_msg("%s, %s: number %zu is %g", format, type->npy, i, (double)data->points[i]);
        }
    }
    wkPointData_Destroy(data);

    // every byte less is one too few
    for (size_t count = 0; count < bytes->count; count++) {
        wkResult result = wkPointData_Parse(bytes->data, count, format, NULL, NULL, &data);
        if (result != wk_errorParse || data != NULL) {
            fail_msg("%s, %s: %zu of %zu bytes are read", format, type->npy, count, bytes->count);
        }
    }
    wkBytes_Free(bytes);
}

// z, something of another size, x, y.
static wkBytes makePcd(const struct numberType* type, const char* form)
{
    wkBytes bytes = {0}, columns = {0};
    wkBytes_Print(&bytes,
                  "FIELDS z other x y\nSIZE %d 2 %d %d\nTYPE %c U %c %c\nCOUNT 1 3 1 1\n"
                  "WIDTH 2\nHEIGHT 2\nPOINTS 4\nDATA %s\n",
                  type->size, type->size, type->size, type->kind, type->kind, type->kind, form);
    static const int order[4] = {2, -1, 0, 1};
    bool isPacked = strcmp(form, "binary") != 0;
    for (int k = 0; k < 4 * POINT_COUNT; k++) {
        size_t point = (size_t)(isPacked ? k % POINT_COUNT : k / 4);
        int axis = order[isPacked ? k / POINT_COUNT : k % 4];
        if (axis < 0) {
            wkBytes_AddNumber(isPacked ? &columns : &bytes, 0x123456789abc, 6, false);
        } else {
            float value = expectedAs(type, 3 * point + (size_t)axis);
            addNumber(isPacked ? &columns : &bytes, type, value, false);
        }
    }
    if (isPacked) {
        wkBytes_AddPcdColumns(&bytes, columns.data, columns.count);
    }
    wkBytes_Free(&columns);
    return bytes;
}

static void every_type_of_binary_pcd_is_read(void** state)
{
    (void)state;
    for (size_t i = 0; i < TYPE_COUNT; i++) {
        wkBytes binary = makePcd(&types[i], "binary");
        checkTyped(&binary, &types[i], "pcd");
        wkBytes packed = makePcd(&types[i], "binary_compressed");
        checkTyped(&packed, &types[i], "pcd");
    }
}

// Versions 1 to 3, both byte orders, both orders of indices, one or two sizes in front.
static void every_form_of_npy_is_read(void** state)
{
    (void)state;
    for (size_t i = 0; i < TYPE_COUNT * 3 * 2 * 3; i++) {
        const struct numberType* type = &types[i % TYPE_COUNT];
        int version = 1 + (int)(i / TYPE_COUNT % 3), layout = (int)(i / TYPE_COUNT / 6);
        bool isBig = i / TYPE_COUNT / 3 % 2 == 1, isFortran = layout == 1;
        char words[200];
        int length = snprintf(
            words, sizeof words, "{'descr': '%c%s', 'fortran_order': %s, 'shape': (%s, 4), }\n",
            isBig ? '>' : '<', type->npy, isFortran ? "True" : "False", layout == 2 ? "2, 2" : "4");
        wkBytes bytes = {0};
        wkBytes_Add(&bytes, "\x93NUMPY", 6);
        wkBytes_AddNumber(&bytes, (uint64_t)version, 2, false);
        wkBytes_AddNumber(&bytes, (uint64_t)length, version == 1 ? 2 : 4, false);
        wkBytes_Add(&bytes, words, (size_t)length);
        for (size_t k = 0; k < 4 * POINT_COUNT; k++) {
            size_t point = isFortran ? k % 4 : k / 4, axis = isFortran ? k / 4 : k % 4;
            float value = axis < 3 ? expectedAs(type, 3 * point + axis) : 77.0f;
            addNumber(&bytes, type, value, isBig);
        }
        checkTyped(&bytes, type, "npy");
    }
}

static void every_type_of_binary_ply_and_vtk_is_read(void** state)
{
    (void)state;
    for (size_t i = 0; i < TYPE_COUNT * 3; i++) {
        const struct numberType* type = &types[i % TYPE_COUNT];
        bool isVtk = i / TYPE_COUNT == 2, isBig = i / TYPE_COUNT > 0;
        const char* name = isVtk ? type->vtk : type->ply;
        if (name == NULL) {
            continue;
        }
        wkBytes bytes = {0};
        if (isVtk) {
            wkBytes_Print(&bytes, "# vtk DataFile Version 3.0\n\nBINARY\nPOINTS 4 %s\n", name);
        } else {
            wkBytes_Print(&bytes,
                          "ply\nformat binary_%s_endian 1.0\nelement vertex 4\nproperty %s x\n"
                          "property %s y\nproperty %s z\nend_header\n",
                          isBig ? "big" : "little", name, name, name);
        }
        for (size_t k = 0; k < 3 * POINT_COUNT; k++) {
            addNumber(&bytes, type, expectedAs(type, k), isBig);
        }
        checkTyped(&bytes, type, isVtk ? "vtk" : "ply");
    }
}

static void scans_of_kitti_are_four_floats_each(void** state)
{
    (void)state;
    wkBytes bytes = {0};
    for (size_t i = 0; i < 3 * POINT_COUNT; i++) {
        wkBytes_AddFloat(&bytes, expected[i], false);
        if (i % 3 == 2) {
            wkBytes_AddFloat(&bytes, 0.5f, false);
        }
    }
    wkPointData* data = mustParse(bytes.data, bytes.count, "bin", NULL, NULL);
    checkPoints(data, "bin");
    wkPointData_Destroy(data);
    assert_int_equal(wkPointData_Parse(bytes.data, bytes.count - 4, "bin", NULL, NULL, &data),
                     wk_errorParse);
    assert_non_null(strstr(wkGetLastError(), "byte 48: the file ends inside point 3"));
    wkBytes_Free(&bytes);
}

// Three rows of 50 with holes, seen from somewhere.
static wkPointData makeImage(float points[450])
{
    uint32_t state = 1;
    for (size_t i = 0; i < 450; i++) {
        state = state * 1664525u + 1013904223u;
        points[i] = i % 7 == 0 ? NAN : (float)state * 1e-9f;
    }
    points[1] = INFINITY;
    points[2] = -1e-44f;
    wkPointData image = {points,   150, 50, 3, true, {{0.1, -2.0, 1e-7}, {0.0, 0.6, 0.0, 0.8}},
                         {0, 0, 0}};
    return image;
}

static void what_is_saved_comes_back(void** state)
{
    (void)state;
    static const struct {
        const char* name;
        bool hasRows, hasSensor;
    } rows[] = {{"image.pcd", true, true},
                {"image.npy", true, false},
                {"image.ply", false, false},
                {"image.bin", false, false}};
    float points[450];
    wkPointData image = makeImage(points);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char* path = wkTestPath(rows[i].name);
        wkPointData* back = NULL;
        wkLoadInfo report;
        wkLoadDef options = wkDefaultLoadDef();
        assert_int_equal(wkPointData_Save(path, &image), wk_ok);
        assert_int_equal(wkPointData_Load(path, &options, &report, &back), wk_ok);
        assert_int_equal(back->count, 150);
        assert_memory_equal(back->points, points, sizeof points);
        assert_int_equal(back->height, rows[i].hasRows ? 3 : 1);
        assert_int_equal(back->width, rows[i].hasRows ? 50 : 150);
        assert_int_equal(back->hasSensor, rows[i].hasSensor);
        wkPose sensor = rows[i].hasSensor ? image.sensor : wkIdentityPose();
        assert_memory_equal(&back->sensor, &sensor, sizeof sensor);
        assert_int_equal(report.notFiniteCount, 65);
        assert_string_equal(report.warning, "");
        wkPointData_Destroy(back);
    }
    wkRemoveFiles();
    assert_int_equal(wkGetByteCount(), 0);
}

static void clouds_without_points_are_files_too(void** state)
{
    (void)state;
    static const char* const names[] = {"none.pcd", "none.npy", "none.ply", "none.bin", "none.las"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char* path = wkTestPath(names[i]);
        wkPointData none = {.count = 0}, *back = NULL;
        wkLoadInfo report;
        wkLoadDef options = wkDefaultLoadDef();
        assert_int_equal(wkPointData_Save(path, &none), wk_ok);
        if (wkPointData_Load(path, &options, &report, &back) != wk_ok) {
            fail_msg("%s", wkGetLastError());
        }
        assert_int_equal(back->count, 0);
        assert_string_equal(report.warning, "holds no finite points");
        wkPointData_Destroy(back);
    }
    wkRemoveFiles();
}

static void scale_acts_on_points_and_sensor(void** state)
{
    (void)state;
    static const char text[] =
        PCD_FIELDS "WIDTH 1\nHEIGHT 1\nVIEWPOINT 1 2 3 1 0 0 0\nDATA ascii\n10 20 nan\n";
    wkLoadDef options = wkDefaultLoadDef();
    options.scale.x = 0.5;
    options.scale.y = -2.0;
    wkPointData* data = mustParse(text, sizeof text - 1, NULL, &options, NULL);
    assert_true(data->points[0] == 5.0f && data->points[1] == -40.0f && isnan(data->points[2]));
    assert_true(data->sensor.position.x == 0.5 && data->sensor.position.y == -4.0 &&
                data->sensor.position.z == 3.0);
    wkPointData_Destroy(data);
}

#define PLY_OF_ONE                                                                                 \
    "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\nproperty float " \
    "z\n"                                                                                          \
    "end_header\n"

// Three floats for each point instead of four: coordinates are read as intensities.
static void scans_of_three_floats_are_reported(void** state)
{
    (void)state;
    const float points[4][3] = {{1, 2, 3}, {-4, 5, 6}, {7, -8, 9}, {1, 2, 3}};
    wkLoadInfo report;
    wkLoadDef options = wkDefaultLoadDef();
    wkPointData_Destroy(mustParse((const char*)points, sizeof points, "bin", &options, &report));
    assert_non_null(strstr(report.warning, "point 0 has an intensity of -4"));
    const float scan[2][4] = {{1, 2, 3, 0.5f}, {-4, 5, -6, 0.0f}};
    wkPointData_Destroy(mustParse((const char*)scan, sizeof scan, "bin", &options, &report));
    assert_int_equal(report.warning[0], '\0');
}

static void doubtful_clouds_are_reported(void** state)
{
    (void)state;
    static const struct {
        const char* format;
        const char* text;
        const char* words;
    } rows[] = {
        {"xyz", "1 2 3", ""},
        {"xyz", "nan nan nan\n", "no finite points"},
        {"xyz", "500000 5500000 100\n", "floats are 0.5 m apart"},
        {"pcd", "FIELDS x y z\nPOINTS 1\nDATA ascii\n1 2 3\n4 5 6", "5 bytes after the last of 1"},
        {"ply", PLY_OF_ONE "1 2 3\n \n", ""},
        {"ply", PLY_OF_ONE "1 2 3\n4 5 6\n", "6 bytes after the last of 1"},
        {"pcd", "FIELDS x y z\nVIEWPOINT 0 0 0 0 0 0 0\nPOINTS 1\nDATA ascii\n1 2 3", "VIEWPOINT"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        wkLoadInfo report;
        wkLoadDef options = wkDefaultLoadDef();
        wkPointData_Destroy(
            mustParse(rows[i].text, strlen(rows[i].text), rows[i].format, &options, &report));
        assert_non_null(strstr(report.warning, rows[i].words));
        assert_int_equal(report.warning[0] == '\0', rows[i].words[0] == '\0');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_of_text_is_read),
        cmocka_unit_test(every_type_of_binary_pcd_is_read),
        cmocka_unit_test(every_form_of_npy_is_read),
        cmocka_unit_test(every_type_of_binary_ply_and_vtk_is_read),
        cmocka_unit_test(scans_of_kitti_are_four_floats_each),
        cmocka_unit_test(what_is_saved_comes_back),
        cmocka_unit_test(clouds_without_points_are_files_too),
        cmocka_unit_test(scale_acts_on_points_and_sensor),
        cmocka_unit_test(doubtful_clouds_are_reported),
        cmocka_unit_test(scans_of_three_floats_are_reported),
    };
    return cmocka_run_group_tests_name("io.points", tests, NULL, NULL);
}
