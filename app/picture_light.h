// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Visibility and shading of a camera ray.

#include "picture_cull.h"

// Values of wkPictureRay.index beside indices of bodies.
#define WK_SIGHT_NONE (-1)  // the backdrop
#define WK_SIGHT_FLOOR (-2) // the floor

typedef struct wkPictureRay {
    double distance;
    wkVec3d point;
    wkVec3d normal;
    int index; // index in wkStage.bodies
} wkPictureRay;

// Shares of light that reach a point: 0 ... 1.
typedef struct wkLight {
    float lamp;
    float sky;
} wkLight;

// Sets the directions of shadow rays.
void wkAimLamp(wkStage* stage);

// Returns the colour of the background.
wkColor wkBackdrop(wkVec3d direction);

// Finds the nearest body on a ray of unit direction, among those gathered.
wkPictureRay wkFindBody(const wkStage* stage, const wkNearby* nearby, wkRay ray);

// Gathers bodies that may be between the lamp and points within `radius` of `center`.
void wkGatherBlockers(const wkStage* stage, wkVec3d center, double radius, wkNearby* blockers);

// Returns the share of the lamp that is visible from a point.
// @param guess 0 or 1: the value of neighbours, which one ray confirms; negative: unknown
double wkLampShare(const wkStage* stage, const wkPictureRay* sight, wkNearby* blockers,
                   double guess);

// Gathers bodies that may hide the sky from points within `radius` of `center`.
void wkGatherCovers(const wkStage* stage, wkVec3d center, double radius, wkNearby* covers);

// Returns the share of the sky that is visible from a point.
double wkSkyShare(const wkStage* stage, const wkPictureRay* sight, const wkNearby* covers);

// Returns the light from a body or the floor along `direction`.
wkColor wkShadeBody(const wkStage* stage, const wkPictureRay* sight, wkLight light,
                    wkVec3d direction);

// Return the colour of a ray after the objects in front of the body that it meets. `key` changes with these
// objects.
wkColor wkSeeThroughPane(const wkStage* stage, wkRay ray, double farthest, wkColor color, int* key);
wkColor wkSeeThroughGlass(const wkStage* stage, const wkNearby* nearby, wkRay ray, double farthest,
                          wkColor color, int* key);
wkColor wkOverlayMarks(const wkStage* stage, const wkNearby* nearby, wkRay ray, double bodyDistance,
                       wkColor color, int* key);
