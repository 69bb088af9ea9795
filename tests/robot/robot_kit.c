// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Random robots, and kinematics from first principles.

#include "robot_kit.h"

#include "whisker/detail/counts.h"

static void shuffle(wkRng* rng, void* items, size_t size, int32_t count)
{
    char swap[sizeof(wkJointDef)];
    char* bytes = (char*)items;
    for (int32_t i = count - 1; i > 0; i--) {
        size_t a = (size_t)i * size, b = (size_t)wkRngBelow(rng, i + 1) * size;
        memcpy(swap, bytes + a, size);
        memcpy(bytes + a, bytes + b, size);
        memcpy(bytes + b, swap, size);
    }
}

static wkPose randomPose(wkRng* rng)
{
    wkPose pose = {
        {wkRngRange(rng, -0.5, 0.5), wkRngRange(rng, -0.5, 0.5), wkRngRange(rng, -0.5, 0.5)},
        wkRngRotation(rng)};
    if (wkRngChance(rng, 3)) {
        pose.rotation = wkRngRightAngles(rng);
    }
    return pose;
}

static bool hasOneVariable(wkJointType type)
{
    return type == wk_jointRevolute || type == wk_jointContinuous || type == wk_jointPrismatic;
}

static wkJointDef randomJoint(wkRng* rng, const wkJointDef* earlier, int32_t earlierCount)
{
    wkJointDef joint = wkDefaultJointDef();
    joint.type = (wkJointType)wkRngBelow(rng, WK_JOINT_TYPE_COUNT);
    joint.origin = randomPose(rng);
    wkVec3d axis = wkRngDirection(rng);
    double length = wkRngLogRange(rng, 0.1, 10.0);
    joint.axis = (wkVec3d){length * axis.x, length * axis.y, length * axis.z};
    if (wkRngChance(rng, 2)) {
        const wkVec3d straight[] = {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
        joint.axis = straight[wkRngBelow(rng, 4)];
    }
    joint.lower = wkRngRange(rng, -2.0, 0.5);
    joint.upper = joint.lower + wkRngRange(rng, 0.0, 3.0);
    int32_t model = earlierCount > 0 ? wkRngBelow(rng, earlierCount) : 0;
    bool canMimic = earlierCount > 0 && hasOneVariable(joint.type);
    if (canMimic && hasOneVariable(earlier[model].type) && wkRngChance(rng, 2)) {
        joint.mimic = earlier[model].name;
        joint.mimicFactor = wkRngRange(rng, -1.5, 1.5);
        joint.mimicOffset = wkRngRange(rng, -0.3, 0.3);
    }
    return joint;
}

static wkTestRobot emptyRobot(int32_t linkCount)
{
    size_t count = (size_t)linkCount;
    wkTestRobot robot = {.linkCount = linkCount,
                         .def = wkDefaultRobotDef(),
                         .links = (const char**)calloc(count, sizeof(char*)),
                         .joints = (wkJointDef*)calloc(count, sizeof(wkJointDef)),
                         .names = (char(*)[WK_TEST_NAME])calloc(2 * count, WK_TEST_NAME)};
    robot.def.links = robot.links;
    robot.def.linkCount = linkCount;
    robot.def.joints = robot.joints;
    robot.def.jointCount = linkCount - 1;
    return robot;
}

wkTestRobot wkMakeTestRobot(uint64_t seed, int32_t linkCount, int32_t depth)
{
    wkRng rng = wkMakeRng(seed);
    wkTestRobot robot = emptyRobot(linkCount);
    for (int32_t i = 0; i < linkCount; i++) {
        snprintf(robot.names[i], WK_TEST_NAME, "link%d", (int)i);
        snprintf(robot.names[linkCount + i], WK_TEST_NAME, "joint%d", (int)i);
        robot.links[i] = robot.names[i];
        if (i == 0) {
            continue;
        }
        int32_t back = 1 + wkRngBelow(&rng, depth < i ? depth : i);
        wkJointDef joint = randomJoint(&rng, robot.joints, i - 1);
        joint.name = robot.names[linkCount + i];
        joint.parent = robot.names[i - back];
        joint.child = robot.names[i];
        robot.joints[i - 1] = joint;
    }
    shuffle(&rng, robot.links, sizeof *robot.links, linkCount);
    shuffle(&rng, robot.joints, sizeof *robot.joints, linkCount - 1);
    return robot;
}

wkTestRobot wkDescribeTestRobot(const wkRobot* robot)
{
    wkRobotInfo info = wkRobot_Info(robot);
    wkTestRobot described = emptyRobot(info.linkCount);
    for (int32_t i = 0; i < info.linkCount; i++) {
        described.links[i] = wkRobot_Link(robot, i).name;
    }
    for (int32_t i = 0; i < info.jointCount; i++) {
        wkJointInfo joint = wkRobot_Joint(robot, i);
        wkJointDef* def = &described.joints[i];
        *def = wkDefaultJointDef();
        def->name = joint.name;
        def->type = joint.type;
        def->parent = wkRobot_Link(robot, joint.parentLink).name;
        def->child = wkRobot_Link(robot, joint.childLink).name;
        def->origin = joint.origin;
        def->axis = joint.axis;
        def->mimic = joint.mimic >= 0 ? wkRobot_Joint(robot, joint.mimic).name : NULL;
        def->mimicFactor = joint.mimicFactor;
        def->mimicOffset = joint.mimicOffset;
    }
    return described;
}

void wkFreeTestRobot(wkTestRobot* robot)
{
    free(robot->links);
    free(robot->joints);
    free(robot->names);
}

wkRobot* wkCreateRobot(const wkRobotDef* def)
{
    wkRobot* robot = NULL;
    if (wkRobot_Create(def, &robot) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return robot;
}

static wkTestMatrix multiply(const wkTestMatrix* a, const wkTestMatrix* b)
{
    wkTestMatrix c = {{{0}}};
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++) {
            for (int k = 0; k < 4; k++) {
                c.m[i][j] += a->m[i][k] * b->m[k][j];
            }
        }
    }
    return c;
}

