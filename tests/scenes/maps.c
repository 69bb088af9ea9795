// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Maps are made cell by cell.

#include "maps.h"

#define MIDDLE 32768

static bool setCell(wkOctree* octree, int x, int y, int z, int depth, float value)
{
    wkCellKey key = {(uint16_t)(MIDDLE + x), (uint16_t)(MIDDLE + y), (uint16_t)(MIDDLE + z)};
    return wkOctree_SetLogOdds(octree, key, depth, value) == wk_ok;
}

// The numbers that cells have: free, in between, occupied by degrees.
static float randomValue(wkRng* rng)
{
    static const float values[] = {-2.0f, -0.4f, -0.2f, 0.0f, 0.2f, 0.85f, 2.0f, 3.5f};
    return values[wkRngBelow(rng, 8)];
}

static bool fillNothing(wkOctree* octree, wkRng* rng)
{
    (void)octree, (void)rng;
    return true;
}

static bool fillOne(wkOctree* octree, wkRng* rng)
{
    return setCell(octree, wkRngBelow(rng, 32) - 16, wkRngBelow(rng, 32) - 16,
                   wkRngBelow(rng, 32) - 16, 16, 2.0f);
}

// Single cells, most of the space between them unknown.
static bool fillSparse(wkOctree* octree, wkRng* rng)
{
    bool isMade = true;
    for (int i = 0; i < 60; i++) {
        isMade = isMade && setCell(octree, wkRngBelow(rng, 32) - 16, wkRngBelow(rng, 32) - 16,
                                   wkRngBelow(rng, 32) - 16, 16, randomValue(rng));
    }
    return isMade;
}

// Everything about the origin is known, most of it free.
static bool fillKnown(wkOctree* octree, wkRng* rng)
{
    bool isMade = true;
    for (int i = 0; i < 8; i++) {
        isMade =
            isMade && setCell(octree, i & 1 ? 0 : -1, i & 2 ? 0 : -1, i & 4 ? 0 : -1, 12, -2.0f);
    }
    for (int i = 0; i < 80; i++) {
        isMade = isMade && setCell(octree, wkRngBelow(rng, 32) - 16, wkRngBelow(rng, 32) - 16,
                                   wkRngBelow(rng, 32) - 16, 16, randomValue(rng));
    }
    return isMade;
}

// A solid sphere: cubes of many sizes.
static bool fillSphere(wkOctree* octree, wkRng* rng)
{
    double radius = wkRngRange(rng, 4.0, 9.0);
    int shift = wkRngBelow(rng, 5) - 2;
    bool isMade = true;
    for (int x = -12; x < 12; x++) {
        for (int y = -12; y < 12; y++) {
            for (int z = -12; z < 12; z++) {
                double distance =
                    sqrt((x + 0.5) * (x + 0.5) + (y + 0.5) * (y + 0.5) + (z + 0.5) * (z + 0.5));
                if (distance < radius + 1.0) {
                    isMade = isMade &&
                             setCell(octree, x + shift, y, z, 16, distance < radius ? 3.5f : -2.0f);
                }
            }
        }
    }
    return isMade;
}

// Cubes of all sizes up to an eighth of the map.
static bool fillCubes(wkOctree* octree, wkRng* rng)
{
    bool isMade = true;
    for (int i = 0; i < 24; i++) {
        int depth = wkRngChance(rng, 8) ? 1 + wkRngBelow(rng, 15) : 12 + wkRngBelow(rng, 5);
        isMade = isMade && setCell(octree, wkRngBelow(rng, 48) - 24, wkRngBelow(rng, 48) - 24,
                                   wkRngBelow(rng, 48) - 24, depth, randomValue(rng));
    }
    return isMade;
}

// A floor and a wall.
static bool fillRoom(wkOctree* octree, wkRng* rng)
{
    bool isMade = true;
    int height = wkRngBelow(rng, 8) - 4;
    for (int x = -8; x < 8; x++) {
        for (int y = -8; y < 8; y++) {
            isMade = isMade && setCell(octree, x, y, height, 16, 2.0f) &&
                     setCell(octree, 7, y, x, 16, 0.85f) &&
                     setCell(octree, x, y, height + 1, 16, -0.4f);
        }
    }
    return isMade;
}

static bool fillAll(wkOctree* octree, wkRng* rng)
{
    (void)rng;
    return setCell(octree, 0, 0, 0, 0, 2.0f);
}

typedef struct mapKind {
    const char* name;
    bool (*fill)(wkOctree* octree, wkRng* rng);
    bool isVast;
} mapKind;

static const mapKind kinds[WK_MAP_KIND_COUNT] = {
    {"empty", fillNothing, false}, {"one cell", fillOne, false},  {"sparse", fillSparse, false},
    {"known", fillKnown, false},   {"sphere", fillSphere, false}, {"cubes", fillCubes, true},
    {"room", fillRoom, false},     {"all", fillAll, true},
};

const char* wkMapKindName(int kind)
{
    return kinds[kind].name;
}

bool wkMapIsVast(int kind)
{
    return kinds[kind].isVast;
}

wkOctree* wkMakeMap(int kind, double resolution, uint64_t seed)
{
    wkRng rng = wkMakeRng(seed);
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = resolution;
    wkOctree* octree = NULL;
    if (wkOctree_Create(&def, &octree) == wk_ok && !kinds[kind].fill(octree, &rng)) {
        wkOctree_Destroy(octree);
        octree = NULL;
    }
    return octree;
}

static int32_t addBeyond(const wkShape* map, wkPose pose, double reach, wkMapPart* parts,
                         int32_t count, int32_t capacity)
{
    for (int side = 0; side < 6; side++) {
        double sign = side % 2 == 0 ? 1.0 : -1.0;
        wkVec3d normal = wkSceneVec(side / 2 == 0 ? sign : 0.0, side / 2 == 1 ? sign : 0.0,
                                    side / 2 == 2 ? sign : 0.0);
        if (count < capacity) {
            wkMapPart* part = &parts[count];
            part->shape = wkMakeHalfspace(normal, -reach);
            part->shape.rounding = map->rounding;
            part->shape.padding = map->padding;
            part->pose = pose;
            part->id = -1;
            part->isUnknown = true;
        }
        count++;
    }
    return count;
}

int32_t wkMapParts(const wkShape* map, wkPose pose, wkMapPart* parts, int32_t capacity)
{
    bool wantsUnknown = map->map.unknown != wk_unknownFree;
    wkCellRequest filter = wkDefaultCellRequest();
    filter.wantsFree = false;
    filter.wantsUnknown = wantsUnknown;
    filter.occupiedProbability = map->map.occupiedProbability;
    wkCellIterator iterator = wkOctree_Cells(map->map.octree, &filter);
    wkCell cell;
    int32_t count = 0;
    while (wkCellIterator_Next(&iterator, &cell)) {
        if (count < capacity) {
            wkMapPart* part = &parts[count];
            part->shape = wkMakeBox(cell.size, cell.size, cell.size);
            part->shape.rounding = map->rounding;
            part->shape.padding = map->padding;
            part->pose.position = wkTransformPoint(pose, cell.center);
            part->pose.rotation = pose.rotation;
            part->id = wkCellId_ToBits(cell.id);
            part->isUnknown = cell.state == wk_cellUnknown;
        }
        count++;
    }
    double reach = MIDDLE * wkOctree_Def(map->map.octree).resolution;
    return wantsUnknown ? addBeyond(map, pose, reach, parts, count, capacity) : count;
}
