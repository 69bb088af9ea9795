// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Height fields: checks, the block, triangles from the grid, and the view for walks.

#include "tree/height_field/height_field_impl.h"

#include "base/block.h"
#include "base/cookie.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/range.h"
#include "geom/check.h"
#include "tree/bvh/tree_shape.h"
#include "tree/mesh/mesh_impl.h"

// Minimum side of a field: the number of cells in a metre must be a finite double.
#define LEAST_SIZE 1e-150

wkHeightFieldDef wkDefaultHeightFieldDef(void)
{
    wkHeightFieldDef def = {.cookie = WK_COOKIE(wkHeightFieldDef)};
    return def;
}

static wkResult checkCounts(const wkHeightFieldDef* def)
{
    if (def->columns < 2 || def->rows < 2) {
        return wkFail(wk_errorRange,
                      "heightfield: %d columns and %d rows, must be 2 or more of both",
                      (int)def->columns, (int)def->rows);
    }
    int64_t x = def->columns - 1, y = def->rows - 1;
    if (x * y > WK_TREE_MAX_ITEMS || 2 * x * y + 4 * (x + y) + 2 > WK_TREE_MAX_ITEMS) {
        return wkFail(wk_errorRange,
                      "heightfield: %d columns and %d rows give more than %d triangles",
                      (int)def->columns, (int)def->rows, WK_TREE_MAX_ITEMS);
    }
    return wk_ok;
}

static wkResult checkHeights(const wkHeightFieldDef* def)
{
    if (def->heights == NULL) {
        return wkFail(wk_errorArgument, "heightfield: heights are NULL");
    }
    size_t count = (size_t)def->columns * (size_t)def->rows;
    for (size_t i = 0; i < count; ++i) {
        double height = def->heights[i];
        if (!(fabs(height) <= WK_MESH_REACH)) {
            return wkFail(isfinite(height) ? wk_errorRange : wk_errorNotFinite,
                          "heightfield: height in row %d, column %d is %g, must be within %g",
                          (int)(i / (size_t)def->columns), (int)(i % (size_t)def->columns), height,
                          WK_MESH_REACH);
        }
    }
    return wk_ok;
}

static wkResult checkDef(const wkHeightFieldDef* def)
{
    if (!WK_HAS_COOKIE(def, wkHeightFieldDef)) {
        return WK_FAIL_COOKIE(def, wkHeightFieldDef);
    }
    const wkNamedNumber numbers[] = {
        {"sizeX", def->sizeX, LEAST_SIZE, WK_MESH_REACH},
        {"sizeY", def->sizeY, LEAST_SIZE, WK_MESH_REACH},
        {"minHeight", def->minHeight, -WK_MESH_REACH, WK_MESH_REACH},
    };
    wkResult result = checkCounts(def);
    if (result == wk_ok) {
        result = wkCheckNumbers("heightfield", numbers, sizeof numbers / sizeof numbers[0]);
    }
    return result == wk_ok ? checkHeights(def) : result;
}

static wkHeightField layOut(const wkHeightFieldDef* def, int32_t nodeCount)
{
    int32_t x = def->columns - 1, y = def->rows - 1;
    wkHeightField field = {
        .columns = def->columns,
        .rows = def->rows,
        .cellTriangles = 2 * x * y,
        .triangleCount = 2 * x * y + 4 * (x + y) + 2,
        .nodeCount = nodeCount,
        .minHeight = def->minHeight,
        .cellsPerMetreX = x / def->sizeX,
        .cellsPerMetreY = y / def->sizeY,
    };
    uint64_t byteCount = sizeof field;
    field.nodeOffset = wkReserve(&byteCount, (uint64_t)nodeCount * sizeof(wkBoxNode));
    field.xOffset = wkReserve(&byteCount, (uint64_t)def->columns * sizeof(double));
    field.yOffset = wkReserve(&byteCount, (uint64_t)def->rows * sizeof(double));
    field.heightOffset =
        wkReserve(&byteCount, (uint64_t)def->columns * (uint64_t)def->rows * sizeof(double));
    field.byteCount = byteCount;
    return field;
}

// Coordinates of grid lines, symmetric about 0.
static void writeLines(double* lines, int32_t count, double size)
{
    for (int32_t i = 0; i < count; ++i) {
        int32_t twice = 2 * i - (count - 1);
        lines[i] = 0.5 * size * ((double)twice / (count - 1));
    }
}

