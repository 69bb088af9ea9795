// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file robot.h
/// Robots: a tree of links and joints, the collision bodies of the links, joint limits and forward
/// kinematics.
///
/// A `wkRobot` is built once and never changes: any number of threads share it. It comes from a URDF
/// file (`wkRobot_Load` in io.h), from a description (`wkRobotDef`), or is the built-in one
/// (`wkRobot_CreateBuiltIn`).
///
/// A configuration is an array of doubles, one for each *variable*: revolute, continuous and
/// prismatic joints have one, planar joints three (x, y, angle), floating ones seven (x, y, z and
/// the quaternion x, y, z, w). Fixed and mimic joints have none. Links, joints and variables are
/// numbered from the root outward, parents before children, branches in the order of the description.
///
/// A `wkRobotState` is a robot in one configuration, with its link poses and the scratch of queries;
/// each thread has its own. See docs/robots.md.

#include "whisker/digest.h"
#include "whisker/mesh.h"
#include "whisker/shape.h"

/// A robot.
typedef struct wkRobot wkRobot;

/// How a joint moves.
typedef enum wkJointType {
    wk_jointFixed = 0,      ///< no motion
    wk_jointRevolute = 1,   ///< rotation about its axis between limits
    wk_jointContinuous = 2, ///< rotation about its axis without limits
    wk_jointPrismatic = 3,  ///< translation along its axis between limits
    wk_jointPlanar = 4,     ///< translation in the plane normal to its axis and rotation about it
    wk_jointFloating = 5,   ///< any rigid motion
} wkJointType;

/// Lower-case name as in URDF: "fixed", "revolute", "continuous", "prismatic", "planar",
/// "floating".
WK_API const char* wkJointTypeName(wkJointType type);

/// Finds the value with a name.
/// @param type unchanged on failure
/// @return wk_errorArgument when there is none
WK_API wkResult wkJointTypeFromName(const char* name, wkJointType* type);

/// A joint of a description. Start from `wkDefaultJointDef()`.
typedef struct wkJointDef {
    uint32_t cookie;    ///< set by wkDefaultJointDef()
    wkJointType type;   ///< default wk_jointFixed
    const char* name;   ///< unique among joints
    const char* parent; ///< name of the parent link
    const char* child;  ///< name of the child link; each link is the child of at most one joint
    wkPose origin;      ///< pose of the child in the frame of the parent at zero; default identity
    wkVec3d axis;       ///< in the frame of the child, any length but zero; default z
    double lower;       ///< limit of revolute and prismatic joints, in radians or metres; minus
                        ///< infinity: none; default 0
    double upper;       ///< upper limit, not below `lower`; default 0
    double velocity; ///< largest rate of a revolute, continuous or prismatic joint, in radians or
                     ///< metres per second; > 0; infinity (default): not known
    const char*
        mimic; ///< name of a joint with one variable that this joint mimics; its limits then
               ///< narrow those of that variable, unless no value would be left; default NULL
    double mimicFactor; ///< value = mimicFactor * value of `mimic` + mimicOffset; default 1
    double mimicOffset; ///< see mimicFactor; default 0
} wkJointDef;

/// The defaults above, without names.
WK_API wkJointDef wkDefaultJointDef(void);

