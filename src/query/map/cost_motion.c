// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A shape on its way from one place to the next. The way is cut into equal steps, and each is seen
// from its middle: no point of the shape is further from where it is then than the shape is grown by.

#include "query/map/cost_impl.h"

#include "base/error.h"
#include "geom/convex.h"
#include "query/map/map_query.h"
#include "tree/bvh/tree_shape.h"

// Share of a cell that shapes are grown by, unless a tolerance is given.
#define DEFAULT_INFLATION 0.25

// Even motion from one place to another.
typedef struct way {
    wkPose from;
    wkVec3d along;
    wkQuat to;    // on the same side as the first rotation
    double angle; // between the quaternions: half of that which the shape turns by
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

// Rotations that differ by less are mixed in a straight line, which is as even as double can tell.
#define LEAST_ANGLE 1e-8

static wkPose placeAt(const way* w, double t)
{
    bool isStraight = w->angle < LEAST_ANGLE;
    double a = isStraight ? 1.0 - t : sin((1.0 - t) * w->angle);
    double b = isStraight ? t : sin(t * w->angle);
    wkQuat p = w->from.rotation, q = w->to;
    wkQuat mixed = {a * p.x + b * q.x, a * p.y + b * q.y, a * p.z + b * q.z, a * p.w + b * q.w};
    wkPose atPose = {wkMulAdd(w->from.position, t, w->along), wkNormalizeQuat(mixed)};
    return atPose;
}

// Furthest point of what is swept by a sphere (the core of convex shapes) from the origin of its frame.
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
        wkPose atPose = placeAt(&w, ((double)i + 0.5) * step);
        result = wkCostAddPose(task, &atPose, 0.5 * length * step);
    }
    return result;
}
