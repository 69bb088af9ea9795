// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// cloud/<collide,distance>/robot: the built-in robot at random positions of a room of 300,000 points, each a sphere of
// 1 cm, as one object of a robot scene; two of three configurations are free. Peers are asked about each body of the
// robot; kinematics, which they do not have, are computed for them before.

#include "bench.h"
#include "clouds/room_points.h"
#include "measure.h"
#include "peers/cloud_peer.h"

#include "../tests/scenes/rng.h"

#include "whisker/whisker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define QUERY_BAR 5.0
#define POINT_COUNT 300000
#define POINT_RADIUS 0.01
#define FLOOR_DEPTH 0.1 // below the base of the robot, which would touch it
#define STATE_COUNT 60
#define MAX_BODIES 64
#define MAX_VARIABLES 32
#define MAX_SIDES 5
#define BLOCK_COUNT 5

typedef struct robotCase {
    wkRoomPoints room;
    wkCloud* cloud;
    wkRobot* robot;
    wkRobotState* state;
    wkRobotScene* scene;
    bool isVerdict;
    int bodyCount;
    wkCloudQuestion bodies[MAX_BODIES];
    wkPose bases[STATE_COUNT];
    double configurations[STATE_COUNT][MAX_VARIABLES];
    wkPose poses[STATE_COUNT][MAX_BODIES];
    double truths[STATE_COUNT];
} robotCase;

typedef struct robotSide {
    robotCase* asked;
    const wkCloudPeer* peer; // NULL: ours
    void* index;
    void* bodies[MAX_BODIES];
    double answers[STATE_COUNT];
} robotSide;

static void passOurs(void* context)
{
    robotSide* side = context;
    robotCase* c = side->asked;
    wkRobotRequest request = wkDefaultRobotRequest();
    request.checksSelf = false;
    for (int i = 0; i < STATE_COUNT; i++) {
        wkRobotState_Set(c->state, c->bases[i], c->configurations[i]);
        if (c->isVerdict) {
            wkVerdict verdict = wkRobotScene_Check(c->scene, c->state, &request).verdict;
            side->answers[i] = verdict == wk_verdictFree ? 1.0 : 0.0;
        } else {
            side->answers[i] =
                wkRobotScene_Clearance(c->scene, c->state, &request, NULL, NULL).distance;
        }
    }
}

static void passPeer(void* context)
{
    robotSide* side = context;
    const robotCase* c = side->asked;
    for (int i = 0; i < STATE_COUNT; i++) {
        double least = INFINITY;
        for (int body = 0; body < c->bodyCount && !(c->isVerdict && least <= 0.0); body++) {
            least =
                fmin(least, side->peer->ask(side->index, side->bodies[body], c->poses[i][body]));
        }
        side->answers[i] = least;
    }
}

// Distance of a body from all points, or `best`; a sphere about the body rules out most of them.
static double truthOf(const robotCase* c, const wkCloudQuestion* body, wkPose pose, double best)
{
    double limit = INFINITY;
    for (int32_t i = 0; i < c->room.count; i++) {
        const float* p = c->room.points + 3 * (size_t)i;
        wkVec3d point = {(double)p[0], (double)p[1], (double)p[2]};
        double x = point.x - pose.position.x, y = point.y - pose.position.y,
               z = point.z - pose.position.z;
        if (x * x + y * y + z * z < limit) {
            best = fmin(best, wkShape_PointDistance(&body->shape, pose, point) - POINT_RADIUS);
            double reach = body->reach + fmax(best, 0.0) + 0.1;
            limit = reach * reach;
        }
    }
    return best;
}

static long countWrong(const robotSide* side)
{
    const robotCase* c = side->asked;
    long wrong = 0;
    for (int i = 0; i < STATE_COUNT; i++) {
        double truth = c->truths[i], found = side->answers[i];
        bool isRight = (found <= 0.0) == (truth <= 0.0) || fabs(truth) < 1e-9;
        isRight = isRight && (c->isVerdict || truth <= 0.0 || fabs(found - truth) < 1e-6);
        wrong += isRight ? 0 : 1;
    }
    return wrong;
}

static void drawState(robotCase* c, wkRng* rng, int i)
{
    wkRobotInfo info = wkRobot_Info(c->robot);
    for (int k = 0; k < info.variableCount; k++) {
        wkVariableInfo variable = wkRobot_Variable(c->robot, k);
        bool isLimited = isfinite(variable.lower) && isfinite(variable.upper);
        c->configurations[i][k] = isLimited ? wkRngRange(rng, variable.lower, variable.upper)
                                            : wkRngRange(rng, -3.0, 3.0);
    }
    c->bases[i] = wkMakePose(wkRngRange(rng, -1.5, 2.5), wkRngRange(rng, -2.0, 2.0), 0.0);
    wkRobotState_Set(c->state, c->bases[i], c->configurations[i]);
}

// Draws states, two of three of them free, and computes poses of bodies and the truth.
static void drawStates(robotCase* c)
{
    wkRng rng = wkMakeRng(17);
    wkRobotRequest request = wkDefaultRobotRequest();
    request.checksSelf = false;
    for (int i = 0; i < STATE_COUNT; i++) {
        int drawn = 0;
        do {
            drawState(c, &rng, i);
        } while (i % 3 != 0 && drawn++ < 1000 &&
                 wkRobotScene_Check(c->scene, c->state, &request).verdict != wk_verdictFree);
        c->truths[i] = INFINITY;
        for (int body = 0; body < c->bodyCount; body++) {
            c->poses[i][body] = wkRobotState_BodyPose(c->state, body);
            c->truths[i] = truthOf(c, &c->bodies[body], c->poses[i][body], c->truths[i]);
        }
    }
}

