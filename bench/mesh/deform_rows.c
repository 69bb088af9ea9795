// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// deform/cloth/<query>: a cloth of 20,000 triangles falls on a sphere and hangs over it, in frames that are computed
// beforehand; each frame is timed with the refit of the hierarchy. deform/elements/<kind>: pairs of moving elements,
// one by one.

#include "../tests/scenes/rng.h"
#include "../tests/scenes/scene_math.h"
#include "bench.h"
#include "measure.h"
#include "whisker/whisker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEED 41u

#define SIDE 101 // vertices along each side of the cloth
#define VERTEX_COUNT (SIDE * SIDE)
#define TRIANGLE_COUNT (2 * (SIDE - 1) * (SIDE - 1))
#define SPACING 0.02
#define FRAME_COUNT 24
#define FRAME_TIME (1.0 / 30.0)
#define RELAXATIONS 20

#define SPHERE_RADIUS 0.5
#define SPHERE_SEGMENTS 64
#define THICKNESS 0.002
#define SPHERE_CAPACITY 8192

#define CONTACT_CAPACITY 65536
#define ELEMENT_COUNT 4096

typedef struct clothScene {
    wkVec3d* frames; // FRAME_COUNT + 1 times VERTEX_COUNT
    int32_t* triangles;
    wkVec3d* sphereVertices;
    int32_t* sphereTriangles;
    wkElementContact* contacts;
    wkMeshBuilder* builder;
    wkMeshElements* cloth;
    wkMesh* sphereMesh;
    wkMeshElements* sphere;
} clothScene;

// What is done in each frame, after the refit.
typedef struct clothRow {
    const char* name;
    bool castsSphere;
    bool castsSelf;
    int32_t capacity;
} clothRow;

static const clothRow clothRows[] = {
    {"refit", false, false, 0},
    {"sphere-first", true, false, 0},
    {"sphere-contacts", true, false, CONTACT_CAPACITY},
    {"self-contacts", false, true, CONTACT_CAPACITY},
    {"all-contacts", true, true, CONTACT_CAPACITY},
};
#define CLOTH_ROW_COUNT ((int)(sizeof clothRows / sizeof clothRows[0]))

typedef struct clothSide {
    clothScene* scene;
    const clothRow* row;
    long contactCount; // of the last pass
    long firstCount;   // of the first one
    long pairCount;
} clothSide;

// Moves two vertices to their distance at rest.
static void pull(wkVec3d* a, wkVec3d* b, double length)
{
    wkVec3d way = wkSceneSub(*b, *a);
    double now = wkSceneLength(way);
    wkVec3d move = wkSceneScale(way, now > length ? 0.5 * (now - length) / now : 0.0);
    *a = wkSceneAdd(*a, move);
    *b = wkSceneSub(*b, move);
}

static void relax(wkVec3d* vertices)
{
    for (int i = 0; i < VERTEX_COUNT; ++i) {
        if (i % SIDE + 1 < SIDE) {
            pull(&vertices[i], &vertices[i + 1], SPACING);
        }
        if (i / SIDE + 1 < SIDE) {
            pull(&vertices[i], &vertices[i + SIDE], SPACING);
        }
        if (i % SIDE + 1 < SIDE && i / SIDE + 1 < SIDE) {
            pull(&vertices[i], &vertices[i + SIDE + 1], SPACING * sqrt(2.0));
        }
    }
    for (int i = 0; i < VERTEX_COUNT; ++i) {
        double length = wkSceneLength(vertices[i]), reach = SPHERE_RADIUS + THICKNESS;
        if (length < reach) {
            vertices[i] = wkSceneScale(vertices[i], reach / length);
        }
    }
}

// Each frame: as fast as before, faster downwards, then pulled together and out of the sphere.
static void computeFrames(wkVec3d* frames)
{
    for (int i = 0; i < VERTEX_COUNT; ++i) {
        double x = SPACING * (i % SIDE) - 0.97, y = SPACING * (i / SIDE) - 1.01;
        frames[i] = wkSceneVec(x, y, 0.55 + 0.001 * sin(37.0 * x) * cos(29.0 * y));
    }
    for (int frame = 0; frame < FRAME_COUNT; ++frame) {
        wkVec3d* now = frames + (size_t)frame * VERTEX_COUNT;
        wkVec3d* next = now + VERTEX_COUNT;
        for (int i = 0; i < VERTEX_COUNT; ++i) {
            wkVec3d speed =
                frame > 0 ? wkSceneSub(now[i], now[i - VERTEX_COUNT]) : wkSceneVec(0.0, 0.0, 0.0);
            next[i] = wkSceneAdd(now[i], wkSceneScale(speed, 0.99));
            next[i].z -= 9.81 * FRAME_TIME * FRAME_TIME;
        }
        for (int i = 0; i < RELAXATIONS; ++i) {
            relax(next);
        }
    }
}

