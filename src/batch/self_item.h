// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Contacts of a robot with itself in one configuration: by maps of joint values, spheres and convex pieces, as
// wkCheckPairs decides in lanes. The common subset of C, C++ and CUDA.

#include "batch/self_map_item.h"
#include "batch/self_pieces_item.h"

// Looks up all maps.
// @param unmapped set to bits of the maps that leave their pairs to other tests
// @return whether a map says that the robot touches itself
WK_FN bool wkSelfItem_TouchMaps(const wkSelfItem* item, wkItemScratch scratch, uint32_t* unmapped)
{
    const float* values = wkItemValues(item->program, scratch);
    *unmapped = 0;
    WK_KEEP_LOOP
    for (int32_t i = 0; i < item->tables->mapCount; ++i) {
        wkMapVerdict verdict = wkFindItemInMap(item->tables->maps[i], values);
        if (verdict == wk_mapTouching) {
            return true;
        }
        *unmapped |= verdict == wk_mapOpen ? 1u << i : 0u;
    }
    return false;
}

// Returns whether the map of a pair decides about it.
WK_FN bool wkSelfItem_IsMapped(const wkSelfItem* item, int32_t pair, uint32_t unmapped)
{
    int32_t map = item->tables->mapOfPair[pair];
    return map >= 0 && (unmapped >> map & 1u) == 0;
}

// Checks all pairs that do not use convex pieces.
// @param unmapped see wkSelfItem_TouchMaps
// @return as wkSelfItem_CheckSpheres of the worst pair: a touch decides, then the host
WK_FN wkVerdict wkSelfItem_CheckPairs(const wkSelfItem* item, wkItemScratch scratch,
                                      bool isWithinLimits, uint32_t unmapped)
{
    int32_t count = isWithinLimits ? item->contacts->liveCount : item->program->pairCount;
    wkVerdict verdict = wk_verdictFree;
    for (int32_t i = 0; i < count; ++i) {
        int32_t pair = item->tables->order[i];
        if (item->tables->usesPieces[pair] || wkSelfItem_IsMapped(item, pair, unmapped)) {
            continue;
        }
        wkPairFrames frames = wkPairFramesOf(item->program, pair, scratch);
        wkVerdict found = wkSelfItem_CheckSpheres(item, pair, &frames, isWithinLimits);
        if (found == wk_verdictSelf) {
            return found;
        }
        verdict = found == wk_verdictFree ? verdict : found;
    }
    return verdict;
}

// Checks all pairs that use convex pieces, which decide.
WK_FN bool wkSelfItem_TouchBundles(const wkSelfItem* item, wkItemScratch scratch, uint32_t unmapped)
{
    for (int32_t i = 0; i < item->tables->bundleCount; ++i) {
        const wkPairBundle* bundle = &item->tables->bundles[i];
        // pairs of a bundle have the same map
        if (wkSelfItem_IsMapped(item, item->tables->bundlePairs[bundle->first], unmapped)) {
            continue;
        }
        wkPairFrames frames = {wkItemFrameOf(item->program, bundle->groups[0], scratch),
                               wkItemFrameOf(item->program, bundle->groups[1], scratch)};
        if (wkSelfItem_TouchBundle(item, bundle, &frames)) {
            return true;
        }
    }
    return false;
}

// Returns whether the robot touches itself in a configuration that is loaded and placed (program_item.h), and that needs
// no double-precision path: wk_verdictFree, wk_verdictSelf, or wk_verdictUnchecked where bodies decide, on the host.
// Touching pairs come first: the host is not needed where any is found.
WK_FN wkVerdict wkSelfItem_Check(const wkSelfItem* item, wkItemScratch scratch, bool isWithinLimits)
{
    uint32_t unmapped;
    if (wkSelfItem_TouchMaps(item, scratch, &unmapped)) {
        return wk_verdictSelf;
    }
    wkVerdict verdict = wkSelfItem_CheckPairs(item, scratch, isWithinLimits, unmapped);
    return verdict != wk_verdictSelf && wkSelfItem_TouchBundles(item, scratch, unmapped)
               ? wk_verdictSelf
               : verdict;
}
