// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Bullet's side of the rows about many boxes: its broad phase with two trees and a cache of pairs,
// and one of its trees alone. The cache holds pairs of boxes that are a little too large; those that
// do not meet are left out, as for every peer.

#include "peers/peers.h"

#include <btBulletCollisionCommon.h>

#include <exception>
#include <memory>
#include <vector>

namespace {

struct Box {
    btVector3 lower, upper;
};

Box boxOf(const wkBroadJob& job, int frame, int i)
{
    const wkVec3d& center =
        job.centers[static_cast<size_t>(frame) * static_cast<size_t>(job.boxCount) +
                    static_cast<size_t>(i)];
    btVector3 middle(static_cast<btScalar>(center.x), static_cast<btScalar>(center.y),
                     static_cast<btScalar>(center.z));
    const wkVec3d& size = job.sizes[i];
    btVector3 half(static_cast<btScalar>(0.5 * size.x), static_cast<btScalar>(0.5 * size.y),
                   static_cast<btScalar>(0.5 * size.z));
    return {middle - half, middle + half};
}

struct CacheJob {
    wkBroadJob job;
    btDbvtBroadphase broad;
    std::vector<btBroadphaseProxy*> proxies;

    ~CacheJob()
    {
        for (auto* proxy : proxies) {
            broad.destroyProxy(proxy, nullptr);
        }
    }
};

struct TreeJob {
    wkBroadJob job;
    btDbvt tree;
    std::vector<btDbvtNode*> leaves;
};

struct PairCounter : btDbvt::ICollide {
    long count = 0;
    void Process(const btDbvtNode*, const btDbvtNode*) override
    {
        ++count;
    }
};

} // namespace

void* wkOpenBulletCache(const wkBroadJob* job)
try {
    auto made = std::make_unique<CacheJob>();
    made->job = *job;
    for (int i = 0; i < job->boxCount; i++) {
        Box box = boxOf(*job, 0, i);
        made->proxies.push_back(
            made->broad.createProxy(box.lower, box.upper, 0, nullptr, 1, 1, nullptr));
    }
    return made.release();
} catch (const std::exception&) {
    return nullptr;
}

long wkStepBulletCache(void* handle, int frame)
{
    auto& job = *static_cast<CacheJob*>(handle);
    for (int i = 0; i < job.job.boxCount; i++) {
        Box box = boxOf(job.job, frame, i);
        job.broad.setAabb(job.proxies[static_cast<size_t>(i)], box.lower, box.upper, nullptr);
    }
    job.broad.calculateOverlappingPairs(nullptr);
    const auto& pairs = job.broad.getOverlappingPairCache()->getOverlappingPairArray();
    long count = 0;
    for (int i = 0; i < pairs.size(); i++) {
        const btBroadphaseProxy &a = *pairs[i].m_pProxy0, &b = *pairs[i].m_pProxy1;
        count += TestAabbAgainstAabb2(a.m_aabbMin, a.m_aabbMax, b.m_aabbMin, b.m_aabbMax);
    }
    return count;
}

void wkCloseBulletCache(void* handle)
{
    delete static_cast<CacheJob*>(handle);
}

void* wkOpenBulletTree(const wkBroadJob* job)
try {
    auto made = std::make_unique<TreeJob>();
    made->job = *job;
    for (int i = 0; i < job->boxCount; i++) {
        Box box = boxOf(*job, 0, i);
        made->leaves.push_back(
            made->tree.insert(btDbvtVolume::FromMM(box.lower, box.upper), nullptr));
    }
    made->tree.optimizeTopDown();
    return made.release();
} catch (const std::exception&) {
    return nullptr;
}

long wkStepBulletTree(void* handle, int frame)
{
    auto& job = *static_cast<TreeJob*>(handle);
    for (int i = 0; i < job.job.boxCount; i++) {
        Box box = boxOf(job.job, frame, i);
        btDbvtVolume volume = btDbvtVolume::FromMM(box.lower, box.upper);
        job.tree.update(job.leaves[static_cast<size_t>(i)], volume);
    }
    PairCounter counter;
    job.tree.collideTTpersistentStack(job.tree.m_root, job.tree.m_root, counter);
    return counter.count;
}

void wkCloseBulletTree(void* handle)
{
    delete static_cast<TreeJob*>(handle);
}
