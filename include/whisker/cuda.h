// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file cuda.h
/// Queries on a GPU with CUDA: the same answers as on the CPU, bit for bit. A library of its own, whisker-cuda, which
/// loads without a GPU or a driver, too: wkCuda_Create then says what is missing. Calls select their GPU for the calling
/// thread, as cudaSetDevice does, and leave it selected. See docs/gpu.md.

#include "whisker/center_distance.h"
#include "whisker/cloud_filter.h"
#include "whisker/depth.h"
#include "whisker/octree.h"
#include "whisker/robot_scene.h"
#include "whisker/sphere_tree.h"

/// A GPU in use.
typedef struct wkCuda wkCuda;

/// Which GPU is used. Start from `wkDefaultCudaDef()`.
typedef struct wkCudaDef {
    uint32_t cookie; ///< set by wkDefaultCudaDef()
    int32_t device;  ///< number of the GPU, as nvidia-smi has it; default -1: the first one of
                     ///< compute capability 8.0 or more
} wkCudaDef;

/// The defaults above.
WK_API wkCudaDef wkDefaultCudaDef(void);

/// Takes a GPU into use. It runs a kernel once and compares its result, so that a GPU that cannot run the kernels of
/// this library is refused here and not in a query.
/// @param cuda set to NULL on failure
/// @return wk_errorDevice: no GPU, no driver or one that is too old, a GPU that is too old, or one that fails, as
///         wkGetLastError() says; wk_errorArgument, wk_errorRange, wk_errorMemory
WK_API wkResult wkCuda_Create(const wkCudaDef* def, wkCuda** cuda);

/// Releases a GPU; NULL is fine. What was made for it must be destroyed before.
WK_API void wkCuda_Destroy(wkCuda* cuda);

/// Properties of a GPU in use.
typedef struct wkCudaInfo {
    int32_t device;              ///< its number
    char name[64];               ///< such as "NVIDIA H200"
    int32_t major;               ///< compute capability, first number
    int32_t minor;               ///< compute capability, second number
    int32_t multiprocessorCount; ///< blocks of threads run on these
    int32_t driverVersion;       ///< newest CUDA that the driver knows: 13000 for 13.0
    int32_t runtimeVersion;      ///< CUDA that this library was built with
    size_t totalBytes;           ///< memory of the GPU
    size_t freeBytes;            ///< memory that is not in use
} wkCudaInfo;

/// Returns the properties; zeros for NULL.
WK_API wkCudaInfo wkCuda_Info(const wkCuda* cuda);

/// Allocates pinned memory of the host: points in it reach the GPU several times faster than others.
/// @param memory set to NULL on failure
/// @return wk_errorArgument, wk_errorMemory, wk_errorDevice
WK_API wkResult wkCuda_AllocatePinned(wkCuda* cuda, size_t byteCount, void** memory);

/// Releases pinned memory; NULL is fine.
WK_API void wkCuda_ReleasePinned(wkCuda* cuda, void* memory);

/// Whose memory an address belongs to.
typedef enum wkCudaMemory {
    wk_memoryHost = 0, ///< of the host, pinned or not
    wk_memoryDevice =
        1, ///< of the GPU in use. Other memory is refused, but what CUDA lets all GPUs
           ///< use: managed and pinned memory. Calls do not wait for streams of the
           ///< caller: what writes there must have ended before
} wkCudaMemory;

/// Lower-case name: "host", "device"; "none" for any other number.
WK_API const char* wkCudaMemoryName(wkCudaMemory memory);

/// Sphere trees in the memory of a GPU, such as those of all links of a robot. One call at a time; several of these may
/// be used by several threads at once.
typedef struct wkCudaTrees wkCudaTrees;

/// What is kept on the GPU. Start from `wkDefaultCudaTreesDef()`.
typedef struct wkCudaTreesDef {
    uint32_t cookie;                  ///< set by wkDefaultCudaTreesDef()
    wkCuda* cuda;                     ///< borrowed; default NULL
    const wkSphereTree* const* trees; ///< copied; default NULL. NULL among them: nothing is there
    int32_t treeCount;                ///< 1 to 64; default 0
    size_t
        pointBytes; ///< memory of the GPU for points of the host, 1 MiB at least; default 64 MiB.
                    ///< Clouds of more bytes are sent in pieces, which takes no longer
} wkCudaTreesDef;

