// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The robot that needs no files: a wheeled base, a torso that lifts, a head with a camera, and an
// arm with seven axes and a gripper. Tables, in metres and radians; x is forward, z is up.

#include "math/vec.h"
#include "whisker/robot.h"

#define HALF_PI 1.5707963267948966
#define COUNT(array) ((int32_t)(sizeof(array) / sizeof(array)[0]))

static const char* const linkNames[] = {
    "base_link",       "torso_link",        "head_pan_link",      "head_tilt_link",
    "head_camera",     "shoulder_pan_link", "shoulder_lift_link", "upperarm_roll_link",
    "elbow_flex_link", "forearm_roll_link", "wrist_flex_link",    "wrist_roll_link",
    "gripper_link",    "left_finger_link",  "right_finger_link",  "grasp_frame",
};

// A joint; `rotation` holds roll, pitch and yaw of the child.
typedef struct jointRow {
    const char* name;
    wkJointType type;
    const char* parent;
    const char* child;
    wkVec3d position;
    wkVec3d rotation;
    wkVec3d axis;
    double lower;
    double upper;
    double velocity; // 0: it does not move
    const char* mimic;
} jointRow;

// clang-format off
#define UPRIGHT {0, 0, 0}

static const jointRow jointRows[] = {
    {"torso_lift_joint", wk_jointPrismatic, "base_link", "torso_link",
     {-0.04, 0, 0.62}, UPRIGHT, {0, 0, 1}, 0, 0.38, 0.1, NULL},
    {"head_pan_joint", wk_jointRevolute, "torso_link", "head_pan_link",
     {0, 0, 0.56}, UPRIGHT, {0, 0, 1}, -1.57, 1.57, 1.57, NULL},
    {"head_tilt_joint", wk_jointRevolute, "head_pan_link", "head_tilt_link",
     {0.02, 0, 0.08}, UPRIGHT, {0, 1, 0}, -0.76, 1.20, 1.57, NULL},
    {"head_camera_joint", wk_jointFixed, "head_tilt_link", "head_camera",
     {0.15, 0, 0.06}, {-HALF_PI, 0, -HALF_PI}, {0, 0, 1}, 0, 0, 0, NULL},
    {"shoulder_pan_joint", wk_jointRevolute, "torso_link", "shoulder_pan_link",
     {0.18, 0, 0.28}, UPRIGHT, {0, 0, 1}, -1.60, 1.60, 1.25, NULL},
    {"shoulder_lift_joint", wk_jointRevolute, "shoulder_pan_link", "shoulder_lift_link",
     {0.12, 0, 0.06}, UPRIGHT, {0, 1, 0}, -1.22, 1.52, 1.45, NULL},
    {"upperarm_roll_joint", wk_jointContinuous, "shoulder_lift_link", "upperarm_roll_link",
     {0.21, 0, 0}, UPRIGHT, {1, 0, 0}, 0, 0, 1.57, NULL},
    {"elbow_flex_joint", wk_jointRevolute, "upperarm_roll_link", "elbow_flex_link",
     {0.14, 0, 0}, UPRIGHT, {0, 1, 0}, -2.25, 2.25, 1.52, NULL},
    {"forearm_roll_joint", wk_jointContinuous, "elbow_flex_link", "forearm_roll_link",
     {0.19, 0, 0}, UPRIGHT, {1, 0, 0}, 0, 0, 1.57, NULL},
    {"wrist_flex_joint", wk_jointRevolute, "forearm_roll_link", "wrist_flex_link",
     {0.13, 0, 0}, UPRIGHT, {0, 1, 0}, -2.16, 2.16, 2.26, NULL},
    {"wrist_roll_joint", wk_jointContinuous, "wrist_flex_link", "wrist_roll_link",
     {0.14, 0, 0}, UPRIGHT, {1, 0, 0}, 0, 0, 2.26, NULL},
    {"gripper_joint", wk_jointFixed, "wrist_roll_link", "gripper_link",
     {0.05, 0, 0}, UPRIGHT, {0, 0, 1}, 0, 0, 0, NULL},
    {"left_finger_joint", wk_jointPrismatic, "gripper_link", "left_finger_link",
     {0.07, 0, 0}, UPRIGHT, {0, 1, 0}, 0, 0.05, 0.05, NULL},
    {"right_finger_joint", wk_jointPrismatic, "gripper_link", "right_finger_link",
     {0.07, 0, 0}, UPRIGHT, {0, -1, 0}, 0, 0.05, 0.05, "left_finger_joint"},
    {"grasp_joint", wk_jointFixed, "gripper_link", "grasp_frame",
     {0.12, 0, 0}, UPRIGHT, {0, 0, 1}, 0, 0, 0, NULL},
};

