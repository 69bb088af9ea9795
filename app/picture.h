// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Pictures, from the inside out: pixels (picture.c), PNG files (picture_png.c), lettering (picture_font.c),
// contents of a picture (stage.c), culling for a bundle of rays (picture_cull.c), light (picture_shade.c),
// glass and marks (picture_overlay.c), rendering (picture_render.c), legends (picture_legend.c), and the
// scene of ten shapes with its marks (shapes_picture.c).

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

// Returns false when out of memory.
bool wkPicture_Create(wkPicture* picture, int width, int height);
void wkPicture_Destroy(wkPicture* picture);

// Blends `color` over a pixel; ignored outside the picture.
void wkPicture_Blend(wkPicture* picture, int x, int y, wkColor color, double opacity);

// Fills in `png` unless it is set. Returns false and sets the last error when out of memory or without libpng.
bool wkPicture_EncodePng(wkPicture* picture);

// Does the same for many pictures in parallel; NULL is skipped.
bool wkEncodePictures(wkPicture* const* pictures, int count);

// Writes a file; returns false when that fails.
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

// Returns the width of the text in pixels.
double wkMeasureText(const char* text, double height);

// A pinhole camera from which a picture is drawn.
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

// Returns the colour of a surface at a point; NULL: its colour everywhere.
typedef wkColor wkPaintFcn(const void* context, wkVec3d point, wkVec3d normal);

// An object to be drawn. Bodies are lit and cast shadows; marks glow and shine through bodies; glass is
// transparent, and shows no seams inside where pieces of it overlap.
typedef struct wkVisible {
    wkShape shape;
    wkPose pose;
    wkColor color;
    wkPaintFcn* paint;
    const void* paintContext;
    wkVec3d middle;  // center of a box around the shape, rotated with the shape
    wkVec3d axes[3]; // unit vectors along its edges
    wkVec3d half;    // half edges
    double reach;    // half its diagonal
    bool isBounded;  // false: there is no such box
} wkVisible;
wkVisible wkMakeVisible(wkShape shape, wkPose pose, wkColor color);

// A growing list of objects. A failure is remembered: the picture is then not rendered.
typedef struct wkVisibles {
    wkVisible* items;
    int count;
    int capacity;
    bool isOutOfMemory;
} wkVisibles;

// Adds an object and returns it; NULL when out of memory.
wkVisible* wkVisibles_Add(wkVisibles* visibles, wkShape shape, wkPose pose, wkColor color);

#define WK_LAMP_RAYS 64

// The contents of a picture. Start from wkMakeStage().
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
    int lampRayCount;               // shadow rays to the lamp, at most WK_LAMP_RAYS
    int skySteps;                   // sample points above a surface for ambient occlusion
    wkVec3d lamp;                   // unit direction from any point to the lamp
    wkVec3d lampRays[WK_LAMP_RAYS]; // set when rendering, as the next
    wkScene* scene;                 // of the bodies, each with its wkVisible in `user`
} wkStage;

// Returns an empty stage, lit from the front left.
wkStage wkMakeStage(void);

// Returns an empty stage for the pictures of a report, which take less time: lit from the front right, with few rays.
wkStage wkMakeReportStage(void);
void wkStage_Free(wkStage* stage);

// Add marks: a dot, and a line with round ends.
void wkStage_AddDot(wkStage* stage, wkVec3d point, double radius, wkColor color);
void wkStage_AddLine(wkStage* stage, wkVec3d from, wkVec3d to, double radius, wkColor color);
void wkStage_AddArrow(wkStage* stage, wkVec3d from, wkVec3d direction, double length,
                      wkColor color);

// Adds the edges of a box as lines.
void wkStage_AddEdges(wkStage* stage, wkAabb box, wkPose pose, double radius, wkColor color);

// Adds a floor at a height.
void wkStage_AddFloor(wkStage* stage, double height);

// Converts light to a screen colour.
wkColor wkScreenColor(wkColor light);

// Renders the picture on all processors. Returns false when out of memory.
bool wkRenderStage(wkStage* stage, const wkViewpoint* camera, wkPicture* picture);

// Draws the picture of `whisker shapes`. Returns false when out of memory.
bool wkDrawShapes(const wkShapesScene* scene, wkPicture* picture);
