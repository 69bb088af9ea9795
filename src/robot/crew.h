// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The crew: everything that moves with a robot, its bodies first and then the shapes it holds, with
// padding, and which pairs of them are looked at. A crew never changes: the scene makes another one
// when its robot, paddings, rules or held objects change. Queries read.

#include "robot/kinematics.h"
#include "robot/state.h"
#include "whisker/robot_scene.h"

typedef struct wkCrewMember {
    wkShape shape;  // with the padding of the scene
    wkShape hull;   // around a mesh, checked before it; wk_shapeNone: there is none
    wkShape jacket; // around any mesh; likewise
    wkPose inMover; // where it is in the frame of its mover
    wkPose inLink;  // and of the link that carries it
    wkVec3d middle; // of a box around it, in its own frame; negative padding is left out
    wkVec3d half;   // half the edges of that box; infinite for shapes without end
    bool isEmpty;   // there is nothing to touch, such as a mesh without triangles
    int32_t mover;  // what moves it
    int32_t link;   // what carries it
    int32_t side;   // the link, or linkCount + number of the held object: who is who in pairs
    int32_t index;  // number of the body, or of the shape within its object
} wkCrewMember;

// An object that the robot holds.
typedef struct wkHeldObject {
    const char* name;          // for the rules about pairs
    wkPose inLink;             // where it is in the frame of its link
    const wkShape* shapes;     // copied; hulls and meshes are borrowed
    const wkPose* poses;       // of the shapes in the frame of the object; NULL: identity
    const int32_t* touchLinks; // other links that may touch it
    int32_t number;            // that sides are named by
    int32_t link;              // what carries it; they may touch
    int32_t shapeCount;        // at least 1
    int32_t touchLinkCount;    // number of touch links
} wkHeldObject;

// What a crew is made from. Everything is copied but hulls, meshes and the robot.
typedef struct wkCrewDef {
    const wkRobot* robot;
    const wkAllowed* allowed; // rules about the names of links and held objects; NULL: none
    const double* paddings;   // one for each link, on top of that of its shapes; NULL: none
    const wkHeldObject* held; // objects on the same link may touch each other
    int32_t heldCount;
    wkVec3d origin; // boxes are relative to it
} wkCrewDef;

// Eight members side by side, for lanes; see lane_crew.c. What carries them is their mover or link.
typedef struct wkCrewGroup {
    float turn[3][3][WK_BODY_LANES]; // columns: the axes of the member in the frame of its carrier
    float middle[3][WK_BODY_LANES];  // of the box, in the frame of the carrier
    float half[3][WK_BODY_LANES];    // half the edges of the box
    float slack[WK_BODY_LANES];      // what rounding may do to a box; infinite for shapes without
                                     // end, minus infinite where there is nothing
    int32_t carriers[WK_BODY_LANES]; // numbers of movers or links; 0 where there is no member
} wkCrewGroup;

// A member whose geometry can change, and what it was when box and hull were computed.
typedef struct wkCrewMark {
    wkContentMark content;
    int32_t member;
} wkCrewMark;

// One block of memory.
typedef struct wkCrew {
    const wkRobot* robot;
    size_t byteCount;
    int32_t count;
    int32_t wordCount;     // words of a row below
    wkCrewMember* members; // bodies in the order of the robot, then held shapes
    wkCrewGroup* groups;   // the same, all but shapes and poses
    wkCrewGroup* onLinks;  // and these in the frames of links instead of movers
    uint64_t* checked;     // row i, bit j: the pair is looked at; symmetric
    uint64_t* asked;       // row i, bit j: and then somebody decides about its contacts
    double* paddings;      // of the links, as given
    wkCrewMark* marks;     // of members whose geometry can change
    int32_t markCount;
    wkVec3d origin; // boxes are relative to it
} wkCrew;

// @param crew set to NULL on failure
// @return wk_errorMemory; wk_errorRange: more shapes are held than states have room for
wkResult wkCrew_Create(const wkCrewDef* def, wkCrew** crew);

void wkCrew_Destroy(wkCrew* crew);

// Boxes of all members, into `placed` of the state.
void wkPlaceCrew(const wkCrew* crew, wkRobotState* state);

// Where a member is in the world. Few are asked for when boxes have been looked at, so they are not
// kept.
WK_FN wkPose wkCrewPose(const wkCrew* crew, const wkRobotState* state, int32_t member)
{
    const wkCrewMember* m = &crew->members[member];
    return WK_UNLIKELY(state->hasGivenLinks) ? wkMulUnitPose(&state->links[m->link], &m->inLink)
                                             : wkMulUnitPose(&state->movers[m->mover], &m->inMover);
}

// A convex shape around a member: itself, or the hull of its mesh; NULL: there is none.
const wkShape* wkConvexAround(const wkCrewMember* member);

// Whether convex shapes around two bodies tell that these are further apart than `margin`. False says
// nothing.
bool wkAreHullsApart(const wkShape* hullA, wkPose poseA, const wkShape* hullB, wkPose poseB,
                     double margin);

// A box as it is turned.
typedef struct wkTurnedBox {
    wkMat3d axes;
    wkVec3d middle; // in the world
    wkVec3d half;   // half its edges; infinite ones meet everything
} wkTurnedBox;

wkTurnedBox wkTurnedBoxOf(const wkCrewMember* member, const wkPose* pose);

// Whether two boxes are further apart than the margin along an axis of one of them.
// @param size sum of the sizes of coordinates that the boxes were made from
bool wkAreBoxesApart(const wkTurnedBox* a, const wkTurnedBox* b, double margin, double size);

// Whether two members touch, as wkCollide has it; sooner where they have hulls.
// @param margin touching means signed distance <= margin
bool wkTouchMembers(const wkCrewMember* a, wkPose poseA, const wkCrewMember* b, wkPose poseB,
                    double margin, wkStatus* status);

WK_FN bool wkIsCheckedPair(const wkCrew* crew, int32_t a, int32_t b)
{
    return (crew->checked[(size_t)a * (size_t)crew->wordCount + (size_t)b / 64] >> (b % 64) & 1) !=
           0;
}

WK_FN bool wkIsAskedPair(const wkCrew* crew, int32_t a, int32_t b)
{
    return (crew->asked[(size_t)a * (size_t)crew->wordCount + (size_t)b / 64] >> (b % 64) & 1) != 0;
}

// A pair of members whose boxes come within reach of each other.
// @return false to stop
typedef bool wkCrewPairFcn(int32_t a, int32_t b, void* context);

// Visits the checked pairs (a < b) whose boxes are no further apart than `margin` and the `reach` of
// both members together. Those that are likely to touch come first.
// @param margin any sign; below zero it counts as zero, as depths may be larger than those of boxes
// @param reach one number for each member, >= 0; NULL: none
// @return false when it was stopped
bool wkVisitCrewPairs(const wkCrew* crew, const wkRobotState* state, double margin,
                      const float* reach, wkCrewPairFcn* fcn, void* context);

// The same in order of the gaps between boxes, for the closest pair: those with a gap above `limit`,
// which may fall on the way, are left out.
bool wkVisitNearCrewPairs(const wkCrew* crew, const wkRobotState* state, const double* limit,
                          wkCrewPairFcn* fcn, void* context);
