// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The lane code of a batch, compiled once per instruction set.

#include "batch/batch.h"

struct wkBatchLanes {
    int32_t laneCount;

    // Fills in what never changes in a room.
    void (*startRoom)(const wkBatch* batch, const wkBatchRoom* room);

    // Looks at a block.
    void (*look)(const wkBatch* batch, wkBatchRoom* room, const wkLook* look);

    // Places all balls of up to WK_PLACED_ROWS rows, into `placed` of the room: of ball i in row k,
    // relative to the origin of the program, x is at (3 * i) * WK_PLACED_ROWS + k, and y and z are
    // that many numbers further each. The middles of parts go into `centers` alike.
    // @param isInvalid of rows
    // @param isFar of rows: lanes are not made for them
    void (*place)(const wkBatch* batch, wkBatchRoom* room, const double* rows, int32_t count,
                  bool* isInvalid, bool* isFar);

    // Bounds of how far the middles of these balls are from what is around, into `bounds` of the room:
    // of ball i in row k at i * WK_PLACED_ROWS + k. None is further than the field reaches, and those
    // not above zero tell nothing.
    void (*bound)(const wkBatch* batch, const wkBatchRoom* room, int32_t count);

    // How far centers of balls can go in spans, and those of two parts as seen from each other: of ball
    // or pair i in row k at i * WK_BATCH_BLOCK + k. For tests.
    void (*measure)(const wkBatch* batch, wkBatchRoom* room, const wkLook* look, float* ofBalls,
                    float* ofPairs);
};

const wkBatchLanes* wkBatchLanesOf(wkIsa isa);
const wkBatchLanes* wkBatchLanesOfMachine(void);

// Takes another instruction set than the best one, for tests.
void wkBatch_UseLanes(wkBatch* batch, const wkBatchLanes* lanes);

// Balls of a row that lanes are not made for, into `balls` of the room, with what lanes add to radii;
// those of held objects are left out.
void wkPlaceFar(const wkBatch* batch, wkBatchRoom* room, const double* q);

// Clearance of such a row, see wkBatch_Clearances, and what an object that is held has.
double wkFarClearance(const wkBatch* batch, wkBatchRoom* room, const double* q, double cutoff);

// Looks at a row that lanes are not made for, such as one far away, in double.
void wkLookFar(const wkBatch* batch, wkBatchRoom* room, const wkLook* look, int32_t row,
               const double* q);
