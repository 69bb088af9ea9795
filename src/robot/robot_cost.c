// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Cells of a map that a robot meets, in one configuration or on a motion between two. The motion is halved
// until a body moves little within half of an interval; the body is then checked in the middle, grown by that
// motion bound, so that no cell in between is missed.

#include "base/error.h"
#include "query/map/cost_impl.h"
#include "query/pair/shape_class.h"
#include "robot/motion.h"

// Intervals up to this half length are not halved.
#define LEAST_HALF 0x1p-40
// Two for each halving.
#define NODE_CAPACITY 96

// A map among the objects of a scene.
typedef struct mapSlot {
    const wkShape* shape;
    wkPose pose;
} mapSlot;

// A cloud is not made of cells either: its cost is refused by name.
static wkResult failMap(const wkRobotScene* scene, int32_t object)
{
    wkPose pose;
    const wkShape* shape = wkRobotScene_ObjectShape(scene, object, 0, &pose);
    if (shape == NULL) {
        return wkFail(wk_errorArgument, "robot cost: there is no object %d", (int)object);
    }
    wkRobotObjectInfo info = wkRobotScene_Object(scene, object);
    return wkFail(wk_errorArgument, "robot cost: object %d, %s, is %s, must be a map: octree",
                  (int)object, info.name,
                  info.link < 0 ? wkShapeTypeName(shape->type) : "attached");
}

static wkResult findMap(const wkRobotScene* scene, int32_t object, mapSlot* map)
{
    wkRobotObjectInfo info = wkRobotScene_Object(scene, object);
    for (int32_t i = 0; i < info.shapeCount && info.link < 0; ++i) {
        wkPose pose;
        map->shape = wkRobotScene_ObjectShape(scene, object, i, &pose);
        map->pose = wkMulPose(info.pose, pose);
        if (wkShapeClassOf(map->shape)->kind == wk_kindMap) {
            return wk_ok;
        }
    }
    return failMap(scene, object);
}

// Adds the cells that a body meets within `growth` of its current pose.
static wkResult addBody(const wkRobotScene* scene, const wkRobotState* state, int32_t body,
                        const mapSlot* map, double inflation, wkCostTask* task)
{
    const wkBodySet* bodySet = scene->bodySet->bodySet;
    if (bodySet->bodies[body].isEmpty) {
        return wk_ok;
    }
    wkPose pose = wkBodyPose(bodySet, state, body);
    wkResult result = wkCostCheckPoses(map->pose, &pose, 1);
    if (result == wk_ok) {
        wkPose inMap = wkPlaceInMap(map->pose, pose);
        task->shape = &bodySet->bodies[body].shape;
        result = wkCostAddPose(task, &inMap, inflation);
    }
    return result;
}

static wkResult failState(void)
{
    return wkFail(wk_errorArgument, "robot cost: state is NULL, not valid, or of another robot");
}

wkResult wkRobotScene_AddCost(const wkRobotScene* scene, const wkRobotState* state, int32_t object,
                              wkCost* cost)
{
    if (scene != NULL && !wkIsFreshRobotScene(scene, "robot cost")) {
        return wk_errorState;
    }
    if (!wkIsUsableState(scene, state)) {
        return failState();
    }
    mapSlot map;
    wkCostEdit edit;
    wkResult result = findMap(scene, object, &map);
    result = result == wk_ok ? wkCostBegin(cost, map.shape, &edit) : result;
    if (result != wk_ok) {
        return result;
    }
    for (int32_t i = 0; i < scene->bodySet->bodySet->count && result == wk_ok; ++i) {
        result = addBody(scene, state, i, &map, 0.0, &edit.task);
    }
    return wkCostEnd(&edit, result);
}

// A part of the motion, and the bodies that need smaller parts of it.
typedef struct part {
    double from;
    double to;
    int32_t first;     // index of its first body
    int32_t bodyCount; // -1: all
} part;

typedef struct costRun {
    wkMotion motion;
    mapSlot map;
    wkCostTask* task;
    int32_t first;     // index of the first body that goes on to the halves
    int32_t goesCount; // number of those
    bool hasOverflow;  // they exceeded the capacity
} costRun;

// Checks a body in the middle of a part: its cells are added, or it goes on to the halves.
static wkResult checkBody(costRun* run, int32_t body, double half)
{
    const wkRobotScene* scene = run->motion.scene;
    double bound = wkBodyBound(&run->motion, body, half);
    if (!(bound < INFINITY)) {
        return wkFail(wk_errorUnsupported, "robot cost: a %s without end turns on its way",
                      wkShapeTypeName(scene->bodySet->bodySet->bodies[body].shape.type));
    }
    if (bound <= wkCostInflation(run->task)) {
        return addBody(scene, run->motion.state, body, &run->map, bound, run->task);
    }
    int32_t inMap = run->first + run->goesCount;
    if (inMap < WK_RISK_CAPACITY) {
        wkRisk goesOn = {body, body};
        run->motion.state->motion.risks[inMap] = goesOn;
        ++run->goesCount;
    } else {
        run->hasOverflow = true;
    }
    return half > LEAST_HALF ? wk_ok : wkCostFailWork(run->task);
}

static wkResult checkPart(costRun* run, const part* p)
{
    double half = 0.5 * (p->to - p->from);
    bool isAll = p->bodyCount < 0;
    int32_t count = isAll ? run->motion.scene->bodySet->bodySet->count : p->bodyCount;
    run->first = p->first + (isAll ? 0 : count);
    run->goesCount = 0;
    run->hasOverflow = false;
    if (--run->task->workLeft < 0) {
        return wkCostFailWork(run->task);
    }
    if (!wkMoveTo(&run->motion, p->from + half)) {
        return failState();
    }
    const wkRisk* bodies = &run->motion.state->motion.risks[p->first];
    wkResult result = wk_ok;
    for (int32_t i = 0; i < count && result == wk_ok; ++i) {
        result = checkBody(run, isAll ? i : bodies[i].body, half);
    }
    return result;
}

static wkResult goAllTheWay(costRun* run)
{
    part stack[NODE_CAPACITY];
    part all = {0.0, 1.0, 0, -1};
    stack[0] = all;
    int32_t count = 1;
    wkResult result = wk_ok;
    while (count > 0 && result == wk_ok) {
        part p = stack[--count];
        result = checkPart(run, &p);
        if (result == wk_ok && (run->goesCount > 0 || run->hasOverflow)) {
            int32_t goes = run->hasOverflow ? -1 : run->goesCount;
            double middle = p.from + 0.5 * (p.to - p.from);
            part left = {p.from, middle, run->first, goes};
            part right = {middle, p.to, run->first, goes};
            stack[count++] = right;
            stack[count++] = left;
        }
    }
    return result;
}

wkResult wkRobotScene_AddMotionCost(const wkRobotScene* scene, wkRobotState* state, wkPose base,
                                    const double* q0, const double* q1, int32_t object,
                                    wkCost* cost)
{
    costRun run;
    if (scene != NULL && !wkIsFreshRobotScene(scene, "robot cost")) {
        return wk_errorState;
    }
    if (!wkBeginMotion(scene, state, base, q0, q1, &run.motion) || !wkMoveTo(&run.motion, 0.0) ||
        !wkMoveTo(&run.motion, 1.0)) {
        return failState();
    }
    wkCostEdit edit;
    wkResult result = findMap(scene, object, &run.map);
    result = result == wk_ok ? wkCostBegin(cost, run.map.shape, &edit) : result;
    if (result != wk_ok) {
        return result;
    }
    run.task = &edit.task;
    return wkCostEnd(&edit, goAllTheWay(&run));
}
