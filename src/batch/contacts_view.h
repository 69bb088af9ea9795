// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What kernels read of the spheres that can touch, see batch_contacts.h. The common subset of C, C++ and CUDA.

#include "base/view_block.h"

// A sphere of the second part of a pair, and the spheres of the first part that it can touch.
typedef struct wkContactGroup {
    int32_t sphere;
    int32_t first, count; // in `spheres`
} wkContactGroup;

// A sphere in the frame of a rigid group.
typedef struct wkContactSphere {
    float x, y, z, radius;
} wkContactSphere;

// Result for a pair of parts.
typedef struct wkPairContacts {
    int32_t firstGroup, groupCount; // count 0: the parts never touch
    bool areAll;                    // unknown: all spheres can touch
    bool isTighter; // spheres around those that can touch are smaller than around the parts
    wkContactSphere around[2]; // these spheres, for either part
} wkPairContacts;

// A view of a block (base/view_block.h), which may be copied to another address or device as it is.
typedef struct wkContacts {
    // Numbers, stored in the block.
    double margin; // touching means distance <= margin
    int32_t pairCount;
    int32_t liveCount;
    int32_t groupCount;
    int32_t sphereCount;

    // Arrays in the block.
    wkPairContacts* pairs; // one for each pair of the program
    int32_t* live;         // numbers of pairs that can touch at all; capacity for all pairs
    wkContactGroup* groups;
    int32_t* spheres;

    wkBlockHead* block; // owned by contacts of wkContacts_Create
    size_t byteCount;   // of the block
} wkContacts;