// A body; the sizes are the arguments of its shape's constructor, without the rounding.
typedef struct bodyRow {
    const char* link;
    const char* name;
    wkShapeType type;
    double size[3];
    double rounding;
    wkVec3d position;
    wkVec3d rotation;
} bodyRow;

#define ALONG_X {0, HALF_PI, 0}
#define ALONG_Y {-HALF_PI, 0, 0}
#define BACK_X {0, -HALF_PI, 0}

static const bodyRow bodyRows[] = {
    {"base_link", "chassis", wk_shapeCylinder, {0.25, 0.16}, 0.02, {0, 0, 0.17}, UPRIGHT},
    {"base_link", "left_wheel", wk_shapeCylinder, {0.08, 0.04}, 0.01, {0, 0.23, 0.09}, ALONG_Y},
    {"base_link", "right_wheel", wk_shapeCylinder, {0.08, 0.04}, 0.01, {0, -0.23, 0.09}, ALONG_Y},
    {"base_link", "front_caster", wk_shapeSphere, {0.05}, 0, {0.19, 0, 0.05}, UPRIGHT},
    {"base_link", "rear_caster", wk_shapeSphere, {0.05}, 0, {-0.19, 0, 0.05}, UPRIGHT},
    {"base_link", "scanner", wk_shapeCone, {0.07, 0.09}, 0, {0.18, 0, 0.315}, UPRIGHT},
    {"base_link", "mast", wk_shapeBox, {0.12, 0.20, 0.46}, 0.02, {-0.12, 0, 0.50}, UPRIGHT},

    {"torso_link", "chest", wk_shapeBox, {0.16, 0.26, 0.34}, 0.04, {-0.01, 0, 0.21}, UPRIGHT},
    {"torso_link", "yoke", wk_shapeCapsule, {0.08, 0.26}, 0, {0, 0, 0.38}, ALONG_Y},
    {"torso_link", "shelf", wk_shapeCylinder, {0.08, 0.06}, 0.01, {0.18, 0, 0.18}, UPRIGHT},
    {"torso_link", "bracket", wk_shapeBox, {0.14, 0.10, 0.06}, 0.01, {0.11, 0, 0.18}, UPRIGHT},
    {"torso_link", "column", wk_shapeCylinder, {0.06, 0.52}, 0, {-0.08, 0, -0.10}, UPRIGHT},
    {"torso_link", "neck", wk_shapeCylinder, {0.045, 0.16}, 0, {0, 0, 0.49}, UPRIGHT},

    {"head_pan_link", "collar", wk_shapeCylinder, {0.055, 0.03}, 0.01, {0, 0, 0.02}, UPRIGHT},
    {"head_pan_link", "fork", wk_shapeCapsule, {0.03, 0.06}, 0, {0.02, 0, 0.06}, ALONG_Y},

    {"head_tilt_link", "skull", wk_shapeBox, {0.09, 0.18, 0.07}, 0.035, {0.02, 0, 0.07}, UPRIGHT},
    {"head_tilt_link", "camera_bar", wk_shapeBox, {0.03, 0.16, 0.02}, 0.008,
     {0.10, 0, 0.06}, UPRIGHT},
    {"head_tilt_link", "left_eye", wk_shapeCone, {0.022, 0.04}, 0, {0.12, 0.06, 0.06}, BACK_X},
    {"head_tilt_link", "right_eye", wk_shapeCone, {0.022, 0.04}, 0, {0.12, -0.06, 0.06}, BACK_X},

    {"shoulder_pan_link", "turret", wk_shapeCylinder, {0.07, 0.09}, 0.01, {0, 0, 0}, UPRIGHT},
    {"shoulder_pan_link", "shoulder", wk_shapeCapsule, {0.055, 0.06}, 0,
     {0.06, 0, 0.04}, {0, 1.15, 0}},

    {"shoulder_lift_link", "motor", wk_shapeCylinder, {0.05, 0.10}, 0.01, {0, 0, 0}, ALONG_Y},
    {"shoulder_lift_link", "upper_arm", wk_shapeCapsule, {0.05, 0.11}, 0, {0.10, 0, 0}, ALONG_X},

    {"upperarm_roll_link", "sleeve", wk_shapeCylinder, {0.045, 0.05}, 0.01, {0, 0, 0}, ALONG_X},
    {"upperarm_roll_link", "upper_arm", wk_shapeCapsule, {0.045, 0.07}, 0, {0.07, 0, 0}, ALONG_X},

    {"elbow_flex_link", "motor", wk_shapeCylinder, {0.045, 0.09}, 0.01, {0, 0, 0}, ALONG_Y},
    {"elbow_flex_link", "forearm", wk_shapeCapsule, {0.042, 0.09}, 0, {0.09, 0, 0}, ALONG_X},

    {"forearm_roll_link", "sleeve", wk_shapeCylinder, {0.04, 0.04}, 0.008, {0, 0, 0}, ALONG_X},
    {"forearm_roll_link", "taper", wk_shapeCone, {0.045, 0.16}, 0, {0.08, 0, 0}, ALONG_X},
    {"forearm_roll_link", "forearm", wk_shapeCapsule, {0.036, 0.07}, 0, {0.06, 0, 0}, ALONG_X},

    {"wrist_flex_link", "motor", wk_shapeCylinder, {0.038, 0.08}, 0.008, {0, 0, 0}, ALONG_Y},
    {"wrist_flex_link", "wrist", wk_shapeCapsule, {0.036, 0.06}, 0, {0.06, 0, 0}, ALONG_X},

    {"wrist_roll_link", "flange", wk_shapeCylinder, {0.042, 0.04}, 0.006, {0, 0, 0}, ALONG_X},

    {"gripper_link", "palm", wk_shapeBox, {0.05, 0.12, 0.04}, 0.012, {0.010, 0, 0}, UPRIGHT},
    {"gripper_link", "rail", wk_shapeCapsule, {0.012, 0.13}, 0, {0.055, 0, 0}, ALONG_Y},

    {"left_finger_link", "finger", wk_shapeBox, {0.064, 0.008, 0.016}, 0.004,
     {0.031, 0.012, 0}, UPRIGHT},
    {"left_finger_link", "tip", wk_shapeSphere, {0.010}, 0, {0.066, 0.012, 0}, UPRIGHT},
    {"right_finger_link", "finger", wk_shapeBox, {0.064, 0.008, 0.016}, 0.004,
     {0.031, -0.012, 0}, UPRIGHT},
    {"right_finger_link", "tip", wk_shapeSphere, {0.010}, 0, {0.066, -0.012, 0}, UPRIGHT},
};

