// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Objects of a robot scene: adding, removing, moving and changing them. Each of their shapes is an object of
// the inner scene, unless it is attached.

#include "robot/robot_scene_impl.h"

#include "base/cookie.h"
#include "base/error.h"
#include "base/memory.h"
#include "geom/check.h"

#include <string.h>

wkRobotObjectDef wkDefaultRobotObjectDef(void)
{
    wkRobotObjectDef def;
    memset(&def, 0, sizeof def);
    def.category = "static";
    def.pose = wkIdentityPose();
    def.cookie = WK_COOKIE(wkRobotObjectDef);
    return def;
}

wkResult wkCheckShapes(const wkRobotThing* thing, double safetyDistance)
{
    wkResult result = wk_ok;
    for (int32_t i = 0; i < thing->shapeCount && result == wk_ok; ++i) {
        wkShape shape = thing->shapes[i];
        shape.padding += safetyDistance;
        result = wkShape_Check(&shape);
    }
    return result;
}

static wkResult checkPose(const char* caller, wkPose pose)
{
    if (!wkIsValidPose(pose)) {
        return wkFail(wk_errorNotFinite, "%s: pose is not finite, or its rotation is zero", caller);
    }
    if (!wkIsValidPoint(pose.position)) {
        return wkFail(wk_errorRange, "%s: pose.position is beyond %g", caller, WK_MAX_LENGTH);
    }
    return wk_ok;
}

// Records the current content of the shapes of an object; bounds and hulls are computed right after.
static void markShapes(wkRobotThing* thing)
{
    for (int32_t i = 0; i < thing->shapeCount; ++i) {
        thing->marks[i] = wkMarkContent(&thing->shapes[i]);
    }
}

wkResult wkCheckSlots(const char* caller, const wkRobotThing* thing, wkPose pose)
{
    wkResult result = checkPose(caller, pose);
    for (int32_t i = 0; i < thing->shapeCount && result == wk_ok; ++i) {
        result = checkPose(caller, thing->poses[i]);
        result = result == wk_ok ? checkPose(caller, wkPoseOfShape(thing, pose, i)) : result;
    }
    return result;
}

void wkRefreshShapes(wkRobotScene* scene, const wkRobotThing* thing, double safetyDistance)
{
    for (int32_t i = 0; i < thing->shapeCount; ++i) {
        wkShape shape = thing->shapes[i];
        shape.padding += safetyDistance;
        // cannot fail: the shape was checked, and the object exists
        (void)wkScene_SetShape(scene->world, thing->ids[i], &shape);
        wkScene_MarkAs(scene->world, wkSlotInId(thing->ids[i]), wkMarkOfShape(thing, i));
    }
}

void wkEnterWorld(wkRobotScene* scene, int32_t number, int32_t first)
{
    wkRobotObject* object = &scene->table.objects[number];
    wkRobotThing* thing = object->thing;
    double safetyDistance = wkSafetyDistance(scene, thing->category);
    for (int32_t i = first; i < thing->shapeCount; ++i) {
        wkObjectDef def = wkDefaultObjectDef();
        def.shape = thing->shapes[i];
        def.shape.padding += safetyDistance;
        def.pose = wkPoseOfShape(thing, object->pose, i);
        def.user = (void*)(intptr_t)number;
        // cannot fail: shape and pose were checked, and the capacity suffices
        (void)wkScene_Add(scene->world, &def, &thing->ids[i]);
        wkScene_MarkAs(scene->world, wkSlotInId(thing->ids[i]), wkMarkOfShape(thing, i));
        wkRobotSlot slotIndex = {number, i};
        scene->slots[wkSlotInId(thing->ids[i])] = slotIndex;
    }
    wkScene_Update(scene->world);
}

void wkLeaveWorld(wkRobotScene* scene, wkRobotThing* thing, int32_t first)
{
    for (int32_t i = first; i < thing->shapeCount; ++i) {
        (void)wkScene_Remove(scene->world, thing->ids[i]);
        thing->ids[i] = wk_nullObjectId;
    }
}

static wkResult checkObjectDef(const wkRobotScene* scene, const wkRobotObjectDef* def)
{
    if (!WK_HAS_COOKIE(def, wkRobotObjectDef)) {
        return WK_FAIL_COOKIE(def, wkRobotObjectDef);
    }
    if (def->name == NULL || def->name[0] == '\0' || def->category == NULL) {
        return wkFail(wk_errorArgument, "robot object: name is NULL or empty, or category is NULL");
    }
    if (wkRobot_FindLink(scene->robot, def->name) >= 0) {
        return wkFail(wk_errorArgument, "robot object: the name %s is taken", def->name);
    }
    if (def->shapes == NULL || def->shapeCount < 1) {
        return wkFail(wk_errorArgument, "robot object: %s has no shapes", def->name);
    }
    if (scene->objectCount == INT32_MAX / 2) {
        return wkFail(wk_errorRange, "robot scene: more than %d objects", INT32_MAX / 2);
    }
    return wk_ok;
}

