// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file device.h
/// How libraries that compute on another device, such as whisker-cuda, take part in the queries of this one: arguments
/// are checked and results are made here, and the device does what lies between. Not stable: programs do not need it,
/// and it may change with any version.

#include "whisker/center_distance.h"
#include "whisker/cloud_filter.h"
#include "whisker/depth.h"
#include "whisker/octree.h"
#include "whisker/sphere_tree.h"

struct wkBrickList;
struct wkCenterPair;
struct wkCenterSearch;
struct wkCloudLayout;
struct wkCurveGrid;
struct wkGridRaySource;
struct wkPointItem;
struct wkPointsScan;
struct wkScanBest;
struct wkSourcePixels;
struct wkVoxelGrid;

/// Returns a hash of the layout of batches in memory. A library that reads a batch computes it again with the headers that it
/// was compiled with, and refuses batches where both differ.
WK_API uint64_t wkGetBatchLayout(void);

/// Checks a view and finds where the fields of its points are. Nothing of the points is read.
/// @return wk_errorRange, wk_errorArgument naming the field
WK_API wkResult wkCloudView_LayOut(const wkCloudView* view, struct wkCloudLayout* layout);

/// A device that compares points with hierarchies of spheres.
typedef struct wkPointScanner {
    /// Adds hierarchies at their places. Called before `run`, once for every few trees.
    /// @param first index among all trees of the first one
    wkResult (*add)(void* device, const struct wkPointsScan* scan, int32_t first);
    /// Compares all points with all hierarchies.
    /// @param bound pairs that are further apart do not matter
    /// @param best two for each tree: of the inner spheres, then of the outer ones
    wkResult (*run)(void* device, double bound, struct wkScanBest* best);
    /// Marks the inner spheres that a point touches. Called instead of `run` where volumes are computed.
    /// @param touched a byte for each inner sphere of the first tree, then of the second, and so on: set to 1 or 0
    wkResult (*mark)(void* device, uint8_t* touched);
    void* device;      ///< passed back
    bool hasOwnPoints; ///< the points are in the memory of the device, which the CPU cannot read
} wkPointScanner;

/// Computes distances as wkPlacedSphereTree_PointDistances does, with the spheres compared on a device. Bodies of trees
/// decide on the CPU.
/// @param best memory for two for each tree
/// @return as that; wk_errorUnsupported for bodies and points on the device
WK_API wkResult wkPointScanner_Distances(const wkPointScanner* scanner,
                                         const wkPlacedSphereTree* trees, int32_t treeCount,
                                         const wkCloudView* points, wkPose pose,
                                         const wkSphereTreeRequest* request,
                                         struct wkScanBest* best, wkSphereTreeResult* results);

/// Computes penetration volumes as wkPlacedSphereTree_PointVolumes does, with the spheres compared on a device.
/// @return as that
WK_API wkResult wkPointScanner_Volumes(const wkPointScanner* scanner,
                                       const wkPlacedSphereTree* trees, int32_t treeCount,
                                       const wkCloudView* points, wkPose pose,
                                       const wkSphereTreeRequest* request, uint8_t* touched,
                                       int64_t touchedCapacity, double* volumes);

/// Checks whether a request is valid.
/// @return wk_errorArgument, wk_errorRange naming the field
WK_API wkResult wkPixelRequest_Check(const wkPixelRequest* request);

/// Computes the rays of all pixels of a camera: wkDepthImage_Points multiplies the same with depths.
/// @param rays x and y at z = 1 of each pixel, row by row; NaN where there is none
/// @return as wkCamera_Check
WK_API wkResult wkCamera_Rays(const wkCamera* camera, double* rays);

/// Finds the pixels of an image of a distorted lens that each pixel of the rectified image stands for, as
/// wkDepthMap_Update does.
/// @param sources of each pixel, row by row
/// @return as wkCamera_Check; wk_errorMemory
WK_API wkResult wkCamera_Sources(const wkCamera* camera, struct wkSourcePixels* sources);

/// Lays out a depth map whose arrays are in the memory of a device. Nothing is written there; all space is unobserved.
/// @param map set; there is nothing to destroy
/// @param maxWidth, maxHeight of images, as wkDepthMap_Create takes them
/// @param block memory of the device, aligned to 64 bytes; NULL: only its size is wanted
/// @return bytes of the block
WK_API size_t wkDepthMap_LayOut(wkDepthMap* map, int32_t maxWidth, int32_t maxHeight, void* block);

