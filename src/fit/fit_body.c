// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Comparison of bodies.

#include "fit/fit_surface.h"
#include "query/pair/shape_class.h"

#include <string.h>

static bool areShapesAlike(const wkShape* a, const wkShape* b)
{
    size_t byteCount = wkShapeFactsOf(a)->byteCount;
    return a->type == b->type && a->rounding == b->rounding && a->padding == b->padding &&
           byteCount > 0 && memcmp(&a->sphere, &b->sphere, byteCount) == 0;
}

bool wkAreBodiesAlike(const wkFitBody* a, const wkFitBody* b, int32_t count)
{
    for (int32_t i = 0; i < count; ++i) {
        if (!areShapesAlike(a[i].shape, b[i].shape) ||
            memcmp(&a[i].pose, &b[i].pose, sizeof a[i].pose) != 0) {
            return false;
        }
    }
    return true;
}
