// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Robots from descriptions: their order, their names, and what is refused.

#include "robot_kit.h"

#include "whisker/detail/counts.h"
#include "whisker/hull.h"

// A description in which everything can be changed.
typedef struct sample {
    const char* links[5];
    wkJointDef joints[4];
    wkBodyDef bodies[3];
    const char* groupJoints[3];
    const char* groupLinks[2];
    wkGroupDef groups[2];
    const char* stateJoints[2];
    double values[2];
    wkNamedStateDef states[2];
    wkEndEffectorDef endEffectors[1];
    wkDisabledPairDef pairs[2];
    wkRobotDef def;
} sample;

static void addJoint(sample* s, int i, const char* name, wkJointType type, const char* parent,
                     const char* child)
{
    s->joints[i] = wkDefaultJointDef();
    s->joints[i].name = name;
    s->joints[i].type = type;
    s->joints[i].parent = parent;
    s->joints[i].child = child;
    s->joints[i].upper = 1.0;
}

// root - elbow - hand - finger, and a camera on the root. Links and joints out of order.
static void fillSample(sample* s)
{
    memset(s, 0, sizeof *s);
    const char* const links[] = {"finger", "camera", "root", "hand", "arm"};
    memcpy(s->links, links, sizeof links);
    addJoint(s, 0, "grip", wk_jointPrismatic, "hand", "finger");
    addJoint(s, 1, "shoulder", wk_jointRevolute, "root", "arm");
    addJoint(s, 2, "mount", wk_jointFixed, "root", "camera");
    addJoint(s, 3, "wrist", wk_jointContinuous, "arm", "hand");
    s->bodies[0] = (wkBodyDef){"hand", "palm", wkMakeBox(1, 2, 3), wkIdentityPose()};
    s->bodies[1] = (wkBodyDef){"root", NULL, wkMakeSphere(0.5), wkMakePose(0, 0, 1)};
    s->bodies[2] = (wkBodyDef){"hand", "back", wkMakeCapsule(0.1, 1), wkIdentityPose()};
    s->groupJoints[0] = "wrist";
    s->groupJoints[1] = "shoulder";
    s->groupJoints[2] = "wrist";
    s->groupLinks[0] = "hand";
    s->groupLinks[1] = "arm";
    s->groups[0] = (wkGroupDef){"arm", s->groupJoints, s->groupLinks, 3, 2};
    s->groups[1] = (wkGroupDef){"nothing", NULL, NULL, 0, 0};
    s->stateJoints[0] = "wrist";
    s->stateJoints[1] = "shoulder";
    s->values[0] = 3.0;
    s->values[1] = 0.5;
    s->states[0] = (wkNamedStateDef){"home", "arm", s->stateJoints, s->values, 2};
    s->states[1] = (wkNamedStateDef){"home", NULL, s->stateJoints, s->values, 1};
    s->endEffectors[0] = (wkEndEffectorDef){"claw", "nothing", "hand", "arm"};
    s->pairs[0] = (wkDisabledPairDef){"hand", "arm", "Adjacent"};
    s->pairs[1] = (wkDisabledPairDef){"root", "finger", NULL};
    s->def = wkDefaultRobotDef();
    s->def.name = "sample";
    s->def.links = s->links;
    s->def.linkCount = 5;
    s->def.joints = s->joints;
    s->def.jointCount = 4;
    s->def.bodies = s->bodies;
    s->def.bodyCount = 3;
    s->def.groups = s->groups;
    s->def.groupCount = 2;
    s->def.states = s->states;
    s->def.stateCount = 2;
    s->def.endEffectors = s->endEffectors;
    s->def.endEffectorCount = 1;
    s->def.disabledPairs = s->pairs;
    s->def.disabledPairCount = 2;
}

static void types_of_joints_have_names(void** state)
{
    (void)state;
    for (int type = 0; type < WK_JOINT_TYPE_COUNT; type++) {
        wkJointType found = wk_jointFixed;
        assert_int_equal(wkJointTypeFromName(wkJointTypeName((wkJointType)type), &found), wk_ok);
        assert_int_equal(found, type);
    }
    wkJointType kept = wk_jointPlanar;
    assert_int_equal(wkJointTypeFromName("rigid", &kept), wk_errorArgument);
    assert_int_equal(wkJointTypeFromName(NULL, &kept), wk_errorArgument);
    assert_int_equal(kept, wk_jointPlanar);
}

