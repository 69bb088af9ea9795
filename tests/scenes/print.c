// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A failing pair in words that can be used again. 17 digits give every double back.

#include "nasty.h"

#include "whisker/detail/counts.h"

#define XYZ "%.17g, %.17g, %.17g"

static void printPoints(FILE* file, const wkHull* hull, const char* open, const char* close)
{
    for (int32_t i = 0; i < wkHull_Info(hull).vertexCount; i++) {
        wkVec3d p = wkHull_Vertex(hull, i);
        fprintf(file, "%s%s" XYZ "%s", i == 0 ? "" : ", ", open, p.x, p.y, p.z, close);
    }
}

static void printHull(FILE* file, const wkShape* s, char name)
{
    int32_t count = wkHull_Info(s->hull).vertexCount;
    fprintf(file, "    wkVec3d points%c[%d] = {", name, count);
    printPoints(file, s->hull, "{", "}");
    fprintf(file, "};\n    wkHullDef def%c = wkDefaultHullDef();\n", name);
    fprintf(file, "    def%c.points = points%c;\n    def%c.pointCount = %d;\n", name, name, name,
            count);
    fprintf(file, "    wkHull* hull%c;\n    wkHull_Create(&def%c, &hull%c);\n", name, name, name);
    fprintf(file, "    wkShape %c = wkMakeHull(hull%c);\n", name, name);
}

// How a type is written: the maker's arguments in C, and the fields in `whisker ask`.
typedef struct printRow {
    const char* maker;
    void (*arguments)(FILE* file, const wkShape* s);
    void (*fields)(FILE* file, const wkShape* s);
} printRow;

static void sphereArguments(FILE* file, const wkShape* s)
{
    fprintf(file, "%.17g", s->sphere.radius);
}

static void sphereFields(FILE* file, const wkShape* s)
{
    fprintf(file, "\"radius\":%.17g", s->sphere.radius);
}

// Capsule, cylinder and cone keep radius and half length in the same place.
static void roundArguments(FILE* file, const wkShape* s)
{
    fprintf(file, "%.17g, %.17g", s->capsule.radius, 2 * s->capsule.halfLength);
}

static void roundFields(FILE* file, const wkShape* s)
{
    fprintf(file, "\"radius\":%.17g,\"length\":%.17g", s->capsule.radius,
            2 * s->capsule.halfLength);
}

static void boxArguments(FILE* file, const wkShape* s)
{
    fprintf(file, XYZ, 2 * s->box.half.x, 2 * s->box.half.y, 2 * s->box.half.z);
}

static void boxFields(FILE* file, const wkShape* s)
{
    fprintf(file, "\"size\":[" XYZ "]", 2 * s->box.half.x, 2 * s->box.half.y, 2 * s->box.half.z);
}

static void ellipsoidArguments(FILE* file, const wkShape* s)
{
    fprintf(file, XYZ, s->ellipsoid.radii.x, s->ellipsoid.radii.y, s->ellipsoid.radii.z);
}

static void ellipsoidFields(FILE* file, const wkShape* s)
{
    fprintf(file, "\"radii\":[" XYZ "]", s->ellipsoid.radii.x, s->ellipsoid.radii.y,
            s->ellipsoid.radii.z);
}

static void triangleArguments(FILE* file, const wkShape* s)
{
    const wkVec3d* t = s->triangle.points;
    fprintf(file, "(wkVec3d){" XYZ "}, (wkVec3d){" XYZ "}, (wkVec3d){" XYZ "}", t[0].x, t[0].y,
            t[0].z, t[1].x, t[1].y, t[1].z, t[2].x, t[2].y, t[2].z);
}

static void triangleFields(FILE* file, const wkShape* s)
{
    const wkVec3d* t = s->triangle.points;
    fprintf(file, "\"vertices\":[[" XYZ "],[" XYZ "],[" XYZ "]]", t[0].x, t[0].y, t[0].z, t[1].x,
            t[1].y, t[1].z, t[2].x, t[2].y, t[2].z);
}

