// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The table of broad phases and their names.

#include "scene/broad.h"

#include "base/error.h"
#include "whisker/detail/counts.h"

#include <string.h>

// clang-format off
const wkBroadRow* const wkBroadTable[WK_BROAD_PHASE_COUNT] = {
    [wk_broadTree]  = &wkBroadTreeRow,
    [wk_broadSweep] = &wkBroadSweepRow,
    [wk_broadGrid]  = &wkBroadGridRow,
    [wk_broadBrute] = &wkBroadBruteRow,
};
// clang-format on

const char* wkBroadPhaseName(wkBroadPhase broadPhase)
{
    bool isKnown = (unsigned)broadPhase < (unsigned)WK_BROAD_PHASE_COUNT;
    return isKnown ? wkBroadTable[broadPhase]->name : "none";
}

wkResult wkBroadPhaseFromName(const char* name, wkBroadPhase* broadPhase)
{
    for (int i = 0; name != NULL && i < WK_BROAD_PHASE_COUNT; ++i) {
        if (strcmp(name, wkBroadTable[i]->name) == 0) {
            *broadPhase = (wkBroadPhase)i;
            return wk_ok;
        }
    }
    return wkFail(wk_errorArgument, "scene: \"%.40s\" is no broad phase", name != NULL ? name : "");
}
