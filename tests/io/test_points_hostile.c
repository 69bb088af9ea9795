// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Clouds that are broken, lie or are gigantic are refused with words that say where, and before
// memory is taken.

#include "io_kit.h"
#include "small_memory.h"

#include <stdlib.h>
#include <string.h>

#define XYZ "FIELDS x y z\nSIZE 4 4 4\nTYPE F F F\nCOUNT 1 1 1\n"
#define VTK "# vtk DataFile Version 3.0\ntitle\n"

// clang-format off
static const struct badText {
    const char* format;
    const char* text;
    wkResult result;
    const char* words; // what the message must hold
} badTexts[] = {
    {"pcd", "",                                                wk_errorParse, "pcd:1: the file ends inside the header"},
    {"pcd", XYZ "WIDTH 1\nHEIGHT 1\n",                         wk_errorParse, "pcd:7: the file ends inside"},
    {"pcd", "FIELDS\n",                                        wk_errorParse, "pcd:1: header: FIELDS names none"},
    {"pcd", "FIELDS x\nFIELDS y\n",                            wk_errorParse, "pcd:2: header: FIELDS stands there twice"},
    {"pcd", "FIELDS x y\nPOINTS 1\nDATA ascii\n1 2\n",         wk_errorParse, "must have z once"},
    {"pcd", "FIELDS x y z z\nPOINTS 1\nDATA ascii\n1 2 3 4\n", wk_errorParse, "must have z once"},
    {"pcd", "FIELDS x y z\nCOUNT 1 2 1\nPOINTS 1\nDATA ascii\n", wk_errorParse, "must have y once, with a COUNT of 1"},
    {"pcd", "FIELDS x y z\nSIZE 4 4\n",                        wk_errorParse, "pcd:2: header: SIZE needs"},
    {"pcd", "FIELDS x y z\nSIZE 4 4 3\n",                      wk_errorParse, "pcd:2: header: SIZE needs"},
    {"pcd", "FIELDS x y z\nSIZE 4 4 4 4\n",                    wk_errorParse, "pcd:2: header: more words than FIELDS"},
    {"pcd", "FIELDS x y z\nTYPE F F D\n",                      wk_errorParse, "pcd:2: header: TYPE needs"},
    {"pcd", "FIELDS x y z\nSIZE 4 2 4\nPOINTS 1\nDATA ascii\n1 2 3\n", wk_errorParse, "y is of TYPE F with SIZE 2"},
    {"pcd", "FIELDS x y z\nCOUNT 1 1 0\n",                     wk_errorParse, "pcd:2: header: COUNT needs"},
    {"pcd", "FIELDS x y z\nCOUNT 1 1 99999999999999999999\n",  wk_errorParse, "pcd:2: header: COUNT needs"},
    {"pcd", XYZ "WIDTH -1\n",                                  wk_errorParse, "pcd:5: header: not a number from 0"},
    {"pcd", XYZ "HEIGHT 9999999999\n",                         wk_errorParse, "pcd:5: header: not a number from 0"},
    {"pcd", XYZ "DATA ascii\n",                                wk_errorParse, "neither WIDTH nor POINTS"},
    {"pcd", XYZ "WIDTH 2\nHEIGHT 2\nPOINTS 3\nDATA ascii\n",   wk_errorParse, "POINTS is 3, but WIDTH times HEIGHT is 4"},
    {"pcd", XYZ "VIEWPOINT 0 0 0 1 0 0\n",                     wk_errorParse, "pcd:5: header: VIEWPOINT needs seven"},
    {"pcd", XYZ "VIEWPOINT 0 0 nan 1 0 0 0\n",                 wk_errorParse, "pcd:5: header: VIEWPOINT needs seven"},
    {"pcd", XYZ "DATA packed\n",                               wk_errorParse, "pcd:5: header: DATA is none of"},
    {"pcd", XYZ "WHAT 3\n",                                    wk_errorParse, "pcd:5: header: a line starts with"},
    {"pcd", XYZ "POINTS 2\nDATA ascii\n1 2 3\n4 5\n  ",        wk_errorParse, "pcd:8: point 1: number 3 of 3 is missing"},
    {"pcd", XYZ "POINTS 1\nDATA ascii\n1 b 3\n",               wk_errorParse, "pcd:7: point 0: number 2 of 3"},
    {"pcd", XYZ "POINTS 1\nDATA ascii\n1 2 3 4\n",             wk_errorParse, "pcd:7: point 0: more numbers"},
    {"pcd", XYZ "POINTS 2\nDATA ascii\n1 2 3\n        ",       wk_errorParse, "the file ends after 1 of 2 points"},
    {"pcd", XYZ "POINTS 2000000000\nDATA ascii\n1 2 3\n",      wk_errorParse, "2000000000 points, but there are bytes for 1"},
    {"pcd", XYZ "POINTS 2000000000\nDATA binary\n1 2 3 4 5 6", wk_errorParse, "2000000000 points, but there are bytes for 0"},
    {"pcd", XYZ "WIDTH 2000000000\nHEIGHT 2000000000\nDATA binary\n1 2 3", wk_errorParse, "4000000000000000000 points"},
    {"pcd", XYZ "POINTS 9\nDATA binary_compressed\n1234567",   wk_errorParse, "before the sizes"},
    {"pcd", XYZ "POINTS 9\nDATA binary_compressed\n12345678",  wk_errorParse, "compressed size is 875770417, but 0 bytes follow"},
    {"npy", "",                                                wk_errorParse, "does not start"},
    {"npy", "\x93NUMPY\x09",                                   wk_errorParse, "does not start"},
    {"npy", "\x93NUMPY\x09 1234567",                           wk_errorUnsupported, "byte 6: version 9"},
    {"npy", "\x93NUMPY\x02 aaaa{}",                            wk_errorParse, "byte 8: the header has 1633771873 bytes"},
    {"csv", "a,b,c\n1,2,3\n",                                  wk_errorParse, "csv:1: header: the names"},
    {"csv", "x,y,z\n1,2\n",                                    wk_errorParse, "csv:2: point 0: column 3"},
    {"csv", "x,y,z\n1,,3\n",                                   wk_errorParse, "csv:2: point 0: column 2"},
    {"xyz", "1 2 3\n4 5 six\n",                                wk_errorParse, "xyz:2: point 1: column 3"},
    {"vtk", "",                                                wk_errorParse, "does not start"},
    {"vtk", VTK "TEXT\n",                                      wk_errorParse, "vtk:3: header: the third line"},
    {"vtk", VTK "ASCII\nDATASET POLYDATA\n",                   wk_errorParse, "no line starts with POINTS"},
    {"vtk", VTK "ASCII\nPOINTS many float\n",                  wk_errorParse, "vtk:4: header: POINTS: the count"},
    {"vtk", VTK "ASCII\nPOINTS 1 half\n1 2 3",                 wk_errorParse, "vtk:4: header: POINTS: a type"},
    {"vtk", VTK "ASCII\nPOINTS 2000000000 float\n1 2 3",       wk_errorParse, "bytes for 1 at most"},
    {"vtk", VTK "BINARY\nPOINTS 2000000000 float\n1 2 3",      wk_errorParse, "bytes for 0 at most"},
    {"vtk", VTK "ASCII\nPOINTS 1 float\n1 2   c",              wk_errorParse, "vtk:5: point 0: z"},
    {"ply", "ply\nformat ascii 1.0\nend_header\n",             wk_errorParse, "no element vertex"},
    {"stl", "solid",                                           wk_errorUnsupported, "those that hold points: ply, pcd"},
    {NULL,  "1 2 3",                                           wk_errorUnsupported, "those that hold points: ply, pcd"},
};

