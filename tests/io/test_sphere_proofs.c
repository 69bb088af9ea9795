// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Spheres of files and whether they cover: proofs that files keep, the cache that lives on them, and robots
// whose bodies have grown.

#define _POSIX_C_SOURCE 200809L // opendir, rmdir

#include "sphere_kit.h"

#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

// The text of a file, which the caller frees.
static char* readText(const char* path)
{
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    char* text = calloc(1, 1 << 20);
    assert_non_null(text);
    size_t count = fread(text, 1, (1 << 20) - 1, file);
    assert_true(count > 0 && fclose(file) == 0);
    return text;
}

static wkSphereModelInfo parseInfo(const char* text, const wkRobot* robot, bool skipsProof,
                                   double padding, wkSphereLoadInfo* report)
{
    wkSphereModel* model = NULL;
    wkSphereLoadDef options = wkDefaultSphereLoadDef();
    options.skipsProof = skipsProof;
    options.padding = padding;
    if (wkSphereModel_Parse(text, strlen(text), robot, &options, report, &model) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    wkSphereModelInfo info = wkSphereModel_Info(model);
    wkSphereModel_Destroy(model);
    return info;
}

// Removes the text from one mark up to another one behind it.
static void cutOut(char* text, const char* from, const char* to)
{
    char* start = strstr(text, from);
    char* end = start != NULL ? strstr(start + strlen(from), to) : NULL;
    assert_non_null(end);
    memmove(start, end, strlen(end) + 1);
}

static void a_proof_is_accepted_for_the_same_spheres_alone(void** state)
{
    (void)state;
    wkRobot* robot = NULL;
    wkSphereModel* model = NULL;
    wkSphereFitDef fit = wkDefaultSphereFitDef();
    wkSphereLoadInfo report;
    fit.accuracy = 0.08;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    assert_int_equal(wkSphereModel_Fit(robot, &fit, &model), wk_ok);
    double protrusion = wkSphereModel_Info(model).protrusion;
    const char* path = wkTestPath("proof.json");
    assert_int_equal(wkSphereModel_Save(path, model), wk_ok);
    wkSphereModel_Destroy(model);
    char* text = readText(path);

    // as it was written: nothing has to be proven
    wkSphereModelInfo info = parseInfo(text, robot, true, 0.0, &report);
    assert_true(info.isCovering && report.hasProof && info.protrusion == protrusion);

    // cut after its fifth sphere, it still says that it covers
    char* cut = readText(path);
    char* at = cut;
    for (int i = 0; i < 5; i++) {
        at = strstr(at, "\"radius\"");
        assert_non_null(at);
        at = strchr(at, '}');
        assert_non_null(at);
    }
    strcpy(at, "}]}}\n");
    info = parseInfo(cut, robot, false, 0.0, &report);
    assert_true(report.isCovering && !report.hasProof);
    assert_true(!info.isCovering && info.gap > 0.0 && info.bareLink >= 0);
    assert_non_null(strstr(report.warning, "covering: it is said to be true"));
    info = parseInfo(cut, robot, true, 0.0, &report);
    assert_false(info.isCovering);
    free(cut);

    // without its proof it is proven again; a radius that is edited needs that too
    cutOut(text, "  \"proof\"", "  \"collision_spheres\"");
    info = parseInfo(text, robot, false, 0.0, &report);
    assert_true(info.isCovering && !report.hasProof);
    assert_string_equal(report.warning, "");
    info = parseInfo(text, robot, true, 0.0, &report);
    assert_false(info.isCovering);
    free(text);
    wkRobot_Destroy(robot);
    wkRemoveFiles();
}

static bool fitCached(const wkRobot* robot, double accuracy, const char* folder)
{
    wkSphereModel* model = NULL;
    bool isCached = false;
    wkSphereFitDef fit = wkDefaultSphereFitDef();
    fit.accuracy = accuracy;
    assert_int_equal(wkSphereModel_FitCached(robot, &fit, folder, &isCached, &model), wk_ok);
    assert_true(wkSphereModel_Info(model).isCovering);
    assert_true(wkSphereModel_Info(model).protrusion <= accuracy);
    wkSphereModel_Destroy(model);
    return isCached;
}

// The one file in a folder.
static void findFile(const char* folder, char* path, size_t capacity)
{
    DIR* entries = opendir(folder);
    assert_non_null(entries);
    int count = 0;
    for (struct dirent* entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        if (entry->d_name[0] != '.') {
            snprintf(path, capacity, "%s/%s", folder, entry->d_name);
            count++;
        }
    }
    assert_int_equal(closedir(entries), 0);
    assert_int_equal(count, 1);
}

static void spheres_of_before_are_taken_while_their_proof_holds(void** state)
{
    (void)state;
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    char folder[1024], path[2048];
    snprintf(folder, sizeof folder, "%s.d/whisker", wkTestPath("cache"));
    assert_false(fitCached(robot, 0.1, NULL));
    assert_false(fitCached(robot, 0.1, "/dev/null/nowhere")); // no error
    assert_false(fitCached(robot, 0.1, folder));
    assert_true(fitCached(robot, 0.1, folder));

    // a file that was cut is fitted again, and whole afterwards
    findFile(folder, path, sizeof path);
    char* text = readText(path);
    cutOut(text, "\"center\"", "\"center\"");
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    free(text);
    assert_false(fitCached(robot, 0.1, folder));
    assert_true(fitCached(robot, 0.1, folder));
    remove(path);
    assert_false(fitCached(robot, 0.12, folder)); // another accuracy is another file
    findFile(folder, path, sizeof path);
    remove(path);
    rmdir(folder);
    *strrchr(folder, '/') = '\0';
    rmdir(folder);
    wkRobot_Destroy(robot);
    wkRemoveFiles();
}

// A link with a box, one with a sphere, both with a padding.
static wkRobot* makePair(double padding)
{
    static const char* const links[] = {"base", "tip"};
    wkJointDef joint = wkDefaultJointDef();
    joint.name = "turn";
    joint.parent = "base";
    joint.child = "tip";
    joint.origin = wkMakePose(0.0, 0.0, 1.0);
    wkBodyDef bodies[2] = {{"base", NULL, wkMakeBox(0.2, 0.3, 0.4), wkIdentityPose()},
                           {"tip", NULL, wkMakeSphere(0.1), wkIdentityPose()}};
    bodies[0].shape.padding = bodies[1].shape.padding = padding;
    wkRobotDef def = wkDefaultRobotDef();
    def.name = "pair";
    def.links = links;
    def.linkCount = 2;
    def.joints = &joint;
    def.jointCount = 1;
    def.bodies = bodies;
    def.bodyCount = 2;
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_Create(&def, &robot), wk_ok);
    return robot;
}

