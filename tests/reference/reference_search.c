// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Branch and bound over the sphere of directions.
//
// Let h(n) be the support function of D = A - B; the signed distance is -min h over unit n. The
// sphere is cut into triangles with vertices c0 c1 c2 and the support points p0 p1 p2 of D there.
// Any n of the triangle is s/|s| with s = sum l_i c_i, sum l_i = 1, l >= 0. As every point of D
// bounds h from below, for any weights m_j >= 0 with sum 1
//     h(s) >= sum_j m_j s.p_j = sum_i l_i sum_j m_j c_i.p_j >= min_i sum_j m_j c_i.p_j, and h(n) =
//     h(s)/|s| with |s| between the triangle's distance from the centre and 1. The best weights
//     solve a 3 x 3 matrix game; the bound falls short of h by the square of the triangle's size,
//     so that triangles survive around the best directions alone.

#include "reference_body.h"

#include <math.h>
#include <stdlib.h>

// What bracket is good enough, relative to the size of D.
#define SEARCH_PRECISION 2e-14L

typedef struct vertex {
    wkVec3r n; // unit
    wkVec3r p; // support point of D
} vertex;

typedef struct patch {
    vertex vertices[3];
    wkReal bound; // of h over the patch
} patch;

typedef struct patchList {
    patch* items;
    int count, capacity;
} patchList;

typedef struct search {
    const wkRefBody* a;
    const wkRefBody* b;
    wkReal best; // smallest h met
    wkVec3r bestNormal;
    int left; // support points that may still be asked for
} search;

static vertex makeVertex(search* s, wkVec3r direction)
{
    vertex c;
    c.n = wkRefScale(direction, 1.0L / wkRefLength(direction));
    c.p = wkRefDifference(s->a, s->b, c.n);
    s->left--;
    wkReal h = wkRefDot(c.n, c.p);
    if (h < s->best) {
        s->best = h;
        s->bestNormal = c.n;
    }
    return c;
}

static wkReal minOf3(wkReal a, wkReal b, wkReal c)
{
    return fminl(a, fminl(b, c));
}

// Value of a mix of two columns at the best weight; rows cross where the best weight lies.
static wkReal boundOfPair(wkReal m[3][3], int j, int k)
{
    wkReal best = -INFINITY;
    for (int row = 0; row < 3; row++) {
        int other = (row + 1) % 3;
        wkReal slope = (m[row][k] - m[row][j]) - (m[other][k] - m[other][j]);
        wkReal t = slope != 0.0L ? (m[other][j] - m[row][j]) / slope : 0.5L;
        t = t > 0.0L ? (t < 1.0L ? t : 1.0L) : 0.0L;
        wkReal values[3];
        for (int i = 0; i < 3; i++) {
            values[i] = (1.0L - t) * m[i][j] + t * m[i][k];
        }
        best = fmaxl(best, minOf3(values[0], values[1], values[2]));
    }
    return best;
}

// Value of the mix of all three columns that makes the rows equal, when its weights are valid.
static wkReal boundOfThree(wkReal m[3][3])
{
    wkVec3r column[3];
    for (int j = 0; j < 3; j++) {
        column[j] = wkRefVec(m[0][j], m[1][j], m[2][j]);
    }
    // weights solve m w = 1, up to scale: Cramer's rule
    wkVec3r ones = wkRefVec(1.0L, 1.0L, 1.0L);
    wkReal w[3] = {wkRefDot(ones, wkRefCross(column[1], column[2])),
                   wkRefDot(ones, wkRefCross(column[2], column[0])),
                   wkRefDot(ones, wkRefCross(column[0], column[1]))};
    wkReal sum = w[0] + w[1] + w[2];
    if (sum == 0.0L || !isfinite(1.0L / sum)) {
        return -INFINITY;
    }
    for (int j = 0; j < 3; j++) {
        w[j] /= sum;
        if (!(w[j] >= 0.0L)) {
            return -INFINITY;
        }
    }
    wkReal values[3];
    for (int i = 0; i < 3; i++) {
        values[i] = w[0] * m[i][0] + w[1] * m[i][1] + w[2] * m[i][2];
    }
    return minOf3(values[0], values[1], values[2]);
}

static wkReal boundOfPatch(const patch* t)
{
    wkReal m[3][3];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            m[i][j] = wkRefDot(t->vertices[i].n, t->vertices[j].p);
        }
    }
    wkReal value = boundOfThree(m);
    for (int j = 0; j < 3; j++) {
        value = fmaxl(value, boundOfPair(m, j, (j + 1) % 3));
    }
    if (value >= 0.0L) {
        return value;
    }
    const vertex* c = t->vertices;
    wkVec3r across = wkRefCross(wkRefSub(c[1].n, c[0].n), wkRefSub(c[2].n, c[0].n));
    wkReal nearest = fabsl(wkRefDot(across, c[0].n)) / wkRefLength(across);
    return value / nearest;
}

