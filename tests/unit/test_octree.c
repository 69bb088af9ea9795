// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Maps: numbers one can check by hand, names of cells, boxes that fill cells, and what is refused.

#include "octree_kit.h"

static void expectWords(const char* words)
{
    if (strstr(wkGetLastError(), words) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", wkGetLastError(), words);
    }
}

static void evidence_adds_up_and_stops_at_the_limits(void** state)
{
    (void)state;
    wkOctree* octree = createMap(0.05);
    // log(0.7 / 0.3), log(0.4 / 0.6), and the two limits, as floats
    assert_true(octree->hit == 0.847297847f && octree->miss == -0.405465096f);
    assert_true(octree->lowest == -2.00002789f && octree->highest == 3.51103067f);
    assert_true(octree->occupied == 0.0f);
    float expected = 0.0f;
    for (int i = 0; i < 8; ++i) {
        bool isHit = i < 5;
        assert_int_equal(wkOctree_Observe(octree, middleKey(), isHit), wk_ok);
        expected += isHit ? octree->hit : octree->miss;
        expected = expected > octree->highest ? octree->highest : expected;
        assert_true(wkOctree_CellAt(octree, middleKey()).logOdds == expected);
    }
    for (int i = 0; i < 20; ++i) {
        assert_int_equal(wkOctree_Observe(octree, middleKey(), false), wk_ok);
    }
    wkCell cell = wkOctree_CellAt(octree, middleKey());
    assert_int_equal(cell.state, wk_cellFree);
    assertNear(cell.probability, 0.1192, 1e-7);
    assert_int_equal(cell.depth, 16);
    wkOctree_Destroy(octree);
}

static void cells_have_positions_and_ids(void** state)
{
    (void)state;
    wkOctree* octree = createMap(0.5);
    wkCellKey key = {0, 0, 0};
    assert_true(wkOctree_KeyAt(octree, wkVec(0.25, -0.25, 1.0), &key));
    assert_int_equal(key.x, 32768);
    assert_int_equal(key.y, 32767);
    assert_int_equal(key.z, 32770);
    assert_int_equal(wkOctree_SetLogOdds(octree, key, 16, 1.0f), wk_ok);
    wkCell cell = wkOctree_CellAt(octree, key);
    assertVecNear(cell.center, wkVec(0.25, -0.25, 1.25), 0.0);
    assertNear(cell.size, 0.5, 0.0);
    assert_true(wkCellId_Equals(cell.id, wkMakeCellId(key, 16)));
    assert_int_equal(wkCellId_ToBits(cell.id) & 31, 16 + 1);

    // the first child of the root that holds nothing, and the root as a whole
    wkCellKey far = {1, 2, 3};
    cell = wkOctree_CellAt(octree, far);
    assert_true(cell.state == wk_cellUnknown && cell.depth == 1 && wkCellId_ToBits(cell.id) == 2);
    assertVecNear(cell.center, wkVec(-8192.0, -8192.0, -8192.0), 0.0);
    assertNear(cell.size, 16384.0, 0.0);
    assert_int_equal(wkOctree_FindCell(octree, wkMakeCellId(far, 0), &cell), wk_ok);
    assert_true(cell.depth == 0 && cell.logOdds == 1.0f && cell.state == wk_cellOccupied);
    wkOctree_Destroy(octree);
}

static void points_outside_have_no_key(void** state)
{
    (void)state;
    wkOctree* octree = createMap(1.0);
    const double ends[] = {-32768.0, 32767.999};
    const double beyond[] = {-32768.0001, 32768.0, 1e300, -1e300, INFINITY, -INFINITY, NAN};
    wkCellKey key;
    for (int i = 0; i < 2; ++i) {
        assert_true(wkOctree_KeyAt(octree, wkVec(ends[i], ends[i], ends[i]), &key));
        assert_int_equal(key.z, i == 0 ? 0 : 65535);
    }
    for (int i = 0; i < 21; ++i) {
        double p[3] = {0.0, 0.0, 0.0};
        p[i % 3] = beyond[i / 3];
        assert_false(wkOctree_KeyAt(octree, wkVec(p[0], p[1], p[2]), &key));
    }
    wkOctree_Destroy(octree);
}

