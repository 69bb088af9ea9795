// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Balls on the links of a robot: keeping them in order, the balls around them, where they are.

#include "robot/sphere_model.h"

#include "base/error.h"
#include "base/memory.h"
#include "robot/kinematics.h"

#include <float.h>
#include <string.h>

#define BLOCK_ALIGNMENT 64

// Steps towards the smallest ball around others. After n of them the radius is about 1/n too large.
#define AROUND_STEPS 1000

// Lengths beyond are no robots: squares and sums stay finite.
#define LARGEST_LENGTH 1e60

// Larger than what rounding takes from a sum of a distance and a radius.
#define AROUND_ROUNDING (1.0 + 8.0 * DBL_EPSILON)

// How far the balls reach from a center, and which of them does.
static double reachFrom(wkVec3d center, const wkBall* balls, int32_t count, int32_t* furthest)
{
    double reach = 0.0;
    for (int32_t i = 0; i < count; i++) {
        double one = wkLength(wkSub(balls[i].center, center)) + balls[i].radius;
        if (one >= reach) {
            reach = one;
            *furthest = i;
        }
    }
    return reach;
}

// Steps towards the ball that reaches furthest, shorter each time (Badoiu and Clarkson 2003).
wkBall wkBallAround(const wkBall* balls, int32_t count)
{
    wkBall best = {{0.0, 0.0, 0.0}, 0.0};
    if (count <= 1) {
        return count == 1 ? balls[0] : best;
    }
    wkVec3d center = balls[0].center;
    best.radius = INFINITY;
    for (int32_t step = 1; step <= AROUND_STEPS; step++) {
        int32_t furthest = 0;
        double reach = reachFrom(center, balls, count, &furthest);
        if (reach < best.radius) {
            best.center = center;
            best.radius = reach;
        }
        const wkBall* ball = &balls[furthest];
        wkVec3d toBall = wkSub(ball->center, center);
        double away = wkLength(toBall);
        // to the far side of the ball, not to its center
        double stretch = away > 0.0 ? reach / away : 0.0;
        center = wkMulAdd(center, stretch / (step + 1.0), toBall);
    }
    best.radius *= AROUND_ROUNDING;
    return best;
}

static wkResult checkBall(const wkRobot* robot, const wkLinkBall* ball, int32_t index)
{
    if (ball->link < 0 || ball->link >= robot->info.linkCount) {
        return wkFail(wk_errorArgument, "sphere model: balls[%d].link is %d, the robot has %d",
                      (int)index, (int)ball->link, (int)robot->info.linkCount);
    }
    wkVec3d center = ball->ball.center;
    double radius = ball->ball.radius;
    if (!(wkMaxAbs(center) < INFINITY) || !(fabs(radius) < INFINITY)) {
        return wkFail(wk_errorNotFinite, "sphere model: balls[%d] is not finite", (int)index);
    }
    if (radius < 0.0) {
        return wkFail(wk_errorRange, "sphere model: balls[%d].radius is %g, must be >= 0",
                      (int)index, radius);
    }
    if (wkMaxAbs(center) > LARGEST_LENGTH || radius > LARGEST_LENGTH) {
        return wkFail(wk_errorRange, "sphere model: balls[%d] is larger than %g m", (int)index,
                      LARGEST_LENGTH);
    }
    return wk_ok;
}

static wkResult checkBalls(const wkRobot* robot, const wkLinkBall* balls, int32_t count)
{
    if (robot == NULL || (balls == NULL && count > 0)) {
        return wkFail(wk_errorArgument, "sphere model: %s is NULL",
                      robot == NULL ? "robot" : "balls");
    }
    if (count < 0) {
        return wkFail(wk_errorRange, "sphere model: count is %d, must be >= 0", (int)count);
    }
    wkResult result = wk_ok;
    for (int32_t i = 0; i < count && result == wk_ok; i++) {
        result = checkBall(robot, &balls[i], i);
    }
    return result;
}

static size_t roundUp(size_t byteCount)
{
    return (byteCount + BLOCK_ALIGNMENT - 1) / BLOCK_ALIGNMENT * BLOCK_ALIGNMENT;
}

static wkSphereModel* allocate(int32_t linkCount, int32_t ballCount)
{
    size_t ballsAt = roundUp(sizeof(wkSphereModel));
    size_t linksAt = ballsAt + roundUp((size_t)ballCount * sizeof(wkLinkBall));
    size_t byteCount = linksAt + roundUp((size_t)linkCount * sizeof(wkLinkBalls));
    char* block = (char*)wkAlloc(byteCount);
    if (block == NULL) {
        return NULL;
    }
    memset(block, 0, byteCount);
    wkSphereModel* model = (wkSphereModel*)block;
    model->balls = (wkLinkBall*)(block + ballsAt);
    model->links = (wkLinkBalls*)(block + linksAt);
    model->info.byteCount = byteCount;
    model->info.ballCount = ballCount;
    return model;
}

