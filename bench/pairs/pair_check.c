// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Certificates of pair answers. See pair_check.h.

#include "pairs/pair_check.h"

#include "../tests/scenes/scene_math.h"

// Shapes here are about a metre in size.
#define DISTANCE_TOLERANCE 1e-8 // of a distance and of its points
#define DEPTH_TOLERANCE 1e-6    // of a depth, of its points, and to a shorter way out

// Directions of the search for a shorter way out, then steps that refine the best one.
#define SEARCH_DIRECTIONS 96
#define SEARCH_STEPS 24

static double clamp(double value, double low, double high)
{
    return fmin(fmax(value, low), high);
}

// Closest point to `p` on a segment.
static wkVec3d closestOnSegment(wkVec3d p, wkVec3d a, wkVec3d b)
{
    wkVec3d edge = wkSceneSub(b, a);
    double square = wkSceneDot(edge, edge);
    double t = square > 0.0 ? wkSceneDot(wkSceneSub(p, a), edge) / square : 0.0;
    return wkSceneAdd(a, wkSceneScale(edge, clamp(t, 0.0, 1.0)));
}

// Distance from a point to a triangle: to its plane above the inside, else to the nearest edge.
static double triangleExcess(const wkVec3d* faceVertices, wkVec3d p)
{
    wkVec3d normal = wkSceneCross(wkSceneSub(faceVertices[1], faceVertices[0]),
                                  wkSceneSub(faceVertices[2], faceVertices[0]));
    double nearest = INFINITY;
    bool isInside = true;
    for (int k = 0; k < 3; k++) {
        wkVec3d from = faceVertices[k];
        wkVec3d to = faceVertices[(k + 1) % 3];
        wkVec3d outward = wkSceneCross(wkSceneSub(to, from), normal);
        isInside = isInside && wkSceneDot(wkSceneSub(p, from), outward) <= 0.0;
        wkVec3d closest = closestOnSegment(p, from, to);
        nearest = fmin(nearest, wkSceneLength(wkSceneSub(p, closest)));
    }
    if (!isInside) {
        return nearest;
    }
    return fabs(wkSceneDot(wkSceneSub(p, faceVertices[0]), normal)) / wkSceneLength(normal);
}

// The profile of a cone is a triangle in the half-plane of radius and height.
static double coneExcess(wkCone cone, wkVec3d p)
{
    wkVec3d flat = {hypot(p.x, p.y), 0.0, p.z};
    wkVec3d faceVertices[3] = {{0.0, 0.0, cone.halfLength},
                               {cone.radius, 0.0, -cone.halfLength},
                               {-cone.radius, 0.0, -cone.halfLength}};
    return triangleExcess(faceVertices, flat);
}

static double hullExcess(const wkHull* hull, wkVec3d p)
{
    double excess = 0.0;
    int32_t faceCount = wkHull_Info(hull).faceCount;
    for (int32_t i = 0; i < faceCount; i++) {
        wkHullFace face = wkHull_Face(hull, i);
        wkVec3d vertex = wkHull_Vertex(hull, face.indices[0]);
        excess = fmax(excess, wkSceneDot(face.normal, wkSceneSub(p, vertex)));
    }
    return excess;
}

// How far a point lies outside a shape, 0 inside; never less than the truth but for hulls, where it
// is the furthest plane.
static double excessOf(const wkShape* shape, wkVec3d p)
{
    switch (shape->type) {
    case wk_shapeSphere:
        return fmax(0.0, wkSceneLength(p) - shape->sphere.radius);
    case wk_shapeCapsule: {
        double h = shape->capsule.halfLength;
        wkVec3d onAxis = wkSceneVec(0.0, 0.0, clamp(p.z, -h, h));
        return fmax(0.0, wkSceneLength(wkSceneSub(p, onAxis)) - shape->capsule.radius);
    }
    case wk_shapeBox: {
        wkVec3d half = shape->box.half;
        wkVec3d inside = wkSceneVec(clamp(p.x, -half.x, half.x), clamp(p.y, -half.y, half.y),
                                    clamp(p.z, -half.z, half.z));
        return wkSceneLength(wkSceneSub(p, inside));
    }
    case wk_shapeCylinder: {
        double out = fmax(0.0, hypot(p.x, p.y) - shape->cylinder.radius);
        return hypot(out, fmax(0.0, fabs(p.z) - shape->cylinder.halfLength));
    }
    case wk_shapeCone:
        return coneExcess(shape->cone, p);
    case wk_shapeEllipsoid: {
        wkVec3d r = shape->ellipsoid.radii;
        double level = wkSceneLength(wkSceneVec(p.x / r.x, p.y / r.y, p.z / r.z));
        return level > 1.0 ? wkSceneLength(p) * (1.0 - 1.0 / level) : 0.0;
    }
    case wk_shapeTriangle:
        return triangleExcess(shape->triangle.points, p);
    case wk_shapeHull:
        return hullExcess(shape->hull, p);
    case wk_shapeHalfspace:
        return fmax(0.0, wkSceneDot(shape->halfspace.normal, p) - shape->halfspace.offset);
    case wk_shapePlane:
        return fabs(wkSceneDot(shape->plane.normal, p) - shape->plane.offset);
    default:
        return INFINITY;
    }
}

