// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Converts points of a scan to ends of rays.

#include "tree/octree/octree_scan.h"

#include "base/parallel.h"

#include "whisker/detail/library.h"

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

// @return whether the ray reaches its range
static bool isFar(const wkScanJob* j, const float point[3])
{
    float end[3] = {point[0], point[1], point[2]};
    return isfinite(j->source.maxRange) && wkCutGridRay(&j->source, end);
}

static void addEnd(const wkScanJob* j, wkScanSlice* s, wkScanEnd end)
{
    j->ends[s->first + s->endCount++] = end;
}

static wkScanEnd keepPoint(const wkScanJob* j, wkScanSlice* s, const float point[3])
{
    size_t index = (size_t)s->first + (size_t)s->keptCount++;
    memcpy(&j->kept[3 * index], point, 3 * sizeof *point);
    return WK_END_IS_POINT | (wkScanEnd)index;
}

// Handles a point that is in no cell.
static void takeOutsider(const wkScanJob* j, wkScanSlice* s, const float point[3])
{
    int32_t key[3] = {0, 0, 0};
    float end[3] = {point[0], point[1], point[2]};
    if (!isFinitePoint(point)) {
        ++s->report.notFiniteCount;
    } else if (wkCutGridRay(&j->source, end) && wkKeyOfPoint(&j->source, end, key)) {
        // the range ends before that
        ++s->report.usedCount;
        ++s->report.farCount;
        addEnd(j, s, keepPoint(j, s, point));
        widen(s, key);
    } else {
        ++s->report.outsideCount;
    }
}

// Neighbouring points are often in the same cell, which then is the end of one ray.
static wkScanEnd takeCells(const wkScanJob* j, wkScanSlice* s, const wkScanEnd* cells,
                           int32_t count, wkScanEnd last)
{
    wkScanEnd* ends = &j->ends[s->first];
    int32_t endCount = s->endCount;
    for (int32_t i = 0; i < count; ++i) {
        bool isNew = (cells[i] != last) & (cells[i] != WK_END_IS_NOWHERE);
        ends[endCount] = cells[i];
        endCount += isNew;
        last = isNew ? cells[i] : last;
    }
    for (; s->endCount < endCount; ++s->endCount) {
        int32_t key[3] = {0, 0, 0};
        wkUnpackEnd(ends[s->endCount], key);
        widen(s, key);
    }
    return last;
}

// Handles points one by one where that is needed.
static void takeSingly(const wkScanJob* j, wkScanSlice* s, const wkPiece* piece,
                       const wkScanEnd* cells, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        const float point[3] = {piece->x[i], piece->y[i], piece->z[i]};
        if (cells[i] == WK_END_IS_NOWHERE) {
            takeOutsider(j, s, point);
            continue;
        }
        if (j->scan->isExact) {
            int32_t key[3] = {0, 0, 0};
            wkUnpackEnd(cells[i], key);
            addEnd(j, s, keepPoint(j, s, point));
            widen(s, key);
        }
        ++s->report.usedCount;
        s->report.farCount += isFar(j, point);
    }
}

static int32_t countInside(const wkScanEnd* cells, int32_t count)
{
    int32_t inside = 0;
    for (int32_t i = 0; i < count; ++i) {
        inside += cells[i] != WK_END_IS_NOWHERE;
    }
    return inside;
}

static wkScanEnd takePiece(const wkScanJob* j, wkScanSlice* s, const wkPiece* piece, int32_t count,
                           wkScanEnd last)
{
    wkScanEnd cells[WK_POINTS_PER_PIECE];
    wkPackPiece(&j->source, piece, count, cells);
    if (!j->scan->isExact) {
        last = takeCells(j, s, cells, count, last);
    }
    bool isPlain = !j->scan->isExact && !isfinite(j->source.maxRange);
    if (isPlain && countInside(cells, count) == count) {
        s->report.usedCount += count;
    } else {
        takeSingly(j, s, piece, cells, count);
    }
    return last;
}

static void takeSlice(void* context, int32_t task)
{
    const wkScanJob* j = (const wkScanJob*)context;
    wkScanSlice* s = &j->slices[task];
    wkPiece piece;
    wkScanEnd last = WK_END_IS_NOWHERE;
    int32_t left = j->points->pieceCount - task * WK_PIECES_PER_SLICE;
    int32_t pieceCount = left < WK_PIECES_PER_SLICE ? left : WK_PIECES_PER_SLICE;
    for (int32_t i = 0; i < pieceCount; ++i) {
        int32_t count = j->points->read(j->points->context, task * WK_PIECES_PER_SLICE + i, &piece);
        if (j->source.isMoved) {
            wkMovePiece(&j->source, &piece, count);
        }
        last = takePiece(j, s, &piece, count, last);
    }
}

void wkTakePoints(wkScanJob* job)
{
    wkRunTasks(job->scan->parallel, takeSlice, job, job->sliceCount);
}

// Computes the end point of a ray. @return whether the range limits it
bool wkPlaceEnd(const wkScanJob* j, wkScanEnd end, float endPoint[3])
{
    if ((end & WK_END_IS_POINT) != 0) {
        memcpy(endPoint, &j->kept[3 * (size_t)(end & ~WK_END_IS_POINT)], 3 * sizeof *endPoint);
    } else {
        int32_t key[3] = {0, 0, 0};
        wkUnpackEnd(end, key);
        for (int axis = 0; axis < 3; ++axis) {
            endPoint[axis] = (float)wkMiddleOfKey(&j->source, key[axis]);
        }
    }
    return wkCutGridRay(&j->source, endPoint);
}

void wkKeyOfEnd(const wkScanJob* j, wkScanEnd end, int32_t key[3])
{
    if ((end & WK_END_IS_POINT) != 0) {
        uint64_t index = end & ~(WK_END_IS_POINT | WK_END_IS_FAR);
        wkKeyOfPoint(&j->source, &j->kept[3 * (size_t)index], key);
    } else {
        wkUnpackEnd(end, key);
    }
}
