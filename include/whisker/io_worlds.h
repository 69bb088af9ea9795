// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file io_worlds.h
/// Worlds of other programs from files. Part of io.h.

#include "whisker/io_robots.h"
#include "whisker/robot_scene.h"

/// An object of a world: shapes that stand still, or are one thing.
typedef struct wkWorldObject {
    const char* name;      ///< as in the file
    const wkShape* shapes; ///< shapeCount of them; what they borrow belongs to the world
    const wkPose* poses;   ///< of the shapes, in the frame of the object
    int32_t shapeCount;    ///< at least 1
    wkPose pose;           ///< in the world
    bool isMovable;        ///< SDF: a model that is not static, at the pose that the file has
} wkWorldObject;

/// What a world says about a pair of names, links or objects.
typedef struct wkWorldRule {
    const char* nameA; ///< of a link or object, which need not exist
    const char* nameB; ///< the other name
    bool isAllowed;    ///< they may touch; otherwise they must be checked
} wkWorldRule;

/// A world from a file. Given back with wkWorldData_Destroy, when no scene has its objects any more.
typedef struct wkWorldData {
    const wkWorldObject* objects;      ///< in the order of the file
    int32_t objectCount;               ///< >= 0
    const wkWorldRule* rules;          ///< of the allowed collision matrix
    int32_t ruleCount;                 ///< >= 0
    char format[16];                   ///< "scene", "sdf" or "yaml"
    int32_t warningCount;              ///< things that look wrong though the world can be used
    char warning[WK_WARNING_CAPACITY]; ///< the first of them in words; "" when there are none. A
                                       ///< `warn` function of the options receives all of them
} wkWorldData;

/// How a world is loaded. Start from `wkDefaultWorldLoadOptions()`.
typedef struct wkWorldLoadOptions {
    const char* format; ///< "scene", "sdf" or "yaml"; NULL (default): as the content says
    const char* name;   ///< of bytes, in messages; default NULL: "world"
    const char* folder; ///< that paths in bytes are relative to; default NULL: the current folder
    const char*
        frame; ///< a name for the frame of the world besides "world", such as that of the root
               ///< link; default NULL
    const char* robot; ///< name of the robot: a planning scene that names another one is warned of;
                       ///< default NULL: not compared
    const wkRobotPackage* packages; ///< as in wkRobotLoadOptions, for package:// and model://
    int32_t packageCount;           ///< default 0
    bool isSurface;     ///< default false: meshes are solid; true: their triangles alone
    bool allowsEmpty;   ///< default false: a mesh without triangles is refused, since nothing would
                        ///< ever touch it; true: it is an object
    wkPathFcn* reads;   ///< called with the path of each file that the world names, meshes and
                        ///< models, before it is read; NULL (default): not wanted
    void* readsContext; ///< passed to `reads`
    wkWarningFcn*
        warn; ///< called for each warning, in the order of the file; NULL (default): not wanted
    void* warnContext; ///< passed to `warn`
    uint32_t cookie;   ///< set by wkDefaultWorldLoadOptions()
} wkWorldLoadOptions;

/// The defaults above.
WK_API wkWorldLoadOptions wkDefaultWorldLoadOptions(void);

/// Reads a world: geometry that MoveIt saves as text (.scene), a planning scene as YAML (collision objects
/// and the allowed collision matrix), or a world or model of SDF (one object for each model). The path "-"
/// is the standard input, and pipes are read to their end. What is not understood is refused by its name.
/// See docs/worlds.md.
/// @param options NULL means `wkDefaultWorldLoadOptions()`
/// @param world set to NULL on failure
/// @return wk_errorFile (the file, or one that it names), wk_errorParse (file, line and field),
///         wk_errorUnsupported (naming what is not read), wk_errorRange, wk_errorNotFinite, wk_errorMemory,
///         wk_errorArgument, others as wkMesh_Load
WK_API wkResult wkWorldData_Load(const char* path, const wkWorldLoadOptions* options,
                                 wkWorldData** world);

/// Reads what would be the content of a file.
/// @return as wkWorldData_Load
WK_API wkResult wkWorldData_Parse(const void* bytes, size_t byteCount,
                                  const wkWorldLoadOptions* options, wkWorldData** world);

/// Adds the objects to a scene, in the category "static", and its rules to those of the scene. The scene
/// borrows the meshes of the world.
/// @return as wkRobotScene_Add; no object of the world is in the scene then
WK_API wkResult wkWorldData_AddTo(const wkWorldData* world, wkRobotScene* scene);

/// Releases what Load or Parse made; NULL is fine.
WK_API void wkWorldData_Destroy(wkWorldData* world);
