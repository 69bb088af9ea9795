// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file robot_scene.h
/// A robot among the things around it: is a configuration safe, how far is everything, is the whole
/// motion from here to there safe, what would it cost.
///
/// A `wkRobotScene` knows a robot, which pairs may touch, objects and maps with names, and what the
/// robot holds. It is written by one thread. Queries take a `wkRobotState` of the asking thread; they
/// allocate nothing and lock nothing, and any number of threads ask while nobody writes. To ask while
/// somebody writes, see wkRobotScene_Publish. See docs/robot_scenes.md and docs/motions.md.

#include "whisker/allowed.h"
#include "whisker/cost.h"
#include "whisker/scene.h"

/// A robot and its surroundings.
typedef struct wkRobotScene wkRobotScene;

/// How a robot scene is made. Start from `wkDefaultRobotSceneDef()`.
typedef struct wkRobotSceneDef {
    const wkRobot* robot;     ///< borrowed
    const wkAllowed* allowed; ///< copied; NULL (default): what wkAllowed_AddRobot gives
    double padding;           ///< around all links, any sign; default 0
    wkSceneDef scene;         ///< how the objects are kept; default wkDefaultSceneDef()
    bool allowsEmpty; ///< default false: a robot without any collision shape is refused, since
                      ///< every configuration would be free; true: it is taken
    uint32_t cookie;  ///< set by wkDefaultRobotSceneDef()
} wkRobotSceneDef;

/// The defaults above, without a robot.
WK_API wkRobotSceneDef wkDefaultRobotSceneDef(void);

/// A scene with a robot and nothing else.
/// @param scene set to NULL on failure
/// @return wk_errorMemory; wk_errorArgument, wk_errorRange or wk_errorNotFinite naming the field;
///         wk_errorArgument for a robot without collision shapes, see allowsEmpty
WK_API wkResult wkRobotScene_Create(const wkRobotSceneDef* def, wkRobotScene** scene);

/// Releases a scene and its snapshots, none of which may be in use any more; NULL is fine.
WK_API void wkRobotScene_Destroy(wkRobotScene* scene);

/// The robot of a scene.
WK_API const wkRobot* wkRobotScene_Robot(const wkRobotScene* scene);

/// Other rules about pairs, which are copied; NULL: what wkAllowed_AddRobot gives.
WK_API wkResult wkRobotScene_SetAllowed(wkRobotScene* scene, const wkAllowed* allowed);

/// The rules in use, to be copied and changed.
WK_API const wkAllowed* wkRobotScene_Allowed(const wkRobotScene* scene);

/// Padding around the bodies of a link, on top of what their shapes have.
/// @param link -1: all links
WK_API wkResult wkRobotScene_SetPadding(wkRobotScene* scene, int32_t link, double padding);

/// How near the robot may come to the objects of a category, such as "static", "unknown" or
/// "handled". Categories that are not mentioned have 0. At most 64 of them.
/// @param safetyDistance touching means that a distance is not above this one; any sign
WK_API wkResult wkRobotScene_SetCategory(wkRobotScene* scene, const char* category,
                                         double safetyDistance);

/// Something around the robot, made of one or more shapes that move as one. Start from
/// `wkDefaultRobotObjectDef()`.
typedef struct wkRobotObjectDef {
    const char* name;      ///< unique in its scene, and not the name of a link
    const char* category;  ///< default "static"
    const wkShape* shapes; ///< copied; hulls, meshes and maps are borrowed
    const wkPose* poses;   ///< of the shapes in the frame of the object; NULL: identity
    int32_t shapeCount;    ///< at least 1
    wkPose pose;           ///< in the world; default identity
    void* user;            ///< yours; default NULL
    uint32_t cookie;       ///< set by wkDefaultRobotObjectDef()
} wkRobotObjectDef;

/// The defaults above, without name and shapes.
WK_API wkRobotObjectDef wkDefaultRobotObjectDef(void);

/// Adds an object. A negative padding is taken off distances: where it leaves nothing of a shape, only
/// what reaches deep into the shape touches it.
/// @return wk_errorArgument (a name that is taken), wk_errorRange, wk_errorNotFinite, wk_errorMemory:
///         the scene is as it was
WK_API wkResult wkRobotScene_Add(wkRobotScene* scene, const wkRobotObjectDef* def);

