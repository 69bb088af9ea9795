// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A cloud on the grid of a field: its numbers and memory, its block, and what it is asked.

#include "batch/field_cloud.h"

#include "base/error.h"
#include "base/isa_table.h"
#include "base/memory.h"
#include "batch/field_cloud_kernel.h"
#include "geom/convex.h"
#include "tree/cloud/cloud_impl.h"

#include <string.h>

WK_DEFINE_LANES(const wkFieldCloudLanes, wkFieldCloudLanes)

// Rounding of the position of a point and of its distance from another one, both in floats, as a share of
// their coordinates: a dozen roundings of half a unit each.
#define FLOAT_SHARE 0x1p-20

// Clouds with a rounding of more than this share of the reach are queried as shapes.
#define MAX_SLACK_SHARE 1e-3

// Returns the rounding of distances from the points of a cloud in the frame of the field.
static double slackOf(const wkField* field, int32_t slotIndex)
{
    wkSceneObject object = wkScene_ObjectAt(field->scene->world, slotIndex);
    const wkCloud* cloud = object.shape->cloud;
    double size = wkMaxAbs(cloud->bounds.lower) + wkMaxAbs(cloud->bounds.upper) +
                  wkSumAbs(wkSub(object.pose->position, field->origin)) + field->reach;
    return FLOAT_SHARE * size + 1e-15 * wkSumAbs(object.pose->position);
}

bool wkFieldCloud_Fits(const wkField* field, int32_t slotIndex)
{
    const wkShape* shape = wkScene_ObjectAt(field->scene->world, slotIndex).shape;
    return shape->type == wk_shapeCloud && shape->cloud->pointCount > 0 &&
           slackOf(field, slotIndex) <= MAX_SLACK_SHARE * field->reach;
}

static bool isStraight(const wkMat3d* m)
{
    return m->x.x == 1.0 && m->y.y == 1.0 && m->z.z == 1.0;
}

// Sets everything but the arrays.
static void describe(const wkField* field, const wkFieldGrid* grid, int32_t slotIndex,
                     wkFieldCloud* cloud)
{
    wkShape copy;
    const wkShape* shape = wkField_ShapeOfSlot(field, slotIndex, &copy);
    const wkPose* pose = wkScene_ObjectAt(field->scene->world, slotIndex).pose;
    cloud->holderCount = 1;
    cloud->cloud = shape->cloud;
    cloud->stamp = wkScene_StampAt(field->scene->world, slotIndex);
    cloud->pose = *pose;
    cloud->origin = field->origin;
    cloud->reach = field->reach;
    cloud->slotIndex = slotIndex;
    cloud->frame = wkFrameFromPose(*pose);
    cloud->frame.position = wkSub(pose->position, field->origin);
    cloud->isStraight = isStraight(&cloud->frame.rotation);
    bool hasRadii = shape->cloud->radiusOffset != 0;
    cloud->sphere = (float)(wkShapeRadius(shape) + (hasRadii ? 0.0 : shape->cloud->radius));
    cloud->slack = wkRoundUp(slackOf(field, slotIndex) + 0x1p-23 * (double)cloud->sphere);
    cloud->grid = *grid;
    cloud->grid.words = NULL;
}

static size_t pointBytes(const wkFieldCloud* cloud)
{
    return (size_t)cloud->octetCount * sizeof *cloud->points;
}

// Frees the arrays of a cloud that are allocated one by one.
static void freeParts(const wkFieldCloud* cloud)
{
    wkFree(cloud->entries, (size_t)cloud->entryCount * sizeof *cloud->entries);
    wkFree(cloud->bricks, (size_t)cloud->startCount * sizeof *cloud->bricks);
    wkFree(cloud->octets, (size_t)cloud->octetCount * sizeof *cloud->octets);
}

static wkResult takeMemory(wkFieldCloud* cloud)
{
    cloud->startCount = wkField_BrickCount(&cloud->grid) + 1;
    cloud->words = (uint32_t*)wkAlloc(wkFieldCloud_WordBytes(cloud));
    cloud->octets = (wkCloudOctet*)wkAlloc((size_t)cloud->octetCount * sizeof *cloud->octets);
    cloud->points = (wkOctetPoints*)wkAlloc(pointBytes(cloud));
    cloud->bricks = (uint32_t*)wkAlloc((size_t)cloud->startCount * sizeof *cloud->bricks);
    return cloud->words != NULL && cloud->octets != NULL && cloud->points != NULL &&
                   cloud->bricks != NULL
               ? wk_ok
               : wkFail(wk_errorMemory, "field: no memory for a cloud of %d points",
                        (int)cloud->cloud->pointCount);
}

