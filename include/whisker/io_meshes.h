// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file io_meshes.h
/// Loads and saves meshes. Part of io.h.

#include "whisker/io_load.h"

/// Vertices and triangles without a hierarchy. Loaded ones belong to the library and are released with
/// wkMeshData_Destroy; for wkMeshData_Save a program may use its own.
typedef struct wkMeshData {
    wkVec3d* vertices;     ///< vertices, all finite
    int32_t vertexCount;   ///< >= 0
    int32_t* triangles;    ///< three indices each, all in range
    int32_t triangleCount; ///< >= 0, at most 2^28
} wkMeshData;

/// Reads a mesh file. Polygons become triangle fans; normals, colours and textures are skipped.
/// @param def NULL means `wkDefaultLoadDef()`
/// @param info filled in on success; NULL: not wanted
/// @param data set to NULL on failure
/// @return wk_errorFile (cannot be read), wk_errorParse (malformed, truncated, or contradictory),
///         wk_errorNotFinite (a vertex, naming its index), wk_errorRange (more than 2^28 triangles),
///         wk_errorUnsupported (unknown format, or one that needs assimp in a build without it),
///         wk_errorMemory, wk_errorArgument
WK_API wkResult wkMeshData_Load(const char* path, const wkLoadDef* def, wkLoadInfo* info,
                                wkMeshData** data);

/// Parses the content of a file from memory.
/// @param format name from the table of io.h; NULL: detected from the content
/// @return as wkMeshData_Load
WK_API wkResult wkMeshData_Parse(const void* bytes, size_t byteCount, const char* format,
                                 const wkLoadDef* def, wkLoadInfo* info, wkMeshData** data);

/// Releases data of Load or Parse; NULL is fine.
WK_API void wkMeshData_Destroy(wkMeshData* data);

/// Writes a file in the format of its extension: .stl (floats), .obj or .ply (both exact).
/// @return wk_errorFile, wk_errorUnsupported (extension), wk_errorRange (an index out of range, or a
///         coordinate beyond the floats of stl), wk_errorNotFinite, wk_errorMemory, wk_errorArgument
WK_API wkResult wkMeshData_Save(const char* path, const wkMeshData* data);

/// Reads a file and builds a mesh. A .whisker file contains the hierarchy, which is used with its own
/// volumes; any scale but 1 is refused. If its solidity differs from the options, the mesh is rebuilt from
/// its triangles.
/// @param def NULL means `wkDefaultLoadDef()`
/// @param info filled in on success; NULL: not wanted
/// @param mesh set to NULL on failure
/// @return as wkMeshData_Load and wkMesh_Create; wk_errorArgument: no triangles, see allowsEmpty
WK_API wkResult wkMesh_Load(const char* path, const wkLoadDef* def, wkLoadInfo* info,
                            wkMesh** mesh);

/// Writes a mesh: with its hierarchy (.whisker), or its triangles alone (.stl, .obj, .ply).
/// @return as wkMeshData_Save
WK_API wkResult wkMesh_Save(const char* path, const wkMesh* mesh);

/// Name of the i-th mesh format that this build reads; NULL when the index is out of range.
WK_API const char* wkMeshFormatName(int32_t index);
