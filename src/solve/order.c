// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The rare part of the order. It compares the values of a shape, not its address or padding bytes: the same
// query has the same answer in every run.

#include "solve/order.h"

#include "geom/hull_impl.h"

#include "whisker/detail/counts.h"

#include <string.h>

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
        const wkShapeFacts* facts = &wkConvexTable[a->type].facts;
        bool isBorrowed = facts->digest != NULL; // a hull is compared by its content
        order = isBorrowed ? compareHulls(a->hull, b->hull)
                           : memcmp(&a->sphere, &b->sphere, facts->byteCount);
    }
    return order > 0;
}
