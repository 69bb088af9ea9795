// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The smaller parts of an SRDF: the virtual joint, named states and end effectors. Passive joints,
// properties of joints and spheres for links are skipped.

#include "io/robot/srdf.h"

#include "whisker/detail/counts.h"

#include <stdio.h>
#include <string.h>

// Virtual joints are kept by name: groups and states may refer to them although they move nothing, unless
// one was added to the robot.
wkResult wkSrdf_ReadRoot(wkUrdfBuilder* builder)
{
    const wkXmlFile* file = &builder->srdf;
    if (strcmp(file->root->name, "robot") != 0) {
        return wkIoFailNumberedLine(file->name, (size_t)file->root->line, wk_errorParse,
                                    "the root is <%.40s>, that of SRDF is <robot>",
                                    file->root->name);
    }
    size_t count = (size_t)wkXmlElement_CountChildren(file->root, "virtual_joint");
    if (!wkIoNames_Init(&builder->virtualNames, &builder->arena, count)) {
        return wkXmlFile_FailMemory(file);
    }
    for (const wkXmlElement* e = wkXmlElement_Child(file->root, "virtual_joint"); e != NULL;
         e = wkXmlElement_Next(e, "virtual_joint")) {
        const char* name = NULL;
        wkResult result = wkXmlFile_NeedValue(file, e, "name", &name);
        if (result != wk_ok) {
            return result;
        }
        wkIoNames_Add(&builder->virtualNames, name, 0);
    }
    const char* robot = wkXmlElement_Value(file->root, "name");
    if (robot == NULL || strcmp(robot, builder->def.name) != 0) {
        wkUrdfBuilder_WarnOf(builder, file, file->root, "the URDF describes \"%.60s\"",
                             builder->def.name);
    }
    return wk_ok;
}

wkResult wkSrdf_FindLink(wkUrdfBuilder* builder, const wkXmlElement* element, const char* attribute,
                         int32_t* link)
{
    const char* name = NULL;
    wkResult result = wkXmlFile_NeedValue(&builder->srdf, element, attribute, &name);
    *link = result == wk_ok ? wkIoNames_Find(&builder->linkNames, name) : -1;
    if (result == wk_ok && *link < 0) {
        wkUrdfBuilder_WarnOf(builder, &builder->srdf, element, "there is no link \"%.60s\"", name);
    }
    return result;
}

wkResult wkSrdf_FindJoint(wkUrdfBuilder* builder, const wkXmlElement* element,
                          const char* attribute, int32_t* joint)
{
    const char* name = NULL;
    wkResult result = wkXmlFile_NeedValue(&builder->srdf, element, attribute, &name);
    *joint = result == wk_ok ? wkIoNames_Find(&builder->jointNames, name) : -1;
    if (result == wk_ok && *joint < 0 && wkIoNames_Find(&builder->virtualNames, name) < 0) {
        wkUrdfBuilder_WarnOf(builder, &builder->srdf, element, "there is no joint \"%.60s\"", name);
    }
    return result;
}

int32_t wkSrdf_CountVariables(const wkJointDef* joint)
{
    static const int32_t counts[WK_JOINT_TYPE_COUNT] = {
        [wk_jointFixed] = 0,     [wk_jointRevolute] = 1, [wk_jointContinuous] = 1,
        [wk_jointPrismatic] = 1, [wk_jointPlanar] = 3,   [wk_jointFloating] = 7,
    };
    return joint->mimic != NULL ? 0 : counts[joint->type];
}

static int32_t rootOf(const wkUrdfBuilder* builder)
{
    int32_t root = 0;
    while (builder->linkJoints[root] >= 0) {
        root = builder->jointParents[builder->linkJoints[root]];
    }
    return root;
}