/// Removes an object, also one that is attached.
WK_API wkResult wkRobotScene_Remove(wkRobotScene* scene, const char* name);

/// Puts an object elsewhere. One that is attached must be detached first.
WK_API wkResult wkRobotScene_Move(wkRobotScene* scene, const char* name, wkPose pose);

/// Tells the scene that a map or mesh which an object borrows has changed. Before, queries are not valid:
/// checks and motions answer wk_verdictInvalid, clearances minus infinity with wk_statusInvalid, costs
/// wk_errorState, and wkGetLastError() names the object. Meshes of links must not change at all.
WK_API wkResult wkRobotScene_Refresh(wkRobotScene* scene, const char* name);

/// Fixes an object of the scene to a link, where it is now: it moves with the link, and is checked
/// against objects and other links as a part of the robot.
/// @param state where the robot is
/// @param touchLinks names of links that may touch it, such as the fingers; the link itself may
/// @return wk_errorArgument naming what is unknown; wk_errorState: it is attached already;
///         wk_errorUnsupported: it has a shape without end, or a map; wk_errorRange: more than
///         WK_MAX_ATTACHED_SHAPES shapes would be attached; wk_errorMemory
WK_API wkResult wkRobotScene_Attach(wkRobotScene* scene, const wkRobotState* state,
                                    const char* name, const char* link,
                                    const char* const* touchLinks, int32_t touchLinkCount);

/// Shapes that can be attached at a time.
#define WK_MAX_ATTACHED_SHAPES 64

/// Leaves an attached object where it is now.
WK_API wkResult wkRobotScene_Detach(wkRobotScene* scene, const wkRobotState* state,
                                    const char* name);

/// An object of a robot scene.
typedef struct wkRobotObjectInfo {
    const char* name;     ///< lives as long as the object
    const char* category; ///< likewise
    wkPose pose;          ///< in the world, or in the frame of the link it is attached to
    int32_t link;         ///< the link it is attached to; -1: none
    int32_t shapeCount;   ///< number of its shapes
    void* user;           ///< as given
} wkRobotObjectInfo;

/// Number of objects, attached ones included.
WK_API int32_t wkRobotScene_Count(const wkRobotScene* scene);

/// The i-th object, in the order they were added; name NULL when there is none.
WK_API wkRobotObjectInfo wkRobotScene_Object(const wkRobotScene* scene, int32_t index);

/// The i-th shape of an object, and where it is in the frame of the object; NULL when there is none.
WK_API const wkShape* wkRobotScene_ObjectShape(const wkRobotScene* scene, int32_t object,
                                               int32_t index, wkPose* pose);

/// Number of the object with that name; -1: none.
WK_API int32_t wkRobotScene_Find(const wkRobotScene* scene, const char* name);

/// The objects that are not attached, for queries of your own: one scene object for each shape, with
/// the number of the object in `user`.
WK_API const wkScene* wkRobotScene_World(const wkRobotScene* scene);

/// What a side of a pair belongs to.
typedef enum wkRobotSideKind {
    wk_sideNone = 0,     ///< nothing
    wk_sideLink = 1,     ///< a link of the robot
    wk_sideAttached = 2, ///< an object that the robot holds
    wk_sideObject = 3,   ///< an object of the scene
} wkRobotSideKind;

/// One side of a pair.
typedef struct wkRobotSide {
    wkRobotSideKind kind; ///< what it is
    int32_t index;        ///< number of the link or object
    int32_t shape;        ///< number of the body, or of the shape within the object
    const char* name;     ///< of the link or object; "" for none
} wkRobotSide;

/// A pair that touches. A is always a part of the robot.
typedef struct wkRobotContact {
    wkRobotSide a;     ///< the robot's side
    wkRobotSide b;     ///< the other
    wkContact contact; ///< the deepest one, in the world; all zero unless contacts were asked for
    wkStatus status;   ///< how far to trust it
} wkRobotContact;

