// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Filters that decide all points together, voxels and outliers, against every pair of points.

#include "filter_kit.h"

#include "memory/fail_every.h"
#include "sense/filter/filter_impl.h"

#include <time.h>

// Points of a surface with noise, some far from it, some twice, and some not finite.
static void drawSurface(filterKit* kit, int32_t count, double scale)
{
    wkRng* rng = &kit->rng;
    kit->count = count;
    for (int32_t i = 0; i < count; i++) {
        double x = wkRngRange(rng, -1.0, 1.0), y = wkRngRange(rng, -1.0, 1.0);
        double z = 0.3 * sin(3.0 * x) + wkRngRange(rng, -0.01, 0.01) * (1.0 + x);
        wkVec3d p =
            wkScale(scale, wkVec(x, y, wkRngChance(rng, 20) ? wkRngRange(rng, -3.0, 3.0) : z));
        if (i > 0 && wkRngChance(rng, 25)) {
            p = kit->points[wkRngBelow(rng, i)];
        }
        p.y = i % 97 == 50 ? NAN : p.y;
        kit->points[i] = p;
    }
}

// Moves some points far away, which leaves the others in one cube of the curve, and puts many where a few are.
static void crowdPoints(filterKit* kit, uint64_t seed)
{
    const double far[] = {1.0, 1e6, 1e12};
    wkRng* rng = &kit->rng;
    for (int32_t i = 1; i < kit->count; i++) {
        if (wkRngChance(rng, seed % 2 == 0 ? 2 : 200)) {
            kit->points[i] = kit->points[wkRngBelow(rng, i < 5 ? i : 5)];
        }
        if (wkRngChance(rng, 150)) {
            kit->points[i] = wkScale(far[seed % 3], kit->points[i]);
        }
    }
}

// Squared distances in floats, as lanes and other libraries compute them.
static float squareOf(const filterKit* kit, int32_t a, int32_t b)
{
    volatile float x = (float)kit->points[a].x - (float)kit->points[b].x;
    volatile float y = (float)kit->points[a].y - (float)kit->points[b].y;
    volatile float z = (float)kit->points[a].z - (float)kit->points[b].z;
    volatile float xx = x * x, yy = y * y, zz = z * z, sum = xx + yy;
    return sum + zz;
}

static int compareFloats(const void* a, const void* b)
{
    float x = *(const float*)a, y = *(const float*)b;
    return (x > y) - (x < y);
}

// Mean distance to the nearest others, all of them sorted.
static float meanOf(const filterKit* kit, int32_t i, int32_t neighborCount)
{
    static float squares[KIT_MAX_POINTS];
    int32_t count = 0;
    for (int32_t k = 0; k < kit->count; k++) {
        if (k != i && isFinitePoint(kit->points[k])) {
            squares[count++] = squareOf(kit, i, k);
        }
    }
    qsort(squares, (size_t)count, sizeof *squares, compareFloats);
    int32_t used = count < neighborCount ? count : neighborCount;
    double sum = 0.0;
    for (int32_t k = 0; k < used; k++) {
        sum += sqrt((double)squares[k]);
    }
    return used > 0 ? (float)(sum / used) : 0.0f;
}

