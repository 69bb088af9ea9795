// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file io_robots.h
/// Loads robots from URDF and SRDF files, and saves SRDF files. Part of io.h.

#include "whisker/allowed.h"
#include "whisker/io_load.h"
#include "whisker/robot.h"

/// Geometry that is used for the meshes of a robot description.
typedef enum wkRobotMeshMode {
    wk_robotMeshSolid = 0,   ///< the triangles and the volume that they enclose, as
                             ///< wkMeshDef.isSolid; meshes that are not watertight give a warning
    wk_robotMeshSurface = 1, ///< the triangles alone; objects inside the mesh touch nothing
    wk_robotMeshHull = 2,    ///< the convex hull: faster, conservative
    wk_robotMeshPieces = 3,  ///< the convex hull of each connected component
} wkRobotMeshMode;

/// Lower-case name: "solid", "surface", "hull", "pieces".
WK_API const char* wkRobotMeshModeName(wkRobotMeshMode mode);

/// Finds the value with a name.
/// @param mode unchanged on failure
/// @return wk_errorArgument when there is none
WK_API wkResult wkRobotMeshModeFromName(const char* name, wkRobotMeshMode* mode);

/// Folder of a ROS package.
typedef struct wkRobotPackage {
    const char* name;   ///< as in package://name/...
    const char* folder; ///< path that replaces package://name
} wkRobotPackage;

/// Options of a single link.
typedef struct wkRobotLinkDef {
    const char* link;     ///< name of the link; a name that is not in the file is refused
    double padding;       ///< of its bodies, any sign
    double scale;         ///< of its bodies about the origin of each, > 0
    wkRobotMeshMode mode; ///< for its meshes
} wkRobotLinkDef;

/// Figures of a loaded robot.
typedef struct wkRobotLoadInfo {
    int32_t meshCount;        ///< mesh files read; equal files with equal scale count once
    int64_t triangleCount;    ///< of these files
    int32_t unknownPairCount; ///< pairs of the SRDF with a link that the robot lacks; left out
    int32_t warningCount;     ///< number of warnings
    char
        warning[WK_WARNING_CAPACITY]; ///< the first warning; "" without one. The `warn` function of
                                      ///< the options receives all of them
    double seconds;                   ///< duration of loading
} wkRobotLoadInfo;

/// Options of loading a robot. Start from `wkDefaultRobotLoadDef()`.
typedef struct wkRobotLoadDef {
    uint32_t cookie;  ///< set by wkDefaultRobotLoadDef()
    const char* srdf; ///< path of the SRDF file of the robot; default NULL
    const wkRobotPackage*
        packages;                ///< searched first, before folders beside and above the file and
                                 ///< those of the environment variables ROS_PACKAGE_PATH and
                                 ///< AMENT_PREFIX_PATH; default NULL
    int32_t packageCount;        ///< default 0
    wkRobotMeshMode mode;        ///< for all meshes; default wk_robotMeshSolid
    double padding;              ///< of all bodies; default 0
    double scale;                ///< of all bodies; default 1
    const wkRobotLinkDef* links; ///< options of single links; default NULL
    int32_t linkCount;           ///< default 0
    bool usesVisual;  ///< default false; true: use visual elements of links without collision ones
    bool allowsEmpty; ///< default false: a robot without collision shapes is refused, since it
                      ///< would touch nothing; true: it is loaded
    bool skipsMeshes; ///< default false; true: kinematics only, without collision shapes: mesh
                      ///< files are not opened, and robot scenes need allowsEmpty
    bool
        addsVirtualJoint; ///< default false; true: the virtual joint of the SRDF moves the root, and
                          ///< its variables come first
    const wkParallel* parallel; ///< threads for loading meshes; default NULL: the calling one
    wkPathFcn* reads; ///< called with the path of each mesh file before it is read, on the calling
                      ///< thread; NULL (default): not wanted
    void* readsContext; ///< passed to `reads`
    wkWarningFcn* warn; ///< called for each warning, on the calling thread and always in the same
                        ///< order, before loading succeeds or fails; NULL (default): not wanted
    void* warnContext;  ///< passed to `warn`
} wkRobotLoadDef;

/// The defaults above.
WK_API wkRobotLoadDef wkDefaultRobotLoadDef(void);

/// Reads a robot from a URDF file, with its meshes. URDF or SRDF may be "-", the standard input, or FIFOs,
/// which are read to their end, at most 64 MiB. Relative paths of meshes then start at the current folder.
/// @param def NULL means `wkDefaultRobotLoadDef()`
/// @param info filled in on success; NULL: not wanted
/// @param robot set to NULL on failure
/// @return wk_errorFile (the file, or a mesh, naming the paths tried), wk_errorParse (file, line and
///         element), wk_errorUnsupported (an unexpanded xacro file, naming the command),
///         wk_errorArgument (no collision shapes, see allowsEmpty), wk_errorRange (a negative padding
///         uses up a shape), others as wkRobot_Create, wkMesh_Load and wkHull_Create
WK_API wkResult wkRobot_Load(const char* path, const wkRobotLoadDef* def, wkRobotLoadInfo* info,
                             wkRobot** robot);

/// Parses the content of a URDF file and, unless NULL, of an SRDF file from memory. Relative paths of
/// meshes start at the current folder.
WK_API wkResult wkRobot_Parse(const char* urdf, size_t urdfByteCount, const char* srdf,
                              size_t srdfByteCount, const wkRobotLoadDef* def,
                              wkRobotLoadInfo* info, wkRobot** robot);

/// Writes an SRDF file with groups, named states, end effectors and disabled pairs.
/// @param reasons of wkRobot_SampleAllowed; NULL: the disabled pairs of the robot's description
/// @return wk_errorFile, wk_errorArgument
WK_API wkResult wkRobot_SaveSrdf(const char* path, const wkRobot* robot,
                                 const wkAllowedReason* reasons);
