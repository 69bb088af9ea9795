// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Continuous collision of deforming meshes: where the paths of two triangles may meet, the elements that they
// represent are compared.

#include "base/assert.h"
#include "base/cookie.h"
#include "query/deform/swept_walk.h"
#include "solve/element/element_search.h"

// Element k of a triangle: how many vertices it has, which, and their path.
typedef struct sweptElement {
    const wkSweptTriangle* triangle;
    int count;    // 1: a vertex, 2: an edge, 3: a face
    int slots[3]; // of its vertices in the triangle
    wkAabb box;
} sweptElement;

// What the three elements of one size of a triangle are.
typedef struct elementList {
    sweptElement items[3];
    int count;
} elementList;

typedef struct meshSearch {
    wkSweptWalk walk;
    wkMeshCastRequest request;
    wkElementContact* contacts;
    int32_t capacity;
    bool isSelf;
    wkMeshCastResult result;
} meshSearch;

wkMeshCastRequest wkDefaultMeshCastRequest(void)
{
    wkMeshCastRequest request = {
        .cookie = WK_COOKIE(wkMeshCastRequest), .tolerance = 1e-6, .maxIterations = 2000};
    return request;
}

// Adds an element whose path may meet a box.
static void addElement(elementList* list, const wkSweptTriangle* triangle, int count, int first,
                       const wkAabb* near)
{
    sweptElement* element = &list->items[list->count];
    element->triangle = triangle;
    element->count = count;
    element->slots[0] = first;
    element->box = triangle->paths[first];
    if (count == 2) {
        // from the vertex with the lower number, so that the result does not depend on the triangle
        int second = wkNextVertex(first);
        const wkAabb* path = &triangle->paths[second];
        bool isReversed = triangle->vertices[second] < triangle->vertices[first];
        element->slots[0] = isReversed ? second : first;
        element->slots[1] = isReversed ? first : second;
        element->box.lower = wkMin(element->box.lower, path->lower);
        element->box.upper = wkMax(element->box.upper, path->upper);
    }
    list->count += wkDoOverlap(&element->box, near);
}

// Lists the vertices of a triangle that it represents and that are inside of a box.
static elementList listVertices(const wkSweptTriangle* triangle, const wkAabb* box)
{
    elementList list;
    list.count = 0;
    for (int k = 0; k < 3; ++k) {
        if ((triangle->mask & WK_OWN_VERTEX(k)) != 0) {
            addElement(&list, triangle, 1, k, box);
        }
    }
    return list;
}

static elementList listEdges(const wkSweptTriangle* triangle, const wkAabb* box)
{
    elementList list;
    list.count = 0;
    for (int k = 0; k < 3; ++k) {
        if ((triangle->mask & WK_OWN_EDGE(k)) != 0) {
            addElement(&list, triangle, 2, k, box);
        }
    }
    return list;
}

static sweptElement faceOf(const wkSweptTriangle* triangle)
{
    sweptElement face = {triangle, 3, {0, 1, 2}, triangle->box};
    return face;
}

static bool doShareVertex(const sweptElement* a, const sweptElement* b)
{
    for (int i = 0; i < a->count; ++i) {
        for (int k = 0; k < b->count; ++k) {
            if (a->triangle->vertices[a->slots[i]] == b->triangle->vertices[b->slots[k]]) {
                return true;
            }
        }
    }
    return false;
}

static void copyPath(const sweptElement* element, wkVec3d* start, wkVec3d* end)
{
    for (int i = 0; i < element->count; ++i) {
        start[i] = element->triangle->start[element->slots[i]];
        end[i] = element->triangle->end[element->slots[i]];
    }
}

static void nameVertices(const sweptElement* element, int32_t vertices[3])
{
    for (int i = 0; i < 3; ++i) {
        vertices[i] = i < element->count ? element->triangle->vertices[element->slots[i]] : -1;
    }
}

