// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Memory layout of a mesh: one block that starts with this header; the arrays follow at byte
// offsets, so the block can be saved, mapped or uploaded without conversion.

#include "tree/bvh/tree.h"

#define WK_MESH_MAGIC 0x6873654d6b776877u // "whkwMesh"
#define WK_MESH_VERSION 3u

// Larger coordinates are rejected: the square of a distance must stay in the range of float.
#define WK_MESH_REACH 1e15

struct wkMesh {
    uint64_t magic;
    uint32_t version;
    uint32_t headerBytes; // sizeof(wkMesh): another layout is rejected
    uint64_t byteCount;
    uint64_t checksum; // of everything after this field, see mesh_block.c
    int32_t vertexCount;
    int32_t triangleCount;    // all in the hierarchy: the caller's first, then lids
    int32_t lidCount;         // of those, see lids.h; 0: a surface, or a solid that is watertight
    int32_t loopCount;        // boundary loops that the lids close
    int32_t triangleCapacity; // triangle capacity of the arrays
    int32_t nodeCount;
    int32_t depth;
    int32_t componentCount;
    int32_t degenerateCount; // of the caller's triangles
    int32_t kind;            // wkVolumeKind
    uint8_t isSolid;
    uint8_t isClosed; // the caller's triangles are watertight
    uint8_t isConvex; // with the lids
    uint8_t hasPrevious;
    int32_t hullCount;    // parts of a solid that are bounded by their hulls, see lid_doubt.h
    wkAabb bounds;        // of the vertices that triangles use
    wkVec3d sphereCenter; // a sphere around them
    double sphereRadius;
    double volumeInside; // with the lids
    double area;         // of the caller's triangles
    double lidArea;
    double sewnGap;        // vertices up to this far apart may have been sewn by lids; 0: none were
    uint64_t vertexOffset; // wkVec3d[vertexCount], in the caller's order
    uint64_t previousOffset; // the same before the last update, see hasPrevious; 0: no capacity
    uint64_t triangleOffset; // int32_t[triangleCount][3], in tree order
    uint64_t idOffset;       // int32_t[triangleCount]: the caller's index of each, lids follow
    uint64_t orderOffset; // int32_t[triangleCount]: the inverse, tree order of the caller's index
    uint64_t nodeOffset;  // nodes, see tree.h
    uint64_t componentOffset; // int32_t[componentCount]: a triangle (tree order) of each piece
    uint64_t hullOffset;      // wkHull of a convex solid, see mesh_hull.h; 0: no capacity
    uint64_t hullBytes;       // 0: none
};

WK_FN const wkVec3d* wkMeshVertices(const wkMesh* mesh)
{
    return (const wkVec3d*)((const char*)mesh + mesh->vertexOffset);
}

// Positions before the last update; valid when the mesh has them.
WK_FN const wkVec3d* wkMeshPrevious(const wkMesh* mesh)
{
    return (const wkVec3d*)((const char*)mesh + mesh->previousOffset);
}

WK_FN const int32_t* wkMeshTriangles(const wkMesh* mesh)
{
    return (const int32_t*)((const char*)mesh + mesh->triangleOffset);
}

WK_FN const int32_t* wkMeshIds(const wkMesh* mesh)
{
    return (const int32_t*)((const char*)mesh + mesh->idOffset);
}

WK_FN const int32_t* wkMeshTriangleOrder(const wkMesh* mesh)
{
    return (const int32_t*)((const char*)mesh + mesh->orderOffset);
}

WK_FN const int32_t* wkMeshComponents(const wkMesh* mesh)
{
    return (const int32_t*)((const char*)mesh + mesh->componentOffset);
}

// NULL when the mesh has none.
WK_FN const wkHull* wkMeshHull(const wkMesh* mesh)
{
    return mesh->hullBytes > 0 ? (const wkHull*)((const char*)mesh + mesh->hullOffset) : NULL;
}

WK_FN wkTree wkMeshTree(const wkMesh* mesh)
{
    wkTree tree = {(const char*)mesh + mesh->nodeOffset, wkNodeBytes((wkVolumeKind)mesh->kind),
                   mesh->nodeCount, (wkVolumeKind)mesh->kind};
    return tree;
}

// Number of the caller's triangles.
WK_FN int32_t wkMeshGivenCount(const wkMesh* mesh)
{
    return mesh->triangleCount - mesh->lidCount;
}

// Vertices of a triangle, by its index in tree order.
WK_FN void wkMeshTriangleVertices(const wkMesh* mesh, int32_t item, wkVec3d faceVertices[3])
{
    const wkVec3d* vertices = wkMeshVertices(mesh);
    const int32_t* indices = wkMeshTriangles(mesh) + 3 * (size_t)item;
    faceVertices[0] = vertices[indices[0]];
    faceVertices[1] = vertices[indices[1]];
    faceVertices[2] = vertices[indices[2]];
}

// Checksum of a block whose header holds its length.
uint64_t wkMeshChecksum(const wkMesh* mesh);

// Writes the checksum: the last step of every change to a mesh.
void wkSealMesh(wkMesh* mesh);
