// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Writes an SRDF that reads back the same. Groups are written as their links, which imply their joints.

#include "io/text/xml.h"
#include "whisker/allowed.h"
#include "whisker/detail/library.h"

// Context of the writer.
typedef struct writing {
    const wkRobot* robot;
    const wkAllowedReason* reasons; // NULL: the pairs loaded with the robot
} writing;

static bool hasLink(const wkGroupInfo* group, int32_t link)
{
    for (int32_t i = 0; i < group->linkCount; i++) {
        if (group->links[i] == link) {
            return true;
        }
    }
    return false;
}

static void writeGroup(wkIoSink* sink, const wkRobot* robot, wkGroupInfo group)
{
    wkXmlPut(sink, "  <group");
    wkXmlPutAttribute(sink, "name", group.name);
    wkXmlPut(sink, ">\n");
    for (int32_t i = 0; i < group.linkCount; i++) {
        wkXmlPut(sink, "    <link");
        wkXmlPutAttribute(sink, "name", wkRobot_Link(robot, group.links[i]).name);
        wkXmlPut(sink, "/>\n");
    }
    for (int32_t i = 0; i < group.variableCount; i++) {
        wkJointInfo joint = wkRobot_Joint(robot, wkRobot_Variable(robot, group.variables[i]).joint);
        if (joint.firstVariable == group.variables[i] && !hasLink(&group, joint.childLink)) {
            wkXmlPut(sink, "    <joint");
            wkXmlPutAttribute(sink, "name", joint.name);
            wkXmlPut(sink, "/>\n");
        }
    }
    wkXmlPut(sink, "  </group>\n");
}

// Writes the values of one joint, which are consecutive.
static void writeStateJoint(wkIoSink* sink, wkJointInfo joint, const double* values)
{
    wkXmlPut(sink, "    <joint");
    wkXmlPutAttribute(sink, "name", joint.name);
    wkXmlPutNumbers(sink, "value", values, joint.variableCount);
    wkXmlPut(sink, "/>\n");
}

static void writeState(wkIoSink* sink, const wkRobot* robot, wkNamedStateInfo state)
{
    wkXmlPut(sink, "  <group_state");
    wkXmlPutAttribute(sink, "name", state.name);
    if (state.group >= 0) {
        wkXmlPutAttribute(sink, "group", wkRobot_Group(robot, state.group).name);
    }
    wkXmlPut(sink, ">\n");
    for (int32_t i = 0; i < state.count;) {
        wkJointInfo joint = wkRobot_Joint(robot, wkRobot_Variable(robot, state.variables[i]).joint);
        writeStateJoint(sink, joint, state.values + i);
        i += joint.variableCount;
    }
    wkXmlPut(sink, "  </group_state>\n");
}

static void writeEndEffector(wkIoSink* sink, const wkRobot* robot, wkEndEffectorInfo endEffector)
{
    wkXmlPut(sink, "  <end_effector");
    wkXmlPutAttribute(sink, "name", endEffector.name);
    wkXmlPutAttribute(sink, "parent_link", wkRobot_Link(robot, endEffector.parentLink).name);
    wkXmlPutAttribute(sink, "group", wkRobot_Group(robot, endEffector.group).name);
    if (endEffector.parentGroup >= 0) {
        wkXmlPutAttribute(sink, "parent_group", wkRobot_Group(robot, endEffector.parentGroup).name);
    }
    wkXmlPut(sink, "/>\n");
}

static void writePair(wkIoSink* sink, const wkRobot* robot, int32_t linkA, int32_t linkB,
                      const char* reason, const char* evidence)
{
    wkXmlPut(sink, "  <disable_collisions");
    wkXmlPutAttribute(sink, "link1", wkRobot_Link(robot, linkA).name);
    wkXmlPutAttribute(sink, "link2", wkRobot_Link(robot, linkB).name);
    if (reason[0] != '\0') {
        wkXmlPutAttribute(sink, "reason", reason);
    }
    if (evidence[0] != '\0') {
        wkXmlPutAttribute(sink, "evidence", evidence);
    }
    wkXmlPut(sink, "/>\n");
}

static void writePairs(wkIoSink* sink, const writing* w)
{
    wkRobotInfo info = wkRobot_Info(w->robot);
    for (int32_t i = 0; w->reasons == NULL && i < info.disabledPairCount; i++) {
        wkDisabledPairInfo pair = wkRobot_DisabledPair(w->robot, i);
        writePair(sink, w->robot, pair.linkA, pair.linkB, pair.reason, "");
    }
    for (int32_t a = 0; w->reasons != NULL && a < info.linkCount; a++) {
        for (int32_t b = a + 1; b < info.linkCount; b++) {
            wkAllowedReason reason = w->reasons[(size_t)a * (size_t)info.linkCount + (size_t)b];
            if (reason != wk_reasonNone) {
                writePair(sink, w->robot, a, b, wkAllowedReasonName(reason),
                          wkAllowedReasonEvidence(reason));
            }
        }
    }
}

static void writeSrdf(wkIoSink* sink, const void* context)
{
    const writing* w = (const writing*)context;
    wkRobotInfo info = wkRobot_Info(w->robot);
    wkXmlPut(sink, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<robot");
    wkXmlPutAttribute(sink, "name", info.name);
    wkXmlPut(sink, ">\n");
    for (int32_t i = 0; i < info.groupCount; i++) {
        writeGroup(sink, w->robot, wkRobot_Group(w->robot, i));
    }
    for (int32_t i = 0; i < info.stateCount; i++) {
        writeState(sink, w->robot, wkRobot_NamedState(w->robot, i));
    }
    for (int32_t i = 0; i < info.endEffectorCount; i++) {
        writeEndEffector(sink, w->robot, wkRobot_EndEffector(w->robot, i));
    }
    writePairs(sink, w);
    wkXmlPut(sink, "</robot>\n");
}

wkResult wkRobot_SaveSrdf(const char* path, const wkRobot* robot, const wkAllowedReason* reasons)
{
    if (path == NULL || robot == NULL) {
        return wkSetLastError(wk_errorArgument, "save srdf: path or robot is NULL");
    }
    writing w = {robot, reasons};
    return wkIoWriteFile(path, writeSrdf, &w);
}
