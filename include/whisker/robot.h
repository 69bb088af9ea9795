// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file robot.h
/// Robots: links joined into a tree, the shapes on the links, the limits of the joints, and where
/// all links are in a given configuration.
///
/// A `wkRobot` is built once and never changes: any number of threads share it. It comes from a
/// URDF file (`wkRobot_Load` in io.h), from a description of your own (`wkRobotDef`), or is the one
/// that is built in (`wkRobot_CreateBuiltIn`).
///
/// A configuration is an array of doubles, one for each *variable*: revolute, continuous and
/// prismatic joints have one, planar joints three (x, y, angle), floating ones seven (x, y, z and
/// the quaternion x, y, z, w). Fixed joints and those that mimic others have none. Links, joints
/// and variables are numbered from the root outward, parents before children, branches in the order
/// of the description.
///
/// A `wkRobotState` is a robot in one configuration, with everything that queries need to know of
/// it; each thread has its own. See docs/robots.md.

#include "whisker/digest.h"
#include "whisker/mesh.h"
#include "whisker/shape.h"

/// A robot.
typedef struct wkRobot wkRobot;

/// How a joint moves.
typedef enum wkJointType {
    wk_jointFixed = 0,      ///< not at all
    wk_jointRevolute = 1,   ///< turns about its axis between limits
    wk_jointContinuous = 2, ///< turns about its axis without end
    wk_jointPrismatic = 3,  ///< slides along its axis between limits
    wk_jointPlanar = 4,     ///< slides in the plane across its axis and turns about it
    wk_jointFloating = 5,   ///< goes anywhere
    wk_jointTypeCount = 6,  ///< number of values, not a type
} wkJointType;

/// Lower-case name as in URDF: "fixed", "revolute", "continuous", "prismatic", "planar",
/// "floating".
WK_API const char* wkJointTypeName(wkJointType type);

/// Type with that name; wk_jointTypeCount when there is none.
WK_API wkJointType wkJointTypeFromName(const char* name);

/// A joint of a description. Start from `wkDefaultJointDef()`.
typedef struct wkJointDef {
    const char* name;   ///< unique among joints
    wkJointType type;   ///< default wk_jointFixed
    const char* parent; ///< name of the link it starts at
    const char* child;  ///< name of the link it carries; each link has at most one such joint
    wkPose origin;      ///< where the child is in the frame of the parent at zero; default identity
    wkVec3d axis;       ///< in the frame of the child, any length but zero; default z
    double lower;       ///< limit of revolute and prismatic joints, in radians or metres; minus
                        ///< infinity: none; default 0
    double upper;       ///< the other limit, not below `lower`; default 0
    const char* mimic; ///< name of a joint with one variable that this one follows; its limits then
        ///< narrow those of that variable, unless nothing would be left; default NULL
    double mimicFactor; ///< its value times this
    double mimicOffset; ///< plus this
} wkJointDef;

/// The defaults above, without names.
WK_API wkJointDef wkDefaultJointDef(void);

/// A shape on a link.
typedef struct wkBodyDef {
    const char* link; ///< name of the link
    const char* name; ///< of its own; NULL: none
    wkShape shape;    ///< a hull or mesh that it borrows must live as long as the robot
    wkPose pose;      ///< in the frame of the link
} wkBodyDef;

/// Joints and links that belong together, such as an arm.
typedef struct wkGroupDef {
    const char* name;          ///< unique among groups
    const char* const* joints; ///< names of its joints
    const char* const* links;  ///< names of its links
    int32_t jointCount;        ///< >= 0
    int32_t linkCount;         ///< >= 0
} wkGroupDef;

/// A configuration with a name, such as "home".
typedef struct wkNamedStateDef {
    const char* name;          ///< unique within its group
    const char* group;         ///< the group it belongs to; NULL: the whole robot
    const char* const* joints; ///< names of joints
    const double* values;      ///< of all variables of these joints, one joint after the other
    int32_t jointCount;        ///< >= 0
} wkNamedStateDef;

/// A hand: a group at the end of another one.
typedef struct wkEndEffectorDef {
    const char* name;        ///< unique among end effectors
    const char* group;       ///< the group of the hand
    const char* parentLink;  ///< the link that carries it
    const char* parentGroup; ///< the group of the arm; NULL: not said
} wkEndEffectorDef;

/// Two links that need no look at each other.
typedef struct wkDisabledPairDef {
    const char* linkA;  ///< name of one link
    const char* linkB;  ///< name of the other
    const char* reason; ///< such as "Adjacent" or "Never"; NULL: not said
} wkDisabledPairDef;

