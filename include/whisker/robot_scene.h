// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file robot_scene.h
/// A robot among objects: checks configurations and motions for collision, computes clearances and costs.
///
/// A `wkRobotScene` has a robot, an allowed collision matrix, named objects and maps, and attached objects.
/// It is written by one thread. Queries take a `wkRobotState` of the calling thread; they allocate nothing
/// and lock nothing, and any number of threads may query while no thread writes. To query while another
/// thread writes, see wkRobotScene_Publish. See docs/robot_scenes.md and docs/motions.md.

#include "whisker/allowed.h"
#include "whisker/cost.h"
#include "whisker/scene.h"
#include "whisker/separation.h"

/// A robot and its surroundings.
typedef struct wkRobotScene wkRobotScene;

/// Definition of a robot scene. Start from `wkDefaultRobotSceneDef()`.
typedef struct wkRobotSceneDef {
    uint32_t cookie;          ///< set by wkDefaultRobotSceneDef()
    const wkRobot* robot;     ///< borrowed
    const wkAllowed* allowed; ///< copied; NULL (default): the rules of wkAllowed_AddRobot
    double padding;           ///< around all links, any sign; default 0
    wkSceneDef scene;         ///< broad phase of the objects; default wkDefaultSceneDef()
    bool allowsEmpty; ///< default false: a robot without collision shapes is refused, since every
                      ///< configuration would be free; true: it is accepted
} wkRobotSceneDef;

/// The defaults above, without a robot.
WK_API wkRobotSceneDef wkDefaultRobotSceneDef(void);

/// Creates a scene with a robot and no objects.
/// @param scene set to NULL on failure
/// @return wk_errorMemory; wk_errorArgument, wk_errorRange or wk_errorNotFinite naming the field;
///         wk_errorArgument for a robot without collision shapes, see allowsEmpty
WK_API wkResult wkRobotScene_Create(const wkRobotSceneDef* def, wkRobotScene** scene);

/// Releases a scene and its snapshots, none of which may be in use; NULL is fine.
WK_API void wkRobotScene_Destroy(wkRobotScene* scene);

/// Returns the robot of a scene.
WK_API const wkRobot* wkRobotScene_Robot(const wkRobotScene* scene);

/// Sets the rules about pairs, which are copied; NULL: the rules of wkAllowed_AddRobot.
/// @return wk_errorArgument, wk_errorMemory: the rules are unchanged
WK_API wkResult wkRobotScene_SetAllowed(wkRobotScene* scene, const wkAllowed* allowed);

/// Returns the rules in use. To change them, set a changed copy.
WK_API const wkAllowed* wkRobotScene_Allowed(const wkRobotScene* scene);

/// Sets the padding of a link's bodies, in addition to the padding of their shapes.
/// @param link -1: all links
/// @param padding metres, any sign
/// @return wk_errorRange (the link or the padding), wk_errorNotFinite, wk_errorMemory, wk_errorArgument
WK_API wkResult wkRobotScene_SetPadding(wkRobotScene* scene, int32_t link, double padding);

/// Sets the safety distance of the robot to objects of a category, such as "static", "unknown" or
/// "handled". Other categories have 0. At most 64 categories.
/// @param safetyDistance metres: touching means distance <= safetyDistance; any sign
/// @return wk_errorArgument, wk_errorNotFinite, wk_errorRange (a 65th category), wk_errorMemory
WK_API wkResult wkRobotScene_SetCategory(wkRobotScene* scene, const char* category,
                                         double safetyDistance);

/// Called on the writing thread, once, when neither the scene nor a snapshot uses the shapes of an object any
/// more: what they borrow may be destroyed then. Must not call functions of the scene.
typedef void wkReleaseFcn(void* context);