static double furthestOf(const wkVec3d* points, int count, wkVec3d d)
{
    double best = -INFINITY;
    for (int i = 0; i < count; i++) {
        best = fmax(best, wkSceneDot(points[i], d));
    }
    return best;
}

static double hullExtent(const wkHull* hull, wkVec3d d)
{
    double best = -INFINITY;
    int32_t vertexCount = wkHull_Info(hull).vertexCount;
    for (int32_t i = 0; i < vertexCount; i++) {
        best = fmax(best, wkSceneDot(wkHull_Vertex(hull, i), d));
    }
    return best;
}

// A half-space ends along its own normal only, a plane also against it.
static double endlessExtent(wkVec3d normal, double offset, wkVec3d d, bool isTwoSided)
{
    double along = wkSceneDot(normal, d);
    double across = wkSceneLength(wkSceneCross(normal, d));
    if (across > 1e-9 || (along < 0.0 && !isTwoSided)) {
        return INFINITY;
    }
    return along * offset;
}

// Largest `d . x` over the shape; `d` is a unit vector.
static double extentOf(const wkShape* shape, wkVec3d d)
{
    double flat = hypot(d.x, d.y);
    switch (shape->type) {
    case wk_shapeSphere:
        return shape->sphere.radius;
    case wk_shapeCapsule:
        return shape->capsule.radius + shape->capsule.halfLength * fabs(d.z);
    case wk_shapeBox: {
        wkVec3d half = shape->box.half;
        return half.x * fabs(d.x) + half.y * fabs(d.y) + half.z * fabs(d.z);
    }
    case wk_shapeCylinder:
        return shape->cylinder.radius * flat + shape->cylinder.halfLength * fabs(d.z);
    case wk_shapeCone: {
        double rim = shape->cone.radius * flat - shape->cone.halfLength * d.z;
        return fmax(shape->cone.halfLength * d.z, rim);
    }
    case wk_shapeEllipsoid: {
        wkVec3d r = shape->ellipsoid.radii;
        return wkSceneLength(wkSceneVec(r.x * d.x, r.y * d.y, r.z * d.z));
    }
    case wk_shapeTriangle:
        return furthestOf(shape->triangle.points, 3, d);
    case wk_shapeHull:
        return hullExtent(shape->hull, d);
    case wk_shapeHalfspace:
        return endlessExtent(shape->halfspace.normal, shape->halfspace.offset, d, false);
    case wk_shapePlane:
        return endlessExtent(shape->plane.normal, shape->plane.offset, d, true);
    default:
        return INFINITY;
    }
}

// A pair in question.
typedef struct placedPair {
    const wkShape* a;
    const wkShape* b;
    wkSceneFrame frameA;
    wkSceneFrame frameB;
} placedPair;

// Gap between the slabs of the two shapes along a unit direction from A
// to B: no distance is smaller.
static double gapAlong(const placedPair* pair, wkVec3d n)
{
    wkVec3d back = wkSceneScale(n, -1.0);
    double reachA = extentOf(pair->a, wkSceneToLocalVector(&pair->frameA, n));
    double reachB = extentOf(pair->b, wkSceneToLocalVector(&pair->frameB, back));
    return wkSceneDot(n, wkSceneSub(pair->frameB.position, pair->frameA.position)) - reachA -
           reachB;
}

static bool isPointOf(const wkShape* shape, const wkSceneFrame* frame, wkVec3d point,
                      double tolerance)
{
    return excessOf(shape, wkSceneToLocalPoint(frame, point)) <= tolerance;
}

// Smallest depth over a set of directions and around the best of them: nothing proves that there is
// no smaller one, but a smaller one refutes the reported depth.
static double searchDepth(const placedPair* pair, wkVec3d start)
{
    wkVec3d best = start;
    double depth = -gapAlong(pair, start);
    for (int i = 0; i < SEARCH_DIRECTIONS; i++) {
        double z = 1.0 - 2.0 * (i + 0.5) / SEARCH_DIRECTIONS;
        double turn = 2.39996322972865332 * i; // the golden angle spreads points evenly
        double flat = sqrt(1.0 - z * z);
        wkVec3d n = wkSceneVec(flat * cos(turn), flat * sin(turn), z);
        double candidate = -gapAlong(pair, n);
        if (candidate < depth) {
            depth = candidate;
            best = n;
        }
    }

    double step = 0.25;
    for (int i = 0; i < SEARCH_STEPS; i++) {
        wkVec3d side = fabs(best.x) < 0.7 ? wkSceneVec(1.0, 0.0, 0.0) : wkSceneVec(0.0, 1.0, 0.0);
        wkVec3d u = wkSceneCross(best, side);
        u = wkSceneScale(u, 1.0 / wkSceneLength(u));
        wkVec3d v = wkSceneCross(best, u);
        bool isBetter = false;
        for (int k = 0; k < 4; k++) {
            double sign = k % 2 == 0 ? step : -step;
            wkVec3d n = wkSceneAdd(best, wkSceneScale(k < 2 ? u : v, sign));
            n = wkSceneScale(n, 1.0 / wkSceneLength(n));
            double candidate = -gapAlong(pair, n);
            if (candidate < depth) {
                depth = candidate;
                best = n;
                isBetter = true;
            }
        }
        step = isBetter ? step : 0.5 * step;
    }
    return depth;
}

