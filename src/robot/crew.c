// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Making a crew: its members, and which pairs of them are looked at.

#include "robot/crew.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

// What a side of a pair is called, and what it may touch whatever the rules say.
typedef struct sideRule {
    const char* name;
    const wkHeldObject* held; // NULL: a link
    int32_t link;             // itself, or what carries the object
} sideRule;

// Box around a shape that is no further from others than the shape is.
static void setBox(wkCrewMember* member)
{
    wkShape wide = member->shape;
    wide.padding = wide.padding > 0.0 ? wide.padding : 0.0;
    wkAabb box = wkShape_Bounds(&wide, wkIdentityPose());
    member->middle = wkScale(0.5, wkAdd(box.lower, box.upper));
    member->half = wkScale(0.5, wkSub(box.upper, box.lower));
    wkVec3d half = member->half;
    member->isEmpty = half.x < 0.0 || half.y < 0.0 || half.z < 0.0;
    // infinite minus infinite: there is no middle then
    bool isBounded = half.x < INFINITY && half.y < INFINITY && half.z < INFINITY;
    member->middle = isBounded && !member->isEmpty ? member->middle : wkVec(0.0, 0.0, 0.0);
}

static void setBody(const wkCrewDef* def, int32_t index, wkCrewMember* member)
{
    const wkRobotBody* body = &def->robot->bodies[index];
    member->shape = body->shape;
    member->link = body->info.link;
    member->shape.padding += def->paddings != NULL ? def->paddings[member->link] : 0.0;
    member->inMover = body->pose;
    member->inLink = body->info.pose;
    member->mover = body->mover;
    member->side = member->link;
    member->index = index;
    setBox(member);
}

static void setHeld(const wkCrewDef* def, const wkHeldObject* object, int32_t index,
                    wkCrewMember* member)
{
    const wkRobotLink* link = &def->robot->links[object->link];
    wkPose inObject = object->poses != NULL ? object->poses[index] : wkIdentityPose();
    member->shape = object->shapes[index];
    member->inLink = wkMulPose(object->inLink, inObject);
    member->inMover = wkMulPose(link->pose, member->inLink);
    member->mover = link->mover;
    member->link = object->link;
    member->side = def->robot->info.linkCount + object->number;
    member->index = index;
    setBox(member);
}

static sideRule ruleOfLink(const wkRobot* robot, int32_t link)
{
    sideRule rule = {robot->links[link].info.name, NULL, link};
    return rule;
}

static sideRule ruleOfHeld(const wkHeldObject* object)
{
    sideRule rule = {object->name, object, object->link};
    return rule;
}

static bool mayTouchLink(const sideRule* side, int32_t link)
{
    if (side->held == NULL) {
        return false;
    }
    for (int32_t i = 0; i < side->held->touchLinkCount; ++i) {
        if (side->held->touchLinks[i] == link) {
            return true;
        }
    }
    return side->link == link;
}

// Members of the same link or object keep their places, and what is held may touch some links.
static bool mayAlwaysTouch(const sideRule* a, const sideRule* b)
{
    return a->link == b->link || (b->held == NULL && mayTouchLink(a, b->link)) ||
           (a->held == NULL && mayTouchLink(b, a->link));
}

// A run of members of one side.
typedef struct memberRun {
    int32_t first;
    int32_t end;
} memberRun;

static memberRun runFrom(const wkCrew* crew, int32_t first)
{
    memberRun run = {first, first + 1};
    while (run.end < crew->count && crew->members[run.end].side == crew->members[first].side) {
        ++run.end;
    }
    return run;
}

static void setBit(uint64_t* rows, const wkCrew* crew, int32_t a, int32_t b)
{
    rows[(size_t)a * (size_t)crew->wordCount + (size_t)b / 64] |= UINT64_C(1) << (b % 64);
    rows[(size_t)b * (size_t)crew->wordCount + (size_t)a / 64] |= UINT64_C(1) << (a % 64);
}

