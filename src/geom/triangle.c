// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The triangle's row: flat and two-sided.

#include "geom/check.h"
#include "geom/convex_ray.h"
#include "geom/convex_rows.h"
#include "geom/face.h"
#include "geom/project_triangle.h"
#include "geom/steiner.h"
#include "geom/support.h"
#include "geom/triangulate.h"

// Rays with a smaller component along the normal are left to the general method, which is exact for rays in
// the plane.
#define MIN_LEAN 0.05

bool wkTriangleIsValid(const wkShape* shape)
{
    return wkIsValidTriangle(shape);
}

wkResult wkTriangleCheck(const wkShape* shape)
{
    static const char* const fields[3] = {"points[0]", "points[1]", "points[2]"};
    for (int i = 0; i < 3; ++i) {
        wkResult result = wkCheckPoint("triangle", fields[i], shape->triangle.points[i]);
        if (result != wk_ok) {
            return result;
        }
    }
    return wkCheckMargins("triangle", shape);
}

wkVec3d wkTriangleCoreSupport(const wkShape* shape, wkVec3d direction)
{
    return wkSupportTriangle(shape, direction, NULL);
}

wkProjection wkTriangleProject(const wkShape* shape, wkVec3d point)
{
    return wkProjectTriangle(shape, point);
}

wkAabb wkTriangleBounds(const wkShape* shape, const wkFrame* frame)
{
    wkVec3d a = wkFramePoint(frame, shape->triangle.points[0]);
    wkVec3d b = wkFramePoint(frame, shape->triangle.points[1]);
    wkVec3d c = wkFramePoint(frame, shape->triangle.points[2]);
    wkAabb bounds = {wkMin(wkMin(a, b), c), wkMax(wkMax(a, b), c)};
    return bounds;
}

// Centres the sphere on the longest edge when the third vertex is near it, else at the centre of the circle
// through the vertices; for flat triangles too, because it works in their own frame.
static wkInnerOuterSpheres sphereInFrame(const wkShape* shape)
{
    wkTriangleFrame frame = wkTriangleFrameOf(&shape->triangle);
    double half = 0.5 * frame.length;
    double across = frame.apexU - half;
    double up = 0.0;
    double radius = half;
    if (frame.apexV > 0.0 && across * across + frame.apexV * frame.apexV > half * half) {
        up = 0.5 * (across * across + frame.apexV * frame.apexV - half * half) / frame.apexV;
        radius = sqrt(half * half + up * up);
    }
    wkVec3d center = wkMulAdd(wkMulAdd(frame.origin, half, frame.u), up, frame.v);
    wkInnerOuterSpheres sphere = {center, radius, 0.0};
    return sphere;
}

// Uses the circle through the vertices for a well-shaped acute triangle: the fast path.
wkInnerOuterSpheres wkTriangleSpheres(const wkShape* shape)
{
    const wkVec3d* points = shape->triangle.points;
    wkVec3d ab = wkSub(points[1], points[0]), ac = wkSub(points[2], points[0]);
    wkVec3d bc = wkSub(points[2], points[1]), normal = wkCross(ab, ac);
    double abSquared = wkDot(ab, ab), acSquared = wkDot(ac, ac), bcSquared = wkDot(bc, bc);
    double longest = wkMaxD(abSquared, wkMaxD(acSquared, bcSquared));
    double area = wkDot(normal, normal);
    bool isAcute = 2.0 * longest < abSquared + acSquared + bcSquared;
    if (!isAcute || !(area > WK_TRIANGLE_QUICK_HEIGHT * longest * longest)) {
        return sphereInFrame(shape);
    }
    wkVec3d across = wkMulSub(wkScale(acSquared, ab), abSquared, ac);
    wkVec3d toCenter = wkScale(0.5 / area, wkCross(normal, across));
    wkInnerOuterSpheres sphere = {wkAdd(points[0], toCenter), 0.0, 0.0};
    wkVec3d fromB = wkSub(sphere.center, points[1]), fromC = wkSub(sphere.center, points[2]);
    sphere.radius =
        sqrt(wkMaxD(wkDot(toCenter, toCenter), wkMaxD(wkDot(fromB, fromB), wkDot(fromC, fromC))));
    return sphere;
}

