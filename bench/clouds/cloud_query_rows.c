// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// cloud/<collide,distance>/<body>: a body among 300,000 points of a room, each a sphere of 1 cm, beside every peer;
// answers are compared with those of all points, one by one.

#include "bench.h"
#include "clouds/room_points.h"
#include "measure.h"
#include "peers/cloud_peer.h"

#include "../tests/scenes/rng.h"

#include "whisker/query.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define QUERY_BAR 5.0
#define POINT_COUNT 300000
#define POINT_RADIUS 0.01
#define MAX_POSES 400
#define MAX_SIDES 5
#define BLOCK_COUNT 5

typedef struct queryCase {
    const wkRoomPoints* room;
    const wkCloud* cloud;
    wkCloudQuestion question;
    int poseCount;
    wkPose poses[MAX_POSES];
    double truths[MAX_POSES];
} queryCase;

typedef struct querySide {
    const queryCase* asked;
    const wkCloudPeer* peer; // NULL: ours
    void* index;
    void* body;
    double answers[MAX_POSES];
} querySide;

static void passOurs(void* context)
{
    querySide* side = context;
    const queryCase* c = side->asked;
    wkShape cloud = wkMakeCloud(c->cloud);
    for (int i = 0; i < c->poseCount; i++) {
        if (c->question.isVerdict) {
            bool isHit = wkCollide(&c->question.shape, c->poses[i], &cloud, wkIdentityPose(), NULL)
                             .isTouching;
            side->answers[i] = isHit ? 0.0 : 1.0;
        } else {
            side->answers[i] =
                wkDistance(&c->question.shape, c->poses[i], &cloud, wkIdentityPose(), NULL)
                    .distance;
        }
    }
}

static void passPeer(void* context)
{
    querySide* side = context;
    for (int i = 0; i < side->asked->poseCount; i++) {
        side->answers[i] = side->peer->ask(side->index, side->body, side->asked->poses[i]);
    }
}

// Distance from all points, but for those that a sphere about the body rules out.
static double truthOf(const queryCase* c, wkPose pose)
{
    double best = INFINITY;
    for (int32_t i = 0; i < c->room->count; i++) {
        const float* p = c->room->points + 3 * (size_t)i;
        wkVec3d point = {(double)p[0], (double)p[1], (double)p[2]};
        double x = point.x - pose.position.x, y = point.y - pose.position.y,
               z = point.z - pose.position.z;
        double reach = c->question.reach + fmax(best, 0.0) + 0.1;
        if (x * x + y * y + z * z < reach * reach) {
            double distance = wkShape_PointDistance(&c->question.shape, pose, point);
            best = fmin(best, distance - c->question.pointRadius);
        } else if (best == INFINITY) { // any point, to begin with
            best = wkShape_PointDistance(&c->question.shape, pose, point) - c->question.pointRadius;
        }
    }
    return best;
}

static long countWrong(const querySide* side)
{
    const queryCase* c = side->asked;
    long wrong = 0;
    for (int i = 0; i < c->poseCount; i++) {
        double truth = c->truths[i], found = side->answers[i];
        bool isRight = (found <= 0.0) == (truth <= 0.0) || fabs(truth) < 1e-9;
        if (!c->question.isVerdict && truth > 0.0) {
            isRight = isRight && fabs(found - truth) < 1e-6;
        }
        wrong += isRight ? 0 : 1;
    }
    return wrong;
}

// Poses in the room: half of them near a point, so that about half of the bodies touch one.
static void drawPoses(queryCase* c)
{
    wkRng rng = wkMakeRng(11);
    for (int i = 0; i < c->poseCount; i++) {
        const float* p = c->room->points + 3 * (size_t)wkRngBelow(&rng, c->room->count);
        double share = i % 2 == 0 ? wkRngRange(&rng, 0.3, 1.2) : 4.0;
        wkVec3d away = {wkRngRange(&rng, -1.0, 1.0), wkRngRange(&rng, -1.0, 1.0),
                        wkRngRange(&rng, -1.0, 1.0)};
        double reach = share * c->question.reach;
        c->poses[i] = wkMakePose((double)p[0] + reach * away.x, (double)p[1] + reach * away.y,
                                 (double)p[2] + reach * away.z);
        c->poses[i].rotation = wkRngRotation(&rng);
        c->truths[i] = truthOf(c, c->poses[i]);
    }
}

static void emitRows(wkBench* bench, const char* name, const querySide* contexts,
                     const wkBenchSide* sides, int count)
{
    for (int i = count > 1 ? 1 : 0; i < count; i++) {
        wkBenchRow row = {.unit = "ns", .ours = sides[0].median};
        memcpy(row.name, name, sizeof row.name);
        row.n = contexts[0].asked->poseCount;
        row.wrong = countWrong(&contexts[0]);
        if (i > 0) {
            row.peer = contexts[i].peer->name;
            row.variant = contexts[i].peer->variant;
            row.theirs = sides[i].median;
            row.ratio = wkBlockRatio(&sides[i], &sides[0], BLOCK_COUNT, &row.spread);
            row.bar = QUERY_BAR;
            row.peerWrong = contexts[i].peer->isExact ? countWrong(&contexts[i]) : 0;
        }
        wkBench_Emit(bench, &row);
    }
}

