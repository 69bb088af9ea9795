// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What tests of casts share: the time at which moving bodies first touch, by conservative advancement, and bounds of
// it for boxes, which walks use in place of squared distances.

#include "tree/bvh/slot_box.h"
#include "tree/bvh/tree_shape.h"
#include "unit_kit.h"

#include "scenes/mesh_models.h"

#include <float.h>

#define CASES 60

// Bodies this close are in contact, in metres.
#define TOUCH 1e-3

// A translation from time 0 to 1, in the frame of what stays.
typedef struct motion {
    wkVec3d along;
    int64_t evaluated; // pairs
    double first;      // time of the first contact so far; infinite: none
} motion;

static inline float limitOf(double time)
{
    return time < (double)INFINITY ? (float)(time * (1.0 + 1e-6)) : FLT_MAX;
}

// First time at which a moving box is within TOUCH of another; infinite: never. Rounded down.
static inline float boxTime(const motion* m, wkVec3d between, wkVec3d half)
{
    const double from[3] = {between.x, between.y, between.z};
    const double way[3] = {m->along.x, m->along.y, m->along.z};
    const double reach[3] = {half.x + TOUCH, half.y + TOUCH, half.z + TOUCH};
    double enter = 0.0, leave = 1.0;
    for (int k = 0; k < 3; k++) {
        if (way[k] == 0.0) {
            leave = fabs(from[k]) > reach[k] ? -1.0 : leave;
            continue;
        }
        double a = (from[k] - reach[k]) / way[k], b = (from[k] + reach[k]) / way[k];
        enter = wkMaxD(enter, wkMinD(a, b) - 1e-6);
        leave = wkMinD(leave, wkMaxD(a, b) + 1e-6);
    }
    return enter <= leave ? (float)(wkPositive(enter) * (1.0 - 1e-6)) : INFINITY;
}

// First contact of two convex shapes by conservative advancement.
static inline void evaluate(motion* m, const wkShape* moving, wkPose pose, const wkShape* fixed,
                            wkPose fixedPose)
{
    double speed = wkLength(m->along), time = 0.0;
    m->evaluated++;
    while (time <= 1.0) {
        wkPose now = pose;
        now.position = wkMulAdd(pose.position, time, m->along);
        double distance = wkDistance(moving, now, fixed, fixedPose, NULL).distance;
        if (distance <= TOUCH) {
            m->first = wkMinD(m->first, time);
            return;
        }
        time += distance / speed;
    }
}

static inline wkMesh* meshOf(wkRng* rng, wkVolumeKind volume)
{
    wkModel model = {0};
    double radius = wkRngRange(rng, 0.3, 0.6);
    assert_true(wkModel_AddBlob(&model, wkVec(0.1, 0.0, 0.0), radius, 0.2, 6, 8));
    wkMeshDef def = wkDefaultMeshDef();
    def.vertices = model.vertices;
    def.vertexCount = model.vertexCount;
    def.triangles = model.indices;
    def.triangleCount = model.triangleCount;
    def.volume = volume;
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    wkModel_Free(&model);
    return mesh;
}

static inline wkTreeView viewOf(const wkMesh* mesh)
{
    wkShape shape = wkMakeMesh(mesh);
    wkTreeView view;
    wkTreeShapeRowOf(&shape)->view(&shape, &view);
    return view;
}

static inline wkShape triangleOf(const wkTreeView* view, int32_t item)
{
    wkItem triangle;
    wkViewItem(view, item, &triangle);
    return triangle.shape;
}

// Center and half of the box around a volume, along the axes of its tree.
static inline wkAabb boxOf(const wkTree* tree, wkSlot slot)
{
    wkObb obb = wkSlotBox(tree, slot);
    const wkMat3d* m = &obb.frame.rotation;
    wkVec3d half = wkAdd(wkAdd(wkScale(obb.half.x, wkAbs(m->x)), wkScale(obb.half.y, wkAbs(m->y))),
                         wkScale(obb.half.z, wkAbs(m->z)));
    wkAabb box = {wkSub(obb.frame.position, half), wkAdd(obb.frame.position, half)};
    return box;
}

static inline wkVec3d halfOf(wkAabb box)
{
    return wkScale(0.5, wkSub(box.upper, box.lower));
}

// From the moving box to the other one; the motion starts at `offset`.
static inline wkVec3d betweenBoxes(wkAabb moving, wkVec3d offset, wkAabb fixed)
{
    wkVec3d start = wkAdd(wkMiddle(moving.lower, moving.upper), offset);
    return wkSub(wkMiddle(fixed.lower, fixed.upper), start);
}

// A motion towards the origin, which may miss what is there.
static inline void makeMotion(wkRng* rng, wkVec3d* start, motion* m)
{
    wkVec3d direction = wkRngDirection(rng);
    double length = wkRngRange(rng, 1.5, 3.0);
    wkVec3d aside = wkRngDirection(rng);
    double off = wkRngRange(rng, 0.0, 0.8);
    *start = wkScale(length, direction);
    *m = (motion){.along = wkSub(wkScale(off, aside), wkScale(1.4 * length, direction)),
                  .first = INFINITY};
}

// What a test has seen: casts that hit, and pairs that the walk and all pairs evaluated.
typedef struct castTally {
    int hits;
    int64_t evaluated;
    int64_t pairs;
} castTally;

// Compares the first contact that a walk found with that of all pairs.
static inline void checkFirst(const motion* found, const motion* all, castTally* tally)
{
    if (found->first != all->first) {
        fail_msg("first contact at %.17g, of all pairs at %.17g", found->first, all->first);
    }
    tally->hits += found->first < (double)INFINITY;
    tally->evaluated += found->evaluated;
    tally->pairs += all->evaluated;
}
