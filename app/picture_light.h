// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a ray of the camera sees, and how bright it is.

#include "picture.h"

// Values of wkSight.index beside the places of bodies.
#define WK_SIGHT_NONE (-1)  // the backdrop
#define WK_SIGHT_FLOOR (-2) // the floor

typedef struct wkSight {
    double distance;
    wkVec3d point;
    wkVec3d normal;
    int index; // place in wkStage.bodies
} wkSight;

// Sets the directions in which the lamp is looked for.
void wkAimLamp(wkStage* stage);

// Colour of what lies behind everything.
wkColor wkBackdrop(wkVec3d direction);

// False when a ray, or a cone whose radius grows by `spread` per metre, cannot meet the visible.
bool wkMeetsBall(const wkVisible* visible, wkVec3d origin, wkVec3d direction, double spread);

// Nearest body on a ray of unit direction.
wkSight wkFindBody(const wkStage* stage, wkRay ray);

// Light from a body or the floor, seen along `direction`.
wkColor wkShadeBody(const wkStage* stage, const wkSight* sight, wkVec3d direction);
