// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Broken, lying and gigantic files are refused with words that say where, and before memory is
// taken.

#include "io_kit.h"
#include "small_memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct badText {
    const char* format;
    const char* text;
    wkResult result;
    const char* words; // what the message must hold
} badText;

#define PLY "ply\nformat ascii 1.0\n"
#define XYZ "property float x\nproperty float y\nproperty float z\n"
#define FACES "property list uchar int vertex_indices\n"

// clang-format off
static const badText badTexts[] = {
    {"obj", "v 1 2\nf 1 1 1\n",                      wk_errorParse,     "obj:1: v: vertex 0: z"},
    {"obj", "v 1 2 3\nv 1 x 3\n",                    wk_errorParse,     "obj:2: v: vertex 1: y is not a number"},
    {"obj", "v 1 2 3\n\nv 1 2 nan\n",                wk_errorNotFinite, "obj:3: v: vertex 1: z is not finite"},
    {"obj", "v 1e999 2 3\n",                         wk_errorNotFinite, "obj:1: v: vertex 0: x"},
    {"obj", "v 1 2 3\nf 1 1 2\n",                    wk_errorParse,     "obj:2: f: vertex 2, but there are only 1"},
    {"obj", "v 1 2 3\nf 1 1 0\n",                    wk_errorParse,     "obj:2: f: vertex 0"},
    {"obj", "v 1 2 3\nf 1 1 -2\n",                   wk_errorParse,     "obj:2: f: vertex -2"},
    {"obj", "v 1 2 3\nf 1 1 99999999999999999999\n", wk_errorParse,     "obj:2: f: vertex"},
    {"obj", "v 1 2 3\nf 1 1\n",                      wk_errorParse,     "obj:2: f: a face has 2 vertices"},
    {"obj", "v 1 2 3\nf 1 1 a\n",                    wk_errorParse,     "obj:2: f: a vertex"},
    {"obj", "v 1 2 3\nf 1 1 1/a\n",                  wk_errorParse,     "obj:2: f: a vertex"},
    {"obj", "v 1 2 3\nf 1 1 1.5\n",                  wk_errorParse,     "obj:2: f: a vertex"},
    {"stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\n",
        wk_errorParse, "stl:6: the file ends where \"vertex\""},
    {"stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 1 1 0\nvertex 0 1 0\nendloop\nendfacet\nendsolid\n",
        wk_errorParse, "stl:7: \"vertex\" where \"endloop\""},
    {"stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 inf 0\n",
        wk_errorNotFinite, "stl:5: vertex 1: y is not finite"},
    {"stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 b 0\n",
        wk_errorParse, "stl:5: vertex 1: y is not a number"},
    {"stl", "solid\nfacet normal 0 0 1\ninner loop\n", wk_errorParse, "stl:3: \"inner\" where \"outer\""},
    {"stl", "solid\nendsolid\nmore\n",               wk_errorParse,     "stl:3: \"more\" where \"solid\""},
    {"stl", "solid\n",                               wk_errorParse,     "stl:2: the file ends where \"endsolid\""},
    {"stl", "",                                      wk_errorParse,     "0 bytes"},
    {"stl", "sol",                                   wk_errorParse,     "3 bytes"},
    {"ply", "",                                      wk_errorParse,     "does not start"},
    {"ply", "plyx",                                  wk_errorParse,     "does not start"},
    {"ply", "ply\n",                                 wk_errorParse,     "ends inside the header"},
    {"ply", "ply\nend_header\n",                     wk_errorParse,     "no line with the format"},
    {"ply", "ply\nformat text 1.0\nend_header\n",    wk_errorParse,     "ply:2: header: format"},
    {"ply", PLY "end_header\n",                      wk_errorParse,     "no element vertex"},
    {"ply", PLY "property float x\n",                wk_errorParse,     "ply:3: header: property before"},
    {"ply", PLY "element vertex x\n",                wk_errorParse,     "ply:3: header: element"},
    {"ply", PLY "element vertex -1\n",               wk_errorParse,     "ply:3: header: element"},
    {"ply", PLY "element vertex 1\nproperty half x\n", wk_errorParse,   "ply:4: header: property: unknown type, found \"property half x\""},
    {"ply", PLY "element vertex 1\nproperty list float int x\n", wk_errorParse, "ply:4: header: property list"},
    {"ply", PLY "element vertex 1\nproperty list uchar int x\n", wk_errorParse, "ply:4: header: property: x, y, z"},
    {"ply", PLY "element vertex 1\nproperty float x\nproperty float y\nend_header\n1 2\n", wk_errorParse, "0 properties z"},
    {"ply", PLY "element vertex 1\nproperty float x\n" XYZ "end_header\n1 2\n", wk_errorParse, "2 properties x"},
    {"ply", PLY "element vertex 0\n" XYZ "element vertex 0\n", wk_errorParse, "twice"},
    {"ply", PLY "wrong\n",                           wk_errorParse,     "ply:3: header: a line"},
    {"ply", PLY "element vertex 1\n" XYZ "element face 1\nproperty uchar a\nend_header\n", wk_errorParse, "0 lists"},
    {"ply", PLY "element vertex 1\n" XYZ "element face 1\nproperty list uchar float vertex_indices\n", wk_errorParse, "integer type"},
    {"ply", PLY "element vertex 1\n" XYZ "end_header\n1 2\n",     wk_errorParse,     "bytes for 0"},
    {"ply", PLY "element vertex 1\n" XYZ "end_header\n1 2      ", wk_errorParse,     "vertex 0, z: the file ends"},
    {"ply", PLY "element vertex 1\n" XYZ "end_header\n1 2 z  ",   wk_errorParse,     "ply:8: vertex 0, z: is not a number"},
    {"ply", PLY "element vertex 2\n" XYZ "end_header\n1 2 3\n4 nan 5  ", wk_errorNotFinite, "ply:9: vertex 1, y: is not finite"},
    {"ply", PLY "element vertex 1000000000000\n" XYZ "end_header\n1 2 3\n", wk_errorParse, "too many"},
    {"ply", PLY "element vertex 2000000000\n" XYZ "end_header\n1 2 3\n", wk_errorParse, "says 2000000000 rows"},
    {"ply", PLY "element vertex 1\n" XYZ "element face 99999999999999\n" FACES "end_header\n1 2 3\n", wk_errorParse, "says 99999999999999 rows"},
    {"ply", PLY "element vertex 1\n" XYZ "element face 1\n" FACES "end_header\n1 2 3\n3 0 0 1\n", wk_errorParse, "ply:11: face 0, vertex_indices: no vertex"},
    {"ply", PLY "element vertex 1\n" XYZ "element face 1\n" FACES "end_header\n1 2 3\n3 0 0 -1\n", wk_errorParse, "ply:11: face 0, vertex_indices: no vertex"},
    {"ply", PLY "element vertex 1\n" XYZ "element face 1\n" FACES "end_header\n1 2 3\n3 0 0 0.5\n", wk_errorParse, "whole number"},
    {"ply", PLY "element vertex 1\n" XYZ "element face 1\n" FACES "end_header\n1 2 3\n2 0 0\n", wk_errorParse, "less than 3"},
    {"ply", PLY "element vertex 1\n" XYZ "element face 1\n" FACES "end_header\n1 2 3\n-3 0 0\n", wk_errorParse, "no count"},
    {"ply", PLY "element vertex 1\n" XYZ "element face 1\n" FACES "end_header\n1 2 3\n4000000000 0 0 0\n", wk_errorParse, "longer than the rest"},
    {"xyz", "1 2 3",                                 wk_errorUnsupported, "xyz"},
    {NULL,  "1 2 3",                                 wk_errorUnsupported, "stl, obj, ply"},
};
// clang-format on

