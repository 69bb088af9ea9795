// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Pairs with a map, and the bodies in them.

#include "scene/near_pairs.h"

const wkShape* wkMapOfPair(const wkAsker* asker, int32_t placeA, int32_t placeB)
{
    const wkShape* a = wkShapeOfA(asker, placeA);
    const wkShape* b = &asker->sceneB->table.shapes[placeB];
    bool isMapA = a->type == wk_shapeOctree, isMapB = b->type == wk_shapeOctree;
    // two maps are walked together, and a shape that is in no scene has no box yet
    bool isAlone = isMapA == isMapB || (isMapB && placeA == WK_ASKER);
    return isAlone ? NULL : isMapA ? a : b;
}

void wkNearPairs_Add(wkNearPairs* pairs, const wkShape* map, const wkAsker* asker, int32_t placeA,
                     int32_t placeB)
{
    bool isMapB = map == &asker->sceneB->table.shapes[placeB];
    if (pairs->near.map != map) {
        wkPose pose = isMapB ? asker->sceneB->table.bodies[placeB].pose : wkPoseOfA(asker, placeA);
        wkMapNear_Init(&pairs->near, map, &pose);
    }
    const wkScene* scene = isMapB ? asker->sceneA : asker->sceneB;
    int32_t place = isMapB ? placeA : placeB;
    int i = pairs->count++;
    pairs->placesA[i] = placeA;
    pairs->placesB[i] = placeB;
    pairs->bodies[i] = (wkNearBody){
        .shape = &scene->table.shapes[place],
        .pose = &scene->table.bodies[place].pose,
        .around = wkBoxInWorld(scene, place),
    };
}

unsigned wkNearPairs_Take(wkNearPairs* pairs, double reach)
{
    int count = pairs->count;
    pairs->count = 0;
    return count == 0 ? 0 : wkMapNear_Bodies(&pairs->near, pairs->bodies, count, reach);
}