/// The defaults above.
WK_API wkCudaTreesDef wkDefaultCudaTreesDef(void);

/// Copies trees to a GPU, and allocates all memory that queries need.
/// @param trees set to NULL on failure
/// @return wk_errorArgument, wk_errorRange naming the field; wk_errorMemory naming the bytes that the GPU lacks;
///         wk_errorDevice
WK_API wkResult wkCudaTrees_Create(const wkCudaTreesDef* def, wkCudaTrees** trees);

/// Releases trees; NULL is fine.
WK_API void wkCudaTrees_Destroy(wkCudaTrees* trees);

/// Computes the distance from the points of a cloud to each tree, as wkPlacedSphereTree_PointDistances does and with the
/// same results: all points against all trees, without any structure on the points. Points of the host are sent while
/// others are compared. Bodies of trees decide on the CPU. Nothing is allocated.
/// @param placed the trees of the definition in their order, each at its pose
/// @param placedCount `treeCount` of the definition
/// @param points their data may be on the GPU, aligned to the size of a coordinate
/// @param memory where the points are
/// @param pose of the frame of the points in the world
/// @param request NULL means `wkDefaultSphereTreeRequest()`; its `parallel` is for bodies alone
/// @param results array of `placedCount`; all undecided on failure
/// @return as wkPlacedSphereTree_PointDistances; wk_errorDevice: the GPU failed; wk_errorUnsupported: bodies with points
///         on the GPU
WK_API wkResult wkCudaTrees_PointDistances(wkCudaTrees* trees, const wkPlacedSphereTree* placed,
                                           int32_t placedCount, const wkCloudView* points,
                                           wkCudaMemory memory, wkPose pose,
                                           const wkSphereTreeRequest* request,
                                           wkSphereTreeResult* results);

/// Computes the penetration volume of the points of a cloud, as wkPlacedSphereTree_PointVolumes does and with the same
/// results. Points of the host are sent while others are compared. Nothing is allocated.
/// @param placed the trees of the definition in their order, each at its pose
/// @param placedCount `treeCount` of the definition
/// @param points their data may be on the GPU, aligned to the size of a coordinate
/// @param memory where the points are
/// @param pose of the frame of the points in the world
/// @param request NULL means `wkDefaultSphereTreeRequest()`; its `parallel` is not used
/// @param touched in the memory of the host: a byte for each inner sphere of the first tree, then of the second, and so
///        on: set to 1 for those that a point touches, else 0
/// @param touchedCapacity bytes of `touched`; at least the inner spheres of all trees
/// @param volumes array of `placedCount`, cubic metres; all NaN on failure
/// @return as wkPlacedSphereTree_PointVolumes; wk_errorDevice: the GPU failed
WK_API wkResult wkCudaTrees_PointVolumes(wkCudaTrees* trees, const wkPlacedSphereTree* placed,
                                         int32_t placedCount, const wkCloudView* points,
                                         wkCudaMemory memory, wkPose pose,
                                         const wkSphereTreeRequest* request, uint8_t* touched,
                                         int64_t touchedCapacity, double* volumes);

/// A camera in the memory of a GPU: the rays of its pixels, and memory for a frame. One call at a time; several of these
/// may be used by several threads at once.
typedef struct wkCudaCamera wkCudaCamera;

/// What is kept on the GPU. Start from `wkDefaultCudaCameraDef()`.
typedef struct wkCudaCameraDef {
    uint32_t cookie;       ///< set by wkDefaultCudaCameraDef()
    wkCuda* cuda;          ///< borrowed; default NULL
    wkCamera camera;       ///< any lens; default wkDefaultCamera()
    wkPixelRequest pixels; ///< which pixels become points; default wkDefaultPixelRequest()
    int32_t ownCapacity;   ///< spheres of the robot itself in a call, 0 to 1048576; default 1024
} wkCudaCameraDef;

