// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Looks up maps of joint values for all lanes at once. Lanes hold configurations, and one gather reads a word for
// each. Inline, for SIMD files.

#include "batch/block_kernel.h"
#include "batch/self_map.h"

// Bits of wk_mapApart in a word, for gathers: shifts by a count for each lane are not in every instruction set.
static const int32_t wkMapBits[WK_MAP_WORD_CELLS] = {
    1 << 0,  1 << 2,  1 << 4,  1 << 6,  1 << 8,  1 << 10, 1 << 12, 1 << 14,
    1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 26, 1 << 28, 1 << 30,
};

// Finds the cells of one variable.
// @param inside lanes whose values are outside the map are removed
WK_FORCE_FN wkIntW wkFindMapCells(const wkSelfMap* map, int32_t i, wkFloatW value, unsigned* inside)
{
    *inside &= wkGreaterBitsF(wkSplatF((float)WK_MAP_REACH), wkAbsF(value));
    if (map->isWhole[i]) {
        wkFloatW half = wkSplatF((float)WK_PI), whole = wkSplatF((float)(2.0 * WK_PI));
        wkFloatW less = wkSelectGreaterF(value, half, wkSubF(value, whole), value);
        value = wkSelectGreaterF(wkSplatF(-(float)WK_PI), value, wkAddF(value, whole), less);
    }
    wkFloatW at = wkMulF(wkSubF(value, wkSplatF(map->lower[i])), wkSplatF(map->scale[i]));
    *inside &= wkGreaterBitsF(at, wkSplatF(-map->tolerance[i])) &
               wkGreaterBitsF(wkSplatF((float)map->count + map->tolerance[i]), at);
    at = wkMinF(wkMaxF(at, wkSplatF(0.0f)), wkSplatF((float)map->count - 0.5f));
    // lanes outside read any cell
    return wkAndI(wkTruncateF(at), wkSplatI(map->count - 1));
}

// Lanes by the verdict of a map. Those in none of the two are open, or outside.
typedef struct wkMapVerdicts {
    unsigned apart;
    unsigned touching; // with open ones where the map decides
} wkMapVerdicts;

WK_FORCE_FN wkMapVerdicts wkFindInMap(const wkSelfMap* map, const float* values, unsigned lanes)
{
    wkIntW number = wkSplatI(0), zero = number;
    for (int32_t i = 0; i < map->variableCount; ++i) {
        wkFloatW value = wkScratchAt(values, map->variables[i]);
        wkIntW cell = wkFindMapCells(map, i, value, &lanes);
        number = wkAddI(wkMulI(number, wkSplatI(map->count)), cell);
    }
    wkIntW words = wkGatherI((const int32_t*)wkMapWords(map), wkShiftRightI(number, 4));
    wkIntW bits = wkGatherI(wkMapBits, wkAndI(number, wkSplatI(WK_MAP_WORD_CELLS - 1)));
    unsigned notApart = wkEqualBitsI(wkAndI(words, bits), zero);
    unsigned touching = map->decides   ? notApart
                        : map->settles ? ~wkEqualBitsI(wkAndI(words, wkAddI(bits, bits)), zero)
                                       : 0u;
    wkMapVerdicts found = {lanes & ~notApart, lanes & touching};
    return found;
}

WK_FORCE_FN const float* wkValuesOf(const wkBlockRun* run, int32_t group)
{
    return wkGroupScratch(run, group) + (ptrdiff_t)run->program->valuesAt * WK_FLOAT_LANES;
}

// Looks up all maps. Rows that touch by one are settled.
WK_FORCE_FN void wkCheckMaps(wkBlockRun* run)
{
    const wkSelfTables* tables = run->batch->selfTables;
    run->hasUnmapped = false;
    for (int32_t group = 0; group < run->groupCount && tables->mapCount > 0; ++group) {
        unsigned unmapped = 0;
        for (int32_t i = 0; i < tables->mapCount && run->live[group] != 0; ++i) {
            unsigned live = run->live[group];
            wkMapVerdicts found = wkFindInMap(tables->maps[i], wkValuesOf(run, group), live);
            wkRowsW rows = {found.touching, group * WK_FLOAT_LANES, NULL};
            unmapped |= live & ~(found.apart | found.touching);
            wkSettleLanes(run, found.touching, &rows, wk_verdictSelf);
        }
        run->unmapped[group] = unmapped & run->live[group];
        run->hasUnmapped = run->hasUnmapped || run->unmapped[group] != 0;
    }
}

// Returns the lanes of a group in which the map of a pair leaves it to other tests.
WK_FORCE_FN unsigned wkUnmappedLanes(const wkBlockRun* run, int32_t number, int32_t group)
{
    const wkSelfTables* tables = run->batch->selfTables;
    unsigned lanes = run->unmapped[group] & run->live[group];
    if (lanes != 0) {
        const wkSelfMap* map = tables->maps[tables->mapOfPair[number]];
        lanes &= ~wkFindInMap(map, wkValuesOf(run, group), lanes).apart;
    }
    return lanes;
}