static void runCase(wkBench* bench, const char* name, queryCase* c, void* const* indices)
{
    querySide* contexts = calloc(MAX_SIDES, sizeof *contexts);
    wkBenchSide sides[MAX_SIDES] = {{.pass = passOurs, .context = &contexts[0]}};
    if (contexts == NULL) {
        return;
    }
    drawPoses(c);
    contexts[0].asked = c;
    int count = 1;
    for (int k = 0; wkCloudPeers[k].name != NULL && count < MAX_SIDES; k++) {
        void* body = wkCloudPeers[k].prepare(&c->question);
        if (body != NULL) {
            contexts[count].asked = c;
            contexts[count].peer = &wkCloudPeers[k];
            contexts[count].index = indices[k];
            contexts[count].body = body;
            sides[count] = (wkBenchSide){.pass = passPeer, .context = &contexts[count]};
            count++;
        }
    }
    wkMeasure(sides, count, c->poseCount, BLOCK_COUNT);
    emitRows(bench, name, contexts, sides, count);
    for (int i = 1; i < count; i++) {
        contexts[i].peer->release(contexts[i].body);
    }
    free(contexts);
}

typedef struct queryBody {
    const char* name;
    wkShape shape;
    const wkModel* model;
    double reach;
    int poseCount;
} queryBody;

#define BODY_COUNT 6

static void runBodies(wkBench* bench, const queryBody bodies[BODY_COUNT],
                      char names[2 * BODY_COUNT][WK_ROW_NAME_CAPACITY], const bool* wants)
{
    wkRoomPoints room = wkMakeRoomPoints(POINT_COUNT);
    wkCloud* cloud = room.points != NULL ? wkMakeRoomCloud(&room, POINT_RADIUS) : NULL;
    queryCase* c = calloc(1, sizeof *c);
    void* indices[MAX_SIDES] = {NULL};
    for (int k = 0; wkCloudPeers[k].name != NULL && k < MAX_SIDES && cloud != NULL; k++) {
        indices[k] = wkCloudPeers[k].build(room.points, room.count);
    }
    for (int i = 0; i < 2 * BODY_COUNT && cloud != NULL && c != NULL; i++) {
        const queryBody* body = &bodies[i / 2];
        if (wants[i]) {
            *c = (queryCase){.room = &room, .cloud = cloud, .poseCount = body->poseCount};
            c->question =
                (wkCloudQuestion){body->shape, body->model, body->reach, POINT_RADIUS, i % 2 == 0};
            runCase(bench, names[i], c, indices);
        }
    }
    for (int k = 0; k < MAX_SIDES && indices[k] != NULL; k++) {
        wkCloudPeers[k].destroy(indices[k]);
    }
    free(c);
    wkCloud_Destroy(cloud);
    wkRoomPoints_Free(&room);
}

void wkRunCloudQueryRows(wkBench* bench)
{
    wkModel model = {0};
    wkMesh *surface = NULL, *solid = NULL;
    wkModel_AddKnot(&model, 0.15, 0.05, 80, 12);
    wkMeshDef def = wkModel_MeshDef(&model);
    def.isSolid = false;
    wkMesh_Create(&def, &surface);
    def.isSolid = true;
    wkMesh_Create(&def, &solid);
    double meshReach = wkModel_Radius(&model);
    const queryBody bodies[BODY_COUNT] = {
        {"sphere", wkMakeSphere(0.1), NULL, 0.1, MAX_POSES},
        {"box", wkMakeBox(0.3, 0.2, 0.1), NULL, 0.19, MAX_POSES},
        {"capsule", wkMakeCapsule(0.06, 0.3), NULL, 0.211, MAX_POSES},
        {"cylinder", wkMakeCylinder(0.06, 0.3), NULL, 0.17, MAX_POSES},
        {"mesh", wkMakeMesh(surface), &model, meshReach, 60},
        {"solid", wkMakeMesh(solid), &model, meshReach, 60},
    };
    char names[2 * BODY_COUNT][WK_ROW_NAME_CAPACITY];
    bool wants[2 * BODY_COUNT], isWanted = false;
    for (int i = 0; i < 2 * BODY_COUNT; i++) {
        snprintf(names[i], sizeof names[i], "cloud/%s/%s", i % 2 == 0 ? "collide" : "distance",
                 bodies[i / 2].name);
        wants[i] = wkBench_Wants(bench, names[i]);
        isWanted = isWanted || wants[i];
    }
    if (isWanted && surface != NULL && solid != NULL) {
        runBodies(bench, bodies, names, wants);
    }
    wkMesh_Destroy(surface);
    wkMesh_Destroy(solid);
    wkModel_Free(&model);
}
