// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Whole runs of filters over several chunks of points: every instruction set, layout and number of threads gives the
// same bytes, and crops are those of plain comparisons.

#include "filter_kit.h"

#include "base/cpu.h"

#define COUNT 20013 // a whole chunk, one in part, and a block in part

#define STEP_LISTS 9

// Points of an image, in one of the layouts below.
typedef struct frame {
    float points[COUNT][3];
    float floats[COUNT * 8];
    double doubles[COUNT * 3];
} frame;

typedef struct layout {
    const char* name;
    int64_t floatStride; // 0: doubles
    int32_t offset;      // of x, in floats
} layout;

static const layout layouts[] = {
    {"packed", 3, 0},     {"quads", 4, 0},   {"in the middle", 8, 2},
    {"backwards", -4, 0}, {"doubles", 0, 0},
};

#define LAYOUT_COUNT ((int)(sizeof layouts / sizeof layouts[0]))

// A wavy surface with noise, points that are not finite, alone and in rows, and coordinates on the sides of the box.
static frame* makeFrame(void)
{
    frame* f = calloc(1, sizeof *f);
    assert_non_null(f);
    wkRng rng = wkMakeRng(UNIT_SEED + 1200);
    for (int32_t i = 0; i < COUNT; i++) {
        int32_t row = i / 200, column = i % 200;
        double u = column / 200.0, v = row / 200.0;
        float* p = f->points[i];
        p[0] = (float)(2.0 * u - 1.0);
        p[1] = (float)(2.0 * v - 1.0);
        p[2] = (float)(1.0 + 0.4 * sin(7.0 * u) * cos(5.0 * v) + wkRngRange(&rng, -0.02, 0.02));
        if (i % 97 == 0 || (i > 16000 && i < 16900)) {
            p[i % 3] = i % 2 == 0 ? NAN : -INFINITY;
        } else if (i % 31 == 0) {
            p[i % 3] = i % 2 == 0 ? 0.5f : -0.25f;
        }
    }
    return f;
}

static wkCloudView viewOf(frame* f, const layout* l)
{
    int64_t stride = l->floatStride != 0 ? l->floatStride : 3;
    float* start = f->floats + (stride < 0 ? -stride * (COUNT - 1) : 0);
    // the bytes between points have no meaning
    for (size_t i = 0; i < sizeof f->floats / sizeof(float); i++) {
        f->floats[i] = NAN;
    }
    for (int32_t i = 0; i < COUNT; i++) {
        for (int axis = 0; axis < 3; axis++) {
            start[stride * i + l->offset + axis] = f->points[i][axis];
            f->doubles[3 * i + axis] = (double)f->points[i][axis];
        }
    }
    void* data = l->floatStride != 0 ? (void*)start : (void*)f->doubles;
    wkCloudView view = wkMakeCloudView(data, COUNT);
    view.isDouble = l->floatStride == 0;
    view.stride = l->floatStride * (int64_t)sizeof(float);
    view.xOffset = l->offset * (int32_t)sizeof(float);
    return view;
}

static const wkAabb box = {{-0.25, -INFINITY, 0.5}, {0.5, 0.5, 1.25}};

// Steps of list k; returns their number.
static int32_t makeSteps(int k, wkFilterStep steps[3])
{
    wkFilterStep crop = wkMakeBoxFilter(box, wkIdentityPose()), outside = crop;
    outside.box.keepsInside = false;
    wkFilterStep range = wkMakeRangeFilter(wkVec(0.1, 0.0, 0.2), 0.5, 1.1);
    wkFilterStep voxels = wkMakeVoxelFilter(0.05), centroids = voxels;
    centroids.voxel.hasCentroids = true;
    // most points alone in their voxel, and voxels that are too many for a table
    wkFilterStep alone = wkMakeVoxelFilter(0.01), small = wkMakeVoxelFilter(2e-4);
    alone.voxel.hasCentroids = small.voxel.hasCentroids = true;
    const wkFilterStep lists[STEP_LISTS][3] = {
        {crop},        {outside},
        {crop, range}, {voxels},
        {centroids},   {range, wkMakeRadiusFilter(0.02, 3), centroids},
        {crop, small}, {outside, wkMakeStatisticalFilter(5, 1.0), voxels},
        {alone},
    };
    int32_t count = 0;
    for (; count < 3 && lists[k][count].type != wk_filterNone; count++) {
        steps[count] = lists[k][count];
    }
    return count;
}

