// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Models by formula. Knot and blob are those of the published figures of the peers, so that rows can
// be compared.

#include "mesh_models.h"

#include "rng.h"

#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

void wkModel_Free(wkModel* model)
{
    free(model->vertices);
    free(model->indices);
    memset(model, 0, sizeof *model);
}

static int32_t grown(int32_t capacity)
{
    return capacity == 0 ? 1024 : 2 * capacity;
}

bool wkModel_AddVertex(wkModel* model, wkVec3d vertex)
{
    if (model->vertexCount == model->vertexCapacity) {
        int32_t capacity = grown(model->vertexCapacity);
        void* larger = realloc(model->vertices, sizeof(wkVec3d) * (size_t)capacity);
        if (larger == NULL) {
            return false;
        }
        model->vertices = (wkVec3d*)larger;
        model->vertexCapacity = capacity;
    }
    model->vertices[model->vertexCount++] = vertex;
    return true;
}

bool wkModel_AddTriangle(wkModel* model, int32_t a, int32_t b, int32_t c)
{
    if (model->triangleCount == model->triangleCapacity) {
        int32_t capacity = grown(model->triangleCapacity);
        void* larger = realloc(model->indices, 3 * sizeof(int32_t) * (size_t)capacity);
        if (larger == NULL) {
            return false;
        }
        model->indices = (int32_t*)larger;
        model->triangleCapacity = capacity;
    }
    int32_t* triangle = &model->indices[3 * (size_t)model->triangleCount++];
    triangle[0] = a;
    triangle[1] = b;
    triangle[2] = c;
    return true;
}

wkMeshDef wkModel_MeshDef(const wkModel* model)
{
    wkMeshDef def = wkDefaultMeshDef();
    def.vertices = model->vertices;
    def.vertexCount = model->vertexCount;
    def.triangles = model->indices;
    def.triangleCount = model->triangleCount;
    return def;
}

double wkModel_Radius(const wkModel* model)
{
    double radius = 0.0;
    for (int32_t i = 0; i < model->vertexCount; i++) {
        radius = fmax(radius, wkSceneLength(model->vertices[i]));
    }
    return radius;
}

void wkModel_Center(wkModel* model, double scale)
{
    wkVec3d low = {INFINITY, INFINITY, INFINITY};
    wkVec3d high = {-INFINITY, -INFINITY, -INFINITY};
    for (int32_t i = 0; i < model->vertexCount; i++) {
        wkVec3d v = model->vertices[i];
        low = wkSceneVec(fmin(low.x, v.x), fmin(low.y, v.y), fmin(low.z, v.z));
        high = wkSceneVec(fmax(high.x, v.x), fmax(high.y, v.y), fmax(high.z, v.z));
    }
    wkVec3d center = wkSceneScale(wkSceneAdd(low, high), 0.5);
    for (int32_t i = 0; i < model->vertexCount; i++) {
        model->vertices[i] = wkSceneScale(wkSceneSub(model->vertices[i], center), scale);
    }
}

static wkVec3d knotPoint(double t, double scale)
{
    double r = 2.0 + cos(3.0 * t);
    return wkSceneScale(wkSceneVec(r * cos(2.0 * t), r * sin(2.0 * t), -sin(3.0 * t)), scale);
}

static wkVec3d unit(wkVec3d v)
{
    return wkSceneScale(v, 1.0 / wkSceneLength(v));
}

// A ring of the tube across the knot.
static bool addRing(wkModel* model, double t, double scale, double tubeRadius, int across)
{
    const double h = 1e-4;
    wkVec3d point = knotPoint(t, scale);
    wkVec3d along = unit(wkSceneSub(knotPoint(t + h, scale), knotPoint(t - h, scale)));
    wkVec3d side = unit(wkSceneCross(along, wkSceneVec(0.0, 0.0, 1.0)));
    wkVec3d up = wkSceneCross(along, side);
    bool isDone = true;
    for (int j = 0; j < across; j++) {
        double turn = 2.0 * PI * j / across;
        wkVec3d x = wkSceneScale(side, tubeRadius * cos(turn));
        wkVec3d y = wkSceneScale(up, tubeRadius * sin(turn));
        isDone = isDone && wkModel_AddVertex(model, wkSceneAdd(point, wkSceneAdd(x, y)));
    }
    return isDone;
}

