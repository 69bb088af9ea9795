// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Public functions that read a mesh, and the checks of shapes that borrow one.

#include "tree/mesh/mesh_impl.h"

#include "base/error.h"
#include "base/memory.h"
#include "geom/check.h"
#include "tree/bvh/tree_shape.h"

void wkMesh_Destroy(wkMesh* mesh)
{
    if (mesh != NULL) {
        wkFree(mesh, (size_t)mesh->byteCount);
    }
}

wkMeshInfo wkMesh_Info(const wkMesh* mesh)
{
    wkMeshInfo info = {
        .vertexCount = mesh->vertexCount,
        .triangleCount = wkMeshGivenCount(mesh),
        .componentCount = mesh->componentCount,
        .degenerateCount = mesh->degenerateCount,
        .isSolid = mesh->isSolid != 0,
        .isClosed = mesh->isClosed != 0,
        .isConvex = mesh->isConvex != 0,
        .hasPrevious = mesh->hasPrevious != 0,
        .volume = (wkVolumeKind)mesh->kind,
        .nodeCount = mesh->nodeCount,
        .depth = mesh->depth,
        .bounds = mesh->bounds,
        .volumeInside = mesh->volumeInside,
        .area = mesh->area,
        .boundaryLoopCount = mesh->loopCount,
        .lidCount = mesh->lidCount,
        .lidArea = mesh->lidArea,
        .sewnGap = mesh->sewnGap,
        .hullCount = mesh->hullCount,
        .byteCount = (size_t)mesh->byteCount,
    };
    return info;
}

wkVec3d wkMesh_Vertex(const wkMesh* mesh, int32_t index)
{
    return wkMeshVertices(mesh)[index];
}

void wkMesh_TriangleIndices(const wkMesh* mesh, int32_t index, int32_t faceVertices[3])
{
    const int32_t* indices = wkMeshTriangles(mesh) + 3 * (size_t)wkMeshTriangleOrder(mesh)[index];
    for (int k = 0; k < 3; ++k) {
        faceVertices[k] = indices[k];
    }
}

wkTriangle wkMesh_Triangle(const wkMesh* mesh, int32_t index)
{
    wkTriangle triangle = {{{0.0, 0.0, 0.0}}};
    wkMeshTriangleVertices(mesh, wkMeshTriangleOrder(mesh)[index], triangle.points);
    return triangle;
}

void wkMeshView(const wkShape* shape, wkTreeView* view)
{
    const wkMesh* mesh = shape->mesh;
    // one by one: a literal would clear the whole struct first
    view->tree = wkMeshTree(mesh);
    view->item = NULL;
    view->groups = NULL;
    view->vertices = wkMeshVertices(mesh);
    view->triangles = wkMeshTriangles(mesh);
    view->source = mesh;
    view->content = mesh->checksum;
    view->faceVertices = NULL;
    view->ids = wkMeshIds(mesh);
    view->order = wkMeshTriangleOrder(mesh);
    view->components = wkMeshComponents(mesh);
    view->componentCount = mesh->componentCount;
    view->itemCount = mesh->triangleCount;
    view->bounds = mesh->bounds;
    view->reach = wkMaxD(wkMaxAbs(mesh->bounds.lower), wkMaxAbs(mesh->bounds.upper));
    view->isSolid = mesh->isSolid != 0;
    view->givenCount = wkMeshGivenCount(mesh);
    view->isInverted = mesh->volumeInside < 0.0;
    view->hull = wkMeshHull(mesh);
}

bool wkMeshIsValid(const wkShape* shape)
{
    return shape->mesh != NULL && wkHasValidMargins(shape, 0.0);
}

wkResult wkMeshCheck(const wkShape* shape)
{
    if (shape->mesh == NULL) {
        return wkFail(wk_errorArgument, "mesh: is NULL");
    }
    return wkCheckMargins("mesh", shape);
}
