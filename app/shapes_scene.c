// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The half-space is the floor and the plane an upright pane; the others stand between them.

#include "shapes_scene.h"

#include "vector.h"

#include <math.h>

#define GEM_SIDES 7
#define GEM_POINT_COUNT (3 * GEM_SIDES + 1)

// Makes a cut gem: table, girdle and pavilion, standing on its point.
static void makeGem(wkVec3d points[GEM_POINT_COUNT])
{
    static const double radii[3] = {0.36, 0.66, 0.40};
    static const double heights[3] = {1.08, 0.72, 0.20};
    const double step = 2.0 * acos(-1.0) / GEM_SIDES;
    for (int ring = 0; ring < 3; ring++) {
        for (int i = 0; i < GEM_SIDES; i++) {
            double angle = step * (i + 0.5 * ring);
            points[ring * GEM_SIDES + i] =
                (wkVec3d){radii[ring] * cos(angle), radii[ring] * sin(angle), heights[ring]};
        }
    }
    points[GEM_POINT_COUNT - 1] = (wkVec3d){0.0, 0.0, 0.0};
}

// A tube along a trefoil knot: a body without any convex part.
#define KNOT_AROUND 144
#define KNOT_ACROSS 12
#define KNOT_SIZE 0.2
#define KNOT_TUBE 0.11

static wkVec3d knotPoint(double t)
{
    return (wkVec3d){KNOT_SIZE * (sin(t) + 2.0 * sin(2.0 * t)),
                     KNOT_SIZE * (cos(t) - 2.0 * cos(2.0 * t)), -KNOT_SIZE * sin(3.0 * t)};
}

// Returns vertex j of the ring around the tube at step i.
static wkVec3d knotVertex(int i, int j)
{
    const double spin = 2.0 * acos(-1.0);
    double t = spin * i / KNOT_AROUND, angle = spin * j / KNOT_ACROSS;
    wkVec3d point = knotPoint(t);
    wkVec3d along = wkVec_Unit(wkVec_Sub(knotPoint(t + 1e-4), point));
    wkVec3d side = wkVec_Unit(wkVec_Cross(along, (wkVec3d){0.0, 0.0, 1.0}));
    wkVec3d over = wkVec_Cross(side, along);
    return wkVec_MulAdd(wkVec_MulAdd(point, KNOT_TUBE * cos(angle), side), KNOT_TUBE * sin(angle),
                        over);
}

static wkResult makeKnot(bool isSolid, wkMesh** mesh)
{
    static wkVec3d vertices[KNOT_AROUND * KNOT_ACROSS];
    static int32_t triangles[6 * KNOT_AROUND * KNOT_ACROSS];
    for (int i = 0; i < KNOT_AROUND; i++) {
        for (int j = 0; j < KNOT_ACROSS; j++) {
            int32_t a = i * KNOT_ACROSS + j, b = i * KNOT_ACROSS + (j + 1) % KNOT_ACROSS;
            int32_t next = (i + 1) % KNOT_AROUND * KNOT_ACROSS - i * KNOT_ACROSS;
            const int32_t cell[6] = {a, b + next, b, a, a + next, b + next};
            vertices[a] = knotVertex(i, j);
            for (int k = 0; k < 6; k++) {
                triangles[6 * a + k] = cell[k];
            }
        }
    }
    wkMeshDef def = wkDefaultMeshDef();
    def.vertices = vertices;
    def.vertexCount = KNOT_AROUND * KNOT_ACROSS;
    def.triangles = triangles;
    def.triangleCount = 2 * KNOT_AROUND * KNOT_ACROSS;
    def.isSolid = isSolid;
    return wkMesh_Create(&def, mesh);
}

static wkPose at(double x, double y, double z, double roll, double pitch, double yaw)
{
    return wkMakePoseRpy((wkVec3d){x, y, z}, roll, pitch, yaw);
}

static void put(wkShapesScene* scene, wkShapesSlot index, wkShape shape, wkPose pose)
{
    scene->bodies[index] = (wkShapesBody){shape, pose, wkShapeTypeName(shape.type)};
}

wkResult wkShapesScene_Create(wkShapesScene* scene)
{
    wkVec3d gem[GEM_POINT_COUNT];
    makeGem(gem);
    *scene = (wkShapesScene){0};
    wkHullDef def = wkDefaultHullDef();
    def.points = gem;
    def.pointCount = GEM_POINT_COUNT;
    wkResult result = wkHull_Create(&def, &scene->hull);
    if (result == wk_ok) {
        result = makeKnot(true, &scene->mesh);
    }
    if (result == wk_ok) {
        result = makeKnot(false, &scene->surface);
    }
    if (result != wk_ok) {
        wkShapesScene_Destroy(scene);
        return result;
    }

    // slightly rounded edges
    wkShape box = wkMakeBox(1.04, 0.84, 1.04);
    box.rounding = 0.03;
    const wkVec3d vertices[3] = {{-0.55, 0.0, 0.0}, {0.6, 0.0, 0.1}, {-0.1, 0.0, 1.15}};
    const double halfPi = acos(0.0);
    const wkVec3d up = {0.0, 0.0, 1.0};
    const wkVec3d front = {0.0, -1.0, 0.0};

    put(scene, wk_shapesSphere, wkMakeSphere(0.6), at(-3.6, -0.75, 0.6, 0, 0, 0));
    put(scene, wk_shapesBox, box, at(-1.55, -0.45, 0.55, 0, 0, 0.55));
    put(scene, wk_shapesCapsule, wkMakeCapsule(0.24, 0.9), at(-1.55, -0.45, 1.33, 0, halfPi, 0.25));
    put(scene, wk_shapesCylinder, wkMakeCylinder(0.55, 1.4), at(-3.0, 1.9, 0.7, 0, 0, 0));
    put(scene, wk_shapesCone, wkMakeCone(0.7, 1.7), at(0.15, 2.0, 0.85, 0, 0, 0));
    put(scene, wk_shapesEllipsoid, wkMakeEllipsoid(0.9, 0.5, 0.5),
        at(1.25, -0.7, 0.68, 0, -0.3, 0.45));
    put(scene, wk_shapesConvex, wkMakeHull(scene->hull), at(3.05, -0.6, 0.0, 0, 0, 0.2));
    put(scene, wk_shapesTriangle, wkMakeTriangle(vertices[0], vertices[1], vertices[2]),
        at(4.45, 0.25, 0.2, -0.35, 0, 0.45));
    put(scene, wk_shapesMesh, wkMakeMesh(scene->mesh), at(0.1, -2.4, 0.30, 0, 0, 0.3));
    put(scene, wk_shapesHalfspace, wkMakeHalfspace(up, 0.0), wkIdentityPose());
    put(scene, wk_shapesPlane, wkMakePlane(front, 0.0), at(2.35, 2.2, 1.0, 0, 0, -0.3));
    scene->ray = (wkRay){{-1.8, 0.4, 3.05}, {1.75, 1.3, -2.05}, INFINITY};
    return wk_ok;
}

void wkShapesScene_Destroy(wkShapesScene* scene)
{
    wkHull_Destroy(scene->hull);
    wkMesh_Destroy(scene->mesh);
    wkMesh_Destroy(scene->surface);
    *scene = (wkShapesScene){0};
}
