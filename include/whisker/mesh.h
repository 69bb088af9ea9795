// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file mesh.h
/// Triangle meshes with a bounding volume hierarchy: built once, then shared between threads.
///
/// A mesh takes part in every query as a shape: `wkShape s = wkMakeMesh(mesh);`. There are two kinds:
/// - a *surface* consists of its triangles only; an object inside it touches nothing;
/// - a *solid* includes the space that the triangles enclose. Distances are negative inside. If the
///   triangles are not watertight, the library closes the boundary loops with lids: additional triangles
///   that count like the others. A point is inside if the winding number of the closed surface is not 0.
///   All queries use this one body, and report wk_statusNotWatertight when it has lids. A part whose
///   triangles contradict each other too much is taken as its convex hull (`hullCount` of wkMesh_Info).
///
/// Vertices are stored as the given doubles; bounding volumes are floats, rounded outward. See
/// docs/meshes.md.

#include "whisker/shape.h"

/// Kinds of bounding volumes. The choice affects the speed of queries, not their results.
typedef enum wkVolumeKind {
    wk_volumeAabb = 0,   ///< axis-aligned boxes, eight tested at a time: the default, the fastest
    wk_volumeObb = 1,    ///< oriented boxes
    wk_volumeRss = 2,    ///< rectangles swept by a sphere
    wk_volumeObbRss = 3, ///< both: overlap by the box, distance by the better of the two
    wk_volumeKdop16 = 4, ///< polytopes with 16 fixed normals
    wk_volumeKdop18 = 5, ///< with 18
    wk_volumeKdop24 = 6, ///< with 24
    wk_volumeSphere = 7, ///< spheres
} wkVolumeKind;

/// Lower-case name: "aabb", "obb", "rss", "obbrss", "kdop16", "kdop18", "kdop24", "sphere".
WK_API const char* wkVolumeKindName(wkVolumeKind kind);

/// Finds the value with a name.
/// @param kind unchanged on failure
/// @return wk_errorArgument when there is none
WK_API wkResult wkVolumeKindFromName(const char* name, wkVolumeKind* kind);

/// How the builder of the hierarchy splits a set of triangles in two.
typedef enum wkSplitMethod {
    wk_splitSah = 0,    ///< least expected cost, by surface areas in bins: the default
    wk_splitMedian = 1, ///< half of the triangles on each side, along the longest axis
    wk_splitMean = 2,   ///< at the mean of the centres, along the longest axis
    wk_splitMorton = 3, ///< sorted along a space-filling curve: the fastest to build
} wkSplitMethod;

/// A set of triangles to be split, by their centres.
typedef struct wkSplitSet {
    const wkVec3d* centers; ///< of all triangles of the mesh, by their index in the mesh
    const int32_t* indices; ///< of the triangles in the set
    int32_t count;          ///< number of triangles in the set
    wkAabb bounds;          ///< around the centres of the set
} wkSplitSet;

/// A plane between two sets: triangles with `normal . center < offset` go to the first.
typedef struct wkSplitPlane {
    wkVec3d normal; ///< any length but zero
    double offset;  ///< in units of the normal's length
} wkSplitPlane;

/// A custom split rule, called on the building thread. If the plane leaves one side empty or is not
/// finite, the set is split at the median.
typedef wkSplitPlane wkSplitFcn(const wkSplitSet* set, void* context);

/// A custom rule for the axes of oriented volumes, called on the building thread. The volume is then
/// fitted around all points along these axes.
/// @param axes receives the x and y directions, which are made orthonormal; z follows
/// @return false to use the rule of the library
typedef bool wkFitFcn(const wkVec3d* points, int32_t count, wkVec3d axes[2], void* context);

/// Definition of a mesh. Start from `wkDefaultMeshDef()`.
typedef struct wkMeshDef {
    uint32_t cookie;          ///< set by wkDefaultMeshDef()
    const wkVec3d* vertices;  ///< vertices; copied
    int32_t vertexCount;      ///< >= 0
    const int32_t* triangles; ///< three indices each, anticlockwise from outside; copied
    int32_t triangleCount;    ///< >= 0
    bool isSolid; ///< default true: includes the enclosed volume, so that nothing inside is free;
                  ///< false: the surface alone, for sheets, and for rooms that a robot is inside of
    wkVolumeKind volume;        ///< default wk_volumeAabb
    wkSplitMethod split;        ///< default wk_splitSah
    wkSplitFcn* splitFcn;       ///< replaces `split`; NULL (default): `split` applies
    wkFitFcn* fitFcn;           ///< sets the axes of oriented volumes; NULL (default): the library
    void* ruleContext;          ///< passed to `splitFcn` and `fitFcn`
    const wkParallel* parallel; ///< threads to build with; NULL (default): the calling one
} wkMeshDef;

