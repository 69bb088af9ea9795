// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Bounds of one box against the eight children of a cube, in the frame of the map, where cubes are
// axis-aligned: for SIMD kernels. As for the nodes of meshes there are two lower bounds of the distance,
// by gaps along the axes of the map and along those of the box, and the larger one counts. Without a gap
// the least overlap bounds the depth. Single precision, in coordinates relative to the box, so that
// rounding is in proportion to nearby lengths.

#include "query/map/map_walk.h"
#include "simd/eight.h"

// Rounding bound of a dozen operations, relative to the lengths.
#define WK_BOUND_ROUNDING 2e-6

// Sides of the children, in the order of blocks.
static const _Alignas(32) float wkCubeSides[3][8] = {
    {-1.0f, 1.0f, -1.0f, 1.0f, -1.0f, 1.0f, -1.0f, 1.0f},
    {-1.0f, -1.0f, 1.0f, 1.0f, -1.0f, -1.0f, 1.0f, 1.0f},
    {-1.0f, -1.0f, -1.0f, -1.0f, 1.0f, 1.0f, 1.0f, 1.0f},
};

// The axes of a box in single precision: `axes[j][k]` is coordinate k of axis j.
typedef struct wkAxes {
    float axes[3][3];
    float acrossMap[3]; // extent of each axis of a unit box over the axes of the map, summed
    float acrossBox[3]; // the reverse
} wkAxes;

// The other body, in single precision except for its position.
typedef struct wkBoxBody {
    const wkAxes* axes;
    wkVec3d center;
    float half[3];
    float around[3]; // half the size of an axis-aligned box around it
    float size;      // of all of it, for rounding
    bool isPoint;
} wkBoxBody;

// Structs are filled in place: copying a struct right after writing it in parts stalls.

WK_FORCE_FN void wkSetAxes(const wkMat3d* m, wkAxes* t)
{
    const wkVec3d columns[3] = {m->x, m->y, m->z};
    for (int j = 0; j < 3; ++j) {
        t->axes[j][0] = (float)columns[j].x;
        t->axes[j][1] = (float)columns[j].y;
        t->axes[j][2] = (float)columns[j].z;
    }
    for (int k = 0; k < 3; ++k) {
        t->acrossMap[k] = fabsf(t->axes[0][k]) + fabsf(t->axes[1][k]) + fabsf(t->axes[2][k]);
        t->acrossBox[k] = fabsf(t->axes[k][0]) + fabsf(t->axes[k][1]) + fabsf(t->axes[k][2]);
    }
}

// Sets half the size of an axis-aligned box around one with these halves.
WK_FORCE_FN void wkSetAround(wkBoxBody* b)
{
    const wkAxes* t = b->axes;
    for (int k = 0; k < 3; ++k) {
        b->around[k] = fabsf(t->axes[0][k]) * b->half[0] + fabsf(t->axes[1][k]) * b->half[1] +
                       fabsf(t->axes[2][k]) * b->half[2];
    }
}

WK_FORCE_FN void wkSetBody(const wkMapBody* box, const wkAxes* axes, wkBoxBody* b)
{
    b->axes = axes;
    b->center = box->center;
    b->half[0] = (float)box->half.x;
    b->half[1] = (float)box->half.y;
    b->half[2] = (float)box->half.z;
    wkSetAround(b);
    b->size = (b->half[0] + b->half[1]) + b->half[2];
    b->isPoint = b->size == 0.0f;
}

// A cube of the other map.
WK_FORCE_FN wkBoxBody wkBodyFromCube(const wkAxes* t, wkVec3d center, double half)
{
    float h = (float)half;
    wkBoxBody b = {.axes = t, .center = center, .half = {h, h, h}};
    for (int k = 0; k < 3; ++k) {
        b.around[k] = h * t->acrossMap[k];
    }
    b.size = 3.0f * h;
    b.isPoint = false;
    return b;
}

// Limit up to which bounds are within `reach`; `size` is that of the compared bodies.
WK_FORCE_FN float wkBoundLimit(double reach, double size)
{
    double limit = reach + WK_BOUND_ROUNDING * (fabs(reach) + size) + 1e-37;
    double square = limit * limit;
    square = limit > 0.0 ? square * (1.0 + 1e-6) + 1e-44 : -square * (1.0 - 1e-6);
    return square < 3e38 ? (float)square : INFINITY;
}

WK_FORCE_FN wkEight wkSquare8(wkEight a)
{
    return wkMul8(a, a);
}

// The sum of squares of the positive values.
WK_FORCE_FN wkEight wkSumOfSquares(const wkEight gaps[3])
{
    wkEight zero = wkSplat8(0.0f);
    return wkAdd8(wkAdd8(wkSquare8(wkMax8(gaps[0], zero)), wkSquare8(wkMax8(gaps[1], zero))),
                  wkSquare8(wkMax8(gaps[2], zero)));
}

