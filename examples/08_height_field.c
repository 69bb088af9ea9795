// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Height fields: the wheel of a rover rolls over a bump. It is lowered until it touches the ground, and the
// contacts are printed.

#include "whisker/whisker.h"

#include <math.h>
#include <stdio.h>

#define COLUMNS 61
#define ROWS 21

int main(void)
{
    // six metres by two, a smooth bump half way, everything solid down to half a metre below
    double heights[ROWS * COLUMNS];
    for (int row = 0; row < ROWS; row++) {
        for (int column = 0; column < COLUMNS; column++) {
            double x = 0.1 * column - 3.0;
            heights[row * COLUMNS + column] = 0.3 * exp(-4.0 * x * x);
        }
    }
    wkHeightFieldDef def = wkDefaultHeightFieldDef();
    def.heights = heights;
    def.columns = COLUMNS;
    def.rows = ROWS;
    def.sizeX = 6.0;
    def.sizeY = 2.0;
    def.minHeight = -0.5;
    wkHeightField* field = NULL;
    if (wkHeightField_Create(&def, &field) != wk_ok) {
        fprintf(stderr, "%s\n", wkGetLastError());
        return 1;
    }
    wkShape ground = wkMakeHeightField(field);
    wkPose groundPose = wkIdentityPose();

    // The axle of the wheel is along y: a cylinder along z, rotated about x.
    wkShape wheel = wkMakeCylinder(0.25, 0.15);
    for (int step = 0; step < 7; step++) {
        double x = -1.5 + 0.5 * step;
        wkPose pose = wkMakePoseRpy((wkVec3d){x, 0.02, 2.0}, 1.5707963267948966, 0.0, 0.0);

        // Safe steps: a body that moves by its distance or less cannot pass through anything.
        for (int fall = 0; fall < 200; fall++) {
            double gap = wkDistance(&ground, groundPose, &wheel, pose, NULL).distance;
            if (gap < 1e-6) {
                break;
            }
            pose.position.z -= gap;
        }

        wkContact contact;
        wkCollideRequest request = wkDefaultCollideRequest();
        request.margin = 1e-4;
        request.contacts = &contact;
        request.contactCapacity = 1;
        wkCollide(&ground, groundPose, &wheel, pose, &request);
        double slope = atan2(-contact.normal.x, contact.normal.z) * 180.0 / 3.14159265358979;
        slope = rint(slope) + 0.0; // no minus before a zero
        printf("x = %4.1f: axle at %.3f m, touches at x = %5.2f, ground rises by %3.0f degrees\n",
               x, pose.position.z, contact.point.x, slope);
    }

    // What is below the surface is inside.
    wkVec3d stone = {1.0, 0.0, -0.25}, bird = {1.0, 0.0, 0.5};
    printf("a stone is %s the ground, a bird is %s it\n",
           wkShape_ContainsPoint(&ground, groundPose, stone) ? "in" : "out of",
           wkShape_ContainsPoint(&ground, groundPose, bird) ? "in" : "above");
    wkHeightField_Destroy(field);
    return 0;
}
