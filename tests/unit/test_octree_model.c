// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Random changes of maps against a plain list of cells that takes the same changes one cell at a
// time: all cells of a cube about the origin, where all eight octants meet, and some far away.

#include "octree_check.h"
#include "unit_kit.h"
#include "whisker/whisker.h"

#define WINDOW 16 // cells of the cube along an axis
#define WINDOW_COUNT (WINDOW * WINDOW * WINDOW)
#define FAR_COUNT 64
#define CELL_COUNT (WINDOW_COUNT + FAR_COUNT)
#define MAP_COUNT 3

// A map and what its cells must be.
typedef struct model {
    wkOctree* octree;
    wkCellKey keys[CELL_COUNT];
    float values[CELL_COUNT];
} model;

static model* createModel(wkRng* rng, double resolution)
{
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = resolution;
    model* m = calloc(1, sizeof *m);
    assert_non_null(m);
    assert_int_equal(wkOctree_Create(&def, &m->octree), wk_ok);
    for (int i = 0; i < CELL_COUNT; ++i) {
        const int base = 32768 - WINDOW / 2;
        wkCellKey near = {(uint16_t)(base + i % WINDOW), (uint16_t)(base + i / WINDOW % WINDOW),
                          (uint16_t)(base + i / WINDOW / WINDOW)};
        wkCellKey far = {(uint16_t)wkRngNext(rng), (uint16_t)wkRngNext(rng),
                         (uint16_t)wkRngNext(rng)};
        m->keys[i] = i < WINDOW_COUNT ? near : far;
        m->values[i] = NAN;
    }
    return m;
}

static void destroyModel(model* m)
{
    wkOctree_Destroy(m->octree);
    free(m);
}

static void copyModel(const model* from, model* to)
{
    wkOctree_Destroy(to->octree);
    *to = *from;
    assert_int_equal(wkOctree_Copy(from->octree, &to->octree), wk_ok);
}

// One value of few, so that cells often agree.
static float someLogOdds(wkRng* rng)
{
    const float values[] = {NAN, -2.0f, -0.5f, 0.0f, 0.85f, 3.5f, INFINITY, -INFINITY};
    return values[wkRngBelow(rng, 8)];
}

static float clamped(const model* m, float value)
{
    return fminf(fmaxf(value, m->octree->lowest), m->octree->highest);
}

static wkCellKey someKey(wkRng* rng, const model* m)
{
    return m->keys[wkRngBelow(rng, wkRngChance(rng, 8) ? CELL_COUNT : WINDOW_COUNT)];
}

static bool isSameKey(wkCellKey a, wkCellKey b, int shift)
{
    return a.x >> shift == b.x >> shift && a.y >> shift == b.y >> shift &&
           a.z >> shift == b.z >> shift;
}

static void addSome(model* m, wkRng* rng)
{
    int count = 1 + wkRngBelow(rng, 200);
    for (int k = 0; k < count; ++k) {
        wkCellKey key = someKey(rng, m);
        bool isHit = wkRngChance(rng, 3);
        bool isObserved = wkRngChance(rng, 2);
        float change = isHit ? 0.25f : -0.25f;
        if (isObserved) {
            change = isHit ? m->octree->hit : m->octree->miss;
            assert_int_equal(wkOctree_Observe(m->octree, key, isHit), wk_ok);
        } else {
            assert_int_equal(wkOctree_AddLogOdds(m->octree, key, change), wk_ok);
        }
        for (int i = 0; i < CELL_COUNT; ++i) {
            if (isSameKey(m->keys[i], key, 0)) {
                float before = isnan(m->values[i]) ? 0.0f : m->values[i];
                m->values[i] = clamped(m, before + change);
            }
        }
    }
}

