// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Bullet 3.24 in double precision: its GJK detector with EPA, margins 0. It has no ellipsoid, and
// its plane is no convex shape.

#include "oracle.h"

#include <BulletCollision/CollisionShapes/btTriangleShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <btBulletCollisionCommon.h>

#include <memory>

namespace {

btVector3 makeVector(const wkVec3d& v)
{
    return btVector3(v.x, v.y, v.z);
}

std::unique_ptr<btConvexShape> makeHull(const wkHull* hull)
{
    auto shape = std::make_unique<btConvexHullShape>();
    for (int i = 0; i < wkHull_Info(hull).vertexCount; i++) {
        shape->addPoint(makeVector(wkHull_Vertex(hull, i)), false);
    }
    shape->recalcLocalAabb();
    return shape;
}

std::unique_ptr<btConvexShape> makeShape(const wkShape& s)
{
    double radius = s.cylinder.radius, half = s.cylinder.halfLength;
    switch (s.type) {
    case wk_shapeSphere:
        return std::make_unique<btSphereShape>(s.sphere.radius);
    case wk_shapeCapsule:
        return std::make_unique<btCapsuleShapeZ>(radius, 2.0 * half);
    case wk_shapeBox:
        return std::make_unique<btBoxShape>(makeVector(s.box.half));
    case wk_shapeCylinder:
        return std::make_unique<btCylinderShapeZ>(btVector3(radius, radius, half));
    case wk_shapeCone:
        return std::make_unique<btConeShapeZ>(radius, 2.0 * half);
    case wk_shapeTriangle:
        return std::make_unique<btTriangleShape>(makeVector(s.triangle.points[0]),
                                                 makeVector(s.triangle.points[1]),
                                                 makeVector(s.triangle.points[2]));
    default:
        return makeHull(s.hull);
    }
}

btTransform makeTransform(const wkPose& pose)
{
    const wkQuat& q = pose.rotation;
    return btTransform(btQuaternion(q.x, q.y, q.z, q.w).normalized(), makeVector(pose.position));
}

bool isKnown(wkShapeType type)
{
    return type != wk_shapeEllipsoid && type != wk_shapeHalfspace && type != wk_shapePlane;
}

bool knows(wkShapeType a, wkShapeType b)
{
    return isKnown(a) && isKnown(b);
}

wkOpinion ask(const wkScenePair* pair)
{
    auto a = makeShape(pair->a);
    auto b = makeShape(pair->b);
    // spheres and capsules keep their radius in the margin
    if (pair->a.type != wk_shapeSphere && pair->a.type != wk_shapeCapsule) {
        a->setMargin(0.0);
    }
    if (pair->b.type != wk_shapeSphere && pair->b.type != wk_shapeCapsule) {
        b->setMargin(0.0);
    }
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depth;
    btGjkPairDetector detector(a.get(), b.get(), &simplex, &depth);
    btGjkPairDetector::ClosestPointInput input;
    input.m_transformA = makeTransform(pair->poseA);
    input.m_transformB = makeTransform(pair->poseB);
    btPointCollector result;
    detector.getClosestPoints(input, result, nullptr);
    wkOpinion opinion = {};
    opinion.hasFailed = !result.m_hasResult;
    opinion.hasDistance = result.m_hasResult;
    opinion.distance = result.m_distance;
    opinion.isTouching = result.m_distance <= 0.0;
    return opinion;
}

} // namespace

const wkOracle wkOracleBullet = {"bullet", 1e-5, knows, ask};
