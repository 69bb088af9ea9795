// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// FCL 0.7 with each of its two convex solvers. It has no pair functions for its own triangle
// shape; distance to a half-space or plane, and hull against plane with libccd, call a null
// pointer. These are not asked.

#include "oracle.h"
#include "scenes/to_fcl.hpp"

#include <fcl/fcl.h>

#include <memory>
#include <vector>

namespace {

std::shared_ptr<fcl::CollisionGeometryd> makeHull(const wkHull* hull)
{
    auto points = std::make_shared<std::vector<fcl::Vector3d>>();
    auto faces = std::make_shared<std::vector<int>>();
    for (int i = 0; i < wkHull_Info(hull).vertexCount; i++) {
        wkVec3d p = wkHull_Vertex(hull, i);
        points->emplace_back(p.x, p.y, p.z);
    }
    for (int i = 0; i < wkHull_Info(hull).faceCount; i++) {
        wkHullFace face = wkHull_Face(hull, i);
        faces->push_back(face.indexCount);
        faces->insert(faces->end(), face.indices, face.indices + face.indexCount);
    }
    return std::make_shared<fcl::Convexd>(points, wkHull_Info(hull).faceCount, faces);
}

std::shared_ptr<fcl::CollisionGeometryd> makeGeometry(const wkShape& s)
{
    wkVec3d half = s.box.half;
    wkVec3d n = s.plane.normal;
    switch (s.type) {
    case wk_shapeSphere:
        return std::make_shared<fcl::Sphered>(s.sphere.radius);
    case wk_shapeCapsule:
        return std::make_shared<fcl::Capsuled>(s.capsule.radius, 2.0 * s.capsule.halfLength);
    case wk_shapeBox:
        return std::make_shared<fcl::Boxd>(2.0 * half.x, 2.0 * half.y, 2.0 * half.z);
    case wk_shapeCylinder:
        return std::make_shared<fcl::Cylinderd>(s.cylinder.radius, 2.0 * s.cylinder.halfLength);
    case wk_shapeCone:
        return std::make_shared<fcl::Coned>(s.cone.radius, 2.0 * s.cone.halfLength);
    case wk_shapeEllipsoid:
        return std::make_shared<fcl::Ellipsoidd>(s.ellipsoid.radii.x, s.ellipsoid.radii.y,
                                                 s.ellipsoid.radii.z);
    case wk_shapeHull:
        return makeHull(s.hull);
    case wk_shapeHalfspace:
        return std::make_shared<fcl::Halfspaced>(wkToFcl(n), s.halfspace.offset);
    default:
        return std::make_shared<fcl::Planed>(wkToFcl(n), s.plane.offset);
    }
}

bool isPlane(wkShapeType type)
{
    return type == wk_shapeHalfspace || type == wk_shapePlane;
}

bool knows(wkShapeType a, wkShapeType b)
{
    return a != wk_shapeTriangle && b != wk_shapeTriangle && !(isPlane(a) && isPlane(b));
}

bool knowsCcd(wkShapeType a, wkShapeType b)
{
    bool isConvexPlane =
        (a == wk_shapeHull && b == wk_shapePlane) || (a == wk_shapePlane && b == wk_shapeHull);
    return knows(a, b) && !isConvexPlane;
}

wkOpinion ask(const wkScenePair* pair, fcl::GJKSolverType solver)
{
    wkOpinion opinion = {};
    try {
        auto a = makeGeometry(pair->a);
        auto b = makeGeometry(pair->b);
        fcl::Transform3d poseA = wkToFcl(pair->poseA);
        fcl::Transform3d poseB = wkToFcl(pair->poseB);
        fcl::CollisionRequestd collide(1, false);
        collide.gjk_solver_type = solver;
        fcl::CollisionResultd contacts;
        opinion.isTouching = fcl::collide(a.get(), poseA, b.get(), poseB, collide, contacts) > 0;
        if (!isPlane(pair->a.type) && !isPlane(pair->b.type)) {
            fcl::DistanceRequestd request(true);
            request.gjk_solver_type = solver;
            fcl::DistanceResultd result;
            opinion.distance = fcl::distance(a.get(), poseA, b.get(), poseB, request, result);
            // overlapping pairs answer -1 or the like, which is no depth
            opinion.hasDistance = opinion.distance > 0.0;
        }
    } catch (const std::exception&) {
        opinion.hasFailed = true;
    }
    return opinion;
}

wkOpinion askCcd(const wkScenePair* pair)
{
    return ask(pair, fcl::GST_LIBCCD);
}

wkOpinion askIndep(const wkScenePair* pair)
{
    return ask(pair, fcl::GST_INDEP);
}

} // namespace

const wkOracle wkOracleFclCcd = {"fcl (libccd)", 1e-5, knowsCcd, askCcd};
const wkOracle wkOracleFclIndep = {"fcl (indep)", 1e-5, knows, askIndep};
