// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Collects pairs of a body and a shape whose content culls it.

#include "scene/candidate_pairs.h"

void wkCandidatePairs_Add(wkCandidatePairs* pairs, const wkShape* culling,
                          const wkQuerySource* source, int32_t slotA, int32_t slotB)
{
    bool isB = culling == &source->sceneB->table.shapes[slotB];
    if (pairs->cull.shape != culling) {
        wkPose pose = isB ? source->sceneB->table.bodies[slotB].pose : wkPoseOfA(source, slotA);
        wkBodyCull_Place(&pairs->cull, culling, &pose);
    }
    const wkScene* scene = isB ? source->sceneA : source->sceneB;
    int32_t slotIndex = isB ? slotA : slotB;
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
    return count == 0 ? 0 : wkBodyCull_Pass(&pairs->cull, pairs->bodies, count, reach);
}
