// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Maps that are made from maps: merged and resampled cells, copies, comparison, and iteration over unknown space.

#include "octree_kit.h"

static wkCellState stateAt(const wkOctree* octree)
{
    return wkOctree_CellAt(octree, middleKey()).state;
}

// One cell that was seen to be free does not make those around it free, however cells are merged.
static void unknown_cells_do_not_become_free_when_cells_are_merged(void** state)
{
    (void)state;
    wkOctree* octree = createMap(1.0);
    assert_int_equal(wkOctree_SetLogOdds(octree, middleKey(), 16, -1.0f), wk_ok);
    wkCellRequest filter = wkDefaultCellRequest();
    wkCell cell;
    for (int32_t depth = 0; depth < 16; ++depth) {
        assert_int_equal(wkOctree_FindCell(octree, wkMakeCellId(middleKey(), depth), &cell), wk_ok);
        assert_true(cell.state == wk_cellUnknown && cell.probability == 0.5);
        filter.maxDepth = depth;
        filter.mix = wk_mixUnknown;
        wkCellIterator iterator = wkOctree_Cells(octree, &filter);
        assert_false(wkCellIterator_Next(&iterator, &cell));
        filter.mix = wk_mixFree;
        iterator = wkOctree_Cells(octree, &filter);
        assert_true(wkCellIterator_Next(&iterator, &cell));
        assert_true(cell.state == wk_cellFree && cell.depth == depth);
    }
    for (int rule = 0; rule < 2; ++rule) {
        wkMixRule mix = rule == 0 ? wk_mixUnknown : wk_mixFree;
        wkCellState expected = rule == 0 ? wk_cellUnknown : wk_cellFree;
        wkOctree *coarse = NULL, *other = NULL;
        assert_int_equal(wkOctree_Coarsen(octree, 1, mix, &coarse), wk_ok);
        assert_int_equal(wkOctree_Resample(octree, 1.5, mix, &other), wk_ok);
        assert_int_equal(stateAt(coarse), expected);
        assert_int_equal(stateAt(other), expected);
        wkOctree_Destroy(coarse);
        wkOctree_Destroy(other);
    }
    wkOctree* none = NULL;
    assert_int_equal(wkOctree_Coarsen(octree, 1, (wkMixRule)2, &none), wk_errorRange);
    assert_int_equal(wkOctree_Resample(octree, 1.5, (wkMixRule)-1, &none), wk_errorRange);
    assert_null(none);

    // an occupied cell beside it decides everywhere
    wkCellKey next = {(uint16_t)(middleKey().x + 1), middleKey().y, middleKey().z};
    assert_int_equal(wkOctree_SetLogOdds(octree, next, 16, 1.0f), wk_ok);
    assert_int_equal(wkOctree_Coarsen(octree, 1, wk_mixUnknown, &none), wk_ok);
    assert_int_equal(stateAt(none), wk_cellOccupied);
    wkOctree_Destroy(none);
    assert_int_equal(wkOctree_Resample(octree, 1.5, wk_mixUnknown, &none), wk_ok);
    assert_int_equal(stateAt(none), wk_cellOccupied);
    wkOctree_Destroy(none);

    // thresholds and the short code keep what is unknown
    size_t leafCount = (size_t)wkOctree_Info(octree).leafCount;
    assert_int_equal(wkOctree_ToMaximumLikelihood(octree), wk_ok);
    assert_int_equal(wkOctree_Info(octree).leafCount, leafCount);
    unsigned char bytes[256];
    assert_true(wkOctree_Encode(octree, wk_octreeCodeShort, NULL).byteCount <= sizeof bytes);
    wkOctreeCodeInfo info = wkOctree_Encode(octree, wk_octreeCodeShort, bytes);
    assert_int_equal(wkOctree_Decode(NULL, wk_octreeCodeShort, bytes, info.byteCount, NULL, &none),
                     wk_ok);
    assert_int_equal(wkOctree_Info(none).leafCount, leafCount);
    wkOctree_Destroy(none);
    wkOctree_Destroy(octree);
    assert_int_equal(wkGetByteCount(), 0);
}

// A cell of the new map that reaches out of the old one holds space that nothing is known about.
static void cells_that_reach_beyond_the_old_map_are_unknown(void** state)
{
    (void)state;
    for (int side = 0; side < 2; ++side) {
        wkOctree *octree = createMap(1.0), *other = NULL;
        double end = side == 0 ? 32768.0 : -32768.0, inside = side == 0 ? -3.0 : 3.0;
        wkAabb box = {{fmin(end, end + inside), -9.0, -9.0}, {fmax(end, end + inside), 9.0, 9.0}};
        assert_int_equal(wkOctree_FillBox(octree, box, -1.0f), wk_ok);
        // cells of 3 m: the outermost one is two thirds within the old map
        for (int rule = 0; rule < 2; ++rule) {
            wkMixRule mix = rule == 0 ? wk_mixUnknown : wk_mixFree;
            assert_int_equal(wkOctree_Resample(octree, 3.0, mix, &other), wk_ok);
            wkVec3d last = {end + 0.1 * inside, 1.0, 1.0};
            wkCellKey key;
            assert_true(wkOctree_KeyAt(other, last, &key));
            assert_int_equal(wkOctree_CellAt(other, key).state,
                             rule == 0 ? wk_cellUnknown : wk_cellFree);
            wkOctree_Destroy(other);
        }
        wkOctree_Destroy(octree);
    }
    assert_int_equal(wkGetByteCount(), 0);
}

