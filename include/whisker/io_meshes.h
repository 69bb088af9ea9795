// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file io_meshes.h
/// Meshes from files and into files. Part of io.h.

#include "whisker/io_load.h"

/// Vertices and triangles, no more. Those from a file belong to the library and are given back with
/// wkMeshData_Destroy; for wkMeshData_Save a program may fill in its own.
typedef struct wkMeshData {
    wkVec3d* vertices;     ///< vertices, all finite
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

/// Reads a file and builds a mesh. A .whisker file holds the hierarchy already: it is taken as it is,
/// with its own volumes, and refuses any scale but 1; one whose solidity is not that of the options is
/// built again from its triangles.
/// @param options NULL means `wkDefaultLoadOptions()`
/// @param mesh set to NULL on failure
/// @return as wkMeshData_Load and wkMesh_Create; wk_errorArgument: no triangles, see allowsEmpty
WK_API wkResult wkMesh_Load(const char* path, const wkLoadOptions* options, wkMesh** mesh);

/// Writes a mesh: with its hierarchy (.whisker), or its triangles alone (.stl, .obj, .ply).
/// @return as wkMeshData_Save
WK_API wkResult wkMesh_Save(const char* path, const wkMesh* mesh);

/// Name of the i-th format whose meshes this build reads, NULL when there are no more.
WK_API const char* wkMeshFormatName(int32_t index);
