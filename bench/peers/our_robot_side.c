// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Whisker's side of the rows about robots: public functions only.

#include "peers/robot_peer.h"

#include <stdio.h>
#include <stdlib.h>

#define CONTACT_CAPACITY 4096
#define STEP 0.005 // of motions that are not certified

typedef struct ourRobotJob {
    wkPeerRobotJob job;
    wkAnswer* answers;
    wkRobotScene* scene;
    wkRobotState* state;
    wkRobotRequest request;
    wkMotionRequest motion;
    wkRobotContact* contacts;
    wkPose* links; // of one configuration
} ourRobotJob;

static void closeOurs(void* handle)
{
    ourRobotJob* ours = (ourRobotJob*)handle;
    wkRobotState_Destroy(ours->state);
    wkRobotScene_Destroy(ours->scene);
    free(ours->contacts);
    free(ours->links);
    free(ours);
}

static bool addObstacles(const ourRobotJob* ours)
{
    const wkRobotCase* made = ours->job.robotCase;
    bool isAdded = true;
    for (int i = 0; i < made->obstacleCount && isAdded; i++) {
        char name[32];
        wkRobotObjectDef def = wkDefaultRobotObjectDef();
        snprintf(name, sizeof name, "obstacle_%d", i);
        def.name = name;
        def.shapes = &made->obstacles[i];
        def.shapeCount = 1;
        def.pose = made->obstaclePoses[i];
        isAdded = wkRobotScene_Add(ours->scene, &def) == wk_ok;
    }
    return isAdded;
}

static void setRequest(ourRobotJob* ours)
{
    wkRobotTask task = ours->job.task;
    bool isPlaced = task == wk_robotFirst || task == wk_robotAll;
    ours->request = wkDefaultRobotRequest();
    ours->request.checksLimits = !isPlaced;
    ours->request.checksSelf = !isPlaced;
    ours->request.checksWorld = task != wk_robotSelf;
    if (task == wk_robotAll) {
        ours->request.contacts = ours->contacts;
        ours->request.contactCapacity = CONTACT_CAPACITY;
    }
    ours->motion = wkDefaultMotionRequest();
    ours->motion.isCertified = task != wk_robotSteps;
    ours->motion.step = STEP;
}

static void* openOurs(const wkPeerRobotJob* job, wkAnswer* answers)
{
    ourRobotJob* ours = (ourRobotJob*)calloc(1, sizeof *ours);
    if (ours == NULL) {
        return NULL;
    }
    const wkRobotCase* made = job->robotCase;
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.robot = made->robot;
    def.allowed = made->allowed;
    ours->job = *job;
    ours->answers = answers;
    ours->contacts = (wkRobotContact*)calloc(CONTACT_CAPACITY, sizeof *ours->contacts);
    ours->links = (wkPose*)calloc((size_t)made->linkCount, sizeof *ours->links);
    if (ours->contacts == NULL || ours->links == NULL ||
        wkRobotScene_Create(&def, &ours->scene) != wk_ok ||
        wkRobotState_Create(made->robot, &ours->state) != wk_ok || !addObstacles(ours)) {
        closeOurs(ours);
        return NULL;
    }
    setRequest(ours);
    return ours;
}

static const double* configuration(const double* all, const wkRobotCase* made, int i)
{
    return &all[(size_t)i * (size_t)made->variableCount];
}

// The check, with links where they were found before the clock started.
static double askPlaced(ourRobotJob* ours, int i)
{
    const wkRobotCase* made = ours->job.robotCase;
    wkRobotState_SetLinkPoses(ours->state, &made->linkPoses[(size_t)i * (size_t)made->linkCount]);
    wkRobotCheckResult result = wkRobotScene_Check(ours->scene, ours->state, &ours->request);
    return ours->job.task == wk_robotAll       ? result.contactCount
           : result.verdict == wk_verdictWorld ? 1.0
                                               : 0.0;
}

static double askConfigured(ourRobotJob* ours, int i)
{
    const wkRobotCase* made = ours->job.robotCase;
    wkRobotState_Set(ours->state, wkIdentityPose(), configuration(made->configurations, made, i));
    if (ours->job.task == wk_robotClearance) {
        return wkRobotScene_Clearance(ours->scene, ours->state, &ours->request, NULL, NULL)
            .distance;
    }
    wkRobotCheckResult result = wkRobotScene_Check(ours->scene, ours->state, &ours->request);
    return result.verdict == wk_verdictFree ? 0.0 : 1.0;
}

static double placeLinks(const ourRobotJob* ours, int i)
{
    const wkRobotCase* made = ours->job.robotCase;
    wkRobot_LinkPoses(made->robot, wkIdentityPose(), configuration(made->configurations, made, i),
                      ours->links);
    return ours->links[made->linkCount - 1].position.z;
}

static double move(ourRobotJob* ours, int i)
{
    const wkRobotCase* made = ours->job.robotCase;
    wkMotionResult result = wkRobotScene_CheckMotion(
        ours->scene, ours->state, wkIdentityPose(), configuration(made->configurations, made, i),
        configuration(made->goals, made, i), &ours->motion);
    if (ours->job.checkCounts != NULL) {
        ours->job.checkCounts[i] = (int32_t)result.checkCount;
    }
    return result.verdict;
}

static void passOurs(void* handle)
{
    ourRobotJob* ours = (ourRobotJob*)handle;
    wkRobotTask task = ours->job.task;
    for (int i = 0; i < ours->job.robotCase->count; i++) {
        ours->answers[i] = task == wk_robotFirst || task == wk_robotAll ? askPlaced(ours, i)
                           : task == wk_robotFk                         ? placeLinks(ours, i)
                           : task >= wk_robotMotion                     ? move(ours, i)
                                                                        : askConfigured(ours, i);
    }
}

const wkRobotPeer wkOurRobotSide = {"whisker", NULL, openOurs, passOurs, closeOurs};