// The dictionary of an array of NumPy with 12 zeros behind it.
static const struct { const char* words; wkResult result; const char* expected; } badArrays[] = {
    {"{'fortran_order': False, 'shape': (1, 3)}",                  wk_errorParse,       "descr is missing"},
    {"{'descr': [('x', '<f4')], 'fortran_order': False, 'shape': (1,)}", wk_errorUnsupported, "not of one plain type"},
    {"{'descr': '<f2', 'fortran_order': False, 'shape': (1, 3)}",  wk_errorUnsupported, "none of f4, f8"},
    {"{'descr': '<c8', 'fortran_order': False, 'shape': (1, 3)}",  wk_errorUnsupported, "none of f4, f8"},
    {"{'descr': '<f4', 'shape': (1, 3)}",                          wk_errorParse,       "fortran_order is no"},
    {"{'descr': '<f4', 'fortran_order': Maybe, 'shape': (1, 3)}",  wk_errorParse,       "fortran_order is no"},
    {"{'descr': '<f4', 'fortran_order': False}",                   wk_errorParse,       "shape is missing"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 3",    wk_errorParse,       "shape does not end"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (-1, 3)}", wk_errorParse,       "a size that is none"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1 3)}",   wk_errorParse,       "between its sizes"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}",    wk_errorUnsupported, "neither (n, 3"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2)}",  wk_errorUnsupported, "neither (n, 3"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 9)}",  wk_errorUnsupported, "a point in each column"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 1, 3)}", wk_errorUnsupported, "more than three"},
    {"{'descr': '<f4', 'fortran_order': True, 'shape': (1, 1, 3)}", wk_errorUnsupported, "True for three"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)}",  wk_errorParse,       "2 points, but there are bytes for 1"},
    {"{'descr': '<f4', 'fortran_order': False, 'shape': (2000000000, 2000000000, 2000000000)}", wk_errorParse, "bytes for 0"},
};
// clang-format on

