// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Balls against the pyramid of a depth map in lanes, for lane files: depth_view.h says how it is laid
// out. What is proven here is free by every method; what is not may be free all the same.
//
// Rounding: but for one, all differences are of places, which `pixelSlack` is for. That one is z less
// the grown radius, and the radius is grown by more than rounding can do before. All else are sums and
// products of positive numbers, and `focal` is larger by what those may be too small.

#include "sense/depth_view.h"
#include "simd/simd_int.h"

// Pixels that balls can reach, and how deep they are.
typedef struct wkDepthWindowW {
    wkFloatW u, v;    // the middle, counted from that of the image
    wkFloatW margin;  // to each side
    wkFloatW deepest; // of the ball
    wkIntW isInView;  // all bits: the window is in the image, and the ball before the camera
} wkDepthWindowW;

// Windows of balls in the frame of the camera. The radius is without the padding of the map.
WK_FORCE_FN wkDepthWindowW wkDepthWindow(const wkDepthView* view, wkFloatW x, wkFloatW y,
                                         wkFloatW z, wkFloatW radius)
{
    wkFloatW padded = wkAddF(radius, wkSplatF(view->padding));
    wkFloatW deepest = wkAddF(z, padded);
    wkFloatW grown = wkAddF(padded, wkMulF(deepest, wkSplatF(view->halfPixel)));
    wkFloatW room = wkSubF(z, grown);
    wkFloatW share = wkDivF(wkSplatF(1.0f), wkMulF(z, room));
    wkFloatW perZ = wkMulF(room, share), perRoom = wkMulF(z, share);
    wkFloatW a = wkMulF(x, perZ), b = wkMulF(y, perZ);
    // 1 + (a a + b b) / 2 is above the root of 1 + a a + b b
    wkFloatW tilt = wkAddF(wkMulF(a, a), wkMulF(b, b));
    wkFloatW focal = wkAddF(wkMulF(tilt, wkSplatF(view->halfFocal)), wkSplatF(view->focal));
    wkFloatW size = wkMulF(wkMulF(grown, perRoom), focal);
    wkFloatW u = wkAddF(wkMulF(a, wkSplatF(view->fx)), wkSplatF(view->offsetU));
    wkFloatW v = wkAddF(wkMulF(b, wkSplatF(view->fy)), wkSplatF(view->offsetV));
    wkFloatW space =
        wkMinF(wkSubF(wkSplatF(view->halfU), wkAbsF(u)), wkSubF(wkSplatF(view->halfV), wkAbsF(v)));
    wkFloatW margin = wkAddF(size, wkSplatF(view->pixelSlack));
    // NaN in u or v is in the margin too, so that it does not pass
    wkFloatW isBefore = wkKeepGreaterF(room, wkSplatF(0.0f), wkFloatOfBitsI(wkSplatI(-1)));
    wkIntW isInView = wkBitsOfF(wkKeepGreaterF(space, margin, isBefore));
    wkDepthWindowW window = {u, v, margin, deepest, isInView};
    return window;
}

// Least depths of windows; those that are not in view have any.
WK_FORCE_FN wkFloatW wkDepthEntry(const wkDepthView* view, wkFloatW u, wkFloatW v, wkFloatW margin,
                                  wkIntW isInView)
{
    // margins are 2 and 3 times a power of two: the exponent and one bit, rounded up
    wkIntW exponent = wkSplatI(0x7f800000);
    wkIntW bits = wkBitsOfF(wkMaxF(margin, wkSplatF(view->leastMargin)));
    bits = wkAndI(wkAddI(bits, wkSplatI(0x3fffff)), wkSplatI(0x7fc00000));
    wkFloatW perPixel = wkFloatOfBitsI(wkSubI(exponent, wkAndI(bits, exponent)));
    // perPixel times the margin is 2 or 3, which is for the place of the wide ones
    wkFloatW down = wkMulF(wkFloatOfBitsI(bits), wkSplatF(view->doubleRows));
    wkFloatW at = wkAddF(wkAddF(v, wkSplatF(view->rowMiddle)), down);
    wkIntW row = wkTruncateF(wkSubF(wkMulF(at, perPixel), wkSplatF(view->doubleRows)));
    wkIntW column = wkTruncateF(wkMulF(wkAddF(u, wkSplatF(view->middleU)), perPixel));
    wkIntW index = wkAddI(wkMulI(row, wkSplatI(view->pitch)), column);
    return wkGatherF(view->entries, wkAndI(index, isInView));
}

// A bit for each lane whose ball is not proven free by one look-up.
WK_FORCE_FN unsigned wkDepthUnproven(const wkDepthView* view, const wkDepthWindowW* w)
{
    wkFloatW entry = wkDepthEntry(view, w->u, w->v, w->margin, w->isInView);
    unsigned proven = wkGreaterBitsF(entry, w->deepest) & wkGreaterBitsI(wkSplatI(0), w->isInView);
    return ~proven & WK_ALL_FLOAT_LANES;
}

// The same by four look-ups for the quarters of each window, which fit more closely.
WK_FORCE_FN unsigned wkDepthUnprovenByQuarters(const wkDepthView* view, const wkDepthWindowW* w)
{
    wkFloatW half = wkMulF(w->margin, wkSplatF(0.5f));
    wkFloatW margin = wkAddF(half, wkSplatF(view->pixelSlack));
    // a little within the image: the least margin reaches beyond its edge from there
    wkFloatW inner = wkSplatF(0.125f * view->leastMargin);
    wkFloatW left = wkMaxF(wkSubF(w->u, half), wkSubF(inner, wkSplatF(view->halfU)));
    wkFloatW top = wkMaxF(wkSubF(w->v, half), wkSubF(inner, wkSplatF(view->halfV)));
    wkFloatW right = wkAddF(w->u, half), bottom = wkAddF(w->v, half);
    wkFloatW upper = wkMinF(wkDepthEntry(view, left, top, margin, w->isInView),
                            wkDepthEntry(view, right, top, margin, w->isInView));
    wkFloatW lower = wkMinF(wkDepthEntry(view, left, bottom, margin, w->isInView),
                            wkDepthEntry(view, right, bottom, margin, w->isInView));
    unsigned proven =
        wkGreaterBitsF(wkMinF(upper, lower), w->deepest) & wkGreaterBitsI(wkSplatI(0), w->isInView);
    return ~proven & WK_ALL_FLOAT_LANES;
}

// A bit for each lane whose ball is not proven free by one look-up, nor by four more.
WK_FORCE_FN unsigned wkDepthBallsMaybe(const wkDepthView* view, wkFloatW x, wkFloatW y, wkFloatW z,
                                       wkFloatW radius)
{
    wkDepthWindowW window = wkDepthWindow(view, x, y, z, radius);
    unsigned maybe = wkDepthUnproven(view, &window);
    return maybe != 0 ? maybe & wkDepthUnprovenByQuarters(view, &window) : 0;
}
