// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A rule of the test's own for every walk: bounds are times of contact instead of squared distances. Bodies
// move along a line, volumes are bounded by the first time at which they can touch, leaves are evaluated
// one pair at a time, and the first contact is that of all pairs.

#include "query/map/cube_walk.h"
#include "query/map/map_query.h"
#include "query/tree/walk.h"
#include "tree/bvh/slot_box.h"
#include "tree/bvh/tree_shape.h"
#include "unit_kit.h"

#include "scenes/maps.h"
#include "scenes/mesh_models.h"

#include <float.h>

#define CASES 60
#define PARTS 4000

// Bodies this close are in contact, in metres.
#define TOUCH 1e-3

static wkMapPart parts[PARTS];

// A translation from time 0 to 1, in the frame of what stays.
typedef struct motion {
    wkVec3d along;
    int64_t evaluated; // pairs
    double first;      // time of the first contact so far; infinite: none
} motion;

static float limitOf(double time)
{
    return time < (double)INFINITY ? (float)(time * (1.0 + 1e-6)) : FLT_MAX;
}

// First time at which a moving box is within TOUCH of another; infinite: never. Rounded down.
static float boxTime(const motion* m, wkVec3d between, wkVec3d half)
{
    const double from[3] = {between.x, between.y, between.z};
    const double way[3] = {m->along.x, m->along.y, m->along.z};
    const double reach[3] = {half.x + TOUCH, half.y + TOUCH, half.z + TOUCH};
    double enter = 0.0, leave = 1.0;
    for (int k = 0; k < 3; k++) {
        if (way[k] == 0.0) {
            leave = fabs(from[k]) > reach[k] ? -1.0 : leave;
            continue;
        }
        double a = (from[k] - reach[k]) / way[k], b = (from[k] + reach[k]) / way[k];
        enter = wkMaxD(enter, wkMinD(a, b) - 1e-6);
        leave = wkMinD(leave, wkMaxD(a, b) + 1e-6);
    }
    return enter <= leave ? (float)(wkPositive(enter) * (1.0 - 1e-6)) : INFINITY;
}

// First contact of two convex shapes by conservative advancement.
static void evaluate(motion* m, const wkShape* moving, wkPose pose, const wkShape* fixed,
                     wkPose fixedPose)
{
    double speed = wkLength(m->along), time = 0.0;
    m->evaluated++;
    while (time <= 1.0) {
        wkPose now = pose;
        now.position = wkMulAdd(pose.position, time, m->along);
        double distance = wkDistance(moving, now, fixed, fixedPose, NULL).distance;
        if (distance <= TOUCH) {
            m->first = wkMinD(m->first, time);
            return;
        }
        time += distance / speed;
    }
}

static wkMesh* meshOf(wkRng* rng, wkVolumeKind volume)
{
    wkModel model = {0};
    double radius = wkRngRange(rng, 0.3, 0.6);
    assert_true(wkModel_AddBlob(&model, wkVec(0.1, 0.0, 0.0), radius, 0.2, 6, 8));
    wkMeshDef def = wkDefaultMeshDef();
    def.vertices = model.vertices;
    def.vertexCount = model.vertexCount;
    def.triangles = model.indices;
    def.triangleCount = model.triangleCount;
    def.volume = volume;
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    wkModel_Free(&model);
    return mesh;
}

static wkTreeView viewOf(const wkMesh* mesh)
{
    wkShape shape = wkMakeMesh(mesh);
    wkTreeView view;
    wkTreeShapeRowOf(&shape)->view(&shape, &view);
    return view;
}

static wkShape triangleOf(const wkTreeView* view, int32_t item)
{
    wkItem triangle;
    wkViewItem(view, item, &triangle);
    return triangle.shape;
}

// Center and half of the box around a volume, along the axes of its tree.
static wkAabb boxOf(const wkTree* tree, wkSlot slot)
{
    wkObb obb = wkSlotBox(tree, slot);
    const wkMat3d* m = &obb.frame.rotation;
    wkVec3d half = wkAdd(wkAdd(wkScale(obb.half.x, wkAbs(m->x)), wkScale(obb.half.y, wkAbs(m->y))),
                         wkScale(obb.half.z, wkAbs(m->z)));
    wkAabb box = {wkSub(obb.frame.position, half), wkAdd(obb.frame.position, half)};
    return box;
}

