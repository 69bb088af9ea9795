// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Points of a scan become ends of beams.

#include "tree/octree_scan.h"

#include "base/parallel.h"

#include <string.h>

static void widen(wkScanSlice* s, const int32_t key[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        s->lowest[axis] = key[axis] < s->lowest[axis] ? key[axis] : s->lowest[axis];
        s->highest[axis] = key[axis] > s->highest[axis] ? key[axis] : s->highest[axis];
    }
}

static bool isFinitePoint(const float p[3])
{
    return isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]);
}

// @return whether the beam reaches as far as its range goes
static bool isFar(const wkScanJob* j, const float point[3])
{
    float end[3] = {point[0], point[1], point[2]};
    return isfinite(j->source.maxRange) && wkCutBeam(&j->source, end);
}

static void addEnd(const wkScanJob* j, wkScanSlice* s, wkScanEnd end, const int32_t key[3])
{
    wkScanEnd* ends = &j->ends[s->first];
    ends[s->endCount++] = end;
    widen(s, key);
}

// Points that are in no cell.
static void takeOutsider(const wkScanJob* j, wkScanSlice* s, int32_t index, const float point[3])
{
    int32_t key[3] = {0, 0, 0};
    float end[3] = {point[0], point[1], point[2]};
    if (!isFinitePoint(point)) {
        ++s->report.notFiniteCount;
    } else if (wkCutBeam(&j->source, end) && wkKeyOfPoint(&j->source, end, key)) {
        // the range ends before
        ++s->report.usedCount;
        ++s->report.farCount;
        addEnd(j, s, WK_END_IS_POINT | (wkScanEnd)index, key);
    } else {
        ++s->report.outsideCount;
    }
}

static int32_t sliceEnd(const wkScanJob* j, const wkScanSlice* s)
{
    int32_t left = j->scan->points.count - s->first;
    return s->first + (left < WK_POINTS_PER_SLICE ? left : WK_POINTS_PER_SLICE);
}

static void takeSlice(void* context, int32_t task)
{
    const wkScanJob* j = (const wkScanJob*)context;
    wkScanSlice* s = &j->slices[task];
    int32_t end = sliceEnd(j, s);
    wkScanEnd last = UINT64_MAX;
    for (int32_t i = s->first; i < end; ++i) {
        int32_t key[3] = {0, 0, 0};
        const float* point = &j->points[(size_t)i * j->pointStep];
        if (j->source.isMoved) {
            float* moved = &j->moved[3 * (size_t)i];
            wkMovePoint(&j->source, point, moved);
            point = moved;
        }
        if (!wkKeyOfPoint(&j->source, point, key)) {
            takeOutsider(j, s, i, point);
            continue;
        }
        // neighbours are often in the same cell
        wkScanEnd here = j->scan->isExact ? WK_END_IS_POINT | (wkScanEnd)i : wkPackEnd(key);
        if (here != last) {
            addEnd(j, s, here, key);
            last = here;
        }
        ++s->report.usedCount;
        s->report.farCount += isFar(j, point);
    }
}

void wkTakePoints(wkScanJob* job)
{
    wkRunTasks(job->scan->parallel, takeSlice, job, job->sliceCount);
    if (job->source.isMoved) {
        job->points = job->moved;
        job->pointStep = 3;
    }
}

// Where a beam ends. @return whether that is where its range ends
bool wkPlaceEnd(const wkScanJob* j, wkScanEnd end, float place[3])
{
    if ((end & WK_END_IS_POINT) != 0) {
        memcpy(place, &j->points[(size_t)(end & ~WK_END_IS_POINT) * j->pointStep],
               3 * sizeof *place);
    } else {
        int32_t key[3] = {0, 0, 0};
        wkUnpackEnd(end, key);
        for (int axis = 0; axis < 3; ++axis) {
            place[axis] = (float)wkMiddleOfKey(&j->source, key[axis]);
        }
    }
    return wkCutBeam(&j->source, place);
}

void wkKeyOfEnd(const wkScanJob* j, wkScanEnd end, int32_t key[3])
{
    if ((end & WK_END_IS_POINT) != 0) {
        uint64_t index = end & ~(WK_END_IS_POINT | WK_END_IS_FAR);
        wkKeyOfPoint(&j->source, &j->points[(size_t)index * j->pointStep], key);
    } else {
        wkUnpackEnd(end, key);
    }
}
