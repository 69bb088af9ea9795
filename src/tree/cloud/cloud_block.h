// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The header of the block of a point cloud, and its points and radii, as kernels and other devices read them. Code of
// this header is C, C++ and CUDA.

#include "tree/bvh/point_group.h"
#include "whisker/cloud.h"

struct wkCloud {
    uint64_t magic;
    uint32_t version;
    uint32_t headerBytes;
    uint64_t byteCount;
    uint64_t checksum; // of the rest of the header and of points, see wkCloudChecksum
    int32_t pointCount;
    int32_t notFiniteCount;
    int32_t mergedCount;
    int32_t nodeCount;
    int32_t depth;
    uint8_t hasRadii;
    uint8_t hasDeviations;
    uint8_t hasNormals;
    uint8_t padding;
    double radius; // of points without one of their own, rounding included
    double rounding;
    double maxRadius;
    double maxDeviation; // 0: none given
    wkVec3d origin;
    wkAabb bounds;            // of the spheres
    uint64_t nodeOffset;      // wkBoxNode[nodeCount]
    uint64_t groupOffset;     // wkPointGroup for every eight points
    uint64_t idOffset;        // int32_t[pointCount]: index among the caller's points
    uint64_t radiusOffset;    // float[pointCount], rounding included; 0: none
    uint64_t deviationOffset; // float[pointCount]; 0: none
    uint64_t normalOffset;    // float[3 * pointCount]; 0: none
};

#define WK_GROUP_COUNT(pointCount) (((pointCount) + WK_TREE_WIDTH - 1) / WK_TREE_WIDTH)

WK_FN const wkPointGroup* wkCloudGroups(const wkCloud* cloud)
{
    return (const wkPointGroup*)((const char*)cloud + cloud->groupOffset);
}

// A float of each point at an offset of the header; NULL: there are none.
WK_FN const float* wkCloudFloats(const wkCloud* cloud, uint64_t offset)
{
    return offset != 0 ? (const float*)((const char*)cloud + offset) : NULL;
}
