// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the tests of robot descriptions share.

#include "io_kit.h"

#include <math.h>
#include <string.h>

#define ROBOT(inside) "<robot name=\"r\">\n" inside "</robot>\n"
#define LINK(name) "<link name=\"" name "\"/>\n"
#define JOINT(name, type, parent, child, inside)                                                   \
    "<joint name=\"" name "\" type=\"" type "\"><parent link=\"" parent "\"/><child link=\"" child \
    "\"/>" inside "</joint>\n"

// A link with one shape.
#define BODY(name, geometry)                                                                       \
    "<link name=\"" name "\"><collision><geometry>" geometry "</geometry></collision></link>\n"

// Parses, also what has no shapes; fails the test with the words of the library when that is not
// possible. `srdf` and `options` may be NULL.
static inline wkRobot* mustParse(const char* urdf, const char* srdf, const wkRobotLoadDef* options,
                                 wkRobotLoadInfo* info)
{
    wkRobot* robot = NULL;
    wkRobotLoadDef own = options != NULL ? *options : wkDefaultRobotLoadDef();
    own.allowsEmpty = true;
    if (wkRobot_Parse(urdf, strlen(urdf), srdf, srdf != NULL ? strlen(srdf) : 0, &own, info,
                      &robot) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return robot;
}

static inline wkJointInfo jointOf(const wkRobot* robot, const char* name)
{
    int32_t joint = wkRobot_FindJoint(robot, name);
    assert_true(joint >= 0);
    return wkRobot_Joint(robot, joint);
}

// The first shape on a link.
static inline wkBodyInfo bodyOf(const wkRobot* robot, const char* link)
{
    wkLinkInfo info = wkRobot_Link(robot, wkRobot_FindLink(robot, link));
    assert_true(info.bodyCount > 0);
    return wkRobot_Body(robot, info.firstBody);
}

static inline void expectNear(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12 * (1.0 + fabs(expected)))) {
        fail_msg("%.17g instead of %.17g", value, expected);
    }
}

static inline void expectVector(wkVec3d v, double x, double y, double z)
{
    expectNear(v.x, x);
    expectNear(v.y, y);
    expectNear(v.z, z);
}

// Parsing is refused with these words.
static inline void expectRefused(const char* urdf, const char* srdf, wkResult expected,
                                 const char* words)
{
    int nothing;
    wkRobot* robot = (wkRobot*)(void*)&nothing;
    wkResult result = wkRobot_Parse(urdf, strlen(urdf), srdf, srdf != NULL ? strlen(srdf) : 0, NULL,
                                    NULL, &robot);
    if (result != expected || robot != NULL || strstr(wkGetLastError(), words) == NULL) {
        fail_msg("%s instead of %s with \"%s\": %s\n%s", wkResultName(result),
                 wkResultName(expected), words, wkGetLastError(), srdf != NULL ? srdf : urdf);
    }
    assert_int_equal(wkGetByteCount(), 0);
}
