// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Cost accumulators: parameters, and additions that complete or leave nothing behind.

#include "query/map/cost_impl.h"

#include "base/cookie.h"
#include "base/error.h"
#include "base/range.h"
#include "geom/check.h"

#include "whisker/detail/library.h"

// Default limit of cubes that one call examines.
#define DEFAULT_WORK ((int64_t)1 << 26)

wkCostDef wkDefaultCostDef(void)
{
    wkCostDef def = {
        .countsUnknown = true,
        .unknownProbability = 0.5,
        .maxDepth = WK_OCTREE_DEPTH,
        .maxWork = DEFAULT_WORK,
        .cookie = WK_COOKIE(wkCostDef),
    };
    return def;
}

static wkResult checkDef(const wkCostDef* def)
{
    if (!WK_HAS_COOKIE(def, wkCostDef)) {
        return WK_FAIL_COOKIE(def, wkCostDef);
    }
    const wkNamedNumber numbers[] = {
        {"minProbability", def->minProbability, 0.0, 1.0},
        {"unknownProbability", def->unknownProbability, 0.0, 1.0},
        {"margin", def->margin, -WK_MAX_LENGTH, WK_MAX_LENGTH},
        {"tolerance", def->tolerance, 0.0, WK_MAX_LENGTH},
        {"maxDepth", (double)def->maxDepth, 1.0, WK_OCTREE_DEPTH},
        {"maxWork", (double)def->maxWork, 1.0, 0x1p62},
    };
    return wkCheckNumbers("cost", numbers, sizeof numbers / sizeof numbers[0]);
}

wkResult wkCost_Create(const wkCostDef* def, wkCost** cost)
{
    if (cost == NULL) {
        return wkFail(wk_errorArgument, "cost: the output pointer is NULL");
    }
    *cost = NULL;
    wkCostDef standard = wkDefaultCostDef();
    const wkCostDef* chosen = def != NULL ? def : &standard;
    wkResult result = checkDef(chosen);
    if (result != wk_ok) {
        return result;
    }
    wkCost* made = wkAllocate(sizeof *made);
    if (made == NULL) {
        return wkFail(wk_errorMemory, "cost: no memory");
    }
    *made = (wkCost){.def = *chosen};
    *cost = made;
    return wk_ok;
}

void wkCost_Destroy(wkCost* cost)
{
    if (cost != NULL) {
        wkCost_Clear(cost);
        wkRelease(cost, sizeof *cost);
    }
}

void wkCost_Clear(wkCost* cost)
{
    if (cost != NULL) {
        wkOctree_Destroy(cost->met);
        cost->met = NULL;
    }
}

static wkResult checkMap(const wkCost* cost, const wkShape* map)
{
    if (cost == NULL || map == NULL) {
        return wkFail(wk_errorArgument, "cost: the accumulator or the map is NULL");
    }
    if (map->type != wk_shapeOctree) {
        return wkFail(wk_errorArgument, "cost: the map is of type %s, must be octree",
                      wkShapeTypeName(map->type));
    }
    wkResult result = wkShape_Check(map);
    if (result != wk_ok || cost->met == NULL) {
        return result;
    }
    double before = cost->met->def.resolution, now = map->map.octree->def.resolution;
    if (before != now) {
        return wkFail(wk_errorArgument, "cost: the map has cells of %g m, the one before had %g m",
                      now, before);
    }
    return wk_ok;
}

wkResult wkCostCheckPoses(wkPose mapPose, const wkPose* poses, int32_t count)
{
    if (count < 0 || (poses == NULL && count > 0)) {
        return wkFail(wk_errorArgument, "cost: there are %d poses at %s", (int)count,
                      poses == NULL ? "NULL" : "a valid address");
    }
    if (!wkIsValidPose(mapPose)) {
        return wkFail(wk_errorNotFinite, "cost: the pose of the map is not valid");
    }
    for (int32_t i = 0; i < count; ++i) {
        if (!wkIsValidPose(poses[i])) {
            return wkFail(wk_errorNotFinite, "cost: pose %d is not valid", (int)i);
        }
        double apart = wkMaxAbs(wkSub(poses[i].position, mapPose.position));
        if (!(apart <= 0.05 * WK_MAX_LENGTH)) {
            return wkFail(wk_errorRange, "cost: pose %d is %g m away from the map", (int)i, apart);
        }
    }
    return wk_ok;
}