WK_FORCE_FN wkEight wkLargest8(const wkEight gaps[3])
{
    return wkMax8(wkMax8(gaps[0], gaps[1]), gaps[2]);
}

// The signed square: of the gaps, or of the least overlap where there is no gap.
WK_FORCE_FN wkEight wkSignedSquare8(wkEight gaps, wkEight overlap)
{
    wkEight zero = wkSplat8(0.0f);
    return wkPickGreater8(gaps, zero, gaps, wkSub8(zero, wkSquare8(wkMin8(overlap, zero))));
}

// Sets the gaps between the box and eight cubes along the axes of the box.
WK_FORCE_FN void wkGapsAlongBox(const wkBoxBody* box, const wkEight apart[3], wkEight half,
                                wkEight gaps[3])
{
    for (int j = 0; j < 3; ++j) {
        const float* axis = box->axes->axes[j];
        wkEight along =
            wkAdd8(wkAdd8(wkMul8(wkSplat8(axis[0]), apart[0]), wkMul8(wkSplat8(axis[1]), apart[1])),
                   wkMul8(wkSplat8(axis[2]), apart[2]));
        wkEight wide = wkMul8(half, wkSplat8(box->axes->acrossBox[j]));
        gaps[j] = wkSub8(wkAbs8(along), wkAdd8(wide, wkSplat8(box->half[j])));
    }
}

// Bounds the box against eight cubes; `apart` is from its center to those of the cubes.
WK_FORCE_FN wkEight wkBoundApart(const wkBoxBody* box, const wkEight apart[3], wkEight half)
{
    wkEight gaps[3];
    for (int k = 0; k < 3; ++k) {
        gaps[k] = wkSub8(wkAbs8(apart[k]), wkAdd8(half, wkSplat8(box->around[k])));
    }
    wkEight squares = wkSumOfSquares(gaps), overlap = wkLargest8(gaps);
    if (box->isPoint) {
        return wkSignedSquare8(squares, overlap);
    }
    wkGapsAlongBox(box, apart, half, gaps);
    squares = wkMax8(squares, wkSumOfSquares(gaps));
    return wkSignedSquare8(squares, wkMax8(overlap, wkLargest8(gaps)));
}

// The same for the children of a cube; `between` is from the center of the box to that of the cube,
// `half` is that of a child.
WK_FORCE_FN wkEight wkBoundCubes(const wkBoxBody* box, wkVec3d between, float half)
{
    const float from[3] = {(float)between.x, (float)between.y, (float)between.z};
    wkEight apart[3];
    for (int k = 0; k < 3; ++k) {
        apart[k] = wkAdd8(wkSplat8(from[k]), wkMul8(wkSplat8(half), wkLoad8(wkCubeSides[k])));
    }
    return wkBoundApart(box, apart, wkSplat8(half));
}

// Returns a bit for each child that counts.
WK_FORCE_FN unsigned wkCountedOf(const wkMapView* view, const float* values,
                                 const wkOctreeLink* links)
{
    wkEight eight = wkLoad8(values);
    unsigned mask = 0;
    if (view->wantsOccupied) {
        mask = 0xffu & ~wkNotAbove8(eight, wkSplat8(view->below));
    }
    if (view->wantsUnknown) {
        mask |= wkNotAbove8(eight, wkSplat8(-INFINITY)); // only NaN is not above
        for (unsigned i = 0; i < 8 && links != NULL; ++i) {
            mask |= (links[i] & WK_OCTREE_HAS_UNKNOWN) != 0 ? 1u << i : 0u;
        }
    }
    return mask;
}

// The cells that overlap an axis-aligned box around the body enlarged by the reach.
typedef struct wkKeyBox {
    int32_t lower[3];
    int32_t upper[3];
} wkKeyBox;

static const wkKeyBox wkAllKeys = {{0, 0, 0}, {65535, 65535, 65535}};

// @return false when there are none
WK_FORCE_FN bool wkKeysAround(const wkOctree* octree, wkVec3d center, const float around[3],
                              double reach, wkKeyBox* keys)
{
    double wider = wkPositive(reach), perCell = 1.0 / octree->def.resolution;
    *keys = wkAllKeys;
    if (!(wider < 1e30)) {
        return true;
    }
    bool isAny = true;
    for (int k = 0; k < 3; ++k) {
        double middle = wkAlongAxis(&center, k);
        double wide = ((double)around[k] + wider) * (1.0 + WK_BOUND_ROUNDING);
        double lower = (middle - wide) * perCell + WK_MIDDLE_KEY - 1e-3;
        double upper = (middle + wide) * perCell + WK_MIDDLE_KEY + 1e-3;
        isAny = isAny && !(lower > 65536.0) && !(upper < 0.0);
        // NaN maps to the ends
        keys->lower[k] = lower > 0.0 ? (int32_t)wkMinD(lower, 65535.0) : 0;
        keys->upper[k] = upper < 65535.0 ? (int32_t)wkMaxD(upper, 0.0) : 65535;
    }
    return isAny;
}

