// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Functions of each shape that is a hierarchy: one row per type.

#include "geom/convex.h"
#include "tree/bvh/tree_view.h"

typedef struct wkTreeShapeRow {
    const char* name;

    wkShapeFacts facts;

    // items are convex shapes of any type: see wkTreeView.item
    bool hasShapes;

    // all parameters finite and in range; the fast twin of `check`
    bool (*isValid)(const wkShape* shape);

    // names the first parameter that is not valid
    wkResult (*check)(const wkShape* shape);

    // fills in the view for walks
    void (*view)(const wkShape* shape, wkTreeView* view);

    // whether a point, in the frame of the shape, is inside; `source` is that of the view. False
    // for surfaces; NULL where no view is solid
    bool (*contains)(const void* source, wkVec3d point);

    // see wkShape_Mass
    wkMass (*mass)(const wkShape* shape);

    // see wkShape_Triangulate
    wkResult (*triangulate)(const wkShape* shape, wkTriangulation* out);
} wkTreeShapeRow;

bool wkMeshIsValid(const wkShape* shape);
wkResult wkMeshCheck(const wkShape* shape);
void wkMeshView(const wkShape* shape, wkTreeView* view);
wkMass wkMeshMass(const wkShape* shape);
wkResult wkMeshTriangulate(const wkShape* shape, wkTriangulation* out);
bool wkMeshTessellate(const wkShape* shape, double offset, wkTessellationSink* sink);
void wkMeshDigest(wkDigestBuilder* builder, const wkShape* shape);
const uint64_t* wkMeshChanges(const wkShape* shape);
bool wkFieldIsValid(const wkShape* shape);
wkResult wkFieldCheck(const wkShape* shape);
void wkFieldView(const wkShape* shape, wkTreeView* view);
wkMass wkFieldMass(const wkShape* shape);
wkResult wkFieldTriangulate(const wkShape* shape, wkTriangulation* out);
bool wkFieldTessellate(const wkShape* shape, double offset, wkTessellationSink* sink);
void wkFieldDigest(wkDigestBuilder* builder, const wkShape* shape);

bool wkCloudIsValid(const wkShape* shape);
wkResult wkCloudCheck(const wkShape* shape);
void wkCloudTreeView(const wkShape* shape, wkTreeView* view);
wkMass wkCloudMass(const wkShape* shape);
wkResult wkCloudTriangulate(const wkShape* shape, wkTriangulation* out);
void wkCloudDigest(wkDigestBuilder* builder, const wkShape* shape);

// Types up to here, all that exist and some to come, have a slot in the tables of types.
#define WK_SHAPE_TYPE_LIMIT 16

// By wkShapeType; types that are not hierarchies have an empty row.
extern const wkTreeShapeRow wkTreeShapeTable[WK_SHAPE_TYPE_LIMIT];

WK_FN bool wkIsTreeType(wkShapeType type)
{
    return (unsigned)type < WK_SHAPE_TYPE_LIMIT && wkTreeShapeTable[type].view != NULL;
}

// Row of a shape; NULL when it is not a hierarchy.
WK_FN const wkTreeShapeRow* wkTreeShapeRowOf(const wkShape* shape)
{
    bool isTree = shape != NULL && wkIsTreeType(shape->type);
    return isTree ? &wkTreeShapeTable[shape->type] : NULL;
}
