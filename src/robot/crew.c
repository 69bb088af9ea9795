// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Making a crew: its members, and which pairs of them are looked at.

#include "robot/crew.h"

#include "base/error.h"
#include "base/memory.h"

#include "math/round.h"

#include <string.h>

#define PIECE_ALIGNMENT 64

// What the lanes compute from floats can be off by, as a share of the lengths that go in: of the
// order of ten roundings in the matrix of a mover, three times as many in that of a member.
#define TURN_ROUNDING 0x1p-18

static double sumOfSizes(wkVec3d v)
{
    return fabs(v.x) + fabs(v.y) + fabs(v.z);
}

// What a side of a pair is called, and what it may touch whatever the rules say.
typedef struct sideRule {
    const char* name;
    const wkHeldObject* held; // NULL: a link
    int32_t link;             // itself, or what carries the object
} sideRule;

// Larger boxes count as endless: floats in lanes could run over.
#define LARGEST_HALF 1e30

static bool isBounded(const wkCrewMember* member)
{
    wkVec3d half = member->half, middle = member->middle, at = member->inMover.position;
    return wkMaxD(wkMaxD(half.x, half.y), half.z) < LARGEST_HALF &&
           sumOfSizes(middle) + sumOfSizes(at) < LARGEST_HALF;
}

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
    bool isThere = isBounded(member) && !member->isEmpty;
    member->middle = isThere ? member->middle : wkVec(0.0, 0.0, 0.0);
}

static wkPose unitPose(wkPose pose)
{
    pose.rotation = wkNormalizeQuat(pose.rotation);
    return pose;
}

static void setBody(const wkCrewDef* def, int32_t index, wkCrewMember* member)
{
    const wkRobotBody* body = &def->robot->bodies[index];
    member->shape = body->shape;
    member->link = body->info.link;
    member->shape.padding += def->paddings != NULL ? def->paddings[member->link] : 0.0;
    member->inMover = body->pose;
    member->inLink = unitPose(body->info.pose);
    member->mover = body->mover;
    member->side = member->link;
    member->index = index;
    if (body->hull != NULL) {
        member->jacket = wkMakeHull(body->hull);
        member->jacket.rounding = member->shape.rounding + body->hullSlack;
        member->jacket.padding = member->shape.padding;
        member->hull = body->checksHull ? member->jacket : member->hull;
    }
    setBox(member);
}

static void setHeld(const wkCrewDef* def, const wkHeldObject* object, int32_t index,
                    wkCrewMember* member)
{
    const wkRobotLink* link = &def->robot->links[object->link];
    wkPose inObject = object->poses != NULL ? object->poses[index] : wkIdentityPose();
    member->shape = object->shapes[index];
    member->inLink = unitPose(wkMulPose(object->inLink, inObject));
    member->inMover = unitPose(wkMulPose(link->pose, member->inLink));
    member->mover = link->mover;
    member->link = object->link;
    member->side = def->robot->info.linkCount + object->number;
    member->index = index;
    setBox(member);
}

// A place for a member among eight of them.
// @param pose in the frame of what carries it
static void setLane(wkCrewGroup* group, int lane, const wkCrewMember* member, wkPose pose)
{
    wkFrame frame = wkFrameFromPose(pose);
    wkVec3d middle = wkFramePoint(&frame, member->middle), half = member->half;
    const wkVec3d* columns[3] = {&frame.rotation.x, &frame.rotation.y, &frame.rotation.z};
    double size = sumOfSizes(middle) + sumOfSizes(wkSub(middle, frame.position)) + sumOfSizes(half);
    for (int axis = 0; axis < 3; ++axis) {
        for (int side = 0; side < 3; ++side) {
            group->turn[side][axis][lane] = (float)wkAlongAxis(columns[side], axis);
        }
        group->middle[axis][lane] = (float)wkAlongAxis(&middle, axis);
        group->half[axis][lane] = wkRoundUp(wkAlongAxis(&half, axis));
    }
    group->slack[lane] = wkRoundUp(TURN_ROUNDING * size + (double)FLT_MIN);
}

// A place that meets everything, or nothing.
static void setEndlessLane(wkCrewGroup* group, int lane, float slack)
{
    for (int axis = 0; axis < 3; ++axis) {
        for (int side = 0; side < 3; ++side) {
            group->turn[side][axis][lane] = side == axis ? 1.0f : 0.0f;
        }
        group->middle[axis][lane] = 0.0f;
        group->half[axis][lane] = 0.0f;
    }
    group->slack[lane] = slack;
}

