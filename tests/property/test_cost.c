// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The cost of places and paths against brute force: every single cell near a shape is asked on its
// own, as a box, for its place and for many places along its path.

#include "kit.h"
#include "scenes/maps.h"

#include <stdlib.h>
#include <string.h>

// All that happens in a test is within these cells about the origin of the map.
#define WINDOW 48
#define FIRST_KEY (32768 - WINDOW / 2)
#define CELL_COUNT (WINDOW * WINDOW * WINDOW)
#define MAX_BOXES 65536

// What became of a cell: 0 when it was not met, else its probability.
typedef struct grid {
    double probability[CELL_COUNT];
    bool isUndecided[CELL_COUNT]; // next to the limit, where the last digit decides
} grid;

static grid wanted;
static grid got;
static wkCostBox boxes[MAX_BOXES];

typedef struct costCase {
    wkOctree* octree;
    wkShape map;
    wkPose mapPose;
    wkShape shape;
    wkPose pose;
    wkCostDef def;
} costCase;

static wkCellKey keyOf(int cell)
{
    wkCellKey key = {(uint16_t)(FIRST_KEY + cell % WINDOW),
                     (uint16_t)(FIRST_KEY + cell / WINDOW % WINDOW),
                     (uint16_t)(FIRST_KEY + cell / WINDOW / WINDOW)};
    return key;
}

// The cell as a box in the world.
static wkShape boxOf(const costCase* c, int cell, wkPose* pose)
{
    double size = wkOctree_Def(c->octree).resolution;
    wkCellKey key = keyOf(cell);
    wkPose local =
        wkMakePose((key.x - 32767.5) * size, (key.y - 32767.5) * size, (key.z - 32767.5) * size);
    wkShape box = wkMakeBox(size, size, size);
    box.rounding = c->map.rounding;
    box.padding = c->map.padding;
    *pose = wkMulPose(c->mapPose, local);
    return box;
}

static double distanceTo(const costCase* c, int cell, wkPose pose)
{
    wkPose boxPose;
    wkShape box = boxOf(c, cell, &boxPose);
    return wkDistance(&c->shape, pose, &box, boxPose, NULL).distance;
}

// Probability with which a cell counts; 0: it does not.
static double worthOf(const costCase* c, int cell)
{
    wkCell found = wkOctree_CellAt(c->octree, keyOf(cell));
    if (found.state == wk_cellUnknown) {
        return c->def.countsUnknown ? c->def.unknownProbability : 0.0;
    }
    double lowest = wkOctree_Def(c->octree).lowestProbability;
    bool counts = c->def.minProbability > 0.0 ? found.probability >= c->def.minProbability
                                              : found.probability > lowest + 1e-6;
    return counts ? found.probability : 0.0;
}

// Spheres around both are further apart than the margin.
static bool isFar(const costCase* c, int cell)
{
    wkPose boxPose;
    wkShape box = boxOf(c, cell, &boxPose);
    wkVec3d apart = wkSceneSub(boxPose.position, c->pose.position);
    return sqrt(wkSceneDot(apart, apart)) >
           wkShapeReach(&box) + wkShapeReach(&c->shape) + fabs(c->def.margin);
}

static void askAllCells(const costCase* c, grid* g)
{
    memset(g, 0, sizeof *g);
    for (int i = 0; i < CELL_COUNT; i++) {
        if (isFar(c, i)) {
            continue;
        }
        double distance = distanceTo(c, i, c->pose);
        g->probability[i] = distance <= c->def.margin ? worthOf(c, i) : 0.0;
        g->isUndecided[i] = fabs(distance - c->def.margin) < 1e-9;
    }
}

static int cellAt(int x, int y, int z)
{
    bool isInside = x >= 0 && y >= 0 && z >= 0 && x < WINDOW && y < WINDOW && z < WINDOW;
    assert_true(isInside);
    return (z * WINDOW + y) * WINDOW + x;
}

// Puts a box into the grid; no cell may be there twice.
static void putBox(const costCase* c, const wkCostBox* box, grid* g)
{
    wkCell cell;
    assert_int_equal(wkOctree_FindCell(c->octree, box->cell, &cell), wk_ok);
    int edge = 1 << (16 + 1 - (int)(wkCellId_ToBits(box->cell) & 31));
    double size = edge * wkOctree_Def(c->octree).resolution;
    assert_true(fabs(box->box.upper.x - box->box.lower.x - size) < 1e-9 * size);
    assert_true(fabs(box->volume - size * size * size) < 1e-9 * box->volume);
    int x = (int)lround(box->box.lower.x / size * edge) + WINDOW / 2;
    int y = (int)lround(box->box.lower.y / size * edge) + WINDOW / 2;
    int z = (int)lround(box->box.lower.z / size * edge) + WINDOW / 2;
    for (int i = 0; i < edge * edge * edge; i++) {
        int at = cellAt(x + i % edge, y + i / edge % edge, z + i / edge / edge);
        assert_true(g->probability[at] == 0.0);
        g->probability[at] = box->probability;
    }
}

