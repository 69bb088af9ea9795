// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A map and a mesh that change after they were added to a scene.

#include "batch_kit.h"
#include "math/vec.h"
#include "robots.h"
#include "whisker/depth_image.h"

#include <math.h>
#include <string.h>

#define NEAR_CELL 32768
#define FAR_CELL 32788

static inline wkOctree* makeMap(void)
{
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = 0.1;
    wkOctree* map;
    assert_int_equal(wkOctree_Create(&def, &map), wk_ok);
    return map;
}

// Occupies the cell around (x, 0.05, 0.05), where x = (key - 32768) / 10 + 0.05.
static inline void occupy(wkOctree* map, uint16_t key)
{
    wkCellKey cell = {key, 32768, 32768};
    assert_int_equal(wkOctree_SetLogOdds(map, cell, 16, 2.0f), wk_ok);
}

static inline void moveMesh(wkMeshBuilder* builder, double x)
{
    const wkVec3d at[3] = {{x, 0.0, 0.0}, {x, 1.0, 0.0}, {x, 0.0, 1.0}};
    assert_int_equal(wkMeshBuilder_BeginReplace(builder), wk_ok);
    assert_int_equal(wkMeshBuilder_ReplaceVertices(builder, 0, at, 3), wk_ok);
    assert_int_equal(wkMeshBuilder_EndReplace(builder, false), wk_ok);
}

// A triangle at x = 0 that its builder can move.
static inline wkMeshBuilder* makeBuilder(void)
{
    const wkVec3d at[3] = {{0.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const int32_t triangle[3] = {0, 1, 2};
    wkMeshDef def = wkDefaultMeshDef();
    def.isSolid = false;
    wkMeshBuilder* builder;
    assert_int_equal(wkMeshBuilder_Create(&def, &builder), wk_ok);
    assert_int_equal(wkMeshBuilder_BeginModel(builder, 3, 1), wk_ok);
    assert_int_equal(wkMeshBuilder_AddVertices(builder, at, 3), wk_ok);
    assert_int_equal(wkMeshBuilder_AddTriangles(builder, triangle, 1), wk_ok);
    assert_int_equal(wkMeshBuilder_EndModel(builder), wk_ok);
    return builder;
}

static inline void assertSays(const char* words)
{
    if (strstr(wkGetLastError(), words) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", wkGetLastError(), words);
    }
}
