// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A robot scene with a stream of clouds, for tests of live frames.

#include "robot/builtin_scene.h"
#include "scenes/rng.h"
#include "whisker/whisker.h"

#include <math.h>
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
    wkCloudStream* stream;  // NULL until openStream
    wkSphereModel* spheres; // NULL: none; freed with the others
} streamCase;

static inline streamCase makeStreamCase(void)
{
    wkBuiltInScene made = wkMakeBuiltInScene();
    streamCase c = {.robot = made.robot, .scene = made.scene, .state = made.state};
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
    wkSphereModel_Destroy(c->spheres);
    wkFreeBuiltInScene(&(wkBuiltInScene){c->robot, c->scene, c->state});
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

// The clouds of the stream's object that are not empty.
static inline int cloudsOf(const wkRobotScene* scene, const wkCloud** clouds, wkPose* poses)
{
    int32_t object = wkRobotScene_Find(scene, "camera");
    int count = 0;
    for (int32_t i = 0; i < wkRobotScene_Object(scene, object).shapeCount; ++i) {
        wkPose pose;
        const wkShape* shape = wkRobotScene_ObjectShape(scene, object, i, &pose);
        if (wkCloud_Info(shape->cloud).pointCount > 0) {
            clouds[count] = shape->cloud;
            poses[count++] = pose;
        }
    }
    return count;
}

// The first coordinates of all points of the stream, as a sum of powers of ten: 1000 for a point at x = 3.
static inline long digitsOf(const wkRobotScene* scene)
{
    const wkCloud* clouds[WK_MAX_STREAM_FRAMES];
    wkPose poses[WK_MAX_STREAM_FRAMES];
    int count = cloudsOf(scene, clouds, poses);
    long sum = 0;
    for (int i = 0; i < count; ++i) {
        double x = wkTransformPoint(poses[i], wkCloud_Point(clouds[i], 0).position).x;
        sum += lround(pow(10.0, x));
    }
    return sum;
}
