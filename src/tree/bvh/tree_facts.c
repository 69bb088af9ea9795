// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Facts about meshes and height fields for the layers above queries: their content for digests, the counter
// that changes with it, and their surface for fitting.

#include "tree/bvh/tree_shape.h"
#include "tree/height_field/height_field_impl.h"
#include "tree/mesh/mesh_impl.h"

// Adds triangles in the caller's order: that of the tree depends on how the mesh was split.
void wkMeshDigest(wkDigestBuilder* builder, const wkShape* shape)
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

void wkFieldDigest(wkDigestBuilder* builder, const wkShape* shape)
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

// Only builders make meshes with space for previous vertices, and only builders move vertices.
const uint64_t* wkMeshChanges(const wkShape* shape)
{
    return shape->mesh->previousOffset != 0 ? &shape->mesh->checksum : NULL;
}

bool wkMeshTessellate(const wkShape* shape, double offset, wkTessellationSink* sink)
{
    const wkMesh* mesh = shape->mesh;
    for (int32_t i = 0; i < mesh->triangleCount; ++i) {
        wkVec3d faceVertices[3];
        wkMeshTriangleVertices(mesh, wkMeshTriangleOrder(mesh)[i], faceVertices);
        if (!sink->add(sink, faceVertices[0], faceVertices[1], faceVertices[2], fabs(offset))) {
            return false;
        }
    }
    return true;
}

bool wkFieldTessellate(const wkShape* shape, double offset, wkTessellationSink* sink)
{
    int32_t count = wkHeightField_Info(shape->heightField).triangleCount;
    for (int32_t i = 0; i < count; ++i) {
        wkTriangle t = wkHeightField_Triangle(shape->heightField, i);
        if (!sink->add(sink, t.points[0], t.points[1], t.points[2], fabs(offset))) {
            return false;
        }
    }
    return true;
}
