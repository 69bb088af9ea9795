// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file io_robots.h
/// Robots from files, and what is known about their pairs into files. Part of io.h.

#include "whisker/allowed.h"
#include "whisker/io_load.h"
#include "whisker/robot.h"

/// What stands for a mesh of a robot description.
typedef enum wkRobotMeshMode {
    wk_robotMeshSolid =
        0, ///< its triangles and the space that they enclose, as wkMeshDef.isSolid; a
           ///< mesh that is not watertight is named by a warning
    wk_robotMeshSurface = 1,   ///< its triangles alone: what is inside of it touches nothing
    wk_robotMeshHull = 2,      ///< its convex hull: faster, a little too large
    wk_robotMeshPieces = 3,    ///< the convex hull of each connected piece of it
    wk_robotMeshModeCount = 4, ///< number of values, not a mode
} wkRobotMeshMode;

/// Lower-case name: "solid", "surface", "hull", "pieces".
WK_API const char* wkRobotMeshModeName(wkRobotMeshMode mode);

/// Mode with that name; wk_robotMeshModeCount when there is none.
WK_API wkRobotMeshMode wkRobotMeshModeFromName(const char* name);

/// Where a package of ROS is.
typedef struct wkRobotPackage {
    const char* name;   ///< as in package://name/...
    const char* folder; ///< what stands for package://name
} wkRobotPackage;

/// What is special about a link.
typedef struct wkRobotLinkOptions {
    const char* link;     ///< its name; one that is not in the file is refused
    double padding;       ///< of its bodies, any sign
    double scale;         ///< of its bodies about the origin of each, > 0
    wkRobotMeshMode mode; ///< for its meshes
} wkRobotLinkOptions;

/// What there is to say about a robot that was loaded.
typedef struct wkRobotLoadReport {
    int32_t meshCount;     ///< mesh files that were read; the same with the same scale counts once
    int64_t triangleCount; ///< of these files
    int32_t unknownPairCount; ///< pairs of the SRDF with a link that the robot lacks: left out
    int32_t warningCount;     ///< things that look wrong though the robot can be used
    char warning
        [WK_WARNING_CAPACITY]; ///< the first of them; "" when there are none. A `warn` function
                               ///< of the options receives all of them
    double seconds;            ///< that loading took
} wkRobotLoadReport;

/// How a robot is loaded. Start from `wkDefaultRobotLoadOptions()`.
typedef struct wkRobotLoadOptions {
    const char* srdf; ///< path of the SRDF file that goes with it; default NULL
    const wkRobotPackage*
        packages;         ///< searched first; default NULL: folders beside the file, above
                          ///< it, and those of the environment variables ROS_PACKAGE_PATH
                          ///< and AMENT_PREFIX_PATH
    int32_t packageCount; ///< default 0
    wkRobotMeshMode mode; ///< for all meshes; default wk_robotMeshSolid
    double padding;       ///< of all bodies; default 0
    double scale;         ///< of all bodies; default 1
    const wkRobotLinkOptions* links; ///< links that differ; default NULL
    int32_t linkCount;               ///< default 0
    bool usesVisual; ///< default false; true: visual elements where a link has no collision ones
    bool
        allowsEmpty; ///< default false: a robot without any collision shape is refused, since nothing
                     ///< would ever touch it; true: it is loaded
    bool
        skipsMeshes; ///< default false; true: kinematics alone, no collision shapes: mesh files are not
                     ///< opened, and robot scenes refuse the robot unless they allow empty ones
    bool
        addsVirtualJoint; ///< default false; true: the virtual joint of the SRDF moves the root, and
                          ///< its variables come first
    const wkParallel* parallel; ///< threads for loading meshes; default NULL: the calling one
    wkRobotLoadReport* report;  ///< filled in on success; NULL (default): not wanted
    wkPathFcn*
        reads; ///< called with the path of each mesh file before it is read, on the calling thread;
               ///< NULL (default): not wanted
    void* readsContext; ///< passed to `reads`
    wkWarningFcn*
        warn; ///< called for each warning, on the calling thread and in the same order every
              ///< time, before loading succeeds or fails; NULL (default): not wanted
    void* warnContext; ///< passed to `warn`
    uint32_t cookie;   ///< set by wkDefaultRobotLoadOptions()
} wkRobotLoadOptions;

/// The defaults above.
WK_API wkRobotLoadOptions wkDefaultRobotLoadOptions(void);

/// Reads a robot from a URDF file, with its meshes. URDF and SRDF may come through a pipe: "-" is the
/// standard input, which one of them can be, and FIFOs are read to their end, 64 MiB at most. Paths of
/// meshes that are not absolute start at the current folder then.
/// @param options NULL means `wkDefaultRobotLoadOptions()`
/// @param robot set to NULL on failure
/// @return wk_errorFile (the file, or a mesh: says where it was looked for), wk_errorParse (file, line
///         and element), wk_errorUnsupported (a xacro file that was not expanded: says how),
///         wk_errorArgument (no collision shapes, see allowsEmpty), wk_errorRange (a padding that leaves
///         nothing of a shape), others as wkRobot_Create, wkMesh_Load and wkHull_Create
WK_API wkResult wkRobot_Load(const char* path, const wkRobotLoadOptions* options, wkRobot** robot);

/// Reads what would be the content of a URDF file and, unless NULL, of an SRDF file. Paths of meshes
/// that are not absolute start at the current folder.
WK_API wkResult wkRobot_Parse(const char* urdf, size_t urdfByteCount, const char* srdf,
                              size_t srdfByteCount, const wkRobotLoadOptions* options,
                              wkRobot** robot);

/// Writes an SRDF file: what there is of groups, states and hands, and the pairs that need no look.
/// @param reasons as wkRobot_SampleAllowed fills them; NULL: the pairs that the robot came with
/// @return wk_errorFile, wk_errorArgument
WK_API wkResult wkRobot_SaveSrdf(const char* path, const wkRobot* robot,
                                 const wkAllowedReason* reasons);
