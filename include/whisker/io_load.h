// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file io_load.h
/// Options of loading and figures of what was read, common to all kinds of files. Part of io.h.

#include "whisker/cloud.h"
#include "whisker/mesh.h"

/// Bytes of a warning text, with the final zero.
#define WK_WARNING_CAPACITY 200

/// Figures of a loaded file.
typedef struct wkLoadInfo {
    char format[16]; ///< name of the format that was read, such as "stl"
    /// Warning about a file that is readable but suspicious: a mesh whose size suggests another unit
    /// than metres (largest extent above 100 m or below 1 mm), no triangles, no finite points, points
    /// too far away for the precision of floats, bytes behind the end; else "".
    char warning[WK_WARNING_CAPACITY];
    wkAabb bounds; ///< around vertices or finite points, in metres and relative to `origin`; all
                   ///< zero when there are none
    int32_t notFiniteCount; ///< points with a coordinate that is NaN or infinite; 0 for meshes
    wkVec3d origin;         ///< of points: subtracted from all of them, in metres; 0 for meshes
} wkLoadInfo;

/// Options of loading. Start from `wkDefaultLoadDef()`.
typedef struct wkLoadDef {
    uint32_t cookie;    ///< set by wkDefaultLoadDef()
    const char* format; ///< name from the table of io.h; NULL (default): from content and extension
    wkVec3d scale;    ///< factors on the axes of the result, default 1; a mirroring scale reverses
                      ///< the order of vertices, so that triangles still face outward
    wkVec3d origin;   ///< of points: subtracted from the coordinates of the file before they become
                      ///< floats and before the scale; default 0
    bool findsOrigin; ///< of points: default false; true: `origin` is chosen near them if they are
                      ///< further than 1 km from 0, so that map coordinates keep millimetres.
                      ///< wkLoadInfo.origin says what it is
    bool keepsVertices; ///< default false: vertices with equal coordinates are merged, in formats
                        ///< that repeat them (stl, and those read through assimp)
    bool
        ignoresUpAxis; ///< default false: an up axis stated in the file becomes z; ROS expects true
                       ///< for the meshes of robot descriptions
    bool isSolid;      ///< for wkMesh_Load, as in wkMeshDef; default true: a solid body; false: the
                       ///< surface alone, hollow
    bool allowsEmpty; ///< for wkMesh_Load and wkCloud_Load; default false: a file without triangles
                      ///< or finite points is refused, since it would touch nothing; true: it is
                      ///< loaded
    wkVolumeKind volume;        ///< for wkMesh_Load, as in wkMeshDef; default wk_volumeAabb
    wkSplitMethod split;        ///< for wkMesh_Load, as in wkMeshDef; default wk_splitSah
    const wkParallel* parallel; ///< for wkMesh_Load, as in wkMeshDef; default NULL
    wkCloudDef cloud; ///< for wkCloud_Load: radius, spacing and the others, but not its points;
                      ///< default wkDefaultCloudDef()
} wkLoadDef;

/// Options with the defaults above.
WK_API wkLoadDef wkDefaultLoadDef(void);

/// Receives a warning about suspicious but usable data.
/// @param message one line without line end that names the file and the link or element; valid during
///        the call
typedef void wkWarningFcn(const char* message, void* context);

/// Receives the path of a file.
typedef void wkPathFcn(const char* path, void* context);

/// Writes a file atomically: on failure an older file stays unchanged. Devices and pipes are written to
/// directly. All functions of this library save files in this way.
/// @return wk_errorFile, wk_errorArgument
WK_API wkResult wkSaveFile(const char* path, const void* bytes, size_t byteCount);
