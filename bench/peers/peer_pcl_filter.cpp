// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// PCL as a peer of filters.

#include "peers/peers.h"

#include <pcl/filters/crop_box.h>
#include <pcl/filters/passthrough.h>
#include <pcl/filters/radius_outlier_removal.h>
#include <pcl/filters/statistical_outlier_removal.h>
#include <pcl/filters/voxel_grid.h>
#include <pcl/point_types.h>

#include <cmath>

namespace {

using Cloud = pcl::PointCloud<pcl::PointXYZ>;

struct Frame {
    Cloud::Ptr points = Cloud::Ptr(new Cloud);
    pcl::Indices kept;
    Cloud voxels;
};

// A box that is infinite but for z is what PassThrough is for.
int32_t passThrough(Frame* frame, const wkBoxFilter& box)
{
    pcl::PassThrough<pcl::PointXYZ> filter;
    filter.setInputCloud(frame->points);
    filter.setFilterFieldName("z");
    filter.setFilterLimits((float)box.box.lower.z, (float)box.box.upper.z);
    filter.filter(frame->kept);
    return (int32_t)frame->kept.size();
}

int32_t cropBox(Frame* frame, const wkBoxFilter& box)
{
    if (std::isinf(box.box.lower.x)) {
        return passThrough(frame, box);
    }
    pcl::CropBox<pcl::PointXYZ> filter;
    filter.setInputCloud(frame->points);
    wkVec3d low = box.box.lower, high = box.box.upper;
    filter.setMin(Eigen::Vector4f((float)low.x, (float)low.y, (float)low.z, 1.0f));
    filter.setMax(Eigen::Vector4f((float)high.x, (float)high.y, (float)high.z, 1.0f));
    filter.filter(frame->kept);
    return (int32_t)frame->kept.size();
}

int32_t voxelGrid(Frame* frame, const wkVoxelFilter& voxel)
{
    pcl::VoxelGrid<pcl::PointXYZ> filter;
    float size = (float)voxel.size;
    filter.setInputCloud(frame->points);
    filter.setLeafSize(size, size, size);
    filter.filter(frame->voxels);
    return (int32_t)frame->voxels.size();
}

int32_t statistical(Frame* frame, const wkStatisticalFilter& step)
{
    pcl::StatisticalOutlierRemoval<pcl::PointXYZ> filter;
    filter.setInputCloud(frame->points);
    filter.setMeanK(step.neighborCount);
    filter.setStddevMulThresh(step.sigmas);
    filter.filter(frame->kept);
    return (int32_t)frame->kept.size();
}

int32_t radiusOutliers(Frame* frame, const wkRadiusFilter& step)
{
    pcl::RadiusOutlierRemoval<pcl::PointXYZ> filter;
    filter.setInputCloud(frame->points);
    filter.setRadiusSearch(step.radius);
    filter.setMinNeighborsInRadius(step.neighborCount);
    filter.filter(frame->kept);
    return (int32_t)frame->kept.size();
}

} // namespace

void* wkOpenPclFilter(const float* points, int32_t count)
{
    Frame* frame = new Frame;
    frame->points->reserve((size_t)count);
    for (int32_t i = 0; i < count; i++) {
        const float* p = points + 4 * (size_t)i;
        frame->points->push_back(pcl::PointXYZ(p[0], p[1], p[2]));
    }
    return frame;
}

int32_t wkApplyPclFilter(void* handle, const wkFilterStep* step)
{
    Frame* frame = static_cast<Frame*>(handle);
    switch (step->type) {
    case wk_filterBox:
        return cropBox(frame, step->box);
    case wk_filterVoxel:
        return voxelGrid(frame, step->voxel);
    case wk_filterStatistical:
        return statistical(frame, step->statistical);
    case wk_filterRadius:
        return radiusOutliers(frame, step->radius);
    default:
        return -1;
    }
}

const int32_t* wkKeptPclFilter(void* handle)
{
    return static_cast<Frame*>(handle)->kept.data();
}

void wkCentroidPclFilter(void* handle, int32_t index, float center[3])
{
    const pcl::PointXYZ& point = static_cast<Frame*>(handle)->voxels[(size_t)index];
    center[0] = point.x;
    center[1] = point.y;
    center[2] = point.z;
}

void wkClosePclFilter(void* handle)
{
    delete static_cast<Frame*>(handle);
}
