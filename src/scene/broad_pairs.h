// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Reports pairs of boxes by visits of single boxes: one visit for each box, named the source.

#include "tree/dynamic/dyn_tree.h"

typedef struct wkPairVisit {
    wkDynPairFcn* fcn;
    void* context;
    int32_t source;
} wkPairVisit;

// Visitors of boxes; the context is a wkPairVisit.
WK_FN bool wkReportPair(int32_t other, void* context)
{
    const wkPairVisit* visit = (const wkPairVisit*)context;
    return visit->fcn(visit->source, other, visit->context);
}

// Skips names from that of the source on, so that of two sources only the later one reports the pair.
WK_FN bool wkReportEarlier(int32_t other, void* context)
{
    const wkPairVisit* visit = (const wkPairVisit*)context;
    return other >= visit->source || visit->fcn(visit->source, other, visit->context);
}
