// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// How clouds are made: views of every layout, rounding, radii, thinning, threads.

#include "cloud_kit.h"

#define POINTS 3000

static void drawPoints(wkRng* rng, float* points, int32_t count)
{
    for (int32_t i = 0; i < 3 * count; i++) {
        points[i] = (float)wkRngRange(rng, -2.0, 2.0);
    }
}

// Every given point is in the cloud once, where it was given.
static void checkPoints(const wkCloud* cloud, const float* points, int32_t count)
{
    wkCloudInfo info = wkCloud_Info(cloud);
    assert_int_equal(info.pointCount, count);
    uint8_t* isFound = calloc((size_t)count + 1, 1);
    for (int32_t rank = 0; rank < count; rank++) {
        wkCloudPoint p = wkCloud_Point(cloud, rank);
        assert_true(p.index >= 0 && p.index < count && isFound[p.index] == 0);
        isFound[p.index] = 1;
        const float* given = points + 3 * (size_t)p.index;
        assert_true(p.position.x == (double)given[0] && p.position.y == (double)given[1] &&
                    p.position.z == (double)given[2]);
    }
    free(isFound);
}

// Every box holds the spheres below it, and every point is in a leaf.
static void checkHierarchy(const wkCloud* cloud)
{
    const wkBoxNode* nodes = wkCloudNodes(cloud);
    int32_t leafPoints = 0;
    for (int32_t n = 0; n < cloud->nodeCount; n++) {
        for (int slot = 0; slot < WK_TREE_WIDTH && nodes[n].links[slot] != WK_LINK_EMPTY; slot++) {
            wkLink link = nodes[n].links[slot];
            if (!wkIsLeaf(link)) {
                for (int axis = 0; axis < 3; axis++) {
                    for (int i = 0; i < WK_TREE_WIDTH; i++) {
                        if (nodes[link].links[i] != WK_LINK_EMPTY) {
                            assert_true(nodes[link].lower[axis][i] >= nodes[n].lower[axis][slot]);
                            assert_true(nodes[link].upper[axis][i] <= nodes[n].upper[axis][slot]);
                        }
                    }
                }
                continue;
            }
            leafPoints += wkLeafCount(link);
            for (int32_t i = wkLeafFirst(link); i < wkLeafFirst(link) + wkLeafCount(link); i++) {
                wkCloudPoint p = wkCloud_Point(cloud, i);
                const double position[3] = {p.position.x, p.position.y, p.position.z};
                for (int axis = 0; axis < 3; axis++) {
                    assert_true((double)nodes[n].lower[axis][slot] <= position[axis] - p.radius);
                    assert_true((double)nodes[n].upper[axis][slot] >= position[axis] + p.radius);
                }
            }
        }
    }
    assert_int_equal(leafPoints, cloud->pointCount);
}

static void all_points_are_in_the_cloud(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    static float points[3 * POINTS];
    const int32_t counts[] = {0, 1, 2, 7, 8, 9, 63, 64, 65, 511, 512, 513, POINTS};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        drawPoints(&rng, points, counts[i]);
        wkCloudDef def = cloudDefOf(points, counts[i]);
        def.radius = i % 2 == 0 ? 0.0 : 0.01;
        wkCloud* cloud = makeCloud(&def);
        checkPoints(cloud, points, counts[i]);
        checkHierarchy(cloud);
        assert_true(wkCloud_Info(cloud).rounding == 0.0);
        wkCloud_Destroy(cloud);
    }
}

// A line, a plane, a single position: no extent in some directions.
static void degenerate_clouds_are_built(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 1);
    static float points[3 * POINTS];
    for (int dimensions = 0; dimensions < 3; dimensions++) {
        drawPoints(&rng, points, POINTS);
        for (int32_t i = 0; i < POINTS; i++) {
            for (int axis = dimensions; axis < 3; axis++) {
                points[3 * i + axis] = 0.25f;
            }
        }
        wkCloudDef def = cloudDefOf(points, POINTS);
        wkCloud* cloud = makeCloud(&def);
        checkPoints(cloud, points, POINTS);
        checkHierarchy(cloud);
        wkCloud_Destroy(cloud);
    }
}

