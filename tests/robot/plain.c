// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "plain.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// clang-format off
const wkSurroundingsKind wkSurroundingsKinds[WK_SURROUNDINGS_COUNT] = {
    {"few things",    6,  0.30, false, wk_unknownFree,     true,  false, false, false, false, false, false},
    {"many things",   80, 0.12, false, wk_unknownFree,     false, false, true,  true,  true,  false, false},
    {"map",           3,  0.20, true,  wk_unknownFree,     true,  false, true,  false, false, false, false},
    {"unknown space", 0,  0.20, true,  wk_unknownReported, false, true,  false, true,  false, false, false},
    {"holding",       20, 0.15, false, wk_unknownFree,     false, true,  true,  true,  true,  false, false},
    {"everything",    40, 0.15, true,  wk_unknownFree,     true,  true,  true,  true,  true,  false, false},
    {"clouds",        20, 0.15, false, wk_unknownFree,     true,  true,  true,  true,  true,  true,  false},
    {"meshes",        12, 0.15, false, wk_unknownFree,     false, true,  true,  true,  false, false, true},
};
// clang-format on

const char* const wkTouchLinks[2] = {"left_finger_link", "right_finger_link"};

static const char* const categories[] = {"static", "unknown", "handled"};
static const double safetyDistances[] = {0.02, 0.05, -0.01};

static wkPose randomPose(wkRng* rng, double reach)
{
    wkPose pose = {{wkRngRange(rng, -reach, reach), wkRngRange(rng, -reach, reach),
                    wkRngRange(rng, -0.2, 1.8)},
                   wkRngRotation(rng)};
    return pose;
}

#define MESH_CAPACITY 8192

// Triangles on a shape without its rounding and padding, in memory that the next call uses again.
static wkTriangulation surfaceOf(const wkShape* shape)
{
    static wkVec3d vertices[MESH_CAPACITY];
    static int32_t indices[3 * MESH_CAPACITY];
    wkTriangulation surface = {.vertices = vertices,
                               .indices = indices,
                               .vertexCapacity = MESH_CAPACITY,
                               .triangleCapacity = MESH_CAPACITY};
    wkShape core = *shape;
    core.rounding = core.padding = 0.0;
    assert_int_equal(wkShape_Triangulate(&core, 8, 1.0, &surface), wk_ok);
    return surface;
}

// The vertices of a shape as points of a sensor, of 1 cm each.
static wkShape cloudOf(wkSurroundings* all, const wkShape* shape)
{
    wkTriangulation surface = surfaceOf(shape);
    wkCloudDef def = wkDefaultCloudDef();
    def.points.data = surface.vertices;
    def.points.count = surface.vertexCount;
    def.points.isDouble = true;
    def.radius = 0.01;
    assert_true(all->cloudCount < (int)(sizeof all->clouds / sizeof *all->clouds));
    wkCloud** cloud = &all->clouds[all->cloudCount++];
    assert_int_equal(wkCloud_Create(&def, cloud), wk_ok);
    wkShape made = wkMakeCloud(*cloud);
    made.rounding = shape->rounding;
    made.padding = shape->padding;
    return made;
}

// The surface of a shape.
static wkShape meshed(wkSurroundings* all, const wkShape* shape)
{
    wkTriangulation surface = surfaceOf(shape);
    wkMeshDef def = wkDefaultMeshDef();
    def.isSolid = false;
    def.vertices = surface.vertices;
    def.vertexCount = surface.vertexCount;
    def.triangles = surface.indices;
    def.triangleCount = surface.triangleCount;
    assert_true(all->meshCount < (int)(sizeof all->meshes / sizeof *all->meshes));
    wkMesh** mesh = &all->meshes[all->meshCount++];
    assert_int_equal(wkMesh_Create(&def, mesh), wk_ok);
    wkShape made = wkMakeMesh(*mesh);
    made.rounding = shape->rounding;
    made.padding = shape->padding;
    return made;
}