wkResult wkObjectContent_Create(wkRobotScene* scene, const wkRobotObjectDef* def,
                                wkObjectContent* content)
{
    memset(content, 0, sizeof *content);
    wkResult result = checkObjectDef(scene, def);
    wkRobotThing* thing = NULL;
    result = result == wk_ok ? wkRobotThing_Create(def, &thing) : result;
    result = result == wk_ok ? wkCheckSlots("robot object", thing, def->pose) : result;
    result = result == wk_ok ? wkCheckShapes(thing, 0.0) : result;
    result =
        result == wk_ok ? wkCheckShapes(thing, wkSafetyDistance(scene, thing->category)) : result;
    result = result == wk_ok ? wkRobotScene_Reserve(scene, scene->objectCount + 1, def->shapeCount)
                             : result;
    content->thing = thing;
    if (result == wk_ok) {
        markShapes(thing);
        content->pose = def->pose;
        result = wkObjectHulls_Create(thing->shapes, thing->shapeCount, &content->hulls);
    }
    if (result != wk_ok) {
        wkObjectContent_Cancel(content);
    }
    return result;
}

void wkObjectContent_Cancel(wkObjectContent* content)
{
    if (content->thing != NULL) {
        content->thing->release = NULL;
    }
    wkRobotThing_Drop(content->thing);
    wkObjectHulls_Drop(content->hulls);
    memset(content, 0, sizeof *content);
}

void wkAddContent(wkRobotScene* scene, const wkObjectContent* content)
{
    int32_t number = scene->objectCount++;
    wkRobotObject object = {content->thing->name, content->thing, content->pose, -1, -1, false,
                            content->hulls};
    scene->table.objects[number] = object;
    (void)wkNames_Add(&scene->names, number);
    wkSetRulesOfObject(scene, number);
    wkEnterWorld(scene, number, 0);
    ++scene->version;
}

wkResult wkRobotScene_Add(wkRobotScene* scene, const wkRobotObjectDef* def)
{
    wkResult result = wkCheckWriter(scene, "wkRobotScene_Add");
    wkObjectContent content;
    result = result == wk_ok ? wkObjectContent_Create(scene, def, &content) : result;
    if (result == wk_ok && wkNames_Find(&scene->names, def->name) >= 0) {
        wkObjectContent_Cancel(&content);
        result = wkFail(wk_errorArgument, "robot object: the name %s is taken", def->name);
    }
    if (result == wk_ok) {
        wkAddContent(scene, &content);
    }
    return result;
}

int32_t wkFindObject(const wkRobotScene* scene, const char* name, const char* caller)
{
    int32_t number = wkNames_Find(&scene->names, name);
    if (number < 0) {
        wkFail(wk_errorArgument, "%s: there is no object %s", caller, name != NULL ? name : "NULL");
    }
    return number;
}

// Decrements the numbers of objects from `first` on.
static void renumber(wkRobotScene* scene, int32_t first)
{
    for (int32_t i = first; i < scene->objectCount; ++i) {
        const wkRobotObject* object = &scene->table.objects[i];
        const wkRobotThing* thing = object->thing;
        for (int32_t k = 0; k < thing->shapeCount && object->link < 0; ++k) {
            int32_t slotIndex = wkSlotInId(thing->ids[k]);
            scene->slots[slotIndex].object = i;
            wkScene_SetUserAt(scene->world, slotIndex, (void*)(intptr_t)i);
        }
    }
    for (int32_t i = 0; i < scene->holdCount; ++i) {
        scene->holds[i].object -= scene->holds[i].object > first ? 1 : 0;
    }
}

