// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Checks of views: offsets, strides, and whether the points fit into their memory.

#include "tree/cloud/cloud_view.h"

#include "base/error.h"
#include "tree/bvh/tree_view.h"

#include <inttypes.h>

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
    };
    return view;
}

// A field of a point: where it begins and its size.
typedef struct field {
    const char* name;
    int32_t offset;
    int32_t byteCount;
} field;

#define FIELD_COUNT 6

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

static wkResult checkMemory(const wkCloudView* view, int64_t stride, int64_t pointBytes)
{
    if (view->count > 0 && view->data == NULL) {
        return wkFail(wk_errorArgument, "cloud: data is NULL, and count is %" PRId64, view->count);
    }
    if (view->count > 1 && (stride < 0 ? -stride : stride) < pointBytes) {
        return wkFail(wk_errorRange,
                      "cloud: stride is %" PRId64
                      ", but the fields of a point end at byte %" PRId64,
                      stride, pointBytes);
    }
    if (view->byteCount == 0 || view->count == 0) {
        return wk_ok;
    }
    if (stride < 0) {
        return wkFail(wk_errorArgument, "cloud: byteCount is %zu, must be 0 with a negative stride",
                      view->byteCount);
    }
    int64_t needed = 0;
    bool fits = !__builtin_mul_overflow(view->count - 1, stride, &needed) &&
                !__builtin_add_overflow(needed, pointBytes, &needed) &&
                (uint64_t)needed <= view->byteCount;
    return fits ? wk_ok
                : wkFail(wk_errorRange,
                         "cloud: byteCount is %zu, too few for %" PRId64 " points of %" PRId64
                         " bytes each",
                         view->byteCount, view->count, stride);
}

wkResult wkLayOutCloud(const wkCloudView* view, wkCloudLayout* layout)
{
    memset(layout, 0, sizeof *layout);
    if (view->count < 0 || view->count > WK_TREE_MAX_ITEMS) {
        return wkFail(wk_errorRange, "cloud: count is %" PRId64 ", must be 0 to %d", view->count,
                      WK_TREE_MAX_ITEMS);
    }
    int32_t size = view->isDouble ? (int32_t)sizeof(double) : (int32_t)sizeof(float);
    int64_t x = view->xOffset, y = view->yOffset == -1 ? x + size : view->yOffset;
    int64_t z = view->zOffset == -1 ? y + size : view->zOffset;
    if (y > INT32_MAX || z > INT32_MAX) {
        return wkFail(wk_errorRange, "cloud: xOffset is %d, too large", (int)view->xOffset);
    }
    const field fields[FIELD_COUNT] = {
        {"xOffset", view->xOffset, size},
        {"yOffset", (int32_t)y, size},
        {"zOffset", (int32_t)z, size},
        {"radiusOffset", view->radiusOffset, sizeof(float)},
        {"deviationOffset", view->deviationOffset, sizeof(float)},
        {"normalOffset", view->normalOffset, 3 * sizeof(float)},
    };
    int64_t pointBytes;
    wkResult result = checkFields(fields, &pointBytes);
    *layout = (wkCloudLayout){
        .data = (const char*)view->data,
        .count = view->count,
        .stride = view->stride == 0 ? pointBytes : view->stride,
        .offsets = {view->xOffset, (int32_t)y, (int32_t)z},
        .radiusOffset = view->radiusOffset,
        .deviationOffset = view->deviationOffset,
        .isDouble = view->isDouble,
    };
    return result == wk_ok ? checkMemory(view, layout->stride, pointBytes) : result;
}