#define ARM_JOINTS                                                                                 \
    "shoulder_pan_joint", "shoulder_lift_joint", "upperarm_roll_joint", "elbow_flex_joint",        \
    "forearm_roll_joint", "wrist_flex_joint", "wrist_roll_joint"
#define ARM_LINKS                                                                                  \
    "shoulder_pan_link", "shoulder_lift_link", "upperarm_roll_link", "elbow_flex_link",            \
    "forearm_roll_link", "wrist_flex_link", "wrist_roll_link"

static const char* const armWithTorsoJoints[] = {"torso_lift_joint", ARM_JOINTS};
static const char* const armWithTorsoLinks[] = {"torso_link", ARM_LINKS};
static const char* const headJoints[] = {"head_pan_joint", "head_tilt_joint"};
static const char* const headLinks[] = {"head_pan_link", "head_tilt_link", "head_camera"};
static const char* const gripperJoints[] = {"left_finger_joint", "right_finger_joint"};
static const char* const gripperLinks[] = {"gripper_link", "left_finger_link",
                                           "right_finger_link", "grasp_frame"};
static const char* const allJoints[] = {"torso_lift_joint", "head_pan_joint", "head_tilt_joint",
                                        ARM_JOINTS, "left_finger_joint"};

// The joints of the arm are those of the arm with the torso except for the first.
static const wkGroupDef groups[] = {
    {"arm", armWithTorsoJoints + 1, armWithTorsoLinks + 1, 7, 7},
    {"gripper", gripperJoints, gripperLinks, 2, 4},
    {"torso", armWithTorsoJoints, armWithTorsoLinks, 1, 1},
    {"head", headJoints, headLinks, 2, 3},
    {"arm_with_torso", armWithTorsoJoints, armWithTorsoLinks, 8, 8},
};

