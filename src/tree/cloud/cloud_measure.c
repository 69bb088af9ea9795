// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// One pass over all given points: how many are finite, their bounds, how far rounding moves them, and whether all
// their numbers are in range.

#include "base/error.h"
#include "base/isa_table.h"
#include "base/memory.h"
#include "math/vec.h"
#include "tree/cloud/cloud_build.h"

#include <inttypes.h>
#include <string.h>

WK_DEFINE_LANES(const wkCloudLanes, wkCloudLanes)

// The square root of three, rounded up: the length of a vector whose coordinates are 1.
#define DIAGONAL 1.7320508075688775

typedef struct measuring {
    const wkCloudSource* source;
    wkPointExtent* chunks;
} measuring;

static void measureChunk(void* context, int32_t chunk)
{
    const measuring* m = context;
    int64_t first = (int64_t)chunk * WK_SOURCE_CHUNK, left = m->source->count - first;
    wkCloudLanesOfMachine()->measure(
        m->source, first, left < WK_SOURCE_CHUNK ? left : WK_SOURCE_CHUNK, &m->chunks[chunk]);
}

static void joinChunks(wkSourceFigures* figures)
{
    for (int32_t i = 0; i < figures->chunkCount; ++i) {
        const wkPointExtent* chunk = &figures->chunks[i];
        wkPointExtent* all = &figures->all;
        for (int axis = 0; axis < 3; ++axis) {
            bool isFirst = all->finiteCount == 0;
            all->lower[axis] = isFirst || chunk->lower[axis] < all->lower[axis] ? chunk->lower[axis]
                                                                                : all->lower[axis];
            all->upper[axis] = isFirst || chunk->upper[axis] > all->upper[axis] ? chunk->upper[axis]
                                                                                : all->upper[axis];
        }
        all->error = wkMaxD(all->error, chunk->error);
        all->finiteCount += chunk->finiteCount;
    }
    figures->rounding = DIAGONAL * figures->all.error;
}

bool wkMeasureThinned(const wkCloudSource* source, const wkParallel* parallel,
                      wkSourceFigures* figures)
{
    memset(figures, 0, sizeof *figures);
    figures->chunkCount = WK_CHUNK_COUNT(source->count);
    figures->chunks = wkAlloc(((size_t)figures->chunkCount + 1) * sizeof *figures->chunks);
    if (figures->chunks == NULL) {
        return false;
    }
    measuring m = {source, figures->chunks};
    wkRunTasks(parallel, measureChunk, &m, figures->chunkCount);
    joinChunks(figures);
    return true;
}

void wkFreeSourceFigures(wkSourceFigures* figures)
{
    wkFree(figures->chunks, ((size_t)figures->chunkCount + 1) * sizeof *figures->chunks);
}

static bool isFinitePoint(const wkCloudSource* source, int64_t index)
{
    double sum = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        double given = wkSourceCoordinate(source, axis, index);
        sum += given - given;
    }
    return sum == 0.0;
}

// Names the first point that is out of range; some is.
static wkResult failRange(const wkCloudSource* source)
{
    for (int64_t i = 0; i < source->count; ++i) {
        for (int axis = 0; axis < 3 && isFinitePoint(source, i); ++axis) {
            double relative = wkSourceCoordinate(source, axis, i) - source->origin[axis];
            if (!(fabs(relative) <= WK_CLOUD_REACH)) {
                return wkFail(wk_errorRange,
                              "cloud: point %d: %c is %g from the origin, must be within %g",
                              (int)i, "xyz"[axis], relative, WK_CLOUD_REACH);
            }
        }
    }
    return wkFail(wk_errorRange, "cloud: a point is out of range");
}

static wkResult checkRange(const wkCloudSource* source, const wkPointExtent* all)
{
    bool isInRange = true;
    for (int axis = 0; axis < 3 && all->finiteCount > 0; ++axis) {
        isInRange = isInRange && (double)all->lower[axis] >= -WK_CLOUD_REACH &&
                    (double)all->upper[axis] <= WK_CLOUD_REACH;
    }
    return isInRange ? wk_ok : failRange(source);
}

// Checks a number of every finite point, which must be 0 or more.
static wkResult checkFloats(const wkCloudSource* source, const char* name, const char* numbers)
{
    for (int64_t i = 0; i < source->count && numbers != NULL; ++i) {
        float number = wkFloatAt(numbers + i * source->stride);
        bool isInRange = number >= 0.0f && (double)number <= WK_CLOUD_REACH;
        if (!isInRange && isFinitePoint(source, i)) {
            return wkFail(isfinite(number) ? wk_errorRange : wk_errorNotFinite,
                          "cloud: point %d: %s is %g, must be 0 to %g", (int)i, name,
                          (double)number, WK_CLOUD_REACH);
        }
    }
    return wk_ok;
}

wkResult wkMeasureSource(const wkCloudDef* def, const wkCloudSource* source,
                         const wkParallel* parallel, wkSourceFigures* figures)
{
    if (!wkMeasureThinned(source, parallel, figures)) {
        return wkFail(wk_errorMemory, "cloud: no memory for %" PRId64 " points", source->count);
    }
    if (!(figures->rounding <= def->maxRounding)) {
        return wkFail(
            wk_errorRange,
            "cloud: rounding to floats moves points by up to %g m, more than maxRounding, %g "
            "m; set origin near the points",
            figures->rounding, def->maxRounding);
    }
    const char* data = (const char*)def->points.data;
    const char* deviations =
        def->points.deviationOffset >= 0 ? data + def->points.deviationOffset : NULL;
    wkResult result = checkRange(source, &figures->all);
    result = result == wk_ok ? checkFloats(source, "radius", source->radii) : result;
    return result == wk_ok ? checkFloats(source, "deviation", deviations) : result;
}
