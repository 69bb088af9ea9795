// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Tells which of several bodies may have a cell of a map within reach, for searches that look for the
// closest of many: nearly all bodies in front of a map are left out this way, before anything else
// about them is looked at. First come the cells that the box of a body in the world reaches, which
// are few where the reach is short; then each of them against the box of the body in its own frame.
// Bodies go down the map together, level by level: while one of them waits for memory, others compute.

#include "query/map/map_walk.h"
#include "whisker/shape.h"

// As many as there is work for in the time that memory takes.
#define WK_CANDIDATE_BODIES 8

// Cells of one body that are worth a look each: where there are more, it is near some of them.
#define WK_CANDIDATE_CELLS 16

// A map at its place, for many bodies; as long as nobody writes to the map.
typedef struct wkMapCandidates {
    const wkShape* map; // NULL: none yet
    wkMapView view;
    wkMat3d worldFromMap;
    wkVec3d position;
    double wider; // margins of the map
    bool isStraight;
} wkMapCandidates;

// A body in front of a map; no map itself.
typedef struct wkCandidateBody {
    const wkShape* shape;
    const wkPose* pose;
    wkAabb around; // a box of the world that holds it
} wkCandidateBody;

void wkMapCandidates_Init(wkMapCandidates* near, const wkShape* map, const wkPose* pose);

// A bit for each of the bodies that is within `reach` of a cell, or may be.
unsigned wkMapCandidates_Bodies(const wkMapCandidates* near, const wkCandidateBody* bodies,
                                int count, double reach);

// A straight box in the frame of a map, as wide as all that is within reach of it.
typedef struct wkCandidateBox {
    wkVec3d center;
    wkVec3d half;
} wkCandidateBox;

// Cells, or cubes of them, about the middle of the box that reaches them.
typedef struct wkCandidateCells {
    _Alignas(32) float center[3][WK_CANDIDATE_CELLS];
    _Alignas(32) float half[WK_CANDIDATE_CELLS];
    float size; // no length above is larger, for rounding
    int count;
    bool isFull; // there may be more
} wkCandidateCells;

// Compiled once per instruction set.
typedef struct wkMapCandidateKernels {
    // the occupied cells that each of the boxes reaches, or nearly so
    void (*listCells)(const wkMapView* view, const wkCandidateBox* boxes, int count,
                      wkCandidateCells* cells);
    // whether one of the cells is within `reach` of a turned box, whose middle is given as theirs are
    bool (*isAnyNear)(const wkCandidateCells* cells, const wkMapBody* box, double reach);
} wkMapCandidateKernels;

const wkMapCandidateKernels* wkMapCandidateKernelsOf(wkIsa isa);
const wkMapCandidateKernels* wkMapCandidateKernelsOfMachine(void);
