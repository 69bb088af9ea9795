// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The scenes of the paper's tables, and what is true about them. See strategy_scene.h.

#include "broad/strategy_scene.h"

#include "../tests/scenes/links.h"
#include "../tests/scenes/room_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEED 1u
#define ROBOT_SEED (11 * 0x9e3779b97f4a7c15u + 0x1234567u)
#define CONFIGURATION_COUNT 100
#define GROWTH_GAP 1.0 // more cells are so far from the others that no body meets them
#define ROOM_CELL_SIZE 0.05
#define ROOM_NOISE 0.002 // of ranges, in metres

static bool reserve(wkStrategyScene* scene, int bodyCount, int placementCount)
{
    size_t bodies = (size_t)bodyCount;
    memset(scene, 0, sizeof *scene);
    scene->bodyCount = bodyCount;
    scene->placementCount = placementCount;
    scene->shapes = (wkShape*)calloc(bodies, sizeof *scene->shapes);
    scene->models = (wkModel*)calloc(bodies, sizeof *scene->models);
    scene->meshes = (wkMesh**)calloc(bodies, sizeof(void*));
    scene->poses = (wkPose*)calloc(bodies * (size_t)placementCount, sizeof *scene->poses);
    return scene->shapes != NULL && scene->models != NULL && scene->meshes != NULL &&
           scene->poses != NULL;
}

void wkStrategyScene_Free(wkStrategyScene* scene)
{
    for (int i = 0; i < scene->bodyCount && scene->models != NULL && scene->meshes != NULL; i++) {
        wkModel_Free(&scene->models[i]);
        wkMesh_Destroy(scene->meshes[i]);
    }
    free(scene->shapes);
    free(scene->models);
    free((void*)scene->meshes);
    free(scene->poses);
    free(scene->cells);
    wkOctree_Destroy(scene->octree);
    memset(scene, 0, sizeof *scene);
}

// Makes a body the mesh that its model describes.
static bool buildMesh(wkStrategyScene* scene, int body)
{
    const wkModel* model = &scene->models[body];
    wkMeshDef def = wkModel_MeshDef(model);
    def.isSolid = false;
    if (wkMesh_Create(&def, &scene->meshes[body]) != wk_ok) {
        return false;
    }
    scene->shapes[body] = wkMakeMesh(scene->meshes[body]);
    return true;
}

// As many triangles as in the paper's scenes: spheres of 480, boxes of 12, cylinders of 128.
static bool meshOfShape(wkStrategyScene* scene, int body)
{
    const wkShape* shape = &scene->shapes[body];
    wkModel* model = &scene->models[body];
    wkVec3d origin = {0.0, 0.0, 0.0};
    bool isMade = shape->type == wk_shapeSphere
                      ? wkModel_AddBlob(model, origin, shape->sphere.radius, 0.0, 16, 16)
                      : wkModel_AddShape(model, shape, 32);
    return isMade && buildMesh(scene, body);
}

// The cells of the map one by one, as boxes.
static bool listCells(wkStrategyScene* scene)
{
    double size = wkOctree_Def(scene->octree).resolution;
    int capacity = 0;
    for (int isCounted = 0; isCounted < 2; isCounted++) {
        wkCellRequest filter = wkDefaultCellRequest();
        filter.wantsFree = false;
        wkCellIterator iterator = wkOctree_Cells(scene->octree, &filter);
        wkCell cell;
        scene->cellCount = 0;
        while (wkCellIterator_Next(&iterator, &cell)) {
            int side = (int)lround(cell.size / size);
            for (int i = 0; i < side * side * side; i++) {
                if (scene->cellCount < capacity) {
                    int row = i / side, layer = row / side;
                    double x = size * (i % side), y = size * (row % side), z = size * layer;
                    double half = 0.5 * cell.size;
                    wkVec3d vertex = wkSceneSub(cell.center, wkSceneVec(half, half, half));
                    wkAabb* box = &scene->cells[scene->cellCount];
                    box->lower = wkSceneAdd(vertex, wkSceneVec(x, y, z));
                    box->upper = wkSceneAdd(box->lower, wkSceneVec(size, size, size));
                }
                scene->cellCount++;
            }
        }
        if (scene->cells == NULL) {
            capacity = scene->cellCount;
            scene->cells = (wkAabb*)calloc((size_t)capacity + 1, sizeof *scene->cells);
        }
        if (scene->cells == NULL) {
            return false;
        }
    }
    scene->cellSize = size;
    return true;
}

static wkOctree* emptyMap(double resolution)
{
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = resolution;
    wkOctree* octree = NULL;
    return wkOctree_Create(&def, &octree) == wk_ok ? octree : NULL;
}

static bool hit(wkOctree* octree, wkVec3d point)
{
    wkCellKey key;
    return wkOctree_KeyAt(octree, point, &key) && wkOctree_Observe(octree, key, true) == wk_ok;
}

// More cells about those of the paper, just as dense, in a larger cube.
static bool growMap(wkStrategyScene* scene, int growth)
{
    wkRng rng = wkMakeRng(SEED);
    double inner = 5.0, outer = inner * growth;
    int count = WK_CELL_COUNT * (growth * growth * growth - 1);
    bool isMade = true;
    for (int i = 0; isMade && i < count;) {
        double x = wkRngRange(&rng, -outer, outer), y = wkRngRange(&rng, -outer, outer);
        double z = wkRngRange(&rng, -outer, outer);
        if (fmax(fabs(x), fmax(fabs(y), fabs(z))) > inner + GROWTH_GAP) {
            isMade = hit(scene->octree, wkSceneVec(x, y, z));
            i++;
        }
    }
    return isMade;
}

