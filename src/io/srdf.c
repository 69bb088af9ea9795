// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The smaller parts of an SRDF: the virtual joint, named states and end effectors. Passive joints,
// properties of joints and spheres for links are skipped.

#include "io/srdf.h"

#include <stdio.h>
#include <string.h>

// Virtual joints are kept by name: groups and states may use them though nothing moves by them, unless
// one was added to the robot.
wkResult wkSrdf_ReadRoot(wkUrdfDraft* draft)
{
    const wkXmlFile* file = &draft->srdf;
    if (strcmp(file->root->name, "robot") != 0) {
        return wkIoFailNumberedLine(file->name, (size_t)file->root->line, wk_errorParse,
                                    "the root is <%.40s>, that of SRDF is <robot>",
                                    file->root->name);
    }
    size_t count = (size_t)wkXmlElement_CountChildren(file->root, "virtual_joint");
    if (!wkIoNames_Init(&draft->virtualNames, &draft->arena, count)) {
        return wkXmlFile_FailMemory(file);
    }
    for (const wkXmlElement* e = wkXmlElement_Child(file->root, "virtual_joint"); e != NULL;
         e = wkXmlElement_Next(e, "virtual_joint")) {
        const char* name = NULL;
        wkResult result = wkXmlFile_NeedValue(file, e, "name", &name);
        if (result != wk_ok) {
            return result;
        }
        wkIoNames_Add(&draft->virtualNames, name, 0);
    }
    const char* robot = wkXmlElement_Value(file->root, "name");
    if (robot == NULL || strcmp(robot, draft->def.name) != 0) {
        wkUrdfDraft_WarnOf(draft, file, file->root, "the URDF describes \"%.60s\"",
                           draft->def.name);
    }
    return wk_ok;
}

wkResult wkSrdf_FindLink(wkUrdfDraft* draft, const wkXmlElement* element, const char* attribute,
                         int32_t* link)
{
    const char* name = NULL;
    wkResult result = wkXmlFile_NeedValue(&draft->srdf, element, attribute, &name);
    *link = result == wk_ok ? wkIoNames_Find(&draft->linkNames, name) : -1;
    if (result == wk_ok && *link < 0) {
        wkUrdfDraft_WarnOf(draft, &draft->srdf, element, "there is no link \"%.60s\"", name);
    }
    return result;
}

wkResult wkSrdf_FindJoint(wkUrdfDraft* draft, const wkXmlElement* element, const char* attribute,
                          int32_t* joint)
{
    const char* name = NULL;
    wkResult result = wkXmlFile_NeedValue(&draft->srdf, element, attribute, &name);
    *joint = result == wk_ok ? wkIoNames_Find(&draft->jointNames, name) : -1;
    if (result == wk_ok && *joint < 0 && wkIoNames_Find(&draft->virtualNames, name) < 0) {
        wkUrdfDraft_WarnOf(draft, &draft->srdf, element, "there is no joint \"%.60s\"", name);
    }
    return result;
}

int32_t wkSrdf_CountVariables(const wkJointDef* joint)
{
    static const int32_t counts[wk_jointTypeCount] = {
        [wk_jointFixed] = 0,     [wk_jointRevolute] = 1, [wk_jointContinuous] = 1,
        [wk_jointPrismatic] = 1, [wk_jointPlanar] = 3,   [wk_jointFloating] = 7,
    };
    return joint->mimic != NULL ? 0 : counts[joint->type];
}

static int32_t rootOf(const wkUrdfDraft* draft)
{
    int32_t root = 0;
    while (draft->linkJoints[root] >= 0) {
        root = draft->jointParents[draft->linkJoints[root]];
    }
    return root;
}

