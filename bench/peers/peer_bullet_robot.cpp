// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Bullet's side of the rows about a robot among obstacles: its collision world without dynamics. All
// pairs are looked at in any case; there is no way to stop at the first.

#include "peers/peers.h"

#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletCollisionCommon.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

namespace {

constexpr btScalar margin = 0.001F; // of solid shapes but spheres, which have none

enum Filter {
    bodyFilter = 1,
    obstacleFilter = 2
};

using ObjectPair = std::pair<const void*, const void*>;

struct RobotJob {
    wkPeerRobotJob job;
    wkAnswer* answers = nullptr;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btDbvtBroadphase broad;
    btCollisionWorld world{&dispatcher, &broad, &configuration};
    std::vector<std::unique_ptr<btTriangleMesh>> meshes;
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btCollisionObject>> objects; // bodies first
    std::vector<btTransform> transforms;
    std::vector<ObjectPair> hits;

    ~RobotJob()
    {
        for (auto& object : objects) {
            world.removeCollisionObject(object.get());
        }
    }
};

btVector3 toBullet(const wkVec3d& v)
{
    return btVector3(static_cast<btScalar>(v.x), static_cast<btScalar>(v.y),
                     static_cast<btScalar>(v.z));
}

btTransform toBullet(const wkPose& pose)
{
    const wkQuat& q = pose.rotation;
    btQuaternion rotation(static_cast<btScalar>(q.x), static_cast<btScalar>(q.y),
                          static_cast<btScalar>(q.z), static_cast<btScalar>(q.w));
    return btTransform(rotation.normalized(), toBullet(pose.position));
}

btCollisionShape* makeMesh(RobotJob& r, const wkMesh* mesh, bool isMoving)
{
    auto triangles = std::make_unique<btTriangleMesh>();
    int32_t count = wkMesh_Info(mesh).triangleCount;
    for (int32_t i = 0; i < count; i++) {
        wkTriangle t = wkMesh_Triangle(mesh, i);
        triangles->addTriangle(toBullet(t.points[0]), toBullet(t.points[1]), toBullet(t.points[2]));
    }
    r.meshes.push_back(std::move(triangles));
    if (!isMoving) {
        return new btBvhTriangleMeshShape(r.meshes.back().get(), true);
    }
    auto* shape = new btGImpactMeshShape(r.meshes.back().get());
    shape->setMargin(0.0F);
    shape->updateBound();
    return shape;
}

// The types that the robots and obstacles have; NULL for others.
btCollisionShape* makeShape(RobotJob& r, const wkShape& shape, bool isMoving)
{
    switch (shape.type) {
    case wk_shapeSphere:
        return new btSphereShape(static_cast<btScalar>(shape.sphere.radius));
    case wk_shapeBox:
        return new btBoxShape(toBullet(shape.box.half));
    case wk_shapeCylinder: {
        auto radius = static_cast<btScalar>(shape.cylinder.radius);
        auto half = static_cast<btScalar>(shape.cylinder.halfLength);
        return new btCylinderShapeZ(btVector3(radius, radius, half));
    }
    case wk_shapeMesh:
        return makeMesh(r, shape.mesh, isMoving);
    default:
        return nullptr;
    }
}

bool addObject(RobotJob& r, const wkShape& shape, const wkPose& pose, bool isMoving)
{
    std::unique_ptr<btCollisionShape> made(makeShape(r, shape, isMoving));
    if (made == nullptr) {
        return false;
    }
    if (shape.type != wk_shapeSphere) {
        made->setMargin(shape.type == wk_shapeMesh ? 0.0F : margin);
    }
    auto object = std::make_unique<btCollisionObject>();
    object->setCollisionShape(made.get());
    object->setWorldTransform(toBullet(pose));
    if (!isMoving) {
        object->setCollisionFlags(btCollisionObject::CF_STATIC_OBJECT);
    }
    r.world.addCollisionObject(object.get(), isMoving ? bodyFilter : obstacleFilter,
                               isMoving ? obstacleFilter : bodyFilter);
    r.shapes.push_back(std::move(made));
    r.objects.push_back(std::move(object));
    return true;
}

bool fill(RobotJob& r)
{
    const wkRobotCase& made = *r.job.robotCase;
    btGImpactCollisionAlgorithm::registerAlgorithm(&r.dispatcher);
    r.world.setForceUpdateAllAabbs(false);
    for (int i = 0; i < made.bodyCount; i++) {
        if (!addObject(r, *wkRobot_Body(made.robot, i).shape, made.bodyPoses[i], true)) {
            return false;
        }
    }
    for (int i = 0; i < made.obstacleCount; i++) {
        if (!addObject(r, made.obstacles[i], made.obstaclePoses[i], false)) {
            return false;
        }
    }
    for (int i = 0; i < made.count * made.bodyCount; i++) {
        r.transforms.push_back(toBullet(made.bodyPoses[i]));
    }
    r.world.updateAabbs();
    return true;
}

bool isTouching(const btPersistentManifold& manifold)
{
    for (int i = 0; i < manifold.getNumContacts(); i++) {
        if (manifold.getContactPoint(i).getDistance() <= 0.0F) {
            return true;
        }
    }
    return false;
}

// Pairs that touch; a pair may have several manifolds.
double countPairs(RobotJob& r)
{
    r.hits.clear();
    for (int i = 0; i < r.dispatcher.getNumManifolds(); i++) {
        btPersistentManifold* manifold = r.dispatcher.getManifoldByIndexInternal(i);
        if (isTouching(*manifold)) {
            r.hits.emplace_back(manifold->getBody0(), manifold->getBody1());
        }
        manifold->clearManifold();
    }
    std::sort(r.hits.begin(), r.hits.end());
    return static_cast<double>(std::unique(r.hits.begin(), r.hits.end()) - r.hits.begin());
}

} // namespace

void* wkOpenBulletRobot(const wkPeerRobotJob* job, wkAnswer* answers)
try {
    if (job->task != wk_robotFirst && job->task != wk_robotAll) {
        return nullptr;
    }
    auto r = std::make_unique<RobotJob>();
    r->job = *job;
    r->answers = answers;
    return fill(*r) ? r.release() : nullptr;
} catch (const std::exception&) {
    return nullptr;
}

void wkPassBulletRobot(void* handle)
{
    auto& r = *static_cast<RobotJob*>(handle);
    const wkRobotCase& made = *r.job.robotCase;
    const btTransform* transform = r.transforms.data();
    for (int i = 0; i < made.count; i++) {
        for (int body = 0; body < made.bodyCount; body++) {
            btCollisionObject* object = r.objects[static_cast<size_t>(body)].get();
            object->setWorldTransform(*transform++);
            r.world.updateSingleAabb(object);
        }
        r.world.computeOverlappingPairs();
        r.dispatcher.dispatchAllCollisionPairs(r.broad.getOverlappingPairCache(),
                                               r.world.getDispatchInfo(), &r.dispatcher);
        double count = countPairs(r);
        r.answers[i] = r.job.task == wk_robotFirst && count > 0.0 ? 1.0 : count;
    }
}

void wkCloseBulletRobot(void* handle)
{
    delete static_cast<RobotJob*>(handle);
}
