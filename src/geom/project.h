// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Closest point of a core to a given point, both in the shape's own frame. Distances are signed:
// the nearest way out counts when the point is inside. Normals come from differences that lose
// nothing, or from the surface itself, so they are unit vectors also on faces, edges, axes and
// centres.

#include "geom/convex.h"
#include "geom/project_ellipsoid.h"

// Squares below this have lost digits to underflow: such a gap is none.
#define WK_TINY_SQUARED 1e-280

// Direction from the z axis to a point, and how far that is; +x on the axis.
typedef struct wkRadial {
    double radius;
    double x, y;
} wkRadial;

WK_FN wkRadial wkRadialOf(wkVec3d point)
{
    double square = point.x * point.x + point.y * point.y;
    double radius = sqrt(square);
    bool isOffAxis = square > WK_TINY_SQUARED;
    double scale = isOffAxis ? 1.0 / radius : 0.0;
    wkRadial radial = {radius, isOffAxis ? scale * point.x : 1.0, scale * point.y};
    return radial;
}

// The answer for a point outside, `gap` away from `surface`; `fallback` is the normal without a
// gap.
WK_FN wkProjection wkProjectionOfGap(wkVec3d surface, wkVec3d gap, wkVec3d fallback)
{
    double square = wkDot(gap, gap);
    wkProjection projection = {0.0, surface, fallback};
    if (WK_LIKELY(square > WK_TINY_SQUARED)) {
        projection.distance = sqrt(square);
        projection.normal = wkScale(1.0 / projection.distance, gap);
    }
    return projection;
}

// The core of a sphere: the origin.
WK_FN wkProjection wkProjectPoint(const wkShape* shape, wkVec3d point)
{
    (void)shape;
    return wkProjectionOfGap(wkVec(0.0, 0.0, 0.0), point, wkVec(0.0, 0.0, 1.0));
}

// The core of a capsule: a segment along z.
WK_FN wkProjection wkProjectSegment(const wkShape* shape, wkVec3d point)
{
    double half = shape->capsule.halfLength;
    double z = wkClamp(point.z, -half, half);
    wkVec3d gap = wkVec(point.x, point.y, point.z - z);
    bool isEnd = fabs(point.z) >= half;
    wkVec3d fallback = isEnd ? wkVec(0.0, 0.0, copysign(1.0, point.z)) : wkVec(1.0, 0.0, 0.0);
    return wkProjectionOfGap(wkVec(0.0, 0.0, z), gap, fallback);
}

WK_FN wkProjection wkProjectBox(const wkShape* shape, wkVec3d point)
{
    wkVec3d half = shape->box.half;
    wkVec3d surface = wkMax(wkMin(point, half), wkNeg(half));
    wkVec3d gap = wkSub(point, surface);
    double square = wkDot(gap, gap);
    wkProjection projection = {0.0, surface, {0.0, 0.0, 0.0}};
    if (square > WK_TINY_SQUARED) {
        projection.distance = sqrt(square);
        projection.normal = wkScale(1.0 / projection.distance, gap);
        return projection;
    }

    // inside: leave through the nearest face
    wkVec3d depth = wkSub(half, wkAbs(point));
    if (depth.z <= depth.x && depth.z <= depth.y) {
        projection.normal.z = copysign(1.0, point.z);
        projection.point.z = copysign(half.z, point.z);
        projection.distance = -depth.z;
    } else if (depth.y <= depth.x) {
        projection.normal.y = copysign(1.0, point.y);
        projection.point.y = copysign(half.y, point.y);
        projection.distance = -depth.y;
    } else {
        projection.normal.x = copysign(1.0, point.x);
        projection.point.x = copysign(half.x, point.x);
        projection.distance = -depth.x;
    }
    return projection;
}

