// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Images of lenses that bend, as a pinhole would have them.

#include "sense/depth_fill.h"

wkCamera wkStraightCamera(const wkCamera* camera)
{
    return *camera;
}

int32_t wkStraightenDepths(wkDepthMap* map, const wkDepthImage* image)
{
    (void)map;
    (void)image;
    return 0;
}