static void ids_of_no_cell_are_refused(void** state)
{
    (void)state;
    wkOctree* octree = createMap(1.0);
    const int64_t wrong[] = {0,  -1,         18, 31, INT64_MAX, INT64_MIN, (int64_t)1 << 53,
                             32, 32 * 7 + 16};
    wkCell cell;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        assert_int_equal(wkOctree_FindCell(octree, wkCellId_FromBits(wrong[i]), &cell),
                         wk_errorRange);
        expectWords("not the id of a cell");
    }
    wkCellId last = wkCellId_FromBits(((int64_t)1 << 53) - 32 + 16 + 1);
    assert_int_equal(wkOctree_FindCell(octree, last, &cell), wk_ok);
    wkOctree_Destroy(octree);
}

static void eight_alike_cells_become_one(void** state)
{
    (void)state;
    wkOctree* octree = createMap(1.0);
    for (int i = 0; i < 64; ++i) {
        wkCellKey key = {(uint16_t)(32768 + i % 4), (uint16_t)(32768 + i / 4 % 4),
                         (uint16_t)(32768 + i / 16)};
        assert_int_equal(wkOctree_Observe(octree, key, true), wk_ok);
    }
    wkOctreeInfo stats = wkOctree_Info(octree);
    assert_true(stats.leafCount == 1 && stats.occupiedCount == 1 && stats.innerCount == 14);
    assert_int_equal(wkOctree_CellAt(octree, middleKey()).depth, 14);
    assertVecNear(stats.bounds.lower, wkVec(0.0, 0.0, 0.0), 0.0);
    assertVecNear(stats.bounds.upper, wkVec(4.0, 4.0, 4.0), 0.0);
    assert_true(octree->leaves.pages[0] == NULL);

    // and come apart again
    assert_int_equal(wkOctree_Observe(octree, middleKey(), false), wk_ok);
    assert_int_equal(wkOctree_Info(octree).leafCount, 15);
    assert_null(octreeTrouble(octree));
    wkOctree_Destroy(octree);
    assert_int_equal(wkGetByteCount(), 0);
}

static void bounds_are_multiples_of_cells_despite_rounding(void** state)
{
    (void)state;
    for (int k = 1; k < 2000; ++k) {
        wkOctree* octree = createMap(0.05);
        wkCellKey lowest, highest;
        wkAabb box = cubeOf(-(k / 20.0), k / 20.0);
        assert_true(wkOctreeKeyRange(octree, box, &lowest, &highest));
        assert_int_equal(lowest.x, 32768 - k);
        assert_int_equal(highest.z, 32768 + k - 1);
        wkOctree_Destroy(octree);
    }
}

