// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// How points are read and ordered when a cloud is made. No answer depends on the order, so that nothing but these tests
// would notice a poor one: leaves of eight points must be small.

#include "unit_kit.h"

#include "whisker/cloud.h"
#include "whisker/query.h"

#include <float.h>

#define LEAF 8

// Makes the cloud of points of three floats each that are `stride` bytes apart.
static wkCloud* makeCloud(const void* data, int32_t count, int64_t stride)
{
    wkCloudDef def = wkDefaultCloudDef();
    def.points.data = data;
    def.points.count = count;
    def.points.stride = stride;
    def.allowsEmpty = true;
    wkCloud* cloud = NULL;
    if (wkCloud_Create(&def, &cloud) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return cloud;
}

// Checks that every finite point is in the cloud once, where it was given.
static void checkPoints(const wkCloud* cloud, const float* points, int32_t count)
{
    uint8_t* isFound = calloc((size_t)count + 1, 1);
    wkCloudInfo info = wkCloud_Info(cloud);
    int32_t finiteCount = 0;
    for (int32_t i = 0; i < count; i++) {
        const float* p = points + 3 * (size_t)i;
        finiteCount += isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]) ? 1 : 0;
    }
    assert_int_equal(info.pointCount, finiteCount);
    assert_int_equal(info.notFiniteCount, count - finiteCount);
    for (int32_t rank = 0; rank < info.pointCount; rank++) {
        wkCloudPoint p = wkCloud_Point(cloud, rank);
        assert_true(p.index >= 0 && p.index < count && isFound[p.index] == 0);
        isFound[p.index] = 1;
        const float* given = points + 3 * (size_t)p.index;
        assert_true(p.position.x == (double)given[0] && p.position.y == (double)given[1] &&
                    p.position.z == (double)given[2]);
    }
    free(isFound);
}

// The mean length of the diagonals of the boxes around leaves.
static double meanLeafSize(const wkCloud* cloud)
{
    int32_t count = wkCloud_Info(cloud).pointCount / LEAF;
    double sum = 0.0;
    for (int32_t leaf = 0; leaf < count; leaf++) {
        double lower[3] = {DBL_MAX, DBL_MAX, DBL_MAX}, upper[3] = {-DBL_MAX, -DBL_MAX, -DBL_MAX};
        for (int i = 0; i < LEAF; i++) {
            wkVec3d p = wkCloud_Point(cloud, leaf * LEAF + i).position;
            const double position[3] = {p.x, p.y, p.z};
            for (int axis = 0; axis < 3; axis++) {
                lower[axis] = fmin(lower[axis], position[axis]);
                upper[axis] = fmax(upper[axis], position[axis]);
            }
        }
        sum += hypot(hypot(upper[0] - lower[0], upper[1] - lower[1]), upper[2] - lower[2]);
    }
    return sum / count;
}

// Memory ends with the last coordinate of the last point, at sizes around those of blocks of points.
static void nothing_behind_the_points_is_read(void** state)
{
    (void)state;
    static const int32_t counts[] = {1, 7, 8, 9, 63, 64, 65, 127, 128, 129, 1000};
    static const size_t strides[] = {12, 13, 16, 32};
    wkRng rng = wkMakeRng(41);
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        float points[3 * 1000];
        for (int32_t i = 0; i < 3 * counts[c]; i++) {
            points[i] = (float)wkRngRange(&rng, -1.0, 1.0);
        }
        for (size_t s = 0; s < sizeof strides / sizeof *strides; s++) {
            char* bytes = malloc((size_t)(counts[c] - 1) * strides[s] + 12);
            for (int32_t i = 0; i < counts[c]; i++) {
                memcpy(bytes + (size_t)i * strides[s], points + 3 * (size_t)i, 12);
            }
            wkCloud* cloud = makeCloud(bytes, counts[c], (int64_t)strides[s]);
            checkPoints(cloud, points, counts[c]);
            wkCloud_Destroy(cloud);
            free(bytes);
        }
    }
}

// Kinds of points whose numbers in a bucket differ widely.
typedef enum pointKind {
    kindUniform,
    kindEqual,
    kindFarOne, // all but one within a millimetre, and that one 100 m away
    kindDense,  // clusters of every size
    kindCount,
} pointKind;

static void drawPoint(wkRng* rng, pointKind kind, int32_t index, float point[3])
{
    double size = kind == kindUniform ? 1.0 : kind == kindEqual ? 0.0 : 5e-4;
    double center = kind == kindFarOne && index == 77 ? 100.0 : 0.3;
    if (kind == kindDense) {
        int level = wkRngBelow(rng, 12);
        size = pow(0.5, 2 * level);
        center = 0.1 * level;
    }
    for (int axis = 0; axis < 3; axis++) {
        point[axis] = (float)(center + wkRngRange(rng, -size, size));
    }
}

// Every kind at sizes around those of a task, and with holes of every share.
static void every_finite_point_is_in_the_order_once(void** state)
{
    (void)state;
    static const int32_t counts[] = {33, 513, 4097, 32767, 32769, 70000};
    static const double shares[] = {0.0, 0.02, 0.5, 0.98, 1.0};
    float* points = malloc(3 * 70000 * sizeof *points);
    wkRng rng = wkMakeRng(42);
    for (int kind = 0; kind < kindCount; kind++) {
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            double share = shares[(c + (size_t)kind) % (sizeof shares / sizeof *shares)];
            for (int32_t i = 0; i < counts[c]; i++) {
                float* point = points + 3 * (size_t)i;
                drawPoint(&rng, (pointKind)kind, i, point);
                if (wkRngRange(&rng, 0.0, 1.0) < share) {
                    point[i % 3] = i % 2 == 0 ? NAN : -INFINITY;
                }
            }
            wkCloud* cloud = makeCloud(points, counts[c], 0);
            checkPoints(cloud, points, counts[c]);
            wkCloud_Destroy(cloud);
        }
    }
    free(points);
}

