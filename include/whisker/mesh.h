// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file mesh.h
/// Triangle meshes with a hierarchy of bounding volumes: built once, then shared between threads.
///
/// A mesh joins every query as a shape: `wkShape s = wkMakeMesh(mesh);`. It is one of two things:
/// - a *surface*: only its triangles count, and what is inside it touches nothing;
/// - a *solid*: the space that the triangles enclose belongs to it. Distances are negative inside.
///   Where they are not watertight, lids close the boundary loops: triangles of the library's own,
///   which count like the others. A point is inside where the winding number of the closed surface
///   is not 0. All queries see this one body, and say wk_statusNotWatertight when it has lids.
///
/// Vertices are kept as the doubles they are given as; the volumes around them are floats, rounded
/// outward. See docs/meshes.md.

#include "whisker/shape.h"

/// Kinds of bounding volumes. Answers do not depend on the choice, times do.
typedef enum wkVolumeKind {
    wk_volumeAabb = 0,   ///< axis-aligned boxes, eight tested at a time: the default, the fastest
    wk_volumeObb = 1,    ///< oriented boxes
    wk_volumeRss = 2,    ///< rectangles swept by a sphere
    wk_volumeObbRss = 3, ///< both: overlap by the box, distance by the better of the two
    wk_volumeKdop16 = 4, ///< polytopes with 16 fixed normals
    wk_volumeKdop18 = 5, ///< with 18
    wk_volumeKdop24 = 6, ///< with 24
    wk_volumeSphere = 7, ///< spheres
    wk_volumeKindCount = 8, ///< number of values, not a kind
} wkVolumeKind;

/// Lower-case name: "aabb", "obb", "rss", "obbrss", "kdop16", "kdop18", "kdop24", "sphere".
WK_API const char* wkVolumeKindName(wkVolumeKind kind);

/// Kind with that name; wk_volumeKindCount when there is none.
WK_API wkVolumeKind wkVolumeKindFromName(const char* name);

/// How a set of triangles is split in two.
typedef enum wkSplitMethod {
    wk_splitSah = 0,         ///< least expected cost, by surface areas in bins: the default
    wk_splitMedian = 1,      ///< half of them on each side, along the longest axis
    wk_splitMean = 2,        ///< at the mean of the centres, along the longest axis
    wk_splitMorton = 3,      ///< sorted along a space-filling curve: the fastest to build
    wk_splitMethodCount = 4, ///< number of values, not a method
} wkSplitMethod;

/// A set of triangles to be split: their centres.
typedef struct wkSplitSet {
    const wkVec3d* centers; ///< of all triangles of the mesh, by their index in the mesh
    const int32_t* indices; ///< those of the set
    int32_t count;          ///< how many
    wkAabb bounds;          ///< around the centres of the set
} wkSplitSet;

/// A plane between two sets: triangles with `normal . center < offset` go to the first.
typedef struct wkSplitPlane {
    wkVec3d normal; ///< any length but zero
    double offset;  ///< in the same unit
} wkSplitPlane;

/// A rule of your own for splitting, called on the thread that builds. A plane that leaves one side
/// empty, or numbers that are not finite, are answered with a split at the median.
typedef wkSplitPlane wkSplitFcn(const wkSplitSet* set, void* context);

/// A rule of your own for the axes of oriented volumes around some points, called on the thread that
/// builds.
/// The volume is then fitted around the points along those axes, so none can be left outside.
/// @param axes x and y directions to fill in; they are made orthonormal, z follows
/// @return false to leave it to the library's own rule
typedef bool wkFitFcn(const wkVec3d* points, int32_t count, wkVec3d axes[2], void* context);

/// What a mesh is made from. Start from `wkDefaultMeshDef()`.
typedef struct wkMeshDef {
    const wkVec3d* vertices;  ///< vertices; copied
    int32_t vertexCount;      ///< >= 0
    const int32_t* triangles; ///< three indices each, anticlockwise from outside; copied
    int32_t triangleCount;    ///< >= 0
    bool
        isSolid; ///< default true: what the triangles enclose, too, so that nothing inside is free;
                 ///< false: the surface alone, for sheets, and rooms to be inside of
    wkVolumeKind volume;        ///< default wk_volumeAabb
    wkSplitMethod split;        ///< default wk_splitSah
    wkSplitFcn* splitFcn;       ///< replaces `split` when not NULL
    wkFitFcn* fitFcn;           ///< replaces the rule for axes when not NULL
    void* ruleContext;          ///< passed to both
    const wkParallel* parallel; ///< threads to build with; NULL: the calling one
    uint32_t cookie;            ///< set by wkDefaultMeshDef()
} wkMeshDef;