/// A description of a robot. Everything is copied but shapes' hulls and meshes. Start from
/// `wkDefaultRobotDef()`.
typedef struct wkRobotDef {
    const char* name;                       ///< default "robot"
    const char* const* links;               ///< names of the links, unique
    const wkJointDef* joints;               ///< one fewer than links: they form a tree
    const wkBodyDef* bodies;                ///< shapes on links
    const wkGroupDef* groups;               ///< may be NULL
    const wkNamedStateDef* states;          ///< may be NULL
    const wkEndEffectorDef* endEffectors;   ///< may be NULL
    const wkDisabledPairDef* disabledPairs; ///< may be NULL
    int32_t linkCount;                      ///< at least 1
    int32_t jointCount;                     ///< linkCount - 1
    int32_t bodyCount;                      ///< >= 0
    int32_t groupCount;                     ///< >= 0
    int32_t stateCount;                     ///< >= 0
    int32_t endEffectorCount;               ///< >= 0
    int32_t disabledPairCount;              ///< >= 0
    wkMesh* const* meshes; ///< meshes that the robot is to destroy with itself; may be NULL
    wkHull* const* hulls;  ///< hulls likewise; may be NULL
    int32_t meshCount;     ///< >= 0
    int32_t hullCount;     ///< >= 0
    uint32_t cookie;       ///< set by wkDefaultRobotDef()
} wkRobotDef;

/// A description without links.
WK_API wkRobotDef wkDefaultRobotDef(void);

/// Builds a robot.
/// @param robot set to NULL on failure; meshes and hulls still belong to the caller then
/// @return wk_errorArgument (names that are missing, unknown or given twice; links that do not form
///         one tree; a mimicked joint that mimics in a circle), wk_errorRange, wk_errorNotFinite
///         (naming the joint or body and the field), wk_errorMemory
WK_API wkResult wkRobot_Create(const wkRobotDef* def, wkRobot** robot);

/// The built-in robot, which needs no files: a seven-axis arm with a two-finger gripper on a torso
/// that lifts, and a head with a camera that pans and tilts; with groups, named states and pairs
/// that need no look.
WK_API wkResult wkRobot_CreateBuiltIn(wkRobot** robot);

/// Releases a robot, with the meshes and hulls that were handed over to it; NULL is fine.
WK_API void wkRobot_Destroy(wkRobot* robot);

/// A link.
typedef struct wkLinkInfo {
    const char* name;    ///< lives as long as the robot, as all names here
    int32_t parentJoint; ///< the joint that carries it; -1 for the root
    int32_t parentLink;  ///< -1 for the root
    int32_t firstBody;   ///< its bodies are `bodyCount` ones from here
    int32_t bodyCount;   ///< shapes on it
} wkLinkInfo;

/// A joint.
typedef struct wkJointInfo {
    const char* name;      ///< as described
    wkJointType type;      ///< as described
    int32_t parentLink;    ///< where it starts
    int32_t childLink;     ///< what it carries
    int32_t firstVariable; ///< its variables are `variableCount` ones from here
    int32_t variableCount; ///< 0, 1, 3 or 7
    wkPose origin;         ///< as described
    wkVec3d axis;          ///< of unit length
    int32_t mimic;         ///< the joint it follows, which follows none itself; -1: none
    double mimicFactor;    ///< through all joints it follows
    double mimicOffset;    ///< through all joints it follows
} wkJointInfo;

/// What a variable means.
typedef enum wkVariableKind {
    wk_variableAngle = 0, ///< radians between limits
    wk_variableContinuous =
        1, ///< radians without limits: 2 pi later it is the same. Where a joint follows
           ///< by a factor that is not whole it is not, and the kind is an angle
    wk_variableLength = 2,   ///< metres
    wk_variableRotation = 3, ///< part of a quaternion
} wkVariableKind;

/// A variable.
typedef struct wkVariableInfo {
    const char*
        name; ///< that of its joint; where it has several "joint/x", "/y", "/angle" (planar),
              ///< or "/x", "/y", "/z", "/qx", "/qy", "/qz", "/qw" (floating)
    wkVariableKind kind; ///< what it means
    int32_t joint;       ///< the joint it moves
    double lower;        ///< limit; minus infinity: none. Those of joints that mimic are included
    double upper;        ///< limit; infinity: none
} wkVariableInfo;

