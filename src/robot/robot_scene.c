// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Creation and destruction of a robot scene, and its global settings: rules, padding, safety distances. Every
// change prepares its results first and then commits them, so that a change that fails has no effect.

#include "robot/robot_scene_impl.h"

#include "base/cookie.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/range.h"
#include "geom/check.h"

#include <string.h>

wkRobotSceneDef wkDefaultRobotSceneDef(void)
{
    wkRobotSceneDef def;
    memset(&def, 0, sizeof def);
    def.scene = wkDefaultSceneDef();
    def.cookie = WK_COOKIE(wkRobotSceneDef);
    return def;
}

wkResult wkCheckWriter(const wkRobotScene* scene, const char* caller)
{
    if (scene == NULL || scene->self != NULL) {
        return wkFail(wk_errorArgument, "%s: scene is NULL or a snapshot", caller);
    }
    return wk_ok;
}

static wkResult checkLength(const char* caller, const char* name, double length)
{
    const wkNamedNumber number = {name, length, -0.5 * WK_MAX_LENGTH, 0.5 * WK_MAX_LENGTH};
    return wkCheckNumbers(caller, &number, 1);
}

static wkResult checkDef(const wkRobotSceneDef* def)
{
    if (!WK_HAS_COOKIE(def, wkRobotSceneDef)) {
        return WK_FAIL_COOKIE(def, wkRobotSceneDef);
    }
    if (def->robot == NULL) {
        return wkFail(wk_errorArgument, "robot scene: robot is NULL");
    }
    return checkLength("robot scene", "padding", def->padding);
}

void wkSharedRules_Drop(wkSharedRules* rules)
{
    if (rules != NULL && --rules->holderCount == 0) {
        wkAllowed_Destroy(rules->allowed);
        wkFree(rules, sizeof *rules);
    }
}

// Copies the rules, or makes those of the robot for NULL.
static wkResult makeRules(const wkRobot* robot, const wkAllowed* allowed, wkSharedRules** out)
{
    *out = NULL;
    wkSharedRules* rules = (wkSharedRules*)wkAlloc(sizeof *rules);
    if (rules == NULL) {
        return wkFail(wk_errorMemory, "robot scene: no memory");
    }
    rules->holderCount = 1;
    rules->allowed = NULL;
    wkResult result;
    if (allowed != NULL) {
        result = wkAllowed_Copy(allowed, &rules->allowed);
    } else {
        result = wkAllowed_Create(&rules->allowed);
        result = result == wk_ok ? wkAllowed_AddRobot(rules->allowed, robot) : result;
    }
    if (result != wk_ok) {
        wkSharedRules_Drop(rules);
        return result;
    }
    *out = rules;
    return wk_ok;
}

static size_t paddingBytes(const wkRobot* robot)
{
    return (size_t)robot->info.linkCount * sizeof(double);
}

static wkResult makePaddings(const wkRobot* robot, double padding, double** out)
{
    *out = (double*)wkAlloc(paddingBytes(robot));
    if (*out == NULL) {
        return wkFail(wk_errorMemory, "robot scene: no memory");
    }
    for (int32_t i = 0; i < robot->info.linkCount; ++i) {
        (*out)[i] = padding;
    }
    return wk_ok;
}

// Fails for a robot without collision bodies, which would be free everywhere.
static wkResult checkBodies(const wkRobotSceneDef* def, const wkBodySet* bodySet)
{
    bool isEmpty = !def->allowsEmpty;
    for (int32_t i = 0; i < bodySet->count && isEmpty; ++i) {
        isEmpty = bodySet->bodies[i].isEmpty;
    }
    return isEmpty
               ? wkFail(wk_errorArgument,
                        "robot scene: no link of robot '%s' has a collision shape, so that every "
                        "configuration would be free; allowsEmpty takes it as it is",
                        def->robot->info.name)
               : wk_ok;
}

