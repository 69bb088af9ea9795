// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Reads points from the caller's memory: any stride, offsets and alignment, floats or doubles.

#include "base/error.h"
#include "base/memory.h"
#include "math/round.h"
#include "tree/cloud/cloud_impl.h"
#include "tree/cloud/cloud_view.h"
#include "tree/cloud/curve_kernel.h"

#include <inttypes.h>
#include <string.h>

// A difference of two doubles is exact to this share of the larger.
#define SHARE_OF_ROUNDING 0x1p-53

// The square root of three, rounded up: the length of a vector whose coordinates are 1.
#define DIAGONAL 1.7320508075688775

static bool reserve(const wkCloudDef* def, wkCloudPoints* points)
{
    bool hasRadii = def->points.radiusOffset >= 0 || def->spacing > 0.0 || def->mergesDuplicates;
    uint64_t count = (uint64_t)def->points.count, bytes = 0;
    uint64_t offsets[5];
    for (int i = 0; i < (hasRadii ? 5 : 4); ++i) {
        offsets[i] = wkReserve(&bytes, (count + WK_CURVE_BLOCK) * sizeof(float));
    }
    points->memory = wkAlloc((size_t)bytes);
    points->byteCount = (size_t)bytes;
    if (points->memory == NULL) {
        return false;
    }
    char* memory = (char*)points->memory;
    points->x = (float*)(memory + offsets[0]);
    points->y = (float*)(memory + offsets[1]);
    points->z = (float*)(memory + offsets[2]);
    points->ids = (int32_t*)(memory + offsets[3]);
    points->radii = hasRadii ? (float*)(memory + offsets[4]) : NULL;
    return true;
}

// A coordinate that is not finite makes the sum of its products with zero NaN.
static bool isFinite(const double p[3])
{
    return p[0] * 0.0 + p[1] * 0.0 + p[2] * 0.0 == 0.0;
}

// Reads the finite positions, relative to the origin, and returns the largest error of a coordinate.
static double readPositions(const wkCloudLayout* l, wkVec3d origin, wkCloudPoints* points)
{
    const double from[3] = {origin.x, origin.y, origin.z};
    const double share = wkMaxAbs(origin) > 0.0 ? SHARE_OF_ROUNDING : 0.0;
    float* to[3] = {points->x, points->y, points->z};
    int32_t kept = 0;
    double error = 0.0;
    for (int64_t i = 0; i < l->count; ++i) {
        const char* point = l->data + i * l->stride;
        double given[3];
        for (int axis = 0; axis < 3; ++axis) {
            const char* bytes = point + l->offsets[axis];
            given[axis] = l->isDouble ? wkDoubleAt(bytes) : (double)wkFloatAt(bytes);
        }
        if (!isFinite(given)) {
            continue;
        }
        for (int axis = 0; axis < 3; ++axis) {
            double relative = given[axis] - from[axis];
            float rounded = (float)relative;
            to[axis][kept] = rounded;
            error = wkMaxD(error, fabs(relative - (double)rounded) + share * fabs(given[axis]));
        }
        points->ids[kept++] = (int32_t)i;
    }
    points->count = kept;
    points->notFiniteCount = (int32_t)(l->count - kept);
    return error;
}

// Fails at the first coordinate that is out of range.
static wkResult checkRange(const wkCloudPoints* points)
{
    const float* from[3] = {points->x, points->y, points->z};
    for (int axis = 0; axis < 3; ++axis) {
        for (int32_t i = 0; i < points->count; ++i) {
            if (!((double)fabsf(from[axis][i]) <= WK_CLOUD_REACH)) {
                return wkFail(
                    wk_errorRange, "cloud: point %d: %c is %g from the origin, must be within %g",
                    (int)points->ids[i], "xyz"[axis], (double)from[axis][i], WK_CLOUD_REACH);
            }
        }
    }
    return wk_ok;
}

// Reads a number of every kept point that must be finite and 0 or more; NULL: only checks it.
static wkResult readFloats(const wkCloudLayout* l, const char* name, int32_t offset, double added,
                           const wkCloudPoints* points, float* numbers)
{
    for (int32_t i = 0; i < points->count; ++i) {
        float number = wkFloatAt(l->data + points->ids[i] * l->stride + offset);
        if (!(number >= 0.0f && (double)number <= WK_CLOUD_REACH)) {
            return wkFail(isfinite(number) ? wk_errorRange : wk_errorNotFinite,
                          "cloud: point %d: %s is %g, must be 0 to %g", (int)points->ids[i], name,
                          (double)number, WK_CLOUD_REACH);
        }
        if (numbers != NULL) {
            numbers[i] = wkRoundUp((double)number + added);
        }
    }
    return wk_ok;
}

static wkResult readRadii(const wkCloudDef* def, const wkCloudLayout* l, wkCloudPoints* points)
{
    wkResult result = wk_ok;
    if (l->radiusOffset >= 0) {
        result = readFloats(l, "radius", l->radiusOffset, def->radius, points, points->radii);
    } else if (points->radii != NULL) {
        float radius = wkRoundUp(def->radius);
        for (int32_t i = 0; i < points->count; ++i) {
            points->radii[i] = radius;
        }
    }
    if (result == wk_ok && l->deviationOffset >= 0) {
        result = readFloats(l, "deviation", l->deviationOffset, 0.0, points, NULL);
    }
    return result;
}

wkResult wkReadCloudPoints(const wkCloudDef* def, wkCloudPoints* points)
{
    memset(points, 0, sizeof *points);
    wkCloudLayout l;
    wkResult result = wkLayOutCloud(&def->points, &l);
    if (result != wk_ok) {
        return result;
    }
    if (!reserve(def, points)) {
        return wkFail(wk_errorMemory, "cloud: no memory for %" PRId64 " points", l.count);
    }
    points->stride = l.stride;
    points->rounding = DIAGONAL * readPositions(&l, def->origin, points);
    if (!(points->rounding <= def->maxRounding)) {
        return wkFail(
            wk_errorRange,
            "cloud: rounding to floats moves points by up to %g m, more than maxRounding, %g "
            "m; set origin near the points",
            points->rounding, def->maxRounding);
    }
    result = checkRange(points);
    return result == wk_ok ? readRadii(def, &l, points) : result;
}

void wkFreeCloudPoints(wkCloudPoints* points)
{
    wkFree(points->memory, points->byteCount);
}
