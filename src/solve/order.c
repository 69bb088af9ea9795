// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The rare part of the order.

#include "solve/order.h"

#include <string.h>

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

bool wkIsAfterByRest(const wkShape* a, const wkPose* poseA, const wkShape* b, const wkPose* poseB)
{
    int order = compare(poseA->position.y, poseB->position.y);
    order = order != 0 ? order : compare(poseA->position.z, poseB->position.z);
    order = order != 0 ? order : memcmp(&poseA->rotation, &poseB->rotation, sizeof poseA->rotation);
    order = order != 0 ? order : memcmp(a, b, sizeof *a);
    return order > 0;
}
