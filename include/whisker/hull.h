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
    const int32_t* faceSizes;   ///< vertices per face; NULL: the hull of the points is computed
    const int32_t* faceIndices; ///< into points, anticlockwise from outside, face by face
    int32_t faceCount;          ///< 0 when faces are NULL
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

/// Number of vertices.
WK_API int32_t wkHull_VertexCount(const wkHull* hull);

/// Returns a vertex.
WK_API wkVec3d wkHull_Vertex(const wkHull* hull, int32_t index);

/// Number of faces, coplanar triangles merged; 2 for a flat hull, 0 for a segment or a point.
WK_API int32_t wkHull_FaceCount(const wkHull* hull);

/// A face of a hull.
typedef struct wkHullFace {
    wkVec3d normal;         ///< unit length, outward
    double offset;          ///< `normal . x <= offset` for all vertices, up to rounding
    const int32_t* indices; ///< vertices, anticlockwise from outside; owned by the hull
    int32_t indexCount;     ///< >= 3
} wkHullFace;

/// Returns a face.
WK_API wkHullFace wkHull_Face(const wkHull* hull, int32_t index);

/// Bytes of the hull's single block.
WK_API size_t wkHull_ByteCount(const wkHull* hull);