// Fails where a sphere about one of the finite points is free.
static void checkFound(const wkCloud* cloud, const float* points, int32_t count)
{
    wkShape shape = wkMakeCloud(cloud), probe = wkMakeSphere(1e-3);
    for (int32_t i = 0; i < count; i++) {
        const float* p = points + 3 * (size_t)i;
        wkPose pose = wkMakePose((double)p[0], (double)p[1], (double)p[2]);
        if (isfinite(p[0]) && !wkCollide(&probe, pose, &shape, wkIdentityPose(), NULL).isTouching) {
            fail_msg("point %d (%.9g %.9g %.9g) is not found", (int)i, (double)p[0], (double)p[1],
                     (double)p[2]);
        }
    }
}

// Positions and indices fill all 64 bits of an entry from 2^21 points on: so few finite ones take no bits off for buckets.
static void few_finite_points_of_many_are_found(void** state)
{
    (void)state;
    enum {
        count = 1 << 21
    };
    static const int32_t finiteCounts[] = {1, 2, 100, 255, 256};
    float* points = malloc(3 * (size_t)count * sizeof *points);
    wkRng rng = wkMakeRng(45);
    for (size_t c = 0; c < sizeof finiteCounts / sizeof *finiteCounts; c++) {
        for (size_t i = 0; i < 3 * (size_t)count; i++) {
            points[i] = NAN;
        }
        for (int32_t i = 0; i < finiteCounts[c]; i++) {
            size_t index = (size_t)(count - 1) - (size_t)i * (count / 256);
            for (int axis = 0; axis < 3; axis++) {
                points[3 * index + (size_t)axis] = (float)wkRngRange(&rng, -1.0, 1.0);
            }
        }
        wkCloud* cloud = makeCloud(points, count, 0);
        checkPoints(cloud, points, count);
        checkFound(cloud, points, count);
        wkCloud_Destroy(cloud);
    }
    free(points);
}

// The stride of a single point leads nowhere, and no pointer is made of it: UndefinedBehaviorSanitizer would see it.
static void a_single_point_may_have_any_stride(void** state)
{
    (void)state;
    static const int64_t strides[] = {INT64_MIN, -1, 1, INT64_MAX - 12};
    const float point[] = {1.0f, 2.0f, 3.0f};
    for (size_t s = 0; s < sizeof strides / sizeof *strides; s++) {
        wkCloud* cloud = makeCloud(point, 1, strides[s]);
        checkPoints(cloud, point, 1);
        wkCloud_Destroy(cloud);
    }
}

// Points of a plane in the order of rows, and in no order: leaves are about three points wide.
static void leaves_are_small(void** state)
{
    (void)state;
    enum {
        edge = 256
    };
    float* points = malloc(3 * edge * edge * sizeof *points);
    wkRng rng = wkMakeRng(43);
    for (int isShuffled = 0; isShuffled < 2; isShuffled++) {
        for (int i = 0; i < edge * edge; i++) {
            float* point = points + 3 * (size_t)i;
            int row = i / edge, column = i % edge;
            point[0] = (float)column;
            point[1] = (float)row;
            point[2] = 0.2f * (point[0] + point[1]);
        }
        for (int i = edge * edge - 1; i > 0 && isShuffled != 0; i--) {
            int other = wkRngBelow(&rng, i + 1);
            float kept[3];
            memcpy(kept, points + 3 * (size_t)i, sizeof kept);
            memcpy(points + 3 * (size_t)i, points + 3 * (size_t)other, sizeof kept);
            memcpy(points + 3 * (size_t)other, kept, sizeof kept);
        }
        wkCloud* cloud = makeCloud(points, edge * edge, 0);
        double size = meanLeafSize(cloud);
        if (size > 4.2) {
            fail_msg("leaves are %g points wide", size);
        }
        wkCloud_Destroy(cloud);
    }
    free(points);
}

// Leaves are as small where an outlier makes the grid of cubes coarse.
static void leaves_are_small_beside_an_outlier(void** state)
{
    (void)state;
    enum {
        count = 20000
    };
    float* points = malloc(3 * count * sizeof *points);
    wkRng rng = wkMakeRng(44);
    for (int32_t i = 0; i < 3 * count; i++) {
        points[i] = (float)wkRngRange(&rng, 0.0, 1.0);
    }
    wkCloud* alone = makeCloud(points, count, 0);
    double size = meanLeafSize(alone);
    wkCloud_Destroy(alone);
    points[0] = 10.0f;
    wkCloud* beside = makeCloud(points, count, 0);
    double sizeBeside = meanLeafSize(beside);
    wkCloud_Destroy(beside);
    free(points);
    if (sizeBeside > 1.2 * size) {
        fail_msg("leaves of %g m become %g m wide", size, sizeBeside);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_behind_the_points_is_read),
        cmocka_unit_test(every_finite_point_is_in_the_order_once),
        cmocka_unit_test(few_finite_points_of_many_are_found),
        cmocka_unit_test(a_single_point_may_have_any_stride),
        cmocka_unit_test(leaves_are_small),
        cmocka_unit_test(leaves_are_small_beside_an_outlier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
