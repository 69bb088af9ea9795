// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Builds a body set: its bodies, and which pairs of them are checked.

#include "robot/body_set.h"

#include "base/error.h"
#include "base/memory.h"

#include "math/round.h"

#include <string.h>

#define PIECE_ALIGNMENT 64

// Rounding error of the float kernels, relative to the lengths that go in: about ten roundings in the
// matrix of a rigid group, three times as many in that of a body.
#define ROTATION_ROUNDING 0x1p-18

static double sumOfSizes(wkVec3d v)
{
    return fabs(v.x) + fabs(v.y) + fabs(v.z);
}

// Name of a side of a pair, and what decides which sides it may always touch, whatever the rules are.
typedef struct sideRule {
    const char* name;
    const wkAttachedPart* attached; // NULL: a link
    int32_t link;                   // the link itself, or the one that carries the object
} sideRule;

// Larger boxes count as unbounded: floats in the kernels could overflow.
#define LARGEST_HALF 1e30

static bool isBounded(const wkCollisionBody* body)
{
    wkVec3d half = body->half, middle = body->middle, at = body->inRigidGroup.position;
    return wkMaxD(wkMaxD(half.x, half.y), half.z) < LARGEST_HALF &&
           sumOfSizes(middle) + sumOfSizes(at) < LARGEST_HALF;
}

// Sets a box around a shape; the gap between boxes is never larger than the distance of the shapes.
static void setBox(wkCollisionBody* body)
{
    wkShape wide = body->shape;
    wide.padding = wide.padding > 0.0 ? wide.padding : 0.0;
    wkAabb box = wkShape_Bounds(&wide, wkIdentityPose());
    body->middle = wkScale(0.5, wkAdd(box.lower, box.upper));
    body->half = wkScale(0.5, wkSub(box.upper, box.lower));
    wkVec3d half = body->half;
    body->isEmpty = half.x < 0.0 || half.y < 0.0 || half.z < 0.0;
    // for unbounded boxes the middle would be infinite minus infinite
    bool isThere = isBounded(body) && !body->isEmpty;
    body->middle = isThere ? body->middle : wkVec(0.0, 0.0, 0.0);
}

static wkPose unitPose(wkPose pose)
{
    pose.rotation = wkNormalizeQuat(pose.rotation);
    return pose;
}

static void setBody(const wkBodySetDef* def, int32_t index, wkCollisionBody* body)
{
    const wkRobotBody* robotBody = &def->robot->bodies[index];
    body->shape = robotBody->shape;
    body->link = robotBody->info.link;
    body->shape.padding += def->paddings != NULL ? def->paddings[body->link] : 0.0;
    body->inRigidGroup = robotBody->pose;
    body->inLink = unitPose(robotBody->info.pose);
    body->rigidGroup = robotBody->rigidGroup;
    body->side = body->link;
    body->index = index;
    if (robotBody->hull != NULL) {
        body->looseHull = wkMakeHull(robotBody->hull);
        body->looseHull.rounding = body->shape.rounding + robotBody->hullSlack;
        body->looseHull.padding = body->shape.padding;
        body->hull = robotBody->checksHull ? body->looseHull : body->hull;
    }
    setBox(body);
}

static void setAttached(const wkBodySetDef* def, const wkAttachedPart* object, int32_t index,
                        wkCollisionBody* body)
{
    const wkRobotLink* link = &def->robot->links[object->link];
    wkPose inObject = object->poses != NULL ? object->poses[index] : wkIdentityPose();
    body->shape = object->shapes[index];
    body->inLink = unitPose(wkMulPose(object->inLink, inObject));
    body->inRigidGroup = unitPose(wkMulPose(link->pose, body->inLink));
    body->rigidGroup = link->rigidGroup;
    body->link = object->link;
    body->side = def->robot->info.linkCount + object->number;
    body->index = index;
    setBox(body);
}

// Writes a body into a lane of a group of eight.
// @param pose in the frame of its carrier
static void setLane(wkBodyLanes* group, int lane, const wkCollisionBody* body, wkPose pose)
{
    wkFrame frame = wkFrameFromPose(pose);
    wkVec3d middle = wkFramePoint(&frame, body->middle), half = body->half;
    const wkVec3d* columns[3] = {&frame.rotation.x, &frame.rotation.y, &frame.rotation.z};
    double size = sumOfSizes(middle) + sumOfSizes(wkSub(middle, frame.position)) + sumOfSizes(half);
    for (int axis = 0; axis < 3; ++axis) {
        for (int side = 0; side < 3; ++side) {
            group->axes[side][axis][lane] = (float)wkAlongAxis(columns[side], axis);
        }
        group->middle[axis][lane] = (float)wkAlongAxis(&middle, axis);
        group->half[axis][lane] = wkRoundUp(wkAlongAxis(&half, axis));
    }
    group->slack[lane] = wkRoundUp(ROTATION_ROUNDING * size + (double)FLT_MIN);
}

