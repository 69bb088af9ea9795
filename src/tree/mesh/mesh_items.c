// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Boxes around the triangles of a mesh, for the hierarchy.

#include "tree/mesh/mesh_items.h"

#include "simd/narrow.h"

// A box in double precision: upper values are negated where they are stored beside lower ones.
typedef struct wideBox {
    wkTwin lower;  // x, y
    wkTwin upper;  // x, y
    wkTwin height; // z, -z: combined by minimum
} wideBox;

WK_FORCE_FN wideBox noVertices(void)
{
    wideBox box = {wkTwinOf(INFINITY), wkTwinOf(-INFINITY), wkTwinOf(INFINITY)};
    return box;
}

WK_FORCE_FN void addVertices(wideBox* box, const wkVec3d* vertices, const int32_t faceVertices[3])
{
    for (int k = 0; k < 3; ++k) {
        const wkVec3d* vertex = &vertices[faceVertices[k]];
        wkTwin xy = wkMakeTwin(vertex->x, vertex->y);
        box->lower = wkMinTwin(box->lower, xy);
        box->upper = wkMaxTwin(box->upper, xy);
        box->height = wkMinTwin(box->height, wkMakeTwin(vertex->z, -vertex->z));
    }
}

// Rounds outward: down, where upper values are negated.
WK_FORCE_FN wkBvhItem narrowBox(const wideBox* box)
{
    wkQuad sides = wkNarrowDown(box->lower, -box->upper);
    wkQuad heights = wkNarrowDown(box->height, box->height);
    wkBvhItem item = {__builtin_shufflevector(sides, heights, 0, 1, 4, 4),
                      -__builtin_shufflevector(sides, heights, 2, 3, 5, 5)};
    return item;
}

void wkMakeMeshItems(const wkMeshDef* def, const wkVec3d* previous, wkBvhItem* items)
{
    for (int32_t i = 0; i < def->triangleCount; ++i) {
        const int32_t* faceVertices = def->triangles + 3 * (size_t)i;
        wideBox box = noVertices();
        addVertices(&box, def->vertices, faceVertices);
        if (previous != NULL) {
            addVertices(&box, previous, faceVertices);
        }
        items[i] = narrowBox(&box);
        items[i].upper[3] = 0.0f;
        wkSetItemIndex(&items[i], i);
    }
}
