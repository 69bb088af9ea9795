// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// FCL's side of the rows about many boxes: its trees, and sweep and prune.

#include "peers/peers.h"

#include <fcl/broadphase/broadphase_SaP.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree_array.h>
#include <fcl/fcl.h>

#include <exception>
#include <memory>
#include <vector>

namespace {

// Sweep and prune takes a second per frame with ten times as many when they are fast.
constexpr int maxSweptCount = 1000;

struct BroadJob {
    wkBroadJob job;
    std::vector<fcl::CollisionObjectd> objects;
    std::unique_ptr<fcl::BroadPhaseCollisionManagerd> manager;
};

bool countPair(fcl::CollisionObjectd*, fcl::CollisionObjectd*, void* data)
{
    ++*static_cast<long*>(data);
    return false;
}

void placeObjects(BroadJob& job, int frame)
{
    const wkVec3d* centers =
        &job.job.centers[static_cast<size_t>(frame) * static_cast<size_t>(job.job.boxCount)];
    for (size_t i = 0; i < job.objects.size(); i++) {
        job.objects[i].setTranslation(fcl::Vector3d(centers[i].x, centers[i].y, centers[i].z));
        job.objects[i].computeAABB();
    }
}

template <class Manager> void* open(const wkBroadJob* job)
try {
    auto made = std::make_unique<BroadJob>();
    made->job = *job;
    for (int i = 0; i < job->boxCount; i++) {
        const wkVec3d& size = job->sizes[i];
        made->objects.emplace_back(std::make_shared<fcl::Boxd>(size.x, size.y, size.z));
    }
    placeObjects(*made, 0);
    made->manager = std::make_unique<Manager>();
    std::vector<fcl::CollisionObjectd*> pointers;
    for (auto& object : made->objects) {
        pointers.push_back(&object);
    }
    made->manager->registerObjects(pointers);
    made->manager->setup();
    return made.release();
} catch (const std::exception&) {
    return nullptr;
}

} // namespace

void* wkOpenFclTree(const wkBroadJob* job)
{
    return open<fcl::DynamicAABBTreeCollisionManagerd>(job);
}

void* wkOpenFclTreeArray(const wkBroadJob* job)
{
    return open<fcl::DynamicAABBTreeCollisionManager_Arrayd>(job);
}

void* wkOpenFclSap(const wkBroadJob* job)
{
    bool isFeasible = job->boxCount <= maxSweptCount;
    return isFeasible ? open<fcl::SaPCollisionManagerd>(job) : nullptr;
}

long wkStepFclBroad(void* handle, int frame)
{
    auto& job = *static_cast<BroadJob*>(handle);
    placeObjects(job, frame);
    job.manager->update();
    long count = 0;
    job.manager->collide(&count, countPair);
    return count;
}

void wkCloseFclBroad(void* handle)
{
    delete static_cast<BroadJob*>(handle);
}