/// A definition with nothing in it and the defaults above.
WK_API wkMeshDef wkDefaultMeshDef(void);

/// Builds a mesh. A solid that is not watertight gets lids, whatever its triangles are like: with
/// holes, cracks, T-junctions, flipped or single triangles. It costs about 5 us for each boundary edge.
/// Degenerate and duplicate triangles are kept and answered like any other; an empty
/// mesh is DBL_MAX away from everything, further than any cutoff or margin that is finite.
///
/// The same definition gives the same mesh, bit for bit, with any number of threads.
/// @param mesh set to NULL on failure
/// @return wk_errorMemory, wk_errorNotFinite (naming the vertex), wk_errorRange (naming the vertex
///         beyond 1e15 metres, or the triangle with an index out of range), wk_errorArgument
WK_API wkResult wkMesh_Create(const wkMeshDef* def, wkMesh** mesh);

/// Releases a mesh; NULL is fine. Shapes that borrow it must not be used any more.
WK_API void wkMesh_Destroy(wkMesh* mesh);

/// What a mesh is like.
typedef struct wkMeshInfo {
    int32_t vertexCount;     ///< as given
    int32_t triangleCount;   ///< as given
    int32_t componentCount;  ///< connected pieces; vertices at the same place are one
    int32_t degenerateCount; ///< triangles without area
    bool isSolid;            ///< as given
    bool isClosed;           ///< watertight as given: every edge has its opposite; false when empty
    bool isConvex;    ///< its own convex hull, with the lids, inside out or not: depths are exact
    bool hasPrevious; ///< volumes bound a motion, see wkMeshBuilder_BeginUpdate
    wkVolumeKind volume;       ///< as given
    int32_t nodeCount;         ///< of the hierarchy
    int32_t depth;             ///< of the hierarchy
    wkAabb bounds;             ///< around the vertices in use; empty when there are none
    double volumeInside;       ///< signed by the orientation; of what triangles and lids enclose
    double area;               ///< of the triangles as given
    int32_t boundaryLoopCount; ///< of a solid: loops of edges without opposite; 0 when watertight
    int32_t lidCount;          ///< of a solid: triangles that close those loops, those without
                               ///< area aside; wkMesh_Triangle has them after the others
    double lidArea;            ///< of the lids
    double sewnGap;   ///< of a solid: vertices of the boundary that are this near to each other
                      ///< may have been sewn together, metres; 0: none were
    size_t byteCount; ///< of the single block
} wkMeshInfo;

/// Counts, bounds and whether the mesh encloses a volume.
WK_API wkMeshInfo wkMesh_Info(const wkMesh* mesh);

/// A vertex, by its index in the definition.
WK_API wkVec3d wkMesh_Vertex(const wkMesh* mesh, int32_t index);

/// A triangle, by its index in the definition; the lids of a solid have the indices from
/// `triangleCount` to `triangleCount + lidCount - 1` of wkMesh_Info().
WK_API wkTriangle wkMesh_Triangle(const wkMesh* mesh, int32_t index);

/// Vertices of a triangle or lid as indices of vertices.
WK_API void wkMesh_TriangleIndices(const wkMesh* mesh, int32_t index, int32_t vertices[3]);

/// The block of memory that a mesh is, to be saved, mapped or sent elsewhere. Valid as long as the
/// mesh; its size is wkMesh_Info().byteCount.
WK_API const void* wkMesh_Block(const wkMesh* mesh);

/// A mesh from a block, which is copied and checked in full: a damaged one is refused.
/// @return wk_errorParse (another kind of block, or a damaged one, with the reason),
///         wk_errorUnsupported (another version or byte order), wk_errorMemory
WK_API wkResult wkMesh_FromBlock(const void* block, size_t byteCount, wkMesh** mesh);

/// Uses a block where it is, such as a mapped file, after the same checks; nothing is copied.
/// @param block 64-byte aligned; borrowed: keep it as long as the mesh, unchanged
/// @return as wkMesh_FromBlock; `mesh` points into the block and needs no wkMesh_Destroy
WK_API wkResult wkMesh_MapBlock(const void* block, size_t byteCount, const wkMesh** mesh);

