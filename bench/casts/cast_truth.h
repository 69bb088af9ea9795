// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Proofs of answers of casts: verdicts at many instants, which do not depend on how a cast is found.

#include "peers/cast_peer.h"

#ifdef __cplusplus
extern "C" {
#endif

// What is known about one question.
typedef struct wkCastTruth {
    double free;     // no contact before it, and none at many instants
    double touching; // a contact at this time; infinity: none
    bool isProved;   // instants agree with both
} wkCastTruth;

// Asks the library for a narrow bracket and compares it with verdicts at instants.
wkCastTruth wkProveCast(const wkCastJob* job, const wkCastWay* way);

// True when an answer of ours is later than the truth, or earlier by more than the tolerance.
bool wkIsOurCastWrong(wkAnswer answer, const wkCastTruth* truth);

// True when an answer of a peer misses a contact, or is off by more than a hundredth.
bool wkIsPeerCastWrong(wkAnswer answer, const wkCastTruth* truth);

#ifdef __cplusplus
}
#endif
