// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Functions of the box's row in wkConvexTable.

#include "geom/check.h"
#include "geom/convex_ray.h"
#include "geom/convex_rows.h"
#include "geom/face.h"
#include "geom/project.h"
#include "geom/steiner.h"
#include "geom/support.h"
#include "geom/triangulate.h"

bool wkBoxIsValid(const wkShape* shape)
{
    return wkIsValidBox(shape);
}

wkResult wkBoxCheck(const wkShape* shape)
{
    wkResult result = wkCheckSize("box", "half.x", shape->box.half.x);
    if (result == wk_ok) {
        result = wkCheckSize("box", "half.y", shape->box.half.y);
    }
    if (result == wk_ok) {
        result = wkCheckSize("box", "half.z", shape->box.half.z);
    }
    return result == wk_ok ? wkCheckMargins("box", shape) : result;
}

wkVec3d wkBoxCoreSupport(const wkShape* shape, wkVec3d direction)
{
    return wkSupportBox(shape, direction, NULL);
}

wkProjection wkBoxProject(const wkShape* shape, wkVec3d point)
{
    return wkProjectBox(shape, point);
}

wkAabb wkBoxBounds(const wkShape* shape, const wkFrame* frame)
{
    wkVec3d half = shape->box.half;
    wkVec3d extent = wkScale(half.x, wkAbs(frame->rotation.x));
    extent = wkMulAdd(extent, half.y, wkAbs(frame->rotation.y));
    extent = wkMulAdd(extent, half.z, wkAbs(frame->rotation.z));
    wkAabb bounds = {wkSub(frame->position, extent), wkAdd(frame->position, extent)};
    return bounds;
}

wkInnerOuterSpheres wkBoxSpheres(const wkShape* shape)
{
    wkVec3d half = shape->box.half;
    wkInnerOuterSpheres sphere = {
        {0.0, 0.0, 0.0}, wkLength(half), wkMinD(half.x, wkMinD(half.y, half.z))};
    return sphere;
}

wkMass wkBoxMass(const wkShape* shape)
{
    wkVec3d size = wkScale(2.0, shape->box.half);
    double volume = size.x * size.y * size.z;
    double area = 2.0 * (size.x * size.y + size.y * size.z + size.z * size.x);
    double curvature = WK_PI * (size.x + size.y + size.z);
    wkVec3d square = wkMulVec(size, size);
    wkVec3d inertia = wkVec(square.y + square.z, square.z + square.x, square.x + square.y);
    return wkMakeMass(wkSteinerVolume(volume, area, curvature, shape->rounding),
                      wkVec(0.0, 0.0, 0.0), wkScale(volume / 12.0, inertia));
}

wkRayHit wkBoxRayCast(const wkShape* shape, wkVec3d origin, wkVec3d direction, double maxDistance)
{
    wkVec3d half = shape->box.half;
    wkRayInterval x = wkSlabInterval(origin.x, direction.x, half.x);
    wkRayInterval y = wkSlabInterval(origin.y, direction.y, half.y);
    wkRayInterval z = wkSlabInterval(origin.z, direction.z, half.z);
    wkRayInterval interval = {wkMaxD(wkMaxD(x.enter, y.enter), z.enter),
                              wkMinD(wkMinD(x.exit, y.exit), z.exit)};
    if (!wkIsHitInterval(interval, wkMaxAbs(half))) {
        return wkRayMiss();
    }

    // the normal is that of the slab entered last
    wkVec3d normal = wkVec(0.0, 0.0, 0.0);
    if (x.enter >= y.enter && x.enter >= z.enter) {
        normal.x = -copysign(1.0, direction.x);
    } else if (y.enter >= z.enter) {
        normal.y = -copysign(1.0, direction.y);
    } else {
        normal.z = -copysign(1.0, direction.z);
    }
    double enter = wkMaxD(interval.enter, 0.0);
    wkRayHit hit = {enter <= maxDistance, enter, normal};
    return hit;
}

// Fills in the face across the x, y or z axis (0, 1, 2), anticlockwise as viewed from the side of `sign`.
static void fillFace(wkFace* face, wkVec3d half, int axis, double sign)
{
    static const double rotationU[4] = {1.0, -1.0, -1.0, 1.0};
    static const double rotationV[4] = {1.0, 1.0, -1.0, -1.0};
    face->count = 4;
    for (int i = 0; i < 4; ++i) {
        double u = rotationU[i], v = sign * rotationV[i];
        wkVec3d signs = axis == 0   ? wkVec(sign, u, v)
                        : axis == 1 ? wkVec(v, sign, u)
                                    : wkVec(u, v, sign);
        face->points[i] = wkMulVec(signs, half);
    }
}

void wkBoxFaceAt(const wkShape* shape, wkVec3d direction, double cosine, wkFace* face)
{
    wkVec3d size = wkAbs(direction);
    wkVec3d half = shape->box.half;
    if (wkMaxAbs(size) >= cosine) {
        int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
        double along = axis == 0 ? direction.x : axis == 1 ? direction.y : direction.z;
        fillFace(face, half, axis, copysign(1.0, along));
        if (wkIsSamePoint(face->points[0], face->points[1]) ||
            wkIsSamePoint(face->points[1], face->points[2])) {
            // a flat box viewed along its plane
            wkFaceEdge(face, face->points[0], face->points[2]);
        }
        return;
    }

    // the edge is parallel to the axis with the smallest component of the direction
    wkVec3d to = wkSupportBox(shape, direction, NULL);
    wkVec3d from = to;
    double least = wkMinD(wkMinD(size.x, size.y), size.z);
    if (least == size.x) {
        from.x = -from.x;
    } else if (least == size.y) {
        from.y = -from.y;
    } else {
        from.z = -from.z;
    }
    if (least <= wkSineOf(cosine)) {
        wkFaceEdge(face, from, to);
    } else {
        wkFacePoint(face, to);
    }
}

wkResult wkBoxTriangulate(const wkShape* shape, int segments, double extent, wkTriangulation* out)
{
    (void)extent;
    // a negative radius leaves a smaller box
    double radius = wkShapeRadius(shape);
    double shrink = wkMinD(radius, 0.0);
    wkVec3d half = wkAdd(shape->box.half, wkVec(shrink, shrink, shrink));
    if (wkMinD(wkMinD(half.x, half.y), half.z) < 0.0) {
        return wkTriangulationReserve(out, 0, 0);
    }
    wkVec3d vertices[4] = {{half.x, half.y, 0.0},
                           {-half.x, half.y, 0.0},
                           {-half.x, -half.y, 0.0},
                           {half.x, -half.y, 0.0}};
    // a flat box has edges of zero length: their normals are known nevertheless
    const double angles[4] = {0.0, 0.5 * WK_PI, WK_PI, 1.5 * WK_PI};
    wkRoundedPrism prism = {.vertices = vertices,
                            .angles = angles,
                            .vertexCount = 4,
                            .x = {1.0, 0.0, 0.0},
                            .y = {0.0, 1.0, 0.0},
                            .z = {0.0, 0.0, 1.0},
                            .half = half.z,
                            .radius = wkMaxD(radius, 0.0)};
    return wkTriangulatePrism(&prism, segments, out);
}