static wkVec3d halfOf(wkAabb box)
{
    return wkScale(0.5, wkSub(box.upper, box.lower));
}

// From the moving box to the other one; the motion starts at `offset`.
static wkVec3d betweenBoxes(wkAabb moving, wkVec3d offset, wkAabb fixed)
{
    wkVec3d start = wkAdd(wkMiddle(moving.lower, moving.upper), offset);
    return wkSub(wkMiddle(fixed.lower, fixed.upper), start);
}

// A motion towards the origin, which may miss what is there.
static void makeMotion(wkRng* rng, wkVec3d* start, motion* m)
{
    wkVec3d direction = wkRngDirection(rng);
    double length = wkRngRange(rng, 1.5, 3.0);
    wkVec3d aside = wkRngDirection(rng);
    double off = wkRngRange(rng, 0.0, 0.8);
    *start = wkScale(length, direction);
    *m = (motion){.along = wkSub(wkScale(off, aside), wkScale(1.4 * length, direction)),
                  .first = INFINITY};
}

// A convex body that moves against one tree.
typedef struct shapeCast {
    wkSlotWalk base;
    motion* motion;
    const wkTreeView* view;
    wkShape shape;
    wkPose pose;
    wkAabb box; // around the body at the start
} shapeCast;

WK_FORCE_FN unsigned boundTimes(const void* query, uint32_t node, wkBounds* bounds)
{
    const shapeCast* cast = (const shapeCast*)query;
    const wkLink* links = wkTreeLinks(&cast->base.tree, node);
    unsigned mask = 0;
    for (uint32_t i = 0; i < WK_TREE_WIDTH; ++i) {
        if (links[i] != WK_LINK_EMPTY) {
            wkAabb box = boxOf(&cast->base.tree, node * WK_TREE_WIDTH + i);
            wkVec3d between = betweenBoxes(cast->box, wkVec(0.0, 0.0, 0.0), box);
            bounds->least[i] =
                boxTime(cast->motion, between, wkAdd(halfOf(cast->box), halfOf(box)));
            bounds->guesses[i] = bounds->least[i];
            mask |= (bounds->least[i] > cast->base.limit ? 0u : 1u) << i;
        }
    }
    return mask;
}

static wkStep castAtItems(wkSlotWalk* base, wkLink link)
{
    shapeCast* cast = (shapeCast*)base;
    int32_t first = wkLeafFirst(link), end = first + wkLeafCount(link);
    for (int32_t item = first; item < end; ++item) {
        wkShape triangle = triangleOf(cast->view, item);
        evaluate(cast->motion, &cast->shape, cast->pose, &triangle, wkIdentityPose());
    }
    base->limit = limitOf(cast->motion->first);
    return wk_stepOn;
}

static void checkFirst(const motion* found, const motion* all, int* hits)
{
    if (found->first != all->first) {
        fail_msg("first contact at %.17g, of all pairs at %.17g", found->first, all->first);
    }
    *hits += found->first < (double)INFINITY;
}

static void casts_of_shapes_at_meshes(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 1);
    int hits = 0;
    int64_t evaluated = 0, pairs = 0;
    for (int n = 0; n < CASES; n++) {
        wkMesh* mesh = meshOf(&rng, n % 3 == 0 ? wk_volumeObb : wk_volumeAabb);
        wkTreeView view = viewOf(mesh);
        motion m;
        wkVec3d start;
        makeMotion(&rng, &start, &m);
        double size = wkRngRange(&rng, 0.05, 0.3);
        shapeCast cast = {.motion = &m, .view = &view, .pose = {start, wkRngRotation(&rng)}};
        cast.shape = n % 2 == 0 ? wkMakeSphere(size) : wkMakeBox(size, 0.5 * size, 0.7 * size);
        cast.box = wkShape_Bounds(&cast.shape, cast.pose);
        cast.base = (wkSlotWalk){.tree = view.tree, .limit = FLT_MAX, .leaf = castAtItems};
        wkSlotRule rule = {boundTimes};
        wkWalkSlots(&cast.base, &cast, rule);
        motion all = {.along = m.along, .first = INFINITY};
        for (int32_t item = 0; item < view.itemCount; item++) {
            wkShape triangle = triangleOf(&view, item);
            evaluate(&all, &cast.shape, cast.pose, &triangle, wkIdentityPose());
        }
        checkFirst(&m, &all, &hits);
        evaluated += m.evaluated;
        pairs += all.evaluated;
        wkMesh_Destroy(mesh);
    }
    assert_true(hits > CASES / 4 && hits < CASES);
    assert_true(evaluated < pairs / 4);
}

