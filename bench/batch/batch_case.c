// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The Panda of 59 spheres and what is around it. See batch_case.h.

#include "batch/batch_case.h"

#include "../tests/scenes/rng.h"

#include "whisker/io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATE_SEED 31u
#define BOX_SEED 47u
#define PATH_CAPACITY 1024

#define MAX_LINKS 32
#define MAX_SPHERES WK_BATCH_SPHERES

// Clearances are told up to here: far beyond what may be wrong with a verdict.
#define NEAR 0.1
// What floats may take off a clearance, in metres.
#define FLOAT_SLACK 1e-4

#define CELL_SIZE 0.025 // of the map
#define CELL_LOG_ODDS 2.0f
#define KEY_OF_ZERO 32768 // along each axis

const char* const wkBatchWorldNames[wk_batchWorldCount] = {"self", "16-boxes", "100-boxes",
                                                           "1000-boxes", "octree"};

// Boxes of all sizes between two edges, turned at random, with their middles in a shell around the
// shoulder. Of random configurations about 70, 40 and 30 % are free.
static const struct {
    int count;
    double smallest, largest; // edges, in metres
    double inner, outer;      // radii of the shell
} shells[wk_batchWorldCount] = {
    [wk_batchBoxes16] = {16, 0.05, 0.20, 0.40, 1.00},
    [wk_batchBoxes100] = {100, 0.05, 0.20, 0.50, 1.10},
    [wk_batchBoxes1000] = {1000, 0.02, 0.10, 0.65, 1.20},
    [wk_batchOctree] = {100, 0.05, 0.20, 0.50, 1.10},
};
static const wkVec3d shoulder = {0.0, 0.0, 0.333};

static wkResult loadPanda(wkRobot** robot)
{
    const char* folder = getenv("WHISKER_DATA");
    folder = folder != NULL ? folder : WK_DATA_FOLDER;
    char urdf[PATH_CAPACITY], srdf[PATH_CAPACITY];
    snprintf(urdf, sizeof urdf, "%s/spheres/vamp/panda_spherized.urdf", folder);
    snprintf(srdf, sizeof srdf, "%s/robots/panda/panda.srdf", folder);
    wkRobotLoadDef options = wkDefaultRobotLoadDef();
    options.srdf = srdf;
    return wkRobot_Load(urdf, &options, NULL, robot);
}

// The bodies of this robot are spheres.
static wkResult makeSpheres(wkBatchBenchCase* made)
{
    wkLinkSphere spheres[MAX_SPHERES];
    int count = made->peer.bodyCount;
    if (count > MAX_SPHERES || made->peer.linkCount > MAX_LINKS) {
        return wk_errorRange;
    }
    for (int i = 0; i < count; i++) {
        wkBodyInfo body = wkRobot_Body(made->peer.robot, i);
        spheres[i].link = body.link;
        spheres[i].sphere.center = body.pose.position;
        spheres[i].sphere.radius = body.shape->sphere.radius;
    }
    return wkSphereModel_Create(made->peer.robot, spheres, count, &made->spheres);
}

static bool makeRoom(wkRobotCase* peer, int count)
{
    if (count <= 0) {
        return false;
    }
    peer->obstacles = (wkShape*)calloc((size_t)count, sizeof(wkShape));
    peer->obstaclePoses = (wkPose*)calloc((size_t)count, sizeof(wkPose));
    return peer->obstacles != NULL && peer->obstaclePoses != NULL;
}

static bool drawBoxes(wkRobotCase* peer, wkBatchWorld world)
{
    wkRng rng = wkMakeRng(BOX_SEED);
    double smallest = shells[world].smallest, largest = shells[world].largest;
    if (!makeRoom(peer, shells[world].count)) {
        return false;
    }
    for (int i = 0; i < shells[world].count; i++) {
        double radius = wkRngRange(&rng, shells[world].inner, shells[world].outer);
        double x = wkRngRange(&rng, smallest, largest), y = wkRngRange(&rng, smallest, largest);
        peer->obstacles[i] = wkMakeBox(x, y, wkRngRange(&rng, smallest, largest));
        peer->obstaclePoses[i].position =
            wkSceneAdd(shoulder, wkSceneScale(wkRngDirection(&rng), radius));
        peer->obstaclePoses[i].rotation = wkRngRotation(&rng);
        peer->obstacleCount++;
    }
    return true;
}

// Marks the cells whose middle is in a box.
static void fillCells(wkOctree* octree, const wkShape* box, wkPose pose)
{
    wkAabb bounds = wkShape_Bounds(box, pose);
    wkCellKey lower, upper;
    if (!wkOctree_KeyAt(octree, bounds.lower, &lower) ||
        !wkOctree_KeyAt(octree, bounds.upper, &upper)) {
        return;
    }
    for (int x = lower.x; x <= upper.x; x++) {
        for (int y = lower.y; y <= upper.y; y++) {
            for (int z = lower.z; z <= upper.z; z++) {
                wkCellKey key = {(uint16_t)x, (uint16_t)y, (uint16_t)z};
                wkVec3d steps = {x + 0.5 - KEY_OF_ZERO, y + 0.5 - KEY_OF_ZERO,
                                 z + 0.5 - KEY_OF_ZERO};
                if (wkShape_ContainsPoint(box, pose, wkSceneScale(steps, CELL_SIZE))) {
                    wkOctree_SetLogOdds(octree, key, WK_OCTREE_DEPTH, CELL_LOG_ODDS);
                }
            }
        }
    }
}

