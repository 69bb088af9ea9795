// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Culling for rendered depth images. A tile of pixels sees a pyramid with its apex in the
// camera. Objects whose boxes are outside it are culled, and so are those behind a convex one
// that fills it: mapped to (x / z, y / z, 1 / z), a convex body in front of the camera stays convex, so
// the depth at which rays enter it is, between four rays, at most the largest of their four depths.

#include "sense/depth_tiles.h"

#include "base/memory.h"
#include "base/sort.h"

#include <string.h>

// Bounds are widened by this share of their inputs: far above rounding and the tolerance of ray casts
// against curved shapes, far below anything that costs time.
#define SLACK 1e-6

// A box with a part at less than this share of its depth has no bounds on its slopes.
#define LEAST_DEPTH 1e-3

static void placeTarget(wkDepthTarget* target, const wkAabb* box, const wkMat3d* cameraRotation,
                        wkVec3d eye)
{
    const wkMat3d* rotation = &target->rays.rotation;
    wkVec3d half = wkScale(0.5, wkSub(box->upper, box->lower));
    wkVec3d middle = wkMiddle(box->lower, box->upper);
    wkVec3d world = wkAdd(wkMulMV(rotation, middle), target->rays.pose.position);
    double slack = SLACK * (wkMaxAbs(half) + wkMaxAbs(wkSub(world, eye)));
    target->center = wkMulTMV(cameraRotation, wkSub(world, eye));
    target->axes[0] = wkMulTMV(cameraRotation, wkScale(half.x + slack, rotation->x));
    target->axes[1] = wkMulTMV(cameraRotation, wkScale(half.y + slack, rotation->y));
    target->axes[2] = wkMulTMV(cameraRotation, wkScale(half.z + slack, rotation->z));
}

// Returns how far the box of a target extends along a direction from its center.
static double reachAlong(const wkDepthTarget* target, wkVec3d direction)
{
    return fabs(wkDot(target->axes[0], direction)) + fabs(wkDot(target->axes[1], direction)) +
           fabs(wkDot(target->axes[2], direction));
}

// @return false when no ray meets it
static bool aim(const wkDepthTargets* targets, const wkObjectDef* object, wkDepthTarget* target)
{
    memset(target, 0, sizeof *target);
    target->shape = object->shape;
    target->user = object->user;
    wkAabb box = wkShape_Bounds(&target->shape, wkIdentityPose());
    bool isEmpty =
        !(box.lower.x <= box.upper.x && box.lower.y <= box.upper.y && box.lower.z <= box.upper.z);
    bool isAsked = object->category != 0 && object->mask != 0;
    if (isEmpty || !isAsked ||
        !wkRayTarget_Init(&target->shape, &object->pose, targets->eye, &target->rays)) {
        return false;
    }
    target->isBounded = wkMaxAbs(box.lower) < INFINITY && wkMaxAbs(box.upper) < INFINITY;
    if (target->isBounded) {
        wkVec3d forward = wkVec(0.0, 0.0, 1.0);
        placeTarget(target, &box, &targets->rotation, targets->eye);
        double reach = reachAlong(target, forward);
        target->nearest = wkMaxD(target->center.z - reach, 0.0);
        return target->center.z + reach > 0.0;
    }
    return true;
}

static wkSlopeRect rectOf(const wkDepthTarget* target)
{
    wkSlopeRect rect = {-INFINITY, INFINITY, -INFINITY, INFINITY};
    if (!target->isBounded || !(target->nearest > LEAST_DEPTH * fabs(target->center.z))) {
        return rect;
    }
    wkSlopeRect inCamera = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (int i = 0; i < 8; ++i) {
        wkVec3d vertex = target->center;
        vertex = wkMulAdd(vertex, i & 1 ? 1.0 : -1.0, target->axes[0]);
        vertex = wkMulAdd(vertex, i & 2 ? 1.0 : -1.0, target->axes[1]);
        vertex = wkMulAdd(vertex, i & 4 ? 1.0 : -1.0, target->axes[2]);
        double x = vertex.x / vertex.z, y = vertex.y / vertex.z;
        inCamera.lowerX = wkMinD(inCamera.lowerX, x);
        inCamera.upperX = wkMaxD(inCamera.upperX, x);
        inCamera.lowerY = wkMinD(inCamera.lowerY, y);
        inCamera.upperY = wkMaxD(inCamera.upperY, y);
    }
    return inCamera;
}

// Depths are not negative: their bits sort like the depths.
static uint64_t keyOf(double depth)
{
    uint64_t bits;
    memcpy(&bits, &depth, sizeof bits);
    return bits;
}

// Lists objects that may be visible, with a lower bound on their depths; returns their number.
static int32_t listObjects(const wkDepthTargets* targets, const wkScene* scene, double farthest,
                           wkSortKey* keys)
{
    int32_t count = 0;
    for (wkObjectId id = wkScene_Next(scene, wk_nullObjectId); !wkObjectId_IsNull(id);
         id = wkScene_Next(scene, id)) {
        wkObjectDef object;
        wkDepthTarget target;
        if (wkScene_Get(scene, id, &object) == wk_ok && aim(targets, &object, &target) &&
            target.nearest <= farthest) {
            keys[count++] = (wkSortKey){keyOf(target.nearest), (int64_t)wkObjectId_ToBits(id)};
        }
    }
    return count;
}

