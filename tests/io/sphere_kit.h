// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the tests of files of balls share.

#include "io_kit.h"

#include <string.h>

// Formats that a build may lack.
static inline bool readsSphereFormat(const char* format)
{
    wkRobot* robot = NULL;
    wkSphereModel* model = NULL;
    wkSphereLoadOptions options = wkDefaultSphereLoadOptions();
    options.format = format;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    wkResult result = wkSphereModel_Parse("", 0, robot, &options, &model);
    assert_true(result != wk_ok && model == NULL);
    wkRobot_Destroy(robot);
    return result != wk_errorUnsupported;
}

// The same balls on the same links, bit by bit.
static inline void expectSameBalls(const wkSphereModel* a, const wkSphereModel* b)
{
    int32_t count = wkSphereModel_Info(a).ballCount;
    assert_int_equal(count, wkSphereModel_Info(b).ballCount);
    for (int32_t i = 0; i < count; i++) {
        wkLinkBall ballA = wkSphereModel_Ball(a, i), ballB = wkSphereModel_Ball(b, i);
        const char* nameA = wkRobot_Link(wkSphereModel_Info(a).robot, ballA.link).name;
        const char* nameB = wkRobot_Link(wkSphereModel_Info(b).robot, ballB.link).name;
        assert_string_equal(nameA, nameB);
        if (memcmp(&ballA.ball, &ballB.ball, sizeof(wkBall)) != 0) {
            fail_msg("ball %d of %s: %a %a %a %a instead of %a %a %a %a", (int)i, nameA,
                     ballB.ball.center.x, ballB.ball.center.y, ballB.ball.center.z,
                     ballB.ball.radius, ballA.ball.center.x, ballA.ball.center.y,
                     ballA.ball.center.z, ballA.ball.radius);
        }
    }
}
