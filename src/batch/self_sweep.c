// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// What bodies sweep about the axis of a joint. The axis is divided into slices of equal height. The distance from
// the axis is a convex function: within a slice it is largest at a vertex of a triangle, or where an edge
// enters or leaves the slice.

#include "batch/self_sweep.h"

#include "geom/convex.h"
#include "math/frame.h"
#include "tree/mesh/mesh_impl.h"

#include <string.h>

// Metres by which a cylinder is larger than what it covers: more than its rounding error.
#define SWEEP_SLACK 1e-6

#define BOX_EDGES 12

bool wkLeaveOuterJoint(wkChain* chain, bool* isOfA)
{
    *isOfA = chain->countOfA == chain->jointCount;
    int32_t outer = *isOfA ? 0 : chain->jointCount - 1, slot = chain->slots[outer];
    const wkRigidGroup* rigidGroup = &chain->robot->rigidGroups[chain->joints[outer]];
    int32_t followers = 0, last = chain->variableCount - 1;
    for (int32_t k = 0; k < chain->jointCount; ++k) {
        followers += chain->slots[k] == slot ? 1 : 0;
    }
    if (followers != 1 || rigidGroup->type == wk_jointPrismatic) {
        return false;
    }
    for (int32_t k = outer; k + 1 < chain->jointCount; ++k) {
        chain->joints[k] = chain->joints[k + 1];
        chain->slots[k] = chain->slots[k + 1];
    }
    --chain->jointCount;
    chain->countOfA -= *isOfA ? 1 : 0;
    for (int32_t i = slot; i < last; ++i) {
        chain->variables[i] = chain->variables[i + 1];
        chain->lower[i] = chain->lower[i + 1];
        chain->upper[i] = chain->upper[i + 1];
        chain->isWhole[i] = chain->isWhole[i + 1];
    }
    for (int32_t k = 0; k < chain->jointCount; ++k) {
        chain->slots[k] -= chain->slots[k] > slot ? 1 : 0;
    }
    chain->variableCount = last;
    return true;
}

// Edges of bodies, one after the other, in the frame of the rigid group.
typedef void edgeFcn(wkVec3d from, wkVec3d to, double padding, void* context);

static void visitBox(const wkCollisionBody* body, edgeFcn* fcn, void* context)
{
    for (int edge = 0; edge < BOX_EDGES; ++edge) {
        int axis = edge / 4;
        double signs[3];
        signs[axis] = -1.0;
        signs[(axis + 1) % 3] = edge & 1 ? 1.0 : -1.0;
        signs[(axis + 2) % 3] = edge & 2 ? 1.0 : -1.0;
        wkVec3d ends[2];
        for (int i = 0; i < 2; ++i) {
            wkVec3d sign = wkVec(signs[0], signs[1], signs[2]);
            ends[i] = wkTransformPoint(body->inRigidGroup,
                                       wkAdd(body->middle, wkMulVec(sign, body->half)));
            signs[axis] = 1.0;
        }
        fcn(ends[0], ends[1], 0.0, context);
    }
}

static void visitMesh(const wkCollisionBody* body, edgeFcn* fcn, void* context)
{
    const wkMesh* mesh = body->shape.mesh;
    double padding = wkPositive(wkShapeRadius(&body->shape)) + mesh->sewnGap;
    for (int32_t i = 0; i < mesh->triangleCount; ++i) {
        wkVec3d vertices[3];
        wkMeshTriangleVertices(mesh, i, vertices);
        for (int k = 0; k < 3; ++k) {
            vertices[k] = wkTransformPoint(body->inRigidGroup, vertices[k]);
        }
        for (int k = 0; k < 3; ++k) {
            fcn(vertices[k], vertices[(k + 1) % 3], padding, context);
        }
    }
}