static void boxes_fill_the_cells_they_reach_into(void** state)
{
    (void)state;
    const struct {
        double lower, upper;
        int64_t along; // cells
    } rows[] = {{0.0, 1.0, 2},      {0.0, 1.01, 3},   {-0.01, 1.0, 3}, {0.1, 0.2, 1},
                {0.5, 0.5, 1},      {0.3, 0.3, 1},    {1.0, 0.0, 0},   {0.25, 0.75, 2},
                {-1e9, 0.0, 20000}, {40000.0, 1e9, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        wkOctree* octree = createMap(0.5);
        assert_int_equal(wkOctree_FillBox(octree, cubeOf(rows[i].lower, rows[i].upper), 1.0f),
                         wk_ok);
        wkOctreeInfo stats = wkOctree_Info(octree);
        if (rows[i].along == 0) {
            assert_int_equal(stats.leafCount, 0);
        } else if (rows[i].along < 10) {
            assertNear(stats.bounds.upper.x - stats.bounds.lower.x, 0.5 * (double)rows[i].along, 0);
        } else {
            assertVecNear(stats.bounds.lower, wkVec(-16384.0, -16384.0, -16384.0), 0.0);
        }
        wkOctree_Destroy(octree);
    }
    assert_int_equal(wkGetByteCount(), 0);
}

static void all_of_space_is_one_cell(void** state)
{
    (void)state;
    wkOctree* octree = createMap(1e6);
    wkAabb all = cubeOf(-INFINITY, INFINITY);
    assert_int_equal(wkOctree_FillBox(octree, all, -1.0f), wk_ok);
    assert_true(octree->rootLink == 0 && octree->rootValue == -1.0f);
    assert_int_equal(wkOctree_Info(octree).byteCount, sizeof(wkOctree));
    assert_int_equal(wkOctree_SetLogOdds(octree, middleKey(), 16, 1.0f), wk_ok);
    assert_int_equal(wkOctree_Info(octree).leafCount, 16 * 7 + 1);
    assert_int_equal(wkOctree_SetLogOdds(octree, middleKey(), 0, NAN), wk_ok);
    assert_int_equal(wkOctree_Info(octree).leafCount, 0);
    wkOctree_Destroy(octree);

    // the whole of a map is eight cubes of a coarser one
    octree = createMap(1e-3);
    assert_int_equal(wkOctree_FillBox(octree, all, 1.0f), wk_ok);
    for (int32_t levels = 1; levels <= 16; ++levels) {
        wkOctree* coarse = NULL;
        assert_int_equal(wkOctree_Coarsen(octree, levels, wk_mixUnknown, &coarse), wk_ok);
        wkOctreeInfo stats = wkOctree_Info(coarse);
        double half = fmax(32.768, ldexp(1e-3, levels));
        assert_int_equal(stats.leafCount, 8);
        assertVecNear(stats.bounds.upper, wkVec(half, half, half), 1e-12);
        assertVecNear(stats.bounds.lower, wkVec(-half, -half, -half), 1e-12);
        wkOctree_Destroy(coarse);
    }
    wkOctree_Destroy(octree);
    assert_int_equal(wkGetByteCount(), 0);
}

// A field of the definition and a value it must not have.
static void bad_parameters_are_refused_by_name(void** state)
{
    (void)state;
    const struct {
        size_t field;
        double value;
        wkResult result;
        const char* words;
    } rows[] = {
        {offsetof(wkOctreeDef, resolution), 0.0, wk_errorRange, "resolution"},
        {offsetof(wkOctreeDef, resolution), 1.1e6, wk_errorRange, "resolution"},
        {offsetof(wkOctreeDef, resolution), -0.05, wk_errorRange, "resolution"},
        {offsetof(wkOctreeDef, resolution), NAN, wk_errorNotFinite, "resolution"},
        {offsetof(wkOctreeDef, hitProbability), 0.5, wk_errorRange, "hitProbability"},
        {offsetof(wkOctreeDef, hitProbability), 1.0, wk_errorRange, "hitProbability"},
        {offsetof(wkOctreeDef, missProbability), 0.5, wk_errorRange, "missProbability"},
        {offsetof(wkOctreeDef, missProbability), INFINITY, wk_errorNotFinite, "missProbability"},
        {offsetof(wkOctreeDef, lowestProbability), 0.99, wk_errorRange, "lowestProbability"},
        {offsetof(wkOctreeDef, highestProbability), 1.0, wk_errorRange, "highestProbability"},
        {offsetof(wkOctreeDef, occupiedProbability), 0.0, wk_errorRange, "occupiedProbability"},
    };
    wkOctree* good = createMap(0.05);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        wkOctreeDef def = wkDefaultOctreeDef();
        memcpy((char*)&def + rows[i].field, &rows[i].value, sizeof(double));
        wkOctree* octree = good;
        assert_int_equal(wkOctree_Create(&def, &octree), rows[i].result);
        assert_null(octree);
        expectWords(rows[i].words);
        assert_int_equal(wkOctree_SetDef(good, &def), rows[i].result);
    }
    wkOctreeDef def = {0};
    wkOctree* octree = NULL;
    assert_int_equal(wkOctree_Create(&def, &octree), wk_errorArgument);
    def = wkDefaultOctreeDef();
    def.resolution = 0.1;
    assert_int_equal(wkOctree_SetDef(good, &def), wk_errorArgument);
    wkOctree_Destroy(good);
    wkOctree_Destroy(NULL);
}

