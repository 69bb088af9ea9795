// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// What a scan may hold and how it is taken in: bad points, strides, frames, fading cells, running averages.

#include "scan_kit.h"

static wkScanInfo insertPoints(wkOctree* octree, const float* points, int32_t count, bool isExact)
{
    wkScan scan = wkDefaultScan();
    scan.points.points = points;
    scan.points.count = count;
    scan.isExact = isExact;
    wkScanInfo report;
    assert_int_equal(wkOctree_Insert(octree, &scan, &report), wk_ok);
    assert_null(octreeTrouble(octree));
    return report;
}

static void bad_points_are_dropped_and_counted(void** state)
{
    (void)state;
    const float points[][3] = {{1.05f, 0.01f, 0.01f}, {NAN, 0.0f, 0.0f},     {0.0f, INFINITY, 0.0f},
                               {0.0f, 0.0f, -1e9f},   {3276.9f, 0.0f, 0.0f}, {0.0f, 1e38f, 0.0f}};
    for (int isExact = 0; isExact < 2; ++isExact) {
        wkOctree* octree = createMap(0.1);
        wkScanInfo report = insertPoints(octree, &points[0][0], 6, isExact == 1);
        assert_int_equal(report.usedCount, 1);
        assert_int_equal(report.notFiniteCount, 2);
        assert_int_equal(report.outsideCount, 3);
        assert_int_equal(report.occupiedCount, 1);
        assert_int_equal(report.freeCount, 10);
        wkAabb bounds = wkOctree_Info(octree).bounds;
        assertNear(bounds.upper.x, 1.1, 1e-12);
        assertNear(bounds.lower.x, 0.0, 1e-12);

        // within a range, beams to far places are worth something
        wkScan scan = wkDefaultScan();
        scan.points.points = &points[3][0];
        scan.points.count = 2;
        scan.maxRange = 5.0;
        scan.isExact = isExact == 1;
        assert_int_equal(wkOctree_Insert(octree, &scan, &report), wk_ok);
        assert_int_equal(report.usedCount, 2);
        assert_int_equal(report.farCount, 2);
        assert_int_equal(report.outsideCount, 0);
        assert_int_equal(report.occupiedCount, 0);
        assert_in_range(report.freeCount, 98, 101);
        wkOctree_Destroy(octree);
    }
}

static void scans_may_be_empty_or_crowded(void** state)
{
    (void)state;
    wkOctree* octree = createMap(0.05);
    wkScanInfo none = insertPoints(octree, NULL, 0, false);
    assert_int_equal(none.usedCount + none.occupiedCount + none.freeCount, 0);
    assert_int_equal(wkOctree_Info(octree).leafCount, 0);

    // a million times the same point
    const int32_t count = 1000000;
    float* points = malloc(3 * (size_t)count * sizeof *points);
    assert_non_null(points);
    for (int32_t i = 0; i < count; ++i) {
        points[3 * i] = 1.01f;
        points[3 * i + 1] = 0.01f;
        points[3 * i + 2] = 0.01f;
    }
    wkScanInfo report = insertPoints(octree, points, count, false);
    assert_int_equal(report.usedCount, count);
    assert_int_equal(report.occupiedCount, 1);
    assert_int_equal(report.freeCount, 20);
    report = insertPoints(octree, points, 1000, true);
    assert_int_equal(report.occupiedCount, 1);
    assert_int_equal(report.freeCount, 20);
    free(points);

    // a sensor inside of what it sees
    const float inside[] = {0.01f, 0.02f, 0.03f};
    report = insertPoints(octree, inside, 1, false);
    assert_int_equal(report.occupiedCount, 1);
    assert_int_equal(report.freeCount, 0);
    wkOctree_Destroy(octree);
}

static void cells_may_be_tiny_or_huge(void** state)
{
    (void)state;
    static const double resolutions[] = {1e-6, 1e-3, 1e3, 1e6};
    for (int i = 0; i < 4; ++i) {
        double size = resolutions[i];
        wkOctree* octree = createMap(size);
        const float points[] = {
            (float)(30000.5 * size),  (float)(0.5 * size),     (float)(0.5 * size),
            (float)(10.5 * size),     (float)(-20.5 * size),   (float)(3.5 * size),
            (float)(-32767.5 * size), (float)(32767.5 * size), (float)(0.5 * size)};
        wkScanInfo report = insertPoints(octree, points, 3, i % 2 == 0);
        assert_int_equal(report.usedCount, 3);
        assert_int_equal(report.occupiedCount, 3);
        assert_in_range(report.freeCount, 60000, 100000);
        wkOctree_Destroy(octree);
    }
}

