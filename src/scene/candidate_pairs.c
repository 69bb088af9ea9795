// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Collects pairs of a map and a body.

#include "scene/candidate_pairs.h"

const wkShape* wkMapOfPair(const wkQuerySource* source, int32_t slotA, int32_t slotB)
{
    const wkShape* a = wkShapeOfA(source, slotA);
    const wkShape* b = &source->sceneB->table.shapes[slotB];
    bool isMapA = a->type == wk_shapeOctree, isMapB = b->type == wk_shapeOctree;
    // two maps are traversed together, and a shape that is in no scene has no box yet
    bool isAlone = isMapA == isMapB || (isMapB && slotA == WK_QUERY_SOURCE);
    return isAlone ? NULL : isMapA ? a : b;
}

void wkCandidatePairs_Add(wkCandidatePairs* pairs, const wkShape* map, const wkQuerySource* source,
                          int32_t slotA, int32_t slotB)
{
    bool isMapB = map == &source->sceneB->table.shapes[slotB];
    if (pairs->near.map != map) {
        wkPose pose = isMapB ? source->sceneB->table.bodies[slotB].pose : wkPoseOfA(source, slotA);
        wkMapCandidates_Init(&pairs->near, map, &pose);
    }
    const wkScene* scene = isMapB ? source->sceneA : source->sceneB;
    int32_t slotIndex = isMapB ? slotA : slotB;
    int i = pairs->count++;
    pairs->slotsA[i] = slotA;
    pairs->slotsB[i] = slotB;
    pairs->bodies[i] = (wkCandidateBody){
        .shape = &scene->table.shapes[slotIndex],
        .pose = &scene->table.bodies[slotIndex].pose,
        .around = wkBoxInWorld(scene, slotIndex),
    };
}

unsigned wkCandidatePairs_Take(wkCandidatePairs* pairs, double reach)
{
    int count = pairs->count;
    pairs->count = 0;
    return count == 0 ? 0 : wkMapCandidates_Bodies(&pairs->near, pairs->bodies, count, reach);
}
