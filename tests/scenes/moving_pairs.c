// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "moving_pairs.h"

#include "whisker/query.h"

// To the second pose and back, several times, as a sine does.
static wkPose swingAt(double t, void* context)
{
    const wkSceneMotion* scene = (const wkSceneMotion*)context;
    double part = 0.5 - 0.5 * cos(scene->swings * t);
    return wkInterpolatePose(scene->swing.start, scene->swing.end, part);
}

// The sine moves half the way in each of the swings, whose fastest and most bent moments are at its middle and ends.
static wkBodyMotion makeSwing(wkRng* rng, wkSceneMotion* scene)
{
    scene->swings = wkRngRange(rng, 1.0, 6.0);
    wkVec3d way = wkSceneSub(scene->swing.end.position, scene->swing.start.position);
    double length = wkSceneLength(way) * 1.000001 + 1e-9;
    wkQuat a = scene->swing.start.rotation, b = scene->swing.end.rotation;
    double cosine = fabs(a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w);
    double angle = 2.0 * acos(fmin(cosine, 1.0)) * 1.000001 + 1e-6;
    double rate = 0.5 * scene->swings, bend = rate * scene->swings;
    wkBodyMotion motion = wkMakeFunctionMotion(swingAt, scene, length * rate, angle * rate);
    if (wkRngChance(rng, 2)) {
        motion.function.maxAcceleration = length * bend;
        motion.function.maxAngularAcceleration = angle * bend;
    }
    return motion;
}

static wkPose randomPose(wkRng* rng, const wkSceneTravel* travel, double part)
{
    wkVec3d way = wkSceneSub(travel->to, travel->from);
    wkVec3d at = wkSceneAdd(travel->from, wkSceneScale(way, part));
    wkVec3d aside = wkSceneScale(wkRngDirection(rng), 0.1 * wkSceneLength(way));
    wkPose pose = {wkSceneAdd(at, aside),
                   wkMakeQuat(wkRngDirection(rng), travel->angle * wkRngUnit(rng))};
    return pose;
}

void wkMakeSceneMotion(wkRng* rng, wkBodyMotionKind kind, const wkSceneTravel* travel,
                       wkSceneMotion* scene)
{
    wkPose start = {travel->from, wkRngRotation(rng)}, end = {travel->to, start.rotation};
    wkPose rotation = {{0.0, 0.0, 0.0},
                       wkMakeQuat(wkRngDirection(rng), travel->angle * wkRngUnit(rng))};
    end.rotation = wkMulPose(rotation, start).rotation;
    scene->swing.start = start;
    scene->swing.end = end;
    int count = 4 + wkRngBelow(rng, WK_SCENE_POSES - 3);
    for (int i = 0; i < count; i++) {
        double part = (double)i / (count - 1);
        wkPose pose = randomPose(rng, travel, part);
        scene->controls[i].position = pose.position;
        scene->controls[i].rotation =
            wkSceneScale(wkRngDirection(rng), travel->angle * wkRngUnit(rng));
        scene->samples[i].time = (i + 0.8 * wkRngUnit(rng)) / count;
        scene->samples[i].pose = pose;
    }
    switch (kind) {
    case wk_bodyMotionStatic:
        scene->motion = wkMakeStaticMotion(end);
        break;
    case wk_bodyMotionLinear:
        scene->motion = wkMakeLinearMotion(start, end);
        break;
    case wk_bodyMotionScrew:
        scene->motion = wkMakeScrewMotion(start, end);
        break;
    case wk_bodyMotionSpline:
        scene->motion = wkMakeSplineMotion(scene->controls, count);
        break;
    case wk_bodyMotionSampled:
        scene->motion = wkMakeSampledMotion(scene->samples, count);
        break;
    default:
        scene->motion = makeSwing(rng, scene);
        break;
    }
}