static void setGroups(wkCrew* crew, int32_t groupCount)
{
    for (int32_t i = 0; i < groupCount * WK_BODY_LANES; ++i) {
        wkCrewGroup* group = &crew->groups[i / WK_BODY_LANES];
        wkCrewGroup* onLink = &crew->onLinks[i / WK_BODY_LANES];
        int lane = (int)(i % WK_BODY_LANES);
        const wkCrewMember* member = i < crew->count ? &crew->members[i] : NULL;
        group->carriers[lane] = member != NULL ? member->mover : 0;
        onLink->carriers[lane] = member != NULL ? member->link : 0;
        if (member != NULL && !member->isEmpty && isBounded(member)) {
            setLane(group, lane, member, member->inMover);
            setLane(onLink, lane, member, member->inLink);
        } else {
            float slack = member == NULL || member->isEmpty ? -INFINITY : INFINITY;
            setEndlessLane(group, lane, slack);
            setEndlessLane(onLink, lane, slack);
        }
    }
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

// The next piece of a block; without a start the block is only counted.
static void* take(char* start, size_t* used, size_t count, size_t size)
{
    void* piece = start != NULL ? start + *used : NULL;
    *used += (count * size + PIECE_ALIGNMENT - 1) / PIECE_ALIGNMENT * PIECE_ALIGNMENT;
    return piece;
}

// Where everything is in the block.
// @return its size
static size_t layOut(wkCrew* crew, size_t count, size_t groupCount, size_t linkCount, char* start)
{
    size_t wordCount = (count + 63) / 64, used = 0;
    take(start, &used, 1, sizeof *crew);
    crew->members = (wkCrewMember*)take(start, &used, count, sizeof *crew->members);
    crew->groups = (wkCrewGroup*)take(start, &used, groupCount, sizeof *crew->groups);
    crew->onLinks = (wkCrewGroup*)take(start, &used, groupCount, sizeof *crew->onLinks);
    crew->checked = (uint64_t*)take(start, &used, count * wordCount, sizeof *crew->checked);
    crew->asked = (uint64_t*)take(start, &used, count * wordCount, sizeof *crew->asked);
    crew->paddings = (double*)take(start, &used, linkCount, sizeof *crew->paddings);
    crew->marks = (wkCrewMark*)take(start, &used, count, sizeof *crew->marks);
    crew->count = (int32_t)count;
    crew->wordCount = (int32_t)wordCount;
    return used;
}

static void addMark(wkCrew* crew, int32_t member, wkContentMark content)
{
    if (content.now != NULL) {
        wkCrewMark mark = {content, member};
        crew->marks[crew->markCount++] = mark;
    }
}

static void setMembers(const wkCrewDef* def, wkCrew* crew)
{
    wkCrewMember* member = crew->members;
    for (int32_t i = 0; i < def->robot->info.bodyCount; ++i) {
        addMark(crew, i, def->robot->bodies[i].content);
        setBody(def, i, member++);
    }
    for (int32_t i = 0; i < def->heldCount; ++i) {
        for (int32_t k = 0; k < def->held[i].shapeCount; ++k) {
            int32_t number = (int32_t)(member - crew->members);
            addMark(crew, number, wkMarkContent(&def->held[i].shapes[k]));
            setHeld(def, &def->held[i], k, member++);
        }
    }
}

wkResult wkCrew_Create(const wkCrewDef* def, wkCrew** crew)
{
    *crew = NULL;
    int32_t heldCount = countHeld(def);
    if (heldCount > WK_MAX_ATTACHED_SHAPES) {
        return wkFail(wk_errorRange, "robot scene: %d shapes are attached, at most %d can be",
                      (int)heldCount, WK_MAX_ATTACHED_SHAPES);
    }
    size_t count = (size_t)def->robot->info.bodyCount + (size_t)heldCount;
    size_t groupCount = (count + WK_BODY_LANES - 1) / WK_BODY_LANES;
    wkCrew counted;
    size_t linkCount = (size_t)def->robot->info.linkCount;
    size_t byteCount = layOut(&counted, count, groupCount, linkCount, NULL);
    wkCrew* made = (wkCrew*)wkAlloc(byteCount);
    if (made == NULL) {
        return wkFail(wk_errorMemory, "robot scene: no memory for %d shapes", (int)count);
    }
    memset(made, 0, byteCount);
    layOut(made, count, groupCount, linkCount, (char*)made);
    made->robot = def->robot;
    made->byteCount = byteCount;
    made->origin = def->origin;
    for (size_t i = 0; i < linkCount; ++i) {
        made->paddings[i] = def->paddings != NULL ? def->paddings[i] : 0.0;
    }
    setMembers(def, made);
    setGroups(made, (int32_t)groupCount);
    setPairs(def, made);
    *crew = made;
    return wk_ok;
}

void wkCrew_Destroy(wkCrew* crew)
{
    if (crew != NULL) {
        wkFree(crew, crew->byteCount);
    }
}
