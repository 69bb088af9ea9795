// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Bullet's side of the rows of casts: its continuous collision of convex shapes. Shapes and transforms are made before the
// clock starts.
//
// Not equal: the packaged Bullet computes in single precision, ends 64 steps after the start whatever it has found, and has no
// ellipsoids, meshes that move, or screws.

#include "peers/bullet_shape.hpp"
#include "peers/cast_peer.h"
#include "peers/peers.h"

#include <BulletCollision/NarrowPhaseCollision/btContinuousConvexCollision.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include <cmath>
#include <vector>

namespace {

struct BulletCasts {
    std::unique_ptr<btCollisionShape> a;
    std::unique_ptr<btCollisionShape> b;
    std::vector<btTransform> starts;
    std::vector<btTransform> ends;
    std::vector<btTransform> standing;
    wkAnswer* answers;
};

} // namespace

extern "C" void* wkOpenBulletCast(const wkCastJob* job, wkAnswer* answers)
{
    if (job->isScrew || job->modelA != nullptr || job->modelB != nullptr) {
        return nullptr;
    }
    auto casts = std::make_unique<BulletCasts>();
    casts->a = wkMakeBulletShape(job->a);
    casts->b = wkMakeBulletShape(job->b);
    if (casts->a == nullptr || casts->b == nullptr) {
        return nullptr;
    }
    for (int i = 0; i < job->count; i++) {
        casts->starts.push_back(wkToBullet(job->ways[i].start));
        casts->ends.push_back(wkToBullet(job->ways[i].end));
        casts->standing.push_back(wkToBullet(job->ways[i].standing));
    }
    casts->answers = answers;
    return casts.release();
}

extern "C" void wkPassBulletCast(void* handle)
{
    BulletCasts& casts = *static_cast<BulletCasts*>(handle);
    const auto* a = static_cast<const btConvexShape*>(casts.a.get());
    const auto* b = static_cast<const btConvexShape*>(casts.b.get());
    btVoronoiSimplexSolver simplex;
    btGjkEpaPenetrationDepthSolver depthSolver;
    for (size_t i = 0; i < casts.starts.size(); i++) {
        btContinuousConvexCollision cast(a, b, &simplex, &depthSolver);
        btConvexCast::CastResult result;
        bool isTouching = cast.calcTimeOfImpact(casts.starts[i], casts.ends[i], casts.standing[i],
                                                casts.standing[i], result);
        casts.answers[i] = isTouching ? double(result.m_fraction) : double(INFINITY);
    }
}

extern "C" void wkCloseBulletCast(void* handle)
{
    delete static_cast<BulletCasts*>(handle);
}
