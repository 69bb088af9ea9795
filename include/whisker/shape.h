// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file shape.h
/// Shapes as values: ten convex ones, triangle meshes, height fields and occupancy maps. A shape
/// needs no clean-up; hulls, meshes, height fields and maps are borrowed.
///
/// A shape is a core (a point, a segment, a box ...) and a distance around it:
/// - `rounding` sweeps the core with a sphere, so a rounded box has round edges. Part of the body.
/// - `padding` shifts the surface outward (or inward when negative) for safety. It is subtracted
///   from every signed distance, and is not part of the body: volume ignores it.
///
/// Zero sizes are allowed: a box may be flat, a capsule of radius 0 is a segment, a sphere of
/// radius 0 a point. Lengths and coordinates above 1e60 metres are refused.

#include "whisker/math.h"

/// An immutable convex hull, see hull.h.
typedef struct wkHull wkHull;

/// A triangle mesh, see mesh.h.
typedef struct wkMesh wkMesh;

/// Heights over a grid, see height_field.h.
typedef struct wkHeightField wkHeightField;

/// A point cloud, see cloud.h.
typedef struct wkCloud wkCloud;

/// An occupancy map, see octree.h.
typedef struct wkOctree wkOctree;

/// Which member of `wkShape` is in use. The order is the order of pairs: see docs/pair_matrix.md.
typedef enum wkShapeType {
    wk_shapeNone = 0,         ///< not a shape: returned by wkMake functions for bad parameters
    wk_shapeSphere = 1,       ///< `sphere`
    wk_shapeCapsule = 2,      ///< `capsule`
    wk_shapeBox = 3,          ///< `box`
    wk_shapeCylinder = 4,     ///< `cylinder`
    wk_shapeCone = 5,         ///< `cone`
    wk_shapeEllipsoid = 6,    ///< `ellipsoid`
    wk_shapeTriangle = 7,     ///< `triangle`
    wk_shapeHull = 8,         ///< `hull`
    wk_shapeHalfspace = 9,    ///< `halfspace`
    wk_shapePlane = 10,       ///< `plane`
    wk_shapeMesh = 11,        ///< `mesh`
    wk_shapeHeightField = 12, ///< `heightField`
    wk_shapeOctree = 13,      ///< `map`
    wk_shapeCloud = 14,       ///< `cloud`
} wkShapeType;

/// A sphere about the origin.
typedef struct wkSphere {
    double radius; ///< >= 0
} wkSphere;

/// A segment along z, centred, swept by a sphere.
typedef struct wkCapsule {
    double radius;     ///< >= 0
    double halfLength; ///< half the segment without its caps, >= 0
} wkCapsule;

/// A box about the origin.
typedef struct wkBox {
    wkVec3d half; ///< half the edge lengths, each >= 0
} wkBox;

/// A solid cylinder along z, centred.
typedef struct wkCylinder {
    double radius;     ///< >= 0
    double halfLength; ///< half the height, >= 0
} wkCylinder;

/// A solid cone along z: base disc at -halfLength, apex at +halfLength.
typedef struct wkCone {
    double radius;     ///< of the base, >= 0
    double halfLength; ///< half the height, >= 0
} wkCone;

/// A solid ellipsoid about the origin.
typedef struct wkEllipsoid {
    wkVec3d radii; ///< semi-axes, each >= 0
} wkEllipsoid;

/// A flat triangle; may be degenerate.
typedef struct wkTriangle {
    wkVec3d points[3]; ///< vertices, anticlockwise seen from the side its normal points to
} wkTriangle;

/// The solid `normal . x <= offset`.
typedef struct wkHalfspace {
    wkVec3d normal; ///< unit length, out of the solid
    double offset;  ///< along the normal
} wkHalfspace;

/// The surface `normal . x = offset`, without an inside.
typedef struct wkPlane {
    wkVec3d normal; ///< unit length
    double offset;  ///< along the normal
} wkPlane;

