// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// What is written comes back.

#define _POSIX_C_SOURCE 200809L // symlink, lstat

#include "io_kit.h"

#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
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
        wkMeshData* back = wkMustLoad(path, NULL, NULL);
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

static void stl_brings_back_floats_and_shared_vertices(void** state)
{
    (void)state;
    wkMeshData torus = wkMakeTorus(40);
    const char* path = wkTestPath("torus.stl");
    assert_int_equal(wkMeshData_Save(path, &torus), wk_ok);
    wkMeshData* back = wkMustLoad(path, NULL, NULL);
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
        wkMeshData* back = wkMustLoad(path, NULL, NULL);
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

// No temporary file of this process.
static void assertNothingIsLeft(void)
{
    char mark[32];
    const char* folder = getenv("TMPDIR");
    DIR* files = opendir(folder != NULL ? folder : "/tmp");
    assert_non_null(files);
    snprintf(mark, sizeof mark, "%ld", (long)getpid());
    for (struct dirent* file = readdir(files); file != NULL; file = readdir(files)) {
        bool isTemporary =
            strstr(file->d_name, ".tmp") != NULL || strstr(file->d_name, WK_ARRAY_PARTIAL) != NULL;
        assert_false(isTemporary && strstr(file->d_name, mark) != NULL);
    }
    closedir(files);
}

static size_t sizeOf(const char* path)
{
    struct stat about;
    return stat(path, &about) == 0 ? (size_t)about.st_size : 0;
}

// A file that may not grow stands for a full disk. What was there before stays, whatever is saved.
static void a_failed_save_loses_nothing(void** state)
{
    (void)state;
    wkMeshData small = wkMakeTorus(10), large = wkMakeTorus(100);
    const char* path = wkTestPath("kept.ply");
    assert_int_equal(wkMeshData_Save(path, &small), wk_ok);
    size_t byteCount = sizeOf(path);
    struct rlimit before, limit;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
    limit = before;
    limit.rlim_cur = (rlim_t)byteCount + 1000;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    wkResult result = wkMeshData_Save(path, &large);
    wkArrayFile* array = NULL;
    wkResult arrayResult =
        wkArrayFile_Create(path, wk_arrayUint8, (int64_t)byteCount + 2000, &array);
    setrlimit(RLIMIT_FSIZE, &before);
    signal(SIGXFSZ, handler);
    assert_int_equal(result, wk_errorFile);
    assert_int_equal(arrayResult, wk_errorFile);
    assert_null(array);
    assert_int_equal(sizeOf(path), byteCount);
    wkMeshData* back = wkMustLoad(path, NULL, NULL);
    assert_int_equal(back->triangleCount, small.triangleCount);
    wkMeshData_Destroy(back);
    wkFreeTorus(&small);
    wkFreeTorus(&large);
    assertNothingIsLeft();
    wkRemoveFiles();
}

// Saving through a symbolic link replaces what it leads to, with its mode, and the link stays.
static void links_and_modes_stay(void** state)
{
    (void)state;
    wkMeshData torus = wkMakeTorus(10);
    char path[512], link[512];
    struct stat about;
    snprintf(path, sizeof path, "%s", wkTestPath("real.ply"));
    snprintf(link, sizeof link, "%s", wkTestPath("link.ply"));
    assert_int_equal(symlink(strrchr(path, '/') + 1, link), 0);
    assert_int_equal(wkMeshData_Save(link, &torus), wk_ok); // leads nowhere yet
    assert_int_equal(chmod(path, 0640), 0);
    assert_int_equal(wkMeshData_Save(link, &torus), wk_ok);
    assert_int_equal(lstat(link, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(lstat(path, &about), 0);
    assert_true(S_ISREG(about.st_mode));
    assert_int_equal(about.st_mode & 0777, 0640);
    wkFreeTorus(&torus);
    wkRemoveFiles();
}

// An array is not there until it is closed, and what was not written does not read as an answer.
static void arrays_appear_when_they_are_closed(void** state)
{
    (void)state;
    char path[512];
    snprintf(path, sizeof path, "%s", wkTestPath("out.npy"));
    float numbers[3] = {1.0f, 2.0f, 3.0f}, back[3000];
    wkArrayFile *array = NULL, *second = NULL;
    assert_int_equal(wkArrayFile_Create(path, wk_arrayFloat, 3000, &array), wk_ok);
    assert_int_equal(wkArrayFile_Create(path, wk_arrayFloat, 3000, &second), wk_errorFile);
    assert_int_equal(wkArrayFile_Write(array, 7, 3, numbers), wk_ok);
    assert_int_equal(wkArrayFile_Flush(array), wk_ok);
    wkArrayFile_Leave(array, true);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(wkArrayFile_Resume(path, wk_arrayFloat, 3001, &array), wk_errorParse);
    assert_int_equal(wkArrayFile_Resume(path, wk_arrayUint8, 3000, &array), wk_errorParse);
    assert_int_equal(wkArrayFile_Resume(path, wk_arrayFloat, 3000, &array), wk_ok);
    assert_int_equal(wkArrayFile_Read(array, 0, 3000, back), wk_ok);
    for (int i = 0; i < 3000; i++) {
        assert_true(i >= 7 && i < 10 ? back[i] == numbers[i - 7] : isnan(back[i]));
    }
    assert_int_equal(wkArrayFile_Close(array), wk_ok);
    assert_int_equal(access(path, F_OK), 0);
    assert_int_equal(wkArrayFile_Resume(path, wk_arrayFloat, 3000, &array), wk_errorFile);
    wkArrayFile_Leave(NULL, false);
    assertNothingIsLeft();
    wkRemoveFiles();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_formats_bring_back_every_bit),
        cmocka_unit_test(stl_brings_back_floats_and_shared_vertices),
        cmocka_unit_test(empty_data_is_written_and_read),
        cmocka_unit_test(what_cannot_be_written_is_refused),
        cmocka_unit_test(devices_survive_a_failure),
        cmocka_unit_test(a_failed_save_loses_nothing),
        cmocka_unit_test(links_and_modes_stay),
        cmocka_unit_test(arrays_appear_when_they_are_closed),
    };
    return cmocka_run_group_tests_name("io.save", tests, NULL, NULL);
}