/// The defaults above.
WK_API wkCudaCameraDef wkDefaultCudaCameraDef(void);

/// Computes the ray of each pixel, copies the rays to a GPU, and allocates all memory that queries need: 32 bytes for
/// each pixel and 48 for each sphere of `ownCapacity`.
/// @param camera set to NULL on failure
/// @return wk_errorArgument, wk_errorRange, wk_errorNotFinite naming the field; wk_errorMemory naming the bytes that the
///         GPU lacks; wk_errorDevice
WK_API wkResult wkCudaCamera_Create(const wkCudaCameraDef* def, wkCudaCamera** camera);

/// Releases a camera; NULL is fine.
WK_API void wkCudaCamera_Destroy(wkCudaCamera* camera);

/// Computes the distance from the points of a depth image to each tree. Only the pixels are sent to the GPU; the points
/// are made there. Results are those of wkPlacedSphereTree_PointDistances with the points of wkDepthImage_Points at the
/// pose of the image, bit for bit, except that `point` and `outerPoint` are indices of pixels: v * width + u. Pixels that
/// show the robot itself count as others: see wkCudaCamera_FilteredDistances. Nothing is allocated.
/// @param trees on the GPU of the camera
/// @param placed the trees of their definition in their order, each at its pose; without bodies
/// @param placedCount `treeCount` of the definition of the trees
/// @param image its camera is that of the definition; its pixels may be on the GPU
/// @param memory where the pixels are; those of the host reach the GPU faster from pinned memory
/// @param request NULL means `wkDefaultSphereTreeRequest()`. An image without a point is refused, see allowsEmpty
/// @param results array of `placedCount`; all undecided on failure
/// @return as wkCudaTrees_PointDistances and wkDepthImage_Check
WK_API wkResult wkCudaCamera_DepthDistances(wkCudaCamera* camera, wkCudaTrees* trees,
                                            const wkPlacedSphereTree* placed, int32_t placedCount,
                                            const wkDepthImage* image, wkCudaMemory memory,
                                            const wkSphereTreeRequest* request,
                                            wkSphereTreeResult* results);

/// Computes the distance from the points of a depth image to each tree, without the points on the robot itself: those that
/// a self step of wkCloudFilter_Run removes, and no other, decided in double precision. Results are those of the
/// points that it keeps, bit for bit, otherwise as wkCudaCamera_DepthDistances. The filter takes no pass of its own: the kernel
/// that makes the points leaves them out. Nothing is allocated.
/// @param self spheres of the robot and its attached objects where they were when the image was taken, no more than
///        `ownCapacity`, and how far from these points are on the robot: such as `self` of wkMakeSelfFilter. NULL: no
///        point is left out
/// @param request NULL means `wkDefaultSphereTreeRequest()`. An image of which no point is left is refused, see allowsEmpty
/// @param results array of `placedCount`; all undecided on failure
/// @param ownCount set to the number of points left out, 0 on failure; NULL: not wanted
/// @return as wkCudaCamera_DepthDistances, and as wkCloudFilter_Run for `self`; wk_errorRange: more spheres than the
///         capacity; wk_errorUnsupported: bodies, or rules other than those of wkMakeSelfFilter
WK_API wkResult wkCudaCamera_FilteredDistances(wkCudaCamera* camera, wkCudaTrees* trees,
                                               const wkPlacedSphereTree* placed,
                                               int32_t placedCount, const wkDepthImage* image,
                                               wkCudaMemory memory, const wkSelfFilter* self,
                                               const wkSphereTreeRequest* request,
                                               wkSphereTreeResult* results, int64_t* ownCount);

/// A depth map in the memory of a GPU, for images of one camera. One call at a time; several of these may be used by
/// several threads at once.
typedef struct wkCudaDepthMap wkCudaDepthMap;