static bool isEndless(const wkShape* shape)
{
    return shape->type == wk_shapeHalfspace || shape->type == wk_shapePlane;
}

// The smallest depth along the axis of a half-space or plane, where no other direction ends.
static double endlessDepth(const placedPair* pair)
{
    bool isB = isEndless(pair->b);
    wkVec3d axis = isB ? pair->frameB.axes[2] : pair->frameA.axes[2];
    return fmin(-gapAlong(pair, axis), -gapAlong(pair, wkSceneScale(axis, -1.0)));
}

wkPairTruth wkProvePair(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB)
{
    placedPair pair = {a, b, wkMakeSceneFrame(poseA), wkMakeSceneFrame(poseB)};
    wkDistanceRequest request = wkDefaultDistanceRequest();
    wkDistanceResult result = wkDistance(a, poseA, b, poseB, &request);
    request.isSigned = false;
    wkDistanceResult common = wkDistance(a, poseA, b, poseB, &request);
    wkPairTruth truth = {result.distance, false, false, false};

    // the plane across the normal gives the same distance from the other side
    double tolerance = result.distance > 0.0 ? DISTANCE_TOLERANCE : DEPTH_TOLERANCE;
    double gap = gapAlong(&pair, result.normal);
    bool isGapRight = fabs(gap - result.distance) <= tolerance;
    bool arePointsRight = isPointOf(a, &pair.frameA, result.pointA, tolerance) &&
                          isPointOf(b, &pair.frameB, result.pointB, tolerance);
    if (result.distance > 0.0) {
        double length = wkSceneLength(wkSceneSub(result.pointB, result.pointA));
        bool isLengthRight = fabs(length - result.distance) <= DISTANCE_TOLERANCE;
        truth.isVerdictProved = isGapRight && gap > -1e-12;
        truth.isDistanceProved = truth.isVerdictProved && arePointsRight && isLengthRight;
        return truth;
    }

    truth.isVerdictProved = isPointOf(a, &pair.frameA, common.pointA, DISTANCE_TOLERANCE) &&
                            isPointOf(b, &pair.frameB, common.pointA, DISTANCE_TOLERANCE);
    truth.isDistanceProved = truth.isVerdictProved;
    double least =
        isEndless(a) || isEndless(b) ? endlessDepth(&pair) : searchDepth(&pair, result.normal);
    bool isShortest = least >= -result.distance - DEPTH_TOLERANCE;
    truth.isDepthProved = truth.isVerdictProved && isGapRight && arePointsRight && isShortest;
    return truth;
}

bool wkIsOursWrong(wkPairQuery query, wkAnswer answer, const wkPairTruth* truth)
{
    bool isTouching = truth->distance <= 0.0;
    if (!truth->isVerdictProved) {
        return true;
    }
    switch (query) {
    case wk_queryCollide:
        return answer != (isTouching ? 1.0 : 0.0);
    case wk_queryContacts:
        if (!isTouching) {
            return answer != -1.0;
        }
        return !truth->isDepthProved || !(fabs(answer + truth->distance) <= DISTANCE_TOLERANCE);
    case wk_queryDistance:
        if (isTouching) {
            return answer != 0.0;
        }
        return !truth->isDistanceProved || !(fabs(answer - truth->distance) <= DISTANCE_TOLERANCE);
    default:
        return !(isTouching ? truth->isDepthProved : truth->isDistanceProved) ||
               !(fabs(answer - truth->distance) <= DISTANCE_TOLERANCE);
    }
}

bool wkIsPeerWrong(wkPairQuery query, wkAnswer answer, const wkPairTruth* truth)
{
    if (isnan(answer)) {
        return true;
    }
    if (!truth->isVerdictProved || fabs(truth->distance) <= WK_PEER_VERDICT_TOLERANCE) {
        return false;
    }
    bool isTouching = truth->distance <= 0.0;
    switch (query) {
    case wk_queryCollide:
        return answer != (isTouching ? 1.0 : 0.0);
    case wk_queryContacts:
        if (!isTouching || answer == -1.0) {
            return isTouching != (answer != -1.0);
        }
        return truth->isDepthProved &&
               !(fabs(answer + truth->distance) < WK_PEER_DISTANCE_TOLERANCE);
    default:
        if (isTouching) {
            return answer > WK_PEER_VERDICT_TOLERANCE;
        }
        return truth->isDistanceProved &&
               !(fabs(answer - truth->distance) < WK_PEER_DISTANCE_TOLERANCE);
    }
}
