// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Checks bodies, groups, named states, end effectors and pairs of a description.

#include "base/error.h"
#include "geom/check.h"
#include "robot/robot_builder.h"

#include <stdio.h>
#include <string.h>

// Returns the text to print for a name that may be missing.
static const char* words(const char* name)
{
    return name != NULL ? name : "NULL";
}

static wkResult noSuch(const char* what, const char* name, const char* field, const char* value,
                       const char* kind)
{
    return wkFail(wk_errorArgument, "%s '%s': %s is '%s', no such %s", what, words(name), field,
                  words(value), kind);
}

static wkResult checkBody(const wkRobotBuilder* builder, int32_t number)
{
    const wkBodyDef* body = &builder->def->bodies[number];
    if (wkNames_Find(&builder->links, body->link) < 0) {
        return wkFail(wk_errorArgument, "body %d ('%s'): link is '%s', no such link", (int)number,
                      words(body->name), words(body->link));
    }
    wkResult result = wkShape_Check(&body->shape);
    if (result != wk_ok) {
        char reason[256];
        snprintf(reason, sizeof reason, "%s", wkGetLastError());
        return wkFail(result, "body %d of link '%s': %s", (int)number, body->link, reason);
    }
    if (!wkIsValidPose(body->pose)) {
        return wkFail(wk_errorNotFinite,
                      "body %d of link '%s': pose is not finite, or has no rotation", (int)number,
                      body->link);
    }
    if (!wkIsValidPoint(body->pose.position)) {
        return wkFail(wk_errorRange, "body %d of link '%s': pose is beyond %g", (int)number,
                      body->link, WK_MAX_LENGTH);
    }
    return wk_ok;
}

static wkResult checkGroup(const wkRobotBuilder* builder, int32_t number)
{
    const wkGroupDef* group = &builder->def->groups[number];
    bool hasJoints = group->jointCount == 0 || (group->jointCount > 0 && group->joints != NULL);
    bool hasLinks = group->linkCount == 0 || (group->linkCount > 0 && group->links != NULL);
    if (!hasJoints || !hasLinks) {
        return wkFail(wk_errorArgument, "group '%s': %s does not fit its array", group->name,
                      hasJoints ? "linkCount" : "jointCount");
    }
    for (int32_t i = 0; i < group->jointCount; i++) {
        if (wkNames_Find(&builder->joints, group->joints[i]) < 0) {
            return noSuch("group", group->name, "one of joints", group->joints[i], "joint");
        }
    }
    for (int32_t i = 0; i < group->linkCount; i++) {
        if (wkNames_Find(&builder->links, group->links[i]) < 0) {
            return noSuch("group", group->name, "one of links", group->links[i], "link");
        }
    }
    return wk_ok;
}

