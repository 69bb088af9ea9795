// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What a ray of the camera sees, and how bright it is.

#include "picture_cull.h"

// Values of wkPictureRay.index beside the places of bodies.
#define WK_SIGHT_NONE (-1)  // the backdrop
#define WK_SIGHT_FLOOR (-2) // the floor

typedef struct wkPictureRay {
    double distance;
    wkVec3d point;
    wkVec3d normal;
    int index; // place in wkStage.bodies
} wkPictureRay;

// Shares of the light that reach a point: 0 ... 1.
typedef struct wkLight {
    float lamp;
    float sky;
} wkLight;

// Sets the directions in which the lamp is looked for.
void wkAimLamp(wkStage* stage);

// Colour of what lies behind everything.
wkColor wkBackdrop(wkVec3d direction);

// Nearest body on a ray of unit direction, of those that are nearby.
wkPictureRay wkFindBody(const wkStage* stage, const wkNearby* nearby, wkRay ray);

// Bodies that may be between the lamp and points within a distance of another.
void wkGatherBlockers(const wkStage* stage, wkVec3d center, double radius, wkNearby* blockers);

// Share of the lamp that is seen from a point.
// @param guess 0 or 1: what points around see, which one ray confirms; negative: not known
double wkLampShare(const wkStage* stage, const wkPictureRay* sight, wkNearby* blockers,
                   double guess);

// Bodies that may hide the sky from points within a distance of another.
void wkGatherCovers(const wkStage* stage, wkVec3d center, double radius, wkNearby* covers);

// Share of the sky that is seen from a point.
double wkSkyShare(const wkStage* stage, const wkPictureRay* sight, const wkNearby* covers);

// Light from a body or the floor, seen along `direction`.
wkColor wkShadeBody(const wkStage* stage, const wkPictureRay* sight, wkLight light,
                    wkVec3d direction);

// The colour of a ray with what is in front of the body that it meets at a distance. `key` changes with
// what is there.
wkColor wkSeeThroughPane(const wkStage* stage, wkRay ray, double farthest, wkColor color, int* key);
wkColor wkSeeThroughGlass(const wkStage* stage, const wkNearby* nearby, wkRay ray, double farthest,
                          wkColor color, int* key);
wkColor wkOverlayMarks(const wkStage* stage, const wkNearby* nearby, wkRay ray, double bodyDistance,
                       wkColor color, int* key);