/// What is looked at, and what is told. Start from `wkDefaultRobotRequest()`.
typedef struct wkRobotRequest {
    bool checksLimits; ///< default true: a configuration beyond its limits is not valid
    bool checksSelf;   ///< default true: links and attached objects with each other
    bool checksWorld;  ///< default true: links and attached objects with the objects around
    int32_t group;     ///< pairs in which no link of this group takes part, nor one that it carries
                       ///< or that follows its joints, are left out; -1 (default): all
    double margin;     ///< touching means signed distance <= margin; default 0
    double cutoff;     ///< clearance: what is further away is not looked for; default infinity
    wkRobotContact* contacts; ///< room for pairs that touch; NULL (default): the first one answers
    int32_t contactCapacity;  ///< size of `contacts`; the search ends when it is full
    bool wantsContacts;       ///< contacts of those pairs too, not only names; default false
    uint32_t cookie;          ///< set by wkDefaultRobotRequest()
} wkRobotRequest;

/// The defaults above.
WK_API wkRobotRequest wkDefaultRobotRequest(void);

/// Whether a configuration or motion is free, and if not, why. Memory of zeros is never free.
typedef enum wkVerdict {
    wk_verdictUnchecked = 0, ///< not checked: no answer was computed; count it as touching
    wk_verdictFree = 1,      ///< checked, and nothing is touched
    wk_verdictLimits = 2,    ///< a variable is beyond its limits
    wk_verdictSelf = 3,      ///< the robot touches itself or what it holds
    wk_verdictWorld = 4,     ///< it touches an object, or occupied cells of a map
    wk_verdictUnknown = 5,   ///< it touches space that a map does not know
    wk_verdictUncertain =
        6, ///< motions: neither proven free nor found touching; count it as touching
    wk_verdictInvalid = 7, ///< the configuration is not valid, or a map or mesh has changed without
                           ///< wkRobotScene_Refresh
    wk_verdictCount = 8,   ///< number of values, not a verdict
} wkVerdict;

/// Lower-case name: "unchecked", "free", "limits", "self", "world", "unknown", "uncertain", "invalid";
/// "none" for any other number.
WK_API const char* wkVerdictName(wkVerdict verdict);

/// Whether a configuration is safe.
typedef struct wkRobotCheckResult {
    wkVerdict verdict; ///< wk_verdictFree: safe; wk_verdictUnknown: unknown space alone is touched;
                       ///< else what was found first
    int32_t variable;  ///< the variable beyond its limits; -1: none
    wkRobotContact first; ///< the pair that was found first; unknown space when nothing else is
    int32_t contactCount; ///< pairs in the buffer, in no particular order
    int64_t pairCount;    ///< pairs that were looked at closely
} wkRobotCheckResult;

/// Is a configuration safe, and if not, why?
/// @param state of the robot of the scene
/// @param request NULL means `wkDefaultRobotRequest()`
WK_API wkRobotCheckResult wkRobotScene_Check(const wkRobotScene* scene, wkRobotState* state,
                                             const wkRobotRequest* request);

/// How far the nearest thing is.
typedef struct wkRobotClearance {
    double distance; ///< between surfaces, safety distances and padding taken off: not above 0
                     ///< means touching; the cutoff when nothing is nearer
    wkRobotSide a;   ///< the robot's side of the nearest pair
    wkRobotSide b;   ///< the other
    wkDistanceResult closest; ///< its points and normal in the world
    int64_t pairCount;        ///< pairs that were looked at closely
    wkStatus status;          ///< wk_statusInvalid when the configuration is not valid
} wkRobotClearance;

/// What is nearest to the robot, or deepest in it?
/// @param linkDistances room for one number for each link: its own distance, or that of the cutoff,
///        with attached objects counted for the link that holds them; NULL: not wanted, faster
/// @param gradient room for one number for each variable: how the distance changes with it, those of
///        quaternions as in wkRobotState_Jacobian; zeros where nothing is within the cutoff; NULL: not
///        wanted
WK_API wkRobotClearance wkRobotScene_Clearance(const wkRobotScene* scene, wkRobotState* state,
                                               const wkRobotRequest* request, double* linkDistances,
                                               double* gradient);

/// Distance of one pair of links, or of a link and what the robot holds.
typedef struct wkSelfDistance {
    wkRobotSide a;   ///< one side
    wkRobotSide b;   ///< the other
    double distance; ///< signed, padding taken off
} wkSelfDistance;

