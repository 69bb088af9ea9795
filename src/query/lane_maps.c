// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// One box against the eight children of a cube, in the frame of the map, where cubes are straight.
// As for the nodes of meshes there are two lower bounds of the distance, one by gaps along the axes
// of the map and one by gaps along those of the box, and the larger one counts. Where no gap is
// left, the least overlap bounds the depth. Single precision, in coordinates about the box: rounding
// is in proportion to what is near.

#include "query/map_walk.h"
#include "simd/eight.h"

// What rounding may do to a bound, as a share of the lengths in it: a dozen operations.
#define WK_BOUND_ROUNDING 2e-6

// Pairs that wait, of two maps.
#define WK_MAPS_STACK (2 * WK_OCTREE_DEPTH * 7 + 8)

// Where the children are, in the order of blocks.
static const _Alignas(32) float sides[3][8] = {
    {-1.0f, 1.0f, -1.0f, 1.0f, -1.0f, 1.0f, -1.0f, 1.0f},
    {-1.0f, -1.0f, 1.0f, 1.0f, -1.0f, -1.0f, 1.0f, 1.0f},
    {-1.0f, -1.0f, -1.0f, -1.0f, 1.0f, 1.0f, 1.0f, 1.0f},
};

// The axes of a box in single precision: `axes[j][k]` is coordinate k of axis j.
typedef struct turn {
    float axes[3][3];
    float acrossMap[3]; // how far each axis of a unit box reaches over the axes of the map, summed
    float acrossBox[3]; // the other way round
} turn;

// The other body, in single precision but for its place.
typedef struct body {
    turn turn;
    wkVec3d center;
    float half[3];
    float around[3]; // half the size of a straight box around it
    float size;      // of all of it, for rounding
    bool isPoint;
} body;

static turn turnFromAxes(const wkMat3d* m)
{
    turn t = {
        {{(float)m->x.x, (float)m->x.y, (float)m->x.z},
         {(float)m->y.x, (float)m->y.y, (float)m->y.z},
         {(float)m->z.x, (float)m->z.y, (float)m->z.z}},
        {0.0f},
        {0.0f},
    };
    for (int k = 0; k < 3; ++k) {
        t.acrossMap[k] = fabsf(t.axes[0][k]) + fabsf(t.axes[1][k]) + fabsf(t.axes[2][k]);
        t.acrossBox[k] = fabsf(t.axes[k][0]) + fabsf(t.axes[k][1]) + fabsf(t.axes[k][2]);
    }
    return t;
}

static body bodyFromBox(const wkMapBody* box)
{
    body b = {.turn = turnFromAxes(&box->axes),
              .center = box->center,
              .half = {(float)box->half.x, (float)box->half.y, (float)box->half.z}};
    for (int k = 0; k < 3; ++k) {
        b.around[k] = fabsf(b.turn.axes[0][k]) * b.half[0] + fabsf(b.turn.axes[1][k]) * b.half[1] +
                      fabsf(b.turn.axes[2][k]) * b.half[2];
    }
    b.size = (b.half[0] + b.half[1]) + b.half[2];
    b.isPoint = b.size == 0.0f;
    return b;
}

// A cube of the other map.
WK_FORCE_FN body bodyFromCube(const turn* t, wkVec3d center, double half)
{
    float h = (float)half;
    body b = {.turn = *t, .center = center, .half = {h, h, h}};
    for (int k = 0; k < 3; ++k) {
        b.around[k] = h * t->acrossMap[k];
    }
    b.size = 3.0f * h;
    b.isPoint = false;
    return b;
}

// Bounds up to this one are within `reach`, where `size` is that of what was compared.
WK_FORCE_FN float limitFor(double reach, double size)
{
    double limit = reach + WK_BOUND_ROUNDING * (fabs(reach) + size) + 1e-37;
    double square = limit * limit;
    square = limit > 0.0 ? square * (1.0 + 1e-6) + 1e-44 : -square * (1.0 - 1e-6);
    return square < 3e38 ? (float)square : INFINITY;
}

WK_FORCE_FN wkEight square8(wkEight a)
{
    return wkMul8(a, a);
}