static void readBoxes(const costCase* c, const wkCost* cost, grid* g)
{
    memset(g, 0, sizeof *g);
    int64_t count = wkCost_Boxes(cost, boxes, MAX_BOXES);
    assert_true(count <= MAX_BOXES);
    for (int64_t i = 0; i < count; i++) {
        putBox(c, &boxes[i], g);
    }
}

static wkCost* createCost(const costCase* c)
{
    wkCost* cost = NULL;
    assert_int_equal(wkCost_Create(&c->def, &cost), wk_ok);
    return cost;
}

static wkShape randomShape(wkRng* rng, double size)
{
    const wkHull* hull = wkShapeBank_Pick(wkKitBank(), rng, wk_bankSolid);
    wkShape shape = wkRandomShape(rng, wkKitBank(), (wkShapeType)(1 + wkRngBelow(rng, 7)), size);
    if (wkRngChance(rng, 8) && wkShapeReach(&(wkShape){.type = wk_shapeHull, .hull = hull}) < 3.0) {
        shape = wkMakeHull(hull);
    }
    return shape;
}

static wkPose randomPose(wkRng* rng, double reach)
{
    wkPose pose = wkMakePose(wkRngRange(rng, -reach, reach), wkRngRange(rng, -reach, reach),
                             wkRngRange(rng, -reach, reach));
    pose.rotation = wkRngRotation(rng);
    return pose;
}

// A shape that stays within the cells of the test.
static costCase makeCase(wkRng* rng, int kind)
{
    costCase c = {.def = wkDefaultCostDef()};
    double size = wkRngLogRange(rng, 0.02, 0.5);
    c.octree = wkMakeMap(kind, size, wkRngNext(rng));
    assert_non_null(c.octree);
    c.map = wkMakeOctree(c.octree);
    c.mapPose = wkRngChance(rng, 3) ? wkIdentityPose() : randomPose(rng, 5.0);
    do {
        c.shape = randomShape(rng, size * wkRngLogRange(rng, 0.3, 8.0));
    } while (wkShapeReach(&c.shape) > 14.0 * size);
    c.pose = wkMulPose(c.mapPose, randomPose(rng, 6.0 * size));
    c.map.rounding = wkRngChance(rng, 5) ? 0.3 * size : 0.0;
    c.def.margin = wkRngChance(rng, 3) ? wkRngRange(rng, -0.2, 1.0) * size : 0.0;
    c.def.minProbability = wkRngChance(rng, 3) ? 0.5 : 0.0;
    c.def.countsUnknown = !wkRngChance(rng, 3);
    c.def.unknownProbability = wkRngChance(rng, 3) ? 0.25 : 0.5;
    return c;
}

static void compareGrids(const char* what, int kind)
{
    for (int i = 0; i < CELL_COUNT; i++) {
        if (!wanted.isUndecided[i] && fabs(wanted.probability[i] - got.probability[i]) > 1e-9) {
            wkCellKey key = keyOf(i);
            fail_msg("%s, map \"%s\": cell (%d %d %d) has %g, expected %g", what,
                     wkMapKindName(kind), key.x, key.y, key.z, got.probability[i],
                     wanted.probability[i]);
        }
    }
}

static void a_pose_costs_the_cells_that_its_shape_meets(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed() + 1);
    for (int kind = 0; kind < WK_MAP_KIND_COUNT; kind++) {
        for (int i = 0; i < wkKitCases(4); i++) {
            costCase c = makeCase(&rng, kind);
            wkCost* cost = createCost(&c);
            assert_int_equal(wkCost_AddShape(cost, &c.map, c.mapPose, &c.shape, c.pose), wk_ok);
            askAllCells(&c, &wanted);
            readBoxes(&c, cost, &got);
            compareGrids(wkShapeTypeName(c.shape.type), kind);
            wkCost_Destroy(cost);
            wkOctree_Destroy(c.octree);
        }
    }
}

