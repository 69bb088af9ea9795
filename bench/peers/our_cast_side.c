// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Whisker's side of the rows of casts: public functions only, motions made before the clock starts.

#include "peers/cast_peer.h"

#include <math.h>
#include <stdlib.h>

typedef struct ourCasts {
    const wkCastJob* job;
    wkBodyMotion* moving;
    wkBodyMotion* standing;
    wkAnswer* answers;
} ourCasts;

static void closeCasts(void* handle)
{
    ourCasts* ours = (ourCasts*)handle;
    free(ours->moving);
    free(ours->standing);
    free(ours);
}

static void* openCasts(const wkCastJob* job, wkAnswer* answers)
{
    ourCasts* ours = (ourCasts*)calloc(1, sizeof *ours);
    if (ours == NULL) {
        return NULL;
    }
    ours->job = job;
    ours->answers = answers;
    ours->moving = (wkBodyMotion*)malloc((size_t)job->count * sizeof *ours->moving);
    ours->standing = (wkBodyMotion*)malloc((size_t)job->count * sizeof *ours->standing);
    if (ours->moving == NULL || ours->standing == NULL) {
        closeCasts(ours);
        return NULL;
    }
    for (int i = 0; i < job->count; i++) {
        const wkCastWay* way = &job->ways[i];
        ours->moving[i] = job->isScrew ? wkMakeScrewMotion(way->start, way->end)
                                       : wkMakeLinearMotion(way->start, way->end);
        ours->standing[i] = wkMakeStaticMotion(way->standing);
    }
    return ours;
}

static void passCasts(void* handle)
{
    const ourCasts* ours = (const ourCasts*)handle;
    const wkCastJob* job = ours->job;
    wkCastRequest request = wkDefaultCastRequest();
    request.tolerance = WK_CAST_TOLERANCE;
    for (int i = 0; i < job->count; i++) {
        wkCastResult result =
            wkCast(&job->a, &ours->moving[i], &job->b, &ours->standing[i], &request);
        ours->answers[i] = result.isTouching ? result.time : (double)INFINITY;
    }
}

static void passStarts(void* handle)
{
    const ourCasts* ours = (const ourCasts*)handle;
    const wkCastJob* job = ours->job;
    wkDistanceRequest request = wkDefaultDistanceRequest();
    for (int i = 0; i < job->count; i++) {
        const wkCastWay* way = &job->ways[i];
        ours->answers[i] =
            wkDistance(&job->a, way->start, &job->b, way->standing, &request).distance;
    }
}

const wkCastPeer wkOurCastSide = {"whisker", NULL, openCasts, passCasts, closeCasts};
const wkCastPeer wkOurStartSide = {"distance", NULL, openCasts, passStarts, closeCasts};
