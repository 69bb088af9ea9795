// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A failing pair in words that can be used again. 17 digits give every double back.

#include "nasty.h"

#define XYZ "%.17g, %.17g, %.17g"

static void printPoints(FILE* file, const wkHull* hull, const char* open, const char* close)
{
    for (int32_t i = 0; i < wkHull_VertexCount(hull); i++) {
        wkVec3d p = wkHull_Vertex(hull, i);
        fprintf(file, "%s%s" XYZ "%s", i == 0 ? "" : ", ", open, p.x, p.y, p.z, close);
    }
}

static void printHull(FILE* file, const wkShape* s, char name)
{
    int32_t count = wkHull_VertexCount(s->hull);
    fprintf(file, "    wkVec3d points%c[%d] = {", name, count);
    printPoints(file, s->hull, "{", "}");
    fprintf(file, "};\n    wkHullDef def%c = wkDefaultHullDef();\n", name);
    fprintf(file, "    def%c.points = points%c;\n    def%c.pointCount = %d;\n", name, name, name,
            count);
    fprintf(file, "    wkHull* hull%c;\n    wkHull_Create(&def%c, &hull%c);\n", name, name, name);
    fprintf(file, "    wkShape %c = wkMakeHull(hull%c);\n", name, name);
}

// The C expression that makes a shape; hulls are more than an expression.
static void printMaker(FILE* file, const wkShape* s)
{
    const wkVec3d* t = s->triangle.points;
    switch (s->type) {
    case wk_shapeSphere:
        fprintf(file, "wkMakeSphere(%.17g)", s->sphere.radius);
        break;
    case wk_shapeCapsule:
        fprintf(file, "wkMakeCapsule(%.17g, %.17g)", s->capsule.radius, 2 * s->capsule.halfLength);
        break;
    case wk_shapeBox:
        fprintf(file, "wkMakeBox(" XYZ ")", 2 * s->box.half.x, 2 * s->box.half.y,
                2 * s->box.half.z);
        break;
    case wk_shapeCylinder:
        fprintf(file, "wkMakeCylinder(%.17g, %.17g)", s->cylinder.radius,
                2 * s->cylinder.halfLength);
        break;
    case wk_shapeCone:
        fprintf(file, "wkMakeCone(%.17g, %.17g)", s->cone.radius, 2 * s->cone.halfLength);
        break;
    case wk_shapeEllipsoid:
        fprintf(file, "wkMakeEllipsoid(" XYZ ")", s->ellipsoid.radii.x, s->ellipsoid.radii.y,
                s->ellipsoid.radii.z);
        break;
    case wk_shapeTriangle:
        fprintf(file, "wkMakeTriangle((wkVec3d){" XYZ "}, (wkVec3d){" XYZ "}, (wkVec3d){" XYZ "})",
                t[0].x, t[0].y, t[0].z, t[1].x, t[1].y, t[1].z, t[2].x, t[2].y, t[2].z);
        break;
    case wk_shapeHalfspace:
        fprintf(file, "wkMakeHalfspace((wkVec3d){" XYZ "}, %.17g)", s->halfspace.normal.x,
                s->halfspace.normal.y, s->halfspace.normal.z, s->halfspace.offset);
        break;
    case wk_shapePlane:
        fprintf(file, "wkMakePlane((wkVec3d){" XYZ "}, %.17g)", s->plane.normal.x,
                s->plane.normal.y, s->plane.normal.z, s->plane.offset);
        break;
    default:
        fprintf(file, "{0}");
        break;
    }
}

static void printBodyAsC(FILE* file, const wkShape* s, wkPose pose, char name)
{
    if (s->type == wk_shapeHull) {
        printHull(file, s, name);
    } else {
        fprintf(file, "    wkShape %c = ", name);
        printMaker(file, s);
        fprintf(file, ";\n");
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

// The fields of a shape in `whisker ask`.
static void printFields(FILE* file, const wkShape* s)
{
    const wkVec3d* t = s->triangle.points;
    switch (s->type) {
    case wk_shapeSphere:
        fprintf(file, "\"radius\":%.17g", s->sphere.radius);
        break;
    case wk_shapeCapsule:
    case wk_shapeCylinder:
    case wk_shapeCone:
        // the three keep radius and half length in the same place
        fprintf(file, "\"radius\":%.17g,\"length\":%.17g", s->capsule.radius,
                2 * s->capsule.halfLength);
        break;
    case wk_shapeBox:
        fprintf(file, "\"size\":[" XYZ "]", 2 * s->box.half.x, 2 * s->box.half.y,
                2 * s->box.half.z);
        break;
    case wk_shapeEllipsoid:
        fprintf(file, "\"radii\":[" XYZ "]", s->ellipsoid.radii.x, s->ellipsoid.radii.y,
                s->ellipsoid.radii.z);
        break;
    case wk_shapeTriangle:
        fprintf(file, "\"vertices\":[[" XYZ "],[" XYZ "],[" XYZ "]]", t[0].x, t[0].y, t[0].z,
                t[1].x, t[1].y, t[1].z, t[2].x, t[2].y, t[2].z);
        break;
    case wk_shapeHull:
        fprintf(file, "\"vertices\":[");
        printPoints(file, s->hull, "[", "]");
        fprintf(file, "]");
        break;
    case wk_shapeHalfspace:
    case wk_shapePlane:
        fprintf(file, "\"normal\":[" XYZ "],\"offset\":%.17g", s->plane.normal.x, s->plane.normal.y,
                s->plane.normal.z, s->plane.offset);
        break;
    default:
        break;
    }
}

static void printBodyAsJson(FILE* file, const wkShape* s, wkPose pose)
{
    wkQuat q = pose.rotation;
    double length = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    fprintf(file, "{\"type\":\"%s\",", wkShapeTypeName(s->type));
    printFields(file, s);
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
