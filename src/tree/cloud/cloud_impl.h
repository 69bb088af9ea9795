// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Memory layout of a point cloud: one block that starts with this header; the arrays follow at byte offsets.
// Points are in the order of a space-filling curve. Eight consecutive ones are a leaf, eight leaves a node, and
// so on, so that every node but the last of a level is full.

#include "base/block.h"
#include "tree/bvh/tree_view.h"
#include "whisker/cloud.h"

#define WK_CLOUD_MAGIC 0x64756f6c636b6877u // "whkcloud"
#define WK_CLOUD_VERSION 1

struct wkCloud {
    uint64_t magic;
    uint32_t version;
    uint32_t headerBytes;
    uint64_t byteCount;
    uint64_t checksum; // of everything behind it
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

// Coordinates are within it: floats that are this far apart have finite squares.
#define WK_CLOUD_REACH 1e15

WK_FN const wkPointGroup* wkCloudGroups(const wkCloud* cloud)
{
    return (const wkPointGroup*)((const char*)cloud + cloud->groupOffset);
}

WK_FN const wkBoxNode* wkCloudNodes(const wkCloud* cloud)
{
    return (const wkBoxNode*)((const char*)cloud + cloud->nodeOffset);
}

WK_FN const int32_t* wkCloudIds(const wkCloud* cloud)
{
    return (const int32_t*)((const char*)cloud + cloud->idOffset);
}

WK_FN wkTree wkCloudTree(const wkCloud* cloud)
{
    wkTree tree = {(const char*)wkCloudNodes(cloud), wkNodeBytes(wk_volumeAabb), cloud->nodeCount,
                   wk_volumeAabb};
    return tree;
}

// A float of each point at an offset of the header; NULL: there are none.
WK_FN const float* wkCloudFloats(const wkCloud* cloud, uint64_t offset)
{
    return offset != 0 ? (const float*)((const char*)cloud + offset) : NULL;
}

WK_FN wkVec3d wkCloudPosition(const wkCloud* cloud, int32_t rank)
{
    const wkPointGroup* group = &wkCloudGroups(cloud)[rank / WK_TREE_WIDTH];
    int slot = rank % WK_TREE_WIDTH;
    wkVec3d position = {(double)group->x[slot], (double)group->y[slot], (double)group->z[slot]};
    return position;
}

WK_FN double wkCloudRadius(const wkCloud* cloud, int32_t rank)
{
    const float* radii = wkCloudFloats(cloud, cloud->radiusOffset);
    return radii != NULL ? (double)radii[rank] : cloud->radius;
}

// The caller's points on their way into a cloud: arrays of floats, one element per finite point.
typedef struct wkCloudPoints {
    int32_t count;
    int32_t notFiniteCount;
    int32_t mergedCount;
    int64_t stride;  // bytes from one of the caller's points to the next
    double rounding; // upper bound of the distance between a given point and its floats
    float* x;
    float* y;
    float* z;
    int32_t* ids; // index among the caller's points
    float* radii; // rounding not included; NULL: none
    void* memory; // of all arrays
    size_t byteCount;
} wkCloudPoints;

// Checks a view and reads its finite points. Free the result in any case.
wkResult wkReadCloudPoints(const wkCloudDef* def, wkCloudPoints* points);
void wkFreeCloudPoints(wkCloudPoints* points);

// Keeps one point of each cube, or of each position, see wkCloudDef. Needs radii where anything can be removed.
// @return false: no memory
bool wkThinCloudPoints(const wkCloudDef* def, wkCloudPoints* points);

// Computes the order of the points along a space-filling curve.
// @param order index of the point with each rank
// @return false: no memory
bool wkOrderCloudPoints(const wkCloudPoints* points, int32_t* order);

// Number of nodes for this many points, and of steps from the stem to a leaf.
int32_t wkPlanCloudNodes(int32_t pointCount, int32_t* depth);

// Writes the nodes of a cloud whose points and radii are complete, and its bounds.
void wkBuildCloudNodes(wkCloud* cloud);

void wkSealCloud(wkCloud* cloud);
