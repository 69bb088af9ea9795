// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Checks every pixel for every sphere: slow, as the simple reference for the other methods.

#include "sense/depth_sphere_item.h"

void wkFindByPixels(const wkDepthMap* map, const wkCameraSphere* spheres, int32_t count,
                    unsigned* findings)
{
    for (int32_t i = 0; i < count; ++i) {
        wkPixelRange range = wkDepthMap_Range(map, &spheres[i]);
        unsigned found = wkFirstFindings(&spheres[i]);
        for (int32_t v = range.top; v <= range.bottom; ++v) {
            for (int32_t u = range.left; u <= range.right; ++u) {
                found |= wkClassifyPixel(map, &spheres[i], u, v);
            }
        }
        findings[i] = found;
    }
}