static void push(patchList* list, vertex a, vertex b, vertex c)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity * 2 + 64;
        list->items = (patch*)realloc(list->items, (size_t)list->capacity * sizeof(patch));
        if (list->items == NULL) {
            abort();
        }
    }
    patch* t = &list->items[list->count++];
    t->vertices[0] = a;
    t->vertices[1] = b;
    t->vertices[2] = c;
    t->bound = boundOfPatch(t);
}

static void tryDirection(search* s, wkVec3r direction)
{
    wkReal length = wkRefLength(direction);
    if (length > 0.0L && isfinite(1.0L / length)) {
        makeVertex(s, direction);
    }
}

// Good directions to try, so that the best value does not wait for a vertex to hit them: the normal
// of the plane through the support points, where D may be flat, and away from the point of their
// edges that is closest to the origin, where D may have an edge.
static void tryFeatures(search* s, const patch* t)
{
    const vertex* c = t->vertices;
    wkVec3r n = wkRefCross(wkRefSub(c[1].p, c[0].p), wkRefSub(c[2].p, c[0].p));
    tryDirection(s, wkRefScale(n, wkRefDot(n, c[0].n) > 0.0L ? 1.0L : -1.0L));

    wkVec3r closest = c[0].p;
    for (int i = 0; i < 3; i++) {
        wkVec3r from = c[i].p;
        wkVec3r edge = wkRefSub(c[(i + 1) % 3].p, from);
        wkReal squared = wkRefDot(edge, edge);
        wkReal along = squared > 0.0L ? -wkRefDot(from, edge) / squared : 0.0L;
        along = along > 0.0L ? (along < 1.0L ? along : 1.0L) : 0.0L;
        wkVec3r point = wkRefAdd(from, wkRefScale(edge, along));
        closest = wkRefDot(point, point) < wkRefDot(closest, closest) ? point : closest;
    }
    tryDirection(s, wkRefScale(closest, -1.0L));
}

static void split(search* s, const patch* t, patchList* out)
{
    const vertex* c = t->vertices;
    vertex ab = makeVertex(s, wkRefAdd(c[0].n, c[1].n));
    vertex bc = makeVertex(s, wkRefAdd(c[1].n, c[2].n));
    vertex ca = makeVertex(s, wkRefAdd(c[2].n, c[0].n));
    push(out, c[0], ab, ca);
    push(out, ab, c[1], bc);
    push(out, ca, bc, c[2]);
    push(out, ab, bc, ca);
}

// Starts from an octahedron.
static void seed(search* s, patchList* list)
{
    vertex x[2], y[2], z[2];
    for (int i = 0; i < 2; i++) {
        wkReal sign = i == 0 ? 1.0L : -1.0L;
        x[i] = makeVertex(s, wkRefVec(sign, 0.0L, 0.0L));
        y[i] = makeVertex(s, wkRefVec(0.0L, sign, 0.0L));
        z[i] = makeVertex(s, wkRefVec(0.0L, 0.0L, sign));
    }
    for (int i = 0; i < 8; i++) {
        push(list, x[i & 1], y[(i >> 1) & 1], z[i >> 2]);
    }
}

wkRefBracket wkRefSolveSearch(const wkRefBody* a, const wkRefBody* b, int budget)
{
    search s = {a, b, INFINITY, {1.0L, 0.0L, 0.0L}, budget};
    wkReal size = wkRefLength(wkRefSub(b->position, a->position)) + a->reach + b->reach;
    wkReal precision = SEARCH_PRECISION * size;
    patchList now = {0}, next = {0};
    seed(&s, &now);

    // one level of triangles after the other; `floorH` is below h everywhere: triangles that were
    // left behind had a bound no less than best - precision
    wkReal floorH = -INFINITY;
    while (now.count > 0) {
        wkReal lowest = s.best - precision;
        for (int i = 0; i < now.count; i++) {
            lowest = fminl(lowest, now.items[i].bound);
        }
        floorH = fmaxl(floorH, lowest);
        if (s.best - floorH <= 2.0L * precision || s.left < 4 * now.count) {
            break;
        }
        next.count = 0;
        for (int i = 0; i < now.count; i++) {
            if (now.items[i].bound < s.best - precision) {
                tryFeatures(&s, &now.items[i]);
                split(&s, &now.items[i], &next);
            }
        }
        patchList swap = now;
        now = next;
        next = swap;
    }
    if (now.count == 0) {
        floorH = s.best - precision;
    }
    free(now.items);
    free(next.items);
    wkRefBracket bracket = {-s.best, -floorH, s.bestNormal};
    return bracket;
}