static void addObject(wkSurroundings* all, const wkSurroundingsKind* kind, int i)
{
    wkRng* rng = &all->rng;
    char name[32];
    snprintf(name, sizeof name, "thing%d", i);
    wkShape shapes[2];
    wkPose poses[2];
    for (int k = 0; k < 2; ++k) {
        // bounded types alone
        wkShapeType type = (wkShapeType)(1 + wkRngBelow(rng, (int)wk_shapeHull));
        shapes[k] = wkRandomShape(rng, &all->bank, type, kind->size);
        shapes[k] = kind->isMeshed ? meshed(all, &shapes[k]) : shapes[k];
        shapes[k] = kind->isCloudy ? cloudOf(all, &shapes[k]) : shapes[k];
        poses[k] = wkMakePose(wkRngRange(rng, -0.1, 0.1), 0.0, wkRngRange(rng, -0.1, 0.1));
        poses[k].rotation = wkRngRotation(rng);
    }
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.name = name;
    def.shapes = shapes;
    def.poses = poses;
    def.shapeCount = 1 + wkRngBelow(rng, 2);
    def.pose = randomPose(rng, 1.2);
    def.category = categories[wkRngBelow(rng, 3)];
    assert_int_equal(wkRobotScene_Add(all->scene, &def), wk_ok);
}

static void addShape(wkSurroundings* all, const char* name, wkShape shape, wkPose pose)
{
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.name = name;
    def.shapes = &shape;
    def.shapeCount = 1;
    def.pose = pose;
    def.category = "unknown";
    assert_int_equal(wkRobotScene_Add(all->scene, &def), wk_ok);
}

static void addMap(wkSurroundings* all, const wkSurroundingsKind* kind)
{
    wkRng* rng = &all->rng;
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = 0.05;
    assert_int_equal(wkOctree_Create(&def, &all->map), wk_ok);
    wkAabb room = {{-2.0, -2.0, -1.0}, {2.0, 2.0, 2.5}};
    assert_int_equal(wkOctree_FillBox(all->map, room, -1.0f), wk_ok);
    for (int i = 0; i < 25; ++i) {
        wkVec3d at = {wkRngRange(rng, -1.5, 1.5), wkRngRange(rng, -1.5, 1.5),
                      wkRngRange(rng, 0.0, 1.8)};
        double half = wkRngRange(rng, 0.03, 0.12);
        wkAabb box = {{at.x - half, at.y - half, at.z - half},
                      {at.x + half, at.y + half, at.z + half}};
        float logOdds = i % 5 == 0 ? NAN : 2.0f;
        assert_int_equal(wkOctree_FillBox(all->map, box, logOdds), wk_ok);
    }
    wkShape shape = wkMakeOctree(all->map);
    shape.map.unknown = kind->unknown;
    wkPose pose = wkMakePose(0.1, -0.2, 0.05);
    pose.rotation = wkMakeQuat((wkVec3d){0.0, 0.0, 1.0}, 0.3);
    addShape(all, "map", shape, pose);
}

static void setRules(wkSurroundings* all)
{
    wkAllowed* rules;
    assert_int_equal(wkAllowed_Copy(wkRobotScene_Allowed(all->scene), &rules), wk_ok);
    assert_int_equal(wkAllowed_Set(rules, "thing0", "gripper_link", wk_ruleAllowed), wk_ok);
    assert_int_equal(wkAllowed_Set(rules, "thing1", "thing2", wk_ruleAllowed), wk_ok);
    assert_int_equal(wkAllowed_SetDefault(rules, "thing3", wk_ruleAllowed, NULL, NULL), wk_ok);
    assert_int_equal(wkAllowed_Set(rules, "thing3", "torso_link", wk_ruleChecked), wk_ok);
    assert_int_equal(wkAllowed_Set(rules, "head_tilt_link", "gripper_link", wk_ruleAllowed), wk_ok);
    assert_int_equal(wkRobotScene_SetAllowed(all->scene, rules), wk_ok);
    wkAllowed_Destroy(rules);
}

static void hold(wkSurroundings* all)
{
    wkPlaceAtRandom(all);
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    wkShape shapes[2] = {wkMakeCylinder(0.04, 0.2), wkMakeBox(0.1, 0.02, 0.02)};
    wkPose poses[2] = {wkMakePose(0.0, 0.0, 0.0), wkMakePose(0.05, 0.0, 0.0)};
    def.shapes = shapes;
    def.poses = poses;
    def.shapeCount = 2;
    def.pose =
        wkMulPose(wkRobotState_LinkPose(all->state, wkRobot_FindLink(all->robot, "gripper_link")),
                  wkMakePose(0.12, 0.0, 0.0));
    def.name = "mug";
    assert_int_equal(wkRobotScene_Add(all->scene, &def), wk_ok);
    assert_int_equal(
        wkRobotScene_Attach(all->scene, all->state, "mug", "gripper_link", wkTouchLinks, 2), wk_ok);
    def.name = "hat";
    def.shapeCount = 1;
    def.pose =
        wkMulPose(wkRobotState_LinkPose(all->state, wkRobot_FindLink(all->robot, "head_tilt_link")),
                  wkMakePose(0.0, 0.0, 0.3));
    assert_int_equal(wkRobotScene_Add(all->scene, &def), wk_ok);
    assert_int_equal(wkRobotScene_Attach(all->scene, all->state, "hat", "head_tilt_link", NULL, 0),
                     wk_ok);
}