static char* fitAndRead(const wkRobot* robot)
{
    wkSphereModel* model = NULL;
    wkSphereFitDef fit = wkDefaultSphereFitDef();
    fit.accuracy = 0.05;
    assert_int_equal(wkSphereModel_Fit(robot, &fit, &model), wk_ok);
    const char* path = wkTestPath("padded.json");
    assert_int_equal(wkSphereModel_Save(path, model), wk_ok);
    wkSphereModel_Destroy(model);
    return readText(path);
}

// Spheres of a file grow with the bodies of the robot, once.
static void spheres_grow_with_the_padding_of_the_robot(void** state)
{
    (void)state;
    wkRobot *bare = makePair(0.0), *padded = makePair(0.03), *shrunk = makePair(-0.01);
    char* text = fitAndRead(bare);
    wkSphereLoadInfo report;
    wkSphereModelInfo info = parseInfo(text, padded, false, 0.0, &report);
    assert_false(info.isCovering);
    info = parseInfo(text, padded, false, 0.03, &report);
    assert_true(info.isCovering && !report.hasProof && report.padding == 0.03);
    assert_string_equal(report.warning, "");
    info = parseInfo(text, padded, true, 0.03, &report); // not proven, but grown
    assert_true(!info.isCovering && report.padding == 0.03);
    info = parseInfo(text, shrunk, false, 0.0, &report);
    assert_true(info.isCovering && report.padding == 0.0);
    free(text);

    // what was fitted to the padded robot is taken as it is
    text = fitAndRead(padded);
    info = parseInfo(text, padded, false, 0.03, &report);
    assert_true(info.isCovering && report.hasProof && report.padding == 0.0);
    free(text);
    wkSphereModel* model = NULL;
    wkSphereLoadDef options = wkDefaultSphereLoadDef();
    static const double wrong[] = {-0.01, NAN, INFINITY};
    for (int i = 0; i < 3; i++) {
        options.padding = wrong[i];
        assert_int_equal(wkSphereModel_Parse("{}", 2, bare, &options, NULL, &model), wk_errorRange);
    }
    wkRobot_Destroy(bare);
    wkRobot_Destroy(padded);
    wkRobot_Destroy(shrunk);
    wkRemoveFiles();
    assert_int_equal(wkGetByteCount(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_proof_is_accepted_for_the_same_spheres_alone),
        cmocka_unit_test(spheres_of_before_are_taken_while_their_proof_holds),
        cmocka_unit_test(spheres_grow_with_the_padding_of_the_robot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
