// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Loading survives the failure of any allocation and gives everything back.

#include "../memory/failing.h"
#include "io_kit.h"

#include <stdlib.h>
#include <string.h>

typedef wkResult loadFcn(const char* path);

static wkResult loadData(const char* path)
{
    wkMeshData* data = NULL;
    wkResult result = wkMeshData_Load(path, NULL, NULL, &data);
    assert_int_equal(result == wk_ok, data != NULL);
    wkMeshData_Destroy(data);
    return result;
}

static wkResult loadMesh(const char* path)
{
    wkMesh* mesh = NULL;
    wkResult result = wkMesh_Load(path, NULL, NULL, &mesh);
    assert_int_equal(result == wk_ok, mesh != NULL);
    wkMesh_Destroy(mesh);
    return result;
}

static wkResult loadOctree(const char* path)
{
    wkOctree* octree = NULL;
    wkResult result = wkOctree_Load(path, &octree);
    assert_int_equal(result == wk_ok, octree != NULL);
    wkOctree_Destroy(octree);
    return result;
}

static wkResult loadPoints(const char* path)
{
    wkPointData* data = NULL;
    wkResult result = wkPointData_Load(path, NULL, NULL, &data);
    assert_int_equal(result == wk_ok, data != NULL);
    wkPointData_Destroy(data);
    return result;
}

static wkResult loadCloud(const char* path)
{
    wkCloud* cloud = NULL;
    wkResult result = wkCloud_Load(path, NULL, NULL, &cloud);
    assert_int_equal(result == wk_ok, cloud != NULL);
    wkCloud_Destroy(cloud);
    return result;
}

static void failAtEvery(loadFcn* load, const char* path, int least)
{
    failing counted = {0, -1, 0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &counted};
    wkSetAllocator(&allocator);
    int n = 0;
    for (;; n++) {
        counted.callCount = 0;
        counted.failAt = n;
        wkResult result = load(path);
        assert_int_equal(wkGetByteCount(), 0);
        if (result == wk_ok) {
            break;
        }
        if (result != wk_errorMemory) {
            fail_msg("%s, failure %d: %s", path, n, wkGetLastError());
        }
    }
    wkSetAllocator(NULL);
    if (n < least) {
        fail_msg("%s: only %d allocations", path, n);
    }
}

// A mesh with many more vertices than the first guess of the obj reader.
static void writeGrowing(const char* path)
{
    wkBytes bytes = {0};
    for (int i = 0; i < 3000; i++) {
        wkBytes_Print(&bytes, "v %d 0 %d\n", i % 10, i % 7);
    }
    for (int i = 0; i < 3000; i++) {
        wkBytes_Print(&bytes, "f 1 2 3\n");
    }
    wkWriteFile(path, bytes.data, bytes.count);
    wkBytes_Free(&bytes);
}

static void loading_survives_a_failing_allocator(void** state)
{
    (void)state;
    static const struct {
        const char* name;
        int least;
    } rows[] = {{"torus.stl", 6}, {"torus.obj", 4}, {"torus.ply", 4}};
    wkMeshData torus = wkMakeTorus(12);
    for (int i = 0; i < 3; i++) {
        const char* path = wkTestPath(rows[i].name);
        assert_int_equal(wkMeshData_Save(path, &torus), wk_ok);
        failAtEvery(loadData, path, rows[i].least);
        failAtEvery(loadMesh, path, rows[i].least + 1);
    }
    if (wkReadsFormat("dae")) {
        static const char off[] = "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
        const char* path = wkTestPath("other.off");
        wkWriteFile(path, off, sizeof off - 1);
        failAtEvery(loadData, path, 6);
    }
    const char* growing = wkTestPath("growing.obj");
    writeGrowing(growing);
    failAtEvery(loadData, growing, 8);
    wkFreeTorus(&torus);
    wkRemoveFiles();
}