static void joinVertices(int32_t* next)
{
    for (int32_t j = 0; j + 1 < SIDE; j++) {
        for (int32_t i = 0; i + 1 < SIDE; i++) {
            int32_t a = j * SIDE + i, b = a + 1, c = a + SIDE, d = c + 1;
            const int32_t cell[6] = {a, b, d, a, d, c};
            memcpy(next, cell, sizeof cell);
            next += 6;
        }
    }
}

static bool makeSphere(clothScene* scene)
{
    wkShape sphere = wkMakeSphere(SPHERE_RADIUS);
    wkTriangulation out = {.vertices = scene->sphereVertices, .vertexCapacity = SPHERE_CAPACITY};
    out.indices = scene->sphereTriangles;
    out.triangleCapacity = SPHERE_CAPACITY;
    if (wkShape_Triangulate(&sphere, SPHERE_SEGMENTS, 1.0, &out) != wk_ok) {
        return false;
    }
    wkMeshDef def = wkDefaultMeshDef();
    def.vertices = scene->sphereVertices;
    def.vertexCount = out.vertexCount;
    def.triangles = scene->sphereTriangles;
    def.triangleCount = out.triangleCount;
    return wkMesh_Create(&def, &scene->sphereMesh) == wk_ok &&
           wkMeshElements_Create(scene->sphereMesh, &scene->sphere) == wk_ok;
}

static bool makeCloth(clothScene* scene)
{
    wkMeshDef def = wkDefaultMeshDef();
    def.isSolid = false;
    return wkMeshBuilder_Create(&def, &scene->builder) == wk_ok &&
           wkMeshBuilder_BeginModel(scene->builder, VERTEX_COUNT, TRIANGLE_COUNT) == wk_ok &&
           wkMeshBuilder_AddPart(scene->builder, scene->frames, VERTEX_COUNT, scene->triangles,
                                 TRIANGLE_COUNT) == wk_ok &&
           wkMeshBuilder_EndModel(scene->builder) == wk_ok &&
           wkMeshElements_Create(wkMeshBuilder_Mesh(scene->builder), &scene->cloth) == wk_ok;
}

static bool openScene(clothScene* scene)
{
    memset(scene, 0, sizeof *scene);
    scene->frames = (wkVec3d*)malloc(sizeof(wkVec3d) * VERTEX_COUNT * (FRAME_COUNT + 1));
    scene->triangles = (int32_t*)malloc(3 * sizeof(int32_t) * TRIANGLE_COUNT);
    scene->sphereVertices = (wkVec3d*)malloc(sizeof(wkVec3d) * SPHERE_CAPACITY);
    scene->sphereTriangles = (int32_t*)malloc(3 * sizeof(int32_t) * SPHERE_CAPACITY);
    scene->contacts = (wkElementContact*)malloc(sizeof(wkElementContact) * CONTACT_CAPACITY);
    if (scene->frames == NULL || scene->triangles == NULL || scene->sphereVertices == NULL ||
        scene->sphereTriangles == NULL || scene->contacts == NULL) {
        return false;
    }
    computeFrames(scene->frames);
    joinVertices(scene->triangles);
    return makeSphere(scene) && makeCloth(scene);
}

static void closeScene(clothScene* scene)
{
    wkMeshElements_Destroy(scene->cloth);
    wkMeshElements_Destroy(scene->sphere);
    wkMeshBuilder_Destroy(scene->builder);
    wkMesh_Destroy(scene->sphereMesh);
    free(scene->frames);
    free(scene->triangles);
    free(scene->sphereVertices);
    free(scene->sphereTriangles);
    free(scene->contacts);
}

static void castFrame(clothSide* side)
{
    clothScene* scene = side->scene;
    wkPose here = wkIdentityPose();
    wkElementContact* contacts = side->row->capacity > 0 ? scene->contacts : NULL;
    if (side->row->castsSphere) {
        wkMeshCastResult r = wkMeshElements_Cast(scene->cloth, here, scene->sphere, here, NULL,
                                                 contacts, side->row->capacity);
        side->contactCount += side->row->capacity > 0 ? r.contactCount : r.isTouching;
        side->pairCount += (long)r.pairCount;
    }
    if (side->row->castsSelf) {
        wkMeshCastResult r =
            wkMeshElements_CastSelf(scene->cloth, NULL, contacts, side->row->capacity);
        side->contactCount += r.contactCount;
        side->pairCount += (long)r.pairCount;
    }
}

// All frames, from the first one on.
static void playFrames(void* context)
{
    clothSide* side = (clothSide*)context;
    wkMeshBuilder* builder = side->scene->builder;
    side->contactCount = side->pairCount = 0;
    wkMeshBuilder_BeginReplace(builder);
    wkMeshBuilder_ReplaceVertices(builder, 0, side->scene->frames, VERTEX_COUNT);
    wkMeshBuilder_EndReplace(builder, false);
    for (int frame = 1; frame <= FRAME_COUNT; ++frame) {
        const wkVec3d* vertices = side->scene->frames + (size_t)frame * VERTEX_COUNT;
        wkMeshBuilder_BeginUpdate(builder);
        wkMeshBuilder_UpdateVertices(builder, 0, vertices, VERTEX_COUNT);
        wkMeshBuilder_EndUpdate(builder, false);
        castFrame(side);
    }
}

