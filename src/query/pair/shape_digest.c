// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Digests of shapes: of their content, not of their storage.

#include "geom/hull_impl.h"
#include "tree/height_field/height_field_impl.h"
#include "tree/mesh/mesh_impl.h"
#include "whisker/digest.h"
#include "whisker/octree.h"

static void addHull(wkDigestBuilder* builder, const wkShape* shape)
{
    const wkHull* hull = shape->hull;
    wkDigestBuilder_AddInteger(builder, hull->vertexCount);
    for (int32_t i = 0; i < hull->vertexCount; ++i) {
        wkVec3d vertex = wkHullVertex(hull, i);
        wkDigestBuilder_AddNumbers(builder, &vertex.x, 3);
    }
}

// Adds triangles in the caller's order: that of the tree depends on how the mesh was split.
static void addMesh(wkDigestBuilder* builder, const wkShape* shape)
{
    const wkMesh* mesh = shape->mesh;
    wkDigestBuilder_AddInteger(builder, mesh->isSolid);
    wkDigestBuilder_AddInteger(builder, mesh->vertexCount);
    wkDigestBuilder_AddNumbers(builder, &wkMeshVertices(mesh)->x, 3 * (size_t)mesh->vertexCount);
    wkDigestBuilder_AddInteger(builder, mesh->triangleCount);
    for (int32_t i = 0; i < mesh->triangleCount; ++i) {
        const int32_t* faceVertices =
            wkMeshTriangles(mesh) + 3 * (size_t)wkMeshTriangleOrder(mesh)[i];
        for (int k = 0; k < 3; ++k) {
            wkDigestBuilder_AddInteger(builder, faceVertices[k]);
        }
    }
}

static void addHeightField(wkDigestBuilder* builder, const wkShape* shape)
{
    const wkHeightField* field = shape->heightField;
    size_t columns = (size_t)field->columns, rows = (size_t)field->rows;
    wkDigestBuilder_AddInteger(builder, field->columns);
    wkDigestBuilder_AddInteger(builder, field->rows);
    wkDigestBuilder_AddNumbers(builder, &field->minHeight, 1);
    wkDigestBuilder_AddNumbers(builder, wkFieldX(field), columns);
    wkDigestBuilder_AddNumbers(builder, wkFieldY(field), rows);
    wkDigestBuilder_AddNumbers(builder, wkFieldHeights(field), rows * columns);
}

static void addMap(wkDigestBuilder* builder, const wkShape* shape)
{
    const wkMapShape* map = &shape->map;
    wkOctreeDef def = wkOctree_Def(map->octree);
    const double numbers[3] = {def.resolution, def.occupiedProbability, map->occupiedProbability};
    wkDigestBuilder_AddNumbers(builder, numbers, 3);
    wkDigestBuilder_AddInteger(builder, map->unknown);
    wkCellIterator cells = wkOctree_Cells(map->octree, NULL);
    wkCell cell;
    while (wkCellIterator_Next(&cells, &cell)) {
        double logOdds = (double)cell.logOdds;
        wkDigestBuilder_AddInteger(builder, cell.id);
        wkDigestBuilder_AddNumbers(builder, &logOdds, 1);
    }
    wkDigestBuilder_AddInteger(builder, -1); // the end: no cell has this name
}

// Numbers of the union, all starting at its beginning, or a function for borrowed geometry.
typedef struct digestRow {
    size_t numberCount;
    void (*addBorrowed)(wkDigestBuilder* builder, const wkShape* shape);
} digestRow;

// clang-format off
static const digestRow rows[wk_shapeTypeCount] = {
    [wk_shapeNone]        = {0, NULL},
    [wk_shapeSphere]      = {sizeof(wkSphere) / sizeof(double), NULL},
    [wk_shapeCapsule]     = {sizeof(wkCapsule) / sizeof(double), NULL},
    [wk_shapeBox]         = {sizeof(wkBox) / sizeof(double), NULL},
    [wk_shapeCylinder]    = {sizeof(wkCylinder) / sizeof(double), NULL},
    [wk_shapeCone]        = {sizeof(wkCone) / sizeof(double), NULL},
    [wk_shapeEllipsoid]   = {sizeof(wkEllipsoid) / sizeof(double), NULL},
    [wk_shapeTriangle]    = {sizeof(wkTriangle) / sizeof(double), NULL},
    [wk_shapeHull]        = {0, addHull},
    [wk_shapeHalfspace]   = {sizeof(wkHalfspace) / sizeof(double), NULL},
    [wk_shapePlane]       = {sizeof(wkPlane) / sizeof(double), NULL},
    [wk_shapeMesh]        = {0, addMesh},
    [wk_shapeHeightField] = {0, addHeightField},
    [wk_shapeOctree]      = {0, addMap},
};
// clang-format on

void wkDigestBuilder_AddShape(wkDigestBuilder* builder, const wkShape* shape)
{
    bool isValid = wkShape_Check(shape) == wk_ok;
    wkShapeType type = isValid ? shape->type : wk_shapeNone;
    wkDigestBuilder_AddText(builder, wkShapeTypeName(type));
    if (!isValid) {
        return;
    }
    const double around[2] = {shape->rounding, shape->padding};
    wkDigestBuilder_AddNumbers(builder, around, 2);
    wkDigestBuilder_AddNumbers(builder, &shape->sphere.radius, rows[type].numberCount);
    if (rows[type].addBorrowed != NULL) {
        rows[type].addBorrowed(builder, shape);
    }
}
