// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Moves many points of a scan.

#include "tree/octree/octree_ray.h"

void wkMovePiece(const wkGridRaySource* source, wkPiece* piece, int32_t count)
{
    // local copies: the compiler then knows that no store changes them
    const float q[4] = {source->rotation[0], source->rotation[1], source->rotation[2],
                        source->rotation[3]};
    const float shift[3] = {source->shift[0], source->shift[1], source->shift[2]};
    for (int32_t i = 0; i < count; ++i) {
        wkMoveFloats(q, shift, &piece->x[i], &piece->y[i], &piece->z[i]);
    }
}
