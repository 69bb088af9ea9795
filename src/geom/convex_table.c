// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// One row per shape, by type; all differences between shapes are looked up here.

#include "geom/convex_rows.h"

#include "base/error.h"
#include "geom/tessellation.h"

#include "whisker/detail/counts.h"

#include <stddef.h>

// wkShapeSolidRadius() reads both through one member.
_Static_assert(offsetof(wkShape, sphere.radius) == offsetof(wkShape, capsule.radius),
               "sphere and capsule keep their radius at the same offset");

static bool neverValid(const wkShape* shape)
{
    (void)shape;
    return false;
}

static wkResult refuse(const wkShape* shape)
{
    return wkFail(wk_errorArgument, "shape: %s",
                  shape == NULL ? "is NULL" : "its type is none of the ten");
}

// clang-format off
#define ROW(NAME, TEXT, IS_BOUNDED, IS_POLYTOPE, CASTS_SPHERE, FACTS) \
    {                                                                                              \
        .name        = TEXT,                                                                       \
        .facts       = FACTS,                                                                      \
        .isBounded   = IS_BOUNDED,                                                                 \
        .isPolytope  = IS_POLYTOPE,                                                                \
        .castsSphere   = CASTS_SPHERE,                                                                 \
        .isValid     = wk##NAME##IsValid,                                                          \
        .check       = wk##NAME##Check,                                                            \
        .support     = wk##NAME##CoreSupport,                                                      \
        .project     = wk##NAME##Project,                                                          \
        .bounds      = wk##NAME##Bounds,                                                           \
        .sphere        = wk##NAME##Spheres,                                                             \
        .mass        = wk##NAME##Mass,                                                             \
        .rayCast     = wk##NAME##RayCast,                                                          \
        .face        = wk##NAME##FaceAt,                                                           \
        .triangulate = wk##NAME##Triangulate,                                                      \
    }

#define BYTES(MEMBER, EXTENT, TESSELLATE) \
    {.byteCount = sizeof(MEMBER), .extent = EXTENT, .isAttachable = true, .tessellate = TESSELLATE}
#define HULL \
    {.byteCount = sizeof(const wkHull*), .digest = wkHullDigest, .isAttachable = true, .tessellate = wkTessellateHull}
#define ENDLESS(MEMBER) {.byteCount = sizeof(MEMBER)}

const wkConvexRow wkConvexTable[WK_CONVEX_TYPE_COUNT] = {
    [wk_shapeNone]      = {.name = "none", .isValid = neverValid, .check = refuse},
    //                        function   name         bounded polytope casts sphere
    [wk_shapeSphere]    = ROW(Sphere,    "sphere",    true,   true,    true,   BYTES(wkSphere,    wk_extentBox,  wkTessellateSphere)),
    [wk_shapeCapsule]   = ROW(Capsule,   "capsule",   true,   true,    true,   BYTES(wkCapsule,   wk_extentBox,  wkTessellateCapsule)),
    [wk_shapeBox]       = ROW(Box,       "box",       true,   true,    false,  BYTES(wkBox,       wk_extentBox,  wkTessellateBox)),
    [wk_shapeCylinder]  = ROW(Cylinder,  "cylinder",  true,   false,   false,  BYTES(wkCylinder,  wk_extentDisc, wkTessellateCylinder)),
    [wk_shapeCone]      = ROW(Cone,      "cone",      true,   false,   false,  BYTES(wkCone,      wk_extentOwn,  wkTessellateCone)),
    [wk_shapeEllipsoid] = ROW(Ellipsoid, "ellipsoid", true,   false,   false,  BYTES(wkEllipsoid, wk_extentOwn,  wkTessellateEllipsoid)),
    [wk_shapeTriangle]  = ROW(Triangle,  "triangle",  true,   true,    false,  BYTES(wkTriangle,  wk_extentOwn,  wkTessellateTriangle)),
    [wk_shapeHull]      = ROW(Hull,      "convex",    true,   true,    false,  HULL),
    [wk_shapeHalfspace] = ROW(Halfspace, "halfspace", false,  true,    true,   ENDLESS(wkHalfspace)),
    [wk_shapePlane]     = ROW(Plane,     "plane",     false,  true,    true,   ENDLESS(wkPlane)),
};
// clang-format on
