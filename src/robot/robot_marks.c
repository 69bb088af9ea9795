// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Detects maps and meshes that have changed since a robot scene computed bounds and hulls from them; see
// query/pair/content_mark.h.

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

WK_RARE_FN void reportStaleSlot(const wkRobotScene* scene, int32_t slotIndex, const char* caller)
{
    wkFail(wk_errorState, "%s: the %s of object %s has changed; call wkRobotScene_Refresh", caller,
           wkShapeTypeName(wkScene_ObjectAt(scene->world, slotIndex).shape->type),
           wkSideOfSlot(scene, slotIndex).name);
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