wkMass wkTriangleMass(const wkShape* shape)
{
    const wkVec3d* points = shape->triangle.points;
    wkTriangleFrame frame = wkTriangleFrameOf(&shape->triangle);
    double area = frame.length * frame.apexV;
    double perimeter = wkLength(wkSub(points[1], points[0])) +
                       wkLength(wkSub(points[2], points[1])) +
                       wkLength(wkSub(points[0], points[2]));

    // the exterior angle of every edge is half a turn
    double volume = wkSteinerVolume(0.0, area, 0.5 * WK_PI * perimeter, shape->rounding);
    wkVec3d sum = wkAdd(points[0], wkAdd(points[1], points[2]));
    return wkMakeMass(volume, wkScale(1.0 / 3.0, sum), wkVec(0.0, 0.0, 0.0));
}

wkRayHit wkTriangleRayCast(const wkShape* shape, wkVec3d origin, wkVec3d direction,
                           double maxDistance)
{
    wkTriangleFrame frame = wkTriangleFrameOf(&shape->triangle);
    double lean = wkDot(direction, frame.w);
    if (!(fabs(lean) > MIN_LEAN) || frame.apexV == 0.0) {
        return wkCastByProjection(shape, 0.0, origin, direction, maxDistance);
    }
    wkVec3d offset = wkSub(origin, frame.origin);
    double enter = -wkDot(offset, frame.w) / lean;
    wkVec3d meeting = wkMulAdd(offset, enter, direction);
    double x = wkDot(meeting, frame.u), y = wkDot(meeting, frame.v);

    // beyond an edge by more than rounding?
    double noise = 1e-15 * (frame.length + wkMaxAbs(offset)) / fabs(lean);
    double toRight = frame.length - frame.apexU;
    bool isBelow = y < -noise;
    bool isRight = frame.apexV * (x - frame.length) + toRight * y > noise * (frame.apexV + toRight);
    bool isLeft = frame.apexU * y - frame.apexV * x > noise * (frame.apexV + frame.apexU);
    if (!(enter >= 0.0) || !(enter <= maxDistance) || isBelow || isRight || isLeft) {
        return wkRayMiss();
    }
    wkRayHit hit = {true, enter, lean > 0.0 ? wkNeg(frame.w) : frame.w};
    return hit;
}

// Fills in the edge at the vertex furthest along `direction` that is most nearly perpendicular to it.
static void fillEdge(const wkShape* shape, wkVec3d direction, double sine, wkFace* face)
{
    const wkVec3d* points = shape->triangle.points;
    wkVec3d best = wkSupportTriangle(shape, direction, NULL);
    wkFacePoint(face, best);
    double leastLean = sine;
    for (int i = 0; i < 3; ++i) {
        wkVec3d edge = wkSub(best, points[i]);
        double length = wkLength(edge);
        double lean = wkDot(edge, direction) / length;
        if (length > 0.0 && lean <= leastLean) {
            leastLean = lean;
            wkFaceEdge(face, points[i], best);
        }
    }
}

void wkTriangleFaceAt(const wkShape* shape, wkVec3d direction, double cosine, wkFace* face)
{
    const wkVec3d* points = shape->triangle.points;
    wkTriangleFrame frame = wkTriangleFrameOf(&shape->triangle);
    double lean = wkDot(direction, frame.w);
    if (frame.apexV == 0.0 && fabs(wkDot(direction, frame.u)) <= wkSineOf(cosine)) {
        // only a segment: all of it
        wkFaceEdge(face, frame.origin, wkMulAdd(frame.origin, frame.length, frame.u));
    } else if (frame.apexV > 0.0 && fabs(lean) >= cosine) {
        face->count = 3;
        face->points[0] = points[0];
        face->points[1] = points[lean < 0.0 ? 2 : 1];
        face->points[2] = points[lean < 0.0 ? 1 : 2];
    } else {
        fillEdge(shape, direction, wkSineOf(cosine), face);
    }
}

wkResult wkTriangleTriangulate(const wkShape* shape, int segments, double extent,
                               wkTriangulation* out)
{
    (void)extent;
    double radius = wkShapeRadius(shape);
    if (radius < 0.0) {
        return wkTriangulationReserve(out, 0, 0);
    }
    wkTriangleFrame frame = wkTriangleFrameOf(&shape->triangle);
    wkVec3d vertices[3] = {
        {0.0, 0.0, 0.0}, {frame.length, 0.0, 0.0}, {frame.apexU, frame.apexV, 0.0}};
    int count = frame.length > 0.0 ? (frame.apexV > 0.0 ? 3 : 2) : 1;
    wkRoundedPrism prism = {.vertices = vertices,
                            .vertexCount = count,
                            .x = frame.u,
                            .y = frame.v,
                            .z = frame.w,
                            .origin = frame.origin,
                            .radius = radius};
    return wkTriangulatePrism(&prism, segments, out);
}