/// Returns an empty definition with the defaults above.
WK_API wkMeshDef wkDefaultMeshDef(void);

/// Builds a mesh. A solid that is not watertight gets lids for any defect: holes, cracks, T-junctions,
/// flipped or single triangles. This takes about 5 us per boundary edge. Degenerate and duplicate
/// triangles are kept and take part in queries. An empty mesh is at distance DBL_MAX from everything,
/// which is beyond any finite cutoff or margin.
///
/// The same definition gives the same mesh, bit for bit, with any number of threads.
/// @param mesh set to NULL on failure
/// @return wk_errorMemory, wk_errorNotFinite (naming the vertex), wk_errorRange (naming the vertex
///         beyond 1e15 metres, or the triangle with an index out of range), wk_errorArgument
WK_API wkResult wkMesh_Create(const wkMeshDef* def, wkMesh** mesh);

/// Releases a mesh; NULL is fine. Shapes that borrow it must not be used any more.
WK_API void wkMesh_Destroy(wkMesh* mesh);

/// Properties of a mesh.
typedef struct wkMeshInfo {
    int32_t vertexCount;     ///< as given
    int32_t triangleCount;   ///< as given
    int32_t componentCount;  ///< connected components; vertices with equal positions are one
    int32_t degenerateCount; ///< triangles without area
    bool isSolid;            ///< as given
    bool isClosed;           ///< watertight as given: every edge has its opposite; false when empty
    bool isConvex;    ///< equal to its convex hull, with the lids, in any orientation: exact depths
    bool hasPrevious; ///< volumes bound a motion, see wkMeshBuilder_BeginUpdate
    wkVolumeKind volume; ///< as given
    int32_t nodeCount;   ///< of the hierarchy
    int32_t depth;       ///< of the hierarchy
    wkAabb bounds;       ///< around the vertices of triangles; empty when there are none
    double volumeInside; ///< enclosed by triangles and lids; its sign is that of the orientation
    double area;         ///< of the triangles as given
    int32_t boundaryLoopCount; ///< of a solid: loops of edges without opposite; 0 when watertight
    int32_t lidCount;          ///< of a solid: triangles with area that close those loops;
                               ///< wkMesh_Triangle returns them after the others
    double lidArea;            ///< of the lids
    double sewnGap; ///< of a solid, metres: boundary vertices up to this distance from each other
                    ///< may have been merged; 0: none were
    int32_t
        hullCount; ///< of a solid: parts whose triangles contradict each other, so that what they
                   ///< enclose is unknown; each is taken as its convex hull, a safe bound
    size_t byteCount; ///< of the single block
} wkMeshInfo;

/// Returns counts, bounds and whether the mesh encloses a volume.
WK_API wkMeshInfo wkMesh_Info(const wkMesh* mesh);

/// Returns a vertex, by its index in the definition.
WK_API wkVec3d wkMesh_Vertex(const wkMesh* mesh, int32_t index);

/// Returns a triangle, by its index in the definition; the lids of a solid have the indices from
/// `triangleCount` to `triangleCount + lidCount - 1` of wkMesh_Info().
WK_API wkTriangle wkMesh_Triangle(const wkMesh* mesh, int32_t index);

/// Returns the vertex indices of a triangle or lid.
WK_API void wkMesh_TriangleIndices(const wkMesh* mesh, int32_t index, int32_t vertices[3]);

/// Returns the single memory block of a mesh, to be saved, mapped or sent. Valid as long as the mesh;
/// its size is wkMesh_Info().byteCount.
WK_API const void* wkMesh_Block(const wkMesh* mesh);

/// Creates a mesh from a block, which is copied and fully checked: a damaged block is refused.
/// @return wk_errorParse (another kind of block, or a damaged one, with the reason),
///         wk_errorUnsupported (another version or byte order), wk_errorMemory
WK_API wkResult wkMesh_FromBlock(const void* block, size_t byteCount, wkMesh** mesh);

