// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file octree.h
/// Occupancy maps: what sensors have seen to be occupied, seen to be free, and not seen.
///
/// Space is cut into cubic cells of one resolution, 65536 along each axis about the origin, and each
/// cell holds the log-odds of being occupied as OctoMap computes them: the same scans give the same
/// numbers, and the files are the same. Where eight cells that form a cube agree they are kept as
/// one, up to the whole map; a map is always pruned as far as it goes. What was never seen is
/// unknown, and stays explicit.
///
/// A map is written by one thread. `wkOctree_Copy` costs little, as both maps share their memory
/// until one of them is written to: give the copies to other threads, and they can query them for
/// as long as they like. As a shape (`wkMakeOctree`) a map takes part in every query.

#include "whisker/shape.h"

/// Levels of a map: the root has depth 0, single cells depth 16.
#define WK_OCTREE_DEPTH 16

/// What is known of a cell.
typedef enum wkCellState {
    wk_cellUnknown = 0,  ///< never seen
    wk_cellFree = 1,     ///< seen, and below the threshold
    wk_cellOccupied = 2, ///< seen, and at or above the threshold
} wkCellState;

/// Lower-case name: "unknown", "free", "occupied".
WK_API const char* wkCellStateName(wkCellState state);

/// What a cube of cells is that stands for all of them, where some are free, some unknown and none is
/// occupied. One that holds an occupied cell is occupied under either rule.
typedef enum wkMixRule {
    wk_mixUnknown = 0, ///< unknown: space that was never seen does not become free
    wk_mixFree = 1,    ///< free as soon as one cell is, as in OctoMap
} wkMixRule;

/// Address of a single cell: along each axis the cell `k` reaches from (k - 32768) * resolution to
/// (k + 1 - 32768) * resolution.
typedef struct wkCellKey {
    uint16_t x; ///< along x
    uint16_t y; ///< along y
    uint16_t z; ///< along z
} wkCellKey;

/// Names a cube of cells in one number, as contacts and distances report it: the bits of the key of
/// its lowest cell, interleaved with x lowest, times 32, plus its depth. Never negative.
typedef int64_t wkCellId;

/// A cube of cells that are alike.
typedef struct wkCell {
    wkCellId id;        ///< its name
    wkCellKey key;      ///< of its lowest single cell
    int32_t depth;      ///< 16: a single cell; each level above doubles the edge
    wkCellState state;  ///< by the threshold that was asked with
    float logOdds;      ///< 0 when unknown
    double probability; ///< of being occupied; 0.5 when unknown
    wkVec3d center;     ///< in the frame of the map
    double size;        ///< length of an edge, in metres
} wkCell;

/// Parameters of a map. Start from `wkDefaultOctreeDef()`.
typedef struct wkOctreeDef {
    double resolution;          ///< edge of a cell in metres, from 1e-6 to 1e6; default 0.05
    double hitProbability;      ///< of a cell in which a beam ends; above 0.5, default 0.7
    double missProbability;     ///< of a cell that a beam crosses; below 0.5, default 0.4
    double lowestProbability;   ///< no cell falls below; default 0.1192
    double highestProbability;  ///< no cell rises above; default 0.971
    double occupiedProbability; ///< from here a cell counts as occupied; default 0.5
    uint32_t cookie;            ///< set by wkDefaultOctreeDef()
} wkOctreeDef;

/// OctoMap's own defaults, at 5 cm.
WK_API wkOctreeDef wkDefaultOctreeDef(void);

/// An empty map: all of it unknown.
/// @param def NULL means `wkDefaultOctreeDef()`
/// @param octree set to NULL on failure
/// @return wk_errorRange or wk_errorNotFinite naming the field, wk_errorMemory, wk_errorArgument
WK_API wkResult wkOctree_Create(const wkOctreeDef* def, wkOctree** octree);

/// Releases a map; NULL is fine. Copies live on.
WK_API void wkOctree_Destroy(wkOctree* octree);

/// The same map once more, sharing memory until one of the two is written to: costs less than a
/// hundredth of what it would take to copy the cells. Either may be written and destroyed
/// independently, on different threads.
WK_API wkResult wkOctree_Copy(const wkOctree* octree, wkOctree** copy);

/// Parameters the map was made with.
WK_API wkOctreeDef wkOctree_Def(const wkOctree* octree);

/// Changes the sensor model and thresholds; cells stay as they are. The resolution must not change:
/// see wkOctree_Resample.
WK_API wkResult wkOctree_SetDef(wkOctree* octree, const wkOctreeDef* def);

/// Makes everything unknown.
WK_API void wkOctree_Clear(wkOctree* octree);

/// Figures of a map.
typedef struct wkOctreeStats {
    int64_t leafCount;     ///< cubes of cells that are alike, known ones alone
    int64_t occupiedCount; ///< those of them that are occupied
    int64_t innerCount;    ///< cubes of cells that are not
    size_t byteCount;      ///< memory in use; what copies share counts in each
    uint64_t version;      ///< grows with every change
    wkAabb bounds;         ///< tight around all known cells; empty when there are none
    wkAabb occupiedBounds; ///< tight around all occupied cells; empty when there are none
} wkOctreeStats;

