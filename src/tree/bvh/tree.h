// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Memory layout of a hierarchy: nodes of eight slots, each with a bounding volume and a link to its
// content. Boxes are stored side by side, so that eight of them are tested at a time; other volumes
// are stored one after another. Node 0 is the stem: its only slot holds the whole tree.

#include "bv/volume.h"
#include "math/round.h"
#include "tree/bvh/point_group.h"

// Maximum depth, in steps from the stem to a leaf; builders keep to it.
#define WK_TREE_MAX_DEPTH 64

// The content of a slot: a node, up to eight items (triangles in tree order) or nothing.
typedef uint32_t wkLink;
#define WK_LINK_EMPTY 0xffffffffu
#define WK_LINK_LEAF 0x80000000u

// Maximum number of items of a tree: what a link can encode.
#define WK_TREE_MAX_ITEMS ((1 << 28) - 16)

WK_FN wkLink wkMakeLeaf(int32_t first, int32_t count)
{
    return WK_LINK_LEAF | (uint32_t)first << 3 | (uint32_t)(count - 1);
}

WK_FN bool wkIsLeaf(wkLink link)
{
    return link >= WK_LINK_LEAF;
}

WK_FN int32_t wkLeafFirst(wkLink link)
{
    return (int32_t)(link >> 3 & 0x0fffffffu);
}

WK_FN int32_t wkLeafCount(wkLink link)
{
    return (int32_t)(link & 7u) + 1;
}

// A node with boxes. Empty slots come after all others and hold a far point.
typedef struct wkBoxNode {
    wkLink links[WK_TREE_WIDTH];
    float lower[3][WK_TREE_WIDTH];
    float upper[3][WK_TREE_WIDTH];
} wkBoxNode;

// Rounds outward: the box of the slot contains all of `box`.
WK_FN void wkSetSlot(wkBoxNode* node, int slot, const wkAabb* box)
{
    node->lower[0][slot] = wkRoundDown(box->lower.x);
    node->lower[1][slot] = wkRoundDown(box->lower.y);
    node->lower[2][slot] = wkRoundDown(box->lower.z);
    node->upper[0][slot] = wkRoundUp(box->upper.x);
    node->upper[1][slot] = wkRoundUp(box->upper.y);
    node->upper[2][slot] = wkRoundUp(box->upper.z);
}

// Position of empty slots: further than any item, and its square is a finite float.
#define WK_FAR_AWAY 1e18f

// A node with volumes of another kind starts with the same links; eight volumes follow.
typedef struct wkVolumeNode {
    wkLink links[WK_TREE_WIDTH];
    char volumes[];
} wkVolumeNode;

// A hierarchy for walks.
typedef struct wkTree {
    const char* nodes; // 32-byte aligned
    uint32_t nodeBytes;
    int32_t nodeCount;
    wkVolumeKind kind;
} wkTree;

// Index of a slot: eight times the node, plus the slot in the node.
typedef uint32_t wkSlot;

WK_FN uint32_t wkNodeBytes(wkVolumeKind kind)
{
    return kind == wk_volumeAabb
               ? (uint32_t)sizeof(wkBoxNode)
               : (uint32_t)sizeof(wkVolumeNode) + WK_TREE_WIDTH * wkVolumeTable[kind].byteCount;
}

WK_FN const wkLink* wkTreeLinks(const wkTree* tree, uint32_t node)
{
    return (const wkLink*)(tree->nodes + (size_t)node * tree->nodeBytes);
}

WK_FN wkLink wkTreeLink(const wkTree* tree, wkSlot slot)
{
    return wkTreeLinks(tree, slot / WK_TREE_WIDTH)[slot % WK_TREE_WIDTH];
}

WK_FN const wkBoxNode* wkTreeBoxes(const wkTree* tree, uint32_t node)
{
    return (const wkBoxNode*)(tree->nodes + (size_t)node * tree->nodeBytes);
}

// Volume in a slot of a tree that does not have boxes.
WK_FN const void* wkTreeVolume(const wkTree* tree, wkSlot slot)
{
    const char* node = tree->nodes + (size_t)(slot / WK_TREE_WIDTH) * tree->nodeBytes;
    return node + sizeof(wkVolumeNode) +
           (size_t)(slot % WK_TREE_WIDTH) * wkVolumeTable[tree->kind].byteCount;
}
