// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Maps: numbers one can check by hand, names of cells, what is refused, and what copies share.

#include "octree_check.h"
#include "unit_kit.h"
#include "whisker/whisker.h"

static const wkCellKey middle = {32768, 32768, 32768};

static wkOctree* createMap(double resolution)
{
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = resolution;
    wkOctree* octree = NULL;
    assert_int_equal(wkOctree_Create(&def, &octree), wk_ok);
    return octree;
}

static wkAabb boxOf(double lower, double upper)
{
    wkAabb box = {wkVec(lower, lower, lower), wkVec(upper, upper, upper)};
    return box;
}

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
        assert_int_equal(wkOctree_Observe(octree, middle, isHit), wk_ok);
        expected += isHit ? octree->hit : octree->miss;
        expected = expected > octree->highest ? octree->highest : expected;
        assert_true(wkOctree_CellAt(octree, middle).logOdds == expected);
    }
    for (int i = 0; i < 20; ++i) {
        assert_int_equal(wkOctree_Observe(octree, middle, false), wk_ok);
    }
    wkCell cell = wkOctree_CellAt(octree, middle);
    assert_int_equal(cell.state, wk_cellFree);
    assertNear(cell.probability, 0.1192, 1e-7);
    assert_int_equal(cell.depth, 16);
    wkOctree_Destroy(octree);
}

static void cells_have_positions_and_names(void** state)
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
    assert_int_equal(cell.id, wkMakeCellId(key, 16));
    assert_int_equal(cell.id & 31, 16);

    // the first child of the root that holds nothing, and the root as a whole
    wkCellKey far = {1, 2, 3};
    cell = wkOctree_CellAt(octree, far);
    assert_true(cell.state == wk_cellUnknown && cell.depth == 1 && cell.id == 1);
    assertVecNear(cell.center, wkVec(-8192.0, -8192.0, -8192.0), 0.0);
    assertNear(cell.size, 16384.0, 0.0);
    assert_int_equal(wkOctree_FindCell(octree, 0, &cell), wk_ok);
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

static void names_that_are_none_are_refused(void** state)
{
    (void)state;
    wkOctree* octree = createMap(1.0);
    const wkCellId wrong[] = {-1, 17, 31, INT64_MAX, INT64_MIN, (wkCellId)1 << 53, 32, 32 * 7 + 15};
    wkCell cell;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i) {
        assert_int_equal(wkOctree_FindCell(octree, wrong[i], &cell), wk_errorRange);
        expectWords("not the name of a cell");
    }
    assert_int_equal(wkOctree_FindCell(octree, ((wkCellId)1 << 53) - 32 + 16, &cell), wk_ok);
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
    assert_int_equal(wkOctree_CellAt(octree, middle).depth, 14);
    assertVecNear(stats.bounds.lower, wkVec(0.0, 0.0, 0.0), 0.0);
    assertVecNear(stats.bounds.upper, wkVec(4.0, 4.0, 4.0), 0.0);
    assert_true(octree->leaves.pages[0] == NULL);

    // and come apart again
    assert_int_equal(wkOctree_Observe(octree, middle, false), wk_ok);
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
        wkAabb box = boxOf(-(k / 20.0), k / 20.0);
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
        assert_int_equal(wkOctree_FillBox(octree, boxOf(rows[i].lower, rows[i].upper), 1.0f),
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
    wkAabb all = boxOf(-INFINITY, INFINITY);
    assert_int_equal(wkOctree_FillBox(octree, all, -1.0f), wk_ok);
    assert_true(octree->rootLink == 0 && octree->rootValue == -1.0f);
    assert_int_equal(wkOctree_Info(octree).byteCount, sizeof(wkOctree));
    assert_int_equal(wkOctree_SetLogOdds(octree, middle, 16, 1.0f), wk_ok);
    assert_int_equal(wkOctree_Info(octree).leafCount, 16 * 7 + 1);
    assert_int_equal(wkOctree_SetLogOdds(octree, middle, 0, NAN), wk_ok);
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

static wkCellState stateAt(const wkOctree* octree)
{
    return wkOctree_CellAt(octree, middle).state;
}

// One cell that was seen to be free does not make those around it free, however cells are merged.
static void unknown_cells_do_not_become_free_when_cells_are_merged(void** state)
{
    (void)state;
    wkOctree* octree = createMap(1.0);
    assert_int_equal(wkOctree_SetLogOdds(octree, middle, 16, -1.0f), wk_ok);
    wkCellRequest filter = wkDefaultCellRequest();
    wkCell cell;
    for (int32_t depth = 0; depth < 16; ++depth) {
        assert_int_equal(wkOctree_FindCell(octree, wkMakeCellId(middle, depth), &cell), wk_ok);
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
    wkCellKey next = {(uint16_t)(middle.x + 1), middle.y, middle.z};
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
    assert_int_equal(wkOctree_Observe(octree, middle, true), wk_ok);
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
    filter.box = boxOf(0.25, 0.75);
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
    assert_int_equal(wkOctree_SetLogOdds(copy, middle, 16, -1.5f), wk_ok);
    assert_true(wkGetByteCount() - alone < alone / 100 + 4 * sizeof(wkOctreePage));
    int sharedCount = 0;
    for (int32_t i = 0; i < octree->leaves.pageCount; ++i) {
        sharedCount += octree->leaves.pages[i] == copy->leaves.pages[i];
    }
    assert_true(sharedCount >= octree->leaves.pageCount - 2);
    assert_true(wkOctree_CellAt(copy, middle).logOdds == -1.5f);
    assert_true(wkOctree_CellAt(octree, middle).logOdds != -1.5f);
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
    assert_int_equal(wkOctree_SetLogOdds(octree, middle, 16, 0.5f), wk_ok);
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
    assert_int_equal(wkOctree_AddLogOdds(octree, middle, NAN), wk_errorNotFinite);
    assert_int_equal(wkOctree_SetLogOdds(octree, middle, 17, 1.0f), wk_errorRange);
    assert_int_equal(wkOctree_SetLogOdds(octree, middle, -1, 1.0f), wk_errorRange);
    assert_int_equal(wkOctree_FillBox(octree, boxOf(NAN, 1.0), 1.0f), wk_errorNotFinite);
    assert_int_equal(wkOctree_Observe(NULL, middle, true), wk_errorArgument);
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
        cmocka_unit_test(cells_have_positions_and_names),
        cmocka_unit_test(points_outside_have_no_key),
        cmocka_unit_test(names_that_are_none_are_refused),
        cmocka_unit_test(eight_alike_cells_become_one),
        cmocka_unit_test(bounds_are_multiples_of_cells_despite_rounding),
        cmocka_unit_test(boxes_fill_the_cells_they_reach_into),
        cmocka_unit_test(all_of_space_is_one_cell),
        cmocka_unit_test(unknown_space_is_visited_in_the_largest_cubes),
        cmocka_unit_test(unknown_cells_do_not_become_free_when_cells_are_merged),
        cmocka_unit_test(cells_that_reach_beyond_the_old_map_are_unknown),
        cmocka_unit_test(copies_share_pages_until_one_is_changed),
        cmocka_unit_test(comparing_stops_when_asked_to),
        cmocka_unit_test(another_threshold_is_a_change_of_state),
        cmocka_unit_test(bad_parameters_are_refused_by_name),
        cmocka_unit_test(calls_that_make_no_sense_change_nothing),
        cmocka_unit_test(states_have_names),
    };
    return cmocka_run_group_tests_name("octrees", tests, NULL, NULL);
}
