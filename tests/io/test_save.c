// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// What is written comes back.

#define _POSIX_C_SOURCE 200809L // symlink, lstat

#include "io_kit.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char* const exactNames[] = {"torus.obj", "torus.ply", "torus.PLY"};

static void exact_formats_bring_back_every_bit(void** state)
{
    (void)state;
    wkMeshData torus = wkMakeTorus(40);
    torus.vertices[0].x = 1e-300;
    torus.vertices[1].y = -0.1;
    torus.vertices[2].z = 5e-324;
    torus.vertices[3].x = 123456789.123456789;
    for (int i = 0; i < 3; i++) {
        const char* path = wkTestPath(exactNames[i]);
        assert_int_equal(wkMeshData_Save(path, &torus), wk_ok);
        wkMeshData* back = wkMustLoad(path, NULL);
        assert_int_equal(back->vertexCount, torus.vertexCount);
        assert_int_equal(back->triangleCount, torus.triangleCount);
        assert_memory_equal(back->vertices, torus.vertices,
                            (size_t)torus.vertexCount * sizeof(wkVec3d));
        assert_memory_equal(back->triangles, torus.triangles,
                            (size_t)torus.triangleCount * 3 * sizeof(int32_t));
        wkMeshData_Destroy(back);
    }
    wkFreeTorus(&torus);
    wkRemoveFiles();
}

static void stl_brings_back_floats_and_shared_corners(void** state)
{
    (void)state;
    wkMeshData torus = wkMakeTorus(40);
    const char* path = wkTestPath("torus.stl");
    assert_int_equal(wkMeshData_Save(path, &torus), wk_ok);
    wkMeshData* back = wkMustLoad(path, NULL);
    assert_int_equal(back->vertexCount, torus.vertexCount);
    assert_int_equal(back->triangleCount, torus.triangleCount);
    for (int i = 0; i < 3 * torus.triangleCount; i++) {
        wkVec3d is = back->vertices[back->triangles[i]];
        wkVec3d should = torus.vertices[torus.triangles[i]];
        assert_true((float)is.x == (float)should.x && (float)is.y == (float)should.y &&
                    (float)is.z == (float)should.z);
    }
    wkMeshData_Destroy(back);
    wkFreeTorus(&torus);
    wkRemoveFiles();
}

static void empty_data_is_written_and_read(void** state)
{
    (void)state;
    static const char* const names[] = {"empty.stl", "empty.obj", "empty.ply"};
    wkMeshData empty = {NULL, 0, NULL, 0};
    for (int i = 0; i < 3; i++) {
        const char* path = wkTestPath(names[i]);
        assert_int_equal(wkMeshData_Save(path, &empty), wk_ok);
        wkMeshData* back = wkMustLoad(path, NULL);
        assert_int_equal(back->vertexCount + back->triangleCount, 0);
        wkMeshData_Destroy(back);
    }
    wkRemoveFiles();
}

static void what_cannot_be_written_is_refused(void** state)
{
    (void)state;
    wkVec3d vertices[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1e39, 0}};
    int32_t triangles[3] = {0, 1, 2};
    wkMeshData data = {vertices, 3, triangles, 1};
    const char* stl = wkTestPath("no.stl");
    assert_int_equal(wkMeshData_Save(stl, &data), wk_errorRange);
    assert_int_equal(wkMeshData_Save(wkTestPath("yes.ply"), &data), wk_ok);
    vertices[2].y = NAN;
    assert_int_equal(wkMeshData_Save(stl, &data), wk_errorNotFinite);
    vertices[2].y = 1.0;
    triangles[1] = 3;
    assert_int_equal(wkMeshData_Save(stl, &data), wk_errorRange);
    triangles[1] = -1;
    assert_int_equal(wkMeshData_Save(stl, &data), wk_errorRange);
    triangles[1] = 1;
    assert_int_equal(wkMeshData_Save("/nowhere/at/all.stl", &data), wk_errorFile);
    assert_int_equal(wkMeshData_Save("/tmp/whisker.dae", &data), wk_errorUnsupported);
    assert_non_null(strstr(wkGetLastError(), "stl, obj, ply"));
    assert_int_equal(wkMeshData_Save("/tmp/whisker", &data), wk_errorUnsupported);
    assert_int_equal(wkMeshData_Save(NULL, &data), wk_errorArgument);
    assert_int_equal(wkMeshData_Save(stl, NULL), wk_errorArgument);
    assert_null(fopen(stl, "rb"));
    wkRemoveFiles();
}

// A link to a device that is always full; where there is none the test has nothing to show.
static void devices_survive_a_failure(void** state)
{
    (void)state;
    wkMeshData torus = wkMakeTorus(10);
    const char* path = wkTestPath("full.stl");
    struct stat about;
    bool isDevice = stat("/dev/full", &about) == 0 && S_ISCHR(about.st_mode);
    if (isDevice && symlink("/dev/full", path) == 0) {
        assert_int_equal(wkMeshData_Save(path, &torus), wk_errorFile);
        assert_int_equal(lstat(path, &about), 0);
        assert_true(S_ISLNK(about.st_mode));
    }
    wkFreeTorus(&torus);
    wkRemoveFiles();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_formats_bring_back_every_bit),
        cmocka_unit_test(stl_brings_back_floats_and_shared_corners),
        cmocka_unit_test(empty_data_is_written_and_read),
        cmocka_unit_test(what_cannot_be_written_is_refused),
        cmocka_unit_test(devices_survive_a_failure),
    };
    return cmocka_run_group_tests_name("io.save", tests, NULL, NULL);
}
