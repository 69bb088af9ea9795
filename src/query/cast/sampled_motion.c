// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Motions through a list of poses, linear between them.

#include "base/error.h"
#include "query/cast/motion_row.h"

#include <stdio.h>

wkResult wkSampledCheck(const wkBodyMotion* motion)
{
    const wkSampledPath* path = &motion->sampled;
    if (path->samples == NULL) {
        return wkFail(wk_errorArgument, "sampled motion: samples is NULL, expected an array");
    }
    if (path->count < 1) {
        return wkFail(wk_errorRange, "sampled motion: count is %d, must be at least 1",
                      (int)path->count);
    }
    for (int32_t i = 0; i < path->count; ++i) {
        double time = path->samples[i].time;
        if (!isfinite(time)) {
            return wkFail(wk_errorNotFinite,
                          "sampled motion: samples[%d].time is %g, must be finite", (int)i, time);
        }
        if (!(time >= 0.0 && time <= 1.0)) {
            return wkFail(wk_errorRange, "sampled motion: samples[%d].time is %g, must be 0 to 1",
                          (int)i, time);
        }
        if (i > 0 && !(time > path->samples[i - 1].time)) {
            return wkFail(
                wk_errorRange,
                "sampled motion: samples[%d].time is %g, must be above %g, the one before", (int)i,
                time, path->samples[i - 1].time);
        }
        if (!wkIsMotionPose(path->samples[i].pose)) {
            char field[40];
            snprintf(field, sizeof field, "samples[%d].pose", (int)i);
            return wkCheckMotionPose("sampled", field, path->samples[i].pose);
        }
    }
    return wk_ok;
}

void wkSampledPrepare(wkPreparedMotion* prepared)
{
    const wkSampledPath* path = &prepared->motion->sampled;
    double largest = 0.0;
    for (int32_t i = 0; i < path->count; ++i) {
        largest = wkMaxD(largest, wkSumAbs(path->samples[i].pose.position));
    }
    prepared->positionRounding = WK_POSITION_ROUNDING * largest;
    prepared->angleRounding = 3.0 * WK_ANGLE_ROUNDING;
}

// Returns how many samples are at `t` or before it.
static int32_t samplesUntil(const wkSampledPath* path, double t)
{
    int32_t first = 0, last = path->count;
    while (first < last) {
        int32_t middle = first + (last - first) / 2;
        if (path->samples[middle].time <= t) {
            first = middle + 1;
        } else {
            last = middle;
        }
    }
    return first;
}

wkPose wkSampledPoseAt(const wkPreparedMotion* prepared, double t)
{
    const wkSampledPath* path = &prepared->motion->sampled;
    int32_t index = samplesUntil(path, t);
    if (index == 0 || index == path->count) {
        return path->samples[index == 0 ? 0 : index - 1].pose;
    }
    const wkMotionSample *before = &path->samples[index - 1], *after = &path->samples[index];
    double part = (t - before->time) / (after->time - before->time);
    return part > 0.0 ? wkInterpolatePose(before->pose, after->pose, part) : before->pose;
}

double wkSampledNextKnot(const wkPreparedMotion* prepared, double t)
{
    const wkSampledPath* path = &prepared->motion->sampled;
    int32_t index = samplesUntil(path, t);
    return index < path->count ? path->samples[index].time : 1.0;
}

wkMotionRates wkSampledRates(const wkPreparedMotion* prepared, double t0, double t1)
{
    const wkSampledPath* path = &prepared->motion->sampled;
    wkMotionRates rates = {0.0, 0.0, 0.0, 0.0};
    int32_t index = samplesUntil(path, t0);
    if (index == 0 || index == path->count) {
        return rates;
    }
    (void)t1;
    const wkMotionSample *before = &path->samples[index - 1], *after = &path->samples[index];
    wkRotationWay way = wkWayBetween(before->pose.rotation, after->pose.rotation);
    double time = after->time - before->time;
    double length = wkLength(wkSub(after->pose.position, before->pose.position));
    double angle = 2.0 * way.halfAngle;
    angle += angle > 0.0 ? WK_ANGLE_ROUNDING : 0.0;
    rates.speed = length / time * (1.0 + WK_RATE_ROUNDING);
    rates.angularSpeed = angle / time * (1.0 + WK_RATE_ROUNDING);
    return rates;
}
