// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Memory layout of a point cloud: one block that starts with this header; the arrays follow at byte offsets.
// Points are in the order of a space-filling curve. Eight consecutive ones are a leaf, eight leaves a node, and
// so on, so that every node but the last of a level is full.
//
// Leaves of 8, 16 and 32 points were measured in a room of 300 k points. With 16 a verdict takes 5 % less time, a
// distance 15 % less and a point 18 instead of 20 bytes; 32 gains no more, and building takes as long with all. Eight
// are kept: every walk over pairs of leaves has capacity for the eight slots of a node, and eight floats are one
// vector operation on AVX2.

#include "base/block.h"
#include "tree/bvh/tree_view.h"
#include "tree/cloud/cloud_block.h"

#define WK_CLOUD_MAGIC 0x64756f6c636b6877u // "whkcloud"
#define WK_CLOUD_VERSION 1

// Coordinates are within it: floats that are this far apart have finite squares.
#define WK_CLOUD_REACH 1e15

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

WK_FN wkVec3d wkCloudPosition(const wkCloud* cloud, int32_t rank)
{
    return wkGroupPosition(wkCloudGroups(cloud), rank);
}

WK_FN double wkCloudRadius(const wkCloud* cloud, int32_t rank)
{
    const float* radii = wkCloudFloats(cloud, cloud->radiusOffset);
    return radii != NULL ? (double)radii[rank] : cloud->radius;
}

// The levels of nodes above the groups, from the lowest up, which are arrays.
// 2^28 points have 2^25 groups, and eight elements of a level are one of the next.
#define WK_CLOUD_MAX_LEVELS 9

typedef struct wkCloudLevels {
    int levelCount;                      // 0: no more than one group, which the stem holds
    int32_t counts[WK_CLOUD_MAX_LEVELS]; // nodes of each level
    int32_t firsts[WK_CLOUD_MAX_LEVELS]; // their first node
    int32_t nodeCount;                   // with the stem
} wkCloudLevels;

wkCloudLevels wkPlanCloudLevels(int32_t pointCount);

// Steps from the stem to a leaf.
WK_FN int32_t wkCloudDepth(const wkCloudLevels* levels, int32_t pointCount)
{
    return pointCount > 0 ? levels->levelCount + 1 : 0;
}

// Computes a node of a level, or the stem, from what is below it.
void wkMakeCloudNode(const wkCloud* cloud, const wkCloudLevels* levels, int level, int32_t index,
                     wkBoxNode* node);
void wkMakeCloudStem(const wkCloud* cloud, const wkCloudLevels* levels, wkBoxNode* node);

// The box of everything; empty for an empty cloud.
wkAabb wkCloudStemBounds(const wkBoxNode* stem);

// Points whose content has one checksum, so that threads can compute them: whole nodes of the lowest level.
#define WK_CLOUD_SLICE 4096
#define WK_SLICE_COUNT(pointCount) (((pointCount) + WK_CLOUD_SLICE - 1) / WK_CLOUD_SLICE)

uint64_t wkSliceChecksum(const wkCloud* cloud, int32_t slice);

// Checksum of the header and of the slices. Nodes are not part of it: they follow from the points.
uint64_t wkCloudChecksum(const wkCloud* cloud, const uint64_t* sliceSums);

// The end of each array is not always that of a cache line, where the next one begins: the bytes between are 0.
#define WK_CLOUD_GAPS 7

// Finds the first byte of each gap and the one behind it, and returns their number.
int wkFindCloudGaps(const wkCloud* cloud, uint64_t gaps[WK_CLOUD_GAPS][2]);

// The largest radius of a point; 0 for an empty cloud.
double wkFindMaxRadius(const wkCloud* cloud);

void wkSealCloud(wkCloud* cloud);
