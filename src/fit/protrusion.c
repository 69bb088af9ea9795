// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// How far balls stick out. No two points differ more in their distance from a body than they are apart,
// so that the distance at the middle of a cube bounds it in all of the cube. Cubes are cut into eight
// where that does not do. Signed distances bound more than others, but not where a mesh leaks.

#include "fit/prove.h"

#include "math/vec.h"

#define DEEPEST 20

typedef struct outWalk {
    const wkSkin* skin;
    wkBall ball;
    double tolerance;
    double found;  // a point of a ball is that far outside
    double proven; // no point of this ball is further
    int looks;     // so far
    int maxLooks;
    int deepest; // cuts
} outWalk;

static double distanceAt(const outWalk* walk, wkVec3d point)
{
    double distance = wkSkin_Distance(walk->skin, point);
    return walk->skin->isLeaky ? wkPositive(distance) : distance;
}

static void walkCube(outWalk* walk, wkVec3d middle, double half, int depth)
{
    double around = sqrt(3.0) * half * (1.0 + 1e-15);
    double beyond = wkLength(wkSub(middle, walk->ball.center)) - walk->ball.radius;
    if (beyond > around) {
        return;
    }
    double distance = distanceAt(walk, middle);
    walk->looks++;
    // the next point of the ball is no nearer to the body than this
    walk->found = wkMaxD(walk->found, distance - wkPositive(beyond));
    double upper = distance + around;
    if (upper <= walk->found + walk->tolerance || depth == walk->deepest) {
        walk->proven = wkMaxD(walk->proven, upper);
        return;
    }
    for (int i = 0; i < 8; ++i) {
        double h = 0.5 * half;
        wkVec3d step = wkVec(i & 1 ? h : -h, i & 2 ? h : -h, i & 4 ? h : -h);
        walkCube(walk, wkAdd(middle, step), h, depth + 1);
    }
}

// One more cut each time, so that all parts of a ball have had the same when it takes too long.
static double outOfBall(outWalk* walk, double atCenter)
{
    double least = atCenter + walk->ball.radius;
    walk->looks = 0;
    for (walk->deepest = 1; walk->deepest <= DEEPEST && walk->looks < walk->maxLooks;
         walk->deepest++) {
        if (least <= walk->found + walk->tolerance) {
            break;
        }
        walk->proven = 0.0;
        walkCube(walk, walk->ball.center, walk->ball.radius, 0);
        least = wkMinD(least, walk->proven);
    }
    return least;
}

double wkMeasureProtrusion(const wkSkin* skin, const wkBall* balls, int32_t count,
                           const wkOutMeasure* how)
{
    outWalk walk = {.skin = skin, .tolerance = how->tolerance, .maxLooks = how->maxLooks};
    walk.found = wkPositive(how->enough - how->tolerance);
    double proven = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        walk.ball = balls[i];
        proven = wkMaxD(proven, outOfBall(&walk, distanceAt(&walk, balls[i].center)));
    }
    return proven;
}