/// Counts what is there; walks over the whole map.
WK_API wkOctreeStats wkOctree_Stats(const wkOctree* octree);

/// Points in the caller's memory, as sensors and files have them.
typedef struct wkPointsView {
    const float* points; ///< x, y, z of the first one
    int32_t count;       ///< how many
    int32_t stride;      ///< bytes from one to the next, a multiple of 4; 0: 12, side by side
} wkPointsView;

/// One scan and how to take it in. Start from `wkDefaultScan()`.
typedef struct wkScan {
    wkPointsView points; ///< where beams ended, in the frame of `frame`
    wkVec3d origin;      ///< where the beams started, in the same frame; default 0
    wkPose frame;        ///< puts points and origin into the map; default identity
    double maxRange; ///< longer beams free the cells up to here and hit nothing; default infinity
    bool isExact;    ///< default false: one beam to the middle of each cell that points lie in, as
                     ///< OctoMap with `discretize`; true: a beam to every single point
    bool keepsFree;  ///< default false; true: cells that beams cross are left as they are
    double decay; ///< all cells known before are first brought towards 0.5: log-odds times this, in
                  ///< [0, 1]; default 1: none
    double averageWeight;       ///< default 0: hits and misses add up as evidence; in (0, 1]: the
                                ///< probability becomes a running average, this much from the scan,
                                ///< 1 for a hit and 0 for a miss; cells not seen start at 0.5
    const wkParallel* parallel; ///< default NULL: on the calling thread alone
    uint32_t cookie;            ///< set by wkDefaultScan()
} wkScan;

/// A scan with the defaults above and no points.
WK_API wkScan wkDefaultScan(void);

/// What became of a scan.
typedef struct wkScanReport {
    int32_t usedCount;      ///< points taken, those beyond the range included
    int32_t notFiniteCount; ///< points dropped because a coordinate is NaN or infinite
    int32_t outsideCount;   ///< points dropped because they lie outside the 65536 cells, where no
                            ///< range cuts the beam before
    int32_t farCount;       ///< points used that lie beyond the range
    int64_t occupiedCount;  ///< single cells updated as hit
    int64_t freeCount;      ///< single cells updated as missed; no cell is both
} wkScanReport;

/// Takes in a scan. Each cell is updated once, however many points or beams it has; one that is
/// both hit and crossed counts as hit. The numbers are those of OctoMap's insertPointCloud.
/// @param report NULL: not wanted
/// @return wk_errorMemory: the map is as it was; wk_errorRange: a parameter, or an origin outside
///         the 65536 cells; wk_errorNotFinite, wk_errorArgument
WK_API wkResult wkOctree_Insert(wkOctree* octree, const wkScan* scan, wkScanReport* report);

/// Several scans one after the other, as by wkOctree_Insert; all of them or none.
WK_API wkResult wkOctree_InsertMany(wkOctree* octree, const wkScan* scans, int32_t count,
                                    wkScanReport* reports);

/// Cell that a point of the map's frame lies in.
/// @return false when it is outside the 65536 cells or not finite
WK_API bool wkOctree_KeyAt(const wkOctree* octree, wkVec3d point, wkCellKey* key);

/// What is known at a key: the largest cube of cells that are alike, unknown ones included.
WK_API wkCell wkOctree_CellAt(const wkOctree* octree, wkCellKey key);

/// What is known of a named cube: of the cells that are alike and hold it, or, where cells in it
/// differ, the highest log-odds among them; unknown when some are unknown and none is occupied.
/// @return wk_errorRange when there is no such name
WK_API wkResult wkOctree_FindCell(const wkOctree* octree, wkCellId id, wkCell* cell);

/// Name of the cube of that depth that holds a cell.
WK_API wkCellId wkMakeCellId(wkCellKey key, int32_t depth);

/// Adds to the log-odds of a single cell, within the limits of the map.
WK_API wkResult wkOctree_AddLogOdds(wkOctree* octree, wkCellKey key, float change);

/// One hit or miss of a single cell.
WK_API wkResult wkOctree_Observe(wkOctree* octree, wkCellKey key, bool isHit);

/// Sets the log-odds of a cube of cells, within the limits of the map; NaN makes it unknown.
WK_API wkResult wkOctree_SetLogOdds(wkOctree* octree, wkCellKey key, int32_t depth, float logOdds);

/// The same for all cells that have a point inside a box of the map's frame: those it only touches
/// are left alone, while a box without thickness lies in one layer of cells.
WK_API wkResult wkOctree_FillBox(wkOctree* octree, wkAabb box, float logOdds);

/// Sets every known cell to the highest or lowest probability, whichever side of the threshold it
/// is on, as .bt files keep it.
WK_API wkResult wkOctree_ToMaximumLikelihood(wkOctree* octree);

