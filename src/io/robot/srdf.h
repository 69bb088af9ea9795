// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Shared by the readers of an SRDF. Links and joints that the robot lacks are skipped with a warning, as in
// MoveIt: one SRDF often serves several variants of a robot.

#include "io/robot/urdf_builder.h"

// Find the link or joint that an attribute names; -1, with a warning, when there is none. Fail when the
// attribute is missing.
wkResult wkSrdf_FindLink(wkUrdfBuilder* builder, const wkXmlElement* element, const char* attribute,
                         int32_t* link);
wkResult wkSrdf_FindJoint(wkUrdfBuilder* builder, const wkXmlElement* element,
                          const char* attribute, int32_t* joint);

// Returns the number of variables of a joint: 0, 1, 3 or 7.
int32_t wkSrdf_CountVariables(const wkJointDef* joint);
