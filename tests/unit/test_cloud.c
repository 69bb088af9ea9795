// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// How clouds are made: views of every layout, rounding, radii, thinning, bad input and blocks.

#include "tree/cloud/cloud_impl.h"
#include "unit_kit.h"

#include "whisker/cloud.h"
#include "whisker/query.h"

#define POINTS 3000

static wkCloudDef defOf(const void* data, int64_t count)
{
    wkCloudDef def = wkDefaultCloudDef();
    def.points.data = data;
    def.points.count = count;
    return def;
}

static wkCloud* make(const wkCloudDef* def)
{
    wkCloud* cloud = NULL;
    wkResult result = wkCloud_Create(def, &cloud);
    if (result != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return cloud;
}

static void expectRefused(const wkCloudDef* def, wkResult expected, const char* words)
{
    wkCloud* cloud = NULL;
    wkResult result = wkCloud_Create(def, &cloud);
    if (result != expected || cloud != NULL || strstr(wkGetLastError(), words) == NULL) {
        fail_msg("expected \"%s\" and %d, found \"%s\" and %d", words, (int)expected,
                 wkGetLastError(), (int)result);
    }
}

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
        wkCloudDef def = defOf(points, counts[i]);
        def.radius = i % 2 == 0 ? 0.0 : 0.01;
        wkCloud* cloud = make(&def);
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
        wkCloudDef def = defOf(points, POINTS);
        wkCloud* cloud = make(&def);
        checkPoints(cloud, points, POINTS);
        checkHierarchy(cloud);
        wkCloud_Destroy(cloud);
    }
}

#pragma pack(push, 1)
typedef struct message {
    uint8_t before[3]; // so that nothing is aligned
    float z;
    float radius;
    float x;
    uint16_t between;
    float y;
    float deviation;
    float normal[3];
} message;
#pragma pack(pop)

static void layoutOfMessage(wkCloudDef* def)
{
    def->points.stride = sizeof(message);
    def->points.xOffset = offsetof(message, x);
    def->points.yOffset = offsetof(message, y);
    def->points.zOffset = offsetof(message, z);
    def->points.radiusOffset = offsetof(message, radius);
    def->points.deviationOffset = offsetof(message, deviation);
    def->points.normalOffset = offsetof(message, normal);
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
    wkCloudDef def = defOf(messages, POINTS);
    layoutOfMessage(&def);
    def.points.byteCount = sizeof messages;
    wkCloud* cloud = make(&def);
    checkPoints(cloud, points, POINTS);
    checkHierarchy(cloud);
    for (int32_t rank = 0; rank < POINTS; rank++) {
        wkCloudPoint p = wkCloud_Point(cloud, rank);
        assert_true(p.radius == (double)messages[p.index].radius);
        assert_true(p.deviation == (double)messages[p.index].deviation && p.normal.z == 1.0);
    }
    wkCloud_Destroy(cloud);

    def = defOf(doubles, POINTS);
    def.points.isDouble = true;
    cloud = make(&def);
    checkPoints(cloud, points, POINTS);
    wkCloud_Destroy(cloud);

    // backwards: the first point is the last of the array
    def = defOf(doubles + 3 * (POINTS - 1), POINTS);
    def.points.isDouble = true;
    def.points.stride = -3 * (int64_t)sizeof(double);
    cloud = make(&def);
    wkCloudPoint p = wkCloud_Point(cloud, 0);
    assert_true(p.position.x == doubles[3 * (POINTS - 1 - p.index)]);
    wkCloud_Destroy(cloud);
}