void wkMakeMovingPair(wkRng* rng, const wkShapeBank* bank, wkShapeType a, wkShapeType b,
                      wkMovingPair* pair)
{
    pair->a = wkRandomShape(rng, bank, a, 1.0);
    pair->b = wkRandomShape(rng, bank, b, 1.0);
    pair->margin = wkRngChance(rng, 4) ? wkRngRange(rng, -0.05, 0.2) : 0.0;
    double angle = wkRngChance(rng, 4) ? 0.0 : wkRngRange(rng, 0.0, 3.0);
    wkVec3d direction = wkRngDirection(rng), aside = wkRngDirection(rng);
    wkVec3d far = wkSceneScale(direction, wkRngRange(rng, 2.0, 5.0));
    wkVec3d past = wkSceneScale(aside, wkRngRange(rng, 0.0, 2.0));
    wkVec3d beyond = wkSceneScale(direction, -wkRngRange(rng, -1.0, 4.0));
    wkSceneTravel travelB = {wkSceneAdd(far, past), wkSceneAdd(beyond, past), angle};
    wkSceneTravel travelA = {
        {0.0, 0.0, 0.0}, wkSceneScale(wkRngDirection(rng), wkRngUnit(rng)), angle};
    int kinds = WK_SCENE_MOTION_COUNT;
    wkMakeSceneMotion(rng, (wkBodyMotionKind)(1 + wkRngBelow(rng, kinds)), &travelA,
                      &pair->motionA);
    wkMakeSceneMotion(rng, (wkBodyMotionKind)(1 + wkRngBelow(rng, kinds)), &travelB,
                      &pair->motionB);
}

static wkShape anyShape(wkRng* rng, const wkShapeBank* bank, wkShapeType type)
{
    double size = wkRngLogRange(rng, 1e-3, 2.0);
    switch (wkRngBelow(rng, 4)) {
    case 0:
        return wkRandomShape(rng, bank, type, size);
    case 1:
        return wkStretchedShape(rng, bank, type, size, 1e3);
    case 2:
        return wkZeroSizeShape(rng, bank, type);
    default:
        return wkGridShape(rng, bank, type, 0.25);
    }
}

void wkMakeCloseMovingPair(wkRng* rng, const wkShapeBank* bank, wkShapeType a, wkShapeType b,
                           wkMovingPair* pair)
{
    pair->a = anyShape(rng, bank, a);
    pair->b = anyShape(rng, bank, b);
    pair->margin = wkRngChance(rng, 4) ? wkRngRange(rng, -0.05, 0.1) : 0.0;
    double far = wkRngLogRange(rng, 1e-3, 3.0), halfTurn = 3.14159;
    wkVec3d direction = wkRngDirection(rng), aside = wkRngDirection(rng);
    wkVec3d beyond = wkSceneScale(direction, -far * wkRngUnit(rng));
    wkVec3d end = wkSceneAdd(wkSceneScale(aside, far * wkRngRange(rng, 0.0, 0.5)), beyond);
    wkSceneTravel travelB = {wkSceneScale(direction, far), end, halfTurn * wkRngUnit(rng)};
    bool isMoving = wkRngChance(rng, 3), isTurning = !wkRngChance(rng, 3);
    wkSceneTravel travelA = {{0.0, 0.0, 0.0},
                             wkSceneScale(wkRngDirection(rng), isMoving ? far : 0.0),
                             isTurning ? halfTurn * wkRngUnit(rng) : 0.0};
    int kinds = WK_SCENE_MOTION_COUNT;
    wkMakeSceneMotion(rng, (wkBodyMotionKind)(1 + wkRngBelow(rng, kinds)), &travelA,
                      &pair->motionA);
    wkMakeSceneMotion(rng, (wkBodyMotionKind)(1 + wkRngBelow(rng, kinds)), &travelB,
                      &pair->motionB);
}

wkDistanceResult wkMovingPair_DistanceAt(const wkMovingPair* pair, double t)
{
    return wkDistance(&pair->a, wkBodyMotion_PoseAt(&pair->motionA.motion, t), &pair->b,
                      wkBodyMotion_PoseAt(&pair->motionB.motion, t), NULL);
}

bool wkMovingPair_TouchesAt(const wkMovingPair* pair, double t)
{
    wkCollideRequest request = wkDefaultCollideRequest();
    request.margin = pair->margin;
    return wkCollide(&pair->a, wkBodyMotion_PoseAt(&pair->motionA.motion, t), &pair->b,
                     wkBodyMotion_PoseAt(&pair->motionB.motion, t), &request)
        .isTouching;
}
