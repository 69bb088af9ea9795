// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file io.h
/// Meshes, points, maps, robots and balls from files and into files. In a library of its own, whisker-io (CMake target
/// `whisker::io`, pkg-config `whisker-io`), so that programs without files need none of it.
///
/// | name and extension | holds | read | written |
/// | --- | --- | --- | --- |
/// | stl | mesh | ascii, binary | binary |
/// | obj | mesh | yes | yes |
/// | ply | mesh, points | ascii, binary of both byte orders | binary, little-endian |
/// | whisker | mesh | with its hierarchy, as wkMesh_Block() gives it | the same |
/// | dae, gltf, glb, fbx, others | mesh | where built with assimp | no |
/// | pcd | points | ascii, binary, binary_compressed; all types of fields | binary, floats |
/// | npy | points | (n, 3 or more) and (height, width, 3 or more), all types | floats |
/// | bin | points | as in KITTI: floats x, y, z, intensity | the same, intensity 0 |
/// | csv, xyz | points | x, y, z by the names in the first line, else the first three | no |
/// | vtk | points | legacy files, ascii and binary | no |
/// | bt, ot | map | as OctoMap writes them | the same |
/// | urdf, srdf | robot | where built with expat | srdf |
/// | png | depth image | 16-bit grey, where built with libpng | the same |
/// | txt | camera of depth images | a key and its numbers on each line | the same |
/// | scene | world | as MoveIt saves it | no |
/// | sdf, world | world | where built with expat | no |
/// | yaml | world | planning scenes of MoveIt, where built with libyaml | no |
/// | json | balls of a robot | yes | yes |
/// | yml, yaml | balls of a robot | where built with libyaml: those of cuRobo and smpl | as cuRobo |
/// | urdf | balls of a robot | where built with expat | yes |
///
/// Nothing is trusted: counts are compared with the bytes that are there before memory is taken.
/// Words of failures (`wkGetLastError()`) name the file, the line (text) or byte (binary), and the
/// field. See docs/files.md.

#include "whisker/allowed.h"
#include "whisker/depth_image.h"
#include "whisker/mesh.h"
#include "whisker/octree.h"
#include "whisker/robot_scene.h"
#include "whisker/sphere_model.h"

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
    bool keepsCorners;  ///< default false: corners at exactly the same place become one vertex, in
                        ///< formats that repeat them (stl, and those through assimp)
    bool ignoresUpAxis; ///< default false: an up axis that the file states becomes z; ROS expects
                        ///< true for the meshes of robot descriptions
    wkLoadReport* report;       ///< filled in on success; NULL (default): not wanted
    bool isSolid;               ///< for wkMesh_Load, as in wkMeshDef, but default true: files hold
                                ///< bodies; false: the surface alone, hollow
    wkVolumeKind volume;        ///< for wkMesh_Load, as in wkMeshDef; default wk_volumeAabb
    wkSplitMethod split;        ///< for wkMesh_Load, as in wkMeshDef; default wk_splitSah
    const wkParallel* parallel; ///< for wkMesh_Load, as in wkMeshDef; default NULL
    uint32_t cookie;            ///< set by wkDefaultLoadOptions()
} wkLoadOptions;

/// Options with the defaults above.
WK_API wkLoadOptions wkDefaultLoadOptions(void);

/// Vertices and triangles, no more. Those from a file belong to the library and are given back with
/// wkMeshData_Destroy; for wkMeshData_Save a program may fill in its own.
typedef struct wkMeshData {
    wkVec3d* vertices;     ///< corners, all finite
    int32_t vertexCount;   ///< >= 0
    int32_t* triangles;    ///< three indices each, all in range
    int32_t triangleCount; ///< >= 0, at most 2^28
} wkMeshData;

/// Reads a file. Polygons become fans of triangles; normals, colours and textures are skipped.
/// @param options NULL means `wkDefaultLoadOptions()`
/// @param data set to NULL on failure
/// @return wk_errorFile (cannot be read), wk_errorParse (broken, truncated, or not what it says),
///         wk_errorNotFinite (a vertex, naming its index), wk_errorRange (more than 2^28 triangles),
///         wk_errorUnsupported (unknown format, or one that needs assimp in a build without it),
///         wk_errorMemory, wk_errorArgument
WK_API wkResult wkMeshData_Load(const char* path, const wkLoadOptions* options, wkMeshData** data);

