// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Distances between the cells of a grid and those of a map. Cells that the map overlaps are marked. Two
// cells with indices n apart along an axis are at least n - 1 edges apart, and a point of one is at most n
// edges from a point of a filled one; squares of such numbers add up over the axes. So the distance transform
// processes one axis after the other, within the reach in cells.

#include "batch/field_map_cells.h"

#include "base/error.h"
#include "base/memory.h"
#include "batch/field_build.h"
#include "query/map/map_query.h"

#include <string.h>

// Maximum number of cells that distances extend over, to bound the time.
#define MOST_BEYOND 40

// Above any squared distance within reach.
#define FAR_SQUARE 20000

// Cells of a map that extend into a cell of the grid by less than this share do not overlap it; the share is
// subtracted from every distance.
#define OVERLAP 2e-3

// Tolerance of the axes of a map that is not rotated.
#define STRAIGHT 1e-9

wkMapCubes wkMapCubes_Start(const wkFieldMap* map, const wkShape* shape)
{
    wkCellRequest filter = wkDefaultCellRequest();
    double edge = 1.0 / map->perMetre;
    const int32_t* n = map->lower;
    filter.box.lower = wkVec(n[0] * edge, n[1] * edge, n[2] * edge);
    filter.box.upper = wkVec((n[0] + map->count[0]) * edge, (n[1] + map->count[1]) * edge,
                             (n[2] + map->count[2]) * edge);
    filter.wantsFree = false;
    filter.wantsUnknown = shape->map.unknown != wk_unknownFree;
    filter.occupiedProbability = shape->map.occupiedProbability;
    wkMapCubes cubes = {wkOctree_Cells(shape->map.octree, &filter)};
    return cubes;
}

bool wkMapCubes_Next(wkMapCubes* cubes, wkMapCube* cube)
{
    wkCell cell;
    if (!wkCellIterator_Next(&cubes->cells, &cell)) {
        return false;
    }
    cube->lower[0] = (int32_t)cell.key.x - 32768;
    cube->lower[1] = (int32_t)cell.key.y - 32768;
    cube->lower[2] = (int32_t)cell.key.z - 32768;
    cube->edge = 1 << (WK_OCTREE_DEPTH - cell.depth);
    cube->isUnknown = cell.state == wk_cellUnknown;
    return true;
}

wkResult wkMapMarks_Create(const wkField* field, const wkFieldGrid* grid, double sphere,
                           wkMapMarks* marks)
{
    memset(marks, 0, sizeof *marks);
    marks->size = (double)grid->size;
    marks->sphere = sphere;
    marks->step = field->step;
    marks->isWhole = true;
    double beyond = ceil((field->reach + fabs(sphere)) / marks->size) + 1.0;
    marks->beyond = beyond < MOST_BEYOND ? (int32_t)beyond : MOST_BEYOND;
    marks->cellCount = 1;
    for (int axis = 0; axis < 3; ++axis) {
        marks->count[axis] = grid->count[axis] + 2 * marks->beyond;
        marks->lower[axis] = (double)grid->lower[axis] - marks->beyond * marks->size;
        marks->cellCount *= (size_t)marks->count[axis];
    }
    marks->marks = (uint8_t*)wkAlloc(marks->cellCount);
    for (int i = 0; i < 2; ++i) {
        marks->scratch[i] = (int16_t*)wkAlloc(marks->cellCount * sizeof *marks->scratch[i]);
    }
    if (marks->marks == NULL || marks->scratch[0] == NULL || marks->scratch[1] == NULL) {
        return wkFail(wk_errorMemory, "field: no memory for a map");
    }
    memset(marks->marks, 0, marks->cellCount);
    return wk_ok;
}

void wkMapMarks_Destroy(wkMapMarks* marks)
{
    for (int i = 0; i < 2; ++i) {
        wkFree(marks->scratch[i], marks->cellCount * sizeof *marks->scratch[i]);
    }
    wkFree(marks->marks, marks->cellCount);
}

// A cube of the map in the grid, in cells.
typedef struct gridCube {
    double center[3];
    double half;
    int32_t from[3]; // cells that its axis-aligned box overlaps
    int32_t to[3];
} gridCube;

