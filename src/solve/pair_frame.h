// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// From the world into the frame of A and back, for pairs without a closed form of their own.

#include "solve/pair.h"

// A pair in the frame of A, and what is needed on the way back.
typedef struct wkPairInFrame {
    wkPair pair;
    wkMat3d worldFromA; // rotation; the position is that of poseA
    double slack;       // rounding, subtracted from every distance
    wkInnerOuterSpheres sphereA;
    wkInnerOuterSpheres sphereB;
} wkPairInFrame;

void wkFramePair(const wkQuestion* question, wkPairInFrame* placed);

// Places the pair, asks the spheres around and inside the cores, then `solve`.
void wkAnswerBySolving(const wkQuestion* question, wkSolveFcn* solve, wkDistanceResult* answer);
