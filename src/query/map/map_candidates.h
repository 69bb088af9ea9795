// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Culls bodies that have no cell of a map within reach, for searches of the closest of many: nearly all
// bodies near a map are culled this way before any other test. First come the cells that the world box
// of a body reaches, which are few where the reach is short; then each of them against the box of the
// body in its own frame. Several bodies descend the map together, level by level: while one of them waits
// for memory, others compute.

#include "query/map/map_walk.h"
#include "whisker/shape.h"

// Enough bodies to hide the latency of memory.
#define WK_CANDIDATE_BODIES 8

// Maximum number of cells tested per body: with more, the body is taken to be near some of them.
#define WK_CANDIDATE_CELLS 16

// A map at its pose, for many bodies; valid until the map is written to.
typedef struct wkMapCandidates {
    const wkShape* map; // NULL: none yet
    wkMapView view;
    wkMat3d worldFromMap;
    wkVec3d position;
    double wider; // margins of the map
    bool isStraight;
} wkMapCandidates;

// A body to test against a map; not a map itself.
typedef struct wkCandidateBody {
    const wkShape* shape;
    const wkPose* pose;
    wkAabb around; // bounds in the world
} wkCandidateBody;

void wkMapCandidates_Init(wkMapCandidates* candidates, const wkShape* map, const wkPose* pose);

// Returns a bit for each body that is, or may be, within `reach` of a cell.
unsigned wkMapCandidates_Bodies(const wkMapCandidates* candidates, const wkCandidateBody* bodies,
                                int count, double reach);

// An axis-aligned box in the frame of a map, enlarged by the reach.
typedef struct wkCandidateBox {
    wkVec3d center;
    wkVec3d half;
} wkCandidateBox;

// Cells, or cubes of them, relative to the center of the box that reaches them.
typedef struct wkCandidateCells {
    _Alignas(32) float center[3][WK_CANDIDATE_CELLS];
    _Alignas(32) float half[WK_CANDIDATE_CELLS];
    float size; // upper bound of all lengths above, for rounding
    int count;
    bool isFull; // there may be more
} wkCandidateCells;

// Compiled once per instruction set.
typedef struct wkMapCandidateKernels {
    // the occupied cells that each of the boxes reaches, or nearly reaches
    void (*listCells)(const wkMapView* view, const wkCandidateBox* boxes, int count,
                      wkCandidateCells* cells);
    // whether one of the cells is within `reach` of a rotated box, whose center is given as theirs are
    bool (*isAnyNear)(const wkCandidateCells* cells, const wkMapBody* box, double reach);
} wkMapCandidateKernels;

const wkMapCandidateKernels* wkMapCandidateKernelsOf(wkIsa isa);
const wkMapCandidateKernels* wkMapCandidateKernelsOfMachine(void);
