// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Proofs of pair answers by certificate, with support and containment functions of their
// own. A free pair is proved by two points as far apart as reported and a plane that
// separates as much; an overlap by a common point; a depth by a translation that separates
// and a search for a shorter one.

#include "peers/peer.h"

#ifdef __cplusplus
extern "C" {
#endif

// What is known about one question.
typedef struct wkPairTruth {
    double distance;       // signed
    bool isVerdictProved;  // apart or overlapping, beyond doubt
    bool isDistanceProved; // also the distance, when apart
    bool isDepthProved;    // also the depth, when overlapping
} wkPairTruth;

// Smallest distance for which a verdict is compared with a peer's, and
// the largest error it may make.
#define WK_PEER_VERDICT_TOLERANCE 1e-6
#define WK_PEER_DISTANCE_TOLERANCE 1e-3

// Asks the library for the answer and proves it.
wkPairTruth wkProvePair(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB);

// True when an answer of ours contradicts the truth or when the truth is not proved.
bool wkIsOursWrong(wkPairQuery query, wkAnswer answer, const wkPairTruth* truth);

// True when an answer of a peer contradicts a proved truth by more than the tolerances above.
bool wkIsPeerWrong(wkPairQuery query, wkAnswer answer, const wkPairTruth* truth);

#ifdef __cplusplus
}
#endif
