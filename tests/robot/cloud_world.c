// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cloud_world.h"

#include <math.h>
#include <string.h>

const char* const cloudNames[CLOUD_COUNT] = {"shelf", "person"};
const char* const cloudCategories[CLOUD_COUNT] = {"static", "people"};
const double cloudSafetyDistances[CLOUD_COUNT] = {0.0, 0.15};
const double cloudRadii[CLOUD_COUNT] = {0.01, 0.03};

wkCloud* makeCloud(const wkVec3d* points, double radius)
{
    wkCloudDef def = wkDefaultCloudDef();
    def.points.data = points;
    def.points.count = POINT_COUNT;
    def.points.isDouble = true;
    def.radius = radius;
    wkCloud* cloud;
    assert_int_equal(wkCloud_Create(&def, &cloud), wk_ok);
    return cloud;
}

void addCloud(wkRobotScene* scene, const char* name, const char* category, const wkCloud* cloud,
              wkPose pose)
{
    wkShape shape = wkMakeCloud(cloud);
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.name = name;
    def.category = category;
    def.shapes = &shape;
    def.shapeCount = 1;
    def.pose = pose;
    assert_int_equal(wkRobotScene_Add(scene, &def), wk_ok);
}

// A coordinate that a float holds exactly, so that no radius grows by rounding.
static double gridNumber(wkRng* rng)
{
    return wkRngBelow(rng, 1639) / 4096.0 - 0.2001953125;
}

void makeWorld(uint64_t seed, cloudWorld* world)
{
    memset(world, 0, sizeof *world);
    world->rng = wkMakeRng(seed);
    assert_int_equal(wkRobot_CreateBuiltIn(&world->robot), wk_ok);
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.robot = world->robot;
    assert_int_equal(wkRobotScene_Create(&def, &world->scene), wk_ok);
    assert_int_equal(wkRobotState_Create(world->robot, &world->state), wk_ok);
    for (int c = 0; c < CLOUD_COUNT; ++c) {
        wkVec3d local[POINT_COUNT];
        wkPose pose = {{0.5, c == 0 ? 0.6 : -0.7, 0.8}, wkRngRotation(&world->rng)};
        for (int i = 0; i < POINT_COUNT; ++i) {
            wkVec3d p = {gridNumber(&world->rng), gridNumber(&world->rng), gridNumber(&world->rng)};
            local[i] = p;
            world->points[c][i] = wkTransformPoint(pose, p);
        }
        world->clouds[c] = makeCloud(local, cloudRadii[c]);
        addCloud(world->scene, cloudNames[c], cloudCategories[c], world->clouds[c], pose);
        assert_int_equal(
            wkRobotScene_SetCategory(world->scene, cloudCategories[c], cloudSafetyDistances[c]),
            wk_ok);
    }
}

void freeWorld(cloudWorld* world)
{
    wkRobotState_Destroy(world->state);
    wkRobotScene_Destroy(world->scene);
    wkRobot_Destroy(world->robot);
    for (int c = 0; c < CLOUD_COUNT; ++c) {
        wkCloud_Destroy(world->clouds[c]);
    }
    assert_int_equal(wkGetByteCount(), 0);
}

static bool isChecked(const cloudWorld* world, int link, int cloud)
{
    return wkAllowed_Get(wkRobotScene_Allowed(world->scene), wkRobot_Link(world->robot, link).name,
                         cloudNames[cloud], NULL, NULL) == wk_ruleChecked;
}

void tryShape(const cloudWorld* world, const wkShape* shape, wkPose pose, int link, nearest* found)
{
    for (int c = 0; c < CLOUD_COUNT; ++c) {
        wkShape sphere = wkMakeSphere(cloudRadii[c]);
        for (int i = 0; i < POINT_COUNT && isChecked(world, link, c); ++i) {
            wkVec3d p = world->points[c][i];
            double d = wkDistance(shape, pose, &sphere, wkMakePose(p.x, p.y, p.z), NULL).distance -
                       cloudSafetyDistances[c];
            if (d < found->distance) {
                *found = (nearest){d, c, i, link};
            }
        }
    }
}

nearest findNearest(const cloudWorld* world)
{
    nearest found = {INFINITY, -1, -1, -1};
    for (int32_t b = 0; b < wkRobot_Info(world->robot).bodyCount; ++b) {
        wkBodyInfo body = wkRobot_Body(world->robot, b);
        tryShape(world, body.shape, wkRobotState_BodyPose(world->state, b), body.link, &found);
    }
    for (int32_t i = 0; i < wkRobotScene_Count(world->scene); ++i) {
        wkRobotObjectInfo object = wkRobotScene_Object(world->scene, i);
        if (object.link >= 0) {
            wkPose inObject;
            const wkShape* shape = wkRobotScene_ObjectShape(world->scene, i, 0, &inObject);
            wkPose frame = wkMulPose(wkRobotState_LinkPose(world->state, object.link), object.pose);
            tryShape(world, shape, wkMulPose(frame, inObject), object.link, &found);
        }
    }
    return found;
}

wkRobotRequest worldRequest(void)
{
    wkRobotRequest request = wkDefaultRobotRequest();
    request.checksSelf = request.checksLimits = false;
    return request;
}

void placeAtRandom(cloudWorld* world)
{
    double q[64];
    uint64_t seed = wkRngNext(&world->rng);
    wkRobot_RandomConfiguration(world->robot, &seed, q);
    assert_int_equal(wkRobotState_Set(world->state, wkIdentityPose(), q), wk_ok);
}