// Adds the joint, with a link for the frame that it starts at.
static wkResult addVirtualJoint(wkUrdfDraft* draft, const wkXmlElement* element)
{
    const wkXmlFile* file = &draft->srdf;
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
    def.type = wkJointTypeFromName(type);
    if (def.type != wk_jointFixed && def.type != wk_jointPlanar && def.type != wk_jointFloating) {
        return wkXmlFile_Fail(file, element, wk_errorParse,
                              "type \"%.40s\" is none of fixed, planar, floating", type);
    }
    int32_t root = rootOf(draft), link = draft->def.linkCount, joint = draft->def.jointCount;
    if (wkIoNames_Add(&draft->linkNames, frame, link) >= 0 ||
        wkIoNames_Add(&draft->jointNames, def.name, joint) >= 0) {
        return wkXmlFile_Fail(file, element, wk_errorParse,
                              "the robot has a link \"%.60s\" or a joint of that name already",
                              frame);
    }
    def.parent = frame;
    def.child = draft->links[root];
    draft->links[link] = frame;
    draft->linkElements[link] = element;
    draft->linkJoints[link] = -1;
    draft->linkJoints[root] = joint;
    draft->joints[joint] = def;
    draft->jointElements[joint] = element;
    draft->jointParents[joint] = link;
    draft->jointChildren[joint] = root;
    draft->def.linkCount++;
    draft->def.jointCount++;
    return wk_ok;
}

wkResult wkSrdf_ReadVirtualJoint(wkUrdfDraft* draft)
{
    const char* root = draft->links[rootOf(draft)];
    for (const wkXmlElement* e = wkXmlElement_Child(draft->srdf.root, "virtual_joint"); e != NULL;
         e = wkXmlElement_Next(e, "virtual_joint")) {
        const char* child = NULL;
        wkResult result = wkXmlFile_NeedValue(&draft->srdf, e, "child_link", &child);
        if (result != wk_ok || strcmp(child, root) == 0) {
            return result == wk_ok ? addVirtualJoint(draft, e) : result;
        }
    }
    return wkXmlFile_Fail(&draft->srdf, draft->srdf.root, wk_errorParse,
                          "no virtual joint carries the root link \"%.80s\"", root);
}

// The group that an attribute names; NULL, with a warning, when there is none.
static const char* findGroup(wkUrdfDraft* draft, const wkXmlElement* element, const char* attribute)
{
    const char* name = wkXmlElement_Value(element, attribute);
    if (name != NULL && wkIoNames_Find(&draft->groupNames, name) < 0) {
        wkUrdfDraft_WarnOf(draft, &draft->srdf, element, "there is no group \"%.60s\"", name);
        return NULL;
    }
    return name;
}

// Joints of a state, with the values of their variables one after the other.
static wkResult readStateJoints(wkUrdfDraft* draft, const wkXmlElement* element,
                                wkNamedStateDef* state)
{
    size_t capacity = (size_t)wkXmlElement_CountChildren(element, "joint");
    const char** joints = wkIoArena_TakeArray(&draft->arena, capacity, sizeof *joints);
    double* values = wkIoArena_TakeArray(&draft->arena, capacity, 7 * sizeof *values);
    if (joints == NULL || values == NULL) {
        return wkXmlFile_FailMemory(&draft->srdf);
    }
    state->joints = joints;
    state->values = values;
    for (const wkXmlElement* e = wkXmlElement_Child(element, "joint"); e != NULL;
         e = wkXmlElement_Next(e, "joint")) {
        int32_t joint = -1;
        wkResult result = wkSrdf_FindJoint(draft, e, "name", &joint);
        int32_t count = joint >= 0 ? wkSrdf_CountVariables(&draft->joints[joint]) : 0;
        if (result == wk_ok && count > 0) {
            result = wkXmlFile_NeedNumbers(&draft->srdf, e, "value", values, count);
            joints[state->jointCount++] = draft->joints[joint].name;
            values += count;
        }
        if (result != wk_ok) {
            return result;
        }
    }
    return wk_ok;
}

