// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A shape moving from one pose to the next. The motion is cut into equal steps, each evaluated at its
// midpoint: no point of the shape moves further from there than the shape is inflated by.

#include "query/map/cost_impl.h"

#include "base/error.h"
#include "geom/convex.h"
#include "query/map/map_query.h"
#include "tree/bvh/tree_shape.h"

// Fraction of a cell that shapes are inflated by, unless a tolerance is given.
#define DEFAULT_INFLATION 0.25

// Uniform motion from one pose to another.
typedef struct way {
    wkPose from;
    wkVec3d along;
    wkQuat to;    // in the same hemisphere as the first rotation
    double angle; // between the quaternions: half the rotation angle of the shape
} way;

static double dotQuat(wkQuat a, wkQuat b)
{
    return (a.x * b.x + a.y * b.y) + (a.z * b.z + a.w * b.w);
}

static way wayOf(const wkPose* from, const wkPose* to)
{
    wkQuat a = from->rotation, b = to->rotation;
    double sign = dotQuat(a, b) < 0.0 ? -1.0 : 1.0;
    wkQuat rotated = {sign * b.x, sign * b.y, sign * b.z, sign * b.w};
    wkQuat apart = {rotated.x - a.x, rotated.y - a.y, rotated.z - a.z, rotated.w - a.w};
    wkQuat sum = {rotated.x + a.x, rotated.y + a.y, rotated.z + a.z, rotated.w + a.w};
    way w = {
        .from = *from,
        .along = wkSub(to->position, from->position),
        .to = rotated,
        .angle = 2.0 * atan2(sqrt(wkQuatLengthSquared(apart)), sqrt(wkQuatLengthSquared(sum))),
    };
    return w;
}

// Rotations that differ by less are interpolated linearly, which is uniform to double precision.
#define LEAST_ANGLE 1e-8

static wkPose poseAt(const way* w, double t)
{
    bool isStraight = w->angle < LEAST_ANGLE;
    double a = isStraight ? 1.0 - t : sin((1.0 - t) * w->angle);
    double b = isStraight ? t : sin(t * w->angle);
    wkQuat p = w->from.rotation, q = w->to;
    wkQuat mixed = {a * p.x + b * q.x, a * p.y + b * q.y, a * p.z + b * q.z, a * p.w + b * q.w};
    wkPose atPose = {wkMulAdd(w->from.position, t, w->along), wkNormalizeQuat(mixed)};
    return atPose;
}

// Distance from the frame origin to the furthest point of the core (convex shapes) or of the bounds.
static double armOf(const wkShape* shape)
{
    if (!wkIsMapType(shape->type) && !wkIsTreeType(shape->type)) {
        wkInnerOuterSpheres sphere = wkConvexRowOf(shape)->sphere(shape);
        return wkLength(sphere.center) + sphere.radius;
    }
    wkAabb box = wkShape_Bounds(shape, wkIdentityPose());
    return box.lower.x > box.upper.x ? 0.0 : wkLength(wkMax(wkAbs(box.lower), wkAbs(box.upper)));
}

double wkCostInflation(const wkCostTask* task)
{
    double given = task->def->tolerance;
    return given > 0.0 ? given : DEFAULT_INFLATION * task->octree->def.resolution;
}

wkResult wkCostAddWay(wkCostTask* task, const wkPose* from, const wkPose* to)
{
    way w = wayOf(from, to);
    double arm = w.angle > 0.0 ? armOf(task->shape) : 0.0;
    if (!isfinite(arm)) {
        return wkFail(wk_errorUnsupported, "cost: a %s without end turns on its way",
                      wkShapeTypeName(task->shape->type));
    }
    double inflation = wkCostInflation(task);
    double length = wkLength(w.along) + 2.0 * w.angle * arm;
    double steps = ceil(length / (2.0 * inflation));
    if (!(steps <= (double)task->workLeft)) {
        return wkCostFailWork(task);
    }
    int64_t stepCount = steps > 1.0 ? (int64_t)steps : 1;
    double step = 1.0 / (double)stepCount;
    wkResult result = wk_ok;
    for (int64_t i = 0; i < stepCount && result == wk_ok; ++i) {
        wkPose atPose = poseAt(&w, ((double)i + 0.5) * step);
        result = wkCostAddPose(task, &atPose, 0.5 * length * step);
    }
    return result;
}