// All bodies of a link as one mesh, which is not convex.
static wkMesh* meshOfLink(const wkRobot* robot, int32_t link)
{
    static wkVec3d vertices[MESH_CAPACITY];
    static int32_t indices[3 * MESH_CAPACITY];
    wkLinkInfo info = wkRobot_Link(robot, link);
    int32_t vertexCount = 0, triangleCount = 0;
    for (int32_t i = 0; i < info.bodyCount; ++i) {
        wkBodyInfo body = wkRobot_Body(robot, info.firstBody + i);
        wkTriangulation part = {.vertices = &vertices[vertexCount],
                                .indices = &indices[3 * triangleCount],
                                .vertexCapacity = MESH_CAPACITY - vertexCount,
                                .triangleCapacity = MESH_CAPACITY - triangleCount};
        assert_int_equal(wkShape_Triangulate(body.shape, 8, 1.0, &part), wk_ok);
        for (int32_t k = 0; k < part.vertexCount; ++k) {
            part.vertices[k] = wkTransformPoint(body.pose, part.vertices[k]);
        }
        for (int32_t k = 0; k < 3 * part.triangleCount; ++k) {
            part.indices[k] += vertexCount;
        }
        vertexCount += part.vertexCount;
        triangleCount += part.triangleCount;
    }
    wkMeshDef def = wkDefaultMeshDef();
    def.isSolid = false;
    def.vertices = vertices;
    def.vertexCount = vertexCount;
    def.triangles = indices;
    def.triangleCount = triangleCount;
    wkMesh* mesh;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    return mesh;
}

static wkJointDef jointLike(const wkRobot* robot, int32_t joint)
{
    wkJointInfo info = wkRobot_Joint(robot, joint);
    wkJointDef def = wkDefaultJointDef();
    def.name = info.name;
    def.type = info.type;
    def.parent = wkRobot_Link(robot, info.parentLink).name;
    def.child = wkRobot_Link(robot, info.childLink).name;
    def.origin = info.origin;
    def.axis = info.axis;
    if (info.type == wk_jointRevolute || info.type == wk_jointPrismatic) {
        int32_t variable =
            info.mimic >= 0 ? wkRobot_Joint(robot, info.mimic).firstVariable : info.firstVariable;
        def.lower = wkRobot_Variable(robot, variable).lower;
        def.upper = wkRobot_Variable(robot, variable).upper;
    }
    if (info.mimic >= 0) {
        def.mimic = wkRobot_Joint(robot, info.mimic).name;
        def.mimicFactor = info.mimicFactor;
        def.mimicOffset = info.mimicOffset;
    }
    return def;
}

// The same robot with one mesh on each link.
static wkRobot* makeMeshed(const wkRobot* robot)
{
    wkRobotInfo info = wkRobot_Info(robot);
    const char* links[64];
    static wkJointDef joints[64];
    static wkBodyDef bodies[64];
    static wkDisabledPairDef pairs[256];
    const char* groupLinks[64];
    wkMesh* meshes[64];
    int32_t meshCount = 0;
    for (int32_t i = 0; i < info.linkCount; ++i) {
        links[i] = wkRobot_Link(robot, i).name;
        if (wkRobot_Link(robot, i).bodyCount > 0) {
            meshes[meshCount] = meshOfLink(robot, i);
            wkBodyDef body = {links[i], NULL, wkMakeMesh(meshes[meshCount]), wkIdentityPose()};
            bodies[meshCount++] = body;
        }
    }
    for (int32_t i = 0; i < info.jointCount; ++i) {
        joints[i] = jointLike(robot, i);
    }
    for (int32_t i = 0; i < info.disabledPairCount; ++i) {
        wkDisabledPairInfo pair = wkRobot_DisabledPair(robot, i);
        wkDisabledPairDef one = {links[pair.linkA], links[pair.linkB], pair.reason};
        pairs[i] = one;
    }
    wkGroupInfo arm = wkRobot_Group(robot, 0);
    for (int32_t i = 0; i < arm.linkCount; ++i) {
        groupLinks[i] = links[arm.links[i]];
    }
    wkGroupDef group = {.name = arm.name, .links = groupLinks, .linkCount = arm.linkCount};
    wkRobotDef def = wkDefaultRobotDef();
    def.links = links;
    def.linkCount = info.linkCount;
    def.joints = joints;
    def.jointCount = info.jointCount;
    def.bodies = bodies;
    def.bodyCount = meshCount;
    def.disabledPairs = pairs;
    def.disabledPairCount = info.disabledPairCount;
    def.groups = &group;
    def.groupCount = 1;
    wkRobot* made;
    assert_int_equal(wkRobot_Create(&def, &made), wk_ok);
    assert_int_equal(wkRobot_Adopt(made, meshes, meshCount, NULL, 0), wk_ok);
    return made;
}