static void points_that_are_not_finite_are_left_out(void** state)
{
    (void)state;
    float points[] = {0.0f, 0.0f, 0.0f, NAN,  0.0f, 0.0f,      1.0f, 1.0f, 1.0f,
                      0.0f, NAN,  0.0f, 0.0f, 0.0f, -INFINITY, 2.0f, 0.0f, 0.0f};
    wkCloudDef def = defOf(points, 6);
    wkCloud* cloud = make(&def);
    wkCloudInfo info = wkCloud_Info(cloud);
    assert_int_equal(info.pointCount, 3);
    assert_int_equal(info.notFiniteCount, 3);
    for (int32_t rank = 0; rank < 3; rank++) {
        wkCloudPoint p = wkCloud_Point(cloud, rank);
        assert_true(p.position.x == (double)points[3 * p.index]);
    }
    wkCloud_Destroy(cloud);
    def = defOf(points + 3, 1);
    cloud = make(&def);
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
    wkCloudDef def = defOf(points, POINTS);
    def.points.isDouble = true;
    expectRefused(&def, wk_errorRange, "set origin near the points");
    def.origin = middle;
    wkCloud* cloud = make(&def);
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
        wkCloudDef def = defOf(messages, POINTS);
        layoutOfMessage(&def);
        def.radius = 0.001;
        def.spacing = spacings[k];
        def.mergesDuplicates = true;
        wkCloud* cloud = make(&def);
        wkCloudInfo info = wkCloud_Info(cloud);
        assert_int_equal(info.pointCount + info.mergedCount, POINTS);
        assert_true(info.mergedCount >= POINTS / 3 - 1);
        assert_true(spacings[k] < 10.0 || info.pointCount <= 4);
        checkCovered(cloud, messages, POINTS, def.radius);
        checkHierarchy(cloud);
        wkCloud_Destroy(cloud);
    }
}

static void bad_views_are_refused(void** state)
{
    (void)state;
    static float points[30];
    wkCloudDef def = defOf(points, 10);
    def.cookie = 0;
    expectRefused(&def, wk_errorArgument, "wkDefaultCloudDef");
    def = defOf(NULL, 10);
    expectRefused(&def, wk_errorArgument, "data is NULL");
    def = defOf(points, -1);
    expectRefused(&def, wk_errorRange, "count");
    def = defOf(points, INT64_MAX);
    expectRefused(&def, wk_errorRange, "count");
    def = defOf(points, 10);
    def.points.stride = 8;
    expectRefused(&def, wk_errorRange, "stride is 8");
    def.points.stride = -8;
    expectRefused(&def, wk_errorRange, "stride is -8");
    def = defOf(points, 10);
    def.points.byteCount = sizeof points - 1;
    expectRefused(&def, wk_errorRange, "byteCount");
    def.points.stride = -12;
    expectRefused(&def, wk_errorArgument, "negative stride");
    def = defOf(points, 10);
    def.points.xOffset = -1;
    expectRefused(&def, wk_errorRange, "xOffset");
    def = defOf(points, 10);
    def.points.zOffset = -2;
    expectRefused(&def, wk_errorRange, "zOffset");
    def = defOf(points, 10);
    def.points.xOffset = INT32_MAX;
    expectRefused(&def, wk_errorRange, "xOffset");
    def = defOf(points, 10);
    def.radius = -1.0;
    expectRefused(&def, wk_errorRange, "radius");
    def.radius = NAN;
    expectRefused(&def, wk_errorNotFinite, "radius");
    def = defOf(points, 10);
    def.spacing = 1e-9;
    expectRefused(&def, wk_errorRange, "spacing");
    def = defOf(points, 10);
    def.origin.y = INFINITY;
    expectRefused(&def, wk_errorNotFinite, "origin.y");
}

static void bad_radii_are_refused_by_point(void** state)
{
    (void)state;
    static message messages[10];
    wkCloudDef def = defOf(messages, 10);
    layoutOfMessage(&def);
    messages[7].radius = -1.0f;
    expectRefused(&def, wk_errorRange, "point 7: radius is -1");
    messages[7].radius = NAN;
    expectRefused(&def, wk_errorNotFinite, "point 7: radius");
    messages[7].radius = 1e20f;
    expectRefused(&def, wk_errorRange, "point 7: radius");
    messages[7].radius = 0.0f;
    messages[3].deviation = -0.5f;
    expectRefused(&def, wk_errorRange, "point 3: deviation");
    messages[3].x = NAN; // left out, and so is its deviation
    wkCloud_Destroy(make(&def));
    messages[5].y = 3e38f;
    expectRefused(&def, wk_errorRange, "point 5: y");
}

