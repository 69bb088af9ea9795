// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "info_robot.h"

#include "info_mesh.h"
#include "text_buffer.h"

#include "whisker/detail/counts.h"
#include "whisker/detail/library.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void wkPrintBounds(const char* name, wkAabb box)
{
    printf("  %-10s (%g, %g, %g) to (%g, %g, %g)\n", name, box.lower.x, box.lower.y, box.lower.z,
           box.upper.x, box.upper.y, box.upper.z);
}

// Prints "3 box, 2 mesh": a name for each count that is not zero.
static void printCounts(const int32_t* counts, int32_t kindCount, const char* (*nameOf)(int kind))
{
    const char* before = ": ";
    for (int kind = 0; kind < kindCount; kind++) {
        if (counts[kind] > 0) {
            printf("%s%d %s", before, (int)counts[kind], nameOf(kind));
            before = ", ";
        }
    }
    printf("\n");
}

static const char* nameOfJoint(int kind)
{
    return wkJointTypeName((wkJointType)kind);
}

static const char* nameOfShape(int kind)
{
    return wkShapeTypeName((wkShapeType)kind);
}

static void printLinks(const wkRobot* robot)
{
    wkRobotInfo info = wkRobot_Info(robot);
    int32_t withBodies = 0, joints[WK_JOINT_TYPE_COUNT] = {0}, shapes[WK_SHAPE_TYPE_COUNT] = {0};
    for (int32_t i = 0; i < info.linkCount; i++) {
        withBodies += wkRobot_Link(robot, i).bodyCount > 0 ? 1 : 0;
    }
    for (int32_t i = 0; i < info.jointCount; i++) {
        joints[wkRobot_Joint(robot, i).type]++;
    }
    for (int32_t i = 0; i < info.bodyCount; i++) {
        shapes[wkRobot_Body(robot, i).shape->type]++;
    }
    printf("  %-10s %d: %d with shapes\n", "links", (int)info.linkCount, (int)withBodies);
    printf("  %-10s %d", "joints", (int)info.jointCount);
    printCounts(joints, WK_JOINT_TYPE_COUNT, nameOfJoint);
    printf("  %-10s %d", "shapes", (int)info.bodyCount);
    printCounts(shapes, WK_SHAPE_TYPE_COUNT, nameOfShape);
}

// Prints a line for each mesh on a link.
static void printMeshes(const wkRobot* robot)
{
    for (int32_t i = 0; i < wkRobot_Info(robot).bodyCount; i++) {
        wkBodyInfo body = wkRobot_Body(robot, i);
        if (body.shape->type == wk_shapeMesh) {
            wkMeshInfo info = wkMesh_Info(body.shape->mesh);
            wkPrintLinkMesh(wkRobot_Link(robot, body.link).name, &info);
        }
    }
}

static void printVariables(const wkRobot* robot)
{
    static const char* const units[] = {
        [wk_variableAngle] = " rad",
        [wk_variableContinuous] = " rad",
        [wk_variableLength] = " m",
        [wk_variableRotation] = "",
    };
    int32_t count = wkRobot_Info(robot).variableCount;
    printf("  %-10s %d\n", "variables", (int)count);
    for (int32_t i = 0; i < count; i++) {
        wkVariableInfo variable = wkRobot_Variable(robot, i);
        printf("    %-30s ", variable.name);
        if (variable.lower == -INFINITY && variable.upper == INFINITY) {
            printf("any%s\n", units[variable.kind]);
        } else {
            printf("%g to %g%s\n", variable.lower, variable.upper, units[variable.kind]);
        }
    }
}

static void printGroups(const wkRobot* robot)
{
    wkRobotInfo info = wkRobot_Info(robot);
    printf("  %-10s %d\n", "groups", (int)info.groupCount);
    for (int32_t i = 0; i < info.groupCount; i++) {
        wkGroupInfo group = wkRobot_Group(robot, i);
        printf("    %-30s variables %d, links %d\n", group.name, (int)group.variableCount,
               (int)group.linkCount);
    }
    for (int32_t i = 0; i < info.stateCount; i++) {
        wkNamedStateInfo state = wkRobot_NamedState(robot, i);
        printf("%s %s%s%s", i == 0 ? "  states    " : ",", state.name,
               state.group >= 0 ? " of " : "", wkRobot_Group(robot, state.group).name);
    }
    printf("%s", info.stateCount > 0 ? "\n" : "");
    for (int32_t i = 0; i < info.endEffectorCount; i++) {
        wkEndEffectorInfo effector = wkRobot_EndEffector(robot, i);
        printf("%s %s on %s", i == 0 ? "  effectors " : ",", effector.name,
               wkRobot_Link(robot, effector.parentLink).name);
    }
    printf("%s", info.endEffectorCount > 0 ? "\n" : "");
}

