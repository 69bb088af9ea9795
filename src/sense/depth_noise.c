// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Noise of structured-light depth cameras, such as the first Kinect: disparities come in
// steps, noise grows with the square of the depth, and edges and surfaces at grazing angles give
// no measurement. Each pixel has its own random numbers, so that an image does not depend on threads.

#include "sense/depth_noise.h"

#include "base/cookie.h"
#include "base/error.h"
#include "base/random.h"
#include "math/vec.h"

// Neighbours whose depths differ by more than this share of the lesser are on different surfaces.
#define EDGE_JUMP 0.03

wkDepthNoise wkDefaultDepthNoise(void)
{
    wkDepthNoise noise = {
        .cookie = WK_COOKIE(wkDepthNoise),
        .noise = 0.0012,
        .disparityStep = 0.0028,
        .edgeShare = 0.5,
        .grazingCosine = 0.15,
        .dropShare = 0.002,
        .minDepth = 0.4,
        .maxDepth = 5.0,
        .seed = 1,
    };
    return noise;
}

wkResult wkCheckNoise(const wkDepthNoise* noise)
{
    if (!WK_HAS_COOKIE(noise, wkDepthNoise)) {
        return WK_FAIL_COOKIE(noise, wkDepthNoise);
    }
    const struct {
        const char* name;
        double value;
        double highest;
    } fields[] = {
        {"noise", noise->noise, 1e9},         {"disparityStep", noise->disparityStep, 1e9},
        {"edgeShare", noise->edgeShare, 1.0}, {"grazingCosine", noise->grazingCosine, 1.0},
        {"dropShare", noise->dropShare, 1.0}, {"minDepth", noise->minDepth, 1e9},
        {"maxDepth", noise->maxDepth, 1e9},
    };
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; ++i) {
        double value = fields[i].value;
        if (!(value >= 0.0 && value <= fields[i].highest)) {
            return wkFail(isfinite(value) ? wk_errorRange : wk_errorNotFinite,
                          "depth noise: %s is %g, must be 0 to %g", fields[i].name, value,
                          fields[i].highest);
        }
    }
    return wk_ok;
}

// Returns a sum of twelve uniform numbers of variance 1/12: nearly normal, of variance 1, and never beyond 6.
// It has the same bits on every machine, which logarithms do not guarantee.
static double nextNormal(uint64_t* seed)
{
    const uint64_t halves = 0x0000ffff0000ffffull;
    uint64_t sums = 0; // of 16-bit numbers, in both halves
    for (int i = 0; i < 3; ++i) {
        uint64_t bits = wkNextBits(seed);
        sums += (bits & halves) + (bits >> 16 & halves);
    }
    // each number stands for the middle of its step
    double sum = (double)(int64_t)((sums & 0xffffffffu) + (sums >> 32)) + 12 * 0.5;
    return sum / 65536.0 - 6.0;
}

static bool isEdge(const wkSight* here, const wkSight* there)
{
    double a = (double)here->depth, b = (double)there->depth;
    return !(fabs(a - b) <= EDGE_JUMP * wkMinD(a, b));
}

static bool isAtEdge(const wkSight* sight, int32_t u, int32_t v, int32_t width, int32_t height)
{
    return (u > 0 && isEdge(sight, sight - 1)) || (u + 1 < width && isEdge(sight, sight + 1)) ||
           (v > 0 && isEdge(sight, sight - width)) ||
           (v + 1 < height && isEdge(sight, sight + width));
}

// Rounds a depth to steps of the disparity, which is 1 / depth.
static double stepped(double depth, double step)
{
    double count = floor(1.0 / (depth * step) + 0.5);
    return step > 0.0 && count >= 1.0 ? 1.0 / (count * step) : depth;
}

// @param isLostAtEdges whether the pixel is not measured if it is at an edge
static float measure(const wkDepthNoise* noise, const wkSight* sight, uint64_t* seed,
                     bool* isLostAtEdges)
{
    bool isDropped = wkNextShare(seed) < noise->dropShare;
    *isLostAtEdges = wkNextShare(seed) < noise->edgeShare;
    double depth = (double)sight->depth;
    depth += noise->noise * depth * depth * nextNormal(seed);
    if (isDropped || (double)sight->facing < noise->grazingCosine || !(depth > 0.0)) {
        return NAN;
    }
    depth = stepped(depth, noise->disparityStep);
    return depth >= noise->minDepth && depth <= noise->maxDepth ? (float)depth : NAN;
}

void wkSpoilRow(const wkDepthNoise* noise, const wkSight* sights, int32_t width, int32_t height,
                int32_t v, float* row)
{
    for (int32_t u = 0; u < width; ++u) {
        int32_t pixel = v * width + u;
        const wkSight* sight = &sights[pixel];
        uint64_t seed = wkMixBits((uint64_t)noise->seed << 32 | (uint32_t)pixel);
        bool isLostAtEdges = false;
        float depth = measure(noise, sight, &seed, &isLostAtEdges);
        bool isLost = isLostAtEdges && isAtEdge(sight, u, v, width, height);
        row[u] = isLost ? NAN : depth;
    }
}
