// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file octree.h
/// Occupancy maps: which space sensors observed to be occupied or free, and which is unknown.
///
/// Space is divided into cubic cells of one resolution, 65536 along each axis about the origin. Each
/// cell has the log-odds of being occupied, computed as in OctoMap: the same scans give the same numbers
/// and the same files. Eight equal cells that form a cube are merged, up to the whole map; a map is always
/// fully pruned. Cells that were never observed are unknown, which is a state of its own.
///
/// A map is written by one thread. `wkOctree_Copy` is cheap, since both maps share their memory until one
/// of them is written: other threads can query copies while the original changes. As a shape
/// (`wkMakeOctree`) a map takes part in every query.

#include "whisker/detail/values.h"
#include "whisker/id.h"
#include "whisker/shape.h"

/// Levels of a map: the root has depth 0, single cells depth 16.
#define WK_OCTREE_DEPTH 16

/// State of a cell.
typedef enum wkCellState {
    wk_cellUnknown = 0,  ///< never observed
    wk_cellFree = 1,     ///< observed, below the threshold
    wk_cellOccupied = 2, ///< observed, at or above the threshold
} wkCellState;

/// Lower-case name: "unknown", "free", "occupied".
WK_API const char* wkCellStateName(wkCellState state);

/// State of a coarse cube whose cells are partly free, partly unknown and never occupied. A cube with an
/// occupied cell is occupied under either rule.
typedef enum wkMixRule {
    wk_mixUnknown = 0, ///< unknown: space that was never observed does not become free
    wk_mixFree = 1,    ///< free when at least one cell is free, as in OctoMap
} wkMixRule;

/// Address of a single cell: along each axis cell `k` extends from (k - 32768) * resolution to
/// (k + 1 - 32768) * resolution.
typedef struct wkCellKey {
    uint16_t x; ///< along x
    uint16_t y; ///< along y
    uint16_t z; ///< along z
} wkCellKey;

/// A cube of equal cells.
typedef struct wkCell {
    wkCellId id;        ///< of the cube
    wkCellKey key;      ///< of its lowest single cell
    int32_t depth;      ///< 16: a single cell; each level above doubles the edge
    wkCellState state;  ///< by the threshold of the query
    float logOdds;      ///< 0 when unknown
    double probability; ///< of being occupied; 0.5 when unknown
    wkVec3d center;     ///< in the frame of the map
    double size;        ///< length of an edge, in metres
} wkCell;

/// Parameters of a map. Start from `wkDefaultOctreeDef()`.
typedef struct wkOctreeDef {
    uint32_t cookie;            ///< set by wkDefaultOctreeDef()
    double resolution;          ///< edge of a cell in metres, from 1e-6 to 1e6; default 0.05
    double hitProbability;      ///< of a cell in which a ray ends; above 0.5, default 0.7
    double missProbability;     ///< of a cell that a ray crosses; below 0.5, default 0.4
    double lowestProbability;   ///< lower clamping threshold; default 0.1192
    double highestProbability;  ///< upper clamping threshold; default 0.971
    double occupiedProbability; ///< least probability of an occupied cell; default 0.5
} wkOctreeDef;

/// OctoMap's defaults, with a resolution of 5 cm.
WK_API wkOctreeDef wkDefaultOctreeDef(void);

/// Creates an empty map: all cells are unknown.
/// @param def NULL means `wkDefaultOctreeDef()`
/// @param octree set to NULL on failure
/// @return wk_errorRange or wk_errorNotFinite naming the field, wk_errorMemory, wk_errorArgument
WK_API wkResult wkOctree_Create(const wkOctreeDef* def, wkOctree** octree);

/// Releases a map; NULL is fine. Copies live on.
WK_API void wkOctree_Destroy(wkOctree* octree);

/// Copies a map by sharing memory until one of the two is written: takes less than a hundredth of the
/// time of copying the cells. Both may be written and destroyed independently, on different threads.
WK_API wkResult wkOctree_Copy(const wkOctree* octree, wkOctree** copy);

/// Returns the parameters of the map.
WK_API wkOctreeDef wkOctree_Def(const wkOctree* octree);

/// Changes the sensor model and thresholds; cells stay as they are. The resolution must not change:
/// see wkOctree_Resample.
WK_API wkResult wkOctree_SetDef(wkOctree* octree, const wkOctreeDef* def);

/// Makes all cells unknown.
WK_API void wkOctree_Clear(wkOctree* octree);

/// Statistics of a map.
typedef struct wkOctreeInfo {
    int64_t leafCount;     ///< leaves: cubes of equal, known cells
    int64_t occupiedCount; ///< occupied leaves
    int64_t innerCount;    ///< inner nodes: cubes whose cells differ
    size_t byteCount;      ///< memory in use; memory shared by copies counts in each
    uint64_t version;      ///< increases with every change
    wkAabb bounds;         ///< tight around all known cells; empty when there are none
    wkAabb occupiedBounds; ///< tight around all occupied cells; empty when there are none
} wkOctreeInfo;

