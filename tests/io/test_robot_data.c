// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Real robots of others: all of them load, in every mode, and each link has the shapes that a plain look
// at the text of its file counts. WHISKER_DATA names the folder; without it the tests are skipped.

#define _POSIX_C_SOURCE 200809L // glob, clock_gettime

#include "urdf_kit.h"

#include "whisker/detail/counts.h"

#include <ctype.h>
#include <glob.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

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
    for (int mode = 0; mode < WK_ROBOT_MESH_MODE_COUNT; mode++) {
        wkRobotLoadInfo report;
        wkRobotLoadDef options = wkDefaultRobotLoadDef();
        options.mode = (wkRobotMeshMode)mode;
        wkRobot* robot = NULL;
        if (wkRobot_Load(path, &options, &report, &robot) != wk_ok) {
            fail_msg("%s", wkGetLastError());
        }
        wkRobotInfo info = wkRobot_Info(robot);
        const char* end = text + strlen(text);
        if (mode != wk_robotMeshPieces) {
            assert_int_equal(compareLinks(path, text, robot), info.linkCount);
        }
        assert_true(info.bodyCount >= countText(text, end, "<collision"));
        assert_int_equal(info.jointCount, countText(text, end, "<joint"));
        // nothing else is doubtful about them
        assert_true(
            report.warning[0] == '\0' ||
            strstr(report.warning, "links have no collision shape") != NULL ||
            (mode == wk_robotMeshSolid && strstr(report.warning, "not watertight") != NULL));
        wkRobot_Destroy(robot);
    }
    free(text);
    assert_int_equal(wkGetByteCount(), 0);
}

static void every_robot_loads_with_all_its_shapes(void** state)
{
    (void)state;
    wkSkipWithoutData("robots");
    static const char* const patterns[] = {"robots/*/*.urdf", "spheres/*/*.urdf"};
    size_t count = 0;
    for (int i = 0; i < 2; i++) {
        char pattern[1024];
        glob_t found;
        snprintf(pattern, sizeof pattern, "%s/%s", wkDataFolder(), patterns[i]);
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
    int32_t links, variables, bodies, groups, states, endEffectors, pairs, unknownPairs;
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
    wkSkipWithoutData("robots");
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        char urdf[1024], srdf[1024];
        snprintf(urdf, sizeof urdf, "%s/robots/%s.urdf", wkDataFolder(), known[i].urdf);
        snprintf(srdf, sizeof srdf, "%s/robots/%s.srdf", wkDataFolder(), known[i].srdf);
        wkRobotLoadInfo report;
        wkRobotLoadDef options = wkDefaultRobotLoadDef();
        options.srdf = srdf;
        wkRobot* robot = NULL;
        if (wkRobot_Load(urdf, &options, &report, &robot) != wk_ok) {
            fail_msg("%s", wkGetLastError());
        }
        wkRobotInfo info = wkRobot_Info(robot);
        if (info.linkCount != known[i].links || info.variableCount != known[i].variables ||
            info.bodyCount != known[i].bodies || info.groupCount != known[i].groups ||
            info.stateCount != known[i].states || info.endEffectorCount != known[i].endEffectors ||
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
    wkSkipWithoutData("robots");
    char urdf[1024], srdf[1024];
    snprintf(urdf, sizeof urdf, "%s/robots/pr2/pr2.urdf", wkDataFolder());
    snprintf(srdf, sizeof srdf, "%s/robots/pr2/pr2.srdf", wkDataFolder());
    wkRobotLoadDef options = wkDefaultRobotLoadDef();
    options.srdf = srdf;
    options.skipsMeshes = true;
    options.addsVirtualJoint = true;
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_Load(urdf, &options, NULL, &robot), wk_ok);
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
    wkSkipWithoutData("robots");
    char urdf[1024];
    snprintf(urdf, sizeof urdf, "%s/robots/pr2/pr2.urdf", wkDataFolder());
    struct timespec start, end;
    wkRobot* robot = NULL;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    assert_int_equal(wkRobot_Load(urdf, NULL, NULL, &robot), wk_ok);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    wkRobot_Destroy(robot);
    double seconds =
        (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
    printf("%.1f ms\n", 1e3 * seconds);
    assert_true(seconds < 1.0);
}

// Kinematics by the text of the file alone, with plain matrices: joints as they stand there.
typedef struct plainJoint {
    char name[128], parent[128], child[128], type[32], mimic[128];
    double origin[4][4], axis[3], factor, offset;
} plainJoint;

#define MAX_PLAIN_JOINTS 256

// The value of an attribute of the first such element before `end`; false when there is none.
static bool findAttribute(const char* at, const char* end, const char* element, const char* name,
                          char* value, size_t size)
{
    char pattern[64];
    snprintf(pattern, sizeof pattern, " %s=\"", name);
    const char* start = strstr(at, element);
    const char* close = start != NULL && start < end ? strchr(start, '>') : NULL;
    const char* found = close != NULL ? strstr(start, pattern) : NULL;
    if (found == NULL || found > close) {
        return false;
    }
    found += strlen(pattern);
    size_t length = strcspn(found, "\"");
    assert_true(length < size);
    memcpy(value, found, length);
    value[length] = '\0';
    return true;
}

static void multiply(double a[4][4], double b[4][4], double product[4][4])
{
    double result[4][4];
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            result[i][j] = 0.0;
            for (int k = 0; k < 4; k++) {
                result[i][j] += a[i][k] * b[k][j];
            }
        }
    }
    memcpy(product, result, sizeof result);
}

