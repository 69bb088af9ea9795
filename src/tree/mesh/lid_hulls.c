// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Hulls of vertices, their faces divided into fans of triangles.

#include "tree/mesh/lid_hulls.h"

#include "base/error.h"
#include "base/memory.h"
#include "geom/hull_builder.h"

#include <string.h>

static wkResult noMemory(const wkMeshDef* def)
{
    return wkFail(wk_errorMemory, "mesh: no memory for the hull of %d vertices",
                  (int)def->vertexCount);
}

void wkFreePartHulls(wkPartHulls* hulls)
{
    wkFree(hulls->triangles, hulls->byteCount);
    memset(hulls, 0, sizeof *hulls);
}

// Makes capacity for more triangles.
// @return false when out of memory
static bool growHulls(wkPartHulls* hulls, int32_t moreCount)
{
    wkPartHulls more = *hulls;
    more.byteCount = ((size_t)hulls->count + (size_t)moreCount + 1) * 3 * sizeof(int32_t);
    more.triangles = wkAlloc(more.byteCount);
    if (more.triangles == NULL) {
        return false;
    }
    if (hulls->count > 0) {
        memcpy(more.triangles, hulls->triangles, 3 * (size_t)hulls->count * sizeof(int32_t));
    }
    wkFreePartHulls(hulls);
    *hulls = more;
    return true;
}

// Appends the faces of a hull.
// @param indices vertices of the hull's points
static void addFaces(const wkHullBuilder* hull, const int32_t* indices, bool isInverted,
                     wkPartHulls* to)
{
    for (int32_t face = 0; face < hull->faceCount; ++face) {
        const int32_t* loop = hull->vertices + hull->faceStarts[face];
        int32_t size = hull->faceStarts[face + 1] - hull->faceStarts[face];
        for (int32_t k = 2; k < size; ++k) {
            int32_t* triangle = to->triangles + 3 * (size_t)to->count++;
            triangle[0] = indices[loop[0]];
            triangle[isInverted ? 2 : 1] = indices[loop[k - 1]];
            triangle[isInverted ? 1 : 2] = indices[loop[k]];
        }
    }
    to->partCount += 1;
}

static wkResult addHull(const wkHullDef* points, const int32_t* indices, bool isInverted,
                        wkPartHulls* hulls, bool* isFlat)
{
    wkHullBuilder hull;
    int rank = 0;
    wkResult result = wkBuilderFromPoints(points, &hull, &rank);
    *isFlat = rank < 3;
    if (result == wk_ok && rank == 3) {
        if (growHulls(hulls, hull.vertexCount - 2 * hull.faceCount)) {
            addFaces(&hull, indices, isInverted, hulls);
        } else {
            result = wk_errorMemory;
        }
    }
    wkBuilderRelease(&hull);
    return result;
}

wkResult wkAddPartHull(const wkMeshDef* def, const bool* isMember, bool isInverted,
                       wkPartHulls* hulls, bool* isFlat)
{
    size_t byteCount = ((size_t)def->vertexCount + 1) * (sizeof(wkVec3d) + sizeof(int32_t));
    wkVec3d* points = wkAlloc(byteCount);
    *isFlat = true;
    if (points == NULL) {
        return noMemory(def);
    }
    int32_t* indices = (int32_t*)(points + def->vertexCount + 1);
    wkHullDef hullDef = wkDefaultHullDef();
    hullDef.points = points;
    for (int32_t i = 0; i < def->vertexCount; ++i) {
        if (isMember[i]) {
            points[hullDef.pointCount] = def->vertices[i];
            indices[hullDef.pointCount++] = i;
        }
    }
    wkResult result =
        hullDef.pointCount > 0 ? addHull(&hullDef, indices, isInverted, hulls, isFlat) : wk_ok;
    wkFree(points, byteCount);
    if (result == wk_errorUnsupported) {
        return wkFail(result, "mesh: triangles contradict each other: this build cannot make the "
                              "hull that would bound them");
    }
    return result == wk_errorMemory ? noMemory(def) : result;
}