static void points_may_lie_apart_in_memory(void** state)
{
    (void)state;
    static float spread[5 * POINT_COUNT];
    wkOctree* a = createMap(0.05);
    wkOctree* b = createMap(0.05);
    wkScan scan = roomScan(0);
    for (int i = 0; i < POINT_COUNT; ++i) {
        memcpy(&spread[5 * i], &roomPoints[3 * i], 3 * sizeof(float));
        spread[5 * i + 3] = NAN;
    }
    assert_int_equal(wkOctree_Insert(a, &scan, NULL), wk_ok);
    scan.points.points = spread;
    scan.points.stride = 20;
    assert_int_equal(wkOctree_Insert(b, &scan, NULL), wk_ok);
    assertSameCells(a, b);
    wkOctree_Destroy(a);
    wkOctree_Destroy(b);
}

// A quarter turn and a shift by whole cells move the map by keys.
static void frames_put_scans_into_the_map(void** state)
{
    (void)state;
    wkOctree* octree = createMap(0.5);
    const float points[] = {3.2f, 0.3f, 0.3f};
    wkScan scan = wkDefaultScan();
    scan.points.points = points;
    scan.points.count = 1;
    scan.origin = wkVec(0.3, 0.3, 0.3);
    scan.frame.position = wkVec(10.0, -4.0, 2.0);
    scan.frame.rotation = (wkQuat){0.0, 0.0, 5.0, 5.0}; // about z, of any length
    wkScanInfo report;
    assert_int_equal(wkOctree_Insert(octree, &scan, &report), wk_ok);
    assert_int_equal(report.freeCount, 6);
    wkCellKey key = {0, 0, 0};
    assert_true(wkOctree_KeyAt(octree, wkVec(9.7, -0.8, 2.3), &key));
    assert_int_equal(wkOctree_CellAt(octree, key).state, wk_cellOccupied);
    assert_true(wkOctree_KeyAt(octree, wkVec(9.7, -3.7, 2.3), &key));
    assert_int_equal(wkOctree_CellAt(octree, key).state, wk_cellFree);
    wkOctree_Destroy(octree);
}

static void known_cells_fade(void** state)
{
    (void)state;
    wkOctree* octree = createMap(0.05);
    wkScan scan = roomScan(0);
    assert_int_equal(wkOctree_Insert(octree, &scan, NULL), wk_ok);
    wkOctree* before = NULL;
    assert_int_equal(wkOctree_Copy(octree, &before), wk_ok);
    wkScan empty = wkDefaultScan();
    empty.decay = 0.5;
    assert_int_equal(wkOctree_Insert(octree, &empty, NULL), wk_ok);
    assert_null(octreeTrouble(octree));
    wkCellIterator old = wkOctree_Cells(before, NULL), new = wkOctree_Cells(octree, NULL);
    wkCell oldCell, newCell;
    while (wkCellIterator_Next(&old, &oldCell)) {
        assert_true(wkCellIterator_Next(&new, &newCell));
        assert_true(wkCellId_Equals(oldCell.id, newCell.id) &&
                    newCell.logOdds == 0.5f * oldCell.logOdds);
    }
    empty.decay = 0.0;
    assert_int_equal(wkOctree_Insert(octree, &empty, NULL), wk_ok);
    assert_null(octreeTrouble(octree));
    wkCellIterator all = wkOctree_Cells(octree, NULL);
    while (wkCellIterator_Next(&all, &newCell)) {
        assert_true(newCell.logOdds == 0.0f);
    }
    wkOctree_Destroy(octree);
    wkOctree_Destroy(before);
}

