// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The objects of a field that may matter to one sphere: entries of the brick of its center. Code of this header is C, C++
// and CUDA.

#include "base/bit_rows.h"
#include "batch/field_view.h"

// Returns false when a number of a sphere is not finite.
WK_FN bool wkIsFiniteSphere(const float center[3], float radius)
{
    return (center[0] + center[1] + center[2] + radius) * 0.0f == 0.0f;
}

// Returns whether lists contain all that a sphere of a radius can touch: larger spheres are checked against all objects.
WK_FN bool wkField_IsListed(const wkField* field, float radius)
{
    return radius >= 0.0f && radius <= (float)WK_FIELD_FAR * field->step;
}

// Returns whether a side may touch objects with a rule; -1: no rule.
WK_FN bool wkField_MayTouchRuled(const wkField* field, int32_t rule, int32_t side)
{
    return rule >= 0 && wkHasBit(&field->allowed[(size_t)rule * (size_t)field->wordCount], side);
}

// The objects that may matter at a point: entries of a brick, and a mask.
typedef struct wkFieldList {
    int32_t brick;
    const wkFieldEntry* entries;
    uint32_t count;
    uint32_t mask;
} wkFieldList;

// @return false when the point is beyond the grid
WK_FORCE_FN bool wkFieldList_Find(const wkFieldLayer* layer, const float center[3],
                                  wkFieldList* list)
{
    const wkFieldGrid* grid = &layer->grid;
    int32_t cell[3];
    for (int axis = 0; axis < 3; ++axis) {
        float inCells = (center[axis] - grid->lower[axis]) * grid->perMetre;
        if (WK_UNLIKELY(!(inCells >= 1.0f && inCells < grid->last[axis] - 0.5f))) {
            return false;
        }
        cell[axis] = (int32_t)inCells;
    }
    const wkFieldBrick* brick = wkBrickAt(layer, cell);
    int part = (cell[0] >> 1 & 1) + 2 * (cell[1] >> 1 & 1) + 4 * (cell[2] >> 1 & 1);
    list->brick = (int32_t)(brick - layer->bricks);
    list->entries = &layer->entries[brick->first];
    list->count = brick->count;
    list->mask = brick->masks[part];
    return true;
}

// Returns the entry after another one, -1 to start; -1 after the last. The last bit of a mask stands
// for all entries that have no bit.
WK_FORCE_FN int32_t wkFieldList_Next(wkFieldList* list, int32_t entry)
{
    if (WK_LIKELY(entry < WK_FIELD_MASKED)) {
        int32_t next = list->mask != 0 ? wkLowestBit(list->mask) : -1;
        list->mask &= list->mask - 1;
        return next;
    }
    return (uint32_t)entry + 1 < list->count ? entry + 1 : -1;
}
