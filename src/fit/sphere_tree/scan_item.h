// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One point and one sphere of a scan: what the CPU and other devices compute alike, so that their answers have the
// same bits. Code of this header is C, C++ and CUDA.

#include "fit/sphere_tree/sphere_tree_impl.h"
#include "math/frame.h"
#include "tree/cloud/cloud_view.h"

// Distances beyond it are not found.
#define WK_SCAN_REACH 1e15

// Bound of all rounding of a float distance, relative to the largest number that occurs: 32 units in the last
// place, where differences, a rotation and a length take about 12.
#define WK_SCAN_ROUNDING 0x1p-19f

// A hierarchy of spheres where it is among the points.
typedef struct wkPlacedSpheres {
    const wkSphereNode* nodes;
    const wkSphereF* spheres;
    const wkSphereSet* set; // their bounds
    wkFrame frame;          // of the tree in the frame of the points
    float rows[3][3];       // rotation to the frame of the tree
    float start[3];         // its origin, relative to that of the scan
} wkPlacedSpheres;

// The nearest pair of a hierarchy, by distance, then point, then sphere.
typedef struct wkScanBest {
    double distance;
    int64_t point; // WK_SCAN_NONE: none
    int32_t sphere;
} wkScanBest;

#define WK_SCAN_NONE INT64_MAX

WK_FN bool wkIsBetterPair(const wkScanBest* a, const wkScanBest* b)
{
    if (a->distance != b->distance) {
        return a->distance < b->distance;
    }
    return a->point != b->point ? a->point < b->point : a->sphere < b->sphere;
}

// Position of a point, in the frame of the points.
WK_FN wkVec3d wkScanPosition(const wkCloudLayout* layout, int64_t index)
{
    const char* point = layout->data + index * layout->stride;
    double p[3];
    for (int axis = 0; axis < 3; ++axis) {
        const char* bytes = point + layout->offsets[axis];
        p[axis] = layout->isDouble ? wkDoubleAt(bytes) : (double)wkFloatAt(bytes);
    }
    return wkVec(p[0], p[1], p[2]);
}

// The radius that a point has by itself, which may be no valid one; 0: it has none.
WK_FN float wkScanOwnRadius(const wkCloudLayout* layout, int64_t index)
{
    return layout->radiusOffset >= 0
               ? wkFloatAt(layout->data + index * layout->stride + layout->radiusOffset)
               : 0.0f;
}

WK_FN bool wkIsScanRadius(float own)
{
    return own >= 0.0f && (double)own <= WK_SCAN_REACH;
}

// The distance of a point from a sphere, in doubles; `local` is the point in the frame of the tree.
WK_FN double wkDistanceToSphere(const wkSphereF* sphere, wkVec3d local)
{
    return wkLength(wkSub(local, wkCenterOfSphere(sphere))) - (double)sphere->radius;
}
