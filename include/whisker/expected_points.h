// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file expected_points.h
/// Tells the points of a sensor that a robot scene explains, by its known objects, attached ones and the robot itself,
/// from unexpected ones, which become an object of their own. See docs/obstacle_detection.md.

#include "whisker/cloud.h"
#include "whisker/robot_scene.h"

/// What a point is, one number for each. Zeroed memory says nothing.
typedef enum wkPointLabel {
    wk_pointNone = 0,       ///< not examined
    wk_pointUnexpected = 1, ///< nothing in the scene explains it
    wk_pointNotFinite = 2,  ///< a coordinate is NaN or infinite
    wk_pointRobot = 3,      ///< on the robot
    wk_pointObject = 16,    ///< on object 0 of the scene; with the index of the object added, on
                            ///< another one
} wkPointLabel;

/// Points, and what explains them. Start from `wkDefaultExpectRequest()`.
typedef struct wkExpectRequest {
    uint32_t cookie;    ///< set by wkDefaultExpectRequest()
    wkCloudView points; ///< the points; only positions are read
    wkPose pose;        ///< of the frame of the points in the world; default identity
    double tolerance;   ///< metres: a point no further than this from the surface of an object, on
                        ///< either side, is expected; points within cells of a map or spheres of a
                        ///< cloud, too; default 0.02
    bool expectsRobot;  ///< default true: points on the robot are expected, too
    const char* unknownCategory; ///< objects of this category explain nothing; default "unknown"
    bool allowsEmpty; ///< default false: wkRobotScene_ReplaceUnexpected refuses points of which
                      ///< none is finite, such as those of a covered lens; true: nothing is new
    const wkParallel* parallel; ///< threads to use; NULL (default): the calling one
} wkExpectRequest;

/// The defaults above, without points.
WK_API wkExpectRequest wkDefaultExpectRequest(void);

/// Numbers of points by what explains them.
typedef struct wkExpectInfo {
    int32_t pointCount;      ///< all points
    int32_t notFiniteCount;  ///< points that are not finite
    int32_t robotCount;      ///< on the robot
    int32_t objectCount;     ///< on objects of the scene that are not attached
    int32_t attachedCount;   ///< on attached objects
    int32_t unexpectedCount; ///< explained by nothing: new
} wkExpectInfo;

/// Labels points. Safety distances and the padding of links do not count: surfaces are those of the objects
/// themselves. A point deeper than the tolerance inside of a solid is unexpected. Allocates nothing.
/// @param state of the robot of the scene, when the points were measured
/// @param labels one for each point of the view: wkPointLabel. Of several objects that explain a point, the first
///        one counts, and the robot before all
/// @param info NULL: not wanted
/// @return wk_errorArgument, wk_errorRange, wk_errorNotFinite naming the field; wk_errorState: the state or the scene
///         is not valid. Nothing is labelled on failure
WK_API wkResult wkRobotScene_FindExpected(const wkRobotScene* scene, const wkRobotState* state,
                                          const wkExpectRequest* request, int32_t* labels,
                                          wkExpectInfo* info);

/// Labels points, and replaces an object of the scene by a cloud of those that are unexpected, or adds it. Its
/// category is the unknown one of the request, with the safety distance of that (wkRobotScene_SetCategory). Indices of
/// its points are those of the view.
/// @param name of the object; an object of another category is not replaced
/// @param radius of each point, in metres, 0 or more
/// @param info NULL: not wanted
/// @return as wkRobotScene_FindExpected, wkCloud_Create and wkRobotScene_Replace; wk_errorArgument: an object of that
///         name is of another category, or no point is finite, see allowsEmpty. On failure the scene is unchanged
WK_API wkResult wkRobotScene_ReplaceUnexpected(wkRobotScene* scene, const wkRobotState* state,
                                               const wkExpectRequest* request, const char* name,
                                               double radius, wkExpectInfo* info);
