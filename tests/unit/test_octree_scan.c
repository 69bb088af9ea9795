// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Scans against the plain way of taking them in: beam by beam, cell by cell, one observation each.
// tests/oracle compares the same numbers with OctoMap's own.

#include "octree_check.h"
#include "scenes/room_scene.h"
#include "tree/octree/octree_grid.h"
#include "unit_kit.h"
#include "whisker/whisker.h"

#define WIDTH 48
#define HEIGHT 36
#define POINT_COUNT (WIDTH * HEIGHT)

static float roomPoints[3 * POINT_COUNT];

static wkOctree* createMap(double resolution)
{
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = resolution;
    wkOctree* octree = NULL;
    assert_int_equal(wkOctree_Create(&def, &octree), wk_ok);
    return octree;
}

// What the camera sees from the n-th of several places.
static wkScan roomScan(int n)
{
    wkRoomScene room = wkMakeRoom();
    wkRoomView view = wkMakeRoomView();
    view.eye.x += 0.31 * n;
    view.eye.y -= 0.17 * n;
    view.yaw = 0.4 * n;
    view.width = WIDTH;
    view.height = HEIGHT;
    view.seed += (uint64_t)n;
    wkRoom_See(&room, &view, roomPoints);
    wkScan scan = wkDefaultScan();
    scan.points.points = roomPoints;
    scan.points.count = POINT_COUNT;
    scan.origin = view.eye;
    return scan;
}

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

static void assertSameCells(const wkOctree* a, const wkOctree* b)
{
    wkCellIterator cellsOfA = wkOctree_Cells(a, NULL), cellsOfB = wkOctree_Cells(b, NULL);
    wkCell cellOfA, cellOfB;
    while (wkCellIterator_Next(&cellsOfA, &cellOfA)) {
        assert_true(wkCellIterator_Next(&cellsOfB, &cellOfB));
        assert_true(cellOfA.id == cellOfB.id && cellOfA.logOdds == cellOfB.logOdds);
    }
    assert_false(wkCellIterator_Next(&cellsOfB, &cellOfB));
    assert_null(octreeTrouble(a));
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
        assert_true(oldCell.id == newCell.id && newCell.logOdds == 0.5f * oldCell.logOdds);
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
        cmocka_unit_test(scans_are_grid_rays_of_single_cells),
        cmocka_unit_test(lanes_cross_the_same_cells),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(bad_points_are_dropped_and_counted),
        cmocka_unit_test(scans_may_be_empty_or_crowded),
        cmocka_unit_test(cells_may_be_tiny_or_huge),
        cmocka_unit_test(grid_rays_without_length_end),
        cmocka_unit_test(points_may_lie_apart_in_memory),
        cmocka_unit_test(frames_put_scans_into_the_map),
        cmocka_unit_test(known_cells_fade),
        cmocka_unit_test(probabilities_are_running_averages),
        cmocka_unit_test(what_does_not_change_stays_shared),
        cmocka_unit_test(broken_scans_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
