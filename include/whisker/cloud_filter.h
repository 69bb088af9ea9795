// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file cloud_filter.h
/// Filters of point clouds: which points of a sensor become obstacles. A run applies steps, one after the
/// other, to points in the caller's memory, and reports for every point whether it is kept and, if not, which
/// step removed it. See docs/cloud_filters.md.

#include "whisker/cloud.h"

/// What a step does. Zeroed memory is no step.
typedef enum wkFilterType {
    wk_filterNone = 0,        ///< not set: refused
    wk_filterRange = 1,       ///< keeps points in a range of distances to the sensor
    wk_filterBox = 2,         ///< keeps points inside of a box, or outside of it
    wk_filterDistance = 3,    ///< removes points that are further from the robot than a distance
    wk_filterSelf = 4,        ///< removes points on the robot itself
    wk_filterVoxel = 5,       ///< keeps one point of each voxel
    wk_filterStatistical = 6, ///< removes points that are far from their nearest neighbours
    wk_filterRadius = 7,      ///< removes points with few neighbours
} wkFilterType;

/// Lower-case name: "range", "box", "distance", "self", "voxel", "statistical", "radius"; "none" for any other
/// number.
WK_API const char* wkFilterTypeName(wkFilterType type);

/// Keeps points whose distance to the sensor is in a range, both ends included.
typedef struct wkRangeFilter {
    wkVec3d sensor;     ///< its position, in the world
    double minDistance; ///< 0 or more
    double maxDistance; ///< at least minDistance; infinity: no limit
} wkRangeFilter;

/// Keeps the points inside of an oriented box, its surface included, or those outside of it.
typedef struct wkBoxFilter {
    wkAabb box;       ///< in its own frame; sides may be infinitely far
    wkPose pose;      ///< of that frame in the world
    bool keepsInside; ///< false: keeps the points outside
} wkBoxFilter;

/// A body of a robot: any shape, such as a solid mesh, with its pose. Slower than spheres, and exact.
typedef struct wkFilterBody {
    const wkShape* shape; ///< such as that of wkRobot_Body; a surface is as thin as it is
    wkPose pose;          ///< in the world, such as that of wkRobotState_BodyPose
} wkFilterBody;

/// A robot as filters need it, at the time when the points were measured: spheres, bodies, or both. Borrowed during a
/// run.
typedef struct wkFilterRobot {
    const wkSphere3d* spheres;  ///< in the world, such as those of wkSphereModel_PlaceState
    int32_t sphereCount;        ///< 0: none
    const wkFilterBody* bodies; ///< NULL: none
    int32_t bodyCount;          ///< 0: none
} wkFilterRobot;

/// Removes points that are further from the robot than a distance, and never a nearer one. Verdicts about configurations
/// in which the robot has moved further than that miss what was removed.
typedef struct wkDistanceFilter {
    wkFilterRobot robot; ///< the robot; an empty one is refused: all points would be removed
    double maxDistance;  ///< to the surface of the robot; 0 or more
} wkDistanceFilter;

/// What happens to points on the robot, or in its shadow.
typedef enum wkSelfRule {
    wk_selfRemove = 0, ///< they are removed
    wk_selfMark = 1,   ///< they are kept, and marked
    wk_selfKeep = 2,   ///< they are kept like all others
} wkSelfRule;

/// Removes points on the robot itself: those within it, and those no further from it than a padding. Other points are in
/// its shadow where the line from the sensor to the point goes through the robot without its padding: a sensor cannot
/// have seen them, unless the robot was elsewhere. A sphere or body around the sensor casts no shadow.
typedef struct wkSelfFilter {
    wkFilterRobot robot;   ///< the robot; an empty one removes nothing
    double padding;        ///< 0 or more
    wkSelfRule ownRule;    ///< for points on the robot; default wk_selfRemove
    wkSelfRule shadowRule; ///< for points in its shadow; default wk_selfKeep: they are not looked
                           ///< for
    wkVec3d sensor;        ///< its position, in the world; used by other shadow rules
} wkSelfFilter;