static void numbers_go_from_the_root_outward(void** state)
{
    (void)state;
    static const char* const links[] = {"root", "arm", "hand", "finger", "camera"};
    static const char* const joints[] = {"shoulder", "wrist", "grip", "mount"};
    static const int32_t parents[] = {-1, 0, 1, 2, 0};
    sample s;
    fillSample(&s);
    wkRobot* robot = wkCreateRobot(&s.def);
    // nothing of the description is needed any more
    memset(&s, 0x5a, sizeof s);
    for (int32_t i = 0; i < 5; i++) {
        wkLinkInfo link = wkRobot_Link(robot, i);
        assert_string_equal(link.name, links[i]);
        assert_int_equal(link.parentLink, parents[i]);
        assert_int_equal(link.parentJoint, i - 1);
        assert_int_equal(wkRobot_FindLink(robot, links[i]), i);
    }
    for (int32_t i = 0; i < 4; i++) {
        wkJointInfo joint = wkRobot_Joint(robot, i);
        assert_string_equal(joint.name, joints[i]);
        assert_int_equal(joint.parentLink, parents[i + 1]);
        assert_int_equal(joint.childLink, i + 1);
        assert_int_equal(joint.firstVariable, i < 3 ? i : -1);
        assert_int_equal(joint.variableCount, i < 3);
        assert_int_equal(wkRobot_FindJoint(robot, joints[i]), i);
    }
    wkRobot_Destroy(robot);
}

static void parts_are_found_where_they_belong(void** state)
{
    (void)state;
    sample s;
    fillSample(&s);
    wkRobot* robot = wkCreateRobot(&s.def);
    memset(&s, 0x5a, sizeof s);
    wkRobotInfo info = wkRobot_Info(robot);
    assert_string_equal(info.name, "sample");
    assert_int_equal(info.bodyCount, 3);
    wkLinkInfo endEffector = wkRobot_Link(robot, 2);
    assert_int_equal(endEffector.firstBody, 1);
    assert_int_equal(endEffector.bodyCount, 2);
    assert_string_equal(wkRobot_Body(robot, 0).name, "");
    assert_string_equal(wkRobot_Body(robot, 1).name, "palm");
    assert_string_equal(wkRobot_Body(robot, 2).name, "back");
    assert_int_equal(wkRobot_Body(robot, 2).shape->type, wk_shapeCapsule);
    assert_true(wkRobot_Body(robot, 0).pose.position.z == 1.0);

    wkGroupInfo arm = wkRobot_Group(robot, wkRobot_FindGroup(robot, "arm"));
    assert_int_equal(arm.variableCount, 2);
    assert_true(arm.variables[0] == 0 && arm.variables[1] == 1);
    assert_int_equal(arm.linkCount, 2);
    assert_true(arm.links[0] == 1 && arm.links[1] == 2);
    assert_int_equal(wkRobot_Group(robot, 1).variableCount, 0);

    assert_int_equal(wkRobot_FindNamedState(robot, 0, "home"), 0);
    assert_int_equal(wkRobot_FindNamedState(robot, -1, "home"), 0);
    assert_int_equal(wkRobot_FindNamedState(robot, 1, "home"), -1);
    assert_int_equal(wkRobot_NamedState(robot, 1).group, -1);
    double q[3] = {7.0, 8.0, 9.0};
    assert_int_equal(wkRobot_ApplyNamedState(robot, 0, q), wk_ok);
    assert_true(q[0] == 0.5 && q[1] == 3.0 && q[2] == 9.0);
    assert_int_equal(wkRobot_ApplyNamedState(robot, 2, q), wk_errorArgument);

    wkEndEffectorInfo claw = wkRobot_EndEffector(robot, 0);
    assert_string_equal(claw.name, "claw");
    assert_true(claw.group == 1 && claw.parentLink == 2 && claw.parentGroup == 0);
    wkDisabledPairInfo pair = wkRobot_DisabledPair(robot, 0);
    assert_true(pair.linkA == 1 && pair.linkB == 2);
    assert_string_equal(pair.reason, "Adjacent");
    assert_string_equal(wkRobot_DisabledPair(robot, 1).reason, "");
    wkRobot_Destroy(robot);
}