// Adds the joint, and a link for its parent frame.
static wkResult addVirtualJoint(wkUrdfBuilder* builder, const wkXmlElement* element)
{
    const wkXmlFile* file = &builder->srdf;
    const char *type = NULL, *frame = NULL;
    wkJointDef def = wkDefaultJointDef();
    wkResult result = wkXmlFile_NeedValue(file, element, "name", &def.name);
    if (result == wk_ok) {
        result = wkXmlFile_NeedValue(file, element, "type", &type);
    }
    if (result == wk_ok) {
        result = wkXmlFile_NeedValue(file, element, "parent_frame", &frame);
    }
    if (result != wk_ok) {
        return result;
    }
    bool isType = wkJointTypeFromName(type, &def.type) == wk_ok;
    if (!isType ||
        (def.type != wk_jointFixed && def.type != wk_jointPlanar && def.type != wk_jointFloating)) {
        return wkXmlFile_Fail(file, element, wk_errorParse,
                              "type \"%.40s\" is none of fixed, planar, floating", type);
    }
    int32_t root = rootOf(builder), link = builder->def.linkCount, joint = builder->def.jointCount;
    if (wkIoNames_Add(&builder->linkNames, frame, link) >= 0 ||
        wkIoNames_Add(&builder->jointNames, def.name, joint) >= 0) {
        return wkXmlFile_Fail(file, element, wk_errorParse,
                              "the robot has a link \"%.60s\" or a joint of that name already",
                              frame);
    }
    def.parent = frame;
    def.child = builder->links[root];
    builder->links[link] = frame;
    builder->linkElements[link] = element;
    builder->linkJoints[link] = -1;
    builder->linkJoints[root] = joint;
    builder->joints[joint] = def;
    builder->jointElements[joint] = element;
    builder->jointParents[joint] = link;
    builder->jointChildren[joint] = root;
    builder->def.linkCount++;
    builder->def.jointCount++;
    return wk_ok;
}

wkResult wkSrdf_ReadVirtualJoint(wkUrdfBuilder* builder)
{
    const char* root = builder->links[rootOf(builder)];
    for (const wkXmlElement* e = wkXmlElement_Child(builder->srdf.root, "virtual_joint"); e != NULL;
         e = wkXmlElement_Next(e, "virtual_joint")) {
        const char* child = NULL;
        wkResult result = wkXmlFile_NeedValue(&builder->srdf, e, "child_link", &child);
        if (result != wk_ok || strcmp(child, root) == 0) {
            return result == wk_ok ? addVirtualJoint(builder, e) : result;
        }
    }
    return wkXmlFile_Fail(&builder->srdf, builder->srdf.root, wk_errorParse,
                          "no virtual joint carries the root link \"%.80s\"", root);
}

// Returns the group that an attribute names; NULL, with a warning, when there is none.
static const char* findGroup(wkUrdfBuilder* builder, const wkXmlElement* element,
                             const char* attribute)
{
    const char* name = wkXmlElement_Value(element, attribute);
    if (name != NULL && wkIoNames_Find(&builder->groupNames, name) < 0) {
        wkUrdfBuilder_WarnOf(builder, &builder->srdf, element, "there is no group \"%.60s\"", name);
        return NULL;
    }
    return name;
}

// Reads the joints of a state, with the values of their variables one after the other.
static wkResult readStateJoints(wkUrdfBuilder* builder, const wkXmlElement* element,
                                wkNamedStateDef* state)
{
    size_t capacity = (size_t)wkXmlElement_CountChildren(element, "joint");
    const char** joints = wkIoArena_AllocArray(&builder->arena, capacity, sizeof *joints);
    double* values = wkIoArena_AllocArray(&builder->arena, capacity, 7 * sizeof *values);
    if (joints == NULL || values == NULL) {
        return wkXmlFile_FailMemory(&builder->srdf);
    }
    state->joints = joints;
    state->values = values;
    for (const wkXmlElement* e = wkXmlElement_Child(element, "joint"); e != NULL;
         e = wkXmlElement_Next(e, "joint")) {
        int32_t joint = -1;
        wkResult result = wkSrdf_FindJoint(builder, e, "name", &joint);
        int32_t count = joint >= 0 ? wkSrdf_CountVariables(&builder->joints[joint]) : 0;
        if (result == wk_ok && count > 0) {
            result = wkXmlFile_NeedNumbers(&builder->srdf, e, "value", values, count);
            joints[state->jointCount++] = builder->joints[joint].name;
            values += count;
        }
        if (result != wk_ok) {
            return result;
        }
    }
    return wk_ok;
}