/// What is kept on the GPU. Start from `wkDefaultCudaDepthMapDef()`.
typedef struct wkCudaDepthMapDef {
    uint32_t cookie;      ///< set by wkDefaultCudaDepthMapDef()
    wkCuda* cuda;         ///< borrowed; default NULL
    wkCamera camera;      ///< of all images, any lens; default wkDefaultCamera()
    int32_t maskCapacity; ///< spheres of a mask, 0 to 1048576; default 1024
    size_t sphereBytes;   ///< memory of the GPU for spheres of the host, 1 MiB at least; default
                          ///< 64 MiB. More of them are sent in pieces, which takes no longer
} wkCudaDepthMapDef;

/// The defaults above.
WK_API wkCudaDepthMapDef wkDefaultCudaDepthMapDef(void);

/// Allocates all memory on a GPU that updates and queries need; all space is unobserved.
/// @param map set to NULL on failure
/// @return wk_errorArgument, wk_errorRange, wk_errorNotFinite naming the field; wk_errorMemory naming the bytes that the
///         GPU lacks; wk_errorDevice
WK_API wkResult wkCudaDepthMap_Create(const wkCudaDepthMapDef* def, wkCudaDepthMap** map);

/// Releases a map; NULL is fine.
WK_API void wkCudaDepthMap_Destroy(wkCudaDepthMap* map);

/// Replaces the image of a map, as wkDepthMap_Update does. Only the pixels are sent to the GPU; the map is computed there.
/// Nothing is allocated. The pixels are not needed afterwards.
/// @param image its camera is that of the definition; its pixels may be on the GPU
/// @param memory where the pixels are; those of the host reach the GPU faster from pinned memory
/// @param def NULL means `wkDefaultDepthMapDef()`
/// @param mask in the memory of the host, no more than `maskCapacity` spheres; NULL: none
/// @return as wkDepthMap_Update, the map is unchanged then; wk_errorDevice: the GPU failed, all space is unobserved until
///         the next image
WK_API wkResult wkCudaDepthMap_Update(wkCudaDepthMap* map, const wkDepthImage* image,
                                      wkCudaMemory memory, const wkDepthMapDef* def,
                                      const wkDepthMask* mask);

/// Checks many sets of spheres, such as those that wkBatch_PlaceSpheres places for configurations of a robot. The verdicts
/// are those of wkDepthMap_CheckSpheres on the same image, for every set. Spheres of the host are sent while others are
/// checked. Nothing is allocated.
/// @param spheres in the world: x, y, z, radius of each sphere of each set, the sets one after the other. One that is not
///        finite or has a negative radius is unobserved. On the GPU they are aligned to 16 bytes
/// @param memory where the spheres are; those of the host reach the GPU faster from pinned memory
/// @param sphereCount of each set, 0 to 1048576; a set of the host fits into a quarter of `sphereBytes`. 0: all sets are
///        wk_depthUnchecked
/// @param setCount 0 or more
/// @param stopAt wk_depthHit: the verdict of a set is the worst of its spheres. wk_depthUnobserved or wk_depthOccluded: the
///        worst up to the first sphere with this verdict or a higher one, where its search ends; wk_depthUnobserved is the
///        fastest, and says why the first sphere that is not free is not
/// @param verdicts in the memory of the host, one byte per set, a wkDepthVerdict: all wk_depthUnchecked on failure
/// @return wk_errorArgument, wk_errorRange naming the argument; wk_errorDevice: the GPU failed
WK_API wkResult wkCudaDepthMap_CheckSets(wkCudaDepthMap* map, const float* spheres,
                                         wkCudaMemory memory, int32_t sphereCount, int64_t setCount,
                                         wkDepthVerdict stopAt, uint8_t* verdicts);

/// The points of a sensor in the memory of a GPU, as a clearance field that is made again for each frame, with objects that
/// move (wkCudaField_SetObjects). One call at a time; several of these may be used by several threads at once.
typedef struct wkCudaField wkCudaField;

