// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Two shapes: do they touch, how far apart are they, and where are they closest?

#include "whisker/whisker.h"

#include <stdio.h>

static void printPoint(const char* label, wkVec3d p)
{
    printf("  %-10s (%.3f, %.3f, %.3f)\n", label, p.x, p.y, p.z);
}

int main(void)
{
    // Shapes are plain values: nothing to free. Sizes are in metres.
    wkShape box = wkMakeBox(1.0, 2.0, 3.0);
    wkShape sphere = wkMakeSphere(0.5);
    wkPose boxPose = wkIdentityPose();

    // Slide the sphere towards the box and then into it.
    const double offsets[] = {3.0, 1.25, 0.75};
    for (int i = 0; i < 3; i++) {
        wkPose spherePose = wkMakePose(offsets[i], 0.25, 0.0);
        wkDistanceResult gap = wkDistance(&box, boxPose, &sphere, spherePose, NULL);
        wkCollideResult touch = wkCollide(&box, boxPose, &sphere, spherePose, NULL);

        // Touching counts as a collision. The distance is signed: negative by the depth inside.
        printf("sphere at x = %.2f: %s, distance %.3f\n", offsets[i],
               touch.isTouching ? "touching" : "free", gap.distance);
        printPoint("on the box", gap.pointA);
        printPoint("on the sphere", gap.pointB);
        printPoint("normal", gap.normal);
    }

    // Bad parameters never pass silently: the shape is of type none, and the reason can be printed.
    wkShape bad = wkMakeSphere(-1.0);
    if (wkShape_Check(&bad) != wk_ok) {
        wkCollideResult verdict = wkCollide(&box, boxPose, &bad, boxPose, NULL);
        printf("a sphere of radius -1 is refused; a query with it says: %s, %s\n",
               verdict.isTouching ? "touching" : "free", wkStatusName(verdict.status));
    }
    return 0;
}