static wkCloud* cloudForBlocks(void)
{
    wkRng rng = wkMakeRng(UNIT_SEED + 5);
    static message messages[200];
    for (int32_t i = 0; i < 200; i++) {
        messages[i].x = (float)wkRngRange(&rng, -1.0, 1.0);
        messages[i].y = (float)wkRngRange(&rng, -1.0, 1.0);
    }
    wkCloudDef def = defOf(messages, 200);
    layoutOfMessage(&def);
    return make(&def);
}

static void blocks_load_and_map(void** state)
{
    (void)state;
    wkCloud* cloud = cloudForBlocks();
    wkCloudInfo info = wkCloud_Info(cloud);
    wkCloud* copy = NULL;
    assert_int_equal(wkCloud_FromBlock(wkCloud_Block(cloud), info.byteCount + 5, &copy), wk_ok);
    assert_memory_equal(wkCloud_Block(copy), wkCloud_Block(cloud), info.byteCount);
    const wkCloud* mapped = NULL;
    assert_int_equal(wkCloud_MapBlock(wkCloud_Block(copy), info.byteCount, &mapped), wk_ok);
    assert_ptr_equal(mapped, copy);
    assert_int_equal(wkCloud_MapBlock((const char*)copy + 1, info.byteCount, &mapped),
                     wk_errorArgument);
    assert_int_equal(wkCloud_MapBlock(NULL, 0, &mapped), wk_errorArgument);
    wkCloud_Destroy(copy);
    assert_int_equal(wkCloud_FromBlock(NULL, 0, &copy), wk_errorArgument);
    wkCloud_Destroy(cloud);
}

static void damaged_blocks_are_refused(void** state)
{
    (void)state;
    wkCloud* cloud = cloudForBlocks();
    size_t byteCount = wkCloud_Info(cloud).byteCount;
    char* bytes = malloc(byteCount);
    wkRng rng = wkMakeRng(UNIT_SEED + 6);
    for (int n = 0; n < 4000; n++) {
        memcpy(bytes, cloud, byteCount);
        size_t at = (size_t)wkRngBelow(&rng, (int)(n % 2 == 0 ? sizeof(wkCloud) : byteCount));
        bytes[at] = (char)(bytes[at] ^ (char)(1 << wkRngBelow(&rng, 8)));
        wkCloud* copy = NULL;
        assert_int_not_equal(wkCloud_FromBlock(bytes, byteCount, &copy), wk_ok);
        assert_null(copy);
        // with a checksum that fits it loads, or a check by content refuses it; no walk goes astray
        wkCloud* forged = (wkCloud*)bytes;
        if (forged->byteCount == byteCount) {
            wkSealCloud(forged);
            if (wkCloud_FromBlock(bytes, byteCount, &copy) == wk_ok) {
                wkShape shape = wkMakeCloud(copy), sphere = wkMakeSphere(0.2);
                wkDistance(&shape, wkIdentityPose(), &sphere, wkMakePose(0.5, 0.2, 0.1), NULL);
                wkCloud_Destroy(copy);
            }
        }
    }
    for (size_t length = 0; length < byteCount; length += 61) {
        wkCloud* copy = NULL;
        assert_int_not_equal(wkCloud_FromBlock(cloud, length, &copy), wk_ok);
        assert_null(copy);
    }
    free(bytes);
    wkCloud_Destroy(cloud);
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
        wkCloud* cloud = make(&threaded);
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
    wkCloudDef def = defOf(points, count);
    def.points.stride = sizeof *points;
    for (int n = 0; n < 3; n++) {
        def.points.radiusOffset = n > 0 ? 12 : -1;
        def.spacing = n > 1 ? 0.05 : 0.0;
        wkCloud* cloud = make(&def);
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
        cmocka_unit_test(bad_views_are_refused),
        cmocka_unit_test(bad_radii_are_refused_by_point),
        cmocka_unit_test(blocks_load_and_map),
        cmocka_unit_test(damaged_blocks_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
