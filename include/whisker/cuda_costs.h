// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file cuda_costs.h
/// Times of the same work on the CPU and on the GPU, measured on the machine at hand, and what follows: which of the two to
/// call, by which method, and from how many items on a GPU pays. A part of cuda.h; programs may include either. See
/// docs/gpu.md.
///
/// Results never depend on the choice: both give the same answer.

#include "whisker/cuda.h"

/// A batch in the memory of a GPU: see cuda_batches.h.
typedef struct wkCudaBatch wkCudaBatch;

/// Time of a call: `fixed`, and `each` for every item, such as a configuration or a point.
typedef struct wkWorkCost {
    double fixed; ///< seconds of a call with few items; 0 or more
    double each;  ///< seconds of a further item; 0 or more
} wkWorkCost;

/// Returns the seconds of a call.
/// @return infinity for a cost that is negative or not finite, and for a number of items that is not 0 or more
WK_API double wkWorkCost_Seconds(const wkWorkCost* cost, double itemCount);

/// The same work both ways.
typedef struct wkCpuGpuCost {
    wkWorkCost cpu; ///< on the threads that it was measured with
    wkWorkCost gpu; ///< from the call to its results, transfers included
} wkCpuGpuCost;

/// Returns true when the GPU takes less time for a number of items. False where a cost is not valid: the CPU is always
/// there.
WK_API bool wkCpuGpuCost_Pays(const wkCpuGpuCost* cost, double itemCount);

/// Returns the crossing point: the least number of items from which on the GPU takes less time than the CPU, for that
/// number and for every larger one; 1 or more, and infinity where there is none or a cost is not valid.
WK_API double wkCpuGpuCost_Crossing(const wkCpuGpuCost* cost);

/// The ways to find the nearest points of two clouds.
typedef enum wkCenterWay {
    wk_wayCpuExhaustive = 0, ///< wkCenterDistance with wk_centersExhaustive
    wk_wayCpuHierarchy = 1,  ///< wkCenterDistance with wk_centersHierarchy
    wk_wayGpuExhaustive = 2, ///< wkCudaCloud_CenterDistance with wk_centersExhaustive
    wk_wayGpuHierarchy = 3,  ///< wkCudaCloud_CenterDistance with wk_centersHierarchy
} wkCenterWay;

/// Number of ways.
#define WK_CENTER_WAYS 4

/// Lower-case name: "cpu exhaustive", "cpu hierarchy", "gpu exhaustive", "gpu hierarchy"; "none" for any other number.
WK_API const char* wkCenterWayName(wkCenterWay way);

/// Numbers of points that are measured: 64, 1024, 16384 and 262144.
#define WK_CENTER_SIZES 4

/// Returns the number of points of a size, 0 to WK_CENTER_SIZES - 1; 0 for any other number.
WK_API int32_t wkCenterSizePoints(int32_t size);

/// Times of the four ways for clouds on the machine at hand. Plain numbers: they may be saved.
typedef struct wkCudaCosts {
    double
        centers[WK_CENTER_WAYS][WK_CENTER_SIZES]
               [WK_CENTER_SIZES]; ///< seconds, by the way and the sizes of both clouds, in either
                                  ///< order; above 0. Both clouds are on the GPU
    wkWorkCost copy; ///< of a cloud to the GPU, wkCudaCloud_Create; its items are points
} wkCudaCosts;

/// How costs are measured. Start from `wkDefaultCudaCostsDef()`.
typedef struct wkCudaCostsDef {
    uint32_t cookie;   ///< set by wkDefaultCudaCostsDef()
    double runSeconds; ///< runs that are expected to take longer are not made, but for the first
                       ///< ones; shorter ones are repeated up to it; 1e-6 to 10; default 0.01
    const wkParallel*
        parallel; ///< threads of the exhaustive search on the CPU; NULL (default): the calling one
} wkCudaCostsDef;

/// The defaults above.
WK_API wkCudaCostsDef wkDefaultCudaCostsDef(void);

/// Measures the costs of clouds, with points of a column that stands on the floor of a room, 3 mm apart: some tenths of a
/// second. Every time is the median of up to five runs after one that is not counted. Where a search would take longer than
/// `runSeconds`, its time is 16 times that of the next smaller clouds. Allocates memory, and releases it.
/// @param def NULL means `wkDefaultCudaCostsDef()`
/// @param costs all zeros on failure: every way is unknown
/// @return wk_errorArgument, wk_errorRange naming the field; wk_errorMemory; wk_errorDevice
WK_API wkResult wkCuda_MeasureCosts(wkCuda* cuda, const wkCudaCostsDef* def, wkCudaCosts* costs);

/// Predicts the seconds of a way for two clouds that are on the GPU, by interpolation of the logarithms of measured times,
/// and for more than 262144 points by their growth: within a factor of 1.5 for clouds of up to two million points like
/// those measured. Hierarchies take several times less where clouds are far apart, and more where they penetrate each other.
/// @param countA points of a cloud; fewer than 64 count as 64
/// @return infinity where a time that this needs is not a number above 0
WK_API double wkCudaCosts_CenterSeconds(const wkCudaCosts* costs, wkCenterWay way, int32_t countA,
                                        int32_t countB);

