// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Proofs that pairs of links never touch, computed on several threads.

#include "base/progress_report.h"
#include "robot/chain.h"

// A pair of links and its verdict.
typedef struct wkLinkPair {
    int32_t linkA;
    int32_t linkB;
    wkChainVerdict verdict;
} wkLinkPair;

// Progress steps that each pair counts for.
#define WK_PROOF_STEPS 100

typedef struct wkProofs {
    const wkBodySet* bodySet;
    wkLinkPair* pairs; // the verdicts are written
    int32_t pairCount;
    int32_t budget; // body-body tests allowed for each pair
    double margin;  // touching means signed distance <= margin
    uint64_t seed;  // the same seed gives the same verdicts, with any number of threads
    const wkParallel* parallel;
    wkProgressMeter* meter;
} wkProofs;

// @return wk_errorMemory; after a cancel the remaining pairs stay open
wkResult wkProvePairs(const wkProofs* proofs);
