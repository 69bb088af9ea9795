// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Reports the result of all additions: sums and boxes, both from one traversal in the order of cells.

#include "query/map/cost_impl.h"

// Iterator over the cubes of cells that were met.
typedef struct reading {
    const wkCost* cost;
    wkCellIterator cells;
} reading;

static reading readingOf(const wkCost* cost)
{
    reading r = {cost, wkOctree_Cells(cost->met, NULL)};
    return r;
}

// Vertices are multiples of the cell edge, so that neighbours share theirs to the last digit.
static wkVec3d vertexOf(const wkOctree* met, wkCellKey key, int edge)
{
    double middle = 32768.0 - edge;
    return wkScale(met->def.resolution,
                   wkVec((double)key.x - middle, (double)key.y - middle, (double)key.z - middle));
}

static bool next(reading* r, wkCostBox* box)
{
    wkCell cell;
    if (!wkCellIterator_Next(&r->cells, &cell)) {
        return false;
    }
    const wkOctree* met = r->cost->met;
    bool isUnknown = cell.logOdds == WK_MET_UNKNOWN;
    *box = (wkCostBox){
        .box = {vertexOf(met, cell.key, 0),
                vertexOf(met, cell.key, 1 << (WK_OCTREE_DEPTH - cell.depth))},
        .cell = cell.id,
        .probability = isUnknown ? r->cost->def.unknownProbability : cell.probability,
        .volume = cell.size * cell.size * cell.size,
        .state = isUnknown ? wk_cellUnknown : cell.state,
    };
    return true;
}

static int64_t cellsIn(wkCellId id)
{
    return (int64_t)1 << 3 * (WK_OCTREE_DEPTH - wkDepthOfCellId(id));
}

wkCostInfo wkCost_Info(const wkCost* cost)
{
    wkCostInfo totals = {0};
    if (cost == NULL || cost->met == NULL) {
        return totals;
    }
    reading r = readingOf(cost);
    for (wkCostBox box; next(&r, &box);) {
        totals.weightedVolume += box.probability * box.volume;
        totals.volume += box.volume;
        totals.unknownVolume += box.state == wk_cellUnknown ? box.volume : 0.0;
        totals.highestProbability = fmax(totals.highestProbability, box.probability);
        totals.cellCount += cellsIn(box.cell);
        ++totals.boxCount;
    }
    return totals;
}

static bool isBefore(const wkCostBox* a, const wkCostBox* b)
{
    return a->probability != b->probability ? a->probability > b->probability
                                            : a->cell.bits < b->cell.bits;
}

// Inserts a box below `hole` into a heap whose top is the last in order.
static void sink(wkCostBox* heap, int32_t count, int64_t hole, const wkCostBox* box)
{
    for (int64_t child = 2 * hole + 1; child < count; child = 2 * hole + 1) {
        child += child + 1 < count && isBefore(&heap[child], &heap[child + 1]);
        if (!isBefore(box, &heap[child])) {
            break;
        }
        heap[hole] = heap[child];
        hole = child;
    }
    heap[hole] = *box;
}

static void makeHeap(wkCostBox* boxes, int32_t count)
{
    for (int32_t i = count / 2 - 1; i >= 0; --i) {
        wkCostBox box = boxes[i];
        sink(boxes, count, i, &box);
    }
}

// Sorts a heap in place.
static void sortHeap(wkCostBox* heap, int32_t count)
{
    for (int32_t last = count - 1; last > 0; --last) {
        wkCostBox box = heap[last];
        heap[last] = heap[0];
        sink(heap, last, 0, &box);
    }
}

int64_t wkCost_Boxes(const wkCost* cost, wkCostBox* boxes, int32_t capacity)
{
    if (cost == NULL || cost->met == NULL) {
        return 0;
    }
    int32_t boxCapacity = boxes != NULL && capacity > 0 ? capacity : 0;
    int64_t count = 0;
    reading r = readingOf(cost);
    for (wkCostBox box; next(&r, &box); ++count) {
        if (count < boxCapacity) {
            boxes[count] = box;
        } else if (boxCapacity > 0 && count == boxCapacity) {
            makeHeap(boxes, boxCapacity);
        }
        if (count >= boxCapacity && boxCapacity > 0 && isBefore(&box, &boxes[0])) {
            sink(boxes, boxCapacity, 0, &box);
        }
    }
    if (count <= boxCapacity) {
        makeHeap(boxes, (int32_t)count);
    }
    sortHeap(boxes, count < boxCapacity ? (int32_t)count : boxCapacity);
    return count;
}
