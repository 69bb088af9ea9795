// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Triangles of a mesh that cross each other at the current positions.

#include "query/deform/swept_walk.h"

typedef struct crossingSearch {
    wkSweptWalk walk;
    wkTrianglePair* pairs;
    int32_t capacity;
    int32_t count;
} crossingSearch;

static void visitTriangles(wkSweptWalk* walk, const wkSweptTriangle* a, const wkSweptTriangle* b)
{
    crossingSearch* s = (crossingSearch*)walk;
    if (wkDoShareVertex(a, b) || !wkDoTrianglesCross(a->end, b->end)) {
        return;
    }
    wkTrianglePair pair = {a->id < b->id ? a->id : b->id, a->id < b->id ? b->id : a->id};
    if (s->count < s->capacity) {
        s->pairs[s->count] = pair;
    }
    s->count += s->count < INT32_MAX;
}

int32_t wkMeshElements_Crossings(const wkMeshElements* elements, wkTrianglePair* pairs,
                                 int32_t capacity)
{
    if (!wkAreElementsValid(elements) || capacity < 0 || (pairs == NULL && capacity > 0)) {
        return -1;
    }
    crossingSearch s = {.pairs = pairs, .capacity = capacity};
    s.walk.visit = visitTriangles;
    wkPlaceSweptMesh(elements, wkIdentityPose(), false, &s.walk.a);
    s.walk.b = s.walk.a;
    wkWalkOneMesh(&s.walk);
    return s.count;
}
