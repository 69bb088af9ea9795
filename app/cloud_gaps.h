// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Gaps between the points of a cloud that a link of a robot fits through.

#include "whisker/robot.h"

#define WK_GAP_WORDS 320

// Describes them for a warning.
// @param cloud a shape of type cloud
// @param words empty when no link fits through
// @return wk_errorMemory
wkResult wkFindGaps(const wkRobot* robot, const wkShape* cloud, char words[WK_GAP_WORDS]);