// The sum of squares of what is positive.
WK_FORCE_FN wkEight sumOfGaps(const wkEight gaps[3])
{
    wkEight zero = wkSplat8(0.0f);
    return wkAdd8(wkAdd8(square8(wkMax8(gaps[0], zero)), square8(wkMax8(gaps[1], zero))),
                  square8(wkMax8(gaps[2], zero)));
}

WK_FORCE_FN wkEight largest(const wkEight gaps[3])
{
    return wkMax8(wkMax8(gaps[0], gaps[1]), gaps[2]);
}

// The signed square: of the gaps, or of the least overlap where there is no gap.
WK_FORCE_FN wkEight signedSquare(wkEight gaps, wkEight overlap)
{
    wkEight zero = wkSplat8(0.0f);
    return wkPickGreater8(gaps, zero, gaps, wkSub8(zero, square8(wkMin8(overlap, zero))));
}

// The box against the children of a cube; `between` is from its centre to that of the cube, `half`
// is that of a child.
WK_FORCE_FN wkEight boundByBox(const body* box, wkVec3d between, float half)
{
    const float from[3] = {(float)between.x, (float)between.y, (float)between.z};
    wkEight apart[3], gaps[3];
    for (int k = 0; k < 3; ++k) {
        apart[k] = wkAdd8(wkSplat8(from[k]), wkMul8(wkSplat8(half), wkLoad8(sides[k])));
        gaps[k] = wkSub8(wkAbs8(apart[k]), wkSplat8(half + box->around[k]));
    }
    wkEight squares = sumOfGaps(gaps), overlap = largest(gaps);
    if (box->isPoint) {
        return signedSquare(squares, overlap);
    }
    for (int j = 0; j < 3; ++j) {
        const float* axis = box->turn.axes[j];
        wkEight along =
            wkAdd8(wkAdd8(wkMul8(wkSplat8(axis[0]), apart[0]), wkMul8(wkSplat8(axis[1]), apart[1])),
                   wkMul8(wkSplat8(axis[2]), apart[2]));
        gaps[j] = wkSub8(wkAbs8(along), wkSplat8(half * box->turn.acrossBox[j] + box->half[j]));
    }
    squares = wkMax8(squares, sumOfGaps(gaps));
    return signedSquare(squares, wkMax8(overlap, largest(gaps)));
}

// A half-space or a plane instead; `height` is that of the middle of the cube above it.
WK_FORCE_FN wkEight boundByPlane(const wkMapBody* plane, double height, float half)
{
    const float normal[3] = {(float)plane->half.x, (float)plane->half.y, (float)plane->half.z};
    float reach = half * (fabsf(normal[0]) + fabsf(normal[1]) + fabsf(normal[2]));
    wkEight above = wkSplat8((float)height);
    for (int k = 0; k < 3; ++k) {
        above = wkAdd8(above, wkMul8(wkSplat8(half * normal[k]), wkLoad8(sides[k])));
    }
    above = plane->isBothSided ? wkAbs8(above) : above;
    wkEight gap = wkSub8(above, wkSplat8(reach));
    return signedSquare(square8(wkMax8(gap, wkSplat8(0.0f))), gap);
}

// A bit for each child that counts.
WK_FORCE_FN unsigned countedOf(const wkMapView* view, const float* values,
                               const wkOctreeLink* links)
{
    wkEight eight = wkLoad8(values);
    unsigned mask = 0;
    if (view->wantsOccupied) {
        mask = 0xffu & ~wkNotAbove8(eight, wkSplat8(view->below));
    }
    if (view->wantsUnknown) {
        mask |= wkNotAbove8(eight, wkSplat8(-INFINITY)); // NaN alone is not above
        for (unsigned i = 0; i < 8 && links != NULL; ++i) {
            mask |= (links[i] & WK_OCTREE_HAS_UNKNOWN) != 0 ? 1u << i : 0u;
        }
    }
    return mask;
}

// The cells that a straight box around the body and all that is within reach overlaps.
typedef struct keyBox {
    int32_t lower[3];
    int32_t upper[3];
} keyBox;

static const keyBox allKeys = {{0, 0, 0}, {65535, 65535, 65535}};