/// What is kept on the GPU. Start from `wkDefaultCudaFieldDef()`.
typedef struct wkCudaFieldDef {
    uint32_t cookie; ///< set by wkDefaultCudaFieldDef()
    wkCuda* cuda;    ///< borrowed; default NULL
    wkAabb
        region; ///< of the centers of spheres, in the world; default -1 to 1 m along each axis. All
                ///< spheres beyond it touch
    double
        cellSize; ///< metres; 253 cells at most along each axis; default 0: as small as that allows
    double reach; ///< radius of the largest sphere, margins included, in metres; larger ones touch.
                  ///< 120 cells at most; default 0.2. The time of an update grows with it
    int64_t pointCapacity; ///< points of a frame, 1 to 2^28; default 2^20
    size_t
        pointBytes; ///< memory of the GPU for points of the host, 1 MiB at least; default 16 MiB.
                    ///< Frames of more bytes are sent in pieces, which takes no longer
    int32_t ownCapacity; ///< spheres of the robot itself in a request, 0 to 1048576; default 1024
    int32_t objectCapacity; ///< objects and cells of maps within reach of the region, 0 to 4194304;
        ///< default 0: none. Each takes 200 bytes of the GPU and 72 of pinned memory
} wkCudaFieldDef;

/// The defaults above.
WK_API wkCudaFieldDef wkDefaultCudaFieldDef(void);

/// Allocates all memory on a GPU that updates and queries need: 7 bytes for each cell and 36 for each point. Nothing is
/// known: every sphere touches.
/// @param field set to NULL on failure
/// @return wk_errorArgument, wk_errorRange, wk_errorNotFinite naming the field; wk_errorMemory naming the bytes that the
///         GPU lacks; wk_errorDevice
WK_API wkResult wkCudaField_Create(const wkCudaFieldDef* def, wkCudaField** field);

/// Releases a field; NULL is fine.
WK_API void wkCudaField_Destroy(wkCudaField* field);

/// Replaces the objects of a field: shapes that the robot must not touch either, from the next update on. Until then nothing
/// is known, and every sphere touches. They stay for all further updates, whatever points these have; to check among
/// objects alone, update with no points and `allowsEmpty`. A batch need not be refreshed for them. Nothing is sent and
/// nothing is allocated; the shapes and their maps are not needed afterwards.
///
/// A sphere touches an object where the distance is at most its radius; verdicts may say so too early by 5e-6 of the
/// longest edge of the region and of the reach, and 3e-6 of the radius, the rounding and the padding of the object, never too
/// late. Objects that no sphere of the region can
/// reach are left out.
/// @param shapes spheres, capsules, boxes, cylinders, half-spaces, planes, with rounding, and padding that is not negative;
///        maps of wkMakeOctree, whose unknown cells are solid unless the shape says wk_unknownFree: all solid cells become
///        boxes
/// @param poses of the shapes in the world
/// @param count 0: none any more
/// @return wk_errorArgument, wk_errorRange, wk_errorNotFinite naming the shape; wk_errorUnsupported: another type of shape;
///         wk_errorRange: more objects than `objectCapacity`, with their number, or unknown cells beyond a map. After a
///         failure updates are refused until a call succeeds
WK_API wkResult wkCudaField_SetObjects(wkCudaField* field, const wkShape* shapes,
                                       const wkPose* poses, int32_t count);

/// How the points of a frame are taken. Start from `wkDefaultCudaFieldRequest()`.
typedef struct wkCudaFieldRequest {
    uint32_t cookie; ///< set by wkDefaultCudaFieldRequest()
    double radius;   ///< of all points, metres, added to that of each, 0 or more; default 0
    const wkSphere3d*
        ownSpheres; ///< of the robot itself and its attached objects when the frame was taken, in the
                    ///< world: points inside are left out; default NULL
    int32_t ownCount;  ///< default 0; at most `ownCapacity` of the field
    double ownPadding; ///< metres by which these spheres are larger, 0 or more; default 0
    bool
        allowsEmpty; ///< default false: a frame of which no point is finite is refused, such as that
                     ///< of a covered lens: all of the region would be free
} wkCudaFieldRequest;

