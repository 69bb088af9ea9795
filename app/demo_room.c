// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The robot is at the origin, and the table in front of it along x.

#include "demo_room.h"

#include "vector.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define PI 3.14159265358979323846

// clang-format off
static const wkColor wallPaint   = {0.70, 0.69, 0.66};
static const wkColor floorPaint  = {0.40, 0.30, 0.21};
static const wkColor oak         = {0.50, 0.30, 0.13};
static const wkColor darkSteel   = {0.10, 0.11, 0.13};
static const wkColor white       = {0.78, 0.78, 0.76};
static const wkColor red         = {0.58, 0.06, 0.05};
static const wkColor blue        = {0.04, 0.15, 0.46};
static const wkColor green       = {0.08, 0.33, 0.10};
static const wkColor yellow      = {0.80, 0.48, 0.04};
static const wkColor teal        = {0.02, 0.30, 0.32};
static const wkColor violet      = {0.25, 0.10, 0.42};
static const wkColor clay        = {0.48, 0.18, 0.09};
// clang-format on

// Scales a shape of the room; meshes and hulls are created at their final size.
static wkShape scaled(wkShape shape, double scale)
{
    const double twice = 2.0 * scale;
    switch (shape.type) {
    case wk_shapeBox:
        return wkMakeBox(twice * shape.box.half.x, twice * shape.box.half.y,
                         twice * shape.box.half.z);
    case wk_shapeSphere:
        return wkMakeSphere(scale * shape.sphere.radius);
    case wk_shapeCylinder:
        return wkMakeCylinder(scale * shape.cylinder.radius, twice * shape.cylinder.halfLength);
    case wk_shapeCone:
        return wkMakeCone(scale * shape.cone.radius, twice * shape.cone.halfLength);
    case wk_shapeEllipsoid:
        return wkMakeEllipsoid(scale * shape.ellipsoid.radii.x, scale * shape.ellipsoid.radii.y,
                               scale * shape.ellipsoid.radii.z);
    default:
        return shape;
    }
}

static void put(wkRoom* room, const char* name, wkShape shape, wkPose pose, wkColor color)
{
    if (room->count < WK_ROOM_CAPACITY) {
        pose.position = wkVec_Scale(room->scale, pose.position);
        room->things[room->count++] =
            (wkRoomThing){name, scaled(shape, room->scale), pose, color, true};
    }
}

static wkPose at(double x, double y, double z, double yaw)
{
    return wkMakePoseRpy((wkVec3d){x, y, z}, 0.0, 0.0, yaw);
}

static void hide(wkRoom* room)
{
    room->things[room->count - 1].isDrawn = false;
}

static void buildWalls(wkRoom* room)
{
    put(room, "floor", wkMakeBox(5.0, 4.4, 0.1), at(0.6, 0.0, -0.05, 0.0), floorPaint);
    put(room, "wall behind", wkMakeBox(0.1, 4.4, 2.6), at(-1.95, 0.0, 1.3, 0.0), wallPaint);
    put(room, "wall left", wkMakeBox(5.0, 0.1, 2.6), at(0.6, 2.25, 1.3, 0.0), wallPaint);
    put(room, "wall ahead", wkMakeBox(0.1, 4.4, 2.6), at(3.15, 0.0, 1.3, 0.0), wallPaint);
    hide(room);
    put(room, "wall right", wkMakeBox(5.0, 0.1, 2.6), at(0.6, -2.25, 1.3, 0.0), wallPaint);
    hide(room);
}

#define TABLE_X 0.88
#define TABLE_TOP 0.74

static void buildTable(wkRoom* room)
{
    put(room, "table", wkMakeBox(0.72, 1.50, 0.04), at(TABLE_X, 0.0, TABLE_TOP - 0.02, 0.0), oak);
    for (int i = 0; i < 4; i++) {
        double x = TABLE_X + (i & 1 ? 0.31 : -0.31);
        double y = i & 2 ? 0.70 : -0.70;
        put(room, "table leg", wkMakeBox(0.05, 0.05, TABLE_TOP - 0.04),
            at(x, y, 0.5 * (TABLE_TOP - 0.04), 0.0), darkSteel);
    }
}

// Adds an object on the table, by the position of its base and its height.
static void stand(wkRoom* room, const char* name, wkShape shape, double x, double y, double height,
                  double yaw, wkColor color)
{
    put(room, name, shape, at(x, y, TABLE_TOP + 0.5 * height, yaw), color);
}