/// Distances of all pairs on the robot that are checked, one for each pair of links.
/// @param distances room for `capacity` of them, the first of which are filled; NULL: counts only
/// @return number of all pairs, which may be more than `capacity`; -1 when the state or request is not
///         valid, or when a mesh has changed without wkRobotScene_Refresh
WK_API int32_t wkRobotScene_SelfDistances(const wkRobotScene* scene, wkRobotState* state,
                                          const wkRobotRequest* request, wkSelfDistance* distances,
                                          int32_t capacity);

/// How a motion is looked at. Start from `wkDefaultMotionRequest()`.
typedef struct wkMotionRequest {
    wkRobotRequest check; ///< what is looked at; default wkDefaultRobotRequest()
    bool isCertified;     ///< default true: free means free at every instant; false: at steps alone
    double step;      ///< largest change of a variable between steps, where it is not certified, in
                      ///< radians or metres; default 0.02
    double tolerance; ///< metres: a certified motion that comes nearer than this may be uncertain;
                      ///< default 1e-4
    bool wantsFirst;  ///< default false: any contact ends the search; true: the first one in time
    int32_t maxCheckCount; ///< configurations looked at before it gives up, uncertain; default 2^20
    uint32_t cookie;       ///< set by wkDefaultMotionRequest()
} wkMotionRequest;

/// The defaults above.
WK_API wkMotionRequest wkDefaultMotionRequest(void);

/// Whether a motion is safe.
typedef struct wkMotionResult {
    wkVerdict verdict; ///< wk_verdictFree: safe
    double time;       ///< of the contact found, in [0, 1]; 1 for a free motion
    double
        freeUntil; ///< the motion is free from 0 to here: proven when it is certified, else known
                   ///< with `wantsFirst` alone. Up to `time` the robot then moves no further than
                   ///< about `tolerance` or a step
    int64_t checkCount;         ///< configurations that were looked at
    wkRobotCheckResult contact; ///< at that time; of an uncertain one, the pair that is too near
} wkMotionResult;

/// Is the motion from q0 to q1, as wkRobot_Interpolate has it, safe?
/// @param base where the root of the robot is
/// @param state holds the configuration looked at last afterwards
/// @param request NULL means `wkDefaultMotionRequest()`
WK_API wkMotionResult wkRobotScene_CheckMotion(const wkRobotScene* scene, wkRobotState* state,
                                               wkPose base, const double* q0, const double* q1,
                                               const wkMotionRequest* request);

/// How far any point of a link, or of what is attached to it, is at any time of the motion from q0 to
/// q1 from where it is halfway, at most, in metres: the bound that certified motions use.
/// @param state room to compute with; holds the configuration halfway afterwards
/// @return infinity when an argument is not valid, or for a shape without end that moves
WK_API double wkRobotScene_MotionBound(const wkRobotScene* scene, wkRobotState* state,
                                       const double* q0, const double* q1, int32_t link);

/// Adds the cells of a map that the robot meets in a configuration, with what it holds.
/// @param object number of the map among the objects
/// @return as wkCost_AddShape
WK_API wkResult wkRobotScene_AddCost(const wkRobotScene* scene, const wkRobotState* state,
                                     int32_t object, wkCost* cost);

/// Adds the cells of a map that the robot meets on the motion from q0 to q1: none is left out, and
/// those added are no further from the way than the margin and tolerance of `cost`.
WK_API wkResult wkRobotScene_AddMotionCost(const wkRobotScene* scene, wkRobotState* state,
                                           wkPose base, const double* q0, const double* q1,
                                           int32_t object, wkCost* cost);

/// Makes the scene as it is now available to other threads. Call it on the thread that writes.
/// @return wk_errorMemory: the last snapshot stays
WK_API wkResult wkRobotScene_Publish(wkRobotScene* scene);

/// The last snapshot, which never changes; from any thread, without waiting. Give it back with
/// wkRobotScene_Release. Maps and meshes that its objects borrow must not change meanwhile: give the
/// scene a `wkOctree_Copy` of a map that goes on changing.
/// @return NULL when nothing was published
WK_API const wkRobotScene* wkRobotScene_Acquire(const wkRobotScene* scene);

/// Gives a snapshot back, once for each wkRobotScene_Acquire; NULL is fine.
WK_API void wkRobotScene_Release(const wkRobotScene* snapshot);
