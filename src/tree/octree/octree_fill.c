// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Changes of many cells at once, from the root down: whole cubes are replaced, not cell by cell.

#include "base/error.h"
#include "tree/octree/octree_impl.h"

// Cells from `lowest` to `highest` get a value, or lose theirs.
typedef struct painting {
    wkOctree* octree;
    int32_t lowest[3];
    int32_t highest[3];
    float value;
    wkPaintRule rule;
    bool hasFailed;
} painting;

typedef struct cube {
    int32_t key[3]; // of its lowest cell
    int depth;
} cube;

typedef enum overlap {
    overlapNone,
    overlapPart,
    overlapWhole
} overlap;

static int32_t edgeOf(const cube* c)
{
    return 1 << (WK_OCTREE_DEPTH - c->depth);
}

static overlap overlapOf(const painting* p, const cube* c)
{
    bool isWhole = true;
    for (int axis = 0; axis < 3; ++axis) {
        int32_t first = c->key[axis], last = first + edgeOf(c) - 1;
        if (first > p->highest[axis] || last < p->lowest[axis]) {
            return overlapNone;
        }
        isWhole = isWhole && first >= p->lowest[axis] && last <= p->highest[axis];
    }
    return isWhole ? overlapWhole : overlapPart;
}

static cube childOf(const cube* c, int i)
{
    int32_t half = edgeOf(c) / 2;
    cube child = {
        {c->key[0] + (i & 1) * half, c->key[1] + (i >> 1 & 1) * half, c->key[2] + (i >> 2) * half},
        c->depth + 1,
    };
    return child;
}

// Whether a uniform cube stays unchanged.
static bool isPainted(const painting* p, wkOctreeChild content)
{
    if (content.link != 0) {
        return false;
    }
    if (p->rule == wk_paintForget) {
        return isnan(content.value) || content.value >= p->value;
    }
    return wkIsSameLogOdds(content.value, p->value) ||
           (p->rule == wk_paintRaise && content.value >= p->value);
}

// Whether all cells of a cube are painted; its value is the highest.
static bool isReplaced(const painting* p, wkOctreeChild content)
{
    bool isBelow = p->rule == wk_paintForget ? content.value < p->value : content.value <= p->value;
    return p->rule == wk_paintSet || isnan(content.value) || isBelow;
}

// Returns a block of the cube that the map owns, a new one where there is none. 0: out of memory
static wkOctreeLink ownBlock(wkOctree* octree, wkOctreeChild content, int depth)
{
    if (content.link == 0) {
        return wkOctreeTakeBlock(octree, depth, content.value);
    }
    return wkOctreeOwnValues(octree, content.link, depth) != NULL ? content.link : 0;
}

// Paints a cube. Returns its new entry for the block above it.
static wkOctreeChild paintCube(painting* p, const cube* c, wkOctreeChild content)
{
    overlap o = overlapOf(p, c);
    if (o == overlapNone || isPainted(p, content) || p->hasFailed) {
        return content;
    }
    if (o == overlapWhole && isReplaced(p, content)) {
        wkOctreeDropTree(p->octree, content.link, c->depth);
        wkOctreeChild painted = {p->rule == wk_paintForget ? NAN : p->value, 0};
        return painted;
    }
    wkOctreeLink link = ownBlock(p->octree, content, c->depth);
    if (link == 0) {
        p->hasFailed = true;
        return content;
    }
    for (int i = 0; i < 8; ++i) {
        cube part = childOf(c, i);
        wkOctreeChild before = wkOctreeChildAt(p->octree, link, c->depth, i);
        wkOctreeSetChild(p->octree, link, c->depth, i, paintCube(p, &part, before));
    }
    return wkOctreeFold(p->octree, link, c->depth);
}

bool wkOctreePaint(wkOctree* octree, wkCellKey lowest, wkCellKey highest, float value,
                   wkPaintRule rule)
{
    painting p = {
        .octree = octree,
        .lowest = {lowest.x, lowest.y, lowest.z},
        .highest = {highest.x, highest.y, highest.z},
        .value = value,
        .rule = rule,
    };
    const cube all = {{0, 0, 0}, 0};
    wkOctreeChild root = {octree->rootValue, octree->rootLink};
    root = paintCube(&p, &all, root);
    octree->rootValue = root.value;
    octree->rootLink = root.link;
    ++octree->version;
    return !p.hasFailed;
}

// Keeps the changes, or undoes them when memory ran out.
static wkResult finish(wkOctree* octree, wkOctree* before, bool isDone)
{
    if (!isDone) {
        wkOctreePutBack(octree, before);
        return wkFail(wk_errorMemory, "octree: no memory for more cells");
    }
    wkOctreeBuildEntryGrid(octree);
    wkOctree_Destroy(before);
    return wk_ok;
}

static bool hasNan(wkAabb box)
{
    return isnan(box.lower.x) || isnan(box.lower.y) || isnan(box.lower.z) || isnan(box.upper.x) ||
           isnan(box.upper.y) || isnan(box.upper.z);
}

wkResult wkOctree_FillBox(wkOctree* octree, wkAabb box, float logOdds)
{
    if (octree == NULL) {
        return wkFail(wk_errorArgument, "octree: the map is NULL");
    }
    if (hasNan(box)) {
        return wkFail(wk_errorNotFinite, "octree: a vertex of the box is NaN");
    }
    wkCellKey lowest = {0, 0, 0}, highest = {0, 0, 0};
    if (!wkOctreeKeyRange(octree, box, &lowest, &highest)) {
        return wk_ok;
    }
    wkOctree* before = NULL;
    wkResult result = wkOctree_Copy(octree, &before);
    if (result != wk_ok) {
        return result;
    }
    float value = wkOctreeClamp(octree, logOdds);
    return finish(octree, before, wkOctreePaint(octree, lowest, highest, value, wk_paintSet));
}

// Makes the cells on either side of the threshold equal, and prunes on the way back up.
static wkOctreeChild thresholdCube(wkOctree* octree, wkOctreeChild content, int depth,
                                   bool* hasFailed)
{
    if (content.link == 0) {
        bool isOccupied = content.value >= octree->occupied;
        float hard = isOccupied ? octree->highest : octree->lowest;
        content.value = isnan(content.value) ? content.value : hard;
        return content;
    }
    if (*hasFailed || wkOctreeOwnValues(octree, content.link, depth) == NULL) {
        *hasFailed = true;
        return content;
    }
    for (int i = 0; i < 8; ++i) {
        wkOctreeChild child = wkOctreeChildAt(octree, content.link, depth, i);
        child = thresholdCube(octree, child, depth + 1, hasFailed);
        wkOctreeSetChild(octree, content.link, depth, i, child);
    }
    return wkOctreeFold(octree, content.link, depth);
}

wkResult wkOctree_ToMaximumLikelihood(wkOctree* octree)
{
    if (octree == NULL) {
        return wkFail(wk_errorArgument, "octree: the map is NULL");
    }
    wkOctree* before = NULL;
    wkResult result = wkOctree_Copy(octree, &before);
    if (result != wk_ok) {
        return result;
    }
    bool hasFailed = false;
    wkOctreeChild root = {octree->rootValue, octree->rootLink};
    root = thresholdCube(octree, root, 0, &hasFailed);
    octree->rootValue = root.value;
    octree->rootLink = root.link;
    ++octree->version;
    return finish(octree, before, !hasFailed);
}
