// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The rule of unit.cast_rule for the walks of maps: a body, a mesh or a map moves against the cells of a map, cubes
// are bounded by the first time of contact, and the first contact is that of all pairs.

#include "cast_kit.h"
#include "query/map/cube_walk.h"
#include "query/map/map_query.h"

#include "scenes/maps.h"

#define PARTS 4000

static wkMapPart parts[PARTS];

static wkAabb boxOfCube(const wkOctree* octree, const wkCube* cube)
{
    double half = wkCubeHalf(octree, cube);
    wkVec3d center = wkCubeCenter(octree, cube), around = wkVec(half, half, half);
    wkAabb box = {wkSub(center, around), wkAdd(center, around)};
    return box;
}

// A convex body that moves against a map.
typedef struct cellCast {
    motion* motion;
    wkMapView view;
    wkShape shape;
    wkPose pose;
    wkAabb box;
    float limit;
} cellCast;

static bool isCubeLate(void* query, const wkCube* cube)
{
    return cube->bound > ((const cellCast*)query)->limit;
}

// Sorts cubes, the earliest last.
static int sortCubes(wkCube* cubes, int count)
{
    for (int i = 1; i < count; i++) {
        wkCube cube = cubes[i];
        int k = i;
        for (; k > 0 && cubes[k - 1].bound < cube.bound; --k) {
            cubes[k] = cubes[k - 1];
        }
        cubes[k] = cube;
    }
    return count;
}

static int openByTime(void* query, wkCube* cube, wkCube* stack)
{
    const cellCast* cast = (const cellCast*)query;
    wkCube children[8];
    int count = wkOpenCube(&cast->view, cube, children), kept = 0;
    for (int i = 0; i < count; i++) {
        wkAabb box = boxOfCube(cast->view.octree, &children[i]);
        wkVec3d between = betweenBoxes(cast->box, wkVec(0.0, 0.0, 0.0), box);
        children[i].bound = boxTime(cast->motion, between, wkAdd(halfOf(cast->box), halfOf(box)));
        if (!(children[i].bound > cast->limit)) {
            stack[kept++] = children[i];
        }
    }
    return sortCubes(stack, kept);
}

// A cell as a shape.
static wkShape shapeOfCube(const wkOctree* octree, const wkCube* cube, wkPose* pose)
{
    double edge = 2.0 * wkCubeHalf(octree, cube);
    *pose = (wkPose){wkCubeCenter(octree, cube), {0.0, 0.0, 0.0, 1.0}};
    return wkMakeBox(edge, edge, edge);
}

static wkStep castAtCube(void* query, const wkCube* cube)
{
    cellCast* cast = (cellCast*)query;
    wkPose pose;
    wkShape cell = shapeOfCube(cast->view.octree, cube, &pose);
    evaluate(cast->motion, &cast->shape, cast->pose, &cell, pose);
    cast->limit = limitOf(cast->motion->first);
    return wk_stepOn;
}

static wkOctree* makeMap(int n)
{
    static const int kinds[] = {2, 3, 4, 5};
    wkOctree* octree = wkMakeMap(kinds[n % 4], 0.1, UNIT_SEED + (uint64_t)n);
    assert_non_null(octree);
    return octree;
}

static wkShape shapeOfMap(const wkOctree* octree)
{
    wkShape map = wkMakeOctree(octree);
    map.map.unknown = wk_unknownFree;
    return map;
}

static void casts_of_shapes_at_maps(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 3);
    castTally tally = {0};
    for (int n = 0; n < CASES; n++) {
        wkOctree* octree = makeMap(n);
        motion m;
        wkVec3d start;
        makeMotion(&rng, &start, &m);
        double size = wkRngRange(&rng, 0.05, 0.3);
        wkShape map = shapeOfMap(octree);
        cellCast cast = {.motion = &m, .view = wkViewOfMap(&map), .limit = FLT_MAX};
        cast.pose = (wkPose){wkScale(1.5, start), wkRngRotation(&rng)};
        cast.shape = n % 2 == 0 ? wkMakeSphere(size) : wkMakeBox(size, 0.5 * size, 0.7 * size);
        cast.box = wkShape_Bounds(&cast.shape, cast.pose);
        wkCube stack[WK_MAP_STACK];
        int count = wkMapRoot(&cast.view, &stack[0]) ? 1 : 0;
        wkCubeRule rule = {isCubeLate, openByTime, castAtCube};
        wkWalkCubes(&cast, rule, stack, count);
        motion all = {.along = m.along, .first = INFINITY};
        int32_t partCount = wkMapParts(&map, wkIdentityPose(), parts, PARTS);
        assert_true(partCount <= PARTS);
        for (int32_t k = 0; k < partCount; k++) {
            evaluate(&all, &cast.shape, cast.pose, &parts[k].shape, parts[k].pose);
        }
        checkFirst(&m, &all, &tally);
        wkOctree_Destroy(octree);
    }
    assert_true(tally.hits > CASES / 4 && tally.hits < CASES);
    assert_true(tally.evaluated < tally.pairs / 4);
}

