// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Checks spheres against the pyramid of a depth map.

#include "sense/depth_kernel.h"
#include "sense/sphere_rows.h"

extern wkProveSpheresFcn WK_KERNEL(wkProveSpheres), WK_KERNEL(wkProveSpheresClear);

uint64_t WK_KERNEL(wkProveSpheres)(const wkDepthView* view, const wkSphereRows* rows, int32_t count)
{
    uint64_t maybe = 0;
    for (int32_t i = 0; i < count; i += WK_FLOAT_LANES) {
        unsigned bits = wkDepthSpheresMaybe(view, wkLoadF(rows->x + i), wkLoadF(rows->y + i),
                                            wkLoadF(rows->z + i), wkLoadF(rows->radius + i));
        maybe |= (uint64_t)bits << i;
    }
    return maybe;
}

uint64_t WK_KERNEL(wkProveSpheresClear)(const wkDepthView* view, const wkSphereRows* rows,
                                        int32_t count)
{
    uint64_t maybe = 0;
    for (int32_t i = 0; i < count; i += WK_FLOAT_LANES) {
        unsigned bits = wkDepthSpheresTouch(view, wkLoadF(rows->x + i), wkLoadF(rows->y + i),
                                            wkLoadF(rows->z + i), wkLoadF(rows->radius + i));
        maybe |= (uint64_t)bits << i;
    }
    return maybe;
}