/// How queries treat unknown cells of a map. All space beyond the map is unknown too.
typedef enum wkUnknownRule {
    wk_unknownNone = 0,     ///< not set: the shape is not valid
    wk_unknownFree = 1,     ///< free
    wk_unknownOccupied = 2, ///< solid like occupied cells
    wk_unknownReported = 3, ///< solid, and results that only they decide have wk_statusUnknown
} wkUnknownRule;

/// An occupancy map as a body: each occupied cell is a solid cube.
typedef struct wkMapShape {
    const wkOctree* octree; ///< borrowed; NULL is not valid
    double
        occupiedProbability; ///< least probability of an occupied cell, below 1; 0: the map's own
    wkUnknownRule unknown;   ///< treatment of unknown cells; wk_unknownNone is not valid
} wkMapShape;

/// Any shape.
typedef struct wkShape {
    wkShapeType type; ///< which member below is in use
    double rounding;  ///< radius of the sphere swept over the core, >= 0
    double padding;   ///< extra distance around the surface, any sign
    union {
        wkSphere sphere;                  ///< for wk_shapeSphere
        wkCapsule capsule;                ///< for wk_shapeCapsule
        wkBox box;                        ///< for wk_shapeBox
        wkCylinder cylinder;              ///< for wk_shapeCylinder
        wkCone cone;                      ///< for wk_shapeCone
        wkEllipsoid ellipsoid;            ///< for wk_shapeEllipsoid
        wkTriangle triangle;              ///< for wk_shapeTriangle
        const wkHull* hull;               ///< for wk_shapeHull; borrowed
        wkHalfspace halfspace;            ///< for wk_shapeHalfspace
        wkPlane plane;                    ///< for wk_shapePlane
        const wkMesh* mesh;               ///< for wk_shapeMesh; borrowed
        const wkHeightField* heightField; ///< for wk_shapeHeightField; borrowed
        const wkCloud* cloud;             ///< for wk_shapeCloud; borrowed
        wkMapShape map;                   ///< for wk_shapeOctree; the octree is borrowed
    };
} wkShape;

// Functions that make shapes. Bad parameters (negative, NaN, infinite, zero normal, NULL hull) give a
// shape of type wk_shapeNone, with the reason in wkGetLastError(); every query returns the conservative
// result and wk_statusInvalid for it.

/// A sphere.
WK_API wkShape wkMakeSphere(double radius);

/// A capsule along z; `length` is that of the segment without caps.
WK_API wkShape wkMakeCapsule(double radius, double length);

/// A box with full edge lengths.
WK_API wkShape wkMakeBox(double sizeX, double sizeY, double sizeZ);

/// A cylinder along z with its full height.
WK_API wkShape wkMakeCylinder(double radius, double length);

/// A cone along z with its full height, apex up.
WK_API wkShape wkMakeCone(double radius, double length);

/// An ellipsoid with its semi-axes.
WK_API wkShape wkMakeEllipsoid(double radiusX, double radiusY, double radiusZ);

/// A triangle.
WK_API wkShape wkMakeTriangle(wkVec3d a, wkVec3d b, wkVec3d c);

/// A convex hull, which is borrowed: keep it alive as long as the shape is in use.
WK_API wkShape wkMakeHull(const wkHull* hull);

/// The solid below a plane. The normal is normalised, and the offset scaled with it.
WK_API wkShape wkMakeHalfspace(wkVec3d normal, double offset);

/// A plane. The normal is normalised, and the offset scaled with it.
WK_API wkShape wkMakePlane(wkVec3d normal, double offset);

/// A triangle mesh, which is borrowed: keep it alive as long as the shape is in use.
WK_API wkShape wkMakeMesh(const wkMesh* mesh);

/// A height field, which is borrowed: keep it alive as long as the shape is in use.
WK_API wkShape wkMakeHeightField(const wkHeightField* field);

/// A point cloud, which is borrowed: keep it alive as long as the shape is in use.
WK_API wkShape wkMakeCloud(const wkCloud* cloud);

/// Checks whether a shape is valid for queries, including one whose fields were set by hand.
/// @return wk_ok, wk_errorNotFinite, wk_errorRange or wk_errorArgument with the field in
///         wkGetLastError()
WK_API wkResult wkShape_Check(const wkShape* shape);

