// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Chooses pairs of rigid groups that get a map of joint values.

#include "batch/self_choice.h"

// Shares that the spheres of two rigid groups have to lose for a map, and for one of what bodies sweep.
#define MAP_LOST 0.001
#define SWEPT_MAP_LOST 0.04

// Returns whether two candidates are of the same two rigid groups.
static bool areSameGroups(const wkSelfChoice* c, int32_t a, int32_t b)
{
    const wkProgram* program = c->batch->program;
    wkPartPair first = program->pairs[c->candidates[a].pair];
    wkPartPair second = program->pairs[c->candidates[b].pair];
    return program->parts[first.a].rigidGroup == program->parts[second.a].rigidGroup &&
           program->parts[first.b].rigidGroup == program->parts[second.b].rigidGroup;
}

// Returns whether a candidate joins the map of another one.
static bool isOfMap(const wkSelfChoice* c, int32_t first, int32_t number)
{
    wkPartPair parts = c->batch->program->pairs[c->candidates[number].pair];
    return areSameGroups(c, first, number) && wkCanClassifyPart(c->batch, parts.a) &&
           wkCanClassifyPart(c->batch, parts.b);
}

// Counts the samples that the spheres of two rigid groups lose.
static int32_t countLost(const wkSelfChoice* c, int32_t first)
{
    int32_t lostCount = 0;
    for (int32_t i = 0; i < c->freeCount; ++i) {
        const uint8_t* marks = c->marks + (ptrdiff_t)i * c->count;
        bool isLost = false;
        for (int32_t k = first; k < c->count && !isLost; ++k) {
            isLost = marks[k] != 0 && isOfMap(c, first, k);
        }
        lostCount += isLost ? 1 : 0;
    }
    return lostCount;
}

// Adds a body to a list, unless it is there.
static void addBody(const wkCollisionBody* body, const wkCollisionBody** list, int32_t* count)
{
    for (int32_t i = 0; i < *count; ++i) {
        if (list[i] == body) {
            return;
        }
    }
    list[(*count)++] = body;
}

// Adds the checked pairs of bodies of two parts to those of a map.
static void addBodyPairs(wkSelfChoice* c, wkPartPair parts, wkSelfMapDef* def)
{
    const wkBodySet* bodySet = c->batch->def.scene->bodySet->bodySet;
    wkPartBodies a = c->batch->partBodies[parts.a], b = c->batch->partBodies[parts.b];
    for (int32_t i = a.first; i < a.end; ++i) {
        for (int32_t k = b.first; k < b.end; ++k) {
            wkMapBodies pair = {&bodySet->bodies[i], &bodySet->bodies[k]};
            if (wkIsCheckedPair(bodySet, i, k) && !pair.a->isEmpty && !pair.b->isEmpty) {
                c->bodyPairs[def->bodyPairCount++] = pair;
                addBody(pair.a, def->ofA, &def->countA);
                addBody(pair.b, def->ofB, &def->countB);
            }
        }
    }
}

wkResult wkMakeChosenMap(wkSelfChoice* c, int32_t first)
{
    wkBatch* batch = c->batch;
    wkSelfTables* tables = batch->selfTables;
    wkPartPair parts = batch->program->pairs[c->candidates[first].pair];
    wkSelfMapDef def = {.bodies = c->bodyPairs, .ofA = c->bodies[0], .ofB = c->bodies[1]};
    if (!(batch->def.margin >= 0.0) || tables->mapCount == WK_MOST_MAPS ||
        !isOfMap(c, first, first) ||
        !wkChain_Find(batch->robot, batch->program->parts[parts.a].rigidGroup,
                      batch->program->parts[parts.b].rigidGroup, &def.chain) ||
        !wkCanMapChain(&def.chain)) {
        return wk_ok;
    }
    bool isSwept = def.chain.variableCount > WK_MAP_VARIABLES;
    if (countLost(c, first) <= (isSwept ? SWEPT_MAP_LOST : MAP_LOST) * c->freeCount) {
        return wk_ok;
    }
    for (int32_t k = first; k < c->count; ++k) {
        if (isOfMap(c, first, k)) {
            addBodyPairs(c, batch->program->pairs[c->candidates[k].pair], &def);
        }
    }
    wkResult result = wkSelfMap_Create(batch, &def, &tables->maps[tables->mapCount]);
    if (result != wk_ok) {
        return result;
    }
    int32_t map = tables->mapCount++;
    tables->byteCount += tables->maps[map]->byteCount;
    for (int32_t k = first; k < c->count; ++k) {
        if (isOfMap(c, first, k)) {
            tables->mapOfPair[c->candidates[k].pair] = map;
            wkSetSelfTest(c, k, isSwept ? wk_testSpheres : wk_testMap);
        }
    }
    return wk_ok;
}
