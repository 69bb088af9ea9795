// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file robot_cloud.h
/// A robot as clouds of samples of its surface, link by link and at several resolutions, and alarms from it: which
/// link is near which object, coarse where objects are far and fine where they are near. See
/// docs/obstacle_detection.md.

#include "whisker/center_distance.h"
#include "whisker/robot_scene.h"

/// What the samples of a link are.
typedef enum wkRobotCloudKind {
    wk_robotCloudPoints = 0, ///< points of the surface
    wk_robotCloudCells = 1,  ///< centres of the cubes that an octree in the frame of the link would
                             ///< have
} wkRobotCloudKind;

/// Maximum number of resolutions.
#define WK_MAX_ROBOT_CLOUD_LEVELS 8

/// Definition of the clouds of a robot. Start from `wkDefaultRobotCloudDef()`.
typedef struct wkRobotCloudDef {
    uint32_t cookie;                               ///< set by wkDefaultRobotCloudDef()
    const wkRobot* robot;                          ///< borrowed
    wkRobotCloudKind kind;                         ///< default wk_robotCloudPoints
    int32_t levelCount;                            ///< 1 to WK_MAX_ROBOT_CLOUD_LEVELS; default 3
    double resolutions[WK_MAX_ROBOT_CLOUD_LEVELS]; ///< metres, coarse to fine, 1e-4 to 10: the
                                                   ///< wanted gap of points, or the edge of cells;
                                                   ///< default 0.1, 0.03, 0.01
    int32_t maxSamples; ///< samples of a link at a level before they are thinned; 1 to 1e8; default
                        ///< 20,000,000
} wkRobotCloudDef;

/// The defaults above, without a robot.
WK_API wkRobotCloudDef wkDefaultRobotCloudDef(void);

/// The clouds of a robot. Built once, then never changed: any number of threads share it.
typedef struct wkRobotCloud wkRobotCloud;

/// Samples the collision bodies of a robot, padding included.
/// @param cloud set to NULL on failure
/// @return wk_errorArgument, wk_errorRange, wk_errorNotFinite naming the field; wk_errorRange for a link that
///         needs more than maxSamples; wk_errorUnsupported for a body that is unbounded, a map or a cloud;
///         wk_errorMemory
WK_API wkResult wkRobotCloud_Create(const wkRobotCloudDef* def, wkRobotCloud** cloud);

/// Releases the clouds of a robot; NULL is fine.
WK_API void wkRobotCloud_Destroy(wkRobotCloud* cloud);

/// Figures of the clouds of a robot.
typedef struct wkRobotCloudInfo {
    int32_t linkCount;                      ///< links of the robot
    int32_t levelCount;                     ///< as defined
    double gaps[WK_MAX_ROBOT_CLOUD_LEVELS]; ///< largest gap of a link at each level, in metres
    int64_t pointCounts[WK_MAX_ROBOT_CLOUD_LEVELS]; ///< points of all links at each level
    size_t byteCount;                               ///< memory in use
} wkRobotCloudInfo;

/// Returns the figures; zeros for NULL.
WK_API wkRobotCloudInfo wkRobotCloud_Info(const wkRobotCloud* cloud);

/// The samples of a link at one level.
typedef struct wkLinkCloudInfo {
    const wkCloud* cloud; ///< in the frame of the link; valid as long as the wkRobotCloud; NULL:
                          ///< the link has no bodies
    double gap; ///< metres, proven: each point of the surface of the link's bodies is within it of
                ///< a sample, and each sample within it of the surface. It is the radius of all
                ///< points of the cloud, whose spheres cover the surface
} wkLinkCloudInfo;

/// Returns the samples of a link; no cloud when an index is out of range.
WK_API wkLinkCloudInfo wkRobotCloud_Link(const wkRobotCloud* cloud, int32_t link, int32_t level);

/// How near a link is to an object. Zeroed memory is never clear.
typedef enum wkAlarm {
    wk_alarmUnchecked = 0, ///< not checked; treat as collision
    wk_alarmClear = 1,     ///< further than the safety distance and the warning margin
    wk_alarmWarning = 2,   ///< within the warning margin beyond the safety distance
    wk_alarmCollision = 3, ///< within the safety distance of the object's category
    wk_alarmInvalid = 4,   ///< state, scene or request is not valid, see wkGetLastError(); treat as
                           ///< collision
} wkAlarm;

/// Lower-case name: "unchecked", "clear", "warning", "collision", "invalid"; "none" for any other number.
WK_API const char* wkAlarmName(wkAlarm alarm);

/// Options of an alarm check. Start from `wkDefaultAlarmRequest()`.
typedef struct wkAlarmRequest {
    uint32_t cookie;               ///< set by wkDefaultAlarmRequest()
    double warningMargin;          ///< metres beyond the safety distance; 0 or more; default 0.1
    const double* changeDistances; ///< one for each level but the last, 0 or more: pairs nearer
                                   ///< than it at this level are measured at the next one. NULL
                                   ///< (default): the warning margin, which is what the alarm
                                   ///< needs. Less warns too early, never too late
    const int32_t* finestLevels; ///< one for each link: its finest level; NULL (default): the last
                                 ///< one
    double cutoff; ///< distances beyond it are not measured; at least the warning margin; default
                   ///< infinity
    const wkParallel* parallel; ///< threads that share the links, same result with any; NULL
                                ///< (default): the calling one
} wkAlarmRequest;

/// The defaults above.
WK_API wkAlarmRequest wkDefaultAlarmRequest(void);

/// The nearest object of a link.
typedef struct wkLinkAlarm {
    wkAlarm alarm;   ///< of the link
    double distance; ///< lower bound of the distance between surfaces, less the safety distance and
                     ///< padding; the cutoff when nothing is nearer. Below 0 it says that surfaces
                     ///< are too near, not how deep they are
    double gap;    ///< the exact distance is at most `distance` + 2 * `gap`; 0: `distance` is exact
    int32_t level; ///< of the samples that were measured; -1: an attached object or the bodies
                   ///< themselves
    wkRobotSide object; ///< the object
    wkVec3d pointA;     ///< on the link's side, in the world; 0: none
    wkVec3d pointB;     ///< on the object's side, in the world; 0: none
} wkLinkAlarm;

/// Result of an alarm check.
typedef struct wkAlarmResult {
    wkAlarm alarm;     ///< the most severe of all links
    int32_t link;      ///< the link that is nearest to an object; -1: none
    wkLinkAlarm worst; ///< of that link
    int64_t pairCount; ///< pairs of links and objects that were measured, each level counted
} wkAlarmResult;

/// Checks all links of a robot against all objects of a scene, each with the safety distance of its category
/// (wkRobotScene_SetCategory). Pairs that the rules allow to touch are left out. Attached objects belong to
/// their link and are measured as they are.
///
/// Clear means that wkRobotScene_Check, about objects alone, finds no contact, with a margin of the
/// warning margin. Allocates nothing.
/// @param cloud of the robot of the scene
/// @param request NULL means `wkDefaultAlarmRequest()`
/// @param linkAlarms array of linkCount; NULL: not wanted
WK_API wkAlarmResult wkRobotCloud_Check(const wkRobotCloud* cloud, const wkRobotScene* scene,
                                        const wkRobotState* state, const wkAlarmRequest* request,
                                        wkLinkAlarm* linkAlarms);
