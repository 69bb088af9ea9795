// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Copies the finite points of a source into arrays, with the radius of each.

#include "base/memory.h"
#include "math/round.h"
#include "tree/cloud/cloud_build.h"

#include <string.h>

static bool reserve(int32_t count, wkCloudPoints* points)
{
    uint64_t bytes = 0, offsets[5];
    for (int i = 0; i < 5; ++i) {
        offsets[i] = wkReserve(&bytes, ((uint64_t)count + 1) * sizeof(float));
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
    points->radii = (float*)(memory + offsets[4]);
    return true;
}

bool wkReadCloudPoints(const wkCloudSource* source, int32_t finiteCount, wkCloudPoints* points)
{
    memset(points, 0, sizeof *points);
    if (!reserve(finiteCount, points)) {
        return false;
    }
    for (int64_t i = 0; points->count < finiteCount; ++i) {
        double sum = 0.0;
        for (int axis = 0; axis < 3; ++axis) {
            double given = wkSourceCoordinate(source, axis, i);
            sum += given - given;
        }
        if (sum == 0.0) {
            float position[3];
            wkReadSourcePoint(source, i, position);
            points->x[points->count] = position[0];
            points->y[points->count] = position[1];
            points->z[points->count] = position[2];
            points->ids[points->count] = (int32_t)i;
            double own =
                source->radii != NULL ? (double)wkFloatAt(source->radii + i * source->stride) : 0.0;
            points->radii[points->count++] = wkRoundUp(own + source->addedRadius);
        }
    }
    return true;
}

void wkFreeCloudPoints(wkCloudPoints* points)
{
    wkFree(points->memory, points->byteCount);
}
