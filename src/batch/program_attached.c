// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Spheres for attached objects. Boxes, which are attached most often, are cut into cells at once, with a
// sphere around each; other shapes are fitted.

#include "batch/program_attached.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "fit/fit_impl.h"
#include "geom/hull_impl.h"
#include "robot/robot_scene_impl.h"
#include "tree/mesh/mesh_impl.h"

#include "whisker/detail/counts.h"

#include <string.h>

// Maximum number of spheres for one shape.
#define MOST_SPHERES 512

// Maximum protrusion of spheres in metres, where there are enough of them.
#define ACCURACY 0.01

// Cells of a box.
typedef struct boxCells {
    int counts[3];
    wkVec3d half; // of a cell
} boxCells;

static int countAlong(double length, double size)
{
    double count = ceil(length / size * (1.0 - 1e-9));
    return count < 1.0 ? 1 : count > MOST_SPHERES ? MOST_SPHERES + 1 : (int)count;
}

static boxCells cellsOf(wkVec3d half, double size)
{
    boxCells cells = {{countAlong(2.0 * half.x, size), countAlong(2.0 * half.y, size),
                       countAlong(2.0 * half.z, size)},
                      half};
    cells.half.x = half.x / cells.counts[0];
    cells.half.y = half.y / cells.counts[1];
    cells.half.z = half.z / cells.counts[2];
    return cells;
}

static bool hasCapacity(const boxCells* cells)
{
    int64_t count = (int64_t)cells->counts[0] * cells->counts[1] * cells->counts[2];
    return count <= MOST_SPHERES;
}

// Returns how far the sphere around a cell sticks out of the face that is nearest to its middle.
static double protrusionOf(const boxCells* cells)
{
    return wkLength(cells->half) - wkMinD(cells->half.x, wkMinD(cells->half.y, cells->half.z));
}

// Chooses the coarsest cells that are fine enough, or the finest within the maximum number of spheres.
static boxCells chooseCells(wkVec3d half)
{
    double size = 2.0 * wkMaxD(half.x, wkMaxD(half.y, half.z));
    boxCells best = cellsOf(half, size);
    while (size > 0.0 && protrusionOf(&best) > ACCURACY) {
        size *= 0.9;
        boxCells finer = cellsOf(half, size);
        if (!hasCapacity(&finer)) {
            break;
        }
        best = finer;
    }
    return best;
}

static void coverBox(const wkShape* shape, wkSphere3d* spheres, int32_t* count)
{
    wkVec3d half = shape->box.half;
    boxCells cells = chooseCells(half);
    double radius = wkLength(cells.half) * (1.0 + 1e-12) + shape->rounding + shape->padding;
    *count = 0;
    for (int i = 0; i < cells.counts[0]; i++) {
        for (int j = 0; j < cells.counts[1]; j++) {
            for (int k = 0; k < cells.counts[2]; k++) {
                wkVec3d number = wkVec(2.0 * i + 1.0, 2.0 * j + 1.0, 2.0 * k + 1.0);
                wkSphere3d sphere = {wkSub(wkMulVec(number, cells.half), half), radius};
                spheres[(*count)++] = sphere;
            }
        }
    }
}

static void coverWhole(const wkCollisionBody* body, wkSphere3d* spheres, int32_t* count)
{
    wkSphere3d sphere = {body->middle, wkLength(body->half) * (1.0 + 1e-12)};
    spheres[0] = sphere;
    *count = 1;
}

// Negative padding is ignored: a shape that it shrinks may be too thin to be covered by smaller spheres.
static wkResult coverShape(const wkCollisionBody* body, wkSphere3d* spheres, int32_t* count)
{
    wkShape shape = body->shape;
    shape.padding = wkMaxD(shape.padding, 0.0);
    if (shape.type == wk_shapeBox) {
        coverBox(&shape, spheres, count);
        return wk_ok;
    }
    wkResult result = wkFitQuickly(&shape, ACCURACY, spheres, MOST_SPHERES / 2, count);
    if (result != wk_ok && result != wk_errorMemory) {
        coverWhole(body, spheres, count);
        result = wk_ok;
    }
    return result;
}

// Mixes 4-byte words into a hash that depends on each of them.
static uint64_t mixWords(uint64_t mixed, const void* words, size_t byteCount)
{
    for (size_t i = 0; i < byteCount; i += 4) {
        uint32_t word;
        memcpy(&word, (const char*)words + i, sizeof word);
        mixed = wkMixBits(mixed + WK_GOLDEN_STEP + word);
    }
    return mixed;
}

static uint64_t mixMesh(const wkShape* shape)
{
    const wkMesh* mesh = shape->mesh;
    size_t vertexCount = (size_t)mesh->vertexCount, triangleCount = (size_t)mesh->triangleCount;
    uint64_t mixed = mixWords(mesh->isSolid, wkMeshVertices(mesh), vertexCount * sizeof(wkVec3d));
    return mixWords(mixed, wkMeshTriangles(mesh), 3 * triangleCount * sizeof(int32_t));
}

