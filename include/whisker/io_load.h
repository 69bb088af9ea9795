// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file io_load.h
/// How files are read and written, whatever they hold. Part of io.h.

#include "whisker/mesh.h"

/// Room for the words of a warning, with the final zero.
#define WK_WARNING_CAPACITY 200

/// What there is to say about a file that was loaded.
typedef struct wkLoadReport {
    char format[16]; ///< name of the format that was read, such as "stl"
    /// What looks wrong though it could be read: a mesh whose size suggests another unit than
    /// metres (largest extent above 100 m or below 1 mm), no triangles, no finite points, points so
    /// far away that floats are coarse there, bytes behind the end; else "".
    char warning[WK_WARNING_CAPACITY];
    wkAabb bounds; ///< around vertices or finite points, in metres; all zero when there are none
    int32_t notFiniteCount; ///< points with a coordinate that is NaN or infinite; 0 for meshes
} wkLoadReport;

/// How to load. Start from `wkDefaultLoadOptions()`.
typedef struct wkLoadOptions {
    const char* format; ///< name from the table above; NULL (default): as content and extension say
    wkVec3d scale;      ///< factors on the axes of the result, default 1; a mirroring scale turns
                        ///< the triangles around, so that outside stays outside
    bool keepsVertices; ///< default false: vertices at exactly the same place become one vertex, in
                        ///< formats that repeat them (stl, and those through assimp)
    bool ignoresUpAxis; ///< default false: an up axis that the file states becomes z; ROS expects
                        ///< true for the meshes of robot descriptions
    wkLoadReport* report; ///< filled in on success; NULL (default): not wanted
    bool isSolid;         ///< for wkMesh_Load, as in wkMeshDef; default true: files hold
                          ///< bodies; false: the surface alone, hollow
    bool
        allowsEmpty; ///< for wkMesh_Load; default false: a file without triangles is refused, since
                     ///< nothing would ever touch its mesh; true: it is loaded
    wkVolumeKind volume;        ///< for wkMesh_Load, as in wkMeshDef; default wk_volumeAabb
    wkSplitMethod split;        ///< for wkMesh_Load, as in wkMeshDef; default wk_splitSah
    const wkParallel* parallel; ///< for wkMesh_Load, as in wkMeshDef; default NULL
    uint32_t cookie;            ///< set by wkDefaultLoadOptions()
} wkLoadOptions;

/// Options with the defaults above.
WK_API wkLoadOptions wkDefaultLoadOptions(void);

/// Receives a warning: what looks wrong though it can be used.
/// @param message one line without its end, which names file and link or element; valid during the call
typedef void wkWarningFcn(const char* message, void* context);

/// Takes the path of a file.
typedef void wkPathFcn(const char* path, void* context);

/// Writes a file that appears whole or not at all: what was there before stays when anything fails. Devices
/// and pipes are written to directly. All functions of this library save files in this way.
/// @return wk_errorFile, wk_errorArgument
WK_API wkResult wkSaveFile(const char* path, const void* bytes, size_t byteCount);