static void statistical_outliers_are_those_of_all_pairs(void** state)
{
    (void)state;
    const int32_t counts[] = {1, 2, 15, 16, 17, 200, 700};
    const int32_t neighborCounts[] = {1, 5, 20, 50, 300};
    for (uint64_t seed = 0; seed < WK_CASES(20); seed++) {
        filterKit* kit = makeFilterKit(UNIT_SEED + seed);
        drawSurface(kit, counts[seed % 7], seed % 4 == 0 ? 100.0 : 1.0);
        if (seed / 2 % 2 == 1) {
            crowdPoints(kit, seed);
        }
        layOutPoints(kit, (int)(seed % 3));
        int32_t neighborCount = neighborCounts[seed % 5];
        wkFilterStep step = wkMakeStatisticalFilter(neighborCount, seed % 2 == 0 ? 1.0 : 0.3);
        runFilter(kit, &step, 1);
        double sum = 0.0, squares = 0.0, finite = 0.0;
        static float means[KIT_MAX_POINTS];
        for (int32_t i = 0; i < kit->count; i++) {
            if (isFinitePoint(kit->points[i])) {
                means[i] = meanOf(kit, i, neighborCount);
                sum += (double)means[i];
                volatile float square = means[i] * means[i];
                squares += (double)square;
                finite += 1.0;
            }
        }
        double deviation = sqrt((squares - sum * sum / finite) / (finite - 1.0));
        double threshold = sum / finite + step.statistical.sigmas * deviation;
        for (int32_t i = 0; i < kit->count; i++) {
            if (isFinitePoint(kit->points[i])) {
                // within rounding of the threshold either is right
                bool isNear = fabs((double)means[i] - threshold) <= 1e-6 * threshold;
                bool isKept = kit->result.marks[i] == wk_markKept;
                assert_true(isNear || isKept == !((double)means[i] > threshold));
            }
        }
        // equal means: rounding may make the variance negative, and nothing is removed
        assert_int_equal(isnan(kit->result.steps[0].threshold), isnan(threshold));
        if (!isnan(threshold)) {
            assertNear(kit->result.steps[0].threshold, threshold, 1e-6 * threshold);
        }
        freeFilterKit(kit);
    }
}

static void lonely_points_are_those_of_all_pairs(void** state)
{
    (void)state;
    for (uint64_t seed = 0; seed < WK_CASES(20); seed++) {
        filterKit* kit = makeFilterKit(UNIT_SEED + 100 + seed);
        drawSurface(kit, (int32_t)(seed % 3 == 0 ? 40 + seed : 900), 1.0);
        if (seed / 2 % 2 == 1) {
            crowdPoints(kit, seed);
        }
        layOutPoints(kit, (int)(seed % 3));
        double radius = seed % 4 == 0 ? 0.02 : 0.1;
        int32_t neighborCount = 1 + (int32_t)(seed % 5) * 3;
        wkFilterStep step = wkMakeRadiusFilter(radius, neighborCount);
        runFilter(kit, &step, 1);
        for (int32_t i = 0; i < kit->count; i++) {
            int32_t within = 0;
            for (int32_t k = 0; isFinitePoint(kit->points[i]) && k < kit->count; k++) {
                bool isOther = k != i && isFinitePoint(kit->points[k]);
                within += isOther && (double)squareOf(kit, i, k) <= radius * radius;
            }
            if (isFinitePoint(kit->points[i])) {
                assert_int_equal(kit->result.marks[i] == wk_markKept, within >= neighborCount);
            }
        }
        freeFilterKit(kit);
    }
}

// Most points are equal, or in one cube of the curve because of a point far away: where searches visit all points of it, this takes
// minutes.
static void crowded_points_take_no_longer(void** state)
{
    (void)state;
    enum {
        count = 300000
    };
    const float far[] = {1.0f, 1e6f, 1e30f};
    filterKit* kit = makeFilterKit(UNIT_SEED);
    float* points = malloc(3 * (size_t)count * sizeof *points);
    clock_t begin = clock();
    for (int kind = 0; kind < 3; kind++) {
        for (int32_t i = 0; i < count; i++) {
            // half of them in a cube of a micrometre, equal or not
            double scale = i % 2 == 0 ? 1.0 : kind == 0 ? 0.0 : 1e-6;
            for (int axis = 0; axis < 3; axis++) {
                points[3 * i + axis] = (float)(scale * wkRngRange(&kit->rng, 0.0, 1.0));
            }
        }
        points[3 * 1000] = far[kind];
        const wkFilterStep steps[] = {wkMakeRadiusFilter(0.02, 5),
                                      wkMakeStatisticalFilter(20, 2.0)};
        kit->request.points = wkMakeCloudView(points, count);
        kit->request.steps = steps;
        kit->request.stepCount = 2;
        assert_int_equal(wkCloudFilter_Run(kit->filter, &kit->request, &kit->result), wk_ok);
        assert_true(kit->result.keptCount > count / 2);
    }
    assert_true((double)(clock() - begin) < 20.0 * CLOCKS_PER_SEC);
    free(points);
    freeFilterKit(kit);
}