static const wkBlockArray cloudArrays[] = {
    WK_BLOCK_ARRAY(wkFieldCloud, octets, octetCount, 1),
    WK_BLOCK_ARRAY(wkFieldCloud, bricks, startCount, 1),
    WK_BLOCK_ARRAY(wkFieldCloud, entries, entryCount, 1),
};

static const wkBlockLayout cloudLayout = {
    .name = "field cloud",
    .magic = 0x646c6366u,
    .version = 1,
    .numbersAt = 0,
    .numberBytes = offsetof(wkFieldCloud, octets),
    .arrays = cloudArrays,
    .arrayCount = sizeof cloudArrays / sizeof *cloudArrays,
};

// Moves what kernels read into one block.
static wkResult packCloud(wkFieldCloud* cloud)
{
    wkFieldCloud parts = *cloud;
    cloud->block = wkBlock_Pack(&cloudLayout, cloud, &cloud->byteCount);
    if (cloud->block == NULL) {
        return wkFail(wk_errorMemory, "field: no memory for the block of a cloud");
    }
    wkBlock_Seal(&cloudLayout, cloud->block, cloud);
    freeParts(&parts);
    wkFree(cloud->points, pointBytes(cloud));
    cloud->points = NULL;
    return wk_ok;
}

wkResult wkFieldCloud_Create(const wkField* field, const wkFieldGrid* grid, int32_t slotIndex,
                             const wkFieldCloudLanes* lanes, const wkParallel* parallel,
                             wkFieldCloud** out)
{
    *out = NULL;
    wkFieldCloud* cloud = (wkFieldCloud*)wkAlloc(sizeof *cloud);
    if (cloud == NULL) {
        return wkFail(wk_errorMemory, "field: no memory for a cloud");
    }
    memset(cloud, 0, sizeof *cloud);
    cloud->lanes = lanes;
    describe(field, grid, slotIndex, cloud);
    wkFieldCloud_PlanOctets(cloud);
    wkResult result = takeMemory(cloud);
    result = result == wk_ok ? wkFieldCloud_Fill(cloud, field, parallel) : result;
    result = result == wk_ok ? packCloud(cloud) : result;
    if (result != wk_ok) {
        wkFieldCloud_Drop(cloud);
        return result;
    }
    *out = cloud;
    return wk_ok;
}

bool wkFieldCloud_IsSame(const wkFieldCloud* cloud, const wkField* field, const wkFieldGrid* grid,
                         int32_t slotIndex)
{
    const wkScene* world = field->scene->world;
    wkFieldGrid own = *grid;
    own.words = NULL;
    return cloud->slotIndex == slotIndex && cloud->stamp == wkScene_StampAt(world, slotIndex) &&
           memcmp(&cloud->pose, wkScene_ObjectAt(world, slotIndex).pose, sizeof cloud->pose) == 0 &&
           memcmp(&cloud->origin, &field->origin, sizeof cloud->origin) == 0 &&
           cloud->reach == field->reach && memcmp(&cloud->grid, &own, sizeof own) == 0;
}

void wkFieldCloud_Drop(wkFieldCloud* cloud)
{
    if (cloud == NULL || --cloud->holderCount > 0) {
        return;
    }
    if (cloud->block != NULL) {
        wkFree(cloud->block, cloud->byteCount);
    } else {
        freeParts(cloud);
    }
    wkFree(cloud->points, pointBytes(cloud));
    wkFree(cloud->words, wkFieldCloud_WordBytes(cloud));
    wkFree(cloud, sizeof *cloud);
}

wkResult wkFieldCloud_Bind(const void* block, size_t byteCount, const wkCloud* cloud,
                           const wkFieldCloudLanes* lanes, wkFieldCloud* view)
{
    memset(view, 0, sizeof *view);
    view->cloud = cloud;
    view->lanes = lanes;
    return wkBlock_Bind(&cloudLayout, block, byteCount, view);
}

size_t wkFieldCloud_ByteCount(const wkFieldCloud* cloud)
{
    return sizeof *cloud + cloud->byteCount + wkFieldCloud_WordBytes(cloud);
}

void wkFieldCloud_Merge(const wkFieldCloud* cloud, bool isCertain, uint32_t* words)
{
    cloud->lanes->merge(&cloud->grid, cloud->words, isCertain,
                        (int32_t)(wkFieldCloud_WordBytes(cloud) / sizeof *words), words);
}

bool wkFieldCloud_Touches(const wkFieldCloud* cloud, int32_t brick, const float center[3],
                          float radius)
{
    return cloud->lanes->touches(cloud, brick, center, radius);
}

float wkFieldCloud_Distance(const wkFieldCloud* cloud, int32_t brick, const float center[3],
                            float limit)
{
    return cloud->lanes->distance(cloud, brick, center, limit);
}