// Balls in the order of their links, those of a link as they are given.
static void sortBalls(wkSphereModel* model, const wkLinkBall* balls, int32_t robotLinkCount)
{
    for (int32_t i = 0; i < model->info.ballCount; i++) {
        ++model->links[balls[i].link].count;
    }
    int32_t first = 0;
    for (int32_t i = 0; i < robotLinkCount; i++) {
        model->links[i].first = first;
        first += model->links[i].count;
        model->info.linkCount += model->links[i].count > 0;
        model->links[i].count = 0;
    }
    for (int32_t i = 0; i < model->info.ballCount; i++) {
        wkLinkBalls* link = &model->links[balls[i].link];
        model->balls[link->first + link->count++] = balls[i];
    }
}

// A ball around those of each link.
static wkResult setAround(wkSphereModel* model, int32_t robotLinkCount)
{
    size_t roomByteCount = (size_t)model->info.ballCount * sizeof(wkBall) + BLOCK_ALIGNMENT;
    wkBall* room = (wkBall*)wkAlloc(roomByteCount);
    if (room == NULL) {
        return wkFail(wk_errorMemory, "sphere model: no memory");
    }
    for (int32_t i = 0; i < robotLinkCount; i++) {
        wkLinkBalls* link = &model->links[i];
        for (int32_t k = 0; k < link->count; k++) {
            room[k] = model->balls[link->first + k].ball;
        }
        link->around = wkBallAround(room, link->count);
    }
    wkFree(room, roomByteCount);
    return wk_ok;
}

wkResult wkSphereModel_Create(const wkRobot* robot, const wkLinkBall* balls, int32_t count,
                              wkSphereModel** model)
{
    if (model == NULL) {
        return wkFail(wk_errorArgument, "sphere model: model is NULL");
    }
    *model = NULL;
    wkResult result = checkBalls(robot, balls, count);
    if (result != wk_ok) {
        return result;
    }
    wkSphereModel* made = allocate(robot->info.linkCount, count);
    if (made == NULL) {
        return wkFail(wk_errorMemory, "sphere model: no memory for %d balls", (int)count);
    }
    made->info.robot = robot;
    made->info.gap = INFINITY;
    made->info.bareLink = -1;
    made->info.protrusion = INFINITY;
    sortBalls(made, balls, robot->info.linkCount);
    result = setAround(made, robot->info.linkCount);
    if (result != wk_ok) {
        wkSphereModel_Destroy(made);
        return result;
    }
    *model = made;
    return wk_ok;
}

void wkSphereModel_Destroy(wkSphereModel* model)
{
    if (model != NULL) {
        wkFree(model, model->info.byteCount);
    }
}

wkSphereModelInfo wkSphereModel_Info(const wkSphereModel* model)
{
    wkSphereModelInfo none = {0};
    return model != NULL ? model->info : none;
}

wkLinkBall wkSphereModel_Ball(const wkSphereModel* model, int32_t index)
{
    wkLinkBall none = {-1, {{0.0, 0.0, 0.0}, 0.0}};
    bool isThere = model != NULL && index >= 0 && index < model->info.ballCount;
    return isThere ? model->balls[index] : none;
}

wkLinkBalls wkSphereModel_Link(const wkSphereModel* model, int32_t link)
{
    wkLinkBalls none = {0, 0, {{0.0, 0.0, 0.0}, 0.0}};
    bool isThere = model != NULL && link >= 0 && link < model->info.robot->info.linkCount;
    return isThere ? model->links[link] : none;
}

// Movers that are placed on the stack.
#define MOVER_CAPACITY 128

// Where a link is, by the joints from it back to the root: it takes no memory.
static wkPose placeLinkAlone(const wkRobot* robot, const wkPose* base, const double* q,
                             int32_t link)
{
    wkPose placed = robot->links[link].pose;
    for (int32_t i = robot->links[link].mover; i > 0; i = robot->movers[i].parent) {
        wkPose inParent = wkPlaceJoint(&robot->movers[i], q);
        placed = wkMulUnitPose(&inParent, &placed);
    }
    return wkMulUnitPose(base, &placed);
}

void wkSphereModel_Place(const wkSphereModel* model, wkPose base, const double* q, wkBall* balls)
{
    if (model == NULL || balls == NULL) {
        return;
    }
    const wkRobot* robot = model->info.robot;
    wkPose movers[MOVER_CAPACITY];
    bool isSmall = robot->moverCount <= MOVER_CAPACITY;
    if (isSmall) {
        wkPlaceMovers(robot, base, q, movers);
    }
    base.rotation = wkNormalizeQuat(base.rotation);
    for (int32_t i = 0; i < robot->info.linkCount; i++) {
        const wkLinkBalls* link = &model->links[i];
        if (link->count == 0) {
            continue;
        }
        wkPose pose = isSmall ? wkMulUnitPose(&movers[robot->links[i].mover], &robot->links[i].pose)
                              : placeLinkAlone(robot, &base, q, i);
        for (int32_t k = link->first; k < link->first + link->count; k++) {
            balls[k] = model->balls[k].ball;
            balls[k].center = wkAdd(pose.position, wkRotateByUnit(pose.rotation, balls[k].center));
        }
    }
}
