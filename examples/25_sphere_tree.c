// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Raw points against all links of a robot: spheres inside and around each link give an interval for its distance, and
// the collision bodies decide about those that the interval leaves open. Nothing is built from the points.

#include "whisker/whisker.h"

#include <stdio.h>

#define MAX_LINKS 32
#define MAX_BODIES 8
#define SIDE 201

// What a sensor sees of a wall in front of the robot: x, y and z of each point.
static float points[3 * SIDE * SIDE];

static wkCloudView seeWall(double distance)
{
    for (int i = 0; i < SIDE * SIDE; i++) {
        points[3 * i] = (float)distance;
        points[3 * i + 1] = 0.01f * (float)(i % SIDE - SIDE / 2);
        points[3 * i + 2] = 0.01f * (float)(i / SIDE);
    }
    wkCloudView view = wkDefaultCloudDef().points;
    view.data = points;
    view.count = SIDE * SIDE;
    return view;
}

// The trees of all links with collision bodies, and the bodies themselves.
typedef struct linkTrees {
    wkPlacedSphereTree placed[MAX_LINKS];
    wkSphereTreeBody bodies[MAX_LINKS][MAX_BODIES];
    wkSphereTree* trees[MAX_LINKS];
    int32_t links[MAX_LINKS];
    int32_t count;
} linkTrees;

static wkResult makeTrees(const wkRobot* robot, linkTrees* t)
{
    wkSphereTreeDef def = wkDefaultSphereTreeDef();
    def.innerCount = 100;
    for (int32_t link = 0; link < wkRobot_Info(robot).linkCount; link++) {
        wkSphereTree* tree = NULL;
        wkResult result = wkSphereTree_CreateForLink(robot, link, &def, &tree);
        if (result != wk_ok) {
            return result;
        }
        if (tree != NULL) {
            t->links[t->count] = link;
            t->trees[t->count++] = tree;
        }
    }
    return wk_ok;
}

// Puts each tree where its link is.
static void placeTrees(const wkRobot* robot, const wkRobotState* state, linkTrees* t)
{
    for (int32_t i = 0; i < t->count; i++) {
        wkLinkInfo link = wkRobot_Link(robot, t->links[i]);
        for (int32_t k = 0; k < link.bodyCount; k++) {
            wkBodyInfo body = wkRobot_Body(robot, link.firstBody + k);
            t->bodies[i][k] = (wkSphereTreeBody){body.shape, body.pose};
        }
        t->placed[i] = (wkPlacedSphereTree){
            .tree = t->trees[i],
            .pose = wkRobotState_LinkPose(state, t->links[i]),
            .bodies = t->bodies[i],
            .bodyCount = link.bodyCount,
        };
    }
}

static void report(const wkRobot* robot, linkTrees* t, const wkCloudView* view)
{
    wkSphereTreeResult spheres[MAX_LINKS], exact[MAX_LINKS];
    wkPlacedSphereTree alone[MAX_LINKS];
    for (int32_t i = 0; i < t->count; i++) {
        alone[i] = (wkPlacedSphereTree){.tree = t->trees[i], .pose = t->placed[i].pose};
    }
    wkPose world = wkIdentityPose();
    wkPlacedSphereTree_PointDistances(alone, t->count, view, world, NULL, spheres);
    wkPlacedSphereTree_PointDistances(t->placed, t->count, view, world, NULL, exact);
    for (int32_t i = 0; i < t->count; i++) {
        if (spheres[i].lower < 0.05) {
            printf("  %-18s %.3f to %6.3f m, %-10s bodies: %6.3f m, %s\n",
                   wkRobot_Link(robot, t->links[i]).name, spheres[i].lower, spheres[i].upper,
                   wkSphereVerdictName(spheres[i].verdict), exact[i].upper,
                   wkSphereVerdictName(exact[i].verdict));
        }
    }
}

int main(void)
{
    static linkTrees t;
    wkRobot* robot = NULL;
    wkRobotState* state = NULL;
    if (wkRobot_CreateBuiltIn(&robot) != wk_ok || wkRobotState_Create(robot, &state) != wk_ok ||
        makeTrees(robot, &t) != wk_ok) {
        fprintf(stderr, "%s\n", wkGetLastError());
        return 1;
    }
    placeTrees(robot, state, &t);
    for (int step = 0; step < 3; step++) {
        double distance = 1.25 - 0.03 * step;
        wkCloudView view = seeWall(distance);
        printf("wall at %.2f m\n", distance);
        report(robot, &t, &view);
    }
    for (int32_t i = 0; i < t.count; i++) {
        wkSphereTree_Destroy(t.trees[i]);
    }
    wkRobotState_Destroy(state);
    wkRobot_Destroy(robot);
    return 0;
}
