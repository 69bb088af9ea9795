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

// Lists the triangles to be taken out of a surface that is balanced and encloses something: in each
// connected piece that is a closed surface, there from both sides, those of one side. What is left has a
// positive volume, or a negative one where the surface is inverted, so that it cancels nothing around it.
// Other pieces are left alone, with faces at which two of them touch.
// @param backs room for twice as many as there are triangles
// @return how many; -1 when there is no memory
int32_t wkFindDoubledPieces(const wkMeshDef* def, const int32_t* firsts, bool isInverted,
                            int32_t* backs);
