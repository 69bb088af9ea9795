// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file cost.h
/// Collision cost: the uncertain and unknown cells of an occupancy map that a robot or shape meets in a
/// pose or along a path, with their probabilities of being occupied.
///
/// A `wkCost` accumulates cells. Any number of shapes, poses and paths are added in any order; each cell
/// counts once. The results are totals, such as the volume weighted by probability, and boxes sorted by
/// probability. Paths are covered continuously, not sampled: see docs/cost.md.

#include "whisker/octree.h"

/// An accumulator of cells. Written by one thread, as a map is.
typedef struct wkCost wkCost;

/// Which cells count, and how they are found. Start from `wkDefaultCostDef()`.
typedef struct wkCostDef {
    uint32_t cookie; ///< set by wkDefaultCostDef()
    double
        minProbability; ///< least probability of known cells that count, in [0, 1]; default 0: all
                        ///< except cells at the lowest probability of their map
    bool countsUnknown; ///< whether unknown cells count; default true
    double unknownProbability; ///< probability of unknown cells, in [0, 1]; default 0.5
    double margin;             ///< a shape meets cells at signed distance <= margin; default 0
    double
        tolerance; ///< paths: metres by which a shape may be inflated to cover the motion between
                   ///< two poses; default 0: a quarter of the edge of a single cell
    int32_t
        maxDepth; ///< below 16, coarser: cubes of this depth represent the counted cells in them,
                  ///< with their highest probability; 1 to 16, default 16
    int64_t maxWork; ///< maximum cubes visited by a call; default 2^26, a few seconds
} wkCostDef;

/// The defaults above.
WK_API wkCostDef wkDefaultCostDef(void);

/// Creates an accumulator without cells.
/// @param def NULL means `wkDefaultCostDef()`
/// @param cost set to NULL on failure
/// @return wk_errorRange or wk_errorNotFinite naming the field, wk_errorMemory, wk_errorArgument
WK_API wkResult wkCost_Create(const wkCostDef* def, wkCost** cost);

/// Releases an accumulator; NULL is fine.
WK_API void wkCost_Destroy(wkCost* cost);

/// Removes all cells. The next map may have any resolution and frame.
WK_API void wkCost_Clear(wkCost* cost);

/// Adds the cells that a shape meets: those at a signed distance of `margin` or less, including cells
/// that it only touches. Space beyond the 65536 cells of a map has no cells.
///
/// All maps of one accumulator must have the same resolution and the same frame, in which the cells are
/// named; usually there is one map. A cell that is met before and after a change of the map keeps either
/// probability: clear the accumulator after a change. Rounding and padding of the map make its cells
/// larger; its rule for unknown cells is ignored.
/// @param map a shape of type wk_shapeOctree; it is read only and may be destroyed afterwards
/// @return wk_errorMemory, or wk_errorRange after `maxWork` cubes: nothing was added;
///         wk_errorArgument and others for shapes and poses that are not valid
WK_API wkResult wkCost_AddShape(wkCost* cost, const wkShape* map, wkPose mapPose,
                                const wkShape* shape, wkPose pose);

/// Adds the cells that a shape meets along a path: from each pose to the next its position follows a
/// line and its rotation the shorter arc, both at constant speed.
///
/// No cell of the path is left out. The path is covered in steps. In each step the shape is inflated by
/// the largest motion of its points within half a step, which is at most `tolerance`. So every added cell
/// is within `margin` plus `tolerance` of the path, and the cost is an upper bound. A single pose, and
/// equal poses, are exact.
/// @param poses `count` poses of the shape; count 0 adds nothing
/// @return as wkCost_AddShape; wk_errorUnsupported for an unbounded shape that rotates
WK_API wkResult wkCost_AddMotion(wkCost* cost, const wkShape* map, wkPose mapPose,
                                 const wkShape* shape, const wkPose* poses, int32_t count);

/// Sums over all accumulated cells. They do not depend on the order in which cells were added, to the
/// last bit.
typedef struct wkCostInfo {
    double weightedVolume;     ///< cubic metres, weighted by probability: the collision cost
    double volume;             ///< cubic metres
    double unknownVolume;      ///< of the unknown cells among them
    double highestProbability; ///< of all cells; 0 without cells
    int64_t cellCount;         ///< single cells
    int64_t boxCount;          ///< number of boxes of wkCost_Boxes
} wkCostInfo;

/// Returns the sums; zeros for NULL.
WK_API wkCostInfo wkCost_Info(const wkCost* cost);

/// A cube of accumulated cells with equal state and probability.
typedef struct wkCostBox {
    wkAabb box;         ///< in the frame of the map
    wkCellId cell;      ///< id of the cube
    double probability; ///< of being occupied; `unknownProbability` when unknown
    double volume;      ///< cubic metres
    wkCellState state;  ///< by the threshold of the map
} wkCostBox;

/// Returns the boxes, sorted by falling probability, then by id. Equal cells that form a cube are one
/// box; no two boxes overlap.
/// @param boxes array of `capacity`, filled from the start; NULL: counts only
/// @return number of all boxes, which may be more than `capacity`
WK_API int64_t wkCost_Boxes(const wkCost* cost, wkCostBox* boxes, int32_t capacity);