// Voxel of a point, as floats have it.
static void voxelOf(const filterKit* kit, int32_t i, double size, float voxel[3])
{
    volatile float inverse = 1.0f / (float)size;
    volatile float x = (float)kit->points[i].x * inverse, y = (float)kit->points[i].y * inverse;
    volatile float z = (float)kit->points[i].z * inverse;
    voxel[0] = floorf(x);
    voxel[1] = floorf(y);
    voxel[2] = floorf(z);
}

static bool areInOneVoxel(const filterKit* kit, int32_t a, int32_t b, double size)
{
    float first[3], second[3];
    voxelOf(kit, a, size, first);
    voxelOf(kit, b, size, second);
    return first[0] == second[0] && first[1] == second[1] && first[2] == second[2];
}

// Of each voxel one point is kept, and what is removed is near it.
static void checkVoxels(const filterKit* kit, double size)
{
    double reach = kit->result.steps[0].reach;
    assert_true(reach >= sqrt(3.0) * size);
    for (int32_t i = 0; i < kit->count; i++) {
        int32_t keptCount = 0;
        double nearest = INFINITY;
        for (int32_t k = 0; k < kit->result.keptCount && isFinitePoint(kit->points[i]); k++) {
            int32_t kept = kit->result.kept[k];
            if (areInOneVoxel(kit, i, kept, size)) {
                keptCount++;
                nearest = wkMinD(nearest, wkLength(wkSub(kit->points[i], kit->points[kept])));
            }
        }
        if (isFinitePoint(kit->points[i])) {
            assert_int_equal(keptCount, 1);
            assert_true(nearest <= reach);
        }
    }
}

static void one_point_of_each_voxel_is_kept(void** state)
{
    (void)state;
    // the last sizes have too many voxels for numbers of 32 bits, or for any
    const double sizes[] = {0.05, 0.3, 3.0, 1e-4, 1e-12};
    for (uint64_t seed = 0; seed < WK_CASES(20); seed++) {
        filterKit* kit = makeFilterKit(UNIT_SEED + 200 + seed);
        drawSurface(kit, (int32_t)(seed % 4 == 0 ? 1 + seed : 600), seed % 3 == 0 ? 50.0 : 1.0);
        layOutPoints(kit, (int)(seed % 3));
        wkFilterStep step = wkMakeVoxelFilter(sizes[seed % 5]);
        runFilter(kit, &step, 1);
        checkVoxels(kit, sizes[seed % 5]);
        assert_null(kit->result.centroids);
        freeFilterKit(kit);
    }
}

static void centroids_are_those_of_the_points_of_a_voxel(void** state)
{
    (void)state;
    const double sizes[] = {0.1, 1.0, 1e-7};
    for (uint64_t seed = 0; seed < 3; seed++) {
        filterKit* kit = makeFilterKit(UNIT_SEED + 300 + seed);
        drawSurface(kit, 500, 1.0);
        layOutPoints(kit, 0);
        wkFilterStep step = wkMakeVoxelFilter(sizes[seed]);
        step.voxel.hasCentroids = true;
        runFilter(kit, &step, 1);
        checkVoxels(kit, sizes[seed]);
        for (int32_t k = 0; k < kit->result.keptCount; k++) {
            wkVec3d sum = wkVec(0.0, 0.0, 0.0);
            double count = 0.0;
            for (int32_t i = 0; i < kit->count; i++) {
                if (isFinitePoint(kit->points[i]) &&
                    areInOneVoxel(kit, i, kit->result.kept[k], sizes[seed])) {
                    sum = wkAdd(sum, kit->points[i]);
                    count += 1.0;
                }
            }
            const float* c = kit->result.centroids + 3 * (size_t)k;
            assertVecNear(wkVec((double)c[0], (double)c[1], (double)c[2]),
                          wkScale(1.0 / count, sum), 1e-5);
        }
        freeFilterKit(kit);
    }
}

// Points in few voxels of a size about zero and far from it, with coordinates of any exponent.
static void drawClusters(filterKit* kit, double size)
{
    kit->count = 3000;
    for (int32_t i = 0; i < kit->count; i++) {
        double p[3];
        for (int axis = 0; axis < 3; axis++) {
            double voxel =
                ldexp((double)(wkRngBelow(&kit->rng, 3) - 1), wkRngBelow(&kit->rng, 2) * 10);
            double within = wkRngRange(&kit->rng, 0.0, 1.0);
            within = wkRngChance(&kit->rng, 2) ? ldexp(within, -wkRngBelow(&kit->rng, 60)) : within;
            p[axis] = size * (voxel + within);
        }
        kit->points[i] = wkVec(p[0], p[1], p[2]);
    }
}