/// A body: a shape on a link.
typedef struct wkBodyInfo {
    const char* name;     ///< as described; "" without one
    int32_t link;         ///< what it is on
    const wkShape* shape; ///< as described
    wkPose pose;          ///< in the frame of the link
} wkBodyInfo;

/// A group.
typedef struct wkGroupInfo {
    const char* name;         ///< as described
    const int32_t* variables; ///< of its joints, ascending
    const int32_t* links;     ///< ascending
    int32_t variableCount;    ///< number of variables
    int32_t linkCount;        ///< number of links
} wkGroupInfo;

/// A configuration with a name.
typedef struct wkNamedStateInfo {
    const char* name;         ///< as described
    int32_t group;            ///< -1: the whole robot
    const int32_t* variables; ///< that it sets
    const double* values;     ///< what it sets them to
    int32_t count;            ///< number of those
} wkNamedStateInfo;

/// A hand.
typedef struct wkEndEffectorInfo {
    const char* name;    ///< as described
    int32_t group;       ///< of the hand
    int32_t parentLink;  ///< the link that carries it
    int32_t parentGroup; ///< of the arm; -1: not said
} wkEndEffectorInfo;

/// Two links that need no look at each other.
typedef struct wkDisabledPairInfo {
    int32_t linkA;      ///< the lower number
    int32_t linkB;      ///< the higher number
    const char* reason; ///< "" when not said
} wkDisabledPairInfo;

/// Counts of what a robot has.
typedef struct wkRobotInfo {
    const char* name;          ///< as described
    int32_t linkCount;         ///< all links
    int32_t jointCount;        ///< all joints, fixed ones too
    int32_t variableCount;     ///< length of a configuration
    int32_t bodyCount;         ///< shapes on links
    int32_t groupCount;        ///< groups
    int32_t stateCount;        ///< named states
    int32_t endEffectorCount;  ///< hands
    int32_t disabledPairCount; ///< pairs that need no look
    int64_t triangleCount;     ///< of all meshes
    size_t byteCount;          ///< memory of the robot, with meshes and hulls that are its own
} wkRobotInfo;

/// The counts; zeros for NULL.
WK_API wkRobotInfo wkRobot_Info(const wkRobot* robot);

// The things themselves, by number. A number out of range gives names "" and indices of -1.

/// A link.
WK_API wkLinkInfo wkRobot_Link(const wkRobot* robot, int32_t link);
/// A joint.
WK_API wkJointInfo wkRobot_Joint(const wkRobot* robot, int32_t joint);
/// A variable.
WK_API wkVariableInfo wkRobot_Variable(const wkRobot* robot, int32_t variable);
/// A body.
WK_API wkBodyInfo wkRobot_Body(const wkRobot* robot, int32_t body);
/// A group.
WK_API wkGroupInfo wkRobot_Group(const wkRobot* robot, int32_t group);
/// A named state.
WK_API wkNamedStateInfo wkRobot_NamedState(const wkRobot* robot, int32_t state);
/// An end effector.
WK_API wkEndEffectorInfo wkRobot_EndEffector(const wkRobot* robot, int32_t endEffector);
/// A pair that needs no look.
WK_API wkDisabledPairInfo wkRobot_DisabledPair(const wkRobot* robot, int32_t pair);

// By name; -1 when there is none.

/// Number of a link.
WK_API int32_t wkRobot_FindLink(const wkRobot* robot, const char* name);
/// Number of a joint.
WK_API int32_t wkRobot_FindJoint(const wkRobot* robot, const char* name);
/// Number of a variable.
WK_API int32_t wkRobot_FindVariable(const wkRobot* robot, const char* name);
/// Number of a group.
WK_API int32_t wkRobot_FindGroup(const wkRobot* robot, const char* name);
/// Number of a named state.
/// @param group the one it belongs to; -1: any
WK_API int32_t wkRobot_FindNamedState(const wkRobot* robot, int32_t group, const char* name);

/// Digest of the collision bodies: names of the links, and of each body its link, pose and shape with all
/// vertices. It changes with any of these, and with nothing else. All zeros for NULL. Takes about 10 ms for a
/// megabyte of mesh.
WK_API wkDigest wkRobot_BodyDigest(const wkRobot* robot);

/// Digest of all that verdicts about the robot depend on: its collision bodies, joints, limits and disabled
/// pairs. Groups and named states do not count. All zeros for NULL.
WK_API wkDigest wkRobot_Digest(const wkRobot* robot);

