// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Meshes: loads a ring from a file in millimetres and moves a peg through it. The program writes the file
// first, so that it needs no other.

#include "whisker/io.h"
#include "whisker/whisker.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define FILE_NAME "05_mesh.stl"
#define AROUND 96 // steps around the ring and around its tube
#define ACROSS 48
#define RING_RADIUS 40.0 // millimetres
#define TUBE_RADIUS 12.0

static wkResult writeRing(void)
{
    static wkVec3d vertices[AROUND * ACROSS];
    static int32_t triangles[3 * 2 * AROUND * ACROSS];
    const double turn = 2.0 * acos(-1.0);
    int32_t* next = triangles;
    for (int i = 0; i < AROUND; i++) {
        for (int j = 0; j < ACROSS; j++) {
            double u = turn * i / AROUND, v = turn * j / ACROSS;
            double radius = RING_RADIUS + TUBE_RADIUS * cos(v);
            vertices[i * ACROSS + j] =
                (wkVec3d){radius * cos(u), radius * sin(u), TUBE_RADIUS * sin(v)};
            int32_t a = i * ACROSS + j, b = (i + 1) % AROUND * ACROSS + j;
            int32_t c = (i + 1) % AROUND * ACROSS + (j + 1) % ACROSS;
            int32_t d = i * ACROSS + (j + 1) % ACROSS;
            const int32_t cell[6] = {a, b, c, a, c, d}; // anticlockwise from outside
            for (int k = 0; k < 6; k++) {
                *next++ = cell[k];
            }
        }
    }
    wkMeshData ring = {vertices, AROUND * ACROSS, triangles, 2 * AROUND * ACROSS};
    return wkMeshData_Save(FILE_NAME, &ring);
}

static wkResult loadRing(wkMesh** mesh)
{
    wkLoadInfo report;
    wkLoadDef options = wkDefaultLoadDef();
    options.scale = (wkVec3d){0.001, 0.001, 0.001}; // everything in Whisker is in metres
    wkResult result = wkMesh_Load(FILE_NAME, &options, &report, mesh);
    if (result == wk_ok) {
        wkMeshInfo info = wkMesh_Info(*mesh);
        printf("%s: %d triangles, %d vertices, %s, %.1f cubic centimetres inside\n", report.format,
               info.triangleCount, info.vertexCount, info.isClosed ? "closed" : "open",
               1e6 * info.volumeInside);
    }
    return result;
}

int main(void)
{
    wkMesh* mesh = NULL;
    if (writeRing() != wk_ok || loadRing(&mesh) != wk_ok) {
        printf("no ring: %s\n", wkGetLastError());
        return 1;
    }
    remove(FILE_NAME);

    // From here on a mesh is a shape like any other. It is borrowed: the mesh has to outlive it.
    wkShape ring = wkMakeMesh(mesh);
    wkShape peg = wkMakeCapsule(0.020, 0.100);
    static wkContact contacts[500];
    wkCollideRequest request = wkDefaultCollideRequest();
    request.contacts = contacts;
    request.contactCapacity = 500;
    for (int i = 0; i < 4; i++) {
        double aside = 1.0 + 3.0 * i; // millimetres
        wkPose pegPose = wkMakePose(1e-3 * aside, 0.0, 0.0);
        wkDistanceResult gap = wkDistance(&ring, wkIdentityPose(), &peg, pegPose, NULL);
        wkCollideResult touch = wkCollide(&ring, wkIdentityPose(), &peg, pegPose, &request);
        printf("peg %.0f mm aside: %s", aside, touch.isTouching ? "touching" : "free");
        if (!touch.isTouching) {
            printf(", %.2f mm to spare at x = %.1f mm\n", 1e3 * gap.distance, 1e3 * gap.pointA.x);
        } else {
            // one contact for each triangle that is touched, the deepest first
            printf(", %d triangles, the deepest is number %" PRId64 ", by %.2f mm\n",
                   touch.contactCount, contacts[0].partA, 1e3 * contacts[0].depth);
        }
    }

    // Which triangles come closer than two millimetres: the same question with a margin.
    request.margin = 0.002;
    wkCollideResult near =
        wkCollide(&ring, wkIdentityPose(), &peg, wkMakePose(0.007, 0, 0), &request);
    printf("within 2 mm of the peg at 7 mm: %d triangles\n", near.contactCount);
    wkMesh_Destroy(mesh);
    return 0;
}
