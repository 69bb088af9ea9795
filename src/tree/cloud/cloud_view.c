// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Checks of views: offsets, strides, and whether the points fit into their memory.

#include "tree/cloud/cloud_view.h"

#include "base/error.h"
#include "tree/bvh/tree_view.h"

#include <inttypes.h>
#include <math.h>

wkCloudView wkMakeCloudView(const void* data, int64_t count)
{
    wkCloudView view = {
        .data = data,
        .count = count,
        .yOffset = -1,
        .zOffset = -1,
        .radiusOffset = -1,
        .deviationOffset = -1,
        .normalOffset = -1,
        .timeOffset = -1,
    };
    return view;
}

static double loadFloat(const char* at)
{
    return (double)wkFloatAt(at);
}

static double loadNanoseconds32(const char* at)
{
    uint32_t count;
    memcpy(&count, at, sizeof count);
    return 1e-9 * (double)count;
}

static double loadNanoseconds64(const char* at)
{
    uint64_t count;
    memcpy(&count, at, sizeof count);
    return 1e-9 * (double)count;
}

static const struct {
    int32_t byteCount;
    double (*load)(const char* at); // in seconds
} timeTypes[] = {
    [wk_timeFloat] = {4, loadFloat},
    [wk_timeDouble] = {8, wkDoubleAt},
    [wk_timeNanoseconds32] = {4, loadNanoseconds32},
    [wk_timeNanoseconds64] = {8, loadNanoseconds64},
};

#define TIME_TYPE_COUNT ((int)(sizeof timeTypes / sizeof timeTypes[0]))

double wkTimeAt(const wkCloudLayout* layout, const char* point)
{
    return layout->timeBase + timeTypes[layout->timeType].load(point + layout->timeOffset);
}

// A field of a point: where it begins and its size.
typedef struct field {
    const char* name;
    int32_t offset;
    int32_t byteCount;
} field;

#define FIELD_COUNT 7

static wkResult checkFields(const field fields[FIELD_COUNT], int64_t* pointBytes)
{
    *pointBytes = 0;
    for (int i = 0; i < FIELD_COUNT; ++i) {
        if (fields[i].offset < -1 || (i == 0 && fields[i].offset < 0)) {
            return wkFail(wk_errorRange, "cloud: %s is %d, must be %s", fields[i].name,
                          (int)fields[i].offset, i == 0 ? "0 or more" : "-1 or more");
        }
        int64_t end = fields[i].offset < 0 ? 0 : (int64_t)fields[i].offset + fields[i].byteCount;
        *pointBytes = end > *pointBytes ? end : *pointBytes;
    }
    return wk_ok;
}

static wkResult checkTimes(const wkCloudView* view)
{
    if (view->timeOffset < 0) {
        return wk_ok; // an offset below -1 is refused with those of other fields
    }
    if ((unsigned)view->timeType >= (unsigned)TIME_TYPE_COUNT) {
        return wkFail(wk_errorRange, "cloud: timeType is %d, must be 0 to %d", (int)view->timeType,
                      TIME_TYPE_COUNT - 1);
    }
    return isfinite(view->timeBase)
               ? wk_ok
               : wkFail(wk_errorNotFinite, "cloud: timeBase is %g, must be finite", view->timeBase);
}

static bool doOverlap(const field* a, const field* b)
{
    int64_t endA = (int64_t)a->offset + a->byteCount, endB = (int64_t)b->offset + b->byteCount;
    return a->offset >= 0 && b->offset >= 0 && a->offset < endB && b->offset < endA;
}

// Coordinates share no byte with another field: offsets that are all 0 are those of a view that was zeroed, not made.
static wkResult checkOverlap(const field fields[FIELD_COUNT])
{
    for (int i = 0; i < 3; ++i) {
        for (int k = i + 1; k < FIELD_COUNT; ++k) {
            if (doOverlap(&fields[i], &fields[k])) {
                return wkFail(wk_errorRange,
                              "cloud: %s is %d, and %s is %d: they overlap; start from "
                              "wkMakeCloudView()",
                              fields[i].name, (int)fields[i].offset, fields[k].name,
                              (int)fields[k].offset);
            }
        }
    }
    return wk_ok;
}

