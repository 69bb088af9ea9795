// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// SIMD checks of spheres against the pyramid of a depth map, for SIMD files: depth_view.h describes its
// layout. A sphere that is proven free here is free by every method; others may be free all the same.
//
// Rounding: all differences but one are of positions, which `pixelSlack` covers. The other one is z less
// the grown radius, and the radius is grown by more than the rounding before. All other operations are sums
// and products of positive numbers, and `focal` is larger by their rounding.

#include "sense/depth_view.h"
#include "sense/short_depth.h"
#include "simd/simd_int.h"

// Pixels that spheres can reach, and the depths of the spheres.
typedef struct wkDepthWindowW {
    wkFloatW u, v;    // center, relative to that of the image
    wkFloatW margin;  // to each side
    wkFloatW deepest; // of the sphere
    wkFloatW spare;   // between the camera and the grown sphere; 0 or less: there is no window
    wkIntW isInView;  // all bits: there is a window, and it is in the image
} wkDepthWindowW;

// Computes the windows of spheres in the frame of the camera. The radius is without the padding of the map.
WK_FORCE_FN wkDepthWindowW wkDepthWindow(const wkDepthView* view, wkFloatW x, wkFloatW y,
                                         wkFloatW z, wkFloatW radius)
{
    wkFloatW padded = wkAddF(radius, wkSplatF(view->padding));
    wkFloatW deepest = wkAddF(z, padded);
    wkFloatW grown = wkAddF(padded, wkMulF(deepest, wkSplatF(view->halfPixel)));
    wkFloatW spare = wkSubF(z, grown);
    wkFloatW share = wkDivF(wkSplatF(1.0f), wkMulF(z, spare));
    wkFloatW perZ = wkMulF(spare, share), perScratch = wkMulF(z, share);
    wkFloatW a = wkMulF(x, perZ), b = wkMulF(y, perZ);
    // 1 + (a a + b b) / 2 is above the square root of 1 + a a + b b
    wkFloatW tilt = wkAddF(wkMulF(a, a), wkMulF(b, b));
    wkFloatW focal = wkAddF(wkMulF(tilt, wkSplatF(view->halfFocal)), wkSplatF(view->focal));
    wkFloatW size = wkMulF(wkMulF(grown, perScratch), focal);
    wkFloatW u = wkAddF(wkMulF(a, wkSplatF(view->fx)), wkSplatF(view->offsetU));
    wkFloatW v = wkAddF(wkMulF(b, wkSplatF(view->fy)), wkSplatF(view->offsetV));
    wkFloatW space =
        wkMinF(wkSubF(wkSplatF(view->halfU), wkAbsF(u)), wkSubF(wkSplatF(view->halfV), wkAbsF(v)));
    wkFloatW margin = wkAddF(size, wkSplatF(view->pixelSlack));
    // NaN in u or v makes the margin NaN too, which fails the comparison
    wkFloatW isBefore = wkKeepGreaterF(spare, wkSplatF(0.0f), wkFloatOfBitsI(wkSplatI(-1)));
    wkIntW isInView = wkBitsOfF(wkKeepGreaterF(space, margin, isBefore));
    wkDepthWindowW window = {u, v, margin, deepest, spare, isInView};
    return window;
}