// Computes the bounds of the robot in the default configuration, with the root at the origin.
static wkResult findBounds(const wkRobot* robot, wkAabb* bounds)
{
    wkRobotInfo info = wkRobot_Info(robot);
    double* q = calloc((size_t)info.variableCount + 1, sizeof *q);
    wkPose* poses = calloc((size_t)info.linkCount, sizeof *poses);
    bool hasMemory = q != NULL && poses != NULL;
    wkAabb all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    if (hasMemory) {
        wkRobot_DefaultConfiguration(robot, q);
        wkRobot_LinkPoses(robot, wkIdentityPose(), q, poses);
    }
    for (int32_t i = 0; hasMemory && i < info.bodyCount; i++) {
        wkBodyInfo body = wkRobot_Body(robot, i);
        wkAabb box = wkShape_Bounds(body.shape, wkMulPose(poses[body.link], body.pose));
        all.lower.x = fmin(all.lower.x, box.lower.x);
        all.lower.y = fmin(all.lower.y, box.lower.y);
        all.lower.z = fmin(all.lower.z, box.lower.z);
        all.upper.x = fmax(all.upper.x, box.upper.x);
        all.upper.y = fmax(all.upper.y, box.upper.y);
        all.upper.z = fmax(all.upper.z, box.upper.z);
    }
    free(q);
    free(poses);
    *bounds = all;
    return hasMemory ? wk_ok
                     : wkSetLastError(wk_errorMemory, "out of memory for the bounds of the robot");
}

static wkResult printRobot(const char* path, const wkRobot* robot, const wkRobotLoadInfo* report)
{
    wkRobotInfo info = wkRobot_Info(robot);
    printf("%s: a robot, %s\n", path, info.name);
    printLinks(robot);
    if (report->meshCount > 0) {
        printf("  %-10s %d: %lld triangles\n", "meshes", (int)report->meshCount,
               (long long)report->triangleCount);
        printMeshes(robot);
    }
    printVariables(robot);
    printGroups(robot);
    printf("  %-10s %d are not checked\n", "pairs", (int)info.disabledPairCount);
    printf("  %-10s %zu KiB\n", "memory", info.byteCount / 1024);
    wkAabb bounds;
    wkResult result = findBounds(robot, &bounds);
    if (result == wk_ok && info.bodyCount > 0) {
        wkPrintBounds("bounds", bounds);
    }
    return result;
}

// Keeps a warning until the robot is printed.
static void keepWarning(const char* message, void* context)
{
    wkText* lines = context;
    wkText_AppendString(lines, "  warning    ");
    wkText_AppendString(lines, message);
    wkText_AppendString(lines, "\n");
}

wkResult wkShowRobot(const char* path, const wkRobotLoadDef* options, bool* isRobot)
{
    const char* dot = strrchr(path, '.');
    bool isBuiltIn = strcmp(path, "builtin") == 0;
    *isRobot = isBuiltIn || strcmp(path, "-") == 0 ||
               (dot != NULL && (strcmp(dot, ".urdf") == 0 || strcmp(dot, ".xacro") == 0));
    if (!*isRobot) {
        return wk_errorUnsupported;
    }
    wkRobotLoadInfo report = {0};
    wkText warnings = {0};
    wkRobotLoadDef own = *options;
    own.warn = keepWarning;
    own.warnContext = &warnings;
    own.allowsEmpty = true; // a robot without shapes can be printed
    wkRobot* robot = NULL;
    wkResult result =
        isBuiltIn ? wkRobot_CreateBuiltIn(&robot) : wkRobot_Load(path, &own, &report, &robot);
    if (result == wk_ok) {
        result = printRobot(path, robot, &report);
        if (warnings.length > 0) {
            fwrite(warnings.data, 1, warnings.length, stdout);
        }
    }
    wkText_Free(&warnings);
    wkRobot_Destroy(robot);
    return result;
}