static void expectRefusal(const void* bytes, size_t count, const char* format, wkResult expected,
                          const char* words)
{
    int nothing;
    wkMeshData* data = (wkMeshData*)(void*)&nothing;
    wkResult result = wkMeshData_Parse(bytes, count, format, NULL, NULL, &data);
    wkExpectRefusal(result, data, expected, words);
}

static void broken_text_is_refused_and_says_where(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof badTexts / sizeof badTexts[0]; i++) {
        const badText* row = &badTexts[i];
        expectRefusal(row->text, strlen(row->text), row->format, row->result, row->words);
    }
}

static void lying_counts_take_no_memory(void** state)
{
    (void)state;
    uint8_t stl[84 + 50] = {0};
    memset(stl + 80, 0xff, 4);
    expectRefusal(stl, sizeof stl, "stl", wk_errorParse, "byte 80: count says 4294967295");
    memset(stl + 80, 0, 4);
    stl[80] = 2;
    expectRefusal(stl, sizeof stl, "stl", wk_errorParse, "says 2 triangles, there are bytes for 1");
    stl[80] = 1;
    memset(stl + 84 + 12 + 16, 0xff, 4); // vertex 1, y
    expectRefusal(stl, sizeof stl, "stl", wk_errorNotFinite, "byte 112: triangle 0, vertex 1");

    wkBytes ply = {0};
    wkBytes_Print(&ply, "ply\nformat binary_little_endian 1.0\nelement vertex 3\n" XYZ
                        "element face 2\nproperty list uint int vertex_indices\nend_header\n");
    size_t start = ply.count;
    for (int i = 0; i < 9; i++) {
        wkBytes_AddFloat(&ply, i == 5 ? INFINITY : (float)i, false);
    }
    wkBytes_AddNumber(&ply, 0xfffffff0, 4, false);
    wkBytes_AddNumber(&ply, 0, 4, false);
    char words[80];
    snprintf(words, sizeof words, "byte %zu: vertex 1, z: is not finite", start + 20);
    expectRefusal(ply.data, ply.count, NULL, wk_errorNotFinite, words);
    memset(ply.data + start + 20, 0, 4);
    snprintf(words, sizeof words, "byte %zu: face 0, vertex_indices: a list is longer", start + 36);
    expectRefusal(ply.data, ply.count, NULL, wk_errorParse, words);
    wkBytes_Free(&ply);
}

