// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Point clouds in a field. A cloud has a grid of words of its own, which are merged into those of the layers, and
// for each brick a list of boxes around the points that may be the nearest to a point of the brick. A sphere that
// its cell leaves open is compared with the points in these boxes, eight at a time.
//
// The boxes form a hierarchy: eight points that follow each other in the cloud have a box, eight boxes that
// follow each other have one, and so on.

#include "base/view_block.h"
#include "batch/field.h"
#include "math/frame.h"
#include "whisker/cloud.h"

#define WK_OCTET 8

// Eight boxes side by side, relative to the origin of the field: three cache lines. Boxes contain the spheres of
// points that have radii of their own. Unused boxes are far away.
typedef struct wkCloudOctet {
    _Alignas(64) float lower[3][WK_OCTET];
    float upper[3][WK_OCTET];
} wkCloudOctet;

// A point of the cloud in each of the boxes of an octet.
typedef struct wkOctetPoints {
    _Alignas(32) float at[3][WK_OCTET];
} wkOctetPoints;

// Boxes of an octet: a bit for each.
typedef struct wkCloudEntry {
    uint32_t octet;
    uint16_t mask;
    uint16_t level; // of the octet
} wkCloudEntry;

// 2^28 points have 2^25 boxes, and eight of a level have one of the next.
#define WK_CLOUD_LEVELS 10

// The level of the only entry of a brick that no sphere was expected in: it has no list.
#define WK_CLOUD_UNBOUNDED UINT16_MAX

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
    uint32_t* bricks; // first entry of each brick, and the end
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

// Returns whether a shape of the scene can be a cloud of a field: floats are exact enough for its points.
bool wkFieldCloud_Fits(const wkField* field, int32_t slotIndex);

// Makes a cloud of a field, whose grid is chosen.
// @param lanes of any instruction set: the results are the same bytes
wkResult wkFieldCloud_Create(const wkField* field, const wkFieldGrid* grid, int32_t slotIndex,
                             const struct wkFieldCloudLanes* lanes, const wkParallel* parallel,
                             wkFieldCloud** out);

// Gives up a cloud; NULL is allowed.
void wkFieldCloud_Drop(wkFieldCloud* cloud);

// Sets a view of a block that was copied from another cloud of a field, which need not exist any more. The view
// answers wkFieldCloud_Has, _Touches and _Distance, and has nothing to free.
// @param cloud with the points of that cloud
// @return wk_errorArgument, see wkBlock_Bind
wkResult wkFieldCloud_Bind(const void* block, size_t byteCount, const wkCloud* cloud,
                           const struct wkFieldCloudLanes* lanes, wkFieldCloud* view);

// Returns whether a cloud is what wkFieldCloud_Create would make.
bool wkFieldCloud_IsSame(const wkFieldCloud* cloud, const wkField* field, const wkFieldGrid* grid,
                         int32_t slotIndex);
size_t wkFieldCloud_ByteCount(const wkFieldCloud* cloud);

// Merges the words of a cloud into those of a layer.
// @param isCertain the cloud applies to every side of the layer
void wkFieldCloud_Merge(const wkFieldCloud* cloud, bool isCertain, uint32_t* words);

// Returns whether there is a list for a brick; else the cloud is to be queried as a shape.
WK_FN bool wkFieldCloud_Has(const wkFieldCloud* cloud, int32_t brick)
{
    uint32_t first = cloud->bricks[brick];
    return first == cloud->bricks[brick + 1] || cloud->entries[first].level != WK_CLOUD_UNBOUNDED;
}

// Returns whether a sphere with its center in a brick touches the cloud.
bool wkFieldCloud_Touches(const wkFieldCloud* cloud, int32_t brick, const float center[3],
                          float radius);

// Returns a lower bound on the distance between a point in a brick and the cloud, exact up to rounding; `limit`
// where nothing is nearer.
float wkFieldCloud_Distance(const wkFieldCloud* cloud, int32_t brick, const float center[3],
                            float limit);
