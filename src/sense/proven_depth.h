// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the depth of a pixel proves: one pixel, or all pixels of the image that a rectified one stands for. The CPU and other
// devices compute it alike, with the same bits. Code of this header is C, C++ and CUDA.

#include "math/round.h"
#include "math/vec.h"
#include "sense/depth_image_impl.h"
#include "sense/depth_view.h"
#include "whisker/depth.h"

// Parameters for converting depths in single precision; a conversion never proves more than the depth does.
typedef struct wkDepthRecipe {
    float scale;
    float minDepth; // valid depths are above
    float maxDepth; // surfaces are nearer
    float noise, noiseSquare;
    float thickness;
} wkDepthRecipe;

// Rounding as a share of a depth: it is added to the noise.
#define WK_DEPTH_ROUNDING 0x1p-20f

// @param scale metres of a unit of the image
WK_FN wkDepthRecipe wkMakeDepthRecipe(const wkDepthMapDef* def, double scale)
{
    double least = def->minDepth * (1.0 - 1e-7);
    wkDepthRecipe recipe = {
        (float)scale,
        wkRoundDown(least),
        wkRoundDown(wkMinD(def->maxDepth, (double)WK_FARTHEST)),
        wkRoundUp(def->noise),
        wkRoundUp(def->noiseSquare),
        wkRoundUp(def->thickness),
    };
    return recipe;
}

// The free space and the surface that a depth proves.
typedef struct wkProvenDepth {
    float freeTo, surfaceEnd;
} wkProvenDepth;

// Nothing was measured.
WK_FN wkProvenDepth wkNoDepth(void)
{
    wkProvenDepth none = {0.0f, WK_NO_SURFACE};
    return none;
}

// Converts one depth with the results of the SIMD kernels; `value` is the raw value in the image.
WK_FN wkProvenDepth wkProveDepth(const wkDepthRecipe* r, float value)
{
    float depth = value * r->scale;
    if (!(depth > r->minDepth && depth < INFINITY)) {
        return wkNoDepth();
    }
    bool isNear = depth < r->maxDepth;
    depth = depth < WK_FARTHEST ? depth : WK_FARTHEST;
    float noise = r->noise + r->noiseSquare * (depth * depth) + depth * WK_DEPTH_ROUNDING;
    float freeTo = depth - noise;
    freeTo = freeTo < r->maxDepth ? freeTo : r->maxDepth;
    freeTo = freeTo > 0.0f ? freeTo : 0.0f;
    float end = depth + noise + r->thickness;
    wkProvenDepth proven = {freeTo, isNear ? end : WK_NO_SURFACE};
    return proven;
}

// Returns the raw value of a pixel of a row.
WK_FN float wkDepthValue(const wkDepthImage* image, const void* row, int32_t u)
{
    return image->type == wk_depthFloat ? wkFloatInRow(row, u) : (float)wkWordInRow(row, u);
}

// Pixels of an image that a pixel of the rectified image stands for; `right` less than `left`: it proves nothing.
typedef struct wkSourcePixels {
    int16_t left, right, top, bottom;
} wkSourcePixels;

// Returns what all pixels of a rectangle prove together: free space up to the nearest, and a surface from
// there to the end of the furthest, since a sphere may touch any of them.
WK_FN wkProvenDepth wkProveTogether(const wkDepthRecipe* recipe, const wkDepthImage* image,
                                    wkSourcePixels source)
{
    wkProvenDepth all = {WK_FARTHEST, WK_NO_SURFACE};
    for (int32_t v = source.top; v <= source.bottom; ++v) {
        const void* row = wkDepthRow(image, v);
        for (int32_t u = source.left; u <= source.right; ++u) {
            wkProvenDepth proven = wkProveDepth(recipe, wkDepthValue(image, row, u));
            if (proven.freeTo <= 0.0f && proven.surfaceEnd < 0.0f) {
                return wkNoDepth();
            }
            all.freeTo = fminf(proven.freeTo, all.freeTo);
            all.surfaceEnd = fmaxf(proven.surfaceEnd, all.surfaceEnd);
        }
    }
    return all;
}

// Returns whether larger depths always prove more free space, up to a value.
WK_FN bool wkIsGrowingDepth(const wkDepthRecipe* recipe, float value)
{
    float farthest = value * recipe->scale;
    return farthest < WK_FARTHEST && 2.0f * recipe->noiseSquare * farthest < 0.99f;
}

// Does the same as wkProveTogether, faster where larger depths prove more: the least and the largest value decide.
WK_FN wkProvenDepth wkProveSource(const wkDepthRecipe* recipe, const wkDepthImage* image,
                                  wkSourcePixels source)
{
    float least = INFINITY, largest = 0.0f;
    bool isMeasured = source.left <= source.right;
    for (int32_t v = source.top; v <= source.bottom; ++v) {
        const void* row = wkDepthRow(image, v);
        for (int32_t u = source.left; u <= source.right; ++u) {
            float value = wkDepthValue(image, row, u);
            isMeasured &= value > 0.0f; // false for NaN
            least = value < least ? value : least;
            largest = value > largest ? value : largest;
        }
    }
    if (!isMeasured) {
        return wkNoDepth();
    }
    wkProvenDepth near = wkProveDepth(recipe, least);
    wkProvenDepth far = wkProveDepth(recipe, largest);
    // where the largest value is too far for a surface, the furthest surface is that of another pixel
    bool isMixed = near.surfaceEnd >= 0.0f && far.surfaceEnd < 0.0f;
    if (isMixed || !wkIsGrowingDepth(recipe, largest)) {
        return wkProveTogether(recipe, image, source);
    }
    near.surfaceEnd = near.surfaceEnd < 0.0f ? near.surfaceEnd : far.surfaceEnd;
    return near;
}