// A mesh that moves against another, or against a map; all have the same axes.
typedef struct meshCast {
    wkPairWalk pairs;
    motion* motion;
    wkTreeView a; // moves
    wkTreeView b;
    wkVec3d start;
    wkMapView cells;
    float limit; // for maps
} meshCast;

static bool opensLarger(const void* query, wkSlot a, wkSlot b)
{
    const meshCast* cast = (const meshCast*)query;
    return wkSumAbs(halfOf(boxOf(&cast->a.tree, a))) > wkSumAbs(halfOf(boxOf(&cast->b.tree, b)));
}

static unsigned boundPairTimes(const void* query, bool opensA, wkSlot slot, uint32_t node,
                               wkBounds* bounds)
{
    const meshCast* cast = (const meshCast*)query;
    const wkTree *opened = opensA ? &cast->a.tree : &cast->b.tree,
                 *closed = opensA ? &cast->b.tree : &cast->a.tree;
    const wkLink* links = wkTreeLinks(opened, node);
    wkAabb single = boxOf(closed, slot);
    unsigned mask = 0;
    for (uint32_t i = 0; i < WK_TREE_WIDTH; ++i) {
        if (links[i] != WK_LINK_EMPTY) {
            wkAabb box = boxOf(opened, node * WK_TREE_WIDTH + i);
            wkVec3d between =
                betweenBoxes(opensA ? box : single, cast->start, opensA ? single : box);
            bounds->least[i] = boxTime(cast->motion, between, wkAdd(halfOf(single), halfOf(box)));
            bounds->guesses[i] = bounds->least[i];
            mask |= (bounds->least[i] > cast->pairs.limit ? 0u : 1u) << i;
        }
    }
    return mask;
}

static void evaluatePair(meshCast* cast, motion* m, int32_t itemA, int32_t itemB)
{
    wkShape a = triangleOf(&cast->a, itemA), b = triangleOf(&cast->b, itemB);
    wkPose start = {cast->start, {0.0, 0.0, 0.0, 1.0}};
    evaluate(m, &a, start, &b, wkIdentityPose());
}

static wkStep castAtPairs(wkPairWalk* pairs, wkLink linkA, wkLink linkB)
{
    meshCast* cast = (meshCast*)pairs;
    for (int32_t i = 0; i < wkLeafCount(linkA); ++i) {
        for (int32_t k = 0; k < wkLeafCount(linkB); ++k) {
            evaluatePair(cast, cast->motion, wkLeafFirst(linkA) + i, wkLeafFirst(linkB) + k);
        }
    }
    pairs->limit = limitOf(cast->motion->first);
    return wk_stepOn;
}

static wkStep castDown(wkPairWalk* walk, const void* query, wkSlotPair start)
{
    wkPairRule rule = {opensLarger, boundPairTimes};
    return wkWalkDown(walk, query, rule, start);
}

