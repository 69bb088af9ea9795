// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Shapes of objects that move during a check. Queries take their poses from the scratch of the state instead of
// the scene, which other threads read at the same time.

#include "bv/float_box.h"
#include "query/cast/motion_row.h"
#include "robot/state.h"
#include "whisker/trajectory.h"

// An object that moves, with its motion from time `start` to time `end`, in seconds.
typedef struct wkMovedObject {
    wkPreparedMotion motion;
    double start;
    double end;
} wkMovedObject;

// A shape of such an object.
typedef struct wkMovedShape {
    int32_t slotIndex;      // of the inner scene
    int32_t object;         // index among the moved objects
    wkPose inObject;        // pose in the frame of the object
    double radius;          // of a sphere around the origin of that frame; infinite: unbounded
    wkPose pose;            // in the world, at the current time
    wkFloatBox box;         // there, relative to the origin of the scene
    wkFloatBox boxInMotion; // the same in all of the current interval
    double bound;           // how far a point gets from there within the current interval
} wkMovedShape;

struct wkMovedShapes {
    int32_t count;
    int32_t objectCount;
    wkMovedShape shapes[WK_MAX_MOVING_SHAPES];
    wkMovedObject objects[WK_MAX_MOVING_SHAPES];
};

// Takes the obstacles of a request, whose motions are borrowed.
// @return the failure with a message
wkResult wkTakeMovedShapes(const wkRobotScene* scene, const wkTrajectoryRequest* request,
                           wkMovedShapes* moved);

// Moves the shapes to a time in seconds, and bounds how far they get from there until `from` and `to`.
// @return false when a pose is not valid
bool wkMoveShapes(const wkRobotScene* scene, double from, double time, double to,
                  wkMovedShapes* moved);

// Returns the largest speed of an object, in metres or radians per second.
double wkMovedShapes_LargestSpeed(const wkMovedShapes* moved);

// Returns the shape with a slot index; NULL: it does not move.
const wkMovedShape* wkMovedShapes_Find(const wkMovedShapes* moved, int32_t slotIndex);

// Returns the shape that moves instead of an object of the inner scene; NULL: that does not move.
WK_FN const wkMovedShape* wkFindMovedShape(const wkRobotState* state, int32_t slotIndex)
{
    return WK_LIKELY(!state->hasMoved) ? NULL : wkMovedShapes_Find(state->moved, slotIndex);
}