// By a table in one pass and in two, and by sorting.
static void centroids_do_not_depend_on_the_order_of_points(void** state)
{
    (void)state;
    const double sizes[] = {0.01, 3.0, 1e-6, 1e9};
    static wkVec3d kept[KIT_MAX_POINTS];
    static float before[3 * KIT_MAX_POINTS];
    for (int seed = 0; seed < 12; seed++) {
        filterKit* kit = makeFilterKit(UNIT_SEED + 900 + (uint64_t)seed);
        double size = sizes[seed % 4];
        drawClusters(kit, size);
        if (seed % 3 == 0) {
            kit->points[0] = wkVec(1e6 * size, 0.0, 0.0); // voxels are too far apart for a table
        }
        wkFilterStep step = wkMakeVoxelFilter(size);
        step.voxel.hasCentroids = true;
        layOutPoints(kit, 0);
        runFilter(kit, &step, 1);
        int32_t keptCount = kit->result.keptCount;
        for (int32_t k = 0; k < keptCount; k++) {
            kept[k] = kit->points[kit->result.kept[k]];
        }
        memcpy(before, kit->result.centroids, 3 * (size_t)keptCount * sizeof *before);
        for (int32_t i = kit->count - 1; i > 0; i--) {
            int32_t other = wkRngBelow(&kit->rng, i + 1);
            wkVec3d p = kit->points[i];
            kit->points[i] = kit->points[other];
            kit->points[other] = p;
        }
        layOutPoints(kit, 0);
        runFilter(kit, &step, 1);
        assert_int_equal(kit->result.keptCount, keptCount);
        for (int32_t k = 0; k < keptCount; k++) {
            kit->points[kit->count] = kept[k]; // behind the points
            int32_t same = 0;
            while (same < keptCount &&
                   !areInOneVoxel(kit, kit->count, kit->result.kept[same], size)) {
                same++;
            }
            assert_true(same < keptCount);
            assert_memory_equal(kit->result.centroids + 3 * (size_t)same, before + 3 * (size_t)k,
                                sizeof(float[3]));
        }
        freeFilterKit(kit);
    }
}

// A centroid between two floats, and many coordinates that are too small for the sum unless they are added first.
static void small_coordinates_count_alike_in_any_order(void** state)
{
    (void)state;
    enum {
        count = 1024
    };
    for (int k = 0; k < 4; k++) {
        filterKit* kit = makeFilterKit(UNIT_SEED);
        float found[2];
        for (int order = 0; order < 2; order++) {
            for (int32_t i = 0; i < count; i++) {
                double x = i == 0 ? 1.0 + 0x1p-23 : i == 1 ? 1.0 : 0x1p-54;
                kit->points[order == 0 ? i : count - 1 - i] = wkVec(x, 0.5, 0.5);
            }
            // by a table, or by sorting where voxels are too far apart
            kit->points[count] = wkVec(k < 2 ? 5.0 : 1e8, 0.5, 0.5);
            kit->count = count + 1;
            layOutPoints(kit, k % 2);
            wkFilterStep step = wkMakeVoxelFilter(4.0);
            step.voxel.hasCentroids = true;
            runFilter(kit, &step, 1);
            assert_int_equal(kit->result.keptCount, 2);
            found[order] = kit->result.centroids[0];
        }
        assert_memory_equal(&found[0], &found[1], sizeof found[0]);
        freeFilterKit(kit);
    }
}

