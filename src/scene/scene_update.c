// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Which objects the broad phase does not know rightly, and telling it. It is told of boxes that are
// a little too large, and only hears of an object again when that has left its box.

#include "scene/scene.h"

// A list this long is brought up to date at once: queries look at all of it, while telling the
// broad phase of many objects costs little for each.
#define LONG_LIST 64
#define LONG_SHARE 8

void wkScene_Enlist(wkScene* scene, int32_t place)
{
    wkObjectSlot* slot = &scene->table.slots[place];
    if (slot->waiting < 0) {
        slot->waiting = scene->waitingCount;
        scene->table.waiting[scene->waitingCount++] = place;
    }
}

// Takes an object off the list; the last one takes its place.
static void strike(wkScene* scene, int32_t place)
{
    wkObjectSlot* slot = &scene->table.slots[place];
    if (slot->waiting >= 0) {
        int32_t last = scene->table.waiting[--scene->waitingCount];
        scene->table.waiting[slot->waiting] = last;
        scene->table.slots[last].waiting = slot->waiting;
        slot->waiting = -1;
    }
}

void wkScene_UpdateWhenLong(wkScene* scene)
{
    if (scene->waitingCount > LONG_LIST + scene->objectCount / LONG_SHARE) {
        wkScene_Update(scene);
    }
}

void wkScene_Watch(wkScene* scene, int32_t place)
{
    wkFloatBox box = wkBoxOfRow(&scene->table.rows[place]);
    const wkObjectSlot* slot = &scene->table.slots[place];
    if (!slot->isPlaced || !wkHoldsFloatBox(&scene->table.fat[place], &box)) {
        wkScene_Enlist(scene, place);
        wkScene_UpdateWhenLong(scene);
    }
}

void wkScene_Forget(wkScene* scene, int32_t place)
{
    strike(scene, place);
    if (scene->table.slots[place].isPlaced) {
        scene->row->remove(scene->broad, place);
        scene->table.slots[place].isPlaced = false;
    }
}

// A box with room to move, by its largest side that ends somewhere.
static wkFloatBox fatBox(wkFloatBox box, double slack)
{
    double size = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        double side = (double)box.upper[axis] - (double)box.lower[axis];
        size = side > size && side < (double)FLT_MAX ? side : size;
    }
    return wkGrownFloatBox(box, slack * size);
}

void wkScene_Update(wkScene* scene)
{
    wkObjectTable* table = &scene->table;
    int32_t count = scene->waitingCount;
    if (count == 0) {
        return;
    }
    for (int32_t i = 0; i < count; ++i) {
        int32_t place = table->waiting[i];
        wkFloatBox box = fatBox(wkBoxOfRow(&table->rows[place]), scene->def.slack);
        table->fat[place] = box;
        table->slots[place].waiting = -1;
        table->slots[place].isPlaced = true;
        table->items[i].box = box;
        table->items[i].name = place;
    }
    scene->row->set(scene->broad, table->items, count);
    scene->waitingCount = 0;
}