static void setSome(model* m, wkRng* rng)
{
    int depth = WK_OCTREE_DEPTH - wkRngBelow(rng, 5);
    depth = wkRngChance(rng, 10) ? wkRngBelow(rng, WK_OCTREE_DEPTH + 1) : depth;
    wkCellKey key = someKey(rng, m);
    float value = someLogOdds(rng);
    assert_int_equal(wkOctree_SetLogOdds(m->octree, key, depth, value), wk_ok);
    for (int i = 0; i < CELL_COUNT; ++i) {
        if (isSameKey(m->keys[i], key, WK_OCTREE_DEPTH - depth)) {
            m->values[i] = isnan(value) ? NAN : clamped(m, value);
        }
    }
}

// Bounds of a box about the window, in whole cells half of the time; seldom of a large one, which
// keeps to large cubes, as its surface would take more cells than there is memory.
static wkAabb someBox(wkRng* rng, double cell)
{
    bool isLarge = wkRngChance(rng, 10);
    double reach = isLarge ? 40000.0 : 0.75 * WINDOW, grid = isLarge ? 4096.0 : 1.0;
    double numbers[6];
    for (int i = 0; i < 6; ++i) {
        bool isAgain = isLarge && i >= 3; // a layer of cells is as bad
        numbers[i] =
            isAgain ? numbers[i - 3] / cell + grid * (1 + i % 2) : wkRngRange(rng, -reach, reach);
        bool isWhole = isLarge || wkRngChance(rng, 2);
        numbers[i] = cell * (isWhole ? grid * floor(numbers[i] / grid) : numbers[i]);
    }
    wkAabb box = {wkVec(fmin(numbers[0], numbers[3]), fmin(numbers[1], numbers[4]),
                        fmin(numbers[2], numbers[5])),
                  wkVec(fmax(numbers[0], numbers[3]), fmax(numbers[1], numbers[4]),
                        fmax(numbers[2], numbers[5]))};
    return box;
}

// A cell has a point inside the box; without thickness, the box lies in the cell.
static bool isAlongAxis(double key, double cell, double lower, double upper)
{
    double start = (key - 32768.0) * cell, end = (key + 1.0 - 32768.0) * cell;
    return lower < upper ? start < upper && end > lower : start <= lower && lower < end;
}

static bool isInBox(wkCellKey key, double cell, wkAabb box)
{
    return isAlongAxis(key.x, cell, box.lower.x, box.upper.x) &&
           isAlongAxis(key.y, cell, box.lower.y, box.upper.y) &&
           isAlongAxis(key.z, cell, box.lower.z, box.upper.z);
}

static void fillSome(model* m, wkRng* rng)
{
    double cell = m->octree->def.resolution;
    wkAabb box = someBox(rng, cell);
    float value = someLogOdds(rng);
    assert_int_equal(wkOctree_FillBox(m->octree, box, value), wk_ok);
    for (int i = 0; i < CELL_COUNT; ++i) {
        if (isInBox(m->keys[i], cell, box)) {
            m->values[i] = isnan(value) ? NAN : clamped(m, value);
        }
    }
}

static void thresholdAll(model* m, wkRng* rng)
{
    (void)rng;
    assert_int_equal(wkOctree_ToMaximumLikelihood(m->octree), wk_ok);
    for (int i = 0; i < CELL_COUNT; ++i) {
        bool isOccupied = m->values[i] >= m->octree->occupied;
        float hard = isOccupied ? m->octree->highest : m->octree->lowest;
        m->values[i] = isnan(m->values[i]) ? NAN : hard;
    }
}

static void clearAll(model* m, wkRng* rng)
{
    (void)rng;
    wkOctree_Clear(m->octree);
    for (int i = 0; i < CELL_COUNT; ++i) {
        m->values[i] = NAN;
    }
}

typedef void changeFcn(model* m, wkRng* rng);