// The earliest time comes first, wherever it is in the two trees.
static void casts_of_meshes_at_meshes(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 2);
    int hits = 0;
    int64_t evaluated = 0, pairs = 0;
    for (int n = 0; n < CASES / 6; n++) {
        wkMesh *moving = meshOf(&rng, wk_volumeAabb), *fixed = meshOf(&rng, wk_volumeAabb);
        motion m;
        meshCast cast = {.motion = &m, .a = viewOf(moving), .b = viewOf(fixed)};
        makeMotion(&rng, &cast.start, &m);
        cast.pairs = (wkPairWalk){cast.a.tree, cast.b.tree, FLT_MAX, castAtPairs};
        wkPairRule rule = {opensLarger, boundPairTimes};
        wkWalkNearest(&cast.pairs, &cast, rule, castDown);
        motion down = {.along = m.along, .first = INFINITY};
        motion all = down;
        for (int32_t i = 0; i < cast.a.itemCount; i++) {
            for (int32_t k = 0; k < cast.b.itemCount; k++) {
                evaluatePair(&cast, &all, i, k);
            }
        }
        checkFirst(&m, &all, &hits);
        evaluated += m.evaluated;
        pairs += all.evaluated;
        cast.motion = &down;
        cast.pairs.limit = FLT_MAX;
        castDown(&cast.pairs, &cast, wkStems);
        assert_true(down.first == all.first && down.evaluated >= m.evaluated);
        wkMesh_Destroy(moving);
        wkMesh_Destroy(fixed);
    }
    assert_true(hits > CASES / 24);
    assert_true(evaluated < pairs / 20);
}

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
    int hits = 0;
    int64_t evaluated = 0, pairs = 0;
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
        checkFirst(&m, &all, &hits);
        evaluated += m.evaluated;
        pairs += all.evaluated;
        wkOctree_Destroy(octree);
    }
    assert_true(hits > CASES / 4 && hits < CASES);
    assert_true(evaluated < pairs / 4);
}

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
    wkAabb moving = boxOf(&cast->a.tree, slot), box = boxOfCube(cast->cells.octree, cube);
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
    const wkLink* links = wkTreeLinks(&cast->a.tree, node);
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
        wkShape triangle = triangleOf(&cast->a, wkLeafFirst(link) + i);
        evaluate(cast->motion, &triangle, start, &cell, pose);
    }
    cast->limit = limitOf(cast->motion->first);
    return wk_stepOn;
}

static void casts_of_meshes_at_maps(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 4);
    int hits = 0;
    int64_t evaluated = 0, pairs = 0;
    for (int n = 0; n < CASES / 6; n++) {
        wkMesh* moving = meshOf(&rng, wk_volumeAabb);
        wkOctree* octree = makeMap(n % 2);
        motion m;
        meshCast cast = {.motion = &m, .a = viewOf(moving), .limit = FLT_MAX};
        wkShape map = shapeOfMap(octree);
        cast.cells = wkViewOfMap(&map);
        makeMotion(&rng, &cast.start, &m);
        wkCubeSlot stack[WK_MAP_TREE_STACK] = {{.slot = 0}};
        int count = wkMapRoot(&cast.cells, &stack[0].cube) ? 1 : 0;
        wkCubeSlotRule rule = {isPairLate, opensCubeFirst, openCubeByTime, openNodeByTime,
                               castAtCell};
        wkWalkCubeSlots(&cast.a.tree, &cast, rule, stack, count);
        motion all = {.along = m.along, .first = INFINITY};
        int32_t partCount = wkMapParts(&map, wkIdentityPose(), parts, PARTS);
        wkPose start = {cast.start, {0.0, 0.0, 0.0, 1.0}};
        for (int32_t k = 0; k < partCount; k++) {
            for (int32_t i = 0; i < cast.a.itemCount; i++) {
                wkShape triangle = triangleOf(&cast.a, i);
                evaluate(&all, &triangle, start, &parts[k].shape, parts[k].pose);
            }
        }
        checkFirst(&m, &all, &hits);
        evaluated += m.evaluated;
        pairs += all.evaluated;
        wkMesh_Destroy(moving);
        wkOctree_Destroy(octree);
    }
    assert_true(hits > CASES / 24);
    assert_true(evaluated < pairs / 10);
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
    int hits = 0;
    int64_t evaluated = 0, pairs = 0;
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
        checkFirst(&m, &all, &hits);
        evaluated += m.evaluated;
        pairs += all.evaluated;
        wkOctree_Destroy(octreeA);
        wkOctree_Destroy(octreeB);
    }
    assert_true(hits > CASES / 12);
    assert_true(evaluated < pairs / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(casts_of_shapes_at_meshes), cmocka_unit_test(casts_of_meshes_at_meshes),
        cmocka_unit_test(casts_of_shapes_at_maps),   cmocka_unit_test(casts_of_meshes_at_maps),
        cmocka_unit_test(casts_of_maps_at_maps),
    };
    return cmocka_run_group_tests_name("cast_rule", tests, NULL, NULL);
}