/// A collision body: a shape on a link.
typedef struct wkBodyDef {
    const char* link; ///< name of the link
    const char* name; ///< of the body; NULL: none
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

/// An end effector: a group at the end of another one.
typedef struct wkEndEffectorDef {
    const char* name;        ///< unique among end effectors
    const char* group;       ///< the group of the end effector
    const char* parentLink;  ///< the link that carries it
    const char* parentGroup; ///< the group of the arm; NULL: not stated
} wkEndEffectorDef;

/// Two links whose collisions are not checked.
typedef struct wkDisabledPairDef {
    const char* linkA;  ///< name of one link
    const char* linkB;  ///< name of the other link
    const char* reason; ///< such as "Adjacent" or "Never"; NULL: not stated
} wkDisabledPairDef;

/// A description of a robot. Everything is copied except hulls and meshes of shapes. Start from
/// `wkDefaultRobotDef()`.
typedef struct wkRobotDef {
    uint32_t cookie;                        ///< set by wkDefaultRobotDef()
    const char* name;                       ///< default "robot"
    const char* const* links;               ///< names of the links, unique
    const wkJointDef* joints;               ///< one fewer than links: they form a tree
    const wkBodyDef* bodies;                ///< shapes on links; NULL when bodyCount is 0
    const wkGroupDef* groups;               ///< NULL (default): none
    const wkNamedStateDef* states;          ///< NULL (default): none
    const wkEndEffectorDef* endEffectors;   ///< NULL (default): none
    const wkDisabledPairDef* disabledPairs; ///< NULL (default): none
    int32_t linkCount;                      ///< at least 1
    int32_t jointCount;                     ///< linkCount - 1
    int32_t bodyCount;                      ///< >= 0
    int32_t groupCount;                     ///< >= 0
    int32_t stateCount;                     ///< >= 0
    int32_t endEffectorCount;               ///< >= 0
    int32_t disabledPairCount;              ///< >= 0
} wkRobotDef;

/// A description without links.
WK_API wkRobotDef wkDefaultRobotDef(void);

/// Builds a robot.
/// @param robot set to NULL on failure; borrows the meshes and hulls of its bodies
/// @return wk_errorArgument (names that are missing, unknown or given twice; links that do not form
///         one tree; mimic joints that form a cycle), wk_errorRange, wk_errorNotFinite
///         (naming the joint or body and the field), wk_errorMemory
WK_API wkResult wkRobot_Create(const wkRobotDef* def, wkRobot** robot);

/// Hands meshes and hulls to a robot, which destroys them with itself, such as those that its bodies borrow.
/// Call it once, before the robot is shared with other threads.
/// @param meshes array of meshCount; NULL when the count is 0
/// @param hulls array of hullCount; NULL when the count is 0
/// @return wk_errorArgument (a mesh or hull is NULL), wk_errorRange (a count), wk_errorState (called before),
///         wk_errorMemory: the caller keeps them
WK_API wkResult wkRobot_Adopt(wkRobot* robot, wkMesh* const* meshes, int32_t meshCount,
                              wkHull* const* hulls, int32_t hullCount);

/// Creates the built-in robot, which needs no files: a seven-axis arm with a two-finger gripper on a
/// lifting torso, and a pan-tilt head with a camera; with groups, named states and disabled pairs.
WK_API wkResult wkRobot_CreateBuiltIn(wkRobot** robot);

/// Releases a robot, with the meshes and hulls that it owns; NULL is fine.
WK_API void wkRobot_Destroy(wkRobot* robot);

/// A link.
typedef struct wkLinkInfo {
    const char* name;    ///< valid as long as the robot, as all names here
    int32_t parentJoint; ///< the joint that carries it; -1 for the root
    int32_t parentLink;  ///< -1 for the root
    int32_t firstBody;   ///< index of its first body
    int32_t bodyCount;   ///< number of its bodies, which are consecutive
} wkLinkInfo;

/// A joint.
typedef struct wkJointInfo {
    const char* name;      ///< as described
    wkJointType type;      ///< as described
    int32_t parentLink;    ///< index of the parent link
    int32_t childLink;     ///< index of the child link
    int32_t firstVariable; ///< index of its first variable; its variables are consecutive
    int32_t variableCount; ///< 0, 1, 3 or 7
    wkPose origin;         ///< as described
    wkVec3d axis;          ///< of unit length
    int32_t mimic;         ///< the joint at the end of its mimic chain, no mimic joint; -1: none
    double mimicFactor;    ///< composed over the mimic chain
    double mimicOffset;    ///< composed over the mimic chain
} wkJointInfo;

/// Meaning of a variable.
typedef enum wkVariableKind {
    wk_variableAngle = 0, ///< radians between limits
    wk_variableContinuous =
        1, ///< radians without limits, periodic in 2 pi. A variable that is mimicked
           ///< with a fractional factor is not periodic: it is wk_variableAngle
    wk_variableLength = 2,   ///< metres
    wk_variableRotation = 3, ///< part of a quaternion
} wkVariableKind;

/// A variable.
typedef struct wkVariableInfo {
    const char* name;    ///< name of its joint; with several variables "joint/x", "/y", "/angle"
                         ///< (planar), or "/x", "/y", "/z", "/qx", "/qy", "/qz", "/qw" (floating)
    wkVariableKind kind; ///< meaning
    int32_t joint;       ///< the joint it moves
    double lower;        ///< lower limit, also of its mimic joints; minus infinity: none
    double upper;        ///< upper limit, also of its mimic joints; infinity: none
    double velocity;     ///< largest rate, in radians or metres per second; infinity: not known
} wkVariableInfo;

/// A body: a shape on a link.
typedef struct wkBodyInfo {
    const char* name;     ///< as described; "" without one
    int32_t link;         ///< index of its link
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
    const int32_t* variables; ///< indices of the variables that it sets
    const double* values;     ///< values of these variables
    int32_t count;            ///< number of these variables
} wkNamedStateInfo;

/// An end effector.
typedef struct wkEndEffectorInfo {
    const char* name;    ///< as described
    int32_t group;       ///< of the end effector
    int32_t parentLink;  ///< the link that carries it
    int32_t parentGroup; ///< of the arm; -1: not stated
} wkEndEffectorInfo;

/// Two links whose collisions are not checked.
typedef struct wkDisabledPairInfo {
    int32_t linkA;      ///< the lower index
    int32_t linkB;      ///< the higher index
    const char* reason; ///< "" when not stated
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
    int32_t endEffectorCount;  ///< end effectors
    int32_t disabledPairCount; ///< pairs that are not checked
    int64_t triangleCount;     ///< of all meshes
    size_t byteCount;          ///< memory of the robot, with meshes and hulls that it owns
} wkRobotInfo;

/// Returns the counts; zeros for NULL.
WK_API wkRobotInfo wkRobot_Info(const wkRobot* robot);

// Elements of a robot, by index. An index out of range gives names "" and indices of -1.

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
/// A pair that is not checked.
WK_API wkDisabledPairInfo wkRobot_DisabledPair(const wkRobot* robot, int32_t pair);

// By name; -1 when there is none.

/// Index of a link.
WK_API int32_t wkRobot_FindLink(const wkRobot* robot, const char* name);
/// Index of a joint.
WK_API int32_t wkRobot_FindJoint(const wkRobot* robot, const char* name);
/// Index of a variable.
WK_API int32_t wkRobot_FindVariable(const wkRobot* robot, const char* name);
/// Index of a group.
WK_API int32_t wkRobot_FindGroup(const wkRobot* robot, const char* name);
/// Index of a named state.
/// @param group index of its group; -1: any
WK_API int32_t wkRobot_FindNamedState(const wkRobot* robot, int32_t group, const char* name);

/// Digest of the collision bodies: names of the links, and of each body its link, pose and shape with all
/// vertices. It changes with these only. All zeros for NULL. Takes about 10 ms per megabyte of mesh.
WK_API wkDigest wkRobot_BodyDigest(const wkRobot* robot);

/// Digest of everything that verdicts about the robot depend on: its collision bodies, joints, limits and
/// disabled pairs. Groups and named states are left out. All zeros for NULL.
WK_API wkDigest wkRobot_Digest(const wkRobot* robot);

// Configurations: arrays of `variableCount` doubles. Functions that return one write all of it.

/// Sets the default configuration: zero where the limits allow it, else their middle; identity quaternions.
WK_API void wkRobot_DefaultConfiguration(const wkRobot* robot, double* q);

/// Writes the variables of a named state into `q`; other variables stay.
/// @return wk_errorArgument when there is no such state
WK_API wkResult wkRobot_ApplyNamedState(const wkRobot* robot, int32_t state, double* q);

/// Samples a configuration uniformly within the limits; without limits, angles within pi of zero and
/// lengths within 1 m of zero. The same seed gives the same configuration on every machine.
/// @param seed advanced by each call
WK_API void wkRobot_RandomConfiguration(const wkRobot* robot, uint64_t* seed, double* q);

/// Returns the index of the first variable that is beyond its limits or NaN; -1: none.
/// @param slack tolerance beyond a limit, in the unit of the variable; >= 0
WK_API int32_t wkRobot_FindBeyondLimits(const wkRobot* robot, const double* q, double slack);

/// Clamps variables to their limits, wraps continuous angles to (-pi, pi], and normalises quaternions.
WK_API void wkRobot_ClampConfiguration(const wkRobot* robot, double* q);

/// Interpolates the motion from q0 (t = 0) to q1 (t = 1) at time t: variables change linearly, continuous
/// angles and rotations along the shorter way. `q` may be one of the two.
WK_API void wkRobot_Interpolate(const wkRobot* robot, const double* q0, const double* q1, double t,
                                double* q);

/// Returns the distance of two configurations: the largest change of a variable on the motion between
/// them, in radians or metres; for quaternions the angle of rotation.
WK_API double wkRobot_ConfigurationDistance(const wkRobot* robot, const double* q0,
                                            const double* q1);

/// Computes the poses of all links (forward kinematics).
/// @param base pose of the root link in the world
/// @param poses array of `linkCount`, all of which are written; NaN in `q` gives NaN
WK_API void wkRobot_LinkPoses(const wkRobot* robot, wkPose base, const double* q, wkPose* poses);

/// Computes the poses of all links for many configurations, one after the other in both arrays.
/// @param parallel threads to use; NULL: the calling one
WK_API void wkRobot_LinkPosesOfMany(const wkRobot* robot, wkPose base, const double* configurations,
                                    int32_t count, const wkParallel* parallel, wkPose* poses);

/// A robot in one configuration.
typedef struct wkRobotState wkRobotState;

/// Creates a state of a robot, which is borrowed, in its default configuration at the world's origin.
/// @param state set to NULL on failure
/// @return wk_errorMemory, wk_errorArgument
WK_API wkResult wkRobotState_Create(const wkRobot* robot, wkRobotState** state);

/// Releases a state; NULL is fine.
WK_API void wkRobotState_Destroy(wkRobotState* state);

/// Sets the configuration and computes the poses of all links.
/// @param base pose of the root link in the world
/// @return wk_errorNotFinite naming the variable, wk_errorRange for a quaternion of length zero or a
///         position beyond 1e60: queries then report wk_statusInvalid until the state is set again
WK_API wkResult wkRobotState_Set(wkRobotState* state, wkPose base, const double* q);

/// Sets the poses of all links, such as those of another kinematics library. The configuration stays
/// unchanged.
/// @param poses in the world, one for each link
/// @return wk_errorNotFinite or wk_errorRange naming the link, as above
WK_API wkResult wkRobotState_SetLinkPoses(wkRobotState* state, const wkPose* poses);

/// Returns the robot of a state.
WK_API const wkRobot* wkRobotState_Robot(const wkRobotState* state);

/// Returns the configuration of a state.
WK_API const double* wkRobotState_Configuration(const wkRobotState* state);

/// Returns the pose of a link in the world; identity for an index out of range.
WK_API wkPose wkRobotState_LinkPose(const wkRobotState* state, int32_t link);

/// Returns the pose of a body in the world; identity for an index out of range.
WK_API wkPose wkRobotState_BodyPose(const wkRobotState* state, int32_t body);

/// Computes the Jacobian of a point that is fixed to a link.
/// @param point in the world
/// @param jacobian array of 6 * variableCount doubles, row by row: linear velocity of the point (x, y, z)
///        and angular velocity of the link (x, y, z) in the world per unit rate of each variable. The
///        columns qx, qy, qz of a quaternion are rotations about the axes of the joint's frame at zero;
///        the column of qw is zero
WK_API void wkRobotState_Jacobian(const wkRobotState* state, int32_t link, wkVec3d point,
                                  double* jacobian);
