// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Sets of points of every kind, and the volumes fitted around them.

#include "exact_volume.h"
#include "unit_kit.h"

#include "bv/volume.h"
#include "whisker/detail/counts.h"
#include "whisker/query.h"

#include <float.h>

#define MAX_POINTS 60

// A set of points of one body, and the axes and volume fitted around them.
typedef struct wkFitted {
    wkVec3d points[MAX_POINTS];
    int32_t count;
    _Alignas(8) char volume[WK_VOLUME_BYTES];
} wkFitted;

typedef enum wkSetKind {
    wk_setSphere,
    wk_setBox,
    wk_setPlate,
    wk_setNeedle,
    wk_setFlat,
    wk_setLine,
    wk_setSame,
    wk_setOne,
    wk_setTiny,
    wk_setVanishing,
    wk_setHuge,
    wk_setFar,
    wk_setKindCount,
} wkSetKind;

// What the points of a set are multiplied with and how far they are moved.
typedef struct wkSetRow {
    wkVec3d stretch;
    double scale;
    double offset;
    int32_t count;
} wkSetRow;

// clang-format off
static const wkSetRow setTable[wk_setKindCount] = {
    //                   stretch            scale   offset count
    [wk_setSphere]      = {{1.0, 1.0, 1.0},   1.0,    3.0,   30},
    [wk_setBox]       = {{1.0, 0.7, 0.4},   1.0,    3.0,   30},
    [wk_setPlate]     = {{1.0, 0.7, 1e-9},  1.0,    3.0,   30},
    [wk_setNeedle]    = {{1.0, 1e-3, 1e-6}, 1.0,    3.0,   30},
    [wk_setFlat]      = {{1.0, 0.7, 0.0},   1.0,    3.0,   30},
    [wk_setLine]      = {{1.0, 0.0, 0.0},   1.0,    3.0,   30},
    [wk_setSame]      = {{0.0, 0.0, 0.0},   1.0,    3.0,   30},
    [wk_setOne]       = {{1.0, 1.0, 1.0},   1.0,    3.0,   1},
    [wk_setTiny]      = {{1.0, 0.7, 0.4},   1e-30,  0.0,   30},
    [wk_setVanishing] = {{1.0, 0.7, 0.4},   1e-300, 0.0,   30},
    [wk_setHuge]      = {{1.0, 0.7, 0.4},   1e15,   0.0,   30},
    [wk_setFar]       = {{1.0, 0.7, 0.4},   1.0,    1e12,  30},
};
// clang-format on

static inline wkVec3d inCube(wkRng* rng)
{
    return wkVec(wkRngRange(rng, -1.0, 1.0), wkRngRange(rng, -1.0, 1.0),
                 wkRngRange(rng, -1.0, 1.0));
}

static inline void fillSet(wkRng* rng, wkSetKind kind, wkFitted* set)
{
    const wkSetRow* row = &setTable[kind];
    bool isRotated = !wkRngChance(rng, 4);
    wkMat3d turn = wkMatFromQuat(isRotated ? wkRngRotation(rng) : wkRngRightAngles(rng));
    wkVec3d offset = wkScale(wkRngRange(rng, 0.0, row->offset), wkRngDirection(rng));
    set->count = row->count;
    for (int32_t i = 0; i < set->count; ++i) {
        wkVec3d p = kind == wk_setSphere ? wkRngDirection(rng) : inCube(rng);
        p = wkScale(row->scale, wkMulVec(row->stretch, p));
        set->points[i] = wkAdd(wkMulMV(&turn, p), offset);
    }
}

static inline void fitSet(wkVolumeKind kind, wkFitted* set)
{
    wkMat3d axes = wkFitAxes(set->points, set->count);
    wkVolumeTable[kind].fit(set->points, set->count, &axes, set->volume);
}

static inline wkFitted makeFitted(wkRng* rng, wkVolumeKind kind, wkSetKind setKind)
{
    wkFitted set;
    memset(&set, 0, sizeof set);
    fillSet(rng, setKind, &set);
    fitSet(kind, &set);
    if (wkRngChance(rng, 4)) {
        // a rule of the user's own may choose any axes
        wkMat3d axes = wkMatFromQuat(wkRngRotation(rng));
        wkVolumeTable[kind].fit(set.points, set.count, &axes, set.volume);
    }
    return set;
}

// Scale of the numbers in a set.
static inline double reachOf(const wkFitted* set)
{
    double reach = 0.0;
    for (int32_t i = 0; i < set->count; ++i) {
        reach = wkMaxD(reach, wkMaxAbs(set->points[i]));
    }
    return reach;
}

// What is expected of each kind.
typedef struct wkKindRow {
    bool (*isIn)(const void* volume, wkVec3d point);
    double leastShare; // of the true distance of turned boxes far apart
} wkKindRow;

// clang-format off
static const wkKindRow kindTable[WK_VOLUME_KIND_COUNT] = {
    [wk_volumeAabb]   = {isInAabb,   0.80},
    [wk_volumeObb]    = {isInObb,    0.90},
    [wk_volumeRss]    = {isInRss,    0.92},
    [wk_volumeObbRss] = {isInObbRss, 0.95},
    [wk_volumeKdop16] = {isInKdop16, 0.80},
    [wk_volumeKdop18] = {isInKdop18, 0.80},
    [wk_volumeKdop24] = {isInKdop24, 0.80},
    [wk_volumeSphere] = {isInSphere,   0.60},
};
// clang-format on

#define FOR_EACH_KIND(kind)                                                                        \
    for (wkVolumeKind kind = wk_volumeAabb; kind < WK_VOLUME_KIND_COUNT; ++kind)
#define FOR_EACH_SET(setKind)                                                                      \
    for (wkSetKind setKind = wk_setSphere; setKind < wk_setKindCount; ++setKind)

static inline wkPose randomPose(wkRng* rng, double distance)
{
    bool isRotated = !wkRngChance(rng, 3);
    wkPose pose = {wkScale(distance, wkRngDirection(rng)),
                   isRotated ? wkRngRotation(rng) : wkRngRightAngles(rng)};
    return pose;
}

static inline wkFrame randomFrame(wkRng* rng, double distance)
{
    return wkFrameFromPose(randomPose(rng, distance));
}

// Vertices of a box about the origin.
static inline wkFitted boxVertices(wkVolumeKind kind, wkVec3d half)
{
    static const int32_t triangles[12][3] = {{0, 1, 3}, {0, 3, 2}, {4, 5, 7}, {4, 7, 6},
                                             {0, 1, 5}, {0, 5, 4}, {2, 3, 7}, {2, 7, 6},
                                             {0, 2, 6}, {0, 6, 4}, {1, 3, 7}, {1, 7, 5}};
    wkFitted set;
    memset(&set, 0, sizeof set);
    set.count = 36;
    for (int32_t i = 0; i < set.count; ++i) {
        int vertex = triangles[i / 3][i % 3];
        set.points[i] = wkVec(vertex & 1 ? half.x : -half.x, vertex & 2 ? half.y : -half.y,
                              vertex & 4 ? half.z : -half.z);
    }
    fitSet(kind, &set);
    return set;
}