/// Makes a mesh step by step and changes it later: the life cycle of a deforming model.
///
/// | state | what may come next |
/// | --- | --- |
/// | empty, built | BeginModel (an old mesh stays in use until EndModel) |
/// | building | AddVertices, AddTriangles, EndModel |
/// | built | BeginReplace, BeginUpdate |
/// | replacing | ReplaceVertices, EndReplace: other places, the same triangles |
/// | updating | UpdateVertices, EndUpdate: the same, and volumes bound the way from the old places |
///
/// Any Begin may be taken back with Cancel. A call that does not fit the state returns
/// wk_errorState, names both, and changes nothing. One thread at a time; while End runs, nobody may
/// query the mesh. Scenes that have objects with the mesh must be told, see wkScene_SetShape and
/// wkRobotScene_Refresh: their queries are not valid before.
typedef struct wkMeshBuilder wkMeshBuilder;

/// An empty builder. Vertices and triangles of `def` are not looked at, the rest holds for all
/// meshes that it makes.
/// @return wk_errorMemory, wk_errorArgument
WK_API wkResult wkMeshBuilder_Create(const wkMeshDef* def, wkMeshBuilder** builder);

/// Releases the builder and its mesh; NULL is fine.
WK_API void wkMeshBuilder_Destroy(wkMeshBuilder* builder);

/// The mesh as of the last End; NULL before the first. The pointer stays the same from BeginReplace
/// to EndReplace and from BeginUpdate to EndUpdate, and changes with EndModel.
WK_API const wkMesh* wkMeshBuilder_Mesh(const wkMeshBuilder* builder);

/// Name of the state: "empty", "building", "built", "replacing", "updating".
WK_API const char* wkMeshBuilder_State(const wkMeshBuilder* builder);

/// Starts a new model. The capacities are a hint; 0 when unknown.
WK_API wkResult wkMeshBuilder_BeginModel(wkMeshBuilder* builder, int32_t vertexCapacity,
                                         int32_t triangleCapacity);

/// Appends vertices; triangles name them in the order in which they were added.
WK_API wkResult wkMeshBuilder_AddVertices(wkMeshBuilder* builder, const wkVec3d* vertices,
                                          int32_t count);

/// Appends triangles, three indices each; the vertices may be added later.
WK_API wkResult wkMeshBuilder_AddTriangles(wkMeshBuilder* builder, const int32_t* indices,
                                           int32_t count);

/// Appends both: a part whose indices count from 0.
WK_API wkResult wkMeshBuilder_AddPart(wkMeshBuilder* builder, const wkVec3d* vertices,
                                      int32_t vertexCount, const int32_t* indices,
                                      int32_t triangleCount);

/// Builds the mesh. On failure the builder is still building and an earlier mesh still in use.
WK_API wkResult wkMeshBuilder_EndModel(wkMeshBuilder* builder);

/// Starts to give vertices other places.
WK_API wkResult wkMeshBuilder_BeginReplace(wkMeshBuilder* builder);

/// New places of `count` vertices from the index `first` on; what is not named stays.
WK_API wkResult wkMeshBuilder_ReplaceVertices(wkMeshBuilder* builder, int32_t first,
                                              const wkVec3d* vertices, int32_t count);

/// Refits the volumes; `rebuilds` makes a new hierarchy, which is better after large changes.
WK_API wkResult wkMeshBuilder_EndReplace(wkMeshBuilder* builder, bool rebuilds);

/// Starts to move vertices. Their places of now are kept as the previous ones.
WK_API wkResult wkMeshBuilder_BeginUpdate(wkMeshBuilder* builder);

/// Like wkMeshBuilder_ReplaceVertices.
WK_API wkResult wkMeshBuilder_UpdateVertices(wkMeshBuilder* builder, int32_t first,
                                             const wkVec3d* vertices, int32_t count);

/// Refits the volumes around both places of every vertex: they bound the straight way between.
WK_API wkResult wkMeshBuilder_EndUpdate(wkMeshBuilder* builder, bool rebuilds);

/// Gives up what was begun: back to the state before Begin, nothing changed.
WK_API wkResult wkMeshBuilder_Cancel(wkMeshBuilder* builder);