static void writeHeights(wkHeightField* field, const double* given)
{
    double* heights = (double*)((char*)field + field->heightOffset);
    size_t count = (size_t)field->columns * (size_t)field->rows;
    double highest = field->minHeight;
    for (size_t i = 0; i < count; ++i) {
        heights[i] = wkMaxD(given[i], field->minHeight);
        highest = wkMaxD(highest, heights[i]);
    }
    const double *x = wkFieldX(field), *y = wkFieldY(field);
    field->bounds.lower = wkVec(x[0], y[0], field->minHeight);
    field->bounds.upper = wkVec(x[field->columns - 1], y[field->rows - 1], highest);
}

wkResult wkHeightField_Create(const wkHeightFieldDef* def, wkHeightField** field)
{
    *field = NULL;
    wkResult result = checkDef(def);
    if (result != wk_ok) {
        return result;
    }
    wkFieldPlan plan;
    wkPlanField(def->columns, def->rows, def->sizeX / (def->columns - 1),
                def->sizeY / (def->rows - 1), &plan);
    wkHeightField header = layOut(def, plan.nodeCount);
    wkHeightField* made = wkAlloc((size_t)header.byteCount);
    if (made == NULL) {
        return wkFail(wk_errorMemory, "heightfield: no memory for %d x %d heights",
                      (int)def->columns, (int)def->rows);
    }
    *made = header;
    writeLines((double*)((char*)made + made->xOffset), def->columns, def->sizeX);
    writeLines((double*)((char*)made + made->yOffset), def->rows, def->sizeY);
    writeHeights(made, def->heights);
    wkBuildField(&plan, made);
    *field = made;
    return wk_ok;
}

void wkHeightField_Destroy(wkHeightField* field)
{
    if (field != NULL) {
        wkFree(field, (size_t)field->byteCount);
    }
}

wkHeightFieldInfo wkHeightField_Info(const wkHeightField* field)
{
    wkHeightFieldInfo info = {0};
    if (field != NULL) {
        info.columns = field->columns;
        info.rows = field->rows;
        info.triangleCount = field->triangleCount;
        info.minHeight = field->minHeight;
        info.bounds = field->bounds;
        info.byteCount = (size_t)field->byteCount;
    }
    return info;
}

static size_t indexOf(const wkHeightField* field, int32_t column, int32_t row)
{
    return (size_t)row * (size_t)field->columns + (size_t)column;
}

double wkHeightField_Height(const wkHeightField* field, int32_t column, int32_t row)
{
    return wkFieldHeights(field)[indexOf(field, column, row)];
}

wkTriangle wkHeightField_Triangle(const wkHeightField* field, int32_t index)
{
    wkVec3d faceVertices[3];
    wkFieldTriangleVertices(field, index, faceVertices);
    wkTriangle triangle = {{faceVertices[0], faceVertices[1], faceVertices[2]}};
    return triangle;
}

static wkVec3d pointOf(const wkHeightField* field, int32_t column, int32_t row)
{
    return wkVec(wkFieldX(field)[column], wkFieldY(field)[row],
                 wkFieldHeights(field)[indexOf(field, column, row)]);
}

// The first of two triangles lies to the right of the diagonal.
static void cellVertices(const wkHeightField* field, int32_t item, wkVec3d faceVertices[3])
{
    int32_t cell = item / 2, cellsX = field->columns - 1;
    int32_t row = cell / cellsX, column = cell - row * cellsX;
    bool isFirst = item % 2 == 0;
    faceVertices[0] = pointOf(field, column, row);
    faceVertices[1] =
        isFirst ? pointOf(field, column + 1, row) : pointOf(field, column + 1, row + 1);
    faceVertices[2] =
        isFirst ? pointOf(field, column + 1, row + 1) : pointOf(field, column, row + 1);
}

// Two consecutive points of the grid's border: anticlockwise from above.
typedef struct borderEdge {
    wkVec3d start;
    wkVec3d end;
} borderEdge;

static borderEdge edgeOf(const wkHeightField* field, int32_t edge)
{
    int32_t x = field->columns - 1, y = field->rows - 1;
    int32_t east = edge - x, north = east - y, west = north - x;
    if (east < 0) {
        return (borderEdge){pointOf(field, edge, 0), pointOf(field, edge + 1, 0)};
    }
    if (north < 0) {
        return (borderEdge){pointOf(field, x, east), pointOf(field, x, east + 1)};
    }
    if (west < 0) {
        return (borderEdge){pointOf(field, north + 1, y), pointOf(field, north, y)};
    }
    return (borderEdge){pointOf(field, 0, west + 1), pointOf(field, 0, west)};
}

