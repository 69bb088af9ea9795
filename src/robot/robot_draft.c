// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Reads the links and joints of a description, and names what is wrong with them.

#include "robot/robot_draft.h"

#include "base/error.h"
#include "base/memory.h"
#include "geom/check.h"

#include <string.h>

// What differs between the types of joints.
static const struct {
    int32_t variableCount;
    bool hasAxis;
    bool hasLimits;
} typeTable[wk_jointTypeCount] = {
    [wk_jointFixed] = {0, false, false},     [wk_jointRevolute] = {1, true, true},
    [wk_jointContinuous] = {1, true, false}, [wk_jointPrismatic] = {1, true, true},
    [wk_jointPlanar] = {3, true, false},     [wk_jointFloating] = {7, false, false},
};

int32_t wkJointVariableCount(wkJointType type)
{
    return typeTable[type].variableCount;
}

wkRobotDef wkDefaultRobotDef(void)
{
    wkRobotDef def = {.name = "robot", .cookie = WK_ROBOT_DEF_COOKIE};
    return def;
}

wkJointDef wkDefaultJointDef(void)
{
    wkJointDef def = {.type = wk_jointFixed,
                      .origin = {.rotation = {0.0, 0.0, 0.0, 1.0}},
                      .axis = {0.0, 0.0, 1.0},
                      .mimicFactor = 1.0};
    return def;
}

// A count and the array that goes with it.
static wkResult checkArray(const char* name, int32_t count, const void* array)
{
    if (count < 0) {
        return wkFail(wk_errorRange, "robot: %s is %d, must be >= 0", name, (int)count);
    }
    if (count > 0 && array == NULL) {
        return wkFail(wk_errorArgument, "robot: %s is %d, but the array is NULL", name, (int)count);
    }
    return wk_ok;
}

static wkResult checkCounts(const wkRobotDef* def)
{
    const struct {
        const char* name;
        int32_t count;
        const void* array;
    } rows[] = {
        {"linkCount", def->linkCount, (const void*)def->links},
        {"jointCount", def->jointCount, def->joints},
        {"bodyCount", def->bodyCount, def->bodies},
        {"groupCount", def->groupCount, def->groups},
        {"stateCount", def->stateCount, def->states},
        {"endEffectorCount", def->endEffectorCount, def->endEffectors},
        {"disabledPairCount", def->disabledPairCount, def->disabledPairs},
        {"meshCount", def->meshCount, (const void*)def->meshes},
        {"hullCount", def->hullCount, (const void*)def->hulls},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        wkResult result = checkArray(rows[i].name, rows[i].count, rows[i].array);
        if (result != wk_ok) {
            return result;
        }
    }
    return wk_ok;
}

static wkResult checkDef(const wkRobotDef* def)
{
    if (def == NULL || def->cookie != WK_ROBOT_DEF_COOKIE) {
        return wkFail(wk_errorArgument,
                      "robot: the definition does not start from wkDefaultRobotDef()");
    }
    if (def->name == NULL) {
        return wkFail(wk_errorArgument, "robot: name is NULL");
    }
    wkResult result = checkCounts(def);
    if (result == wk_ok && def->linkCount < 1) {
        return wkFail(wk_errorArgument, "robot '%s' has no links", def->name);
    }
    return result;
}

// One piece of memory for all arrays of a draft.
static wkResult allocate(wkRobotDraft* draft)
{
    const wkRobotDef* def = draft->def;
    size_t linkCount = (size_t)def->linkCount, jointCount = (size_t)def->jointCount;
    size_t linkSlots = wkNameSlotCount(def->linkCount);
    size_t jointSlots = wkNameSlotCount(def->jointCount);
    size_t groupSlots = wkNameSlotCount(def->groupCount);
    size_t intCount = linkSlots + jointSlots + groupSlots + 4 * linkCount + 2 * jointCount;
    draft->byteCount = 2 * jointCount * sizeof(double) + intCount * sizeof(int32_t);
    draft->memory = wkAlloc(draft->byteCount);
    if (draft->memory == NULL) {
        return wkFail(wk_errorMemory, "robot '%s': no memory for %d links", def->name,
                      (int)def->linkCount);
    }
    draft->factor = (double*)draft->memory;
    draft->offset = draft->factor + jointCount;
    int32_t* numbers = (int32_t*)(void*)(draft->offset + jointCount);
    int32_t** const arrays[] = {&draft->carrier,  &draft->firstChild, &draft->linkOrder,
                                &draft->linkRank, &draft->nextChild,  &draft->mimicked};
    for (int i = 0; i < 6; i++) {
        *arrays[i] = numbers;
        numbers += i < 4 ? linkCount : jointCount;
    }
    wkNames_Begin(&draft->links, def->links, sizeof *def->links, def->linkCount, numbers);
    numbers += linkSlots;
    wkNames_Begin(&draft->joints, def->joints, sizeof *def->joints, def->jointCount, numbers);
    numbers += jointSlots;
    wkNames_Begin(&draft->groups, def->groups, sizeof *def->groups, def->groupCount, numbers);
    return wk_ok;
}

