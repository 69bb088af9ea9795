// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Functions that half-spaces and planes share.

#include "geom/flat.h"

#include "base/error.h"
#include "geom/check.h"
#include "geom/triangulate.h"

_Static_assert(offsetof(wkHalfspace, normal) == offsetof(wkPlane, normal) &&
                   offsetof(wkHalfspace, offset) == offsetof(wkPlane, offset),
               "half-spaces and planes are read through one member");

wkResult wkFlatCheck(const char* name, const wkShape* shape)
{
    wkResult result = wkCheckNormal(name, shape->halfspace.normal);
    if (result == wk_ok) {
        result = wkCheckCoordinate(name, "offset", shape->halfspace.offset);
    }
    return result == wk_ok ? wkCheckMargins(name, shape) : result;
}

wkInnerOuterSpheres wkFlatSphere(const wkShape* shape)
{
    wkInnerOuterSpheres sphere = {wkFlatPoint(shape), INFINITY, 0.0};
    return sphere;
}

// Returns true when the rotation maps each axis exactly to itself or its opposite.
static bool isDiagonal(const wkMat3d* m)
{
    return m->x.y == 0.0 && m->x.z == 0.0 && m->y.x == 0.0 && m->y.z == 0.0 && m->z.x == 0.0 &&
           m->z.y == 0.0;
}

// Bounds a coordinate when the plane is perpendicular to its axis.
static void boundAxis(double normal, double height, bool isSolid, double* lower, double* upper)
{
    if (normal > 0.0 || !isSolid) {
        *upper = height;
    }
    if (normal < 0.0 || !isSolid) {
        *lower = height;
    }
}

wkAabb wkFlatBounds(wkVec3d normal, double offset, bool isSolid, const wkFrame* frame)
{
    wkAabb bounds = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    // a plane with the slightest tilt is unbounded along every axis
    if (!isDiagonal(&frame->rotation)) {
        return bounds;
    }
    wkVec3d world = wkMulMV(&frame->rotation, normal);
    wkVec3d p = frame->position;
    if (world.y == 0.0 && world.z == 0.0) {
        boundAxis(world.x, p.x + copysign(offset, offset * world.x), isSolid, &bounds.lower.x,
                  &bounds.upper.x);
    } else if (world.z == 0.0 && world.x == 0.0) {
        boundAxis(world.y, p.y + copysign(offset, offset * world.y), isSolid, &bounds.lower.y,
                  &bounds.upper.y);
    } else if (world.x == 0.0 && world.y == 0.0) {
        boundAxis(world.z, p.z + copysign(offset, offset * world.z), isSolid, &bounds.lower.z,
                  &bounds.upper.z);
    }
    return bounds;
}

wkRayHit wkFlatRayCast(double gap, wkVec3d normal, wkVec3d direction, double maxDistance)
{
    double approach = -wkDot(normal, direction);
    double enter = gap / approach;
    if (!(approach > 0.0) || !(enter <= maxDistance)) {
        return wkRayMiss();
    }
    wkRayHit hit = {true, wkMaxD(enter, 0.0), normal};
    return hit;
}

wkResult wkTriangulateSquares(wkVec3d normal, const double* offsets, int count, double extent,
                              wkTriangulation* out)
{
    if (!(extent > 0.0) || !wkIsValidSize(extent)) {
        return wkFail(wk_errorRange, "triangulation: extent is %g, must be > 0", extent);
    }
    wkResult result = wkTriangulationReserve(out, 4 * count, 2 * count);
    if (result != wk_ok || out->vertices == NULL) {
        return result;
    }
    wkVec3d x = wkScale(extent, wkPerpendicular(normal));
    wkVec3d y = wkCross(normal, x);
    for (int i = 0; i < count; ++i) {
        wkVec3d* vertices = out->vertices + 4 * i;
        int32_t* indices = out->indices + 6 * i;
        wkVec3d center = wkScale(offsets[i], normal);
        vertices[0] = wkAdd(wkAdd(center, x), y);
        vertices[1] = wkAdd(wkSub(center, x), y);
        vertices[2] = wkSub(wkSub(center, x), y);
        vertices[3] = wkSub(wkAdd(center, x), y);

        // the second square faces the other way
        const int32_t order[6] = {0, i == 0 ? 1 : 2, i == 0 ? 2 : 1,
                                  0, i == 0 ? 2 : 3, i == 0 ? 3 : 2};
        for (int k = 0; k < 6; ++k) {
            indices[k] = 4 * i + order[k];
        }
    }
    return wk_ok;
}