/// Lower-case name of a type, as in `whisker ask`: "sphere", "box" ... "convex" for hulls, "mesh",
/// "heightfield", "octree", "none".
WK_API const char* wkShapeTypeName(wkShapeType type);

/// Finds the value with a name.
/// @param type unchanged on failure
/// @return wk_errorArgument when there is none
WK_API wkResult wkShapeTypeFromName(const char* name, wkShapeType* type);

/// Returns the axis-aligned box in the world around the shape with its rounding and padding. Never too
/// small: rounded outward. Unbounded directions of half-spaces and planes are infinite; an empty box
/// (lower above upper) means that negative padding left nothing, or that a mesh or map is empty.
/// Rotated meshes, height fields and maps get a box around their own rotated box; that of a map is around
/// its occupied cells, infinite when unknown cells are solid. An invalid shape or pose gives the infinite
/// box. With negative padding the gap between two boxes may exceed the distance of the shapes: to find
/// near pairs, leave the padding out.
WK_API wkAabb wkShape_Bounds(const wkShape* shape, wkPose pose);

/// Returns the point of the shape (with rounding and padding) furthest along a world direction of any
/// length. For half-spaces and planes it is the point of the core nearest to the origin of the shape's
/// frame, for maps whose unknown cells are solid it is that origin. Negative padding moves the point back
/// along the direction: no point of the shape is further, but the point may be slightly outside. An empty
/// mesh or map and an invalid shape or pose give zero.
WK_API wkVec3d wkShape_Support(const wkShape* shape, wkPose pose, wkVec3d direction);

/// Mass properties of a solid of density 1, in the shape's own frame.
typedef struct wkMass {
    double volume;    ///< cubic metres, rounding included, padding not; infinite for half-spaces
    wkVec3d centroid; ///< centre of the core's volume (of its flat part when it has none)
    double inertia[3][3]; ///< of the core about its centroid, density 1; zero when it has no volume
} wkMass;

/// Computes volume, centroid and inertia. The radius and rounding of spheres and capsules are part of
/// their core here. A watertight mesh, solid or not, has the enclosed volume, without rounding; other
/// meshes have no volume, and the centre of their area as centroid. An invalid shape gives zeros. A map
/// has the volume of its occupied cells, without rounding; infinite when unknown cells are solid.
WK_API wkMass wkShape_Mass(const wkShape* shape);

/// Returns the signed distance from a world point to the surface: negative inside. Planes and triangles
/// have no inside. The rounding error bound is subtracted. Invalid input gives minus infinity.
WK_API double wkShape_PointDistance(const wkShape* shape, wkPose pose, wkVec3d point);

/// True when the point is in the shape or on its surface, and when the input is not valid.
WK_API bool wkShape_ContainsPoint(const wkShape* shape, wkPose pose, wkVec3d point);

/// Receives the triangulation of a shape. Buffers belong to the caller; NULL to count only.
typedef struct wkTriangulation {
    wkVec3d* vertices;        ///< buffer of vertexCapacity points, in the shape's own frame
    int32_t* indices;         ///< buffer of 3 * triangleCapacity, anticlockwise from outside
    int32_t vertexCapacity;   ///< size of `vertices`
    int32_t triangleCapacity; ///< size of `indices` / 3
    int32_t vertexCount;      ///< out: needed, also when the capacity was too small
    int32_t triangleCount;    ///< out: needed, also when the capacity was too small
} wkTriangulation;

/// Triangulates the shape's surface, padding and rounding included, for drawing and for tests. Curved
/// parts get `segments` (3 to 4096) steps per full circle, with vertices on the surface. Half-spaces give
/// a square of side 2 * `extent` about the point nearest to the frame's origin, planes two, back to back.
/// A body that negative padding uses up has no triangles. Hulls ignore negative padding; meshes, height
/// fields and the occupied cells of maps ignore all padding.
/// @return wk_ok; wk_errorRange when a capacity or `segments` is too small: nothing is written then
WK_API wkResult wkShape_Triangulate(const wkShape* shape, int32_t segments, double extent,
                                    wkTriangulation* out);