static void visitEdges(const wkCollisionBody* const* bodies, int32_t count, edgeFcn* fcn,
                       void* context)
{
    for (int32_t i = 0; i < count; ++i) {
        bool isMesh = bodies[i]->shape.type == wk_shapeMesh;
        if (!bodies[i]->isEmpty) {
            (isMesh ? visitMesh : visitBox)(bodies[i], fcn, context);
        }
    }
}

typedef struct profile {
    wkVec3d axis; // through the origin of the rigid group
    double lower, upper;
    double radii[WK_SWEPT_SLICES]; // below 0: nothing is there
} profile;

static void widen(wkVec3d from, wkVec3d to, double padding, void* context)
{
    profile* p = (profile*)context;
    double a = wkDot(p->axis, from), b = wkDot(p->axis, to);
    p->lower = wkMinD(p->lower, wkMinD(a, b) - padding);
    p->upper = wkMaxD(p->upper, wkMaxD(a, b) + padding);
}

static double radiusAt(const profile* p, wkVec3d point)
{
    return wkLength(wkCross(p->axis, point));
}

// The part of an edge in each slice that it comes to, the padding included.
static void takeEdge(wkVec3d from, wkVec3d to, double padding, void* context)
{
    profile* p = (profile*)context;
    double a = wkDot(p->axis, from), b = wkDot(p->axis, to), length = b - a;
    double height = (p->upper - p->lower) / WK_SWEPT_SLICES;
    double reach = padding + SWEEP_SLACK;
    for (int i = 0; i < WK_SWEPT_SLICES; ++i) {
        double lower = p->lower + i * height - reach, upper = lower + height + 2.0 * reach;
        if (wkMaxD(a, b) < lower || wkMinD(a, b) > upper) {
            continue;
        }
        double start = 0.0, end = 1.0;
        if (fabs(length) > SWEEP_SLACK) {
            double first = (lower - a) / length, second = (upper - a) / length;
            start = wkMaxD(0.0, wkMinD(first, second));
            end = wkMinD(1.0, wkMaxD(first, second));
        }
        wkVec3d way = wkSub(to, from);
        double radius =
            wkMaxD(radiusAt(p, wkMulAdd(from, start, way)), radiusAt(p, wkMulAdd(from, end, way)));
        p->radii[i] = wkMaxD(p->radii[i], radius + reach);
    }
}

// A rotation that takes z to a direction or its opposite: to a cylinder these are the same.
static wkQuat quatOfAxis(wkVec3d axis)
{
    axis = axis.z < 0.0 ? wkNeg(axis) : axis;
    wkQuat quat = {-axis.y, axis.x, 0.0, 1.0 + axis.z};
    return wkNormalizeQuat(quat);
}

int32_t wkSweepBodies(const wkCollisionBody* const* bodies, int32_t count,
                      const wkRigidGroup* rigidGroup, wkCollisionBody* swept)
{
    profile p = {.axis = rigidGroup->axis, .lower = INFINITY, .upper = -INFINITY};
    for (int i = 0; i < WK_SWEPT_SLICES; ++i) {
        p.radii[i] = -1.0;
    }
    visitEdges(bodies, count, widen, &p);
    visitEdges(bodies, count, takeEdge, &p);
    double height = (p.upper - p.lower) / WK_SWEPT_SLICES;
    int32_t sweptCount = 0;
    for (int i = 0; i < WK_SWEPT_SLICES; ++i) {
        if (!(p.radii[i] >= 0.0)) {
            continue;
        }
        wkCollisionBody* slice = &swept[sweptCount++];
        memset(slice, 0, sizeof *slice);
        double middle = p.lower + (i + 0.5) * height;
        wkPose pose = {wkScale(middle, p.axis), quatOfAxis(p.axis)};
        slice->shape = wkMakeCylinder(p.radii[i], height + 2.0 * SWEEP_SLACK);
        slice->inRigidGroup = wkMulPose(rigidGroup->origin, pose);
        slice->half = wkVec(p.radii[i], p.radii[i], 0.5 * height + SWEEP_SLACK);
    }
    return sweptCount;
}
