// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The walks over a map against one body, and over two maps: eight children of a cube at a time.

#include "query/map/cube_gather.h"
#include "query/map/cube_walk.h"

// The same for a half-space or a plane; `height` is that of the cube's center above it.
WK_FORCE_FN wkEight boundByPlane(const wkMapBody* plane, double height, float half)
{
    const float normal[3] = {(float)plane->half.x, (float)plane->half.y, (float)plane->half.z};
    float reach = half * (fabsf(normal[0]) + fabsf(normal[1]) + fabsf(normal[2]));
    wkEight above = wkSplat8((float)height);
    for (int k = 0; k < 3; ++k) {
        above = wkAdd8(above, wkMul8(wkSplat8(half * normal[k]), wkLoad8(wkCubeSides[k])));
    }
    above = plane->isBothSided ? wkAbs8(above) : above;
    wkEight gap = wkSub8(above, wkSplat8(reach));
    return wkSignedSquare8(wkSquare8(wkMax8(gap, wkSplat8(0.0f))), gap);
}

// Bounds of the children of a cube.
WK_FORCE_FN wkEight boundsBelow(const wkMapBody* flat, const wkBoxBody* box, wkVec3d center,
                                float half)
{
    if (flat != NULL) {
        return boundByPlane(flat, wkDot(flat->half, wkSub(center, flat->center)), half);
    }
    return wkBoundCubes(box, wkSub(center, box->center), half);
}

// State of a walk over one map.
typedef struct mapQuery {
    wkMapWalk* walk;
    const wkMapBody* flat; // NULL: a box
    wkAxes axes;
    wkBoxBody box;
    double size;   // of the box, for rounding
    double large;  // half edge of cubes above which no bounds are computed
    double before; // reach at the start
    wkKeyBox keys;
} mapQuery;

// Pushes the children of a cube that are near, the likeliest last.
WK_FORCE_FN int pushChildren(const mapQuery* q, const wkCube* cube, const wkChildren* below,
                             wkCube* stack)
{
    const wkOctree* octree = q->walk->view.octree;
    double half = 0.5 * wkCubeHalf(octree, cube);
    if (half > q->large) {
        int all = 0;
        for (unsigned mask = below->mask; mask != 0; mask &= mask - 1) {
            unsigned child = (unsigned)__builtin_ctz(mask);
            stack[all++] = wkCubeChild(cube, below->values, below->links, child);
        }
        return all;
    }
    wkEight eight = boundsBelow(q->flat, &q->box, wkCubeCenter(octree, cube), (float)half);
    _Alignas(32) float bounds[8];
    wkStore8(bounds, eight);
    float limit = wkBoundLimit(q->walk->reach, half + q->size);
    int order[8] = {0};
    int found = wkSortSlots(below->mask & wkNotAbove8(eight, wkSplat8(limit)), bounds, order);
    for (int i = 0; i < found; ++i) {
        stack[i] = wkCubeChild(cube, below->values, below->links, (unsigned)order[i]);
        stack[i].bound = bounds[order[i]];
    }
    return found;
}

// Starts a verdict with the few cubes near the box; if they are many, with the root that is on the
// stack. @return their number
WK_FORCE_FN int enterNear(const mapQuery* q, wkCube* stack)
{
    const wkMapWalk* walk = q->walk;
    const wkCubes* start = walk->start;
    wkCubes few;
    if (start == NULL) {
        few.count = wkGatherCubes(&walk->view, q->keys, few.cubes);
        start = &few;
    }
    return start->count < 0
               ? 1
               : wkCullFew(&q->box, walk->view.octree, start, walk->reach, q->size, stack);
}

