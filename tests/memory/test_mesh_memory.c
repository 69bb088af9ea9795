// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Meshes survive the failure of any allocation: nothing is lost, and what was there is as before.

#include "failing.h"
#include "kit.h"
#include "whisker/whisker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A grid bent over a dome; closed bodies come from a box.
#define GRID 20
static wkVec3d domeVertices[(GRID + 1) * (GRID + 1)];
static int32_t domeTriangles[2 * GRID * GRID][3];
static const int32_t boxTriangles[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                            {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                            {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
static wkVec3d boxVertices[8];

static void makeSets(void)
{
    for (int i = 0; i < (GRID + 1) * (GRID + 1); ++i) {
        double x = 0.1 * (i % (GRID + 1)) - 1.0, y = 0.1 * (i / (GRID + 1)) - 1.0;
        domeVertices[i] = wkSceneVec(x, y, sqrt(3.0 - x * x - y * y));
    }
    for (int i = 0; i < GRID * GRID; ++i) {
        int32_t a = i / GRID * (GRID + 1) + i % GRID;
        int32_t vertices[6] = {a, a + 1, a + GRID + 1, a + 1, a + GRID + 2, a + GRID + 1};
        memcpy(domeTriangles[2 * i], vertices, sizeof vertices);
    }
    for (int i = 0; i < 8; ++i) {
        boxVertices[i] = wkSceneVec(i & 1, i & 2, i & 4);
    }
}

static wkMeshDef domeDef(void)
{
    wkMeshDef def = wkDefaultMeshDef();
    def.isSolid = false;
    def.vertices = domeVertices;
    def.vertexCount = (GRID + 1) * (GRID + 1);
    def.triangles = &domeTriangles[0][0];
    def.triangleCount = 2 * GRID * GRID;
    return def;
}

static wkMeshDef boxDef(void)
{
    wkMeshDef def = wkDefaultMeshDef();
    def.vertices = boxVertices;
    def.vertexCount = 8;
    def.triangles = &boxTriangles[0][0];
    def.triangleCount = 12;
    def.isSolid = true;
    return def;
}

static wkResult createAndDestroy(const wkMeshDef* def)
{
    wkMesh* mesh;
    wkResult result = wkMesh_Create(def, &mesh);
    assert_true((mesh != NULL) == (result == wk_ok));
    wkMesh_Destroy(mesh);
    return result;
}

static wkResult createBySurface(void)
{
    wkMeshDef def = domeDef();
    return createAndDestroy(&def);
}

static wkResult createConvex(void)
{
    wkMeshDef def = boxDef();
    return createAndDestroy(&def);
}

static wkResult createWithLids(void)
{
    wkMeshDef def = domeDef();
    def.isSolid = true;
    return createAndDestroy(&def);
}

// Two boxes that share a face, with triangles that are missing or face the wrong way: taken as their hull.
static wkResult createByHull(void)
{
    static const wkVec3d vertices[] = {{1, 1, 2},  {1, 1, 0},  {3, 1, 0},   {1, -1, 0},
                                       {-1, 1, 0}, {-1, 1, 2}, {1, -1, 2},  {3, -1, 0},
                                       {3, -1, 2}, {3, 1, 2},  {-1, -1, 2}, {-1, -1, 0}};
    static const int32_t triangles[][3] = {
        {0, 1, 2}, {1, 3, 4}, {0, 5, 6},   {2, 7, 8},  {0, 9, 8},   {10, 6, 3},
        {2, 9, 0}, {3, 1, 6}, {0, 6, 1},   {11, 4, 3}, {1, 0, 6},   {10, 6, 5},
        {1, 3, 7}, {0, 1, 5}, {8, 9, 2},   {7, 2, 1},  {11, 10, 4}, {6, 3, 1},
        {7, 3, 6}, {6, 8, 7}, {11, 3, 10}, {4, 5, 1}};
    wkMeshDef def = wkDefaultMeshDef();
    def.vertices = vertices;
    def.vertexCount = (int32_t)(sizeof vertices / sizeof *vertices);
    def.triangles = &triangles[0][0];
    def.triangleCount = (int32_t)(sizeof triangles / sizeof *triangles);
    wkMesh* mesh;
    wkResult result = wkMesh_Create(&def, &mesh);
    assert_true((mesh != NULL) == (result == wk_ok));
    assert_true(mesh == NULL || wkMesh_Info(mesh).hullCount == 1);
    wkMesh_Destroy(mesh);
    return result;
}

// Two boxes that share a face, with all triangles from both sides.
static wkResult createFromBothSides(void)
{
    wkVec3d vertices[16];
    int32_t triangles[48][3];
    for (int i = 0; i < 16; ++i) {
        vertices[i] = boxVertices[i % 8];
        vertices[i].x += i / 8;
    }
    for (int i = 0; i < 48; ++i) {
        const int32_t* t = boxTriangles[i % 12];
        bool isBack = i / 12 % 2 == 1;
        triangles[i][0] = t[0] + 8 * (i / 24);
        triangles[i][1] = t[isBack ? 2 : 1] + 8 * (i / 24);
        triangles[i][2] = t[isBack ? 1 : 2] + 8 * (i / 24);
    }
    wkMeshDef def = wkDefaultMeshDef();
    def.vertices = vertices;
    def.vertexCount = 16;
    def.triangles = &triangles[0][0];
    def.triangleCount = 48;
    return createAndDestroy(&def);
}

static wkResult createByCurve(void)
{
    wkMeshDef def = domeDef();
    def.split = wk_splitMorton;
    def.volume = wk_volumeObbRss;
    return createAndDestroy(&def);
}

static wkResult listElements(void)
{
    wkMeshDef def = domeDef();
    wkMesh* mesh = NULL;
    wkMeshElements* elements = NULL;
    wkResult result = wkMesh_Create(&def, &mesh);
    if (result == wk_ok) {
        result = wkMeshElements_Create(mesh, &elements);
        assert_true((elements != NULL) == (result == wk_ok));
    }
    wkMeshElements_Destroy(elements);
    wkMesh_Destroy(mesh);
    return result;
}

static wkSplitPlane splitAcross(const wkSplitSet* set, void* context)
{
    (void)context;
    wkSplitPlane plane = {{1.0, 1.0, 0.0},
                          set->centers[set->indices[0]].x + set->centers[set->indices[0]].y};
    return plane;
}

static wkResult createByOwnRule(void)
{
    wkMeshDef def = domeDef();
    def.splitFcn = splitAcross;
    return createAndDestroy(&def);
}

static wkResult copyBlock(void)
{
    wkMeshDef def = domeDef();
    wkMesh *mesh, *copy = NULL;
    wkResult result = wkMesh_Create(&def, &mesh);
    if (result == wk_ok) {
        result = wkMesh_FromBlock(wkMesh_Block(mesh), wkMesh_Info(mesh).byteCount, &copy);
    }
    wkMesh_Destroy(copy);
    wkMesh_Destroy(mesh);
    return result;
}

static wkResult runBuilder(wkMeshBuilder* builder, wkMeshDef def, bool rebuilds)
{
    wkResult result = wkMeshBuilder_BeginModel(builder, 10, 0);
    if (result == wk_ok) {
        result = wkMeshBuilder_AddPart(builder, def.vertices, def.vertexCount, def.triangles,
                                       def.triangleCount);
    }
    result = result == wk_ok ? wkMeshBuilder_EndModel(builder) : result;
    result = result == wk_ok ? wkMeshBuilder_BeginReplace(builder) : result;
    wkVec3d position = {0.5, 0.25, 3.0};
    result = result == wk_ok ? wkMeshBuilder_ReplaceVertices(builder, 5, &position, 1) : result;
    result = result == wk_ok ? wkMeshBuilder_EndReplace(builder, rebuilds) : result;
    result = result == wk_ok ? wkMeshBuilder_BeginUpdate(builder) : result;
    position.x = 0.75;
    result = result == wk_ok ? wkMeshBuilder_UpdateVertices(builder, 5, &position, 1) : result;
    if (result != wk_ok) {
        return result;
    }

    // what fails in the end leaves the mesh as it was
    const wkMesh* mesh = wkMeshBuilder_Mesh(builder);
    size_t byteCount = wkMesh_Info(mesh).byteCount;
    void* before = malloc(byteCount);
    memcpy(before, wkMesh_Block(mesh), byteCount);
    result = wkMeshBuilder_EndUpdate(builder, rebuilds);
    if (result != wk_ok) {
        assert_memory_equal(before, wkMesh_Block(mesh), byteCount);
        assert_string_equal(wkMeshBuilder_State(builder), "updating");
    }
    free(before);
    return result;
}

static wkResult runBuilderOf(wkVolumeKind kind, bool rebuilds)
{
    wkMeshDef def = domeDef();
    def.volume = kind;
    wkMeshBuilder* builder;
    wkResult result = wkMeshBuilder_Create(&def, &builder);
    result = result == wk_ok ? runBuilder(builder, def, rebuilds) : result;
    wkMeshBuilder_Destroy(builder);
    return result;
}

static wkResult refitBoxes(void)
{
    return runBuilderOf(wk_volumeAabb, false);
}

static wkResult refitOriented(void)
{
    return runBuilderOf(wk_volumeObb, false);
}

static wkResult rebuildOriented(void)
{
    return runBuilderOf(wk_volumeRss, true);
}

static wkResult createField(void)
{
    static const double heights[6] = {0.0, 1.0, 2.0, 1.0, 0.0, 1.0};
    wkHeightFieldDef def = wkDefaultHeightFieldDef();
    def.heights = heights;
    def.columns = 3;
    def.rows = 2;
    def.sizeX = 1.0;
    def.sizeY = 1.0;
    wkHeightField* field;
    wkResult result = wkHeightField_Create(&def, &field);
    assert_true((field != NULL) == (result == wk_ok));
    wkHeightField_Destroy(field);
    return result;
}

typedef struct story {
    const char* name;
    wkResult (*recordProgress)(void);
    long allocationCount; // at least
} story;

// clang-format off
static const story stories[] = {
    {"by surface",       createBySurface, 3},
    {"convex",           createConvex,    4},
    {"with lids",        createWithLids,  9},
    {"from both sides",  createFromBothSides, 20},
    {"by hull",          createByHull,    20},
    {"by curve",         createByCurve,   4},
    {"elements",         listElements,    4},
    {"by own rule",      createByOwnRule, 3},
    {"block",            copyBlock,       4},
    {"refit boxes",      refitBoxes,      4},
    {"refit oriented",   refitOriented,   4},
    {"rebuild oriented", rebuildOriented, 4},
    {"height field",     createField,     1},
};
// clang-format on

static void meshes_survive_a_failing_allocator(void** state)
{
    (void)state;
    makeSets();
    failing f = {0, -1, 0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &f};
    wkSetAllocator(&allocator);
    for (size_t i = 0; i < sizeof stories / sizeof *stories; ++i) {
        wkResult result = wk_errorMemory;
        long n = 0;
        for (; result != wk_ok; ++n) {
            f.callCount = 0;
            f.failAt = n;
            result = stories[i].recordProgress();
            if ((result != wk_ok && result != wk_errorMemory) || f.allocatedBytes != 0 ||
                wkGetByteCount() != 0) {
                fail_msg("%s, failure %ld: %s, %ld bytes left", stories[i].name, n,
                         wkResultName(result), f.allocatedBytes);
            }
        }
        assert_true(n > stories[i].allocationCount);
    }
    wkSetAllocator(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(meshes_survive_a_failing_allocator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
