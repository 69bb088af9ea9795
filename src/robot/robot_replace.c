// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Replacing an object of a robot scene, as the points of a sensor are with every frame. The object keeps its
// number, and each of its shapes the slot in the inner scene, so that a frame costs no more than what differs.

#include "robot/robot_scene_impl.h"

#include "base/error.h"

#include <string.h>

static bool isSamePose(const wkPose* a, const wkPose* b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

// Equal bytes mean the same shape, since what both borrow exists now.
static bool isSameShape(const wkShape* a, const wkShape* b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

// Gives a shape of the new content the slot of one of the old content.
static void takeSlot(wkRobotScene* scene, const wkObjectContent* old, const wkObjectContent* now,
                     int32_t index, double safetyDistance)
{
    const wkRobotThing* thing = now->thing;
    wkObjectId id = old->thing->ids[index];
    wkPose before = wkPoseOfShape(old->thing, old->pose, index);
    wkPose pose = wkPoseOfShape(thing, now->pose, index);
    bool isSameCategory = strcmp(old->thing->category, thing->category) == 0;
    // none of these can fail: shape and pose were checked, and the object exists
    if (!isSameCategory || !isSameShape(&old->thing->shapes[index], &thing->shapes[index])) {
        wkShape shape = thing->shapes[index];
        shape.padding += safetyDistance;
        (void)wkScene_SetShape(scene->world, id, &shape);
    }
    if (!isSamePose(&before, &pose)) {
        (void)wkScene_Move(scene->world, id, pose);
    }
    wkScene_MarkAs(scene->world, wkSlotInId(id), wkMarkOfShape(thing, index));
    thing->ids[index] = id;
}

void wkExchangeContent(wkRobotScene* scene, int32_t number, wkObjectContent* content)
{
    wkRobotObject* object = &scene->table.objects[number];
    wkObjectContent old = {object->thing, object->hulls, object->pose};
    double safetyDistance = wkSafetyDistance(scene, content->thing->category);
    int32_t oldCount = old.thing->shapeCount, count = content->thing->shapeCount;
    int32_t common = oldCount < count ? oldCount : count;
    for (int32_t i = 0; i < common; ++i) {
        takeSlot(scene, &old, content, i, safetyDistance);
    }
    wkLeaveWorld(scene, old.thing, common);
    object->name = content->thing->name;
    object->thing = content->thing;
    object->hulls = content->hulls;
    object->pose = content->pose;
    wkEnterWorld(scene, number, common);
    *content = old;
    ++scene->version;
}

wkResult wkRobotScene_Replace(wkRobotScene* scene, const wkRobotObjectDef* def)
{
    wkResult result = wkCheckWriter(scene, "wkRobotScene_Replace");
    wkObjectContent content;
    result = result == wk_ok ? wkObjectContent_Create(scene, def, &content) : result;
    if (result != wk_ok) {
        return result;
    }
    int32_t number = wkNames_Find(&scene->names, def->name);
    if (number < 0) {
        wkAddContent(scene, &content);
        return wk_ok;
    }
    if (scene->table.objects[number].link >= 0) {
        wkObjectContent_Cancel(&content);
        return wkFail(wk_errorState, "wkRobotScene_Replace: %s is attached", def->name);
    }
    wkExchangeContent(scene, number, &content);
    wkRobotThing_Drop(content.thing);
    wkObjectHulls_Drop(content.hulls);
    return wk_ok;
}
