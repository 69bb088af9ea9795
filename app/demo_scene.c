// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The half-space is the floor and the plane an upright pane; the other eight stand between them.

#include "demo_scene.h"

#include <math.h>

#define GEM_SIDES 7
#define GEM_POINT_COUNT (3 * GEM_SIDES + 1)

// A cut stone: table, girdle and pavilion, and the point it stands on.
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

static wkPose at(double x, double y, double z, double roll, double pitch, double yaw)
{
    return wkMakePoseRpy((wkVec3d){x, y, z}, roll, pitch, yaw);
}

static void place(wkDemoScene* scene, wkDemoPlace index, wkShape shape, wkPose pose)
{
    scene->bodies[index] = (wkDemoBody){shape, pose, wkShapeTypeName(shape.type)};
}

wkResult wkDemoScene_Create(wkDemoScene* scene)
{
    wkVec3d gem[GEM_POINT_COUNT];
    makeGem(gem);
    *scene = (wkDemoScene){0};
    wkHullDef def = wkDefaultHullDef();
    def.points = gem;
    def.pointCount = GEM_POINT_COUNT;
    wkResult result = wkHull_Create(&def, &scene->hull);
    if (result != wk_ok) {
        return result;
    }

    // edges that have seen some use: the box is a little rounded
    wkShape box = wkMakeBox(1.04, 0.84, 1.04);
    box.rounding = 0.03;
    const wkVec3d corners[3] = {{-0.55, 0.0, 0.0}, {0.6, 0.0, 0.1}, {-0.1, 0.0, 1.15}};
    const double halfPi = acos(0.0);
    const wkVec3d up = {0.0, 0.0, 1.0};
    const wkVec3d front = {0.0, -1.0, 0.0};

    place(scene, wk_demoSphere, wkMakeSphere(0.6), at(-3.6, -0.75, 0.6, 0, 0, 0));
    place(scene, wk_demoBox, box, at(-1.55, -0.45, 0.55, 0, 0, 0.55));
    place(scene, wk_demoCapsule, wkMakeCapsule(0.24, 0.9), at(-1.55, -0.45, 1.33, 0, halfPi, 0.25));
    place(scene, wk_demoCylinder, wkMakeCylinder(0.55, 1.4), at(-3.0, 1.9, 0.7, 0, 0, 0));
    place(scene, wk_demoCone, wkMakeCone(0.7, 1.7), at(0.15, 2.0, 0.85, 0, 0, 0));
    place(scene, wk_demoEllipsoid, wkMakeEllipsoid(0.9, 0.5, 0.5),
          at(1.25, -0.7, 0.68, 0, -0.3, 0.45));
    place(scene, wk_demoConvex, wkMakeHull(scene->hull), at(3.05, -0.6, 0.0, 0, 0, 0.2));
    place(scene, wk_demoTriangle, wkMakeTriangle(corners[0], corners[1], corners[2]),
          at(4.45, 0.25, 0.2, -0.35, 0, 0.45));
    place(scene, wk_demoHalfspace, wkMakeHalfspace(up, 0.0), wkIdentityPose());
    place(scene, wk_demoPlane, wkMakePlane(front, 0.0), at(2.35, 2.2, 1.0, 0, 0, -0.3));
    scene->ray = (wkRay){{-1.8, 0.4, 3.05}, {1.75, 1.3, -2.05}, INFINITY};
    return wk_ok;
}

void wkDemoScene_Destroy(wkDemoScene* scene)
{
    wkHull_Destroy(scene->hull);
    *scene = (wkDemoScene){0};
}
