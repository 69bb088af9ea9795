// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Bookkeeping of the expanding polytope: faces, neighbours, the horizon seen from a new point.

#include "solve/polytope.h"

// Squared sine below which two faces lie in one plane.
#define WK_POLYTOPE_SAME_NORMAL 1e-14

static int addVertex(wkPolytope* p, wkVec3d w, wkVec3d a)
{
    p->w[p->vertexCount] = w;
    p->a[p->vertexCount] = a;
    return p->vertexCount++;
}

static int addFace(wkPolytope* p, int i, int j, int k)
{
    int index = p->freeFace;
    if (index >= 0) {
        p->freeFace = p->faces[index].vertex[0];
    } else if (p->faceCount < WK_POLYTOPE_FACES) {
        index = p->faceCount++;
    } else {
        return -1;
    }
    wkPolytopeFace* face = &p->faces[index];
    face->vertex[0] = (int16_t)i, face->vertex[1] = (int16_t)j, face->vertex[2] = (int16_t)k;
    face->isAlive = true;

    wkVec3d e1 = wkSub(p->w[j], p->w[i]), e2 = wkSub(p->w[k], p->w[i]);
    wkVec3d normal = wkCross(e1, e2);
    double areaSquared = wkDot(normal, normal);
    bool isDegenerate = !(areaSquared > 1e-30 * wkDot(e1, e1) * wkDot(e2, e2));
    face->normal = isDegenerate ? wkVec(0.0, 0.0, 0.0) : wkScale(1.0 / sqrt(areaSquared), normal);
    face->offset = isDegenerate ? INFINITY : wkDot(face->normal, p->w[i]);
    p->distance[index] = face->offset;
    return index;
}

static void link(wkPolytope* p, int f, int edgeF, int g, int edgeG)
{
    p->faces[f].neighbor[edgeF] = (int16_t)g;
    p->faces[f].back[edgeF] = (int8_t)edgeG;
    p->faces[g].neighbor[edgeG] = (int16_t)f;
    p->faces[g].back[edgeG] = (int8_t)edgeF;
}

static void clear(wkPolytope* p)
{
    p->vertexCount = 0;
    p->faceCount = 0;
    p->freeFace = -1;
}

// Faces of a closed solid given by corner triples; neighbours found by their shared edges.
static void addSolid(wkPolytope* p, const int (*corners)[3], int count)
{
    for (int f = 0; f < count; ++f) {
        addFace(p, corners[f][0], corners[f][1], corners[f][2]);
    }
    for (int f = 0; f < count; ++f) {
        for (int g = f + 1; g < count; ++g) {
            for (int i = 0; i < 3; ++i) {
                for (int j = 0; j < 3; ++j) {
                    bool isShared = corners[f][i] == corners[g][(j + 1) % 3] &&
                                    corners[f][(i + 1) % 3] == corners[g][j];
                    if (isShared) {
                        link(p, f, i, g, j);
                    }
                }
            }
        }
    }
}

