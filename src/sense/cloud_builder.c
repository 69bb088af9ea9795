// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Builders of clouds: their memory, and the cloud that is made in the end. Positions are doubles in the base frame,
// and rounding to the floats of a cloud happens once, there, where all radii grow by it.

#include "sense/cloud_builder.h"

#include "base/cookie.h"
#include "base/error.h"
#include "base/memory.h"
#include "tree/bvh/tree.h"

#include <inttypes.h>
#include <string.h>

wkResult wkCloudBuilder_Create(wkCloudBuilder** builder)
{
    if (builder == NULL) {
        return wkFail(wk_errorArgument, "cloud builder: the output pointer is NULL");
    }
    *builder = (wkCloudBuilder*)wkAlloc(sizeof **builder);
    if (*builder == NULL) {
        return wkFail(wk_errorMemory, "cloud builder: no memory");
    }
    memset(*builder, 0, sizeof **builder);
    return wk_ok;
}

void wkCloudBuilder_Destroy(wkCloudBuilder* builder)
{
    if (builder != NULL) {
        wkFree(builder->points, builder->capacity * sizeof *builder->points);
        wkFree(builder, sizeof *builder);
    }
}

wkResult wkCloudBuilder_Reserve(wkCloudBuilder* builder, int64_t more)
{
    int64_t count = builder->info.pointCount + more;
    if (count > WK_TREE_MAX_ITEMS) {
        return wkFail(wk_errorRange, "cloud builder: %" PRId64 " points, at most %d", count,
                      WK_TREE_MAX_ITEMS);
    }
    if ((size_t)count <= builder->capacity) {
        return wk_ok;
    }
    // views are often of one size: room for as many again
    size_t doubled = 2 * builder->capacity;
    size_t capacity = (size_t)count > doubled ? (size_t)count : doubled;
    wkViewPoint* larger = (wkViewPoint*)wkAlloc(capacity * sizeof *larger);
    if (larger == NULL) {
        return wkFail(wk_errorMemory, "cloud builder: no memory for %zu points", capacity);
    }
    if (builder->info.pointCount > 0) {
        memcpy(larger, builder->points, (size_t)builder->info.pointCount * sizeof *larger);
    }
    wkFree(builder->points, builder->capacity * sizeof *larger);
    builder->points = larger;
    builder->capacity = capacity;
    return wk_ok;
}

void wkCloudBuilder_Clear(wkCloudBuilder* builder)
{
    if (builder != NULL) {
        memset(&builder->info, 0, sizeof builder->info);
        builder->hasDeviations = false;
        builder->hasNormals = false;
        builder->hasTimes = false;
    }
}

wkCloudBuilderInfo wkCloudBuilder_Info(const wkCloudBuilder* builder)
{
    wkCloudBuilderInfo none = {0};
    return builder != NULL ? builder->info : none;
}

const wkViewPoint* wkCloudBuilder_Points(const wkCloudBuilder* builder)
{
    return builder != NULL ? builder->points : NULL;
}

wkCloudView wkCloudBuilder_View(const wkCloudBuilder* builder)
{
    if (builder == NULL) {
        return wkMakeCloudView(NULL, 0);
    }
    wkCloudView view = wkMakeCloudView(builder->points, builder->info.pointCount);
    view.isDouble = true;
    view.stride = sizeof(wkViewPoint);
    view.xOffset = (int32_t)offsetof(wkViewPoint, position);
    view.radiusOffset = (int32_t)offsetof(wkViewPoint, radius);
    view.deviationOffset = builder->hasDeviations ? (int32_t)offsetof(wkViewPoint, deviation) : -1;
    view.normalOffset = builder->hasNormals ? (int32_t)offsetof(wkViewPoint, normal) : -1;
    view.timeOffset = builder->hasTimes ? (int32_t)offsetof(wkViewPoint, time) : -1;
    view.timeType = wk_timeDouble;
    view.isCombined = true;
    return view;
}

wkResult wkCloudBuilder_Build(const wkCloudBuilder* builder, const wkCloudDef* def, wkCloud** cloud)
{
    if (builder == NULL || cloud == NULL) {
        return wkFail(wk_errorArgument, "cloud builder: builder or cloud is NULL");
    }
    *cloud = NULL;
    wkCloudDef made = wkDefaultCloudDef();
    if (def != NULL && !WK_HAS_COOKIE(def, wkCloudDef)) {
        return WK_FAIL_COOKIE(def, wkCloudDef);
    }
    if (def != NULL && def->points.count != 0) {
        return wkFail(wk_errorArgument, "cloud builder: points.count is %" PRId64 ", must be 0",
                      def->points.count);
    }
    made = def != NULL ? *def : made;
    made.points = wkCloudBuilder_View(builder);
    return wkCloud_Create(&made, cloud);
}
