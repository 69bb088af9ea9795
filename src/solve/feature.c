// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Features and support derivatives of each core.

#include "solve/feature.h"

#include "solve/core_support.h"

#include "whisker/detail/counts.h"

// Points of a polytope closer than this share of the core's size are the same vertex.
#define WK_SAME_VERTEX 1e-9

// A cap is touched inside its rim when the contact is at most this share of the radius from the axis.
#define WK_CAP_INSIDE 0.999

static const wkFeature freeFeature = {.kind = wk_featureFree};

static wkFeature fixedFeature(wkVec3d normal)
{
    wkFeature feature = freeFeature;
    feature.kind = wk_featureFixed;
    feature.axis = normal;
    return feature;
}

static wkFeature capFeature(double side)
{
    wkFeature feature = fixedFeature(wkVec(0.0, 0.0, side));
    feature.mayBeRim = true;
    return feature;
}

static wkFeature circleFeature(double latitude)
{
    wkFeature feature = freeFeature;
    feature.kind = wk_featureCircle;
    feature.axis = wkVec(0.0, 0.0, 1.0);
    feature.latitude = latitude;
    return feature;
}

static wkFeature classifyPolytope(const wkShape* shape, const wkVec3d* points,
                                  const double* weights, int count, wkVec3d n)
{
    (void)shape, (void)weights;
    wkVec3d distinct[3];
    int found = 0;
    for (int i = 0; i < count && found < 3; ++i) {
        bool isNew = true;
        for (int k = 0; k < found; ++k) {
            wkVec3d apart = wkSub(points[i], distinct[k]);
            isNew = isNew && wkMaxAbs(apart) > WK_SAME_VERTEX * wkMaxAbs(points[i]);
        }
        if (isNew) {
            distinct[found++] = points[i];
        }
    }
    if (found == 1) {
        return freeFeature;
    }
    wkVec3d along = wkSub(distinct[1], distinct[0]);
    if (found == 2) {
        wkFeature feature = circleFeature(0.0);
        feature.axis = wkNormalizeOr(along, n);
        feature.vertices[0] = distinct[0], feature.vertices[1] = distinct[1];
        return feature;
    }
    wkVec3d normal = wkNormalizeOr(wkCross(along, wkSub(distinct[2], distinct[0])), n);
    wkFeature face = fixedFeature(wkDot(normal, n) < 0.0 ? wkNeg(normal) : normal);
    for (int i = 0; i < 3; ++i) {
        face.vertices[i] = distinct[i];
    }
    return face;
}

// Returns true when points of one cap meet inside it rather than at its rim.
static bool isInsideCap(const wkVec3d* points, const double* weights, int count, double radius)
{
    double x = 0.0, y = 0.0;
    for (int i = 0; i < count; ++i) {
        x += weights[i] * points[i].x;
        y += weights[i] * points[i].y;
    }
    double inside = WK_CAP_INSIDE * radius;
    return x * x + y * y < inside * inside;
}

// Returns true when the points lie on both ends of the axis.
static bool areAtBothEnds(const wkVec3d* points, int count)
{
    bool isTop = false, isBottom = false;
    for (int i = 0; i < count; ++i) {
        isTop = isTop || points[i].z > 0.0;
        isBottom = isBottom || points[i].z <= 0.0;
    }
    return isTop && isBottom;
}

static wkFeature classifyCylinder(const wkShape* shape, const wkVec3d* points,
                                  const double* weights, int count, wkVec3d n)
{
    if (areAtBothEnds(points, count)) {
        return circleFeature(0.0);
    }
    bool isCap = isInsideCap(points, weights, count, shape->cylinder.radius);
    return isCap ? capFeature(copysign(1.0, n.z)) : freeFeature;
}

// Returns n . axis of the normals of a cone's side.
static double sideLatitude(const wkShape* shape)
{
    double radius = shape->cone.radius, height = 2.0 * shape->cone.halfLength;
    return radius / sqrt(radius * radius + height * height);
}

static wkFeature classifyCone(const wkShape* shape, const wkVec3d* points, const double* weights,
                              int count, wkVec3d n)
{
    (void)n;
    if (areAtBothEnds(points, count)) {
        return circleFeature(sideLatitude(shape));
    }
    bool isBase = points[0].z <= 0.0 && isInsideCap(points, weights, count, shape->cone.radius);
    return isBase ? capFeature(-1.0) : freeFeature;
}

static wkFeature classifyEllipsoid(const wkShape* shape, const wkVec3d* points,
                                   const double* weights, int count, wkVec3d n)
{
    (void)shape, (void)points, (void)weights, (void)count, (void)n;
    return freeFeature;
}