static void changeSomehow(model* m, wkRng* rng)
{
    static changeFcn* const changes[] = {addSome,  addSome,      addSome,  setSome,
                                         setSome,  setSome,      fillSome, fillSome,
                                         fillSome, thresholdAll, clearAll};
    int kind = wkRngBelow(rng, (int)(sizeof changes / sizeof changes[0]));
    if (changes[kind] != clearAll || wkRngChance(rng, 4)) {
        uint64_t version = m->octree->version;
        changes[kind](m, rng);
        assert_true(m->octree->version >= version);
    }
}

static wkCellState stateOf(float value, float threshold)
{
    return isnan(value) ? wk_cellUnknown : (value >= threshold ? wk_cellOccupied : wk_cellFree);
}

static void checkCell(const wkCell* cell, float value, float threshold)
{
    assert_int_equal(cell->state, stateOf(value, threshold));
    assert_true(cell->logOdds == (isnan(value) ? 0.0f : value));
}

static bool isSameCell(const wkCell* a, const wkCell* b)
{
    return wkCellId_Equals(a->id, b->id) && isSameKey(a->key, b->key, 0) && a->depth == b->depth &&
           a->state == b->state && a->logOdds == b->logOdds && a->probability == b->probability &&
           memcmp(&a->center, &b->center, sizeof a->center) == 0 && a->size == b->size;
}

static void checkCells(const model* m)
{
    const char* trouble = octreeTrouble(m->octree);
    if (trouble != NULL) {
        fail_msg("%s", trouble);
    }
    for (int i = 0; i < CELL_COUNT; ++i) {
        wkCell cell = wkOctree_CellAt(m->octree, m->keys[i]), found;
        checkCell(&cell, m->values[i], m->octree->occupied);
        assert_true(isSameKey(cell.key, m->keys[i], WK_OCTREE_DEPTH - cell.depth));
        assert_int_equal(wkOctree_FindCell(m->octree, wkMakeCellId(m->keys[i], 16), &found), wk_ok);
        assert_true(isSameCell(&found, &cell));
    }
}

static bool isKept(const wkCell* cell, wkCellKey key)
{
    return isSameKey(cell->key, key, WK_OCTREE_DEPTH - cell->depth);
}

// Index of the first cell from `i` on that lies in a cube; CELL_COUNT: none.
static int nextInCube(const model* m, const wkCell* cell, int i)
{
    // a single cell has one index in the window, if any
    if (cell->depth == WK_OCTREE_DEPTH && i < WINDOW_COUNT) {
        int x = cell->key.x - m->keys[0].x, y = cell->key.y - m->keys[0].y;
        int z = cell->key.z - m->keys[0].z;
        bool isIn = x >= 0 && x < WINDOW && y >= 0 && y < WINDOW && z >= 0 && z < WINDOW;
        int index = isIn ? x + WINDOW * (y + WINDOW * z) : WINDOW_COUNT;
        i = index >= i ? index : WINDOW_COUNT;
    }
    while (i < CELL_COUNT && !isKept(cell, m->keys[i])) {
        ++i;
    }
    return i;
}

// Cells that the filter lets pass are met once, in order, others never.
static void checkIteration(const model* m, wkRng* rng)
{
    double cellSize = m->octree->def.resolution;
    wkCellRequest filter = wkDefaultCellRequest();
    filter.wantsUnknown = wkRngChance(rng, 2);
    filter.wantsFree = !wkRngChance(rng, 3);
    filter.wantsOccupied = !wkRngChance(rng, 3);
    filter.box = wkRngChance(rng, 2) ? someBox(rng, cellSize) : filter.box;
    filter.occupiedProbability = wkRngChance(rng, 2) ? 0.65 : 0.0;
    float threshold = filter.occupiedProbability > 0.0 ? wkLogOddsOf(0.65) : m->octree->occupied;
    const bool wants[] = {filter.wantsUnknown, filter.wantsFree, filter.wantsOccupied};
    static int visits[CELL_COUNT];
    memset(visits, 0, sizeof visits);
    wkCellIterator iterator = wkOctree_Cells(m->octree, &filter);
    int64_t last = 0;
    wkCell cell;
    while (wkCellIterator_Next(&iterator, &cell)) {
        assert_true(wkCellId_ToBits(cell.id) > last && wants[cell.state]);
        last = wkCellId_ToBits(cell.id);
        for (int i = nextInCube(m, &cell, 0); i < CELL_COUNT; i = nextInCube(m, &cell, i + 1)) {
            checkCell(&cell, m->values[i], threshold);
            visits[i]++;
        }
    }
    for (int i = 0; i < CELL_COUNT; ++i) {
        bool isWanted = wants[stateOf(m->values[i], threshold)];
        bool isInside = isInBox(m->keys[i], cellSize, filter.box);
        assert_true(visits[i] <= isWanted && (visits[i] == 1 || !isWanted || !isInside));
    }
}

