// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Reads the links and joints of a description, and reports errors in them.

#include "robot/robot_builder.h"

#include "base/cookie.h"
#include "base/error.h"
#include "base/memory.h"
#include "geom/check.h"

#include "whisker/detail/counts.h"

#include <string.h>

// Properties of the types of joints.
static const struct {
    int32_t variableCount;
    bool hasAxis;
    bool hasLimits;
} typeTable[WK_JOINT_TYPE_COUNT] = {
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
    wkRobotDef def = {.name = "robot", .cookie = WK_COOKIE(wkRobotDef)};
    return def;
}

wkJointDef wkDefaultJointDef(void)
{
    wkJointDef def = {.cookie = WK_COOKIE(wkJointDef),
                      .type = wk_jointFixed,
                      .origin = {.rotation = {0.0, 0.0, 0.0, 1.0}},
                      .axis = {0.0, 0.0, 1.0},
                      .velocity = INFINITY,
                      .mimicFactor = 1.0};
    return def;
}

// Checks a count and its array.
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
    if (!WK_HAS_COOKIE(def, wkRobotDef)) {
        return WK_FAIL_COOKIE(def, wkRobotDef);
    }
    if (def->name == NULL) {
        return wkFail(wk_errorArgument, "robot: name is NULL");
    }
    wkResult result = checkCounts(def);
    if (result == wk_ok && def->linkCount < 1) {
        return wkFail(wk_errorArgument, "robot '%s' has no links", def->name);
    }
    for (int32_t i = 0; i < def->jointCount && result == wk_ok; i++) {
        if (!WK_HAS_COOKIE(&def->joints[i], wkJointDef)) {
            result = WK_FAIL_COOKIE(&def->joints[i], wkJointDef);
        }
    }
    return result;
}

// Allocates one block for all arrays of a builder.
static wkResult allocate(wkRobotBuilder* builder)
{
    const wkRobotDef* def = builder->def;
    size_t linkCount = (size_t)def->linkCount, jointCount = (size_t)def->jointCount;
    size_t linkSlots = wkNameSlotCount(def->linkCount);
    size_t jointSlots = wkNameSlotCount(def->jointCount);
    size_t groupSlots = wkNameSlotCount(def->groupCount);
    size_t intCount = linkSlots + jointSlots + groupSlots + 4 * linkCount + 2 * jointCount;
    builder->byteCount = 2 * jointCount * sizeof(double) + intCount * sizeof(int32_t);
    builder->memory = wkAlloc(builder->byteCount);
    if (builder->memory == NULL) {
        return wkFail(wk_errorMemory, "robot '%s': no memory for %d links", def->name,
                      (int)def->linkCount);
    }
    builder->factor = (double*)builder->memory;
    builder->offset = builder->factor + jointCount;
    int32_t* numbers = (int32_t*)(void*)(builder->offset + jointCount);
    int32_t** const arrays[] = {&builder->carrier,  &builder->firstChild, &builder->linkOrder,
                                &builder->linkRank, &builder->nextChild,  &builder->mimicked};
    for (int i = 0; i < 6; i++) {
        *arrays[i] = numbers;
        numbers += i < 4 ? linkCount : jointCount;
    }
    wkNames_Begin(&builder->links, def->links, sizeof *def->links, def->linkCount, numbers);
    numbers += linkSlots;
    const void* jointName = def->jointCount > 0 ? (const void*)&def->joints->name : NULL;
    wkNames_Begin(&builder->joints, jointName, sizeof *def->joints, def->jointCount, numbers);
    numbers += jointSlots;
    wkNames_Begin(&builder->groups, def->groups, sizeof *def->groups, def->groupCount, numbers);
    return wk_ok;
}

// Adds a name, which must not be empty or in use.
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

