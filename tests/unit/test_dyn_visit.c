// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Visits to dynamic trees find what a look at every leaf finds: in trees that were built, changed,
// or are a chain too deep for any stack.

#include "dyn_check.h"

#define LEAF_COUNT 560

static dynModel model;
static dynModel otherModel;

// How often each leaf or pair was visited.
typedef struct tally {
    uint8_t visits[LEAF_COUNT][LEAF_COUNT];
    long count;
    long stopAt;    // stops there; negative: never
    double* limit;  // lowered to the nearest bound seen, if any
    int32_t last;   // leaf visited last
    bool isOrdered; // pairs in which the order of names matters
} tally;

static tally visited;

static void clearTally(long stopAt, double* limit)
{
    memset(&visited, 0, sizeof visited);
    visited.stopAt = stopAt;
    visited.limit = limit;
}

static bool noteLeaf(int32_t name, void* context)
{
    tally* t = (tally*)context;
    ++t->visits[0][name];
    t->last = name;
    return t->count++ != t->stopAt;
}

static bool notePair(int32_t a, int32_t b, void* context)
{
    tally* t = (tally*)context;
    bool isSwapped = !t->isOrdered && b < a;
    ++t->visits[isSwapped ? b : a][isSwapped ? a : b];
    return t->count++ != t->stopAt;
}

// The node above two others, which get a pair.
static wkDynNode joinNodes(wkDynTree* tree, wkDynNode a, wkDynNode b)
{
    uint32_t pair = tree->nodeCount;
    wkDynNode* nodes = tree->nodes;
    tree->nodeCount += 2;
    nodes[pair] = a;
    nodes[pair + 1] = b;
    wkAnnounceDynNode(tree, pair);
    wkAnnounceDynNode(tree, pair + 1);
    uint32_t heightA = wkDynHeight(nodes, pair), heightB = wkDynHeight(nodes, pair + 1);
    nodes[pair + 1].up = 1 + (heightA > heightB ? heightA : heightB);
    wkDynNode above;
    wkWriteDynNode(&above, wkJoinDynBoxes(wkNodeDynBox(&a), wkNodeDynBox(&b)), pair, 0);
    return above;
}

// Some leaves from a name on, as one node.
static wkDynNode joinLeaves(wkDynTree* tree, const dynModel* m, int32_t name, int32_t count)
{
    wkDynNode leaf;
    if (count > 1) {
        return joinNodes(tree, joinLeaves(tree, m, name, count / 2),
                         joinLeaves(tree, m, name + count / 2, count - count / 2));
    }
    wkWriteDynNode(&leaf, wkMakeDynBox(&m->boxes[name]), (uint32_t)name | WK_DYN_LEAF, 0);
    return leaf;
}

// Hangs groups of leaves below each other, which nothing but a test would do.
static void makeChain(wkDynTree* tree, const dynModel* m, int32_t groupSize)
{
    tree->freePair = 0;
    tree->nodeCount = 2;
    wkDynNode top = joinLeaves(tree, m, 0, groupSize);
    for (int32_t name = groupSize; name < m->count; name += groupSize) {
        wkDynNode group = joinLeaves(tree, m, name, groupSize);
        top = groupSize == 1 ? joinNodes(tree, group, top) : joinNodes(tree, top, group);
    }
    tree->nodes[0] = top;
    tree->nodes[0].up = WK_DYN_NONE;
    wkAnnounceDynNode(tree, 0);
    assert_true(dynHeight(tree) >= m->count / groupSize - 1);
}

enum {
    treeKindCount = 5
};

static wkDynTree* makeTree(wkRng* rng, const dynModel* m, int kind)
{
    wkDynTree* tree = dynBuild(m, kind == 0 ? wk_dynFast : wk_dynFull);
    if (kind == 2) {
        for (int32_t i = 0; i < 2 * m->count; ++i) {
            int32_t name = wkRngBelow(rng, m->count);
            wkDynTree_Remove(tree, name);
            wkDynLeaf leaf = {m->boxes[name], name};
            assert_int_equal(wkDynTree_Insert(tree, &leaf), wk_ok);
        }
    } else if (kind > 2) {
        makeChain(tree, m, kind == 3 ? 1 : 4);
    }
    dynCheckTree(tree, m);
    return tree;
}

