// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Classifies a cell and a triangle as nearer or further than a limit: by separating axes, without square
// roots. Next to the limit, or where an axis has few valid digits, the result is undecided.

#include "math/vec.h"

typedef enum wkCellSide {
    wk_cellUnsure,
    wk_cellApart,    // further apart than the limit
    wk_cellOverlaps, // the cores share points, whatever the limit is
} wkCellSide;

// Rounding bound, relative to the lengths.
#define WK_CELL_BAND 1e-9

// Squared sines between edges: below the first, rotating one edge onto the other changes less than
// the band, and the axis across both is not needed; up to the second the axis has few valid digits.
#define WK_CELL_PARALLEL 1e-22
#define WK_CELL_VAGUE 1e-12

// Result of the axes so far; squares of lengths.
typedef struct wkCellAxes {
    double half;
    double band;
    double limit;
    bool isApart;
    bool isUnsure;
} wkCellAxes;

// Tests an axis with the square of its length, along which the triangle covers `low` to `high`.
WK_FORCE_FN void wkTryCellAxis(wkCellAxes* t, wkVec3d axis, double square, double low, double high)
{
    double reach = t->half * wkSumAbs(axis);
    double overlap = wkMinD(reach - low, high + reach);
    double size = overlap * overlap;
    t->isApart |= overlap < 0.0 && size > t->limit * square;
    t->isUnsure |= !(overlap > 0.0 && size > t->band * square);
}

WK_FORCE_FN void wkTryCellVertices(wkCellAxes* t, wkVec3d axis, const wkVec3d faceVertices[3])
{
    double a = wkDot(axis, faceVertices[0]), b = wkDot(axis, faceVertices[1]),
           c = wkDot(axis, faceVertices[2]);
    wkTryCellAxis(t, axis, wkDot(axis, axis), wkMinD(a, wkMinD(b, c)), wkMaxD(a, wkMaxD(b, c)));
}

// Tests the axes across the edge from vertex i and the edges of the cell.
WK_FORCE_FN void wkTryCellEdges(wkCellAxes* t, wkVec3d edge, const wkVec3d faceVertices[3], int i)
{
    const wkVec3d axes[3] = {
        {0.0, -edge.z, edge.y}, {edge.z, 0.0, -edge.x}, {-edge.y, edge.x, 0.0}};
    double length = wkDot(edge, edge);
    for (int k = 0; k < 3; ++k) {
        double square = wkDot(axes[k], axes[k]);
        if (square > WK_CELL_PARALLEL * length) {
            double on = wkDot(axes[k], faceVertices[i]),
                   off = wkDot(axes[k], faceVertices[(i + 2) % 3]);
            wkTryCellAxis(t, axes[k], square, wkMinD(on, off), wkMaxD(on, off));
            t->isUnsure |= square < WK_CELL_VAGUE * length;
        }
    }
}

// Classifies a cube about the origin with that half edge, and a triangle; `limit` is 0 or more.
WK_FN wkCellSide wkClassifyCell(double half, const wkVec3d faceVertices[3], double limit)
{
    static const wkVec3d straight[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    double size = half + wkMaxAbs(faceVertices[0]) + wkMaxAbs(faceVertices[1]) +
                  wkMaxAbs(faceVertices[2]) + limit;
    double band = WK_CELL_BAND * size, far = limit + band;
    wkCellAxes t = {.half = half, .band = band * band, .limit = far * far};
    for (int k = 0; k < 3; ++k) {
        wkTryCellVertices(&t, straight[k], faceVertices);
    }
    wkVec3d edges[3];
    for (int i = 0; i < 3; ++i) {
        edges[i] = wkSub(faceVertices[(i + 1) % 3], faceVertices[i]);
    }
    wkVec3d normal = wkCross(edges[0], edges[1]);
    wkTryCellVertices(&t, normal, faceVertices);
    t.isUnsure |= !(wkDot(normal, normal) >
                    WK_CELL_VAGUE * wkDot(edges[0], edges[0]) * wkDot(edges[1], edges[1]));
    for (int i = 0; i < 3 && !t.isApart; ++i) {
        wkTryCellEdges(&t, edges[i], faceVertices, i);
    }
    return t.isApart ? wk_cellApart : (t.isUnsure ? wk_cellUnsure : wk_cellOverlaps);
}
