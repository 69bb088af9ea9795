// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The cost of places and paths: numbers one can check by hand, shapes that are not convex, and what
// is refused.

#include "octree_kit.h"

static wkCost* createCost(const wkCostDef* def)
{
    wkCost* cost = NULL;
    assert_int_equal(wkCost_Create(def, &cost), wk_ok);
    return cost;
}

static void add(wkCost* cost, const wkOctree* octree, const wkShape* shape, wkPose pose)
{
    wkShape map = wkMakeOctree(octree);
    assert_int_equal(wkCost_AddShape(cost, &map, wkIdentityPose(), shape, pose), wk_ok);
}

static void expectNear(double a, double b)
{
    if (!(fabs(a - b) <= 1e-9)) {
        fail_msg("%.17g, expected %.17g", a, b);
    }
}

static void a_box_in_unknown_space_costs_the_cells_it_reaches_into(void** state)
{
    (void)state;
    wkOctree* octree = createMap(0.1);
    wkCost* cost = createCost(NULL);
    wkShape box = wkMakeBox(0.2, 0.2, 0.2);
    wkPose pose = wkMakePose(0.05, 0.05, 0.05); // half a cell into all neighbours of the middle one
    add(cost, octree, &box, pose);
    wkCostInfo totals = wkCost_Info(cost);
    assert_int_equal(totals.cellCount, 27);
    expectNear(totals.volume, 0.027);
    expectNear(totals.weightedVolume, 0.0135);
    expectNear(totals.unknownVolume, 0.027);
    expectNear(totals.highestProbability, 0.5);

    // one cube of eight cells has been merged
    assert_int_equal(totals.boxCount, 20);
    wkCost_Clear(cost);
    assert_int_equal(wkCost_Info(cost).boxCount, 0);
    wkCost_Destroy(cost);
    wkOctree_Destroy(octree);
}

static void free_cells_cost_nothing_and_uncertain_ones_what_they_are(void** state)
{
    (void)state;
    wkOctree* octree = createMap(0.1);
    wkAabb room = {{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}};
    assert_int_equal(wkOctree_FillBox(octree, room, -10.0f), wk_ok);
    wkShape sphere = wkMakeSphere(0.3);
    wkCost* cost = createCost(NULL);
    add(cost, octree, &sphere, wkIdentityPose());
    assert_int_equal(wkCost_Info(cost).cellCount, 0);

    // a cell that was seen free once more often than occupied, and one that is occupied
    wkCellKey second = {32769, 32768, 32768};
    assert_int_equal(wkOctree_SetLogOdds(octree, middleKey(), 16, -0.4f), wk_ok);
    assert_int_equal(wkOctree_SetLogOdds(octree, second, 16, 2.0f), wk_ok);
    add(cost, octree, &sphere, wkIdentityPose());
    wkCostBox boxes[3];
    assert_int_equal(wkCost_Boxes(cost, boxes, 3), 2);
    assert_true(wkCellId_Equals(boxes[0].cell, wkMakeCellId(second, 16)));
    assert_int_equal(boxes[0].state, wk_cellOccupied);
    expectNear(boxes[0].probability, wkOctree_CellAt(octree, second).probability);
    expectNear(boxes[0].volume, 0.001);
    expectNear(boxes[0].box.lower.x, 0.1);
    assert_true(wkCellId_Equals(boxes[1].cell, wkMakeCellId(middleKey(), 16)));
    assert_int_equal(boxes[1].state, wk_cellFree);
    wkCost_Destroy(cost);

    // as free as they get, but above a threshold of one's own
    wkCostDef def = wkDefaultCostDef();
    def.minProbability = 1e-6;
    cost = createCost(&def);
    add(cost, octree, &sphere, wkIdentityPose());
    assert_true(wkCost_Info(cost).cellCount > 100);
    wkCost_Destroy(cost);
    wkOctree_Destroy(octree);
}

