// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Eight boxes of the world in the frame of a body whose content culls them: for SIMD kernels.

#include "math/frame.h"
#include "simd/eight.h"

// Replaces boxes by axis-aligned ones in the frame of a body: centers and halves.
WK_FORCE_FN void wkRotateBoxes(const wkMat3d* worldFromBody, wkEight middle[3], wkEight half[3])
{
    const wkVec3d axes[3] = {worldFromBody->x, worldFromBody->y, worldFromBody->z};
    wkEight rotated[3], wide[3];
    for (int k = 0; k < 3; ++k) {
        wkEight x = wkSplat8((float)axes[k].x), y = wkSplat8((float)axes[k].y);
        wkEight z = wkSplat8((float)axes[k].z);
        rotated[k] =
            wkAdd8(wkAdd8(wkMul8(x, middle[0]), wkMul8(y, middle[1])), wkMul8(z, middle[2]));
        wide[k] = wkAdd8(wkAdd8(wkMul8(wkAbs8(x), half[0]), wkMul8(wkAbs8(y), half[1])),
                         wkMul8(wkAbs8(z), half[2]));
    }
    for (int k = 0; k < 3; ++k) {
        middle[k] = rotated[k];
        half[k] = wide[k];
    }
}
