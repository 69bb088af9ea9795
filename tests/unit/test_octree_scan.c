// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Scans against the plain way of taking them in: ray by ray, cell by cell, one observation each.
// tests/oracle compares the same numbers with OctoMap's own.

#include "scan_kit.h"
#include "tree/octree/octree_grid.h"

// Cells by name, each with whether it was hit.
typedef struct cellList {
    int64_t* names;
    size_t count;
    size_t capacity;
} cellList;

static void addCell(cellList* list, const int32_t key[3], bool isHit)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity > 0 ? 2 * list->capacity : 1024;
        list->names = realloc(list->names, list->capacity * sizeof *list->names);
        assert_non_null(list->names);
    }
    wkCellKey cell = {(uint16_t)key[0], (uint16_t)key[1], (uint16_t)key[2]};
    // hits of a cell sort before its misses
    list->names[list->count++] = (int64_t)(wkMortonOfKey(cell) << 1) | !isHit;
}

static int byName(const void* a, const void* b)
{
    int64_t first = *(const int64_t*)a, second = *(const int64_t*)b;
    return (first > second) - (first < second);
}

static void addCrossed(cellList* list, const wkGridRaySource* source, wkGridRay* gridRay)
{
    int32_t key[3];
    memcpy(key, source->originKey, sizeof key);
    while (memcmp(key, gridRay->end, sizeof key) != 0) {
        addCell(list, key, false);
        int axis = wkStepGridRay(gridRay);
        key[axis] += gridRay->step[axis];
        if (wkIsBeyondEnd(gridRay)) {
            return;
        }
    }
}

static wkGridRaySource sourceOf(const wkOctree* octree, const wkScan* scan)
{
    wkGridRaySource source = {
        .resolution = octree->def.resolution,
        .cellsPerMetre = 1.0 / octree->def.resolution,
        .origin = {(float)scan->origin.x, (float)scan->origin.y, (float)scan->origin.z},
        .maxRange = scan->maxRange,
    };
    assert_true(wkKeyOfPoint(&source, source.origin, source.originKey));
    return source;
}

// A beam for every point; in the discrete mode all those of a cell are the same.
static void insertPlainly(wkOctree* octree, const wkScan* scan)
{
    wkGridRaySource source = sourceOf(octree, scan);
    cellList list = {NULL, 0, 0};
    for (int32_t i = 0; i < scan->points.count; ++i) {
        float end[3];
        int32_t key[3] = {0, 0, 0};
        wkGridRay gridRay;
        memcpy(end, &scan->points.points[3 * (size_t)i], sizeof end);
        assert_true(wkKeyOfPoint(&source, end, key));
        for (int axis = 0; axis < 3 && !scan->isExact; ++axis) {
            end[axis] = (float)wkMiddleOfKey(&source, key[axis]);
        }
        if (!wkCutGridRay(&source, end)) {
            addCell(&list, key, true);
        }
        if (!scan->keepsFree && wkStartGridRay(&source, end, &gridRay)) {
            addCrossed(&list, &source, &gridRay);
        }
    }
    if (list.count > 0) {
        qsort(list.names, list.count, sizeof *list.names, byName);
    }
    int64_t last = -1;
    for (size_t i = 0; i < list.count; ++i) {
        if (list.names[i] >> 1 != last) {
            last = list.names[i] >> 1;
            wkCellKey key = wkKeyOfMorton((uint64_t)last);
            assert_int_equal(wkOctree_Observe(octree, key, (list.names[i] & 1) == 0), wk_ok);
        }
    }
    free(list.names);
}

static void assertSameReports(const wkScanInfo* a, const wkScanInfo* b)
{
    assert_memory_equal(a, b, sizeof *a);
}

static void scans_are_grid_rays_of_single_cells(void** state)
{
    (void)state;
    // rooms of few cells are answered by a grid, those of many by a table
    static const double resolutions[] = {0.3, 0.05, 0.004};
    static const double ranges[] = {INFINITY, 2.0};
    for (int test = 0; test < 24; ++test) {
        double resolution = resolutions[test % 3];
        wkOctree* ours = createMap(resolution);
        wkOctree* plain = createMap(resolution);
        for (int n = 0; n < 3; ++n) {
            wkScan scan = roomScan(n);
            scan.maxRange = ranges[test / 3 % 2];
            scan.isExact = test / 6 % 2 == 1;
            scan.keepsFree = test / 12 == 1;
            // the fine room takes its time, cell by cell
            scan.points.count = resolution > 0.01 ? POINT_COUNT : POINT_COUNT / 16;
            wkScanInfo report;
            assert_int_equal(wkOctree_Insert(ours, &scan, &report), wk_ok);
            assert_int_equal(report.usedCount, scan.points.count);
            insertPlainly(plain, &scan);
            assertSameCells(ours, plain);
        }
        wkOctree_Destroy(ours);
        wkOctree_Destroy(plain);
    }
}