static wkTestMatrix moveBy(wkVec3d way)
{
    wkTestMatrix move = {{{1, 0, 0, way.x}, {0, 1, 0, way.y}, {0, 0, 1, way.z}, {0, 0, 0, 1}}};
    return move;
}

// Rodrigues' formula.
static wkTestMatrix rotateBy(wkVec3d axis, double angle)
{
    double length = sqrt(wkSceneDot(axis, axis));
    double x = axis.x / length, y = axis.y / length, z = axis.z / length;
    double c = cos(angle), s = sin(angle), d = 1.0 - c;
    wkTestMatrix turn = {{{c + d * x * x, d * x * y - s * z, d * x * z + s * y, 0},
                          {d * x * y + s * z, c + d * y * y, d * y * z - s * x, 0},
                          {d * x * z - s * y, d * y * z + s * x, c + d * z * z, 0},
                          {0, 0, 0, 1}}};
    return turn;
}

wkTestMatrix wkTestMatrixOf(wkPose pose)
{
    wkQuat q = pose.rotation;
    wkVec3d axis = {q.x, q.y, q.z};
    double length = sqrt(wkSceneDot(axis, axis));
    wkVec3d up = {0, 0, 1};
    wkTestMatrix turn = rotateBy(length > 0.0 ? axis : up, 2.0 * atan2(length, q.w));
    wkTestMatrix move = moveBy(pose.position);
    return multiply(&move, &turn);
}

static const wkJointDef* jointNamed(const wkRobotDef* def, const char* name)
{
    for (int32_t i = 0; i < def->jointCount; i++) {
        if (strcmp(def->joints[i].name, name) == 0) {
            return &def->joints[i];
        }
    }
    return NULL;
}

