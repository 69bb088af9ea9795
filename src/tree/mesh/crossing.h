// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Whether a point is inside a solid mesh. The surface of a solid is closed, by lids where the caller's
// triangles are not (lids.h), so its winding number is an integer; any number but 0 is inside. It is
// found by counting: how often a ray from the point passes from inside to outside, minus the reverse.
// The ray runs along an axis, so boxes and triangles are compared in the plane across it. It may pass
// through vertices and along edges: it is perturbed by an infinitesimal step along v and one of higher order
// along u. Then no vertex and no edge lies on it; in comparisons, equal counts as left and as below.

#include "base/cpu.h"
#include "tree/mesh/mesh_impl.h"

// A ray along an axis, upward or downward. u, v and w are the axes 0 to 2 in turn, w that of the ray.
typedef struct wkColumn {
    double point[3];
    float down[3], up[3]; // the point as floats, rounded down and rounded up
    int u, v, w;
    bool isUpward;
} wkColumn;

typedef struct wkCrossings {
    int32_t winding;
    bool isOnSurface; // the point is on a triangle
    bool isDoubtful;  // numbers got too small to be compared: the other fields have no meaning
} wkCrossings;

typedef wkCrossings wkCountCrossingsFcn(const wkMesh* mesh, const wkColumn* column);

// For meshes with boxes, compiled once per instruction set; NULL when that is not available.
wkCountCrossingsFcn* wkCountCrossingsOf(wkIsa isa);
wkCountCrossingsFcn* wkCountCrossingsOfMachine(void);

// For meshes with volumes of any kind.
wkCrossings wkCountAnyCrossings(const wkMesh* mesh, const wkColumn* column);

// The ray from a point of the mesh's bounds along the shortest way out of them.
wkColumn wkColumnOf(const wkMesh* mesh, wkVec3d point);

// Whether a solid contains a point: inside or on a triangle. Inverted meshes enclose the same points.
// False for surfaces and for meshes without triangles.
bool wkMeshContains(const void* mesh, wkVec3d point);

// The side of an edge that a point is on, computed exactly: 1 above, 0 on its line, -1 below.
// Sets `isDoubtful` where numbers get too small for that.
int wkExactSide(const double left[2], const double right[2], const double point[2],
                bool* isDoubtful);

// The sign of the determinant of a, b and c relative to the point, computed exactly; each in the order of
// the axes u, v, w.
int wkExactHeight(const wkColumn* column, const double* a, const double* b, const double* c,
                  bool* isDoubtful);

// Rounding bounds, relative to the sum of magnitudes (Shewchuk 1997).
#define WK_SIDE_ERROR 4e-16
#define WK_HEIGHT_ERROR 1e-15

// Smaller numbers have lost digits.
#define WK_TOO_SMALL 1e-250

// Whether the column passes above an edge, along v; `left` is the end whose u is not above that of the
// column and `right` the other, so that both triangles at an edge get the same result.
WK_FORCE_FN bool wkPassesAbove(const wkColumn* c, const double* left, const double* right,
                               bool* isDoubtful)
{
    const double* p = c->point;
    int u = c->u, v = c->v;
    double first = (left[u] - p[u]) * (right[v] - p[v]);
    double second = (left[v] - p[v]) * (right[u] - p[u]);
    double side = first - second;
    if (WK_UNLIKELY(!(fabs(side) > WK_SIDE_ERROR * (fabs(first) + fabs(second)) + WK_TOO_SMALL))) {
        double ends[2][2] = {{left[u], left[v]}, {right[u], right[v]}}, at[2] = {p[u], p[v]};
        return wkExactSide(ends[0], ends[1], at, isDoubtful) >= 0;
    }
    return side > 0.0;
}

