// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A lower bound of the translations that separate two bodies. A point that is r deep in A and t deep in B is the centre
// of a sphere of radius r in A and of one of radius t in B. Spheres with one centre are apart only after a translation of
// r + t, and so are the bodies. Where the point is outside of one of them, its nearest point there is less deep in the
// other one by no more than that distance, and the sum is a bound again.

#include "query/separation/separation_search.h"

// Point distances are lower bounds: by less than this share of the size of the bodies, a depth may be too large.
#define DEPTH_ROUNDING 1e-11

// Steps of the climb, as shares of the size.
#define FIRST_STEP 0.25
#define LAST_STEP 1e-4

// Sums that are computed at most in one climb.
#define MAX_SUMS 240

static double sumDepths(const wkSeparationSearch* s, wkVec3d point)
{
    return -wkShape_PointDistance(s->a, s->poseA, point) -
           wkShape_PointDistance(s->b, s->poseB, point);
}

double wkSeparationDepthSum(const wkSeparationSearch* s, wkVec3d start)
{
    // along the axes and the diagonals of a cube
    static const signed char ways[14][3] = {
        {1, 0, 0},  {-1, 0, 0}, {0, 1, 0},  {0, -1, 0},  {0, 0, 1},   {0, 0, -1},  {1, 1, 1},
        {1, 1, -1}, {1, -1, 1}, {-1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}, {-1, -1, -1},
    };
    wkVec3d point = start;
    double sum = sumDepths(s, point), size = s->furthest, step = FIRST_STEP * size;
    int count = 1;
    while (step > LAST_STEP * size && count < MAX_SUMS) {
        bool isBetter = false;
        for (int i = 0; i < 14 && !isBetter; ++i) {
            wkVec3d next = wkMulAdd(point, step, wkVec(ways[i][0], ways[i][1], ways[i][2]));
            double nextSum = sumDepths(s, next);
            isBetter = nextSum > sum + 1e-3 * step;
            point = isBetter ? next : point;
            sum = isBetter ? nextSum : sum;
            ++count;
        }
        step = isBetter ? step : 0.5 * step;
    }
    return sum > 0.0 ? wkPositive(sum - DEPTH_ROUNDING * size) : 0.0;
}
