// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What tests of filters share: points with their request, runs, and what every result must hold.

#include "../unit/unit_kit.h"

#include "math/frame.h"
#include "scenes/rng.h"
#include "whisker/cloud_filter.h"

#define KIT_MAX_POINTS 6000

typedef struct filterKit {
    wkRng rng;
    wkCloudFilter* filter;
    wkVec3d points[KIT_MAX_POINTS]; // in the frame of the request
    float floats[KIT_MAX_POINTS * 8];
    double doubles[KIT_MAX_POINTS * 3];
    int32_t count;
    wkFilterRequest request;
    wkFilterResult result;
} filterKit;

static inline filterKit* makeFilterKit(uint64_t seed)
{
    filterKit* kit = calloc(1, sizeof *kit);
    assert_non_null(kit);
    kit->rng = wkMakeRng(seed);
    kit->request = wkDefaultFilterRequest();
    assert_int_equal(wkCloudFilter_Create(&kit->filter), wk_ok);
    return kit;
}

static inline void freeFilterKit(filterKit* kit)
{
    wkCloudFilter_Destroy(kit->filter);
    free(kit);
    assert_int_equal(wkGetByteCount(), 0);
}

// Writes the points in one of four layouts: packed floats, floats with gaps, floats backwards, doubles. Points of
// floats become what floats can be.
static inline void layOutPoints(filterKit* kit, int layout)
{
    static const int64_t strides[] = {3, 8, -5, 3};
    int64_t stride = strides[layout];
    float* start = kit->floats + (stride < 0 ? -stride * (kit->count - 1) : 0);
    for (int32_t i = 0; i < kit->count; i++) {
        wkVec3d* p = &kit->points[i];
        double given[3] = {p->x, p->y, p->z};
        memcpy(kit->doubles + 3 * (size_t)i, given, sizeof given);
        if (layout < 3) {
            float* to = start + stride * i;
            const float rounded[3] = {(float)p->x, (float)p->y, (float)p->z};
            to[0] = rounded[0];
            to[1] = rounded[1];
            to[2] = rounded[2];
            *p = wkVec((double)rounded[0], (double)rounded[1], (double)rounded[2]);
        }
    }
    kit->request.points =
        wkMakeCloudView(layout < 3 ? (void*)start : (void*)kit->doubles, kit->count);
    kit->request.points.isDouble = layout == 3;
    kit->request.points.stride = layout < 3 ? stride * (int64_t)sizeof(float) : 0;
}

static inline bool isFinitePoint(wkVec3d p)
{
    return isfinite(p.x) && isfinite(p.y) && isfinite(p.z);
}

// Holds for every result: each examined point is kept or has a reason, and figures add up.
static inline void checkFigures(const filterKit* kit)
{
    const wkFilterResult* r = &kit->result;
    int32_t removed[WK_MAX_FILTER_STEPS] = {0}, kept = 0, none = 0, notFinite = 0;
    for (int32_t i = 0; i < kit->count; i++) {
        uint8_t mark = r->marks[i];
        if (mark == wk_markNone) {
            none++;
        } else if (mark == wk_markNotFinite) {
            assert_false(isFinitePoint(kit->points[i]));
            notFinite++;
        } else if (mark >= wk_markRemoved) {
            assert_true(mark - wk_markRemoved < r->stepCount);
            removed[mark - wk_markRemoved]++;
        } else {
            assert_true(isFinitePoint(kit->points[i]));
            assert_int_equal(r->kept[kept], i);
            kept++;
        }
    }
    int32_t left = r->examinedCount - notFinite;
    for (int32_t s = 0; s < r->stepCount; s++) {
        assert_int_equal(r->steps[s].examinedCount, left);
        assert_int_equal(r->steps[s].removedCount, removed[s]);
        left -= removed[s];
    }
    assert_int_equal(r->pointCount, kit->count);
    assert_int_equal(r->examinedCount, kit->count - none);
    assert_int_equal(r->notFiniteCount, notFinite);
    assert_int_equal(r->keptCount, kept);
    assert_int_equal(left, kept);
}

static inline void runFilter(filterKit* kit, const wkFilterStep* steps, int32_t stepCount)
{
    kit->request.steps = steps;
    kit->request.stepCount = stepCount;
    if (wkCloudFilter_Run(kit->filter, &kit->request, &kit->result) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    checkFigures(kit);
}

static inline void expectFilterRefused(filterKit* kit, const wkFilterStep* steps, int32_t stepCount,
                                       wkResult expected, const char* words)
{
    kit->request.steps = steps;
    kit->request.stepCount = stepCount;
    memset(&kit->result, 0x5a, sizeof kit->result);
    wkResult result = wkCloudFilter_Run(kit->filter, &kit->request, &kit->result);
    if (result != expected || strstr(wkGetLastError(), words) == NULL) {
        fail_msg("expected \"%s\" and %d, found \"%s\" and %d", words, (int)expected,
                 wkGetLastError(), (int)result);
    }
    wkFilterResult nothing = {0};
    assert_memory_equal(&kit->result, &nothing, sizeof nothing);
}
