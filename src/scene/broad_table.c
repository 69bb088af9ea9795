// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The table of broad phases and their names.

#include "scene/broad.h"

#include <string.h>

// clang-format off
const wkBroadRow* const wkBroadTable[wk_broadPhaseCount] = {
    [wk_broadTree]  = &wkBroadTreeRow,
    [wk_broadSweep] = &wkBroadSweepRow,
    [wk_broadGrid]  = &wkBroadGridRow,
    [wk_broadBrute] = &wkBroadBruteRow,
};
// clang-format on

const char* wkBroadPhaseName(wkBroadPhase broadPhase)
{
    bool isKnown = (unsigned)broadPhase < (unsigned)wk_broadPhaseCount;
    return isKnown ? wkBroadTable[broadPhase]->name : "none";
}

wkBroadPhase wkBroadPhaseFromName(const char* name)
{
    int found = 0;
    while (found < wk_broadPhaseCount &&
           (name == NULL || strcmp(name, wkBroadTable[found]->name) != 0)) {
        ++found;
    }
    return (wkBroadPhase)found;
}