static void wallVertices(const wkHeightField* field, int32_t item, wkVec3d faceVertices[3])
{
    borderEdge edge = edgeOf(field, item / 2);
    faceVertices[0] = wkVec(edge.start.x, edge.start.y, field->minHeight);
    faceVertices[1] = edge.end;
    faceVertices[2] = edge.start;
    if (item % 2 == 0) {
        faceVertices[2] = edge.end;
        faceVertices[1].z = field->minHeight;
    }
}

static void bottomVertices(const wkHeightField* field, int32_t item, wkVec3d faceVertices[3])
{
    wkVec3d lower = field->bounds.lower, upper = field->bounds.upper;
    faceVertices[0] = lower;
    faceVertices[1] = wkVec(item == 0 ? lower.x : upper.x, upper.y, lower.z);
    faceVertices[2] = wkVec(upper.x, item == 0 ? upper.y : lower.y, lower.z);
}

void wkFieldTriangleVertices(const wkHeightField* field, int32_t item, wkVec3d faceVertices[3])
{
    int32_t bottom = field->triangleCount - 2;
    if (item < field->cellTriangles) {
        cellVertices(field, item, faceVertices);
    } else if (item < bottom) {
        wallVertices(field, item - field->cellTriangles, faceVertices);
    } else {
        bottomVertices(field, item - bottom, faceVertices);
    }
}

// The cell between two lines that contains a coordinate within all of them.
static int32_t cellAt(const double* lines, int32_t lineCount, double perMetre, double coordinate)
{
    double guess = (coordinate - lines[0]) * perMetre;
    int32_t cell = guess < lineCount - 2 ? (int32_t)guess : lineCount - 2;
    cell -= cell > 0 && lines[cell] > coordinate;
    cell += cell < lineCount - 2 && lines[cell + 1] < coordinate;
    return cell;
}

bool wkFieldContains(const void* source, wkVec3d point)
{
    const wkHeightField* field = (const wkHeightField*)source;
    const wkAabb* box = &field->bounds;
    bool isInBox = point.x >= box->lower.x && point.x <= box->upper.x && point.y >= box->lower.y &&
                   point.y <= box->upper.y && point.z >= box->lower.z && point.z <= box->upper.z;
    if (!isInBox) {
        return false;
    }
    int32_t column = cellAt(wkFieldX(field), field->columns, field->cellsPerMetreX, point.x);
    int32_t row = cellAt(wkFieldY(field), field->rows, field->cellsPerMetreY, point.y);
    wkVec3d first = pointOf(field, column, row), last = pointOf(field, column + 1, row + 1);
    double alongX = (point.x - first.x) / (last.x - first.x);
    double alongY = (point.y - first.y) / (last.y - first.y);

    // interpolates between the vertices of the triangle: two on the diagonal, one beside it
    bool isFirst = alongX >= alongY;
    double side = isFirst ? wkHeightField_Height(field, column + 1, row)
                          : wkHeightField_Height(field, column, row + 1);
    double more = isFirst ? alongX : alongY, less = isFirst ? alongY : alongX;
    return point.z <= (1.0 - more) * first.z + (more - less) * side + less * last.z;
}

static void verticesOf(const void* source, int32_t item, wkVec3d faceVertices[3])
{
    wkFieldTriangleVertices((const wkHeightField*)source, item, faceVertices);
}

void wkFieldView(const wkShape* shape, wkTreeView* view)
{
    static const int32_t onlyComponent = 0;
    const wkHeightField* field = shape->heightField;
    *view = (wkTreeView){
        .tree = {(const char*)field + field->nodeOffset, wkNodeBytes(wk_volumeAabb),
                 field->nodeCount, wk_volumeAabb},
        .source = field,
        .faceVertices = verticesOf,
        .components = &onlyComponent,
        .componentCount = 1,
        .itemCount = field->triangleCount,
        .bounds = field->bounds,
        .reach = wkMaxD(wkMaxAbs(field->bounds.lower), wkMaxAbs(field->bounds.upper)),
        .isSolid = true,
        .givenCount = field->triangleCount,
    };
}

bool wkFieldIsValid(const wkShape* shape)
{
    return shape->heightField != NULL && wkHasValidMargins(shape, 0.0);
}

wkResult wkFieldCheck(const wkShape* shape)
{
    if (shape->heightField == NULL) {
        return wkFail(wk_errorArgument, "heightfield: is NULL");
    }
    return wkCheckMargins("heightfield", shape);
}