// Configurations: arrays of `variableCount` doubles. Functions that give one write all of it.

/// Zero wherever the limits allow it, the middle between them elsewhere; quaternions are identity.
WK_API void wkRobot_DefaultConfiguration(const wkRobot* robot, double* q);

/// Writes the variables that a named state sets into `q`, and leaves the others.
/// @return wk_errorArgument when there is no such state
WK_API wkResult wkRobot_ApplyNamedState(const wkRobot* robot, int32_t state, double* q);

/// A configuration within the limits, all of them equally likely; where there are none, turns of up
/// to pi and places up to a metre away. The same seed gives the same configuration on every
/// machine.
/// @param seed moved on by each call
WK_API void wkRobot_RandomConfiguration(const wkRobot* robot, uint64_t* seed, double* q);

/// The first variable that is not within its limits, or is NaN; -1: all are.
/// @param slack how far beyond a limit is still fine, in the unit of the variable; >= 0
WK_API int32_t wkRobot_FindBeyondLimits(const wkRobot* robot, const double* q, double slack);

/// Moves variables to the nearest limit, turns into (-pi, pi], and quaternions to unit length.
WK_API void wkRobot_ClampConfiguration(const wkRobot* robot, double* q);

/// The configuration at time t of the motion from q0 (t = 0) to q1 (t = 1): variables change
/// evenly, turns and rotations the shorter way round. `q` may be one of the two.
WK_API void wkRobot_Interpolate(const wkRobot* robot, const double* q0, const double* q1, double t,
                                double* q);

/// How far two configurations are from each other: the largest change of a variable on the motion
/// between them, in radians or metres; for rotations their angle.
WK_API double wkRobot_ConfigurationDistance(const wkRobot* robot, const double* q0,
                                            const double* q1);

/// Where all links are.
/// @param base where the root is in the world
/// @param poses room for `linkCount` of them, all of which are filled, NaN and all
WK_API void wkRobot_LinkPoses(const wkRobot* robot, wkPose base, const double* q, wkPose* poses);

/// The same for many configurations, one after the other in both arrays.
/// @param parallel threads to use; NULL: the calling one
WK_API void wkRobot_LinkPosesOfMany(const wkRobot* robot, wkPose base, const double* configurations,
                                    int32_t count, const wkParallel* parallel, wkPose* poses);

/// A robot in one configuration.
typedef struct wkRobotState wkRobotState;

/// A state of a robot, which it borrows, in its default configuration at the origin of the world.
/// @param state set to NULL on failure
/// @return wk_errorMemory, wk_errorArgument
WK_API wkResult wkRobotState_Create(const wkRobot* robot, wkRobotState** state);

/// Releases a state; NULL is fine.
WK_API void wkRobotState_Destroy(wkRobotState* state);

/// Puts the robot into a configuration.
/// @param base where the root is in the world
/// @return wk_errorNotFinite naming the variable, wk_errorRange for a quaternion of length zero or
///         a place beyond 1e60: queries answer wk_statusInvalid then, until it is set again
WK_API wkResult wkRobotState_Set(wkRobotState* state, wkPose base, const double* q);

/// Puts the links where somebody else found them, such as a kinematics of your own. The
/// configuration stays what it was.
/// @param poses in the world, one for each link
/// @return wk_errorNotFinite or wk_errorRange naming the link, as above
WK_API wkResult wkRobotState_SetLinkPoses(wkRobotState* state, const wkPose* poses);

/// The robot of a state.
WK_API const wkRobot* wkRobotState_Robot(const wkRobotState* state);

/// The configuration of a state.
WK_API const double* wkRobotState_Configuration(const wkRobotState* state);

/// Where a link is in the world; identity for a number out of range.
WK_API wkPose wkRobotState_LinkPose(const wkRobotState* state, int32_t link);

/// Where a body is in the world; identity for a number out of range.
WK_API wkPose wkRobotState_BodyPose(const wkRobotState* state, int32_t body);

/// How a point that is fixed to a link moves with the variables.
/// @param point in the world
/// @param jacobian room for 6 * variableCount doubles, row by row: velocity of the point (x, y, z)
///        and turning of the link (x, y, z) in the world for a unit of each variable. Variables of
///        a quaternion stand for turning about the axes of the frame that the joint starts from (x,
///        y, z), and w for nothing: its column is zero
WK_API void wkRobotState_Jacobian(const wkRobotState* state, int32_t link, wkVec3d point,
                                  double* jacobian);
