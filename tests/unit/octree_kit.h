// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Maps for unit tests.

#include "octree_check.h"
#include "unit_kit.h"
#include "whisker/whisker.h"

static inline wkOctree* createMap(double resolution)
{
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = resolution;
    wkOctree* octree = NULL;
    assert_int_equal(wkOctree_Create(&def, &octree), wk_ok);
    return octree;
}

static inline wkCellKey middleKey(void)
{
    wkCellKey key = {32768, 32768, 32768};
    return key;
}

static inline wkAabb cubeOf(double lower, double upper)
{
    wkAabb box = {wkVec(lower, lower, lower), wkVec(upper, upper, upper)};
    return box;
}