static void any_layout_is_read(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 2);
    static float points[3 * POINTS];
    static double doubles[3 * POINTS];
    static message messages[POINTS];
    drawPoints(&rng, points, POINTS);
    for (int32_t i = 0; i < POINTS; i++) {
        const float* p = points + 3 * (size_t)i;
        messages[i] = (message){.x = p[0], .y = p[1], .z = p[2], .radius = (float)i * 1e-4f};
        messages[i].deviation = (float)i * 1e-5f;
        messages[i].normal[2] = 1.0f;
        for (int axis = 0; axis < 3; axis++) {
            doubles[3 * i + axis] = (double)p[axis];
        }
    }
    wkCloudDef def = cloudDefOf(messages, POINTS);
    layoutOfMessage(&def);
    def.points.byteCount = sizeof messages;
    wkCloud* cloud = makeCloud(&def);
    checkPoints(cloud, points, POINTS);
    checkHierarchy(cloud);
    for (int32_t rank = 0; rank < POINTS; rank++) {
        wkCloudPoint p = wkCloud_Point(cloud, rank);
        assert_true(p.radius == (double)messages[p.index].radius);
        assert_true(p.deviation == (double)messages[p.index].deviation && p.normal.z == 1.0);
    }
    wkCloud_Destroy(cloud);

    def = cloudDefOf(doubles, POINTS);
    def.points.isDouble = true;
    cloud = makeCloud(&def);
    checkPoints(cloud, points, POINTS);
    wkCloud_Destroy(cloud);

    // backwards: the first point is the last of the array
    def = cloudDefOf(doubles + 3 * (POINTS - 1), POINTS);
    def.points.isDouble = true;
    def.points.stride = -3 * (int64_t)sizeof(double);
    cloud = makeCloud(&def);
    wkCloudPoint p = wkCloud_Point(cloud, 0);
    assert_true(p.position.x == doubles[3 * (POINTS - 1 - p.index)]);
    wkCloud_Destroy(cloud);
}

static void points_that_are_not_finite_are_left_out(void** state)
{
    (void)state;
    float points[] = {0.0f, 0.0f, 0.0f, NAN,  0.0f, 0.0f,      1.0f, 1.0f, 1.0f,
                      0.0f, NAN,  0.0f, 0.0f, 0.0f, -INFINITY, 2.0f, 0.0f, 0.0f};
    wkCloudDef def = cloudDefOf(points, 6);
    wkCloud* cloud = makeCloud(&def);
    wkCloudInfo info = wkCloud_Info(cloud);
    assert_int_equal(info.pointCount, 3);
    assert_int_equal(info.notFiniteCount, 3);
    for (int32_t rank = 0; rank < 3; rank++) {
        wkCloudPoint p = wkCloud_Point(cloud, rank);
        assert_true(p.position.x == (double)points[3 * p.index]);
    }
    wkCloud_Destroy(cloud);
    def = cloudDefOf(points + 3, 1);
    cloud = makeCloud(&def);
    assert_int_equal(wkCloud_Info(cloud).pointCount, 0);
    wkCloud_Destroy(cloud);
}

// Floats move points: their spheres contain where they were.
static void rounding_is_part_of_the_radius(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 3);
    static double points[3 * POINTS];
    wkVec3d middle = wkVec(4.5e5, 5.4e6, 512.0);
    for (int32_t i = 0; i < POINTS; i++) {
        points[3 * i] = middle.x + wkRngRange(&rng, -50.0, 50.0);
        points[3 * i + 1] = middle.y + wkRngRange(&rng, -50.0, 50.0);
        points[3 * i + 2] = middle.z + wkRngRange(&rng, -5.0, 5.0);
    }
    wkCloudDef def = cloudDefOf(points, POINTS);
    def.points.isDouble = true;
    expectRefused(&def, wk_errorRange, "set origin near the points");
    def.origin = middle;
    wkCloud* cloud = makeCloud(&def);
    wkCloudInfo info = wkCloud_Info(cloud);
    assert_true(info.rounding > 0.0 && info.rounding < 1e-5);
    for (int32_t rank = 0; rank < POINTS; rank++) {
        wkCloudPoint p = wkCloud_Point(cloud, rank);
        const double* given = points + 3 * (size_t)p.index;
        wkVec3d at = wkSub(wkVec(given[0], given[1], given[2]), middle);
        assert_true(wkLength(wkSub(at, p.position)) <= p.radius && p.radius == info.rounding);
    }
    wkCloud_Destroy(cloud);
}

