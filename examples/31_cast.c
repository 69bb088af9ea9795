// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Casts: a box tumbles past a thin shelf and falls on the ground. The cast finds the first contact as a bracket of
// two times, or proves that there is none at any instant; checks in steps pass through the shelf.

#include "whisker/whisker.h"

#include <math.h>
#include <stdio.h>

// From t = 0 to t = 1 a second passes.
#define GRAVITY 9.81
#define SPIN 2.0

typedef struct fall {
    wkVec3d from;
} fall;

// The pose of a body in free fall that spins about an axis.
static wkPose poseAt(double t, void* context)
{
    const fall* start = (const fall*)context;
    wkPose pose = {start->from, wkMakeQuat((wkVec3d){1.0, 1.0, 0.0}, SPIN * t)};
    pose.position.z -= 0.5 * GRAVITY * t * t;
    return pose;
}

// Bounds on speed and acceleration are part of the proof.
static wkBodyMotion makeFall(fall* start)
{
    wkBodyMotion motion = wkMakeFunctionMotion(poseAt, start, GRAVITY, SPIN);
    motion.function.maxAcceleration = GRAVITY;
    motion.function.maxAngularAcceleration = 0.0;
    return motion;
}

static void report(const char* name, const wkCastResult* cast)
{
    if (!cast->isTouching) {
        printf("%s: free at every instant\n", name);
        return;
    }
    double width = cast->touchingBy - cast->time;
    printf("%s: free until t = %.4f, touching %s later, %s\n", name, cast->time,
           width <= 1e-6 ? "at most 1e-6" : "more than 1e-6", wkStatusName(cast->status));
    printf("    at (%.3f, %.3f, %.3f)\n", cast->pointB.x, cast->pointB.y, cast->pointB.z);
}

// Checks single instants, as many programs do.
static int countTouching(const wkShape* a, const wkBodyMotion* motion, const wkShape* b,
                         wkPose pose, int stepCount)
{
    int touchingCount = 0;
    for (int i = 0; i <= stepCount; i++) {
        wkPose at = wkBodyMotion_PoseAt(motion, (double)i / stepCount);
        touchingCount += wkCollide(a, at, b, pose, NULL).isTouching;
    }
    return touchingCount;
}

int main(void)
{
    wkShape box = wkMakeBox(0.2, 0.1, 0.1);
    wkShape shelf = wkMakeBox(1.0, 1.0, 0.001);
    wkShape ground = wkMakeHalfspace((wkVec3d){0.0, 0.0, 1.0}, 0.0);
    wkPose shelfPose = wkMakePose(0.6, 0.0, 2.0), groundPose = wkIdentityPose();
    wkBodyMotion shelfMotion = wkMakeStaticMotion(shelfPose);
    wkBodyMotion groundMotion = wkMakeStaticMotion(groundPose);

    // Its end reaches over the edge of the shelf.
    fall beside = {{0.03, 0.0, 4.0}};
    wkBodyMotion falling = makeFall(&beside);
    wkCastResult cast = wkCast(&box, &falling, &shelf, &shelfMotion, NULL);
    report("shelf", &cast);
    printf("shelf: 10 steps find %d contacts\n",
           countTouching(&box, &falling, &shelf, shelfPose, 10));

    // Further away, the same fall passes it, which no number of steps would prove.
    fall away = {{-0.2, 0.0, 4.0}};
    falling = makeFall(&away);
    cast = wkCast(&box, &falling, &shelf, &shelfMotion, NULL);
    report("shelf", &cast);
    cast = wkCast(&box, &falling, &ground, &groundMotion, NULL);
    report("ground", &cast);

    // A conveyor moves the shelf into the way.
    shelfMotion = wkMakeLinearMotion(shelfPose, wkMakePose(-0.4, 0.0, 2.0));
    cast = wkCast(&box, &falling, &shelf, &shelfMotion, NULL);
    report("moving shelf", &cast);
    return 0;
}