static void addContact(meshSearch* s, const sweptElement* a, const sweptElement* b,
                       wkElementKind kind, const wkElementCastResult* cast)
{
    wkElementContact contact = {.kind = kind, .isCrossing = a->count + b->count > 4};
    contact.cast = *cast;
    contact.triangleA = a->triangle->id;
    contact.triangleB = b->triangle->id;
    nameVertices(a, contact.verticesA);
    nameVertices(b, contact.verticesB);
    wkMeshCastResult* result = &s->result;
    if (!result->isTouching || cast->time < result->time) {
        result->isTouching = true;
        result->time = cast->time;
        result->status = cast->status;
        result->first = contact;
    }
    result->touchingBy = wkMinD(result->touchingBy, cast->touchingBy);
    if (result->contactCount < s->capacity) {
        s->contacts[result->contactCount] = contact;
    }
    result->contactCount += result->contactCount < INT32_MAX;
    s->walk.isDone = s->capacity == 0 && result->time <= 0.0;
}

// Compares two elements of A and B; a face and a vertex are compared as a vertex and a face.
static void compareElements(meshSearch* s, const sweptElement* a, const sweptElement* b)
{
    if (!wkDoOverlap(&a->box, &b->box) || (s->isSelf && doShareVertex(a, b))) {
        return;
    }
    bool isSwapped = a->count > b->count;
    const sweptElement* first = isSwapped ? b : a;
    const sweptElement* second = isSwapped ? a : b;
    if (s->isSelf && a->count == 2) {
        // the edge with the lower vertices first, so that the result does not depend on the hierarchy
        int32_t p = a->triangle->vertices[a->slots[0]], q = b->triangle->vertices[b->slots[0]];
        isSwapped = q < p;
        first = isSwapped ? b : a;
        second = isSwapped ? a : b;
    }
    wkElementKind kind = first->count == 1 ? wk_elementVertexFace : wk_elementEdgeEdge;
    wkVec3d start[4], end[4];
    copyPath(first, start, end);
    copyPath(second, start + first->count, end + first->count);
    double until = s->capacity == 0 ? s->result.time : 1.0;
    ++s->result.pairCount;
    wkElementCastResult cast =
        wkSearchElements(kind, start, end, until, s->request.tolerance, s->request.maxIterations);
    if (!cast.isTouching || (s->capacity == 0 && s->result.isTouching && cast.time >= until)) {
        return;
    }
    if (isSwapped) {
        wkVec3d point = cast.pointA;
        cast.pointA = cast.pointB;
        cast.pointB = point;
        cast.normal = wkNeg(cast.normal);
    }
    addContact(s, a, b, kind, &cast);
}

static wkAabb startBox(const wkVec3d points[3])
{
    wkAabb box = {wkMin(wkMin(points[0], points[1]), points[2]),
                  wkMax(wkMax(points[0], points[1]), points[2])};
    return box;
}

// Elements of triangles that cross may never touch: an edge stays inside of a face. So triangles are compared at the
// start, as bodies.
static void compareStart(meshSearch* s, const sweptElement* a, const sweptElement* b)
{
    const wkVec3d* p = a->triangle->start;
    const wkVec3d* q = b->triangle->start;
    wkAabb boxA = startBox(p), boxB = startBox(q);
    if (!wkDoOverlap(&boxA, &boxB) || (s->isSelf && wkDoShareVertex(a->triangle, b->triangle))) {
        return;
    }
    if (!wkDoTrianglesCross(p, q)) {
        return;
    }
    wkShape shapeA = wkShapeOfTriangle(p), shapeB = wkShapeOfTriangle(q);
    wkPose here = wkIdentityPose();
    wkDistanceResult closest = wkDistance(&shapeA, here, &shapeB, here, NULL);
    // at t = 0 already: time and touchingBy are 0
    wkElementCastResult cast = {.isTouching = true, .status = wk_statusExact};
    cast.pointA = closest.pointA;
    cast.pointB = closest.pointB;
    cast.normal = closest.normal;
    addContact(s, a, b, wk_elementEdgeEdge, &cast);
}