/// Reads what would be the content of a file.
/// @param format name from the table above; NULL: as the content says
/// @return as wkMeshData_Load
WK_API wkResult wkMeshData_Parse(const void* bytes, size_t byteCount, const char* format,
                                 const wkLoadOptions* options, wkMeshData** data);

/// Releases what Load or Parse made; NULL is fine.
WK_API void wkMeshData_Destroy(wkMeshData* data);

/// Writes a file in the format of its extension: .stl (floats), .obj or .ply (both exact).
/// @return wk_errorFile, wk_errorUnsupported (extension), wk_errorRange (an index out of range, or a
///         coordinate beyond the floats of stl), wk_errorNotFinite, wk_errorMemory, wk_errorArgument
WK_API wkResult wkMeshData_Save(const char* path, const wkMeshData* data);

/// Reads a file and builds a mesh. A .whisker file holds the hierarchy already: it is taken as it
/// is, with its own solidity and volumes, and refuses any scale but 1.
/// @param options NULL means `wkDefaultLoadOptions()`
/// @param mesh set to NULL on failure
/// @return as wkMeshData_Load and wkMesh_Create
WK_API wkResult wkMesh_Load(const char* path, const wkLoadOptions* options, wkMesh** mesh);

/// Writes a mesh: with its hierarchy (.whisker), or its triangles alone (.stl, .obj, .ply).
/// @return as wkMeshData_Save
WK_API wkResult wkMesh_Save(const char* path, const wkMesh* mesh);

/// Name of the i-th format whose meshes this build reads, NULL when there are no more.
WK_API const char* wkMeshFormatName(int32_t index);

/// Points of a scan or a model. Those from a file belong to the library and are given back with
/// wkPointData_Destroy; for wkPointData_Save a program may fill in its own.
typedef struct wkPointData {
    float* points;  ///< x, y, z of each; what a sensor has missed is NaN, as the file has it
    int32_t count;  ///< >= 0
    int32_t width;  ///< points in a row, when they lie as the pixels of an image; else the count
    int32_t height; ///< rows; 1 without an image
    bool hasSensor; ///< the file says where the sensor was (pcd)
    wkPose sensor;  ///< where it was, in the frame of the points; identity when not said
} wkPointData;

/// Reads the points of a file, or the vertices of a mesh; other fields are skipped. All points are
/// kept, in their order: the report counts those that are not finite. Of the options only format,
/// scale and report count.
/// @param options NULL means `wkDefaultLoadOptions()`
/// @param data set to NULL on failure
/// @return wk_errorFile (cannot be read), wk_errorParse (broken, truncated, or not what it says),
///         wk_errorRange (more than 2^31 - 1 points), wk_errorUnsupported (unknown format, or a
///         form of it that is not read), wk_errorNotFinite, wk_errorMemory, wk_errorArgument
WK_API wkResult wkPointData_Load(const char* path, const wkLoadOptions* options,
                                 wkPointData** data);

/// Reads what would be the content of a file.
/// @param format name from the table above; NULL: as the content says
/// @return as wkPointData_Load
WK_API wkResult wkPointData_Parse(const void* bytes, size_t byteCount, const char* format,
                                  const wkLoadOptions* options, wkPointData** data);

/// Releases what Load or Parse made; NULL is fine.
WK_API void wkPointData_Destroy(wkPointData* data);

/// Writes a file in the format of its extension: .pcd (all there is), .npy (no sensor), .ply or .bin
/// (neither sensor nor rows). Every bit of the points arrives.
/// @param data width and height 0 stand for points that are no image
/// @return wk_errorFile, wk_errorUnsupported (extension), wk_errorNotFinite (the sensor's pose),
///         wk_errorArgument (counts that do not agree)
WK_API wkResult wkPointData_Save(const char* path, const wkPointData* data);

/// Name of the i-th format whose points this build reads, NULL when there are no more.
WK_API const char* wkPointFormatName(int32_t index);

