// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The camera stands as near as the part that needs the largest distance allows.

#include "picture_fit.h"

#include "vector.h"

#include <math.h>

#define FIELD_OF_VIEW 0.50
#define FRAME 1.06 // margin around everything

// Returns the center of the extent of all parts along a direction.
static double middleAlong(const wkSphere3d* parts, size_t count, wkVec3d direction)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        double position = wkVec_Dot(parts[i].center, direction), radius = parts[i].radius;
        low = fmin(low, position - radius);
        high = fmax(high, position + radius);
    }
    return count > 0 ? 0.5 * (low + high) : 0.0;
}

wkViewpoint wkFitViewpoint(const wkSphere3d* parts, size_t count, wkVec3d direction,
                           const wkPicture* picture)
{
    const wkVec3d origin = {0.0, 0.0, 0.0};
    wkVec3d unit = wkVec_Unit(direction);
    wkViewpoint view =
        wkMakeViewpoint(unit, origin, FIELD_OF_VIEW, picture->width, picture->height);
    wkVec3d middle = wkVec_MulAdd(origin, middleAlong(parts, count, view.right), view.right);
    middle = wkVec_MulAdd(middle, middleAlong(parts, count, view.down), view.down);

    // the distance at which each part fits: rays to its rim are steeper than the ray to its center
    const wkVec3d axes[2] = {view.right, view.down};
    const double slopes[2] = {0.5 * picture->width / view.focal / FRAME,
                              0.5 * picture->height / view.focal / FRAME};
    double away = -INFINITY;
    for (size_t i = 0; i < 2 * count; i++) {
        const wkSphere3d* part = &parts[i / 2];
        double slope = slopes[i % 2], steeper = sqrt(1.0 + slope * slope);
        wkVec3d offset = wkVec_Sub(part->center, middle);
        double aside = fabs(wkVec_Dot(offset, axes[i % 2]));
        double needed = (aside + steeper * part->radius) / slope;
        away = fmax(away, wkVec_Dot(offset, unit) + needed);
    }
    view.eye = wkVec_MulAdd(middle, isfinite(away) ? away : 1.0, unit);
    return view;
}

void wkPartsOfBox(wkAabb box, wkSphere3d parts[8])
{
    for (int k = 0; k < 8; k++) {
        parts[k] =
            (wkSphere3d){{k & 1 ? box.upper.x : box.lower.x, k & 2 ? box.upper.y : box.lower.y,
                          k & 4 ? box.upper.z : box.lower.z},
                         0.0};
    }
}
