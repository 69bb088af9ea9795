// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// GJK, instantiated for each pair of cores so that support functions are inlined into the loop.

#include "solve/closed_form/closed_form_list.h"
#include "solve/gjk/gjk.h"

#define WK_DEFINE_GJK_PAIR(A, B, isPolytope)                                                       \
    void wkGjk##A##B(const wkPair* pair, const wkGoal* goal, wkSolution* solution)                 \
    {                                                                                              \
        wkGjkRule rule = {wkSupport##A, wkSupport##B, isPolytope};                                 \
        wkGjk(rule, pair, goal, solution);                                                         \
    }
WK_GJK_PAIR_LIST(WK_DEFINE_GJK_PAIR)