/// Which cells to visit. Start from `wkDefaultCellFilter()`.
typedef struct wkCellFilter {
    wkAabb box;         ///< cells with a point inside, in the frame of the map; default infinite
    bool wantsUnknown;  ///< default false
    bool wantsFree;     ///< default true
    bool wantsOccupied; ///< default true
    int32_t maxDepth;   ///< coarser: cubes of this depth stand for what is in them, with
                        ///< their highest log-odds; default 16
    wkMixRule mix;      ///< coarser: what cubes with free and unknown cells are; default unknown
    double occupiedProbability; ///< default 0: the map's own
    uint32_t cookie;            ///< set by wkDefaultCellFilter()
} wkCellFilter;

/// All known cells.
WK_API wkCellFilter wkDefaultCellFilter(void);

/// Goes over the cells of a map in the order of their names. Keep the map unchanged meanwhile.
typedef struct wkCellIterator {
    const wkOctree* octree;             ///< the map
    wkCellFilter filter;                ///< which cells
    uint64_t path[WK_OCTREE_DEPTH + 1]; ///< where it is; private
    uint64_t morton;                    ///< where it is; private
    int32_t depth;                      ///< where it is; private
    float threshold;                    ///< from the filter; private
    wkCellKey lowest;                   ///< from the filter; private
    wkCellKey highest;                  ///< from the filter; private
} wkCellIterator;

/// Starts before the first cell.
/// @param filter NULL means `wkDefaultCellFilter()`
WK_API wkCellIterator wkOctree_Cells(const wkOctree* octree, const wkCellFilter* filter);

/// Goes to the next cell.
/// @return false when there are no more
WK_API bool wkCellIterator_Next(wkCellIterator* iterator, wkCell* cell);

/// A cube of cells whose state changed.
typedef struct wkCellChange {
    wkCell before; ///< what was known of it
    wkCell after;  ///< what is known now
} wkCellChange;

/// Receives changes. @return false to stop
typedef bool wkCellChangeFcn(const wkCellChange* change, void* context);

/// Visits all cells whose state (unknown, free, occupied) differs between two maps of the same
/// resolution, one of which usually is an earlier copy of the other: parts that they still share are
/// skipped at once.
/// @return wk_errorArgument when the resolutions differ
WK_API wkResult wkOctree_Compare(const wkOctree* before, const wkOctree* after,
                                 wkCellChangeFcn* fcn, void* context);

/// The same map with coarser cells, 2^levels as large. Each takes the highest log-odds of those in
/// it: nothing that is occupied by the threshold of the map is lost.
/// @param mix what cells become that hold free and unknown ones: wk_mixUnknown is the safe choice
WK_API wkResult wkOctree_Coarsen(const wkOctree* octree, int32_t levels, wkMixRule mix,
                                 wkOctree** result);

/// The same map at any other resolution. Each new cell takes the highest log-odds of the old cells
/// that it overlaps: nothing that is occupied by the threshold of the map is lost.
/// @param mix what cells become that overlap free and unknown ones: wk_mixUnknown is the safe choice
/// @return wk_errorRange also when a known cell would lie outside the 65536 new ones
WK_API wkResult wkOctree_Resample(const wkOctree* octree, double resolution, wkMixRule mix,
                                  wkOctree** result);

/// How the cells of a map are put into bytes: as OctoMap's files hold them behind their headers.
typedef enum wkOctreeCode {
    wk_octreeCodeShort = 0, ///< as in .bt: unknown, free or occupied, two bits a child
    wk_octreeCodeFull = 1,  ///< as in .ot: all log-odds
} wkOctreeCode;

/// Figures of such bytes.
typedef struct wkOctreeCodeInfo {
    size_t byteCount;  ///< how many there are
    int64_t cubeCount; ///< cubes in them, mixed ones included: the "size" in the headers of files
} wkOctreeCodeInfo;

/// A map from the bytes of its cells; whisker-io reads whole files this way. In the short code cells
/// are as free or as occupied as the limits of `def` allow.
/// @param def NULL means `wkDefaultOctreeDef()`
/// @param info what was read, up to the end of the map; NULL: not wanted
/// @param octree set to NULL on failure
/// @return wk_errorParse or wk_errorNotFinite naming the byte, wk_errorMemory, wk_errorArgument, and
///         as wkOctree_Create
WK_API wkResult wkOctree_Decode(const wkOctreeDef* def, wkOctreeCode code, const void* bytes,
                                size_t byteCount, wkOctreeCodeInfo* info, wkOctree** octree);

/// Writes the cells of a map into bytes. An empty map has none. Harden a copy of the map first for
/// the short code, or cubes that only differ in their log-odds are written one by one.
/// @param bytes room for as many as a call with NULL, which only counts, has given
WK_API wkOctreeCodeInfo wkOctree_Encode(const wkOctree* octree, wkOctreeCode code, void* bytes);

/// A map as a shape, which is borrowed: keep it alive as long as the shape is in use, and unchanged
/// while a query runs. Scenes with the shape must be told of changes, see wkScene_SetShape and
/// wkRobotScene_Refresh: their queries are not valid before. The fields of `map` choose another threshold, and what unknown cells are, which
/// is free at first: see docs/map_queries.md.
WK_API wkShape wkMakeOctree(const wkOctree* octree);