static void totals_are_the_sums_of_the_boxes(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed() + 2);
    for (int i = 0; i < wkKitCasesOfKinds(20, WK_MAP_KIND_COUNT); i++) {
        costCase c = makeCase(&rng, i % WK_MAP_KIND_COUNT);
        wkCost* cost = createCost(&c);
        assert_int_equal(wkCost_AddShape(cost, &c.map, c.mapPose, &c.shape, c.pose), wk_ok);
        int64_t count = wkCost_Boxes(cost, boxes, MAX_BOXES);
        wkCostInfo sum = {.boxCount = count};
        double cell = pow(wkOctree_Def(c.octree).resolution, 3.0);
        for (int64_t k = 0; k < count; k++) {
            sum.volume += boxes[k].volume;
            sum.weightedVolume += boxes[k].volume * boxes[k].probability;
            sum.unknownVolume += boxes[k].state == wk_cellUnknown ? boxes[k].volume : 0.0;
        }
        wkCostInfo totals = wkCost_Info(cost);
        assert_true(fabs(totals.volume - sum.volume) <= 1e-12 * sum.volume);
        assert_true(fabs(totals.weightedVolume - sum.weightedVolume) <= 1e-12 * sum.volume);
        assert_true(fabs(totals.unknownVolume - sum.unknownVolume) <= 1e-12 * sum.volume);
        assert_true(fabs((double)totals.cellCount * cell - sum.volume) <= 1e-9 * sum.volume);
        assert_int_equal(totals.boxCount, count);
        assert_true(count == 0 || totals.highestProbability == boxes[0].probability);
        wkCost_Destroy(cost);
        wkOctree_Destroy(c.octree);
    }
}

static void assertSameBoxes(const wkCostBox* a, const wkCostBox* b, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        assert_memory_equal(&a[i].box, &b[i].box, sizeof a[i].box);
        assert_true(wkCellId_Equals(a[i].cell, b[i].cell));
        assert_int_equal(a[i].state, b[i].state);
        assert_true(a[i].probability == b[i].probability && a[i].volume == b[i].volume);
    }
}

static bool isInOrder(const wkCostBox* a, const wkCostBox* b)
{
    return a->probability > b->probability || (a->probability == b->probability &&
                                               wkCellId_ToBits(a->cell) < wkCellId_ToBits(b->cell));
}

static void the_most_probable_boxes_come_first_at_any_capacity(void** state)
{
    (void)state;
    static wkCostBox some[MAX_BOXES];
    wkRng rng = wkMakeRng(wkKitSeed() + 3);
    for (int i = 0; i < wkKitCasesOfKinds(16, WK_MAP_KIND_COUNT); i++) {
        costCase c = makeCase(&rng, i % WK_MAP_KIND_COUNT);
        wkCost* cost = createCost(&c);
        assert_int_equal(wkCost_AddShape(cost, &c.map, c.mapPose, &c.shape, c.pose), wk_ok);
        int64_t count = wkCost_Boxes(cost, boxes, MAX_BOXES);
        for (int64_t k = 1; k < count; k++) {
            assert_true(isInOrder(&boxes[k - 1], &boxes[k]));
        }
        for (int32_t capacity = 0; capacity <= count + 1; capacity = 2 * capacity + 1) {
            assert_int_equal(wkCost_Boxes(cost, some, capacity), count);
            assertSameBoxes(some, boxes, capacity < count ? capacity : count);
        }
        assert_int_equal(wkCost_Boxes(cost, NULL, 7), count);
        wkCost_Destroy(cost);
        wkOctree_Destroy(c.octree);
    }
}

static void the_order_of_additions_does_not_matter_and_no_cell_counts_twice(void** state)
{
    (void)state;
    enum {
        partCount = 5
    };
    static wkCostBox other[MAX_BOXES];
    wkRng rng = wkMakeRng(wkKitSeed() + 4);
    for (int i = 0; i < wkKitCasesOfKinds(16, WK_MAP_KIND_COUNT); i++) {
        costCase c = makeCase(&rng, i % WK_MAP_KIND_COUNT);
        double size = wkOctree_Def(c.octree).resolution;
        wkPose poses[partCount];
        wkCost *forward = createCost(&c), *backward = createCost(&c);
        for (int k = 0; k < partCount; k++) {
            poses[k] = wkMulPose(c.mapPose, randomPose(&rng, 6.0 * size));
            assert_int_equal(wkCost_AddShape(forward, &c.map, c.mapPose, &c.shape, poses[k]),
                             wk_ok);
        }
        for (int k = 2 * partCount - 1; k >= 0; k--) {
            assert_int_equal(
                wkCost_AddShape(backward, &c.map, c.mapPose, &c.shape, poses[k % partCount]),
                wk_ok);
        }
        wkCostInfo a = wkCost_Info(forward), b = wkCost_Info(backward);
        assert_memory_equal(&a, &b, sizeof a);
        int64_t count = wkCost_Boxes(forward, boxes, MAX_BOXES);
        assert_int_equal(wkCost_Boxes(backward, other, MAX_BOXES), count);
        assertSameBoxes(boxes, other, count);
        wkCost_Destroy(forward);
        wkCost_Destroy(backward);
        wkOctree_Destroy(c.octree);
    }
}