/// An object of one or more shapes that move together. Start from `wkDefaultRobotObjectDef()`.
typedef struct wkRobotObjectDef {
    uint32_t cookie;       ///< set by wkDefaultRobotObjectDef()
    const char* name;      ///< unique in its scene, and not the name of a link
    const char* category;  ///< default "static"
    const wkShape* shapes; ///< copied; hulls, meshes and maps are borrowed
    const wkPose* poses;   ///< of the shapes in the frame of the object; NULL: identity
    int32_t shapeCount;    ///< at least 1
    wkPose pose;           ///< in the world; default identity
    void* user;            ///< data of the program; default NULL
    wkReleaseFcn* release; ///< called when the shapes are not in use any more; default NULL: what
                           ///< they borrow must outlive the scene and its snapshots
    void* releaseContext;  ///< passed to `release`
} wkRobotObjectDef;

/// The defaults above, without name and shapes.
WK_API wkRobotObjectDef wkDefaultRobotObjectDef(void);

/// Adds an object. A negative padding increases distances: when it uses up a shape, only objects that
/// penetrate deeper than the padding touch the shape.
/// @return wk_errorArgument (a name in use), wk_errorRange, wk_errorNotFinite, wk_errorMemory: the scene
///         is unchanged
WK_API wkResult wkRobotScene_Add(wkRobotScene* scene, const wkRobotObjectDef* def);

/// Replaces the object with the name of the definition, all of it at once; adds it if there is none. The object
/// keeps its index. Snapshots keep the shapes that they were published with, see `release`.
/// @return as wkRobotScene_Add, and wk_errorState: the object is attached; on failure the scene is unchanged
WK_API wkResult wkRobotScene_Replace(wkRobotScene* scene, const wkRobotObjectDef* def);

/// Marks an object as out of date, such as the points of a sensor that stopped sending, or takes the mark back.
/// While an object is out of date, queries are not valid, as after a change without wkRobotScene_Refresh.
/// wkRobotScene_Replace takes the mark back, too; wkRobotScene_Refresh does not.
/// @return wk_errorArgument: no such object; wk_errorState: it is attached
WK_API wkResult wkRobotScene_SetStale(wkRobotScene* scene, const char* name, bool isStale);

/// Removes an object, which may be attached.
/// @return wk_errorArgument: no such object; wk_errorMemory: the scene is unchanged
WK_API wkResult wkRobotScene_Remove(wkRobotScene* scene, const char* name);

/// Sets the pose of an object.
/// @return wk_errorArgument: no such object; wk_errorState: it is attached; wk_errorNotFinite, wk_errorRange
WK_API wkResult wkRobotScene_Move(wkRobotScene* scene, const char* name, wkPose pose);

/// Updates the scene after a change of a map or mesh that an object borrows. Until then queries are not
/// valid: checks and motions return wk_verdictInvalid, clearances minus infinity with wk_statusInvalid,
/// costs wk_errorState, and wkGetLastError() names the object. Meshes of links must not change at all.
WK_API wkResult wkRobotScene_Refresh(wkRobotScene* scene, const char* name);

/// Attaches an object to a link at its current pose: it moves with the link, and is checked against
/// objects and other links as a part of the robot.
/// @param state current state of the robot
/// @param touchLinks names of links that may touch it, such as the fingers; `link` itself always may
/// @return wk_errorArgument naming an unknown name; wk_errorState: it is attached already;
///         wk_errorUnsupported: it has an unbounded shape or a map; wk_errorRange: more than
///         WK_MAX_ATTACHED_SHAPES shapes would be attached; wk_errorMemory
WK_API wkResult wkRobotScene_Attach(wkRobotScene* scene, const wkRobotState* state,
                                    const char* name, const char* link,
                                    const char* const* touchLinks, int32_t touchLinkCount);

/// Maximum number of attached shapes.
#define WK_MAX_ATTACHED_SHAPES 64

