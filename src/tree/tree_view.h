// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A hierarchy of triangles as walks see it.

#include "tree/tree.h"

// Gives the corners of an item.
typedef void wkCornersFcn(const void* source, int32_t item, wkVec3d corners[3]);

// A shape as a walk sees it.
typedef struct wkTreeView {
    wkTree tree;
    const void* source; // the mesh or height field
    wkCornersFcn* corners;
    const int32_t* ids;        // the caller's index of each item; NULL: the item itself
    const int32_t* components; // an item of each connected piece
    int32_t componentCount;
    int32_t itemCount;
    wkAabb bounds;
    double reach; // largest coordinate
    bool isSolid;
    bool isClosed;
    bool isConvex;
} wkTreeView;

WK_FN int32_t wkPartOf(const wkTreeView* view, int32_t item)
{
    return view->ids != NULL ? view->ids[item] : item;
}