static bool isUnchanged(void* context)
{
    clothSide* side = (clothSide*)context;
    side->firstCount = side->firstCount < 0 ? side->contactCount : side->firstCount;
    return side->contactCount == side->firstCount;
}

static void emit(wkBench* bench, const char* name, wkBenchSide* side, const char* unit,
                 double scale, long count)
{
    wkBenchRow row;
    memset(&row, 0, sizeof row);
    snprintf(row.name, sizeof row.name, "%s", name);
    row.unit = unit;
    row.ours = side->median * scale;
    row.spread = wkBlockSpread(side, bench->blockCount);
    row.wrong = side->changedCount;
    row.n = count;
    wkBench_Emit(bench, &row);
}

static void runCloth(wkBench* bench, clothScene* scene, const clothRow* row, const char* name)
{
    clothSide cloth = {scene, row, 0, -1, 0};
    wkBenchSide side = {.pass = playFrames, .context = &cloth, .isUnchanged = isUnchanged};
    wkMeasure(&side, 1, FRAME_COUNT, bench->blockCount);
    emit(bench, name, &side, "ms", 1e-6, FRAME_COUNT);
    fprintf(stderr, "%s: %ld contacts, %ld pairs of elements in %d frames\n", name,
            cloth.contactCount, cloth.pairCount, FRAME_COUNT);
}

typedef struct elementSide {
    wkElementKind kind;
    wkVec3d start[ELEMENT_COUNT][4];
    wkVec3d end[ELEMENT_COUNT][4];
    bool isTouching[ELEMENT_COUNT];
    bool wasTouching[ELEMENT_COUNT];
    bool hasRun;
} elementSide;

// Elements of one size near each other: a third of them touch.
static void makeElements(wkElementKind kind, elementSide* side)
{
    wkRng rng = wkMakeRng(SEED);
    memset(side, 0, sizeof *side);
    side->kind = kind;
    for (int i = 0; i < ELEMENT_COUNT; ++i) {
        for (int k = 0; k < 4; ++k) {
            side->start[i][k] = wkSceneScale(wkRngDirection(&rng), wkRngUnit(&rng));
            wkVec3d way = wkSceneScale(wkRngDirection(&rng), 2.0 * wkRngUnit(&rng));
            side->end[i][k] = wkSceneAdd(side->start[i][k], way);
        }
    }
}

static void castElements(void* context)
{
    elementSide* side = (elementSide*)context;
    for (int i = 0; i < ELEMENT_COUNT; ++i) {
        wkElementCastResult r = wkCastElements(side->kind, side->start[i], side->end[i], NULL);
        side->isTouching[i] = r.isTouching;
    }
}

static bool areElementsUnchanged(void* context)
{
    elementSide* side = (elementSide*)context;
    if (!side->hasRun) {
        memcpy(side->wasTouching, side->isTouching, sizeof side->isTouching);
        side->hasRun = true;
    }
    return memcmp(side->wasTouching, side->isTouching, sizeof side->isTouching) == 0;
}

static void runElements(wkBench* bench, wkElementKind kind, const char* name)
{
    elementSide* elements = (elementSide*)malloc(sizeof(elementSide));
    if (elements == NULL) {
        return;
    }
    makeElements(kind, elements);
    wkBenchSide side = {
        .pass = castElements, .context = elements, .isUnchanged = areElementsUnchanged};
    wkMeasure(&side, 1, ELEMENT_COUNT, bench->blockCount);
    emit(bench, name, &side, "ns", 1.0, ELEMENT_COUNT);
    free(elements);
}

static void runClothRows(wkBench* bench)
{
    clothScene scene;
    bool isOpen = false, isTried = false;
    for (int i = 0; i < CLOTH_ROW_COUNT; ++i) {
        char name[WK_ROW_NAME_CAPACITY];
        snprintf(name, sizeof name, "deform/cloth/%s", clothRows[i].name);
        if (!wkBench_Wants(bench, name)) {
            continue;
        }
        isOpen = isTried ? isOpen : openScene(&scene);
        isTried = true;
        if (isOpen) {
            runCloth(bench, &scene, &clothRows[i], name);
        } else {
            bench->wrongCount++;
        }
    }
    if (isTried) {
        closeScene(&scene);
    }
}

void wkRunDeformRows(wkBench* bench)
{
    static const wkElementKind kinds[] = {wk_elementVertexFace, wk_elementEdgeEdge};
    runClothRows(bench);
    for (int i = 0; i < 2; ++i) {
        char name[WK_ROW_NAME_CAPACITY];
        snprintf(name, sizeof name, "deform/elements/%s", wkElementKindName(kinds[i]));
        if (wkBench_Wants(bench, name)) {
            runElements(bench, kinds[i], name);
        }
    }
}
