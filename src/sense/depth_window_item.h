// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Proofs by look-ups in the pyramid of a depth map, for one sphere: what depth_kernel.h does in lanes, by the same
// operations in the same order, so that its bounds on rounding hold here too. Nothing may be fused. Code of this header is C,
// C++ and CUDA.

#include "math/frame.h"
#include "math/round.h"
#include "sense/depth_view.h"
#include "sense/short_depth.h"

// Rounding of the transform into the frame of a camera, as a share of the lengths that are added up: twice the bound.
#define WK_CAMERA_ROUNDING 0x1p-19f

// Transform from the world to a camera in single precision.
typedef struct wkWorldCamera {
    float rows[3][3];
    float origin[3]; // of the world, in the frame of the camera
    float reach;     // sum of the coordinates of the camera
} wkWorldCamera;

WK_FN wkWorldCamera wkMakeWorldCamera(const wkFrame* frame)
{
    const wkVec3d axes[3] = {frame->rotation.x, frame->rotation.y, frame->rotation.z};
    wkVec3d at = frame->position;
    wkWorldCamera camera;
    for (int k = 0; k < 3; ++k) {
        camera.rows[k][0] = (float)axes[k].x;
        camera.rows[k][1] = (float)axes[k].y;
        camera.rows[k][2] = (float)axes[k].z;
        camera.origin[k] = (float)-wkDot(axes[k], at);
    }
    camera.reach = wkRoundUp(fabs(at.x) + fabs(at.y) + fabs(at.z));
    return camera;
}

// A sphere in the frame of a camera, in single precision, around the exact one.
typedef struct wkViewSphere {
    float x, y, z, radius;
} wkViewSphere;

WK_FN float wkAlongRow(const wkWorldCamera* camera, int row, wkViewSphere s)
{
    return camera->rows[row][0] * s.x + camera->rows[row][1] * s.y + camera->rows[row][2] * s.z +
           camera->origin[row];
}

// Transforms a sphere of the world. A negative radius becomes NaN, which proves nothing.
WK_FN wkViewSphere wkToCamera(const wkWorldCamera* camera, wkViewSphere s)
{
    float slack = WK_CAMERA_ROUNDING * ((fabsf(s.x) + fabsf(s.y)) + (fabsf(s.z) + camera->reach));
    wkViewSphere inCamera = {wkAlongRow(camera, 0, s), wkAlongRow(camera, 1, s),
                             wkAlongRow(camera, 2, s), s.radius >= 0.0f ? s.radius + slack : NAN};
    return inCamera;
}

// Pixels that a sphere can reach, and its depths.
typedef struct wkDepthWindow {
    float u, v;    // center, relative to that of the image
    float margin;  // to each side
    float deepest; // of the sphere
    bool isBefore; // the grown sphere is in front of the camera: there is a window
    bool isInView; // there is a window, and it is in the image
} wkDepthWindow;

WK_FN float wkLesserF(float a, float b)
{
    return a < b ? a : b;
}

WK_FN float wkGreaterF(float a, float b)
{
    return a > b ? a : b;
}

// Computes the window of a sphere in the frame of the camera. The radius is without the padding of the map.
WK_FN wkDepthWindow wkMakeDepthWindow(const wkDepthView* view, wkViewSphere s)
{
    float padded = s.radius + view->padding;
    float deepest = s.z + padded;
    float grown = padded + deepest * view->halfPixel;
    float spare = s.z - grown;
    float share = 1.0f / (s.z * spare);
    float perZ = spare * share, perSpare = s.z * share;
    float a = s.x * perZ, b = s.y * perZ;
    // 1 + (a a + b b) / 2 is above the square root of 1 + a a + b b
    float tilt = a * a + b * b;
    float focal = tilt * view->halfFocal + view->focal;
    float size = grown * perSpare * focal;
    float u = a * view->fx + view->offsetU, v = b * view->fy + view->offsetV;
    float margin = size + view->pixelSlack;
    wkDepthWindow window = {u, v, margin, deepest, spare > 0.0f, false};
    // comparisons with NaN are false
    window.isInView =
        window.isBefore && view->halfU - fabsf(u) > margin && view->halfV - fabsf(v) > margin;
    return window;
}

