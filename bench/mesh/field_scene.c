// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// See field_scene.h.

#include "mesh/field_scene.h"

#include "../tests/scenes/mesh_models.h"
#include "../tests/scenes/rng.h"
#include "peers/our_mesh_side.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SIDE WK_GROUND_SIDE
#define SIZE 32.0 // cells of a power of two: both sides have the same numbers
#define CELL (SIZE / (SIDE - 1))
#define BOTTOM (-3.0)
#define RIM_COUNT (4 * (SIDE - 1))
#define VERTEX_COUNT (SIDE * SIDE + RIM_COUNT + 1)
#define TRIANGLE_COUNT (2 * (SIDE - 1) * (SIDE - 1) + 3 * RIM_COUNT)

static double heightAt(wkRng* rng, double x, double y)
{
    return 0.8 * sin(0.5 * x) * cos(0.4 * y) + 0.15 * sin(2.1 * x + 1.3 * y) +
           0.02 * wkRngUnit(rng);
}

static double coordinateOf(int index)
{
    return CELL * index - 0.5 * SIZE;
}

static int32_t gridVertex(int column, int row)
{
    return row * SIDE + column;
}

// The vertices of the grid on its rim, anticlockwise from above.
static int32_t rimVertex(int index)
{
    int last = SIDE - 1, along = index % last;
    switch (index / last % 4) {
    case 0:
        return gridVertex(along, 0);
    case 1:
        return gridVertex(last, along);
    case 2:
        return gridVertex(last - along, last);
    default:
        return gridVertex(0, last - along);
    }
}

static int32_t* putTriangle(int32_t* next, int32_t a, int32_t b, int32_t c)
{
    next[0] = a;
    next[1] = b;
    next[2] = c;
    return next + 3;
}

static void fillVertices(const double* heights, wkVec3d* vertices)
{
    for (int i = 0; i < SIDE * SIDE; i++) {
        vertices[i] = (wkVec3d){coordinateOf(i % SIDE), coordinateOf(i / SIDE), heights[i]};
    }
    for (int i = 0; i < RIM_COUNT; i++) {
        wkVec3d* surfacePoint = &vertices[SIDE * SIDE + i];
        *surfacePoint = vertices[rimVertex(i)];
        surfacePoint->z = BOTTOM;
    }
    vertices[VERTEX_COUNT - 1] = (wkVec3d){0.0, 0.0, BOTTOM};
}

// Cells as the field cuts them, walls below the rim, and a bottom about its middle.
static void fillTriangles(int32_t* next)
{
    for (int row = 0; row + 1 < SIDE; row++) {
        for (int column = 0; column + 1 < SIDE; column++) {
            int32_t a = gridVertex(column, row), b = gridVertex(column + 1, row + 1);
            next = putTriangle(next, a, a + 1, b);
            next = putTriangle(next, a, b, b - 1);
        }
    }
    for (int i = 0; i < RIM_COUNT; i++) {
        int32_t surfacePoint = SIDE * SIDE + i,
                nextSurfacePoint = SIDE * SIDE + (i + 1) % RIM_COUNT;
        next = putTriangle(next, surfacePoint, nextSurfacePoint, rimVertex(i + 1));
        next = putTriangle(next, surfacePoint, rimVertex(i + 1), rimVertex(i));
        next = putTriangle(next, nextSurfacePoint, surfacePoint, VERTEX_COUNT - 1);
    }
}

static bool makeArrays(wkGround* ground)
{
    ground->heights = (double*)malloc(SIDE * SIDE * sizeof(double));
    wkVec3d* vertices = (wkVec3d*)malloc(VERTEX_COUNT * sizeof(wkVec3d));
    int32_t* triangles = (int32_t*)malloc(3 * TRIANGLE_COUNT * sizeof(int32_t));
    ground->meshDef = wkDefaultMeshDef();
    ground->meshDef.vertices = vertices;
    ground->meshDef.vertexCount = VERTEX_COUNT;
    ground->meshDef.triangles = triangles;
    ground->meshDef.triangleCount = TRIANGLE_COUNT;
    ground->meshDef.isSolid = true;
    if (ground->heights == NULL || vertices == NULL || triangles == NULL) {
        return false;
    }
    wkRng rng = wkMakeRng(31);
    for (int i = 0; i < SIDE * SIDE; i++) {
        ground->heights[i] = heightAt(&rng, coordinateOf(i % SIDE), coordinateOf(i / SIDE));
    }
    fillVertices(ground->heights, vertices);
    fillTriangles(triangles);
    return true;
}

static wkMesh* makeKnot(void)
{
    wkModel model;
    memset(&model, 0, sizeof model);
    wkMesh* knot = NULL;
    if (wkModel_AddKnot(&model, 0.15, 0.05, 150, 8)) {
        knot = wkBuildModel(&model, wk_volumeAabb, wk_splitSah);
    }
    wkModel_Free(&model);
    return knot;
}

bool wkGround_Create(wkGround* ground)
{
    memset(ground, 0, sizeof *ground);
    if (makeArrays(ground)) {
        ground->field = wkGround_MakeField(ground);
        wkMesh_Create(&ground->meshDef, &ground->mesh);
        ground->knot = makeKnot();
    }
    return ground->field != NULL && ground->mesh != NULL && ground->knot != NULL;
}

void wkGround_Destroy(wkGround* ground)
{
    free(ground->heights);
    free((void*)ground->meshDef.vertices);
    free((void*)ground->meshDef.triangles);
    wkHeightField_Destroy(ground->field);
    wkMesh_Destroy(ground->mesh);
    wkMesh_Destroy(ground->knot);
}

wkHeightField* wkGround_MakeField(const wkGround* ground)
{
    wkHeightField* field = NULL;
    wkHeightFieldDef def = wkDefaultHeightFieldDef();
    def.heights = ground->heights;
    def.columns = SIDE;
    def.rows = SIDE;
    def.sizeX = SIZE;
    def.sizeY = SIZE;
    def.minHeight = BOTTOM;
    wkHeightField_Create(&def, &field);
    return field;
}

// A point of the grid away from its rim.
static wkVec3d drawPoint(const wkGround* ground, wkRng* rng)
{
    int column = 20 + wkRngBelow(rng, SIDE - 40), row = 20 + wkRngBelow(rng, SIDE - 40);
    return ground->meshDef.vertices[gridVertex(column, row)];
}

void wkGround_MakePoses(const wkGround* ground, uint64_t seed, int count, wkPose* poses)
{
    wkRng rng = wkMakeRng(seed);
    for (int i = 0; i < count; i++) {
        poses[i].position = drawPoint(ground, &rng);
        poses[i].position.x += wkRngRange(&rng, -CELL, CELL);
        poses[i].position.y += wkRngRange(&rng, -CELL, CELL);
        poses[i].position.z += wkRngRange(&rng, 0.15, 0.35);
        poses[i].rotation = wkRngRotation(&rng);
    }
}

void wkGround_MakeRays(const wkGround* ground, uint64_t seed, int count, wkRay* rays)
{
    wkRng rng = wkMakeRng(seed);
    for (int i = 0; i < count; i++) {
        wkVec3d from = drawPoint(ground, &rng), to = drawPoint(ground, &rng);
        from.z += wkRngRange(&rng, 1.0, 5.0);
        wkVec3d way = {to.x - from.x, to.y - from.y, to.z - from.z};
        double length = sqrt(way.x * way.x + way.y * way.y + way.z * way.z);
        rays[i] = (wkRay){from, {way.x / length, way.y / length, way.z / length}, 100.0};
    }
}
