// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Contents of a picture. Marks are shapes too: capsules, cones and spheres.

#include "picture.h"

#include "vector.h"

#include <math.h>
#include <stdlib.h>

wkVisible wkMakeVisible(wkShape shape, wkPose pose, wkColor color)
{
    wkVisible visible = {.shape = shape, .pose = pose, .color = color};
    wkAabb box = wkShape_Bounds(&shape, wkIdentityPose());
    visible.half = wkVec_Scale(0.5, wkVec_Sub(box.upper, box.lower));
    visible.reach = wkVec_Length(visible.half);
    visible.isBounded = isfinite(visible.reach);
    if (visible.isBounded) {
        visible.middle = wkTransformPoint(pose, wkVec_Add(box.lower, visible.half));
        visible.axes[0] = wkRotateVector(pose, (wkVec3d){1.0, 0.0, 0.0});
        visible.axes[1] = wkRotateVector(pose, (wkVec3d){0.0, 1.0, 0.0});
        visible.axes[2] = wkRotateVector(pose, (wkVec3d){0.0, 0.0, 1.0});
    }
    return visible;
}

wkVisible* wkVisibles_Add(wkVisibles* visibles, wkShape shape, wkPose pose, wkColor color)
{
    if (visibles->count == visibles->capacity) {
        int capacity = 2 * visibles->capacity + 16;
        wkVisible* items = realloc(visibles->items, (size_t)capacity * sizeof *items);
        if (items == NULL) {
            visibles->isOutOfMemory = true;
            return NULL;
        }
        visibles->items = items;
        visibles->capacity = capacity;
    }
    visibles->items[visibles->count] = wkMakeVisible(shape, pose, color);
    return &visibles->items[visibles->count++];
}

wkStage wkMakeStage(void)
{
    wkStage stage = {.fineSteps = 4,
                     .lampRayCount = WK_LAMP_RAYS,
                     .skySteps = 4,
                     .lamp = {-0.4870, -0.4383, 0.7554}};
    return stage;
}

wkStage wkMakeReportStage(void)
{
    wkStage stage = wkMakeStage();
    stage.lamp = wkVec_Unit((wkVec3d){0.45, -0.40, 0.80});
    stage.fineSteps = 2;
    stage.lampRayCount = 12;
    return stage;
}

void wkStage_Free(wkStage* stage)
{
    wkScene_Destroy(stage->scene);
    free(stage->bodies.items);
    free(stage->marks.items);
    free(stage->glass.items);
    *stage = wkMakeStage();
}

void wkStage_AddFloor(wkStage* stage, double height)
{
    stage->hasFloor = true;
    stage->floor = wkMakeVisible(wkMakeHalfspace((wkVec3d){0.0, 0.0, 1.0}, 0.0),
                                 wkMakePose(0.0, 0.0, height), (wkColor){0.5, 0.5, 0.5});
}

void wkStage_AddDot(wkStage* stage, wkVec3d point, double radius, wkColor color)
{
    wkVisibles_Add(&stage->marks, wkMakeSphere(radius), wkMakePose(point.x, point.y, point.z),
                   color);
}

// Returns the rotation from z to a unit direction.
static wkQuat turnZTo(wkVec3d direction)
{
    const wkVec3d z = {0.0, 0.0, 1.0};
    wkVec3d axis = wkVec_Cross(z, direction);
    if (wkVec_Length(axis) < 1e-9) {
        axis = (wkVec3d){1.0, 0.0, 0.0};
    }
    return wkMakeQuat(axis, acos(fmin(fmax(direction.z, -1.0), 1.0)));
}

void wkStage_AddLine(wkStage* stage, wkVec3d from, wkVec3d to, double radius, wkColor color)
{
    wkVec3d along = wkVec_Sub(to, from);
    double length = wkVec_Length(along);
    if (length > 0.0) {
        wkPose pose = {wkVec_MulAdd(from, 0.5, along), turnZTo(wkVec_Unit(along))};
        wkVisibles_Add(&stage->marks, wkMakeCapsule(radius, length), pose, color);
    }
}

// Adds an arrow with a shaft of a tenth of its head's length.
void wkStage_AddArrow(wkStage* stage, wkVec3d from, wkVec3d direction, double length, wkColor color)
{
    const double head = 0.13;
    wkVec3d neck = wkVec_MulAdd(from, length - head, direction);
    wkPose pose = {wkVec_MulAdd(neck, 0.5 * head, direction), turnZTo(direction)};
    wkStage_AddLine(stage, from, neck, 0.014, color);
    wkVisibles_Add(&stage->marks, wkMakeCone(0.05, head), pose, color);
}

void wkStage_AddEdges(wkStage* stage, wkAabb box, wkPose pose, double radius, wkColor color)
{
    const wkVec3d ends[2] = {box.lower, box.upper};
    for (int i = 0; i < 4; i++) {
        const wkVec3d* p = &ends[i & 1];
        const wkVec3d* q = &ends[i >> 1];
        const wkVec3d edges[3][2] = {
            {{box.lower.x, p->y, q->z}, {box.upper.x, p->y, q->z}},
            {{p->x, box.lower.y, q->z}, {p->x, box.upper.y, q->z}},
            {{p->x, q->y, box.lower.z}, {p->x, q->y, box.upper.z}},
        };
        for (int axis = 0; axis < 3; axis++) {
            wkStage_AddLine(stage, wkTransformPoint(pose, edges[axis][0]),
                            wkTransformPoint(pose, edges[axis][1]), radius, color);
        }
    }
}