static wkFilterResult runFrame(wkCloudFilter* filter, wkCloudView view, int list,
                               int32_t threadCount)
{
    wkFilterStep steps[3];
    wkParallel parallel = {.threadCount = threadCount};
    wkFilterRequest request = wkDefaultFilterRequest();
    request.points = view;
    request.stepCount = makeSteps(list, steps);
    request.steps = steps;
    request.parallel = &parallel;
    wkFilterResult result;
    assert_int_equal(wkCloudFilter_Run(filter, &request, &result), wk_ok);
    return result;
}

static void expectSame(const wkFilterResult* a, const wkFilterResult* b, const char* name)
{
    size_t kept = (size_t)a->keptCount;
    bool isSame = a->keptCount == b->keptCount && a->notFiniteCount == b->notFiniteCount &&
                  memcmp(a->marks, b->marks, COUNT) == 0 &&
                  memcmp(a->kept, b->kept, kept * sizeof(int32_t)) == 0 &&
                  memcmp(a->steps, b->steps, sizeof a->steps) == 0 &&
                  (a->centroids == NULL) == (b->centroids == NULL);
    isSame = isSame && (a->centroids == NULL ||
                        memcmp(a->centroids, b->centroids, kept * 3 * sizeof(float)) == 0);
    if (!isSame) {
        fail_msg("%s, instruction set %d: another result, %d and %d points kept", name,
                 atomic_load(&wkChosenIsa), (int)a->keptCount, (int)b->keptCount);
    }
}

// Runs a list of steps with all instruction sets, in all layouts of floats or in doubles, on one thread or on three.
static void compareRuns(frame* f, int list, bool isDouble)
{
    wkCloudFilter *first = NULL, *other = NULL;
    assert_int_equal(wkCloudFilter_Create(&first), wk_ok);
    assert_int_equal(wkCloudFilter_Create(&other), wk_ok);
    wkFilterResult expected = {0};
    for (int l = 0; l < LAYOUT_COUNT; l++) {
        wkCloudView view = viewOf(f, &layouts[l]);
        for (int isa = 0; isa < wk_isaCount && view.isDouble == isDouble; isa++) {
            if (!wkHasIsa((wkIsa)isa)) {
                continue;
            }
            atomic_store(&wkChosenIsa, isa);
            if (expected.pointCount == 0) {
                expected = runFrame(first, view, list, 1);
                assert_true(expected.keptCount > 100 && expected.keptCount < COUNT - 100);
            }
            wkFilterResult result = runFrame(other, view, list, 1 + isa % 2 * 2);
            expectSame(&expected, &result, layouts[l].name);
        }
    }
    wkCloudFilter_Destroy(first);
    wkCloudFilter_Destroy(other);
}

static void all_kernels_give_the_same_bytes(void** state)
{
    (void)state;
    int chosen = (int)wkGetIsa();
    frame* f = makeFrame();
    for (int list = 0; list < STEP_LISTS; list++) {
        compareRuns(f, list, false);
        compareRuns(f, list, true);
    }
    atomic_store(&wkChosenIsa, chosen);
    free(f);
    assert_int_equal(wkGetByteCount(), 0);
}

static void crops_are_plain_comparisons(void** state)
{
    (void)state;
    frame* f = makeFrame();
    wkCloudFilter* filter = NULL;
    assert_int_equal(wkCloudFilter_Create(&filter), wk_ok);
    for (int list = 0; list < 2; list++) {
        wkFilterResult result = runFrame(filter, viewOf(f, &layouts[1]), list, 1);
        int32_t kept = 0;
        for (int32_t i = 0; i < COUNT; i++) {
            const float* p = f->points[i];
            bool isFinite = isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
            bool isInside =
                p[0] >= -0.25f && p[0] <= 0.5f && p[1] <= 0.5f && p[2] >= 0.5f && p[2] <= 1.25f;
            int mark = isInside == (list == 0) ? wk_markKept : wk_markRemoved;
            assert_int_equal(result.marks[i], isFinite ? mark : wk_markNotFinite);
            if (isFinite && mark == wk_markKept) {
                assert_int_equal(result.kept[kept++], i);
            }
        }
        assert_int_equal(result.keptCount, kept);
    }
    wkCloudFilter_Destroy(filter);
    free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_kernels_give_the_same_bytes),
        cmocka_unit_test(crops_are_plain_comparisons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