// A rim moves along its circle only, by radius / |n across the axis| per unit of direction.
static wkJet jetRim(wkVec3d point, double radius, wkVec3d n, wkVec3d u, wkVec3d v)
{
    wkJet jet = {point, 0.0, 0.0, 0.0};
    double acrossSquared = n.x * n.x + n.y * n.y;
    if (acrossSquared > 0.0) {
        double scale = radius / (acrossSquared * sqrt(acrossSquared));
        double tu = n.x * u.y - n.y * u.x, tv = n.x * v.y - n.y * v.x;
        jet.uu = scale * tu * tu, jet.uv = scale * tu * tv, jet.vv = scale * tv * tv;
    }
    return jet;
}

static wkJet jetCylinder(const wkShape* shape, wkVec3d n, wkVec3d u, wkVec3d v)
{
    int32_t hint = 0;
    return jetRim(wkSupportCylinder(shape, n, &hint), shape->cylinder.radius, n, u, v);
}

static wkJet jetCone(const wkShape* shape, wkVec3d n, wkVec3d u, wkVec3d v)
{
    int32_t hint = 0;
    wkVec3d point = wkSupportCone(shape, n, &hint);
    return jetRim(point, point.z > 0.0 ? 0.0 : shape->cone.radius, n, u, v);
}

static wkJet jetEllipsoid(const wkShape* shape, wkVec3d n, wkVec3d u, wkVec3d v)
{
    wkVec3d squares = wkMulVec(shape->ellipsoid.radii, shape->ellipsoid.radii);
    wkVec3d sn = wkMulVec(squares, n), su = wkMulVec(squares, u), sv = wkMulVec(squares, v);
    double length = sqrt(wkDot(n, sn));
    double scale = length > 0.0 ? 1.0 / length : 0.0;
    double nu = scale * wkDot(sn, u), nv = scale * wkDot(sn, v);
    wkJet jet = {wkScale(scale, sn), scale * (wkDot(u, su) - nu * nu),
                 scale * (wkDot(u, sv) - nu * nv), scale * (wkDot(v, sv) - nv * nv)};
    return jet;
}

static void linePolytope(const wkShape* shape, const wkFeature* feature, wkVec3d n, wkVec3d ends[2])
{
    (void)shape, (void)n;
    ends[0] = feature->vertices[0], ends[1] = feature->vertices[1];
}

static void lineCylinder(const wkShape* shape, const wkFeature* feature, wkVec3d n, wkVec3d ends[2])
{
    (void)feature;
    int32_t hint = 0;
    ends[0] = ends[1] = wkSupportCylinder(shape, n, &hint);
    ends[1].z = -ends[0].z;
}

static void lineCone(const wkShape* shape, const wkFeature* feature, wkVec3d n, wkVec3d ends[2])
{
    (void)feature;
    int32_t hint = 0;
    ends[0] = wkVec(0.0, 0.0, shape->cone.halfLength);
    ends[1] = wkSupportCone(shape, wkVec(n.x, n.y, -1.0), &hint);
}

static bool containsPolytope(const wkShape* shape, const wkFeature* feature, wkVec3d point,
                             double gap)
{
    (void)shape;
    wkVec3d c[3] = {wkSub(feature->vertices[0], point), wkSub(feature->vertices[1], point),
                    wkSub(feature->vertices[2], point)};
    double sign0 = wkDot(feature->axis, wkCross(c[0], c[1]));
    double sign1 = wkDot(feature->axis, wkCross(c[1], c[2]));
    double sign2 = wkDot(feature->axis, wkCross(c[2], c[0]));
    if (!(fabs(wkDot(feature->axis, c[0])) <= gap)) {
        return false;
    }
    return (sign0 >= 0.0 && sign1 >= 0.0 && sign2 >= 0.0) ||
           (sign0 <= 0.0 && sign1 <= 0.0 && sign2 <= 0.0);
}

// Caps of cylinders and cones store their sizes at the same offset.
static bool containsCap(const wkShape* shape, const wkFeature* feature, wkVec3d point, double gap)
{
    (void)feature;
    double radius = shape->cylinder.radius;
    return fabs(fabs(point.z) - shape->cylinder.halfLength) <= gap &&
           point.x * point.x + point.y * point.y <= radius * radius;
}

// clang-format off
const wkFeatureRow wkFeatureTable[WK_CONVEX_TYPE_COUNT] = {
    [wk_shapeSphere]    = {classifyPolytope,  NULL,         linePolytope, containsPolytope},
    [wk_shapeCapsule]   = {classifyPolytope,  NULL,         linePolytope, containsPolytope},
    [wk_shapeBox]       = {classifyPolytope,  NULL,         linePolytope, containsPolytope},
    [wk_shapeCylinder]  = {classifyCylinder,  jetCylinder,  lineCylinder, containsCap},
    [wk_shapeCone]      = {classifyCone,      jetCone,      lineCone,     containsCap},
    [wk_shapeEllipsoid] = {classifyEllipsoid, jetEllipsoid, linePolytope, containsPolytope},
    [wk_shapeTriangle]  = {classifyPolytope,  NULL,         linePolytope, containsPolytope},
    [wk_shapeHull]      = {classifyPolytope,  NULL,         linePolytope, containsPolytope},
};
// clang-format on
