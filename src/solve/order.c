// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The rare part of the order. It compares the values of a shape, not its address or padding bytes: the same
// query has the same answer in every run.

#include "solve/order.h"

#include "geom/hull_impl.h"

#include <string.h>

// Bytes of the numbers that make up a shape; a hull is compared by its content.
static const size_t numberBytes[WK_CONVEX_TYPE_COUNT] = {
    [wk_shapeSphere] = sizeof(wkSphere),
    [wk_shapeCapsule] = sizeof(wkCapsule),
    [wk_shapeBox] = sizeof(wkBox),
    [wk_shapeCylinder] = sizeof(wkCylinder),
    [wk_shapeCone] = sizeof(wkCone),
    [wk_shapeEllipsoid] = sizeof(wkEllipsoid),
    [wk_shapeTriangle] = sizeof(wkTriangle),
    [wk_shapeHull] = 0,
    [wk_shapeHalfspace] = sizeof(wkHalfspace),
    [wk_shapePlane] = sizeof(wkPlane),
};

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

int wkComparePoses(const wkShape* a, const wkPose* poseA, const wkShape* b, const wkPose* poseB)
{
    int order = compare(poseA->position.x, poseB->position.x);
    order = order != 0 ? order : compare(poseA->position.y, poseB->position.y);
    order = order != 0 ? order : compare(poseA->position.z, poseB->position.z);
    order = order != 0 ? order : memcmp(&poseA->rotation, &poseB->rotation, sizeof poseA->rotation);
    order = order != 0 ? order : compare(a->rounding, b->rounding);
    return order != 0 ? order : compare(a->padding, b->padding);
}

// The block of a hull holds no addresses, and zeros between its arrays.
static int compareHulls(const wkHull* a, const wkHull* b)
{
    if (a == b || a == NULL || b == NULL) {
        return (a != NULL) - (b != NULL);
    }
    uint32_t bytesA = a->byteCount, bytesB = b->byteCount;
    return bytesA != bytesB ? (bytesA > bytesB) - (bytesA < bytesB) : memcmp(a, b, bytesA);
}

bool wkIsAfterByRest(const wkShape* a, const wkPose* poseA, const wkShape* b, const wkPose* poseB)
{
    int order = wkComparePoses(a, poseA, b, poseB);
    if (order == 0) {
        order = a->type == wk_shapeHull ? compareHulls(a->hull, b->hull)
                                        : memcmp(&a->sphere, &b->sphere, numberBytes[a->type]);
    }
    return order > 0;
}
