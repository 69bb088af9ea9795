// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Writes what an SRDF holds, so that reading it gives the same again. Groups are written as their links,
// which bring their joints.

#include "io/format.h"
#include "whisker/allowed.h"

#include <stdio.h>
#include <string.h>

// What is handed through to the writer.
typedef struct writing {
    const wkRobot* robot;
    const wkAllowedReason* reasons; // NULL: the pairs that the robot came with
} writing;

static void put(wkIoSink* sink, const char* text)
{
    wkIoSink_Write(sink, text, strlen(text));
}

// ` name="value"`, with the characters that XML has other uses for written as entities.
static void putAttribute(wkIoSink* sink, const char* name, const char* value)
{
    static const struct {
        char character;
        const char* entity;
    } entities[] = {{'&', "&amp;"},  {'<', "&lt;"},   {'>', "&gt;"}, {'"', "&quot;"},
                    {'\n', "&#10;"}, {'\r', "&#13;"}, {'\t', "&#9;"}};
    put(sink, " ");
    put(sink, name);
    put(sink, "=\"");
    for (; *value != '\0'; value++) {
        const char* entity = NULL;
        for (size_t i = 0; i < sizeof entities / sizeof entities[0]; i++) {
            entity = *value == entities[i].character ? entities[i].entity : entity;
        }
        if (entity != NULL) {
            put(sink, entity);
        } else {
            wkIoSink_Write(sink, value, 1);
        }
    }
    put(sink, "\"");
}

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
    put(sink, "  <group");
    putAttribute(sink, "name", group.name);
    put(sink, ">\n");
    for (int32_t i = 0; i < group.linkCount; i++) {
        put(sink, "    <link");
        putAttribute(sink, "name", wkRobot_Link(robot, group.links[i]).name);
        put(sink, "/>\n");
    }
    for (int32_t i = 0; i < group.variableCount; i++) {
        wkJointInfo joint = wkRobot_Joint(robot, wkRobot_Variable(robot, group.variables[i]).joint);
        if (joint.firstVariable == group.variables[i] && !hasLink(&group, joint.childLink)) {
            put(sink, "    <joint");
            putAttribute(sink, "name", joint.name);
            put(sink, "/>\n");
        }
    }
    put(sink, "  </group>\n");
}

// The values of one joint, which follow each other.
static void writeStateJoint(wkIoSink* sink, wkJointInfo joint, const double* values)
{
    char text[WK_IO_NUMBER_CAPACITY];
    put(sink, "    <joint");
    putAttribute(sink, "name", joint.name);
    put(sink, " value=\"");
    for (int32_t i = 0; i < joint.variableCount; i++) {
        put(sink, i > 0 ? " " : "");
        put(sink, wkIoWriteNumber(values[i], text));
    }
    put(sink, "\"/>\n");
}

static void writeState(wkIoSink* sink, const wkRobot* robot, wkNamedStateInfo state)
{
    put(sink, "  <group_state");
    putAttribute(sink, "name", state.name);
    if (state.group >= 0) {
        putAttribute(sink, "group", wkRobot_Group(robot, state.group).name);
    }
    put(sink, ">\n");
    for (int32_t i = 0; i < state.count;) {
        wkJointInfo joint = wkRobot_Joint(robot, wkRobot_Variable(robot, state.variables[i]).joint);
        writeStateJoint(sink, joint, state.values + i);
        i += joint.variableCount;
    }
    put(sink, "  </group_state>\n");
}

static void writeEndEffector(wkIoSink* sink, const wkRobot* robot, wkEndEffectorInfo hand)
{
    put(sink, "  <end_effector");
    putAttribute(sink, "name", hand.name);
    putAttribute(sink, "parent_link", wkRobot_Link(robot, hand.parentLink).name);
    putAttribute(sink, "group", wkRobot_Group(robot, hand.group).name);
    if (hand.parentGroup >= 0) {
        putAttribute(sink, "parent_group", wkRobot_Group(robot, hand.parentGroup).name);
    }
    put(sink, "/>\n");
}

static void writePair(wkIoSink* sink, const wkRobot* robot, int32_t linkA, int32_t linkB,
                      const char* reason)
{
    put(sink, "  <disable_collisions");
    putAttribute(sink, "link1", wkRobot_Link(robot, linkA).name);
    putAttribute(sink, "link2", wkRobot_Link(robot, linkB).name);
    if (reason[0] != '\0') {
        putAttribute(sink, "reason", reason);
    }
    put(sink, "/>\n");
}

static void writePairs(wkIoSink* sink, const writing* w)
{
    wkRobotInfo info = wkRobot_Info(w->robot);
    for (int32_t i = 0; w->reasons == NULL && i < info.disabledPairCount; i++) {
        wkDisabledPairInfo pair = wkRobot_DisabledPair(w->robot, i);
        writePair(sink, w->robot, pair.linkA, pair.linkB, pair.reason);
    }
    for (int32_t a = 0; w->reasons != NULL && a < info.linkCount; a++) {
        for (int32_t b = a + 1; b < info.linkCount; b++) {
            wkAllowedReason reason = w->reasons[(size_t)a * (size_t)info.linkCount + (size_t)b];
            if (reason != wk_reasonNone) {
                writePair(sink, w->robot, a, b, wkAllowedReasonName(reason));
            }
        }
    }
}

static void writeSrdf(wkIoSink* sink, const void* context)
{
    const writing* w = (const writing*)context;
    wkRobotInfo info = wkRobot_Info(w->robot);
    put(sink, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<robot");
    putAttribute(sink, "name", info.name);
    put(sink, ">\n");
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
    put(sink, "</robot>\n");
}

wkResult wkRobot_SaveSrdf(const char* path, const wkRobot* robot, const wkAllowedReason* reasons)
{
    if (path == NULL || robot == NULL) {
        return wkSetLastError(wk_errorArgument, "save srdf: path or robot is NULL");
    }
    writing w = {robot, reasons};
    return wkIoWriteFile(path, writeSrdf, &w);
}
