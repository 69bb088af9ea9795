// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Proofs that links never touch, for many pairs of them on several threads.

#include "base/progress_report.h"
#include "robot/chain.h"

// A pair of links, and what became of it.
typedef struct wkLinkPair {
    int32_t linkA;
    int32_t linkB;
    wkChainVerdict verdict;
} wkLinkPair;

// What progress counts for a pair.
#define WK_PROOF_STEPS 100

typedef struct wkProofs {
    const wkBodySet* bodySet;
    wkLinkPair* pairs; // their verdicts are set
    int32_t pairCount;
    int32_t budget; // tests of two bodies for each pair
    double margin;  // touching means signed distance <= margin
    uint64_t seed;  // the same seed gives the same verdicts, with any number of threads
    const wkParallel* parallel;
    wkProgressMeter* meter;
} wkProofs;

// @return wk_errorMemory; what was cancelled is left open
wkResult wkProvePairs(const wkProofs* proofs);