static double variable(const wkRobot* robot, const wkJointDef* joint, const char* suffix,
                       const double* q)
{
    char name[64];
    snprintf(name, sizeof name, "%s%s", joint->name, suffix);
    int32_t index = wkRobot_FindVariable(robot, name);
    assert_true(index >= 0);
    return q[index];
}

static double jointValue(const wkRobotDef* def, const wkRobot* robot, const wkJointDef* joint,
                         const double* q)
{
    if (joint->mimic == NULL) {
        return variable(robot, joint, "", q);
    }
    double followed = jointValue(def, robot, jointNamed(def, joint->mimic), q);
    return joint->mimicFactor * followed + joint->mimicOffset;
}

// The plane across an axis: z goes there the shortest way, and takes x and y along.
static wkTestMatrix tiltTo(wkVec3d axis)
{
    double across = sqrt(axis.x * axis.x + axis.y * axis.y);
    wkVec3d about = {-axis.y, axis.x, 0.0}, x = {1, 0, 0};
    return rotateBy(across > 0.0 ? about : x, atan2(across, axis.z));
}

static wkTestMatrix planarMatrix(const wkRobot* robot, const wkJointDef* joint, const double* q)
{
    wkTestMatrix tilt = tiltTo(joint->axis);
    double x = variable(robot, joint, "/x", q), y = variable(robot, joint, "/y", q);
    wkVec3d way = {tilt.m[0][0] * x + tilt.m[0][1] * y, tilt.m[1][0] * x + tilt.m[1][1] * y,
                   tilt.m[2][0] * x + tilt.m[2][1] * y};
    wkTestMatrix move = moveBy(way),
                 turn = rotateBy(joint->axis, variable(robot, joint, "/angle", q));
    return multiply(&move, &turn);
}

static wkTestMatrix jointMatrix(const wkRobotDef* def, const wkRobot* robot,
                                const wkJointDef* joint, const double* q)
{
    double length = sqrt(wkSceneDot(joint->axis, joint->axis));
    if (joint->type == wk_jointRevolute || joint->type == wk_jointContinuous) {
        return rotateBy(joint->axis, jointValue(def, robot, joint, q));
    }
    if (joint->type == wk_jointPrismatic) {
        return moveBy(wkSceneScale(joint->axis, jointValue(def, robot, joint, q) / length));
    }
    if (joint->type == wk_jointPlanar) {
        return planarMatrix(robot, joint, q);
    }
    wkPose pose = wkIdentityPose();
    if (joint->type == wk_jointFloating) {
        pose.position = (wkVec3d){variable(robot, joint, "/x", q), variable(robot, joint, "/y", q),
                                  variable(robot, joint, "/z", q)};
        pose.rotation =
            (wkQuat){variable(robot, joint, "/qx", q), variable(robot, joint, "/qy", q),
                     variable(robot, joint, "/qz", q), variable(robot, joint, "/qw", q)};
    }
    return wkTestMatrixOf(pose);
}

wkTestMatrix wkTestLinkMatrix(const wkRobotDef* def, const wkRobot* robot, const char* link,
                              wkPose base, const double* q)
{
    wkTestMatrix pose = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}}};
    bool isRoot = false;
    while (!isRoot) {
        isRoot = true;
        for (int32_t i = 0; i < def->jointCount; i++) {
            const wkJointDef* joint = &def->joints[i];
            if (strcmp(joint->child, link) == 0) {
                wkTestMatrix moved = jointMatrix(def, robot, joint, q);
                wkTestMatrix origin = wkTestMatrixOf(joint->origin);
                pose = multiply(&moved, &pose);
                pose = multiply(&origin, &pose);
                link = joint->parent;
                isRoot = false;
                break;
            }
        }
    }
    wkTestMatrix world = wkTestMatrixOf(base);
    return multiply(&world, &pose);
}

double wkTestMatrixError(const wkTestMatrix* a, const wkTestMatrix* b)
{
    double error = 0.0;
    for (int i = 0; i < 16; i++) {
        error = fmax(error, fabs(a->m[i / 4][i % 4] - b->m[i / 4][i % 4]));
    }
    return error;
}