void wkMakeSurroundings(const wkSurroundingsKind* kind, uint64_t seed, wkSurroundings* all)
{
    memset(all, 0, sizeof *all);
    all->rng = wkMakeRng(seed);
    all->hasCategories = kind->hasCategories;
    wkShapeBank_Create(&all->bank, seed);
    assert_int_equal(wkRobot_CreateBuiltIn(&all->robot), wk_ok);
    if (kind->isMeshed) {
        wkRobot* made = makeMeshed(all->robot);
        wkRobot_Destroy(all->robot);
        all->robot = made;
    }
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.robot = all->robot;
    assert_int_equal(wkRobotScene_Create(&def, &all->scene), wk_ok);
    assert_int_equal(wkRobotState_Create(all->robot, &all->state), wk_ok);
    for (int i = 0; i < kind->objectCount; ++i) {
        addObject(all, kind, i);
    }
    if (kind->hasMap) {
        addMap(all, kind);
    }
    if (kind->hasFloor) {
        addShape(all, "floor", wkMakeHalfspace((wkVec3d){0.0, 0.0, 1.0}, 0.0),
                 wkMakePose(0.0, 0.0, -0.06));
        addShape(all, "wall", wkMakePlane((wkVec3d){1.0, 0.2, 0.0}, 0.0),
                 wkMakePose(1.1, 0.0, 0.0));
    }
    if (kind->isHolding) {
        hold(all);
    }
    for (int i = 0; i < 3 && kind->hasCategories; ++i) {
        assert_int_equal(wkRobotScene_SetCategory(all->scene, categories[i], safetyDistances[i]),
                         wk_ok);
    }
    int32_t linkCount = wkRobot_Info(all->robot).linkCount;
    for (int32_t i = 0; i < linkCount && kind->hasPadding; ++i) {
        all->paddings[i] = i % 3 == 0 ? 0.01 : i % 3 == 1 ? -0.005 : 0.0;
        assert_int_equal(wkRobotScene_SetPadding(all->scene, i, all->paddings[i]), wk_ok);
    }
    if (kind->hasRules) {
        setRules(all);
    }
}

void wkFreeSurroundings(wkSurroundings* all)
{
    wkRobotState_Destroy(all->state);
    wkRobotScene_Destroy(all->scene);
    wkRobot_Destroy(all->robot);
    wkOctree_Destroy(all->map);
    for (int i = 0; i < all->meshCount; ++i) {
        wkMesh_Destroy(all->meshes[i]);
    }
    for (int i = 0; i < all->cloudCount; ++i) {
        wkCloud_Destroy(all->clouds[i]);
    }
    wkShapeBank_Destroy(&all->bank);
}

void wkPlaceAtRandom(wkSurroundings* all)
{
    double q[64];
    uint64_t seed = wkRngNext(&all->rng);
    wkRobot_RandomConfiguration(all->robot, &seed, q);
    wkPose base =
        wkMakePose(wkRngRange(&all->rng, -0.2, 0.2), wkRngRange(&all->rng, -0.2, 0.2), 0.0);
    base.rotation = wkMakeQuat((wkVec3d){0.0, 0.0, 1.0}, wkRngRange(&all->rng, -3.0, 3.0));
    assert_int_equal(wkRobotState_Set(all->state, base, q), wk_ok);
}

