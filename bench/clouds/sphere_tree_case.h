// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The task of Kaluschke and others: a robot of seven links, filled with 15,000 spheres, in a room that a depth camera
// sees. The peers have the same spheres in the frame of the room: a kd-tree over their centres that every point
// searches with the best distance so far, and all pairs.

#include "whisker/sphere_tree.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WK_IST_LINKS 7
#define WK_IST_SPHERES 15000

// A sphere in the room, as all peers have it.
typedef struct wkRoomLinkSphere {
    float x, y, z;
    float radius;
} wkRoomLinkSphere;

// A node of the peer's tree: either two nodes, or the spheres from `first` on.
typedef struct wkPeerNode {
    float lower[3], upper[3]; // of the centres
    float maxRadius;
    int first, count; // count 0: an inner node
    int children[2];
} wkPeerNode;

typedef struct wkSphereTreeCase {
    wkSphereTree* trees[WK_IST_LINKS];
    wkPlacedSphereTree placed[WK_IST_LINKS];
    wkRoomLinkSphere* spheres; // sorted for the tree of the peer
    int sphereCount;
    wkPeerNode* nodes;
    int nodeCount;
    float* points; // x, y, z
    int pointCount;
    // results of the last pass
    wkSphereTreeResult results[WK_IST_LINKS];
    double ours, tree, brute;
} wkSphereTreeCase;

// Packs the spheres of the links; false with a message on stderr.
bool wkSphereTreeCase_Open(wkSphereTreeCase* c);
void wkSphereTreeCase_Close(wkSphereTreeCase* c);

// Replaces the points by those of an image of the room.
bool wkSphereTreeCase_See(wkSphereTreeCase* c, int width, int height);

// The distance of all points from all spheres: ours, by a tree for each point, by all pairs.
void wkPassSphereTrees(void* context);
void wkPassPeerTree(void* context);
void wkPassAllPairs(void* context);

#ifdef __cplusplus
}
#endif
