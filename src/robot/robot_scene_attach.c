// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Attaching and detaching objects, the body set with attached objects, and rules about sides: links and
// attached objects.

#include "robot/robot_scene_impl.h"

#include "base/error.h"
#include "base/memory.h"
#include "query/pair/shape_class.h"

#include <string.h>

void wkSharedBodySet_Drop(wkSharedBodySet* shared)
{
    if (shared != NULL && --shared->holderCount == 0) {
        wkBodySet_Destroy(shared->bodySet);
        wkFree(shared->groups, shared->groupByteCount);
        wkFree(shared, sizeof *shared);
    }
}

static bool isInList(int32_t number, const int32_t* list, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        if (list[i] == number) {
            return true;
        }
    }
    return false;
}

// Returns whether a joint, or the joint that it mimics, belongs to a group.
static bool isJointOfGroup(const wkRobot* robot, const wkGroupInfo* group, int32_t number)
{
    const wkJointInfo* joint = &robot->joints[number];
    const wkJointInfo* moved = joint->mimic >= 0 ? &robot->joints[joint->mimic] : joint;
    return moved->variableCount > 0 &&
           isInList(moved->firstVariable, group->variables, group->variableCount);
}

// Returns whether a link belongs to a group, or a joint above it moves with the group.
static bool isMovedByGroup(const wkRobot* robot, const wkGroupInfo* group, int32_t link)
{
    while (link >= 0) {
        const wkLinkInfo* info = &robot->links[link].info;
        if (isInList(link, group->links, group->linkCount)) {
            return true;
        }
        if (info->parentJoint >= 0 && isJointOfGroup(robot, group, info->parentJoint)) {
            return true;
        }
        link = info->parentLink;
    }
    return false;
}

static void setGroups(const wkRobot* robot, wkSharedBodySet* shared)
{
    const wkBodySet* bodySet = shared->bodySet;
    for (int32_t g = 0; g < robot->info.groupCount; ++g) {
        uint64_t* row = &shared->groups[(size_t)g * (size_t)bodySet->wordCount];
        for (int32_t i = 0; i < bodySet->count; ++i) {
            wkSetBit(row, i, isMovedByGroup(robot, &robot->groups[g], bodySet->bodies[i].link));
        }
    }
}

static wkAttachedPart attachedOf(const wkRobotScene* scene, const wkRobotHold* hold, int32_t number)
{
    const wkRobotThing* thing = scene->table.objects[hold->object].thing;
    wkAttachedPart attached = {
        .name = thing->name,
        .number = number,
        .link = hold->link,
        .inLink = hold->inLink,
        .shapes = thing->shapes,
        .poses = thing->poses,
        .shapeCount = thing->shapeCount,
        .touchLinks = hold->touchLinks,
        .touchLinkCount = hold->touchLinkCount,
    };
    return attached;
}

wkResult wkMakeSharedBodySet(wkRobotScene* scene, const wkAllowed* allowed, const double* paddings,
                             const wkRobotHold* holds, int32_t holdCount, wkSharedBodySet** out)
{
    *out = NULL;
    wkAttachedPart attached[WK_MAX_ATTACHED_SHAPES];
    for (int32_t i = 0; i < holdCount; ++i) {
        attached[i] = attachedOf(scene, &holds[i], i);
    }
    wkBodySetDef def = {scene->robot, allowed,   paddings,
                        attached,     holdCount, wkScene_Origin(scene->world)};
    wkSharedBodySet* shared = (wkSharedBodySet*)wkAlloc(sizeof *shared);
    if (shared == NULL) {
        return wkFail(wk_errorMemory, "robot scene: no memory");
    }
    memset(shared, 0, sizeof *shared);
    shared->holderCount = 1;
    shared->serial = ++scene->bodySetCount;
    wkResult result = wkBodySet_Create(&def, &shared->bodySet);
    if (result == wk_ok) {
        size_t rowBytes = (size_t)shared->bodySet->wordCount * sizeof(uint64_t);
        shared->groupByteCount = (size_t)scene->robot->info.groupCount * rowBytes;
        shared->groups =
            shared->groupByteCount > 0 ? (uint64_t*)wkAlloc(shared->groupByteCount) : NULL;
        bool hasCapacity = shared->groups != NULL || shared->groupByteCount == 0;
        result = hasCapacity ? wk_ok : wkFail(wk_errorMemory, "robot scene: no memory");
    }
    if (result != wk_ok) {
        shared->groupByteCount = 0;
        wkSharedBodySet_Drop(shared);
        return result;
    }
    setGroups(scene->robot, shared);
    *out = shared;
    return wk_ok;
}

// Sets the rule of an object with a side, in its two rows.
static void setRule(wkRobotScene* scene, int32_t object, int32_t side, const char* sideName)
{
    const char* name = scene->table.objects[object].name;
    wkAllowedRule rule = wkAllowed_Get(scene->rules->allowed, sideName, name, NULL, NULL);
    wkSetBit(wkAllowedSides(scene, object), side, rule == wk_ruleAllowed);
    wkSetBit(wkAskedSides(scene, object), side, rule == wk_ruleAsked);
}

