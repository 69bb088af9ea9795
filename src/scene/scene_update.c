// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Which objects the broad phase does not know rightly, and telling it. It is told of boxes that are
// a little too large, and only hears of an object again when that has left its box.

#include "scene/scene_impl.h"

// From this length on the list costs queries more than they should pay, as they look at all of it.
#define LONG_LIST 64
#define LONG_SHARE 32
// But while everything moves, the broad phase should hear of it once, from an update that the
// caller means to ask for: after so many rounds of changes it was forgotten.
#define FORGOTTEN_ROUNDS 2

void wkScene_Enlist(wkScene* scene, int32_t slotIndex)
{
    wkObjectSlot* slot = &scene->table.slots[slotIndex];
    if (slot->waiting < 0) {
        slot->waiting = scene->waitingCount;
        scene->table.waiting[scene->waitingCount++] = slotIndex;
    }
}

// Takes an object off the list; the last one takes its place.
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

// A box with room to move, by its largest side that ends somewhere. Sums of floats never round past
// the number they began with, so the box stays inside.
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
