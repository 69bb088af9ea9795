// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Fills nodes from the top down. The range of a node is split in two, then repeatedly the part with the
// largest surface, until there are eight parts or none can be split. Parts with few items become
// leaves, the others nodes, which are queued: nodes come before all their descendants.
//
// Large ranges are split first, by one thread. Ranges of moderate size are separate tasks: the nodes
// below their root are written to a part of the array that only the task uses, and are compacted in
// the end. The choice of tasks does not depend on the threads, so neither does the tree.

#include "tree/bvh/bvh.h"

#include "base/memory.h"
#include "base/parallel.h"

#include "whisker/detail/library.h"

// Maximum number of items of a task: what the L2 cache of a core can hold.
#define TASK_ITEMS 8192

// Halving takes at most 28 steps; the last levels above the depth limit do so.
#define HALVING_DEPTH (WK_TREE_MAX_DEPTH - 30)

// The content of a node that has not been filled yet.
typedef struct waiting {
    wkBvhRange range;
    int32_t depth; // of the node
} waiting;

_Static_assert(sizeof(waiting) <= sizeof(wkBoxNode), "what waits fits into a node");

// A part of the tree that is built on its own.
typedef struct task {
    int32_t root;
    int32_t firstNode; // its first node after the root
    int32_t nodeCount; // their number
    int32_t depth;
} task;

typedef struct builder {
    wkBvh* bvh;
    const wkBvhRule* rule;
    task* tasks;
} builder;

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

static void setSlot(wkBoxNode* node, int slot, const wkBvhBox* box, wkLink link)
{
    node->links[slot] = link;
    for (int axis = 0; axis < 3; ++axis) {
        node->lower[axis][slot] = ((const float*)&box->lower)[axis];
        node->upper[axis][slot] = ((const float*)&box->upper)[axis];
    }
}

// Parts of the range of a node, linked in the order of items.
typedef struct parts {
    wkBvhRange ranges[WK_TREE_WIDTH];
    uint64_t ranks[WK_TREE_WIDTH]; // split order, largest first; 0: not to be split
    int nexts[WK_TREE_WIDTH];
    int count;
} parts;

// Ranks by surface, then by age of the part: an order without ties.
static uint64_t rankOf(const wkBvhRange* range, int index)
{
    float area = wkBoxArea(range->box);
    uint32_t bits;
    memcpy(&bits, &area, sizeof bits);
    uint64_t rank = (uint64_t)bits << 8 | (uint64_t)(WK_TREE_WIDTH - index);
    return range->count > WK_LEAF_SIZE ? rank : 0;
}

