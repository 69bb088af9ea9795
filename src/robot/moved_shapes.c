// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Poses of objects that move during a check, and bounds on how far their points get: the way of the origin of the
// object's frame, plus its rotation times the largest distance of a point from that origin.

#include "robot/moved_shapes.h"

#include "base/error.h"
#include "robot/robot_scene_impl.h"

#include <float.h>

// More than the rounding of sums and products of a bound, relative to it.
#define BOUND_ROUNDING 1e-12
// More than the rounding of a product of poses, relative to their coordinates.
#define POSE_ROUNDING 1e-14

// Returns the radius of a sphere around the origin of the object that contains a shape of it.
static double radiusOf(const wkShape* shape, const wkPose* inObject)
{
    wkAabb box = wkBoundsForGaps(shape, inObject);
    wkVec3d far = wkMax(wkAbs(box.lower), wkAbs(box.upper));
    return wkLength(far) * (1.0 + BOUND_ROUNDING);
}

static wkResult checkObstacle(const wkRobotScene* scene, const wkTrajectoryRequest* request,
                              int32_t index)
{
    const wkMovingObstacle* obstacle = &request->obstacles[index];
    if (obstacle->object < 0 || obstacle->object >= scene->objectCount) {
        return wkFail(wk_errorArgument, "obstacles[%d]: object is %d, the scene has %d", (int)index,
                      (int)obstacle->object, (int)scene->objectCount);
    }
    const wkRobotObject* object = &scene->table.objects[obstacle->object];
    if (object->link >= 0) {
        return wkFail(wk_errorState, "obstacles[%d]: %s is attached", (int)index, object->name);
    }
    for (int32_t i = 0; i < index; ++i) {
        if (request->obstacles[i].object == obstacle->object) {
            return wkFail(wk_errorArgument, "obstacles[%d]: %s is listed before, at %d", (int)index,
                          object->name, (int)i);
        }
    }
    if (!isfinite(obstacle->start) || !isfinite(obstacle->end) ||
        !(obstacle->end > obstacle->start)) {
        return wkFail(wk_errorRange,
                      "obstacles[%d]: %s moves from %g s to %g s, must be finite and increase",
                      (int)index, object->name, obstacle->start, obstacle->end);
    }
    return wkBodyMotion_Check(&obstacle->motion);
}

// Adds the shapes of an obstacle.
static wkResult takeObstacle(const wkRobotScene* scene, const wkMovingObstacle* obstacle,
                             int32_t index, wkMovedShapes* moved)
{
    const wkRobotThing* thing = scene->table.objects[obstacle->object].thing;
    moved->objects[index].start = obstacle->start;
    moved->objects[index].end = obstacle->end;
    wkPrepareMotion(&obstacle->motion, &moved->objects[index].motion);
    // ids in `thing` are those of the writer, and this scene may be a snapshot
    int32_t slotCount = wkScene_SlotCount(scene->world);
    for (int32_t slotIndex = 0; slotIndex < slotCount; ++slotIndex) {
        wkSceneObject object = wkScene_ObjectAt(scene->world, slotIndex);
        if (object.shape == NULL || scene->slots[slotIndex].object != obstacle->object) {
            continue;
        }
        if (moved->count == WK_MAX_MOVING_SHAPES) {
            return wkFail(wk_errorRange, "obstacles[%d]: more than %d shapes move", (int)index,
                          WK_MAX_MOVING_SHAPES);
        }
        wkMovedShape* shape = &moved->shapes[moved->count++];
        shape->slotIndex = slotIndex;
        shape->object = index;
        shape->inObject = thing->poses[scene->slots[slotIndex].shape];
        shape->radius = object.isEmpty ? 0.0 : radiusOf(object.shape, &shape->inObject);
    }
    return wk_ok;
}

wkResult wkTakeMovedShapes(const wkRobotScene* scene, const wkTrajectoryRequest* request,
                           wkMovedShapes* moved)
{
    moved->count = 0;
    moved->objectCount = 0;
    if (request->obstacleCount < 0 || request->obstacleCount > WK_MAX_MOVING_SHAPES) {
        return wkFail(wk_errorRange, "obstacleCount is %d, must be 0 to %d",
                      (int)request->obstacleCount, WK_MAX_MOVING_SHAPES);
    }
    if (request->obstacles == NULL && request->obstacleCount > 0) {
        return wkFail(wk_errorArgument, "obstacles is NULL, obstacleCount is %d",
                      (int)request->obstacleCount);
    }
    wkResult result = wk_ok;
    for (int32_t i = 0; i < request->obstacleCount && result == wk_ok; ++i) {
        result = checkObstacle(scene, request, i);
        result = result == wk_ok ? takeObstacle(scene, &request->obstacles[i], i, moved) : result;
    }
    moved->objectCount = request->obstacleCount;
    return result;
}