// Numbers of voxels that differ by more than floats hold exactly: no voxel takes the key of another one.
static void voxels_far_from_each_other_stay_apart(void** state)
{
    (void)state;
    const double size = 1.0 / 1024.0;
    for (uint64_t seed = 0; seed < WK_CASES(40); seed++) {
        filterKit* kit = makeFilterKit(UNIT_SEED + 700 + seed);
        kit->count = 300;
        double far = ldexp(1.0, 23 + (int)(seed % 7));
        for (int32_t i = 0; i < kit->count; i++) {
            // voxels of the highest, lowest and smallest numbers along x, and of a few along y
            double ends[] = {far - 1.0, -far, 0.0, far - 4.0};
            double x = ends[wkRngBelow(&kit->rng, 4)] + wkRngBelow(&kit->rng, 5) - 3;
            double y = wkRngBelow(&kit->rng, 4) + 0.5, z = wkRngBelow(&kit->rng, 2) + 0.5;
            kit->points[i] = wkScale(size, wkVec(x, y, seed % 2 == 0 ? 0.0 : z));
        }
        layOutPoints(kit, (int)(seed % 3));
        wkFilterStep step = wkMakeVoxelFilter(size);
        step.voxel.hasCentroids = seed % 3 == 0;
        runFilter(kit, &step, 1);
        checkVoxels(kit, size);
        freeFilterKit(kit);
    }
}

// The same in a table, which has space for so many blocks where points are many. The memory of the filter was used before.
static void voxels_of_a_long_table_stay_apart(void** state)
{
    (void)state;
    enum {
        count = 1100000,
        cells = 1000
    };
    const double size = 1.0 / 1024.0;
    filterKit* kit = makeFilterKit(UNIT_SEED);
    float* points = malloc(3 * (size_t)count * sizeof *points);
    for (int32_t i = 0; i < 3 * count; i++) {
        points[i] = (float)wkRngRange(&kit->rng, 0.0, 100.0);
    }
    kit->request.points = wkMakeCloudView(points, count);
    wkFilterStep step = wkMakeVoxelFilter(0.2);
    kit->request.steps = &step;
    kit->request.stepCount = 1;
    step.voxel.hasCentroids = true;
    assert_int_equal(wkCloudFilter_Run(kit->filter, &kit->request, &kit->result), wk_ok);
    for (int32_t i = 0; i < count; i++) {
        points[3 * i] = (float)((i % cells + 0.5) * size);
        points[3 * i + 1] = points[3 * i + 2] = (float)(0.5 * size);
    }
    points[0] = (float)(-16777216.0 * size);
    points[3 * (count - 1)] = (float)(16777215.0 * size);
    step = wkMakeVoxelFilter(size);
    assert_int_equal(wkCloudFilter_Run(kit->filter, &kit->request, &kit->result), wk_ok);
    assert_int_equal(kit->result.keptCount, cells + 2);
    assert_int_equal(kit->result.marks[0], wk_markKept);
    assert_int_equal(kit->result.marks[count - 1], wk_markKept);
    free(points);
    freeFilterKit(kit);
}

// A million points in one voxel far from the origin, by a table, by sorting, and by digests: floats cannot hold their sum.
static void centroids_of_many_points_do_not_drift(void** state)
{
    (void)state;
    enum {
        count = 1000000
    };
    const float aside[] = {90.0f, 1e7f, 1e12f}; // the last point: of another voxel
    filterKit* kit = makeFilterKit(UNIT_SEED);
    float* points = malloc(3 * (size_t)count * sizeof *points);
    for (int kind = 0; kind < 3; kind++) {
        wkVec3d sum = wkVec(0.0, 0.0, 0.0);
        for (int32_t i = 0; i < count; i++) {
            float* p = points + 3 * (size_t)i;
            p[0] = 100.3f;
            p[1] = (float)(-7.0 + 0.25 * i / count);
            p[2] = 0.9f;
            if (i < count - 1) {
                sum = wkAdd(sum, wkVec((double)p[0], (double)p[1], (double)p[2]));
            } else {
                p[0] = p[1] = p[2] = aside[kind];
            }
        }
        wkFilterStep step = wkMakeVoxelFilter(1.0);
        step.voxel.hasCentroids = true;
        kit->request.points = wkMakeCloudView(points, count);
        kit->request.steps = &step;
        kit->request.stepCount = 1;
        assert_int_equal(wkCloudFilter_Run(kit->filter, &kit->request, &kit->result), wk_ok);
        assert_int_equal(kit->result.keptCount, 2);
        const float* c = kit->result.centroids;
        // half a unit in the last place of the largest coordinate
        assertVecNear(wkVec((double)c[0], (double)c[1], (double)c[2]),
                      wkScale(1.0 / (count - 1), sum), 100.3 * 0x1p-24);
        assert_true(c[3] == aside[kind] && c[4] == aside[kind] && c[5] == aside[kind]);
    }
    free(points);
    freeFilterKit(kit);
}

