// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Views of a sensor that come to the base frame, at one pose or, for a sensor that moves while it measures, at the
// interpolated pose of each point.

#include "sense/cloud_builder.h"

#include "base/cookie.h"
#include "base/error.h"
#include "math/round.h"
#include "math/slerp.h"
#include "tree/cloud/cloud_view.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// A point moves by no more than this share of its coordinates and of the position of the sensor when it is
// transformed: a matrix with entries to 5 units in the last place, three products and three sums.
#define SHARE_OF_ROUNDING 0x1p-49

// A view that is being added.
typedef struct viewReader {
    const wkSensorViewDef* def;
    wkCloudLayout layout;
    int32_t after;     // the pose after the last point
    wkRotationWay way; // to that pose
    wkFrame frame;     // of the last point
    bool isMoved;      // the frame is not the identity
} viewReader;

wkSensorViewDef wkDefaultSensorViewDef(void)
{
    wkSensorViewDef def = {
        .cookie = WK_COOKIE(wkSensorViewDef),
        .points = wkMakeCloudView(NULL, 0),
        .pose = wkIdentityPose(),
        .maxInterval = 0.5,
    };
    return def;
}

static wkResult checkPoses(const wkSensorViewDef* def)
{
    for (int32_t i = 0; i < def->poseCount; ++i) {
        const wkTimedPose* p = &def->poses[i];
        if (!isfinite(p->time) || !wkIsValidPose(p->pose)) {
            return wkFail(wk_errorNotFinite,
                          "view: poses[%d] is not finite, or its rotation is zero", (int)i);
        }
        if (i > 0 && !(p->time > p[-1].time)) {
            return wkFail(wk_errorRange, "view: poses[%d].time is %.9g, must be above %.9g", (int)i,
                          p->time, p[-1].time);
        }
    }
    return wk_ok;
}

static wkResult checkTimes(const wkSensorViewDef* def)
{
    if (def->points.timeOffset < 0) {
        return wkFail(wk_errorRange, "view: points.timeOffset is %d, must be 0 or more with poses",
                      (int)def->points.timeOffset);
    }
    return def->maxInterval > 0.0
               ? wk_ok
               : wkFail(wk_errorRange, "view: maxInterval is %g, must be above 0",
                        def->maxInterval);
}

static wkResult checkDef(const wkSensorViewDef* def, wkCloudLayout* layout)
{
    if (!WK_HAS_COOKIE(def, wkSensorViewDef)) {
        return WK_FAIL_COOKIE(def, wkSensorViewDef);
    }
    wkResult result = wkCloudView_LayOut(&def->points, layout);
    if (result != wk_ok) {
        return result;
    }
    if (def->poses == NULL) {
        if (def->poseCount != 0) {
            return wkFail(wk_errorArgument, "view: poses is NULL, and poseCount is %d",
                          (int)def->poseCount);
        }
        return wkIsValidPose(def->pose)
                   ? wk_ok
                   : wkFail(wk_errorNotFinite, "view: pose is not finite, or its rotation is zero");
    }
    if (def->poseCount < 2) {
        return wkFail(wk_errorRange, "view: poseCount is %d, must be 2 or more",
                      (int)def->poseCount);
    }
    result = checkPoses(def);
    return result == wk_ok ? checkTimes(def) : result;
}

// Returns the time of a point; NaN: it has none.
static double timeOf(const viewReader* reader, const char* point)
{
    return reader->layout.timeOffset >= 0 ? wkTimeAt(&reader->layout, point) : NAN;
}

// Finds the pose after a time. Points come in the order of time or nearly so: the search begins at the last one.
static int32_t findAfter(const wkSensorViewDef* def, double time, int32_t guess)
{
    int32_t after = guess;
    while (after < def->poseCount - 1 && def->poses[after].time <= time) {
        ++after;
    }
    while (after > 1 && def->poses[after - 1].time > time) {
        --after;
    }
    return after;
}

// Sets the frame of a point by its time.
// @return false: no pose is known at that time
static bool placeAt(viewReader* reader, double time)
{
    const wkSensorViewDef* def = reader->def;
    int32_t after = findAfter(def, time, reader->after > 0 ? reader->after : 1);
    const wkTimedPose *a = &def->poses[after - 1], *b = &def->poses[after];
    // at the times of poses, and between two that are near each other; false for NaN
    bool isBetween = time > a->time && time < b->time && b->time - a->time <= def->maxInterval;
    bool isKnown = isBetween || time == a->time || time == b->time;
    if (!isKnown) {
        return false;
    }
    if (after != reader->after) {
        reader->way = wkWayBetween(a->pose.rotation, b->pose.rotation);
        reader->after = after;
    }
    double part = (time - a->time) / (b->time - a->time);
    wkPose pose = {wkLerp(a->pose.position, b->pose.position, part),
                   wkRotationAt(&reader->way, part)};
    reader->frame = wkFrameFromPose(pose);
    return true;
}

static bool isIdentity(const wkPose* pose)
{
    wkPose identity = wkIdentityPose();
    return memcmp(pose, &identity, sizeof identity) == 0;
}