static bool isNearWhole(double position)
{
    return fabs(position - floor(position + 0.5)) <= OVERLAP;
}

// @return false when it is beyond the grid
static bool placeCube(wkMapMarks* marks, const wkFieldMap* map, const wkMapCube* cube,
                      gridCube* placed)
{
    double scale = 1.0 / map->perMetre, half = 0.5 * (double)cube->edge;
    wkVec3d local = wkVec((double)cube->lower[0] + half, (double)cube->lower[1] + half,
                          (double)cube->lower[2] + half);
    wkVec3d center = wkFramePoint(&map->frame, wkScale(scale, local));
    const wkMat3d* m = &map->frame.rotation;
    wkVec3d wide = wkAdd(wkAdd(wkAbs(m->x), wkAbs(m->y)), wkAbs(m->z));
    double perSize = 1.0 / marks->size;
    placed->half = half * scale * perSize;
    for (int axis = 0; axis < 3; ++axis) {
        double middle = (wkAlongAxis(&center, axis) - marks->lower[axis]) * perSize;
        double reach = placed->half * wkAlongAxis(&wide, axis);
        double from = floor(middle - reach + OVERLAP), to = ceil(middle + reach - OVERLAP) - 1.0;
        double last = (double)marks->count[axis] - 1.0;
        to = wkMaxD(from, to);
        if (!(from <= last && to >= 0.0)) {
            return false;
        }
        marks->isWhole =
            marks->isWhole && isNearWhole(middle - reach) && isNearWhole(middle + reach);
        placed->center[axis] = middle;
        placed->from[axis] = (int32_t)wkMaxD(from, 0.0);
        placed->to[axis] = (int32_t)wkMinD(to, last);
    }
    return true;
}

static bool isStraight(const wkMat3d* m)
{
    return fabs(m->x.x - 1.0) < STRAIGHT && fabs(m->y.y - 1.0) < STRAIGHT &&
           fabs(m->z.z - 1.0) < STRAIGHT;
}

// Returns whether a cell and a cube overlap along each axis of the cube.
static bool overlapsRotated(const wkMat3d* m, const gridCube* cube, const int32_t cell[3])
{
    wkVec3d way =
        wkVec((double)cell[0] + 0.5 - cube->center[0], (double)cell[1] + 0.5 - cube->center[1],
              (double)cell[2] + 0.5 - cube->center[2]);
    const wkVec3d axes[3] = {m->x, m->y, m->z};
    for (int k = 0; k < 3; ++k) {
        if (fabs(wkDot(axes[k], way)) > cube->half + 0.5 * wkSumAbs(axes[k])) {
            return false;
        }
    }
    return true;
}

// Returns whether a cell and a cube that overlap along all face normals overlap: tests the cross products of
// their edges (Gottschalk 1996). Along such an axis the extents of the cell and of the cube come from the
// other two axes of each.
static bool overlapsAcross(const wkMat3d* m, const gridCube* cube, const int32_t cell[3])
{
    wkVec3d way =
        wkVec((double)cell[0] + 0.5 - cube->center[0], (double)cell[1] + 0.5 - cube->center[1],
              (double)cell[2] + 0.5 - cube->center[2]);
    const wkVec3d axes[3] = {m->x, m->y, m->z};
    for (int k = 0; k < 3; ++k) {
        wkVec3d across = wkCross(axes[k], way), size = wkAbs(axes[k]);
        wkVec3d others = wkAdd(wkAbs(axes[(k + 1) % 3]), wkAbs(axes[(k + 2) % 3]));
        wkVec3d ofCell = wkScale(0.5, wkVec(size.y + size.z, size.z + size.x, size.x + size.y));
        wkVec3d reach = wkMulAdd(ofCell, cube->half, others);
        if (fabs(across.x) > reach.x || fabs(across.y) > reach.y || fabs(across.z) > reach.z) {
            return false;
        }
    }
    return true;
}