// Coordinates that no float holds, or whose voxel none does: what is removed is within reach, which may be infinite.
static void reach_holds_for_huge_coordinates(void** state)
{
    (void)state;
    const double coordinates[] = {0.0,  1.0,  1e22,  1e25, -1e25, 3e29,
                                  2e30, 5e30, -7e30, 1e37, 1e300};
    const int32_t counts[] = {10, 11}; // floats hold ten of them
    const double sizes[] = {1e-15, 1e-3, 1.0, 1e15};
    for (int k = 0; k < 8; k++) {
        filterKit* kit = makeFilterKit(UNIT_SEED);
        bool isDouble = k % 2 == 1;
        kit->count = counts[k % 2];
        for (int32_t i = 0; i < kit->count; i++) {
            kit->points[i] = wkVec(coordinates[i], 0.0, 0.0);
        }
        layOutPoints(kit, isDouble ? 3 : 0);
        wkFilterStep step = wkMakeVoxelFilter(sizes[k / 2]);
        runFilter(kit, &step, 1);
        for (int32_t i = 0; i < kit->count; i++) {
            double nearest = INFINITY;
            for (int32_t j = 0; j < kit->result.keptCount; j++) {
                wkVec3d from = wkSub(kit->points[i], kit->points[kit->result.kept[j]]);
                nearest = wkMinD(nearest, fabs(from.x));
            }
            assert_true(nearest <= kit->result.steps[0].reach);
        }
        freeFilterKit(kit);
    }
}

// All points at one position, on a line, far apart, and huge: answers come, and come soon.
static void degenerate_points_work(void** state)
{
    (void)state;
    const wkFilterStep steps[] = {wkMakeVoxelFilter(0.1), wkMakeStatisticalFilter(30, 1.0),
                                  wkMakeRadiusFilter(0.1, 3)};
    for (int kind = 0; kind < 5; kind++) {
        filterKit* kit = makeFilterKit(UNIT_SEED + 400);
        kit->count = KIT_MAX_POINTS;
        for (int32_t i = 0; i < kit->count; i++) {
            double t = (double)i / kit->count;
            const wkVec3d points[] = {{0.1, 0.2, 0.3},
                                      {t, 0.0, 0.0},
                                      {1e3 * i, 0.0, 5e4 * t},
                                      {i % 2 == 0 ? 1e37 : -1e37, 1e38 * t, 0.0},
                                      {0.0, 0.0, 0.0}};
            kit->points[i] = points[kind];
        }
        layOutPoints(kit, 0);
        for (int s = 0; s < 3; s++) {
            runFilter(kit, &steps[s], 1);
        }
        runFilter(kit, steps, 3);
        int32_t expected =
            kind == 0 || kind == 4 ? 0 : -1; // the only point of its voxel has no neighbours
        assert_true(expected < 0 || kit->result.keptCount == expected);
        kit->count = 0;
        layOutPoints(kit, 0);
        runFilter(kit, steps, 3);
        freeFilterKit(kit);
    }
}

static void equal_points_are_no_outliers(void** state)
{
    (void)state;
    filterKit* kit = makeFilterKit(UNIT_SEED);
    kit->count = 500;
    for (int32_t i = 0; i < kit->count; i++) {
        kit->points[i] = wkVec(0.1, 0.2, 0.3);
    }
    layOutPoints(kit, 0);
    wkFilterStep statistical = wkMakeStatisticalFilter(600, 0.0),
                 radius = wkMakeRadiusFilter(0.1, 499);
    runFilter(kit, &statistical, 1);
    assert_int_equal(kit->result.keptCount, 500);
    runFilter(kit, &radius, 1);
    assert_int_equal(kit->result.keptCount, 500);
    radius.radius.neighborCount = 500;
    runFilter(kit, &radius, 1);
    assert_int_equal(kit->result.keptCount, 0);
    freeFilterKit(kit);
}