/// Keeps one point of each voxel, the nearest to its middle. Voxels are cubes; one of them has a vertex at the origin of
/// the frame of the points. Radii of the points that are kept should grow by `reach` of the step's figures, so that
/// they cover the others. Put voxel steps last: a later step that removes a point removes all that it stands for.
typedef struct wkVoxelFilter {
    double size;       ///< edge length of a voxel; 1e-15 to 1e15
    bool hasCentroids; ///< default false; true, for the last step alone: `centroids` of the result
} wkVoxelFilter;

/// Removes points whose mean distance to their nearest neighbours is above the mean of all points by more than some
/// standard deviations: as StatisticalOutlierRemoval of PCL, with the same result up to rounding. It removes obstacles
/// that few points show.
typedef struct wkStatisticalFilter {
    int32_t neighborCount; ///< 1 to 1024; where there are fewer other points, all of them
    double sigmas;         ///< standard deviations; 0 or more
} wkStatisticalFilter;

/// Removes points that have fewer than a number of other points within a distance: as RadiusOutlierRemoval of PCL, with
/// the same result. It removes obstacles that few points show.
typedef struct wkRadiusFilter {
    double radius;         ///< 1e-15 to 1e15
    int32_t neighborCount; ///< least number of other points; 1 or more
} wkRadiusFilter;

/// A step of a run: a filter with its parameters. Made by the functions below.
typedef struct wkFilterStep {
    wkFilterType type; ///< which member below is in use
    union {
        wkRangeFilter range;             ///< for wk_filterRange
        wkBoxFilter box;                 ///< for wk_filterBox
        wkDistanceFilter distance;       ///< for wk_filterDistance
        wkSelfFilter self;               ///< for wk_filterSelf
        wkVoxelFilter voxel;             ///< for wk_filterVoxel
        wkStatisticalFilter statistical; ///< for wk_filterStatistical
        wkRadiusFilter radius;           ///< for wk_filterRadius
    };
} wkFilterStep;

/// Keeps points in a range of distances to the sensor, see wkRangeFilter. Parameters are checked by the run.
WK_API wkFilterStep wkMakeRangeFilter(wkVec3d sensor, double minDistance, double maxDistance);

/// Keeps the points inside of a box, see wkBoxFilter. Set `box.keepsInside` to false for those outside.
WK_API wkFilterStep wkMakeBoxFilter(wkAabb box, wkPose pose);

/// Removes what is further from the robot than a distance, see wkDistanceFilter.
WK_API wkFilterStep wkMakeDistanceFilter(wkFilterRobot robot, double maxDistance);

/// Removes points on the robot, see wkSelfFilter.
WK_API wkFilterStep wkMakeSelfFilter(wkFilterRobot robot, double padding);

/// Keeps one point of each voxel, see wkVoxelFilter.
WK_API wkFilterStep wkMakeVoxelFilter(double size);

/// Removes points that are far from their neighbours, see wkStatisticalFilter.
WK_API wkFilterStep wkMakeStatisticalFilter(int32_t neighborCount, double sigmas);

/// Removes points with few neighbours, see wkRadiusFilter.
WK_API wkFilterStep wkMakeRadiusFilter(double radius, int32_t neighborCount);

/// Largest number of steps of a run.
#define WK_MAX_FILTER_STEPS 16

/// What a run has decided about a point, one byte for each. Zeroed memory decides nothing.
typedef enum wkFilterMark {
    wk_markNone = 0,      ///< not examined: not among the `indices` of the request
    wk_markKept = 1,      ///< kept
    wk_markOwn = 2,       ///< kept, and on the robot: wk_selfMark
    wk_markShadow = 3,    ///< kept, and in the shadow of the robot: wk_selfMark
    wk_markNotFinite = 4, ///< left out: a coordinate is NaN or infinite
    wk_markRemoved = 16,  ///< removed by step 0; with the index of the step added, by another one
} wkFilterMark;