// Calls `check` with every kind of tree over every kind of boxes.
static void forTrees(uint64_t seed, void (*check)(wkRng* rng, const wkDynTree* tree))
{
    wkRng rng = wkMakeRng(seed);
    for (int kind = 0; kind <= dynKindCount; ++kind) {
        for (int treeKind = 0; treeKind < treeKindCount; ++treeKind) {
            dynFill(&model, &rng, kind, LEAF_COUNT);
            wkDynTree* tree = makeTree(&rng, &model, treeKind);
            check(&rng, tree);
            wkDynTree_Destroy(tree);
        }
    }
}

static void checkBoxes(wkRng* rng, const wkDynTree* tree)
{
    for (int i = 0; i < 20; ++i) {
        wkFloatBox box = dynBox(rng, wkRngBelow(rng, dynKindCount), i);
        clearTally(-1, NULL);
        assert_true(wkDynTree_VisitBox(tree, &box, noteLeaf, &visited));
        for (int32_t name = 0; name < LEAF_COUNT; ++name) {
            assert_int_equal(visited.visits[0][name], wkDoFloatBoxesMeet(&box, &model.boxes[name]));
        }
        long found = visited.count;
        for (long stop = 0; stop < found; stop += 1 + found / 3) {
            clearTally(stop, NULL);
            assert_false(wkDynTree_VisitBox(tree, &box, noteLeaf, &visited));
            assert_int_equal(visited.count, stop + 1);
        }
    }
}

static void boxes_find_what_they_meet(void** state)
{
    (void)state;
    forTrees(11, checkBoxes);
}

static void checkSelfPairs(wkRng* rng, const wkDynTree* tree)
{
    clearTally(-1, NULL);
    assert_true(wkDynTree_VisitPairs(tree, notePair, &visited));
    for (int32_t a = 0; a < LEAF_COUNT; ++a) {
        for (int32_t b = 0; b < LEAF_COUNT; ++b) {
            bool meet = a < b && wkDoFloatBoxesMeet(&model.boxes[a], &model.boxes[b]);
            assert_int_equal(visited.visits[a][b], meet);
        }
    }
    if (visited.count > 0) {
        long stop = wkRngBelow(rng, (int)visited.count);
        clearTally(stop, NULL);
        assert_false(wkDynTree_VisitPairs(tree, notePair, &visited));
        assert_int_equal(visited.count, stop + 1);
    }
}

static void pairs_of_a_tree_are_found_once(void** state)
{
    (void)state;
    forTrees(12, checkSelfPairs);
}

static void checkPairsOf(wkRng* rng, const wkDynTree* tree)
{
    dynFill(&otherModel, rng, dynKindCount, LEAF_COUNT);
    wkDynTree* other = makeTree(rng, &otherModel, wkRngBelow(rng, treeKindCount));
    clearTally(-1, NULL);
    visited.isOrdered = true;
    assert_true(wkDynTree_VisitPairsOf(tree, other, notePair, &visited));
    for (int32_t a = 0; a < LEAF_COUNT; ++a) {
        for (int32_t b = 0; b < LEAF_COUNT; ++b) {
            bool meet = wkDoFloatBoxesMeet(&model.boxes[a], &otherModel.boxes[b]);
            assert_int_equal(visited.visits[a][b], meet);
        }
    }
    // a tree with itself: all pairs, in both orders, and every leaf with itself
    clearTally(-1, NULL);
    visited.isOrdered = true;
    assert_true(wkDynTree_VisitPairsOf(tree, tree, notePair, &visited));
    for (int32_t a = 0; a < LEAF_COUNT; ++a) {
        for (int32_t b = 0; b < LEAF_COUNT; ++b) {
            bool meet = wkDoFloatBoxesMeet(&model.boxes[a], &model.boxes[b]);
            assert_int_equal(visited.visits[a][b], meet);
        }
    }
    wkDynTree_Destroy(other);
}

static void pairs_of_two_trees_are_found_once(void** state)
{
    (void)state;
    forTrees(13, checkPairsOf);
}

