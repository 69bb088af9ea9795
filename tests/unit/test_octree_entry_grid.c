// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The entry grid of a map: right after every single change, whatever the extent of the map, copied with
// it, and never written by a query.

#include "octree_check.h"
#include "scenes/maps.h"
#include "unit_kit.h"
#include "whisker/whisker.h"

#define ROUND_COUNT 60
#define WRITE_COUNT 400

static float someLogOdds(wkRng* rng)
{
    const float values[] = {NAN, -2.0f, -0.5f, 0.85f, 3.5f};
    return values[wkRngBelow(rng, 5)];
}

static uint16_t somewhere(wkRng* rng, int extent)
{
    return (uint16_t)(32768 - extent / 2 + wkRngBelow(rng, extent));
}

// Cells within an extent that grows and shrinks, so that the grid moves, rises and sinks.
static wkCellKey someKey(wkRng* rng, int extent)
{
    uint16_t x = somewhere(rng, extent);
    uint16_t y = somewhere(rng, extent);
    uint16_t z = somewhere(rng, extent);
    return (wkCellKey){x, y, z};
}

static void writeOnce(wkOctree* octree, wkRng* rng, int extent)
{
    wkCellKey key = someKey(rng, extent);
    float value = someLogOdds(rng);
    if (wkRngChance(rng, 3)) {
        bool isHit = wkRngChance(rng, 2);
        assert_int_equal(wkOctree_Observe(octree, key, isHit), wk_ok);
    } else if (wkRngChance(rng, 2)) {
        assert_int_equal(wkOctree_SetLogOdds(octree, key, WK_OCTREE_DEPTH, value), wk_ok);
    } else {
        int depth = wkRngChance(rng, 30) ? wkRngBelow(rng, WK_OCTREE_DEPTH + 1)
                                         : WK_OCTREE_DEPTH - wkRngBelow(rng, 5);
        assert_int_equal(wkOctree_SetLogOdds(octree, key, depth, value), wk_ok);
    }
}

static void expectGrid(const wkOctree* octree)
{
    wkOctree built = *octree;
    wkOctreeBuildEntryGrid(&built);
    assert_memory_equal(&octree->entryGrid, &built.entryGrid, sizeof built.entryGrid);
}

static void every_write_leaves_the_grid_of_the_cells(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    bool hasDepth[WK_OCTREE_DEPTH + 1] = {false};
    for (int round = 0; round < ROUND_COUNT; ++round) {
        wkOctree* octree = NULL;
        assert_int_equal(wkOctree_Create(NULL, &octree), wk_ok);
        expectGrid(octree);
        for (int i = 0; i < WRITE_COUNT; ++i) {
            int extent = 1 << (1 + (round + i / 100) % 15);
            writeOnce(octree, &rng, extent);
            expectGrid(octree);
            hasDepth[octree->entryGrid.depth] = true;
        }
        assert_null(octreeTrouble(octree));
        wkOctree* copy = NULL;
        assert_int_equal(wkOctree_Copy(octree, &copy), wk_ok);
        wkOctree_Clear(octree);
        expectGrid(octree);
        expectGrid(copy);
        wkOctree_Destroy(octree);
        wkOctree_Destroy(copy);
    }
    for (int depth = 0; depth <= WK_OCTREE_DEPTH; ++depth) {
        assert_true(hasDepth[depth]);
    }
}

static void cells_that_take_turns_leave_the_grid_as_it_was(void** state)
{
    (void)state;
    wkOctree* octree = NULL;
    assert_int_equal(wkOctree_Create(NULL, &octree), wk_ok);
    const wkCellKey near = {32768, 32768, 32768}, far = {100, 40000, 60000};
    assert_int_equal(wkOctree_SetLogOdds(octree, near, WK_OCTREE_DEPTH, 0.85f), wk_ok);
    assert_int_equal(octree->entryGrid.depth, WK_OCTREE_DEPTH);
    wkOctreeEntryGrid before = octree->entryGrid;
    for (int i = 0; i < 10; ++i) {
        assert_int_equal(wkOctree_SetLogOdds(octree, far, WK_OCTREE_DEPTH, 0.85f), wk_ok);
        expectGrid(octree);
        assert_true(octree->entryGrid.depth < 4);
        assert_int_equal(wkOctree_SetLogOdds(octree, far, WK_OCTREE_DEPTH, NAN), wk_ok);
        assert_memory_equal(&octree->entryGrid, &before, sizeof before);
    }
    wkOctree_Destroy(octree);
}

// All bytes of a map but those of its cells, which queries reach through pointers to const.
static void queries_write_nothing_to_a_map(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 1);
    wkShape sphere = wkMakeSphere(0.3);
    for (int kind = 0; kind < WK_MAP_KIND_COUNT; ++kind) {
        wkOctree* octree = wkMakeMap(kind, 0.1, wkRngNext(&rng));
        assert_non_null(octree);
        wkShape map = wkMakeOctree(octree);
        unsigned char before[sizeof *octree];
        memcpy(before, octree, sizeof before);
        for (int i = 0; i < 20; ++i) {
            wkPose pose = wkIdentityPose();
            pose.position.x = wkRngRange(&rng, -2.0, 2.0);
            (void)wkCollide(&map, wkIdentityPose(), &sphere, pose, NULL);
            (void)wkDistance(&map, wkIdentityPose(), &sphere, pose, NULL);
            (void)wkPenetration(&map, wkIdentityPose(), &sphere, pose);
            assert_memory_equal(octree, before, sizeof before);
        }
        wkOctree_Destroy(octree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_write_leaves_the_grid_of_the_cells),
        cmocka_unit_test(cells_that_take_turns_leave_the_grid_as_it_was),
        cmocka_unit_test(queries_write_nothing_to_a_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