// Writes a box that meets everything, or nothing, into a lane.
static void setEndlessLane(wkBodyLanes* group, int lane, float slack)
{
    for (int axis = 0; axis < 3; ++axis) {
        for (int side = 0; side < 3; ++side) {
            group->axes[side][axis][lane] = side == axis ? 1.0f : 0.0f;
        }
        group->middle[axis][lane] = 0.0f;
        group->half[axis][lane] = 0.0f;
    }
    group->slack[lane] = slack;
}

static void setGroups(wkBodySet* bodySet, int32_t groupCount)
{
    for (int32_t i = 0; i < groupCount * WK_BODY_LANES; ++i) {
        wkBodyLanes* group = &bodySet->groups[i / WK_BODY_LANES];
        wkBodyLanes* onLink = &bodySet->onLinks[i / WK_BODY_LANES];
        int lane = (int)(i % WK_BODY_LANES);
        const wkCollisionBody* body = i < bodySet->count ? &bodySet->bodies[i] : NULL;
        group->carriers[lane] = body != NULL ? body->rigidGroup : 0;
        onLink->carriers[lane] = body != NULL ? body->link : 0;
        if (body != NULL && !body->isEmpty && isBounded(body)) {
            setLane(group, lane, body, body->inRigidGroup);
            setLane(onLink, lane, body, body->inLink);
        } else {
            float slack = body == NULL || body->isEmpty ? -INFINITY : INFINITY;
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

static sideRule ruleOfAttached(const wkAttachedPart* object)
{
    sideRule rule = {object->name, object, object->link};
    return rule;
}

static bool mayTouchLink(const sideRule* side, int32_t link)
{
    if (side->attached == NULL) {
        return false;
    }
    for (int32_t i = 0; i < side->attached->touchLinkCount; ++i) {
        if (side->attached->touchLinks[i] == link) {
            return true;
        }
    }
    return side->link == link;
}

// Bodies of one link or object are fixed to each other, and attached objects may touch some links.
static bool mayAlwaysTouch(const sideRule* a, const sideRule* b)
{
    return a->link == b->link || (b->attached == NULL && mayTouchLink(a, b->link)) ||
           (a->attached == NULL && mayTouchLink(b, a->link));
}

// A run of bodies of one side.
typedef struct bodyRun {
    int32_t first;
    int32_t end;
} bodyRun;

static bodyRun runFrom(const wkBodySet* bodySet, int32_t first)
{
    bodyRun run = {first, first + 1};
    while (run.end < bodySet->count &&
           bodySet->bodies[run.end].side == bodySet->bodies[first].side) {
        ++run.end;
    }
    return run;
}

static void setBit(uint64_t* rows, const wkBodySet* bodySet, int32_t a, int32_t b)
{
    rows[(size_t)a * (size_t)bodySet->wordCount + (size_t)b / 64] |= UINT64_C(1) << (b % 64);
    rows[(size_t)b * (size_t)bodySet->wordCount + (size_t)a / 64] |= UINT64_C(1) << (a % 64);
}

static void markPairs(wkBodySet* bodySet, bodyRun a, bodyRun b, wkAllowedRule rule)
{
    for (int32_t i = a.first; i < a.end; ++i) {
        for (int32_t j = b.first; j < b.end; ++j) {
            if (bodySet->bodies[i].isEmpty || bodySet->bodies[j].isEmpty) {
                continue;
            }
            setBit(bodySet->checked, bodySet, i, j);
            if (rule == wk_ruleAsked) {
                setBit(bodySet->asked, bodySet, i, j);
            }
        }
    }
}

static sideRule ruleOfBody(const wkBodySetDef* def, const wkBodySet* bodySet, int32_t index)
{
    const wkCollisionBody* body = &bodySet->bodies[index];
    if (body->side < def->robot->info.linkCount) {
        return ruleOfLink(def->robot, body->link);
    }
    const wkAttachedPart* attached = def->attached;
    while (attached->number != body->side - def->robot->info.linkCount) {
        ++attached;
    }
    return ruleOfAttached(attached);
}

static void setPairs(const wkBodySetDef* def, wkBodySet* bodySet)
{
    for (bodyRun a = {0, 0}; a.end < bodySet->count;) {
        a = runFrom(bodySet, a.end);
        sideRule ruleA = ruleOfBody(def, bodySet, a.first);
        for (bodyRun b = a; b.end < bodySet->count;) {
            b = runFrom(bodySet, b.end);
            sideRule ruleB = ruleOfBody(def, bodySet, b.first);
            wkAllowedRule rule = wkAllowed_Get(def->allowed, ruleA.name, ruleB.name, NULL, NULL);
            if (rule != wk_ruleAllowed && !mayAlwaysTouch(&ruleA, &ruleB)) {
                markPairs(bodySet, a, b, rule);
            }
        }
    }
}

static int32_t countAttached(const wkBodySetDef* def)
{
    int32_t count = 0;
    for (int32_t i = 0; i < def->attachedCount; ++i) {
        count += def->attached[i].shapeCount;
    }
    return count;
}

// Returns the next piece of a block; without a start, only adds up its size.
static void* take(char* start, size_t* used, size_t count, size_t size)
{
    void* piece = start != NULL ? start + *used : NULL;
    *used += (count * size + PIECE_ALIGNMENT - 1) / PIECE_ALIGNMENT * PIECE_ALIGNMENT;
    return piece;
}

// Sets the pointers into the block.
// @return size of the block
static size_t layOut(wkBodySet* bodySet, size_t count, size_t groupCount, size_t linkCount,
                     char* start)
{
    size_t wordCount = (count + 63) / 64, used = 0;
    take(start, &used, 1, sizeof *bodySet);
    bodySet->bodies = (wkCollisionBody*)take(start, &used, count, sizeof *bodySet->bodies);
    bodySet->groups = (wkBodyLanes*)take(start, &used, groupCount, sizeof *bodySet->groups);
    bodySet->onLinks = (wkBodyLanes*)take(start, &used, groupCount, sizeof *bodySet->onLinks);
    bodySet->checked = (uint64_t*)take(start, &used, count * wordCount, sizeof *bodySet->checked);
    bodySet->asked = (uint64_t*)take(start, &used, count * wordCount, sizeof *bodySet->asked);
    bodySet->paddings = (double*)take(start, &used, linkCount, sizeof *bodySet->paddings);
    bodySet->marks = (wkBodyMark*)take(start, &used, count, sizeof *bodySet->marks);
    bodySet->count = (int32_t)count;
    bodySet->wordCount = (int32_t)wordCount;
    return used;
}

static void addMark(wkBodySet* bodySet, int32_t body, wkContentMark content)
{
    if (content.now != NULL) {
        wkBodyMark mark = {content, body};
        bodySet->marks[bodySet->markCount++] = mark;
    }
}

static void setBodies(const wkBodySetDef* def, wkBodySet* bodySet)
{
    wkCollisionBody* body = bodySet->bodies;
    for (int32_t i = 0; i < def->robot->info.bodyCount; ++i) {
        addMark(bodySet, i, def->robot->bodies[i].content);
        setBody(def, i, body++);
    }
    for (int32_t i = 0; i < def->attachedCount; ++i) {
        for (int32_t k = 0; k < def->attached[i].shapeCount; ++k) {
            int32_t number = (int32_t)(body - bodySet->bodies);
            addMark(bodySet, number, wkMarkContent(&def->attached[i].shapes[k]));
            setAttached(def, &def->attached[i], k, body++);
        }
    }
}

wkResult wkBodySet_Create(const wkBodySetDef* def, wkBodySet** bodySet)
{
    *bodySet = NULL;
    int32_t attachedCount = countAttached(def);
    if (attachedCount > WK_MAX_ATTACHED_SHAPES) {
        return wkFail(wk_errorRange, "robot scene: %d shapes are attached, at most %d can be",
                      (int)attachedCount, WK_MAX_ATTACHED_SHAPES);
    }
    size_t count = (size_t)def->robot->info.bodyCount + (size_t)attachedCount;
    size_t groupCount = (count + WK_BODY_LANES - 1) / WK_BODY_LANES;
    wkBodySet counted;
    size_t linkCount = (size_t)def->robot->info.linkCount;
    size_t byteCount = layOut(&counted, count, groupCount, linkCount, NULL);
    wkBodySet* made = (wkBodySet*)wkAlloc(byteCount);
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
    setBodies(def, made);
    setGroups(made, (int32_t)groupCount);
    setPairs(def, made);
    *bodySet = made;
    return wk_ok;
}

void wkBodySet_Destroy(wkBodySet* bodySet)
{
    if (bodySet != NULL) {
        wkFree(bodySet, bodySet->byteCount);
    }
}
