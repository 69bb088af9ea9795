// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Answers the query `cost`: the cells of an octree that a body meets.

#include "ask_question.h"

#include <stdlib.h>

// Maximum number of boxes of an answer, and of cubes visited to find them: about a second.
#define MOST_BOXES (1 << 16)
#define MOST_COST_WORK (1 << 22)

// Reads the motion of the other body, if any: its pose and that of its member `to`.
static bool readWay(const wkAskQuestion* q, const char* name, const wkAskObject* body,
                    wkPose poses[2], int32_t* count)
{
    wkPose end;
    bool isMoving = false;
    if (!wkAskReadEnd(q, name, &end, &isMoving)) {
        return false;
    }
    poses[0] = body->pose;
    *count = isMoving ? 2 : 1;
    if (isMoving) {
        poses[1] = wkAskShapePose(body, end);
    }
    return true;
}

static bool readCostDef(const wkAskQuestion* q, const wkShape* map, wkCostDef* def)
{
    def->maxWork = MOST_COST_WORK;
    def->countsUnknown = map->map.unknown != wk_unknownFree;
    return wkAskOptionalNumber(wkAskFind(q->json, "", "margin"), wk_askAny, &def->margin,
                               q->error) &&
           wkAskOptionalNumber(wkAskFind(q->json, "", "min_probability"), wk_askNotNegative,
                               &def->minProbability, q->error);
}

static void appendBoxes(wkText* text, const wkCostBox* boxes, int64_t count)
{
    wkAskAppendName(text, "boxes");
    wkText_AppendString(text, "[");
    for (int64_t i = 0; i < count; i++) {
        wkText_AppendString(text, i == 0 ? "{\"min\":" : ",{\"min\":");
        wkText_AppendVec3(text, boxes[i].box.lower);
        wkAskAppendVec3(text, "max", boxes[i].box.upper);
        wkAskAppendNumber(text, "probability", boxes[i].probability);
        wkAskAppendNumber(text, "cost", boxes[i].probability * boxes[i].volume);
        wkText_AppendString(text, "}");
    }
    wkText_AppendString(text, "]");
}

static bool appendCost(const wkAskQuestion* q, const wkCost* cost)
{
    int maxBoxes = MOST_BOXES;
    if (!wkAskOptionalCount(wkAskFind(q->json, "", "max_boxes"), &maxBoxes, q->error)) {
        return false;
    }
    wkCostInfo totals = wkCost_Info(cost);
    int32_t capacity = maxBoxes < MOST_BOXES ? maxBoxes : MOST_BOXES;
    capacity = totals.boxCount < capacity ? (int32_t)totals.boxCount : capacity;
    wkCostBox* boxes = malloc((size_t)(capacity + 1) * sizeof *boxes);
    if (boxes == NULL) {
        return wkAskFail(q->error, "out_of_memory", "%d boxes are too many", (int)capacity);
    }
    wkCost_Boxes(cost, boxes, capacity);
    appendBoxes(q->answer, boxes, capacity);
    free(boxes);
    wkAskAppendNumber(q->answer, "total", totals.weightedVolume);
    wkAskAppendNumber(q->answer, "volume", totals.volume);
    wkAskAppendNumber(q->answer, "count", (double)totals.boxCount);
    return true;
}

bool wkAnswerCost(const wkAskQuestion* q)
{
    bool isMapFirst = q->a.shape.type == wk_shapeOctree;
    const wkAskObject* map = isMapFirst ? &q->a : &q->b;
    const wkAskObject* body = isMapFirst ? &q->b : &q->a;
    if (map->shape.type != wk_shapeOctree) {
        return wkAskFail(q->error, "bad_field", "neither a nor b is an octree, one must be");
    }
    const char* mapName = isMapFirst ? "a" : "b";
    if (wkJson_Find(wkJson_Find(q->json, mapName), "to") != NULL) {
        return wkAskFail(q->error, "bad_field", "%s.to: the octree stands still, %s may move",
                         mapName, isMapFirst ? "b" : "a");
    }
    wkCostDef def = wkDefaultCostDef();
    wkPose poses[2];
    int32_t count = 0;
    if (!readCostDef(q, &map->shape, &def) ||
        !readWay(q, isMapFirst ? "b" : "a", body, poses, &count)) {
        return false;
    }
    wkCost* cost = NULL;
    wkResult result = wkCost_Create(&def, &cost);
    if (result == wk_ok) {
        result = wkCost_AddMotion(cost, &map->shape, map->pose, &body->shape, poses, count);
    }
    bool isAnswered = result == wk_ok
                          ? appendCost(q, cost)
                          : wkAskFail(q->error, wkResultName(result), "%s", wkGetLastError());
    wkCost_Destroy(cost);
    return isAnswered;
}
