// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Maps as a whole: parameters, creation, copies, statistics.

#include "tree/octree/octree_impl.h"

#include "base/cookie.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/range.h"
#include "math/vec.h"
#include "tree/octree/octree_pool.h"

#define LEAST_RESOLUTION 1e-6
#define LARGEST_RESOLUTION 1e6

wkOctreeDef wkDefaultOctreeDef(void)
{
    wkOctreeDef def = {
        .resolution = 0.05,
        .hitProbability = 0.7,
        .missProbability = 0.4,
        .lowestProbability = 0.1192,
        .highestProbability = 0.971,
        .occupiedProbability = 0.5,
        .cookie = WK_COOKIE(wkOctreeDef),
    };
    return def;
}

float wkLogOddsOf(double probability)
{
    return (float)log(probability / (1.0 - probability));
}

double wkProbabilityOf(float logOdds)
{
    return 1.0 - 1.0 / (1.0 + exp((double)logOdds));
}

// A parameter and the open range it must lie in.
typedef struct parameter {
    const char* name;
    double value;
    double above;
    double below;
} parameter;

static wkResult checkParameter(const parameter* p)
{
    if (!isfinite(p->value)) {
        return wkFail(wk_errorNotFinite, "octree: %s is %g, must be finite", p->name, p->value);
    }
    if (!(p->value > p->above && p->value < p->below)) {
        return wkFail(wk_errorRange, "octree: %s is %g, must be above %g and below %g", p->name,
                      p->value, p->above, p->below);
    }
    return wk_ok;
}

static wkResult checkDef(const wkOctreeDef* def)
{
    if (!WK_HAS_COOKIE(def, wkOctreeDef)) {
        return WK_FAIL_COOKIE(def, wkOctreeDef);
    }
    const parameter parameters[] = {
        {"hitProbability", def->hitProbability, 0.5, 1.0},
        {"missProbability", def->missProbability, 0.0, 0.5},
        {"highestProbability", def->highestProbability, 0.0, 1.0},
        {"lowestProbability", def->lowestProbability, 0.0, def->highestProbability},
        {"occupiedProbability", def->occupiedProbability, 0.0, 1.0},
    };
    const wkNamedNumber resolution = {"resolution", def->resolution, LEAST_RESOLUTION,
                                      LARGEST_RESOLUTION};
    wkResult result = wkCheckNumbers("octree", &resolution, 1);
    for (size_t i = 0; i < sizeof parameters / sizeof parameters[0] && result == wk_ok; ++i) {
        result = checkParameter(&parameters[i]);
    }
    return result;
}

static void takeDef(wkOctree* octree, const wkOctreeDef* def)
{
    octree->def = *def;
    octree->hit = wkLogOddsOf(def->hitProbability);
    octree->miss = wkLogOddsOf(def->missProbability);
    octree->lowest = wkLogOddsOf(def->lowestProbability);
    octree->highest = wkLogOddsOf(def->highestProbability);
    octree->occupied = wkLogOddsOf(def->occupiedProbability);
}

wkResult wkOctree_Create(const wkOctreeDef* def, wkOctree** octree)
{
    if (octree == NULL) {
        return wkFail(wk_errorArgument, "octree: the output pointer is NULL");
    }
    *octree = NULL;
    wkOctreeDef standard = wkDefaultOctreeDef();
    const wkOctreeDef* chosen = def != NULL ? def : &standard;
    wkResult result = checkDef(chosen);
    if (result != wk_ok) {
        return result;
    }
    wkOctree* made = wkAlloc(sizeof *made);
    if (made == NULL) {
        return wkFail(wk_errorMemory, "octree: no memory for a map");
    }
    takeDef(made, chosen);
    made->rootValue = NAN;
    made->rootLink = 0;
    made->version = 0;
    wkOctreePoolInit(&made->blocks, WK_BLOCKS_PER_PAGE);
    wkOctreePoolInit(&made->leaves, WK_LEAVES_PER_PAGE);
    wkOctreeBuildEntryGrid(made);
    *octree = made;
    return wk_ok;
}

void wkOctree_Destroy(wkOctree* octree)
{
    if (octree != NULL) {
        wkOctreePoolClear(&octree->blocks);
        wkOctreePoolClear(&octree->leaves);
        wkFree(octree, sizeof *octree);
    }
}

wkResult wkOctree_Copy(const wkOctree* octree, wkOctree** copy)
{
    if (octree == NULL || copy == NULL) {
        return wkFail(wk_errorArgument, "octree: the map or the output pointer is NULL");
    }
    *copy = NULL;
    wkOctree* made = wkAlloc(sizeof *made);
    if (made != NULL) {
        *made = *octree;
        bool hasBlocks = wkOctreePoolShare(&octree->blocks, &made->blocks);
        bool hasLeaves = wkOctreePoolShare(&octree->leaves, &made->leaves);
        if (!hasBlocks || !hasLeaves) {
            wkOctree_Destroy(made);
            made = NULL;
        }
    }
    *copy = made;
    return made != NULL ? wk_ok : wkFail(wk_errorMemory, "octree: no memory for a copy");
}

