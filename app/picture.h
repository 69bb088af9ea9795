// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Pictures, from the inside out: pixels (picture.c), a PNG file (picture_png.c), lettering
// (picture_font.c), what stands in a picture (stage.c), which of it a bundle of rays can meet
// (picture_cull.c), light (picture_shade.c), glass and marks (picture_overlay.c), all of it together
// (picture_render.c), legends (picture_legend.c), and the scene of ten shapes with its marks (shapes_picture.c).

#include "shapes_scene.h"
#include "whisker/scene.h"

// Light, not paint: components are linear and may exceed 1.
typedef struct wkColor {
    double r;
    double g;
    double b;
} wkColor;

typedef struct wkPicture {
    int width;
    int height;
    wkColor* pixels;    // row by row from the top; components 0 ... 1, as shown on the screen
    unsigned char* png; // the bytes of a PNG file; NULL: not made yet
    size_t pngByteCount;
} wkPicture;

// False when there is no memory for it.
bool wkPicture_Create(wkPicture* picture, int width, int height);
void wkPicture_Destroy(wkPicture* picture);

// Lays `color` over a pixel; outside the picture nothing happens.
void wkPicture_Blend(wkPicture* picture, int x, int y, wkColor color, double opacity);

// Fills in `png` unless it is there. False without memory.
bool wkPicture_EncodePng(wkPicture* picture);

// The same for many pictures at once, on threads; NULL is skipped.
bool wkEncodePictures(wkPicture* const* pictures, int count);

// False when the file cannot be written.
bool wkPicture_WritePng(wkPicture* picture, const char* path);

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

// Where a picture is drawn from: a pinhole.
typedef struct wkViewpoint {
    wkVec3d eye;
    wkVec3d forward; // unit vectors, right-handed with y down the picture
    wkVec3d right;
    wkVec3d down;
    double focal; // pixels
    double centerX;
    double centerY;
} wkViewpoint;
wkViewpoint wkMakeViewpoint(wkVec3d eye, wkVec3d target, double fieldOfView, int width, int height);
wkRay wkViewpointRay(const wkViewpoint* camera, double x, double y);
bool wkProjectPoint(const wkViewpoint* camera, wkVec3d point, double* x, double* y);

// What a surface looks like at a point; NULL: its colour everywhere.
typedef wkColor wkPaintFcn(const void* context, wkVec3d point, wkVec3d normal);

// Something to be seen. Bodies are lit and throw shadows; marks glow and shine through bodies; glass
// lets through what is behind it, and shows no seams inside where pieces of it overlap.
typedef struct wkVisible {
    wkShape shape;
    wkPose pose;
    wkColor color;
    wkPaintFcn* paint;
    const void* paintContext;
    wkVec3d middle;  // of a box around the shape, which is turned as the shape is
    wkVec3d axes[3]; // unit vectors along its edges
    wkVec3d half;    // half edges
    double reach;    // half its diagonal
    bool isBounded;  // false: there is no such box
} wkVisible;
wkVisible wkMakeVisible(wkShape shape, wkPose pose, wkColor color);

// A growing list of them. Trouble is remembered: the picture is not taken then.
typedef struct wkVisibles {
    wkVisible* items;
    int count;
    int capacity;
    bool isOutOfMemory;
} wkVisibles;

// The place it was put; NULL without memory.
wkVisible* wkVisibles_Add(wkVisibles* visibles, wkShape shape, wkPose pose, wkColor color);

#define WK_LAMP_RAYS 64

// What a picture is taken of. Start from wkMakeStage().
typedef struct wkStage {
    wkVisibles bodies;
    wkVisibles marks;
    wkVisibles glass;
    bool hasFloor;
    wkVisible floor; // a half-space
    bool hasPane;
    wkVisible pane; // a plane, of which a piece is shown as glass
    double paneHalfWidth;
    double paneHalfHeight;
    int fineSteps;                  // rays per pixel side where neighbours differ
    int lampRayCount;               // rays that look for the lamp, at most WK_LAMP_RAYS
    int skySteps;                   // places above a surface that look for others nearby
    wkVec3d lamp;                   // unit direction from anywhere to the lamp
    wkVec3d lampRays[WK_LAMP_RAYS]; // set when the picture is taken, as the next
    wkScene* scene;                 // of the bodies, each with its wkVisible in `user`
} wkStage;

// An empty one, lit from the front on the left.
wkStage wkMakeStage(void);
void wkStage_Free(wkStage* stage);

// Marks: a dot, and a line with round ends.
void wkStage_AddDot(wkStage* stage, wkVec3d point, double radius, wkColor color);
void wkStage_AddLine(wkStage* stage, wkVec3d from, wkVec3d to, double radius, wkColor color);
void wkStage_AddArrow(wkStage* stage, wkVec3d from, wkVec3d direction, double length,
                      wkColor color);

// The edges of a box as lines.
void wkStage_AddEdges(wkStage* stage, wkAabb box, wkPose pose, double radius, wkColor color);

// Light as the screen shows it.
wkColor wkScreenColor(wkColor light);

// Fills the picture, on as many threads as the machine has processors. False without memory.
bool wkRenderStage(wkStage* stage, const wkViewpoint* camera, wkPicture* picture);

// The picture of `whisker shapes`. False when there is no memory.
bool wkDrawShapes(const wkShapesScene* scene, wkPicture* picture);