// Whether the column hits a triangle that faces along w, or against it when `isBack`, ahead of its
// point.
WK_FORCE_FN bool wkIsAhead(const wkColumn* column, const double* a, const double* b,
                           const double* c, bool isBack, wkCrossings* sum)
{
    const double* p = column->point;
    int u = column->u, v = column->v, w = column->w;
    double aw = a[w] - p[w], bw = b[w] - p[w], cw = c[w] - p[w];
    if ((aw > 0.0 && bw > 0.0 && cw > 0.0) || (aw < 0.0 && bw < 0.0 && cw < 0.0)) {
        return (aw > 0.0) == column->isUpward;
    }
    double au = a[u] - p[u], bu = b[u] - p[u], cu = c[u] - p[u];
    double av = a[v] - p[v], bv = b[v] - p[v], cv = c[v] - p[v];
    double height = aw * (bu * cv - bv * cu) + bw * (cu * av - cv * au) + cw * (au * bv - av * bu);
    double size = fabs(aw) * (fabs(bu * cv) + fabs(bv * cu)) +
                  fabs(bw) * (fabs(cu * av) + fabs(cv * au)) +
                  fabs(cw) * (fabs(au * bv) + fabs(av * bu));
    bool isAbove = height > 0.0;
    if (WK_UNLIKELY(!(fabs(height) > WK_HEIGHT_ERROR * size + WK_TOO_SMALL))) {
        int side = wkExactHeight(column, a, b, c, &sum->isDoubtful);
        sum->isOnSurface |= side == 0;
        isAbove = side > 0;
    }
    return (isAbove != isBack) == column->isUpward;
}

// Vertex a is on one side of the column along u, b and c are on the other: counts the triangle.
WK_FORCE_FN void wkCrossFromVertex(const wkColumn* column, const double* a, const double* b,
                                   const double* c, bool isLeft, wkCrossings* sum)
{
    bool isAboveB = isLeft ? wkPassesAbove(column, a, b, &sum->isDoubtful)
                           : wkPassesAbove(column, b, a, &sum->isDoubtful);
    bool isAboveC = isLeft ? wkPassesAbove(column, a, c, &sum->isDoubtful)
                           : wkPassesAbove(column, c, a, &sum->isDoubtful);
    if (isAboveB == isAboveC) {
        return;
    }
    bool isBack = isAboveB != isLeft;
    if (wkIsAhead(column, a, b, c, isBack, sum)) {
        sum->winding += isBack == column->isUpward ? -1 : 1;
    }
}

WK_FORCE_FN void wkCrossTriangle(const wkColumn* column, const double* a, const double* b,
                                 const double* c, wkCrossings* sum)
{
    double u = column->point[column->u];
    bool isLeftA = a[column->u] <= u, isLeftB = b[column->u] <= u, isLeftC = c[column->u] <= u;
    if (isLeftA == isLeftB && isLeftB == isLeftC) {
        return;
    }
    if (isLeftB == isLeftC) {
        wkCrossFromVertex(column, a, b, c, isLeftA, sum);
    } else if (isLeftC == isLeftA) {
        wkCrossFromVertex(column, b, c, a, isLeftB, sum);
    } else {
        wkCrossFromVertex(column, c, a, b, isLeftC, sum);
    }
}

WK_APART_FN void wkCrossLeaf(const wkMesh* mesh, const wkColumn* column, wkLink link,
                             wkCrossings* sum)
{
    const wkVec3d* vertices = wkMeshVertices(mesh);
    const int32_t* faceVertices = wkMeshTriangles(mesh) + 3 * (size_t)wkLeafFirst(link);
    for (int32_t count = wkLeafCount(link); count > 0; --count, faceVertices += 3) {
        wkCrossTriangle(column, &vertices[faceVertices[0]].x, &vertices[faceVertices[1]].x,
                        &vertices[faceVertices[2]].x, sum);
    }
}

// Returns a bit for each slot of a node that the column may hit.
typedef unsigned wkMeetSlotsFcn(const wkTree* tree, uint32_t node, const wkColumn* column);

WK_FORCE_FN wkCrossings wkWalkColumn(const wkMesh* mesh, const wkColumn* column,
                                     wkMeetSlotsFcn* meetSlots)
{
    wkTree tree = wkMeshTree(mesh);
    wkCrossings sum = {0, false, false};
    uint32_t stack[WK_TREE_MAX_DEPTH * (WK_TREE_WIDTH - 1) + WK_TREE_WIDTH];
    int count = 0;
    stack[count++] = 0;
    while (count > 0 && !sum.isDoubtful) {
        uint32_t node = stack[--count];
        const wkLink* links = wkTreeLinks(&tree, node);
        for (unsigned mask = meetSlots(&tree, node, column); mask != 0; mask &= mask - 1) {
            wkLink link = links[__builtin_ctz(mask)];
            if (wkIsLeaf(link)) {
                wkCrossLeaf(mesh, column, link, &sum);
            } else {
                stack[count++] = link;
            }
        }
    }
    return sum;
}
