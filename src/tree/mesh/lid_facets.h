// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A surface as a graph of facets. Triangles with the same three vertices, in any direction, are one
// facet. Facets that share an edge with no third one belong to one patch, and one facet of a patch
// determines the direction of all others, unless the patch is one-sided.

#include "math/vec.h"
#include "whisker/mesh.h"

typedef struct wkFacet {
    int32_t faceVertices[3]; // vertices in ascending order, which is the facet's direction
    int32_t net;             // triangles that pass them in that direction, minus the others
    int32_t edges[3];        // from each vertex to the next
    int32_t parent;          // a facet of the same patch; itself at the root
    bool isFlipped;          // direction opposite to the parent's
    bool isOneSided;         // at a root: directions along different paths contradict each other
} wkFacet;

typedef struct wkFacetEdge {
    int32_t ends[2];   // vertices in ascending order
    int32_t facets[2]; // the first two that share it
    int32_t count;     // facets that share it
} wkFacetEdge;

typedef struct wkFacets {
    wkFacet* facets;
    wkFacetEdge* edges;
    int32_t* sides; // facet of each triangle, see wkFacetOf
    int32_t count;
    int32_t edgeCount;
    int32_t* table; // for lookups during construction
    size_t byteCount;
} wkFacets;

// The triangles that a graph is made of.
typedef struct wkFacetSource {
    const int32_t* triangles; // three indices each
    const int8_t* weights;    // multiplicity of each, negative: in the other direction; NULL: 1
    int32_t count;
    const int32_t* ids; // for each vertex its representative
    bool dropsBalanced; // omits the edges of facets whose triangles cancel each other
} wkFacetSource;

// @return false when out of memory
bool wkMakeFacets(const wkFacetSource* source, wkFacets* facets);

void wkFreeFacets(wkFacets* facets);

// Facet of a triangle, -1 when two of its vertices are the same.
WK_FN int32_t wkFacetOf(const wkFacets* facets, int32_t triangle)
{
    int32_t side = facets->sides[triangle];
    return side >= 0 ? side >> 1 : -1;
}

// Whether a triangle has the direction of its facet.
WK_FN bool wkIsForward(const wkFacets* facets, int32_t triangle)
{
    return (facets->sides[triangle] & 1) == 0;
}

// Root of the patch of a facet.
// @param isFlipped whether the direction of the facet is opposite to the root's
int32_t wkFindPatch(wkFacets* facets, int32_t facet, bool* isFlipped);

// Joins the patches of two facets.
// @param isFlipped whether their directions are opposite
void wkJoinPatches(wkFacets* facets, int32_t a, int32_t b, bool isFlipped);

// Numbers the patches: fills in that of each facet.
// @return number of patches
int32_t wkNumberPatches(wkFacets* facets, int32_t* numbers);

// A number for an edge of a facet in the facet's direction, negated for the other direction. The numbers
// of a closed surface sum to 0, those of others do so with a probability of 1e-19.
uint64_t wkEdgeNumber(const wkFacet* facet, int edge);

// Twice the vector area of a facet, and six times its volume with a point.
wkVec3d wkFacetCross(const wkVec3d* vertices, const wkFacet* facet);
double wkFacetVolume(const wkVec3d* vertices, const wkFacet* facet, wkVec3d from);
