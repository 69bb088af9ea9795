// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Every bounded shape against half-spaces and planes: one or two supports along the normal, in the world
// frame. Instantiated per type, because a support costs no more than calling it.

#include "geom/support.h"
#include "solve/closed_form/closed_form_list.h"

// An axis whose part across the normal is shorter than this is parallel to it: the remaining part is rounding
// without a direction. Discs reach further by less than their share of rounding.
#define WK_PARALLEL 2e-15

// Returns the core's point furthest against the unit `normal`, with world axes about its frame's origin.
typedef wkVec3d lowestFcn(const wkShape* shape, const wkPose* pose, wkVec3d normal);

WK_FORCE_FN wkVec3d lowestOfSphere(const wkShape* shape, const wkPose* pose, wkVec3d normal)
{
    (void)shape, (void)pose, (void)normal;
    return wkVec(0.0, 0.0, 0.0);
}

WK_FORCE_FN wkVec3d lowestOfCapsule(const wkShape* shape, const wkPose* pose, wkVec3d normal)
{
    wkVec3d axis = wkAxisZFromQuat(pose->rotation);
    return wkScale(copysign(shape->capsule.halfLength, -wkDot(axis, normal)), axis);
}

WK_FORCE_FN wkVec3d lowestOfCylinder(const wkShape* shape, const wkPose* pose, wkVec3d normal)
{
    wkVec3d axis = wkAxisZFromQuat(pose->rotation);
    double along = wkDot(axis, normal);
    wkVec3d across = wkAcross(normal, along, axis);
    double length = wkLength(across);
    double scale = length > WK_PARALLEL ? -shape->cylinder.radius / length : 0.0;
    return wkMulAdd(wkScale(scale, across), copysign(shape->cylinder.halfLength, -along), axis);
}

WK_FORCE_FN wkVec3d lowestOfCone(const wkShape* shape, const wkPose* pose, wkVec3d normal)
{
    double radius = shape->cone.radius, half = shape->cone.halfLength;
    wkVec3d axis = wkAxisZFromQuat(pose->rotation);
    double along = wkDot(axis, normal);
    wkVec3d across = wkAcross(normal, along, axis);
    double length = wkLength(across);

    // apex or rim
    bool isApex = -2.0 * half * along > radius * length;
    double scale = !isApex && length > WK_PARALLEL ? -radius / length : 0.0;
    return wkMulAdd(wkScale(scale, across), isApex ? half : -half, axis);
}

// Uses the support function of the core's own frame.
WK_FORCE_FN wkVec3d lowestRotated(wkVec3d support(const wkShape*, wkVec3d, int32_t*),
                                  const wkShape* shape, const wkPose* pose, wkVec3d normal)
{
    int32_t hint = 0;
    wkMat3d rotation = wkMatFromQuat(pose->rotation);
    return wkMulMV(&rotation, support(shape, wkNeg(wkMulTMV(&rotation, normal)), &hint));
}

WK_FORCE_FN wkVec3d lowestOfBox(const wkShape* shape, const wkPose* pose, wkVec3d normal)
{
    return lowestRotated(wkSupportBox, shape, pose, normal);
}

WK_FORCE_FN wkVec3d lowestOfEllipsoid(const wkShape* shape, const wkPose* pose, wkVec3d normal)
{
    return lowestRotated(wkSupportEllipsoid, shape, pose, normal);
}

WK_FORCE_FN wkVec3d lowestOfTriangle(const wkShape* shape, const wkPose* pose, wkVec3d normal)
{
    return lowestRotated(wkSupportTriangle, shape, pose, normal);
}

WK_FORCE_FN wkVec3d lowestOfHull(const wkShape* shape, const wkPose* pose, wkVec3d normal)
{
    return shape->hull != NULL ? lowestRotated(wkSupportHull, shape, pose, normal) : normal;
}

// Returns an upper bound of the coordinates of a core; NaN when a size is NaN.
WK_FORCE_FN double sizeOfSphere(const wkShape* shape)
{
    (void)shape;
    return 0.0;
}

WK_FORCE_FN double sizeOfCapsule(const wkShape* shape)
{
    return shape->capsule.halfLength;
}

WK_FORCE_FN double sizeOfBox(const wkShape* shape)
{
    return wkSumAbs(shape->box.half);
}

WK_FORCE_FN double sizeOfCylinder(const wkShape* shape)
{
    return shape->cylinder.radius + shape->cylinder.halfLength;
}

WK_FORCE_FN double sizeOfCone(const wkShape* shape)
{
    return shape->cone.radius + shape->cone.halfLength;
}

WK_FORCE_FN double sizeOfEllipsoid(const wkShape* shape)
{
    return wkSumAbs(shape->ellipsoid.radii);
}

WK_FORCE_FN double sizeOfTriangle(const wkShape* shape)
{
    const wkVec3d* points = shape->triangle.points;
    return wkMaxD(wkMaxD(wkSumAbs(points[0]), wkSumAbs(points[1])), wkSumAbs(points[2]));
}

WK_FORCE_FN double sizeOfHull(const wkShape* shape)
{
    wkInnerOuterSpheres sphere = wkConvexTable[wk_shapeHull].sphere(shape);
    return wkSumAbs(sphere.center) + sphere.radius;
}

// The surface of B, along world axes about the origin of A's frame.
typedef struct surface {
    wkVec3d normal;
    wkVec3d between;
    double offset;
    double scale;
} surface;

