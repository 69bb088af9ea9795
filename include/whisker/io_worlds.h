// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file io_worlds.h
/// Loads worlds of MoveIt and Gazebo from files. Part of io.h.

#include "whisker/io_robots.h"
#include "whisker/robot_scene.h"

/// An object of a world: one or more shapes with fixed relative poses.
typedef struct wkWorldObject {
    const char* name;      ///< as in the file
    const wkShape* shapes; ///< shapeCount shapes; geometry that they borrow belongs to the world
    const wkPose* poses;   ///< of the shapes, in the frame of the object
    int32_t shapeCount;    ///< at least 1
    wkPose pose;           ///< in the world
    bool isMovable;        ///< SDF: a model that is not static, at its pose in the file
} wkWorldObject;

/// Rule of a world about a pair of links or objects.
typedef struct wkWorldRule {
    const char* nameA; ///< of a link or object, which need not exist
    const char* nameB; ///< the other name
    bool isAllowed;    ///< true: collision allowed; false: the pair is checked
} wkWorldRule;

/// A world from a file. Release it with wkWorldData_Destroy, after the scenes that have its objects.
typedef struct wkWorldData {
    const wkWorldObject* objects; ///< in the order of the file
    int32_t objectCount;          ///< >= 0
    const wkWorldRule* rules;     ///< of the allowed collision matrix
    int32_t ruleCount;            ///< >= 0
    char format[16];              ///< "scene", "sdf" or "yaml"
    int32_t warningCount;         ///< number of warnings
    char
        warning[WK_WARNING_CAPACITY]; ///< the first warning; "" without one. The `warn` function of
                                      ///< the options receives all of them
} wkWorldData;

/// Options of loading a world. Start from `wkDefaultWorldLoadDef()`.
typedef struct wkWorldLoadDef {
    uint32_t cookie;    ///< set by wkDefaultWorldLoadDef()
    const char* format; ///< "scene", "sdf" or "yaml"; NULL (default): detected from the content
    const char* name;   ///< for wkWorldData_Parse: name in messages; default NULL: "world"
    const char*
        folder; ///< for wkWorldData_Parse: base of relative paths; default NULL: the current
    const char*
        frame; ///< another name of the world frame besides "world", such as that of the root
               ///< link; default NULL
    const char* robot; ///< name of the robot; a planning scene of another robot gives a warning;
                       ///< default NULL: not compared
    const wkRobotPackage* packages; ///< as in wkRobotLoadDef, for package:// and model://
    int32_t packageCount;           ///< default 0
    bool isSurface;   ///< default false: meshes are solid; true: their triangles alone
    bool allowsEmpty; ///< default false: a mesh without triangles is refused, since it would touch
                      ///< nothing; true: it is accepted
    wkPathFcn* reads; ///< called with the path of each mesh and model file that the world names,
                      ///< before it is read; NULL (default): not wanted
    void* readsContext; ///< passed to `reads`
    wkWarningFcn* warn; ///< called for each warning, in file order; NULL (default): not wanted
    void* warnContext;  ///< passed to `warn`
} wkWorldLoadDef;

/// The defaults above.
WK_API wkWorldLoadDef wkDefaultWorldLoadDef(void);

/// Reads a world: scene geometry text of MoveIt (.scene), a planning scene as YAML (collision objects and
/// the allowed collision matrix), or a world or model of SDF (one object per model). The path "-" is the
/// standard input; pipes are read to their end. Unsupported elements are refused and named. See
/// docs/worlds.md.
/// @param def NULL means `wkDefaultWorldLoadDef()`
/// @param world set to NULL on failure
/// @return wk_errorFile (the file, or one that it names), wk_errorParse (file, line and field),
///         wk_errorUnsupported (naming what is not read), wk_errorRange, wk_errorNotFinite, wk_errorMemory,
///         wk_errorArgument, others as wkMesh_Load
WK_API wkResult wkWorldData_Load(const char* path, const wkWorldLoadDef* def, wkWorldData** world);

/// Parses the content of a file from memory.
/// @return as wkWorldData_Load
WK_API wkResult wkWorldData_Parse(const void* bytes, size_t byteCount, const wkWorldLoadDef* def,
                                  wkWorldData** world);

/// Adds the objects to a scene, in the category "static", and the rules to those of the scene. The scene
/// borrows the meshes of the world.
/// @return as wkRobotScene_Add; on failure no object of the world is in the scene
WK_API wkResult wkWorldData_AddTo(const wkWorldData* world, wkRobotScene* scene);

/// Releases data of Load or Parse; NULL is fine.
WK_API void wkWorldData_Destroy(wkWorldData* world);
