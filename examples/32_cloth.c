// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Continuous collision of a cloth: it falls on a box, and what would pass into the box within a step stays where it
// is. A step counts once its motion is proven free at every instant.

#include "whisker/whisker.h"

#include <stdio.h>
#include <string.h>

#define SIDE 25 // vertices along each side of the cloth
#define VERTEX_COUNT (SIDE * SIDE)
#define TRIANGLE_COUNT (2 * (SIDE - 1) * (SIDE - 1))
#define CONTACT_CAPACITY 4096

static wkVec3d start[VERTEX_COUNT]; // positions before a step
static wkVec3d end[VERTEX_COUNT];   // and after it
static bool isResting[VERTEX_COUNT];
static int32_t triangles[3 * TRIANGLE_COUNT];
static wkElementContact contacts[CONTACT_CAPACITY];

static void makeCloth(void)
{
    int32_t* next = triangles;
    for (int32_t i = 0; i < VERTEX_COUNT; i++) {
        double x = 0.0625 * (i % SIDE) - 0.75, y = 0.0625 * (i / SIDE) - 0.75;
        start[i] = (wkVec3d){x, y, 1.0 + 0.25 * x + 0.125 * y};
        if (i % SIDE + 1 < SIDE && i / SIDE + 1 < SIDE) {
            const int32_t cell[6] = {i, i + 1, i + SIDE + 1, i, i + SIDE + 1, i + SIDE};
            memcpy(next, cell, sizeof cell);
            next += 6;
        }
    }
}

// The mesh of a box with sides of one metre, around the origin.
static wkResult makeBox(wkMesh** box)
{
    static wkVec3d vertices[64];
    static int32_t indices[3 * 64];
    wkShape shape = wkMakeBox(1.0, 1.0, 1.0);
    wkTriangulation out = {vertices, indices, 64, 64, 0, 0};
    wkResult result = wkShape_Triangulate(&shape, 8, 1.0, &out);
    wkMeshDef def = wkDefaultMeshDef();
    def.vertices = out.vertices;
    def.vertexCount = out.vertexCount;
    def.triangles = out.indices;
    def.triangleCount = out.triangleCount;
    return result == wk_ok ? wkMesh_Create(&def, box) : result;
}

// Sets the motion of the cloth, from `start` to `end`.
static void setMotion(wkMeshBuilder* builder)
{
    wkMeshBuilder_BeginReplace(builder);
    wkMeshBuilder_ReplaceVertices(builder, 0, start, VERTEX_COUNT);
    wkMeshBuilder_EndReplace(builder, false);
    wkMeshBuilder_BeginUpdate(builder);
    wkMeshBuilder_UpdateVertices(builder, 0, end, VERTEX_COUNT);
    wkMeshBuilder_EndUpdate(builder, false);
}

// Lets the vertices of the cloth that take part in contacts rest.
static void restVertices(int32_t count)
{
    for (int32_t i = 0; i < count && i < CONTACT_CAPACITY; i++) {
        for (int k = 0; k < 3 && contacts[i].verticesA[k] >= 0; k++) {
            isResting[contacts[i].verticesA[k]] = true;
        }
    }
}

static void fall(wkMeshBuilder* builder, const wkMeshElements* cloth, const wkMeshElements* box)
{
    wkPose here = wkIdentityPose();
    for (int step = 1; step <= 8; step++) {
        wkMeshCastResult first = {0}, r = {.isTouching = true};
        for (int tries = 0; r.isTouching && tries < 100; tries++) {
            for (int i = 0; i < VERTEX_COUNT; i++) {
                end[i] = start[i];
                end[i].z -= isResting[i] ? 0.0 : 0.125;
            }
            setMotion(builder);
            r = wkMeshElements_Cast(cloth, here, box, here, NULL, contacts, CONTACT_CAPACITY);
            first = tries == 0 ? r : first;
            restVertices(r.contactCount);
        }
        memcpy(start, end, sizeof start);
        printf("step %d: %4d contacts, the first at t = %.3f; then %s\n", step,
               (int)first.contactCount, first.time, r.isTouching ? "touching" : "free");
    }
}

int main(void)
{
    wkMeshDef def = wkDefaultMeshDef(); // how to build; vertices and triangles come later
    def.isSolid = false;
    wkMesh* boxMesh = NULL;
    wkMeshBuilder* builder = NULL;
    wkMeshElements *cloth = NULL, *box = NULL;
    makeCloth();
    if (makeBox(&boxMesh) == wk_ok && wkMeshBuilder_Create(&def, &builder) == wk_ok &&
        wkMeshBuilder_BeginModel(builder, VERTEX_COUNT, TRIANGLE_COUNT) == wk_ok &&
        wkMeshBuilder_AddPart(builder, start, VERTEX_COUNT, triangles, TRIANGLE_COUNT) == wk_ok &&
        wkMeshBuilder_EndModel(builder) == wk_ok && wkMeshElements_Create(boxMesh, &box) == wk_ok &&
        wkMeshElements_Create(wkMeshBuilder_Mesh(builder), &cloth) == wk_ok) {
        fall(builder, cloth, box);
    } else {
        printf("%s\n", wkGetLastError());
    }
    wkMeshElements_Destroy(cloth);
    wkMeshElements_Destroy(box);
    wkMeshBuilder_Destroy(builder);
    wkMesh_Destroy(boxMesh);
    return 0;
}
