// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The ways to find the nearest points of two clouds, for what measures them and what uses them.

#include "whisker/cuda.h"

typedef struct wkCenterWayRow {
    const char* name;
    wkCenterMethod method;
    bool isOnGpu;
} wkCenterWayRow;

const wkCenterWayRow* wkRowOfWay(wkCenterWay way);

// Chooses as wkCudaCosts_ChooseCenters does, among the ways with a method.
// @param method wk_centersChosen: among all
wkCenterChoice wkChooseAmongWays(const wkCudaCosts* costs, const wkCenterWork* work,
                                 wkCenterMethod method);
