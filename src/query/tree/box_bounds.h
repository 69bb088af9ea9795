// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One box against the eight of a node, which are rotated relative to it: for SIMD kernels. Two lower bounds
// of the distance: along the axes of the node, the gaps between the boxes and the box around the rotated
// one are perpendicular to each other, so their squares add up; the same along the axes of the single
// box. The larger one counts. Single precision: `slack` covers its rounding.

#include "query/tree/walk.h"
#include "simd/eight.h"

// A change of frames in single precision. `rotation[k][j]` is coordinate k of axis j.
typedef struct wkFloatRotation {
    float rotation[3][3];
    float reach[3][3]; // magnitudes of the above
    float position[3];
} wkFloatRotation;

typedef struct wkCenteredBox {
    float center[3];
    float half[3];
} wkCenteredBox;

WK_FN wkFloatRotation wkRotationFromFrame(const wkFrame* frame)
{
    const wkMat3d* m = &frame->rotation;
    wkFloatRotation t = {
        {{(float)m->x.x, (float)m->y.x, (float)m->z.x},
         {(float)m->x.y, (float)m->y.y, (float)m->z.y},
         {(float)m->x.z, (float)m->y.z, (float)m->z.z}},
        {{0.0f}},
        {(float)frame->position.x, (float)frame->position.y, (float)frame->position.z},
    };
    for (int k = 0; k < 3; ++k) {
        for (int j = 0; j < 3; ++j) {
            t.reach[k][j] = t.rotation[k][j] < 0.0f ? -t.rotation[k][j] : t.rotation[k][j];
        }
    }
    return t;
}

// The inverse transform.
WK_FN wkFrame wkInverseFrame(const wkFrame* frame)
{
    const wkMat3d* m = &frame->rotation;
    wkFrame back = {{{m->x.x, m->y.x, m->z.x}, {m->x.y, m->y.y, m->z.y}, {m->x.z, m->y.z, m->z.z}},
                    wkNeg(wkMulTMV(m, frame->position))};
    return back;
}

// The sum of squares of the positive values.
WK_FORCE_FN wkEight wkSumOfGaps(wkEight x, wkEight y, wkEight z)
{
    wkEight zero = wkSplat8(0.0f);
    wkEight gapX = wkMax8(x, zero), gapY = wkMax8(y, zero), gapZ = wkMax8(z, zero);
    return wkAdd8(wkAdd8(wkMul8(gapX, gapX), wkMul8(gapY, gapY)), wkMul8(gapZ, gapZ));
}

// Bounds the single box against eight; `t` transforms it into the frame of the node.
WK_FORCE_FN unsigned wkBoundBoxes(const wkFloatRotation* t, const wkCenteredBox* single,
                                  const wkBoxNode* node, float limit, wkBounds* bounds)
{
    wkEight between[3], half[3], gaps[3], middle = wkSplat8(0.5f);
    for (int k = 0; k < 3; ++k) {
        const float* r = t->rotation[k];
        const float* s = t->reach[k];
        float center =
            ((r[0] * single->center[0] + r[1] * single->center[1]) + r[2] * single->center[2]) +
            t->position[k];
        float reach = (s[0] * single->half[0] + s[1] * single->half[1]) + s[2] * single->half[2];
        wkEight lower = wkLoad8(node->lower[k]), upper = wkLoad8(node->upper[k]);
        half[k] = wkMul8(middle, wkSub8(upper, lower));
        between[k] = wkSub8(wkSplat8(center), wkMul8(middle, wkAdd8(lower, upper)));
        gaps[k] = wkSub8(wkAbs8(between[k]), wkAdd8(half[k], wkSplat8(reach)));
    }
    wkEight alongNode = wkSumOfGaps(gaps[0], gaps[1], gaps[2]);
    for (int j = 0; j < 3; ++j) {
        wkEight along = wkMul8(wkSplat8(t->rotation[0][j]), between[0]);
        wkEight reach = wkMul8(wkSplat8(t->reach[0][j]), half[0]);
        for (int k = 1; k < 3; ++k) {
            along = wkAdd8(along, wkMul8(wkSplat8(t->rotation[k][j]), between[k]));
            reach = wkAdd8(reach, wkMul8(wkSplat8(t->reach[k][j]), half[k]));
        }
        gaps[j] = wkSub8(wkAbs8(along), wkAdd8(reach, wkSplat8(single->half[j])));
    }
    wkEight bound = wkMax8(alongNode, wkSumOfGaps(gaps[0], gaps[1], gaps[2]));
    wkEight apart = wkAdd8(wkAdd8(wkMul8(between[0], between[0]), wkMul8(between[1], between[1])),
                           wkMul8(between[2], between[2]));
    wkStore8(bounds->least, bound);
    wkStore8(bounds->guesses, wkAdd8(bound, apart));
    unsigned filled = wkNotAbove8(wkLoad8(node->lower[0]), wkSplat8(0.5f * WK_FAR_AWAY));
    return filled & wkNotAbove8(bound, wkSplat8(limit));
}

WK_FORCE_FN wkCenteredBox wkBoxInSlot(const wkTree* tree, wkSlot slot)
{
    const wkBoxNode* node = wkTreeBoxes(tree, slot / WK_TREE_WIDTH);
    int i = (int)(slot % WK_TREE_WIDTH);
    wkCenteredBox b;
    for (int k = 0; k < 3; ++k) {
        b.center[k] = 0.5f * (node->lower[k][i] + node->upper[k][i]);
        b.half[k] = 0.5f * (node->upper[k][i] - node->lower[k][i]);
    }
    return b;
}