// torso, head (pan and tilt), arm, finger
static const double homeValues[] = {0.05, 0, 0, 0, 1.20, 0, -1.90, 0, 0.70, 0, 0};
static const double readyValues[] = {0.20, 0, 0.45, 0, 0.55, 0, -1.30, 0, 0.75, 0, 0.04};
static const double tuckedValues[] = {0, 0, 0, 1.45, 1.20, 0, -2.10, 0, -1.40, 0, 0};
static const double openValues[] = {0.05};
static const double closedValues[] = {0};

static const wkNamedStateDef states[] = {
    {"home", NULL, allJoints, homeValues, 11},
    {"ready", NULL, allJoints, readyValues, 11},
    {"tucked", NULL, allJoints, tuckedValues, 11},
    {"home", "arm", armWithTorsoJoints + 1, homeValues + 3, 7},
    {"ready", "arm", armWithTorsoJoints + 1, readyValues + 3, 7},
    {"tucked", "arm", armWithTorsoJoints + 1, tuckedValues + 3, 7},
    {"open", "gripper", gripperJoints, openValues, 1},
    {"closed", "gripper", gripperJoints, closedValues, 1},
};

static const wkEndEffectorDef endEffectors[] = {{"gripper", "gripper", "wrist_roll_link", "arm"}};

// Pairs that cannot touch are those that stay well apart in all samples of all joints between them.
static const wkDisabledPairDef pairs[] = {
    {"base_link", "torso_link", "Adjacent"},
    {"base_link", "head_pan_link", "Never"},
    {"base_link", "head_tilt_link", "Never"},
    {"base_link", "shoulder_pan_link", "Never"},
    {"base_link", "shoulder_lift_link", "Never"},
    {"base_link", "upperarm_roll_link", "Never"},
    {"torso_link", "head_pan_link", "Adjacent"},
    {"torso_link", "head_tilt_link", "Never"},
    {"torso_link", "shoulder_pan_link", "Adjacent"},
    {"head_pan_link", "head_tilt_link", "Adjacent"},
    {"head_pan_link", "shoulder_pan_link", "Never"},
    {"head_pan_link", "shoulder_lift_link", "Never"},
    {"head_pan_link", "upperarm_roll_link", "Never"},
    {"head_pan_link", "elbow_flex_link", "Never"},
    {"head_tilt_link", "shoulder_pan_link", "Never"},
    {"head_tilt_link", "shoulder_lift_link", "Never"},
    {"head_tilt_link", "upperarm_roll_link", "Never"},
    {"shoulder_pan_link", "shoulder_lift_link", "Adjacent"},
    {"shoulder_pan_link", "upperarm_roll_link", "Never"},
    {"shoulder_pan_link", "elbow_flex_link", "Never"},
    {"shoulder_pan_link", "forearm_roll_link", "Never"},
    {"shoulder_lift_link", "upperarm_roll_link", "Adjacent"},
    {"shoulder_lift_link", "elbow_flex_link", "Never"},
    {"shoulder_lift_link", "forearm_roll_link", "Never"},
    {"shoulder_lift_link", "wrist_flex_link", "Never"},
    {"shoulder_lift_link", "wrist_roll_link", "Never"},
    {"upperarm_roll_link", "elbow_flex_link", "Adjacent"},
    {"upperarm_roll_link", "forearm_roll_link", "Never"},
    {"upperarm_roll_link", "wrist_flex_link", "Never"},
    {"upperarm_roll_link", "wrist_roll_link", "Never"},
    {"upperarm_roll_link", "left_finger_link", "Never"},
    {"upperarm_roll_link", "right_finger_link", "Never"},
    {"elbow_flex_link", "forearm_roll_link", "Adjacent"},
    {"elbow_flex_link", "wrist_flex_link", "Never"},
    {"elbow_flex_link", "wrist_roll_link", "Never"},
    {"elbow_flex_link", "gripper_link", "Never"},
    {"elbow_flex_link", "left_finger_link", "Never"},
    {"elbow_flex_link", "right_finger_link", "Never"},
    {"forearm_roll_link", "wrist_flex_link", "Adjacent"},
    {"forearm_roll_link", "wrist_roll_link", "Never"},
    {"forearm_roll_link", "gripper_link", "Never"},
    {"forearm_roll_link", "left_finger_link", "Never"},
    {"forearm_roll_link", "right_finger_link", "Never"},
    {"wrist_flex_link", "wrist_roll_link", "Adjacent"},
    {"wrist_flex_link", "gripper_link", "Never"},
    {"wrist_flex_link", "left_finger_link", "Never"},
    {"wrist_flex_link", "right_finger_link", "Never"},
    {"wrist_roll_link", "gripper_link", "Adjacent"},
    {"wrist_roll_link", "left_finger_link", "Never"},
    {"wrist_roll_link", "right_finger_link", "Never"},
    {"gripper_link", "left_finger_link", "Adjacent"},
    {"gripper_link", "right_finger_link", "Adjacent"},
    {"left_finger_link", "right_finger_link", "Never"},
};
// clang-format on

