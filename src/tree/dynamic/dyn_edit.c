// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Inserts, removes and moves leaves. A leaf becomes the sibling of the node for which the surface of all
// boxes grows least (Bittner, Hapala, Havran 2013): a search by branch and bound, which prunes nodes
// whose ancestors grow more than the best sibling found so far costs in all. On the way back to the root,
// grandchildren are exchanged with children where that makes a box smaller (Kensler 2008).

#include "tree/dynamic/dyn_edit.h"

#include "base/error.h"

#include <string.h>

// This many nodes nearly always include the best sibling; bounds the time for bad input.
#define MAX_CHECKS 96
#define SEARCH_STACK 64

// An inner node whose children may get a sibling.
typedef struct candidate {
    uint32_t link;
    uint32_t depth;
    float grown; // total growth of it and its ancestors
} candidate;

typedef struct search {
    const wkDynNode* nodes;
    wkDynBox box;
    float area;         // of the box
    uint32_t height;    // of its subtree
    uint32_t maxHeight; // of the tree
    bool isShallow;     // the tree is shallow: any sibling is allowed
    float bestCost;
    uint32_t best;
    int count;
    candidate stack[SEARCH_STACK];
} search;

// Whether the tree is not too high with a sibling for the node. Reads nodes further down, which takes
// time.
static bool hasCapacity(const search* s, uint32_t node, uint32_t depth)
{
    uint32_t own = wkDynHeight(s->nodes, node);
    return s->isShallow || depth + 1 + (own > s->height ? own : s->height) <= s->maxHeight;
}

// The cost of a node as a sibling.
typedef struct offer {
    uint32_t node;
    float surface; // of its box and the new one together
    float growth;  // of its box
} offer;

static offer makeOffer(const search* s, uint32_t node)
{
    wkDynBox own = wkNodeDynBox(&s->nodes[node]);
    float surface = wkDynArea(wkJoinDynBoxes(own, s->box));
    offer o = {node, surface, surface - wkDynArea(own)};
    return o;
}

// Records a node as the best so far, if it is, and as one whose children may be better. Its ancestors
// would grow by `grown`.
static void consider(search* s, const offer* o, float grown, uint32_t depth)
{
    float cost = grown + o->surface;
    if (cost < s->bestCost && hasCapacity(s, o->node, depth)) {
        s->bestCost = cost;
        s->best = o->node;
    }
    uint32_t link = s->nodes[o->node].link;
    bool isWorth = grown + o->growth + s->area < s->bestCost;
    if (isWorth && !wkIsDynLeaf(link) && s->count < SEARCH_STACK) {
        candidate c = {link, depth, grown + o->growth};
        s->stack[s->count++] = c;
    }
}

// Descends away from the deepest leaves, for a tree where no sibling was found.
static uint32_t findShallow(const wkDynNode* nodes, uint32_t maxHeight)
{
    uint32_t node = 0;
    for (uint32_t depth = 0; depth + 1 + wkDynHeight(nodes, node) > maxHeight; ++depth) {
        uint32_t link = nodes[node].link;
        if (wkIsDynLeaf(link)) {
            break;
        }
        node = link + (wkDynHeight(nodes, link + 1) < wkDynHeight(nodes, link) ? 1 : 0);
    }
    return node;
}

// Finds the node that becomes the sibling of a box.
static uint32_t findSibling(const wkDynTree* tree, wkDynBox box, uint32_t height)
{
    search s;
    s.nodes = tree->nodes;
    s.box = box;
    s.area = wkDynArea(box);
    s.height = height;
    s.maxHeight = wkDynHeightLimit(tree->leafCount + 1);
    s.isShallow = wkDynHeight(s.nodes, 0) + 1 + height <= s.maxHeight;
    s.bestCost = INFINITY;
    s.best = WK_DYN_NONE;
    s.count = 0;
    offer root = makeOffer(&s, 0);
    consider(&s, &root, 0.0f, 0);
    for (int checks = 0; s.count > 0 && checks < MAX_CHECKS; ++checks) {
        candidate top = s.stack[--s.count];
        if (!(top.grown + s.area < s.bestCost)) {
            continue;
        }
        offer first = makeOffer(&s, top.link), second = makeOffer(&s, top.link + 1);
        // the likelier one last, on top of the stack
        bool isFirstLast = first.growth < second.growth;
        consider(&s, isFirstLast ? &second : &first, top.grown, top.depth + 1);
        consider(&s, isFirstLast ? &first : &second, top.grown, top.depth + 1);
    }
    return s.best != WK_DYN_NONE ? s.best : findShallow(s.nodes, s.maxHeight);
}