bool wkPolytope_StartTetrahedron(wkPolytope* p, const wkSimplex* s, double flat)
{
    wkVec3d normal = wkCross(wkSub(s->w[1], s->w[0]), wkSub(s->w[2], s->w[0]));
    double height = wkDot(normal, wkSub(s->w[3], s->w[0]));
    if (!(fabs(height) > flat * wkLength(normal))) {
        return false;
    }
    static const int below[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static const int above[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    clear(p);
    for (int i = 0; i < 4; ++i) {
        addVertex(p, s->w[i], s->a[i]);
    }
    addSolid(p, height < 0.0 ? below : above, 4);
    return true;
}

bool wkPolytope_StartBipyramid(wkPolytope* p, const wkSimplex* s, const wkVec3d* top,
                               const wkVec3d* topA, const wkVec3d* bottom, const wkVec3d* bottomA)
{
    static const int both[6][3] = {{0, 1, 3}, {1, 2, 3}, {2, 0, 3}, {1, 0, 4}, {2, 1, 4}, {0, 2, 4}};
    static const int onlyTop[4][3] = {{0, 1, 3}, {1, 2, 3}, {2, 0, 3}, {0, 2, 1}};
    static const int onlyBottom[4][3] = {{1, 0, 3}, {2, 1, 3}, {0, 2, 3}, {0, 1, 2}};
    clear(p);
    for (int i = 0; i < 3; ++i) {
        addVertex(p, s->w[i], s->a[i]);
    }
    if (top != NULL) {
        addVertex(p, *top, *topA);
    }
    if (bottom != NULL) {
        addVertex(p, *bottom, *bottomA);
    }
    if (top != NULL && bottom != NULL) {
        addSolid(p, both, 6);
    } else if (top != NULL || bottom != NULL) {
        addSolid(p, top != NULL ? onlyTop : onlyBottom, 4);
    }
    return top != NULL || bottom != NULL;
}

int wkPolytope_Nearest(const wkPolytope* p)
{
    int best = -1;
    double bestDistance = INFINITY;
    for (int f = 0; f < p->faceCount; ++f) {
        if (p->distance[f] < bestDistance) {
            bestDistance = p->distance[f];
            best = f;
        }
    }
    return best;
}

void wkPolytope_Settle(wkPolytope* p, int face)
{
    p->distance[face] = INFINITY;
}

// The fan of new faces around a new point, in the order of the horizon.
typedef struct horizonFan {
    wkPolytope* p;
    wkVec3d w;
    double noise;
    int vertex;
    int first;
    int last;
    int removed; // faces seen, linked through vertex[0]: reused only when the fan is closed
    bool isBroken;
} horizonFan;

static void addFanFace(horizonFan* fan, int outside, int edge)
{
    wkPolytope* p = fan->p;
    const wkPolytopeFace* old = &p->faces[outside];
    int from = old->vertex[(edge + 1) % 3], to = old->vertex[edge];
    int face = addFace(p, from, to, fan->vertex);
    if (face < 0) {
        fan->isBroken = true;
        return;
    }
    link(p, face, 0, outside, edge);
    if (fan->last >= 0) {
        // consecutive horizon edges share a vertex, or the horizon is not a loop
        fan->isBroken |= p->faces[fan->last].vertex[1] != from;
        link(p, fan->last, 1, face, 2);
    } else {
        fan->first = face;
    }
    fan->last = face;
}

static void removeFace(horizonFan* fan, int face)
{
    wkPolytope* p = fan->p;
    p->faces[face].isAlive = false;
    p->faces[face].vertex[0] = (int16_t)fan->removed;
    p->distance[face] = INFINITY;
    fan->removed = face;
}

// Walks over the faces seen from the new point, starting over `edge` of `face`; depth first, so that the
// horizon comes out in order. Depth is bounded by the number of faces.
static void walkHorizon(horizonFan* fan, int face, int edge)
{
    wkPolytope* p = fan->p;
    const wkPolytopeFace* f = &p->faces[face];
    if (fan->isBroken || !f->isAlive) {
        return;
    }
    bool isSeen = wkDot(f->normal, fan->w) > f->offset + fan->noise;
    if (!isSeen) {
        addFanFace(fan, face, edge);
        return;
    }
    removeFace(fan, face);
    int next = (edge + 1) % 3, after = (edge + 2) % 3;
    walkHorizon(fan, f->neighbor[next], f->back[next]);
    walkHorizon(fan, f->neighbor[after], f->back[after]);
}

bool wkPolytope_Grow(wkPolytope* p, int face, wkVec3d w, wkVec3d a, double noise)
{
    if (p->vertexCount == WK_POLYTOPE_VERTICES) {
        return false;
    }
    horizonFan fan = {p, w, noise, addVertex(p, w, a), -1, -1, -1, false};
    const wkPolytopeFace* start = &p->faces[face];
    removeFace(&fan, face);
    for (int i = 0; i < 3; ++i) {
        walkHorizon(&fan, start->neighbor[i], start->back[i]);
    }
    if (fan.isBroken || fan.first < 0 || fan.first == fan.last ||
        p->faces[fan.last].vertex[1] != p->faces[fan.first].vertex[0]) {
        return false;
    }
    link(p, fan.last, 1, fan.first, 2);
    while (fan.removed >= 0) {
        int next = p->faces[fan.removed].vertex[0];
        p->faces[fan.removed].vertex[0] = (int16_t)p->freeFace;
        p->freeFace = fan.removed;
        fan.removed = next;
    }
    return true;
}

wkVec3d wkPolytope_PointA(const wkPolytope* p, wkVec3d normal, double depth, double noise)
{
    wkVec3d target = wkScale(depth, normal), point = target;
    double bestSquared = INFINITY;
    for (int f = 0; f < p->faceCount; ++f) {
        const wkPolytopeFace* face = &p->faces[f];
        wkVec3d turned = wkSub(face->normal, normal);
        bool isInPlane = face->isAlive && fabs(face->offset - depth) <= noise &&
                         wkDot(turned, turned) <= WK_POLYTOPE_SAME_NORMAL;
        if (!isInPlane) {
            continue;
        }
        const int16_t* v = face->vertex;
        wkTriangleRegion region =
            wkClosestOnTriangle(wkSub(p->w[v[0]], target), wkSub(p->w[v[1]], target),
                                wkSub(p->w[v[2]], target));
        double squared = wkDot(region.closest, region.closest);
        if (squared < bestSquared) {
            bestSquared = squared;
            point = wkScale(region.weight[0], p->a[v[0]]);
            point = wkMulAdd(point, region.weight[1], p->a[v[1]]);
            point = wkMulAdd(point, region.weight[2], p->a[v[2]]);
        }
    }
    return point;
}