// Even motion between two poses, computed in another way than the library does: by an axis and an
// angle.
static wkPose poseBetween(wkPose from, wkPose to, double t)
{
    wkPose turn = wkMulPose(wkInvPose(from), to);
    wkQuat q = turn.rotation;
    double sine = sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
    double angle = 2.0 * atan2(sine, fabs(q.w)), sign = q.w < 0.0 ? -1.0 : 1.0;
    wkVec3d axis = {sign * q.x, sign * q.y, sign * q.z};
    wkPose part = wkIdentityPose();
    part.rotation = wkMakeQuat(axis, t * angle);
    wkPose pose = wkMulPose(from, part);
    pose.position.x = from.position.x + t * (to.position.x - from.position.x);
    pose.position.y = from.position.y + t * (to.position.y - from.position.y);
    pose.position.z = from.position.z + t * (to.position.z - from.position.z);
    return pose;
}

// Least distance between a cell and the shape on its way.
static double distanceToWay(const costCase* c, int cell, const wkPose* poses, int count,
                            int samples)
{
    double least = INFINITY;
    for (int leg = 1; leg < count; leg++) {
        for (int i = 0; i <= samples; i++) {
            wkPose pose = poseBetween(poses[leg - 1], poses[leg], (double)i / samples);
            least = fmin(least, distanceTo(c, cell, pose));
        }
    }
    return least;
}

// A cell that was not met next to one that was: there the growth decides.
static bool isAtEdge(const grid* g, int cell)
{
    const int steps[3] = {1, WINDOW, WINDOW * WINDOW};
    bool isAtEdge = false;
    for (int i = 0; i < 3; i++) {
        int before = cell - steps[i], after = cell + steps[i];
        isAtEdge |= before >= 0 && g->probability[before] > 0.0;
        isAtEdge |= after < CELL_COUNT && g->probability[after] > 0.0;
    }
    return isAtEdge && g->probability[cell] == 0.0;
}

static void a_path_misses_no_cell_and_keeps_to_its_tolerance(void** state)
{
    (void)state;
    enum {
        poseCount = 3,
        samples = 60
    };
    wkRng rng = wkMakeRng(wkKitSeed() + 5);
    for (int i = 0; i < wkKitCasesOfKinds(8, WK_MAP_KIND_COUNT); i++) {
        costCase c = makeCase(&rng, i % WK_MAP_KIND_COUNT);
        double size = wkOctree_Def(c.octree).resolution;
        c.def.minProbability = 0.0;
        c.def.countsUnknown = true;
        c.def.tolerance = wkRngChance(&rng, 2) ? 0.6 * size : 0.0;
        wkPose poses[poseCount];
        for (int k = 0; k < poseCount; k++) {
            poses[k] = randomPose(&rng, 2.0 * size);
            poses[k] = wkMulPose(c.mapPose, poses[k]);
        }
        wkCost* cost = createCost(&c);
        assert_int_equal(wkCost_AddMotion(cost, &c.map, c.mapPose, &c.shape, poses, poseCount),
                         wk_ok);
        readBoxes(&c, cost, &got);

        // one sample in the test stands for all places within half a step
        double tolerance = c.def.tolerance > 0.0 ? c.def.tolerance : 0.25 * size;
        double step = (4.0 * size * 1.8 + 3.2 * wkShapeReach(&c.shape)) / samples;
        for (int k = 0; k < CELL_COUNT; k++) {
            double worth = worthOf(&c, k);
            if (worth == 0.0) {
                assert_true(got.probability[k] == 0.0);
                continue;
            }
            wkCellKey key = keyOf(k);
            bool isMet = got.probability[k] > 0.0;
            if (!isMet && !isAtEdge(&got, k)) {
                continue;
            }
            double distance = distanceToWay(&c, k, poses, poseCount, samples);
            if (isMet ? distance > c.def.margin + tolerance + step
                      : distance <= c.def.margin - 1e-9) {
                fail_msg("%s: cell (%d %d %d) %s, %g from the way, cells are %g",
                         wkShapeTypeName(c.shape.type), key.x, key.y, key.z,
                         isMet ? "was met" : "was missed", distance, size);
            }
        }
        wkCost_Destroy(cost);
        wkOctree_Destroy(c.octree);
    }
}

