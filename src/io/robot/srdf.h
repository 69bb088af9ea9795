// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the readers of an SRDF share. Names that the robot lacks are left out with a warning, as MoveIt
// does: one SRDF often serves several variants of a robot.

#include "io/robot/urdf_builder.h"

// A link or joint that an attribute names; -1, with a warning, when there is none. The attribute must
// be there.
wkResult wkSrdf_FindLink(wkUrdfBuilder* builder, const wkXmlElement* element, const char* attribute,
                         int32_t* link);
wkResult wkSrdf_FindJoint(wkUrdfBuilder* builder, const wkXmlElement* element,
                          const char* attribute, int32_t* joint);

// Variables of a joint: 0, 1, 3 or 7.
int32_t wkSrdf_CountVariables(const wkJointDef* joint);
