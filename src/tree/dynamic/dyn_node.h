// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Memory layout of a dynamic tree, see dyn_tree.h.
//
// The two children of a node are adjacent and fill a cache line: one link leads to both, and both are
// tested with one memory access. Nodes refer to each other by index, so copying the arrays copies the
// tree. The index of a node may change, therefore leaves are found by their names.

#include "simd/quad.h"
#include "tree/dynamic/dyn_tree.h"

#define WK_DYN_LEAF 0x80000000u // in a link: the rest is a name
#define WK_DYN_NONE 0xffffffffu // no node
#define WK_DYN_MAX_NAME 0x3fffffff

// The root is node 0 and node 1 is empty; all others are pairs of an even node and the next one.
typedef union wkDynNode {
    struct {
        float lower[3];
        uint32_t link; // the first of both children, or a leaf
        float upper[3];
        uint32_t up; // even nodes: parent of the pair (root: none); odd ones: height of that parent
    };
    struct {
        wkQuad lowerQuad; // the fourth values are not part of the box
        wkQuad upperQuad;
    };
} wkDynNode;

_Static_assert(sizeof(wkDynNode) == 32, "a pair fills a cache line");

struct wkDynTree {
    wkDynNode* nodes;
    uint32_t* nodesByName; // node of each name; WK_DYN_NONE: not in the tree
    uint32_t nodeCapacity; // even
    uint32_t nameCapacity;
    uint32_t leafCount;
    uint32_t nodeCount; // ever used, the root's pair included
    uint32_t freePair;  // first free pair; its link is the next one; 0: none
    uint32_t path;      // the next one to refine: a direction for each bit, from the lowest
    void* scratch;      // for builds
    size_t scratchBytes;
};

// A box in registers; the fourth values are not part of it.
typedef struct wkDynBox {
    wkQuad lower;
    wkQuad upper;
} wkDynBox;

WK_FORCE_FN wkDynBox wkNodeDynBox(const wkDynNode* node)
{
    wkDynBox box = {node->lowerQuad, node->upperQuad};
    return box;
}

WK_FORCE_FN wkDynBox wkMakeDynBox(const wkFloatBox* box)
{
    wkDynBox result = {wkMakeQuad(box->lower[0], box->lower[1], box->lower[2], 0.0f),
                       wkMakeQuad(box->upper[0], box->upper[1], box->upper[2], 0.0f)};
    return result;
}

WK_FORCE_FN wkFloatBox wkDynFloatBox(const wkDynNode* node)
{
    wkFloatBox box = {{node->lower[0], node->lower[1], node->lower[2]},
                      {node->upper[0], node->upper[1], node->upper[2]}};
    return box;
}

WK_FORCE_FN wkDynBox wkJoinDynBoxes(wkDynBox a, wkDynBox b)
{
    wkDynBox box = {wkMinQuad(a.lower, b.lower), wkMaxQuad(a.upper, b.upper)};
    return box;
}

WK_FORCE_FN void wkWriteDynNode(wkDynNode* node, wkDynBox box, uint32_t link, uint32_t up)
{
    node->lowerQuad = wkQuadWithBits(box.lower, link);
    node->upperQuad = wkQuadWithBits(box.upper, up);
}

// Keeps link and parent.
WK_FORCE_FN void wkSetDynBox(wkDynNode* node, wkDynBox box)
{
    wkWriteDynNode(node, box, node->link, node->up);
}

// Longer sides count as this long, so that surfaces and their differences are finite.
#define WK_DYN_LONGEST 1e12f

// Half the surface.
WK_FORCE_FN float wkDynArea(wkDynBox box)
{
    wkQuad size = wkMinQuad(box.upper - box.lower, wkQuadOf(WK_DYN_LONGEST));
    return size[0] * size[1] + size[1] * size[2] + size[2] * size[0];
}

// Touching boxes overlap.
WK_FORCE_FN bool wkDoDynBoxesMeet(wkDynBox a, wkDynBox b)
{
    return (wkQuadMask((a.lower > b.upper) | (b.lower > a.upper)) & 7) == 0;
}

WK_FORCE_FN bool wkIsDynLeaf(uint32_t link)
{
    return (link & WK_DYN_LEAF) != 0;
}

WK_FORCE_FN int32_t wkDynName(uint32_t link)
{
    return (int32_t)(link & ~WK_DYN_LEAF);
}

WK_FORCE_FN uint32_t wkDynParent(const wkDynNode* nodes, uint32_t node)
{
    return nodes[node & ~1u].up;
}

WK_FORCE_FN uint32_t wkDynHeight(const wkDynNode* nodes, uint32_t node)
{
    uint32_t link = nodes[node].link;
    return wkIsDynLeaf(link) ? 0 : nodes[link + 1].up;
}

// Marks all names as not in the tree.
WK_FN void wkForgetDynNames(wkDynTree* tree)
{
    for (uint32_t name = 0; name < tree->nameCapacity; ++name) {
        tree->nodesByName[name] = WK_DYN_NONE;
    }
}

// Writes the current index of a node to its children or its name.
WK_FORCE_FN void wkAnnounceDynNode(wkDynTree* tree, uint32_t node)
{
    uint32_t link = tree->nodes[node].link;
    *(wkIsDynLeaf(link) ? &tree->nodesByName[wkDynName(link)] : &tree->nodes[link].up) = node;
}

// Refits box and height of an inner node to its children.
WK_FORCE_FN void wkFitDynNode(wkDynNode* nodes, uint32_t node)
{
    uint32_t link = nodes[node].link;
    uint32_t first = wkDynHeight(nodes, link), second = wkDynHeight(nodes, link + 1);
    wkSetDynBox(&nodes[node],
                wkJoinDynBoxes(wkNodeDynBox(&nodes[link]), wkNodeDynBox(&nodes[link + 1])));
    nodes[link + 1].up = 1 + (first > second ? first : second);
}

// The node after `node` and its subtree, in depth-first order, inside the subtree of `top`; WK_DYN_NONE
// at the end. Needs no stack, so no tree is too deep for it.
WK_FORCE_FN uint32_t wkSkipDynNode(const wkDynNode* nodes, uint32_t node, uint32_t top)
{
    while (node != top && (node & 1) != 0) {
        node = wkDynParent(nodes, node);
    }
    return node == top ? WK_DYN_NONE : node + 1;
}
