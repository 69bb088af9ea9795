// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The lane code of a batch, compiled once per instruction set.

#include "batch/batch_impl.h"

struct wkBatchKernels {
    int32_t laneCount;

    // Fills in what never changes in a room.
    void (*startScratch)(const wkBatch* batch, const wkBatchScratch* scratch);

    // Looks at a block.
    void (*check)(const wkBatch* batch, wkBatchScratch* scratch, const wkBlockCheck* check);

    // Places all spheres of up to WK_PLACED_ROWS rows, into `placed` of the room: of sphere i in row k,
    // relative to the origin of the program, x is at (3 * i) * WK_PLACED_ROWS + k, and y and z are
    // that many numbers further each. The middles of parts go into `centers` alike.
    // @param isInvalid of rows
    // @param needsScalar of rows: lanes are not made for them
    void (*place)(const wkBatch* batch, wkBatchScratch* scratch, const double* rows, int32_t count,
                  bool* isInvalid, bool* needsScalar);

    // Bounds of how far the middles of these spheres are from what is around, into `bounds` of the room:
    // of sphere i in row k at i * WK_PLACED_ROWS + k. None is further than the field reaches, and those
    // not above zero tell nothing.
    void (*bound)(const wkBatch* batch, const wkBatchScratch* scratch, int32_t count);

    // How far centers of spheres can go in intervals, and those of two parts as seen from each other: of sphere
    // or pair i in row k at i * WK_BATCH_BLOCK + k. For tests.
    void (*measure)(const wkBatch* batch, wkBatchScratch* scratch, const wkBlockCheck* check,
                    float* ofSpheres, float* ofPairs);
};

const wkBatchKernels* wkBatchKernelsOf(wkIsa isa);
const wkBatchKernels* wkBatchKernelsOfMachine(void);

// Takes another instruction set than the best one, for tests.
void wkBatch_UseLanes(wkBatch* batch, const wkBatchKernels* lanes);

// Spheres of a row that lanes are not made for, into `spheres` of the room, with what lanes add to radii;
// those of attached objects are left out.
void wkPlaceScalar(const wkBatch* batch, wkBatchScratch* scratch, const double* q);

// Clearance of such a row, see wkBatch_Clearances, and what an object that is attached has.
double wkScalarClearance(const wkBatch* batch, wkBatchScratch* scratch, const double* q,
                         double cutoff);

// Looks at a row that lanes are not made for, such as one far away, in double.
void wkCheckScalar(const wkBatch* batch, wkBatchScratch* scratch, const wkBlockCheck* check,
                   int32_t row, const double* q);
