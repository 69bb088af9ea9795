// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Meshes with their hierarchy, from files and into files.

#include "io_kit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static wkMesh* mustLoadMesh(const char* path, const wkLoadDef* options, wkLoadInfo* info)
{
    wkMesh* mesh = NULL;
    if (wkMesh_Load(path, options, info, &mesh) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return mesh;
}

static void files_hold_solids_unless_said_otherwise(void** state)
{
    (void)state;
    static const char text[] =
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    const char* path = wkTestPath("solid.obj");
    wkWriteFile(path, text, sizeof text - 1);
    wkLoadDef options = wkDefaultLoadDef();
    options.isSolid = false;
    for (int i = 0; i < 2; i++) {
        wkMesh* mesh = mustLoadMesh(path, i == 0 ? NULL : &options, NULL);
        wkShape shape = wkMakeMesh(mesh);
        wkVec3d inside = {0.1, 0.1, 0.1};
        assert_int_equal(wkShape_ContainsPoint(&shape, wkIdentityPose(), inside), i == 0);
        wkMesh_Destroy(mesh);
    }
    assert_int_equal(wkGetByteCount(), 0);
    wkRemoveFiles();
}

static void every_format_makes_the_same_mesh(void** state)
{
    (void)state;
    static const char* const names[] = {"torus.stl", "torus.obj", "torus.ply"};
    wkMeshData torus = wkMakeTorus(20);
    for (int i = 0; i < 3; i++) {
        const char* path = wkTestPath(names[i]);
        assert_int_equal(wkMeshData_Save(path, &torus), wk_ok);
        wkLoadInfo report;
        wkLoadDef options = wkDefaultLoadDef();
        options.isSolid = true;
        options.scale.x = options.scale.y = options.scale.z = 2.0;
        wkMesh* mesh = mustLoadMesh(path, &options, &report);
        wkMeshInfo info = wkMesh_Info(mesh);
        assert_int_equal(info.vertexCount, torus.vertexCount);
        assert_int_equal(info.triangleCount, torus.triangleCount);
        assert_true(info.isSolid && info.isClosed);
        assert_true(fabs(info.bounds.upper.x - 2.6) < 1e-6);
        assert_string_equal(report.format, names[i] + 6);
        wkMesh_Destroy(mesh);
    }
    wkFreeTorus(&torus);
    wkRemoveFiles();
}

static void a_hierarchy_comes_back_as_it_was(void** state)
{
    (void)state;
    wkMeshData torus = wkMakeTorus(20);
    const char* ply = wkTestPath("torus.ply");
    const char* block = wkTestPath("torus.whisker");
    const char* renamed = wkTestPath("torus.bin");
    assert_int_equal(wkMeshData_Save(ply, &torus), wk_ok);
    wkLoadDef options = wkDefaultLoadDef();
    options.isSolid = true;
    wkMesh* mesh = mustLoadMesh(ply, &options, NULL);
    wkMeshInfo info = wkMesh_Info(mesh);
    assert_int_equal(wkMesh_Save(block, mesh), wk_ok);
    wkWriteFile(renamed, wkMesh_Block(mesh), info.byteCount);

    // by name or by content
    const char* const paths[] = {block, renamed};
    for (int i = 0; i < 2; i++) {
        wkMesh* back = mustLoadMesh(paths[i], NULL, NULL);
        assert_int_equal(wkMesh_Info(back).byteCount, info.byteCount);
        assert_memory_equal(wkMesh_Block(back), wkMesh_Block(mesh), info.byteCount);
        wkMesh_Destroy(back);
        wkMeshData* data = wkMustLoad(paths[i], NULL, NULL);
        assert_memory_equal(data->triangles, torus.triangles, 4800);
        assert_memory_equal(data->vertices, torus.vertices, 4800);
        wkMeshData_Destroy(data);
    }
    wkMesh* none = NULL;
    options.scale.x = 2.0;
    assert_int_equal(wkMesh_Load(block, &options, NULL, &none), wk_errorArgument);
    assert_null(none);
    wkMesh_Destroy(mesh);
    assert_int_equal(wkGetByteCount(), 0);
    wkFreeTorus(&torus);
    wkRemoveFiles();
}

// What is inside of a file's mesh touches it unless the surface alone is asked for, whatever the file is.
static void a_hierarchy_has_the_solidity_that_is_wanted(void** state)
{
    (void)state;
    wkMeshData torus = wkMakeTorus(8);
    const char* ply = wkTestPath("torus.ply");
    const char* block = wkTestPath("torus.whisker");
    assert_int_equal(wkMeshData_Save(ply, &torus), wk_ok);
    for (int i = 0; i < 4; i++) {
        wkLoadDef options = wkDefaultLoadDef();
        wkLoadInfo report;
        options.isSolid = i / 2 != 0;
        options.volume = wk_volumeObb;
        wkMesh* mesh = mustLoadMesh(ply, &options, &report);
        assert_int_equal(wkMesh_Save(block, mesh), wk_ok);
        options = wkDefaultLoadDef();
        options.isSolid = i % 2 != 0;
        wkMesh* back = mustLoadMesh(block, &options, &report);
        assert_int_equal(wkMesh_Info(back).isSolid, options.isSolid);
        assert_int_equal(wkMesh_Info(back).volume, wk_volumeObb);
        assert_int_equal(wkMesh_Info(back).triangleCount, torus.triangleCount);
        assert_string_equal(report.format, "whisker");
        assert_true(report.bounds.upper.x > 0.0);
        wkMesh_Destroy(mesh);
        wkMesh_Destroy(back);
    }
    wkFreeTorus(&torus);
    wkRemoveFiles();
}

// Nothing would ever touch a mesh without triangles.
static void a_mesh_without_triangles_is_refused(void** state)
{
    (void)state;
    wkMeshDef def = wkDefaultMeshDef();
    wkMesh *mesh = NULL, *back = NULL;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    static const char* const names[] = {"none.stl", "none.obj", "none.ply", "none.whisker"};
    for (int i = 0; i < 4; i++) {
        const char* path = wkTestPath(names[i]);
        assert_int_equal(wkMesh_Save(path, mesh), wk_ok);
        for (int isSolid = 0; isSolid < 2; isSolid++) {
            wkLoadDef options = wkDefaultLoadDef();
            options.isSolid = isSolid != 0;
            assert_int_equal(wkMesh_Load(path, &options, NULL, &back), wk_errorArgument);
            assert_null(back);
            assert_non_null(strstr(wkGetLastError(), "no triangles"));
            options.allowsEmpty = true;
            back = mustLoadMesh(path, &options, NULL);
            assert_int_equal(wkMesh_Info(back).triangleCount, 0);
            wkMesh_Destroy(back);
        }
    }
    wkMesh_Destroy(mesh);
    assert_int_equal(wkGetByteCount(), 0);
    wkRemoveFiles();
}

static void a_damaged_hierarchy_is_refused(void** state)
{
    (void)state;
    wkMeshData torus = wkMakeTorus(6);
    const char* ply = wkTestPath("torus.ply");
    assert_int_equal(wkMeshData_Save(ply, &torus), wk_ok);
    wkMesh* mesh = mustLoadMesh(ply, NULL, NULL);
    size_t count = wkMesh_Info(mesh).byteCount;
    uint8_t* bytes = malloc(count);
    assert_non_null(bytes);
    memcpy(bytes, wkMesh_Block(mesh), count);
    wkMeshData* data = NULL;
    assert_int_not_equal(wkMeshData_Parse(bytes, count - 1, "whisker", NULL, NULL, &data), wk_ok);
    bytes[count / 2] ^= 0x10;
    assert_int_not_equal(wkMeshData_Parse(bytes, count, "whisker", NULL, NULL, &data), wk_ok);
    assert_int_not_equal(wkMeshData_Parse("no", 2, "whisker", NULL, NULL, &data), wk_ok);
    free(bytes);
    wkMesh_Destroy(mesh);
    assert_int_equal(wkGetByteCount(), 0);
    wkFreeTorus(&torus);
    wkRemoveFiles();
}

static void failures_name_the_file(void** state)
{
    (void)state;
    static const char far[] = "v 1e16 0 0\nv 0 0 0\nv 0 1 0\nf 1 2 3\n";
    const char* path = wkTestPath("far.obj");
    wkWriteFile(path, far, sizeof far - 1);
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Load(path, NULL, NULL, &mesh), wk_errorRange);
    assert_non_null(strstr(wkGetLastError(), "far.obj"));
    assert_int_equal(wkMesh_Load("/nowhere.obj", NULL, NULL, &mesh), wk_errorFile);
    assert_int_equal(wkMesh_Load(NULL, NULL, NULL, &mesh), wk_errorArgument);
    assert_int_equal(wkMesh_Save("a.obj", NULL), wk_errorArgument);
    assert_int_equal(wkGetByteCount(), 0);
    wkRemoveFiles();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_hold_solids_unless_said_otherwise),
        cmocka_unit_test(every_format_makes_the_same_mesh),
        cmocka_unit_test(a_hierarchy_comes_back_as_it_was),
        cmocka_unit_test(a_hierarchy_has_the_solidity_that_is_wanted),
        cmocka_unit_test(a_mesh_without_triangles_is_refused),
        cmocka_unit_test(a_damaged_hierarchy_is_refused),
        cmocka_unit_test(failures_name_the_file),
    };
    return cmocka_run_group_tests_name("io.mesh", tests, NULL, NULL);
}