static void compareLists(meshSearch* s, const elementList* a, const elementList* b)
{
    for (int i = 0; i < a->count; ++i) {
        for (int k = 0; k < b->count && !s->walk.isDone; ++k) {
            compareElements(s, &a->items[i], &b->items[k]);
        }
    }
}

static void visitTriangles(wkSweptWalk* walk, const wkSweptTriangle* a, const wkSweptTriangle* b)
{
    meshSearch* s = (meshSearch*)walk;
    elementList faceA = {{faceOf(a)}, 1}, faceB = {{faceOf(b)}, 1};
    compareStart(s, &faceA.items[0], &faceB.items[0]);
    elementList vertices = listVertices(a, &b->box);
    compareLists(s, &vertices, &faceB);
    vertices = listVertices(b, &a->box);
    compareLists(s, &faceA, &vertices);
    elementList edgesA = listEdges(a, &b->box), edgesB = listEdges(b, &a->box);
    compareLists(s, &edgesA, &edgesB);
}

static wkMeshCastResult invalidResult(void)
{
    wkMeshCastResult result = {.isTouching = true, .status = wk_statusInvalid};
    result.touchingBy = INFINITY;
    return result;
}

static bool isUsable(const wkMeshCastRequest* request, const wkElementContact* contacts,
                     int32_t capacity)
{
    bool hasCookie = request->cookie == WK_COOKIE(wkMeshCastRequest);
    WK_ASSERT(hasCookie);
    if (!hasCookie) {
        WK_FAIL_COOKIE(request, wkMeshCastRequest);
        return false;
    }
    return request->tolerance >= 0.0 && request->maxIterations >= 1 && capacity >= 0 &&
           (contacts != NULL || capacity == 0);
}

static void beginSearch(const wkMeshCastRequest* request, wkElementContact* contacts,
                        int32_t capacity, meshSearch* s)
{
    wkMeshCastResult none = {.status = wk_statusExact, .time = 1.0, .touchingBy = INFINITY};
    s->walk.visit = visitTriangles;
    s->walk.isDone = false;
    s->request = *request;
    s->contacts = contacts;
    s->capacity = capacity;
    s->result = none;
}

wkMeshCastResult wkMeshElements_Cast(const wkMeshElements* a, wkPose poseA, const wkMeshElements* b,
                                     wkPose poseB, const wkMeshCastRequest* request,
                                     wkElementContact* contacts, int32_t capacity)
{
    wkMeshCastRequest defaultRequest = wkDefaultMeshCastRequest();
    request = request != NULL ? request : &defaultRequest;
    if (!isUsable(request, contacts, capacity) || !wkAreElementsValid(a) ||
        !wkAreElementsValid(b) || !wkAreValidPoses(&poseA, &poseB)) {
        return invalidResult();
    }
    meshSearch s;
    beginSearch(request, contacts, capacity, &s);
    s.isSelf = false;
    wkPlaceSweptMesh(a, poseA, true, &s.walk.a);
    wkPlaceSweptMesh(b, poseB, true, &s.walk.b);
    wkWalkTwoMeshes(&s.walk);
    return s.result;
}

wkMeshCastResult wkMeshElements_CastSelf(const wkMeshElements* elements,
                                         const wkMeshCastRequest* request,
                                         wkElementContact* contacts, int32_t capacity)
{
    wkMeshCastRequest defaultRequest = wkDefaultMeshCastRequest();
    request = request != NULL ? request : &defaultRequest;
    if (!isUsable(request, contacts, capacity) || !wkAreElementsValid(elements)) {
        return invalidResult();
    }
    meshSearch s;
    beginSearch(request, contacts, capacity, &s);
    s.isSelf = true;
    wkPlaceSweptMesh(elements, wkIdentityPose(), true, &s.walk.a);
    s.walk.b = s.walk.a;
    wkWalkOneMesh(&s.walk);
    return s.result;
}
