// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// nanoflann as a peer: its radius search for the points within the sphere about a body, each tested exactly by us.
// For distances the radius shrinks with the nearest point so far.

#include "peers/peers.h"

#include <nanoflann.hpp>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

namespace {

constexpr size_t leafSize = 10; // its default

struct Points {
    const float* points;
    size_t count;

    size_t kdtree_get_point_count() const
    {
        return count;
    }
    float kdtree_get_pt(size_t index, size_t axis) const
    {
        return points[3 * index + axis];
    }
    template <class Box> bool kdtree_get_bbox(Box&) const
    {
        return false;
    }
};

using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, Points>,
                                                 Points, 3, uint32_t>;

struct Index {
    Points points;
    Tree tree;
    Index(const float* data, size_t count)
        : points{data, count}, tree(3, points, nanoflann::KDTreeSingleIndexAdaptorParams(leafSize))
    {
        tree.buildIndex();
    }
};

struct Body {
    wkCloudQuestion question;
};

double distanceOf(const Index& index, const wkCloudQuestion& question, wkPose pose, uint32_t number)
{
    const float* p = index.points.points + 3 * static_cast<size_t>(number);
    wkVec3d point = {p[0], p[1], p[2]};
    return wkShape_PointDistance(&question.shape, pose, point) - question.pointRadius;
}

// Square of the distance from the centre up to which points matter.
float squareOf(const wkCloudQuestion& question, double distance)
{
    double reach = question.reach + question.pointRadius + distance;
    return static_cast<float>(reach * reach * (1.0 + 1e-6));
}

// Takes points from the search, which asks how far away the next ones may be.
struct Nearest {
    using DistanceType = float;
    const Index& index;
    const wkCloudQuestion& question;
    wkPose pose;
    double best = std::numeric_limits<double>::infinity();
    float worst = std::numeric_limits<float>::infinity();

    bool full() const
    {
        return true;
    }
    float worstDist() const
    {
        return worst;
    }
    bool addPoint(float, uint32_t number)
    {
        double distance = distanceOf(index, question, pose, number);
        if (distance < best) {
            best = distance;
            worst = squareOf(question, std::fmax(best, 0.0));
        }
        return true;
    }
};

bool touches(const Index& index, const wkCloudQuestion& question, wkPose pose,
             const float center[3])
{
    std::vector<std::pair<uint32_t, float>> found;
    nanoflann::SearchParams unsorted(32, 0.0f, false);
    index.tree.radiusSearch(center, squareOf(question, 0.0), found, unsorted);
    for (const auto& point : found) {
        if (distanceOf(index, question, pose, point.first) <= 0.0) {
            return true;
        }
    }
    return false;
}

} // namespace

void* wkBuildNanoflann(const float* points, int32_t count)
{
    return new Index(points, static_cast<size_t>(count));
}

void* wkPrepareNanoflann(const wkCloudQuestion* question)
{
    return new Body{*question};
}

double wkAskNanoflann(void* index, void* body, wkPose pose)
{
    const Index& tree = *static_cast<Index*>(index);
    const wkCloudQuestion& question = static_cast<Body*>(body)->question;
    const float center[3] = {static_cast<float>(pose.position.x),
                             static_cast<float>(pose.position.y),
                             static_cast<float>(pose.position.z)};
    if (question.isVerdict) {
        return touches(tree, question, pose, center) ? 0.0 : 1.0;
    }
    Nearest nearest{tree, question, pose};
    tree.tree.findNeighbors(nearest, center, nanoflann::SearchParams());
    return nearest.best;
}

void wkReleaseNanoflann(void* body)
{
    delete static_cast<Body*>(body);
}

void wkDestroyNanoflann(void* index)
{
    delete static_cast<Index*>(index);
}