// @return false when it overlaps none
WK_FORCE_FN bool keysAround(const wkMapWalk* walk, const body* box, keyBox* keys)
{
    double reach = wkPositive(walk->reach), perCell = 1.0 / walk->view.octree->def.resolution;
    *keys = allKeys;
    if (walk->body.isFlat || !(reach < 1e30)) {
        return true;
    }
    bool isAny = true;
    for (int k = 0; k < 3; ++k) {
        double middle = wkAlongAxis(&walk->body.center, k);
        double wide = ((double)box->around[k] + reach) * (1.0 + WK_BOUND_ROUNDING);
        double lower = (middle - wide) * perCell + WK_MIDDLE_KEY - 1e-3;
        double upper = (middle + wide) * perCell + WK_MIDDLE_KEY + 1e-3;
        isAny = isAny && !(lower > 65536.0) && !(upper < 0.0);
        // NaN goes to the ends
        keys->lower[k] = lower > 0.0 ? (int32_t)wkMinD(lower, 65535.0) : 0;
        keys->upper[k] = upper < 65535.0 ? (int32_t)wkMaxD(upper, 0.0) : 65535;
    }
    return isAny;
}

// A bit for each child of a cube that has such cells: the middle planes leave out halves.
WK_FORCE_FN unsigned overlappedOf(const keyBox* keys, const wkCube* cube)
{
    int32_t edge = 1 << (WK_OCTREE_DEPTH - 1 - cube->depth);
    const int32_t middle[3] = {cube->x + edge, cube->y + edge, cube->z + edge};
    static const unsigned low[3] = {0x55u, 0x33u, 0x0fu};
    unsigned mask = 0xffu;
    for (int k = 0; k < 3; ++k) {
        mask &= keys->upper[k] < middle[k] ? low[k] : 0xffu;
        mask &= keys->lower[k] >= middle[k] ? ~low[k] : 0xffu;
    }
    return mask;
}

// The children of a cube that count.
typedef struct children {
    const float* values;
    const wkOctreeLink* links;
    unsigned mask;
} children;

// Goes on downwards as long as there is one child alone that counts and it has children itself.
WK_FORCE_FN children openCube(const wkMapView* view, const keyBox* keys, wkCube* cube)
{
    children c;
    for (;;) {
        c.values = wkOctreeValues(view->octree, cube->link, cube->depth);
        c.links = wkOctreeLinks(view->octree, cube->link, cube->depth);
        c.mask = countedOf(view, c.values, c.links) & overlappedOf(keys, cube);
        unsigned only = (unsigned)__builtin_ctz(c.mask | 0x100u);
        bool isAlone = (c.mask & (c.mask - 1)) == 0 && c.mask != 0 && c.links != NULL;
        if (!isAlone || (c.links[only] & WK_OCTREE_PLACE) == 0) {
            return c;
        }
        *cube = wkCubeChild(cube, c.values, c.links, only);
    }
}

// Bounds of the children of a cube.
WK_FORCE_FN wkEight boundsBelow(const wkMapBody* flat, const body* box, wkVec3d center, float half)
{
    if (flat != NULL) {
        return boundByPlane(flat, wkDot(flat->half, wkSub(center, flat->center)), half);
    }
    return boundByBox(box, wkSub(center, box->center), half);
}

static void walkMap(wkMapWalk* walk)
{
    const wkOctree* octree = walk->view.octree;
    const wkMapBody* flat = walk->body.isFlat ? &walk->body : NULL;
    body box = bodyFromBox(&walk->body);
    double size = flat != NULL ? 0.0 : (double)box.size;
    keyBox keys;
    wkCube stack[WK_MAP_STACK];
    int count = wkMapRoot(&walk->view, &stack[0]) && keysAround(walk, &box, &keys) ? 1 : 0;
    while (count > 0) {
        wkCube cube = stack[--count];
        if (cube.bound > limitFor(walk->reach, wkCubeHalf(octree, &cube) + size)) {
            continue;
        }
        if (cube.link == 0) {
            if (walk->leaf(walk, &cube) == wk_stepStop) {
                return;
            }
            continue;
        }
        children below = openCube(&walk->view, &keys, &cube);
        if (below.mask == 0) {
            continue;
        }
        double half = 0.5 * wkCubeHalf(octree, &cube);
        wkEight eight = boundsBelow(flat, &box, wkCubeCenter(octree, &cube), (float)half);
        _Alignas(32) float bounds[8];
        wkStore8(bounds, eight);
        unsigned mask =
            below.mask & wkNotAbove8(eight, wkSplat8(limitFor(walk->reach, half + size)));
        int order[8] = {0};
        int found = wkSortSlots(mask, bounds, order);
        for (int i = 0; i < found; ++i) {
            stack[count] = wkCubeChild(&cube, below.values, below.links, (unsigned)order[i]);
            stack[count++].bound = bounds[order[i]];
        }
    }
}

