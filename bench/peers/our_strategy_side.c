// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Whisker's side of the rows about bodies in front of a map: public functions only. The bodies are
// one scene, the map or its cells are another.

#include "peers/strategy_peer.h"

#include <stdlib.h>

typedef struct ourStrategyJob {
    wkStrategyJob job;
    wkAnswer* answers;
    wkScene* bodies;
    wkObjectId* ids;
    wkScene* world;    // the map, or the boxes
    wkObjectDef* defs; // of the boxes
    int defCount;
    wkSceneHit* hits;
} ourStrategyJob;

static void closeOurs(void* handle)
{
    ourStrategyJob* ours = (ourStrategyJob*)handle;
    wkScene_Destroy(ours->bodies);
    wkScene_Destroy(ours->world);
    free(ours->ids);
    free(ours->defs);
    free(ours->hits);
    free(ours);
}

static void makeBoxes(ourStrategyJob* ours)
{
    wkCellRequest filter = wkDefaultCellRequest();
    filter.wantsFree = false;
    wkCellIterator iterator = wkOctree_Cells(ours->job.scene->octree, &filter);
    wkCell cell;
    ours->defCount = 0;
    while (wkCellIterator_Next(&iterator, &cell)) {
        wkObjectDef* def = &ours->defs[ours->defCount++];
        *def = wkDefaultObjectDef();
        def->shape = wkMakeBox(cell.size, cell.size, cell.size);
        def->pose.position = cell.center;
    }
}

static double build(const ourStrategyJob* ours)
{
    wkScene* scene = NULL;
    double count = 0.0;
    if (wkScene_Create(NULL, &scene) == wk_ok &&
        wkScene_AddMany(scene, ours->defs, ours->defCount, NULL) == wk_ok) {
        count = wkScene_Count(scene);
    }
    wkScene_Destroy(scene);
    return count;
}

// The map as an object of a scene, or as the objects that its cells are.
static bool addMap(ourStrategyJob* ours)
{
    wkObjectDef def = wkDefaultObjectDef();
    def.shape = wkMakeOctree(ours->job.scene->octree);
    wkObjectId id;
    wkResult result = ours->job.isDirect ? wkScene_Add(ours->world, &def, &id)
                                         : wkScene_AddCells(ours->world, &def, NULL);
    wkScene_Update(ours->world);
    return result == wk_ok;
}

static bool addBodies(ourStrategyJob* ours)
{
    const wkStrategyScene* scene = ours->job.scene;
    wkObjectDef* defs = (wkObjectDef*)calloc((size_t)scene->bodyCount, sizeof *defs);
    for (int i = 0; i < scene->bodyCount && defs != NULL; i++) {
        defs[i] = wkDefaultObjectDef();
        defs[i].shape = scene->shapes[i];
        defs[i].pose = scene->poses[i];
    }
    bool isAdded =
        defs != NULL && wkScene_AddMany(ours->bodies, defs, scene->bodyCount, ours->ids) == wk_ok;
    free(defs);
    return isAdded;
}

static void* openOurs(const wkStrategyJob* job, wkAnswer* answers)
{
    ourStrategyJob* ours = (ourStrategyJob*)calloc(1, sizeof *ours);
    if (ours == NULL) {
        return NULL;
    }
    const wkStrategyScene* scene = job->scene;
    ours->job = *job;
    ours->answers = answers;
    ours->ids = (wkObjectId*)calloc((size_t)scene->bodyCount, sizeof *ours->ids);
    ours->hits = (wkSceneHit*)calloc((size_t)scene->bodyCount, sizeof *ours->hits);
    ours->defs = (wkObjectDef*)calloc((size_t)scene->cellCount, sizeof *ours->defs);
    if (ours->ids == NULL || ours->hits == NULL || ours->defs == NULL ||
        wkScene_Create(NULL, &ours->bodies) != wk_ok ||
        wkScene_Create(NULL, &ours->world) != wk_ok || !addBodies(ours) || !addMap(ours)) {
        closeOurs(ours);
        return NULL;
    }
    makeBoxes(ours);
    return ours;
}

static void placeObjects(const ourStrategyJob* ours, int placement)
{
    const wkStrategyScene* scene = ours->job.scene;
    for (int i = 0; i < scene->bodyCount; i++) {
        wkScene_Move(ours->bodies, ours->ids[i], scene->poses[placement * scene->bodyCount + i]);
    }
    wkScene_Update(ours->bodies);
}

// Bodies that touch a box, each counted once however many boxes it touches.
static double countOnBoxes(ourStrategyJob* ours)
{
    const wkStrategyScene* scene = ours->job.scene;
    double count = 0.0;
    for (int i = 0; i < scene->bodyCount; i++) {
        wkObjectDef body;
        bool isFound = wkScene_Get(ours->bodies, ours->ids[i], &body) == wk_ok;
        count +=
            isFound && wkScene_CollideShape(ours->world, &body.shape, body.pose, NULL).isTouching
                ? 1.0
                : 0.0;
    }
    return count;
}

static double countBodies(ourStrategyJob* ours)
{
    if (!ours->job.isDirect) {
        return countOnBoxes(ours);
    }
    // the map is one object, so each body is in one pair at most
    wkSceneRequest request = wkDefaultSceneRequest();
    request.hits = ours->hits;
    request.hitCapacity = ours->job.scene->bodyCount;
    return wkScene_CollideScene(ours->bodies, ours->world, &request).hitCount;
}

static double ask(ourStrategyJob* ours)
{
    if (ours->job.query == wk_strategyFirst) {
        return wkScene_CollideScene(ours->bodies, ours->world, NULL).isTouching ? 1.0 : 0.0;
    }
    if (ours->job.query == wk_strategyAll) {
        return countBodies(ours);
    }
    wkSceneRequest request = wkDefaultSceneRequest();
    request.isSigned = false;
    return wkScene_DistanceScene(ours->bodies, ours->world, &request).closest.distance;
}

static void passOurs(void* handle)
{
    ourStrategyJob* ours = (ourStrategyJob*)handle;
    if (ours->job.task == wk_strategyBoxes) {
        makeBoxes(ours);
        ours->answers[0] = ours->defCount;
    } else if (ours->job.task == wk_strategyBuild) {
        ours->answers[0] = build(ours);
    } else {
        for (int i = 0; i < ours->job.itemCount; i++) {
            if (ours->job.scene->placementCount > 1) {
                placeObjects(ours, i);
            }
            ours->answers[i] = ask(ours);
        }
    }
}

const wkStrategyPeer wkOurStrategySide = {"whisker", openOurs, passOurs, closeOurs};
