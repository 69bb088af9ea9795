// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The body set: every collision body that moves with a robot (its own bodies, then the shapes of attached
// objects) with padding, and which pairs of them are checked. A body set never changes: the scene makes
// another one when its robot, paddings, rules or attached objects change. Queries only read it.

#include "robot/kinematics.h"
#include "robot/state.h"
#include "whisker/robot_scene.h"

typedef struct wkCollisionBody {
    wkShape shape;       // with the padding of the scene
    wkShape hull;        // around a mesh, checked before it; wk_shapeNone: there is none
    wkShape looseHull;   // around any mesh; wk_shapeNone: there is none
    wkPose inRigidGroup; // pose in the frame of its rigid group
    wkPose inLink;       // pose in the frame of the link that carries it
    wkVec3d middle;      // of a box around it, in its own frame; negative padding is left out
    wkVec3d half;        // half the edges of that box; infinite for unbounded shapes
    bool isEmpty;        // without any geometry, such as a mesh without triangles
    int32_t rigidGroup;  // rigid group that it moves with
    int32_t link;        // link that carries it
    int32_t side;  // names it in pairs: the link, or linkCount + number of the attached object
    int32_t index; // number of the body in the robot, or of the shape within its object
} wkCollisionBody;

// An attached object.
typedef struct wkAttachedPart {
    const char* name;          // for the rules of the allowed collision matrix
    wkPose inLink;             // pose in the frame of its link
    const wkShape* shapes;     // copied; hulls and meshes are borrowed
    const wkPose* poses;       // of the shapes in the frame of the object; NULL: identity
    const int32_t* touchLinks; // other links that may touch it
    int32_t number;            // its side in pairs is linkCount + number
    int32_t link;              // that carries it; the two may touch
    int32_t shapeCount;        // at least 1
    int32_t touchLinkCount;    // number of touch links
} wkAttachedPart;

// Inputs of a body set. Everything is copied except hulls, meshes and the robot.
typedef struct wkBodySetDef {
    const wkRobot* robot;
    const wkAllowed* allowed; // rules about the names of links and attached objects; NULL: none
    const double* paddings;   // one for each link, on top of that of its shapes; NULL: none
    const wkAttachedPart* attached; // objects on the same link may touch each other
    int32_t attachedCount;
    wkVec3d origin; // boxes are relative to it
} wkBodySetDef;

// Eight bodies for SIMD kernels; see body_kernel.c. The carrier of a body is its rigid group or its link.
typedef struct wkBodyLanes {
    float axes[3][3][WK_BODY_LANES]; // columns: the axes of the body in the frame of its carrier
    float middle[3][WK_BODY_LANES];  // of the box, in the frame of the carrier
    float half[3][WK_BODY_LANES];    // half the edges of the box
    float slack[WK_BODY_LANES]; // rounding bound of a box; infinite for unbounded shapes, minus
                                // infinite for empty lanes
    int32_t carriers[WK_BODY_LANES]; // numbers of rigid groups or links; 0 where there is no body
} wkBodyLanes;

// A body whose geometry can change, and its content mark when box and hull were computed.
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
    wkBodyLanes* groups;     // boxes of the same bodies, in the frames of rigid groups
    wkBodyLanes* onLinks;    // the same in the frames of links
    uint64_t* checked;       // row i, bit j: the pair is checked; symmetric
    uint64_t* asked;         // row i, bit j: a contact callback decides about the pair
    double* paddings;        // of the links, as given
    wkBodyMark* marks;       // of bodies whose geometry can change
    int32_t markCount;
    wkVec3d origin; // boxes are relative to it
} wkBodySet;

// @param bodySet set to NULL on failure
// @return wk_errorMemory; wk_errorRange: more attached shapes than the capacity of a state
wkResult wkBodySet_Create(const wkBodySetDef* def, wkBodySet** bodySet);

void wkBodySet_Destroy(wkBodySet* bodySet);

// Computes the boxes of all bodies into `placed` of the state.
void wkPlaceBodySet(const wkBodySet* bodySet, wkRobotState* state);

// Returns the pose of a body in the world. Few poses are needed after culling by boxes, so they are not
// stored.
WK_FN wkPose wkBodyPose(const wkBodySet* bodySet, const wkRobotState* state, int32_t body)
{
    const wkCollisionBody* m = &bodySet->bodies[body];
    return WK_UNLIKELY(state->hasGivenLinks)
               ? wkMulUnitPose(&state->links[m->link], &m->inLink)
               : wkMulUnitPose(&state->rigidGroups[m->rigidGroup], &m->inRigidGroup);
}

// Returns a convex shape around a body: its own shape, or the hull of its mesh; NULL: there is none.
const wkShape* wkConvexAround(const wkCollisionBody* body);

// Returns true when convex shapes around two bodies prove a distance above `margin`. False proves
// nothing.
bool wkAreHullsApart(const wkShape* hullA, wkPose poseA, const wkShape* hullB, wkPose poseB,
                     double margin);

// An oriented box.
typedef struct wkOrientedBox {
    wkMat3d axes;
    wkVec3d middle; // in the world
    wkVec3d half;   // half its edges; infinite boxes meet everything
} wkOrientedBox;

wkOrientedBox wkOrientedBoxOf(const wkCollisionBody* body, const wkPose* pose);

// Returns whether two boxes are further apart than the margin along an axis of one of them.
// @param size sum of the sizes of coordinates that the boxes were made from
bool wkAreBoxesApart(const wkOrientedBox* a, const wkOrientedBox* b, double margin, double size);

// Returns whether two bodies touch, with the result of wkCollide; hulls give it sooner.
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

// Called for a pair of bodies whose boxes come within reach of each other.
// @return false to stop
typedef bool wkBodyPairFcn(int32_t a, int32_t b, void* context);

// Visits the checked pairs (a < b) whose boxes are no further apart than `margin` plus the `reach` of
// both bodies. Pairs that are likely to touch come first.
// @param margin any sign; negative margins count as 0, as bodies may be deeper than their boxes
// @param reach one number for each body, >= 0; NULL: none
// @return false when it was stopped
bool wkVisitBodyPairs(const wkBodySet* bodySet, const wkRobotState* state, double margin,
                      const float* reach, wkBodyPairFcn* fcn, void* context);

// Visits pairs in ascending order of the gap between their boxes, to find the closest pair. Pairs with a gap
// above `limit`, which may shrink during the visit, are skipped.
bool wkVisitNearBodyPairs(const wkBodySet* bodySet, const wkRobotState* state, const double* limit,
                          wkBodyPairFcn* fcn, void* context);
