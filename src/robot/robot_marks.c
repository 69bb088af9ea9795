// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Maps and meshes that have changed since a robot scene computed bounds and hulls from them; see
// tree/content.h.

#include "base/error.h"
#include "robot/robot_query.h"

WK_RARE_FN void tellStaleMember(const wkRobotScene* scene, int32_t member, const char* caller)
{
    wkRobotSide side = wkSideOfMember(scene, member);
    if (side.kind == wk_sideLink) {
        wkFail(wk_errorState, "%s: a mesh of link %s has changed since the robot was created",
               caller, side.name);
    } else {
        wkFail(wk_errorState,
               "%s: a mesh of the attached object %s has changed; call wkRobotScene_Refresh",
               caller, side.name);
    }
}

WK_RARE_FN void tellStalePlace(const wkRobotScene* scene, int32_t place, const char* caller)
{
    wkFail(wk_errorState, "%s: the %s of object %s has changed; call wkRobotScene_Refresh", caller,
           wkShapeTypeName(scene->world->table.shapes[place].type),
           wkSideOfPlace(scene, place).name);
}

bool wkIsFreshRobotScene(const wkRobotScene* scene, const char* caller)
{
    const wkCrew* crew = scene->crew->crew;
    for (int32_t i = 0; i < crew->markCount; ++i) {
        const wkCrewMark* mark = &crew->marks[i];
        if (WK_UNLIKELY(wkIsMarkStale(&mark->content))) {
            tellStaleMember(scene, mark->member, caller);
            return false;
        }
    }
    const wkScene* world = scene->world;
    for (int32_t i = 0; i < world->markCount; ++i) {
        const wkSceneMark* mark = &world->table.marks[i];
        if (WK_UNLIKELY(wkIsMarkStale(&mark->content))) {
            tellStalePlace(scene, mark->place, caller);
            return false;
        }
    }
    return true;
}
