// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// FCL's side of the rows of casts: conservative advancement with either of its solvers. Geometry and transforms are made
// before the clock starts. It has no continuous query for ellipsoids: it prints that, and answers that there is no contact.

#include "../tests/scenes/to_fcl.hpp"
#include "peers/cast_peer.h"
#include "peers/fcl_geometry.hpp"
#include "peers/peers.h"

#include <fcl/fcl.h>

#include <cmath>
#include <exception>
#include <memory>
#include <vector>

namespace {

struct FclCasts {
    std::shared_ptr<fcl::CollisionGeometryd> a;
    std::shared_ptr<fcl::CollisionGeometryd> b;
    std::vector<fcl::Transform3d> starts;
    std::vector<fcl::Transform3d> ends;
    std::vector<fcl::Transform3d> standing;
    fcl::ContinuousCollisionRequestd request;
    wkAnswer* answers;
};

void* openCasts(const wkCastJob* job, wkAnswer* answers, fcl::GJKSolverType solver)
{
    bool hasEllipsoid = job->a.type == wk_shapeEllipsoid || job->b.type == wk_shapeEllipsoid;
    if (hasEllipsoid || (job->modelA == nullptr) != (job->modelB == nullptr)) {
        return nullptr;
    }
    auto casts = std::make_unique<FclCasts>();
    casts->a = job->modelA != nullptr ? wkMakeFclModel(*job->modelA) : wkMakeFclGeometry(job->a);
    casts->b = job->modelB != nullptr ? wkMakeFclModel(*job->modelB) : wkMakeFclGeometry(job->b);
    casts->a->computeLocalAABB();
    casts->b->computeLocalAABB();
    for (int i = 0; i < job->count; i++) {
        casts->starts.push_back(wkToFcl(job->ways[i].start));
        casts->ends.push_back(wkToFcl(job->ways[i].end));
        casts->standing.push_back(wkToFcl(job->ways[i].standing));
    }
    casts->request = fcl::ContinuousCollisionRequestd(
        100, WK_CAST_TOLERANCE, job->isScrew ? fcl::CCDM_SCREW : fcl::CCDM_LINEAR, solver,
        fcl::CCDC_CONSERVATIVE_ADVANCEMENT);
    casts->answers = answers;
    return casts.release();
}

} // namespace

extern "C" void* wkOpenFclCastLibccd(const wkCastJob* job, wkAnswer* answers)
{
    return openCasts(job, answers, fcl::GST_LIBCCD);
}

extern "C" void* wkOpenFclCastIndep(const wkCastJob* job, wkAnswer* answers)
{
    return openCasts(job, answers, fcl::GST_INDEP);
}

extern "C" void wkPassFclCast(void* handle)
{
    FclCasts& casts = *static_cast<FclCasts*>(handle);
    for (size_t i = 0; i < casts.starts.size(); i++) {
        try {
            fcl::ContinuousCollisionResultd result;
            fcl::continuousCollide(casts.a.get(), casts.starts[i], casts.ends[i], casts.b.get(),
                                   casts.standing[i], casts.standing[i], casts.request, result);
            casts.answers[i] = result.is_collide ? result.time_of_contact : INFINITY;
        } catch (const std::exception&) {
            casts.answers[i] = NAN;
        }
    }
}

extern "C" void wkCloseFclCast(void* handle)
{
    delete static_cast<FclCasts*>(handle);
}
