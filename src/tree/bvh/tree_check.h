// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Checks the links of a hierarchy from an untrusted block before a walk may follow them. Volumes that are too
// small give wrong results, but never an invalid access.

#include "tree/bvh/tree.h"

// Checks that every node is linked once, by a node before it, that every item is in one leaf, and that leaves are
// at most `depth` steps from the stem, one of them that many.
// @return false: no memory
bool wkCheckTree(const wkTree* tree, int32_t itemCount, int32_t depth, bool* isValid);