static void setPart(parts* p, int index, const wkBvhRange* range)
{
    p->ranges[index] = *range;
    p->ranks[index] = rankOf(range, index);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

// The part to split next; -1 when all are small enough.
static int largestPart(const parts* p)
{
    const uint64_t* r = p->ranks;
    uint64_t largest = larger(larger(larger(r[0], r[1]), larger(r[2], r[3])),
                              larger(larger(r[4], r[5]), larger(r[6], r[7])));
    return largest > 0 ? WK_TREE_WIDTH - (int)(largest & 0xffu) : -1;
}

// Splits a range into up to eight parts.
static void splitRange(const builder* b, const waiting* whole, parts* p)
{
    wkSplitRangeFcn* split = whole->depth < HALVING_DEPTH ? b->rule->split : wkSplitAtMedian;
    memset(p->ranks, 0, sizeof p->ranks);
    p->count = 1;
    p->nexts[0] = -1;
    setPart(p, 0, &whole->range);
    while (p->count < WK_TREE_WIDTH) {
        int next = largestPart(p);
        if (next < 0) {
            break;
        }
        wkBvhRange halves[2];
        split(b->rule, b->bvh->items, &p->ranges[next], halves);
        setPart(p, next, &halves[0]);
        setPart(p, p->count, &halves[1]);
        p->nexts[p->count] = p->nexts[next];
        p->nexts[next] = p->count++;
    }
}

// Where new nodes are written.
typedef struct queue {
    wkBoxNode* nodes;
    int32_t count;
    int32_t depth; // of the deepest leaf
} queue;

// Puts a range into a slot: as a leaf, or as a queued node.
static void placeRange(queue* q, wkBoxNode* node, int slot, const wkBvhRange* range, int32_t depth)
{
    wkLink link;
    if (range->count <= WK_LEAF_LIMIT) {
        link = wkMakeLeaf(range->first, range->count);
        q->depth = depth > q->depth ? depth : q->depth;
    } else {
        link = (wkLink)q->count;
        waiting* next = (waiting*)&q->nodes[q->count++];
        next->range = *range;
        next->depth = depth;
    }
    setSlot(node, slot, &range->box, link);
}

static void fillNode(queue* q, const builder* b, wkBoxNode* node)
{
    parts p;
    waiting whole = *(const waiting*)node;
    splitRange(b, &whole, &p);
    for (int slot = 0, part = 0; part >= 0; ++slot, part = p.nexts[part]) {
        placeRange(q, node, slot, &p.ranges[part], whole.depth + 1);
    }
    clearSlots(node, p.count);
}

static int32_t waitingCount(const wkBoxNode* node)
{
    waiting content;
    memcpy(&content, node, sizeof content);
    return content.range.count;
}

// Fills the nodes of large ranges; those of the others are queued behind them as roots of tasks.
// @return number of tasks
static int32_t fillTop(builder* b)
{
    wkBvh* bvh = b->bvh;
    wkBvhRange whole = wkGatherRange(bvh->items, 0, bvh->itemCount);
    queue q = {bvh->nodes, 1, 0};
    clearSlots(&bvh->nodes[0], 0);
    if (whole.count > 0) {
        placeRange(&q, &bvh->nodes[0], 0, &whole, 1);
    }
    int32_t taskCount = 0;
    for (int32_t node = 1; node < q.count; ++node) {
        if (waitingCount(&q.nodes[node]) > TASK_ITEMS) {
            fillNode(&q, b, &q.nodes[node]);
        } else {
            b->tasks[taskCount++].root = node;
        }
    }
    bvh->nodeCount = q.count;
    bvh->depth = q.depth;
    return taskCount;
}

// Assigns each task its part of the array.
static void placeTasks(builder* b, int32_t taskCount)
{
    size_t next = (size_t)b->bvh->nodeCount;
    for (int32_t i = 0; i < taskCount; ++i) {
        b->tasks[i].firstNode = (int32_t)next;
        next += WK_NODE_BOUND(waitingCount(&b->bvh->nodes[b->tasks[i].root]));
    }
}

static void fillTask(void* context, int32_t index)
{
    const builder* b = (const builder*)context;
    task* t = &b->tasks[index];
    queue q = {b->bvh->nodes + t->firstNode, 0, 0};
    fillNode(&q, b, &b->bvh->nodes[t->root]);
    for (int32_t node = 0; node < q.count; ++node) {
        fillNode(&q, b, &q.nodes[node]);
    }
    t->nodeCount = q.count;
    t->depth = q.depth;
}

// Links of a task are relative to its first node.
static void shiftLinks(wkBoxNode* node, int32_t shift)
{
    for (int slot = 0; slot < WK_TREE_WIDTH; ++slot) {
        node->links[slot] += wkIsLeaf(node->links[slot]) ? 0u : (uint32_t)shift;
    }
}

static void joinTasks(builder* b, int32_t taskCount)
{
    wkBvh* bvh = b->bvh;
    for (int32_t i = 0; i < taskCount; ++i) {
        task* t = &b->tasks[i];
        wkBoxNode* nodes = bvh->nodes + bvh->nodeCount;
        memmove(nodes, bvh->nodes + t->firstNode, (size_t)t->nodeCount * sizeof *nodes);
        shiftLinks(&bvh->nodes[t->root], bvh->nodeCount);
        for (int32_t node = 0; node < t->nodeCount; ++node) {
            shiftLinks(&nodes[node], bvh->nodeCount);
        }
        bvh->nodeCount += t->nodeCount;
        bvh->depth = t->depth > bvh->depth ? t->depth : bvh->depth;
    }
}

bool wkBvhBuild(wkBvh* bvh, const wkBvhRule* rule, const wkParallel* parallel)
{
    // every task has a root
    size_t taskBytes = (1 + WK_NODE_BOUND(bvh->itemCount)) * sizeof(task);
    builder b = {bvh, rule, wkAlloc(taskBytes)};
    if (b.tasks == NULL) {
        return false;
    }
    int32_t taskCount = fillTop(&b);
    placeTasks(&b, taskCount);
    wkRunTasks(parallel, fillTask, &b, taskCount);
    joinTasks(&b, taskCount);
    wkFree(b.tasks, taskBytes);
    return true;
}