static void numbers_out_of_range_give_nothing(void** state)
{
    (void)state;
    sample s;
    fillSample(&s);
    wkRobot* robot = wkCreateRobot(&s.def);
    const wkRobot* const robots[] = {robot, NULL};
    const int32_t numbers[] = {-1, 5, INT32_MIN, INT32_MAX};
    for (int i = 0; i < 8; i++) {
        const wkRobot* r = robots[i / 4];
        int32_t n = numbers[i % 4];
        assert_string_equal(wkRobot_Link(r, n).name, "");
        assert_int_equal(wkRobot_Link(r, n).parentLink, -1);
        assert_string_equal(wkRobot_Joint(r, n).name, "");
        assert_int_equal(wkRobot_Joint(r, n).mimic, -1);
        assert_int_equal(wkRobot_Variable(r, n).joint, -1);
        assert_int_equal(wkRobot_Body(r, n).link, -1);
        assert_string_equal(wkRobot_Group(r, n).name, "");
        assert_int_equal(wkRobot_NamedState(r, n).group, -1);
        assert_int_equal(wkRobot_EndEffector(r, n).group, -1);
        assert_int_equal(wkRobot_DisabledPair(r, n).linkA, -1);
        assert_int_equal(wkRobot_FindLink(r, "absent"), -1);
        assert_int_equal(wkRobot_FindLink(r, NULL), -1);
        assert_int_equal(wkRobot_FindJoint(r, NULL), -1);
        assert_int_equal(wkRobot_FindNamedState(r, n, NULL), -1);
    }
    assert_int_equal(wkRobot_Info(NULL).linkCount, 0);
    wkRobot_Destroy(robot);
    wkRobot_Destroy(NULL);
}

