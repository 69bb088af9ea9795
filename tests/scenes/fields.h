// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Height fields of every kind for tests, each beside a mesh of the same solid.

#include "rng.h"
#include "whisker/whisker.h"

// How the heights of a field look; one row per kind in fields.c.
#define WK_FIELD_KIND_COUNT 6

// A field and its oracle.
typedef struct wkFieldScene {
    wkHeightField* field;
    wkMesh* mesh;        // solid, made of the triangles of the field and a bottom that closes it
    int32_t bottomFirst; // triangles from this index on are the bottom: other ones in the mesh
    wkVec3d half;        // half the extent of the box around it
    wkVec3d center;
} wkFieldScene;

const char* wkFieldKindName(int kind);

// rows * columns of them, to be freed by the caller; the bottom is -0.5.
double* wkMakeHeights(int kind, int32_t columns, int32_t rows, uint64_t seed);

// False when memory is short.
bool wkFieldScene_Create(int kind, int32_t columns, int32_t rows, uint64_t seed,
                         wkFieldScene* scene);

void wkFieldScene_Destroy(wkFieldScene* scene);

// A place in the box around the field, or a little outside.
wkVec3d wkFieldScene_Place(const wkFieldScene* scene, wkRng* rng);
