// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Real robots of others: all of them load, in every mode, and each link has the shapes that a plain look
// at the text of its file counts. WHISKER_DATA names the folder; without it the tests are skipped.

#define _POSIX_C_SOURCE 200809L // glob, clock_gettime

#include "urdf_kit.h"

#include <ctype.h>
#include <glob.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

static const char* dataFolder(void)
{
    const char* folder = getenv("WHISKER_DATA");
    return folder != NULL ? folder : WHISKER_DATA_DEFAULT;
}

static void skipWithoutData(void)
{
    char path[1024];
    struct stat about;
    snprintf(path, sizeof path, "%s/robots", dataFolder());
    if (stat(path, &about) != 0) {
        printf("skipped: no %s; WHISKER_DATA names another folder\n", path);
        skip();
    }
}

// The whole text, which the caller frees, with comments blanked out.
static char* readText(const char* path)
{
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    size_t count = (size_t)ftell(file);
    rewind(file);
    char* text = calloc(count + 1, 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, count, file), count);
    fclose(file);
    for (char* at = strstr(text, "<!--"); at != NULL; at = strstr(at, "<!--")) {
        char* end = strstr(at, "-->");
        assert_non_null(end);
        memset(at, ' ', (size_t)(end + 3 - at));
    }
    return text;
}

static int countText(const char* text, const char* end, const char* word)
{
    int count = 0;
    for (const char* at = strstr(text, word); at != NULL && at < end; at = strstr(at + 1, word)) {
        char next = at[strlen(word)];
        count += next == '>' || next == '/' || isspace((unsigned char)next) ? 1 : 0;
    }
    return count;
}

// Each <link ...> up to its </link>, unless it ends at once.
static int compareLinks(const char* path, const char* text, const wkRobot* robot)
{
    int linkCount = 0;
    for (const char* at = strstr(text, "<link "); at != NULL; at = strstr(at + 1, "<link ")) {
        const char* name = strstr(at, "name=\"") + strlen("name=\"");
        const char* close = strchr(at, '>');
        const char* end = close[-1] == '/' ? close : strstr(at, "</link>");
        char link[128];
        snprintf(link, sizeof link, "%.*s", (int)strcspn(name, "\""), name);
        int32_t number = wkRobot_FindLink(robot, link);
        int expected = countText(at, end, "<collision");
        int found = wkRobot_Link(robot, number).bodyCount;
        if (number < 0 || found != expected) {
            fail_msg("%s: link %s has %d shapes instead of %d", path, link, found, expected);
        }
        linkCount++;
    }
    return linkCount;
}

static void checkFile(const char* path)
{
    char* text = readText(path);
    for (int mode = 0; mode < wk_robotMeshModeCount; mode++) {
        wkRobotLoadReport report;
        wkRobotLoadOptions options = wkDefaultRobotLoadOptions();
        options.mode = (wkRobotMeshMode)mode;
        options.report = &report;
        wkRobot* robot = NULL;
        if (wkRobot_Load(path, &options, &robot) != wk_ok) {
            fail_msg("%s", wkGetLastError());
        }
        wkRobotInfo info = wkRobot_Info(robot);
        const char* end = text + strlen(text);
        if (mode != wk_robotMeshPieces) {
            assert_int_equal(compareLinks(path, text, robot), info.linkCount);
        }
        assert_true(info.bodyCount >= countText(text, end, "<collision"));
        assert_int_equal(info.jointCount, countText(text, end, "<joint"));
        assert_string_equal(report.warning, "");
        wkRobot_Destroy(robot);
    }
    free(text);
    assert_int_equal(wkGetByteCount(), 0);
}

static void every_robot_loads_with_all_its_shapes(void** state)
{
    (void)state;
    skipWithoutData();
    static const char* const patterns[] = {"robots/*/*.urdf", "spheres/*/*.urdf"};
    size_t count = 0;
    for (int i = 0; i < 2; i++) {
        char pattern[1024];
        glob_t found;
        snprintf(pattern, sizeof pattern, "%s/%s", dataFolder(), patterns[i]);
        assert_int_equal(glob(pattern, 0, NULL, &found), 0);
        for (size_t k = 0; k < found.gl_pathc; k++) {
            checkFile(found.gl_pathv[k]);
        }
        count += found.gl_pathc;
        globfree(&found);
    }
    assert_true(count >= 14);
}

