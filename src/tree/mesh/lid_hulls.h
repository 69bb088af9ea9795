// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Convex hulls of parts of a mesh, as triangles between vertices of the mesh.

#include "whisker/mesh.h"

typedef struct wkPartHulls {
    int32_t* triangles; // three indices of vertices each
    int32_t count;
    int32_t partCount;
    size_t byteCount; // of the triangles
} wkPartHulls;

// Appends the hull of some vertices.
// @param isMember for each vertex of the definition
// @param isInverted triangles are clockwise from outside
// @param isFlat output: the hull has no volume, and was not appended
// @return wk_errorMemory, wk_errorUnsupported (a build that makes no hulls)
wkResult wkAddPartHull(const wkMeshDef* def, const bool* isMember, bool isInverted,
                       wkPartHulls* hulls, bool* isFlat);

void wkFreePartHulls(wkPartHulls* hulls);
