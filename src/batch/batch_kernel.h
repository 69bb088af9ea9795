// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The SIMD kernels of a batch, compiled once per instruction set.

#include "batch/batch_impl.h"

struct wkBatchKernels {
    int32_t laneCount;

    // Fills the constant part of a scratch.
    void (*startScratch)(const wkBatch* batch, const wkBatchScratch* scratch);

    // Checks a block.
    void (*check)(const wkBatch* batch, wkBatchScratch* scratch, const wkBlockCheck* check);

    // Places all spheres of up to WK_PLACED_ROWS rows, into `placed` of the scratch: of sphere i in row k,
    // relative to the origin of the program, x is at (3 * i) * WK_PLACED_ROWS + k, and y and z follow
    // at WK_PLACED_ROWS numbers further each. The centers of parts go into `centers` in the same layout.
    // @param isInvalid of rows
    // @param needsScalar of rows: they need the double-precision path
    void (*placeSpheres)(const wkBatch* batch, wkBatchScratch* scratch, const double* rows,
                         int32_t count, bool* isInvalid, bool* needsScalar);

    // Computes lower bounds on the distances of these centers from objects, into `bounds` of the scratch:
    // of sphere i in row k at i * WK_PLACED_ROWS + k. None is larger than the reach of the field, and bounds
    // of 0 or less prove nothing.
    void (*bound)(const wkBatch* batch, const wkBatchScratch* scratch, int32_t count);

    // Computes motion bounds of the centers of spheres in intervals, and of two parts relative to each other:
    // of sphere or pair i in row k at i * WK_BATCH_BLOCK + k. For tests.
    void (*measure)(const wkBatch* batch, wkBatchScratch* scratch, const wkBlockCheck* check,
                    float* ofSpheres, float* ofPairs);
};

const wkBatchKernels* wkBatchKernelsOf(wkIsa isa);
const wkBatchKernels* wkBatchKernelsOfMachine(void);

// Selects another instruction set than the best one, for tests.
void wkBatch_UseLanes(wkBatch* batch, const wkBatchKernels* lanes);

// Places the spheres of a row that needs the double-precision path, into `spheres` of the scratch, with the
// rounding slack of the kernels in the radii; those of attached objects are left out.
void wkPlaceScalar(const wkBatch* batch, wkBatchScratch* scratch, const double* q);

// Returns the clearance of such a row, attached objects included; see wkBatch_Clearances.
double wkScalarClearance(const wkBatch* batch, wkBatchScratch* scratch, const double* q,
                         double cutoff);

// Checks a row that the kernels cannot, such as one far away, on the double-precision path.
void wkCheckScalar(const wkBatch* batch, wkBatchScratch* scratch, const wkBlockCheck* check,
                   int32_t row, const double* q);