// A tree of one leaf, on either side.
static void checkSingle(wkRng* rng, const wkDynTree* tree)
{
    for (int i = 0; i < 20; ++i) {
        dynFill(&otherModel, rng, dynKindCount, 1);
        wkDynTree* other = dynBuild(&otherModel, wk_dynFull);
        for (int isFirst = 0; isFirst < 2; ++isFirst) {
            clearTally(-1, NULL);
            visited.isOrdered = true;
            assert_true(wkDynTree_VisitPairsOf(isFirst ? other : tree, isFirst ? tree : other,
                                               notePair, &visited));
            for (int32_t name = 0; name < LEAF_COUNT; ++name) {
                bool meet = wkDoFloatBoxesMeet(&model.boxes[name], &otherModel.boxes[0]);
                assert_int_equal(isFirst ? visited.visits[0][name] : visited.visits[name][0], meet);
            }
        }
        wkDynTree_Destroy(other);
    }
}

static void pairs_with_a_single_leaf_are_found_once(void** state)
{
    (void)state;
    forTrees(14, checkSingle);
}

static wkVec3d inverseOf(wkVec3d direction)
{
    return wkVec(1.0 / direction.x, 1.0 / direction.y, 1.0 / direction.z);
}

static void checkRays(wkRng* rng, const wkDynTree* tree)
{
    for (int i = 0; i < 20; ++i) {
        wkVec3d origin = i % 2 == 0 ? dynPoint(rng, 4.0) : wkVec(wkRngBelow(rng, 4), 0.0, 0.0);
        wkVec3d direction = wkRngDirection(rng);
        if (i % 3 == 0) {
            direction = wkVec(wkRngSign(rng), 0.0, i % 4 == 0 ? 1.0 : -0.0);
        }
        wkVec3d inverse = inverseOf(direction);
        double limit = i % 5 == 0 ? INFINITY : wkRngRange(rng, 0.0, 5.0);
        clearTally(-1, NULL);
        assert_true(wkDynTree_VisitRay(tree, origin, inverse, &limit, noteLeaf, &visited));
        for (int32_t name = 0; name < LEAF_COUNT; ++name) {
            double entry = wkFloatBoxEntry(&model.boxes[name], origin, inverse, limit);
            assert_int_equal(visited.visits[0][name], entry < INFINITY);
        }
    }
}

static void rays_find_what_they_meet(void** state)
{
    (void)state;
    forTrees(14, checkRays);
}

// A query for the nearest leaf lowers the limit as it goes.
typedef struct nearest {
    const wkFloatBox* box;
    double limit;
    long visitCount;
} nearest;

static bool noteNearest(int32_t name, void* context)
{
    nearest* n = (nearest*)context;
    double gap = wkFloatBoxGap(n->box, &model.boxes[name]);
    assert_true(gap <= n->limit);
    n->limit = gap;
    ++n->visitCount;
    return true;
}

static void checkNear(wkRng* rng, const wkDynTree* tree)
{
    for (int i = 0; i < 20; ++i) {
        wkFloatBox box = dynBox(rng, wkRngBelow(rng, dynKindCount), i);
        double limit = wkRngRange(rng, -0.2, 2.0), best = INFINITY;
        clearTally(-1, NULL);
        assert_true(wkDynTree_VisitNear(tree, &box, &limit, noteLeaf, &visited));
        for (int32_t name = 0; name < LEAF_COUNT; ++name) {
            double gap = wkFloatBoxGap(&box, &model.boxes[name]);
            assert_int_equal(visited.visits[0][name], gap <= limit);
            best = wkMinD(best, gap);
        }
        nearest n = {&box, INFINITY, 0};
        assert_true(wkDynTree_VisitNear(tree, &box, &n.limit, noteNearest, &n));
        assert_true(n.limit == best);
    }
}

static void near_leaves_are_found(void** state)
{
    (void)state;
    forTrees(15, checkNear);
}

