// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Public functions on one shape: constructors, checks, bounds, support, mass, containment, triangles.
// Everything that differs between shapes is in the tables.

#include "base/error.h"
#include "geom/triangulate.h"
#include "query/pair/shape_class.h"
#include "whisker/octree.h"

#include <string.h>

// Returns the shape if it is valid, otherwise an empty one; wkGetLastError() has the message.
static wkShape checked(wkShape shape)
{
    if (wkShape_Check(&shape) != wk_ok) {
        memset(&shape, 0, sizeof shape);
    }
    return shape;
}

static wkShape ofType(wkShapeType type)
{
    wkShape shape;
    memset(&shape, 0, sizeof shape);
    shape.type = type;
    return shape;
}

wkShape wkMakeSphere(double radius)
{
    wkShape shape = ofType(wk_shapeSphere);
    shape.sphere.radius = radius;
    return checked(shape);
}

wkShape wkMakeCapsule(double radius, double length)
{
    wkShape shape = ofType(wk_shapeCapsule);
    shape.capsule.radius = radius;
    shape.capsule.halfLength = 0.5 * length;
    return checked(shape);
}

wkShape wkMakeBox(double sizeX, double sizeY, double sizeZ)
{
    wkShape shape = ofType(wk_shapeBox);
    shape.box.half = wkVec(0.5 * sizeX, 0.5 * sizeY, 0.5 * sizeZ);
    return checked(shape);
}

wkShape wkMakeCylinder(double radius, double length)
{
    wkShape shape = ofType(wk_shapeCylinder);
    shape.cylinder.radius = radius;
    shape.cylinder.halfLength = 0.5 * length;
    return checked(shape);
}

wkShape wkMakeCone(double radius, double length)
{
    wkShape shape = ofType(wk_shapeCone);
    shape.cone.radius = radius;
    shape.cone.halfLength = 0.5 * length;
    return checked(shape);
}

wkShape wkMakeEllipsoid(double radiusX, double radiusY, double radiusZ)
{
    wkShape shape = ofType(wk_shapeEllipsoid);
    shape.ellipsoid.radii = wkVec(radiusX, radiusY, radiusZ);
    return checked(shape);
}

wkShape wkMakeTriangle(wkVec3d a, wkVec3d b, wkVec3d c)
{
    wkShape shape = ofType(wk_shapeTriangle);
    shape.triangle.points[0] = a;
    shape.triangle.points[1] = b;
    shape.triangle.points[2] = c;
    return checked(shape);
}

wkShape wkMakeHull(const wkHull* hull)
{
    wkShape shape = ofType(wk_shapeHull);
    shape.hull = hull;
    return checked(shape);
}

// Normalizes the normal and scales the offset. `check` reports what cannot be normalized.
static void normalizePlane(wkVec3d* normal, double* offset)
{
    wkVec3d unit = wkNormalizeOr(*normal, *normal);
    // exact for unit input, and free of overflow for the rest
    double length = wkDot(unit, *normal);
    if (fabs(length - 1.0) > 4e-16) {
        *offset /= length;
        *normal = unit;
    }
}

wkShape wkMakeHalfspace(wkVec3d normal, double offset)
{
    wkShape shape = ofType(wk_shapeHalfspace);
    normalizePlane(&normal, &offset);
    shape.halfspace.normal = normal;
    shape.halfspace.offset = offset;
    return checked(shape);
}

wkShape wkMakePlane(wkVec3d normal, double offset)
{
    wkShape shape = ofType(wk_shapePlane);
    normalizePlane(&normal, &offset);
    shape.plane.normal = normal;
    shape.plane.offset = offset;
    return checked(shape);
}

wkShape wkMakeMesh(const wkMesh* mesh)
{
    wkShape shape = ofType(wk_shapeMesh);
    shape.mesh = mesh;
    return checked(shape);
}

wkShape wkMakeHeightField(const wkHeightField* field)
{
    wkShape shape = ofType(wk_shapeHeightField);
    shape.heightField = field;
    return checked(shape);
}