// Looks up least depths of windows in one of the tables; any depth unless `isAsked` has all bits.
WK_FORCE_FN wkFloatW wkDepthEntry(const wkDepthView* view, const int16_t* entries, wkFloatW u,
                                  wkFloatW v, wkFloatW margin, wkIntW isAsked)
{
    // margins are 2 and 3 times a power of two: the exponent and one bit, rounded up
    wkIntW exponent = wkSplatI(0x7f800000);
    wkIntW bits = wkBitsOfF(wkMaxF(margin, wkSplatF(view->leastMargin)));
    bits = wkAndI(wkAddI(bits, wkSplatI(0x3fffff)), wkSplatI(0x7fc00000));
    wkFloatW perPixel = wkFloatOfBitsI(wkSubI(exponent, wkAndI(bits, exponent)));
    // perPixel times the margin is 2 or 3, which selects the rows for narrow or wide margins
    wkFloatW down = wkMulF(wkFloatOfBitsI(bits), wkSplatF(view->doubleRows));
    wkFloatW at = wkAddF(wkAddF(v, wkSplatF(view->rowMiddle)), down);
    wkIntW row = wkTruncateF(wkSubF(wkMulF(at, perPixel), wkSplatF(view->doubleRows)));
    wkIntW column = wkTruncateF(wkMulF(wkAddF(u, wkSplatF(view->middleU)), perPixel));
    wkIntW index = wkAddI(wkMulI(row, wkSplatI(view->pitch)), column);
    // short depths back to floats, less what the lower half of a lane can add, and the slack
    wkIntW high = wkGatherHighI(entries, wkAndI(index, isAsked));
    wkIntW least = wkSplatI(WK_SHORT_ORIGIN - (1 << WK_SHORT_SHIFT) - WK_SHORT_SLACK);
    return wkFloatOfBitsI(wkAddI(wkShiftRightSignI(high, 16 - WK_SHORT_SHIFT), least));
}

// Returns a bit for each lane whose sphere is not proven free by one look-up.
WK_FORCE_FN unsigned wkDepthUnproven(const wkDepthView* view, const wkDepthWindowW* w)
{
    wkFloatW entry = wkDepthEntry(view, view->entries, w->u, w->v, w->margin, w->isInView);
    unsigned proven = wkGreaterBitsF(entry, w->deepest) & wkGreaterBitsI(wkSplatI(0), w->isInView);
    return ~proven & WK_ALL_FLOAT_LANES;
}

// Clamps positions so that rounding cannot move them out of the image. The least margin reaches beyond its
// edges from there, so that a window whose center is clamped keeps all its pixels.
WK_FORCE_FN wkFloatW wkDepthWithin(const wkDepthView* view, wkFloatW position, float half)
{
    float inner = half - 0.125f * view->leastMargin;
    return wkMaxF(wkMinF(position, wkSplatF(inner)), wkSplatF(-inner));
}

// Returns the least of four look-ups for the quarters of each window, which fit more closely.
WK_FORCE_FN wkFloatW wkDepthOfQuarters(const wkDepthView* view, const int16_t* entries,
                                       const wkDepthWindowW* w, wkIntW isAsked)
{
    wkFloatW half = wkMulF(w->margin, wkSplatF(0.5f));
    wkFloatW margin = wkAddF(half, wkSplatF(view->pixelSlack));
    wkFloatW left = wkDepthWithin(view, wkSubF(w->u, half), view->halfU);
    wkFloatW right = wkDepthWithin(view, wkAddF(w->u, half), view->halfU);
    wkFloatW top = wkDepthWithin(view, wkSubF(w->v, half), view->halfV);
    wkFloatW bottom = wkDepthWithin(view, wkAddF(w->v, half), view->halfV);
    wkFloatW upper = wkMinF(wkDepthEntry(view, entries, left, top, margin, isAsked),
                            wkDepthEntry(view, entries, right, top, margin, isAsked));
    wkFloatW lower = wkMinF(wkDepthEntry(view, entries, left, bottom, margin, isAsked),
                            wkDepthEntry(view, entries, right, bottom, margin, isAsked));
    return wkMinF(upper, lower);
}

// Returns a bit for each lane whose sphere is not proven free by these.
WK_FORCE_FN unsigned wkDepthUnprovenByQuarters(const wkDepthView* view, const wkDepthWindowW* w)
{
    wkFloatW entry = wkDepthOfQuarters(view, view->entries, w, w->isInView);
    unsigned proven = wkGreaterBitsF(entry, w->deepest) & wkGreaterBitsI(wkSplatI(0), w->isInView);
    return ~proven & WK_ALL_FLOAT_LANES;
}