static void meshes_and_hulls_are_handed_over(void** state)
{
    (void)state;
    const wkVec3d points[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int32_t indices[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
    wkMeshDef meshDef = wkDefaultMeshDef();
    meshDef.isSolid = false;
    meshDef.vertices = points;
    meshDef.vertexCount = 4;
    meshDef.triangles = indices;
    meshDef.triangleCount = 4;
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Create(&meshDef, &mesh), wk_ok);
    wkHullDef hullDef = wkDefaultHullDef();
    hullDef.points = points;
    hullDef.pointCount = 4;
    wkHull* hull = NULL;
    assert_int_equal(wkHull_Create(&hullDef, &hull), wk_ok);
    size_t before = wkGetByteCount();

    sample s;
    fillSample(&s);
    s.bodies[0].shape = wkMakeMesh(mesh);
    s.bodies[1].shape = wkMakeHull(hull);
    wkRobot* robot = NULL;
    s.pairs[0].linkA = "absent";
    assert_int_equal(wkRobot_Create(&s.def, &robot), wk_errorArgument);
    assert_int_equal(wkGetByteCount(), before);
    s.pairs[0].linkA = "hand";
    robot = wkCreateRobot(&s.def);
    assert_int_equal(wkRobot_Info(robot).triangleCount, 4);
    wkMesh* noMesh = NULL;
    wkHull* noHull = NULL;
    assert_int_equal(wkRobot_Adopt(robot, &noMesh, 1, &hull, 1), wk_errorArgument);
    assert_non_null(strstr(wkGetLastError(), "mesh 0"));
    assert_int_equal(wkRobot_Adopt(robot, &mesh, 1, &noHull, 1), wk_errorArgument);
    assert_non_null(strstr(wkGetLastError(), "hull 0"));
    assert_int_equal(wkRobot_Adopt(robot, &mesh, -1, NULL, 0), wk_errorRange);
    assert_int_equal(wkRobot_Adopt(NULL, &mesh, 1, NULL, 0), wk_errorArgument);
    assert_int_equal(wkRobot_Adopt(robot, NULL, 0, NULL, 0), wk_ok);
    assert_int_equal(wkRobot_Adopt(robot, &mesh, 1, &hull, 1), wk_ok);
    assert_int_equal(wkRobot_Adopt(robot, &mesh, 1, &hull, 1), wk_errorState);
    assert_int_equal(wkRobot_Info(robot).byteCount, wkGetByteCount());
    wkRobot_Destroy(robot);
    assert_int_equal(wkGetByteCount(), 0);
}

// Changes to the sample that make it wrong, and words that must be in the message.
typedef struct hostileRow {
    void (*spoil)(sample* s);
    wkResult result;
    const char* words[3];
} hostileRow;

#define SPOIL(name, statement)                                                                     \
    static void name(sample* s)                                                                    \
    {                                                                                              \
        statement;                                                                                 \
    }

SPOIL(noCookie, s->def.cookie = 0)
SPOIL(noName, s->def.name = NULL)
SPOIL(noLinks, s->def.linkCount = 0)
SPOIL(negativeLinks, s->def.linkCount = -3)
SPOIL(nullLinks, s->def.links = NULL)
SPOIL(nullJoints, s->def.joints = NULL)
SPOIL(negativeBodies, s->def.bodyCount = -1)
SPOIL(nullBodies, s->def.bodies = NULL)
SPOIL(nullPairs, s->def.disabledPairs = NULL)
SPOIL(namelessLink, s->links[3] = NULL)
SPOIL(emptyLink, s->links[3] = "")
SPOIL(twinLinks, s->links[1] = "hand")
SPOIL(namelessJoint, s->joints[2].name = NULL)
SPOIL(twinJoints, s->joints[2].name = "wrist")
SPOIL(badType, s->joints[1].type = (wkJointType)17)
SPOIL(negativeType, s->joints[1].type = (wkJointType)-1)
SPOIL(strangeParent, s->joints[1].parent = "absent")
SPOIL(nullChild, s->joints[1].child = NULL)
SPOIL(twoCarriers, s->joints[2].child = "hand")
SPOIL(ownChild, s->joints[3].parent = "hand")
SPOIL(circle, s->joints[1].parent = "hand")
SPOIL(twoRoots, s->def.jointCount = 3)
SPOIL(wholeCircle, s->joints[2].parent = "finger"; s->joints[2].child = "root")
SPOIL(nanOrigin, s->joints[1].origin.position.y = NAN)
SPOIL(noRotation, s->joints[1].origin.rotation.w = 0.0)
SPOIL(farOrigin, s->joints[1].origin.position.y = 1e61)
SPOIL(zeroAxis, s->joints[3].axis.z = 0.0)
SPOIL(nanAxis, s->joints[3].axis.z = NAN)
SPOIL(infiniteAxis, s->joints[3].axis.z = INFINITY)
SPOIL(crossedLimits, s->joints[1].lower = 2.0)
SPOIL(nanLower, s->joints[1].lower = NAN)
SPOIL(nanUpper, s->joints[0].upper = NAN)
SPOIL(infiniteLower, s->joints[1].lower = INFINITY)
SPOIL(strangeMimic, s->joints[1].mimic = "absent")
SPOIL(fixedMimic, s->joints[1].mimic = "mount")
SPOIL(fixedMimics, s->joints[2].mimic = "wrist")
SPOIL(ownMimic, s->joints[1].mimic = "shoulder")
SPOIL(mimicCircle, s->joints[1].mimic = "wrist"; s->joints[3].mimic = "grip";
      s->joints[0].mimic = "shoulder")
SPOIL(nanFactor, s->joints[1].mimic = "wrist"; s->joints[1].mimicFactor = NAN)
SPOIL(infiniteOffset, s->joints[1].mimic = "wrist"; s->joints[1].mimicOffset = INFINITY)
SPOIL(strangeBody, s->bodies[2].link = "absent")
SPOIL(nullBody, s->bodies[2].link = NULL)
SPOIL(badShape, s->bodies[0].shape.box.half.y = -1.0)
SPOIL(noShape, s->bodies[2].shape.type = wk_shapeNone)
SPOIL(nanBody, s->bodies[1].pose.position.x = NAN)
SPOIL(farBody, s->bodies[1].pose.position.x = -1e70)
SPOIL(namelessGroup, s->groups[1].name = NULL)
SPOIL(twinGroups, s->groups[1].name = "arm")
SPOIL(groupJoint, s->groupJoints[1] = "absent")
SPOIL(groupLink, s->groupLinks[1] = NULL)
SPOIL(groupCount, s->groups[1].linkCount = -2)
SPOIL(groupArray, s->groups[0].joints = NULL)
SPOIL(namelessState, s->states[1].name = "")
SPOIL(twinStates, s->states[1].group = "arm")
SPOIL(strangeState, s->states[1].group = "leg")
SPOIL(stateJoint, s->stateJoints[1] = "absent")
SPOIL(nanValue, s->values[1] = NAN)
SPOIL(noValues, s->states[0].values = NULL)
SPOIL(stateArray, s->states[0].joints = NULL)
SPOIL(namelessEndEffector, s->endEffectors[0].name = NULL)
SPOIL(endEffectorGroup, s->endEffectors[0].group = "leg")
SPOIL(endEffectorLink, s->endEffectors[0].parentLink = "absent")
SPOIL(endEffectorArm, s->endEffectors[0].parentGroup = "leg")
SPOIL(strangePair, s->pairs[1].linkB = "absent")
SPOIL(samePair, s->pairs[1].linkB = "root")

static const hostileRow hostileRows[] = {
    {noCookie, wk_errorArgument, {"wkDefaultRobotDef", "", ""}},
    {noName, wk_errorArgument, {"name", "", ""}},
    {noLinks, wk_errorArgument, {"sample", "no links", ""}},
    {negativeLinks, wk_errorRange, {"linkCount", "-3", ""}},
    {nullLinks, wk_errorArgument, {"linkCount", "NULL", ""}},
    {nullJoints, wk_errorArgument, {"jointCount", "NULL", ""}},
    {negativeBodies, wk_errorRange, {"bodyCount", "-1", ""}},
    {nullBodies, wk_errorArgument, {"bodyCount", "NULL", ""}},
    {nullPairs, wk_errorArgument, {"disabledPairCount", "NULL", ""}},
    {namelessLink, wk_errorArgument, {"link 3", "name", ""}},
    {emptyLink, wk_errorArgument, {"link 3", "name", ""}},
    {twinLinks, wk_errorArgument, {"link", "hand", "two"}},
    {namelessJoint, wk_errorArgument, {"joint 2", "name", ""}},
    {twinJoints, wk_errorArgument, {"joint", "wrist", "two"}},
    {badType, wk_errorRange, {"shoulder", "type", "17"}},
    {negativeType, wk_errorRange, {"shoulder", "type", "-1"}},
    {strangeParent, wk_errorArgument, {"shoulder", "parent", "absent"}},
    {nullChild, wk_errorArgument, {"shoulder", "child", "NULL"}},
    {twoCarriers, wk_errorArgument, {"hand", "mount", "wrist"}},
    {ownChild, wk_errorArgument, {"wrist", "circle", ""}},
    {circle, wk_errorArgument, {"joint", "circle", ""}},
    {twoRoots, wk_errorArgument, {"root", "hand", ""}},
    {wholeCircle, wk_errorArgument, {"sample", "circle", ""}},
    {nanOrigin, wk_errorNotFinite, {"shoulder", "origin", ""}},
    {noRotation, wk_errorNotFinite, {"shoulder", "origin", "rotation"}},
    {farOrigin, wk_errorRange, {"shoulder", "origin", ""}},
    {zeroAxis, wk_errorRange, {"wrist", "axis", "zero"}},
    {nanAxis, wk_errorNotFinite, {"wrist", "axis", ""}},
    {infiniteAxis, wk_errorNotFinite, {"wrist", "axis", ""}},
    {crossedLimits, wk_errorRange, {"shoulder", "lower", "upper"}},
    {nanLower, wk_errorNotFinite, {"shoulder", "lower", "nan"}},
    {nanUpper, wk_errorNotFinite, {"grip", "upper", "nan"}},
    {infiniteLower, wk_errorNotFinite, {"shoulder", "lower", "inf"}},
    {strangeMimic, wk_errorArgument, {"shoulder", "mimic", "absent"}},
    {fixedMimic, wk_errorArgument, {"shoulder", "mimic", "mount"}},
    {fixedMimics, wk_errorArgument, {"mount", "mimic", "fixed"}},
    {ownMimic, wk_errorArgument, {"shoulder", "mimic", "circle"}},
    {mimicCircle, wk_errorArgument, {"mimic", "circle", ""}},
    {nanFactor, wk_errorNotFinite, {"shoulder", "mimicFactor", ""}},
    {infiniteOffset, wk_errorNotFinite, {"shoulder", "mimicOffset", "inf"}},
    {strangeBody, wk_errorArgument, {"body 2", "back", "absent"}},
    {nullBody, wk_errorArgument, {"body 2", "link", "NULL"}},
    {badShape, wk_errorRange, {"body 0", "hand", "box"}},
    {noShape, wk_errorArgument, {"body 2", "hand", ""}},
    {nanBody, wk_errorNotFinite, {"body 1", "root", "pose"}},
    {farBody, wk_errorRange, {"body 1", "root", "pose"}},
    {namelessGroup, wk_errorArgument, {"group 1", "name", ""}},
    {twinGroups, wk_errorArgument, {"group", "arm", "two"}},
    {groupJoint, wk_errorArgument, {"arm", "joint", "absent"}},
    {groupLink, wk_errorArgument, {"arm", "link", "NULL"}},
    {groupCount, wk_errorArgument, {"nothing", "linkCount", ""}},
    {groupArray, wk_errorArgument, {"arm", "jointCount", ""}},
    {namelessState, wk_errorArgument, {"state 1", "name", ""}},
    {twinStates, wk_errorArgument, {"state", "arm", "home"}},
    {strangeState, wk_errorArgument, {"home", "group", "leg"}},
    {stateJoint, wk_errorArgument, {"home", "joint", "absent"}},
    {nanValue, wk_errorNotFinite, {"home", "shoulder", ""}},
    {noValues, wk_errorArgument, {"home", "wrist", "missing"}},
    {stateArray, wk_errorArgument, {"home", "jointCount", ""}},
    {namelessEndEffector, wk_errorArgument, {"end effector 0", "name", ""}},
    {endEffectorGroup, wk_errorArgument, {"claw", "group", "leg"}},
    {endEffectorLink, wk_errorArgument, {"claw", "parentLink", "absent"}},
    {endEffectorArm, wk_errorArgument, {"claw", "parentGroup", "leg"}},
    {strangePair, wk_errorArgument, {"pair 1", "linkB", "absent"}},
    {samePair, wk_errorArgument, {"pair 1", "root", ""}},
};

static void broken_descriptions_are_refused_by_name(void** state)
{
    (void)state;
    for (size_t i = 0; i < sizeof hostileRows / sizeof hostileRows[0]; i++) {
        sample s;
        fillSample(&s);
        hostileRows[i].spoil(&s);
        wkRobot* robot = (wkRobot*)(void*)&s;
        wkResult result = wkRobot_Create(&s.def, &robot);
        bool hasWords = true;
        for (int k = 0; k < 3; k++) {
            hasWords = hasWords && strstr(wkGetLastError(), hostileRows[i].words[k]) != NULL;
        }
        if (result != hostileRows[i].result || robot != NULL || !hasWords) {
            fail_msg("row %d: %s: %s", (int)i, wkResultName(result), wkGetLastError());
        }
        assert_int_equal(wkGetByteCount(), 0);
    }
    assert_int_equal(wkRobot_Create(NULL, NULL), wk_errorArgument);
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_Create(NULL, &robot), wk_errorArgument);
}

