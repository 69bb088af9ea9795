// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Detects maps and meshes that have changed since a robot scene computed bounds and hulls from them, and objects
// that are out of date; see query/pair/content_mark.h.

#include "base/error.h"
#include "robot/robot_query.h"

WK_RARE_FN void reportStaleBody(const wkRobotScene* scene, int32_t body, const char* caller)
{
    wkRobotSide side = wkSideOfBody(scene, body);
    if (side.kind == wk_sideLink) {
        wkFail(wk_errorState, "%s: a mesh of link %s has changed since the robot was created",
               caller, side.name);
    } else {
        wkFail(wk_errorState,
               "%s: a mesh of the attached object %s has changed; call wkRobotScene_Refresh",
               caller, side.name);
    }
}

wkResult wkRobotScene_SetStale(wkRobotScene* scene, const char* name, bool isStale)
{
    const char* caller = "wkRobotScene_SetStale";
    wkResult result = wkCheckWriter(scene, caller);
    int32_t number = result == wk_ok ? wkFindObject(scene, name, caller) : -1;
    if (number < 0) {
        return wk_errorArgument;
    }
    const wkRobotObject* object = &scene->table.objects[number];
    wkRobotThing* thing = object->thing;
    if (object->link >= 0) {
        return wkFail(wk_errorState, "%s: %s is attached", caller, name);
    }
    if (thing->isStale == isStale) {
        return wk_ok;
    }
    thing->isStale = isStale;
    for (int32_t i = 0; i < thing->shapeCount; ++i) {
        wkScene_MarkAs(scene->world, wkSlotInId(thing->ids[i]), wkMarkOfShape(thing, i));
    }
    ++scene->version;
    return wk_ok;
}

WK_RARE_FN void reportStaleSlot(const wkRobotScene* scene, int32_t slotIndex, const char* caller)
{
    const char* name = wkSideOfSlot(scene, slotIndex).name;
    if (wkScene_IsOutOfDate(scene->world, slotIndex)) {
        wkFail(wk_errorState, "%s: object %s is out of date", caller, name);
        return;
    }
    wkFail(wk_errorState, "%s: the %s of object %s has changed; call wkRobotScene_Refresh", caller,
           wkShapeTypeName(wkScene_ObjectAt(scene->world, slotIndex).shape->type), name);
}

bool wkIsFreshRobotScene(const wkRobotScene* scene, const char* caller)
{
    const wkBodySet* bodySet = scene->bodySet->bodySet;
    for (int32_t i = 0; i < bodySet->markCount; ++i) {
        const wkBodyMark* mark = &bodySet->marks[i];
        if (WK_UNLIKELY(wkIsMarkStale(&mark->content))) {
            reportStaleBody(scene, mark->body, caller);
            return false;
        }
    }
    int32_t stale = wkScene_FindStale(scene->world);
    if (WK_UNLIKELY(stale >= 0)) {
        reportStaleSlot(scene, stale, caller);
    }
    return stale < 0;
}
