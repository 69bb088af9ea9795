// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file cost.h
/// What it may cost a robot to go somewhere: the cells of an occupancy map that are uncertain or
/// unknown and that its links meet there or on their way, with their probabilities.
///
/// A `wkCost` gathers cells. Any number of shapes, poses and paths are added to it, in any order, and
/// no cell counts twice. Then it is asked for totals, such as the volume weighted by probability, and
/// for the boxes, the most probable first. Paths are covered, not sampled: see docs/cost.md.

#include "whisker/octree.h"

/// The cells that were met. Written by one thread, as a map is.
typedef struct wkCost wkCost;

/// Which cells count, and how they are found. Start from `wkDefaultCostDef()`.
typedef struct wkCostDef {
    double minProbability; ///< known cells from here on count, in [0, 1]; default 0: all but those
                           ///< that are as free as their map lets them become
    bool countsUnknown;    ///< whether unknown cells count; default true
    double unknownProbability; ///< what they are taken for, in [0, 1]; default 0.5
    double margin;             ///< cells up to here from a shape are met; default 0, any sign
    double tolerance; ///< of paths: metres by which a shape may be grown to cover what lies between
                      ///< two of its poses; default 0: a quarter of the edge of a single cell
    int32_t
        maxDepth; ///< coarser: cubes of this depth stand for what counts in them, with the highest
                  ///< probability there; 1 to 16, default 16
    int64_t maxWork; ///< cubes looked at before a call gives up; default 2^26, some seconds
    uint32_t cookie; ///< set by wkDefaultCostDef()
} wkCostDef;

/// The defaults above.
WK_API wkCostDef wkDefaultCostDef(void);

/// An accumulator without cells.
/// @param def NULL means `wkDefaultCostDef()`
/// @param cost set to NULL on failure
/// @return wk_errorRange or wk_errorNotFinite naming the field, wk_errorMemory, wk_errorArgument
WK_API wkResult wkCost_Create(const wkCostDef* def, wkCost** cost);

/// Releases an accumulator; NULL is fine.
WK_API void wkCost_Destroy(wkCost* cost);

/// Forgets all cells. The next map may be any.
WK_API void wkCost_Clear(wkCost* cost);

/// Adds the cells that a shape meets: those at a signed distance of `margin` or less, so that cells
/// it only touches belong to them. Space beyond the 65536 cells of a map has none.
///
/// All maps that are added to one accumulator must have the same resolution, and the same frame, which
/// is what its cells are named in; usually they are one. A cell that is met again after the map has
/// changed keeps either of its probabilities: clear the accumulator then. Rounding and padding of the
/// map make its cells larger; its rule for unknown cells does not matter here.
/// @param map a shape of type wk_shapeOctree; it is read only and may be destroyed afterwards
/// @return wk_errorMemory, or wk_errorRange after `maxWork` cubes: nothing was added;
///         wk_errorArgument and others for shapes and poses that are not valid
WK_API wkResult wkCost_AddShape(wkCost* cost, const wkShape* map, wkPose mapPose,
                                const wkShape* shape, wkPose pose);

/// Adds the cells that a shape meets on its way: from each pose to the next its position follows a
/// line and its rotation the shorter arc, both evenly.
///
/// No cell of the way is left out. The shape is looked at in steps, each time grown by as much as any
/// point of it moves within half a step, which is no more than `tolerance`: all cells that are added
/// are no further from the way than `margin` plus `tolerance`, so that the cost is an upper bound. One
/// pose alone, and poses that do not differ, are exact.
/// @param poses of the shape, `count` of them; 0 adds nothing
/// @return as wkCost_AddShape; wk_errorUnsupported for a shape without end that turns
WK_API wkResult wkCost_AddMotion(wkCost* cost, const wkShape* map, wkPose mapPose,
                                 const wkShape* shape, const wkPose* poses, int32_t count);

/// Sums over all cells that were met. They do not depend on the order in which cells were added, to
/// the last digit.
typedef struct wkCostTotals {
    double weightedVolume;     ///< cubic metres, each times its probability: the usual cost
    double volume;             ///< cubic metres
    double unknownVolume;      ///< of the unknown cells among them
    double highestProbability; ///< of all cells; 0 without any
    int64_t cellCount;         ///< single cells
    int64_t boxCount;          ///< boxes, as wkCost_Boxes gives them
} wkCostTotals;

/// The sums; zeros for NULL.
WK_API wkCostTotals wkCost_Totals(const wkCost* cost);

/// A cube of cells that were met and are alike.
typedef struct wkCostBox {
    wkAabb box;         ///< in the frame of the map
    wkCellId cell;      ///< its name
    double probability; ///< of being occupied; `unknownProbability` when unknown
    double volume;      ///< cubic metres
    wkCellState state;  ///< by the threshold of the map
} wkCostBox;

/// The boxes, most probable first and by their names where probabilities are equal. Cells that are
/// alike and form a cube are one box; no two boxes overlap.
/// @param boxes room for `capacity` of them, the first of which are filled; NULL: counts only
/// @return number of all boxes, which may be more than `capacity`
WK_API int64_t wkCost_Boxes(const wkCost* cost, wkCostBox* boxes, int32_t capacity);