// Limits of one side only, and what fixed joints do not need.
static void generous_descriptions_are_accepted(void** state)
{
    (void)state;
    sample s;
    fillSample(&s);
    s.joints[1].lower = -INFINITY;
    s.joints[0].upper = INFINITY;
    s.joints[2].axis = (wkVec3d){0.0, NAN, 0.0};
    s.joints[2].lower = NAN;
    s.joints[3].axis = (wkVec3d){0.0, 0.0, 1e-200};
    s.joints[3].origin.rotation = (wkQuat){0.0, 0.0, 1e-100, 1e-100};
    s.bodies[0].shape = wkMakeHalfspace((wkVec3d){0.0, 0.0, 1.0}, 0.0);
    wkRobot* robot = wkCreateRobot(&s.def);
    double q[3];
    uint64_t seed = 1;
    for (int i = 0; i < 100; i++) {
        wkRobot_RandomConfiguration(robot, &seed, q);
        assert_int_equal(wkRobot_FindBeyondLimits(robot, q, 0.0), -1);
    }
    wkPose poses[5];
    wkRobot_LinkPoses(robot, wkIdentityPose(), q, poses);
    for (int i = 0; i < 5; i++) {
        assert_true(wkIsValidPose(poses[i]));
    }
    wkRobot_Destroy(robot);
}

