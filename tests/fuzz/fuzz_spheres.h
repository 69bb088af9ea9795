// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What holds for every file of spheres: it is refused with words, or gives spheres on links that are there;
// and nothing is left behind. The robot has links a to d, one above the other.

#include "whisker/io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void fuzzFail(const char* what)
{
    fprintf(stderr, "%s; last words: %s\n", what, wkGetLastError());
    abort();
}

static wkRobot* fuzzMakeRobot(void)
{
    static const char* const links[] = {"a", "b", "c", "d"};
    wkJointDef joints[3];
    for (int i = 0; i < 3; i++) {
        joints[i] = wkDefaultJointDef();
        joints[i].name = links[i + 1];
        joints[i].parent = links[i];
        joints[i].child = links[i + 1];
        joints[i].origin = wkMakePose(0.0, 0.0, 1.0);
    }
    wkRobotDef def = wkDefaultRobotDef();
    def.links = links;
    def.linkCount = 4;
    def.joints = joints;
    def.jointCount = 3;
    wkRobot* robot = NULL;
    if (wkRobot_Create(&def, &robot) != wk_ok) {
        fuzzFail("the robot cannot be made");
    }
    return robot;
}

static void fuzzCheckModel(const wkSphereModel* model)
{
    int32_t count = wkSphereModel_Info(model).sphereCount;
    for (int32_t i = 0; i < count; i++) {
        wkLinkSphere sphere = wkSphereModel_Sphere(model, i);
        double sum = sphere.sphere.center.x + sphere.sphere.center.y + sphere.sphere.center.z;
        if (sphere.link < 0 || sphere.link > 3 || !isfinite(sum) ||
            !(sphere.sphere.radius >= 0.0)) {
            fuzzFail("a sphere is not one");
        }
    }
}

static int fuzzSpheres(const uint8_t* data, size_t size, const char* format)
{
    wkRobot* robot = fuzzMakeRobot();
    for (int isLenient = 0; isLenient < 2; isLenient++) {
        wkSphereModel* model = NULL;
        wkSphereLoadInfo report;
        wkSphereLoadDef options = wkDefaultSphereLoadDef();
        options.format = format;
        options.skipsUnknownLinks = isLenient != 0;
        options.skipsOtherBodies = isLenient != 0;
        options.ignoresFrames = isLenient != 0;
        wkResult result = wkSphereModel_Parse(data, size, robot, &options, &report, &model);
        if ((result == wk_ok) != (model != NULL)) {
            fuzzFail("result and model disagree");
        }
        if (result == wk_ok) {
            fuzzCheckModel(model);
        } else if (wkGetLastError()[0] == '\0') {
            fuzzFail("refused without words");
        }
        wkSphereModel_Destroy(model);
    }
    wkRobot_Destroy(robot);
    if (wkGetByteCount() != 0) {
        fuzzFail("memory was left behind");
    }
    return 0;
}
