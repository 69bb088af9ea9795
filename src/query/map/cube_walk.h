// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The walks over the cubes of a map, over the pairs of cubes of two maps, and over those of cubes and slots of
// a map and a tree. As for trees (query/tree/walk.h), a rule that is passed as a literal gives bounds their meaning, computes them and
// decides what does not matter; the walk keeps the order.

#include "query/map/map_walk.h"

// What a walk over the cubes of a map does.
typedef struct wkCubeRule {
    // whether a cube that was pushed before cannot matter any more
    bool (*isBeyond)(void* query, const wkCube* cube);

    // pushes the children of a cube that may matter with their bounds, at most eight, the likeliest last
    int (*open)(void* query, wkCube* cube, wkCube* stack);

    // evaluates a uniform cube
    wkStep (*leaf)(void* query, const wkCube* cube);
} wkCubeRule;

// Walks over all cubes below those on the stack.
WK_FORCE_FN void wkWalkCubes(void* query, wkCubeRule rule, wkCube* stack, int count)
{
    while (count > 0) {
        wkCube cube = stack[--count];
        if (rule.isBeyond(query, &cube)) {
            continue;
        }
        if (cube.link != 0) {
            count += rule.open(query, &cube, &stack[count]);
        } else if (rule.leaf(query, &cube) == wk_stepStop) {
            return;
        }
    }
}

// A cube with the bound of the pair, and a slot of the tree.
typedef struct wkCubeSlot {
    wkCube cube;
    wkSlot slot;
} wkCubeSlot;

// Capacity of the stack of a cube and a slot.
#define WK_MAP_TREE_STACK (WK_FEW_CUBES + (WK_OCTREE_DEPTH + WK_TREE_MAX_DEPTH) * 7 + 8)

// What a walk over a map and a tree does: as above.
typedef struct wkCubeSlotRule {
    bool (*isBeyond)(void* query, const wkCubeSlot* pair);

    // whether the cube is opened rather than the slot
    bool (*opensCube)(void* query, const wkCubeSlot* pair);

    int (*openCube)(void* query, wkCubeSlot* pair, wkCubeSlot* stack);
    int (*openNode)(void* query, const wkCubeSlot* pair, uint32_t node, wkCubeSlot* stack);

    // evaluates a leaf of the tree and a cube that is uniform or stays closed
    wkStep (*leaf)(void* query, const wkCubeSlot* pair, wkLink link);
} wkCubeSlotRule;

// Walks over all pairs below those on the stack.
WK_FORCE_FN void wkWalkCubeSlots(const wkTree* tree, void* query, wkCubeSlotRule rule,
                                 wkCubeSlot* stack, int count)
{
    while (count > 0) {
        wkCubeSlot pair = stack[--count];
        if (rule.isBeyond(query, &pair)) {
            continue;
        }
        wkLink link = wkTreeLink(tree, pair.slot);
        if (pair.cube.link != 0 && rule.opensCube(query, &pair)) {
            count += rule.openCube(query, &pair, &stack[count]);
        } else if (!wkIsLeaf(link)) {
            count += rule.openNode(query, &pair, link, &stack[count]);
        } else if (rule.leaf(query, &pair, link) == wk_stepStop) {
            return;
        }
    }
}

// Two cubes; the bound of the pair is that of the first.
typedef struct wkCubePair {
    wkCube a;
    wkCube b;
} wkCubePair;

// Capacity of the stack of two cubes.
#define WK_MAPS_STACK (2 * WK_OCTREE_DEPTH * 7 + 8)

// What a walk over two maps does: as above.
typedef struct wkCubePairRule {
    bool (*isBeyond)(void* query, const wkCubePair* pair);

    // whether the first cube is opened, of two that are not uniform
    bool (*opensA)(void* query, const wkCubePair* pair);

    // opens one cube: its children that may matter with the bounds of their pairs, the likeliest last
    int (*open)(void* query, bool opensA, wkCubePair* pair, wkCube below[8]);

    // evaluates two uniform cubes
    wkStep (*leaf)(void* query, const wkCubePair* pair);
} wkCubePairRule;

// Walks over all pairs below those on the stack.
WK_FORCE_FN void wkWalkCubePairs(void* query, wkCubePairRule rule, wkCubePair* stack, int count)
{
    while (count > 0) {
        wkCubePair pair = stack[--count];
        if (rule.isBeyond(query, &pair)) {
            continue;
        }
        bool isLeafA = pair.a.link == 0, isLeafB = pair.b.link == 0;
        if (isLeafA && isLeafB) {
            if (rule.leaf(query, &pair) == wk_stepStop) {
                return;
            }
            continue;
        }
        bool opensA = isLeafB || (!isLeafA && rule.opensA(query, &pair));
        wkCube below[8];
        int found = rule.open(query, opensA, &pair, below);
        for (int i = 0; i < found; ++i) {
            wkCubePair* next = &stack[count++];
            *next = pair;
            *(opensA ? &next->a : &next->b) = below[i];
            next->a.bound = below[i].bound;
        }
    }
}
