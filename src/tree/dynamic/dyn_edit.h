// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Steps that change a dynamic tree. None of them needs memory.

#include "tree/dynamic/dyn_node.h"

// Maximum depth of leaves in a tree of this size: twice that of halving, and a margin. Insertion and
// rotations keep to it, though a tree that was worse before may stay so; visits continue without a
// stack below the depth of theirs.
WK_FN uint32_t wkDynHeightLimit(uint32_t leafCount)
{
    return 32 + 2 * (32 - (uint32_t)__builtin_clz(leafCount | 1));
}

// Levels by which the tree may grow.
WK_FN uint32_t wkDynHeightSlack(const wkDynTree* tree)
{
    uint32_t limit = wkDynHeightLimit(tree->leafCount), height = wkDynHeight(tree->nodes, 0);
    return height < limit ? limit - height : 0;
}

// Exchanges a grandchild of `node` with the child that is not its parent, where that makes the box of the
// other child smallest, if it makes it smaller, and refits that child. A rotation that makes the tree
// higher takes one from `heightSlack`, and is not done when that is 0.
// @return whether there was a rotation
bool wkRotateDynNode(wkDynTree* tree, uint32_t node, uint32_t* heightSlack);

// Refits the nodes from `node` up to the root, or to the first that does not change, and rotates them
// where that helps.
void wkImproveDynPath(wkDynTree* tree, uint32_t node);

// Inserts a subtree or a leaf as the sibling of the node where its box adds least to the surface of the
// others. The tree has leaves and capacity for one more pair.
void wkPlaceDynNode(wkDynTree* tree, wkDynBox box, uint32_t link);

// Removes a node with its subtree, not the root; its pair becomes free.
void wkTakeDynNode(wkDynTree* tree, uint32_t node);

// The same with leaves, which are counted and have names.
void wkPlaceDynLeaf(wkDynTree* tree, int32_t name, wkDynBox box);
void wkTakeDynLeaf(wkDynTree* tree, uint32_t node);
