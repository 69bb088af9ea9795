// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Bookkeeping of the expanding polytope. Faces stay in one dense array: those that face a new point are
// replaced by a fan around it.

#include "solve/gjk/polytope.h"

#include "solve/gjk/simplex_double_double.h"

#include <string.h>

// Squared distance of unit normals below which two faces lie in one plane.
#define WK_POLYTOPE_SAME_NORMAL 1e-14

// Squared sine of the vertex angle below which a face has no normal.
#define WK_POLYTOPE_DEGENERATE 1e-30

// The same for the square of that square, in double-double precision.
#define WK_POLYTOPE_DD 1e-24

// Key of a face that is about to be removed.
#define WK_POLYTOPE_UNUSED (-INFINITY)

static int addVertex(wkPolytope* p, const wkCsoPoint* point)
{
    p->point[p->vertexCount] = *point;
    return p->vertexCount++;
}

// A plane through three vertices; the zero vector for a degenerate triangle.
typedef struct facePlane {
    wkVec3d normal; // unit
    double offset;
} facePlane;

static facePlane planeOf(wkVec3d normal, double height, double edges)
{
    double areaSquared = wkDot(normal, normal);
    bool isDegenerate = !(areaSquared > WK_POLYTOPE_DEGENERATE * edges);
    double scale = isDegenerate ? 0.0 : 1.0 / sqrt(areaSquared);
    facePlane plane = {wkScale(scale, normal), isDegenerate ? INFINITY : scale * height};
    return plane;
}

// Returns the vector from p to q without rounding.
static wkDdVec fineEdge(const wkCsoPoint* p, const wkCsoPoint* q)
{
    wkDdVec a = wkDdVecSub(wkDdVecOf(q->a), wkDdVecOf(p->a));
    return wkDdVecSub(wkDdVecSub(wkDdVecOf(q->b), wkDdVecOf(p->b)), a);
}

static facePlane finePlane(const wkCsoPoint* p, const wkCsoPoint* q, const wkCsoPoint* r)
{
    wkDdVec e1 = fineEdge(p, q), e2 = fineEdge(p, r), normal = wkDdCross(e1, e2);
    double height = wkDdDot(normal, wkDdVecOf(p->w)).high;
    double edges = wkDdDot(e1, e1).high * wkDdDot(e2, e2).high;
    return planeOf(wkCoarse(normal), height, WK_POLYTOPE_DD * edges);
}

static void setFace(wkPolytope* p, int face, int i, int j, int k)
{
    p->vertex[face][0] = (uint8_t)i, p->vertex[face][1] = (uint8_t)j,
    p->vertex[face][2] = (uint8_t)k;

    wkVec3d e1 = wkCsoEdge(&p->point[i], &p->point[j]), e2 = wkCsoEdge(&p->point[i], &p->point[k]);
    wkVec3d normal = wkCross(e1, e2);
    facePlane plane =
        p->isFine ? finePlane(&p->point[i], &p->point[j], &p->point[k])
                  : planeOf(normal, wkDot(normal, p->point[i].w), wkDot(e1, e1) * wkDot(e2, e2));
    p->normalX[face] = plane.normal.x;
    p->normalY[face] = plane.normal.y;
    p->normalZ[face] = plane.normal.z;
    p->offset[face] = plane.offset;
    p->key[face] = plane.offset;
}

// Returns the index of the edge of `face` that starts at `start`.
static int edgeFrom(const wkPolytope* p, int face, int start)
{
    const uint8_t* c = p->vertex[face];
    return c[0] == start ? 0 : c[1] == start ? 1 : 2;
}

// Sets a closed solid given by vertex triples; neighbours are those that share an edge.
static void setSolid(wkPolytope* p, const int (*vertices)[3], int count)
{
    for (int f = 0; f < count; ++f) {
        setFace(p, f, vertices[f][0], vertices[f][1], vertices[f][2]);
    }
    p->faceCount = count;
    for (int f = 0; f < count; ++f) {
        for (int i = 0; i < 3; ++i) {
            int start = vertices[f][i], end = vertices[f][(i + 1) % 3];
            for (int g = 0; g < count; ++g) {
                for (int j = 0; j < 3; ++j) {
                    bool isShared = vertices[g][j] == end && vertices[g][(j + 1) % 3] == start;
                    p->neighbor[f][i] = isShared ? (uint8_t)g : p->neighbor[f][i];
                }
            }
        }
    }
}

