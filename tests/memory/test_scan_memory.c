// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A scan that runs out of memory, whenever that is, leaves the map as it was.

#include "failing.h"
#include "kit.h"
#include "scenes/room_scene.h"

#include "whisker/whisker.h"

#define WIDTH 24
#define HEIGHT 18

static float points[2][3 * WIDTH * HEIGHT];

static wkScan viewScan(int n)
{
    wkRoomScene room = wkMakeRoom();
    wkRoomView view = wkMakeRoomView();
    view.width = WIDTH;
    view.height = HEIGHT;
    view.yaw = 0.5 * n;
    wkRoom_See(&room, &view, points[n]);
    wkScan scan = wkDefaultScan();
    scan.points.points = points[n];
    scan.points.count = WIDTH * HEIGHT;
    scan.origin = view.eye;
    return scan;
}

static void assertSameCells(const wkOctree* a, const wkOctree* b)
{
    wkCellIterator cellsOfA = wkOctree_Cells(a, NULL), cellsOfB = wkOctree_Cells(b, NULL);
    wkCell cellOfA, cellOfB;
    while (wkCellIterator_Next(&cellsOfA, &cellOfA)) {
        assert_true(wkCellIterator_Next(&cellsOfB, &cellOfB));
        assert_true(wkCellId_Equals(cellOfA.id, cellOfB.id) && cellOfA.logOdds == cellOfB.logOdds);
    }
    assert_false(wkCellIterator_Next(&cellsOfB, &cellOfB));
}

// A map with one scan in it, and the same once more by itself.
static void makeTwins(double resolution, wkOctree* twins[2])
{
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = resolution;
    wkScan scan = viewScan(0);
    for (int i = 0; i < 2; ++i) {
        assert_int_equal(wkOctree_Create(&def, &twins[i]), wk_ok);
        assert_int_equal(wkOctree_Insert(twins[i], &scan, NULL), wk_ok);
    }
}

// Fails at one call after the other until none is left. `isCopied`: pages are shared with a copy.
static void failEverywhere(double resolution, const wkScan* scans, int32_t count, bool isCopied)
{
    failing f = {.failAt = -1};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &f};
    wkSetAllocator(&allocator);
    wkOctree* twins[2] = {NULL, NULL};
    makeTwins(resolution, twins);
    wkOctree* copy = NULL;
    if (isCopied) {
        assert_int_equal(wkOctree_Copy(twins[0], &copy), wk_ok);
    }
    wkResult result = wk_errorMemory;
    for (long failAt = 0; result != wk_ok; ++failAt) {
        f.callCount = 0;
        f.failAt = failAt;
        result = wkOctree_InsertMany(twins[0], scans, count, NULL);
        f.failAt = -1;
        // every few, as the maps are walked as a whole
        if (result != wk_ok && (failAt < 16 || failAt % 16 == 0)) {
            assert_int_equal(result, wk_errorMemory);
            assertSameCells(twins[0], twins[1]);
        }
    }
    // nothing that failed has left a trace
    assert_int_equal(wkOctree_InsertMany(twins[1], scans, count, NULL), wk_ok);
    assertSameCells(twins[0], twins[1]);
    wkOctree_Destroy(twins[0]);
    wkOctree_Destroy(twins[1]);
    wkOctree_Destroy(copy);
    assert_int_equal(f.allocatedBytes, 0);
    wkSetAllocator(NULL);
}

static void scans_happen_whole_or_not_at_all(void** state)
{
    (void)state;
    // by grid, and by table
    static const double resolutions[] = {0.2, 0.08, 0.01};
    for (int test = 0; test < 6; ++test) {
        wkScan scan = viewScan(1);
        scan.points.count = test % 3 == 2 ? 12 : scan.points.count;
        failEverywhere(resolutions[test % 3], &scan, 1, test >= 3);
    }
}

static void several_scans_happen_all_or_none(void** state)
{
    (void)state;
    wkScan scans[2] = {viewScan(0), viewScan(1)};
    scans[1].decay = 0.7;
    scans[1].frame.position = wkSceneVec(0.2, 0.0, 0.0);
    failEverywhere(0.1, scans, 2, false);
    failEverywhere(0.1, scans, 2, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scans_happen_whole_or_not_at_all),
        cmocka_unit_test(several_scans_happen_all_or_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