// Returns a bit for each child of a cube that contains such cells: tests of the middle planes.
WK_FORCE_FN unsigned wkOverlappedOf(const wkKeyBox* keys, const wkCube* cube)
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

// Half edge above which cubes are so large compared to the body with its reach that keys decide as much
// as bounds do, and faster: for verdicts, as such cubes are not ordered.
WK_FORCE_FN double wkLargeNextTo(double size, double reach, bool isVerdict)
{
    return isVerdict ? 2.0 * (size + fabs(reach)) : (double)INFINITY;
}

// The children of a cube that count.
typedef struct wkChildren {
    const float* values;
    const wkOctreeLink* links;
    unsigned mask;
} wkChildren;

// Descends as long as exactly one child counts and it has children itself.
WK_FORCE_FN wkChildren wkOpenCounted(const wkMapView* view, const wkKeyBox* keys, wkCube* cube)
{
    wkChildren c;
    for (;;) {
        c.values = wkOctreeValues(view->octree, cube->link, cube->depth);
        c.links = wkOctreeLinks(view->octree, cube->link, cube->depth);
        c.mask = wkCountedOf(view, c.values, c.links) & wkOverlappedOf(keys, cube);
        unsigned only = (unsigned)__builtin_ctz(c.mask | 0x100u);
        bool isAlone = (c.mask & (c.mask - 1)) == 0 && c.mask != 0 && c.links != NULL;
        if (!isAlone || (c.links[only] & WK_OCTREE_SLOT) == 0) {
            return c;
        }
        *cube = wkCubeChild(cube, c.values, c.links, only);
    }
}

// Eight cubes around a vertex that need not be children of one cube.
typedef struct wkEntryCubes {
    float values[8];
    wkOctreeLink links[8];
} wkEntryCubes;

// Finds the first cubes that contain such cells from the entry grid of the map: as children of `cube`.
// @return false when the entry grid cannot be used: too many cubes, or unknown cells count
WK_FORCE_FN bool wkOpenEntryGrid(const wkMapView* view, const wkKeyBox* keys, wkCube* cube,
                                 wkEntryCubes* cubes, wkChildren* c)
{
    const wkOctreeEntryGrid* entryGrid = &view->octree->entryGrid;
    if (view->wantsUnknown || entryGrid->depth == 0) {
        return false;
    }
    int32_t low[3], more[3];
    int shift = WK_OCTREE_DEPTH - entryGrid->depth;
    for (int k = 0; k < 3; ++k) {
        int32_t first = entryGrid->lowest[k], last = first + WK_ENTRY_GRID_SIDE - 1;
        int32_t lower = keys->lower[k] >> shift, upper = keys->upper[k] >> shift;
        low[k] = lower > first ? lower : first;
        more[k] = (upper < last ? upper : last) - low[k];
    }
    *c = (wkChildren){cubes->values, cubes->links, 0};
    if ((more[0] < 0) | (more[1] < 0) | (more[2] < 0)) {
        return true;
    }
    if ((more[0] > 1) | (more[1] > 1) | (more[2] > 1)) {
        return false;
    }
    *cube = (wkCube){.bound = -INFINITY,
                     .x = (uint16_t)(low[0] << shift),
                     .y = (uint16_t)(low[1] << shift),
                     .z = (uint16_t)(low[2] << shift),
                     .depth = (uint8_t)(entryGrid->depth - 1)};
    unsigned wanted = (more[0] > 0 ? 0xffu : 0x55u) & (more[1] > 0 ? 0xffu : 0x33u) &
                      (more[2] > 0 ? 0xffu : 0x0fu);
    for (; wanted != 0; wanted &= wanted - 1) {
        unsigned i = (unsigned)__builtin_ctz(wanted);
        unsigned x = (unsigned)(low[0] - entryGrid->lowest[0]) + (i & 1u);
        unsigned y = (unsigned)(low[1] - entryGrid->lowest[1]) + (i >> 1 & 1u);
        unsigned z = (unsigned)(low[2] - entryGrid->lowest[2]) + (i >> 2);
        unsigned slot = x + WK_ENTRY_GRID_SIDE * (y + WK_ENTRY_GRID_SIDE * z);
        if (entryGrid->values[slot] > view->below) {
            cubes->values[i] = entryGrid->values[slot];
            cubes->links[i] = entryGrid->links[slot];
            c->mask |= 1u << i;
        }
    }
    return true;
}