bool wkDepthTargets_Create(const wkScene* scene, wkPose pose, double farthest,
                           wkDepthTargets* targets)
{
    memset(targets, 0, sizeof *targets);
    size_t capacity = (size_t)wkScene_Count(scene) + 1;
    size_t itemBytes = capacity * sizeof *targets->items;
    size_t rectBytes = capacity * sizeof *targets->rects;
    size_t keyBytes = 2 * capacity * sizeof(wkSortKey);
    targets->byteCount = itemBytes + rectBytes + keyBytes;
    targets->memory = wkAlloc(targets->byteCount);
    if (targets->memory == NULL) {
        return false;
    }
    targets->items = (wkDepthTarget*)targets->memory;
    targets->rects = (wkSlopeRect*)((char*)targets->memory + itemBytes);
    wkSortKey* keys = (wkSortKey*)((char*)targets->memory + itemBytes + rectBytes);
    targets->eye = pose.position;
    targets->rotation = wkMatFromQuat(wkNormalizeQuat(pose.rotation));
    int32_t count = listObjects(targets, scene, farthest, keys);
    wkSortKeys(keys, keys + capacity, count);
    for (int32_t i = 0; i < count; ++i) {
        wkObjectDef object;
        wkScene_Get(scene, wkObjectId_FromBits((uint64_t)keys[i].value), &object);
        aim(targets, &object, &targets->items[i]);
        targets->rects[i] = rectOf(&targets->items[i]);
    }
    targets->count = count;
    return true;
}

void wkDepthTargets_Destroy(wkDepthTargets* targets)
{
    wkFree(targets->memory, targets->byteCount);
    memset(targets, 0, sizeof *targets);
}

// Returns the least value of a linear function of slopes in a tile.
static double leastIn(const wkSlopeRect* tile, wkVec3d normal)
{
    return normal.z + wkMinD(normal.x * tile->lowerX, normal.x * tile->upperX) +
           wkMinD(normal.y * tile->lowerY, normal.y * tile->upperY);
}

// Returns whether the box of a target is beyond one of the four sides of the pyramid.
static bool isBesideTile(const wkDepthTarget* target, const wkSlopeRect* tile)
{
    const wkVec3d inward[4] = {{1.0, 0.0, -tile->lowerX},
                               {-1.0, 0.0, tile->upperX},
                               {0.0, 1.0, -tile->lowerY},
                               {0.0, -1.0, tile->upperY}};
    for (int i = 0; i < 4; ++i) {
        if (wkDot(inward[i], target->center) + reachAlong(target, inward[i]) < 0.0) {
            return true;
        }
    }
    return false;
}

// Returns a lower bound on the depths of a target in a tile; infinity when it is not visible there. Rays
// enter a box through faces that the camera is in front of, so not before the planes of these.
static double nearestIn(const wkDepthTarget* target, const wkSlopeRect* tile)
{
    if (!target->isBounded) {
        return 0.0;
    }
    double nearest = target->nearest;
    for (int i = 0; i < 3; ++i) {
        const wkVec3d* axis = &target->axes[i];
        double toCenter = wkDot(*axis, target->center), reach = wkDot(*axis, *axis);
        double toPlane = reach - fabs(toCenter); // along the outward normal, as long as the axis is
        if (toPlane < 0.0) {
            double slope = leastIn(tile, toCenter > 0.0 ? wkNeg(*axis) : *axis);
            nearest = slope < 0.0 ? wkMaxD(nearest, toPlane / slope) : INFINITY;
        }
    }
    bool isInTile = nearest < INFINITY && !isBesideTile(target, tile);
    return isInTile ? nearest * (1.0 - SLACK) : INFINITY;
}

// Returns an upper bound on the depths of a convex target in a tile; infinity unless it fills the tile.
static double farthestIn(const wkDepthTargets* targets, const wkDepthTarget* target,
                         const wkSlopeRect* tile)
{
    double farthest = 0.0;
    for (int i = 0; i < 4; ++i) {
        wkVec3d slope =
            wkVec(i & 1 ? tile->upperX : tile->lowerX, i & 2 ? tile->upperY : tile->lowerY, 1.0);
        wkVec3d direction = wkMulMV(&targets->rotation, slope);
        wkVec3d unit = wkNormalizeOr(direction, wkVec(0.0, 0.0, 1.0));
        wkShapeHit hit;
        if (!wkRayTarget_Cast(&target->rays, &unit, INFINITY, &hit)) {
            return INFINITY;
        }
        farthest = wkMaxD(farthest, hit.distance / wkLength(slope));
    }
    return farthest * (1.0 + SLACK);
}

// Inserts a target into the sorted list.
static void insert(wkTileTarget* inCamera, int32_t count, wkTileTarget target)
{
    int32_t i = count;
    for (; i > 0 && inCamera[i - 1].nearest > target.nearest; --i) {
        inCamera[i] = inCamera[i - 1];
    }
    inCamera[i] = target;
}

int32_t wkDepthTargets_Cull(const wkDepthTargets* targets, const wkSlopeRect* tile,
                            wkTileTarget* inCamera, int32_t capacity)
{
    int32_t count = 0;
    double covered = INFINITY;
    for (int32_t i = 0; i < targets->count && targets->items[i].nearest <= covered; ++i) {
        const wkSlopeRect* rect = &targets->rects[i];
        bool isBeside = rect->lowerX > tile->upperX || rect->upperX < tile->lowerX ||
                        rect->lowerY > tile->upperY || rect->upperY < tile->lowerY;
        wkTileTarget next = {&targets->items[i], INFINITY};
        next.nearest = isBeside ? INFINITY : nearestIn(next.target, tile);
        if (next.nearest == INFINITY || next.nearest > covered) {
            continue;
        }
        if (count == capacity) {
            return -1;
        }
        insert(inCamera, count++, next);
        if (next.target->rays.isConvex) {
            covered = wkMinD(covered, farthestIn(targets, next.target, tile));
        }
    }
    while (count > 0 && inCamera[count - 1].nearest > covered) {
        --count;
    }
    return count;
}