wkResult wkRobotScene_Remove(wkRobotScene* scene, const char* name)
{
    wkResult result = wkCheckWriter(scene, "wkRobotScene_Remove");
    int32_t number = result == wk_ok ? wkFindObject(scene, name, "wkRobotScene_Remove") : -1;
    if (number < 0) {
        return wk_errorArgument;
    }
    wkRobotObject* objects = scene->table.objects;
    if (objects[number].link < 0) {
        wkLeaveWorld(scene, objects[number].thing, 0);
    } else {
        wkRobotHold holds[WK_MAX_ATTACHED_SHAPES];
        int32_t holdCount = wkHoldsWithout(scene, objects[number].attached, holds);
        wkSharedBodySet* bodySet = NULL;
        result = wkMakeSharedBodySet(scene, scene->rules->allowed, scene->paddings, holds,
                                     holdCount, &bodySet);
        if (result != wk_ok) {
            return result;
        }
        wkTakeHolds(scene, holds, holdCount, bodySet);
    }
    wkRobotThing_Drop(objects[number].thing);
    wkObjectHulls_Drop(objects[number].hulls);
    size_t after = (size_t)(scene->objectCount - number - 1);
    size_t ruleWords = 2 * (size_t)scene->ruleWordCount;
    uint64_t* rules = wkAllowedSides(scene, number);
    memmove(&objects[number], &objects[number + 1], after * sizeof *objects);
    memmove(rules, rules + ruleWords, after * ruleWords * sizeof *rules);
    --scene->objectCount;
    wkIndexNames(scene);
    renumber(scene, number);
    ++scene->version;
    return wk_ok;
}

wkResult wkRobotScene_Move(wkRobotScene* scene, const char* name, wkPose pose)
{
    const char* caller = "wkRobotScene_Move";
    wkResult result = wkCheckWriter(scene, caller);
    int32_t number = result == wk_ok ? wkFindObject(scene, name, caller) : -1;
    if (number < 0) {
        return wk_errorArgument;
    }
    wkRobotObject* object = &scene->table.objects[number];
    if (object->link >= 0) {
        return wkFail(wk_errorState, "%s: %s is attached", caller, name);
    }
    result = wkCheckSlots(caller, object->thing, pose);
    if (result != wk_ok) {
        return result;
    }
    object->pose = pose;
    for (int32_t i = 0; i < object->thing->shapeCount; ++i) {
        (void)wkScene_Move(scene->world, object->thing->ids[i],
                           wkPoseOfShape(object->thing, pose, i));
    }
    wkScene_Update(scene->world);
    ++scene->version;
    return wk_ok;
}

// Rebuilds hulls around meshes that may have changed. The old hulls are not valid any more, so that without
// memory there are none.
static void renewHulls(wkRobotObject* object)
{
    wkObjectHulls_Drop(object->hulls);
    markShapes(object->thing);
    (void)wkObjectHulls_Create(object->thing->shapes, object->thing->shapeCount, &object->hulls);
}

wkResult wkRobotScene_Refresh(wkRobotScene* scene, const char* name)
{
    const char* caller = "wkRobotScene_Refresh";
    wkResult result = wkCheckWriter(scene, caller);
    int32_t number = result == wk_ok ? wkFindObject(scene, name, caller) : -1;
    if (number < 0) {
        return wk_errorArgument;
    }
    wkRobotObject* object = &scene->table.objects[number];
    renewHulls(object);
    ++scene->version;
    if (object->link < 0) {
        wkRefreshShapes(scene, object->thing, wkSafetyDistance(scene, object->thing->category));
        wkScene_Update(scene->world);
        return wk_ok;
    }
    wkSharedBodySet* bodySet = NULL;
    result = wkMakeSharedBodySet(scene, scene->rules->allowed, scene->paddings, scene->holds,
                                 scene->holdCount, &bodySet);
    if (result == wk_ok) {
        wkSharedBodySet_Drop(scene->bodySet);
        scene->bodySet = bodySet;
    }
    return result;
}

int32_t wkRobotScene_Count(const wkRobotScene* scene)
{
    return scene != NULL ? scene->objectCount : 0;
}

wkRobotObjectInfo wkRobotScene_Object(const wkRobotScene* scene, int32_t index)
{
    wkRobotObjectInfo info;
    memset(&info, 0, sizeof info);
    info.pose = wkIdentityPose();
    info.link = -1;
    if (scene == NULL || index < 0 || index >= scene->objectCount) {
        return info;
    }
    const wkRobotObject* object = &scene->table.objects[index];
    info.name = object->name;
    info.category = object->thing->category;
    info.pose = object->pose;
    info.link = object->link;
    info.shapeCount = object->thing->shapeCount;
    info.user = object->thing->user;
    return info;
}

const wkShape* wkRobotScene_ObjectShape(const wkRobotScene* scene, int32_t object, int32_t index,
                                        wkPose* pose)
{
    if (scene == NULL || object < 0 || object >= scene->objectCount) {
        return NULL;
    }
    const wkRobotThing* thing = scene->table.objects[object].thing;
    if (index < 0 || index >= thing->shapeCount) {
        return NULL;
    }
    if (pose != NULL) {
        *pose = thing->poses[index];
    }
    return &thing->shapes[index];
}

int32_t wkRobotScene_Find(const wkRobotScene* scene, const char* name)
{
    return scene != NULL ? wkNames_Find(&scene->names, name) : -1;
}
