// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// FCL's side of the pair rows, with both of its solvers. Geometry and transforms are made before
// the clock starts; requests and results are made per question, as its interface asks for.
//
// Not equal: FCL has no pair functions for its triangle, so a triangle is a mesh of
// one. It follows a null pointer in the distance to a half-space or plane and between a
// hull and a plane: not asked.

#include "../tests/scenes/to_fcl.hpp"
#include "peers/fcl_geometry.hpp"
#include "peers/peers.h"

#include <fcl/fcl.h>

#include <cmath>
#include <exception>
#include <memory>
#include <vector>

namespace {

using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;

struct FclJob {
    Geometry a;
    Geometry b;
    std::vector<fcl::Transform3d> posesA;
    std::vector<fcl::Transform3d> posesB;
    wkPairQuery query;
    fcl::GJKSolverType solver;
    wkAnswer* answers;
};

bool isEndless(const wkShape& shape)
{
    return shape.type == wk_shapeHalfspace || shape.type == wk_shapePlane;
}

// Questions that FCL has an answer to.
bool isAnswered(const wkPairJob& job)
{
    if (job.query == wk_queryDistance) {
        return !isEndless(*job.a) && !isEndless(*job.b);
    }
    bool isHullOnPlane = job.a->type == wk_shapeHull && job.b->type == wk_shapePlane;
    return job.query != wk_querySignedDistance && !isHullOnPlane;
}

void* openJob(const wkPairJob* job, wkAnswer* answers, fcl::GJKSolverType solver)
{
    if (!isAnswered(*job)) {
        return nullptr;
    }
    auto* fclJob = new FclJob;
    fclJob->a = wkMakeFclGeometry(*job->a);
    fclJob->b = wkMakeFclGeometry(*job->b);
    fclJob->a->computeLocalAABB();
    fclJob->b->computeLocalAABB();
    for (int i = 0; i < job->count; i++) {
        fclJob->posesA.push_back(wkToFcl(job->poses[i].a));
        fclJob->posesB.push_back(wkToFcl(job->poses[i].b));
    }
    fclJob->query = job->query;
    fclJob->solver = solver;
    fclJob->answers = answers;
    return fclJob;
}

double collideOne(const FclJob& job, size_t i)
{
    fcl::CollisionRequestd request(1, job.query == wk_queryContacts);
    request.gjk_solver_type = job.solver;
    fcl::CollisionResultd result;
    bool isTouching =
        fcl::collide(job.a.get(), job.posesA[i], job.b.get(), job.posesB[i], request, result) > 0;
    if (job.query == wk_queryCollide) {
        return isTouching ? 1.0 : 0.0;
    }
    return isTouching ? result.getContact(0).penetration_depth : -1.0;
}

double measureOne(const FclJob& job, size_t i)
{
    fcl::DistanceRequestd request(true);
    request.gjk_solver_type = job.solver;
    fcl::DistanceResultd result;
    return fcl::distance(job.a.get(), job.posesA[i], job.b.get(), job.posesB[i], request, result);
}

void pass(void* handle)
{
    FclJob& job = *static_cast<FclJob*>(handle);
    for (size_t i = 0; i < job.posesA.size(); i++) {
        try {
            job.answers[i] =
                job.query == wk_queryDistance ? measureOne(job, i) : collideOne(job, i);
        } catch (const std::exception&) {
            job.answers[i] = NAN;
        }
    }
}

} // namespace

extern "C" void* wkOpenFclLibccd(const wkPairJob* job, wkAnswer* answers)
{
    return openJob(job, answers, fcl::GST_LIBCCD);
}

extern "C" void* wkOpenFclIndep(const wkPairJob* job, wkAnswer* answers)
{
    return openJob(job, answers, fcl::GST_INDEP);
}

extern "C" void wkPassFcl(void* handle)
{
    pass(handle);
}

extern "C" void wkCloseFcl(void* handle)
{
    delete static_cast<FclJob*>(handle);
}
