// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A hashed grid with one level per power of two. A box belongs to the level whose cells are just
// as large as it, and to the one cell of that level that contains its lowest vertex: it extends at
// most into the next cells, and the boxes that overlap it lie in the cells around it, on each level
// in use. Cells with equal hashes share a chain; each box stores its cell.

#include "base/error.h"
#include "base/memory.h"
#include "scene/broad.h"

#include <string.h>

// Cells have edges from 2^-100 to 2^100. Cell coordinates stay below 2^17: far from zero a box is kept
// in larger cells than its size needs.
#define LOWEST_LEVEL (-100)
#define HIGHEST_LEVEL 100
#define LEVEL_COUNT (HIGHEST_LEVEL - LOWEST_LEVEL + 1)
#define CELL_BITS 17
#define CELL_LIMIT (1 << CELL_BITS)

#define NO_ITEM (-1)
// Instead of a chain index: not in the grid.
#define NOWHERE (-1)

// The cell that stores a box.
typedef struct cell {
    int32_t x, y, z;
    int32_t level; // the edge is 2^level; above HIGHEST_LEVEL: a box that is unbounded or nearly so
} cell;

typedef struct gridItem {
    wkFloatBox box;
    cell at;
    int32_t chain; // or NOWHERE
    int32_t previous;
    int32_t next;
} gridItem;

typedef struct grid {
    gridItem* items; // by name
    int32_t* chains; // first names; the last chain holds unbounded boxes
    int32_t capacity;
    int32_t chainCount; // a power of two, the last chain not counted
    int32_t count;
    int32_t nameEnd;                  // larger than every name
    int32_t levelCounts[LEVEL_COUNT]; // boxes on each level
    int32_t levels[LEVEL_COUNT];      // levels in use, in any order
    int32_t levelCount;
} grid;

// Cells of one level whose boxes may overlap a box.
typedef struct cellRange {
    int32_t lower[3];
    int32_t upper[3];
    double cellCount;
} cellRange;

static wkResult createGrid(void** broad)
{
    grid* g = (grid*)wkAlloc(sizeof *g);
    if (g == NULL) {
        return wkFail(wk_errorMemory, "scene: no memory");
    }
    memset(g, 0, sizeof *g);
    *broad = g;
    return wk_ok;
}

static void freeArrays(grid* g)
{
    wkFree(g->items, (size_t)g->capacity * sizeof *g->items);
    wkFree(g->chains, ((size_t)g->chainCount + 1) * sizeof *g->chains);
}

static void destroyGrid(void* broad)
{
    grid* g = (grid*)broad;
    if (g != NULL) {
        freeArrays(g);
        wkFree(g, sizeof *g);
    }
}

// Smallest exponent whose power of two exceeds a number >= 0.
static int exponentAbove(double value)
{
    int exponent = 0;
    frexp(value, &exponent);
    return value > 0.0 ? exponent : LOWEST_LEVEL;
}

static double cellEdge(int level)
{
    return ldexp(1.0, level);
}

static cell cellOf(const wkFloatBox* box)
{
    double size = 0.0, furthest = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        double lower = (double)box->lower[axis], upper = (double)box->upper[axis];
        size = wkMaxD(size, upper - lower);
        furthest = wkMaxD(furthest, fabs(lower));
    }
    // covers the rounding of the difference
    int level = exponentAbove(size * (1.0 + 1e-12));
    int far = exponentAbove(furthest) - CELL_BITS;
    level = far > level ? far : level;
    level = level > LOWEST_LEVEL ? level : LOWEST_LEVEL;
    if (!(size < INFINITY) || level > HIGHEST_LEVEL) {
        cell everywhere = {0, 0, 0, HIGHEST_LEVEL + 1};
        return everywhere;
    }
    double scale = cellEdge(-level);
    cell at = {(int32_t)floor((double)box->lower[0] * scale),
               (int32_t)floor((double)box->lower[1] * scale),
               (int32_t)floor((double)box->lower[2] * scale), level};
    return at;
}

static bool isSameCell(cell a, cell b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z && a.level == b.level;
}

// Hashes the coordinates; the multipliers are odd numbers without a pattern.
static int32_t chainOf(const grid* g, cell at)
{
    if (at.level > HIGHEST_LEVEL) {
        return g->chainCount;
    }
    uint64_t h = (uint64_t)(uint32_t)at.x * 0x9e3779b97f4a7c15u;
    h = (h ^ (uint32_t)at.y) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 29) ^ (uint32_t)at.z) * 0x94d049bb133111ebu;
    h = (h ^ (h >> 31) ^ (uint32_t)at.level) * 0x9e3779b97f4a7c15u;
    return (int32_t)((h >> 32) & (uint64_t)(g->chainCount - 1));
}

static void countLevel(grid* g, int level, int32_t change)
{
    if (level > HIGHEST_LEVEL) {
        return;
    }
    int32_t* count = &g->levelCounts[level - LOWEST_LEVEL];
    if (*count == 0) {
        g->levels[g->levelCount++] = level;
    }
    *count += change;
    if (*count == 0) {
        int32_t i = 0;
        while (g->levels[i] != level) {
            ++i;
        }
        g->levels[i] = g->levels[--g->levelCount];
    }
}

