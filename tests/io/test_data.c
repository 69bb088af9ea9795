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

static const char* dataFolder(void)
{
    const char* folder = getenv("WHISKER_DATA");
    return folder != NULL ? folder : WHISKER_DATA_DEFAULT;
}

static void skipWithoutData(void)
{
    char path[1024];
    struct stat about;
    snprintf(path, sizeof path, "%s/meshes", dataFolder());
    if (stat(path, &about) != 0) {
        printf("skipped: no %s; WHISKER_DATA names another folder\n", path);
        skip();
    }
}

static void known_files_have_their_triangles(void** state)
{
    (void)state;
    skipWithoutData();
    for (size_t i = 0; i < sizeof knownFiles / sizeof knownFiles[0]; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", dataFolder(), knownFiles[i].path);
        if (!wkReadsFormat(strrchr(path, '.') + 1)) {
            continue;
        }
        wkMeshData* data = wkMustLoad(path, NULL);
        if (data->triangleCount != knownFiles[i].triangleCount) {
            fail_msg("%s: %d triangles", path, data->triangleCount);
        }
        wkMeshData_Destroy(data);
    }
}

static void millimetres_are_noticed(void** state)
{
    (void)state;
    skipWithoutData();
    char path[1024];
    snprintf(path, sizeof path, "%s/meshes/fcl/env.obj", dataFolder());
    wkLoadReport report;
    wkLoadOptions options = wkDefaultLoadOptions();
    options.report = &report;
    wkMeshData_Destroy(wkMustLoad(path, &options));
    assert_non_null(strstr(report.warning, "millimetres"));
    options.scale.x = options.scale.y = options.scale.z = 0.001;
    wkMeshData_Destroy(wkMustLoad(path, &options));
    assert_string_equal(report.warning, "");
}

static int loadedCount;

static int loadFile(const char* path, const struct stat* about, int kind, struct FTW* place)
{
    (void)about;
    (void)place;
    const char* dot = strrchr(path, '.');
    char extension[16] = "";
    for (size_t i = 0; dot != NULL && dot[i] != '\0' && i + 1 < sizeof extension; i++) {
        extension[i] =
            dot[i + 1] >= 'A' && dot[i + 1] <= 'Z' ? (char)(dot[i + 1] + 32) : dot[i + 1];
    }
    if (kind != FTW_F || !wkReadsFormat(extension)) {
        return 0;
    }
    wkMeshData* data = wkMustLoad(path, NULL);
    assert_true(data->triangleCount > 0);
    wkMeshData_Destroy(data);
    loadedCount++;
    return 0;
}

static void every_file_loads(void** state)
{
    (void)state;
    skipWithoutData();
    static const char* const folders[] = {"meshes", "robots"};
    for (int i = 0; i < 2; i++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/%s", dataFolder(), folders[i]);
        assert_int_equal(nftw(path, loadFile, 16, FTW_PHYS), 0);
    }
    printf("%d files\n", loadedCount);
    assert_true(loadedCount > 200);
    assert_int_equal(wkGetByteCount(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_files_have_their_triangles),
        cmocka_unit_test(millimetres_are_noticed),
        cmocka_unit_test(every_file_loads),
    };
    return cmocka_run_group_tests_name("io.data", tests, NULL, NULL);
}