// The sphere of a kept point contains the spheres of those that it stands for.
static void checkCovered(const wkCloud* cloud, const message* messages, int32_t count, double more)
{
    for (int32_t i = 0; i < count; i++) {
        wkVec3d at = wkVec((double)messages[i].x, (double)messages[i].y, (double)messages[i].z);
        bool isCovered = false;
        for (int32_t k = 0; k < wkCloud_Info(cloud).pointCount && !isCovered; k++) {
            wkCloudPoint p = wkCloud_Point(cloud, k);
            double reach = wkLength(wkSub(p.position, at)) + (double)messages[i].radius + more;
            isCovered = reach <= p.radius + 1e-12;
        }
        if (!isCovered) {
            fail_msg("point %d is in no sphere", (int)i);
        }
    }
}

static void thinning_frees_no_point(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 4);
    static message messages[POINTS];
    for (int32_t i = 0; i < POINTS; i++) {
        messages[i].x = (float)wkRngRange(&rng, -1.0, 1.0);
        messages[i].y = (float)wkRngRange(&rng, -1.0, 1.0);
        messages[i].z = i % 5 == 0 ? -0.0f : 0.0f;
        messages[i].radius = (float)wkRngRange(&rng, 0.0, 0.02);
        if (i % 3 == 0 && i > 0) { // at the position of another
            messages[i].x = messages[i - 1].x;
            messages[i].y = messages[i - 1].y;
        }
    }
    const double spacings[] = {0.0, 1e-6, 0.05, 0.3, 10.0};
    for (int k = 0; k < 5; k++) {
        wkCloudDef def = cloudDefOf(messages, POINTS);
        layoutOfMessage(&def);
        def.radius = 0.001;
        def.spacing = spacings[k];
        def.mergesDuplicates = true;
        wkCloud* cloud = makeCloud(&def);
        wkCloudInfo info = wkCloud_Info(cloud);
        assert_int_equal(info.pointCount + info.mergedCount, POINTS);
        assert_true(info.mergedCount >= POINTS / 3 - 1);
        assert_true(spacings[k] < 10.0 || info.pointCount <= 4);
        checkCovered(cloud, messages, POINTS, def.radius);
        checkHierarchy(cloud);
        wkCloud_Destroy(cloud);
    }
}

// Calls tasks from the last to the first.
static void runBackwards(wkTaskFcn* task, void* context, int32_t taskCount, void* host)
{
    (void)host;
    while (taskCount > 0) {
        task(context, --taskCount);
    }
}

static void expectSameBytes(const wkCloudDef* def, const wkCloud* expected)
{
    const wkParallel parallels[] = {{.threadCount = 2}, {.threadCount = 5}, {.run = runBackwards}};
    for (size_t i = 0; i < sizeof parallels / sizeof parallels[0]; i++) {
        wkCloudDef threaded = *def;
        threaded.parallel = &parallels[i];
        wkCloud* cloud = makeCloud(&threaded);
        assert_int_equal(wkCloud_Info(cloud).byteCount, wkCloud_Info(expected).byteCount);
        assert_memory_equal(wkCloud_Block(cloud), wkCloud_Block(expected),
                            wkCloud_Info(expected).byteCount);
        wkCloud_Destroy(cloud);
    }
}

// Several chunks of every loop, points that are not finite in all of them, and most points in a small region.
static void threads_make_the_same_bytes(void** state)
{
    (void)state;
    int32_t count = 3 * 32768 + 77;
    float(*points)[4] = malloc((size_t)count * sizeof *points);
    wkRng rng = wkMakeRng(UNIT_SEED + 9);
    for (int32_t i = 0; i < count; i++) {
        double size = i % 4 == 0 ? 2.0 : 1e-3;
        for (int k = 0; k < 3; k++) {
            points[i][k] = (float)wkRngRange(&rng, -size, size);
        }
        points[i][2] = i % 11 == 0 ? NAN : points[i][2];
        points[i][3] = (float)wkRngRange(&rng, 0.0, 0.01);
    }
    wkCloudDef def = cloudDefOf(points, count);
    def.points.stride = sizeof *points;
    for (int n = 0; n < 3; n++) {
        def.points.radiusOffset = n > 0 ? 12 : -1;
        def.spacing = n > 1 ? 0.05 : 0.0;
        wkCloud* cloud = makeCloud(&def);
        checkHierarchy(cloud);
        expectSameBytes(&def, cloud);
        wkCloud_Destroy(cloud);
    }
    free(points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_make_the_same_bytes),
        cmocka_unit_test(all_points_are_in_the_cloud),
        cmocka_unit_test(degenerate_clouds_are_built),
        cmocka_unit_test(any_layout_is_read),
        cmocka_unit_test(points_that_are_not_finite_are_left_out),
        cmocka_unit_test(rounding_is_part_of_the_radius),
        cmocka_unit_test(thinning_frees_no_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