static void setHasRules(wkRobotScene* scene, int32_t object)
{
    const uint64_t* rows = wkAllowedSides(scene, object);
    uint64_t any = 0;
    for (int32_t i = 0; i < 2 * scene->ruleWordCount; ++i) {
        any |= rows[i];
    }
    scene->table.objects[object].hasRules = any != 0;
}

static void setHoldRules(wkRobotScene* scene, int32_t object)
{
    int32_t linkCount = scene->robot->info.linkCount;
    for (int32_t i = 0; i < WK_MAX_ATTACHED_SHAPES; ++i) {
        if (i < scene->holdCount) {
            const char* name = scene->table.objects[scene->holds[i].object].name;
            setRule(scene, object, linkCount + i, name);
        } else {
            wkSetBit(wkAllowedSides(scene, object), linkCount + i, false);
            wkSetBit(wkAskedSides(scene, object), linkCount + i, false);
        }
    }
    setHasRules(scene, object);
}

void wkSetRulesOfObject(wkRobotScene* scene, int32_t object)
{
    size_t words = 2 * (size_t)scene->ruleWordCount;
    memset(wkAllowedSides(scene, object), 0, words * sizeof(uint64_t));
    for (int32_t i = 0; i < scene->robot->info.linkCount; ++i) {
        setRule(scene, object, i, scene->robot->links[i].info.name);
    }
    setHoldRules(scene, object);
}

void wkSetRulesOfHolds(wkRobotScene* scene)
{
    for (int32_t i = 0; i < scene->objectCount; ++i) {
        setHoldRules(scene, i);
    }
}

static void freeTouchLinks(const wkRobotHold* hold)
{
    wkFree(hold->touchLinks, (size_t)hold->touchLinkCount * sizeof *hold->touchLinks);
}

static bool isAmong(const int32_t* touchLinks, const wkRobotHold* holds, int32_t holdCount)
{
    for (int32_t i = 0; i < holdCount; ++i) {
        if (holds[i].touchLinks == touchLinks) {
            return true;
        }
    }
    return false;
}

void wkTakeHolds(wkRobotScene* scene, const wkRobotHold* holds, int32_t holdCount,
                 wkSharedBodySet* bodySet)
{
    for (int32_t i = 0; i < scene->holdCount; ++i) {
        if (!isAmong(scene->holds[i].touchLinks, holds, holdCount)) {
            freeTouchLinks(&scene->holds[i]);
        }
    }
    for (int32_t i = 0; i < holdCount; ++i) {
        scene->holds[i] = holds[i];
        scene->table.objects[holds[i].object].attached = i;
    }
    scene->holdCount = holdCount;
    wkSharedBodySet_Drop(scene->bodySet);
    scene->bodySet = bodySet;
    if (bodySet != NULL) {
        wkSetRulesOfHolds(scene);
    }
}

int32_t wkHoldsWithout(const wkRobotScene* scene, int32_t hold, wkRobotHold* holds)
{
    int32_t left = scene->holdCount - 1;
    memcpy(holds, scene->holds, (size_t)scene->holdCount * sizeof *holds);
    holds[hold] = holds[left];
    return left;
}

// Unbounded shapes and maps stay in the world.
static wkResult checkAttachable(const wkRobotThing* thing)
{
    for (int32_t i = 0; i < thing->shapeCount; ++i) {
        const wkShape* shape = &thing->shapes[i];
        if (!wkShapeFactsOf(shape)->isAttachable) {
            return wkFail(
                wk_errorUnsupported,
                "wkRobotScene_Attach: %s has a shape of type %s, which cannot be attached",
                thing->name, wkShapeTypeName(shape->type));
        }
    }
    return wk_ok;
}

static wkResult checkState(const wkRobotScene* scene, const wkRobotState* state, const char* caller)
{
    if (state == NULL || state->robot != scene->robot || !state->isValid) {
        return wkFail(wk_errorArgument, "%s: state is NULL, not valid, or of another robot",
                      caller);
    }
    return wk_ok;
}

static wkResult findTouchLinks(const wkRobotScene* scene, const char* const* names, int32_t count,
                               wkRobotHold* hold)
{
    if (count < 0 || (names == NULL && count > 0)) {
        return wkFail(wk_errorArgument, "wkRobotScene_Attach: touchLinks is NULL, or fewer than 0");
    }
    if (count == 0) {
        return wk_ok;
    }
    hold->touchLinks = (int32_t*)wkAlloc((size_t)count * sizeof *hold->touchLinks);
    if (hold->touchLinks == NULL) {
        return wkFail(wk_errorMemory, "wkRobotScene_Attach: no memory");
    }
    hold->touchLinkCount = count;
    for (int32_t i = 0; i < count; ++i) {
        hold->touchLinks[i] = wkRobot_FindLink(scene->robot, names[i]);
        if (hold->touchLinks[i] < 0) {
            return wkFail(wk_errorArgument, "wkRobotScene_Attach: there is no link %s",
                          names[i] != NULL ? names[i] : "NULL");
        }
    }
    return wk_ok;
}

