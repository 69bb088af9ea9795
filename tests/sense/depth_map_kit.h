// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Depth maps of images, for tests that compare their content.

#include "../unit/unit_kit.h"
#include "depth_kit.h"
#include "lenses.h"
#include "sense/depth_fill.h"
#include "sense/depth_sphere_item.h"
#include "whisker/detail/counts.h"

static inline wkDepthMap* mapOf(const wkDepthImage* image, const wkDepthMapDef* trust,
                                const wkDepthMask* mask)
{
    wkDepthMap* map = NULL;
    assert_int_equal(wkDepthMap_Create(image->camera.width, image->camera.height, &map), wk_ok);
    assert_int_equal(wkDepthMap_Update(map, image, trust, mask), wk_ok);
    return map;
}