static void expectRefusal(const void* bytes, size_t count, const char* format, wkResult expected,
                          const char* words)
{
    int nothing;
    wkPointData* data = (wkPointData*)(void*)&nothing;
    wkResult result = wkPointData_Parse(bytes, count, format, NULL, NULL, &data);
    wkExpectRefusal(result, data, expected, words);
}

static void broken_text_is_refused_and_says_where(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof badTexts / sizeof badTexts[0]; i++) {
        const struct badText* row = &badTexts[i];
        expectRefusal(row->text, strlen(row->text), row->format, row->result, row->words);
    }
}

static void broken_arrays_are_refused(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof badArrays / sizeof badArrays[0]; i++) {
        wkBytes bytes = {0};
        wkBytes_Add(&bytes, "\x93NUMPY\x01\x00", 8);
        wkBytes_AddNumber(&bytes, strlen(badArrays[i].words), 2, false);
        wkBytes_Print(&bytes, "%s", badArrays[i].words);
        wkBytes_Add(&bytes, "123456789abc", 12);
        expectRefusal(bytes.data, bytes.count, NULL, badArrays[i].result, badArrays[i].expected);
        wkBytes_Free(&bytes);
    }
}

// Headers that promise more or less than the compressed bytes give, and copies from before the
// start.
static void broken_compression_is_refused(void** state)
{
    (void)state;
    static const struct {
        uint32_t packedCount, byteCount;
        uint8_t packed[14];
        const char* words;
    } rows[] = {
        {14, 12, {11, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0}, "does not give 12 bytes"},
        {13, 13, {11, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, "expanded size is 13"},
        {12, 12, {11, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, "does not give 12 bytes"},
        {11, 12, {10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, "does not give 12 bytes"},
        {4, 12, {0, 7, 0xe0, 2}, "does not give 12 bytes"},
        {5, 12, {0, 7, 0xe0, 2, 1}, "does not give 12 bytes"},
        {5, 12, {0, 7, 0xe0, 3, 0}, "does not give 12 bytes"},
        {2, 12, {0xe0, 3}, "does not give 12 bytes"},
        {0, 12, {0}, "expanded size is 12, more than 0 bytes can give"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        wkBytes bytes = {0};
        wkBytes_Print(&bytes, XYZ "POINTS 1\nDATA binary_compressed\n");
        wkBytes_AddNumber(&bytes, rows[i].packedCount, 4, false);
        wkBytes_AddNumber(&bytes, rows[i].byteCount, 4, false);
        wkBytes_Add(&bytes, rows[i].packed, rows[i].packedCount);
        expectRefusal(bytes.data, bytes.count, NULL, wk_errorParse, rows[i].words);
        wkBytes_Free(&bytes);
    }
}

static void huge_compressed_clouds_take_no_memory(void** state)
{
    (void)state;
    wkBytes bytes = {0};
    wkBytes_Print(&bytes, XYZ "POINTS 300000000\nDATA binary_compressed\n");
    wkBytes_AddNumber(&bytes, 3, 4, false);
    wkBytes_AddNumber(&bytes, 3600000000, 4, false);
    wkBytes_Add(&bytes, "abc", 3);
    expectRefusal(bytes.data, bytes.count, NULL, wk_errorParse, "more than 3 bytes can give");
    wkBytes_Free(&bytes);
}

static wkBytes makeCompressed(void)
{
    static const uint8_t zeros[48];
    wkBytes bytes = {0};
    wkBytes_Print(&bytes, XYZ "POINTS 4\nDATA binary_compressed\n");
    wkBytes_AddPcdColumns(&bytes, zeros, sizeof zeros);
    return bytes;
}

static wkBytes makeSaved(const char* name)
{
    static float points[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    wkPointData data = {points, 4, 2, 2, true, {{1, 2, 3}, {0, 0, 0, 1}}, {0, 0, 0}};
    const char* path = wkTestPath(name);
    assert_int_equal(wkPointData_Save(path, &data), wk_ok);
    wkBytes bytes = {0};
    uint8_t part[4096];
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    wkBytes_Add(&bytes, part, fread(part, 1, sizeof part, file));
    fclose(file);
    return bytes;
}

// Every prefix and every changed byte gives an answer or a refusal, and nothing stays behind.
static void damage_is_survived(void** state)
{
    (void)state;
    static const char* const names[] = {"a.pcd", "a.npy", "a.ply", "a.bin", "a.las", "packed.pcd"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        wkBytes bytes = i == 5 ? makeCompressed() : makeSaved(names[i]);
        const char* format = strchr(names[i], '.') + 1;
        for (size_t k = 0; k < 8 * bytes.count; k++) {
            // a copy of the exact size, so that reading one byte too far is noticed
            size_t count = k % 8 == 0 ? k / 8 : bytes.count;
            uint8_t* copy = malloc(count > 0 ? count : 1);
            assert_non_null(copy);
            memcpy(copy, bytes.data, count);
            if (count == bytes.count) {
                copy[k / 8] ^= (uint8_t)(1u << k % 8);
            }
            wkPointData* data = NULL;
            wkPointData_Parse(copy, count, format, NULL, NULL, &data);
            wkPointData_Destroy(data);
            free(copy);
        }
        assert_int_equal(wkGetByteCount(), 0);
        wkBytes_Free(&bytes);
    }
    wkRemoveFiles();
}

static void bad_arguments_are_refused(void** state)
{
    (void)state;
    float point[3] = {1, 2, 3};
    wkPointData* data = NULL;
    assert_int_equal(wkPointData_Load(NULL, NULL, NULL, &data), wk_errorArgument);
    assert_int_equal(wkPointData_Load("a.pcd", NULL, NULL, NULL), wk_errorArgument);
    assert_int_equal(wkPointData_Load("/nowhere/a.pcd", NULL, NULL, &data), wk_errorFile);
    assert_int_equal(wkPointData_Parse(NULL, 1, "pcd", NULL, NULL, &data), wk_errorArgument);
    const char* path = wkTestPath("bad.pcd");
    const wkPointData bad[] = {
        {point, -1, 0, 0, false, {{0, 0, 0}, {0, 0, 0, 0}}, {0, 0, 0}},
        {NULL, 1, 0, 0, false, {{0, 0, 0}, {0, 0, 0, 0}}, {0, 0, 0}},
        {point, 1, 2, 1, false, {{0, 0, 0}, {0, 0, 0, 0}}, {0, 0, 0}},
        {point, 1, -1, -1, false, {{0, 0, 0}, {0, 0, 0, 0}}, {0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(wkPointData_Save(path, &bad[i]), wk_errorArgument);
    }
    wkPointData turned = {point, 1, 1, 1, true, {{0, 0, 0}, {0, 0, 0, 0}}, {0, 0, 0}};
    assert_int_equal(wkPointData_Save(path, &turned), wk_errorNotFinite);
    turned.hasSensor = false;
    assert_int_equal(wkPointData_Save("a.vtk", &turned), wk_errorUnsupported);
    assert_non_null(strstr(wkGetLastError(), "ply, pcd, npy, bin"));
    assert_int_equal(wkPointData_Save("/nowhere/at/all.pcd", &turned), wk_errorFile);
    wkRemoveFiles();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(broken_text_is_refused_and_says_where, useSmallMemory,
                                        useAllMemory),
        cmocka_unit_test_setup_teardown(broken_arrays_are_refused, useSmallMemory, useAllMemory),
        cmocka_unit_test_setup_teardown(broken_compression_is_refused, useSmallMemory,
                                        useAllMemory),
        cmocka_unit_test_setup_teardown(huge_compressed_clouds_take_no_memory, useSmallMemory,
                                        useAllMemory),
        cmocka_unit_test_setup_teardown(damage_is_survived, useSmallMemory, useAllMemory),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests_name("io.points_hostile", tests, NULL, NULL);
}