// The cells take the place of the boxes: all of them are boxes to those who have no maps.
static bool takeCells(wkBatchBenchCase* made)
{
    wkCellRequest filter = wkDefaultCellRequest();
    filter.wantsFree = false;
    int count = 0;
    wkCell cell;
    wkCellIterator cells = wkOctree_Cells(made->octree, &filter);
    while (wkCellIterator_Next(&cells, &cell)) {
        count++;
    }
    wkRobotCase* peer = &made->peer;
    free(peer->obstacles);
    free(peer->obstaclePoses);
    peer->obstacleCount = 0;
    if (!makeRoom(peer, count)) {
        return false;
    }
    cells = wkOctree_Cells(made->octree, &filter);
    while (wkCellIterator_Next(&cells, &cell) && peer->obstacleCount < count) {
        peer->obstacles[peer->obstacleCount] = wkMakeBox(cell.size, cell.size, cell.size);
        peer->obstaclePoses[peer->obstacleCount++] =
            wkMakePose(cell.center.x, cell.center.y, cell.center.z);
    }
    return true;
}

static bool makeMap(wkBatchBenchCase* made)
{
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = CELL_SIZE;
    if (wkOctree_Create(&def, &made->octree) != wk_ok) {
        return false;
    }
    for (int i = 0; i < made->peer.obstacleCount; i++) {
        fillCells(made->octree, &made->peer.obstacles[i], made->peer.obstaclePoses[i]);
    }
    return takeCells(made);
}

static bool addObject(wkBatchBenchCase* made, int number, const wkShape* shape, wkPose pose)
{
    char name[32];
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    snprintf(name, sizeof name, "object_%d", number);
    def.name = name;
    def.shapes = shape;
    def.shapeCount = 1;
    def.pose = pose;
    return wkRobotScene_Add(made->scene, &def) == wk_ok;
}

static bool makeScene(wkBatchBenchCase* made, wkBatchWorld world)
{
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.robot = made->peer.robot;
    def.allowed = made->peer.allowed;
    if (wkRobotScene_Create(&def, &made->scene) != wk_ok) {
        return false;
    }
    if (world == wk_batchOctree) {
        wkShape map = wkMakeOctree(made->octree);
        return addObject(made, 0, &map, wkIdentityPose());
    }
    bool isAdded = true;
    for (int i = 0; i < made->peer.obstacleCount && isAdded; i++) {
        isAdded = addObject(made, i, &made->peer.obstacles[i], made->peer.obstaclePoses[i]);
    }
    return isAdded;
}

bool wkBatchCase_Open(wkBatchBenchCase* made, wkBatchWorld world, int count, int peerCount)
{
    memset(made, 0, sizeof *made);
    wkRobot* robot = NULL;
    if (loadPanda(&robot) != wk_ok || !wkRobotCase_Wrap(&made->peer, robot, peerCount)) {
        return false;
    }
    made->variableCount = made->peer.variableCount;
    made->count = count;
    made->states = (double*)calloc((size_t)count * (size_t)made->variableCount, sizeof(double));
    bool isMade = made->states != NULL && makeSpheres(made) == wk_ok &&
                  (shells[world].count == 0 || drawBoxes(&made->peer, world)) &&
                  (world != wk_batchOctree || makeMap(made)) && makeScene(made, world);
    if (!isMade) {
        wkBatchCase_Close(made);
    }
    return isMade;
}

void wkBatchCase_Close(wkBatchBenchCase* made)
{
    wkRobotScene_Destroy(made->scene);
    wkSphereModel_Destroy(made->spheres);
    wkOctree_Destroy(made->octree);
    wkRobotCase_Close(&made->peer);
    free(made->states);
    memset(made, 0, sizeof *made);
}

wkBatchDef wkBatchCase_Def(const wkBatchBenchCase* made)
{
    wkBatchDef def = wkDefaultBatchDef();
    def.scene = made->scene;
    def.spheres = made->spheres;
    def.checksLimits = false; // the figures to compare with do not have it
    def.checksDepth = false;
    return def;
}

// The first configurations are those of the peers too.
static void sharePeerStates(wkBatchBenchCase* made)
{
    size_t shared = (size_t)made->peer.count * (size_t)made->variableCount;
    memcpy(made->peer.configurations, made->states, shared * sizeof(double));
    wkRobotCase_Place(&made->peer);
}

void wkBatchCase_DrawStates(wkBatchBenchCase* made)
{
    uint64_t seed = STATE_SEED;
    for (int i = 0; i < made->count; i++) {
        wkRobot_RandomConfiguration(made->peer.robot, &seed,
                                    &made->states[i * made->variableCount]);
    }
    sharePeerStates(made);
}

