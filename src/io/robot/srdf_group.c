// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Groups of an SRDF, expanded: a link adds its parent joint, a chain the joints from its base to its tip, a
// subgroup all of its members; and each joint its child link.

#include "io/robot/srdf.h"

// Step limit for all groups together; real robots need a few thousand steps. Nested groups could otherwise
// take quadratic time.
#define MAX_STEPS 5000000

// Members of a group carry its stamp, the index of the group plus one.
typedef struct groupReader {
    wkUrdfBuilder* builder;
    const wkXmlElement** elements; // of all groups
    int32_t* linkStamps;
    int32_t* jointStamps;
    int32_t* groupStamps; // subgroups found
    int32_t* tipStamps;   // links between the tip of a chain and the root
    int32_t tipStamp;
    int32_t* queue; // groups to be expanded
    int32_t queueCount;
    int32_t stamp;
    int64_t steps;
} groupReader;

static wkResult addLink(groupReader* r, const wkXmlElement* element)
{
    int32_t link = -1;
    wkResult result = wkSrdf_FindLink(r->builder, element, "name", &link);
    if (link >= 0) {
        r->linkStamps[link] = r->stamp;
        int32_t joint = r->builder->linkJoints[link];
        if (joint >= 0) {
            r->jointStamps[joint] = r->stamp;
        }
    }
    return result;
}

static wkResult addJoint(groupReader* r, const wkXmlElement* element)
{
    int32_t joint = -1;
    wkResult result = wkSrdf_FindJoint(r->builder, element, "name", &joint);
    if (joint >= 0) {
        r->jointStamps[joint] = r->stamp;
    }
    return result;
}

static int32_t parentOf(const wkUrdfBuilder* builder, int32_t link)
{
    int32_t joint = builder->linkJoints[link];
    return joint >= 0 ? builder->jointParents[joint] : -1;
}

// Adds the joints of all links from `link` up to but without `end`.
static void addWay(groupReader* r, int32_t link, int32_t end)
{
    for (; link != end; link = parentOf(r->builder, link)) {
        r->jointStamps[r->builder->linkJoints[link]] = r->stamp;
        r->steps++;
    }
}

// Adds a chain. The tip need not be a descendant of the base: a chain may lead from one end effector to
// another through their lowest common ancestor.
static wkResult addChain(groupReader* r, const wkXmlElement* element)
{
    int32_t base = -1, tip = -1;
    wkResult result = wkSrdf_FindLink(r->builder, element, "base_link", &base);
    if (result == wk_ok) {
        result = wkSrdf_FindLink(r->builder, element, "tip_link", &tip);
    }
    if (base < 0 || tip < 0) {
        return result;
    }
    r->tipStamp++;
    for (int32_t link = tip; link >= 0; link = parentOf(r->builder, link)) {
        r->tipStamps[link] = r->tipStamp;
        r->steps++;
    }
    int32_t meeting = base;
    while (r->tipStamps[meeting] != r->tipStamp) {
        meeting = parentOf(r->builder, meeting);
    }
    addWay(r, tip, meeting);
    addWay(r, base, meeting);
    return wk_ok;
}

static wkResult addGroup(groupReader* r, const wkXmlElement* element)
{
    const char* name = NULL;
    wkResult result = wkXmlFile_NeedValue(&r->builder->srdf, element, "name", &name);
    if (result != wk_ok) {
        return result;
    }
    int32_t group = wkIoNames_Find(&r->builder->groupNames, name);
    if (group < 0) {
        wkUrdfBuilder_WarnOf(r->builder, &r->builder->srdf, element, "there is no group \"%.60s\"",
                             name);
    } else if (group == r->stamp - 1) {
        return wkXmlFile_Fail(&r->builder->srdf, element, wk_errorParse,
                              "group \"%.80s\" holds itself", name);
    } else if (r->groupStamps[group] != r->stamp) {
        r->groupStamps[group] = r->stamp;
        r->queue[r->queueCount++] = group;
    }
    return wk_ok;
}

static const struct {
    const char* name;
    wkResult (*add)(groupReader* r, const wkXmlElement* element);
} members[] = {
    {"link", addLink},
    {"joint", addJoint},
    {"chain", addChain},
    {"group", addGroup},
};

#define MEMBER_COUNT ((int)(sizeof members / sizeof members[0]))

static wkResult addMembers(groupReader* r, const wkXmlElement* group)
{
    wkResult result = wk_ok;
    for (int i = 0; i < MEMBER_COUNT; i++) {
        const char* name = members[i].name;
        for (const wkXmlElement* e = wkXmlElement_Child(group, name); e != NULL && result == wk_ok;
             e = wkXmlElement_Next(e, name)) {
            result = members[i].add(r, e);
            r->steps++;
        }
    }
    if (result == wk_ok && r->steps > MAX_STEPS) {
        return wkXmlFile_Fail(&r->builder->srdf, group, wk_errorRange,
                              "groups hold each other too many times");
    }
    return result;
}

