// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Memory layout of a sphere tree: one block that starts with this header; the arrays follow at byte offsets.
// Inner and outer spheres have the same form: spheres as floats, and nodes of eight slots over them.

#include "base/block.h"
#include "math/round.h"
#include "math/vec.h"
#include "whisker/sphere_tree.h"

#define WK_SPHERE_TREE_MAGIC 0x687073656b6b6877u // "whkkesph"
#define WK_SPHERE_TREE_VERSION 1u

// Coordinates and radii are within it: floats that are this far apart have finite squares.
#define WK_SPHERE_REACH 1e15

#define WK_MOST_INNER 1000000

#define WK_SPHERE_WIDTH 8

// Steps from the root to the deepest slot: enough for 8^8 spheres.
#define WK_SPHERE_MAX_DEPTH 8

// A sphere in the frame of the tree.
typedef struct wkSphereF {
    float x, y, z;
    float radius;
} wkSphereF;

WK_FN wkVec3d wkCenterOfSphere(const wkSphereF* sphere)
{
    return wkVec((double)sphere->x, (double)sphere->y, (double)sphere->z);
}

// A sphere of radius 0 about the floats nearest to a centre.
WK_FN wkSphereF wkSphereAbout(wkVec3d center)
{
    wkSphereF sphere = {(float)center.x, (float)center.y, (float)center.z, 0.0f};
    return sphere;
}

// A slot of a node: a sphere, or a node whose spheres the slot bounds.
#define WK_SPHERE_LEAF 0x80000000u  // with the index of the sphere
#define WK_SPHERE_EMPTY 0xffffffffu // its radius is minus infinity: nothing is near

typedef struct wkSphereNode {
    float x[WK_SPHERE_WIDTH];
    float y[WK_SPHERE_WIDTH];
    float z[WK_SPHERE_WIDTH];
    float radius[WK_SPHERE_WIDTH];
    uint32_t link[WK_SPHERE_WIDTH];
    uint32_t padding[WK_SPHERE_WIDTH]; // to whole cache lines
} wkSphereNode;

// The spheres of one kind.
typedef struct wkSphereSet {
    int32_t count;
    int32_t nodeCount;     // at least 1
    uint64_t sphereOffset; // wkSphereF[count]
    uint64_t nodeOffset;   // wkSphereNode[nodeCount]; the first is the root, and links lead forward
    wkSphereF around;      // of all spheres; radius minus infinity where there are none
    float lower[3];        // box around all spheres
    float upper[3];
    float reach; // largest coordinate with its radius
    uint32_t padding;
} wkSphereSet;

// Kinds of spheres.
typedef enum wkSphereKind {
    wk_spheresInner = 0,
    wk_spheresOuter = 1,
} wkSphereKind;
#define WK_SPHERE_KIND_COUNT 2

struct wkSphereTree {
    uint64_t magic;
    uint32_t version;
    uint32_t headerBytes;
    uint64_t byteCount;
    uint64_t checksum; // of everything behind it
    wkSphereSet sets[WK_SPHERE_KIND_COUNT];
    double volume;
    double innerVolume;
    double protrusion;
    wkSphere3d around; // of the body
    uint8_t isWatertight;
    uint8_t padding[7];
};

WK_FN const wkSphereF* wkSpheresOf(const wkSphereTree* tree, wkSphereKind kind)
{
    return (const wkSphereF*)((const char*)tree + tree->sets[kind].sphereOffset);
}

WK_FN const wkSphereNode* wkSphereNodesOf(const wkSphereTree* tree, wkSphereKind kind)
{
    return (const wkSphereNode*)((const char*)tree + tree->sets[kind].nodeOffset);
}

WK_FN bool wkIsSphereSlot(uint32_t link)
{
    return (link & WK_SPHERE_LEAF) != 0;
}

// Number of nodes over this many spheres.
int32_t wkPlanSphereNodes(int32_t sphereCount);

// Builds the nodes over spheres, and what bounds them.
// @param nodes array of wkPlanSphereNodes(count)
// @return false: no memory
bool wkBuildSphereNodes(const wkSphereF* spheres, int32_t count, wkSphereNode* nodes,
                        wkSphereSet* set);

void wkSealSphereTree(wkSphereTree* tree);
