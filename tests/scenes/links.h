// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The links of a mobile manipulator with two arms, as bodies to place: 88 of them, every other one a
// mesh, in random positions of its joints.

#include "mesh_models.h"
#include "rng.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WK_LINK_COUNT 88

typedef struct wkLink {
    int parent;     // -1: the base
    wkVec3d offset; // from the frame of the parent
    int axis;       // of the joint: 0, 1, 2
    double limit;   // the joint turns by up to that much either way; 0: it is fixed
    wkShape shape;  // of links that are no meshes
    wkModel model;  // of the others
    bool isMesh;
} wkLink;

typedef struct wkLinks {
    wkLink links[WK_LINK_COUNT];
    int count;
} wkLinks;

// False when memory is short; free it in either case.
bool wkLinks_Make(wkLinks* links);
void wkLinks_Free(wkLinks* links);

// All links with random joints, the base at `position`.
void wkLinks_Pose(const wkLinks* links, wkRng* rng, wkVec3d position, wkPose poses[WK_LINK_COUNT]);

#ifdef __cplusplus
}
#endif
