// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Eight points against a convex core, triangles or a point. Compiled once per instruction set.

#include "query/tree/leaf_points_kernel.h"

#include "simd/eight.h"

#include <math.h>

typedef struct vec {
    wkEight x;
    wkEight y;
    wkEight z;
} vec;

WK_FORCE_FN vec load(const wkPointGroup* group)
{
    vec v = {wkLoad8(group->x), wkLoad8(group->y), wkLoad8(group->z)};
    return v;
}

WK_FORCE_FN vec splat(const float v[3])
{
    vec s = {wkSplat8(v[0]), wkSplat8(v[1]), wkSplat8(v[2])};
    return s;
}

WK_FORCE_FN vec sub(vec a, vec b)
{
    vec v = {wkSub8(a.x, b.x), wkSub8(a.y, b.y), wkSub8(a.z, b.z)};
    return v;
}

WK_FORCE_FN wkEight dot(vec a, vec b)
{
    return wkAdd8(wkAdd8(wkMul8(a.x, b.x), wkMul8(a.y, b.y)), wkMul8(a.z, b.z));
}

// The points in another frame.
WK_FORCE_FN vec transform(const wkPointFrame* frame, vec p)
{
    vec v = {wkAdd8(dot(splat(frame->rotation[0]), p), wkSplat8(frame->position[0])),
             wkAdd8(dot(splat(frame->rotation[1]), p), wkSplat8(frame->position[1])),
             wkAdd8(dot(splat(frame->rotation[2]), p), wkSplat8(frame->position[2]))};
    return v;
}

// Distance from a box about the origin, negative inside by the depth.
WK_FORCE_FN wkEight boxDistance(vec p, vec half)
{
    wkEight zero = wkSplat8(0.0f);
    vec d = {wkSub8(wkAbs8(p.x), half.x), wkSub8(wkAbs8(p.y), half.y), wkSub8(wkAbs8(p.z), half.z)};
    vec out = {wkMax8(d.x, zero), wkMax8(d.y, zero), wkMax8(d.z, zero)};
    wkEight depth = wkMin8(wkMax8(wkMax8(d.x, d.y), d.z), zero);
    return wkAdd8(wkSqrt8(dot(out, out)), depth);
}

// A cylinder about z is a box of the distance from z and of z.
WK_FORCE_FN wkEight roundDistance(vec p, vec half)
{
    wkEight zero = wkSplat8(0.0f);
    wkEight across = wkSqrt8(wkAdd8(wkMul8(p.x, p.x), wkMul8(p.y, p.y)));
    wkEight x = wkSub8(across, half.x), z = wkSub8(wkAbs8(p.z), half.z);
    wkEight outX = wkMax8(x, zero), outZ = wkMax8(z, zero);
    wkEight out = wkSqrt8(wkAdd8(wkMul8(outX, outX), wkMul8(outZ, outZ)));
    return wkAdd8(out, wkMin8(wkMax8(x, z), zero));
}

static unsigned boundCore(const wkPointBody* body, const wkPointGroup* group, float limit,
                          float bounds[WK_TREE_WIDTH])
{
    vec p = transform(&body->frame, load(group)), half = splat(body->half);
    wkEight bound;
    if (body->kind == wk_pointsToBox) {
        bound = boxDistance(p, half);
    } else if (body->kind == wk_pointsToRound) {
        bound = roundDistance(p, half);
    } else {
        wkEight height = dot(p, half);
        bound = body->kind == wk_pointsToPlane ? wkAbs8(height) : height;
    }
    wkStore8(bounds, bound);
    return wkNotAbove8(bound, wkSplat8(limit));
}

static unsigned boundPoint(const float point[3], const wkPointGroup* group, float limit,
                           float bounds[WK_TREE_WIDTH])
{
    vec apart = sub(load(group), splat(point));
    wkEight bound = wkSqrt8(dot(apart, apart));
    wkStore8(bounds, bound);
    return wkNotAbove8(bound, wkSplat8(limit));
}

// Bounds of points against a triangle.
WK_FORCE_FN wkEight triangleDistance(const wkPointTriangle* triangle, vec p)
{
    wkEight zero = wkSplat8(0.0f), one = wkSplat8(1.0f), above = zero;
    wkEight square = wkSplat8(INFINITY), inside = wkSplat8(INFINITY);
    for (int i = 0; i < 3; ++i) {
        vec from = sub(p, splat(triangle->vertices[i])), edge = splat(triangle->edges[i]);
        wkEight along = wkMul8(dot(from, edge), wkSplat8(triangle->inverses[i]));
        along = wkMin8(wkMax8(along, zero), one);
        vec apart = {wkSub8(from.x, wkMul8(along, edge.x)), wkSub8(from.y, wkMul8(along, edge.y)),
                     wkSub8(from.z, wkMul8(along, edge.z))};
        square = wkMin8(square, dot(apart, apart));
        inside = wkMin8(inside, dot(splat(triangle->inward[i]), from));
        above = i == 0 ? wkAbs8(dot(from, splat(triangle->normal))) : above;
    }
    wkEight bound = wkSqrt8(square);
    if (triangle->isSliver) { // every point of it is near the longest edge
        bound = wkSub8(bound, wkSplat8(triangle->height));
    } else {
        bound = wkPickGreater8(inside, zero, above, bound);
    }
    bound = wkMul8(bound, wkSplat8(1.0f - WK_SHARE_OF_DISTANCE));
    return wkSub8(bound, wkSplat8(WK_SHARE_OF_EDGE * triangle->longest));
}

static void boundTriangles(const wkPointFrame* frame, const wkPointGroup* group,
                           wkPointTriangle* triangles, int count, float limit, wkLeafBounds* bounds)
{
    vec p = transform(frame, load(group));
    bounds->any = 0;
    for (int i = 0; i < count; ++i) {
        // a sphere around the triangle rules out most points
        wkPointTriangle* triangle = &triangles[i];
        vec apart = sub(p, splat(triangle->vertices[0]));
        wkEight reach = wkSplat8(triangle->reach + limit);
        unsigned mask = wkNotAbove8(wkSqrt8(dot(apart, apart)), reach);
        if (mask != 0) {
            if (!triangle->isPrepared) {
                wkPreparePointTriangle(triangle);
            }
            wkEight bound = triangleDistance(triangle, p);
            wkStore8(bounds->values[i], bound);
            mask = wkNotAbove8(bound, wkSplat8(limit));
        }
        bounds->masks[i] = mask;
        bounds->any |= (mask != 0 ? 1u : 0u) << i;
    }
}

extern const wkLeafPointLanes WK_KERNEL(wkLeafPointLanes);
const wkLeafPointLanes WK_KERNEL(wkLeafPointLanes) = {boundCore, boundTriangles, boundPoint};