// Returns the mark of a cell within the box around a cube. Lower bounds on distances may treat a cell as
// overlapped that is not, upper bounds must not.
static uint8_t markOf(const wkMat3d* m, const gridCube* cube, const int32_t cell[3], bool isRotated,
                      bool isUnknown)
{
    if (isRotated && !overlapsRotated(m, cube, cell)) {
        return 0;
    }
    bool isKnown = !isUnknown && (!isRotated || overlapsAcross(m, cube, cell));
    return (uint8_t)(isKnown ? wk_markAny | wk_markKnown : wk_markAny);
}

void wkMapMarks_Add(wkMapMarks* marks, const wkFieldMap* map, const wkMapCube* cube, bool isUnknown)
{
    gridCube placed;
    if (!placeCube(marks, map, cube, &placed)) {
        return;
    }
    bool isRotated = !isStraight(&map->frame.rotation);
    marks->isWhole = marks->isWhole && !isRotated;
    int32_t cell[3];
    for (cell[2] = placed.from[2]; cell[2] <= placed.to[2]; ++cell[2]) {
        for (cell[1] = placed.from[1]; cell[1] <= placed.to[1]; ++cell[1]) {
            uint8_t* row =
                &marks->marks[((size_t)cell[2] * (size_t)marks->count[1] + (size_t)cell[1]) *
                              (size_t)marks->count[0]];
            for (cell[0] = placed.from[0]; cell[0] <= placed.to[0]; ++cell[0]) {
                row[cell[0]] |= markOf(&map->frame.rotation, &placed, cell, isRotated, isUnknown);
            }
        }
    }
}

// How distances are counted in a transform.
typedef struct spreadRule {
    uint8_t mark; // of the cells that distances start from
    int32_t more; // edges between two cells that are n apart: n + more, at least 0
} spreadRule;

static int16_t squareOf(int32_t apart, const spreadRule* rule)
{
    int32_t edges = apart + rule->more;
    edges = edges > 0 ? edges : 0;
    return (int16_t)(apart > MOST_BEYOND ? FAR_SQUARE : edges * edges);
}

// Computes distances from the nearest mark along x.
static void spreadRow(const uint8_t* marks, int32_t count, const spreadRule* rule, int16_t* out)
{
    int32_t apart = MOST_BEYOND + 1;
    for (int32_t i = 0; i < count; ++i) {
        apart = (marks[i] & rule->mark) != 0 ? 0 : apart + (apart <= MOST_BEYOND);
        out[i] = (int16_t)apart;
    }
    apart = MOST_BEYOND + 1;
    for (int32_t i = count - 1; i >= 0; --i) {
        apart = (marks[i] & rule->mark) != 0 ? 0 : apart + (apart <= MOST_BEYOND);
        out[i] = squareOf(apart < out[i] ? apart : out[i], rule);
    }
}

// Combines adjacent rows, `stride` apart: the minimum of their values plus the square of the way to them.
static void spreadAcross(const int16_t* in, size_t stride, int32_t beyond, int32_t count,
                         const spreadRule* rule, int16_t* out)
{
    memcpy(out, in, (size_t)count * sizeof *out);
    int16_t here = squareOf(0, rule);
    for (int32_t x = 0; x < count; ++x) {
        out[x] = (int16_t)(out[x] + here);
    }
    for (int32_t apart = 1; apart <= beyond; ++apart) {
        const int16_t* before = in - (size_t)apart * stride;
        const int16_t* after = in + (size_t)apart * stride;
        int16_t square = squareOf(apart, rule);
        for (int32_t x = 0; x < count; ++x) {
            int nearer = (before[x] < after[x] ? before[x] : after[x]) + square;
            out[x] = (int16_t)(nearer < out[x] ? nearer : out[x]);
        }
    }
}

