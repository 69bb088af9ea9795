// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "points_case.h"

#include <stdlib.h>

static pointsCase shared;

pointsCase* sharedCase(void)
{
    return &shared;
}

int openCase(void** state)
{
    (void)state;
    pointsCase* c = &shared;
    assert_true(wkModel_AddBlob(&c->models[0], wkSceneVec(0.0, 0.1, 0.0), 0.2, 0.3, 10, 12));
    assert_true(wkModel_AddKnot(&c->models[1], 0.15, 0.04, 40, 6));
    for (int i = 0; i < 2; i++) {
        c->meshes[i] = fitMakeSolid(&c->models[i]);
        c->shapes[i] = wkMakeMesh(c->meshes[i]);
    }
    c->shapes[2] = wkMakeBox(0.3, 0.2, 0.1);
    c->shapes[3] = wkMakeCapsule(0.05, 0.4);
    for (int i = 0; i < 4; i++) {
        c->bodies[i] = (wkSphereTreeBody){&c->shapes[i], wkMakePose(0.05 * i, 0.0, 0.0)};
        wkSphereTreeDef def = treeDefOf(&c->bodies[i], 1, 90 + 40 * i);
        c->made[i] = makeTree(&def);
    }
    c->points = malloc(3 * POINTS * sizeof *c->points);
    assert_non_null(c->points);
    return 0;
}

int closeCase(void** state)
{
    (void)state;
    pointsCase* c = &shared;
    for (int i = 0; i < 4; i++) {
        wkSphereTree_Destroy(c->made[i]);
    }
    for (int i = 0; i < 2; i++) {
        wkMesh_Destroy(c->meshes[i]);
        wkModel_Free(&c->models[i]);
    }
    free(c->points);
    return 0;
}

void drawCase(pointsCase* c, wkRng* rng, double reach, double gap)
{
    for (int i = 0; i < TREES; i++) {
        c->trees[i] = (wkPlacedSphereTree){.tree = c->made[i % 4], .pose = randomPose(rng, reach)};
    }
    c->pose = randomPose(rng, 2.0);
    for (int i = 0; i < POINTS; i++) {
        wkVec3d way = wkRngDirection(rng);
        double length = gap + 2.0 * wkRngUnit(rng);
        wkVec3d local = wkTransformPoint(wkInvPose(c->pose), wkSceneScale(way, length));
        float* p = c->points + 3 * i;
        p[0] = (float)local.x;
        p[1] = (float)local.y;
        p[2] = (float)local.z;
    }
}

wkCloudView viewOf(const pointsCase* c, int64_t count)
{
    wkCloudView view = wkDefaultCloudDef().points;
    view.data = c->points;
    view.count = count;
    return view;
}
