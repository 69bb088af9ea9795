// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Bullet's side of the pair rows, in two ways: its GJK detector with EPA called directly, and the
// algorithm its dispatcher picks for the pair (closed forms for two spheres, two boxes, sphere and
// triangle, two capsules). Shapes, transforms and algorithms are made before the clock starts.
//
// Not equal: the packaged Bullet computes in single precision; it has no yes-or-no query, so
// "collide" finds the depth too when it overlaps; its box-box algorithm finds a whole manifold; it
// has no ellipsoid. Margins are 0 where they are not the radius itself.

#include "peers/bullet_shape.hpp"
#include "peers/peers.h"

#include <BulletCollision/CollisionDispatch/btCollisionObjectWrapper.h>
#include <BulletCollision/CollisionShapes/btTriangleShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <btBulletCollisionCommon.h>

#include <algorithm>
#include <memory>
#include <vector>

namespace {

// Keeps the deepest contact instead of a manifold.
struct DeepestContact : btManifoldResult {
    DeepestContact(const btCollisionObjectWrapper* a, const btCollisionObjectWrapper* b)
        : btManifoldResult(a, b)
    {
    }

    void addContactPoint(const btVector3&, const btVector3&, btScalar distance) override
    {
        depth = std::max(depth, -static_cast<double>(distance));
    }

    double depth = -BT_LARGE_FLOAT;
};

struct BulletJob {
    std::unique_ptr<btCollisionShape> a;
    std::unique_ptr<btCollisionShape> b;
    std::vector<btTransform> posesA;
    std::vector<btTransform> posesB;
    wkPairQuery query;
    wkAnswer* answers;

    // for the dispatcher's algorithm
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher{&configuration};
    btCollisionObject objectA;
    btCollisionObject objectB;
    btCollisionAlgorithm* algorithm = nullptr;

    ~BulletJob()
    {
        if (algorithm != nullptr) {
            algorithm->~btCollisionAlgorithm();
            dispatcher.freeCollisionAlgorithm(algorithm);
        }
    }
};

BulletJob* openJob(const wkPairJob* job, wkAnswer* answers)
{
    auto shapeA = wkMakeBulletShape(*job->a);
    auto shapeB = wkMakeBulletShape(*job->b);
    if (job->query == wk_querySignedDistance || shapeA == nullptr || shapeB == nullptr) {
        return nullptr;
    }
    auto* bullet = new BulletJob;
    bullet->a = std::move(shapeA);
    bullet->b = std::move(shapeB);
    for (int i = 0; i < job->count; i++) {
        bullet->posesA.push_back(wkToBullet(job->poses[i].a));
        bullet->posesB.push_back(wkToBullet(job->poses[i].b));
    }
    bullet->query = job->query;
    bullet->answers = answers;
    return bullet;
}

// The answer from a signed distance.
double toAnswer(wkPairQuery query, double distance)
{
    if (query == wk_queryCollide) {
        return distance <= 0.0 ? 1.0 : 0.0;
    }
    if (query == wk_queryContacts) {
        return distance <= 0.0 ? -distance : -1.0;
    }
    return std::max(distance, 0.0);
}

} // namespace

extern "C" void* wkOpenBulletGjk(const wkPairJob* job, wkAnswer* answers)
{
    bool isConvex = job->a->type != wk_shapeHalfspace && job->b->type != wk_shapeHalfspace;
    return isConvex ? openJob(job, answers) : nullptr;
}

extern "C" void* wkOpenBulletAlgorithm(const wkPairJob* job, wkAnswer* answers)
{
    // its box-box algorithm knows contacts only
    bool isBoxBox = job->a->type == wk_shapeBox && job->b->type == wk_shapeBox;
    BulletJob* bullet = nullptr;
    if (!(isBoxBox && job->query == wk_queryDistance)) {
        bullet = openJob(job, answers);
    }
    if (bullet == nullptr) {
        return nullptr;
    }
    bullet->objectA.setCollisionShape(bullet->a.get());
    bullet->objectB.setCollisionShape(bullet->b.get());
    btCollisionObjectWrapper wrapA(nullptr, bullet->a.get(), &bullet->objectA,
                                   bullet->objectA.getWorldTransform(), -1, -1);
    btCollisionObjectWrapper wrapB(nullptr, bullet->b.get(), &bullet->objectB,
                                   bullet->objectB.getWorldTransform(), -1, -1);
    bullet->algorithm =
        bullet->dispatcher.findAlgorithm(&wrapA, &wrapB, nullptr, BT_CONTACT_POINT_ALGORITHMS);
    return bullet;
}

extern "C" void wkPassBulletGjk(void* handle)
{
    BulletJob& job = *static_cast<BulletJob*>(handle);
    const auto* a = static_cast<const btConvexShape*>(job.a.get());
    const auto* b = static_cast<const btConvexShape*>(job.b.get());
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depthSolver;
    btGjkPairDetector::ClosestPointInput input;
    // the detector compares the cores: a sphere is a point to it, and its radius a margin
    btScalar margins = a->getMargin() + b->getMargin();
    input.m_maximumDistanceSquared =
        job.query == wk_queryDistance ? BT_LARGE_FLOAT : margins * margins;
    for (size_t i = 0; i < job.posesA.size(); i++) {
        btGjkPairDetector detector(a, b, &simplex, &depthSolver);
        btPointCollector closest;
        input.m_transformA = job.posesA[i];
        input.m_transformB = job.posesB[i];
        detector.getClosestPoints(input, closest, nullptr);
        job.answers[i] = toAnswer(job.query, closest.m_hasResult ? double(closest.m_distance)
                                                                 : double(BT_LARGE_FLOAT));
    }
}

extern "C" void wkPassBulletAlgorithm(void* handle)
{
    BulletJob& job = *static_cast<BulletJob*>(handle);
    btDispatcherInfo info;
    btCollisionObjectWrapper wrapA(nullptr, job.a.get(), &job.objectA,
                                   job.objectA.getWorldTransform(), -1, -1);
    btCollisionObjectWrapper wrapB(nullptr, job.b.get(), &job.objectB,
                                   job.objectB.getWorldTransform(), -1, -1);
    for (size_t i = 0; i < job.posesA.size(); i++) {
        job.objectA.setWorldTransform(job.posesA[i]);
        job.objectB.setWorldTransform(job.posesB[i]);
        DeepestContact deepest(&wrapA, &wrapB);
        deepest.m_closestPointDistanceThreshold =
            job.query == wk_queryDistance ? btScalar(1e6) : btScalar(0);
        job.algorithm->processCollision(&wrapA, &wrapB, info, &deepest);
        job.answers[i] = toAnswer(job.query, -deepest.depth);
    }
}

extern "C" void wkCloseBullet(void* handle)
{
    delete static_cast<BulletJob*>(handle);
}
