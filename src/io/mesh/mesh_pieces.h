// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Convex hulls that replace a mesh.

#include "io/file/format.h"

// Makes the hull of all triangles or, with `byPiece`, one of each connected part. Vertices at the same
// position are merged for that. Without triangles there are no hulls.
// `name` is for error messages. The array is freed with one of the two functions below.
wkResult wkIoMakeHulls(const char* name, wkMeshData* data, bool byPiece, wkHull*** hulls,
                       int32_t* hullCount);

// Free the array, with the hulls or without.
void wkIoDropHulls(wkHull** hulls, int32_t hullCount);
void wkIoForgetHulls(wkHull** hulls, int32_t hullCount);