/// Reads a map of OctoMap: .bt (free or occupied) or .ot (all log-odds), whichever the content is.
/// The sensor model is OctoMap's usual one; change it with wkOctree_SetDef.
/// @param octree set to NULL on failure
/// @return wk_errorFile (cannot be read), wk_errorParse (broken, truncated, or not what it says),
///         wk_errorNotFinite, wk_errorUnsupported (another kind of tree), wk_errorMemory,
///         wk_errorArgument, and as wkOctree_Create for the resolution
WK_API wkResult wkOctree_Load(const char* path, wkOctree** octree);

/// Reads what would be the content of a file.
/// @return as wkOctree_Load
WK_API wkResult wkOctree_Parse(const void* bytes, size_t byteCount, wkOctree** octree);

/// Writes a map in the format of its extension, .bt or .ot, as OctoMap writes it.
/// @return wk_errorFile, wk_errorUnsupported (extension), wk_errorMemory, wk_errorArgument
WK_API wkResult wkOctree_Save(const char* path, const wkOctree* octree);

/// Rows of numbers, such as configurations of a robot. Given back with wkTableData_Destroy.
typedef struct wkTableData {
    double* values;           ///< row by row; as the file has them, NaN and all
    int32_t rowCount;         ///< >= 0
    int32_t columnCount;      ///< >= 0
    const char* const* names; ///< of the columns, from the first line of text; NULL: none
} wkTableData;

/// Reads an array of NumPy of one row or many, or text: a row per line, numbers parted by commas,
/// semicolons or blanks, names in the first line or not, lines with # skipped.
/// @param data set to NULL on failure
/// @return wk_errorFile (cannot be read), wk_errorParse (rows of different lengths, what is no number,
///         truncated arrays), wk_errorUnsupported (another kind of array), wk_errorRange (more than
///         4096 columns), wk_errorMemory, wk_errorArgument
WK_API wkResult wkTableData_Load(const char* path, wkTableData** data);

/// Reads what would be the content of a file.
/// @return as wkTableData_Load
WK_API wkResult wkTableData_Parse(const void* bytes, size_t byteCount, wkTableData** data);

/// Releases what Load or Parse made; NULL is fine.
WK_API void wkTableData_Destroy(wkTableData* data);

/// Rows of numbers that are read piece by piece. An array of NumPy is read where the file is, so that it may
/// be larger than memory; text and pipes are read whole.
typedef struct wkTableMap wkTableMap;

/// Opens what wkTableData_Load reads: an array of one row or many, of any type of numbers, byte order and
/// order of indices, with at most 2^31 - 1 rows; or text.
/// @param map set to NULL on failure
/// @return wk_errorFile (cannot be read), wk_errorParse (truncated, or neither an array nor text),
///         wk_errorUnsupported (another type: names the key), wk_errorRange, wk_errorMemory,
///         wk_errorArgument
WK_API wkResult wkTableMap_Open(const char* path, wkTableMap** map);

/// Closes it; NULL is fine.
WK_API void wkTableMap_Close(wkTableMap* map);

/// Number of rows; 0 for NULL.
WK_API int64_t wkTableMap_RowCount(const wkTableMap* map);

/// Number of columns; 0 for NULL.
WK_API int32_t wkTableMap_ColumnCount(const wkTableMap* map);

/// Names of the columns, from the first line of text; NULL: none. Valid until the map is closed.
WK_API const char* const* wkTableMap_ColumnNames(const wkTableMap* map);

/// Copies rows. The memory that it takes is given back at once: to read a file from its start to its end
/// takes no more than one such piece of it.
/// @param values room for `count` rows, one after the other
/// @return wk_errorRange: there are no such rows; wk_errorArgument
WK_API wkResult wkTableMap_Read(wkTableMap* map, int64_t first, int64_t count, double* values);

/// Types of numbers that arrays are written with.
typedef enum wkArrayType {
    wk_arrayUint8 = 0,     ///< u1
    wk_arrayInt32 = 1,     ///< i4
    wk_arrayFloat = 2,     ///< f4
    wk_arrayTypeCount = 3, ///< number of values, not a type
} wkArrayType;