bool wkStrategyScene_MakeCells(wkStrategyScene* scene, wkCellKind kind, bool areMeshes, int growth)
{
    static wkCellScene cells;
    wkMakeCellScene(&cells, kind, SEED);
    bool isMade = reserve(scene, WK_CELL_OBJECTS, 1);
    scene->octree = emptyMap(WK_CELL_SIZE);
    snprintf(scene->name, sizeof scene->name, "%s/%s", areMeshes ? "meshes" : "shapes", cells.name);
    isMade = isMade && scene->octree != NULL;
    for (int i = 0; isMade && i < WK_CELL_COUNT; i++) {
        isMade = hit(scene->octree, cells.centers[i]);
    }
    for (int i = 0; isMade && i < WK_CELL_OBJECTS; i++) {
        scene->shapes[i] = cells.shapes[i];
        scene->poses[i] = cells.poses[i];
        isMade = !areMeshes || meshOfShape(scene, i);
    }
    return isMade && growMap(scene, growth) && listCells(scene);
}

static bool seeRoom(wkStrategyScene* scene)
{
    wkRoomScene room = wkMakeRoom();
    wkRoomView view = wkMakeRoomView();
    view.noise = ROOM_NOISE;
    size_t count = (size_t)view.width * (size_t)view.height;
    float* points = (float*)calloc(count, 3 * sizeof *points);
    scene->octree = emptyMap(ROOM_CELL_SIZE);
    bool isMade = points != NULL && scene->octree != NULL;
    if (isMade) {
        wkRoom_See(&room, &view, points);
    }
    for (size_t i = 0; isMade && i < count; i++) {
        const float* p = &points[3 * i];
        isMade = hit(scene->octree, wkSceneVec((double)p[0], (double)p[1], (double)p[2]));
    }
    free(points);
    return isMade;
}

bool wkStrategyScene_MakeRobot(wkStrategyScene* scene)
{
    static wkLinks links;
    wkRng rng = wkMakeRng(ROBOT_SEED);
    bool isMade = wkLinks_Make(&links) && reserve(scene, WK_LINK_COUNT, CONFIGURATION_COUNT);
    snprintf(scene->name, sizeof scene->name, "robot");
    for (int i = 0; isMade && i < WK_LINK_COUNT; i++) {
        scene->shapes[i] = links.links[i].shape;
        if (links.links[i].isMesh) {
            // the model changes hands
            scene->models[i] = links.links[i].model;
            memset(&links.links[i].model, 0, sizeof(wkModel));
            isMade = buildMesh(scene, i);
        }
    }
    for (int i = 0; isMade && i < CONFIGURATION_COUNT; i++) {
        wkLinks_Pose(&links, &rng, wkSceneVec(-0.9, 0.1, 0.0), &scene->poses[i * WK_LINK_COUNT]);
    }
    wkLinks_Free(&links);
    return isMade && seeRoom(scene) && listCells(scene);
}

static double axisGap(double lowerA, double upperA, double lowerB, double upperB)
{
    return fmax(0.0, fmax(lowerA - upperB, lowerB - upperA));
}

static double boxGap(const wkAabb* a, const wkAabb* b)
{
    wkVec3d gap = wkSceneVec(axisGap(a->lower.x, a->upper.x, b->lower.x, b->upper.x),
                             axisGap(a->lower.y, a->upper.y, b->lower.y, b->upper.y),
                             axisGap(a->lower.z, a->upper.z, b->lower.z, b->upper.z));
    return wkSceneLength(gap);
}

// How far a body is from the nearest cell; what is further than `limit` is not looked for.
static double nearestCell(const wkStrategyScene* scene, const wkShape* shape, wkPose pose,
                          double limit)
{
    wkAabb around = wkShape_Bounds(shape, pose);
    wkShape box = wkMakeBox(scene->cellSize, scene->cellSize, scene->cellSize);
    for (int i = 0; i < scene->cellCount && limit > 0.0; i++) {
        const wkAabb* cell = &scene->cells[i];
        if (boxGap(&around, cell) > limit) {
            continue;
        }
        wkVec3d middle = wkSceneScale(wkSceneAdd(cell->lower, cell->upper), 0.5);
        wkDistanceRequest request = wkDefaultDistanceRequest();
        request.isSigned = false;
        request.cutoff = limit;
        wkPose cellPose = wkMakePose(middle.x, middle.y, middle.z);
        limit = fmin(limit, wkDistance(shape, pose, &box, cellPose, &request).distance);
    }
    return limit;
}

double wkStrategyTruth(const wkStrategyScene* scene, wkStrategyQuery query, int placement)
{
    double nearest = INFINITY, touching = 0.0;
    for (int i = 0; i < scene->bodyCount; i++) {
        wkPose pose = scene->poses[placement * scene->bodyCount + i];
        // a little more than nothing is enough to tell whether it touches
        double limit = query == wk_strategyDistance ? nearest : 1e-6;
        double gap = nearestCell(scene, &scene->shapes[i], pose, limit);
        touching += gap <= 0.0 ? 1.0 : 0.0;
        nearest = fmin(nearest, gap);
    }
    return query == wk_strategyFirst ? fmin(touching, 1.0)
           : query == wk_strategyAll ? touching
                                     : nearest;
}

void wkStrategyScene_KeepFree(wkStrategyScene* scene, const double* touching, int count)
{
    int kept = 0;
    for (int i = 0; i < scene->placementCount && kept < count; i++) {
        if (touching[i] == 0.0) {
            memmove(&scene->poses[kept * scene->bodyCount], &scene->poses[i * scene->bodyCount],
                    sizeof(wkPose) * (size_t)scene->bodyCount);
            kept++;
        }
    }
    scene->placementCount = kept;
}