void wkBatchCase_DrawMotion(const wkBatchBenchCase* made, uint64_t* seed, double* from, double* to)
{
    const wkRobot* robot = made->peer.robot;
    double length = 0.0;
    wkRobot_RandomConfiguration(robot, seed, from);
    while (length < 1.0) {
        wkRobot_RandomConfiguration(robot, seed, to);
        length = wkRobot_ConfigurationDistance(robot, from, to);
    }
    wkRobot_Interpolate(robot, from, to, 1.0 / length, to);
}

void wkBatchCase_DrawMotions(wkBatchBenchCase* made)
{
    uint64_t seed = STATE_SEED;
    double from[MAX_LINKS], to[MAX_LINKS];
    for (int i = 0; i < made->count; i++) {
        int step = i % WK_BATCH_STEPS;
        if (step == 0) {
            wkBatchCase_DrawMotion(made, &seed, from, to);
        }
        wkRobot_Interpolate(made->peer.robot, from, to, (double)step / (WK_BATCH_STEPS - 1),
                            &made->states[i * made->variableCount]);
    }
    sharePeerStates(made);
}

static void placeSpheres(const wkRobotCase* peer, const double* q, wkSphere3d* spheres)
{
    wkPose links[MAX_LINKS];
    wkRobot_LinkPoses(peer->robot, wkIdentityPose(), q, links);
    for (int i = 0; i < peer->bodyCount; i++) {
        wkBodyInfo body = wkRobot_Body(peer->robot, i);
        spheres[i].center = wkMulPose(links[body.link], body.pose).position;
        spheres[i].radius = body.shape->sphere.radius;
    }
}

void wkBatchCase_PlaceSpheres(const wkBatchBenchCase* made, const double* q, wkSphere3d* spheres)
{
    placeSpheres(&made->peer, q, spheres);
}

static double selfClearance(const wkRobotCase* peer, const wkSphere3d* spheres)
{
    double nearest = NEAR;
    for (int a = 0; a < peer->bodyCount; a++) {
        for (int b = 0; b < a; b++) {
            if (peer->isChecked[a * peer->bodyCount + b]) {
                double gap = wkSceneLength(wkSceneSub(spheres[a].center, spheres[b].center));
                nearest = fmin(nearest, gap - spheres[a].radius - spheres[b].radius);
            }
        }
    }
    return nearest;
}

// A sphere around some spheres, not the smallest.
static wkSphere3d enclose(const wkSphere3d* spheres, int count)
{
    wkSphere3d around = {{0.0, 0.0, 0.0}, 0.0};
    for (int i = 0; i < count; i++) {
        around.center = wkSceneAdd(around.center, wkSceneScale(spheres[i].center, 1.0 / count));
    }
    for (int i = 0; i < count; i++) {
        double gap = wkSceneLength(wkSceneSub(spheres[i].center, around.center));
        around.radius = fmax(around.radius, gap + spheres[i].radius);
    }
    return around;
}

// Boxes that are far from a sphere around them all need no closer look.
static bool isFar(const wkSphere3d* sphere, const wkShape* box, wkVec3d middle)
{
    wkVec3d gap = wkSceneSub(sphere->center, middle);
    double reach = sphere->radius + wkSceneLength(box->box.half) + NEAR;
    return wkSceneDot(gap, gap) > reach * reach;
}

static double linkClearance(const wkRobotCase* peer, const wkSphere3d* spheres, int count)
{
    wkSphere3d around = enclose(spheres, count);
    double nearest = NEAR;
    for (int i = 0; i < peer->obstacleCount && nearest > 0.0; i++) {
        const wkShape* box = &peer->obstacles[i];
        wkPose pose = peer->obstaclePoses[i];
        if (isFar(&around, box, pose.position)) {
            continue;
        }
        for (int k = 0; k < count; k++) {
            if (!isFar(&spheres[k], box, pose.position)) {
                double gap = wkShape_PointDistance(box, pose, spheres[k].center);
                nearest = fmin(nearest, gap - spheres[k].radius);
            }
        }
    }
    return nearest;
}

double wkBatchCase_Clearance(const wkBatchBenchCase* made, const double* q, bool checksWorld)
{
    const wkRobotCase* peer = &made->peer;
    wkSphere3d spheres[MAX_SPHERES];
    placeSpheres(peer, q, spheres);
    double nearest = selfClearance(peer, spheres);
    for (int link = 0; link < peer->linkCount && checksWorld && nearest > 0.0; link++) {
        wkLinkInfo info = wkRobot_Link(peer->robot, link);
        if (info.bodyCount > 0) {
            nearest = fmin(nearest, linkClearance(peer, &spheres[info.firstBody], info.bodyCount));
        }
    }
    return nearest;
}

bool wkIsVerdictWrong(double clearance, bool isFree)
{
    return isFree ? clearance <= 0.0 : clearance > FLOAT_SLACK;
}