WK_FN wkProjection wkProjectCylinder(const wkShape* shape, wkVec3d point)
{
    double radius = shape->cylinder.radius;
    double half = shape->cylinder.halfLength;
    wkRadial radial = wkRadialOf(point);
    double sideGap = radial.radius - radius;
    double capGap = fabs(point.z) - half;

    // beyond both: the rim
    if (sideGap > 0.0 && capGap > 0.0) {
        double square = sideGap * sideGap + capGap * capGap;
        if (square > WK_TINY_SQUARED) {
            double distance = sqrt(square);
            double across = sideGap / distance;
            wkProjection rim = {
                distance,
                {radius * radial.x, radius * radial.y, copysign(half, point.z)},
                {across * radial.x, across * radial.y, copysign(capGap / distance, point.z)}};
            return rim;
        }
    }

    // otherwise the larger of the two is the distance, outside and inside
    if (sideGap > capGap) {
        wkProjection side = {
            sideGap, {radius * radial.x, radius * radial.y, point.z}, {radial.x, radial.y, 0.0}};
        return side;
    }
    wkProjection cap = {
        capGap, {point.x, point.y, copysign(half, point.z)}, {0.0, 0.0, copysign(1.0, point.z)}};
    return cap;
}

// In the half-plane through the axis and the point the cone is a right triangle: the base from
// (0, -half) to the rim (radius, -half), and the side from there to the apex (0, half).
WK_FN wkProjection wkProjectCone(const wkShape* shape, wkVec3d point)
{
    double radius = shape->cone.radius;
    double half = shape->cone.halfLength;
    double height = 2.0 * half;
    wkRadial radial = wkRadialOf(point);

    // unit normal of the side; the direction down the side is (up, -out)
    double slantSquared = height * height + radius * radius;
    double scale = slantSquared > WK_TINY_SQUARED ? 1.0 / sqrt(slantSquared) : 0.0;
    double out = scale * height;
    double up = scale > 0.0 ? scale * radius : 1.0;

    double fromRim = radial.radius - radius;
    double fromBase = point.z + half;
    double fromApex = point.z - half;
    double sideGap = out * radial.radius + up * fromApex;
    double alongSide = up * radial.radius - out * fromApex;

    wkVec3d apex = wkVec(0.0, 0.0, half);
    wkVec3d side = wkVec(out * radial.x, out * radial.y, up);
    if (fromRim > 0.0 && up * fromRim >= out * fromBase) {
        wkVec3d rim = wkVec(radius * radial.x, radius * radial.y, -half);
        wkVec3d gap = wkVec(fromRim * radial.x, fromRim * radial.y, fromBase);
        return wkProjectionOfGap(rim, gap, side);
    }
    if (fromApex >= 0.0 && alongSide <= 0.0) {
        return wkProjectionOfGap(apex, wkVec(point.x, point.y, fromApex), side);
    }

    // base or side, whichever is further outward; both count inside
    if (fromBase < 0.0 || -fromBase > sideGap) {
        wkProjection base = {-fromBase, {point.x, point.y, -half}, {0.0, 0.0, -1.0}};
        return base;
    }
    double across = up * alongSide;
    wkProjection onSide = {
        sideGap, {across * radial.x, across * radial.y, half - out * alongSide}, side};
    return onSide;
}

// The triangle in its own plane: the longest edge from `origin` along u, the third corner above it.
typedef struct wkTriangleFrame {
    wkVec3d origin;
    wkVec3d u, v, w; // orthonormal; w is the normal
    double length;   // of the longest edge
    double apexU, apexV;
} wkTriangleFrame;

// Needles and degenerate triangles get a sound frame too: the longest edge is the one direction
// that is known well, and the height over it is measured at right angles.
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

// From the closest point of a flat triangle to a point of its plane; zero inside.
typedef struct wkFlatGap {
    double x, y;
    int corner; // where the closest point is, or -1
} wkFlatGap;