// Every prefix and every changed byte gives an answer or a refusal, and nothing stays behind.
static void damage_is_survived(void** state)
{
    (void)state;
    static const char* const names[] = {"torus.stl", "torus.obj", "torus.ply"};
    wkMeshData torus = wkMakeTorus(4);
    for (size_t i = 0; i < 3; i++) {
        const char* path = wkTestPath(names[i]);
        assert_int_equal(wkMeshData_Save(path, &torus), wk_ok);
        uint8_t bytes[8192];
        FILE* file = fopen(path, "rb");
        assert_non_null(file);
        size_t count = fread(bytes, 1, sizeof bytes, file);
        fclose(file);
        assert_true(count > 0 && count < sizeof bytes);
        for (size_t k = 0; k < count; k++) {
            wkMeshData* data = NULL;
            uint8_t kept = bytes[k];
            wkMeshData_Parse(bytes, k, names[i] + 6, NULL, NULL, &data);
            wkMeshData_Destroy(data);
            bytes[k] = (uint8_t)(kept ^ (1u << (k % 8)));
            wkMeshData_Parse(bytes, count, names[i] + 6, NULL, NULL, &data);
            wkMeshData_Destroy(data);
            bytes[k] = kept;
        }
        assert_int_equal(wkGetByteCount(), 0);
    }
    wkFreeTorus(&torus);
    wkRemoveFiles();
}

static void files_that_are_none_are_refused(void** state)
{
    (void)state;
    wkMeshData* data = NULL;
    assert_int_equal(wkMeshData_Load("/nowhere/at/all.stl", NULL, NULL, &data), wk_errorFile);
    assert_non_null(strstr(wkGetLastError(), "/nowhere/at/all.stl: cannot be opened"));
    assert_int_equal(wkMeshData_Load("/tmp", NULL, NULL, &data), wk_errorFile);
    assert_non_null(strstr(wkGetLastError(), "not an ordinary file"));
    assert_int_equal(wkMeshData_Load("/dev/null", NULL, NULL, &data), wk_errorFile);
    const char* path = wkTestPath("unknown.strange");
    wkWriteFile(path, "hello", 5);
    assert_int_equal(wkMeshData_Load(path, NULL, NULL, &data), wk_errorUnsupported);
    assert_non_null(strstr(wkGetLastError(), "unknown.strange"));
    wkRemoveFiles();
}

static void bad_arguments_are_refused(void** state)
{
    (void)state;
    wkMeshData* data = NULL;
    wkLoadDef options = wkDefaultLoadDef();
    assert_int_equal(wkMeshData_Load(NULL, NULL, NULL, &data), wk_errorArgument);
    assert_int_equal(wkMeshData_Load("a.stl", NULL, NULL, NULL), wk_errorArgument);
    assert_int_equal(wkMeshData_Parse(NULL, 1, "stl", NULL, NULL, &data), wk_errorArgument);
    options.cookie = 0;
    assert_int_equal(wkMeshData_Parse("", 0, "obj", &options, NULL, &data), wk_errorArgument);
    static const double scales[] = {0.0, NAN, INFINITY};
    for (int i = 0; i < 3; i++) {
        options = wkDefaultLoadDef();
        options.scale.y = scales[i];
        assert_int_equal(wkMeshData_Parse("", 0, "obj", &options, NULL, &data), wk_errorRange);
    }
    options = wkDefaultLoadDef();
    options.scale.x = 1e300;
    static const char far[] = "v 1e300 0 0\nf 1 1 1\n";
    assert_int_equal(wkMeshData_Parse(far, sizeof far - 1, "obj", &options, NULL, &data),
                     wk_errorNotFinite);
    assert_int_equal(wkGetByteCount(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(broken_text_is_refused_and_says_where, useSmallMemory,
                                        useAllMemory),
        cmocka_unit_test_setup_teardown(lying_counts_take_no_memory, useSmallMemory, useAllMemory),
        cmocka_unit_test(damage_is_survived),
        cmocka_unit_test(files_that_are_none_are_refused),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests_name("io.hostile", tests, NULL, NULL);
}
