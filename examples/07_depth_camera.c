// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A simulated depth camera: one ray per pixel into a room made of triangles. The picture is drawn
// with letters; a file name as argument gets it as a PGM image, 640 by 480, in millimetres.

#include "whisker/whisker.h"

#include <math.h>
#include <stdio.h>

#define FURNITURE_COUNT 4
#define VERTEX_CAPACITY 200
#define TRIANGLE_CAPACITY 400

typedef struct camera {
    wkVec3d eye; // looks along x, y is to the left, z up
    int width, height;
    double focalLength; // in widths of a pixel
    double stretch;     // height of a pixel over its width
    double range;       // metres: surfaces beyond are not measured
} camera;

// Appends the triangles of a shape.
static wkResult addShape(wkMeshBuilder* builder, wkShape shape, wkVec3d position)
{
    wkVec3d vertices[VERTEX_CAPACITY];
    int32_t indices[3 * TRIANGLE_CAPACITY];
    wkTriangulation t = {vertices, indices, VERTEX_CAPACITY, TRIANGLE_CAPACITY, 0, 0};
    wkResult result = wkShape_Triangulate(&shape, 16, 1.0, &t);
    for (int i = 0; i < t.vertexCount; i++) {
        vertices[i].x += position.x;
        vertices[i].y += position.y;
        vertices[i].z += position.z;
    }
    return result != wk_ok
               ? result
               : wkMeshBuilder_AddPart(builder, vertices, t.vertexCount, indices, t.triangleCount);
}

// Four walls, floor, ceiling and some furniture.
static wkResult buildRoom(wkMeshBuilder* builder)
{
    const struct {
        wkShape shape;
        wkVec3d position;
    } furniture[FURNITURE_COUNT] = {
        {wkMakeBox(6.0, 5.0, 2.6), {0.0, 0.0, 1.3}},
        {wkMakeBox(0.8, 1.6, 0.75), {1.2, 0.9, 0.375}},
        {wkMakeSphere(0.35), {1.2, 1.0, 1.1}},
        {wkMakeCylinder(0.3, 1.8), {1.6, -1.0, 0.9}},
    };
    wkResult result = wkMeshBuilder_BeginModel(builder, 0, 0);
    for (int i = 0; i < FURNITURE_COUNT && result == wk_ok; i++) {
        result = addShape(builder, furniture[i].shape, furniture[i].position);
    }
    return result == wk_ok ? wkMeshBuilder_EndModel(builder) : result;
}

// Distance along the view axis, as depth cameras report it; 0 when nothing was hit.
static double depthAt(const camera* c, const wkShape* room, int column, int row)
{
    double left = (0.5 * c->width - column - 0.5) / c->focalLength;
    double up = (0.5 * c->height - row - 0.5) * c->stretch / c->focalLength;
    wkRay ray = {c->eye, {1.0, left, up}, c->range};
    wkRayResult hit = wkShape_RayCast(room, wkIdentityPose(), ray);
    return hit.isHit ? hit.point.x - c->eye.x : 0.0;
}

static void drawLetters(const camera* c, const wkShape* room)
{
    static const char shades[] = "@%#*+=-:. "; // near to far
    for (int row = 0; row < c->height; row++) {
        for (int column = 0; column < c->width; column++) {
            int shade = (int)(depthAt(c, room, column, row) / 0.61);
            putchar(shades[shade < 9 ? shade : 9]);
        }
        putchar('\n');
    }
}

static void writeImage(const camera* c, const wkShape* room, FILE* file)
{
    fprintf(file, "P5\n%d %d\n65535\n", c->width, c->height);
    for (int i = 0; i < c->width * c->height; i++) {
        int depth = (int)(1000.0 * depthAt(c, room, i % c->width, i / c->width));
        fputc(depth >> 8, file);
        fputc(depth & 255, file);
    }
}

int main(int argc, char** argv)
{
    wkMeshDef def = wkDefaultMeshDef();
    def.isSolid = false; // the camera is inside: walls alone are in its way
    wkMeshBuilder* builder = NULL;
    if (wkMeshBuilder_Create(&def, &builder) != wk_ok || buildRoom(builder) != wk_ok) {
        fprintf(stderr, "%s\n", wkGetLastError());
        wkMeshBuilder_Destroy(builder);
        return 1;
    }
    wkShape room = wkMakeMesh(wkMeshBuilder_Mesh(builder));
    printf("a room of %d triangles\n", wkMesh_Info(room.mesh).triangleCount);
    camera small = {{-2.5, 0.2, 1.35}, 72, 24, 42.0, 2.0, 10.0};
    drawLetters(&small, &room);
    printf("%.3f m to what is straight ahead\n", depthAt(&small, &room, 36, 12));

    FILE* file = argc > 1 ? fopen(argv[1], "wb") : NULL;
    if (file != NULL) {
        camera large = {{-2.5, 0.2, 1.35}, 640, 480, 525.0, 1.0, 10.0};
        writeImage(&large, &room, file);
        fclose(file);
    }
    wkMeshBuilder_Destroy(builder);
    return 0;
}