// The gap to the edge from one corner to the next, which the point is beyond. It is at right angles
// to the edge, or leads away from its end, whatever rounding does to its length.
WK_FN wkFlatGap wkGapToEdge(const double* cornersX, const double* cornersY, int from, double x,
                            double y)
{
    int to = from == 2 ? 0 : from + 1;
    double edgeX = cornersX[to] - cornersX[from], edgeY = cornersY[to] - cornersY[from];
    wkFlatGap start = {x - cornersX[from], y - cornersY[from], from};
    wkFlatGap end = {x - cornersX[to], y - cornersY[to], to};
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

// A gap at a corner must lead away from both edges there. Next to the border of the corner's own
// part of the plane rounding can say otherwise; then the other edge is the closest.
WK_FN wkFlatGap wkTurnGapOutward(const double* cornersX, const double* cornersY, wkFlatGap gap,
                                 double x, double y)
{
    int after = gap.corner == 2 ? 0 : gap.corner + 1;
    int before = gap.corner == 0 ? 2 : gap.corner - 1;
    double cornerX = cornersX[gap.corner], cornerY = cornersY[gap.corner];
    if (gap.x * (cornersX[after] - cornerX) + gap.y * (cornersY[after] - cornerY) > 0.0) {
        return wkGapToEdge(cornersX, cornersY, gap.corner, x, y);
    }
    if (gap.x * (cornersX[before] - cornerX) + gap.y * (cornersY[before] - cornerY) > 0.0) {
        return wkGapToEdge(cornersX, cornersY, before, x, y);
    }
    return gap;
}

WK_FN wkProjection wkProjectTriangle(const wkShape* shape, wkVec3d point)
{
    wkTriangleFrame frame = wkTriangleFrameOf(&shape->triangle);
    wkVec3d offset = wkSub(point, frame.origin);
    double x = wkDot(offset, frame.u);
    double y = wkDot(offset, frame.v);
    double z = wkDot(offset, frame.w);
    if (frame.apexV <= 0.0 && y > 0.0) {
        // a mere segment has no inside: the point is below it, whichever side it is on
        frame.v = wkNeg(frame.v);
        y = -y;
    }
    const double cornersX[3] = {0.0, frame.length, frame.apexU};
    const double cornersY[3] = {0.0, 0.0, frame.apexV};

    // from outside, the closest point in the plane lies on an edge that the point is beyond
    bool isBeyond[3] = {y < 0.0 || frame.apexV <= 0.0,
                        frame.apexV * (x - frame.length) + (frame.length - frame.apexU) * y > 0.0,
                        frame.apexU * y - frame.apexV * x > 0.0};
    wkFlatGap best = {0.0, 0.0, -1};
    double shortest = INFINITY;
    for (int i = 0; i < 3; ++i) {
        if (isBeyond[i]) {
            wkFlatGap gap = wkGapToEdge(cornersX, cornersY, i, x, y);
            double square = gap.x * gap.x + gap.y * gap.y;
            best = square < shortest ? gap : best;
            shortest = wkMinD(square, shortest);
        }
    }
    if (best.corner >= 0 && frame.apexV > 0.0) {
        best = wkTurnGapOutward(cornersX, cornersY, best, x, y);
    }
    wkVec3d inPlane = wkMulAdd(wkScale(x - best.x, frame.u), y - best.y, frame.v);
    wkVec3d gap = wkMulAdd(wkMulAdd(wkScale(best.x, frame.u), best.y, frame.v), z, frame.w);
    wkVec3d facing = z < 0.0 ? wkNeg(frame.w) : frame.w;
    return wkProjectionOfGap(wkAdd(frame.origin, inPlane), gap, facing);
}

WK_FN wkProjection wkProjectHalfspace(const wkShape* shape, wkVec3d point)
{
    wkVec3d normal = shape->halfspace.normal;
    double distance = wkDot(normal, point) - shape->halfspace.offset;
    wkProjection projection = {distance, wkMulSub(point, distance, normal), normal};
    return projection;
}

// Two-sided: the normal faces the point.
WK_FN wkProjection wkProjectPlane(const wkShape* shape, wkVec3d point)
{
    wkVec3d normal = shape->plane.normal;
    double height = wkDot(normal, point) - shape->plane.offset;
    wkProjection projection = {fabs(height), wkMulSub(point, height, normal),
                               height < 0.0 ? wkNeg(normal) : normal};
    return projection;
}
