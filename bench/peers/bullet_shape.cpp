// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "peers/bullet_shape.hpp"

#include <BulletCollision/CollisionShapes/btTriangleShape.h>

btVector3 wkToBullet(wkVec3d v)
{
    return btVector3(btScalar(v.x), btScalar(v.y), btScalar(v.z));
}

btTransform wkToBullet(wkPose pose)
{
    const wkQuat& q = pose.rotation;
    btQuaternion rotation(btScalar(q.x), btScalar(q.y), btScalar(q.z), btScalar(q.w));
    return btTransform(rotation.normalized(), wkToBullet(pose.position));
}

static std::unique_ptr<btCollisionShape> withoutMargin(btCollisionShape* shape)
{
    shape->setMargin(0);
    return std::unique_ptr<btCollisionShape>(shape);
}

std::unique_ptr<btCollisionShape> wkMakeBulletShape(const wkShape& shape)
{
    switch (shape.type) {
    case wk_shapeSphere:
        return std::make_unique<btSphereShape>(btScalar(shape.sphere.radius));
    case wk_shapeCapsule:
        return std::make_unique<btCapsuleShapeZ>(btScalar(shape.capsule.radius),
                                                 btScalar(2.0 * shape.capsule.halfLength));
    case wk_shapeBox:
        return withoutMargin(new btBoxShape(wkToBullet(shape.box.half)));
    case wk_shapeCylinder: {
        btScalar radius(shape.cylinder.radius);
        btScalar halfLength(shape.cylinder.halfLength);
        return withoutMargin(new btCylinderShapeZ(btVector3(radius, radius, halfLength)));
    }
    case wk_shapeCone:
        return withoutMargin(
            new btConeShapeZ(btScalar(shape.cone.radius), btScalar(2.0 * shape.cone.halfLength)));
    case wk_shapeTriangle:
        return withoutMargin(new btTriangleShape(wkToBullet(shape.triangle.points[0]),
                                                 wkToBullet(shape.triangle.points[1]),
                                                 wkToBullet(shape.triangle.points[2])));
    case wk_shapeHull: {
        auto* hull = new btConvexHullShape;
        for (int32_t i = 0; i < wkHull_Info(shape.hull).vertexCount; i++) {
            hull->addPoint(wkToBullet(wkHull_Vertex(shape.hull, i)), false);
        }
        hull->recalcLocalAabb();
        return withoutMargin(hull);
    }
    case wk_shapeHalfspace:
        return withoutMargin(new btStaticPlaneShape(wkToBullet(shape.halfspace.normal),
                                                    btScalar(shape.halfspace.offset)));
    default:
        return nullptr;
    }
}
