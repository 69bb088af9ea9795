// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Pictures, from the inside out: pixels (picture.c), a PNG file (picture_png.c), lettering
// (picture_font.c), light (picture_shade.c) and the demo's scene with its marks (picture_draw.c).

#include "demo_scene.h"

// Light, not paint: components are linear and may exceed 1.
typedef struct wkColor {
    double r;
    double g;
    double b;
} wkColor;

typedef struct wkPicture {
    int width;
    int height;
    wkColor* pixels; // row by row from the top; components 0 ... 1, as shown on the screen
} wkPicture;

// False when there is no memory for it.
bool wkPicture_Create(wkPicture* picture, int width, int height);
void wkPicture_Destroy(wkPicture* picture);

// Lays `color` over a pixel; outside the picture nothing happens.
void wkPicture_Blend(wkPicture* picture, int x, int y, wkColor color, double opacity);

// False when the file cannot be written.
bool wkPicture_WritePng(const wkPicture* picture, const char* path);

// Text with its first baseline point at (x, y) in pixels; `height` is that of a capital or digit.
typedef struct wkLettering {
    double height;
    wkColor color;
    wkColor halo; // a glow that keeps the text readable on any ground
    double haloOpacity;
} wkLettering;
void wkPicture_Write(wkPicture* picture, double x, double y, const char* text,
                     const wkLettering* lettering);

// Width of the text in pixels.
double wkMeasureText(const char* text, double height);

// A pinhole camera.
typedef struct wkCamera {
    wkVec3d eye;
    wkVec3d forward; // unit vectors, right-handed with y down the picture
    wkVec3d right;
    wkVec3d down;
    double focal; // pixels
    double centerX;
    double centerY;
} wkCamera;
wkCamera wkMakeCamera(wkVec3d eye, wkVec3d target, double fieldOfView, int width, int height);
wkRay wkCameraRay(const wkCamera* camera, double x, double y);
bool wkProjectPoint(const wkCamera* camera, wkVec3d point, double* x, double* y);

// Something to be seen. Bodies are lit and throw shadows; marks glow and shine through bodies.
typedef struct wkVisible {
    wkShape shape;
    wkPose pose;
    wkColor color;
    wkVec3d ballCenter; // a ball around it, to skip what a ray cannot meet
    double ballRadius;
} wkVisible;
wkVisible wkMakeVisible(wkShape shape, wkPose pose, wkColor color);

#define WK_STAGE_BODIES 16
#define WK_STAGE_MARKS 128
#define WK_LAMP_RAYS 64

// What a picture is taken of.
typedef struct wkStage {
    wkVisible bodies[WK_STAGE_BODIES];
    int bodyCount;
    wkVisible marks[WK_STAGE_MARKS];
    int markCount;
    wkVisible floor; // the half-space
    wkVisible pane;  // the plane, of which a piece is shown as glass
    double paneHalfWidth;
    double paneHalfHeight;
    wkVec3d lampRays[WK_LAMP_RAYS]; // set by wkAimLamp
} wkStage;

// Fills the picture, on as many threads as the machine has processors. False without memory.
bool wkRenderStage(wkStage* stage, const wkCamera* camera, wkPicture* picture);

// The picture of `whisker demo`. False when there is no memory.
bool wkDrawDemo(const wkDemoScene* scene, wkPicture* picture);
