// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "fields.h"

#include <stdlib.h>

#define BOTTOM (-0.5)
#define CELL_X 0.1
#define CELL_Y 0.15

typedef struct kindRow {
    const char* name;
    double (*height)(wkRng* rng, int32_t column, int32_t row);
} kindRow;

static double flatHeight(wkRng* rng, int32_t column, int32_t row)
{
    (void)rng, (void)column, (void)row;
    return 0.25;
}

static double hillHeight(wkRng* rng, int32_t column, int32_t row)
{
    return 0.2 * sin(0.3 * column) * cos(0.4 * row) + 0.01 * wkRngUnit(rng);
}

static double roughHeight(wkRng* rng, int32_t column, int32_t row)
{
    (void)column, (void)row;
    return wkRngRange(rng, -0.1, 0.1);
}

static double stepHeight(wkRng* rng, int32_t column, int32_t row)
{
    (void)rng;
    return 0.125 * ((column + 1) / 3 % 4) + 0.25 * (row / 2 % 3);
}

static double spikeHeight(wkRng* rng, int32_t column, int32_t row)
{
    (void)column, (void)row;
    return wkRngChance(rng, 9) ? 1.5 : 0.0;
}

// Down to the bottom and below it.
static double pitHeight(wkRng* rng, int32_t column, int32_t row)
{
    (void)column, (void)row;
    return wkRngRange(rng, BOTTOM - 0.3, BOTTOM + 0.3);
}

static const kindRow kinds[WK_FIELD_KIND_COUNT] = {
    {"flat", flatHeight},  {"hills", hillHeight},   {"rough", roughHeight},
    {"steps", stepHeight}, {"spikes", spikeHeight}, {"pits", pitHeight},
};

const char* wkFieldKindName(int kind)
{
    return kinds[kind].name;
}

double* wkMakeHeights(int kind, int32_t columns, int32_t rows, uint64_t seed)
{
    wkRng rng = wkMakeRng(seed);
    double* heights = malloc((size_t)columns * (size_t)rows * sizeof *heights);
    for (int32_t i = 0; heights != NULL && i < columns * rows; i++) {
        heights[i] = kinds[kind].height(&rng, i % columns, i / columns);
    }
    return heights;
}

// Vertices that stand apart, as a file of triangles has them.
typedef struct soup {
    wkVec3d* vertices;
    int32_t* triangles;
    int32_t count;
} soup;

static void addTriangle(soup* s, wkTriangle triangle)
{
    for (int32_t k = 0; k < 3; k++) {
        s->vertices[3 * s->count + k] = triangle.points[k];
        s->triangles[3 * s->count + k] = 3 * s->count + k;
    }
    s->count++;
}

static void addFieldTriangles(const wkHeightField* field, int32_t end, soup* s)
{
    for (int32_t i = 0; i < end; i++) {
        addTriangle(s, wkHeightField_Triangle(field, i));
    }
}

// A bottom of one triangle for each edge at the foot of the walls, about the middle.
static void addFan(const wkHeightField* field, int32_t wallFirst, int32_t bottomFirst, soup* s)
{
    wkVec3d middle = {0.0, 0.0, BOTTOM};
    // the first triangle of each wall has the edge at the bottom
    for (int32_t i = wallFirst; i < bottomFirst; i += 2) {
        wkTriangle wall = wkHeightField_Triangle(field, i);
        wkTriangle fan = {{wall.points[1], wall.points[0], middle}};
        addTriangle(s, fan);
    }
}

static wkMesh* makeSolid(const soup* s)
{
    wkMesh* mesh = NULL;
    wkMeshDef def = wkDefaultMeshDef();
    def.vertices = s->vertices;
    def.vertexCount = 3 * s->count;
    def.triangles = s->triangles;
    def.triangleCount = s->count;
    def.isSolid = true;
    wkMesh_Create(&def, &mesh);
    return mesh;
}

static void makeOracles(wkFieldScene* scene, int32_t wallFirst)
{
    // the fan of the closed mesh takes the place of two triangles
    int32_t bottomFirst = scene->bottomFirst;
    size_t capacity = (size_t)bottomFirst + (size_t)(bottomFirst - wallFirst) / 2;
    soup s = {malloc(3 * capacity * sizeof(wkVec3d)), malloc(3 * capacity * sizeof(int32_t)), 0};
    if (s.vertices != NULL && s.triangles != NULL) {
        addFieldTriangles(scene->field, bottomFirst + 2, &s);
        scene->mesh = makeSolid(&s);
        s.count = 0;
        addFieldTriangles(scene->field, bottomFirst, &s);
        addFan(scene->field, wallFirst, bottomFirst, &s);
        scene->closed = makeSolid(&s);
    }
    free(s.vertices);
    free(s.triangles);
}

bool wkFieldScene_Create(int kind, int32_t columns, int32_t rows, uint64_t seed,
                         wkFieldScene* scene)
{
    wkHeightFieldDef def = wkDefaultHeightFieldDef();
    double* heights = wkMakeHeights(kind, columns, rows, seed);
    def.heights = heights;
    def.columns = columns;
    def.rows = rows;
    def.sizeX = CELL_X * (columns - 1);
    def.sizeY = CELL_Y * (rows - 1);
    def.minHeight = BOTTOM;
    *scene = (wkFieldScene){0};
    bool isMade = heights != NULL && wkHeightField_Create(&def, &scene->field) == wk_ok;
    free(heights);
    if (!isMade) {
        return false;
    }
    scene->bottomFirst = wkHeightField_Info(scene->field).triangleCount - 2;
    makeOracles(scene, 2 * (columns - 1) * (rows - 1));
    scene->half = wkSceneVec(0.5 * def.sizeX, 0.5 * def.sizeY, 0.5);
    scene->center = wkSceneVec(0.0, 0.0, 0.0);
    return scene->mesh != NULL && scene->closed != NULL;
}

void wkFieldScene_Destroy(wkFieldScene* scene)
{
    wkHeightField_Destroy(scene->field);
    wkMesh_Destroy(scene->mesh);
    wkMesh_Destroy(scene->closed);
}

wkVec3d wkFieldScene_Place(const wkFieldScene* scene, wkRng* rng)
{
    return wkSceneVec(scene->center.x + scene->half.x * wkRngRange(rng, -1.3, 1.3),
                      scene->center.y + scene->half.y * wkRngRange(rng, -1.3, 1.3),
                      scene->center.z + scene->half.z * wkRngRange(rng, -2.0, 2.0));
}