static void a_coarse_cube_is_as_probable_as_the_highest_in_it(void** state)
{
    (void)state;
    static const double unknownProbabilities[] = {0.2, 0.9};
    static const wkCellState states[] = {wk_cellOccupied, wk_cellUnknown};
    wkOctree* octree = createMap(0.1);
    assert_int_equal(wkOctree_SetLogOdds(octree, middleKey(), 16, 1.0f), wk_ok);
    for (int i = 0; i < 2; ++i) {
        wkCostDef def = wkDefaultCostDef();
        def.maxDepth = 14;
        def.unknownProbability = unknownProbabilities[i];
        wkCost* cost = createCost(&def);
        wkShape sphere = wkMakeSphere(0.01);
        add(cost, octree, &sphere, wkMakePose(0.3, 0.3, 0.3));
        wkCostBox box;
        assert_int_equal(wkCost_Boxes(cost, &box, 1), 1);
        assert_int_equal(box.state, states[i]);
        expectNear(box.volume, 0.064);
        assert_int_equal(wkCost_Info(cost).cellCount, 64);
        wkCost_Destroy(cost);
    }
    wkOctree_Destroy(octree);
}

// The way of a box along x is a longer box.
static void a_straight_path_costs_what_it_sweeps(void** state)
{
    (void)state;
    wkOctree* octree = createMap(0.1);
    wkShape map = wkMakeOctree(octree), box = wkMakeBox(0.1, 0.1, 0.1);
    const wkPose poses[] = {wkMakePose(-0.95, 0.05, 0.05), wkMakePose(0.95, 0.05, 0.05),
                            wkMakePose(-0.95, 0.05, 0.05)};
    wkCostDef def = wkDefaultCostDef();
    def.margin = -0.03; // more than the growth: cells that are only touched stay out
    def.tolerance = 0.02;
    wkCost* cost = createCost(&def);
    assert_int_equal(wkCost_AddMotion(cost, &map, wkIdentityPose(), &box, poses, 3), wk_ok);
    assert_int_equal(wkCost_Info(cost).cellCount, 20);
    wkCost_Destroy(cost);
    wkOctree_Destroy(octree);
}