/// Checks the arguments of wkDepthMap_Update and does what it does, except for the arrays of the map: the device fills
/// these.
/// @return as that
WK_API wkResult wkDepthMap_Aim(wkDepthMap* map, const wkDepthImage* image, const wkDepthMapDef* def,
                               const wkDepthMask* mask);

/// Finds the nearest pair of points of two clouds, of several the first by wkAreCentersBefore.
/// @param search the clouds, the one with fewer points first
/// @param method exhaustive or by hierarchy
/// @param pair holds the square of the cutoff, and no pair; stays so where no pair is within it
typedef wkResult wkFindCentersFcn(void* device, const struct wkCenterSearch* search,
                                  wkCenterMethod method, struct wkCenterPair* pair);

/// A device that finds the nearest points of two clouds.
typedef struct wkCenterSearcher {
    wkFindCentersFcn* find;  ///< called where no cloud is empty
    void* device;            ///< passed back
    int64_t exhaustivePairs; ///< up to this many, the exhaustive method is chosen
} wkCenterSearcher;

/// Computes the distance as wkCenterDistance does, with the pair found on a device.
/// @param searcher NULL: the CPU
/// @return as that; invalid where the device fails, with its message in wkGetLastError()
WK_API wkCenterResult wkCenterSearcher_Distance(const wkCenterSearcher* searcher, const wkCloud* a,
                                                wkPose poseA, const wkCloud* b, wkPose poseB,
                                                const wkCenterRequest* request);

/// Checks a request of filters as wkCloudFilter_Run does, and describes its points, which are not read.
/// @param layout set
/// @return wk_errorArgument, wk_errorRange, wk_errorNotFinite naming the field
WK_API wkResult wkFilterRequest_LayOut(const wkFilterRequest* request,
                                       struct wkCloudLayout* layout);

/// Chooses the origin that positions are relative to in a run of filters.
/// @param isDouble of the points
/// @param origin set
/// @return false: the origin is the first finite point of those that are examined, zero without one
WK_API bool wkFilterRequest_Origin(const wkFilterRequest* request, bool isDouble, wkVec3d* origin);

/// Places a step that decides each point by itself, such as a box, in the frame of the points.
/// @param pose of the frame of the points in the world
/// @param spheres memory for the spheres of the robot of the step; NULL where it has none
/// @param item set; its `spheres` are those
/// @return false: the step decides all points together, and nothing is set
WK_API bool wkFilterStep_Place(const wkFilterStep* step, wkPose pose, wkVec3d origin,
                               wkSphere3d* spheres, struct wkPointItem* item);

/// Bounds of the points that a step decides together, as floats relative to the origin of the run.
typedef struct wkFilterBounds {
    float lower[3]; ///< least coordinates
    float upper[3]; ///< largest coordinates
    int32_t count;  ///< points, 1 or more
} wkFilterBounds;

/// Lays out the grid of a voxel step.
/// @param grid set
/// @return bits of a voxel's key; 0: there are too many voxels, or too far apart, for keys above a rank and an index
WK_API int wkFilterBounds_VoxelGrid(const wkFilterBounds* bounds, double size,
                                    struct wkVoxelGrid* grid);

/// Returns the `reach` of a voxel step.
WK_API double wkFilterBounds_VoxelReach(const wkFilterBounds* bounds, double size);

/// Lays out the grid of the curve along which points are sorted before a search for neighbours.
/// @param grid set
WK_API void wkFilterBounds_CurveGrid(const wkFilterBounds* bounds, struct wkCurveGrid* grid);

/// Traces the rays of all points of a scan.
/// @param source of the rays, in the map
/// @param list set to the bricks with a cell that a ray crosses or hits, lowest first; they stay until the next call
/// @param report counts of points are set
typedef wkResult wkTraceScanFcn(void* device, const struct wkGridRaySource* source,
                                const wkScan* scan, wkScanInfo* report, struct wkBrickList* list);

/// A device that finds the cells which rays of a scan cross and hit.
typedef struct wkScanTracer {
    wkTraceScanFcn* trace; ///< called after the scan is checked
    void* device;          ///< passed back
} wkScanTracer;

/// Inserts a scan as wkOctree_Insert does, with the cells found on a device. Points are not read.
/// @return as that, and as the device; the map is unchanged on failure
WK_API wkResult wkScanTracer_Insert(const wkScanTracer* tracer, wkOctree* octree,
                                    const wkScan* scan, wkScanInfo* info);
