// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Transforms between the world and the frame of A, for pairs without a closed form.

#include "solve/pair.h"

// A pair in the frame of A, and the data needed to transform the answer back.
typedef struct wkPairInFrame {
    wkPair pair;
    wkMat3d worldFromA; // rotation; the position is that of poseA
    double slack;       // rounding, subtracted from every distance
    wkInnerOuterSpheres sphereA;
    wkInnerOuterSpheres sphereB;
} wkPairInFrame;

void wkFramePair(const wkQuestion* question, wkPairInFrame* framed);

// Transforms the pair, tests the spheres around and inside the cores, then calls `solve`.
void wkAnswerBySolving(const wkQuestion* question, wkSolveFcn* solve, wkDistanceResult* answer);

// The same, and leaves the pair in the frame of A, unless it is further apart than the cutoff.
void wkAnswerInFrame(const wkQuestion* question, wkSolveFcn* solve, wkPairInFrame* framed,
                     wkDistanceResult* answer);
