// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A simplex around the origin gives a common point of the cores, and a lower bound of their depth.

#include "solve/gjk/inside_simplex.h"

// A common point may be this share of wkPair.scale outside one of the cores.
#define WK_COMMON_OFF 1e-12

// Depth in a tetrahedron, as a share of wkPair.scale, that can be trusted: if a sphere of this size fits in,
// the faces are wider still and their normals are accurate to 1e-10. Slivers are not.
#define WK_SIMPLEX_CLEAR 1e-6

void wkKeepNearestFace(wkSimplex* s)
{
    static const int face[4][3] = {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
    int best = 0;
    double bestSquared = INFINITY;
    wkTriangleRegion bestRegion = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}};
    for (int f = 0; f < 4; ++f) {
        const wkCsoPoint* c[3] = {&s->point[face[f][0]], &s->point[face[f][1]],
                                  &s->point[face[f][2]]};
        wkTriangleRegion region =
            wkClosestOnTriangle(c[0]->w, wkCsoEdge(c[0], c[1]), wkCsoEdge(c[0], c[2]));
        double squared = wkDot(region.closest, region.closest);
        if (squared < bestSquared) {
            best = f, bestSquared = squared, bestRegion = region;
        }
    }
    wkSimplexKeepTriangle(s, face[best][0], face[best][1], face[best][2], &bestRegion);
}

// Computes the weights of the origin in a tetrahedron that contains it.
static void weighTetrahedron(wkSimplex* s)
{
    const wkCsoPoint* p = s->point;
    wkVec3d e1 = wkCsoEdge(&p[0], &p[1]), e2 = wkCsoEdge(&p[0], &p[2]),
            e3 = wkCsoEdge(&p[0], &p[3]);
    wkVec3d o = wkNeg(p[0].w);
    double volume = wkDot(e1, wkCross(e2, e3));
    double scale = volume != 0.0 ? 1.0 / volume : 0.0;
    s->weight[1] = wkClamp(scale * wkDot(o, wkCross(e2, e3)), 0.0, 1.0);
    s->weight[2] = wkClamp(scale * wkDot(e1, wkCross(o, e3)), 0.0, 1.0);
    s->weight[3] = wkClamp(scale * wkDot(e1, wkCross(e2, o)), 0.0, 1.0);
    s->weight[0] = wkMaxD(0.0, 1.0 - s->weight[1] - s->weight[2] - s->weight[3]);
}

void wkAnswerCommonPoint(const wkPair* pair, wkSimplex* s, wkSolution* out)
{
    if (s->count == 4) {
        weighTetrahedron(s);
        double rest = wkMaxAbs(wkSimplexPoint(s));
        if (!(rest <= WK_COMMON_OFF * pair->scale)) {
            // weights of thin tetrahedra are inaccurate: their nearest face nearly contains the origin too
            wkSimplex face = *s;
            wkKeepNearestFace(&face);
            *s = wkMaxAbs(wkSimplexPoint(&face)) < rest ? face : *s;
        }
    }
    wkVec3d point = wkSimplexPointA(s);
    out->distance = 0.0;
    out->pointA = point;
    out->pointB = point;
    out->normal = wkNormalizeOr(pair->centers, wkVec(0.0, 0.0, 1.0));
    out->status = wk_statusExact;
}

// Returns the distance from the origin, inside a tetrahedron, to the plane of its face opposite to point
// `apex`.
static double faceDistance(const wkSimplex* s, int apex)
{
    const wkCsoPoint* a = &s->point[(apex + 1) & 3];
    wkVec3d normal =
        wkCross(wkCsoEdge(a, &s->point[(apex + 2) & 3]), wkCsoEdge(a, &s->point[(apex + 3) & 3]));
    double length = wkLength(normal);
    return length > 0.0 ? fabs(wkDot(normal, a->w)) / length : 0.0;
}

bool wkIsDecidedBySimplex(const wkPair* pair, const wkGoal* goal, const wkSimplex* s,
                          wkSolution* out)
{
    bool isVerdict = goal->touching > -INFINITY;
    if (!isVerdict || s->count < 4) {
        return false;
    }
    double depth = wkMinD(wkMinD(faceDistance(s, 0), faceDistance(s, 1)),
                          wkMinD(faceDistance(s, 2), faceDistance(s, 3)));
    out->distance = -depth;
    out->status = wk_statusBound;
    return depth > WK_SIMPLEX_CLEAR * pair->scale &&
           -depth <= goal->touching - WK_VERDICT_BAND * pair->scale;
}
