// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Triangles that are there twice, from both sides, as some programs write every face. Their winding
// numbers cancel, and nothing would be inside: a solid takes the first of both alone.

#include "whisker/mesh.h"

// Lists the triangles that are an earlier one the other way round, in ascending order. `firsts` has for
// each vertex the first one at its place.
// @param backs room for as many as there are triangles
// @return how many; -1 when there is no memory
int32_t wkFindBacks(const wkMeshDef* def, const int32_t* firsts, int32_t* backs);
