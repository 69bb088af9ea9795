// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Computes extents of shapes that a box, a disc and a sphere bound as tightly as their own functions do.

#include "query/pair/shape_extent.h"

#include "query/pair/shape_class.h"
#include "solve/pair.h"
#include "whisker/detail/counts.h"
#include "whisker/mesh.h"

// False for a body that negative padding has inverted.
static bool isEmptyBox(const wkAabb* box)
{
    return box->lower.x == INFINITY && box->upper.x == -INFINITY;
}

wkAabb wkBoundsForGaps(const wkShape* shape, const wkPose* pose)
{
    wkShape storage;
    const wkShape* whole = wkWholeShape(shape, &storage);
    return wkShapeClassOf(whole)->bounds(whole, pose);
}

wkAabb wkBoundsAround(const wkShape* shape, wkQuat rotation)
{
    wkPose rotated = {{0.0, 0.0, 0.0}, rotation};
    wkAabb bounds = wkBoundsForGaps(shape, &rotated), point = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    wkAabb around = {wkMin(bounds.lower, bounds.upper), wkMax(bounds.lower, bounds.upper)};
    return isEmptyBox(&bounds) ? point : around;
}

bool wkIsEmptyShape(const wkShape* shape)
{
    if (shape->type < WK_CONVEX_TYPE_COUNT) {
        return false;
    }
    wkPose identity = wkIdentityPose();
    wkAabb bounds = wkBoundsForGaps(shape, &identity);
    return isEmptyBox(&bounds);
}

// Larger meshes take too long to scan.
#define MAX_ROUND_VERTICES 4096

// Radius of the sphere at `center` around a mesh, or infinity when it has too many vertices.
static double radiusAround(const wkMesh* mesh, wkVec3d center)
{
    wkMeshInfo info = wkMesh_Info(mesh);
    double square = info.vertexCount <= MAX_ROUND_VERTICES ? 0.0 : INFINITY;
    for (int32_t i = 0; i < info.vertexCount && square < INFINITY; ++i) {
        wkVec3d way = wkSub(wkMesh_Vertex(mesh, i), center);
        square = wkMaxD(square, wkDot(way, way));
    }
    return sqrt(square);
}

// Replaces the box around a mesh that is nearly round by a sphere: at a random rotation the bounds of the
// box extend half the sum of its sides.
static void roundOff(wkExtent* extent, const wkMesh* mesh)
{
    wkVec3d half = extent->half;
    double radius = radiusAround(mesh, extent->center);
    if (radius < 0.5 * (half.x + half.y + half.z)) {
        extent->sphere += radius;
        extent->half = wkVec(0.0, 0.0, 0.0);
    }
}

wkExtent wkMakeExtent(const wkShape* shape)
{
    wkExtent extent = {.sphere = NAN};
    wkExtentKind kind = wkShapeFactsOf(shape)->extent;
    if (kind == wk_extentOwn) {
        return extent;
    }
    wkQuat identity = {0.0, 0.0, 0.0, 1.0};
    wkAabb bounds = wkBoundsAround(shape, identity);
    double sphere = wkPositive(wkShapeRadius(shape));
    double size = wkSumAbs(bounds.lower) + wkSumAbs(bounds.upper);
    if (!(size < 1e100)) {
        return extent;
    }
    extent.center = wkMiddle(bounds.lower, bounds.upper);
    wkVec3d core = wkSub(wkSub(bounds.upper, extent.center), wkVec(sphere, sphere, sphere));
    extent.half = wkMax(core, wkVec(0.0, 0.0, 0.0));
    extent.sphere = sphere + 4.0 * WK_ROUNDING * size;
    if (kind == wk_extentDisc) {
        extent.disc = extent.half.x;
        extent.half = wkVec(0.0, 0.0, extent.half.z);
    }
    if (shape->type == wk_shapeMesh) {
        roundOff(&extent, shape->mesh);
    }
    return extent;
}
