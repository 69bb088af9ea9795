// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The hull of a convex solid mesh: of the vertices that its triangles use.

#include "tree/mesh/mesh_hull.h"

#include "base/memory.h"
#include "geom/hull_impl.h"
#include "geom/hull_seed.h"

#include <string.h>

uint64_t wkMeshHullScratch(int32_t vertexCount)
{
    if (vertexCount > WK_MESH_HULL_VERTICES) {
        return 0;
    }
    // at most twice as many faces as vertices, and three times as many edges; 16 arrays
    uint64_t faceVertices = (uint64_t)vertexCount + WK_HULL_LANES, faces = 2 * faceVertices;
    return sizeof(wkHull) + 3 * faceVertices * sizeof(double) + 2 * faces * sizeof(wkHullPlane) +
           3 * faceVertices * sizeof(wkHullEdge) + (faces + 13 * faceVertices) * sizeof(int32_t) +
           (WK_HULL_SEED_COUNT + WK_HULL_CELL_COUNT) * sizeof(int32_t) + 16 * 64;
}

// Gathers the used vertices, each once, in the order of their indices: the order of the triangles in a block
// differs from that in the definition, and a hull may depend on it.
static int32_t gatherPoints(const wkMeshDef* def, wkVec3d* points, char* isUsed)
{
    int32_t count = 0;
    memset(isUsed, 0, (size_t)def->vertexCount);
    for (size_t i = 0; i < 3 * (size_t)def->triangleCount; ++i) {
        isUsed[def->triangles[i]] = 1;
    }
    for (int32_t i = 0; i < def->vertexCount; ++i) {
        if (isUsed[i]) {
            points[count++] = def->vertices[i];
        }
    }
    return count;
}

bool wkMakeMeshHull(const wkMeshDef* def, bool isConvex, wkHull** hull)
{
    *hull = NULL;
    if (!def->isSolid || !isConvex || def->vertexCount > WK_MESH_HULL_VERTICES) {
        return true;
    }
    size_t byteCount = (size_t)def->vertexCount * (sizeof(wkVec3d) + 1);
    wkVec3d* points = wkAlloc(byteCount);
    if (points == NULL) {
        return false;
    }
    wkHullDef hullDef = wkDefaultHullDef();
    hullDef.points = points;
    hullDef.pointCount = gatherPoints(def, points, (char*)(points + def->vertexCount));
    wkResult result = wkHull_Create(&hullDef, hull);
    wkFree(points, byteCount);
    if (*hull != NULL && (*hull)->byteCount > wkMeshHullScratch(def->vertexCount)) {
        wkHull_Destroy(*hull);
        *hull = NULL;
    }
    return result != wk_errorMemory;
}

void wkWriteMeshHull(wkMesh* mesh, const wkHull* hull)
{
    mesh->hullBytes = hull != NULL ? hull->byteCount : 0;
    if (hull != NULL) {
        memcpy((char*)mesh + mesh->hullOffset, hull, hull->byteCount);
    }
}