/// Detaches an object, which stays at its current pose in the world.
/// @param state current state of the robot
/// @return wk_errorArgument: no such object; wk_errorState: it is not attached; wk_errorMemory
WK_API wkResult wkRobotScene_Detach(wkRobotScene* scene, const wkRobotState* state,
                                    const char* name);

/// An object of a robot scene.
typedef struct wkRobotObjectInfo {
    const char* name;     ///< valid as long as the object
    const char* category; ///< valid as long as the object
    wkPose pose;          ///< in the world, or in the frame of the link it is attached to
    int32_t link;         ///< the link it is attached to; -1: none
    int32_t shapeCount;   ///< number of its shapes
    void* user;           ///< as given
} wkRobotObjectInfo;

/// Number of objects, attached ones included.
WK_API int32_t wkRobotScene_Count(const wkRobotScene* scene);

/// Returns the i-th object, in the order of addition; its name is NULL when out of range.
WK_API wkRobotObjectInfo wkRobotScene_Object(const wkRobotScene* scene, int32_t index);

/// Returns the i-th shape of an object and its pose in the frame of the object; NULL when out of range.
WK_API const wkShape* wkRobotScene_ObjectShape(const wkRobotScene* scene, int32_t object,
                                               int32_t index, wkPose* pose);

/// Returns the index of the object with a name; -1: none.
WK_API int32_t wkRobotScene_Find(const wkRobotScene* scene, const char* name);

/// Returns the scene of the objects that are not attached, for further queries: one scene object for each
/// shape, with the index of the robot scene's object in `user`.
WK_API const wkScene* wkRobotScene_World(const wkRobotScene* scene);

/// Kind of a side of a pair.
typedef enum wkRobotSideKind {
    wk_sideNone = 0,     ///< none
    wk_sideLink = 1,     ///< a link of the robot
    wk_sideAttached = 2, ///< an attached object
    wk_sideObject = 3,   ///< an object of the scene
} wkRobotSideKind;

/// One side of a pair.
typedef struct wkRobotSide {
    wkRobotSideKind kind; ///< link, attached object or object
    int32_t index;        ///< index of the link or object
    int32_t shape;        ///< index of the body, or of the shape within the object
    const char* name;     ///< of the link or object; "" for none
} wkRobotSide;

/// A pair that touches. A is always a part of the robot.
typedef struct wkRobotContact {
    wkRobotSide a;     ///< the robot's side
    wkRobotSide b;     ///< the other
    wkContact contact; ///< the deepest one, in the world; all zero without wantsContacts
    wkStatus status;   ///< reliability of the result
    wkSeparationResult
        separation; ///< a translation of B that separates the two shapes, instead of the
                    ///< local depth of `contact`; all zero without separationQueries
} wkRobotContact;

/// Options of checks and clearances. Start from `wkDefaultRobotRequest()`.
typedef struct wkRobotRequest {
    uint32_t cookie;   ///< set by wkDefaultRobotRequest()
    bool checksLimits; ///< default true: a configuration beyond its limits is not valid
    bool checksSelf;   ///< default true: links and attached objects with each other
    bool checksWorld;  ///< default true: links and attached objects with the other objects
    int32_t group; ///< checks only pairs with a link that this group moves: its links, links that
                   ///< they carry and links of joints that mimic its joints; -1 (default): all
    double margin; ///< touching means signed distance <= margin; default 0
    double cutoff; ///< clearance: maximum distance to search; default infinity
    wkRobotContact* contacts; ///< buffer for pairs in contact; NULL (default): stops at the first
    int32_t contactCapacity;  ///< size of `contacts`, default 0; the search ends when it is full
    bool wantsContacts;       ///< computes contact points, not only names; default false
    int32_t
        separationQueries; ///< with wantsContacts: wkSeparation of each pair in contact with its
                           ///< margin, at least 0, and with at most so many distances, to
                           ///< 1000000; default 0: none
} wkRobotRequest;

/// The defaults above.
WK_API wkRobotRequest wkDefaultRobotRequest(void);

