// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// LAS files of every version and format of points, damaged ones, and origins of points in all formats.

#include "io_kit.h"
#include "small_memory.h"

#include "whisker/io.h"

#include <math.h>
#include <string.h>

// A file to be made, with what may be wrong in it.
typedef struct lasCase {
    int minor;
    int format;
    int recordBytes; // 0: the least of the format
    int extraBytes;  // of records between header and points
    uint64_t count;
    uint64_t largeCount; // in files of version 1.4
    int writtenCount;    // points that are there
    double scale;
    double offset[3];
} lasCase;

static const int leastBytes[11] = {20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67};

// Coordinates of a point in steps of the scale.
static int32_t stepOf(int point, int axis)
{
    return (point * 1001 - 700) * (axis + 1) * (axis == 1 ? -1 : 1);
}

static void addZeros(wkBytes* bytes, int count)
{
    for (int i = 0; i < count; i++) {
        wkBytes_AddNumber(bytes, 0, 1, false);
    }
}

static void setBytes(wkBytes* bytes, size_t at, uint64_t value, int size)
{
    for (int i = 0; i < size; i++) {
        bytes->data[at + (size_t)i] = (uint8_t)(value >> (8 * i));
    }
}

static void setDouble(wkBytes* bytes, size_t at, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    setBytes(bytes, at, bits, 8);
}

static wkBytes makeLas(const lasCase* c)
{
    wkBytes bytes = {0};
    int headerBytes = c->minor == 4 ? 375 : c->minor == 3 ? 235 : 227;
    int recordBytes = c->recordBytes > 0 ? c->recordBytes : leastBytes[c->format & 15];
    wkBytes_Print(&bytes, "LASF");
    addZeros(&bytes, headerBytes - 4 + c->extraBytes);
    setBytes(&bytes, 24, 1, 1);
    setBytes(&bytes, 25, (uint64_t)c->minor, 1);
    setBytes(&bytes, 94, (uint64_t)headerBytes, 2);
    setBytes(&bytes, 96, (uint64_t)(headerBytes + c->extraBytes), 4);
    setBytes(&bytes, 104, (uint64_t)c->format, 1);
    setBytes(&bytes, 105, (uint64_t)recordBytes, 2);
    setBytes(&bytes, 107, c->count, 4);
    for (size_t axis = 0; axis < 3; axis++) {
        setDouble(&bytes, 131 + 8 * axis, c->scale);
        setDouble(&bytes, 155 + 8 * axis, c->offset[axis]);
    }
    if (c->minor == 4) {
        setBytes(&bytes, 247, c->largeCount, 8);
    }
    for (int i = 0; i < c->writtenCount; i++) {
        for (int axis = 0; axis < 3; axis++) {
            wkBytes_AddNumber(&bytes, (uint32_t)stepOf(i, axis), 4, false);
        }
        addZeros(&bytes, recordBytes - 12);
    }
    return bytes;
}