// A turn about a unit axis (Rodrigues), or a slide along it.
static void makeMotion(const double axis[3], double angle, double length, double m[4][4])
{
    double c = cos(angle), s = sin(angle);
    double cross[3][3] = {
        {0.0, -axis[2], axis[1]}, {axis[2], 0.0, -axis[0]}, {-axis[1], axis[0], 0.0}};
    memset(m, 0, 16 * sizeof(double));
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            m[i][j] = (i == j ? c : 0.0) + (1.0 - c) * axis[i] * axis[j] + s * cross[i][j];
        }
        m[i][3] = length * axis[i];
    }
    m[3][3] = 1.0;
}

static void makeOrigin(const double xyz[3], const double rpy[3], double m[4][4])
{
    const double axes[3][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    double turn[4][4];
    makeMotion(axes[2], rpy[2], 0.0, m);
    for (int k = 1; k >= 0; k--) {
        makeMotion(axes[k], rpy[k], 0.0, turn);
        multiply(m, turn, m);
    }
    for (int i = 0; i < 3; i++) {
        m[i][3] = xyz[i];
    }
}

static void readThree(const char* at, const char* end, const char* element, const char* name,
                      double numbers[3])
{
    char value[128];
    if (findAttribute(at, end, element, name, value, sizeof value)) {
        assert_int_equal(sscanf(value, "%lf %lf %lf", &numbers[0], &numbers[1], &numbers[2]), 3);
    }
}

static void readJoint(const char* at, const char* end, plainJoint* joint)
{
    char number[64];
    double xyz[3] = {0.0, 0.0, 0.0}, rpy[3] = {0.0, 0.0, 0.0};
    *joint = (plainJoint){.axis = {1.0, 0.0, 0.0}, .factor = 1.0};
    assert_true(findAttribute(at, end, "<joint", "name", joint->name, sizeof joint->name));
    assert_true(findAttribute(at, end, "<joint", "type", joint->type, sizeof joint->type));
    assert_true(findAttribute(at, end, "<parent", "link", joint->parent, sizeof joint->parent));
    assert_true(findAttribute(at, end, "<child", "link", joint->child, sizeof joint->child));
    readThree(at, end, "<origin", "xyz", xyz);
    readThree(at, end, "<origin", "rpy", rpy);
    readThree(at, end, "<axis", "xyz", joint->axis);
    makeOrigin(xyz, rpy, joint->origin);
    double length = sqrt(joint->axis[0] * joint->axis[0] + joint->axis[1] * joint->axis[1] +
                         joint->axis[2] * joint->axis[2]);
    // joints that do not move may have none
    for (int i = 0; i < 3 && length > 0.0; i++) {
        joint->axis[i] /= length;
    }
    if (findAttribute(at, end, "<mimic", "joint", joint->mimic, sizeof joint->mimic)) {
        if (findAttribute(at, end, "<mimic", "multiplier", number, sizeof number)) {
            joint->factor = atof(number);
        }
        if (findAttribute(at, end, "<mimic", "offset", number, sizeof number)) {
            joint->offset = atof(number);
        }
    }
}

static int readJoints(const char* text, plainJoint* joints)
{
    int count = 0;
    char type[32];
    for (const char* at = strstr(text, "<joint"); at != NULL; at = strstr(at + 1, "<joint")) {
        // those of transmissions have no type
        if (findAttribute(at, at + 1, "<joint", "type", type, sizeof type)) {
            const char* end = strstr(at, "</joint>");
            assert_true(end != NULL && count < MAX_PLAIN_JOINTS);
            readJoint(at, end, &joints[count++]);
        }
    }
    return count;
}

static void placePlainly(const wkRobot* robot, const plainJoint* joints, int count,
                         const char* link, const double* q, double m[4][4])
{
    const plainJoint* joint = NULL;
    for (int i = 0; i < count; i++) {
        joint = strcmp(joints[i].child, link) == 0 ? &joints[i] : joint;
    }
    if (joint == NULL) {
        const double none[3] = {0.0, 0.0, 0.0};
        makeOrigin(none, none, m);
        return;
    }
    double motion[4][4], value = 0.0;
    if (strcmp(joint->type, "fixed") != 0) {
        const char* leader = joint->mimic[0] != '\0' ? joint->mimic : joint->name;
        int32_t variable = wkRobot_FindVariable(robot, leader);
        assert_true(variable >= 0);
        value = joint->factor * q[variable] + joint->offset;
    }
    bool isPrismatic = strcmp(joint->type, "prismatic") == 0;
    makeMotion(joint->axis, isPrismatic ? 0.0 : value, isPrismatic ? value : 0.0, motion);
    placePlainly(robot, joints, count, joint->parent, q, m);
    double origin[4][4];
    memcpy(origin, joint->origin, sizeof origin);
    multiply(m, origin, m);
    multiply(m, motion, m);
}

static void comparePoses(const wkRobot* robot, const plainJoint* joints, int count, const double* q,
                         const wkPose* poses)
{
    for (int32_t link = 0; link < wkRobot_Info(robot).linkCount; link++) {
        const wkVec3d axes[4] = {
            {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
        double m[4][4];
        placePlainly(robot, joints, count, wkRobot_Link(robot, link).name, q, m);
        for (int i = 0; i < 4; i++) {
            wkVec3d p = wkTransformPoint(poses[link], axes[i]);
            double plain[3];
            for (int row = 0; row < 3; row++) {
                plain[row] = m[row][3] + (i > 0 ? m[row][i - 1] : 0.0);
            }
            double off = fabs(p.x - plain[0]) + fabs(p.y - plain[1]) + fabs(p.z - plain[2]);
            if (!(off < 1e-11)) {
                fail_msg("%s is off by %g", wkRobot_Link(robot, link).name, off);
            }
        }
    }
}

static void comparePosesOfFile(const char* path, int stateCount)
{
    static plainJoint joints[MAX_PLAIN_JOINTS];
    static wkPose poses[MAX_PLAIN_JOINTS];
    double q[MAX_PLAIN_JOINTS];
    char* text = readText(path);
    wkRobotLoadDef options = wkDefaultRobotLoadDef();
    options.skipsMeshes = true;
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_Load(path, &options, NULL, &robot), wk_ok);
    int count = readJoints(text, joints);
    assert_int_equal(count, wkRobot_Info(robot).jointCount);
    assert_true(wkRobot_Info(robot).linkCount <= MAX_PLAIN_JOINTS);
    uint64_t seed = 5;
    for (int i = 0; i < stateCount; i++) {
        wkRobot_RandomConfiguration(robot, &seed, q);
        wkRobot_LinkPoses(robot, wkIdentityPose(), q, poses);
        comparePoses(robot, joints, count, q, poses);
    }
    wkRobot_Destroy(robot);
    free(text);
}

static void links_are_where_plain_matrices_put_them(void** state)
{
    (void)state;
    wkSkipWithoutData("robots");
    char pattern[1024];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/robots/*/*.urdf", wkDataFolder());
    assert_int_equal(glob(pattern, 0, NULL, &found), 0);
    for (size_t k = 0; k < found.gl_pathc; k++) {
        comparePosesOfFile(found.gl_pathv[k], 1000);
    }
    assert_true(found.gl_pathc >= 7);
    globfree(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_robot_loads_with_all_its_shapes),
        cmocka_unit_test(known_robots_have_their_parts),
        cmocka_unit_test(links_are_where_plain_matrices_put_them),
        cmocka_unit_test(groups_of_a_real_robot_are_its_arms),
        cmocka_unit_test(a_large_robot_loads_in_less_than_a_second),
    };
    return cmocka_run_group_tests_name("io.robot_data", tests, NULL, NULL);
}
