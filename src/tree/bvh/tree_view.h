// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A hierarchy of convex items, as passed to walks. Most hierarchies are made of triangles, which have fast
// paths of their own; all others give each item as a shape.

#include "tree/bvh/tree.h"
#include "whisker/shape.h"

// Returns the vertices of an item that is a triangle.
typedef void wkVerticesFcn(const void* source, int32_t item, wkVec3d faceVertices[3]);

// A convex item in the frame of its hierarchy, within the volumes that hold it. The rounding and padding
// of the hierarchy are not included.
typedef struct wkItem {
    wkShape shape; // bounded
    wkPose pose;
} wkItem;

typedef void wkItemFcn(const void* source, int32_t index, wkItem* item);

// A shape, as passed to walks.
typedef struct wkTreeView {
    wkTree tree;
    wkItemFcn* item;            // NULL: items are triangles
    const wkPointGroup* groups; // items that are points, leaf by leaf; NULL: others
    double pointRadius;         // largest radius of a sphere about a point
    const wkVec3d* vertices;    // of a mesh; NULL: call `faceVertices`
    const int32_t* triangles;   // three indices for each item of a mesh
    const void* source;         // the mesh or height field
    uint64_t content;           // changes with the geometry; 0: not known
    wkVerticesFcn* faceVertices;
    const int32_t* ids;        // the caller's index of each item; NULL: the item itself
    const int32_t* order;      // the inverse: the item of each of the caller's indices; or NULL
    const int32_t* components; // an item of each connected piece
    int32_t componentCount;
    int32_t itemCount;
    int32_t givenCount; // number of the caller's items; lids have indices from this on
    wkAabb bounds;
    double reach; // largest coordinate
    bool isSolid;
    bool isInverted;    // triangles are clockwise from outside
    const wkHull* hull; // of a convex solid; NULL: none
} wkTreeView;

// The caller's index of an item.
WK_FN int64_t wkPartOf(const wkTreeView* view, int32_t item)
{
    return view->ids != NULL ? view->ids[item] : item;
}

// Whether lids close the surface of a solid, see lids.h.
WK_FN bool wkHasLids(const wkTreeView* view)
{
    return view->givenCount < view->itemCount;
}

// Vertices of an item. Meshes have a fast path.
WK_FN void wkViewTriangleVertices(const wkTreeView* view, int32_t item, wkVec3d faceVertices[3])
{
    if (WK_LIKELY(view->vertices != NULL)) {
        const int32_t* indices = view->triangles + 3 * (size_t)item;
        faceVertices[0] = view->vertices[indices[0]];
        faceVertices[1] = view->vertices[indices[1]];
        faceVertices[2] = view->vertices[indices[2]];
    } else {
        view->faceVertices(view->source, item, faceVertices);
    }
}

// Any item as a shape.
WK_FN void wkViewItem(const wkTreeView* view, int32_t index, wkItem* item)
{
    if (view->item != NULL) {
        view->item(view->source, index, item);
        return;
    }
    *item = (wkItem){{.type = wk_shapeTriangle}, {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 1.0}}};
    wkViewTriangleVertices(view, index, item->shape.triangle.points);
}
