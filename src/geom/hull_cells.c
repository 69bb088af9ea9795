// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The cells of a hull. Heights are linear in the direction, so a vertex that is lower than another at the
// four vertices of a cell is lower everywhere in it. The remaining vertices form the cell's list. Most
// vertices are culled for a block of cells at once.

#include "geom/hull_cells.h"
#include "geom/hull_builder.h"
#include "geom/hull_impl.h"

#include <float.h>

// Cells of a block in each direction.
#define BLOCK_STEPS 4

// Vertices lie this far outside their square, further than rounding can move a direction.
#define VERTEX_MARGIN 1e-9

// A vertex counts as lower when it is by more than this share of the hull's size: many times the rounding
// error of a height.
#define LOWER_SHARE (64.0 * DBL_EPSILON)

typedef struct vertexList {
    int count;
    uint8_t vertices[WK_HULL_CELLS_TO];
} vertexList;

// A square of directions on a face of the octahedron.
typedef struct square {
    wkVec3d vertices[4];
    wkVec3d middle;
    double reach; // distance from the middle to the furthest vertex
} square;

// Returns the square of `size` by `size` cells that starts at a cell.
static square makeSquare(int cell, int size)
{
    const double step = 1.0 / WK_HULL_CELL_STEPS;
    int column = cell % WK_HULL_CELL_STEPS, row = cell / WK_HULL_CELL_STEPS % WK_HULL_CELL_STEPS;
    int face = cell / (WK_HULL_CELL_STEPS * WK_HULL_CELL_STEPS);
    // half a step in x and y is a full step back in z
    const double rootOfSix = 2.44948974278318;
    square s = {.reach = rootOfSix * (0.5 * step * size + VERTEX_MARGIN)};
    for (int k = 0; k < 4; ++k) {
        int right = k & 1, up = k >> 1;
        double x = step * (column + size * right) + VERTEX_MARGIN * (2 * right - 1);
        double y = step * (row + size * up) + VERTEX_MARGIN * (2 * up - 1);
        double z = 1.0 - x - y;
        s.vertices[k] = wkVec(face & 1 ? -x : x, face & 2 ? -y : y, face & 4 ? -z : z);
    }
    s.middle = wkScale(0.5, wkAdd(s.vertices[0], s.vertices[3]));
    return s;
}

// Returns the highest vertex of the list along a direction.
static int32_t highestOf(const wkHull* hull, const vertexList* list, wkVec3d direction)
{
    int32_t best = list->vertices[0];
    double height = wkDot(wkHullVertex(hull, best), direction);
    for (int i = 1; i < list->count; ++i) {
        double other = wkDot(wkHullVertex(hull, list->vertices[i]), direction);
        best = other > height ? list->vertices[i] : best;
        height = wkMaxD(height, other);
    }
    return best;
}

// Removes vertices that are so much lower than the highest in the middle of the square that they are lower at
// its vertices too.
static void keepHigh(const wkHull* hull, const square* s, double slack, vertexList* list)
{
    wkVec3d top = wkHullVertex(hull, highestOf(hull, list, s->middle));
    double reachSquared = s->reach * s->reach;
    int count = 0;
    for (int i = 0; i < list->count; ++i) {
        wkVec3d way = wkSub(top, wkHullVertex(hull, list->vertices[i]));
        double drop = wkMaxD(wkDot(way, s->middle) - slack, 0.0);
        list->vertices[count] = list->vertices[i];
        count += drop * drop <= reachSquared * wkDot(way, way);
    }
    list->count = count;
}

// Returns true when `vertex` is lower than `other` at all vertices of the square.
static bool isLower(const wkHull* hull, const square* s, int32_t vertex, int32_t other,
                    double slack)
{
    wkVec3d way = wkSub(wkHullVertex(hull, other), wkHullVertex(hull, vertex));
    return wkMinD(wkMinD(wkDot(way, s->vertices[0]), wkDot(way, s->vertices[1])),
                  wkMinD(wkDot(way, s->vertices[2]), wkDot(way, s->vertices[3]))) > slack;
}

static uint32_t makeCell(const wkHull* hull, const square* s, double slack, const vertexList* list)
{
    int32_t rivals[5] = {highestOf(hull, list, s->middle)};
    for (int k = 0; k < 4; ++k) {
        rivals[k + 1] = highestOf(hull, list, s->vertices[k]);
    }
    uint32_t cell[WK_HULL_CELL_VERTICES] = {0};
    int count = 0;
    for (int i = 0; i < list->count; ++i) {
        bool isOut = false;
        for (int k = 0; k < 5 && !isOut; ++k) {
            isOut = isLower(hull, s, list->vertices[i], rivals[k], slack);
        }
        if (!isOut && count == WK_HULL_CELL_VERTICES) {
            return WK_HULL_CELL_CROWDED;
        }
        if (!isOut) {
            cell[count++] = list->vertices[i];
        }
    }
    for (int i = count; i < WK_HULL_CELL_VERTICES; ++i) {
        cell[i] = cell[count - 1];
    }
    return cell[0] | cell[1] << 8 | cell[2] << 16 | cell[3] << 24;
}

// Writes the cells of a block, from the vertices that can be furthest in it.
static void writeBlock(const wkHull* hull, int first, double slack, uint32_t* cells)
{
    vertexList kept = {.count = hull->vertexCount};
    for (int i = 0; i < kept.count; ++i) {
        kept.vertices[i] = (uint8_t)i;
    }
    square block = makeSquare(first, BLOCK_STEPS);
    keepHigh(hull, &block, slack, &kept);
    for (int i = 0; i < BLOCK_STEPS * BLOCK_STEPS; ++i) {
        int cell = first + i / BLOCK_STEPS * WK_HULL_CELL_STEPS + i % BLOCK_STEPS;
        int column = cell % WK_HULL_CELL_STEPS;
        int row = cell / WK_HULL_CELL_STEPS % WK_HULL_CELL_STEPS;
        cells[cell] = WK_HULL_CELL_CROWDED;
        if (column + row <= WK_HULL_CELL_STEPS) {
            square s = makeSquare(cell, 1);
            vertexList list = kept;
            keepHigh(hull, &s, slack, &list);
            cells[cell] = makeCell(hull, &s, slack, &list);
        }
    }
}

void wkWriteHullCells(wkHull* hull)
{
    uint32_t* cells = (uint32_t*)((char*)hull + hull->cellOffset);
    double slack = LOWER_SHARE * (wkMaxAbs(hull->sphereCenter) + hull->sphereRadius);
    for (int i = 0; hull->cellOffset != 0 && i < WK_HULL_CELL_COUNT; ++i) {
        int column = i % WK_HULL_CELL_STEPS, row = i / WK_HULL_CELL_STEPS % WK_HULL_CELL_STEPS;
        if (column % BLOCK_STEPS == 0 && row % BLOCK_STEPS == 0) {
            writeBlock(hull, i, slack, cells);
        }
    }
}