/// Returns the statistics; traverses the whole map.
WK_API wkOctreeInfo wkOctree_Info(const wkOctree* octree);

/// Points in the caller's memory, in the layout of sensors and files.
typedef struct wkPointsView {
    const float* points; ///< x, y, z of the first point
    int32_t count;       ///< number of points
    int32_t stride;      ///< bytes from one point to the next, a multiple of 4; 0: 12, contiguous
} wkPointsView;

/// A scan and options for its insertion. Start from `wkDefaultScan()`.
typedef struct wkScan {
    uint32_t cookie;     ///< set by wkDefaultScan()
    wkPointsView points; ///< end points of the rays, in the frame `frame`
    wkVec3d origin;      ///< start of the rays, in the same frame; default 0
    wkPose frame;        ///< pose of points and origin in the map; default identity
    double maxRange; ///< longer rays free the cells up to this range and hit none; default infinity
    bool isExact;    ///< default false: one ray to the centre of each cell that contains points, as
                     ///< OctoMap with `discretize`; true: a ray to every point
    bool keepsFree;  ///< default false; true: cells that rays cross are not updated
    double decay;    ///< factor on the log-odds of all known cells before the insertion, in [0, 1];
                     ///< moves them towards probability 0.5; default 1: none
    double averageWeight; ///< default 0: hits and misses are added as log-odds; in (0, 1]: the
                          ///< probability is a running average with this weight of the scan, 1
                          ///< for a hit and 0 for a miss; unknown cells start at 0.5
    const wkParallel* parallel; ///< default NULL: on the calling thread alone
} wkScan;

/// A scan with the defaults above and no points.
WK_API wkScan wkDefaultScan(void);

/// Counts of an insertion.
typedef struct wkScanInfo {
    int32_t usedCount;      ///< points used, including those beyond the range
    int32_t notFiniteCount; ///< points dropped because a coordinate is NaN or infinite
    int32_t
        outsideCount; ///< points dropped because they are outside of the 65536 cells, unless the
                      ///< ray ends earlier at the range
    int32_t farCount; ///< points used that lie beyond the range
    int64_t occupiedCount; ///< single cells updated as hit
    int64_t freeCount;     ///< single cells updated as missed; no cell is both
} wkScanInfo;

/// Inserts a scan. Each cell is updated once for any number of points and rays; a cell that is both hit
/// and crossed counts as hit. The numbers are those of OctoMap's insertPointCloud.
/// @param info NULL: not wanted
/// @return wk_errorMemory: the map is unchanged; wk_errorRange: a parameter, or an origin outside
///         the 65536 cells; wk_errorNotFinite, wk_errorArgument
WK_API wkResult wkOctree_Insert(wkOctree* octree, const wkScan* scan, wkScanInfo* info);

/// Inserts several scans one after the other like wkOctree_Insert; all of them or none.
WK_API wkResult wkOctree_InsertMany(wkOctree* octree, const wkScan* scans, int32_t count,
                                    wkScanInfo* infos);

/// Finds the cell that contains a point of the map's frame.
/// @return false when the point is outside of the 65536 cells or not finite
WK_API bool wkOctree_KeyAt(const wkOctree* octree, wkVec3d point, wkCellKey* key);

/// Returns the largest cube of equal cells that contains a key; it may be unknown.
WK_API wkCell wkOctree_CellAt(const wkOctree* octree, wkCellKey key);

/// Returns the state of a cube by its id. When its cells differ, it has the highest log-odds among them,
/// and is unknown when some cells are unknown and none is occupied.
/// @param id of a cell, or `wkCellId_FromBits` of the part that a query reports
/// @return wk_errorRange when the id is null or names no cell
WK_API wkResult wkOctree_FindCell(const wkOctree* octree, wkCellId id, wkCell* cell);

/// Returns the id of the cube of a depth that contains a cell.
WK_API wkCellId wkMakeCellId(wkCellKey key, int32_t depth);

/// Adds to the log-odds of a single cell, clamped to the limits of the map.
/// @return wk_errorNotFinite; wk_errorMemory: the map is unchanged, as for all changes below
WK_API wkResult wkOctree_AddLogOdds(wkOctree* octree, wkCellKey key, float change);

/// Updates a single cell with one hit or miss.
WK_API wkResult wkOctree_Observe(wkOctree* octree, wkCellKey key, bool isHit);

/// Sets the log-odds of a cube of cells, clamped to the limits of the map; NaN makes it unknown.
WK_API wkResult wkOctree_SetLogOdds(wkOctree* octree, wkCellKey key, int32_t depth, float logOdds);

/// Sets the log-odds of all cells that overlap a box of the map's frame. Cells that the box only touches
/// are not changed; a box without thickness is in one layer of cells.
WK_API wkResult wkOctree_FillBox(wkOctree* octree, wkAabb box, float logOdds);