/// The defaults above.
WK_API wkCudaFieldRequest wkDefaultCudaFieldRequest(void);

/// Replaces the points of a field; its objects stay. Points with a coordinate that is not finite are left out and counted; so
/// are those that no sphere of the region can reach, and those on the robot itself. Without any point, all of the region is
/// free but for objects: where none is finite, allowsEmpty has to say so. Points of the host are sent while others are
/// sorted. Nothing is allocated. The points are not needed afterwards.
/// @param points their data may be on the GPU, aligned to the size of a coordinate; their own radii count
/// @param memory where the points are
/// @param pose of the frame of the points in the world
/// @param request NULL means `wkDefaultCudaFieldRequest()`
/// @return wk_errorArgument, wk_errorRange, wk_errorNotFinite naming the argument or the point; wk_errorArgument for
///         points of which none is finite, see allowsEmpty; wk_errorRange for more points than `pointCapacity`;
///         wk_errorDevice: the GPU failed. Nothing is known after a failure: every sphere touches until the next frame
WK_API wkResult wkCudaField_Update(wkCudaField* field, const wkCloudView* points,
                                   wkCudaMemory memory, wkPose pose,
                                   const wkCudaFieldRequest* request);

/// Replaces the points of a field by those of a depth image. Only the pixels are sent to the GPU; the points are made there.
/// They are those of wkDepthImage_Points at the pose of the image; other pixels count as points that are not finite. Space
/// that no pixel shows is free: see wkCudaDepthMap for verdicts that tell what was not observed. Nothing is allocated.
/// @param camera on the GPU of the field
/// @param image its camera is that of the definition of the camera; its pixels may be on the GPU
/// @param memory where the pixels are; those of the host reach the GPU faster from pinned memory
/// @param request NULL means `wkDefaultCudaFieldRequest()`
/// @return as wkCudaField_Update and wkDepthImage_Check; nothing is known after a failure
WK_API wkResult wkCudaField_UpdateFromDepth(wkCudaField* field, wkCudaCamera* camera,
                                            const wkDepthImage* image, wkCudaMemory memory,
                                            const wkCudaFieldRequest* request);

/// Checks spheres against the points and objects: wk_verdictFree or wk_verdictWorld. Free means that exact arithmetic finds
/// none within the radius. A sphere touches that is within 2e-6 of the longest edge of the region, beyond it, larger than
/// the reach, or not valid. Nothing is allocated but for the spheres of the host.
/// @param spheres in the world: x, y, z, radius of each; on the GPU, aligned to 16 bytes
/// @param memory where the spheres are
/// @param count 0 or more
/// @param verdicts one byte per sphere, a wkVerdict: all wk_verdictUnchecked on failure, in memory of the host
/// @return wk_errorArgument, wk_errorRange naming the argument; wk_errorDevice: the GPU failed
WK_API wkResult wkCudaField_CheckSpheres(wkCudaField* field, const float* spheres,
                                         wkCudaMemory memory, int64_t count, uint8_t* verdicts);

/// Figures of a field.
typedef struct wkCudaFieldInfo {
    bool isKnown;           ///< there was a frame, and its update did not fail
    int64_t pointCount;     ///< points in the field
    int64_t notFiniteCount; ///< points left out because a coordinate is NaN or infinite
    int64_t beyondCount;    ///< points left out because no sphere of the region can reach them
    int64_t ownCount;       ///< points left out because they are on the robot itself
    int64_t objectCount;   ///< objects and cells of maps that spheres of the region can reach; also
                           ///< before the first frame
    int32_t cellCounts[3]; ///< cells along each axis, those around the region included
    double cellSize;       ///< metres
    double rounding;  ///< metres that a point may be from where the frame has it: its radius is as
                      ///< much larger
    size_t byteCount; ///< memory on the GPU
} wkCudaFieldInfo;

/// Returns the figures; zeros for NULL. Counts are those of the last frame, zeros where it failed.
WK_API wkCudaFieldInfo wkCudaField_Info(const wkCudaField* field);
/// Filters of point clouds on a GPU: memory of runs, and of their results. One call at a time; several of these may be
/// used by several threads at once.
typedef struct wkCudaFilter wkCudaFilter;