static void layTable(wkRoom* room)
{
    stand(room, "crate", wkMakeBox(0.24, 0.18, 0.20), 0.98, 0.48, 0.20, 0.35, clay);
    stand(room, "tin", wkMakeCylinder(0.04, 0.12), 0.74, 0.30, 0.12, 0.0, red);
    stand(room, "tea box", wkMakeBox(0.09, 0.07, 0.14), 0.86, 0.17, 0.14, -0.4, green);
    stand(room, "bottle", wkMakeCylinder(0.036, 0.20), 1.06, 0.12, 0.20, 0.0, teal);
    put(room, "bottle neck", wkMakeCone(0.034, 0.09), at(1.06, 0.12, TABLE_TOP + 0.245, 0.0), teal);
    stand(room, "sphere", wkMakeSphere(0.055), 0.78, -0.28, 0.11, 0.0, yellow);
    stand(room, "book", wkMakeBox(0.24, 0.17, 0.035), 0.96, -0.46, 0.035, 0.2, blue);
    put(room, "upper book", wkMakeBox(0.22, 0.16, 0.03), at(0.96, -0.46, TABLE_TOP + 0.05, -0.15),
        red);
    put(room, "top book", wkMakeBox(0.19, 0.13, 0.04), at(0.95, -0.45, TABLE_TOP + 0.085, 0.4),
        white);
    put(room, "mug", wkMakeMesh(room->mug), at(0.72, -0.05, TABLE_TOP, 0.9), white);
    put(room, "bowl", wkMakeMesh(room->bowl), at(0.98, -0.14, TABLE_TOP, 0.0), blue);
    put(room, "stone", wkMakeHull(room->gem), at(0.72, 0.55, TABLE_TOP, 0.3), violet);
    wkShape egg = wkMakeEllipsoid(0.03, 0.03, 0.04);
    put(room, "egg", egg, at(0.98, -0.13, TABLE_TOP + 0.055, 0.0), white);
}

// Returns a seeded random number, for the boards of the shelf and the boxes on them.
static double pick(uint32_t* seed, double from, double to)
{
    *seed = *seed * 1664525u + 1013904223u;
    return from + (to - from) * (double)(*seed >> 8) / (double)(1u << 24);
}

static void buildShelf(wkRoom* room)
{
    static const double heights[4] = {0.10, 0.55, 1.00, 1.45};
    const wkColor paints[5] = {red, yellow, teal, blue, clay};
    uint32_t seed = 7;
    put(room, "shelf side", wkMakeBox(0.03, 0.34, 1.8), at(-0.62, 1.95, 0.9, 0.0), oak);
    put(room, "shelf side", wkMakeBox(0.03, 0.34, 1.8), at(0.62, 1.95, 0.9, 0.0), oak);
    for (int board = 0; board < 4; board++) {
        put(room, "board", wkMakeBox(1.21, 0.34, 0.025), at(0.0, 1.95, heights[board], 0.0), oak);
        for (double x = -0.50; x < 0.5;) {
            double width = fmin(pick(&seed, 0.08, 0.22), 0.59 - x);
            double height = pick(&seed, 0.10, 0.32);
            double depth = pick(&seed, 0.12, 0.28);
            wkPose pose = at(x + 0.5 * width, 1.95, heights[board] + 0.0125 + 0.5 * height, 0.0);
            wkColor paint = paints[(int)pick(&seed, 0.0, 4.999)];
            bool isRound = pick(&seed, 0.0, 1.0) < 0.25;
            wkShape shape = isRound ? wkMakeCylinder(0.5 * width, height)
                                    : wkMakeBox(width - 0.01, depth, height);
            put(room, isRound ? "jar" : "box", shape, pose, paint);
            x += width + pick(&seed, 0.02, 0.10);
        }
    }
}

static void hangLamp(wkRoom* room)
{
    put(room, "lamp", wkMakeCone(0.19, 0.16), at(0.98, 0.10, 1.66, 0.0), darkSteel);
    put(room, "lamp cord", wkMakeCylinder(0.008, 0.9), at(0.98, 0.10, 2.16, 0.0), darkSteel);
}

static void plantPot(wkRoom* room)
{
    put(room, "pot", wkMakeCylinder(0.17, 0.34), at(1.75, 1.65, 0.17, 0.0), clay);
    for (int i = 0; i < 7; i++) {
        double spin = 0.9 * i, lean = 0.35 + 0.08 * (i % 3);
        wkPose pose = wkMakePoseRpy(
            (wkVec3d){1.75 + 0.16 * cos(spin), 1.65 + 0.16 * sin(spin), 0.62 + 0.03 * (i % 4)},
            -lean * sin(spin), lean * cos(spin), 0.0);
        put(room, "leaf", wkMakeEllipsoid(0.05, 0.03, 0.34), pose, green);
    }
}

// Solid of revolution about z from the vertices of its outline, closed at both ends on the axis.
#define ROUND_STEPS 28
#define MAX_OUTLINE 8

