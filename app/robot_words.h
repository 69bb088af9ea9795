// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Answers about robots in words and in JSON.

#include "text_buffer.h"
#include "whisker/robot_scene.h"

// "self: hand and base, 0.0123 m deep", behind a verdict that is not free.
void wkSayContact(wkText* text, const wkRobot* robot, const wkRobotCheckResult* result);

// Members of a JSON object, each with a comma before it.
void wkReportContact(wkText* text, const char* name, const wkRobotContact* contact);
void wkReportVerdict(wkText* text, const wkRobot* robot, const wkRobotCheckResult* result);

// "120 configurations: 100 free, 20 world".
void wkSayCounts(wkText* text, const char* what, const int64_t counts[wk_verdictCount]);

void wkText_AppendInteger(wkText* text, int64_t number);
