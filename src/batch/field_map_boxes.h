// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Maps as boxes: adjacent cells are merged into larger boxes, of which there are far fewer. Boxes have planes
// in the cells of a field, and are evaluated faster than bits.

#include "batch/field_build.h"

// Maximum number of boxes of all maps: with more of them a field takes longer to build than it saves.
#define WK_MOST_MAP_BOXES 4096

typedef struct wkMapBoxes {
    wkFieldBox* boxes;
    int32_t* objects; // the map of each box
    int32_t count;
} wkMapBoxes;

wkResult wkMapBoxes_Create(wkMapBoxes* boxes);
void wkMapBoxes_Destroy(wkMapBoxes* boxes);

// Adds the cells of a map that has bits.
// @param isDone false when there are too many, or floats are too coarse: nothing was added
// @return wk_errorMemory
wkResult wkMapBoxes_Add(wkMapBoxes* boxes, const wkField* field, const wkFieldRegion* region,
                        int32_t object, const wkFieldMap* map, bool* isDone);
