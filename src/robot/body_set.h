// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The body set: everything that moves with a robot, its bodies first and then the shapes it holds, with
// padding, and which pairs of them are looked at. A body set never changes: the scene makes another one
// when its robot, paddings, rules or attached objects change. Queries read.

#include "robot/kinematics.h"
#include "robot/state.h"
#include "whisker/robot_scene.h"

typedef struct wkCollisionBody {
    wkShape shape;       // with the padding of the scene
    wkShape hull;        // around a mesh, checked before it; wk_shapeNone: there is none
    wkShape looseHull;   // around any mesh; likewise
    wkPose inRigidGroup; // where it is in the frame of its rigid group
    wkPose inLink;       // and of the link that carries it
    wkVec3d middle;      // of a box around it, in its own frame; negative padding is left out
    wkVec3d half;        // half the edges of that box; infinite for shapes without end
    bool isEmpty;        // there is nothing to touch, such as a mesh without triangles
    int32_t rigidGroup;  // what moves it
    int32_t link;        // what carries it
    int32_t side;  // the link, or linkCount + number of the attached object: who is who in pairs
    int32_t index; // number of the body, or of the shape within its object
} wkCollisionBody;

// An object that the robot holds.
typedef struct wkAttachedPart {
    const char* name;          // for the rules about pairs
    wkPose inLink;             // where it is in the frame of its link
    const wkShape* shapes;     // copied; hulls and meshes are borrowed
    const wkPose* poses;       // of the shapes in the frame of the object; NULL: identity
    const int32_t* touchLinks; // other links that may touch it
    int32_t number;            // that sides are named by
    int32_t link;              // what carries it; they may touch
    int32_t shapeCount;        // at least 1
    int32_t touchLinkCount;    // number of touch links
} wkAttachedPart;

// What a body set is made from. Everything is copied but hulls, meshes and the robot.
typedef struct wkBodySetDef {
    const wkRobot* robot;
    const wkAllowed* allowed; // rules about the names of links and attached objects; NULL: none
    const double* paddings;   // one for each link, on top of that of its shapes; NULL: none
    const wkAttachedPart* attached; // objects on the same link may touch each other
    int32_t attachedCount;
    wkVec3d origin; // boxes are relative to it
} wkBodySetDef;

// Eight bodies side by side, for lanes; see body_kernel.c. What carries them is their rigid group or link.
typedef struct wkBodyLanes {
    float axes[3][3][WK_BODY_LANES]; // columns: the axes of the body in the frame of its carrier
    float middle[3][WK_BODY_LANES];  // of the box, in the frame of the carrier
    float half[3][WK_BODY_LANES];    // half the edges of the box
    float slack[WK_BODY_LANES];      // what rounding may do to a box; infinite for shapes without
                                     // end, minus infinite where there is nothing
    int32_t carriers[WK_BODY_LANES]; // numbers of rigid groups or links; 0 where there is no body
} wkBodyLanes;

// A body whose geometry can change, and what it was when box and hull were computed.
typedef struct wkBodyMark {
    wkContentMark content;
    int32_t body;
} wkBodyMark;

// One block of memory.
typedef struct wkBodySet {
    const wkRobot* robot;
    size_t byteCount;
    int32_t count;
    int32_t wordCount;       // words of a row below
    wkCollisionBody* bodies; // bodies in the order of the robot, then attached shapes
    wkBodyLanes* groups;     // the same, all but shapes and poses
    wkBodyLanes* onLinks;    // and these in the frames of links instead of rigid groups
    uint64_t* checked;       // row i, bit j: the pair is looked at; symmetric
    uint64_t* asked;         // row i, bit j: and then somebody decides about its contacts
    double* paddings;        // of the links, as given
    wkBodyMark* marks;       // of bodies whose geometry can change
    int32_t markCount;
    wkVec3d origin; // boxes are relative to it
} wkBodySet;

// @param body set set to NULL on failure
// @return wk_errorMemory; wk_errorRange: more shapes are attached than states have room for
wkResult wkBodySet_Create(const wkBodySetDef* def, wkBodySet** bodySet);

void wkBodySet_Destroy(wkBodySet* bodySet);

// Boxes of all bodies, into `placed` of the state.
void wkPlaceBodySet(const wkBodySet* bodySet, wkRobotState* state);

// Where a body is in the world. Few are asked for when boxes have been looked at, so they are not
// kept.
WK_FN wkPose wkBodyPose(const wkBodySet* bodySet, const wkRobotState* state, int32_t body)
{
    const wkCollisionBody* m = &bodySet->bodies[body];
    return WK_UNLIKELY(state->hasGivenLinks)
               ? wkMulUnitPose(&state->links[m->link], &m->inLink)
               : wkMulUnitPose(&state->rigidGroups[m->rigidGroup], &m->inRigidGroup);
}

// A convex shape around a body: itself, or the hull of its mesh; NULL: there is none.
const wkShape* wkConvexAround(const wkCollisionBody* body);

// Whether convex shapes around two bodies tell that these are further apart than `margin`. False says
// nothing.
bool wkAreHullsApart(const wkShape* hullA, wkPose poseA, const wkShape* hullB, wkPose poseB,
                     double margin);

// A box as it is turned.
typedef struct wkOrientedBox {
    wkMat3d axes;
    wkVec3d middle; // in the world
    wkVec3d half;   // half its edges; infinite ones meet everything
} wkOrientedBox;

wkOrientedBox wkOrientedBoxOf(const wkCollisionBody* body, const wkPose* pose);

// Whether two boxes are further apart than the margin along an axis of one of them.
// @param size sum of the sizes of coordinates that the boxes were made from
bool wkAreBoxesApart(const wkOrientedBox* a, const wkOrientedBox* b, double margin, double size);

// Whether two bodies touch, as wkCollide has it; sooner where they have hulls.
// @param margin touching means signed distance <= margin
bool wkCollideBodies(const wkCollisionBody* a, wkPose poseA, const wkCollisionBody* b, wkPose poseB,
                     double margin, wkStatus* status);

WK_FN bool wkIsCheckedPair(const wkBodySet* bodySet, int32_t a, int32_t b)
{
    return (bodySet->checked[(size_t)a * (size_t)bodySet->wordCount + (size_t)b / 64] >> (b % 64) &
            1) != 0;
}

WK_FN bool wkIsAskedPair(const wkBodySet* bodySet, int32_t a, int32_t b)
{
    return (bodySet->asked[(size_t)a * (size_t)bodySet->wordCount + (size_t)b / 64] >> (b % 64) &
            1) != 0;
}

// A pair of bodies whose boxes come within reach of each other.
// @return false to stop
typedef bool wkBodyPairFcn(int32_t a, int32_t b, void* context);

// Visits the checked pairs (a < b) whose boxes are no further apart than `margin` and the `reach` of
// both bodies together. Those that are likely to touch come first.
// @param margin any sign; below zero it counts as zero, as depths may be larger than those of boxes
// @param reach one number for each body, >= 0; NULL: none
// @return false when it was stopped
bool wkVisitBodyPairs(const wkBodySet* bodySet, const wkRobotState* state, double margin,
                      const float* reach, wkBodyPairFcn* fcn, void* context);

// The same in order of the gaps between boxes, for the closest pair: those with a gap above `limit`,
// which may fall on the way, are left out.
bool wkVisitNearBodyPairs(const wkBodySet* bodySet, const wkRobotState* state, const double* limit,
                          wkBodyPairFcn* fcn, void* context);