// Computes squared distances of the cells of the grid, which keep their indices among the cells beyond it, in
// the first scratch array.
static void spread(wkMapMarks* marks, const wkFieldGrid* grid, const spreadRule* rule)
{
    size_t row = (size_t)marks->count[0], slice = row * (size_t)marks->count[1];
    int32_t beyond = marks->beyond;
    for (size_t i = 0; i < (size_t)marks->count[1] * (size_t)marks->count[2]; ++i) {
        spreadRow(&marks->marks[i * row], marks->count[0], rule, &marks->scratch[0][i * row]);
    }
    for (int32_t z = 0; z < marks->count[2]; ++z) {
        for (int32_t y = beyond; y < beyond + grid->count[1]; ++y) {
            size_t at = (size_t)z * slice + (size_t)y * row + (size_t)beyond;
            spreadAcross(&marks->scratch[0][at], row, beyond, grid->count[0], rule,
                         &marks->scratch[1][at]);
        }
    }
    for (int32_t z = beyond; z < beyond + grid->count[2]; ++z) {
        for (int32_t y = beyond; y < beyond + grid->count[1]; ++y) {
            size_t at = (size_t)z * slice + (size_t)y * row + (size_t)beyond;
            spreadAcross(&marks->scratch[1][at], slice, beyond, grid->count[0], rule,
                         &marks->scratch[0][at]);
        }
    }
}

// Size of the table of bytes by squared distance.
#define TABLE_SIZE (3 * (MOST_BEYOND + 1) * (MOST_BEYOND + 1) + 1)

static void fillLowTable(const wkMapMarks* marks, uint8_t* table)
{
    float perStep = 1.0f / marks->step;
    for (int32_t square = 0; square < TABLE_SIZE; ++square) {
        // a cell beyond the last one that was examined is as far as that one
        double edges = wkMinD(sqrt((double)square), (double)marks->beyond);
        double away = (edges - 2.0 * OVERLAP) * marks->size;
        bool isInside = square == 0 && marks->sphere < 0.0;
        table[square] = (uint8_t)(isInside ? 0
                                           : wkStepsBelow((float)(away - marks->sphere), perStep,
                                                          WK_FIELD_FAR));
    }
}

static void fillHighTable(const wkMapMarks* marks, uint8_t* table)
{
    float perStep = 1.0f / marks->step;
    for (int32_t square = 0; square < TABLE_SIZE; ++square) {
        double away = (sqrt((double)square) + 2.0 * OVERLAP) * marks->size;
        table[square] = (uint8_t)wkStepsAbove((float)(away - marks->sphere), perStep, WK_FIELD_FAR);
    }
}

// Combines bytes from the table into all cells.
static void takeBytes(const wkMapMarks* marks, const wkFieldGrid* grid, const uint8_t* table,
                      int shift, uint16_t* cells)
{
    int32_t beyond = marks->beyond;
    uint8_t far = table[TABLE_SIZE - 1];
    for (int32_t z = 0; z < grid->count[2]; ++z) {
        for (int32_t y = 0; y < grid->count[1]; ++y) {
            const int16_t* squares =
                &marks->scratch[0][((size_t)(z + beyond) * (size_t)marks->count[1] +
                                    (size_t)(y + beyond)) *
                                       (size_t)marks->count[0] +
                                   (size_t)beyond];
            uint16_t* row =
                &cells[((size_t)z * (size_t)grid->count[1] + (size_t)y) * (size_t)grid->count[0]];
            for (int32_t x = 0; x < grid->count[0]; ++x) {
                int16_t square = squares[x];
                uint8_t byte = square < TABLE_SIZE ? table[square] : far;
                row[x] = (uint16_t)(row[x] | byte << shift);
            }
        }
    }
}

wkResult wkMapMarks_Spread(wkMapMarks* marks, const wkFieldGrid* grid, wkFieldMap* map)
{
    map->cellBytes = wkField_WordBytes(grid) / sizeof *grid->words * sizeof *map->cells;
    map->cells = (uint16_t*)wkAlloc(map->cellBytes);
    if (map->cells == NULL) {
        return wkFail(wk_errorMemory, "field: no memory for a map");
    }
    memset(map->cells, 0, map->cellBytes);
    uint8_t table[TABLE_SIZE];
    spreadRule least = {wk_markAny, -1};
    spread(marks, grid, &least);
    fillLowTable(marks, table);
    takeBytes(marks, grid, table, 0, map->cells);

    // cells that are overlapped but not filled may be empty up to their far end
    spreadRule most = {wk_markKnown, marks->isWhole ? 0 : 1};
    spread(marks, grid, &most);
    fillHighTable(marks, table);
    table[TABLE_SIZE - 1] = WK_FIELD_FAR;
    takeBytes(marks, grid, table, 8, map->cells);
    return wk_ok;
}
