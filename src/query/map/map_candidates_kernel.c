// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Lists the cells of a map that axis-aligned boxes reach, and tests whether a rotated box reaches them.

#include "query/map/cube_bounds.h"
#include "query/map/map_candidates.h"

// Capacity of the queue of cubes, a power of two: each box has a handful on a level.
#define QUEUE_SIZE 256

// Maximum number of entry cubes per box, so that the queue holds those of all boxes.
#define MAX_ENTRY_GRID 28

// Enlarges boxes, in cells: the rounding of floats at the highest keys.
#define KEY_SLACK 0.01

// Positions and ends hold each key twice, negative first: one comparison tests both ends along all
// axes.
typedef struct reachBox {
    _Alignas(32) float ends[8];
    float anchor[3]; // a key next to its center
    float offset[3]; // position of the anchor relative to the center
} reachBox;

typedef struct cellSearch {
    // the queue, level by level
    _Alignas(32) float keys[QUEUE_SIZE][8]; // key of the lowest cell
    wkOctreeLink links[QUEUE_SIZE];         // 0: uniform
    uint8_t owners[QUEUE_SIZE];             // the box
    reachBox boxes[WK_CANDIDATE_BODIES];
    wkCandidateCells* cells; // of each box
    const wkOctree* octree;
    float below;
    float resolution;
    unsigned head;
    unsigned tail;
} cellSearch;

// Positions of the children of a cube, in edges of a child.
static const _Alignas(32) float childKeys[8][8] = {
    {0.0f},
    {-1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f, 0.0f},
    {0.0f, -1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f, 0.0f},
    {-1.0f, -1.0f, 0.0f, 0.0f, 1.0f, 1.0f, 0.0f, 0.0f},
    {0.0f, 0.0f, -1.0f, 0.0f, 0.0f, 0.0f, 1.0f, 0.0f},
    {-1.0f, 0.0f, -1.0f, 0.0f, 1.0f, 0.0f, 1.0f, 0.0f},
    {0.0f, -1.0f, -1.0f, 0.0f, 0.0f, 1.0f, 1.0f, 0.0f},
    {-1.0f, -1.0f, -1.0f, 0.0f, 1.0f, 1.0f, 1.0f, 0.0f},
};

WK_FORCE_FN wkEight childKey(wkEight packedKey, unsigned child, float edge)
{
    return wkAdd8(packedKey, wkMul8(wkSplat8(edge), wkLoad8(childKeys[child])));
}

// Returns a bit for each child that counts and that the box reaches.
WK_FORCE_FN unsigned reachedChildren(const cellSearch* s, const reachBox* box, wkEight packedKey,
                                     const float* values, float edge)
{
    // by the axes along which it reaches the lower half of the cube, and the upper one
    static const uint8_t byLower[8] = {0x80, 0xc0, 0xa0, 0xf0, 0x88, 0xcc, 0xaa, 0xff};
    static const uint8_t byUpper[8] = {0x01, 0x03, 0x05, 0x0f, 0x11, 0x33, 0x55, 0xff};
    wkEight middle = childKey(packedKey, 7, edge);
    unsigned reached = wkNotAbove8(middle, wkLoad8(box->ends));
    unsigned counted = ~wkNotAbove8(wkLoad8(values), wkSplat8(s->below));
    return counted & byLower[reached & 7u] & byUpper[reached >> 4 & 7u];
}

static void addCell(const cellSearch* s, unsigned owner, wkEight packedKey, float edge)
{
    const reachBox* box = &s->boxes[owner];
    wkCandidateCells* cells = &s->cells[owner];
    cells->isFull = cells->count == WK_CANDIDATE_CELLS;
    if (cells->isFull) {
        return;
    }
    _Alignas(32) float keys[8];
    wkStore8(keys, packedKey);
    int i = cells->count++;
    for (int k = 0; k < 3; ++k) {
        float key = (keys[4 + k] - box->anchor[k]) + 0.5f * edge;
        cells->center[k][i] = key * s->resolution + box->offset[k];
    }
    float half = 0.5f * edge * s->resolution;
    float size =
        fabsf(cells->center[0][i]) + fabsf(cells->center[1][i]) + fabsf(cells->center[2][i]) + half;
    cells->half[i] = half;
    cells->size = size > cells->size ? size : cells->size;
}