static const struct {
    const char* urdf;
    const char* srdf;
    int32_t links, variables, bodies, groups, states, hands, pairs, unknownPairs;
    int64_t triangles;
} known[] = {
    {"pr2/pr2", "pr2/pr2_disabled_pairs", 95, 39, 54, 11, 2, 2, 1035, 128, 30260},
    {"pr2/pr2", "pr2/pr2", 95, 39, 54, 8, 1, 2, 1, 0, 30260},
    {"panda/panda", "panda/panda", 13, 7, 11, 3, 5, 1, 34, 0, 3472},
    {"fetch/fetch", "fetch/fetch", 17, 8, 15, 5, 0, 1, 74, 87, 1802},
    {"ur5_robotiq85/ur5_robotiq85", "ur5_robotiq85/ur5_robotiq85", 22, 6, 18, 2, 3, 1, 88, 0,
     104185},
};

static void known_robots_have_their_parts(void** state)
{
    (void)state;
    skipWithoutData();
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char urdf[1024], srdf[1024];
        snprintf(urdf, sizeof urdf, "%s/robots/%s.urdf", dataFolder(), known[i].urdf);
        snprintf(srdf, sizeof srdf, "%s/robots/%s.srdf", dataFolder(), known[i].srdf);
        wkRobotLoadReport report;
        wkRobotLoadOptions options = wkDefaultRobotLoadOptions();
        options.srdf = srdf;
        options.report = &report;
        wkRobot* robot = NULL;
        if (wkRobot_Load(urdf, &options, &robot) != wk_ok) {
            fail_msg("%s", wkGetLastError());
        }
        wkRobotInfo info = wkRobot_Info(robot);
        if (info.linkCount != known[i].links || info.variableCount != known[i].variables ||
            info.bodyCount != known[i].bodies || info.groupCount != known[i].groups ||
            info.stateCount != known[i].states || info.endEffectorCount != known[i].hands ||
            info.disabledPairCount != known[i].pairs ||
            report.unknownPairCount != known[i].unknownPairs ||
            info.triangleCount != known[i].triangles) {
            fail_msg("%s: %d links, %d variables, %d bodies, %d groups, %d states, %d hands, "
                     "%d pairs, %d unknown, %lld triangles",
                     urdf, info.linkCount, info.variableCount, info.bodyCount, info.groupCount,
                     info.stateCount, info.endEffectorCount, info.disabledPairCount,
                     report.unknownPairCount, (long long)info.triangleCount);
        }
        wkRobot_Destroy(robot);
    }
}

static void groups_of_a_real_robot_are_its_arms(void** state)
{
    (void)state;
    skipWithoutData();
    char urdf[1024], srdf[1024];
    snprintf(urdf, sizeof urdf, "%s/robots/pr2/pr2.urdf", dataFolder());
    snprintf(srdf, sizeof srdf, "%s/robots/pr2/pr2.srdf", dataFolder());
    wkRobotLoadOptions options = wkDefaultRobotLoadOptions();
    options.srdf = srdf;
    options.skipsMeshes = true;
    options.addsVirtualJoint = true;
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_Load(urdf, &options, &robot), wk_ok);
    static const struct {
        const char* name;
        int32_t variableCount;
    } groups[] = {{"right_arm", 7},       {"left_arm", 7}, {"arms", 14},
                  {"arms_and_torso", 15}, {"base", 3},     {"whole_body", 18}};
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        wkGroupInfo group = wkRobot_Group(robot, wkRobot_FindGroup(robot, groups[i].name));
        assert_int_equal(group.variableCount, groups[i].variableCount);
    }
    wkRobot_Destroy(robot);
}

// The time that users wait for the largest of them, on one core; it is a hundredth of a second.
static void a_large_robot_loads_in_less_than_a_second(void** state)
{
    (void)state;
    skipWithoutData();
    char urdf[1024];
    snprintf(urdf, sizeof urdf, "%s/robots/pr2/pr2.urdf", dataFolder());
    struct timespec start, end;
    wkRobot* robot = NULL;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    assert_int_equal(wkRobot_Load(urdf, NULL, &robot), wk_ok);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    wkRobot_Destroy(robot);
    double seconds =
        (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    printf("%.1f ms\n", 1e3 * seconds);
    assert_true(seconds < 1.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_robot_loads_with_all_its_shapes),
        cmocka_unit_test(known_robots_have_their_parts),
        cmocka_unit_test(groups_of_a_real_robot_are_its_arms),
        cmocka_unit_test(a_large_robot_loads_in_less_than_a_second),
    };
    return cmocka_run_group_tests_name("io.robot_data", tests, NULL, NULL);
}