static wkMesh* createCube(bool isSolid)
{
    wkMeshDef def = wkDefaultMeshDef();
    static const int32_t faces[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6},
                                         {0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3},
                                         {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
    wkVec3d faceVertices[8];
    for (int i = 0; i < 8; ++i) {
        faceVertices[i] = wkVec(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
    }
    def.vertices = faceVertices;
    def.vertexCount = 8;
    def.triangles = &faces[0][0];
    def.triangleCount = 12;
    def.isSolid = isSolid;
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    return mesh;
}

static int64_t cellsOf(const wkOctree* octree, const wkShape* shape, wkPose pose)
{
    wkCost* cost = createCost(NULL);
    add(cost, octree, shape, pose);
    int64_t count = wkCost_Info(cost).cellCount;
    wkCost_Destroy(cost);
    return count;
}

// A cube as a box, as a solid mesh, as its surface, and as the cells of another map.
static void bodies_that_are_not_convex_cost_what_they_fill(void** state)
{
    (void)state;
    wkOctree *octree = createMap(0.08), *other = createMap(0.25);
    wkAabb unit = {{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}};
    assert_int_equal(wkOctree_FillBox(other, unit, 2.0f), wk_ok);
    wkMesh *solid = createCube(true), *hollow = createCube(false);
    wkShape box = wkMakeBox(1.0, 1.0, 1.0);
    wkShape solidCube = wkMakeMesh(solid), surface = wkMakeMesh(hollow);
    wkShape cells = wkMakeOctree(other);
    wkPose pose = wkMakePoseRpy(wkVec(0.1, 0.2, 0.3), 0.3, 0.4, 0.5);
    int64_t count = cellsOf(octree, &box, pose);
    assert_int_equal(cellsOf(octree, &solidCube, pose), count);
    assert_int_equal(cellsOf(octree, &cells, pose), count);
    int64_t shell = cellsOf(octree, &surface, pose);
    assert_true(shell < count && shell > count / 4);
    wkMesh_Destroy(solid);
    wkMesh_Destroy(hollow);
    wkOctree_Destroy(octree);
    wkOctree_Destroy(other);
}

static void space_beyond_the_cells_has_no_cost(void** state)
{
    (void)state;
    wkOctree* octree = createMap(1e-3); // reaches to 32.768 m
    wkShape sphere = wkMakeSphere(0.01);
    assert_true(cellsOf(octree, &sphere, wkMakePose(32.768, 0.0, 0.0)) > 100);
    assert_int_equal(cellsOf(octree, &sphere, wkMakePose(33.0, 0.0, 0.0)), 0);
    assert_int_equal(cellsOf(octree, &sphere, wkMakePose(1e30, 0.0, 0.0)), 0);
    wkOctree_Destroy(octree);
}

typedef struct badDef {
    wkResult result;
    const char* words;
    wkCostDef def;
} badDef;

static badDef spoil(wkResult result, const char* words, size_t offset, double value)
{
    badDef bad = {result, words, wkDefaultCostDef()};
    memcpy((char*)&bad.def + offset, &value, sizeof value);
    return bad;
}

static void definitions_that_make_no_sense_are_refused(void** state)
{
    (void)state;
#define FIELD(name) #name, offsetof(wkCostDef, name)
    const badDef table[] = {
        spoil(wk_errorRange, FIELD(minProbability), -0.1),
        spoil(wk_errorRange, FIELD(minProbability), 1.1),
        spoil(wk_errorNotFinite, FIELD(minProbability), NAN),
        spoil(wk_errorRange, FIELD(unknownProbability), 1.1),
        spoil(wk_errorNotFinite, FIELD(unknownProbability), INFINITY),
        spoil(wk_errorNotFinite, FIELD(margin), NAN),
        spoil(wk_errorRange, FIELD(margin), 1e61),
        spoil(wk_errorRange, FIELD(tolerance), -1.0),
        spoil(wk_errorRange, FIELD(maxWork), 0.0),
    };
#undef FIELD
    wkCost* cost = NULL;
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
        cost = (wkCost*)&cost;
        assert_int_equal(wkCost_Create(&table[i].def, &cost), table[i].result);
        assert_null(cost);
        assert_non_null(strstr(wkGetLastError(), table[i].words));
    }
    wkCostDef def = wkDefaultCostDef();
    def.maxDepth = 17;
    assert_int_equal(wkCost_Create(&def, &cost), wk_errorRange);
    def = (wkCostDef){0};
    assert_int_equal(wkCost_Create(&def, &cost), wk_errorArgument);
    assert_int_equal(wkCost_Create(NULL, NULL), wk_errorArgument);
}

static void additions_that_make_no_sense_are_refused_and_add_nothing(void** state)
{
    (void)state;
    wkOctree *octree = createMap(0.1), *finer = createMap(0.05);
    wkCost* cost = createCost(NULL);
    wkShape map = wkMakeOctree(octree), other = wkMakeOctree(finer), sphere = wkMakeSphere(0.2);
    wkShape none = {0}, ground = wkMakeHalfspace(wkVec(0.1, 0.0, 1.0), 0.0);
    wkPose here = wkIdentityPose(), nowhere = wkMakePose(NAN, 0.0, 0.0);
    wkPose noRotation = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0}}, gone = wkMakePose(1e59, 0.0, 0.0);
    wkPose turned = wkMakePoseRpy(wkVec(0.0, 0.0, 0.0), 0.1, 0.0, 0.0);
    add(cost, octree, &sphere, here);
    wkCostInfo before = wkCost_Info(cost);
    const struct {
        wkResult result;
        int32_t count;
        wkCost* cost;
        const wkShape* map;
        wkPose mapPose;
        const wkShape* shape;
        wkPose poses[2];
    } table[] = {
        {wk_errorArgument, 2, NULL, &map, here, &sphere, {here, here}},
        {wk_errorArgument, 2, cost, NULL, here, &sphere, {here, here}},
        {wk_errorArgument, 2, cost, &map, here, NULL, {here, here}},
        {wk_errorArgument, 2, cost, &sphere, here, &sphere, {here, here}},
        {wk_errorArgument, 2, cost, &other, here, &sphere, {here, here}},
        {wk_errorArgument, 2, cost, &map, here, &none, {here, here}},
        {wk_errorArgument, -1, cost, &map, here, &sphere, {here, here}},
        {wk_errorNotFinite, 2, cost, &map, nowhere, &sphere, {here, here}},
        {wk_errorNotFinite, 2, cost, &map, here, &sphere, {here, nowhere}},
        {wk_errorNotFinite, 2, cost, &map, here, &sphere, {noRotation, here}},
        {wk_errorRange, 2, cost, &map, here, &sphere, {here, gone}},
        {wk_errorRange, 2, cost, &map, here, &sphere, {here, wkMakePose(1e9, 0.0, 0.0)}},
        {wk_errorUnsupported, 2, cost, &map, here, &ground, {here, turned}},
        {wk_ok, 0, cost, &map, here, &sphere, {here, nowhere}},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
        wkResult result = wkCost_AddMotion(table[i].cost, table[i].map, table[i].mapPose,
                                           table[i].shape, table[i].poses, table[i].count);
        if (result != table[i].result) {
            fail_msg("row %zu: %s (%s), expected %s", i, wkResultName(result), wkGetLastError(),
                     wkResultName(table[i].result));
        }
        wkCostInfo after = wkCost_Info(cost);
        assert_memory_equal(&before, &after, sizeof before);
    }
    assert_int_equal(wkCost_AddMotion(cost, &map, here, &sphere, NULL, 2), wk_errorArgument);
    wkCost_Destroy(cost);
    wkOctree_Destroy(octree);
    wkOctree_Destroy(finer);
}