static void link(grid* g, int32_t name)
{
    gridItem* item = &g->items[name];
    item->chain = chainOf(g, item->at);
    int32_t first = g->chains[item->chain];
    item->previous = NO_ITEM;
    item->next = first;
    if (first != NO_ITEM) {
        g->items[first].previous = name;
    }
    g->chains[item->chain] = name;
    countLevel(g, item->at.level, 1);
    ++g->count;
}

static void unlinkItem(grid* g, int32_t name)
{
    gridItem* item = &g->items[name];
    if (item->previous != NO_ITEM) {
        g->items[item->previous].next = item->next;
    } else {
        g->chains[item->chain] = item->next;
    }
    if (item->next != NO_ITEM) {
        g->items[item->next].previous = item->previous;
    }
    item->chain = NOWHERE;
    countLevel(g, item->at.level, -1);
    --g->count;
}

static void clearGrid(grid* g)
{
    for (int32_t i = 0; i < g->capacity; ++i) {
        g->items[i].chain = NOWHERE;
    }
    for (int32_t i = 0; i <= g->chainCount && g->chains != NULL; ++i) {
        g->chains[i] = NO_ITEM;
    }
    memset(g->levelCounts, 0, sizeof g->levelCounts);
    g->levelCount = 0;
    g->count = 0;
    g->nameEnd = 0;
}

static void setItem(grid* g, const wkDynLeaf* leaf)
{
    gridItem* item = &g->items[leaf->name];
    cell at = cellOf(&leaf->box);
    item->box = leaf->box;
    if (item->chain != NOWHERE && isSameCell(item->at, at)) {
        return;
    }
    if (item->chain != NOWHERE) {
        unlinkItem(g, leaf->name);
    }
    item->at = at;
    link(g, leaf->name);
    g->nameEnd = leaf->name >= g->nameEnd ? leaf->name + 1 : g->nameEnd;
}

static wkResult copyGrid(const void* from, void* into)
{
    const grid* f = (const grid*)from;
    grid* g = (grid*)into;
    clearGrid(g);
    for (int32_t i = 0; i < f->nameEnd; ++i) {
        if (f->items[i].chain != NOWHERE) {
            wkDynLeaf leaf = {f->items[i].box, i};
            setItem(g, &leaf);
        }
    }
    return wk_ok;
}

static wkResult reserveGrid(void* broad, int32_t capacity)
{
    grid* g = (grid*)broad;
    if (capacity <= g->capacity) {
        return wk_ok;
    }
    grid grown;
    memset(&grown, 0, sizeof grown);
    grown.capacity = capacity;
    grown.chainCount = 64;
    while (grown.chainCount < capacity && grown.chainCount < (1 << 30)) {
        grown.chainCount *= 2;
    }
    grown.items = (gridItem*)wkAlloc((size_t)capacity * sizeof *grown.items);
    grown.chains = (int32_t*)wkAlloc(((size_t)grown.chainCount + 1) * sizeof *grown.chains);
    if (grown.items == NULL || grown.chains == NULL) {
        freeArrays(&grown);
        return wkFail(wk_errorMemory, "scene: no memory for %d objects", (int)capacity);
    }
    wkResult result = copyGrid(g, &grown);
    freeArrays(g);
    *g = grown;
    return result;
}

static void setGrid(void* broad, const wkDynLeaf* items, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        setItem((grid*)broad, &items[i]);
    }
}

static void removeGrid(void* broad, int32_t name)
{
    grid* g = (grid*)broad;
    if (g->items[name].chain != NOWHERE) {
        unlinkItem(g, name);
    }
}

static size_t gridByteCount(const void* broad)
{
    const grid* g = (const grid*)broad;
    return sizeof *g + (size_t)g->capacity * sizeof *g->items +
           ((size_t)g->chainCount + 1) * sizeof *g->chains;
}

// Boxes of a level that overlap a box start in the cells of the box or just before them.
static cellRange rangeOf(const wkFloatBox* box, int level)
{
    cellRange range;
    double scale = cellEdge(-level);
    range.cellCount = 1.0;
    for (int axis = 0; axis < 3; ++axis) {
        double lower = floor((double)box->lower[axis] * scale) - 1.0;
        double upper = floor((double)box->upper[axis] * scale);
        range.lower[axis] = (int32_t)wkClamp(lower, -CELL_LIMIT, CELL_LIMIT);
        range.upper[axis] = (int32_t)wkClamp(upper, -CELL_LIMIT, CELL_LIMIT);
        range.cellCount *= wkMaxD(upper - lower + 1.0, 0.0);
    }
    return range;
}