static uint64_t mixHull(const wkShape* shape)
{
    const wkHull* hull = shape->hull;
    size_t byteCount = (size_t)hull->vertexCount * sizeof(double);
    uint64_t mixed = mixWords(0, wkHullX(hull), byteCount);
    return mixWords(mixWords(mixed, wkHullY(hull), byteCount), wkHullZ(hull), byteCount);
}

// The key of a shape, by which it is recognized: its own numbers, and a hash of the geometry that it borrows.
// Boxes are cut faster than compared; types that are not here are fitted each time.
static const struct {
    size_t byteCount;
    uint64_t (*content)(const wkShape* shape);
} keyTable[WK_SHAPE_TYPE_COUNT] = {
    [wk_shapeSphere] = {sizeof(wkSphere), NULL},
    [wk_shapeCapsule] = {sizeof(wkCapsule), NULL},
    [wk_shapeCylinder] = {sizeof(wkCylinder), NULL},
    [wk_shapeCone] = {sizeof(wkCone), NULL},
    [wk_shapeEllipsoid] = {sizeof(wkEllipsoid), NULL},
    [wk_shapeTriangle] = {sizeof(wkTriangle), NULL},
    [wk_shapeHull] = {sizeof(const wkHull*), mixHull},
    [wk_shapeMesh] = {sizeof(const wkMesh*), mixMesh},
};

static wkAttachedKey keyOf(const wkShape* shape)
{
    wkAttachedKey key = {.shape = *shape};
    if (keyTable[shape->type].content != NULL) {
        key.content = keyTable[shape->type].content(shape);
    }
    return key;
}

static bool areAlike(const wkAttachedKey* a, const wkAttachedKey* b)
{
    const wkShape *s = &a->shape, *t = &b->shape;
    size_t byteCount = keyTable[s->type].byteCount;
    return s->type == t->type && s->rounding == t->rounding && s->padding == t->padding &&
           a->content == b->content && byteCount > 0 &&
           memcmp(&s->sphere, &t->sphere, byteCount) == 0;
}

static bool copyEarlier(const wkAttachedSpheres* earlier, const wkAttachedKey* key,
                        wkSphere3d* spheres, int32_t* count)
{
    const wkSphere3d* first = earlier->spheres;
    for (int32_t i = 0; i < earlier->shapeCount; first += earlier->counts[i++]) {
        if (areAlike(&earlier->keys[i], key)) {
            *count = earlier->counts[i];
            memcpy(spheres, first, (size_t)*count * sizeof *spheres);
            return true;
        }
    }
    return false;
}

bool wkIsAttached(const wkRobotScene* scene, const wkCollisionBody* body)
{
    return body->side >= scene->robot->info.linkCount && !body->isEmpty;
}

static wkResult addShape(const wkCollisionBody* body, const wkAttachedSpheres* earlier,
                         wkAttachedSpheres* attached)
{
    int32_t shape = attached->shapeCount;
    wkSphere3d* spheres = attached->spheres + attached->count;
    attached->keys[shape] = keyOf(&body->shape);
    wkResult result = wk_ok;
    if (!copyEarlier(earlier, &attached->keys[shape], spheres, &attached->counts[shape])) {
        result = coverShape(body, spheres, &attached->counts[shape]);
    }
    attached->count += attached->counts[shape];
    attached->shapeCount++;
    return result;
}

wkResult wkAttachedSpheres_Create(const wkRobotScene* scene, const wkAttachedSpheres* earlier,
                                  wkAttachedSpheres* attached)
{
    const wkBodySet* bodySet = scene->bodySet->bodySet;
    memset(attached, 0, sizeof *attached);
    size_t shapeCount = (size_t)(bodySet->count - scene->robot->info.bodyCount);
    if (shapeCount == 0) {
        return wk_ok;
    }
    size_t sphereBytes = shapeCount * MOST_SPHERES * sizeof(wkSphere3d);
    attached->byteCount = sphereBytes + shapeCount * sizeof(wkAttachedKey);
    attached->spheres = (wkSphere3d*)wkAlloc(attached->byteCount);
    if (attached->spheres == NULL) {
        return wkFail(wk_errorMemory, "batch: no memory");
    }
    attached->keys = (wkAttachedKey*)((char*)attached->spheres + sphereBytes);
    wkResult result = wk_ok;
    for (int32_t i = 0; i < bodySet->count && result == wk_ok; i++) {
        if (wkIsAttached(scene, &bodySet->bodies[i])) {
            result = addShape(&bodySet->bodies[i], earlier, attached);
        }
    }
    return result;
}

void wkAttachedSpheres_Free(wkAttachedSpheres* attached)
{
    wkFree(attached->spheres, attached->byteCount);
}