// The surface of a half-space has billions of cells.
static void too_much_work_is_given_up(void** state)
{
    (void)state;
    wkCostDef def = wkDefaultCostDef();
    def.maxWork = 10000;
    wkCost* cost = createCost(&def);
    wkOctree* octree = createMap(0.05);
    wkShape map = wkMakeOctree(octree), ground = wkMakeHalfspace(wkVec(0.1, 0.2, 1.0), 0.0);
    wkPose here = wkIdentityPose();
    assert_int_equal(wkCost_AddShape(cost, &map, here, &ground, here), wk_errorRange);
    assert_non_null(strstr(wkGetLastError(), "10000"));
    assert_int_equal(wkCost_Info(cost).boxCount, 0);
    wkCost_Destroy(cost);

    // what is known has an end
    assert_int_equal(wkOctree_SetLogOdds(octree, middleKey(), 16, 1.0f), wk_ok);
    def.countsUnknown = false;
    cost = createCost(&def);
    add(cost, octree, &ground, here);
    assert_int_equal(wkCost_Info(cost).cellCount, 1);
    wkCost_Destroy(cost);
    wkOctree_Destroy(octree);
}

static void nothing_costs_nothing(void** state)
{
    (void)state;
    assert_int_equal(wkCost_Info(NULL).boxCount, 0);
    assert_int_equal(wkCost_Boxes(NULL, NULL, 0), 0);
    wkCost_Clear(NULL);
    wkCost_Destroy(NULL);
    wkCost* cost = createCost(NULL);
    assert_int_equal(wkCost_Boxes(cost, NULL, 0), 0);
    wkCost_Destroy(cost);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_box_in_unknown_space_costs_the_cells_it_reaches_into),
        cmocka_unit_test(free_cells_cost_nothing_and_uncertain_ones_what_they_are),
        cmocka_unit_test(a_coarse_cube_is_as_probable_as_the_highest_in_it),
        cmocka_unit_test(a_straight_path_costs_what_it_sweeps),
        cmocka_unit_test(bodies_that_are_not_convex_cost_what_they_fill),
        cmocka_unit_test(space_beyond_the_cells_has_no_cost),
        cmocka_unit_test(definitions_that_make_no_sense_are_refused),
        cmocka_unit_test(additions_that_make_no_sense_are_refused_and_add_nothing),
        cmocka_unit_test(too_much_work_is_given_up),
        cmocka_unit_test(nothing_costs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