// Exchanges the content of two nodes, of which neither is above the other.
static void exchange(wkDynTree* tree, uint32_t a, uint32_t b)
{
    wkDynNode* nodes = tree->nodes;
    wkDynNode before = nodes[a], after = nodes[b];
    wkWriteDynNode(&nodes[a], wkNodeDynBox(&after), after.link, before.up);
    wkWriteDynNode(&nodes[b], wkNodeDynBox(&before), before.link, after.up);
    wkAnnounceDynNode(tree, a);
    wkAnnounceDynNode(tree, b);
}

// The gain of a rotation.
typedef struct rotate {
    float gain;          // of surface
    uint32_t child;      // goes down
    uint32_t grandchild; // goes up
} rotate;

// A rotation makes a tree higher when the child that goes down is as high as the one it goes below.
static bool raises(const wkDynNode* nodes, uint32_t child)
{
    return wkDynHeight(nodes, child) >= wkDynHeight(nodes, child ^ 1);
}

// Evaluates rotations that put `child` below its sibling.
static void considerRotations(const wkDynNode* nodes, uint32_t child, uint32_t heightSlack,
                              rotate* best)
{
    uint32_t sibling = child ^ 1, link = nodes[sibling].link;
    if (wkIsDynLeaf(link) || (heightSlack == 0 && raises(nodes, child))) {
        return;
    }
    float area = wkDynArea(wkNodeDynBox(&nodes[sibling]));
    for (uint32_t i = link; i < link + 2; ++i) {
        wkDynBox joined = wkJoinDynBoxes(wkNodeDynBox(&nodes[child]), wkNodeDynBox(&nodes[i ^ 1]));
        float gain = area - wkDynArea(joined);
        if (gain > best->gain) {
            rotate better = {gain, child, i};
            *best = better;
        }
    }
}

bool wkRotateDynNode(wkDynTree* tree, uint32_t node, uint32_t* heightSlack)
{
    wkDynNode* nodes = tree->nodes;
    uint32_t link = nodes[node].link;
    rotate best = {0.0f, WK_DYN_NONE, WK_DYN_NONE};
    considerRotations(nodes, link, *heightSlack, &best);
    considerRotations(nodes, link + 1, *heightSlack, &best);
    if (best.child == WK_DYN_NONE) {
        return false;
    }
    *heightSlack -= raises(nodes, best.child) ? 1 : 0;
    exchange(tree, best.child, best.grandchild);
    wkFitDynNode(nodes, best.child ^ 1);
    return true;
}

// Refits a node to its children.
// @return whether it changed
static bool fitNode(wkDynNode* nodes, uint32_t node)
{
    wkDynBox before = wkNodeDynBox(&nodes[node]);
    uint32_t height = wkDynHeight(nodes, node);
    wkFitDynNode(nodes, node);
    wkQuadInt isOther =
        (before.lower != nodes[node].lowerQuad) | (before.upper != nodes[node].upperQuad);
    return (wkQuadMask(isOther) & 7) != 0 || height != wkDynHeight(nodes, node);
}

void wkImproveDynPath(wkDynTree* tree, uint32_t node)
{
    uint32_t heightSlack = wkDynHeightSlack(tree);
    for (bool isOther = true; isOther && node != WK_DYN_NONE;) {
        bool isRotated = wkRotateDynNode(tree, node, &heightSlack);
        isOther = fitNode(tree->nodes, node) || isRotated;
        node = wkDynParent(tree->nodes, node);
    }
}

static uint32_t takePair(wkDynTree* tree)
{
    uint32_t pair = tree->freePair;
    if (pair != 0) {
        tree->freePair = tree->nodes[pair].up;
    } else {
        pair = tree->nodeCount;
        tree->nodeCount += 2;
    }
    return pair;
}

static void givePair(wkDynTree* tree, uint32_t pair)
{
    memset(&tree->nodes[pair], 0, 2 * sizeof *tree->nodes);
    tree->nodes[pair].link = tree->nodes[pair + 1].link = WK_DYN_NONE;
    tree->nodes[pair].up = tree->freePair;
    tree->freePair = pair;
}

