// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file sphere_tree.h
/// Sphere trees: spheres packed inside a body and spheres that cover it, each with a hierarchy. The distance of
/// the inner spheres is an upper bound of the distance of the body, that of the outer spheres a lower bound. All
/// points of a raw cloud are compared with all links of a robot in milliseconds. See docs/sphere_trees.md.

#include "whisker/cloud.h"
#include "whisker/robot.h"

/// The inner and outer spheres of a body, with their hierarchies. Built once, never changes.
typedef struct wkSphereTree wkSphereTree;

/// A shape in the frame of a tree.
typedef struct wkSphereTreeBody {
    const wkShape* shape; ///< a convex shape with a volume, or a solid mesh; no padding
    wkPose pose;          ///< in the frame of the tree
} wkSphereTreeBody;

/// What a tree is made of. Start from `wkDefaultSphereTreeDef()`.
typedef struct wkSphereTreeDef {
    uint32_t cookie;                ///< set by wkDefaultSphereTreeDef()
    const wkSphereTreeBody* bodies; ///< the tree stands for their union; default NULL
    int32_t bodyCount;              ///< at least 1; default 0
    int32_t innerCount;             ///< maximum number of inner spheres, 0 to 1000000; default 1000
    double minRadius;   ///< of inner spheres: the packing ends where the largest sphere that still
                        ///< fits is smaller; default 0: it ends at `innerCount`
    int32_t outerCount; ///< maximum number of outer spheres of each body; default 0: as many as
                        ///< `outerAccuracy` needs
    double outerAccuracy;       ///< largest protrusion of outer spheres in metres; default 0.02
    const wkParallel* parallel; ///< threads to use; NULL (default): the calling one
    wkProgressFcn* progress;    ///< reports progress and may cancel; NULL (default): none
    void* progressContext;      ///< passed to `progress`
} wkSphereTreeDef;

/// A definition with the defaults above and no bodies.
WK_API wkSphereTreeDef wkDefaultSphereTreeDef(void);

/// Makes the tree of a body. Inner spheres do not overlap each other, and each is proven to be inside the body,
/// rounding included; they are placed where the largest fits, one after another. Outer spheres are those of
/// wkShape_FitSpheres and cover the whole body. The same definition gives the same tree, bit for bit, with any
/// number of threads.
/// @param tree set to NULL on failure
/// @return wk_errorArgument, wk_errorRange, wk_errorNotFinite naming the field; wk_errorUnsupported naming the
///         body: without a volume (planes, triangles, meshes that are surfaces), unbounded, a map, a height
///         field or a cloud, or with padding; wk_errorMemory; wk_errorCancelled
WK_API wkResult wkSphereTree_Create(const wkSphereTreeDef* def, wkSphereTree** tree);

/// Makes the tree of a link of a robot: of all its collision bodies, in the frame of the link.
/// @param def its bodies are not used; NULL means `wkDefaultSphereTreeDef()`
/// @param tree set to NULL on failure, and for a link without bodies
/// @return as wkSphereTree_Create
WK_API wkResult wkSphereTree_CreateForLink(const wkRobot* robot, int32_t link,
                                           const wkSphereTreeDef* def, wkSphereTree** tree);

/// Destroys a tree; NULL is allowed.
WK_API void wkSphereTree_Destroy(wkSphereTree* tree);

/// Figures of a tree.
typedef struct wkSphereTreeInfo {
    int32_t innerCount; ///< inner spheres
    int32_t outerCount; ///< outer spheres
    bool isWatertight;  ///< all meshes are; false: lids close some, and the spheres are inside the
                        ///< body that has these lids, as it is in all queries
    double volume;      ///< of the bodies, counted twice where they overlap
    double innerVolume; ///< of the inner spheres
    double volumeShare; ///< innerVolume / volume: at most 1; 0 without a volume
    double protrusion;  ///< proven upper bound of the distance from outer spheres to the body
    wkSphere3d around;  ///< bounding sphere of the body, in the frame of the tree
    size_t byteCount;   ///< memory in use, and the size of the block
} wkSphereTreeInfo;

/// Returns the figures.
WK_API wkSphereTreeInfo wkSphereTree_Info(const wkSphereTree* tree);

/// Returns an inner sphere, in the frame of the tree.
/// @param index 0 to `innerCount` - 1, in the order of packing: large spheres first
WK_API wkSphere3d wkSphereTree_InnerSphere(const wkSphereTree* tree, int32_t index);

/// Returns an outer sphere, in the frame of the tree.
/// @param index 0 to `outerCount` - 1
WK_API wkSphere3d wkSphereTree_OuterSphere(const wkSphereTree* tree, int32_t index);

/// Returns the memory of a tree, to be saved or sent: `byteCount` of its info.
WK_API const void* wkSphereTree_Block(const wkSphereTree* tree);

/// Makes a tree from a copy of a block. Everything that a query follows is checked; whether the spheres belong to
/// a body is not.
/// @return wk_errorParse: damaged; wk_errorUnsupported: of another version or byte order; wk_errorArgument,
///         wk_errorMemory
WK_API wkResult wkSphereTree_FromBlock(const void* block, size_t byteCount, wkSphereTree** tree);

/// Uses a block where it is, such as a mapped file. It must stay valid and unchanged; do not destroy the tree.
/// @param block aligned to 64 bytes
/// @return as wkSphereTree_FromBlock
WK_API wkResult wkSphereTree_MapBlock(const void* block, size_t byteCount,
                                      const wkSphereTree** tree);

