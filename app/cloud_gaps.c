// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Compares the median distance of neighbours in a cloud with the thinnest body of a robot. Most clouds are dense
// enough for a radius of 0; a warning about every cloud without a radius would be overlooked.

#include "cloud_gaps.h"

#include "cloud_spacing.h"

#include <math.h>
#include <stdio.h>

typedef struct thinBody {
    double extent; // the smallest of its box
    const char* link;
} thinBody;

static thinBody findThinnest(const wkRobot* robot)
{
    thinBody thinnest = {INFINITY, ""};
    for (int32_t i = 0; i < wkRobot_Info(robot).bodyCount; i++) {
        wkBodyInfo body = wkRobot_Body(robot, i);
        wkAabb box = wkShape_Bounds(body.shape, wkIdentityPose());
        double extent = fmin(box.upper.x - box.lower.x,
                             fmin(box.upper.y - box.lower.y, box.upper.z - box.lower.z));
        if (extent >= 0.0 && extent < thinnest.extent) {
            thinnest = (thinBody){extent, wkRobot_Link(robot, body.link).name};
        }
    }
    return thinnest;
}

wkResult wkFindGaps(const wkRobot* robot, const wkShape* cloud, char words[WK_GAP_WORDS])
{
    wkCloudSpacing spacing;
    words[0] = '\0';
    wkResult result = wkMeasureSpacing(cloud->cloud, &spacing);
    if (result != wk_ok) {
        return result;
    }
    thinBody thinnest = findThinnest(robot);
    double gap = spacing.gap - 2.0 * (cloud->rounding + cloud->padding);
    if (gap > thinnest.extent) {
        snprintf(words, WK_GAP_WORDS,
                 "neighbours are %.3g m apart (median), which leaves gaps of %.3g m between their "
                 "spheres: link %.60s, %.3g m thin, fits through; a radius of %.2g m closes them",
                 spacing.distance, gap, thinnest.link, thinnest.extent, wkClosingRadius(&spacing));
    }
    return wk_ok;
}
