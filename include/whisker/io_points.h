// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file io_points.h
/// Loads and saves points and occupancy maps. Part of io.h.

#include "whisker/io_load.h"
#include "whisker/octree.h"

/// Points of a scan or a model. Loaded ones belong to the library and are released with
/// wkPointData_Destroy; for wkPointData_Save a program may use its own.
typedef struct wkPointData {
    float* points;  ///< x, y, z of each point; missing measurements are NaN, as in the file
    int32_t count;  ///< >= 0
    int32_t width;  ///< points in a row, when they are organised like an image; else the count
    int32_t height; ///< rows; 1 when not organised
    bool hasSensor; ///< the file contains the pose of the sensor (pcd)
    wkPose sensor;  ///< pose of the sensor in the frame of the points; default identity
    wkVec3d origin; ///< of that frame in the coordinates of the file, in metres; 0 unless wkLoadDef
                    ///< has or finds one
} wkPointData;

/// Reads the points of a file, or the vertices of a mesh; other fields are skipped. All points are
/// kept in their order; `info` counts those that are not finite. Of the options format, scale, origin
/// and findsOrigin are used.
/// @param path "-" is the standard input; it and pipes are read to their end
/// @param def NULL means `wkDefaultLoadDef()`
/// @param info filled in on success; NULL: not wanted
/// @param data set to NULL on failure
/// @return wk_errorFile (cannot be read), wk_errorParse (malformed, truncated, or contradictory),
///         wk_errorRange (more than 2^31 - 1 points), wk_errorUnsupported (unknown format or variant),
///         wk_errorNotFinite, wk_errorMemory, wk_errorArgument
WK_API wkResult wkPointData_Load(const char* path, const wkLoadDef* def, wkLoadInfo* info,
                                 wkPointData** data);

/// Parses the content of a file from memory.
/// @param format name from the table of io.h; NULL: detected from the content
/// @return as wkPointData_Load
WK_API wkResult wkPointData_Parse(const void* bytes, size_t byteCount, const char* format,
                                  const wkLoadDef* def, wkLoadInfo* info, wkPointData** data);

/// Releases data of Load or Parse; NULL is fine.
WK_API void wkPointData_Destroy(wkPointData* data);

/// Writes a file in the format of its extension: .pcd (all fields), .npy (no sensor), .ply, .las or .bin
/// (neither sensor nor rows). The points are written exactly; with an origin as doubles, exact to 1e-9 m up to
/// 1e6 m. LAS 1.2 rounds to 0.1 mm, or as 32 bits for each coordinate allow, and has no points that are not finite:
/// they are left out.
/// @param data width and height 0 mean that the points are not organised
/// @return wk_errorFile, wk_errorUnsupported (extension; an origin in .bin), wk_errorNotFinite (the sensor's pose
///         or the origin), wk_errorArgument (counts that contradict each other)
WK_API wkResult wkPointData_Save(const char* path, const wkPointData* data);

/// Makes a cloud of the points of a file, as wkPointData_Load and wkCloud_Create would. Where floats move a
/// coordinate of the file, the radius grows by as much: no point comes free by it. A file without finite
/// points is refused, unless `allowsEmpty` is set.
/// @param def NULL means `wkDefaultLoadDef()`; format, scale, origin, findsOrigin, allowsEmpty and cloud are used.
///        The cloud is relative to the origin: place it there
/// @param info filled in on success; NULL: not wanted
/// @param cloud set to NULL on failure
/// @return as wkPointData_Load and wkCloud_Create; wk_errorArgument for a file without finite points;
///         wk_errorRange where floats move points by more than `maxRounding`
WK_API wkResult wkCloud_Load(const char* path, const wkLoadDef* def, wkLoadInfo* info,
                             wkCloud** cloud);

/// Name of the i-th point format that this build reads; NULL when the index is out of range.
WK_API const char* wkPointFormatName(int32_t index);

/// Reads a map of OctoMap: .bt (free or occupied) or .ot (all log-odds), detected from the content. The
/// sensor model is OctoMap's default; change it with wkOctree_SetDef.
/// @param octree set to NULL on failure
/// @return wk_errorFile (cannot be read), wk_errorParse (malformed, truncated, or contradictory),
///         wk_errorNotFinite, wk_errorUnsupported (another kind of tree), wk_errorMemory,
///         wk_errorArgument, and as wkOctree_Create for the resolution
WK_API wkResult wkOctree_Load(const char* path, wkOctree** octree);

/// Parses the content of a file from memory.
/// @return as wkOctree_Load
WK_API wkResult wkOctree_Parse(const void* bytes, size_t byteCount, wkOctree** octree);

/// Writes a map in the format of its extension, .bt or .ot, as OctoMap writes it.
/// @return wk_errorFile, wk_errorUnsupported (extension), wk_errorMemory, wk_errorArgument
WK_API wkResult wkOctree_Save(const char* path, const wkOctree* octree);