// Cubes of a depth stand for their cells.
static void checkCoarseIteration(const model* m, int maxDepth)
{
    wkCellRequest filter = wkDefaultCellRequest();
    filter.maxDepth = maxDepth;
    filter.wantsUnknown = maxDepth % 2 == 0;
    wkCellIterator iterator = wkOctree_Cells(m->octree, &filter);
    wkCell cell, found;
    while (wkCellIterator_Next(&iterator, &cell)) {
        assert_true(cell.depth <= maxDepth);
        assert_int_equal(wkOctree_FindCell(m->octree, cell.id, &found), wk_ok);
        assert_true(isSameCell(&found, &cell));
        for (int i = nextInCube(m, &cell, 0); i < CELL_COUNT; i = nextInCube(m, &cell, i + 1)) {
            bool isUnknown = isnan(m->values[i]);
            assert_true(isUnknown || cell.state == wk_cellUnknown || m->values[i] <= cell.logOdds);
            assert_true(cell.state != wk_cellFree || !isUnknown);
            assert_true(cell.state == wk_cellOccupied || isUnknown ||
                        m->values[i] < m->octree->occupied);
            assert_true(cell.depth < WK_OCTREE_DEPTH || isUnknown || m->values[i] == cell.logOdds);
        }
    }
}

static void checkStats(const model* m)
{
    wkOctreeInfo stats = wkOctree_Info(m->octree);
    wkCellIterator iterator = wkOctree_Cells(m->octree, NULL);
    wkAabb bounds[2] = {
        {wkVec(INFINITY, INFINITY, INFINITY), wkVec(-INFINITY, -INFINITY, -INFINITY)},
        {wkVec(INFINITY, INFINITY, INFINITY), wkVec(-INFINITY, -INFINITY, -INFINITY)}};
    int64_t counts[2] = {0, 0};
    wkCell cell;
    while (wkCellIterator_Next(&iterator, &cell)) {
        wkVec3d half = wkScale(0.5 * cell.size, wkVec(1.0, 1.0, 1.0));
        for (int k = 0; k < (cell.state == wk_cellOccupied ? 2 : 1); ++k) {
            ++counts[k];
            bounds[k].lower = wkMin(bounds[k].lower, wkSub(cell.center, half));
            bounds[k].upper = wkMax(bounds[k].upper, wkAdd(cell.center, half));
        }
    }
    assert_int_equal(stats.leafCount, counts[0]);
    assert_int_equal(stats.occupiedCount, counts[1]);
    assert_memory_equal(&stats.bounds, &bounds[0], sizeof bounds[0]);
    assert_memory_equal(&stats.occupiedBounds, &bounds[1], sizeof bounds[1]);
}

// Which cells were reported as changed.
typedef struct changes {
    const model* before;
    const model* after;
    int visits[CELL_COUNT];
} changes;