wkPose wkPlaceInMap(wkPose mapPose, wkPose pose)
{
    wkMat3d rotation = wkMatFromQuat(wkTameQuat(mapPose.rotation));
    wkQuat relative = wkRelativeQuat(wkTameQuat(mapPose.rotation), wkTameQuat(pose.rotation));
    wkPose atPose = {wkMulTMV(&rotation, wkSub(pose.position, mapPose.position)),
                     wkNormalizeQuat(relative)};
    return atPose;
}

static wkCostTask taskFor(const wkCost* cost, const wkShape* map)
{
    const wkOctree* octree = map->map.octree;
    const wkCostDef* def = &cost->def;
    bool isGiven = def->minProbability > 0.0;
    wkCostTask task = {
        .def = def,
        .octree = octree,
        .met = cost->met,
        .piece = {.type = wk_shapeBox, .rounding = map->rounding, .padding = map->padding},
        .below = isGiven ? nextafterf(wkLogOddsOf(def->minProbability), -INFINITY) : octree->lowest,
        .unknownWorth = wkLogOddsOf(def->unknownProbability),
        .workLeft = def->maxWork,
    };
    return task;
}

static wkResult addPoses(wkCostTask* task, wkPose mapPose, const wkPose* poses, int32_t count)
{
    wkPose from = wkPlaceInMap(mapPose, poses[0]);
    if (count == 1) {
        return wkCostAddPose(task, &from, 0.0);
    }
    wkResult result = wk_ok;
    for (int32_t i = 1; i < count && result == wk_ok; ++i) {
        wkPose to = wkPlaceInMap(mapPose, poses[i]);
        result = wkCostAddWay(task, &from, &to);
        from = to;
    }
    return result;
}

// The map that stores met cells gets the resolution and the thresholds of the first map.
static wkResult beginMet(wkCost* cost, const wkShape* map)
{
    wkOctreeDef def = wkOctree_Def(map->map.octree);
    if (map->map.occupiedProbability > 0.0) {
        def.occupiedProbability = map->map.occupiedProbability;
    }
    return wkOctree_Create(&def, &cost->met);
}

wkResult wkCostBegin(wkCost* cost, const wkShape* map, wkCostEdit* edit)
{
    wkResult result = checkMap(cost, map);
    if (result != wk_ok) {
        return result;
    }
    edit->cost = cost;
    edit->before = NULL;
    result = cost->met == NULL ? beginMet(cost, map) : wkOctree_Copy(cost->met, &edit->before);
    if (result == wk_ok) {
        edit->task = taskFor(cost, map);
    }
    return result;
}

wkResult wkCostEnd(wkCostEdit* edit, wkResult result)
{
    if (result == wk_ok) {
        wkOctree_Destroy(edit->before);
    } else if (edit->before == NULL) {
        wkCost_Clear(edit->cost);
    } else {
        wkOctreePutBack(edit->cost->met, edit->before);
    }
    return result;
}

static wkResult checkShape(const wkShape* shape)
{
    return shape != NULL ? wkShape_Check(shape)
                         : wkFail(wk_errorArgument, "cost: the shape is NULL");
}

wkResult wkCost_AddMotion(wkCost* cost, const wkShape* map, wkPose mapPose, const wkShape* shape,
                          const wkPose* poses, int32_t count)
{
    wkResult result = checkMap(cost, map);
    result = result == wk_ok ? checkShape(shape) : result;
    result = result == wk_ok ? wkCostCheckPoses(mapPose, poses, count) : result;
    if (result != wk_ok || count == 0) {
        return result;
    }
    wkCostEdit edit;
    result = wkCostBegin(cost, map, &edit);
    if (result != wk_ok) {
        return result;
    }
    edit.task.shape = shape;
    return wkCostEnd(&edit, addPoses(&edit.task, mapPose, poses, count));
}

wkResult wkCost_AddShape(wkCost* cost, const wkShape* map, wkPose mapPose, const wkShape* shape,
                         wkPose pose)
{
    return wkCost_AddMotion(cost, map, mapPose, shape, &pose, 1);
}
