// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The cubes in which walks over a map begin: level by level from the root, as long as all that is
// known fits into the grid. The first query about a map does without, so that whoever asks once
// after each change pays for nothing that will not be used; the second finds them for all others.

#include "tree/octree.h"

// Which step of which version has been taken.
typedef enum doorStep {
    doorSeen = 1, // by one query
    doorBusy,     // someone is looking for them
    doorReady,
} doorStep;

static uint64_t stateOf(const wkOctree* octree, doorStep step)
{
    return 4 * octree->version + (uint64_t)step;
}

static int slotOf(const int32_t place[3])
{
    return place[0] + WK_DOOR_SIDE * (place[1] + WK_DOOR_SIDE * place[2]);
}

// Where a child is among the cubes of its depth.
static void placeChild(const wkOctreeDoors* doors, int slot, int child, int32_t place[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        place[axis] = 2 * (doors->lowest[axis] + slot % WK_DOOR_SIDE) + (child >> axis & 1);
        slot /= WK_DOOR_SIDE;
    }
}

static wkOctreeDoors emptyGrid(void)
{
    wkOctreeDoors doors = {.depth = 0};
    for (int i = 0; i < WK_DOOR_COUNT; ++i) {
        doors.values[i] = NAN;
    }
    return doors;
}

// Finds the lowest place of the children that are known, at `lowest`.
// @return false when the grid is too small for them, or a cube has no children
static bool fitsBelow(const wkOctree* octree, const wkOctreeDoors* doors, int32_t lowest[3])
{
    int32_t highest[3] = {-1, -1, -1};
    for (int slot = 0; slot < WK_DOOR_COUNT; ++slot) {
        if (isnan(doors->values[slot])) {
            continue;
        }
        if ((doors->links[slot] & WK_OCTREE_PLACE) == 0) {
            return false;
        }
        const float* values = wkOctreeValues(octree, doors->links[slot], doors->depth);
        for (int child = 0; child < 8; ++child) {
            int32_t place[3];
            placeChild(doors, slot, child, place);
            for (int axis = 0; axis < 3 && !isnan(values[child]); ++axis) {
                lowest[axis] = place[axis] < lowest[axis] ? place[axis] : lowest[axis];
                highest[axis] = place[axis] > highest[axis] ? place[axis] : highest[axis];
            }
        }
    }
    return highest[0] >= 0 && highest[0] - lowest[0] < WK_DOOR_SIDE &&
           highest[1] - lowest[1] < WK_DOOR_SIDE && highest[2] - lowest[2] < WK_DOOR_SIDE;
}

// One level down. @return false when that is not possible
static bool descend(const wkOctree* octree, wkOctreeDoors* doors)
{
    wkOctreeDoors below = emptyGrid();
    for (int axis = 0; axis < 3; ++axis) {
        below.lowest[axis] = 1 << WK_OCTREE_DEPTH;
    }
    if (!fitsBelow(octree, doors, below.lowest)) {
        return false;
    }
    below.depth = doors->depth + 1;
    for (int slot = 0; slot < WK_DOOR_COUNT; ++slot) {
        for (int i = 0; i < 8 && !isnan(doors->values[slot]); ++i) {
            wkOctreeChild child = wkOctreeChildAt(octree, doors->links[slot], doors->depth, i);
            int32_t place[3];
            placeChild(doors, slot, i, place);
            if (!isnan(child.value)) {
                const int32_t inGrid[3] = {place[0] - below.lowest[0], place[1] - below.lowest[1],
                                           place[2] - below.lowest[2]};
                below.values[slotOf(inGrid)] = child.value;
                below.links[slotOf(inGrid)] = child.link & WK_OCTREE_PLACE;
            }
        }
    }
    *doors = below;
    return true;
}

static wkOctreeDoors findDoors(const wkOctree* octree)
{
    wkOctreeDoors doors = emptyGrid();
    doors.values[0] = octree->rootValue;
    doors.links[0] = octree->rootLink;
    while (descend(octree, &doors)) {
    }
    return doors;
}

const wkOctreeDoors* wkOctreeFindDoors(const wkOctree* octree)
{
    // the doors alone may change while a map is read
    wkOctreeDoorway* way = (wkOctreeDoorway*)&octree->doorway;
    uint64_t seen = stateOf(octree, doorSeen), busy = stateOf(octree, doorBusy);
    uint64_t state = atomic_load_explicit(&way->state, memory_order_acquire);
    if (state == stateOf(octree, doorReady)) {
        return &way->doors;
    }
    if (state != seen) {
        if (state != busy) {
            atomic_compare_exchange_strong(&way->state, &state, seen);
        }
        return NULL;
    }
    if (!atomic_compare_exchange_strong(&way->state, &state, busy)) {
        return NULL;
    }
    way->doors = findDoors(octree);
    atomic_store_explicit(&way->state, stateOf(octree, doorReady), memory_order_release);
    return &way->doors;
}