bool wkModel_AddKnot(wkModel* model, double scale, double tubeRadius, int around, int across)
{
    int32_t first = model->vertexCount;
    bool isDone = true;
    for (int i = 0; i < around; i++) {
        isDone = isDone && addRing(model, 2.0 * PI * i / around, scale, tubeRadius, across);
    }
    for (int i = 0; i < around; i++) {
        int32_t ring = first + i * across;
        int32_t next = first + (i + 1) % around * across;
        for (int j = 0; j < across; j++) {
            int k = (j + 1) % across;
            isDone = isDone && wkModel_AddTriangle(model, ring + j, next + j, ring + k) &&
                     wkModel_AddTriangle(model, ring + k, next + j, next + k);
        }
    }
    return isDone;
}

static double bumpAt(double theta, double phi)
{
    return sin(5.0 * theta) * cos(5.0 * phi) + 0.4 * sin(15.0 * theta + 1.0) * sin(10.0 * phi);
}

// Vertex of a sphere: stacks from pole to pole, slices around; each pole is one vertex.
static int32_t sphereVertex(int32_t first, int stacks, int slices, int stack, int slice)
{
    if (stack == 0) {
        return first;
    }
    if (stack == stacks) {
        return first + 1 + (stacks - 1) * slices;
    }
    return first + 1 + (stack - 1) * slices + slice % slices;
}

bool wkModel_AddBlob(wkModel* model, wkVec3d center, double radius, double bump, int stacks,
                     int slices)
{
    int32_t first = model->vertexCount;
    bool isDone = true;
    for (int i = 0; i <= stacks; i++) {
        bool isPole = i == 0 || i == stacks;
        double theta = PI * i / stacks;
        for (int j = 0; j < (isPole ? 1 : slices); j++) {
            double phi = 2.0 * PI * j / slices;
            double r = isPole ? radius : radius * (1.0 + bump * bumpAt(theta, phi));
            wkVec3d out = wkSceneVec(sin(theta) * cos(phi), sin(theta) * sin(phi), cos(theta));
            wkVec3d vertex = wkSceneAdd(center, wkSceneScale(out, r));
            isDone = isDone && wkModel_AddVertex(model, vertex);
        }
    }
    for (int i = 0; i < stacks; i++) {
        for (int j = 0; j < slices; j++) {
            int32_t a = sphereVertex(first, stacks, slices, i, j);
            int32_t b = sphereVertex(first, stacks, slices, i + 1, j);
            int32_t c = sphereVertex(first, stacks, slices, i + 1, j + 1);
            int32_t d = sphereVertex(first, stacks, slices, i, j + 1);
            isDone = isDone && (i == stacks - 1 || wkModel_AddTriangle(model, a, b, c));
            isDone = isDone && (i == 0 || wkModel_AddTriangle(model, a, c, d));
        }
    }
    return isDone;
}

// A grid from `vertex` along two edges; its normal is u x v.
static bool addGrid(wkModel* model, wkVec3d faceVertex, wkVec3d u, wkVec3d v, int cells)
{
    int32_t first = model->vertexCount;
    bool isDone = true;
    for (int i = 0; i <= cells; i++) {
        for (int j = 0; j <= cells; j++) {
            wkVec3d along = wkSceneScale(u, (double)i / cells);
            wkVec3d across = wkSceneScale(v, (double)j / cells);
            wkVec3d vertex = wkSceneAdd(faceVertex, wkSceneAdd(along, across));
            isDone = isDone && wkModel_AddVertex(model, vertex);
        }
    }
    for (int i = 0; i < cells; i++) {
        for (int j = 0; j < cells; j++) {
            int32_t a = first + i * (cells + 1) + j;
            int32_t b = a + cells + 1;
            isDone = isDone && wkModel_AddTriangle(model, a, b, b + 1) &&
                     wkModel_AddTriangle(model, a, b + 1, a + 1);
        }
    }
    return isDone;
}

