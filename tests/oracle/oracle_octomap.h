// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// OctoMap's maps, given the same observations as ours.

#include "whisker/octree.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct wkTheirMap wkTheirMap;

// A leaf as OctoMap reports it.
typedef struct wkTheirLeaf {
    wkCellKey key; // of its lowest single cell
    int32_t depth;
    float logOdds;
    bool isOccupied;
    double probability;
    double size;
} wkTheirLeaf;

typedef void wkTheirLeafFcn(const wkTheirLeaf* leaf, void* context);

// Log-odds that it computes from the probabilities of a definition.
typedef struct wkTheirNumbers {
    float hit;
    float miss;
    float lowest;
    float highest;
    float occupied;
} wkTheirNumbers;

wkTheirMap* wkTheirMap_Create(const wkOctreeDef* def);

// A .bt or .ot file, pruned. NULL when it cannot be read.
wkTheirMap* wkTheirMap_Read(const char* path);

// Writes a file as it is, .ot, or as sure as it can be, .bt.
bool wkTheirMap_Write(wkTheirMap* map, const char* path);

// Leaves above the lowest level become eight each, down to single cells.
void wkTheirMap_Expand(wkTheirMap* map);

void wkTheirMap_Destroy(wkTheirMap* map);

double wkTheirMap_Resolution(const wkTheirMap* map);

wkTheirNumbers wkTheirMap_Numbers(const wkTheirMap* map);

void wkTheirMap_Observe(wkTheirMap* map, wkCellKey key, bool isHit);

void wkTheirMap_Add(wkTheirMap* map, wkCellKey key, float change);

void wkTheirMap_Set(wkTheirMap* map, wkCellKey key, float logOdds);

// insertPointCloud with the finite points of a scan, its origin, range and mode; the frame becomes a
// pose6d.
void wkTheirMap_Insert(wkTheirMap* map, const wkScan* scan);

// Every known cell becomes as sure as it can be; then it prunes.
void wkTheirMap_Threshold(wkTheirMap* map);

bool wkTheirMap_KeyAt(const wkTheirMap* map, wkVec3d point, wkCellKey* key);

void wkTheirMap_Visit(const wkTheirMap* map, wkTheirLeafFcn* fcn, void* context);

// Leaves, inner nodes, and bytes by its own account.
int64_t wkTheirMap_LeafCount(const wkTheirMap* map);
int64_t wkTheirMap_NodeCount(const wkTheirMap* map);
size_t wkTheirMap_ByteCount(const wkTheirMap* map);

#ifdef __cplusplus
}
#endif
