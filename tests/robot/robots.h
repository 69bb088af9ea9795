// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Robots made by hand for tests: links "l0", "l1", ... and the joints that carry them.

#include "scenes/shapes.h"
#include "whisker/detail/counts.h"
#include "whisker/robot.h"

#include <stdio.h>

#define MADE_MAX_LINKS 160
#define MADE_MAX_BODIES 320

typedef struct madeRobot {
    char linkNames[MADE_MAX_LINKS][8];
    char jointNames[MADE_MAX_LINKS][8];
    const char* links[MADE_MAX_LINKS];
    wkJointDef joints[MADE_MAX_LINKS];
    wkBodyDef bodies[MADE_MAX_BODIES];
    wkDisabledPairDef disabled[MADE_MAX_LINKS];
    wkRobotDef def;
} madeRobot;

// A parallel loop of a host that runs tasks in reverse order: results must not depend on the order.
static inline void madeRunBackwards(wkTaskFcn* task, void* context, int32_t taskCount, void* host)
{
    (void)host;
    for (int32_t i = taskCount - 1; i >= 0; --i) {
        task(context, i);
    }
}

static inline void madeStart(madeRobot* made)
{
    made->def = wkDefaultRobotDef();
    made->def.links = made->links;
    made->def.joints = made->joints;
    made->def.bodies = made->bodies;
    made->def.disabledPairs = made->disabled;
}

// Adds a link.
// @param parent -1: the root
// @return its number
static inline int madeLink(madeRobot* made, int parent, wkJointType type, wkPose origin)
{
    int link = made->def.linkCount++;
    snprintf(made->linkNames[link], sizeof made->linkNames[link], "l%d", link);
    made->links[link] = made->linkNames[link];
    if (parent < 0) {
        return link;
    }
    wkJointDef* joint = &made->joints[made->def.jointCount++];
    *joint = wkDefaultJointDef();
    snprintf(made->jointNames[link], sizeof made->jointNames[link], "j%d", link);
    joint->name = made->jointNames[link];
    joint->type = type;
    joint->parent = made->links[parent];
    joint->child = made->links[link];
    joint->origin = origin;
    joint->lower = type == wk_jointPrismatic ? -0.2 : -2.0;
    joint->upper = type == wk_jointPrismatic ? 0.2 : 2.0;
    return link;
}

static inline void madeBody(madeRobot* made, int link, wkShape shape, wkPose pose)
{
    wkBodyDef* body = &made->bodies[made->def.bodyCount++];
    body->link = made->links[link];
    body->name = NULL;
    body->shape = shape;
    body->pose = pose;
}

static inline wkPose madeRandomPose(wkRng* rng, double size)
{
    wkPose pose = {wkScale(size * wkRngUnit(rng), wkRngDirection(rng)), wkRngRotation(rng)};
    return pose;
}

// A tree of links with shapes of all kinds, none to four on each.
static inline void madeRandomRobot(madeRobot* made, wkRng* rng, const wkShapeBank* bank,
                                   int linkCount)
{
    madeStart(made);
    for (int i = 0; i < linkCount; ++i) {
        int parent = i == 0 ? -1 : (wkRngChance(rng, 3) ? wkRngBelow(rng, i) : i - 1);
        wkJointType type = (wkJointType)wkRngBelow(rng, WK_JOINT_TYPE_COUNT);
        int link = madeLink(made, parent, type, madeRandomPose(rng, 0.5));
        int bodyCount = wkRngChance(rng, 3) ? wkRngBelow(rng, 5) : 1;
        for (int k = 0; k < bodyCount && made->def.bodyCount < MADE_MAX_BODIES; ++k) {
            wkShapeType kind = (wkShapeType)(1 + wkRngBelow(rng, WK_SCENE_TYPE_COUNT));
            wkShape shape = wkRandomShape(rng, bank, kind, 0.2);
            shape.padding = wkRngChance(rng, 4) ? wkRngRange(rng, -0.1, 0.1) : shape.padding;
            madeBody(made, link, shape, madeRandomPose(rng, 0.3));
        }
    }
}