static bool areSame(const char* a, const char* b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static wkResult checkStateName(const wkRobotBuilder* builder, int32_t number)
{
    const wkNamedStateDef* states = builder->def->states;
    const wkNamedStateDef* state = &states[number];
    if (state->name == NULL || state->name[0] == '\0') {
        return wkFail(wk_errorArgument, "robot: state %d has no name", (int)number);
    }
    for (int32_t i = 0; i < number; i++) {
        if (areSame(states[i].name, state->name) && areSame(states[i].group, state->group)) {
            return wkFail(wk_errorArgument, "robot: two states of group '%s' have the name '%s'",
                          words(state->group), state->name);
        }
    }
    return wk_ok;
}

// Returns the number of values that a joint takes.
static int32_t valueCount(const wkJointDef* joint)
{
    return joint->mimic == NULL ? wkJointVariableCount(joint->type) : 0;
}

static wkResult checkStateValues(const wkRobotBuilder* builder, const wkNamedStateDef* state)
{
    const double* value = state->values;
    for (int32_t i = 0; i < state->jointCount; i++) {
        int32_t joint = wkNames_Find(&builder->joints, state->joints[i]);
        if (joint < 0) {
            return noSuch("state", state->name, "one of joints", state->joints[i], "joint");
        }
        int32_t count = valueCount(&builder->def->joints[joint]);
        for (int32_t k = 0; k < count; k++, value++) {
            if (value == NULL || !(*value * 0.0 == 0.0)) {
                return wkFail(value == NULL ? wk_errorArgument : wk_errorNotFinite,
                              "state '%s': the value of joint '%s' is %s", state->name,
                              state->joints[i], value == NULL ? "missing" : "not finite");
            }
        }
    }
    return wk_ok;
}

static wkResult checkState(const wkRobotBuilder* builder, int32_t number)
{
    const wkNamedStateDef* state = &builder->def->states[number];
    wkResult result = checkStateName(builder, number);
    if (result != wk_ok) {
        return result;
    }
    if (state->group != NULL && wkNames_Find(&builder->groups, state->group) < 0) {
        return noSuch("state", state->name, "group", state->group, "group");
    }
    if (state->jointCount < 0 || (state->jointCount > 0 && state->joints == NULL)) {
        return wkFail(wk_errorArgument, "state '%s': jointCount does not fit its array",
                      state->name);
    }
    return checkStateValues(builder, state);
}

static wkResult checkEndEffector(const wkRobotBuilder* builder, int32_t number)
{
    const wkEndEffectorDef* endEffectors = builder->def->endEffectors;
    const wkEndEffectorDef* endEffector = &endEffectors[number];
    if (endEffector->name == NULL || endEffector->name[0] == '\0') {
        return wkFail(wk_errorArgument, "robot: end effector %d has no name", (int)number);
    }
    for (int32_t i = 0; i < number; i++) {
        if (strcmp(endEffectors[i].name, endEffector->name) == 0) {
            return wkFail(wk_errorArgument, "robot: two end effectors have the name '%s'",
                          endEffector->name);
        }
    }
    if (wkNames_Find(&builder->groups, endEffector->group) < 0) {
        return noSuch("end effector", endEffector->name, "group", endEffector->group, "group");
    }
    if (wkNames_Find(&builder->links, endEffector->parentLink) < 0) {
        return noSuch("end effector", endEffector->name, "parentLink", endEffector->parentLink,
                      "link");
    }
    if (endEffector->parentGroup != NULL &&
        wkNames_Find(&builder->groups, endEffector->parentGroup) < 0) {
        return noSuch("end effector", endEffector->name, "parentGroup", endEffector->parentGroup,
                      "group");
    }
    return wk_ok;
}

static wkResult checkPair(const wkRobotBuilder* builder, int32_t number)
{
    const wkDisabledPairDef* pair = &builder->def->disabledPairs[number];
    const char* const names[2] = {pair->linkA, pair->linkB};
    int32_t links[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        links[k] = wkNames_Find(&builder->links, names[k]);
        if (links[k] < 0) {
            return wkFail(wk_errorArgument, "disabled pair %d: link%c is '%s', no such link",
                          (int)number, 'A' + k, words(names[k]));
        }
    }
    if (links[0] == links[1]) {
        return wkFail(wk_errorArgument, "disabled pair %d: both links are '%s'", (int)number,
                      names[0]);
    }
    return wk_ok;
}

wkResult wkCheckRobotParts(wkRobotBuilder* builder)
{
    const wkRobotDef* def = builder->def;
    const struct {
        int32_t count;
        wkResult (*check)(const wkRobotBuilder*, int32_t);
    } rows[] = {
        {def->bodyCount, checkBody},         {def->groupCount, checkGroup},
        {def->stateCount, checkState},       {def->endEffectorCount, checkEndEffector},
        {def->disabledPairCount, checkPair},
    };
    wkResult result = wk_ok;
    for (size_t kind = 0; kind < sizeof rows / sizeof rows[0]; kind++) {
        for (int32_t i = 0; i < rows[kind].count && result == wk_ok; i++) {
            result = rows[kind].check(builder, i);
        }
    }
    return result;
}