/// Uses a block in its memory, such as a mapped file, after the same checks; nothing is copied.
/// @param block 64-byte aligned; borrowed: keep it unchanged as long as the mesh is in use
/// @return as wkMesh_FromBlock; `mesh` points into the block and needs no wkMesh_Destroy
WK_API wkResult wkMesh_MapBlock(const void* block, size_t byteCount, const wkMesh** mesh);

/// Builds a mesh step by step and changes it later: the life cycle of a deforming model.
///
/// | state | valid calls |
/// | --- | --- |
/// | empty, built | BeginModel (an old mesh stays in use until EndModel) |
/// | building | AddVertices, AddTriangles, EndModel |
/// | built | BeginReplace, BeginUpdate |
/// | replacing | ReplaceVertices, EndReplace: new positions, the same triangles |
/// | updating | UpdateVertices, EndUpdate: the same, and volumes bound the motion from the old positions |
///
/// Cancel undoes any Begin. A call that is not valid in the state returns wk_errorState, names both, and
/// changes nothing. Use it from one thread at a time; no thread may query the mesh while End runs. Scenes
/// with the mesh must then be updated with wkScene_SetShape or wkRobotScene_Refresh: until then their
/// queries are not valid.
typedef struct wkMeshBuilder wkMeshBuilder;

/// Creates an empty builder. Vertices and triangles of `def` are ignored; its options apply to all
/// meshes of the builder.
/// @return wk_errorMemory, wk_errorArgument
WK_API wkResult wkMeshBuilder_Create(const wkMeshDef* def, wkMeshBuilder** builder);

/// Releases the builder and its mesh; NULL is fine.
WK_API void wkMeshBuilder_Destroy(wkMeshBuilder* builder);

/// Returns the mesh of the last End; NULL before the first. The pointer changes with EndModel, and stays
/// the same through EndReplace and EndUpdate.
WK_API const wkMesh* wkMeshBuilder_Mesh(const wkMeshBuilder* builder);

/// Name of the state: "empty", "building", "built", "replacing", "updating".
WK_API const char* wkMeshBuilder_State(const wkMeshBuilder* builder);

/// Starts a new model. The capacities are a hint; 0 when unknown.
WK_API wkResult wkMeshBuilder_BeginModel(wkMeshBuilder* builder, int32_t vertexCapacity,
                                         int32_t triangleCapacity);

/// Appends vertices; their indices follow the order in which they are added.
WK_API wkResult wkMeshBuilder_AddVertices(wkMeshBuilder* builder, const wkVec3d* vertices,
                                          int32_t count);

/// Appends triangles, three indices each; the vertices may be added later.
WK_API wkResult wkMeshBuilder_AddTriangles(wkMeshBuilder* builder, const int32_t* indices,
                                           int32_t count);

/// Appends a part: vertices, and triangles whose indices start at 0 for the first of these vertices.
WK_API wkResult wkMeshBuilder_AddPart(wkMeshBuilder* builder, const wkVec3d* vertices,
                                      int32_t vertexCount, const int32_t* indices,
                                      int32_t triangleCount);

/// Builds the mesh. On failure the builder stays in the state "building" and an earlier mesh in use.
WK_API wkResult wkMeshBuilder_EndModel(wkMeshBuilder* builder);

/// Starts to replace positions of vertices.
WK_API wkResult wkMeshBuilder_BeginReplace(wkMeshBuilder* builder);

/// Sets the positions of `count` vertices from index `first` on; other vertices stay.
WK_API wkResult wkMeshBuilder_ReplaceVertices(wkMeshBuilder* builder, int32_t first,
                                              const wkVec3d* vertices, int32_t count);

/// Refits the volumes; `rebuilds` builds a new hierarchy, which is faster to query after large changes.
WK_API wkResult wkMeshBuilder_EndReplace(wkMeshBuilder* builder, bool rebuilds);

/// Starts to move vertices. Their current positions are kept as the previous ones.
WK_API wkResult wkMeshBuilder_BeginUpdate(wkMeshBuilder* builder);

/// Sets positions like wkMeshBuilder_ReplaceVertices.
WK_API wkResult wkMeshBuilder_UpdateVertices(wkMeshBuilder* builder, int32_t first,
                                             const wkVec3d* vertices, int32_t count);

/// Refits the volumes around both positions of every vertex: they bound the straight motion between.
WK_API wkResult wkMeshBuilder_EndUpdate(wkMeshBuilder* builder, bool rebuilds);

/// Cancels the last Begin: restores the state before it, nothing changed.
WK_API wkResult wkMeshBuilder_Cancel(wkMeshBuilder* builder);
