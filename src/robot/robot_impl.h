// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Memory layout of a robot. Links joined by fixed joints form a rigid group, which moves as one. Kinematics
// goes from rigid group to rigid group; links and bodies have a constant pose in theirs.

#include "math/frame.h"
#include "query/pair/content_mark.h"
#include "whisker/robot.h"

// A moving frame and its joint. Rigid group 0 is the root, without a joint.
typedef struct wkRigidGroup {
    int32_t parent;   // another rigid group, with a lower number; -1 for the root
    int32_t joint;    // -1 for the root
    wkJointType type; // type of the joint
    int32_t variable; // first variable of the joint, or of the joint that it mimics
    double factor;    // the value of the joint is factor * q + offset
    double offset;
    wkPose origin; // pose of the joint in the frame of the parent; unit quaternion
    wkVec3d axis;  // of unit length, in the frame of the joint
    // precomputed for kinematics, in the frame of the parent:
    wkQuat axisRotation; // half a revolution about the axis, after the rotation of the origin
    wkVec3d translation
        [3]; // directions of the joint's lengths: its axis (prismatic), the x and y of its
             // plane, its x, y and z (floating)
} wkRigidGroup;

// Rigid groups in blocks for SIMD kernels; see rigid_group_blocks.c.
#define WK_RIGID_GROUP_LANES 8
typedef struct wkRigidGroupBlock wkRigidGroupBlock;

typedef struct wkRobotLink {
    wkLinkInfo info;
    int32_t rigidGroup;
    bool isGroupFrame; // its frame is that of its rigid group: `pose` is the identity
    wkPose pose;       // in the frame of the rigid group
} wkRobotLink;

typedef struct wkRobotBody {
    wkBodyInfo info; // its shape points to `shape`
    wkShape shape;
    int32_t rigidGroup;
    wkPose pose;           // in the frame of the rigid group
    wkVec3d middle;        // of a box around the shape with its padding, in the frame of the body
    wkVec3d half;          // half the edges of that box; infinite for unbounded shapes
    wkHull* hull;          // around a mesh, or NULL; bodies with the same mesh share a hull
    double hullSlack;      // metres by which the mesh may stick out of the hull
    bool checksHull;       // the hull is checked before the mesh
    wkContentMark content; // of the shape that hull and box were computed from
} wkRobotBody;

// One block of memory; the arrays and all strings follow it.
struct wkRobot {
    wkRobotInfo info;
    size_t blockByteCount;
    wkRobotLink* links;
    wkJointInfo* joints;
    wkRigidGroup* rigidGroups;
    wkRigidGroupBlock* rigidGroupBlocks; // all rigid groups except the root
    wkVariableInfo* variables;
    wkRobotBody* bodies;
    wkGroupInfo* groups;
    wkNamedStateInfo* states;
    wkEndEffectorInfo* endEffectors;
    wkDisabledPairInfo* disabledPairs;
    wkMesh** meshes; // adopted, in memory of their own together with `hulls`; NULL: none
    wkHull** hulls;
    int32_t rigidGroupCount;
    int32_t meshCount;
    int32_t hullCount;
};

// Computes the hull of a mesh; the caller owns it. The hull is NULL for a mesh without triangles, with
// more than `maxVertexCount` vertices, or without a hull.
// @return false: no memory
bool wkHullAroundMesh(const wkMesh* mesh, int32_t maxVertexCount, wkHull** hull);

// Makes the hulls of all bodies, or none on failure.
// @return wk_errorMemory
wkResult wkMakeBodyHulls(wkRobot* robot);

void wkFreeBodyHulls(wkRobot* robot);

// Computes the poses of all rigid groups. Nothing is checked: values that are not finite give such poses.
void wkPlaceRigidGroups(const wkRobot* robot, wkPose base, const double* q, wkPose* rigidGroups);