static void lanes_cross_the_same_cells(void** state)
{
    (void)state;
    wkOctree* octree = createMap(0.01);
    wkScan scan = wkDefaultScan();
    scan.origin = wkVec(0.123, 0.456, -0.321);
    wkGridRaySource source = sourceOf(octree, &scan);
    const int32_t lowest[3] = {32668, 32668, 32668}, highest[3] = {32868, 32868, 32868};
    wkScanGrid grid, expected;
    assert_true(wkMakeGrid(&grid, lowest, highest, 1 << 30));
    assert_true(wkMakeGrid(&expected, lowest, highest, 1 << 30));
    assert_false(wkMakeGrid(&(wkScanGrid){0}, lowest, highest, 1000));
    for (wkIsa isa = 0; isa < wk_isaCount; ++isa) {
        wkTraceGridRaysFcn* trace = wkTraceGridRaysOf(isa);
        wkRng rng = wkMakeRng(11);
        for (int pack = 0; trace != NULL && pack < 200; ++pack) {
            wkGridRayPack gridRays = wkEmptyPack(&grid, &source);
            cellList list = {NULL, 0, 0};
            for (int lane = 0; lane < WK_GRID_RAYS_PER_PACK; ++lane) {
                // some along an axis, some between two
                wkVec3d way = wkRngDirection(&rng);
                bool isFlat = wkRngChance(&rng, 3);
                float end[3] = {(float)(source.origin[0] + way.x * 0.9),
                                isFlat ? source.origin[1] : (float)(source.origin[1] + way.y * 0.5),
                                (float)(source.origin[2] + (isFlat ? way.x : way.z) * 0.6)};
                wkGridRay gridRay;
                if (!wkStartGridRay(&source, end, &gridRay)) {
                    --lane;
                    continue;
                }
                for (int axis = 0; axis < 3; ++axis) {
                    gridRays.next[axis][lane] = gridRay.next[axis];
                    gridRays.pace[axis][lane] = gridRay.pace[axis];
                    gridRays.stride[axis][lane] = gridRay.step[axis] * grid.stride[axis];
                }
                gridRays.length[lane] = gridRay.length;
                gridRays.end[lane] = wkGridCell(&grid, gridRay.end);
                addCrossed(&list, &source, &gridRay);
            }
            trace(&gridRays, grid.cells);
            for (size_t i = 0; i < list.count; ++i) {
                wkCellKey cell = wkKeyOfMorton((uint64_t)list.names[i] >> 1);
                const int32_t key[3] = {cell.x, cell.y, cell.z};
                expected.cells[wkGridCell(&expected, key)] = wk_gridCrossed;
            }
            free(list.names);
        }
        assert_memory_equal((void*)grid.cells, (void*)expected.cells, grid.byteCount);
    }
    wkFreeGrid(&grid);
    wkFreeGrid(&expected);
    wkOctree_Destroy(octree);
}

static void threads_change_nothing(void** state)
{
    (void)state;
    for (int test = 0; test < 2; ++test) {
        wkOctree* alone = createMap(0.03);
        wkOctree* together = createMap(0.03);
        wkParallel parallel = {.threadCount = 4};
        static float points[20 * 3 * POINT_COUNT];
        for (int n = 0; n < 20; ++n) {
            roomScan(n % 5);
            memcpy(&points[3 * (size_t)POINT_COUNT * (size_t)n], roomPoints, sizeof roomPoints);
        }
        wkScan scan = roomScan(0);
        scan.points.points = points;
        scan.points.count = 20 * POINT_COUNT;
        scan.isExact = test == 1;
        scan.maxRange = 3.0;
        wkScanInfo report, other;
        assert_int_equal(wkOctree_Insert(alone, &scan, &report), wk_ok);
        scan.parallel = &parallel;
        assert_int_equal(wkOctree_Insert(together, &scan, &other), wk_ok);
        assertSameReports(&report, &other);
        assertSameCells(alone, together);
        wkOctree_Destroy(alone);
        wkOctree_Destroy(together);
    }
}

// Two points whose difference has no length in floats lie in different cells.
static void grid_rays_without_length_end(void** state)
{
    (void)state;
    wkOctree* octree = createMap(0.1);
    wkScan scan = wkDefaultScan();
    const float points[] = {1e-40f, 1e-40f, 1e-40f};
    scan.points.points = points;
    scan.points.count = 1;
    scan.origin = wkVec(-1e-40, -1e-40, -1e-40);
    scan.isExact = true;
    wkScanInfo report;
    assert_int_equal(wkOctree_Insert(octree, &scan, &report), wk_ok);
    assert_int_equal(report.occupiedCount, 1);
    wkOctree_Destroy(octree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scans_are_grid_rays_of_single_cells),
        cmocka_unit_test(lanes_cross_the_same_cells),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(grid_rays_without_length_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
