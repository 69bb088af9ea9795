// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The feature of a core's surface that a contact lies on, as far as it constrains the contact normal. A
// smooth part (or a rim, or a vertex) leaves the normal free; an edge or a straight side constrains it to a
// circle `axis . n = latitude` on the sphere of directions; a flat face fixes it.

#include "solve/pair.h"

#include "whisker/detail/counts.h"

typedef enum wkFeatureKind {
    wk_featureFree,   // smooth, rim or vertex
    wk_featureCircle, // edge, side of a cylinder or cone
    wk_featureFixed,  // face, cap
} wkFeatureKind;

typedef struct wkFeature {
    wkFeatureKind kind;
    bool mayBeRim;       // fixed: a cap, but the contact may lie on its rim nevertheless
    wkVec3d axis;        // circle: its axis; fixed: the normal; unit
    double latitude;     // circle: n . axis on it
    wkVec3d vertices[3]; // of a polytope: the ends of the edge, or three vertices of the face
} wkFeature;

// Derivative of a core's support point by the direction: the point at unit `n`, and the matrix of its
// derivative between the unit tangents u and v.
typedef struct wkJet {
    wkVec3d point;
    double uu, uv, vv;
} wkJet;

// All quantities are in the core's own frame.
typedef struct wkFeatureRow {
    // the feature that `count` support points near direction `n`, with their weights, lie on
    wkFeature (*classify)(const wkShape* shape, const wkVec3d* points, const double* weights,
                          int count, wkVec3d n);
    // NULL: a polytope, whose vertices do not move
    wkJet (*jet)(const wkShape* shape, wkVec3d n, wkVec3d u, wkVec3d v);
    // the ends of the straight line through the support at `n`; only for circles
    void (*line)(const wkShape* shape, const wkFeature* feature, wkVec3d n, wkVec3d ends[2]);
    // true when a point certainly lies in the face, up to `gap` from its plane; only for fixed features
    bool (*contains)(const wkShape* shape, const wkFeature* feature, wkVec3d point, double gap);
} wkFeatureRow;

// Rows by wkShapeType; bounded types only.
extern const wkFeatureRow wkFeatureTable[WK_CONVEX_TYPE_COUNT];
