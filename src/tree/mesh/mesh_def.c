// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Checks the definition of a mesh.

#include "tree/mesh/mesh_create.h"

#include "base/cookie.h"
#include "base/error.h"

#include "math/within.h"
#include "whisker/detail/counts.h"

wkMeshDef wkDefaultMeshDef(void)
{
    wkMeshDef def = {.isSolid = true,
                     .volume = wk_volumeAabb,
                     .split = wk_splitSah,
                     .cookie = WK_COOKIE(wkMeshDef)};
    return def;
}

wkResult wkCheckMeshDef(const wkMeshDef* def)
{
    if (!WK_HAS_COOKIE(def, wkMeshDef)) {
        return WK_FAIL_COOKIE(def, wkMeshDef);
    }
    if ((unsigned)def->volume >= (unsigned)WK_VOLUME_KIND_COUNT) {
        return wkFail(wk_errorArgument, "mesh: volume is %d, no such kind", (int)def->volume);
    }
    if ((unsigned)def->split >= (unsigned)WK_SPLIT_METHOD_COUNT) {
        return wkFail(wk_errorArgument, "mesh: split is %d, no such method", (int)def->split);
    }
    return wk_ok;
}

wkResult wkCheckVertices(const wkVec3d* vertices, int32_t count, int32_t first)
{
    for (int32_t i = 0; i < count; ++i) {
        wkVec3d v = vertices[i];
        if (!wkIsFiniteVec(v)) {
            return wkFail(wk_errorNotFinite, "mesh: vertex %d is (%g %g %g), must be finite",
                          (int)(first + i), v.x, v.y, v.z);
        }
        if (!wkIsVecWithin(v, WK_MESH_REACH)) {
            return wkFail(wk_errorRange, "mesh: vertex %d is (%g %g %g), must be within %g metres",
                          (int)(first + i), v.x, v.y, v.z, WK_MESH_REACH);
        }
    }
    return wk_ok;
}

static wkResult checkTriangles(const wkMeshDef* def)
{
    for (int32_t i = 0; i < def->triangleCount; ++i) {
        const int32_t* faceVertices = def->triangles + 3 * (size_t)i;
        for (int k = 0; k < 3; ++k) {
            if ((uint32_t)faceVertices[k] >= (uint32_t)def->vertexCount) {
                return wkFail(wk_errorRange, "mesh: triangle %d has vertex %d, must be 0 to %d",
                              (int)i, (int)faceVertices[k], (int)def->vertexCount - 1);
            }
        }
    }
    return wk_ok;
}

wkResult wkCheckMeshArrays(const wkMeshDef* def)
{
    if (def->vertexCount < 0 || (def->vertexCount > 0 && def->vertices == NULL)) {
        return wkFail(wk_errorArgument, "mesh: vertexCount is %d, vertices are %s",
                      (int)def->vertexCount, def->vertices == NULL ? "NULL" : "given");
    }
    if (def->triangleCount < 0 || (def->triangleCount > 0 && def->triangles == NULL)) {
        return wkFail(wk_errorArgument, "mesh: triangleCount is %d, triangles are %s",
                      (int)def->triangleCount, def->triangles == NULL ? "NULL" : "given");
    }
    if (def->triangleCount > WK_TREE_MAX_ITEMS) {
        return wkFail(wk_errorRange, "mesh: %d triangles, at most %d", (int)def->triangleCount,
                      WK_TREE_MAX_ITEMS);
    }
    wkResult result = wkCheckVertices(def->vertices, def->vertexCount, 0);
    return result == wk_ok ? checkTriangles(def) : result;
}
