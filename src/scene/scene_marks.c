// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Tracks objects whose geometry can change: maps, and meshes of builders. Bounds are computed when an object
// gets its shape. Geometry that changed since may exceed them, so queries compare versions first.

#include "base/error.h"
#include "scene/scene_impl.h"

#include <inttypes.h>

void wkScene_Unmark(wkScene* scene, int32_t slotIndex)
{
    wkObjectTable* table = &scene->table;
    int32_t mark = table->slots[slotIndex].mark;
    if (mark >= 0) {
        // the last one takes its index
        table->marks[mark] = table->marks[--scene->markCount];
        table->slots[table->marks[mark].slotIndex].mark = mark;
        table->slots[slotIndex].mark = -1;
    }
}

void wkScene_MarkAs(wkScene* scene, int32_t slotIndex, wkContentMark content)
{
    wkObjectTable* table = &scene->table;
    wkScene_Unmark(scene, slotIndex);
    if (content.now != NULL) {
        wkSceneMark mark = {content, slotIndex};
        table->slots[slotIndex].mark = scene->markCount;
        table->marks[scene->markCount++] = mark;
    }
}

void wkScene_Mark(wkScene* scene, int32_t slotIndex)
{
    wkScene_MarkAs(scene, slotIndex, wkMarkContent(&scene->table.shapes[slotIndex]));
}

bool wkScene_IsOutOfDate(const wkScene* scene, int32_t slotIndex)
{
    int32_t mark = scene->table.slots[slotIndex].mark;
    return mark >= 0 && wkIsOutOfDateMark(&scene->table.marks[mark].content);
}

bool wkReportStale(const wkScene* scene, const wkSceneMark* mark, const char* caller)
{
    const wkShape* shape = &scene->table.shapes[mark->slotIndex];
    if (wkIsOutOfDateMark(&mark->content)) {
        wkFail(wk_errorState, "%s: the object 0x%" PRIx64 " is out of date", caller,
               wkIdOfSlot(scene, mark->slotIndex).bits);
        return false;
    }
    wkFail(wk_errorState,
           "%s: the %s of the object 0x%" PRIx64 " has changed since the object got it; call "
           "wkScene_SetShape, or wkRobotScene_Refresh in a robot scene",
           caller, wkShapeTypeName(shape->type), wkIdOfSlot(scene, mark->slotIndex).bits);
    return false;
}