// Adds a name that must be there and must be new.
static wkResult addName(wkNames* names, const char* kind, const char* name, int32_t number)
{
    if (name == NULL || name[0] == '\0') {
        return wkFail(wk_errorArgument, "robot: %s %d has no name", kind, (int)number);
    }
    if (wkNames_Add(names, number) >= 0) {
        return wkFail(wk_errorArgument, "robot: two %ss have the name '%s'", kind, name);
    }
    return wk_ok;
}

static wkResult addNames(wkRobotDraft* draft)
{
    const wkRobotDef* def = draft->def;
    wkResult result = wk_ok;
    for (int32_t i = 0; i < def->linkCount && result == wk_ok; i++) {
        result = addName(&draft->links, "link", def->links[i], i);
    }
    for (int32_t i = 0; i < def->jointCount && result == wk_ok; i++) {
        result = addName(&draft->joints, "joint", def->joints[i].name, i);
    }
    for (int32_t i = 0; i < def->groupCount && result == wk_ok; i++) {
        result = addName(&draft->groups, "group", def->groups[i].name, i);
    }
    return result;
}

static wkResult checkAxis(const wkJointDef* joint)
{
    wkVec3d none = {0.0, 0.0, 0.0};
    if (!wkIsFiniteVec(joint->axis)) {
        return wkFail(wk_errorNotFinite, "joint '%s': axis is (%g %g %g), must be finite",
                      joint->name, joint->axis.x, joint->axis.y, joint->axis.z);
    }
    if (wkMaxAbs(wkNormalizeOr(joint->axis, none)) == 0.0) {
        return wkFail(wk_errorRange, "joint '%s': axis is zero", joint->name);
    }
    return wk_ok;
}

// Limits may be infinite: then there are none on that side.
static wkResult checkLimits(const wkJointDef* joint)
{
    bool isNumber = joint->lower == joint->lower && joint->upper == joint->upper;
    if (!isNumber || joint->lower == INFINITY || joint->upper == -INFINITY) {
        return wkFail(wk_errorNotFinite, "joint '%s': %s is %g, must be a limit", joint->name,
                      joint->lower < INFINITY ? "upper" : "lower",
                      joint->lower < INFINITY ? joint->upper : joint->lower);
    }
    if (joint->lower > joint->upper) {
        return wkFail(wk_errorRange, "joint '%s': lower is %g, must not be above upper, %g",
                      joint->name, joint->lower, joint->upper);
    }
    return wk_ok;
}

static wkResult checkMimic(const wkRobotDraft* draft, const wkJointDef* joint)
{
    int32_t other = wkNames_Find(&draft->joints, joint->mimic);
    if (other < 0) {
        return wkFail(wk_errorArgument, "joint '%s': mimic is '%s', no such joint", joint->name,
                      joint->mimic);
    }
    wkJointType type = draft->def->joints[other].type;
    bool isKnown = (unsigned)type < (unsigned)wk_jointTypeCount;
    if (typeTable[joint->type].variableCount != 1) {
        return wkFail(wk_errorArgument,
                      "joint '%s': mimic is for joints that turn or slide, not %s", joint->name,
                      wkJointTypeName(joint->type));
    }
    if (isKnown && typeTable[type].variableCount != 1) {
        return wkFail(wk_errorArgument,
                      "joint '%s': mimic is '%s', which is %s: no joint follows it", joint->name,
                      joint->mimic, wkJointTypeName(type));
    }
    if (!((joint->mimicFactor + joint->mimicOffset) * 0.0 == 0.0)) {
        bool isFactor = !(joint->mimicFactor * 0.0 == 0.0);
        return wkFail(wk_errorNotFinite, "joint '%s': %s is %g, must be finite", joint->name,
                      isFactor ? "mimicFactor" : "mimicOffset",
                      isFactor ? joint->mimicFactor : joint->mimicOffset);
    }
    return wk_ok;
}

