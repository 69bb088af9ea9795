// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A cell of a map and an item of a hierarchy, in the frame of the map: a row of functions for triangles,
// and one for all other convex shapes.

#include "query/map/map_query.h"
#include "query/tree/item_pair.h"
#include "solve/pair.h"

// A query about a cell and an item of A. Not to be copied: it points into itself.
typedef struct wkCellAsk {
    bool isReady;   // the rest is set, which happens when the first pair is near
    bool isVerdict; // only whether they are near enough is requested
    wkItem cell;    // a box with the margins of the map
    wkItem item;    // with the margins of A
    double radii;   // sum of the sphere radii around all cells and all items

    wkQuestion pair; // of triangles, which are relative to the center of the cell

    int32_t index; // of the shape that is loaded; -1: none
    wkItemSphere sphere;
} wkCellAsk;

typedef struct wkCellItemRow {
    // sets what does not depend on cell and item
    void (*prepare)(const wkBodyQuestion* question, wkCellAsk* ask);

    // evaluates the cell and an item; the item comes first in the result, with the caller's index
    // @return false when it is further away than `reach`
    bool (*ask)(wkCellAsk* ask, const wkBodyQuestion* question, int32_t index, double reach,
                wkDistanceResult* found);

    // sets a box around the core of an item, whose axes are stored in `axes`
    // @return the radius of the sphere around that core, less the margins of A
    double (*body)(wkCellAsk* ask, const wkBodyQuestion* question, int32_t index, wkMat3d* axes,
                   wkMapBody* body);
} wkCellItemRow;

extern const wkCellItemRow wkCellTriangleRow;
extern const wkCellItemRow wkCellShapeRow;

// The row for the items of a view.
WK_FN const wkCellItemRow* wkCellItemRowOf(const wkTreeView* view)
{
    return view->item == NULL ? &wkCellTriangleRow : &wkCellShapeRow;
}

// Sets the cell and the radii, which all rows need.
WK_FN void wkPrepareCellAsk(const wkBodyQuestion* q, wkCellAsk* ask)
{
    ask->cell.shape = wkPartOfType(q->b, wk_shapeBox);
    ask->cell.pose = (wkPose){{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}};
    ask->radii = wkShapeRadius(q->a) + wkShapeRadius(q->b);
    ask->isReady = true;
}