wkResult wkRobotScene_Create(const wkRobotSceneDef* def, wkRobotScene** out)
{
    if (out == NULL) {
        return wkFail(wk_errorArgument, "robot scene: the output pointer is NULL");
    }
    *out = NULL;
    wkResult result = checkDef(def);
    if (result != wk_ok) {
        return result;
    }
    wkRobotScene* scene = (wkRobotScene*)wkAlloc(sizeof *scene);
    if (scene == NULL) {
        return wkFail(wk_errorMemory, "robot scene: no memory");
    }
    memset(scene, 0, sizeof *scene);
    wkSnapshots_Init(&scene->snapshots);
    scene->robot = def->robot;
    int32_t sideCount = def->robot->info.linkCount + WK_MAX_ATTACHED_SHAPES;
    scene->ruleWordCount = (sideCount + 63) / 64;
    result = wkScene_Create(&def->scene, &scene->world);
    result = result == wk_ok ? makeRules(def->robot, def->allowed, &scene->rules) : result;
    result = result == wk_ok ? makePaddings(def->robot, def->padding, &scene->paddings) : result;
    result = result == wk_ok ? wkMakeSharedBodySet(scene, scene->rules->allowed, scene->paddings,
                                                   NULL, 0, &scene->bodySet)
                             : result;
    result = result == wk_ok ? wkRobotScene_Reserve(scene, 0, 0) : result;
    result = result == wk_ok ? checkBodies(def, scene->bodySet->bodySet) : result;
    if (result != wk_ok) {
        wkRobotScene_Destroy(scene);
        return result;
    }
    *out = scene;
    return wk_ok;
}

void wkRobotScene_Destroy(wkRobotScene* scene)
{
    if (scene == NULL) {
        return;
    }
    wkRobotScene_DestroySnapshots(scene);
    wkTakeHolds(scene, NULL, 0, NULL);
    for (int32_t i = 0; i < scene->objectCount; ++i) {
        wkRobotThing_Drop(scene->table.objects[i].thing);
        wkObjectHulls_Drop(scene->table.objects[i].hulls);
    }
    for (int32_t i = 0; i < scene->categoryCount; ++i) {
        wkFree(scene->categories[i].name, strlen(scene->categories[i].name) + 1);
    }
    wkRobotObjectTable_Free(&scene->table);
    wkFree(scene->slots, (size_t)scene->slotCapacity * sizeof *scene->slots);
    wkFree(scene->paddings, paddingBytes(scene->robot));
    wkSharedRules_Drop(scene->rules);
    wkScene_Destroy(scene->world);
    wkFree(scene, sizeof *scene);
}

const wkRobot* wkRobotScene_Robot(const wkRobotScene* scene)
{
    return scene != NULL ? scene->robot : NULL;
}

const wkScene* wkRobotScene_World(const wkRobotScene* scene)
{
    return scene != NULL ? scene->world : NULL;
}

const wkAllowed* wkRobotScene_Allowed(const wkRobotScene* scene)
{
    return scene != NULL ? scene->rules->allowed : NULL;
}

wkResult wkRobotScene_SetAllowed(wkRobotScene* scene, const wkAllowed* allowed)
{
    wkResult result = wkCheckWriter(scene, "wkRobotScene_SetAllowed");
    wkSharedRules* rules = NULL;
    wkSharedBodySet* bodySet = NULL;
    result = result == wk_ok ? makeRules(scene->robot, allowed, &rules) : result;
    result = result == wk_ok ? wkMakeSharedBodySet(scene, rules->allowed, scene->paddings,
                                                   scene->holds, scene->holdCount, &bodySet)
                             : result;
    if (result != wk_ok) {
        wkSharedRules_Drop(rules);
        return result;
    }
    wkSharedRules_Drop(scene->rules);
    scene->rules = rules;
    wkSharedBodySet_Drop(scene->bodySet);
    scene->bodySet = bodySet;
    for (int32_t i = 0; i < scene->objectCount; ++i) {
        wkSetRulesOfObject(scene, i);
    }
    ++scene->version;
    return wk_ok;
}

