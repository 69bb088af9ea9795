// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One sphere against the points of a cloud: what cloud_points_kernel.h does with eight boxes or points at a time, by the
// same operations, so that the results are the same. Nothing may be fused. Code of this header is C, C++ and CUDA.

#include "base/bit_rows.h"
#include "batch/field_cloud_view.h"
#include "tree/cloud/cloud_block.h"

// A sphere among the points of a cloud.
typedef struct wkCloudSphere {
    float center[3]; // relative to the origin of the field
    float local[3];  // in the frame of the cloud
    float reach;     // of the sphere, with that of all points
    float square;    // reach squared
} wkCloudSphere;

WK_FN wkCloudSphere wkMakeCloudSphere(const wkFieldCloud* cloud, const float center[3], float reach)
{
    wkVec3d local =
        wkFrameLocal(&cloud->frame, wkVec((double)center[0], (double)center[1], (double)center[2]));
    wkCloudSphere sphere = {{center[0], center[1], center[2]},
                            {(float)local.x, (float)local.y, (float)local.z},
                            reach,
                            reach * reach};
    return sphere;
}

// Returns how far a coordinate is outside a range.
WK_FN float wkOutsideRange(float lower, float upper, float at)
{
    float below = lower - at, above = at - upper;
    float out = below > above ? below : above;
    return out > 0.0f ? out : 0.0f;
}

// Returns the boxes of an octet that the sphere meets.
WK_FN uint32_t wkCloudSphere_Boxes(const wkCloudSphere* sphere, const wkCloudOctet* octet)
{
    uint32_t near = 0;
    for (int i = 0; i < WK_OCTET; ++i) {
        float x = wkOutsideRange(octet->lower[0][i], octet->upper[0][i], sphere->center[0]);
        float y = wkOutsideRange(octet->lower[1][i], octet->upper[1][i], sphere->center[1]);
        float z = wkOutsideRange(octet->lower[2][i], octet->upper[2][i], sphere->center[2]);
        float square = x * x + y * y + z * z;
        near |= square > sphere->square ? 0u : 1u << i;
    }
    return near;
}

// Returns whether the sphere touches a point of a group. Slots behind the last point repeat it.
WK_FN bool wkCloudSphere_TouchesGroup(const wkCloudSphere* sphere, const wkCloud* cloud,
                                      uint32_t group)
{
    const wkPointGroup* points = &wkCloudGroups(cloud)[group];
    const float* radii = wkCloudFloats(cloud, cloud->radiusOffset);
    uint32_t last = (uint32_t)cloud->pointCount - 1;
    bool touches = false;
    for (uint32_t i = 0; i < WK_OCTET; ++i) {
        float x = points->x[i] - sphere->local[0], y = points->y[i] - sphere->local[1];
        float z = points->z[i] - sphere->local[2], limit = sphere->square;
        if (radii != NULL) {
            uint32_t rank = group * WK_OCTET + i;
            float reach = radii[rank < last ? rank : last] + sphere->reach;
            limit = reach * reach;
        }
        touches = touches || !((x * x + y * y) + z * z > limit);
    }
    return touches;
}

// Returns whether the sphere touches a point in a box of an octet.
// @param near the boxes of the octet that matter
WK_FN bool wkCloudSphere_TouchesOctet(const wkCloudSphere* sphere, const wkFieldCloud* cloud,
                                      uint32_t octet, int top, uint32_t near)
{
    uint8_t waiting[WK_CLOUD_LEVELS]; // boxes of the octets above the current one
    int level = top;
    uint32_t at = octet - (uint32_t)cloud->firsts[level]; // in its level
    for (;;) {
        if (near == 0) {
            if (level == top) {
                return false;
            }
            ++level;
            at /= WK_OCTET;
            near = waiting[level];
            continue;
        }
        uint32_t child = at * WK_OCTET + (uint32_t)wkLowestBit(near);
        near &= near - 1;
        if (level > 0) {
            waiting[level] = (uint8_t)near;
            --level;
            at = child;
            near =
                wkCloudSphere_Boxes(sphere, &cloud->octets[(uint32_t)cloud->firsts[level] + child]);
        } else if (wkCloudSphere_TouchesGroup(sphere, cloud->cloud, child)) {
            return true;
        }
    }
}

// Returns whether a sphere with its center in a brick that has a list touches the cloud: wkFieldCloud_Touches.
WK_FN bool wkFieldCloudItem_Touches(const wkFieldCloud* cloud, int32_t brick, const float center[3],
                                    float radius)
{
    float reach = radius + cloud->sphere + cloud->slack;
    if (reach < 0.0f) {
        return false;
    }
    // NaN touches
    wkCloudSphere sphere = wkMakeCloudSphere(cloud, center, reach);
    uint32_t end = cloud->bricks[brick + 1];
    for (uint32_t i = cloud->bricks[brick]; i < end; ++i) {
        const wkCloudEntry* entry = &cloud->entries[i];
        uint32_t near = wkCloudSphere_Boxes(&sphere, &cloud->octets[entry->octet]) & entry->mask;
        if (near != 0 &&
            wkCloudSphere_TouchesOctet(&sphere, cloud, entry->octet, entry->level, near)) {
            return true;
        }
    }
    return false;
}