static void calls_that_make_no_sense_change_nothing(void** state)
{
    (void)state;
    wkOctree *octree = createMap(1e-6), *result = octree;
    uint64_t version = octree->version;
    assert_int_equal(wkOctree_AddLogOdds(octree, middleKey(), NAN), wk_errorNotFinite);
    assert_int_equal(wkOctree_SetLogOdds(octree, middleKey(), 17, 1.0f), wk_errorRange);
    assert_int_equal(wkOctree_SetLogOdds(octree, middleKey(), -1, 1.0f), wk_errorRange);
    assert_int_equal(wkOctree_FillBox(octree, cubeOf(NAN, 1.0), 1.0f), wk_errorNotFinite);
    assert_int_equal(wkOctree_Observe(NULL, middleKey(), true), wk_errorArgument);
    assert_int_equal(wkOctree_Copy(NULL, &result), wk_errorArgument);
    assert_int_equal(wkOctree_Coarsen(octree, -1, wk_mixUnknown, &result), wk_errorRange);
    assert_null(result);
    assert_int_equal(wkOctree_Coarsen(octree, 17, wk_mixUnknown, &result), wk_errorRange);
    assert_int_equal(wkOctree_Resample(octree, 0.0, wk_mixUnknown, &result), wk_errorRange);
    assert_int_equal(wkOctree_Resample(octree, NAN, wk_mixUnknown, &result), wk_errorNotFinite);
    assert_int_equal(octree->version, version);

    // cells that a finer map has no room for
    wkCellKey far = {0, 0, 0};
    wkOctree* wide = createMap(1.0);
    assert_int_equal(wkOctree_Observe(wide, far, true), wk_ok);
    assert_int_equal(wkOctree_Resample(wide, 0.5, wk_mixUnknown, &result), wk_errorRange);
    assert_non_null(strstr(wkGetLastError(), "resolution is 0.5"));
    assert_null(result);
    expectWords("outside");
    wkOctree_Destroy(wide);
    wkOctree_Destroy(octree);
    assert_int_equal(wkGetByteCount(), 0);
}

static void states_have_names(void** state)
{
    (void)state;
    assert_string_equal(wkCellStateName(wk_cellUnknown), "unknown");
    assert_string_equal(wkCellStateName(wk_cellFree), "free");
    assert_string_equal(wkCellStateName(wk_cellOccupied), "occupied");
    assert_string_equal(wkCellStateName((wkCellState)7), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(evidence_adds_up_and_stops_at_the_limits),
        cmocka_unit_test(cells_have_positions_and_ids),
        cmocka_unit_test(points_outside_have_no_key),
        cmocka_unit_test(ids_of_no_cell_are_refused),
        cmocka_unit_test(eight_alike_cells_become_one),
        cmocka_unit_test(bounds_are_multiples_of_cells_despite_rounding),
        cmocka_unit_test(boxes_fill_the_cells_they_reach_into),
        cmocka_unit_test(all_of_space_is_one_cell),
        cmocka_unit_test(bad_parameters_are_refused_by_name),
        cmocka_unit_test(calls_that_make_no_sense_change_nothing),
        cmocka_unit_test(states_have_names),
    };
    return cmocka_run_group_tests_name("octrees", tests, NULL, NULL);
}
