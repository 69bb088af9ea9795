// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// PCL's octree as a peer: its search for the points within the sphere about a body, each tested exactly by us.

#include "peers/peers.h"

#include <pcl/octree/octree_search.h>
#include <pcl/point_types.h>

#include <cmath>
#include <limits>

namespace {

using Cloud = pcl::PointCloud<pcl::PointXYZ>;

// Edge of a cell: measured on the rows, half and twice of it are slower.
constexpr double cellSize = 0.04;

struct Index {
    Cloud::Ptr cloud{new Cloud};
    pcl::octree::OctreePointCloudSearch<pcl::PointXYZ> octree{cellSize};
    pcl::Indices found;
    std::vector<float> squares;
};

struct Body {
    wkCloudQuestion question;
};

double distanceOf(const Index& index, const wkCloudQuestion& question, wkPose pose,
                  pcl::index_t number)
{
    const pcl::PointXYZ& p = (*index.cloud)[static_cast<size_t>(number)];
    wkVec3d point = {p.x, p.y, p.z};
    return wkShape_PointDistance(&question.shape, pose, point) - question.pointRadius;
}

} // namespace

void* wkBuildPcl(const float* points, int32_t count)
{
    Index* index = new Index;
    index->cloud->reserve(static_cast<size_t>(count));
    for (int32_t i = 0; i < count; i++) {
        const float* p = points + 3 * static_cast<size_t>(i);
        index->cloud->emplace_back(p[0], p[1], p[2]);
    }
    index->octree.setInputCloud(index->cloud);
    index->octree.addPointsFromInputCloud();
    return index;
}

void* wkPreparePcl(const wkCloudQuestion* question)
{
    return new Body{*question};
}

double wkAskPcl(void* handle, void* body, wkPose pose)
{
    Index& index = *static_cast<Index*>(handle);
    const wkCloudQuestion& question = static_cast<Body*>(body)->question;
    pcl::PointXYZ center(static_cast<float>(pose.position.x), static_cast<float>(pose.position.y),
                         static_cast<float>(pose.position.z));
    double best = std::numeric_limits<double>::infinity(), radius = question.reach;
    if (!question.isVerdict) { // the point nearest to the centre bounds the distance
        index.octree.nearestKSearch(center, 1, index.found, index.squares);
        best = distanceOf(index, question, pose, index.found[0]);
        radius += std::fmax(best, 0.0);
    }
    index.octree.radiusSearch(center, (radius + question.pointRadius) * (1.0 + 1e-6), index.found,
                              index.squares);
    for (pcl::index_t number : index.found) {
        best = std::fmin(best, distanceOf(index, question, pose, number));
        if (question.isVerdict && best <= 0.0) {
            break;
        }
    }
    return best;
}

void wkReleasePcl(void* body)
{
    delete static_cast<Body*>(body);
}

void wkDestroyPcl(void* index)
{
    delete static_cast<Index*>(index);
}
