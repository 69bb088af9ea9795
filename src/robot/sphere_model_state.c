// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Positions of the spheres of a robot in a state.

#include "robot/sphere_model_impl.h"
#include "robot/state.h"

#include "math/frame.h"

void wkSphereModel_PlaceState(const wkSphereModel* model, const wkRobotState* state,
                              wkSphere3d* spheres)
{
    bool isValid =
        model != NULL && state != NULL && spheres != NULL && state->robot == model->info.robot;
    for (int32_t i = 0; isValid && i < model->info.robot->info.linkCount; ++i) {
        const wkLinkSpheres* link = &model->links[i];
        wkFrame frame = wkFrameFromPose(wkStateLink(state, i));
        for (int32_t k = link->first; k < link->first + link->count; ++k) {
            spheres[k] = model->spheres[k].sphere;
            spheres[k].center = wkFramePoint(&frame, spheres[k].center);
        }
    }
}