// Pushes the cubes to start with. @return their number
WK_FORCE_FN int enterMap(mapQuery* q, wkCube* stack)
{
    const wkMapWalk* walk = q->walk;
    double around = q->flat != NULL ? (double)INFINITY : walk->reach; // a plane is unbounded
    if (!wkMapRoot(&walk->view, &stack[0]) ||
        !wkKeysAround(walk->view.octree, q->box.center, q->box.around, around, &q->keys)) {
        return 0;
    }
    if (walk->isVerdict && q->flat == NULL && !walk->view.wantsUnknown) {
        return enterNear(q, stack);
    }
    if (walk->start != NULL) {
        memcpy(stack, walk->start->cubes, sizeof *stack * (size_t)walk->start->count);
        return walk->start->count;
    }
    wkCube vertex;
    wkEntryCubes cubes;
    wkChildren below;
    if (!wkOpenEntryGrid(&walk->view, &q->keys, &vertex, &cubes, &below)) {
        return 1;
    }
    return below.mask == 0 ? 0 : pushChildren(q, &vertex, &below, stack);
}

// Cubes on the stack were within reach until a leaf lowers it.
WK_FORCE_FN bool isBeyond(void* query, const wkCube* cube)
{
    const mapQuery* q = (const mapQuery*)query;
    double reach = q->walk->reach;
    return reach != q->before &&
           cube->bound > wkBoundLimit(reach, wkCubeHalf(q->walk->view.octree, cube) + q->size);
}

WK_FORCE_FN int openCube(void* query, wkCube* cube, wkCube* stack)
{
    const mapQuery* q = (const mapQuery*)query;
    wkChildren below = wkOpenCounted(&q->walk->view, &q->keys, cube);
    return below.mask != 0 ? pushChildren(q, cube, &below, stack) : 0;
}

WK_FORCE_FN wkStep visitCube(void* query, const wkCube* cube)
{
    wkMapWalk* walk = ((const mapQuery*)query)->walk;
    return walk->leaf(walk, cube);
}

static void walkMap(wkMapWalk* walk)
{
    mapQuery q;
    q.walk = walk;
    q.flat = walk->body.isFlat ? &walk->body : NULL;
    wkSetAxes(walk->body.axes, &q.axes);
    wkSetBody(&walk->body, &q.axes, &q.box);
    q.size = q.flat != NULL ? 0.0 : (double)q.box.size;
    q.large = wkLargeNextTo(q.size, walk->reach, walk->isVerdict && q.flat == NULL);
    q.before = walk->reach;
    q.keys = wkAllKeys; // refined below
    wkCube stack[WK_MAP_STACK];
    int count = enterMap(&q, stack);
    wkCubeRule rule = {isBeyond, openCube, visitCube};
    wkWalkCubes(&q, rule, stack, count);
}

// Opens the cube of one map. `t` has the axes of the other map in the frame of this one, where the center of
// `single` is at `center`.
WK_FORCE_FN int openOneOf(const wkMapView* view, wkCube* cube, const wkAxes* t, wkVec3d center,
                          double single, double reach, wkCube children8[8])
{
    wkChildren below = wkOpenCounted(view, &wkAllKeys, cube);
    double half = 0.5 * wkCubeHalf(view->octree, cube);
    wkBoxBody box = wkBodyFromCube(t, center, single);
    wkVec3d between = wkSub(wkCubeCenter(view->octree, cube), center);
    wkEight eight = wkBoundCubes(&box, between, (float)half);
    _Alignas(32) float bounds[8];
    wkStore8(bounds, eight);
    float limit = wkBoundLimit(reach, half + (double)box.size);
    int order[8] = {0};
    int found = wkSortSlots(below.mask & wkNotAbove8(eight, wkSplat8(limit)), bounds, order);
    for (int i = 0; i < found; ++i) {
        children8[i] = wkCubeChild(cube, below.values, below.links, (unsigned)order[i]);
        children8[i].bound = bounds[order[i]];
    }
    return found;
}

typedef struct mapsQuery {
    wkMapsWalk* walk;
    wkAxes aInB;
    wkAxes bInA;
} mapsQuery;

WK_FORCE_FN bool isPairBeyond(void* query, const wkCubePair* pair)
{
    const wkMapsWalk* walk = ((const mapsQuery*)query)->walk;
    double halfA = wkCubeHalf(walk->a.octree, &pair->a);
    double halfB = wkCubeHalf(walk->b.octree, &pair->b);
    return pair->a.bound > wkBoundLimit(walk->reach, 3.0 * (halfA + halfB));
}

