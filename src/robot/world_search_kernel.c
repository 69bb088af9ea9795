// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Tests eight bodies of a robot against one box.

#include "robot/world_search.h"
#include "simd/eight.h"

extern wkMeetGroupFcn WK_KERNEL(wkMeetGroup);

unsigned WK_KERNEL(wkMeetGroup)(const wkEightBoxes* group, const wkFloatBox* box)
{
    // not above on every axis: lanes without a body begin at infinity
    unsigned lanes = 0xffu;
    for (int axis = 0; axis < 3; ++axis) {
        lanes &= wkNotAbove8(wkLoad8(group->lower[axis]), wkSplat8(box->upper[axis]));
        lanes &= wkNotAbove8(wkSplat8(box->lower[axis]), wkLoad8(group->upper[axis]));
    }
    return lanes;
}