/// Whether a configuration or motion is free, and if not, why. Zeroed memory is never free.
typedef enum wkVerdict {
    wk_verdictUnchecked = 0, ///< not checked; treat as in collision
    wk_verdictFree = 1,      ///< checked, no contact
    wk_verdictLimits = 2,    ///< a variable is beyond its limits
    wk_verdictSelf = 3,      ///< the robot touches itself or an attached object
    wk_verdictWorld = 4,     ///< it touches an object, or occupied cells of a map
    wk_verdictUnknown = 5,   ///< it touches unknown space of a map
    wk_verdictUncertain =
        6,                 ///< motions: neither proven free nor in collision; treat as in collision
    wk_verdictInvalid = 7, ///< the configuration is not valid, a map or mesh has changed without
                           ///< wkRobotScene_Refresh, or an object is out of date
} wkVerdict;

/// Lower-case name: "unchecked", "free", "limits", "self", "world", "unknown", "uncertain", "invalid";
/// "none" for any other number.
WK_API const char* wkVerdictName(wkVerdict verdict);

/// Result of the check of a configuration.
typedef struct wkRobotCheckResult {
    wkVerdict verdict;    ///< wk_verdictFree: no contact; wk_verdictUnknown: only unknown space is
                          ///< touched; else the first reason found
    int32_t variable;     ///< the variable beyond its limits; -1: none
    wkRobotContact first; ///< the first pair found; unknown space only when no other pair touches
    int32_t contactCount; ///< pairs in the buffer, in no particular order
    int64_t pairCount;    ///< pairs tested in the narrow phase
} wkRobotCheckResult;

/// Checks a configuration for collision and reports the reason.
/// @param state of the robot of the scene
/// @param request NULL means `wkDefaultRobotRequest()`
WK_API wkRobotCheckResult wkRobotScene_Check(const wkRobotScene* scene, wkRobotState* state,
                                             const wkRobotRequest* request);

/// Distance from the robot to the nearest obstacle.
typedef struct wkRobotClearanceResult {
    double
        distance; ///< between surfaces, less safety distances and padding: <= 0 means touching; the
                  ///< cutoff when nothing is nearer
    wkRobotSide a;            ///< the robot's side of the nearest pair
    wkRobotSide b;            ///< the other side
    wkDistanceResult closest; ///< witness points and normal in the world
    int64_t pairCount;        ///< pairs tested in the narrow phase
    wkStatus status;          ///< wk_statusInvalid when the configuration is not valid
} wkRobotClearanceResult;

/// Finds the pair of the robot that is nearest to contact, or deepest in penetration.
/// @param linkDistances one number per link: its distance, or the cutoff; attached objects count for
///        their link; NULL: not wanted, faster
/// @param gradient one number per variable: the derivative of the distance, for quaternions as in
///        wkRobotState_Jacobian; zeros when nothing is within the cutoff; NULL: not wanted
WK_API wkRobotClearanceResult wkRobotScene_Clearance(const wkRobotScene* scene, wkRobotState* state,
                                                     const wkRobotRequest* request,
                                                     double* linkDistances, double* gradient);

/// Distance of a pair of links, or of a link and an attached object.
typedef struct wkSelfDistance {
    wkRobotSide a;   ///< one side
    wkRobotSide b;   ///< the other
    double distance; ///< signed, less the padding
} wkSelfDistance;

/// Computes the distances of all checked pairs of the robot with itself, one for each pair of links.
/// @param distances array of `capacity`, filled from the start; NULL: counts only
/// @return number of all pairs, which may be more than `capacity`; -1 when the state or request is not
///         valid, or when a mesh has changed without wkRobotScene_Refresh
WK_API int32_t wkRobotScene_SelfDistances(const wkRobotScene* scene, wkRobotState* state,
                                          const wkRobotRequest* request, wkSelfDistance* distances,
                                          int32_t capacity);

