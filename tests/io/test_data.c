// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Real files of others: all of them load, and those with known counts have them.
// WHISKER_DATA names the folder; without it the tests are skipped.

#define _XOPEN_SOURCE 700 // nftw

#include "io_kit.h"

#include <ftw.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char* path;
    int32_t triangleCount;
} knownFiles[] = {
    {"meshes/fcl/env.obj", 2180},
    {"meshes/fcl/rob.obj", 216},
    {"meshes/coal/staircases_koroibot_hr.dae", 1276}, // 628 before its nodes place them
    {"meshes/coal/illformated_mesh.dae", 14746},
    {"meshes/ycb/025_mug.obj", 16384},
    {"meshes/ycb/029_plate.obj", 16384},
    {"meshes/ycb/035_power_drill.obj", 16384},
    {"meshes/gso/Cole_Hardware_Hammer_Black/model.obj", 7836},
    {"meshes/gso/Diamond_Visions_Scissors_Red/model.obj", 6816},
    {"meshes/gso/Spritz_Easter_Basket_Plastic_Teal/model.obj", 12630},
    {"meshes/odedstein/skull_low_resolution.obj", 10312},
    {"meshes/odedstein/sword.obj", 44582},
    {"meshes/odedstein/plane_holes.obj", 16747},
    {"meshes/odedstein/spot_low_resolution.obj", 1654},
    {"meshes/odedstein/koala.obj", 99994},
    {"meshes/odedstein/human_man.obj", 13776},
    {"meshes/mbm_scenes/table_bars/shelves.stl", 12288},
    {"meshes/pr_assets/wheelchair.stl", 39688},
};

static void known_files_have_their_triangles(void** state)
{
    (void)state;
    wkSkipWithoutData("meshes");
    for (size_t i = 0; i < sizeof knownFiles / sizeof knownFiles[0]; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", wkDataFolder(), knownFiles[i].path);
        if (!wkReadsFormat(strrchr(path, '.') + 1)) {
            continue;
        }
        wkMeshData* data = wkMustLoad(path, NULL, NULL);
        if (data->triangleCount != knownFiles[i].triangleCount) {
            fail_msg("%s: %d triangles", path, data->triangleCount);
        }
        wkMeshData_Destroy(data);
    }
}

static void millimetres_are_noticed(void** state)
{
    (void)state;
    wkSkipWithoutData("meshes");
    char path[1024];
    snprintf(path, sizeof path, "%s/meshes/fcl/env.obj", wkDataFolder());
    wkLoadInfo report;
    wkLoadDef options = wkDefaultLoadDef();
    wkMeshData_Destroy(wkMustLoad(path, &options, &report));
    assert_non_null(strstr(report.warning, "millimetres"));
    options.scale.x = options.scale.y = options.scale.z = 0.001;
    wkMeshData_Destroy(wkMustLoad(path, &options, &report));
    assert_string_equal(report.warning, "");
}

static int loadedCount;

static int loadFile(const char* path, const struct stat* about, int kind, struct FTW* walk)
{
    (void)about;
    (void)walk;
    const char* dot = strrchr(path, '.');
    char extension[16] = "";
    for (size_t i = 0; dot != NULL && dot[i] != '\0' && i + 1 < sizeof extension; i++) {
        extension[i] =
            dot[i + 1] >= 'A' && dot[i + 1] <= 'Z' ? (char)(dot[i + 1] + 32) : dot[i + 1];
    }
    if (kind != FTW_F || !wkReadsFormat(extension)) {
        return 0;
    }
    wkMeshData* data = wkMustLoad(path, NULL, NULL);
    assert_true(data->triangleCount > 0);
    wkMeshData_Destroy(data);
    loadedCount++;
    return 0;
}

static void every_file_loads(void** state)
{
    (void)state;
    wkSkipWithoutData("meshes");
    static const char* const folders[] = {"meshes", "robots"};
    for (int i = 0; i < 2; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", wkDataFolder(), folders[i]);
        assert_int_equal(nftw(path, loadFile, 16, FTW_PHYS), 0);
    }
    printf("%d files\n", loadedCount);
    assert_true(loadedCount > 200);
    assert_int_equal(wkGetByteCount(), 0);
}

// Points that are finite, and rows, as the index of the data says.
static const struct {
    const char* path;
    int32_t count, finiteCount, height;
} knownClouds[] = {
    {"kinect_scenes/office1.pcd", 307200, 254456, 480},
    {"kinect_scenes/milk_cartoon_all_small_clorox.pcd", 307200, 241407, 480},
    {"kinect_scenes/person.pcd", 307200, 242749, 480},
    {"stereo/table_scene_mug_stereo_textured.pcd", 307200, 209280, 480},
    {"grasp/table_mug.pcd", 104444, 104444, 1},
    {"grasp/krylon.pcd", 4467, 4467, 1},
    {"lidar/room_scan1.pcd", 112586, 112586, 1},
    {"lidar/velodyne_251370668.pcd", 69088, 69088, 1},
    {"lidar/icp_tutorial_cloud_0.vtk", 36674, 36674, 1},
    {"lidar/car_cloud400.csv", 24989, 24989, 1},
};

static void known_clouds_have_their_points(void** state)
{
    (void)state;
    wkSkipWithoutData("meshes");
    for (size_t i = 0; i < sizeof knownClouds / sizeof knownClouds[0]; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/clouds/%s", wkDataFolder(), knownClouds[i].path);
        wkLoadInfo report;
        wkLoadDef options = wkDefaultLoadDef();
        wkPointData* data = NULL;
        if (wkPointData_Load(path, &options, &report, &data) != wk_ok) {
            fail_msg("%s", wkGetLastError());
        }
        if (data->count != knownClouds[i].count || data->height != knownClouds[i].height ||
            data->count - report.notFiniteCount != knownClouds[i].finiteCount ||
            report.warning[0] != '\0') {
            fail_msg("%s: %d points, %d not finite, %d rows, %s", path, data->count,
                     report.notFiniteCount, data->height, report.warning);
        }
        wkPointData_Destroy(data);
    }
}

static bool readsPoints(const char* extension)
{
    for (int32_t i = 0; wkPointFormatName(i) != NULL; i++) {
        if (strcmp(wkPointFormatName(i), extension) == 0) {
            return true;
        }
    }
    return false;
}

static int loadCloud(const char* path, const struct stat* about, int kind, struct FTW* walk)
{
    (void)about;
    (void)walk;
    const char* dot = strrchr(path, '.');
    if (kind != FTW_F || dot == NULL || !readsPoints(dot + 1)) {
        return 0;
    }
    wkPointData* data = NULL;
    if (wkPointData_Load(path, NULL, NULL, &data) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    assert_true(data->count > 0);
    wkPointData_Destroy(data);
    loadedCount++;
    return 0;
}

static void every_cloud_loads(void** state)
{
    (void)state;
    wkSkipWithoutData("meshes");
    char path[1024];
    snprintf(path, sizeof path, "%s/clouds", wkDataFolder());
    loadedCount = 0;
    assert_int_equal(nftw(path, loadCloud, 16, FTW_PHYS), 0);
    assert_true(loadedCount >= 16);
    assert_int_equal(wkGetByteCount(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_files_have_their_triangles),
        cmocka_unit_test(millimetres_are_noticed),
        cmocka_unit_test(every_file_loads),
        cmocka_unit_test(known_clouds_have_their_points),
        cmocka_unit_test(every_cloud_loads),
    };
    return cmocka_run_group_tests_name("io.data", tests, NULL, NULL);
}
