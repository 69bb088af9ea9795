// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Results about robots as text and as JSON.

#include "text_buffer.h"
#include "whisker/detail/counts.h"
#include "whisker/robot_scene.h"

// Appends "self: hand and base, 0.0123 m deep", after a verdict that is not free.
void wkSayContact(wkText* text, const wkRobot* robot, const wkRobotCheckResult* result);

// Append members of a JSON object, each with a comma before it.
void wkReportContact(wkText* text, const char* name, const wkRobotContact* contact);
void wkReportVerdict(wkText* text, const wkRobot* robot, const wkRobotCheckResult* result);

// Appends "120 configurations: 100 free, 20 world".
void wkSayCounts(wkText* text, const char* what, const int64_t counts[WK_VERDICT_COUNT]);

void wkText_AppendInteger(wkText* text, int64_t number);
