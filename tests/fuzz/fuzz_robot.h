// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What holds for every description of a robot: it is refused with words, or gives a robot whose parts
// agree and whose links have poses; and nothing is left behind. Mesh files are not opened.

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

static void fuzzCheckParts(const wkRobot* robot)
{
    wkRobotInfo info = wkRobot_Info(robot);
    if (info.linkCount != info.jointCount + 1) {
        fuzzFail("links and joints are no tree");
    }
    for (int32_t i = 0; i < info.variableCount; i++) {
        wkVariableInfo variable = wkRobot_Variable(robot, i);
        if (!(variable.lower <= variable.upper)) {
            fuzzFail("limits leave no room");
        }
    }
    for (int32_t i = 0; i < info.bodyCount; i++) {
        if (wkShape_Check(wkRobot_Body(robot, i).shape) != wk_ok) {
            fuzzFail("a shape is not valid");
        }
    }
    for (int32_t i = 0; i < info.groupCount; i++) {
        wkGroupInfo group = wkRobot_Group(robot, i);
        for (int32_t k = 0; k < group.linkCount; k++) {
            if (group.links[k] < 0 || group.links[k] >= info.linkCount) {
                fuzzFail("a group has a link that is not there");
            }
        }
    }
}

static void fuzzCheckPoses(const wkRobot* robot)
{
    wkRobotInfo info = wkRobot_Info(robot);
    double* q = malloc(((size_t)info.variableCount + 1) * sizeof *q);
    wkPose* poses = malloc((size_t)info.linkCount * sizeof *poses);
    if (q == NULL || poses == NULL) {
        abort();
    }
    wkRobot_DefaultConfiguration(robot, q);
    for (int32_t i = 0; i < info.stateCount; i++) {
        if (wkRobot_ApplyNamedState(robot, i, q) != wk_ok) {
            fuzzFail("a state cannot be applied");
        }
    }
    wkRobot_LinkPoses(robot, wkIdentityPose(), q, poses);
    free(q);
    free(poses);
}

static int fuzzRobot(const uint8_t* urdf, size_t urdfSize, const uint8_t* srdf, size_t srdfSize)
{
    for (int addsVirtualJoint = 0; addsVirtualJoint < (srdf != NULL ? 2 : 1); addsVirtualJoint++) {
        wkRobot* robot = NULL;
        wkRobotLoadDef options = wkDefaultRobotLoadDef();
        options.skipsMeshes = true;
        options.usesVisual = true;
        options.addsVirtualJoint = addsVirtualJoint != 0;
        wkResult result = wkRobot_Parse((const char*)urdf, urdfSize, (const char*)srdf, srdfSize,
                                        &options, NULL, &robot);
        if ((result == wk_ok) != (robot != NULL)) {
            fuzzFail("result and robot disagree");
        }
        if (result == wk_ok) {
            fuzzCheckParts(robot);
            fuzzCheckPoses(robot);
        } else if (wkGetLastError()[0] == '\0') {
            fuzzFail("refused without words");
        }
        wkRobot_Destroy(robot);
    }
    if (wkGetByteCount() != 0) {
        fuzzFail("memory was left behind");
    }
    return 0;
}
