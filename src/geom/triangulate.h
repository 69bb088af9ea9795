// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Triangles of convex surfaces. All but hulls are lofts: rings of points stacked between two caps.

#include "geom/convex.h"

// Larger numbers of segments overflow the counts.
#define WK_MAX_SEGMENTS 4096

// A stack of rings, bottom to top, each anticlockwise as viewed from above, closed by a polygon (or a point,
// or an edge) below and above. Where a cap has fewer vertices than the rings have columns, several columns
// meet in one vertex.
typedef struct wkLoft {
    const void* context;
    int ringCount; // may be 0
    int columnCount;
    int capCount; // vertices of each cap
    bool isFlat;  // the caps are the two sides of one face, with no rings between them
    wkVec3d (*ring)(const void* context, int ring, int column);
    wkVec3d (*cap)(const void* context, bool isTop, int vertex);
    int (*vertex)(const void* context, int column); // vertex of the caps where a column ends
} wkLoft;

// Stores the counts. wk_ok means continue: the buffers are large enough, or NULL to count only.
wkResult wkTriangulationReserve(wkTriangulation* out, int32_t vertexCount, int32_t triangleCount);

// Writes the triangles of a loft; see wkShape_Triangulate.
wkResult wkTriangulateLoft(const wkLoft* loft, wkTriangulation* out);

// Part of a profile that is rotated about the z axis: an arc about (radius, z), from one angle above the xy
// plane to another; a straight line leads to the next arc. With a radius of zero it is one point.
typedef struct wkProfileArc {
    double radius, z;
    double arcRadius;
    double from, to;
} wkProfileArc;

// Writes the triangles of the surface between the poles (0, bottom) and (0, top).
wkResult wkTriangulateProfile(const wkProfileArc* arcs, int arcCount, double bottom, double top,
                              int segments, wkTriangulation* out);

// A convex polygon in the plane z = 0, moved up and down by `half` and swept with a sphere.
typedef struct wkRoundedPrism {
    const wkVec3d* vertices; // anticlockwise; 1 and 2 are allowed
    const double* angles; // of the outward normals of the edges that end there; NULL: from vertices
    int vertexCount;      // at most 4
    wkVec3d x, y, z;      // axes of the prism
    wkVec3d origin;
    double half;
    double radius; // of the sphere, >= 0
} wkRoundedPrism;

wkResult wkTriangulatePrism(const wkRoundedPrism* prism, int segments, wkTriangulation* out);
