// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Tracks objects whose boxes in the broad phase are stale and updates the broad phase. Its boxes are
// enlarged by a slack, so that an object needs an update only when it has left its box.

#include "scene/scene_impl.h"

// At this length the waiting list slows queries too much, because they test all of it.
#define LONG_LIST 64
#define LONG_SHARE 32
// While everything moves, the broad phase should be updated once, by the caller's update; after this
// many changes per object the update is taken as forgotten.
#define FORGOTTEN_ROUNDS 2

void wkScene_Enlist(wkScene* scene, int32_t slotIndex)
{
    wkObjectSlot* slot = &scene->table.slots[slotIndex];
    if (slot->waiting < 0) {
        slot->waiting = scene->waitingCount;
        scene->table.waiting[scene->waitingCount++] = slotIndex;
    }
}

// Removes an object from the list; the last entry moves to its index.
static void strike(wkScene* scene, int32_t slotIndex)
{
    wkObjectSlot* slot = &scene->table.slots[slotIndex];
    if (slot->waiting >= 0) {
        int32_t last = scene->table.waiting[--scene->waitingCount];
        scene->table.waiting[slot->waiting] = last;
        scene->table.slots[last].waiting = slot->waiting;
        slot->waiting = -1;
    }
}

void wkScene_UpdateWhenLong(wkScene* scene, bool isNew)
{
    ++scene->changeCount;
    bool isLong = scene->waitingCount > LONG_LIST + scene->objectCount / LONG_SHARE;
    bool isForgotten = scene->changeCount > FORGOTTEN_ROUNDS * (int64_t)scene->objectCount;
    if (isLong && (isNew || isForgotten)) {
        wkScene_Update(scene);
    }
}

void wkScene_Watch(wkScene* scene, int32_t slotIndex)
{
    wkFloatBox box = wkBoxOfRow(&scene->table.rows[slotIndex]);
    bool isNew = !scene->table.slots[slotIndex].isPlaced;
    if (isNew || !wkHoldsFloatBox(&scene->table.fat[slotIndex], &box)) {
        wkScene_Enlist(scene, slotIndex);
        wkScene_UpdateWhenLong(scene, isNew);
    }
}

void wkScene_Forget(wkScene* scene, int32_t slotIndex)
{
    strike(scene, slotIndex);
    if (scene->table.slots[slotIndex].isPlaced) {
        scene->row->remove(scene->broad, slotIndex);
        scene->table.slots[slotIndex].isPlaced = false;
    }
}

// A box enlarged in proportion to its largest bounded side. Sums of floats never round past the number
// they started from, so the result contains the box.
static wkFloatBox fatBox(const wkObjectRow* row, float slack)
{
    float spare = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
        float more = slack * (row->upper[axis] - row->lower[axis]);
        spare = more > spare && more < FLT_MAX ? more : spare;
    }
    wkFloatBox box;
    for (int axis = 0; axis < 3; ++axis) {
        box.lower[axis] = row->lower[axis] - spare;
        box.upper[axis] = row->upper[axis] + spare;
    }
    return box;
}

void wkScene_Update(wkScene* scene)
{
    wkObjectTable* table = &scene->table;
    int32_t count = scene->waitingCount;
    if (count == 0) {
        return;
    }
    for (int32_t i = 0; i < count; ++i) {
        int32_t slotIndex = table->waiting[i];
        wkFloatBox box = fatBox(&table->rows[slotIndex], (float)scene->def.slack);
        table->fat[slotIndex] = box;
        table->slots[slotIndex].waiting = -1;
        table->slots[slotIndex].isPlaced = true;
        table->items[i].box = box;
        table->items[i].name = slotIndex;
    }
    scene->row->set(scene->broad, table->items, count);
    scene->waitingCount = 0;
    scene->changeCount = 0;
}
