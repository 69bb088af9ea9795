// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Hulls of meshes. Two hulls that are apart prove the same of their meshes, at a lower cost. Meshes of links
// often fill their hulls.

#include "robot/robot_impl.h"

#include "base/error.h"
#include "base/memory.h"
#include "whisker/hull.h"

#include <float.h>

// Hulls of more vertices take long to build.
#define MAX_HULL_VERTICES 4096
// Share of its hull that a mesh has to fill for the hull to be checked first. Other hulls meet those of
// their neighbours too often for that to pay, unless the margin is wide.
#define MIN_FILLED_SHARE 0.9
// Share of the largest coordinate by which a mesh may stick out of its hull. Building a hull rounds to 16
// units in the last place of the largest coordinate (geom/hull_build.c): points within that of a face are
// left out, faces that differ by less are merged, and both together double the error. For meshes
// in map coordinates, such as 5e6 m of UTM, it is 7e-8 m.
#define HULL_SHARE (64.0 * DBL_EPSILON)

static const wkMesh* meshOf(const wkRobotBody* body)
{
    return body->shape.type == wk_shapeMesh ? body->shape.mesh : NULL;
}

// Returns the first body with the same mesh.
static int32_t firstWithMesh(const wkRobot* robot, const wkMesh* mesh)
{
    int32_t i = 0;
    while (meshOf(&robot->bodies[i]) != mesh) {
        ++i;
    }
    return i;
}

void wkFreeBodyHulls(wkRobot* robot)
{
    for (int32_t i = robot->info.bodyCount - 1; i >= 0; --i) {
        wkRobotBody* body = &robot->bodies[i];
        if (body->hull != NULL && firstWithMesh(robot, meshOf(body)) == i) {
            wkHull_Destroy(body->hull);
        }
        body->hull = NULL;
    }
}

// Returns whether a hull is checked before its mesh. Solids that are not watertight take ten times as long to
// be proven apart as others, so that their hulls pay whatever share they fill.
static bool isWorthwhile(const wkHull* hull, const wkMeshInfo* info)
{
    wkShape shape = wkMakeHull(hull);
    bool isFilled = fabs(info->volumeInside) >= MIN_FILLED_SHARE * wkShape_Mass(&shape).volume;
    return isFilled || (info->isSolid && !info->isClosed);
}

bool wkHullAroundMesh(const wkMesh* mesh, int32_t maxVertexCount, wkHull** hull)
{
    *hull = NULL;
    wkMeshInfo info = wkMesh_Info(mesh);
    if (info.triangleCount == 0 || info.vertexCount > maxVertexCount) {
        return true;
    }
    size_t byteCount = (size_t)info.vertexCount * sizeof(wkVec3d);
    wkVec3d* points = (wkVec3d*)wkAlloc(byteCount);
    if (points == NULL) {
        return false;
    }
    // vertices of triangles only: a vertex without a triangle is not part of the mesh
    wkHullDef def = wkDefaultHullDef();
    def.points = points;
    for (int32_t i = 0; i < info.vertexCount; ++i) {
        points[i] = wkMesh_Triangle(mesh, 0).points[0];
    }
    for (int32_t i = 0; i < info.triangleCount; ++i) {
        int32_t vertices[3];
        wkMesh_TriangleIndices(mesh, i, vertices);
        for (int k = 0; k < 3; ++k) {
            points[vertices[k]] = wkMesh_Vertex(mesh, vertices[k]);
        }
    }
    def.pointCount = info.vertexCount;
    wkResult result = wkHull_Create(&def, hull);
    wkFree(points, byteCount);
    // without qhull there is no hull, which is not an error
    return result != wk_errorMemory;
}

wkResult wkMakeBodyHulls(wkRobot* robot)
{
    for (int32_t i = 0; i < robot->info.bodyCount; ++i) {
        wkRobotBody* body = &robot->bodies[i];
        const wkMesh* mesh = meshOf(body);
        body->content = wkMarkContent(&body->shape);
        int32_t first = mesh != NULL ? firstWithMesh(robot, mesh) : i;
        if (mesh == NULL) {
            continue;
        }
        if (first < i) {
            body->hull = robot->bodies[first].hull;
            body->checksHull = robot->bodies[first].checksHull;
            body->hullSlack = robot->bodies[first].hullSlack;
        } else if (!wkHullAroundMesh(mesh, MAX_HULL_VERTICES, &body->hull)) {
            wkFreeBodyHulls(robot);
            return wkFail(wk_errorMemory, "robot '%s': no memory for hulls", robot->info.name);
        } else if (body->hull != NULL) {
            wkMeshInfo info = wkMesh_Info(mesh);
            body->checksHull = isWorthwhile(body->hull, &info);
            body->hullSlack =
                HULL_SHARE * wkMaxD(wkMaxAbs(info.bounds.lower), wkMaxAbs(info.bounds.upper));
            robot->info.byteCount += wkHull_Info(body->hull).byteCount;
        }
    }
    return wk_ok;
}
