// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A planner: two trees of certified motions grow towards each other (RRT-Connect, Kuffner and LaValle
// 2000), many branches at a time. In the room of the demo the arm goes from below the table to above.

#include "whisker/whisker.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#define N 11      // variables of the built-in robot: torso, head (2), arm (7), fingers
#define MOST 4096 // configurations of a tree
#define TRIES 16  // branches that are tried at once

typedef struct tree {
    double nodes[MOST][N]; // the first is the start or goal
    int parents[MOST];     // index of the previous node
    int lengths[MOST];     // number of motions from the first node
    int count;
} tree;

static tree trees[2] = {{.nodes = {{0.1, 0, 0, -0.6, 0.7, 2.2, -0.9, 2.9, -1.4, -2.5}}, .count = 1},
                        {.nodes = {{0.1, 0, 0, 0.3, 0.5, 0, -1.3, 0, 0.8}}, .count = 1}};

#define BOXES 4 // in reach, with middles and sizes: table, crate, bottle, lamp
static const double boxes[BOXES][6] = {{0.88, 0.0, 0.72, 0.72, 1.50, 0.04},
                                       {0.98, 0.48, 0.84, 0.24, 0.18, 0.20},
                                       {1.06, 0.12, 0.86, 0.07, 0.07, 0.24},
                                       {0.98, 0.10, 1.66, 0.38, 0.38, 0.16}};

static wkResult furnish(wkRobotScene* scene)
{
    wkShape shapes[BOXES];
    wkPose poses[BOXES];
    for (int i = 0; i < BOXES; i++) {
        shapes[i] = wkMakeBox(boxes[i][3], boxes[i][4], boxes[i][5]);
        poses[i] = wkMakePose(boxes[i][0], boxes[i][1], boxes[i][2]);
    }
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.name = "room";
    def.shapes = shapes;
    def.poses = poses;
    def.shapeCount = BOXES;
    return wkRobotScene_Add(scene, &def);
}

static int nearest(const wkRobot* robot, const tree* t, const double* q)
{
    int best = 0;
    for (int i = 1; i < t->count; i++) {
        bool isNearer = wkRobot_ConfigurationDistance(robot, t->nodes[i], q) <
                        wkRobot_ConfigurationDistance(robot, t->nodes[best], q);
        best = isNearer ? i : best;
    }
    return best;
}

// Adds branches towards random configurations, then checks motions from their ends to the other tree. Returns
// an end with a free motion, or -1.
static int grow(const wkBatch* batch, const wkRobot* robot, tree* t, tree* other, uint64_t* seed)
{
    double from[TRIES][N], to[TRIES][N];
    int near[TRIES], first = t->count, end = -1;
    wkBatchMotionResult results[TRIES];
    for (int i = 0; i < TRIES; i++) {
        wkRobot_RandomConfiguration(robot, seed, to[i]);
        memcpy(to[i], t->nodes[0], 3 * sizeof(double)); // torso and head stay
        near[i] = nearest(robot, t, to[i]);
        memcpy(from[i], t->nodes[near[i]], sizeof from[i]);
        wkRobot_Interpolate(robot, from[i], to[i], 0.5, to[i]); // half of the way
    }
    wkBatch_CheckMotions(batch, NULL, from[0], to[0], TRIES, NULL, results);
    for (int i = 0; i < TRIES; i++) {
        memcpy(t->nodes[t->count], to[i], sizeof to[i]);
        t->parents[t->count] = near[i];
        t->lengths[t->count] = t->lengths[near[i]] + 1;
        t->count += results[i].verdict == wk_verdictFree ? 1 : 0;
    }
    for (int i = first; i < t->count; i++) {
        memcpy(to[i - first], other->nodes[nearest(robot, other, t->nodes[i])], sizeof to[0]);
    }
    wkBatch_CheckMotions(batch, NULL, t->nodes[first], to[0], t->count - first, NULL, results);
    for (int i = first; i < t->count; i++) {
        end = results[i - first].verdict == wk_verdictFree ? i : end;
    }
    return end;
}

int main(void)
{
    wkRobot* robot = NULL;
    wkRobotScene* scene = NULL;
    wkBatch* batch = NULL;
    wkRobotSceneDef sceneDef = wkDefaultRobotSceneDef();
    wkBatchDef def = wkDefaultBatchDef();
    uint64_t seed = 1;
    int turn = 1, end = -1;
    wkRobot_CreateBuiltIn(&robot);
    sceneDef.robot = robot;
    wkRobotScene_Create(&sceneDef, &scene);
    def.scene = scene;
    bool isReady = furnish(scene) == wk_ok && wkBatch_Create(&def, &batch) == wk_ok;
    clock_t start = clock();
    while (isReady && end < 0 && trees[0].count + trees[1].count < MOST - TRIES) {
        turn = !turn;
        end = grow(batch, robot, &trees[turn], &trees[!turn], &seed);
    }
    if (end >= 0) {
        int other = nearest(robot, &trees[!turn], trees[turn].nodes[end]);
        printf("%d motions lead there, found in %.2f ms\n",
               trees[turn].lengths[end] + 1 + trees[!turn].lengths[other],
               1e3 * (double)(clock() - start) / CLOCKS_PER_SEC);
    }
    wkBatch_Destroy(batch);
    wkRobotScene_Destroy(scene);
    wkRobot_Destroy(robot);
    return end >= 0 ? 0 : 1;
}