// Whether the name of a state is new in its group; no name of XML has a line break.
static wkResult checkStateName(wkUrdfDraft* draft, const wkXmlElement* element,
                               const wkNamedStateDef* state, wkIoNames* names)
{
    const char* group = state->group != NULL ? state->group : "";
    size_t byteCount = strlen(group) + strlen(state->name) + 2;
    char* key = wkIoArena_Take(&draft->arena, byteCount);
    if (key == NULL) {
        return wkXmlFile_FailMemory(&draft->srdf);
    }
    snprintf(key, byteCount, "%s\n%s", group, state->name);
    if (wkIoNames_Add(names, key, 0) >= 0) {
        return wkXmlFile_Fail(&draft->srdf, element, wk_errorParse,
                              "group \"%.80s\" has a state of that name already", group);
    }
    return wk_ok;
}

wkResult wkSrdf_ReadStates(wkUrdfDraft* draft)
{
    const wkXmlElement* root = draft->srdf.root;
    size_t capacity = (size_t)wkXmlElement_CountChildren(root, "group_state");
    wkNamedStateDef* states = wkIoArena_TakeArray(&draft->arena, capacity, sizeof *states);
    wkIoNames names;
    if (states == NULL || !wkIoNames_Init(&names, &draft->arena, capacity)) {
        return wkXmlFile_FailMemory(&draft->srdf);
    }
    draft->def.states = states;
    for (const wkXmlElement* e = wkXmlElement_Child(root, "group_state"); e != NULL;
         e = wkXmlElement_Next(e, "group_state")) {
        wkNamedStateDef* state = &states[draft->def.stateCount];
        wkResult result = wkXmlFile_NeedValue(&draft->srdf, e, "name", &state->name);
        state->group = findGroup(draft, e, "group");
        if (result == wk_ok && state->group == NULL && wkXmlElement_Value(e, "group") != NULL) {
            continue; // a state of a group that is not there
        }
        if (result == wk_ok) {
            result = checkStateName(draft, e, state, &names);
        }
        if (result == wk_ok) {
            result = readStateJoints(draft, e, state);
        }
        if (result != wk_ok) {
            return result;
        }
        draft->def.stateCount++;
    }
    return wk_ok;
}

wkResult wkSrdf_ReadEndEffectors(wkUrdfDraft* draft)
{
    const wkXmlFile* file = &draft->srdf;
    size_t capacity = (size_t)wkXmlElement_CountChildren(file->root, "end_effector");
    wkEndEffectorDef* hands = wkIoArena_TakeArray(&draft->arena, capacity, sizeof *hands);
    wkIoNames names;
    if (hands == NULL || !wkIoNames_Init(&names, &draft->arena, capacity)) {
        return wkXmlFile_FailMemory(file);
    }
    draft->def.endEffectors = hands;
    for (const wkXmlElement* e = wkXmlElement_Child(file->root, "end_effector"); e != NULL;
         e = wkXmlElement_Next(e, "end_effector")) {
        wkEndEffectorDef* hand = &hands[draft->def.endEffectorCount];
        const char* group = NULL;
        int32_t link = -1;
        wkResult result = wkXmlFile_NeedValue(file, e, "name", &hand->name);
        if (result == wk_ok) {
            result = wkXmlFile_NeedValue(file, e, "group", &group);
        }
        if (result == wk_ok) {
            result = wkSrdf_FindLink(draft, e, "parent_link", &link);
        }
        if (result == wk_ok && wkIoNames_Add(&names, hand->name, 0) >= 0) {
            result = wkXmlFile_Fail(file, e, wk_errorParse, "there is one of that name already");
        }
        if (result != wk_ok) {
            return result;
        }
        hand->group = findGroup(draft, e, "group");
        hand->parentGroup = findGroup(draft, e, "parent_group");
        if (link >= 0 && hand->group != NULL) {
            hand->parentLink = draft->links[link];
            draft->def.endEffectorCount++;
        }
    }
    return wk_ok;
}