static void saving_survives_a_failing_allocator(void** state)
{
    (void)state;
    wkMeshData torus = wkMakeTorus(12);
    const char* ply = wkTestPath("source.ply");
    const char* out = wkTestPath("out.stl");
    assert_int_equal(wkMeshData_Save(ply, &torus), wk_ok);
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Load(ply, NULL, NULL, &mesh), wk_ok);
    size_t before = wkGetByteCount();
    failing counted = {0, -1, 0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &counted};
    wkSetAllocator(&allocator);
    for (int n = 0; n < 3; n++) {
        counted.callCount = 0;
        counted.failAt = n;
        assert_int_equal(wkMesh_Save(out, mesh), wk_errorMemory);
        assert_int_equal(wkGetByteCount(), before);
    }
    wkSetAllocator(NULL);
    assert_int_equal(wkMesh_Save(out, mesh), wk_ok);
    wkMesh_Destroy(mesh);
    assert_int_equal(wkGetByteCount(), 0);
    wkFreeTorus(&torus);
    wkRemoveFiles();
}

static wkOctree* makeMap(void)
{
    wkOctree* octree = NULL;
    wkAabb room = {{-2.0, -1.0, 0.0}, {2.0, 1.0, 1.0}}, wall = {{1.0, -1.0, 0.0}, {1.1, 1.0, 1.0}};
    assert_int_equal(wkOctree_Create(NULL, &octree), wk_ok);
    assert_int_equal(wkOctree_FillBox(octree, room, -0.4f), wk_ok);
    assert_int_equal(wkOctree_FillBox(octree, wall, 0.85f), wk_ok);
    return octree;
}

static void maps_survive_a_failing_allocator(void** state)
{
    (void)state;
    static const struct {
        const char* name;
        int saveLeast;
    } rows[] = {{"map.ot", 1}, {"map.bt", 3}};
    for (int i = 0; i < 2; i++) {
        const char* path = wkTestPath(rows[i].name);
        failing counted = {0, -1, 0};
        wkAllocator allocator = {allocateOrFail, releaseCounted, &counted};
        wkSetAllocator(&allocator);
        wkOctree* octree = makeMap();
        size_t before = wkGetByteCount();
        int n = 0;
        for (wkResult result = wk_errorMemory; result != wk_ok; n++) {
            counted.callCount = 0;
            counted.failAt = n;
            result = wkOctree_Save(path, octree);
            assert_true(result == wk_ok || result == wk_errorMemory);
            assert_int_equal(wkGetByteCount(), before);
        }
        assert_true(n > rows[i].saveLeast);
        wkOctree_Destroy(octree);
        failAtEvery(loadOctree, path, 4);
    }
    wkRemoveFiles();
}

static void writeCompressed(const char* path)
{
    static const uint8_t zeros[120];
    wkBytes bytes = {0};
    wkBytes_Print(&bytes, "FIELDS x y z\nPOINTS 10\nDATA binary_compressed\n");
    wkBytes_AddPcdColumns(&bytes, zeros, sizeof zeros);
    wkWriteFile(path, bytes.data, bytes.count);
    wkBytes_Free(&bytes);
}

static void points_survive_a_failing_allocator(void** state)
{
    (void)state;
    static const char* const names[] = {"cloud.pcd", "cloud.npy", "cloud.ply", "cloud.bin",
                                        "cloud.las"};
    static float points[300];
    wkPointData cloud = {.points = points, .count = 100};
    for (int i = 0; i < 5; i++) {
        const char* path = wkTestPath(names[i]);
        assert_int_equal(wkPointData_Save(path, &cloud), wk_ok);
        failAtEvery(loadPoints, path, 3);
        failAtEvery(loadCloud, path, 4);
    }
    const char* packed = wkTestPath("packed.pcd");
    writeCompressed(packed);
    failAtEvery(loadPoints, packed, 4);
    wkBytes bytes = {0};
    for (int i = 0; i < 1000; i++) {
        wkBytes_Print(&bytes, "%d 2 3\n", i);
    }
    const char* growing = wkTestPath("growing.xyz");
    wkWriteFile(growing, bytes.data, bytes.count);
    failAtEvery(loadPoints, growing, 6);
    wkBytes_Free(&bytes);
    wkRemoveFiles();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loading_survives_a_failing_allocator),
        cmocka_unit_test(saving_survives_a_failing_allocator),
        cmocka_unit_test(maps_survive_a_failing_allocator),
        cmocka_unit_test(points_survive_a_failing_allocator),
    };
    return cmocka_run_group_tests_name("io.memory", tests, NULL, NULL);
}