const wkMovedShape* wkMovedShapes_Find(const wkMovedShapes* moved, int32_t slotIndex)
{
    for (int32_t i = 0; i < moved->count; ++i) {
        if (moved->shapes[i].slotIndex == slotIndex) {
            return &moved->shapes[i];
        }
    }
    return NULL;
}

// Returns the time of a motion, from 0 to 1, at a time in seconds.
static double timeOfMotion(const wkMovedObject* object, double seconds)
{
    return wkClamp((seconds - object->start) / (object->end - object->start), 0.0, 1.0);
}

// How far an object gets: metres of the origin of its frame, and radians.
typedef struct wayOfObject {
    double length;
    double angle;
} wayOfObject;

// Adds up the way between two times of a motion, piece by piece.
static wayOfObject wayBetween(const wkPreparedMotion* motion, double from, double to)
{
    wayOfObject way = {0.0, 0.0};
    double t = from;
    while (t < to) {
        double next = wkMinD(wkMotionNextKnot(motion, t), to);
        wkMotionRates rates = motion->row->rates(motion, t, next);
        way.length += rates.speed * (next - t);
        way.angle += rates.angularSpeed * (next - t);
        t = next;
    }
    return way;
}

// Returns how far a point of a shape gets on a way.
static double reachOf(const wayOfObject* way, double radius)
{
    double turned = way->angle > 0.0 ? way->angle * radius : 0.0;
    return (way->length + turned) * (1.0 + BOUND_ROUNDING);
}

static bool moveObject(const wkRobotScene* scene, double from, double time, double to,
                       int32_t index, wkMovedShapes* moved)
{
    const wkMovedObject* object = &moved->objects[index];
    const wkPreparedMotion* motion = &object->motion;
    double late = wkMaxD(fabs(object->start), fabs(object->end));
    double slack = 4.0 * DBL_EPSILON * wkMaxD(late, wkMaxD(fabs(from), fabs(to)));
    double middle = timeOfMotion(object, time);
    double first = wkMinD(timeOfMotion(object, from - slack) - DBL_EPSILON, middle);
    double last = wkMaxD(timeOfMotion(object, to + slack) + DBL_EPSILON, middle);
    wkPose pose = wkMotionPoseAt(motion, middle);
    if (!wkIsMotionPose(pose)) {
        wkFail(wk_errorRange, "obstacles[%d]: the pose at t = %g is not valid", (int)index, middle);
        return false;
    }
    pose.rotation = wkNormalizeQuat(pose.rotation);
    bool isInstant = !(from < to);
    wayOfObject before = {0.0, 0.0}, after = {0.0, 0.0};
    if (!isInstant) {
        before = wayBetween(motion, wkMaxD(first, 0.0), middle);
        after = wayBetween(motion, middle, wkMinD(last, 1.0));
    }
    wkVec3d origin = wkScene_Origin(scene->world);
    for (int32_t i = 0; i < moved->count; ++i) {
        wkMovedShape* shape = &moved->shapes[i];
        if (shape->object != index) {
            continue;
        }
        shape->pose = wkMulPose(pose, shape->inObject);
        wkSceneObject known = wkScene_ObjectAt(scene->world, shape->slotIndex);
        double size = wkSumAbs(pose.position) + (isfinite(shape->radius) ? shape->radius : 0.0);
        double rounding = motion->positionRounding + POSE_ROUNDING * size;
        if (before.angle > 0.0 || after.angle > 0.0) {
            rounding += motion->angleRounding * shape->radius;
        }
        double bound = wkMaxD(reachOf(&before, shape->radius), reachOf(&after, shape->radius));
        shape->bound = bound > 0.0 ? bound + 2.0 * rounding : 0.0;
        wkAabb box = wkBoundsForGaps(known.shape, &shape->pose);
        shape->box = wkGrownFloatBox(wkFloatBoxAround(&box, origin), POSE_ROUNDING * size);
        shape->boxInMotion = wkGrownFloatBox(shape->box, shape->bound);
    }
    return true;
}

bool wkMoveShapes(const wkRobotScene* scene, double from, double time, double to,
                  wkMovedShapes* moved)
{
    for (int32_t i = 0; i < moved->objectCount; ++i) {
        if (!moveObject(scene, from, time, to, i, moved)) {
            return false;
        }
    }
    return true;
}

double wkMovedShapes_LargestSpeed(const wkMovedShapes* moved)
{
    double largest = 0.0;
    for (int32_t i = 0; i < moved->objectCount; ++i) {
        const wkMovedObject* object = &moved->objects[i];
        const wkPreparedMotion* motion = &object->motion;
        for (double t = 0.0; t < 1.0;) {
            double next = wkMotionNextKnot(motion, t);
            wkMotionRates rates = motion->row->rates(motion, t, next);
            double rate = wkMaxD(rates.speed, rates.angularSpeed);
            largest = wkMaxD(largest, rate / (object->end - object->start));
            t = next;
        }
    }
    return largest;
}
