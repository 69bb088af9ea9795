// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What holds in every dynamic tree, and sets of boxes to try it with.

#include "scenes/rng.h"
#include "tree/dynamic/dyn_edit.h"
#include "tree/dynamic/dyn_node.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define DYN_MAX_LEAVES 4096

// Boxes that should be in a tree, by name.
typedef struct dynModel {
    bool isIn[DYN_MAX_LEAVES];
    wkFloatBox boxes[DYN_MAX_LEAVES];
    int32_t count;
} dynModel;

static inline bool dynSameBox(const wkFloatBox* a, const wkFloatBox* b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static inline wkFloatBox dynUnion(const wkFloatBox* a, const wkFloatBox* b)
{
    wkFloatBox result;
    for (int axis = 0; axis < 3; ++axis) {
        result.lower[axis] = a->lower[axis] < b->lower[axis] ? a->lower[axis] : b->lower[axis];
        result.upper[axis] = a->upper[axis] > b->upper[axis] ? a->upper[axis] : b->upper[axis];
    }
    return result;
}

// Levels below the root.
static inline int32_t dynHeight(const wkDynTree* tree)
{
    return tree->leafCount > 0 ? (int32_t)wkDynHeight(tree->nodes, 0) : 0;
}

static inline void dynCheckInner(const wkDynNode* nodes, uint32_t node)
{
    uint32_t link = nodes[node].link;
    assert_int_equal(link & 1, 0);
    assert_int_equal(nodes[link].up, node);
    uint32_t first = wkDynHeight(nodes, link), second = wkDynHeight(nodes, link + 1);
    assert_int_equal(nodes[link + 1].up, 1 + (first > second ? first : second));
    wkFloatBox box = wkDynFloatBox(&nodes[node]);
    wkFloatBox a = wkDynFloatBox(&nodes[link]), b = wkDynFloatBox(&nodes[link + 1]);
    wkFloatBox around = dynUnion(&a, &b);
    assert_true(wkHoldsFloatBox(&box, &around));
    assert_true(wkHoldsFloatBox(&around, &box));
}

// Links, parents, heights and boxes agree, and the leaves are those of the model.
static inline void dynCheckTree(const wkDynTree* tree, const dynModel* model)
{
    assert_int_equal(wkDynTree_Count(tree), model->count);
    int32_t leafCount = 0;
    uint32_t pairCount = 0;
    const wkDynNode* nodes = tree->nodes;
    for (uint32_t node = model->count > 0 ? 0 : WK_DYN_NONE; node != WK_DYN_NONE;) {
        uint32_t link = nodes[node].link;
        if (wkIsDynLeaf(link)) {
            int32_t name = wkDynName(link);
            wkFloatBox box = wkDynFloatBox(&nodes[node]);
            assert_true(model->isIn[name]);
            assert_true(dynSameBox(&box, &model->boxes[name]));
            assert_int_equal(tree->nodesByName[name], node);
            ++leafCount;
            node = wkSkipDynNode(nodes, node, 0);
        } else {
            dynCheckInner(nodes, node);
            ++pairCount;
            node = link;
        }
    }
    assert_int_equal(leafCount, model->count);
    for (uint32_t pair = tree->freePair; model->count > 0 && pair != 0; pair = nodes[pair].up) {
        ++pairCount;
    }
    assert_int_equal(2 * pairCount + (model->count > 0 ? 2 : 0), tree->nodeCount);
    for (uint32_t name = 0; name < tree->nameCapacity; ++name) {
        bool isIn = name < DYN_MAX_LEAVES && model->isIn[name];
        assert_int_equal(tree->nodesByName[name] != WK_DYN_NONE, isIn);
    }
}

static inline wkFloatBox dynBoxAbout(wkVec3d center, wkVec3d half)
{
    wkAabb box = {wkSub(center, half), wkAdd(center, half)};
    return wkFloatBoxAround(&box, wkVec(0.0, 0.0, 0.0));
}

static inline wkVec3d dynPoint(wkRng* rng, double reach)
{
    double x = wkRngRange(rng, -reach, reach), y = wkRngRange(rng, -reach, reach);
    return wkVec(x, y, wkRngRange(rng, -reach, reach));
}

// Kinds of boxes; each is a set of its own and all are mixed in one more.
enum {
    dynKindCount = 9
};

static inline wkFloatBox dynBox(wkRng* rng, int kind, int32_t name)
{
    wkVec3d small = wkVec(wkRngRange(rng, 0.0, 0.3), wkRngRange(rng, 0.0, 0.3), 0.2);
    switch (kind) {
    case 0: // scattered
        return dynBoxAbout(dynPoint(rng, 3.0), small);
    case 1: // all equal
        return dynBoxAbout(wkVec(1.0, 2.0, 3.0), wkVec(0.5, 0.5, 0.5));
    case 2: // along a line
        return dynBoxAbout(wkVec(0.1 * name, 0.0, 0.0), wkVec(0.06, 0.0, 0.0));
    case 3: // points, of which some are the same
        return dynBoxAbout(wkVec(wkRngBelow(rng, 4), wkRngBelow(rng, 4), 0.0), wkVec(0, 0, 0));
    case 4: // each in the next
        return dynBoxAbout(wkVec(0, 0, 0), wkVec(1.0 + name, 1.0 + name, 1.0 + name));
    case 5: { // half of them infinite in some way
        wkFloatBox box = dynBoxAbout(dynPoint(rng, 3.0), small);
        for (int side = 0; side < 6; ++side) {
            float* value = side < 3 ? &box.lower[side] : &box.upper[side - 3];
            *value = wkRngChance(rng, 6) ? (side < 3 ? -INFINITY : INFINITY) : *value;
        }
        return box;
    }
    case 6: // of all sizes
        return dynBoxAbout(dynPoint(rng, 3.0), wkScale(wkRngLogRange(rng, 1e-6, 1e3), small));
    case 7: // crowded in a vertex of a huge world
        return dynBoxAbout(wkAdd(dynPoint(rng, 1.0), wkVec(name == 0 ? 1e9 : 0.0, 0, 0)), small);
    default: // the whole world
        return dynBoxAbout(wkVec(0, 0, 0), wkVec(INFINITY, INFINITY, INFINITY));
    }
}

static inline void dynFill(dynModel* model, wkRng* rng, int kind, int32_t count)
{
    memset(model, 0, sizeof *model);
    model->count = count;
    for (int32_t name = 0; name < count; ++name) {
        int one = kind < dynKindCount ? kind : wkRngBelow(rng, dynKindCount);
        model->isIn[name] = true;
        model->boxes[name] = dynBox(rng, one, name);
    }
}

static inline void dynLeaves(const dynModel* model, wkDynLeaf* leaves)
{
    int32_t count = 0;
    for (int32_t name = 0; name < DYN_MAX_LEAVES; ++name) {
        if (model->isIn[name]) {
            leaves[count].box = model->boxes[name];
            leaves[count++].name = name;
        }
    }
}

static inline wkDynTree* dynCreate(void)
{
    wkDynTree* tree = NULL;
    assert_int_equal(wkDynTree_Create(&tree), wk_ok);
    return tree;
}

static inline wkDynTree* dynBuild(const dynModel* model, wkDynQuality quality)
{
    static wkDynLeaf leaves[DYN_MAX_LEAVES];
    wkDynTree* tree = dynCreate();
    dynLeaves(model, leaves);
    assert_int_equal(wkDynTree_Build(tree, leaves, model->count, quality), wk_ok);
    return tree;
}
