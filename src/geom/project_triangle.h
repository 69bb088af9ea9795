// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Closest point of a triangle: a fast path for well-shaped triangles and points that are not next to an edge,
// and a robust path for the rest.

#include "geom/project.h"

// The triangle in its own plane: the longest edge from `origin` along u, the third vertex above it.
typedef struct wkTriangleFrame {
    wkVec3d origin;
    wkVec3d u, v, w; // orthonormal; w is the normal
    double length;   // of the longest edge
    double apexU, apexV;
} wkTriangleFrame;

// Needles and degenerate triangles get a valid frame too: the longest edge is the one direction that is known
// accurately, and the height over it is measured perpendicular to it.
WK_FN wkTriangleFrame wkTriangleFrameOf(const wkTriangle* triangle)
{
    wkVec3d a = triangle->points[0], b = triangle->points[1], c = triangle->points[2];
    double ab = wkLengthSquared(wkSub(b, a));
    double bc = wkLengthSquared(wkSub(c, b));
    double ca = wkLengthSquared(wkSub(a, c));
    double square = ab;
    if (bc > ab && bc >= ca) {
        wkVec3d first = a;
        a = b;
        b = c;
        c = first;
        square = bc;
    } else if (ca > ab) {
        wkVec3d first = a;
        a = c;
        c = b;
        b = first;
        square = ca;
    }

    wkTriangleFrame frame = {a, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}, 0.0, 0.0, 0.0};
    if (!(square > WK_TINY_SQUARED)) {
        return frame;
    }
    frame.length = sqrt(square);
    frame.u = wkScale(1.0 / frame.length, wkSub(b, a));
    wkVec3d toApex = wkSub(c, a);
    frame.apexU = wkDot(toApex, frame.u);
    wkVec3d normal = wkCross(frame.u, wkMulSub(toApex, frame.apexU, frame.u));
    frame.apexV = wkLength(normal);
    if (frame.apexV > 1e-15 * frame.length) {
        frame.w = wkScale(1.0 / frame.apexV, normal);
    } else {
        frame.apexV = 0.0;
        frame.w = wkPerpendicular(frame.u);
    }
    frame.v = wkCross(frame.w, frame.u);
    return frame;
}

// Vector from the closest point of a flat triangle to a point of its plane; zero inside.
typedef struct wkFlatGap {
    double x, y;
    int vertex; // vertex at the closest point, or -1
} wkFlatGap;

// Returns the gap to the edge from one vertex to the next; the point is beyond that edge. The gap is
// perpendicular to the edge, or points away from its end, whatever its rounding error.
WK_FN wkFlatGap wkGapToEdge(const double* verticesX, const double* verticesY, int from, double x,
                            double y)
{
    int to = from == 2 ? 0 : from + 1;
    double edgeX = verticesX[to] - verticesX[from], edgeY = verticesY[to] - verticesY[from];
    wkFlatGap start = {x - verticesX[from], y - verticesY[from], from};
    wkFlatGap end = {x - verticesX[to], y - verticesY[to], to};
    if (!(start.x * edgeX + start.y * edgeY > 0.0)) {
        return start;
    }
    if (!(end.x * edgeX + end.y * edgeY < 0.0)) {
        return end;
    }
    double out = (start.x * edgeY - start.y * edgeX) / (edgeX * edgeX + edgeY * edgeY);
    wkFlatGap gap = {wkMaxD(out, 0.0) * edgeY, -wkMaxD(out, 0.0) * edgeX, -1};
    return gap;
}

// Makes a gap at a vertex point away from both edges there. Near the border of the vertex's region rounding
// may violate this; then the other edge is the closest.
WK_FN wkFlatGap wkOrientGapOutward(const double* verticesX, const double* verticesY, wkFlatGap gap,
                                   double x, double y)
{
    int after = gap.vertex == 2 ? 0 : gap.vertex + 1;
    int before = gap.vertex == 0 ? 2 : gap.vertex - 1;
    double vertexX = verticesX[gap.vertex], vertexY = verticesY[gap.vertex];
    if (gap.x * (verticesX[after] - vertexX) + gap.y * (verticesY[after] - vertexY) > 0.0) {
        return wkGapToEdge(verticesX, verticesY, gap.vertex, x, y);
    }
    if (gap.x * (verticesX[before] - vertexX) + gap.y * (verticesY[before] - vertexY) > 0.0) {
        return wkGapToEdge(verticesX, verticesY, before, x, y);
    }
    return gap;
}