static void markPairs(wkCrew* crew, memberRun a, memberRun b, wkAllowedRule rule)
{
    for (int32_t i = a.first; i < a.end; ++i) {
        for (int32_t j = b.first; j < b.end; ++j) {
            if (crew->members[i].isEmpty || crew->members[j].isEmpty) {
                continue;
            }
            setBit(crew->checked, crew, i, j);
            if (rule == wk_ruleAsked) {
                setBit(crew->asked, crew, i, j);
            }
        }
    }
}

static sideRule ruleOfMember(const wkCrewDef* def, const wkCrew* crew, int32_t index)
{
    const wkCrewMember* member = &crew->members[index];
    if (member->side < def->robot->info.linkCount) {
        return ruleOfLink(def->robot, member->link);
    }
    const wkHeldObject* held = def->held;
    while (held->number != member->side - def->robot->info.linkCount) {
        ++held;
    }
    return ruleOfHeld(held);
}

static void setPairs(const wkCrewDef* def, wkCrew* crew)
{
    for (memberRun a = {0, 0}; a.end < crew->count;) {
        a = runFrom(crew, a.end);
        sideRule ruleA = ruleOfMember(def, crew, a.first);
        for (memberRun b = a; b.end < crew->count;) {
            b = runFrom(crew, b.end);
            sideRule ruleB = ruleOfMember(def, crew, b.first);
            wkAllowedRule rule = wkAllowed_Get(def->allowed, ruleA.name, ruleB.name, NULL, NULL);
            if (rule != wk_ruleAllowed && !mayAlwaysTouch(&ruleA, &ruleB)) {
                markPairs(crew, a, b, rule);
            }
        }
    }
}

static int32_t countHeld(const wkCrewDef* def)
{
    int32_t count = 0;
    for (int32_t i = 0; i < def->heldCount; ++i) {
        count += def->held[i].shapeCount;
    }
    return count;
}

wkResult wkCrew_Create(const wkCrewDef* def, wkCrew** out)
{
    *out = NULL;
    int32_t heldCount = countHeld(def);
    if (heldCount > WK_MAX_ATTACHED_SHAPES) {
        return wkFail(wk_errorRange, "robot scene: %d shapes are attached, at most %d can be",
                      (int)heldCount, WK_MAX_ATTACHED_SHAPES);
    }
    size_t count = (size_t)def->robot->info.bodyCount + (size_t)heldCount;
    size_t wordCount = (count + 63) / 64;
    size_t memberBytes = count * sizeof(wkCrewMember);
    size_t rowBytes = count * wordCount * sizeof(uint64_t);
    size_t byteCount = sizeof(wkCrew) + memberBytes + 2 * rowBytes;
    wkCrew* crew = (wkCrew*)wkAlloc(byteCount);
    if (crew == NULL) {
        return wkFail(wk_errorMemory, "robot scene: no memory for %d shapes", (int)count);
    }
    memset(crew, 0, byteCount);
    crew->robot = def->robot;
    crew->byteCount = byteCount;
    crew->count = (int32_t)count;
    crew->wordCount = (int32_t)wordCount;
    crew->members = (wkCrewMember*)(void*)(crew + 1);
    crew->checked = (uint64_t*)(void*)((char*)crew->members + memberBytes);
    crew->asked = (uint64_t*)(void*)((char*)crew->checked + rowBytes);
    crew->origin = def->origin;
    wkCrewMember* member = crew->members;
    for (int32_t i = 0; i < def->robot->info.bodyCount; ++i) {
        setBody(def, i, member++);
    }
    for (int32_t i = 0; i < def->heldCount; ++i) {
        for (int32_t k = 0; k < def->held[i].shapeCount; ++k) {
            setHeld(def, &def->held[i], k, member++);
        }
    }
    setPairs(def, crew);
    *out = crew;
    return wk_ok;
}

void wkCrew_Destroy(wkCrew* crew)
{
    if (crew != NULL) {
        wkFree(crew, crew->byteCount);
    }
}
