// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Writes a robot as URDF: its links and joints, with spheres instead of its shapes.

#include "io/robot/sphere_builder.h"

#include <math.h>

// Limits of a mimic joint are widened by this much, so that rounding does not narrow those of the joint that
// it follows.
#define MIMIC_SLACK 1e-6

static void writeSphere(wkIoSink* sink, wkSphere3d sphere)
{
    const double center[3] = {sphere.center.x, sphere.center.y, sphere.center.z};
    wkXmlPut(sink, "    <collision>\n      <origin");
    wkXmlPutNumbers(sink, "xyz", center, 3);
    wkXmlPut(sink, "/>\n      <geometry><sphere");
    wkXmlPutNumbers(sink, "radius", &sphere.radius, 1);
    wkXmlPut(sink, "/></geometry>\n    </collision>\n");
}

static void writeLink(wkIoSink* sink, const wkSphereModel* model, int32_t link)
{
    wkLinkSpheres spheres = wkSphereModel_Link(model, link);
    wkXmlPut(sink, "  <link");
    wkXmlPutAttribute(sink, "name", wkRobot_Link(wkSphereModel_Info(model).robot, link).name);
    wkXmlPut(sink, spheres.count > 0 ? ">\n" : "/>\n");
    for (int32_t i = 0; i < spheres.count; i++) {
        writeSphere(sink, wkSphereModel_Sphere(model, spheres.first + i).sphere);
    }
    wkXmlPut(sink, spheres.count > 0 ? "  </link>\n" : "");
}

// Computes roll, pitch and yaw of a rotation. Pitch and roll are computed after the yaw is removed, which is
// also valid at pitch +-90 degrees, where the yaw is arbitrary.
static void findAngles(wkQuat q, double angles[3])
{
    double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, ww = q.w * q.w;
    double r00 = ww + xx - yy - zz, r01 = 2.0 * (q.x * q.y - q.z * q.w);
    double r02 = 2.0 * (q.x * q.z + q.y * q.w), r10 = 2.0 * (q.x * q.y + q.z * q.w);
    double r11 = ww - xx + yy - zz, r12 = 2.0 * (q.y * q.z - q.x * q.w);
    double r20 = 2.0 * (q.x * q.z - q.y * q.w);
    double yaw = atan2(r10, r00), s = sin(yaw), c = cos(yaw);
    angles[0] = atan2(s * r02 - c * r12, c * r11 - s * r01);
    angles[1] = atan2(-r20, c * r00 + s * r10);
    angles[2] = yaw;
}

static void writeOrigin(wkIoSink* sink, wkPose pose)
{
    const double position[3] = {pose.position.x, pose.position.y, pose.position.z};
    double angles[3];
    findAngles(pose.rotation, angles);
    wkXmlPut(sink, "    <origin");
    wkXmlPutNumbers(sink, "xyz", position, 3);
    wkXmlPutNumbers(sink, "rpy", angles, 3);
    wkXmlPut(sink, "/>\n");
}

// Writes the limits of a joint; for a mimic joint, those implied by the joint that it follows.
static void writeLimits(wkIoSink* sink, const wkRobot* robot, wkJointInfo joint)
{
    bool isMimic = joint.mimic >= 0;
    int32_t first = isMimic ? wkRobot_Joint(robot, joint.mimic).firstVariable : joint.firstVariable;
    wkVariableInfo variable = wkRobot_Variable(robot, first);
    double lower = variable.lower, upper = variable.upper, velocity = variable.velocity;
    if (isMimic) {
        velocity *= fabs(joint.mimicFactor);
        double a = joint.mimicFactor * lower + joint.mimicOffset;
        double b = joint.mimicFactor * upper + joint.mimicOffset;
        lower = fmin(a, b) - MIMIC_SLACK;
        upper = fmax(a, b) + MIMIC_SLACK;
    }
    wkXmlPut(sink, "    <limit");
    wkXmlPutNumbers(sink, "lower", &lower, 1);
    wkXmlPutNumbers(sink, "upper", &upper, 1);
    velocity = isfinite(velocity) ? velocity : 0.0; // not known
    wkXmlPut(sink, " effort=\"0\"");
    wkXmlPutNumbers(sink, "velocity", &velocity, 1);
    wkXmlPut(sink, "/>\n");
}

static void writeMimic(wkIoSink* sink, const wkRobot* robot, wkJointInfo joint)
{
    wkXmlPut(sink, "    <mimic");
    wkXmlPutAttribute(sink, "joint", wkRobot_Joint(robot, joint.mimic).name);
    wkXmlPutNumbers(sink, "multiplier", &joint.mimicFactor, 1);
    wkXmlPutNumbers(sink, "offset", &joint.mimicOffset, 1);
    wkXmlPut(sink, "/>\n");
}

static void writeLinkName(wkIoSink* sink, const char* end, const char* name)
{
    wkXmlPut(sink, "    <");
    wkXmlPut(sink, end);
    wkXmlPutAttribute(sink, "link", name);
    wkXmlPut(sink, "/>\n");
}

static void writeJoint(wkIoSink* sink, const wkRobot* robot, wkJointInfo joint)
{
    bool hasAxis = joint.type != wk_jointFixed && joint.type != wk_jointFloating;
    bool hasLimits = joint.type == wk_jointRevolute || joint.type == wk_jointPrismatic;
    const double axis[3] = {joint.axis.x, joint.axis.y, joint.axis.z};
    wkXmlPut(sink, "  <joint");
    wkXmlPutAttribute(sink, "name", joint.name);
    wkXmlPutAttribute(sink, "type", wkJointTypeName(joint.type));
    wkXmlPut(sink, ">\n");
    writeLinkName(sink, "parent", wkRobot_Link(robot, joint.parentLink).name);
    writeLinkName(sink, "child", wkRobot_Link(robot, joint.childLink).name);
    writeOrigin(sink, joint.origin);
    if (hasAxis) {
        wkXmlPut(sink, "    <axis");
        wkXmlPutNumbers(sink, "xyz", axis, 3);
        wkXmlPut(sink, "/>\n");
    }
    if (hasLimits) {
        writeLimits(sink, robot, joint);
    }
    if (joint.mimic >= 0) {
        writeMimic(sink, robot, joint);
    }
    wkXmlPut(sink, "  </joint>\n");
}

void wkWriteSphereUrdf(wkIoSink* sink, const void* context)
{
    const wkSphereModel* model = (const wkSphereModel*)context;
    const wkRobot* robot = wkSphereModel_Info(model).robot;
    wkRobotInfo info = wkRobot_Info(robot);
    wkXmlPut(sink, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<robot");
    wkXmlPutAttribute(sink, "name", info.name);
    wkXmlPut(sink, ">\n");
    for (int32_t link = 0; link < info.linkCount; link++) {
        writeLink(sink, model, link);
    }
    for (int32_t joint = 0; joint < info.jointCount; joint++) {
        writeJoint(sink, robot, wkRobot_Joint(robot, joint));
    }
    wkXmlPut(sink, "</robot>\n");
}