/// Options of motion checks. Start from `wkDefaultMotionRequest()`.
typedef struct wkMotionRequest {
    uint32_t cookie;      ///< set by wkDefaultMotionRequest()
    wkRobotRequest check; ///< options of each check; default wkDefaultRobotRequest()
    bool isCertified;     ///< default true: free means free at every instant; false: at steps alone
    double step;      ///< not certified: largest change of a variable between steps, in radians or
                      ///< metres; default 0.02
    double tolerance; ///< metres: a certified motion that comes nearer than this may be uncertain;
                      ///< default 1e-4
    bool wantsFirst;  ///< default false: any contact ends the search; true: the first one in time
    int32_t maxCheckCount; ///< configurations checked before the verdict is uncertain; default 2^20
} wkMotionRequest;

/// The defaults above.
WK_API wkMotionRequest wkDefaultMotionRequest(void);

/// Result of the check of a motion.
typedef struct wkMotionResult {
    wkVerdict verdict;  ///< wk_verdictFree: no contact
    double time;        ///< of the contact found, in [0, 1]; 1 for a free motion. In seconds for
                        ///< trajectories, as `freeUntil`
    double freeUntil;   ///< the motion is free from 0 to this time: proven when certified, else
                        ///< known only with `wantsFirst`. From here to `time` the robot then moves
                        ///< no further than about `tolerance` or a step
    int64_t checkCount; ///< configurations checked
    wkRobotCheckResult contact; ///< at `time`; of an uncertain motion, the pair that is too near
} wkMotionResult;

/// Checks the motion from q0 to q1, interpolated like wkRobot_Interpolate, for collision.
/// @param base pose of the root link in the world
/// @param state holds the last checked configuration afterwards
/// @param request NULL means `wkDefaultMotionRequest()`
WK_API wkMotionResult wkRobotScene_CheckMotion(const wkRobotScene* scene, wkRobotState* state,
                                               wkPose base, const double* q0, const double* q1,
                                               const wkMotionRequest* request);

/// Returns the motion bound of certified motions, in metres: on the motion from q0 to q1, no point of a
/// link or of its attached objects is ever further than this from its position at the midpoint.
/// @param state scratch; holds the configuration of the midpoint afterwards
/// @return infinity when an argument is not valid, or for an unbounded shape that moves
WK_API double wkRobotScene_MotionBound(const wkRobotScene* scene, wkRobotState* state,
                                       const double* q0, const double* q1, int32_t link);

/// Adds the cells of a map that the robot and its attached objects meet in a configuration.
/// @param object index of the map among the objects
/// @return as wkCost_AddShape
WK_API wkResult wkRobotScene_AddCost(const wkRobotScene* scene, const wkRobotState* state,
                                     int32_t object, wkCost* cost);

/// Adds the cells of a map that the robot meets on the motion from q0 to q1. None is left out, and all
/// added cells are within margin + tolerance of `cost` from the swept volume.
WK_API wkResult wkRobotScene_AddMotionCost(const wkRobotScene* scene, wkRobotState* state,
                                           wkPose base, const double* q0, const double* q1,
                                           int32_t object, wkCost* cost);

/// Publishes a snapshot of the scene for other threads. Call it on the writing thread.
/// @return wk_errorMemory: the last snapshot stays
WK_API wkResult wkRobotScene_Publish(wkRobotScene* scene);

/// Returns the last snapshot, which never changes; from any thread, without waiting. Release it with
/// wkRobotScene_Release. Maps and meshes that its objects borrow must not change meanwhile: give the
/// scene a `wkOctree_Copy` of a map that keeps changing.
/// @return NULL when nothing was published
WK_API const wkRobotScene* wkRobotScene_Acquire(const wkRobotScene* scene);

/// Releases a snapshot, once for each wkRobotScene_Acquire; NULL is fine.
WK_API void wkRobotScene_Release(const wkRobotScene* snapshot);
