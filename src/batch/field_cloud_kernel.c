// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A cloud in a clearance field, in lanes: bounds on its distance for the cells, and spheres among its points. Compiled
// once per instruction set.

#include "batch/cloud_points_kernel.h"
#include "batch/cloud_word_kernel.h"

extern const wkFieldCloudLanes WK_KERNEL(wkFieldCloudLanes);
const wkFieldCloudLanes WK_KERNEL(wkFieldCloudLanes) = {wkPlaceOctet,         wkBoundCube,
                                                        wkFillSlice,          wkMergeCloudWords,
                                                        wkTouchesCloudPoints, wkCloudPointDistance};