static wkPose poseOf(wkVec3d position, wkVec3d rotation)
{
    return wkMakePoseRpy(position, rotation.x, rotation.y, rotation.z);
}

static wkJointDef jointOf(const jointRow* row)
{
    wkJointDef joint = wkDefaultJointDef();
    joint.name = row->name;
    joint.type = row->type;
    joint.parent = row->parent;
    joint.child = row->child;
    joint.origin = poseOf(row->position, row->rotation);
    joint.axis = row->axis;
    joint.lower = row->lower;
    joint.upper = row->upper;
    joint.velocity = row->velocity > 0.0 ? row->velocity : INFINITY;
    joint.mimic = row->mimic;
    return joint;
}

static wkShape shapeOf(const bodyRow* row)
{
    const double* size = row->size;
    wkShape shape = wkMakeSphere(size[0]);
    if (row->type == wk_shapeBox) {
        shape = wkMakeBox(size[0], size[1], size[2]);
    } else if (row->type == wk_shapeCapsule) {
        shape = wkMakeCapsule(size[0], size[1]);
    } else if (row->type == wk_shapeCylinder) {
        shape = wkMakeCylinder(size[0], size[1]);
    } else if (row->type == wk_shapeCone) {
        shape = wkMakeCone(size[0], size[1]);
    }
    shape.rounding = row->rounding;
    return shape;
}

wkResult wkRobot_CreateBuiltIn(wkRobot** robot)
{
    wkJointDef joints[COUNT(jointRows)];
    wkBodyDef bodies[COUNT(bodyRows)];
    for (int32_t i = 0; i < COUNT(jointRows); i++) {
        joints[i] = jointOf(&jointRows[i]);
    }
    for (int32_t i = 0; i < COUNT(bodyRows); i++) {
        const bodyRow* row = &bodyRows[i];
        wkBodyDef body = {row->link, row->name, shapeOf(row), poseOf(row->position, row->rotation)};
        bodies[i] = body;
    }
    wkRobotDef def = wkDefaultRobotDef();
    def.name = "whisker";
    def.links = linkNames;
    def.linkCount = COUNT(linkNames);
    def.joints = joints;
    def.jointCount = COUNT(joints);
    def.bodies = bodies;
    def.bodyCount = COUNT(bodies);
    def.groups = groups;
    def.groupCount = COUNT(groups);
    def.states = states;
    def.stateCount = COUNT(states);
    def.endEffectors = endEffectors;
    def.endEffectorCount = COUNT(endEffectors);
    def.disabledPairs = pairs;
    def.disabledPairCount = COUNT(pairs);
    return wkRobot_Create(&def, robot);
}