/// An array of NumPy that is written piece by piece. Until wkArrayFile_Close has renamed it, it is called
/// as its target with WK_ARRAY_PARTIAL behind it, and an older file under the name of the target stays. One
/// process writes to it at a time. Devices and pipes are written to directly, from the first number to
/// the last.
typedef struct wkArrayFile wkArrayFile;

/// Ending of the file that an array is in until it is closed.
#define WK_ARRAY_PARTIAL ".partial"

/// Makes a file for an array of one dimension: zeros, or NaN for floats, until they are written. Its space
/// on the disk is taken at once.
/// @param file set to NULL on failure
/// @return wk_errorFile, also when the disk is full or another process writes to it; wk_errorRange (the
///         count), wk_errorMemory, wk_errorArgument
WK_API wkResult wkArrayFile_Create(const char* path, wkArrayType type, int64_t count,
                                   wkArrayFile** file);

/// Goes on with an array that wkArrayFile_Create began and wkArrayFile_Leave left.
/// @param path of the target, without WK_ARRAY_PARTIAL
/// @return wk_errorFile: there is none; wk_errorParse: it has another type or count; others as
///         wkArrayFile_Create
WK_API wkResult wkArrayFile_Resume(const char* path, wkArrayType type, int64_t count,
                                   wkArrayFile** file);

/// Reads numbers of the array as they are now.
/// @return as wkArrayFile_Write; wk_errorUnsupported: a device or a pipe
WK_API wkResult wkArrayFile_Read(const wkArrayFile* file, int64_t first, int64_t count,
                                 void* numbers);

/// Writes numbers, which are of the type of the array, from a position on.
/// @return wk_errorRange: there is no such position, or a device or pipe is elsewhere; wk_errorFile: the
///         disk is full; wk_errorArgument
WK_API wkResult wkArrayFile_Write(wkArrayFile* file, int64_t first, int64_t count,
                                  const void* numbers);

/// Waits until everything that was written is on the disk.
WK_API wkResult wkArrayFile_Flush(wkArrayFile* file);

/// Waits likewise, and gives the file the name of its target; NULL is fine.
/// @return wk_errorFile: the target is as it was, and the array is in its partial file
WK_API wkResult wkArrayFile_Close(wkArrayFile* file);

/// Closes an array that is not complete: the target is as it was. NULL is fine.
/// @param isKept the partial file stays, for wkArrayFile_Resume; false: it is removed
WK_API void wkArrayFile_Leave(wkArrayFile* file, bool isKept);

/// Writes a file that appears whole or not at all: what was there before stays when anything fails. Devices
/// and pipes are written to directly. All functions of this library save files in this way.
/// @return wk_errorFile, wk_errorArgument
WK_API wkResult wkSaveFile(const char* path, const void* bytes, size_t byteCount);

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

/// Receives a warning: what looks wrong though it can be used.
/// @param message one line without its end, which names file and link or element; valid during the call
typedef void wkWarningFcn(const char* message, void* context);

/// Takes the path of a file.
typedef void wkPathFcn(const char* path, void* context);

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
    char warning[WK_WARNING_CAPACITY]; ///< the first of them in words; "" when there are none
} wkWorldData;

