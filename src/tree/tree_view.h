// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What queries know about each shape that is a hierarchy of triangles: one row per type.

#include "tree/tree.h"

// Gives the corners of an item.
typedef void wkCornersFcn(const void* source, int32_t item, wkVec3d corners[3]);

// A shape as a walk sees it.
typedef struct wkTreeView {
    wkTree tree;
    const void* source;    // the mesh or height field
    wkCornersFcn* corners;
    const int32_t* ids; // the caller's index of each item; NULL: the item itself
    const int32_t* components; // an item of each connected piece
    int32_t componentCount;
    int32_t itemCount;
    wkAabb bounds;
    double reach; // largest coordinate
    bool isSolid;
    bool isClosed;
    bool isConvex;
} wkTreeView;

typedef struct wkTreeRow {
    const char* name;

    // all parameters finite and in range; the fast twin of `check`
    bool (*isSound)(const wkShape* shape);

    // names what is wrong
    wkResult (*check)(const wkShape* shape);

    void (*view)(const wkShape* shape, wkTreeView* view);

    // whether a point is inside what the triangles enclose; asked of solids only
    bool (*contains)(const void* source, wkVec3d point);
} wkTreeRow;

#define WK_TREE_TYPE_COUNT (wk_shapeTypeCount - WK_CONVEX_TYPE_COUNT)

// Rows by wkShapeType less WK_CONVEX_TYPE_COUNT.
extern const wkTreeRow wkTreeTable[WK_TREE_TYPE_COUNT];

WK_FN bool wkIsTree(const wkShape* shape)
{
    return shape != NULL &&
           (unsigned)shape->type - WK_CONVEX_TYPE_COUNT < (unsigned)WK_TREE_TYPE_COUNT;
}

WK_FN const wkTreeRow* wkTreeRowOf(const wkShape* shape)
{
    return &wkTreeTable[shape->type - WK_CONVEX_TYPE_COUNT];
}

WK_FN int32_t wkPartOf(const wkTreeView* view, int32_t item)
{
    return view->ids != NULL ? view->ids[item] : item;
}