/// Points and the steps that are applied to them. Start from `wkDefaultFilterRequest()`. Points and indices that lie in
/// the memory of the filter, such as `centroids` and `kept` of its last run, are refused: pass them to another filter.
typedef struct wkFilterRequest {
    uint32_t cookie;            ///< set by wkDefaultFilterRequest()
    wkCloudView points;         ///< the points; only positions are read
    wkPose pose;                ///< of the frame of the points in the world; default identity
    const int32_t* indices;     ///< points to examine, ascending, such as `kept` of another filter;
                                ///< NULL (default): all
    int32_t indexCount;         ///< number of indices
    const wkFilterStep* steps;  ///< applied in this order
    int32_t stepCount;          ///< 0 to WK_MAX_FILTER_STEPS; 0: only looks for points not finite
    const wkParallel* parallel; ///< threads to use; NULL (default): the calling one
} wkFilterRequest;

/// The defaults above.
WK_API wkFilterRequest wkDefaultFilterRequest(void);

/// Figures of a step. `reach` is infinite where a coordinate is 1e30 or more, or so many voxels away from the origin
/// that no float holds their number.
typedef struct wkFilterStepInfo {
    int32_t examinedCount; ///< points that the steps before have left
    int32_t removedCount;  ///< of these, removed by this step
    int32_t ownCount;      ///< wk_filterSelf: points on the robot, removed or not
    int32_t shadowCount;   ///< wk_filterSelf: points in its shadow, removed or not
    double reach;     ///< wk_filterVoxel: each point that was removed is no further from a kept one
    double threshold; ///< wk_filterStatistical: the largest mean distance that was kept
} wkFilterStepInfo;

/// Result of a run. Arrays belong to the wkCloudFilter and stay valid until its next run. Centroids are off by at most
/// 2^-22 of the largest coordinate of the points of their voxel and 2^-23 of its size, however many points those are. They
/// do not depend on the order of points, except where coordinates are more than 2^30 voxels from the origin.
typedef struct wkFilterResult {
    int32_t pointCount;     ///< points of the view
    int32_t examinedCount;  ///< all, or those of `indices`
    int32_t notFiniteCount; ///< points left out because a coordinate is NaN or infinite
    int32_t keptCount;      ///< examinedCount - notFiniteCount - all that steps removed
    const int32_t* kept;    ///< indices of the kept points, ascending
    const uint8_t* marks;   ///< of each point of the view: wkFilterMark
    const float* centroids; ///< x, y and z for each of `kept`: the centroid of the points of its
                            ///< voxel, relative to `origin`; NULL: not asked for
    wkVec3d origin;         ///< of centroids; zero for points that are floats
    int32_t stepCount;      ///< as in the request
    wkFilterStepInfo steps[WK_MAX_FILTER_STEPS]; ///< figures of each step
} wkFilterResult;

/// Memory of runs, and of their results. One thread at a time uses it. It grows with the largest request, and
/// runs that are no larger allocate nothing.
typedef struct wkCloudFilter wkCloudFilter;

/// Makes a filter without memory.
/// @param filter set to NULL on failure
/// @return wk_errorArgument, wk_errorMemory
WK_API wkResult wkCloudFilter_Create(wkCloudFilter** filter);

/// Releases a filter; NULL is fine.
WK_API void wkCloudFilter_Destroy(wkCloudFilter* filter);

/// Applies steps to points. Verdicts are those of double precision on the given coordinates, whatever the
/// instruction set and the number of threads.
/// @param result all zeros on failure: nothing is kept, and nothing was examined
/// @return wk_errorArgument, wk_errorRange, wk_errorNotFinite naming the field, wk_errorMemory
WK_API wkResult wkCloudFilter_Run(wkCloudFilter* filter, const wkFilterRequest* request,
                                  wkFilterResult* result);