wkResult wkRobotScene_SetPadding(wkRobotScene* scene, int32_t link, double padding)
{
    const char* caller = "wkRobotScene_SetPadding";
    wkResult result = wkCheckWriter(scene, caller);
    result = result == wk_ok ? checkLength(caller, "padding", padding) : result;
    if (result != wk_ok) {
        return result;
    }
    int32_t linkCount = scene->robot->info.linkCount;
    if (link < -1 || link >= linkCount) {
        return wkFail(wk_errorRange, "%s: link is %d, must be -1 to %d", caller, (int)link,
                      (int)linkCount - 1);
    }
    double* paddings = NULL;
    wkSharedBodySet* bodySet = NULL;
    result = makePaddings(scene->robot, padding, &paddings);
    if (result == wk_ok && link >= 0) {
        memcpy(paddings, scene->paddings, paddingBytes(scene->robot));
        paddings[link] = padding;
    }
    result = result == wk_ok ? wkMakeSharedBodySet(scene, scene->rules->allowed, paddings,
                                                   scene->holds, scene->holdCount, &bodySet)
                             : result;
    double* old = result == wk_ok ? scene->paddings : paddings;
    if (result == wk_ok) {
        scene->paddings = paddings;
        ++scene->version;
        wkSharedBodySet_Drop(scene->bodySet);
        scene->bodySet = bodySet;
    }
    wkFree(old, paddingBytes(scene->robot));
    return result;
}

// Returns the index of a category; -1: there is none with that name.
static int32_t findCategory(const wkRobotScene* scene, const char* name)
{
    int32_t i = scene->categoryCount - 1;
    while (i >= 0 && strcmp(scene->categories[i].name, name) != 0) {
        --i;
    }
    return i;
}

double wkSafetyDistance(const wkRobotScene* scene, const char* category)
{
    int32_t known = findCategory(scene, category);
    return known >= 0 ? scene->categories[known].safetyDistance : 0.0;
}

static double findLargestSafetyDistance(const wkRobotScene* scene)
{
    double largest = 0.0;
    for (int32_t i = 0; i < scene->categoryCount; ++i) {
        largest = wkMaxD(largest, scene->categories[i].safetyDistance);
    }
    return largest;
}

// Adds a category, the last one.
static wkResult addCategory(wkRobotScene* scene, const char* name)
{
    if (scene->categoryCount == WK_MAX_CATEGORIES) {
        return wkFail(wk_errorRange, "wkRobotScene_SetCategory: more than %d categories",
                      WK_MAX_CATEGORIES);
    }
    size_t byteCount = strlen(name) + 1;
    char* copy = (char*)wkAlloc(byteCount);
    if (copy == NULL) {
        return wkFail(wk_errorMemory, "robot scene: no memory");
    }
    memcpy(copy, name, byteCount);
    scene->categories[scene->categoryCount++] = (wkRobotCategory){copy, 0.0};
    return wk_ok;
}

static bool isInWorld(const wkRobotObject* object, const char* category)
{
    return object->link < 0 && strcmp(object->thing->category, category) == 0;
}

wkResult wkRobotScene_SetCategory(wkRobotScene* scene, const char* category, double safetyDistance)
{
    const char* caller = "wkRobotScene_SetCategory";
    wkResult result = wkCheckWriter(scene, caller);
    result = result == wk_ok ? checkLength(caller, "safetyDistance", safetyDistance) : result;
    if (result != wk_ok) {
        return result;
    }
    if (category == NULL || category[0] == '\0') {
        return wkFail(wk_errorArgument, "%s: category is NULL or empty", caller);
    }
    const wkRobotObject* objects = scene->table.objects;
    for (int32_t i = 0; i < scene->objectCount && result == wk_ok; ++i) {
        bool isOne = strcmp(objects[i].thing->category, category) == 0;
        result = isOne ? wkCheckShapes(objects[i].thing, safetyDistance) : wk_ok;
    }
    if (result == wk_ok && findCategory(scene, category) < 0) {
        result = addCategory(scene, category);
    }
    if (result != wk_ok) {
        return result;
    }
    scene->categories[findCategory(scene, category)].safetyDistance = safetyDistance;
    scene->largestSafetyDistance = findLargestSafetyDistance(scene);
    ++scene->version;
    for (int32_t i = 0; i < scene->objectCount; ++i) {
        if (isInWorld(&objects[i], category)) {
            wkRefreshShapes(scene, objects[i].thing, safetyDistance);
        }
    }
    wkScene_Update(scene->world);
    return wk_ok;
}
