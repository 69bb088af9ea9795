// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Convex hulls in place of a mesh.

#include "io/file/format.h"

// Makes the hull of all triangles or, with `byPiece`, one of each connected part. Vertices at the same
// place become one for that. There are no hulls without triangles.
// `name` is for the words of failures. The array is given back with one of the two functions below.
wkResult wkIoMakeHulls(const char* name, wkMeshData* data, bool byPiece, wkHull*** hulls,
                       int32_t* hullCount);

// Gives the array back, with the hulls or without.
void wkIoDropHulls(wkHull** hulls, int32_t hullCount);
void wkIoForgetHulls(wkHull** hulls, int32_t hullCount);
