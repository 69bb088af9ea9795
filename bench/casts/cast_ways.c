// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "casts/cast_ways.h"

#include "../tests/scenes/rng.h"
#include "../tests/scenes/scene_math.h"

#include <math.h>

// Halvings of the distance at which a body that grazes passes.
#define HALVINGS 14

// A way before it is known at which distance it passes B.
typedef struct course {
    wkVec3d middle, along, across;
    wkQuat start, end; // rotations
    double before, after;
} course;

static wkCastWay wayOf(const course* c, wkPose standing, double offset)
{
    wkVec3d middle = wkSceneAdd(c->middle, wkSceneScale(c->across, offset));
    wkCastWay way = {{wkSceneSub(middle, wkSceneScale(c->along, c->before)), c->start},
                     {wkSceneAdd(middle, wkSceneScale(c->along, c->after)), c->end},
                     standing};
    return way;
}

static bool isFree(const wkCastJob* job, const wkCastWay* way)
{
    wkBodyMotion moving = job->isScrew ? wkMakeScrewMotion(way->start, way->end)
                                       : wkMakeLinearMotion(way->start, way->end);
    wkBodyMotion standing = wkMakeStaticMotion(way->standing);
    return !wkCast(&job->a, &moving, &job->b, &standing, NULL).isTouching;
}

// The least distance, nearly, at which the way is free.
static double grazingOffset(const wkCastJob* job, const course* c, wkPose standing, double radii)
{
    double touching = 0.0, apart = 1.2 * radii;
    for (int i = 0; i < HALVINGS; i++) {
        double offset = 0.5 * (touching + apart);
        wkCastWay way = wayOf(c, standing, offset);
        *(isFree(job, &way) ? &apart : &touching) = offset;
    }
    return apart;
}

void wkMakeCastWays(const wkCastJob* job, double radii, uint64_t seed, wkCastWay* ways)
{
    wkRng rng = wkMakeRng(seed);
    for (int i = 0; i < job->count; i++) {
        wkPose standing = {wkSceneScale(wkRngDirection(&rng), 0.1 * radii), wkRngRotation(&rng)};
        wkVec3d along = wkRngDirection(&rng), side = wkSceneCross(along, wkRngDirection(&rng));
        wkQuat start = wkRngRotation(&rng);
        wkQuat turn = wkMakeQuat(wkRngDirection(&rng), wkRngRange(&rng, -1.0, 1.0));
        course c = {.middle = standing.position,
                    .along = along,
                    .across = wkSceneScale(side, 1.0 / fmax(wkSceneLength(side), 1e-3)),
                    .start = start,
                    .end =
                        wkMulPose((wkPose){{0.0, 0.0, 0.0}, turn}, (wkPose){{0.0, 0.0, 0.0}, start})
                            .rotation,
                    .before = wkRngRange(&rng, 1.3, 2.5) * radii,
                    .after = wkRngRange(&rng, 1.3, 2.5) * radii};
        double share = wkRngUnit(&rng), offset = 0.3 * share * radii;
        if (i % 3 == 1) {
            offset = (1.05 + 0.5 * share) * radii;
        } else if (i % 3 == 2) {
            offset = grazingOffset(job, &c, standing, radii);
        }
        ways[i] = wayOf(&c, standing, offset);
    }
}