typedef struct cubePair {
    wkCube a;
    wkCube b;
} cubePair;

// Takes the cube of one map apart: the pairs below, the likeliest last. `t` has the axes of the other
// map in the frame of this one, where `single` stands with its middle at `center`.
WK_FORCE_FN int splitPair(const wkMapView* view, wkCube* cube, const turn* t, wkVec3d center,
                          double single, double reach, wkCube children8[8])
{
    children below = openCube(view, &allKeys, cube);
    double half = 0.5 * wkCubeHalf(view->octree, cube);
    body box = bodyFromCube(t, center, single);
    wkVec3d between = wkSub(wkCubeCenter(view->octree, cube), center);
    wkEight eight = boundByBox(&box, between, (float)half);
    _Alignas(32) float bounds[8];
    wkStore8(bounds, eight);
    float limit = limitFor(reach, half + (double)box.size);
    int order[8] = {0};
    int found = wkSortSlots(below.mask & wkNotAbove8(eight, wkSplat8(limit)), bounds, order);
    for (int i = 0; i < found; ++i) {
        children8[i] = wkCubeChild(cube, below.values, below.links, (unsigned)order[i]);
        children8[i].bound = bounds[order[i]];
    }
    return found;
}

static void walkMaps(wkMapsWalk* walk)
{
    const wkMat3d* m = &walk->aInB.rotation;
    wkMat3d back = {{m->x.x, m->y.x, m->z.x}, {m->x.y, m->y.y, m->z.y}, {m->x.z, m->y.z, m->z.z}};
    turn aInB = turnFromAxes(m), bInA = turnFromAxes(&back);
    cubePair stack[WK_MAPS_STACK];
    int count = 0;
    if (wkMapRoot(&walk->a, &stack[0].a) && wkMapRoot(&walk->b, &stack[0].b)) {
        count = 1;
    }
    while (count > 0) {
        cubePair pair = stack[--count];
        double halfA = wkCubeHalf(walk->a.octree, &pair.a);
        double halfB = wkCubeHalf(walk->b.octree, &pair.b);
        if (pair.a.bound > limitFor(walk->reach, 3.0 * (halfA + halfB))) {
            continue;
        }
        bool isLeafA = pair.a.link == 0, isLeafB = pair.b.link == 0;
        if (isLeafA && isLeafB) {
            if (walk->leaf(walk, &pair.a, &pair.b) == wk_stepStop) {
                return;
            }
            continue;
        }
        bool opensA = isLeafB || (!isLeafA && halfA > halfB);
        wkCube below[8];
        int found = 0;
        if (opensA) {
            wkVec3d center = wkFrameLocal(&walk->aInB, wkCubeCenter(walk->b.octree, &pair.b));
            found = splitPair(&walk->a, &pair.a, &bInA, center, halfB, walk->reach, below);
        } else {
            wkVec3d center = wkFramePoint(&walk->aInB, wkCubeCenter(walk->a.octree, &pair.a));
            found = splitPair(&walk->b, &pair.b, &aInB, center, halfA, walk->reach, below);
        }
        for (int i = 0; i < found; ++i) {
            cubePair* next = &stack[count++];
            *next = pair;
            *(opensA ? &next->a : &next->b) = below[i];
            next->a.bound = below[i].bound;
        }
    }
}

extern const wkMapLanes WK_LANE(wkMapLanes);
const wkMapLanes WK_LANE(wkMapLanes) = {walkMap, walkMaps};
