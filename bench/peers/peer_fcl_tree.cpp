// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// FCL's side of the rows about dynamic trees: a manager of objects with boxes, which it builds on one
// of four levels. Objects are made before the clock starts.

#include "../tests/scenes/to_fcl.hpp"
#include "peers/tree_peer.h"

#include <fcl/fcl.h>

#include <memory>
#include <vector>

namespace {

using Manager = fcl::DynamicAABBTreeCollisionManagerd;

struct TreeJob {
    wkTreeJob job;
    int level;
    wkAnswer* answers;
    std::vector<std::unique_ptr<fcl::CollisionObjectd>> owned;
    std::vector<fcl::CollisionObjectd*> boxes;
    std::vector<fcl::CollisionObjectd*> queries;
    std::unique_ptr<Manager> manager;
};

// An object whose box along the axes is the given one.
fcl::CollisionObjectd* makeObject(TreeJob& t, const wkAabb& box)
{
    fcl::Vector3d lower = wkToFcl(box.lower);
    fcl::Vector3d upper = wkToFcl(box.upper);
    fcl::Transform3d pose = fcl::Transform3d::Identity();
    pose.translation() = 0.5 * (lower + upper);
    auto shape = std::make_shared<fcl::Boxd>(fcl::Vector3d(upper - lower));
    t.owned.push_back(std::make_unique<fcl::CollisionObjectd>(shape, pose));
    return t.owned.back().get();
}

std::unique_ptr<Manager> build(const TreeJob& t)
{
    auto manager = std::make_unique<Manager>();
    manager->tree_init_level = t.level;
    manager->registerObjects(t.boxes);
    manager->setup();
    return manager;
}

bool count(fcl::CollisionObjectd*, fcl::CollisionObjectd*, void* data)
{
    ++*static_cast<long*>(data);
    return false;
}

double ask(const Manager& manager, fcl::CollisionObjectd* query)
{
    long found = 0;
    manager.collide(query, &found, count);
    return static_cast<double>(found);
}

void* openTree(const wkTreeJob* job, int level, wkAnswer* answers)
{
    auto t = std::make_unique<TreeJob>();
    t->job = *job;
    t->level = level;
    t->answers = answers;
    for (int i = 0; i < job->boxCount; i++) {
        t->boxes.push_back(makeObject(*t, job->boxes[i]));
    }
    for (int i = 0; i < job->queryCount; i++) {
        t->queries.push_back(makeObject(*t, job->queries[i]));
    }
    t->manager = build(*t);
    return t.release();
}

void passTree(void* handle)
{
    TreeJob& t = *static_cast<TreeJob*>(handle);
    if (t.job.isBuilt) {
        for (size_t i = 0; i < t.queries.size(); i++) {
            t.answers[i] = ask(*t.manager, t.queries[i]);
        }
        return;
    }
    std::unique_ptr<Manager> manager = build(t);
    double sum = t.queries.empty() ? static_cast<double>(manager->size()) : 0.0;
    for (fcl::CollisionObjectd* query : t.queries) {
        sum += ask(*manager, query);
    }
    t.answers[0] = sum;
}

void closeTree(void* handle)
{
    delete static_cast<TreeJob*>(handle);
}

} // namespace

const wkTreePeer wkTreePeers[] = {
    {"fcl", "level 0", 0, openTree, passTree, closeTree},
    {"fcl", "level 1", 1, openTree, passTree, closeTree},
    {"fcl", "level 2", 2, openTree, passTree, closeTree},
    {"fcl", "level 3", 3, openTree, passTree, closeTree},
    {nullptr, nullptr, 0, nullptr, nullptr, nullptr},
};

const char* wkPeerNames(void)
{
    return "FCL";
}
