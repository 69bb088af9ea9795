// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Answers the query `cast`: the first time of contact of two moving objects. Also reads where an object moves to.

#include "ask_question.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

bool wkAskReadEnd(const wkAskQuestion* q, const char* name, wkPose* end, bool* isMoving)
{
    char owner[8];
    snprintf(owner, sizeof owner, "%s.to", name);
    wkAskField to = wkAskFind(wkJson_Find(q->json, name), name, "to");
    *isMoving = to.value != NULL;
    if (to.value == NULL) {
        return true;
    }
    if (!wkJson_Is(to.value, wk_jsonKindObject)) {
        return wkAskFail(q->error, "bad_field", "%s must be an object with xyz and quat", owner);
    }
    const char* const lists[] = {WK_ASK_POSE_MEMBERS, NULL};
    return wkAskCheckMembers(to.value, owner, lists, q->error) &&
           wkAskReadPose(to.value, owner, end, q->error);
}

// The motion of an object: that of its own frame. The frame of a cloud whose points are far away is another one.
typedef struct objectMotion {
    wkBodyMotion whole;
    wkVec3d origin;
    wkBodyMotion shape;
} objectMotion;

static double lengthOf(wkVec3d v)
{
    return sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
}

static wkPose poseOfShape(double t, void* context)
{
    const objectMotion* motion = (const objectMotion*)context;
    wkPose pose = wkBodyMotion_PoseAt(&motion->whole, t);
    pose.position = wkTransformPoint(pose, motion->origin);
    return pose;
}

// Bounds the speed of a frame that is far from that of the object, on a linear motion.
static wkBodyMotion moveAround(objectMotion* motion)
{
    const wkEndPoses* ends = &motion->whole.ends;
    wkVec3d a = ends->start.position, b = ends->end.position;
    wkQuat p = ends->start.rotation, r = ends->end.rotation;
    wkVec3d way = {b.x - a.x, b.y - a.y, b.z - a.z};
    double cosine = fabs(p.x * r.x + p.y * r.y + p.z * r.z + p.w * r.w);
    double angle = 2.0 * acos(fmin(cosine, 1.0)) * 1.000001 + 1e-6, far = lengthOf(motion->origin);
    wkBodyMotion shape =
        wkMakeFunctionMotion(poseOfShape, motion, (lengthOf(way) + angle * far) * 1.000001, angle);
    shape.function.maxAcceleration = angle * angle * far;
    shape.function.maxAngularAcceleration = 0.0;
    return shape;
}

// Reads the pose of an object before its own frame was moved to its points.
static wkPose startOf(const wkAskObject* object)
{
    wkVec3d back = {-object->origin.x, -object->origin.y, -object->origin.z};
    wkPose start = object->pose;
    start.position = wkTransformPoint(start, back);
    return start;
}

static bool readMotion(const wkAskQuestion* q, const char* name, const wkAskObject* object,
                       bool isScrew, objectMotion* motion)
{
    wkPose end;
    bool isMoving = false;
    if (!wkAskReadEnd(q, name, &end, &isMoving)) {
        return false;
    }
    motion->origin = object->origin;
    wkBodyMotion whole = {.kind = isScrew ? wk_bodyMotionScrew : wk_bodyMotionLinear};
    wkBodyMotion standing = {.kind = wk_bodyMotionStatic, .pose = object->pose};
    whole.ends.start = startOf(object);
    whole.ends.end = isMoving ? end : whole.ends.start;
    motion->whole = whole;
    motion->shape = isMoving ? whole : standing;
    wkResult result = wkBodyMotion_Check(&motion->shape);
    if (result == wk_ok && isMoving && lengthOf(object->origin) > 0.0) {
        motion->shape = isScrew ? wkMakeScrewMotion(object->pose, wkAskShapePose(object, end))
                                : moveAround(motion);
        result = wkBodyMotion_Check(&motion->shape);
    }
    return result == wk_ok ||
           wkAskFail(q->error, wkResultName(result), "%s: %s", name, wkGetLastError());
}

static bool readCast(const wkAskQuestion* q, wkCastRequest* request, bool* isScrew)
{
    const char* kind = "linear";
    wkAskField motion = wkAskFind(q->json, "", "motion");
    if (motion.value != NULL && !wkAskString(motion, &kind, q->error)) {
        return false;
    }
    *isScrew = strcmp(kind, "screw") == 0;
    if (!*isScrew && strcmp(kind, "linear") != 0) {
        return wkAskFail(q->error, "bad_field", "motion is '%.40s', must be linear or screw", kind);
    }
    return wkAskOptionalNumber(wkAskFind(q->json, "", "margin"), wk_askAny, &request->margin,
                               q->error) &&
           wkAskOptionalNumber(wkAskFind(q->json, "", "tolerance"), wk_askNotNegative,
                               &request->tolerance, q->error);
}

bool wkAskAppendCast(const wkAskQuestion* q, const wkCastResult* r)
{
    if (!r->isTouching) {
        wkAskAppendNull(q->answer, "time");
        wkAskAppendNull(q->answer, "time_upper");
        return wkAskAppendStatus(q, r->status);
    }
    wkAskAppendNumber(q->answer, "time", r->time);
    if (r->touchingBy <= 1.0) {
        wkAskAppendNumber(q->answer, "time_upper", r->touchingBy);
    } else {
        wkAskAppendNull(q->answer, "time_upper");
    }
    wkAskAppendVec3(q->answer, "point_a", r->pointA);
    wkAskAppendVec3(q->answer, "point_b", r->pointB);
    wkAskAppendVec3(q->answer, "normal", r->normal);
    return wkAskAppendStatus(q, r->status);
}

bool wkAnswerCast(const wkAskQuestion* q)
{
    wkCastRequest request = wkDefaultCastRequest();
    bool isScrew = false;
    objectMotion a, b;
    if (!readCast(q, &request, &isScrew) || !readMotion(q, "a", &q->a, isScrew, &a) ||
        !readMotion(q, "b", &q->b, isScrew, &b)) {
        return false;
    }
    wkCastResult result = wkCast(&q->a.shape, &a.shape, &q->b.shape, &b.shape, &request);
    return wkAskAppendCast(q, &result);
}
