// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file io_points.h
/// Points and occupancy maps from files and into files. Part of io.h.

#include "whisker/io_load.h"
#include "whisker/octree.h"

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
