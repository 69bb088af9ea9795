// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Real robots of others: all of their links are covered. WHISKER_DATA names the folder; without it the
// tests are skipped.

#include "../data_files.h"
#include "fit_kit.h"

#include <math.h>
#include <stdlib.h>

static wkRobot* loadRobot(const char* name)
{
    char path[WK_DATA_PATH_CAPACITY];
    snprintf(path, sizeof path, "robots/%s", name);
    return wkLoadDataRobot(path, NULL);
}

static void checkRobot(const char* name, int32_t count)
{
    wkRobot* robot = loadRobot(name);
    if (robot == NULL) {
        return;
    }
    wkSphereFitDef fit = wkDefaultSphereFitDef();
    fit.count = count;
    wkSphereModel* model = NULL;
    if (wkSphereModel_Fit(robot, &fit, &model) != wk_ok) {
        fail_msg("%s: %s", name, wkGetLastError());
    }
    wkSphereModelInfo info = wkSphereModel_Info(model);
    assert_true(info.isCovering && info.sphereCount == count);
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int32_t b = 0; b < wkRobot_Info(robot).bodyCount; b++) {
        wkBodyInfo body = wkRobot_Body(robot, b);
        fitCheckCovered(model, &body, 1000, &rng);
    }
    wkSphereModel_Destroy(model);
    wkRobot_Destroy(robot);
}

static void robots_of_others_are_covered(void** state)
{
    (void)state;
    checkRobot("panda/panda.urdf", 59);
    checkRobot("fetch/fetch.urdf", 60);
    checkRobot("kuka_lwr/kuka_lwr.urdf", 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(robots_of_others_are_covered),
    };
    int failed = cmocka_run_group_tests_name("fit.data", tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
