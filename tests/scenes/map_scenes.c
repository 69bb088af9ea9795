// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A map is filled by one hit in each cell; meshes are as fine as those that peers are measured with.

#include "map_scenes.h"

#include "mesh_models.h"

#include <string.h>

#define ROTATION 6.283185307179586

static bool fillMap(wkMapScene* scene)
{
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = WK_CELL_SIZE;
    bool isMade = wkOctree_Create(&def, &scene->octree) == wk_ok;
    for (int i = 0; i < WK_CELL_COUNT && isMade; i++) {
        wkCellKey key;
        isMade = wkOctree_KeyAt(scene->octree, scene->cells.centers[i], &key) &&
                 wkOctree_Observe(scene->octree, key, true) == wk_ok;
    }
    return isMade;
}

static bool addCylinder(wkModel* model, double radius, double half, int slices)
{
    bool isMade = true;
    for (int i = 0; i < 2 * slices; i++) {
        double angle = ROTATION * (i % slices) / slices;
        isMade =
            isMade && wkModel_AddVertex(model, wkSceneVec(radius * cos(angle), radius * sin(angle),
                                                          i < slices ? -half : half));
    }
    isMade = isMade && wkModel_AddVertex(model, wkSceneVec(0.0, 0.0, -half)) &&
             wkModel_AddVertex(model, wkSceneVec(0.0, 0.0, half));
    for (int i = 0; i < slices; i++) {
        int next = (i + 1) % slices;
        isMade = isMade && wkModel_AddTriangle(model, i, next, slices + next) &&
                 wkModel_AddTriangle(model, i, slices + next, slices + i) &&
                 wkModel_AddTriangle(model, 2 * slices, next, i) &&
                 wkModel_AddTriangle(model, 2 * slices + 1, slices + i, slices + next);
    }
    return isMade;
}

static bool meshOf(const wkShape* shape, wkMesh** mesh)
{
    wkModel model;
    memset(&model, 0, sizeof model);
    bool isMade = false;
    if (shape->type == wk_shapeSphere) {
        isMade =
            wkModel_AddBlob(&model, wkSceneVec(0.0, 0.0, 0.0), shape->sphere.radius, 0.0, 16, 16);
    } else if (shape->type == wk_shapeBox) {
        isMade = wkModel_AddBox(&model, wkIdentityPose(), shape->box.half, 1);
    } else {
        isMade = addCylinder(&model, shape->cylinder.radius, shape->cylinder.halfLength, 32);
    }
    wkMeshDef def = wkModel_MeshDef(&model);
    def.isSolid = false;
    isMade = isMade && wkMesh_Create(&def, mesh) == wk_ok;
    wkModel_Free(&model);
    return isMade;
}

static bool makeMeshes(wkMapScene* scene)
{
    bool isMade = true;
    for (int i = 0; i < WK_CELL_OBJECTS && isMade; i++) {
        isMade = meshOf(&scene->cells.shapes[i], &scene->meshes[i]);
        if (isMade) {
            scene->cells.shapes[i] = wkMakeMesh(scene->meshes[i]);
        }
    }
    return isMade;
}

bool wkMapScene_Create(wkCellKind kind, uint64_t seed, bool areMeshes, wkMapScene* scene)
{
    memset(scene, 0, sizeof *scene);
    wkMakeCellScene(&scene->cells, kind, seed);
    bool isMade = fillMap(scene) && (!areMeshes || makeMeshes(scene));
    if (!isMade) {
        wkMapScene_Destroy(scene);
    }
    return isMade;
}

void wkMapScene_Destroy(wkMapScene* scene)
{
    wkOctree_Destroy(scene->octree);
    for (int i = 0; i < WK_CELL_OBJECTS; i++) {
        wkMesh_Destroy(scene->meshes[i]);
    }
    memset(scene, 0, sizeof *scene);
}