// Tests before, between and after steps that decide all points together; marks of before stay.
static void steps_of_both_kinds_mix(void** state)
{
    (void)state;
    filterKit* kit = makeFilterKit(UNIT_SEED + 500);
    drawSurface(kit, KIT_MAX_POINTS, 1.0);
    layOutPoints(kit, 1);
    wkSphere3d sphere = {{0.5, 0.5, 0.2}, 0.3};
    wkAabb box = {wkVec(-1.0, -0.8, -1.0), wkVec(0.9, 0.9, 1.0)};
    wkFilterStep steps[] = {
        wkMakeSelfFilter((wkFilterRobot){.spheres = &sphere, .sphereCount = 1}, 0.0),
        wkMakeVoxelFilter(0.02),
        wkMakeBoxFilter(box, wkIdentityPose()),
        wkMakeStatisticalFilter(10, 1.0),
        wkMakeRadiusFilter(0.1, 20),
        wkMakeRangeFilter(wkVec(0.0, 0.0, 0.0), 0.1, 1.2),
    };
    steps[0].self.ownRule = wk_selfMark;
    for (int32_t threads = 1; threads <= 3; threads++) {
        wkParallel parallel = {.threadCount = threads};
        kit->request.parallel = &parallel;
        runFilter(kit, steps, 6);
        int32_t own = 0;
        for (int32_t i = 0; i < kit->count; i++) {
            own += kit->result.marks[i] == wk_markOwn;
        }
        assert_true(own > 0 && own <= kit->result.steps[0].ownCount);
        for (int32_t s = 1; s < 6; s++) {
            assert_true(kit->result.steps[s].removedCount > 0);
        }
        static uint8_t marks[KIT_MAX_POINTS];
        if (threads == 1) {
            memcpy(marks, kit->result.marks, sizeof marks);
        }
        assert_memory_equal(marks, kit->result.marks, sizeof marks);
    }
    freeFilterKit(kit);
}

static void bad_parameters_are_refused_by_name(void** state)
{
    (void)state;
    filterKit* kit = makeFilterKit(UNIT_SEED);
    kit->count = 2;
    layOutPoints(kit, 0);
    wkFilterStep step = wkMakeVoxelFilter(0.0);
    expectFilterRefused(kit, &step, 1, wk_errorRange, "voxel: size is 0");
    step.voxel.size = NAN;
    expectFilterRefused(kit, &step, 1, wk_errorNotFinite, "voxel: size");
    step.voxel.size = 1e16;
    expectFilterRefused(kit, &step, 1, wk_errorRange, "voxel: size");
    step = wkMakeStatisticalFilter(0, 1.0);
    expectFilterRefused(kit, &step, 1, wk_errorRange, "statistical: neighborCount is 0");
    step = wkMakeStatisticalFilter(1025, 1.0);
    expectFilterRefused(kit, &step, 1, wk_errorRange, "statistical: neighborCount is 1025");
    step = wkMakeStatisticalFilter(10, -1.0);
    expectFilterRefused(kit, &step, 1, wk_errorRange, "statistical: sigmas");
    step = wkMakeRadiusFilter(-0.1, 3);
    expectFilterRefused(kit, &step, 1, wk_errorRange, "radius: radius is -0.1");
    step = wkMakeRadiusFilter(0.1, 0);
    expectFilterRefused(kit, &step, 1, wk_errorRange, "radius: neighborCount is 0");
    wkFilterStep steps[] = {wkMakeVoxelFilter(0.1), wkMakeRadiusFilter(0.1, 3)};
    steps[0].voxel.hasCentroids = true;
    expectFilterRefused(kit, steps, 2, wk_errorArgument, "hasCentroids");
    freeFilterKit(kit);
}