WK_FORCE_FN void putCube(cellSearch* s, unsigned owner, wkOctreeLink link, wkEight packedKey)
{
    unsigned i = s->tail % QUEUE_SIZE;
    wkStore8(s->keys[i], packedKey);
    s->links[i] = link & WK_OCTREE_SLOT;
    s->owners[i] = (uint8_t)owner;
}

// Opens a cube above the last level.
WK_FORCE_FN void openCube(cellSearch* s, unsigned owner, wkOctreeLink link, wkEight packedKey,
                          float edge)
{
    const wkOctreeBlock* block = wkOctreeBlockAt(s->octree, link);
    unsigned mask = reachedChildren(s, &s->boxes[owner], packedKey, block->values, edge);
    // zero or one are most likely, and no branch could predict which
    unsigned first = (unsigned)__builtin_ctz(mask | 0x80u);
    putCube(s, owner, block->links[first], childKey(packedKey, first, edge));
    s->tail += mask != 0 ? 1 : 0;
    for (mask &= mask - 1; mask != 0; mask &= mask - 1) {
        unsigned child = (unsigned)__builtin_ctz(mask);
        putCube(s, owner, block->links[child], childKey(packedKey, child, edge));
        ++s->tail;
    }
}

WK_FORCE_FN void openLeaves(const cellSearch* s, unsigned owner, wkOctreeLink link,
                            wkEight packedKey)
{
    const wkOctreeLeaves* leaves = wkOctreeLeavesAt(s->octree, link);
    unsigned mask = reachedChildren(s, &s->boxes[owner], packedKey, leaves->values, 1.0f);
    for (; mask != 0; mask &= mask - 1) {
        addCell(s, owner, childKey(packedKey, (unsigned)__builtin_ctz(mask), 1.0f), 1.0f);
    }
}

// Processes the queue; its cubes have that depth.
static void walkLevels(cellSearch* s, int depth)
{
    for (; s->head != s->tail; ++depth) {
        float edge = (float)(1 << WK_OCTREE_DEPTH >> depth);
        for (unsigned end = s->tail; s->head != end; ++s->head) {
            unsigned i = s->head % QUEUE_SIZE, owner = s->owners[i];
            wkEight packedKey = wkLoad8(s->keys[i]);
            if (s->cells[owner].isFull) {
                continue;
            }
            if (s->links[i] == 0) {
                addCell(s, owner, packedKey, edge);
            } else if (depth == WK_OCTREE_DEPTH - 1) {
                openLeaves(s, owner, s->links[i], packedKey);
            } else if (s->tail - s->head < QUEUE_SIZE - 8) {
                openCube(s, owner, s->links[i], packedKey, 0.5f * edge);
            } else {
                s->cells[owner].isFull = true;
            }
        }
    }
}

static void setBox(const cellSearch* s, const wkCandidateBox* box, reachBox* reached)
{
    double resolution = s->octree->def.resolution;
    for (int k = 0; k < 3; ++k) {
        double middle = wkAlongAxis(&box->center, k), half = wkAlongAxis(&box->half, k);
        double key = middle / resolution + WK_MIDDLE_KEY, wide = half / resolution + KEY_SLACK;
        float anchor = (float)floor(key);
        reached->ends[k] = (float)(wide - key);
        reached->ends[4 + k] = (float)(wide + key);
        reached->anchor[k] = anchor;
        reached->offset[k] = (float)(((double)anchor - WK_MIDDLE_KEY) * resolution - middle);
    }
    reached->ends[3] = reached->ends[7] = 0.0f;
}

// Finds the entry cells that a box reaches along one axis: the first, and their number.
static int entryGridAlong(const wkOctreeEntryGrid* entryGrid, const reachBox* box, int axis,
                          int* first)
{
    float perEntry = 1.0f / (float)(1 << WK_OCTREE_DEPTH >> entryGrid->depth);
    float lower = -box->ends[axis] * perEntry - (float)entryGrid->lowest[axis];
    float upper = box->ends[4 + axis] * perEntry - (float)entryGrid->lowest[axis];
    if (!(lower < (float)WK_ENTRY_GRID_SIDE) || !(upper >= 0.0f)) {
        return 0;
    }
    *first = lower > 0.0f ? (int)lower : 0;
    int last = upper < (float)WK_ENTRY_GRID_SIDE ? (int)upper : WK_ENTRY_GRID_SIDE - 1;
    return last - *first + 1;
}