static wkResult checkOrigin(const wkJointDef* joint)
{
    if (!wkIsValidPose(joint->origin)) {
        return wkFail(wk_errorNotFinite, "joint '%s': origin is not finite, or has no rotation",
                      joint->name);
    }
    if (!wkIsSoundPoint(joint->origin.position)) {
        return wkFail(wk_errorRange, "joint '%s': origin is beyond %g", joint->name, WK_MAX_LENGTH);
    }
    return wk_ok;
}

static wkResult checkJoint(const wkRobotDraft* draft, const wkJointDef* joint)
{
    if ((unsigned)joint->type >= (unsigned)wk_jointTypeCount) {
        return wkFail(wk_errorRange, "joint '%s': type is %d, no such type", joint->name,
                      (int)joint->type);
    }
    wkResult result = checkOrigin(joint);
    if (result == wk_ok && typeTable[joint->type].hasAxis) {
        result = checkAxis(joint);
    }
    if (result == wk_ok && typeTable[joint->type].hasLimits) {
        result = checkLimits(joint);
    }
    if (result == wk_ok && joint->mimic != NULL) {
        result = checkMimic(draft, joint);
    }
    return result;
}

// A link by its name, which must be there.
static wkResult findLink(const wkRobotDraft* draft, const wkJointDef* joint, const char* field,
                         const char* name, int32_t* link)
{
    *link = wkNames_Find(&draft->links, name);
    if (*link < 0) {
        return wkFail(wk_errorArgument, "joint '%s': %s is '%s', no such link", joint->name, field,
                      name != NULL ? name : "NULL");
    }
    return wk_ok;
}

// Hangs a joint between its links, before those of the same parent that hang there already.
static wkResult hangJoint(wkRobotDraft* draft, int32_t number)
{
    const wkJointDef* joint = &draft->def->joints[number];
    int32_t parent = -1, child = -1;
    wkResult result = findLink(draft, joint, "parent", joint->parent, &parent);
    if (result == wk_ok) {
        result = findLink(draft, joint, "child", joint->child, &child);
    }
    if (result != wk_ok) {
        return result;
    }
    if (draft->carrier[child] >= 0) {
        return wkFail(wk_errorArgument, "link '%s' is the child of two joints, '%s' and '%s'",
                      joint->child, joint->name, draft->def->joints[draft->carrier[child]].name);
    }
    draft->carrier[child] = number;
    draft->nextChild[number] = draft->firstChild[parent];
    draft->firstChild[parent] = number;
    return wk_ok;
}

static wkResult readJoints(wkRobotDraft* draft)
{
    const wkRobotDef* def = draft->def;
    for (int32_t i = 0; i < def->linkCount; i++) {
        draft->carrier[i] = -1;
        draft->firstChild[i] = -1;
        draft->linkRank[i] = -1;
    }
    wkResult result = wk_ok;
    for (int32_t i = 0; i < def->jointCount && result == wk_ok; i++) {
        result = checkJoint(draft, &def->joints[i]);
    }
    for (int32_t i = def->jointCount - 1; i >= 0 && result == wk_ok; i--) {
        result = hangJoint(draft, i);
    }
    return result;
}

// Each may count on the ones before.
typedef wkResult stepFcn(wkRobotDraft* draft);
static stepFcn* const steps[] = {allocate,         addNames,        readJoints,
                                 wkOrderRobotTree, wkResolveMimics, wkCheckRobotParts};

wkResult wkRobotDraft_Begin(wkRobotDraft* draft, const wkRobotDef* def)
{
    memset(draft, 0, sizeof *draft);
    wkResult result = checkDef(def);
    if (result != wk_ok) {
        return result;
    }
    draft->def = def;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && result == wk_ok; i++) {
        result = steps[i](draft);
    }
    if (result != wk_ok) {
        wkRobotDraft_End(draft);
    }
    return result;
}

void wkRobotDraft_End(wkRobotDraft* draft)
{
    wkFree(draft->memory, draft->byteCount);
    draft->memory = NULL;
}
