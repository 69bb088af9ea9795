// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file cloud.h
/// Point clouds as bodies: the points of a sensor as they are, each a sphere, which may have radius 0. A cloud
/// is a shape like a mesh or a map and works with every query. See docs/point_clouds.md.

#include "whisker/shape.h"

/// How the time of a point is stored.
typedef enum wkTimeType {
    wk_timeFloat = 0,         ///< a float, in seconds
    wk_timeDouble = 1,        ///< a double, in seconds
    wk_timeNanoseconds32 = 2, ///< a uint32_t, in nanoseconds
    wk_timeNanoseconds64 = 3, ///< a uint64_t, in nanoseconds
} wkTimeType;

/// Points in the caller's memory, such as the data of a PointCloud2 message. Nothing of it is kept. Offsets are
/// in bytes from the start of a point and need no alignment.
typedef struct wkCloudView {
    const void* data; ///< start of the first point
    size_t byteCount; ///< bytes that may be read from `data` on; 0: all that the other fields need
    int64_t count;    ///< number of points, those that are not finite included
    int64_t stride;   ///< bytes from one point to the next; 0: contiguous; negative: backwards
    bool isDouble;    ///< default false: coordinates are floats
    int32_t xOffset;  ///< of x; default 0
    int32_t yOffset;  ///< of y; default -1: behind x
    int32_t zOffset;  ///< of z; default -1: behind y
    int32_t radiusOffset;    ///< of a float, the radius of the point, 0 or more; default -1: none
    int32_t deviationOffset; ///< of a float, its standard deviation, 0 or more; default -1: none
    int32_t normalOffset;    ///< of three floats, a normal; not checked; default -1: none
    int32_t timeOffset;      ///< of the time at which it was measured; default -1: none
    wkTimeType timeType;     ///< default wk_timeFloat
    double timeBase;         ///< added to the times of points, in seconds; default 0
    bool isCombined; ///< default false; true, as in wkCloudBuilder_View: points of several views,
                     ///< in a base frame, whose origin is not the position of a sensor
} wkCloudView;

/// A view with the defaults above: x, y and z of each point are floats, one point after the other.
WK_API wkCloudView wkMakeCloudView(const void* data, int64_t count);

/// What a cloud is made of. Start from `wkDefaultCloudDef()`.
typedef struct wkCloudDef {
    uint32_t cookie;    ///< set by wkDefaultCloudDef()
    wkCloudView points; ///< the points
    wkVec3d origin; ///< origin of the cloud's frame in the coordinates of the points; default 0.
                    ///< Points are stored as floats relative to it: with map coordinates, such as
                    ///< UTM, set it near the points, and place the cloud there
    double radius;  ///< default 0; of points without a radius of their own, and added to those
    double spacing; ///< default 0: all points. Above: of the points in each cube of this size, one
                    ///< is kept, with a radius that covers the spheres of the others
    bool mergesDuplicates; ///< default false; true: one of the points at one position is kept, with
                           ///< the largest radius
    double maxRounding;    ///< default 1e-4: metres by which rounding to floats may move a point; a
                           ///< cloud with more is refused
    bool allowsEmpty;      ///< default false: a definition without finite points is refused, since
                           ///< nothing would ever touch its cloud; true: it is accepted
    int32_t mergedCount; ///< default 0; points that were removed before, and that these stand for,
                         ///< such as those that a voxel filter removed. Added to `mergedCount` of
                         ///< the info, so that wkCollisionProbability knows of them
    const wkParallel* parallel; ///< threads to build with; NULL (default): the calling one. The
                                ///< cloud does not depend on it
} wkCloudDef;

/// A definition with the defaults above and no points.
WK_API wkCloudDef wkDefaultCloudDef(void);

/// Makes a cloud. Points with a coordinate that is not finite are left out, and counted. Where rounding to
/// floats moves points, all radii grow by as much: no point comes free by it.
/// @param cloud set to NULL on failure
/// @return wk_errorArgument, also for a definition without finite points, see allowsEmpty; wk_errorRange, wk_errorNotFinite with the field or the index of the point in
///         wkGetLastError(); wk_errorMemory
WK_API wkResult wkCloud_Create(const wkCloudDef* def, wkCloud** cloud);

/// Makes a cloud of the centres of the occupied cells of an octree, in the frame of the octree, one for each single
/// cell. With half the diagonal of a cell as radius the cloud covers the cells; with 0 it has their centres alone.
/// The index of a point counts cells in the order of their ids. An octree without occupied cells gives an empty cloud.
/// @param radius metres, 0 or more
/// @param cloud set to NULL on failure
/// @return wk_errorArgument, wk_errorRange (the radius, or more cells than a cloud can have), wk_errorNotFinite,
///         wk_errorMemory
WK_API wkResult wkCloud_FromOctree(const wkOctree* octree, double radius, wkCloud** cloud);

/// Destroys a cloud; NULL is allowed.
WK_API void wkCloud_Destroy(wkCloud* cloud);

/// Figures of a cloud.
typedef struct wkCloudInfo {
    int32_t pointCount;     ///< points in the cloud
    int32_t notFiniteCount; ///< points left out because a coordinate is NaN or infinite
    int32_t mergedCount;    ///< points whose sphere another point covers: `spacing`,
                            ///< `mergesDuplicates`, and `mergedCount` of the definition
    bool hasRadii;          ///< points have radii of their own
    bool hasDeviations;     ///< points have standard deviations
    bool hasNormals;        ///< points have normals
    double rounding;     ///< metres by which rounding to floats moved a point at most; part of all
                         ///< radii
    double maxRadius;    ///< largest radius
    double maxDeviation; ///< largest standard deviation; 0: none given
    wkVec3d origin;      ///< as in the definition
    wkAabb bounds;       ///< of all spheres, in the frame of the cloud; empty for an empty cloud
    size_t byteCount;    ///< memory in use, and the size of the block
} wkCloudInfo;

/// Returns the figures.
WK_API wkCloudInfo wkCloud_Info(const wkCloud* cloud);

/// A point of a cloud.
typedef struct wkCloudPoint {
    wkVec3d position; ///< in the frame of the cloud
    double radius;    ///< of its sphere
    double deviation; ///< standard deviation; 0: none given
    wkVec3d normal;   ///< as given; 0: none given
    int32_t index;    ///< among the points of the definition
} wkCloudPoint;

/// Returns a point.
/// @param rank 0 to `pointCount` - 1: neighbours in space have near ranks
WK_API wkCloudPoint wkCloud_Point(const wkCloud* cloud, int32_t rank);

/// Returns the memory of a cloud, to be saved or sent: `byteCount` of its info.
WK_API const void* wkCloud_Block(const wkCloud* cloud);

/// Makes a cloud from a copy of a block. Everything in the block is checked.
/// @return wk_errorParse: damaged; wk_errorUnsupported: of another version or byte order; wk_errorArgument,
///         wk_errorMemory
WK_API wkResult wkCloud_FromBlock(const void* block, size_t byteCount, wkCloud** cloud);

/// Uses a block where it is, such as a mapped file. It must stay valid and unchanged; do not destroy the cloud.
/// @param block aligned to 64 bytes
/// @return as wkCloud_FromBlock
WK_API wkResult wkCloud_MapBlock(const void* block, size_t byteCount, const wkCloud** cloud);