static wkResult addNames(wkRobotBuilder* builder)
{
    const wkRobotDef* def = builder->def;
    wkResult result = wk_ok;
    for (int32_t i = 0; i < def->linkCount && result == wk_ok; i++) {
        result = addName(&builder->links, "link", def->links[i], i);
    }
    for (int32_t i = 0; i < def->jointCount && result == wk_ok; i++) {
        result = addName(&builder->joints, "joint", def->joints[i].name, i);
    }
    for (int32_t i = 0; i < def->groupCount && result == wk_ok; i++) {
        result = addName(&builder->groups, "group", def->groups[i].name, i);
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

// Checks limits. They may be infinite: then there is none on that side.
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
    if (!(joint->velocity > 0.0)) {
        return wkFail(joint->velocity <= 0.0 ? wk_errorRange : wk_errorNotFinite,
                      "joint '%s': velocity is %g, must be above 0", joint->name, joint->velocity);
    }
    return wk_ok;
}

static wkResult checkMimic(const wkRobotBuilder* builder, const wkJointDef* joint)
{
    int32_t other = wkNames_Find(&builder->joints, joint->mimic);
    if (other < 0) {
        return wkFail(wk_errorArgument, "joint '%s': mimic is '%s', no such joint", joint->name,
                      joint->mimic);
    }
    wkJointType type = builder->def->joints[other].type;
    bool isKnown = (unsigned)type < (unsigned)WK_JOINT_TYPE_COUNT;
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
    if (!wkIsValidPoint(joint->origin.position)) {
        return wkFail(wk_errorRange, "joint '%s': origin is beyond %g", joint->name, WK_MAX_LENGTH);
    }
    return wk_ok;
}

static wkResult checkJoint(const wkRobotBuilder* builder, const wkJointDef* joint)
{
    if ((unsigned)joint->type >= (unsigned)WK_JOINT_TYPE_COUNT) {
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
        result = checkMimic(builder, joint);
    }
    return result;
}

// Finds a link by its name; fails when there is none.
static wkResult findLink(const wkRobotBuilder* builder, const wkJointDef* joint, const char* field,
                         const char* name, int32_t* link)
{
    *link = wkNames_Find(&builder->links, name);
    if (*link < 0) {
        return wkFail(wk_errorArgument, "joint '%s': %s is '%s', no such link", joint->name, field,
                      name != NULL ? name : "NULL");
    }
    return wk_ok;
}

// Connects a joint to its links, as the first child of its parent.
static wkResult hangJoint(wkRobotBuilder* builder, int32_t number)
{
    const wkJointDef* joint = &builder->def->joints[number];
    int32_t parent = -1, child = -1;
    wkResult result = findLink(builder, joint, "parent", joint->parent, &parent);
    if (result == wk_ok) {
        result = findLink(builder, joint, "child", joint->child, &child);
    }
    if (result != wk_ok) {
        return result;
    }
    if (builder->carrier[child] >= 0) {
        return wkFail(wk_errorArgument, "link '%s' is the child of two joints, '%s' and '%s'",
                      joint->child, joint->name,
                      builder->def->joints[builder->carrier[child]].name);
    }
    builder->carrier[child] = number;
    builder->nextChild[number] = builder->firstChild[parent];
    builder->firstChild[parent] = number;
    return wk_ok;
}

static wkResult readJoints(wkRobotBuilder* builder)
{
    const wkRobotDef* def = builder->def;
    for (int32_t i = 0; i < def->linkCount; i++) {
        builder->carrier[i] = -1;
        builder->firstChild[i] = -1;
        builder->linkRank[i] = -1;
    }
    wkResult result = wk_ok;
    for (int32_t i = 0; i < def->jointCount && result == wk_ok; i++) {
        result = checkJoint(builder, &def->joints[i]);
    }
    for (int32_t i = def->jointCount - 1; i >= 0 && result == wk_ok; i--) {
        result = hangJoint(builder, i);
    }
    return result;
}

// Each step may rely on the ones before.
typedef wkResult stepFcn(wkRobotBuilder* builder);
static stepFcn* const steps[] = {allocate,         addNames,        readJoints,
                                 wkOrderRobotTree, wkResolveMimics, wkCheckRobotParts};

wkResult wkRobotBuilder_Begin(wkRobotBuilder* builder, const wkRobotDef* def)
{
    memset(builder, 0, sizeof *builder);
    wkResult result = checkDef(def);
    if (result != wk_ok) {
        return result;
    }
    builder->def = def;
    for (size_t i = 0; i < sizeof steps / sizeof steps[0] && result == wk_ok; i++) {
        result = steps[i](builder);
    }
    if (result != wk_ok) {
        wkRobotBuilder_End(builder);
    }
    return result;
}

void wkRobotBuilder_End(wkRobotBuilder* builder)
{
    wkFree(builder->memory, builder->byteCount);
    builder->memory = NULL;
}