static void checkNearPairs(wkRng* rng, const wkDynTree* tree)
{
    double limit = wkRngRange(rng, -0.2, 0.5);
    clearTally(-1, NULL);
    assert_true(wkDynTree_VisitNearPairs(tree, &limit, notePair, &visited));
    for (int32_t a = 0; a < LEAF_COUNT; ++a) {
        for (int32_t b = 0; b < LEAF_COUNT; ++b) {
            bool isNear = wkFloatBoxGap(&model.boxes[a], &model.boxes[b]) <= limit;
            assert_int_equal(visited.visits[a][b], a < b && isNear);
        }
    }
    dynFill(&otherModel, rng, dynKindCount, LEAF_COUNT);
    wkDynTree* other = makeTree(rng, &otherModel, wkRngBelow(rng, treeKindCount));
    clearTally(-1, NULL);
    visited.isOrdered = true;
    assert_true(wkDynTree_VisitNearPairsOf(tree, other, &limit, notePair, &visited));
    for (int32_t a = 0; a < LEAF_COUNT; ++a) {
        for (int32_t b = 0; b < LEAF_COUNT; ++b) {
            bool isNear = wkFloatBoxGap(&model.boxes[a], &otherModel.boxes[b]) <= limit;
            assert_int_equal(visited.visits[a][b], isNear);
        }
    }
    wkDynTree_Destroy(other);
}

static void near_pairs_are_found_once(void** state)
{
    (void)state;
    forTrees(16, checkNearPairs);
}

// What lies apart is left out: a query for the nearest of scattered leaves looks at few of them.
static void nearest_leaves_come_soon(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(17);
    dynFill(&model, &rng, 0, LEAF_COUNT);
    wkDynTree* tree = dynBuild(&model, wk_dynFull);
    long visitCount = 0;
    for (int i = 0; i < 100; ++i) {
        wkFloatBox box = dynBoxAbout(dynPoint(&rng, 6.0), wkVec(0.0, 0.0, 0.0));
        nearest n = {&box, INFINITY, 0};
        assert_true(wkDynTree_VisitNear(tree, &box, &n.limit, noteNearest, &n));
        visitCount += n.visitCount;
    }
    assert_true(visitCount < 400);
    wkDynTree_Destroy(tree);
}

static void empty_trees_hold_nothing(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(18);
    double limit = INFINITY;
    wkFloatBox box = dynBox(&rng, 8, 0);
    wkVec3d inverse = inverseOf(wkVec(0.0, 0.0, 1.0));
    wkDynTree* empty = dynCreate();
    dynFill(&model, &rng, 0, 5);
    wkDynTree* tree = dynBuild(&model, wk_dynFull);
    clearTally(-1, NULL);
    assert_true(wkDynTree_VisitBox(empty, &box, noteLeaf, &visited));
    assert_true(wkDynTree_VisitPairs(empty, notePair, &visited));
    assert_true(wkDynTree_VisitPairsOf(tree, empty, notePair, &visited));
    assert_true(wkDynTree_VisitPairsOf(empty, tree, notePair, &visited));
    assert_true(wkDynTree_VisitRay(empty, wkVec(0, 0, 0), inverse, &limit, noteLeaf, &visited));
    assert_true(wkDynTree_VisitNear(empty, &box, &limit, noteLeaf, &visited));
    assert_true(wkDynTree_VisitNearPairs(empty, &limit, notePair, &visited));
    assert_true(wkDynTree_VisitNearPairsOf(tree, empty, &limit, notePair, &visited));
    wkDynTree_Refine(empty);
    assert_int_equal(visited.count, 0);
    assert_true(wkDynTree_Cost(empty) == 0.0);
    wkDynTree_Destroy(tree);
    wkDynTree_Destroy(empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_find_what_they_meet),
        cmocka_unit_test(pairs_of_a_tree_are_found_once),
        cmocka_unit_test(pairs_of_two_trees_are_found_once),
        cmocka_unit_test(pairs_with_a_single_leaf_are_found_once),
        cmocka_unit_test(rays_find_what_they_meet),
        cmocka_unit_test(near_leaves_are_found),
        cmocka_unit_test(near_pairs_are_found_once),
        cmocka_unit_test(nearest_leaves_come_soon),
        cmocka_unit_test(empty_trees_hold_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
