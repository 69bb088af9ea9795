// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Finds pairs of parts that must not touch. Two sides are checked where any of their bodies are. Links with
// spheres but no shapes have no bodies: rules about names decide about them, and without a rule,
// adjacent links may touch, as those with shapes may.

#include "batch/program_pairs.h"

#include "robot/allowed_impl.h"
#include "robot/robot_scene_impl.h"

static int32_t mark(uint8_t* arePairs, int32_t partCount, int32_t a, int32_t b)
{
    if (a < 0 || b < 0 || a == b) {
        return 0;
    }
    int32_t lower = a < b ? a : b, higher = a < b ? b : a;
    uint8_t* origin = &arePairs[(size_t)lower * (size_t)partCount + (size_t)higher];
    int32_t isNew = *origin == 0;
    *origin = 1;
    return isNew;
}

static const char* nameOfSide(const wkRobotScene* scene, int32_t side)
{
    int32_t linkCount = scene->robot->info.linkCount;
    return side < linkCount
               ? scene->robot->links[side].info.name
               : scene->table.objects[scene->holds[side - linkCount].object].thing->name;
}

// Returns whether a side is a link without shapes.
static bool isBare(const wkRobotScene* scene, int32_t side)
{
    return side < scene->robot->info.linkCount && scene->robot->links[side].info.bodyCount == 0;
}

// Returns whether a link carries an object or is one of its touch links. Snapshots do not store the latter.
static bool mayTouchAttached(const wkRobotHold* hold, int32_t link)
{
    bool mayTouch = hold->link == link;
    for (int32_t i = 0; i < hold->touchLinkCount && hold->touchLinks != NULL; i++) {
        mayTouch = mayTouch || hold->touchLinks[i] == link;
    }
    return mayTouch;
}

// Checks two sides, the first of which is a link. Attached objects have the higher numbers.
static bool mayTouch(const wkRobotScene* scene, const int32_t* partOfSide, int32_t link,
                     int32_t side)
{
    const wkAllowed* allowed = scene->rules->allowed;
    const char *name = nameOfSide(scene, link), *other = nameOfSide(scene, side);
    if (wkAllowed_Get(allowed, name, other, NULL, NULL) == wk_ruleAllowed) {
        return true;
    }
    if (side >= scene->robot->info.linkCount) {
        return mayTouchAttached(&scene->holds[side - scene->robot->info.linkCount], link);
    }
    return !wkAllowed_HasRule(allowed, name, other) &&
           wkAreAttachedTogether(scene->robot, link, side, partOfSide);
}

int32_t wkMarkPairs(const wkRobotScene* scene, const wkProgramBuilder* builder, uint8_t* arePairs)
{
    const wkBodySet* bodySet = scene->bodySet->bodySet;
    const wkPart* parts = builder->parts;
    const int32_t* partOfSide = builder->partOfSide;
    int32_t count = 0, partCount = builder->partCount;
    for (int32_t a = 0; a < bodySet->count; a++) {
        for (int32_t b = a + 1; b < bodySet->count; b++) {
            if (wkIsCheckedPair(bodySet, a, b)) {
                count += mark(arePairs, partCount, partOfSide[bodySet->bodies[a].side],
                              partOfSide[bodySet->bodies[b].side]);
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
