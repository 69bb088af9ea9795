// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file mesh_elements.h
/// Continuous collision of deforming meshes, with each other and with themselves.
///
/// The vertices of a mesh move linearly from their previous to their current positions, those before and after
/// wkMeshBuilder_BeginUpdate; a mesh without previous positions does not move. Contacts are pairs of elements, a
/// vertex and a face or two edges, each of which is examined once, and pairs of triangles that cross at t = 0
/// already. The triangles alone count, with the lids of a solid: what is inside of a solid touches nothing. See docs/deforming_meshes.md.

#include "whisker/element_cast.h"
#include "whisker/mesh.h"

/// The vertices, edges and faces of a mesh, each of which belongs to one triangle. Made once for a mesh; stays
/// valid through wkMeshBuilder_EndReplace and wkMeshBuilder_EndUpdate.
typedef struct wkMeshElements wkMeshElements;

/// Lists the elements of a mesh.
/// @param mesh borrowed: keep it as long as the elements are in use
/// @param elements set to NULL on failure
/// @return wk_errorArgument (NULL), wk_errorMemory
WK_API wkResult wkMeshElements_Create(const wkMesh* mesh, wkMeshElements** elements);

/// Releases the elements; NULL is fine.
WK_API void wkMeshElements_Destroy(wkMeshElements* elements);

/// Numbers of the elements of a mesh.
typedef struct wkMeshElementsInfo {
    int32_t vertexCount; ///< vertices that triangles use
    int32_t edgeCount;   ///< edges, each counted once
    int32_t faceCount;   ///< triangles, with the lids of a solid
} wkMeshElementsInfo;

/// Returns the numbers of elements.
WK_API wkMeshElementsInfo wkMeshElements_Info(const wkMeshElements* elements);

/// Options of a cast of meshes. Start from `wkDefaultMeshCastRequest()`.
typedef struct wkMeshCastRequest {
    uint32_t cookie;       ///< set by wkDefaultMeshCastRequest()
    double tolerance;      ///< as in wkElementCastRequest; default 1e-6
    int32_t maxIterations; ///< of each pair of elements, as in wkElementCastRequest; default 2000
} wkMeshCastRequest;

/// The default request: a tolerance of 1e-6 m.
WK_API wkMeshCastRequest wkDefaultMeshCastRequest(void);

/// Two elements that touch.
typedef struct wkElementContact {
    wkElementKind kind;   ///< which elements; of no meaning for two faces that cross
    bool isCrossing;      ///< the elements are two faces, which cross at t = 0; points are the
                          ///< deepest ones
    int32_t triangleA;    ///< a triangle of A with the element, the face itself where it is one
    int32_t triangleB;    ///< the same of B
    int32_t verticesA[3]; ///< vertices of the element of A: one, two or three; -1 after the last
    int32_t verticesB[3]; ///< the same of B
    wkElementCastResult cast; ///< the first contact of the two, in the world
} wkElementContact;

/// Result of a cast of meshes.
typedef struct wkMeshCastResult {
    bool isTouching; ///< false: proven free at every instant from 0 to 1
    wkStatus status; ///< that of the first contact; wk_statusExact without one; wk_statusInvalid
    double time;     ///< free before it: 0 for invalid input, 1 when there is no contact
    double
        touchingBy; ///< proven: the meshes touch at some time up to it; infinity: there is no proof
    wkElementContact first; ///< the pair that touches at `time`; zero when there is none
    int32_t
        contactCount; ///< pairs that touch; may exceed the capacity. Without a capacity, those that touched
                      ///< earlier than all before them
    int64_t pairCount; ///< pairs of elements whose paths were compared
} wkMeshCastResult;

/// Finds the first contact of two meshes, and all pairs of elements that touch.
///
/// Allocates nothing; any number of threads may share the meshes. Coordinates are those that wkTransformPoint
/// computes; with an identity pose, those of the mesh. Cost: without a capacity less, as only earlier contacts
/// matter.
/// @param poseA of the first mesh, from t = 0 to t = 1
/// @param request NULL means `wkDefaultMeshCastRequest()`
/// @param contacts receives pairs that touch, each with its first time, in no particular order; NULL with a
///        capacity of 0
/// @return always filled. NULL, elements of another mesh, an invalid pose or request give touching at time 0 with
///         wk_statusInvalid
WK_API wkMeshCastResult wkMeshElements_Cast(const wkMeshElements* a, wkPose poseA,
                                            const wkMeshElements* b, wkPose poseB,
                                            const wkMeshCastRequest* request,
                                            wkElementContact* contacts, int32_t capacity);

/// Finds the first contact of a mesh with itself, and all pairs of elements that touch. Elements that share a
/// vertex are not compared, faces that cross included; vertices with equal positions and different numbers touch at time 0.
/// @return as wkMeshElements_Cast, where A and B are the same mesh, in its own frame
WK_API wkMeshCastResult wkMeshElements_CastSelf(const wkMeshElements* elements,
                                                const wkMeshCastRequest* request,
                                                wkElementContact* contacts, int32_t capacity);

/// Two triangles of a mesh, by their indices as in wkMesh_Triangle.
typedef struct wkTrianglePair {
    int32_t first;  ///< the lower one
    int32_t second; ///< the other
} wkTrianglePair;

/// Finds the pairs of triangles of a mesh that cross or touch each other at the current positions. Triangles that
/// share a vertex are not compared.
/// @param pairs receives them, in no particular order; NULL with a capacity of 0
/// @return how many there are, which may exceed the capacity; -1: NULL, or elements of another mesh
WK_API int32_t wkMeshElements_Crossings(const wkMeshElements* elements, wkTrianglePair* pairs,
                                        int32_t capacity);