static wkPlainItem* addItem(wkPlainItems* list, const wkShape* shape, wkPose pose, int32_t link)
{
    assert_true(list->count < PLAIN_CAPACITY);
    wkPlainItem* item = &list->items[list->count++];
    item->shape = *shape;
    item->pose = pose;
    item->link = link;
    return item;
}

static void listBodies(const wkSurroundings* all, wkPlainItems* list)
{
    for (int32_t i = 0; i < wkRobot_Info(all->robot).bodyCount; ++i) {
        wkBodyInfo body = wkRobot_Body(all->robot, i);
        wkPlainItem* item =
            addItem(list, body.shape, wkRobotState_BodyPose(all->state, i), body.link);
        item->shape.padding += all->paddings[body.link];
        item->side =
            (wkRobotSide){wk_sideLink, body.link, i, wkRobot_Link(all->robot, body.link).name};
    }
}

static double safetyOf(const char* category)
{
    for (int i = 0; i < 3; ++i) {
        if (strcmp(category, categories[i]) == 0) {
            return safetyDistances[i];
        }
    }
    return 0.0;
}

void wkListItems(const wkSurroundings* all, wkPlainItems* list)
{
    list->count = 0;
    listBodies(all, list);
    for (int32_t i = 0; i < wkRobotScene_Count(all->scene); ++i) {
        wkRobotObjectInfo object = wkRobotScene_Object(all->scene, i);
        wkPose frame = object.link < 0
                           ? object.pose
                           : wkMulPose(wkRobotState_LinkPose(all->state, object.link), object.pose);
        for (int32_t k = 0; k < object.shapeCount; ++k) {
            wkPose pose;
            const wkShape* shape = wkRobotScene_ObjectShape(all->scene, i, k, &pose);
            wkPlainItem* item = addItem(list, shape, wkMulPose(frame, pose), object.link);
            bool isKept = object.link >= 0;
            item->side = (wkRobotSide){isKept ? wk_sideAttached : wk_sideObject, i, k, object.name};
            item->shape.padding += !isKept && all->hasCategories ? safetyOf(object.category) : 0.0;
        }
    }
}

static bool isCarriedBy(const wkRobot* robot, int32_t link, const wkGroupInfo* group)
{
    for (; link >= 0; link = wkRobot_Link(robot, link).parentLink) {
        for (int32_t i = 0; i < group->linkCount; ++i) {
            if (group->links[i] == link) {
                return true;
            }
        }
    }
    return false;
}

// What is held may touch the link that holds it, and the fingers where these were named.
static bool mayHold(const wkPlainItem* attached, const wkPlainItem* other)
{
    if (attached->side.kind != wk_sideAttached || other->link < 0) {
        return false;
    }
    bool isFinger = other->side.kind == wk_sideLink && strcmp(attached->side.name, "mug") == 0 &&
                    (strcmp(other->side.name, wkTouchLinks[0]) == 0 ||
                     strcmp(other->side.name, wkTouchLinks[1]) == 0);
    return isFinger || attached->link == other->link;
}

bool wkIsPlainPair(const wkSurroundings* all, const wkPlainItem* a, const wkPlainItem* b,
                   const wkRobotRequest* request)
{
    bool isSelf = a->link >= 0 && b->link >= 0;
    bool isWanted = isSelf ? request->checksSelf : request->checksWorld;
    bool isOnRobot = a->link >= 0 || b->link >= 0;
    bool isSame = a->side.kind == b->side.kind && a->side.index == b->side.index;
    if (!isWanted || !isOnRobot || isSame || mayHold(a, b) || mayHold(b, a)) {
        return false;
    }
    if (request->group >= 0) {
        wkGroupInfo group = wkRobot_Group(all->robot, request->group);
        if (!isCarriedBy(all->robot, a->link, &group) &&
            !isCarriedBy(all->robot, b->link, &group)) {
            return false;
        }
    }
    return wkAllowed_Get(wkRobotScene_Allowed(all->scene), a->side.name, b->side.name, NULL,
                         NULL) == wk_ruleChecked;
}

wkResult wkAddSphere(wkRobotScene* scene, const char* name, double radius, wkPose pose)
{
    wkShape sphere = wkMakeSphere(radius);
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.name = name;
    def.shapes = &sphere;
    def.shapeCount = 1;
    def.pose = pose;
    return wkRobotScene_Add(scene, &def);
}