WK_FORCE_FN bool opensLargerA(void* query, const wkCubePair* pair)
{
    const wkMapsWalk* walk = ((const mapsQuery*)query)->walk;
    return wkCubeHalf(walk->a.octree, &pair->a) > wkCubeHalf(walk->b.octree, &pair->b);
}

WK_FORCE_FN int openPair(void* query, bool opensA, wkCubePair* pair, wkCube below[8])
{
    const mapsQuery* q = (const mapsQuery*)query;
    const wkMapsWalk* walk = q->walk;
    if (opensA) {
        double half = wkCubeHalf(walk->b.octree, &pair->b);
        wkVec3d center = wkFrameLocal(&walk->aInB, wkCubeCenter(walk->b.octree, &pair->b));
        return openOneOf(&walk->a, &pair->a, &q->bInA, center, half, walk->reach, below);
    }
    double half = wkCubeHalf(walk->a.octree, &pair->a);
    wkVec3d center = wkFramePoint(&walk->aInB, wkCubeCenter(walk->a.octree, &pair->a));
    return openOneOf(&walk->b, &pair->b, &q->aInB, center, half, walk->reach, below);
}

WK_FORCE_FN wkStep visitPair(void* query, const wkCubePair* pair)
{
    wkMapsWalk* walk = ((const mapsQuery*)query)->walk;
    return walk->leaf(walk, &pair->a, &pair->b);
}

static void walkMaps(wkMapsWalk* walk)
{
    const wkMat3d* m = &walk->aInB.rotation;
    wkMat3d back = {{m->x.x, m->y.x, m->z.x}, {m->x.y, m->y.y, m->z.y}, {m->x.z, m->y.z, m->z.z}};
    mapsQuery q;
    q.walk = walk;
    wkSetAxes(m, &q.aInB);
    wkSetAxes(&back, &q.bInA);
    wkCubePair stack[WK_MAPS_STACK];
    int count = 0;
    if (wkMapRoot(&walk->a, &stack[0].a) && wkMapRoot(&walk->b, &stack[0].b)) {
        count = 1;
    }
    wkCubePairRule rule = {isPairBeyond, opensLargerA, openPair, visitPair};
    wkWalkCubePairs(&q, rule, stack, count);
}

// Whether a cell that counts has such a key; no bounds are computed and no order is kept.
static bool hasCells(const wkMapView* view, const wkKeyBox* keys, const wkCube* top)
{
    wkCube stack[WK_MAP_STACK];
    stack[0] = *top;
    int count = 1;
    while (count > 0) {
        wkCube cube = stack[--count];
        if (cube.link == 0) {
            return true;
        }
        wkChildren below = wkOpenCounted(view, keys, &cube);
        if (below.mask != 0 && below.links == NULL) {
            return true;
        }
        for (unsigned mask = below.mask; mask != 0; mask &= mask - 1) {
            unsigned child = (unsigned)__builtin_ctz(mask);
            stack[count++] = wkCubeChild(&cube, below.values, below.links, child);
        }
    }
    return false;
}

static bool findNear(const wkMapView* view, wkVec3d center, wkVec3d half, double reach,
                     wkCubes* nearCubes)
{
    const float around[3] = {(float)half.x, (float)half.y, (float)half.z};
    wkKeyBox keys;
    if (!wkMapRoot(view, &nearCubes->cubes[0]) ||
        !wkKeysAround(view->octree, center, around, reach, &keys)) {
        return false;
    }
    int found = wkGatherCubes(view, keys, nearCubes->cubes);
    found = found >= 0 ? found : 1; // the root
    nearCubes->count = 0;
    for (int i = 0; i < found; ++i) {
        wkCube cube = nearCubes->cubes[i];
        // once one cube has cells, large ones are kept without a test
        bool isLarge = cube.link != 0 && nearCubes->count > 0;
        nearCubes->cubes[nearCubes->count] = cube;
        nearCubes->count += isLarge || hasCells(view, &keys, &cube) ? 1 : 0;
    }
    return nearCubes->count > 0;
}

extern const wkMapLanes WK_KERNEL(wkMapLanes);
const wkMapLanes WK_KERNEL(wkMapLanes) = {walkMap, walkMaps, findNear};
