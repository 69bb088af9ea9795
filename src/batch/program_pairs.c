// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Which parts of a program must not touch: where a member of one side is looked at with a member of the
// other, the sides are. Links that have balls and no shapes of their own are no members; rules about
// names say what becomes of them, and where there are none, neighbours may touch as those with shapes do.

#include "batch/program_pairs.h"

#include "robot/allowed.h"
#include "robot/robot_scene.h"

static int32_t mark(uint8_t* arePairs, int32_t partCount, int32_t a, int32_t b)
{
    if (a < 0 || b < 0 || a == b) {
        return 0;
    }
    int32_t lower = a < b ? a : b, higher = a < b ? b : a;
    uint8_t* place = &arePairs[(size_t)lower * (size_t)partCount + (size_t)higher];
    int32_t isNew = *place == 0;
    *place = 1;
    return isNew;
}

static const char* nameOfSide(const wkRobotScene* scene, int32_t side)
{
    int32_t linkCount = scene->robot->info.linkCount;
    return side < linkCount
               ? scene->robot->links[side].info.name
               : scene->table.objects[scene->holds[side - linkCount].object].thing->name;
}

// A link without shapes.
static bool isBare(const wkRobotScene* scene, int32_t side)
{
    return side < scene->robot->info.linkCount && scene->robot->links[side].info.bodyCount == 0;
}

// The link that holds something, and those that may touch it too. Snapshots do not know the latter.
static bool mayTouchHeld(const wkRobotHold* hold, int32_t link)
{
    bool mayTouch = hold->link == link;
    for (int32_t i = 0; i < hold->touchLinkCount && hold->touchLinks != NULL; i++) {
        mayTouch = mayTouch || hold->touchLinks[i] == link;
    }
    return mayTouch;
}

// Two sides, the first of which is a link. Held objects have the higher numbers.
static bool mayTouch(const wkRobotScene* scene, const int32_t* partOfSide, int32_t link,
                     int32_t side)
{
    const wkAllowed* allowed = scene->rules->allowed;
    const char *name = nameOfSide(scene, link), *other = nameOfSide(scene, side);
    if (wkAllowed_Get(allowed, name, other, NULL, NULL) == wk_ruleAllowed) {
        return true;
    }
    if (side >= scene->robot->info.linkCount) {
        return mayTouchHeld(&scene->holds[side - scene->robot->info.linkCount], link);
    }
    return !wkAllowed_HasRule(allowed, name, other) &&
           wkAreHeldTogether(scene->robot, link, side, partOfSide);
}

int32_t wkMarkPairs(const wkRobotScene* scene, const wkProgramDraft* draft, uint8_t* arePairs)
{
    const wkCrew* crew = scene->crew->crew;
    const wkPart* parts = draft->parts;
    const int32_t* partOfSide = draft->partOfSide;
    int32_t count = 0, partCount = draft->partCount;
    for (int32_t a = 0; a < crew->count; a++) {
        for (int32_t b = a + 1; b < crew->count; b++) {
            if (wkIsCheckedPair(crew, a, b)) {
                count += mark(arePairs, partCount, partOfSide[crew->members[a].side],
                              partOfSide[crew->members[b].side]);
            }
        }
    }
    for (int32_t a = 0; a < partCount; a++) {
        for (int32_t b = a + 1; b < partCount; b++) {
            bool isFirst = parts[a].side < parts[b].side;
            int32_t lower = parts[isFirst ? a : b].side, higher = parts[isFirst ? b : a].side;
            if ((isBare(scene, lower) || isBare(scene, higher)) &&
                !mayTouch(scene, partOfSide, lower, higher)) {
                count += mark(arePairs, partCount, a, b);
            }
        }
    }
    return count;
}
