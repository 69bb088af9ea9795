// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The hierarchy of a height field. The grid itself determines which quads belong together, so nothing is
// sorted or split: the index of every node follows from the size of the grid, and boxes are filled in
// from the quads up.

#include "tree/height_field/height_field_impl.h"

// Ways to put eight units into a node.
typedef struct block {
    int32_t x;
    int32_t y;
} block;

static const block blocks[] = {{4, 2}, {2, 4}, {8, 1}, {1, 8}};

static int32_t divideUp(int32_t count, int32_t size)
{
    return (count - 1) / size + 1;
}

static int32_t least(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

// Chooses a block with few nodes and short sides: each node is opened by bodies near it. `sizeX` and
// `sizeY` are the sides of a unit.
static wkFieldLevel chooseBlock(int32_t unitsX, int32_t unitsY, double sizeX, double sizeY)
{
    wkFieldLevel best = {.unitsX = unitsX, .unitsY = unitsY};
    double bestCost = INFINITY;
    for (int i = 0; i < (int)(sizeof blocks / sizeof blocks[0]); ++i) {
        block b = blocks[i];
        int32_t nodesX = divideUp(unitsX, b.x), nodesY = divideUp(unitsY, b.y);
        double count = (double)nodesX * nodesY;
        double cost = count * (least(b.x, unitsX) * sizeX + least(b.y, unitsY) * sizeY);

        // at least one block halves the number, along the axis that has more than one unit
        bool isFull = 2.0 * count <= (double)unitsX * unitsY;
        if (isFull && (cost < bestCost || best.nodesX == 0)) {
            bestCost = cost;
            best.blockX = b.x;
            best.blockY = b.y;
            best.nodesX = nodesX;
            best.nodesY = nodesY;
        }
    }
    return best;
}

static void planPatch(wkFieldPlan* plan, wkFieldPatch* patch, int32_t unitsX, int32_t unitsY,
                      double sizeX, double sizeY)
{
    patch->levelCount = 0;
    while (unitsX > 1 || unitsY > 1) {
        wkFieldLevel level = chooseBlock(unitsX, unitsY, sizeX, sizeY);
        patch->levels[patch->levelCount++] = level;
        unitsX = level.nodesX;
        unitsY = level.nodesY;
        sizeX *= level.blockX;
        sizeY *= level.blockY;
    }

    // the top first: descendants of a node come after it
    for (int32_t i = patch->levelCount - 1; i >= 0; --i) {
        patch->levels[i].firstNode = plan->nodeCount;
        plan->nodeCount += patch->levels[i].nodesX * patch->levels[i].nodesY;
    }
}

void wkPlanField(int32_t columns, int32_t rows, double cellX, double cellY, wkFieldPlan* plan)
{
    int32_t x = columns - 1, y = rows - 1;
    const block sizes[WK_FIELD_PATCHES] = {{x, y}, {x, 1}, {y, 1}, {x, 1}, {y, 1}, {1, 1}};
    const double sides[WK_FIELD_PATCHES] = {cellX, cellX, cellY, cellX, cellY, cellX};
    int32_t firstItem = 0;
    plan->nodeCount = 2; // the stem, and the root that holds the patches
    for (int i = 0; i < WK_FIELD_PATCHES; ++i) {
        plan->patches[i].firstItem = firstItem;
        planPatch(plan, &plan->patches[i], sizes[i].x, sizes[i].y, sides[i], cellY);
        firstItem += 2 * sizes[i].x * sizes[i].y;
    }
}

static void clearSlots(wkBoxNode* node, int first)
{
    for (int slot = first; slot < WK_TREE_WIDTH; ++slot) {
        node->links[slot] = WK_LINK_EMPTY;
        for (int axis = 0; axis < 3; ++axis) {
            node->lower[axis][slot] = WK_FAR_AWAY;
            node->upper[axis][slot] = WK_FAR_AWAY;
        }
    }
}

static wkAabb boxCell(const wkHeightField* field, int32_t column, int32_t row)
{
    const double *x = wkFieldX(field) + column, *y = wkFieldY(field) + row;
    const double* lower = wkFieldHeights(field) + (size_t)row * (size_t)field->columns + column;
    const double* upper = lower + field->columns;
    wkAabb box = {
        {x[0], y[0], wkMinD(wkMinD(lower[0], lower[1]), wkMinD(upper[0], upper[1]))},
        {x[1], y[1], wkMaxD(wkMaxD(lower[0], lower[1]), wkMaxD(upper[0], upper[1]))},
    };
    return box;
}

// Bounds the two triangles of a quad.
static wkAabb boxQuad(const wkHeightField* field, int32_t item)
{
    wkVec3d faceVertices[6];
    wkFieldTriangleVertices(field, item, faceVertices);
    wkFieldTriangleVertices(field, item + 1, faceVertices + 3);
    wkAabb box = {faceVertices[0], faceVertices[0]};
    for (int i = 1; i < 6; ++i) {
        box.lower = wkMin(box.lower, faceVertices[i]);
        box.upper = wkMax(box.upper, faceVertices[i]);
    }
    return box;
}

static void placeQuad(const wkHeightField* field, wkBoxNode* node, int slot, int32_t item)
{
    wkAabb box = boxQuad(field, item);
    node->links[slot] = wkMakeLeaf(item, 2);
    wkSetSlot(node, slot, &box);
}

static void placeNode(const wkBoxNode* nodes, wkBoxNode* node, int slot, int32_t below)
{
    const wkBoxNode* b = &nodes[below];
    node->links[slot] = (wkLink)below;
    for (int axis = 0; axis < 3; ++axis) {
        float lower = b->lower[axis][0], upper = b->upper[axis][0];
        for (int i = 1; i < WK_TREE_WIDTH && b->links[i] != WK_LINK_EMPTY; ++i) {
            lower = b->lower[axis][i] < lower ? b->lower[axis][i] : lower;
            upper = b->upper[axis][i] > upper ? b->upper[axis][i] : upper;
        }
        node->lower[axis][slot] = lower;
        node->upper[axis][slot] = upper;
    }
}

// Fills a slot with the unit (x, y) of a level.
static void placeUnit(const wkHeightField* field, const wkFieldPatch* patch, int32_t level,
                      wkBoxNode* node, int slot, int32_t x, int32_t y)
{
    if (level > 0) {
        const wkFieldLevel* below = &patch->levels[level - 1];
        const wkBoxNode* nodes = (const wkBoxNode*)((const char*)field + field->nodeOffset);
        placeNode(nodes, node, slot, below->firstNode + y * below->nodesX + x);
    } else if (patch->firstItem == 0) {
        wkAabb box = boxCell(field, x, y);
        node->links[slot] = wkMakeLeaf(2 * (y * patch->levels[0].unitsX + x), 2);
        wkSetSlot(node, slot, &box);
    } else {
        placeQuad(field, node, slot, patch->firstItem + 2 * x);
    }
}

static void fillLevel(wkHeightField* field, const wkFieldPatch* patch, int32_t level)
{
    const wkFieldLevel* l = &patch->levels[level];
    wkBoxNode* node = (wkBoxNode*)((char*)field + field->nodeOffset) + l->firstNode;
    for (int32_t nodeY = 0; nodeY < l->nodesY; ++nodeY) {
        for (int32_t nodeX = 0; nodeX < l->nodesX; ++nodeX, ++node) {
            int32_t firstX = nodeX * l->blockX, endX = least(firstX + l->blockX, l->unitsX);
            int32_t firstY = nodeY * l->blockY, endY = least(firstY + l->blockY, l->unitsY);
            int slot = 0;
            for (int32_t y = firstY; y < endY; ++y) {
                for (int32_t x = firstX; x < endX; ++x) {
                    placeUnit(field, patch, level, node, slot++, x, y);
                }
            }
            clearSlots(node, slot);
        }
    }
}

void wkBuildField(const wkFieldPlan* plan, wkHeightField* field)
{
    wkBoxNode* nodes = (wkBoxNode*)((char*)field + field->nodeOffset);
    for (int i = 0; i < WK_FIELD_PATCHES; ++i) {
        const wkFieldPatch* patch = &plan->patches[i];
        for (int32_t level = 0; level < patch->levelCount; ++level) {
            fillLevel(field, patch, level);
        }
        if (patch->levelCount == 0) {
            placeQuad(field, &nodes[1], i, patch->firstItem);
        } else {
            placeNode(nodes, &nodes[1], i, patch->levels[patch->levelCount - 1].firstNode);
        }
    }
    clearSlots(&nodes[1], WK_FIELD_PATCHES);
    placeNode(nodes, &nodes[0], 0, 1);
    clearSlots(&nodes[0], 1);
}