/// Sets every occupied cell to the highest and every free cell to the lowest probability, as .bt files
/// store them.
WK_API wkResult wkOctree_ToMaximumLikelihood(wkOctree* octree);

/// Selects cells to visit. Start from `wkDefaultCellRequest()`.
typedef struct wkCellRequest {
    uint32_t cookie;    ///< set by wkDefaultCellRequest()
    wkAabb box;         ///< cells that overlap this box, in the frame of the map; default infinite
    bool wantsUnknown;  ///< default false
    bool wantsFree;     ///< default true
    bool wantsOccupied; ///< default true
    int32_t maxDepth;   ///< below 16, coarser: cubes of this depth represent their cells, with the
                        ///< highest log-odds; default 16
    wkMixRule mix;      ///< state of coarser cubes with free and unknown cells; default unknown
    double occupiedProbability; ///< default 0: the map's own
} wkCellRequest;

/// A filter for all known cells.
WK_API wkCellRequest wkDefaultCellRequest(void);

/// Starts an iteration over the cells of a map in the order of their ids, before the first cell. The map must
/// not change meanwhile. The iterator needs no clean-up.
/// @param request NULL means `wkDefaultCellRequest()`
WK_API wkCellIterator wkOctree_Cells(const wkOctree* octree, const wkCellRequest* request);

/// Advances to the next cell.
/// @return false when there are no more
WK_API bool wkCellIterator_Next(wkCellIterator* iterator, wkCell* cell);

/// A cube of cells whose state changed.
typedef struct wkCellChange {
    wkCell before; ///< in the map `before`
    wkCell after;  ///< in the map `after`
} wkCellChange;

/// Receives changes. @return false to stop
typedef bool wkCellChangeFcn(const wkCellChange* change, void* context);

/// Visits all cells whose state (unknown, free, occupied) differs between two maps of the same
/// resolution. Parts that they share, when one map is an earlier copy of the other, are skipped.
/// @return wk_errorArgument when the resolutions differ
WK_API wkResult wkOctree_Compare(const wkOctree* before, const wkOctree* after,
                                 wkCellChangeFcn* fcn, void* context);

/// Creates a map with coarser cells, 2^levels as large. Each takes the highest log-odds of the cells in
/// it: no cell that is occupied by the threshold of the map is lost.
/// @param mix state of cells that contain free and unknown ones; wk_mixUnknown is conservative
WK_API wkResult wkOctree_Coarsen(const wkOctree* octree, int32_t levels, wkMixRule mix,
                                 wkOctree** result);

/// Creates a map at any other resolution. Each new cell takes the highest log-odds of the old cells that
/// it overlaps: no cell that is occupied by the threshold of the map is lost.
/// @param mix state of cells that overlap free and unknown ones; wk_mixUnknown is conservative
/// @return wk_errorRange also when a known cell would lie outside the 65536 new ones
WK_API wkResult wkOctree_Resample(const wkOctree* octree, double resolution, wkMixRule mix,
                                  wkOctree** result);

/// Encodings of the cells of a map, as in OctoMap's files after their headers.
typedef enum wkOctreeCode {
    wk_octreeCodeShort = 0, ///< as in .bt: unknown, free or occupied, two bits per child
    wk_octreeCodeFull = 1,  ///< as in .ot: all log-odds
} wkOctreeCode;

/// Size of an encoded map.
typedef struct wkOctreeCodeInfo {
    size_t byteCount;  ///< number of bytes
    int64_t cubeCount; ///< nodes, inner ones included: the "size" in the headers of files
} wkOctreeCodeInfo;

/// Creates a map from encoded cells; whisker-io reads whole files with it. With the short code cells have
/// the lowest or highest probability of `def`.
/// @param def NULL means `wkDefaultOctreeDef()`
/// @param info size of what was read, up to the end of the map; NULL: not wanted
/// @param octree set to NULL on failure
/// @return wk_errorParse or wk_errorNotFinite naming the byte, wk_errorMemory, wk_errorArgument, and
///         as wkOctree_Create
WK_API wkResult wkOctree_Decode(const wkOctreeDef* def, wkOctreeCode code, const void* bytes,
                                size_t byteCount, wkOctreeCodeInfo* info, wkOctree** octree);

/// Encodes the cells of a map. An empty map has no bytes. For the short code apply
/// wkOctree_ToMaximumLikelihood to a copy first; otherwise cubes that differ only in their log-odds are
/// written separately.
/// @param bytes array of the byteCount that a call with NULL returns, which only counts
WK_API wkOctreeCodeInfo wkOctree_Encode(const wkOctree* octree, wkOctreeCode code, void* bytes);

/// Makes a shape from a map, which is borrowed: keep it alive as long as the shape is in use, and
/// unchanged while a query runs. After a change, call wkScene_SetShape or wkRobotScene_Refresh for scenes
/// with the shape: until then their queries are not valid. The fields of `map` set another threshold and
/// the state of unknown cells, by default free: see docs/map_queries.md.
WK_API wkShape wkMakeOctree(const wkOctree* octree);