static void states_refuse_what_is_not_fit(void** state)
{
    (void)state;
    wkTestRobot test = wkMakeTestRobot(7, 30, 30);
    wkRobot* robot = wkCreateRobot(&test.def);
    wkRobotInfo info = wkRobot_Info(robot);
    wkRobotState* it = NULL;
    assert_int_equal(wkRobotState_Create(robot, &it), wk_ok);
    double* q = (double*)calloc((size_t)info.variableCount, sizeof *q);
    uint64_t seed = 2;
    wkRobot_RandomConfiguration(robot, &seed, q);
    wkPose base = wkIdentityPose();
    for (int32_t i = 0; i < info.variableCount; i++) {
        double before = q[i];
        const double bad[] = {NAN, INFINITY, -INFINITY};
        for (int k = 0; k < 3; k++) {
            q[i] = bad[k];
            assert_int_equal(wkRobotState_Set(it, base, q), wk_errorNotFinite);
            assert_non_null(strstr(wkGetLastError(), wkRobot_Variable(robot, i).name));
        }
        wkVariableKind kind = wkRobot_Variable(robot, i).kind;
        if (kind == wk_variableLength) {
            q[i] = 1e80;
            assert_int_equal(wkRobotState_Set(it, base, q), wk_errorRange);
        }
        if (kind == wk_variableRotation) {
            int32_t first =
                wkRobot_Joint(robot, wkRobot_Variable(robot, i).joint).firstVariable + 3;
            double kept[4];
            memcpy(kept, q + first, sizeof kept);
            memset(q + first, 0, sizeof kept);
            assert_int_equal(wkRobotState_Set(it, base, q), wk_errorRange);
            memcpy(q + first, kept, sizeof kept);
        }
        q[i] = before;
        assert_int_equal(wkRobotState_Set(it, base, q), wk_ok);
    }
    base.rotation.w = 0.0;
    assert_int_equal(wkRobotState_Set(it, base, q), wk_errorRange);
    base.rotation.w = NAN;
    assert_int_equal(wkRobotState_Set(it, base, q), wk_errorNotFinite);
    assert_int_equal(wkRobotState_Set(it, wkMakePose(0, 1e61, 0), q), wk_errorRange);
    assert_int_equal(wkRobotState_Set(NULL, wkIdentityPose(), q), wk_errorArgument);
    assert_int_equal(wkRobotState_Set(it, wkIdentityPose(), NULL), wk_errorArgument);

    wkPose* poses = (wkPose*)calloc((size_t)info.linkCount, sizeof *poses);
    wkRobot_LinkPoses(robot, wkIdentityPose(), q, poses);
    assert_int_equal(wkRobotState_SetLinkPoses(it, poses), wk_ok);
    poses[9].position.x = NAN;
    assert_int_equal(wkRobotState_SetLinkPoses(it, poses), wk_errorNotFinite);
    assert_non_null(strstr(wkGetLastError(), wkRobot_Link(robot, 9).name));
    poses[9].position.x = 1e62;
    assert_int_equal(wkRobotState_SetLinkPoses(it, poses), wk_errorRange);
    assert_int_equal(wkRobotState_SetLinkPoses(it, NULL), wk_errorArgument);

    wkRobotState_Destroy(it);
    assert_int_equal(wkRobotState_Create(NULL, &it), wk_errorArgument);
    assert_null(it);
    wkRobotState_Destroy(NULL);
    free(q);
    free(poses);
    wkRobot_Destroy(robot);
    wkFreeTestRobot(&test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_of_joints_have_names),
        cmocka_unit_test(numbers_go_from_the_root_outward),
        cmocka_unit_test(parts_are_found_where_they_belong),
        cmocka_unit_test(numbers_out_of_range_give_nothing),
        cmocka_unit_test(meshes_and_hulls_are_handed_over),
        cmocka_unit_test(broken_descriptions_are_refused_by_name),
        cmocka_unit_test(generous_descriptions_are_accepted),
        cmocka_unit_test(states_refuse_what_is_not_fit),
    };
    return cmocka_run_group_tests_name("robot.model", tests, NULL, NULL);
}