static wkPointData* mustParse(const wkBytes* bytes, const char* format, const wkLoadDef* options,
                              wkLoadInfo* info)
{
    wkPointData* data = NULL;
    if (wkPointData_Parse(bytes->data, bytes->count, format, options, info, &data) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return data;
}

static void every_version_and_format_is_read(void** state)
{
    (void)state;
    for (int minor = 0; minor <= 4; minor++) {
        for (int format = 0; format < 11; format++) {
            for (int more = 0; more < 2; more++) {
                lasCase c = {.minor = minor,
                             .format = format,
                             .recordBytes = leastBytes[format] + 7 * more,
                             .extraBytes = 54 * more,
                             .count = format >= 6 && minor == 4 ? 0 : 9,
                             .largeCount = more == 1 || format >= 6 ? 9 : 0,
                             .writtenCount = 9,
                             .scale = 0.001,
                             .offset = {10.0, -20.0, 0.5}};
                wkBytes bytes = makeLas(&c);
                wkLoadInfo info;
                wkPointData* data = mustParse(&bytes, NULL, NULL, &info); // by its content
                assert_string_equal(info.format, "las");
                assert_string_equal(info.warning, "");
                assert_int_equal(data->count, 9);
                for (int i = 0; i < 9; i++) {
                    for (int axis = 0; axis < 3; axis++) {
                        double expected = stepOf(i, axis) * 0.001 + c.offset[axis];
                        assert_true(data->points[3 * i + axis] == (float)expected);
                    }
                }
                wkPointData_Destroy(data);
                wkBytes_Free(&bytes);
            }
        }
    }
    assert_int_equal(wkGetByteCount(), 0);
}

// Points of UTM to the millimetre and better, although floats are half a metre apart there.
static void map_coordinates_keep_millimetres(void** state)
{
    (void)state;
    lasCase c = {.minor = 2,
                 .count = 200,
                 .writtenCount = 200,
                 .scale = 0.001,
                 .offset = {500000.123, 5500000.456, 100.789}};
    wkBytes bytes = makeLas(&c);
    wkLoadDef options = wkDefaultLoadDef();
    wkLoadInfo info;
    wkPointData* data = mustParse(&bytes, "las", &options, &info);
    assert_non_null(strstr(info.warning, "floats are 0.5 m apart"));
    assert_true(info.origin.x == 0.0 && data->origin.y == 0.0);
    wkPointData_Destroy(data);
    options.findsOrigin = true;
    data = mustParse(&bytes, "las", &options, &info);
    assert_string_equal(info.warning, "");
    assert_true(fabs(data->origin.x - 500000.0) < 2.0 && fabs(data->origin.y - 5500000.0) < 3.0);
    assert_memory_equal(&data->origin, &info.origin, sizeof info.origin);
    const double origin[3] = {data->origin.x, data->origin.y, data->origin.z};
    double worst = 0.0;
    for (int i = 0; i < 200; i++) {
        for (int axis = 0; axis < 3; axis++) {
            double expected = stepOf(i, axis) * 0.001 + c.offset[axis];
            double found = (double)data->points[3 * i + axis] + origin[axis];
            worst = fmax(worst, fabs(found - expected));
        }
    }
    assert_true(worst < 5e-5);
    // as a cloud: refused without an origin, and with one it grows by no more than what was lost
    const char* path = wkTestPath("utm.las");
    wkWriteFile(path, bytes.data, bytes.count);
    wkCloud* cloud = NULL;
    options.findsOrigin = false;
    assert_int_equal(wkCloud_Load(path, &options, &info, &cloud), wk_errorRange);
    assert_non_null(strstr(wkGetLastError(), "origin"));
    options.findsOrigin = true;
    assert_int_equal(wkCloud_Load(path, &options, &info, &cloud), wk_ok);
    assert_true(wkCloud_Info(cloud).maxRadius >= worst && wkCloud_Info(cloud).maxRadius < 1e-4);
    wkCloud_Destroy(cloud);
    wkPointData_Destroy(data);
    wkRemoveFiles();
    wkBytes_Free(&bytes);
}

// An origin that is given or found, in every format that holds doubles, and back again.
static void origins_are_saved_and_come_back(void** state)
{
    (void)state;
    static const char* const names[] = {"a.pcd", "a.npy", "a.ply", "a.las"};
    float points[30];
    for (int i = 0; i < 30; i++) {
        points[i] = (float)(i * i) * 0.125f - 40.0f;
    }
    wkPointData data = {.points = points,
                        .count = 10,
                        .hasSensor = true,
                        .sensor = wkMakePose(1.0, 2.0, 3.0),
                        .origin = {500000.0, 5500000.0, -1000.0}};
    for (int i = 0; i < 4; i++) {
        const char* path = wkTestPath(names[i]);
        assert_int_equal(wkPointData_Save(path, &data), wk_ok);
        wkLoadDef options = wkDefaultLoadDef();
        options.origin = data.origin;
        wkPointData* back = NULL;
        assert_int_equal(wkPointData_Load(path, &options, NULL, &back), wk_ok);
        assert_int_equal(back->count, 10);
        assert_memory_equal(back->points, points, sizeof points);
        assert_memory_equal(&back->origin, &data.origin, sizeof data.origin);
        assert_true(back->sensor.position.y == (back->hasSensor ? 2.0 : 0.0));
        assert_int_equal(back->hasSensor, i == 0);
        wkPointData_Destroy(back);
        // a scale acts on the origin as well
        options.findsOrigin = true;
        options.scale = (wkVec3d){0.5, 0.5, -2.0};
        assert_int_equal(wkPointData_Load(path, &options, NULL, &back), wk_ok);
        const double origin[3] = {back->origin.x, back->origin.y, back->origin.z};
        const double whole[3] = {500000.0, 5500000.0, -1000.0}, scale[3] = {0.5, 0.5, -2.0};
        for (int k = 0; k < 30; k++) {
            double expected = ((double)points[k] + whole[k % 3]) * scale[k % 3];
            assert_true(fabs((double)back->points[k] + origin[k % 3] - expected) < 1e-4);
        }
        wkPointData_Destroy(back);
    }
    assert_int_equal(wkPointData_Save(wkTestPath("a.bin"), &data), wk_errorUnsupported);
    assert_non_null(strstr(wkGetLastError(), "origin"));
    data.origin.x = NAN;
    assert_int_equal(wkPointData_Save(wkTestPath("a.pcd"), &data), wk_errorNotFinite);
    wkLoadDef options = wkDefaultLoadDef();
    options.origin.y = INFINITY;
    wkPointData* none = NULL;
    assert_int_equal(wkPointData_Parse("1 2 3", 5, "xyz", &options, NULL, &none),
                     wk_errorNotFinite);
    wkRemoveFiles();
    assert_int_equal(wkGetByteCount(), 0);
}

// Near the origin nothing is moved, and text and floats have an origin like others.
static void origins_are_found_where_they_are_needed(void** state)
{
    (void)state;
    static const struct {
        const char* text;
        double origin[3];
    } rows[] = {
        {"nan nan nan\n1 2 3\n5000 0 0\n", {0.0, 0.0, 0.0}},
        {"nan 7 7\n500000.25 4 -1000.75\n500001 4 0\n", {500000.0, 4.0, -1001.0}},
        {"nan nan nan\n", {0.0, 0.0, 0.0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        wkBytes bytes = {(uint8_t*)(uintptr_t)rows[i].text, strlen(rows[i].text), 0};
        wkLoadDef options = wkDefaultLoadDef();
        options.findsOrigin = true;
        wkPointData* data = mustParse(&bytes, "xyz", &options, NULL);
        assert_true(data->origin.x == rows[i].origin[0] && data->origin.y == rows[i].origin[1] &&
                    data->origin.z == rows[i].origin[2]);
        assert_true(i != 1 || (data->points[3] == 0.25f && data->points[5] == 0.25f));
        wkPointData_Destroy(data);
    }
}

// Steps of 0.1 mm, and no point that is not finite.
static void what_is_saved_comes_back_to_a_tenth_of_a_millimetre(void** state)
{
    (void)state;
    float points[300];
    uint32_t seed = 1;
    for (int i = 0; i < 300; i++) {
        seed = seed * 1664525u + 1013904223u;
        points[i] = (float)seed * 1e-7f - 200.0f;
    }
    points[4] = NAN;
    points[30] = INFINITY;
    const float farthest[3] = {0.0f, 1e6f, 1e30f};
    const double steps[3] = {1e-4, 1e-3, 1e21}; // that a file can have with 32 bits
    for (int far = 0; far < 3; far++) {
        points[150] = far > 0 ? farthest[far] : points[150];
        wkPointData data = {.points = points, .count = 100}, *back = NULL;
        const char* path = wkTestPath("steps.las");
        assert_int_equal(wkPointData_Save(path, &data), wk_ok);
        assert_int_equal(wkPointData_Load(path, NULL, NULL, &back), wk_ok);
        assert_int_equal(back->count, 98);
        for (int i = 0, k = 0; i < 100; i++) {
            if (i == 1 || i == 10) {
                continue;
            }
            for (int axis = 0; axis < 3; axis++) {
                double before = (double)points[3 * i + axis];
                double error = fabs((double)back->points[3 * k + axis] - before);
                assert_true(error <= 0.5 * steps[far] + 2e-7 * fabs(before));
            }
            k++;
        }
        wkPointData_Destroy(back);
    }
    wkRemoveFiles();
}

static void broken_files_are_refused_and_say_why(void** state)
{
    (void)state;
    const lasCase good = {
        .minor = 4, .format = 6, .largeCount = 3, .writtenCount = 3, .scale = 0.01};
    static const struct {
        size_t at;
        int size;
        uint64_t value;
        wkResult result;
        const char* words;
    } rows[] = {
        {0, 1, 'M', wk_errorParse, "LASF"},
        {24, 1, 2, wk_errorUnsupported, "version 2.4"},
        {25, 1, 5, wk_errorUnsupported, "version 1.5"},
        {94, 2, 374, wk_errorParse, "header of 374 bytes"},
        {94, 2, 65535, wk_errorParse, "header of 65535 bytes"},
        {96, 4, 374, wk_errorParse, "points begin at byte 374"},
        {96, 4, UINT32_MAX, wk_errorParse, "points begin at byte 4294967295"},
        {104, 1, 11, wk_errorUnsupported, "point format 11"},
        {104, 1, 0x86, wk_errorUnsupported, "LAZ"},
        {105, 2, 29, wk_errorParse, "29 bytes for each point"},
        {105, 2, 0, wk_errorParse, "0 bytes for each point"},
        {107, 4, 4, wk_errorParse, "count says 3 points, and byte 107 says 4"},
        {247, 8, 4, wk_errorParse, "count says 4 points, but there are bytes for 3"},
        {247, 8, UINT64_MAX, wk_errorParse, "but there are bytes for 3"},
        {131, 8, 0, wk_errorParse, "scale of x is 0"},
        {139, 8, 0x7ff8000000000000, wk_errorParse, "scale of y"},
        {171, 8, 0x7ff0000000000000, wk_errorParse, "offset of z"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        wkBytes bytes = makeLas(&good);
        setBytes(&bytes, rows[i].at, rows[i].value, rows[i].size);
        wkPointData* data = NULL;
        wkResult result = wkPointData_Parse(bytes.data, bytes.count, "las", NULL, NULL, &data);
        wkExpectRefusal(result, data, rows[i].result, rows[i].words);
        wkBytes_Free(&bytes);
    }
    wkBytes bytes = makeLas(&good);
    for (size_t count = 0; count < bytes.count; count++) { // cut anywhere
        wkPointData* data = NULL;
        assert_int_equal(wkPointData_Parse(bytes.data, count, "las", NULL, NULL, &data),
                         wk_errorParse);
        assert_null(data);
    }
    wkBytes_Free(&bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_version_and_format_is_read),
        cmocka_unit_test(map_coordinates_keep_millimetres),
        cmocka_unit_test(origins_are_saved_and_come_back),
        cmocka_unit_test(origins_are_found_where_they_are_needed),
        cmocka_unit_test(what_is_saved_comes_back_to_a_tenth_of_a_millimetre),
        cmocka_unit_test_setup_teardown(broken_files_are_refused_and_say_why, useSmallMemory,
                                        useAllMemory),
    };
    return cmocka_run_group_tests_name("las", tests, NULL, NULL);
}