void wkOctreePutBack(wkOctree* octree, wkOctree* before)
{
    wkOctree changed = *octree;
    *octree = *before;
    *before = changed;
    wkOctree_Destroy(before);
}

wkOctreeDef wkOctree_Def(const wkOctree* octree)
{
    return octree->def;
}

wkResult wkOctree_SetDef(wkOctree* octree, const wkOctreeDef* def)
{
    if (octree == NULL || def == NULL) {
        return wkFail(wk_errorArgument, "octree: the map or its definition is NULL");
    }
    wkResult result = checkDef(def);
    if (result != wk_ok) {
        return result;
    }
    if (def->resolution != octree->def.resolution) {
        return wkFail(wk_errorArgument, "octree: resolution is %g, cells stay at %g",
                      def->resolution, octree->def.resolution);
    }
    takeDef(octree, def);
    ++octree->version;
    return wk_ok;
}

void wkOctree_Clear(wkOctree* octree)
{
    wkOctreePoolClear(&octree->blocks);
    wkOctreePoolClear(&octree->leaves);
    octree->rootValue = NAN;
    octree->rootLink = 0;
    wkOctreeBuildEntryGrid(octree);
    ++octree->version;
}

// Counts of the content of a cube, and the keys of its lowest and highest cells.
typedef struct census {
    const wkOctree* octree;
    wkOctreeInfo stats;
    int32_t known[2][3];
    int32_t occupied[2][3];
} census;

static void widen(int32_t range[2][3], wkCellKey key, int32_t size)
{
    const int32_t lowest[3] = {key.x, key.y, key.z};
    for (int axis = 0; axis < 3; ++axis) {
        int32_t end = lowest[axis] + size;
        range[0][axis] = lowest[axis] < range[0][axis] ? lowest[axis] : range[0][axis];
        range[1][axis] = end > range[1][axis] ? end : range[1][axis];
    }
}

static void countLeaf(census* c, uint64_t morton, int depth, float value)
{
    int32_t size = 1 << (WK_OCTREE_DEPTH - depth);
    wkCellKey key = wkKeyOfMorton(morton);
    ++c->stats.leafCount;
    widen(c->known, key, size);
    if (value >= c->octree->occupied) {
        ++c->stats.occupiedCount;
        widen(c->occupied, key, size);
    }
}

static void countCube(census* c, uint64_t morton, int depth, wkOctreeChild cube)
{
    if (cube.link == 0) {
        if (!isnan(cube.value)) {
            countLeaf(c, morton, depth, cube.value);
        }
        return;
    }
    ++c->stats.innerCount;
    for (int i = 0; i < 8; ++i) {
        uint64_t bits = (uint64_t)i << 3 * (WK_OCTREE_DEPTH - 1 - depth);
        countCube(c, morton | bits, depth + 1, wkOctreeChildAt(c->octree, cube.link, depth, i));
    }
}

static wkVec3d vertexOf(const wkOctree* octree, const int32_t key[3])
{
    const int32_t middle = 1 << (WK_OCTREE_DEPTH - 1);
    return wkScale(octree->def.resolution,
                   wkVec(key[0] - middle, key[1] - middle, key[2] - middle));
}

static wkAabb boundsOf(const wkOctree* octree, int32_t range[2][3])
{
    wkAabb empty = {wkVec(INFINITY, INFINITY, INFINITY), wkVec(-INFINITY, -INFINITY, -INFINITY)};
    wkAabb box = {vertexOf(octree, range[0]), vertexOf(octree, range[1])};
    return range[0][0] < range[1][0] ? box : empty;
}

wkOctreeInfo wkOctree_Info(const wkOctree* octree)
{
    census c = {
        .octree = octree,
        .known = {{INT32_MAX, INT32_MAX, INT32_MAX}, {0, 0, 0}},
        .occupied = {{INT32_MAX, INT32_MAX, INT32_MAX}, {0, 0, 0}},
    };
    wkOctreeChild root = {octree->rootValue, octree->rootLink};
    countCube(&c, 0, 0, root);
    c.stats.version = octree->version;
    c.stats.byteCount =
        sizeof *octree + wkOctreePoolBytes(&octree->blocks) + wkOctreePoolBytes(&octree->leaves);
    c.stats.bounds = boundsOf(octree, c.known);
    c.stats.occupiedBounds = boundsOf(octree, c.occupied);
    return c.stats;
}