// Looks up the least depth of a window in one of the tables.
WK_FN float wkWindowDepth(const wkDepthView* view, const int16_t* entries, float u, float v,
                          float margin)
{
    // margins are 2 and 3 times a power of two: the exponent and one bit, rounded up
    int32_t bits = wkBitsOfFloat(wkGreaterF(margin, view->leastMargin));
    bits = (bits + 0x3fffff) & 0x7fc00000;
    float perPixel = wkFloatOfBits(0x7f800000 - (bits & 0x7f800000));
    // perPixel times the margin is 2 or 3, which selects the rows for narrow or wide margins
    float down = wkFloatOfBits(bits) * view->doubleRows;
    int32_t row = (int32_t)((v + view->rowMiddle + down) * perPixel - view->doubleRows);
    int32_t column = (int32_t)((u + view->middleU) * perPixel);
    int16_t entry = entries[row * view->pitch + column];
    return wkFloatOfBits(entry * (1 << WK_SHORT_SHIFT) + WK_SHORT_ORIGIN - WK_SHORT_SLACK);
}

// Clamps a position so that rounding cannot move it out of the image, see depth_kernel.h.
WK_FN float wkClampToView(const wkDepthView* view, float position, float half)
{
    float inner = half - 0.125f * view->leastMargin;
    return wkGreaterF(wkLesserF(position, inner), -inner);
}

// Returns the least of four look-ups for the quarters of a window, which fit more closely.
WK_FN float wkQuartersDepth(const wkDepthView* view, const int16_t* entries, wkDepthWindow w)
{
    float half = 0.5f * w.margin, margin = half + view->pixelSlack;
    float left = wkClampToView(view, w.u - half, view->halfU);
    float right = wkClampToView(view, w.u + half, view->halfU);
    float top = wkClampToView(view, w.v - half, view->halfV);
    float bottom = wkClampToView(view, w.v + half, view->halfV);
    float upper = wkLesserF(wkWindowDepth(view, entries, left, top, margin),
                            wkWindowDepth(view, entries, right, top, margin));
    float lower = wkLesserF(wkWindowDepth(view, entries, left, bottom, margin),
                            wkWindowDepth(view, entries, right, bottom, margin));
    return wkLesserF(upper, lower);
}

// Returns whether look-ups prove a sphere free.
WK_FN bool wkIsProvenFree(const wkDepthView* view, wkViewSphere s)
{
    wkDepthWindow w = wkMakeDepthWindow(view, s);
    return w.isInView && (wkWindowDepth(view, view->entries, w.u, w.v, w.margin) > w.deepest ||
                          wkQuartersDepth(view, view->entries, w) > w.deepest);
}

// Returns how far a position is outside the view, past one of its edges.
WK_FN float wkPastEdge(wkEdgePlane edge, float across, float z)
{
    return across * edge.across + z * edge.forward;
}

// Returns whether a sphere is in no pixel's view: it is past an edge of the image or behind the camera, with its growth.
WK_FN bool wkIsProvenOutside(const wkDepthView* view, wkViewSphere s)
{
    float padded = s.radius + view->padding;
    float deepest = wkGreaterF(s.z + padded, 0.0f);
    float grown = padded + deepest * view->halfPixel;
    float lengths = (fabsf(s.x) + fabsf(s.y)) + (fabsf(s.z) + grown);
    float reach = grown + lengths * WK_LANE_ROUNDING;
    float sideways =
        wkGreaterF(wkPastEdge(view->left, s.x, s.z), wkPastEdge(view->right, s.x, s.z));
    float upright = wkGreaterF(wkPastEdge(view->top, s.y, s.z), wkPastEdge(view->bottom, s.y, s.z));
    return wkGreaterF(wkGreaterF(sideways, upright), -s.z) > reach;
}

// Returns whether look-ups prove that a sphere neither hits a surface nor is behind one: it is free or unobserved.
// @param nearestSurface `nearestSurface` of the view
WK_FN bool wkIsProvenClear(const wkDepthView* view, float nearestSurface, wkViewSphere s)
{
    const int16_t* entries = view->entries + view->surfaceOffset;
    wkDepthWindow w = wkMakeDepthWindow(view, s);
    if (nearestSurface > w.deepest) {
        return true;
    }
    if (!(w.isBefore && view->mostMargin > w.margin)) {
        return false;
    }
    float u = wkClampToView(view, w.u, view->halfU), v = wkClampToView(view, w.v, view->halfV);
    return wkWindowDepth(view, entries, u, v, w.margin) > w.deepest ||
           wkQuartersDepth(view, entries, w) > w.deepest;
}