// Bound on the rounding of a position.
static double roundingOf(const viewReader* reader, wkVec3d local)
{
    double size = wkMaxAbs(reader->frame.position) + fabs(local.x) + fabs(local.y) + fabs(local.z);
    return reader->isMoved ? SHARE_OF_ROUNDING * size : 0.0;
}

// Reads a radius or standard deviation; the first that is not valid fails.
static wkResult readLength(const char* name, const char* point, int32_t offset, int64_t index,
                           float* length)
{
    *length = offset >= 0 ? wkFloatAt(point + offset) : 0.0f;
    return *length >= 0.0f && *length < INFINITY
               ? wk_ok
               : wkFail(isfinite(*length) ? wk_errorRange : wk_errorNotFinite,
                        "view: point %" PRId64 ": %s is %g, must be 0 or more", index, name,
                        (double)*length);
}

static wkResult readPoint(const viewReader* reader, const char* bytes, wkVec3d local, int64_t index,
                          wkViewPoint* point)
{
    const wkCloudView* view = &reader->def->points;
    point->position = wkFramePoint(&reader->frame, local);
    point->index = (int32_t)index;
    memset(point->normal, 0, sizeof point->normal);
    if (view->normalOffset >= 0) {
        const char* at = bytes + view->normalOffset;
        wkVec3d normal = {(double)wkFloatAt(at), (double)wkFloatAt(at + 4),
                          (double)wkFloatAt(at + 8)};
        normal = wkMulMV(&reader->frame.rotation, normal);
        point->normal[0] = (float)normal.x;
        point->normal[1] = (float)normal.y;
        point->normal[2] = (float)normal.z;
    }
    wkResult result = readLength("radius", bytes, view->radiusOffset, index, &point->radius);
    point->radius = wkRoundUp((double)point->radius + roundingOf(reader, local));
    return result == wk_ok
               ? readLength("deviation", bytes, view->deviationOffset, index, &point->deviation)
               : result;
}

static wkVec3d positionAt(const wkCloudLayout* layout, const char* point)
{
    double p[3];
    for (int axis = 0; axis < 3; ++axis) {
        const char* at = point + layout->offsets[axis];
        p[axis] = layout->isDouble ? wkDoubleAt(at) : (double)wkFloatAt(at);
    }
    return wkVec(p[0], p[1], p[2]);
}

// Reads all points behind those of the builder, and counts in `info`.
static wkResult readPoints(wkCloudBuilder* builder, viewReader* reader, wkCloudBuilderInfo* info)
{
    const wkSensorViewDef* def = reader->def;
    for (int64_t i = 0; i < reader->layout.count; ++i) {
        const char* bytes = reader->layout.data + i * reader->layout.stride;
        wkVec3d local = positionAt(&reader->layout, bytes);
        if (!wkIsFiniteVec(local)) {
            ++info->notFiniteCount;
            continue;
        }
        double time = timeOf(reader, bytes);
        if (def->poses != NULL && !placeAt(reader, time)) {
            ++info->unknownCount;
            if (!def->dropsUnknown) {
                return wkFail(wk_errorRange,
                              "view: point %" PRId64 ": time is %.9g, where no pose is known; "
                              "poses are from %.9g to %.9g, at most %g apart",
                              i, time, def->poses[0].time, def->poses[def->poseCount - 1].time,
                              def->maxInterval);
            }
            continue;
        }
        wkViewPoint* point = &builder->points[info->pointCount];
        wkResult result = readPoint(reader, bytes, local, i, point);
        if (result != wk_ok) {
            return result;
        }
        point->view = info->viewCount;
        point->time = time;
        wkVec3d p = point->position;
        bool isFirst = info->pointCount++ == 0;
        info->bounds.lower = isFirst ? p : wkMin(info->bounds.lower, p);
        info->bounds.upper = isFirst ? p : wkMax(info->bounds.upper, p);
    }
    ++info->viewCount;
    return wk_ok;
}

wkResult wkCloudBuilder_AddView(wkCloudBuilder* builder, const wkSensorViewDef* def)
{
    if (builder == NULL) {
        return wkFail(wk_errorArgument, "wkCloudBuilder_AddView: builder is NULL");
    }
    viewReader reader = {.def = def};
    wkResult result = checkDef(def, &reader.layout);
    result = result == wk_ok ? wkCloudBuilder_Reserve(builder, def->points.count) : result;
    if (result != wk_ok) {
        return result;
    }
    reader.frame = wkFrameFromPose(def->pose);
    reader.isMoved = def->poses != NULL || !isIdentity(&def->pose);
    wkCloudBuilderInfo info = builder->info;
    result = readPoints(builder, &reader, &info);
    if (result == wk_ok) {
        builder->info = info;
        builder->hasDeviations |= def->points.deviationOffset >= 0;
        builder->hasNormals |= def->points.normalOffset >= 0;
        builder->hasTimes |= def->points.timeOffset >= 0;
    }
    return result;
}
