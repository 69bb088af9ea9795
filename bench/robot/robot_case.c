// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Robots of the data folder, and what is around them. See robot_case.h.

#include "robot/robot_case.h"

#include "../tests/scenes/mesh_models.h"
#include "../tests/scenes/rng.h"
#include "../tests/scenes/robot_88.h"

#include "whisker/io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEED 11u
#define OBSTACLE_SEED 21u
#define PATH_CAPACITY 1024
#define FILE_CAPACITY 96 // of a path within the folder of robots
#define MAX_ATTEMPTS 1000
#define GOAL_SHARE 0.15 // of the way to the next configuration

// Blobs as meshes, in stacks and slices.
#define BLOB_BUMP 0.2
#define BLOB_STACKS 14
#define BLOB_SLICES 16

void wkRobotDataPath(const char* name, char* path, int capacity)
{
    const char* folder = getenv("WHISKER_DATA");
    snprintf(path, (size_t)capacity, "%s/robots/%s", folder != NULL ? folder : WK_DATA_FOLDER,
             name);
}

static wkResult loadRobot(const char* name, wkRobot** robot)
{
    char file[FILE_CAPACITY], urdf[PATH_CAPACITY], srdf[PATH_CAPACITY];
    bool isPr2 = strcmp(name, "pr2") == 0;
    snprintf(file, sizeof file, "%s/%s.urdf", name, name);
    wkRobotDataPath(file, urdf, PATH_CAPACITY);
    snprintf(file, sizeof file, "%s/%s.srdf", name, isPr2 ? "pr2_disabled_pairs" : name);
    wkRobotDataPath(file, srdf, PATH_CAPACITY);
    wkRobotLoadDef options = wkDefaultRobotLoadDef();
    options.srdf = srdf;
    wkResult result = wkRobot_Load(urdf, &options, NULL, robot);
    return result != wk_ok && isPr2 ? wkMakeRobot88(robot) : result;
}

static bool setRules(wkRobotCase* made)
{
    if (wkAllowed_Create(&made->allowed) != wk_ok ||
        wkAllowed_AddRobot(made->allowed, made->robot) != wk_ok) {
        return false;
    }
    for (int i = 0; i < made->bodyCount * made->bodyCount; i++) {
        int a = wkRobot_Body(made->robot, i / made->bodyCount).link;
        int b = wkRobot_Body(made->robot, i % made->bodyCount).link;
        wkAllowedRule rule = wkAllowed_Get(made->allowed, wkRobot_Link(made->robot, a).name,
                                           wkRobot_Link(made->robot, b).name, NULL, NULL);
        made->isChecked[i] = a != b && rule == wk_ruleChecked;
    }
    return true;
}

static void pose(wkRobotCase* made, int i)
{
    wkPose* links = &made->linkPoses[(size_t)i * (size_t)made->linkCount];
    wkPose* bodies = &made->bodyPoses[(size_t)i * (size_t)made->bodyCount];
    const double* q = &made->configurations[(size_t)i * (size_t)made->variableCount];
    wkRobot_LinkPoses(made->robot, wkIdentityPose(), q, links);
    for (int b = 0; b < made->bodyCount; b++) {
        wkBodyInfo body = wkRobot_Body(made->robot, b);
        bodies[b] = wkMulPose(links[body.link], body.pose);
    }
}

// Every other configuration is one in which the robot does not touch itself: planners ask about many of
// those, and among random ones they can be rare.
static void drawFree(wkRobotCase* made, wkRobotState* state, const wkRobotScene* alone)
{
    uint64_t seed = SEED;
    for (int i = 0; i < made->count; i++) {
        double* q = &made->configurations[(size_t)i * (size_t)made->variableCount];
        bool isFine = false;
        for (int attempt = 0; attempt < MAX_ATTEMPTS && !isFine; attempt++) {
            wkRobot_RandomConfiguration(made->robot, &seed, q);
            wkRobotState_Set(state, wkIdentityPose(), q);
            isFine = i % 2 == 0 || wkRobotScene_Check(alone, state, NULL).verdict == wk_verdictFree;
        }
    }
}

static bool draw(wkRobotCase* made)
{
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.robot = made->robot;
    def.allowed = made->allowed;
    wkRobotScene* alone = NULL;
    wkRobotState* state = NULL;
    bool isDrawn = wkRobotScene_Create(&def, &alone) == wk_ok &&
                   wkRobotState_Create(made->robot, &state) == wk_ok;
    if (isDrawn) {
        drawFree(made, state, alone);
    }
    wkRobotState_Destroy(state);
    wkRobotScene_Destroy(alone);
    return isDrawn;
}

void wkRobotCase_Place(wkRobotCase* made)
{
    size_t length = (size_t)made->variableCount;
    for (int i = 0; i < made->count; i++) {
        pose(made, i);
        const double* next = &made->configurations[(size_t)((i + 1) % made->count) * length];
        wkRobot_Interpolate(made->robot, &made->configurations[(size_t)i * length], next,
                            GOAL_SHARE, &made->goals[(size_t)i * length]);
    }
}

