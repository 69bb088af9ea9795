// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Reads points of any layout into blocks for lanes.

#include "sense/filter/filter_impl.h"
#include "simd/quad.h"

// Finite coordinates that are too large for a float, far outside of every limit.
#define FURTHEST 1e30

// Reads points of contiguous floats, four at a time, with the four bytes behind each.
static void readQuads(const char* bytes, int64_t stride, wkFilterBlock* block)
{
    for (int i = 0; i < WK_FILTER_BLOCK; i += 4) {
        wkQuad quads[4];
        for (int k = 0; k < 4; ++k) {
            memcpy(&quads[k], bytes, sizeof quads[k]);
            bytes += stride;
        }
        wkTransposeQuads(quads);
        memcpy(block->x + i, &quads[0], sizeof quads[0]);
        memcpy(block->y + i, &quads[1], sizeof quads[1]);
        memcpy(block->z + i, &quads[2], sizeof quads[2]);
    }
}

static float narrow(double coordinate)
{
    bool isHuge = fabs(coordinate) > FURTHEST && fabs(coordinate) < INFINITY;
    return (float)(isHuge ? copysign(FURTHEST, coordinate) : coordinate);
}

static void readAny(const wkFilterRun* run, int32_t first, int32_t count, wkFilterBlock* block)
{
    for (int32_t i = 0; i < WK_FILTER_BLOCK; ++i) {
        wkVec3d point = wkVec(NAN, NAN, NAN);
        if (i < count) {
            point = wkPointAt(run, wkPointIndex(run, first + i));
        }
        block->x[i] = narrow(point.x);
        block->y[i] = narrow(point.y);
        block->z[i] = narrow(point.z);
    }
}

// Reads floats of any layout.
static void readFloats(const wkFilterRun* run, int32_t first, int32_t count, wkFilterBlock* block)
{
    const wkCloudLayout* l = &run->layout;
    for (int32_t i = 0; i < count; ++i) {
        const char* bytes = l->data + wkPointIndex(run, first + i) * l->stride;
        block->x[i] = wkFloatAt(bytes + l->offsets[0]);
        block->y[i] = wkFloatAt(bytes + l->offsets[1]);
        block->z[i] = wkFloatAt(bytes + l->offsets[2]);
    }
    for (int32_t i = count; i < WK_FILTER_BLOCK; ++i) {
        block->x[i] = block->y[i] = block->z[i] = NAN;
    }
}

void wkReadFilterBlock(const wkFilterRun* run, int32_t i, int32_t count, wkFilterBlock* block)
{
    const wkCloudLayout* l = &run->layout;
    bool isContiguous = l->offsets[1] == l->offsets[0] + (int32_t)sizeof(float) &&
                        l->offsets[2] == l->offsets[1] + (int32_t)sizeof(float);
    // the four bytes behind z are those of the next point, or before it
    bool isFollowed = count == WK_FILTER_BLOCK && i + count < run->layout.count;
    if (l->isDouble || run->hasOrigin) {
        readAny(run, i, count, block);
    } else if (isContiguous && isFollowed && l->stride > 0 && run->indices == NULL) {
        readQuads(l->data + i * l->stride + l->offsets[0], l->stride, block);
    } else {
        readFloats(run, i, count, block);
    }
}
