// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A ray and a triangle, without gaps between neighbours (Woop, Benthin and Wald 2013). The triangle is
// projected along the ray: its vertices become points of a plane, each by itself and so the same in
// all triangles that share it. The ray is the origin there, and three cross products give the side
// of each edge on which it passes. Rounding of products is monotonic, so a cross product has the right
// sign or is zero, and zero counts as a hit: no ray passes through an edge or a vertex that triangles
// share.

#include "math/vec.h"

// A ray prepared for triangles.
typedef struct wkTreeRay {
    wkVec3d origin;
    wkVec3d direction;     // unit
    int axisX, axisY;      // the other axes
    int axisZ;             // along which the ray runs most
    double shearX, shearY; // maps the direction to the axis
    double scale;          // from lengths back along the axis to lengths along the ray
    double least; // a hit up to this far before the origin is due to rounding: it is at the origin
} wkTreeRay;

// Sets the axes; `x`, `y` and `z` are the direction along them.
WK_FORCE_FN void wkSetRayAxes(wkTreeRay* ray, int axisX, int axisY, int axisZ, double x, double y,
                              double z)
{
    ray->axisX = axisX;
    ray->axisY = axisY;
    ray->axisZ = axisZ;
    double inverse = 1.0 / z;
    ray->scale = -inverse;
    ray->shearX = x * inverse;
    ray->shearY = y * inverse;
}

// Computes the fields that follow from the origin and the direction. Branches instead of an index:
// consecutive rays mostly take the same one, and nothing waits for it.
WK_FORCE_FN void wkAimRay(wkTreeRay* ray, double rounding)
{
    double x = ray->direction.x, y = ray->direction.y, z = ray->direction.z;
    double most = wkMaxD(fabs(x), fabs(y));
    if (fabs(z) > most) {
        wkSetRayAxes(ray, 0, 1, 2, x, y, z);
    } else if (fabs(y) > fabs(x)) {
        wkSetRayAxes(ray, 0, 2, 1, x, z, y);
    } else {
        wkSetRayAxes(ray, 1, 2, 0, y, z, x);
    }
    ray->least = -rounding;
}

// A vertex projected along the ray: `x` and `y` beside it, `z` along it. `x` and `y` are those of the
// origin relative to the vertex, which saves an instruction; products of two of them are the same.
typedef struct wkShearedVertex {
    double x, y, z;
} wkShearedVertex;

WK_FN wkShearedVertex wkShearVertex(const wkTreeRay* ray, const wkVec3d* vertex)
{
    const wkVec3d* origin = &ray->origin;
    double x = wkAlongAxis(origin, ray->axisX) - wkAlongAxis(vertex, ray->axisX);
    double y = wkAlongAxis(origin, ray->axisY) - wkAlongAxis(vertex, ray->axisY);
    double z = wkAlongAxis(origin, ray->axisZ) - wkAlongAxis(vertex, ray->axisZ);
    wkShearedVertex sheared = {x - ray->shearX * z, y - ray->shearY * z, ray->scale * z};
    return sheared;
}

WK_FN bool wkAreBeside(double a, double b)
{
    return (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0);
}

// Hits a triangle that is edge-on to the ray or has no area: from where the first of its edges crosses
// the ray to where the last one does.
WK_APART_FN double wkMeetEdgeOn(const wkTreeRay* ray, const wkShearedVertex faceVertices[3])
{
    double enter = INFINITY, leave = -INFINITY;
    for (int i = 0; i < 3; ++i) {
        wkShearedVertex a = faceVertices[i], b = faceVertices[i == 2 ? 0 : i + 1];
        if (wkAreBeside(a.x, b.x) || wkAreBeside(a.y, b.y)) {
            continue;
        }
        double sizeA = fabs(a.x) + fabs(a.y), sizeB = fabs(b.x) + fabs(b.y);
        double share = sizeA > 0.0 ? sizeA / (sizeA + sizeB) : 0.0;
        double z = a.z + share * (b.z - a.z);
        // an edge parallel to the ray is on it all the way
        bool isAlong = sizeA == 0.0 && sizeB == 0.0;
        enter = wkMinD(enter, isAlong ? wkMinD(a.z, b.z) : z);
        leave = wkMaxD(leave, isAlong ? wkMaxD(a.z, b.z) : z);
    }
    return leave >= ray->least && enter <= leave ? wkPositive(enter) : (double)INFINITY;
}

// Distance along the ray to a triangle, from either side; infinite when it misses. It always lies
// between those of the nearest and the furthest vertex, at any inclination of the triangle.
WK_FORCE_FN double wkMeetTriangle(const wkTreeRay* ray, const wkVec3d* a, const wkVec3d* b,
                                  const wkVec3d* c)
{
    wkShearedVertex shearedA = wkShearVertex(ray, a), shearedB = wkShearVertex(ray, b);
    wkShearedVertex shearedC = wkShearVertex(ray, c);
    double shareA = shearedC.x * shearedB.y - shearedC.y * shearedB.x;
    double shareB = shearedA.x * shearedC.y - shearedA.y * shearedC.x;
    double shareC = shearedB.x * shearedA.y - shearedB.y * shearedA.x;
    double least = wkMinD(shareA, wkMinD(shareB, shareC));
    double most = wkMaxD(shareA, wkMaxD(shareB, shareC));
    // one branch instead of two: each alone is hard to predict
    if ((int)(least < 0.0) & (int)(most > 0.0)) {
        return (double)INFINITY;
    }
    double sum = shareA + shareB + shareC;
    if (WK_UNLIKELY(sum == 0.0)) {
        wkShearedVertex faceVertices[3] = {shearedA, shearedB, shearedC};
        return wkMeetEdgeOn(ray, faceVertices);
    }
    double z = (shareA * shearedA.z + shareB * shearedB.z + shareC * shearedC.z) / sum;
    return z >= ray->least ? wkPositive(z) : (double)INFINITY;
}
