// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Eight boxes descend a cloud together: neighbouring bodies are near the same nodes, so one walk serves all of
// them. Slots that the box around all of them does not meet are left out first.

#include "query/cloud/cloud_cull.h"

#include "query/pair/rotate_boxes.h"

// Rounding of the ends of boxes, relative to the coordinates that they are computed from.
#define END_ROUNDING 2e-6

// Coordinates above this are treated as unbounded.
#define ENDLESS 1e30f

// Eight boxes in the frame of the cloud.
typedef struct ends {
    wkEight lower[3];
    wkEight upper[3];
} ends;

// A node, and the boxes that reach it.
typedef struct entry {
    wkLink link;
    unsigned lanes;
} entry;

// Sets the boxes enlarged by the reach.
// @return a bit for each box that is unbounded or not a number
WK_FORCE_FN unsigned placeBoxes(const wkCloudCull* cull, const wkEightBoxes* boxes, wkVec3d apart,
                                double reach, ends* placed)
{
    const float from[3] = {(float)apart.x, (float)apart.y, (float)apart.z};
    wkEight middle[3], half[3], size = wkSplat8((float)wkSumAbs(apart)), two = wkSplat8(0.5f);
    for (int k = 0; k < 3; ++k) {
        wkEight lower = wkMul8(two, wkLoad8(boxes->lower[k]));
        wkEight upper = wkMul8(two, wkLoad8(boxes->upper[k]));
        middle[k] = wkSub8(wkAdd8(lower, upper), wkSplat8(from[k]));
        half[k] = wkSub8(upper, lower);
        size = wkAdd8(size, wkAdd8(wkAbs8(middle[k]), half[k]));
    }
    if (!cull->isStraight) {
        wkRotateBoxes(&cull->worldFromCloud, middle, half);
    }
    double wider = (reach + cull->wider) * (1.0 + END_ROUNDING);
    wkEight wide = wkSplat8(wider < (double)ENDLESS ? (float)wider : INFINITY);
    wide = wkAdd8(wide, wkMul8(size, wkSplat8((float)END_ROUNDING)));
    for (int k = 0; k < 3; ++k) {
        wkEight around = wkAdd8(half[k], wide);
        placed->lower[k] = wkSub8(middle[k], around);
        placed->upper[k] = wkAdd8(middle[k], around);
    }
    return wkNotAbove8(wkSplat8(ENDLESS), wkAdd8(size, wide));
}

WK_FORCE_FN void storeBoxes(const ends* placed, wkEightBoxes* boxes)
{
    for (int k = 0; k < 3; ++k) {
        wkStore8(boxes->lower[k], placed->lower[k]);
        wkStore8(boxes->upper[k], placed->upper[k]);
    }
}

// The box around those of some lanes.
WK_FORCE_FN void boxAround(const wkEightBoxes* boxes, unsigned lanes, float lower[3],
                           float upper[3])
{
    for (int k = 0; k < 3; ++k) {
        const float *below = boxes->lower[k], *above = boxes->upper[k];
        int first = __builtin_ctz(lanes);
        lower[k] = below[first];
        upper[k] = above[first];
        for (unsigned left = lanes & (lanes - 1); left != 0; left &= left - 1) {
            int i = __builtin_ctz(left);
            lower[k] = below[i] < lower[k] ? below[i] : lower[k];
            upper[k] = above[i] > upper[k] ? above[i] : upper[k];
        }
    }
}

// Slots of a node that the box around all lanes meets. Empty ones are too far away to be met.
WK_FORCE_FN unsigned meetSlots(const wkBoxNode* node, const float lower[3], const float upper[3])
{
    unsigned met = wkNotAbove8(wkLoad8(node->lower[0]), wkSplat8(0.5f * WK_FAR_AWAY));
    for (int k = 0; k < 3; ++k) {
        met &= wkNotAbove8(wkLoad8(node->lower[k]), wkSplat8(upper[k])) &
               wkNotAbove8(wkSplat8(lower[k]), wkLoad8(node->upper[k]));
    }
    return met;
}

// Boxes that meet a slot.
WK_FORCE_FN unsigned meetBoxes(const wkBoxNode* node, int slot, const ends* boxes)
{
    unsigned met = 0xffu;
    for (int k = 0; k < 3; ++k) {
        met &= wkNotAbove8(wkSplat8(node->lower[k][slot]), boxes->upper[k]) &
               wkNotAbove8(boxes->lower[k], wkSplat8(node->upper[k][slot]));
    }
    return met;
}

// Boxes of some lanes that have a point of a leaf within its radius along each axis.
WK_FORCE_FN unsigned meetPoints(const wkPointGroup* group, wkEight radius,
                                const wkEightBoxes* boxes, unsigned lanes)
{
    const wkEight points[3] = {wkLoad8(group->x), wkLoad8(group->y), wkLoad8(group->z)};
    unsigned met = 0;
    for (; lanes != 0; lanes &= lanes - 1) {
        int lane = __builtin_ctz(lanes);
        unsigned near = 0xffu; // slots behind the last point repeat it
        for (int k = 0; k < 3; ++k) {
            near &= wkNotAbove8(points[k], wkAdd8(wkSplat8(boxes->upper[k][lane]), radius)) &
                    wkNotAbove8(wkSub8(wkSplat8(boxes->lower[k][lane]), radius), points[k]);
        }
        met |= (near != 0 ? 1u : 0u) << lane;
    }
    return met;
}

unsigned WK_KERNEL(wkCullByCloud)(const wkCloudCull* cull, const wkEightBoxes* boxes,
                                  wkVec3d origin, double reach, unsigned lanes);

unsigned WK_KERNEL(wkCullByCloud)(const wkCloudCull* cull, const wkEightBoxes* boxes,
                                  wkVec3d origin, double reach, unsigned lanes)
{
    ends placed;
    unsigned met = placeBoxes(cull, boxes, wkSub(cull->position, origin), reach, &placed) & lanes;
    if (met == lanes) {
        return met;
    }
    wkEightBoxes single;
    float lower[3], upper[3];
    storeBoxes(&placed, &single);
    boxAround(&single, lanes & ~met, lower, upper);
    // the rounding of a sum with the radius is less than that of the ends, which have been enlarged for it
    wkEight radius = wkSplat8((float)(cull->pointRadius * (1.0 + END_ROUNDING)));
    entry stack[WK_TREE_MAX_DEPTH * (WK_TREE_WIDTH - 1) + WK_TREE_WIDTH];
    int count = 0;
    stack[count++] = (entry){0, lanes};
    while (count > 0 && met != lanes) {
        entry top = stack[--count];
        top.lanes &= ~met;
        if (top.lanes == 0) {
            continue;
        }
        const wkBoxNode* node = wkTreeBoxes(&cull->tree, top.link);
        for (unsigned slots = meetSlots(node, lower, upper); slots != 0; slots &= slots - 1) {
            int slot = __builtin_ctz(slots);
            unsigned here = meetBoxes(node, slot, &placed) & top.lanes & ~met;
            wkLink link = node->links[slot];
            if (here != 0 && wkIsLeaf(link)) {
                met |= meetPoints(&cull->groups[wkLeafFirst(link) / WK_TREE_WIDTH], radius, &single,
                                  here);
            } else if (here != 0) {
                stack[count++] = (entry){link, here};
            }
        }
    }
    return met;
}