static void hullFields(FILE* file, const wkShape* s)
{
    fprintf(file, "\"vertices\":[");
    printPoints(file, s->hull, "[", "]");
    fprintf(file, "]");
}

// Half-space and plane have the same members.
static void planeArguments(FILE* file, const wkShape* s)
{
    fprintf(file, "(wkVec3d){" XYZ "}, %.17g", s->plane.normal.x, s->plane.normal.y,
            s->plane.normal.z, s->plane.offset);
}

static void planeFields(FILE* file, const wkShape* s)
{
    fprintf(file, "\"normal\":[" XYZ "],\"offset\":%.17g", s->plane.normal.x, s->plane.normal.y,
            s->plane.normal.z, s->plane.offset);
}

// clang-format off
static const printRow rows[WK_CONVEX_TYPE_COUNT] = {
    [wk_shapeSphere]    = {"wkMakeSphere",    sphereArguments,    sphereFields},
    [wk_shapeCapsule]   = {"wkMakeCapsule",   roundArguments,     roundFields},
    [wk_shapeBox]       = {"wkMakeBox",       boxArguments,       boxFields},
    [wk_shapeCylinder]  = {"wkMakeCylinder",  roundArguments,     roundFields},
    [wk_shapeCone]      = {"wkMakeCone",      roundArguments,     roundFields},
    [wk_shapeEllipsoid] = {"wkMakeEllipsoid", ellipsoidArguments, ellipsoidFields},
    [wk_shapeTriangle]  = {"wkMakeTriangle",  triangleArguments,  triangleFields},
    [wk_shapeHull]      = {NULL,              NULL,               hullFields},
    [wk_shapeHalfspace] = {"wkMakeHalfspace", planeArguments,     planeFields},
    [wk_shapePlane]     = {"wkMakePlane",     planeArguments,     planeFields},
};
// clang-format on

static void printBodyAsC(FILE* file, const wkShape* s, wkPose pose, char name)
{
    if (s->type == wk_shapeHull) {
        printHull(file, s, name);
    } else {
        fprintf(file, "    wkShape %c = %s(", name, rows[s->type].maker);
        rows[s->type].arguments(file, s);
        fprintf(file, ");\n");
    }
    if (s->rounding != 0.0) {
        fprintf(file, "    %c.rounding = %.17g;\n", name, s->rounding);
    }
    if (s->padding != 0.0) {
        fprintf(file, "    %c.padding = %.17g;\n", name, s->padding);
    }
    fprintf(file, "    wkPose pose%c = {{" XYZ "}, {" XYZ ", %.17g}};\n", name, pose.position.x,
            pose.position.y, pose.position.z, pose.rotation.x, pose.rotation.y, pose.rotation.z,
            pose.rotation.w);
}

static void printBodyAsJson(FILE* file, const wkShape* s, wkPose pose)
{
    wkQuat q = pose.rotation;
    double length = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    fprintf(file, "{\"type\":\"%s\",", wkShapeTypeName(s->type));
    rows[s->type].fields(file, s);
    // rounding is no field of `ask`; padding shifts the same signed distance
    if (s->rounding + s->padding != 0.0) {
        fprintf(file, ",\"padding\":%.17g", s->rounding + s->padding);
    }
    fprintf(file, ",\"xyz\":[" XYZ "],\"quat\":[" XYZ ", %.17g]}", pose.position.x, pose.position.y,
            pose.position.z, q.x / length, q.y / length, q.z / length, q.w / length);
}

void wkPrintPair(FILE* file, const wkScenePair* pair)
{
    printBodyAsC(file, &pair->a, pair->poseA, 'A');
    printBodyAsC(file, &pair->b, pair->poseB, 'B');
    fprintf(file, "    wkDistanceResult r = wkDistance(&A, poseA, &B, poseB, NULL);\n");
    fprintf(file, "{\"id\":1,\"query\":\"signed_distance\",\"a\":");
    printBodyAsJson(file, &pair->a, pair->poseA);
    fprintf(file, ",\"b\":");
    printBodyAsJson(file, &pair->b, pair->poseB);
    fprintf(file, "}\n");
}
