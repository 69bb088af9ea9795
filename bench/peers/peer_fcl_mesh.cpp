// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// FCL's side of the mesh rows, once per bounding volume. Hierarchies and transforms are made before
// the clock starts, but for the build rows; requests and results are made per question, as its
// interface asks for.
//
// FCL fits boxes along the axes, k-DOPs and, for verdicts, RSS again for every pose, which takes 100
// to 600 times as long: they join where they do not. Its oriented boxes have no distance.

#include "../tests/scenes/to_fcl.hpp"
#include "peers/peers.h"

#include <fcl/fcl.h>

#include <cmath>
#include <exception>
#include <memory>
#include <vector>

namespace {

// More contacts than any pose has.
constexpr size_t maxContacts = 100000;

struct Arrays {
    std::vector<fcl::Vector3d> vertices;
    std::vector<fcl::Triangle> triangles;
};

Arrays toArrays(const wkModel& model)
{
    Arrays arrays;
    for (int32_t i = 0; i < model.vertexCount; i++) {
        const wkVec3d& v = model.vertices[i];
        arrays.vertices.emplace_back(v.x, v.y, v.z);
    }
    for (int32_t i = 0; i < model.triangleCount; i++) {
        const int32_t* faceVertices = &model.indices[3 * static_cast<size_t>(i)];
        arrays.triangles.emplace_back(static_cast<size_t>(faceVertices[0]),
                                      static_cast<size_t>(faceVertices[1]),
                                      static_cast<size_t>(faceVertices[2]));
    }
    return arrays;
}

template <class Volume> std::shared_ptr<fcl::BVHModel<Volume>> build(const Arrays& arrays)
{
    auto mesh = std::make_shared<fcl::BVHModel<Volume>>();
    mesh->beginModel(static_cast<int>(arrays.triangles.size()),
                     static_cast<int>(arrays.vertices.size()));
    mesh->addSubModel(arrays.vertices, arrays.triangles);
    mesh->endModel();
    return mesh;
}

// A job, whatever the volume.
struct MeshJob {
    virtual ~MeshJob() = default;
    virtual void pass() = 0;
};

template <class Volume> struct VolumeJob : MeshJob {
    std::shared_ptr<fcl::BVHModel<Volume>> moving;
    std::shared_ptr<fcl::BVHModel<Volume>> fixed;
    Arrays arrays;
    std::vector<fcl::Transform3d> poses;
    wkMeshQuery query;
    wkAnswer* answers;

    double collide(const fcl::Transform3d& pose) const
    {
        bool isFirst = query == wk_meshCollideFirst;
        fcl::CollisionRequestd request(isFirst ? 1 : maxContacts, !isFirst);
        fcl::CollisionResultd result;
        size_t count = fcl::collide(moving.get(), pose, fixed.get(), fcl::Transform3d::Identity(),
                                    request, result);
        return static_cast<double>(count);
    }

    double measure(const fcl::Transform3d& pose) const
    {
        fcl::DistanceRequestd request(true);
        fcl::DistanceResultd result;
        double distance = fcl::distance(moving.get(), pose, fixed.get(),
                                        fcl::Transform3d::Identity(), request, result);
        return std::fmax(distance, 0.0);
    }

    double answer(const fcl::Transform3d& pose) const
    {
        try {
            return query == wk_meshDistance ? measure(pose) : collide(pose);
        } catch (const std::exception&) {
            return NAN;
        }
    }

    void pass() override
    {
        if (query == wk_meshBuild) {
            answers[0] = build<Volume>(arrays)->getNumBVs() > 0 ? 1.0 : 0.0;
            return;
        }
        for (size_t i = 0; i < poses.size(); i++) {
            answers[i] = answer(poses[i]);
        }
    }
};

template <class Volume> void* openJob(const wkMeshJob* job, wkAnswer* answers)
{
    auto* volumeJob = new VolumeJob<Volume>;
    volumeJob->query = job->query;
    volumeJob->answers = answers;
    volumeJob->arrays = toArrays(*job->fixed);
    if (job->query == wk_meshBuild) {
        return volumeJob;
    }
    volumeJob->moving = build<Volume>(toArrays(*job->moving));
    volumeJob->fixed = build<Volume>(volumeJob->arrays);
    volumeJob->moving->computeLocalAABB();
    volumeJob->fixed->computeLocalAABB();
    for (int i = 0; i < job->count; i++) {
        volumeJob->poses.push_back(wkToFcl(job->poses[i]));
    }
    return volumeJob;
}

bool isRay(const wkMeshJob* job)
{
    return job->query == wk_meshRay || job->query == wk_meshRayAny;
}

} // namespace

extern "C" void* wkOpenFclObb(const wkMeshJob* job, wkAnswer* answers)
{
    bool isAnswered = !isRay(job) && job->query != wk_meshDistance;
    return isAnswered ? openJob<fcl::OBBd>(job, answers) : nullptr;
}

extern "C" void* wkOpenFclRss(const wkMeshJob* job, wkAnswer* answers)
{
    bool isAnswered = job->query == wk_meshDistance || job->query == wk_meshBuild;
    return isAnswered ? openJob<fcl::RSSd>(job, answers) : nullptr;
}

extern "C" void* wkOpenFclObbRss(const wkMeshJob* job, wkAnswer* answers)
{
    return isRay(job) ? nullptr : openJob<fcl::OBBRSSd>(job, answers);
}

extern "C" void* wkOpenFclKios(const wkMeshJob* job, wkAnswer* answers)
{
    return isRay(job) ? nullptr : openJob<fcl::kIOSd>(job, answers);
}

extern "C" void* wkOpenFclAabb(const wkMeshJob* job, wkAnswer* answers)
{
    return job->query == wk_meshBuild ? openJob<fcl::AABBd>(job, answers) : nullptr;
}

extern "C" void wkPassFclMesh(void* handle)
{
    static_cast<MeshJob*>(handle)->pass();
}

extern "C" void wkCloseFclMesh(void* handle)
{
    delete static_cast<MeshJob*>(handle);
}
