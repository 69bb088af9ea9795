// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A sphere's core is a point: its distance to anything is the projection of that point, in
// the frame of the other shape.

#include "geom/project.h"
#include "solve/pairs.h"

void wkAnswerSphereSphere(const wkQuestion* q, wkDistanceResult* out)
{
    wkVec3d between = wkSub(q->poseB->position, q->poseA->position);
    wkProjection p = wkProjectPoint(q->b, between);
    wkFillAnswer(q, p.distance, q->poseA->position, q->poseB->position, p.normal, p.distance, out);
}

WK_FORCE_FN void answerPoint(wkProjection project(const wkShape*, wkVec3d), double size,
                             const wkQuestion* q, wkDistanceResult* out)
{
    wkMat3d rotation = wkMatFromQuat(q->poseB->rotation);
    wkVec3d fromB = wkSub(q->poseA->position, q->poseB->position);
    wkProjection p = project(q->b, wkMulTMV(&rotation, fromB));
    wkVec3d onB = wkAdd(wkMulMV(&rotation, p.point), q->poseB->position);
    wkVec3d normal = wkNeg(wkMulMV(&rotation, p.normal));
    wkFillAnswer(q, p.distance, q->poseA->position, onB, normal, wkMaxAbs(fromB) + size, out);
}

void wkAnswerSphereCapsule(const wkQuestion* q, wkDistanceResult* out)
{
    answerPoint(wkProjectSegment, q->b->capsule.halfLength, q, out);
}

void wkAnswerSphereBox(const wkQuestion* q, wkDistanceResult* out)
{
    answerPoint(wkProjectBox, wkMaxAbs(q->b->box.half), q, out);
}

void wkAnswerSphereCylinder(const wkQuestion* q, wkDistanceResult* out)
{
    answerPoint(wkProjectCylinder, q->b->cylinder.radius + q->b->cylinder.halfLength, q, out);
}

void wkAnswerSphereCone(const wkQuestion* q, wkDistanceResult* out)
{
    answerPoint(wkProjectCone, q->b->cone.radius + q->b->cone.halfLength, q, out);
}

void wkAnswerSphereEllipsoid(const wkQuestion* q, wkDistanceResult* out)
{
    answerPoint(wkProjectEllipsoid, wkMaxAbs(q->b->ellipsoid.radii), q, out);
}

void wkAnswerSphereTriangle(const wkQuestion* q, wkDistanceResult* out)
{
    const wkVec3d* corners = q->b->triangle.points;
    double size = wkMaxD(wkMaxAbs(corners[0]), wkMaxD(wkMaxAbs(corners[1]), wkMaxAbs(corners[2])));
    answerPoint(wkProjectTriangle, size, q, out);
}