static bool noteChange(const wkCellChange* change, void* context)
{
    changes* c = context;
    const wkCell *before = &change->before, *after = &change->after;
    assert_true(wkCellId_Equals(before->id, after->id));
    assert_true(before->state != after->state);

    // alike in both maps, and in one of them no larger cube is
    wkCell wholeBefore = wkOctree_CellAt(c->before->octree, before->key);
    wkCell wholeAfter = wkOctree_CellAt(c->after->octree, after->key);
    assert_true(wholeBefore.depth <= before->depth && wholeAfter.depth <= before->depth);
    assert_true(wholeBefore.depth == before->depth || wholeAfter.depth == before->depth);
    const model* m = c->before;
    for (int i = nextInCube(m, before, 0); i < CELL_COUNT; i = nextInCube(m, before, i + 1)) {
        checkCell(before, m->values[i], m->octree->occupied);
        checkCell(after, c->after->values[i], c->after->octree->occupied);
        c->visits[i]++;
    }
    return true;
}

static void checkChanges(const model* before, const model* after)
{
    static changes c;
    memset(&c, 0, sizeof c);
    c.before = before;
    c.after = after;
    assert_int_equal(wkOctree_Compare(before->octree, after->octree, noteChange, &c), wk_ok);
    for (int i = 0; i < CELL_COUNT; ++i) {
        bool isChanged = stateOf(before->values[i], before->octree->occupied) !=
                         stateOf(after->values[i], after->octree->occupied);
        assert_int_equal(c.visits[i], isChanged);
    }
}

static void maps_agree_with_a_plain_list_of_cells(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    model* maps[MAP_COUNT];
    maps[0] = createModel(&rng, 0.25);
    for (int i = 1; i < MAP_COUNT; ++i) {
        maps[i] = createModel(&rng, 0.25);
        copyModel(maps[0], maps[i]);
    }
    for (int step = 0; step < WK_CASES(250); ++step) {
        // any of them may be changed, and be copied over another
        model* chosen = maps[wkRngBelow(&rng, MAP_COUNT)];
        changeSomehow(chosen, &rng);
        if (wkRngChance(&rng, 4)) {
            model* other = maps[wkRngBelow(&rng, MAP_COUNT)];
            if (other != chosen) {
                copyModel(chosen, other);
            }
        }
        for (int i = 0; step % 5 == 0 && i < MAP_COUNT; ++i) {
            checkCells(maps[i]);
            checkIteration(maps[i], &rng);
            checkStats(maps[i]);
            checkCoarseIteration(maps[i], wkRngBelow(&rng, 17));
            checkChanges(maps[i], maps[(i + 1) % MAP_COUNT]);
        }
    }
    for (int i = 0; i < MAP_COUNT; ++i) {
        destroyModel(maps[i]);
    }
    assert_int_equal(wkGetByteCount(), 0);
}

// What a cell is that stands for a range of keys; those outside the window are all unknown.
static float mixedIn(const model* m, const int first[3], const int last[3], wkMixRule mix)
{
    float highest = NAN;
    double left = 1.0; // cells that are unknown
    for (int axis = 0; axis < 3; ++axis) {
        left *= (double)last[axis] - (double)first[axis] + 1.0;
    }
    for (int i = 0; i < WINDOW_COUNT; ++i) {
        wkCellKey k = m->keys[i];
        bool isIn = k.x >= first[0] && k.x <= last[0] && k.y >= first[1] && k.y <= last[1] &&
                    k.z >= first[2] && k.z <= last[2];
        highest = isIn && !isnan(m->values[i]) ? fmaxf(highest, m->values[i]) : highest;
        left -= isIn && !isnan(m->values[i]) ? 1.0 : 0.0;
    }
    bool isUnknown = mix == wk_mixUnknown && left > 0.0 && !(highest >= m->octree->occupied);
    return isUnknown ? NAN : highest;
}