wkShape wkMakeCloud(const wkCloud* cloud)
{
    wkShape shape = ofType(wk_shapeCloud);
    shape.cloud = cloud;
    return checked(shape);
}

wkShape wkMakeOctree(const wkOctree* octree)
{
    wkShape shape = ofType(wk_shapeOctree);
    shape.map.octree = octree;
    shape.map.unknown = wk_unknownFree;
    return checked(shape);
}

wkResult wkShape_Check(const wkShape* shape)
{
    return wkShapeClassOf(shape)->check(shape);
}

const char* wkShapeTypeName(wkShapeType type)
{
    wkShape shape = {.type = type};
    return wkShapeClassOf(&shape)->name(type);
}

wkResult wkShapeTypeFromName(const char* name, wkShapeType* type)
{
    const char* none = wkShapeTypeName(wk_shapeNone); // also that of types without a row
    bool isNone = name == NULL || strcmp(name, none) == 0;
    for (int i = 1; !isNone && i < WK_SHAPE_TYPE_LIMIT; ++i) {
        if (strcmp(name, wkShapeTypeName((wkShapeType)i)) == 0) {
            *type = (wkShapeType)i;
            return wk_ok;
        }
    }
    return wkFail(wk_errorArgument, "shape: \"%.40s\" is no type of shapes",
                  name != NULL ? name : "");
}

static bool isQueryable(const wkShape* shape, wkPose pose)
{
    return wkIsValidShape(shape) && wkIsValidPose(pose);
}

wkAabb wkShape_Bounds(const wkShape* shape, wkPose pose)
{
    if (!isQueryable(shape, pose)) {
        wkAabb everything = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
        return everything;
    }
    return wkShapeClassOf(shape)->bounds(shape, &pose);
}

wkVec3d wkShape_Support(const wkShape* shape, wkPose pose, wkVec3d direction)
{
    if (!isQueryable(shape, pose)) {
        return wkVec(0.0, 0.0, 0.0);
    }
    wkFrame frame = wkFrameFromPose(pose);
    wkVec3d up = wkVec(0.0, 0.0, 1.0);
    wkVec3d local = wkNormalizeOr(wkMulTMV(&frame.rotation, wkNormalizeOr(direction, up)), up);
    return wkFramePoint(&frame, wkShapeClassOf(shape)->support(shape, local));
}

wkMass wkShape_Mass(const wkShape* shape)
{
    if (!wkIsValidShape(shape)) {
        wkMass none;
        memset(&none, 0, sizeof none);
        return none;
    }
    return wkShapeClassOf(shape)->mass(shape);
}

double wkShape_PointDistance(const wkShape* shape, wkPose pose, wkVec3d point)
{
    if (!isQueryable(shape, pose)) {
        return -INFINITY;
    }
    wkFrame frame = wkFrameFromPose(pose);
    return wkShapeClassOf(shape)->pointDistance(shape, wkFrameLocal(&frame, point));
}

bool wkShape_ContainsPoint(const wkShape* shape, wkPose pose, wkVec3d point)
{
    return !(wkShape_PointDistance(shape, pose, point) > 0.0);
}

wkResult wkShape_Triangulate(const wkShape* shape, int32_t segments, double extent,
                             wkTriangulation* out)
{
    if (out == NULL) {
        return wkFail(wk_errorArgument, "triangulation: out is NULL");
    }
    out->vertexCount = 0;
    out->triangleCount = 0;
    wkResult result = wkShape_Check(shape);
    if (result != wk_ok) {
        return result;
    }
    if (segments < 3 || segments > WK_MAX_SEGMENTS) {
        return wkFail(wk_errorRange, "triangulation: segments is %d, must be 3 to %d", segments,
                      WK_MAX_SEGMENTS);
    }
    return wkShapeClassOf(shape)->triangulate(shape, segments, extent, out);
}