static wkResult turnOnLathe(const double (*outline)[2], int faceVertices, double scale,
                            wkMesh** mesh)
{
    wkVec3d vertices[ROUND_STEPS * MAX_OUTLINE];
    int32_t triangles[ROUND_STEPS * MAX_OUTLINE * 6];
    int32_t count = 0;
    for (int i = 0; i < ROUND_STEPS; i++) {
        double angle = 2.0 * PI * i / ROUND_STEPS;
        for (int j = 0; j < faceVertices; j++) {
            vertices[i * faceVertices + j] =
                wkVec_Scale(scale, (wkVec3d){outline[j][0] * cos(angle), outline[j][0] * sin(angle),
                                             outline[j][1]});
        }
    }
    for (int i = 0; i < ROUND_STEPS; i++) {
        int next = (i + 1) % ROUND_STEPS;
        for (int j = 0; j + 1 < faceVertices; j++) {
            int32_t quad[6] = {i * faceVertices + j,        next * faceVertices + j,
                               next * faceVertices + j + 1, next * faceVertices + j + 1,
                               i * faceVertices + j + 1,    i * faceVertices + j};
            memcpy(triangles + count, quad, sizeof quad);
            count += 6;
        }
    }
    wkMeshDef def = wkDefaultMeshDef();
    def.vertices = vertices;
    def.vertexCount = ROUND_STEPS * faceVertices;
    def.triangles = triangles;
    def.triangleCount = count / 3;
    def.isSolid = true;
    return wkMesh_Create(&def, mesh);
}

static wkResult makeParts(wkRoom* room)
{
    static const double mug[7][2] = {{0.0, 0.0},     {0.042, 0.0},  {0.042, 0.10}, {0.037, 0.10},
                                     {0.037, 0.008}, {0.01, 0.006}, {0.0, 0.006}};
    static const double bowl[8][2] = {{0.0, 0.0},    {0.05, 0.0},   {0.085, 0.03},  {0.105, 0.075},
                                      {0.10, 0.075}, {0.08, 0.035}, {0.045, 0.008}, {0.0, 0.008}};
    wkVec3d stone[12];
    for (int i = 0; i < 12; i++) {
        bool isBase = i < 6;
        double angle = PI * i / 3.0 + (isBase ? 0.0 : 0.5), radius = isBase ? 0.055 : 0.035;
        stone[i] = wkVec_Scale(
            room->scale, (wkVec3d){radius * cos(angle), radius * sin(angle), isBase ? 0.0 : 0.085});
    }
    wkHullDef def = wkDefaultHullDef();
    def.points = stone;
    def.pointCount = 12;
    wkResult result = wkHull_Create(&def, &room->gem);
    if (result == wk_ok) {
        result = turnOnLathe(mug, 7, room->scale, &room->mug);
    }
    return result == wk_ok ? turnOnLathe(bowl, 8, room->scale, &room->bowl) : result;
}

static wkResult makeScene(wkRoom* room)
{
    wkResult result = wkScene_Create(NULL, &room->scene);
    for (int i = 0; i < room->count && result == wk_ok; i++) {
        wkObjectDef def = wkDefaultObjectDef();
        wkObjectId id = wk_nullObjectId;
        def.shape = room->things[i].shape;
        def.pose = room->things[i].pose;
        def.user = &room->things[i];
        result = wkScene_Add(room->scene, &def, &id);
    }
    return result;
}

static void putPedestal(wkRoom* room, wkVec3d edges)
{
    if (edges.z > 0.0 && room->count < WK_ROOM_CAPACITY) {
        room->things[room->count++] =
            (wkRoomThing){"pedestal", wkMakeBox(edges.x, edges.y, edges.z),
                          at(0.0, 0.0, 0.5 * edges.z, 0.0), darkSteel, true};
    }
}

wkResult wkRoom_Create(wkRoom* room, double scale, wkVec3d pedestal)
{
    memset(room, 0, sizeof *room);
    room->scale = scale;
    wkResult result = makeParts(room);
    if (result == wk_ok) {
        buildWalls(room);
        buildTable(room);
        layTable(room);
        buildShelf(room);
        hangLamp(room);
        plantPot(room);
        putPedestal(room, pedestal);
        result = makeScene(room);
    }
    if (result == wk_ok) {
        wkScene_Update(room->scene);
    } else {
        wkRoom_Destroy(room);
    }
    return result;
}

void wkRoom_Destroy(wkRoom* room)
{
    wkScene_Destroy(room->scene);
    wkHull_Destroy(room->gem);
    wkMesh_Destroy(room->mug);
    wkMesh_Destroy(room->bowl);
    memset(room, 0, sizeof *room);
}