static void unknown_space_is_visited_in_the_largest_cubes(void** state)
{
    (void)state;
    wkOctree* octree = createMap(1.0);
    wkCellRequest filter = wkDefaultCellRequest();
    filter.wantsFree = filter.wantsOccupied = false;
    filter.wantsUnknown = true;
    wkCell cell;
    wkCellIterator iterator = wkOctree_Cells(octree, &filter);
    assert_true(wkCellIterator_Next(&iterator, &cell));
    assert_true(cell.depth == 0 && cell.state == wk_cellUnknown && cell.probability == 0.5);
    assert_false(wkCellIterator_Next(&iterator, &cell));
    assert_false(wkCellIterator_Next(&iterator, &cell));

    // one known cell: seven unknown neighbours on each of sixteen levels
    assert_int_equal(wkOctree_Observe(octree, middleKey(), true), wk_ok);
    double volume = 0.0;
    int count = 0;
    iterator = wkOctree_Cells(octree, &filter);
    while (wkCellIterator_Next(&iterator, &cell)) {
        volume += cell.size * cell.size * cell.size;
        ++count;
    }
    assert_int_equal(count, 16 * 7);
    assertNear(volume, ldexp(1.0, 48) - 1.0, 0.0);

    // in a box of two cells beside it: one cube
    filter.box = cubeOf(0.25, 0.75);
    filter.box.lower.x = 1.25;
    filter.box.upper.x = 1.75;
    iterator = wkOctree_Cells(octree, &filter);
    assert_true(wkCellIterator_Next(&iterator, &cell));
    assert_true(cell.depth == 16 && cell.key.x == 32769);
    assert_false(wkCellIterator_Next(&iterator, &cell));
    wkOctree_Destroy(octree);
}

static void copies_share_pages_until_one_is_changed(void** state)
{
    (void)state;
    wkOctree* octree = createMap(0.1);
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int i = 0; i < 20000; ++i) {
        wkCellKey key = {(uint16_t)(32768 + wkRngBelow(&rng, 64)),
                         (uint16_t)(32768 + wkRngBelow(&rng, 64)),
                         (uint16_t)(32768 + wkRngBelow(&rng, 64))};
        assert_int_equal(wkOctree_Observe(octree, key, wkRngChance(&rng, 2)), wk_ok);
    }
    size_t alone = wkGetByteCount();
    assert_int_equal(wkOctree_Info(octree).byteCount, alone);
    wkOctree* copy = NULL;
    assert_int_equal(wkOctree_Copy(octree, &copy), wk_ok);
    assert_true(wkGetByteCount() - alone < alone / 100);

    // one change takes the pages on its way, at most one for each level
    assert_int_equal(wkOctree_SetLogOdds(copy, middleKey(), 16, -1.5f), wk_ok);
    assert_true(wkGetByteCount() - alone < alone / 100 + 4 * sizeof(wkOctreePage));
    int sharedCount = 0;
    for (int32_t i = 0; i < octree->leaves.pageCount; ++i) {
        sharedCount += octree->leaves.pages[i] == copy->leaves.pages[i];
    }
    assert_true(sharedCount >= octree->leaves.pageCount - 2);
    assert_true(wkOctree_CellAt(copy, middleKey()).logOdds == -1.5f);
    assert_true(wkOctree_CellAt(octree, middleKey()).logOdds != -1.5f);
    wkOctree_Destroy(octree);
    assert_null(octreeTrouble(copy));
    wkOctree_Destroy(copy);
    assert_int_equal(wkGetByteCount(), 0);
}

static bool countChange(const wkCellChange* change, void* context)
{
    (void)change;
    return ++*(int*)context < 3;
}

static void comparing_stops_when_asked_to(void** state)
{
    (void)state;
    wkOctree *before = createMap(0.1), *after = createMap(0.1), *other = createMap(0.2);
    for (uint16_t i = 0; i < 10; ++i) {
        wkCellKey key = {i, i, i};
        assert_int_equal(wkOctree_Observe(after, key, true), wk_ok);
    }
    int count = 0;
    assert_int_equal(wkOctree_Compare(before, after, countChange, &count), wk_ok);
    assert_int_equal(count, 3);
    assert_int_equal(wkOctree_Compare(before, other, countChange, &count), wk_errorArgument);
    assert_int_equal(wkOctree_Compare(before, after, NULL, NULL), wk_errorArgument);
    wkOctree_Destroy(before);
    wkOctree_Destroy(after);
    wkOctree_Destroy(other);
}

static void another_threshold_is_a_change_of_state(void** state)
{
    (void)state;
    wkOctree *octree = createMap(0.1), *copy = NULL;
    assert_int_equal(wkOctree_SetLogOdds(octree, middleKey(), 16, 0.5f), wk_ok);
    assert_int_equal(wkOctree_Copy(octree, &copy), wk_ok);
    wkOctreeDef def = wkOctree_Def(octree);
    def.occupiedProbability = 0.7;
    assert_int_equal(wkOctree_SetDef(octree, &def), wk_ok);
    int count = 0;
    assert_int_equal(wkOctree_Compare(copy, octree, countChange, &count), wk_ok);
    assert_int_equal(count, 1);
    wkOctree_Destroy(octree);
    wkOctree_Destroy(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unknown_space_is_visited_in_the_largest_cubes),
        cmocka_unit_test(unknown_cells_do_not_become_free_when_cells_are_merged),
        cmocka_unit_test(cells_that_reach_beyond_the_old_map_are_unknown),
        cmocka_unit_test(copies_share_pages_until_one_is_changed),
        cmocka_unit_test(comparing_stops_when_asked_to),
        cmocka_unit_test(another_threshold_is_a_change_of_state),
    };
    return cmocka_run_group_tests_name("octree_derived", tests, NULL, NULL);
}
