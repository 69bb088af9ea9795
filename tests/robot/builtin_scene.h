// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The built-in robot in an empty scene, with a state.

#include "whisker/robot_scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct wkBuiltInScene {
    wkRobot* robot;
    wkRobotScene* scene;
    wkRobotState* state;
} wkBuiltInScene;

static inline wkBuiltInScene wkMakeBuiltInScene(void)
{
    wkBuiltInScene made;
    assert_int_equal(wkRobot_CreateBuiltIn(&made.robot), wk_ok);
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.robot = made.robot;
    assert_int_equal(wkRobotScene_Create(&def, &made.scene), wk_ok);
    assert_int_equal(wkRobotState_Create(made.robot, &made.state), wk_ok);
    return made;
}

static inline void wkFreeBuiltInScene(wkBuiltInScene* made)
{
    wkRobotState_Destroy(made->state);
    wkRobotScene_Destroy(made->scene);
    wkRobot_Destroy(made->robot);
}
