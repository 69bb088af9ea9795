// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Balls against the pyramid of a depth map in lanes, for lane files: depth_view.h says how it is laid
// out. What is proven here is free by every method; what is not may be free all the same.
//
// Rounding: all lengths are sums and products of positive numbers after the first difference, z less
// the grown radius, whose radius is grown by more than rounding can do before. So a window is never
// smaller than the true one by more than `pixelSlack`, which is added, and by the share that `focal`
// is larger by.

#include "sense/depth_view.h"
#include "simd/simd_int.h"

// Pixels that balls can reach, and how deep they are.
typedef struct wkDepthWindowW {
    wkFloatW u, v;    // the middle
    wkFloatW margin;  // to each side
    wkFloatW deepest; // of the ball
    wkIntW isInView;  // all bits: the window is in the image, and the ball before the camera
} wkDepthWindowW;

// Windows of balls in the frame of the camera. The radius is without the padding of the map.
WK_FORCE_FN wkDepthWindowW wkDepthWindow(const wkDepthView* view, wkFloatW x, wkFloatW y,
                                         wkFloatW z, wkFloatW radius)
{
    wkFloatW zero = wkSplatF(0.0f), one = wkSplatF(1.0f), allBits = wkFloatOfBitsI(wkSplatI(-1));
    wkFloatW padded = wkAddF(radius, wkSplatF(view->padding));
    wkFloatW deepest = wkMulF(wkAddF(z, padded), wkSplatF(1.000001f));
    wkFloatW grown = wkAddF(wkMulF(padded, wkSplatF(1.000004f)),
                            wkMulF(wkMaxF(deepest, zero), wkSplatF(view->halfPixel)));
    wkFloatW room = wkSubF(z, grown);
    wkFloatW share = wkDivF(one, wkMulF(z, room));
    wkFloatW perZ = wkMulF(room, share), perRoom = wkMulF(z, share);
    wkFloatW a = wkMulF(x, perZ), b = wkMulF(y, perZ);
    wkFloatW tilt = wkAddF(wkMulF(a, a), wkMulF(b, b));
    wkFloatW longer = wkAddF(one, wkMulF(tilt, wkSplatF(0.5f))); // than sqrt(1 + tilt)
    wkFloatW size = wkMulF(wkMulF(grown, wkSplatF(view->focal)), wkMulF(longer, perRoom));
    wkFloatW u = wkAddF(wkMulF(a, wkSplatF(view->fx)), wkSplatF(view->cx));
    wkFloatW v = wkAddF(wkMulF(b, wkSplatF(view->fy)), wkSplatF(view->cy));
    wkFloatW spaceU = wkSubF(wkSplatF(view->halfU), wkAbsF(wkSubF(u, wkSplatF(view->middleU))));
    wkFloatW spaceV = wkSubF(wkSplatF(view->halfV), wkAbsF(wkSubF(v, wkSplatF(view->middleV))));
    wkDepthWindowW window = {u, v, wkAddF(size, wkSplatF(view->pixelSlack)), deepest, wkSplatI(0)};
    // NaN in u or v is in the margin too, so that it does not pass
    wkFloatW isBefore = wkKeepGreaterF(room, zero, allBits);
    window.isInView = wkBitsOfF(wkKeepGreaterF(wkMinF(spaceU, spaceV), window.margin, isBefore));
    return window;
}

// Least depths of windows; those that are not in view have any.
WK_FORCE_FN wkFloatW wkDepthEntry(const wkDepthView* view, wkFloatW u, wkFloatW v, wkFloatW margin,
                                  wkIntW isInView)
{
    // margins are 2 and 3 times a power of two: the exponent and one bit, rounded up
    wkIntW bits = wkBitsOfF(wkMaxF(margin, wkSplatF(view->leastMargin)));
    wkIntW exponent = wkSplatI(0x7f800000);
    bits = wkAddI(bits, wkSplatI(0x3fffff));
    wkFloatW perPixel = wkFloatOfBitsI(wkSubI(exponent, wkAndI(bits, exponent)));
    wkFloatW first = wkSubF(wkSplatF(view->doubleRows), wkMulF(wkSplatF(view->rowStep), perPixel));
    wkIntW row = wkTruncateF(wkAddF(wkMulF(v, perPixel), first));
    wkIntW column = wkTruncateF(wkMulF(u, perPixel));
    wkIntW isWide = wkShiftRightSignI(wkShiftLeftI(bits, 9), 31);
    wkIntW index = wkAddI(wkMulI(row, wkSplatI(view->pitch)), column);
    index = wkAddI(index, wkAndI(isWide, wkSplatI(view->wideFrom)));
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
    wkFloatW zero = wkSplatF(0.0f);
    wkFloatW left = wkMaxF(wkSubF(w->u, half), zero), right = wkAddF(w->u, half);
    wkFloatW top = wkMaxF(wkSubF(w->v, half), zero), bottom = wkAddF(w->v, half);
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