/// A tree at a pose, such as that of a link in a configuration.
typedef struct wkPlacedSphereTree {
    const wkSphereTree* tree;       ///< NULL: nothing is there, and its results are undecided
    wkPose pose;                    ///< of the frame of the tree in the world
    const wkSphereTreeBody* bodies; ///< the bodies that the tree was made of: they decide, and
                                    ///< lower and upper bound meet. NULL: the spheres alone answer
    int32_t bodyCount;              ///< number of `bodies`
} wkPlacedSphereTree;

/// What is proven about a tree. Zero is not free, and inner spheres alone never give free.
typedef enum wkSphereVerdict {
    wk_sphereUndecided = 0, ///< between the bounds: ask the exact bodies, or treat as a collision
    wk_sphereFree = 1,      ///< the lower bound is above the margin: no point is that near
    wk_sphereCollision = 2, ///< the upper bound is not above the margin: a point is that near
} wkSphereVerdict;

/// Lower-case name: "undecided", "free", "collision"; "none" for any other number.
WK_API const char* wkSphereVerdictName(wkSphereVerdict verdict);

/// Options of a query. Start from `wkDefaultSphereTreeRequest()`.
typedef struct wkSphereTreeRequest {
    uint32_t cookie;    ///< set by wkDefaultSphereTreeRequest()
    double maxDistance; ///< default infinity. Larger distances are not found: a lower bound
                        ///< above it is `maxDistance`, an upper bound infinity
    double margin;      ///< >= 0, default 0: wk_sphereFree needs more distance than this
    double radius;      ///< >= 0, default 0: of points without a radius of their own, and
                        ///< added to those
    bool allowsEmpty; ///< default false: points of which none is finite are refused, such as those
                      ///< of a covered lens; true: all trees are free of them
    const wkParallel* parallel; ///< threads to use; NULL (default): the calling one
} wkSphereTreeRequest;

/// The defaults above.
WK_API wkSphereTreeRequest wkDefaultSphereTreeRequest(void);

/// The distance of a body, as an interval.
typedef struct wkSphereTreeResult {
    wkSphereVerdict verdict; ///< what the bounds prove
    double lower; ///< the distance is at least this; 0 where the body and a point may touch
    double upper; ///< the signed distance is at most this: below 0, a point is inside by as much or
                  ///< more; infinity: no point is near enough
    int64_t point;      ///< index of the point with the upper bound; -1: none
    int32_t sphere;     ///< the inner sphere nearest to it; -1: none, or a body decided
    int32_t outer;      ///< the outer sphere with the lower bound; -1: none, or a body decided
    int64_t outerPoint; ///< index of the point nearest to it; -1: none
} wkSphereTreeResult;

/// Computes the distance from the points of a cloud to each of several trees, such as the links of a robot. The
/// points are read from the caller's memory, in any order; nothing is built from them, and nothing is allocated.
/// Points that are not finite are skipped, but one at least must be, see allowsEmpty. Of several pairs with the same distance the lowest indices are
/// reported. The answer does not depend on the threads.
/// @param trees array of `treeCount`
/// @param pose of the frame of the points in the world
/// @param request NULL means `wkDefaultSphereTreeRequest()`
/// @param results array of `treeCount`; all undecided on failure
/// @return wk_errorArgument, wk_errorRange, wk_errorNotFinite naming the field or the tree; wk_errorArgument also for
///         bodies that are further from the points than the inner spheres of their tree
WK_API wkResult wkPlacedSphereTree_PointDistances(const wkPlacedSphereTree* trees,
                                                  int32_t treeCount, const wkCloudView* points,
                                                  wkPose pose, const wkSphereTreeRequest* request,
                                                  wkSphereTreeResult* results);

/// Computes the penetration volume of points: for each tree the volume of the inner spheres that contain a point
/// or, where points have radii, touch it. It is 0 where no inner sphere is touched, which does not mean free.
/// Nothing is allocated.
/// @param touched a byte for each inner sphere of the first tree, then of the second, and so on: set to 1 for those
///        that a point touches, else 0
/// @param touchedCapacity bytes of `touched`; at least the inner spheres of all trees
/// @param volumes array of `treeCount`, cubic metres
/// @return as wkPlacedSphereTree_PointDistances
WK_API wkResult wkPlacedSphereTree_PointVolumes(const wkPlacedSphereTree* trees, int32_t treeCount,
                                                const wkCloudView* points, wkPose pose,
                                                const wkSphereTreeRequest* request,
                                                uint8_t* touched, int64_t touchedCapacity,
                                                double* volumes);

/// Computes the distance of two trees: `point` and `outerPoint` of the result are the spheres of B, inner and
/// outer. Exact bodies are not asked.
/// @param request its radius is not used; NULL means `wkDefaultSphereTreeRequest()`
/// @return undecided where an argument is not valid
WK_API wkSphereTreeResult wkDistanceOfSphereTrees(const wkPlacedSphereTree* a,
                                                  const wkPlacedSphereTree* b,
                                                  const wkSphereTreeRequest* request);

/// Computes the penetration volume of two trees: the sum of the volumes in which an inner sphere of A and one of B
/// overlap. As the spheres of a tree do not overlap, it is a lower bound of the volume that the bodies share. 0
/// does not mean free.
/// @return NaN where an argument is not valid
WK_API double wkPenetrationVolume(const wkPlacedSphereTree* a, const wkPlacedSphereTree* b);
