// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A robot scene with a stream of clouds, for tests of live frames.

#include "scenes/rng.h"
#include "whisker/whisker.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct streamCase {
    wkRobot* robot;
    wkRobotScene* scene;
    wkRobotState* state;
    wkCloudStreamDef def;
    wkCloudStream* stream; // NULL until openStream
} streamCase;

static inline streamCase makeStreamCase(void)
{
    streamCase c = {.stream = NULL};
    assert_int_equal(wkRobot_CreateBuiltIn(&c.robot), wk_ok);
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.robot = c.robot;
    assert_int_equal(wkRobotScene_Create(&def, &c.scene), wk_ok);
    assert_int_equal(wkRobotState_Create(c.robot, &c.state), wk_ok);
    c.def = wkDefaultCloudStreamDef();
    c.def.scene = c.scene;
    c.def.name = "camera";
    return c;
}

static inline void openStream(streamCase* c)
{
    assert_int_equal(wkCloudStream_Create(&c->def, &c->stream), wk_ok);
}

static inline void freeStreamCase(streamCase* c)
{
    wkCloudStream_Destroy(c->stream);
    wkRobotState_Destroy(c->state);
    wkRobotScene_Destroy(c->scene);
    wkRobot_Destroy(c->robot);
    assert_int_equal(wkGetByteCount(), 0);
}

static inline wkCloudFrame frameOf(const float* points, int64_t count, double time)
{
    wkCloudFrame frame = wkDefaultCloudFrame();
    frame.points.data = points;
    frame.points.count = count;
    frame.time = time;
    return frame;
}

// Adds a frame with a single point.
static inline wkResult pushPoint(streamCase* c, float x, float y, float z, double time)
{
    float point[3] = {x, y, z};
    wkCloudFrame frame = frameOf(point, 1, time);
    frame.state = c->state;
    return wkCloudStream_Push(c->stream, &frame);
}

// Points around the robot, some of them within it.
static inline void randomPoints(wkRng* rng, float* points, int count)
{
    for (int i = 0; i < count; ++i) {
        points[3 * i] = (float)wkRngRange(rng, -1.0, 1.5);
        points[3 * i + 1] = (float)wkRngRange(rng, -1.2, 1.2);
        points[3 * i + 2] = (float)wkRngRange(rng, 0.0, 1.6);
    }
}

static inline wkVerdict verdictOf(const wkRobotScene* scene, wkRobotState* state)
{
    return wkRobotScene_Check(scene, state, NULL).verdict;
}

static inline void assertSaid(const char* words)
{
    if (strstr(wkGetLastError(), words) == NULL) {
        fail_msg("\"%s\" does not contain \"%s\"", wkGetLastError(), words);
    }
}