// A map with cells in the window alone.
static model* someWindow(wkRng* rng, double resolution)
{
    model* m = createModel(rng, resolution);
    for (int k = 0; k < 4; ++k) {
        addSome(m, rng);
        wkCellKey key = m->keys[wkRngBelow(rng, WINDOW_COUNT)];
        float value = k % 2 == 0 ? -2.0f : 0.85f;
        assert_int_equal(wkOctree_SetLogOdds(m->octree, key, 14, value), wk_ok);
        for (int i = 0; i < CELL_COUNT; ++i) {
            m->values[i] = isSameKey(m->keys[i], key, 2) ? clamped(m, value) : m->values[i];
        }
    }
    for (int i = WINDOW_COUNT; i < CELL_COUNT; ++i) {
        assert_int_equal(wkOctree_SetLogOdds(m->octree, m->keys[i], 16, NAN), wk_ok);
        m->values[i] = NAN;
    }
    return m;
}

// New cells whose length in old ones is `ratio`, about the window, against all old ones below each.
static void checkCoarser(const model* m, const wkOctree* coarse, double ratio, wkMixRule mix)
{
    assert_null(octreeTrouble(coarse));
    int reach = (int)ceil(0.5 * WINDOW / ratio) + 1;
    int interval = 2 * reach;
    for (int i = 0; i < interval * interval * interval; ++i) {
        const int cell[3] = {i % interval - reach, i / interval % interval - reach,
                             i / interval / interval - reach};
        int first[3], last[3];
        for (int axis = 0; axis < 3; ++axis) {
            first[axis] = 32768 + (int)floor(cell[axis] * ratio + 1e-7);
            last[axis] = 32768 + (int)ceil((cell[axis] + 1) * ratio - 1e-7) - 1;
        }
        wkCellKey key = {(uint16_t)(32768 + cell[0]), (uint16_t)(32768 + cell[1]),
                         (uint16_t)(32768 + cell[2])};
        wkCell found = wkOctree_CellAt(coarse, key);
        checkCell(&found, mixedIn(m, first, last, mix), m->octree->occupied);
    }
}

static void coarser_maps_hold_the_highest_of_their_cells_and_what_is_unknown(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 1);
    for (int32_t i = 0; i <= 2 * WK_OCTREE_DEPTH + 1; ++i) {
        int32_t levels = i / 2;
        wkMixRule mix = i % 2 == 0 ? wk_mixUnknown : wk_mixFree;
        model* m = someWindow(&rng, 1e-3);
        wkOctree* coarse = NULL;
        assert_int_equal(wkOctree_Coarsen(m->octree, levels, mix, &coarse), wk_ok);
        assertNear(wkOctree_Def(coarse).resolution, ldexp(1e-3, levels), 0.0);
        checkCoarser(m, coarse, ldexp(1.0, levels), mix);
        wkOctree_Destroy(coarse);
        destroyModel(m);
    }
    assert_int_equal(wkGetByteCount(), 0);
}

static void resampled_maps_hold_the_highest_that_they_overlap_and_what_is_unknown(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 2);
    const double ratios[] = {0.5, 0.7, 1.0, 1.25, 1.9999, 2.0, 3.0, 3.7, 10.0, 100.0, 1e6};
    const double resolutions[] = {0.05, 0.1, 0.3, 0.02};
    for (size_t k = 0; k < 2 * sizeof ratios / sizeof ratios[0]; ++k) {
        size_t i = k / 2;
        wkMixRule mix = k % 2 == 0 ? wk_mixUnknown : wk_mixFree;
        double resolution = resolutions[i % 4];
        model* m = someWindow(&rng, resolution);
        wkOctree* other = NULL;
        assert_int_equal(wkOctree_Resample(m->octree, resolution * ratios[i], mix, &other), wk_ok);
        checkCoarser(m, other, ratios[i], mix);
        wkOctree_Destroy(other);
        destroyModel(m);
    }
    assert_int_equal(wkGetByteCount(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_agree_with_a_plain_list_of_cells),
        cmocka_unit_test(coarser_maps_hold_the_highest_of_their_cells_and_what_is_unknown),
        cmocka_unit_test(resampled_maps_hold_the_highest_that_they_overlap_and_what_is_unknown),
    };
    return cmocka_run_group_tests_name("octrees and a model of them", tests, NULL, NULL);
}
