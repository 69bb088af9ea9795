// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Steps that change a dynamic tree. None of them needs memory.

#include "tree/dynamic/dyn_node.h"

// Leaves of a tree this size can be this deep: twice as far as halving takes them, and a bit.
// Insertion and turns keep to it, though a tree that was worse before may stay so; visits go on
// without a stack below what they have one for.
WK_FN uint32_t wkDynHeightLimit(uint32_t leafCount)
{
    return 32 + 2 * (32 - (uint32_t)__builtin_clz(leafCount | 1));
}

// Levels by which the tree may still grow.
WK_FN uint32_t wkDynHeightSlack(const wkDynTree* tree)
{
    uint32_t limit = wkDynHeightLimit(tree->leafCount), height = wkDynHeight(tree->nodes, 0);
    return height < limit ? limit - height : 0;
}

// Exchanges a grandchild of `node` and the child it is not below, where that makes the box of the
// other child smallest, if it makes it smaller, and fits that child. A turn that makes the tree
// higher takes one from `heightSlack`, and none happens when that is 0.
// @return whether there was a turn
bool wkRotateDynNode(wkDynTree* tree, uint32_t node, uint32_t* heightSlack);

// Fits the nodes from `node` up to the root, or to the first that stays as it was, and turns them
// where that helps.
void wkImproveDynPath(wkDynTree* tree, uint32_t node);

// Puts a node with all below it, or a leaf, beside the one where its box adds least to the surface of
// the others. The tree has leaves and room for one pair more.
void wkPlaceDynNode(wkDynTree* tree, wkDynBox box, uint32_t link);

// Takes out a node with all below it, not the root; its pair is free for another one.
void wkTakeDynNode(wkDynTree* tree, uint32_t node);

// The same with leaves, which are counted and have names.
void wkPlaceDynLeaf(wkDynTree* tree, int32_t name, wkDynBox box);
void wkTakeDynLeaf(wkDynTree* tree, uint32_t node);