static void probabilities_are_running_averages(void** state)
{
    (void)state;
    wkOctree* octree = createMap(0.1);
    const float points[] = {1.05f, 0.05f, 0.05f};
    wkScan scan = wkDefaultScan();
    scan.points.points = points;
    scan.points.count = 1;
    scan.averageWeight = 0.25;
    double hit = 0.5, crossed = 0.5;
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(wkOctree_Insert(octree, &scan, NULL), wk_ok);
        hit = 0.75 * hit + 0.25;
        crossed = 0.75 * crossed;
        wkCellKey key = {32778, 32768, 32768};
        assertNear(wkOctree_CellAt(octree, key).probability, hit, 1e-6);
        key.x = 32770;
        assertNear(wkOctree_CellAt(octree, key).probability, crossed, 1e-6);
    }
    for (int i = 0; i < 50; ++i) {
        assert_int_equal(wkOctree_Insert(octree, &scan, NULL), wk_ok);
    }
    wkCellKey key = {32778, 32768, 32768};
    assert_true(wkOctree_CellAt(octree, key).logOdds == octree->highest);
    key.x = 32770;
    assert_true(wkOctree_CellAt(octree, key).logOdds == octree->lowest);
    wkOctree_Destroy(octree);
}

// Where all cells are at their limits, nothing is written and nothing copied.
static void what_does_not_change_stays_shared(void** state)
{
    (void)state;
    wkOctree* octree = createMap(0.1);
    wkScan scan = roomScan(0);
    for (int i = 0; i < 12; ++i) {
        assert_int_equal(wkOctree_Insert(octree, &scan, NULL), wk_ok);
    }
    wkOctree* copy = NULL;
    assert_int_equal(wkOctree_Copy(octree, &copy), wk_ok);
    uint64_t version = wkOctree_Info(octree).version;
    size_t before = wkGetByteCount();
    assert_int_equal(wkOctree_Insert(octree, &scan, NULL), wk_ok);
    assert_int_equal(wkGetByteCount(), before);
    assert_int_equal(wkOctree_Info(octree).version, version);
    wkOctree_Destroy(octree);
    wkOctree_Destroy(copy);
}

static void expectRefused(const wkScan* scan, wkResult expected, const char* words)
{
    wkOctree* octree = createMap(0.1);
    wkOctree* empty = createMap(0.1);
    const wkScan scans[] = {roomScan(0), *scan};
    assert_int_equal(wkOctree_InsertMany(octree, scans, 2, NULL), expected);
    if (strstr(wkGetLastError(), words) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", wkGetLastError(), words);
    }
    // all or none
    assertSameCells(octree, empty);
    wkOctree_Destroy(octree);
    wkOctree_Destroy(empty);
}

static void broken_scans_are_refused(void** state)
{
    (void)state;
    wkScan scan = wkDefaultScan();
    scan.cookie = 0;
    expectRefused(&scan, wk_errorArgument, "wkDefaultScan");
    scan = wkDefaultScan();
    scan.points.count = 1;
    expectRefused(&scan, wk_errorArgument, "points");
    scan = wkDefaultScan();
    scan.points.stride = 10;
    expectRefused(&scan, wk_errorRange, "stride");
    scan = wkDefaultScan();
    scan.origin.y = NAN;
    expectRefused(&scan, wk_errorNotFinite, "origin.y");
    scan = wkDefaultScan();
    scan.origin.y = 1e6;
    expectRefused(&scan, wk_errorRange, "outside the map");
    scan = wkDefaultScan();
    scan.frame.position.z = -INFINITY;
    expectRefused(&scan, wk_errorNotFinite, "frame.position.z");
    scan = wkDefaultScan();
    scan.frame.rotation.w = 0.0;
    expectRefused(&scan, wk_errorRange, "frame.rotation");
    scan = wkDefaultScan();
    scan.maxRange = 0.0;
    expectRefused(&scan, wk_errorRange, "maxRange");
    scan = wkDefaultScan();
    scan.decay = 1.5;
    expectRefused(&scan, wk_errorRange, "decay");
    scan = wkDefaultScan();
    scan.averageWeight = -0.1;
    expectRefused(&scan, wk_errorRange, "averageWeight");
    scan = wkDefaultScan();
    assert_int_equal(wkOctree_Insert(NULL, &scan, NULL), wk_errorArgument);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_points_are_dropped_and_counted),
        cmocka_unit_test(scans_may_be_empty_or_crowded),
        cmocka_unit_test(cells_may_be_tiny_or_huge),
        cmocka_unit_test(points_may_lie_apart_in_memory),
        cmocka_unit_test(frames_put_scans_into_the_map),
        cmocka_unit_test(known_cells_fade),
        cmocka_unit_test(probabilities_are_running_averages),
        cmocka_unit_test(what_does_not_change_stays_shared),
        cmocka_unit_test(broken_scans_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
