// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A scene with the built-in robot, and threads with a state each that read its snapshots.

#include "readers.h"
#include "robot/builtin_scene.h"

typedef struct robotReaders {
    wkBuiltInScene built; // its state is for the thread that writes
    wkRobotState* states[WK_READER_COUNT];
    wkReaders readers;
} robotReaders;

static inline robotReaders makeRobotReaders(void)
{
    robotReaders r = {.built = wkMakeBuiltInScene()};
    for (int i = 0; i < WK_READER_COUNT; ++i) {
        assert_int_equal(wkRobotState_Create(r.built.robot, &r.states[i]), wk_ok);
    }
    return r;
}

static inline void freeRobotReaders(robotReaders* r)
{
    for (int i = 0; i < WK_READER_COUNT; ++i) {
        wkRobotState_Destroy(r->states[i]);
    }
    wkFreeBuiltInScene(&r->built);
    assert_int_equal(wkGetByteCount(), 0);
}
