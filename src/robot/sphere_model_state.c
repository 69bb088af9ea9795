// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Balls of a robot that is in a state.

#include "robot/sphere_model.h"
#include "robot/state.h"

#include "math/frame.h"

void wkSphereModel_PlaceState(const wkSphereModel* model, const wkRobotState* state, wkBall* balls)
{
    bool isSound =
        model != NULL && state != NULL && balls != NULL && state->robot == model->info.robot;
    for (int32_t i = 0; isSound && i < model->info.robot->info.linkCount; ++i) {
        const wkLinkBalls* link = &model->links[i];
        wkFrame frame = wkFrameFromPose(wkStateLink(state, i));
        for (int32_t k = link->first; k < link->first + link->count; ++k) {
            balls[k] = model->balls[k].ball;
            balls[k].center = wkFramePoint(&frame, balls[k].center);
        }
    }
}
