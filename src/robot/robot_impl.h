// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a robot is made of. Links that fixed joints hold together move as one: a rigid group. Kinematics
// goes from rigid group to rigid group; links and bodies have a constant pose in theirs.

#include "math/frame.h"
#include "tree/content.h"
#include "whisker/robot.h"

// A frame that moves, and the joint that moves it. Rigid group 0 is the root, without a joint.
typedef struct wkRigidGroup {
    int32_t parent;   // another rigid group, with a lower number; -1 for the root
    int32_t joint;    // -1 for the root
    wkJointType type; // that of the joint
    int32_t variable; // the first of the joint, or of the joint that it mimics
    double factor;    // the joint stands at factor * q + offset
    double offset;
    wkPose origin; // where the joint is in the frame of the parent; its rotation of unit length
    wkVec3d axis;  // of unit length, in the frame of the joint
    // the same as kinematics wants it, in the frame of the parent:
    wkQuat axisRotation; // half a turn about the axis, after the rotation of the origin
    wkVec3d translation
        [3]; // where the lengths of the joint lead: its axis (prismatic), the x and y of its
             // plane, its x, y and z (floating)
} wkRigidGroup;

// Rigid groups side by side for lanes; see rigid_group_blocks.c.
#define WK_RIGID_GROUP_LANES 8
typedef struct wkRigidGroupBlock wkRigidGroupBlock;

typedef struct wkRobotLink {
    wkLinkInfo info;
    int32_t rigidGroup;
    bool isGroupFrame; // it is where its rigid group is: `pose` is the identity
    wkPose pose;       // in the frame of the rigid group
} wkRobotLink;

typedef struct wkRobotBody {
    wkBodyInfo info; // its shape is the one below
    wkShape shape;
    int32_t rigidGroup;
    wkPose pose;           // in the frame of the rigid group
    wkVec3d middle;        // of a box around the shape with its padding, in the frame of the body
    wkVec3d half;          // half the edges of that box; infinite for shapes without end
    wkHull* hull;          // around a mesh, or NULL; bodies with one mesh share it
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
    wkRigidGroupBlock* rigidGroupBlocks; // all rigid groups but the root
    wkVariableInfo* variables;
    wkRobotBody* bodies;
    wkGroupInfo* groups;
    wkNamedStateInfo* states;
    wkEndEffectorInfo* endEffectors;
    wkDisabledPairInfo* disabledPairs;
    wkMesh** meshes;
    wkHull** hulls;
    int32_t rigidGroupCount;
    int32_t meshCount;
    int32_t hullCount;
};

// The hull of a mesh, for its owner to destroy; NULL for a mesh without triangles, with more vertices
// than that, or without a hull.
// @return false: no memory
bool wkHullAroundMesh(const wkMesh* mesh, int32_t maxVertexCount, wkHull** hull);

// Makes the hulls of bodies, or none at all.
// @return wk_errorMemory
wkResult wkMakeBodyHulls(wkRobot* robot);

void wkFreeBodyHulls(wkRobot* robot);

// Where all rigid groups are. Nothing is checked: what is not finite stays so.
void wkPlaceRigidGroups(const wkRobot* robot, wkPose base, const double* q, wkPose* rigidGroups);