bool wkPolytope_StartTetrahedron(wkPolytope* p, const wkSimplex* s, double flat)
{
    const wkCsoPoint* point = s->point;
    wkVec3d normal = wkCross(wkCsoEdge(&point[0], &point[1]), wkCsoEdge(&point[0], &point[2]));
    double height = wkDot(normal, wkCsoEdge(&point[0], &point[3]));
    if (!(fabs(height) > flat * wkLength(normal))) {
        return false;
    }
    static const int below[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static const int above[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    p->vertexCount = 0;
    for (int i = 0; i < 4; ++i) {
        addVertex(p, &s->point[i]);
    }
    setSolid(p, height < 0.0 ? below : above, 4);
    return true;
}

bool wkPolytope_StartBipyramid(wkPolytope* p, const wkSimplex* s, const wkCsoPoint* top,
                               const wkCsoPoint* bottom)
{
    static const int both[6][3] = {{0, 1, 3}, {1, 2, 3}, {2, 0, 3},
                                   {1, 0, 4}, {2, 1, 4}, {0, 2, 4}};
    static const int onlyTop[4][3] = {{0, 1, 3}, {1, 2, 3}, {2, 0, 3}, {0, 2, 1}};
    static const int onlyBottom[4][3] = {{1, 0, 3}, {2, 1, 3}, {0, 2, 3}, {0, 1, 2}};
    p->vertexCount = 0;
    for (int i = 0; i < 3; ++i) {
        addVertex(p, &s->point[i]);
    }
    if (top != NULL) {
        addVertex(p, top);
    }
    if (bottom != NULL) {
        addVertex(p, bottom);
    }
    if (top != NULL && bottom != NULL) {
        setSolid(p, both, 6);
    } else if (top != NULL || bottom != NULL) {
        setSolid(p, top != NULL ? onlyTop : onlyBottom, 4);
    }
    return top != NULL || bottom != NULL;
}

int wkPolytope_Nearest(const wkPolytope* p)
{
    int best = -1;
    double bestKey = INFINITY;
    for (int f = 0; f < p->faceCount; ++f) {
        bool isNearer = p->key[f] < bestKey;
        bestKey = isNearer ? p->key[f] : bestKey;
        best = isNearer ? f : best;
    }
    return best;
}

void wkPolytope_Settle(wkPolytope* p, int face)
{
    p->key[face] = INFINITY;
}

// The faces visible from a new point, and the edges around them.
typedef struct horizon {
    int visibleCount;
    int edgeCount;
    uint8_t visible[WK_POLYTOPE_FACES];
    uint8_t from[WK_POLYTOPE_FACES];
    uint8_t to[WK_POLYTOPE_FACES];
    uint8_t outside[WK_POLYTOPE_FACES]; // the face beyond each edge
} horizon;

// A degenerate face has no side of its own: it follows the neighbour it was reached from.
static bool isVisibleFrom(const wkPolytope* p, int face, wkVec3d w, double noise)
{
    double height = p->normalX[face] * w.x + p->normalY[face] * w.y + p->normalZ[face] * w.z;
    return height > p->offset[face] + noise || p->offset[face] == INFINITY;
}

// Spreads from the first face over its neighbours. A loop around n faces without holes has n + 2 edges.
static bool findHorizon(const wkPolytope* p, int first, wkVec3d w, double noise, horizon* h)
{
    uint8_t isKnown[WK_POLYTOPE_FACES] = {0}; // 1: visible, 2: not visible
    uint8_t isStart[WK_POLYTOPE_VERTICES] = {0};
    isKnown[first] = 1;
    h->visible[0] = (uint8_t)first;
    h->visibleCount = 1;
    h->edgeCount = 0;
    for (int k = 0; k < h->visibleCount; ++k) {
        int face = h->visible[k];
        const uint8_t* c = p->vertex[face];
        for (int i = 0; i < 3; ++i) {
            uint8_t next = p->neighbor[face][i];
            if (isKnown[next] == 0) {
                bool isVisible = isVisibleFrom(p, next, w, noise);
                isKnown[next] = isVisible ? 1 : 2;
                h->visible[h->visibleCount] = next;
                h->visibleCount += isVisible;
            }
            if (isKnown[next] == 2) {
                // a loop passes each vertex once
                if (h->edgeCount == WK_POLYTOPE_FACES || isStart[c[i]] != 0) {
                    return false;
                }
                isStart[c[i]] = 1;
                h->from[h->edgeCount] = c[i];
                h->to[h->edgeCount] = c[i < 2 ? i + 1 : 0];
                h->outside[h->edgeCount] = next;
                h->edgeCount += 1;
            }
        }
    }
    return h->edgeCount >= 3;
}

// Moves the last face into a slot that is no longer used.
static void removeFace(wkPolytope* p, int slot)
{
    int last = --p->faceCount;
    if (slot == last) {
        return;
    }
    memcpy(p->vertex[slot], p->vertex[last], sizeof p->vertex[slot]);
    memcpy(p->neighbor[slot], p->neighbor[last], sizeof p->neighbor[slot]);
    p->key[slot] = p->key[last];
    p->offset[slot] = p->offset[last];
    p->normalX[slot] = p->normalX[last];
    p->normalY[slot] = p->normalY[last];
    p->normalZ[slot] = p->normalZ[last];
    for (int i = 0; i < 3; ++i) {
        uint8_t* back = p->neighbor[p->neighbor[slot][i]];
        for (int j = 0; j < 3; ++j) {
            back[j] = back[j] == last ? (uint8_t)slot : back[j];
        }
    }
}

bool wkPolytope_Grow(wkPolytope* p, int face, const wkCsoPoint* point, double noise)
{
    horizon h;
    if (p->vertexCount == WK_POLYTOPE_VERTICES || !findHorizon(p, face, point->w, noise, &h)) {
        return false;
    }
    int vertex = addVertex(p, point);
    uint8_t slot[WK_POLYTOPE_FACES], startingAt[WK_POLYTOPE_VERTICES],
        endingAt[WK_POLYTOPE_VERTICES];
    for (int e = 0; e < h.edgeCount; ++e) {
        slot[e] = e < h.visibleCount ? h.visible[e] : (uint8_t)p->faceCount++;
        startingAt[h.from[e]] = slot[e];
        endingAt[h.to[e]] = slot[e];
    }
    for (int e = 0; e < h.edgeCount; ++e) {
        int fresh = slot[e], outside = h.outside[e];
        setFace(p, fresh, h.from[e], h.to[e], vertex);
        p->neighbor[fresh][0] = (uint8_t)outside;
        p->neighbor[fresh][1] = startingAt[h.to[e]];
        p->neighbor[fresh][2] = endingAt[h.from[e]];
        p->neighbor[outside][edgeFrom(p, outside, h.to[e])] = slot[e];
    }

    // vertices inside the visible part are removed, and two faces with each
    for (int k = h.edgeCount; k < h.visibleCount; ++k) {
        p->key[h.visible[k]] = WK_POLYTOPE_UNUSED;
    }
    for (int f = p->faceCount - 1; f >= 0 && h.visibleCount > h.edgeCount; --f) {
        if (p->key[f] == WK_POLYTOPE_UNUSED) {
            removeFace(p, f);
        }
    }
    return true;
}

static wkTriangleRegion fineRegion(const wkCsoPoint* const c[3], wkVec3d target)
{
    wkDdVec start = wkDdVecSub(wkDdVecOf(c[0]->w), wkDdVecOf(target));
    wkDdVec e1 = wkDdVecAdd(start, fineEdge(c[0], c[1]));
    wkDdVec e2 = wkDdVecAdd(start, fineEdge(c[0], c[2]));
    wkDdRegion fine = wkDdClosestOnTriangle(start, e1, e2);
    return wkTriangleAnswer(wkCoarse(fine.closest), fine.weight[0].high, fine.weight[1].high,
                            fine.weight[2].high);
}

// Returns the squared distance of a triangle from `target`, and the point of A for its nearest point.
static double nearestOnTriangle(const wkPolytope* p, const uint8_t vertex[3], wkVec3d target,
                                wkVec3d* pointA)
{
    const wkCsoPoint* c[3] = {&p->point[vertex[0]], &p->point[vertex[1]], &p->point[vertex[2]]};
    wkTriangleRegion region =
        p->isFine ? fineRegion(c, target)
                  : wkClosestOnTriangle(wkSub(c[0]->w, target), wkCsoEdge(c[0], c[1]),
                                        wkCsoEdge(c[0], c[2]));
    wkVec3d point = wkScale(region.weight[0], c[0]->a);
    point = wkMulAdd(point, region.weight[1], c[1]->a);
    *pointA = wkMulAdd(point, region.weight[2], c[2]->a);
    return wkDot(region.closest, region.closest);
}

wkVec3d wkPolytope_PointA(const wkPolytope* p, const uint8_t vertex[3], wkVec3d normal,
                          double depth, double noise)
{
    wkVec3d target = wkScale(depth, normal), best, point = target;
    double bestSquared = nearestOnTriangle(p, vertex, target, &best);
    for (int f = 0; f < p->faceCount; ++f) {
        wkVec3d rotated = wkSub(wkPolytope_Normal(p, f), normal);
        bool isInPlane = fabs(p->offset[f] - depth) <= noise &&
                         wkDot(rotated, rotated) <= WK_POLYTOPE_SAME_NORMAL;
        double squared = isInPlane ? nearestOnTriangle(p, p->vertex[f], target, &point) : INFINITY;
        if (squared < bestSquared) {
            bestSquared = squared;
            best = point;
        }
    }
    return best;
}
