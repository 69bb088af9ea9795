// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One look-up in a map of joint values, for GPUs: the operations of self_map_kernel.h on one number in place of lanes.
// The common subset of C, C++ and CUDA.

#include "batch/program_item.h"
#include "batch/self_map_view.h"
#include "math/angle.h"

// Finds the cell of one variable.
// @return -1: the value is outside the map
WK_FN int32_t wkFindItemCell(const wkSelfMap* map, int32_t i, float value)
{
    if (!((float)WK_MAP_REACH > fabsf(value))) {
        return -1;
    }
    if (map->isWhole[i]) {
        float half = (float)WK_PI, whole = (float)(2.0 * WK_PI);
        value = value > half ? value - whole : -half > value ? value + whole : value;
    }
    float at = (value - map->lower[i]) * map->scale[i];
    if (!(at > -map->tolerance[i] && (float)map->count + map->tolerance[i] > at)) {
        return -1;
    }
    float most = (float)map->count - 0.5f;
    at = at > 0.0f ? at : 0.0f;
    return (int32_t)(at < most ? at : most) & (map->count - 1);
}

// Returns the verdict of a map about a configuration: wk_mapOpen where other tests decide.
// @param values of the variables, WK_ITEM_STRIDE apart
WK_FN wkMapVerdict wkFindItemInMap(const wkSelfMap* map, const float* values)
{
    int32_t number = 0;
    WK_KEEP_LOOP
    for (int32_t i = 0; i < map->variableCount; ++i) {
        int32_t cell = wkFindItemCell(map, i, values[map->variables[i] * WK_ITEM_STRIDE]);
        if (cell < 0) {
            return wk_mapOpen;
        }
        number = number * map->count + cell;
    }
    uint32_t bits = wkMapWords(map)[number >> 4] >> 2 * (number & (WK_MAP_WORD_CELLS - 1)) & 3u;
    if ((bits & wk_mapApart) != 0) {
        return wk_mapApart;
    }
    bool isTouching = map->decides || (map->settles && (bits & wk_mapTouching) != 0);
    return isTouching ? wk_mapTouching : wk_mapOpen;
}