// Checks that the name of a state is unique in its group; no name in XML contains a line break.
static wkResult checkStateName(wkUrdfBuilder* builder, const wkXmlElement* element,
                               const wkNamedStateDef* state, wkIoNames* names)
{
    const char* group = state->group != NULL ? state->group : "";
    size_t byteCount = strlen(group) + strlen(state->name) + 2;
    char* key = wkIoArena_Alloc(&builder->arena, byteCount);
    if (key == NULL) {
        return wkXmlFile_FailMemory(&builder->srdf);
    }
    snprintf(key, byteCount, "%s\n%s", group, state->name);
    if (wkIoNames_Add(names, key, 0) >= 0) {
        return wkXmlFile_Fail(&builder->srdf, element, wk_errorParse,
                              "group \"%.80s\" has a state of that name already", group);
    }
    return wk_ok;
}

wkResult wkSrdf_ReadStates(wkUrdfBuilder* builder)
{
    const wkXmlElement* root = builder->srdf.root;
    size_t capacity = (size_t)wkXmlElement_CountChildren(root, "group_state");
    wkNamedStateDef* states = wkIoArena_AllocArray(&builder->arena, capacity, sizeof *states);
    wkIoNames names;
    if (states == NULL || !wkIoNames_Init(&names, &builder->arena, capacity)) {
        return wkXmlFile_FailMemory(&builder->srdf);
    }
    builder->def.states = states;
    for (const wkXmlElement* e = wkXmlElement_Child(root, "group_state"); e != NULL;
         e = wkXmlElement_Next(e, "group_state")) {
        wkNamedStateDef* state = &states[builder->def.stateCount];
        wkResult result = wkXmlFile_NeedValue(&builder->srdf, e, "name", &state->name);
        state->group = findGroup(builder, e, "group");
        if (result == wk_ok && state->group == NULL && wkXmlElement_Value(e, "group") != NULL) {
            continue; // a state of an unknown group
        }
        if (result == wk_ok) {
            result = checkStateName(builder, e, state, &names);
        }
        if (result == wk_ok) {
            result = readStateJoints(builder, e, state);
        }
        if (result != wk_ok) {
            return result;
        }
        builder->def.stateCount++;
    }
    return wk_ok;
}

wkResult wkSrdf_ReadEndEffectors(wkUrdfBuilder* builder)
{
    const wkXmlFile* file = &builder->srdf;
    size_t capacity = (size_t)wkXmlElement_CountChildren(file->root, "end_effector");
    wkEndEffectorDef* endEffectors =
        wkIoArena_AllocArray(&builder->arena, capacity, sizeof *endEffectors);
    wkIoNames names;
    if (endEffectors == NULL || !wkIoNames_Init(&names, &builder->arena, capacity)) {
        return wkXmlFile_FailMemory(file);
    }
    builder->def.endEffectors = endEffectors;
    for (const wkXmlElement* e = wkXmlElement_Child(file->root, "end_effector"); e != NULL;
         e = wkXmlElement_Next(e, "end_effector")) {
        wkEndEffectorDef* endEffector = &endEffectors[builder->def.endEffectorCount];
        const char* group = NULL;
        int32_t link = -1;
        wkResult result = wkXmlFile_NeedValue(file, e, "name", &endEffector->name);
        if (result == wk_ok) {
            result = wkXmlFile_NeedValue(file, e, "group", &group);
        }
        if (result == wk_ok) {
            result = wkSrdf_FindLink(builder, e, "parent_link", &link);
        }
        if (result == wk_ok && wkIoNames_Add(&names, endEffector->name, 0) >= 0) {
            result = wkXmlFile_Fail(file, e, wk_errorParse, "there is one of that name already");
        }
        if (result != wk_ok) {
            return result;
        }
        endEffector->group = findGroup(builder, e, "group");
        endEffector->parentGroup = findGroup(builder, e, "parent_group");
        if (link >= 0 && endEffector->group != NULL) {
            endEffector->parentLink = builder->links[link];
            builder->def.endEffectorCount++;
        }
    }
    return wk_ok;
}
