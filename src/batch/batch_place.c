// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Positions of the spheres of many configurations.

#include "batch/batch_backend.h"
#include "batch/batch_kernel.h"
#include "simd/quad.h"

#include <math.h>
#include <string.h>

#define LEAST_STATES 256
#define MOST_STATES 4096

static void putSphere(float* to, wkVec3d center, double radius)
{
    to[0] = (float)center.x;
    to[1] = (float)center.y;
    to[2] = (float)center.z;
    to[3] = (float)radius;
}

// A coordinate of the origin, as a sum of two floats.
typedef struct originSum {
    wkQuad most, rest;
} originSum;

static originSum sumOf(double coordinate)
{
    float most = (float)coordinate;
    originSum sum = {wkQuadOf(most), wkQuadOf((float)(coordinate - (double)most))};
    return sum;
}

// Converts a sphere of four rows from the layout of the kernels: each row gets a quad.
WK_FORCE_FN void takeSphere(const float* placed, const originSum origin[3], float radius,
                            wkQuad quads[4])
{
    for (int axis = 0; axis < 3; ++axis) {
        memcpy(&quads[axis], placed + axis * WK_PLACED_ROWS, sizeof quads[axis]);
        quads[axis] = (quads[axis] + origin[axis].rest) + origin[axis].most;
    }
    quads[3] = wkQuadOf(radius);
    wkTransposeQuads(quads);
}

static void putRows(const wkBatch* batch, const wkBatchScratch* scratch, int32_t rowCount,
                    float* to)
{
    const wkProgram* program = batch->program;
    const originSum origin[3] = {sumOf(program->origin.x), sumOf(program->origin.y),
                                 sumOf(program->origin.z)};
    ptrdiff_t pitch = 4 * (ptrdiff_t)program->modelSphereCount;
    for (int32_t i = 0; i < program->sphereCount; ++i) {
        if (program->numbers[i] >= program->modelSphereCount) {
            continue;
        }
        float* sphere = to + 4 * (ptrdiff_t)program->numbers[i];
        for (int32_t row = 0; row < rowCount; row += 4) {
            wkQuad quads[4];
            takeSphere(scratch->placed + (ptrdiff_t)i * 3 * WK_PLACED_ROWS + row, origin,
                       program->radius[i], quads);
            for (int32_t k = 0; k < 4 && row + k < rowCount; ++k) {
                memcpy(sphere + (row + k) * pitch, &quads[k], sizeof quads[k]);
            }
        }
    }
}

static void putScalarRow(const wkBatch* batch, wkBatchScratch* scratch, const double* q, float* to)
{
    const wkProgram* program = batch->program;
    wkPlaceScalar(batch, scratch, q);
    for (int32_t i = 0; i < program->sphereCount; ++i) {
        if (program->numbers[i] < program->modelSphereCount) {
            putSphere(to + 4 * (ptrdiff_t)program->numbers[i], scratch->spheres[i].center,
                      scratch->spheres[i].radius);
        }
    }
}

static void putInvalidRow(const wkBatch* batch, float* to)
{
    for (int32_t i = 0; i < 4 * batch->program->modelSphereCount; ++i) {
        to[i] = NAN;
    }
}

static void placeStates(const wkBatch* batch, wkBatchScratch* scratch, const void* asked,
                        int64_t first, int64_t count)
{
    const wkSpheresCall* call = (const wkSpheresCall*)asked;
    int64_t length = batch->program->variableCount;
    for (int64_t done = 0; done < count; done += WK_PLACED_ROWS) {
        int64_t left = count - done;
        int32_t rowCount = (int32_t)(left < WK_PLACED_ROWS ? left : WK_PLACED_ROWS);
        const double* rows = call->configurations + (first + done) * length;
        float* to = call->spheres + (first + done) * 4 * batch->program->modelSphereCount;
        bool isInvalid[WK_PLACED_ROWS] = {false}, needsScalar[WK_PLACED_ROWS] = {false};
        batch->lanes->placeSpheres(batch, scratch, rows, rowCount, isInvalid, needsScalar);
        putRows(batch, scratch, rowCount, to);
        for (int32_t i = 0; i < rowCount; ++i) {
            float* row = to + (ptrdiff_t)i * 4 * batch->program->modelSphereCount;
            if (isInvalid[i]) {
                putInvalidRow(batch, row);
            } else if (needsScalar[i]) {
                putScalarRow(batch, scratch, rows + i * length, row);
            }
        }
    }
}

wkResult wkPlaceSpheresOnCpu(const wkBatch* batch, wkBatchContext* context,
                             const wkSpheresCall* call, int64_t count)
{
    static const wkBatchWork work = {"wkBatch_PlaceSpheres", placeStates, LEAST_STATES,
                                     MOST_STATES};
    return wkRunBatch(&work, batch, context, call, count);
}
