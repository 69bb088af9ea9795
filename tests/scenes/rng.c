// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// SplitMix64 (Steele, Lea, Flood 2014) and the distributions that scenes draw from.

#include "rng.h"

wkRng wkMakeRng(uint64_t seed)
{
    wkRng rng = {seed};
    return rng;
}

uint64_t wkRngNext(wkRng* rng)
{
    rng->state += 0x9e3779b97f4a7c15u;
    uint64_t bits = rng->state;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
}

double wkRngUnit(wkRng* rng)
{
    return (double)(wkRngNext(rng) >> 11) * 0x1p-53;
}

double wkRngRange(wkRng* rng, double lower, double upper)
{
    return lower + (upper - lower) * wkRngUnit(rng);
}

double wkRngLogRange(wkRng* rng, double lower, double upper)
{
    return exp(wkRngRange(rng, log(lower), log(upper)));
}

int wkRngBelow(wkRng* rng, int count)
{
    return (int)(wkRngNext(rng) % (uint64_t)count);
}

bool wkRngChance(wkRng* rng, int oneIn)
{
    return wkRngBelow(rng, oneIn) == 0;
}

double wkRngSign(wkRng* rng)
{
    return wkRngChance(rng, 2) ? 1.0 : -1.0;
}

wkVec3d wkRngDirection(wkRng* rng)
{
    for (;;) {
        wkVec3d v = {wkRngRange(rng, -1.0, 1.0), wkRngRange(rng, -1.0, 1.0),
                     wkRngRange(rng, -1.0, 1.0)};
        double lengthSquared = wkSceneDot(v, v);
        if (lengthSquared > 1e-4 && lengthSquared <= 1.0) {
            return wkSceneScale(v, 1.0 / sqrt(lengthSquared));
        }
    }
}

wkQuat wkRngRotation(wkRng* rng)
{
    for (;;) {
        wkQuat q = {wkRngRange(rng, -1.0, 1.0), wkRngRange(rng, -1.0, 1.0),
                    wkRngRange(rng, -1.0, 1.0), wkRngRange(rng, -1.0, 1.0)};
        double lengthSquared = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
        if (lengthSquared > 1e-4 && lengthSquared <= 1.0) {
            double s = 1.0 / sqrt(lengthSquared);
            wkQuat unit = {s * q.x, s * q.y, s * q.z, s * q.w};
            return unit;
        }
    }
}

wkQuat wkRngRightAngles(wkRng* rng)
{
    // quaternions of any length are welcome, so that quarter turns need no square root of a half
    static const wkQuat turns[] = {
        {0, 0, 0, 1},   {1, 0, 0, 0},   {0, 1, 0, 0},   {0, 0, 1, 0},    {1, 0, 0, 1},
        {-1, 0, 0, 1},  {0, 1, 0, 1},   {0, -1, 0, 1},  {0, 0, 1, 1},    {0, 0, -1, 1},
        {1, 1, 0, 0},   {1, -1, 0, 0},  {1, 0, 1, 0},   {1, 0, -1, 0},   {0, 1, 1, 0},
        {0, 1, -1, 0},  {1, 1, 1, 1},   {1, 1, -1, 1},  {1, -1, 1, 1},   {-1, 1, 1, 1},
        {1, -1, -1, 1}, {-1, 1, -1, 1}, {-1, -1, 1, 1}, {-1, -1, -1, 1},
    };
    return turns[wkRngBelow(rng, (int)(sizeof turns / sizeof turns[0]))];
}