/// What a run may need. Start from `wkDefaultCudaFilterDef()`.
typedef struct wkCudaFilterDef {
    uint32_t cookie;        ///< set by wkDefaultCudaFilterDef()
    wkCuda* cuda;           ///< borrowed; default NULL
    int32_t pointCapacity;  ///< points of a request, 1 to 268435456; default 307200
    int32_t sphereCapacity; ///< spheres of the robots of all steps, 0 to 1048576; default 4096
    size_t pointBytes;      ///< memory of the GPU through which points of the host are sent, 1 MiB
                            ///< at least; default 16 MiB. More of them are sent in pieces
} wkCudaFilterDef;

/// The defaults above.
WK_API wkCudaFilterDef wkDefaultCudaFilterDef(void);

/// Allocates all memory that runs need: for each point of the capacity about 127 bytes on the GPU, and 41 bytes of pinned
/// memory.
/// @param filter set to NULL on failure
/// @return wk_errorArgument, wk_errorRange naming the field; wk_errorMemory naming the bytes that the GPU lacks;
///         wk_errorDevice
WK_API wkResult wkCudaFilter_Create(const wkCudaFilterDef* def, wkCudaFilter** filter);

/// Releases a filter; NULL is fine.
WK_API void wkCudaFilter_Destroy(wkCudaFilter* filter);

/// Points and the steps that are applied to them, and which results are wanted. Start from
/// `wkDefaultCudaFilterRequest()`.
typedef struct wkCudaFilterRequest {
    uint32_t cookie;        ///< set by wkDefaultCudaFilterRequest()
    wkFilterRequest filter; ///< that of the CPU. Its points may be on the GPU, aligned to nothing;
                            ///< its indices are in memory of the host; its `parallel` is not used
    wkCudaMemory pointsIn;  ///< memory of the points; default wk_memoryHost
    bool wantsMarks;  ///< default true: `kept` and `marks` of the result, in memory of the host
    bool wantsPoints; ///< default false; true: kept points in memory of the host, too
} wkCudaFilterRequest;

/// The defaults above.
WK_API wkCudaFilterRequest wkDefaultCudaFilterRequest(void);

/// Result of a run. Arrays belong to the wkCudaFilter and stay valid until its next run, for which they may be the points
/// and the indices.
typedef struct wkCudaFilterResult {
    wkFilterResult filter; ///< that of the CPU. `kept` and `marks`: NULL where not wanted;
                           ///< `centroids` in memory of the host
    wkCloudView onDevice; ///< kept points in the memory of the GPU, one after the other: numbers of
                          ///< the type of the request with its bits, positions alone
    wkCloudView onHost;   ///< the same in memory of the host; no data where not wanted
    wkCloudView centroidsOnDevice; ///< centroids in the memory of the GPU, relative to `origin`; no
                                   ///< data where the last step computes none
} wkCudaFilterResult;

/// Applies steps to points, as wkCloudFilter_Run does and with the same result: the same points in the same order, with the
/// same marks and figures, bit for bit. Points of the host are sent in pieces. Nothing is allocated. Robots with
/// bodies are refused.
/// @param result all zeros on failure: nothing is kept, and nothing was examined
/// @return as wkCloudFilter_Run; wk_errorRange: more points or spheres than the capacity; wk_errorUnsupported naming the
///         step; wk_errorDevice: the GPU failed
WK_API wkResult wkCudaFilter_Run(wkCudaFilter* filter, const wkCudaFilterRequest* request,
                                 wkCudaFilterResult* result);

/// Memory of a GPU for scans that are inserted into maps. One call at a time; several of these may be used by several
/// threads at once.
typedef struct wkCudaScan wkCudaScan;