// Returns a bit for each lane whose sphere is not proven free by one look-up, nor by four more.
WK_FORCE_FN unsigned wkDepthSpheresMaybe(const wkDepthView* view, wkFloatW x, wkFloatW y,
                                         wkFloatW z, wkFloatW radius)
{
    wkDepthWindowW window = wkDepthWindow(view, x, y, z, radius);
    unsigned maybe = wkDepthUnproven(view, &window);
    return maybe != 0 ? maybe & wkDepthUnprovenByQuarters(view, &window) : 0;
}

// Returns how far positions are outside the view, past one of its edges.
WK_FORCE_FN wkFloatW wkDepthPastEdge(wkEdgePlane edge, wkFloatW across, wkFloatW z)
{
    return wkAddF(wkMulF(across, wkSplatF(edge.across)), wkMulF(z, wkSplatF(edge.forward)));
}

// Returns a bit for each lane whose sphere is in no pixel's view: it is past an edge of the image or behind
// the camera, with its growth. The rounding of positions, planes and sums is relative to the coordinates and
// is less than the additional distance that is required.
WK_FORCE_FN unsigned wkDepthSpheresOutside(const wkDepthView* view, wkFloatW x, wkFloatW y,
                                           wkFloatW z, wkFloatW radius)
{
    wkFloatW padded = wkAddF(radius, wkSplatF(view->padding));
    wkFloatW deepest = wkMaxF(wkAddF(z, padded), wkSplatF(0.0f));
    wkFloatW grown = wkAddF(padded, wkMulF(deepest, wkSplatF(view->halfPixel)));
    wkFloatW lengths = wkAddF(wkAddF(wkAbsF(x), wkAbsF(y)), wkAddF(wkAbsF(z), grown));
    wkFloatW reach = wkAddF(grown, wkMulF(lengths, wkSplatF(WK_LANE_ROUNDING)));
    wkFloatW sideways =
        wkMaxF(wkDepthPastEdge(view->left, x, z), wkDepthPastEdge(view->right, x, z));
    wkFloatW upright =
        wkMaxF(wkDepthPastEdge(view->top, y, z), wkDepthPastEdge(view->bottom, y, z));
    wkFloatW behind = wkSubF(wkSplatF(0.0f), z);
    return wkGreaterBitsF(wkMaxF(wkMaxF(sideways, upright), behind), reach);
}

// Returns a bit for each lane whose sphere may hit an observed surface, or be partly behind one: all that are
// not free, except spheres that are known only to be partly unobserved.
WK_FORCE_FN unsigned wkDepthSpheresTouch(const wkDepthView* view, wkFloatW x, wkFloatW y,
                                         wkFloatW z, wkFloatW radius)
{
    const int16_t* entries = view->entries + view->surfaceOffset;
    unsigned clear = wkDepthSpheresOutside(view, x, y, z, radius);
    if (clear == WK_ALL_FLOAT_LANES) {
        return 0;
    }
    wkDepthWindowW w = wkDepthWindow(view, x, y, z, radius);
    clear |= wkGreaterBitsF(wkSplatF(view->nearestSurface), w.deepest);
    wkFloatW hasCapacity = wkKeepGreaterF(w.spare, wkSplatF(0.0f), wkFloatOfBitsI(wkSplatI(-1)));
    wkIntW isAsked = wkBitsOfF(wkKeepGreaterF(wkSplatF(view->mostMargin), w.margin, hasCapacity));
    unsigned asked = wkGreaterBitsI(wkSplatI(0), isAsked) & ~clear;
    if (asked != 0) {
        wkFloatW u = wkDepthWithin(view, w.u, view->halfU),
                 v = wkDepthWithin(view, w.v, view->halfV);
        clear |=
            asked & wkGreaterBitsF(wkDepthEntry(view, entries, u, v, w.margin, isAsked), w.deepest);
    }
    if ((asked & ~clear) != 0) {
        clear |= asked & wkGreaterBitsF(wkDepthOfQuarters(view, entries, &w, isAsked), w.deepest);
    }
    return ~clear & WK_ALL_FLOAT_LANES;
}