bool wkModel_AddBox(wkModel* model, wkPose pose, wkVec3d half, int cells)
{
    wkSceneFrame frame = wkMakeSceneFrame(pose);
    wkVec3d edges[3] = {wkSceneScale(frame.axes[0], 2.0 * half.x),
                        wkSceneScale(frame.axes[1], 2.0 * half.y),
                        wkSceneScale(frame.axes[2], 2.0 * half.z)};
    wkVec3d low = wkSceneToWorldPoint(&frame, wkSceneScale(half, -1.0));
    bool isDone = true;
    for (int k = 0; k < 3; k++) {
        wkVec3d u = edges[(k + 1) % 3];
        wkVec3d v = edges[(k + 2) % 3];
        isDone = isDone && addGrid(model, low, v, u, cells) &&
                 addGrid(model, wkSceneAdd(low, edges[k]), u, v, cells);
    }
    return isDone;
}

// One piece of furniture at a random place on the floor, turned about the vertical.
static bool addFurniture(wkModel* model, wkRng* rng)
{
    wkVec3d half = wkSceneVec(wkRngRange(rng, 0.08, 0.35), wkRngRange(rng, 0.08, 0.35),
                              wkRngRange(rng, 0.1, 0.6));
    double turn = wkRngRange(rng, 0.0, PI);
    wkPose pose = {{wkRngRange(rng, -0.8, 2.6), wkRngRange(rng, -2.1, 2.1), half.z},
                   {0.0, 0.0, sin(0.5 * turn), cos(0.5 * turn)}};
    return wkModel_AddBox(model, pose, half, 8);
}

static bool addOrnament(wkModel* model, wkRng* rng)
{
    wkVec3d center = wkSceneVec(wkRngRange(rng, -0.8, 2.6), wkRngRange(rng, -2.1, 2.1),
                                wkRngRange(rng, 0.4, 2.2));
    return wkModel_AddBlob(model, center, wkRngRange(rng, 0.06, 0.25), 0.15, 28, 28);
}

static bool addTriangulation(wkModel* model, const wkTriangulation* from)
{
    int32_t first = model->vertexCount;
    bool isMade = true;
    for (int32_t i = 0; isMade && i < from->vertexCount; i++) {
        isMade = wkModel_AddVertex(model, from->vertices[i]);
    }
    for (int32_t i = 0; isMade && i < from->triangleCount; i++) {
        const int32_t* vertices = &from->indices[3 * (size_t)i];
        isMade = wkModel_AddTriangle(model, first + vertices[0], first + vertices[1],
                                     first + vertices[2]);
    }
    return isMade;
}

bool wkModel_AddShape(wkModel* model, const wkShape* shape, int segments)
{
    wkTriangulation out;
    memset(&out, 0, sizeof out);
    wkShape_Triangulate(shape, segments, 1.0, &out);
    out.vertexCapacity = out.vertexCount;
    out.triangleCapacity = out.triangleCount;
    out.vertices = (wkVec3d*)calloc((size_t)out.vertexCount, sizeof *out.vertices);
    out.indices = (int32_t*)calloc((size_t)out.triangleCount, 3 * sizeof *out.indices);
    bool isMade = out.vertices != NULL && out.indices != NULL &&
                  wkShape_Triangulate(shape, segments, 1.0, &out) == wk_ok &&
                  addTriangulation(model, &out);
    free(out.vertices);
    free(out.indices);
    return isMade;
}

bool wkModel_AddRoom(wkModel* model)
{
    wkRng rng = wkMakeRng(7);
    wkPose pose = {{0.0, 0.0, 1.3}, {0.0, 0.0, 0.0, 1.0}};
    bool isDone = wkModel_AddBox(model, pose, wkSceneVec(3.0, 2.5, 1.3), 32);
    for (int i = 0; i < 24; i++) {
        isDone = isDone && addFurniture(model, &rng);
    }
    for (int i = 0; i < 13; i++) {
        isDone = isDone && addOrnament(model, &rng);
    }
    return isDone;
}