void wkPlaceDynNode(wkDynTree* tree, wkDynBox box, uint32_t link)
{
    wkDynNode* nodes = tree->nodes;
    uint32_t height = wkIsDynLeaf(link) ? 0 : nodes[link + 1].up;
    uint32_t sibling = findSibling(tree, box, height), pair = takePair(tree);
    wkWriteDynNode(&nodes[pair], wkNodeDynBox(&nodes[sibling]), nodes[sibling].link, sibling);
    wkWriteDynNode(&nodes[pair + 1], box, link, 0);
    wkAnnounceDynNode(tree, pair);
    wkAnnounceDynNode(tree, pair + 1);
    nodes[sibling].link = pair;
    wkFitDynNode(nodes, sibling);
    wkImproveDynPath(tree, wkDynParent(nodes, sibling));
}

void wkPlaceDynLeaf(wkDynTree* tree, int32_t name, wkDynBox box)
{
    uint32_t link = (uint32_t)name | WK_DYN_LEAF;
    if (tree->leafCount++ > 0) {
        wkPlaceDynNode(tree, box, link);
        return;
    }
    tree->nodeCount = 2;
    tree->freePair = 0;
    wkWriteDynNode(&tree->nodes[0], box, link, WK_DYN_NONE);
    wkWriteDynNode(&tree->nodes[1], box, WK_DYN_NONE, 0);
    wkAnnounceDynNode(tree, 0);
}

void wkTakeDynNode(wkDynTree* tree, uint32_t node)
{
    // the sibling replaces the parent
    wkDynNode* nodes = tree->nodes;
    uint32_t parent = wkDynParent(nodes, node);
    wkDynNode sibling = nodes[node ^ 1];
    wkWriteDynNode(&nodes[parent], wkNodeDynBox(&sibling), sibling.link, nodes[parent].up);
    wkAnnounceDynNode(tree, parent);
    givePair(tree, node & ~1u);
    uint32_t above = wkDynParent(nodes, parent);
    while (above != WK_DYN_NONE && fitNode(nodes, above)) {
        above = wkDynParent(nodes, above);
    }
}

void wkTakeDynLeaf(wkDynTree* tree, uint32_t node)
{
    tree->nodesByName[wkDynName(tree->nodes[node].link)] = WK_DYN_NONE;
    if (--tree->leafCount > 0) {
        wkTakeDynNode(tree, node);
    } else {
        tree->nodeCount = 0;
    }
}

static uint32_t nodeOf(const wkDynTree* tree, int32_t name)
{
    return (uint32_t)name < tree->nameCapacity ? tree->nodesByName[name] : WK_DYN_NONE;
}

wkResult wkDynTree_Insert(wkDynTree* tree, const wkDynLeaf* leaf)
{
    if (leaf->name < 0 || leaf->name > WK_DYN_MAX_NAME || nodeOf(tree, leaf->name) != WK_DYN_NONE) {
        return wkFail(wk_errorArgument, "dynamic tree: name %d is taken or out of range",
                      (int)leaf->name);
    }
    wkResult result = wkDynTree_Reserve(tree, (int32_t)tree->leafCount + 1, leaf->name + 1);
    if (result == wk_ok) {
        wkPlaceDynLeaf(tree, leaf->name, wkMakeDynBox(&leaf->box));
    }
    return result;
}

void wkDynTree_Remove(wkDynTree* tree, int32_t name)
{
    uint32_t node = nodeOf(tree, name);
    if (node != WK_DYN_NONE) {
        wkTakeDynLeaf(tree, node);
    }
}

// Whether the leaf at a node may stay there with another box: where the parent does not grow.
static bool mayStay(const wkDynNode* nodes, uint32_t node, const wkFloatBox* box)
{
    if (node == 0) {
        return true;
    }
    wkFloatBox parent = wkDynFloatBox(&nodes[wkDynParent(nodes, node)]);
    return wkHoldsFloatBox(&parent, box);
}

void wkDynTree_Move(wkDynTree* tree, int32_t name, wkFloatBox box)
{
    uint32_t node = nodeOf(tree, name);
    if (node == WK_DYN_NONE) {
        return;
    }
    if (mayStay(tree->nodes, node, &box)) {
        wkSetDynBox(&tree->nodes[node], wkMakeDynBox(&box));
        wkImproveDynPath(tree, wkDynParent(tree->nodes, node));
    } else {
        wkTakeDynLeaf(tree, node);
        wkPlaceDynLeaf(tree, name, wkMakeDynBox(&box));
    }
}