static wkResult checkMemory(const wkCloudView* view, int64_t stride, int64_t pointBytes)
{
    if (view->count > 0 && view->data == NULL) {
        return wkFail(wk_errorArgument, "cloud: data is NULL, and count is %" PRId64, view->count);
    }
    if (view->count > 1 && stride < pointBytes && stride > -pointBytes) {
        return wkFail(wk_errorRange,
                      "cloud: stride is %" PRId64
                      ", but the fields of a point end at byte %" PRId64,
                      stride, pointBytes);
    }
    int64_t needed = 0;
    if (view->count > 0 && (__builtin_mul_overflow(view->count - 1, stride, &needed) ||
                            __builtin_add_overflow(needed, pointBytes, &needed))) {
        return wkFail(wk_errorRange,
                      "cloud: stride is %" PRId64 ", too large for %" PRId64 " points", stride,
                      view->count);
    }
    if (view->byteCount == 0 || view->count == 0) {
        return wk_ok;
    }
    if (stride < 0) {
        return wkFail(wk_errorArgument, "cloud: byteCount is %zu, must be 0 with a negative stride",
                      view->byteCount);
    }
    bool fits = (uint64_t)needed <= view->byteCount;
    return fits ? wk_ok
                : wkFail(wk_errorRange,
                         "cloud: byteCount is %zu, too few for %" PRId64 " points of %" PRId64
                         " bytes each",
                         view->byteCount, view->count, stride);
}

// Finds the fields of a point, with all defaults filled in.
static wkResult findFields(const wkCloudView* view, field fields[FIELD_COUNT])
{
    wkResult result = checkTimes(view);
    if (result != wk_ok) {
        return result;
    }
    int32_t size = view->isDouble ? (int32_t)sizeof(double) : (int32_t)sizeof(float);
    int64_t x = view->xOffset, y = view->yOffset == -1 ? x + size : view->yOffset;
    int64_t z = view->zOffset == -1 ? y + size : view->zOffset;
    if (y > INT32_MAX || z > INT32_MAX) {
        return wkFail(wk_errorRange, "cloud: xOffset is %d, too large", (int)view->xOffset);
    }
    int32_t timeBytes = view->timeOffset >= 0 ? timeTypes[view->timeType].byteCount : 0;
    const field found[FIELD_COUNT] = {
        {"xOffset", view->xOffset, size},
        {"yOffset", (int32_t)y, size},
        {"zOffset", (int32_t)z, size},
        {"radiusOffset", view->radiusOffset, sizeof(float)},
        {"deviationOffset", view->deviationOffset, sizeof(float)},
        {"normalOffset", view->normalOffset, 3 * sizeof(float)},
        {"timeOffset", view->timeOffset, timeBytes},
    };
    memcpy(fields, found, sizeof found);
    return wk_ok;
}

wkResult wkCloudView_LayOut(const wkCloudView* view, wkCloudLayout* layout)
{
    memset(layout, 0, sizeof *layout);
    if (view->count < 0 || view->count > WK_TREE_MAX_ITEMS) {
        return wkFail(wk_errorRange, "cloud: count is %" PRId64 ", must be 0 to %d", view->count,
                      WK_TREE_MAX_ITEMS);
    }
    field fields[FIELD_COUNT] = {{NULL, 0, 0}};
    int64_t pointBytes = 0;
    wkResult result = findFields(view, fields);
    result = result == wk_ok ? checkFields(fields, &pointBytes) : result;
    result = result == wk_ok ? checkOverlap(fields) : result;
    if (result != wk_ok) {
        return result;
    }
    *layout = (wkCloudLayout){
        .data = (const char*)view->data,
        .count = view->count,
        .stride = view->stride == 0 ? pointBytes : view->stride,
        .pointBytes = pointBytes,
        .offsets = {fields[0].offset, fields[1].offset, fields[2].offset},
        .radiusOffset = view->radiusOffset,
        .deviationOffset = view->deviationOffset,
        .timeOffset = view->timeOffset,
        .timeType = (int32_t)view->timeType,
        .timeBase = view->timeBase,
        .isDouble = view->isDouble,
    };
    return checkMemory(view, layout->stride, pointBytes);
}
