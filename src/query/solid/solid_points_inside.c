// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Whether any point of a cloud is inside a solid. Where no triangle is near a box, or a sphere, it is inside as a whole
// or outside, and so is all that overlaps it and has no triangle near it either. Most nodes overlap their neighbours,
// and so do the spheres of most points: few points are tested.

#include "query/solid/solid_points_search.h"

#include "bv/eight_boxes.h"

#include <string.h>

// The last eight boxes and spheres that are outside, in the frame of the cloud.
typedef struct outsideList {
    wkEightBoxes boxes;
    _Alignas(32) float centers[3][WK_GROUP];
    _Alignas(32) float radii[WK_GROUP];
    unsigned boxCount; // of all so far
    unsigned sphereCount;
} outsideList;

// Rounding of the distance of two points, relative to it.
#define SPHERE_ROUNDING 1e-5f

WK_FN unsigned keptOf(unsigned count)
{
    return count < WK_GROUP ? (1u << count) - 1u : 0xffu;
}

static bool overlapsBoxes(const outsideList* list, const float lower[3], const float upper[3])
{
    unsigned kept = keptOf(list->boxCount);
    for (int k = 0; k < 3 && kept != 0; ++k) {
        kept &= wkNotAbove8(wkLoad8(list->boxes.lower[k]), wkSplat8(upper[k])) &
                wkNotAbove8(wkSplat8(lower[k]), wkLoad8(list->boxes.upper[k]));
    }
    return kept != 0;
}

static bool overlapsSpheres(const outsideList* list, const float center[3], float radius)
{
    wkEight square = wkSplat8(0.0f), reach = wkAdd8(wkLoad8(list->radii), wkSplat8(radius));
    reach = wkMul8(reach, wkSplat8(1.0f - SPHERE_ROUNDING));
    for (int k = 0; k < 3; ++k) {
        wkEight apart = wkSub8(wkLoad8(list->centers[k]), wkSplat8(center[k]));
        square = wkAdd8(square, wkMul8(apart, apart));
    }
    return (wkNotAbove8(square, wkMul8(reach, reach)) & keptOf(list->sphereCount)) != 0;
}

static void addBox(outsideList* list, const float lower[3], const float upper[3])
{
    unsigned i = list->boxCount++ % WK_GROUP;
    for (int k = 0; k < 3; ++k) {
        list->boxes.lower[k][i] = lower[k];
        list->boxes.upper[k][i] = upper[k];
    }
}

static void addSphere(outsideList* list, const float center[3], float radius)
{
    unsigned i = list->sphereCount++ % WK_GROUP;
    list->radii[i] = radius;
    for (int k = 0; k < 3; ++k) {
        list->centers[k][i] = center[k];
    }
}

// Any point below a slot.
static int32_t anyPointOf(const wkTree* tree, wkSlot slot)
{
    wkLink link = wkTreeLink(tree, slot);
    while (!wkIsLeaf(link)) {
        link = wkTreeLink(tree, link * WK_TREE_WIDTH);
    }
    return wkLeafFirst(link);
}

// Whether a point is inside; then it is the result.
static bool takePoint(wkPointSearch* s, int32_t index)
{
    ++s->visitCount;
    wkVec3d local = wkFrameLocal(&s->question->bInA, wkSearchedPoint(s, index));
    bool isInside = wkSearchContains(s, local);
    s->item = isInside ? index : s->item;
    return isInside;
}

// Whether the points of a slot with no triangle near it are inside; then one of them is the result.
static bool takeSlot(wkPointSearch* s, outsideList* list, wkSlot slot)
{
    const wkTree* tree = &s->question->viewA.tree;
    const wkBoxNode* node = wkTreeBoxes(tree, slot / WK_TREE_WIDTH);
    float lower[3], upper[3];
    for (int k = 0; k < 3; ++k) {
        lower[k] = node->lower[k][slot % WK_TREE_WIDTH];
        upper[k] = node->upper[k][slot % WK_TREE_WIDTH];
    }
    if (!overlapsBoxes(list, lower, upper) && takePoint(s, anyPointOf(tree, slot))) {
        return true;
    }
    addBox(list, lower, upper);
    return false;
}

// Whether a point of a leaf is inside; then it is the result. `clear` as in wkFindInside.
static bool takeLeaf(wkPointSearch* s, outsideList* list, wkSlot slot, double clear)
{
    wkLink link = wkTreeLink(&s->question->viewA.tree, slot);
    const wkPointGroup* group = &s->question->viewA.groups[wkLeafFirst(link) / WK_TREE_WIDTH];
    bool isNear = false;
    for (int32_t i = 0; i < wkLeafCount(link); ++i) {
        int32_t index = wkLeafFirst(link) + i;
        const float point[3] = {group->x[i], group->y[i], group->z[i]};
        float radius = wkRoundDown(wkPositive(clear + wkSearchedRadius(s, index)));
        bool isKnown = overlapsSpheres(list, point, radius) || overlapsBoxes(list, point, point);
        if (!isKnown && !isNear) { // the first of them: the leaf as a whole may decide
            wkObb box = wkSlotBox(&s->question->viewA.tree, slot);
            isNear = wkIsNearSurface(s, &box);
            if (!isNear) {
                return takeSlot(s, list, slot);
            }
        }
        if (!isKnown && takePoint(s, index)) {
            return true;
        }
        addSphere(list, point, radius);
    }
    return false;
}

void wkFindInside(wkPointSearch* s, double clear)
{
    const wkTree* tree = &s->question->viewA.tree;
    outsideList list;
    memset(&list, 0, sizeof list);
    wkSlot stack[WK_TREE_MAX_DEPTH * (WK_TREE_WIDTH - 1) + WK_TREE_WIDTH];
    int count = 0;
    stack[count++] = 0;
    while (count > 0 && s->item < 0) {
        wkSlot slot = stack[--count];
        wkLink link = wkTreeLink(tree, slot);
        wkObb box = wkSlotBox(tree, slot);
        if (wkIsLeaf(link)) {
            takeLeaf(s, &list, slot, clear);
        } else if (slot != 0 && !wkIsNearSurface(s, &box)) {
            takeSlot(s, &list, slot);
        } else {
            for (unsigned mask = wkFindNearSlots(s, link); mask != 0; mask &= mask - 1) {
                wkSlot below = link * WK_TREE_WIDTH + (wkSlot)__builtin_ctz(mask);
                wkPrefetchNode(tree, wkTreeLink(tree, below));
                stack[count++] = below;
            }
        }
    }
}
