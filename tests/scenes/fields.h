// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Height fields of every kind for tests, each beside two meshes of the same solid.

#include "rng.h"
#include "whisker/whisker.h"

// How the heights of a field look; one row per kind in fields.c.
#define WK_FIELD_KIND_COUNT 6

// A field and its oracles. The two triangles of the bottom meet the walls in the middle of their
// edges, which closes the solid but not the mesh: it is not watertight, with lids that have no area. Another mesh is closed by a
// bottom of more triangles.
typedef struct wkFieldScene {
    wkHeightField* field;
    wkMesh* mesh;        // solid, made of the triangles of the field, one for one
    wkMesh* closed;      // solid, made of them but for the bottom
    int32_t bottomFirst; // triangles of the field from this index on are the bottom
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