/// What a scan may need. Start from `wkDefaultCudaScanDef()`.
typedef struct wkCudaScanDef {
    uint32_t cookie;       ///< set by wkDefaultCudaScanDef()
    wkCuda* cuda;          ///< borrowed; default NULL
    int32_t brickCapacity; ///< bricks of 8 x 8 x 8 cells that rays of a scan cross or end in, 64 to
                           ///< 8388608; default 65536. Each takes 550 to 950 bytes on the GPU, and
                           ///< 152 of pinned memory
    size_t pointBytes; ///< memory of the GPU through which points of the host are sent, 1 MiB at
                       ///< least; default 16 MiB. More of them are sent in pieces
} wkCudaScanDef;

/// The defaults above.
WK_API wkCudaScanDef wkDefaultCudaScanDef(void);

/// Allocates all memory that insertions need on the GPU. That of the map grows on the host, as with wkOctree_Insert.
/// @param scan set to NULL on failure
/// @return wk_errorArgument, wk_errorRange naming the field; wk_errorMemory naming the bytes that the GPU lacks;
///         wk_errorDevice
WK_API wkResult wkCudaScan_Create(const wkCudaScanDef* def, wkCudaScan** scan);

/// Releases the memory; NULL is fine.
WK_API void wkCudaScan_Destroy(wkCudaScan* scan);

/// Inserts a scan into a map, as wkOctree_Insert does and with the same numbers in every cell: the GPU finds the cells
/// that rays cross and hit, and the CPU merges them into the map.
/// @param octree in the memory of the host
/// @param taken its points may be on the GPU, such as those that wkCudaFilter_Run has kept; its `parallel` is not used
/// @param memory where the points are; those of the host reach the GPU faster from pinned memory
/// @param info NULL: not wanted; all zeros on failure
/// @return as wkOctree_Insert; wk_errorRange: more bricks than the capacity; wk_errorDevice: the GPU failed. The map is
///         unchanged on failure
WK_API wkResult wkCudaScan_Insert(wkCudaScan* scan, wkOctree* octree, const wkScan* taken,
                                  wkCudaMemory memory, wkScanInfo* info);

/// A cloud in the memory of a GPU. It takes part in one query at a time; other clouds may be used by other threads at
/// once.
typedef struct wkCudaCloud wkCudaCloud;

/// What is kept on the GPU. Start from `wkDefaultCudaCloudDef()`.
typedef struct wkCudaCloudDef {
    uint32_t cookie;      ///< set by wkDefaultCudaCloudDef()
    wkCuda* cuda;         ///< borrowed; default NULL
    const wkCloud* cloud; ///< copied to the GPU, and borrowed for results; default NULL
} wkCudaCloudDef;

/// The defaults above.
WK_API wkCudaCloudDef wkDefaultCudaCloudDef(void);

/// Copies the points of a cloud to a GPU, and allocates all memory that queries need: 36 bytes for a point in all.
/// @param cloud set to NULL on failure
/// @return wk_errorArgument naming the field; wk_errorMemory naming the bytes that the GPU lacks; wk_errorDevice
WK_API wkResult wkCudaCloud_Create(const wkCudaCloudDef* def, wkCudaCloud** cloud);

/// Releases a cloud; NULL is fine. The cloud that it was made of stays.
WK_API void wkCudaCloud_Destroy(wkCudaCloud* cloud);

/// Computes the least distance between the points of two clouds, as wkCenterDistance does and with the same result. Of
/// several nearest pairs, both methods report the one that wk_centersExhaustive reports on the CPU. Nothing is allocated.
/// @param a may be `b`, too
/// @param b on the same GPU
/// @param request NULL means `wkDefaultCenterRequest()`; its `parallel` does not count. wk_centersChosen: exhaustive for
///                few pairs, else by hierarchy; wkCudaCosts_CenterDistance chooses by measured costs
/// @return as wkCenterDistance; wk_statusInvalid, with the reason in wkGetLastError(), where the GPU fails, too
WK_API wkCenterResult wkCudaCloud_CenterDistance(wkCudaCloud* a, wkPose poseA, wkCudaCloud* b,
                                                 wkPose poseB, const wkCenterRequest* request);

#include "whisker/cuda_batches.h"
#include "whisker/cuda_costs.h"