static bool visitCell(const grid* g, cell at, const wkFloatBox* box, wkDynVisitFcn* fcn,
                      void* context)
{
    for (int32_t name = g->chains[chainOf(g, at)]; name != NO_ITEM; name = g->items[name].next) {
        const gridItem* item = &g->items[name];
        if (wkDoFloatBoxesMeet(&item->box, box) && isSameCell(item->at, at) &&
            !fcn(name, context)) {
            return false;
        }
    }
    return true;
}

static bool visitRange(const grid* g, int level, const wkFloatBox* box, wkDynVisitFcn* fcn,
                       void* context)
{
    cellRange range = rangeOf(box, level);
    for (int32_t x = range.lower[0]; x <= range.upper[0]; ++x) {
        for (int32_t y = range.lower[1]; y <= range.upper[1]; ++y) {
            for (int32_t z = range.lower[2]; z <= range.upper[2]; ++z) {
                cell at = {x, y, z, level};
                if (!visitCell(g, at, box, fcn, context)) {
                    return false;
                }
            }
        }
    }
    return true;
}

// Tests every box: for query boxes that cover more cells than there are boxes.
static bool visitAll(const grid* g, const wkFloatBox* box, wkDynVisitFcn* fcn, void* context)
{
    for (int32_t name = 0; name < g->nameEnd; ++name) {
        const gridItem* item = &g->items[name];
        if (item->chain != NOWHERE && wkDoFloatBoxesMeet(&item->box, box) && !fcn(name, context)) {
            return false;
        }
    }
    return true;
}

static const cell endless = {0, 0, 0, HIGHEST_LEVEL + 1};

static bool visitBoxGrid(const void* broad, const wkFloatBox* box, wkDynVisitFcn* fcn,
                         void* context)
{
    const grid* g = (const grid*)broad;
    double cellCount = 0.0;
    for (int32_t i = 0; i < g->levelCount; ++i) {
        cellCount += rangeOf(box, g->levels[i]).cellCount;
    }
    if (!(cellCount < (double)g->count)) {
        return visitAll(g, box, fcn, context);
    }
    for (int32_t i = 0; i < g->levelCount; ++i) {
        if (!visitRange(g, g->levels[i], box, fcn, context)) {
            return false;
        }
    }
    return visitCell(g, endless, box, fcn, context);
}

// Each box searches its own level and the levels of larger cells.
typedef struct pairSearch {
    wkDynPairFcn* fcn;
    void* context;
    int32_t name;
} pairSearch;

static bool reportPair(int32_t other, void* context)
{
    const pairSearch* search = (const pairSearch*)context;
    return search->fcn(search->name, other, search->context);
}

static bool reportEarlier(int32_t other, void* context)
{
    const pairSearch* search = (const pairSearch*)context;
    return other >= search->name || search->fcn(search->name, other, search->context);
}

// Cells are ordered: a box is paired with earlier boxes of its own cell and with all boxes of later cells.
static bool visitOwnLevel(const grid* g, const gridItem* item, pairSearch* search)
{
    cellRange range = rangeOf(&item->box, item->at.level);
    for (int32_t x = item->at.x; x <= range.upper[0]; ++x) {
        bool isNext = x > item->at.x;
        for (int32_t y = isNext ? range.lower[1] : item->at.y; y <= range.upper[1]; ++y) {
            bool isAfter = isNext || y > item->at.y;
            for (int32_t z = isAfter ? range.lower[2] : item->at.z; z <= range.upper[2]; ++z) {
                cell at = {x, y, z, item->at.level};
                wkDynVisitFcn* report = isSameCell(at, item->at) ? reportEarlier : reportPair;
                if (!visitCell(g, at, &item->box, report, search)) {
                    return false;
                }
            }
        }
    }
    return true;
}

static bool visitPairsOfItem(const grid* g, pairSearch* search)
{
    const gridItem* item = &g->items[search->name];
    if (item->at.level > HIGHEST_LEVEL) {
        return visitCell(g, endless, &item->box, reportEarlier, search);
    }
    if (!visitOwnLevel(g, item, search)) {
        return false;
    }
    for (int32_t i = 0; i < g->levelCount; ++i) {
        if (g->levels[i] > item->at.level &&
            !visitRange(g, g->levels[i], &item->box, reportPair, search)) {
            return false;
        }
    }
    return visitCell(g, endless, &item->box, reportPair, search);
}

static bool visitPairsGrid(const void* broad, wkDynPairFcn* fcn, void* context)
{
    const grid* g = (const grid*)broad;
    for (int32_t name = 0; name < g->nameEnd; ++name) {
        pairSearch search = {fcn, context, name};
        if (g->items[name].chain != NOWHERE && !visitPairsOfItem(g, &search)) {
            return false;
        }
    }
    return true;
}

const wkBroadRow wkBroadGridRow = {
    .name = "grid",
    .create = createGrid,
    .destroy = destroyGrid,
    .reserve = reserveGrid,
    .copy = copyGrid,
    .set = setGrid,
    .remove = removeGrid,
    .byteCount = gridByteCount,
    .visitBox = visitBoxGrid,
    .visitPairs = visitPairsGrid,
};