bool wkRobotCase_Wrap(wkRobotCase* made, wkRobot* robot, int count)
{
    memset(made, 0, sizeof *made);
    made->robot = robot;
    wkRobotInfo info = wkRobot_Info(robot);
    size_t configurations = (size_t)count, bodies = (size_t)info.bodyCount;
    size_t variables = configurations * (size_t)info.variableCount;
    made->linkCount = info.linkCount;
    made->bodyCount = info.bodyCount;
    made->variableCount = info.variableCount;
    made->count = count;
    made->configurations = (double*)calloc(variables, sizeof(double));
    made->goals = (double*)calloc(variables, sizeof(double));
    made->linkPoses = (wkPose*)calloc(configurations * (size_t)info.linkCount, sizeof(wkPose));
    made->bodyPoses = (wkPose*)calloc(configurations * bodies, sizeof(wkPose));
    made->isChecked = (bool*)calloc(bodies * bodies, sizeof(bool));
    if (made->configurations == NULL || made->goals == NULL || made->linkPoses == NULL ||
        made->bodyPoses == NULL || made->isChecked == NULL || !setRules(made)) {
        wkRobotCase_Close(made);
        return false;
    }
    return true;
}

bool wkRobotCase_Open(wkRobotCase* made, const char* name, int count)
{
    wkRobot* robot = NULL;
    if (loadRobot(name, &robot) != wk_ok || !wkRobotCase_Wrap(made, robot, count)) {
        return false;
    }
    if (!draw(made)) {
        wkRobotCase_Close(made);
        return false;
    }
    wkRobotCase_Place(made);
    return true;
}

static void dropObstacles(wkRobotCase* made)
{
    for (int i = 0; i < made->obstacleCount && made->meshes != NULL; i++) {
        wkMesh_Destroy(made->meshes[i]);
    }
    free(made->meshes);
    free(made->obstacles);
    free(made->obstaclePoses);
    made->meshes = NULL;
    made->obstacles = NULL;
    made->obstaclePoses = NULL;
    made->obstacleCount = 0;
}

void wkRobotCase_Close(wkRobotCase* made)
{
    dropObstacles(made);
    free(made->configurations);
    free(made->goals);
    free(made->linkPoses);
    free(made->bodyPoses);
    free(made->isChecked);
    wkAllowed_Destroy(made->allowed);
    wkRobot_Destroy(made->robot);
    memset(made, 0, sizeof *made);
}

static bool makeBlob(double radius, wkShape* shape, wkMesh** mesh)
{
    wkModel model;
    memset(&model, 0, sizeof model);
    wkVec3d origin = {0.0, 0.0, 0.0};
    bool isMade = wkModel_AddBlob(&model, origin, radius, BLOB_BUMP, BLOB_STACKS, BLOB_SLICES);
    wkMeshDef def = wkModel_MeshDef(&model);
    def.isSolid = true;
    isMade = isMade && wkMesh_Create(&def, mesh) == wk_ok;
    wkModel_Free(&model);
    *shape = wkMakeMesh(*mesh);
    return isMade;
}

// Sizes are those of the published figures of the peers.
static bool makeObstacle(wkObstacleKind kind, wkRng* rng, wkShape* shape, wkMesh** mesh)
{
    double a = wkRngRange(rng, 0.1, 0.32), b = wkRngRange(rng, 0.1, 0.32);
    double c = wkRngRange(rng, 0.1, 0.32);
    if (kind == wk_obstacleMesh) {
        return makeBlob(0.6 * a, shape, mesh);
    }
    *shape = kind == wk_obstacleBox      ? wkMakeBox(a, b, c)
             : kind == wk_obstacleSphere ? wkMakeSphere(0.6 * a)
                                         : wkMakeCylinder(0.5 * a, b);
    return true;
}

bool wkRobotCase_Surround(wkRobotCase* made, const wkSurround* surround)
{
    dropObstacles(made);
    size_t count = (size_t)surround->count;
    made->obstacles = (wkShape*)calloc(count, sizeof(wkShape));
    made->obstaclePoses = (wkPose*)calloc(count, sizeof(wkPose));
    made->meshes = (wkMesh**)calloc(count, sizeof(wkMesh*));
    if (made->obstacles == NULL || made->obstaclePoses == NULL || made->meshes == NULL) {
        dropObstacles(made);
        return false;
    }
    wkRng rng = wkMakeRng(OBSTACLE_SEED + (uint64_t)surround->kind);
    while (made->obstacleCount < surround->count) {
        int i = made->obstacleCount;
        double w = surround->width;
        wkPose at = {{wkRngRange(&rng, -w, w), wkRngRange(&rng, -w, w),
                      wkRngRange(&rng, 0.0, surround->height)},
                     wkRngRotation(&rng)};
        if (hypot(at.position.x, at.position.y) < surround->keep) {
            continue;
        }
        bool isMixed = surround->kind == wk_obstacleMixed;
        wkObstacleKind kind = isMixed ? (wkObstacleKind)(i % wk_obstacleMixed) : surround->kind;
        made->obstaclePoses[i] = at;
        made->obstacleCount++;
        if (!makeObstacle(kind, &rng, &made->obstacles[i], &made->meshes[i])) {
            dropObstacles(made);
            return false;
        }
    }
    return true;
}