WK_FORCE_FN surface placeSurface(const wkQuestion* q, double size)
{
    wkHalfspace b = q->b->halfspace;
    wkVec3d between = wkSub(q->poseB->position, q->poseA->position);
    surface s = {wkRotateByQuat(q->poseB->rotation, b.normal), between, b.offset,
                 wkSumAbs(between) + fabs(b.offset) + size};
    return s;
}

WK_FORCE_FN double heightAbove(const surface* s, wkVec3d point)
{
    return wkDot(s->normal, wkSub(point, s->between)) - s->offset;
}

// `point` of A is nearest to the surface, `distance` away along `side` times the normal.
WK_FORCE_FN wkCores coresBeside(const wkQuestion* q, const surface* s, wkVec3d point,
                                double distance, double side)
{
    wkVec3d pointA = wkAdd(q->poseA->position, point);
    wkVec3d normal = wkScale(side, s->normal);
    wkCores c = {.distance = distance,
                 .scale = s->scale,
                 .pointA = pointA,
                 .pointB = wkMulAdd(pointA, distance, normal),
                 .normal = normal};
    return c;
}

WK_FORCE_FN wkCores coresHalfspace(lowestFcn* lowestOf, double size, const wkQuestion* q)
{
    surface s = placeSurface(q, size);
    wkVec3d lowest = lowestOf(q->a, q->poseA, s.normal);
    return coresBeside(q, &s, lowest, heightAbove(&s, lowest), -1.0);
}

WK_FORCE_FN wkCores coresPlane(lowestFcn* lowestOf, double size, const wkQuestion* q)
{
    surface s = placeSurface(q, size);
    wkVec3d lowest = lowestOf(q->a, q->poseA, s.normal);
    wkVec3d highest = lowestOf(q->a, q->poseA, wkNeg(s.normal));
    double low = heightAbove(&s, lowest), high = heightAbove(&s, highest);

    // A on both sides: an unsigned answer needs only a point of A in the plane
    bool isThrough = low <= 0.0 && high >= 0.0;
    if (isThrough && !q->isSigned && q->radiusA + q->radiusB >= 0.0) {
        wkVec3d point = wkLerp(lowest, highest, high > low ? -low / (high - low) : 0.0);
        return coresBeside(q, &s, point, 0.0, 1.0);
    }

    // the way out is to the side with less of A
    bool isAbove = low >= -high;
    return isAbove ? coresBeside(q, &s, lowest, low, -1.0)
                   : coresBeside(q, &s, highest, -high, 1.0);
}

#define WK_DEFINE_BESIDE(TYPE)                                                                     \
    WK_FORCE_FN wkCores cores##TYPE##Halfspace(const wkQuestion* q)                                \
    {                                                                                              \
        return coresHalfspace(lowestOf##TYPE, sizeOf##TYPE(q->a), q);                              \
    }                                                                                              \
    WK_FORCE_FN wkCores cores##TYPE##Plane(const wkQuestion* q)                                    \
    {                                                                                              \
        return coresPlane(lowestOf##TYPE, sizeOf##TYPE(q->a), q);                                  \
    }                                                                                              \
    WK_DEFINE_CLOSED_FORM(TYPE, Halfspace)                                                         \
    WK_DEFINE_CLOSED_FORM(TYPE, Plane)

// coresSphereHalfspace, wkClosestSphereHalfspace, wkTouchSphereHalfspace, wkGapSphereHalfspace;
// coresSpherePlane, wkClosestSpherePlane, wkTouchSpherePlane, wkGapSpherePlane
WK_DEFINE_BESIDE(Sphere)
// coresCapsuleHalfspace, wkClosestCapsuleHalfspace, wkTouchCapsuleHalfspace, wkGapCapsuleHalfspace;
// coresCapsulePlane, wkClosestCapsulePlane, wkTouchCapsulePlane, wkGapCapsulePlane
WK_DEFINE_BESIDE(Capsule)
// coresBoxHalfspace, wkClosestBoxHalfspace, wkTouchBoxHalfspace, wkGapBoxHalfspace;
// coresBoxPlane, wkClosestBoxPlane, wkTouchBoxPlane, wkGapBoxPlane
WK_DEFINE_BESIDE(Box)
// coresCylinderHalfspace, wkClosestCylinderHalfspace, wkTouchCylinderHalfspace, wkGapCylinderHalfspace;
// coresCylinderPlane, wkClosestCylinderPlane, wkTouchCylinderPlane, wkGapCylinderPlane
WK_DEFINE_BESIDE(Cylinder)
// coresConeHalfspace, wkClosestConeHalfspace, wkTouchConeHalfspace, wkGapConeHalfspace;
// coresConePlane, wkClosestConePlane, wkTouchConePlane, wkGapConePlane
WK_DEFINE_BESIDE(Cone)
// coresEllipsoidHalfspace, wkClosestEllipsoidHalfspace, wkTouchEllipsoidHalfspace, wkGapEllipsoidHalfspace;
// coresEllipsoidPlane, wkClosestEllipsoidPlane, wkTouchEllipsoidPlane, wkGapEllipsoidPlane
WK_DEFINE_BESIDE(Ellipsoid)
// coresTriangleHalfspace, wkClosestTriangleHalfspace, wkTouchTriangleHalfspace, wkGapTriangleHalfspace;
// coresTrianglePlane, wkClosestTrianglePlane, wkTouchTrianglePlane, wkGapTrianglePlane
WK_DEFINE_BESIDE(Triangle)
// coresHullHalfspace, wkClosestHullHalfspace, wkTouchHullHalfspace, wkGapHullHalfspace;
// coresHullPlane, wkClosestHullPlane, wkTouchHullPlane, wkGapHullPlane
WK_DEFINE_BESIDE(Hull)