// A mesh that moves against a map; both have the same axes.
typedef struct meshCast {
    motion* motion;
    wkTreeView tree; // moves
    wkMapView cells;
    wkVec3d start;
    float limit;
} meshCast;

static bool isPairLate(void* query, const wkCubeSlot* pair)
{
    return pair->cube.bound > ((const meshCast*)query)->limit;
}

static bool opensCubeFirst(void* query, const wkCubeSlot* pair)
{
    (void)query, (void)pair;
    return true;
}

static float pairTime(const meshCast* cast, const wkCube* cube, wkSlot slot)
{
    wkAabb moving = boxOf(&cast->tree.tree, slot), box = boxOfCube(cast->cells.octree, cube);
    return boxTime(cast->motion, betweenBoxes(moving, cast->start, box),
                   wkAdd(halfOf(moving), halfOf(box)));
}

// Pushes a pair, sorted among those from `first` on, the earliest last.
static int pushPair(const meshCast* cast, wkCubeSlot pair, wkCubeSlot* stack, int count)
{
    pair.cube.bound = pairTime(cast, &pair.cube, pair.slot);
    if (pair.cube.bound > cast->limit) {
        return count;
    }
    int k = count;
    for (; k > 0 && stack[k - 1].cube.bound < pair.cube.bound; --k) {
        stack[k] = stack[k - 1];
    }
    stack[k] = pair;
    return count + 1;
}

static int openCubeByTime(void* query, wkCubeSlot* pair, wkCubeSlot* stack)
{
    const meshCast* cast = (const meshCast*)query;
    wkCube children[8];
    int count = wkOpenCube(&cast->cells, &pair->cube, children), kept = 0;
    for (int i = 0; i < count; i++) {
        kept = pushPair(cast, (wkCubeSlot){children[i], pair->slot}, stack, kept);
    }
    return kept;
}

static int openNodeByTime(void* query, const wkCubeSlot* pair, uint32_t node, wkCubeSlot* stack)
{
    const meshCast* cast = (const meshCast*)query;
    const wkLink* links = wkTreeLinks(&cast->tree.tree, node);
    int kept = 0;
    for (uint32_t i = 0; i < WK_TREE_WIDTH && links[i] != WK_LINK_EMPTY; ++i) {
        kept = pushPair(cast, (wkCubeSlot){pair->cube, node * WK_TREE_WIDTH + i}, stack, kept);
    }
    return kept;
}

static wkStep castAtCell(void* query, const wkCubeSlot* pair, wkLink link)
{
    meshCast* cast = (meshCast*)query;
    wkPose pose;
    wkShape cell = shapeOfCube(cast->cells.octree, &pair->cube, &pose);
    wkPose start = {cast->start, {0.0, 0.0, 0.0, 1.0}};
    for (int32_t i = 0; i < wkLeafCount(link); ++i) {
        wkShape triangle = triangleOf(&cast->tree, wkLeafFirst(link) + i);
        evaluate(cast->motion, &triangle, start, &cell, pose);
    }
    cast->limit = limitOf(cast->motion->first);
    return wk_stepOn;
}

static void casts_of_meshes_at_maps(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 4);
    castTally tally = {0};
    for (int n = 0; n < CASES / 6; n++) {
        wkMesh* moving = meshOf(&rng, wk_volumeAabb);
        wkOctree* octree = makeMap(n % 2);
        motion m;
        meshCast cast = {.motion = &m, .tree = viewOf(moving), .limit = FLT_MAX};
        wkShape map = shapeOfMap(octree);
        cast.cells = wkViewOfMap(&map);
        makeMotion(&rng, &cast.start, &m);
        wkCubeSlot stack[WK_MAP_TREE_STACK] = {{.slot = 0}};
        int count = wkMapRoot(&cast.cells, &stack[0].cube) ? 1 : 0;
        wkCubeSlotRule rule = {isPairLate, opensCubeFirst, openCubeByTime, openNodeByTime,
                               castAtCell};
        wkWalkCubeSlots(&cast.tree.tree, &cast, rule, stack, count);
        motion all = {.along = m.along, .first = INFINITY};
        int32_t partCount = wkMapParts(&map, wkIdentityPose(), parts, PARTS);
        wkPose start = {cast.start, {0.0, 0.0, 0.0, 1.0}};
        for (int32_t k = 0; k < partCount; k++) {
            for (int32_t i = 0; i < cast.tree.itemCount; i++) {
                wkShape triangle = triangleOf(&cast.tree, i);
                evaluate(&all, &triangle, start, &parts[k].shape, parts[k].pose);
            }
        }
        checkFirst(&m, &all, &tally);
        wkMesh_Destroy(moving);
        wkOctree_Destroy(octree);
    }
    assert_true(tally.hits > CASES / 24);
    assert_true(tally.evaluated < tally.pairs / 10);
}