static wkResult runOnce(void)
{
    static float points[3 * 300];
    for (int i = 0; i < 900; i++) {
        points[i] = (float)(i * 7919 % 1000) * 1e-3f;
    }
    wkSphere3d sphere = {{0.5, 0.5, 0.2}, 0.3};
    const wkFilterStep steps[] = {
        wkMakeSelfFilter((wkFilterRobot){.spheres = &sphere, .sphereCount = 1}, 0.0),
        wkMakeVoxelFilter(0.02), wkMakeStatisticalFilter(10, 1.0)};
    wkFilterRequest request = wkDefaultFilterRequest();
    request.points = wkMakeCloudView(points, 300);
    request.steps = steps;
    request.stepCount = 3;
    wkCloudFilter* filter = NULL;
    wkFilterResult answer;
    wkResult result = wkCloudFilter_Create(&filter);
    result = result == wk_ok ? wkCloudFilter_Run(filter, &request, &answer) : result;
    wkCloudFilter_Destroy(filter);
    return result;
}

static void every_allocation_may_fail(void** state)
{
    (void)state;
    assert_true(failEveryAllocation(runOnce) > 2);
}

// A filter whose memory could not grow works on.
static void runs_that_are_no_larger_allocate_nothing(void** state)
{
    (void)state;
    filterKit* kit = makeFilterKit(UNIT_SEED + 600);
    const wkFilterStep steps[] = {wkMakeVoxelFilter(0.02), wkMakeStatisticalFilter(10, 1.0),
                                  wkMakeRadiusFilter(0.1, 4)};
    drawSurface(kit, 3000, 1.0);
    layOutPoints(kit, 0);
    runFilter(kit, steps, 3);
    failing counted = {0, 0, 0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &counted};
    wkSetAllocator(&allocator);
    for (int32_t count = 3000; count > 0; count -= 500) {
        drawSurface(kit, count, 1.0);
        layOutPoints(kit, 0);
        runFilter(kit, steps, 3);
    }
    assert_int_equal(counted.callCount, 0);
    drawSurface(kit, 6000, 1.0);
    layOutPoints(kit, 0);
    wkFilterResult answer;
    assert_int_equal(wkCloudFilter_Run(kit->filter, &kit->request, &answer), wk_errorMemory);
    assert_int_equal(answer.keptCount, 0);
    wkSetAllocator(NULL);
    runFilter(kit, steps, 3);
    freeFilterKit(kit);
}

// A device computes the positions one by one.
static void positions_of_one_point_and_of_many_are_the_same(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int bits = 1; bits <= 16; bits++) {
        float axes[3][WK_POINT_BLOCK];
        uint64_t many[WK_POINT_BLOCK];
        wkCurveGrid grid = {
            .lower = {-1.0f, 0.0f, 2.0f}, .scale = (float)(1 << bits) / 3.0f, .bits = bits};
        for (int i = 0; i < 3 * WK_POINT_BLOCK; i++) {
            axes[i / WK_POINT_BLOCK][i % WK_POINT_BLOCK] = (float)wkRngRange(&rng, -2.0, 6.0);
        }
        wkNeighborLanesOfMachine()->curvePositions(&grid, axes[0], axes[1], axes[2], many);
        for (int i = 0; i < WK_POINT_BLOCK; i++) {
            const float point[3] = {axes[0][i], axes[1][i], axes[2][i]};
            assert_true(wkCurvePosition(&grid, point) == many[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statistical_outliers_are_those_of_all_pairs),
        cmocka_unit_test(lonely_points_are_those_of_all_pairs),
        cmocka_unit_test(crowded_points_take_no_longer),
        cmocka_unit_test(one_point_of_each_voxel_is_kept),
        cmocka_unit_test(positions_of_one_point_and_of_many_are_the_same),
        cmocka_unit_test(centroids_do_not_depend_on_the_order_of_points),
        cmocka_unit_test(small_coordinates_count_alike_in_any_order),
        cmocka_unit_test(voxels_far_from_each_other_stay_apart),
        cmocka_unit_test(voxels_of_a_long_table_stay_apart),
        cmocka_unit_test(centroids_are_those_of_the_points_of_a_voxel),
        cmocka_unit_test(centroids_of_many_points_do_not_drift),
        cmocka_unit_test(reach_holds_for_huge_coordinates),
        cmocka_unit_test(degenerate_points_work),
        cmocka_unit_test(equal_points_are_no_outliers),
        cmocka_unit_test(steps_of_both_kinds_mix),
        cmocka_unit_test(bad_parameters_are_refused_by_name),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(runs_that_are_no_larger_allocate_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
