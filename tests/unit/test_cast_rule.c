// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A rule of the test's own for the walks of hierarchies: bounds are times of contact instead of squared distances.
// Bodies move along a line, volumes are bounded by the first time at which they can touch, leaves are evaluated one
// pair at a time, and the first contact is that of all pairs.

#include "cast_kit.h"
#include "query/tree/walk.h"

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

static void casts_of_shapes_at_meshes(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 1);
    castTally tally = {0};
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
        checkFirst(&m, &all, &tally);
        wkMesh_Destroy(mesh);
    }
    assert_true(tally.hits > CASES / 4 && tally.hits < CASES);
    assert_true(tally.evaluated < tally.pairs / 4);
}

// A mesh that moves against another; both have the same axes.
typedef struct meshCast {
    wkPairWalk pairs;
    motion* motion;
    wkTreeView a; // moves
    wkTreeView b;
    wkVec3d start;
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
    castTally tally = {0};
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
        checkFirst(&m, &all, &tally);
        cast.motion = &down;
        cast.pairs.limit = FLT_MAX;
        castDown(&cast.pairs, &cast, wkStems);
        assert_true(down.first == all.first && down.evaluated >= m.evaluated);
        wkMesh_Destroy(moving);
        wkMesh_Destroy(fixed);
    }
    assert_true(tally.hits > CASES / 24);
    assert_true(tally.evaluated < tally.pairs / 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(casts_of_shapes_at_meshes),
        cmocka_unit_test(casts_of_meshes_at_meshes),
    };
    return cmocka_run_group_tests_name("cast_rule", tests, NULL, NULL);
}