// Lists the names of all joints with the stamp, and of links that are their children or have the stamp.
static wkResult takeNames(groupReader* r, wkGroupDef* group)
{
    wkUrdfBuilder* builder = r->builder;
    const wkRobotDef* def = &builder->def;
    size_t jointCount = 0, linkCount = 0;
    for (int32_t i = 0; i < def->jointCount; i++) {
        if (r->jointStamps[i] == r->stamp) {
            r->linkStamps[builder->jointChildren[i]] = r->stamp;
            jointCount++;
        }
    }
    for (int32_t i = 0; i < def->linkCount; i++) {
        linkCount += r->linkStamps[i] == r->stamp ? 1 : 0;
    }
    const char** joints = wkIoArena_AllocArray(&builder->arena, jointCount, sizeof *joints);
    const char** links = wkIoArena_AllocArray(&builder->arena, linkCount, sizeof *links);
    if (joints == NULL || links == NULL) {
        return wkXmlFile_FailMemory(&builder->srdf);
    }
    group->joints = joints;
    group->links = links;
    for (int32_t i = 0; i < def->jointCount; i++) {
        if (r->jointStamps[i] == r->stamp) {
            joints[group->jointCount++] = builder->joints[i].name;
        }
    }
    for (int32_t i = 0; i < def->linkCount; i++) {
        if (r->linkStamps[i] == r->stamp) {
            links[group->linkCount++] = builder->links[i];
        }
    }
    r->steps += def->jointCount + def->linkCount;
    return wk_ok;
}

static wkResult readGroup(groupReader* r, int32_t number, wkGroupDef* group)
{
    r->stamp = number + 1;
    r->queue[0] = number;
    r->queueCount = 1;
    wkResult result = wk_ok;
    for (int32_t i = 0; i < r->queueCount && result == wk_ok; i++) {
        result = addMembers(r, r->elements[r->queue[i]]);
    }
    return result == wk_ok ? takeNames(r, group) : result;
}

// Registers the names of all groups, so that they may refer to each other in any order.
static wkResult nameGroups(groupReader* r, wkGroupDef* groups)
{
    wkUrdfBuilder* builder = r->builder;
    for (const wkXmlElement* e = wkXmlElement_Child(builder->srdf.root, "group"); e != NULL;
         e = wkXmlElement_Next(e, "group")) {
        int32_t number = builder->def.groupCount++;
        wkResult result = wkXmlFile_NeedValue(&builder->srdf, e, "name", &groups[number].name);
        if (result != wk_ok) {
            return result;
        }
        int32_t other = wkIoNames_Add(&builder->groupNames, groups[number].name, number);
        if (other >= 0) {
            return wkXmlFile_Fail(&builder->srdf, e, wk_errorParse,
                                  "line %d has a group of that name",
                                  (int)r->elements[other]->line);
        }
        r->elements[number] = e;
    }
    return wk_ok;
}

wkResult wkSrdf_ReadGroups(wkUrdfBuilder* builder)
{
    wkIoArena* arena = &builder->arena;
    size_t linkCount = (size_t)builder->def.linkCount, jointCount = (size_t)builder->def.jointCount;
    size_t count = (size_t)wkXmlElement_CountChildren(builder->srdf.root, "group");
    wkGroupDef* groups = wkIoArena_AllocArray(arena, count, sizeof *groups);
    groupReader r = {.builder = builder};
    r.elements = wkIoArena_AllocArray(arena, count, sizeof(wkXmlElement*));
    r.linkStamps = wkIoArena_AllocArray(arena, linkCount, sizeof *r.linkStamps);
    r.jointStamps = wkIoArena_AllocArray(arena, jointCount, sizeof *r.jointStamps);
    r.groupStamps = wkIoArena_AllocArray(arena, count, sizeof *r.groupStamps);
    r.tipStamps = wkIoArena_AllocArray(arena, linkCount, sizeof *r.tipStamps);
    r.queue = wkIoArena_AllocArray(arena, count + 1, sizeof *r.queue);
    if (groups == NULL || r.elements == NULL || r.linkStamps == NULL || r.jointStamps == NULL ||
        r.groupStamps == NULL || r.tipStamps == NULL || r.queue == NULL ||
        !wkIoNames_Init(&builder->groupNames, arena, count)) {
        return wkXmlFile_FailMemory(&builder->srdf);
    }
    builder->def.groups = groups;
    wkResult result = nameGroups(&r, groups);
    for (int32_t i = 0; i < builder->def.groupCount && result == wk_ok; i++) {
        result = readGroup(&r, i, &groups[i]);
    }
    return result;
}