static void poses_that_do_not_differ_are_exact(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed() + 6);
    for (int i = 0; i < wkKitCasesOfKinds(16, WK_MAP_KIND_COUNT); i++) {
        costCase c = makeCase(&rng, i % WK_MAP_KIND_COUNT);
        wkPose poses[3] = {c.pose, c.pose, c.pose};
        wkCost *resting = createCost(&c), *moved = createCost(&c);
        assert_int_equal(wkCost_AddShape(resting, &c.map, c.mapPose, &c.shape, c.pose), wk_ok);
        assert_int_equal(wkCost_AddMotion(moved, &c.map, c.mapPose, &c.shape, poses, 3), wk_ok);
        wkCostInfo a = wkCost_Info(resting), b = wkCost_Info(moved);
        assert_memory_equal(&a, &b, sizeof a);
        wkCost_Destroy(resting);
        wkCost_Destroy(moved);
        wkOctree_Destroy(c.octree);
    }
}

static void a_sphere_that_rotations_on_the_spot_costs_what_it_costs_at_rest(void** state)
{
    (void)state;
    wkOctree* octree = NULL;
    assert_int_equal(wkOctree_Create(NULL, &octree), wk_ok);
    wkShape map = wkMakeOctree(octree), sphere = wkMakeSphere(0.31);
    wkPose poses[2] = {wkIdentityPose(), wkMakePoseRpy((wkVec3d){0.0, 0.0, 0.0}, 1.0, 2.0, 3.0)};
    wkCost *resting = NULL, *turned = NULL;
    assert_int_equal(wkCost_Create(NULL, &resting), wk_ok);
    assert_int_equal(wkCost_Create(NULL, &turned), wk_ok);
    assert_int_equal(wkCost_AddShape(resting, &map, poses[0], &sphere, poses[0]), wk_ok);
    assert_int_equal(wkCost_AddMotion(turned, &map, poses[0], &sphere, poses, 2), wk_ok);
    assert_int_equal(wkCost_Info(resting).cellCount, wkCost_Info(turned).cellCount);
    wkCost_Destroy(resting);
    wkCost_Destroy(turned);
    wkOctree_Destroy(octree);
}

// Cubes of a coarser depth are the cells of a coarser map.
static void coarser_cubes_are_the_cells_of_a_coarser_map(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed() + 7);
    for (int i = 0; i < wkKitCasesOfKinds(24, WK_MAP_KIND_COUNT); i++) {
        costCase c = makeCase(&rng, i % WK_MAP_KIND_COUNT);
        int levels = 1 + i % 2;
        c.def.countsUnknown = false;
        wkOctree* coarse = NULL;
        assert_int_equal(wkOctree_Coarsen(c.octree, levels, wk_mixFree, &coarse), wk_ok);
        wkShape coarseMap = wkMakeOctree(coarse);
        coarseMap.rounding = c.map.rounding;
        wkCost* expected = createCost(&c);
        c.def.maxDepth = 16 - levels;
        wkCost* cost = createCost(&c);
        assert_int_equal(wkCost_AddShape(expected, &coarseMap, c.mapPose, &c.shape, c.pose), wk_ok);
        assert_int_equal(wkCost_AddShape(cost, &c.map, c.mapPose, &c.shape, c.pose), wk_ok);
        wkCostInfo a = wkCost_Info(expected), b = wkCost_Info(cost);
        assert_true(fabs(a.volume - b.volume) <= 1e-9 * a.volume);
        assert_true(fabs(a.weightedVolume - b.weightedVolume) <= 1e-9 * a.volume);
        assert_int_equal(a.boxCount, b.boxCount);
        wkCost_Destroy(expected);
        wkCost_Destroy(cost);
        wkOctree_Destroy(coarse);
        wkOctree_Destroy(c.octree);
    }
}

static int freeBank(void** state)
{
    (void)state;
    wkKitEnd();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pose_costs_the_cells_that_its_shape_meets),
        cmocka_unit_test(totals_are_the_sums_of_the_boxes),
        cmocka_unit_test(the_most_probable_boxes_come_first_at_any_capacity),
        cmocka_unit_test(the_order_of_additions_does_not_matter_and_no_cell_counts_twice),
        cmocka_unit_test(a_path_misses_no_cell_and_keeps_to_its_tolerance),
        cmocka_unit_test(poses_that_do_not_differ_are_exact),
        cmocka_unit_test(a_sphere_that_rotations_on_the_spot_costs_what_it_costs_at_rest),
        cmocka_unit_test(coarser_cubes_are_the_cells_of_a_coarser_map),
    };
    return cmocka_run_group_tests(tests, NULL, freeBank);
}