// Enqueues the cubes of the entry grid that a box reaches.
static void enterEntryGrid(cellSearch* s, const wkOctreeEntryGrid* entryGrid, unsigned owner)
{
    int first[3] = {0, 0, 0}, count[3];
    for (int k = 0; k < 3; ++k) {
        count[k] = entryGridAlong(entryGrid, &s->boxes[owner], k, &first[k]);
    }
    int all = count[0] * count[1] * count[2];
    unsigned begin = s->tail;
    float edge = (float)(1 << WK_OCTREE_DEPTH >> entryGrid->depth);
    for (int i = 0; i < all; ++i) {
        int x = first[0] + i % count[0], y = first[1] + i / count[0] % count[1];
        int z = first[2] + i / count[0] / count[1];
        int slot = x + WK_ENTRY_GRID_SIDE * (y + WK_ENTRY_GRID_SIDE * z);
        if (!(entryGrid->values[slot] > s->below)) {
            continue;
        }
        if (s->tail - begin == MAX_ENTRY_GRID) {
            s->cells[owner].isFull = true;
            return;
        }
        wkEight packedKey = childKey(wkSplat8(0.0f), 1, edge * (float)(entryGrid->lowest[0] + x));
        packedKey = childKey(packedKey, 2, edge * (float)(entryGrid->lowest[1] + y));
        packedKey = childKey(packedKey, 4, edge * (float)(entryGrid->lowest[2] + z));
        putCube(s, owner, entryGrid->links[slot], packedKey);
        ++s->tail;
    }
}

static void listCells(const wkMapView* view, const wkCandidateBox* boxes, int count,
                      wkCandidateCells* cells)
{
    cellSearch s;
    s.octree = view->octree;
    s.below = view->below;
    s.resolution = (float)view->octree->def.resolution;
    s.cells = cells;
    s.head = s.tail = 0;
    const wkOctreeEntryGrid* entryGrid = &view->octree->entryGrid;
    int depth = entryGrid->depth;
    for (int i = 0; i < count; ++i) {
        setBox(&s, &boxes[i], &s.boxes[i]);
        cells[i].count = 0;
        cells[i].size = 0.0f;
        cells[i].isFull = false;
        if (depth > 0) {
            enterEntryGrid(&s, entryGrid, (unsigned)i);
        } else if (view->octree->rootValue > view->below) {
            putCube(&s, (unsigned)i, view->octree->rootLink, wkSplat8(0.0f));
            ++s.tail;
        }
    }
    walkLevels(&s, depth);
}

// Squares of lower bounds for eight cells, as in cube_bounds.h.
WK_FORCE_FN wkEight boundCells(const wkCandidateCells* cells, int first, const wkBoxBody* box,
                               const float center[3])
{
    wkEight half = wkLoad8(&cells->half[first]);
    wkEight apart[3], gaps[3];
    for (int k = 0; k < 3; ++k) {
        apart[k] = wkSub8(wkLoad8(&cells->center[k][first]), wkSplat8(center[k]));
        gaps[k] = wkSub8(wkAbs8(apart[k]), wkAdd8(half, wkSplat8(box->around[k])));
    }
    wkEight squares = wkSumOfSquares(gaps);
    wkGapsAlongBox(box, apart, half, gaps);
    return wkMax8(squares, wkSumOfSquares(gaps));
}

static bool isAnyNear(const wkCandidateCells* cells, const wkMapBody* body, double reach)
{
    wkAxes axes;
    wkBoxBody box;
    wkSetAxes(body->axes, &axes);
    wkSetBody(body, &axes, &box);
    const float center[3] = {(float)body->center.x, (float)body->center.y, (float)body->center.z};
    double size = (double)box.size + (double)cells->size + wkSumAbs(body->center);
    wkEight limit = wkSplat8(wkBoundLimit(reach, size));
    unsigned cellBits = 0;
    for (int first = 0; first < cells->count && cellBits == 0; first += 8) {
        int left = cells->count - first;
        cellBits = wkNotAbove8(boundCells(cells, first, &box, center), limit);
        cellBits &= left < 8 ? (1u << left) - 1u : 0xffu;
    }
    return cellBits != 0;
}

extern const wkMapCandidateKernels WK_KERNEL(wkMapCandidateKernels);
const wkMapCandidateKernels WK_KERNEL(wkMapCandidateKernels) = {listCells, isAnyNear};