// A map that moves against another; both have the same axes.
typedef struct mapCast {
    motion* motion;
    wkMapView a; // moves
    wkMapView b;
    wkVec3d start;
    float limit;
} mapCast;

static bool isLate(void* query, const wkCubePair* pair)
{
    return pair->a.bound > ((const mapCast*)query)->limit;
}

static bool opensLargerCube(void* query, const wkCubePair* pair)
{
    (void)query;
    return pair->a.depth < pair->b.depth; // of equal cells
}

static int openEither(void* query, bool opensA, wkCubePair* pair, wkCube below[8])
{
    const mapCast* cast = (const mapCast*)query;
    wkAabb single =
        opensA ? boxOfCube(cast->b.octree, &pair->b) : boxOfCube(cast->a.octree, &pair->a);
    wkCube children[8];
    int count = opensA ? wkOpenCube(&cast->a, &pair->a, children)
                       : wkOpenCube(&cast->b, &pair->b, children);
    int kept = 0;
    for (int i = 0; i < count; i++) {
        wkAabb box = boxOfCube(opensA ? cast->a.octree : cast->b.octree, &children[i]);
        wkVec3d between = betweenBoxes(opensA ? box : single, cast->start, opensA ? single : box);
        children[i].bound = boxTime(cast->motion, between, wkAdd(halfOf(single), halfOf(box)));
        if (!(children[i].bound > cast->limit)) {
            below[kept++] = children[i];
        }
    }
    return sortCubes(below, kept);
}

static wkStep castAtTwoCubes(void* query, const wkCubePair* pair)
{
    mapCast* cast = (mapCast*)query;
    wkPose poseA, poseB;
    wkShape a = shapeOfCube(cast->a.octree, &pair->a, &poseA);
    wkShape b = shapeOfCube(cast->b.octree, &pair->b, &poseB);
    poseA.position = wkAdd(poseA.position, cast->start);
    evaluate(cast->motion, &a, poseA, &b, poseB);
    cast->limit = limitOf(cast->motion->first);
    return wk_stepOn;
}

static void casts_of_maps_at_maps(void** state)
{
    (void)state;
    static wkMapPart moving[PARTS];
    wkRng rng = wkMakeRng(UNIT_SEED + 5);
    castTally tally = {0};
    for (int n = 0; n < CASES / 3; n++) {
        wkOctree *octreeA = makeMap(n % 2), *octreeB = makeMap((n + 1) % 2);
        wkShape a = shapeOfMap(octreeA), b = shapeOfMap(octreeB);
        motion m;
        mapCast cast = {.motion = &m, .a = wkViewOfMap(&a), .b = wkViewOfMap(&b), .limit = FLT_MAX};
        makeMotion(&rng, &cast.start, &m);
        cast.start = wkScale(1.5, cast.start);
        wkCubePair stack[WK_MAPS_STACK];
        bool isAny = wkMapRoot(&cast.a, &stack[0].a) && wkMapRoot(&cast.b, &stack[0].b);
        wkCubePairRule rule = {isLate, opensLargerCube, openEither, castAtTwoCubes};
        wkWalkCubePairs(&cast, rule, stack, isAny ? 1 : 0);
        motion all = {.along = m.along, .first = INFINITY};
        wkPose start = {cast.start, {0.0, 0.0, 0.0, 1.0}};
        int32_t countA = wkMapParts(&a, start, moving, PARTS);
        int32_t countB = wkMapParts(&b, wkIdentityPose(), parts, PARTS);
        for (int32_t i = 0; i < countA; i++) {
            for (int32_t k = 0; k < countB; k++) {
                evaluate(&all, &moving[i].shape, moving[i].pose, &parts[k].shape, parts[k].pose);
            }
        }
        checkFirst(&m, &all, &tally);
        wkOctree_Destroy(octreeA);
        wkOctree_Destroy(octreeB);
    }
    assert_true(tally.hits > CASES / 12);
    assert_true(tally.evaluated < tally.pairs / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(casts_of_shapes_at_maps),
        cmocka_unit_test(casts_of_meshes_at_maps),
        cmocka_unit_test(casts_of_maps_at_maps),
    };
    return cmocka_run_group_tests_name("cast_rule_maps", tests, NULL, NULL);
}