/// Queries for the nearest points of two clouds.
typedef struct wkCenterWork {
    int32_t countA;     ///< points of A
    int32_t countB;     ///< points of B
    bool isOnGpuA;      ///< A is on the GPU already; false: a copy counts
    bool isOnGpuB;      ///< B is on the GPU already; false: a copy counts
    int32_t queryCount; ///< queries with the same clouds, which are copied once; less than 1 counts
                        ///< as 1
} wkCenterWork;

/// Which way is the fastest.
typedef struct wkCenterChoice {
    wkCenterWay way; ///< the fastest; of equals the first; wk_wayCpuHierarchy where no
                     ///< way is known
    double seconds[WK_CENTER_WAYS]; ///< predicted for each way: all queries, and copies to the GPU;
                                    ///< infinity: not known
} wkCenterChoice;

/// Chooses the fastest way for two clouds. Predictions are those of wkCudaCosts_CenterSeconds.
WK_API wkCenterChoice wkCudaCosts_ChooseCenters(const wkCudaCosts* costs, const wkCenterWork* work);

/// Returns the crossing point of clouds that are on the GPU: the least number of points of the other cloud from which on
/// a way of the GPU is the fastest, within 1/16 of it.
/// @param count points of one cloud
/// @return -1: there is none up to 2^30
WK_API int32_t wkCudaCosts_CenterCrossing(const wkCudaCosts* costs, int32_t count);

/// Computes the least distance between the points of two clouds by the way that is predicted to be the fastest, with the
/// result of wkCudaCloud_CenterDistance: of several nearest pairs the same one, whichever way is chosen. Where the CPU
/// finds the distance 0 by hierarchy, the GPU says which pair is reported. Nothing is allocated.
/// @param a may be `b`, too
/// @param b on the same GPU
/// @param request NULL means `wkDefaultCenterRequest()`; its method, unless it is wk_centersChosen, is used on the CPU or
///                on the GPU; its `parallel` should be that of the measurement
/// @param choice set to the choice, without copies; NULL: not wanted
/// @return as wkCudaCloud_CenterDistance; `method` is the one that was used
WK_API wkCenterResult wkCudaCosts_CenterDistance(const wkCudaCosts* costs, wkCudaCloud* a,
                                                 wkPose poseA, wkCudaCloud* b, wkPose poseB,
                                                 const wkCenterRequest* request,
                                                 wkCenterChoice* choice);

/// Measures both ways to check configurations: wkBatch_CheckStates on the threads of the batch, and
/// wkCudaBatch_CheckStates from memory of the host. Takes about ten times `runSeconds`. Allocates memory, and releases it.
/// Its line goes through the times of 32 configurations and of the most that fit into `runSeconds`.
/// @param configurations such as the program will ask about, one after the other, in memory of the host; pinned, if the
///                       program's are
/// @param count 64 or more; the first ones are used, as many as `runSeconds` allows
/// @param def NULL means `wkDefaultCudaCostsDef()`
/// @param cost seconds of a configuration; all zeros on failure
/// @return wk_errorArgument, wk_errorRange naming the argument or the field; wk_errorMemory; and as both functions
WK_API wkResult wkCudaBatch_MeasureCosts(wkCudaBatch* batch, const double* configurations,
                                         int64_t count, const wkCudaCostsDef* def,
                                         wkCpuGpuCost* cost);

/// Measures both ways to compare points with sphere trees: wkPlacedSphereTree_PointDistances on the threads of the
/// request, and wkCudaTrees_PointDistances from memory of the host. Otherwise as wkCudaBatch_MeasureCosts, for points.
/// @param placed the trees of the definition in their order, each at its pose
/// @param placedCount `treeCount` of the definition
/// @param points in memory of the host, 64 or more; pinned, if the program's are. Some may not be finite
/// @param request NULL means `wkDefaultSphereTreeRequest()`
/// @param def NULL means `wkDefaultCudaCostsDef()`
/// @param cost seconds of a point; all zeros on failure
/// @return as wkCudaBatch_MeasureCosts
WK_API wkResult wkCudaTrees_MeasureCosts(wkCudaTrees* trees, const wkPlacedSphereTree* placed,
                                         int32_t placedCount, const wkCloudView* points,
                                         wkPose pose, const wkSphereTreeRequest* request,
                                         const wkCudaCostsDef* def, wkCpuGpuCost* cost);

/// Costs of an example: the built-in robot among boxes, and points around it.
typedef struct wkCudaRobotCosts {
    wkCpuGpuCost states; ///< of a random configuration against the boxes, by spheres
    wkCpuGpuCost points; ///< of a point against spheres in and around the links
    int32_t sphereCount; ///< spheres of a configuration
    int32_t boxCount;    ///< boxes
    int32_t treeCount;   ///< links with spheres for the points
    int32_t treeSpheres; ///< spheres in and around these
} wkCudaRobotCosts;

/// Measures the costs of the example, to say whether a GPU pays at all. Fits spheres first: a second or two. Allocates
/// memory, and releases it.
/// @param def NULL means `wkDefaultCudaCostsDef()`
/// @param costs all zeros on failure
/// @return wk_errorArgument, wk_errorRange naming the field; wk_errorMemory; wk_errorDevice
WK_API wkResult wkCuda_MeasureRobotCosts(wkCuda* cuda, const wkCudaCostsDef* def,
                                         wkCudaRobotCosts* costs);
