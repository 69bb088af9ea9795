// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A sphere's core is a point: its distance to another shape is the projection of that point, in the frame of
// that shape.

#include "geom/project_triangle.h"
#include "solve/closed_form/closed_form_list.h"
#include "solve/order.h"

// Symmetric to the last bit, except for concentric spheres.
WK_FORCE_FN wkCores coresSphereSphere(const wkQuestion* q)
{
    wkVec3d between = wkSub(q->poseB->position, q->poseA->position);
    double square = wkDot(between, between);
    double distance = sqrt(square);
    wkCores c = {.distance = distance,
                 .scale = distance,
                 .pointA = q->poseA->position,
                 .pointB = q->poseB->position,
                 .normal = wkScale(distance * (1.0 / square), between),
                 .isNeverInside = true};
    if (q->wantsPoints && WK_UNLIKELY(!(square > WK_TINY_SQUARED))) {
        bool isAfter = q->isThorough && wkIsAfter(q->a, q->poseA, q->b, q->poseB);
        c.normal = wkVec(0.0, 0.0, isAfter ? -1.0 : 1.0);
        c.isRare = !q->isThorough;
    }
    return c;
}

// Gaps shorter than this share of the largest length are tilted by more than rounding.
#define WK_SHORT_GAP 1e-3

// Returns the normal of a short gap between a point and a segment, the point `along` from its middle.
static wkVec3d alignGap(wkVec3d gap, wkVec3d axis, double along, double half, double noise)
{
    if (fabs(along) >= half) {
        return wkNormalizeOr(gap, wkScale(copysign(1.0, -along), axis));
    }

    // rounding along the axis tilts the gap; when nothing else is left any direction across is valid
    wkVec3d across = wkMulSub(gap, wkDot(gap, axis), axis);
    wkVec3d out = wkPerpendicular(axis);
    return wkLength(gap) > noise ? wkNormalizeOr(across, out) : out;
}

// In the world frame: only the segment's direction is needed of B's frame.
WK_FORCE_FN wkCores coresSphereCapsule(const wkQuestion* q)
{
    double half = q->b->capsule.halfLength;
    wkPackedVec axis = wkPack(wkAxisZFromQuat(q->poseB->rotation));
    wkPackedVec center = wkPack(q->poseA->position), middle = wkPack(q->poseB->position);
    wkPackedVec between = wkSubPackedVec(middle, center);
    double along = wkClamp(-wkDotPackedVec(axis, between), -half, half);
    wkPackedVec aside = wkScalePackedVec(along, axis), gap = wkAddPackedVec(between, aside);
    double square = wkDotPackedVec(gap, gap);
    double distance = sqrt(square);
    wkCores c = {.distance = distance, .scale = distance + 2.0 * half, .isNeverInside = true};
    c.pointA = q->poseA->position;
    c.pointB = wkUnpack(wkAddPackedVec(middle, aside));
    c.normal = wkUnpack(wkScalePackedVec(distance * (1.0 / square), gap));
    if (q->wantsPoints && WK_UNLIKELY(!(distance > WK_SHORT_GAP * c.scale))) {
        c.isRare = !q->isThorough;
        if (q->isThorough) {
            c.normal = alignGap(wkUnpack(gap), wkUnpack(axis), along, half, WK_ROUNDING * c.scale);
        }
    }
    return c;
}

// `size` is the largest coordinate of B's core.
WK_FORCE_FN wkCores coresByProjection(wkProjection project(const wkShape*, wkVec3d), double size,
                                      const wkQuestion* q)
{
    wkMat3d rotation = wkMatFromQuat(q->poseB->rotation);
    wkVec3d fromB = wkSub(q->poseA->position, q->poseB->position);
    wkProjection p = project(q->b, wkMulTMV(&rotation, fromB));
    wkVec3d normal = wkNeg(wkMulMV(&rotation, p.normal));
    wkVec3d center = q->poseA->position;
    wkCores c = {.distance = p.distance,
                 .scale = fabs(p.distance) + 2.0 * size,
                 .pointA = center,
                 .pointB = wkMulAdd(center, p.distance, normal),
                 .normal = normal};
    return c;
}

WK_FORCE_FN wkCores coresSphereBox(const wkQuestion* q)
{
    wkVec3d half = q->b->box.half;
    return coresByProjection(wkProjectBox, half.x + half.y + half.z, q);
}

WK_FORCE_FN wkCores coresSphereCylinder(const wkQuestion* q)
{
    return coresByProjection(wkProjectCylinder, q->b->cylinder.radius + q->b->cylinder.halfLength,
                             q);
}

WK_FORCE_FN wkCores coresSphereCone(const wkQuestion* q)
{
    return coresByProjection(wkProjectCone, q->b->cone.radius + q->b->cone.halfLength, q);
}

// Spheres decide where they can: the projections below take several times as long.
WK_FORCE_FN bool areSpheresEnough(const wkQuestion* q, double outer, double inner, wkCores* c)
{
    wkVec3d between = wkSub(q->poseB->position, q->poseA->position);
    return wkAreCoresDecidedBySpheres(q, wkLength(between), outer, inner, c);
}

WK_FORCE_FN wkCores coresSphereEllipsoid(const wkQuestion* q)
{
    wkVec3d radii = q->b->ellipsoid.radii;
    double inner = wkMinD(radii.x, wkMinD(radii.y, radii.z));
    wkCores c = {0};
    if (areSpheresEnough(q, wkMaxAbs(radii), inner, &c)) {
        return c;
    }
    return coresByProjection(wkProjectEllipsoid, radii.x + radii.y + radii.z, q);
}

WK_FORCE_FN wkCores coresSphereTriangle(const wkQuestion* q)
{
    const wkVec3d* vertices = q->b->triangle.points;
    double outer =
        sqrt(wkMaxD(wkDot(vertices[0], vertices[0]),
                    wkMaxD(wkDot(vertices[1], vertices[1]), wkDot(vertices[2], vertices[2]))));
    wkCores c = {0};
    if (!q->wantsPoints && areSpheresEnough(q, outer, -outer, &c)) {
        return c;
    }
    return coresByProjection(wkProjectTriangle, outer, q);
}

// wkClosestSphereSphere, wkTouchSphereSphere, wkGapSphereSphere
WK_DEFINE_CLOSED_FORM(Sphere, Sphere)
// wkClosestSphereCapsule, wkTouchSphereCapsule, wkGapSphereCapsule
WK_DEFINE_CLOSED_FORM(Sphere, Capsule)
// wkClosestSphereBox, wkTouchSphereBox, wkGapSphereBox
WK_DEFINE_CLOSED_FORM(Sphere, Box)
// wkClosestSphereCylinder, wkTouchSphereCylinder, wkGapSphereCylinder
WK_DEFINE_CLOSED_FORM(Sphere, Cylinder)
// wkClosestSphereCone, wkTouchSphereCone, wkGapSphereCone
WK_DEFINE_CLOSED_FORM(Sphere, Cone)
// wkClosestSphereEllipsoid, wkTouchSphereEllipsoid, wkGapSphereEllipsoid
WK_DEFINE_CLOSED_FORM(Sphere, Ellipsoid)
// wkClosestSphereTriangle, wkTouchSphereTriangle, wkGapSphereTriangle
WK_DEFINE_CLOSED_FORM(Sphere, Triangle)
