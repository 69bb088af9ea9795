// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Which elements belong to which triangle: every vertex and edge has one representative, the first triangle with it in
// the caller's order (Curtis, Tamstorf, Manocha, "Fast Collision Detection for Deformable Models using
// Representative-Triangles", 2008). Pairs of elements are compared where their representatives meet: once.

#include "tree/mesh/mesh_impl.h"
#include "whisker/mesh_elements.h"

// Bits of a mask: vertex k, and the edge from vertex k to the next one.
#define WK_OWN_VERTEX(k) (1u << (k))
#define WK_OWN_EDGE(k) (8u << (k))

struct wkMeshElements {
    const wkMesh* mesh;
    size_t byteCount;
    wkMeshElementsInfo info;
    int32_t vertexCount; // of the mesh when it was made
    uint8_t masks[];     // by the caller's index of the triangle
};

// Returns false for NULL, and where the mesh has other triangles than when its elements were listed.
WK_FN bool wkAreElementsValid(const wkMeshElements* elements)
{
    return elements != NULL && elements->vertexCount == elements->mesh->vertexCount &&
           elements->info.faceCount == elements->mesh->triangleCount;
}

// Vertex k of a triangle, also for k = 3.
WK_FN int wkNextVertex(int k)
{
    return k == 2 ? 0 : k + 1;
}