// The robust path: in the triangle's own frame, for needles and for gaps near rounding too.
WK_FN wkProjection wkProjectTriangleInFrame(const wkTriangle* triangle, wkVec3d point)
{
    wkTriangleFrame frame = wkTriangleFrameOf(triangle);
    wkVec3d offset = wkSub(point, frame.origin);
    double x = wkDot(offset, frame.u);
    double y = wkDot(offset, frame.v);
    double z = wkDot(offset, frame.w);
    if (frame.apexV <= 0.0 && y > 0.0) {
        // a triangle that is only a segment has no inside: the point is below it, whichever side it is on
        frame.v = wkNeg(frame.v);
        y = -y;
    }
    const double verticesX[3] = {0.0, frame.length, frame.apexU};
    const double verticesY[3] = {0.0, 0.0, frame.apexV};

    // from outside, the closest point in the plane lies on an edge that the point is beyond
    bool isBeyond[3] = {y < 0.0 || frame.apexV <= 0.0,
                        frame.apexV * (x - frame.length) + (frame.length - frame.apexU) * y > 0.0,
                        frame.apexU * y - frame.apexV * x > 0.0};
    wkFlatGap best = {0.0, 0.0, -1};
    double shortest = INFINITY;
    for (int i = 0; i < 3; ++i) {
        if (isBeyond[i]) {
            wkFlatGap gap = wkGapToEdge(verticesX, verticesY, i, x, y);
            double square = gap.x * gap.x + gap.y * gap.y;
            best = square < shortest ? gap : best;
            shortest = wkMinD(square, shortest);
        }
    }
    if (best.vertex >= 0 && frame.apexV > 0.0) {
        best = wkOrientGapOutward(verticesX, verticesY, best, x, y);
    }
    wkVec3d inPlane = wkMulAdd(wkScale(x - best.x, frame.u), y - best.y, frame.v);
    wkVec3d gap = wkMulAdd(wkMulAdd(wkScale(best.x, frame.u), best.y, frame.v), z, frame.w);
    wkVec3d facing = z < 0.0 ? wkNeg(frame.w) : frame.w;
    return wkProjectionOfGap(wkAdd(frame.origin, inPlane), gap, facing);
}

// Triangles flatter than this (height over the longest edge, squared) and gaps shorter than that (share of
// the longest edge, squared) take the robust path.
#define WK_TRIANGLE_QUICK_HEIGHT 1e-2
#define WK_TRIANGLE_QUICK_GAP 1e-2

// Vector from the closest point of an edge to the point.
typedef struct wkEdgeGap {
    wkVec3d gap;
    double square;
    bool isWithin; // the closest point is not one of the edge's ends
} wkEdgeGap;

// Keeps the nearer edge. `fromStart` points from the start of the edge to the point, which is beyond that
// edge. A closest point within the edge is then the closest of the triangle, whatever the lengths: next to a
// vertex they agree to the last bit, and the gap to the vertex would be tilted.
WK_FN void wkKeepNearerEdge(wkVec3d fromStart, wkVec3d edge, double edgeSquared, wkEdgeGap* best)
{
    double t = wkDot(fromStart, edge) / edgeSquared;
    wkVec3d gap = wkMulSub(fromStart, wkClamp(t, 0.0, 1.0), edge);
    double square = wkDot(gap, gap);
    bool isWithin = t > 0.0 && t < 1.0;
    if (isWithin == best->isWithin ? square < best->square : isWithin) {
        best->gap = gap;
        best->square = square;
        best->isWithin = isWithin;
    }
}

// The closest point lies inside, or on an edge that the point is beyond. The signed areas of the three
// triangles with the projected point determine which.
WK_FN wkProjection wkProjectTriangle(const wkShape* shape, wkVec3d point)
{
    const wkVec3d* vertices = shape->triangle.points;
    wkVec3d ab = wkSub(vertices[1], vertices[0]), ac = wkSub(vertices[2], vertices[0]);
    wkVec3d bc = wkSub(vertices[2], vertices[1]);
    wkVec3d fromA = wkSub(point, vertices[0]), fromB = wkSub(point, vertices[1]);
    wkVec3d normal = wkCross(ab, ac);
    double area = wkDot(normal, normal);
    double abSquared = wkDot(ab, ab), acSquared = wkDot(ac, ac), bcSquared = wkDot(bc, bc);
    double longest = wkMaxD(abSquared, wkMaxD(acSquared, bcSquared));
    if (!(area > WK_TRIANGLE_QUICK_HEIGHT * longest * longest)) {
        return wkProjectTriangleInFrame(&shape->triangle, point);
    }
    double areaB = wkDot(normal, wkCross(fromA, ac));
    double areaC = wkDot(normal, wkCross(ab, fromA));
    double areaA = area - areaB - areaC;
    if (areaA >= 0.0 && areaB >= 0.0 && areaC >= 0.0) {
        double scale = 1.0 / sqrt(area);
        double height = scale * wkDot(normal, fromA);
        wkVec3d unit = wkScale(scale, normal);
        wkProjection inside = {fabs(height), wkMulSub(point, height, unit),
                               height < 0.0 ? wkNeg(unit) : unit};
        return inside;
    }
    wkEdgeGap best = {fromA, INFINITY, false};
    if (areaC < 0.0) {
        wkKeepNearerEdge(fromA, ab, abSquared, &best);
    }
    if (areaB < 0.0) {
        wkKeepNearerEdge(fromA, ac, acSquared, &best);
    }
    if (areaA < 0.0) {
        wkKeepNearerEdge(fromB, bc, bcSquared, &best);
    }
    if (!(best.square > WK_TRIANGLE_QUICK_GAP * longest)) {
        return wkProjectTriangleInFrame(&shape->triangle, point);
    }
    double distance = sqrt(best.square);
    wkProjection outside = {distance, wkSub(point, best.gap), wkScale(1.0 / distance, best.gap)};
    return outside;
}
