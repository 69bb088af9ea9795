// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file hull.h
/// Convex hulls: built once, then immutable and shared freely between threads.

#include "whisker/shape.h"

/// Definition of a hull. Start from `wkDefaultHullDef()`.
typedef struct wkHullDef {
    uint32_t cookie;            ///< set by wkDefaultHullDef()
    const wkVec3d* points;      ///< vertices or any points; copied
    int32_t pointCount;         ///< >= 1
    const int32_t* faceSizes;   ///< vertices per face; NULL (default): the hull is computed
    const int32_t* faceIndices; ///< into points, anticlockwise from outside, face by face
    int32_t faceCount;          ///< 0 (default) when faceSizes is NULL
} wkHullDef;

/// Returns an empty definition.
WK_API wkHullDef wkDefaultHullDef(void);

/// Builds a hull. Coplanar points give a flat hull, collinear points a segment, equal points a point.
///
/// Given faces must be planar, convex and watertight, with every point used or inside. Without faces the
/// hull is computed (qhull; wk_errorUnsupported in a build without it).
/// @param hull set to NULL on failure
/// @return wk_errorMemory, wk_errorNotFinite (naming the point), wk_errorRange (an index, a count),
///         wk_errorArgument (faces not watertight or not convex), wk_errorUnsupported
WK_API wkResult wkHull_Create(const wkHullDef* def, wkHull** hull);

/// Releases a hull; NULL is fine. Shapes that borrow it must not be used any more.
WK_API void wkHull_Destroy(wkHull* hull);

/// Properties of a hull.
typedef struct wkHullInfo {
    int32_t vertexCount; ///< points inside the hull are no vertices
    int32_t faceCount; ///< coplanar triangles merged; 2 for a flat hull, 0 for a segment or a point
    size_t byteCount;  ///< of the single block
} wkHullInfo;

/// Returns the properties; zeros for NULL.
WK_API wkHullInfo wkHull_Info(const wkHull* hull);

/// Returns a vertex.
/// @param index from 0 to vertexCount - 1 of wkHull_Info()
WK_API wkVec3d wkHull_Vertex(const wkHull* hull, int32_t index);

/// A face of a hull.
typedef struct wkHullFace {
    wkVec3d normal;         ///< unit length, outward
    double offset;          ///< `normal . x <= offset` for all vertices, up to rounding
    const int32_t* indices; ///< vertices, anticlockwise from outside; owned by the hull
    int32_t indexCount;     ///< >= 3
} wkHullFace;

/// Returns a face.
/// @param index from 0 to faceCount - 1 of wkHull_Info()
WK_API wkHullFace wkHull_Face(const wkHull* hull, int32_t index);
