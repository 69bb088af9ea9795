// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The parts of a cloud in a field (batch/field_cloud.h), as kernels and other devices read them. Code of this header is
// C, C++ and CUDA.

#include "batch/field_view.h"
#include "whisker/cloud.h"

#define WK_OCTET 8

// Eight boxes side by side, relative to the origin of the field: three cache lines. Boxes contain the spheres of
// points that have radii of their own. Unused boxes are far away.
typedef struct wkCloudOctet {
    WK_ALIGNAS(64) float lower[3][WK_OCTET];
    float upper[3][WK_OCTET];
} wkCloudOctet;

// A point of the cloud in each of the boxes of an octet.
typedef struct wkOctetPoints {
    WK_ALIGNAS(32) float at[3][WK_OCTET];
} wkOctetPoints;

// Boxes of an octet: a bit for each.
typedef struct wkCloudEntry {
    uint32_t octet;
    uint16_t mask;
    uint16_t level; // of the octet
} wkCloudEntry;

// 2^28 points have 2^25 boxes, and eight of a level have one of the next.
#define WK_CLOUD_LEVELS 10

struct wkFieldCloudLanes;

// A cloud on the grid of a field, which does not change once it is made: a view of a block (base/view_block.h),
// which may be copied to another address or device as it is. The points are in the block of the cloud itself
// (wkCloud_Block). While it is built, its arrays are allocated one by one.
typedef struct wkFieldCloud {
    // Numbers, stored in the block.
    wkFrame frame;      // of the cloud, relative to the origin of the field
    wkFieldGrid grid;   // of the field
    float sphere;       // radius of all points without a radius of their own, padding included
    float slack;        // rounding of distances
    int32_t levelCount; //
    int32_t entryLevel; // least level of entries
    int32_t octetCount; // of all levels
    int32_t startCount; // one more than there are bricks
    int32_t entryCount; //
    int32_t firsts[WK_CLOUD_LEVELS + 1]; // first octet of each level, from the lowest up; the end
    bool isStraight;                     // it is not rotated

    // Arrays in the block.
    wkCloudOctet* octets;
    uint32_t* bricks; // first entry of each brick, and the end; bricks that no sphere was expected
                      // in have all boxes of the top octet
    wkCloudEntry* entries;

    const wkCloud* cloud;
    const struct wkFieldCloudLanes* lanes;

    // On the host alone, to tell whether the cloud has changed, and to merge it with other objects.
    wkPose pose;
    wkVec3d origin;        // of the field
    double reach;          //
    uint64_t stamp;        // of its shape
    int32_t slotIndex;     // of the object in the scene
    int32_t holderCount;   // fields that have it
    uint32_t* words;       // of all cells
    wkOctetPoints* points; // of the octets, while it is built
    wkBlockHead* block;    // owned by clouds of wkFieldCloud_Create
    size_t byteCount;      // of the block
} wkFieldCloud;