/// How a world is loaded. Start from `wkDefaultWorldLoadOptions()`.
typedef struct wkWorldLoadOptions {
    const char* format; ///< "scene", "sdf" or "yaml"; NULL (default): as the content says
    const char* name;   ///< of bytes, in messages; default NULL: "world"
    const char* folder; ///< that paths in bytes are relative to; default NULL: the current folder
    const char*
        frame; ///< a name for the frame of the world besides "world", such as that of the root
               ///< link; default NULL
    const wkRobotPackage* packages; ///< as in wkRobotLoadOptions, for package:// and model://
    int32_t packageCount;           ///< default 0
    bool isSurface;  ///< default false: meshes are solid; true: their triangles alone
    uint32_t cookie; ///< set by wkDefaultWorldLoadOptions()
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

/// Pixels of a depth image. Those from a file belong to the library and are given back with
/// wkDepthData_Destroy; for wkDepthData_Save a program may fill in its own.
typedef struct wkDepthData {
    int32_t width;    ///< pixels of a row
    int32_t height;   ///< rows
    uint16_t* pixels; ///< row by row, as wkDepthImage takes them; 0: nothing was measured
} wkDepthData;

/// Reads a PNG file of 16-bit grey pixels. What a unit is the file does not say: 0.001 m for RealSense and
/// most others, 0.0002 m for TUM.
/// @param data set to NULL on failure
/// @return wk_errorFile (cannot be read), wk_errorParse (broken or truncated), wk_errorUnsupported (not
///         16-bit grey, or a build without libpng), wk_errorRange (a side of more than 16384 pixels), wk_errorMemory,
///         wk_errorArgument
WK_API wkResult wkDepthData_Load(const char* path, wkDepthData** data);

/// Reads a PNG file that must have as many pixels as a camera. Another size is refused when the header has
/// been read, before memory is taken for pixels or any of them is decoded. A camera without a size, width
/// and height 0, takes all sizes.
/// @return as wkDepthData_Load, and wk_errorRange naming both sizes
WK_API wkResult wkDepthData_LoadFor(const char* path, const wkCamera* camera, wkDepthData** data);

/// Reads what would be the content of a file.
/// @return as wkDepthData_Load
WK_API wkResult wkDepthData_Parse(const void* bytes, size_t byteCount, wkDepthData** data);

/// Releases what Load or Parse made; NULL is fine.
WK_API void wkDepthData_Destroy(wkDepthData* data);

/// Writes a PNG file of 16-bit grey pixels.
/// @return wk_errorFile, wk_errorRange (the size), wk_errorMemory, wk_errorArgument
WK_API wkResult wkDepthData_Save(const char* path, const wkDepthData* data);

/// Writes any depth image as such a file: depths are rounded to whole units of `scale` metres, and those
/// that no number from 1 to 65535 stands for are 0.
/// @return as wkDepthData_Save and wkDepthImage_Check
WK_API wkResult wkDepthImage_Save(const char* path, const wkDepthImage* image, double scale);

/// Reads a camera from a file into an image: its camera, pose and scale; the rest stays. The file is one of
///
/// - text: each line is a key and its numbers (below); lines with # are skipped;
/// - an intrinsic matrix as text, fx 0 cx, 0 fy cy, 0 0 1, and then any of the other lines. Without width and
///   height both are 0: they are those of the pixels;
/// - YAML of ROS, where built with libyaml: a calibration file (image_width, camera_matrix,
///   distortion_model, distortion_coefficients ...) or a message of sensor_msgs/CameraInfo (width, K or k,
///   D or d ...). K and D of the raw image count; R and P are checked and not used; binning and parts of the
///   image are refused. `depth_units_m` and `pose` may be added.
///
/// | key | numbers |
/// | --- | --- |
/// | width, height | pixels |
/// | fx, fy | focal lengths in pixels |
/// | cx, cy | where the axis meets the image; without them its middle |
/// | depth_units_m | metres for a unit; without it 0.001 |
/// | distortion | 4 to 8 coefficients, in the order of OpenCV; without it none |
/// | distortion_model | none, brown (also plumb_bob, rational_polynomial; the default), fisheye (also equidistant) |
/// | pose | of the camera in the world: x y z, and the quaternion qx qy qz qw; without it identity |
/// @return wk_errorFile, wk_errorParse naming the line, and as wkCamera_Check; the image is as it was then
WK_API wkResult wkDepthImage_LoadCamera(const char* path, wkDepthImage* image);

/// Reads what would be the content of a file.
/// @return as wkDepthImage_LoadCamera
WK_API wkResult wkDepthImage_ParseCamera(const void* bytes, size_t byteCount, wkDepthImage* image);

/// Writes such a file; every bit of the numbers arrives.
/// @return wk_errorFile, and as wkCamera_Check
WK_API wkResult wkDepthImage_SaveCamera(const char* path, const wkDepthImage* image);

/// What there is to say about a file of balls that was loaded.
typedef struct wkSphereLoadReport {
    char format[8];  ///< that was read: "json", "yaml" or "urdf"
    bool isCovering; ///< the file says that the balls cover their robot. The model does not take
                     ///< its word: wkSphereModel_Info tells what is proven
    bool hasProof; ///< the file holds the digest of a proof for these balls on this robot, so that
                   ///< nothing had to be proven again
    double protrusion;         ///< how far they stick out as the file says; infinity: it does not
    int32_t unknownLinkCount;  ///< links that the robot lacks, with their balls left out
    int32_t disabledBallCount; ///< balls of negative radius, by which cuRobo says "not this one"
    char warning
        [WK_WARNING_CAPACITY]; ///< what looks wrong, such as another robot's name, or a claim to
                               ///< cover the robot that does not hold; else ""
} wkSphereLoadReport;

/// How balls are loaded. Start from `wkDefaultSphereLoadOptions()`.
typedef struct wkSphereLoadOptions {
    const char* format; ///< "json", "yaml" or "urdf"; NULL (default): as the extension says, else
                        ///< the content
    bool
        skipsUnknownLinks; ///< default false: a link that the robot lacks is refused, since its balls
                           ///< would be missing; true: it is left out
    bool skipsOtherBodies; ///< default false: a collision element of a URDF that is no sphere is
                           ///< refused; true: it is left out
    bool ignoresFrames; ///< default false: a URDF whose joints put links elsewhere than the robot's
                        ///< is refused, since its balls would be elsewhere too
    bool
        skipsProof; ///< default false: where the file has no valid proof, it is found out whether the
    ///< balls cover the robot, in up to seconds; true: they then count as not covering
    const wkParallel* parallel; ///< threads for that; NULL (default): the calling one
    wkSphereLoadReport* report; ///< filled in on success; NULL (default): not wanted
    uint32_t cookie;            ///< set by wkDefaultSphereLoadOptions()
} wkSphereLoadOptions;

/// The defaults above.
WK_API wkSphereLoadOptions wkDefaultSphereLoadOptions(void);

/// Reads the balls of a robot: our JSON; the YAML of cuRobo, whose buffers around balls are added to
/// them, and that of smpl; a URDF whose links are made of spheres. All of it comes in bit by bit. Whether the
/// balls cover the robot is proven, or known from the digest of a proof in the file: wkSphereModel_Info.
/// @param robot borrowed: links are looked up by their names
/// @param options NULL means `wkDefaultSphereLoadOptions()`
/// @param model set to NULL on failure
/// @return wk_errorFile (cannot be read), wk_errorParse (broken, or no such file; names line and
///         field), wk_errorNotFinite, wk_errorRange (a radius, naming the line), wk_errorUnsupported
///         (unknown format, or libyaml or expat is missing), wk_errorMemory, wk_errorArgument
WK_API wkResult wkSphereModel_Load(const char* path, const wkRobot* robot,
                                   const wkSphereLoadOptions* options, wkSphereModel** model);

/// Reads what would be the content of a file.
/// @param options its format NULL: as the content says
/// @return as wkSphereModel_Load
WK_API wkResult wkSphereModel_Parse(const void* bytes, size_t byteCount, const wkRobot* robot,
                                    const wkSphereLoadOptions* options, wkSphereModel** model);

/// Fits spheres as wkSphereModel_Fit does, unless they are in a cache: a folder with a file for each robot and
/// way to fit, named by their digest. A file is taken when the proof in it holds for this robot, so that one that
/// was cut or edited is not; new spheres are written whole. A folder that cannot be read or written is no error.
/// @param fit NULL means `wkDefaultSphereFit()`
/// @param folder made where it is missing, and the one that it is in; NULL or "": no cache
/// @param model set to NULL on failure
/// @param isCached whether the spheres are from the cache; NULL: not wanted
/// @return as wkSphereModel_Fit
WK_API wkResult wkSphereModel_FitCached(const wkRobot* robot, const wkSphereFit* fit,
                                        const char* folder, wkSphereModel** model, bool* isCached);

/// Writes balls in the format of the extension: .json, .yml or .yaml (as cuRobo reads it), .urdf (joints
/// and limits of the robot, balls in place of its shapes). Every bit of the balls comes back.
/// @return wk_errorFile, wk_errorUnsupported (extension), wk_errorArgument
WK_API wkResult wkSphereModel_Save(const char* path, const wkSphereModel* model);