static double reachOf(const wkShape* shape)
{
    wkAabb box = wkShape_Bounds(shape, wkIdentityPose());
    double x = fmax(-box.lower.x, box.upper.x), y = fmax(-box.lower.y, box.upper.y),
           z = fmax(-box.lower.z, box.upper.z);
    return sqrt(x * x + y * y + z * z);
}

static bool openCase(robotCase* c)
{
    c->room = wkMakeRoomPoints(POINT_COUNT);
    for (int32_t i = 0; i < c->room.count && c->room.points != NULL; i++) {
        c->room.points[3 * (size_t)i + 2] -= (float)FLOOR_DEPTH;
    }
    c->cloud = c->room.points != NULL ? wkMakeRoomCloud(&c->room, POINT_RADIUS) : NULL;
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    wkRobotObjectDef object = wkDefaultRobotObjectDef();
    if (c->cloud == NULL || wkRobot_CreateBuiltIn(&c->robot) != wk_ok) {
        return false;
    }
    def.robot = c->robot;
    wkShape shape = wkMakeCloud(c->cloud);
    object.name = "room";
    object.shapes = &shape;
    object.shapeCount = 1;
    c->bodyCount = wkRobot_Info(c->robot).bodyCount;
    for (int i = 0; i < c->bodyCount && i < MAX_BODIES; i++) {
        const wkShape* own = wkRobot_Body(c->robot, i).shape;
        c->bodies[i] = (wkCloudQuestion){*own, NULL, reachOf(own), POINT_RADIUS, false};
    }
    return c->bodyCount <= MAX_BODIES && wkRobot_Info(c->robot).variableCount <= MAX_VARIABLES &&
           wkRobotState_Create(c->robot, &c->state) == wk_ok &&
           wkRobotScene_Create(&def, &c->scene) == wk_ok &&
           wkRobotScene_Add(c->scene, &object) == wk_ok;
}

static void closeCase(robotCase* c)
{
    wkRobotScene_Destroy(c->scene);
    wkRobotState_Destroy(c->state);
    wkRobot_Destroy(c->robot);
    wkCloud_Destroy(c->cloud);
    wkRoomPoints_Free(&c->room);
}

static bool openPeer(robotSide* side, robotCase* c, const wkCloudPeer* peer)
{
    side->asked = c;
    side->peer = peer;
    side->index = peer->build(c->room.points, c->room.count);
    bool isReady = true;
    for (int i = 0; i < c->bodyCount; i++) {
        wkCloudQuestion question = c->bodies[i];
        question.isVerdict = c->isVerdict;
        side->bodies[i] = peer->prepare(&question);
        isReady = isReady && side->bodies[i] != NULL;
    }
    return isReady;
}

static void closePeer(robotSide* side)
{
    for (int i = 0; i < side->asked->bodyCount; i++) {
        if (side->bodies[i] != NULL) {
            side->peer->release(side->bodies[i]);
        }
    }
    side->peer->destroy(side->index);
}

static void runRows(wkBench* bench, const char* name, robotCase* c, robotSide* contexts)
{
    wkBenchSide sides[MAX_SIDES] = {{.pass = passOurs, .context = &contexts[0]}};
    int count = 1;
    contexts[0].asked = c;
    for (const wkCloudPeer* peer = wkCloudPeers; peer->name != NULL && count < MAX_SIDES; peer++) {
        if (openPeer(&contexts[count], c, peer)) {
            sides[count] = (wkBenchSide){.pass = passPeer, .context = &contexts[count]};
            count++;
        } else {
            closePeer(&contexts[count]);
        }
    }
    wkMeasure(sides, count, STATE_COUNT, BLOCK_COUNT);
    for (int i = count > 1 ? 1 : 0; i < count; i++) {
        wkBenchRow row = {.unit = "ns", .ours = sides[0].median, .n = STATE_COUNT};
        snprintf(row.name, sizeof row.name, "%s", name);
        row.wrong = countWrong(&contexts[0]);
        if (i > 0) {
            row.peer = contexts[i].peer->name;
            row.variant = contexts[i].peer->variant;
            row.theirs = sides[i].median;
            row.ratio = wkBlockRatio(&sides[i], &sides[0], BLOCK_COUNT, &row.spread);
            row.bar = QUERY_BAR;
            row.peerWrong = contexts[i].peer->isExact ? countWrong(&contexts[i]) : 0;
            closePeer(&contexts[i]);
        }
        wkBench_Emit(bench, &row);
    }
}

void wkRunCloudRobotRows(wkBench* bench)
{
    static const char* const names[2] = {"cloud/collide/robot", "cloud/distance/robot"};
    bool wants[2] = {wkBench_Wants(bench, names[0]), wkBench_Wants(bench, names[1])};
    if (!wants[0] && !wants[1]) {
        return;
    }
    robotCase* c = calloc(1, sizeof *c);
    if (c != NULL && openCase(c)) {
        drawStates(c);
        for (int i = 0; i < 2; i++) {
            robotSide* contexts = calloc(MAX_SIDES, sizeof *contexts);
            c->isVerdict = i == 0;
            if (wants[i] && contexts != NULL) {
                runRows(bench, names[i], c, contexts);
            }
            free(contexts);
        }
    }
    if (c != NULL) {
        closeCase(c);
    }
    free(c);
}
