// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Deforming meshes: a net sags under its load. Its vertices move and its triangles stay, so the hierarchy is
// refitted, not rebuilt. The distance to a sphere below the net is computed in each step.

#include "whisker/whisker.h"

#include <math.h>
#include <stdio.h>

#define SIDE 61 // vertices along each side of the net
#define VERTEX_COUNT (SIDE * SIDE)
#define TRIANGLE_COUNT (2 * (SIDE - 1) * (SIDE - 1))

static wkVec3d vertices[VERTEX_COUNT];
static int32_t triangles[3 * TRIANGLE_COUNT];

// A net of two by two metres at z = 1, hanging `sag` metres lower in the middle.
static void placeVertices(double sag)
{
    const double halfPi = acos(0.0);
    for (int j = 0; j < SIDE; j++) {
        for (int i = 0; i < SIDE; i++) {
            double x = 2.0 * i / (SIDE - 1) - 1.0, y = 2.0 * j / (SIDE - 1) - 1.0;
            double depth = sag * cos(halfPi * x) * cos(halfPi * y);
            vertices[j * SIDE + i] = (wkVec3d){x, y, 1.0 - depth};
        }
    }
}

static void joinVertices(void)
{
    int32_t* next = triangles;
    for (int32_t j = 0; j + 1 < SIDE; j++) {
        for (int32_t i = 0; i + 1 < SIDE; i++) {
            int32_t a = j * SIDE + i, b = a + 1, c = a + SIDE, d = c + 1;
            const int32_t cell[6] = {a, b, d, a, d, c};
            for (int k = 0; k < 6; k++) {
                *next++ = cell[k];
            }
        }
    }
}

static wkResult makeNet(wkMeshBuilder* builder)
{
    placeVertices(0.0);
    joinVertices();
    wkResult result = wkMeshBuilder_BeginModel(builder, VERTEX_COUNT, TRIANGLE_COUNT);
    if (result == wk_ok) {
        result = wkMeshBuilder_AddPart(builder, vertices, VERTEX_COUNT, triangles, TRIANGLE_COUNT);
    }
    return result == wk_ok ? wkMeshBuilder_EndModel(builder) : result;
}

// Sets new positions of all vertices. No thread may query the mesh meanwhile.
static wkResult deform(wkMeshBuilder* builder, double sag)
{
    placeVertices(sag);
    wkResult result = wkMeshBuilder_BeginReplace(builder);
    if (result == wk_ok) {
        result = wkMeshBuilder_ReplaceVertices(builder, 0, vertices, VERTEX_COUNT);
    }
    return result == wk_ok ? wkMeshBuilder_EndReplace(builder, false) : result;
}

// The distance of a mesh that is built from the same vertices, to compare.
static double distanceOfNewMesh(const wkShape* sphere, wkPose pose)
{
    wkMeshDef def = wkDefaultMeshDef();
    def.isSolid = false;
    def.vertices = vertices;
    def.vertexCount = VERTEX_COUNT;
    def.triangles = triangles;
    def.triangleCount = TRIANGLE_COUNT;
    wkMesh* mesh = NULL;
    if (wkMesh_Create(&def, &mesh) != wk_ok) {
        return NAN;
    }
    wkShape net = wkMakeMesh(mesh);
    double distance = wkDistance(&net, wkIdentityPose(), sphere, pose, NULL).distance;
    wkMesh_Destroy(mesh);
    return distance;
}

int main(void)
{
    wkMeshDef def = wkDefaultMeshDef(); // how to build; vertices and triangles come later
    def.isSolid = false;                // a net is its surface alone
    wkMeshBuilder* builder = NULL;
    if (wkMeshBuilder_Create(&def, &builder) != wk_ok || makeNet(builder) != wk_ok) {
        printf("no net: %s\n", wkGetLastError());
        wkMeshBuilder_Destroy(builder);
        return 1;
    }
    wkShape net = wkMakeMesh(wkMeshBuilder_Mesh(builder)); // the pointer outlives every EndReplace
    wkShape sphere = wkMakeSphere(0.2);
    wkPose spherePose = wkMakePose(0.0, 0.0, 0.4);
    for (int i = 0; i <= 4; i++) {
        double sag = 0.125 * i;
        if (deform(builder, sag) != wk_ok) {
            printf("%s\n", wkGetLastError());
            break;
        }
        double distance = wkDistance(&net, wkIdentityPose(), &sphere, spherePose, NULL).distance;
        printf("sag %.3f m: %s, distance %6.3f m, %s\n", sag, distance > 0.0 ? "free" : "touching",
               distance,
               distance == distanceOfNewMesh(&sphere, spherePose) ? "as if built again" : "odd");
    }

    // Calls in the wrong order are refused, and change nothing.
    if (wkMeshBuilder_EndReplace(builder, false) == wk_errorState) {
        printf("%s\n", wkGetLastError());
    }
    wkMeshBuilder_Destroy(builder);
    return 0;
}