// Checks the arguments and fills in a hold.
static wkResult makeHold(const wkRobotScene* scene, const wkRobotState* state, const char* name,
                         const char* link, wkRobotHold* hold)
{
    const char* caller = "wkRobotScene_Attach";
    memset(hold, 0, sizeof *hold);
    wkResult result = checkState(scene, state, caller);
    if (result != wk_ok) {
        return result;
    }
    hold->object = wkRobotScene_Find(scene, name);
    hold->link = wkRobot_FindLink(scene->robot, link);
    if (hold->object < 0 || hold->link < 0) {
        bool isObject = hold->object < 0;
        const char* unknown = isObject ? name : link;
        return wkFail(wk_errorArgument, "%s: there is no %s %s", caller,
                      isObject ? "object" : "link", unknown != NULL ? unknown : "NULL");
    }
    const wkRobotObject* object = &scene->table.objects[hold->object];
    if (object->link >= 0) {
        return wkFail(wk_errorState, "%s: %s is attached already", caller, name);
    }
    if (object->thing->isStale) {
        return wkFail(wk_errorState, "%s: %s is out of date", caller, name);
    }
    hold->inLink = wkMulPose(wkInvPose(wkStateLink(state, hold->link)), object->pose);
    return checkAttachable(object->thing);
}

wkResult wkRobotScene_Attach(wkRobotScene* scene, const wkRobotState* state, const char* name,
                             const char* link, const char* const* touchLinks,
                             int32_t touchLinkCount)
{
    wkResult result = wkCheckWriter(scene, "wkRobotScene_Attach");
    if (result != wk_ok) {
        return result;
    }
    wkRobotHold hold;
    wkSharedBodySet* bodySet = NULL;
    wkRobotHold holds[WK_MAX_ATTACHED_SHAPES];
    int32_t holdCount = scene->holdCount;
    result = makeHold(scene, state, name, link, &hold);
    if (result == wk_ok && holdCount == WK_MAX_ATTACHED_SHAPES) {
        result = wkFail(wk_errorRange, "wkRobotScene_Attach: more than %d shapes would be attached",
                        WK_MAX_ATTACHED_SHAPES);
    }
    result = result == wk_ok ? findTouchLinks(scene, touchLinks, touchLinkCount, &hold) : result;
    if (result == wk_ok) {
        memcpy(holds, scene->holds, (size_t)holdCount * sizeof *holds);
        holds[holdCount++] = hold;
        result = wkMakeSharedBodySet(scene, scene->rules->allowed, scene->paddings, holds,
                                     holdCount, &bodySet);
    }
    if (result != wk_ok) {
        freeTouchLinks(&hold);
        return result;
    }
    wkRobotObject* object = &scene->table.objects[hold.object];
    wkLeaveWorld(scene, object->thing, 0);
    object->pose = hold.inLink;
    object->link = hold.link;
    wkTakeHolds(scene, holds, holdCount, bodySet);
    ++scene->version;
    return wk_ok;
}

wkResult wkRobotScene_Detach(wkRobotScene* scene, const wkRobotState* state, const char* name)
{
    const char* caller = "wkRobotScene_Detach";
    wkResult result = wkCheckWriter(scene, caller);
    result = result == wk_ok ? checkState(scene, state, caller) : result;
    if (result != wk_ok) {
        return result;
    }
    int32_t number = wkRobotScene_Find(scene, name);
    if (number < 0) {
        return wkFail(wk_errorArgument, "%s: there is no object %s", caller,
                      name != NULL ? name : "NULL");
    }
    wkRobotObject* object = &scene->table.objects[number];
    if (object->link < 0) {
        return wkFail(wk_errorState, "%s: %s is not attached", caller, name);
    }
    wkPose pose = wkMulPose(wkStateLink(state, object->link), object->pose);
    wkRobotHold holds[WK_MAX_ATTACHED_SHAPES];
    int32_t holdCount = wkHoldsWithout(scene, object->attached, holds);
    wkSharedBodySet* bodySet = NULL;
    result = wkCheckSlots(caller, object->thing, pose);
    result = result == wk_ok
                 ? wkRobotScene_Reserve(scene, scene->objectCount, object->thing->shapeCount)
                 : result;
    result = result == wk_ok ? wkMakeSharedBodySet(scene, scene->rules->allowed, scene->paddings,
                                                   holds, holdCount, &bodySet)
                             : result;
    if (result != wk_ok) {
        return result;
    }
    object->pose = pose;
    object->link = -1;
    object->attached = -1;
    wkTakeHolds(scene, holds, holdCount, bodySet);
    wkEnterWorld(scene, number, 0);
    ++scene->version;
    return wk_ok;
}
