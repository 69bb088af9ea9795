// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The passes over all points of a cloud that SIMD code makes fast.

#include "base/cpu.h"
#include "tree/bvh/tree.h"
#include "tree/cloud/cloud_source.h"
#include "tree/cloud/curve_item.h"

// Points that are read together.
#define WK_POINT_BLOCK 64

typedef struct wkPointBlock {
    _Alignas(64) float axes[3][WK_POINT_BLOCK];
} wkPointBlock;

// Figures of consecutive points of a source; of those that are finite, but for the number of the others.
typedef struct wkPointExtent {
    float lower[3];
    float upper[3];
    double error; // largest error of a coordinate, from rounding to floats
    int32_t finiteCount;
} wkPointExtent;

// A position on the curve above the index of its point, so that eight bytes are moved for each.
typedef uint64_t wkCurveEntry;

// How entries are made: positions are above `indexBits`, and their highest bits, from `topShift` on, are counted.
typedef struct wkCurvePlan {
    wkCurveGrid grid;
    int indexBits;
    int topShift; // below 64
} wkCurvePlan;

// The ends of eight boxes along x, y and z, side by side as in a group or a node.
typedef const float (*wkBoxEnds)[WK_TREE_WIDTH];

typedef struct wkCloudLanes {
    // measures `count` points from `first` on
    void (*measure)(const wkCloudSource* source, int64_t first, int64_t count,
                    wkPointExtent* extent);

    // writes an entry for each finite one of these points
    // @param tops number of entries with each value of the highest bits, to be added to
    void (*writeEntries)(const wkCloudSource* source, const wkCurvePlan* plan, int64_t first,
                         int64_t count, wkCurveEntry* entries, uint32_t* tops);

    // sorts entries whose bits from `bit` on are equal, but for a few that are neighbours, and writes the indices
    // @param scratch memory for as many entries
    void (*sortBucket)(wkCurveEntry* entries, wkCurveEntry* scratch, uint32_t count, int bit,
                       int indexBits, int32_t* indices);

    // joins eight boxes each to the boxes of a node, widened by `radii`
    void (*joinBoxes)(const wkBoxEnds lower[WK_TREE_WIDTH], const wkBoxEnds upper[WK_TREE_WIDTH],
                      const float radii[WK_TREE_WIDTH], wkBoxNode* node);
} wkCloudLanes;

// NULL when the instruction set is not available.
const wkCloudLanes* wkCloudLanesOf(wkIsa isa);

// Kernels for this machine.
const wkCloudLanes* wkCloudLanesOfMachine(void);
