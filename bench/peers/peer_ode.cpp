// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// ODE's side of the rows about many boxes: its hash space.

#include "peers/peers.h"

#include <ode/ode.h>

#include <exception>
#include <memory>
#include <vector>

namespace {

// With more it takes seconds per frame, a hundred times as long as others.
constexpr int maxCount = 10000;

struct SpaceJob {
    wkBroadJob job;
    dSpaceID space;
    std::vector<dGeomID> boxes;
};

void countPair(void* data, dGeomID, dGeomID)
{
    ++*static_cast<long*>(data);
}

void placeObjects(SpaceJob& job, int frame)
{
    const wkVec3d* centers =
        &job.job.centers[static_cast<size_t>(frame) * static_cast<size_t>(job.job.boxCount)];
    for (size_t i = 0; i < job.boxes.size(); i++) {
        dGeomSetPosition(job.boxes[i], static_cast<dReal>(centers[i].x),
                         static_cast<dReal>(centers[i].y), static_cast<dReal>(centers[i].z));
    }
}

} // namespace

void* wkOpenOde(const wkBroadJob* job)
try {
    if (job->boxCount > maxCount) {
        return nullptr;
    }
    auto made = std::make_unique<SpaceJob>();
    dInitODE2(0);
    made->job = *job;
    made->space = dHashSpaceCreate(nullptr);
    // cells from a quarter of a metre to two, about the sizes of the boxes
    dHashSpaceSetLevels(made->space, -2, 1);
    for (int i = 0; i < job->boxCount; i++) {
        const wkVec3d& size = job->sizes[i];
        made->boxes.push_back(dCreateBox(made->space, static_cast<dReal>(size.x),
                                         static_cast<dReal>(size.y), static_cast<dReal>(size.z)));
    }
    placeObjects(*made, 0);
    return made.release();
} catch (const std::exception&) {
    return nullptr;
}

long wkStepOde(void* handle, int frame)
{
    auto& job = *static_cast<SpaceJob*>(handle);
    placeObjects(job, frame);
    long count = 0;
    dSpaceCollide(job.space, &count, countPair);
    return count;
}

void wkCloseOde(void* handle)
{
    auto* job = static_cast<SpaceJob*>(handle);
    dSpaceDestroy(job->space);
    dCloseODE();
    delete job;
}
